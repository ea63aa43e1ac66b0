//! Brings a server's answers into the catalog, and takes a release out again.

use super::form::{Attributes, Form, Record, step_line, written};
use super::observation::{Found, Observation, State};
use cnflint::server::{Server, Version};
use std::collections::BTreeSet;

/// What a release changed, in the order of the alphabet.
#[derive(Default)]
pub struct Changes {
    pub appeared: Vec<String>,
    pub vanished: Vec<String>,
    /// The name and what is different, old and new.
    pub changed: Vec<String>,
    /// Names of which the answers do not say whether the server has them.
    pub open: Vec<String>,
}

/// The names that a listing leaves open: the catalog has them, the server lists them nowhere.
pub fn unlisted(form: &mut Form, server: Server, observation: &Observation) -> Vec<String> {
    let open = |(name, record): (&str, &mut Record)| {
        let is_option = !record.lines[0].starts_with(&format!("  {} variable", server.flavor.name()));
        (is_option
            && !record.has_mark("windows")
            && observation.names.get(name).is_none_or(|found| found.in_help.is_none()))
        .then(|| name.to_owned())
    };
    form.records(server.flavor).filter_map(open).collect()
}

/// Brings a release in.
pub fn take_in(form: &mut Form, server: Server, observation: &Observation) -> Changes {
    let mut changes = Changes::default();
    let before = form.releases(server.flavor).into_iter().rfind(|version| *version < server.version);
    let mut known = BTreeSet::new();
    for (name, record) in form.records(server.flavor) {
        known.insert(name.to_owned());
        let ignored = observation.asked.get(name) == Some(&State::Ignored);
        match observation.names.get(name).filter(|_| !ignored) {
            Some(found) => meet(name, record, found, server.version, before, &mut changes),
            None => miss(name, record, observation, server.version, before, &mut changes),
        }
    }
    for (name, found) in observation.names.iter().filter(|(name, _)| !known.contains(*name)) {
        form.add(name, record_of(found, server, before));
        changes.appeared.push(name.clone());
    }
    changes.appeared.sort();
    form.set_release(server.flavor, server.version, true);
    changes
}

/// The server lists a name that the catalog has.
fn meet(
    name: &str,
    record: &mut Record,
    found: &Found,
    version: Version,
    before: Option<Version>,
    changes: &mut Changes,
) {
    let last = record.seen().last().map_or(String::new(), |(state, ..)| state.clone());
    if found.plugin && last == "absent" && !record.has_mark("plugin") {
        // Built in once, a loadable plugin now: what the record says of servers without it stays true.
        changes.changed.push(format!("{name}: only while its plugin is loaded"));
        return;
    }
    // No listing tells that an option has lost its effect.
    let state = if last == "no-effect" { "no-effect" } else { "present" };
    if last != state {
        changes.appeared.push(name.to_owned());
    }
    see(record, state, version, before);
    let known = record.attributes();
    let mut changed = Attributes::new();
    for (attribute, value) in &found.attributes {
        let old = known.get(attribute);
        if differs(attribute, old.map(String::as_str), value, &known, found) {
            if let Some(old) = old {
                changes.changed.push(format!("{name}: {attribute} {old} -> {value}"));
            }
            changed.insert(attribute.clone(), value.clone());
        }
    }
    record.add_step(version, &changed);
    found.sources.iter().for_each(|source| record.add_source(source));
}

/// The server does not list a name that the catalog has.
fn miss(
    name: &str,
    record: &mut Record,
    observation: &Observation,
    version: Version,
    before: Option<Version>,
    changes: &mut Changes,
) {
    let seen = record.seen();
    // A plugin that the release before did not show is not at hand, rather than gone.
    let was_there = seen.last().is_some_and(|(.., to)| Some(*to) == before);
    if record.has_mark("plugin") && !was_there {
        return;
    }
    let last = seen.last().map(|(state, ..)| state.as_str());
    let is_variable = record.lines[0].split(' ').any(|word| word == "variable");
    let state = match observation.asked.get(name) {
        Some(State::Abbreviation) => {
            if last == Some("present") {
                changes.open.push(name.to_owned());
            }
            return;
        }
        Some(State::Unknown) => "absent",
        Some(State::Ignored) => "ignored",
        // The answer may be about a longer name.
        Some(State::Taken)
            if last != Some("present") && observation.names.keys().any(|longer| longer.starts_with(name)) =>
        {
            changes.open.push(name.to_owned());
            return;
        }
        Some(State::Taken) if last == Some("ignored-silently") => "ignored-silently",
        Some(State::Taken) => "present",
        // A variable that no listing of variables has is gone, and nothing could be asked about it.
        None if is_variable
            && last == Some("present")
            && was_there
            && observation.names.values().any(|found| found.is_variable) =>
        {
            "absent"
        }
        None => {
            if last.is_some_and(|last| last != "absent") {
                changes.open.push(name.to_owned());
            }
            return;
        }
    };
    match (last, state) {
        (None | Some("absent"), "absent") => return,
        (Some("present" | "no-effect"), "absent") => changes.vanished.push(name.to_owned()),
        (Some("present"), "ignored") => changes.vanished.push(format!("{name} (taken, does nothing)")),
        (None | Some("absent"), _) => changes.appeared.push(format!("{name} ({state})")),
        _ => {}
    }
    see(record, state, version, None);
    if state == "present" {
        record.add_step(version, &Attributes::new());
    }
}

