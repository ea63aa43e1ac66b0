//! Servers that work together, compared by what their files make of each.
//!
//! What is compared here stands in no one file: an id that two servers share, a setting on which they must agree, an address that one
//! of them gives and another does not know.

mod agreement;
mod fitting;
mod host;
#[cfg(test)]
mod tests;

use super::Hit;
use super::pools::HostMemory;
use crate::catalog::{self, OptionId, State, id};
use crate::effective::{Effective, Origin};
use crate::facts::Facts;
use crate::finding::{Safety, Severity};
use crate::server::{Flavor, Server};
use crate::source::Location;
use crate::value::{Value, as_written};

/// How servers work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A primary and its replicas.
    Replication,
    /// Galera: MariaDB Galera Cluster or Percona XtraDB Cluster.
    Galera,
    /// MySQL Group Replication.
    GroupReplication,
    /// Nothing but the machine that they run on.
    Host,
}

impl Topology {
    /// Every topology.
    pub const ALL: [Self; 4] = [Self::Replication, Self::Galera, Self::GroupReplication, Self::Host];

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replication => "replication",
            Self::Galera => "galera",
            Self::GroupReplication => "group-replication",
            Self::Host => "host",
        }
    }

    /// The topology of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topology| topology.name() == name)
    }
}

/// One server, as far as the others have to know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    name: String,
    start: Location,
    server: Server,
    settings: Vec<Known>,
    memory: Option<HostMemory>,
}

/// A setting of a member.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    variable: OptionId,
    value: Value<'static>,
    /// Where it is written; nowhere when it is the default.
    at: Option<Location>,
}

impl Member {
    /// What is compared of a server. `start` stands for settings that are written nowhere; the defaults of a `fragment` are not known.
    pub fn new(name: String, start: Location, effective: &Effective<'_>, facts: &Facts, fragment: bool) -> Self {
        let compared = agreement::AGREEING.iter().map(|agreement| agreement.variable).chain(OWN.iter().copied());
        let settings = compared.filter_map(|variable| known(variable, effective, fragment)).collect();
        Self { name, start, server: effective.server, settings, memory: HostMemory::known(facts) }
    }

    fn get(&self, variable: OptionId) -> Option<&Known> {
        self.settings.iter().find(|known| known.variable == variable)
    }

    fn written(&self, variable: OptionId) -> Option<(Location, String)> {
        let known = self.get(variable)?;
        Some((known.at?, shown(&known.value)))
    }

    fn number(&self, variable: OptionId) -> Option<i128> {
        self.get(variable)?.value.as_integer()
    }

    fn is_on(&self, variable: OptionId) -> bool {
        self.get(variable).is_some_and(|known| known.value == Value::boolean(true))
    }

    fn place(&self, variable: OptionId) -> Location {
        self.get(variable).and_then(|known| known.at).unwrap_or(self.start)
    }
}

fn known(variable: OptionId, effective: &Effective<'_>, fragment: bool) -> Option<Known> {
    let (value, at) = match (effective.get(variable), effective.winner(variable)) {
        (Some(setting), Some(line)) => {
            let is_line = matches!(line.origin, Origin::Line(_) | Origin::Persisted);
            (setting.value.clone().known()?, is_line.then(|| line.whole()))
        }
        _ if fragment => return None,
        _ => {
            let entry = catalog::setting(variable, effective.server);
            let default = (entry.state == State::Present).then(|| entry.effective_default.value().cloned());
            (default.flatten()?.into_owned(), None)
        }
    };
    Some(Known { variable, value, at })
}

/// Compares the members of one cluster and pushes what it finds, each with the position of the member that it is about.
pub type Comparison = fn(Topology, &[Member], &mut Vec<(usize, Hit)>);

/// Every comparison by the rule that has the rest of the words.
const ALL: &[(&str, Comparison)] = &[
    ("duplicate-server-id", duplicate_server_id),
    ("members-differ", agreement::members_differ),
    ("members-do-not-fit", fitting::members_do_not_fit),
    ("max-allowed-packet-drift", max_allowed_packet_drift),
    ("pools-exceed-memory", host::pools_exceed_memory),
];

