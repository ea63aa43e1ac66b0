use super::*;
use crate::model::descriptors::{Account, Descriptors, descriptors};
use proptest::prelude::*;

fn mysql(max_connections: i128, table_open_cache: i128) -> Descriptors {
    Descriptors { max_connections, table_open_cache, open_files_limit: 0, account: Account::Mysql }
}

fn mariadb(max_connections: i128, table_open_cache: i128, instances: i128) -> Descriptors {
    let account = Account::Mariadb { extra_connections: 1, instances, groups: 2 };
    Descriptors { max_connections, table_open_cache, open_files_limit: 0, account }
}

/// Connections and tables that a limit leaves.
fn under(asked: &Descriptors, limit: i128) -> (i128, i128) {
    (asked.max_connections_under(limit), asked.table_open_cache_under(limit))
}

#[test]
fn mysql_lowers_what_was_measured() {
    // 9.7.4 and 5.6.24 alike.
    for (asked, limit, left) in [
        (mysql(151, 4000), 1024, (151, 431)),
        (mysql(1000, 4000), 1024, (214, 400)),
        (mysql(9000, 200), 1024, (214, 200)),
        (mysql(100, 300), 1024, (100, 300)),
        (mysql(151, 4000), 512, (151, 400)),
        (mysql(151, 4000), 4096, (151, 1967)),
        (mysql(2000, 1500), 4096, (2000, 1043)),
        (mysql(151, 4000), 10_000, (151, 4000)),
    ] {
        assert_eq!(under(&asked, limit), left, "{asked:?} under {limit}");
    }
    assert_eq!(mysql(151, 4000).wanted(), 8161);
    assert_eq!(mysql(1000, 4000).wanted(), 9010);
    assert_eq!(mysql(9000, 200).wanted(), 45_000);
    assert_eq!(mysql(100, 300).wanted(), 5000);
    assert_eq!(Descriptors { open_files_limit: 3000, ..mysql(151, 300) }.wanted(), 3000);
}

#[test]
fn mariadb_lowers_what_was_measured() {
    // 10.5.23, 10.11.19 and 11.8.9 alike.
    for (asked, limit, left) in [
        (mariadb(151, 2000, 8), 1024, (151, 421)),
        (mariadb(1000, 2000, 8), 1024, (1000, 2000)),
        (mariadb(1000, 4000, 8), 1024, (1000, 4000)),
        (mariadb(9000, 200, 8), 1024, (9000, 200)),
        (mariadb(151, 2000, 8), 512, (82, 200)),
        (mariadb(151, 2000, 8), 4096, (151, 1957)),
        (mariadb(2000, 1500, 4), 4096, (2000, 1033)),
        (mariadb(151, 2000, 8), 10_000, (151, 2000)),
        (mariadb(100, 300, 1), 1024, (100, 300)),
    ] {
        assert_eq!(under(&asked, limit), left, "{asked:?} under {limit}");
    }
    assert_eq!(mariadb(151, 2000, 8).wanted(), 32_184);
    assert_eq!(mariadb(1000, 4000, 8).wanted(), 65_033);
    assert_eq!(mariadb(100, 300, 1).wanted(), 733);
    assert_eq!(mariadb(9000, 200, 8).wanted(), 45_005);
}

#[test]
fn settings_are_counted_as_the_server_counts_them() {
    let mut reader = on("mariadb-10.11.19").fact(FactId::HostCpus, 2i128);
    assert_eq!(reader.number(ModelId::DescriptorsWanted), 32_184);
    let mut pool = on("mariadb-10.11.19")
        .with(id::THREAD_HANDLING, "pool-of-threads")
        .with(id::MAX_CONNECTIONS, 1000i128)
        .with(id::TABLE_OPEN_CACHE, 1000i128)
        .with(id::EXTRA_MAX_CONNECTIONS, 100i128);
    assert_eq!(pool.number(ModelId::DescriptorsWanted), 17_130);
    assert_eq!(on("mysql-9.7.4").number(ModelId::DescriptorsWanted), 8161);
    assert_eq!(on("mysql-5.6.24").number(ModelId::DescriptorsWanted), 5000);
    assert_eq!(descriptors(&mut on("mariadb-10.4.34")), Outcome::Absent);
}

#[test]
fn without_the_units_limit_nothing_is_said() {
    assert_eq!(on("mysql-9.7.4").of(ModelId::DescriptorsMaxConnections), Outcome::Unknown);
    let mut limited = on("mysql-9.7.4").with(id::MAX_CONNECTIONS, 1000i128).fact(FactId::HostOpenFiles, 1024i128);
    assert_eq!(limited.number(ModelId::DescriptorsMaxConnections), 214);
    assert_eq!(limited.number(ModelId::DescriptorsTableOpenCache), 400);
}

proptest! {
    /// What is needed is enough: no setting gives way, and it is never more than what the server asks for.
    #[test]
    fn the_needed_limit_leaves_everything(
        connections in 10i128..=100_000,
        tables in 1i128..=100_000,
        instances in 1i128..=64,
        mariadb_counts: bool,
    ) {
        let asked = if mariadb_counts { mariadb(connections, tables, instances) } else { mysql(connections, tables) };
        prop_assert_eq!(under(&asked, asked.needed()), (connections, tables));
        prop_assert_eq!(under(&asked, asked.wanted().max(asked.needed())), (connections, tables));
    }
}
