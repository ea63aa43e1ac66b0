//! Defaults that depend on other settings or on the machine.

use super::Reader;
use super::memory;
use super::read::{fact, is_on, is_written, known, number};
use crate::catalog::{OptionId, id};
use crate::facts::FactId;
use crate::server::{Flavor, Server};
use crate::value::{Outcome, Value};

const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// The value that a server gives an option which is not written, when that depends on settings or facts; `None` when the
/// catalog's default is what holds.
///
/// "Measured" names MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9.
pub fn derived(option: OptionId, reader: &mut dyn Reader) -> Option<Outcome<Value<'static>>> {
    let server = reader.server();
    let mysql = server.flavor.is_mysql_family();
    let value = match option {
        id::INNODB_IO_CAPACITY_MAX if server.at_least(5, 6, 0) => io_capacity_max(reader),
        id::INNODB_IO_CAPACITY => io_capacity(reader)?,
        id::INNODB_BUFFER_POOL_INSTANCES => memory::instances(reader),
        id::INNODB_BUFFER_POOL_SIZE
        | id::INNODB_LOG_FILE_SIZE
        | id::INNODB_LOG_FILES_IN_GROUP
        | id::INNODB_REDO_LOG_CAPACITY => dedicated(option, reader)?,
        id::INNODB_PAGE_CLEANERS => page_cleaners(reader)?,
        id::INNODB_PURGE_THREADS if mysql && server.at_least(8, 4, 0) => purge_threads(reader),
        id::TEMPTABLE_MAX_RAM if mysql && server.at_least(8, 4, 0) => {
            // 3% of the memory between 1 and 4 GiB; 1 GiB measured on 9.7.4 with 23.5 GiB.
            fact(reader, FactId::HostRam).map(|ram| (ram * 3 / 100).clamp(GIB, 4 * GIB))
        }
        id::INNODB_OPEN_FILES if server.at_least(5, 6, 0) => open_files(reader),
        id::TABLE_DEFINITION_CACHE if mysql && server.at_least(5, 6, 0) => {
            // 400 + half of table_open_cache, at most 2000: measured 1400 and 2000, and 500 with a table_open_cache of 200.
            number(reader, id::TABLE_OPEN_CACHE).map(|tables| (400 + tables / 2).min(2000))
        }
        // Not computed before: 400 on 5.5.62.
        id::TABLE_DEFINITION_CACHE if mysql && server.at_least(5, 5, 0) => Outcome::Known(400),
        id::THREAD_CACHE_SIZE if mysql && server.at_least(5, 6, 8) => {
            // 8 + 1% of max_connections, at most 100: measured 9 with 151 and 18 with 1000.
            number(reader, id::MAX_CONNECTIONS).map(|connections| (8 + connections / 100).min(100))
        }
        id::THREAD_CACHE_SIZE if !mysql && server.at_least(10, 2, 0) => {
            // Measured 151 with 151 and 256 with 500.
            number(reader, id::MAX_CONNECTIONS).map(|connections| connections.min(256))
        }
        id::BACK_LOG => back_log(reader)?,
        id::HOST_CACHE_SIZE if server.at_least(5, 6, 0) && (mysql || server.at_least(10, 0, 0)) => {
            number(reader, id::MAX_CONNECTIONS).map(host_cache)
        }
        id::THREAD_POOL_SIZE if server.flavor != Flavor::Mysql => {
            fact(reader, FactId::HostCpus).map(|cpus| cpus.max(1))
        }
        _ => return None,
    };
    Some(value.map(Value::Integer))
}

/// Twice `innodb_io_capacity`, at least 2000. Measured: 20000 by default and 30000 with 15000 on 9.7.4, 2000 and 4000 on
/// MariaDB; but 600 with 300 on 9.7.4: from MySQL 8.4 on there is no least value once `innodb_io_capacity` is written.
fn io_capacity_max(reader: &mut dyn Reader) -> Outcome<i128> {
    let server = reader.server();
    let no_least = server.flavor.is_mysql_family() && server.at_least(8, 4, 0);
    number(reader, id::INNODB_IO_CAPACITY).map(|capacity| (capacity * 2).max(if no_least { 0 } else { 2000 }))
}

