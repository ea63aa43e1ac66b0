//! What is told about a rule.

use crate::finding::Safety;
use crate::model;
use crate::rules::{Named, Rule};
use crate::value::as_written;
use serde::Serialize;

/// What is told about a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RulePage {
    /// The id; `site/<id>` for a site's own.
    pub id: String,
    /// `error`, `warning` or `advice`.
    pub severity: &'static str,
    /// The area.
    pub area: String,
    /// The class of fault, in one line.
    pub summary: String,
    /// The servers that it looks at: `mysql >=5.6`, `mariadb >=10.1`.
    pub applies: Vec<String>,
    /// The facts that it needs, by name.
    pub needs: Vec<String>,
    /// `safe`, `unsafe` or `manual`; `None` without a fix.
    pub fix: Option<&'static str>,
    /// The condition as it stands in the rule file, or the check that stands for it.
    pub condition: String,
    /// Mechanism, evidence, what the fix costs.
    pub why: String,
    /// Figures that belong to it, as text ready to print: the table of pool shares.
    pub appendix: String,
    /// Sources.
    pub links: Vec<String>,
    /// What fires and what does not.
    pub examples: Vec<ExamplePage>,
}

/// One example of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExamplePage {
    /// The server.
    pub server: String,
    /// The facts: `load_size 1G`; may be empty.
    pub facts: String,
    /// The option file.
    pub file: String,
    /// What lies beside it.
    pub files: Vec<FilePage>,
    /// Whether the rule fires.
    pub finds: bool,
    /// The file after the fix; empty when there is none.
    pub fixed: String,
}

/// A file that an example has beside its option file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilePage {
    /// The path.
    pub path: String,
    /// The content.
    pub text: String,
}

/// The page of a rule.
pub fn rule(rule: Rule<'_>) -> RulePage {
    let facts = rule.names().filter_map(|name| match Named::of(name) {
        Some(Named::Fact(fact)) => Some(fact.name().to_owned()),
        Some(Named::Model(id)) => Some(id.name().to_owned()),
        _ => None,
    });
    let check = rule.check().map(|check| format!("the check `{check}`"));
    let said_by = rule.said_by().map(|who| match who {
        "comparison" => "a comparison of the servers of one cluster".to_owned(),
        _ => "what looks at the comments once every rule has spoken".to_owned(),
    });
    RulePage {
        id: rule.id().to_owned(),
        severity: rule.severity().name(),
        area: rule.area().to_owned(),
        summary: rule.summary().to_owned(),
        applies: rule.applies_to().map(|range| range.to_string()).collect(),
        needs: facts.collect(),
        fix: rule.fix_safety().map(|safety| match safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
            Safety::Manual => "manual",
        }),
        condition: check.or(said_by).unwrap_or_else(|| rule.condition().to_owned()),
        why: rule.why().to_owned(),
        appendix: if rule.id() == "buffer-pool-too-large" { pool_shares() } else { String::new() },
        links: rule.links().map(str::to_owned).collect(),
        examples: rule.examples().map(example).collect(),
    }
}

fn example(example: crate::rules::Example<&str>) -> ExamplePage {
    let fact = |(name, value): &(&str, &str)| format!("{name} = {}", value.trim_matches('"'));
    let missing = example.missing.map(|path| format!("{path} is not there"));
    let facts: Vec<_> = example.facts.iter().map(fact).chain(missing).collect();
    ExamplePage {
        server: example.server.to_owned(),
        facts: facts.join(", "),
        file: example.file.to_owned(),
        files: example.files.iter().map(|(path, text)| file(path, text)).collect(),
        finds: example.finds,
        fixed: example.fixed.unwrap_or_default().to_owned(),
    }
}

fn file(path: &str, text: &str) -> FilePage {
    FilePage { path: path.to_owned(), text: text.to_owned() }
}

/// The table of shares that a buffer pool may take.
fn pool_shares() -> String {
    let mut table = String::from("Share of the memory that a buffer pool may take, in percent:\n\n");
    table.push_str("  memory from   machine   container   shared (of its half)\n");
    for row in model::pool_shares() {
        let ram = u64::try_from(row.ram).map_or_else(|_| row.ram.to_string(), as_written);
        table.push_str(&format!("  {ram:>11}   {:>7}   {:>9}   {:>6}\n", row.machine, row.container, row.shared));
    }
    for row in model::pool_shares() {
        let ram = u64::try_from(row.ram).map_or_else(|_| row.ram.to_string(), as_written);
        table.push_str(&format!("\nfrom {ram}: {}", row.source));
    }
    table
}
