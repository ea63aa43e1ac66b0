//! What memory the server plans with, and what its settings make it take.
//!
//! Other advisors charge every allowed connection with every buffer at once; here all connections idle and some work.

use super::Reader;
use super::pool::{PoolGrid, SMALLEST_POOL, default_instances, pool_ceiling, pool_share};
use super::read::{fact, has_word, is_on, is_written, known, number, number_or_zero, surely};
use crate::catalog::{OptionId, id};
use crate::facts::FactId;
use crate::server::Server;
use crate::value::Outcome;

const KIB: i128 = 1 << 10;
const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// The machine, as far as memory is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Memory that the server may use, in bytes: without huge pages that it does not ask for.
    pub ram: i128,
    /// Whether that is a limit of a container, unit or cgroup.
    pub limited: bool,
    /// Whether other programs share it.
    pub shared: bool,
}

impl Machine {
    /// Memory that the server may plan with, in bytes: all of it, or half when it is shared.
    pub fn budget(&self) -> i128 {
        if self.shared { self.ram / 2 } else { self.ram }
    }

    /// Memory that stays with kernel, shells and agents, in bytes: 2.5%, from 128 MiB to 4 GiB. Own estimate. The page
    /// cache is not in it: it gives way.
    pub fn os_reserve(&self) -> i128 {
        (self.budget() / 40).clamp(128 * MIB, 4 * GIB)
    }

    /// What the server may take before somebody should be warned, in bytes.
    pub fn available(&self) -> i128 {
        (self.budget() - self.os_reserve()).max(0)
    }

    /// The largest buffer pool that the share table allows, in bytes.
    pub fn pool_ceiling(&self) -> i128 {
        pool_ceiling(self.ram, self.budget(), self.limited, self.shared)
    }
}

/// What the settings make a server take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// How the buffer pool is divided.
    pub grid: PoolGrid,
    /// `innodb_buffer_pool_size` in bytes.
    pub pool: i128,
    /// Everything that is taken once besides the pool, in bytes.
    pub other_caches: i128,
    /// How much of that depends on the number of connections: the Performance Schema.
    pub schema: Schema,
    /// What is taken once in the worst case only: full table caches, in-memory temporary tables, a key buffer that nobody
    /// asked for.
    pub other_caches_at_worst: i128,
    /// One connection that idles, in bytes.
    pub idle: i128,
    /// What one connection at work takes above that, in bytes.
    pub active: i128,
    /// What one connection at its heaviest statement takes above that, in bytes.
    pub worst: i128,
    /// `max_connections`, and `extra_max_connections` on MariaDB.
    pub connections: i128,
    /// Threads of the thread pool, where there is one.
    pub thread_pool: Option<i128>,
}

impl Demand {
    /// Connections expected to be at work at the same time: what a thread pool lets through, else four for each
    /// processor and at least 16. Own estimate.
    pub fn active_connections(&self) -> i128 {
        self.active_among(self.connections)
    }

    fn active_among(&self, connections: i128) -> i128 {
        self.thread_pool.unwrap_or((4 * self.grid.cpus).max(16)).min(connections)
    }

    /// The pool as the server lays it out and everything else that is taken once, in bytes.
    pub fn global(&self) -> i128 {
        self.global_with(self.pool)
    }

    fn global_with(&self, pool: i128) -> i128 {
        let pool = self.grid.effective(pool);
        pool + pool_overhead(self.grid.server, pool) + self.other_caches
    }

    /// Memory of all allowed connections while they idle, in bytes.
    pub fn connections_idle(&self) -> i128 {
        self.connections * self.idle
    }

    /// What the connections at work take above that, in bytes.
    pub fn connections_active(&self) -> i128 {
        self.active_connections() * self.active
    }

    /// Memory expected at the busiest moment, in bytes.
    pub fn expected_peak(&self) -> i128 {
        self.peak_with(self.pool, self.connections)
    }

