//! Members that do not fit each other: equal names, lists that leave one out, ids that both hand out.

use super::{Member, Topology};
use crate::catalog::{OptionId, id};
use crate::checks::{Hit, galera};
use crate::finding::{Safety, Severity};
use crate::source::Location;

pub(super) fn members_do_not_fit(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    match topology {
        Topology::Replication => {
            same_generated_ids(members, hits);
            half_semi_synchronous(members, hits);
        }
        Topology::Galera => {
            equal(members, id::WSREP_NODE_NAME, "two nodes cannot be told apart", hits);
            equal(members, id::WSREP_NODE_ADDRESS, "the other nodes reach only one of them", hits);
            lists_differ(members, hits);
        }
        Topology::GroupReplication => {
            equal(members, id::GROUP_REPLICATION_LOCAL_ADDRESS, "the group reaches only one of them", hits);
            not_among_the_seeds(members, hits);
        }
        Topology::Host => {}
    }
}

/// What each member must have for itself.
fn equal(members: &[Member], variable: OptionId, otherwise: &str, hits: &mut Vec<(usize, Hit)>) {
    for (position, member) in members.iter().enumerate() {
        let Some((at, text)) = member.written(variable).filter(|(_, text)| !text.is_empty()) else { continue };
        let is_same = |other: &Location, name: &str| *other != at && name.eq_ignore_ascii_case(&text);
        let earlier = members[..position].iter().find_map(|other| {
            let (place, name) = other.written(variable)?;
            is_same(&place, &name).then_some((other, place))
        });
        let Some((other, place)) = earlier else { continue };
        let message = format!("{variable} is {text} here and on {}: {otherwise}", other.name);
        let hit = Hit::new(Severity::Error, at, message).option(variable.name());
        let hit = hit.label("the same value").also(place, "and here");
        let title = format!("give each member a {variable} of its own");
        hits.push((position, hit.remedy(Safety::Manual, title, Vec::new())));
    }
}

fn lists_differ(members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    let variable = id::WSREP_CLUSTER_ADDRESS;
    let list = |member: &Member| {
        let (at, text) = member.written(variable)?;
        let mut nodes: Vec<_> = galera::nodes(&text)?.into_iter().map(str::to_lowercase).collect();
        nodes.sort_unstable();
        // An empty list is another fault, and the rule about one server's file has it.
        (!nodes.is_empty()).then_some((at, nodes))
    };
    let Some((first, (first_at, usual))) = members.iter().find_map(|member| Some((member, list(member)?))) else {
        return;
    };
    for (position, member) in members.iter().enumerate() {
        let Some((at, nodes)) = list(member).filter(|(_, nodes)| *nodes != usual) else { continue };
        let message = format!(
            "this node knows {} addresses of the cluster and {} knows others: after a full stop they may found two clusters",
            nodes.len(),
            first.name
        );
        let hit = Hit::new(Severity::Warning, at, message).option(variable.name()).also(first_at, "another list");
        hits.push((position, hit.remedy(Safety::Manual, "list the same nodes on all members", Vec::new())));
    }
}

fn not_among_the_seeds(members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    let variable = id::GROUP_REPLICATION_LOCAL_ADDRESS;
    for (position, member) in members.iter().enumerate() {
        let Some((at, address)) = member.written(variable) else { continue };
        let lists_it = |seeds: &str| seeds.split(',').any(|seed| seed.trim().eq_ignore_ascii_case(address.trim()));
        let missing = members.iter().enumerate().filter(|(other, _)| *other != position).find_map(|(_, other)| {
            let (place, seeds) = other.written(id::GROUP_REPLICATION_GROUP_SEEDS)?;
            (!lists_it(&seeds)).then_some((other, place))
        });
        let Some((other, place)) = missing else { continue };
        let message = format!(
            "{address} is not among the seeds of {}: when only this member is left, that one cannot come back",
            other.name
        );
        let hit = Hit::new(Severity::Warning, at, message).option(variable.name());
        let hit = hit.label("the address of this member").also(place, "not listed here");
        let title = "list the addresses of all members in group_replication_group_seeds everywhere";
        hits.push((position, hit.remedy(Safety::Manual, title, Vec::new())));
    }
}

/// A step above 1 says that several servers write; then each needs its own place in it.
fn same_generated_ids(members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    let (step, offset) = (id::AUTO_INCREMENT_INCREMENT, id::AUTO_INCREMENT_OFFSET);
    for (position, member) in members.iter().enumerate() {
        let (Some(by), Some(from)) = (member.number(step), member.number(offset)) else { continue };
        let is_same = |other: &&Member| other.number(step) == Some(by) && other.number(offset) == Some(from);
        let Some(other) = members[..position].iter().find(is_same).filter(|_| by > 1) else { continue };
        let message = format!(
            "generated ids begin at {from} in steps of {by} here and on {}: both hand out the same",
            other.name
        );
        let hit = Hit::new(Severity::Error, member.place(offset), message).option(offset.name());
        let hit = hit.label("the same offset").also(other.place(offset), "and here");
        let title = "give each server that takes writes its own auto_increment_offset";
        hits.push((position, hit.remedy(Safety::Manual, title, Vec::new())));
    }
}

fn half_semi_synchronous(members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    let sources = [id::RPL_SEMI_SYNC_SOURCE_ENABLED, id::RPL_SEMI_SYNC_MASTER_ENABLED];
    let replicas = [id::RPL_SEMI_SYNC_REPLICA_ENABLED, id::RPL_SEMI_SYNC_SLAVE_ENABLED];
    for (position, member) in members.iter().enumerate() {
        let Some(variable) = sources.into_iter().find(|variable| member.is_on(*variable)) else { continue };
        let others = members.iter().enumerate().filter(|(other, _)| *other != position);
        let mut acknowledging = others.map(|(_, other)| replicas.iter().any(|variable| other.is_on(*variable)));
        if members.len() < 2 || acknowledging.any(|acknowledges| acknowledges) {
            continue;
        }
        let message =
            "commits here wait for a replica's answer, and no other member gives one: replication is asynchronous";
        let hit = Hit::new(Severity::Warning, member.place(variable), message.to_owned()).option(variable.name());
        let title =
            "turn the replica's side on as well: rpl_semi_sync_replica_enabled, rpl_semi_sync_slave_enabled on MariaDB";
        hits.push((position, hit.remedy(Safety::Manual, title, Vec::new())));
    }
}
