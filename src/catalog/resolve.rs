//! From a name as written to the option that a server takes it for.
//!
//! The order of the steps is that of `my_getopt` in the servers; measured on MySQL 5.6.24 and 9.7.4 and MariaDB 10.5.23, 10.11.19, 11.8.9.

use super::{OptionId, State, beginning_with, entry, is_secret, tables};
use crate::server::{Flavor, Server};
use crate::value::Effect;
use std::borrow::Cow;

/// What stood before the option's own name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prefixes {
    /// `loose-`: an unknown name is a warning only.
    pub loose: bool,
    /// What the last prefix does to the value.
    pub effect: Effect,
    /// `hot.key_buffer_size`: a key cache other than the default one; where the server ignores what stands before the dot, also any
    /// other word.
    pub instance: bool,
}

/// What a server makes of a written name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// An option that it takes, or of which nobody knows.
    Option {
        /// The option.
        id: OptionId,
        /// What stood before it.
        prefixes: Prefixes,
        /// Only the beginning of the name was written.
        abbreviated: bool,
    },
    /// The beginning of several names.
    Ambiguous(Vec<OptionId>),
    /// No option of this server.
    Unknown {
        /// What stood before the name.
        prefixes: Prefixes,
        /// The same name, where another flavor or version has it, or where it is a variable that cannot stand in a file.
        elsewhere: Option<OptionId>,
    },
}

/// The prefixes in the order in which the servers try them.
const PREFIXES: [(&[u8], Option<Effect>); 6] = [
    (b"skip", Some(Effect::Skip)),
    (b"disable", Some(Effect::Skip)),
    (b"enable", Some(Effect::Enable)),
    (b"maximum", Some(Effect::Maximum)),
    (b"loose", None),
    (b"autoset", Some(Effect::Autoset)),
];

/// Variables of a key cache, which MySQL 8 and later take with the name of a cache before a dot.
const KEY_CACHE: [&[u8]; 4] =
    [b"key_buffer_size", b"key_cache_block_size", b"key_cache_division_limit", b"key_cache_age_threshold"];

/// MySQL before 8 and MariaDB read these options first and look for the written beginning among them alone, so that `max_con` is
/// `max_connections` although others begin so too, while `table_open` is ambiguous. MariaDB does so with the first of them only (measured
/// on MySQL 5.6.24, MariaDB 10.5.23, 10.11.19 and 11.8.9).
const EARLY: [&[u8]; 5] = [
    b"max_connections",
    b"max_digest_length",
    b"table_open_cache",
    b"table_open_cache_instances",
    b"table_definition_cache",
];

/// Names that the server's own tables spell with capitals. A server that looks at case takes no other spelling (measured on 10.5.23).
const MIXED_CASE: [&str; 6] = [
    "wsrep_OSU_method",
    "wsrep_SR_store",
    "wsrep_certify_nonPK",
    "wsrep_convert_LOCK_to_trx",
    "wsrep_slave_FK_checks",
    "wsrep_slave_UK_checks",
];

/// The name as a file has to spell it for every server: that of the catalog, or with the capitals of the server's own tables.
pub fn spelled(id: OptionId) -> &'static str {
    MIXED_CASE.iter().find(|mixed| mixed.eq_ignore_ascii_case(id.name())).copied().unwrap_or(id.name())
}

/// Finds the option that a server takes a written name for.
///
/// The whole name counts first, then, from left to right, prefixes are taken off: they may be stacked in any order, and only the last one
/// changes the value.
pub fn resolve(name: &[u8], server: Server) -> Resolved {
    let mut prefixes = Prefixes::default();
    let whole = name;
    let (name, instance) = without_instance(name, server);
    prefixes.instance = instance;
    let spelled = spelling(name, server);
    let mut rest: &[u8] = &spelled;
    let mut elsewhere = None;
    loop {
        match find(rest, server) {
            Found::One(id, abbreviated) => return Resolved::Option { id, prefixes, abbreviated },
            Found::Several(ids) => return Resolved::Ambiguous(ids),
            Found::None => {}
        }
        if let Some(id) = rest.strip_prefix(b"plugin_").and_then(|own| of_plugin(own, server)) {
            return Resolved::Option { id, prefixes, abbreviated: false };
        }
        // The longest name counts: `skip_host_cache` is an option of its own, not `host_cache` with a prefix.
        elsewhere = elsewhere.or_else(|| tables::find(&rest.to_ascii_lowercase()).map(OptionId));
        let Some((effect, length)) = prefix(rest, server) else { break };
        rest = &rest[length..];
        match effect {
            Some(effect) => prefixes.effect = effect,
            None => {
                prefixes.loose = true;
                prefixes.effect = Effect::None;
            }
        }
    }
    let elsewhere = elsewhere.or_else(|| if instance { of_component(whole, server) } else { None });
    Resolved::Unknown { prefixes, elsewhere }
}

