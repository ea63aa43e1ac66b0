//! Settings that are laid down when a data directory is made, and cannot be changed by writing something else.

use super::windows;
use super::{Hit, Subject};
use crate::catalog::{OptionId, id};
use crate::effective::Origin;
use crate::finding::{Safety, Severity};
use crate::server::Server;
use crate::value::{Outcome, Value, as_written};

pub(super) fn init_only_setting(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for option in [id::LOWER_CASE_TABLE_NAMES, id::INNODB_PAGE_SIZE, id::INNODB_UNDO_TABLESPACES] {
        let Some(line) = subject.effective.decided(option) else { continue };
        if !matches!(line.origin, Origin::Line(_)) {
            continue;
        }
        let value = subject.effective.get(option).map(|setting| &setting.value);
        let Some(Outcome::Known(Value::Integer(value))) = value else { continue };
        let Some(effect) = effect(subject, option, *value) else { continue };
        let written = u64::try_from(*value).map_or_else(|_| value.to_string(), as_written);
        let message = format!(
            "`{option} = {written}` counts only when the data directory is made: on one that was made otherwise {effect}"
        );
        let advice =
            "keep the line where the directory was made with it; to change the value, load a dump into a new directory";
        let hit = Hit::new(Severity::Advice, line.whole(), message).label("fixed when the directory is made");
        hits.push(hit.option(option.name()).remedy(Safety::Manual, advice, Vec::new()));
    }
}

/// What a server does with a data directory that was made with another value; `None` for the default, and where it can be
/// changed. Measured by starts of MySQL 5.6.24 and 9.7.4 and MariaDB 10.5.23 and 10.11.19 on directories with the defaults.
fn effect(subject: Subject<'_>, option: OptionId, value: i128) -> Option<&'static str> {
    let Server { flavor, .. } = subject.server;
    let mysql = flavor.is_mysql_family();
    match option {
        // On Windows 1 is the default.
        id::LOWER_CASE_TABLE_NAMES if value != 1 || windows::is_meant(subject) => None,
        id::LOWER_CASE_TABLE_NAMES if mysql && subject.server.at_least(8, 0, 0) => {
            Some("the server refuses to start (MY-011087)")
        }
        id::LOWER_CASE_TABLE_NAMES => Some("tables whose names have capital letters cannot be opened any more"),
        id::INNODB_PAGE_SIZE => {
            let other = [4 << 10, 8 << 10, 32 << 10, 64 << 10].contains(&value);
            other.then_some("InnoDB, and with it the server, refuses to start")
        }
        _ => {
            let fixed = if mysql { !subject.server.at_least(8, 0, 0) } else { !subject.server.at_least(10, 6, 0) };
            (fixed && value > 0).then_some("InnoDB, and with it the server, refuses to start")
        }
    }
}
