//! Jinja templates, filled in by minijinja as Ansible would.

mod ansible;
mod marked;
mod scope;
#[cfg(test)]
mod tests;

use cnflint::input::filled::{FillError, Filled};
use marked::{INCLUDED, Marked, Plan};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use minijinja_contrib::pycompat;
use scope::Scope;
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Filters, functions and tests that are not known here make what they give unknown; no template has more of them.
const MOST_UNKNOWN: usize = 50;

/// The template as it comes out with these variables. A condition or a loop that asks for what is not defined stays with all of
/// its branches, and is told.
///
/// # Errors
/// When it is broken.
pub fn fill(path: &Path, text: &str, values: &Map<String, serde_json::Value>) -> Result<Filled, FillError> {
    let (mut unknown, mut plan, mut missing) = (Vec::new(), Plan::default(), Missing::default());
    let wrong = |line: usize, message: String| FillError { path: path.to_owned(), line, message };
    loop {
        let marked = Arc::new(Marked::of(text, &plan));
        let log = Arc::new(Log::new(&plan));
        let result = render(&marked, values, &log, (&unknown, plan.includes_unknown), path);
        let before = plan.clone();
        log.adds_to(&mut plan, &mut missing, &marked);
        match result {
            Ok(_) if plan != before => {}
            Ok(rendered) => {
                let mut filled = Filled::from_marked(text, &rendered);
                filled.missing = missing.told().map(|(line, message)| wrong(line, message));
                return Ok(filled);
            }
            Err(error) => {
                let new = Unknown::of(&error).filter(|new| unknown.len() < MOST_UNKNOWN && !unknown.contains(new));
                let is_new = new.is_some();
                unknown.extend(new);
                let line = error.line().unwrap_or(1);
                let is_broken = error.kind() == ErrorKind::SyntaxError;
                if !is_new && (is_broken || !gives_up(&marked, line, &mut plan) && plan == before) {
                    let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
                    return Err(wrong(line, format!("the template cannot be filled in: {detail}")));
                }
            }
        }
    }
}

/// Gives up on what goes wrong on a line: a calculation with what is not defined, or what this engine's filters do not take. False
/// where nothing is left to give up on.
fn gives_up(marked: &Marked, line: usize, plan: &mut Plan) -> bool {
    let before = plan.clone();
    for tag in marked.tags_on(line) {
        let text = marked.text(tag);
        if text.starts_with("{{") {
            plan.silent.insert(tag);
        } else if let Some(head) = marked.head(tag) {
            keeps(marked, head, plan);
        } else {
            plan.hidden.extend(marked.names_of(tag));
        }
    }
    *plan != before
}

/// Leaves a block in the text: what is set in it is then not known.
fn keeps(marked: &Marked, head: usize, plan: &mut Plan) {
    if plan.kept.insert(head) {
        plan.hidden.extend(marked.names_within(head));
        plan.hidden.insert("loop".to_owned());
    }
}

/// What is missing where conditions and loops ask for it.
#[derive(Debug, Default)]
struct Missing {
    line: usize,
    names: Vec<String>,
}

impl Missing {
    fn add(&mut self, line: usize, name: &str) {
        if self.names.is_empty() {
            self.line = line;
        }
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// The line of the first one, and what to do.
    fn told(&self) -> Option<(usize, String)> {
        let give: Vec<_> = self.names.iter().map(|name| format!("--define {name}=…")).collect();
        let (listed, give) = (self.names.join("`, `"), give.join(" "));
        let message = match self.names.len() {
            0 => return None,
            1 => format!("`{listed}` is not defined, and a condition or loop asks for it: give {give}"),
            _ => format!("`{listed}` are not defined, and conditions or loops ask for them: give {give}"),
        };
        Some((self.line, message))
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
    /// What a kept block decides about.
    hidden: BTreeSet<String>,
    missing: Mutex<Vec<String>>,
    /// The tags that asked, and for what.
    conditions: Mutex<Vec<(usize, Vec<String>)>>,
    sets: Mutex<Vec<usize>>,
}

/// What a function, filter or test gives that is not known here: nobody can define it.
const GIVEN: &str = "(…)";

impl Log {
    fn new(plan: &Plan) -> Self {
        Self { hidden: plan.hidden.clone(), ..Self::default() }
    }

    /// Notes a name.
    pub fn misses(&self, name: String) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if !missing.contains(&name) {
            missing.push(name);
        }
    }

    /// Whether a name is not known whatever the variables say.
    pub fn hides(&self, name: &str) -> bool {
        self.hidden.contains(name)
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.missing.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn condition(&self, tag: usize, names: Vec<String>) {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner).push((tag, names));
    }

    fn sets(&self, tag: usize) {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner).push(tag);
    }

