//! Servers of one host that have files of their own.

use super::{Member, Topology};
use crate::checks::Hit;
use crate::checks::pools::{POOL, Pool, exceeding};

/// Adds their buffer pools up.
pub(super) fn pools_exceed_memory(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    if topology != Topology::Host {
        return;
    }
    let Some(memory) = members.iter().find_map(|member| member.memory.as_ref()) else { return };
    let pool = |(position, member): (usize, &Member)| {
        let size = member.number(POOL)?;
        let pool = Pool { server: member.server, name: member.name.clone(), size, at: member.place(POOL) };
        Some((position, pool))
    };
    let (positions, pools): (Vec<_>, Vec<_>) = members.iter().enumerate().filter_map(pool).unzip();
    let hit = exceeding(&pools, memory);
    hits.extend(hit.and_then(|(largest, hit)| Some((*positions.get(largest)?, hit))));
}
