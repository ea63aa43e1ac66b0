//! Options that the server knows only while their plugin or component is loaded.

use super::{Hit, Subject, shown};
use crate::catalog::{self, Entry, OptionId, Resolved, State, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::{Flavor, Server, Version};
use std::ops::Range;

const LOADS: [OptionId; 3] = [id::PLUGIN_LOAD, id::PLUGIN_LOAD_ADD, id::EARLY_PLUGIN_LOAD];

/// Beginnings of names that belong to plugins of MariaDB, by the releases that have them, where the catalog holds no single option
/// (<https://mariadb.com/docs/server/reference/plugins>).
const FAMILIES: [(&str, Range<Version>); 4] = [
    ("columnstore_", Version::new(10, 5, 0)..Version::new(u16::MAX, 0, 0)),
    ("hashicorp_key_management_", Version::new(10, 9, 0)..Version::new(u16::MAX, 0, 0)),
    ("sphinx_", Version::new(5, 5, 0)..Version::new(u16::MAX, 0, 0)),
    ("tokudb_", Version::new(5, 5, 0)..Version::new(10, 6, 0)),
];

/// Whether the catalog holds options of that plugin for this server, so that a misspelt one shows: `audit_log_…` are not those of a plugin
/// called `audit`.
fn is_recorded(stem: &str, server: Server) -> bool {
    let options =
        catalog::beginning_with(stem.as_bytes()).filter(|id| catalog::entry(*id, server).state == State::Present);
    let mut next = options.map(|id| id.name()[stem.len()..].trim_start_matches(['_', '.']).split('_').next());
    let first = next.next();
    next.any(|other| Some(other) != first)
}

/// As the catalog spells names.
fn spelled(name: &[u8]) -> String {
    shown(name).to_ascii_lowercase().replace('-', "_")
}

/// Whether a plugin may know a name that the server does not: one that the files load, whose own name or library begins like it and of which the
/// catalog holds nothing for this server, or one of a family known to be a plugin's. What plugins of other vendors know, or those of one
/// flavor that are loaded into the other, stands in no catalog.
pub(super) fn may_bring(name: &[u8], subject: Subject<'_>) -> bool {
    let server = subject.server;
    let name = spelled(name);
    let mut own = name.as_str();
    while let Some(rest) =
        ["loose_", "skip_", "disable_", "enable_", "plugin_"].iter().find_map(|prefix| own.strip_prefix(prefix))
    {
        own = rest;
    }
    let begins = |stem: String| {
        stem.len() > 2 && own.strip_prefix(stem.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let is_load = |line: &&Assignment<'_>| line.option().is_some_and(|option| LOADS.contains(&option));
    let lists = subject.effective.assignments.iter().filter(is_load).filter_map(|line| line.value.as_deref());
    is_of_family(own, server)
        || lists.flat_map(|list| stems(&shown(list))).any(|stem| !is_recorded(&stem, server) && begins(stem))
}

fn is_of_family(name: &str, server: Server) -> bool {
    server.flavor == Flavor::Mariadb
        && FAMILIES
            .iter()
            .any(|(begins, in_releases)| name.starts_with(begins) && in_releases.contains(&server.version))
}

/// What `AUDIT=libaudit_plugin.so;ha_sphinx.so` says of the plugins' names.
fn stems(list: &str) -> Vec<String> {
    let library = |path: &str| {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = file.split('.').next().unwrap_or(file);
        let stem = stem.strip_prefix("ha_").or_else(|| stem.strip_prefix("lib")).unwrap_or(stem);
        stem.strip_suffix("_plugin").unwrap_or(stem).to_owned()
    };
    let lower = list.to_ascii_lowercase().replace('-', "_");
    let items = lower.split(';').map(str::trim);
    items
        .flat_map(|item| match item.split_once('=') {
            Some((name, path)) => vec![name.trim().to_owned(), library(path.trim())],
            None => vec![library(item)],
        })
        .collect()
}

/// Whether a server that reads these files may not know the option: its plugin is loaded elsewhere, if at all.
pub(crate) fn may_be_missing(entry: &Entry, effective: &Effective<'_>) -> bool {
    is_of_plugin(entry) && !LOADS.iter().any(|option| effective.get(*option).is_some())
}

/// NDB is built into the servers of a cluster, and into no other.
fn is_of_plugin(entry: &Entry) -> bool {
    entry.plugin && entry.state == State::Present && !entry.id.name().starts_with("ndb")
}

/// Measured on fresh data directories: MySQL 9.7.4 stops at `rpl_semi_sync_source_enabled` and `validate_password.policy`, MariaDB 10.11.19 at
/// `server_audit_logging`. What was installed once stands in a table, which files do not tell.
pub(super) fn plugin_option_without_plugin(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    // Which plugins a line loads its file names tell only roughly.
    if subject.is_fragment || LOADS.iter().any(|option| subject.effective.get(*option).is_some()) {
        return;
    }
    let mut families: Vec<(String, Vec<&Assignment<'_>>)> = Vec::new();
    let needs = |assignment: &&Assignment<'_>| needs_plugin(assignment, subject.server);
    for assignment in subject.effective.assignments.iter().filter(needs) {
        let name = spelled(&assignment.name);
        let family = name.split(['_', '.']).next().unwrap_or(&name);
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, members)) => members.push(assignment),
            None => families.push((family.to_owned(), vec![assignment])),
        }
    }
    for (_, members) in families {
        let [first, rest @ ..] = members.as_slice() else { continue };
        let name = shown(&first.name);
        let (more, are, their) = match rest.len() {
            0 => (String::new(), "is", "its"),
            1 => (" and another option".to_owned(), "are", "their"),
            others => (format!(" and {others} other options"), "are", "their"),
        };
        let message = format!(
            "`{name}`{more} {are} known only while {their} plugin is loaded, and nothing here loads it: where it was never installed, the \
             server refuses to start"
        );
        let mut hit = Hit::new(Severity::Warning, first.name_at, message).label("belongs to a plugin");
        for other in rest {
            hit = hit.also(other.name_at, "this too");
        }
        if let Some(option) = first.option() {
            hit = hit.option(option.name());
        }
        let advice = format!("load the plugin with `plugin_load_add`, or write `loose_{name}`");
        hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
    }
}

fn needs_plugin(assignment: &Assignment<'_>, server: Server) -> bool {
    let is_loose = matches!(&assignment.resolved, Resolved::Option { prefixes, .. } | Resolved::Unknown { prefixes, .. } if prefixes.loose);
    let is_line = matches!(assignment.origin, Origin::Line(_));
    let is_known = || assignment.entry.as_ref().is_some_and(is_of_plugin);
    is_line
        && !is_loose
        && (is_known() || assignment.entry.is_none() && is_of_family(&spelled(&assignment.name), server))
}