    /// The same with another buffer pool.
    pub fn peak_with_pool(&self, pool: i128) -> i128 {
        self.peak_with(pool, self.connections)
    }

    fn peak_with(&self, pool: i128, connections: i128) -> i128 {
        let fewer = self.schema.bytes(self.connections) - self.schema.bytes(connections);
        self.global_with(pool) - fewer + connections * self.idle + self.active_among(connections) * self.active
    }

    /// Memory if every allowed connection ran its heaviest statement at once, in bytes.
    pub fn worst_case(&self) -> i128 {
        self.global() + self.other_caches_at_worst + self.connections * (self.idle + self.worst)
    }

    /// The largest pool that neither exceeds the share table nor makes the expected peak exceed what is available, in
    /// sizes that the server takes as they are. Where not even the smallest pool would fit, the connections are what is too large:
    /// then it is held to the share table and to what fits beside none of them.
    pub fn pool_recommended(&self, machine: &Machine) -> i128 {
        let beside = |connections| {
            let rest = self.peak_with(0, connections);
            (machine.available() - rest) * 100 / (100 + overhead_percent(self.grid.server))
        };
        let room = match beside(self.connections) {
            room if room < SMALLEST_POOL => self.pool.min(beside(0)),
            room => room,
        };
        self.grid.largest(room.min(machine.pool_ceiling()))
    }

    /// The most connections, in tens, that fit beside the pool that stands, or the recommended one if that is smaller;
    /// `None` when not even ten do. What is to be set when the pool is not what is too large.
    pub fn connections_recommended(&self, machine: &Machine) -> Option<i128> {
        let pool = self.pool.min(self.pool_recommended(machine));
        let fits = |connections: i128| self.peak_with(pool, connections) <= machine.available();
        let (mut low, mut high) = (0, self.connections / 10);
        while low < high {
            let middle = (low + high + 1) / 2;
            if fits(middle * 10) { low = middle } else { high = middle - 1 }
        }
        (low > 0 && fits(low * 10)).then_some(low * 10)
    }
}

/// What InnoDB keeps beside a pool of this size to manage it, in bytes.
pub fn pool_overhead(server: Server, pool: i128) -> i128 {
    pool * overhead_percent(server) / 100
}

/// Measured with pools of 16 MiB to 4 GiB (`experiments/buffer-pool`): 8% on MySQL 9.7.4 and 5.6.24 before a page is read; 1 to
/// 2% on MariaDB 10.5.23, 10.11.19 and 11.8.9, whose control blocks lie inside the pool, and 2 to 4% there once it is full.
fn overhead_percent(server: Server) -> i128 {
    if server.flavor.is_mysql_family() { 8 } else { 3 }
}

/// One idle connection that has worked before, in bytes, without the Performance Schema.
///
/// Measured with 2000 connections after a sort (`experiments/idle-connections`): 100 to 112 KiB on MariaDB 10.5.23, 10.11.19
/// and 11.8.9, 72 to 82 KiB there with a thread pool; 64 KiB on MySQL 5.6.24 and 250 KiB on 9.7.4. MySQL 5.7, which could
/// not be asked, rests on 5.6, and 8.0 on 9.7.
fn idle_connection(server: Server, thread_pool: bool) -> i128 {
    match server.flavor.is_mysql_family() {
        true if server.at_least(8, 0, 0) => 250 * KIB,
        true => 65 * KIB,
        false if thread_pool => 80 * KIB,
        false => 110 * KIB,
    }
}

/// The server itself, without caches, in bytes: what was resident after the start with a cold pool of 128 MiB and without the
/// Performance Schema (`experiments/performance-schema`), less that pool's overhead and the redo log buffer: MySQL 5.6.24 41 MiB,
/// 9.7.4 282 MiB, of which some 70 MiB are the table caches below; MariaDB 10.11.19 98 MiB and 11.8.9 117 MiB.
fn server_base(server: Server) -> i128 {
    match server.flavor.is_mysql_family() {
        true if server.at_least(8, 0, 0) => 150 * MIB,
        true if !server.at_least(5, 7, 0) => 30 * MIB,
        _ => 100 * MIB,
    }
}

