//! Files of a server on Windows, and the options that it alone has.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, Resolved, id};
use crate::effective::{Assignment, Origin};
use crate::finding::{Change, Safety, Severity};
use crate::source::FileId;
use crate::value::{Outcome, Value};

/// Options that the servers' sources compile on Windows only; what the catalog was made from ran on Linux.
const ON_WINDOWS: [&str; 8] = [
    "enable_named_pipe",
    "named_pipe",
    "named_pipe_full_access_group",
    "no_monitor",
    "shared_memory",
    "shared_memory_base_name",
    "slow_start_timeout",
    "standalone",
];

/// Whether a server has the option on Windows and nowhere else.
pub(super) fn has_alone(option: OptionId) -> bool {
    ON_WINDOWS.contains(&option.name())
}

/// Whether the files are a Windows server's: some path begins with a drive, or a file is called as only servers on Windows call theirs
/// (<https://dev.mysql.com/doc/refman/8.4/en/option-files.html>).
pub(super) fn is_meant(subject: Subject<'_>) -> bool {
    let is_ini = |file: &FileId| subject.sources.get(*file).path().extension().is_some_and(|ending| ending == "ini");
    subject.document.entries.iter().any(|entry| entry.value.as_deref().is_some_and(begins_with_drive))
        || subject.document.files.iter().any(is_ini)
}

fn begins_with_drive(value: &[u8]) -> bool {
    matches!(value, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// Windows takes dots and blanks off the end of every name
/// (<https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>).
pub(super) fn path_ends_in_dot(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for line in &subject.effective.assignments {
        let (Some(value), Some(option)) = (line.value.as_deref(), line.option()) else { continue };
        if line.template || !begins_with_drive(value) {
            continue;
        }
        let value = shown(value);
        let opened = value.trim_end_matches(['.', ' ']);
        // `data/..` is the directory above.
        if opened.len() == value.len() || opened.ends_with(['/', '\\', ':']) {
            continue;
        }
        let message = format!(
            "Windows drops dots and blanks at the end of a name: the server works in `{opened}`, and what looks for `{value}` finds nothing"
        );
        let at = line.value_at.unwrap_or(line.name_at);
        let hit = Hit::new(Severity::Warning, at, message).label("the end is dropped").option(option.name());
        let change = Change::Set { option: option.name().to_owned(), value: Some(opened.to_owned()) };
        hits.push(hit.remedy(Safety::Unsafe, "write the name as Windows takes it", vec![change]));
    }
}

/// Words for `innodb_flush_method` that servers have on Windows alone
/// (<https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_flush_method>).
const FLUSH_METHODS: [&str; 3] = ["normal", "unbuffered", "async_unbuffered"];

/// Whether the line has an option of Windows, or a word that it has there, in a file for Windows.
pub(super) fn takes(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    let is_own = match assignment.resolved {
        Resolved::Unknown { elsewhere: Some(option), .. } => has_alone(option),
        _ => assignment.option() == Some(id::INNODB_FLUSH_METHOD) && is_flush_method(assignment),
    };
    is_own && is_meant(subject)
}

fn is_flush_method(assignment: &Assignment<'_>) -> bool {
    let value = assignment.value.as_deref().map(shown);
    value.is_some_and(|value| FLUSH_METHODS.iter().any(|word| value.eq_ignore_ascii_case(word)))
}

/// How table names are to be compared, and the line that says so.
fn name_case<'a>(subject: Subject<'a>) -> Option<(&'a Assignment<'a>, i128)> {
    let variable = id::LOWER_CASE_TABLE_NAMES;
    match subject.effective.get(variable)?.value {
        Outcome::Known(Value::Integer(way)) => Some((subject.effective.decided(variable)?, way)),
        _ => None,
    }
}

/// Whether a server on Windows is told to tell upper case from lower. One that runs has started.
pub(super) fn refuses_name_case(subject: Subject<'_>) -> bool {
    let is_refused = |(line, way): (&Assignment<'_>, i128)| way == 0 && !matches!(line.origin, Origin::Snapshot { .. });
    name_case(subject).is_some_and(is_refused) && is_meant(subject)
}

/// Ways of comparing table names that the filesystem does not allow: 2 where it tells cases apart, 0 where it does not.
pub(super) fn impossible_name_case(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let variable = id::LOWER_CASE_TABLE_NAMES;
    let Some((line, way)) = name_case(subject) else { return };
    let at = line.whole();
    match (way, is_meant(subject)) {
        (2, false) => {
            let message = "lower_case_table_names = 2 works only on filesystems that ignore case: on Linux the server sets it to 0 with a warning, and names then differ by case";
            let hit = Hit::new(Severity::Warning, at, message.to_owned()).option(variable.name());
            let advice = "leave the line out on Linux; 1 only for a new data directory, or after renaming all tables to lower case";
            hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
        }
        (0, true) if refuses_name_case(subject) => {
            let message = "lower_case_table_names = 0 needs a filesystem that tells upper case from lower, and Windows' does not: the server refuses to start";
            let hit = Hit::new(Severity::Error, at, message.to_owned()).label("paths here are of Windows");
            let change = Change::Set { option: variable.name().to_owned(), value: Some("1".to_owned()) };
            let hit = hit.option(variable.name());
            hits.push(hit.remedy(Safety::Unsafe, "set `lower_case_table_names = 1`, the default there", vec![change]));
        }
        _ => {}
    }
}
