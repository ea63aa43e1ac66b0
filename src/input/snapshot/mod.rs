//! What a client printed of a running server: its variables, where each came from, and its counters.
//!
//! Read are `SHOW GLOBAL VARIABLES`, `SHOW GLOBAL STATUS`, `performance_schema.variables_info`,
//! `information_schema.SYSTEM_VARIABLES` and selections of their columns, one after the other in one file.

mod forms;

use crate::facts::{FactId, FactSource, Facts};
use crate::server::{Flavor, Server, Version};
use crate::source::Span;
use forms::{Grid, Row};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Where the value of a running server's variable came from.
///
/// `performance_schema.variables_info` and `information_schema.SYSTEM_VARIABLES` say so; `SHOW VARIABLES` does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The server's own default. MariaDB says so, too, of the read-only variables that other options set, such as `log_bin`.
    Compiled,
    /// Computed by the server at its start (MariaDB's `AUTO`).
    Computed,
    /// An option file, or any file where the path is missing (older servers).
    File(Option<String>),
    /// The command line or the environment.
    CommandLine,
    /// `mysqld-auto.cnf`.
    Persisted,
    /// Set while the server ran: the next start forgets it. On MySQL also what `SET PERSIST` set since the last start.
    Set,
}

impl Origin {
    /// The origin that servers call so. MySQL: <https://dev.mysql.com/doc/refman/8.4/en/performance-schema-variables-info-table.html>,
    /// MariaDB: <https://mariadb.com/docs/server/reference/system-tables/information-schema/information-schema-tables/information-schema-system_variables-table>.
    fn of(word: &[u8], path: Option<&[u8]>) -> Option<Self> {
        let path = || path.filter(|path| !is_null(path)).map(|path| String::from_utf8_lossy(path).into_owned());
        Some(match word {
            b"COMPILED" | b"COMPILE-TIME" => Self::Compiled,
            b"AUTO" => Self::Computed,
            b"GLOBAL" | b"SERVER" | b"EXPLICIT" | b"EXTRA" | b"USER" | b"LOGIN" | b"CONFIG" => Self::File(path()),
            b"COMMAND_LINE" | b"COMMAND-LINE" | b"ENVIRONMENT" => Self::CommandLine,
            b"PERSISTED" => Self::Persisted,
            b"DYNAMIC" | b"SQL" => Self::Set,
            _ => return None,
        })
    }
}

/// One system variable of the running server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotVariable {
    /// The name in lower case.
    pub name: String,
    /// The value, byte for byte; `None` when it is NULL or only the origin was printed.
    pub value: Option<Vec<u8>>,
    /// Where the value came from, if that was printed.
    pub origin: Option<Origin>,
    /// The line or lines that show the value; those that show the origin when there is no value.
    pub span: Span,
}

/// One counter of the running server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotStatus {
    /// The name as printed.
    pub name: String,
    /// The value, byte for byte.
    pub value: Vec<u8>,
    /// The line or lines that show it.
    pub span: Span,
}

/// A running server as a client showed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The system variables, by name.
    pub variables: Vec<SnapshotVariable>,
    /// The counters, in the order in which they were printed.
    pub status: Vec<SnapshotStatus>,
    /// The server, from `version` and `version_comment`.
    pub server: Option<Server>,
}

/// Why a file is no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Written by a shell that turns everything into UTF-16.
    #[error(
        "{0} is UTF-16, as PowerShell's `>` writes it; let the client write the file with `--tee`, or convert it to UTF-8"
    )]
    Utf16(String),
    /// Printed with `--html` or `--xml`.
    #[error("{0} is HTML or XML; print the result without --html and --xml")]
    Markup(String),
    /// No result in any of the known forms.
    #[error(
        "{0} shows no variables and no status; save what `mysql -e 'SHOW GLOBAL VARIABLES; SHOW GLOBAL STATUS'` prints"
    )]
    Nothing(String),
}

