//! What the clients of real servers print is linted alone: defaults and read-only names raise nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::finding::Severity;
use cnflint::lint::{Report, ServerSource, Subject, lint};
use cnflint::rules::built_in;
use cnflint::server::Flavor;
use servers::{Disk, RealServer, Running};
use std::path::Path;

/// Lints what the clients printed, alone. The snapshot says which server it is.
fn report(server: &RealServer, printed: Vec<Vec<u8>>) -> Report {
    let snapshots = printed.into_iter().enumerate().map(|(n, bytes)| (format!("printed-{n}.txt").into(), bytes));
    let subject = Subject { snapshots: snapshots.collect(), ..Subject::default() };
    let mut report = Report::default();
    let errors = lint(&Disk, subject, &[built_in()], &mut report);
    assert!(errors.is_empty(), "{}: {errors:?}", server.name);
    assert_eq!(report.targets[0].server_source, ServerSource::Snapshot, "{}", server.name);
    assert_eq!(report.targets[0].servers, [server.server], "{}", server.name);
    report
}

/// Rule and message of everything that is at least a warning.
fn loud(report: &Report) -> Vec<String> {
    let findings = report.findings.iter().map(|located| &located.finding);
    let loud = findings.filter(|finding| finding.severity >= Severity::Warning);
    loud.map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

fn started(server: &RealServer, directory: &Path, options: &[&str]) -> Running {
    let data = directory.join("data");
    server.initialize(&data);
    // The script that starts MySQL leaves files open to SQL, which is a finding.
    let closed: &[&str] = if server.server.at_least(8, 0, 0) && server.server.flavor != Flavor::Mariadb {
        &["--secure-file-priv=NULL"]
    } else {
        &[]
    };
    server.start(&data, None, &[closed, options].concat()).unwrap_or_else(|log| panic!("{}: {log}", server.name))
}

fn printed(running: &Running, arguments: &[&str], sql: &str) -> Vec<u8> {
    let output = running.client(arguments, sql);
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Where each value came from, where the server tells it.
fn with_origins(server: &RealServer) -> Option<&'static str> {
    match server.server.flavor {
        Flavor::Mariadb => Some(
            "SELECT VARIABLE_NAME, GLOBAL_VALUE, GLOBAL_VALUE_ORIGIN, GLOBAL_VALUE_PATH FROM information_schema.SYSTEM_VARIABLES",
        ),
        _ if server.server.at_least(8, 0, 0) => Some(
            "SELECT VARIABLE_NAME, VARIABLE_VALUE, VARIABLE_SOURCE, VARIABLE_PATH FROM performance_schema.variables_info \
             JOIN performance_schema.global_variables USING (VARIABLE_NAME)",
        ),
        _ => None,
    }
}

#[test]
fn a_server_with_its_defaults_raises_nothing() {
    std::thread::scope(|scope| {
        for server in servers::all() {
            scope.spawn(move || {
                let directory = tempfile::tempdir().unwrap();
                let running = started(&server, directory.path(), &[]);
                let variables = "SHOW GLOBAL VARIABLES";
                let mut forms = vec![
                    (vec![printed(&running, &["-B"], variables)], "tabs"),
                    (vec![printed(&running, &["-t"], variables)], "table"),
                    (vec![printed(&running, &["-E"], variables)], "vertical"),
                    (
                        vec![printed(&running, &["-B"], variables), printed(&running, &["-B"], "SHOW GLOBAL STATUS")],
                        "with status",
                    ),
                ];
                if let Some(sql) = with_origins(&server) {
                    forms.push((vec![printed(&running, &["-B"], sql)], "with origins"));
                }
                drop(running);
                for (bytes, form) in forms {
                    let report = report(&server, bytes);
                    let loud = loud(&report);
                    assert!(loud.is_empty(), "{}, {form}: {loud:#?}", server.name);
                }
            });
        }
    });
}

#[test]
fn what_somebody_set_is_seen() {
    for server in servers::all() {
        let directory = tempfile::tempdir().unwrap();
        let running = started(&server, directory.path(), &["--innodb-flush-log-at-trx-commit=2"]);
        let rule = "relaxed-commit-durability";
        if let Some(sql) = with_origins(&server) {
            let loud = loud(&report(&server, vec![printed(&running, &["-B"], sql)]));
            assert!(loud.iter().any(|line| line.starts_with(rule)), "{}: {loud:?}", server.name);
        }
        // Who set a value, this statement does not tell.
        let report = report(&server, vec![printed(&running, &["-B"], "SHOW GLOBAL VARIABLES")]);
        assert!(loud(&report).is_empty(), "{}: {:?}", server.name, loud(&report));
        assert!(report.not_evaluated.iter().any(|missing| missing.rule == rule), "{}", server.name);
    }
}

#[test]
fn a_disabled_redo_log_is_an_error() {
    let Some(server) = servers::server("mysql-9.7") else { return };
    let directory = tempfile::tempdir().unwrap();
    let running = started(&server, directory.path(), &[]);
    let told = |running: &Running| {
        vec![
            printed(running, &["-B"], "SHOW GLOBAL VARIABLES"),
            printed(running, &["-B"], "SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled'"),
        ]
    };
    let says = |report: &Report| {
        let disabled = |located: &&cnflint::lint::Located| located.finding.rule == "redo-log-disabled";
        report.findings.iter().find(disabled).map(|located| located.finding.severity)
    };
    assert_eq!(says(&report(&server, told(&running))), None);
    running.query("ALTER INSTANCE DISABLE INNODB REDO_LOG");
    assert_eq!(says(&report(&server, told(&running))), Some(Severity::Error));
}
