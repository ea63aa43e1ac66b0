//! What the files leave open: whether they are about a server at all, and whether a template writes a line.

use super::candidate;
use crate::finding::{Finding, Severity};
use crate::optionfile::{Document, Entry, Group, ProblemKind, steered};
use crate::server::Server;
use crate::source::{FileId, Sources, Span};
use std::collections::BTreeMap;

/// Whether the files hold a group of the server's own or options that it reads, or are simply empty.
pub(super) fn speaks_of(server: Server, documents: &[Document]) -> bool {
    let Some(document) = documents.iter().find(|document| document.holds_for(server)).or(documents.first()) else {
        return true;
    };
    let groups = candidate::server_groups(server);
    let is_shared = |name: &[u8]| name.eq_ignore_ascii_case(b"client-server");
    let own = |group: &Group| groups.contains(&group.name) && !is_shared(&group.name);
    let of_server = |entry: &Entry| document.groups.get(entry.group).is_some_and(|group| groups.contains(&group.name));
    let elsewhere =
        || document.problems.iter().any(|problem| matches!(problem.kind, ProblemKind::IncludeNotFound { .. }));
    document.groups.iter().any(own)
        || document.entries.iter().any(of_server)
        || (document.entries.is_empty() && !elsewhere())
}

/// What stands between the control lines of a template may never be written: it is no error yet.
pub(super) fn only_if_the_template_says_so(mut findings: Vec<Finding>, sources: &Sources) -> Vec<Finding> {
    let mut blocks: BTreeMap<FileId, Vec<Span>> = BTreeMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
        let at = finding.primary.location;
        let blocks = blocks.entry(at.file).or_insert_with(|| steered(sources.get(at.file).bytes()));
        if blocks.iter().any(|block| block.start <= at.span.start && at.span.start < block.end) {
            candidate::at_most_warning(finding);
            finding.message.push_str(" (where this line is left in)");
        }
    }
    findings
}
