//! One server: every rule over its settings.

use super::remedy::{carried_out, is_something, remedy, unit_of};
use super::{Missing, MissingKind, NotEvaluated, Verdict};
use super::{branches, bridge, neighbours};
use crate::catalog::{self, OptionId};
use crate::checks::{self, Hit, Reaction, Remedy};
use crate::edits::Place;
use crate::effective::{Assignment, Effective, Foreign};
use crate::facts::{FactId, FactType, Facts};
use crate::finding::{Change, Evidence, Finding, Fix, Label, Safety, Severity, Side};
use crate::input::persisted::SkippedEntry;
use crate::input::snapshot::SnapshotVariable;
use crate::optionfile::{Document, GroupSet, groups_read};
use crate::rules::{self, Context, Evaluation, Named, Read, Rule, RuleSet};
use crate::server::{Flavor, Server};
use crate::source::{FileId, Location, Sources, Span};
use crate::value::{Outcome, Unit, Value, show};
use std::borrow::Cow;
use std::path::PathBuf;

/// What is looked at, whatever the server.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub sources: &'a Sources,
    pub document: &'a Document,
    pub foreign: &'a [Foreign<'a>],
    pub facts: &'a Facts,
    /// Where facts are shown that stand in a file.
    pub fact_places: &'a [(FactId, Label)],
    pub fragment: bool,
    pub paths_known: bool,
    pub host_reads: &'a [PathBuf],
    pub faulty_paths: &'a [checks::FaultyPath],
    pub own_files: bool,
    /// What those servers make of it that run now, when the one at hand is to take their place.
    pub upgraded_from: &'a [Effective<'a>],
    /// What other servers make of it with which the files have to go on working: both sides of an upgrade know the other.
    pub others: &'a [Effective<'a>],
    /// Entries of the persisted variables that are not complete.
    pub skipped_entries: &'a [(FileId, SkippedEntry)],
    /// The variables of the running server beside its option files.
    pub running: &'a [(FileId, SnapshotVariable)],
}

/// What one server makes of it.
pub(super) struct Evaluated {
    pub server: Server,
    pub findings: Vec<Finding>,
    pub not_evaluated: Vec<NotEvaluated>,
    pub verdict: Verdict,
}

/// The groups that the server program of a flavor reads.
pub(super) fn server_groups(server: Server) -> GroupSet {
    groups_read(if server.flavor == Flavor::Mariadb { "mariadbd" } else { "mysqld" }, server).with_services()
}

/// What one server makes of the files, before any rule.
pub(super) fn effective<'a>(server: Server, document: &'a Document, foreign: &[Foreign<'a>]) -> Effective<'a> {
    Effective::new(document, &server_groups(server), server, foreign)
}

pub(super) fn evaluate(server: Server, input: Input<'_>, rules: &[RuleSet<'_>]) -> Evaluated {
    let groups = server_groups(server);
    let effective = Effective::new(input.document, &groups, server, input.foreign);
    // What a template may bring in of which nothing can be seen, is like the rest of a configuration of which a piece is given.
    let fragment = input.fragment || input.document.is_open(&groups);
    let place = Place { sources: input.sources, document: input.document, effective: &effective };
    let subject = checks::Subject {
        server,
        sources: input.sources,
        document: input.document,
        groups: &groups,
        facts: input.facts,
        effective: &effective,
        paths_known: input.paths_known,
        host_reads: input.host_reads,
        faulty_paths: input.faulty_paths,
        own_files: input.own_files,
        is_fragment: fragment,
        upgraded_from: input.upgraded_from,
        skipped_entries: input.skipped_entries,
        running: input.running,
    };
    let beside_others = neighbours::facts(subject);
    // What is only right for a server that has the host alone is not said of one that has neighbours.
    let is_excused = |rule| {
        beside_others.as_ref().is_some_and(|facts| {
            let mut context = Context::new(&effective, facts, fragment);
            !matches!(rules::evaluate(rule, server, &mut context), Evaluation::Hit(_))
        })
    };
    let mut context = Context::new(&effective, input.facts, fragment);
    let mut evaluated = Evaluated { server, findings: Vec::new(), not_evaluated: Vec::new(), verdict: Verdict::Starts };
    let mut pointing = Vec::new();
    for rule in rules.iter().flat_map(|set| set.iter()) {
        if let Some(check) = rule.check_position().and_then(checks::at) {
            let mut hits = Vec::new();
            check(subject, &mut hits);
            let hits = hits.into_iter().filter_map(|hit| branches::softened(rule.id(), hit, place));
            evaluated.findings.extend(hits.map(|hit| from_check(rule, hit, place, input.others)));
            continue;
        }
        if !context.silently(|context| rules::speaks(rule, server, context)) {
            continue;
        }
        match rules::evaluate(rule, server, &mut context) {
            Evaluation::Quiet | Evaluation::Absent => {}
            Evaluation::Unknown => {
                let trace = context.take_trace();
                match in_a_branch(rule, &trace, place, input, fragment) {
                    Some(finding) => evaluated.findings.push(finding),
                    None => evaluated.not_evaluated.push(not_evaluated(rule, &trace, place)),
                }
            }
            Evaluation::Hit(_) if is_excused(rule) => {}
            Evaluation::Hit(hit) => {
                if let Some(owner) = hit.points_at {
                    pointing.push((evaluated.findings.len(), owner.to_owned()));
                }
                evaluated.findings.push(from_rule(rule, hit, &mut context, place, input));
            }
        }
        context.take_trace();
    }
    for (index, owner) in pointing {
        if evaluated.findings.iter().any(|finding| finding.rule == *owner) {
            // Where nothing was found that mends this, the other fix does not either.
            let title = match &evaluated.findings[index].fix {
                Some(_) => format!("see `{owner}`, whose fix covers this too"),
                None => format!("see `{owner}` first, but its fix alone is not enough"),
            };
            let fix = Fix {
                safety: Safety::Manual,
                title,
                changes: Vec::new(),
                dynamic: None,
                statements: Vec::new(),
                edits: Vec::new(),
            };
            evaluated.findings[index].fix = Some(fix);
        }
    }
    evaluated.verdict = verdict(subject);
    evaluated
}

