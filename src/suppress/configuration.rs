//! What `cnflint.toml` says about findings: other severities, and what is left out in some files, with a reason.

use super::finding;
use crate::finding::{Fix, Safety};
use crate::lint::{Located, Report, ServerSource};
use crate::optionfile::is_option_file;
use crate::project::{Globs, Level, Placed, Project, Projects, pattern_matches};
use crate::rules::RuleSet;
use crate::source::{FileKind, Files, Location, SourceFile, Span};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Directories are not followed deeper: links can lead in circles.
const DEEPEST: usize = 24;

/// One rule in an `ignore` list: the configuration's path, its `[[path]]` entry (`None`: the list at the top), the place in the list.
type Entry = (PathBuf, Option<usize>, usize);

/// What a run has seen of the `ignore` lists.
#[derive(Clone, Debug, Default)]
pub struct Heeded {
    /// What hid a finding.
    used: BTreeSet<Entry>,
    /// What might have hidden one, had more been known.
    open: BTreeSet<Entry>,
    /// The files that were read, by absolute path.
    read: BTreeSet<PathBuf>,
}

/// The project that a server belongs to: that of the first of its files which has one.
pub fn project_of<'p>(report: &Report, target: usize, projects: &'p Projects) -> Option<&'p Project> {
    let files = &report.targets.get(target)?.files;
    files.iter().find_map(|file| projects.of(report.sources.get(*file).path()))
}

/// Gives findings the severities of the configuration, and takes out what it switches off.
pub fn weigh(report: &mut Report, projects: &Projects) {
    if projects.all().is_empty() {
        return;
    }
    let mut findings = std::mem::take(&mut report.findings);
    findings.retain_mut(|located| {
        let Some(project) = project_of(report, located.target, projects) else { return true };
        let file = projects.absolute(report.sources.get(located.finding.primary.location.file).path());
        match project.severity_of(&located.finding.rule, &file) {
            None => true,
            Some(Level::Off) => false,
            Some(Level::Is(severity)) => {
                located.finding.severity = severity;
                true
            }
        }
    });
    report.findings = findings;
}

