//! What this host says about itself: memory, processors, the disks under the server's directories, the installed server.
//!
//! Nothing is guessed: what cannot be told stays unknown, with a [`Note`] that says why. Everything is read through
//! [`System`], so that a recorded host can take the place of this one.

mod cgroup;
mod disk;
mod installed;
mod kernel;
mod limits;
mod mounts;
mod paths;
mod system;
mod unit;

pub use installed::{OsRelease, installed_server, os_release};
pub use paths::faulty_paths;
pub use system::{Entry, EntryKind, Stat, System, ThisHost};
pub use unit::{ServerUnit, server_unit};

use crate::facts::{FactId, FactSource, Facts};
use crate::value::Value;
use std::path::PathBuf;

/// Why a fact is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The fact.
    pub fact: FactId,
    /// Why, in words for whoever wonders.
    pub reason: String,
}

/// What was found out about a host.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// The facts, each with the file that told.
    pub facts: Facts,
    /// Why others are missing.
    pub notes: Vec<Note>,
}

impl Detection {
    fn found(&mut self, fact: FactId, value: Value<'static>, source: impl Into<String>) {
        self.facts.set(fact, value, FactSource::Detected(source.into()));
    }

    fn missing(&mut self, fact: FactId, reason: impl Into<String>) {
        self.notes.push(Note { fact, reason: reason.into() });
    }
}

/// The directories whose disks matter. They come from the effective settings; what is `None` is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// `datadir`.
    pub datadir: Option<PathBuf>,
    /// Where the redo log lies: `innodb_log_group_home_dir`, or the data directory.
    pub redo_dir: Option<PathBuf>,
    /// Where the binary log lies: the directory of `log_bin`, or the data directory.
    pub binlog_dir: Option<PathBuf>,
}

/// Asks a host for all facts about it. `unit` is the server's, from [`server_unit`].
pub fn detect(system: &dyn System, unit: Option<&ServerUnit>, places: &Places) -> Detection {
    let mut detection = Detection::default();
    // Where systemd does not run, as in most containers, a unit file that came with the package limits nothing.
    let unit = unit.filter(|unit| unit.control_group.is_some());
    limits::detect(system, unit, &mut detection);
    kernel::detect(system, &mut detection);
    disk::detect(system, places, &mut detection);
    detection
}

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod tests;
