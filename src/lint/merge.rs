//! Several servers: one list of findings that says which of them each is about.

use super::bridge;
use super::candidate::{self, Evaluated};
use super::{Missing, MissingKind, NotEvaluated, Verdict};
use crate::catalog::{self, Resolved, State};
use crate::finding::{Change, Edit, Finding, Label, Safety, Severity};
use crate::server::{Server, Version};
use crate::source::Location;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The joint result.
pub(super) struct Merged {
    pub findings: Vec<Finding>,
    pub not_evaluated: Vec<NotEvaluated>,
    pub verdicts: Vec<Verdict>,
}

impl Merged {
    /// The result of one exact server.
    pub(super) fn exact(evaluated: Evaluated) -> Self {
        Self { findings: evaluated.findings, not_evaluated: evaluated.not_evaluated, verdicts: vec![evaluated.verdict] }
    }

    /// The two ends of a series. What only one of them has says from or up to which release it holds.
    pub(super) fn ends(first: Evaluated, last: Evaluated, evaluate: impl Fn(Server) -> Evaluated) -> Self {
        let verdicts = vec![first.verdict, last.verdict];
        let common = Common::new(&[&first, &last]);
        let mut between = Between { first: first.server.version, last: last.server.version, known: BTreeMap::new() };
        let evaluate = |version| evaluate(Server { version, ..first.server });
        let mut findings = Vec::new();
        for mut finding in last.findings {
            if !first.findings.iter().any(|other| candidate::same_words(other, &finding)) {
                let since = between.first_with(&finding, &evaluate);
                let before = first.findings.iter().find(|other| candidate::same_place(other, &finding));
                let before = match before {
                    None => String::new(),
                    Some(other) if other.severity == finding.severity => "; with other figures before".to_owned(),
                    Some(other) => format!("; {} before", other.severity.name()),
                };
                // When an option was deprecated its message says itself.
                if finding.rule != "deprecated-option" {
                    finding.message.push_str(&format!(" (from {since} on{before})"));
                }
            }
            common.weigh(&mut finding, last.server);
            findings.push(finding);
        }
        let new = |old: &Finding| !findings.iter().any(|finding| candidate::same_place(finding, old));
        let mut only_first: Vec<_> = first.findings.into_iter().filter(new).collect();
        for finding in &mut only_first {
            let until = between.last_with(finding, &evaluate);
            common.weigh(finding, first.server);
            finding.message.push_str(&format!(" (up to {until})"));
            // Whoever names a series mostly runs a late release of it.
            if finding.rule == "invalid-value" {
                candidate::at_most_warning(finding);
            }
        }
        findings.extend(one_for_all_to_come(only_first));
        let gone = gone(findings.iter());
        findings.retain(|finding| is_news(finding, &gone));
        let not_evaluated = union([first.not_evaluated, last.not_evaluated]);
        Self { findings, not_evaluated, verdicts }
    }

    /// Servers that are all possible. What they do not all refuse is at most a warning, and says where it holds.
    pub(super) fn alternatives(all: Vec<Evaluated>) -> Self {
        let verdicts = all.iter().map(|evaluated| evaluated.verdict).collect();
        let common = Common::new(&all.iter().collect::<Vec<_>>());
        let servers: Vec<_> = all.iter().map(|evaluated| evaluated.server).collect();
        let every_server_refuses = |finding: &Finding| {
            all.iter().all(|evaluated| {
                let mut there =
                    evaluated.findings.iter().filter(|other| other.primary.location == finding.primary.location);
                there.any(|other| other.severity == Severity::Error)
            })
        };
        let mut merged: Vec<(Finding, Vec<Server>)> = Vec::new();
        for evaluated in &all {
            for finding in &evaluated.findings {
                match merged.iter_mut().find(|(known, _)| candidate::same_place(known, finding)) {
                    None => merged.push((finding.clone(), vec![evaluated.server])),
                    Some((known, holds)) if known.severity < finding.severity => {
                        *known = finding.clone();
                        *holds = vec![evaluated.server];
                    }
                    Some((known, holds)) if known.severity == finding.severity => {
                        // The newer release's words, since it is the likelier one.
                        if holds.iter().all(|server| server.flavor == evaluated.server.flavor) {
                            *known = finding.clone();
                        }
                        holds.push(evaluated.server);
                    }
                    Some(_) => {}
                }
            }
        }
        let gone = gone(merged.iter().map(|(finding, _)| finding));
        merged.retain(|(finding, _)| is_news(finding, &gone));
        let merged = told_once(merged);
        let mut not_evaluated = union(all.iter().map(|evaluated| evaluated.not_evaluated.clone()));
        // Advice that depends on which server it is waits until somebody says which.
        let is_sure = |(finding, holds): &(Finding, Vec<Server>)| {
            finding.severity > Severity::Advice || holds.len() == servers.len()
        };
        let (merged, unsure): (Vec<_>, Vec<_>) = merged.into_iter().partition(is_sure);
        not_evaluated.extend(unsure.into_iter().map(|(finding, _)| which_server(finding.rule)));
        let not_evaluated = union([not_evaluated]);
        let findings = merged.into_iter().map(|(mut finding, holds)| {
            common.weigh(&mut finding, holds[0]);
            if !every_server_refuses(&finding) {
                candidate::at_most_warning(&mut finding);
            }
            let others = holds
                .iter()
                .filter(|server| server.flavor != holds[0].flavor)
                .map(|server| server.flavor.title())
                .next();
            if holds.len() < servers.len() {
                finding.message.push_str(&format!(" (on {})", listed(&holds)));
            } else if let Some(other) = others.filter(|_| finding.message.contains(holds[0].flavor.title())) {
                finding.message.push_str(&format!(" ({other} likewise)"));
            }
            finding
        });
        let findings = findings.collect();
        Self { findings, not_evaluated, verdicts }
    }
}

