//! Names that this server does not know, no longer knows, does not know yet, or knows by another name.

use super::{Hit, Subject, quoted, shown, succession};
use super::{plugins, windows};
use crate::catalog::{self, History, OptionId, Resolved, Since, State, id, spelled};
use crate::effective::{Assignment, Origin};
use crate::finding::{Change, Safety, Severity};
use crate::optionfile::ProblemKind;
use crate::optionfile::TYPOGRAPHIC_DASHES;
use crate::server::{Flavor, Server, Version};
use crate::source::Location;
use crate::value::{self, Effect, Judgement, Outcome, Written};

/// What an unresolved name is to this server.
enum Stranger {
    /// Nobody knows it.
    Unknown,
    /// A later release of this flavor has it, and nobody wrote down since when.
    OtherRelease,
    /// The server knows it, in lower case.
    OtherCase,
    /// A variable that no option file can set.
    NoOption(OptionId),
    /// This flavor had it once.
    Removed(OptionId, History),
    /// This flavor gets it later.
    NotYet(OptionId, History),
    /// Only another flavor has it.
    OtherFlavor(OptionId, Flavor),
    /// The server has it on Windows, and nowhere else.
    OnWindows,
}

/// What somebody wrote. A snapshot shows every variable, and only what was set is anybody's choice.
pub(super) fn written<'a>(subject: Subject<'a>) -> impl Iterator<Item = &'a Assignment<'a>> {
    let is_written = |assignment: &&Assignment<'_>| match assignment.origin {
        Origin::Line(_) | Origin::Persisted => true,
        Origin::Snapshot { set } => set == Outcome::Known(true),
    };
    subject.effective.assignments.iter().filter(is_written)
}

/// Every name that the server does not take, and what it is.
fn strangers<'a>(subject: Subject<'a>) -> impl Iterator<Item = (&'a Assignment<'a>, Stranger, bool)> {
    written(subject).filter_map(move |assignment| match &assignment.resolved {
        Resolved::Unknown { prefixes, elsewhere } => {
            let stranger = stranger(&assignment.name, *elsewhere, subject.server);
            let is_taken = windows::takes(assignment, subject) || is_brought(assignment, &stranger, subject);
            (!is_taken).then_some((assignment, stranger, prefixes.loose))
        }
        _ => None,
    })
}

fn is_brought(assignment: &Assignment<'_>, stranger: &Stranger, subject: Subject<'_>) -> bool {
    matches!(stranger, Stranger::Unknown | Stranger::OtherFlavor(..)) && plugins::may_bring(&assignment.name, subject)
}

/// Whether the server may know an unresolved name through a plugin that the files load.
pub(super) fn plugin_may_take(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    let Resolved::Unknown { elsewhere, .. } = assignment.resolved else { return false };
    is_brought(assignment, &stranger(&assignment.name, elsewhere, subject.server), subject)
}

fn stranger(name: &[u8], elsewhere: Option<OptionId>, server: Server) -> Stranger {
    let Some(id) = elsewhere else { return Stranger::Unknown };
    if windows::has_alone(id) {
        return Stranger::OnWindows;
    }
    if matches!(catalog::resolve(&name.to_ascii_lowercase(), server), Resolved::Option { .. }) {
        return Stranger::OtherCase;
    }
    if matches!(catalog::entry(id, server).state, State::Present | State::Ignored) {
        return Stranger::NoOption(id);
    }
    match catalog::history(id, server.flavor) {
        Some(history) => match history.introduced {
            Some(Since::Exact(version) | Since::Between { by: version, .. }) if version > server.version => {
                Stranger::NotYet(id, history)
            }
            None if history.removed.is_none() => Stranger::OtherRelease,
            _ => Stranger::Removed(id, history),
        },
        None => {
            let others = [Flavor::Mysql, Flavor::Mariadb, Flavor::Percona, Flavor::Pxc];
            let other = others.into_iter().find_map(|flavor| Some((flavor, catalog::history(id, flavor)?)));
            match other {
                None => Stranger::Unknown,
                // The flavors parted after 5.1: what went before then is gone from both.
                Some((_, history)) if history.removed.is_some_and(|since| since.latest() < Version::new(5, 6, 0)) => {
                    Stranger::Removed(id, history)
                }
                Some((flavor, _)) => Stranger::OtherFlavor(id, flavor),
            }
        }
    }
}

