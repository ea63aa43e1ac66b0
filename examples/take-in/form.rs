//! The files of `catalog/` as lines that can be changed in place: comments, order and form stay.

use cnflint::server::{Flavor, Version};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Attributes of an option by their names in the catalog: `type`, `min`, `default` …, as they are written there.
pub type Attributes = BTreeMap<String, String>;

/// Every file of the catalog.
pub struct Form {
    pub files: Vec<File>,
    releases: (PathBuf, Vec<String>),
}

/// One file, cut before every name.
pub struct File {
    path: PathBuf,
    preface: Vec<String>,
    pub names: Vec<Name>,
}

/// A name with what stands below it.
pub struct Name {
    pub name: String,
    /// The name itself and its `about`.
    head: Vec<String>,
    pub records: Vec<Record>,
}

/// What stands below one flavor, its heading first.
pub struct Record {
    pub flavor: Flavor,
    pub lines: Vec<String>,
}

impl Form {
    /// Reads a catalog's directory.
    pub fn read(dir: &Path) -> io::Result<Self> {
        let mut paths: Vec<_> = fs::read_dir(dir)?.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "options"));
        paths.sort();
        let files = paths.into_iter().map(File::read).collect::<io::Result<_>>()?;
        let releases = dir.join("releases");
        let lines = lines_of(&releases)?;
        Ok(Self { files, releases: (releases, lines) })
    }

    /// Writes it back.
    pub fn write(&self) -> io::Result<()> {
        self.files.iter().try_for_each(File::write)?;
        fs::write(&self.releases.0, joined(&self.releases.1))
    }

    /// The releases of a flavor that were looked at, oldest first.
    pub fn releases(&self, flavor: Flavor) -> Vec<Version> {
        let line = self.releases.1.iter().find_map(|line| line.strip_prefix(flavor.name())?.strip_prefix(' '));
        line.unwrap_or_default().split(' ').filter_map(Version::parse).collect()
    }

    /// Adds a release, or takes it out.
    pub fn set_release(&mut self, flavor: Flavor, version: Version, listed: bool) {
        let mut releases = self.releases(flavor);
        releases.retain(|other| *other != version);
        if listed {
            releases.push(version);
            releases.sort();
        }
        let shown: Vec<_> = releases.iter().map(Version::to_string).collect();
        let beginning = format!("{} ", flavor.name());
        if let Some(line) = self.releases.1.iter_mut().find(|line| line.starts_with(&beginning)) {
            *line = beginning + &shown.join(" ");
        }
    }

    /// Every record of a flavor with its name.
    pub fn records(&mut self, flavor: Flavor) -> impl Iterator<Item = (&str, &mut Record)> {
        self.files.iter_mut().flat_map(|file| &mut file.names).flat_map(move |name| {
            let Name { name, records, .. } = name;
            records.iter_mut().filter(move |record| record.flavor == flavor).map(|record| (name.as_str(), record))
        })
    }

    /// Adds a record; a new name goes into the file of the names that are most like it, in the order of the alphabet.
    pub fn add(&mut self, name: &str, record: Record) {
        if let Some(known) = self.files.iter_mut().flat_map(|file| &mut file.names).find(|known| known.name == name) {
            // Flavors stand in one order everywhere; a blank line stays the last.
            let blank = known.records.last_mut().and_then(|last| last.lines.pop_if(|line| line.is_empty()));
            let at = known.records.partition_point(|other| other.flavor < record.flavor);
            known.records.insert(at, record);
            if let Some(last) = known.records.last_mut() {
                last.lines.extend(blank);
            }
            return;
        }
        let alike = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        let nearest = |file: &File| file.names.iter().map(|known| alike(&known.name)).max().unwrap_or(0);
        let Some(file) = self.files.iter_mut().max_by_key(|file| nearest(file)) else { return };
        let at = file.names.partition_point(|known| known.name.as_str() < name);
        if let Some(before) = at.checked_sub(1).and_then(|at| file.names[at].records.last_mut())
            && before.lines.last().is_some_and(|line| !line.is_empty())
        {
            before.lines.push(String::new());
        }
        let mut record = record;
        if at < file.names.len() {
            record.lines.push(String::new());
        }
        file.names.insert(at, Name { name: name.to_owned(), head: vec![name.to_owned()], records: vec![record] });
    }
}

