//! A fix's statements, made on real servers: they are taken, and the variable is then what the fix says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;
mod servers;

use cnflint::finding::Fix;
use cnflint::server::ServerSpec;
use linting::{Case, examples};
use servers::{RealServer, Running};
use std::collections::BTreeMap;
use std::fmt::Write as _;

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

/// What the variable is called and shown as, when the statements are made, against what they say.
fn differences(running: &Running, statements: &[String]) -> Option<String> {
    let made = running.client(&["-BN"], &statements.join("\n"));
    if !made.status.success() {
        return Some(String::from_utf8_lossy(&made.stderr).trim().to_owned());
    }
    for (name, value) in statements.iter().filter_map(|statement| parts(statement)) {
        // Words are compared by what the server makes of the literal: `ON` and 1 are the same.
        let shown = running.query(&format!("SELECT @@GLOBAL.{name}"));
        let shown = shown.trim_end_matches('\n');
        let wanted = value.trim_matches('\'').replace("''", "'").replace("\\\\", "\\");
        let alike = match (&*wanted, shown) {
            ("ON", "1") | ("OFF", "0") => true,
            (wanted, shown) => {
                let numbers = wanted.parse::<f64>().ok().zip(shown.parse::<f64>().ok());
                wanted.eq_ignore_ascii_case(shown) || numbers.is_some_and(|(wanted, shown)| wanted == shown)
            }
        };
        if !alike {
            return Some(format!("{name} is {shown}"));
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
        let mut statements = 0;
        for (lines, (name, _)) in &fixes {
            statements += lines.len();
            if let Some(difference) = differences(&running, lines) {
                let _ = writeln!(failures, "{}: {name}: {lines:?}: {difference}", real.name);
            }
        }
        println!("{}: {} fixes, {statements} statements", real.name, fixes.len());
    }
    assert!(failures.is_empty(), "\n{failures}");
}
