//! How large a buffer pool may be: the share table, and the sizes that a server really takes.

use crate::server::Server;

const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// The size that every server takes when nothing is set; nothing smaller is ever recommended, in bytes.
pub const SMALLEST_POOL: i128 = 128 * MIB;

/// One row of the table of shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolShare {
    /// The row holds from this much memory on, in bytes.
    pub ram: i128,
    /// Share of the budget in percent when the server has a machine to itself.
    pub machine: i128,
    /// The same when the memory is a limit of a container, unit or cgroup.
    pub container: i128,
    /// The same when other programs share the machine; the budget is half of the memory then.
    pub shared: i128,
    /// Where the row comes from.
    pub source: &'static str,
}

const SHARES: &[PoolShare] = &[
    PoolShare {
        ram: 0,
        machine: 50,
        container: 50,
        shared: 35,
        source: "half: what innodb_dedicated_server takes from 1 GiB on, \
                 https://dev.mysql.com/doc/refman/8.4/en/innodb-dedicated-server.html",
    },
    PoolShare {
        ram: GIB,
        machine: 60,
        container: 50,
        shared: 45,
        source: "60 to 70% of what is left for the server, https://mariadb.com/kb/en/innodb-buffer-pool/; \
                 half in a container, as innodb_dedicated_server does below 4 GiB",
    },
    PoolShare {
        ram: 4 * GIB,
        machine: 75,
        container: 75,
        shared: 60,
        source: "75%: innodb_dedicated_server, and the Percona XtraDB Cluster operator in containers, \
                 https://dev.mysql.com/doc/refman/8.4/en/innodb-dedicated-server.html",
    },
    PoolShare {
        ram: 8 * GIB,
        machine: 78,
        container: 75,
        shared: 63,
        source: "50 to 75%, https://dev.mysql.com/doc/refman/8.4/en/innodb-buffer-pool-resize.html, \
                 to 80%, https://mariadb.com/kb/en/innodb-buffer-pool/",
    },
    PoolShare {
        ram: 32 * GIB,
        machine: 82,
        container: 78,
        shared: 67,
        source: "own estimate: what system and connections need grows more slowly than the machine",
    },
    PoolShare { ram: 128 * GIB, machine: 88, container: 82, shared: 73, source: "own estimate, as above" },
];

/// The share of the budget that a buffer pool may take, by memory: one row for each size of machine, smallest first.
pub fn pool_shares() -> &'static [PoolShare] {
    SHARES
}

/// The share for a machine of that much memory, in percent.
pub fn pool_share(ram: i128, limited: bool, shared: bool) -> i128 {
    let row = SHARES.iter().rev().find(|row| ram >= row.ram).unwrap_or(&SHARES[0]);
    match (shared, limited) {
        (true, _) => row.shared,
        (false, true) => row.container,
        (false, false) => row.machine,
    }
}

/// The largest buffer pool that the table allows, in bytes; the default size is always allowed.
pub fn pool_ceiling(ram: i128, budget: i128, limited: bool, shared: bool) -> i128 {
    (budget * pool_share(ram, limited, shared) / 100).max(SMALLEST_POOL)
}

/// How a server divides its buffer pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolGrid {
    /// The server.
    pub server: Server,
    /// `innodb_buffer_pool_chunk_size` in bytes; 0 where the server has none or chooses it.
    pub chunk: i128,
    /// `innodb_buffer_pool_instances` where it is written.
    pub instances: Option<i128>,
    /// Processors; the default number of instances of MySQL 8.4 and later depends on them.
    pub cpus: i128,
}

impl PoolGrid {
    /// The number of instances that a pool of this size is divided into.
    pub fn instances(&self, pool: i128) -> i128 {
        if !divides_into_instances(self.server) {
            return 1;
        }
        // A pool below 1 GiB is never divided, except by MySQL 5.6 (measured: 8 instances of 16 MiB).
        let small = pool < GIB && !is_mysql_5_6(self.server);
        match self.instances {
            _ if small => 1,
            Some(written) if written > 0 => written.min(64),
            _ => default_instances(self.server, pool, self.chunk, self.cpus),
        }
    }

    /// The server takes pools in multiples of this many bytes.
    pub fn unit(&self, pool: i128) -> i128 {
        let instances = self.instances(pool);
        // A chunk that is too large for the pool shrinks to fit it.
        if self.chunk <= 0 || self.chunk * instances > pool { MIB * instances } else { self.chunk * instances }
    }

    /// The pool that the server makes of a setting, in bytes: rounded up to whole chunks in every instance.
    ///
    /// Measured: 9 GiB in 16 instances becomes 10 GiB on MySQL 9.7.4; 3000 MiB becomes 3 GiB on MariaDB 10.5.23 and
    /// stays on 10.11.19.
    pub fn effective(&self, pool: i128) -> i128 {
        let unit = self.unit(pool);
        if self.chunk <= 0 { pool } else { (pool + unit - 1) / unit * unit }
    }

    /// The largest pool that is not above `most` and that the server takes as it is; at least the default size.
    pub fn largest(&self, most: i128) -> i128 {
        let fits = |most: i128| most / self.unit(most) * self.unit(most);
        let whole = fits(most);
        // Below 1 GiB the pool is divided otherwise, so the multiple found above may not be one there.
        let whole = if whole < GIB && most >= GIB { fits(GIB - MIB) } else { whole };
        if whole < SMALLEST_POOL || self.effective(whole) != whole { SMALLEST_POOL } else { whole }
    }
}

fn is_mysql_5_6(server: Server) -> bool {
    server.flavor.is_mysql_family() && server.at_least(5, 6, 0) && !server.at_least(5, 7, 0)
}

/// MariaDB has one pool since 10.5.1.
fn divides_into_instances(server: Server) -> bool {
    server.flavor.is_mysql_family() || !server.at_least(10, 5, 0)
}

/// `innodb_buffer_pool_instances` where it is not written.
///
/// MySQL 8.4 and later: the smaller of half the chunks and a quarter of the processors, 1 for pools up to 1 GiB
/// (<https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_buffer_pool_instances>; 1 measured on
/// 9.7.4 with 2 processors). Before: 8, or 1 below 1 GiB; 1 before 5.6.
pub(super) fn default_instances(server: Server, pool: i128, chunk: i128, cpus: i128) -> i128 {
    let mysql = server.flavor.is_mysql_family();
    if !divides_into_instances(server) || (!mysql && !server.at_least(10, 0, 0)) || !server.at_least(5, 6, 0) {
        1
    } else if is_mysql_5_6(server) {
        8
    } else if mysql && server.at_least(8, 4, 0) {
        let chunk = if chunk > 0 { chunk } else { 128 * MIB };
        if pool <= GIB { 1 } else { (pool / chunk / 2).min(cpus / 4).clamp(1, 64) }
    } else if pool < GIB {
        1
    } else {
        8
    }
}
