//! From a character set that holds some characters to the one that holds all.

use super::Reader;
use crate::catalog::{OptionId, id};
use crate::value::{Outcome, Value};

/// The character set that holds every character.
pub(super) const EVERY_CHARACTER: &str = "utf8mb4";

/// Collations of utf8mb3 that utf8mb4 does not have (`information_schema.collations` of MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23 to
/// 11.8.9).
const WITHOUT_COUNTERPART: [&str; 2] = ["general_mysql500_ci", "tolower_ci"];

/// What becomes of a written collation when the character set becomes [`EVERY_CHARACTER`].
#[derive(Debug, PartialEq)]
pub(super) enum Collation {
    /// None is written, or one that fits.
    Stays,
    /// There is one that compares as the written one does.
    Becomes(String),
    /// There is none; the default comes.
    Goes,
}

/// What becomes of the collation that is written.
pub(super) fn collation(reader: &mut dyn Reader) -> Collation {
    let Some(written) = written(reader, id::COLLATION_SERVER) else { return Collation::Stays };
    match written.split_once('_') {
        Some((EVERY_CHARACTER, _)) => Collation::Stays,
        Some((set, tail)) if has_counterpart(set, tail) => Collation::Becomes(format!("{EVERY_CHARACTER}_{tail}")),
        _ => Collation::Goes,
    }
}

fn has_counterpart(set: &str, tail: &str) -> bool {
    tail == "bin" || matches!(set, "utf8" | "utf8mb3" | "ucs2") && !WITHOUT_COUNTERPART.contains(&tail)
}

fn written(reader: &mut dyn Reader, variable: OptionId) -> Option<String> {
    if reader.is_set(variable) != Outcome::Known(true) {
        return None;
    }
    match reader.setting(variable) {
        Outcome::Known(Value::Word(text)) => Some(text.to_lowercase()),
        Outcome::Known(Value::Text(text)) => Some(String::from_utf8_lossy(&text).to_lowercase()),
        _ => None,
    }
}
