//! The rules' language: lexer, Pratt parser, types, code, evaluation. Knows names only through [`Names`] and [`Environment`].

use crate::value::{Outcome, Unit, Value};

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
}

/// What evaluation asks about names.
pub trait Environment {
    /// The value of a name.
    fn value(&mut self, id: NameId) -> Outcome<Value<'static>>;

    /// Whether a setting is written somewhere.
    fn is_set(&mut self, id: NameId) -> Outcome<bool>;

    /// Whether the server has the option.
    fn exists(&mut self, id: NameId) -> Outcome<bool>;
}
