//! A template filled in, and where its bytes come from.

use crate::source::{ByteMap, Span};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// Fills templates in.
pub trait Fill: Debug + Send + Sync {
    /// The file as a server would get it; `None` where it is no template that this one can fill in.
    ///
    /// # Errors
    /// When the template is broken, or what it asks for is not defined.
    fn fill(&self, path: &Path, bytes: &[u8]) -> Result<Option<Filled>, FillError>;

    /// The same for a file that holds option files among other things, such as a manifest in a chart.
    ///
    /// # Errors
    /// When the template is broken.
    fn fill_carrier(&self, path: &Path, bytes: &[u8]) -> Result<Option<Filled>, FillError>;
}

/// Why a template cannot be filled in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {message}", path.display())]
pub struct FillError {
    /// The template.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The bytes that a template becomes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// What a server gets.
    pub bytes: Vec<u8>,
    /// Where it comes from in the template.
    pub map: ByteMap,
    /// What conditions ask for that is not defined, so that their branches stand in it as they do in the template.
    pub missing: Option<FillError>,
}

/// Begins and ends the number of a line in marked text. Private characters: no configuration holds them.
const MARK: [char; 2] = ['\u{f0f0}', '\u{f0f1}'];

/// The mark of a line, counted from 0, to be put before its first text.
pub fn mark(line: usize) -> String {
    format!("{}{line}{}", MARK[0], MARK[1])
}

impl Filled {
    /// Takes the marks out of text that was made from a template, and keeps what they say.
    ///
    /// A line that stands in the template as it is, once, has its very bytes there; any other stands for the whole line.
    pub fn from_marked(template: &str, marked: &str) -> Self {
        let lines = Lines::of(template);
        let mut read: Vec<(String, usize)> = Vec::new();
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut last, mut at) = (0, 0);
        for line in marked.split_inclusive('\n') {
            let (text, first) = unmarked(line);
            let below = lines.0.get(at + 1).is_some_and(|next| next.of(template.as_bytes()) == text.as_bytes());
            let is_blank = first.is_none() && text.trim().is_empty();
            // A value of several lines has a mark in its first one; a blank line has none, and is the next one of the template.
            last = first.map_or(last, |first| first.min(lines.0.len().saturating_sub(1)));
            at = if is_blank && below && !read.is_empty() { at + 1 } else { last };
            if !is_blank || at != last {
                *times.entry(at).or_default() += 1;
            }
            read.push((text, at));
        }
        let mut filled = Self::default();
        for (text, line) in &read {
            let outer = lines.0.get(*line).copied().unwrap_or_default();
            let is_once = times.get(line) == Some(&1);
            let is_same = outer.of(template.as_bytes()) == text.as_bytes();
            let written = outer.of(template.as_bytes());
            if is_once && is_same {
                filled.map.push(text.len() as u32, outer);
            } else {
                // What is shown begins with a letter.
                let blanks = indentation(text.as_bytes(), written);
                let length = text.len() as u32 - blanks;
                let newline = u32::from(written.ends_with(b"\n"));
                let shown = Span::new(outer.start + blanks, (outer.end - newline).max(outer.start + blanks));
                filled.map.push(blanks, Span::new(outer.start, shown.start));
                // Of another length, so that nobody takes it for the same bytes.
                let end = if shown.len() == length { shown.end.saturating_sub(1).max(shown.start) } else { shown.end };
                filled.map.push(length, Span::new(shown.start, end));
            }
            filled.bytes.extend_from_slice(text.as_bytes());
        }
        filled
    }
}

/// How many blanks both lines begin with.
fn indentation(one: &[u8], other: &[u8]) -> u32 {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other && matches!(one, b' ' | b'\t'));
    same.count() as u32
}

/// The lines of a text with their newlines.
struct Lines(Vec<Span>);

impl Lines {
    fn of(text: &str) -> Self {
        let mut start = 0;
        let line = |line: &str| {
            let span = Span::new(start, start + line.len() as u32);
            start = span.end;
            span
        };
        Self(text.split_inclusive('\n').map(line).collect())
    }
}

/// The text without marks.
pub fn without_marks(text: &str) -> String {
    unmarked(text).0
}

/// The text without marks, and the first of them.
fn unmarked(line: &str) -> (String, Option<usize>) {
    let (mut text, mut first) = (String::with_capacity(line.len()), None);
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once(MARK[0]) {
        text.push_str(before);
        let (number, behind) = behind.split_once(MARK[1]).unwrap_or((behind, ""));
        first = first.or_else(|| number.parse().ok());
        rest = behind;
    }
    text.push_str(rest);
    (text, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_line_is_the_one_below() {
        let template = "a = 1\n\n\nb = 2\n";
        let filled = Filled::from_marked(template, &format!("{}a = 1\n\n\n{}b = 2\n", mark(0), mark(3)));
        assert!(filled.map.is_exact(Span::new(0, template.len() as u32)));
        // One that a tag left behind is nobody's own.
        let template = "{% if x %}\na = 1\n{% endif %}\nb = 2\n";
        let filled = Filled::from_marked(template, &format!("\n{}a = 1\n\n{}b = 2\n", mark(1), mark(3)));
        assert!(filled.map.is_exact(Span::new(1, 7)));
        assert_eq!(filled.map.outer(Span::new(8, 13)).of(template.as_bytes()), b"b = 2");
    }

    #[test]
    fn lines_are_led_back_to_the_template() {
        let template = "{% if a %}\nport = {{ port }}\n{% endif %}\nskip-log-bin\nx = {{ y }}\n";
        let marked = format!("{}port = 3306\n{}skip-log-bin\n{}x = 1\n{}y = 2\n", mark(1), mark(3), mark(4), "");
        let filled = Filled::from_marked(template, &marked);
        assert_eq!(filled.bytes, b"port = 3306\nskip-log-bin\nx = 1\ny = 2\n");
        let outer = |text: &str| {
            let start = std::str::from_utf8(&filled.bytes).unwrap().find(text).unwrap() as u32;
            let span = Span::new(start, start + text.len() as u32);
            let outer = std::str::from_utf8(filled.map.outer(span).of(template.as_bytes())).unwrap();
            (outer, filled.map.is_exact(span))
        };
        assert_eq!(outer("skip-log-bin"), ("skip-log-bin", true));
        assert_eq!(outer("3306"), ("port = {{ port }}", false));
        assert_eq!(outer("y = 2"), ("x = {{ y }}", false));
    }
}
