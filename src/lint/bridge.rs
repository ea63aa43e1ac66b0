//! Fixes in files that two servers read, before an upgrade and after it: what one of them needs must not stop the other, nor take
//! away what that one works with. `loose_` before a name lets the server that does not know it go on.

use crate::catalog::{self, Resolved, State};
use crate::checks::Remedy;
use crate::edits::Place;
use crate::effective::{Assignment, Effective, read_as};
use crate::finding::{Change, Safety};
use crate::server::Server;
use crate::value::{Judgement, Outcome, Written};

/// Turns a remedy for the server at hand into one that the others can live with; into words where there is none.
pub(super) fn suit(mut remedy: Remedy, place: Place<'_>, others: &[Effective<'_>]) -> Remedy {
    if others.is_empty() || remedy.changes.is_empty() {
        return remedy;
    }
    let bridge = Bridge { place, others };
    let mut changes = Vec::new();
    let mut loose = Vec::new();
    for change in &remedy.changes {
        match bridge.change(change, &remedy.changes) {
            Some(Suited::AsItIs) => changes.push(change.clone()),
            Some(Suited::Loosely(bridged)) => {
                loose.extend(bridged.iter().filter_map(written_name));
                changes.extend(bridged);
            }
            None => {
                let server = place.effective.server;
                remedy.title.push_str(&format!("; for {} alone: the other server needs it as it is", title(server)));
                remedy.safety = Safety::Manual;
                remedy.changes.clear();
                return remedy;
            }
        }
    }
    if !loose.is_empty() {
        let listed: Vec<_> = loose.iter().map(|name| format!("`{name}`")).collect();
        remedy.title = match listed.as_slice() {
            [one] => format!("write {one}: the server that does not know it warns and goes on"),
            [names @ .., last] => {
                format!("write {} and {last}: each server takes its own and passes over the other", names.join(", "))
            }
            [] => remedy.title,
        };
    }
    remedy.changes = changes;
    remedy
}

fn title(server: Server) -> String {
    format!("{} {}", server.flavor.title(), server.version)
}

fn written_name(change: &Change) -> Option<String> {
    match change {
        Change::Rename { to, .. } if is_loose(to) => Some(to.clone()),
        Change::Set { option, value: Some(value) } if is_loose(option) => Some(format!("{option} = {value}")),
        _ => None,
    }
}

fn is_loose(name: &str) -> bool {
    name.replace('-', "_").starts_with("loose_")
}

fn loosely(name: &str) -> String {
    if is_loose(name) { name.to_owned() } else { format!("loose_{}", name.replace('-', "_")) }
}

enum Suited {
    AsItIs,
    Loosely(Vec<Change>),
}

struct Bridge<'a> {
    place: Place<'a>,
    others: &'a [Effective<'a>],
}

