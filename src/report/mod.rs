//! Reports: findings in, bytes out. One file per format, and no decisions in any of them.

pub mod diff;
mod excerpt;
pub mod figures;
pub mod github;
pub mod gitlab;
#[cfg(feature = "cli")]
pub mod human;
pub mod json;
pub mod junit;
#[cfg(feature = "cli")]
mod lines;
pub mod markdown;
#[cfg(feature = "cli")]
mod masked;
mod places;
pub mod sarif;
pub mod secrets;
pub mod short;
mod summary;
pub mod text;
mod waiting;

pub use summary::{
    Counts, fact_source, facts_line, server_source, upgrade_source, upgrade_text, upgrade_verdict, verdict_text,
};

pub use waiting::not_evaluated_lines;

#[cfg(test)]
mod samples;
