//! The settings a server would end up with, keyed by system variable, each with every origin in order, the last one winning.

mod branches;
mod charsets;
mod special;

pub use charsets::alike;

use crate::catalog::{self, Entry, OptionId, Resolved, id};
use crate::input::persisted::PersistedVariable;
use crate::optionfile::{Document, GroupSet};
use crate::server::Server;
use crate::source::{FileId, Location};
use crate::value::{self, Judgement, Outcome, Reading, Value, Written};
use std::borrow::Cow;

/// What kind of place gave a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of an option file: the position in [`Document::entries`].
    Line(usize),
    /// A variable of `mysqld-auto.cnf`, which outranks files and command line.
    Persisted,
    /// A variable as a client printed it.
    Snapshot {
        /// Whether somebody set it, where the client printed that too.
        set: Outcome<bool>,
    },
}

/// One option as it was written, and what this server makes of it.
#[derive(Clone, Debug)]
pub struct Assignment<'a> {
    /// The kind of place.
    pub origin: Origin,
    /// The file.
    pub file: FileId,
    /// Where the name stands.
    pub name_at: Location,
    /// Where the value stands, quotes included.
    pub value_at: Option<Location>,
    /// The name as the server gets it.
    pub name: Cow<'a, [u8]>,
    /// The value as the server gets it; `None` for a bare option.
    pub value: Option<Cow<'a, [u8]>>,
    /// Whether a template fills in the value.
    pub template: bool,
    /// The part of a template in which it stands, as an index of [`Document::branches`]; `None` where it surely comes.
    pub branch: Option<usize>,
    /// What the name means to this server.
    pub resolved: Resolved,
    /// What the catalog knows about the option, when the name means one.
    pub entry: Option<Entry>,
    /// What the server makes of the value; `None` when it has no such option, ignores it, or a template fills it in.
    pub reading: Option<Reading>,
}

impl Assignment<'_> {
    /// The option that the name means.
    pub fn option(&self) -> Option<OptionId> {
        self.entry.as_ref().map(|entry| entry.id)
    }

    /// The name, then the value where there is one.
    pub fn whole(&self) -> Location {
        let span = self.value_at.map_or(self.name_at.span, |value| self.name_at.span.to(value.span));
        Location { file: self.file, span }
    }
}

/// One system variable that something set.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The variable, by its newest spelling.
    pub variable: OptionId,
    /// What it ends up with: unknown when a template fills it in or decides about it, or when the server's reading is not
    /// recorded.
    pub value: Outcome<Value<'static>>,
    /// Whether a template decides which of its lines come, and not all that may come of it agrees.
    pub is_open: bool,
    /// Whether a template may leave it out altogether.
    pub may_be_unset: bool,
    /// Positions in [`Effective::assignments`], in the order in which the server sees them; the last one wins.
    pub origins: Vec<usize>,
}

/// All settings of one server.
#[derive(Clone, Debug)]
pub struct Effective<'a> {
    /// The server.
    pub server: Server,
    /// Everything that was written for it, in the order in which it sees it.
    pub assignments: Vec<Assignment<'a>>,
    settings: Vec<Setting>,
}

/// A variable that comes from elsewhere than an option file.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a> {
    /// The kind of place.
    pub origin: Origin,
    /// The file.
    pub file: FileId,
    /// Where the name stands.
    pub name_at: Location,
    /// Where the value stands.
    pub value_at: Location,
    /// The name.
    pub name: &'a [u8],
    /// The value.
    pub value: &'a [u8],
}

impl<'a> Foreign<'a> {
    /// A variable of `mysqld-auto.cnf`.
    pub fn persisted(file: FileId, variable: &'a PersistedVariable) -> Self {
        Self {
            origin: Origin::Persisted,
            file,
            name_at: Location { file, span: variable.name_span },
            value_at: Location { file, span: variable.value_span },
            name: variable.name.as_bytes(),
            value: &variable.value,
        }
    }
}

