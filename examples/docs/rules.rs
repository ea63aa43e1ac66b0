//! `docs/rules/`: a page for each rule, and a list of them.

use cnflint::pages::RulePage;

/// The list of all rules.
pub fn list(rules: &[RulePage]) -> String {
    let mut text = String::from("# Rules\n\nWritten by `cargo run --example docs` from `rules/`.\n");
    let mut areas: Vec<_> = rules.iter().map(|rule| rule.area.as_str()).collect();
    areas.sort_unstable();
    areas.dedup();
    for area in areas {
        text.push_str(&format!("\n## {area}\n\n| rule | severity | finds that |\n|---|---|---|\n"));
        for rule in rules.iter().filter(|rule| rule.area == area) {
            text.push_str(&format!("| [{0}]({0}.md) | {1} | {2} |\n", rule.id, rule.severity, rule.summary));
        }
    }
    text
}

/// The page of one rule.
pub fn page(rule: &RulePage) -> String {
    let mut text = format!("# {}\n\nFinds that {}.\n\n", rule.id, rule.summary);
    let code = |words: &[String]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let fix = match rule.fix {
        Some("safe") => "keeps the effective meaning",
        Some("unsafe") => "changes behaviour",
        Some("manual") => "by hand",
        _ => "",
    };
    for (word, value) in [
        ("severity", rule.severity.to_owned()),
        ("area", rule.area.clone()),
        ("applies", code(&rule.applies)),
        ("reads", code(&rule.needs)),
        ("fix", fix.to_owned()),
    ] {
        if !value.is_empty() {
            text.push_str(&format!("- **{word}**: {value}\n"));
        }
    }
    text.push_str(&format!("\nFires when\n\n```text\n{}\n```\n\n{}\n", rule.condition.trim(), rule.why.trim()));
    if !rule.appendix.is_empty() {
        text.push_str(&format!("\n```text\n{}\n```\n", rule.appendix.trim_end()));
    }
    for example in &rule.examples {
        let verb = if example.finds { "Found" } else { "Not found" };
        let facts = if example.facts.is_empty() { String::new() } else { format!(", {}", example.facts) };
        text.push_str(&format!("\n## {verb} on {}{facts}\n\n{}", example.server, file(&example.file)));
        for other in &example.files {
            text.push_str(&format!("\nbeside it, `{}`:\n\n{}", other.path, file(&other.text)));
        }
        if !example.fixed.is_empty() {
            text.push_str(&format!("\nafter the fix:\n\n{}", file(&example.fixed)));
        }
    }
    if !rule.links.is_empty() {
        text.push_str("\n## Sources\n\n");
        rule.links.iter().for_each(|link| text.push_str(&format!("- <{link}>\n")));
    }
    text
}

fn file(text: &str) -> String {
    format!("```ini\n{}\n```\n", text.trim_end())
}
