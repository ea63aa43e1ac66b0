//! Every model: its name in rules and reports, what its figure counts, and what it says.

use crate::value::Unit;

macro_rules! models {
    ($($(#[doc = $doc:literal])+ $id:ident $name:literal $type:expr;)+) => {
        /// Names one model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ModelId { $($(#[doc = $doc])+ $id),+ }

        impl ModelId {
            /// Every model.
            pub const ALL: &'static [ModelId] = &[$(ModelId::$id),+];

            /// The name in rules and reports: `redo.usable`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name),+ }
            }

            /// What the figure counts; `None` for a word.
            pub const fn unit(self) -> Option<Unit> {
                match self { $(Self::$id => $type),+ }
            }

            /// What it says, in one line.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$id => concat!($($doc),+)),+ }
            }

            /// The model of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|id| id.name() == name)
            }
        }
    };
}

models! {
    /// The whole redo log, whatever the version calls it.
    RedoCapacity "redo.capacity" Some(Unit::Bytes);
    /// Redo that can be written before user threads wait for a checkpoint.
    RedoUsable "redo.usable" Some(Unit::Bytes);
    /// The smallest capacity whose usable part holds the redo of the largest load.
    RedoCapacityForLoad "redo.capacity_for_load" Some(Unit::Bytes);
    /// The capacity that one peak hour of redo, or else the buffer pool, asks for; never less than the largest load needs.
    RedoCapacityRecommended "redo.capacity_recommended" Some(Unit::Bytes);
    /// The capacity below which the redo log is too small for the known rate or the buffer pool that is written.
    RedoCapacityFloor "redo.capacity_floor" Some(Unit::Bytes);
    /// The largest capacity that is worth its disk space and its time of recovery.
    RedoCapacityCeiling "redo.capacity_ceiling" Some(Unit::Bytes);
    /// Redo bytes a second: given, or the average since the running server started.
    RedoRate "redo.rate" Some(Unit::BytesPerSecond);
    /// Minutes until writes stall at that rate if no page were flushed.
    RedoMinutesAtRate "redo.minutes_at_rate" Some(Unit::Minutes);
    /// Seconds that a recovery from a full redo log takes (estimate by kind of disk).
    RedoRecoverySeconds "redo.recovery_seconds" Some(Unit::Seconds);
    /// Memory that the server may plan with.
    MemoryBudget "memory.budget" Some(Unit::Bytes);
    /// Memory that stays with the operating system.
    MemoryOsReserve "memory.os_reserve" Some(Unit::Bytes);
    /// The budget without what stays with the operating system.
    MemoryAvailable "memory.available" Some(Unit::Bytes);
    /// The buffer pool as the server lays it out, rounded up to whole chunks.
    MemoryPool "memory.pool" Some(Unit::Bytes);
    /// The largest buffer pool that is not above the written one and that the server takes as it is.
    MemoryPoolWhole "memory.pool_whole" Some(Unit::Bytes);
    /// What InnoDB keeps beside the buffer pool to manage it.
    MemoryPoolOverhead "memory.pool_overhead" Some(Unit::Bytes);
    /// Memory that is taken once, without the buffer pool.
    MemoryOtherCaches "memory.other_caches" Some(Unit::Bytes);
    /// Memory that is taken once, whatever the number of connections.
    MemoryGlobal "memory.global" Some(Unit::Bytes);
    /// Memory of one idle connection.
    MemoryIdleConnection "memory.idle_connection" Some(Unit::Bytes);
    /// Memory of one connection at work.
    MemoryActiveConnection "memory.active_connection" Some(Unit::Bytes);
    /// Connections expected to be at work at the same time.
    MemoryActiveConnections "memory.active_connections" Some(Unit::Count);
    /// Memory of all allowed connections while they idle.
    MemoryConnectionsIdle "memory.connections_idle" Some(Unit::Bytes);
    /// Memory of the connections at work, above what they take while they idle.
    MemoryConnectionsActive "memory.connections_active" Some(Unit::Bytes);
    /// Memory expected at the busiest moment.
    MemoryExpectedPeak "memory.expected_peak" Some(Unit::Bytes);
    /// Memory if every allowed connection ran its heaviest statement at once.
    MemoryWorstCase "memory.worst_case" Some(Unit::Bytes);
    /// Share of the budget that the buffer pool may take.
    MemoryPoolShare "memory.pool_share" Some(Unit::Share);
    /// The largest buffer pool that the share table allows.
    MemoryPoolCeiling "memory.pool_ceiling" Some(Unit::Bytes);
    /// The buffer pool that fits the machine and the connections.
    MemoryPoolRecommended "memory.pool_recommended" Some(Unit::Bytes);
    /// The most connections that fit beside the buffer pool that stands, or the recommended one if that is smaller.
    MemoryConnectionsRecommended "memory.connections_recommended" Some(Unit::Count);
    /// The buffers of single statements that are written, and their sizes.
    MemoryWrittenBuffers "memory.written_buffers" None;
    /// What these come to for one statement that needs them all.
    MemoryWrittenBuffersSum "memory.written_buffers_sum" Some(Unit::Bytes);
    /// Descriptors that the server asks the operating system for when it starts.
    DescriptorsWanted "descriptors.wanted" Some(Unit::Count);
    /// The smallest limit of open files with which connections and table cache can be used to the full.
    DescriptorsNeeded "descriptors.needed" Some(Unit::Count);
    /// What `max_connections` becomes under the unit's limit of open files.
    DescriptorsMaxConnections "descriptors.max_connections" Some(Unit::Count);
    /// What `table_open_cache` becomes under the unit's limit of open files.
    DescriptorsTableOpenCache "descriptors.table_open_cache" Some(Unit::Count);
    /// Bytes that may be written to the drive: given, or from its class and capacity.
    EnduranceTotal "endurance.total" Some(Unit::DecimalBytes);
    /// Bytes that reach the drive for each flushed page.
    EnduranceBytesPerPage "endurance.bytes_per_page" Some(Unit::Bytes);
    /// Bytes a second that the drive affords over its planned life.
    EnduranceAllowedRate "endurance.allowed_rate" Some(Unit::BytesPerSecond);
    /// Pages a second that the drive affords over its planned life.
    EndurancePagesPerSecond "endurance.pages_per_second" Some(Unit::PagesPerSecond);
    /// The largest `innodb_io_capacity_max` that is no threat to the drive's planned life.
    EnduranceCapacityMaxLimit "endurance.capacity_max_limit" Some(Unit::PagesPerSecond);
    /// Bytes a second if the server flushed at `innodb_io_capacity_max` all the time.
    EnduranceCeilingRate "endurance.ceiling_rate" Some(Unit::BytesPerSecond);
    /// Years that the drive lasts if the server flushed at `innodb_io_capacity_max` all the time.
    EnduranceYearsAtCeiling "endurance.years_at_ceiling" Some(Unit::Years);
    /// Bytes a second that reach the drive: given, or from the pages that the running server has flushed.
    EnduranceWriteRate "endurance.write_rate" Some(Unit::BytesPerSecond);
    /// Years that the drive lasts at the known write rate.
    EnduranceYearsAtWriteRate "endurance.years_at_write_rate" Some(Unit::Years);
    /// The largest `innodb_io_capacity` that suits the kind of disk.
    IoCapacityLimit "io.capacity_limit" Some(Unit::PagesPerSecond);
    /// The largest `innodb_io_capacity_max` that suits the kind of disk.
    IoCapacityMaxLimit "io.capacity_max_limit" Some(Unit::PagesPerSecond);
    /// The `innodb_io_capacity` that suits the kind of disk.
    IoCapacityRecommended "io.capacity_recommended" Some(Unit::PagesPerSecond);
    /// The `innodb_io_capacity_max` that disk and endurance afford.
    IoCapacityMaxRecommended "io.capacity_max_recommended" Some(Unit::PagesPerSecond);
    /// Asynchronous requests that InnoDB reserves with the kernel when it starts.
    IoAsyncRequests "io.async_requests" Some(Unit::Count);
    /// Settings written in a file that give up crash safety for an import.
    ImportHardMarkers "import.hard_markers" Some(Unit::Count);
    /// Settings written in a file that give up the durability of commits for an import.
    ImportDurabilityMarkers "import.durability_markers" Some(Unit::Count);
    /// The line that makes this server remove binary logs once they are a week old.
    BinlogRetention "binlog.retention" None;
}

