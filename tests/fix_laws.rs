//! Promise 3: apply every fix and look again: the rules are quiet, nothing new appears, a second fix changes nothing. On the files
//! of the fixtures, the examples of all rules and files made of random lines, for any host and the servers of every series.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::catalog::{self, OptionId, Resolved};
use cnflint::edits;
use cnflint::facts::{FactId, Facts};
use cnflint::finding::{Change, Edit, Safety};
use cnflint::server::ServerSpec;
use cnflint::source::{Location, SourceFile, Sources, Span};
use cnflint::value::Outcome;
use linting::laws::{any_host, any_server, config, fixed_for_good, hold, make, story};
use linting::{Case, examples, fact, fixtures, servers, settings};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    // A fix is made to one server's files.
    let alone = examples().map(|(_, _, case)| case).filter(|case| case.cluster.is_none());
    alone.chain(fixtures()).collect()
});

/// A line that somebody might write: any option of any server, spelled and valued in any way.
fn any_line() -> impl Strategy<Value = String> {
    const VALUES: &[&str] = &[
        "0",
        "1",
        "2",
        "-1",
        "3",
        "17",
        "100",
        "1000",
        "200000",
        "10000000000",
        "99999999999999999999999",
        "16M",
        "512MB",
        "1G",
        "1.5G",
        "16 M",
        "1e3",
        "50%",
        "4T",
        "300E",
        "ON",
        "OFF",
        "on",
        "yes",
        "no",
        "true",
        "FALSE",
        "none",
        "auto",
        "DEFAULT",
        "",
        "O_DIRECT",
        "fsync",
        "ROW",
        "row",
        "utf8",
        "utf8mb4",
        "InnoDB",
        "READ-COMMITTED",
        "READ_COMMITTED",
        "STRICT_TRANS_TABLES, NO_ZERO_DATE",
        "mrr=on",
        "/var/lib/mysql/x",
        "\"a # b\"",
        "ab#cd",
        "{{ ram }}",
        "FORCE",
    ];
    const PREFIXES: &[&str] =
        &["", "", "", "", "", "", "loose_", "skip_", "skip-", "enable-", "disable_", "maximum_", "loose-skip-"];
    let name = (0..2000_usize).prop_map(|at| {
        let all: Vec<_> = OptionId::all().collect();
        all[at * 7919 % all.len()].name()
    });
    let value = prop_oneof![1 => Just(None), 5 => select(VALUES).prop_map(Some)];
    let ends = prop_oneof![8 => Just(0_usize), 1 => Just(1), 1 => Just(2)];
    (name, select(PREFIXES), value, any::<bool>(), ends, select(&["=", " = ", "= "][..])).prop_map(
        |(name, prefix, value, dashes, cut, equals)| {
            let name = &name[..name.len() - cut.min(name.len() - 1)];
            let name = if dashes { name.replace('_', "-") } else { name.to_owned() };
            match value {
                Some(value) => format!("{prefix}{name}{equals}{value}"),
                None => format!("{prefix}{name}"),
            }
        },
    )
}