/// What the Performance Schema takes, by the number of connections. It keeps room for threads in pages of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// With up to 151 allowed connections.
    at_start: i128,
    /// More at the start for each allowed connection above, and how much at most.
    allowed: (i128, i128),
    /// Each page of threads after the first, taken when that many connections are there.
    page: i128,
    /// Threads that are no connections.
    own_threads: i128,
}

impl Schema {
    const OFF: Self = Self { at_start: 0, allowed: (0, 0), page: 0, own_threads: 0 };

    fn bytes(self, connections: i128) -> i128 {
        let (each, most) = self.allowed;
        let pages = ((connections + self.own_threads + 255) / 256 - 1).max(0);
        self.at_start + ((connections - 151).max(0) * each).min(most) + pages * self.page
    }
}

/// The Performance Schema while it is on.
///
/// Measured (`experiments/performance-schema`, `experiments/idle-connections`): MariaDB 10.5.23, 10.11.19 and 11.8.9 take 94 MiB
/// at the start, 136 MiB with 1000 connections or more, and 41 MiB for each page; MySQL 9.7.4 177 MiB with a table cache of 400,
/// else 243 MiB, and 67 MiB for each page; MySQL 5.6.24 takes everything at the start: 74, 404 or 444 MiB with 400, 2000 or
/// 4000 open tables, and 176 KiB for each allowed connection above 151. MySQL 5.7 and 8, which could not be asked, rest on
/// 9.7.
fn performance_schema(server: Server, tables: i128) -> Schema {
    if !server.flavor.is_mysql_family() {
        return Schema { at_start: 94 * MIB, allowed: (50 * KIB, 42 * MIB), page: 41 * MIB, own_threads: 12 };
    }
    if server.at_least(5, 7, 0) {
        let at_start = if tables <= 400 { 177 * MIB } else { 243 * MIB };
        return Schema { at_start, allowed: (0, 0), page: 67 * MIB, own_threads: 45 };
    }
    let at_start = match tables {
        ..=400 => 74 * MIB,
        401..=2000 => 404 * MIB,
        _ => 444 * MIB,
    };
    Schema { at_start, allowed: (176 * KIB, i128::MAX), page: 0, own_threads: 0 }
}

/// The machine that the facts describe. Nobody who shares it is assumed unless it is said.
pub fn machine(reader: &mut dyn Reader) -> Outcome<Machine> {
    let ram = fact(reader, FactId::HostRam);
    let limited = surely(reader, FactId::HostLimited);
    let shared = surely(reader, FactId::WorkloadShared);
    let idle = if limited { 0 } else { unused_huge_pages(reader) };
    ram.map(|ram| Machine { ram: if idle < ram { ram - idle } else { ram }, limited, shared })
}

/// What the kernel keeps as huge pages is nobody's who does not ask for it, in bytes. A limit of a container does not count it.
fn unused_huge_pages(reader: &mut dyn Reader) -> i128 {
    match fact(reader, FactId::HostHugePages) {
        Outcome::Known(bytes) if bytes > 0 && is_on(reader, id::LARGE_PAGES) == Outcome::Known(false) => bytes,
        _ => 0,
    }
}

/// How the settings divide the buffer pool.
pub fn pool_grid(reader: &mut dyn Reader) -> Outcome<PoolGrid> {
    let server = reader.server();
    let chunk = known!(number_or_zero(reader, id::INNODB_BUFFER_POOL_CHUNK_SIZE));
    let instances = if is_written(reader, id::INNODB_BUFFER_POOL_INSTANCES) {
        number(reader, id::INNODB_BUFFER_POOL_INSTANCES).known()
    } else {
        None
    };
    // Only MySQL 8.4 and later looks at the processors, and a pool divided into fewer instances is no larger.
    let cpus = fact(reader, FactId::HostCpus).known().unwrap_or(1);
    Outcome::Known(PoolGrid { server, chunk, instances, cpus })
}

