//! The rules: TOML to compiled rule, the packed table, evaluation.

mod applies;
mod evaluate;
mod names;
mod pack;
mod packed;

pub use applies::Range;
pub use evaluate::{Evaluation, FixPlan, Hit, PlannedChange, evaluate};
pub use names::{AREAS, CHECKS, CatalogView, Named, SettingView, TARGETS, Vocabulary};
pub use pack::Example;
pub use packed::{Rule, RuleSet};
