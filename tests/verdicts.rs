//! Promise 1 for whole files: cnflint's verdict on an option file is the server's own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;
mod whole_files;

use servers::RealServer;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use whole_files::{Difference, differences, files};

/// Asks all servers about all files, two at a time, and gives back every difference.
fn ask(servers: &[RealServer], files: &[PathBuf]) -> Vec<Difference> {
    let jobs: Vec<_> = servers.iter().flat_map(|server| files.iter().map(move |file| (server, file))).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let directory = tempfile::tempdir().unwrap();
                std::fs::create_dir(directory.path().join("empty")).unwrap();
                servers::write(&directory.path().join("empty.cnf"), b"");
                let copy = directory.path().join("my.cnf");
                while let Some((server, file)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(file).unwrap();
                    servers::write(&copy, &files::at_home(&bytes, directory.path()));
                    let differences = differences(server, file, &copy);
                    found.lock().unwrap().extend(differences);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

fn report(differences: &[Difference]) -> String {
    let line = |difference: &Difference| {
        format!("{}\t{}\t{}\t{}\n", difference.server, difference.file, difference.option, difference.what)
    };
    differences.iter().map(line).collect()
}

#[test]
fn a_corpus() {
    let Some(corpus) = std::env::var_os("CNFLINT_CORPUS") else {
        eprintln!("skipped: CNFLINT_CORPUS names no directory of option files");
        return;
    };
    let files = servers::files_below(Path::new(&corpus));
    let mut found = ask(&servers::all(), &files);
    found.retain(|difference| whole_files::explained::explanation(difference).is_none());
    assert!(found.is_empty(), "{}", report(&found));
}
