//! The words that every format uses for a target, its verdict, and what was left out.

use super::figures::shown;
use super::text::{clean, counted};
use crate::facts::{FactId, FactSource, FactType, Facts};
use crate::finding::{Fix, Severity};
use crate::lint::{Located, ServerSource, Target, Verdict};
use crate::value::{Unit, Value};

/// When a fix comes into force, in front of its statements; nothing where the running server has nothing to do with it.
pub fn at_run_time(fix: &Fix, target: Option<&Target>) -> Option<String> {
    let sets_global = fix.statements.iter().any(|statement| statement.starts_with("SET GLOBAL "));
    let persists = |target: &Target| target.servers.iter().any(|server| server.reads_persisted_variables());
    let until = if sets_global && target.is_some_and(persists) {
        " (the file keeps it; SET PERSIST would outrank it)"
    } else {
        ""
    };
    match fix.dynamic {
        Some(true) => Some(format!("can be set while the server runs{until}")),
        Some(false) if fix.statements.is_empty() => Some("needs a restart".to_owned()),
        Some(false) => Some("needs a restart; while the server runs, this much can be done".to_owned()),
        None if fix.statements.is_empty() => None,
        None => Some("while the server runs".to_owned()),
    }
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Pieces of advice.
    pub advice: usize,
}

impl Counts {
    /// Counts findings.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Located>) -> Self {
        let mut counts = Self::default();
        for located in findings {
            match located.finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Advice => counts.advice += 1,
            }
        }
        counts
    }

    /// `2 errors, 1 warning`; `nothing found`.
    pub fn text(self) -> String {
        let parts = [
            (self.errors, "error", "errors"),
            (self.warnings, "warning", "warnings"),
            (self.advice, "piece of advice", "pieces of advice"),
        ];
        let parts: Vec<_> =
            parts.iter().filter(|part| part.0 > 0).map(|(count, one, many)| counted(*count, one, many)).collect();
        if parts.is_empty() { "nothing found".to_owned() } else { parts.join(", ") }
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            errors: self.errors + other.errors,
            warnings: self.warnings + other.warnings,
            advice: self.advice + other.advice,
        }
    }
}

/// Whether the server would start, in words.
pub const fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Starts => "starts",
        Verdict::StartsWithWarnings => "starts with warnings",
        Verdict::Refuses => "refuses to start",
    }
}

/// Whether the servers that were looked at would start: `starts on MySQL 8.4.8; refuses to start on MySQL 9.7.4`.
pub fn verdicts_text(target: &Target) -> String {
    let mut groups: Vec<(Verdict, Vec<String>)> = Vec::new();
    for (server, verdict) in target.servers.iter().zip(&target.verdicts) {
        let name = format!("{} {}", server.flavor.title(), server.version);
        match groups.iter_mut().find(|(known, _)| known == verdict) {
            Some((_, names)) => names.push(name),
            None => groups.push((*verdict, vec![name])),
        }
    }
    if groups.len() < 2 {
        return verdict_text(target.verdict).to_owned();
    }
    groups.sort_by_key(|(verdict, _)| *verdict);
    let parts: Vec<_> =
        groups.iter().map(|(verdict, names)| format!("{} on {}", verdict_text(*verdict), names.join(", "))).collect();
    parts.join("; ")
}

/// From what the server is known, in words.
pub fn server_source(source: &ServerSource) -> String {
    match source {
        ServerSource::Flag => "--server".to_owned(),
        ServerSource::Comment => "comment in the file".to_owned(),
        ServerSource::Configuration(place) => clean(place).into_owned(),
        ServerSource::Installed(how) => format!("installed here: {}", clean(how)),
        ServerSource::Carrier(what) => clean(what).into_owned(),
        ServerSource::Snapshot => "--snapshot".to_owned(),
        ServerSource::Implied(what) => format!("implied by {}", clean(what)),
        ServerSource::Assumed => "assumed; --server says it".to_owned(),
    }
}

/// From what the server is known that is to take another's place, in words.
pub fn upgrade_source(source: &ServerSource) -> String {
    if *source == ServerSource::Flag { "--upgrade-to".to_owned() } else { server_source(source) }
}

