//! Option files beside snapshots of real servers: the next restart changes what somebody changed, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;

use cnflint::finding::{Finding, Severity};
use cnflint::lint::Verdict;
use cnflint::server::ServerSpec;
use linting::{Case, EXAMPLE_PATH};
use servers::{RealServer, Running};
use std::fmt::Write as _;
use std::path::Path;

/// Values that servers round, spell anew or show in another way.
const MANY: &str = "[mysqld]
max_connections = 77
innodb_buffer_pool_size = 200M
key_buffer_size = 10000001
max_allowed_packet = 1500000
net_buffer_length = 10000
tmp_table_size = 20M
max_heap_table_size = 20000000
sort_buffer_size = 3M
sql_mode = TRADITIONAL
long_query_time = 0.5
slow_query_log = 1
innodb_flush_log_at_trx_commit = 2
sync_binlog = 0
skip-name-resolve
character_set_server = latin1
default_storage_engine = innodb
optimizer_switch = mrr=off,index_merge=off
innodb_io_capacity = 400
innodb_max_dirty_pages_pct = 60
innodb_flush_method = O_DIRECT
innodb_lock_wait_timeout = 20
table_open_cache = 500
table_definition_cache = 600
thread_cache_size = 12
wait_timeout = 600
event_scheduler = ON
local_infile = 0
lower_case_table_names = 1
transaction_isolation = READ-COMMITTED
innodb_stats_on_metadata = OFF
explicit_defaults_for_timestamp = ON
group_concat_max_len = 2000
read_only = OFF
back_log = 90
";

