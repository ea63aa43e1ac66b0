//! `docs/SUMMARY.md`: the table of contents of the site that mdBook makes of `docs/`.

use cnflint::pages::RulePage;
use std::path::Path;

/// The pages that people write, in reading order, by the part of the book that they are in.
const PARTS: [(&str, &[(&str, &str)]); 4] = [
    (
        "Using it",
        &[
            ("On the database host", "on-the-host.md"),
            ("In CI and before each commit", "in-ci.md"),
            ("Before an upgrade", "upgrading.md"),
            ("Making the fixes", "fixing.md"),
            ("Leaving findings out", "leaving-out.md"),
            ("Option files inside other files", "carriers.md"),
            ("Templates", "templates.md"),
        ],
    ),
    (
        "To look up",
        &[
            ("cnflint.toml", "configuration.md"),
            ("Reports and exit status", "reports.md"),
            ("Writing rules", "writing-rules.md"),
            ("Questions", "questions.md"),
        ],
    ),
    (
        "How we know",
        &[
            ("What it rests on", "how-we-know.md"),
            ("Whole files, asked of servers", "agreement.md"),
            ("Single lines, asked of servers", "agreement-values.md"),
            ("What the catalog holds", "coverage.md"),
            ("Checks that were weighed", "rules-not-taken.md"),
        ],
    ),
    ("Rules and options", &[]),
];

/// The table of contents, with a line for each of these rules and of these pages of options.
pub fn summary<'a>(rules: &[RulePage], options: impl Iterator<Item = &'a str>) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut text = String::from(
        "<!-- Written by `cargo run --example docs`; the order of the pages is in examples/docs/book.rs. -->\n\n\
         # cnflint\n\n[Start here](README.md)\n",
    );
    for (part, pages) in PARTS {
        text.push_str(&format!("\n# {part}\n\n"));
        for (title, file) in pages.iter().filter(|(_, file)| docs.join(file).exists()) {
            text.push_str(&format!("- [{title}]({file})\n"));
        }
    }
    text.push_str("- [Rules](rules/README.md)\n");
    let mut areas: Vec<_> = rules.iter().map(|rule| rule.area.as_str()).collect();
    areas.sort_unstable();
    areas.dedup();
    for area in areas {
        // Without an address: a heading to unfold.
        text.push_str(&format!("  - [{area}]()\n"));
        for rule in rules.iter().filter(|rule| rule.area == area) {
            text.push_str(&format!("    - [{0}](rules/{0}.md)\n", rule.id));
        }
    }
    text.push_str("- [Options](options/README.md)\n");
    for file in options.filter(|file| *file != "README.md") {
        text.push_str(&format!("  - [{}](options/{file})\n", file.trim_end_matches(".md")));
    }
    text
}
