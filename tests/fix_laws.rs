//! Promise 3: apply every fix and look again: the rules are quiet, nothing new appears, a second fix changes nothing. On the files
//! of the fixtures, the examples of all rules and files made of random lines, for any host and the servers of every series.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::catalog::{self, OptionId, Resolved};
use cnflint::edits;
use cnflint::facts::{FactId, FactType, Facts};
use cnflint::finding::{Change, Edit, Safety};
use cnflint::fix::{self, Fixed, Wanted};
use cnflint::lint::Report;
use cnflint::rules;
use cnflint::server::{SERIES, Server, ServerSpec, Version};
use cnflint::source::{Files as _, Location, SourceFile, Sources, Span};
use cnflint::suppress::suppress;
use cnflint::value::{Outcome, Unit};
use linting::{Case, examples, fact, fixtures, newly_set, said, servers, settings, topic};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    // A fix is made to one server's files.
    let alone = examples().map(|(_, _, case)| case).filter(|case| case.cluster.is_none());
    alone.chain(fixtures()).collect()
});

/// A series, a release in it, or nobody says which server.
fn any_server() -> impl Strategy<Value = Option<ServerSpec>> {
    let series = select(SERIES.iter().map(|series| Some(ServerSpec::Series(*series))).collect::<Vec<_>>());
    let exact = (select(SERIES), any::<u16>()).prop_map(|(series, patch)| {
        let patch = series.first.patch + patch % (series.last.patch - series.first.patch + 1);
        let version = Version { patch, ..series.first };
        Some(ServerSpec::Exact(Server { flavor: series.flavor, version }))
    });
    prop_oneof![4 => series, 4 => exact, 1 => Just(None)]
}

/// A host and a workload; every fact may be missing.
fn any_host() -> impl Strategy<Value = Facts> {
    let sizes = ["1M", "512M", "1G", "3G", "16G", "64G", "1T"];
    let texts = |id: FactId| -> Vec<&'static str> {
        match id {
            FactId::HostRam => vec!["512M", "1G", "2G", "4G", "8G", "16G", "64G", "256G", "1T"],
            FactId::HostCpus => vec!["1", "2", "4", "16", "96"],
            FactId::DiskCapacity => vec!["50G", "1.6T", "7.68T"],
            FactId::DiskEndurance => vec!["100T", "1P", "12.25P"],
            FactId::DiskFill => vec!["5%", "75%", "98%"],
            FactId::DiskLifetime => vec!["1y", "5y"],
            FactId::WorkloadRedoFactor => vec!["1", "1.2", "3"],
            FactId::WorkloadRedoRate | FactId::WorkloadWriteRate => vec!["100K", "5M", "200M"],
            _ => match id.fact_type() {
                FactType::Number(Unit::Count | Unit::Seconds) => vec!["1", "3000", "5000000"],
                FactType::Number(_) => sizes.to_vec(),
                FactType::Word(words) => words.to_vec(),
                FactType::AnyWord => vec!["ext4", "xfs", "zfs", "nfs4"],
                FactType::Boolean => vec!["ON", "OFF"],
            },
        }
    };
    let some = move |id: FactId| {
        let texts = texts(id);
        (0..texts.len() * 2).prop_map(move |at| texts.get(at).map(|text| (id, *text)))
    };
    FactId::ALL.iter().copied().map(some).collect::<Vec<_>>().prop_map(|known| {
        let mut facts = Facts::default();
        known.into_iter().flatten().for_each(|(id, text)| fact(&mut facts, id, text));
        facts
    })
}

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

fn make(case: &Case, allowed: Safety) -> (Fixed, Case) {
    let leave_out = |report: &mut Report| suppress(report, &[rules::built_in()]);
    let wanted = Wanted { leave_out: &leave_out, ..Wanted::all(allowed) };
    let fixed = fix::fix(&case.disk, &case.subject(), &[rules::built_in()], wanted);
    let mut after = case.clone();
    for (path, bytes) in &fixed.files {
        after = after.with_file(path, bytes.clone());
    }
    (fixed, after)
}

/// What failures show.
fn story(case: &Case, fixed: &Fixed, after: &Case) -> String {
    let text = |case: &Case| {
        let files = case.roots.iter().filter_map(|path| case.disk.read(path).ok());
        files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect::<String>()
    };
    let made: Vec<_> = fixed
        .made
        .iter()
        .map(|made| {
            format!("{} {}: {:?}", made.round, made.finding.rule, made.finding.fix.as_ref().map(|fix| &fix.changes))
        })
        .collect();
    let server = case.server.map_or("assumed".to_owned(), |server| server.to_string());
    let says = |located: &cnflint::lint::Located| {
        let fix = located.finding.fix.as_ref().map(|fix| (fix.safety, fix.edits.len(), fix.title.clone()));
        format!("{}: {} {fix:?}", located.finding.rule, located.finding.message)
    };
    let left: Vec<_> = fixed.report.findings.iter().map(says).collect();
    let (before, now) = (text(case), text(after));
    format!(
        "{} on {server}\n{before}\n--- made\n{}\n--- after\n{now}\n--- left\n{}",
        case.name,
        made.join("\n"),
        left.join("\n")
    )
}

