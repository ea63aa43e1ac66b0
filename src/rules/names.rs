//! The names that rules may use: settings of the catalog, facts, models, and the flavor of the server.

use crate::expr::{Name, NameId, Names, Type};
use crate::facts::{FactId, FactType};
use crate::model::ModelId;
use crate::server::{Flavor, Server, Version};
use crate::value::{Kind, Unit};
use std::cell::RefCell;
use std::collections::HashMap;

/// What a [`NameId`] of a rule stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A setting: the catalog's number of the option.
    Setting(u16),
    /// A fact about machine, workload or running server.
    Fact(FactId),
    /// A figure that a model computes.
    Model(ModelId),
    /// The flavor of the server that is meant, `server.flavor`.
    Flavor,
}

const KIND_BITS: u32 = 24;
const FLAVOR_NAME: &str = "server.flavor";

impl Named {
    /// The number that code words carry: the kind in the high byte, the index below.
    pub const fn id(self) -> NameId {
        NameId(match self {
            Self::Setting(index) => index as u32,
            Self::Fact(fact) => 1 << KIND_BITS | fact as u32,
            Self::Model(model) => 2 << KIND_BITS | model as u32,
            Self::Flavor => 3 << KIND_BITS,
        })
    }

    /// The inverse of [`Named::id`].
    pub fn of(id: NameId) -> Option<Self> {
        let index = id.0 & ((1 << KIND_BITS) - 1);
        match id.0 >> KIND_BITS {
            0 => u16::try_from(index).ok().map(Self::Setting),
            1 => FactId::ALL.get(index as usize).copied().map(Self::Fact),
            2 => ModelId::ALL.get(index as usize).copied().map(Self::Model),
            3 if index == 0 => Some(Self::Flavor),
            _ => None,
        }
    }
}

/// What one server makes of a setting, as far as the rules' compiler needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingShape {
    /// What it holds.
    pub kind: Kind,
    /// What the number counts.
    pub unit: Unit,
    /// The words that it can hold, joined by commas.
    pub words: String,
}

/// What the rules' compiler asks the catalog; the build script and the program answer from different tables.
pub trait CatalogView {
    /// The catalog's number of an option, by its name with underscores.
    fn index(&self, name: &str) -> Option<u16>;

    /// The name of an option.
    fn name(&self, index: u16) -> String;

    /// The name that looks most like this one.
    fn similar(&self, name: &str) -> Option<String>;

    /// The releases of a flavor that the catalog observed, oldest first.
    fn releases(&self, flavor: Flavor) -> Vec<Version>;

    /// The variable that an option sets on a server; `None` where the server is known not to have the option.
    fn variable(&self, index: u16, server: Server) -> Option<u16>;

    /// Every option that sets the variable on some server.
    fn aliases(&self, variable: u16) -> Vec<u16>;

    /// The shape of an option; `None` where the server is known not to have it.
    fn shape(&self, index: u16, server: Server) -> Option<SettingShape>;
}

/// A setting over all servers.
#[derive(Clone)]
struct Setting {
    value_type: Type,
    /// Every word that it can hold; `None` where they are not all recorded.
    members: Option<Vec<String>>,
    /// The spelling that every server which has the option uses by now, when it is another one.
    newest: Option<u16>,
}

/// All names, with the catalog behind them. What it found out about a setting over all servers it keeps.
pub struct Vocabulary<'c> {
    catalog: &'c dyn CatalogView,
    settings: RefCell<HashMap<u16, Setting>>,
}

impl<'c> Vocabulary<'c> {
    /// The names of a catalog.
    pub fn new(catalog: &'c dyn CatalogView) -> Self {
        Self { catalog, settings: RefCell::default() }
    }
}

impl Names for Vocabulary<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        let plain =
            |named: Named, value_type| Name { id: named.id(), value_type, is_setting: false, only_excuses: false };
        if let Some(fact) = FactId::from_name(name) {
            let value_type = match fact.fact_type() {
                FactType::Number(unit) => Type::Number(unit),
                _ => Type::Word,
            };
            return Some(Name { only_excuses: only_excuses(fact), ..plain(Named::Fact(fact), value_type) });
        }
        if let Some(model) = ModelId::from_name(name) {
            return Some(plain(Named::Model(model), model.unit().map_or(Type::Word, Type::Number)));
        }
        if name == FLAVOR_NAME {
            return Some(plain(Named::Flavor, Type::Word));
        }
        let index = self.catalog.index(name)?;
        let setting = Some(self.setting(index)).filter(|setting| setting.newest.is_none())?;
        Some(Name { is_setting: true, ..plain(Named::Setting(index), setting.value_type) })
    }

    fn similar(&self, name: &str) -> Option<String> {
        if let Some(newest) = self.catalog.index(name).and_then(|index| self.setting(index).newest) {
            return Some(self.catalog.name(newest));
        }
        let others = FactId::ALL.iter().map(|fact| fact.name()).chain(ModelId::ALL.iter().map(|model| model.name()));
        let near = others
            .chain([FLAVOR_NAME])
            .map(|other| (strsim::jaro_winkler(name, other), other))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(score, _)| *score > 0.85);
        let setting = self.catalog.similar(name).map(|setting| (strsim::jaro_winkler(name, &setting), setting));
        match (near, setting) {
            (Some((score, other)), Some((setting_score, _))) if score >= setting_score => Some(other.to_owned()),
            (_, Some((_, setting))) => Some(setting),
            (Some((_, other)), None) => Some(other.to_owned()),
            (None, None) => None,
        }
    }

    fn members(&self, id: NameId) -> Option<Vec<String>> {
        let owned = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
        match Named::of(id)? {
            Named::Setting(index) => self.setting(index).members,
            Named::Fact(fact) => match fact.fact_type() {
                FactType::Word(words) => owned(words),
                FactType::Boolean => owned(&["ON", "OFF"]),
                _ => None,
            },
            Named::Model(_) => None,
            Named::Flavor => owned(&Flavor::ALL.map(Flavor::name)),
        }
    }
}

