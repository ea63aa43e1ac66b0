//! What the next restart changes: the running server's variables beside the option files.

use super::{Hit, Subject};
use crate::catalog::{self, Default, Entry, OptionId, State, id};
use crate::effective::{Origin as Place, as_shown};
use crate::finding::{Safety, Severity};
use crate::input::snapshot::{Origin, SnapshotVariable};
use crate::optionfile::Document;
use crate::source::{Location, Sources};
use crate::value::{Kind, Outcome, Value, as_written, show};

/// What a server works out at its start from other settings, the number of open files or the host: a difference says nothing
/// unless the server itself says that it was set since.
const WORKED_OUT: [OptionId; 16] = [
    id::BACK_LOG,
    id::BINLOG_EXPIRE_LOGS_SECONDS,
    id::EXPIRE_LOGS_DAYS,
    id::HOST_CACHE_SIZE,
    id::INNODB_BUFFER_POOL_CHUNK_SIZE,
    id::INNODB_BUFFER_POOL_INSTANCES,
    id::INNODB_FLUSH_METHOD,
    id::INNODB_IO_CAPACITY_MAX,
    id::INNODB_LOG_FILE_BUFFERING,
    id::INNODB_OPEN_FILES,
    id::INNODB_PAGE_CLEANERS,
    id::LOG_ERROR,
    id::LOWER_CASE_TABLE_NAMES,
    id::OPEN_FILES_LIMIT,
    id::THREAD_STACK,
    // In MariaDB it follows tmp_table_size.
    id::TMP_MEMORY_TABLE_SIZE,
];

/// What a server lowers at its start when it may not open that many files.
const LOWERED: [OptionId; 4] =
    [id::MAX_CONNECTIONS, id::TABLE_OPEN_CACHE, id::TABLE_DEFINITION_CACHE, id::TABLE_OPEN_CACHE_INSTANCES];

/// Values of `sql_mode` that bring others: <https://dev.mysql.com/doc/refman/5.7/en/sql-mode.html#sql-mode-combo>.
const COMBINED_MODES: [&str; 9] =
    ["ansi", "db2", "maxdb", "mssql", "mysql323", "mysql40", "oracle", "postgresql", "traditional"];

/// Longer values are not quoted.
const LONGEST_QUOTED: usize = 60;

pub(super) fn pending_at_restart(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    // What another release makes of the files is the upgrade's subject.
    if !subject.upgraded_from.is_empty() {
        return;
    }
    let mut seen = Vec::new();
    for (file, shown) in subject.running {
        let at = Location { file: *file, span: shown.span };
        let Some(id) = OptionId::from_name(&shown.name) else { continue };
        let entry = catalog::setting(id, subject.server);
        let is_option = |id: OptionId| catalog::entry(id, subject.server).is_option;
        let settable = entry.state == State::Present
            && !entry.read_only
            && entry.global
            && !catalog::is_secret(&shown.name)
            && catalog::spellings(entry.variable, subject.server).any(is_option);
        let by_its_own_name = id == entry.id || !entry.is_variable;
        if settable && by_its_own_name && !seen.contains(&entry.variable) {
            seen.push(entry.variable);
            hits.extend(Difference::of(subject, &entry, shown, at).map(|difference| difference.hit(subject)));
        }
    }
}

/// A variable that the next start gives another value.
struct Difference<'a> {
    entry: &'a Entry,
    now: Value<'static>,
    /// What the files say; `None`: nothing.
    next: Option<Value<'static>>,
    /// What comes where the files say nothing, if that is known.
    default: Option<Value<'static>>,
    /// The running server says that it was set since its start.
    was_set: bool,
    shown_at: Location,
    line: Option<Location>,
    persisted: bool,
}