    /// Adds what cannot be decided to the plan, and what is missing for it.
    fn adds_to(&self, plan: &mut Plan, missing: &mut Missing, marked: &Marked) {
        for (tag, names) in self.conditions.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            match marked.head(*tag) {
                Some(head) => keeps(marked, head, plan),
                None => plan.includes_unknown |= *tag == INCLUDED,
            }
            // A function is looked for among the variables first.
            let is_given = |name: &String| name.ends_with(GIVEN) || names.contains(&format!("{name}{GIVEN}"));
            let of_variables = names.iter().filter(|name| !is_given(name) && !self.hides(name));
            of_variables.for_each(|name| missing.add(marked.line(*tag), name));
        }
        for tag in self.sets.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            plan.includes_unknown |= *tag == INCLUDED;
            plan.hidden.extend(marked.names_of(*tag));
        }
    }
}

fn render(
    marked: &Arc<Marked>,
    values: &Map<String, serde_json::Value>,
    log: &Arc<Log>,
    (unknown, includes_unknown): (&[Unknown], bool),
    path: &Path,
) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    let mut syntax = SyntaxConfig::builder();
    let trims = !is_of_salt(path, &marked.source);
    environment.set_syntax(syntax.trim_blocks(trims).keep_trailing_newline(true).build()?);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.set_unknown_method_callback(|state, value, method, arguments| {
        // Templates that were written for Python 2.
        let method =
            method.strip_prefix("iter").filter(|rest| ["items", "keys", "values"].contains(rest)).unwrap_or(method);
        match value.is_undefined() {
            true => Ok(Value::UNDEFINED),
            false => pycompat::unknown_method_callback(state, value, method, arguments),
        }
    });
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    let tags = Arc::clone(marked);
    environment.set_loader(move |name| {
        let line = tags.includes(name).map_or(0, |tag| tags.line(tag) - 1);
        let text = included(&directory, name).filter(|_| !includes_unknown);
        Ok(Some(Marked::of_included(text.as_deref().unwrap_or(NOT_KNOWN), line).source))
    });
    ansible::add_to(&mut environment);
    for name in unknown {
        let log = Arc::clone(log);
        let undefined = move |name: String| {
            log.misses(name + GIVEN);
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
            notes.condition(tag, missing);
        }
        value
    });
    let (tags, notes) = (Arc::clone(marked), Arc::clone(log));
    environment.add_filter(marked::SET, move |value: Value, tag: usize| {
        let missing = notes.take();
        if value.is_undefined() || !missing.is_empty() && !tags.has_default(tag) {
            notes.sets(tag);
        }
        value
    });
    let tags = Arc::clone(marked);
    environment.add_filter(marked::TAG, move |tag: usize| tags.mark(tag) + tags.text(tag));
    let scope = Value::from_object(Scope::new(values, Arc::clone(log)));
    environment.render_named_str("template", &marked.source, scope)
}

/// An included template of which nobody knows what it says.
const NOT_KNOWN: &str = "{% raw %}{{ included }}\n{% endraw %}";

/// The text of an included template. One that is not there, or lies elsewhere, is not known.
fn included(directory: &Path, name: &str) -> Option<String> {
    let is_beside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let paths: [PathBuf; 2] = [directory.join(name), directory.join("..").join("templates").join(name)];
    paths.iter().filter(|_| is_beside).find_map(|path| std::fs::read_to_string(path).ok())
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
