//! Paths in the files that are not there, or that the server may not use. The host was asked before: nothing is read here.

use super::{Hit, Subject};
use crate::catalog::{OptionId, id};
use crate::effective::{Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::Server;
use crate::value::{Outcome, Value};
use std::path::{Path, PathBuf};

/// What a server does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It writes files into this directory.
    Directory,
    /// It must be able to enter this directory.
    ExistingDirectory,
    /// It reads this file at its start.
    FileToRead,
    /// It makes this file, so that the directory must be there.
    FileToWrite,
}

/// A path that a server will use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The option that names it.
    pub option: OptionId,
    /// The path, relative ones below the data directory.
    pub path: PathBuf,
    /// What for.
    pub purpose: Use,
}

/// Why a path cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// It, or the directory for it, is not there.
    Missing(PathBuf),
    /// A directory was expected.
    NoDirectory(PathBuf),
    /// A file was expected.
    NoFile(PathBuf),
    /// The server's user may not write there.
    NotWritable {
        /// The directory.
        directory: PathBuf,
        /// Its owner.
        owner: String,
        /// The user that the server runs as.
        user: String,
    },
    /// The unit hides that part of the host (`ProtectHome`).
    Hidden {
        /// The unit or drop-in.
        by: String,
    },
}

/// What was found out about one path on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyPath {
    /// The option that names it.
    pub option: OptionId,
    /// The path.
    pub path: PathBuf,
    /// What is wrong.
    pub fault: PathFault,
}

const PATHS: &[(OptionId, Use)] = &[
    (id::DATADIR, Use::Directory),
    (id::INNODB_DATA_HOME_DIR, Use::Directory),
    (id::INNODB_LOG_GROUP_HOME_DIR, Use::Directory),
    (id::INNODB_UNDO_DIRECTORY, Use::Directory),
    (id::INNODB_TEMP_TABLESPACES_DIR, Use::Directory),
    (id::TMPDIR, Use::Directory),
    (id::SECURE_FILE_PRIV, Use::ExistingDirectory),
    (id::INIT_FILE, Use::FileToRead),
    (id::SSL_CA, Use::FileToRead),
    (id::SSL_CERT, Use::FileToRead),
    (id::SSL_KEY, Use::FileToRead),
    (id::LOG_BIN, Use::FileToWrite),
    (id::LOG_ERROR, Use::FileToWrite),
    (id::GENERAL_LOG_FILE, Use::FileToWrite),
    (id::SLOW_QUERY_LOG_FILE, Use::FileToWrite),
    (id::RELAY_LOG, Use::FileToWrite),
    (id::PID_FILE, Use::FileToWrite),
    (id::SOCKET, Use::FileToWrite),
];

/// Every path that the files name and the server will use, given the data directory.
pub fn wanted(effective: &Effective<'_>, datadir: &Path) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    for (option, purpose) in PATHS {
        let Some(text) = path_text(effective, *option) else { continue };
        let switched_off = match *option {
            id::GENERAL_LOG_FILE => !super::combinations::is_on(effective, id::GENERAL_LOG),
            id::SLOW_QUERY_LOG_FILE => !super::combinations::is_on(effective, id::SLOW_QUERY_LOG),
            _ => false,
        };
        // Neither NULL nor an empty value is a directory.
        let no_path = text.is_empty() || *option == id::SECURE_FILE_PRIV && text.eq_ignore_ascii_case("null");
        // A socket whose name begins with `@` stands in no directory.
        if switched_off || no_path || text.starts_with('@') {
            continue;
        }
        // Only tmpdir takes several, and uses them in turn.
        let several = (*option == id::TMPDIR).then(|| text.split(':')).into_iter().flatten();
        let paths = several.chain((*option != id::TMPDIR).then_some(&*text));
        let paths = paths.filter(|path| !path.is_empty());
        wanted.extend(paths.map(|path| Wanted { option: *option, path: datadir.join(path), purpose: *purpose }));
    }
    wanted
}

/// The path as a line of a file says it; of a bare option and of a template there is none.
fn path_text(effective: &Effective<'_>, option: OptionId) -> Option<String> {
    let line = effective.decided(option)?;
    if line.value.is_none() || !matches!(line.origin, Origin::Line(_)) {
        return None;
    }
    match &effective.get(option)?.value {
        Outcome::Known(Value::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

pub(super) fn path_missing_or_unwritable(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for faulty in subject.faulty_paths {
        let Some(line) = subject.effective.decided(faulty.option).filter(|line| line.value.is_some()) else { continue };
        let refuses = refuses(faulty.option, subject.server);
        let (message, label, advice) = said(&faulty.fault);
        let effect = match (refuses, faulty.option) {
            (true, _) => "the server refuses to start",
            (false, id::GENERAL_LOG_FILE | id::SLOW_QUERY_LOG_FILE) => "the server starts and turns that log off",
            (false, id::SSL_CA | id::SSL_CERT | id::SSL_KEY) => "the server starts without TLS",
            (false, id::RELAY_LOG) => "the server starts, and replication does not",
            (false, _) => "what needs it fails",
        };
        let severity = if refuses { Severity::Error } else { Severity::Warning };
        let hit = Hit::new(severity, line.whole(), format!("{message}: {effect}")).label(label);
        hits.push(hit.option(faulty.option.name()).remedy(Safety::Manual, advice, Vec::new()));
    }
}

/// Whether a server stops at a path that it cannot use: starts of MySQL 9.7.4 and 5.6.24 and MariaDB 10.5.23 and 10.11.19 with
/// paths that were not there; every one of them, and 11.8.9, stops at a secure_file_priv that is not there.
fn refuses(option: OptionId, server: Server) -> bool {
    let mysql = server.flavor.is_mysql_family();
    match option {
        id::GENERAL_LOG_FILE | id::SLOW_QUERY_LOG_FILE | id::RELAY_LOG => false,
        id::SSL_CA | id::SSL_CERT | id::SSL_KEY => !mysql,
        // MariaDB 11.0 made three undo tablespaces the default; 11.8.9 stops.
        id::INNODB_UNDO_DIRECTORY => mysql && server.at_least(8, 0, 0) || !mysql && server.at_least(11, 0, 0),
        id::LOG_ERROR => mysql && server.at_least(8, 0, 0),
        _ => true,
    }
}

/// The message, the label and what to do.
fn said(fault: &PathFault) -> (String, &'static str, String) {
    match fault {
        PathFault::Missing(path) => {
            let path = path.display();
            (format!("`{path}` is not there"), "not there", format!("make `{path}`, or write a path that is there"))
        }
        PathFault::NoDirectory(path) => {
            (format!("`{}` is no directory", path.display()), "no directory", "write the path of a directory".into())
        }
        PathFault::NoFile(path) => {
            (format!("`{}` is no file", path.display()), "no file", "write the path of a file".into())
        }
        PathFault::NotWritable { directory, owner, user } => {
            let directory = directory.display();
            let message =
                format!("`{directory}` belongs to {owner}, and the server runs as {user} and may not write there");
            (message, "not writable", format!("chown {user} {directory}, or give its group the right to write"))
        }
        PathFault::Hidden { by } => (
            format!("{by} hides /home, /root and /run/user from the server (ProtectHome)"),
            "hidden from the server",
            "put it elsewhere, or set ProtectHome=false in a drop-in of the unit".into(),
        ),
    }
}
