//! Types, units, the shape of a value, and how a server reads and adjusts a value of that shape.
//!
//! Knows no option names. What a server makes of a written value is in [`read`].

mod shape;
mod reading;
mod number;
mod word;
mod flags;
pub mod size;
mod show;
#[cfg(test)]
mod tests;

pub use flags::apply_flags;
pub use reading::{Adjustment, Judgement, Misreading, Reading, Refusal, Written, read};
pub use shape::{Argument, Kind, Shape, Unit};
pub use show::{Shown, as_written, show};
pub use size::{SizeError, parse_size};

use std::borrow::Cow;

/// A value as the server holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A whole number in the option's own unit; wide enough for 18446744073709551615.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// A boolean (`ON`, `OFF`) or one member of an enumeration, spelled as the server shows it.
    Word(Cow<'a, str>),
    /// Members of a set, spelled as the server shows them, joined by commas.
    Set(Cow<'a, str>),
    /// A text or path, byte for byte.
    Text(Cow<'a, [u8]>),
    /// No value at all: `NULL`, an unset path.
    None,
}

impl Value<'_> {
    /// `ON` or `OFF`.
    pub const fn boolean(on: bool) -> Value<'static> {
        Value::Word(Cow::Borrowed(if on { "ON" } else { "OFF" }))
    }

    /// The number, when it is one.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The same value without borrowed parts.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Integer(number) => Value::Integer(number),
            Self::Real(number) => Value::Real(number),
            Self::Word(word) => Value::Word(Cow::Owned(word.into_owned())),
            Self::Set(members) => Value::Set(Cow::Owned(members.into_owned())),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::None => Value::None,
        }
    }
}

/// What a prefix of the option's name asks for. Of several prefixes the last one before the name counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The value as it is written.
    #[default]
    None,
    /// `skip-`, `disable-`: off.
    Skip,
    /// `enable-`: on.
    Enable,
    /// `maximum-`: an upper limit for sessions, not the value itself.
    Maximum,
    /// `autoset-`: the server chooses (MariaDB).
    Autoset,
}

/// A figure that may be missing: the answer to any question about a setting, a fact or a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// Known.
    Known(T),
    /// It exists, but nobody told or measured it.
    Unknown,
    /// This server has no such thing: what asks for it does not apply.
    Absent,
}

impl<T> Outcome<T> {
    /// Applies a function to what is known.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Known(value) => Outcome::Known(f(value)),
            Self::Unknown => Outcome::Unknown,
            Self::Absent => Outcome::Absent,
        }
    }

    /// Goes on with what is known.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Outcome<U>) -> Outcome<U> {
        match self {
            Self::Known(value) => f(value),
            Self::Unknown => Outcome::Unknown,
            Self::Absent => Outcome::Absent,
        }
    }

    /// What is known.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown | Self::Absent => None,
        }
    }
}
