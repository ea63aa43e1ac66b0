//! How much redo fits, how much of it can be used before writes stall, and the exact inverse of that.

use super::Reader;
use super::read::{fact, fraction, is_written, known, number, number_or_zero};
use crate::catalog::id;
use crate::facts::FactId;
use crate::server::Server;
use crate::value::{Outcome, Value};

const KIB: i128 = 1 << 10;
const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// Bytes of a log block, and how many of them carry redo: the rest is its header (12) and checksum (4).
const BLOCK: i128 = 512;
const BLOCK_DATA: i128 = 496;
const BLOCK_HEADER: i128 = 12;

/// How a server lays out its redo log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A fixed number of files that are written in turn: MySQL before 8.0.30, every MariaDB (one file from 10.5 on).
    Files {
        /// `innodb_log_files_in_group`, or 1.
        count: i128,
        /// Bytes at the start of each file that hold no redo.
        header: i128,
    },
    /// 32 files that the server makes as it goes: MySQL 8.0.30 and later.
    Dynamic,
}

/// All that the usable part of a redo log depends on besides its capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedoLog {
    /// The files.
    pub layout: Layout,
    /// `innodb_page_size` in bytes.
    pub page_size: i128,
    /// `innodb_thread_concurrency`; 0 where the server does not look at it.
    pub thread_concurrency: i128,
    /// The smallest size of one file, or of the whole log where it is [`Layout::Dynamic`], in bytes.
    pub min: i128,
    /// The largest capacity in bytes.
    pub max: i128,
}

impl RedoLog {
    /// The redo log of a server whose `innodb_log_files_in_group` is `files` (not looked at where the server does not).
    ///
    /// Smallest size of a file: 1 MiB, 4 MiB since MySQL 5.7.11
    /// (<https://dev.mysql.com/doc/refman/5.7/en/innodb-parameters.html#sysvar_innodb_log_file_size>) and MariaDB 10.8.3
    /// (measured on 10.11.19). Together: below 4 GiB before MySQL 5.6.3 and MariaDB 10.0, then below 512 GiB
    /// (`innobase_start_or_create_for_mysql` in storage/innobase/srv/srv0start.cc).
    /// `innodb_redo_log_capacity`: 8 MiB (measured on 9.7.4) to 128 GiB, 512 GiB since 8.0.34
    /// (<https://dev.mysql.com/doc/refman/8.0/en/innodb-parameters.html#sysvar_innodb_redo_log_capacity>).
    pub fn new(server: Server, files: i128, page_size: i128, thread_concurrency: i128) -> Self {
        let mysql = server.flavor.is_mysql_family();
        if has_redo_log_capacity(server) {
            let max = if server.at_least(8, 0, 34) { 512 * GIB } else { 128 * GIB };
            return Self { layout: Layout::Dynamic, page_size, thread_concurrency, min: 8 * MIB, max };
        }
        let (small_files, old_limit) = if mysql {
            (!server.at_least(5, 7, 11), !server.at_least(5, 6, 3))
        } else {
            (!server.at_least(10, 8, 3), !server.at_least(10, 0, 0))
        };
        let one_file = !counts_files(server);
        Self {
            layout: Layout::Files {
                count: if one_file { 1 } else { files.max(1) },
                // One 12 KiB header since MariaDB 10.8 (`log_t::START_OFFSET`), 2 KiB a file before (`LOG_FILE_HDR_SIZE`).
                header: if !mysql && server.at_least(10, 8, 0) { 12 * KIB } else { 2 * KIB },
            },
            page_size,
            // Measured on MariaDB 10.5.23: the setting is shown and does not count.
            thread_concurrency: if one_file { 0 } else { thread_concurrency },
            min: if small_files { MIB } else { 4 * MIB },
            max: if old_limit { 4 * GIB - 1 } else { 512 * GIB - 1 },
        }
    }

