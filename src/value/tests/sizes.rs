use crate::value::size::{
    parse_decimal_size, parse_duration_years, parse_rate, parse_share, spell_decimal_size, spell_share, spell_size,
};
use crate::value::{SizeError, Unit, Value, as_written, parse_size, show};

#[test]
fn flags_take_sizes_as_people_write_them() {
    assert_eq!(parse_size("512M"), Ok(512 << 20));
    assert_eq!(parse_size("64GiB"), Ok(64 << 30));
    assert_eq!(parse_size("64 gb"), Ok(64 << 30));
    assert_eq!(parse_size("1.5G"), Ok(3 << 29));
    assert_eq!(parse_size("15E"), Ok(15 << 60));
    assert_eq!(parse_size("16E"), Err(SizeError::TooLarge("16E".into())));
    for bad in ["", "G", "12X", "1.2.3G", "-1", "1..5", ".", "64%", "1,5G", "1e6"] {
        assert_eq!(parse_size(bad), Err(SizeError::NotASize(bad.into())), "{bad}");
    }
    assert_eq!(parse_rate("70M"), Ok(70 << 20));
    assert_eq!(parse_rate("70MB/s"), Ok(70 << 20));
}

#[test]
fn vendors_count_in_thousands() {
    assert_eq!(parse_decimal_size("1.6T"), Ok(1_600_000_000_000));
    assert_eq!(parse_decimal_size("12.25PB"), Ok(12_250_000_000_000_000));
    assert_eq!(parse_decimal_size("480G"), Ok(480_000_000_000));
    assert_eq!(parse_decimal_size("1TiB"), Ok(1 << 40));
    assert_eq!(parse_decimal_size("lots"), Err(SizeError::NotADecimalSize("lots".into())));
}

#[test]
fn shares_and_years() {
    assert_eq!(parse_share("75%"), Ok(0.75));
    assert_eq!(parse_share("0.5"), Ok(0.5));
    assert_eq!(parse_share("100 %"), Ok(1.0));
    for bad in ["75", "101%", "-1%", "%", "inf%", "nan"] {
        assert_eq!(parse_share(bad), Err(SizeError::NotAShare(bad.into())), "{bad}");
    }
    assert_eq!(parse_duration_years("5y"), Ok(5.0));
    assert_eq!(parse_duration_years("2.5 years"), Ok(2.5));
    assert_eq!(parse_duration_years("18 months"), Ok(1.5));
    for bad in ["0y", "5 parsecs", "y", ""] {
        assert_eq!(parse_duration_years(bad), Err(SizeError::NotYears(bad.into())), "{bad}");
    }
}

fn shown(number: i128, unit: Unit) -> String {
    show(&Value::Integer(number), unit).to_string()
}

#[test]
fn sizes_are_shown_exactly_where_that_is_short() {
    assert_eq!(as_written(512 << 20), "512M");
    assert_eq!(as_written(1 << 40), "1024G");
    assert_eq!(as_written(48 << 20), "48M");
    assert_eq!(as_written(80_819_529), "80819529");
    assert_eq!(as_written(0), "0");
    assert_eq!(shown(512 << 20, Unit::Bytes), "512M");
    assert_eq!(shown(80_819_529, Unit::Bytes), "77.1 MiB");
    assert_eq!(shown(869_013_136, Unit::Bytes), "829 MiB");
    assert_eq!(shown(1, Unit::Bytes), "1 byte");
    assert_eq!(shown(0, Unit::Bytes), "0 bytes");
    assert_eq!(shown((1 << 30) - 1, Unit::Bytes), "1 GiB");
    assert_eq!(shown(128, Unit::Mebibytes), "128M");
    assert_eq!(shown(73_728_000, Unit::BytesPerSecond), "73.73 MB/s");
    assert_eq!(shown(12_250_000_000_000_000, Unit::DecimalBytes), "12.25 PB");
    assert_eq!(shown(1_600_000_000_000, Unit::DecimalBytes), "1.6 TB");
    assert_eq!(shown(-1, Unit::Bytes), "-1 bytes");
    assert_eq!(shown(2000, Unit::PagesPerSecond), "2000 pages/s");
    assert_eq!(show(&Value::Real(1.3249), Unit::Years).to_string(), "1.32 years");
    assert_eq!(show(&Value::Real(0.75), Unit::Share).to_string(), "75%");
    assert_eq!(show(&Value::boolean(true), Unit::Count).to_string(), "ON");
}

#[test]
fn shows_the_shortest_exact_spelling() {
    assert_eq!(spell_size(17_179_869_184), "16G");
    assert_eq!(spell_size(80_819_529), "80819529");
    assert_eq!(spell_decimal_size(12_250_000_000_000_000), "12.25P");
    assert_eq!(spell_decimal_size(1_600_321_314_816), "1600321314816");
    assert_eq!(spell_share(0.57), "57%");
}
