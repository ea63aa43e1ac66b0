//! What the catalog says, against documented facts, against the rules of option names, and against real servers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests stand outside test functions"
)]

mod servers;

use cnflint::catalog::{
    self, Default, Entry, OptionId, Prefixes, Replacement, Resolved, Since, State, entry, history, id, is_secret,
    resolve, setting, similar, spellings,
};
use cnflint::server::{Flavor, Server, ServerSpec, Version};
use cnflint::value::{Effect, Kind, Value};
use servers::RealServer;
use std::collections::BTreeSet;
use std::path::Path;

fn server(text: &str) -> Server {
    match ServerSpec::parse(text) {
        Ok(ServerSpec::Exact(server)) => server,
        other => panic!("{text} is no exact server: {other:?}"),
    }
}

fn at(id: OptionId, text: &str) -> Entry {
    entry(id, server(text))
}

fn state(id: OptionId, text: &str) -> State {
    at(id, text).state
}

fn default_of(id: OptionId, text: &str) -> String {
    match at(id, text).effective_default {
        Default::Value(Value::Integer(number)) => number.to_string(),
        Default::Value(Value::Real(number)) => number.to_string(),
        Default::Value(Value::Word(word) | Value::Set(word)) => word.into_owned(),
        Default::Value(Value::Text(text)) => String::from_utf8_lossy(&text).into_owned(),
        Default::Value(Value::None) | Default::None => "(none)".to_owned(),
        Default::Derived => "(derived)".to_owned(),
        Default::NotRecorded => "(not recorded)".to_owned(),
    }
}

#[test]
fn ids_and_names_are_one_to_one() {
    assert!(OptionId::all().all(|id| OptionId::from_name(id.name()) == Some(id)));
    assert!(OptionId::all().all(|id| OptionId::from_index(id.index()) == Some(id)));
    assert_eq!(OptionId::all().count(), usize::from(OptionId::all().last().map_or(0, OptionId::index)) + 1);
    assert_eq!(id::INNODB_LOG_FILE_SIZE.name(), "innodb_log_file_size");
    assert_eq!(id::VALIDATE_PASSWORD__LENGTH.name(), "validate_password.length");
    assert_eq!(OptionId::from_name("innodb-log-file-size"), None);
}

#[test]
fn presence_changes_at_the_documented_version() {
    // https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-30.html
    assert_eq!(state(id::INNODB_REDO_LOG_CAPACITY, "mysql-8.0.29"), State::Absent);
    assert_eq!(state(id::INNODB_REDO_LOG_CAPACITY, "mysql-8.0.30"), State::Present);
    assert!(!at(id::INNODB_LOG_FILE_SIZE, "mysql-8.0.29").deprecated);
    assert!(at(id::INNODB_LOG_FILE_SIZE, "mysql-8.0.30").deprecated);
    // Seen in 8.4.8, gone in 9.7.4; between them nobody looked.
    assert_eq!(state(id::INNODB_LOG_FILE_SIZE, "mysql-8.4.8"), State::Present);
    assert_eq!(state(id::INNODB_LOG_FILE_SIZE, "mysql-9.1.0"), State::Unknown);
    assert_eq!(state(id::INNODB_LOG_FILE_SIZE, "mysql-9.7.0"), State::Absent);
    // Gone with 8.0.3, says the manual; the last 5.7 had it.
    assert_eq!(state(id::QUERY_CACHE_SIZE, "mysql-5.7.44"), State::Present);
    assert_eq!(state(id::QUERY_CACHE_SIZE, "mysql-8.0.11"), State::Absent);
    assert_eq!(state(id::QUERY_CACHE_SIZE, "mariadb-11.8.9"), State::Present);
    // It lost its effect with 10.5.5; since 10.6 any value is taken.
    assert_eq!(state(id::INNODB_THREAD_CONCURRENCY, "mariadb-10.5.4"), State::Present);
    let without_effect = at(id::INNODB_THREAD_CONCURRENCY, "mariadb-10.5.29");
    assert!(without_effect.state == State::Ignored && without_effect.judges_value);
    assert_eq!(without_effect.warns, catalog::Warns::WhenChanged);
    let ignored = at(id::INNODB_THREAD_CONCURRENCY, "mariadb-10.6.0");
    assert!(ignored.state == State::Ignored && !ignored.judges_value && ignored.warns == catalog::Warns::Always);
    assert_eq!(state(id::INNODB_THREAD_CONCURRENCY, "mysql-9.7.4"), State::Present);
    assert_eq!(state(id::INNODB_REDO_LOG_CAPACITY, "mariadb-11.8.9"), State::Absent);
    assert_eq!(state(id::EXPIRE_LOGS_DAYS, "mysql-8.1.0"), State::Present);
    assert_eq!(state(id::EXPIRE_LOGS_DAYS, "mysql-8.2.0"), State::Absent);
}

