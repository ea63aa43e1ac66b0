//! Buffer pools of several servers on one host, added up against its memory.

use super::instances::{self, Instance};
use super::{Hit, Subject};
use crate::catalog::{self, OptionId, id};
use crate::effective::Effective;
use crate::facts::{FactId, Facts, Known};
use crate::finding::{Evidence, Safety, Severity};
use crate::model::memory::{Machine, pool_overhead};
use crate::optionfile::GroupSet;
use crate::server::Server;
use crate::source::Location;
use crate::value::{Outcome, Unit, Value, as_written, show};

pub(super) const POOL: OptionId = id::INNODB_BUFFER_POOL_SIZE;

/// The memory of the host itself, and where it is known from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HostMemory {
    machine: Machine,
    evidence: Evidence,
}

impl HostMemory {
    /// Nothing where the figure is the limit of one container or unit: its neighbours have others.
    pub(super) fn known(facts: &Facts) -> Option<Self> {
        let Known { value, source } = facts.get(FactId::HostRam)?;
        if facts.value(FactId::HostLimited) == Outcome::Known(&Value::boolean(true)) {
            return None;
        }
        // These servers are what shares it.
        let machine = Machine { ram: value.as_integer()?, limited: false, shared: false };
        let name = FactId::HostRam.name();
        let evidence = Evidence { name, value: value.clone(), unit: Unit::Bytes, source: source.to_string() };
        Some(Self { machine, evidence })
    }
}

/// The pool of one server, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pool {
    pub(super) server: Server,
    pub(super) name: String,
    pub(super) size: i128,
    pub(super) at: Location,
}

impl Pool {
    /// With what InnoDB keeps beside it.
    fn taken(&self) -> i128 {
        self.size + pool_overhead(self.server, self.size)
    }
}

/// The servers of one set of files: `[mysqld1]` and `[mysqld2]`, `[mysqld@a]` and `[mysqld@b]`.
pub(super) fn pools_exceed_memory(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let instances = instances::with_own_data(subject);
    if instances.len() < 2 {
        return;
    }
    let Some(memory) = HostMemory::known(subject.facts) else { return };
    let pools: Vec<_> = instances.iter().filter_map(|instance| pool_of(subject, instance)).collect();
    hits.extend(exceeding(&pools, &memory).map(|(_, hit)| hit));
}

fn pool_of(subject: Subject<'_>, instance: &Instance<'_>) -> Option<Pool> {
    let server = subject.server;
    let (name, header) = instance.shown(subject)?;
    let own_groups = GroupSet::named(instance.names(subject).iter().map(String::as_str));
    let own = Effective::new(subject.document, &own_groups, server, &[]);
    let (size, at) = match (own.get(POOL), own.winner(POOL)) {
        (Some(setting), Some(line)) => (setting.value.clone().known()?.as_integer()?, line.whole()),
        _ => match subject.effective.get(POOL) {
            Some(setting) => (setting.value.clone().known()?.as_integer()?, header),
            None => (catalog::setting(POOL, server).effective_default.value()?.as_integer()?, header),
        },
    };
    Some(Pool { server, name, size, at })
}

/// What is said, and the position of the largest pool.
pub(super) fn exceeding(pools: &[Pool], memory: &HostMemory) -> Option<(usize, Hit)> {
    let taken: i128 = pools.iter().map(Pool::taken).sum();
    if pools.len() < 2 || taken <= memory.machine.available() {
        return None;
    }
    let (position, largest) = pools.iter().enumerate().rev().max_by_key(|(_, pool)| pool.size)?;
    let each: Vec<_> = pools.iter().map(|pool| size(pool.size)).collect();
    let message = format!(
        "{} servers of this host have buffer pools of {}: {} with their overhead, and the host has {}",
        pools.len(),
        each.join(" + "),
        size(taken),
        size(memory.machine.ram)
    );
    let severity = if taken > memory.machine.ram { Severity::Error } else { Severity::Warning };
    let mut hit = Hit::new(severity, largest.at, message).option(POOL.name()).label(label(largest));
    for (_, pool) in pools.iter().enumerate().filter(|(other, _)| *other != position) {
        hit = hit.also(pool.at, label(pool));
    }
    hit.evidence.push(memory.evidence.clone());
    let advice = format!(
        "divide what the host can spare among them: {} for everything that they take, pools, caches and connections",
        size(memory.machine.available())
    );
    Some((position, hit.remedy(Safety::Manual, advice, Vec::new())))
}

fn label(pool: &Pool) -> String {
    format!("{} for {}", size(pool.size), pool.name)
}

fn size(bytes: i128) -> String {
    match u64::try_from(bytes).map(as_written) {
        Ok(short) if short.len() <= 6 => short,
        _ => show(&Value::Integer(bytes), Unit::Bytes).to_string(),
    }
}
