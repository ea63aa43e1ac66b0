//! Faults that people met and told in public, and what other advisors got wrong: `fixtures/cases/` and `fixtures/complaints/`.
//! Each directory holds option files and an `expected.toml`: what cnflint must say, where and with which fix, and what it must
//! not say. `cargo test --test cases -- --nocapture` prints a table of case and verdict.
//!
//! `pending` stands beside what no rule says yet, and must go once one does. `corrected` tells where a server was asked and the
//! report turned out wrong; `asked` repeats the question where that server is at hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::facts::file;
use cnflint::finding::{Finding, Label, Safety, Severity};
use cnflint::fix::{self, Wanted};
use cnflint::lint::{self, Report, ServerSource, Subject};
use cnflint::rules;
use cnflint::server::ServerSpec;
use cnflint::source::{FileKind, Files, MemoryFiles};
use cnflint::suppress::suppress;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// An `expected.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    title: String,
    /// Where it was told.
    #[serde(default)]
    source: Vec<String>,
    /// The server; without one cnflint assumes.
    server: Option<String>,
    /// What stands where: a path on the host and a file beside this one. The first is where the server begins to read.
    #[serde(default)]
    files: BTreeMap<PathBuf, String>,
    /// Where the server begins to read, when that is more than `/etc/my.cnf`.
    roots: Option<Vec<PathBuf>>,
    /// Files that everyone may write.
    #[serde(default)]
    world_writable: Vec<PathBuf>,
    /// As a facts file holds them.
    facts: Option<toml::Table>,
    /// A file beside this one with what a client printed.
    snapshot: Option<String>,
    /// Absolute paths can be judged: the files stand on the server's host.
    #[serde(default)]
    own_host: bool,
    /// Where a server was asked and the report is wrong.
    corrected: Option<String>,
    #[serde(default)]
    must_say: Vec<MustSay>,
    #[serde(default)]
    must_not_say: Vec<MustNotSay>,
    /// What every fix together makes of the first file.
    fixed: Option<String>,
    #[serde(default)]
    asked: Vec<Asked>,
}

/// A finding that must be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MustSay {
    /// Its rule; without one the finding of any rule counts that the other expectations do not name.
    rule: Option<String>,
    severity: String,
    /// Its file, when it is another than the first.
    file: Option<PathBuf>,
    /// Every line that must have one; without lines anywhere.
    #[serde(default)]
    lines: Vec<usize>,
    /// The option that it is about.
    option: Option<String>,
    /// Words in its message.
    says: Option<String>,
    /// Words in the title of its fix, or in a line that its edits write.
    fix: Option<String>,
    /// No rule says it yet: why.
    pending: Option<String>,
}

/// A finding that must not be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MustNotSay {
    rule: Option<String>,
    /// So grave or worse.
    severity: Option<String>,
    line: Option<usize>,
    option: Option<String>,
    /// Words in its message or in the title of its fix.
    says: Option<String>,
}

/// What a real server says of the first file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    server: String,
    starts: bool,
    #[serde(default)]
    says: String,
    /// Whether the question is about the fixed file.
    #[serde(default)]
    fixed: bool,
}

/// The files of a case.
struct Disk {
    files: MemoryFiles,
    world_writable: Vec<PathBuf>,
}

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.files.list(path)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let kind = self.files.kind(path)?;
        let open = self.world_writable.iter().any(|open| open == path);
        Ok(if open { FileKind::File { world_writable: true } } else { kind })
    }
}

struct Case {
    name: String,
    expected: Expected,
    disk: Disk,
    first: PathBuf,
    subject: Subject,
}

fn read(directory: &Path) -> Case {
    let name = directory.file_name().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(directory.join("expected.toml")).unwrap();
    let mut expected: Expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    if expected.files.is_empty() && directory.join("my.cnf").exists() {
        expected.files.insert("/etc/my.cnf".into(), "my.cnf".to_owned());
    }
    let mut files = MemoryFiles::default();
    for (path, file) in &expected.files {
        files
            .insert(path, std::fs::read(directory.join(file)).unwrap_or_else(|error| panic!("{name}/{file}: {error}")));
    }
    let first = expected.files.keys().next().cloned().into_iter();
    let roots = expected.roots.clone().unwrap_or_else(|| first.collect());
    let facts = expected.facts.as_ref().map(|facts| file::parse("facts.toml", &facts.to_string()).unwrap());
    let spec = |server: &String| ServerSpec::parse(server).unwrap_or_else(|error| panic!("{name}: {error}"));
    let snapshot = expected.snapshot.iter().map(|file| (file.into(), std::fs::read(directory.join(file)).unwrap()));
    let subject = Subject {
        roots: roots.iter().map(|path| (path.clone(), None)).collect(),
        server: expected.server.as_ref().map(|server| (spec(server), ServerSource::Flag)),
        facts: facts.unwrap_or_default(),
        snapshots: snapshot.collect(),
        working_directory: "/".into(),
        own_host: expected.own_host,
        ..Subject::default()
    };
    let disk = Disk { files, world_writable: expected.world_writable.clone() };
    let first = roots.first().cloned().unwrap_or_default();
    Case { name, expected, disk, first, subject }
}

