//! The program's own catalog, as the rules' compiler asks it.

use super::names::{CatalogView, SettingShape};
use crate::catalog::{self, Entry, OptionId, State};
use crate::server::{Flavor, Server, Version};

/// The catalog that is built in.
#[derive(Clone, Copy, Debug)]
pub struct StaticCatalog;

impl CatalogView for StaticCatalog {
    fn index(&self, name: &str) -> Option<u16> {
        OptionId::from_name(name).map(OptionId::index)
    }

    fn name(&self, index: u16) -> String {
        OptionId::from_index(index).map_or_else(String::new, |id| id.name().to_owned())
    }

    fn similar(&self, name: &str) -> Option<String> {
        let scored = OptionId::all().map(|id| (strsim::jaro_winkler(name, id.name()), id));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(score, _)| *score > 0.85);
        best.map(|(_, id)| id.name().to_owned())
    }

    fn releases(&self, flavor: Flavor) -> Vec<Version> {
        catalog::releases(flavor).to_vec()
    }

    fn variable(&self, index: u16, server: Server) -> Option<u16> {
        entry(index, server).map(|entry| entry.variable.index())
    }

    fn aliases(&self, variable: u16) -> Vec<u16> {
        OptionId::from_index(variable).into_iter().flat_map(catalog::aliases).map(OptionId::index).collect()
    }

    fn shape(&self, index: u16, server: Server) -> Option<SettingShape> {
        let shape = entry(index, server)?.shape;
        Some(SettingShape { kind: shape.kind, unit: shape.unit, words: shape.words.to_owned() })
    }
}

fn entry(index: u16, server: Server) -> Option<Entry> {
    OptionId::from_index(index).map(|id| catalog::entry(id, server)).filter(|entry| entry.state != State::Absent)
}
