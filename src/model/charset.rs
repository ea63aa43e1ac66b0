//! From a character set that holds some characters to the one that holds all.

use super::Reader;
use super::targets::{TargetChange, remove, set_to};
use crate::catalog::{OptionId, id};
use crate::value::{Outcome, Value};
use std::borrow::Cow;

const EVERY_CHARACTER: &str = "utf8mb4";

/// Collations of utf8mb3 that utf8mb4 does not have (`information_schema.collations` of MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23 to
/// 11.8.9).
const WITHOUT_COUNTERPART: [&str; 2] = ["general_mysql500_ci", "tolower_ci"];

/// utf8mb4, and the collation of it that compares as the written one does; where there is none, the default.
pub(super) fn changes(reader: &mut dyn Reader) -> Vec<TargetChange> {
    let word = |text: String| Value::Word(Cow::Owned(text));
    let mut changes = vec![set_to(id::CHARACTER_SET_SERVER, word(EVERY_CHARACTER.to_owned()))];
    let Some(collation) = written(reader, id::COLLATION_SERVER) else { return changes };
    match collation.split_once('_') {
        Some((EVERY_CHARACTER, _)) => {}
        Some((set, tail)) if has_counterpart(set, tail) => {
            changes.push(set_to(id::COLLATION_SERVER, word(format!("{EVERY_CHARACTER}_{tail}"))));
        }
        _ => changes.push(remove(id::COLLATION_SERVER)),
    }
    changes
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
