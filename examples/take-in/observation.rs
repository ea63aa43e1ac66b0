//! Reads a server's recorded answers: which names it has, and their attributes in the words of the catalog.

use super::ask;
use super::form::Attributes;
use cnflint::server::Flavor;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// What a server was seen to have.
pub struct Observation {
    pub names: BTreeMap<String, Found>,
    /// What it said of names that it lists nowhere; empty where nobody asked.
    pub asked: BTreeMap<String, State>,
}

/// One name that a server lists.
#[derive(Default)]
pub struct Found {
    pub is_option: bool,
    /// Among the options of `--help --verbose`, with this default.
    pub in_help: Option<String>,
    pub is_variable: bool,
    /// Only with its plugin loaded.
    pub plugin: bool,
    /// It turns a plugin on and off.
    pub toggle: bool,
    /// `none`, `optional`, `required`; empty where it is not told.
    pub argument: &'static str,
    pub attributes: Attributes,
    /// Where that comes from, in the words of the catalog.
    pub sources: BTreeSet<&'static str>,
}

/// What a server makes of a name that it lists nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Unknown,
    /// It takes it for the beginning of a longer name.
    Abbreviation,
    Ignored,
    /// It says nothing: it takes the name, with or without effect.
    Taken,
}

impl Observation {
    /// Reads the files that [`ask`] writes.
    pub fn read(dir: &Path, flavor: Flavor) -> io::Result<Self> {
        let mut names: BTreeMap<String, Found> = BTreeMap::new();
        let help = fs::read_to_string(dir.join(ask::HELP))?;
        let with_plugins = optional(&dir.join(ask::HELP_WITH_PLUGINS))?;
        let core: BTreeSet<_> = table(&help).map(|(name, _)| name).collect();
        for text in [&help, &with_plugins] {
            let arguments = arguments(text);
            let toggles = toggles(text);
            for (name, value) in table(text) {
                let found = names.entry(name.clone()).or_default();
                found.is_option = true;
                found.in_help = Some(default_in_help(value));
                found.plugin = !core.contains(&name);
                found.argument = arguments.get(&name).copied().unwrap_or("");
                found.sources.insert("server help");
                if toggles.contains(&name) {
                    found.toggle = true;
                    found.attributes.insert("type".to_owned(), "enumeration".to_owned());
                    found.attributes.insert("default".to_owned(), default_in_help(value));
                }
                if flavor != Flavor::Mariadb {
                    found.attributes.insert("default".to_owned(), default_in_help(value));
                }
            }
        }
        for row in rows(&optional(&dir.join(ask::SYSTEM_VARIABLES))?) {
            system_variable(&row, &core, &mut names);
        }
        // Of options without a variable only the help tells the default.
        for found in names.values_mut().filter(|found| !found.is_variable) {
            let default = found.in_help.clone().map(|default| ("default".to_owned(), default));
            found.attributes.extend(default);
        }
        for row in rows(&optional(&dir.join(ask::METADATA))?) {
            metadata(&row, &mut names);
        }
        for row in rows(&optional(&dir.join(ask::GLOBAL_VARIABLES))?) {
            let found = names.entry(row[0].to_lowercase()).or_default();
            found.is_variable = true;
            found.sources.insert("server VARIABLES");
        }
        let asked = optional(&dir.join(ask::ASKED))?;
        let state = |said: &str| {
            let said = said.to_lowercase();
            if ["unique option prefix", "ambiguous option"].iter().any(|words| said.contains(words)) {
                State::Abbreviation
            } else if ["unknown variable", "unknown option"].iter().any(|words| said.contains(words)) {
                State::Unknown
            } else if ["was removed", "does nothing", "compatible option"].iter().any(|words| said.contains(words)) {
                State::Ignored
            } else {
                State::Taken
            }
        };
        let asked = asked.lines().filter_map(|line| line.split_once('\t'));
        Ok(Self { names, asked: asked.map(|(name, said)| (name.to_owned(), state(said))).collect() })
    }
}

fn optional(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other,
    }
}

/// The rows that `SELECT … INTO OUTFILE` writes; `\N` is NULL.
fn rows(text: &str) -> Vec<Vec<String>> {
    let whole = text.replace("\\\n", " ");
    let cell = |cell: &str| cell.replace("\\t", "\t").replace("\\\\", "\\");
    whole.lines().map(|line| line.split('\t').map(cell).collect()).collect()
}

/// The names at the end of `--help --verbose` with their values; the text may hold the help of several runs.
fn table(help: &str) -> impl Iterator<Item = (String, &str)> {
    help.split("Variables (--variable-name=value)").skip(1).flat_map(|table| {
        let rows =
            table.lines().skip_while(|line| !line.starts_with("---")).skip(1).take_while(|line| !line.is_empty());
        rows.filter_map(|line| {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            (!name.is_empty()).then(|| (name.replace('-', "_").to_lowercase(), value.trim()))
        })
    })
}

