//! What cnflint says: rule, severity, message, labels, evidence, fix.

use crate::source::Location;
use crate::value::{Unit, Value};
use std::borrow::Cow;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Could be better.
    Advice,
    /// A risk.
    Warning,
    /// Will not start, or loses data.
    Error,
}

impl Severity {
    /// The name in rule files, flags and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place that a finding points at.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where, in any file.
    pub location: Location,
    /// What is there; may be empty.
    pub text: String,
}

/// One figure that a finding rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The name as rules write it: `redo.usable`, `host.ram`, `innodb_log_file_size`.
    pub name: &'static str,
    /// The figure.
    pub value: Value<'static>,
    /// What it counts.
    pub unit: Unit,
    /// Where it came from: `--ram`, `set here`, `default of mysql-8.0.28`, `computed`.
    pub source: String,
}

/// Whether a fix may be applied without a second look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// Keeps the effective meaning.
    Safe,
    /// Changes behaviour.
    Unsafe,
    /// Words only.
    Manual,
}

/// What a fix does to one setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The setting gets this value; the line is added where there is none.
    Set {
        /// The option as it is to be written.
        option: String,
        /// The value as it is to be written; `None` for a bare option.
        value: Option<String>,
    },
    /// Every line of this option goes.
    Remove {
        /// The option.
        option: String,
    },
    /// The line keeps its value under another name.
    Rename {
        /// The option as written.
        from: String,
        /// The option to write.
        to: String,
    },
    /// One line is written another way with the same meaning, or with the meaning the writer had in mind.
    Respell {
        /// The line.
        at: Location,
        /// Its new text.
        text: String,
    },
}

/// New bytes for a range of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The bytes that go; empty to insert.
    pub at: Location,
    /// The bytes that come.
    pub bytes: Vec<u8>,
}

/// What to do about a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Whether it may be applied without a second look.
    pub safety: Safety,
    /// What it does, in one line.
    pub title: String,
    /// What changes, by setting.
    pub changes: Vec<Change>,
    /// Whether all of it can be set while the server runs; `None` where nothing is to be set, or nobody recorded it.
    pub dynamic: Option<bool>,
    /// What the running server is told to take those of the changes that it can take now.
    pub statements: Vec<String>,
    /// The same as byte edits; empty when only a person can do it.
    pub edits: Vec<Edit>,
}

/// One thing that cnflint says.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's id; `site/<id>` for a site's own.
    pub rule: Cow<'static, str>,
    /// How bad it is.
    pub severity: Severity,
    /// What happens here, with the figures.
    pub message: String,
    /// Why it matters; the rule's own words.
    pub why: Cow<'static, str>,
    /// The place it is about.
    pub primary: Label,
    /// Other places that belong to it.
    pub related: Vec<Label>,
    /// The figures it rests on.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub fix: Option<Fix>,
    /// The option it is about, as the catalog names it.
    pub option: Option<Cow<'static, str>>,
    /// The effective value of that option; `None` for secrets.
    pub value: Option<Value<'static>>,
    /// On which side of an upgrade it holds.
    pub side: Side,
}

/// When a finding holds, where a server is to take another's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Before and after, or nobody spoke of an upgrade.
    #[default]
    Both,
    /// Until the upgrade: only the old server says it.
    Old,
    /// From the upgrade on: only the new server says it.
    New,
}

/// What the changes do, in one line.
pub fn listed(changes: &[Change]) -> String {
    let parts: Vec<_> = changes
        .iter()
        .map(|change| match change {
            Change::Set { option, value: Some(value) } => format!("set `{option} = {value}`"),
            Change::Set { option, value: None } => format!("set `{option}`"),
            Change::Remove { option } => format!("remove `{option}`"),
            Change::Rename { from, to } => format!("rename `{from}` to `{to}`"),
            Change::Respell { text, .. } => format!("write `{text}`"),
        })
        .collect();
    parts.join(", ")
}
