//! The rules under `rules/`, compiled to the tables that the library includes.
//!
//! Stands at the root under the library's name, so that the modules it takes from `src/rules/` find each other.

#[path = "../src/rules/applies.rs"]
mod applies;
#[path = "../src/rules/checks.rs"]
mod checks;
#[path = "../src/rules/document.rs"]
mod document;
#[path = "../src/rules/examples.rs"]
mod examples;
#[path = "../src/rules/file.rs"]
mod file;
#[path = "../src/rules/names.rs"]
mod names;
#[path = "../src/rules/pack.rs"]
mod pack;
#[path = "../src/rules/presence.rs"]
mod presence;

use crate::catalog::{Catalog, Point, State};
use crate::server::{Flavor, Server, Version};
use names::{CatalogView, SettingShape};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Compiles every `rules/<area>/<id>.toml` and writes the tables to `out`; no directory, no rules.
///
/// # Errors
/// Every mistake, as `path:line:column: message`.
pub fn write(directory: Option<&Path>, catalog: &Catalog, out: &Path) -> Result<(), Vec<String>> {
    let read = |directory: &Path| read(directory).map_err(|error| vec![format!("{}: {error}", directory.display())]);
    let files = directory.map(read).transpose()?.unwrap_or_default();
    let rules = file::compile_files(&files, "", &[], catalog)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let (pool, words) = pack::pack(&rules).map_err(|error| vec![error.to_string()])?;
    let mut tables = format!("static POOL: &str = {pool:?};\nstatic WORDS: [u32; {}] = [", words.len());
    for word in words {
        let _ = write!(tables, "{word},");
    }
    tables.push_str("];\n");
    fs::write(out.join("rules_tables.rs"), tables).map_err(|error| vec![format!("{}: {error}", out.display())])
}

/// The rule files with their texts, in the order of their paths.
fn read(directory: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for area in fs::read_dir(directory)? {
        let area = area?.path();
        if !area.is_dir() {
            continue;
        }
        for file in fs::read_dir(area)? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path)?;
                files.push((path, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn point(catalog: &Catalog, index: u16, server: Server) -> Option<&Point> {
    catalog.known(index)?.at(server).filter(|point| point.state != State::Absent)
}

impl CatalogView for Catalog {
    fn index(&self, name: &str) -> Option<u16> {
        self.lookup(name).map(|(index, _)| index)
    }

    fn name(&self, index: u16) -> String {
        self.known(index).map_or_else(String::new, |known| known.name.clone())
    }

    fn similar(&self, name: &str) -> Option<String> {
        let scored = self.all().map(|known| (strsim::jaro_winkler(name, &known.name), known));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(score, _)| *score > 0.85);
        best.map(|(_, known)| known.name.clone())
    }

    fn releases(&self, flavor: Flavor) -> Vec<Version> {
        Catalog::releases(self, flavor).to_vec()
    }

    fn variable(&self, index: u16, server: Server) -> Option<u16> {
        point(self, index, server).map(|point| point.variable)
    }

    fn aliases(&self, variable: u16) -> Vec<u16> {
        let sets = |known: &crate::catalog::Known| {
            known.flavors.iter().flatten().flat_map(|line| &line.steps).any(|(_, point)| point.variable == variable)
        };
        (0..).zip(self.all()).filter(|(_, known)| sets(known)).map(|(index, _)| index).collect()
    }

    fn shape(&self, index: u16, server: Server) -> Option<SettingShape> {
        let point = point(self, index, server)?;
        Some(SettingShape { kind: point.kind, unit: point.unit, words: point.words.clone() })
    }
}
