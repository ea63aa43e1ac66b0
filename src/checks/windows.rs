//! Files of a server on Windows, and the options that it alone has.

use super::Subject;
use crate::catalog::{OptionId, Resolved};
use crate::effective::Assignment;

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
    let is_drive = |value: &[u8]| matches!(value, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    subject.document.entries.iter().any(|entry| entry.value.as_deref().is_some_and(is_drive))
}

/// Whether the line has an option of Windows in a file for Windows.
pub(super) fn takes(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    let Resolved::Unknown { elsewhere: Some(option), .. } = assignment.resolved else { return false };
    has_alone(option) && is_meant(subject)
}
