//! Turns observations and documented changes into what holds from which version on.

use super::source::{Literal, Record, Seen, SeenState, Source, Step, Warns};
use super::{Catalog, Known, Timeline};
use crate::server::{Flavor, Version};
use crate::value::{Argument, Kind, Unit, Value};
use std::collections::BTreeMap;

/// What a version makes of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Absent,
    Unknown,
    Present,
    /// Packed as ignored, with the mark that its values are judged.
    NoEffect,
    Ignored,
}

/// Everything that holds between two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub state: State,
    pub warns: bool,
    /// It warns only when the value is not the default.
    pub warns_when_changed: bool,
    pub kind: Kind,
    pub argument: Argument,
    pub unit: Unit,
    pub words: String,
    pub min: Option<i128>,
    pub max: Option<i128>,
    pub block: u64,
    pub default: Default,
    pub effective: Default,
    pub scope: Option<(bool, bool)>,
    pub dynamic: Option<bool>,
    pub deprecated: bool,
    pub is_option: bool,
    pub is_variable: bool,
    pub read_only: bool,
    pub plugin_toggle: bool,
    pub plugin: bool,
    pub windows: bool,
    /// The id of the system variable it sets.
    pub variable: u16,
    pub inverted: bool,
}

/// A default.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    Value(Value<'static>),
    None,
    Derived,
    NotRecorded,
}

/// When a name came and went.
#[derive(Clone, Copy)]
pub enum Since {
    Exact(Version),
    Between(Option<Version>, Version),
}

pub struct History {
    pub introduced: Option<Since>,
    pub deprecated: Option<Version>,
    pub removed: Option<Since>,
    pub replaced_by: Option<String>,
}

const START: Version = Version::new(0, 0, 0);

/// Compiles every record; mistakes name the record's place.
pub fn compile(source: Source) -> Result<Catalog, Vec<String>> {
    let ids: BTreeMap<&str, u16> = source.options.keys().map(String::as_str).zip(0..).collect();
    let mut errors = Vec::new();
    let mut options = Vec::with_capacity(source.options.len());
    for (name, records) in &source.options {
        let mut flavors = [None, None, None, None];
        for record in records {
            match compile_record(name, record, &ids) {
                Ok(timeline) => flavors[record.flavor as usize] = Some(timeline),
                Err(message) => errors.push(format!("{}: {message}", record.place)),
            }
        }
        let about = source.abouts.get(name).cloned().unwrap_or_default();
        options.push(Known { name: name.clone(), about, flavors });
    }
    if errors.is_empty() { Ok(Catalog { options, releases: source.releases }) } else { Err(errors) }
}

fn compile_record(name: &str, record: &Record, ids: &BTreeMap<&str, u16>) -> Result<Timeline, String> {
    if !record.has_source {
        return Err("the `source` line is missing".to_owned());
    }
    let (target, inverted) = match &record.sets {
        Some((target, inverted)) => (target.as_str(), *inverted),
        None => (name, false),
    };
    let Some(&variable) = ids.get(target) else {
        return Err(format!("it sets `{target}`, which the catalog does not hold"));
    };
    let states = states(record);
    let shapes = shapes(record)?;
    let effective = effective(record, &shapes)?;
    let mut starts: Vec<Version> = states.iter().map(|step| step.0).collect();
    starts.extend(shapes.iter().map(|step| step.0));
    starts.extend(effective.iter().map(|step| step.0));
    starts.extend(record.deprecated);
    let warnings = warnings(record);
    starts.extend(warnings.iter().map(|step| step.0));
    starts.sort();
    starts.dedup();
    let mut steps: Vec<(Version, Point)> = Vec::with_capacity(starts.len());
    for start in starts {
        let (state, warns) = at(&states, start).copied().unwrap_or((State::Unknown, false));
        let deprecated = record.deprecated.is_some_and(|version| version <= start);
        let warning = at(&warnings, start).copied().unwrap_or(Warns::Always);
        let may_warn = state == State::Present || state == State::NoEffect;
        let warning = if may_warn && deprecated { warning } else { Warns::Never };
        let shape = at(&shapes, start).cloned().unwrap_or_else(Shape::not_recorded);
        let effective = at(&effective, start).cloned().flatten().unwrap_or_else(|| shape.default.clone());
        let point = Point {
            state,
            warns: warns || warning != Warns::Never,
            warns_when_changed: warning == Warns::WhenChanged,
            kind: shape.kind,
            argument: shape.argument.unwrap_or(record.argument),
            unit: if is_number(shape.kind) { record.unit } else { Unit::Count },
            words: shape.words,
            min: shape.min,
            max: shape.max,
            block: shape.block,
            default: shape.default,
            effective,
            scope: shape.scope,
            dynamic: shape.dynamic,
            deprecated,
            is_option: record.is_option,
            is_variable: record.is_variable,
            read_only: record.read_only,
            plugin_toggle: record.plugin_toggle,
            plugin: record.plugin,
            windows: record.windows,
            variable,
            inverted,
        };
        match steps.last() {
            Some((_, last)) if *last == point => {}
            _ => steps.push((start, point)),
        }
    }
    Ok(Timeline { steps, history: history(record) })
}

