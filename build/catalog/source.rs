//! Reads the line format of `catalog/*.options`; `catalog/README.md` describes it.

use crate::server::{Flavor, Version};
use crate::value::{Argument, Kind, Unit};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Everything that the files say.
#[derive(Default)]
pub struct Source {
    pub options: BTreeMap<String, Vec<Record>>,
    /// What the option is, in a sentence or two.
    pub abouts: BTreeMap<String, String>,
    pub releases: BTreeMap<usize, Vec<Version>>,
}

/// One option in one flavor.
pub struct Record {
    pub flavor: Flavor,
    /// `path:line` of its heading.
    pub place: String,
    pub is_option: bool,
    pub is_variable: bool,
    pub argument: Argument,
    pub unit: Unit,
    pub plugin_toggle: bool,
    pub plugin: bool,
    pub read_only: bool,
    pub windows: bool,
    pub sets: Option<(String, bool)>,
    pub seen: Vec<Seen>,
    pub documented: Vec<Version>,
    pub introduced: Option<Version>,
    pub deprecated: Option<Version>,
    /// Whether servers that call it deprecated say so when they start.
    pub warns: Vec<(Warns, Version)>,
    pub removed: Option<Version>,
    pub replaced_by: Option<String>,
    pub steps: Vec<Step>,
    pub effective: Vec<(Version, Literal)>,
    pub has_source: bool,
}

/// An observation: what releases from one to another made of the name.
#[derive(Clone, Copy)]
pub struct Seen {
    pub state: SeenState,
    pub from: Version,
    pub to: Version,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SeenState {
    Absent,
    Present,
    Ignored {
        warns: bool,
    },
    /// Taken and judged like any option, and nothing comes of it; `warns` of the record says whether the server tells.
    NoEffect,
}

/// When a server warns about a name that it calls deprecated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Warns {
    Never,
    Always,
    WhenChanged,
}

/// Attributes that hold from a release on.
pub struct Step {
    pub from: Version,
    /// The last release in which they were observed; equal to `from` when the change is documented.
    pub to: Version,
    /// The release of the change is known exactly.
    pub exact: bool,
    pub kind: Option<Kind>,
    pub words: Option<String>,
    pub min: Option<Number>,
    pub max: Option<Number>,
    pub block: Option<u64>,
    pub default: Option<Literal>,
    pub scope: Option<(bool, bool)>,
    pub dynamic: Option<bool>,
    /// Another form than the heading says.
    pub argument: Option<Argument>,
}

impl Step {
    const fn new(from: Version, to: Version, exact: bool) -> Self {
        Self {
            from,
            to,
            exact,
            kind: None,
            words: None,
            min: None,
            max: None,
            block: None,
            default: None,
            scope: None,
            dynamic: None,
            argument: None,
        }
    }
}

/// A bound of a range. Bounds of real numbers are rounded outward.
pub type Number = i128;

/// A default as written; what it is depends on the kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    None,
    Derived,
    Text(String),
}

/// One line cut into words, with the place of each for messages.
struct Line<'a> {
    path: &'a str,
    number: usize,
    text: &'a str,
    at: usize,
}

type Result<T> = std::result::Result<T, String>;

impl<'a> Line<'a> {
    fn error<T>(&self, at: usize, message: impl std::fmt::Display) -> Result<T> {
        Err(format!("{}:{}:{}: {message}", self.path, self.number, at + 1))
    }

    fn skip_blanks(&mut self) {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start_matches(' ').len();
    }

    /// The next word up to a blank, and where it starts.
    fn word(&mut self) -> Option<(usize, &'a str)> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let end = rest.find(' ').unwrap_or(rest.len());
        let start = self.at;
        self.at += end;
        (end > 0).then_some((start, &rest[..end]))
    }

    fn rest(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        self.at = self.text.len();
        rest
    }

    fn need(&mut self, what: &str) -> Result<(usize, &'a str)> {
        match self.word() {
            Some(word) => Ok(word),
            None => self.error(self.text.len(), format_args!("{what} is missing")),
        }
    }

    fn version(&self, at: usize, text: &str) -> Result<Version> {
        match Version::parse(text) {
            Some(version) => Ok(version),
            None => self.error(at, format_args!("`{text}` is no version")),
        }
    }

