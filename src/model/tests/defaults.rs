use super::*;
use crate::model::defaults::{
    dedicated_files_by_pool, dedicated_pool_size, dedicated_redo_by_cpus, dedicated_redo_by_ram,
};

/// The machine on which the servers were asked.
fn asked(text: &str) -> Fake {
    on(text).fact(FactId::HostRam, 25_276_514_304i128).fact(FactId::HostCpus, 2i128)
}

fn setting(reader: &mut Fake, option: OptionId) -> i128 {
    match reader.setting(option) {
        Outcome::Known(Value::Integer(number)) => number,
        other => panic!("{other:?}"),
    }
}

/// A server, what is written, an option, and what the started server showed for it.
type Shown = (&'static str, &'static [(OptionId, i128)], OptionId, i128);

#[test]
fn defaults_are_what_started_servers_show() {
    let shown: &[Shown] = &[
        ("mysql-9.7.4", &[], id::INNODB_IO_CAPACITY_MAX, 20_000),
        ("mysql-9.7.4", &[(id::INNODB_IO_CAPACITY, 300)], id::INNODB_IO_CAPACITY_MAX, 600),
        ("mysql-9.7.4", &[(id::INNODB_IO_CAPACITY, 15_000)], id::INNODB_IO_CAPACITY_MAX, 30_000),
        ("mysql-9.7.4", &[(id::INNODB_IO_CAPACITY_MAX, 2000)], id::INNODB_IO_CAPACITY, 2000),
        ("mysql-9.7.4", &[], id::INNODB_BUFFER_POOL_INSTANCES, 1),
        ("mysql-9.7.4", &[(id::INNODB_BUFFER_POOL_INSTANCES, 16)], id::INNODB_PAGE_CLEANERS, 16),
        ("mysql-9.7.4", &[], id::INNODB_PURGE_THREADS, 1),
        ("mysql-9.7.4", &[], id::TEMPTABLE_MAX_RAM, GIB),
        ("mysql-9.7.4", &[], id::INNODB_OPEN_FILES, 4000),
        ("mysql-9.7.4", &[(id::TABLE_OPEN_CACHE, 200)], id::INNODB_OPEN_FILES, 300),
        ("mysql-9.7.4", &[(id::TABLE_OPEN_CACHE, 200)], id::TABLE_DEFINITION_CACHE, 500),
        ("mysql-9.7.4", &[], id::TABLE_DEFINITION_CACHE, 2000),
        ("mysql-9.7.4", &[(id::MAX_CONNECTIONS, 1000)], id::THREAD_CACHE_SIZE, 18),
        ("mysql-9.7.4", &[(id::MAX_CONNECTIONS, 1000)], id::HOST_CACHE_SIZE, 653),
        ("mysql-9.7.4", &[(id::MAX_CONNECTIONS, 1000)], id::BACK_LOG, 10_000),
        ("mysql-5.6.24", &[], id::INNODB_IO_CAPACITY_MAX, 2000),
        ("mysql-5.6.24", &[], id::INNODB_BUFFER_POOL_INSTANCES, 8),
        ("mysql-5.6.24", &[], id::TABLE_DEFINITION_CACHE, 1400),
        ("mysql-5.5.62", &[], id::TABLE_DEFINITION_CACHE, 400),
        ("mysql-5.6.24", &[], id::THREAD_CACHE_SIZE, 9),
        ("mysql-5.6.24", &[], id::BACK_LOG, 80),
        ("mysql-5.6.24", &[], id::HOST_CACHE_SIZE, 279),
        ("mariadb-10.11.19", &[], id::INNODB_IO_CAPACITY_MAX, 2000),
        ("mariadb-10.11.19", &[(id::INNODB_IO_CAPACITY, 2000)], id::INNODB_IO_CAPACITY_MAX, 4000),
        ("mariadb-11.8.9", &[(id::INNODB_IO_CAPACITY_MAX, 150)], id::INNODB_IO_CAPACITY, 150),
        ("mariadb-10.11.19", &[(id::MAX_CONNECTIONS, 500)], id::THREAD_CACHE_SIZE, 256),
        ("mariadb-10.11.19", &[(id::MAX_CONNECTIONS, 500)], id::BACK_LOG, 150),
        ("mariadb-10.5.23", &[(id::MAX_CONNECTIONS, 500)], id::HOST_CACHE_SIZE, 628),
        ("mariadb-10.5.23", &[], id::THREAD_CACHE_SIZE, 151),
        ("mariadb-10.5.23", &[], id::THREAD_POOL_SIZE, 2),
    ];
    for (text, written, option, value) in shown {
        let mut reader = written.iter().fold(asked(text), |reader, (option, value)| reader.with(*option, *value));
        assert_eq!(setting(&mut reader, *option), *value, "{text}, {written:?}: {option:?}");
    }
}

#[test]
fn a_dedicated_server_sizes_itself_by_the_machine() {
    let mut reader = asked("mysql-9.7.4").with(id::INNODB_DEDICATED_SERVER, "ON");
    assert_eq!(setting(&mut reader, id::INNODB_BUFFER_POOL_SIZE), 18_522_046_464);
    assert_eq!(reader.number(ModelId::RedoCapacity), GIB);
    reader = reader.with(id::INNODB_REDO_LOG_CAPACITY, 200 * MIB);
    assert_eq!(reader.number(ModelId::RedoCapacity), 200 * MIB);

    let mut unknown = on("mysql-9.7.4").with(id::INNODB_DEDICATED_SERVER, "ON");
    assert_eq!(unknown.of(ModelId::RedoCapacity), Outcome::Unknown);
}

#[test]
fn the_tables_of_the_manual_hold_at_their_bounds() {
    assert_eq!(dedicated_pool_size(GIB - 1), 128 * MIB);
    assert_eq!(dedicated_pool_size(4 * GIB), 2 * GIB);
    assert_eq!(dedicated_pool_size(8 * GIB), 6 * GIB);
    assert_eq!([1, 2, 8, 64].map(dedicated_redo_by_cpus), [GIB, GIB, 4 * GIB, 16 * GIB]);
    let redo = |gib: i128| dedicated_redo_by_ram(gib * GIB, false);
    assert_eq!(
        [1, 2, 4, 8, 16, 100, 200].map(redo),
        [100 * MIB, GIB, 3 * GIB / 2, 3 * GIB, 9 * GIB, 56 * GIB, 128 * GIB]
    );
    assert_eq!(dedicated_files_by_pool(6 * GIB), (512 * MIB, 6));
    assert_eq!(dedicated_files_by_pool(96 * GIB), (GIB, 64));
    assert_eq!(dedicated_files_by_pool(256 * GIB), (2 * GIB, 64));
}
