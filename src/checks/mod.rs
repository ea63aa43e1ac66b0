//! What data cannot say: one file per subject. Rule files name a check by `check = "…"`.

mod addresses;
mod charset;
pub mod cluster;
mod clients;
mod ciphers;
mod combinations;
mod data_files;
mod defaults;
mod duplicates;
mod filters;
mod galera;
mod group;
mod fixed;
mod groups;
mod host;
mod instances;
mod names;
mod paths;
mod pending;
mod plugins;
mod reaction;
mod safe_group;
mod starts;
mod succession;
mod syntax;
mod tablespaces;
mod values;
mod windows;

pub use combinations::Remark;
pub use paths::{FaultyPath, PathFault, Use, Wanted, wanted};
pub use reaction::{Reaction, reaction, reaction_to};

use crate::effective::Effective;
use crate::facts::Facts;
use crate::finding::{Change, Evidence, Label, Safety, Severity};
use crate::input::snapshot::SnapshotVariable;
use crate::optionfile::{Document, GroupSet};
use crate::server::Server;
use crate::source::{FileId, Location, Sources};
use std::borrow::Cow;
use std::path::PathBuf;

/// What a check looks at: the files, and what one server makes of them.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The server.
    pub server: Server,
    /// The files' bytes.
    pub sources: &'a Sources,
    /// What stands in them.
    pub document: &'a Document,
    /// The groups that the server reads.
    pub groups: &'a GroupSet,
    /// What is known about machine and workload.
    pub facts: &'a Facts,
    /// The settings that the server ends up with.
    pub effective: &'a Effective<'a>,
    /// Whether absolute paths in the files can be judged: the server runs here, or a directory stands for its root.
    pub paths_known: bool,
    /// What the server on this host reads instead of these files; empty where nothing is wrong or nobody looked.
    pub host_reads: &'a [PathBuf],
    /// What is wrong with paths in the files on the host that they are meant for.
    pub faulty_paths: &'a [FaultyPath],
    /// These files are a piece of a configuration: what is not here may stand elsewhere.
    pub is_fragment: bool,
    /// The files are meant for the server on this host.
    pub own_files: bool,
    /// What the servers make of the files that run now, when this one is to take their place.
    pub upgraded_from: &'a [Effective<'a>],
    /// The variables of the running server, where a client printed them and option files are looked at beside them.
    pub running: &'a [(FileId, SnapshotVariable)],
}

/// What a check found. The rule file that names the check says the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What this server does: it refuses (error), warns, or says nothing.
    pub severity: Severity,
    /// What happens here.
    pub message: String,
    /// The place.
    pub primary: Label,
    /// Other places that belong to it.
    pub related: Vec<Label>,
    /// The option, as the catalog names it.
    pub option: Option<Cow<'static, str>>,
    /// The facts that it rests on.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub remedy: Option<Remedy>,
}

/// What to do about a hit, before it is turned into edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Whether it may be applied without a second look.
    pub safety: Safety,
    /// What it does, in one line.
    pub title: String,
    /// What changes; empty when only a person can do it.
    pub changes: Vec<Change>,
}

impl Hit {
    fn new(severity: Severity, at: Location, message: String) -> Self {
        let primary = Label { location: at, text: String::new() };
        Self { severity, message, primary, related: Vec::new(), option: None, evidence: Vec::new(), remedy: None }
    }

    fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    fn also(mut self, location: Location, text: impl Into<String>) -> Self {
        self.related.push(Label { location, text: text.into() });
        self
    }

    fn option(mut self, name: &'static str) -> Self {
        self.option = Some(Cow::Borrowed(name));
        self
    }

    fn remedy(mut self, safety: Safety, title: impl Into<String>, changes: Vec<Change>) -> Self {
        self.remedy = Some(Remedy { safety, title: title.into(), changes });
        self
    }
}

