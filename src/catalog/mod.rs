//! What each server version knows, as packed static tables; nothing is parsed at start-up.
//!
//! The facts stand in `catalog/`, where each has its source; the build packs them. One name has one [`OptionId`], common to all flavors.
//! [`entry`] says what one server makes of it, [`resolve`] finds the option that a written name means.

pub mod clients;
mod resolve;
mod secret;
mod tables;

pub use resolve::{Prefixes, Resolved, resolve, similar, spelled};
pub use secret::{is_secret, secret_within};

use crate::server::{Flavor, Server, Version};
use crate::value::{Shape, Value};

/// One name of an option or system variable: lower case, words joined by underscores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionId(u16);

/// The ids of all options by name, for Rust code; `.` becomes `__`.
pub mod id {
    use super::OptionId;
    include!(concat!(env!("OUT_DIR"), "/catalog_ids.rs"));
}

/// How many names there are.
pub const COUNT: u16 = tables::COUNT;

impl OptionId {
    /// The name, with underscores and in lower case.
    pub fn name(self) -> &'static str {
        tables::name(self.0)
    }

    /// The id of a name spelled as [`OptionId::name`] gives it.
    pub fn from_name(name: &str) -> Option<Self> {
        tables::find(name.as_bytes()).map(Self)
    }

    /// Every name of every flavor, in the order of the alphabet.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..tables::COUNT).map(Self)
    }

    /// Its place in the order of the alphabet, for tables by option.
    pub const fn index(self) -> u16 {
        self.0
    }

    /// The id at that place.
    pub const fn from_index(index: u16) -> Option<Self> {
        if index < tables::COUNT { Some(Self(index)) } else { None }
    }
}

impl std::fmt::Debug for OptionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Display for OptionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a server has an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It does not.
    Absent,
    /// Nobody looked: the version lies between one that has it and one that does not.
    Unknown,
    /// It does. Beyond the horizon: it did in the newest version that was looked at.
    Present,
    /// It accepts the name and does nothing with it.
    Ignored,
}

/// Whether a server warns about a name that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warns {
    /// It says nothing.
    Never,
    /// Whatever the value.
    Always,
    /// When the value is not the default.
    WhenChanged,
}

/// A default value.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// This value.
    Value(Value<'static>),
    /// No value: `NULL`, empty, unset.
    None,
    /// Computed by the server from other settings or from the host; `model/defaults.rs` has the formulas.
    Derived,
    /// The catalog does not hold it.
    NotRecorded,
}

impl Default {
    /// The value, where there is one.
    pub const fn value(&self) -> Option<&Value<'static>> {
        match self {
            Self::Value(value) => Some(value),
            Self::None | Self::Derived | Self::NotRecorded => None,
        }
    }
}

/// What one server makes of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name.
    pub id: OptionId,
    /// Whether the server has it.
    pub state: State,
    /// Whether the server says, when it starts, that the option does nothing or is deprecated.
    pub warns: Warns,
    /// What it holds.
    pub shape: Shape<'static>,
    /// The system variable that it sets, by the newest spelling of its flavor; settings are keyed by this. An option without a
    /// variable stands for itself.
    pub variable: OptionId,
    /// The option is the variable's contrary: `external_locking` and `skip_external_locking`.
    pub inverted: bool,
    /// It may stand in an option file.
    pub is_option: bool,
    /// `SHOW VARIABLES` has it.
    pub is_variable: bool,
    /// The default compiled in, which `--help --verbose` prints.
    pub default: Default,
    /// What a started server works with when nothing is set; mostly the same.
    pub effective_default: Default,
    /// Whether `SET` takes it while the server runs; `None`: not recorded.
    pub dynamic: Option<bool>,
    /// It has a global value.
    pub global: bool,
    /// It has a value per session.
    pub session: bool,
    /// It is shown and can never be set: `version`, `have_ssl`.
    pub read_only: bool,
    /// The vendor calls it deprecated in this version.
    pub deprecated: bool,
    /// The version is newer than everything that the catalog holds of its flavor.
    pub beyond_horizon: bool,
    /// It turns a storage engine or plugin on and off: `OFF`, `ON`, `FORCE`, `FORCE_PLUS_PERMANENT`.
    pub plugin_toggle: bool,
    /// It belongs to a plugin or component that is not built in: the server knows it only while that is loaded.
    pub plugin: bool,
    /// Only builds for Windows have it.
    pub windows_only: bool,
    /// A value is refused or adjusted by its shape, also where nothing comes of the option.
    pub judges_value: bool,
}

