//! Files of the server on a filesystem that lies in memory and is empty after a reboot.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::finding::{Safety, Severity};

/// What InnoDB looks for when it starts: the option, what lies there.
const NEEDED: [(OptionId, &str); 3] = [
    (id::INNODB_LOG_GROUP_HOME_DIR, "the redo log"),
    (id::INNODB_DATA_HOME_DIR, "the system tablespace"),
    (id::INNODB_UNDO_DIRECTORY, "the undo tablespaces"),
];

/// `/dev/shm` is memory on every Linux.
fn is_in_memory(path: &[u8]) -> bool {
    path == b"/dev/shm" || path.starts_with(b"/dev/shm/")
}

/// Measured: without its redo log, after a clean stop, MySQL 9.7.4 and MariaDB 10.11.19 do not start; 5.6.24 does and makes a new one.
pub(super) fn files_in_memory(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let written = |option| {
        let line = subject.effective.decided(option)?;
        line.value.as_deref().is_some_and(is_in_memory).then_some(line)
    };
    if let Some(line) = written(id::DATADIR) {
        let message = format!(
            "`{}` lies in memory: every table and account is gone after a reboot",
            shown(line.value.as_deref().unwrap_or_default())
        );
        let hit = Hit::new(Severity::Warning, line.whole(), message).label("in memory").option(id::DATADIR.name());
        hits.push(hit.remedy(Safety::Manual, "name a directory on a disk, unless the data may go", Vec::new()));
        return;
    }
    for (option, what) in NEEDED {
        let Some(line) = written(option) else { continue };
        let message = format!(
            "{what} lies in memory (`{}`) and the tables do not: after a reboot it is gone, committed data with it, and InnoDB does not start",
            shown(line.value.as_deref().unwrap_or_default())
        );
        let hit = Hit::new(Severity::Error, line.whole(), message).label("in memory").option(option.name());
        let advice = "after a clean stop move the files to a directory on a disk, and name that";
        hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
    }
}
