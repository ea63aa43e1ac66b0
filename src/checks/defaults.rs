//! Defaults that another server has for what the files leave alone.

use super::{Hit, Subject};
use crate::catalog::{self, Default, Entry, OptionId, State, id};
use crate::effective::Effective;
use crate::finding::{Safety, Severity};
use crate::model::changed_defaults::NOTED;
use crate::model::successors;
use crate::server::Server;
use crate::source::{Location, Span};
use crate::value::{Unit, Value, as_written, show};

/// A value that is empty, or none.
const NOTHING: &str = "nothing";

pub(super) fn changed_default(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    if subject.upgraded_from.is_empty() {
        return;
    }
    let Some(at) = header(subject) else { return };
    let mut said = Vec::new();
    for (option, note) in NOTED {
        let everywhere = subject.upgraded_from.iter().chain([subject.effective]);
        let is_written = everywhere.into_iter().any(|effective| is_set(*option, effective));
        let Some((before, after)) = (!is_written).then(|| defaults(*option, subject)).flatten() else { continue };
        // The list has both spellings of what has two.
        if said.contains(&after.variable) {
            continue;
        }
        said.push(after.variable);
        let name = after.id.name();
        let unit = after.shape.unit;
        let (old, new) = match *option {
            // Its default is the name of its files.
            id::LOG_BIN => (switch(&before), switch(&after.effective_default)),
            _ => (shown(&before, unit), shown(&after.effective_default, unit)),
        };
        let from = subject.upgraded_from.last().map_or(String::new(), |from| title(from.server));
        let note = if note.is_empty() { String::new() } else { format!(": {note}") };
        let message = format!(
            "no line sets `{name}`, and its default changes from {old} ({from}) to {new} ({}){note}",
            title(subject.server)
        );
        let label = format!("`{name}` changes from {old} to {new}{note}");
        let line = match (*option, &*old) {
            (id::LOG_BIN, "OFF") => "skip_log_bin".to_owned(),
            (id::LOG_BIN, _) => name.to_owned(),
            (_, NOTHING) => format!("{name} ="),
            _ => format!("{name} = {old}"),
        };
        let fix = format!("write `{line}` to keep what the old server does");
        hits.push(Hit::new(Severity::Advice, at, message).label(label).option(name).remedy(
            Safety::Manual,
            fix,
            Vec::new(),
        ));
    }
}

fn title(server: Server) -> String {
    format!("{} {}.{}", server.flavor.title(), server.version.major, server.version.minor)
}

/// Whether a line sets it, or an option whose place it takes.
fn is_set(option: OptionId, effective: &Effective<'_>) -> bool {
    let variable = catalog::setting(option, effective.server).variable;
    effective.get(variable).is_some()
        || effective.assignments.iter().any(|line| {
            let old = match &line.resolved {
                catalog::Resolved::Unknown { elsewhere, .. } => *elsewhere,
                _ => line.option(),
            };
            old.and_then(|old| successors::successor(old, effective.server)).is_some_and(|next| next.new == option)
        })
}

/// The default that all old servers have, and what the new one has, where they differ and both are known.
fn defaults(option: OptionId, subject: Subject<'_>) -> Option<(Default, Entry)> {
    let there = |server: Server| Some(catalog::setting(option, server)).filter(|entry| entry.state == State::Present);
    let known = |entry: &Entry| matches!(entry.effective_default, Default::Value(_) | Default::None);
    let after = there(subject.server).filter(known)?;
    let mut before = subject.upgraded_from.iter().map(|from| there(from.server).filter(known));
    let first = before.next()??.effective_default;
    if before.any(|other| other.is_none_or(|other| other.effective_default != first)) || same(&first, &after) {
        return None;
    }
    Some((first, after))
}

/// Whether two defaults are one, whatever words each server has for it.
fn same(before: &Default, after: &Entry) -> bool {
    let text = |default: &Default| shown(default, after.shape.unit).to_lowercase();
    let is_on = |text: &str| match text {
        "1" => "on".to_owned(),
        "0" => "off".to_owned(),
        other => other.replace("utf8mb3", "utf8"),
    };
    is_on(&text(before)) == is_on(&text(&after.effective_default))
}

fn shown(default: &Default, unit: Unit) -> String {
    match default {
        Default::Value(Value::Integer(bytes)) if unit == Unit::Bytes => {
            u64::try_from(*bytes).map_or_else(|_| bytes.to_string(), as_written)
        }
        Default::Value(value) => match show(value, Unit::Count).to_string() {
            empty if empty.is_empty() => NOTHING.to_owned(),
            text => text,
        },
        Default::None | Default::Derived | Default::NotRecorded => NOTHING.to_owned(),
    }
}

fn switch(default: &Default) -> String {
    if shown(default, Unit::Count) == NOTHING { "OFF" } else { "ON" }.to_owned()
}

/// The header of the server's first group.
fn header(subject: Subject<'_>) -> Option<Location> {
    let group = subject.document.groups.iter().find(|group| subject.groups.contains(&group.name));
    match group {
        Some(group) => Some(Location { file: group.file, span: group.header }),
        None => subject.document.files.first().map(|file| Location { file: *file, span: Span::new(0, 0) }),
    }
}
