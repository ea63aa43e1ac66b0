//! The program as a shell sees it: exit status, standard output, standard error.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::io::Read;
use std::process::{Command, Output, Stdio};

fn cnflint(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.args(arguments).env_remove("CI").env_remove("CLICOLOR_FORCE").env("LANG", "C.UTF-8");
    command
}

fn run(arguments: &[&str]) -> Output {
    cnflint(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn facts_are_printed_as_a_file_that_reads_back() {
    let given =
        ["facts", "--no-detect", "--ram", "16G", "--disk-endurance", "12.25P", "--disk-fill", "75%", "--shared"];
    let printed = run(&given).stdout;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("facts.toml");
    std::fs::write(&file, &printed).unwrap();
    let again = run(&["facts", "--no-detect", "--facts", file.to_str().unwrap()]);
    assert!(again.status.success());
    let values = |toml: &[u8]| toml::from_str::<toml::Table>(&text(toml)).unwrap();
    assert_eq!(values(&again.stdout), values(&printed));
    assert_eq!(values(&printed)["host"]["ram"].as_str(), Some("16G"));
}

#[test]
fn a_mistake_in_a_facts_file_is_shown_where_it_stands() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("facts.toml");
    std::fs::write(&file, "[host]\nrma = \"16G\"\n").unwrap();
    let output = run(&["facts", "--no-detect", "--facts", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let complaint = text(&output.stderr);
    assert!(complaint.contains("facts.toml:2:1") && complaint.contains("host.ram"), "{complaint}");
}

#[test]
fn bad_usage_exits_with_2_and_names_the_flag() {
    let output = run(&["--ram", "lots", "my.cnf"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--ram"));
    let output = run(&["--no-such-flag"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_teaches_examples_and_exit_status() {
    for arguments in [&["--help"][..], &["check", "--help"]] {
        let output = run(arguments);
        assert!(output.status.success());
        let help = text(&output.stdout);
        for taught in ["Examples:", "--server mariadb-10.11", "--snapshot -", "--as /etc/mysql/conf.d", "Exit status:"]
        {
            assert!(help.contains(taught), "{arguments:?} does not show {taught}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let mut child = cnflint(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(complaint, "");
}

#[test]
fn a_directory_is_told_server_by_server_and_counted_together() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["a.cnf", "b.cnf", "c.cnf"] {
        std::fs::write(directory.path().join(name), "[mysqld]\nno_such_option = 1\n").unwrap();
    }
    let path = directory.path().to_str().unwrap();
    let output = run(&[path, "--server", "mysql-8.4", "--require", "ram"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("error[unknown-option]").count(), 3, "{text}");
    assert!(text.contains("3 errors in 3 servers"), "{text}");
    assert_eq!(output.status.code(), Some(2), "the fact is missing, which weighs more than the findings");
    assert!(String::from_utf8_lossy(&output.stderr).contains("required, but not known: --ram"));
}

/// What is said about an option file, and the exit status.
fn said(file: &str, flags: &[&str]) -> (String, Option<i32>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.cnf");
    std::fs::write(&path, file).unwrap();
    let output = cnflint(&[&[path.to_str().unwrap()], flags].concat()).output().unwrap();
    (text(&output.stdout) + &text(&output.stderr), output.status.code())
}

#[test]
fn without_a_server_the_run_says_what_it_assumed_and_is_red_only_when_all_would_refuse() {
    let (report, status) = said("[mysqld]\nquery_cache_size = 64M\n", &[]);
    assert!(report.starts_with("server   MySQL") && report.contains("assumed"), "{report}");
    assert!(report.contains("warning[removed-option]"), "MariaDB still takes it\n{report}");
    assert_eq!(status, Some(0), "{report}");
    let (report, status) = said("[mysqld]\ninnodb_additional_mem_pool_size = 8M\n", &[]);
    assert!(report.contains("error[removed-option]"), "no maintained server takes it\n{report}");
    assert_eq!(status, Some(1), "{report}");
}

#[test]
fn a_server_beyond_the_catalog_is_said_to_be() {
    for (server, expected) in [
        ("mysql-26.7", "MySQL 26.7.0, known as of 9.7.4 (--server)"),
        ("mariadb-12.3.2", "MariaDB 12.3.2, known as of 11.8.9 (--server)"),
        ("mariadb-11.8.9", "MariaDB 11.8.9 (--server)"),
    ] {
        let (text, code) = said("[mysqld]\nmax_connections = 200\n", &["--server", server]);
        assert!(text.contains(expected), "{text}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn what_only_one_family_ever_had_tells_the_server_and_an_old_dummy_does_not() {
    let implied = |option: &str| said(&format!("[mysqld]\n{option}\n"), &[]).0.lines().next().unwrap().to_owned();
    assert!(implied("aria_pagecache_buffer_size = 64M").ends_with("(implied by aria_pagecache_buffer_size)"));
    assert!(implied("log_error_verbosity = 2").ends_with("(implied by log_error_verbosity)"));
    // Only MySQL had it so, but MariaDB takes it for the beginning of `ignore_db_dirs`.
    assert!(!implied("ignore-db-dir = lost+found").contains("implied"));
    // MySQL 5.0 had it, which MariaDB alone remembers.
    assert!(implied("skip-bdb").contains("assumed"));
}

#[test]
fn many_defaults_that_change_are_one_entry() {
    let upgrade = ["--server", "mysql-5.6", "--upgrade-to", "mysql-9.7"];
    let (report, _) = said("[mysqld]\nport = 3306\n", &upgrade);
    assert_eq!(report.matches("advice[changed-default]").count(), 1, "{report}");
    assert!(report.contains("\n  - `sync_binlog` changes from 0 to 1: "), "{report}");
    let (verbose, _) = said("[mysqld]\nport = 3306\n", &[&upgrade[..], &["--verbose"]].concat());
    assert!(verbose.matches("advice[changed-default]").count() > 20, "{verbose}");
}

#[test]
fn a_missing_fact_is_counted_with_its_flag_and_can_be_required() {
    let file = "[mysqld]\ninnodb_io_capacity_max = 20000\n";
    let (report, status) = said(file, &["--server", "mysql-8.0.36"]);
    assert!(
        report.contains(" more rules wait for facts, such as --ram 64G --cpus 16 (does it fit the memory?)"),
        "{report}"
    );
    assert_eq!(status, Some(0), "{report}");
    let (report, _) = said(file, &["--server", "mysql-8.0.36", "--verbose"]);
    assert!(report.contains("io-capacity-exceeds-disk"), "{report}");
    let (report, status) = said(file, &["--server", "mysql-8.0.36", "--require", "disk"]);
    assert!(report.contains("required, but not known: --disk"), "{report}");
    assert_eq!(status, Some(2));
}

#[test]
fn the_snapshot_of_a_server_with_its_defaults_raises_nothing() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/snapshots");
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let disabled = path.to_str().unwrap().contains("redo-log-disabled");
        let output = run(&["--snapshot", path.to_str().unwrap(), "--format", "short"]);
        let found = text(&output.stdout);
        assert_eq!(found.contains("error[redo-log-disabled]"), disabled, "{}: {found}", path.display());
        // This server was started with an init_connect, and without the directory that a package names for files.
        let meant = ["[statements-at-each-connect]", "[file-access-unrestricted]"];
        let is_meant = |line: &str| line.is_empty() || meant.iter().any(|rule| line.contains(rule));
        assert!(disabled || found.lines().all(is_meant), "{}: {found}", path.display());
    }
}

#[test]
fn a_misspelt_word_is_helped() {
    for (arguments, help) in [
        (&["--sevrer", "mysql-8.4", "my.cnf"][..], "--server"),
        (&["explain", "innodb_log_file_szie"], "did you mean `innodb_log_file_size`?"),
        (&["explain", "redo-log-to-small"], "did you mean `redo-log-too-small`?"),
        (&["explan", "binlog-off"], "did you mean the command `cnflint explain`?"),
        (&["--ignore", "binlog-of", "my.cnf"], "did you mean `binlog-off`?"),
    ] {
        let output = run(arguments);
        let complaint = text(&output.stderr);
        assert!(!output.status.success() && complaint.contains(help), "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_option_knows_the_rules_that_read_it_through_a_model() {
    let page = text(&run(&["explain", "innodb_redo_log_capacity"]).stdout);
    assert!(page.contains("redo-log-smaller-than-load"), "{page}");
    let table = text(&run(&["explain", "buffer-pool-too-large"]).stdout);
    assert!(table.contains("machine") && table.contains("container") && table.contains("shared"), "{table}");
}
