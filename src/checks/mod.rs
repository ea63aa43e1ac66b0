//! What data cannot say: one file per subject. Rule files name a check by `check = "…"`.

mod addresses;
mod charset;
pub mod cluster;
mod clients;
mod ciphers;
mod combinations;
mod data_files;
mod defaults;
mod deprecated;
mod duplicates;
mod filters;
mod galera;
mod group;
mod fixed;
mod groups;
mod host;
mod instances;
mod locales;
mod names;
mod paths;
mod pending;
mod plugins;
mod pools;
mod reaction;
mod remarks;
mod safe_group;
mod starts;
mod succession;
mod syntax;
mod tablespaces;
mod time_zone;
mod values;
mod verdict;
mod volatile;
mod windows;

pub use combinations::Remark;
pub(crate) use instances::share_a_host;
pub use paths::{FaultyPath, PathFault, Use, Wanted, wanted};
pub(crate) use plugins::may_be_missing;
pub use reaction::{Reaction, reaction_to};
pub use verdict::reaction;

use crate::catalog::OptionId;
use crate::effective::Effective;
use crate::facts::Facts;
use crate::finding::{Change, Evidence, Label, Safety, Severity};
use crate::input::persisted::SkippedEntry;
use crate::input::snapshot::SnapshotVariable;
use crate::optionfile::{Document, GroupSet};
use crate::server::Server;
use crate::source::{FileId, Location, Sources};
use std::borrow::Cow;
use std::path::PathBuf;

/// What a check looks at: the files, and what one server makes of them.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The server.
    pub server: Server,
    /// The files' bytes.
    pub sources: &'a Sources,
    /// What stands in them.
    pub document: &'a Document,
    /// The groups that the server reads.
    pub groups: &'a GroupSet,
    /// What is known about machine and workload.
    pub facts: &'a Facts,
    /// The settings that the server ends up with.
    pub effective: &'a Effective<'a>,
    /// Whether absolute paths in the files can be judged: the server runs here, or a directory stands for its root.
    pub paths_known: bool,
    /// What the server on this host reads instead of these files; empty where nothing is wrong or nobody looked.
    pub host_reads: &'a [PathBuf],
    /// What is wrong with paths in the files on the host that they are meant for.
    pub faulty_paths: &'a [FaultyPath],
    /// These files are a piece of a configuration: what is not here may stand elsewhere.
    pub is_fragment: bool,
    /// The files are meant for the server on this host.
    pub own_files: bool,
    /// What the servers make of the files that run now, when this one is to take their place.
    pub upgraded_from: &'a [Effective<'a>],
    /// Entries of `mysqld-auto.cnf` that the server skips.
    pub skipped_entries: &'a [(FileId, SkippedEntry)],
    /// The variables of the running server, where a client printed them and option files are looked at beside them.
    pub running: &'a [(FileId, SnapshotVariable)],
}

/// What a check found. The rule file that names the check says the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What this server does: it refuses (error), warns, or says nothing.
    pub severity: Severity,
    /// What happens here.
    pub message: String,
    /// The place.
    pub primary: Label,
    /// Other places that belong to it.
    pub related: Vec<Label>,
    /// The option, as the catalog names it.
    pub option: Option<Cow<'static, str>>,
    /// The facts that it rests on.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub remedy: Option<Remedy>,
}

/// What to do about a hit, before it is turned into edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Whether it may be applied without a second look.
    pub safety: Safety,
    /// What it does, in one line.
    pub title: String,
    /// What changes; empty when only a person can do it.
    pub changes: Vec<Change>,
}

impl Hit {
    fn new(severity: Severity, at: Location, message: String) -> Self {
        let primary = Label { location: at, text: String::new() };
        Self { severity, message, primary, related: Vec::new(), option: None, evidence: Vec::new(), remedy: None }
    }

    fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    fn also(mut self, location: Location, text: impl Into<String>) -> Self {
        self.related.push(Label { location, text: text.into() });
        self
    }

    fn option(mut self, name: &'static str) -> Self {
        self.option = Some(Cow::Borrowed(name));
        self
    }

    /// Offers another value for the option.
    fn set(self, option: OptionId, value: String) -> Self {
        let title = format!("set `{option} = {value}`");
        self.remedy(Safety::Unsafe, title, vec![Change::Set { option: option.name().to_owned(), value: Some(value) }])
    }

    fn remedy(mut self, safety: Safety, title: impl Into<String>, changes: Vec<Change>) -> Self {
        self.remedy = Some(Remedy { safety, title: title.into(), changes });
        self
    }
}

/// A check: looks at a subject and pushes what it finds.
pub type Check = fn(Subject<'_>, &mut Vec<Hit>);

macro_rules! table {
    ($($subject:ident: $($check:ident)*;)*) => {
        /// Every check, in the order of [`CHECKS`](crate::rules::CHECKS).
        const ALL: &[Check] = &[$($($subject::$check,)*)*];
    };
}
crate::rules::each_check!(table);

/// Everything that the server says about settings in company, and about what only its start reveals.
pub fn remarks(effective: &Effective<'_>) -> Vec<Remark> {
    let mut remarks = combinations::remarks(effective);
    remarks.extend(starts::faults(effective).map(|fault| fault.remark()));
    remarks.extend(ciphers::remarks(effective));
    remarks.extend(time_zone::remarks(effective));
    remarks.extend(addresses::remarks(effective));
    remarks.extend(data_files::remarks(effective));
    remarks.extend(filters::remarks(effective));
    remarks.extend(locales::remarks(effective));
    remarks
}

/// The check at that position, which packed rules carry.
pub fn at(position: usize) -> Option<Check> {
    ALL.get(position).copied()
}

/// The longest name of a catalog has 65 letters.
const LONGEST_SHOWN: usize = 80;

/// A name as messages quote it; what is no name any more is cut.
fn quoted(text: &[u8]) -> String {
    let text = shown(text);
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A text of an option file in full.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
