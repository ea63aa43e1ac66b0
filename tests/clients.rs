//! What client and helper programs know, in real-life lines and against the real programs.

#![allow(clippy::expect_used, reason = "helpers of tests may fail loudly too")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cnflint::catalog::clients::{groups_for, known_in_group, programs_refusing_in_client, stops_on_unknown};
use cnflint::server::{Flavor, Server, Version};
use proptest::prelude::*;

#[path = "../build/clients.rs"]
mod packing;
/// What the build script sees under this name.
mod server {
    pub use cnflint::server::{Flavor, Version};
}

const MYSQL_56: Server = Server::new(Flavor::Mysql, 5, 6, 23);
const MYSQL_80: Server = Server::new(Flavor::Mysql, 8, 0, 36);
const MYSQL_97: Server = Server::new(Flavor::Mysql, 9, 7, 4);
const PERCONA_80: Server = Server::new(Flavor::Percona, 8, 0, 36);
const PXC_84: Server = Server::new(Flavor::Pxc, 8, 4, 0);
const MARIADB_103: Server = Server::new(Flavor::Mariadb, 10, 3, 39);
const MARIADB_105: Server = Server::new(Flavor::Mariadb, 10, 5, 23);
const MARIADB_1011: Server = Server::new(Flavor::Mariadb, 10, 11, 19);
const MARIADB_118: Server = Server::new(Flavor::Mariadb, 11, 8, 9);
const EVERY: [Server; 9] =
    [MYSQL_56, MYSQL_80, MYSQL_97, PERCONA_80, PXC_84, MARIADB_103, MARIADB_105, MARIADB_1011, MARIADB_118];

fn known(group: &str, option: &str, server: Server) -> Option<bool> {
    known_in_group(group, option.as_bytes(), server)
}

fn groups(option: &str, server: Server) -> Vec<&'static str> {
    groups_for(option.as_bytes(), server).collect()
}

fn refusing(option: &str, server: Server) -> Vec<&'static str> {
    programs_refusing_in_client(option.as_bytes(), server)
}

#[test]
fn lines_of_everyday_files_are_known() {
    for server in EVERY {
        for (group, options) in [
            ("mysql", "prompt safe-updates no-auto-rehash no_auto_rehash skip-auto-rehash default-character-set pager"),
            ("mysqldump", "quick quote-names max_allowed_packet single-transaction skip-lock-tables"),
            ("client", "user password host port socket ssl-ca default-character-set pipe_is_no_option"),
            ("myisamchk", "key_buffer_size sort_buffer_size read_buffer write_buffer"),
            ("mysqlhotcopy", "interactive-timeout"),
        ] {
            for option in options.split(' ') {
                let expected = match (group, option) {
                    (_, "pipe_is_no_option") => Some(false),
                    // A beginning of read_buffer_size: taken only where abbreviations are.
                    ("myisamchk", "read_buffer" | "write_buffer") => Some(server.takes_abbreviations()),
                    // MySQL's script for this group is gone since 5.7.
                    ("mysqlhotcopy", _) if server.flavor.is_mysql_family() && server.at_least(5, 7, 0) => None,
                    _ => Some(true),
                };
                assert_eq!(known(group, option, server), expected, "[{group}] {option} for {server}");
            }
        }
    }
}

#[test]
fn a_server_option_in_client_stops_the_programs_that_read_it() {
    for server in EVERY {
        assert_eq!(known("client", "innodb_buffer_pool_size", server), Some(false), "{server}");
        let dump =
            if server.flavor == Flavor::Mariadb && server.at_least(10, 5, 0) { "mariadb-dump" } else { "mysqldump" };
        assert!(refusing("innodb_buffer_pool_size", server).contains(&dump), "{server}");
        assert!(refusing("loose-innodb_buffer_pool_size", server).is_empty(), "{server}");
        assert!(stops_on_unknown("client", server), "{server}");
    }
}

#[test]
fn options_of_one_client_stop_the_others() {
    let refused = refusing("safe-updates", MARIADB_1011);
    assert!(!refused.contains(&"mariadb") && refused.contains(&"mariadb-dump"), "{refused:?}");
    let refused = refusing("default-character-set", MYSQL_97);
    assert_eq!(refused, ["mysqlbinlog", "mysqlslap"]);
    assert_eq!(refusing("password", MARIADB_118), [""; 0]);
    // Measured on 9.7.4: its mysql lets one unknown option pass, the others stop.
    assert!(!refusing("quick", MYSQL_97).contains(&"mysql"));
    assert!(!refusing("no-such-thing", MYSQL_97).contains(&"mysql"));
    assert!(refusing("no-such-thing", MYSQL_56).contains(&"mysql"));
}

