//! Upgrades, pair by pair, in `fixtures/upgrade/*.toml`: the file before, what the new server says, what cnflint says, and the
//! fixed file, which both servers take. Real servers are asked where both are at hand; a file that rests on documentation says so
//! by `documented`. `CNFLINT_WRITE_UPGRADE=1` writes what came out into the fixtures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;

use cnflint::finding::{Safety, Severity, Side};
use cnflint::fix::{self, Wanted};
use cnflint::lint::{self, Report, ServerSource, Subject, Verdict};
use cnflint::report;
use cnflint::rules::built_in;
use cnflint::server::ServerSpec;
use cnflint::source::{Files as _, MemoryFiles};
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;

const PATH: &str = "/etc/my.cnf";

/// One upgrade, and the files that go through it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Upgrade {
    from: String,
    to: String,
    /// Where it stands that the new server takes or refuses these names, for servers that are not at hand.
    documented: Option<String>,
    pair: Vec<Pair>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    /// The lines of `[mysqld]`.
    before: String,
    /// A part of what the new server says about them; empty where it says nothing.
    #[serde(default)]
    says: String,
    /// Whether the new server starts with them.
    #[serde(default)]
    starts: bool,
    /// What cnflint says of the new server alone: rule and option, errors and warnings.
    #[serde(default)]
    finds: Vec<String>,
    /// The lines with every fix made.
    #[serde(default)]
    after: String,
}

fn upgrades() -> Vec<(std::path::PathBuf, Upgrade)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/upgrade");
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let upgrade = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, upgrade)
    };
    servers::files_below(&directory).into_iter().map(read).collect()
}

fn whole(lines: &str) -> String {
    format!("[mysqld]\n{lines}")
}

fn subject(upgrade: &Upgrade) -> Subject {
    Subject {
        roots: vec![(PATH.into(), None)],
        server: Some((ServerSpec::parse(&upgrade.from).unwrap(), ServerSource::Flag)),
        upgrade_to: Some((ServerSpec::parse(&upgrade.to).unwrap(), ServerSource::Flag)),
        working_directory: "/".into(),
        ..Subject::default()
    }
}

fn linted(upgrade: &Upgrade, lines: &str) -> Report {
    let mut disk = MemoryFiles::default();
    disk.insert(PATH, whole(lines));
    let mut report = Report::default();
    assert!(lint::lint(&disk, subject(upgrade), &[built_in()], &mut report).is_empty());
    report
}

/// What comes with the upgrade, beside defaults and advice.
fn finds(report: &Report) -> Vec<String> {
    let of_new = report.findings.iter().map(|located| &located.finding);
    let of_new = of_new.filter(|finding| finding.side == Side::New && finding.severity > Severity::Advice);
    let mut all: Vec<_> =
        of_new.map(|finding| format!("{} {}", finding.rule, finding.option.as_deref().unwrap_or("-"))).collect();
    all.sort();
    all
}

fn fixed(upgrade: &Upgrade, lines: &str) -> String {
    let mut disk = MemoryFiles::default();
    disk.insert(PATH, whole(lines));
    let fixed = fix::fix(&disk, &subject(upgrade), &[built_in()], Wanted::all(Safety::Unsafe));
    assert!(fixed.stable, "{lines}");
    let bytes = fixed.files.get(Path::new(PATH)).cloned().unwrap_or_else(|| disk.read(Path::new(PATH)).unwrap());
    let text = String::from_utf8(bytes).unwrap();
    text.strip_prefix("[mysqld]\n").unwrap().to_owned()
}

/// What a real server says of these lines.
fn asked(name: &str, lines: &str) -> Option<servers::Verdict> {
    let server = servers::server(name)?;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("my.cnf");
    servers::write(&file, whole(lines).as_bytes());
    Some(server.check(&file))
}

