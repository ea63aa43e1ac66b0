//! Sizes, shares, spans of time and rates as flags and facts files take them, and their shortest exact spelling.

const SUFFIXES: &str = "KMGTPE";

/// Why a text is no figure of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Not a number with one of the known suffixes.
    #[error("`{text}` is not {wanted}")]
    NotAFigure {
        /// What was written.
        text: String,
        /// What would have been read.
        wanted: &'static str,
    },
    /// A number that no machine has.
    #[error("`{0}` is too large")]
    TooLarge(String),
    /// A share that may mean a percentage or a factor.
    #[error("`{0}` is no share of a whole; write a percentage such as `75%`")]
    NotAShare(String),
}

/// Reads `512M`: bytes, with K to E as powers of 1024, as the servers count.
pub fn parse_size(text: &str) -> Result<u64, UnitError> {
    scaled(text, 1024, "a size such as 512M or 16G")
}

/// Reads `1.6T`: bytes as vendors of drives count, with K to E as powers of 1000. `1.6TiB` counts by 1024.
pub fn parse_decimal_size(text: &str) -> Result<u64, UnitError> {
    scaled(text, 1000, "a size as vendors print it, such as 1.6T")
}

/// Reads `70M`, `70M/s`: bytes a second, with K to E as powers of 1024.
pub fn parse_rate(text: &str) -> Result<u64, UnitError> {
    let number = text.trim().strip_suffix("/s").unwrap_or(text);
    scaled(number, 1024, "a rate in bytes a second such as 70M")
}

/// Reads `75%` or `0.75`.
pub fn parse_share(text: &str) -> Result<f64, UnitError> {
    let trimmed = text.trim();
    let wanted = "a share such as 75%";
    let share = match trimmed.strip_suffix('%') {
        Some(percent) => number(percent, text, wanted)? / 100.0,
        None => number(trimmed, text, wanted)?,
    };
    if share <= 1.0 { Ok(share) } else { Err(UnitError::NotAShare(text.to_owned())) }
}

/// Reads `5y`, `5`, `18mo`, `1825d`: years of 365 days.
pub fn parse_duration_years(text: &str) -> Result<f64, UnitError> {
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let wanted = "a span of time such as 5y";
    let divisor = match trimmed[end..].to_ascii_lowercase().as_str() {
        "" | "y" | "year" | "years" => 1.0,
        "mo" | "month" | "months" => 12.0,
        "d" | "day" | "days" => 365.0,
        _ => return Err(not_a_figure(text, wanted)),
    };
    Ok(number(trimmed[..end].trim_end(), text, wanted)? / divisor)
}

/// Reads a plain number, with or without a fraction.
pub fn parse_number(text: &str) -> Result<f64, UnitError> {
    number(text.trim(), text, "a number")
}

/// The shortest exact spelling that [`parse_size`] and [`parse_rate`] read back.
pub fn show_size(bytes: i128) -> String {
    let exact = (1..=SUFFIXES.len()).rev().find(|power| bytes != 0 && bytes % 1024_i128.pow(*power as u32) == 0);
    match exact {
        Some(power) => format!("{}{}", bytes / 1024_i128.pow(power as u32), &SUFFIXES[power - 1..power]),
        None => bytes.to_string(),
    }
}

/// The shortest exact spelling that [`parse_decimal_size`] reads back, with at most three decimals.
pub fn show_decimal_size(bytes: i128) -> String {
    let largest = (1..=SUFFIXES.len()).rev().find(|power| bytes >= 1000_i128.pow(*power as u32));
    let Some((power, unit)) = largest.map(|power| (power, 1000_i128.pow(power as u32))) else {
        return bytes.to_string();
    };
    if bytes % (unit / 1000) != 0 {
        return bytes.to_string();
    }
    let thousandths = format!("{:03}", bytes % unit / (unit / 1000));
    let fraction = thousandths.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    format!("{}{dot}{fraction}{}", bytes / unit, &SUFFIXES[power - 1..power])
}