/// What a rule says where a template leaves in one of the lines of the one setting that it does not know. What branches say
/// together, nobody knows.
fn in_a_branch(rule: Rule<'_>, trace: &[Read], place: Place<'_>, input: Input<'_>, fragment: bool) -> Option<Finding> {
    if place.document.branches.is_empty() {
        return None;
    }
    let server = place.effective.server;
    let variable = |read: &Read| {
        let variable = catalog::setting(read.name.option()?, server).variable;
        place.effective.get(variable)?.is_open.then_some(variable)
    };
    let mut open: Vec<_> = trace.iter().filter_map(variable).collect();
    open.sort();
    open.dedup();
    let [variable] = open[..] else { return None };
    place.effective.supposed(variable).iter().find_map(|supposed| {
        let mut context = Context::new(supposed, input.facts, fragment);
        let Evaluation::Hit(hit) = rules::evaluate(rule, server, &mut context) else { return None };
        let place = Place { sources: place.sources, document: place.document, effective: supposed };
        let finding = from_rule(rule, hit, &mut context, place, input);
        let line = supposed.winner(variable)?.whole();
        Some(branches::uncertain(finding, line, variable.name()))
    })
}

/// What the server would do at its start, as far as option files decide it.
fn verdict(subject: checks::Subject<'_>) -> Verdict {
    match checks::reaction(subject) {
        Reaction::Silent => Verdict::Starts,
        Reaction::Warns => Verdict::StartsWithWarnings,
        Reaction::Refuses => Verdict::Refuses,
    }
}