/// Of findings about one option that hold on different servers the worst is enough; so is one of two of the same rule that
/// point at each other's lines.
fn told_once(mut found: Vec<(Finding, Vec<Server>)>) -> Vec<(Finding, Vec<Server>)> {
    found.sort_by_key(|(finding, holds)| (Reverse(finding.severity), Reverse(holds.len())));
    let mut told: Vec<(Finding, Vec<Server>)> = Vec::with_capacity(found.len());
    for (finding, holds) in found {
        let says_it = |(other, there): &(Finding, Vec<Server>)| {
            let apart = !there.iter().any(|server| holds.contains(server));
            let at = finding.primary.location;
            let same_line = other.primary.location.file == at.file
                && (other.option.is_some() && other.option == finding.option
                    || other.primary.location.span.start == at.span.start);
            let points = other.rule == finding.rule
                && (other.related.iter().any(|label| label.location == at)
                    || finding.related.iter().any(|label| label.location == other.primary.location));
            apart && (same_line || points)
        };
        if !told.iter().any(says_it) {
            told.push((finding, holds));
        }
    }
    told
}

/// That a rule waits for the server.
fn which_server(rule: Cow<'static, str>) -> NotEvaluated {
    let server = Missing { name: "server".to_owned(), kind: MissingKind::Fact, flag: Some("--server") };
    NotEvaluated { rule, target: 0, missing: vec![server] }
}

/// Options that only early releases of a series lack: one advice for all of them.
fn one_for_all_to_come(mut findings: Vec<Finding>) -> Vec<Finding> {
    let is_to_come = |finding: &&mut Finding| finding.rule == "not-yet-option";
    let all: Vec<Label> = findings.iter_mut().filter(is_to_come).map(|finding| finding.primary.clone()).collect();
    let mut first = true;
    findings.retain_mut(|finding| {
        if finding.rule != "not-yet-option" {
            return true;
        }
        let keep = std::mem::take(&mut first);
        if keep {
            finding.severity = Severity::Advice;
            finding.related.extend(all.iter().filter(|label| label.location != finding.primary.location).cloned());
            let others = all.len() - 1;
            if others > 0 {
                let more = if others == 1 { "one more option".to_owned() } else { format!("{others} more options") };
                finding.message.push_str(&format!("; {more} came within the series as well"));
                finding.fix = None;
            }
        }
        keep
    });
    findings
}

/// Where one server has dropped a name.
fn gone<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Location> {
    let is_gone = |finding: &&Finding| matches!(&*finding.rule, "removed-option" | "ignored-option");
    findings.filter(is_gone).map(|finding| finding.primary.location).collect()
}

/// Where one server has dropped a name, that another one only means to says nothing more.
fn is_news(finding: &Finding, gone: &[Location]) -> bool {
    finding.rule != "deprecated-option" || !gone.contains(&finding.primary.location)
}

/// What several servers have in common: a fix is for all of them.
struct Common {
    servers: Vec<Server>,
    /// They are releases of one series; else nobody knows which of them is meant, and a figure that suits one need not suit another.
    one_series: bool,
    /// Where every one of them finds something and would mend it with the same edits: the rule, the place, the edits.
    fixes: Vec<(Cow<'static, str>, Location, Vec<Edit>)>,
}

impl Common {
    fn new(all: &[&Evaluated]) -> Self {
        let servers: Vec<Server> = all.iter().map(|evaluated| evaluated.server).collect();
        let one_series = servers
            .windows(2)
            .all(|pair| pair[0].flavor == pair[1].flavor && pair[0].version.same_series(pair[1].version));
        let Some((first, others)) = all.split_first() else { return Self { servers, one_series, fixes: Vec::new() } };
        let same = |finding: &&Finding| {
            let fix = |other: &Finding| other.fix.as_ref().map(|fix| fix.edits.clone());
            others.iter().all(|evaluated| {
                let mut there = evaluated.findings.iter().filter(|other| candidate::same_place(other, finding));
                there.any(|other| fix(other) == fix(finding))
            })
        };
        let with_edits =
            first.findings.iter().filter(|finding| finding.fix.as_ref().is_some_and(|fix| !fix.edits.is_empty()));
        let fixes = with_edits.filter(same).filter_map(|finding| {
            Some((finding.rule.clone(), finding.primary.location, finding.fix.as_ref()?.edits.clone()))
        });
        Self { servers, one_series, fixes: fixes.collect() }
    }

