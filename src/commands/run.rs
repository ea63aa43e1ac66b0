//! One run of `check`: what was asked for, the servers one after the other, and what it has come to.

use super::Status;
use super::baseline;
use super::fence::Fence;
use super::gather::{Gathered, Place};
use super::overlay::Overlay;
use super::project;
use super::selection::Selections;
use crate::cli::{CheckArguments, FactArguments, FailOn, Required};
use cnflint::facts::{FactSource, Facts, file};
use cnflint::fix::{Fixed, Wanted};
use cnflint::lint::{self, InputError, Report, ServerSource, Subject, Target};
use cnflint::pages::RulePage;
use cnflint::project::{Cluster, Projects};
use cnflint::report::human::Mistake;
use cnflint::rules::RuleSet;
use cnflint::source::Files;
use cnflint::suppress::configuration::{self, Heeded, project_of};
use cnflint::suppress::{Baseline, UNUSED_IGNORE};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// What `check` asks the rooms of the house for.
pub struct Rooms<'a> {
    /// The real disk.
    pub files: &'a dyn Files,
    /// Where cnflint runs.
    pub place: Place,
    /// Whether this is a build machine (`CI` is set): then it is not the database host.
    pub build_machine: bool,
    /// Every rule, the site's own among them.
    pub rules: &'a [RulePage],
    /// The same as they are evaluated.
    pub sets: &'a [RuleSet<'a>],
    /// The project's configuration, or several.
    pub projects: &'a Projects,
    /// Adds what this host tells: the installed server, facts, persisted variables.
    pub look_at_host: &'a dyn Fn(&dyn Files, &mut Subject),
    /// The runner: adds what it found to the report.
    pub lint: &'a mut dyn FnMut(&dyn Files, Subject, &mut Report) -> Vec<InputError>,
    /// Takes out what comments ask to leave out.
    pub suppress: &'a dyn Fn(&mut Report),
    /// Makes fixes, in memory.
    pub fix: &'a dyn Fn(&dyn Files, &Subject, Wanted<'_>) -> Fixed,
    /// Gives a file new bytes in place of those that it is known to have.
    pub replace: fn(&Path, &[u8], &[u8]) -> io::Result<()>,
}

/// A run, and what it has come to so far.
pub struct Run<'a, 'f> {
    /// What was asked for.
    pub arguments: &'a CheckArguments,
    selections: Selections,
    given: Facts,
    /// The disk with the candidate of `--as` on it.
    pub files: Overlay<'f>,
    /// The directories that exist; `None`: all.
    pub within: Option<BTreeSet<PathBuf>>,
    /// The findings that are known.
    pub baseline: Option<Baseline>,
    baseline_path: Option<PathBuf>,
    /// What was seen of the `ignore` lists of the configuration.
    heeded: Heeded,
    /// How many servers are still to be looked at.
    open: usize,
    /// The files from which servers start to read, where there are several servers.
    roots: Option<BTreeSet<PathBuf>>,
    /// How the run ends, as far as it is known.
    pub status: Status,
    /// What the user is told on standard error.
    pub notes: Vec<String>,
    /// How many servers were looked at.
    targets: usize,
    /// What `--require` asks for and some server lacks.
    lacking: Vec<Required>,
}

