//! What a server makes of a written value: the value it ends up with, and whether that is what the writer meant.
//!
//! Measured on MySQL 5.6.24 and 9.7.4 and on MariaDB 10.5.23, 10.11.19 and 11.8.9. What lies between rests on neighbours:
//! MySQL 5.7 to 8.4 read like 9.7 (the option parser published with 8.4 is the same), except that the suffixes T, P and E, and
//! with them the refusal of overflows, came with 8.0.14 (<https://dev.mysql.com/doc/refman/8.4/en/program-variables.html>).
//! MariaDB 10.6 to 10.10 read like 10.11, releases before 10.5 like 10.5.

use super::{Argument, Effect, Kind, Shape, Value, flags, number, word};
use crate::server::Server;

/// One option as it stands in a file, after quotes and escapes are gone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written<'a> {
    /// What a prefix of the name asks for.
    pub effect: Effect,
    /// Whether the name has the prefix `loose-`.
    pub loose: bool,
    /// The text behind `=`; none when the option stands bare.
    pub value: Option<&'a [u8]>,
}

/// What a server makes of a written value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What the setting becomes. None: the default stays, or nothing is known. For a flag set: the changes
    /// (`mrr=off,materialization=default`), which [`super::apply_flags`] puts over what was there.
    pub value: Option<Value<'static>>,
    /// Whether that is what the writer meant.
    pub judgement: Judgement,
}

/// How the server takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As it is written.
    Accepted,
    /// The server changes it.
    Adjusted {
        /// Why.
        reason: Adjustment,
        /// Whether the server's log says so.
        warns: bool,
    },
    /// The value is thrown away and the default stays.
    DefaultKept {
        /// Whether the server's log says so.
        warns: bool,
    },
    /// Accepted by a reading that is not the obvious one.
    Misread {
        /// Which one.
        how: Misreading,
        /// Whether the server's log says anything about it.
        warns: bool,
    },
    /// The server does not take it.
    Refused {
        /// Why.
        reason: Refusal,
        /// Whether the server refuses to start. False behind `loose-` on MariaDB, which logs the error, goes on and may run
        /// with a value that nobody wrote.
        fatal: bool,
    },
    /// The shape is not recorded, or the answer depends on more than the shape.
    NotJudged,
}

/// Why a server changes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// It is above the largest one: that one is used.
    AboveMaximum,
    /// It is below the smallest one: that one is used.
    BelowMinimum,
    /// It is no multiple of the block size: rounded down (or up to the minimum), without a word.
    Block,
    /// It is negative and the option is not: the smallest one is used (MySQL since 5.7).
    NegativeToMinimum,
    /// It is negative and the option is not: it wraps to a huge number (MySQL 5.6, MariaDB up to 10.5).
    NegativeWrapped,
}

/// In which way an accepted value differs from its obvious meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misreading {
    /// `512MB`, `1GiB`: what follows the suffix letter is not looked at. The meaning is the intended one.
    UnitIgnored,
    /// `1Mx`, `2G000`: what follows the suffix letter is not looked at.
    TextIgnored,
    /// `1e6`: `e` is the suffix for 2^60.
    ExponentIsExa,
    /// `M`: no digits, read as 0.
    NoDigits,
    /// `x=`: read as 0.
    EmptyIsZero,
    /// `x=` for an enumeration: read as its first word.
    EmptyIsFirstWord,
    /// `16E`: the product is beyond 64 bits and wraps.
    SuffixWrapped,
    /// `yes`, `enabled`, `2`: a word that is neither ON nor OFF means OFF.
    UnknownBooleanIsOff,
    /// `10` is ON and `01` is OFF: only the first digit counts (MariaDB, booleans of engines and plugins).
    FirstDigitDecides,
    /// `skip-x=OFF`, `enable-x=OFF`: behind these prefixes only a plain `0` is looked at.
    ValueDropped,
    /// `skip_name_resolve=OFF`: whatever is written, the option is ON (MySQL).
    AlwaysOn,
    /// `skip-init_connect`: the option becomes the text `0`; `enable-init_connect`: the empty text.
    SwitchGivesText,
    /// `ANSI=REAL_AS_FLOAT`: `=` parts the members of a set like a comma (MySQL).
    EqualsPartsMembers,
    /// `ANSI=REAL_AS_FLOAT`: what follows `=` is not looked at (MariaDB).
    AfterEqualsIgnored,
    /// `mrr=o`: neither on nor off but the default (MySQL).
    AmbiguousIsDefault,
}

