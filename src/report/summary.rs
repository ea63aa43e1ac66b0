//! The words that every format uses for a target, its verdict, and what was left out.

use super::figures::shown;
use super::text::{clean, counted};
use crate::facts::{FactId, FactSource, FactType, Facts};
use crate::finding::{Fix, Severity};
use crate::lint::{Located, MissingKind, NotEvaluated, ServerSource, Target, Verdict};
use crate::value::{Unit, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of the footer that say which flags would help.
const MOST_HINTS: usize = 3;

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

/// What would let more rules be evaluated, a line for each flag or group of flags. Only what a user can supply counts.
/// What has no flag of its own comes from a file of facts.
pub fn not_evaluated_lines<'a>(not_evaluated: impl IntoIterator<Item = &'a NotEvaluated>) -> Vec<String> {
    let mut by_flags: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    let mut by_template: BTreeSet<&str> = BTreeSet::new();
    for entry in not_evaluated {
        if entry.missing.iter().any(|missing| missing.kind == MissingKind::Template) {
            by_template.insert(&entry.rule);
        } else if !entry.missing.is_empty() && entry.missing.iter().all(|missing| missing.kind == MissingKind::Fact) {
            let mut flags: Vec<_> = entry.missing.iter().map(|missing| missing.flag.unwrap_or("--facts")).collect();
            flags.sort_unstable();
            flags.dedup();
            let rules = by_flags.entry(flags).or_default();
            if !rules.contains(&&*entry.rule) {
                rules.push(&entry.rule);
            }
        }
    }
    let mut groups: Vec<_> = by_flags.into_iter().collect();
    groups.sort_by_key(|(flags, rules)| (std::cmp::Reverse(rules.len()), flags.len()));
    let rest: BTreeSet<_> = groups.iter().skip(MOST_HINTS).flat_map(|(_, rules)| rules).copied().collect();
    let mut lines: Vec<_> = groups
        .iter()
        .take(MOST_HINTS)
        .map(|(flags, rules)| {
            let rules = counted(rules.len(), "more rule", "more rules");
            format!("{} would let {rules} be evaluated", enumerated(flags.iter().copied()))
        })
        .collect();
    if !rest.is_empty() {
        let flags: BTreeSet<_> = groups.iter().skip(MOST_HINTS).flat_map(|(flags, _)| flags).copied().collect();
        let rules = counted(rest.len(), "more rule", "more rules");
        lines.push(format!("{} would let {rules} be evaluated", enumerated(flags)));
    }
    if !by_template.is_empty() {
        lines.push(format!(
            "{} not evaluated, since a template fills in what is read",
            counted(by_template.len(), "rule was", "rules were")
        ));
    }
    lines
}

/// `a`, `a and b`, `a, b and c`.
fn enumerated<'t>(words: impl IntoIterator<Item = &'t str>) -> String {
    let words: Vec<_> = words.into_iter().collect();
    match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Missing;

    fn missing(rule: &'static str, target: usize, flags: &[(&'static str, MissingKind)]) -> NotEvaluated {
        let missing = flags
            .iter()
            .map(|(flag, kind)| Missing { name: (*flag).to_owned(), kind: *kind, flag: Some(flag) })
            .collect();
        NotEvaluated { rule: rule.into(), target, missing }
    }

    #[test]
    fn hints_count_each_rule_once_and_name_the_flag() {
        use MissingKind::{Catalog, Fact, Template};
        let entries = [
            missing("a", 0, &[("--ram", Fact)]),
            missing("a", 1, &[("--ram", Fact)]),
            missing("b", 0, &[("--ram", Fact)]),
            missing("c", 0, &[("--disk-capacity", Fact), ("--disk-endurance", Fact)]),
            missing("d", 0, &[("--ram", Fact), ("x", Catalog)]),
            missing("e", 0, &[("y", Template)]),
        ];
        assert_eq!(
            not_evaluated_lines(&entries),
            [
                "--ram would let 2 more rules be evaluated",
                "--disk-capacity and --disk-endurance would let 1 more rule be evaluated",
                "1 rule was not evaluated, since a template fills in what is read",
            ]
        );
    }

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