/// Takes out and counts what the configuration leaves out.
pub fn leave_out(report: &mut Report, projects: &Projects, rules: &[RuleSet<'_>], heeded: &mut Heeded) {
    if projects.all().iter().all(|project| entries(project).next().is_none()) {
        return;
    }
    look_for_unknowns(report, projects, rules, heeded);
    let findings = std::mem::take(&mut report.findings);
    let before = findings.len();
    for located in findings {
        let file = projects.absolute(report.sources.get(located.finding.primary.location.file).path());
        let project = project_of(report, located.target, projects);
        let about_it = |(_, globs, name): &(Entry, Option<&Globs>, &Placed<String>)| {
            globs.is_none_or(|globs| globs.matches(&file)) && names(&name.value, &located.finding.rule, rules)
        };
        // Every entry that hides it is in use.
        let hiding: Vec<_> = project.into_iter().flat_map(entries).filter(about_it).map(|(entry, ..)| entry).collect();
        if hiding.is_empty() {
            report.findings.push(located);
        }
        heeded.used.extend(hiding);
    }
    report.suppressed += u32::try_from(before - report.findings.len()).unwrap_or(u32::MAX);
}

/// Notes which files were read, and which entries cannot be called idle.
fn look_for_unknowns(report: &Report, projects: &Projects, rules: &[RuleSet<'_>], heeded: &mut Heeded) {
    for (index, target) in report.targets.iter().enumerate() {
        let paths = target.files.iter().map(|file| projects.absolute(report.sources.get(*file).path()));
        let files: Vec<_> = paths.collect();
        for (entry, globs, name) in project_of(report, index, projects).into_iter().flat_map(entries) {
            let lacks_fact = || {
                report.not_evaluated.iter().any(|item| item.target == index && names(&name.value, &item.rule, rules))
            };
            let is_open = target.fragment || target.server_source == ServerSource::Assumed || lacks_fact();
            if is_open && globs.is_none_or(|globs| files.iter().any(|file| globs.matches(file))) {
                heeded.open.insert(entry);
            }
        }
        heeded.read.extend(files);
    }
}

/// Says which entries leave nothing out, as far as all the files that they are about were looked at. To be called once, with the
/// last report.
pub fn unused(heeded: &Heeded, report: &mut Report, projects: &Projects, files: &dyn Files, rules: &[RuleSet<'_>]) {
    let Some(target) = report.targets.len().checked_sub(1) else { return };
    for project in projects.all() {
        let mut unread: Option<Vec<PathBuf>> = None;
        let mut own_file = None;
        for (entry, globs, name) in entries(project) {
            let about_it = |file: &Path| globs.is_none_or(|globs| globs.matches(file));
            let is_below = |file: &&PathBuf| file.starts_with(project.directory());
            if heeded.used.contains(&entry) || heeded.open.contains(&entry) {
                continue;
            }
            let anywhere = globs.is_some_and(|globs| globs.patterns().iter().any(|pattern| pattern.starts_with('/')));
            if anywhere || !heeded.read.iter().filter(is_below).any(|file| about_it(file)) {
                continue;
            }
            let unread = unread.get_or_insert_with(|| unread_below(project, &heeded.read, files));
            if unread.iter().any(|file| about_it(file)) {
                continue;
            }
            let file = *own_file.get_or_insert_with(|| {
                report.sources.add(SourceFile::new(&project.shown, project.text.clone().into_bytes()))
            });
            let span = Span::new(name.span.start as u32, name.span.end as u32);
            let place = globs.map_or_else(|| "here".to_owned(), |globs| format!("in {}", globs.patterns().join(", ")));
            let message = format!("`{}` has nothing to say {place}: the entry leaves nothing out", name.value);
            let fix = Fix {
                safety: Safety::Manual,
                title: format!("take `{}` out of `ignore`", name.value),
                changes: Vec::new(),
                dynamic: None,
                statements: Vec::new(),
                edits: Vec::new(),
            };
            let finding = finding(Location { file, span }, message, fix, rules);
            report.findings.push(Located { target, finding });
        }
    }
}

/// Every rule in the `ignore` lists of a project, with the files that it is about.
fn entries(project: &Project) -> impl Iterator<Item = (Entry, Option<&Globs>, &Placed<String>)> {
    let general = std::iter::once((None, None, &project.ignore));
    let paths = project.paths.iter().enumerate().map(|(index, path)| (Some(index), Some(&path.files), &path.ignore));
    general.chain(paths).flat_map(move |(scope, globs, list)| {
        list.iter().enumerate().map(move |(index, name)| ((project.path.clone(), scope, index), globs, name))
    })
}

/// Whether a rule, an area or a pattern with `*` means a rule.
fn names(pattern: &str, rule: &str, rules: &[RuleSet<'_>]) -> bool {
    let area = || rules.iter().find_map(|set| set.find(rule)).is_some_and(|rule| pattern_matches(pattern, rule.area()));
    pattern_matches(pattern, rule) || area()
}

/// The option files below a project's directory that were not read.
fn unread_below(project: &Project, read: &BTreeSet<PathBuf>, files: &dyn Files) -> Vec<PathBuf> {
    let mut unread = Vec::new();
    let mut open = vec![(project.directory().to_owned(), 0)];
    while let Some((directory, depth)) = open.pop() {
        for name in files.list(&directory).unwrap_or_default() {
            let path = directory.join(&name);
            if project.exclude.matches(&path) {
                continue;
            }
            let hidden = name.as_encoded_bytes().starts_with(b".");
            match files.kind(&path) {
                Ok(FileKind::Directory) if !hidden && depth < DEEPEST => open.push((path, depth + 1)),
                Ok(FileKind::File { .. }) if is_option_file(&path) && !read.contains(&path) => unread.push(path),
                _ => {}
            }
        }
    }
    unread
}
