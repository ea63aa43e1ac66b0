//! What setting "redo" means on each version: the options that a fix changes for a target.

use super::Reader;
use super::charset::{Collation, EVERY_CHARACTER, collation};
use super::import::{
    is_binary_log_off, is_binary_log_on, is_binary_log_unsynced, is_commit_relaxed, is_copy_on_write,
    is_direct_without_sync, is_doublewrite_unable, is_never_synced, is_written_as,
};
use super::names::Target;
use super::read::{has_word, is_written, number};
use super::{io, memory, redo};
use crate::catalog::{OptionId, id};
use crate::server::Server;
use crate::value::{Outcome, Value};
use std::borrow::Cow;

/// What happens to an option.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// It gets this value.
    Set(Value<'static>),
    /// Every line of it goes, under every name that sets the same variable.
    Remove,
}

/// What happens to one option.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetChange {
    /// The option.
    pub option: OptionId,
    /// What happens to it.
    pub action: Action,
}

fn set_to(option: OptionId, value: Value<'static>) -> TargetChange {
    TargetChange { option, action: Action::Set(value) }
}

fn remove(option: OptionId) -> TargetChange {
    TargetChange { option, action: Action::Remove }
}

/// The changes that bring a target to a value; `value` is not looked at by targets without [`Target::unit`].
///
/// `None` when the target needs a number and there is none, or what it depends on is unknown.
pub fn set(target: Target, value: Option<&Value<'_>>, reader: &mut dyn Reader) -> Option<Vec<TargetChange>> {
    match target {
        Target::Redo => redo_changes(value?.as_integer()?, reader),
        Target::BinaryLog => Some(binary_log_changes(reader)),
        Target::Import => Some(import_changes(reader)),
        Target::Commit => Some(commit_changes(reader)),
        Target::BufferPool => pool_changes(value?.as_integer()?, reader),
        Target::Memory => memory_changes(reader),
        Target::IoCapacityMax => io_changes(value?.as_integer()?, reader),
        Target::CharacterSet => Some(charset_changes(reader)),
    }
}

/// The settings that a target is about: what a finding on it points at.
pub fn settings(target: Target, server: Server) -> &'static [OptionId] {
    match target {
        Target::Redo if redo::has_redo_log_capacity(server) => {
            &[id::INNODB_REDO_LOG_CAPACITY, id::INNODB_LOG_FILE_SIZE, id::INNODB_LOG_FILES_IN_GROUP]
        }
        Target::Redo if redo::counts_files(server) => &[id::INNODB_LOG_FILE_SIZE, id::INNODB_LOG_FILES_IN_GROUP],
        Target::Redo => &[id::INNODB_LOG_FILE_SIZE],
        Target::BinaryLog => &[id::LOG_BIN],
        Target::Import => &[
            id::INNODB_DOUBLEWRITE,
            id::INNODB_FLUSH_METHOD,
            id::INNODB_FLUSH_LOG_AT_TRX_COMMIT,
            id::SYNC_BINLOG,
            id::LOG_BIN,
        ],
        Target::Commit => &[id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, id::SYNC_BINLOG],
        Target::BufferPool => &[id::INNODB_BUFFER_POOL_SIZE],
        Target::Memory => &[id::INNODB_BUFFER_POOL_SIZE, id::MAX_CONNECTIONS],
        Target::IoCapacityMax => &[id::INNODB_IO_CAPACITY_MAX, id::INNODB_IO_CAPACITY],
        Target::CharacterSet => &[id::CHARACTER_SET_SERVER, id::COLLATION_SERVER],
    }
}

/// The redo log of so many bytes: one capacity from MySQL 8.0.30 on, with the older lines removed; else the size of one
/// file, rounded up to whole MiB so that nothing is lost, with the number of files that stands.
fn redo_changes(bytes: i128, reader: &mut dyn Reader) -> Option<Vec<TargetChange>> {
    if redo::files_stay(reader) {
        return None;
    }
    let log = redo::redo_log(reader).known()?;
    let each = log.round_up(bytes) / log.files();
    if !redo::has_redo_log_capacity(reader.server()) {
        return Some(vec![set_to(id::INNODB_LOG_FILE_SIZE, Value::Integer(each))]);
    }
    let mut changes = vec![set_to(id::INNODB_REDO_LOG_CAPACITY, Value::Integer(each))];
    let old = [id::INNODB_LOG_FILE_SIZE, id::INNODB_LOG_FILES_IN_GROUP];
    changes.extend(old.into_iter().filter(|option| is_written(reader, *option)).map(remove));
    Some(changes)
}

