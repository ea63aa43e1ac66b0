//! Makes fixes: chooses those that do not get in each other's way, applies them, and looks again until nothing changes.

use crate::catalog::{self, OptionId, Resolved};
use crate::edits;
use crate::finding::{Change, Edit, Finding, Fix, Safety};
use crate::lint::{self, Candidates, InputError, Report, Subject, Target};
use crate::optionfile::{markup, steered};
use crate::rules::RuleSet;
use crate::server::Server;
use crate::source::{FileId, FileKind, Files, Location, Sources, Span};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Which fixes are to be made.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The boldest that may be made. [`Safety::Manual`] allows no more than [`Safety::Unsafe`], since words change no file.
    pub allowed: Safety,
    /// Whether a file may be changed, by the path under which it was read. A fix is made whole or not at all.
    pub may_change: &'a dyn Fn(&Path) -> bool,
    /// Takes out of a report what nobody wants to see, and so nobody wants to have fixed.
    pub leave_out: &'a dyn Fn(&mut Report),
}

impl Wanted<'_> {
    /// Every fix up to `allowed`, in every file.
    pub fn all(allowed: Safety) -> Self {
        Self { allowed, may_change: &|_| true, leave_out: &|_| {} }
    }
}

/// One fix may uncover what another one is for: a group that is read has names, a name that is mended has a value that is judged.
const MOST_ROUNDS: usize = 5;

/// What came of it.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The new bytes of every file that changed, by the path under which it was read.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The findings whose fixes were made, in the order in which they were made.
    pub made: Vec<Made>,
    /// What was said about the files as they were.
    pub before: Report,
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
    /// Where its edits are in the files as they were before the first round.
    pub places: Vec<(PathBuf, Span)>,
}

/// Looks at a server, makes every fix that is wanted and looks again, at most five times.
///
/// Nothing is written: the caller gets the new bytes.
pub fn fix(files: &dyn Files, subject: &Subject, rules: &[RuleSet<'_>], wanted: Wanted<'_>) -> Fixed {
    let mut fixed = Fixed::default();
    let mut patched = Patched { files, changed: BTreeMap::new() };
    let mut history = History::default();
    let mut subject = subject.clone();
    for round in 1..=MOST_ROUNDS + 1 {
        let mut report = Report::default();
        let errors = lint::lint(&patched, with_changes(&subject, &patched), rules, &mut report);
        (wanted.leave_out)(&mut report);
        if round == 1 {
            fixed.errors = errors;
            fixed.before = report.clone();
            // An option that tells which server is meant may be what has to go.
            subject.candidates = report.targets.first().map(decided);
        }
        let chosen = choose(&report, wanted);
        let edits = by_file(&report, &chosen);
        let changed = applied(&report, &edits);
        if changed.is_empty() || round > MOST_ROUNDS {
            fixed.stable = changed.is_empty();
            fixed.report = report;
            break;
        }
        let places = |finding: &Finding| history.places(finding, &report);
        let made = |finding: &Finding| Made { round, finding: finding.clone(), places: places(finding) };
        fixed.made.extend(chosen.iter().map(|finding| made(finding)));
        history.add(&report, &edits);
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

/// The edits of the fixes, file by file, those that say the same once.
fn by_file<'r>(report: &Report, chosen: &[&'r Finding]) -> BTreeMap<FileId, Vec<&'r Edit>> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in chosen.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits) {
        // A file that was read twice is one file.
        let file = report.sources.find(report.sources.get(edit.at.file).path()).unwrap_or(edit.at.file);
        let edits = by_file.entry(file).or_default();
        if !edits.iter().any(|other| other.at.span == edit.at.span && other.bytes == edit.bytes) {
            edits.push(edit);
        }
    }
    by_file.values_mut().for_each(|edits| edits.sort_by_key(|edit| edit.at.span));
    by_file
}

/// The new bytes of every file that the edits change.
fn applied(report: &Report, by_file: &BTreeMap<FileId, Vec<&Edit>>) -> BTreeMap<PathBuf, Vec<u8>> {
    let new = by_file.iter().map(|(file, edits)| {
        let source = report.sources.get(*file);
        (source.path().to_owned(), edits::apply(source.bytes(), edits), source.bytes())
    });
    new.filter(|(_, new, old)| new != old).map(|(path, new, _)| (path, new)).collect()
}

/// The edits of the rounds so far, so that a place can be led back to the files as they were.
#[derive(Default)]
struct History(BTreeMap<PathBuf, Vec<Vec<(Span, u32)>>>);

