//! From the text of a `cnflint.toml` to a [`Project`].

use super::{Cluster, FailsOn, Globs, Level, PathScope, Placed, Project, ProjectError, Scope, lexical};
use crate::checks::cluster::Topology;
use crate::facts::file::{from_subject, from_table, read_fact};
use crate::facts::{FactSource, Facts};
use crate::finding::Severity;
use crate::server::ServerSpec;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of a scope, which stand at the top and in `[[path]]`.
macro_rules! with_scope_keys {
    ($($key:literal),+) => {
        &["server", "upgrade_to", "facts", "facts_file", "workload", "phase", "role", "severity", $($key),+]
    };
}

/// The keys at the top.
pub const TOP_KEYS: &[&str] = with_scope_keys!(
    "select",
    "ignore",
    "min_severity",
    "fail_on",
    "rules",
    "root",
    "exclude",
    "baseline",
    "path",
    "cluster"
);
/// The keys of `[[path]]`.
pub const PATH_KEYS: &[&str] = with_scope_keys!("files", "ignore", "reason");
/// The keys of `[[cluster]]`.
pub const CLUSTER_KEYS: &[&str] = &["name", "kind", "files"];
/// The words of `[severity]`.
pub const LEVELS: &[&str] = &["error", "warning", "advice", "off"];
const SEVERITIES: &[&str] = &["error", "warning", "advice"];
/// The words of `fail_on`.
pub const FAIL_ON: &[&str] = &["error", "warning", "advice", "never"];
/// The words of a cluster's `kind`.
pub const KINDS: &[&str] = &["replication", "galera", "group-replication", "host"];

const TEXT: &str = "a text";
const TEXTS: &str = "a text or a list of texts";

type Value<'t> = Spanned<DeValue<'t>>;

/// Where a byte stands, for people: `cnflint.toml:12`.
pub(super) fn place(shown: &str, text: &str, at: usize) -> String {
    let line = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
    format!("{shown}:{line}")
}

pub(super) fn read(path: &Path, shown: &str, text: String) -> Result<Project, Vec<ProjectError>> {
    let table = DeTable::parse(&text).map_err(|error| {
        vec![ProjectError::Syntax { message: error.message().to_owned(), span: error.span().unwrap_or(0..0) }]
    })?;
    let directory = path.parent().unwrap_or(path);
    let mut reading = Reading { directory, shown, text: &text, errors: Vec::new() };
    let mut project = reading.project(table.get_ref(), path);
    let mut errors = reading.errors;
    errors.sort_by_key(|error| error.span().start);
    if !errors.is_empty() {
        return Err(errors);
    }
    project.text = text;
    Ok(project)
}

struct Reading<'a> {
    directory: &'a Path,
    shown: &'a str,
    text: &'a str,
    errors: Vec<ProjectError>,
}

