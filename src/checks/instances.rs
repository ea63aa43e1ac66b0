//! Several servers on one host, each with a group of its own, that would get into each other's way.

use super::{Hit, Subject, shown};
use crate::catalog::{self, OptionId, Resolved, id};
use crate::finding::{Safety, Severity};
use crate::optionfile::{self, Entry};
use crate::source::Location;

/// What no two servers of a host can have in common, and what the second one does about it (measured by starts of MySQL 9.7.4 and
/// MariaDB 10.11.19; 5.6.24 takes the other's socket away instead of refusing).
const EXCLUSIVE: &[(OptionId, &str)] = &[
    (id::DATADIR, "the second one finds InnoDB's files locked and refuses to start"),
    (id::PORT, "the second one cannot listen and refuses to start"),
    (id::SOCKET, "the second one refuses to start, or takes the socket away from the first"),
];

/// A server of the host: what tells it from the others, and its groups as positions in the document.
pub(super) struct Instance<'a> {
    suffix: &'a [u8],
    groups: Vec<usize>,
}

pub(super) fn shared_datadir_port_socket(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let instances = instances(subject);
    if instances.len() < 2 {
        return;
    }
    for (option, effect) in EXCLUSIVE {
        if *option == id::PORT && says_where_it_listens(subject, &instances) {
            continue;
        }
        let base = last(subject, *option, |entry| {
            let group = subject.document.groups.get(entry.group);
            group.is_some_and(|group| subject.groups.contains(&group.name))
        });
        let of = |instance: &Instance<'_>| {
            let own = last(subject, *option, |entry| instance.groups.contains(&entry.group));
            own.or(base)
        };
        for (position, second) in instances.iter().enumerate().skip(1) {
            let entry = of(second);
            if entry.is_some_and(|entry| entry.template || entry.value.is_none()) {
                continue;
            }
            let same = |first: &&Instance<'_>| value(of(first)) == value(entry);
            if let Some(first) = instances[..position].iter().find(same) {
                hits.extend(hit(subject, *option, effect, (first, of(first)), (second, entry)));
            }
        }
    }
}

impl Instance<'_> {
    /// The names of its groups.
    pub(super) fn names(&self, subject: Subject<'_>) -> Vec<String> {
        let groups = self.groups.iter().filter_map(|position| subject.document.groups.get(*position));
        groups.map(|group| shown(&group.name)).collect()
    }

    /// How it is called, and where it begins.
    pub(super) fn shown(&self, subject: Subject<'_>) -> Option<(String, Location)> {
        let group = subject.document.groups.get(*self.groups.first()?)?;
        Some((format!("`[{}]`", shown(&group.name)), Location { file: group.file, span: group.header }))
    }
}

/// The servers that can run at once: each says where its data is, and no two say the same.
pub(super) fn with_own_data(subject: Subject<'_>) -> Vec<Instance<'_>> {
    let mut seen = Vec::new();
    let mut instances = instances(subject);
    instances.retain(|instance| {
        let own = last(subject, id::DATADIR, |entry| instance.groups.contains(&entry.group));
        let Some(own) = value(own).filter(|own| !seen.contains(own)) else { return false };
        seen.push(own);
        true
    });
    instances
}

/// Whether the files are those of several servers on one host.
pub(crate) fn share_a_host(subject: Subject<'_>) -> bool {
    with_own_data(subject).len() > 1
}

fn instances(subject: Subject<'_>) -> Vec<Instance<'_>> {
    let mut instances: Vec<Instance<'_>> = Vec::new();
    for (position, group) in subject.document.groups.iter().enumerate() {
        let Some(suffix) = optionfile::instance(&group.name, subject.server) else { continue };
        match instances.iter_mut().find(|instance| instance.suffix == suffix) {
            Some(instance) => instance.groups.push(position),
            None => instances.push(Instance { suffix, groups: vec![position] }),
        }
    }
    if instances.len() < 2 {
        return instances;
    }
    // Groups that say nothing of these may be one server started in several ways.
    instances.retain(|instance| {
        let own = |entry: &Entry| instance.groups.contains(&entry.group);
        EXCLUSIVE.iter().any(|(option, _)| last(subject, *option, own).is_some())
    });
    instances
}

/// Servers that listen on addresses of their own, or on none, may share a port number.
fn says_where_it_listens(subject: Subject<'_>, instances: &[Instance<'_>]) -> bool {
    let says = |option| {
        let own = |entry: &Entry| instances.iter().any(|instance| instance.groups.contains(&entry.group));
        last(subject, option, own).is_some()
    };
    says(id::BIND_ADDRESS) || last(subject, id::SKIP_NETWORKING, |_| true).is_some()
}

/// The line that counts among those in these groups.
fn last<'a>(subject: Subject<'a>, option: OptionId, belongs: impl Fn(&Entry) -> bool) -> Option<&'a Entry> {
    subject.document.entries.iter().rfind(|entry| {
        let means = || match catalog::resolve(&entry.name, subject.server) {
            Resolved::Option { id, .. } => id == option,
            Resolved::Unknown { .. } | Resolved::Ambiguous { .. } => false,
        };
        !entry.template_name && belongs(entry) && means()
    })
}

fn value(entry: Option<&Entry>) -> Option<&[u8]> {
    let value = entry?.value.as_deref()?.trim_ascii();
    Some(value.strip_suffix(b"/").unwrap_or(value))
}

fn hit(
    subject: Subject<'_>,
    option: OptionId,
    effect: &str,
    first: (&Instance<'_>, Option<&Entry>),
    second: (&Instance<'_>, Option<&Entry>),
) -> Option<Hit> {
    let name = |instance: &Instance<'_>| {
        let group = instance.groups.first().and_then(|position| subject.document.groups.get(*position));
        group.map(|group| shown(&group.name)).unwrap_or_default()
    };
    let place = |(instance, entry): (&Instance<'_>, Option<&Entry>)| {
        let group = instance.groups.first().and_then(|position| subject.document.groups.get(*position));
        let own = entry.filter(|entry| instance.groups.contains(&entry.group));
        let line = own.map(|entry| Location {
            file: entry.file,
            span: entry.value_span.map_or(entry.name_span, |value| entry.name_span.to(value)),
        });
        let header = group.map(|group| Location { file: group.file, span: group.header });
        line.or(header)
    };
    let what = match value(second.1) {
        Some(value) => format!("`{option} = {}`", shown(value)),
        None => format!("the default `{option}`"),
    };
    let message = format!("`[{}]` and `[{}]` have {what} in common: {effect}", name(first.0), name(second.0));
    let hit = Hit::new(Severity::Error, place(second)?, message).option(option.name());
    let hit = hit.label("the second one");
    let hit = match place(first) {
        Some(at) => hit.also(at, "the first one"),
        None => hit,
    };
    let advice = format!("give `[{}]` a `{option}` of its own", name(second.0));
    Some(hit.remedy(Safety::Manual, advice, Vec::new()))
}
