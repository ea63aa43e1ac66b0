//! Whatever lies in a file, it is read and reported without a panic, and soon: every file under `fixtures/`, or below the directory
//! that `CNFLINT_CORPUS` names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::edits;
use cnflint::finding::Edit;
use cnflint::lint::{self, Report, Subject};
use cnflint::report::human::{Look, Shows};
use cnflint::report::{github, gitlab, human, json, junit, markdown, sarif, short};
use cnflint::rules;
use cnflint::source::MemoryFiles;
use linting::Case;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(below(&entry));
        } else {
            files.push(entry);
        }
    }
    files.sort();
    files
}

fn corpus() -> Vec<Case> {
    let fixtures = || Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let directory = std::env::var_os("CNFLINT_CORPUS").map_or_else(fixtures, PathBuf::from);
    let files = below(&directory);
    assert!(!files.is_empty(), "{}", directory.display());
    files.iter().map(|path| Case::of_file(&path.to_string_lossy(), &std::fs::read(path).unwrap())).collect()
}

fn written(case: &Case, write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    out
}

#[test]
fn every_file_is_read_and_reported_in_every_format() {
    for case in corpus() {
        let report = case.lint();
        assert_eq!(report.targets.len(), 1, "{}", case.name);
        let text = written(&case, |out| json::write(&report, out));
        let value: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value["findings"].as_array().unwrap().len(), report.findings.len(), "{}", case.name);
        for look in [Look::PLAIN, Look { width: 20, ..Look::PLAIN }] {
            for shows in [Shows { quiet: false, verbose: true }, Shows { quiet: true, verbose: false }] {
                written(&case, |out| human::write(&report, &look, shows, out));
            }
        }
        written(&case, |out| short::write(&report, out));
        let (about, directory) = (|_: &str| None, Path::new("/"));
        let text = written(&case, |out| sarif::write(&report, &about, directory, out));
        serde_json::from_slice::<serde_json::Value>(&text).unwrap();
        let text = written(&case, |out| gitlab::write(&report, directory, out));
        serde_json::from_slice::<serde_json::Value>(&text).unwrap();
        let text = written(&case, |out| junit::write(&report, directory, out));
        uppsala::parse(std::str::from_utf8(&text).unwrap()).unwrap();
        written(&case, |out| markdown::write(&report, directory, out));
        let annotations = written(&case, |out| github::write(&report, out));
        assert!(annotations.iter().filter(|byte| **byte == b'\n').count() >= report.findings.len(), "{}", case.name);
    }
}

/// Places lie in their files, and edits can be made.
#[test]
fn every_place_is_in_its_file() {
    for case in corpus() {
        let report = case.lint();
        let length = |location: cnflint::source::Location| report.sources.get(location.file).bytes().len() as u32;
        for finding in report.findings.iter().map(|located| &located.finding) {
            for label in std::iter::once(&finding.primary).chain(&finding.related) {
                let span = label.location.span;
                assert!(span.start <= span.end && span.end <= length(label.location), "{} {finding:?}", case.name);
            }
            let edits: Vec<&Edit> = finding.fix.iter().flat_map(|fix| &fix.edits).collect();
            for (id, file) in report.sources.iter() {
                let here: Vec<_> = edits.iter().copied().filter(|edit| edit.at.file == id).collect();
                if !here.is_empty() {
                    assert_ne!(edits::apply(file.bytes(), &here), file.bytes(), "{}: {finding:?}", case.name);
                }
            }
        }
    }
}

/// A file that is taken for what it is not is refused, not believed.
#[test]
fn no_file_breaks_the_readers_of_other_forms() {
    for case in corpus() {
        let bytes = cnflint::source::Files::read(&case.disk, &case.roots[0]).unwrap();
        let name = PathBuf::from(&case.name);
        let subjects = [
            Subject { snapshots: vec![(name.clone(), bytes.clone())], ..Subject::default() },
            Subject { persisted: Some((name, bytes)), ..case.subject() },
        ];
        for subject in subjects {
            lint::lint(&case.disk, subject, &[rules::built_in()], &mut Report::default());
        }
    }
}

/// The time that this thread has had on a processor, where the system tells it: other work on the machine does not count.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = told.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    on_processor.unwrap_or_else(|| START.elapsed())
}

#[test]
fn a_whole_corpus_takes_less_than_a_second() {
    let cases = corpus();
    let start = clock();
    let mut report = Report::default();
    for case in &cases {
        let files: &MemoryFiles = &case.disk;
        lint::lint(files, case.subject(), &[rules::built_in()], &mut report);
    }
    let mut out = Vec::new();
    json::write(&report, &mut out).unwrap();
    let taken = clock() - start;
    println!("{} files, {} findings: {taken:?}", cases.len(), report.findings.len());
    // A build without optimization is some fifteen times slower.
    let allowed = if cfg!(debug_assertions) { 20_000 } else { 1_000 };
    assert!(taken.as_millis() < allowed, "{taken:?}");
}
