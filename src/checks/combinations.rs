//! What a server says at its start about settings that do not fit each other, or a value that it takes and does not like.
//!
//! Measured on MySQL 5.6.24 and 9.7.4 and on MariaDB 10.5.23, 10.11.19 and 11.8.9; releases between them like the older neighbour.

use super::Reaction;
use crate::catalog::{self, OptionId, Resolved, id};
use crate::effective::{Assignment, Effective};
use crate::server::Flavor;
use crate::value::{Effect, Outcome, Value};

/// What the server says about one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The system variable.
    pub variable: OptionId,
    /// How loud.
    pub reaction: Reaction,
}

/// What the server says about settings that do not fit each other.
pub(super) fn remarks(effective: &Effective<'_>) -> Vec<Remark> {
    let mut variables = Vec::new();
    binary_log(effective, &mut variables);
    slow_log(effective, &mut variables);
    sql_mode(effective, &mut variables);
    if server_empties_slow_filter(effective) {
        variables.push(id::LOG_SLOW_FILTER);
    }
    utf8mb3(effective, &mut variables);
    packets(effective, &mut variables);
    if server_dislikes_tls(effective) {
        variables.push(id::TLS_VERSION);
    }
    let mut remarks: Vec<_> =
        variables.into_iter().map(|variable| Remark { variable, reaction: Reaction::Warns }).collect();
    if collation_of_another(effective).is_some() {
        remarks.push(Remark { variable: id::COLLATION_SERVER, reaction: Reaction::Refuses });
    }
    // "Could not allocate memory for connection handling": the word is the server's own (measured on 9.7.4; older ones take it).
    let mysql = effective.server.flavor.is_mysql_family() && effective.server.at_least(9, 7, 0);
    let is_set = effective.get(id::THREAD_HANDLING).is_some();
    if mysql && is_set && text(effective, id::THREAD_HANDLING).is_some_and(|word| word == "loaded-dynamically") {
        remarks.push(Remark { variable: id::THREAD_HANDLING, reaction: Reaction::Refuses });
    }
    remarks
}

fn binary_log(effective: &Effective<'_>, found: &mut Vec<OptionId>) {
    let server = effective.server;
    let old_mysql = server.flavor.is_mysql_family() && !server.at_least(5, 7, 0);
    let mariadb = server.flavor == Flavor::Mariadb;
    if is_open(effective, id::LOG_BIN) {
        return;
    }
    let log = effective.winner(id::LOG_BIN);
    // Without a name for its files the log is lost when the host gets another name. MySQL keeps the name of an earlier line.
    let nameless = if mariadb {
        log.is_some_and(is_nameless)
    } else {
        let lines = effective.get(id::LOG_BIN).map(|setting| &setting.origins);
        lines.is_some_and(|lines| lines.iter().all(|line| effective.assignments.get(*line).is_some_and(is_nameless)))
    };
    let named_elsewhere = [id::LOG_BIN_INDEX, id::LOG_BASENAME].iter().any(|id| effective.get(*id).is_some());
    if (old_mysql || mariadb) && nameless && is_on(effective, id::LOG_BIN) && !named_elsewhere {
        found.push(id::LOG_BIN);
    }
    // MariaDB says nothing when the log is turned off by name.
    let off = !is_on(effective, id::LOG_BIN) && (log.is_none() || !mariadb);
    // A node of a cluster writes events all the same.
    let has_provider = text(effective, id::WSREP_PROVIDER).is_some_and(|provider| !matches!(&*provider, "" | "none"));
    let in_cluster = is_on(effective, id::WSREP_ON) && has_provider;
    let quiet = mariadb && (server.at_least(11, 0, 0) || in_cluster);
    if off && !quiet {
        let useless = [id::BINLOG_FORMAT, id::LOG_REPLICA_UPDATES, id::LOG_SLAVE_UPDATES];
        let asked = |variable: &OptionId| {
            effective.get(*variable).is_some() && (*variable == id::BINLOG_FORMAT || is_on(effective, *variable))
        };
        found.extend(useless.into_iter().filter(asked));
    }
}

/// Whether a line gives `log_bin` no name. What stands behind `skip-` or `enable-` is none.
fn is_nameless(line: &Assignment<'_>) -> bool {
    let prefixed = matches!(&line.resolved, Resolved::Option { prefixes, .. } if prefixes.effect != Effect::None);
    prefixed || line.value.as_deref().is_none_or(<[u8]>::is_empty)
}

/// Whether something is set of which nobody knows what it comes to.
fn is_open(effective: &Effective<'_>, variable: OptionId) -> bool {
    effective.get(variable).is_some_and(|setting| setting.value == Outcome::Unknown)
}

fn slow_log(effective: &Effective<'_>, found: &mut Vec<OptionId>) {
    if effective.server.flavor == Flavor::Mariadb
        || is_open(effective, id::SLOW_QUERY_LOG)
        || is_on(effective, id::SLOW_QUERY_LOG)
    {
        return;
    }
    let useless = [
        id::LOG_QUERIES_NOT_USING_INDEXES,
        id::LOG_SLOW_ADMIN_STATEMENTS,
        id::LOG_SLOW_REPLICA_STATEMENTS,
        id::LOG_SLOW_SLAVE_STATEMENTS,
    ];
    let asked = |variable: &OptionId| effective.get(*variable).is_some() && is_on(effective, *variable);
    found.extend(useless.into_iter().filter(asked));
}

