//! How long a solid-state drive lasts under what the server writes.
//!
//! Vendors count in powers of 1000; a year has 365 days. A full drive spreads its writes over the rest: the share that
//! is in use is taken off, which is the worst case (controllers move cold data, too).

use super::Reader;
use super::read::{fact, fraction, has_word, known, number};
use super::redo::average;
use crate::catalog::id;
use crate::facts::FactId;
use crate::value::{Outcome, Value};

/// Seconds of a year of 365 days.
pub const SECONDS_A_YEAR: i128 = 31_536_000;

/// A class of drives and what vendors warrant for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveClass {
    /// The word of `--disk-class`.
    pub name: &'static str,
    /// Full writes in a hundred days, over five years.
    pub writes_in_100_days: i128,
    /// Drives of the class, and where their figures stand.
    pub source: &'static str,
}

/// The classes, least durable first. Each figure is the lowest that is usual for the class.
pub const DRIVE_CLASSES: &[DriveClass] = &[
    DriveClass {
        name: "consumer-qlc",
        writes_in_100_days: 20,
        source: "Samsung 870 QVO: 360 TB for each TB of capacity (review on techpowerup.com)",
    },
    DriveClass {
        name: "consumer-tlc",
        writes_in_100_days: 33,
        source: "Samsung 990 PRO: 600 TB for 1 TB, 1200 TB for 2 TB (the vendor's specification)",
    },
    DriveClass {
        name: "enterprise-read-intensive",
        writes_in_100_days: 50,
        source: "Intel P4500: 0.5 to 0.75 full writes a day by capacity (Lenovo's product guide)",
    },
    DriveClass {
        name: "enterprise-mixed-use",
        writes_in_100_days: 300,
        source: "Intel P3600: 10.95 PB for 2 TB, 3 full writes a day (Intel's product specification)",
    },
    DriveClass {
        name: "enterprise-write-intensive",
        writes_in_100_days: 1000,
        source: "10 full writes a day is the vendors' own name for the class; Intel P3700: 43.8 PB for 1.6 TB, 15 a day",
    },
    DriveClass {
        name: "optane",
        writes_in_100_days: 3000,
        source: "Intel Optane P4800X: 30 full writes a day, 20.5 PB for 375 GB (review on anandtech.com)",
    },
];

/// Bytes that may be written to a drive of that class and capacity (bytes, decimal): its full writes over five years.
pub fn class_endurance(class: &str, capacity: i128) -> Option<i128> {
    let class = DRIVE_CLASSES.iter().find(|known| known.name == class)?;
    Some(capacity * class.writes_in_100_days * 365 * 5 / 100)
}

/// Bytes that reach the drive for each flushed page of 16 KiB: 36 KiB, or 20 KiB without the doublewrite buffer.
///
/// The page twice, its redo, undo and binary log: 32 to 48 KiB by the estimate of
/// <https://www.percona.com/blog/give-love-to-your-ssds-reduce-innodb_io_capacity_max/>. A page of another size counts
/// in proportion.
pub fn bytes_per_page(page_size: i128, doublewrite: bool) -> i128 {
    page_size * if doublewrite { 36 } else { 20 } / 16
}

/// Bytes a second that a drive affords: `endurance × (1 − fill) ÷ (years × 365 days)`.
pub fn allowed_rate(endurance: i128, fill: f64, years: f64) -> i128 {
    if years <= 0.0 { 0 } else { (endurance as f64 * (1.0 - fill) / (years * SECONDS_A_YEAR as f64)) as i128 }
}

/// Years that a drive lasts when so many bytes a second are written.
pub fn years_at(endurance: i128, fill: f64, bytes_per_second: i128) -> f64 {
    endurance as f64 * (1.0 - fill) / bytes_per_second.max(1) as f64 / SECONDS_A_YEAR as f64
}

/// The largest `innodb_io_capacity_max` that threatens no drive: flushing at the ceiling all day is rare, so four times
/// what the drive affords all day; at least 400, below which a server cannot catch up. Own estimate.
pub fn capacity_max_limit(pages_per_second: i128) -> i128 {
    (4 * pages_per_second).max(400)
}

/// Bytes that may be written to the drive: given, or from its class and capacity. *Absent* on hard disks and network
/// volumes, where wear is not the owner's concern.
pub fn total(reader: &mut dyn Reader) -> Outcome<i128> {
    let kind = reader.fact(FactId::DiskKind);
    if let Outcome::Known(kind) = &kind
        && (has_word(kind, "hdd") || has_word(kind, "network"))
    {
        return Outcome::Absent;
    }
    if let Outcome::Known(given) = fact(reader, FactId::DiskEndurance) {
        return Outcome::Known(given);
    }
    let class = reader.fact(FactId::DiskClass);
    let capacity = fact(reader, FactId::DiskCapacity);
    match known!(class) {
        Value::Word(class) => {
            let capacity = known!(capacity);
            class_endurance(&class, capacity).map_or(Outcome::Unknown, Outcome::Known)
        }
        _ => Outcome::Unknown,
    }
}

/// Bytes that reach the drive for each flushed page with these settings.
pub fn page_bytes(reader: &mut dyn Reader) -> Outcome<i128> {
    let page = match number(reader, id::INNODB_PAGE_SIZE) {
        Outcome::Absent => 16384,
        other => known!(other),
    };
    let doublewrite = known!(reader.setting(id::INNODB_DOUBLEWRITE));
    Outcome::Known(bytes_per_page(page, !super::import::is_doublewrite_off(&doublewrite)))
}

/// Bytes a second that the drive affords over its planned life.
pub fn allowed(reader: &mut dyn Reader) -> Outcome<i128> {
    let total = total(reader);
    if total == Outcome::Absent {
        return Outcome::Absent;
    }
    let fill = fraction(reader, FactId::DiskFill);
    let years = fraction(reader, FactId::DiskLifetime);
    Outcome::Known(allowed_rate(known!(total), known!(fill), known!(years)))
}

/// Pages a second that the drive affords over its planned life.
pub fn pages_per_second(reader: &mut dyn Reader) -> Outcome<i128> {
    let allowed = known!(allowed(reader));
    page_bytes(reader).map(|bytes| allowed / bytes.max(1))
}

/// Bytes a second if the server flushed at `innodb_io_capacity_max` all the time.
pub fn ceiling_rate(reader: &mut dyn Reader) -> Outcome<i128> {
    let pages = known!(number(reader, id::INNODB_IO_CAPACITY_MAX));
    page_bytes(reader).map(|bytes| pages * bytes)
}

/// Bytes a second that reach the drive: given, or from the pages that the running server has flushed since its start.
/// A ceiling such as `innodb_io_capacity_max` is no rate.
pub fn write_rate(reader: &mut dyn Reader) -> Outcome<i128> {
    if let Outcome::Known(rate) = fact(reader, FactId::WorkloadWriteRate) {
        return Outcome::Known(rate);
    }
    let pages = known!(average(reader, FactId::RunningPagesWritten));
    page_bytes(reader).map(|bytes| pages * bytes)
}

/// Years that the drive lasts at that many bytes a second.
pub fn years(reader: &mut dyn Reader, rate: fn(&mut dyn Reader) -> Outcome<i128>) -> Outcome<f64> {
    let total = total(reader);
    if total == Outcome::Absent {
        return Outcome::Absent;
    }
    let fill = fraction(reader, FactId::DiskFill);
    let rate = known!(rate(reader));
    Outcome::Known(years_at(known!(total), known!(fill), rate))
}
