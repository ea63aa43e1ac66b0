//! The few options whose written value is not the value of their variable, or that say more or less than their shape tells.

use super::charsets;
use crate::catalog::{Entry, id};
use crate::server::{Flavor, Server};
use crate::value::{self, Effect, Judgement, Kind, Misreading, Reading, Refusal, Value, Written};

/// What a server makes of an option.
pub(super) fn read(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    if entry.id == id::LOG_BIN && !matches!(written.effect, Effect::Maximum | Effect::Autoset) {
        return log_bin(written);
    }
    let mut reading = match entry.id {
        _ if written.effect == Effect::Maximum => maximum(entry, server, written),
        id::ENFORCE_GTID_CONSISTENCY if entry.shape.kind == Kind::Enumeration => {
            gtid_consistency(entry, server, written)
        }
        id::CHARACTER_SET_SERVER | id::COLLATION_SERVER | id::CHARACTER_SET_FILESYSTEM => {
            charset(entry, server, written)
        }
        id::TLS_VERSION | id::ADMIN_TLS_VERSION if written.value.is_some_and(|text| has_old_tls(text, server)) => {
            Reading { value: None, judgement: Judgement::Refused { reason: Refusal::NotAMember, fatal: true } }
        }
        _ => value::read(&entry.shape, server, written),
    };
    if entry.id == id::SKIP_NAME_RESOLVE && server.flavor.is_mysql_family() && written.effect != Effect::Maximum {
        always_on(&mut reading, server, written);
    }
    if entry.id == id::LOG_WARNINGS
        && !written.value.is_some_and(|value| value.len() < 5 && value.iter().all(u8::is_ascii_digit))
    {
        // It is read a second time by other rules: `5k` is 5, a large number wraps (measured on 5.6.24 and MariaDB 10.5.23 to 11.8.9).
        reading = Reading::NOT_JUDGED;
    }
    if is_judged_elsewhere(entry, server)
        && matches!(reading.judgement, Judgement::Accepted | Judgement::Misread { .. } | Judgement::DefaultKept { .. })
    {
        reading.judgement = Judgement::NotJudged;
    }
    reading
}

/// `log_bin` takes a base name, whatever it is, and the variable is ON; only `skip-` and `disable-` turn it off.
/// `skip-log-bin=0` turns it on (measured on 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.9).
fn log_bin(written: Written<'_>) -> Reading {
    let off = written.effect == Effect::Skip && written.value != Some(b"0");
    Reading { value: Some(Value::boolean(!off)), judgement: Judgement::Accepted }
}

/// Whether a word and a dot before the name mean another instance than the one that the variable shows: `hot.key_buffer_size` is a key
/// cache of its own, `default.key_buffer_size` is not (measured on 5.6.24, 9.7.4, MariaDB 10.11.19); in MariaDB 11 costs belong to engines.
pub(super) fn is_of_instance(name: &[u8], entry: &Entry) -> bool {
    let key_cache = [
        id::KEY_BUFFER_SIZE,
        id::KEY_CACHE_BLOCK_SIZE,
        id::KEY_CACHE_DIVISION_LIMIT,
        id::KEY_CACHE_AGE_THRESHOLD,
        id::KEY_CACHE_SEGMENTS,
        id::KEY_CACHE_FILE_HASH_SIZE,
    ];
    let is_cost = || entry.id.name().starts_with("optimizer_") && entry.id.name().ends_with("_cost");
    !name.starts_with(b"default.") && (key_cache.contains(&entry.id) || is_cost())
}

/// Options of engines take `maximum-x` for `x`. The server's own either have such a limit, refuse the prefix or do not look at it,
/// which nothing in the catalog tells (measured on 5.6.24, 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9).
fn maximum(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    if is_of_engine(entry) {
        return value::read(&entry.shape, server, Written { effect: Effect::None, ..written });
    }
    let reading = value::read(&entry.shape, server, written);
    match reading.judgement {
        Judgement::Refused { reason: Refusal::NoMaximum, .. } => Reading::NOT_JUDGED,
        _ => reading,
    }
}

