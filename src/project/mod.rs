//! `cnflint.toml`: what a project says about its servers, their files, and which findings count.
//!
//! It is found upward from the linted file, the nearest one wins, and everything in it is about the files below its directory.
//! What the command line says outranks it, and so does a comment in an option file; it outranks what is detected.

mod error;
mod find;
mod globs;
mod read;

pub use crate::source::lexical;
pub use error::ProjectError;
pub use find::{FILE_NAME, ProjectFileError, Projects};
pub use globs::Globs;
pub use read::{CLUSTER_KEYS, FAIL_ON, KINDS, LEVELS, PATH_KEYS, TOP_KEYS};

use crate::checks::cluster::Topology;
use crate::facts::Facts;
use crate::finding::Severity;
use crate::rules::{self, RuleSet};
use crate::server::ServerSpec;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One `cnflint.toml`.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its absolute path.
    pub path: PathBuf,
    /// The path as reports show it.
    pub shown: String,
    /// Its text.
    pub text: String,
    /// What holds for every file.
    pub general: Scope,
    /// What holds for some files, over what stands above it.
    pub paths: Vec<PathScope>,
    /// The rules or areas that count; empty: all.
    pub select: Vec<Placed<String>>,
    /// The rules or areas that do not count.
    pub ignore: Vec<Placed<String>>,
    /// What is less severe is left out.
    pub min_severity: Option<Severity>,
    /// The severity from which on a run fails.
    pub fail_on: Option<FailsOn>,
    /// Directories with rules of the project's own.
    pub rules: Vec<PathBuf>,
    /// The directory below which absolute include paths are resolved.
    pub root: Option<PathBuf>,
    /// The files that are not linted.
    pub exclude: Globs,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    clusters: Vec<Cluster>,
}

/// A value, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// What a file's settings are judged by.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The server.
    pub server: Option<Placed<ServerSpec>>,
    /// The server that is to take its place.
    pub upgrade_to: Option<Placed<ServerSpec>>,
    /// What is known about machine and workload.
    pub facts: Facts,
    /// A file with more facts, by absolute path.
    pub facts_file: Option<Placed<PathBuf>>,
    /// Other severities than the rules' own.
    pub severity: Vec<(Placed<String>, Level)>,
}

/// What `[[path]]` says about some files.
#[derive(Clone, Debug)]
pub struct PathScope {
    /// Which files.
    pub files: Globs,
    /// What holds for them.
    pub scope: Scope,
    /// The rules whose findings are left out there.
    pub ignore: Vec<Placed<String>>,
    /// Why they are.
    pub reason: String,
}

/// A severity in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The rule does not count.
    Off,
    /// Its findings have this severity.
    Is(Severity),
}

/// From which severity on a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailsOn {
    /// From this one on.
    From(Severity),
    /// From none.
    Never,
}

/// Servers that work together, by the files that they are configured with.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// How the project calls it.
    pub name: String,
    /// How its servers work together.
    pub kind: Topology,
    /// The files, one or more for each server.
    pub files: Globs,
    /// Where its name is written.
    pub span: Range<usize>,
}

impl Cluster {
    /// Whether a file, by absolute path, configures one of its servers.
    pub fn holds(&self, file: &Path) -> bool {
        self.files.matches(file)
    }
}

impl Project {
    /// Reads the text of a `cnflint.toml`. `path` is absolute, `shown` is what reports call it.
    ///
    /// # Errors
    /// Everything that is wrong in it, from the top. Whether the rules exist is not known yet: see [`Project::check_rules`].
    pub fn parse(path: &Path, shown: &str, text: String) -> Result<Self, Vec<ProjectError>> {
        read::read(path, shown, text)
    }

    /// The directory that its paths start from.
    pub fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// What says so, for people: `cnflint.toml:12`.
    pub fn place(&self, span: &Range<usize>) -> String {
        read::place(&self.shown, &self.text, span.start)
    }

    /// The clusters, in the order in which they are written.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The `[[path]]` entries that are about a file, the one that counts most last.
    pub fn paths_of(&self, file: &Path) -> impl DoubleEndedIterator<Item = &PathScope> {
        self.paths.iter().filter(move |entry| entry.files.matches(file))
    }

    /// What holds for a file, the scope that counts most first.
    pub fn scopes_of(&self, file: &Path) -> impl Iterator<Item = &Scope> {
        let special: Vec<_> = self.paths_of(file).map(|entry| &entry.scope).collect();
        special.into_iter().rev().chain([&self.general])
    }

    /// The server that a file is for.
    pub fn server_of(&self, file: &Path) -> Option<&Placed<ServerSpec>> {
        self.scopes_of(file).find_map(|scope| scope.server.as_ref())
    }

    /// The server that is to take the other's place.
    pub fn upgrade_of(&self, file: &Path) -> Option<&Placed<ServerSpec>> {
        self.scopes_of(file).find_map(|scope| scope.upgrade_to.as_ref())
    }

    /// What is known about the machine and the work of a file's server.
    pub fn facts_of(&self, file: &Path) -> Facts {
        let mut facts = Facts::default();
        self.scopes_of(file).for_each(|scope| facts.fill_from(scope.facts.clone()));
        facts
    }

    /// The severity of a rule in a file, where it is not the rule's own.
    pub fn severity_of(&self, rule: &str, file: &Path) -> Option<Level> {
        let in_scope = |scope: &Scope| {
            let named =
                |(name, level): &(Placed<String>, Level)| (rules::current(&name.value) == rule).then_some(*level);
            scope.severity.iter().find_map(named)
        };
        self.scopes_of(file).find_map(in_scope)
    }

    /// What names a rule that there is not. `select` and `ignore` also take areas and a `*`.
    pub fn check_rules(&self, rules: &[RuleSet<'_>]) -> Vec<ProjectError> {
        let all = || rules.iter().flat_map(|set| set.iter());
        let unknown = |name: &Placed<String>, areas: bool| {
            let known = all().any(|rule| {
                let areas =
                    areas && (pattern_matches(&name.value, rule.id()) || pattern_matches(&name.value, rule.area()));
                rule.id() == rules::current(&name.value) || areas
            });
            let names = || all().flat_map(|rule| [rule.id(), rule.area()].into_iter().take(1 + usize::from(areas)));
            (!known).then(|| ProjectError::unknown_rule(name, areas, names()))
        };
        let mut errors: Vec<_> =
            self.select.iter().chain(&self.ignore).filter_map(|name| unknown(name, true)).collect();
        let scopes = self.paths.iter().map(|entry| &entry.scope).chain([&self.general]);
        errors.extend(scopes.flat_map(|scope| &scope.severity).filter_map(|(name, _)| unknown(name, false)));
        errors.extend(self.paths.iter().flat_map(|entry| &entry.ignore).filter_map(|name| unknown(name, true)));
        errors.sort_by_key(|error| error.span().start);
        errors
    }
}

/// Whether the name of a rule or an area matches a pattern in which `*` stands for any text.
pub fn pattern_matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => rules::current(pattern) == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| pattern_matches(tail, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests;