impl Bridge<'_> {
    /// What comes of one change; `None` when no line suits all servers.
    fn change(&self, change: &Change, all: &[Change]) -> Option<Suited> {
        match change {
            Change::Remove { option } => self.remove(option, all),
            Change::Set { option, value } => self.set(option, value.as_deref()),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Respell { at, text } => {
                let mut lines = self.place.effective.assignments.iter();
                match lines.find(|line| line.value_at == Some(*at)) {
                    Some(line) => {
                        let name = String::from_utf8_lossy(&line.name).into_owned();
                        self.others.iter().all(|other| reads(&name, Some(text), other.server)).then_some(Suited::AsItIs)
                    }
                    None => self.line(text).then_some(Suited::AsItIs),
                }
            }
        }
    }

    fn remove(&self, option: &str, all: &[Change]) -> Option<Suited> {
        let works_there = self.others.iter().any(|other| matters(option, other));
        let here = self.place.effective.server;
        // What works on both sides is a setting like any other, and the fix is one of it.
        if !works_there || matters(option, self.place.effective) {
            return Some(Suited::AsItIs);
        }
        let replaced = all.iter().any(|change| match change {
            Change::Set { option, value } => {
                self.others.iter().all(|other| reads(option, value.as_deref(), other.server))
            }
            _ => false,
        });
        if replaced {
            return Some(Suited::AsItIs);
        }
        // A name that does nothing here can stay for the other one.
        if taken(option, here).is_some() {
            return None;
        }
        Some(Suited::Loosely(vec![Change::Rename { from: option.to_owned(), to: loosely(option) }]))
    }

    fn set(&self, option: &str, value: Option<&str>) -> Option<Suited> {
        let is_known = |other: &Effective<'_>| taken(option, other.server).is_some();
        if self.others.iter().all(is_known) {
            return self.others.iter().all(|other| reads(option, value, other.server)).then_some(Suited::AsItIs);
        }
        let id = taken(option, self.place.effective.server).map(|entry| entry.variable);
        match id.and_then(|id| self.place.effective.winner(id)) {
            // It stands there already, and the other server has its own finding about that.
            Some(_) => Some(Suited::AsItIs),
            None => {
                Some(Suited::Loosely(vec![Change::Set { option: loosely(option), value: value.map(str::to_owned) }]))
            }
        }
    }

    fn rename(&self, from: &str, to: &str) -> Option<Suited> {
        let is_known = self.others.iter().all(|other| taken(to, other.server).is_some());
        if is_known && !self.others.iter().any(|other| says_more(from, to, other)) {
            return Some(Suited::AsItIs);
        }
        let here = self.place.effective.server;
        if taken(from, here).is_some() {
            // A better name that only this server takes can wait.
            return None;
        }
        let line = self.place.effective.assignments.iter().rev().find(|line| *line.name == *from.as_bytes())?;
        let value = line.value.as_deref().map(|value| String::from_utf8_lossy(value).into_owned());
        let keep = Change::Rename { from: from.to_owned(), to: loosely(from) };
        if !self.others.iter().any(|other| taken(from, other.server).is_some()) {
            return Some(Suited::Loosely(vec![Change::Rename { from: from.to_owned(), to: loosely(to) }]));
        }
        let option = if is_known { to.to_owned() } else { loosely(to) };
        (!line.template).then_some(Suited::Loosely(vec![keep, Change::Set { option, value }]))
    }

    /// Whether every other server takes a whole line.
    fn line(&self, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return true;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text, None),
        };
        self.others.iter().all(|other| reads(name, value, other.server))
    }
}

/// What a server knows a written name as.
fn taken(name: &str, server: Server) -> Option<catalog::Entry> {
    match catalog::resolve(name.as_bytes(), server) {
        Resolved::Option { id, .. } => {
            Some(catalog::entry(id, server)).filter(|entry| matches!(entry.state, State::Present | State::Ignored))
        }
        _ => None,
    }
}

/// Whether a server takes a line: it knows the name, or need not, and does not refuse the value.
pub(super) fn reads(name: &str, value: Option<&str>, server: Server) -> bool {
    let Resolved::Option { id, prefixes, .. } = catalog::resolve(name.as_bytes(), server) else {
        return is_loose(name);
    };
    let entry = catalog::entry(id, server);
    match entry.state {
        State::Present => {}
        State::Ignored => return true,
        State::Absent | State::Unknown => return false,
    }
    let value = value.map(|value| value.trim_matches(['"', '\'']).as_bytes());
    let written = Written { effect: prefixes.effect, loose: prefixes.loose, value };
    !matches!(read_as(&entry, server, written).judgement, Judgement::Refused { .. })
}

/// Whether a server makes more of the one name than of the other, which is no newer one for the same thing.
fn says_more(from: &str, to: &str, other: &Effective<'_>) -> bool {
    let (from_there, to_there) = (taken(from, other.server), taken(to, other.server));
    let variable = |entry: &Option<catalog::Entry>| entry.as_ref().map(|entry| entry.variable);
    let outdated = from_there.as_ref().is_some_and(|entry| entry.deprecated);
    variable(&from_there) != variable(&to_there) && !outdated && matters(from, other)
}

/// Whether a server works otherwise without the lines of an option.
fn matters(name: &str, other: &Effective<'_>) -> bool {
    let Some(entry) = taken(name, other.server).filter(|entry| entry.state == State::Present) else { return false };
    let is_line = |line: &&Assignment<'_>| line.option() == Some(entry.id);
    if !other.assignments.iter().any(|line| is_line(&line)) {
        return false;
    }
    let default = catalog::setting(entry.variable, other.server).effective_default;
    match other.get(entry.variable).map(|setting| &setting.value) {
        Some(Outcome::Known(value)) => default.value() != Some(value),
        Some(Outcome::Unknown | Outcome::Absent) => true,
        None => false,
    }
}