fn is_of_engine(entry: &Entry) -> bool {
    // This one is the server's own, in spite of its name.
    entry.id != id::INNODB_NATIVE_FOREIGN_KEYS
        && ["innodb_", "aria_", "ndb", "mysqlx_", "ngram_"].iter().any(|begin| entry.id.name().starts_with(begin))
}

/// `skip_name_resolve` is ON whatever stands behind it (measured on 5.6.24 and 9.7.4; the latter heeds `disable-` and `enable-`).
fn always_on(reading: &mut Reading, server: Server, written: Written<'_>) {
    let switched_off = server.at_least(8, 0, 0)
        && match written.effect {
            Effect::Skip => written.value != Some(b"0"),
            Effect::Enable => written.value == Some(b"0"),
            _ => false,
        };
    if switched_off || reading.value == Some(Value::boolean(true)) {
        return;
    }
    let warns = matches!(reading.judgement, Judgement::Misread { warns: true, .. });
    reading.value = Some(Value::boolean(true));
    reading.judgement = Judgement::Misread { how: Misreading::AlwaysOn, warns };
}

/// Texts that the server compares with lists or forms which the catalog does not hold: names of character sets, ciphers, tables.
fn is_judged_elsewhere(entry: &Entry, server: Server) -> bool {
    let names = [
        id::CHARACTER_SET_FILESYSTEM,
        id::CHARACTER_SET_SERVER,
        id::COLLATION_SERVER,
        id::LC_MESSAGES,
        id::LC_TIME_NAMES,
        id::DATE_FORMAT,
        id::DATETIME_FORMAT,
        id::TIME_FORMAT,
        id::FT_BOOLEAN_SYNTAX,
        id::BIND_ADDRESS,
        id::REPLICATE_DO_TABLE,
        id::REPLICATE_IGNORE_TABLE,
        id::REPLICATE_WILD_DO_TABLE,
        id::REPLICATE_WILD_IGNORE_TABLE,
        id::REPLICATE_REWRITE_DB,
        id::SESSION_TRACK_SYSTEM_VARIABLES,
        id::DEFAULT_AUTHENTICATION_PLUGIN,
        id::AUTHENTICATION_POLICY,
        id::PERFORMANCE_SCHEMA_INSTRUMENT,
    ];
    let mysql = [
        id::ADMIN_SSL_CIPHER,
        id::SSL_CIPHER,
        id::ADMIN_TLS_CIPHERSUITES,
        id::TLS_CIPHERSUITES,
        id::ADMIN_TLS_VERSION,
        id::TLS_VERSION,
        id::CACHING_SHA2_PASSWORD_STORAGE_FORMAT,
        id::LOG_ERROR_SERVICES,
        id::LOG_ERROR_SUPPRESSION_LIST,
        id::PROTOCOL_COMPRESSION_ALGORITHMS,
        id::PERFORMANCE_SCHEMA_LOGGER,
        id::PERFORMANCE_SCHEMA_METER,
    ];
    let mariadb = [id::CHARACTER_SET_COLLATIONS, id::REDIRECT_URL, id::TLS_VERSION];
    names.contains(&entry.id)
        || if server.flavor == Flavor::Mariadb { mariadb.contains(&entry.id) } else { mysql.contains(&entry.id) }
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
        // Of its two readers the one that a start asks takes whole words only: `tru` is OFF, with a warning (measured on 9.7.4).
        let is_word_with_blanks = ["ON", "OFF", "WARN", "TRUE", "FALSE"].iter().any(|word| is_in_blanks(text, word));
        if is_word_with_blanks {
            return Reading::NOT_JUDGED;
        }
        let judgement = Judgement::Misread { how: Misreading::UnknownBooleanIsOff, warns: true };
        Reading { value: Some(Value::boolean(false)), judgement }
    }
}

fn is_in_blanks(text: &[u8], word: &str) -> bool {
    text.trim_ascii().eq_ignore_ascii_case(word.as_bytes())
}

