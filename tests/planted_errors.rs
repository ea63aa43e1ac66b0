//! The harness has teeth: an error planted in what the catalog says is caught by asking the server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses a part of the harness")]

mod agreement;
mod servers;

use agreement::comparing::{Asking, Question};
use agreement::expecting::{Expected, reread};
use cnflint::server::{Flavor, Server};
use servers::RealServer;

/// Asks about a line whose foretelling was tampered with, and says what the server did instead.
fn caught(server: &RealServer, line: &str, tamper: impl Fn(&mut Expected)) -> Option<String> {
    let mut question = Question::new(server.server, line.to_owned());
    let asking = Asking::new(server);
    let honest = asking.alone(&question);
    assert!(honest.is_none(), "{}: {line}: {honest:?}", server.name);
    tamper(&mut question.expected);
    asking.alone(&question).map(|difference| difference.what)
}

#[test]
fn a_wrong_bound_is_caught() {
    for server in servers::all() {
        let found = caught(&server, "max_connect_errors=0", |expected| {
            reread(expected, server.server, b"0", |shape| shape.min = Some(0));
        });
        assert_eq!(found.as_deref(), Some("became 1"), "{}", server.name);
    }
}

#[test]
fn a_wrong_word_is_caught() {
    for server in servers::all() {
        let found = caught(&server, "concurrent_insert=ALWAYZ", |expected| {
            reread(expected, server.server, b"ALWAYZ", |shape| shape.words = "NEVER,AUTO,ALWAYZ");
        });
        assert_eq!(found.as_deref(), Some("refused"), "{}", server.name);
    }
}

/// As if `innodb_log_file_size` and `query_cache_size` had never been removed.
#[test]
fn a_wrong_removal_is_caught() {
    let Some(server) = servers::server("mysql-9.7") else { return };
    for (line, older) in [
        ("innodb_log_file_size=64M", Server::new(Flavor::Mysql, 8, 0, 28)),
        ("query_cache_size=1M", Server::new(Flavor::Mysql, 5, 7, 44)),
    ] {
        let found = caught(&server, line, |expected| *expected = Expected::of(older, line));
        assert_eq!(found.as_deref(), Some("refused"), "{line}");
    }
}