/// Adds an observation: the last one reaches further, or a new one begins.
fn see(record: &mut Record, state: &str, version: Version, before: Option<Version>) {
    let mut seen = record.seen();
    match seen.last_mut() {
        Some((last, _, to)) if last == state => *to = version,
        _ => {
            if let (true, Some(before)) = (seen.is_empty() && state == "present", before) {
                seen.push(("absent".to_owned(), before, before));
            }
            seen.push((state.to_owned(), version, version));
        }
    }
    record.set_seen(&seen);
}

/// Whether an observed attribute says something else than what the catalog has.
fn differs(attribute: &str, old: Option<&str>, new: &str, known: &Attributes, found: &Found) -> bool {
    let kind = known.get("type").map_or("", String::as_str);
    let observed_type = found.attributes.get("type").map(String::as_str);
    let plain = |text: &str| text.trim_matches('"').to_lowercase();
    let Some(old) = old else {
        // No words, a block of 1 and a bound of nothing are the same as none.
        return !(attribute == "block" && new == "1"
            || new == "\"\""
            || attribute == "default" && new == "none" && kind != "text");
    };
    match attribute {
        // What the listings do not tell apart.
        "type" => !same_type(old, new),
        "default"
            if observed_type.is_some_and(|new| kind != new && ["text", "path"].contains(&kind) && new == "boolean") =>
        {
            false
        }
        "default" if old == "derived" || found.in_help.as_deref() == Some(old) => false,
        "default" if kind == "path" || new.starts_with('/') => false,
        "default" if ["none", "\"\""].contains(&old) && ["none", "\"\""].contains(&new) => false,
        "words" | "default" => plain(old) != plain(new) && number(old).is_none_or(|old| Some(old) != number(new)),
        "min" | "max" => old != new && number(old) != number(new),
        _ => old != new,
    }
}

/// Whether a type of the catalog may be what a listing calls so: listings know no plugin's booleans, paths and switches, name the
/// variable's type where the option holds a file name, and a type with a sign where no negative number is taken.
fn same_type(catalog: &str, listed: &str) -> bool {
    catalog == listed
        || match listed {
            "boolean" => ["plugin-boolean", "flag", "text", "path"].contains(&catalog),
            "text" => ["path", "enumeration"].contains(&catalog),
            "set" => catalog == "flagset",
            "signed" => catalog == "unsigned",
            _ => false,
        }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The record of a name that the catalog did not have.
fn record_of(found: &Found, server: Server, before: Option<Version>) -> Record {
    let what = match (found.is_option, found.is_variable) {
        (true, true) => "both",
        (false, _) => "variable",
        _ => "option",
    };
    let mut heading = format!("  {} {what}", server.flavor.name());
    if !found.argument.is_empty() {
        heading.push_str(&format!(" argument={}", found.argument));
    }
    if found.plugin {
        heading.push_str(" plugin");
    }
    if found.toggle {
        heading.push_str(" plugin-toggle");
    }
    let mut attributes = found.attributes.clone();
    // A default needs a type.
    if !attributes.contains_key("type") {
        attributes.remove("default");
    }
    let mut record = Record { flavor: server.flavor, lines: vec![heading] };
    see(&mut record, "present", server.version, before);
    if !attributes.is_empty() {
        record.lines.push(step_line(server.version, server.version, &written(&attributes)));
    }
    found.sources.iter().for_each(|source| record.add_source(source));
    record
}

/// Takes a release out, as if nobody had looked at it. What documents say stays.
pub fn leave_out(form: &mut Form, server: Server) {
    let gone = server.version;
    let before = form.releases(server.flavor).into_iter().rfind(|version| *version < gone);
    let cut = |from: Version, to: Version| match before {
        _ if from >= gone => None,
        Some(before) if to >= gone => Some((from, before.max(from))),
        _ => Some((from, to)),
    };
    for file in &mut form.files {
        for name in &mut file.names {
            let blank = name.records.last().is_some_and(|last| last.lines.last().is_some_and(String::is_empty));
            for record in name.records.iter_mut().filter(|record| record.flavor == server.flavor) {
                let was_seen = record.seen();
                let seen: Vec<_> = was_seen
                    .iter()
                    .filter_map(|(state, from, to)| cut(*from, *to).map(|(from, to)| (state.clone(), from, to)))
                    .collect();
                let is_there = |(state, ..): &(String, Version, Version)| state != "absent";
                if was_seen.iter().any(is_there) && !seen.iter().any(is_there) && !record.is_documented() {
                    // What only this release showed goes as a whole.
                    record.lines.clear();
                    continue;
                }
                for (at, from, to, attributes) in record.steps().into_iter().rev() {
                    match cut(from, to) {
                        Some((from, to)) => record.lines[at] = step_line(from, to, &attributes),
                        None => drop(record.lines.remove(at)),
                    }
                }
                record.set_seen(&seen);
            }
            // What only this release showed goes as a whole.
            let is_left = |record: &Record| {
                let seen = record.seen();
                record.flavor != server.flavor
                    || seen.iter().any(|(state, ..)| state != "absent")
                    || record.is_documented()
            };
            let count = name.records.len();
            name.records.retain(is_left);
            if let (true, true, Some(last)) = (blank, name.records.len() < count, name.records.last_mut())
                && last.lines.last().is_some_and(|line| !line.is_empty())
            {
                last.lines.push(String::new());
            }
        }
        file.names.retain(|name| !name.records.is_empty());
    }
    form.set_release(server.flavor, gone, false);
}
