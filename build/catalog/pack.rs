//! Writes the compiled catalog as tables of numbers over one pool of text, so that nothing is built at start-up.

use super::timeline::{Default, Point, Since, State};
use super::{Catalog, Known};
use crate::server::{Flavor, Version};
use crate::value::{Argument, Kind, Unit, Value};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;
use std::path::Path;
use std::{fs, io};

/// No history; a record's own name as its variable.
const NONE: u16 = u16::MAX;

/// Things that are stored once.
struct Interned<T> {
    items: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn new() -> Self {
        Self { items: Vec::new(), places: HashMap::new() }
    }

    fn place(&mut self, item: T) -> u32 {
        let next = self.items.len();
        let place = *self.places.entry(item.clone()).or_insert(next);
        if place == next {
            self.items.push(item);
        }
        place as u32
    }
}

struct Packer {
    text: String,
    texts: HashMap<String, u32>,
    numbers: Interned<i128>,
    values: Interned<[u32; 3]>,
    shapes: Interned<[u32; 6]>,
    records: Interned<[u32; 4]>,
    kinds: Interned<Kind>,
    arguments: Interned<Argument>,
    units: Interned<Unit>,
}

impl Packer {
    fn text(&mut self, text: &str) -> u32 {
        if let Some(at) = self.texts.get(text) {
            return *at;
        }
        let at = self.text.len() as u32;
        self.text.push_str(text);
        self.texts.insert(text.to_owned(), at);
        at
    }

    fn number(&mut self, number: Option<i128>) -> u32 {
        number.map_or(0, |number| self.numbers.place(number) + 1)
    }

    fn value(&mut self, default: &Default) -> u32 {
        let packed = match default {
            Default::NotRecorded => [0, 0, 0],
            Default::None | Default::Value(Value::None) => [1, 0, 0],
            Default::Derived => [2, 0, 0],
            Default::Value(Value::Integer(number)) => [3, self.numbers.place(*number), 0],
            Default::Value(Value::Real(number)) => {
                let bits = number.to_bits();
                [4, (bits >> 32) as u32, bits as u32]
            }
            Default::Value(Value::Word(word)) => [5, self.text(word), word.len() as u32],
            Default::Value(Value::Set(members)) => [6, self.text(members), members.len() as u32],
            Default::Value(Value::Text(bytes)) => {
                let text = String::from_utf8_lossy(bytes);
                [7, self.text(&text), text.len() as u32]
            }
        };
        self.values.place(packed)
    }

    fn record(&mut self, id: usize, point: &Point) -> u32 {
        let variable = if usize::from(point.variable) == id { NONE } else { point.variable };
        let (global, session) = point.scope.unwrap_or((false, false));
        let state: u32 = match point.state {
            State::Absent => 0,
            State::Unknown => 1,
            State::Present => 2,
            State::NoEffect | State::Ignored => 3,
        };
        let flags = [
            state & 1 != 0,
            state & 2 != 0,
            point.warns,
            point.is_option,
            point.is_variable,
            point.dynamic.is_some(),
            point.dynamic == Some(true),
            global,
            session,
            point.read_only,
            point.deprecated,
            point.plugin_toggle,
            point.inverted,
            point.plugin,
            point.windows,
            point.warns_when_changed,
            point.state != State::Ignored,
        ];
        let flags = flags.iter().enumerate().fold(0, |bits, (bit, set)| bits | u32::from(*set) << bit);
        // Where there is no option, there is no shape.
        if point.state == State::Absent {
            return self.records.place([
                flags & 0b111_1111_1000_0000_0000 | flags & 0b11000,
                0,
                0,
                u32::from(variable),
            ]);
        }
        let codes = self.kinds.place(point.kind)
            | self.arguments.place(point.argument) << 8
            | self.units.place(point.unit) << 16;
        let words = self.text(&point.words);
        let (min, max) = (self.number(point.min), self.number(point.max));
        let block = self.number(Some(i128::from(point.block)));
        let shape = self.shapes.place([codes, words, point.words.len() as u32, min, max, block]);
        let (default, effective) = (self.value(&point.default), self.value(&point.effective));
        self.records.place([flags, shape, default | effective << 16, u32::from(variable)])
    }
}

