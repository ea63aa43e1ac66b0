//! Settings that give up safety for a fast import, and were written by somebody.
//!
//! Defaults are not counted: stock MariaDB has some of these values. One hard marker, or two of durability, tell an
//! import; `max_allowed_packet` and `innodb_log_buffer_size` tell nothing.

use super::Reader;
use super::read::{has_word, is_written};
use crate::catalog::{OptionId, id};
use crate::facts::FactId;
use crate::value::{Outcome, Value};

/// Whether this value of `innodb_doublewrite` leaves torn pages unrepaired and was meant to.
pub(super) fn is_doublewrite_off(value: &Value<'_>) -> bool {
    has_word(value, "OFF") || has_word(value, "FALSE") || *value == Value::Integer(0)
}

/// Whether this value of `innodb_doublewrite` cannot repair a torn page: off, or `DETECT_ONLY`, which notices it.
pub(super) fn is_doublewrite_unable(value: &Value<'_>) -> bool {
    is_doublewrite_off(value) || has_word(value, "DETECT_ONLY")
}

/// Whether the filesystem is known to write no page in place, so that none is ever torn.
pub(super) fn is_copy_on_write(reader: &mut dyn Reader) -> bool {
    matches!(reader.fact(FactId::DiskFilesystem), Outcome::Known(value) if has_word(&value, "zfs"))
}

/// Whether this value of `innodb_flush_method` never syncs: `nosync`, `littlesync`.
pub(super) fn is_never_synced(value: &Value<'_>) -> bool {
    has_text(value, "nosync") || has_text(value, "littlesync")
}

/// Whether this value of `innodb_flush_method` leaves out syncs that can matter: `O_DIRECT_NO_FSYNC`.
pub(super) fn is_direct_without_sync(value: &Value<'_>) -> bool {
    has_text(value, "O_DIRECT_NO_FSYNC")
}

/// Whether commits are not on disk when they return. MariaDB's 3 syncs at commit like 1.
pub(super) fn is_commit_relaxed(value: &Value<'_>) -> bool {
    value.as_integer().is_some_and(|value| value != 1 && value != 3)
}

/// Whether this value of `log_bin` means that there is no binary log.
pub(super) fn is_binary_log_off(value: &Value<'_>) -> bool {
    *value == Value::None || has_word(value, "OFF")
}

/// Whether there is a binary log for certain.
pub(super) fn is_binary_log_on(reader: &mut dyn Reader) -> bool {
    matches!(reader.setting(id::LOG_BIN), Outcome::Known(value) if !is_binary_log_off(&value))
}

/// Whether a setting is written with a value that `relaxed` knows.
pub(super) fn is_written_as(reader: &mut dyn Reader, id: OptionId, relaxed: fn(&Value<'_>) -> bool) -> bool {
    is_written(reader, id) && matches!(reader.setting(id), Outcome::Known(value) if relaxed(&value))
}

/// Whether the binary log is on and its syncing is written as anything but every commit.
pub(super) fn is_binary_log_unsynced(reader: &mut dyn Reader) -> bool {
    is_binary_log_on(reader)
        && is_written_as(reader, id::SYNC_BINLOG, |value| value.as_integer().is_some_and(|every| every != 1))
}

/// Written settings that give up crash safety: doublewrite off, no syncing at all; and a running server whose redo log
/// is disabled.
pub fn hard_markers(reader: &mut dyn Reader) -> i128 {
    let markers = [
        is_written_as(reader, id::INNODB_DOUBLEWRITE, is_doublewrite_off) && !is_copy_on_write(reader),
        is_written_as(reader, id::INNODB_FLUSH_METHOD, is_never_synced),
        matches!(reader.fact(FactId::RunningRedoLogEnabled), Outcome::Known(value) if has_word(&value, "OFF")),
    ];
    markers.into_iter().map(i128::from).sum()
}

/// Written settings that give up the durability of commits: not flushed at commit, binary log off or not synced.
pub fn durability_markers(reader: &mut dyn Reader) -> i128 {
    let markers = [
        is_written_as(reader, id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, is_commit_relaxed),
        is_written_as(reader, id::LOG_BIN, is_binary_log_off),
        is_binary_log_unsynced(reader),
    ];
    markers.into_iter().map(i128::from).sum()
}

/// Before 5.6.37 the catalog knows `innodb_flush_method` as a text, later as an enumeration.
fn has_text(value: &Value<'_>, wanted: &str) -> bool {
    match value {
        Value::Word(word) => word.eq_ignore_ascii_case(wanted),
        Value::Text(text) => text.eq_ignore_ascii_case(wanted.as_bytes()),
        _ => false,
    }
}
