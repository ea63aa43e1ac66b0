//! Settings and facts as plain numbers.

use super::Reader;
use crate::catalog::OptionId;
use crate::facts::FactId;
use crate::value::{Outcome, Value};

/// Goes on with what is known; returns what is not.
macro_rules! known {
    ($outcome:expr) => {
        match $outcome {
            $crate::value::Outcome::Known(value) => value,
            $crate::value::Outcome::Unknown => return $crate::value::Outcome::Unknown,
            $crate::value::Outcome::Absent => return $crate::value::Outcome::Absent,
        }
    };
}
pub(super) use known;

/// The number that a setting holds.
pub(super) fn number(reader: &mut dyn Reader, id: OptionId) -> Outcome<i128> {
    reader.setting(id).and_then(as_number)
}

/// The number that a setting holds; zero where this server has no such setting.
pub(super) fn number_or_zero(reader: &mut dyn Reader, id: OptionId) -> Outcome<i128> {
    match number(reader, id) {
        Outcome::Absent => Outcome::Known(0),
        other => other,
    }
}

/// Whether a setting is known to be written somewhere.
pub(super) fn is_written(reader: &mut dyn Reader, id: OptionId) -> bool {
    reader.is_set(id) == Outcome::Known(true)
}

/// Whether a switch is on; off where this server has no such switch.
pub(super) fn is_on(reader: &mut dyn Reader, id: OptionId) -> Outcome<bool> {
    match reader.setting(id) {
        Outcome::Absent => Outcome::Known(false),
        other => other.map(|value| has_word(&value, "ON")),
    }
}

/// Whether a value is this word.
pub(super) fn has_word(value: &Value<'_>, wanted: &str) -> bool {
    matches!(value, Value::Word(word) if word.eq_ignore_ascii_case(wanted))
}

/// A fact as a whole number.
pub(super) fn fact(reader: &mut dyn Reader, id: FactId) -> Outcome<i128> {
    reader.fact(id).and_then(as_number)
}

/// A fact that may hold a fraction.
pub(super) fn fraction(reader: &mut dyn Reader, id: FactId) -> Outcome<f64> {
    reader.fact(id).and_then(|value| match value {
        Value::Real(number) => Outcome::Known(number),
        Value::Integer(number) => Outcome::Known(number as f64),
        _ => Outcome::Unknown,
    })
}

/// Whether a fact is known to be `ON`.
pub(super) fn surely(reader: &mut dyn Reader, id: FactId) -> bool {
    matches!(reader.fact(id), Outcome::Known(value) if has_word(&value, "ON"))
}

fn as_number(value: Value<'static>) -> Outcome<i128> {
    match value {
        Value::Integer(number) => Outcome::Known(number),
        Value::Real(number) => Outcome::Known(number as i128),
        _ => Outcome::Unknown,
    }
}
