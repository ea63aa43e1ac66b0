use super::*;
use crate::model::Target;
use crate::model::targets::{Action, set};

/// The settings of the import that took 19 minutes instead of 5 hours.
fn import_file(text: &str) -> Fake {
    on(text)
        .with(id::INNODB_BUFFER_POOL_SIZE, 12 * GIB)
        .with(id::INNODB_LOG_BUFFER_SIZE, 128 * MIB)
        .with(id::INNODB_FLUSH_METHOD, "O_DIRECT_NO_FSYNC")
        .with(id::LOG_BIN, Value::None)
        .with(id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, 2i128)
        .with(id::INNODB_DOUBLEWRITE, "OFF")
}

/// What the target changes: the option, and its new value or nothing.
fn reverted(reader: &mut Fake) -> Vec<(OptionId, Option<Value<'static>>)> {
    let changes = set(Target::Import, None, reader).unwrap();
    let value = |action| if let Action::Set(value) = action { Some(value) } else { None };
    changes.into_iter().map(|change| (change.option, value(change.action))).collect()
}

#[test]
fn an_import_is_told_by_what_is_written() {
    for text in ["mysql-8.0.28", "mysql-9.7.4", "mariadb-10.11.19"] {
        let mut reader = import_file(text);
        assert_eq!(reader.number(ModelId::ImportHardMarkers), 1, "{text}");
        assert_eq!(reader.number(ModelId::ImportDurabilityMarkers), 2, "{text}");
    }
}

#[test]
fn defaults_are_no_markers() {
    // MariaDB has sync_binlog 0 and no binary log unless told otherwise.
    for text in ["mariadb-10.11.19", "mysql-5.6.24", "mysql-9.7.4"] {
        let mut reader = on(text);
        assert_eq!(reader.number(ModelId::ImportHardMarkers), 0);
        assert_eq!(reader.number(ModelId::ImportDurabilityMarkers), 0);
        assert!(reverted(&mut reader).is_empty());
    }
}

#[test]
fn durable_values_that_are_written_are_no_markers() {
    let mut reader = on("mariadb-10.11.19")
        .with(id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, 3i128)
        .with(id::LOG_BIN, Value::Text(Cow::Borrowed(b"bin")))
        .with(id::SYNC_BINLOG, 1i128)
        .with(id::INNODB_DOUBLEWRITE, "ON");
    assert_eq!(reader.number(ModelId::ImportHardMarkers), 0);
    assert_eq!(reader.number(ModelId::ImportDurabilityMarkers), 0);
}

#[test]
fn a_running_server_without_redo_is_a_hard_marker() {
    let mut reader = on("mysql-8.0.28").fact(FactId::RunningRedoLogEnabled, "OFF");
    assert_eq!(reader.number(ModelId::ImportHardMarkers), 1);
}

#[test]
fn syncing_counts_only_while_there_is_a_binary_log() {
    let unsynced = |text| on(text).with(id::SYNC_BINLOG, 0i128);
    assert_eq!(unsynced("mysql-8.0.28").number(ModelId::ImportDurabilityMarkers), 1);
    assert_eq!(unsynced("mysql-5.6.24").number(ModelId::ImportDurabilityMarkers), 0);
}

#[test]
fn the_revert_block_restores_what_each_version_has_by_default() {
    let direct = Some(word("O_DIRECT"));
    assert_eq!(
        reverted(&mut import_file("mysql-8.0.28")),
        [
            (id::INNODB_DOUBLEWRITE, None),
            (id::INNODB_FLUSH_METHOD, direct),
            (id::INNODB_FLUSH_LOG_AT_TRX_COMMIT, None),
            (id::LOG_BIN, None)
        ]
    );
    assert_eq!(reverted(&mut import_file("mysql-9.7.4"))[1], (id::INNODB_FLUSH_METHOD, None));
    let mariadb = reverted(&mut import_file("mariadb-10.11.19").with(id::SYNC_BINLOG, 0i128));
    assert_eq!(mariadb[3], (id::LOG_BIN, Some(Value::Text(Cow::Borrowed(b"binlog")))));
    assert_eq!(mariadb[4], (id::EXPIRE_LOGS_DAYS, Some(Value::Integer(7))));
    assert_eq!(mariadb[5], (id::SYNC_BINLOG, Some(Value::Integer(1))));
}

#[test]
fn reverting_leaves_nothing_to_revert() {
    for text in ["mysql-5.7.44", "mysql-8.0.28", "mysql-9.7.4", "mariadb-10.4.34", "mariadb-10.11.19"] {
        let mut reader = import_file(text).with(id::SYNC_BINLOG, 1000i128);
        let changes = set(Target::Import, None, &mut reader).unwrap();
        for change in changes {
            reader.written.retain(|(option, _)| *option != change.option);
            if let Action::Set(value) = change.action {
                reader.written.push((change.option, value));
            }
        }
        assert_eq!(reader.number(ModelId::ImportHardMarkers), 0, "{text}");
        assert_eq!(reader.number(ModelId::ImportDurabilityMarkers), 0, "{text}");
        assert!(reverted(&mut reader).is_empty(), "{text}");
    }
}

#[test]
fn a_binary_log_on_mysql_5_needs_a_server_id() {
    let changes = set(Target::BinaryLog, None, &mut on("mysql-5.7.44")).unwrap();
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[1].option, id::SERVER_ID);
}

#[test]
fn a_binary_log_that_is_turned_on_is_not_kept_for_ever() {
    let options = |reader: &mut Fake| -> Vec<_> {
        set(Target::BinaryLog, None, reader).unwrap().iter().map(|change| change.option).collect()
    };
    assert_eq!(options(&mut on("mariadb-10.11.19")), [id::LOG_BIN, id::EXPIRE_LOGS_DAYS]);
    assert_eq!(options(&mut on("mariadb-10.11.19").with(id::EXPIRE_LOGS_DAYS, 3i128)), [id::LOG_BIN]);
    assert_eq!(options(&mut on("mariadb-10.11.19").with(id::BINLOG_EXPIRE_LOGS_SECONDS, 3600i128)), [id::LOG_BIN]);
}