/// Reads what a client printed, in any of its three forms. `name` is the file's name in errors.
///
/// # Errors
/// When nothing in it is a result of one of the known queries.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(SnapshotError::Utf16(name.to_owned()));
    }
    let start = bytes.trim_ascii_start();
    if start.starts_with(b"<?xml") || start.starts_with(b"<TABLE") {
        return Err(SnapshotError::Markup(name.to_owned()));
    }
    let mut reader = Collector::default();
    for grid in forms::grids(bytes) {
        reader.take(&grid);
    }
    let mut snapshot =
        Snapshot { variables: reader.variables.into_values().collect(), status: reader.status, server: None };
    if snapshot.variables.is_empty() && snapshot.status.is_empty() {
        return Err(SnapshotError::Nothing(name.to_owned()));
    }
    snapshot.server = server_of(&snapshot);
    Ok(snapshot)
}

impl Snapshot {
    /// The value of a variable that is not NULL.
    pub fn variable(&self, name: &str) -> Option<&[u8]> {
        let at = self.variables.binary_search_by(|variable| variable.name.as_str().cmp(name)).ok()?;
        self.variables[at].value.as_deref()
    }

    /// A counter; the last one when it was printed several times.
    pub fn status(&self, name: &str) -> Option<&SnapshotStatus> {
        self.status.iter().rev().find(|status| status.name.eq_ignore_ascii_case(name))
    }
}

const COUNTERS: &[(FactId, &str)] = &[
    (FactId::RunningUptime, "Uptime"),
    (FactId::RunningRedoLogEnabled, "Innodb_redo_log_enabled"),
    (FactId::RunningPagesWritten, "Innodb_pages_written"),
    (FactId::RunningRedoWritten, "Innodb_os_log_written"),
    (FactId::RunningCheckpointMaxAge, "Innodb_checkpoint_max_age"),
    (FactId::RunningMaxUsedConnections, "Max_used_connections"),
];

/// What the counters say, as facts. `file` names the snapshot as their source.
pub fn facts_of(snapshot: &Snapshot, file: &str) -> Facts {
    let mut facts = Facts::default();
    for (fact, counter) in COUNTERS {
        let written = snapshot.status(counter).and_then(|status| str::from_utf8(&status.value).ok());
        if let Some(value) = written.and_then(|text| fact.parse(text).ok()) {
            facts.set(*fact, value, FactSource::Snapshot(file.to_owned()));
        }
    }
    facts
}

/// Where the snapshot shows what [`facts_of`] takes from it.
pub fn places_of(snapshot: &Snapshot) -> impl Iterator<Item = (FactId, Span)> {
    COUNTERS.iter().filter_map(|(fact, counter)| Some((*fact, snapshot.status(counter)?.span)))
}

fn server_of(snapshot: &Snapshot) -> Option<Server> {
    let text = |name| snapshot.variable(name).map(String::from_utf8_lossy).unwrap_or_default();
    let (version, comment) = (text("version"), text("version_comment").to_ascii_lowercase());
    let flavor = if version.contains("MariaDB") || comment.contains("mariadb") {
        Flavor::Mariadb
    } else if comment.contains("xtradb cluster") {
        Flavor::Pxc
    } else if comment.contains("percona") {
        Flavor::Percona
    } else {
        Flavor::Mysql
    };
    // A MariaDB server may show its version behind this prefix.
    let number = version.strip_prefix("5.5.5-").filter(|_| flavor == Flavor::Mariadb).unwrap_or(&version);
    let number = &number[..number.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(number.len())];
    let version = Version::parse(number).filter(|_| number.matches('.').count() == 2)?;
    Some(Server { flavor, version })
}

/// The columns that count, under all their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    Value,
    Origin,
    Path,
}

impl Column {
    fn of(name: &[u8]) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_slice() {
            b"variable_name" => Self::Name,
            b"value" | b"variable_value" | b"global_value" => Self::Value,
            b"variable_source" | b"global_value_origin" => Self::Origin,
            b"variable_path" | b"global_value_path" => Self::Path,
            _ => return None,
        })
    }
}

/// Which cell of a row is what.
#[derive(Clone, Copy, Default)]
struct Layout {
    value: Option<usize>,
    origin: Option<usize>,
    path: Option<usize>,
    name: usize,
}

impl Layout {
    fn of_columns(columns: &[&[u8]]) -> Option<Self> {
        let at = |wanted| columns.iter().position(|name| Column::of(name) == Some(wanted));
        Some(Self {
            name: at(Column::Name)?,
            value: at(Column::Value),
            origin: at(Column::Origin),
            path: at(Column::Path),
        })
    }

