//! A template with marks in it that survive being filled in: which line each text comes from, and what each tag asks for.

use crate::commands::fill::lines::Lines;
use cnflint::input::filled::mark;
use cnflint::optionfile::markup;
use std::collections::BTreeSet;

/// The filter around what a tag leaves behind.
pub const OUTPUT: &str = "cnflint_output";
/// The filter around what a tag decides by.
pub const CONDITION: &str = "cnflint_condition";
/// The filter around what a tag gives a name to.
pub const SET: &str = "cnflint_set";
/// The filter that makes the number of a tag the tag itself.
pub const TAG: &str = "cnflint_tag";

/// A tag whose expression is not defined.
const NOTHING: &str = "{{ cnflint_nothing }}";
/// What a name is called that must not be known.
const UNUSED: &str = "cnflint_unused";

/// What turned out while a template was filled in, and how it is to be filled in again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The tags of which no expression is worked out.
    pub silent: BTreeSet<usize>,
    /// The tags that open a block which stays in the text with all of its branches.
    pub kept: BTreeSet<usize>,
    /// Names that are not known, since a kept block or something not defined decides about them.
    pub hidden: BTreeSet<String>,
    /// Whether included templates ask for what is not defined, so that nobody knows what they say.
    pub includes_unknown: bool,
}

/// The number of every tag of an included template.
pub const INCLUDED: usize = 999_999;

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
    /// The tag that opens its block.
    head: Option<usize>,
}

impl Marked {
    /// Puts the marks in.
    pub fn of(text: &str, plan: &Plan) -> Self {
        let mut making = Making { lines: Lines::default(), tags: Vec::new(), open: Vec::new(), plan };
        pieces(text, |piece| match piece {
            Piece::Text(text) => making.lines.literal(text),
            Piece::Tag(tag) => making.tag(tag),
        });
        Self { source: making.lines.source, tags: making.tags }
    }

    /// A template that another one includes, on that line from 0, and which says nothing of its own lines.
    pub fn of_included(text: &str, line: usize) -> Self {
        let (mut source, mut tags) = (String::new(), Vec::new());
        pieces(text, |piece| match piece {
            Piece::Text(text) => {
                for line_of_text in text.split_inclusive('\n') {
                    source.push_str(line_of_text);
                    if line_of_text.ends_with('\n') {
                        source.push_str(&mark(line));
                    }
                }
            }
            Piece::Tag(tag) => {
                source.push_str(&wrap(tag, INCLUDED).unwrap_or_else(|| tag.to_owned()));
                tags.push(Tag { line, text: tag.to_owned(), head: None });
            }
        });
        Self { source: mark(line) + &source, tags }
    }

    /// The tag as it is written.
    pub fn text(&self, tag: usize) -> &str {
        self.tags.get(tag).map_or("{{ included }}", |tag| &tag.text)
    }

    /// The line of a tag, from 1.
    pub fn line(&self, tag: usize) -> usize {
        self.tags.get(tag).map_or(1, |tag| tag.line + 1)
    }

    /// The tag that opens the block of another one.
    pub fn head(&self, tag: usize) -> Option<usize> {
        self.tags.get(tag)?.head
    }

    /// The tags that begin on a line, from 1.
    pub fn tags_on(&self, line: usize) -> impl Iterator<Item = usize> {
        let on_line = move |(_, tag): &(usize, &Tag)| tag.line + 1 == line;
        self.tags.iter().enumerate().filter(on_line).map(|(number, _)| number)
    }

    /// The tag that brings another template in.
    pub fn includes(&self, name: &str) -> Option<usize> {
        let brings = |tag: &Tag| tag.text.contains(name) && matches!(word(&tag.text), "include" | "import" | "from");
        self.tags.iter().position(brings)
    }

    /// The mark of a tag's line.
    pub fn mark(&self, tag: usize) -> String {
        self.tags.get(tag).map_or_else(String::new, |tag| mark(tag.line))
    }

    /// Whether the tag says what counts where something is not defined.
    pub fn has_default(&self, tag: usize) -> bool {
        let text = self.text(tag);
        ["default(", "d(", "defined", "omit", ".get("].iter().any(|word| text.contains(word))
    }

    /// What a tag gives a name to, or goes through a list with.
    pub fn names_of(&self, tag: usize) -> Vec<String> {
        names(self.text(tag)).map(str::to_owned).collect()
    }

    /// The names that are set within a block.
    pub fn names_within(&self, head: usize) -> BTreeSet<String> {
        let behind = self.tags.iter().enumerate().skip(head + 1);
        let inside = behind.take_while(|(_, tag)| !(tag.head == Some(head) && word(&tag.text).starts_with("end")));
        let mut all: BTreeSet<String> = self.names_of(head).into_iter().collect();
        for (number, tag) in inside {
            if word(&tag.text) == "set" {
                all.extend(self.names_of(number));
            }
        }
        all
    }
}

