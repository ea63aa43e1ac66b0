//! Makes fixes: chooses those that do not get in each other's way, applies them, and looks again until nothing changes.

use crate::catalog::{self, OptionId, Resolved};
use crate::edits;
use crate::finding::{Change, Edit, Finding, Fix, Safety};
use crate::lint::{self, Candidates, InputError, Report, Subject, Target};
use crate::rules::RuleSet;
use crate::server::Server;
use crate::source::{FileId, FileKind, Files, Location};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// One fix may uncover what another one is for: a name that is mended has a value that is judged. Longer chains are not known.
const MOST_ROUNDS: usize = 5;

/// What came of it.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The new bytes of every file that changed, by the path under which it was read.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The findings whose fixes were made, in the order in which they were made.
    pub made: Vec<Made>,
    /// What is said about the files as they are now.
    pub report: Report,
    /// Whether the last look found nothing more to fix.
    pub stable: bool,
    /// What could not be read.
    pub errors: Vec<InputError>,
}

/// A fix that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The round, from 1: the spans are those of the files as they were at its beginning.
    pub round: usize,
    /// What was found, with its fix.
    pub finding: Finding,
}

/// Looks at a server, makes every fix up to `allowed` and looks again, at most five times.
///
/// Nothing is written: the caller gets the new bytes. [`Safety::Manual`] allows no more than [`Safety::Unsafe`], since words change no file.
pub fn fix(files: &dyn Files, subject: &Subject, rules: &[RuleSet<'_>], allowed: Safety) -> Fixed {
    let mut fixed = Fixed::default();
    let mut patched = Patched { files, changed: BTreeMap::new() };
    let mut subject = subject.clone();
    for round in 1..=MOST_ROUNDS + 1 {
        let mut report = Report::default();
        let errors = lint::lint(&patched, with_changes(&subject, &patched), rules, &mut report);
        if round == 1 {
            fixed.errors = errors;
            // An option that tells which server is meant may be what has to go.
            subject.candidates = report.targets.first().map(decided);
        }
        let chosen = if round > MOST_ROUNDS { Vec::new() } else { choose(&report, allowed) };
        let changed = applied(&report, &chosen);
        if changed.is_empty() {
            fixed.stable = round <= MOST_ROUNDS;
            fixed.report = report;
            break;
        }
        fixed.made.extend(chosen.into_iter().map(|finding| Made { round, finding: finding.clone() }));
        patched.changed.extend(changed);
    }
    fixed.files = patched.changed;
    fixed
}

fn decided(target: &Target) -> Candidates {
    Candidates {
        servers: target.servers.clone(),
        choice: target.choice,
        title: target.server_title.clone(),
        source: target.server_source.clone(),
    }
}

/// The subject with the bytes of its files as they are now.
fn with_changes(subject: &Subject, patched: &Patched<'_>) -> Subject {
    let mut subject = subject.clone();
    for (path, bytes) in &mut subject.roots {
        if let Some(changed) = patched.changed.get(path) {
            *bytes = Some(changed.clone());
        }
    }
    subject
}

/// The new bytes of every file that the fixes change.
fn applied(report: &Report, chosen: &[&Finding]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in chosen.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits) {
        let edits = by_file.entry(edit.at.file).or_default();
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    let new = by_file.into_iter().map(|(file, edits)| {
        let source = report.sources.get(file);
        (source.path().to_owned(), edits::apply(source.bytes(), &edits), source.bytes())
    });
    new.filter(|(_, new, old)| new != old).map(|(path, new, _)| (path, new)).collect()
}

/// The findings whose fixes can be made together, worst first.
///
/// Two fixes get in each other's way when they touch the same setting or the same bytes; the first one is made, the other one
/// has its turn in the next round, if it still stands.
pub fn choose(report: &Report, allowed: Safety) -> Vec<&Finding> {
    let mut chosen: Vec<&Finding> = Vec::new();
    let mut taken = Taken::default();
    for located in &report.findings {
        let Some(fix) = located.finding.fix.as_ref().filter(|fix| is_allowed(fix, allowed)) else { continue };
        let servers = report.targets.get(located.target).map_or(&[][..], |target| &target.servers);
        let settings = settings(&located.finding, fix, servers);
        if taken.take(settings, &fix.edits) {
            chosen.push(&located.finding);
        }
    }
    chosen
}

fn is_allowed(fix: &Fix, allowed: Safety) -> bool {
    fix.safety <= allowed && fix.safety != Safety::Manual && !fix.edits.is_empty()
}

/// What the chosen fixes touch.
#[derive(Default)]
struct Taken {
    settings: Settings,
    edits: Vec<Edit>,
}

/// The system variables that fixes are about, by name; a name that no server knows stands for itself.
#[derive(Default)]
struct Settings {
    /// Those that get another value, or lose theirs.
    changed: Vec<String>,
    /// Those of which one line is written another way: other lines may be, too.
    respelled: Vec<String>,
}

impl Settings {
    fn conflict(&self, other: &Self) -> bool {
        let has = |list: &[String], names: &[String]| names.iter().any(|name| list.contains(name));
        has(&self.changed, &other.changed)
            || has(&self.changed, &other.respelled)
            || has(&self.respelled, &other.changed)
    }
}

impl Taken {
    /// Takes settings and bytes for one fix, unless another one has them.
    fn take(&mut self, settings: Settings, edits: &[Edit]) -> bool {
        // What does the very same is no conflict.
        let new: Vec<_> = edits.iter().filter(|edit| !self.edits.contains(edit)).cloned().collect();
        let overlaps = new.iter().any(|edit| self.edits.iter().any(|other| overlap(edit.at, other.at)));
        if !new.is_empty() && (overlaps || self.settings.conflict(&settings)) {
            return false;
        }
        self.settings.changed.extend(settings.changed);
        self.settings.respelled.extend(settings.respelled);
        self.edits.extend(new);
        true
    }
}

/// Whether two edits touch the same bytes, or insert at the same place.
fn overlap(left: Location, right: Location) -> bool {
    let (one, other) = (left.span, right.span);
    let apart = one.end <= other.start || other.end <= one.start;
    left.file == right.file && (!apart || one.start == other.start)
}

fn settings(finding: &Finding, fix: &Fix, servers: &[Server]) -> Settings {
    let mut settings = Settings::default();
    let variables = |name: &str| -> Vec<String> {
        match servers {
            [] => vec![variable(name, None)],
            _ => servers.iter().map(|server| variable(name, Some(*server))).collect(),
        }
    };
    for change in &fix.changes {
        match change {
            Change::Set { option, .. } | Change::Remove { option } => settings.changed.extend(variables(option)),
            Change::Rename { from, to } => {
                settings.changed.extend(variables(from).into_iter().chain(variables(to)));
            }
            Change::Respell { text, .. } => {
                settings.respelled.extend(finding.option.as_deref().into_iter().flat_map(&variables));
                // A name that is mended becomes an option.
                let name = text.split('=').next().unwrap_or_default().trim();
                settings.respelled.extend(variables(name));
            }
        }
    }
    settings
}

fn variable(name: &str, server: Option<Server>) -> String {
    let resolved = server.map(|server| (server, catalog::resolve(name.as_bytes(), server)));
    match resolved {
        Some((server, Resolved::Option { id, .. })) => catalog::setting(id, server).variable.name().to_owned(),
        _ => OptionId::from_name(name).map_or_else(|| name.to_owned(), |id| id.name().to_owned()),
    }
}

/// A disk with other bytes in some files.
struct Patched<'f> {
    files: &'f dyn Files,
    changed: BTreeMap<PathBuf, Vec<u8>>,
}

impl Files for Patched<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.changed.get(path).map_or_else(|| self.files.read(path), |bytes| Ok(bytes.clone()))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.files.list(path)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.files.kind(path)
    }
}
