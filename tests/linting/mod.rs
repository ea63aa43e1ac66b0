//! What tests lint: the examples of the rules and the option files under `fixtures/`, each as a configuration of its own.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod laws;

use cnflint::catalog::{self, OptionId, Resolved, State};
use cnflint::checks::cluster::Topology;
use cnflint::checks::{FaultyPath, PathFault};
use cnflint::effective::Effective;
use cnflint::facts::{FactId, FactSource, Facts, file};
use cnflint::finding::{Change, Finding, Fix};
use cnflint::lint::{self, Report, ServerSource, Subject};
use cnflint::optionfile::{self, ReadOptions};
use cnflint::rules::{self, Example, Rule};
use cnflint::server::{Server, ServerSpec};
use cnflint::source::{Files as _, MemoryFiles, SourceFile, Sources};
use cnflint::suppress::suppress;
use cnflint::value::{Outcome, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where the file of an example stands.
pub const EXAMPLE_PATH: &str = "/etc/my.cnf";

/// A configuration, all in memory.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// How failures and snapshots call it: `rule#1`, `real/galera.cnf`.
    pub name: String,
    /// The server that is meant.
    pub server: Option<ServerSpec>,
    /// What is known beside the files.
    pub facts: Facts,
    /// All files.
    pub disk: MemoryFiles,
    /// Where the server starts to read.
    pub roots: Vec<PathBuf>,
    /// The persisted variables.
    pub persisted: Option<String>,
    /// What a client printed of the running server.
    pub snapshot: Option<String>,
    /// How its server works together with those of the other roots.
    pub cluster: Option<Topology>,
    /// The files of those servers.
    pub peers: Vec<PathBuf>,
    /// It is a piece of a larger configuration.
    pub fragment: bool,
    /// The path that is not there.
    pub missing: Option<PathBuf>,
    /// What the server on this host reads instead.
    pub host_reads: Vec<PathBuf>,
}

impl Case {
    /// The example of a rule, counted from 1.
    pub fn of_example(rule: Rule<'_>, number: usize, example: &Example<&str>) -> Self {
        let mut disk = MemoryFiles::default();
        for (path, text) in &example.files {
            disk.insert(*path, *text);
        }
        let path = example.path.unwrap_or(EXAMPLE_PATH);
        let alone = example.file.is_empty() && example.snapshot.is_some();
        if !alone {
            disk.insert(path, example.file);
        }
        let facts: String = example.facts.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        Self {
            name: format!("{}#{number}", rule.id()),
            server: Some(ServerSpec::parse(example.server).expect("the build checks it")),
            facts: file::parse("facts.toml", &facts).expect("facts that a facts file takes"),
            disk,
            roots: if alone { Vec::new() } else { vec![path.into()] },
            persisted: example.persisted.map(str::to_owned),
            snapshot: example.snapshot.map(str::to_owned),
            cluster: example.cluster.and_then(Topology::from_name),
            peers: example.files.iter().filter(|_| example.cluster.is_some()).map(|(path, _)| path.into()).collect(),
            fragment: false,
            missing: example.missing.map(PathBuf::from),
            host_reads: example.path.map(|_| EXAMPLE_PATH.into()).into_iter().collect(),
        }
    }

    /// A file alone.
    pub fn of_file(name: &str, bytes: &[u8]) -> Self {
        let mut disk = MemoryFiles::default();
        disk.insert(EXAMPLE_PATH, bytes);
        Self { name: name.to_owned(), disk, roots: vec![EXAMPLE_PATH.into()], ..Self::default() }
    }

    /// The same with another server.
    pub fn on(&self, server: ServerSpec) -> Self {
        Self { server: Some(server), ..self.clone() }
    }

    /// The same with these facts over its own.
    pub fn with_facts(&self, facts: &Facts) -> Self {
        let mut case = self.clone();
        for (id, known) in facts.iter() {
            case.facts.set(id, known.value.clone(), known.source.clone());
        }
        case
    }

    /// The same with other bytes in one file.
    pub fn with_file(&self, path: &Path, bytes: Vec<u8>) -> Self {
        let mut case = self.clone();
        case.disk.insert(path, bytes);
        case
    }

    /// Every line that names the path that is not there.
    fn faulty_paths(&self) -> Vec<FaultyPath> {
        let Some(missing) = &self.missing else { return Vec::new() };
        let file = self.disk.read(Path::new(EXAMPLE_PATH)).expect("the file of an example");
        let text = String::from_utf8(file).expect("an example");
        let option = |line: &str| {
            let (name, value) = line.split_once('=')?;
            let named = OptionId::from_name(name.trim())?;
            let path = PathBuf::from(value.trim());
            path.starts_with(missing).then(|| FaultyPath {
                option: named,
                path,
                fault: PathFault::Missing(missing.clone()),
            })
        };
        text.lines().filter_map(option).collect()
    }

