//! Figures as flags and files of facts take them: sizes, rates, shares, durations.

use thiserror::Error;

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
    /// `1.6TiB` where vendors' units are asked for.
    #[error("`{0}` is in powers of 1024; this figure is taken in powers of 1000, as drive vendors print it (1.6T)")]
    BinaryUnit(String),
    /// Not a share of a whole.
    #[error("`{0}` is not a share: write a percentage from 0% to 100%, such as 75%")]
    NotAShare(String),
    /// Not a number of years.
    #[error("`{0}` is not a number of years: write it such as 5y or 2.5y")]
    NotYears(String),
    /// More than 64 bits hold.
    #[error("`{0}` is too large: at most 18446744073709551615 bytes can be counted")]
    TooLarge(String),
}

/// Bytes as the server writes them, in powers of 1024: `512M`, `64G`, also `1.5G`, `64GB`, `64GiB`. Rounded down to whole bytes.
///
/// # Errors
/// When the text is no such size or does not fit in 64 bits.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let not_a_size = || SizeError::NotASize(text.to_owned());
    let (number, unit) = number_and_unit(text);
    let power = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        unit => power_of(unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(unit)).ok_or_else(not_a_size)?,
    };
    scaled(number, 1024, power).ok_or_else(not_a_size)?.ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

/// Bytes as drive vendors print them, in powers of 1000: `480G`, `1.6T`, `12.25P`, also `1.6TB`.
///
/// # Errors
/// When the text is no such size, is in powers of 1024 (`TiB`) or does not fit in 64 bits.
pub fn parse_decimal_size(text: &str) -> Result<u64, SizeError> {
    let not_a_size = || SizeError::NotADecimalSize(text.to_owned());
    let (number, unit) = number_and_unit(text);
    let power = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        unit if unit.ends_with("IB") && power_of(&unit[..unit.len() - 2]).is_some() => {
            return Err(SizeError::BinaryUnit(text.to_owned()));
        }
        unit => power_of(unit.strip_suffix('B').unwrap_or(unit)).ok_or_else(not_a_size)?,
    };
    scaled(number, 1000, power).ok_or_else(not_a_size)?.ok_or_else(|| SizeError::TooLarge(text.to_owned()))
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

/// Years: `5y`, `2.5y`, `5 years`, `5`.
///
/// # Errors
/// When the text is no such duration or not above 0.
pub fn parse_duration_years(text: &str) -> Result<f64, SizeError> {
    let (number, unit) = number_and_unit(text);
    let known = ["", "y", "yr", "year", "years"].iter().any(|name| unit.eq_ignore_ascii_case(name));
    decimal(number).filter(|years| known && *years > 0.0).ok_or_else(|| SizeError::NotYears(text.to_owned()))
}

fn number_and_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

fn power_of(letter: &str) -> Option<u32> {
    let at = ["K", "M", "G", "T", "P", "E"].iter().position(|known| *known == letter)?;
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