/// The shortest exact spelling that [`parse_share`] reads back.
pub fn show_share(share: f64) -> String {
    let percent = format!("{}%", (share * 100.0 * 1e6).round() / 1e6);
    if parse_share(&percent) == Ok(share) { percent } else { share.to_string() }
}

fn scaled(text: &str, base: i128, wanted: &'static str) -> Result<u64, UnitError> {
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let (digits, unit) = (trimmed[..end].trim_end(), trimmed[end..].to_ascii_uppercase());
    let (letters, base) = match unit.strip_suffix("IB") {
        Some(letters) => (letters, 1024),
        None => (unit.strip_suffix('B').unwrap_or(&unit), base),
    };
    let power = match letters {
        "" => 0,
        letter => SUFFIXES.find(letter).filter(|_| letter.len() == 1).ok_or_else(|| not_a_figure(text, wanted))? + 1,
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return Err(not_a_figure(text, wanted));
    }
    let too_large = || UnitError::TooLarge(text.to_owned());
    // Twenty digits hold every 64-bit number; beyond that i128 arithmetic could overflow.
    let (whole, fraction) = (whole.trim_start_matches('0'), &fraction[..fraction.len().min(18)]);
    if whole.len() > 20 {
        return Err(too_large());
    }
    let number = |part: &str| if part.is_empty() { Ok(0) } else { part.parse::<i128>().map_err(|_| too_large()) };
    let unit = base.pow(power as u32);
    let whole = number(whole)?.checked_mul(unit).ok_or_else(too_large)?;
    let fraction = number(fraction)?.checked_mul(unit).ok_or_else(too_large)? / 10_i128.pow(fraction.len() as u32);
    u64::try_from(whole + fraction).map_err(|_| too_large())
}

fn number(digits: &str, text: &str, wanted: &'static str) -> Result<f64, UnitError> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = if plain { digits.parse::<f64>().ok() } else { None };
    number.filter(|number| number.is_finite()).ok_or_else(|| not_a_figure(text, wanted))
}

fn not_a_figure(text: &str, wanted: &'static str) -> UnitError {
    UnitError::NotAFigure { text: text.to_owned(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_1024_and_drives_of_1000() {
        assert_eq!(parse_size("16G"), Ok(17_179_869_184));
        assert_eq!(parse_size("16 GiB"), Ok(17_179_869_184));
        assert_eq!(parse_size("1.5g"), Ok(1_610_612_736));
        assert_eq!(parse_decimal_size("12.25P"), Ok(12_250_000_000_000_000));
        assert_eq!(parse_decimal_size("1.6 TB"), Ok(1_600_000_000_000));
        assert_eq!(parse_decimal_size("1TiB"), Ok(1_099_511_627_776));
        assert_eq!(parse_rate("70M/s"), Ok(73_400_320));
        for bad in ["", "G", "16X", "16GG", "-1G", "1.2.3G", "1e3", "16iB5"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert!(matches!(parse_size("99999999999999999999999"), Err(UnitError::TooLarge(_))));
    }

    #[test]
    fn shares_and_spans_of_time() {
        assert_eq!(parse_share("75%"), Ok(0.75));
        assert_eq!(parse_share("0.75"), Ok(0.75));
        assert_eq!(parse_share("75"), Err(UnitError::NotAShare("75".to_owned())));
        assert_eq!(parse_duration_years("5y"), Ok(5.0));
        assert_eq!(parse_duration_years("18 months"), Ok(1.5));
        assert!(parse_duration_years("5 parsecs").is_err());
    }

    #[test]
    fn shows_the_shortest_exact_spelling() {
        assert_eq!(show_size(17_179_869_184), "16G");
        assert_eq!(show_size(80_819_529), "80819529");
        assert_eq!(show_decimal_size(12_250_000_000_000_000), "12.25P");
        assert_eq!(show_decimal_size(1_600_321_314_816), "1600321314816");
        assert_eq!(show_share(0.57), "57%");
    }
}
