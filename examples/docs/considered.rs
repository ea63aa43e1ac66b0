//! Every check that was weighed, and what became of it.

use cnflint::rules::AREAS;
use std::fs;
use std::path::{Path, PathBuf};

/// One line of a `rules/<area>/considered.tsv`.
pub struct Considered {
    /// The area under whose name it was weighed.
    pub area: &'static str,
    /// A name for the check, unique across areas.
    pub check: String,
    /// The rules that answer it; none: it was not taken.
    pub rules: Vec<String>,
    /// Why it was not taken, or a remark.
    pub words: String,
}

/// The lists of all areas, in the order of the areas.
pub fn all() -> Vec<Considered> {
    AREAS
        .iter()
        .flat_map(|area| fs::read_to_string(path(area)).map(|text| lines(area, &text)).unwrap_or_default())
        .collect()
}

fn path(area: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(area).join("considered.tsv")
}

fn lines(area: &'static str, text: &str) -> Vec<Considered> {
    let line = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let (check, rules, words) = (next(), next(), next());
        let rules = rules.split(", ").filter(|rule| *rule != "-").map(str::to_owned).collect();
        Considered { area, check, rules, words }
    };
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(line).collect()
}

/// The page `docs/rules-not-taken.md`.
pub fn page() -> String {
    let all = all();
    let mut text = String::from(
        "# Checks that were weighed\n\n\
         Written by `cargo run --example docs` from `rules/<area>/considered.tsv`, where every check that was ever weighed has a line: what other \
         advisors look at, what manuals warn of, what incidents teach. Some became rules of their own, many share one, and some were not taken: \
         below is why.\n\n\
         | area | weighed | answered by a rule | not taken |\n|---|---:|---:|---:|\n",
    );
    let row = |name: &str, of: &[&Considered]| {
        let taken = of.iter().filter(|check| !check.rules.is_empty()).count();
        format!("| {name} | {} | {taken} | {} |\n", of.len(), of.len() - taken)
    };
    let of = |area: &str| all.iter().filter(|check| check.area == area).collect::<Vec<_>>();
    for area in AREAS.iter().filter(|area| !of(area).is_empty()) {
        text.push_str(&row(area, &of(area)));
    }
    text.push_str(&row("all", &all.iter().collect::<Vec<_>>()));
    for area in AREAS {
        let not_taken: Vec<_> = of(area).into_iter().filter(|check| check.rules.is_empty()).collect();
        if not_taken.is_empty() {
            continue;
        }
        text.push_str(&format!("\n## {area}\n\n"));
        for check in not_taken {
            // `<host>` is a word here, and no HTML.
            text.push_str(&format!("- `{}`: {}\n", check.check, check.words.replace('<', "\\<")));
        }
    }
    text
}