/// Whether the servers warn, over all versions. Before the first observation they did as in it; a change begins with the series in which
/// it was seen.
fn warnings(record: &Record) -> Vec<(Version, Warns)> {
    let mut steps = Vec::with_capacity(record.warns.len());
    let mut before: Option<Version> = None;
    for (warns, from) in &record.warns {
        let start = match before {
            None => START,
            Some(before) if before.same_series(*from) => *from,
            Some(_) => series_start(*from),
        };
        steps.push((start, *warns));
        before = Some(*from);
    }
    settle(steps)
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Signed | Kind::Unsigned | Kind::Real | Kind::NotRecorded)
}

/// What the last step at or before a version says.
fn at<T>(steps: &[(Version, T)], version: Version) -> Option<&T> {
    steps[..steps.partition_point(|step| step.0 <= version)].last().map(|step| &step.1)
}

fn next_release(version: Version) -> Version {
    Version::new(version.major, version.minor, version.patch + 1)
}

fn next_series(version: Version) -> Version {
    Version::new(version.major, version.minor + 1, 0)
}

fn series_start(version: Version) -> Version {
    Version::new(version.major, version.minor, 0)
}

fn state_of(seen: &Seen) -> (State, bool) {
    match seen.state {
        SeenState::Absent => (State::Absent, false),
        SeenState::Present => (State::Present, false),
        SeenState::Ignored { warns } => (State::Ignored, warns),
        SeenState::NoEffect => (State::NoEffect, false),
    }
}

/// The states over all versions. What lies between two observations that differ is unknown, unless the change is documented there;
/// nothing is taken away within a release series.
fn states(record: &Record) -> Vec<(Version, (State, bool))> {
    let unknown = (State::Unknown, false);
    let absent = (State::Absent, false);
    let present = (State::Present, false);
    let mut steps = Vec::new();
    let (Some(first), Some(last)) = (record.seen.first(), record.seen.last()) else {
        return documented_states(record);
    };
    match (first.state, record.introduced) {
        (SeenState::Absent, _) => steps.push((START, absent)),
        (SeenState::Present, Some(introduced)) if introduced <= first.from => {
            steps.push((START, absent));
            steps.push((introduced, present));
        }
        _ => {
            steps.push((START, unknown));
            steps.push((first.from, state_of(first)));
        }
    }
    for pair in record.seen.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if before.state == after.state {
            continue;
        }
        let within = |version: &Version| *version > before.to && *version <= after.from;
        let change = if before.state == SeenState::Absent || after.state == SeenState::Present {
            record.introduced
        } else {
            // What lost its effect is called deprecated from then on.
            let without_effect = after.state == SeenState::NoEffect;
            record.removed.filter(within).or(if without_effect { record.deprecated } else { None })
        };
        if let Some(change) = change.filter(within) {
            steps.push((change, state_of(after)));
        } else if before.state == SeenState::Absent || before.to.same_series(after.from) {
            steps.push((next_release(before.to), unknown));
            steps.push((after.from, state_of(after)));
        } else {
            steps.push((next_series(before.to), unknown));
            steps.push((series_start(after.from), state_of(after)));
        }
    }
    match last.state {
        SeenState::Absent => {
            if let Some(introduced) = record.introduced.filter(|version| *version > last.to) {
                steps.push((introduced, present));
            }
        }
        SeenState::Present => {
            if let Some(removed) = record.removed.filter(|version| *version > last.to) {
                // MariaDB goes on taking many removed names without effect.
                steps.push((removed, if record.flavor == Flavor::Mariadb { unknown } else { absent }));
            }
        }
        SeenState::Ignored { .. } | SeenState::NoEffect => {}
    }
    settle(steps)
}