/// An unknown name stops the server, unless it is `loose_`.
fn severity(loose: bool) -> Severity {
    if loose { Severity::Advice } else { Severity::Error }
}

fn outcome(loose: bool) -> &'static str {
    if loose { "the server warns and goes on" } else { "the server refuses to start" }
}

/// A typing error behind `loose_`: the server goes on, and the setting never comes.
fn misspelt_and_loose(assignment: &Assignment<'_>, subject: Subject<'_>) -> Option<Hit> {
    let (line, title) = suggestion(assignment, subject).filter(|(line, _)| !is_refused(line, subject.server))?;
    let message = format!(
        "no version of {} knows {}: `loose` lets the server go on, and the setting never takes effect",
        subject.server.flavor.title(),
        quoted(&assignment.name)
    );
    let spelled = if shown(&assignment.name).contains('-') { "loose-" } else { "loose_" };
    let change = Change::Respell { at: assignment.whole(), text: format!("{spelled}{line}") };
    let hit = Hit::new(Severity::Warning, assignment.name_at, message).label("unknown option");
    Some(hit.remedy(Safety::Unsafe, title, vec![change]))
}

pub(super) fn unknown_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, stranger, loose) in strangers(subject) {
        if loose && matches!(stranger, Stranger::Unknown) {
            hits.extend(misspelt_and_loose(assignment, subject));
            continue;
        }
        // `loose_` says: if you know it.
        let told_elsewhere = || {
            assignment.name.is_empty()
                || super::groups::is_client_option(assignment, subject)
                || meant_by_abbreviation(assignment, subject).is_some()
                || is_rest_of_long_line(assignment, subject)
        };
        if loose || told_elsewhere() {
            continue;
        }
        let name = quoted(&assignment.name);
        let flavor = subject.server.flavor.title();
        let message = match stranger {
            Stranger::Unknown if begins_with_typographic_dash(assignment) => {
                format!("the dash before {name} is one of typography and belongs to the name: {}", outcome(loose))
            }
            Stranger::Unknown => format!("no version of {flavor} knows {name}: {}", outcome(loose)),
            Stranger::OtherRelease => {
                format!("this version of {flavor} does not know {name}: {}", outcome(loose))
            }
            Stranger::OtherCase => format!("{flavor} knows {name} only in lower case: {}", outcome(loose)),
            Stranger::OnWindows => format!("{flavor} knows {name} on Windows only: elsewhere {}", outcome(loose)),
            Stranger::NoOption(id) if spelled(id) != id.name() => {
                format!("{flavor} knows {name} only as `{}`: {}", spelled(id), outcome(loose))
            }
            Stranger::NoOption(_) => {
                format!("{name} is a variable of {flavor} but no option: {}", outcome(loose))
            }
            _ => continue,
        };
        let hit = Hit::new(severity(loose), assignment.name_at, message);
        // The name that this server takes in its place.
        let known = match stranger {
            Stranger::OtherCase => Some(name_in_lower_case(assignment)),
            Stranger::NoOption(id) => option_for(id, subject.server).map(|option| spelled(option).to_owned()),
            _ => None,
        };
        if let Some(text) = known {
            let title = format!("write `{text}`");
            let change = Change::Respell { at: assignment.name_at, text };
            hits.push(hit.label("unknown option").remedy(Safety::Unsafe, title, vec![change]));
            continue;
        }
        hits.push(match suggestion(assignment, subject) {
            Some((text, title)) if is_refused(&text, subject.server) => {
                hit.label("unknown option").remedy(Safety::Manual, title, Vec::new())
            }
            Some((text, title)) => {
                let change = Change::Respell { at: assignment.whole(), text };
                hit.label("unknown option").remedy(Safety::Unsafe, title, vec![change])
            }
            None => {
                let change = Change::Respell {
                    at: assignment.whole(),
                    text: format!("# {}", shown(subject.sources.text(assignment.whole()))),
                };
                hit.label("unknown option").remedy(Safety::Unsafe, "take the line out", vec![change])
            }
        });
    }
}

fn name_in_lower_case(assignment: &Assignment<'_>) -> String {
    shown(&assignment.name).to_ascii_lowercase()
}

/// The option that sets a variable which is none itself: `transaction_isolation` for `tx_isolation`.
fn option_for(variable: OptionId, server: Server) -> Option<OptionId> {
    let variable = catalog::entry(variable, server).variable;
    catalog::spellings(variable, server).find(|id| catalog::entry(*id, server).is_option)
}