#[test]
fn client_options_find_the_group_they_belong_to() {
    assert_eq!(groups("prompt", MYSQL_80), ["mysql"]);
    assert_eq!(groups("prompt", MARIADB_1011), ["mysql"]);
    assert_eq!(groups("password", MARIADB_1011)[0], "client");
    assert_eq!(groups("quick", MYSQL_80)[..2], ["mysql", "mysqldump"]);
    assert_eq!(groups("malloc-lib", MYSQL_97), ["mysqld_safe"]);
    assert_eq!(groups("innodb_buffer_pool_instances", MYSQL_80), [""; 0]);
}

#[test]
fn scripts_take_exact_names_and_skip_the_rest() {
    for server in [MYSQL_56, MYSQL_80, MYSQL_97, MARIADB_105, MARIADB_118] {
        assert_eq!(known("mysqld_safe", "open_files_limit", server), Some(true), "{server}");
        assert_eq!(known("mysqld_safe", "nice", server), Some(true), "{server}");
        assert_eq!(known("mysqld_safe", "innodb_buffer_pool_size", server), Some(false), "{server}");
        assert_eq!(known("mysqld_safe", "skip-nice", server), Some(false), "{server}");
        assert!(!stops_on_unknown("mysqld_safe", server), "{server}");
    }
    assert_eq!(known("mysqld_safe", "numa-interleave", MYSQL_80), Some(false));
    assert_eq!(known("mysqld_safe", "numa-interleave", PERCONA_80), Some(true));
}

#[test]
fn versions_and_builds_that_differ_are_told_apart() {
    assert_eq!(known("mysqldump", "ssl-mode", MYSQL_56), Some(false));
    assert_eq!(known("mysqldump", "ssl-mode", MYSQL_80), Some(true));
    assert_eq!(known("mysqldump", "secure-auth", MYSQL_80), Some(false));
    assert_eq!(known("mysqldump", "lock-for-backup", MYSQL_80), Some(false));
    assert_eq!(known("mysqldump", "lock-for-backup", PXC_84), Some(true));
    // Between 8.0.25, which had no such option, and 8.0.43, which has, the records do not say when it came.
    assert_eq!(known("mysqldump", "source-data", Server::new(Flavor::Mysql, 8, 0, 30)), None);
    assert_eq!(known("mysql", "shared-memory-base-name", MYSQL_97), None);
    // Newer than every record: what was there is taken to be there still, nothing is said to be missing.
    let future = Server { flavor: Flavor::Mariadb, version: Version::new(12, 3, 2) };
    assert_eq!(known("mysqldump", "quick", future), Some(true));
    assert_eq!(known("mysqldump", "not-an-option", future), None);
    assert_eq!(known("no_such_group", "quick", MYSQL_97), None);
    assert_eq!(known("mysqld", "quick", MYSQL_97), None);
}

#[test]
fn spelling_follows_the_version() {
    assert_eq!(known("mysql", "SAFE_UPDATES", MARIADB_1011), Some(true));
    assert_eq!(known("mysql", "SAFE_UPDATES", MARIADB_105), Some(false));
    assert_eq!(known("mysql", "safe-upd", MARIADB_1011), Some(true));
    assert_eq!(known("mysql", "safe-upd", MYSQL_97), Some(false));
    // Ambiguous: several options begin like this.
    assert_eq!(known("mysql", "ssl-c", MARIADB_1011), Some(false));
    assert_eq!(known("MySQL", "loose-skip_reconnect", MYSQL_97), Some(true));
    assert_eq!(known("mysql", "loose-unheard-of", MYSQL_97), Some(false));
    assert_eq!(known("mysql", "", MARIADB_1011), Some(false));
    assert_eq!(known("mysql", "\u{fffd}", MARIADB_1011), Some(false));
}

