//! The packed tables and how they are read.

use super::{Default, Entry, History, OptionId, Replacement, Since, State, Warns};
use crate::server::{Flavor, Server, Version};
use crate::value::{Argument, Kind, Shape, Unit, Value};
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/catalog_tables.rs"));

/// How many names there are.
pub const COUNT: u16 = NAME_AT.len() as u16 - 1;

/// Marks a flavor without a record in [`HISTORY_OF`], and in a record the option itself as the variable that it sets.
const NONE: u16 = u16::MAX;

pub fn name(index: u16) -> &'static str {
    let index = usize::from(index);
    &NAMES[NAME_AT[index] as usize..NAME_AT[index + 1] as usize]
}

/// How many bytes a name has.
pub fn length(index: u16) -> usize {
    let index = usize::from(index);
    (NAME_AT[index + 1] - NAME_AT[index]) as usize
}

/// Which letters stand in each name, see [`letters_in`].
static LETTERS: [u32; COUNT as usize] = {
    let mut letters = [0; COUNT as usize];
    let mut index = 0;
    while index < letters.len() {
        letters[index] = letters_in(NAMES.as_bytes(), NAME_AT[index] as usize, NAME_AT[index + 1] as usize);
        index += 1;
    }
    letters
};

/// Which letters stand in a part of a text: a bit for each of a to z, one for digits, one for everything else.
const fn letters_in(bytes: &[u8], from: usize, to: usize) -> u32 {
    let mut letters = 0;
    let mut at = from;
    while at < to {
        letters |= match bytes[at] {
            byte @ b'a'..=b'z' => 1 << (byte - b'a'),
            b'0'..=b'9' => 1 << 26,
            _ => 1 << 27,
        };
        at += 1;
    }
    letters
}

/// The names that share nearly all letters with a word: at most `allowed` stand in only one of both, and the lengths differ by no
/// more than that. A word that is `allowed` changes away is among them.
pub fn alike(word: &[u8], allowed: usize) -> impl Iterator<Item = OptionId> {
    let letters = letters_in(word, 0, word.len());
    let few = move |letters: u32| letters.count_ones() as usize <= allowed;
    let near = move |index: &u16| {
        let known = LETTERS[usize::from(*index)];
        few(known & !letters) && few(letters & !known) && length(*index).abs_diff(word.len()) <= allowed
    };
    (0..COUNT).filter(near).map(OptionId)
}

pub fn find(name: &[u8]) -> Option<u16> {
    let index = first_at_least(name);
    (index < COUNT && self::name(index).as_bytes() == name).then_some(index)
}

/// The first name that is not below a text in the order of bytes; [`COUNT`] when all are.
pub fn first_at_least(text: &[u8]) -> u16 {
    let (mut low, mut high) = (0, COUNT);
    while low < high {
        let middle = low + (high - low) / 2;
        if name(middle).as_bytes() < text {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The packed record of a name in one flavor at a version.
fn record(id: OptionId, flavor: Flavor, version: Version) -> Option<&'static [u32; 4]> {
    let place = usize::from(id.0) * 4 + flavor as usize;
    let (from, to) = (usize::from(STEP_AT[place]), usize::from(STEP_AT[place + 1]));
    let packed = version.packed();
    let step = STEP_VERSION[from..to].partition_point(|start| *start <= packed);
    let step = (from + step).checked_sub(1).filter(|step| *step >= from)?;
    Some(&RECORDS[usize::from(STEP_RECORD[step])])
}

const fn flag(flags: u32, bit: u32) -> bool {
    flags >> bit & 1 != 0
}

const fn state(flags: u32) -> State {
    match flags & 3 {
        0 => State::Absent,
        1 => State::Unknown,
        2 => State::Present,
        _ => State::Ignored,
    }
}

/// The record that counts of a name on a server.
fn packed(id: OptionId, server: Server) -> [u32; 4] {
    let mut records = server.flavor.lineage().filter_map(|flavor| record(id, flavor, server.version));
    let first = records.next();
    let known = |record: &&[u32; 4]| state(record[0]) != State::Absent;
    // What a flavor lost or never had, the server it is built on may have.
    let best = first.filter(known).or_else(|| records.find(known)).or(first);
    best.copied().unwrap_or([0, 0, 0, u32::from(NONE)])
}

const fn variable_of(id: OptionId, variable: u32) -> OptionId {
    if variable == NONE as u32 { id } else { OptionId(variable as u16) }
}

pub fn standing(id: OptionId, server: Server) -> (State, OptionId) {
    let [flags, _, _, variable] = packed(id, server);
    (state(flags), variable_of(id, variable))
}

pub fn effective_default(id: OptionId, server: Server) -> Default {
    let [_, _, defaults, _] = packed(id, server);
    default(defaults as usize >> 16)
}

pub fn entry(id: OptionId, server: Server) -> Entry {
    let [flags, shape, defaults, variable] = packed(id, server);
    Entry {
        id,
        state: state(flags),
        warns: match (flag(flags, 2), flag(flags, 15)) {
            (false, _) => Warns::Never,
            (true, false) => Warns::Always,
            (true, true) => Warns::WhenChanged,
        },
        shape: self::shape(shape as usize),
        variable: variable_of(id, variable),
        inverted: flag(flags, 12),
        is_option: flag(flags, 3),
        is_variable: flag(flags, 4),
        default: default(defaults as usize & 0xffff),
        effective_default: default(defaults as usize >> 16),
        dynamic: flag(flags, 5).then_some(flag(flags, 6)),
        global: flag(flags, 7),
        session: flag(flags, 8),
        read_only: flag(flags, 9),
        deprecated: flag(flags, 10),
        beyond_horizon: server.version > super::horizon(server.flavor),
        plugin_toggle: flag(flags, 11),
        plugin: flag(flags, 13),
        windows_only: flag(flags, 14),
        judges_value: flag(flags, 16),
    }
}

/// Whether an option file of that server may hold the name.
pub fn is_taken(id: OptionId, server: Server) -> bool {
    server.flavor.lineage().any(|flavor| {
        record(id, flavor, server.version)
            .is_some_and(|[flags, ..]| flag(*flags, 3) && matches!(state(*flags), State::Present | State::Ignored))
    })
}

/// The other names that set a variable in any flavor.
pub fn aliases(variable: OptionId) -> impl Iterator<Item = OptionId> {
    let place = usize::from(variable.0);
    ALIASES[usize::from(ALIAS_AT[place])..usize::from(ALIAS_AT[place + 1])].iter().copied().map(OptionId)
}

fn text(at: u32, length: u32) -> &'static str {
    &TEXT[at as usize..(at + length) as usize]
}

fn number(place: u32) -> Option<i128> {
    (place as usize).checked_sub(1).map(|place| NUMBERS[place])
}

fn shape(place: usize) -> Shape<'static> {
    let [codes, words, length, min, max, block] = SHAPES[place];
    Shape {
        kind: KINDS[codes as usize & 0xff],
        argument: ARGUMENTS[codes as usize >> 8 & 0xff],
        min: number(min),
        max: number(max),
        block_size: number(block).map_or(1, |block| block as u64),
        words: text(words, length),
        unit: UNITS[codes as usize >> 16],
    }
}