/// Days for which a binary log that is turned on is kept where the server would keep it for ever: a nightly backup may fail twice
/// before a gap opens.
const DAYS_KEPT: i128 = 7;

/// The binary log on: by default from MySQL 8.0 on, so the lines that turn it off go; else by name, with an end to how long it is
/// kept. MySQL 5.7 refuses to start with a binary log and no server id
/// (<https://dev.mysql.com/doc/refman/5.7/en/replication-options.html#sysvar_server_id>).
fn binary_log_changes(reader: &mut dyn Reader) -> Vec<TargetChange> {
    let server = reader.server();
    // A log that is on keeps its name and its place.
    if is_binary_log_on(reader) {
        return Vec::new();
    }
    if server.flavor.is_mysql_family() && server.at_least(8, 0, 0) {
        return vec![remove(id::LOG_BIN)];
    }
    let mut changes = vec![set_to(id::LOG_BIN, Value::Text(Cow::Borrowed(b"binlog")))];
    if server.flavor.is_mysql_family() && !is_written(reader, id::SERVER_ID) {
        changes.push(set_to(id::SERVER_ID, Value::Integer(1)));
    }
    // Older servers count days only.
    let in_seconds = number(reader, id::BINLOG_EXPIRE_LOGS_SECONDS).known().unwrap_or(0);
    if in_seconds == 0 && number(reader, id::EXPIRE_LOGS_DAYS).known() == Some(0) {
        changes.push(set_to(id::EXPIRE_LOGS_DAYS, Value::Integer(DAYS_KEPT)));
    }
    changes
}

/// The line that makes the server remove binary logs once they are a week old.
pub(super) fn binlog_retention(reader: &mut dyn Reader) -> Outcome<Value<'static>> {
    let server = reader.server();
    let mysql = server.flavor.is_mysql_family();
    let is_off = |value: &Value<'_>| has_word(value, "OFF");
    // https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-1.html, https://mariadb.com/kb/en/mariadb-1061-release-notes/
    let in_seconds = if mysql { server.at_least(8, 0, 1) } else { server.at_least(10, 6, 1) };
    let line = if is_written_as(reader, id::BINLOG_EXPIRE_LOGS_AUTO_PURGE, is_off) {
        "binlog_expire_logs_auto_purge = ON".to_owned()
    } else if in_seconds {
        format!("binlog_expire_logs_seconds = {}", DAYS_KEPT * 86400)
    } else {
        format!("expire_logs_days = {DAYS_KEPT}")
    };
    Outcome::Known(Value::Word(Cow::Owned(line)))
}

/// Every written setting that an import relaxes, back to the durable one: the line goes where the default is durable.
fn import_changes(reader: &mut dyn Reader) -> Vec<TargetChange> {
    let server = reader.server();
    let mut changes = Vec::new();
    if !is_copy_on_write(reader) && is_written_as(reader, id::INNODB_DOUBLEWRITE, is_doublewrite_unable) {
        changes.push(remove(id::INNODB_DOUBLEWRITE));
    }
    if is_written_as(reader, id::INNODB_FLUSH_METHOD, |value| is_never_synced(value) || is_direct_without_sync(value)) {
        changes.push(if flushes_directly_by_default(server) {
            remove(id::INNODB_FLUSH_METHOD)
        } else {
            set_to(id::INNODB_FLUSH_METHOD, Value::Word(Cow::Borrowed("O_DIRECT")))
        });
    }
    if is_written_as(reader, id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, is_commit_relaxed) {
        changes.push(remove(id::INNODB_FLUSH_LOG_AT_TRX_COMMIT));
    }
    let binary_log_off = is_written_as(reader, id::LOG_BIN, is_binary_log_off);
    if binary_log_off {
        changes.extend(binary_log_changes(reader));
    }
    // A binary log that comes back is to be synced as well.
    let relaxed = |value: &Value<'_>| value.as_integer().is_some_and(|every| every != 1);
    if is_binary_log_unsynced(reader) || binary_log_off && is_written_as(reader, id::SYNC_BINLOG, relaxed) {
        changes.push(if syncs_binary_log_by_default(server) {
            remove(id::SYNC_BINLOG)
        } else {
            set_to(id::SYNC_BINLOG, Value::Integer(1))
        });
    }
    changes
}

