//! A fix's statements, made on real servers: they are taken, and the variable is then what the fix says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;

use cnflint::finding::Finding;
use cnflint::server::{Server, ServerSpec};
use cnflint::value::{Outcome, Value};
use linting::{Case, examples, settings, variable_name};
use servers::{RealServer, Running};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A fix whose statements are to be made.
struct Proposed {
    name: String,
    statements: Vec<String>,
    /// The values that the files give to the variables of the statements, as options for the start.
    before: BTreeMap<String, String>,
}

/// Every fix of every example that this server's flavor and version has, once for each set of statements.
fn fixes(real: &RealServer) -> Vec<Proposed> {
    let mut fixes = BTreeMap::new();
    for (_, _, case) in examples() {
        let case = Case { peers: Vec::new(), cluster: None, ..case.on(ServerSpec::Exact(real.server)) };
        for located in case.lint().findings {
            let Some(fix) = located.finding.fix.filter(|fix| !fix.statements.is_empty()) else { continue };
            let name = format!("{} in {}", located.finding.rule, case.name);
            let before = before(&case, real.server, &fix.statements);
            fixes.entry(fix.statements.clone()).or_insert(Proposed { name, statements: fix.statements, before });
        }
    }
    fixes.into_values().collect()
}

fn before(case: &Case, server: Server, statements: &[String]) -> BTreeMap<String, String> {
    let settings = settings(case, server);
    let variables = statements.iter().filter_map(|statement| parts(statement)).map(|(name, _)| name);
    let mut before = BTreeMap::new();
    // The server lowers what is above its maximum, so that one comes along.
    let io = variables.clone().any(|name| name == "innodb_io_capacity").then_some("innodb_io_capacity_max");
    for name in variables.chain(io) {
        let set = match settings.get(variable_name(name, &[server]).as_str()) {
            Some(Outcome::Known(Value::Integer(number))) => number.to_string(),
            Some(Outcome::Known(Value::Real(number))) => number.to_string(),
            Some(Outcome::Known(Value::Word(word) | Value::Set(word))) => word.to_string(),
            Some(Outcome::Known(Value::Text(text))) => String::from_utf8_lossy(text).into_owned(),
            _ => continue,
        };
        if !is_large(name, &set) && !name.starts_with("group_replication_") {
            before.insert(name.to_owned(), set);
        }
    }
    before
}

/// Fixes that go into one start of a server: what they set does not meet.
fn batches(fixes: Vec<Proposed>) -> Vec<Vec<Proposed>> {
    let names = |fix: &Proposed| -> BTreeSet<String> {
        let set = fix.statements.iter().filter_map(|statement| parts(statement)).map(|(name, _)| name.to_owned());
        set.chain(fix.before.keys().cloned()).collect()
    };
    let mut batches: Vec<(BTreeSet<String>, Vec<Proposed>)> = Vec::new();
    for fix in fixes {
        let names = names(&fix);
        match batches.iter_mut().find(|(taken, _)| taken.is_disjoint(&names)) {
            Some((taken, batch)) => {
                taken.extend(names);
                batch.push(fix);
            }
            None => batches.push((names, vec![fix])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
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
    parts(statement).is_some_and(|(name, value)| is_large(name, value))
}

/// MariaDB 10.5.23 without a provider waits for its appliers without end.
fn waits_for_cluster(statement: &str) -> bool {
    parts(statement).is_some_and(|(name, _)| name.starts_with("wsrep_"))
}

fn is_large(name: &str, value: &str) -> bool {
    value.parse::<i128>().is_ok_and(|value| value > TOO_LARGE)
        && (name.ends_with("_size") || name.ends_with("_capacity"))
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

/// MariaDB goes on without `InnoDB` where a value stops that.
fn with_innodb(running: Running) -> Result<Running, String> {
    let engines = "SELECT support FROM information_schema.engines WHERE engine = 'InnoDB'";
    let support = running.query(engines);
    if ["YES", "DEFAULT"].contains(&support.trim()) { Ok(running) } else { Err("ERROR: it runs without InnoDB".into()) }
}

/// What became of fixes on one server.
#[derive(Default)]
struct Tally {
    made: usize,
    from_what_files_say: usize,
    not_set_up: usize,
    not_started: usize,
    failures: String,
}

impl Tally {
    /// Starts the server as the files of these fixes have it and makes them; where it does not start, each half alone.
    fn make(&mut self, real: &RealServer, pristine: &Path, batch: &[Proposed]) {
        let before: BTreeSet<String> =
            batch.iter().flat_map(|fix| &fix.before).map(|(name, value)| format!("--{name}={value}")).collect();
        let options: Vec<&str> = before.iter().map(String::as_str).collect();
        // A server that ran without its log or its doublewrite buffer may leave what no other start can read.
        let home = tempfile::tempdir().unwrap();
        let datadir = home.path().join("data");
        assert!(Command::new("cp").arg("-a").args([pristine, &datadir]).status().unwrap().success());
        let running = match real.start(&datadir, None, &options).and_then(with_innodb) {
            Ok(running) => running,
            Err(error) if batch.len() == 1 => {
                let error = error.lines().filter(|line| line.contains("ERROR")).collect::<Vec<_>>().join("\n");
                println!("{}: {} does not start with {options:?}: {error}", real.name, batch[0].name);
                self.not_started += 1;
                return;
            }
            Err(_) => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.make(real, pristine, first);
                return self.make(real, pristine, second);
            }
        };
        for Proposed { name, statements, before } in batch {
            match differences(&running, statements) {
                None => {
                    self.made += 1;
                    self.from_what_files_say += usize::from(!before.is_empty());
                }
                Some(error) if NOT_SET_UP.iter().any(|known| error.contains(known)) => self.not_set_up += 1,
                Some(difference) => {
                    let _ = writeln!(self.failures, "{}: {name}: {before:?}: {statements:?}: {difference}", real.name);
                }
            }
        }
    }
}

#[test]
fn servers_take_the_statements_of_fixes() {
    let mut failures = String::new();
    for real in servers::all() {
        let home = tempfile::tempdir().unwrap();
        let pristine = home.path().join("data");
        real.initialize(&pristine);
        let (too_large, fixes): (Vec<_>, Vec<_>) =
            fixes(&real).into_iter().partition(|fix| fix.statements.iter().any(|line| is_too_large(line)));
        let (of_cluster, fixes): (Vec<_>, Vec<_>) =
            fixes.into_iter().partition(|fix| fix.statements.iter().any(|line| waits_for_cluster(line)));
        let mut tally = Tally { not_set_up: of_cluster.len(), ..Tally::default() };
        let of = fixes.len();
        let batches = batches(fixes);
        for batch in &batches {
            tally.make(&real, &pristine, batch);
        }
        println!(
            "{}: of {of} fixes {} made, {} of them from what the files say, in {} batches; {} for what is not set up here, \
             {} on a server that does not start, {} more for more than 1G",
            real.name,
            tally.made,
            tally.from_what_files_say,
            batches.len(),
            tally.not_set_up,
            tally.not_started,
            too_large.len()
        );
        failures += &tally.failures;
        assert!(tally.from_what_files_say > 20, "{}: too few were made", real.name);
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