    fn versions(&self, at: usize, text: &str) -> Result<(Version, Version)> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let range = (self.version(at, from)?, self.version(at, to)?);
        if range.0 > range.1 { self.error(at, "the range ends before it begins") } else { Ok(range) }
    }

    /// A value: a bare word, or text in double quotes with `\\`, `\"`, `\n`, `\t`.
    fn value(&mut self) -> Result<String> {
        let rest = &self.text[self.at..];
        if !rest.starts_with('"') {
            return Ok(self.word().map_or_else(String::new, |(_, word)| word.to_owned()));
        }
        let start = self.at;
        let mut out = String::new();
        let mut chars = rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + at + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, c @ ('\\' | '"'))) => out.push(c),
                    _ => return self.error(start + at, "unknown escape"),
                },
                c => out.push(c),
            }
        }
        self.error(start, "the quote is not closed")
    }

    fn literal(&mut self) -> Result<Literal> {
        let quoted = self.text[self.at..].starts_with('"');
        let value = self.value()?;
        Ok(match value.as_str() {
            "none" if !quoted => Literal::None,
            "derived" if !quoted => Literal::Derived,
            _ => Literal::Text(value),
        })
    }
}

/// Reads `releases` and every `*.options` file.
pub fn read(dir: &Path) -> std::result::Result<Source, Vec<String>> {
    let mut source = Source::default();
    let mut errors = Vec::new();
    let mut paths: Vec<_> = match fs::read_dir(dir) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => return Err(vec![format!("{}: {error}", dir.display())]),
    };
    paths.sort();
    for path in paths {
        let is_options = path.extension().is_some_and(|extension| extension == "options");
        if !is_options && path.file_name().is_none_or(|name| name != "releases") {
            continue;
        }
        let shown = path.display().to_string();
        match fs::read_to_string(&path) {
            Err(error) => errors.push(format!("{shown}: {error}")),
            Ok(text) if is_options => read_options(&shown, &text, &mut source, &mut errors),
            Ok(text) => read_releases(&shown, &text, &mut source, &mut errors),
        }
    }
    if errors.is_empty() { Ok(source) } else { Err(errors) }
}

fn lines<'a>(path: &'a str, text: &'a str) -> impl Iterator<Item = Line<'a>> {
    let lines = text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'));
    lines.map(move |(index, text)| Line { path, number: index + 1, text, at: 0 })
}

fn read_releases(path: &str, text: &str, source: &mut Source, errors: &mut Vec<String>) {
    for mut line in lines(path, text) {
        let read = || {
            let (at, word) = line.need("the flavor")?;
            let Some(flavor) = Flavor::from_name(word) else { return line.error(at, "no flavor has this name") };
            let mut releases = Vec::new();
            while let Some((at, word)) = line.word() {
                releases.push(line.version(at, word)?);
            }
            source.releases.insert(flavor as usize, releases);
            Ok(())
        };
        errors.extend(call(read).err());
    }
}

fn call<T>(f: impl FnOnce() -> Result<T>) -> Result<T> {
    f()
}

fn read_options(path: &str, text: &str, source: &mut Source, errors: &mut Vec<String>) {
    let mut current = String::new();
    for mut line in lines(path, text) {
        let depth = line.text.len() - line.text.trim_start_matches(' ').len();
        let result = match depth {
            0 => {
                let name = line.text.trim_end();
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.';
                if !name.chars().all(plain) {
                    line.error(0, "a name has only lower-case letters, digits, `_` and `.`")
                } else if source.options.contains_key(name) {
                    line.error(0, "this name has been described before")
                } else {
                    name.clone_into(&mut current);
                    source.options.insert(current.clone(), Vec::new());
                    Ok(())
                }
            }
            2 if line.text[2..].starts_with("about ") => read_about(&mut line, &current, source),
            2 => read_heading(&mut line).and_then(|record| {
                let Some(records) = source.options.get_mut(&current) else {
                    return line.error(2, "a flavor without a name above it");
                };
                if records.iter().any(|other| other.flavor == record.flavor) {
                    return line.error(2, "this flavor has been described before");
                }
                records.push(record);
                Ok(())
            }),
            4 => match source.options.get_mut(&current).and_then(|records| records.last_mut()) {
                Some(record) => read_fact(&mut line, record),
                None => line.error(4, "a fact without a flavor above it"),
            },
            _ => line.error(depth, "a line starts with 0 (name), 2 (flavor, `about`) or 4 (fact) blanks"),
        };
        errors.extend(result.err());
    }
}

/// `about The largest number of connections …`; several lines make one text.
fn read_about(line: &mut Line<'_>, name: &str, source: &mut Source) -> Result<()> {
    if source.options.get(name).is_none_or(|records| !records.is_empty()) {
        return line.error(2, "`about` stands between the name and its first flavor");
    }
    line.at += "  about ".len();
    let text = source.abouts.entry(name.to_owned()).or_default();
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line.rest());
    Ok(())
}

