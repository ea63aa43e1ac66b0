//! The few options whose written value is not the value of their variable, or that say more or less than their shape tells.

use crate::catalog::{Entry, id};
use crate::server::{Flavor, Server};
use crate::value::{self, Effect, Judgement, Misreading, Reading, Value, Written};

/// What a server makes of an option.
pub(super) fn read(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    if entry.id == id::LOG_BIN {
        return log_bin(written);
    }
    let mut reading = match written.effect {
        Effect::Maximum => maximum(entry, server, written),
        _ => value::read(&entry.shape, server, written),
    };
    if entry.id == id::SKIP_NAME_RESOLVE && server.flavor.is_mysql_family() {
        always_on(&mut reading, server, written);
    }
    if is_judged_elsewhere(entry, server)
        && matches!(reading.judgement, Judgement::Accepted | Judgement::Misread { .. } | Judgement::DefaultKept { .. })
    {
        reading.judgement = Judgement::NotJudged;
    }
    if is_read_early(entry, server) {
        without_warning(&mut reading);
    }
    reading
}

/// `log_bin` takes a base name, whatever it is, and the variable is ON; only `skip-` and `disable-` turn it off.
/// `skip-log-bin=0` turns it on (measured on 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.9).
fn log_bin(written: Written<'_>) -> Reading {
    let off = written.effect == Effect::Skip && written.value != Some(b"0");
    Reading { value: Some(Value::boolean(!off)), judgement: Judgement::Accepted }
}

/// Options of engines take `maximum-x` for `x`; of the server's own variables only numbers with a value per session have such a
/// limit; names that are no variable do not look at the prefix (measured on 5.6.24, 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9).
fn maximum(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    if is_of_engine(entry) {
        return value::read(&entry.shape, server, Written { effect: Effect::None, ..written });
    }
    if !entry.is_variable {
        return Reading::NOT_JUDGED;
    }
    value::read(&entry.shape, server, written)
}

fn is_of_engine(entry: &Entry) -> bool {
    ["innodb_", "aria_", "ndb", "mysqlx_", "ngram_"].iter().any(|begin| entry.id.name().starts_with(begin))
}

/// `skip_name_resolve` is ON whatever stands behind it (measured on 5.6.24 and 9.7.4; the latter heeds `disable-`).
fn always_on(reading: &mut Reading, server: Server, written: Written<'_>) {
    let switched_off = written.effect == Effect::Skip && written.value != Some(b"0") && server.at_least(8, 0, 0);
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

/// MySQL before 5.7 and MariaDB read these before they can print warnings: a value is adjusted without a word (measured on 5.6.24,
/// MariaDB 10.5.23, 10.11.19 and 11.8.9).
fn is_read_early(entry: &Entry, server: Server) -> bool {
    (server.flavor == Flavor::Mariadb || !server.at_least(5, 7, 0)) && entry.id.name().starts_with("performance_schema")
}

fn without_warning(reading: &mut Reading) {
    match &mut reading.judgement {
        Judgement::Adjusted { warns, .. } | Judgement::DefaultKept { warns } | Judgement::Misread { warns, .. } => {
            *warns = false
        }
        _ => {}
    }
}
