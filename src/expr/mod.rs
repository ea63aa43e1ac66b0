//! The rules' language: lexer, Pratt parser, types, code, evaluation. Knows names only through [`Names`] and [`Environment`].
//!
//! [`parse`] makes a tree of a text, [`check`] gives its parts types and looks names up, [`compile`] packs the result into code
//! words over a pool of texts, and [`evaluate`] runs the words. [`Template`] does the same for a message with `{…}` in it.

mod check;
mod code;
mod error;
mod evaluate;
mod format;
mod lexer;
mod parser;
mod template;
#[cfg(test)]
mod tests;

pub use check::{Checked, Expected, Node, check};
pub use code::{CodeError, Pool, compile};
pub use error::{ExprError, ExprErrorKind};
pub use evaluate::{Truth, evaluate, evaluate_truth};
pub use format::{Format, write_value};
pub use parser::{Operator, Tree, TreeKind, parse};
pub use template::{Segment, Template, render};

use crate::value::{Outcome, Unit, Value};
use std::fmt;

/// Names something that an expression reads; the meaning of the number belongs to whoever implements [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// The coarse types of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number and what it counts.
    Number(Unit),
    /// `ON`, `OFF`, a member of an enumeration, a character set, a kind of disk.
    Word,
    /// A text or path.
    Text,
    /// Members of a set.
    Set,
    /// The result of a comparison.
    Truth,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Number(unit) => return f.write_str(unit_name(*unit)),
            Self::Word => "a word",
            Self::Text => "a text",
            Self::Set => "a set",
            Self::Truth => "a condition",
        })
    }
}

/// What a number counts, as error messages call it.
const fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "a number",
        Unit::Bytes | Unit::DecimalBytes => "a number of bytes",
        Unit::BytesPerSecond => "a number of bytes a second",
        Unit::PagesPerSecond => "a number of pages a second",
        Unit::Mebibytes => "a number of megabytes",
        Unit::Seconds => "a number of seconds",
        Unit::Milliseconds => "a number of milliseconds",
        Unit::Microseconds => "a number of microseconds",
        Unit::Minutes => "a number of minutes",
        Unit::Years => "a number of years",
        Unit::Share => "a share",
    }
}

/// What a name stands for, as far as the compiler needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// How code calls it.
    pub id: NameId,
    /// What it holds.
    pub value_type: Type,
    /// Whether it is a setting, so that `set(…)` and `exists(…)` make sense.
    pub is_setting: bool,
    /// Whether it may only excuse: to be used inside `surely(…)`.
    pub only_excuses: bool,
}

/// What the compiler asks about names.
pub trait Names {
    /// The meaning of a name.
    fn lookup(&self, name: &str) -> Option<Name>;

    /// A known name that was probably meant.
    fn similar(&self, name: &str) -> Option<String>;

    /// Every word that the name can hold, in any server; `None` where they are not all known.
    fn members(&self, id: NameId) -> Option<Vec<String>> {
        let _ = id;
        None
    }
}

/// What evaluation asks about names.
///
/// Whoever implements it may note what was asked and what was missing: that is a rule's evidence, and the flags that would help.
pub trait Environment {
    /// The value of a name.
    fn value(&mut self, id: NameId) -> Outcome<Value<'static>>;

    /// Whether a setting is written somewhere.
    fn is_set(&mut self, id: NameId) -> Outcome<bool>;

    /// Whether [`Environment::is_set`] could be true, or unknown; `false` is certain, and quickly known.
    fn may_be_set(&mut self, id: NameId) -> bool {
        !matches!(self.is_set(id), Outcome::Known(false) | Outcome::Absent)
    }

    /// Whether the server has the option.
    fn exists(&mut self, id: NameId) -> Outcome<bool>;

    /// From here to [`Environment::leave_surely`], what is missing would not help: it may only excuse.
    fn enter_surely(&mut self) {}

    /// The end of what [`Environment::enter_surely`] began; the two nest.
    fn leave_surely(&mut self) {}
}
