use super::*;
use crate::model::redo::{RedoLog, recovery_rate};
use crate::model::targets::{Action, set};
use crate::model::{Target, redo};
use proptest::prelude::*;

/// A server's redo log with two files where files count.
fn log(text: &str) -> RedoLog {
    RedoLog::new(server(text), 2, 16384, 0)
}

#[test]
fn usable_redo_of_mariadb_is_what_it_shows_as_max_checkpoint_age() {
    let measured = [(96, 80_819_529), (512, 434_147_697), (1024, 869_013_136), (2048, 1_738_744_013), (4, 2_679_645)];
    for (mib, usable) in measured {
        assert_eq!(log("mariadb-10.11.19").usable(mib * MIB), usable);
        assert_eq!(log("mariadb-11.8.9").usable(mib * MIB), usable);
    }
    for (bytes, usable) in [(96 * MIB, 80_827_823), (512 * MIB, 434_155_992), (49_938_432, 39_740_683)] {
        assert_eq!(RedoLog::new(server("mariadb-10.5.23"), 4, 16384, 200).usable(bytes), usable);
    }
}

#[test]
fn usable_redo_of_files_is_what_old_servers_showed() {
    // Maximum checkpoint age in SHOW ENGINE INNODB STATUS of two XtraDB servers with 2 x 64M and 2 x 50M.
    assert_eq!(log("percona-5.6.51").usable(128 * MIB), 108_005_254);
    assert_eq!(log("percona-5.6.51").usable(100 * MIB), 84_223_550);
    // MySQL 5.6.24 with 3 x 64M and 50 threads shows 139486074 as log_max_modified_age_async, 7/8 of the usable part.
    let usable = RedoLog::new(server("mysql-5.6.24"), 3, 16384, 50).usable(192 * MIB);
    assert_eq!(usable - usable / 8, 139_486_074);
}

#[test]
fn usable_redo_of_one_capacity_is_where_mysql_lets_threads_wait() {
    // 87417344 is what an 8.0.3x server with the default of 100 MiB was seen to show.
    assert_eq!(log("mysql-8.0.34").usable(100 * MIB), 87_417_344);
    assert_eq!(log("mysql-9.7.4").usable(100 * MIB), 87_417_344);
    let ratio = log("mysql-9.7.4").usable(4 * GIB) * 1000 / (4 * GIB);
    assert!((830..=845).contains(&ratio), "{ratio}");
}

#[test]
fn a_log_that_innodb_refuses_has_no_usable_part() {
    let crowded = RedoLog::new(server("mysql-5.7.44"), 2, 65536, 1000);
    assert_eq!(crowded.usable(96 * MIB), 0);
    assert!(crowded.usable(2 * GIB) > 0);
}

/// Every load from 1M to 64G in whole MiB: what is recommended is enough, and the next smaller size is not.
#[test]
fn the_recommended_capacity_is_the_smallest_that_holds_the_load() {
    let servers = [
        "mariadb-10.4.34",
        "mariadb-10.5.23",
        "mariadb-10.11.19",
        "mysql-5.7.44",
        "mysql-8.0.20",
        "mysql-8.0.34",
        "mysql-9.7.4",
    ];
    for text in servers {
        for files in [2, 3] {
            let log = RedoLog::new(server(text), files, 16384, 0);
            for load in 1..=64 * 1024 {
                let redo = (load * MIB * 12 + 9) / 10;
                let capacity = log.capacity_for(redo).unwrap();
                assert!(log.usable(capacity) >= redo, "{text}: {load}M");
                assert_eq!(capacity % (MIB * log.files()), 0);
                let smaller = capacity - log.step();
                assert!(smaller < log.min * log.files() || log.usable(smaller) < redo, "{text}: {load}M");
            }
        }
    }
}

#[test]
fn no_capacity_is_recommended_above_what_the_option_takes() {
    let mut reader = on("mysql-8.0.33").fact(FactId::WorkloadLoadSize, 200 * GIB).fact(FactId::WorkloadRedoFactor, 1.2);
    assert_eq!(reader.of(ModelId::RedoCapacityForLoad), Outcome::Absent);
    reader.server = server("mysql-8.0.34");
    assert!(reader.number(ModelId::RedoCapacityForLoad) <= 512 * GIB);
    assert_eq!(log("mysql-9.7.4").capacity_for(1), Some(8 * MIB));
    assert_eq!(log("mysql-5.7.44").capacity_for(1), Some(8 * MIB));
    assert_eq!(log("mariadb-10.11.19").capacity_for(1), Some(4 * MIB));
}