impl<'a, 'f> Run<'a, 'f> {
    /// A run over what was gathered, before the first server is looked at.
    ///
    /// # Errors
    /// Bad usage.
    pub fn prepare(
        arguments: &'a CheckArguments,
        gathered: Gathered,
        rooms: &mut Rooms<'f>,
    ) -> Result<(Self, Vec<Subject>), Mistake> {
        let selections = Selections::new(&arguments.selection, rooms.projects, rooms.rules)?;
        let baseline_path = match &arguments.selection.baseline {
            Some(path) => Some(path.clone()),
            None => project::baseline(rooms.projects)?,
        };
        let writes_baseline = arguments.selection.write_baseline;
        let start = &rooms.place.working_directory;
        let baseline = baseline::read(baseline_path.as_deref(), writes_baseline, rooms.files, start)?;
        let given = given_facts(&arguments.facts, rooms.files)?;
        let Gathered { subjects, candidate, unreadable, notes: choice, excluded, taken, left_alone } = gathered;
        let mut status = if unreadable.is_empty() { Status::Clean } else { Status::Unreadable };
        let unreadable_note = |(path, error): &(PathBuf, io::Error)| format!("cannot read {}: {error}", path.display());
        let mut notes: Vec<_> = unreadable.iter().map(unreadable_note).chain(choice).collect();
        if arguments.output.verbose {
            notes.extend(taken);
        }
        let nothing_else = left_alone.is_empty();
        if arguments.output.verbose || subjects.is_empty() {
            notes.extend(left_alone);
        }
        if subjects.is_empty() && unreadable.is_empty() && nothing_else {
            if excluded > 0 {
                notes.push("nothing to lint: cnflint.toml excludes all that was named or found".to_owned());
            } else {
                notes.push("nothing to lint: no option file was named or found".to_owned());
                status = Status::NothingToLint;
            }
        }
        let within = fenced(arguments, rooms, &subjects);
        let files = Overlay { below: rooms.files, file: candidate };
        let paths = || subjects.iter().flat_map(|subject| &subject.roots).map(|(path, _)| path.clone()).collect();
        let roots = (subjects.len() > 1).then(paths);
        let run = Self {
            arguments,
            selections,
            given,
            files,
            within,
            baseline,
            baseline_path,
            heeded: Heeded::default(),
            open: subjects.len(),
            roots,
            status,
            notes,
            targets: 0,
            lacking: Vec::new(),
        };
        Ok((run, subjects))
    }

    /// Programs get one list, the worst of all servers first, which has to be known as a whole.
    pub fn all_servers(&mut self, subjects: Vec<Subject>, rooms: &mut Rooms) -> Report {
        let mut report = Report::default();
        self.open = self.open.saturating_sub(subjects.len());
        let mut clusters: Vec<(&Cluster, Vec<usize>)> = Vec::new();
        for subject in subjects {
            let mut subject = self.prepared(subject, rooms);
            let its_clusters = project::clusters_of(&subject, rooms.projects);
            subject.compared = !its_clusters.is_empty();
            let target = report.targets.len();
            let files = Fence { below: &self.files, within: self.within.as_ref() };
            for error in (rooms.lint)(&files, subject, &mut report) {
                self.notes.push(error.to_string());
                self.status = self.status.max(Status::Unreadable);
            }
            // What could not be read is no target.
            for cluster in its_clusters.into_iter().filter(|_| report.targets.len() > target) {
                match clusters.iter_mut().find(|(known, _)| std::ptr::eq(*known, cluster)) {
                    Some((_, targets)) => targets.push(target),
                    None => clusters.push((cluster, vec![target])),
                }
            }
        }
        for (cluster, targets) in clusters {
            lint::compare(cluster.kind, &targets, rooms.sets, &mut report);
        }
        let (mut baseline, mut heeded) = (self.baseline.take(), std::mem::take(&mut self.heeded));
        self.leave_out(&mut report, baseline.as_mut(), &mut heeded, rooms);
        if self.open == 0 && !self.arguments.selection.no_ignores {
            configuration::unused(&heeded, &mut report, rooms.projects, rooms.files, rooms.sets);
            configuration::weigh(&mut report, rooms.projects);
            self.selections.apply(&mut report, rooms.projects);
        }
        (self.baseline, self.heeded) = (baseline, heeded);
        report.findings.sort_by_key(|located| {
            (Reverse(located.finding.severity), located.target, located.finding.primary.location)
        });
        self.judge(&report, rooms.projects);
        report
    }

    /// The subject with all that is known around it.
    pub fn prepared(&self, mut subject: Subject, rooms: &Rooms) -> Subject {
        let files = Fence { below: &self.files, within: self.within.as_ref() };
        subject.facts = self.given.clone();
        subject.upgrade_to = self.arguments.upgrade_to.map(|server| (server, ServerSource::Flag));
        project::configure(&mut subject, rooms.projects);
        let flags = &self.arguments.facts;
        let here = subject.own_files && !rooms.build_machine && !flags.no_detect;
        subject.own_host = here || flags.detect;
        if subject.own_host {
            (rooms.look_at_host)(&files, &mut subject);
        } else {
            subject.host_reads.clear();
        }
        subject
    }

