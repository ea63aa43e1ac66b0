//! Servers that work together, compared by what their files make of each.
//!
//! What is compared here stands in no one file: an id that two servers share, a setting on which they must agree, an address that one
//! of them gives and another does not know.

use super::pools::{self, HostMemory};
use super::{Hit, galera};
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
    pub(super) name: String,
    start: Location,
    pub(super) server: Server,
    settings: Vec<Known>,
    pub(super) memory: Option<HostMemory>,
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
        let compared = AGREEING.iter().map(|agreement| agreement.variable).chain(OWN.iter().copied());
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

    pub(super) fn number(&self, variable: OptionId) -> Option<i128> {
        self.get(variable)?.value.as_integer()
    }

    fn is_on(&self, variable: OptionId) -> bool {
        self.get(variable).is_some_and(|known| known.value == Value::boolean(true))
    }

    pub(super) fn place(&self, variable: OptionId) -> Location {
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
pub type ClusterCheck = fn(Topology, &[Member], &mut Vec<(usize, Hit)>);

/// Every comparison by the name that rule files use.
const ALL: &[(&str, ClusterCheck)] = &[
    ("duplicate_server_id", duplicate_server_id),
    ("members_differ", members_differ),
    ("members_do_not_fit", members_do_not_fit),
    ("max_allowed_packet_drift", max_allowed_packet_drift),
    ("pools_exceed_memory", pools::of_members),
];

/// The comparison of that name.
pub fn by_name(name: &str) -> Option<ClusterCheck> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
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

/// A setting on which the members of some topologies have to agree.
struct Agreement {
    variable: OptionId,
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

const AGREEING: &[Agreement] = &[
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

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(text) | Value::Set(text) => text.clone().into_owned(),
        Value::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::None => String::new(),
    }
}

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

fn members_differ(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
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

fn members_do_not_fit(topology: Topology, members: &[Member], hits: &mut Vec<(usize, Hit)>) {
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

/// Whether members can be in one cluster at all: Galera is not MySQL's, and groups are not MariaDB's.
pub fn fits(topology: Topology, member: &Member) -> bool {
    match (topology, member.server.flavor) {
        (Topology::Replication | Topology::Host, _) => true,
        (Topology::Galera, flavor) => matches!(flavor, Flavor::Mariadb | Flavor::Pxc),
        (Topology::GroupReplication, flavor) => flavor.is_mysql_family(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optionfile::{self, ReadOptions, groups_read};
    use crate::source::{MemoryFiles, SourceFile, Sources, Span};

    fn compared(
        check: ClusterCheck,
        topology: Topology,
        server: Server,
        files: &[&str],
    ) -> Vec<(usize, Severity, String)> {
        let program = if server.flavor == Flavor::Mariadb { "mariadbd" } else { "mysqld" };
        let mut sources = Sources::default();
        let member = |(index, text): (usize, &&str)| {
            let name = format!("db{index}.cnf");
            let file = sources.add(SourceFile::new(&name, text.as_bytes().to_vec()));
            let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
            let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[file], &options);
            let effective = Effective::new(&document, &groups_read(program, server), server, &[]);
            Member::new(name, Location { file, span: Span::new(0, 0) }, &effective, &Facts::default(), false)
        };
        let members: Vec<_> = files.iter().enumerate().map(member).collect();
        let mut hits = Vec::new();
        check(topology, &members, &mut hits);
        hits.into_iter().map(|(position, hit)| (position, hit.severity, hit.message)).collect()
    }

    fn mysql() -> Server {
        Server { flavor: Flavor::Mysql, version: crate::server::Version::new(8, 0, 36) }
    }

    fn mariadb() -> Server {
        Server { flavor: Flavor::Mariadb, version: crate::server::Version::new(10, 11, 19) }
    }

    #[test]
    fn servers_without_an_id_share_the_default() {
        let found = compared(
            duplicate_server_id,
            Topology::Replication,
            mysql(),
            &["[mysqld]\nserver_id = 2\n", "[mysqld]\nport = 3306\n", "[mysqld]\nport = 3307\n"],
        );
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1), (2, Severity::Error));
        assert!(found[0].2.starts_with("server_id is 1 here and on db1.cnf"), "{}", found[0].2);
    }

    #[test]
    fn nodes_of_galera_may_share_an_id() {
        let files = ["[mysqld]\nserver_id = 2\n", "[mysqld]\nserver_id = 2\n"];
        assert_eq!(compared(duplicate_server_id, Topology::Galera, mariadb(), &files), []);
    }

    #[test]
    fn the_one_that_differs_from_most_is_named() {
        let found = compared(
            members_differ,
            Topology::Replication,
            mariadb(),
            &[
                "[mysqld]\nlower_case_table_names = 1\n",
                "[mysqld]\nlower_case_table_names = 0\n",
                "[mysqld]\nlower_case_table_names = 0\n",
            ],
        );
        assert_eq!(
            found.iter().map(|(position, severity, _)| (*position, *severity)).collect::<Vec<_>>(),
            [(0, Severity::Error)]
        );
    }

    #[test]
    fn defaults_and_spellings_do_not_differ() {
        let found = compared(
            members_differ,
            Topology::Replication,
            mariadb(),
            &[
                "[mysqld]\ncharacter_set_server = utf8\nsql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'\n",
                "[mysqld]\ncharacter_set_server = utf8mb3\nsql_mode = 'NO_ENGINE_SUBSTITUTION,STRICT_TRANS_TABLES'\n",
            ],
        );
        assert_eq!(found, []);
    }

    #[test]
    fn nodes_have_names_addresses_and_one_list() {
        let found = compared(
            members_do_not_fit,
            Topology::Galera,
            mariadb(),
            &[
                "[mysqld]\nwsrep_node_name = a\nwsrep_node_address = 10.0.0.1\nwsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2\n",
                "[mysqld]\nwsrep_node_name = a\nwsrep_node_address = 10.0.0.2\nwsrep_cluster_address = gcomm://10.0.0.2,10.0.0.1\n",
                "[mysqld]\nwsrep_node_name = c\nwsrep_node_address = 10.0.0.3\nwsrep_cluster_address = gcomm://10.0.0.3\n",
            ],
        );
        let short: Vec<_> = found.iter().map(|(position, severity, _)| (*position, *severity)).collect();
        assert_eq!(short, [(1, Severity::Error), (2, Severity::Warning)]);
    }

    #[test]
    fn a_member_of_a_group_is_known_to_all_others() {
        let member = |own: &str, seeds: &str| {
            format!("[mysqld]\ngroup_replication_local_address = {own}\ngroup_replication_group_seeds = {seeds}\n")
        };
        let files = [member("a:33061", "a:33061,b:33061"), member("b:33061", "b:33061")];
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        let found = compared(members_do_not_fit, Topology::GroupReplication, mysql(), &files);
        assert_eq!(found.iter().map(|(position, ..)| *position).collect::<Vec<_>>(), [0]);
        assert!(found[0].2.contains("not among the seeds of db1.cnf"), "{}", found[0].2);
    }

    #[test]
    fn two_writers_need_two_offsets() {
        let writer = |offset: u8| format!("[mysqld]\nauto_increment_increment = 2\nauto_increment_offset = {offset}\n");
        let (one, two) = (writer(1), writer(2));
        let check = |files: &[&str]| compared(members_do_not_fit, Topology::Replication, mariadb(), files).len();
        assert_eq!(check(&[&one, &two]), 0);
        assert_eq!(check(&[&one, &one]), 1);
    }

    #[test]
    fn the_smaller_packet_is_named() {
        let files = ["[mysqld]\nmax_allowed_packet = 256M\n", "[mysqld]\nport = 3306\n"];
        let found = compared(max_allowed_packet_drift, Topology::Replication, mariadb(), &files);
        assert_eq!(found.iter().map(|(position, ..)| *position).collect::<Vec<_>>(), [1]);
        assert!(found[0].2.contains("16M here and 256M on db0.cnf"), "{}", found[0].2);
    }
}