/// `mysql both argument=required unit=bytes plugin`
fn read_heading(line: &mut Line<'_>) -> Result<Record> {
    let (at, word) = line.need("the flavor")?;
    let Some(flavor) = Flavor::from_name(word) else { return line.error(at, "no flavor has this name") };
    let (at, word) = line.need("`option`, `variable` or `both`")?;
    let (is_option, is_variable) = match word {
        "option" => (true, false),
        "variable" => (false, true),
        "both" => (true, true),
        _ => return line.error(at, "`option`, `variable` or `both` must follow the flavor"),
    };
    let mut record = Record {
        flavor,
        place: format!("{}:{}", line.path, line.number),
        is_option,
        is_variable,
        argument: Argument::NotRecorded,
        unit: Unit::Count,
        plugin_toggle: false,
        plugin: false,
        read_only: false,
        windows: false,
        sets: None,
        seen: Vec::new(),
        documented: Vec::new(),
        introduced: None,
        deprecated: None,
        warns: Vec::new(),
        removed: None,
        replaced_by: None,
        steps: Vec::new(),
        effective: Vec::new(),
        has_source: false,
    };
    while let Some((at, word)) = line.word() {
        match word {
            "plugin-toggle" => record.plugin_toggle = true,
            "plugin" => record.plugin = true,
            "read-only" => record.read_only = true,
            "windows" => record.windows = true,
            "argument=none" => record.argument = Argument::None,
            "argument=optional" => record.argument = Argument::Optional,
            "argument=required" => record.argument = Argument::Required,
            "unit=bytes" => record.unit = Unit::Bytes,
            "unit=mebibytes" => record.unit = Unit::Mebibytes,
            "unit=seconds" => record.unit = Unit::Seconds,
            "unit=milliseconds" => record.unit = Unit::Milliseconds,
            "unit=microseconds" => record.unit = Unit::Microseconds,
            "unit=minutes" => record.unit = Unit::Minutes,
            _ => return line.error(at, format_args!("unknown mark `{word}`")),
        }
    }
    Ok(record)
}

fn read_fact(line: &mut Line<'_>, record: &mut Record) -> Result<()> {
    let (at, word) = line.need("a fact")?;
    match word {
        "seen" => read_seen(line, record)?,
        "warns" => read_warns(line, record)?,
        "documented" => {
            while let Some((at, word)) = line.word() {
                record.documented.push(line.version(at, word)?);
            }
        }
        "introduced" | "deprecated" | "removed" => {
            let (at, text) = line.need("the version")?;
            let version = Some(line.version(at, text)?);
            match word {
                "introduced" => record.introduced = version,
                "removed" => record.removed = version,
                _ => record.deprecated = version,
            }
            match line.word() {
                None | Some((_, "at-the-latest")) => {}
                Some((at, _)) => return line.error(at, "only `at-the-latest` may follow the version"),
            }
        }
        "replaced-by" => record.replaced_by = Some(line.rest().to_owned()),
        "sets" => {
            let rest = line.rest();
            let name = rest.strip_prefix("not ").unwrap_or(rest);
            record.sets = Some((name.to_owned(), name.len() != rest.len()));
        }
        "effective" => {
            let (at, word) = line.need("a version or `derived`")?;
            if word == "derived" {
                record.effective.push((Version::new(0, 0, 0), Literal::Derived));
            } else {
                let version = line.version(at, word)?;
                line.skip_blanks();
                record.effective.push((version, line.literal()?));
            }
        }
        "source" => record.has_source = !line.rest().is_empty(),
        "note" => {
            line.rest();
        }
        "since" => {
            let (at, word) = line.need("the version")?;
            let from = line.version(at, word)?;
            read_step(line, at, Step::new(from, from, true), record)?;
        }
        "always" => {
            let start = Version::new(0, 0, 0);
            read_step(line, at, Step::new(start, start, true), record)?;
        }
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
            let (from, to) = line.versions(at, word)?;
            read_step(line, at, Step::new(from, to, false), record)?;
        }
        _ => return line.error(at, format_args!("unknown fact `{word}`")),
    }
    match line.word() {
        Some((at, word)) => line.error(at, format_args!("`{word}` is too much")),
        None => Ok(()),
    }
}