impl<'a> Difference<'a> {
    fn of(subject: Subject<'_>, entry: &'a Entry, shown: &SnapshotVariable, at: Location) -> Option<Self> {
        let bytes = shown.value.as_deref()?;
        let was_set = match &shown.origin {
            Some(Origin::Set) => true,
            // These come again: the command line outranks files, and mysqld-auto.cnf both.
            Some(Origin::CommandLine) => return None,
            Some(Origin::Persisted) if !has_persisted(subject) => return None,
            // Another file than those at hand is read at the next start too.
            Some(Origin::File(Some(path))) if !is_at_hand(path, subject) => return None,
            _ => false,
        };
        if !was_set && WORKED_OUT.contains(&entry.variable) {
            return None;
        }
        let now = as_shown(entry, bytes, subject.server).value?;
        let difference = |next, default, line, persisted| Self {
            entry,
            now: now.clone(),
            next,
            default,
            was_set,
            shown_at: at,
            line,
            persisted,
        };
        if let Some(setting) = subject.effective.get(entry.variable) {
            let Outcome::Known(next) = &setting.value else { return None };
            let winner = subject.effective.winner(entry.variable)?;
            let persisted = winner.origin == Place::Persisted;
            let alike = is_alike(entry, &now, next, was_set, subject);
            return (!alike).then(|| difference(Some(next.clone()), None, Some(winner.whole()), persisted));
        }
        // A character set in the files brings its own collation.
        let follows =
            entry.variable == id::COLLATION_SERVER && subject.effective.get(id::CHARACTER_SET_SERVER).is_some();
        if subject.is_fragment || follows {
            return None;
        }
        match (&entry.effective_default, &shown.origin) {
            (Default::Value(default), _) if is_alike(entry, &now, default, was_set, subject) => None,
            (Default::None, _) if bytes.is_empty() => None,
            (Default::Value(default), Some(Origin::Set)) => Some(difference(None, Some(default.clone()), None, false)),
            (_, Some(Origin::Set)) => Some(difference(None, None, None, false)),
            // A line of these files set it, and is gone.
            (Default::Value(default), Some(Origin::File(Some(_)))) => {
                Some(difference(None, Some(default.clone()), None, false))
            }
            // The client did not print where it came from. What cannot be set at run time came from the command line.
            (Default::Value(default), None) if entry.dynamic == Some(true) && is_plain(entry) => {
                Some(difference(None, Some(default.clone()), None, false))
            }
            _ => None,
        }
    }

    fn hit(self, subject: Subject<'_>) -> Hit {
        let name = self.entry.id.name();
        let unit = self.entry.shape.unit;
        let text = |value: &Value<'static>| match show(value, unit).to_string() {
            text if text.is_empty() => "empty".to_owned(),
            text if text.chars().count() > LONGEST_QUOTED || catalog::secret_within(text.as_bytes()).is_some() => {
                "another value".to_owned()
            }
            text => text,
        };
        let now = text(&self.now);
        // Numbers that look the same rounded are shown in full.
        let exact =
            |value: &Value<'static>| value.as_integer().map_or_else(|| text(value), |number| number.to_string());
        let next = self.next.as_ref().or(self.default.as_ref());
        let (now, next) = match next {
            Some(next) if text(next) == now => (exact(&self.now), exact(next)),
            Some(next) => (now, text(next)),
            None => (now, "the server's own choice".to_owned()),
        };
        let by = match (&self.next, self.persisted) {
            (Some(_), true) => "mysqld-auto.cnf says",
            (Some(_), false) => "the file says",
            (None, _) => "no file sets it, and the default is",
        };
        let unsure = self.was_set && subject.server.reads_persisted_variables() && !has_persisted(subject);
        let (message, severity) = if self.was_set {
            let unless = if unsure { ", unless SET PERSIST set it (--persisted shows that)" } else { "" };
            let severity = if unsure { Severity::Advice } else { Severity::Warning };
            (
                format!("`{name}` is {now} by a SET since the start; the next restart loses that: {by} {next}{unless}"),
                severity,
            )
        } else {
            (
                format!("`{name}` is {now} in the running server; the next restart changes it: {by} {next}"),
                Severity::Advice,
            )
        };
        let keep = match &self.now {
            Value::Integer(number) if unit == crate::value::Unit::Bytes => {
                u64::try_from(*number).map_or_else(|_| number.to_string(), as_written)
            }
            _ => exact(&self.now),
        };
        let quoted = |value: &str| value != "another value" && value != "empty";
        let title = if quoted(&keep) {
            format!("to keep what runs, write `{name} = {keep}`; else nothing is to be done before the restart")
        } else {
            "write the running value into the file if it is to stay".to_owned()
        };
        let hit = match self.line {
            Some(line) => Hit::new(severity, line, message).label("from the next start on").also(self.shown_at, "now"),
            None => Hit::new(severity, self.shown_at, message).label("now"),
        };
        hit.option(name).remedy(Safety::Manual, title, Vec::new())
    }
}

