//! The rules: TOML to compiled rule, the packed table, evaluation.

mod applies;
mod catalog_view;
mod checks;
mod context;
mod document;
mod evaluate;
mod examples;
mod file;
mod former;
mod memory;
mod names;
mod pack;
mod packed;
mod presence;
mod site;
#[cfg(test)]
mod tests;

pub use applies::Range;
pub use catalog_view::StaticCatalog;
pub(crate) use checks::each_check;
pub use context::{Context, Read};
pub use document::{FileText, RuleFileError};
pub use evaluate::{Evaluation, FixPlan, Hit, PlannedChange, evaluate, speaks};
pub use former::current;
pub use names::{AREAS, CHECKS, CatalogView, Named, SettingShape, Vocabulary};
pub use pack::Example;
pub use packed::{Rule, RuleSet};
pub use site::{SiteRules, compile_site};

include!(concat!(env!("OUT_DIR"), "/rules_tables.rs"));

/// The rules that come with the program.
pub fn built_in() -> RuleSet<'static> {
    RuleSet { pool: POOL, words: &WORDS }
}
