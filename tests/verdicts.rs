//! Promise 1 for whole files: cnflint's verdict on an option file is the server's own.
//!
//! Asks about every option file below `fixtures/`, about the examples of the rules, and about the option files in the directory that
//! `CNFLINT_CORPUS` names. `CNFLINT_WRITE_AGREEMENT=1` writes what came out to `docs/agreement.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;
mod whole_files;

use cnflint::catalog::{self, Default, Entry, OptionId, State, Warns};
use cnflint::rules::built_in;
use cnflint::value::{Argument, Unit, show};
use servers::RealServer;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use whole_files::{Difference, differences, explained, files, standing};

/// Asks all servers about all files, two at a time, and gives back every difference.
fn ask(servers: &[RealServer], files: &BTreeMap<String, Vec<u8>>) -> Vec<Difference> {
    let jobs: Vec<_> = servers.iter().flat_map(|server| files.iter().map(move |file| (server, file))).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let directory = tempfile::tempdir().unwrap();
                std::fs::create_dir(directory.path().join("empty")).unwrap();
                servers::write(&directory.path().join("empty.cnf"), b"");
                let copy = directory.path().join("my.cnf");
                while let Some((server, (name, bytes))) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    servers::write(&copy, &files::at_home(bytes, directory.path()));
                    let differences = differences(server, name, &copy);
                    found.lock().unwrap().extend(differences);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// The project's own files: fixtures, and the examples of the rules.
fn own_files() -> BTreeMap<String, Vec<u8>> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let option_files = servers::files_below(&fixtures).into_iter().filter(|file| servers::is_option_file(file));
    let name = |file: &PathBuf| file.strip_prefix(&fixtures).unwrap().display().to_string();
    let mut all: BTreeMap<_, _> = option_files.map(|file| (name(&file), std::fs::read(&file).unwrap())).collect();
    let mut seen = BTreeSet::new();
    for rule in built_in().iter() {
        for (example, number) in rule.examples().zip(1..) {
            if !example.file.is_empty() && seen.insert(example.file) {
                all.insert(format!("{}#{number}", rule.id()), example.file.as_bytes().to_vec());
            }
        }
    }
    all
}

/// What lies in a directory of collected files and is an option file as it stands.
fn corpus() -> Option<BTreeMap<String, Vec<u8>>> {
    let corpus = PathBuf::from(std::env::var_os("CNFLINT_CORPUS")?);
    let read = |file: PathBuf| {
        let bytes = std::fs::read(&file).unwrap();
        (file.file_name().unwrap().to_string_lossy().into_owned(), bytes)
    };
    let all = servers::files_below(&corpus).into_iter().map(read);
    Some(all.filter(|(_, bytes)| files::is_option_file(bytes)).collect())
}

