//! A template with marks in it that survive being filled in: which line each text comes from, and what each tag asks for.

use cnflint::input::filled::mark;
use cnflint::optionfile::markup;
use std::collections::BTreeSet;

/// The filter around what a tag leaves behind.
pub const OUTPUT: &str = "cnflint_output";
/// The filter around what a tag decides by.
pub const CONDITION: &str = "cnflint_condition";

/// A tag whose expression is not defined.
const NOTHING: &str = "{{ cnflint_nothing }}";

/// A template made ready.
#[derive(Debug, Default)]
pub struct Marked {
    /// What the engine gets.
    pub source: String,
    tags: Vec<Tag>,
}

#[derive(Debug)]
struct Tag {
    /// Counted from 0.
    line: usize,
    text: String,
}

impl Marked {
    /// Puts the marks in. On silent lines, counted from 1, no expression is worked out.
    pub fn of(text: &str, silent: &BTreeSet<usize>) -> Self {
        let mut making = Making { marked: Self::default(), line: 0, is_marked: false, silent };
        let (mut at, mut raw) = (0, false);
        for span in markup(text.as_bytes()) {
            let (start, end) = (span.start as usize, span.end as usize);
            let Some(tag) = text.get(start..end) else { continue };
            if !["{{", "{%", "{#"].iter().any(|open| tag.starts_with(open)) {
                continue;
            }
            making.literal(text.get(at..start).unwrap_or_default());
            let words = tag.trim_matches(['{', '}', '%', '-', '+', ' ']);
            raw = raw && words != "endraw";
            if raw {
                making.literal(tag);
            } else {
                making.tag(tag);
                raw = words == "raw";
            }
            at = end;
        }
        making.literal(text.get(at..).unwrap_or_default());
        making.marked
    }

    /// The tag as it is written.
    pub fn text(&self, tag: usize) -> &str {
        self.tags.get(tag).map_or("", |tag| &tag.text)
    }

    /// The line of a tag, from 1.
    pub fn line(&self, tag: usize) -> usize {
        self.tags.get(tag).map_or(1, |tag| tag.line + 1)
    }

    /// Whether a tag that begins on the line, from 1, leaves text behind.
    pub fn leaves_text(&self, line: usize) -> bool {
        self.tags.iter().any(|tag| tag.line + 1 == line && tag.text.starts_with("{{"))
    }

    /// The mark of a tag's line.
    pub fn mark(&self, tag: usize) -> String {
        self.tags.get(tag).map_or_else(String::new, |tag| mark(tag.line))
    }

    /// Whether the tag says what counts where something is not defined.
    pub fn has_default(&self, tag: usize) -> bool {
        let text = self.text(tag);
        ["default(", "d(", "defined", "omit"].iter().any(|word| text.contains(word))
    }
}

struct Making<'a> {
    marked: Marked,
    line: usize,
    /// Whether the line at hand has its mark.
    is_marked: bool,
    silent: &'a BTreeSet<usize>,
}

impl Making<'_> {
    fn literal(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let first = piece.find(|letter: char| !letter.is_whitespace());
            if let Some(first) = first.filter(|_| !self.is_marked) {
                self.marked.source.push_str(&piece[..first]);
                self.marked.source.push_str(&mark(self.line));
                self.marked.source.push_str(&piece[first..]);
                self.is_marked = true;
            } else {
                self.marked.source.push_str(piece);
            }
            if piece.ends_with('\n') {
                self.line += 1;
                self.is_marked = false;
            }
        }
    }

    fn tag(&mut self, text: &str) {
        let number = self.marked.tags.len();
        let is_silent = text.starts_with("{{") && self.silent.contains(&(self.line + 1));
        let wrapped = wrap(if is_silent { NOTHING } else { text }, number).unwrap_or_else(|| text.to_owned());
        self.marked.source.push_str(&wrapped);
        self.marked.tags.push(Tag { line: self.line, text: text.to_owned() });
        let newlines = text.matches('\n').count();
        self.line += newlines;
        self.is_marked &= newlines == 0;
    }
}

/// The tag with a filter around its expression.
fn wrap(tag: &str, number: usize) -> Option<String> {
    let (open, close) = (tag.get(..2)?, tag.get(tag.len().checked_sub(2)?..)?);
    let inner = tag.get(2..tag.len() - 2)?;
    let sign =
        |sign: Option<char>| sign.filter(|sign| matches!(sign, '-' | '+')).map_or_else(String::new, String::from);
    let (before, after) = (sign(inner.chars().next()), sign(inner.chars().next_back().filter(|_| inner.len() > 1)));
    let inner = inner.get(before.len()..inner.len() - after.len())?;
    let expression = |words: &str, expression: &str, filter: &str| {
        let expression = expression.strip_suffix(':').unwrap_or(expression);
        format!("{open}{before} {words} ({expression}) | {filter}({number}) {after}{close}")
    };
    if open == "{{" {
        return Some(expression("", inner, OUTPUT));
    }
    let blanks = inner.len() - inner.trim_start().len();
    let (word, rest) = inner.trim_start().split_once(|letter: char| letter.is_whitespace() || letter == '(')?;
    // The bracket belongs to the expression.
    let rest = inner.get(blanks + word.len()..).unwrap_or(rest).trim_end();
    match (open, word) {
        ("{%", "if" | "elif") => Some(expression(word, rest, CONDITION)),
        ("{%", "for") if !rest.contains(" if ") && !rest.ends_with(" recursive") => {
            let (names, list) = rest.split_once(" in ")?;
            Some(expression(&format!("for {names} in"), list, CONDITION))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_wrapped_and_signs_stay() {
        assert_eq!(wrap("{{- x | d(1) -}}", 3).unwrap(), "{{-  ( x | d(1) ) | cnflint_output(3) -}}");
        assert_eq!(wrap("{% if(a) %}", 0).unwrap(), "{% if ((a)) | cnflint_condition(0) %}");
        let wrapped = wrap("{%- for a, b in c.items() %}", 1).unwrap();
        assert_eq!(wrapped, "{%- for  a, b in (c.items()) | cnflint_condition(1) %}");
        assert_eq!(wrap("{% endif %}", 0), None);
        assert_eq!(wrap("{# if x #}", 0), None);
    }

    #[test]
    fn the_first_text_of_each_line_is_marked() {
        let marked = Marked::of("{% raw %}{{ a }}{% endraw %}\n  b = {{ c }}\n", &BTreeSet::new());
        let wanted = format!(
            "{{% raw %}}{}{{{{ a }}}}{{% endraw %}}\n  {}b = {{{{  ( c ) | cnflint_output(2) }}}}\n",
            mark(0),
            mark(1)
        );
        assert_eq!(marked.source, wanted);
    }
}
