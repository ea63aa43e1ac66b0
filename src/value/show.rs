//! Values as people read them, and sizes as option files take them.

use std::fmt;

use super::{Unit, Value};

/// The shortest spelling of a number of bytes that every server reads back to the same number: `512M`, `1G`, `50331650`.
///
/// Never rounds, and never uses T, P or E, which MySQL before 8.0.14 and MariaDB before 10.2 do not know.
pub fn as_written(bytes: u64) -> String {
    match suffixed(bytes) {
        (number, "") => number.to_string(),
        (number, suffix) => format!("{number}{suffix}"),
    }
}

fn suffixed(bytes: u64) -> (u64, &'static str) {
    let fits = |shift: u32| bytes != 0 && bytes.trailing_zeros() >= shift;
    [(30, "G"), (20, "M"), (10, "K")]
        .into_iter()
        .find(|(shift, _)| fits(*shift))
        .map_or((bytes, ""), |(shift, suffix)| (bytes >> shift, suffix))
}

/// A value that is ready to be printed; made by [`show`].
pub struct Shown<'a> {
    value: &'a Value<'a>,
    unit: Unit,
}

/// Shows a value in its unit, short and for people: `512M` where that is exact, `77.1 MiB` where it is not, `1.6 TB` for
/// disks, `75%`, `30 s`, `ON`. Exact figures belong in evidence.
pub const fn show<'a>(value: &'a Value<'a>, unit: Unit) -> Shown<'a> {
    Shown { value, unit }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Integer(number) => integer(f, *number, self.unit),
            Value::Real(number) => real(f, *number, self.unit),
            Value::Word(text) | Value::Set(text) => f.write_str(text),
            Value::Text(bytes) => String::from_utf8_lossy(bytes).fmt(f),
            Value::None => f.write_str("NULL"),
        }
    }
}

fn integer(f: &mut fmt::Formatter<'_>, number: i128, unit: Unit) -> fmt::Result {
    match (unit, u64::try_from(number)) {
        (Unit::Bytes, Ok(bytes)) => size(f, bytes),
        (Unit::Mebibytes, Ok(mebibytes)) if mebibytes < 1 << 44 => size(f, mebibytes << 20),
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        (Unit::DecimalBytes | Unit::BytesPerSecond, Ok(_)) => real(f, number as f64, unit),
        (Unit::Share, _) => write!(f, "{}%", number.saturating_mul(100)),
        _ => write!(f, "{number}{}", name(unit, number == 1)),
    }
}

fn real(f: &mut fmt::Formatter<'_>, number: f64, unit: Unit) -> fmt::Result {
    match unit {
        Unit::Bytes => scaled(f, number, 1024.0, &BINARY),
        // As drives are measured, and as messages say it.
        Unit::BytesPerSecond => {
            scaled(f, number, 1000.0, &DECIMAL)?;
            f.write_str("/s")
        }
        Unit::Mebibytes => scaled(f, number * 1_048_576.0, 1024.0, &BINARY),
        Unit::DecimalBytes => scaled(f, number, 1000.0, &DECIMAL),
        Unit::Share => {
            significant(f, number * 100.0, 3)?;
            f.write_str("%")
        }
        Unit::Count => write!(f, "{number}"),
        _ => {
            significant(f, number, 3)?;
            f.write_str(name(unit, false))
        }
    }
}

const DECIMAL: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
const BINARY: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// `512M` as long as it takes at most four digits, else rounded to three.
fn size(f: &mut fmt::Formatter<'_>, bytes: u64) -> fmt::Result {
    match suffixed(bytes) {
        (1, "") => f.write_str("1 byte"),
        (number @ ..1024, "") => write!(f, "{number} bytes"),
        (number @ ..10_000, suffix @ ("K" | "M" | "G")) => write!(f, "{number}{suffix}"),
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        _ => scaled(f, bytes as f64, 1024.0, &BINARY),
    }
}

fn scaled(f: &mut fmt::Formatter<'_>, number: f64, base: f64, units: &[&str]) -> fmt::Result {
    let mut number = number;
    let mut unit = 0;
    // 1023.95 would be shown as 1024.
    while number.abs() >= base - 0.5 && unit + 1 < units.len() {
        number /= base;
        unit += 1;
    }
    if unit == 0 {
        write!(f, "{number:.0}")?;
    } else {
        // Vendors print 12.25 PB, and that is what people compare with.
        significant(f, number, if base == 1000.0 { 4 } else { 3 })?;
    }
    write!(f, " {}", units.get(unit).copied().unwrap_or_default())
}

/// So many digits that count, without zeros at the end of a fraction; larger numbers are rounded to whole ones.
fn significant(f: &mut fmt::Formatter<'_>, number: f64, digits: usize) -> fmt::Result {
    let whole_digits = match number.abs() {
        size if size >= 99.95 => 3,
        size if size >= 9.995 => 2,
        size if size >= 0.9995 => 1,
        _ => 0,
    };
    let decimals = digits.saturating_sub(whole_digits);
    let shown = format!("{number:.decimals$}");
    let shown = if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.') } else { &shown };
    f.write_str(shown)
}

/// What stands behind the number, with its blank.
const fn name(unit: Unit, one: bool) -> &'static str {
    match (unit, one) {
        (Unit::Count | Unit::Share, _) => "",
        (Unit::Bytes | Unit::DecimalBytes, true) => " byte",
        (Unit::Bytes | Unit::DecimalBytes, false) => " bytes",
        (Unit::BytesPerSecond, _) => " bytes/s",
        (Unit::PagesPerSecond, true) => " page/s",
        (Unit::PagesPerSecond, false) => " pages/s",
        (Unit::Mebibytes, _) => " MiB",
        (Unit::Seconds, _) => " s",
        (Unit::Milliseconds, _) => " ms",
        (Unit::Microseconds, _) => " \u{b5}s",
        (Unit::Minutes, _) => " min",
        (Unit::Years, true) => " year",
        (Unit::Years, false) => " years",
    }
}