impl Vocabulary<'_> {
    /// A version from `from` on and before `before` in which that flavor is known not to have the setting, under any name.
    pub(super) fn absent(&self, index: u16, flavor: Flavor, from: Version, before: Version) -> Option<Version> {
        let releases = self.releases(flavor).into_iter().filter(|version| (from..before).contains(version));
        let mut lacking = releases
            .map(|version| Server { flavor, version })
            .filter(|server| self.catalog.variable(index, *server).is_none())
            .peekable();
        // Most names are never missing; only the others are looked for under their older spellings.
        lacking.peek()?;
        let aliases = self.catalog.aliases(index);
        let sets = |server| aliases.iter().any(|alias| self.catalog.variable(*alias, server) == Some(index));
        lacking.find(|server| !sets(*server)).map(|server| server.version)
    }

    /// The releases of a flavor or, where none were observed, of what it is built on.
    fn releases(&self, flavor: Flavor) -> Vec<Version> {
        let observed = flavor.lineage().map(|flavor| self.catalog.releases(flavor));
        observed.into_iter().find(|releases| !releases.is_empty()).unwrap_or_default()
    }

    fn setting(&self, index: u16) -> Setting {
        let known = self.settings.borrow().get(&index).cloned();
        known.unwrap_or_else(|| {
            let setting = self.over_all_servers(index);
            self.settings.borrow_mut().insert(index, setting.clone());
            setting
        })
    }

    fn over_all_servers(&self, index: u16) -> Setting {
        let mut shapes: Vec<SettingShape> = Vec::new();
        let mut variables = Vec::new();
        for flavor in Flavor::ALL {
            let releases = self.releases(flavor);
            let servers = releases.iter().map(|version| Server { flavor, version: *version });
            for shape in servers.clone().filter_map(|server| self.catalog.shape(index, server)) {
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
            variables.extend(servers.rev().find_map(|server| self.catalog.variable(index, server)));
        }
        let newest = variables.first().copied().filter(|first| *first != index && variables.iter().all(|v| v == first));
        shapes.retain(|shape| shape.kind != Kind::NotRecorded);
        Setting { value_type: common_type(&shapes), members: members(&shapes), newest }
    }
}

/// The type in which the values of all servers can be compared.
fn common_type(shapes: &[SettingShape]) -> Type {
    let of = |shape: &SettingShape| match shape.kind {
        Kind::Boolean | Kind::PluginBoolean | Kind::Flag | Kind::Enumeration => Type::Word,
        Kind::Signed | Kind::Unsigned | Kind::Real => Type::Number(shape.unit),
        Kind::Set | Kind::FlagSet => Type::Set,
        Kind::Text | Kind::Path | Kind::NotRecorded => Type::Text,
    };
    let join = |a: Type, b: Type| match (a, b) {
        (a, b) if a == b => a,
        (Type::Number(Unit::Count), Type::Number(unit)) | (Type::Number(unit), Type::Number(_)) => Type::Number(unit),
        (Type::Set, _) | (_, Type::Set) => Type::Text,
        _ => Type::Word,
    };
    shapes.iter().map(of).reduce(join).unwrap_or(Type::Text)
}

fn members(shapes: &[SettingShape]) -> Option<Vec<String>> {
    let mut members: Vec<String> = Vec::new();
    for shape in shapes {
        let words: &str = match shape.kind {
            Kind::Boolean | Kind::PluginBoolean | Kind::Flag if shape.words.is_empty() => "ON,OFF",
            Kind::Boolean | Kind::PluginBoolean | Kind::Flag | Kind::Enumeration | Kind::Set => &shape.words,
            _ => return None,
        };
        if words.is_empty() {
            return None;
        }
        for word in words.split(',').map(str::trim) {
            if !members.iter().any(|member| member.eq_ignore_ascii_case(word)) {
                members.push(word.to_owned());
            }
        }
    }
    Some(members).filter(|members| !members.is_empty())
}

/// Facts that nobody measures: their absence says nothing, so that a rule may only take them as an excuse.
const fn only_excuses(fact: FactId) -> bool {
    matches!(fact, FactId::WorkloadPhase | FactId::WorkloadRole | FactId::WorkloadShared)
}

macro_rules! names {
    ($($subject:ident: $($check:ident)*;)*) => {
        /// The checks written in Rust, by the names that rule files use.
        pub const CHECKS: &[&str] = &[$($(stringify!($check),)*)*];
    };
}
super::checks::each_check!(names);

/// Who says what a rule file with neither condition nor check has the words for: a comparison of several servers, or what looks at the
/// comments once every rule has spoken.
pub const SAID_BY: &[&str] = &["comparison", "suppression"];

/// How the servers of an example work together, as `cnflint.toml` says it.
pub const TOPOLOGIES: &[&str] = &["replication", "galera", "group-replication", "host"];

/// The areas of the rules, which are the directories under `rules/`.
pub const AREAS: &[&str] = &[
    "memory",
    "redo",
    "io",
    "durability",
    "import",
    "replication",
    "galera",
    "group-replication",
    "security",
    "network",
    "connections",
    "logging",
    "charset",
    "sql-mode",
    "engine",
    "upgrade",
    "filesystem",
    "observability",
    "syntax",
];
