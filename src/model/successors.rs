//! What takes the place of an option on another server, and what its value becomes there.
//!
//! Only what a new name alone does not carry over; a mere new name of the same variable is in the catalog. Sources: "Options and
//! variables removed" of <https://dev.mysql.com/doc/refman/8.0/en/added-deprecated-removed.html>,
//! <https://dev.mysql.com/doc/refman/8.4/en/added-deprecated-removed.html> and the page of each option there;
//! <https://mariadb.com/docs/release-notes/community-server/about/compatibility-and-differences/mariadb-vs-mysql-compatibility>. What
//! the servers at hand say to the lines that come of it is in `tests/upgrade.rs`.

use crate::catalog::{self, OptionId, State, id};
use crate::server::{Flavor, Server};
use crate::value::{Shape, as_written, parse_size};

/// How a written value becomes that of the successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// As it is.
    Same,
    /// So many times the number.
    Times(u32),
    /// The number divided, rounded up, and at least one where it was not zero.
    Divided(u32),
    /// The number plus this one, kept within 1 and 3, or within 0 and 2 going back.
    Verbosity(i8),
    /// This one, whatever was written: the old name stands alone.
    Fixed(&'static str),
    /// ON gives the first, OFF the second.
    Switch(&'static str, &'static str),
    /// The plugin for accounts that name none, as the policy writes it (measured on MySQL 9.7.4). The default needs no line, and
    /// 9.0 has no mysql_native_password.
    Policy,
    /// The size of a redo log file times the number of files.
    Files,
    /// The redo log divided among the files.
    PerFile,
}

/// What takes an option's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The option to write.
    pub new: OptionId,
    /// How its value comes of the old one.
    pub conversion: Conversion,
}

const fn becomes(old: OptionId, new: OptionId, conversion: Conversion) -> (OptionId, Successor) {
    (old, Successor { new, conversion })
}

/// Old name, new name, conversion. The first new name that a server takes counts.
const TABLE: &[(OptionId, Successor)] = &[
    becomes(id::INNODB_LOG_FILE_SIZE, id::INNODB_REDO_LOG_CAPACITY, Conversion::Files),
    becomes(id::INNODB_REDO_LOG_CAPACITY, id::INNODB_LOG_FILE_SIZE, Conversion::PerFile),
    becomes(id::EXPIRE_LOGS_DAYS, id::BINLOG_EXPIRE_LOGS_SECONDS, Conversion::Times(86400)),
    becomes(id::BINLOG_EXPIRE_LOGS_SECONDS, id::EXPIRE_LOGS_DAYS, Conversion::Divided(86400)),
    becomes(id::LOG_WARNINGS, id::LOG_ERROR_VERBOSITY, Conversion::Verbosity(1)),
    becomes(id::LOG_ERROR_VERBOSITY, id::LOG_WARNINGS, Conversion::Verbosity(-1)),
    becomes(id::DEFAULT_AUTHENTICATION_PLUGIN, id::AUTHENTICATION_POLICY, Conversion::Policy),
    becomes(id::SKIP_HOST_CACHE, id::HOST_CACHE_SIZE, Conversion::Fixed("0")),
    becomes(id::INNODB_CHECKSUMS, id::INNODB_CHECKSUM_ALGORITHM, Conversion::Switch("crc32", "none")),
    becomes(id::MAX_STATEMENT_TIME, id::MAX_EXECUTION_TIME, Conversion::Times(1000)),
    becomes(id::MAX_EXECUTION_TIME, id::MAX_STATEMENT_TIME, Conversion::Divided(1000)),
    becomes(id::SUPER_READ_ONLY, id::READ_ONLY, Conversion::Same),
    becomes(id::SQL_REQUIRE_PRIMARY_KEY, id::INNODB_FORCE_PRIMARY_KEY, Conversion::Same),
    becomes(id::INNODB_FORCE_PRIMARY_KEY, id::SQL_REQUIRE_PRIMARY_KEY, Conversion::Same),
    becomes(id::ADMIN_PORT, id::EXTRA_PORT, Conversion::Same),
    becomes(id::EXTRA_PORT, id::ADMIN_PORT, Conversion::Same),
    becomes(id::REPLICA_PARALLEL_WORKERS, id::SLAVE_PARALLEL_THREADS, Conversion::Same),
    becomes(id::SLAVE_PARALLEL_THREADS, id::REPLICA_PARALLEL_WORKERS, Conversion::Same),
    becomes(id::INNODB_UNDO_LOGS, id::INNODB_ROLLBACK_SEGMENTS, Conversion::Same),
    becomes(id::INNODB_STATS_SAMPLE_PAGES, id::INNODB_STATS_TRANSIENT_SAMPLE_PAGES, Conversion::Same),
    becomes(id::STORAGE_ENGINE, id::DEFAULT_STORAGE_ENGINE, Conversion::Same),
    becomes(id::TABLE_CACHE, id::TABLE_OPEN_CACHE, Conversion::Same),
    becomes(id::MYISAM_RECOVER, id::MYISAM_RECOVER_OPTIONS, Conversion::Same),
    becomes(id::DEFAULT_CHARACTER_SET, id::CHARACTER_SET_SERVER, Conversion::Same),
    becomes(id::DEFAULT_COLLATION, id::COLLATION_SERVER, Conversion::Same),
    becomes(id::LOG_SLOW_QUERY, id::SLOW_QUERY_LOG, Conversion::Same),
    becomes(id::LOG_SLOW_QUERY_FILE, id::SLOW_QUERY_LOG_FILE, Conversion::Same),
    becomes(id::LOG_SLOW_QUERY_TIME, id::LONG_QUERY_TIME, Conversion::Same),
    becomes(id::LOG_SLOW_MIN_EXAMINED_ROW_LIMIT, id::MIN_EXAMINED_ROW_LIMIT, Conversion::Same),
];

