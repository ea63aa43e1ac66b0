//! Reports made by hand for the tests of the formats.

use crate::facts::{FactId, FactSource, Facts};
use crate::finding::{Change, Edit, Evidence, Finding, Fix, Label, Safety, Severity};
use crate::lint::{Choice, Located, Missing, MissingKind, NotEvaluated, Report, ServerSource, Target, Verdict};
use crate::server::{Flavor, Server};
use crate::source::{FileId, Location, SourceFile, Span};
use crate::value::{Unit, Value};
use std::io;

/// What a format writes, as text.
pub fn written(write: impl Fn(&Report, &mut dyn io::Write) -> io::Result<()>, report: &Report) -> String {
    let mut bytes = Vec::new();
    write(report, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Where a text stands in a file of the report.
pub fn place(report: &Report, file: FileId, text: &str) -> Location {
    let source = report.sources.get(file);
    let at = source.bytes().windows(text.len()).position(|window| window == text.as_bytes()).unwrap() as u32;
    Location { file, span: Span::new(at, at + text.len() as u32) }
}

fn label(report: &Report, file: FileId, at: &str, text: &str) -> Label {
    Label { location: place(report, file, at), text: text.to_owned() }
}

fn finding(rule: &'static str, severity: Severity, message: &str, why: &'static str, primary: Label) -> Finding {
    Finding {
        rule: rule.into(),
        severity,
        message: message.to_owned(),
        why: why.into(),
        primary,
        related: Vec::new(),
        evidence: Vec::new(),
        fix: None,
        option: None,
        value: None,
        side: Default::default(),
    }
}

fn add(report: &mut Report, findings: impl IntoIterator<Item = Finding>) {
    report.findings.extend(findings.into_iter().map(|finding| Located { target: report.targets.len() - 1, finding }));
}

/// A server that was filled and never put back: two errors, two warnings, one piece of advice.
pub fn import_settings() -> Report {
    let mut report = Report::default();
    let text = "[mysqld]\ninnodb_buffer_pool_size = 12G\nskip_innodb_doublewrite\n\
                innodb_flush_log_at_trx_commit = 2\ndisable_log_bin\ninnodb_flush_method = O_DIRECT_NO_FSYNC\n";
    let file = report.sources.add(SourceFile::new("import.cnf", text.as_bytes().to_vec()));
    let mut facts = Facts::default();
    facts.set(FactId::HostRam, Value::Integer(16 << 30), FactSource::Flag("--ram"));
    facts.set(FactId::HostCpus, Value::Integer(4), FactSource::Flag("--cpus"));
    facts.set(FactId::DiskKind, Value::Word("ssd".into()), FactSource::Flag("--disk"));
    report.targets.push(Target {
        files: vec![file],
        servers: vec![Server::new(Flavor::Mysql, 8, 0, 28)],
        server_title: "mysql-8.0.28".to_owned(),
        server_source: ServerSource::Flag,
        choice: Choice::Exact,
        facts,
        verdict: Verdict::Starts,
        fragment: false,
        verdicts: vec![Verdict::Starts],
        upgrade: None,
        carried: None,
        member: None,
    });
    let doublewrite = finding(
        "doublewrite-off",
        Severity::Error,
        "a page that a crash leaves half written cannot be repaired",
        "InnoDB writes each page twice, so that recovery finds a whole copy of a page that was torn by a crash. Without \
         the copy the table that holds the page is lost.",
        label(&report, file, "skip_innodb_doublewrite", "the doublewrite buffer is off"),
    );
    let mut left_on = finding(
        "import-settings-left-on",
        Severity::Error,
        "settings for an import are in force, and the server is not importing",
        "Each of them trades safety for the speed of one load.",
        label(&report, file, "skip_innodb_doublewrite", "torn pages are lost"),
    );
    left_on.related = vec![
        label(&report, file, "innodb_flush_log_at_trx_commit = 2", "a second of commits is lost"),
        label(&report, file, "disable_log_bin", "no binary log"),
    ];
    left_on.fix = Some(Fix {
        safety: Safety::Unsafe,
        title: "put the settings for production back".to_owned(),
        changes: vec![
            Change::Remove { option: "skip_innodb_doublewrite".to_owned() },
            Change::Set { option: "innodb_flush_log_at_trx_commit".to_owned(), value: Some("1".to_owned()) },
            Change::Remove { option: "disable_log_bin".to_owned() },
        ],
        dynamic: Some(false),
        statements: Vec::new(),
        edits: Vec::new(),
    });
    let mut relaxed = finding(
        "relaxed-commit-durability",
        Severity::Warning,
        "a power cut loses about a second of committed transactions",
        "",
        label(&report, file, "innodb_flush_log_at_trx_commit = 2", ""),
    );
    relaxed.fix = Some(Fix {
        safety: Safety::Unsafe,
        title: "flush the redo log at every commit".to_owned(),
        changes: vec![Change::Set { option: "innodb_flush_log_at_trx_commit".to_owned(), value: Some("1".to_owned()) }],
        dynamic: Some(true),
        statements: vec!["SET GLOBAL innodb_flush_log_at_trx_commit = 1;".to_owned()],
        edits: Vec::new(),
    });
    let binlog = finding(
        "binlog-off",
        Severity::Warning,
        "without a binary log there is no recovery to a point in time",
        "",
        label(&report, file, "disable_log_bin", ""),
    );
    let flush = finding(
        "flush-without-fsync",
        Severity::Advice,
        "O_DIRECT_NO_FSYNC trusts the disk to keep metadata",
        "",
        label(&report, file, "innodb_flush_method = O_DIRECT_NO_FSYNC", ""),
    );
    add(&mut report, [doublewrite, left_on, relaxed, binlog, flush]);
    report.suppressed = 1;
    report.not_evaluated = ["io-capacity-wears-ssd", "redo-log-smaller-than-load"]
        .into_iter()
        .zip(["--disk-endurance", "--load-size"])
        .map(|(rule, flag)| NotEvaluated {
            rule: rule.into(),
            target: 0,
            missing: vec![Missing { name: flag.to_owned(), kind: MissingKind::Fact, flag: Some(flag) }],
        })
        .collect();
    report
}

/// A redo log that is too small, with its arithmetic and an edit, on both ends of a series, in two files.
pub fn redo_log() -> Report {
    let mut report = Report::default();
    let main = report.sources.add(SourceFile::new("my.cnf", b"[mysqld]\n!includedir conf.d\n".to_vec()));
    let text = b"[mysqld]\n# gr\xf6\xdfer machen\ninnodb_log_file_size\t= 512M\n".to_vec();
    let file = report.sources.add(SourceFile::new("conf.d/redo.cnf", text));
    let mut facts = Facts::default();
    facts.set(FactId::WorkloadLoadSize, Value::Integer(1 << 30), FactSource::Flag("--load-size"));
    report.targets.push(Target {
        files: vec![main, file],
        servers: vec![Server::new(Flavor::Mariadb, 10, 11, 2), Server::new(Flavor::Mariadb, 10, 11, 19)],
        server_title: "mariadb-10.11 (10.11.2 to 10.11.19)".to_owned(),
        server_source: ServerSource::Implied("[mariadb-10.11]".to_owned()),
        choice: Choice::Exact,
        facts,
        verdict: Verdict::Starts,
        fragment: false,
        verdicts: vec![Verdict::Starts],
        upgrade: None,
        carried: None,
        member: None,
    });
    let mut found = finding(
        "redo-log-smaller-than-load",
        Severity::Warning,
        "414 MiB of redo can be used before writes stall; the load writes 1.2 GiB",
        "A load that outgrows the redo log waits for page flushing.",
        label(&report, file, "innodb_log_file_size\t= 512M", "the redo log's size"),
    );
    found.related = vec![label(&report, main, "!includedir conf.d", "read from here")];
    found.option = Some("innodb_log_file_size".into());
    found.value = Some(Value::Integer(512 << 20));
    found.evidence = vec![
        Evidence {
            name: "redo.usable",
            value: Value::Integer(434_147_697),
            unit: Unit::Bytes,
            source: "computed".to_owned(),
        },
        Evidence {
            name: "workload.load_size",
            value: Value::Integer(1 << 30),
            unit: Unit::Bytes,
            source: "--load-size".to_owned(),
        },
    ];
    found.fix = Some(Fix {
        safety: Safety::Unsafe,
        title: "make the redo log 1486M".to_owned(),
        changes: vec![Change::Set { option: "innodb_log_file_size".to_owned(), value: Some("1486M".to_owned()) }],
        dynamic: Some(false),
        statements: Vec::new(),
        edits: vec![Edit { at: place(&report, file, "512M"), bytes: b"1486M".to_vec() }],
    });
    add(&mut report, [found]);
    report.not_evaluated = vec![NotEvaluated {
        rule: "memory-overcommit".into(),
        target: 0,
        missing: vec![Missing { name: "host.ram".to_owned(), kind: MissingKind::Fact, flag: Some("--ram") }],
    }];
    report
}

/// The password in [`planted_secret`].
pub const PLANTED: &str = "hunter2-xyzzy";

/// A file with a password in every place where a report might copy it from.
pub fn planted_secret() -> Report {
    let mut report = Report::default();
    let line = format!("pasword = {PLANTED}");
    let text = format!("[client]\n{line}\n[mysqld]\nport = 3306\n");
    let file = report.sources.add(SourceFile::new("my.cnf", text.into_bytes()));
    report.secrets.push(place(&report, file, PLANTED));
    report.targets.push(Target {
        files: vec![file],
        servers: vec![Server::new(Flavor::Mysql, 9, 7, 4)],
        server_title: "mysql-9.7.4".to_owned(),
        server_source: ServerSource::Flag,
        choice: Choice::Exact,
        facts: Facts::default(),
        verdict: Verdict::Refuses,
        fragment: false,
        verdicts: vec![Verdict::Refuses],
        upgrade: None,
        carried: None,
        member: None,
    });
    let mut found = finding(
        "unknown-option",
        Severity::Error,
        &format!("no program knows `pasword`, set to `{PLANTED}`"),
        "",
        label(&report, file, &line, &format!("the value is {PLANTED}.")),
    );
    found.related = vec![label(&report, file, PLANTED, "")];
    found.value = Some(Value::Text(PLANTED.as_bytes().into()));
    found.evidence = vec![Evidence {
        name: "password",
        value: Value::Text(PLANTED.as_bytes().into()),
        unit: Unit::Count,
        source: format!("\"{PLANTED}\" in the file"),
    }];
    let at = place(&report, file, &line);
    found.fix = Some(Fix {
        safety: Safety::Safe,
        title: format!("write password = {PLANTED}"),
        changes: vec![
            Change::Respell { at, text: format!("password = {PLANTED}") },
            Change::Set { option: "password".to_owned(), value: Some(PLANTED.to_owned()) },
        ],
        dynamic: Some(true),
        statements: vec![format!("SET GLOBAL password = '{PLANTED}';")],
        edits: vec![Edit { at, bytes: format!("password = {PLANTED}").into_bytes() }],
    });
    add(&mut report, [found]);
    report
}

#[test]
fn no_format_shows_a_secret() {
    let report = planted_secret();
    assert!(written(super::json::write, &report).contains("***"));
    let human = |width, verbose| {
        let look = super::human::Look { width, ..super::human::Look::PLAIN };
        let shows = super::human::Shows { verbose, quiet: false };
        written(|report, out| super::human::write(report, &look, shows, out), &report)
    };
    let all = [
        written(super::short::write, &report),
        written(super::github::write, &report),
        written(super::json::write, &report),
        written(|report, out| super::sarif::write(report, &|_| None, "/srv".as_ref(), out), &report),
        written(|report, out| super::gitlab::write(report, "/srv".as_ref(), out), &report),
        written(|report, out| super::junit::write(report, "/srv".as_ref(), out), &report),
        written(|report, out| super::markdown::write(report, "/srv".as_ref(), out), &report),
        human(100, false),
        human(30, true),
    ];
    for text in all {
        assert!(!text.contains(PLANTED) && !text.contains("hunter2") && !text.contains("xyzzy"), "{text}");
    }
}
