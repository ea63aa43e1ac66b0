//! Pure arithmetic: memory, redo, endurance, descriptors, and the defaults that depend on settings or facts.
//!
//! A model asks for what it needs through [`Reader`], so that whoever evaluates a rule knows what the figure rests on.

mod assumptions;
mod buffers;
mod charset;
pub mod changed_defaults;
pub mod defaults;
pub mod descriptors;
pub mod endurance;
pub mod import;
pub mod io;
pub mod memory;
mod names;
pub mod pool;
mod read;
pub mod redo;
pub mod successors;
pub mod targets;

#[cfg(test)]
mod tests;

pub use assumptions::assume;
pub use names::{ModelId, Target};
pub use pool::{PoolShare, pool_shares};

use crate::catalog::{OptionId, id};
use crate::facts::FactId;
use crate::server::Server;
use crate::value::{Outcome, Value};
use read::{known, number};

/// Where models and rules get settings and facts from. Every question may be recorded as evidence.
pub trait Reader {
    /// The server that is meant.
    fn server(&self) -> Server;

    /// The effective value of a setting: what is written, or else the default of that server.
    fn setting(&mut self, id: OptionId) -> Outcome<Value<'static>>;

    /// Whether a setting is written somewhere: a file, the command line, or persisted.
    fn is_set(&mut self, id: OptionId) -> Outcome<bool>;

    /// A fact about machine, workload or running server.
    fn fact(&mut self, id: FactId) -> Outcome<Value<'static>>;
}

/// The figure that a model gives, in its [`ModelId::unit`].
///
/// *Unknown* when a fact or setting that it needs is; *absent* when the server or the disk has no such thing, or when no
/// value would do.
pub fn evaluate(model: ModelId, reader: &mut dyn Reader) -> Outcome<Value<'static>> {
    use ModelId as M;
    let whole = match model {
        M::RedoCapacity => redo::capacity(reader),
        M::RedoUsable => redo::usable(reader),
        M::RedoCapacityForLoad => redo::capacity_for_load(reader),
        M::RedoCapacityRecommended => redo::capacity_recommended(reader),
        M::RedoCapacityFloor => redo::capacity_floor(reader),
        M::RedoCapacityCeiling => redo::capacity_ceiling(reader),
        M::RedoRate => redo::rate(reader),
        M::RedoMinutesAtRate => return redo::minutes_at_rate(reader).map(Value::Real),
        M::RedoRecoverySeconds => redo::recovery_seconds(reader),
        M::MemoryBudget => memory::machine(reader).map(|machine| machine.budget()),
        M::MemoryOsReserve => memory::machine(reader).map(|machine| machine.os_reserve()),
        M::MemoryAvailable => memory::machine(reader).map(|machine| machine.available()),
        M::MemoryPool => effective_pool(reader),
        M::MemoryPoolWhole => memory::pool_whole(reader),
        M::MemoryPoolOverhead => {
            let server = reader.server();
            effective_pool(reader).map(|pool| memory::pool_overhead(server, pool))
        }
        M::MemoryOtherCaches => memory::demand(reader).map(|demand| demand.other_caches),
        M::MemoryGlobal => memory::demand(reader).map(|demand| demand.global()),
        M::MemoryIdleConnection => memory::demand(reader).map(|demand| demand.idle),
        M::MemoryActiveConnection => memory::demand(reader).map(|demand| demand.active),
        M::MemoryActiveConnections => memory::demand(reader).map(|demand| demand.active_connections()),
        M::MemoryConnectionsIdle => memory::demand(reader).map(|demand| demand.connections_idle()),
        M::MemoryConnectionsActive => memory::demand(reader).map(|demand| demand.connections_active()),
        M::MemoryExpectedPeak => memory::demand(reader).map(|demand| demand.expected_peak()),
        M::MemoryWorstCase => memory::demand(reader).map(|demand| demand.worst_case()),
        M::MemoryPoolShare => {
            return memory::machine(reader).map(|machine| Value::Real(memory::share(&machine) as f64 / 100.0));
        }
        M::MemoryPoolCeiling => memory::machine(reader).map(|machine| machine.pool_ceiling()),
        M::MemoryPoolRecommended => memory::pool_recommended(reader),
        M::MemoryConnectionsRecommended => memory::connections_recommended(reader),
        M::MemoryWrittenBuffers => return Outcome::Known(buffers::listed(reader)),
        M::MemoryWrittenBuffersSum => Outcome::Known(buffers::sum(reader)),
        M::DescriptorsWanted => descriptors::descriptors(reader).map(|descriptors| descriptors.wanted()),
        M::DescriptorsNeeded => descriptors::descriptors(reader).map(|descriptors| descriptors.needed()),
        M::DescriptorsMaxConnections => descriptors::max_connections(reader),
        M::DescriptorsTableOpenCache => descriptors::table_open_cache(reader),
        M::EnduranceTotal => endurance::total(reader),
        M::EnduranceBytesPerPage => endurance::page_bytes(reader),
        M::EnduranceAllowedRate => endurance::allowed(reader),
        M::EndurancePagesPerSecond => endurance::pages_per_second(reader),
        M::EnduranceCapacityMaxLimit => endurance::pages_per_second(reader).map(endurance::capacity_max_limit),
        M::EnduranceCeilingRate => endurance::ceiling_rate(reader),
        M::EnduranceYearsAtCeiling => return endurance::years(reader, endurance::ceiling_rate).map(Value::Real),
        M::EnduranceWriteRate => endurance::write_rate(reader),
        M::EnduranceYearsAtWriteRate => return endurance::years(reader, endurance::write_rate).map(Value::Real),
        M::IoCapacityLimit => io::pace(reader).map(|pace| pace.capacity_limit),
        M::IoCapacityMaxLimit => io::pace(reader).map(|pace| pace.capacity_max_limit),
        M::IoCapacityRecommended => io::capacity_recommended(reader),
        M::IoAsyncRequests => io::async_requests(reader),
        M::IoCapacityMaxRecommended => io::capacity_max_recommended(reader),
        M::ImportHardMarkers => Outcome::Known(import::hard_markers(reader)),
        M::BinlogRetention => return targets::binlog_retention(reader),
        M::ImportDurabilityMarkers => Outcome::Known(import::durability_markers(reader)),
    };
    whole.map(Value::Integer)
}

fn effective_pool(reader: &mut dyn Reader) -> Outcome<i128> {
    let pool = known!(number(reader, id::INNODB_BUFFER_POOL_SIZE));
    memory::pool_grid(reader).map(|grid| grid.effective(pool))
}
