//! Booleans, enumerations and sets.

use std::borrow::Cow;

use super::{Judgement, Misreading, Reading, Refusal, Shape, Value, number};
use crate::server::Server;

/// ON or OFF by one of the six words that every server knows.
fn on_or_off(text: &[u8]) -> Option<bool> {
    let is = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    if is(["1", "on", "true"]) {
        Some(true)
    } else if is(["0", "off", "false"]) {
        Some(false)
    } else {
        None
    }
}

/// Whether a person who writes this behind a switch means yes.
pub(super) fn is_affirmative(text: &[u8]) -> bool {
    on_or_off(text) == Some(true) || text.eq_ignore_ascii_case(b"yes")
}

/// Booleans of the server itself: what is neither ON nor OFF means OFF, whatever the default is.
pub(super) fn boolean(text: &[u8]) -> Reading {
    match on_or_off(text) {
        Some(on) => Reading::accepted(Value::boolean(on)),
        None => Reading::misread(Value::boolean(false), Misreading::UnknownBooleanIsOff, true),
    }
}

/// Booleans of engines and plugins: what is neither ON nor OFF is thrown away. MariaDB looks at the first digit only.
pub(super) fn plugin_boolean(server: Server, text: &[u8]) -> Reading {
    match (on_or_off(text), text.first()) {
        (Some(on), _) => Reading::accepted(Value::boolean(on)),
        (None, Some(digit @ (b'0' | b'1'))) if !server.flavor.is_mysql_family() => {
            Reading::misread(Value::boolean(*digit == b'1'), Misreading::FirstDigitDecides, false)
        }
        _ => Reading { value: None, judgement: Judgement::DefaultKept { warns: true } },
    }
}

/// Where the word ends: at the end of the text, or in a list also at a comma or an equals sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    WithTheText,
    InAList,
}

/// What a text may stand for.
pub(super) enum Found {
    Word(usize),
    Nothing,
    Several,
}

/// The word at the beginning of a text. Blanks may follow a whole word; a unique beginning of a word is enough, but in a
/// list only for the last member.
pub(super) fn find<'a>(words: impl Iterator<Item = &'a str>, text: &[u8], ends: Ends) -> Found {
    let ended = |rest: &[u8]| match rest.first() {
        None => true,
        Some(byte) => ends == Ends::InAList && matches!(byte, b',' | b'='),
    };
    let mut found = Found::Nothing;
    for (index, word) in words.enumerate() {
        let word = word.as_bytes();
        let same = text.iter().zip(word).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        if same == word.len() {
            let blanks = text[same..].iter().take_while(|byte| **byte == b' ').count();
            if ended(&text[same + blanks..]) {
                return Found::Word(index);
            }
        } else if same == text.len() {
            found = match found {
                Found::Nothing => Found::Word(index),
                _ => Found::Several,
            };
        }
    }
    if text.is_empty() { Found::Nothing } else { found }
}

/// One word of a list: by name, unique beginning or number.
pub(super) fn enumeration(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    if text.is_empty() && number::refuses_empty(server) {
        return Reading::refused(Refusal::EmptyValue);
    }
    let index = match find(shape.words(), text, Ends::WithTheText) {
        Found::Word(index) => Some(index),
        Found::Several => return Reading::refused(Refusal::NotUnique),
        Found::Nothing => whole_number(text).and_then(|number| usize::try_from(number).ok()),
    };
    match index.and_then(|index| shape.words().nth(index)) {
        Some(word) if text.is_empty() => Reading::misread(owned(word), Misreading::EmptyIsFirstWord, false),
        Some(word) => Reading::accepted(owned(word)),
        None => Reading::refused(Refusal::NotAMember),
    }
}

fn owned(word: &str) -> Value<'static> {
    match word {
        "ON" => Value::boolean(true),
        "OFF" => Value::boolean(false),
        _ => Value::Word(Cow::Owned(word.to_owned())),
    }
}

/// The whole text as C's `strtoul` reads it: an empty one is 0, a negative one wraps.
fn whole_number(text: &[u8]) -> Option<u64> {
    let scanned = number::scan(text);
    let number = scanned.magnitude.filter(|_| scanned.rest.is_empty())?;
    Some(if scanned.negative { number.wrapping_neg() } else { number })
}

/// Some words of a list, or the number of their bits.
pub(super) fn set(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    match members(shape, server, text) {
        Ok((bits, how)) => {
            let value = Value::Set(Cow::Owned(spelled(shape, bits)));
            match how {
                Some(how) => Reading::misread(value, how, false),
                None => Reading::accepted(value),
            }
        }
        Err(reason) => match bit_mask(shape, text) {
            Some(bits) => Reading::accepted(Value::Set(Cow::Owned(spelled(shape, bits)))),
            None => Reading::refused(reason),
        },
    }
}

fn members(shape: &Shape<'_>, server: Server, text: &[u8]) -> Result<(u64, Option<Misreading>), Refusal> {
    let parts_at_equals = server.flavor.is_mysql_family();
    let mut bits = 0_u64;
    let mut how = None;
    let mut rest = text;
    while !rest.is_empty() {
        let bit = match find(shape.words(), rest, Ends::InAList) {
            Found::Word(index) => u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index)),
            Found::Nothing => return Err(Refusal::NotAMember),
            Found::Several => return Err(Refusal::NotUnique),
        };
        bits |= bit.ok_or(Refusal::NotAMember)?;
        let end = rest.iter().position(|byte| *byte == b',' || parts_at_equals && *byte == b'=').unwrap_or(rest.len());
        if rest[..end].contains(&b'=') {
            how = Some(Misreading::AfterEqualsIgnored);
        } else if rest.get(end) == Some(&b'=') {
            how = Some(Misreading::EqualsPartsMembers);
        }
        // A separator at the very end is not skipped and then found to be no member.
        rest = if end + 1 < rest.len() { &rest[end + 1..] } else { &rest[end..] };
    }
    Ok((bits, how))
}

fn bit_mask(shape: &Shape<'_>, text: &[u8]) -> Option<u64> {
    let count = u32::try_from(shape.words().count()).ok()?;
    // Signed, as C's `strtol` is.
    let bits = whole_number(text)?;
    let largest = u64::MAX.checked_shr(64_u32.saturating_sub(count))?;
    (bits <= largest).then_some(bits)
}

fn spelled(shape: &Shape<'_>, bits: u64) -> String {
    let mut list = String::new();
    for (_, word) in shape.words().take(64).enumerate().filter(|(index, _)| bits >> index & 1 == 1) {
        if !list.is_empty() {
            list.push(',');
        }
        list.push_str(word);
    }
    list
}
