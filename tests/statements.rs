//! A fix's statements, made on real servers: they are taken, and the variable is then what the fix says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;

use cnflint::finding::{Finding, Fix};
use cnflint::server::ServerSpec;
use linting::{Case, examples};
use servers::{RealServer, Running};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Every fix of every example that this server's flavor and version has, once for each set of statements.
fn fixes(real: &RealServer) -> BTreeMap<Vec<String>, (String, Fix)> {
    let mut fixes = BTreeMap::new();
    for (_, _, case) in examples() {
        let case = Case { peers: Vec::new(), cluster: None, ..case.on(ServerSpec::Exact(real.server)) };
        for located in case.lint().findings {
            let Some(fix) = located.finding.fix.filter(|fix| !fix.statements.is_empty()) else { continue };
            let name = format!("{} in {}", located.finding.rule, case.name);
            fixes.entry(fix.statements.clone()).or_insert((name, fix));
        }
    }
    fixes
}

/// `SET GLOBAL x = 1;` as `x` and `1`.
fn parts(statement: &str) -> Option<(&str, &str)> {
    let rest = statement.strip_prefix("SET GLOBAL ").or_else(|| statement.strip_prefix("SET PERSIST "))?;
    rest.strip_suffix(';')?.split_once(" = ")
}

/// What only a server that is set up for it takes. Here a stock one is asked.
const NOT_SET_UP: [&str; 5] = [
    "Unknown storage engine 'ROCKSDB'",
    "Unknown system variable 'group_replication_",
    "check if keyring is loaded",
    "WSREP (galera) not started",
    // Where it was on at the start it can be turned off.
    "Query cache is disabled; restart the server with query_cache_type=1 to enable it",
];

/// Memory and disk that this test leaves alone.
const TOO_LARGE: i128 = 1 << 30;

fn is_too_large(statement: &str) -> bool {
    parts(statement).and_then(|(_, value)| value.parse::<i128>().ok()).is_some_and(|value| {
        let name = parts(statement).unwrap().0;
        value > TOO_LARGE && (name.ends_with("_size") || name.ends_with("_capacity"))
    })
}

/// The server shows a switch as a number, and words in its own case.
fn is_alike(wanted: &str, shown: &str) -> bool {
    let numbers = || wanted.parse::<f64>().ok().zip(shown.parse::<f64>().ok());
    matches!((wanted, shown), ("ON", "1") | ("OFF", "0"))
        || wanted.eq_ignore_ascii_case(shown)
        || numbers().is_some_and(|(wanted, shown)| wanted == shown)
}

/// The error of the statements, or what a variable is after them and is not meant to be.
fn differences(running: &Running, statements: &[String]) -> Option<String> {
    if statements.iter().any(|statement| statement.contains(" innodb_io_capacity ")) {
        // As where the file that is fixed was read: it sets more, and the maximum goes with it.
        running.query("SET GLOBAL innodb_io_capacity_max = 1000000");
    }
    let made = running.client(&["-BN"], &statements.join("\n"));
    if !made.status.success() {
        return Some(String::from_utf8_lossy(&made.stderr).trim().to_owned());
    }
    for (name, value) in statements.iter().filter_map(|statement| parts(statement)) {
        let wanted = value.trim_matches('\'').replace("''", "'").replace("\\\\", "\\");
        // A buffer pool is resized in the background.
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let shown = running.query(&format!("SELECT @@GLOBAL.{name}"));
            let shown = shown.trim_end_matches('\n');
            if is_alike(&wanted, shown) {
                break;
            }
            if Instant::now() > deadline {
                return Some(format!("{name} is {shown}"));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    None
}

#[test]
fn servers_take_the_statements_of_fixes() {
    let mut failures = String::new();
    for real in servers::all() {
        let fixes = fixes(&real);
        let home = tempfile::tempdir().unwrap();
        let datadir = home.path().join("data");
        real.initialize(&datadir);
        let running = real.start(&datadir, None, &[]).unwrap();
        let (mut made, mut not_set_up, mut too_large) = (0, 0, 0);
        for (lines, (name, _)) in &fixes {
            if lines.iter().any(|line| is_too_large(line)) {
                too_large += 1;
                continue;
            }
            match differences(&running, lines) {
                None => made += 1,
                Some(error) if NOT_SET_UP.iter().any(|known| error.contains(known)) => not_set_up += 1,
                Some(difference) => {
                    let _ = writeln!(failures, "{}: {name}: {lines:?}: {difference}", real.name);
                }
            }
        }
        println!(
            "{}: of {} fixes {made} made, {not_set_up} for what is not set up here, {too_large} for more than 1G",
            real.name,
            fixes.len()
        );
        assert!(made > 20, "{}: too few were made", real.name);
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The statements of the fix for a relaxed commit.
fn of_commit(case: &Case) -> Vec<String> {
    let of_commit = |finding: &Finding| finding.rule == "relaxed-commit-durability";
    let findings = case.lint().findings.into_iter().map(|located| located.finding);
    findings.filter(of_commit).filter_map(|finding| finding.fix).flat_map(|fix| fix.statements).collect()
}

#[test]
fn a_persisted_value_is_reset_and_where_there_is_no_file_it_is_persisted() {
    let Some(real) = servers::server("mysql-9.7") else { return };
    let home = tempfile::tempdir().unwrap();
    let datadir = home.path().join("data");
    real.initialize(&datadir);
    let running = real.start(&datadir, None, &[]).unwrap();
    let persisted = || std::fs::read_to_string(datadir.join("mysqld-auto.cnf")).unwrap();
    let value = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit";
    let server = ServerSpec::Exact(real.server);

    running.query("SET PERSIST innodb_flush_log_at_trx_commit = 2");
    let file = b"[mysqld]\ninnodb_flush_log_at_trx_commit = 0\n";
    let case = Case { persisted: Some(persisted()), ..Case::of_file("persisted", file).on(server) };
    let statements = of_commit(&case);
    let expected = ["RESET PERSIST innodb_flush_log_at_trx_commit;", "SET GLOBAL innodb_flush_log_at_trx_commit = 1;"];
    assert_eq!(statements, expected);
    running.query(&statements.join(" "));
    assert_eq!(running.query(value).trim(), "1");
    assert!(!persisted().contains("innodb_flush_log_at_trx_commit"), "{}", persisted());

    running.query("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    let snapshot =
        running.client(&["-B"], "SHOW GLOBAL VARIABLES; SELECT * FROM performance_schema.variables_info").stdout;
    let case = Case {
        roots: Vec::new(),
        snapshot: Some(String::from_utf8_lossy(&snapshot).into_owned()),
        ..Case::of_file("alone", b"").on(server)
    };
    let statements = of_commit(&case);
    assert_eq!(statements, ["SET PERSIST innodb_flush_log_at_trx_commit = 1;"]);
    running.query(&statements.join(" "));
    assert_eq!(running.query(value).trim(), "1");
    assert!(persisted().contains("innodb_flush_log_at_trx_commit"), "{}", persisted());
}
