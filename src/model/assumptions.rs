//! What is assumed when nobody says otherwise. Said so wherever a finding rests on it.

use crate::facts::{FactId, FactSource, Facts};
use crate::value::Value;

/// Fills in the facts that may be assumed, each with its reason. Nothing about the machine is ever assumed.
pub fn assume(facts: &mut Facts) {
    // Measured on MariaDB 10.11.19: 1.75 with two secondary indexes on narrow rows; less without.
    let factor =
        FactSource::Assumed("the usual table writes a little more redo than data; --redo-factor says otherwise");
    facts.set_if_unknown(FactId::WorkloadRedoFactor, Value::Real(1.2), factor);
    let lifetime = FactSource::Assumed("vendors warrant five years");
    facts.set_if_unknown(FactId::DiskLifetime, Value::Real(5.0), lifetime);
    let shared = FactSource::Assumed("nobody said that other programs share the machine");
    facts.set_if_unknown(FactId::WorkloadShared, Value::boolean(false), shared);
}
