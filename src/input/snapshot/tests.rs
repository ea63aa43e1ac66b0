//! Snapshots recorded from MySQL 9.7.4 and MariaDB 10.11.19 with their own clients.

use super::*;
use crate::value::Value;
use proptest::prelude::*;

fn recorded(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fixtures/snapshots/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a recorded snapshot")
}

fn read(name: &str) -> Snapshot {
    parse(name, &recorded(name)).expect("a snapshot")
}

fn listed(snapshot: &Snapshot) -> Vec<(String, Option<String>, Option<Origin>)> {
    let text = |value: &Vec<u8>| String::from_utf8_lossy(value).into_owned();
    snapshot.variables.iter().map(|v| (v.name.clone(), v.value.as_ref().map(text), v.origin.clone())).collect()
}

fn origin(snapshot: &Snapshot, name: &str) -> Option<Origin> {
    snapshot.variables.iter().find(|variable| variable.name == name).and_then(|variable| variable.origin.clone())
}

#[test]
fn mysql_reads_the_same_in_every_form() {
    let table = read("mysql-9.7.table");
    assert_eq!(table.server, Some(Server::new(Flavor::Mysql, 9, 7, 4)));
    assert_eq!(table.variable("innodb_buffer_pool_size"), Some(&b"268435456"[..]));
    assert_eq!(table.variable("init_connect"), Some("set names \"utf8mb4\" /* ünï */".as_bytes()));
    let config = Some(Origin::File(Some("/var/lib/mysql/srv/m97.cnf".to_owned())));
    assert_eq!(origin(&table, "innodb_buffer_pool_size"), config);
    assert_eq!(origin(&table, "max_connections"), Some(Origin::Persisted));
    assert_eq!(origin(&table, "long_query_time"), Some(Origin::Set));
    assert_eq!(origin(&table, "table_open_cache"), Some(Origin::CommandLine));
    assert_eq!(origin(&table, "sql_mode"), Some(Origin::Compiled));
    let expected = listed(&table);
    for other in ["mysql-9.7.vertical", "mysql-9.7-no-header.tsv", "mysql-9.7-redo-log-disabled.tsv"] {
        assert_eq!(listed(&read(other)), expected, "{other}");
    }
}

#[test]
fn mariadb_reads_the_same_in_every_form() {
    let table = read("mariadb-10.11.table");
    assert_eq!(table.server, Some(Server::new(Flavor::Mariadb, 10, 11, 19)));
    assert_eq!(table.variable("innodb_log_file_size"), Some(&b"536870912"[..]));
    assert_eq!(table.variable("timestamp"), None, "a variable of the session only has no global value");
    assert_eq!(
        origin(&table, "innodb_log_file_size"),
        Some(Origin::File(Some("/var/lib/mysql/srv/mdb.cnf".to_owned())))
    );
    assert_eq!(origin(&table, "open_files_limit"), Some(Origin::Computed));
    assert_eq!(origin(&table, "long_query_time"), Some(Origin::Set));
    let expected = listed(&table);
    for other in ["mariadb-10.11.vertical", "mariadb-10.11-no-header.tsv", "mariadb-10.11.tsv"] {
        assert_eq!(listed(&read(other)), expected, "{other}");
    }
    let capitals = read("mariadb-10.11-information-schema.tsv");
    assert_eq!(capitals.variable("max_connections"), Some(&b"300"[..]));
    assert_eq!(capitals.status.len(), 6);
}

#[test]
fn counters_become_facts() {
    let snapshot = read("mysql-9.7-redo-log-disabled.tsv");
    let facts = facts_of(&snapshot, "snap.tsv");
    let known = facts.get(FactId::RunningRedoLogEnabled).expect("printed");
    assert_eq!((&known.value, &known.source), (&Value::boolean(false), &FactSource::Snapshot("snap.tsv".to_owned())));
    let span = snapshot.status("innodb_redo_log_enabled").expect("printed").span;
    assert_eq!(span.of(&recorded("mysql-9.7-redo-log-disabled.tsv")), b"Innodb_redo_log_enabled\tOFF");

    for form in ["mariadb-10.11.tsv", "mariadb-10.11-no-header.tsv", "mariadb-10.11.table", "mariadb-10.11.vertical"] {
        let facts = facts_of(&read(form), form);
        let value = |id| facts.value(id).known().cloned();
        assert_eq!(value(FactId::RunningCheckpointMaxAge), Some(Value::Integer(434_147_697)), "{form}");
        assert_eq!(value(FactId::RunningMaxUsedConnections), Some(Value::Integer(1)), "{form}");
        assert_eq!(value(FactId::RunningRedoLogEnabled), None, "MariaDB has no such counter");
    }
}

