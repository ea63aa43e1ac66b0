//! The facts about machine, workload and a running server: the names, units and flags. Pure data.

pub mod file;
mod table;
mod value;

pub use table::{FactId, FactType};
pub use value::FactValueError;

use crate::value::{Outcome, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Where a fact came from. A report names it wherever a finding rests on the fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactSource {
    /// A flag of the command line: `--ram`.
    Flag(&'static str),
    /// A file of facts: its path.
    File(String),
    /// The project's configuration: `cnflint.toml:12`.
    Configuration(String),
    /// A comment in the option file: `# cnflint: ram=64G`.
    Comment,
    /// This host: the file or call that told, `/sys/fs/cgroup/system.slice/memory.max`.
    Detected(String),
    /// What a client printed of a running server.
    Snapshot(String),
    /// Nobody said so: the reason for the assumption.
    Assumed(&'static str),
}

impl fmt::Display for FactSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => f.write_str(flag),
            Self::File(path) | Self::Configuration(path) => f.write_str(path),
            Self::Comment => f.write_str("comment in the option file"),
            Self::Detected(what) => write!(f, "detected: {what}"),
            Self::Snapshot(path) => write!(f, "snapshot {path}"),
            Self::Assumed(reason) => write!(f, "assumed: {reason}"),
        }
    }
}

/// A fact that is known, and from where.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Numbers are in the unit of the fact's [`FactId::unit`].
    pub value: Value<'static>,
    /// Where it came from.
    pub source: FactSource,
}

/// All that is known about one server's surroundings.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    known: BTreeMap<FactId, Known>,
}

impl Facts {
    /// A fact, if it is known.
    pub fn get(&self, id: FactId) -> Option<&Known> {
        self.known.get(&id)
    }

    /// The value of a fact.
    pub fn value(&self, id: FactId) -> Outcome<&Value<'static>> {
        self.get(id).map_or(Outcome::Unknown, |known| Outcome::Known(&known.value))
    }

    /// Sets a fact, over whatever was known before.
    pub fn set(&mut self, id: FactId, value: Value<'static>, source: FactSource) {
        self.known.insert(id, Known { value, source });
    }

    /// Sets a fact that nothing better is known of.
    pub fn set_if_unknown(&mut self, id: FactId, value: Value<'static>, source: FactSource) {
        if self.get(id).is_none() {
            self.set(id, value, source);
        }
    }

    /// Takes over what `other` knows and `self` does not.
    pub fn fill_from(&mut self, other: Facts) {
        for (id, known) in other.known {
            self.known.entry(id).or_insert(known);
        }
    }

    /// Every known fact in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (FactId, &Known)> {
        self.known.iter().map(|(id, known)| (*id, known))
    }
}

/// The name that was probably meant, if one is close enough.
fn similar<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = names.map(|name| (strsim::damerau_levenshtein(written, name), name));
    // One slip in three characters still looks like the same word.
    scored.filter(|(slips, name)| slips * 3 <= name.len()).min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}
