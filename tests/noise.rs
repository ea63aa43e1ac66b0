//! What real files taught: one fault is told once, and nothing is told where nothing is known.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::facts::FactId;
use cnflint::finding::{Finding, Safety, Severity};
use cnflint::lint::Report;
use cnflint::server::ServerSpec;
use linting::Case;
use std::process::Command;

const HOST: [(&str, &str); 3] = [("host.ram", "16G"), ("host.cpus", "8"), ("disk.kind", "ssd")];

/// What is said of a file on a known host; `None` where nobody says which server it is for.
fn linted(file: &str, server: Option<&str>) -> Report {
    let mut case = Case::of_file("my.cnf", file.as_bytes());
    if let Some(server) = server {
        case = case.on(ServerSpec::parse(server).unwrap());
    }
    for (name, text) in HOST {
        linting::fact(&mut case.facts, FactId::from_name(name).unwrap(), text);
    }
    case.lint()
}

fn findings(report: &Report) -> Vec<&Finding> {
    report.findings.iter().map(|located| &located.finding).collect()
}

fn rules(report: &Report) -> Vec<&str> {
    findings(report).iter().map(|finding| &*finding.rule).collect()
}

#[test]
fn a_file_for_clients_is_not_measured_by_a_servers_defaults() {
    for file in ["[client]\nport = 3307\n", "[mysqldump]\nquick\n", "[client-server]\n!includedir /etc/elsewhere.d/\n"]
    {
        let report = linted(file, Some("mariadb-10.11"));
        assert!(rules(&report).iter().all(|rule| *rule == "include-not-found"), "{file}: {:?}", rules(&report));
    }
    assert!(rules(&linted("[mysqld]\nport = 3307\n", Some("mariadb-10.11"))).contains(&"buffer-pool-too-small"));
}

#[test]
fn includes_that_are_not_here_are_one_finding() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.cnf");
    std::fs::write(&path, "[mysqld]\nport = 3307\n!includedir /etc/no-a.d/\n!includedir /etc/no-b.d/\n").unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cnflint"))
        .args(["--no-detect", "--server", "mysql-8.4", "--format", "json"])
        .arg(&path)
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let found = report["findings"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["rule"], "include-not-found");
    assert_eq!(found[0]["severity"], "advice");
}

#[test]
fn a_templates_control_lines_are_no_options() {
    let file = "{# note = \"a\n # b = 'c\n #}\n[mysqld]\n{% if a | default('x') != \"x\" %}\nport = 3307\n{% endif %}\n\
                {% if a == 'b' or\n      (c == \"d) %}\nskip_name_resolve\n{% endif %}\nsocket = /run/x.sock\n";
    let report = linted(file, Some("mariadb-10.11"));
    let wrong = ["unknown-option", "malformed-line", "option-outside-group"];
    assert!(!rules(&report).iter().any(|rule| wrong.contains(rule)), "{:?}", rules(&report));
}

#[test]
fn what_a_template_may_leave_out_is_no_error_yet() {
    let plain = linted("[mysqld]\nno_such_option = 1\n", Some("mysql-8.4"));
    let steered = linted("[mysqld]\n{% if a %}\nno_such_option = 1\n{% endif %}\n", Some("mysql-8.4"));
    let severity = |report: &Report| findings(report).iter().map(|finding| finding.severity).max();
    assert_eq!((severity(&plain), severity(&steered)), (Some(Severity::Error), Some(Severity::Warning)));
}

#[test]
fn advice_that_depends_on_the_server_waits_until_somebody_says_which() {
    let file = "[mysqld]\nsql_mode = STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION\n";
    let report = linted(file, None);
    assert!(!rules(&report).contains(&"grant-creates-accounts"), "{:?}", rules(&report));
    let waits = report.not_evaluated.iter().find(|entry| entry.rule == "grant-creates-accounts").unwrap();
    assert_eq!(waits.missing[0].flag, Some("--server"));
    assert!(rules(&linted(file, Some("mariadb-10.11"))).contains(&"grant-creates-accounts"));
}

#[test]
fn one_line_that_several_servers_dislike_is_told_once() {
    // MySQL 8.4 raises the value, 9.7 works with it.
    let report = linted("[mysqld]\nthread_stack = 192K\n", None);
    let told = findings(&report).into_iter().filter(|finding| finding.option.as_deref() == Some("thread_stack"));
    assert_eq!(told.count(), 1, "{:?}", rules(&report));
}

#[test]
fn options_that_came_within_a_series_are_one_advice() {
    let file = "[mysqld]\ninnodb_redo_log_capacity = 1G\nauthentication_policy = '*,,'\nreplica_net_timeout = 60\n";
    let report = linted(file, Some("mysql-8.0"));
    let found: Vec<_> = findings(&report).into_iter().filter(|finding| finding.rule == "not-yet-option").collect();
    assert_eq!((found.len(), found[0].severity, found[0].related.len()), (1, Severity::Advice, 2));
    let early = linted(file, Some("mysql-8.0.20"));
    assert_eq!(rules(&early).iter().filter(|rule| **rule == "not-yet-option").count(), 3);
}

#[test]
fn old_names_are_told_and_mended_together() {
    let file = "[mysqld]\nslave_net_timeout = 30\nlog_slave_updates = OFF\nslave_parallel_workers = 8\n";
    let report = linted(file, Some("mysql-8.4"));
    let found: Vec<_> = findings(&report).into_iter().filter(|finding| finding.rule == "deprecated-option").collect();
    let fix = found[0].fix.as_ref().unwrap();
    assert_eq!((found.len(), fix.safety, fix.edits.len()), (1, Safety::Safe, 3), "{fix:?}");
}

#[test]
fn options_of_windows_stop_other_servers_only() {
    let unknown = |file: &str| rules(&linted(file, Some("mysql-8.0.40"))).contains(&"unknown-option");
    assert!(unknown("[mysqld]\nnamed_pipe = ON\n"));
    assert!(!unknown("[mysqld]\ndatadir = \"C:/ProgramData/MySQL/Data\"\nnamed_pipe = ON\n"));
}

#[test]
fn a_fix_names_only_lines_that_are_there() {
    let report = linted("[mysqld]\nskip_ssl\n", Some("mysql-8.0.20"));
    let fix = findings(&report).into_iter().find(|finding| finding.rule == "connections-cannot-be-encrypted");
    assert_eq!(fix.unwrap().fix.as_ref().unwrap().title, "remove `skip_ssl`");
}

#[test]
fn a_cluster_node_taken_for_another_server_is_one_finding() {
    let file = "[mysqld]\nwsrep_provider = /usr/lib/libgalera_smm.so\nwsrep_cluster_name = shop\nwsrep_node_name = a\n";
    let report = linted(file, Some("percona-8.0"));
    let found: Vec<_> = findings(&report).into_iter().filter(|finding| finding.rule == "wrong-flavor-option").collect();
    assert_eq!((found.len(), found[0].severity, found[0].related.len()), (1, Severity::Error, 2));
}
