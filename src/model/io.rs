//! How many pages a second a kind of disk takes from background flushing, and how many requests InnoDB has under way.

use super::Reader;
use super::endurance;
use super::read::{known, number};
use crate::catalog::id;
use crate::facts::FactId;
use crate::value::{Outcome, Value};

/// What suits one kind of disk, in pages a second.
///
/// Positions: <https://dev.mysql.com/doc/refman/8.0/en/innodb-configuring-io-capacity.html> (100 for a plain hard disk, 200
/// for a slow SSD, 1000 for a fast one, nothing above 20000) and
/// <https://www.percona.com/blog/give-love-to-your-ssds-reduce-innodb_io_capacity_max/> (keep both low: adaptive flushing
/// does not need them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskPace {
    /// The word of `--disk`.
    pub kind: &'static str,
    /// The largest `innodb_io_capacity` that leaves reads their share.
    pub capacity_limit: i128,
    /// The largest `innodb_io_capacity_max` that the disk can follow.
    pub capacity_max_limit: i128,
    /// The `innodb_io_capacity` to set.
    pub capacity: i128,
    /// The `innodb_io_capacity_max` to set.
    pub capacity_max: i128,
}

/// The kinds of disk, slowest first. What a network volume takes depends on what was bought, so it is not here.
pub const DISK_PACES: &[DiskPace] = &[
    DiskPace { kind: "hdd", capacity_limit: 200, capacity_max_limit: 400, capacity: 100, capacity_max: 400 },
    DiskPace { kind: "ssd", capacity_limit: 2_000, capacity_max_limit: 4_000, capacity: 200, capacity_max: 2_000 },
    DiskPace { kind: "nvme", capacity_limit: 10_000, capacity_max_limit: 20_000, capacity: 500, capacity_max: 4_000 },
];

/// What suits the disk under the data directory. *Absent* for network volumes.
pub fn pace(reader: &mut dyn Reader) -> Outcome<DiskPace> {
    match known!(reader.fact(FactId::DiskKind)) {
        Value::Word(kind) => {
            let pace = DISK_PACES.iter().find(|pace| pace.kind == kind);
            pace.copied().map_or(Outcome::Absent, Outcome::Known)
        }
        _ => Outcome::Unknown,
    }
}

/// The `innodb_io_capacity_max` that disk and endurance afford: what suits the disk, lowered to
/// [`endurance::capacity_max_limit`] where the drive's endurance is known. On a network volume, or without knowing the
/// kind of disk, the endurance alone.
pub fn capacity_max_recommended(reader: &mut dyn Reader) -> Outcome<i128> {
    let pace = pace(reader).map(|pace| pace.capacity_max);
    // In hundreds, as people write it.
    let wear = endurance::pages_per_second(reader).map(|pages| endurance::capacity_max_limit(pages) / 100 * 100);
    match (pace, wear) {
        (Outcome::Known(pace), Outcome::Known(wear)) => Outcome::Known(pace.min(wear)),
        (Outcome::Known(value), _) | (_, Outcome::Known(value)) => Outcome::Known(value),
        (Outcome::Absent, _) => Outcome::Absent,
        (Outcome::Unknown, _) => Outcome::Unknown,
    }
}

/// The `innodb_io_capacity` to set, never above [`capacity_max_recommended`].
pub fn capacity_recommended(reader: &mut dyn Reader) -> Outcome<i128> {
    let capacity = known!(pace(reader)).capacity;
    capacity_max_recommended(reader).map(|max| capacity.min(max))
}

/// Asynchronous requests that InnoDB reserves with the kernel when it starts, out of `fs.aio-max-nr`. *Absent* where it takes
/// io_uring: MariaDB 10.6 and later.
///
/// Read from `fs.aio-nr` with 4 and 4, 16 and 8 threads (`experiments/at-start`): 256 for each thread that reads or writes, and for two more on MySQL
/// 5.6.24, one more on 9.7.4, none on MariaDB 10.5.23 (5.6 reserves another 101, 9.7 one). MySQL 8 is counted as 9.7, older
/// MariaDB, which has that code from MySQL, as 5.6.
pub fn async_requests(reader: &mut dyn Reader) -> Outcome<i128> {
    let server = reader.server();
    let mysql = server.flavor.is_mysql_family();
    let others = match mysql {
        true if server.at_least(8, 0, 0) => 1,
        true => 2,
        false if server.at_least(10, 6, 0) => return Outcome::Absent,
        false if server.at_least(10, 5, 0) => 0,
        false => 2,
    };
    let threads =
        known!(number(reader, id::INNODB_READ_IO_THREADS)) + known!(number(reader, id::INNODB_WRITE_IO_THREADS));
    Outcome::Known(256 * (threads + others))
}
