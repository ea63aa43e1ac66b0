//! Packs what client and helper programs know (`catalog/clients`) into tables of numbers over one pool of text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::server::{Flavor, Version};

/// The bit of an option that only some builds know: those for Windows, or for debugging.
const SOME_BUILDS: u16 = 1 << 14;
/// The bit of an option that every build of Percona knows.
const PERCONA: u16 = 1 << 15;
/// How many observed versions fit beside the two bits above.
const MAX_SEEN: usize = 14;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    program: Vec<Program>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    name: String,
    until_10_5: Option<String>,
    gone: Option<Spanned<String>>,
    ignores_unknown: Option<Spanned<String>>,
    spelling: Option<Spanned<String>>,
    complete: Option<bool>,
    #[serde(default)]
    groups: Vec<String>,
    #[serde(default)]
    seen: Vec<Spanned<String>>,
    options: BTreeMap<String, Spanned<String>>,
}

/// A program as it is packed: its options by name, with the versions that know them as bits.
struct Packed {
    flavor: Flavor,
    name: String,
    until_10_5: String,
    groups: Vec<String>,
    seen: Vec<u32>,
    options: BTreeMap<String, u16>,
    gone: u32,
    ignores_unknown_from: u32,
    exact_spelling: bool,
    complete: bool,
}

/// Reads `mysql.toml`, `mariadb.toml` and `percona.toml` of `source_dir` and writes `clients.rs` to `out_dir`.
///
/// # Errors
/// One line for every fault, as `path:line:column: message`.
pub fn write(source_dir: &Path, out_dir: &Path) -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    let mut programs = Vec::new();
    for (flavor, file) in
        [(Flavor::Mysql, "mysql.toml"), (Flavor::Mariadb, "mariadb.toml"), (Flavor::Percona, "percona.toml")]
    {
        let path = source_dir.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                faults.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let mut reader = Reader { path: &path, text: &text, faults: &mut faults };
        match toml::from_str::<Source>(&text) {
            Ok(source) if flavor == Flavor::Percona => reader.add_percona(source, &mut programs),
            Ok(source) => programs.extend(source.program.into_iter().map(|program| reader.pack(flavor, program))),
            Err(error) => reader.fault(error.span().map_or(0, |span| span.start), error.message()),
        }
    }
    if faults.is_empty() {
        let path = out_dir.join("clients.rs");
        fs::write(&path, tables(&programs)).map_err(|error| vec![format!("{}: {error}", path.display())])
    } else {
        Err(faults)
    }
}

/// One file while it is read.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    faults: &'a mut Vec<String>,
}

