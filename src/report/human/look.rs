//! Colours, widths, and words that fit into them.

use crate::finding::Severity;
use std::borrow::Cow;

/// How the report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours and bold type.
    pub color: bool,
    /// Characters beyond ASCII for frames and marks.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Addresses can be followed from the screen.
    pub links: bool,
}

impl Look {
    /// No colours, and a width that fits everywhere: for files and for tests.
    pub const PLAIN: Self = Self { color: false, unicode: true, width: 100, links: false };

    pub(super) fn paint(self, style: &str, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// An address, to be followed where the terminal takes links (OSC 8).
    pub fn link(self, address: &str) -> String {
        if self.links { format!("\u{1b}]8;;{address}\u{1b}\\{address}\u{1b}]8;;\u{1b}\\") } else { address.to_owned() }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        let style = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Advice => "36",
        };
        self.paint(style, text)
    }
}

/// The line, cut where it is too long to be read.
pub(super) fn cut(line: &str, width: usize) -> Cow<'_, str> {
    match line.char_indices().nth(width) {
        Some(_) => {
            let end = line.char_indices().nth(width.saturating_sub(3)).map_or(line.len(), |(at, _)| at);
            Cow::Owned(format!("{}...", &line[..end]))
        }
        None => Cow::Borrowed(line),
    }
}

/// Up to the first full stop that ends a sentence.
pub(super) fn first_sentence(text: &str) -> &str {
    let begins = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_uppercase() || c == '`');
    let ends = text.match_indices('.').map(|(at, _)| at + 1);
    ends.into_iter()
        .find(|end| text[*end..].starts_with(char::is_whitespace) && begins(&text[*end..]))
        .map_or(text, |end| &text[..end])
}

/// The text in lines of at most `width` columns, broken between words; no line for no text.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut columns = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if columns + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
                columns += 1 + length;
            }
            _ => {
                lines.push(word.to_owned());
                columns = length;
            }
        }
    }
    lines
}
