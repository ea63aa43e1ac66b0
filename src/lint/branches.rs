//! What is said about a line that a template may leave out.

use crate::catalog::Resolved;
use crate::checks::Hit;
use crate::edits::Place;
use crate::finding::{Finding, Severity};
use crate::optionfile::{Branch, Entry};
use crate::source::Location;

/// Whether a server knows a name is what conditions about versions are written for.
const ABOUT_VERSIONS: [&str; 10] = [
    "abbreviated-option",
    "ambiguous-option",
    "changed-default",
    "deprecated-option",
    "ignored-option",
    "not-yet-option",
    "removed-option",
    "unknown-option",
    "wrong-flavor-option",
    "invalid-value",
];

/// The hit as far as it holds where only one branch of a template has the line; `None` where the branch is there because of it.
pub(super) fn softened(rule: &str, mut hit: Hit, place: Place<'_>) -> Option<Hit> {
    let document = place.document;
    if document.branches.is_empty() {
        return Some(hit);
    }
    let Some(entry) =
        document.entries.iter().find(|entry| entry.branch.is_some() && holds(entry, hit.primary.location))
    else {
        return Some(hit);
    };
    let asks_server = document.branches_of(entry.branch).any(|branch: &Branch| branch.asks_server);
    if asks_server && ABOUT_VERSIONS.contains(&rule) && is_known_elsewhere(rule, entry, place) {
        return None;
    }
    if hit.severity == Severity::Error {
        hit.severity = Severity::Warning;
    }
    hit.message.push_str(" (where this line is left in)");
    Some(hit)
}

/// What a rule finds where a template or a script leaves one line in.
pub(super) fn uncertain(mut finding: Finding, line: Location, variable: &str) -> Finding {
    finding.severity = finding.severity.min(Severity::Warning);
    finding.message.push_str(&if finding.primary.location == line {
        " (where this line is left in)".to_owned()
    } else {
        format!(" (where `{variable}` is set so)")
    });
    finding
}

fn holds(entry: &Entry, at: Location) -> bool {
    entry.file == at.file && entry.line.start <= at.span.start && at.span.start <= entry.line.end
}

/// A misspelt name stays one under any condition.
fn is_known_elsewhere(rule: &str, entry: &Entry, place: Place<'_>) -> bool {
    rule != "unknown-option"
        || !matches!(
            crate::catalog::resolve(&entry.name, place.effective.server),
            Resolved::Unknown { elsewhere: None, .. }
        )
}