/// A written ceiling lowers the default: measured 2000 on 9.7.4 and 150 on MariaDB with those ceilings.
fn io_capacity(reader: &mut dyn Reader) -> Option<Outcome<i128>> {
    let server = reader.server();
    if !is_written(reader, id::INNODB_IO_CAPACITY_MAX) {
        return None;
    }
    // 10000 since 8.4.0: https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_io_capacity
    let default = if server.flavor.is_mysql_family() && server.at_least(8, 4, 0) { 10_000 } else { 200 };
    Some(number(reader, id::INNODB_IO_CAPACITY_MAX).map(|max| max.min(default)))
}

/// What `innodb_dedicated_server` sets when the option itself is not written.
fn dedicated(option: OptionId, reader: &mut dyn Reader) -> Option<Outcome<i128>> {
    let server = reader.server();
    if !server.flavor.is_mysql_family() {
        return None;
    }
    match is_on(reader, id::INNODB_DEDICATED_SERVER) {
        Outcome::Known(true) => {}
        Outcome::Unknown => return Some(Outcome::Unknown),
        _ => return None,
    }
    let value = match option {
        id::INNODB_REDO_LOG_CAPACITY if server.at_least(8, 4, 0) => {
            fact(reader, FactId::HostCpus).map(dedicated_redo_by_cpus)
        }
        id::INNODB_REDO_LOG_CAPACITY => {
            let pool_is_written = is_written(reader, id::INNODB_BUFFER_POOL_SIZE);
            fact(reader, FactId::HostRam).map(|ram| dedicated_redo_by_ram(ram, pool_is_written))
        }
        id::INNODB_BUFFER_POOL_SIZE => dedicated_pool(reader),
        // From 8.0.30 on the capacity is set, and these two are left alone.
        _ if server.at_least(8, 0, 30) => return None,
        id::INNODB_LOG_FILES_IN_GROUP if !server.at_least(8, 0, 14) => return None,
        id::INNODB_LOG_FILE_SIZE if !server.at_least(8, 0, 14) => {
            fact(reader, FactId::HostRam).map(dedicated_file_by_ram)
        }
        _ => number(reader, id::INNODB_BUFFER_POOL_SIZE).map(|pool| {
            let (size, files) = dedicated_files_by_pool(pool);
            if option == id::INNODB_LOG_FILE_SIZE { size } else { files }
        }),
    };
    Some(value)
}

/// What `innodb_dedicated_server` asks for, in whole chunks of every instance.
fn dedicated_pool(reader: &mut dyn Reader) -> Outcome<i128> {
    let ram = known!(fact(reader, FactId::HostRam));
    let grid = known!(memory::pool_grid(reader));
    Outcome::Known(grid.effective(dedicated_pool_size(ram)))
}

/// Half of 1 to 4 GiB of memory, three quarters above, the default below, in bytes. The server counts whole GiB.
///
/// <https://dev.mysql.com/doc/refman/8.4/en/innodb-dedicated-server.html>. Measured on 9.7.4 with 25276514304 bytes:
/// 18522046464, three quarters of 23 GiB.
pub fn dedicated_pool_size(ram: i128) -> i128 {
    match ram / GIB {
        0 => 128 * MIB,
        gib @ 1..=4 => gib * GIB / 2,
        gib => gib * GIB * 3 / 4,
    }
}

/// Half a GiB of redo for each processor, at most 16 GiB, since MySQL 8.4
/// (<https://dev.mysql.com/doc/refman/8.4/en/innodb-dedicated-server.html>; 1 GiB measured on 9.7.4 with 2 processors).
pub fn dedicated_redo_by_cpus(cpus: i128) -> i128 {
    (cpus / 2).clamp(1, 16) * GIB
}

/// Redo by memory in bytes, MySQL 8.0.30 to 8.3
/// (<https://dev.mysql.com/doc/refman/8.0/en/innodb-dedicated-server.html>). The server counts whole GiB.
pub fn dedicated_redo_by_ram(ram: i128, pool_is_written: bool) -> i128 {
    let gib = ram / GIB;
    match gib {
        0..=1 => 100 * MIB,
        2..=3 if !pool_is_written => GIB,
        // Rounded to a whole number: 0.5, 0.75 and 0.5625 of the GiB.
        2..=3 => (gib + 1) / 2 * GIB / 2,
        4..=10 => (gib * 3 + 2) / 4 * GIB / 2,
        11..=170 => (gib * 9 + 8) / 16 * GIB,
        _ => 128 * GIB,
    }
}