impl History {
    /// Keeps the edits of a round: the bytes that went, and how many came.
    fn add(&mut self, report: &Report, by_file: &BTreeMap<FileId, Vec<&Edit>>) {
        for (file, edits) in by_file {
            let edits = edits.iter().map(|edit| (edit.at.span, edit.bytes.len() as u32)).collect();
            self.0.entry(report.sources.get(*file).path().to_owned()).or_default().push(edits);
        }
    }

    fn places(&self, finding: &Finding, report: &Report) -> Vec<(PathBuf, Span)> {
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        let place = |edit: &Edit| {
            let path = report.sources.get(edit.at.file).path();
            let rounds = self.0.get(path).map_or(&[][..], Vec::as_slice);
            let back = |at, end| rounds.iter().rev().fold(at, |at, edits| led_back(edits, at, end));
            (path.to_owned(), Span::new(back(edit.at.span.start, false), back(edit.at.span.end, true)))
        };
        edits.map(place).collect()
    }
}

/// The position before a round of edits of a position after it; inside new bytes, an end of the bytes that they replaced.
fn led_back(edits: &[(Span, u32)], at: u32, end: bool) -> u32 {
    let mut grown = 0_i64;
    for (old, new) in edits {
        let start = i64::from(old.start) + grown;
        if i64::from(at) < start {
            break;
        }
        if i64::from(at) < start + i64::from(*new) {
            return if end { old.end } else { old.start };
        }
        grown += i64::from(*new) - i64::from(old.len());
    }
    u32::try_from(i64::from(at) - grown).unwrap_or(0)
}

/// The findings whose fixes can be made together, worst first.
///
/// Two fixes get in each other's way when they touch the same setting or the same bytes; the first one is made, the other one
/// has its turn in the next round, if it still stands. One that was computed from a setting which another one changes waits as well: fewer
/// connections are not the answer to sort buffers that are about to shrink.
pub fn choose<'r>(report: &'r Report, wanted: Wanted<'_>) -> Vec<&'r Finding> {
    let possible = possible(report, wanted);
    let mut chosen: Vec<&Finding> = Vec::new();
    let mut taken = Taken::default();
    for one in &possible {
        let waits = possible.iter().any(|other| one.rests_on(other) && !other.rests_on(one));
        if !waits && taken.take(&one.settings, &one.fix.edits) {
            chosen.push(one.finding);
        }
    }
    // Where each waits for another one, the worst goes first.
    if chosen.is_empty() {
        chosen.extend(possible.first().map(|one| one.finding));
    }
    chosen
}

/// A fix that may be made.
struct Possible<'r> {
    finding: &'r Finding,
    fix: &'r Fix,
    settings: Settings,
    /// The settings and facts from which it was computed.
    reads: Vec<String>,
}

impl Possible<'_> {
    fn rests_on(&self, other: &Self) -> bool {
        other
            .settings
            .changed
            .iter()
            .any(|changed| self.reads.contains(changed) && !self.settings.changed.contains(changed))
    }
}

/// Every fix that may be made, worst first.
fn possible<'r>(report: &'r Report, wanted: Wanted<'_>) -> Vec<Possible<'r>> {
    let mut possible = Vec::new();
    let mut limits = Limits { sources: &report.sources, wanted, blocks: BTreeMap::new(), markup: BTreeMap::new() };
    for located in &report.findings {
        let Some(fix) = located.finding.fix.as_ref().filter(|fix| limits.allow(&located.finding, fix)) else {
            continue;
        };
        let target = report.targets.get(located.target);
        let mut servers = target.map_or_else(Vec::new, |target| target.servers.clone());
        servers.extend(target.and_then(|target| target.upgrade.as_ref()).map(|upgrade| upgrade.server));
        let settings = settings(&located.finding, fix, &servers);
        let reads = located.finding.evidence.iter().flat_map(|read| variables(read.name, &servers)).collect();
        possible.push(Possible { finding: &located.finding, fix, settings, reads });
    }
    possible
}

/// What no fix may touch.
struct Limits<'r, 'w> {
    sources: &'r Sources,
    wanted: Wanted<'w>,
    /// The parts of each file that a template's control lines steer, once somebody asked.
    blocks: BTreeMap<FileId, Vec<Span>>,
    /// Where each file holds markup.
    markup: BTreeMap<FileId, Vec<Span>>,
}