    /// A fix that only some of the servers need may change what the others do: it is unsafe. One that takes away what another
    /// one works with, or writes a name that another one does not take, is for a person, and says which server it is for.
    fn weigh(&self, finding: &mut Finding, server: Server) {
        let (rule, place) = (&finding.rule, finding.primary.location);
        let Some(fix) = finding.fix.as_mut().filter(|fix| !fix.edits.is_empty()) else { return };
        let is_common =
            self.fixes.iter().any(|(known, at, edits)| known == rule && *at == place && *edits == fix.edits);
        if is_common {
            return;
        }
        fix.safety = fix.safety.max(Safety::Unsafe);
        let fits = fix.changes.iter().all(|change| match change {
            Change::Set { option, value } => {
                let takes = |server: &Server| bridge::reads(option, value.as_deref(), *server);
                self.one_series && self.all(option, |use_of| use_of == Use::Sound) && self.servers.iter().all(takes)
            }
            Change::Rename { to, .. } => self.all(to, |use_of| use_of == Use::Sound),
            Change::Remove { option } => self.all(option, |use_of| use_of != Use::Sound),
            Change::Respell { .. } => self.one_series,
        });
        if !fits {
            fix.safety = Safety::Manual;
            fix.edits.clear();
            let (flavor, version) = (server.flavor.title(), server.version);
            fix.title.push_str(&format!(" (for {flavor} {version}; give the release you run with --server)"));
        }
    }

    fn all(&self, name: &str, is_so: impl Fn(Use) -> bool) -> bool {
        self.servers.iter().all(|server| is_so(Use::of(name, *server)))
    }
}

/// What a server does with a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It takes it.
    Sound,
    /// It takes it and warns.
    Deprecated,
    /// It refuses it or does nothing with it.
    Nothing,
}

impl Use {
    fn of(name: &str, server: Server) -> Self {
        match catalog::resolve(name.as_bytes(), server) {
            Resolved::Option { id, .. } => match catalog::entry(id, server) {
                entry if entry.state != State::Present => Self::Nothing,
                entry if entry.deprecated => Self::Deprecated,
                _ => Self::Sound,
            },
            _ => Self::Nothing,
        }
    }
}

/// `MySQL 8.4 and 9.7`.
fn listed(servers: &[Server]) -> String {
    let flavors = servers.chunk_by(|left, right| left.flavor == right.flavor).map(|chunk| {
        let series: Vec<_> =
            chunk.iter().map(|server| format!("{}.{}", server.version.major, server.version.minor)).collect();
        match series.as_slice() {
            [first @ .., last] if !first.is_empty() => {
                format!("{} {} and {last}", chunk[0].flavor.title(), first.join(", "))
            }
            _ => format!("{} {}", chunk[0].flavor.title(), series.join("")),
        }
    });
    flavors.collect::<Vec<_>>().join(", ")
}

pub(super) fn union(lists: impl IntoIterator<Item = Vec<NotEvaluated>>) -> Vec<NotEvaluated> {
    let mut all: Vec<NotEvaluated> = Vec::new();
    for item in lists.into_iter().flatten() {
        if !all.iter().any(|known| known.rule == item.rule) {
            all.push(item);
        }
    }
    all
}

/// The releases between the two ends, evaluated as far as a search needs them.
struct Between {
    first: Version,
    last: Version,
    known: BTreeMap<u16, Vec<Finding>>,
}

impl Between {
    /// The first release that has a finding which the last one has and the first one lacks.
    fn first_with(&mut self, finding: &Finding, evaluate: &impl Fn(Version) -> Evaluated) -> Version {
        let (mut without, mut with) = (self.first.patch, self.last.patch);
        while with - without > 1 {
            let middle = without + (with - without) / 2;
            if self.has(middle, finding, evaluate) { with = middle } else { without = middle }
        }
        Version { patch: with, ..self.last }
    }

    /// The last release that has a finding which the first one has and the last one lacks.
    fn last_with(&mut self, finding: &Finding, evaluate: &impl Fn(Version) -> Evaluated) -> Version {
        let (mut with, mut without) = (self.first.patch, self.last.patch);
        while without - with > 1 {
            let middle = with + (without - with) / 2;
            if self.has(middle, finding, evaluate) { with = middle } else { without = middle }
        }
        Version { patch: with, ..self.first }
    }

    fn has(&mut self, patch: u16, finding: &Finding, evaluate: &impl Fn(Version) -> Evaluated) -> bool {
        let version = Version { patch, ..self.first };
        let findings = self.known.entry(patch).or_insert_with(|| evaluate(version).findings);
        findings.iter().any(|other| candidate::same_words(other, finding))
    }
}