/// MariaDB takes an empty filter of the slow log for everything.
fn server_empties_slow_filter(effective: &Effective<'_>) -> bool {
    let empty = effective.decided(id::LOG_SLOW_FILTER).is_some_and(|line| line.value.as_deref() == Some(b""));
    empty && effective.server.flavor == Flavor::Mariadb && effective.server.at_least(10, 11, 0)
}

/// MySQL wants the three modes about zeros and strict mode all together; 5.6 calls them deprecated.
fn sql_mode(effective: &Effective<'_>, found: &mut Vec<OptionId>) {
    let server = effective.server;
    if server.flavor == Flavor::Mariadb || !server.at_least(5, 6, 0) {
        return;
    }
    let Some(Outcome::Known(Value::Set(modes))) = effective.get(id::SQL_MODE).map(|setting| &setting.value) else {
        return;
    };
    let has = |wanted: &str| modes.split(',').any(|mode| mode == wanted);
    // TRADITIONAL and the like hold the others without a word.
    if has("TRADITIONAL") {
        return;
    }
    let about_zeros = ["NO_ZERO_DATE", "NO_ZERO_IN_DATE", "ERROR_FOR_DIVISION_BY_ZERO"];
    let count = about_zeros.iter().filter(|mode| has(mode)).count();
    let strict = has("STRICT_TRANS_TABLES") || has("STRICT_ALL_TABLES");
    let says = if server.at_least(5, 7, 0) { if strict { count < 3 } else { count > 0 } } else { count > 0 };
    if says {
        found.push(id::SQL_MODE);
    }
}

fn utf8mb3(effective: &Effective<'_>, found: &mut Vec<OptionId>) {
    let server = effective.server;
    if server.flavor == Flavor::Mariadb || !server.at_least(8, 4, 0) {
        return;
    }
    for variable in [id::CHARACTER_SET_SERVER, id::COLLATION_SERVER, id::CHARACTER_SET_FILESYSTEM] {
        if effective.get(variable).is_some()
            && text(effective, variable).is_some_and(|name| name.starts_with("utf8mb3"))
        {
            found.push(variable);
        }
    }
}

/// A buffer that is larger than what may ever be sent.
fn packets(effective: &Effective<'_>, found: &mut Vec<OptionId>) {
    let number = |variable| match effective.get(variable) {
        Some(setting) => setting.value.clone().known().and_then(|value| value.as_integer()),
        None => catalog::effective_default(variable, effective.server).value().and_then(Value::as_integer),
    };
    let written = effective.get(id::NET_BUFFER_LENGTH).or(effective.get(id::MAX_ALLOWED_PACKET)).is_some();
    let sizes = || number(id::NET_BUFFER_LENGTH).zip(number(id::MAX_ALLOWED_PACKET));
    if written && sizes().is_some_and(|(buffer, packet)| buffer > packet) {
        found.push(id::NET_BUFFER_LENGTH);
    }
}

/// MariaDB calls these versions insecure.
fn server_dislikes_tls(effective: &Effective<'_>) -> bool {
    let old = |version: &str| ["tlsv1.0", "tlsv1.1"].contains(&version.trim());
    effective.server.flavor == Flavor::Mariadb
        && effective.get(id::TLS_VERSION).is_some_and(|setting| match &setting.value {
            Outcome::Known(Value::Set(versions) | Value::Word(versions)) => versions.to_lowercase().split(',').any(old),
            Outcome::Known(Value::Text(versions)) => {
                String::from_utf8_lossy(versions).to_lowercase().split(',').any(old)
            }
            _ => false,
        })
}

/// The character set of the server and the one to which its collation belongs, where they differ: the server refuses.
pub(super) fn collation_of_another(effective: &Effective<'_>) -> Option<(String, String)> {
    effective.get(id::COLLATION_SERVER)?;
    let collation = text(effective, id::COLLATION_SERVER)?;
    let set = text(effective, id::CHARACTER_SET_SERVER)?;
    // MariaDB's collations by Unicode's newer tables fit every character set of Unicode.
    if collation.starts_with("uca1400") || collation.is_empty() {
        return None;
    }
    let own = |name: &str| if name == "utf8" { "utf8mb3".to_owned() } else { name.to_owned() };
    let of_collation = own(collation.split('_').next()?);
    let set = own(&set);
    (of_collation != set).then_some((set, of_collation))
}

/// The setting as lower-case text, the default where nothing set it.
pub(super) fn text(effective: &Effective<'_>, variable: OptionId) -> Option<String> {
    let lower = |value: &Value<'_>| match value {
        Value::Text(bytes) => Some(String::from_utf8_lossy(bytes).to_lowercase()),
        Value::Word(word) => Some(word.to_lowercase()),
        _ => None,
    };
    match effective.get(variable) {
        Some(setting) => match &setting.value {
            Outcome::Known(value) => lower(value),
            Outcome::Unknown | Outcome::Absent => None,
        },
        None => lower(catalog::effective_default(variable, effective.server).value()?),
    }
}

/// Whether a setting is surely on.
pub(super) fn is_on(effective: &Effective<'_>, variable: OptionId) -> bool {
    let on = Value::boolean(true);
    match effective.get(variable) {
        Some(setting) => setting.value == Outcome::Known(on),
        None => match catalog::effective_default(variable, effective.server) {
            // The default of `log_bin` is the name of its files.
            catalog::Default::Value(Value::Text(_)) => true,
            catalog::Default::Value(value) => value == on,
            _ => false,
        },
    }
}
