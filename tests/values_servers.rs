//! Promise 1 for values: what the library makes of a value is what the real server of that version makes of it.
//!
//! `CNFLINT_SERVERS` names the folder with the servers; without them the tests say so and pass, unless
//! `CNFLINT_REQUIRE_SERVERS=1`. `CNFLINT_SEED` repeats a run, `CNFLINT_ALIKE` asks more refused values (1).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot ask has failed")]

mod agreement;
mod servers;

use agreement::comparing::{Extent, compare};

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn agrees(name: &str) {
    let Some(server) = servers::server(name) else { return };
    let taken = number("CNFLINT_VALUES", 3000);
    let extent =
        Extent { seed: number("CNFLINT_SEED", 1) as u64, taken, refused: number("CNFLINT_REFUSED", taken / 20) };
    let agreement = compare(&server, extent);
    let explained: usize = agreement.explained.values().sum();
    let agreed = agreement.asked - explained - agreement.disagreements.len();
    println!(
        "{}: asked {}, agreed {agreed}, explained {explained}, {} options, {} not judged (seed {})",
        server.server, agreement.asked, agreement.options, agreement.unjudged, extent.seed
    );
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
