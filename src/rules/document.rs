//! A TOML file whose every part knows its bytes, and the faults found in it.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// More words than these are no help.
const FEW_WORDS: usize = 20;

/// One fault of a rule file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct RuleFileError {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: FileText,
    /// The bytes that the fault is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// The text of a file, shared by its faults.
#[derive(Clone, PartialEq)]
pub struct FileText(pub Arc<str>);

impl fmt::Debug for FileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl RuleFileError {
    /// Line and column of the first byte, both counted from 1, columns in code points.
    pub fn position(&self) -> (usize, usize) {
        let before = self.text.0.get(..self.span.start).unwrap_or(&self.text.0);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for RuleFileError {
    /// `path:line:col: message`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{}:{line}:{column}: {}", self.path.display(), self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// A file being read.
pub(super) struct Document<'t> {
    path: &'t Path,
    text: &'t str,
    shared: FileText,
    pub(super) errors: Vec<RuleFileError>,
}

/// A value and its bytes.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;
/// The tables of a file, in which every key and value knows its bytes.
pub(super) type Table<'t> = DeTable<'t>;

impl<'t> Document<'t> {
    pub(super) fn new(path: &'t Path, text: &'t str) -> Self {
        Self { path, text, shared: FileText(text.into()), errors: Vec::new() }
    }

    /// The whole file; `None` when it is no TOML.
    pub(super) fn parse(&mut self) -> Option<Table<'t>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            self.fault(error.span().unwrap_or(0..0), error.message().trim_end(), None);
        }
        errors.is_empty().then(|| table.into_inner())
    }

    pub(super) fn fault(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        let (path, text) = (self.path.to_owned(), self.shared.clone());
        self.errors.push(RuleFileError { path, text, span, message: message.into(), help });
    }

    /// Refuses keys that are not among `known`.
    pub(super) fn only(&mut self, table: &Table<'t>, known: &[&str]) {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let near = nearest(name, known);
                let help = near.map_or_else(|| known.join(", "), |near| format!("did you mean `{near}`?"));
                self.fault(key.span(), format!("unknown key `{name}`"), Some(help));
            }
        }
    }

    /// A key that has to be there.
    pub(super) fn required<'v>(
        &mut self,
        table: &'v Table<'t>,
        key: &str,
        place: Range<usize>,
    ) -> Option<&'v Value<'t>> {
        let found = get(table, key);
        if found.is_none() {
            self.fault(place, format!("`{key}` is missing"), None);
        }
        found
    }

    /// A string that must not be empty.
    pub(super) fn string<'v>(&mut self, value: &'v Value<'t>) -> Option<&'v str> {
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some(text),
            Some(_) => self.refuse(value, "this must not be empty"),
            None => self.refuse(value, "expected a string"),
        }
    }

    /// A string of one line.
    pub(super) fn line<'v>(&mut self, value: &'v Value<'t>) -> Option<&'v str> {
        match self.string(value)? {
            text if text.contains('\n') => self.refuse(value, "this must be a single line"),
            text => Some(text),
        }
    }

    /// One of some words: its position.
    pub(super) fn word(&mut self, value: &Value<'t>, words: &[&str], what: &str) -> Option<usize> {
        let text = self.string(value)?;
        let found = words.iter().position(|word| *word == text);
        if found.is_none() {
            let near = nearest(text, words).map(|near| format!("did you mean `{near}`?"));
            let help = near.or_else(|| (words.len() <= FEW_WORDS).then(|| words.join(", ")));
            self.fault(value.span(), format!("unknown {what} `{text}`"), help);
        }
        found
    }

    /// A string, or a list of strings.
    pub(super) fn strings<'v>(&mut self, value: &'v Value<'t>) -> Vec<&'v Value<'t>> {
        match value.get_ref() {
            DeValue::String(_) => vec![value],
            DeValue::Array(values) => values.iter().collect(),
            _ => {
                self.fault(value.span(), "expected a string or a list of strings", None);
                Vec::new()
            }
        }
    }

    pub(super) fn table<'v>(&mut self, value: &'v Value<'t>) -> Option<&'v Table<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.fault(value.span(), "expected a table", None);
        }
        table
    }

    /// The tables of an array of tables; empty where there is none.
    pub(super) fn tables<'v>(&mut self, parent: &'v Table<'t>, key: &str) -> Vec<(&'v Table<'t>, Range<usize>)> {
        let Some(value) = get(parent, key) else { return Vec::new() };
        let Some(values) = value.get_ref().as_array() else {
            self.fault(value.span(), format!("expected `[[{key}]]`"), None);
            return Vec::new();
        };
        values.iter().filter_map(|value| Some((self.table(value)?, value.span()))).collect()
    }

    /// A string in which every byte stands for itself, so that a fault in it can be pointed at, and where it begins.
    pub(super) fn verbatim<'v>(&mut self, value: &'v Value<'t>) -> Option<(&'v str, usize)> {
        let text = self.string(value)?;
        let span = value.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let inside = raw.get(quotes..raw.len().saturating_sub(quotes)).unwrap_or_default();
        // TOML drops a line break right behind three quotes.
        let skipped = if quotes == 3 && inside.starts_with('\n') { 1 } else { 0 };
        if &inside[skipped..] != text {
            let help = "put it between three quotes, where nothing needs a backslash".to_owned();
            self.fault(span, "no escapes here: every byte has to stand for itself", Some(help));
            return None;
        }
        Some((text, span.start + quotes + skipped))
    }

    /// The bytes of a value as they are written.
    pub(super) fn raw(&self, value: &Value<'t>) -> &'t str {
        self.text.get(value.span()).unwrap_or_default()
    }

    pub(super) fn refuse<T>(&mut self, value: &Value<'t>, message: impl Into<String>) -> Option<T> {
        self.fault(value.span(), message, None);
        None
    }
}

/// The value of a key.
pub(super) fn get<'v, 't>(table: &'v Table<'t>, key: &str) -> Option<&'v Value<'t>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
}

/// The word that looks most like `word`, if any looks enough like it.
pub(super) fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let scored = words.iter().map(|known| (strsim::jaro_winkler(word, known), *known));
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(score, _)| *score > 0.8).map(|(_, known)| known)
}
