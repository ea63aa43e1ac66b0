//! Settings on which the members of a cluster have to agree.

use super::{Known, Member, Topology, shown};
use crate::catalog::{OptionId, id};
use crate::checks::Hit;
use crate::finding::{Safety, Severity};
use crate::value::Value;

pub(super) fn members_differ(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
    for agreement in AGREEING.iter().filter(|agreement| agreement.topologies.contains(&topology)) {
        let values: Vec<_> = members
            .iter()
            .enumerate()
            .filter_map(|(at, member)| Some((at, member, member.get(agreement.variable)?)))
            .collect();
        // What most of them have; of as many, what the first one has.
        let votes = |known: &Known| values.iter().filter(|(_, _, other)| same(&other.value, &known.value)).count();
        let Some((_, leader, usual)) = values.iter().rev().max_by_key(|(_, _, known)| votes(known)) else { continue };
        for (position, member, known) in &values {
            let said = known.at.is_some() || usual.at.is_some();
            if !said || same(&known.value, &usual.value) {
                continue;
            }
            let (here, there) = (quoted(&known.value), quoted(&usual.value));
            let variable = agreement.variable;
            let message = format!("{variable} is {here} here and {there} on {}: {}", leader.name, agreement.otherwise);
            let hit = Hit::new(agreement.severity, member.place(variable), message).option(variable.name());
            let hit = hit.label(format!("{here} here")).also(leader.place(variable), format!("{there} here"));
            let title = format!("give {variable} one value on all members");
            hits.push((*position, hit.remedy(Safety::Manual, title, Vec::new())));
        }
    }
}

fn quoted(value: &Value<'_>) -> String {
    let text = shown(value);
    if text.is_empty() { "empty".to_owned() } else { text }
}

/// Values that are other spellings of one.
fn same(left: &Value<'_>, right: &Value<'_>) -> bool {
    let (left, right) = (shown(left).to_lowercase(), shown(right).to_lowercase());
    let whole = |name: String| match name.strip_prefix("utf8_") {
        Some(rest) => format!("utf8mb3_{rest}"),
        None if name == "utf8" => "utf8mb3".to_owned(),
        None => name,
    };
    let sorted = |list: &str| {
        let mut members: Vec<_> = list.split(',').map(str::trim).map(str::to_owned).collect();
        members.sort_unstable();
        members
    };
    sorted(&whole(left)) == sorted(&whole(right))
}

/// A setting on which the members of some topologies have to agree.
pub(super) struct Agreement {
    pub(super) variable: OptionId,
    severity: Severity,
    topologies: &'static [Topology],
    /// What comes of it when they do not.
    otherwise: &'static str,
}

const EVERY: &[Topology] = &[Topology::Replication, Topology::Galera, Topology::GroupReplication];
const GALERA: &[Topology] = &[Topology::Galera];
const GROUP: &[Topology] = &[Topology::GroupReplication];

const fn agree(
    variable: OptionId,
    severity: Severity,
    topologies: &'static [Topology],
    otherwise: &'static str,
) -> Agreement {
    Agreement { variable, severity, topologies, otherwise }
}

pub(super) const AGREEING: &[Agreement] = &[
    agree(id::LOWER_CASE_TABLE_NAMES, Severity::Error, EVERY, "one finds tables that the other does not"),
    agree(id::GTID_MODE, Severity::Error, &[Topology::Replication], "they cannot replicate from each other"),
    agree(id::SQL_MODE, Severity::Warning, EVERY, "after a failover statements fail or store other values"),
    agree(
        id::CHARACTER_SET_SERVER,
        Severity::Warning,
        EVERY,
        "new databases get other character sets after a failover",
    ),
    agree(
        id::COLLATION_SERVER,
        Severity::Warning,
        EVERY,
        "new databases compare and sort in another way after a failover",
    ),
    agree(
        id::DEFAULT_TIME_ZONE,
        Severity::Warning,
        EVERY,
        "times are shown and stored in another zone after a failover",
    ),
    agree(
        id::EXPLICIT_DEFAULTS_FOR_TIMESTAMP,
        Severity::Warning,
        EVERY,
        "CREATE TABLE gives TIMESTAMP columns other defaults",
    ),
    agree(id::PARTIAL_REVOKES, Severity::Warning, EVERY, "one grant means another thing there"),
    agree(id::LOG_TIMESTAMPS, Severity::Advice, EVERY, "their error logs cannot be laid side by side"),
    agree(id::INNODB_STRICT_MODE, Severity::Warning, EVERY, "a CREATE TABLE that one takes stops the other"),
    agree(
        id::BINLOG_FORMAT,
        Severity::Warning,
        &[Topology::Replication],
        "what the log holds changes with each failover",
    ),
    agree(id::WSREP_CLUSTER_NAME, Severity::Error, GALERA, "they refuse each other"),
    agree(id::WSREP_GTID_MODE, Severity::Warning, GALERA, "they give one transaction different GTIDs"),
    agree(id::PXC_ENCRYPT_CLUSTER_TRAFFIC, Severity::Error, GALERA, "they do not talk to each other"),
    agree(id::GROUP_REPLICATION_GROUP_NAME, Severity::Error, GROUP, "they belong to different groups"),
    agree(id::GROUP_REPLICATION_SINGLE_PRIMARY_MODE, Severity::Error, GROUP, "the one that joins later is refused"),
    agree(id::GROUP_REPLICATION_COMMUNICATION_STACK, Severity::Error, GROUP, "they do not talk to each other"),
    agree(id::GROUP_REPLICATION_PAXOS_SINGLE_LEADER, Severity::Warning, GROUP, "the one that joins later is refused"),
];
