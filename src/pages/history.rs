//! What a flavor made of an option over its versions: the first step in full, then what changed.

use crate::catalog::{self, Default, Entry, OptionId, Replacement, Since, State, Warns};
use crate::server::{Flavor, SERIES, Server, Version};
use crate::value::{Kind, Shape, Unit, Value, as_written, show};

/// What holds of an option from one version on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionStep {
    /// The version: `8.0.30`; `by 8.0.30` when the change came with it or shortly before.
    pub from: String,
    /// What it is from there on: `1 to 64; default 8; needs a restart`, `default 4`, `deprecated`, `gone`.
    pub text: String,
}

/// A largest value that no machine reaches.
const NO_LIMIT: i128 = i64::MAX as i128;
/// Of more words than this only the number is told.
const MANY_WORDS: usize = 40;

/// The steps of a flavor, oldest first, within a range of versions or over all of them. What is the same as before is left out.
pub fn steps(id: OptionId, flavor: Flavor, range: Option<(Version, Version)>) -> Vec<OptionStep> {
    let oldest =
        SERIES.iter().find(|series| series.flavor == flavor).map_or(Version::new(0, 0, 0), |series| series.first);
    let (first, last) = range.unwrap_or((oldest, Version::new(u16::MAX, 0, 0)));
    let mut versions = vec![first];
    versions.extend(catalog::changes(id, flavor).into_iter().filter(|version| *version > first && *version <= last));
    let life = catalog::history(id, flavor);
    let replacement = life.and_then(|life| life.replaced_by).map(|replacement| match replacement {
        Replacement::Option(other) => other.name(),
        Replacement::Text(text) => text,
    });
    let mut steps: Vec<OptionStep> = Vec::new();
    let mut told = Told::default();
    let mut unsure = false;
    let mut named_replacement = false;
    for version in versions {
        let entry = catalog::entry(id, Server { flavor, version });
        if entry.state == State::Unknown {
            unsure = true;
            continue;
        }
        let mut said = told.news(&entry);
        if said.is_empty() {
            unsure &= told.state.is_none();
            continue;
        }
        if entry.state == State::Absent
            && let Some(Since::Between { after: Some(after), .. }) = life.and_then(|life| life.removed)
        {
            said.push(format!("last seen in {after}"));
        }
        let outdated = entry.state != State::Present || entry.deprecated;
        if let Some(name) = replacement.filter(|_| outdated && !named_replacement) {
            said.insert(1, format!("in its place: {name}"));
            named_replacement = true;
        }
        let from = if range.is_none() && version == oldest && steps.is_empty() {
            format!("{}.{}", version.major, version.minor)
        } else if unsure && (!steps.is_empty() || told.state == Some(Standing::Present)) {
            format!("by {version}")
        } else {
            version.to_string()
        };
        unsure = false;
        steps.push(OptionStep { from, text: said.join("; ") });
    }
    if unsure && !steps.is_empty() {
        let end = catalog::changes(id, flavor).into_iter().rfind(|version| *version <= last).unwrap_or(first);
        steps.push(OptionStep { from: end.max(first).to_string(), text: "not recorded from here on".to_owned() });
    }
    if steps.is_empty() && range.is_some() {
        steps.push(OptionStep { from: first.to_string(), text: without(id, flavor, first, unsure) });
    }
    steps
}

/// What is told of an option that a server does not have.
fn without(id: OptionId, flavor: Flavor, version: Version, unsure: bool) -> String {
    if unsure {
        return "not recorded".to_owned();
    }
    let Some(life) = catalog::history(id, flavor) else { return "not there".to_owned() };
    let mut said = vec!["not there".to_owned()];
    match (life.introduced, life.removed) {
        (Some(introduced), _) if introduced.latest() > version => {
            said.push(format!("there from {} on", introduced.latest()));
        }
        (_, Some(Since::Exact(removed))) => said.push(format!("gone since {removed}")),
        (_, Some(Since::Between { after: Some(after), .. })) => said.push(format!("last seen in {after}")),
        _ => {}
    }
    match life.replaced_by {
        Some(Replacement::Option(other)) => said.push(format!("in its place: {other}")),
        Some(Replacement::Text(text)) => said.push(format!("in its place: {text}")),
        None => {}
    }
    said.join("; ")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Present,
    Deprecated,
    Ignored { warns: bool },
    Shown,
    Absent,
}

/// What has been told so far.
#[derive(Default)]
struct Told {
    state: Option<Standing>,
    holds: Option<String>,
    words: Option<&'static str>,
    default: Option<String>,
    dynamic: Option<bool>,
    place: Option<&'static str>,
}

