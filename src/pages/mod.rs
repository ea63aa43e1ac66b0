//! What people are told about a rule and about an option: the pages of `explain` and of `docs/`, as data.

mod history;
mod option;
mod reads;
mod rule;

pub use history::OptionStep;
pub use option::{FlavorPage, OptionPage, OptionPages, Scope, beginning_so, similar_option};
pub use reads::FactReaders;
pub use rule::{ExamplePage, FilePage, RulePage, rule};