/// A check: looks at a subject and pushes what it finds.
pub type Check = fn(Subject<'_>, &mut Vec<Hit>);

/// Every check by the name that rule files use, in the order of [`CHECKS`](crate::rules::CHECKS).
pub const ALL: &[(&str, Check)] = &[
    ("option_outside_group", syntax::option_outside_group),
    ("malformed_group", syntax::malformed_group),
    ("malformed_line", syntax::malformed_line),
    ("include_not_found", syntax::include_not_found),
    ("include_loop", syntax::include_loop),
    ("file_ignored", syntax::file_ignored),
    ("file_not_read", host::file_not_read),
    ("path_missing_or_unwritable", paths::path_missing_or_unwritable),
    ("line_too_long", syntax::line_too_long),
    ("byte_order_mark", syntax::byte_order_mark),
    ("unknown_option", names::unknown_option),
    ("wrong_flavor_option", names::wrong_flavor_option),
    ("removed_option", names::removed_option),
    ("not_yet_option", names::not_yet_option),
    ("deprecated_option", names::deprecated_option),
    ("ignored_option", names::ignored_option),
    ("ambiguous_option", names::ambiguous_option),
    ("abbreviated_option", names::abbreviated_option),
    ("invalid_value", values::invalid_value),
    ("adjusted_value", values::adjusted_value),
    ("misread_value", values::misread_value),
    ("collation_of_another", charset::collation_of_another),
    ("unknown_storage_engine", starts::unknown_storage_engine),
    ("authentication_plugin_gone", starts::authentication_plugin_gone),
    ("impossible_time_zone", starts::impossible_time_zone),
    ("impossible_page_size", starts::impossible_page_size),
    ("buffer_pool_under_minimum", starts::buffer_pool_under_minimum),
    ("address_list_not_taken", starts::address_list_not_taken),
    ("impossible_address", addresses::impossible_address),
    ("impossible_data_files", data_files::impossible_data_files),
    ("group_name_missing", group::name_missing),
    ("malformed_filter", filters::malformed_filter),
    ("impossible_name_case", windows::impossible_name_case),
    ("null_is_no_directory", starts::null_is_no_directory),
    ("secret_in_file", clients::secret_in_file),
    ("client_looks_elsewhere", clients::client_looks_elsewhere),
    ("init_only_setting", fixed::init_only_setting),
    ("tablespace_cannot_grow", tablespaces::tablespace_cannot_grow),
    ("shared_datadir_port_socket", instances::shared_datadir_port_socket),
    ("changed_default", defaults::changed_default),
    ("split_brain_allowed", galera::split_brain_allowed),
    ("write_set_cache_shrunk", galera::write_set_cache_shrunk),
    ("cluster_of_two", galera::cluster_of_two),
    ("group_port_taken", group::port_taken),
    ("group_too_large", group::too_large),
    ("duplicate_option", duplicates::duplicate_option),
    ("pending_at_restart", pending::pending_at_restart),
    ("cipher_blocked", ciphers::cipher_blocked),
    ("overridden_by_persisted", duplicates::overridden_by_persisted),
    ("wrong_group", groups::wrong_group),
    ("unread_group", groups::unread_group),
    ("mysqld_safe_not_run", safe_group::mysqld_safe_not_run),
    ("several_names_in_filter", filters::several_names_in_filter),
    // About several servers: cluster::by_name has them.
    ("duplicate_server_id", |_, _| {}),
    ("members_differ", |_, _| {}),
    ("members_do_not_fit", |_, _| {}),
    ("max_allowed_packet_drift", |_, _| {}),
    ("plugin_option_without_plugin", plugins::plugin_option_without_plugin),
    // Known only when every rule has spoken: crate::suppress says it.
    ("unused_ignore", |_, _| {}),
];

/// Everything that the server says about settings in company, and about what only its start reveals.
pub fn remarks(effective: &Effective<'_>) -> Vec<Remark> {
    let mut remarks = combinations::remarks(effective);
    remarks.extend(starts::faults(effective).map(|fault| fault.remark()));
    remarks.extend(ciphers::remarks(effective));
    remarks.extend(addresses::remarks(effective));
    remarks.extend(data_files::remarks(effective));
    remarks.extend(filters::remarks(effective));
    remarks
}

/// The check at that position, which packed rules carry.
pub fn at(position: usize) -> Option<Check> {
    ALL.get(position).map(|(_, check)| *check)
}

/// The longest name of a catalog has 65 letters.
const LONGEST_SHOWN: usize = 80;

/// A name as messages quote it; what is no name any more is cut.
fn quoted(text: &[u8]) -> String {
    let text = shown(text);
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A text of an option file in full.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_rules_find_their_checks() {
        let names: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, crate::rules::CHECKS);
        for rule in crate::rules::built_in().iter() {
            assert_eq!(rule.check_position().map(|position| ALL[position].0), rule.check(), "{}", rule.id());
        }
    }
}
