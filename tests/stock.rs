//! The configuration with which the distribution's packages install a server raises no error and no warning.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::facts::{FactId, FactSource, Facts};
use cnflint::finding::Severity;
use cnflint::lint::{Report, ServerSource, Subject, Verdict, lint};
use cnflint::rules::built_in;
use cnflint::server::ServerSpec;
use cnflint::source::MemoryFiles;
use servers::{Disk, RealServer};
use std::path::Path;

/// The packages' configuration below a server's directory; `get.sh` of before did not unpack it.
fn configuration(server: &RealServer) -> Option<std::path::PathBuf> {
    let file = server.directory().join("etc/mysql/my.cnf");
    if !file.exists() && server.name != "mysql-5.6" {
        let message = format!("{}: no etc/mysql; run tests/servers/get.sh", server.name);
        assert!(std::env::var_os("CNFLINT_REQUIRE_SERVERS").is_none_or(|value| value != "1"), "{message}");
        eprintln!("skipped: {message}");
    }
    file.exists().then_some(file)
}

fn report(server: &RealServer, file: &Path, facts: &[(&str, &str)]) -> Report {
    let mut known = Facts::default();
    for (name, value) in facts {
        let id = FactId::from_name(name).unwrap();
        known.set(id, id.parse(value).unwrap(), FactSource::Flag(id.flag().unwrap()));
    }
    let subject = Subject {
        roots: vec![(file.to_owned(), None)],
        server: Some((ServerSpec::Exact(server.server), ServerSource::Flag)),
        facts: known,
        working_directory: "/".into(),
        include_root: Some(server.directory().to_owned()),
        ..Subject::default()
    };
    let mut report = Report::default();
    let errors = lint(&Disk, subject, &[built_in()], &mut report);
    assert!(errors.is_empty(), "{}: {errors:?}", server.name);
    report
}

/// What stands in a report, one finding a line.
fn findings(report: &Report, least: Severity) -> String {
    let loud = report.findings.iter().filter(|located| located.finding.severity >= least);
    loud.map(|located| {
        let place = located.finding.primary.location;
        let file = report.sources.get(place.file);
        let line = file.line_of(place.span.start);
        format!("{}:{line} {} {}\n", file.path().display(), located.finding.rule, located.finding.message)
    })
    .collect()
}

#[test]
fn what_the_packages_install_starts_and_raises_nothing() {
    let here = [("host.ram", "16G"), ("host.cpus", "4"), ("disk.kind", "ssd")];
    for server in servers::all() {
        let Some(file) = configuration(&server) else { continue };
        for facts in [&[][..], &here] {
            let report = report(&server, &file, facts);
            let loud = findings(&report, Severity::Warning);
            assert!(loud.is_empty(), "{}, with {} facts:\n{loud}", server.name, facts.len());
            assert_eq!(report.targets[0].verdict, Verdict::Starts, "{}", server.name);
            assert!(report.targets[0].files.len() > 2, "{}: the includes were not read", server.name);
        }
    }
}

#[test]
fn a_line_added_to_them_is_seen() {
    for server in servers::all() {
        let Some(file) = configuration(&server) else { continue };
        let mut text = std::fs::read(&file).unwrap();
        text.extend_from_slice(b"\n[mysqld]\nno_such_option = 1\n");
        let copy = tempfile::tempdir().unwrap();
        let file = copy.path().join("my.cnf");
        servers::write(&file, &text);
        let report = report(&server, &file, &[]);
        assert!(findings(&report, Severity::Error).contains("no_such_option"), "{}", server.name);
        assert_eq!(report.targets[0].verdict, Verdict::Refuses, "{}", server.name);
    }
}

/// What the official container images set, by what their makers publish: <https://github.com/docker-library/mysql>,
/// <https://github.com/MariaDB/mariadb-docker>. They are run with limits, and with none known.
const IMAGES: &[(&[&str], &str)] = &[
    (
        &["mysql-8.4.8", "mysql-9.7.4"],
        "[mysqld]\nhost-cache-size=0\nskip-name-resolve\ndatadir=/var/lib/mysql\nsocket=/var/run/mysqld/mysqld.sock\n\
         secure-file-priv=/var/lib/mysql-files\nuser=mysql\npid-file=/var/run/mysqld/mysqld.pid\n\
         [client]\nsocket=/var/run/mysqld/mysqld.sock\n",
    ),
    (
        &["mysql-8.0.36"],
        "[mysqld]\nskip-host-cache\nskip-name-resolve\ndatadir=/var/lib/mysql\nsocket=/var/run/mysqld/mysqld.sock\n\
         secure-file-priv=/var/lib/mysql-files\nuser=mysql\npid-file=/var/run/mysqld/mysqld.pid\n\
         [client]\nsocket=/var/run/mysqld/mysqld.sock\n",
    ),
    (
        &["mariadb-10.6.18", "mariadb-10.11.19", "mariadb-11.4.9", "mariadb-11.8.9"],
        "[mariadb]\nhost-cache-size=0\nskip-name-resolve\n",
    ),
    (
        &["mariadb-10.11.19"],
        "[mariadb]\nhost-cache-size=0\nskip-name-resolve\nexpire_logs_days=10\ncharacter-set-server=utf8mb4\n\
         collation-server=utf8mb4_general_ci\n[client-server]\nsocket=/run/mariadb/mariadb.sock\n",
    ),
    (
        &["mariadb-11.4.9"],
        "[mariadb]\nhost-cache-size=0\nskip-name-resolve\nexpire_logs_days=10\ncharacter-set-server=utf8mb4\n\
         character-set-collations=utf8mb4=uca1400_ai_ci\n[client-server]\nsocket=/run/mariadb/mariadb.sock\n",
    ),
];

#[test]
fn what_the_container_images_set_raises_nothing() {
    for (servers, text) in IMAGES {
        for name in *servers {
            for ram in [None, Some("2G"), Some("64G")] {
                let mut files = MemoryFiles::default();
                files.insert("/etc/my.cnf", *text);
                let mut facts = Facts::default();
                for (id, value) in ram.into_iter().flat_map(|ram| [(FactId::HostRam, ram), (FactId::HostCpus, "4")]) {
                    facts.set(id, id.parse(value).unwrap(), FactSource::Flag(id.flag().unwrap()));
                }
                let subject = Subject {
                    roots: vec![("/etc/my.cnf".into(), None)],
                    server: Some((ServerSpec::parse(name).unwrap(), ServerSource::Flag)),
                    facts,
                    ..Subject::default()
                };
                let mut report = Report::default();
                assert!(lint(&files, subject, &[built_in()], &mut report).is_empty());
                let loud = findings(&report, Severity::Warning);
                assert!(loud.is_empty(), "{name}, {ram:?}: {loud}");
                assert_eq!(report.targets[0].files.len(), 1);
            }
        }
    }
}