#[test]
fn flavors_inherit_what_they_are_built_on() {
    assert_eq!(state(id::INNODB_REDO_LOG_CAPACITY, "percona-8.4.0"), State::Present);
    assert_eq!(state(id::INNODB_REDO_LOG_CAPACITY, "pxc-8.0.36"), State::Present);
    assert_eq!(state(id::PXC_STRICT_MODE, "pxc-8.0.36"), State::Present);
    assert_eq!(state(id::PXC_STRICT_MODE, "percona-8.0.36"), State::Absent);
    assert_eq!(history(id::INNODB_LOG_FILE_SIZE, Flavor::Pxc), history(id::INNODB_LOG_FILE_SIZE, Flavor::Mysql));
}

#[test]
fn defaults_change_at_the_documented_version() {
    for (option, server, expected) in [
        (id::INNODB_LOG_FILE_SIZE, "mysql-5.5.62", "5242880"),
        (id::INNODB_LOG_FILE_SIZE, "mysql-8.0.28", "50331648"),
        (id::INNODB_LOG_FILE_SIZE, "mariadb-10.4.34", "50331648"),
        (id::INNODB_LOG_FILE_SIZE, "mariadb-10.5.4", "100663296"),
        (id::INNODB_LOG_FILE_SIZE, "mariadb-10.8.3", "100663296"),
        (id::INNODB_LOG_FILES_IN_GROUP, "mysql-8.0.20", "2"),
        (id::INNODB_REDO_LOG_CAPACITY, "mysql-9.7.4", "104857600"),
        (id::INNODB_IO_CAPACITY, "mysql-8.3.0", "200"),
        (id::INNODB_IO_CAPACITY, "mysql-8.4.0", "10000"),
        (id::INNODB_IO_CAPACITY, "mariadb-11.8.9", "200"),
        (id::INNODB_IO_CAPACITY_MAX, "mysql-9.7.4", "(derived)"),
        (id::INNODB_FLUSH_METHOD, "mysql-8.0.46", "fsync"),
        (id::INNODB_FLUSH_METHOD, "mysql-8.4.0", "O_DIRECT"),
        (id::INNODB_FLUSH_METHOD, "mysql-9.7.4", "O_DIRECT"),
        (id::INNODB_FLUSH_METHOD, "mariadb-10.5.29", "fsync"),
        (id::INNODB_FLUSH_METHOD, "mariadb-10.6.3", "O_DIRECT"),
        (id::INNODB_CHANGE_BUFFERING, "mysql-8.0.46", "all"),
        (id::INNODB_CHANGE_BUFFERING, "mysql-8.4.0", "none"),
        (id::INNODB_CHANGE_BUFFERING, "mysql-9.7.4", "all"),
        (id::INNODB_CHANGE_BUFFERING, "mariadb-10.6.6", "all"),
        (id::INNODB_CHANGE_BUFFERING, "mariadb-10.6.7", "none"),
        (id::INNODB_DOUBLEWRITE, "mariadb-10.11.19", "ON"),
        (id::LOG_BIN, "mysql-5.7.44", "(none)"),
        (id::LOG_BIN, "mysql-8.0.11", "binlog"),
        (id::LOG_BIN, "mariadb-11.8.9", "(none)"),
        (id::SYNC_BINLOG, "mysql-5.6.51", "0"),
        (id::SYNC_BINLOG, "mysql-5.7.9", "1"),
        (id::SYNC_BINLOG, "mariadb-11.8.9", "0"),
        (id::INNODB_BUFFER_POOL_CHUNK_SIZE, "mariadb-10.8.0", "134217728"),
        (id::INNODB_BUFFER_POOL_CHUNK_SIZE, "mariadb-10.8.1", "0"),
        (id::INNODB_PAGE_SIZE, "mysql-9.7.4", "16384"),
    ] {
        assert_eq!(default_of(option, server), expected, "{option} on {server}");
    }
    // The compiled default of 9.7.4, which its help prints, differs from what it starts with.
    let method = at(id::INNODB_FLUSH_METHOD, "mysql-9.7.4");
    assert_eq!(method.default, Default::Value(Value::Word("fsync".into())));
}

