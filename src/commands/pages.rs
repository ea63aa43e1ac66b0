//! What people are told about a rule and about an option, from the packed tables.

use super::explain::{OptionPage, OptionStep};
use super::reads::models_that_read;
use super::rules::{ExamplePage, FilePage, RulePage};
use cnflint::catalog::{self, Default, Entry, OptionId, Resolved, State, Warns};
use cnflint::finding::Safety;
use cnflint::model;
use cnflint::rules::{Named, Rule};
use cnflint::server::{Flavor, Server};
use cnflint::value::{Kind, Unit, as_written, show};

/// A largest value that no machine reaches.
const NO_LIMIT: i128 = i64::MAX as i128;

/// The page of a rule.
pub fn rule(rule: Rule<'_>) -> RulePage {
    let facts = rule.names().filter_map(|name| match Named::of(name) {
        Some(Named::Fact(fact)) => Some(fact.name().to_owned()),
        Some(Named::Model(id)) => Some(id.name().to_owned()),
        _ => None,
    });
    let check = rule.check().map(|check| format!("the check `{check}`"));
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
        condition: check.unwrap_or_else(|| rule.condition().to_owned()),
        why: rule.why().to_owned(),
        appendix: if rule.id() == "buffer-pool-too-large" { pool_shares() } else { String::new() },
        links: rule.links().map(str::to_owned).collect(),
        examples: rule.examples().map(example).collect(),
    }
}

fn example(example: cnflint::rules::Example<&str>) -> ExamplePage {
    let fact = |(name, value): &(&str, &str)| format!("{name} = {}", value.trim_matches('"'));
    let facts: Vec<_> = example.facts.iter().map(fact).collect();
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

/// The page of an option, by any of its spellings.
pub fn option(name: &str, rules: &[RulePage]) -> Option<OptionPage> {
    let id = option_id(name)?;
    let mut history = Vec::new();
    for flavor in Flavor::ALL {
        // What builds on MySQL has a history of its own only where it differs.
        let own =
            flavor.upstream().is_none_or(|upstream| catalog::history(id, flavor) != catalog::history(id, upstream));
        if own {
            steps(id, flavor, &mut history);
        }
    }
    let models = models_that_read(id);
    let reads = |rule: &&RulePage| {
        let by_model = rule.needs.iter().any(|need| models.contains(&need.as_str()));
        by_model || rule.condition.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == id.name())
    };
    Some(OptionPage {
        name: id.name().to_owned(),
        aliases: aliases(id),
        history,
        rules: rules.iter().filter(reads).map(|rule| rule.id.clone()).collect(),
    })
}

/// The option that was probably meant, whichever server has it.
pub fn similar_option(name: &str) -> Option<&'static str> {
    let near = |flavor| catalog::similar(name, Server { flavor, version: catalog::horizon(flavor) });
    Flavor::ALL.into_iter().find_map(near).map(OptionId::name)
}

fn option_id(name: &str) -> Option<OptionId> {
    let plain = name.trim_start_matches("--").replace('-', "_").to_ascii_lowercase();
    OptionId::from_name(&plain).or_else(|| {
        Flavor::ALL.into_iter().find_map(|flavor| {
            let newest = Server { flavor, version: catalog::horizon(flavor) };
            match catalog::resolve(plain.as_bytes(), newest) {
                Resolved::Option { id, abbreviated: false, .. } => Some(id),
                Resolved::Unknown { elsewhere, .. } => elsewhere,
                _ => None,
            }
        })
    })
}

fn aliases(id: OptionId) -> Vec<String> {
    let mut names: Vec<_> = Flavor::ALL
        .into_iter()
        .filter(|flavor| flavor.upstream().is_none())
        .flat_map(|flavor| catalog::releases(flavor).iter().map(move |version| Server { flavor, version: *version }))
        .flat_map(|server| catalog::spellings(catalog::entry(id, server).variable, server))
        .filter(|other| *other != id)
        .map(|other| other.name().to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn steps(id: OptionId, flavor: Flavor, history: &mut Vec<OptionStep>) {
    let mut last: Option<(String, String)> = None;
    for version in catalog::releases(flavor) {
        let entry = catalog::entry(id, Server { flavor, version: *version });
        let described = (state(&entry).to_owned(), shape(&entry));
        let is_news = match &last {
            None => entry.state != State::Absent,
            Some(before) => *before != described,
        };
        if is_news {
            let (state, shape) = described.clone();
            history.push(OptionStep { flavor: flavor.name().to_owned(), from: version.to_string(), state, shape });
            last = Some(described);
        }
    }
}

fn state(entry: &Entry) -> &'static str {
    match entry.state {
        State::Absent => "gone",
        State::Unknown => "not recorded",
        State::Ignored if entry.warns != Warns::Never => "accepted with a warning, does nothing",
        State::Ignored => "accepted, does nothing",
        State::Present if entry.read_only => "shown, cannot be set",
        State::Present if entry.deprecated => "deprecated",
        State::Present => "present",
    }
}

fn shape(entry: &Entry) -> String {
    if entry.state != State::Present {
        return String::new();
    }
    let shape = &entry.shape;
    let number = |number: i128| match shape.unit {
        Unit::Bytes => u64::try_from(number).map_or_else(|_| number.to_string(), as_written),
        _ => number.to_string(),
    };
    let mut parts = vec![match shape.kind {
        Kind::Boolean | Kind::PluginBoolean => "ON or OFF".to_owned(),
        Kind::Flag => "a switch".to_owned(),
        Kind::Signed | Kind::Unsigned => match (shape.min, shape.max) {
            (Some(min), Some(max)) if max >= NO_LIMIT => format!("{} and more", number(min)),
            (Some(min), Some(max)) => format!("{} to {}", number(min), number(max)),
            _ => "a number".to_owned(),
        },
        Kind::Real => "a number with a fraction".to_owned(),
        Kind::Enumeration => format!("one of {}", shape.words.replace(',', ", ")),
        Kind::Set => format!("some of {}", shape.words.replace(',', ", ")),
        Kind::FlagSet => format!("flags {}", shape.words.replace(',', ", ")),
        Kind::Text => "a text".to_owned(),
        Kind::Path => "a path".to_owned(),
        Kind::NotRecorded => "type not recorded".to_owned(),
    }];
    match (&entry.effective_default, &entry.default) {
        (Default::Value(value), _) => parts.push(format!("default {}", show(value, shape.unit))),
        (Default::None, _) => parts.push("no default".to_owned()),
        (Default::Derived, _) => parts.push("default computed by the server".to_owned()),
        (Default::NotRecorded, _) => {}
    }
    match entry.dynamic {
        Some(true) => parts.push("can be set while the server runs".to_owned()),
        Some(false) => parts.push("needs a restart".to_owned()),
        None => {}
    }
    parts.join("; ")
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
