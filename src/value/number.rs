//! Numbers: digits, one suffix letter, then the range and the block size.

use super::{Adjustment, Judgement, Misreading, Reading, Refusal, Shape, Value};
use crate::server::{Server, Version};

/// What the option parsers disagree about.
#[derive(Clone, Copy)]
struct Rules {
    /// Whether T, P and E are suffixes.
    tera: bool,
    /// Whether a product beyond 64 bits is refused; else it wraps.
    overflow_refused: bool,
    /// Whether an empty value is refused; else it is 0.
    empty_refused: bool,
    negatives: Negatives,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Negatives {
    Wrap,
    ToMinimum,
    Refused,
}

fn rules(server: Server) -> Rules {
    if server.flavor.is_mysql_family() {
        let suffixes = server.version >= Version::new(8, 0, 14);
        let newer = server.at_least(5, 7, 0);
        let negatives = if newer { Negatives::ToMinimum } else { Negatives::Wrap };
        Rules { tera: suffixes, overflow_refused: suffixes, empty_refused: newer, negatives }
    } else {
        let negatives = if server.at_least(10, 6, 0) { Negatives::Refused } else { Negatives::Wrap };
        // Measured: 10.5 takes T, P and E, 10.1 does not; 10.2 is taken for the border.
        Rules { tera: server.at_least(10, 2, 0), overflow_refused: false, empty_refused: false, negatives }
    }
}

/// Whether this server refuses an empty value for numbers and enumerations.
pub(super) fn refuses_empty(server: Server) -> bool {
    rules(server).empty_refused
}

/// Blanks as C's `strtoull` skips them.
pub(super) fn skip_blanks(text: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r');
    text.iter().position(|byte| !blank(byte)).map_or(b"", |at| &text[at..])
}

/// The beginning of a text as C's `strtoull` reads it.
pub(super) struct Scanned<'a> {
    pub negative: bool,
    /// None: beyond 64 bits.
    pub magnitude: Option<u64>,
    pub has_digits: bool,
    /// What follows the digits; the whole text when there are none.
    pub rest: &'a [u8],
}

/// Blanks, a sign, digits.
pub(super) fn scan(text: &[u8]) -> Scanned<'_> {
    let trimmed = skip_blanks(text);
    let negative = trimmed.first() == Some(&b'-');
    let unsigned = trimmed.strip_prefix(b"-").or_else(|| trimmed.strip_prefix(b"+")).unwrap_or(trimmed);
    let end = unsigned.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(unsigned.len());
    if end == 0 {
        return Scanned { negative: false, magnitude: Some(0), has_digits: false, rest: text };
    }
    let digits = unsigned[..end].iter().map(|digit| u64::from(digit - b'0'));
    let magnitude =
        digits.into_iter().try_fold(0_u64, |number, digit| number.checked_mul(10).and_then(|n| n.checked_add(digit)));
    Scanned { negative, magnitude, has_digits: true, rest: &unsigned[end..] }
}

/// The power of two that the suffix stands for, and in which way it is not the obvious one.
fn suffix(scanned: &Scanned<'_>, tera: bool) -> Result<(u32, Option<Misreading>), Refusal> {
    let Some((&letter, behind)) = scanned.rest.split_first() else {
        return Ok((0, (!scanned.has_digits).then_some(Misreading::EmptyIsZero)));
    };
    let shift = match letter.to_ascii_uppercase() {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        b'T' if tera => 40,
        b'P' if tera => 50,
        b'E' if tera => 60,
        _ => return Err(Refusal::UnknownSuffix(char::from(letter))),
    };
    let how = match behind {
        _ if !scanned.has_digits => Some(Misreading::NoDigits),
        [] => None,
        [b'+' | b'-' | b'0'..=b'9', ..] if shift == 60 => Some(Misreading::ExponentIsExa),
        unit if unit.eq_ignore_ascii_case(b"B") || unit.eq_ignore_ascii_case(b"iB") => Some(Misreading::UnitIgnored),
        _ => Some(Misreading::TextIgnored),
    };
    Ok((shift, how))
}

/// Whole numbers that count from 0.
pub(super) fn unsigned(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    let rules = rules(server);
    if text.is_empty() && rules.empty_refused {
        return Reading::refused(Refusal::EmptyValue);
    }
    // MariaDB looks at the first byte only: behind a blank a negative number still wraps.
    if rules.negatives == Negatives::Refused && text.first() == Some(&b'-') {
        return Reading::refused(Refusal::NegativeNotAllowed);
    }
    // MySQL does not look further once it has seen the sign: `-junk` is the minimum, too.
    if rules.negatives == Negatives::ToMinimum && skip_blanks(text).first() == Some(&b'-') {
        let minimum = Value::Integer(i128::from(minimum_of(shape)));
        let judgement = Judgement::Adjusted { reason: Adjustment::NegativeToMinimum, warns: true };
        return Reading { value: Some(minimum), judgement };
    }
    let scanned = scan(text);
    let Some(magnitude) = scanned.magnitude else { return Reading::refused(Refusal::Overflow) };
    let (shift, mut how) = match suffix(&scanned, rules.tera) {
        Ok(suffix) => suffix,
        Err(reason) => return Reading::refused(reason),
    };
    let number = if scanned.negative { magnitude.wrapping_neg() } else { magnitude };
    let product = number.wrapping_shl(shift);
    if product >> shift != number && !scanned.negative {
        if rules.overflow_refused {
            return Reading::refused(Refusal::Overflow);
        }
        how = Some(Misreading::SuffixWrapped);
    }
    let (value, adjustment, warns) = limit_unsigned(shape, product);
    let adjustment = if scanned.negative && magnitude != 0 { Some(Adjustment::NegativeWrapped) } else { adjustment };
    judged(Value::Integer(i128::from(value)), how, adjustment, warns)
}