#[test]
fn shapes_follow_the_version() {
    assert_eq!(at(id::INNODB_DOUBLEWRITE, "mysql-8.0.29").shape.kind, Kind::PluginBoolean);
    assert_eq!(at(id::INNODB_DOUBLEWRITE, "mysql-8.0.30").shape.kind, Kind::Enumeration);
    assert_eq!(at(id::INNODB_LOG_FILE_SIZE, "mariadb-10.8.2").shape.min, Some(1 << 20));
    assert_eq!(at(id::INNODB_LOG_FILE_SIZE, "mariadb-10.8.3").shape.min, Some(4 << 20));
    assert_eq!(at(id::INNODB_LOG_FILE_SIZE, "mariadb-10.8.8").dynamic, Some(false));
    assert_eq!(at(id::INNODB_LOG_FILE_SIZE, "mariadb-10.9.2").dynamic, Some(true));
    assert_eq!(at(id::KEY_BUFFER_SIZE, "mysql-8.4.0").shape.max, Some(18_446_744_073_709_551_615));
    assert_eq!(at(id::SLOW_QUERY_LOG, "mysql-9.7.4").shape.kind, Kind::Boolean);
}

#[test]
fn settings_are_keyed_by_the_newest_spelling_of_the_flavor() {
    assert_eq!(at(id::SLAVE_NET_TIMEOUT, "mysql-5.7.30").variable, id::REPLICA_NET_TIMEOUT);
    assert_eq!(at(id::SLAVE_NET_TIMEOUT, "mariadb-11.8.9").variable, id::SLAVE_NET_TIMEOUT);
    assert_eq!(at(id::TABLE_CACHE, "mysql-5.5.62").variable, id::TABLE_OPEN_CACHE);
    assert_eq!(at(id::TX_ISOLATION, "mysql-5.7.30").variable, id::TRANSACTION_ISOLATION);
    let old = setting(id::REPLICA_NET_TIMEOUT, server("mysql-5.7.30"));
    assert_eq!((old.id, old.state), (id::SLAVE_NET_TIMEOUT, State::Present));
    let both: Vec<_> = spellings(id::REPLICA_NET_TIMEOUT, server("mysql-8.4.0")).collect();
    assert_eq!(both, [id::REPLICA_NET_TIMEOUT, id::SLAVE_NET_TIMEOUT]);
    let locking = at(id::EXTERNAL_LOCKING, "mysql-8.4.0");
    assert!(locking.inverted && locking.variable == id::SKIP_EXTERNAL_LOCKING);
    // A variable that another name sets is set by itself.
    for server in ["mysql-5.6.24", "mysql-9.7.4", "mariadb-11.8.9"] {
        let chained = OptionId::all().find(|option| {
            let variable = at(*option, server).variable;
            at(variable, server).variable != variable
        });
        assert_eq!(chained, None, "{server}");
    }
}

