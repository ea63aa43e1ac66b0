//! Figures as a DBA reads them.

use crate::value::{Unit, Value};

const SUFFIXES: [(u32, char); 6] = [(60, 'E'), (50, 'P'), (40, 'T'), (30, 'G'), (20, 'M'), (10, 'K')];

/// A figure with its unit: `16G`, `80819529 bytes (77.1 MiB)`, `1.6 TB`, `75%`, `1.32 years`, `ON`.
pub fn shown(value: &Value, unit: Unit) -> String {
    match value {
        Value::Integer(number) => whole(*number, unit),
        Value::Real(number) => fraction(*number, unit),
        Value::Word(text) | Value::Set(text) if text.is_empty() => "''".to_owned(),
        Value::Word(text) | Value::Set(text) => super::text::clean(text).into_owned(),
        Value::Text(text) if text.is_empty() => "''".to_owned(),
        Value::Text(text) => super::text::clean(&String::from_utf8_lossy(text)).into_owned(),
        Value::None => "none".to_owned(),
    }
}

fn whole(number: i128, unit: Unit) -> String {
    match unit {
        Unit::Bytes => size(number),
        Unit::Share => fraction(number as f64, unit),
        Unit::DecimalBytes | Unit::BytesPerSecond => fraction(number as f64, unit),
        Unit::Years if number == 1 => "1 year".to_owned(),
        _ => format!("{number}{}", suffix(unit)),
    }
}

/// Bytes as the server writes them where that is exact, else the exact number and what it amounts to.
fn size(bytes: i128) -> String {
    if bytes.unsigned_abs() < 1024 {
        return format!("{bytes} bytes");
    }
    match SUFFIXES.into_iter().find(|(bits, _)| bytes % (1 << bits) == 0) {
        // Nobody reads 547488K.
        Some((bits, letter)) if bytes >> bits < 10_000 => format!("{}{letter}", bytes >> bits),
        _ => format!("{bytes} bytes ({})", binary(bytes as f64)),
    }
}

fn fraction(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Bytes => binary(number),
        // As drives are measured, and as messages say it.
        Unit::BytesPerSecond => format!("{}/s", fraction(number, Unit::DecimalBytes)),
        Unit::DecimalBytes => scaled(number, 1000.0, &["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]),
        Unit::Share => format!("{}%", rounded(number * 100.0)),
        _ => format!("{}{}", rounded(number), suffix(unit)),
    }
}

fn binary(bytes: f64) -> String {
    scaled(bytes, 1024.0, &["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])
}

/// Vendors print two digits after the point (`12.25 PB`); a size in powers of 1024 is rounded anyway.
fn scaled(mut number: f64, step: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while number.abs() >= step && unit + 1 < units.len() {
        number /= step;
        unit += 1;
    }
    let hundredths = (number * 100.0).round() / 100.0;
    let text = if step == 1000.0 { hundredths.to_string() } else { rounded(number) };
    format!("{text} {}", units[unit])
}

/// Three digits that count, more only before the point.
fn rounded(number: f64) -> String {
    let digits = match number.abs() {
        below if below < 10.0 => 2,
        below if below < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{number:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Count | Unit::Share | Unit::Bytes | Unit::DecimalBytes | Unit::BytesPerSecond => "",
        Unit::PagesPerSecond => " pages/s",
        Unit::Mebibytes => " MiB",
        Unit::Seconds => " s",
        Unit::Milliseconds => " ms",
        Unit::Microseconds => " us",
        Unit::Minutes => " min",
        Unit::Years => " years",
    }
}

/// The name of a unit in JSON; `None` for plain counts.
pub fn unit_name(unit: Unit) -> Option<&'static str> {
    Some(match unit {
        Unit::Count => return None,
        Unit::Bytes | Unit::DecimalBytes => "bytes",
        Unit::BytesPerSecond => "bytes/s",
        Unit::PagesPerSecond => "pages/s",
        Unit::Mebibytes => "MiB",
        Unit::Seconds => "s",
        Unit::Milliseconds => "ms",
        Unit::Microseconds => "us",
        Unit::Minutes => "min",
        Unit::Years => "years",
        Unit::Share => "share",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        let whole = |number, unit| shown(&Value::Integer(number), unit);
        let real = |number, unit| shown(&Value::Real(number), unit);
        assert_eq!(whole(16 << 30, Unit::Bytes), "16G");
        assert_eq!(whole(1536 << 20, Unit::Bytes), "1536M");
        assert_eq!(whole(80_819_529, Unit::Bytes), "80819529 bytes (77.1 MiB)");
        assert_eq!(whole(0, Unit::Bytes), "0 bytes");
        assert_eq!(whole(12_250_000_000_000_000, Unit::DecimalBytes), "12.25 PB");
        assert_eq!(whole(1_600_000_000_000, Unit::DecimalBytes), "1.6 TB");
        assert_eq!(real(0.75, Unit::Share), "75%");
        assert_eq!(real(1.3172, Unit::Years), "1.32 years");
        assert_eq!(whole(2000, Unit::PagesPerSecond), "2000 pages/s");
        assert_eq!(whole(73_728_000, Unit::BytesPerSecond), "73.73 MB/s");
        assert_eq!(whole(547_488 << 10, Unit::Bytes), "560627712 bytes (535 MiB)");
        assert_eq!(whole(18_446_744_073_709_551_615, Unit::Count), "18446744073709551615");
        assert_eq!(shown(&Value::None, Unit::Count), "none");
    }
}
