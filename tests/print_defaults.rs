//! Promise 1: the arguments that cnflint makes of a file are, byte for byte, what the real `my_print_defaults` prints.
//!
//! Runs over every option file below `fixtures/`, and below the directory that `CNFLINT_CORPUS` names (there every file).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::optionfile::{Document, ReadOptions, arguments, groups_read, read};
use cnflint::source::{SourceFile, Sources};
use servers::{Disk, RealServer};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn document(server: &RealServer, file: &Path, directory: &Path) -> Document {
    let mut sources = Sources::default();
    let root = sources.add(SourceFile::new(file, std::fs::read(file).unwrap()));
    let options = ReadOptions {
        server: server.server,
        working_directory: directory.to_owned(),
        home: Some("/nonexistent".into()),
        include_root: None,
    };
    read(&mut sources, &Disk, &[root], &options)
}

/// Whether the server's reader writes past its buffer, as it does for an option without a name behind blanks: it copies
/// the line twice then, and what happens next is chance.
fn overruns(server: &RealServer, document: &Document) -> bool {
    let length = |value: &Option<Vec<u8>>| value.as_ref().map_or(0, Vec::len);
    let limit = if server.name == "mysql-9.7" { 0 } else { 4000 };
    let nameless = document.entries.iter().filter(|entry| entry.name.starts_with(b"="));
    nameless.into_iter().any(|entry| entry.name.len() + length(&entry.value) > limit)
}

/// What the real program prints, and what cnflint says it prints.
fn both(server: &RealServer, file: &Path, directory: &Path, program: &str) -> (Vec<u8>, Vec<u8>) {
    let groups = groups_read(program, server.server);
    let document = document(server, file, directory);
    if overruns(server, &document) {
        return Default::default();
    }
    let arguments = arguments(&document, &groups);
    let defaults = format!("--defaults-file={}", file.display());
    if let Some(mut command) = server.my_print_defaults() {
        let output = command.arg(defaults).args(groups.iter()).current_dir(directory).output().unwrap();
        // The new my_print_defaults explains itself on standard output when the file is not there; it always is.
        return (output.stdout, arguments.iter().flat_map(|argument| [argument, &b"\n"[..]].concat()).collect());
    }
    let output = server.mysqld().arg(defaults).arg("--print-defaults").current_dir(directory).output().unwrap();
    let printed = output.stdout;
    let first_line = printed.iter().position(|byte| *byte == b'\n').map_or(printed.len(), |at| at + 1);
    let mut ours: Vec<u8> = arguments.iter().flat_map(|argument| [argument, &b" "[..]].concat()).collect();
    if !printed.is_empty() {
        ours.push(b'\n');
    }
    (printed[first_line..].to_vec(), ours)
}

/// Compares all files on one server; every disagreement, in words.
fn disagreements(server: &RealServer, files: &[PathBuf]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let copy = directory.path().join("copy.cnf");
    // What the hostile files include.
    for (name, text) in
        [("x.cnf", "[mysqld]\nfrom=x\n"), ("x.cn", "[mysqld]\nfrom=cut\n"), ("d/a.cnf", "[client]\nfrom=d\n")]
    {
        servers::write(&directory.path().join(name), text.as_bytes());
    }
    servers::write(&directory.path().join("d/broken.cnf"), b"[mysqld]\nkept=1\n[open\nlost=1\n");
    let programs: &[&str] = if server.name == "mysql-5.6" { &["mysqld"] } else { &["mysqld", "mysql"] };
    let mut report = String::new();
    let mut printing = 0;
    for file in files {
        // A copy, since servers skip files that everyone may write.
        servers::write(&copy, &std::fs::read(file).unwrap());
        for program in programs {
            let (real, ours) = both(server, &copy, directory.path(), program);
            printing += usize::from(!real.is_empty());
            if real != ours {
                let at = real.iter().zip(&ours).take_while(|(one, other)| one == other).count();
                let shown = |bytes: &[u8]| {
                    String::from_utf8_lossy(&bytes[at.saturating_sub(40)..bytes.len().min(at + 80)]).into_owned()
                };
                let _ = writeln!(
                    report,
                    "{} {program} {}\n  server:  {:?}\n  cnflint: {:?}",
                    server.name,
                    file.display(),
                    shown(&real),
                    shown(&ours)
                );
            }
        }
    }
    assert!(printing * 4 > files.len(), "{}: only {printing} of {} files print anything", server.name, files.len());
    report
}

fn assert_agreement(files: &[PathBuf]) {
    let servers = servers::all();
    let report: String = std::thread::scope(|scope| {
        let runs: Vec<_> = servers.iter().map(|server| scope.spawn(|| disagreements(server, files))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(report.is_empty(), "{report}");
}

#[test]
fn option_files_of_the_fixtures_mean_what_servers_print() {
    let mut files = servers::files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    files.retain(|file| servers::is_option_file(file));
    assert!(!files.is_empty(), "no option file below fixtures/");
    assert_agreement(&files);
}

#[test]
fn option_files_of_a_corpus_mean_what_servers_print() {
    let Some(corpus) = std::env::var_os("CNFLINT_CORPUS") else {
        eprintln!("skipped: CNFLINT_CORPUS names no directory of option files");
        return;
    };
    assert_agreement(&servers::files_below(Path::new(&corpus)));
}

/// A small generator of hostile files: pieces that meet in every order, long lines, stray bytes.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn file(&mut self) -> Vec<u8> {
        const PARTS: [&[u8]; 34] = [
            b"a",
            b"=",
            b"=",
            b"#",
            b"\"",
            b"'",
            b"\\",
            b"\\n",
            b"\\\\",
            b" ",
            b"\t",
            b"\r",
            b"\n",
            b"\n",
            b"\n",
            b"\n",
            b";",
            b"[",
            b"]",
            b"[mysqld]\n",
            b"[client]\n",
            b"[other]\n",
            b"!",
            b"!include ",
            b"!include x.cnf\n",
            b"!includedir d\n",
            b"\xa0",
            b"\xc3\xa0",
            b"\0",
            b"\x0b",
            b"value = \"x # y\" # z\n",
            b"flag\n",
            b"password=ab#c\n",
            b"!include x.cnf",
        ];
        let mut bytes = b"[mysqld]\n".to_vec();
        for _ in 0..self.below(60) {
            match self.below(60) {
                0 => bytes.extend(std::iter::repeat_n(b'x', 4080 + self.below(30))),
                1 => bytes.extend(std::iter::repeat_n(b' ', 4080 + self.below(30))),
                _ => bytes.extend_from_slice(PARTS[self.below(PARTS.len())]),
            }
        }
        bytes
    }
}

#[test]
fn hostile_files_mean_what_servers_print() {
    let rounds = std::env::var("CNFLINT_NOISE").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(60);
    let directory = tempfile::tempdir().unwrap();
    let mut noise = Noise(20_260_801);
    let files: Vec<_> = (0..rounds)
        .map(|round| {
            let path = directory.path().join(format!("{round}.cnf"));
            servers::write(&path, &noise.file());
            path
        })
        .collect();
    assert_agreement(&files);
}
