//! A variable that is set more than once.

use super::{Hit, Subject, quoted, shown};
use crate::effective::{Assignment, Origin};
use crate::finding::{Change, Safety, Severity};
use crate::source::{Location, Span};
use crate::value::Outcome;

/// Options whose lines add up instead of replacing each other (measured on 5.6.24, 9.7.4, MariaDB 10.11.19, 11.8.9).
const ADDITIVE: &[&str] = &[
    "binlog_do_db",
    "binlog_ignore_db",
    "debug",
    "early_plugin_load",
    "optimizer_switch",
    "optimizer_trace",
    "performance_schema_instrument",
    "plugin_load_add",
    "replicate_do_db",
    "replicate_do_table",
    "replicate_ignore_db",
    "replicate_ignore_table",
    "replicate_rewrite_db",
    "replicate_wild_do_table",
    "replicate_wild_ignore_table",
];

pub(super) fn duplicate_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for setting in subject.effective.settings() {
        if setting.origins.len() < 2 || ADDITIVE.contains(&setting.variable.name()) {
            continue;
        }
        let all = || setting.origins.iter().map(|index| &subject.effective.assignments[*index]);
        let lines: Vec<_> = all().filter(|assignment| matches!(assignment.origin, Origin::Line(_))).collect();
        let Some((winner, losers)) = lines.split_last() else { continue };
        // A later file that overrides an earlier one is what include directories are for; two files on the server's search path are one
        // too many.
        let depth = |line: &Assignment<'_>| match line.origin {
            Origin::Line(entry) => subject.document.entries.get(entry).map(|entry| entry.depth),
            _ => None,
        };
        let is_root = |line: &Assignment<'_>| depth(line) == Some(0);
        let mut same_file: Vec<_> = losers
            .iter()
            .filter(|loser| {
                loser.file == winner.file || is_root(loser) && is_root(winner) && !is_personal(subject, winner)
            })
            .filter(|loser| comes_with(subject, loser, winner))
            .collect();
        // A file that is included twice gives each of its lines twice.
        let mut seen = vec![winner.name_at];
        same_file.retain(|loser| {
            !seen.contains(&loser.name_at) && {
                seen.push(loser.name_at);
                true
            }
        });
        if same_file.is_empty() || lines.iter().any(|line| line.template) {
            continue;
        }
        hits.push(hit(subject, setting.variable.name(), winner, &same_file, &setting.value));
    }
}

/// A line that a persisted variable outranks: `mysqld-auto.cnf` counts more than every option file.
pub(super) fn overridden_by_persisted(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for setting in subject.effective.settings().iter().filter(|setting| setting.origins.len() > 1) {
        let all = || setting.origins.iter().map(|index| &subject.effective.assignments[*index]);
        let Some(persisted) = all().next_back().filter(|last| last.origin == Origin::Persisted) else { continue };
        let Some(line) = all().rev().find(|line| matches!(line.origin, Origin::Line(_)) && !line.template) else {
            continue;
        };
        let reading = line.reading.as_ref().and_then(|reading| reading.value.clone());
        if reading == setting.value.clone().known() {
            continue;
        }
        let variable = setting.variable.name();
        let value = match persisted.value.as_deref().filter(|_| !crate::catalog::is_secret(variable)) {
            Some(value) => format!(" to `{}`", shown(value)),
            None => String::new(),
        };
        let message =
            format!("this line has no effect: `SET PERSIST` has set `{variable}`{value}, which outranks option files");
        let hit = Hit::new(Severity::Warning, line.whole(), message).label("without effect").option(variable);
        let title = format!("`RESET PERSIST {variable}` if the file is to count, or remove the line");
        hits.push(hit.also(persisted.name_at, "this one counts").remedy(Safety::Manual, title, Vec::new()));
    }
}

pub(super) fn persisted_entry_skipped(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    if !subject.server.reads_persisted_variables() {
        return;
    }
    for (file, entry) in subject.skipped_entries {
        let message = format!(
            "the entry of {} is not complete, and the server skips it without a word: the option file or the default counts",
            quoted(entry.name.as_bytes())
        );
        let at = Location { file: *file, span: entry.name_span };
        let hit = Hit::new(Severity::Warning, at, message).label("skipped");
        let title =
            "write it anew with SET PERSIST (RESET PERSIST does not find it), or take it out while the server is down";
        hits.push(hit.remedy(Safety::Manual, title, Vec::new()));
    }
}

fn hit(
    subject: Subject<'_>,
    variable: &'static str,
    winner: &Assignment<'_>,
    losers: &[&&Assignment<'_>],
    value: &Outcome<crate::value::Value<'static>>,
) -> Hit {
    let reading = |assignment: &Assignment<'_>| assignment.reading.as_ref().and_then(|reading| reading.value.clone());
    let differ = losers.iter().any(|loser| reading(loser) != value.clone().known());
    let severity = if differ { Severity::Warning } else { Severity::Advice };
    let written = |assignment: &Assignment<'_>| shown(subject.sources.text(assignment.whole()));
    let message = if differ {
        format!(
            "`{variable}` is set {} times with different values; only the last one counts: `{}`",
            losers.len() + 1,
            written(winner)
        )
    } else {
        format!("`{variable}` is set {} times to the same value", losers.len() + 1)
    };
    let mut hit = Hit::new(severity, losers[0].whole(), message).label("without effect").option(variable);
    for loser in &losers[1..] {
        hit = hit.also(loser.whole(), "without effect");
    }
    hit = hit.also(winner.whole(), "this one counts");
    let changes =
        losers.iter().map(|loser| Change::Respell { at: line_of(subject, loser), text: String::new() }).collect();
    hit.remedy(Safety::Safe, "remove the lines without effect", changes)
}

/// Whether a template that leaves the one line in leaves the other one in, too.
fn comes_with(subject: Subject<'_>, line: &Assignment<'_>, other: &Assignment<'_>) -> bool {
    let mut around = subject.document.branches_of(line.branch);
    let innermost = subject.document.branches_of(other.branch).next();
    innermost.is_none_or(|branch| around.any(|around| around == branch))
}

/// A file in a home directory is there to override the common one.
fn is_personal(subject: Subject<'_>, line: &Assignment<'_>) -> bool {
    let path = subject.sources.get(line.file).path();
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn line_of(subject: Subject<'_>, assignment: &Assignment<'_>) -> Location {
    let file = subject.sources.get(assignment.file);
    let line = file.line_span(file.line_of(assignment.name_at.span.start));
    let end = (line.end + 1).min(file.bytes().len() as u32);
    Location { file: assignment.file, span: Span::new(line.start, end) }
}