fn has_persisted(subject: Subject<'_>) -> bool {
    subject.effective.assignments.iter().any(|assignment| assignment.origin == Place::Persisted)
}

fn is_at_hand(path: &str, subject: Subject<'_>) -> bool {
    let (document, sources): (&Document, &Sources) = (subject.document, subject.sources);
    document.files.iter().any(|file| sources.get(*file).path() == std::path::Path::new(path))
}

/// A number or a word.
const fn is_plain(entry: &Entry) -> bool {
    matches!(entry.shape.kind, Kind::Boolean | Kind::Signed | Kind::Unsigned | Kind::Real | Kind::Enumeration)
}

/// Whether a running server shows this for what stands in a file.
fn is_alike(entry: &Entry, now: &Value<'_>, next: &Value<'_>, was_set: bool, subject: Subject<'_>) -> bool {
    let text = |value: &Value<'_>| show(value, crate::value::Unit::Count).to_string();
    match (now, next) {
        (Value::Integer(now), Value::Integer(next)) if !was_set && LOWERED.contains(&entry.variable) => now <= next,
        (Value::Integer(now), Value::Integer(next)) if entry.variable == id::INNODB_BUFFER_POOL_SIZE => {
            now == next || (now > next && now - next < pool_step(subject))
        }
        (Value::Real(_) | Value::Integer(_), Value::Real(_) | Value::Integer(_)) => {
            let number = |value: &Value<'_>| text(value).parse::<f64>();
            now == next || number(now).ok() == number(next).ok()
        }
        (now, next) if matches!(entry.shape.kind, Kind::Set) => {
            let (now, next) = (members(&text(now)), members(&text(next)));
            // One of these stands for several, which the server shows beside it.
            let stands_for_more = next.iter().any(|mode| COMBINED_MODES.contains(&mode.as_str()));
            now == next || (stands_for_more && next.iter().all(|mode| now.contains(mode)))
        }
        // The file changes some flags, the server shows all.
        (now, next) if entry.shape.kind == Kind::FlagSet => {
            let now = members(&text(now));
            members(&text(next)).iter().all(|flag| now.contains(flag) || flag.ends_with("default"))
        }
        (now, next) if entry.shape.kind == Kind::Path => {
            let plain = |text: String| text.trim_end_matches(['/', '\\']).trim_start_matches("./").to_owned();
            let (now, next) = (plain(text(now)), plain(text(next)));
            // A relative path is shown from the data directory, and some files get an ending.
            now == next || now.ends_with(&format!("/{next}")) || now.starts_with(&next)
        }
        (now, next) => text(now).eq_ignore_ascii_case(&text(next)),
    }
}

fn members(list: &str) -> Vec<String> {
    let mut members: Vec<_> =
        list.split(',').map(|member| member.trim().to_ascii_lowercase()).filter(|member| !member.is_empty()).collect();
    members.sort();
    members
}

/// The pool is rounded up to whole chunks in each instance: <https://dev.mysql.com/doc/refman/8.4/en/innodb-buffer-pool-resize.html>.
/// 8M is the step of servers without that variable (MariaDB 11.8).
fn pool_step(subject: Subject<'_>) -> i128 {
    let number = |name: &str| {
        let shown = subject.running.iter().find(|(_, shown)| shown.name == name)?;
        std::str::from_utf8(shown.1.value.as_deref()?).ok()?.parse::<i128>().ok()
    };
    let chunk = number("innodb_buffer_pool_chunk_size").filter(|chunk| *chunk > 0).unwrap_or(8 << 20);
    chunk * number("innodb_buffer_pool_instances").unwrap_or(1).max(1)
}