    /// Bytes of redo that can be written before user threads wait for a checkpoint; 0 when InnoDB refuses the capacity.
    ///
    /// Files: `cap = 0.9 × (capacity − headers)`, `usable = 0.9 × (cap − (4 × (10 + thread_concurrency) + 8) pages)`
    /// (`log_set_capacity` in MariaDB's log0log.cc, `log_calc_max_ages` in MySQL's). Equals `Innodb_checkpoint_max_age`
    /// of MariaDB 10.5.23, 10.11.19 and 11.8.9 to the byte, and agrees with the flushing limits that MySQL 5.6.24 shows.
    /// MySQL 8.0.0 to 8.0.29 keeps other margins (10% but at most 16 MiB, then 5% and 5%): there the figure is a bound
    /// from below, about 0.81 of the capacity.
    ///
    /// Dynamic: two of the 32 files stay free, then headers, 128 KiB, 10% of one file, 5% for the log writer, and a
    /// margin for threads that are already at work (log0files_capacity.cc, log0chkp.cc). The margins are those that
    /// MySQL 9.7.4 shows in `information_schema.INNODB_METRICS`.
    pub fn usable(&self, capacity: i128) -> i128 {
        match self.layout {
            Layout::Files { count, header } => {
                let files = capacity - header * count;
                let capacity = files - files / 10;
                let reserved = (4 * (10 + self.thread_concurrency) + 8) * self.page_size;
                // The server refuses to start when the threads could fill half of the log.
                if reserved >= capacity / 2 {
                    return 0;
                }
                let margin = capacity - reserved;
                margin - margin / 10
            }
            Layout::Dynamic => {
                let soft = self.soft_capacity(capacity);
                (soft - lsn_of(self.concurrency_margin(capacity))).max(0) / BLOCK * BLOCK
            }
        }
    }

    /// What user threads may fill at most of a [`Layout::Dynamic`] log, their margin included.
    fn soft_capacity(&self, capacity: i128) -> i128 {
        let file = capacity / 32 / self.page_size * self.page_size;
        let next_file_margin = round_up((file + 9) / 10, BLOCK);
        let hard = (capacity * 30 / 32 - 31 * 2 * KIB - 128 * KIB - next_file_margin).max(0) / BLOCK * BLOCK;
        hard * 95 / 100 / BLOCK * BLOCK
    }

    /// Bytes of redo records kept for threads at work (`log_concurrency_margin`).
    fn concurrency_margin(&self, capacity: i128) -> i128 {
        let soft = self.soft_capacity(capacity);
        let margin = 4 * self.page_size * (10 + self.thread_concurrency) + 4 * KIB + soft * 5 / 100 / BLOCK * BLOCK;
        margin.min(soft * 55 / 100 / BLOCK * BLOCK_DATA)
    }