fn charset_changes(reader: &mut dyn Reader) -> Vec<TargetChange> {
    let word = |text: String| Value::Word(text.into());
    let mut changes = vec![set_to(id::CHARACTER_SET_SERVER, word(EVERY_CHARACTER.to_owned()))];
    match collation(reader) {
        Collation::Stays => {}
        Collation::Becomes(name) => changes.push(set_to(id::COLLATION_SERVER, word(name))),
        Collation::Goes => changes.push(remove(id::COLLATION_SERVER)),
    }
    changes
}

/// Both at 1, of those that are written otherwise.
fn commit_changes(reader: &mut dyn Reader) -> Vec<TargetChange> {
    let mut changes = Vec::new();
    if is_written_as(reader, id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, is_commit_relaxed) {
        changes.push(set_to(id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, Value::Integer(1)));
    }
    if is_binary_log_unsynced(reader) {
        changes.push(set_to(id::SYNC_BINLOG, Value::Integer(1)));
    }
    changes
}

/// The pool, and the redo log where the one that stands would be far too small or too large beside it.
fn pool_changes(bytes: i128, reader: &mut dyn Reader) -> Option<Vec<TargetChange>> {
    let mut changes = vec![set_to(id::INNODB_BUFFER_POOL_SIZE, Value::Integer(bytes))];
    if let Some(capacity) = redo::capacity_beside(bytes, reader) {
        if redo::files_stay(reader) {
            return None;
        }
        changes.extend(redo_changes(capacity, reader).unwrap_or_default());
    }
    Some(changes)
}

/// The buffer pool that fits when the one that stands does not, and fewer connections when that is not enough. `None` when
/// fewer than 50 connections and less than a tenth of them would be left (our own limit: then what each of them takes is too large).
fn memory_changes(reader: &mut dyn Reader) -> Option<Vec<TargetChange>> {
    let machine = memory::machine(reader).known()?;
    let demand = memory::demand(reader).known()?;
    let pool = memory::pool_recommended(reader).known()?;
    let mut changes = Vec::new();
    if pool < demand.grid.effective(demand.pool) {
        changes.extend(pool_changes(pool, reader)?);
    }
    if demand.peak_with_pool(pool.min(demand.pool)) > machine.available() {
        // What MariaDB keeps for administrators counts in the model and is set by another option.
        let extra = demand.connections - number(reader, id::MAX_CONNECTIONS).known()?;
        let connections = demand.connections_recommended(&machine)? - extra;
        if connections < 50 && connections * 10 < demand.connections {
            return None;
        }
        changes.push(set_to(id::MAX_CONNECTIONS, Value::Integer(connections)));
    }
    Some(changes)
}

/// `innodb_flush_method` is `O_DIRECT` on Linux by default: MySQL 8.4
/// (<https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_flush_method>; measured on 9.7.4),
/// MariaDB 10.6 (<https://mariadb.com/kb/en/innodb-system-variables/#innodb_flush_method>; measured on 10.11.19).
fn flushes_directly_by_default(server: Server) -> bool {
    if server.flavor.is_mysql_family() { server.at_least(8, 4, 0) } else { server.at_least(10, 6, 0) }
}

/// `sync_binlog` is 1 by default: MySQL 5.7.7
/// (<https://dev.mysql.com/doc/refman/5.7/en/replication-options-binary-log.html#sysvar_sync_binlog>); MariaDB keeps 0.
fn syncs_binary_log_by_default(server: Server) -> bool {
    server.flavor.is_mysql_family() && server.at_least(5, 7, 7)
}

/// The ceiling of flushing, and the idle rate where it would lie above (the server lowers that with a warning, measured on
/// MySQL 9.7.4) or is more than the disk can follow.
fn io_changes(pages: i128, reader: &mut dyn Reader) -> Option<Vec<TargetChange>> {
    let mut changes = vec![set_to(id::INNODB_IO_CAPACITY_MAX, Value::Integer(pages))];
    let limit = io::pace(reader).known().map_or(pages, |pace| pace.capacity_limit.min(pages));
    if number(reader, id::INNODB_IO_CAPACITY).known()? > limit {
        let suits = io::capacity_recommended(reader).known().unwrap_or(pages).min(pages);
        changes.push(set_to(id::INNODB_IO_CAPACITY, Value::Integer(suits)));
    }
    Some(changes)
}