impl Misreading {
    /// Whether the result differs from what the writer most likely meant.
    pub const fn changes_meaning(self) -> bool {
        !matches!(self, Self::UnitIgnored)
    }
}

/// Why a server does not take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Behind the digits of a number stands this instead of a suffix; the first byte when there are no digits.
    UnknownSuffix(char),
    /// The value is empty (MySQL since 5.7, numbers and enumerations).
    EmptyValue,
    /// The option stands bare and needs a value.
    MissingValue,
    /// No word of the list begins like this, or the number of a word or set is out of range.
    NotAMember,
    /// Several words of the list begin like this.
    NotUnique,
    /// A flag or `default` stands twice in one value.
    Repeated,
    /// The number does not fit in 64 bits.
    Overflow,
    /// Not a number with a fraction.
    NotADecimal,
    /// The option takes no value.
    NoValueAllowed,
    /// A negative number for an option that counts from 0 (MariaDB since 10.6).
    NegativeNotAllowed,
    /// An old alias of a word that newer servers no longer take.
    AliasGone,
    /// `maximum-` before an option that has no such limit.
    NoMaximum,
}

impl Reading {
    pub(super) const fn accepted(value: Value<'static>) -> Self {
        Self { value: Some(value), judgement: Judgement::Accepted }
    }

    pub(super) const fn misread(value: Value<'static>, how: Misreading, warns: bool) -> Self {
        Self { value: Some(value), judgement: Judgement::Misread { how, warns } }
    }

    /// The server refuses it and does not start.
    pub const fn refused(reason: Refusal) -> Self {
        Self { value: None, judgement: Judgement::Refused { reason, fatal: true } }
    }

    /// Nothing is known.
    pub const NOT_JUDGED: Self = Self { value: None, judgement: Judgement::NotJudged };
}

/// Reads a written value as that server does.
///
/// Knows the shape only: what single options do beyond it (the file name of `log_bin`, modes that stand for several,
/// limits that depend on the machine) is for whoever knows names.
pub fn read(shape: &Shape<'_>, server: Server, written: Written<'_>) -> Reading {
    let mut reading = match written.effect {
        Effect::None => plain(shape, server, written.value),
        Effect::Skip => switched(shape, server, written.value, false),
        Effect::Enable => switched(shape, server, written.value, true),
        Effect::Maximum => maximum(shape, server, written.value),
        Effect::Autoset => autoset(shape.kind, server, written.value),
    };
    if let Judgement::Refused { reason, fatal } = &mut reading.judgement {
        let always = matches!(reason, Refusal::MissingValue | Refusal::NoValueAllowed);
        *fatal = always || !written.loose || server.flavor.is_mysql_family();
    }
    reading
}

fn plain(shape: &Shape<'_>, server: Server, value: Option<&[u8]>) -> Reading {
    let is_boolean = matches!(shape.kind, Kind::Boolean | Kind::PluginBoolean);
    match (value, shape.argument) {
        (Some(_), Argument::None) if !is_boolean && shape.kind != Kind::NotRecorded => {
            Reading::refused(Refusal::NoValueAllowed)
        }
        (Some(value), _) => valued(shape, server, value),
        (None, Argument::Required) => Reading::refused(Refusal::MissingValue),
        (None, _) => bare(shape, server),
    }
}