#[test]
fn the_life_of_a_name_is_told() {
    let redo = history(id::INNODB_REDO_LOG_CAPACITY, Flavor::Mysql).expect("a record");
    assert_eq!(redo.introduced, Some(Since::Exact(Version::new(8, 0, 30))));
    let files = history(id::INNODB_LOG_FILE_SIZE, Flavor::Mysql).expect("a record");
    let gone = Since::Between { after: Some(Version::new(8, 4, 8)), by: Version::new(9, 7, 4) };
    assert_eq!((files.deprecated, files.removed), (Some(Version::new(8, 0, 30)), Some(gone)));
    let slave = history(id::SLAVE_NET_TIMEOUT, Flavor::Mysql).expect("a record");
    assert_eq!(slave.replaced_by, Some(Replacement::Option(id::REPLICA_NET_TIMEOUT)));
    assert_eq!(history(id::INNODB_REDO_LOG_CAPACITY, Flavor::Mariadb), None);
}

#[test]
fn beyond_the_horizon_is_said() {
    assert_eq!(catalog::horizon(Flavor::Mysql), Version::new(9, 7, 4));
    assert_eq!(catalog::horizon(Flavor::Mariadb), Version::new(11, 8, 9));
    assert!(at(id::INNODB_REDO_LOG_CAPACITY, "mysql-26.7").beyond_horizon);
    assert!(!at(id::INNODB_REDO_LOG_CAPACITY, "mysql-9.7.4").beyond_horizon);
    assert!(at(id::INNODB_LOG_FILE_SIZE, "mariadb-12.3.2").beyond_horizon);
}

/// How a name resolves, in short: `option prefixes`, `ambiguous`, `unknown`.
fn shown(name: &str, on: &str) -> String {
    let marks = |prefixes: Prefixes| {
        let effect = match prefixes.effect {
            Effect::None => "",
            Effect::Skip => " skip",
            Effect::Enable => " enable",
            Effect::Maximum => " maximum",
            Effect::Autoset => " autoset",
        };
        let loose = if prefixes.loose { " loose" } else { "" };
        format!("{loose}{effect}{}", if prefixes.instance { " instance" } else { "" })
    };
    match resolve(name.as_bytes(), server(on)) {
        Resolved::Option { id, prefixes, abbreviated } => {
            format!("{id}{}{}", marks(prefixes), if abbreviated { " abbreviated" } else { "" })
        }
        Resolved::Ambiguous(_) => "ambiguous".to_owned(),
        Resolved::Unknown { prefixes, .. } => format!("unknown{}", marks(prefixes)),
    }
}

