//! The statements that a server runs at every start, where their file is at hand: what no option can say.

use super::candidate::server_groups;
use crate::catalog::id;
use crate::effective::{Effective, Foreign};
use crate::finding::Label;
use crate::input::init_file::disables_redo_log;
use crate::optionfile::Document;
use crate::server::Server;
use crate::source::{Files, Location, SourceFile, Sources, Span};
use crate::value::{Outcome, Value};
use std::path::{Path, PathBuf};

/// An init file that leaves the redo log switched off.
pub(super) struct Found {
    pub path: String,
    /// The statement, and the line that names the file.
    pub labels: std::array::IntoIter<Label, 2>,
    /// Everything else in the file: it may hold the passwords of accounts.
    pub not_shown: [Location; 2],
}

/// Looks into the file that `init_file` names. A file that cannot be read is not at hand: it may be on another host.
pub(super) fn look(
    files: &dyn Files,
    root: Option<&Path>,
    server: Server,
    document: &Document,
    foreign: &[Foreign<'_>],
    sources: &mut Sources,
) -> Option<Found> {
    // ALTER INSTANCE DISABLE INNODB REDO_LOG: https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-21.html
    if !(server.flavor.is_mysql_family() && server.at_least(8, 0, 21)) {
        return None;
    }
    let effective = Effective::new(document, &server_groups(server), server, foreign);
    let named_at = effective.winner(id::INIT_FILE)?;
    let path = on_disk(&path_of(id::INIT_FILE, &effective)?, root, &effective)?;
    let bytes = files.read(&path).ok()?;
    let statement = disables_redo_log(&bytes)?;
    let end = bytes.len() as u32;
    let file = sources.add(SourceFile::new(&path, bytes));
    let at = |span| Location { file, span };
    let label = |location, text: &str| Label { location, text: text.to_owned() };
    Some(Found {
        path: path.display().to_string(),
        labels: [
            label(at(statement), "run at every start"),
            label(named_at.whole(), "this file disables the redo log at every start"),
        ]
        .into_iter(),
        not_shown: [at(Span::new(0, statement.start)), at(Span::new(statement.end, end))],
    })
}

fn path_of(option: crate::catalog::OptionId, effective: &Effective<'_>) -> Option<PathBuf> {
    match &effective.get(option)?.value {
        Outcome::Known(Value::Text(text)) => Some(PathBuf::from(String::from_utf8_lossy(text).into_owned())),
        _ => None,
    }
}

/// Where the file lies: the server works in its data directory, and a repository may hold an `etc` of its own.
fn on_disk(path: &Path, root: Option<&Path>, effective: &Effective<'_>) -> Option<PathBuf> {
    let path = if path.is_relative() { path_of(id::DATADIR, effective)?.join(path) } else { path.to_owned() };
    match (root, path.strip_prefix("/")) {
        (Some(root), Ok(rest)) => Some(root.join(rest)),
        _ => Some(path),
    }
}
