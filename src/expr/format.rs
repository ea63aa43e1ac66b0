//! How a figure stands in a sentence.

use super::Type;
use crate::value::{Unit, Value};
use std::fmt::Write;

/// The formats of `{expression:format}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `512M` when that is exact, else `77.1 MiB`; `1.6 TB` for a disk.
    Size,
    /// `80819529 bytes`.
    Bytes,
    /// `2000`, `1.2`.
    Number,
    /// `75%`.
    Percent,
    /// `77.7 MB/s`, `2000 pages/s`.
    Rate,
    /// `1.3 years`.
    Years,
    /// The word or text as it is.
    Word,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] =
        [Self::Size, Self::Bytes, Self::Number, Self::Percent, Self::Rate, Self::Years, Self::Word];

    /// The name in a message.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Bytes => "bytes",
            Self::Number => "number",
            Self::Percent => "percent",
            Self::Rate => "rate",
            Self::Years => "years",
            Self::Word => "word",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format for a type where the message names none.
    pub(super) const fn of(value_type: Type) -> Self {
        match value_type {
            Type::Number(Unit::Bytes | Unit::DecimalBytes | Unit::Mebibytes) => Self::Size,
            Type::Number(Unit::Share) => Self::Percent,
            Type::Number(Unit::BytesPerSecond | Unit::PagesPerSecond) => Self::Rate,
            Type::Number(Unit::Years) => Self::Years,
            Type::Number(_) => Self::Number,
            Type::Word | Type::Text | Type::Set | Type::Truth => Self::Word,
        }
    }

    /// Whether the format shows values of a type.
    pub(super) const fn shows(self, value_type: Type) -> bool {
        match (self, value_type) {
            (_, Type::Truth) => false,
            (Self::Word, _) | (Self::Number, Type::Number(_)) => true,
            (Self::Size, Type::Number(Unit::Bytes | Unit::DecimalBytes | Unit::Mebibytes | Unit::Count)) => true,
            (Self::Bytes, Type::Number(Unit::Bytes | Unit::DecimalBytes | Unit::Count)) => true,
            (Self::Percent, Type::Number(Unit::Share | Unit::Count)) => true,
            (Self::Rate, Type::Number(Unit::BytesPerSecond | Unit::PagesPerSecond | Unit::Count)) => true,
            (Self::Years, Type::Number(Unit::Years | Unit::Count)) => true,
            _ => false,
        }
    }
}

/// Appends a value as a sentence shows it.
pub fn write_value(value: &Value<'_>, format: Format, unit: Unit, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match value {
        Value::None => out.write_str("no value"),
        Value::Word(text) | Value::Set(text) => out.write_str(text),
        Value::Text(text) => out.write_str(&String::from_utf8_lossy(text)),
        Value::Integer(number) => write_number(*number as f64, Some(*number), format, unit, out),
        Value::Real(number) => write_number(*number, None, format, unit, out),
    };
}

fn write_number(real: f64, exact: Option<i128>, format: Format, unit: Unit, out: &mut String) -> std::fmt::Result {
    match format {
        Format::Size if unit == Unit::DecimalBytes => write_scaled(real, 1000.0, &DECIMAL_UNITS, "", out),
        Format::Size if unit == Unit::Mebibytes => {
            write_size(real * MEBIBYTE as f64, exact.and_then(|count| count.checked_mul(MEBIBYTE)), out)
        }
        Format::Size => write_size(real, exact, out),
        Format::Bytes => match exact {
            Some(number) => write!(out, "{number} bytes"),
            None => write!(out, "{real:.0} bytes"),
        },
        Format::Percent => {
            write_plain(real * 100.0, None, 1, out)?;
            out.write_char('%')
        }
        Format::Rate if unit == Unit::PagesPerSecond => {
            write_plain(real, exact, 0, out)?;
            out.write_str(" pages/s")
        }
        Format::Rate => write_scaled(real, 1000.0, &DECIMAL_UNITS, "/s", out),
        Format::Years => {
            write_plain(real, exact, if real < 10.0 { 1 } else { 0 }, out)?;
            out.write_str(" years")
        }
        Format::Number | Format::Word => write_plain(real, exact, 2, out),
    }
}

const MEBIBYTE: i128 = 1 << 20;
const BINARY_UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const DECIMAL_UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const SUFFIXES: [char; 6] = ['K', 'M', 'G', 'T', 'P', 'E'];

/// The server's own spelling when it is exact and short, else a rounded figure that does not look like one to copy.
fn write_size(real: f64, exact: Option<i128>, out: &mut String) -> std::fmt::Result {
    if let Some(number) = exact
        && number != 0
    {
        let steps = (number.trailing_zeros() / 10).min(6) as usize;
        let count = number >> (10 * steps);
        if steps > 0 && count.abs() < 10_000 {
            return write!(out, "{count}{}", SUFFIXES[steps - 1]);
        }
    }
    write_scaled(real, 1024.0, &BINARY_UNITS, "", out)
}

fn write_scaled(real: f64, step: f64, units: &[&str; 7], tail: &str, out: &mut String) -> std::fmt::Result {
    let mut scaled = real;
    let mut unit = 0;
    // What would be shown as 1000.0 or 1024.0 belongs to the next unit.
    while scaled.abs() >= step - 0.05 && unit + 1 < units.len() {
        scaled /= step;
        unit += 1;
    }
    match unit {
        0 => write!(out, "{scaled:.0} {}{tail}", units[0]),
        _ => write!(out, "{scaled:.1} {}{tail}", units[unit]),
    }
}

/// Digits with at most `places` behind the point and no zeros at their end.
fn write_plain(real: f64, exact: Option<i128>, places: usize, out: &mut String) -> std::fmt::Result {
    if let Some(number) = exact {
        return write!(out, "{number}");
    }
    let start = out.len();
    write!(out, "{real:.places$}")?;
    if out[start..].contains('.') {
        let kept = out.trim_end_matches('0').trim_end_matches('.').len();
        out.truncate(kept);
    }
    Ok(())
}