fn default(place: usize) -> Default {
    let [tag, a, b] = VALUES[place];
    Default::Value(match tag {
        1 => return Default::None,
        2 => return Default::Derived,
        3 => Value::Integer(NUMBERS[a as usize]),
        4 => Value::Real(f64::from_bits(u64::from(a) << 32 | u64::from(b))),
        5 => Value::Word(Cow::Borrowed(text(a, b))),
        6 => Value::Set(Cow::Borrowed(text(a, b))),
        7 => Value::Text(Cow::Borrowed(text(a, b).as_bytes())),
        _ => return Default::NotRecorded,
    })
}

pub fn history(id: OptionId, flavor: Flavor) -> Option<History> {
    let place = HISTORY_OF[usize::from(id.0) * 4 + flavor as usize];
    if place == NONE {
        return None;
    }
    let [introduced, introduced_by, deprecated, removed, removed_by, replacement, length] =
        HISTORIES[usize::from(place)];
    Some(History {
        introduced: since(introduced, introduced_by),
        deprecated: (deprecated != 0).then(|| Version::unpacked(deprecated)),
        removed: since(removed, removed_by),
        replaced_by: match (replacement, length) {
            (0, 0) => None,
            (id, 0) => Some(Replacement::Option(OptionId((id - 1) as u16))),
            (at, length) => Some(Replacement::Text(text(at, length))),
        },
    })
}

fn since(version: u32, by: u32) -> Option<Since> {
    match (version, by) {
        (0, 0) => None,
        (version, 0) => Some(Since::Exact(Version::unpacked(version))),
        (1, by) => Some(Since::Between { after: None, by: Version::unpacked(by) }),
        (after, by) => Some(Since::Between { after: Some(Version::unpacked(after)), by: Version::unpacked(by) }),
    }
}

/// What the name is, in a sentence or two; empty where nobody wrote it.
pub fn about(id: OptionId) -> &'static str {
    ABOUT_OF.binary_search_by_key(&u32::from(id.0), |[id, ..]| *id).map_or("", |place| {
        let [_, at, length] = ABOUT_OF[place];
        &ABOUTS[at as usize..(at + length) as usize]
    })
}

/// The versions of one flavor from which on something about the name is different; the first is 0.0.0.
pub fn changes(id: OptionId, flavor: Flavor) -> impl Iterator<Item = Version> {
    let place = usize::from(id.0) * 4 + flavor as usize;
    let steps = usize::from(STEP_AT[place])..usize::from(STEP_AT[place + 1]);
    STEP_VERSION[steps].iter().copied().map(Version::unpacked)
}

pub fn releases(flavor: Flavor) -> &'static [Version] {
    let place = flavor as usize;
    &RELEASES[usize::from(RELEASE_AT[place])..usize::from(RELEASE_AT[place + 1])]
}