    /// Takes out what comments, the configuration, the selection and a baseline leave out.
    pub fn leave_out(&self, report: &mut Report, baseline: Option<&mut Baseline>, heeded: &mut Heeded, rooms: &Rooms) {
        if !self.arguments.selection.no_ignores {
            (rooms.suppress)(report);
            configuration::leave_out(report, rooms.projects, rooms.sets, heeded);
        }
        // Behind the comments: one about a rule that is switched off is not idle.
        configuration::weigh(report, rooms.projects);
        if let Some(roots) = &self.roots {
            // What one server does not need, another one that includes the same file may.
            let sources = &report.sources;
            report.findings.retain(|located| {
                let path = sources.get(located.finding.primary.location.file).path();
                located.finding.rule != UNUSED_IGNORE || roots.contains(path)
            });
        }
        let Some(baseline) = baseline else { return self.selections.apply(report, rooms.projects) };
        // A new baseline holds what was selected. One that is there keeps what was not, as long as it is still found.
        if baseline.is_new() {
            self.selections.apply(report, rooms.projects);
            baseline.see(report);
        } else {
            baseline.see(report);
            self.selections.apply(report, rooms.projects);
        }
        baseline.hide(report);
    }

    fn judge(&mut self, report: &Report, projects: &Projects) {
        let flag = self.arguments.selection.fail_on;
        let fails =
            |target| flag.or_else(|| project::fail_on(project_of(report, target, projects))).unwrap_or_default();
        let fail_on: Vec<FailOn> = (0..report.targets.len()).map(fails).collect();
        let fails = |target: usize| fail_on.get(target).copied().unwrap_or_default();
        if report.findings.iter().any(|located| fails(located.target).includes(located.finding.severity)) {
            self.status = self.status.max(Status::Findings);
        }
        self.targets += report.targets.len();
        for required in &self.arguments.require {
            let is_missing = report.targets.iter().any(|target| lacks(target, *required));
            if is_missing && !self.lacking.contains(required) {
                self.lacking.push(*required);
            }
        }
    }

    /// What is only known at the end: whether every server had what is required, and what the baseline still holds.
    ///
    /// # Errors
    /// A baseline that cannot be written.
    pub fn conclude(&mut self) -> Result<(), Mistake> {
        let is_missing = |required: &&Required| self.targets == 0 || self.lacking.contains(required);
        let names: Vec<_> =
            self.arguments.require.iter().filter(is_missing).map(|required| format!("--{}", required.name())).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            self.notes.push(format!("required, but not known: {names}; give them, a --facts file, or --detect"));
            self.status = Status::Usage;
        }
        match (&self.baseline_path, &self.baseline) {
            (Some(path), Some(baseline)) if self.arguments.selection.write_baseline => {
                baseline::write(path, baseline, self.files.below)
            }
            _ => Ok(()),
        }
    }
}

fn lacks(target: &Target, what: Required) -> bool {
    match what {
        Required::Server => target.server_source == ServerSource::Assumed,
        Required::Fact(id) => match target.facts.get(id) {
            Some(known) => matches!(known.source, FactSource::Assumed(_)),
            None => true,
        },
    }
}

/// The directories that a build machine is looked at: the working directory, and those of the files that were named. Everywhere
/// else, and where `--root` or `--detect` says which machine is meant, all of them.
fn fenced(arguments: &CheckArguments, rooms: &Rooms, subjects: &[Subject]) -> Option<BTreeSet<PathBuf>> {
    if !rooms.build_machine || arguments.facts.detect || arguments.target.root.is_some() {
        return None;
    }
    let start = &rooms.place.working_directory;
    let named = subjects
        .iter()
        .flat_map(|subject| &subject.roots)
        .filter_map(|(path, _)| start.join(path).parent().map(Path::to_owned));
    let roots = subjects.iter().filter_map(|subject| subject.include_root.clone());
    Some(std::iter::once(start.clone()).chain(named).chain(roots).collect())
}

/// The facts of the flags, then those of the files in their order.
///
/// # Errors
/// When a file cannot be read or holds a mistake.
pub fn given_facts(arguments: &FactArguments, files: &dyn Files) -> Result<Facts, Mistake> {
    let mut facts = arguments.given();
    for path in &arguments.files {
        facts.fill_from(facts_file(path, files)?);
    }
    Ok(facts)
}

fn facts_file(path: &Path, files: &dyn Files) -> Result<Facts, Mistake> {
    let name = path.to_string_lossy();
    let plain = |message| Mistake { message, ..Mistake::default() };
    let bytes = files.read(path).map_err(|error| plain(format!("cannot read {name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| plain(format!("{name} is not UTF-8")))?;
    file::parse(&name, &text).map_err(|error| Mistake {
        message: error.to_string(),
        help: None,
        place: Some((name.into_owned(), text.clone(), error.span())),
    })
}