/// MySQL 9.7 no longer takes `utf8` for utf8mb3, neither as character set nor at the beginning of a collation (measured on 9.7.4; 9.6 and
/// earlier could not be asked).
fn charset(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    let mut written = written;
    if let (id::CHARACTER_SET_SERVER, Some(list)) = (entry.id, written.value)
        && list.contains(&b',')
    {
        // The first set of a list that the server has (measured on 5.6.24, MariaDB 10.5.23, 10.11.19 and 11.8.9); 9.7.4 knows no lists,
        // and what MySQL between says could not be asked.
        match server.flavor.is_mysql_family() && server.at_least(5, 7, 0) {
            true if !server.at_least(9, 7, 0) => return Reading::NOT_JUDGED,
            true => {}
            false => {
                let mut words = list.split(|byte| *byte == b',');
                let is_there =
                    |word: &&[u8]| charsets::has_set(&String::from_utf8_lossy(word).to_ascii_lowercase(), server);
                written.value = words.find(is_there).or(written.value);
            }
        }
    }
    let is_alias = written.value.is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        text == b"utf8" || text.starts_with(b"utf8_")
    });
    if is_alias && server.flavor.is_mysql_family() && server.at_least(9, 7, 0) {
        let judgement = Judgement::Refused { reason: Refusal::AliasGone, fatal: true };
        return Reading { value: None, judgement };
    }
    let is_unknown = |text: &[u8]| {
        let name = String::from_utf8_lossy(text).to_ascii_lowercase();
        match entry.id {
            id::COLLATION_SERVER => is_of_another_server(&name, server) || !charsets::may_have_collation(&name, server),
            _ => !charsets::has_set(&name, server),
        }
    };
    if written.effect == Effect::None && written.value.is_some_and(is_unknown) {
        return Reading { value: None, judgement: Judgement::Refused { reason: Refusal::NotAMember, fatal: true } };
    }
    let mut reading = value::read(&entry.shape, server, written);
    // The catalog does not list the words.
    if let (None, Judgement::NotJudged, Some(text)) = (&reading.value, reading.judgement, written.value) {
        reading.value = Some(Value::Word(String::from_utf8_lossy(text).into_owned().into()));
    }
    reading
}

/// MySQL stops at versions of TLS before 1.2 since 8.0.28, which dropped them (8.0.28 stops at a word where 8.0.27 did not:
/// <https://github.com/docker-library/mysql/issues/813>), and 9.7 at blanks between them too (measured on 9.7.4).
fn has_old_tls(versions: &[u8], server: Server) -> bool {
    let is_taken = |word: &[u8]| [b"TLSv1.2", b"TLSv1.3"].iter().any(|known| word.eq_ignore_ascii_case(*known));
    let trims = !server.at_least(9, 7, 0);
    let mut words = versions.split(|byte| *byte == b',').map(|word| if trims { word.trim_ascii() } else { word });
    let looks = server.flavor.is_mysql_family() && server.at_least(8, 0, 28) && !versions.is_empty();
    looks && !words.all(is_taken)
}

/// Collations by which the flavors' newer releases sort, and which the others do not know. `utf8mb4_0900_…` came with MySQL 8.0.1
/// (<https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-1.html>) and MariaDB 11.4.5
/// (<https://jira.mariadb.org/browse/MDEV-20912>), `…_uca1400_…` with MariaDB 10.10.1 (<https://jira.mariadb.org/browse/MDEV-27009>);
/// `…_nopad_…` is MariaDB's. Measured on 5.6.24, 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9, none of which takes `uca1400_…` without a
/// character set.
fn is_of_another_server(collation: &str, server: Server) -> bool {
    let (weights_900, weights_1400) = (collation.contains("_0900_"), collation.contains("uca1400"));
    if server.flavor.is_mysql_family() {
        return weights_900 && !server.at_least(8, 0, 1) || weights_1400 || collation.contains("_nopad_");
    }
    weights_900 && !server.at_least(11, 4, 5)
        || weights_1400 && !server.at_least(10, 10, 1)
        || collation.starts_with("uca1400")
}
