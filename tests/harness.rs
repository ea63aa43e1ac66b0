//! The servers that tests ask are what they claim to be, and read the groups that `groups_read` says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::optionfile::{GroupSet, any_program_reads, groups_read};
use servers::RealServer;
use std::collections::BTreeSet;

fn on_every_server(test: impl Fn(&RealServer) + Sync) {
    std::thread::scope(|scope| {
        for server in servers::all() {
            let test = &test;
            scope.spawn(move || test(&server));
        }
    });
}

#[test]
fn a_server_starts_answers_and_is_gone_when_dropped() {
    on_every_server(|server| {
        let directory = tempfile::tempdir().unwrap();
        let (data, file) = (directory.path().join("data"), directory.path().join("my.cnf"));
        servers::write(&file, b"[mysqld]\nmax_connections = 77\n");
        server.initialize(&data);
        let running = server.start(&data, Some(&file), &["--innodb-buffer-pool-size=32M"]).unwrap();
        let answer = running.query("SELECT VERSION(), @@max_connections");
        let version = server.server.version.to_string();
        assert!(answer.starts_with(&version) && answer.trim_end().ends_with("\t77"), "{}: {answer}", server.name);
        drop(running);
        let again = server.start(&data, None, &["--no-such-option=1"]);
        assert!(again.err().is_some_and(|log| log.contains("no-such-option")), "{}", server.name);
    });
}

#[test]
fn a_verdict_tells_good_files_from_bad_ones() {
    on_every_server(|server| {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        servers::write(&file, b"[mysqld]\nmax_connections = 77\n");
        let verdict = server.check(&file);
        assert!(verdict.accepted, "{}: {}", server.name, verdict.messages);
        servers::write(&file, b"[mysqld]\nno_such_option = 1\n");
        let verdict = server.check(&file);
        assert!(
            !verdict.accepted && verdict.messages.contains("no_such_option"),
            "{}: {}",
            server.name,
            verdict.messages
        );
    });
}

/// Every group that any server reads, and names that look like one.
fn candidates() -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        ["mysqld-9", "mariadb-10", "mariadbd-10", "mysqld-11", "mysqld1", "mysqld-5.7", "mariadb_safe"]
            .into_iter()
            .map(str::to_owned)
            .collect();
    for server in servers::all() {
        for program in ["mysqld", "mysql", "mysqldump", "mysqld_safe", "mariadb-backup"] {
            names.extend(groups_read(program, server.server).iter().map(str::to_owned));
        }
    }
    names
}

#[test]
fn a_server_reads_the_groups_that_are_recorded_and_no_others() {
    let names = candidates();
    on_every_server(|server| {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        let text: String = names.iter().map(|name| format!("[{name}]\nloose-{name}=1\n")).collect();
        servers::write(&file, text.as_bytes());
        let output = server
            .mysqld()
            .arg(format!("--defaults-file={}", file.display()))
            .arg("--print-defaults")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let read: BTreeSet<_> = printed
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("--loose-")?.strip_suffix("=1").map(str::to_owned))
            .collect();
        let recorded = groups_read("mysqld", server.server);
        let expected: BTreeSet<_> = names.iter().filter(|name| recorded.contains(name.as_bytes())).cloned().collect();
        assert_eq!(read, expected, "{}", server.name);
        assert!(read.iter().all(|name| any_program_reads(name.as_bytes(), server.server)));
        assert_eq!(GroupSet::named(read.iter().map(String::as_str)).iter().count(), read.len());
    });
}