proptest! {
    #[test]
    fn dashes_and_underscores_are_the_same_and_no_bytes_panic(
        mut option in prop_oneof![
            any::<Vec<u8>>(),
            "((loose|skip|enable)[-_])?[a-z]{1,8}([-_][a-z]{0,8}){0,3}".prop_map(String::into_bytes),
            prop::sample::select(&["skip-auto-rehash", "loose-ssl-ca", "default-character-set", "max-allowed-p"][..])
                .prop_map(|option| option.as_bytes().to_vec()),
        ],
        server in prop::sample::select(&EVERY[..]),
        group in prop::sample::select(&["client", "mysql", "mysqldump", "myisamchk", "mysqld_safe"][..]),
    ) {
        let answers = |option: &[u8]| (
            known_in_group(group, option, server),
            groups_for(option, server).collect::<Vec<_>>(),
            programs_refusing_in_client(option, server),
        );
        let written = answers(&option);
        option.iter_mut().filter(|byte| **byte == b'-').for_each(|byte| *byte = b'_');
        prop_assert_eq!(written, answers(&option));
    }
}

#[test]
fn a_bad_source_file_is_refused_with_its_place() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("a written file");
    write("mariadb.toml", "program = []\n");
    write("percona.toml", "[[program]]\nname = \"nothing\"\n[program.options]\n");
    write(
        "mysql.toml",
        "[[program]]\nname = \"mysql\"\ngroups = [\"mysql\"]\nseen = [\"5.6.23\", \"8.0.25\"]\n\
         [program.options]\nprompt = \"perhaps\"\nquick = \"none, 5.7.1-\"\nsafe_updates = \"none\"\n",
    );
    let faults = packing::write(directory.path(), directory.path()).expect_err("four faults");
    let places: Vec<_> = faults.iter().map(|fault| fault.rsplit_once('/').map_or(&**fault, |(_, rest)| rest)).collect();
    assert_eq!(
        places,
        [
            "mysql.toml:6:10: `prompt` takes an argument: none, optional or required, not `perhaps`",
            "mysql.toml:7:9: `quick`: 5.7.1- is no range of versions listed in `seen`",
            "mysql.toml:8:16: `safe_updates`: names are written in lower case with dashes",
            "percona.toml:1:1: mysql.toml has no program nothing",
        ]
    );
}

/// Every option in `--help` of the programs that are laid out must be known in the program's own group.
#[test]
fn agrees_with_the_help_of_real_programs() {
    let Some(servers) = servers() else { return };
    for (folder, server) in [
        ("mysql-9.7", MYSQL_97),
        ("mariadb-10.5", MARIADB_105),
        ("mariadb-10.11", MARIADB_1011),
        ("mariadb-11.8", MARIADB_118),
    ] {
        let mut asked = 0;
        for (program, group) in [
            ("mysql", "mysql"),
            ("mariadb", "mysql"),
            ("mysqldump", "mysqldump"),
            ("mysqladmin", "mysqladmin"),
            ("mysqlcheck", "mysqlcheck"),
            ("mariadb-check", "mysqlcheck"),
            ("mysqlimport", "mysqlimport"),
            ("mysqlshow", "mysqlshow"),
            ("mysqlslap", "mysqlslap"),
            ("mysqlbinlog", "mysqlbinlog"),
            ("mariadb-upgrade", "mysql_upgrade"),
            ("mysql_secure_installation", "mysql_secure_installation"),
            ("mysql_migrate_keyring", "mysql_migrate_keyring"),
            ("myisamchk", "myisamchk"),
            ("myisampack", "myisampack"),
            ("aria_chk", "aria_chk"),
            ("aria_pack", "ariapack"),
            ("aria_read_log", "aria_read_log"),
            ("aria_dump_log", "aria_dump_log"),
            ("aria_s3_copy", "aria_s3_copy"),
        ] {
            let Some(help) = help_of(&servers.join(folder), program) else { continue };
            let options = options_in(&help);
            assert!(options.len() > 3, "{folder} {program}: no options in\n{help}");
            let missing: Vec<_> = options.iter().filter(|option| known(group, option, server) != Some(true)).collect();
            assert!(missing.is_empty(), "{folder}: {program} knows {missing:?}, the tables do not");
            assert_eq!(known(group, "no-such-option", server), Some(false), "{folder} {program}");
            asked += options.len();
        }
        assert!(asked > 200 || !servers.join(folder).exists(), "only {asked} options in the help texts of {folder}");
    }
}