/// `seen absent 5.1.72, present 5.5.8..9.7.4`
fn read_seen(line: &mut Line<'_>, record: &mut Record) -> Result<()> {
    while let Some((at, word)) = line.word() {
        let state = match word {
            "absent" => SeenState::Absent,
            "present" => SeenState::Present,
            "ignored" => SeenState::Ignored { warns: true },
            "ignored-silently" => SeenState::Ignored { warns: false },
            "no-effect" => SeenState::NoEffect,
            _ => {
                let words = "`absent`, `present`, `no-effect`, `ignored` or `ignored-silently` must stand here";
                return line.error(at, words);
            }
        };
        let (at, word) = line.need("the versions")?;
        let (from, to) = line.versions(at, word.trim_end_matches(','))?;
        if record.seen.last().is_some_and(|last| last.to > from) {
            return line.error(at, "observations must stand in the order of their versions");
        }
        record.seen.push(Seen { state, from, to });
    }
    Ok(())
}

/// `warns never 10.5.23..10.11.19, always 11.8.9`
fn read_warns(line: &mut Line<'_>, record: &mut Record) -> Result<()> {
    while let Some((at, word)) = line.word() {
        let warns = match word {
            "never" => Warns::Never,
            "always" => Warns::Always,
            "when-changed" => Warns::WhenChanged,
            _ => return line.error(at, "`never`, `always` or `when-changed` must stand here"),
        };
        let (at, word) = line.need("the versions")?;
        let (from, to) = line.versions(at, word.trim_end_matches(','))?;
        if record.warns.last().is_some_and(|last| last.1 >= from) || to < from {
            return line.error(at, "observations must stand in the order of their versions");
        }
        record.warns.push((warns, from));
    }
    Ok(())
}

/// `type=unsigned min=1 max=8 block=1 words=a,b default=4 scope=global+session dynamic=yes`
fn read_step(line: &mut Line<'_>, place: usize, mut step: Step, record: &mut Record) -> Result<()> {
    loop {
        line.skip_blanks();
        let at = line.at;
        let rest = &line.text[at..];
        if rest.is_empty() {
            break;
        }
        let Some(equals) = rest.find('=') else { return line.error(at, "`name=value` must stand here") };
        line.at += equals + 1;
        match &rest[..equals] {
            "type" => step.kind = Some(read_kind(line)?),
            "words" => step.words = Some(line.value()?),
            "min" => step.min = Some(read_bound(line, f64::floor)?),
            "max" => step.max = Some(read_bound(line, f64::ceil)?),
            "block" => {
                let start = line.at;
                let value = line.value()?;
                let Ok(block) = value.parse() else { return line.error(start, "a block size is a whole number") };
                step.block = Some(block);
            }
            "default" => step.default = Some(line.literal()?),
            "scope" => {
                step.scope = Some(match line.value()?.as_str() {
                    "global" => (true, false),
                    "session" => (false, true),
                    "global+session" => (true, true),
                    _ => return line.error(at, "a scope is `global`, `session` or `global+session`"),
                });
            }
            "dynamic" => {
                step.dynamic = Some(match line.value()?.as_str() {
                    "yes" => true,
                    "no" => false,
                    _ => return line.error(at, "`dynamic` is `yes` or `no`"),
                });
            }
            "argument" => {
                step.argument = Some(match line.value()?.as_str() {
                    "none" => Argument::None,
                    "optional" => Argument::Optional,
                    "required" => Argument::Required,
                    _ => return line.error(at, "an argument is `none`, `optional` or `required`"),
                });
            }
            name => return line.error(at, format_args!("unknown attribute `{name}`")),
        }
    }
    if record.steps.last().is_some_and(|last| last.from > step.from) {
        return line.error(place, "steps must stand in the order of their versions");
    }
    record.steps.push(step);
    Ok(())
}

/// Bounds of real numbers may have a fraction; rounded outward, they never refuse what the server takes.
fn read_bound(line: &mut Line<'_>, round: fn(f64) -> f64) -> Result<Number> {
    let start = line.at;
    let value = line.value()?;
    if let Ok(number) = value.parse() {
        return Ok(number);
    }
    match value.parse::<f64>() {
        Ok(number) => Ok(round(number) as Number),
        Err(_) => line.error(start, format_args!("`{value}` is no number")),
    }
}

fn read_kind(line: &mut Line<'_>) -> Result<Kind> {
    let start = line.at;
    Ok(match line.value()?.as_str() {
        "boolean" => Kind::Boolean,
        "plugin-boolean" => Kind::PluginBoolean,
        "flag" => Kind::Flag,
        "signed" => Kind::Signed,
        "unsigned" => Kind::Unsigned,
        "real" => Kind::Real,
        "enumeration" => Kind::Enumeration,
        "set" => Kind::Set,
        "flagset" => Kind::FlagSet,
        "text" => Kind::Text,
        "path" => Kind::Path,
        other => return line.error(start, format_args!("unknown type `{other}`")),
    })
}