impl Catalog {
    /// Writes `catalog_tables.rs` and `catalog_ids.rs`.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let mut packer = Packer {
            text: String::new(),
            texts: HashMap::new(),
            numbers: Interned::new(),
            values: Interned::new(),
            shapes: Interned::new(),
            records: Interned::new(),
            kinds: Interned::new(),
            arguments: Interned::new(),
            units: Interned::new(),
        };
        let mut names = String::new();
        let mut name_at = Vec::new();
        for option in &self.options {
            name_at.push(names.len() as u32);
            names.push_str(&option.name);
        }
        name_at.push(names.len() as u32);
        // Place 0 of each is what is recorded of nothing.
        packer.value(&Default::NotRecorded);
        let codes = packer.kinds.place(Kind::NotRecorded)
            | packer.arguments.place(Argument::NotRecorded) << 8
            | packer.units.place(Unit::Count) << 16;
        let block = packer.number(Some(1));
        packer.shapes.place([codes, 0, 0, 0, 0, block]);

        let (mut step_at, mut versions, mut records) = (vec![0_u32], Vec::new(), Vec::new());
        let (mut history_of, mut histories) = (Vec::new(), Interned::new());
        let mut aliases: Vec<Vec<u16>> = vec![Vec::new(); self.options.len()];
        for (id, option) in self.options.iter().enumerate() {
            for timeline in &option.flavors {
                history_of.push(match timeline {
                    Some(timeline) => {
                        for (version, point) in &timeline.steps {
                            versions.push(version.packed());
                            let others = &mut aliases[usize::from(point.variable)];
                            if usize::from(point.variable) != id && others.last() != Some(&(id as u16)) {
                                others.push(id as u16);
                            }
                            records.push(packer.record(id, point));
                        }
                        let history = self.history(&timeline.history, &mut packer);
                        histories.place(history)
                    }
                    None => u32::from(NONE),
                });
                step_at.push(versions.len() as u32);
            }
        }
        let mut alias_at = vec![0];
        for others in &aliases {
            alias_at.push(alias_at[alias_at.len() - 1] + others.len());
        }
        // Apart from the rest: only a page of an option reads them.
        let (mut abouts, mut about_of) = (String::new(), Vec::new());
        for (id, option) in self.options.iter().enumerate().filter(|(_, option)| !option.about.is_empty()) {
            about_of.push([id as u32, abouts.len() as u32, option.about.len() as u32]);
            abouts.push_str(&option.about);
        }
        let mut releases = Vec::new();
        let mut release_at = vec![0];
        for flavor in Flavor::ALL {
            releases.extend(self.releases(flavor).iter().copied());
            release_at.push(releases.len() as u32);
        }

        let mut file = String::new();
        numbers(&mut file, "NAME_AT", "u32", &name_at);
        numbers(&mut file, "STEP_AT", "u16", &step_at);
        numbers(&mut file, "STEP_VERSION", "u32", &versions);
        numbers(&mut file, "STEP_RECORD", "u16", &records);
        numbers(&mut file, "HISTORY_OF", "u16", &history_of);
        numbers(&mut file, "ALIAS_AT", "u16", &alias_at);
        numbers(&mut file, "ALIASES", "u16", &aliases.concat());
        rows(&mut file, "ABOUT_OF", &about_of);
        push(&mut file, format_args!("static ABOUTS: &str = {abouts:?};\n"));
        rows(&mut file, "HISTORIES", &histories.items);
        rows(&mut file, "RECORDS", &packer.records.items);
        rows(&mut file, "SHAPES", &packer.shapes.items);
        rows(&mut file, "VALUES", &packer.values.items);
        numbers(&mut file, "NUMBERS", "i128", &packer.numbers.items);
        numbers(&mut file, "RELEASE_AT", "u16", &release_at);
        variants(&mut file, "KINDS", "Kind", &packer.kinds.items);
        variants(&mut file, "ARGUMENTS", "Argument", &packer.arguments.items);
        variants(&mut file, "UNITS", "Unit", &packer.units.items);
        let shown: Vec<_> =
            releases.iter().map(|v| format!("Version::new({}, {}, {})", v.major, v.minor, v.patch)).collect();
        push(&mut file, format_args!("static RELEASES: [Version; {}] = [{}];\n", shown.len(), shown.join(", ")));
        push(&mut file, format_args!("static NAMES: &str = {names:?};\nstatic TEXT: &str = {:?};\n", packer.text));
        fs::write(out.join("catalog_tables.rs"), file)?;
        fs::write(out.join("catalog_ids.rs"), self.ids())
    }

    fn ids(&self) -> String {
        let mut file = String::new();
        for (id, Known { name, .. }) in self.options.iter().enumerate() {
            let constant = name.replace('.', "__").to_ascii_uppercase();
            push(&mut file, format_args!("#[doc = \"`{name}`\"]\npub const {constant}: OptionId = OptionId({id});\n"));
        }
        file
    }

    /// Introduced (two numbers), deprecated, removed (two numbers), replacement (id + 1 or text), length of that text.
    fn history(&self, history: &super::timeline::History, packer: &mut Packer) -> [u32; 7] {
        let [introduced, introduced_by] = since(history.introduced);
        let [removed, removed_by] = since(history.removed);
        let deprecated = history.deprecated.map_or(0, Version::packed);
        let (replacement, length) = match &history.replaced_by {
            None => (0, 0),
            Some(name) => match self.lookup(name) {
                Some((id, _)) => (u32::from(id) + 1, 0),
                None => (packer.text(name), name.len() as u32),
            },
        };
        [introduced, introduced_by, deprecated, removed, removed_by, replacement, length]
    }
}

/// Exact: the version and 0; between two: the last without (1 when unknown) and the first with it.
fn since(since: Option<Since>) -> [u32; 2] {
    match since {
        None => [0, 0],
        Some(Since::Exact(version)) => [version.packed(), 0],
        Some(Since::Between(after, by)) => [after.map_or(1, Version::packed), by.packed()],
    }
}

fn push(file: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = file.write_fmt(text);
}

fn numbers<T: std::fmt::Display>(file: &mut String, name: &str, kind: &str, items: &[T]) {
    push(file, format_args!("static {name}: [{kind}; {}] = [", items.len()));
    for item in items {
        push(file, format_args!("{item},"));
    }
    file.push_str("];\n");
}

fn rows<const N: usize>(file: &mut String, name: &str, items: &[[u32; N]]) {
    push(file, format_args!("static {name}: [[u32; {N}]; {}] = {items:?};\n", items.len()));
}

fn variants<T: std::fmt::Debug>(file: &mut String, name: &str, kind: &str, items: &[T]) {
    let shown: Vec<_> = items.iter().map(|item| format!("{kind}::{item:?}")).collect();
    push(file, format_args!("static {name}: [{kind}; {}] = [{}];\n", items.len(), shown.join(", ")));
}