#[test]
fn the_capacity_is_read_as_each_version_reads_it() {
    let size = |text| on(text).with(id::INNODB_LOG_FILE_SIZE, 512 * MIB);
    assert_eq!(size("mariadb-10.11.19").number(ModelId::RedoCapacity), 512 * MIB);
    assert_eq!(size("mariadb-10.4.34").number(ModelId::RedoCapacity), GIB);
    assert_eq!(size("mysql-8.0.20").number(ModelId::RedoCapacity), GIB);
    assert_eq!(size("mysql-8.0.34").number(ModelId::RedoCapacity), GIB);
    let both = size("mysql-8.0.34").with(id::INNODB_REDO_LOG_CAPACITY, 200 * MIB).number(ModelId::RedoCapacity);
    assert_eq!(both, 200 * MIB);
    assert_eq!(on("mysql-9.7.4").number(ModelId::RedoCapacity), 100 * MIB);
    let files = on("mysql-8.0.34").with(id::INNODB_LOG_FILES_IN_GROUP, 4i128).number(ModelId::RedoCapacity);
    assert_eq!(files, 192 * MIB);
}

/// Applies what a target changes.
fn apply(reader: &mut Fake, target: Target, value: Option<Value<'static>>) -> usize {
    let changes = set(target, value.as_ref(), reader).unwrap();
    for change in &changes {
        reader.written.retain(|(option, _)| *option != change.option);
        if let Action::Set(value) = &change.action {
            reader.written.push((change.option, value.clone()));
        }
    }
    changes.len()
}

#[test]
fn setting_the_recommended_redo_holds_the_load_on_every_version() {
    let versions = [
        "mariadb-10.4.34",
        "mariadb-10.5.23",
        "mariadb-10.11.19",
        "mysql-5.7.44",
        "mysql-8.0.20",
        "mysql-8.0.34",
        "mysql-9.7.4",
    ];
    for text in versions {
        for load in [MIB, 100 * MIB, GIB, 10 * GIB, 64 * GIB] {
            let mut reader = on(text).fact(FactId::WorkloadLoadSize, load).fact(FactId::WorkloadRedoFactor, 1.2);
            if text != "mysql-9.7.4" {
                reader = reader.with(id::INNODB_LOG_FILE_SIZE, 5 * MIB);
            }
            if text == "mysql-8.0.20" {
                reader = reader.with(id::INNODB_LOG_FILES_IN_GROUP, 3i128);
            }
            let recommended = reader.number(ModelId::RedoCapacityForLoad);
            apply(&mut reader, Target::Redo, Some(Value::Integer(recommended)));
            assert_eq!(reader.number(ModelId::RedoCapacity), recommended, "{text}");
            assert!(reader.number(ModelId::RedoUsable) as f64 >= load as f64 * 1.2, "{text}: {load}");
        }
    }
}

#[test]
fn the_old_redo_lines_go_where_one_capacity_is_set() {
    let mut reader = on("mysql-8.0.34").with(id::INNODB_LOG_FILE_SIZE, GIB).with(id::INNODB_REDO_LOG_CAPACITY, 8 * MIB);
    assert_eq!(apply(&mut reader, Target::Redo, Some(Value::Integer(2 * GIB))), 2);
    assert_eq!(reader.written, [(id::INNODB_REDO_LOG_CAPACITY, Value::Integer(2 * GIB))]);
}