/// The line of a server's log that matters: the first error, or the first warning that names an option of the file.
fn what_matters(verdict: &servers::Verdict, lines: &str) -> String {
    let names: Vec<_> = lines
        .lines()
        .map(|line| line.split('=').next().unwrap().trim().trim_start_matches("loose_").replace('-', "_"))
        .collect();
    let plain = |line: &str| {
        let end = line.rfind("] ").map_or(line, |at| &line[at + 2..]);
        end.rsplit("mariadbd: ").next().unwrap_or(end).rsplit("mysqld: ").next().unwrap_or(end).trim().to_owned()
    };
    let is_about = |line: &&str| {
        let line = line.replace('-', "_");
        names.iter().any(|name| line.contains(name.as_str()))
    };
    let lines = || verdict.messages.lines();
    let error = lines().find(|line| line.contains("[ERROR]") && !line.contains("Aborting"));
    let warning = lines().find(|line| line.contains("[Warning]") && is_about(line));
    error.filter(|_| !verdict.accepted).or(warning).map(plain).unwrap_or_default()
}

#[test]
fn upgrades_go_as_the_servers_say() {
    let writes = std::env::var_os("CNFLINT_WRITE_UPGRADE").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, upgrade) in upgrades() {
        let mut came = Vec::new();
        for pair in &upgrade.pair {
            let report = linted(&upgrade, &pair.before);
            let new = report.targets[0].upgrade.as_ref().unwrap();
            let after = fixed(&upgrade, &pair.before);
            let mut now = Pair {
                before: pair.before.clone(),
                says: pair.says.clone(),
                starts: new.verdict != Verdict::Refuses,
                finds: finds(&report),
                after: after.clone(),
            };
            let what = format!("{} to {}: {}", upgrade.from, upgrade.to, pair.before.trim());
            let mut fault = |text: String| wrong.push(format!("{what}: {text}"));
            if report.targets[0].verdict == Verdict::Refuses {
                fault("the old server is said to refuse it".to_owned());
            }
            let left = linted(&upgrade, &after);
            let target = &left.targets[0];
            if target.verdict == Verdict::Refuses || target.upgrade.as_ref().unwrap().verdict == Verdict::Refuses {
                fault(format!("one of the servers is said to refuse `{after}`"));
            }
            if upgrade.documented.is_none() {
                for (server, lines) in [(&upgrade.from, &pair.before), (&upgrade.from, &after), (&upgrade.to, &after)] {
                    if let Some(verdict) = asked(server, lines).filter(|verdict| !verdict.accepted) {
                        fault(format!("{server} refuses `{lines}`: {}", what_matters(&verdict, lines)));
                    }
                }
                if let Some(verdict) = asked(&upgrade.to, &pair.before) {
                    if verdict.accepted != now.starts {
                        fault(format!("cnflint: {:?}, the server: {}", new.verdict, verdict.messages));
                    }
                    if writes {
                        now.says = what_matters(&verdict, &pair.before);
                    } else if !verdict.messages.contains(&pair.says) {
                        fault(format!("says no `{}` but {}", pair.says, verdict.messages));
                    }
                }
            }
            if !writes && (now.starts, &now.finds, &now.after) != (pair.starts, &pair.finds, &pair.after) {
                fault(format!("starts: {}, finds {:?}, fixed: {}", now.starts, now.finds, now.after));
            }
            came.push(now);
            count += 1;
        }
        if writes {
            std::fs::write(path, written(&upgrade, &came)).unwrap();
        }
    }
    assert!(count >= 100, "{count} pairs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn written(upgrade: &Upgrade, pairs: &[Pair]) -> String {
    let mut text = format!("from = {:?}\nto   = {:?}\n", upgrade.from, upgrade.to);
    if let Some(source) = &upgrade.documented {
        writeln!(text, "documented = {source:?}").unwrap();
    }
    for pair in pairs {
        write!(text, "\n[[pair]]\nbefore = '''\n{}'''\n", pair.before).unwrap();
        if !pair.says.is_empty() {
            writeln!(text, "says   = '''{}'''", pair.says).unwrap();
        }
        if pair.starts {
            text.push_str("starts = true\n");
        }
        if !pair.finds.is_empty() {
            writeln!(text, "finds  = {:?}", pair.finds).unwrap();
        }
        write!(text, "after  = '''\n{}'''\n", pair.after).unwrap();
    }
    text
}

