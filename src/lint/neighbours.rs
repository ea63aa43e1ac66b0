//! Servers that share a host because the same files hold a group for each.

use crate::checks;
use crate::facts::{FactId, FactSource, Facts, Known};
use crate::value::Value;

/// What is known of a host that the files themselves give to several servers: none of them has it alone.
pub(super) fn facts(subject: checks::Subject<'_>) -> Option<Facts> {
    let is_assumed = |known: &Known| matches!(known.source, FactSource::Assumed(_));
    if !subject.facts.get(FactId::WorkloadShared).is_some_and(is_assumed) || !checks::share_a_host(subject) {
        return None;
    }
    let mut facts = subject.facts.clone();
    let source = FactSource::Assumed("the files are those of several servers");
    facts.set(FactId::WorkloadShared, Value::boolean(true), source);
    Some(facts)
}