/// The comparison that a rule speaks for.
pub fn comparison(rule: &str) -> Option<Comparison> {
    ALL.iter().find(|(known, _)| *known == rule).map(|(_, comparison)| *comparison)
}

/// Whether members can be in one cluster at all: Galera is not MySQL's, and groups are not MariaDB's.
pub fn fits(topology: Topology, member: &Member) -> bool {
    match (topology, member.server.flavor) {
        (Topology::Replication | Topology::Host, _) => true,
        (Topology::Galera, flavor) => matches!(flavor, Flavor::Mariadb | Flavor::Pxc),
        (Topology::GroupReplication, flavor) => flavor.is_mysql_family(),
    }
}

/// What members have of their own, or are to have.
const OWN: &[OptionId] = &[
    id::SERVER_ID,
    id::MAX_ALLOWED_PACKET,
    id::INNODB_BUFFER_POOL_SIZE,
    id::AUTO_INCREMENT_INCREMENT,
    id::AUTO_INCREMENT_OFFSET,
    id::RPL_SEMI_SYNC_MASTER_ENABLED,
    id::RPL_SEMI_SYNC_SLAVE_ENABLED,
    id::RPL_SEMI_SYNC_SOURCE_ENABLED,
    id::RPL_SEMI_SYNC_REPLICA_ENABLED,
    id::WSREP_NODE_NAME,
    id::WSREP_NODE_ADDRESS,
    id::WSREP_CLUSTER_ADDRESS,
    id::GROUP_REPLICATION_LOCAL_ADDRESS,
    id::GROUP_REPLICATION_GROUP_SEEDS,
];

fn duplicate_server_id(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    // Nodes of a Galera cluster may share an id, and with wsrep_gtid_mode they are to.
    if matches!(topology, Topology::Galera | Topology::Host) {
        return;
    }
    for (position, member) in members.iter().enumerate() {
        let Some(number) = member.number(id::SERVER_ID).filter(|number| *number != 0) else { continue };
        let others: Vec<_> =
            members[..position].iter().filter(|one| one.number(id::SERVER_ID) == Some(number)).collect();
        let Some(first) = others.first() else { continue };
        let message =
            format!("server_id is {number} here and on {}: one of them cannot replicate from the other", first.name);
        let mut hit = Hit::new(Severity::Error, member.place(id::SERVER_ID), message).option(id::SERVER_ID.name());
        hit = hit.label(if member.written(id::SERVER_ID).is_some() { "the same id" } else { "the id is the default" });
        for other in others {
            hit = hit.also(other.place(id::SERVER_ID), format!("{number} too"));
        }
        hits.push((position, hit.remedy(Safety::Manual, "give each server an id of its own", Vec::new())));
    }
}

fn max_allowed_packet_drift(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    if topology == Topology::Host {
        return;
    }
    let variable = id::MAX_ALLOWED_PACKET;
    let size = |member: &Member| member.number(variable).and_then(|size| u64::try_from(size).ok());
    let Some(largest) = members.iter().rev().filter(|member| size(member).is_some()).max_by_key(|member| size(member))
    else {
        return;
    };
    let Some(most) = size(largest) else { return };
    for (position, member) in members.iter().enumerate() {
        let said = member.written(variable).is_some() || largest.written(variable).is_some();
        let Some(here) = size(member).filter(|here| *here < most && said) else { continue };
        let (here, most) = (as_written(here), as_written(most));
        let message = format!(
            "max_allowed_packet is {here} here and {most} on {}: rows that fit there do not fit through this server",
            largest.name
        );
        let hit = Hit::new(Severity::Warning, member.place(variable), message).option(variable.name());
        let hit = hit.label(format!("{here} here")).also(largest.place(variable), format!("{most} here"));
        let title = format!("set `max_allowed_packet = {most}` on all members");
        hits.push((position, hit.remedy(Safety::Manual, title, Vec::new())));
    }
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(text) | Value::Set(text) => text.clone().into_owned(),
        Value::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::None => String::new(),
    }
}