    /// The layout of a row whose columns have no names, from its number of cells and the origin's word among them.
    fn of_row(row: &Row<'_>) -> Option<Self> {
        let is_origin = |at: usize| row.cells.get(at).is_some_and(|cell| Origin::of(cell, None).is_some());
        match row.cells.len() {
            // information_schema.SYSTEM_VARIABLES; MariaDB before 10.5 has no path at the end.
            14.. if is_origin(3) => Some(Self {
                name: 0,
                value: Some(2),
                origin: Some(3),
                path: Some(14).filter(|at| *at < row.cells.len()),
            }),
            // performance_schema.variables_info, whole or its first columns.
            8 if is_origin(1) => Some(Self { name: 0, value: None, origin: Some(1), path: Some(2) }),
            3.. if is_origin(2) => Some(Self {
                name: 0,
                value: Some(1),
                origin: Some(2),
                path: Some(3).filter(|at| *at < row.cells.len()),
            }),
            3.. if is_origin(1) => Some(Self { name: 0, value: None, origin: Some(1), path: Some(2) }),
            2 => Some(Self { name: 0, value: Some(1), origin: None, path: None }),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Collector {
    variables: BTreeMap<String, SnapshotVariable>,
    status: Vec<SnapshotStatus>,
}

impl Collector {
    fn take(&mut self, grid: &Grid<'_>) {
        let named = grid.columns.as_deref().map(Layout::of_columns);
        let mut after_status = false;
        let whole_is_status =
            grid.columns.is_some() && grid.rows.iter().any(|row| cell(row, 0).is_some_and(is_status_name));
        for row in &grid.rows {
            let Some(layout) = named.unwrap_or_else(|| Layout::of_row(row)) else { continue };
            let Some(name) = cell(row, layout.name).filter(|name| is_name(name)) else { continue };
            let is_plain = layout.origin.is_none() && layout.value.is_some();
            // Without names of columns, results run into each other; the few counters in lower case follow the others.
            let follows = after_status && (name.starts_with(b"wsrep_") || name.starts_with(b"validate_password"));
            after_status = is_plain && (whole_is_status || is_status_name(name) || follows);
            let name = String::from_utf8_lossy(name).into_owned();
            if after_status {
                let value = layout.value.and_then(|at| cell(row, at)).unwrap_or_default().to_vec();
                self.status.push(SnapshotStatus { name, value, span: row.span });
            } else {
                self.variable(name, layout, row);
            }
        }
    }

    fn variable(&mut self, name: String, layout: Layout, row: &Row<'_>) {
        let name = name.to_ascii_lowercase();
        let path = layout.path.and_then(|at| cell(row, at));
        let origin = layout.origin.and_then(|at| cell(row, at)).and_then(|word| Origin::of(word, path));
        let value = layout.value.and_then(|at| row.cells.get(at));
        // SHOW prints nothing for NULL; the tables print the word.
        let is_table = layout.origin.is_some();
        let value = value.filter(|value| !is_table || value.as_ref() != b"NULL").map(|value| value.to_vec());
        let known = self.variables.entry(name.clone()).or_insert(SnapshotVariable {
            name,
            value: None,
            origin: None,
            span: row.span,
        });
        if value.is_some() {
            (known.value, known.span) = (value, row.span);
        }
        known.origin = origin.or(known.origin.take());
    }
}

fn cell<'r>(row: &'r Row<'_>, at: usize) -> Option<&'r [u8]> {
    row.cells.get(at).map(Cow::as_ref)
}

fn is_null(cell: &[u8]) -> bool {
    cell.is_empty() || cell == b"NULL"
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Counters are written `Innodb_pages_written`, variables `innodb_page_size`. Tables of MariaDB's information schema
/// write both in capitals; there some counters that every server has tell.
fn is_status_name(name: &[u8]) -> bool {
    const COUNTERS: &[&str] = &[
        "uptime",
        "aborted_clients",
        "threads_connected",
        "max_used_connections",
        "innodb_redo_log_enabled",
        "innodb_pages_written",
        "innodb_os_log_written",
        "innodb_checkpoint_max_age",
    ];
    let capitalised = matches!(name, [first, second, ..] if first.is_ascii_uppercase() && second.is_ascii_lowercase());
    capitalised || COUNTERS.iter().any(|counter| name.eq_ignore_ascii_case(counter.as_bytes()))
}

#[cfg(test)]
mod tests;
