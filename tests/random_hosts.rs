//! One verdict for each setting: rules that look at the same one agree. On any host, for files made of the settings that rules speak of,
//! and for the server of every series.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;
#[allow(dead_code, reason = "this test uses a part of it")]
mod whole_files;

use cnflint::catalog::{self, Default, OptionId, Resolved, State, id};
use cnflint::facts::{FactId, Facts};
use cnflint::finding::{Change, Safety, Severity};
use cnflint::lint::{Report, Verdict};
use cnflint::model::io::DISK_PACES;
use cnflint::rules::{Named, Rule, built_in};
use cnflint::server::{SERIES, Series, Server, ServerSpec};
use cnflint::source::Files as _;
use cnflint::value::{Kind, Outcome, Unit, Value, show};
use linting::laws::{Broken, Held, any_host, config, fixed_for_good, hold, make, story};
use linting::{Case, fact, said, servers, settings};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::path::Path;
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

/// A file for a server, on a host.
fn any_case_on(specs: Vec<(ServerSpec, Server)>) -> impl Strategy<Value = Case> {
    let lines = proptest::collection::vec((0..SETTINGS.len(), any::<u8>()), 0..14);
    (select(specs), lines, any_host()).prop_map(|((spec, server), lines, host)| {
        let mut seen = BTreeSet::new();
        let new = lines.into_iter().filter(|(at, _)| seen.insert(*at));
        let lines: String = new
            .filter_map(|(at, choice)| line(SETTINGS[at], server, usize::from(choice)))
            .map(|line| format!("{line}\n"))
            .collect();
        Case::of_file("made", format!("[mysqld]\n{lines}").as_bytes()).on(spec).with_facts(&host)
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    let newest = |series: Series| Server { flavor: series.flavor, version: series.last };
    any_case_on(SERIES.iter().map(|series| (ServerSpec::Series(*series), newest(*series))).collect())
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
const NO_MORE_THAN_PROCESSORS: [&str; 2] = ["thread_pool_size", "innodb_page_cleaners"];

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

/// Whether a server takes these depends on more than its file: on plugins that are installed, on names that the network knows.
const RESTS_ON_THE_HOST: [OptionId; 4] =
    [id::BIND_ADDRESS, id::EARLY_PLUGIN_LOAD, id::PLUGIN_LOAD, id::PLUGIN_LOAD_ADD];

fn without_what_is_elsewhere(case: &Case, server: Server) -> Case {
    let bytes = case.disk.read(Path::new(linting::EXAMPLE_PATH)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let rests_on_the_host = |line: &&str| {
        let name = line.split(" = ").next().unwrap_or_default();
        match catalog::resolve(name.as_bytes(), server) {
            Resolved::Option { id, .. } => catalog::entry(id, server).plugin || RESTS_ON_THE_HOST.contains(&id),
            _ => false,
        }
    };
    let kept: String = text.split_inclusive('\n').filter(|line| !rests_on_the_host(line)).collect();
    case.with_file(Path::new(linting::EXAMPLE_PATH), kept.into_bytes())
}

/// A file in which cnflint left no error is one that the real server takes. `CNFLINT_CASES` says how many files each server is asked about.
#[test]
fn real_servers_take_what_is_fixed() {
    let cases = std::env::var("CNFLINT_CASES").map_or(6, |number| number.parse().expect("a number"));
    let directory = tempfile::tempdir().unwrap();
    let (mut refused, mut asked) = (Vec::new(), 0);
    for server in servers::all() {
        let mut runner = TestRunner::new(config());
        let strategy = any_case_on(vec![(ServerSpec::Exact(server.server), server.server)]);
        for number in 0..cases {
            let case = strategy.new_tree(&mut runner).unwrap().current();
            let case = without_what_is_elsewhere(&case, server.server);
            let (fixed, after) = make(&case, Safety::Unsafe);
            if fixed.report.targets[0].verdict == Verdict::Refuses {
                continue;
            }
            asked += 1;
            let file = directory.path().join(server.name).join(number.to_string()).join("my.cnf");
            let bytes = after.disk.read(Path::new(linting::EXAMPLE_PATH)).unwrap();
            // A server makes its binary log even when it is only asked, and there is no /var/lib/mysql here.
            let here =
                String::from_utf8_lossy(&bytes).replace("/var/lib/mysql", &directory.path().display().to_string());
            servers::write(&file, &whole_files::files::at_home(here.as_bytes(), directory.path()));
            let verdict = server.check(&file);
            if !verdict.accepted {
                let errors = verdict.messages.lines().filter(|line| line.contains("[ERROR]"));
                let errors: Vec<_> = errors.take(3).collect();
                refused.push(format!("{}: {}\n{}", server.name, errors.join("\n"), String::from_utf8_lossy(&bytes)));
            }
        }
    }
    println!("{asked} fixed files were given to the servers");
    assert!(refused.is_empty(), "{} of {asked} are refused\n{}", refused.len(), refused.join("\n"));
}

/// What an empty file has to hear all the same: the default of MySQL 8.4 is made for flash, and 50 times what a hard disk takes.
const SAID_OF_AN_EMPTY_FILE: [(&str, &str); 1] = [("io-capacity-default-exceeds-disk", "hdd")];

/// An empty file raises nothing that wants a person, wherever it is used.
#[test]
fn an_empty_file_is_no_fault_on_any_usual_host() {
    let mut loud = BTreeSet::new();
    for series in SERIES.iter().copied() {
        let on = |facts: &[(FactId, &str)]| {
            let mut known = Facts::default();
            facts.iter().for_each(|(id, text)| fact(&mut known, *id, text));
            let case = Case::of_file("empty", b"[mysqld]\n").on(ServerSpec::Series(series)).with_facts(&known);
            let findings = case.lint().findings.into_iter().map(|located| located.finding);
            findings.filter(|finding| finding.severity >= Severity::Warning).collect::<Vec<_>>()
        };
        let mut hosts = vec![Vec::new()];
        for (ram, cpus) in [("2G", "1"), ("4G", "2"), ("16G", "4"), ("64G", "16"), ("512G", "64")] {
            for disk in ["hdd", "ssd", "nvme", "network"] {
                hosts.push(vec![(FactId::HostRam, ram), (FactId::HostCpus, cpus), (FactId::DiskKind, disk)]);
            }
        }
        for host in hosts {
            for finding in on(&host) {
                let at: Vec<_> = host.iter().map(|(_, text)| *text).collect();
                if SAID_OF_AN_EMPTY_FILE.iter().any(|(rule, disk)| finding.rule == *rule && at.contains(disk)) {
                    continue;
                }
                loud.insert(format!(
                    "{}: {} on {}.{} at {at:?}",
                    finding.rule,
                    finding.message,
                    series.flavor.name(),
                    series.last
                ));
            }
        }
    }
    assert!(loud.is_empty(), "{}", loud.into_iter().collect::<Vec<_>>().join("\n"));
}

/// What is said of a file that writes every default is said of an empty file, too: a default is no news.
#[test]
fn a_default_is_no_news() {
    let listed: toml::Table = include_str!("../fixtures/written-defaults.toml").parse().unwrap();
    let (mut wrong, mut excused) = (BTreeSet::new(), BTreeSet::new());
    for series in SERIES {
        let server = Server { flavor: series.flavor, version: series.last };
        let on = |text: &str| Case::of_file("defaults", text.as_bytes()).on(ServerSpec::Exact(server)).lint();
        let empty = rules_of(&on("[mysqld]\n"));
        for option in SETTINGS.iter().copied() {
            // The first choice is the default, where one is recorded.
            let has_default = matches!(catalog::setting(option, server).effective_default, Default::Value(_));
            let Some(line) = line(option, server, 0).filter(|_| has_default) else { continue };
            for rule in rules_of(&on(&format!("[mysqld]\n{line}\n"))).difference(&empty) {
                if listed.contains_key(rule) {
                    excused.insert(rule.clone());
                } else {
                    wrong.insert(format!("{rule}: `{line}` on {server}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} defaults are news\n{}",
        wrong.len(),
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
    let idle: Vec<_> = listed.keys().filter(|rule| !excused.contains(*rule)).collect();
    assert!(idle.is_empty(), "excused for nothing: {idle:?}");
}

/// The rules with a condition that speak.
fn rules_of(report: &Report) -> BTreeSet<String> {
    let conditional = |rule: &String| built_in().find(rule).is_some_and(Rule::has_condition);
    said(report).into_iter().map(|(rule, _)| rule).filter(conditional).collect()
}
