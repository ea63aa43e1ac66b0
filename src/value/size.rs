//! Figures as flags and files of facts take them: sizes, rates, shares, durations.

use thiserror::Error;

const SUFFIXES: &str = "KMGTPE";

/// Why a figure cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SizeError {
    /// Not a number with one of the suffixes.
    #[error("`{0}` is not a size: write digits and one of K, M, G, T, P, E, such as 512M or 64G")]
    NotASize(String),
    /// Not a size in powers of 1000.
    #[error(
        "`{0}` is not a size as drive vendors print it: write digits and one of K, M, G, T, P, E, such as 480G or 1.6T"
    )]
    NotADecimalSize(String),
    /// Not a share of a whole.
    #[error("`{0}` is not a share: write a percentage from 0% to 100%, such as 75%")]
    NotAShare(String),
    /// Not a span of time.
    #[error("`{0}` is not a span of time: write it such as 5y, 2.5y or 18mo")]
    NotYears(String),
    /// Not a number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// More than 64 bits hold.
    #[error("`{0}` is too large: at most 18446744073709551615 bytes can be counted")]
    TooLarge(String),
}

/// Bytes as the server writes them, in powers of 1024: `512M`, `64G`, also `1.5G`, `64GB`, `64GiB`. Rounded down to whole bytes.
///
/// # Errors
/// When the text is no such size or does not fit in 64 bits.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    bytes(text, 1024, SizeError::NotASize)
}

/// Bytes as drive vendors print them, in powers of 1000: `480G`, `1.6T`, `12.25P`, also `1.6TB`. `1.6TiB` counts by 1024.
///
/// # Errors
/// When the text is no such size or does not fit in 64 bits.
pub fn parse_decimal_size(text: &str) -> Result<u64, SizeError> {
    bytes(text, 1000, SizeError::NotADecimalSize)
}

/// Bytes a second, in powers of 1024: `70M`, also `70M/s` and `70MB/s`.
///
/// # Errors
/// When the text is no such rate.
pub fn parse_rate(text: &str) -> Result<u64, SizeError> {
    let trimmed = text.trim();
    parse_size(trimmed.strip_suffix("/s").unwrap_or(trimmed)).map_err(|error| match error {
        SizeError::NotASize(_) => SizeError::NotASize(text.to_owned()),
        other => other,
    })
}

/// A share of a whole between 0 and 1: `75%` is 0.75, and so is `0.75`.
///
/// # Errors
/// When the text is no number, or one outside 0% to 100%. A bare number above 1 lacks its percent sign and is refused.
pub fn parse_share(text: &str) -> Result<f64, SizeError> {
    let trimmed = text.trim();
    let share = match trimmed.strip_suffix('%') {
        Some(percent) => decimal(percent.trim_end()).map(|percent| percent / 100.0),
        None => decimal(trimmed),
    };
    share.filter(|share| *share <= 1.0).ok_or_else(|| SizeError::NotAShare(text.to_owned()))
}

/// Years of 365 days: `5y`, `2.5y`, `5 years`, `5`, `18mo`, `1825d`.
///
/// # Errors
/// When the text is no such duration or not above 0.
pub fn parse_duration_years(text: &str) -> Result<f64, SizeError> {
    let (number, unit) = number_and_unit(text);
    let not_years = || SizeError::NotYears(text.to_owned());
    let a_year = match unit.to_ascii_lowercase().as_str() {
        "" | "y" | "yr" | "year" | "years" => 1.0,
        "mo" | "month" | "months" => 12.0,
        "d" | "day" | "days" => 365.0,
        _ => return Err(not_years()),
    };
    decimal(number).map(|number| number / a_year).filter(|years| *years > 0.0).ok_or_else(not_years)
}

/// A plain number, with or without a fraction.
///
/// # Errors
/// When the text is none.
pub fn parse_number(text: &str) -> Result<f64, SizeError> {
    decimal(text.trim()).ok_or_else(|| SizeError::NotANumber(text.to_owned()))
}

/// The shortest exact spelling that [`parse_size`] and [`parse_rate`] read back.
pub fn spell_size(bytes: i128) -> String {
    let exact = (1..=SUFFIXES.len()).rev().find(|power| bytes != 0 && bytes % 1024_i128.pow(*power as u32) == 0);
    match exact {
        Some(power) => format!("{}{}", bytes / 1024_i128.pow(power as u32), &SUFFIXES[power - 1..power]),
        None => bytes.to_string(),
    }
}

/// The shortest exact spelling that [`parse_decimal_size`] reads back, with at most three decimals.
pub fn spell_decimal_size(bytes: i128) -> String {
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
pub fn spell_share(share: f64) -> String {
    let percent = format!("{}%", (share * 100.0 * 1e6).round() / 1e6);
    if parse_share(&percent) == Ok(share) { percent } else { share.to_string() }
}

fn bytes(text: &str, base: u128, wrong: fn(String) -> SizeError) -> Result<u64, SizeError> {
    let wrong = || wrong(text.to_owned());
    let (number, unit) = number_and_unit(text);
    let unit = unit.to_ascii_uppercase();
    let (letter, base) = match unit.strip_suffix("IB") {
        Some(letter) => (letter, 1024),
        None => (unit.strip_suffix('B').unwrap_or(&unit), base),
    };
    let power = if unit.is_empty() || unit == "B" { 0 } else { power_of(letter).ok_or_else(wrong)? };
    scaled(number, base, power).ok_or_else(wrong)?.ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

fn number_and_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

fn power_of(letter: &str) -> Option<u32> {
    let at = SUFFIXES.find(letter).filter(|_| letter.len() == 1)?;
    u32::try_from(at + 1).ok()
}

/// Digits with at most one point between or before them, no sign and no exponent.
fn decimal(text: &str) -> Option<f64> {
    let spelled = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|number: &f64| spelled && number.is_finite())
}

/// The number times a power of the base without the rounding of floats; the outer None: no number, the inner one: too large.
fn scaled(number: &str, base: u128, power: u32) -> Option<Option<u64>> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || number.ends_with('.') || fraction.contains('.') {
        return None;
    }
    let unit = base.pow(power);
    let product = whole.parse::<u128>().ok().and_then(|whole| whole.checked_mul(unit));
    // Digits beyond the 18th are worth less than one byte of an exabyte.
    let digits = &fraction[..fraction.len().min(18)];
    let part = match digits {
        "" => 0,
        digits => digits.parse::<u128>().ok()? * unit / 10_u128.pow(u32::try_from(digits.len()).ok()?),
    };
    Some(product.and_then(|whole| u64::try_from(whole + part).ok()))
}
