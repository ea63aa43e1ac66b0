//! Calls a real server and reads from its answer what it made of an option file.

use std::collections::HashMap;
use std::path::Path;
use std::process::Output;

use crate::servers::{self, RealServer};

/// What a server said about one option file.
pub struct Answer {
    /// Whether it would not start, or says an error.
    pub refused: bool,
    /// Whether it ends with a failure: `loose-` lets MariaDB say an error and start all the same.
    pub stops: bool,
    /// Everything it said.
    pub log: String,
    /// The values by option name with underscores; none where it would not start.
    pub values: HashMap<String, String>,
}

/// What it makes of these lines below `[mysqld]`.
pub fn ask(server: &RealServer, lines: &[&str]) -> Answer {
    let directory = tempfile::tempdir().expect("a directory for an option file");
    let file = directory.path().join("my.cnf");
    servers::write(&file, text(lines).as_bytes());
    let defaults = format!("--defaults-file={}", file.display());
    // 9.7 reports unknown options and warnings only when it checks its configuration, and shows values only when asked for help.
    let checked = (server.name == "mysql-9.7").then(|| {
        call(
            server,
            &[&defaults, "--validate-config", "--log-error-verbosity=2", "--user=root", "--secure-file-priv="],
            directory.path(),
        )
    });
    let helped = match &checked {
        Some(checked) if !checked.status.success() => None,
        _ => Some(call(server, &[&defaults, "--help", "--verbose", "--user=root"], directory.path())),
    };
    let judge = checked.as_ref().or(helped.as_ref()).expect("one of the two was called");
    let log = String::from_utf8_lossy(&judge.stderr).into_owned();
    let stops = !judge.status.success();
    let values = helped.as_ref().map(|output| values(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default();
    Answer { refused: stops || log.contains("[ERROR]"), stops, log, values }
}

/// The option file of these lines.
pub fn text(lines: &[&str]) -> String {
    format!("[mysqld]\n{}\n", lines.join("\n"))
}

/// Servers make some of the logs that they are told to write even now, where they stand.
fn call(server: &RealServer, arguments: &[&str], directory: &Path) -> Output {
    server.asked(arguments).current_dir(directory).output().expect("the server can be called")
}

/// The table at the end of `--help --verbose`: names with dashes, blanks, values.
fn values(help: &str) -> HashMap<String, String> {
    let table = help.rsplit_once("\n--------").map_or("", |(_, table)| table);
    let lines = table.lines().skip(1).take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name.replace('-', "_"), value.trim().to_owned()))
        })
        .collect()
}
