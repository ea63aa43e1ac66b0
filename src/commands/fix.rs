//! `check --fix` and `check --diff`: makes fixes in files, or shows what they would change.

use super::fence::Fence;
use super::run::{Rooms, Run};
use super::status::Status;
use super::terminal;
use crate::cli::CheckArguments;
use cnflint::finding::Safety;
use cnflint::fix::{Fixed, Patched, Wanted};
use cnflint::lint::{Report, Subject};
use cnflint::report::diff;
use cnflint::report::human::Mistake;
use cnflint::suppress::configuration::Heeded;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Whether files are named where they would be changed: those that a host's server reads are not changed unasked.
///
/// # Errors
/// Bad usage.
pub fn check_usage(arguments: &CheckArguments) -> Result<(), Mistake> {
    let fixing = &arguments.fixing;
    let message = if fixing.unsafe_fixes && !fixing.fix && !fixing.diff {
        "--unsafe-fixes says which fixes are made: add --fix to make them, or --diff to see them"
    } else if fixing.fix && !fixing.diff && arguments.target.paths.is_empty() {
        "--fix changes files only where they are named: give their paths"
    } else {
        return Ok(());
    };
    Err(Mistake { message: message.to_owned(), ..Mistake::default() })
}

/// Makes the fixes, writes the files, and hands back what standard input became, where that was given.
pub fn make(run: &mut Run, subjects: &mut [Subject], rooms: &mut Rooms) -> Option<Vec<u8>> {
    let mut printed = None;
    for index in 0..subjects.len() {
        let prepared = run.prepared(subjects[index].clone(), rooms);
        let fixed = fixed(run, &prepared, rooms, &mut BTreeMap::new());
        let old = |path: &Path| fixed.before.sources.find(path).map(|file| fixed.before.sources.get(file).bytes());
        let mut written = BTreeSet::new();
        for (path, new) in &fixed.files {
            let target = match &mut run.files.file {
                // The candidate of --as stands elsewhere for now.
                Some((place, bytes)) if place == path => {
                    bytes.clone_from(new);
                    run.arguments.target.paths[0].clone()
                }
                _ => path.clone(),
            };
            // What holds several servers was given to each of them.
            let roots = subjects.iter_mut().flat_map(|subject| &mut subject.roots).filter(|(root, _)| root == path);
            let given: Vec<_> = roots.filter_map(|(_, bytes)| bytes.as_mut()).collect();
            if !given.is_empty() {
                given.into_iter().for_each(|bytes| bytes.clone_from(new));
            } else if target.as_os_str() != "-" {
                let replaced = match old(path) {
                    Some(old) => (rooms.replace)(&target, old, new),
                    None => continue,
                };
                if let Err(error) = replaced {
                    run.notes.push(format!("cannot write {}: {error}", target.display()));
                    run.status = run.status.max(Status::Unreadable);
                    continue;
                }
            }
            written.insert(path.clone());
        }
        printed = from_standard_input(run, &subjects[index]).or(printed);
        if !run.arguments.output.quiet {
            tell(run, &fixed, &written);
        }
    }
    printed
}

/// Shows what the fixes would change; the status says what would be found now.
///
/// # Errors
/// An output that cannot be written.
pub fn show(run: &mut Run, subjects: Vec<Subject>, rooms: &mut Rooms) -> Result<(), Mistake> {
    let output = run.arguments.output.output.as_deref();
    let to_terminal = output.is_none() && std::io::stdout().is_terminal();
    // What one server's fixes make of a file is where the next one's begin, so that `patch` can make them one after the other.
    let mut shown: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let (mut fixes, mut bolder) = (0, 0);
    terminal::write(output, |out| {
        for subject in subjects {
            run.all_servers(vec![subject.clone()], rooms);
            let prepared = run.prepared(subject, rooms);
            let fixed = fixed(run, &prepared, rooms, &mut shown);
            fixes += fixed.made.len();
            bolder += left_to_unsafe(run, &fixed);
            diff::write(&fixed, to_terminal, out)?;
            shown.extend(fixed.files);
        }
        Ok(())
    })?;
    if !run.arguments.output.quiet {
        let (fixes, files) = (counted(fixes, "fix", "fixes"), counted(shown.len(), "file", "files"));
        run.notes.push(format!("{fixes} in {files}{}; nothing was changed", more(bolder)));
    }
    Ok(())
}

/// The fixes of one server, on a disk where these files are changed already.
fn fixed(run: &Run, subject: &Subject, rooms: &Rooms, changed: &mut BTreeMap<PathBuf, Vec<u8>>) -> Fixed {
    let files = Fence { below: &run.files, within: run.within.as_ref() };
    let files = Patched { files: &files, changed: std::mem::take(changed) };
    let arguments = run.arguments;
    let candidate = run.files.file.as_ref().map(|(place, _)| place.as_path());
    // Of standard input and of a candidate the rest around it is not meant.
    let given = subject.roots.iter().find(|(_, bytes)| bytes.is_some()).map(|(path, _)| path.as_path());
    let only = candidate.or(given);
    let may_change = |path: &Path| only.is_none_or(|only| only == path);
    let leave_out = |report: &mut Report| {
        run.leave_out(report, run.baseline.clone().as_mut(), &mut Heeded::default(), rooms);
    };
    let allowed = if arguments.fixing.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    let fixed = (rooms.fix)(&files, subject, Wanted { allowed, may_change: &may_change, leave_out: &leave_out });
    *changed = files.changed;
    fixed
}

/// The bytes of what came from standard input, as they are now.
fn from_standard_input(run: &Run, subject: &Subject) -> Option<Vec<u8>> {
    if !run.arguments.target.paths.iter().any(|path| path.as_os_str() == "-") {
        return None;
    }
    let candidate = || run.files.file.as_ref().map(|(_, bytes)| bytes);
    subject.roots.iter().find_map(|(_, bytes)| bytes.as_ref()).or_else(candidate).cloned()
}

/// Which fixes were made in each file, and how many there would be besides.
fn tell(run: &mut Run, fixed: &Fixed, written: &BTreeSet<PathBuf>) {
    for path in written {
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for made in fixed.made.iter().filter(|made| made.places.iter().any(|(place, _)| place == path)) {
            *rules.entry(&made.finding.rule).or_default() += 1;
        }
        let times =
            |(rule, count): (&str, usize)| if count > 1 { format!("{rule} ({count})") } else { rule.to_owned() };
        let rules: Vec<_> = rules.into_iter().map(times).collect();
        run.notes.push(format!("fixed {}: {}", path.display(), rules.join(", ")));
    }
    if !fixed.stable {
        run.notes.push("after five rounds some fixes still bring others: run --fix again".to_owned());
    }
    let bolder = left_to_unsafe(run, fixed);
    if bolder > 0 {
        run.notes.push(format!("{} in all{}", counted(fixed.made.len(), "fix", "fixes"), more(bolder)));
    }
}

/// How many findings --unsafe-fixes would fix besides.
fn left_to_unsafe(run: &Run, fixed: &Fixed) -> usize {
    let fixes = fixed.report.findings.iter().filter_map(|located| located.finding.fix.as_ref());
    if run.arguments.fixing.unsafe_fixes {
        return 0;
    }
    fixes.filter(|fix| fix.safety == Safety::Unsafe && !fix.edits.is_empty()).count()
}

fn more(bolder: usize) -> String {
    match bolder {
        0 => String::new(),
        count => format!(", {count} more with --unsafe-fixes"),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    cnflint::report::text::counted(count, one, many)
}