#[test]
fn a_whole_server_is_read() {
    let snapshot = read("mysql-9.7-all.tsv");
    assert_eq!(snapshot.variables.len(), 628);
    assert!(snapshot.variables.iter().filter(|variable| variable.value.is_some()).all(|v| v.origin.is_some()));
    assert!(snapshot.status.len() > 400);
    assert!(snapshot.variables.iter().all(|variable| !variable.name.starts_with("com_")));
}

#[test]
fn values_over_several_lines_stay_whole() {
    let table =
        b"+---------------+---------+\n| Variable_name | Value   |\n+---------------+---------+\n| init_connect  | a\n\
                  b\tc\\d |\n| version       | 8.0.36  |\n+---------------+---------+\n2 rows in set (0.00 sec)\n";
    let vertical =
        b"*************************** 1. row ***************************\nVariable_name: init_connect\n        \
                     Value: a\nb\tc\\d\n*************************** 2. row ***************************\nVariable_name: \
                     version\n        Value: 8.0.36\n2 rows in set (0.00 sec)\n";
    let tabs = b"Variable_name\tValue\ninit_connect\ta\\nb\\tc\\\\d\r\nversion\t8.0.36\r\n";
    for bytes in [&table[..], vertical, tabs] {
        let snapshot = parse("x", bytes).expect("a snapshot");
        assert_eq!(snapshot.variable("init_connect"), Some(&b"a\nb\tc\\d"[..]), "{}", String::from_utf8_lossy(bytes));
        assert_eq!(snapshot.server, Some(Server::new(Flavor::Mysql, 8, 0, 36)));
    }
}

#[test]
fn what_surrounds_results_is_skipped() {
    let text = b"mysql: [Warning] Using a password on the command line interface can be insecure.\nmysql> show global variables \
                 like 'ver%';\n+---------------+--------------------+\n| Variable_name | Value              |\n\
                 +---------------+--------------------+\n| version       | 8.0.36-28          |\n\
                 | version_comment | Percona Server (GPL), Release 28 |\n+---------------+--------------------+\n\
                 2 rows in set (0.01 sec)\n\nmysql> show global status like 'wsrep%';\nEmpty set (0.00 sec)\n";
    let snapshot = parse("x", text).expect("a snapshot");
    assert_eq!(snapshot.server, Some(Server::new(Flavor::Percona, 8, 0, 36)));
    assert_eq!(snapshot.variables.len(), 2);
    assert!(snapshot.status.is_empty());
}

#[test]
fn what_is_no_snapshot_is_said() {
    let error = |bytes: &[u8]| parse("snap", bytes).expect_err("no snapshot").to_string();
    assert!(error(b"\xff\xfeV\0").contains("UTF-16"));
    assert!(error(b"<?xml version=\"1.0\"?>").contains("XML"));
    assert!(error(b"[mysqld]\nmax_connections = 1\n").contains("SHOW GLOBAL VARIABLES"));
    assert!(error(b"ERROR 1045 (28000): Access denied").contains("shows no variables"));
    assert!(error(b"").contains("shows no variables"));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        text in "(\\+-+\\+-+\\+\n|\\| [a-z]{0,3} \\| é? ?\\|?\n|\\*{9} 1\\. row \\*{9}\n|Variable_name(:|\t) ?Value\n| ?[A-Z_]{0,5}: x\n|a\tb\t?\n|\n){0,14}",
    ) {
        for bytes in [&bytes[..], text.as_bytes()] {
            if let Ok(snapshot) = parse("x", bytes) {
                prop_assert!(snapshot.variables.iter().all(|variable| variable.span.end as usize <= bytes.len()));
            }
        }
    }
}