    /// The smallest capacity whose usable part holds this many bytes: the exact inverse of [`RedoLog::usable`] among the
    /// sizes that can be written in whole MiB (of each file, where files count). `None` when even the largest is too small.
    pub fn capacity_for(&self, bytes: i128) -> Option<i128> {
        let step = self.step();
        let (mut low, mut high) = (self.smallest() / step, self.max / step);
        if self.usable(high * step) < bytes {
            return None;
        }
        while low < high {
            let middle = (low + high) / 2;
            if self.usable(middle * step) >= bytes {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(low * step)
    }

    /// The capacity in whole steps that is not below `capacity`, as far as the server takes it.
    pub fn round_up(&self, capacity: i128) -> i128 {
        let step = self.step();
        round_up(capacity.max(self.smallest()), step).min(self.max / step * step)
    }

    /// The next capacity differs by this many bytes.
    pub fn step(&self) -> i128 {
        MIB * self.files()
    }

    /// Into how many files a capacity is divided by the option that sets it.
    pub fn files(&self) -> i128 {
        match self.layout {
            Layout::Files { count, .. } => count,
            Layout::Dynamic => 1,
        }
    }

    fn smallest(&self) -> i128 {
        self.min * self.files()
    }
}

/// The capacity that one hour of redo at the peak asks for, between 1 and 64 GiB.
///
/// Source: the rule of one hour, <https://www.percona.com/blog/how-to-calculate-a-good-innodb-log-file-size/>.
pub fn capacity_for_rate(bytes_per_second: i128) -> i128 {
    (bytes_per_second * 3600).clamp(GIB, 64 * GIB)
}

/// The capacity that suits a buffer pool of which nothing else is known: an eighth between 1 and 16 GiB, and half a
/// GiB for pools below 1 GiB. Own estimate: a log of that size lets a pool flush at leisure and recovers in minutes.
pub fn capacity_for_pool(pool: i128) -> i128 {
    if pool < GIB { 512 * MIB } else { (pool / 8).clamp(GIB, 16 * GIB) }
}

/// Bytes of redo that a recovery applies in a second: estimates for hard disks, SATA and NVMe drives.
pub fn recovery_rate(disk: &str) -> i128 {
    match disk {
        "hdd" => 30_000_000,
        "nvme" => 250_000_000,
        _ => 100_000_000,
    }
}

/// Whether the redo log is set by `innodb_redo_log_capacity`.
pub(super) fn has_redo_log_capacity(server: Server) -> bool {
    server.flavor.is_mysql_family() && server.at_least(8, 0, 30)
}

/// Whether `innodb_log_files_in_group` counts.
pub(super) fn counts_files(server: Server) -> bool {
    if server.flavor.is_mysql_family() { !server.at_least(8, 0, 30) } else { !server.at_least(10, 5, 0) }
}

/// Whether there are files which the server does not lay out anew, so that a line alone changes nothing but whether it starts: up to
/// MySQL 5.6.7 (<https://docs.oracle.com/cd/E17952_01/mysql-5.6-en/innodb-redo-log.html>) and before MariaDB 10.0, which has that
/// code from 5.6.
pub(super) fn files_stay(reader: &mut dyn Reader) -> bool {
    let server = reader.server();
    let resizes = if server.flavor.is_mysql_family() { server.at_least(5, 6, 8) } else { server.at_least(10, 0, 0) };
    !resizes && fact(reader, FactId::RedoDiskFileSize).known().is_some()
}

/// The redo log that the settings describe.
pub fn redo_log(reader: &mut dyn Reader) -> Outcome<RedoLog> {
    let server = reader.server();
    let files = if counts_files(server) { known!(number(reader, id::INNODB_LOG_FILES_IN_GROUP)) } else { 1 };
    let page_size = match number(reader, id::INNODB_PAGE_SIZE) {
        Outcome::Absent => 16 * KIB, // before MySQL 5.6 it was fixed
        other => known!(other),
    };
    let concurrency = if server.flavor.is_mysql_family() || counts_files(server) {
        known!(number_or_zero(reader, id::INNODB_THREAD_CONCURRENCY))
    } else {
        0
    };
    Outcome::Known(RedoLog::new(server, files, page_size.max(4 * KIB), concurrency))
}

/// The whole redo log in bytes.
///
/// MySQL 8.0.30 and later: `innodb_redo_log_capacity` when it is written, else file size × files when either of those is
/// written, else the default (`innodb_redo_log_capacity_init` in ha_innodb.cc).
pub fn capacity(reader: &mut dyn Reader) -> Outcome<i128> {
    let server = reader.server();
    if !has_redo_log_capacity(server) {
        let size = known!(number(reader, id::INNODB_LOG_FILE_SIZE));
        let files = if counts_files(server) { known!(number(reader, id::INNODB_LOG_FILES_IN_GROUP)) } else { 1 };
        return Outcome::Known(size * files);
    }
    if is_written(reader, id::INNODB_REDO_LOG_CAPACITY) || !old_style_is_written(reader) {
        return number(reader, id::INNODB_REDO_LOG_CAPACITY);
    }
    let size = known!(number(reader, id::INNODB_LOG_FILE_SIZE));
    let files = known!(number(reader, id::INNODB_LOG_FILES_IN_GROUP));
    Outcome::Known(size * files)
}

pub(super) fn old_style_is_written(reader: &mut dyn Reader) -> bool {
    is_written(reader, id::INNODB_LOG_FILE_SIZE) || is_written(reader, id::INNODB_LOG_FILES_IN_GROUP)
}

/// Redo that can be written before user threads wait, in bytes. A log that the server refuses as too large counts as the largest one.
pub fn usable(reader: &mut dyn Reader) -> Outcome<i128> {
    let capacity = known!(capacity(reader));
    redo_log(reader).map(|log| log.usable(capacity.min(log.max)))
}

/// The smallest capacity whose usable part holds the redo of the largest load. *Absent* when no capacity is large enough, or
/// when the disk has no room for it beside the load.
pub fn capacity_for_load(reader: &mut dyn Reader) -> Outcome<i128> {
    let load = fraction(reader, FactId::WorkloadLoadSize);
    let factor = fraction(reader, FactId::WorkloadRedoFactor);
    let load = known!(load);
    let redo = load * known!(factor);
    let log = known!(redo_log(reader));
    let disk = fact(reader, FactId::DiskCapacity).known().unwrap_or(i128::MAX);
    let fits = |capacity: &i128| capacity.saturating_add(load.ceil() as i128) <= disk;
    log.capacity_for(redo.ceil() as i128).filter(fits).map_or(Outcome::Absent, Outcome::Known)
}

/// Redo bytes a second: given as the peak, or the average since the running server started.
pub fn rate(reader: &mut dyn Reader) -> Outcome<i128> {
    let given = fact(reader, FactId::WorkloadRedoRate);
    if let Outcome::Known(rate) = given {
        return Outcome::Known(rate);
    }
    average(reader, FactId::RunningRedoWritten)
}

/// What a running server counted, a second; unknown in its first hour, which says nothing about the days.
pub(super) fn average(reader: &mut dyn Reader, counter: FactId) -> Outcome<i128> {
    let (Outcome::Known(counted), Outcome::Known(seconds)) =
        (fact(reader, counter), fact(reader, FactId::RunningUptime))
    else {
        return Outcome::Unknown;
    };
    if seconds < 3600 { Outcome::Unknown } else { Outcome::Known(counted / seconds) }
}

/// The capacity to set when the log is too small, in bytes.
///
/// One hour of the given peak rate; else what suits the buffer pool, or one hour of the average rate if that is more
/// (an average hides the peaks). At least what the largest load needs, otherwise at most a fifth of the disk.
pub fn capacity_recommended(reader: &mut dyn Reader) -> Outcome<i128> {
    let pool = number(reader, id::INNODB_BUFFER_POOL_SIZE);
    recommended_beside(pool, reader)
}

fn recommended_beside(pool: Outcome<i128>, reader: &mut dyn Reader) -> Outcome<i128> {
    let log = known!(redo_log(reader));
    let wanted = match fact(reader, FactId::WorkloadRedoRate) {
        Outcome::Known(rate) => capacity_for_rate(rate),
        _ => {
            let pool = known!(pool);
            let average = average(reader, FactId::RunningRedoWritten).known().map_or(0, capacity_for_rate);
            capacity_for_pool(pool).max(average)
        }
    };
    let wanted = wanted.min(disk_share(reader));
    let load = capacity_for_load(reader).known().unwrap_or(0);
    Outcome::Known(log.round_up(wanted.max(load)))
}

/// The capacity below which the redo log is too small, in bytes: it must last 20 minutes at a known rate; else, beside a
/// buffer pool of 2 GiB or more that somebody wrote, be a quarter of what is recommended. Otherwise the least that the
/// server takes. Own estimates, below the rule of one hour so that only what is far from it is called too small.
pub fn capacity_floor(reader: &mut dyn Reader) -> Outcome<i128> {
    let pool = if is_written(reader, id::INNODB_BUFFER_POOL_SIZE) {
        known!(number(reader, id::INNODB_BUFFER_POOL_SIZE))
    } else {
        0
    };
    floor_beside(pool, reader)
}

fn floor_beside(pool: i128, reader: &mut dyn Reader) -> Outcome<i128> {
    let log = known!(redo_log(reader));
    if let Outcome::Known(rate) = rate(reader) {
        let lasts = log.capacity_for(rate * 1200).unwrap_or(i128::MAX);
        return capacity_recommended(reader).map(|recommended| recommended.min(lasts));
    }
    if pool >= 2 * GIB {
        return recommended_beside(Outcome::Known(pool), reader).map(|recommended| log.round_up(recommended / 4));
    }
    Outcome::Known(log.round_up(0))
}

/// The largest capacity that is worth having, in bytes: as large as the buffer pool (a longer log holds no more dirty
/// pages, it only takes longer to recover from) but 4 to 64 GiB, at most a fifth of the disk, and never less than what
/// is recommended. *Absent* when no log for the largest load fits on the disk: the one that comes nearest is not too large.
pub fn capacity_ceiling(reader: &mut dyn Reader) -> Outcome<i128> {
    let pool = known!(number(reader, id::INNODB_BUFFER_POOL_SIZE));
    ceiling_beside(pool, reader)
}

fn ceiling_beside(pool: i128, reader: &mut dyn Reader) -> Outcome<i128> {
    let log = known!(redo_log(reader));
    if matches!(capacity_for_load(reader), Outcome::Absent) {
        return Outcome::Absent;
    }
    let recommended = known!(recommended_beside(Outcome::Known(pool), reader));
    let ceiling = pool.clamp(4 * GIB, 64 * GIB).min(disk_share(reader)).max(recommended);
    Outcome::Known(log.round_up(ceiling))
}

/// The capacity to set together with another buffer pool of so many bytes; `None` when the one that stands suits it.
pub(super) fn capacity_beside(pool: i128, reader: &mut dyn Reader) -> Option<i128> {
    let capacity = capacity(reader).known()?;
    if capacity < floor_beside(pool, reader).known()? {
        return recommended_beside(Outcome::Known(pool), reader).known();
    }
    let ceiling = ceiling_beside(pool, reader).known()?;
    (is_capacity_written(reader) && capacity > ceiling).then_some(ceiling)
}

fn is_capacity_written(reader: &mut dyn Reader) -> bool {
    is_written(reader, id::INNODB_REDO_LOG_CAPACITY) || old_style_is_written(reader)
}

/// Minutes until writes stall at [`rate`] if no page were flushed.
pub fn minutes_at_rate(reader: &mut dyn Reader) -> Outcome<f64> {
    let usable = known!(usable(reader));
    let rate = known!(rate(reader));
    if rate <= 0 { Outcome::Unknown } else { Outcome::Known(usable as f64 / rate as f64 / 60.0) }
}

/// Seconds of recovery from a full redo log, by the kind of disk that it lies on.
pub fn recovery_seconds(reader: &mut dyn Reader) -> Outcome<i128> {
    let usable = known!(usable(reader));
    let disk = match reader.fact(FactId::RedoDiskKind) {
        Outcome::Known(kind) => kind,
        _ => known!(reader.fact(FactId::DiskKind)),
    };
    match disk {
        Value::Word(kind) => Outcome::Known(usable / recovery_rate(&kind)),
        _ => Outcome::Unknown,
    }
}

/// A fifth of the disk, and no limit where its capacity is not known.
fn disk_share(reader: &mut dyn Reader) -> i128 {
    fact(reader, FactId::DiskCapacity).known().map_or(i128::MAX, |capacity| capacity / 5)
}

/// Bytes of log blocks that hold this many bytes of redo records (`log_translate_sn_to_lsn`).
fn lsn_of(bytes: i128) -> i128 {
    bytes / BLOCK_DATA * BLOCK + bytes % BLOCK_DATA + BLOCK_HEADER
}

fn round_up(number: i128, step: i128) -> i128 {
    (number + step - 1) / step * step
}