impl File {
    fn read(path: PathBuf) -> io::Result<Self> {
        let mut file = Self { preface: Vec::new(), names: Vec::new(), path };
        for line in lines_of(&file.path)? {
            let depth = line.len() - line.trim_start_matches(' ').len();
            let is_text = !line.is_empty() && !line.starts_with('#');
            let flavor = line.split_whitespace().next().and_then(Flavor::from_name).filter(|_| is_text && depth == 2);
            match (file.names.last_mut(), flavor) {
                (_, None) if is_text && depth == 0 => {
                    let name = line.trim_end().to_owned();
                    file.names.push(Name { name, head: vec![line], records: Vec::new() });
                }
                (Some(name), Some(flavor)) => name.records.push(Record { flavor, lines: vec![line] }),
                (Some(name), None) => match name.records.last_mut() {
                    Some(record) => record.lines.push(line),
                    None => name.head.push(line),
                },
                (None, _) => file.preface.push(line),
            }
        }
        Ok(file)
    }

    fn write(&self) -> io::Result<()> {
        let records = |name: &Name| name.records.iter().flat_map(|record| record.lines.clone()).collect::<Vec<_>>();
        let below = self.names.iter().flat_map(|name| name.head.iter().cloned().chain(records(name)));
        fs::write(&self.path, joined(&self.preface.iter().cloned().chain(below).collect::<Vec<_>>()))
    }
}

