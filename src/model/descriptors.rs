//! File descriptors: what the server asks the operating system for when it starts, and which of its settings give way when
//! it is granted less.
//!
//! Both sums are those of `sql/mysqld.cc` (`adjust_related_options` of MySQL, `init_common_variables` of MariaDB) and were
//! held against MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9, started under limits from 256 to 20000
//! (`tests/descriptors_servers.rs`, `experiments/descriptors`). Soft and hard limit are taken to be the same, as a plain
//! `LimitNOFILE` sets them: a server that asks for more than the hard limit is left at the soft one.

use super::Reader;
use super::read::{fact, has_word, is_written, known, number, number_or_zero};
use crate::catalog::id;
use crate::facts::FactId;
use crate::server::Server;
use crate::value::Outcome;

/// What decides how many descriptors a server wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptors {
    /// `max_connections`.
    pub max_connections: i128,
    /// `table_open_cache`: every table may take two.
    pub table_open_cache: i128,
    /// `open_files_limit` where it is written, else 0. It is a least value, never a limit: 2000 written, 8161 asked for
    /// and 4096 granted leave 4096 (measured on all five).
    pub open_files_limit: i128,
    /// How the flavor counts.
    pub account: Account,
}

/// How a flavor counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// MySQL 5.6 and later.
    Mysql,
    /// MariaDB 10.5 and later.
    Mariadb {
        /// `extra_max_connections`.
        extra_connections: i128,
        /// `table_open_cache_instances`.
        instances: i128,
        /// One for each group of the thread pool; counted while the pool is *not* used (measured: 17130 asked for with
        /// the pool, 32184 = 30 + 152 + 32000 + 2 without).
        groups: i128,
    },
}

/// `MYSQL_OPEN_FILES` beside connections and tables: temporary files and logs.
const MYSQL_OTHERS: i128 = 10;
const MARIADB_OTHERS: i128 = 30;
/// The table cache is never lowered below this: `TABLE_OPEN_CACHE_MIN`.
const MYSQL_LEAST_TABLES: i128 = 400;
const MARIADB_LEAST_TABLES: i128 = 200;
/// What MySQL asks for at least when nothing is written.
const MYSQL_LEAST_REQUEST: i128 = 5000;

impl Descriptors {
    /// What the server asks the operating system for. A hard limit of so many leaves every setting as it is, without a word in
    /// the log.
    pub fn wanted(&self) -> i128 {
        let each = self.max_connections;
        match self.account {
            Account::Mysql => {
                let least = if self.open_files_limit > 0 { self.open_files_limit } else { MYSQL_LEAST_REQUEST };
                (MYSQL_OTHERS + each + 2 * self.table_open_cache).max(5 * each).max(least)
            }
            Account::Mariadb { extra_connections, instances, groups } => {
                let each = each + extra_connections;
                let sum = MARIADB_OTHERS + each + 2 * self.table_open_cache * instances + groups;
                sum.max(5 * each).max(self.open_files_limit)
            }
        }
    }

    /// The smallest limit with which connections and table cache can both be used to the full.
    pub fn needed(&self) -> i128 {
        match self.account {
            Account::Mysql => MYSQL_OTHERS + self.max_connections + 2 * self.table_open_cache.max(MYSQL_LEAST_TABLES),
            Account::Mariadb { extra_connections, groups, .. } => {
                MARIADB_OTHERS + self.max_connections + extra_connections + 2 * self.table_open_cache + groups
            }
        }
    }

    /// Descriptors that the server reckons with when a limit allows so many.
    fn granted(&self, limit: i128) -> i128 {
        self.wanted().min(limit)
    }

    /// What `max_connections` becomes under a limit.
    pub fn max_connections_under(&self, limit: i128) -> i128 {
        self.connections_and_tables(limit).0
    }

    /// What `table_open_cache` becomes under a limit.
    pub fn table_open_cache_under(&self, limit: i128) -> i128 {
        self.connections_and_tables(limit).1
    }

