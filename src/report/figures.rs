//! Figures as a DBA reads them.

use super::text::clean;
use crate::value::{Unit, Value, show};

/// A figure with its unit: `16G`, `80819529 bytes (77.1 MiB)`, `1.6 TB`, `75%`, `1.32 years`, `ON`. Evidence is exact.
pub fn shown(value: &Value, unit: Unit) -> String {
    let brief = show(value, unit).to_string();
    match value {
        Value::Integer(number) if brief.ends_with("iB") && unit == Unit::Bytes => format!("{number} bytes ({brief})"),
        Value::None => "none".to_owned(),
        _ if brief.is_empty() => "''".to_owned(),
        _ => clean(&brief).into_owned(),
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