fn minimum_of(shape: &Shape<'_>) -> u64 {
    shape.min.map_or(0, |min| u64::try_from(min.max(0)).unwrap_or(u64::MAX))
}

/// Maximum, then block, then minimum; a maximum of 0 is none. The minimum is worth a warning only when the number was
/// below it before it was rounded.
fn limit_unsigned(shape: &Shape<'_>, written: u64) -> (u64, Option<Adjustment>, bool) {
    let max = shape.max.and_then(|max| u64::try_from(max).ok()).filter(|max| *max != 0).unwrap_or(u64::MAX);
    let min = minimum_of(shape);
    let mut number = written.min(max);
    if shape.block_size > 1 {
        number -= number % shape.block_size;
    }
    number = number.max(min);
    let adjustment = match number {
        _ if number == written => None,
        _ if written > max => Some(Adjustment::AboveMaximum),
        _ if written < min => Some(Adjustment::BelowMinimum),
        _ => Some(Adjustment::Block),
    };
    (number, adjustment, written > max || written < min)
}

/// Whole numbers that may be negative.
pub(super) fn signed(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    let rules = rules(server);
    if text.is_empty() && rules.empty_refused {
        return Reading::refused(Refusal::EmptyValue);
    }
    let scanned = scan(text);
    let number = scanned.magnitude.and_then(|magnitude| {
        let magnitude = i128::from(magnitude);
        i64::try_from(if scanned.negative { -magnitude } else { magnitude }).ok()
    });
    let Some(number) = number else { return Reading::refused(Refusal::Overflow) };
    let (shift, mut how) = match suffix(&scanned, rules.tera) {
        Ok(suffix) => suffix,
        Err(reason) => return Reading::refused(reason),
    };
    let exact = i128::from(number) << shift;
    let Ok(product) = i64::try_from(exact).or_else(|_| {
        how = Some(Misreading::SuffixWrapped);
        if rules.overflow_refused { Err(()) } else { Ok(number.wrapping_shl(shift)) }
    }) else {
        return Reading::refused(Refusal::Overflow);
    };
    let (value, adjustment, warns) = limit_signed(shape, product);
    judged(Value::Integer(i128::from(value)), how, adjustment, warns)
}

fn limit_signed(shape: &Shape<'_>, written: i64) -> (i64, Option<Adjustment>, bool) {
    let clamped = |limit: i128| i64::try_from(limit).unwrap_or(if limit < 0 { i64::MIN } else { i64::MAX });
    let max = shape.max.filter(|max| *max > 0).map_or(i64::MAX, clamped);
    let min = shape.min.map_or(i64::MIN, clamped);
    let mut number = written.min(max);
    if shape.block_size > 1 {
        // The servers divide as if the number counted from 0.
        let pattern = number.cast_unsigned();
        number = (pattern - pattern % shape.block_size).cast_signed();
    }
    number = number.max(min);
    let adjustment = match number {
        _ if number == written => None,
        _ if written > max => Some(Adjustment::AboveMaximum),
        _ if written < min => Some(Adjustment::BelowMinimum),
        _ => Some(Adjustment::Block),
    };
    (number, adjustment, written > max || written < min)
}

fn judged(value: Value<'static>, how: Option<Misreading>, reason: Option<Adjustment>, warns: bool) -> Reading {
    let judgement = match (how, reason) {
        (Some(how), _) => Judgement::Misread { how, warns },
        (None, Some(reason)) => Judgement::Adjusted { reason, warns },
        (None, None) => Judgement::Accepted,
    };
    Reading { value: Some(value), judgement }
}

/// Numbers with a fraction: no suffixes, no hexadecimal, no infinity.
pub(super) fn real(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    let (written, how) = match skip_blanks(text) {
        [] if !text.is_empty() => return Reading::refused(Refusal::NotADecimal),
        [] if rules(server).empty_refused => return Reading::refused(Refusal::EmptyValue),
        [] => (0.0, Some(Misreading::EmptyIsZero)),
        digits => match decimal(digits) {
            Ok(number) => (number, None),
            Err(reason) => return Reading::refused(reason),
        },
    };
    #[expect(clippy::cast_precision_loss, reason = "the servers compare as double, too")]
    let limit = |limit: i128| limit as f64;
    let max = shape.max.filter(|max| *max != 0).map_or(f64::INFINITY, limit);
    let min = shape.min.map_or(f64::NEG_INFINITY, limit);
    let number = written.min(max).max(min);
    let reason = if written > max {
        Some(Adjustment::AboveMaximum)
    } else if written < min {
        Some(Adjustment::BelowMinimum)
    } else {
        None
    };
    judged(Value::Real(number), how, reason, reason.is_some())
}

fn decimal(text: &[u8]) -> Result<f64, Refusal> {
    let spelled = text.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let text = str::from_utf8(text).ok().filter(|_| spelled).ok_or(Refusal::NotADecimal)?;
    let number: f64 = text.parse().map_err(|_| Refusal::NotADecimal)?;
    if number.is_finite() { Ok(number) } else { Err(Refusal::Overflow) }
}