/// What the tables do not know stops the real programs, from their own group and from `[client]`; nothing else does.
#[test]
fn real_programs_stop_where_the_tables_say() {
    let Some(servers) = servers() else { return };
    for (folder, server, program, group) in [
        ("mysql-9.7", MYSQL_97, "mysqldump", "mysqldump"),
        ("mysql-9.7", MYSQL_97, "mysqlbinlog", "mysqlbinlog"),
        ("mariadb-10.5", MARIADB_105, "mariadb", "mysql"),
        ("mariadb-10.11", MARIADB_1011, "mariadb", "mysql"),
        ("mariadb-11.8", MARIADB_118, "mariadb-check", "mysqlcheck"),
    ] {
        let folder = servers.join(folder);
        for option in [
            "quick",
            "quic",
            "Quick",
            "safe-updates",
            "innodb_buffer_pool_size",
            "skip_quick",
            "ssl-c",
            "ssl",
            "secure-auth",
            "default-character-set",
            "loose-nothing",
            "skip-loose-nothing",
            "max_allowed_packet",
            "database",
            "debug",
        ] {
            let own = known(group, option, server) == Some(false) && !option.contains("loose-");
            let shared = refusing(option, server).contains(&program);
            for (group, stops) in [(group, own), ("client", shared)] {
                let directory = tempfile::tempdir().expect("a temporary directory");
                let file = directory.path().join("my.cnf");
                std::fs::write(&file, format!("[{group}]\n{option}=1\n")).expect("a written file");
                let defaults = format!("--defaults-file={}", file.display());
                let arguments = [&*defaults, "--host=127.0.0.1", "--port=1", "no_such_thing"];
                let Some(output) = run(&folder, program, &arguments) else { continue };
                // With `loose-` the same words stand in a warning.
                let refused =
                    output.lines().filter(|line| !line.to_ascii_lowercase().contains("warning")).any(|line| {
                        ["unknown variable", "unknown option", "ambiguous"].iter().any(|text| line.contains(text))
                    });
                assert_eq!(refused, stops, "{} {program} [{group}] {option}: {output}", folder.display());
            }
        }
    }
}

/// The folder of the servers that `CNFLINT_SERVERS` or the cache names; a missing one is said aloud, or fails.
fn servers() -> Option<PathBuf> {
    let root = std::env::var_os("CNFLINT_SERVERS").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME")?;
        Some(PathBuf::from(home).join(".cache/cnflint/servers"))
    })?;
    if root.is_dir() {
        return Some(root);
    }
    assert!(
        std::env::var_os("CNFLINT_REQUIRE_SERVERS").is_none_or(|value| value != "1"),
        "no servers in {}, but CNFLINT_REQUIRE_SERVERS=1",
        root.display()
    );
    eprintln!("skipped: no servers in {}", root.display());
    None
}

/// Runs a program of a laid-out server with that server's own libraries; `None` when it is not there.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let libraries = folder.join("root/usr/lib/x86_64-linux-gnu");
    let path = folder.join("root/usr/bin").join(program);
    // Scripts have no loader, and a link may lead to a package that is not laid out.
    if !std::fs::read(&path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF")) {
        return None;
    }
    let own_loader = libraries.join("ld-linux-x86-64.so.2");
    let loader = if own_loader.exists() { own_loader } else { PathBuf::from("/lib64/ld-linux-x86-64.so.2") };
    let output = Command::new(loader)
        .args(["--inhibit-cache", "--library-path"])
        .arg(format!("{0}:{0}/mysql/private", libraries.display()))
        .arg(path)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn help_of(folder: &Path, program: &str) -> Option<String> {
    let help = run(folder, program, &["--no-defaults", "--help"])?;
    // myisamchk and aria_chk of MariaDB 10.11 do not take --no-defaults.
    if options_in(&help).is_empty() { run(folder, program, &["--help"]) } else { Some(help) }
}

/// `  -q, --quick=#  …` of a help text: the long names, without those that only the command line takes.
fn options_in(help: &str) -> Vec<&str> {
    let only_on_command_line = [
        "print-defaults",
        "no-defaults",
        "defaults-file",
        "defaults-extra-file",
        "defaults-group-suffix",
        "login-path",
        "no-login-paths",
    ];
    help.lines()
        .filter(|line| line.len() - line.trim_start().len() < 7)
        .filter_map(|line| {
            let line = line.trim_start();
            let long = line.strip_prefix("--").or_else(|| {
                Some(line.strip_prefix('-')?.get(1..)?.split_once("--")?.1)
                    .filter(|_| line.as_bytes().get(2) == Some(&b','))
            })?;
            let end = long.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(long.len());
            Some(&long[..end]).filter(|name| !name.is_empty())
        })
        // aria_chk and myisamchk print their flag -H as --HELP.
        .filter(|name| !only_on_command_line.contains(name) && *name != "HELP" && !name.starts_with('-'))
        .collect()
}