#[test]
fn whole_files_fare_as_cnflint_says() {
    let servers = servers::all();
    let mut sets = vec![("fixtures and the examples of the rules", own_files())];
    match corpus() {
        Some(files) => sets.push(("option files that people published", files)),
        None => eprintln!("skipped: CNFLINT_CORPUS names no directory of option files"),
    }
    let mut unexplained = Vec::new();
    let mut asked = Vec::new();
    for (title, files) in &sets {
        let found = ask(&servers, files);
        let open = found.iter().filter(|difference| explained::explanation(difference).is_none());
        unexplained.extend(open.map(ToString::to_string));
        asked.push(standing::Asked { title, files: files.len(), differences: found });
    }
    if std::env::var_os("CNFLINT_WRITE_AGREEMENT").is_some_and(|value| value == "1") {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agreement.md");
        std::fs::write(page, standing::page(&servers, &asked)).unwrap();
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

/// The verdicts that were measured hold without the servers at hand, too.
#[test]
fn verdicts_are_as_measured() {
    use cnflint::lint::Verdict::{Refuses, Starts, StartsWithWarnings as Warns};
    for (server, lines, expected) in [
        ("mysql-5.6.24", "key_buff = 16M", Warns),
        ("mariadb-10.11.19", "key_buff = 16M", Starts),
        ("mariadb-10.11.19", "password = x", Refuses),
        ("mysql-9.7.4", "symbolic-links = 0", Warns),
        ("mysql-9.7.4", "delayed_queue_size = 1000", Starts),
        ("mariadb-10.11.19", "table_cache = 400", Starts),
        ("mariadb-11.8.9", "table_cache = 400", Warns),
        ("mariadb-10.5.23", "innodb_thread_concurrency = 0", Starts),
        ("mariadb-10.5.23", "innodb_thread_concurrency = 8", Warns),
        ("mysql-9.7.4", "enforce_gtid_consistency = true", Starts),
        ("mysql-9.7.4", "gtid_mode = OFF\nenforce_gtid_consistency = tru", Warns),
        ("mysql-9.7.4", "character_set_server = utf8", Refuses),
        ("mysql-9.7.4", "character_set_server = utf8mb3", Warns),
        ("mysql-9.7.4", "collation_server = latin1_swedish_ci", Refuses),
        ("mariadb-11.8.9", "collation_server = utf8mb4_bin", Starts),
        ("mariadb-10.11.19", "collation_server = utf8mb4_bin", Refuses),
        ("mysql-9.7.4", "sql_mode = STRICT_TRANS_TABLES", Warns),
        ("mysql-9.7.4", "sql_mode = TRADITIONAL", Starts),
        ("mysql-9.7.4", "log_queries_not_using_indexes = ON", Warns),
        ("mysql-9.7.4", "log_queries_not_using_indexes = ON\nslow_query_log = ON", Starts),
        ("mariadb-11.8.9", "log_bin", Warns),
        ("mariadb-11.8.9", "log_bin\nlog_basename = x", Starts),
        ("mysql-5.6.24", "log_bin = x\nlog_bin", Starts),
        ("mysql-5.6.24", "skip_log_bin = 0", Warns),
        ("mariadb-10.11.19", "binlog_format = ROW", Warns),
        ("mariadb-10.11.19", "binlog_format = ROW\nskip_log_bin", Starts),
        ("mariadb-11.8.9", "binlog_format = ROW", Starts),
        ("mysql-9.7.4", "binlog_format = ROW", Warns),
        ("mysql-9.7.4", "lower_case_table_names = 0\ndatadir = /data", Starts),
        ("mysql-9.7.4", "lower_case_table_names = 0\ndatadir = C:/data", Refuses),
    ] {
        assert_eq!(whole_files::cnflint_says::verdict(server, lines), expected, "{server}: {lines}");
    }
}

/// Options that would keep the server from starting in the scratch directory, or end the start early.
const NOT_STARTED_WITH: [&str; 4] = ["language", "temp_pool", "help", "innodb_file_io_threads"];

/// A deprecated option at its default, as it stands in a file.
fn at_default(option: OptionId, entry: &Entry) -> Option<String> {
    match &entry.effective_default {
        _ if NOT_STARTED_WITH.contains(&option.name()) => None,
        _ if entry.shape.argument == Argument::None => Some(option.name().to_owned()),
        Default::Value(value) => match show(value, Unit::Count).to_string() {
            empty if empty.is_empty() => None,
            shown => Some(format!("{option} = {shown}")),
        },
        _ => None,
    }
}

#[test]
fn servers_warn_about_deprecated_names_as_recorded() {
    for server in servers::all() {
        let mut lines = BTreeMap::new();
        for option in OptionId::all() {
            let entry = catalog::entry(option, server.server);
            let taken = entry.state == State::Present || entry.state == State::Ignored && entry.judges_value;
            let asked = entry.is_option && entry.deprecated && taken;
            if asked && !entry.plugin && !entry.windows_only {
                lines.extend(at_default(option, &entry).map(|line| (option, (line, entry.warns == Warns::Always))));
            }
        }
        assert!(lines.len() > 10, "{}: {} deprecated options", server.name, lines.len());
        let directory = tempfile::tempdir().unwrap();
        let (data, file) = (directory.path().join("data"), directory.path().join("my.cnf"));
        let text: String = lines.values().map(|(line, _)| format!("{line}\n")).collect();
        servers::write(&file, format!("[mysqld]\n{text}").as_bytes());
        server.initialize(&data);
        drop(server.start(&data, Some(&file), &[]).unwrap_or_else(|log| panic!("{}: {log}", server.name)));
        let log = std::fs::read(data.with_extension("log")).unwrap();
        let log = String::from_utf8_lossy(&log).to_lowercase().replace('-', "_");
        let warned: BTreeSet<_> = log
            .lines()
            .filter(|line| line.contains("[warning]"))
            .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
            .map(|word| word.trim_matches('_').trim_start_matches("skip_"))
            .collect();
        let differ = |(option, (_, recorded)): (&OptionId, &(String, bool))| {
            let name = option.name().trim_start_matches("skip_");
            (warned.contains(name) != *recorded).then(|| format!("{option}: recorded {recorded}"))
        };
        let wrong: Vec<_> = lines.iter().filter_map(differ).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}\n{log}", server.name);
    }
}