/// Words that went away, and the one that comes nearest. MariaDB 10.6 writes full CRC-32 only
/// (<https://mariadb.com/docs/server/server-usage/storage-engines/innodb/innodb-system-variables#innodb_checksum_algorithm>); MySQL's
/// own builds have no thread pool (<https://dev.mysql.com/doc/refman/8.4/en/thread-pool.html>).
const WORDS_GONE: &[(OptionId, &str, &str)] = &[
    (id::INNODB_CHECKSUM_ALGORITHM, "innodb", "crc32"),
    (id::INNODB_CHECKSUM_ALGORITHM, "none", "crc32"),
    (id::INNODB_CHECKSUM_ALGORITHM, "strict_innodb", "strict_crc32"),
    (id::INNODB_CHECKSUM_ALGORITHM, "strict_none", "strict_crc32"),
    (id::INNODB_FLUSH_METHOD, "ALL_O_DIRECT", "O_DIRECT"),
    (id::THREAD_HANDLING, "pool-of-threads", "one-thread-per-connection"),
];

/// The word that comes nearest to one which this server does not know.
pub fn word(option: OptionId, written: &str, shape: &Shape<'static>) -> Option<&'static str> {
    let gone = WORDS_GONE.iter().filter(|(known, old, _)| *known == option && old.eq_ignore_ascii_case(written));
    gone.map(|(_, _, new)| *new).find(|new| shape.words().any(|word| word.eq_ignore_ascii_case(new)))
}

/// The words of replication before MySQL 8.0.26 and since; MariaDB has options of both kinds.
const WORDS: [(&str, &str); 4] =
    [("slave", "replica"), ("master", "source"), ("replica", "slave"), ("source", "master")];

/// What takes the place of an option on this server, when that has such a thing.
pub fn successor(old: OptionId, server: Server) -> Option<Successor> {
    let listed = TABLE.iter().filter(|(known, _)| *known == old).map(|(_, successor)| *successor);
    listed.chain(in_other_words(old)).find(|successor| is_taken(successor.new, server))
}

fn in_other_words(old: OptionId) -> impl Iterator<Item = Successor> {
    let name = old.name();
    WORDS.iter().filter_map(move |(from, to)| {
        let new = OptionId::from_name(&name.replace(from, to)).filter(|new| *new != old)?;
        Some(Successor { new, conversion: Conversion::Same })
    })
}

fn is_taken(option: OptionId, server: Server) -> bool {
    let entry = catalog::entry(option, server);
    entry.state == State::Present && entry.is_option && !entry.plugin
}

/// How many files a redo log has when no option says it: two, in MariaDB one since 10.5.
pub fn redo_files(server: Server) -> u64 {
    if server.flavor == Flavor::Mariadb && server.at_least(10, 5, 0) { 1 } else { 2 }
}

impl Conversion {
    /// The value to write, where one can be told from what was written. `files` counts those of the redo log: of the server that the
    /// old option was for, or of the one that the new one is for, whichever has several.
    pub fn convert(self, written: Option<&str>, files: u64) -> Option<String> {
        let number = || written?.trim().parse::<u64>().ok();
        let size = |size: fn(u64, u64) -> Option<u64>| {
            parse_size(written?.trim()).ok().and_then(|bytes| size(bytes, files)).map(as_written)
        };
        match self {
            Self::Same => written.map(str::to_owned),
            Self::Times(factor) => match number() {
                Some(number) => number.checked_mul(factor.into()).map(|product| product.to_string()),
                // MariaDB takes fractions of a day or a second.
                None => {
                    let number = written?.trim().parse::<f64>().ok().filter(|number| (0.0..1e9).contains(number))?;
                    Some(((number * f64::from(factor)).ceil() as u64).to_string())
                }
            },
            Self::Divided(divisor) => number().map(|number| number.div_ceil(divisor.into()).to_string()),
            Self::Verbosity(1) => {
                // Standing alone, `log_warnings` counts one up.
                let level = if written.is_none() { 1 } else { number()? };
                Some((level + 1).clamp(1, 3).to_string())
            }
            Self::Verbosity(_) => number().map(|level| level.saturating_sub(1).min(2).to_string()),
            Self::Fixed(value) => Some(value.to_owned()),
            Self::Switch(on, off) => match written.map(str::trim) {
                None | Some("1") => Some(on.to_owned()),
                Some("0") => Some(off.to_owned()),
                Some(word) if word.eq_ignore_ascii_case("ON") => Some(on.to_owned()),
                Some(word) if word.eq_ignore_ascii_case("OFF") => Some(off.to_owned()),
                Some(_) => None,
            },
            Self::Policy => written.filter(|plugin| *plugin == "sha256_password").map(|plugin| format!("*:{plugin},,")),
            Self::Files => size(u64::checked_mul),
            Self::PerFile => size(|bytes, files| (bytes >= files).then(|| bytes.div_ceil(files))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(old: OptionId, server: Server) -> Option<&'static str> {
        successor(old, server).map(|successor| successor.new.name())
    }

    #[test]
    fn each_server_gets_the_name_that_it_takes() {
        let (new, old) = (Server::new(Flavor::Mysql, 9, 7, 4), Server::new(Flavor::Mysql, 5, 7, 44));
        let mariadb = Server::new(Flavor::Mariadb, 11, 8, 9);
        assert_eq!(on(id::INNODB_LOG_FILE_SIZE, new), Some("innodb_redo_log_capacity"));
        assert_eq!(on(id::INNODB_REDO_LOG_CAPACITY, mariadb), Some("innodb_log_file_size"));
        assert_eq!(on(id::LOG_WARNINGS, new), Some("log_error_verbosity"));
        assert_eq!(on(id::LOG_ERROR_VERBOSITY, mariadb), Some("log_warnings"));
        assert_eq!(on(id::REPLICA_NET_TIMEOUT, mariadb), Some("slave_net_timeout"));
        assert_eq!(on(id::BINLOG_EXPIRE_LOGS_SECONDS, old), Some("expire_logs_days"));
        assert_eq!(on(id::QUERY_CACHE_SIZE, new), None);
    }

    #[test]
    fn values_move_with_the_meaning() {
        let converted = |conversion: Conversion, written| conversion.convert(written, 3);
        assert_eq!(converted(Conversion::Files, Some("512M")).as_deref(), Some("1536M"));
        assert_eq!(converted(Conversion::PerFile, Some("1536M")).as_deref(), Some("512M"));
        assert_eq!(converted(Conversion::Times(86400), Some("7")).as_deref(), Some("604800"));
        assert_eq!(converted(Conversion::Times(86400), Some("0.5")).as_deref(), Some("43200"));
        assert_eq!(converted(Conversion::Divided(86400), Some("90000")).as_deref(), Some("2"));
        assert_eq!(converted(Conversion::Divided(86400), Some("0")).as_deref(), Some("0"));
        let verbosity = |level| converted(Conversion::Verbosity(1), Some(level));
        assert_eq!(["0", "1", "2", "9"].map(verbosity).map(Option::unwrap), ["1", "2", "3", "3"]);
        assert_eq!(converted(Conversion::Verbosity(-1), Some("3")).as_deref(), Some("2"));
        assert_eq!(converted(Conversion::Times(86400), Some("a week")), None);
        assert_eq!(converted(Conversion::Switch("crc32", "none"), Some("OFF")).as_deref(), Some("none"));
    }
}