/// The states of a name that no observed release shows.
fn documented_states(record: &Record) -> Vec<(Version, (State, bool))> {
    let (unknown, absent, present) = ((State::Unknown, false), (State::Absent, false), (State::Present, false));
    let mut steps = Vec::new();
    let first = record.documented.iter().min();
    match record.introduced {
        Some(introduced) => {
            steps.push((START, absent));
            steps.push((introduced, present));
        }
        None => {
            steps.push((START, unknown));
            steps.extend(first.map(|series| (*series, present)));
        }
    }
    // The manuals at hand: 5.7, 8.0, 9.5 for MySQL (of others some pages), 5.7 (some), 8.0, 8.4 for Percona.
    let series: &[Version] = match record.flavor {
        Flavor::Mysql => &[Version::new(5, 7, 0), Version::new(8, 0, 0), Version::new(9, 5, 0)],
        Flavor::Percona | Flavor::Pxc => &[Version::new(5, 7, 0), Version::new(8, 0, 0), Version::new(8, 4, 0)],
        Flavor::Mariadb => &[],
    };
    let last = record.documented.iter().max();
    if let Some(removed) = record.removed {
        steps.push((removed, absent));
    } else if let Some(last) = last
        && series.iter().any(|other| other > last)
    {
        steps.push((next_series(*last), unknown));
    }
    settle(steps)
}

/// Sorts the steps and drops those that change nothing; of two at one version the later written counts.
fn settle<T: PartialEq>(mut steps: Vec<(Version, T)>) -> Vec<(Version, T)> {
    steps.sort_by_key(|step| step.0);
    let mut settled: Vec<(Version, T)> = Vec::with_capacity(steps.len());
    for step in steps {
        if settled.last().is_some_and(|last| last.0 == step.0) {
            settled.pop();
        }
        if settled.last().is_none_or(|last| last.1 != step.1) {
            settled.push(step);
        }
    }
    settled
}

/// The part of a point that the steps of a record give.
#[derive(Clone, PartialEq)]
struct Shape {
    kind: Kind,
    words: String,
    min: Option<i128>,
    max: Option<i128>,
    block: u64,
    default: Default,
    scope: Option<(bool, bool)>,
    dynamic: Option<bool>,
    argument: Option<Argument>,
}

impl Shape {
    fn not_recorded() -> Self {
        Self {
            kind: Kind::NotRecorded,
            words: String::new(),
            min: None,
            max: None,
            block: 1,
            default: Default::NotRecorded,
            scope: None,
            dynamic: None,
            argument: None,
        }
    }

    fn apply(&mut self, step: &Step) -> Result<(), String> {
        if let Some(kind) = step.kind
            && kind != self.kind
        {
            // A new type begins without the range and words of the old one.
            if self.kind != Kind::NotRecorded && is_number(kind) != is_number(self.kind) {
                (self.min, self.max, self.block) = (None, None, 1);
            }
            if !matches!(kind, Kind::Enumeration | Kind::Set | Kind::FlagSet) {
                self.words.clear();
            }
            self.kind = kind;
        }
        if let Some(words) = &step.words {
            self.words.clone_from(words);
        }
        self.min = step.min.or(self.min);
        self.max = step.max.or(self.max);
        self.block = step.block.unwrap_or(self.block);
        self.scope = step.scope.or(self.scope);
        self.dynamic = step.dynamic.or(self.dynamic);
        self.argument = step.argument.or(self.argument);
        if let Some(literal) = &step.default {
            self.default = default(self.kind, literal)?;
        } else if step.kind.is_some() {
            self.default = refit(self.kind, std::mem::replace(&mut self.default, Default::NotRecorded));
        }
        Ok(())
    }
}

