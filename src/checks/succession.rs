//! What to write in place of an option that this server does not take, or will not take for long.

use super::{Hit, Subject, shown};
use crate::catalog::{self, Entry, OptionId, Replacement, Resolved, State, id};
use crate::effective::Assignment;
use crate::finding::{Change, Safety};
use crate::model::redo::RedoLog;
use crate::model::successors::{self, Conversion, Successor};
use crate::server::Server;
use crate::value::{self, Effect, Written, as_written, parse_size};

/// Sizes are written in whole ones.
const MIB: u64 = 1 << 20;

/// Adds what to write in place of an option that stops the server; where nothing takes its place the line goes.
pub(super) fn instead(hit: Hit, assignment: &Assignment<'_>, old: OptionId, subject: Subject<'_>) -> Hit {
    let history = catalog::history(old, subject.server.flavor);
    let replacement = history.and_then(|history| history.replaced_by);
    let hit = match newer_name(assignment, old, replacement, subject.server) {
        Some((title, safety, change)) => return hit.remedy(safety, title, vec![change]),
        None => hit,
    };
    if let Some((title, changes)) = log_switch(assignment, old, subject) {
        return hit.remedy(Safety::Unsafe, title, changes);
    }
    if let Some((title, changes)) = succession(assignment, old, subject) {
        return hit.remedy(Safety::Unsafe, title, changes);
    }
    let title = match replacement {
        Some(Replacement::Option(new)) => format!("remove the line; its successor is `{}`", new.name()),
        Some(Replacement::Text(text)) => format!("remove the line; its successor: {text}"),
        None => "remove the line".to_owned(),
    };
    hit.remedy(Safety::Unsafe, title, vec![Change::Remove { option: shown(&assignment.name) }])
}

/// Before 5.6 one option turned a log on and named its file: `log_slow_queries = /var/log/slow.log`. Since 5.1 there are two.
fn log_switch(assignment: &Assignment<'_>, old: OptionId, subject: Subject<'_>) -> Option<(String, Vec<Change>)> {
    let (switch, file) = match old {
        id::LOG_SLOW_QUERIES => (id::SLOW_QUERY_LOG, id::SLOW_QUERY_LOG_FILE),
        id::LOG => (id::GENERAL_LOG, id::GENERAL_LOG_FILE),
        _ => return None,
    };
    let is_free = |option: OptionId| subject.effective.get(catalog::entry(option, subject.server).variable).is_none();
    if assignment.template || !is_free(switch) || !is_free(file) {
        return None;
    }
    let value = assignment.value.as_deref().map(std::str::from_utf8).transpose().ok()?.map(str::trim);
    let word = value.unwrap_or_default().to_ascii_lowercase();
    let set =
        |option: OptionId, value: &str| Change::Set { option: option.name().to_owned(), value: Some(value.to_owned()) };
    let mut changes = vec![Change::Remove { option: shown(&assignment.name) }];
    let title = match (&*word, value) {
        ("0" | "off" | "false", _) => {
            changes.push(set(switch, "OFF"));
            format!("write `{} = OFF`, which takes its place", switch.name())
        }
        ("" | "1" | "on" | "true", _) | (_, None) => {
            changes.push(set(switch, "ON"));
            format!("write `{} = ON`, which takes its place", switch.name())
        }
        (_, Some(path)) => {
            changes.extend([set(file, path), set(switch, "ON")]);
            format!("write `{} = {path}` and `{} = ON`, which take its place", file.name(), switch.name())
        }
    };
    Some((title, changes))
}

