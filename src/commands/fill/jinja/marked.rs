//! A template with marks in it that survive being filled in: which line each text comes from, and what each tag asks for.

use crate::commands::fill::lines::Lines;
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
        let (mut lines, mut tags) = (Lines::default(), Vec::new());
        let (mut at, mut raw) = (0, false);
        for span in markup(text.as_bytes()) {
            let (start, end) = (span.start as usize, span.end as usize);
            let Some(tag) = text.get(start..end) else { continue };
            if !["{{", "{%", "{#"].iter().any(|open| tag.starts_with(open)) {
                continue;
            }
            lines.literal(text.get(at..start).unwrap_or_default());
            let words = tag.trim_matches(['{', '}', '%', '-', '+', ' ']);
            raw = raw && words != "endraw";
            if raw {
                lines.literal(tag);
            } else {
                add(&mut lines, &mut tags, tag, silent);
                raw = words == "raw";
            }
            at = end;
        }
        lines.literal(text.get(at..).unwrap_or_default());
        Self { source: lines.source, tags }
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

/// Adds a tag with its filter.
fn add(lines: &mut Lines, tags: &mut Vec<Tag>, text: &str, silent: &BTreeSet<usize>) {
    let number = tags.len();
    tags.push(Tag { line: lines.line, text: text.to_owned() });
    let is_silent = text.starts_with("{{") && silent.contains(&(lines.line + 1));
    let wrapped = wrap(if is_silent { NOTHING } else { text }, number).unwrap_or_else(|| text.to_owned());
    lines.tag(text, &wrapped);
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