impl Limits<'_, '_> {
    fn allow(&mut self, finding: &Finding, fix: &Fix) -> bool {
        fix.safety <= self.wanted.allowed
            && fix.safety != Safety::Manual
            && !fix.edits.is_empty()
            && fix.edits.iter().all(|edit| self.may_change(edit))
            // Of two lines in two branches of a template neither is idle: which one counts is decided elsewhere.
            && !finding.related.iter().chain([&finding.primary]).any(|label| self.is_steered(label.location))
    }

    fn may_change(&mut self, edit: &Edit) -> bool {
        let source = self.sources.get(edit.at.file);
        let holds_replacement = |bytes: &[u8]| bytes.windows(3).any(|window| window == "\u{fffd}".as_bytes());
        // Text that was made from bytes in another encoding would not give these bytes back.
        let garbled = holds_replacement(&edit.bytes) && !holds_replacement(edit.at.span.of(source.bytes()));
        !garbled && (self.wanted.may_change)(source.path()) && !self.is_steered(edit.at) && !self.is_markup(edit.at)
    }

    fn is_markup(&mut self, at: Location) -> bool {
        let sources = self.sources;
        let tags = self.markup.entry(at.file).or_insert_with(|| markup(sources.get(at.file).bytes()));
        tags.iter().any(|tag| at.span.start < tag.end && tag.start < at.span.end)
    }

    fn is_steered(&mut self, at: Location) -> bool {
        let sources = self.sources;
        let blocks = self.blocks.entry(at.file).or_insert_with(|| steered(sources.get(at.file).bytes()));
        // To insert right before a block or right behind it does not touch it.
        blocks.iter().any(|block| at.span.start < block.end && block.start < at.span.end)
    }
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
    fn take(&mut self, settings: &Settings, edits: &[Edit]) -> bool {
        // What does the very same is no conflict.
        let new: Vec<_> = edits.iter().filter(|edit| !self.edits.contains(edit)).cloned().collect();
        let overlaps = new.iter().any(|edit| self.edits.iter().any(|other| overlap(edit.at, other.at)));
        if !new.is_empty() && (overlaps || self.settings.conflict(settings)) {
            return false;
        }
        self.settings.changed.extend(settings.changed.iter().cloned());
        self.settings.respelled.extend(settings.respelled.iter().cloned());
        self.edits.extend(new);
        true
    }
}

/// Whether two edits touch the same bytes, or one inserts where the other one replaces. Lines that are added at one place get along.
fn overlap(left: Location, right: Location) -> bool {
    let (one, other) = (left.span, right.span);
    let apart = one.end <= other.start || other.end <= one.start;
    let both_insert = one.is_empty() && other.is_empty();
    left.file == right.file && (!apart || one.start == other.start && !both_insert)
}

fn settings(finding: &Finding, fix: &Fix, servers: &[Server]) -> Settings {
    let mut settings = Settings::default();
    let variables = |name: &str| variables(name, servers);
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

fn variables(name: &str, servers: &[Server]) -> Vec<String> {
    match servers {
        [] => vec![variable(name, None)],
        _ => servers.iter().map(|server| variable(name, Some(*server))).collect(),
    }
}

fn variable(name: &str, server: Option<Server>) -> String {
    let resolved = server.map(|server| (server, catalog::resolve(name.as_bytes(), server)));
    match resolved {
        Some((server, Resolved::Option { id, .. })) => catalog::setting(id, server).variable.name().to_owned(),
        _ => OptionId::from_name(name).map_or_else(|| name.to_owned(), |id| id.name().to_owned()),
    }
}

/// A disk with other bytes in some files.
pub struct Patched<'f> {
    /// The disk.
    pub files: &'f dyn Files,
    /// The files that are different now.
    pub changed: BTreeMap<PathBuf, Vec<u8>>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A byte that no edit touched comes from where it stood.
        #[test]
        fn places_lead_back(pieces in proptest::collection::vec((1_u32..5, 0_u32..4, 0_u32..4), 1..6)) {
            let (mut old, mut new, mut edits, mut kept) = (0, 0, Vec::new(), Vec::new());
            for (same, goes, comes) in pieces {
                kept.extend((0..same).map(|at| (old + at, new + at)));
                edits.push((Span::new(old + same, old + same + goes), comes));
                old += same + goes;
                new += same + comes;
            }
            for (before, after) in kept {
                prop_assert_eq!(led_back(&edits, after, false), before);
            }
        }
    }
}
