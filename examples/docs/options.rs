//! `docs/options/`: one page for each first letter, with the options that the catalog tells about in words.

use cnflint::catalog::{self, OptionId};
use cnflint::pages::{OptionPage, OptionPages, RulePage, Scope};
use std::collections::BTreeMap;

/// The pages by file name.
pub fn pages(rules: &[RulePage]) -> BTreeMap<String, String> {
    let all = OptionPages::new(rules);
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for id in OptionId::all().filter(|id| !catalog::about(*id).is_empty()) {
        let Some(page) = all.option(id.name(), Scope::Everything) else { continue };
        let area = area(id.name());
        let text = pages.entry(format!("{area}.md")).or_insert_with(|| {
            format!(
                "# Options: {area}\n\nWritten by `cargo run --example docs` from `catalog/`. `cnflint explain OPTION` tells the same of \
                 every option, and with `--server` of one server.\n"
            )
        });
        text.push_str(&option(&page));
    }
    let list: String =
        pages.iter().map(|(file, text)| format!("- [{}]({file}): {}\n", stem(file), names(text))).collect();
    let head = "# Options\n\nWritten by `cargo run --example docs` from `catalog/`: the options that are described in words. \
                `cnflint explain OPTION` knows all of them.\n\n";
    pages.insert("README.md".to_owned(), head.to_owned() + &list);
    pages
}

/// InnoDB's options are many, and have a page of their own.
fn area(name: &str) -> &str {
    if name.starts_with("innodb_") { "innodb" } else { &name[..1] }
}

fn stem(file: &str) -> &str {
    file.trim_end_matches(".md")
}

fn names(page: &str) -> String {
    page.lines().filter_map(|line| line.strip_prefix("## ")).collect::<Vec<_>>().join(", ")
}

fn option(page: &OptionPage) -> String {
    let mut text = format!("\n## {}\n\n{}\n", page.name, page.about);
    let code = |words: &[String]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    if !page.sets.is_empty() {
        text.push_str(&format!("\nSets `{}`.\n", page.sets));
    }
    if !page.aliases.is_empty() {
        text.push_str(&format!("\nAlso: {}.\n", code(&page.aliases)));
    }
    for flavor in &page.flavors {
        let also = if flavor.same.is_empty() { String::new() } else { format!(", also {}", flavor.same.join(", ")) };
        text.push_str(&format!("\n| {}{also} | |\n|---|---|\n", flavor.title));
        for step in &flavor.steps {
            text.push_str(&format!("| {} | {} |\n", step.from, step.text.replace('|', "\\|")));
        }
    }
    if !page.rules.is_empty() {
        let links: Vec<_> = page.rules.iter().map(|rule| format!("[{rule}](../rules/{rule}.md)")).collect();
        text.push_str(&format!("\nRules: {}\n", links.join(", ")));
    }
    if !page.links.is_empty() {
        let links: Vec<_> = page.links.iter().map(|link| format!("<{link}>")).collect();
        text.push_str(&format!("\n{}\n", links.join("  \n")));
    }
    text
}