#[test]
fn names_resolve_as_measured() {
    const OLD: &str = "mysql-5.6.24";
    const NEW: &str = "mysql-9.7.4";
    const MARIADB: &str = "mariadb-10.11.19";
    const MARIADB_OLD: &str = "mariadb-10.5.23";
    for (name, servers, expected) in [
        ("max-connections", &[OLD, NEW, MARIADB][..], "max_connections"),
        ("max_connections", &[OLD, NEW, MARIADB], "max_connections"),
        ("innodb-log_file-size", &[OLD, MARIADB], "innodb_log_file_size"),
        ("innodb_log_file_size", &[NEW], "unknown"),
        ("MAX_CONNECTIONS", &[OLD, NEW, MARIADB_OLD], "unknown"),
        ("MAX_CONNECTIONS", &[MARIADB], "max_connections"),
        ("LOOSE-max_connections", &[OLD, NEW, MARIADB_OLD], "unknown"),
        ("LOOSE-max_connections", &[MARIADB], "max_connections loose"),
        ("max_connectio", &[OLD, MARIADB], "max_connections abbreviated"),
        ("max_connectio", &[NEW], "unknown"),
        ("max_con", &[OLD, MARIADB], "max_connections abbreviated"),
        ("slow", &[OLD, MARIADB], "ambiguous"),
        ("slow_", &[OLD, MARIADB], "ambiguous"),
        ("slow", &[NEW], "unknown"),
        ("port", &[OLD, NEW, MARIADB], "port"),
        ("P", &[OLD, NEW], "unknown"),
        ("P", &[MARIADB], "ambiguous"),
        ("-P 3310", &[OLD, NEW, MARIADB], "unknown"),
        ("--max_connections", &[OLD, NEW, MARIADB], "unknown"),
        ("", &[OLD, MARIADB], "ambiguous"),
        ("", &[NEW], "unknown"),
        ("max__connections", &[OLD, NEW, MARIADB], "unknown"),
        ("max_connections-", &[OLD, NEW, MARIADB], "unknown"),
        ("set-variable", &[OLD, NEW, MARIADB], "unknown"),
        ("max_connections 50", &[OLD, NEW, MARIADB], "unknown"),
        ("innodb_file", &[OLD], "ambiguous"),
        ("innodb_log_file", &[MARIADB], "ambiguous"),
        ("innodb_lock", &[MARIADB], "innodb_lock_wait_timeout abbreviated"),
        ("INSTANCE.key_buffer_size", &[OLD, NEW, MARIADB], "key_buffer_size instance"),
        ("x.max_connections", &[OLD, MARIADB], "max_connections instance"),
        ("x.max_connections", &[NEW], "unknown"),
        ("@@global.max_connections", &[OLD, MARIADB], "max_connections instance"),
        ("loose-validate_password.length", &[OLD, MARIADB], "unknown instance"),
        ("skip-innodb_doublewrite", &[OLD, NEW, MARIADB], "innodb_doublewrite skip"),
        ("disable_log_bin", &[OLD, NEW, MARIADB], "log_bin skip"),
        ("skip_log_bin", &[OLD, NEW, MARIADB, "mysql-8.0.28"], "log_bin skip"),
        ("enable-slow_query_log", &[OLD, NEW, MARIADB], "slow_query_log enable"),
        ("skip-wait_timeout", &[OLD, NEW, MARIADB], "wait_timeout skip"),
        ("maximum-wait_timeout", &[OLD, NEW, MARIADB], "wait_timeout maximum"),
        ("autoset-back_log", &[OLD, NEW], "unknown"),
        ("autoset-back_log", &[MARIADB], "back_log autoset"),
        ("loose-unknown_thing", &[OLD, NEW, MARIADB], "unknown loose"),
        ("skip-loose-unknown_thing", &[OLD, NEW, MARIADB], "unknown loose"),
        ("loose-loose-unknown_thing", &[OLD, NEW, MARIADB], "unknown loose"),
        ("loose-skip-autocommit", &[OLD, NEW, MARIADB], "autocommit loose skip"),
        ("skip-loose-autocommit", &[OLD, NEW, MARIADB], "autocommit loose"),
        ("innodb-loose-autocommit", &[OLD, NEW, MARIADB], "unknown"),
        ("skip-name-resolve", &[OLD, NEW, MARIADB], "skip_name_resolve"),
        ("disable-skip-name-resolve", &[OLD, NEW, MARIADB], "skip_name_resolve skip"),
        ("name-resolve", &[OLD, NEW, MARIADB], "unknown"),
        ("external-locking", &[OLD, NEW, MARIADB], "external_locking"),
        ("defaults-file", &[OLD, NEW, MARIADB], "unknown"),
        ("validate-config", &[NEW], "validate_config"),
        ("validate-config", &[OLD, MARIADB], "unknown"),
        ("version_comment", &[OLD, NEW], "unknown"),
        ("insert_id", &[OLD, NEW, MARIADB], "unknown"),
        ("innodb_thread_concurrency", &[OLD, NEW, MARIADB], "innodb_thread_concurrency"),
        ("wsrep_OSU_method", &[MARIADB_OLD, MARIADB], "wsrep_osu_method"),
        ("wsrep_osu_method", &[MARIADB], "wsrep_osu_method"),
        ("wsrep_osu_method", &[MARIADB_OLD], "unknown"),
        ("plugin-innodb-buffer-pool-size", &[OLD, NEW, MARIADB, MARIADB_OLD], "innodb_buffer_pool_size"),
        ("loose-skip-plugin-innodb-trx", &[OLD, MARIADB, MARIADB_OLD], "innodb_trx loose skip"),
        ("plugin-innodb-trx", &[NEW], "unknown"),
        ("plugin-innodb", &[OLD, MARIADB, MARIADB_OLD], "innodb"),
        ("plugin-innodb", &[NEW], "unknown"),
        ("plugin-aria-pagecache-buffer-size", &[MARIADB, MARIADB_OLD], "aria_pagecache_buffer_size"),
        ("plugin-blackhole", &[OLD, NEW], "blackhole"),
        ("plugin-mysqlx-port", &[NEW], "mysqlx_port"),
        ("plugin-max-connections", &[OLD, NEW, MARIADB, MARIADB_OLD], "unknown"),
        ("plugin-load-add", &[OLD, NEW, MARIADB, MARIADB_OLD], "plugin_load_add"),
    ] {
        for server in servers {
            assert_eq!(shown(name, server), expected, "{name} on {server}");
        }
    }
    assert_eq!(shown("max_\u{fc}", NEW), "unknown");
    let elsewhere = resolve(b"innodb_log_file_size", server(NEW));
    let expected = Resolved::Unknown { prefixes: Prefixes::default(), elsewhere: Some(id::INNODB_LOG_FILE_SIZE) };
    assert_eq!(elsewhere, expected);
}