/// What a server makes of a name. Percona Server and XtraDB Cluster have records of what they add; the rest is what the MySQL of that
/// version makes of it.
pub fn entry(id: OptionId, server: Server) -> Entry {
    tables::entry(id, server)
}

/// The entry of a setting: of the newest spelling of that system variable which the server takes.
///
/// `replica_net_timeout` on MySQL 5.7 gives the entry of `slave_net_timeout`.
pub fn setting(variable: OptionId, server: Server) -> Entry {
    entry(newest_spelling(variable, server), server)
}

/// State and variable of what [`setting`] gives, which takes a tenth of the time: most settings stand in no file.
pub fn standing(variable: OptionId, server: Server) -> (State, OptionId) {
    match tables::standing(variable, server) {
        standing @ (State::Present | State::Ignored, _) => standing,
        standing => spellings(variable, server).next().map_or(standing, |spelling| tables::standing(spelling, server)),
    }
}

/// The effective default of what [`setting`] gives.
pub fn effective_default(variable: OptionId, server: Server) -> Default {
    tables::effective_default(newest_spelling(variable, server), server)
}

fn newest_spelling(variable: OptionId, server: Server) -> OptionId {
    match tables::standing(variable, server) {
        (State::Present | State::Ignored, _) => variable,
        _ => spellings(variable, server).next().unwrap_or(variable),
    }
}

/// The names that set a system variable on that server, its own name first.
pub fn spellings(variable: OptionId, server: Server) -> impl Iterator<Item = OptionId> {
    let taken = move |id: &OptionId| {
        let (state, sets) = tables::standing(*id, server);
        sets == variable && matches!(state, State::Present | State::Ignored)
    };
    std::iter::once(variable).chain(tables::aliases(variable)).filter(taken)
}

/// Every name that begins so, in the order of the alphabet.
pub fn beginning_with(beginning: &[u8]) -> impl Iterator<Item = OptionId> {
    let first = tables::first_at_least(beginning);
    (first..tables::COUNT).map(OptionId).take_while(move |id| id.name().as_bytes().starts_with(beginning))
}

/// Every name that sets a system variable on some server, in the order of the alphabet.
pub fn aliases(variable: OptionId) -> impl Iterator<Item = OptionId> {
    tables::aliases(variable)
}

/// When a name came, or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// With that version, by the vendor's word.
    Exact(Version),
    /// Between two versions that were looked at.
    Between {
        /// The last one before the change; `None`: before everything that was looked at.
        after: Option<Version>,
        /// The first one after it.
        by: Version,
    },
}

impl Since {
    /// The first version that is known to have the change.
    pub const fn latest(self) -> Version {
        match self {
            Self::Exact(version) | Self::Between { by: version, .. } => version,
        }
    }
}

/// What takes an option's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// An option.
    Option(OptionId),
    /// Something that no option is.
    Text(&'static str),
}

/// The life of a name in one flavor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// The version that brought it.
    pub introduced: Option<Since>,
    /// The version that called it deprecated, or the first seen to do so.
    pub deprecated: Option<Version>,
    /// The version that took it away or made it do nothing.
    pub removed: Option<Since>,
    /// What the vendor wants in its place.
    pub replaced_by: Option<Replacement>,
}

/// The life of a name in a flavor or in what that flavor is built on.
pub fn history(id: OptionId, flavor: Flavor) -> Option<History> {
    flavor.lineage().find_map(|flavor| tables::history(id, flavor))
}

/// What an option is, in a sentence or two of our own; empty where the catalog has none.
pub fn about(id: OptionId) -> &'static str {
    tables::about(id)
}

/// The versions from which on a flavor, or what it is built on, makes something else of a name, in order; the first is 0.0.0.
pub fn changes(id: OptionId, flavor: Flavor) -> Vec<Version> {
    let mut versions: Vec<_> = flavor.lineage().flat_map(|flavor| tables::changes(id, flavor)).collect();
    versions.sort();
    versions.dedup();
    versions
}

/// Whether the catalog has a record of the flavor's own, and not only of what it is built on.
pub fn has_record(id: OptionId, flavor: Flavor) -> bool {
    tables::changes(id, flavor).next().is_some()
}

/// The releases of a flavor that were looked at, oldest first.
pub fn releases(flavor: Flavor) -> &'static [Version] {
    tables::releases(flavor)
}

/// The newest release of a flavor that was looked at; of later ones the catalog holds announced changes only.
pub fn horizon(flavor: Flavor) -> Version {
    releases(flavor).last().copied().unwrap_or(Version::new(0, 0, 0))
}
