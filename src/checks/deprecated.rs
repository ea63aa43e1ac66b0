//! Options that still work and are to go.

use super::combinations::text;
use super::names::written;
use super::{Hit, Subject, shown, succession};
use crate::catalog::{self, Entry, OptionId, Resolved, State, id};
use crate::effective::Effective;
use crate::finding::{Change, Severity};
use crate::value::{Outcome, Value};

pub(super) fn deprecated_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut found = Vec::new();
    deprecated_one_by_one(subject, &mut found);
    // A file that grew with the server has a dozen of them, which one edit mends.
    let renamed = |change: &Change| matches!(change, Change::Rename { .. });
    told_together(&mut found, renamed, "old names are deprecated and will go", "write the new names");
    let removed = |change: &Change| matches!(change, Change::Remove { .. });
    told_together(&mut found, removed, "options are deprecated and will go without a successor", "remove the lines");
    hits.extend(found);
}

/// One finding in place of three and more whose fixes are of the same kind.
fn told_together(hits: &mut Vec<Hit>, is_of_kind: fn(&Change) -> bool, what: &str, title: &str) {
    let only_change = |hit: &Hit| match hit.remedy.as_ref().map(|remedy| remedy.changes.as_slice()) {
        Some([change]) => is_of_kind(change),
        _ => false,
    };
    if hits.iter().filter(|hit| only_change(hit)).count() < 3 {
        return;
    }
    let (alike, rest): (Vec<Hit>, Vec<Hit>) = std::mem::take(hits).into_iter().partition(only_change);
    *hits = rest;
    let changes = || alike.iter().filter_map(|hit| hit.remedy.as_ref()).flat_map(|remedy| &remedy.changes);
    let names = changes().filter_map(|change| match change {
        Change::Rename { from: name, .. } | Change::Remove { option: name } => Some(format!("`{name}`")),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    let count = alike.len();
    let mut alike = alike.into_iter();
    let Some(mut all) = alike.next() else { return };
    for hit in alike {
        all.related.push(hit.primary);
        if let (Some(known), Some(remedy)) = (all.remedy.as_mut(), hit.remedy) {
            known.safety = known.safety.max(remedy.safety);
            known.changes.extend(remedy.changes);
        }
    }
    if let Some(remedy) = all.remedy.as_mut() {
        remedy.title = title.to_owned();
    }
    all.message = format!("{count} {what}: {}", names.join(", "));
    hits.push(all);
}

fn deprecated_one_by_one(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in written(subject) {
        // `loose_` says that the writer knows.
        let loose = matches!(&assignment.resolved, Resolved::Option { prefixes, .. } if prefixes.loose);
        let is_to_go = |entry: &&Entry| entry.deprecated && entry.state == State::Present && !loose;
        let Some(entry) = assignment.entry.as_ref().filter(is_to_go) else { continue };
        let Some(history) = catalog::history(entry.id, subject.server.flavor) else { continue };
        if query_cache_is_told(entry.id, subject.effective) {
            continue;
        }
        let since = history.deprecated.map_or(String::new(), |version| format!(" since {version}"));
        let message = format!("`{}` is deprecated{since} and will go", shown(&assignment.name));
        let hit = Hit::new(Severity::Advice, assignment.name_at, message).label("deprecated").option(entry.id.name());
        hits.push(succession::before_it_goes(hit, assignment, entry.id, subject));
    }
}

/// Whether `query-cache-on` or `query-cache-off-but-allocated` asks for the line to go.
fn query_cache_is_told(option: OptionId, effective: &Effective<'_>) -> bool {
    if ![id::QUERY_CACHE_SIZE, id::QUERY_CACHE_TYPE].contains(&option) {
        return false;
    }
    let size = match effective.get(id::QUERY_CACHE_SIZE).map(|setting| &setting.value) {
        Some(Outcome::Known(Value::Integer(size))) => *size,
        // The default, of which nothing is used while the type is OFF.
        None => 1 << 20,
        _ => 0,
    };
    let is_on = text(effective, id::QUERY_CACHE_TYPE).is_some_and(|word| word != "off");
    size > 1 << 20 || is_on && size > 0
}
