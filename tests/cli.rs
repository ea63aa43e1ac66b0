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
