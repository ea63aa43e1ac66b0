//! The addresses of Group Replication, which are texts with ports in them.

use super::{Hit, Subject, shown};
use crate::catalog::{self, OptionId, id};
use crate::effective::{Assignment, Origin};
use crate::finding::{Safety, Severity};
use crate::value::{Outcome, Value};

/// <https://dev.mysql.com/doc/refman/8.4/en/group-replication-limitations.html>: "Limits on Group Size".
const MOST_MEMBERS: usize = 9;

fn written<'a>(subject: Subject<'a>, variable: OptionId) -> Option<(&'a Assignment<'a>, String)> {
    let line = subject.effective.decided(variable)?;
    Some((line, shown(line.value.as_deref()?)))
}

/// With XCom the group has a port of its own; with the MySQL stack it is the server's.
fn uses_xcom(subject: Subject<'_>) -> bool {
    let stack = written(subject, id::GROUP_REPLICATION_COMMUNICATION_STACK);
    stack.is_none_or(|(_, stack)| stack.trim().eq_ignore_ascii_case("xcom"))
}

pub(super) fn group_port_taken(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, address)) = written(subject, id::GROUP_REPLICATION_LOCAL_ADDRESS) else { return };
    let group_port = address.rsplit_once(':').and_then(|(_, port)| port.trim().parse::<i128>().ok());
    let Some(group_port) = group_port.filter(|_| uses_xcom(subject)) else { return };
    let (port, port_line) = match subject.effective.get(id::PORT).map(|setting| &setting.value) {
        Some(Outcome::Known(Value::Integer(port))) => (*port, subject.effective.winner(id::PORT)),
        Some(_) => return,
        None => match catalog::setting(id::PORT, subject.server).effective_default.value() {
            Some(Value::Integer(0)) | None => (3306, None),
            Some(Value::Integer(port)) => (*port, None),
            Some(_) => return,
        },
    };
    if port != group_port {
        return;
    }
    let message =
        format!("`group_replication_local_address` uses port {port}, on which clients connect: the member cannot join");
    let hit = Hit::new(Severity::Error, line.whole(), message).label("the port of the group");
    let hit = hit.option(id::GROUP_REPLICATION_LOCAL_ADDRESS.name());
    let hit = match port_line {
        Some(other) => hit.also(other.whole(), "the port of the server"),
        None => hit,
    };
    let title =
        "give the group a port of its own, such as 33061, here and in `group_replication_group_seeds` of all members";
    hits.push(hit.remedy(Safety::Manual, title, Vec::new()));
}

pub(super) fn group_too_large(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, seeds)) = written(subject, id::GROUP_REPLICATION_GROUP_SEEDS) else { return };
    let count = seeds.split(',').filter(|seed| !seed.trim().is_empty()).count();
    if count <= MOST_MEMBERS {
        return;
    }
    let message = format!("{count} members are listed, and a group takes {MOST_MEMBERS}: the others are turned away");
    let hit = Hit::new(Severity::Error, line.whole(), message).label(format!("{count} members"));
    let title = format!("keep {MOST_MEMBERS} members, and let further servers replicate from them");
    hits.push(hit.option(id::GROUP_REPLICATION_GROUP_SEEDS.name()).remedy(Safety::Manual, title, Vec::new()));
}

pub(super) fn group_name_missing(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let variable = id::GROUP_REPLICATION_GROUP_NAME;
    if let Some((line, name)) = written(subject, variable) {
        if is_uuid(&name) || matches!(line.origin, Origin::Snapshot { .. }) {
            return;
        }
        let message = format!("the name of a group is a UUID, and `{name}` is none: START GROUP_REPLICATION fails");
        let hit = Hit::new(Severity::Error, line.whole(), message).label("no UUID").option(variable.name());
        let title = "write one UUID, the same on all members; `SELECT UUID()` makes one";
        hits.push(hit.remedy(Safety::Manual, title, Vec::new()));
        return;
    }
    // What a template or SET PERSIST says is not known here.
    if subject.effective.get(variable).is_some() {
        return;
    }
    let Some((seeds, _)) = written(subject, id::GROUP_REPLICATION_GROUP_SEEDS) else { return };
    let Some((address, _)) = written(subject, id::GROUP_REPLICATION_LOCAL_ADDRESS) else { return };
    if matches!(address.origin, Origin::Snapshot { .. }) {
        return;
    }
    let message = "the member has an address and seeds, and no line names the group: START GROUP_REPLICATION fails";
    let hit = Hit::new(Severity::Warning, address.whole(), message.to_owned()).label("of which group?");
    let hit = hit.option(id::GROUP_REPLICATION_LOCAL_ADDRESS.name()).also(seeds.whole(), "who lets it in");
    let title = "set group_replication_group_name to one UUID, the same on all members, unless SET PERSIST keeps it";
    hits.push(hit.remedy(Safety::Manual, title, Vec::new()));
}

/// 32 hexadecimal digits in groups of 8-4-4-4-12, or without dashes, or in braces.
fn is_uuid(text: &str) -> bool {
    let bare = text.trim();
    let bare = bare.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(bare);
    let lengths: Vec<_> = bare.split('-').map(str::len).collect();
    let digits = bare.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    digits && (lengths == [8, 4, 4, 4, 12] || lengths == [32])
}