#[test]
fn slips_find_the_name_that_was_meant() {
    for (written, server_name, expected) in [
        ("max_conections", "mysql-9.7.4", Some(id::MAX_CONNECTIONS)),
        ("innodb-log-file-size25M", "mysql-8.0.36", Some(id::INNODB_LOG_FILE_SIZE)),
        ("innodb_buffer_pool-sise", "mariadb-11.8.9", Some(id::INNODB_BUFFER_POOL_SIZE)),
        ("loose_skip_slow_querry_log", "mysql-8.4.0", Some(id::SLOW_QUERY_LOG)),
        ("max_connections: 100", "mysql-8.4.0", Some(id::MAX_CONNECTIONS)),
        ("max_connections 100", "mysql-8.4.0", Some(id::MAX_CONNECTIONS)),
        ("falcon_page_cache_size", "mysql-8.0.36", None),
        ("x", "mysql-8.0.36", None),
    ] {
        assert_eq!(similar(written, server(server_name)), expected, "{written}");
    }
}

#[test]
fn secrets_are_known_by_name() {
    for name in [
        "password",
        "loose-password",
        "Master-Password",
        "wsrep_sst_auth",
        "s3_secret_key",
        "file_key_management_filekey",
        "passw",
        "keyring_encrypted_file_password",
        "my_api_token",
        "password hunter2",
        "telemetry.otel_exporter_otlp_logs_secret_headers",
    ] {
        assert!(is_secret(name), "{name}");
    }
    for name in [
        "old_passwords",
        "validate_password.length",
        "password_history",
        "ssl_key",
        "innodb_ft_min_token_size",
        "default_auth",
        "mysql_native_password",
        "max_connections",
        "key_buffer_size",
        "pas",
        "port",
    ] {
        assert!(!is_secret(name), "{name}");
    }
}

/// The lines in which the server refuses names of an option file as unknown.
fn refuses(real: &RealServer, file: &Path) -> String {
    let said = real.check(file).messages;
    let refused = |line: &&str| line.contains("unknown variable") || line.contains("unknown option");
    said.lines().filter(refused).collect::<Vec<_>>().join("\n")
}

