//! No output of any form holds a secret, wherever the file holds it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is planted. No message, path or option has anything like it.
const SECRET: &str = "xQ7vhunter2";

/// Lines in which `SECRET` is a password or a key. Some are misspelt, some in a group where nobody reads them.
const PLANTS: [&str; 26] = [
    "password = SECRET",
    "password=\"SECRET\"",
    "password='SECRET' # SECRET",
    "  loose-password   =   SECRET",
    "pasword = SECRET",
    "passw=SECRET",
    "port = 3306\npassword = SECRET\nport = 3307",
    "wsrep_sst_auth = sst:SECRET",
    "wsrep-sst-auth = \"sst:SECRET\"",
    "master-password = SECRET",
    "report_password = SECRET",
    "ssl_passphrase = SECRET",
    "authentication_ldap_simple_bind_root_pwd = SECRET",
    "authentication-ldap-sasl-bind-root-pwd=SECRET",
    "mysqlx_ssl_key_password = SECRET",
    "loose_keyring_hashicorp_secret_id = SECRET",
    "password = SECRET # cnflint: ignore[unknown-option] why",
    "max_conections = 100\npassword = SECRET\nskip-log-bin",
    "password = SECRET\npassword = other",
    "PASSWORD = SECRET",
    "init_connect = \"SET PASSWORD = PASSWORD('SECRET')\"\ninit_connect = x",
    "init-connect=CREATE USER u IDENTIFIED BY 'SECRET'",
    "wsrep_provider_options = \"gcache.size=1G;socket.ssl_password=SECRET\"",
    "#password = SECRET",
    "; was: SECRET\npassword = SECRET\nport=1\nport=1",
    "# wsrep_sst_auth=\"sst:SECRET\"\nport=1\nport=1",
];

const GROUPS: [&str; 5] = ["[client]", "[mysqld]", "[mysqldump]", "[mysqldd]", "[mariadb-10.11]"];
const ORDINARY: [&str; 6] =
    ["skip-log-bin", "innodb_flush_log_at_trx_commit = 2", "port=1", "port=1", "no_such = 1", "query_cache_size = 1M"];

const FORMATS: [&str; 8] = ["human", "short", "json", "github", "sarif", "gitlab", "junit", "markdown"];

fn run(directory: &Path, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.current_dir(directory).env("CI", "1").env("LANG", "C.UTF-8").args(line.split(' '));
    let output = command.output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Everything that the program says of a file.
fn outputs(file: &str) -> Vec<(String, String)> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("my.cnf"), file).unwrap();
    let said = |line: String| (line.clone(), run(path, &line));
    let mut all: Vec<_> =
        FORMATS.iter().map(|format| said(format!("my.cnf --verbose --format {format} --server mysql-8.4"))).collect();
    all.push(said("my.cnf --server mariadb-10.11 --format json --upgrade-to mysql-9.7".to_owned()));
    all.push(said("my.cnf --diff --unsafe-fixes".to_owned()));
    all.push(said("effective my.cnf --server mysql-8.4".to_owned()));
    all.push(said("effective my.cnf --server mysql-8.4 --format json".to_owned()));
    all.push(said("my.cnf --baseline known.json --write-baseline".to_owned()));
    all.push(("the baseline".to_owned(), fs::read_to_string(path.join("known.json")).unwrap()));
    all.push(said("init".to_owned()));
    all.push(("cnflint.toml".to_owned(), fs::read_to_string(path.join("cnflint.toml")).unwrap()));
    all.push(said("my.cnf --fix --quiet".to_owned()));
    all
}

#[test]
fn no_output_holds_a_secret_of_an_option_file() {
    let lines = proptest::sample::select(PLANTS.iter().chain(&GROUPS).chain(&ORDINARY).copied().collect::<Vec<_>>());
    let file = (
        proptest::sample::select(&GROUPS[..]),
        proptest::sample::select(&PLANTS[..]),
        proptest::collection::vec(lines, 0..8),
    );
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let checked = runner.run(&file, |(group, plant, lines)| {
        let text = format!("{group}\n{}\n{plant}\n", lines.join("\n")).replace("SECRET", SECRET);
        for (line, output) in outputs(&text) {
            prop_assert!(!output.contains(SECRET) && !output.contains("hunter2"), "{line}:\n{output}\nof\n{text}");
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}

/// Every plant once, since twelve random files do not hold all of them.
#[test]
fn no_plant_is_missed() {
    let text = PLANTS.iter().flat_map(|plant| GROUPS.map(|group| format!("{group}\n{plant}\n"))).collect::<String>();
    for (line, output) in outputs(&text.replace("SECRET", SECRET)) {
        let shown = output.lines().find(|line| line.contains("hunter2"));
        assert!(shown.is_none(), "{line}: {shown:?}");
    }
}

/// What somebody copied from an option file into a file of cnflint's own.
#[test]
fn no_mistake_in_a_file_of_cnflints_own_shows_a_secret() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("my.cnf"), "[mysqld]\n").unwrap();
    let copied = [
        "password = \"SECRET\"\n",
        "password = SECRET\n",
        "server = \"mysql-8.4\"\nwsrep_sst_auth = \"u:SECRET\"\nserverr = \"x\"\n",
        "[facts.host]\nrma = 1\npassword = 'SECRET'\n",
        "facts = { host = { password = \"SECRET\" } }\n",
        "[host]\npassword = \"SECRET\"\n",
        "[[path]]\nfiles = \"a\"\n# password = SECRET\nreport-password = \"SECRET\"\n",
        "[[cluster]]\npassword = \"SECRET\"\nname = \"a\"\n",
        "summary = \"x\"\nmaster_password = \"SECRET\"\n",
    ];
    fs::create_dir_all(path.join("rules/syntax")).unwrap();
    for text in copied.map(|text| text.replace("SECRET", SECRET)) {
        for name in ["cnflint.toml", "facts.toml", "rules/syntax/own.toml"] {
            fs::write(path.join(name), &text).unwrap();
        }
        for line in ["my.cnf", "my.cnf --no-config --facts facts.toml", "my.cnf --no-config --rules rules"] {
            let output = run(path, line);
            assert!(output.contains('×') && !output.contains("hunter2"), "{line}: {output}");
        }
    }
}
