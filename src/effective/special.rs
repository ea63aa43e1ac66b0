//! The few options whose written value is not the value of their variable, or of which a server takes other words than its tables say.

use crate::catalog::{Entry, id};
use crate::server::Server;
use crate::value::{self, Effect, Judgement, Kind, Misreading, Reading, Refusal, Value, Written};

/// What a server makes of an option.
pub(super) fn read(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    match entry.id {
        id::LOG_BIN => log_bin(written),
        id::ENFORCE_GTID_CONSISTENCY if entry.shape.kind == Kind::Enumeration => {
            gtid_consistency(entry, server, written)
        }
        id::CHARACTER_SET_SERVER | id::COLLATION_SERVER | id::CHARACTER_SET_FILESYSTEM => {
            charset(entry, server, written)
        }
        _ => value::read(&entry.shape, server, written),
    }
}

/// `log_bin` takes a base name, whatever it is, and the variable is ON; only `skip-` and `disable-` turn it off.
/// `skip-log-bin=0` turns it on (measured on 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.9).
fn log_bin(written: Written<'_>) -> Reading {
    let off = written.effect == Effect::Skip && written.value != Some(b"0");
    Reading { value: Some(Value::boolean(!off)), judgement: Judgement::Accepted }
}

/// The option was a boolean once, and still takes `TRUE` and `FALSE`; what it does not know it takes for OFF, with a warning
/// (measured on 9.7.4).
fn gtid_consistency(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    let Some(text) = written.value.filter(|_| written.effect == Effect::None) else {
        return value::read(&entry.shape, server, written);
    };
    let is = |word: &str| text.eq_ignore_ascii_case(word.as_bytes());
    let accepted = |value| Reading { value: Some(value), judgement: Judgement::Accepted };
    if is("TRUE") || is("ON") || is("1") {
        accepted(Value::boolean(true))
    } else if is("FALSE") || is("OFF") || is("0") {
        accepted(Value::boolean(false))
    } else if is("WARN") || is("2") {
        accepted(Value::Word("WARN".into()))
    } else {
        let judgement = Judgement::Misread { how: Misreading::UnknownBooleanIsOff, warns: true };
        Reading { value: Some(Value::boolean(false)), judgement }
    }
}

/// MySQL 9.7 no longer takes `utf8` for utf8mb3, neither as character set nor at the beginning of a collation (measured on 9.7.4; 9.6 and
/// earlier could not be asked).
fn charset(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    let is_alias = written.value.is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        text == b"utf8" || text.starts_with(b"utf8_")
    });
    if is_alias && server.flavor.is_mysql_family() && server.at_least(9, 7, 0) {
        let judgement = Judgement::Refused { reason: Refusal::AliasGone, fatal: true };
        return Reading { value: None, judgement };
    }
    let mut reading = value::read(&entry.shape, server, written);
    // The catalog does not list the words.
    if let (None, Judgement::NotJudged, Some(text)) = (&reading.value, reading.judgement, written.value) {
        reading.value = Some(Value::Word(String::from_utf8_lossy(text).into_owned().into()));
    }
    reading
}