impl Told {
    /// What is new in an entry, in the order of a full description; nothing when all of it was told.
    fn news(&mut self, entry: &Entry) -> Vec<String> {
        let state = match entry.state {
            State::Absent | State::Unknown => Standing::Absent,
            State::Ignored => Standing::Ignored { warns: entry.warns != Warns::Never },
            State::Present if entry.read_only => Standing::Shown,
            State::Present if entry.deprecated => Standing::Deprecated,
            State::Present => Standing::Present,
        };
        let before = self.state;
        if before.is_none() && state == Standing::Absent {
            return Vec::new();
        }
        let mut said = Vec::new();
        let is_new = before != Some(state);
        self.state = Some(state);
        match state {
            Standing::Absent if is_new => return vec!["gone".to_owned()],
            Standing::Ignored { warns } if is_new => {
                return vec![
                    if warns { "taken with a warning, does nothing" } else { "taken, does nothing" }.to_owned(),
                ];
            }
            Standing::Absent | Standing::Ignored { .. } => return Vec::new(),
            Standing::Deprecated if is_new => said.push("deprecated".to_owned()),
            Standing::Shown if is_new => said.push("shown, cannot be set".to_owned()),
            Standing::Present if matches!(before, Some(Standing::Absent | Standing::Ignored { .. })) => {
                said.push("there again".to_owned());
            }
            Standing::Present if before == Some(Standing::Deprecated) => said.push("no longer deprecated".to_owned()),
            Standing::Present | Standing::Deprecated | Standing::Shown => {}
        }
        let shape = &entry.shape;
        let list = if is_list(shape.kind) { shape.words } else { "" };
        if let Some(holds) = range(shape).filter(|holds| self.holds.as_ref() != Some(holds)) {
            said.push(if list.is_empty() { holds.clone() } else { format!("{holds} {}", all_words(shape)) });
            (self.holds, self.words) = (Some(holds), Some(list));
        } else if !list.is_empty() && self.words != Some(list) {
            said.push(news_of_words(self.words.unwrap_or_default(), shape));
            self.words = Some(list);
        }
        let default = match &entry.effective_default {
            Default::Value(value) => Some(format!("default {}", default(value, shape.unit))),
            Default::None => Some("no default".to_owned()),
            Default::Derived => Some("default computed by the server".to_owned()),
            Default::NotRecorded => None,
        };
        if let Some(default) = default.filter(|default| self.default.as_ref() != Some(default)) {
            said.push(default.clone());
            self.default = Some(default);
        }
        if let Some(dynamic) = entry.dynamic.filter(|dynamic| self.dynamic != Some(*dynamic)) {
            said.push(if dynamic { "can be set while the server runs" } else { "needs a restart" }.to_owned());
            self.dynamic = Some(dynamic);
        }
        let place = match (entry.plugin, entry.windows_only, entry.is_option) {
            (true, ..) => Some("only while its plugin is loaded"),
            (_, true, _) => Some("only on Windows"),
            (_, _, false) if !entry.read_only => Some("no option file may hold it"),
            _ => None,
        };
        if let Some(place) = place.filter(|_| self.place != place) {
            said.push(place.to_owned());
        }
        self.place = place;
        said
    }
}

/// What an option holds, without the words of a list.
fn range(shape: &Shape<'_>) -> Option<String> {
    let number = |number: i128| match shape.unit {
        Unit::Bytes => u64::try_from(number).map_or_else(|_| number.to_string(), as_written),
        _ => number.to_string(),
    };
    let unit = match shape.unit {
        Unit::Mebibytes => " MiB",
        Unit::Seconds => " seconds",
        Unit::Milliseconds => " milliseconds",
        Unit::Microseconds => " microseconds",
        Unit::Minutes => " minutes",
        _ => "",
    };
    Some(match shape.kind {
        Kind::Boolean | Kind::PluginBoolean => "ON or OFF".to_owned(),
        Kind::Flag => "a switch".to_owned(),
        Kind::Signed | Kind::Unsigned | Kind::Real => match (shape.min, shape.max) {
            (Some(min), Some(max)) if max >= NO_LIMIT || max == 0 && min >= 0 => {
                format!("{} and more{unit}", number(min))
            }
            (Some(min), Some(max)) => format!("{} to {}{unit}", number(min), number(max)),
            (Some(min), None) => format!("from {}{unit} on", number(min)),
            _ if shape.unit == Unit::Bytes => "a size".to_owned(),
            _ => format!("a number{}", if unit.is_empty() { String::new() } else { format!(" of{unit}") }),
        },
        Kind::Enumeration if shape.words.is_empty() => "a word".to_owned(),
        Kind::Set | Kind::FlagSet if shape.words.is_empty() => "words".to_owned(),
        Kind::Enumeration => "one of".to_owned(),
        Kind::Set => "some of".to_owned(),
        Kind::FlagSet => "switches".to_owned(),
        Kind::Text => "a text".to_owned(),
        Kind::Path => "a path".to_owned(),
        Kind::NotRecorded => return None,
    })
}

const fn is_list(kind: Kind) -> bool {
    matches!(kind, Kind::Enumeration | Kind::Set | Kind::FlagSet)
}

fn all_words(shape: &Shape<'_>) -> String {
    let words: Vec<_> = shape.words().collect();
    if words.len() > MANY_WORDS { format!("{} words", words.len()) } else { words.join(", ") }
}

/// Which words came to a list, and which went.
fn news_of_words(before: &str, shape: &Shape<'_>) -> String {
    let now: Vec<_> = shape.words().collect();
    let old: Vec<_> = before.split(',').filter(|word| !word.is_empty()).collect();
    let came: Vec<_> = now.iter().copied().filter(|word| !old.contains(word)).collect();
    let went: Vec<_> = old.iter().copied().filter(|word| !now.contains(word)).collect();
    match (came.is_empty(), went.is_empty()) {
        (true, true) => "the words in another order".to_owned(),
        (false, true) => format!("also {}", came.join(", ")),
        (true, false) => format!("without {}", went.join(", ")),
        (false, false) => format!("also {}, without {}", came.join(", "), went.join(", ")),
    }
}

fn default(value: &Value<'_>, unit: Unit) -> String {
    match value {
        Value::Text(bytes) if bytes.is_empty() => "empty".to_owned(),
        Value::Word(text) | Value::Set(text) if text.is_empty() => "empty".to_owned(),
        Value::Set(members) => members.replace(',', ", "),
        value => show(value, unit).to_string(),
    }
}
