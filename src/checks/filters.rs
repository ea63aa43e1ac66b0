//! Replication filters: one database or table to a line, whatever the value looks like.

use super::combinations::Remark;
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};

/// The server takes the whole value for one name. Asked: with `binlog_do_db = shop,crm` 9.7.4, 10.5.23 and 11.8.9 log no change of `shop`, and
/// with `replicate_do_db = shop,crm` 10.11.19 applies none, while with `shop` alone it does. That MariaDB splits the value holds for SET only
/// (<https://mariadb.com/docs/server/ha-and-performance/standard-replication/replication-filters>).
const ONE_NAME: [OptionId; 8] = [
    id::BINLOG_DO_DB,
    id::BINLOG_IGNORE_DB,
    id::REPLICATE_DO_DB,
    id::REPLICATE_IGNORE_DB,
    id::REPLICATE_DO_TABLE,
    id::REPLICATE_IGNORE_TABLE,
    id::REPLICATE_WILD_DO_TABLE,
    id::REPLICATE_WILD_IGNORE_TABLE,
];

pub(super) fn several_names_in_filter(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let is_line = |origin| matches!(origin, Origin::Line(_));
    for line in subject.effective.assignments.iter().filter(|line| is_line(line.origin) && !line.template) {
        let Some(option) = line.option().filter(|option| ONE_NAME.contains(option)) else { continue };
        let Some(value) = line.value.as_deref().filter(|value| value.contains(&b',')) else { continue };
        let name = shown(&line.name);
        let message =
            format!("`{}` is taken for one name, comma included, and no database or table is called so", shown(value));
        let hit = Hit::new(Severity::Error, line.whole(), message).label("one name").option(option.name());
        hits.push(hit.remedy(Safety::Manual, format!("write a line with `{name}` for each name"), Vec::new()));
    }
}

/// What a filter lacks, and the form that it has.
fn lack_of(option: OptionId, value: &str) -> Option<(&'static str, &'static str)> {
    const TABLES: [OptionId; 4] = [
        id::REPLICATE_DO_TABLE,
        id::REPLICATE_IGNORE_TABLE,
        id::REPLICATE_WILD_DO_TABLE,
        id::REPLICATE_WILD_IGNORE_TABLE,
    ];
    if TABLES.contains(&option) {
        return (!value.contains('.')).then_some(("has no dot between database and table", "database.table"));
    }
    let wants = "from->to";
    match value.split_once("->") {
        _ if option != id::REPLICATE_REWRITE_DB => None,
        None => Some(("has no `->` between the two databases", wants)),
        Some((from, to)) if from.trim().is_empty() || to.trim().is_empty() => {
            Some(("lacks one of the two databases", wants))
        }
        Some(_) => None,
    }
}

struct Malformed<'a> {
    option: OptionId,
    line: &'a Assignment<'a>,
    value: &'a str,
    lack: &'static str,
    form: &'static str,
}

/// Asked by starts of MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23 and 11.8.9: all of them stop.
fn malformed<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Malformed<'a>> {
    let is_line =
        |line: &&Assignment<'_>| matches!(line.origin, Origin::Line(_)) && !line.template && line.branch.is_none();
    effective.assignments.iter().filter(is_line).filter_map(|line| {
        let (option, value) = (line.option()?, std::str::from_utf8(line.value.as_deref()?).ok()?);
        let (lack, form) = lack_of(option, value)?;
        Some(Malformed { option, line, value, lack, form })
    })
}

/// What the server says when it starts.
pub(super) fn remarks<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Remark> + 'a {
    malformed(effective).map(|found| Remark { variable: found.option, reaction: Reaction::Refuses })
}

pub(super) fn malformed_filter(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for Malformed { option, line, value, lack, form } in malformed(subject.effective) {
        let name = shown(&line.name);
        let message = format!("`{name} = {value}` {lack}: the server refuses to start");
        let hit = Hit::new(Severity::Error, line.whole(), message).label(form).option(option.name());
        hits.push(hit.remedy(Safety::Manual, format!("write `{name} = {form}`"), Vec::new()));
    }
}