/// Fixes that let the server read lines which it did not read before; what these say is no fault of the fix.
const REVEALING: [&str; 6] = [
    "byte-order-mark",
    "include-not-found",
    "malformed-group",
    "option-outside-group",
    "unknown-option",
    "unread-group",
];

/// Promise 3 for one configuration.
fn fixed_for_good(case: &Case) -> Result<(), TestCaseError> {
    let before = case.lint();
    let (fixed, after) = make(case, Safety::Unsafe);
    let told = || story(case, &fixed, &after);
    prop_assert!(fixed.stable, "not stable\n{}", told());
    let again = after.lint();
    prop_assert!(outside_of_edits_stays(case, &fixed, &after), "bytes that no fix is about have changed\n{}", told());

    // An option that told which server is meant may be what had to go.
    prop_assume!(servers(&before) == servers(&again));
    prop_assert_eq!(said(&again), said(&fixed.report), "the last look is a look at the result\n{}", told());
    let still = said(&again);
    for made in &fixed.made {
        let topic = topic(&made.finding, &servers(&again));
        // Another line of the same setting may be one for a person.
        let same = |located: &&cnflint::lint::Located| linting::topic(&located.finding, &servers(&before)) == topic;
        let only = !topic.1.is_empty() && before.findings.iter().filter(same).count() == 1;
        prop_assert!(!only || !still.contains(&topic), "{topic:?} is still said\n{}", told());
    }
    let known = said(&before);
    let reveals = fixed.made.iter().any(|made| REVEALING.contains(&&*made.finding.rule));
    let fixes = fixed.made.iter().filter_map(|made| made.finding.fix.as_ref());
    let revealed = newly_set(case, &after, &servers(&before), fixes);
    for (rule, option) in still.difference(&known) {
        let read = again.findings.iter().filter(|located| located.finding.rule == *rule);
        let mut read = read.flat_map(|located| &located.finding.evidence).map(|evidence| evidence.name);
        // A rule with a condition is about the whole; where it points may change.
        let is_check = rules::built_in().find(rule).is_none_or(|rule| rule.check().is_some());
        if !is_check && known.iter().any(|(other, _)| other == rule) {
            continue;
        }
        let is_revealed = revealed.contains(option)
            || read.any(|name| revealed.contains(name))
            || reveals && (option.is_empty() || is_check);
        prop_assert!(is_revealed, "{rule} {option} is new\n{}", told());
    }

    let (second, _) = make(&after, Safety::Unsafe);
    prop_assert!(second.files.is_empty(), "a second fix changes something\n{}", told());
    Ok(())
}

/// Whether what stands between the places of the fixes is still there, in order.
fn outside_of_edits_stays(case: &Case, fixed: &Fixed, after: &Case) -> bool {
    fixed.files.keys().all(|path| {
        let (old, new) = (case.disk.read(path).unwrap(), after.disk.read(path).unwrap());
        let mut places: Vec<_> = fixed
            .made
            .iter()
            .flat_map(|made| &made.places)
            .filter(|(place, _)| place == path)
            .map(|(_, at)| *at)
            .collect();
        places.sort();
        let (mut done, mut kept) = (0, Vec::new());
        for at in places {
            kept.push(Span::new(done.min(at.start), at.start).of(&old));
            done = done.max(at.end);
        }
        let tail = Span::new(done, old.len() as u32).of(&old);
        let Some(mut rest) = new.strip_prefix(kept[0]).and_then(|rest| rest.strip_suffix(tail)) else { return false };
        kept[1..].iter().filter(|piece| !piece.is_empty()).all(|piece| {
            let found = rest.windows(piece.len()).position(|window| window == *piece);
            found.is_some_and(|at| {
                rest = &rest[at + piece.len()..];
                true
            })
        })
    })
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
            fixed_for_good(&case).unwrap_or_else(|error| panic!("{} on {server}: {error}", case.name));
        }
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// The same cases in every run; others, and as many as wanted, with `PROPTEST_CASES=5000`.
fn config() -> ProptestConfig {
    let chosen = std::env::var_os("PROPTEST_CASES").is_some();
    let rng_seed = if chosen { RngSeed::Random } else { RngSeed::Fixed(3) };
    ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn fixes_silence_their_rules_and_bring_nothing_new(case in any_case(), server in any_server(), host in any_host()) {
        let case = match server {
            Some(server) => case.on(server),
            None => Case { server: None, ..case },
        }.with_facts(&host);
        fixed_for_good(&case)?;
    }

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
                Change::Set { option, value } => last.insert(option.clone(), value.clone()),
                // A deprecated option that goes once its value is the default.
                Change::Remove { option } => last.remove(option),
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
