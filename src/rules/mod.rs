//! The rules: TOML to compiled rule, the packed table, evaluation.

mod applies;
mod context;
mod document;
mod evaluate;
mod file;
mod names;
mod pack;
mod packed;
mod presence;
mod site;

pub use applies::Range;
pub use context::{Context, Read};
pub use document::{FileText, RuleFileError};
pub use evaluate::{Evaluation, FixPlan, Hit, PlannedChange, evaluate};
pub use names::{AREAS, CHECKS, CatalogView, Named, SettingView, TARGETS, Vocabulary};
pub use pack::Example;
pub use packed::{Rule, RuleSet};
pub use site::{SiteRules, compile_site};
