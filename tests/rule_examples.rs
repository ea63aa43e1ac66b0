//! The examples of the rules are their tests: each runs through the real runner, fixes included.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::edits;
use cnflint::finding::{Edit, Finding};
use cnflint::lint::Report;
use cnflint::rules::Example;
use cnflint::server::ServerSpec;
use cnflint::source::Files as _;
use linting::{Case, EXAMPLE_PATH, examples, fixtures, newly_set, said, servers};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn every_example_finds_and_fixes_what_it_says() {
    let mut failures = String::new();
    for (rule, example, case) in examples() {
        if let Err(failure) = check(rule.id(), &example, &case) {
            let _ = writeln!(failures, "{}: {failure}", case.name);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn of_rule<'r>(report: &'r Report, rule: &str) -> Vec<&'r Finding> {
    report.findings.iter().map(|located| &located.finding).filter(|finding| finding.rule == rule).collect()
}

fn check(rule: &str, example: &Example<&str>, case: &Case) -> Result<(), String> {
    let report = case.lint();
    let found = of_rule(&report, rule);
    if found.is_empty() == example.finds {
        let others: Vec<_> = said(&report).into_iter().map(|(rule, option)| format!("{rule} {option}")).collect();
        return Err(format!("finds = {} is not so; what is found: {others:?}", example.finds));
    }
    let edits: Vec<&Edit> =
        found.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits).collect();
    if edits.is_empty() {
        return match example.fixed {
            Some(_) => Err(format!("nothing is fixed: {:?}", found.first().map(|finding| &finding.fix))),
            None => Ok(()),
        };
    }
    let fixed = made(case, &report, &edits);
    let file = fixed.get(Path::new(EXAMPLE_PATH)).cloned().unwrap_or_else(|| example.file.as_bytes().to_vec());
    let shown = String::from_utf8_lossy(&file).into_owned();
    if let Some(expected) = example.fixed.filter(|expected| *expected != shown) {
        return Err(format!("fixed is\n{shown}\nand not\n{expected}"));
    }
    let mut after = case.clone();
    for (path, bytes) in fixed {
        after = after.with_file(&path, bytes);
    }
    let again = after.lint();
    if let Some(finding) = of_rule(&again, rule).first() {
        return Err(format!("after the fix the rule still says: {}\n{shown}", finding.message));
    }
    let before = said(&report);
    let fixes = found.iter().filter_map(|finding| finding.fix.as_ref());
    let revealed = newly_set(case, &after, &servers(&report), fixes);
    let is_new = |(rule, option): &(String, String)| {
        !before.contains(&(rule.clone(), option.clone())) && !revealed.contains(option)
    };
    match said(&again).into_iter().find(is_new) {
        Some((rule, option)) => Err(format!("the fix brings {rule} {option}\n{shown}")),
        None => Ok(()),
    }
}

/// Every file that the edits change.
fn made(case: &Case, report: &Report, edits: &[&Edit]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for (id, file) in report.sources.iter() {
        let here: Vec<_> = edits.iter().copied().filter(|edit| edit.at.file == id).collect();
        if !here.is_empty() {
            assert!(case.disk.read(file.path()).is_ok(), "{}: only option files can be edited", case.name);
            files.insert(file.path().to_owned(), edits::apply(file.bytes(), &here));
        }
    }
    files
}

/// The servers on which the fixtures are looked at: nobody says which, and the newest of both families.
const SERVERS: [&str; 3] = ["assumed", "mysql-9.7", "mariadb-10.11"];

/// The names in the samples of the grammar are made up.
const ABOUT_NAMES: [&str; 3] = ["ambiguous-option", "unknown-option", "wrong-group"];

/// Every rule on every example and on the files under `fixtures/`. Read the difference when it changes: two rules that say
/// the same, or a rule that fires where nothing is wrong, show here.
#[test]
fn every_hit_is_meant() {
    let mut all = String::new();
    for (_, example, case) in examples() {
        let _ = writeln!(all, "{} {}: {}", case.name, example.server, hits(&case));
    }
    for case in fixtures() {
        let on = |server| ServerSpec::parse(server).ok();
        let lists = SERVERS.map(|server| (server, hits(&Case { server: on(server), ..case.clone() })));
        for (index, (server, list)) in lists.iter().enumerate() {
            // Servers that agree share a line.
            if lists[..index].iter().any(|(_, other)| other == list) || list == "nothing" {
                continue;
            }
            let others = lists[index + 1..].iter().filter(|(_, other)| other == list);
            let servers: Vec<_> = std::iter::once(*server).chain(others.map(|(server, _)| *server)).collect();
            let _ = writeln!(all, "{} {}: {list}", case.name, servers.join(", "));
        }
    }
    insta::assert_snapshot!("hits", all);
}

/// Each rule that fires, with its severity, the option and how often.
fn hits(case: &Case) -> String {
    let mut hits: BTreeMap<(String, &str, String), usize> = BTreeMap::new();
    for located in case.lint().findings {
        let finding = located.finding;
        if case.name.starts_with("grammar/") && ABOUT_NAMES.contains(&&*finding.rule) {
            continue;
        }
        let option = finding.option.unwrap_or_default().into_owned();
        *hits.entry((finding.rule.into_owned(), finding.severity.name(), option)).or_default() += 1;
    }
    let mut list = Vec::new();
    for ((rule, severity, option), times) in hits {
        let times = if times > 1 { format!(" x{times}") } else { String::new() };
        list.push(format!("{rule} {severity} {option}").trim_end().to_owned() + &times);
    }
    if list.is_empty() { "nothing".to_owned() } else { list.join(", ") }
}