    /// What the runner is given.
    pub fn subject(&self) -> Subject {
        Subject {
            fill: None,
            roots: self.roots.iter().map(|path| (path.clone(), None)).collect(),
            fragment: self.fragment,
            persisted: self.persisted.as_ref().map(|text| ("mysqld-auto.cnf".into(), text.clone().into_bytes())),
            snapshots: self.snapshot.iter().map(|text| ("snapshot".into(), text.clone().into_bytes())).collect(),
            server: self.server.map(|server| (server, ServerSource::Flag)),
            upgrade_to: None,
            facts: self.facts.clone(),
            working_directory: "/".into(),
            home: None,
            include_root: None,
            own_files: !self.host_reads.is_empty(),
            host_reads: self.host_reads.clone(),
            faulty_paths: self.faulty_paths(),
            own_host: true,
            candidates: None,
            carried: None,
            compared: self.cluster.is_some(),
        }
    }

    /// What the built-in rules say about it.
    pub fn lint(&self) -> Report {
        let mut report = Report::default();
        let errors = lint::lint(&self.disk, self.subject(), &[rules::built_in()], &mut report);
        assert!(errors.is_empty(), "{}: {errors:?}", self.name);
        if let Some(topology) = self.cluster {
            for path in &self.peers {
                let subject = Subject { roots: vec![(path.clone(), None)], ..self.subject() };
                lint::lint(&self.disk, subject, &[rules::built_in()], &mut report);
            }
            let targets: Vec<_> = (0..report.targets.len()).collect();
            lint::compare(topology, &targets, &[rules::built_in()], &mut report);
        }
        suppress(&mut report, &[rules::built_in()]);
        report
    }
}

/// Every example of every rule.
pub fn examples() -> impl Iterator<Item = (Rule<'static>, Example<&'static str>, Case)> {
    rules::built_in().iter().flat_map(|rule| {
        rule.examples().enumerate().map(move |(index, example)| {
            let case = Case::of_example(rule, index + 1, &example);
            (rule, example, case)
        })
    })
}

/// Every option file under `fixtures/`, each for itself; a directory with includes as one configuration.
pub fn fixtures() -> Vec<Case> {
    let mut cases: Vec<_> = ["galera.cnf", "import.cnf", "mysql-5.6-posted.cnf", "windows.ini", "docker/zz-limits.cnf"]
        .into_iter()
        .map(|name| Case::of_file(&format!("real/{name}"), &read(&format!("fixtures/real/{name}"))))
        .collect();
    cases.push(debian());
    cases.extend(grammar_samples());
    cases
}

/// The tree of a Debian package with a file of the shop that uses it.
fn debian() -> Case {
    let mut case = Case { name: "real/debian-mariadb".to_owned(), ..Case::default() };
    for name in [
        "mariadb.cnf",
        "conf.d/mysqldump.cnf",
        "mariadb.conf.d/50-client.cnf",
        "mariadb.conf.d/50-server.cnf",
        "mariadb.conf.d/99-shop.cnf",
    ] {
        case.disk.insert(format!("/etc/mysql/{name}"), read(&format!("fixtures/real/debian-mariadb/{name}")));
    }
    case.roots = vec!["/etc/mysql/mariadb.cnf".into()];
    case
}

/// The whole files that the tests of the grammar read.
fn grammar_samples() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["groups", "headers", "lines", "long", "quoting"] {
        let text = String::from_utf8(read(&format!("fixtures/grammar/{name}.toml"))).expect("UTF-8");
        let table: toml::Table = text.parse().expect("TOML");
        if let Some(file) = table.get("file").and_then(toml::Value::as_str) {
            cases.push(Case::of_file(&format!("grammar/{name}"), &latin1(file)));
        }
        let listed = table.get("case").and_then(toml::Value::as_array).into_iter().flatten();
        for case in listed {
            let file = case.get("file").and_then(toml::Value::as_str);
            let title = case.get("name").and_then(toml::Value::as_str).unwrap_or_default();
            // `⟨x 4090⟩` stands for many bytes: tests/grammar.rs has these.
            if let Some(file) = file.filter(|file| !file.contains('⟨')) {
                cases.push(Case::of_file(&format!("grammar/{title}"), &latin1(file)));
            }
        }
    }
    cases
}

/// In the samples each character up to U+00FF is one byte.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).expect("one byte")).collect()
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is said, place and words aside.
pub fn said(report: &Report) -> BTreeSet<(String, String)> {
    let servers = servers(report);
    report.findings.iter().map(|located| topic(&located.finding, &servers)).collect()
}

/// The rule of a finding and the system variable that it is about, whatever the option is called.
pub fn topic(finding: &Finding, servers: &[Server]) -> (String, String) {
    (finding.rule.to_string(), variable_name(finding.option.as_deref().unwrap_or_default(), servers))
}

