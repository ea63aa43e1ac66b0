//! Every generated page under `docs/`.

use super::{book, considered, coverage, options, rules};
use cnflint::pages;
use std::collections::BTreeMap;

/// Directories in which every file is generated.
pub const DIRECTORIES: [&str; 2] = ["rules", "options"];

/// The pages by their paths below `docs/`.
pub fn all() -> BTreeMap<String, String> {
    let all_rules: Vec<_> = cnflint::rules::built_in().iter().map(pages::rule).collect();
    let mut texts = BTreeMap::from([
        ("coverage.md".to_owned(), coverage::page()),
        ("rules-not-taken.md".to_owned(), considered::page()),
        ("rules/README.md".to_owned(), rules::list(&all_rules)),
    ]);
    texts.extend(all_rules.iter().map(|rule| (format!("rules/{}.md", rule.id), rules::page(rule))));
    let options = options::pages(&all_rules);
    texts.insert("SUMMARY.md".to_owned(), book::summary(&all_rules, options.keys().map(String::as_str)));
    texts.extend(options.into_iter().map(|(file, text)| (format!("options/{file}"), text)));
    texts
}