/// Adds what to write in place of an option that still works. A mere new name keeps its value; anything else is for a person to decide.
pub(super) fn before_it_goes(hit: Hit, assignment: &Assignment<'_>, old: OptionId, subject: Subject<'_>) -> Hit {
    let server = subject.server;
    let replacement = catalog::history(old, server.flavor).and_then(|history| history.replaced_by);
    if let Some((title, safety, change)) = newer_name(assignment, old, replacement, server) {
        return hit.remedy(safety, title, vec![change]);
    }
    match replacement {
        Some(Replacement::Option(new)) if catalog::entry(new, server).state == State::Present => {
            let value = successors::successor(old, server).filter(|successor| successor.new == new);
            let value = value.and_then(|successor| converted(assignment, successor, subject));
            let line = value.map_or_else(|| new.name().to_owned(), |value| format!("{} = {value}", new.name()));
            hit.remedy(Safety::Manual, format!("write `{line}` instead"), Vec::new())
        }
        Some(Replacement::Option(new)) => {
            hit.remedy(Safety::Manual, format!("its successor is `{}`", new.name()), Vec::new())
        }
        Some(Replacement::Text(text)) => hit.remedy(Safety::Manual, format!("its successor: {text}"), Vec::new()),
        // What it loads may be the keyring, without which no encrypted table opens.
        None if old == id::EARLY_PLUGIN_LOAD => {
            let title = "load keyrings as components, and other plugins with `plugin_load_add`; then remove the line";
            hit.remedy(Safety::Manual, title, Vec::new())
        }
        None => hit.remedy(Safety::Unsafe, "remove the line", vec![Change::Remove { option: shown(&assignment.name) }]),
    }
}

/// The variable's newer name, under which the server takes it.
fn newer_name(
    assignment: &Assignment<'_>,
    old: OptionId,
    replacement: Option<Replacement>,
    server: Server,
) -> Option<(String, Safety, Change)> {
    let Some(Replacement::Option(new)) = replacement else { return None };
    let (before, after) = (catalog::entry(old, server), catalog::entry(new, server));
    let same = before.variable == after.variable && before.inverted == after.inverted;
    if after.state != State::Present || !same {
        return None;
    }
    let written = shown(&assignment.name);
    let to = renamed(&written, old, new)?;
    let safety = if reads_the_same(assignment, &after, server) { Safety::Safe } else { Safety::Unsafe };
    Some((format!("write `{}` instead", new.name()), safety, Change::Rename { from: written, to }))
}

/// The line of another option that says on this server what the old one said.
fn succession(assignment: &Assignment<'_>, old: OptionId, subject: Subject<'_>) -> Option<(String, Vec<Change>)> {
    let successor = successors::successor(old, subject.server)?;
    let written = shown(&assignment.name);
    let new = successor.new.name();
    let sets_new = |line: &&Assignment<'_>| line.option() == Some(successor.new);
    if subject.effective.assignments.iter().any(|line| sets_new(&line)) {
        let title = format!("remove the line: `{new}`, which took its place, is set already");
        return Some((title, vec![Change::Remove { option: written }]));
    }
    if successor.conversion == Conversion::Same {
        let to = renamed(&written, old, successor.new)?;
        return Some((format!("write `{to}`, which takes its place"), vec![Change::Rename { from: written, to }]));
    }
    // Of several lines the last one counts.
    let lines = || subject.effective.assignments.iter();
    let last = lines().rev().find(|line| is_written_as(line, old)).unwrap_or(assignment);
    let value = converted(last, successor, subject)?;
    let mut changes = vec![Change::Remove { option: written }];
    let count = lines().find(|line| is_written_as(line, id::INNODB_LOG_FILES_IN_GROUP));
    if let Some(count) = count.filter(|_| successor.conversion == Conversion::Files) {
        changes.push(Change::Remove { option: shown(&count.name) });
    }
    let title = format!("write `{new} = {value}`, which takes its place");
    changes.push(Change::Set { option: new.to_owned(), value: Some(value) });
    Some((title, changes))
}

fn is_written_as(line: &Assignment<'_>, option: OptionId) -> bool {
    match &line.resolved {
        Resolved::Option { id, .. } => *id == option,
        Resolved::Unknown { elsewhere, .. } => *elsewhere == Some(option),
        Resolved::Ambiguous(_) => false,
    }
}