/// The heading says from where to where, and what is the upgrade's says so.
#[test]
fn a_report_tells_the_two_servers_apart() {
    let upgrade = Upgrade { from: "mysql-8.0.43".into(), to: "mysql-8.4".into(), documented: None, pair: Vec::new() };
    let report = linted(&upgrade, "expire_logs_days = 7\nmax_conections = 5\n");
    let mut text = Vec::new();
    report::human::write(&report, &report::human::Look::PLAIN, Default::default(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("server   MySQL 8.0.43 (--server), to become MySQL 8.4.8 (--upgrade-to)\n"), "{text}");
    assert!(text.contains("refuses to start; refuses to start after the upgrade"), "{text}");
    let sides = |rule: &str| -> Vec<_> {
        report.findings.iter().filter(|located| located.finding.rule == rule).map(|found| found.finding.side).collect()
    };
    assert_eq!(sides("removed-option"), [Side::New]);
    assert_eq!(sides("unknown-option"), [Side::Both]);
    // What is only to go is not said beside what is gone.
    assert_eq!(sides("deprecated-option"), []);
    let mut json = Vec::new();
    report::json::write(&report, &mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["targets"][0]["upgrade"]["version"], "8.4.8");
    assert_eq!(json["targets"][0]["upgrade"]["verdict"], "refuses");
    let of_new = json["findings"].as_array().unwrap().iter().filter(|finding| finding["side"] == "new");
    assert!(of_new.clone().any(|finding| finding["option"] == "expire_logs_days"));
}

/// Real files and the samples of the grammar go through upgrades, too: fixes come to an end, and no line that a fix wrote for the one
/// server is one that it takes away for the other.
#[test]
fn fixes_for_two_servers_come_to_an_end() {
    let ways = [
        ("mysql-5.6", "mysql-9.7"),
        ("mysql-8.0", "mariadb-11.8"),
        ("mariadb-10.5", "mysql-9.7"),
        ("mariadb-10.5", "mariadb-11.8"),
    ];
    for case in linting::fixtures() {
        for (from, to) in ways {
            let subject = Subject {
                server: Some((ServerSpec::parse(from).unwrap(), ServerSource::Flag)),
                upgrade_to: Some((ServerSpec::parse(to).unwrap(), ServerSource::Flag)),
                ..case.subject()
            };
            let fixed = fix::fix(&case.disk, &subject, &[built_in()], Wanted::all(Safety::Unsafe));
            let made: Vec<_> = fixed.made.iter().map(|made| (made.round, &made.finding.message)).collect();
            assert!(fixed.stable, "{}: {from} to {to}: {made:#?}", case.name);
        }
    }
}

/// The defaults that change under a file which says nothing, with both values.
#[test]
fn changed_defaults_are_told_with_both_values() {
    let told = |from: &str, to: &str, lines: &str| -> Vec<String> {
        let upgrade = Upgrade { from: from.into(), to: to.into(), documented: None, pair: Vec::new() };
        let report = linted(&upgrade, lines);
        let of_rule = report.findings.iter().filter(|located| located.finding.rule == "changed-default");
        of_rule.map(|located| located.finding.message.clone()).collect()
    };
    let says = |messages: &[String], words: &str| messages.iter().any(|message| message.contains(words));
    let to_mysql = told("mysql-5.6", "mysql-9.7", "port = 3306\n");
    assert!(
        says(&to_mysql, "`sync_binlog`, and its default changes from 0 (MySQL 5.6) to 1 (MySQL 9.7)"),
        "{to_mysql:#?}"
    );
    assert!(says(&to_mysql, "`log_bin`, and its default changes from OFF"), "{to_mysql:#?}");
    assert!(says(&to_mysql, "`character_set_server`, and its default changes from latin1"), "{to_mysql:#?}");
    // What a line says, under whatever name, is not left alone.
    let set = told("mysql-5.6", "mysql-9.7", "sync-binlog = 0\nslave_net_timeout = 30\nlog_warnings = 1\n");
    assert!(!says(&set, "`sync_binlog`") && !says(&set, "net_timeout`"), "{set:#?}");
    let to_mariadb = told("mariadb-10.11", "mariadb-11.8", "port = 3306\n");
    assert!(says(&to_mariadb, "`innodb_snapshot_isolation`, and its default changes from OFF"), "{to_mariadb:#?}");
    let across = told("mysql-8.4", "mariadb-11.8", "port = 3306\n");
    assert!(
        says(&across, "`lock_wait_timeout`, and its default changes from 31536000 (MySQL 8.4) to 86400"),
        "{across:#?}"
    );
    assert!(told("mysql-9.7", "mysql-9.7", "port = 3306\n").is_empty());
}