enum Piece<'a> {
    Text(&'a str),
    Tag(&'a str),
}

/// Goes through a template: Jinja's own tags, and everything else.
fn pieces<'a>(text: &'a str, mut each: impl FnMut(Piece<'a>)) {
    let (mut at, mut raw) = (0, false);
    for span in markup(text.as_bytes()) {
        let (start, end) = (span.start as usize, span.end as usize);
        let Some(tag) = text.get(start..end) else { continue };
        if !["{{", "{%", "{#"].iter().any(|open| tag.starts_with(open)) {
            continue;
        }
        each(Piece::Text(text.get(at..start).unwrap_or_default()));
        let words = tag.trim_matches(['{', '}', '%', '-', '+', ' ']);
        raw = raw && words != "endraw";
        if raw {
            each(Piece::Text(tag));
        } else {
            each(Piece::Tag(tag));
            raw = words == "raw";
        }
        at = end;
    }
    each(Piece::Text(text.get(at..).unwrap_or_default()));
}

struct Making<'a> {
    lines: Lines,
    tags: Vec<Tag>,
    /// The tags whose blocks are open.
    open: Vec<usize>,
    plan: &'a Plan,
}

impl Making<'_> {
    fn tag(&mut self, text: &str) {
        let number = self.tags.len();
        let word = if text.starts_with("{%") { word(text) } else { "" };
        if matches!(word, "if" | "for") {
            self.open.push(number);
        }
        let is_of_block = matches!(word, "if" | "for" | "elif" | "else" | "endif" | "endfor");
        let head = self.open.last().copied().filter(|_| is_of_block);
        if matches!(word, "endif" | "endfor") {
            self.open.pop();
        }
        self.tags.push(Tag { line: self.lines.line, text: text.to_owned(), head });
        let in_place = match head {
            Some(head) if self.plan.kept.contains(&head) => format!("{{{{ {number} | {TAG} }}}}"),
            _ if word == "set" && names(text).any(|name| self.plan.hidden.contains(name)) => unused(text),
            _ => {
                let is_silent = text.starts_with("{{") && self.plan.silent.contains(&number);
                wrap(if is_silent { NOTHING } else { text }, number).unwrap_or_else(|| text.to_owned())
            }
        };
        self.lines.tag(text, &in_place);
    }
}

/// A tag that sets what nobody asks for, to nothing.
fn unused(tag: &str) -> String {
    let end = if tag.ends_with("-%}") { "-%}" } else { "%}" };
    let begin = if tag.starts_with("{%-") { "{%-" } else { "{%" };
    // A block has no value of its own.
    let value = if tag.contains('=') { " = 0" } else { "" };
    format!("{begin} set {UNUSED}{value} {end}")
}

/// The first word of a tag.
fn word(tag: &str) -> &str {
    let inner = tag.get(2..).unwrap_or_default().trim_start_matches(['-', '+']).trim_start();
    inner.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default()
}

/// The names before `=` and `in`: `{% set a.b = 1 %}` gives one to `a`.
fn names(tag: &str) -> impl Iterator<Item = &str> {
    let behind = tag.split_once(word(tag)).map_or("", |(_, behind)| behind);
    let listed = match word(tag) {
        "set" => behind.split(['=', '%', '|']).next().unwrap_or_default(),
        "for" => behind.split(" in ").next().unwrap_or_default(),
        _ => "",
    };
    let name = |part: &'_ str| -> usize { part.find(['.', '[']).unwrap_or(part.len()) };
    listed.split([',', '(', ')', ' ', '-']).map(move |part| &part[..name(part)]).filter(|name| !name.is_empty())
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
        ("{%", "set") => {
            let (names, value) = rest.split_once('=')?;
            (!names.contains(',')).then(|| expression(&format!("set {names} ="), value, SET))
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
        let marked = Marked::of("{% raw %}{{ a }}{% endraw %}\n  b = {{ c }}\n", &Plan::default());
        let wanted = format!(
            "{{% raw %}}{}{{{{ a }}}}{{% endraw %}}\n  {}b = {{{{  ( c ) | cnflint_output(2) }}}}\n",
            mark(0),
            mark(1)
        );
        assert_eq!(marked.source, wanted);
    }

    #[test]
    fn names_are_those_before_the_sign() {
        for (tag, wanted) in [
            ("{% set a = b %}", vec!["a"]),
            ("{%- set a.b=c -%}", vec!["a"]),
            ("{% set a %}", vec!["a"]),
            ("{% for k, v in x.items() %}", vec!["k", "v"]),
            ("{% for (k, v) in x %}", vec!["k", "v"]),
            ("{% if a = b %}", vec![]),
        ] {
            assert_eq!(names(tag).collect::<Vec<_>>(), wanted, "{tag}");
        }
    }
}