impl Reading<'_> {
    fn project(&mut self, table: &DeTable<'_>, path: &Path) -> Project {
        let mut project = Project {
            path: path.to_owned(),
            shown: self.shown.to_owned(),
            text: String::new(),
            general: Scope::default(),
            paths: Vec::new(),
            select: Vec::new(),
            ignore: Vec::new(),
            min_severity: None,
            fail_on: None,
            rules: Vec::new(),
            root: None,
            exclude: Globs::default(),
            baseline: None,
            clusters: Vec::new(),
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "select" => project.select = self.texts(name, value),
                "ignore" => project.ignore = self.texts(name, value),
                "min_severity" => project.min_severity = self.word(name, value, SEVERITIES).and_then(severity),
                "fail_on" => {
                    let word = self.word(name, value, FAIL_ON);
                    project.fail_on = word.map(|word| severity(word).map_or(FailsOn::Never, FailsOn::From));
                }
                "rules" => project.rules = self.texts(name, value).iter().map(|dir| self.path(&dir.value)).collect(),
                "root" => project.root = self.text(name, value).map(|dir| self.path(&dir.value)),
                "baseline" => project.baseline = self.text(name, value).map(|file| self.path(&file.value)),
                "exclude" => project.exclude = self.globs(name, value),
                "path" => {
                    let tables = self.tables(name, value);
                    project.paths =
                        tables.into_iter().filter_map(|(table, span)| self.path_scope(table, span)).collect();
                }
                "cluster" => {
                    let tables = self.tables(name, value);
                    project.clusters =
                        tables.into_iter().filter_map(|(table, span)| self.cluster(table, span)).collect();
                }
                _ if self.scope(name, key.span(), value, &mut project.general) => {}
                _ => self.unknown(name, key.span(), "at the top of cnflint.toml", TOP_KEYS),
            }
        }
        project
    }

    fn path_scope(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<PathScope> {
        let (mut files, mut reason) = (None, None);
        let mut ignore = Vec::new();
        let mut scope = Scope::default();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "files" => files = Some(self.globs(name, value)),
                "ignore" => ignore = self.texts(name, value),
                "reason" => reason = self.text(name, value).map(|reason| reason.value),
                _ if self.scope(name, key.span(), value, &mut scope) => {}
                _ => self.unknown(name, key.span(), "in [[path]]", PATH_KEYS),
            }
        }
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        if let (Some(first), None) = (ignore.first(), &reason) {
            let why = ": say why the findings of `ignore` are left out";
            self.missing("[[path]]", "reason", why, first.span.clone());
        }
        if files.is_none() {
            self.missing("[[path]]", "files", ", the patterns of the paths that it is about", span);
        }
        Some(PathScope { files: files?, scope, ignore, reason: reason.unwrap_or_default() })
    }

    fn cluster(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<Cluster> {
        let (mut cluster_name, mut kind, mut files) = (None, None, None);
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "name" => cluster_name = self.text(name, value),
                "kind" => {
                    let word = self.word(name, value, KINDS);
                    kind = word.and_then(Topology::from_name);
                }
                "files" => files = Some(self.globs(name, value)),
                _ => self.unknown(name, key.span(), "in [[cluster]]", CLUSTER_KEYS),
            }
        }
        let has = |key: &str| table.iter().any(|(known, _)| known.get_ref().as_ref() == key);
        for key in CLUSTER_KEYS.iter().filter(|key| !has(key)) {
            self.missing("[[cluster]]", key, "", span.clone());
        }
        let name = cluster_name?;
        Some(Cluster { name: name.value, kind: kind?, files: files?, span: name.span })
    }

    /// Reads a key that stands at the top and in `[[path]]`; false when it is none.
    fn scope(&mut self, name: &str, key: Range<usize>, value: &Value<'_>, scope: &mut Scope) -> bool {
        match name {
            "server" => scope.server = self.server("server", value),
            "upgrade_to" => scope.upgrade_to = self.server("upgrade_to", value),
            "facts" => {
                if let Some(table) = self.table(name, value) {
                    let (facts, errors) = from_table(table, &|at| self.source(at));
                    self.errors.extend(errors.into_iter().map(Into::into));
                    scope.facts.fill_from(facts);
                }
            }
            "facts_file" => {
                let path = self.text(name, value);
                scope.facts_file = path.map(|path| Placed { value: self.path(&path.value), span: path.span });
            }
            "workload" => {
                if let Some(table) = self.table(name, value) {
                    let (mut facts, mut errors) = (Facts::default(), Vec::new());
                    from_subject("workload", table, &|at| self.source(at), &mut facts, &mut errors);
                    self.errors.extend(errors.into_iter().map(Into::into));
                    scope.facts.fill_from(facts);
                }
            }
            "phase" | "role" => match read_fact(&format!("workload.{name}"), key.clone(), value) {
                Ok((fact, value)) => scope.facts.set(fact, value, self.source(key.start)),
                Err(error) => self.errors.push(error.into()),
            },
            "severity" => {
                for (rule, level) in self.table(name, value).into_iter().flatten() {
                    let rule = Placed { value: rule.get_ref().to_string(), span: rule.span() };
                    if let Some(word) = self.word(&rule.value, level, LEVELS) {
                        scope.severity.push((rule, severity(word).map_or(Level::Off, Level::Is)));
                    }
                }
            }
            _ => return false,
        }
        true
    }

    fn source(&self, at: usize) -> FactSource {
        FactSource::Configuration(place(self.shown, self.text, at))
    }

    fn server(&mut self, key: &'static str, value: &Value<'_>) -> Option<Placed<ServerSpec>> {
        let written = self.text(key, value)?;
        match ServerSpec::parse(&written.value) {
            Ok(spec) => Some(Placed { value: spec, span: written.span }),
            Err(error) => {
                self.errors.push(ProjectError::Server { key, error, span: written.span });
                None
            }
        }
    }

    fn path(&self, written: &str) -> PathBuf {
        lexical(&self.directory.join(written))
    }

    fn globs(&mut self, key: &str, value: &Value<'_>) -> Globs {
        let patterns = self.texts(key, value);
        let texts: Vec<_> = patterns.iter().map(|pattern| pattern.value.as_str()).collect();
        Globs::new(self.directory, &texts).unwrap_or_else(|(index, message)| {
            let span = patterns.get(index).map_or(value.span(), |pattern| pattern.span.clone());
            self.errors.push(ProjectError::Glob { message, span });
            Globs::default()
        })
    }

    fn word(&mut self, key: &str, value: &Value<'_>, words: &'static [&'static str]) -> Option<&'static str> {
        let written = self.text(key, value)?;
        let word = words.iter().copied().find(|word| *word == written.value);
        if word.is_none() {
            let (key, span) = (key.to_owned(), written.span);
            self.errors.push(ProjectError::NotOneOf { key, written: written.value, words, span });
        }
        word
    }

    fn text(&mut self, key: &str, value: &Value<'_>) -> Option<Placed<String>> {
        match value.get_ref() {
            DeValue::String(text) => Some(Placed { value: text.to_string(), span: value.span() }),
            _ => self.wrong(key, TEXT, value.span()),
        }
    }

    /// One text, or a list of them.
    fn texts(&mut self, key: &str, value: &Value<'_>) -> Vec<Placed<String>> {
        match value.get_ref() {
            DeValue::String(_) => self.text(key, value).into_iter().collect(),
            DeValue::Array(list) => list.iter().filter_map(|value| self.text(key, value)).collect(),
            _ => self.wrong(key, TEXTS, value.span()).unwrap_or_default(),
        }
    }

    fn table<'v, 't>(&mut self, key: &str, value: &'v Value<'t>) -> Option<&'v DeTable<'t>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.wrong(key, "a table", value.span()),
        }
    }

    /// The tables of `[[key]]`.
    fn tables<'v, 't>(&mut self, key: &str, value: &'v Value<'t>) -> Vec<(&'v DeTable<'t>, Range<usize>)> {
        let wanted = if key == "path" { "tables: write [[path]]" } else { "tables: write [[cluster]]" };
        let DeValue::Array(list) = value.get_ref() else {
            return self.wrong(key, wanted, value.span()).unwrap_or_default();
        };
        let mut tables = Vec::new();
        for value in list.iter() {
            match value.get_ref() {
                DeValue::Table(table) => tables.push((table, value.span())),
                _ => self.wrong(key, wanted, value.span()).unwrap_or_default(),
            }
        }
        tables
    }

    fn wrong<T>(&mut self, key: &str, wanted: &'static str, span: Range<usize>) -> Option<T> {
        self.errors.push(ProjectError::WrongType { key: key.to_owned(), wanted, span });
        None
    }

    fn missing(&mut self, table: &'static str, key: &'static str, why: &'static str, span: Range<usize>) {
        self.errors.push(ProjectError::MissingKey { table, key, why, span });
    }

    fn unknown(&mut self, key: &str, span: Range<usize>, table: &str, known: &'static [&'static str]) {
        self.errors.push(ProjectError::UnknownKey { key: key.to_owned(), table: table.to_owned(), known, span });
    }
}

fn severity(word: &str) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Advice].into_iter().find(|severity| severity.name() == word)
}