    fn connections_and_tables(&self, limit: i128) -> (i128, i128) {
        let files = self.granted(limit);
        match self.account {
            Account::Mysql => {
                let room = unsigned(files - MYSQL_OTHERS - 2 * MYSQL_LEAST_TABLES);
                let connections = self.max_connections.min(room);
                let room = unsigned(files - MYSQL_OTHERS - connections) / 2;
                (connections, self.table_open_cache.min(room.max(MYSQL_LEAST_TABLES)))
            }
            Account::Mariadb { instances, .. } => {
                let least = self.table_open_cache.min(MARIADB_LEAST_TABLES);
                let room = unsigned(files - MARIADB_OTHERS - self.max_connections) / 2;
                let instances = instances.min((room / self.table_open_cache.max(1)).max(1));
                let room = unsigned(files - MARIADB_OTHERS - 2 * least * instances);
                let connections = self.max_connections.min(room).max(10);
                let room = unsigned(files - MARIADB_OTHERS - connections) / 2 / instances;
                (connections, self.table_open_cache.min(room.max(least)))
            }
        }
    }
}

/// The servers count without a sign: where nothing is left they take it for plenty and lower nothing (measured: 1000
/// connections stay under a limit of 1024 on MariaDB, 151 under 512 on MySQL).
fn unsigned(room: i128) -> i128 {
    if room < 0 { i128::MAX } else { room }
}

/// What the settings ask for. *Absent* where the sum is not known: MySQL before 5.6, MariaDB before 10.5.
pub fn descriptors(reader: &mut dyn Reader) -> Outcome<Descriptors> {
    let server = reader.server();
    if !is_known_for(server) {
        return Outcome::Absent;
    }
    let open_files_limit =
        if is_written(reader, id::OPEN_FILES_LIMIT) { known!(number(reader, id::OPEN_FILES_LIMIT)) } else { 0 };
    let account = if server.flavor.is_mysql_family() {
        Account::Mysql
    } else {
        Account::Mariadb {
            extra_connections: known!(number_or_zero(reader, id::EXTRA_MAX_CONNECTIONS)),
            instances: known!(instances(reader)),
            groups: known!(groups(reader)),
        }
    };
    Outcome::Known(Descriptors {
        max_connections: known!(number(reader, id::MAX_CONNECTIONS)),
        table_open_cache: known!(number(reader, id::TABLE_OPEN_CACHE)),
        open_files_limit,
        account,
    })
}

fn is_known_for(server: Server) -> bool {
    if server.flavor.is_mysql_family() { server.at_least(5, 6, 0) } else { server.at_least(10, 5, 0) }
}

/// 8 where it is not written (measured on all three); what the server shows later is what the limit left of them.
fn instances(reader: &mut dyn Reader) -> Outcome<i128> {
    if is_written(reader, id::TABLE_OPEN_CACHE_INSTANCES) {
        number(reader, id::TABLE_OPEN_CACHE_INSTANCES)
    } else {
        Outcome::Known(8)
    }
}

/// A few at most: where neither the setting nor the processors are known, none are counted.
fn groups(reader: &mut dyn Reader) -> Outcome<i128> {
    match reader.setting(id::THREAD_HANDLING) {
        Outcome::Known(handling) if has_word(&handling, "pool-of-threads") => Outcome::Known(0),
        _ => Outcome::Known(number(reader, id::THREAD_POOL_SIZE).known().unwrap_or(0)),
    }
}

/// What `max_connections` becomes under the unit's limit.
pub fn max_connections(reader: &mut dyn Reader) -> Outcome<i128> {
    let limit = fact(reader, FactId::HostOpenFiles);
    let descriptors = known!(descriptors(reader));
    limit.map(|limit| descriptors.max_connections_under(limit))
}

/// What `table_open_cache` becomes under the unit's limit.
pub fn table_open_cache(reader: &mut dyn Reader) -> Outcome<i128> {
    let limit = fact(reader, FactId::HostOpenFiles);
    let descriptors = known!(descriptors(reader));
    limit.map(|limit| descriptors.table_open_cache_under(limit))
}