fn all(of: &str) -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(of);
    let mut directories: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    directories.sort();
    directories.iter().map(|directory| read(directory)).collect()
}

fn severity(name: &str) -> Severity {
    let all = [Severity::Advice, Severity::Warning, Severity::Error];
    all.into_iter().find(|severity| severity.name() == name).unwrap_or_else(|| panic!("no severity is called {name}"))
}

/// One finding with the places where it stands.
struct Said {
    finding: Finding,
    places: Vec<(PathBuf, usize)>,
}

impl Said {
    fn stands_at(&self, file: &Path, line: usize) -> bool {
        self.places.iter().any(|place| place == &(file.to_owned(), line))
    }

    fn fixes_with(&self, words: &str) -> bool {
        let Some(fix) = &self.finding.fix else { return false };
        fix.title.contains(words) || fix.edits.iter().any(|edit| String::from_utf8_lossy(&edit.bytes).contains(words))
    }

    fn shown(&self) -> String {
        let finding = &self.finding;
        let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!(" [{:?}: {}]", fix.safety, fix.title));
        let lines: Vec<_> = self.places.iter().map(|(_, line)| line.to_string()).collect();
        format!("{} {} line {}: {}{fix}", finding.severity.name(), finding.rule, lines.join(", "), finding.message)
    }
}

fn said(report: &Report) -> Vec<Said> {
    let place = |label: &Label| {
        let file = report.sources.get(label.location.file);
        (file.path().to_owned(), file.line_of(label.location.span.start) as usize)
    };
    let all = report.findings.iter().map(|located| {
        let finding = located.finding.clone();
        let labels = std::iter::once(&located.finding.primary).chain(&located.finding.related);
        Said { places: labels.map(place).collect(), finding }
    });
    all.collect()
}

/// What is missing; nothing where it is said as it must be.
fn missing(must: &MustSay, case: &Case, said: &[Said]) -> Option<String> {
    let file = must.file.as_deref().unwrap_or(&case.first);
    let others: Vec<_> = case.expected.must_say.iter().filter_map(|other| other.rule.as_deref()).collect();
    let fits = |said: &&Said| {
        let finding = &said.finding;
        must.rule.as_ref().map_or(!others.contains(&&*finding.rule), |rule| *rule == finding.rule)
            && finding.severity == severity(&must.severity)
            && must.option.as_ref().is_none_or(|option| finding.option.as_deref() == Some(option))
            && must.says.as_ref().is_none_or(|words| finding.message.contains(words.as_str()))
            && must.fix.as_ref().is_none_or(|words| said.fixes_with(words))
    };
    let fitting: Vec<_> = said.iter().filter(fits).collect();
    let stands = |line: &usize| fitting.iter().any(|said| said.stands_at(file, *line));
    let what = must.rule.as_deref().unwrap_or("finding");
    let option = must.option.as_deref().unwrap_or_default();
    if fitting.is_empty() {
        return Some(format!("no {what} {} {option}", must.severity));
    }
    let lines: Vec<_> = must.lines.iter().filter(|line| !stands(line)).map(ToString::to_string).collect();
    (!lines.is_empty()).then(|| format!("no {what} {} in line {}", must.severity, lines.join(", ")))
}

fn is_forbidden(must_not: &MustNotSay, case: &Case, said: &Said) -> bool {
    let finding = &said.finding;
    must_not.rule.as_ref().is_none_or(|rule| *rule == finding.rule)
        && must_not.severity.as_ref().is_none_or(|name| finding.severity >= severity(name))
        && must_not.line.is_none_or(|line| said.stands_at(&case.first, line))
        && must_not.option.as_ref().is_none_or(|option| finding.option.as_deref() == Some(option))
        && must_not.says.as_ref().is_none_or(|words| finding.message.contains(words.as_str()) || said.fixes_with(words))
}

fn linted(case: &Case) -> Report {
    let mut report = Report::default();
    let errors = lint::lint(&case.disk, case.subject.clone(), &[rules::built_in()], &mut report);
    assert!(errors.is_empty(), "{}: {errors:?}", case.name);
    suppress(&mut report, &[rules::built_in()]);
    report
}

