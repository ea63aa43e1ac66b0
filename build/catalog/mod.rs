//! The catalog's source under `catalog/`, compiled to what each server version knows.
//!
//! `source` reads the files, `timeline` turns observations into steps, `pack` writes the tables.

mod pack;
mod source;
mod timeline;

use crate::server::{Flavor, Server, Version};
use std::collections::BTreeMap;
use std::path::Path;
pub use timeline::{Default, Point, State};

/// Every option of every flavor, in the order of their names; an option's place is its id.
pub struct Catalog {
    options: Vec<Known>,
    releases: BTreeMap<usize, Vec<Version>>,
}

/// What is known of one name.
pub struct Known {
    /// The spelling with underscores.
    pub name: String,
    /// What it is, in a sentence or two; empty where nobody wrote it.
    pub about: String,
    /// What each flavor makes of it; [`Flavor::ALL`] gives the order.
    pub flavors: [Option<Timeline>; 4],
}

/// The history of one name in one flavor.
pub struct Timeline {
    /// From which version on what holds, in order; the first step starts at 0.0.0.
    pub steps: Vec<(Version, Point)>,
    history: timeline::History,
}

impl Known {
    /// What a server makes of the name; `None` where no flavor of its line ever recorded it.
    pub fn at(&self, server: Server) -> Option<&Point> {
        let mut found = server.flavor.lineage().filter_map(|flavor| {
            let timeline = self.flavors[flavor as usize].as_ref()?;
            let step = timeline.steps.partition_point(|(from, _)| *from <= server.version);
            Some(&timeline.steps[step.saturating_sub(1)].1)
        });
        let first = found.next()?;
        if first.state == State::Absent {
            found.find(|point| point.state != State::Absent).or(Some(first))
        } else {
            Some(first)
        }
    }
}

impl Catalog {
    /// The option of that name (underscores, lower case) and its id.
    pub fn lookup(&self, name: &str) -> Option<(u16, &Known)> {
        let index = self.options.binary_search_by(|option| option.name.as_str().cmp(name)).ok()?;
        Some((u16::try_from(index).ok()?, &self.options[index]))
    }

    /// The option of that id.
    pub fn known(&self, index: u16) -> Option<&Known> {
        self.options.get(usize::from(index))
    }

    /// Every option in the order of the ids.
    pub fn all(&self) -> impl Iterator<Item = &Known> {
        self.options.iter()
    }

    /// The releases of a flavor of which something was observed, oldest first.
    pub fn releases(&self, flavor: Flavor) -> &[Version] {
        self.releases.get(&(flavor as usize)).map_or(&[], Vec::as_slice)
    }
}

/// Reads and compiles every file of the catalog.
///
/// # Errors
/// Every mistake, as `path:line:column: message`.
pub fn compile(dir: &Path) -> Result<Catalog, Vec<String>> {
    let source = source::read(dir)?;
    timeline::compile(source)
}
