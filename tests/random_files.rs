//! Promise 1 for files that nobody wrote: several groups, an include, duplicates, comments, quotes and garbage, put together at random
//! from what the catalog knows.
//!
//! `CNFLINT_SEED` repeats a run, `CNFLINT_FILES` says how many files each server is asked about. A file about which cnflint and the server
//! differ is printed as short as it can be made; it belongs into `fixtures/agreement/`, which `tests/verdicts.rs` asks about.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses a part of the harness")]

mod agreement;
mod servers;
mod whole_files;

use agreement::choosing::{Manner, manner, options};
use agreement::expecting::Expected;
use agreement::explained::is_special;
use agreement::spellings::{Dice, lines};
use cnflint::catalog::Entry;
use cnflint::checks::Reaction;
use cnflint::server::Server;
use cnflint::value::Judgement;
use servers::RealServer;
use std::path::Path;
use whole_files::differences;

const GROUPS: [&str; 10] = [
    "mysqld",
    "mysqld",
    "server",
    "mariadb",
    "mariadbd",
    "client",
    "mysqld-9.7",
    "mysqld-5.6",
    "mariadb-10.11",
    "mysqld_safe",
];

/// Lines that are no plain options: comments, quotes, blanks, lines that mean something else than they look.
const ODD: [&str; 14] = [
    "# a comment",
    "; another",
    "",
    "   ",
    "max_allowed_packet = 16M # behind a value",
    "init_connect = \"SET NAMES 'utf8mb4'\"",
    "  sort_buffer_size   =   2M  ",
    "wait_timeout=60\r",
    "join_buffer_size = \"1M\"",
    "no_such_option_at_all = 1",
    "loose-no_such_option_at_all = 1",
    "max_connections 100",
    "= 5",
    "[mysqld] # again",
];

/// One random option file.
fn random_file(server: Server, known: &[Entry], dice: &mut Dice) -> Vec<String> {
    let mut file = Vec::new();
    // Most files of people have no fault at all.
    let odds = [0, 0, 8, 30][dice.below(4)];
    for _ in 0..1 + dice.below(3) {
        file.push(format!("[{}]", GROUPS[dice.below(GROUPS.len())]));
        for _ in 0..2 + dice.below(12) {
            if dice.below(5) == 0 {
                let odd = ODD[dice.below(if odds == 0 { 9 } else { ODD.len() })];
                file.push(odd.to_owned());
                continue;
            }
            let entry = &known[dice.below(known.len())];
            let all = lines(entry, server, dice);
            let line = all[dice.below(all.len())].clone();
            let expected = Expected::of(server, &line);
            let special = expected.option().is_some_and(|id| is_special(id.name()) || manner(id).0 != Manner::Together);
            let refused = expected.reaction == Reaction::Refuses;
            // Behind `loose-` MariaDB calls a bad value an error and starts all the same.
            let excused = expected.reading.as_ref().is_some_and(|reading| is_excused(reading.judgement));
            if expected.is_judged() && !special && !excused && (!refused || dice.below(100) < odds) {
                file.push(line);
            }
        }
    }
    if dice.below(3) == 0 {
        file.push("!include empty.cnf".to_owned());
    }
    file
}

const fn is_excused(judgement: Judgement) -> bool {
    matches!(judgement, Judgement::Refused { fatal: false, .. })
}

/// What cnflint and the server differ in over a file.
fn differ(server: &RealServer, file: &[String], directory: &Path) -> Vec<String> {
    let path = directory.join("my.cnf");
    servers::write(
        &path,
        format!("{}\n", file.join("\n").replace("empty.cnf", &directory.join("empty.cnf").display().to_string()))
            .as_bytes(),
    );
    let found = differences(server, "random", &path);
    found
        .iter()
        .filter(|found| whole_files::explained::explanation(found).is_none() && !is_special(&found.option))
        .map(ToString::to_string)
        .collect()
}

/// Takes lines out as long as there is a difference.
fn shortest(server: &RealServer, mut file: Vec<String>, directory: &Path) -> Vec<String> {
    let mut at = file.len();
    while at > 0 {
        at -= 1;
        let mut shorter = file.clone();
        shorter.remove(at);
        if !differ(server, &shorter, directory).is_empty() {
            file = shorter;
        }
    }
    file
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_files_fare_as_cnflint_says() {
    let (seed, files) = (number("CNFLINT_SEED", 1), number("CNFLINT_FILES", 12));
    let directory = tempfile::tempdir().unwrap();
    servers::write(&directory.path().join("empty.cnf"), b"");
    let mut wrong = Vec::new();
    for server in servers::all() {
        let mut dice = Dice::new(seed);
        let known = options(server.server);
        for _ in 0..files {
            let file = random_file(server.server, &known, &mut dice);
            if !differ(&server, &file, directory.path()).is_empty() {
                let file = shortest(&server, file, directory.path());
                let differences = differ(&server, &file, directory.path());
                wrong.push(format!("{}\n--- {}", differences.join("\n"), file.join("\n    ")));
            }
        }
        println!("{}: {files} files (seed {seed})", server.server);
    }
    assert!(wrong.is_empty(), "seed {seed}, {} files differ:\n{}", wrong.len(), wrong.join("\n"));
}