fn from_check(rule: Rule<'_>, hit: Hit, place: Place<'_>, others: &[Effective<'_>]) -> Finding {
    let value = hit.option.as_deref().and_then(|name| value_of(name, place));
    let carry_out = |remedy| carried_out(bridge::suit(remedy, place, others), place);
    Finding { value, ..told_by(rule, hit, carry_out) }
}

/// What a check found, in the words of its rule; `carry_out` makes a fix of the remedy.
pub(super) fn told_by(rule: Rule<'_>, hit: Hit, carry_out: impl FnOnce(Remedy) -> Fix) -> Finding {
    Finding {
        rule: Cow::Owned(rule.id().to_owned()),
        severity: hit.severity,
        message: hit.message,
        why: Cow::Owned(rule.why().to_owned()),
        primary: hit.primary,
        related: hit.related,
        evidence: hit.evidence,
        fix: hit.remedy.map(carry_out),
        option: hit.option,
        value: None,
        side: Side::Both,
    }
}

fn value_of(name: &str, place: Place<'_>) -> Option<Value<'static>> {
    if catalog::is_secret(name) {
        return None;
    }
    place.effective.get(OptionId::from_name(name)?)?.value.clone().known()
}

fn from_rule(
    rule: Rule<'_>,
    hit: rules::Hit<'_>,
    context: &mut Context<'_>,
    place: Place<'_>,
    input: Input<'_>,
) -> Finding {
    let fix = hit.fix.map(|plan| remedy(plan, context)).filter(is_something);
    let fix = fix.map(|remedy| carried_out(bridge::suit(remedy, place, input.others), place));
    let trace = context.take_trace();
    let named: Vec<Named> = rule.at().filter_map(Named::of).collect();
    let mut places = places(&named, context, place, input.fact_places);
    let changed = fix.iter().flat_map(|fix| &fix.changes).filter_map(|change| changed_at(change, place));
    let changed: Vec<Location> = changed.collect();
    // Of several settings the ones to change are what the finding is about.
    if places.iter().any(|label| changed.contains(&label.location)) {
        places.retain(|label| changed.contains(&label.location));
    }
    let primary = if places.is_empty() { nowhere(place) } else { places.remove(0) };
    let named_options = || named.iter().filter_map(|name| name.option());
    let stands_there = |id: &OptionId| line_of(*id, place).is_some_and(|label| label.location == primary.location);
    let option = named_options().find(stands_there).or_else(|| named_options().next());
    Finding {
        rule: Cow::Owned(rule.id().to_owned()),
        severity: hit.severity,
        message: hit.message,
        why: Cow::Owned(rule.why().to_owned()),
        primary,
        related: places,
        evidence: evidence(&trace, context, place),
        fix,
        option: option.map(|id| Cow::Borrowed(id.name())),
        value: option.and_then(|id| value_of(id.name(), place)),
        side: Side::Both,
    }
}

/// The line that decides the setting which a change is about.
fn changed_at(change: &Change, place: Place<'_>) -> Option<Location> {
    let (Change::Set { option, .. } | Change::Remove { option } | Change::Rename { from: option, .. }) = change else {
        return None;
    };
    let server = place.effective.server;
    let id = match catalog::resolve(option.as_bytes(), server) {
        catalog::Resolved::Option { id, .. } => id,
        _ => OptionId::from_name(option)?,
    };
    place.effective.winner(catalog::setting(id, server).variable).map(|winner| winner.whole())
}

/// The lines behind the named settings and facts, those a model read included; the winning line of each setting.
fn places(named: &[Named], context: &Context<'_>, place: Place<'_>, fact_places: &[(FactId, Label)]) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    let mut add = |label: Label| {
        if !labels.iter().any(|known| known.location == label.location) {
            labels.push(label);
        }
    };
    for name in named {
        match name {
            Named::Setting(_) => name.option().and_then(|id| line_of(id, place)).into_iter().for_each(&mut add),
            Named::Fact(fact) => {
                let shown = fact_places.iter().filter(|(known, _)| known == fact);
                shown.for_each(|(_, label)| add(label.clone()));
            }
            Named::Flavor => {}
            Named::Model(id) => {
                context.settings_of(*id).into_iter().filter_map(|id| line_of(id, place)).for_each(&mut add);
            }
        }
    }
    labels
}

/// The line that decides a setting.
fn line_of(id: OptionId, place: Place<'_>) -> Option<Label> {
    let winner = place.effective.winner(catalog::setting(id, place.effective.server).variable)?;
    Some(Label { location: winner.whole(), text: meaning(winner, id, place).unwrap_or_default() })
}

/// What a line means where it does not say so itself: `OFF` for a `0`, `log_bin = OFF` for `disable_log_bin`.
fn meaning(winner: &Assignment<'_>, id: OptionId, place: Place<'_>) -> Option<String> {
    let entry = catalog::setting(id, place.effective.server);
    let name = entry.variable.name();
    let value = place.effective.get(entry.variable)?.value.clone().known().filter(|_| !catalog::is_secret(name))?;
    let value = show(&value, entry.shape.unit).to_string();
    match winner.value.as_deref() {
        Some(written) if written.eq_ignore_ascii_case(value.as_bytes()) => None,
        Some(_) => Some(value),
        None => Some(format!("{name} = {value}")),
    }
}

/// Where a finding about something that nobody wrote points: the server's first group, or the first file.
fn nowhere(place: Place<'_>) -> Label {
    let groups = server_groups(place.effective.server);
    let header = place.document.groups.iter().find(|group| groups.contains(&group.name));
    let location = match (header, place.sources.iter().next()) {
        (Some(group), _) => Location { file: group.file, span: group.header },
        (None, Some((file, _))) => Location { file, span: Span::new(0, 0) },
        (None, None) => Location { file: place.document.files[0], span: Span::new(0, 0) },
    };
    Label { location, text: String::new() }
}

fn evidence(trace: &[Read], context: &Context<'_>, place: Place<'_>) -> Vec<Evidence> {
    let known = trace.iter().filter_map(|read| match &read.value {
        Outcome::Known(value) => Some((read, value)),
        Outcome::Unknown | Outcome::Absent => None,
    });
    // The words of a model are in the message already.
    let is_figure = |read: &Read| !matches!(read.name, Named::Model(id) if id.unit().is_none());
    known
        .filter(|(read, _)| is_figure(read))
        .map(|(read, value)| {
            let (unit, source) = match read.name {
                Named::Setting(index) => match OptionId::from_index(index) {
                    Some(id) => (unit_of(id, context), source_of(id, place)),
                    None => (Unit::Count, String::new()),
                },
                Named::Flavor => (Unit::Count, String::new()),
                Named::Fact(id) => {
                    (fact_unit(id), context.facts().get(id).map_or(String::new(), |known| known.source.to_string()))
                }
                Named::Model(id) => (id.unit().unwrap_or_default(), "computed".to_owned()),
            };
            Evidence { name: read.name.name(), value: value.clone(), unit, source }
        })
        .collect()
}

fn fact_unit(id: FactId) -> Unit {
    match id.fact_type() {
        FactType::Number(unit) => unit,
        FactType::Word(_) | FactType::AnyWord | FactType::Boolean => Unit::Count,
    }
}

fn source_of(id: OptionId, place: Place<'_>) -> String {
    let server = place.effective.server;
    match place.effective.winner(catalog::setting(id, server).variable) {
        Some(winner) => {
            let at = place.sources.on_disk(winner.name_at);
            let file = place.sources.get(at.file);
            format!("{}:{}", file.path().display(), file.line_of(at.span.start))
        }
        None => format!("default of {server}"),
    }
}

/// A rule that could not be evaluated, and what would let it be.
fn not_evaluated(rule: Rule<'_>, trace: &[Read], place: Place<'_>) -> NotEvaluated {
    let mut missing: Vec<Missing> =
        trace.iter().filter(|read| read.value == Outcome::Unknown).filter_map(|read| missing(read, place)).collect();
    missing.sort();
    missing.dedup();
    // A running server's counters and what only detection knows sharpen what other facts decide.
    let is_given = |missing: &Missing| missing.flag.is_some_and(|flag| flag != "--snapshot");
    if missing.iter().any(is_given) {
        missing.retain(|missing| is_given(missing) || missing.kind != MissingKind::Fact);
    }
    NotEvaluated { rule: Cow::Owned(rule.id().to_owned()), target: 0, missing }
}

fn missing(read: &Read, place: Place<'_>) -> Option<Missing> {
    match read.name {
        Named::Fact(id) => Some(Missing { name: id.name().to_owned(), kind: MissingKind::Fact, flag: id.flag() }),
        Named::Setting(index) => {
            let id = OptionId::from_index(index)?;
            let id = catalog::setting(id, place.effective.server).variable;
            let is_open = place.effective.get(id).is_some_and(|setting| setting.is_open);
            let template = match place.effective.winner(id) {
                Some(winner) => winner.template || is_open,
                None => place.document.is_open(&server_groups(place.effective.server)),
            };
            let kind = if template { MissingKind::Template } else { MissingKind::Catalog };
            Some(Missing { name: id.name().to_owned(), kind, flag: None })
        }
        // What the model lacks stands in the trace by itself.
        Named::Model(_) | Named::Flavor => None,
    }
}

/// Worst first, then by file and place.
pub(super) fn order(left: &Finding, right: &Finding) -> std::cmp::Ordering {
    let key = |finding: &Finding| (std::cmp::Reverse(finding.severity), finding.primary.location);
    key(left).cmp(&key(right)).then_with(|| left.rule.cmp(&right.rule))
}

/// Whether two findings say the same thing about the same place.
pub(super) fn same_place(left: &Finding, right: &Finding) -> bool {
    left.rule == right.rule && left.primary.location == right.primary.location
}

/// Whether a reader could not tell them apart, but for what the figures rest on.
pub(super) fn same_words(left: &Finding, right: &Finding) -> bool {
    same_place(left, right) && left.severity == right.severity && left.message == right.message
}

/// Lowers what is too sure for a server that was only assumed.
pub(super) fn at_most_warning(finding: &mut Finding) {
    finding.severity = finding.severity.min(Severity::Warning);
}
