//! What stands inside `wsrep_provider_options` and `wsrep_cluster_address`, which are lists in one text.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::Assignment;
use crate::finding::{Change, Safety, Severity};
use crate::source::Location;
use crate::value::{Outcome, Value};

/// One `key = value` of the provider's options. Of several with one key the last one counts.
struct Part<'a> {
    key: &'a str,
    value: &'a str,
}

/// The parts as Galera splits them: at semicolons, blanks around keys and values left out (26.4.23 on MariaDB 10.11.19, started).
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for piece in text.split(';') {
        let Some((key, value)) = piece.split_once('=') else { continue };
        let part = Part { key: key.trim(), value: value.trim() };
        parts.retain(|earlier| earlier.key != part.key);
        parts.push(part);
    }
    parts
}

/// The line that decides a text, and the text; nothing when a template fills it in or Galera is off.
fn written<'a>(subject: Subject<'a>, variable: OptionId) -> Option<(&'a Assignment<'a>, String)> {
    let off = Outcome::Known(Value::boolean(false));
    if subject.effective.get(id::WSREP_ON).is_some_and(|setting| setting.value == off) {
        return None;
    }
    let line = subject.effective.decided(variable)?;
    Some((line, shown(line.value.as_deref()?)))
}

fn at(line: &Assignment<'_>) -> Location {
    line.value_at.map_or(line.name_at, |_| line.whole())
}

fn is_true(value: &str) -> bool {
    ["1", "true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Each of these lets a node that lost the others go on taking writes.
const SPLITTING: &[&str] = &["pc.bootstrap", "pc.ignore_quorum", "pc.ignore_sb"];

pub(super) fn split_brain_allowed(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, text)) = written(subject, id::WSREP_PROVIDER_OPTIONS) else { return };
    let found: Vec<_> = parts(&text)
        .into_iter()
        .filter(|part| SPLITTING.contains(&part.key) && is_true(part.value))
        .map(|part| format!("`{}`", part.key))
        .collect();
    if found.is_empty() {
        return;
    }
    let message = format!(
        "{} in `wsrep_provider_options`: nodes that lose each other both go on taking writes, and one side's are lost",
        found.join(" and ")
    );
    let title = format!("take {} out of `wsrep_provider_options`", found.join(" and "));
    let hit = Hit::new(Severity::Error, at(line), message).option(id::WSREP_PROVIDER_OPTIONS.name());
    hits.push(hit.label("allows a split brain").remedy(Safety::Manual, title, Vec::new()));
}

/// What Galera takes when nothing is said (26.4.23, started: `gcache.size = 128M`).
const DEFAULT_CACHE: u64 = 128 << 20;

pub(super) fn write_set_cache_shrunk(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, text)) = written(subject, id::WSREP_PROVIDER_OPTIONS) else { return };
    let parts = parts(&text);
    let Some(part) = parts.iter().find(|part| part.key == "gcache.size") else { return };
    if bytes(part.value).is_none_or(|size| size >= DEFAULT_CACHE) {
        return;
    }
    let message = format!(
        "`gcache.size = {}` is less than the default of 128M: a node that misses more than that copies all data anew",
        part.value
    );
    let hit = Hit::new(Severity::Warning, at(line), message).option(id::WSREP_PROVIDER_OPTIONS.name());
    let title = "give `gcache.size` what the cluster writes during the longest outage to be bridged, at least 128M";
    hits.push(hit.label("a small write-set cache").remedy(Safety::Manual, title, Vec::new()));
}

/// A number with K, M, G or T behind it.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The nodes of `gcomm://a,b,c?option=value`.
pub(super) fn nodes(address: &str) -> Option<Vec<&str>> {
    let list = address.trim().strip_prefix("gcomm://")?;
    let list = list.split('?').next().unwrap_or_default();
    Some(list.split(',').map(str::trim).filter(|node| !node.is_empty()).collect())
}

