//! Flag sets such as `optimizer_switch`: `word=on,word=off,default`, where several lines add up.

use std::borrow::Cow;

use super::word::{Ends, Found, find};
use super::{Misreading, Reading, Refusal, Shape, Value};
use crate::server::Server;

const STATES: [&str; 3] = ["off", "on", "default"];

/// Reads the changes that a value asks for; flags that it does not name keep what they have.
pub(super) fn flag_set(shape: &Shape<'_>, server: Server, text: &[u8]) -> Reading {
    match changes(shape, server, text) {
        Ok((changes, false)) => Reading::accepted(Value::Set(Cow::Owned(changes))),
        Ok((changes, true)) => Reading::misread(Value::Set(Cow::Owned(changes)), Misreading::AmbiguousIsDefault, false),
        Err(reason) => Reading::refused(reason),
    }
}

/// The changes with flags spelled as the server shows them, and whether a state was taken for `default` only because it
/// was neither `on` nor `off`.
fn changes(shape: &Shape<'_>, server: Server, text: &[u8]) -> Result<(String, bool), Refusal> {
    let names: Vec<_> = shape.words().filter(|word| *word != "default").chain(["default"]).collect();
    let mut seen = Vec::new();
    let mut list = String::new();
    let mut ambiguous = false;
    let mut rest = text;
    while !text.is_empty() {
        let (found, behind) = name(&names, server, rest);
        let Found::Word(flag) = found else { return Err(refusal(&found)) };
        let flag = names[flag];
        if seen.contains(&flag) {
            return Err(Refusal::Repeated);
        }
        seen.push(flag);
        list.push_str(flag);
        rest = behind;
        if flag != "default" {
            let (found, behind) = name(&STATES, server, rest.strip_prefix(b"=").ok_or(Refusal::NotAMember)?);
            let state = match found {
                Found::Word(state) => STATES[state],
                // MySQL tells only `off` and `on` apart from the rest.
                Found::Several if server.flavor.is_mysql_family() => {
                    ambiguous = true;
                    "default"
                }
                _ => return Err(refusal(&found)),
            };
            list.push('=');
            list.push_str(state);
            rest = behind;
        }
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(b",").ok_or(Refusal::NotAMember)?;
        list.push(',');
    }
    Ok((list, ambiguous))
}

/// The word at the beginning and what follows its separator. MariaDB takes whole words only.
fn name<'a>(words: &[&str], server: Server, text: &'a [u8]) -> (Found, &'a [u8]) {
    let end = text.iter().position(|byte| matches!(byte, b',' | b'=')).unwrap_or(text.len());
    let found = find(words.iter().copied(), text, Ends::InAList);
    let written = text[..end].trim_ascii_end();
    let found = match found {
        Found::Word(index) if !server.flavor.is_mysql_family() => {
            if words[index].len() == written.len() {
                Found::Word(index)
            } else {
                Found::Nothing
            }
        }
        Found::Several if !server.flavor.is_mysql_family() => Found::Nothing,
        found => found,
    };
    (found, &text[end..])
}

const fn refusal(found: &Found) -> Refusal {
    match found {
        Found::Several => Refusal::NotUnique,
        _ => Refusal::NotAMember,
    }
}

/// Puts the changes that [`super::read`] found over a flag set, in the order and spelling of what was there.
///
/// `current` and `default` list every flag: `mrr=on,materialization=off`. Flags that they do not list are left out.
pub fn apply_flags(current: &str, default: &str, changes: &str) -> String {
    let members = |list| str::split(list, ',').filter(|member| !member.is_empty());
    let state = |list, flag: &str| {
        members(list)
            .find_map(|member| member.split_once('=').filter(|(name, _)| *name == flag))
            .map(|(_, state)| state)
    };
    let base = if members(changes).any(|member| member == "default") { default } else { current };
    let mut merged = String::with_capacity(base.len());
    for member in members(base) {
        let (flag, old) = member.split_once('=').unwrap_or((member, "on"));
        let new = match state(changes, flag) {
            Some("default") => state(default, flag).unwrap_or(old),
            Some(state) => state,
            None => old,
        };
        if !merged.is_empty() {
            merged.push(',');
        }
        merged.push_str(flag);
        merged.push('=');
        merged.push_str(new);
    }
    merged
}
