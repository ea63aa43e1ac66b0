//! What the server says that is to take another's place, beside what the one says that runs now.

use super::candidate::{self, Evaluated};
use super::merge::{self, Merged};
use crate::finding::{Finding, Side};

/// What holds on both sides is said once, as ever; what only the new server says comes with the upgrade, and what only the old one
/// says goes with it.
pub(super) fn joined(old: Merged, new: Evaluated) -> Merged {
    let Merged { findings, not_evaluated, verdicts } = old;
    let mut joined = Vec::with_capacity(findings.len() + new.findings.len());
    for mut finding in findings {
        if new.findings.iter().any(|other| says_more(other, &finding)) {
            continue;
        }
        if !new.findings.iter().any(|other| candidate::same_place(other, &finding)) {
            finding.side = Side::Old;
            finding.message.push_str(" (until the upgrade)");
        }
        joined.push(finding);
    }
    let from_old = joined.len();
    for mut finding in new.findings {
        if joined[..from_old].iter().any(|other| candidate::same_place(other, &finding)) {
            continue;
        }
        finding.side = Side::New;
        finding.message.push_str(" (after the upgrade)");
        // The statement is for a server that does not run yet.
        if let Some(fix) = &mut finding.fix {
            fix.dynamic = None;
            fix.statements.clear();
        }
        joined.push(finding);
    }
    Merged { findings: joined, not_evaluated: merge::union([not_evaluated, new.not_evaluated]), verdicts }
}

/// Whether the new server's finding leaves nothing to say of the old one's: it is worse, or it is gone what was only to go.
fn says_more(new: &Finding, old: &Finding) -> bool {
    let is_about_the_name =
        |rule: &str| ["deprecated-option", "ignored-option", "removed-option", "wrong-flavor-option"].contains(&rule);
    let same_name = new.primary.location == old.primary.location && old.rule == "deprecated-option";
    let gone = same_name && new.rule != old.rule && is_about_the_name(&new.rule);
    gone || candidate::same_place(new, old) && new.severity > old.severity
}