/// Size of one redo file by memory, MySQL 8.0.3 to 8.0.13 (<https://dev.mysql.com/worklog/task/?id=12300>).
pub fn dedicated_file_by_ram(ram: i128) -> i128 {
    match ram {
        _ if ram < GIB => 48 * MIB,
        _ if ram <= 4 * GIB => 128 * MIB,
        _ if ram <= 8 * GIB => 512 * MIB,
        _ if ram <= 16 * GIB => GIB,
        _ => 2 * GIB,
    }
}

/// Size and number of redo files by buffer pool, MySQL 8.0.14 to 8.0.29 (<https://dev.mysql.com/worklog/task/?id=12300>).
pub fn dedicated_files_by_pool(pool: i128) -> (i128, i128) {
    let (size, files) = if pool < 8 * GIB {
        (512 * MIB, (pool + GIB / 2) / GIB)
    } else if pool <= 128 * GIB {
        (GIB, (pool * 3 / 4 + GIB / 2) / GIB)
    } else {
        (2 * GIB, 64)
    };
    (size, files.clamp(2, 64))
}

/// As many cleaners as instances: MySQL 8.4 and later (16 measured on 9.7.4 with 16 instances); 4 before, but never more
/// than instances, also on MariaDB before 10.6 (1 measured on 10.5.23).
fn page_cleaners(reader: &mut dyn Reader) -> Option<Outcome<i128>> {
    let server = reader.server();
    let mysql = server.flavor.is_mysql_family();
    if mysql && !server.at_least(5, 7, 0) || !mysql && (!server.at_least(10, 2, 0) || server.at_least(10, 6, 0)) {
        return None;
    }
    let most = if mysql && server.at_least(8, 4, 0) { 64 } else { 4 };
    Some(number(reader, id::INNODB_BUFFER_POOL_INSTANCES).map(|instances| instances.clamp(1, most)))
}

/// One purge thread on up to 16 processors, else 4, since MySQL 8.4
/// (<https://dev.mysql.com/doc/refman/8.4/en/innodb-parameters.html#sysvar_innodb_purge_threads>; 1 measured with 2).
fn purge_threads(reader: &mut dyn Reader) -> Outcome<i128> {
    fact(reader, FactId::HostCpus).map(|cpus| if cpus <= 16 { 1 } else { 4 })
}

/// As many as `table_open_cache`, at least 300 on MySQL: measured 2000, 4000, and 300 with a cache of 200.
fn open_files(reader: &mut dyn Reader) -> Outcome<i128> {
    number(reader, id::TABLE_OPEN_CACHE).map(|tables| tables.max(300))
}

/// Connections that may wait: 50 + a fifth of `max_connections`, at most 900, on MySQL 5.6 and 5.7 and (at most 150)
/// MariaDB; as many as `max_connections` on MySQL 8.0. Measured: 80 with 151 on 5.6.24 and MariaDB, 150 with 500 on
/// MariaDB, 10000 on 9.7.4.
fn back_log(reader: &mut dyn Reader) -> Option<Outcome<i128>> {
    let server = reader.server();
    let connections = |reader: &mut dyn Reader| number(reader, id::MAX_CONNECTIONS);
    match back_log_rule(server)? {
        BackLog::Fixed(number) => Some(Outcome::Known(number)),
        BackLog::Share(most) => Some(connections(reader).map(|connections| (50 + connections / 5).min(most))),
        BackLog::Connections => Some(connections(reader).map(|connections| connections.min(65_535))),
    }
}

enum BackLog {
    Fixed(i128),
    Share(i128),
    Connections,
}

/// What is measured or documented; nothing for the releases between 8.0 and 9.7.
/// <https://dev.mysql.com/doc/refman/8.0/en/server-system-variables.html#sysvar_back_log>
fn back_log_rule(server: Server) -> Option<BackLog> {
    if !server.flavor.is_mysql_family() {
        return server.at_least(10, 0, 8).then_some(BackLog::Share(150));
    }
    if !server.at_least(5, 6, 6) {
        None
    } else if !server.at_least(8, 0, 0) {
        Some(BackLog::Share(900))
    } else if !server.at_least(8, 1, 0) {
        Some(BackLog::Connections)
    } else {
        server.at_least(9, 7, 0).then_some(BackLog::Fixed(10_000))
    }
}

/// 128, and one for each connection up to 500 or one for each 20 above, at most 2000: measured 279 with 151 and 628 with
/// 500 (and 653 with 1000).
fn host_cache(connections: i128) -> i128 {
    (128 + connections.min(500) + (connections - 500).max(0) / 20).min(2000)
}