/// The addresses with blanks before or behind them, and whether the server stops at one. Galera 26.4.23 on MariaDB 10.11.19, started:
/// " 10.0.0.2" is a name that cannot be resolved, and is passed over; "4567 " is no port.
fn blanks(address: &str) -> Option<(Vec<&str>, bool)> {
    let list = address.strip_prefix("gcomm://")?;
    let list = list.split('?').next().unwrap_or_default();
    let all: Vec<_> = list.split(',').collect();
    let found: Vec<_> = all.iter().copied().filter(|node| *node != node.trim()).collect();
    let is_no_port = |node: &&str| node.trim_end() != *node && node.contains(':');
    let stops = found.len() == all.len() || found.iter().any(is_no_port);
    (!found.is_empty()).then_some((found, stops))
}

pub(super) fn blank_between_nodes(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, text)) = written(subject, id::WSREP_CLUSTER_ADDRESS) else { return };
    let Some((found, stops)) = blanks(&text) else { return };
    let named: Vec<_> = found.iter().map(|node| format!("`{node}`")).collect();
    let (severity, outcome) = if stops {
        (Severity::Error, "the server cannot use that and does not start")
    } else {
        (Severity::Warning, "no host is called that, so the node never tries it")
    };
    let named = named.join(", ");
    let message = format!("a blank belongs to the address in `wsrep_cluster_address`, {named}: {outcome}");
    let hit = Hit::new(severity, at(line), message).option(id::WSREP_CLUSTER_ADDRESS.name());
    let whole: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let change = Change::Set { option: id::WSREP_CLUSTER_ADDRESS.name().to_owned(), value: Some(whole) };
    hits.push(hit.label("a blank in the list").remedy(Safety::Unsafe, "take the blank out", vec![change]));
}

/// Whether a node stops at an address with a blank.
pub(super) fn stops_at_blank(address: &str) -> bool {
    blanks(address).is_some_and(|(_, stops)| stops)
}

pub(super) fn cluster_of_two(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((line, text)) = written(subject, id::WSREP_CLUSTER_ADDRESS) else { return };
    if nodes(&text).is_none_or(|nodes| nodes.len() != 2) {
        return;
    }
    let message = "two nodes make this cluster: when either is gone, the other has no majority and refuses all queries";
    let hit = Hit::new(Severity::Advice, at(line), message.to_owned()).option(id::WSREP_CLUSTER_ADDRESS.name());
    let title =
        "add a third node, or an arbitrator (garbd) on a third machine; list it here too, so that nodes find it";
    hits.push(hit.label("two nodes").remedy(Safety::Manual, title, Vec::new()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_parts_with_one_key_the_last_one_counts() {
        let parts = parts("gcache.size=1G; pc.ignore_sb = yes;gcache.size = 64M;");
        let shown: Vec<_> = parts.iter().map(|part| (part.key, part.value)).collect();
        assert_eq!(shown, [("pc.ignore_sb", "yes"), ("gcache.size", "64M")]);
    }

    #[test]
    fn sizes_have_one_letter() {
        assert_eq!(bytes("64M"), Some(64 << 20));
        assert_eq!(bytes("1073741824"), Some(1 << 30));
        assert_eq!(bytes("1Gb"), None);
        assert_eq!(bytes("M"), None);
    }

    #[test]
    fn a_blank_belongs_to_an_address() {
        assert_eq!(blanks("gcomm://a:4567,b?pc.wait_prim=no; "), None);
        assert_eq!(blanks("gcomm://a, b"), Some((vec![" b"], false)));
        assert_eq!(blanks("gcomm://a:4567 ,b"), Some((vec!["a:4567 "], true)));
        assert_eq!(blanks("gcomm:// a"), Some((vec![" a"], true)));
    }

    #[test]
    fn nodes_stand_between_scheme_and_options() {
        assert_eq!(nodes("gcomm://a:4567, b?pc.wait_prim=no"), Some(vec!["a:4567", "b"]));
        assert_eq!(nodes("gcomm://"), Some(Vec::new()));
        assert_eq!(nodes("dummy://"), None);
    }
}
