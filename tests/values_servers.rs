//! Promise 1 for values: what the library makes of a value is what the real server of that version makes of it.
//!
//! `CNFLINT_SERVERS` names the folder with the servers; without them the tests say so and pass, unless
//! `CNFLINT_REQUIRE_SERVERS=1`. `CNFLINT_SEED` repeats a run, `CNFLINT_ALIKE` asks more refused values (1).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot ask has failed")]

mod agreement;

use agreement::asking::RealServer;
use agreement::{comparing, options};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn agrees(name: &str) {
    let Some(server) = RealServer::find(name) else {
        assert!(std::env::var("CNFLINT_REQUIRE_SERVERS").as_deref() != Ok("1"), "{name} is not in CNFLINT_SERVERS");
        println!("skipped: {name} is not in CNFLINT_SERVERS");
        return;
    };
    let seed = number("CNFLINT_SEED", 1);
    let alike = number("CNFLINT_ALIKE", 1) as usize;
    let agreement = comparing::compare(&server, &options::of_server(name), seed, alike);
    let agreed = agreement.asked - agreement.disagreements.len();
    println!("{}: asked {}, agreed {agreed} (seed {seed})", server.server, agreement.asked);
    assert!(agreement.asked > 500, "only {} questions were asked", agreement.asked);
    assert!(agreement.disagreements.is_empty(), "{name}:\n{}", agreement.disagreements.join("\n"));
}

#[test]
fn mysql_9_7_agrees() {
    agrees("mysql-9.7");
}

#[test]
fn mysql_5_6_agrees() {
    agrees("mysql-5.6");
}

#[test]
fn mariadb_10_5_agrees() {
    agrees("mariadb-10.5");
}

#[test]
fn mariadb_10_11_agrees() {
    agrees("mariadb-10.11");
}

#[test]
fn mariadb_11_8_agrees() {
    agrees("mariadb-11.8");
}
