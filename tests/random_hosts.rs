//! One verdict for each setting: rules that look at the same one agree. On any host, for files made of the settings that rules speak of,
//! and for the server of every series.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::catalog::{self, Default, OptionId, State};
use cnflint::facts::FactId;
use cnflint::finding::{Change, Safety};
use cnflint::lint::Report;
use cnflint::model::io::DISK_PACES;
use cnflint::rules::{Named, built_in};
use cnflint::server::{SERIES, Server, ServerSpec};
use cnflint::value::{Kind, Outcome, Unit, Value, show};
use linting::laws::{Broken, Held, any_host, fixed_for_good, hold, make, story};
use linting::{Case, said, servers, settings};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Every setting that some rule reads, changes or points at.
static SETTINGS: LazyLock<Vec<OptionId>> = LazyLock::new(|| {
    let named = built_in().iter().flat_map(|rule| rule.names().chain(rule.at()));
    let settings: BTreeSet<_> = named.filter_map(|name| Named::of(name).and_then(Named::option)).collect();
    settings.into_iter().collect()
});

/// A line for a setting: the default, an end of its range, or what somebody might think of.
fn line(option: OptionId, server: Server, choice: usize) -> Option<String> {
    let spelled = catalog::spellings(option, server).find(|id| catalog::entry(*id, server).is_option)?;
    let entry = catalog::entry(spelled, server);
    if entry.state != State::Present {
        return None;
    }
    let name = catalog::spelled(spelled);
    let shape = entry.shape;
    let default = match &entry.effective_default {
        Default::Value(value) => Some(show(value, Unit::Count).to_string()),
        _ => None,
    };
    let mut values: Vec<String> = default.into_iter().collect();
    match shape.kind {
        Kind::Boolean | Kind::PluginBoolean => values.extend(["ON", "OFF", "1", "0"].map(str::to_owned)),
        Kind::Flag => return Some(name.to_owned()),
        Kind::Signed | Kind::Unsigned | Kind::Real => {
            values.extend([shape.min, shape.max].into_iter().flatten().map(|end| end.to_string()));
            let foolish: &[&str] = match shape.unit {
                Unit::Bytes => &["1M", "16M", "64M", "256M", "1G", "4G", "64G", "0"],
                _ => &["0", "1", "2", "10", "100", "1000", "4000", "20000", "100000"],
            };
            values.extend(foolish.iter().map(|text| (*text).to_owned()));
        }
        Kind::Enumeration | Kind::Set => values.extend(shape.words().map(str::to_owned)),
        Kind::FlagSet => values.extend(shape.words().map(|word| format!("{word}=on"))),
        Kind::Text | Kind::Path | Kind::NotRecorded => {
            values.extend(["x", "/var/lib/mysql/x", "1", "OFF", "utf8mb4", "NONE"].map(str::to_owned));
        }
    }
    let value = values.get(choice % values.len().max(1))?;
    Some(format!("{name} = {value}"))
}

/// A file for the server of a series, on a host.
fn any_case() -> impl Strategy<Value = Case> {
    let lines = proptest::collection::vec((0..SETTINGS.len(), any::<u8>()), 0..14);
    (select(SERIES), lines, any_host()).prop_map(|(series, lines, host)| {
        let server = Server { flavor: series.flavor, version: series.last };
        let mut seen = BTreeSet::new();
        let new = lines.into_iter().filter(|(at, _)| seen.insert(*at));
        let lines: String = new
            .filter_map(|(at, choice)| line(SETTINGS[at], server, usize::from(choice)))
            .map(|line| format!("{line}\n"))
            .collect();
        let case = Case::of_file("made", format!("[mysqld]\n{lines}").as_bytes());
        case.on(ServerSpec::Series(series)).with_facts(&host)
    })
}

/// The number that a fact holds.
fn number(case: &Case, fact: FactId) -> Option<i128> {
    match case.facts.value(fact) {
        Outcome::Known(Value::Integer(number)) => Some(*number),
        _ => None,
    }
}