/// The arguments that load every plugin which lies beside the server and is one for servers.
fn with_plugins(real: &RealServer) -> Vec<String> {
    let directory = real.directory.join("root/usr/lib/mysql/plugin");
    let mut names: Vec<String> = std::fs::read_dir(&directory)
        .into_iter()
        .flatten()
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".so") && !name.starts_with("component_") && !name.contains("client"))
        // A key server would have to answer the one, and the other is a lesson in writing plugins.
        .filter(|name| !name.starts_with("hashicorp") && name != "mypluglib.so")
        .collect();
    names.sort();
    let load = names.iter().map(|name| format!("--plugin-load-add={name}"));
    let any = !names.is_empty();
    any.then(|| format!("--plugin-dir={}", directory.display())).into_iter().chain(load).collect()
}

/// The names in the table at the end of `--help --verbose`.
fn listed(real: &RealServer, more: &[String]) -> BTreeSet<String> {
    let mut arguments = vec!["--no-defaults", "--help", "--verbose", "--user=root"];
    arguments.extend(more.iter().map(String::as_str));
    if real.server.at_least(5, 7, 0) && real.server.flavor == Flavor::Mysql {
        arguments.push("--secure-file-priv=");
    }
    let output = real.asked(&arguments).output().expect("the server runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let table = text.split("Variables (--variable-name=value)").last().unwrap_or_default();
    let rows = table.lines().skip_while(|line| !line.starts_with("---")).skip(1).take_while(|line| !line.is_empty());
    rows.filter_map(|line| line.split_whitespace().next()).map(|name| name.replace('-', "_").to_lowercase()).collect()
}

/// Listed names may be taken and do nothing.
fn is_taken(id: OptionId, server: Server) -> bool {
    matches!(entry(id, server).state, State::Present | State::Ignored)
}

#[test]
fn real_servers_agree_on_presence() {
    for real in servers::all() {
        let plain = listed(&real, &[]);
        assert!(plain.len() > 400, "{} lists {} names", real.server, plain.len());
        let plugins = with_plugins(&real);
        let listed = if plugins.is_empty() { plain.clone() } else { listed(&real, &plugins) };
        let of_plugins = listed.difference(&plain).count();
        assert!(plugins.len() < 10 || of_plugins > 20, "{} lists {of_plugins} names of plugins", real.server);
        let missing: Vec<_> = listed
            .union(&plain)
            .filter(|name| OptionId::from_name(name).is_none_or(|id| !is_taken(id, real.server)))
            .collect();
        println!(
            "{}: {} names listed, {of_plugins} more with {} plugins loaded, {} not in the catalog",
            real.server,
            plain.len(),
            plugins.len().saturating_sub(1),
            missing.len()
        );
        assert!(missing.is_empty(), "{} lists what the catalog does not have: {missing:?}", real.server);

        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("asked.cnf");
        let mut refused = Vec::new();
        let (mut asked, mut not_at_hand) = (0, 0);
        for option in OptionId::all() {
            let entry = entry(option, real.server);
            let claimed = matches!(entry.state, State::Present | State::Ignored) && entry.is_option;
            if !claimed || entry.windows_only || listed.contains(option.name()) {
                continue;
            }
            if entry.plugin {
                not_at_hand += 1;
                continue;
            }
            asked += 1;
            std::fs::write(&file, format!("[mysqld]\n{option}=1\n")).expect("written");
            let said = refuses(&real, &file);
            if said.contains(option.name()) {
                refused.push((option, entry.state));
            }
        }
        println!(
            "{}: {asked} names that are not listed asked one by one, {} refused; {not_at_hand} belong to plugins that are not here",
            real.server,
            refused.len()
        );
        assert!(refused.is_empty(), "{} refuses {refused:?}", real.server);
    }
}