/// Whether the server takes the name of a line and not its value.
fn is_refused(line: &str, server: Server) -> bool {
    let (name, value) = match line.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().as_bytes())),
        None => (line, None),
    };
    let Resolved::Option { id, prefixes, .. } = catalog::resolve(name.as_bytes(), server) else { return false };
    let written = Written { effect: prefixes.effect, loose: prefixes.loose, value };
    let reading = value::read(&catalog::entry(id, server).shape, server, written);
    matches!(reading.judgement, Judgement::Refused { .. })
}

/// The name behind the dashes that a command line, or a text processor in place of them, puts before it.
fn without_dashes(name: &str) -> &str {
    name.trim_start_matches(|c| c == '-' || TYPOGRAPHIC_DASHES.contains(&c))
}

fn begins_with_typographic_dash(assignment: &Assignment<'_>) -> bool {
    shown(&assignment.name).starts_with(TYPOGRAPHIC_DASHES)
}

/// What was probably meant: a missing `=`, `name value`, or a misspelt name; the new line and its title.
fn suggestion(assignment: &Assignment<'_>, subject: Subject<'_>) -> Option<(String, String)> {
    let server = subject.server;
    let name = shown(&assignment.name);
    let bare = without_dashes(&name);
    if bare != name && matches!(catalog::resolve(bare.as_bytes(), server), Resolved::Option { abbreviated: false, .. })
    {
        let line = assignment.value.as_deref().map(|value| format!("{bare} = {}", shown(value)));
        return Some((line.unwrap_or_else(|| bare.to_owned()), format!("write `{bare}` without that dash")));
    }
    if assignment.value.is_none() {
        let glued = name.find(|c: char| c.is_ascii_digit()).filter(|at| *at > 0).map(|at| name.split_at(at));
        let spaced = name
            .split_once([' ', '\t', ':'])
            .map(|(option, value)| (option, value.trim_start_matches([' ', ':', '='])));
        for (option, value) in spaced.into_iter().chain(glued) {
            let option = option.trim_end_matches([' ', '-', '_', ':']);
            let known =
                matches!(catalog::resolve(option.as_bytes(), server), Resolved::Option { abbreviated: false, .. });
            let elsewhere =
                matches!(catalog::resolve(option.as_bytes(), server), Resolved::Unknown { elsewhere: Some(_), .. });
            if (known || elsewhere) && !value.is_empty() {
                if let Some(successor) = succession::redo_capacity(option, value, subject) {
                    let line = if option.contains('-') { successor.replace('_', "-") } else { successor };
                    return Some((line.clone(), format!("write `{line}`, which took the place of `{option}`")));
                }
                return Some((format!("{option} = {value}"), format!("write `{option} = {value}`")));
            }
        }
    }
    let meant = catalog::similar(&name, server)?;
    // A prefix turns the value round; it stays.
    let prefix = match assignment.resolved {
        Resolved::Unknown { prefixes, .. } => match prefixes.effect {
            Effect::Skip if !meant.name().starts_with("skip_") => "skip_",
            Effect::Enable if !meant.name().starts_with("enable_") => "enable_",
            Effect::Maximum if !meant.name().starts_with("max") => "maximum_",
            _ => "",
        },
        _ => "",
    };
    let spelled = format!("{prefix}{}", meant.name());
    let spelled = if name.contains('-') { spelled.replace('_', "-") } else { spelled };
    let line = match &assignment.value {
        Some(value) => format!("{spelled} = {}", shown(value)),
        None => spelled.clone(),
    };
    Some((line, format!("did you mean `{spelled}`?")))
}

pub(super) fn wrong_flavor_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut found = Vec::new();
    of_other_flavors(subject, &mut found);
    galera_together(subject, &mut found);
    hits.extend(found);
}

/// A node's file on a server without Galera: one finding for all of its options, since one answer settles them.
fn galera_together(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let is_of_galera = |hit: &Hit| hit.option.as_deref().is_some_and(|name| name.starts_with("wsrep_"));
    if hits.iter().filter(|hit| is_of_galera(hit)).count() < 3 {
        return;
    }
    let (all, rest): (Vec<Hit>, Vec<Hit>) = std::mem::take(hits).into_iter().partition(is_of_galera);
    *hits = rest;
    let count = all.len();
    // Where every line says `loose_` the server goes on, and none of them is here.
    let severity = all.iter().map(|hit| hit.severity).max().unwrap_or(Severity::Error);
    let mut all = all.into_iter();
    let Some(first) = all.next() else { return };
    let message = format!(
        "{count} options of Galera (`wsrep_…`) are known to MariaDB and Percona XtraDB Cluster, not to {}: {}",
        subject.server.flavor.title(),
        outcome(false)
    );
    let mut hit = Hit::new(severity, first.primary.location, message).label("of Galera");
    hit.related.extend(first.related);
    hit.related.extend(all.map(|other| other.primary));
    let advice = "say which server it is, --server pxc-8.0 or mariadb-10.11 for instance, or take the lines out";
    hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
}