/// The pool to write instead of one that would be rounded up, in bytes.
pub(super) fn pool_whole(reader: &mut dyn Reader) -> Outcome<i128> {
    let grid = known!(pool_grid(reader));
    number(reader, id::INNODB_BUFFER_POOL_SIZE).map(|pool| grid.largest(pool))
}

/// The number of instances where it is not written.
pub(super) fn instances(reader: &mut dyn Reader) -> Outcome<i128> {
    let grid = known!(pool_grid(reader));
    let pool = known!(number(reader, id::INNODB_BUFFER_POOL_SIZE));
    Outcome::Known(default_instances(grid.server, pool, grid.chunk, grid.cpus))
}

/// What the settings make the server take.
///
/// Where the processors are not known, one is taken, with which 16 connections work: the least that any machine has at work. What
/// fits then may still be too much on a larger machine, so that it stays unknown; what does not fit will not fit there either.
pub fn demand(reader: &mut dyn Reader) -> Outcome<Demand> {
    if let Outcome::Known(cpus) = fact(reader, FactId::HostCpus) {
        return demand_with(reader, cpus);
    }
    let machine = known!(machine(reader));
    let least = known!(demand_with(reader, 1));
    if least.expected_peak() > machine.available() { Outcome::Known(least) } else { Outcome::Unknown }
}

fn demand_with(reader: &mut dyn Reader, cpus: i128) -> Outcome<Demand> {
    let server = reader.server();
    let mysql = server.flavor.is_mysql_family();
    let grid = PoolGrid { cpus, ..known!(pool_grid(reader)) };
    let pool = known!(number(reader, id::INNODB_BUFFER_POOL_SIZE));
    let extra = if mysql { 0 } else { known!(number_or_zero(reader, id::EXTRA_MAX_CONNECTIONS)) };
    let connections = known!(number(reader, id::MAX_CONNECTIONS)) + extra;

    // MariaDB keeps a second buffer of this size for flushing (log0log.cc: `flush_buf`).
    let log_buffers = known!(number(reader, id::INNODB_LOG_BUFFER_SIZE)) * if mysql { 1 } else { 2 };
    // The query cache takes its memory even when its type is OFF.
    let page_and_query = known!(sum(reader, &[id::ARIA_PAGECACHE_BUFFER_SIZE, id::QUERY_CACHE_SIZE]));
    // The key buffer is taken as MyISAM indexes fill it; a server whose files do not speak of it has hardly any.
    let key_buffer = known!(number_or_zero(reader, id::KEY_BUFFER_SIZE));
    let (key_buffer, key_buffer_at_worst) =
        if is_written(reader, id::KEY_BUFFER_SIZE) { (key_buffer, 0) } else { (0, key_buffer) };
    let table_open_cache = known!(number_or_zero(reader, id::TABLE_OPEN_CACHE));
    let schema = if known!(is_on(reader, id::PERFORMANCE_SCHEMA)) {
        performance_schema(server, table_open_cache)
    } else {
        Schema::OFF
    };
    // Measured (`experiments/table-cache`): 11 to 30 KiB an open table, 10 to 60 KiB a definition; the middle of both, and
    // half full at the expected peak.
    let tables = table_open_cache * 20 * KIB + known!(number_or_zero(reader, id::TABLE_DEFINITION_CACHE)) * 30 * KIB;
    let group = if is_written(reader, id::GROUP_REPLICATION_GROUP_NAME) {
        known!(number_or_zero(reader, id::GROUP_REPLICATION_MESSAGE_CACHE_SIZE))
    } else {
        0
    };

    let temporary_table = known!(temporary_table(reader));
    let buffers = [id::SORT_BUFFER_SIZE, id::READ_BUFFER_SIZE, id::READ_RND_BUFFER_SIZE, id::BINLOG_CACHE_SIZE];
    let buffers = known!(sum(reader, &buffers));
    let join = known!(number(reader, id::JOIN_BUFFER_SIZE));
    let thread_pool = known!(thread_pool(reader));
    Outcome::Known(Demand {
        grid,
        pool,
        other_caches: log_buffers
            + page_and_query
            + key_buffer
            + schema.bytes(connections)
            + tables / 2
            + group
            + server_base(server),
        schema,
        other_caches_at_worst: tables / 2 + key_buffer_at_worst + known!(number_or_zero(reader, id::TEMPTABLE_MAX_RAM)),
        idle: idle_connection(server, thread_pool.is_some()),
        // Two joins without an index, the touched part of the stack, and half a temporary table.
        active: buffers + 2 * join + 128 * KIB + temporary_table / 2,
        worst: buffers + join + known!(number_or_zero(reader, id::THREAD_STACK)) + temporary_table,
        connections,
        thread_pool,
    })
}