impl Reader<'_> {
    fn fault(&mut self, at: usize, message: &str) {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        self.faults.push(format!("{}:{line}:{column}: {message}", self.path.display()));
    }

    fn pack(&mut self, flavor: Flavor, program: Program) -> Packed {
        let seen: Vec<u32> = program.seen.iter().map(|version| self.version(version, version.get_ref())).collect();
        if seen.len() > MAX_SEEN || !seen.is_sorted_by(|a, b| a < b) {
            let at = program.seen.first().map_or(0, |version| version.span().start);
            self.fault(at, &format!("`seen` of {} takes at most {MAX_SEEN} versions, rising", program.name));
        }
        if program.groups.is_empty() {
            self.fault(0, &format!("{} reads no group", program.name));
        }
        let written: Vec<&str> = program.seen.iter().map(|version| version.get_ref().as_str()).collect();
        let options =
            program.options.iter().map(|(name, words)| (name.clone(), self.option(name, words, &written))).collect();
        Packed {
            flavor,
            until_10_5: program.until_10_5.unwrap_or_else(|| program.name.clone()),
            name: program.name,
            groups: program.groups,
            seen,
            options,
            gone: program.gone.map_or(u32::MAX, |gone| self.version(&gone, gone.get_ref())),
            ignores_unknown_from: program.ignores_unknown.map_or(u32::MAX, |from| match from.get_ref().as_str() {
                "always" => 0,
                text => self.version(&from, text.strip_prefix("from ").unwrap_or(text)),
            }),
            exact_spelling: program.spelling.is_some_and(|spelling| {
                if spelling.get_ref() != "exact" {
                    self.fault(spelling.span().start, "`spelling` is \"exact\" or left out");
                }
                true
            }),
            complete: program.complete.unwrap_or(true),
        }
    }

    fn add_percona(&mut self, source: Source, programs: &mut [Packed]) {
        for program in source.program {
            let Some(base) = programs.iter_mut().find(|base| base.flavor == Flavor::Mysql && base.name == program.name)
            else {
                self.fault(0, &format!("mysql.toml has no program {}", program.name));
                continue;
            };
            for (name, words) in &program.options {
                self.option(name, words, &[]);
                *base.options.entry(name.clone()).or_default() |= PERCONA;
            }
        }
    }

    /// Reads `required, 5.6.23-8.0.25 9.7.4-`: what follows the name, then the observed versions that know the option.
    fn option(&mut self, name: &str, words: &Spanned<String>, seen: &[&str]) -> u16 {
        let at = words.span().start;
        if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            self.fault(at, &format!("`{name}`: names are written in lower case with dashes"));
        }
        let (argument, versions) = words.get_ref().split_once(", ").unwrap_or((words.get_ref(), ""));
        if !["none", "optional", "required"].contains(&argument) {
            self.fault(at, &format!("`{name}` takes an argument: none, optional or required, not `{argument}`"));
        }
        let all = (1 << seen.len()) - 1;
        match versions {
            "" => all,
            "some builds" => SOME_BUILDS,
            ranges => ranges.split(' ').fold(0, |bits, range| bits | self.range(at, name, range, seen)),
        }
    }

    fn range(&mut self, at: usize, name: &str, range: &str, seen: &[&str]) -> u16 {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let last = if last.is_empty() { seen.last().copied().unwrap_or_default() } else { last };
        let position = |version: &str| seen.iter().position(|other| *other == version);
        match (position(first), position(last)) {
            (Some(first), Some(last)) if first <= last => (first..=last).fold(0, |bits, index| bits | 1 << index),
            _ => {
                self.fault(at, &format!("`{name}`: {range} is no range of versions listed in `seen`"));
                0
            }
        }
    }

    fn version(&mut self, place: &Spanned<String>, text: &str) -> u32 {
        Version::parse(text).map_or_else(
            || {
                self.fault(place.span().start, &format!("`{text}` is no version"));
                0
            },
            Version::packed,
        )
    }
}

/// The generated source: every text is an index into `STARTS`, which cuts `POOL` into words.
fn tables(programs: &[Packed]) -> String {
    let words: BTreeSet<&str> = programs
        .iter()
        .flat_map(|program| {
            [&program.name, &program.until_10_5].into_iter().chain(&program.groups).chain(program.options.keys())
        })
        .map(String::as_str)
        .collect();
    let index: BTreeMap<&str, usize> = words.iter().enumerate().map(|(index, word)| (*word, index)).collect();
    let pool: String = words.iter().copied().collect();
    let mut starts = vec![0];
    for word in &words {
        starts.push(starts[starts.len() - 1] + word.len());
    }
    let (mut groups, mut seen, mut options): (Vec<usize>, Vec<u32>, Vec<[usize; 2]>) = Default::default();
    let mut rows = String::new();
    for program in programs {
        let group_start = groups.len();
        let seen_start = seen.len();
        let option_start = options.len();
        groups.extend(program.groups.iter().map(|group| index[group.as_str()]));
        seen.extend(&program.seen);
        options.extend(program.options.iter().map(|(name, bits)| [index[name.as_str()], usize::from(*bits)]));
        // Writing to a String cannot fail.
        let _ = writeln!(
            rows,
            "    Program {{ mariadb: {}, name: {}, until_10_5: {}, groups: [{group_start}, {}], seen: [{seen_start}, {}], \
             options: [{option_start}, {}], gone: {}, ignores_unknown_from: {}, exact_spelling: {}, complete: {} }},",
            program.flavor == Flavor::Mariadb,
            index[program.name.as_str()],
            index[program.until_10_5.as_str()],
            groups.len(),
            seen.len(),
            options.len(),
            program.gone,
            program.ignores_unknown_from,
            program.exact_spelling,
            program.complete,
        );
    }
    format!(
        "const SOME_BUILDS: u16 = {SOME_BUILDS};\nconst PERCONA: u16 = {PERCONA};\nstatic POOL: &str = {pool:?};\n\
         static STARTS: [u16; {}] = {starts:?};\nstatic GROUPS: [u16; {}] = {groups:?};\n\
         static SEEN: [u32; {}] = {seen:?};\nstatic OPTIONS: [[u16; 2]; {}] = {options:?};\n\
         static PROGRAMS: [Program; {}] = [\n{rows}];\n",
        starts.len(),
        groups.len(),
        seen.len(),
        options.len(),
        programs.len(),
    )
}