/// The option of a plugin, whose names all stand a second time behind `plugin-`, the switch of the plugin among them (measured on
/// MySQL 5.6.24 and 9.7.4, MariaDB 10.5.23, 10.11.19 and 11.8.9).
fn of_plugin(own: &[u8], server: Server) -> Option<OptionId> {
    let taken = |name: &[u8]| {
        let entry = entry(OptionId(tables::find(name)?), server);
        (entry.state != State::Absent && entry.is_option).then_some(entry)
    };
    let is_switch = |name: &[u8]| taken(name).is_some_and(|entry| entry.plugin_toggle);
    let mut beginnings = own.iter().enumerate().filter(|(_, byte)| **byte == b'_').map(|(at, _)| &own[..at]);
    let entry = taken(own)?;
    // Engines that nothing can switch off have no switch, and the server's own option with InnoDB's name is none of them.
    let is_of_engine = own.starts_with(b"aria_") || own.starts_with(b"innodb_") && own != b"innodb_native_foreign_keys";
    (entry.plugin_toggle || entry.plugin || is_of_engine || beginnings.any(is_switch)).then_some(entry.id)
}

/// The variable of a component, such as `validate_password.policy`, that a server without components takes for one of an instance.
fn of_component(name: &[u8], server: Server) -> Option<OptionId> {
    let spelled = spelling(name, server).to_ascii_lowercase();
    let mut rest: &[u8] = &spelled;
    loop {
        if let Some(index) = tables::find(rest) {
            return Some(OptionId(index));
        }
        let (_, length) = prefix(rest, server)?;
        rest = &rest[length..];
    }
}

/// Takes off `word.`: MySQL before 8 and MariaDB do so before any name, MySQL 8 and later before the variables of a key cache.
fn without_instance(name: &[u8], server: Server) -> (&[u8], bool) {
    let Some(dot) = name.iter().position(|byte| *byte == b'.') else { return (name, false) };
    let rest = &name[dot + 1..];
    let any = server.flavor == Flavor::Mariadb || !server.at_least(8, 0, 0);
    let is_key_cache = || KEY_CACHE.contains(&&*spelling(rest, server));
    if !rest.is_empty() && (any || is_key_cache()) { (rest, true) } else { (name, false) }
}

/// The name as the catalog spells it: underscores, and lower case where the server does not look at it.
fn spelling(name: &[u8], server: Server) -> Cow<'_, [u8]> {
    let ignores_case = server.ignores_case_of_names();
    let differs = |byte: &u8| *byte == b'-' || ignores_case && byte.is_ascii_uppercase();
    if !name.iter().any(differs) {
        return Cow::Borrowed(name);
    }
    let spell = |byte: &u8| match byte {
        b'-' => b'_',
        byte if ignores_case => byte.to_ascii_lowercase(),
        byte => *byte,
    };
    Cow::Owned(name.iter().map(spell).collect())
}

/// The prefix at the beginning of a name, and its length with the separator.
fn prefix(name: &[u8], server: Server) -> Option<(Option<Effect>, usize)> {
    PREFIXES.iter().find_map(|(word, effect)| {
        let applies = *effect != Some(Effect::Autoset) || server.flavor == Flavor::Mariadb && server.at_least(10, 1, 0);
        (applies && name.starts_with(word) && name.get(word.len()) == Some(&b'_')).then_some((*effect, word.len() + 1))
    })
}

enum Found {
    None,
    One(OptionId, bool),
    Several(Vec<OptionId>),
}

fn find(name: &[u8], server: Server) -> Found {
    let lower;
    let mut name = name;
    if !server.ignores_case_of_names()
        && let Some(mixed) = MIXED_CASE.iter().find(|mixed| mixed.as_bytes().eq_ignore_ascii_case(name))
    {
        if name != mixed.as_bytes() {
            return Found::None;
        }
        lower = name.to_ascii_lowercase();
        name = &lower;
    }
    if let Some(id) = tables::find(name).map(OptionId) {
        let entry = entry(id, server);
        if entry.state != State::Absent && entry.is_option {
            return Found::One(id, false);
        }
    }
    if !server.takes_abbreviations() {
        return Found::None;
    }
    let early = if server.flavor == Flavor::Mariadb { &EARLY[..1] } else { &EARLY };
    let early: Vec<_> = early.iter().filter(|early| early.starts_with(name)).collect();
    if let [only] = early[..]
        && !name.is_empty()
    {
        return tables::find(only).map_or(Found::None, |index| Found::One(OptionId(index), true));
    }
    // A capital letter in the server's own spelling ends the beginning that can be found (measured on 10.5.23).
    let reaches_capital = |id: &OptionId| {
        let mixed = MIXED_CASE.iter().find(|mixed| mixed.eq_ignore_ascii_case(id.name()));
        !server.ignores_case_of_names() && mixed.is_some_and(|mixed| !mixed.as_bytes().starts_with(name))
    };
    let candidates = beginning_with(name).filter(|id| tables::is_taken(*id, server));
    let mut taken: Vec<_> = candidates.filter(|id| !reaches_capital(id)).collect();
    // Options of plugins that are not built in are not there until the plugin is (measured on MariaDB 10.11.19: `password` is unknown,
    // although `password_reuse_check_interval` exists).
    taken.retain(|id| !is_loadable(*id, server));
    // InnoDB's own table is looked at before the tables of switches and the list of its removed names: `innodb_lock` is
    // `innodb_lock_wait_timeout` although `innodb_locks` exists (measured on 10.11.19).
    if taken.len() > 1 {
        let is_switch = |id: &OptionId| entry(*id, server).plugin_toggle;
        // What is still judged stands in InnoDB's own table.
        let is_removed = |id: &OptionId| {
            let entry = entry(*id, server);
            id.name().starts_with("innodb_") && entry.state == State::Ignored && !entry.judges_value
        };
        if taken.iter().all(is_switch) {
            taken.truncate(1);
        } else if !taken.iter().all(|id| is_switch(id) || is_removed(id)) {
            taken.retain(|id| !is_switch(id) && !is_removed(id));
        }
    }
    match taken[..] {
        [] => Found::None,
        [id] => Found::One(id, true),
        _ => Found::Several(taken),
    }
}

