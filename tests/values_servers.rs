//! Promise 1 for values: what cnflint makes of a line is what the real server of that version makes of it, for every option of the catalog.
//!
//! The servers lie where `CNFLINT_SERVERS` says; without them the test says so and passes, unless `CNFLINT_REQUIRE_SERVERS=1`.
//! `CNFLINT_VALUES` says how many lines are asked of each server (1500; 10000 for the whole run), `CNFLINT_REFUSED` how many besides that
//! it should refuse, each of which costs a call. `CNFLINT_SEED` repeats a run. `CNFLINT_WRITE_AGREEMENT=1` writes what came out to
//! `docs/agreement-values.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot ask has failed")]
#![allow(dead_code, reason = "each test uses a part of the harness")]

mod agreement;
mod servers;

use agreement::comparing::{Agreement, Extent, compare};
use agreement::standing;
use servers::RealServer;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Asks two servers at a time.
fn ask(servers: &[RealServer], extent: Extent) -> Vec<(&RealServer, Agreement)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(server) = servers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let agreement = compare(server, extent);
                    found.lock().unwrap().push((server, agreement));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(server, _)| servers.iter().position(|other| other.name == server.name));
    found
}

#[test]
fn values_are_what_the_servers_make_of_them() {
    let taken = number("CNFLINT_VALUES", 1500);
    let seed = number("CNFLINT_SEED", 1);
    let extent = Extent { seed: seed as u64, taken, refused: number("CNFLINT_REFUSED", taken / 30) };
    let servers = servers::all();
    let found = ask(&servers, extent);
    for (server, agreement) in &found {
        println!(
            "{}: asked {}, agreed {}, explained {}, {} options, {} not judged (seed {seed})",
            server.server,
            agreement.asked,
            agreement.agreed(),
            agreement.explained(),
            agreement.options,
            agreement.unjudged
        );
    }
    if std::env::var("CNFLINT_WRITE_AGREEMENT").as_deref() == Ok("1") {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agreement-values.md");
        std::fs::write(page, standing::page(&found, seed)).unwrap();
    }
    let open = |(server, agreement): &(&RealServer, Agreement)| {
        (!agreement.disagreements.is_empty())
            .then(|| format!("{}:\n{}", server.server, agreement.disagreements.join("\n")))
    };
    let open: Vec<_> = found.iter().filter_map(open).collect();
    assert!(open.is_empty(), "{}", open.join("\n"));
    assert!(found.iter().all(|(_, agreement)| agreement.asked >= taken), "too few questions were asked");
}
