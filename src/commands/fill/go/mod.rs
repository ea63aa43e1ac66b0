//! Go's templates (Helm, confd, consul-template, dockerize), filled in by gotmpl.
//!
//! What is not defined is no error to Go, so what rests on it stays as it stands in the template: an expression in its line, a
//! condition or loop with all of its branches.

mod functions;
mod marked;
mod names;
mod numbers;
mod rewrite;
#[cfg(test)]
mod tests;
mod texts;
mod values;
mod variables;

use cnflint::input::filled::{FillError, Filled};
use functions::Engine;
use gotmpl::TemplateError;
use gotmpl::parse::{DefineNode, ListNode, Parser};
use marked::Marked;
use rewrite::Rewriter;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// What the whole template is called among those that it defines.
const WHOLE: &str = "cnflint_whole";

/// Whether the text holds an action of Go's: `{{ .x }}`, `{{ end }}`, `{{ getenv "X" }}`.
pub fn is_go(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "if",
        "with",
        "range",
        "define",
        "block",
        "template",
        "include",
        "getenv",
        "getv",
        "env",
        "key",
        "keyOrDefault",
        "default",
        "printf",
    ];
    text.split("{{").skip(1).any(|rest| {
        let action = rest.split("}}").next().unwrap_or_default().trim_matches('-').trim();
        let (first, more) = action.split_once(char::is_whitespace).unwrap_or((action, ""));
        let of_field = |mark: char| {
            action.strip_prefix(mark).is_some_and(|name| name.starts_with(|first: char| first.is_alphabetic()))
        };
        let is_call = WORDS.contains(&first) && more.trim_start().starts_with(['.', '$', '"', '(']);
        action == "end" || action.starts_with("/*") || of_field('.') || of_field('$') || is_call
    })
}

/// The template as it comes out with these variables.
///
/// # Errors
/// When it is no template of Go's, or cannot be worked out.
pub fn fill(path: &Path, text: &str, values: &Map<String, Value>) -> Result<Filled, FillError> {
    let wrong = |line: usize, message: String| FillError {
        path: path.to_owned(),
        line,
        message: format!("the template cannot be filled in: {message}"),
    };
    let root = variables::root(values);
    let mut kept = BTreeSet::new();
    loop {
        let marked = Marked::of(text, &kept).map_err(|error| wrong(error.line, error.message))?;
        let told = |error: TemplateError| wrong(line_of(&error, text), message_of(&error));
        let (trees, called) = trees(path, &marked).map_err(told)?;
        let engine = Arc::new(Engine::new(trees, called, marked, root.clone()));
        let rendered = engine.render();
        let undecided = engine.undecided();
        if undecided.is_subset(&kept) {
            return rendered.map(|rendered| Filled::from_marked(text, &rendered)).map_err(told);
        }
        kept.extend(undecided);
    }
}

/// The trees of the template, of what it defines and of what its neighbours define, and the functions that they call.
fn trees(path: &Path, marked: &Marked) -> Result<(BTreeMap<String, ListNode>, BTreeSet<String>), TemplateError> {
    let (whole, defined) = Parser::new(&marked.source, "{{", "}}")?.parse()?;
    let own: BTreeSet<String> = defined.iter().map(|define| define.name.to_string()).collect();
    let mut trees = BTreeMap::new();
    let mut of_others = Rewriter { marked: None, own: &BTreeSet::new(), called: BTreeSet::new() };
    for define in neighbours(path) {
        trees.insert(define.name.to_string(), of_others.list(define.body));
    }
    let mut of_own = Rewriter { marked: Some(marked), own: &own, called: of_others.called };
    for define in defined {
        trees.insert(define.name.to_string(), of_own.list(define.body));
    }
    trees.insert(WHOLE.to_owned(), of_own.list(whole));
    Ok((trees, of_own.called))
}

/// What the helpers beside a template define, as in a chart's `_helpers.tpl`.
fn neighbours(path: &Path) -> Vec<DefineNode> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut helpers: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    helpers.retain(|helper| helper.extension().is_some_and(|extension| extension == "tpl") && helper != path);
    helpers.sort();
    let defined = |helper: &std::path::PathBuf| {
        let text = std::fs::read_to_string(helper).ok()?;
        Some(Parser::new(&text, "{{", "}}").ok()?.parse().ok()?.1)
    };
    helpers.iter().filter_map(defined).flatten().collect()
}

fn message_of(error: &TemplateError) -> String {
    match error {
        TemplateError::Parse { message, .. } | TemplateError::Lex { message, .. } => message.clone(),
        other => other.to_string(),
    }
}

/// The line of an error, from 1; what goes wrong later has none, but may name a variable.
fn line_of(error: &TemplateError, text: &str) -> usize {
    match error {
        TemplateError::Parse { line, .. } | TemplateError::Lex { line, .. } => (*line).max(1),
        TemplateError::UndefinedVariable(name) => {
            text.lines().position(|line| line.contains(name.as_str())).map_or(1, |line| line + 1)
        }
        _ => 1,
    }
}
