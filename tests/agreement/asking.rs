//! Calls a real server and reads from its answer what it made of an option file.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::{Command, Output};

use cnflint::server::{Flavor, Server, ServerSpec};

/// A server that lies ready in a folder and is asked without being started.
pub struct RealServer {
    folder: PathBuf,
    pub server: Server,
}

/// What a server said about one option file.
pub struct Answer {
    /// Whether it would not start, or says an error.
    pub refused: bool,
    /// Whether it ends with a failure: `loose-` lets MariaDB say an error and start all the same.
    pub stops: bool,
    /// Everything it said.
    pub log: String,
    /// The values by option name with underscores.
    pub values: HashMap<String, String>,
}

impl RealServer {
    /// The server of that folder below `CNFLINT_SERVERS` (`~/.cache/cnflint/servers` when unset); none when it is not there.
    pub fn find(name: &str) -> Option<Self> {
        let root = std::env::var_os("CNFLINT_SERVERS")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/cnflint/servers")))?;
        let folder = root.join(name);
        let version = std::fs::read_to_string(folder.join("VERSION")).ok()?;
        let flavor = name.split('-').next().unwrap_or_default();
        match ServerSpec::parse(&format!("{flavor}-{}", version.trim())) {
            Ok(ServerSpec::Exact(server)) => Some(Self { folder, server }),
            other => panic!("{}: which server is that? {other:?}", folder.display()),
        }
    }

    /// What it makes of these lines below `[mysqld]`.
    pub fn ask(&self, lines: &[String]) -> Answer {
        let directory = tempfile::tempdir().expect("a directory for an option file");
        let file = directory.path().join("my.cnf");
        std::fs::write(&file, format!("[mysqld]\n{}\n", lines.join("\n"))).expect("an option file");
        let defaults = format!("--defaults-file={}", file.display());
        let checked = (self.server.flavor == Flavor::Mysql && self.server.version.major >= 9).then(|| {
            self.call(&[
                &defaults,
                "--validate-config",
                "--log-error-verbosity=2",
                "--user=root",
                "--secure-file-priv=",
            ])
        });
        let helped = match &checked {
            Some(checked) if !checked.status.success() => None,
            _ => {
                Some(self.call(&[&[&defaults as &str, "--help", "--verbose", "--user=root"], &*self.places()].concat()))
            }
        };
        let judge = checked.as_ref().or(helped.as_ref()).expect("one of the two was called");
        let log = String::from_utf8_lossy(&judge.stderr).into_owned();
        let stops = !judge.status.success();
        let values = helped.as_ref().map(|output| values(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default();
        let values = values.into_iter().collect();
        Answer { refused: stops || log.contains("[ERROR]"), stops, log, values }
    }

    /// 5.6 does not find its own messages and data unless told where they lie.
    fn places(&self) -> Vec<&'static str> {
        if self.server.version.major != 5 {
            return Vec::new();
        }
        vec!["--basedir=server", "--lc-messages-dir=server/share", "--datadir=server/data/mysql"]
    }

    fn call(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.folder.join("mysqld"));
        let folder = self.folder.display().to_string();
        for argument in arguments {
            command.arg(argument.replace("=server", &format!("={folder}/server")));
        }
        command.stdin(std::process::Stdio::null()).output().expect("the server can be called")
    }
}

/// The table at the end of `--help --verbose`: names with dashes, blanks, values.
fn values(help: &str) -> BTreeMap<String, String> {
    let table = help.rsplit_once("\n--------").map_or("", |(_, table)| table);
    let lines = table.lines().skip(1).take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name.replace('-', "_"), value.trim().to_owned()))
        })
        .collect()
}