fn any_written_case() -> impl Strategy<Value = Case> {
    let header = select(&["[mysqld]", "[mysqld]", "[mariadb]", "[ mysqld]", "[client]", "[mysqld", "# none"][..]);
    let lines = proptest::collection::vec(any_line(), 1..12);
    (header, lines, any::<u8>(), any::<bool>(), any::<bool>()).prop_map(|(header, mut lines, twice, crlf, end)| {
        if twice < 100 {
            let again = lines[usize::from(twice) % lines.len()].clone();
            lines.push(again.replace("16M", "17M"));
        }
        let newline = if crlf { "\r\n" } else { "\n" };
        let mut text = format!("{header}{newline}{}", lines.join(newline));
        if end {
            text.push_str(newline);
        }
        Case::of_file("written", text.as_bytes())
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    let known = (0..CASES.len()).prop_map(|at| CASES[at].clone());
    prop_oneof![2 => known, 1 => any_written_case()]
}

/// Every option file of the fixtures, and below the directory that `CNFLINT_CORPUS` names.
#[test]
fn real_files_are_fixed_for_good() {
    let mut host = Facts::default();
    let known =
        [(FactId::HostRam, "8G"), (FactId::HostCpus, "4"), (FactId::DiskKind, "ssd"), (FactId::WorkloadLoadSize, "2G")];
    known.into_iter().for_each(|(id, text)| fact(&mut host, id, text));
    let corpus =
        std::env::var_os("CNFLINT_CORPUS").map(|directory| files_below(directory.as_ref())).unwrap_or_default();
    let given = corpus.iter().map(|path| Case::of_file(&path.to_string_lossy(), &std::fs::read(path).unwrap()));
    for case in fixtures().into_iter().chain(given) {
        for server in ["mysql-9.7", "mysql-5.6", "mariadb-10.11"] {
            let case = case.on(ServerSpec::parse(server).unwrap()).with_facts(&host);
            fixed_for_good(&case).unwrap_or_else(|error| panic!("{}\n{}", error.law, error.story));
        }
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn fixes_silence_their_rules_and_bring_nothing_new() {
    let cases = (any_case(), any_server(), any_host()).prop_map(|(case, server, host)| {
        let case = match server {
            Some(server) => case.on(server),
            None => Case { server: None, ..case },
        };
        case.with_facts(&host)
    });
    hold(256, &cases, fixed_for_good);
}

proptest! {
    #![proptest_config(config())]

    /// `safe` keeps what the server ends up with.
    #[test]
    fn safe_fixes_change_no_setting(case in any_case(), server in any_server(), host in any_host()) {
        let case = match server {
            Some(server) => case.on(server),
            None => Case { server: None, ..case },
        }.with_facts(&host);
        let (fixed, after) = make(&case, Safety::Safe);
        for server in servers(&case.lint()) {
            let (old, new) = (settings(&case, server), settings(&after, server));
            prop_assert_eq!(&old, &new, "{}\n{}", server, story(&case, &fixed, &after));
        }
    }

    /// What a fix sets is what the server then has.
    #[test]
    fn settings_become_what_the_fix_says(case in any_case(), server in any_server(), host in any_host()) {
        let case = match server {
            Some(server) => case.on(server),
            None => Case { server: None, ..case },
        }.with_facts(&host);
        let (fixed, after) = make(&case, Safety::Unsafe);
        let changes = fixed.made.iter().filter_map(|made| made.finding.fix.as_ref()).flat_map(|fix| &fix.changes);
        let mut last = BTreeMap::new();
        for change in changes {
            match change {
                Change::Set { option, value } => last.insert(option.replace('-', "_"), value.clone()),
                // A deprecated option that goes once its value is the default.
                Change::Remove { option } => last.remove(&option.replace('-', "_")),
                _ => None,
            };
        }
        for server in servers(&fixed.report) {
            let now = settings(&after, server);
            for (option, value) in &last {
                let entry = match catalog::resolve(option.as_bytes(), server) {
                    Resolved::Option { id, .. } => catalog::entry(id, server),
                    // `loose_` is for the servers that have it.
                    Resolved::Unknown { prefixes, .. } if prefixes.loose => continue,
                    _ => return Err(TestCaseError::fail(format!("{option} is no option of {server}"))),
                };
                prop_assert!(entry.is_option, "{option} is no option of {server}\n{}", story(&case, &fixed, &after));
                let line = value.as_ref().map_or_else(|| option.clone(), |value| format!("{option} = {value}"));
                let alone = Case::of_file("alone", format!("[mysqld]\n{line}\n").as_bytes());
                let expected = settings(&alone, server).get(entry.variable.name()).cloned().and_then(Outcome::known);
                let found = now.get(entry.variable.name()).cloned().and_then(Outcome::known);
                prop_assert_eq!(found, expected, "{} on {}\n{}", option, server, story(&case, &fixed, &after));
            }
        }
    }

    /// What no edit covers stays byte for byte.
    #[test]
    fn bytes_outside_the_edits_stay(
        pieces in proptest::collection::vec((any::<Vec<u8>>(), any::<Vec<u8>>(), any::<Vec<u8>>()), 0..6),
        rest in any::<Vec<u8>>(),
    ) {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("x", Vec::new()));
        let (mut old, mut new, mut edits) = (Vec::<u8>::new(), Vec::<u8>::new(), Vec::new());
        for (kept, goes, comes) in pieces {
            old.extend(&kept);
            new.extend(&kept);
            let start = old.len() as u32;
            old.extend(&goes);
            new.extend(&comes);
            edits.push(Edit { at: Location { file, span: Span::new(start, old.len() as u32) }, bytes: comes });
        }
        old.extend(&rest);
        new.extend(&rest);
        prop_assert_eq!(edits::apply(&old, &edits.iter().collect::<Vec<_>>()), new);
    }
}