/// Something that a fix sets although no single option of that name exists on every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// The whole redo log in bytes.
    Redo,
    /// The binary log, on.
    BinaryLog,
    /// Everything that an import relaxes, back to durable settings.
    Import,
    /// Commits on the drive before they return: what is written otherwise.
    Commit,
    /// The buffer pool in bytes, and a redo log that suits it.
    BufferPool,
    /// Buffer pool and, where that is not enough, connections that fit the memory.
    Memory,
    /// `innodb_io_capacity_max` in pages a second, and `innodb_io_capacity` where it would lie above.
    IoCapacityMax,
    /// New tables hold every character, and compare as those before did where there is such a collation.
    CharacterSet,
}

impl Target {
    /// Every target.
    pub const ALL: &'static [Target] = &[
        Target::Redo,
        Target::BinaryLog,
        Target::Import,
        Target::Commit,
        Target::BufferPool,
        Target::Memory,
        Target::IoCapacityMax,
        Target::CharacterSet,
    ];

    /// The name in rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Redo => "redo",
            Self::BinaryLog => "binlog",
            Self::Import => "import",
            Self::Commit => "commit",
            Self::BufferPool => "pool",
            Self::Memory => "memory",
            Self::IoCapacityMax => "io",
            Self::CharacterSet => "charset",
        }
    }

    /// What a value for it counts; `None` when it takes no value.
    pub const fn unit(self) -> Option<Unit> {
        match self {
            Self::Redo | Self::BufferPool => Some(Unit::Bytes),
            Self::IoCapacityMax => Some(Unit::PagesPerSecond),
            Self::BinaryLog | Self::Import | Self::Commit | Self::Memory | Self::CharacterSet => None,
        }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|target| target.name() == name)
    }
}