/// The first file with every fix made.
fn fixed(case: &Case) -> Vec<u8> {
    let fixed = fix::fix(&case.disk, &case.subject, &[rules::built_in()], Wanted::all(Safety::Unsafe));
    assert!(fixed.stable, "{}: fixes do not come to an end", case.name);
    fixed.files.get(&case.first).cloned().unwrap_or_else(|| case.disk.read(&case.first).unwrap_or_default())
}

fn asked(asked: &Asked, case: &Case, wrong: &mut Vec<String>) {
    let Some(server) = servers::server(&asked.server) else { return };
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("my.cnf");
    servers::write(&file, &if asked.fixed { fixed(case) } else { case.disk.read(&case.first).unwrap() });
    let verdict = server.check(&file);
    if verdict.accepted != asked.starts || !verdict.messages.contains(&asked.says) {
        wrong.push(format!("{}: starts: {}; says {}", asked.server, verdict.accepted, verdict.messages.trim()));
    }
}

/// What came of the cases of one directory: the table, and what is wrong.
fn run(of: &str) -> (String, String, usize) {
    let (mut table, mut failures) = (String::new(), String::new());
    let (mut holds, mut pending, mut corrected) = (0, 0, 0);
    let cases = all(of);
    for case in &cases {
        let said = said(&linted(case));
        let mut wrong = Vec::new();
        let mut waits = Vec::new();
        for must in &case.expected.must_say {
            match (&must.pending, missing(must, case, &said)) {
                (None, Some(missing)) => wrong.push(missing),
                (Some(_), None) => wrong.push(format!(
                    "this is said now, so it is not pending any more: {}",
                    must.rule.as_deref().or(must.option.as_deref()).unwrap_or(&must.severity)
                )),
                (Some(why), Some(_)) => waits.push(why.as_str()),
                (None, None) => {}
            }
        }
        for must_not in &case.expected.must_not_say {
            let forbidden = said.iter().filter(|said| is_forbidden(must_not, case, said));
            wrong.extend(forbidden.map(|said| format!("must not be said: {}", said.shown())));
        }
        if let Some(expected) = &case.expected.fixed {
            let fixed = String::from_utf8_lossy(&fixed(case)).into_owned();
            if fixed != *expected {
                wrong.push(format!("fixed:\n{fixed}and not\n{expected}"));
            }
        }
        for question in &case.expected.asked {
            asked(question, case, &mut wrong);
        }
        let verdict = match (wrong.is_empty(), waits.is_empty()) {
            (false, _) => "fails",
            (true, false) => "pending",
            (true, true) => "holds",
        };
        let correction = if case.expected.corrected.is_some() { ", corrected" } else { "" };
        let _ = writeln!(table, "{:28} {verdict}{correction}: {}", case.name, case.expected.title);
        for why in waits {
            let _ = writeln!(table, "{:28}   waits for {why}", "");
        }
        holds += usize::from(verdict == "holds");
        pending += usize::from(verdict == "pending");
        corrected += usize::from(case.expected.corrected.is_some());
        if !wrong.is_empty() {
            let all: Vec<_> = said.iter().map(|said| format!("    {}", said.shown())).collect();
            let _ = writeln!(
                failures,
                "{} ({}):\n  {}\n  what is said:\n{}",
                case.name,
                case.expected.title,
                wrong.join("\n  "),
                all.join("\n")
            );
        }
    }
    let _ = writeln!(table, "{} {of}: {holds} hold, {pending} pending; {corrected} corrected", cases.len());
    (table, failures, cases.len())
}

#[test]
fn what_people_met_is_said_and_nothing_else() {
    let (table, failures, count) = run("cases");
    println!("{table}");
    assert!(failures.is_empty(), "\n{failures}");
    assert!(count >= 59, "{count} cases");
}

#[test]
fn what_people_complain_about_elsewhere_does_not_happen_here() {
    let (table, failures, count) = run("complaints");
    println!("{table}");
    assert!(failures.is_empty(), "\n{failures}");
    assert!(count >= 19, "{count} complaints");
}

#[test]
fn every_case_expects_something() {
    for case in all("cases").iter().chain(&all("complaints")) {
        let expected = &case.expected;
        assert!(!expected.must_say.is_empty() || !expected.must_not_say.is_empty(), "{} expects nothing", case.name);
        let known: Vec<_> = rules::built_in().iter().map(|rule| rule.id().to_owned()).collect();
        let named = expected.must_say.iter().filter_map(|must| must.rule.as_ref());
        for rule in named.chain(expected.must_not_say.iter().filter_map(|must_not| must_not.rule.as_ref())) {
            assert!(known.contains(rule), "{}: no rule is called {rule}", case.name);
        }
        assert!(expected.source.iter().all(|link| link.starts_with("https://") || link.starts_with("http://")));
    }
}
