//! Jinja templates, filled in by minijinja as Ansible would.

mod marked;
mod scope;

use cnflint::input::filled::{FillError, Filled};
use marked::Marked;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use minijinja_contrib::pycompat;
use scope::Scope;
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Filters, functions and tests that are not known here make what they give unknown; no template has more of them.
const MOST_UNKNOWN: usize = 50;

/// The template as it comes out with these variables.
///
/// # Errors
/// When it is broken, or a condition or a loop asks for what is not defined.
pub fn fill(path: &Path, text: &str, values: &Map<String, serde_json::Value>) -> Result<Filled, FillError> {
    let (mut unknown, mut silent) = (Vec::new(), BTreeSet::new());
    loop {
        let marked = Arc::new(Marked::of(text, &silent));
        let log = Arc::new(Log::default());
        let wrong = |line: usize, message: String| FillError { path: path.to_owned(), line, message };
        let error = match render(&marked, values.clone(), &log, &unknown, path) {
            Ok(rendered) => match log.conditions().as_slice() {
                [] => return Ok(Filled::from_marked(text, &rendered)),
                [(line, _), ..] => return Err(wrong(*line, not_defined(&log.conditions()))),
            },
            Err(error) => error,
        };
        let line = error.line().unwrap_or(1);
        let is_broken = error.kind() == ErrorKind::SyntaxError;
        match Unknown::of(&error).filter(|new| unknown.len() < MOST_UNKNOWN && !unknown.contains(new)) {
            Some(new) => unknown.push(new),
            // A calculation with what is not defined, or what this engine's filters do not take.
            None if !is_broken && marked.leaves_text(line) && silent.insert(line) => {}
            None => {
                // What went wrong behind it may well have come of it.
                if let Some((line, _)) = log.conditions().first() {
                    return Err(wrong(*line, not_defined(&log.conditions())));
                }
                let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
                return Err(wrong(line, format!("the template cannot be filled in: {detail}")));
            }
        }
    }
}

/// What is missing where conditions and loops ask for it, and what to do.
fn not_defined(conditions: &[(usize, Vec<String>)]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in conditions.iter().flat_map(|(_, names)| names) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let give: Vec<_> = names.iter().map(|name| format!("--define {name}=…")).collect();
    let (listed, give) = (names.join("`, `"), give.join(" "));
    match names.len() {
        1 => format!("`{listed}` is not defined, and a condition or loop asks for it: give {give}"),
        _ => format!("`{listed}` are not defined, and conditions or loops ask for them: give {give}"),
    }
}

/// Jinja's own marks, and no name that says it is another language's.
pub fn is_jinja(path: &Path, text: &str) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let of_others = ["tmpl", "gotmpl", "gotxt", "tpl", "ctmpl", "mustache", "hbs", "erb", "epp"].contains(&extension);
    text.contains("{%") || !of_others && text.contains("{{")
}

/// Ansible takes the newline behind a block away (`trim_blocks`); Salt and the small programs that fill `*.tmpl` in leave it, as Jinja
/// itself does.
fn is_of_salt(path: &Path, text: &str) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_small = ["tmpl", "tpl", "jinja", "jinja2"].contains(&extension);
    is_small || ["salt[", "salt.", "pillar", "grains"].iter().any(|name| text.contains(name))
}

/// A name that this engine does not know.
#[derive(Debug, PartialEq, Eq)]
enum Unknown {
    Filter(String),
    Test(String),
    Function(String),
}

impl Unknown {
    fn of(error: &Error) -> Option<Self> {
        // `filter to_nice_yaml is unknown`
        let name = error.detail()?.split_whitespace().nth(1)?.to_owned();
        match error.kind() {
            ErrorKind::UnknownFilter => Some(Self::Filter(name)),
            ErrorKind::UnknownTest => Some(Self::Test(name)),
            ErrorKind::UnknownFunction => Some(Self::Function(error.detail()?.split_whitespace().next()?.to_owned())),
            _ => None,
        }
    }
}

/// What was asked for and is not defined.
#[derive(Debug, Default)]
pub struct Log {
    missing: Mutex<Vec<String>>,
    conditions: Mutex<Vec<(usize, Vec<String>)>>,
}

impl Log {
    /// Notes a name.
    pub fn misses(&self, name: String) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if !missing.contains(&name) {
            missing.push(name);
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.missing.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn condition(&self, line: usize, names: Vec<String>) {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner).push((line, names));
    }