impl<'a> Effective<'a> {
    /// Works out the settings of a server from the groups that it reads, then the variables from elsewhere, which outrank them.
    pub fn new(document: &'a Document, groups: &GroupSet, server: Server, foreign: &[Foreign<'a>]) -> Self {
        let mut effective = Self {
            server,
            assignments: Vec::with_capacity(document.entries.len()),
            settings: Vec::with_capacity(document.entries.len()),
        };
        let is_read: Vec<bool> = document.groups.iter().map(|group| groups.contains(&group.name)).collect();
        for (index, entry) in document.entries.iter().enumerate() {
            if entry.template_name || !is_read.get(entry.group).copied().unwrap_or(false) {
                continue;
            }
            let at = |span| Location { file: entry.file, span };
            effective.assign(Assignment {
                origin: Origin::Line(index),
                file: entry.file,
                name_at: at(entry.name_span),
                value_at: entry.value_span.map(at),
                name: Cow::Borrowed(&entry.name),
                value: entry.value.as_deref().map(Cow::Borrowed),
                template: entry.template,
                branch: entry.branch,
                resolved: catalog::resolve(&entry.name, server),
                entry: None,
                reading: None,
            });
        }
        for variable in foreign {
            if variable.origin != Origin::Persisted || effective.loads_persisted() {
                effective.assign_foreign(variable);
            }
        }
        if !document.branches.is_empty() {
            branches::decide(document, &effective.assignments, &mut effective.settings);
        }
        effective.settings.sort_by_key(|setting| setting.variable);
        effective
    }

    /// What a variable ends up with, when something set it.
    pub fn get(&self, variable: OptionId) -> Option<&Setting> {
        let found = self.settings.binary_search_by_key(&variable, |setting| setting.variable);
        found.ok().map(|index| &self.settings[index])
    }

    /// Every variable that something set, by the order of the catalog.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The assignment that decided a variable.
    pub fn winner(&self, variable: OptionId) -> Option<&Assignment<'a>> {
        self.assignments.get(*self.get(variable)?.origins.last()?)
    }

    /// The settings as they would be if one of the lines that a template may leave out were the one that counts, for each such line of
    /// a variable.
    pub fn supposed(&self, variable: OptionId) -> Vec<Self> {
        let Ok(index) = self.settings.binary_search_by_key(&variable, |setting| setting.variable) else {
            return Vec::new();
        };
        let setting = &self.settings[index];
        let lines = setting.origins.iter().enumerate();
        let conditional = lines.filter_map(|(count, origin)| {
            let line = self.assignments.get(*origin).filter(|line| line.branch.is_some())?;
            let value = branches::literal(setting, line);
            (value != Outcome::Unknown).then_some((count, value))
        });
        conditional
            .map(|(count, value)| {
                let mut supposed = self.clone();
                let setting = &mut supposed.settings[index];
                setting.origins.truncate(count + 1);
                (setting.value, setting.is_open, setting.may_be_unset) = (value, false, false);
                supposed
            })
            .collect()
    }

    /// The assignment that decided a variable, where no template has a say in it.
    pub fn decided(&self, variable: OptionId) -> Option<&Assignment<'a>> {
        if self.get(variable)?.is_open {
            return None;
        }
        self.winner(variable).filter(|line| !line.template)
    }

    /// `persisted_globals_load = OFF` leaves `mysqld-auto.cnf` out (measured on 9.7.4).
    fn loads_persisted(&self) -> bool {
        let setting = self.settings.iter().find(|setting| setting.variable == id::PERSISTED_GLOBALS_LOAD);
        setting.is_none_or(|setting| setting.value != Outcome::Known(Value::boolean(false)))
    }

    fn assign_foreign(&mut self, variable: &Foreign<'a>) {
        let resolved = catalog::resolve(variable.name, self.server);
        // A client prints many names that nobody can set.
        let is_snapshot = matches!(variable.origin, Origin::Snapshot { .. });
        let settable = matches!(&resolved, Resolved::Option { id, .. } if !catalog::entry(*id, self.server).read_only);
        if is_snapshot && !settable {
            return;
        }
        self.assign(Assignment {
            origin: variable.origin,
            file: variable.file,
            name_at: variable.name_at,
            value_at: Some(variable.value_at),
            name: Cow::Borrowed(variable.name),
            value: Some(Cow::Borrowed(variable.value)),
            template: false,
            branch: None,
            resolved,
            entry: None,
            reading: None,
        });
    }

    fn assign(&mut self, mut assignment: Assignment<'a>) {
        if let Resolved::Option { id, prefixes, .. } = &assignment.resolved {
            let entry = catalog::entry(*id, self.server);
            if entry.judges_value && !assignment.template {
                let written =
                    Written { effect: prefixes.effect, loose: prefixes.loose, value: assignment.value.as_deref() };
                assignment.reading = Some(match assignment.origin {
                    Origin::Snapshot { .. } => {
                        as_shown(&entry, assignment.value.as_deref().unwrap_or_default(), self.server)
                    }
                    Origin::Line(_) | Origin::Persisted => special::read(&entry, self.server, written),
                });
            }
            if entry.judges_value && !(prefixes.instance && special::is_of_instance(&assignment.name, &entry)) {
                self.record(entry.variable, entry.inverted, &assignment);
            }
            assignment.entry = Some(entry);
        }
        self.assignments.push(assignment);
    }

    fn record(&mut self, variable: OptionId, inverted: bool, assignment: &Assignment<'a>) {
        let index = self.assignments.len();
        let value = match &assignment.reading {
            None => Outcome::Unknown,
            Some(reading) => match (&reading.value, &reading.judgement) {
                (Some(Value::Word(word)), _) if inverted => Outcome::Known(Value::boolean(word == "OFF")),
                (Some(value), _) => Outcome::Known(value.clone()),
                (None, Judgement::DefaultKept { .. }) => return,
                (None, _) => Outcome::Unknown,
            },
        };
        match self.settings.iter_mut().find(|setting| setting.variable == variable) {
            Some(setting) => {
                setting.value = value;
                setting.origins.push(index);
            }
            None => {
                let setting = Setting { variable, value, is_open: false, may_be_unset: false, origins: vec![index] };
                self.settings.push(setting);
            }
        }
    }
}

/// What a server makes of a value that is not written anywhere yet.
pub(crate) fn read_as(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    special::read(entry, server, written)
}

/// A running server shows words as words and numbers in full: nothing is adjusted any more.
pub(crate) fn as_shown(entry: &Entry, shown: &[u8], server: Server) -> Reading {
    let written = Written { effect: value::Effect::None, loose: false, value: Some(shown) };
    let mut reading = value::read(&entry.shape, server, written);
    if reading.value.is_none() {
        reading.value = Some(Value::Text(Cow::Owned(shown.to_vec())));
    }
    // In a file `log_bin` is a name; a server shows whether there is a binary log.
    if entry.id == catalog::id::LOG_BIN {
        reading.value = Some(Value::boolean(shown.eq_ignore_ascii_case(b"ON") || shown == b"1"));
    }
    reading.judgement = Judgement::Accepted;
    reading
}