/// The forms in which a client may print it: without origins, and with them.
fn snapshots(real: &RealServer, running: &Running) -> Vec<String> {
    let printed = |sql: &str| {
        let output = running.client(&["-B"], sql);
        assert!(output.status.success(), "{}: {sql}: {}", real.name, String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let plain = printed("SHOW GLOBAL VARIABLES");
    match real.name {
        "mysql-5.6" => vec![plain],
        "mysql-9.7" => {
            let origins = printed("SELECT * FROM performance_schema.variables_info");
            vec![format!("{plain}{origins}"), plain]
        }
        _ => vec![printed("SELECT * FROM information_schema.SYSTEM_VARIABLES"), plain],
    }
}

fn case(real: &RealServer, file: &str, snapshot: &str, persisted: Option<String>) -> Case {
    Case {
        snapshot: Some(snapshot.to_owned()),
        persisted,
        ..Case::of_file(real.name, file.as_bytes()).on(ServerSpec::Exact(real.server))
    }
}

/// What is said about the next restart.
fn pending(case: &Case) -> Vec<Finding> {
    let findings = case.lint().findings.into_iter().map(|located| located.finding);
    findings.filter(|finding| finding.rule == "pending-at-restart").collect()
}

fn started(real: &RealServer, home: &Path, file: &str) -> Running {
    let datadir = home.join("data");
    if !datadir.exists() {
        real.initialize(&datadir);
    }
    let path = home.join("my.cnf");
    servers::write(&path, file.as_bytes());
    real.start(&datadir, Some(&path), &[]).unwrap_or_else(|log| panic!("{}: {log}", real.name))
}

/// The file of a server in a directory of the test, as if it stood where the example's does.
fn as_printed(snapshot: &str, home: &Path) -> String {
    snapshot.replace(home.join("my.cnf").to_str().unwrap(), EXAMPLE_PATH)
}

#[test]
fn a_restart_without_changes_changes_nothing() {
    let mut failures = String::new();
    for real in servers::all() {
        // MySQL 8 and later want the same as when the directory was made.
        let many =
            if real.name == "mysql-9.7" { MANY.replace("lower_case_table_names = 1\n", "") } else { MANY.to_owned() };
        for file in [many.as_str(), "[mysqld]\n"] {
            let home = tempfile::tempdir().unwrap();
            let running = started(&real, home.path(), file);
            for snapshot in snapshots(&real, &running) {
                for finding in pending(&case(&real, file, &as_printed(&snapshot, home.path()), None)) {
                    let _ = writeln!(failures, "{}: {}", real.name, finding.message);
                }
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn what_was_set_is_lost_and_what_was_edited_comes() {
    for real in servers::all() {
        let home = tempfile::tempdir().unwrap();
        let before = "[mysqld]\nmax_connections = 77\nsort_buffer_size = 1M\ninnodb_lock_wait_timeout = 20\n";
        let running = started(&real, home.path(), before);
        running
            .query("SET GLOBAL max_connections = 90; SET GLOBAL read_only = ON; SET GLOBAL sort_buffer_size = 2097152");
        let after = before.replace("timeout = 20", "timeout = 30");
        let mut with_origins = real.name != "mysql-5.6";
        for snapshot in snapshots(&real, &running) {
            let case = case(&real, &after, &as_printed(&snapshot, home.path()), None);
            assert_eq!(case.lint().targets[0].verdict, Verdict::Starts, "{}", real.name);
            let found = pending(&case);
            let mut said: Vec<_> =
                found.iter().map(|finding| (finding.option.as_deref().unwrap(), finding.severity)).collect();
            said.sort();
            // On MySQL 9.7 it may have been SET PERSIST.
            let lost = if with_origins && real.name != "mysql-9.7" { Severity::Warning } else { Severity::Advice };
            let expected = [
                ("innodb_lock_wait_timeout", Severity::Advice),
                ("max_connections", lost),
                ("read_only", lost),
                ("sort_buffer_size", lost),
            ];
            assert_eq!(said, expected, "{}", real.name);
            let message = |option: &str| &found.iter().find(|f| f.option.as_deref() == Some(option)).unwrap().message;
            assert!(message("max_connections").contains("is 90"), "{}", message("max_connections"));
            assert!(message("max_connections").contains("the file says 77"), "{}", message("max_connections"));
            assert!(message("read_only").contains("the default is OFF"), "{}", message("read_only"));
            assert_eq!(message("max_connections").contains("by a SET since the start"), with_origins, "{}", real.name);
            with_origins = false;
        }
        // The server agrees: started again with the file as it is now, it has what was said.
        drop(running);
        let running = started(&real, home.path(), &after);
        let now = "SELECT @@GLOBAL.max_connections, @@GLOBAL.read_only, @@GLOBAL.innodb_lock_wait_timeout";
        assert_eq!(running.query(now).trim(), "77\t0\t30", "{}", real.name);
    }
}

#[test]
fn what_set_persist_wrote_stays() {
    let Some(real) = servers::server("mysql-9.7") else { return };
    let home = tempfile::tempdir().unwrap();
    let file = "[mysqld]\nmax_connections = 77\n";
    let running = started(&real, home.path(), file);
    running.query("SET PERSIST max_connections = 90; SET GLOBAL wait_timeout = 100");
    let snapshot = as_printed(&snapshots(&real, &running)[0], home.path());
    let persisted = std::fs::read_to_string(home.path().join("data/mysqld-auto.cnf")).unwrap();
    let found = pending(&case(&real, file, &snapshot, Some(persisted)));
    let said: Vec<_> = found.iter().map(|finding| (finding.option.as_deref(), finding.severity)).collect();
    assert_eq!(said, [(Some("wait_timeout"), Severity::Warning)]);
}

#[test]
fn a_file_that_stops_the_next_start_says_so() {
    for real in servers::all() {
        let home = tempfile::tempdir().unwrap();
        let running = started(&real, home.path(), "[mysqld]\nmax_connections = 77\n");
        let snapshot = snapshots(&real, &running).remove(0);
        drop(running);
        let edited = "[mysqld]\nmax_connections = 77\nmax_conections = 90\n";
        let report = case(&real, edited, &snapshot, None).lint();
        assert_eq!(report.targets[0].verdict, Verdict::Refuses, "{}", real.name);
        let path = home.path().join("my.cnf");
        servers::write(&path, edited.as_bytes());
        assert!(real.start(&home.path().join("data"), Some(&path), &[]).is_err(), "{}", real.name);
    }
}