fn lines_of(path: &Path) -> io::Result<Vec<String>> {
    Ok(fs::read_to_string(path)?.lines().map(str::to_owned).collect())
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

impl Record {
    /// Whether the heading has this mark.
    pub fn has_mark(&self, mark: &str) -> bool {
        self.lines[0].split(' ').any(|word| word == mark)
    }

    /// Whether documents, too, know the name in this flavor.
    pub fn is_documented(&self) -> bool {
        ["documented ", "always "].iter().any(|word| self.fact(word).is_some())
    }

    fn fact(&self, word: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.strip_prefix("    ").is_some_and(|line| line.starts_with(word)))
    }

    /// What was seen, in order: `present`, first and last release.
    pub fn seen(&self) -> Vec<(String, Version, Version)> {
        let Some(line) = self.fact("seen ").map(|at| &self.lines[at]["    seen ".len()..]) else { return Vec::new() };
        let part = |part: &str| {
            let (state, versions) = part.trim().split_once(' ')?;
            let (from, to) = ends(versions)?;
            Some((state.to_owned(), from, to))
        };
        line.split(',').filter_map(part).collect()
    }

    /// Writes what was seen.
    pub fn set_seen(&mut self, seen: &[(String, Version, Version)]) {
        let parts: Vec<_> = seen.iter().map(|(state, from, to)| format!("{state} {}", range(*from, *to))).collect();
        let line = format!("    seen {}", parts.join(", "));
        match (self.fact("seen "), seen.is_empty()) {
            (Some(at), false) => self.lines[at] = line,
            (Some(at), true) => drop(self.lines.remove(at)),
            (None, false) => self.lines.insert(1, line),
            (None, true) => {}
        }
    }

    /// The lines of attributes that releases were seen to have: place, first and last release, attributes as written.
    pub fn steps(&self) -> Vec<(usize, Version, Version, String)> {
        let step = |(at, line): (usize, &String)| {
            let (versions, attributes) = line.strip_prefix("    ")?.split_once(' ')?;
            let (from, to) = ends(versions)?;
            Some((at, from, to, attributes.trim_start().to_owned()))
        };
        self.lines.iter().enumerate().skip(1).filter_map(step).collect()
    }

    /// What holds after all steps, those of documents included.
    pub fn attributes(&self) -> Attributes {
        let mut all = Attributes::new();
        for line in self.lines.iter().skip(1).filter_map(|line| line.strip_prefix("    ")) {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            let written = match word {
                "since" => rest.trim_start().split_once(' ').map_or("", |(_, rest)| rest),
                "always" => rest,
                _ if ends(word).is_some() => rest,
                _ => continue,
            };
            for (name, value) in pairs(written) {
                let is_new_type =
                    name == "type" && all.get("type").is_some_and(|old| is_number(old) != is_number(&value));
                if is_new_type {
                    all.retain(|name, _| !["min", "max", "block"].contains(&name.as_str()));
                }
                all.insert(name, value);
            }
        }
        all
    }

    /// Lets the last line of attributes reach to a release, or adds one with what changed.
    pub fn add_step(&mut self, version: Version, changed: &Attributes) {
        let steps = self.steps();
        match steps.last() {
            Some((at, from, _, attributes)) if changed.is_empty() => {
                self.lines[*at] = step_line(*from, version, attributes);
            }
            None if changed.is_empty() => {}
            last => {
                let before = ["source", "note", "effective"].iter().filter_map(|word| self.fact(word)).min();
                let since = self.lines.iter().rposition(|line| line.starts_with("    since "));
                let at = last.map(|step| step.0).max(since).map(|at| at + 1).or(before).unwrap_or(self.lines.len());
                self.lines.insert(at, step_line(version, version, &written(changed)));
            }
        }
    }

    /// Names another source, where it is not yet named.
    pub fn add_source(&mut self, source: &str) {
        match self.fact("source ") {
            None => self.lines.push(format!("    source {source}")),
            Some(at) => {
                let mut sources: Vec<_> =
                    self.lines[at]["    source ".len()..].split("; ").map(str::to_owned).collect();
                if !sources.iter().any(|known| known == source) {
                    sources.push(source.to_owned());
                    sources.sort();
                    self.lines[at] = format!("    source {}", sources.join("; "));
                }
            }
        }
    }
}

/// A line of attributes.
pub fn step_line(from: Version, to: Version, attributes: &str) -> String {
    format!("    {:<16} {attributes}", range(from, to))
}

/// Attributes as a line has them, in the order of the catalog.
pub fn written(attributes: &Attributes) -> String {
    const ORDER: [&str; 8] = ["type", "words", "min", "max", "block", "default", "scope", "dynamic"];
    let pair = |name: &str| attributes.get(name).map(|value| format!("{name}={value}"));
    ORDER.into_iter().filter_map(pair).collect::<Vec<_>>().join(" ")
}

/// `8.0.30..9.7.4`, or `9.7.4`.
pub fn range(from: Version, to: Version) -> String {
    if from == to { from.to_string() } else { format!("{from}..{to}") }
}

fn ends(text: &str) -> Option<(Version, Version)> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    Some((Version::parse(from)?, Version::parse(to)?))
}

fn is_number(kind: &str) -> bool {
    ["signed", "unsigned", "real"].contains(&kind)
}

/// `name=value` by `name=value`; a value in double quotes may hold blanks.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let end = if after.starts_with('"') {
            let mut escaped = false;
            let closes = |(at, c): (usize, char)| {
                let closes = c == '"' && !escaped && at > 0;
                escaped = c == '\\' && !escaped;
                closes.then_some(at + 1)
            };
            after.char_indices().find_map(closes).unwrap_or(after.len())
        } else {
            after.find(' ').unwrap_or(after.len())
        };
        pairs.push((name.to_owned(), after[..end].to_owned()));
        rest = after[end..].trim_start();
    }
    pairs
}