fn valued(shape: &Shape<'_>, server: Server, value: &[u8]) -> Reading {
    match shape.kind {
        Kind::Boolean => word::boolean(value),
        Kind::PluginBoolean => word::plugin_boolean(server, value),
        Kind::Flag => Reading::refused(Refusal::NoValueAllowed),
        Kind::Unsigned => number::unsigned(shape, server, value),
        Kind::Signed => number::signed(shape, server, value),
        Kind::Real => number::real(shape, server, value),
        Kind::Enumeration | Kind::Set | Kind::FlagSet if shape.words.is_empty() => Reading::NOT_JUDGED,
        Kind::Enumeration => word::enumeration(shape, server, value),
        Kind::Set => word::set(shape, server, value),
        Kind::FlagSet => flags::flag_set(shape, server, value),
        Kind::Text | Kind::Path => Reading::accepted(Value::Text(value.to_vec().into())),
        Kind::NotRecorded => Reading::NOT_JUDGED,
    }
}

/// An option without a value. Texts that may stand bare (`log-bin`) each have a value of their own then.
fn bare(shape: &Shape<'_>, server: Server) -> Reading {
    match shape.kind {
        Kind::Boolean | Kind::PluginBoolean | Kind::Flag => Reading::accepted(Value::boolean(true)),
        Kind::Signed | Kind::Unsigned | Kind::Real | Kind::Enumeration if shape.argument == Argument::Optional => {
            valued(shape, server, b"1")
        }
        _ => Reading::NOT_JUDGED,
    }
}

/// `skip-x` and `enable-x`: the option is given `0` or `1`, and a written value counts only when it is a plain `0`.
fn switched(shape: &Shape<'_>, server: Server, value: Option<&[u8]>, enable: bool) -> Reading {
    let on = if value == Some(b"0") { !enable } else { enable };
    let mut reading = match shape.kind {
        Kind::Flag => return Reading::refused(Refusal::NoValueAllowed),
        Kind::Text | Kind::Path => return switched_text(shape, server, on),
        _ => valued(shape, server, if on { b"1" } else { b"0" }),
    };
    let dropped = value.is_some_and(|value| value != b"0" && !word::is_affirmative(value));
    if dropped && matches!(reading.judgement, Judgement::Accepted | Judgement::Adjusted { .. }) {
        let warns = matches!(reading.judgement, Judgement::Adjusted { warns: true, .. });
        reading.judgement = Judgement::Misread { how: Misreading::ValueDropped, warns };
    }
    reading
}

/// Texts that may stand bare (`log-bin`) have code of their own for these prefixes.
fn switched_text(shape: &Shape<'_>, server: Server, on: bool) -> Reading {
    if shape.argument != Argument::Required {
        return Reading::NOT_JUDGED;
    }
    match on {
        false => Reading::misread(Value::Text(b"0".into()), Misreading::SwitchGivesText, false),
        true if server.flavor.is_mysql_family() && server.at_least(5, 7, 0) => {
            Reading { value: None, judgement: Judgement::DefaultKept { warns: false } }
        }
        true => Reading::misread(Value::Text(b"".into()), Misreading::SwitchGivesText, false),
    }
}

/// Only numbers that a session can set have such a limit, which the shape does not tell: a number is judged no further.
/// Booleans have none either, but `maximum-autocommit` is taken all the same (measured on all five servers).
fn maximum(shape: &Shape<'_>, server: Server, value: Option<&[u8]>) -> Reading {
    match (shape.kind, value) {
        (Kind::NotRecorded | Kind::Boolean | Kind::PluginBoolean, _) => Reading::NOT_JUDGED,
        (Kind::Signed | Kind::Unsigned | Kind::Real, Some(value)) => match valued(shape, server, value) {
            refused @ Reading { judgement: Judgement::Refused { .. }, .. } => refused,
            _ => Reading::NOT_JUDGED,
        },
        (_, None) if shape.argument == Argument::Required => Reading::refused(Refusal::MissingValue),
        (Kind::Signed | Kind::Unsigned | Kind::Real, None) => Reading::NOT_JUDGED,
        _ => Reading::refused(Refusal::NoMaximum),
    }
}

/// Which options the server may choose itself is not in the shape; MySQL does not know the prefix at all.
fn autoset(kind: Kind, server: Server, value: Option<&[u8]>) -> Reading {
    match value {
        Some(_) if !server.flavor.is_mysql_family() && kind != Kind::PluginBoolean => {
            Reading::refused(Refusal::NoValueAllowed)
        }
        _ => Reading::NOT_JUDGED,
    }
}