/// What becomes of the server: `, to become MySQL 9.7.4 (--upgrade-to)`; empty where nothing does.
pub fn upgrade_text(target: &Target) -> String {
    target.upgrade.as_ref().map_or_else(String::new, |upgrade| {
        let (flavor, version) = (upgrade.server.flavor.title(), upgrade.server.version);
        format!(", to become {flavor} {version} ({})", upgrade_source(&upgrade.source))
    })
}

/// Whether the new server would start: `; refuses to start after the upgrade`.
pub fn upgrade_verdict(target: &Target) -> String {
    let verdict = target.upgrade.as_ref().map(|upgrade| verdict_text(upgrade.verdict));
    verdict.map_or_else(String::new, |verdict| format!("; {verdict} after the upgrade"))
}

/// Where a fact came from, in words.
pub fn fact_source(source: &FactSource) -> String {
    match source {
        FactSource::Flag(flag) => (*flag).to_owned(),
        FactSource::File(path) | FactSource::Configuration(path) => clean(path).into_owned(),
        FactSource::Comment => "comment in the file".to_owned(),
        FactSource::Detected(what) => format!("detected: {}", clean(what)),
        FactSource::Snapshot(name) => format!("snapshot {}", clean(name)),
        FactSource::Assumed(reason) => format!("assumed: {reason}"),
    }
}

/// `RAM 16G (--ram), 4 CPUs (--cpus), disk ssd (--disk)`; `None` when nothing is known.
///
/// What was only assumed is listed when one of the findings rests on it; the counters of a running server are not listed one by one.
pub fn facts_line<'a>(facts: &Facts, findings: impl Iterator<Item = &'a Located> + Clone) -> Option<String> {
    let rests_on = |id: FactId| {
        findings.clone().any(|located| located.finding.evidence.iter().any(|evidence| evidence.name == id.name()))
    };
    let is_counter = |id: FactId| id.name().starts_with("running.");
    let listed = facts.iter().filter(|(id, known)| {
        !is_counter(*id)
            && *id != FactId::HostLimited
            && (!matches!(known.source, FactSource::Assumed(_)) || rests_on(*id))
    });
    let mut parts: Vec<_> = listed
        .map(|(id, known)| {
            let source = match &known.source {
                FactSource::Assumed(_) => "assumed".to_owned(),
                source => fact_source(source),
            };
            format!("{} ({source})", fact_text(id, &known.value))
        })
        .collect();
    if let Some((_, known)) = facts.iter().find(|(id, _)| is_counter(*id)) {
        parts.push(format!("a running server's counters ({})", fact_source(&known.source)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn fact_text(id: FactId, value: &Value) -> String {
    let unit = match id.fact_type() {
        FactType::Number(unit) => unit,
        FactType::Word(_) | FactType::AnyWord | FactType::Boolean => Unit::Count,
    };
    let value = shown(value, unit);
    match id {
        FactId::HostRam => format!("RAM {value}"),
        FactId::HostCpus if value == "1" => "1 CPU".to_owned(),
        FactId::HostCpus => format!("{value} CPUs"),
        FactId::DiskKind => format!("disk {value}"),
        FactId::WorkloadShared => if value == "ON" { "shared machine" } else { "dedicated machine" }.to_owned(),
        _ => {
            let name = id.name();
            let short = name.strip_prefix("workload.").or_else(|| name.strip_prefix("host.")).unwrap_or(name);
            format!("{} {value}", short.replace(['.', '_'], " "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_name_their_source() {
        let mut facts = Facts::default();
        facts.set(FactId::HostRam, Value::Integer(16 << 30), FactSource::Flag("--ram"));
        facts.set(FactId::HostCpus, Value::Integer(4), FactSource::Detected("/proc/cpuinfo".to_owned()));
        facts.set(FactId::WorkloadPhase, Value::Word("import".into()), FactSource::Flag("--phase"));
        assert_eq!(
            facts_line(&facts, std::iter::empty()).unwrap(),
            "RAM 16G (--ram), 4 CPUs (detected: /proc/cpuinfo), phase import (--phase)"
        );
    }
}
