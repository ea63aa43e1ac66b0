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
    /// The capacity that one peak hour of redo, or the buffer pool, asks for.
    RedoCapacityRecommended "redo.capacity_recommended" Some(Unit::Bytes);
    /// Memory that the server may plan with.
    MemoryBudget "memory.budget" Some(Unit::Bytes);
    /// Memory that is taken once, whatever the number of connections.
    MemoryGlobal "memory.global" Some(Unit::Bytes);
    /// Memory of one idle connection.
    MemoryIdleConnection "memory.idle_connection" Some(Unit::Bytes);
    /// Memory of one connection at work.
    MemoryActiveConnection "memory.active_connection" Some(Unit::Bytes);
    /// Connections expected to be at work at the same time.
    MemoryActiveConnections "memory.active_connections" Some(Unit::Count);
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
    /// Bytes that reach the drive for each flushed page.
    EnduranceBytesPerPage "endurance.bytes_per_page" Some(Unit::Bytes);
    /// Bytes a second that the drive affords over its planned life.
    EnduranceAllowedRate "endurance.allowed_rate" Some(Unit::BytesPerSecond);
    /// Pages a second that the drive affords over its planned life.
    EndurancePagesPerSecond "endurance.pages_per_second" Some(Unit::PagesPerSecond);
    /// Bytes a second if the server flushed at `innodb_io_capacity_max` all the time.
    EnduranceCeilingRate "endurance.ceiling_rate" Some(Unit::BytesPerSecond);
    /// Years that the drive lasts if the server flushed at `innodb_io_capacity_max` all the time.
    EnduranceYearsAtCeiling "endurance.years_at_ceiling" Some(Unit::Years);
    /// Years that the drive lasts at the known write rate.
    EnduranceYearsAtWriteRate "endurance.years_at_write_rate" Some(Unit::Years);
    /// The largest `innodb_io_capacity` that suits the kind of disk.
    IoCapacityLimit "io.capacity_limit" Some(Unit::PagesPerSecond);
    /// The largest `innodb_io_capacity_max` that suits the kind of disk.
    IoCapacityMaxLimit "io.capacity_max_limit" Some(Unit::PagesPerSecond);
    /// The `innodb_io_capacity_max` that disk and endurance afford.
    IoCapacityMaxRecommended "io.capacity_max_recommended" Some(Unit::PagesPerSecond);
    /// Settings written in a file that give up crash safety for an import.
    ImportHardMarkers "import.hard_markers" Some(Unit::Count);
    /// Settings written in a file that give up the durability of commits for an import.
    ImportDurabilityMarkers "import.durability_markers" Some(Unit::Count);
}