fn of_other_flavors(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, stranger, loose) in strangers(subject) {
        let Stranger::OtherFlavor(id, flavor) = stranger else { continue };
        if loose {
            continue;
        }
        let message = format!(
            "`{}` is an option of {}, not of {}: {}",
            shown(&assignment.name),
            flavor.title(),
            subject.server.flavor.title(),
            outcome(loose)
        );
        let hit =
            Hit::new(severity(loose), assignment.name_at, message).label(format!("only {} has it", flavor.title()));
        hits.push(succession::instead(hit.option(id.name()), assignment, id, subject));
    }
}

pub(super) fn removed_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, stranger, loose) in strangers(subject) {
        let Stranger::Removed(id, history) = stranger else { continue };
        if loose {
            continue;
        }
        let since = history.removed.map_or(String::new(), |since| format!(" {}", gone(since)));
        let name = shown(&assignment.name);
        let flavor = subject.server.flavor.title();
        let message = format!("`{name}` is gone from {flavor}{since}: {}", outcome(loose));
        let hit = Hit::new(severity(loose), assignment.name_at, message).label("removed").option(id.name());
        // The oldest way to set a variable wraps the one that is still known.
        let wrapped = assignment.value.as_deref().filter(|value| id == id::SET_VARIABLE && value.contains(&b'='));
        let hit = match wrapped {
            Some(value) => hit.remedy(Safety::Manual, format!("write `{}` alone", shown(value)), Vec::new()),
            None => succession::instead(hit, assignment, id, subject),
        };
        // One line or ten of the same option: one finding, and one fix.
        match hits.iter_mut().find(|known| known.message == hit.message && known.remedy == hit.remedy) {
            Some(known) => known.related.push(hit.primary),
            None => hits.push(hit),
        }
    }
}

/// When an option went, as a message says it.
fn gone(since: Since) -> String {
    match since {
        Since::Exact(version) => format!("since {version}"),
        Since::Between { after: Some(after), by } => format!("since a release between {after} and {by}"),
        Since::Between { after: None, by } => format!("since {by} or before"),
    }
}

pub(super) fn not_yet_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, stranger, loose) in strangers(subject) {
        let Stranger::NotYet(id, history) = stranger else { continue };
        if loose {
            continue;
        }
        let since = match history.introduced {
            Some(Since::Exact(version)) => format!("{version}"),
            Some(Since::Between { after: Some(after), by }) => format!("a release between {after} and {by}"),
            Some(Since::Between { after: None, by }) => format!("{by} or before"),
            None => continue,
        };
        let name = shown(&assignment.name);
        let message = format!("`{name}` comes with {} {since}: {}", subject.server.flavor.title(), outcome(loose));
        let hit = Hit::new(severity(loose), assignment.name_at, message).label("not in this version yet");
        hits.push(succession::instead(hit.option(id.name()), assignment, id, subject));
    }
}

/// What stands behind byte 4094 of a line is no option that anybody wrote.
fn is_rest_of_long_line(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    subject.document.problems.iter().any(|problem| {
        let (rest, name) = (problem.location, assignment.name_at);
        problem.kind == ProblemKind::LineTooLong
            && rest.file == name.file
            && (rest.span.start..rest.span.end).contains(&name.span.start)
    })
}

/// Whether the rest of a long line stops the server.
pub(super) fn rest_stops(rest: Location, subject: Subject<'_>) -> bool {
    strangers(subject).any(|(assignment, _, loose)| {
        let name = assignment.name_at;
        !loose && name.file == rest.file && (rest.span.start..rest.span.end).contains(&name.span.start)
    })
}