/// What is taken from memory as soon as it is set.
const TAKEN_AT_ONCE: [&str; 5] = [
    "innodb_buffer_pool_size",
    "innodb_log_buffer_size",
    "key_buffer_size",
    "query_cache_size",
    "aria_pagecache_buffer_size",
];
/// Threads or parts of which more than processors bring nothing; one is always right.
const NO_MORE_THAN_PROCESSORS: [&str; 3] = ["thread_pool_size", "innodb_buffer_pool_instances", "innodb_page_cleaners"];

/// No value that cnflint recommends is more than what the machine has.
fn recommends_what_the_machine_has(case: &Case) -> Held {
    let (fixed, after) = make(case, Safety::Unsafe);
    let pace = match case.facts.value(FactId::DiskKind) {
        Outcome::Known(Value::Word(kind)) => DISK_PACES.iter().find(|pace| pace.kind == kind),
        _ => None,
    };
    let changes = fixed.made.iter().flat_map(|made| made.finding.fix.iter().map(move |fix| (made, fix)));
    let set: BTreeSet<(String, String)> = changes
        .flat_map(|(made, fix)| fix.changes.iter().map(move |change| (made.finding.rule.to_string(), change)))
        .filter_map(|(rule, change)| match change {
            Change::Set { option, .. } => Some((rule, option.replace('-', "_"))),
            _ => None,
        })
        .collect();
    for server in servers(&fixed.report) {
        let now = settings(&after, server);
        for (rule, option) in &set {
            let Some(Outcome::Known(Value::Integer(value))) = now.get(option.as_str()).cloned() else { continue };
            let most = match option.as_str() {
                // Every server starts with the smallest pool, and nothing smaller is recommended.
                taken if TAKEN_AT_ONCE.contains(&taken) => number(case, FactId::HostRam),
                "innodb_io_capacity" => pace.map(|pace| pace.capacity_limit),
                "innodb_io_capacity_max" => pace.map(|pace| pace.capacity_max_limit),
                threads if NO_MORE_THAN_PROCESSORS.contains(&threads) => {
                    number(case, FactId::HostCpus).map(|cpus| cpus.max(1))
                }
                "innodb_log_file_size" | "innodb_redo_log_capacity" => number(case, FactId::DiskCapacity),
                _ => None,
            };
            if most.is_some_and(|most| value > most) {
                let law = format!("{rule} recommends more {option} than the machine has");
                return Err(Broken { law, story: story(case, &fixed, &after) });
            }
        }
    }
    Ok(())
}

#[test]
fn rules_agree_on_every_host() {
    hold(96, &any_case(), |case| {
        fixed_for_good(case)?;
        recommends_what_the_machine_has(case)
    });
}

/// What is said of a file that writes every default is said of an empty file, too: a default is no news.
#[test]
fn a_default_is_no_news() {
    let mut wrong = BTreeSet::new();
    for series in SERIES {
        let server = Server { flavor: series.flavor, version: series.last };
        let on = |text: &str| Case::of_file("defaults", text.as_bytes()).on(ServerSpec::Exact(server)).lint();
        let empty = rules_of(&on("[mysqld]\n"));
        for option in SETTINGS.iter().copied() {
            // The first choice is the default, where one is recorded.
            let has_default = matches!(catalog::setting(option, server).effective_default, Default::Value(_));
            let Some(line) = line(option, server, 0).filter(|_| has_default) else { continue };
            for rule in rules_of(&on(&format!("[mysqld]\n{line}\n"))).difference(&empty) {
                wrong.insert(format!("{rule}: `{line}` on {server}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} defaults are news\n{}",
        wrong.len(),
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
}

/// The rules with a condition that speak.
fn rules_of(report: &Report) -> BTreeSet<String> {
    let conditional = |rule: &String| built_in().find(rule).is_some_and(|rule| rule.check().is_none());
    said(report).into_iter().map(|(rule, _)| rule).filter(conditional).collect()
}