fn sum(reader: &mut dyn Reader, ids: &[OptionId]) -> Outcome<i128> {
    let mut sum = 0;
    for id in ids {
        sum += known!(number_or_zero(reader, *id));
    }
    Outcome::Known(sum)
}

/// The largest temporary table that one connection keeps in its own memory, in bytes. Those of MySQL 8's TempTable
/// engine share `temptable_max_ram`.
fn temporary_table(reader: &mut dyn Reader) -> Outcome<i128> {
    let engine = reader.setting(id::INTERNAL_TMP_MEM_STORAGE_ENGINE);
    match engine {
        Outcome::Known(engine) if has_word(&engine, "TempTable") => Outcome::Known(0),
        Outcome::Unknown => Outcome::Unknown,
        _ => {
            let table = known!(number_or_zero(reader, id::TMP_TABLE_SIZE));
            let heap = known!(number_or_zero(reader, id::MAX_HEAP_TABLE_SIZE));
            Outcome::Known(table.min(heap))
        }
    }
}

/// Threads that a thread pool runs at once, where it is used: a group's first and the oversubscribed ones. MariaDB and
/// Percona Server count alike (<https://docs.percona.com/percona-server/8.0/threadpool.html>); MySQL's is a plugin of
/// its own.
fn thread_pool(reader: &mut dyn Reader) -> Outcome<Option<i128>> {
    match reader.setting(id::THREAD_HANDLING) {
        Outcome::Known(handling) if has_word(&handling, "pool-of-threads") => {
            let groups = known!(number(reader, id::THREAD_POOL_SIZE));
            let more = known!(number(reader, id::THREAD_POOL_OVERSUBSCRIBE));
            Outcome::Known(Some((groups * (1 + more)).max(1)))
        }
        Outcome::Unknown => Outcome::Unknown,
        _ => Outcome::Known(None),
    }
}

/// The share of the budget that the pool may take, in percent.
pub fn share(machine: &Machine) -> i128 {
    pool_share(machine.ram, machine.limited, machine.shared)
}

/// The pool to set when the one that stands does not fit, in bytes.
pub fn pool_recommended(reader: &mut dyn Reader) -> Outcome<i128> {
    let machine = machine(reader);
    let demand = known!(demand(reader));
    Outcome::Known(demand.pool_recommended(&known!(machine)).max(SMALLEST_POOL))
}

/// The most connections to allow when the pool is not what is too large. *Absent* when not even ten fit.
pub fn connections_recommended(reader: &mut dyn Reader) -> Outcome<i128> {
    let machine = machine(reader);
    let demand = known!(demand(reader));
    demand.connections_recommended(&known!(machine)).map_or(Outcome::Absent, Outcome::Known)
}