pub(super) fn ignored_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in written(subject) {
        let Some(entry) = assignment.entry.as_ref().filter(|entry| entry.state == State::Ignored) else { continue };
        let warns = super::reaction::warns(entry, assignment);
        let severity = if warns { Severity::Warning } else { Severity::Advice };
        let says = if warns { "with a warning" } else { "without a word" };
        let name = shown(&assignment.name);
        let message = format!("{} accepts `{name}` {says}, and it does nothing", subject.server.flavor.title());
        let remove = vec![Change::Remove { option: name }];
        let hit = Hit::new(severity, assignment.name_at, message).label("does nothing").option(entry.id.name());
        hits.push(hit.remedy(Safety::Safe, "remove the line", remove));
    }
}

pub(super) fn ambiguous_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in written(subject) {
        let Resolved::Ambiguous(candidates) = &assignment.resolved else { continue };
        if assignment.name.is_empty() {
            continue;
        }
        let shown_candidates: Vec<_> = candidates.iter().take(4).map(|id| format!("`{}`", id.name())).collect();
        let more = if candidates.len() > 4 { " and others" } else { "" };
        let message = format!(
            "`{}` may mean {}{more}: the server refuses to start",
            shown(&assignment.name),
            shown_candidates.join(", ")
        );
        let hit = Hit::new(Severity::Error, assignment.name_at, message).label("ambiguous abbreviation");
        hits.push(hit.remedy(Safety::Manual, "write the whole name", Vec::new()));
    }
}

/// The option that a name is the beginning of, where the server takes whole names only.
fn meant_by_abbreviation(assignment: &Assignment<'_>, subject: Subject<'_>) -> Option<OptionId> {
    let Resolved::Unknown { elsewhere: None, .. } = assignment.resolved else { return None };
    let server = subject.server;
    // What the server that runs now takes it for.
    let taken_before = subject.upgraded_from.iter().find_map(|from| {
        match from.assignments.iter().find(|line| line.name_at == assignment.name_at)?.resolved {
            Resolved::Option { id, abbreviated: true, .. } => Some(id),
            _ => None,
        }
    });
    if let Some(id) = taken_before.filter(|id| catalog::entry(*id, server).state == State::Present) {
        return Some(id);
    }
    if server.takes_abbreviations() {
        return None;
    }
    let begins = std::str::from_utf8(&assignment.name).ok()?.replace('-', "_");
    let mut candidates = catalog::beginning_with(begins.as_bytes()).filter(|_| begins.len() > 3).filter(|id| {
        let entry = catalog::entry(*id, server);
        entry.state == State::Present && entry.is_option
    });
    candidates.next().filter(|_| candidates.next().is_none())
}

pub(super) fn abbreviated_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    abbreviations_taken(subject, hits);
    for assignment in written(subject) {
        let Some(id) = meant_by_abbreviation(assignment, subject) else { continue };
        let name = shown(&assignment.name);
        let message = format!(
            "`{name}` is only the beginning of `{}`, and {} takes whole names: the server refuses to start",
            id.name(),
            subject.server.flavor.title()
        );
        let hit = Hit::new(Severity::Error, assignment.name_at, message).label("abbreviation").option(id.name());
        let rename = Change::Rename { from: name, to: spelled(id).to_owned() };
        hits.push(hit.remedy(Safety::Unsafe, format!("write `{}`", spelled(id)), vec![rename]));
    }
}

/// A beginning that the server completes, today.
fn abbreviations_taken(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in written(subject) {
        let Resolved::Option { id, prefixes, abbreviated: true } = &assignment.resolved else { continue };
        // What does nothing needs no better name.
        if assignment.entry.as_ref().is_some_and(|entry| entry.state == State::Ignored) {
            continue;
        }
        // MySQL 5.6 warns at each start; MariaDB says nothing.
        let warns = subject.server.flavor != Flavor::Mariadb;
        let severity = if warns { Severity::Warning } else { Severity::Advice };
        let name = shown(&assignment.name);
        let message = format!(
            "`{name}` stands for `{}` only as long as no other option begins like that; MySQL 5.7 and later refuse it",
            id.name()
        );
        let hit = Hit::new(severity, assignment.name_at, message).label("abbreviation").option(id.name());
        hits.push(if prefixes.effect == Effect::None && !prefixes.loose {
            let rename = Change::Rename { from: name, to: spelled(*id).to_owned() };
            hit.remedy(Safety::Safe, format!("write `{}`", spelled(*id)), vec![rename])
        } else {
            hit.remedy(Safety::Manual, format!("write `{}` in full", id.name()), Vec::new())
        });
    }
}