/// The successor's value, where the old line tells one.
fn converted(assignment: &Assignment<'_>, successor: Successor, subject: Subject<'_>) -> Option<String> {
    let plain = match &assignment.resolved {
        Resolved::Option { prefixes, .. } | Resolved::Unknown { prefixes, .. } => prefixes.effect == Effect::None,
        Resolved::Ambiguous(_) => false,
    };
    let old = match &assignment.resolved {
        Resolved::Unknown { elsewhere, .. } => *elsewhere,
        _ => assignment.option(),
    };
    // `skip_host_cache` is a name of its own.
    let plain =
        plain || old.is_some_and(|old| shown(&assignment.name).replace('-', "_").eq_ignore_ascii_case(old.name()));
    if assignment.template || !plain {
        return None;
    }
    let value = assignment.value.as_deref().map(std::str::from_utf8).transpose().ok()?;
    let value = successor.conversion.convert(value, redo_files(successor, subject))?;
    let value = within_redo_limit(value, successor, subject);
    let entry = catalog::entry(successor.new, subject.server);
    let read =
        value::read(&entry.shape, subject.server, Written { value: Some(value.as_bytes()), ..Written::default() });
    read.value.map(|_| value)
}

/// The size of a redo log, or of one of its files, that the new server starts with: it may take less than the old one.
fn within_redo_limit(value: String, successor: Successor, subject: Subject<'_>) -> String {
    let files = match successor.conversion {
        Conversion::Files => 1,
        Conversion::PerFile => redo_files(successor, subject),
        _ => return value,
    };
    // Pages and threads take nothing from the limit.
    let most = RedoLog::new(subject.server, files.into(), 0, 0).max;
    let most = u64::try_from(most).map_or(u64::MAX, |most| most / files / MIB * MIB);
    if parse_size(&value).is_ok_and(|size| size > most) { as_written(most) } else { value }
}

/// How many files the redo log has that is to be kept in size.
fn redo_files(successor: Successor, subject: Subject<'_>) -> u64 {
    let server = match successor.conversion {
        Conversion::Files => subject.upgraded_from.last().map_or(subject.server, |from| from.server),
        _ => subject.server,
    };
    let several = successors::redo_files(server);
    let mut lines = subject.effective.assignments.iter().rev();
    let written = lines.find(|line| is_written_as(line, id::INNODB_LOG_FILES_IN_GROUP));
    let written = written.and_then(|line| std::str::from_utf8(line.value.as_deref()?).ok()?.trim().parse::<u64>().ok());
    written.filter(|count| several > 1 && (1..=100).contains(count)).unwrap_or(several)
}

/// The line that says on this server what the size of one redo file said, where only a misspelt line is at hand.
pub(super) fn redo_capacity(option: &str, value: &str, subject: Subject<'_>) -> Option<String> {
    let server = subject.server;
    let is_size = option.replace('-', "_").eq_ignore_ascii_case(id::INNODB_LOG_FILE_SIZE.name());
    if !is_size || catalog::entry(id::INNODB_LOG_FILE_SIZE, server).state != State::Absent {
        return None;
    }
    let successor = successors::successor(id::INNODB_LOG_FILE_SIZE, server)?;
    let capacity = successor.conversion.convert(Some(value), redo_files(successor, subject))?;
    let capacity = within_redo_limit(capacity, successor, subject);
    Some(format!("{} = {capacity}", successor.new.name()))
}

/// Whether the server makes of the value under the new name what it makes of it now. A name that stops the server means nothing to it.
fn reads_the_same(assignment: &Assignment<'_>, new: &Entry, server: Server) -> bool {
    let Resolved::Option { prefixes, .. } = &assignment.resolved else { return false };
    let written = Written { effect: prefixes.effect, loose: prefixes.loose, value: assignment.value.as_deref() };
    // A template's value is the same under either name, as far as anybody knows.
    assignment.reading.as_ref().is_none_or(|now| now.value == value::read(&new.shape, server, written).value)
}

/// The written name with another option in it: `loose-skip-log-slave-updates` keeps its prefixes. `None` for an abbreviation.
fn renamed(written: &str, old: OptionId, new: OptionId) -> Option<String> {
    let spelled = written.replace('-', "_").to_ascii_lowercase();
    let prefixes = spelled.strip_suffix(old.name())?;
    Some(format!("{}{}", prefixes, new.name()))
}