fn is_loadable(id: OptionId, server: Server) -> bool {
    let entry = entry(id, server);
    entry.plugin || entry.windows_only
}

/// The option of that server whose name looks most like a written one that it does not know.
///
/// Prefixes are looked through, and a value glued to the name is left aside: `innodb-log-file-size25M` looks like `innodb_log_file_size`.
pub fn similar(name: &str, server: Server) -> Option<OptionId> {
    let spelled: String =
        name.trim().chars().map(|c| if c == '-' || c == ' ' { '_' } else { c.to_ascii_lowercase() }).collect();
    let rest = spelled.trim_start_matches("loose_");
    let closest = |written: &str| {
        // A typing error or two; in a long name three.
        let allowed = (written.len() / 4).clamp(1, 3);
        let letters = Letters::of(written);
        let near = |id: OptionId| {
            let known = id.name();
            if !tables::is_taken(id, server) || letters.apart(known) > allowed {
                return None;
            }
            let distance = strsim::osa_distance(known, written);
            // `root_password` is no slip for `report_password`, and a secret must not end up somewhere else.
            let allowed = if is_secret(known) { 1 } else { allowed };
            (distance <= allowed).then_some((distance, id))
        };
        tables::alike(written.as_bytes(), allowed).filter_map(near).min().map(|(_, id)| id)
    };
    let glued = rest.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let digits = rest[glued..].find(|c: char| c.is_ascii_digit()).map_or(rest, |at| &rest[..glued + at]);
    let stripped = ["skip_", "disable_", "enable_"].iter().find_map(|prefix| rest.strip_prefix(prefix));
    let word = rest.split_once([':', '=']).map(|(word, _)| word.trim_end_matches('_'));
    let taken = |id: OptionId| tables::is_taken(id, server).then_some(id);
    let exact = |written: &str| OptionId::from_name(written).and_then(taken);
    let candidates = [Some(digits).filter(|digits| *digits != rest), word, Some(rest), stripped];
    let mut candidates = candidates.into_iter().flatten().filter(|written| written.len() > 2);
    candidates.clone().find_map(exact).or_else(|| candidates.find_map(closest))
}

/// How often each ASCII letter stands in a word.
struct Letters {
    counts: [i32; 128],
    total: i32,
}

impl Letters {
    fn of(word: &str) -> Self {
        let mut letters = Self { counts: [0; 128], total: 0 };
        for byte in word.bytes().filter(u8::is_ascii) {
            letters.counts[usize::from(byte)] += 1;
            letters.total += 1;
        }
        letters
    }

    /// How many letters the words do not share. No change of one letter brings this nearer by more than one, so the distance
    /// between the words, which takes a hundred times longer to find out, is at least this.
    fn apart(&self, word: &str) -> usize {
        let mut left = self.counts;
        let (mut shared, mut lacking) = (0, 0);
        for byte in word.bytes().filter(u8::is_ascii) {
            let count = &mut left[usize::from(byte)];
            *count -= 1;
            if *count < 0 { lacking += 1 } else { shared += 1 }
        }
        (self.total - shared).max(lacking).unsigned_abs() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn letters_apart_never_exceed_the_distance(known in "[a-e_]{0,12}", written in "[a-eäö_]{0,12}") {
            prop_assert!(Letters::of(&written).apart(&known) <= strsim::osa_distance(&known, &written));
        }

        #[test]
        fn names_alike_are_all_that_are_a_few_changes_away(
            index in 0..tables::COUNT, at in 0usize..40, letter in "[a-z_0-9]{0,2}", allowed in 1usize..4,
        ) {
            let mut written = OptionId(index).name().to_owned();
            written.replace_range(at.min(written.len() - 1)..=at.min(written.len() - 1), &letter);
            let near = |id: &OptionId| strsim::osa_distance(id.name(), &written) <= allowed;
            let expected: Vec<_> = OptionId::all().filter(near).collect();
            prop_assert_eq!(tables::alike(written.as_bytes(), allowed).filter(near).collect::<Vec<_>>(), expected);
        }
    }
}