#[test]
fn the_recommended_capacity_follows_the_rate_or_else_the_pool_and_stays_below_its_ceiling() {
    let pool = |pool| on("mysql-9.7.4").with(id::INNODB_BUFFER_POOL_SIZE, pool);
    assert_eq!(pool(12 * GIB).number(ModelId::RedoCapacityRecommended), 1536 * MIB);
    assert_eq!(pool(GIB).number(ModelId::RedoCapacityRecommended), GIB);
    let rate = |rate: i128| pool(12 * GIB).fact(FactId::WorkloadRedoRate, rate);
    assert_eq!(rate(5 * MIB).number(ModelId::RedoCapacityRecommended), 18_000 * MIB);
    assert_eq!(rate(1).number(ModelId::RedoCapacityRecommended), GIB);
    assert_eq!(rate(GIB).number(ModelId::RedoCapacityRecommended), 64 * GIB);
    for bytes_per_second in [1, MIB, 5 * MIB, 100 * MIB] {
        for size in [128 * MIB, GIB, 12 * GIB, 500 * GIB] {
            for load in [MIB, 30 * GIB] {
                let mut reader = pool(size)
                    .fact(FactId::WorkloadRedoRate, bytes_per_second)
                    .fact(FactId::WorkloadLoadSize, load)
                    .fact(FactId::WorkloadRedoFactor, 1.2)
                    .fact(FactId::DiskCapacity, 100_000_000_000i128);
                let recommended = reader.number(ModelId::RedoCapacityRecommended);
                assert!(recommended <= reader.number(ModelId::RedoCapacityCeiling));
                assert!(recommended >= reader.number(ModelId::RedoCapacityForLoad));
            }
        }
    }
    let mut no_room = pool(GIB)
        .fact(FactId::WorkloadLoadSize, 100 * GIB)
        .fact(FactId::WorkloadRedoFactor, 1.2)
        .fact(FactId::DiskCapacity, 100_000_000_000i128);
    assert_eq!(no_room.of(ModelId::RedoCapacityForLoad), Outcome::Absent);
}

#[test]
fn the_rate_tells_when_writes_stall_and_the_disk_how_long_a_recovery_takes() {
    let mut reader = on("mariadb-10.11.19").fact(FactId::WorkloadRedoRate, MIB).fact(FactId::DiskKind, "hdd");
    assert!((reader.real(ModelId::RedoMinutesAtRate) - 80_819_529.0 / MIB as f64 / 60.0).abs() < 1e-9);
    assert_eq!(reader.number(ModelId::RedoRecoverySeconds), 80_819_529 / recovery_rate("hdd"));
    assert_eq!(on("mariadb-10.11.19").of(ModelId::RedoMinutesAtRate), Outcome::Unknown);
    let mut running = on("mariadb-10.11.19").fact(FactId::RunningRedoWritten, 7200 * MIB);
    assert_eq!(redo::rate(&mut running), Outcome::Unknown);
    running = running.fact(FactId::RunningUptime, 7200i128);
    assert_eq!(redo::rate(&mut running), Outcome::Known(MIB));
}

proptest! {
    /// The inverse is exact for any page size, number of files and of threads.
    #[test]
    fn the_inverse_is_exact(
        version in 0..7usize,
        files in 2i128..=100,
        page in 12u32..=16,
        threads in 0i128..=1000,
        bytes in 1..=(100 * GIB),
    ) {
        let text = ["mysql-5.5.62", "mysql-5.7.44", "mysql-8.0.20", "mysql-9.7.4", "mariadb-10.4.34", "mariadb-10.5.23", "mariadb-11.8.9"][version];
        let log = RedoLog::new(server(text), files, 1 << page, threads);
        match log.capacity_for(bytes) {
            Some(capacity) => {
                prop_assert!(log.usable(capacity) >= bytes && capacity <= log.max);
                let smaller = capacity - log.step();
                prop_assert!(smaller < log.min * log.files() || log.usable(smaller) < bytes);
                prop_assert_eq!(log.round_up(capacity), capacity);
            }
            None => prop_assert!(log.usable(log.max) < bytes + MIB * log.files()),
        }
    }
}

#[test]
fn files_that_an_old_server_does_not_resize_are_left_alone() {
    let changes = |text: &str, file: Option<i128>| {
        let mut reader = on(text);
        if let Some(size) = file {
            reader = reader.fact(FactId::RedoDiskFileSize, size);
        }
        set(Target::Redo, Some(&Value::Integer(GIB)), &mut reader)
    };
    assert_eq!(changes("mysql-5.5.62", Some(5 * MIB)), None);
    assert!(changes("mysql-5.5.62", None).is_some());
    assert!(changes("mysql-5.6.24", Some(5 * MIB)).is_some());
}