/// How each option takes its value: `--name=#`, `--name[=#]`, `--name`.
fn arguments(help: &str) -> BTreeMap<String, &'static str> {
    let mut arguments = BTreeMap::new();
    for line in help.lines().filter(|line| line.starts_with("  -")) {
        let Some(option) = line.split("--").nth(1).and_then(|rest| rest.split(' ').next()) else { continue };
        let end = option.find(['[', '=']).unwrap_or(option.len());
        let argument = match option.as_bytes().get(end) {
            Some(b'[') => "optional",
            Some(_) => "required",
            None => "",
        };
        arguments.insert(option[..end].replace('-', "_").to_lowercase(), argument);
    }
    arguments
}

/// The options that turn a plugin on and off: their help names the words for it.
fn toggles(help: &str) -> BTreeSet<String> {
    let mut toggles = BTreeSet::new();
    let mut option = String::new();
    for line in help.lines() {
        if let Some(name) = line.strip_prefix("  --") {
            name[..name.find(['[', '=', ' ']).unwrap_or(name.len())].replace('-', "_").clone_into(&mut option);
        }
        if line.contains("FORCE_PLUS_PERMANENT") && line.starts_with("  ") {
            toggles.insert(option.clone());
        }
    }
    toggles
}

fn default_in_help(value: &str) -> String {
    match value {
        "TRUE" => "ON".to_owned(),
        "FALSE" => "OFF".to_owned(),
        "(No default value)" => "none".to_owned(),
        value => quoted(value),
    }
}

/// A row of MariaDB's SYSTEM_VARIABLES, its columns as in 10.1 and later.
fn system_variable(row: &[String], core: &BTreeSet<String>, names: &mut BTreeMap<String, Found>) {
    let [name, _, _, _, default, scope, kind, _, min, max, block, words, read_only, argument, ..] = row else { return };
    let found = names.entry(name.to_lowercase()).or_default();
    found.is_variable = true;
    found.sources.insert("server SYSTEM_VARIABLES");
    found.is_option |= argument != "\\N";
    found.plugin &= !core.contains(&name.to_lowercase());
    found.argument = match argument.as_str() {
        "REQUIRED" => "required",
        "OPTIONAL" => "optional",
        "NONE" => "none",
        _ => "",
    };
    let kind = match kind.as_str() {
        "BOOLEAN" => "boolean",
        "ENUM" => "enumeration",
        "SET" => "set",
        "FLAGSET" => "flagset",
        "VARCHAR" => "text",
        "DOUBLE" => "real",
        kind if kind.ends_with("UNSIGNED") => "unsigned",
        _ => "signed",
    };
    let in_help = found.in_help.clone();
    let attributes = &mut found.attributes;
    let mut set = |name: &str, value: &str| drop(attributes.insert(name.to_owned(), value.to_owned()));
    set("type", kind);
    if ["unsigned", "signed", "real"].contains(&kind) {
        set("min", &trimmed(min));
        set("max", &trimmed(max));
        if !["\\N", "0", "1"].contains(&block.as_str()) {
            set("block", block);
        }
    }
    if ["enumeration", "set", "flagset"].contains(&kind) && words != "\\N" {
        set("words", &quoted(words));
    }
    match default.as_str() {
        // A start may turn a switch on before it looks at options: the help has that.
        "ON" | "OFF" if kind == "boolean" => set("default", in_help.as_deref().unwrap_or(default)),
        "\\N" | "" if kind == "text" => set("default", "none"),
        "\\N" => {}
        number if ["unsigned", "signed", "real"].contains(&kind) => set("default", &trimmed(number)),
        text => set("default", &quoted(text)),
    }
    match scope.as_str() {
        "GLOBAL" => set("scope", "global"),
        "SESSION" => set("scope", "global+session"),
        "SESSION ONLY" => set("scope", "session"),
        _ => {}
    }
    set("dynamic", if read_only == "YES" { "no" } else { "yes" });
}

/// A row of MySQL's variables_metadata.
fn metadata(row: &[String], names: &mut BTreeMap<String, Found>) {
    let [name, scope, kind, min, max, ..] = row else { return };
    let found = names.entry(name.to_lowercase()).or_default();
    found.is_variable = true;
    found.sources.insert("server variables_metadata");
    let attributes = &mut found.attributes;
    let mut set = |name: &str, value: &str| drop(attributes.insert(name.to_owned(), value.to_owned()));
    let kind = match kind.as_str() {
        "Boolean" => "boolean",
        "Integer" if min.starts_with('-') => "signed",
        "Integer" => "unsigned",
        "Numeric" => "real",
        "Enumeration" => "enumeration",
        "Set" => "set",
        _ => "text",
    };
    set("type", kind);
    if ["unsigned", "signed", "real"].contains(&kind) && !min.is_empty() {
        set("min", &trimmed(min));
        set("max", &trimmed(max));
    }
    match scope.as_str() {
        "GLOBAL" => set("scope", "global"),
        "SESSION" => set("scope", "global+session"),
        "SESSION_ONLY" => set("scope", "session"),
        _ => {}
    }
}

/// A number without zeros behind its point.
fn trimmed(number: &str) -> String {
    let plain = if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    plain.to_owned()
}

/// A value as the catalog writes it: in quotes where it is empty, has blanks or would be taken for a word of the form.
pub fn quoted(text: &str) -> String {
    if !text.is_empty() && !text.contains([' ', '"', '\n', '\t']) && text != "none" && text != "derived" {
        return text.to_owned();
    }
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}