/// A fact as a flag gives it.
pub fn fact(facts: &mut Facts, id: FactId, text: &str) {
    let value = id.parse(text).unwrap_or_else(|error| panic!("{}: {error}", id.name()));
    facts.set(id, value, FactSource::Flag(id.flag().unwrap_or("--facts")));
}

/// What a server makes of a case.
fn effective<T>(case: &Case, server: Server, look: impl Fn(&Effective<'_>) -> T) -> T {
    let mut sources = Sources::default();
    let read = |path: &PathBuf| case.disk.read(path).ok().map(|bytes| SourceFile::new(path, bytes));
    let roots: Vec<_> = case.roots.iter().filter_map(read).map(|file| sources.add(file)).collect();
    let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
    let document = optionfile::read(&mut sources, &case.disk, &roots, &options);
    let groups = optionfile::groups_read("server", server).with_services();
    look(&Effective::new(&document, &groups, server, &[]))
}

/// What a server ends up with: each variable that something sets, by name.
pub fn settings(case: &Case, server: Server) -> BTreeMap<&'static str, Outcome<Value<'static>>> {
    let mut settings: BTreeMap<_, _> = effective(case, server, |effective| {
        // What does nothing may be shown all the same.
        let works = |id: OptionId| catalog::standing(id, server).0 != State::Ignored;
        let settings = effective.settings().iter().filter(|setting| works(setting.variable));
        settings.map(|setting| (setting.variable.name(), setting.value.clone())).collect()
    });
    // At its start the server lowers the one to the other.
    let ceiling = settings.get("innodb_io_capacity_max").cloned().and_then(Outcome::known);
    if let (Some(Value::Integer(ceiling)), Some(Outcome::Known(Value::Integer(pages)))) =
        (ceiling, settings.get_mut("innodb_io_capacity"))
    {
        *pages = ceiling.min(*pages);
    }
    settings
}

/// The variables that stand for what is written; those of names that the server refuses only where these are asked for.
fn written(case: &Case, server: Server, refused: bool) -> BTreeSet<OptionId> {
    effective(case, server, |effective| {
        let ids = effective.assignments.iter().filter_map(|written| match &written.resolved {
            Resolved::Option { id, .. } => Some(*id),
            Resolved::Unknown { elsewhere, .. } => elsewhere.filter(|_| refused),
            Resolved::Ambiguous(_) => None,
        });
        ids.collect()
    })
}

/// The servers that were looked at.
pub fn servers(report: &Report) -> Vec<Server> {
    report.targets.iter().flat_map(|target| target.servers.iter().copied()).collect()
}

/// The variables that some server sets after fixes and did not before, though no fix set them: their lines stood there and were
/// not read, and what they say is no fault of the fix.
pub fn newly_set<'f>(
    before: &Case,
    after: &Case,
    servers: &[Server],
    fixes: impl Iterator<Item = &'f Fix>,
) -> BTreeSet<String> {
    let (mut found, mut news) = (BTreeSet::new(), BTreeSet::new());
    for server in servers {
        let name = |id: OptionId| variable_name(id.name(), servers);
        let old: Vec<_> = written(before, *server, false).into_iter().map(name).collect();
        found.extend(written(after, *server, true).into_iter().map(name).filter(|name| !old.contains(name)));
        // A value that the server refused says nothing either.
        let values = settings(before, *server);
        let is_news = |name: &&'static str| values.get(name).is_some_and(|value| *value == Outcome::Unknown);
        let known = settings(after, *server).into_iter().filter(|(_, value)| *value != Outcome::Unknown);
        news.extend(known.map(|(name, _)| name).filter(is_news).map(|name| variable_name(name, servers)));
    }
    // A line that stood there and said nothing may be revealed first and changed then.
    let stood = lines_of(before, servers);
    for change in fixes.flat_map(|fix| &fix.changes) {
        if let Change::Set { option, .. } = change {
            let name = variable_name(option, servers);
            if !stood.contains(&name) {
                found.remove(&name);
            }
        }
    }
    // A refused value that one fix mended and another one set again was still not known before.
    found.extend(news);
    found
}

/// The variables of all lines, also of those that the server refuses.
pub fn lines_of(case: &Case, servers: &[Server]) -> BTreeSet<String> {
    let written = servers.iter().flat_map(|server| written(case, *server, true));
    written.map(|id| variable_name(id.name(), servers)).collect()
}

/// The system variable that an option sets.
pub fn variable_name(option: &str, servers: &[Server]) -> String {
    match (OptionId::from_name(option), servers.last()) {
        (Some(id), Some(server)) => catalog::entry(id, *server).variable.name().to_owned(),
        _ => option.to_owned(),
    }
}