    fn conditions(&self) -> Vec<(usize, Vec<String>)> {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn render(
    marked: &Arc<Marked>,
    values: Map<String, serde_json::Value>,
    log: &Arc<Log>,
    unknown: &[Unknown],
    path: &Path,
) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    let mut syntax = SyntaxConfig::builder();
    let trims = !is_of_salt(path, &marked.source);
    environment.set_syntax(syntax.trim_blocks(trims).keep_trailing_newline(true).build()?);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.set_unknown_method_callback(|state, value, method, arguments| {
        if value.is_undefined() {
            return Ok(Value::UNDEFINED);
        }
        pycompat::unknown_method_callback(state, value, method, arguments)
    });
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    environment.set_loader(move |name| Ok(Some(included(&directory, name))));
    ansible(&mut environment);
    for name in unknown {
        let log = Arc::clone(log);
        let undefined = move |name: String| {
            log.misses(name);
            Value::UNDEFINED
        };
        match name {
            Unknown::Filter(name) => {
                let shown = name.clone();
                environment.add_filter(name.clone(), move |_: Value, _: Rest<Value>| undefined(shown.clone()));
            }
            Unknown::Test(name) => {
                let shown = name.clone();
                environment.add_test(name.clone(), move |_: Value, _: Rest<Value>| {
                    undefined(shown.clone());
                    false
                });
            }
            Unknown::Function(name) => {
                let shown = name.clone();
                environment.add_function(name.clone(), move |_: Rest<Value>| undefined(shown.clone()));
            }
        }
    }
    let (tags, notes) = (Arc::clone(marked), Arc::clone(log));
    environment.add_filter(marked::OUTPUT, move |value: Value, tag: usize| {
        let missing = notes.take();
        let is_unknown = value.is_undefined() || !missing.is_empty() && !tags.has_default(tag);
        let text = if is_unknown { tags.text(tag).to_owned() } else { as_ansible_writes(&value) };
        Value::from(tags.mark(tag) + &text)
    });
    let (tags, notes) = (Arc::clone(marked), Arc::clone(log));
    environment.add_filter(marked::CONDITION, move |value: Value, tag: usize| {
        let missing = notes.take();
        if !missing.is_empty() && !tags.has_default(tag) {
            notes.condition(tags.line(tag), missing);
        }
        value
    });
    let scope = Value::from_object(Scope::new(values, Arc::clone(log)));
    environment.render_named_str("template", &marked.source, scope)
}

/// The text of an included template; what is not there is empty.
fn included(directory: &Path, name: &str) -> String {
    let paths: [PathBuf; 2] = [directory.join(name), directory.join("..").join("templates").join(name)];
    paths.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
}

/// `True` and `None`, as Python writes them.
fn as_ansible_writes(value: &Value) -> String {
    match value.kind() {
        minijinja::value::ValueKind::Bool if value.is_true() => "True".to_owned(),
        minijinja::value::ValueKind::Bool => "False".to_owned(),
        minijinja::value::ValueKind::None => "None".to_owned(),
        _ => value.to_string(),
    }
}

/// The filters and tests of Ansible that option files use.
fn ansible(environment: &mut Environment<'_>) {
    let is_on = |value: &Value| match value.as_str() {
        Some(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1" | "y" | "t"),
        None => value.is_true(),
    };
    environment
        .add_filter("bool", move |value: Value| if value.is_undefined() { value } else { Value::from(is_on(&value)) });
    environment.add_filter("ternary", |value: Value, yes: Value, no: Value| if value.is_true() { yes } else { no });
    environment.add_filter("mandatory", |value: Value, _: Rest<Value>| value);
    environment.add_filter("comment", |value: Value, _: Rest<Value>| {
        value.to_string().lines().map(|line| format!("# {line}")).collect::<Vec<_>>().join("\n")
    });
    environment.add_filter("quote", |value: Value| format!("'{value}'"));
    environment.add_filter("basename", |value: String| value.rsplit('/').next().unwrap_or_default().to_owned());
    environment
        .add_filter("dirname", |value: String| value.rsplit_once('/').map_or("", |(before, _)| before).to_owned());
    let version = |value: Value, other: Value, operator: Option<String>| {
        let ordering = parts(&value.to_string()).cmp(&parts(&other.to_string()));
        match operator.as_deref().unwrap_or("==") {
            "<" | "lt" => ordering.is_lt(),
            "<=" | "le" => ordering.is_le(),
            ">" | "gt" => ordering.is_gt(),
            ">=" | "ge" => ordering.is_ge(),
            "!=" | "ne" | "<>" => ordering.is_ne(),
            _ => ordering.is_eq(),
        }
    };
    environment.add_test("version", version);
    environment.add_test("version_compare", version);
    environment.add_filter("version", version);
}

/// The numbers of a version.
fn parts(version: &str) -> Vec<u64> {
    let mut parts: Vec<u64> =
        version.split(|byte: char| !byte.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    while parts.last() == Some(&0) {
        parts.pop();
    }
    parts
}
