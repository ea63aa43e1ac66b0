//! From what a rule or a check wants changed to the edits and statements that do it.

use super::statements::{Running, running};
use crate::catalog::{self, OptionId, id};
use crate::checks::{Remedy, may_be_missing};
use crate::edits::{self, Place};
use crate::effective::{Origin, Setting};
use crate::finding::{Change, Fix, Safety, listed};
use crate::model::{Target, targets};
use crate::rules::{Context, FixPlan, Named, PlannedChange};
use crate::server::Server;
use crate::value::{Kind, Outcome, Unit, Value, as_written};

/// The plan's settings and targets as changes of options that this server has.
pub(super) fn remedy(plan: FixPlan<'_>, context: &mut Context<'_>) -> Remedy {
    let mut changes = Vec::new();
    for planned in plan.changes {
        match planned {
            PlannedChange::SetSetting(name, value) => changes.extend(set(name, value, context)),
            PlannedChange::SetTarget(target, value) => changes.extend(set_target(target, value, context)),
            // A fix of several removals names those lines only that are there.
            PlannedChange::Remove(name) => {
                let option = Named::of(name).and_then(Named::option).filter(|option| is_written(*option, context));
                changes.extend(option.map(|option| removed(option, context)));
            }
            PlannedChange::Rename { from, to } => {
                changes.push(Change::Rename { from: from.to_owned(), to: to.to_owned() })
            }
        }
    }
    let title = plan.text.unwrap_or_else(|| listed(&changes));
    if moves_redo_files(&changes, context.effective().server) {
        let title = format!(
            "{title}; this server does not start with it until, after a clean stop, ib_logfile* are moved away"
        );
        return Remedy { safety: Safety::Manual, title, changes: Vec::new() };
    }
    Remedy { safety: plan.safety, title, changes }
}

/// Whether the server refuses redo log files of another size than the one that is to be written: MySQL lays them out anew since 5.6.8
/// (<https://dev.mysql.com/doc/relnotes/mysql/5.6/en/news-5-6-8.html>), MariaDB since 10.0.
fn moves_redo_files(changes: &[Change], server: Server) -> bool {
    let keeps = if server.flavor.is_mysql_family() { !server.at_least(5, 6, 8) } else { !server.at_least(10, 0, 0) };
    let is_size =
        |change: &Change| matches!(change, Change::Set { option, .. } if option == id::INNODB_LOG_FILE_SIZE.name());
    keeps && changes.iter().any(is_size)
}

fn set(name: crate::expr::NameId, value: Option<Value<'static>>, context: &Context<'_>) -> Option<Change> {
    let id = Named::of(name)?.option()?;
    let entry = catalog::setting(id, context.effective().server);
    let value = value.map(|value| whole(value, entry.shape.kind));
    let stands_there = |setting: &Setting| setting.value == Outcome::Known(value.clone().unwrap_or(Value::None));
    if value.is_some() && is_written(id, context) && context.effective().get(entry.variable).is_some_and(stands_there) {
        return None;
    }
    // A fix of several settings leaves those alone that nobody wrote and that are right by default.
    if value.is_some() && !is_written(id, context) && entry.effective_default.value() == value.as_ref() {
        return None;
    }
    if entry.deprecated && value.is_some() && entry.effective_default.value() == value.as_ref() {
        // What the server does by itself needs no line that it warns about.
        return context.effective().winner(entry.variable).map(|_| removed(id, context));
    }
    let name = entry.id.name();
    // Where nothing loads its plugin, the bare name would stop the server.
    let is_loose = !is_written(id, context) && may_be_missing(&entry, context.effective());
    Some(Change::Set {
        option: if is_loose { format!("loose_{name}") } else { name.to_owned() },
        value: value.map(|value| written(&value, entry.shape.unit)),
    })
}

fn set_target(target: &str, value: Option<Value<'static>>, context: &mut Context<'_>) -> Vec<Change> {
    let changes =
        Target::from_name(target).and_then(|target| targets::set(target, value.as_ref(), context)).unwrap_or_default();
    let change = |change: targets::TargetChange| match change.action {
        targets::Action::Set(value) => {
            let unit = unit_of(change.option, context);
            Change::Set { option: change.option.name().to_owned(), value: Some(written(&value, unit)) }
        }
        targets::Action::Remove => removed(change.option, context),
    };
    changes.into_iter().map(change).collect()
}

fn is_written(option: OptionId, context: &Context<'_>) -> bool {
    let effective = context.effective();
    effective.winner(catalog::setting(option, effective.server).variable).is_some()
}

/// The lines of a setting go, under the name that stands in the file.
fn removed(option: OptionId, context: &Context<'_>) -> Change {
    let variable = catalog::setting(option, context.effective().server).variable;
    let written = context.effective().winner(variable).map(|winner| String::from_utf8_lossy(&winner.name).into_owned());
    Change::Remove { option: written.unwrap_or_else(|| option.name().to_owned()) }
}

/// The number below a computed fraction, where the server takes none.
fn whole(value: Value<'static>, kind: Kind) -> Value<'static> {
    match value {
        Value::Real(number) if matches!(kind, Kind::Signed | Kind::Unsigned) => Value::Integer(number.floor() as i128),
        value => value,
    }
}

/// A value as an option file writes it.
fn written(value: &Value<'_>, unit: Unit) -> String {
    match value {
        Value::Integer(bytes) if unit == Unit::Bytes => {
            u64::try_from(*bytes).map_or_else(|_| bytes.to_string(), as_written)
        }
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(word) | Value::Set(word) => word.clone().into_owned(),
        Value::Text(text) => String::from_utf8_lossy(text).into_owned(),
        Value::None => String::new(),
    }
}

/// Words, or changes: a target may find nothing to change.
pub(super) fn is_something(remedy: &Remedy) -> bool {
    remedy.safety == Safety::Manual || !remedy.changes.is_empty()
}

/// The remedy with its byte edits; words only where no file can be edited.
pub(super) fn carried_out(remedy: Remedy, place: Place<'_>) -> Fix {
    let edits = edits::edits(&remedy.changes, place).unwrap_or_default();
    let safety = if edits.is_empty() { Safety::Manual } else { remedy.safety };
    let mut title = remedy.title;
    for name in persisted(&remedy.changes, place) {
        title.push_str(&format!("; it is persisted, which outranks every file: `RESET PERSIST {name}` first"));
    }
    let Running { dynamic, statements } = running(&remedy.changes, place);
    Fix { safety, title, changes: remedy.changes, dynamic, statements, edits }
}

/// The variables among the changes whose value comes from `mysqld-auto.cnf`.
fn persisted<'a>(changes: &'a [Change], place: Place<'a>) -> impl Iterator<Item = &'static str> + 'a {
    changes.iter().filter_map(move |change| {
        let (Change::Set { option, .. } | Change::Remove { option }) = change else { return None };
        let variable = catalog::setting(OptionId::from_name(option)?, place.effective.server).variable;
        let winner = place.effective.winner(variable)?;
        (winner.origin == Origin::Persisted).then_some(variable.name())
    })
}

pub(super) fn unit_of(id: OptionId, context: &Context<'_>) -> Unit {
    catalog::setting(id, context.effective().server).shape.unit
}
