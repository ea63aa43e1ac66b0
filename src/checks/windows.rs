//! Files of a server on Windows, and the options that it alone has.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, Resolved};
use crate::effective::Assignment;
use crate::finding::{Change, Safety, Severity};

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

/// Whether the files are a Windows server's: some path begins with a drive.
pub(super) fn is_meant(subject: Subject<'_>) -> bool {
    subject.document.entries.iter().any(|entry| entry.value.as_deref().is_some_and(begins_with_drive))
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

/// Whether the line has an option of Windows in a file for Windows.
pub(super) fn takes(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    let Resolved::Unknown { elsewhere: Some(option), .. } = assignment.resolved else { return false };
    has_alone(option) && is_meant(subject)
}