/// The same default in an option's new type; not recorded where the new type cannot hold it.
fn refit(kind: Kind, old: Default) -> Default {
    let Default::Value(value) = old else { return old };
    let text = match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(text) | Value::Set(text) => text.into_owned(),
        Value::Text(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Value::None => return Default::None,
    };
    default(kind, &Literal::Text(text)).unwrap_or(Default::NotRecorded)
}

/// The shapes over all versions. A change seen in a later series begins with that series; the default of the series between is not recorded
/// when it changed.
fn shapes(record: &Record) -> Result<Vec<(Version, Shape)>, String> {
    let mut steps: Vec<(Version, Shape)> = Vec::new();
    let mut shape = Shape::not_recorded();
    let mut seen_until = START;
    for step in &record.steps {
        let old = shape.clone();
        shape.apply(step)?;
        if steps.is_empty() {
            steps.push((START, shape.clone()));
        } else if shape != old {
            let known = step.exact || step.from.same_series(seen_until);
            let start = if known { step.from } else { series_start(step.from) };
            let gap = next_series(seen_until);
            if !known && shape.default != old.default && gap < start {
                steps.push((gap, Shape { default: Default::NotRecorded, ..old }));
            }
            steps.push((start, shape.clone()));
        }
        seen_until = step.to;
    }
    Ok(settle(steps))
}

fn effective(record: &Record, shapes: &[(Version, Shape)]) -> Result<Vec<(Version, Option<Default>)>, String> {
    let mut steps = Vec::new();
    for (version, literal) in &record.effective {
        let kind = at(shapes, *version).map_or(Kind::NotRecorded, |shape| shape.kind);
        steps.push((series_start(*version), Some(default(kind, literal)?)));
    }
    Ok(settle(steps))
}

fn default(kind: Kind, literal: &Literal) -> Result<Default, String> {
    let text = match literal {
        Literal::None => return Ok(Default::None),
        Literal::Derived => return Ok(Default::Derived),
        Literal::Text(text) => text.clone(),
    };
    let wrong = |what: &str| Err(format!("the default `{text}` is no {what}"));
    let value = match kind {
        Kind::Signed | Kind::Unsigned => match text.parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => return wrong("whole number"),
        },
        Kind::Real => match text.parse() {
            Ok(number) => Value::Real(number),
            Err(_) => return wrong("number"),
        },
        Kind::Boolean | Kind::PluginBoolean if text != "ON" && text != "OFF" => return wrong("ON or OFF"),
        Kind::Boolean | Kind::PluginBoolean | Kind::Enumeration | Kind::Flag => Value::Word(text.into()),
        Kind::Set | Kind::FlagSet => Value::Set(text.into()),
        Kind::Text | Kind::Path => Value::Text(text.into_bytes().into()),
        Kind::NotRecorded => return Err(format!("a default, `{text}`, needs a type")),
    };
    Ok(Default::Value(value))
}

fn history(record: &Record) -> History {
    let exists = |seen: &&Seen| matches!(seen.state, SeenState::Present | SeenState::NoEffect);
    let first = record.seen.iter().position(|seen| exists(&seen));
    let last = record.seen.iter().rposition(|seen| exists(&seen));
    let introduced = record.introduced.map(Since::Exact).or_else(|| {
        let first = first?;
        let before = first.checked_sub(1).map(|index| record.seen[index].to);
        Some(Since::Between(before, record.seen[first].from))
    });
    let removed = record.removed.map(Since::Exact).or_else(|| {
        let last = last?;
        let after = record.seen.get(last + 1)?;
        Some(Since::Between(Some(record.seen[last].to), after.from))
    });
    History { introduced, deprecated: record.deprecated, removed, replaced_by: record.replaced_by.clone() }
}
