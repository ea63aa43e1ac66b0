//! The names that rules may use: settings of the catalog, facts, models, and the flavor of the server.

use crate::expr::{Name, NameId, Names, Type};
use crate::facts::{FactId, FactType};
use crate::model::ModelId;
use crate::server::{Flavor, Version};

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

/// A setting as the rules' compiler sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingView {
    /// The catalog's number of the option.
    pub index: u16,
    /// What it holds. Where servers differ, the type that all of their values can be compared in.
    pub value_type: Type,
    /// The name that rules have to use, when it is not the one that was asked for: the newest spelling of the variable.
    pub newest: Option<String>,
}

/// What the rules' compiler asks the catalog; the build script and the program answer from different tables.
pub trait CatalogView {
    /// A setting by its name with underscores.
    fn setting(&self, name: &str) -> Option<SettingView>;

    /// A known setting that was probably meant.
    fn similar(&self, name: &str) -> Option<String>;

    /// Every word that the setting can hold in any flavor and version; `None` where they are not all recorded.
    fn members(&self, index: u16) -> Option<Vec<String>>;

    /// A version from `from` on and before `before` in which that flavor is known not to have the option.
    fn absent(&self, index: u16, flavor: Flavor, from: Version, before: Version) -> Option<Version>;
}

/// All names, with the catalog behind them.
pub struct Vocabulary<'c>(pub &'c dyn CatalogView);

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
        let setting = self.0.setting(name).filter(|setting| setting.newest.is_none())?;
        Some(Name { is_setting: true, ..plain(Named::Setting(setting.index), setting.value_type) })
    }

    fn similar(&self, name: &str) -> Option<String> {
        if let Some(newest) = self.0.setting(name).and_then(|setting| setting.newest) {
            return Some(newest);
        }
        let others = FactId::ALL.iter().map(|fact| fact.name()).chain(ModelId::ALL.iter().map(|model| model.name()));
        let near = others
            .chain([FLAVOR_NAME])
            .map(|other| (strsim::jaro_winkler(name, other), other))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(score, _)| *score > 0.85);
        let setting = self.0.similar(name).map(|setting| (strsim::jaro_winkler(name, &setting), setting));
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
            Named::Setting(index) => self.0.members(index),
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

/// Facts that nobody measures: their absence says nothing, so that a rule may only take them as an excuse.
const fn only_excuses(fact: FactId) -> bool {
    matches!(fact, FactId::WorkloadPhase | FactId::WorkloadRole | FactId::WorkloadShared)
}

/// What `fix.set` may name besides settings; what each means on a given server is said in `model/targets.rs`.
pub const TARGETS: &[&str] = &["redo", "binlog", "import"];

/// The checks written in Rust; each is a function under `src/checks/`.
pub const CHECKS: &[&str] = &[
    "option_outside_group",
    "malformed_group",
    "malformed_line",
    "include_not_found",
    "include_loop",
    "file_ignored",
    "line_too_long",
    "byte_order_mark",
    "unknown_option",
    "wrong_flavor_option",
    "removed_option",
    "not_yet_option",
    "deprecated_option",
    "ignored_option",
    "ambiguous_option",
    "abbreviated_option",
    "invalid_value",
    "adjusted_value",
    "misread_value",
    "duplicate_option",
    "wrong_group",
    "unread_group",
];

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
