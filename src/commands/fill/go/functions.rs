//! The functions of Go's templates, of Helm and of confd that option files use. What another one gives is not known.

use super::marked::Marked;
use super::names::{
    ABSENT, AND, CONDITION, DEFAULT_OF_ENVIRONMENT, FIELD, INCLUDE, ITEMS, ONCE, OR, OUTPUT, TAG, UNKNOWN,
};
use super::values::{Known, text};
use super::variables::{self, is_absent, is_undefined, undefined, unknown};
use super::{WHOLE, numbers, texts};
use gotmpl::parse::ListNode;
use gotmpl::{FuncMap, Template, TemplateError, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Templates that bring in each other do not go deeper.
const DEEPEST: usize = 20;
/// No option file has more lines than its loops may make here.
const MOST_LINES: u64 = 100_000;

/// Functions that have an answer for what is not defined.
const OF_ANYTHING: [(&str, Known); 15] = [
    (FIELD, field),
    (AND, and),
    (OR, or),
    ("default", default),
    (DEFAULT_OF_ENVIRONMENT, default_of_environment),
    ("coalesce", coalesce),
    ("empty", empty),
    ("hasKey", has_key),
    ("required", last),
    ("ternary", ternary),
    ("list", list),
    ("tuple", list),
    ("dict", dict),
    (ABSENT, none),
    (UNKNOWN, none),
];

/// What the template at hand is worked out with.
#[derive(Debug)]
pub struct Engine {
    /// The template and all that it or its neighbours define.
    trees: BTreeMap<String, ListNode>,
    called: BTreeSet<String>,
    marked: Marked,
    root: Value,
    /// Blocks whose conditions nobody can decide, and tags that stay with the blanks around them.
    undecided: Mutex<BTreeSet<usize>>,
    met_unknown: AtomicBool,
    /// How many templates the one at hand lies in.
    depth: AtomicUsize,
}

impl Engine {
    /// With the trees of all templates, the functions that they call, the template's own tags and the variables.
    pub fn new(trees: BTreeMap<String, ListNode>, called: BTreeSet<String>, marked: Marked, root: Value) -> Self {
        let (undecided, met_unknown, depth) = Default::default();
        Self { trees, called, marked, root, undecided, met_unknown, depth }
    }

    /// The text that the template gives.
    ///
    /// # Errors
    /// When it cannot be worked out.
    pub fn render(self: &Arc<Self>) -> Result<String, TemplateError> {
        self.text_of(WHOLE, &self.root)
    }

    /// The tags that stay as they stand.
    pub fn undecided(&self) -> BTreeSet<usize> {
        self.undecided.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn text_of(self: &Arc<Self>, name: &str, dot: &Value) -> Result<String, TemplateError> {
        let begun = Template::new("").funcs(self.functions()).max_range_iters(MOST_LINES);
        let add = |template: Template, (name, tree): (&String, &ListNode)| template.add_parse_tree(name, tree.clone());
        self.trees.iter().fold(begun, add).execute_template_to_string(name, dot)
    }

    fn functions(self: &Arc<Self>) -> FuncMap {
        let mut functions = FuncMap::new();
        for name in &self.called {
            // What is not known below.
            functions.insert(name.clone(), Arc::new(|_: &[Value]| Ok(unknown())));
        }
        let of_known = BUILT_IN.iter().chain(&texts::FUNCTIONS).chain(&numbers::FUNCTIONS);
        for (name, function) in of_known.copied().filter(|(name, _)| self.called.contains(*name)) {
            let guarded = move |values: &[Value]| {
                let is_known = !values.iter().any(is_absent);
                Ok(is_known.then(|| function(values)).flatten().unwrap_or_else(unknown))
            };
            functions.insert(name.to_owned(), Arc::new(guarded));
        }
        for (name, function) in OF_ANYTHING {
            functions.insert(
                name.to_owned(),
                Arc::new(move |values: &[Value]| Ok(function(values).unwrap_or_else(unknown))),
            );
        }
        for name in ["getenv", "env", "getv", "key", "keyOrDefault", "env.Getenv", "get", "exists", "keyExists"] {
            let root = self.root.clone();
            functions.insert(name.to_owned(), Arc::new(move |values: &[Value]| Ok(looked_up(name, &root, values))));
        }
        self.add_own(&mut functions);
        functions
    }

    /// The functions that know the template's tags.
    fn add_own(self: &Arc<Self>, functions: &mut FuncMap) {
        functions.insert(ONCE.to_owned(), Arc::new(|_: &[Value]| Ok(Value::List(Arc::from([unknown()])))));
        let engine = Arc::clone(self);
        let tag = move |values: &[Value]| Ok(text(engine.marked.text(number(values))));
        functions.insert(TAG.to_owned(), Arc::new(tag));
        let engine = Arc::clone(self);
        functions.insert(OUTPUT.to_owned(), Arc::new(move |values: &[Value]| Ok(engine.output(values))));
        let engine = Arc::clone(self);
        functions.insert(CONDITION.to_owned(), Arc::new(move |values: &[Value]| Ok(engine.decides(values, |_| true))));
        let engine = Arc::clone(self);
        let goes_through = |value: &Value| {
            matches!(value, Value::List(_) | Value::Map(_) | Value::Nil | Value::Int(_) | Value::Uint(_))
        };
        functions.insert(ITEMS.to_owned(), Arc::new(move |values: &[Value]| Ok(engine.decides(values, goes_through))));
        let engine = Arc::clone(self);
        functions.insert(INCLUDE.to_owned(), Arc::new(move |values: &[Value]| Ok(engine.include(values))));
    }

    fn output(&self, values: &[Value]) -> Value {
        let (tag, value) = (number(values), values.last().unwrap_or(&Value::Nil));
        if is_absent(value) || matches!(value, Value::Nil) {
            self.met_unknown.store(true, Ordering::Relaxed);
            if self.marked.trims(tag) {
                self.undecided.lock().unwrap_or_else(PoisonError::into_inner).insert(tag);
            }
            return text(self.marked.text(tag));
        }
        let mark = self.marked.mark(tag);
        // Each of its lines was brought by this one; what comes behind the last newline was not.
        let lines = value.to_string();
        let (lines, rest) = lines.strip_suffix('\n').map_or((&*lines, ""), |lines| (lines, "\n"));
        text(mark.clone() + &lines.replace('\n', &format!("\n{mark}")) + rest)
    }

    fn decides(&self, values: &[Value], is_fit: impl Fn(&Value) -> bool) -> Value {
        let value = values.last().unwrap_or(&Value::Nil);
        let is_known = match value {
            Value::Function(_) => false,
            value => is_fit(value),
        };
        if is_known {
            return value.clone();
        }
        self.met_unknown.store(true, Ordering::Relaxed);
        let head = self.marked.head(number(values));
        self.undecided.lock().unwrap_or_else(PoisonError::into_inner).insert(head);
        Value::Nil
    }

    /// Another template's text; not known where something in it is not.
    fn include(self: &Arc<Self>, values: &[Value]) -> Value {
        let [Value::String(name), dot] = values else { return unknown() };
        if !self.trees.contains_key(name.as_ref()) || self.depth.fetch_add(1, Ordering::Relaxed) > DEEPEST {
            return unknown();
        }
        let met_before = self.met_unknown.swap(false, Ordering::Relaxed);
        let rendered = self.text_of(name, dot);
        let met = self.met_unknown.swap(met_before, Ordering::Relaxed);
        self.depth.fetch_sub(1, Ordering::Relaxed);
        match rendered {
            Ok(rendered) if !met => text(cnflint::input::filled::without_marks(&rendered)),
            _ => unknown(),
        }
    }
}

/// The engine's own functions, asked through a template of their own.
const BUILT_IN: [(&str, Known); 13] = [
    ("eq", |values| whether("eq", values)),
    ("ne", |values| whether("ne", values)),
    ("lt", |values| whether("lt", values)),
    ("le", |values| whether("le", values)),
    ("gt", |values| whether("gt", values)),
    ("ge", |values| whether("ge", values)),
    ("not", |values| whether("not", values)),
    ("print", |values| Some(text(engine("print", values)?))),
    ("printf", |values| Some(text(engine("printf", values)?))),
    ("println", |values| Some(text(engine("println", values)?))),
    ("len", |values| engine("len", values)?.parse().ok().map(Value::Int)),
    ("index", |values| {
        let (first, rest) = values.split_first()?;
        rest.iter().try_fold(first.clone(), |value, index| match (&value, index) {
            (Value::Map(map), Value::String(name)) if !map.contains_key(name) => Some(undefined()),
            _ => value.index(index).ok(),
        })
    }),
    ("slice", |values| {
        let place = |place: usize| values.get(place).and_then(Value::as_int);
        values.first()?.slice(place(1), place(2)).ok()
    }),
];

/// What the engine's own function prints for values.
fn engine(name: &str, values: &[Value]) -> Option<String> {
    let operands: String = (0..values.len()).map(|place| format!(" (index . {place})")).collect();
    gotmpl::execute(&format!("{{{{{name}{operands}}}}}"), &Value::List(values.iter().cloned().collect())).ok()
}

fn whether(name: &str, values: &[Value]) -> Option<Value> {
    engine(name, values)?.parse().ok().map(Value::Bool)
}

fn number(values: &[Value]) -> usize {
    let number = values.first().and_then(Value::as_int);
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX)
}

/// Keys of confd and Consul, and variables of the environment.
fn looked_up(function: &str, root: &Value, values: &[Value]) -> Value {
    let Some(Value::String(name)) = values.first() else { return unknown() };
    let found = variables::key(root, name);
    match (function, values) {
        ("exists" | "keyExists", _) => Value::Bool(!is_undefined(&found)),
        // Of confd, a pair of key and value.
        ("get", [_]) => {
            Value::Map(Arc::new([(Arc::from("Key"), text(name.to_string())), (Arc::from("Value"), found)].into()))
        }
        ("get", _) => unknown(),
        (_, [_, default]) if is_undefined(&found) => default.clone(),
        _ => found,
    }
}

fn none(_: &[Value]) -> Option<Value> {
    None
}

fn last(values: &[Value]) -> Option<Value> {
    values.last().cloned()
}

fn field(values: &[Value]) -> Option<Value> {
    let (base, names) = values.split_first()?;
    Some(names.iter().fold(base.clone(), |value, name| variables::field(&value, name.as_str().unwrap_or_default())))
}

/// Whether nothing stands there, as far as that is known.
fn is_nothing(value: &Value) -> Option<bool> {
    match value {
        Value::Function(_) => is_undefined(value).then_some(true),
        value => Some(!value.is_truthy()),
    }
}

fn and(values: &[Value]) -> Option<Value> {
    let known = values.iter().filter(|value| !matches!(value, Value::Function(_)));
    if let Some(no) = known.clone().find(|value| !value.is_truthy()) {
        return Some(no.clone());
    }
    if known.count() < values.len() { None } else { last(values) }
}

fn or(values: &[Value]) -> Option<Value> {
    coalesce(values).filter(|value| !is_undefined(value)).or_else(|| {
        // Nothing at all is what the last one is.
        values.iter().all(|value| is_nothing(value) == Some(true)).then(|| values.last().cloned()).flatten()
    })
}

fn coalesce(values: &[Value]) -> Option<Value> {
    for value in values {
        if !is_nothing(value)? {
            return Some(value.clone());
        }
    }
    Some(undefined())
}

fn default(values: &[Value]) -> Option<Value> {
    match values {
        [default, value] if is_nothing(value)? => Some(default.clone()),
        [_, value] => Some(value.clone()),
        _ => None,
    }
}

fn default_of_environment(values: &[Value]) -> Option<Value> {
    match values {
        [value, default] if is_undefined(value) => Some(default.clone()),
        [value, _] => Some(value.clone()),
        _ => None,
    }
}

fn empty(values: &[Value]) -> Option<Value> {
    is_nothing(values.first()?).map(Value::Bool)
}

fn has_key(values: &[Value]) -> Option<Value> {
    match values {
        [Value::Map(map), Value::String(name)] => Some(Value::Bool(map.contains_key(name))),
        _ => None,
    }
}

fn ternary(values: &[Value]) -> Option<Value> {
    match values {
        [yes, _, Value::Bool(true)] => Some(yes.clone()),
        [_, no, Value::Bool(false)] => Some(no.clone()),
        _ => None,
    }
}

fn list(values: &[Value]) -> Option<Value> {
    Some(Value::List(values.iter().cloned().collect()))
}

fn dict(values: &[Value]) -> Option<Value> {
    let pairs = values.chunks(2).map(|pair| match pair {
        [Value::String(name), value] => Some((Arc::clone(name), value.clone())),
        _ => None,
    });
    Some(Value::Map(Arc::new(pairs.collect::<Option<_>>()?)))
}
