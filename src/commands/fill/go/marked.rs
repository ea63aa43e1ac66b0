//! A template of Go's with the mark of each line, and with the conditions that nobody can decide left as they stand.

use super::names::{ABSENT, ONCE, TAG};
use crate::commands::fill::lines::Lines;
use std::collections::BTreeSet;
use std::ops::Range;

/// A template made ready.
#[derive(Debug, Default)]
pub struct Marked {
    /// What the engine gets.
    pub source: String,
    tags: Vec<Tag>,
}

#[derive(Debug)]
struct Tag {
    /// Where it begins in the source.
    at: usize,
    /// Counted from 0.
    line: usize,
    text: String,
    /// The tag that opens its block.
    head: Option<usize>,
}

/// A block that is not closed, or closed twice.
#[derive(Debug)]
pub struct Unbalanced {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl Marked {
    /// Puts the marks in. Kept tags stay in the text, blocks whose first tag is kept with all of their branches.
    ///
    /// # Errors
    /// When a block is not closed: the engine would end with what it has.
    pub fn of(text: &str, kept: &BTreeSet<usize>) -> Result<Self, Unbalanced> {
        let (mut lines, mut tags, mut open) = (Lines::default(), Vec::<Tag>::new(), Vec::<usize>::new());
        let mut at = 0;
        for range in actions(text) {
            lines.literal(text.get(at..range.start).unwrap_or_default());
            let tag = text.get(range.clone()).unwrap_or_default();
            let (number, word) = (tags.len(), word(tag));
            let is_end = word == "end";
            match word {
                "if" | "with" | "range" | "define" | "block" => open.push(number),
                "end" | "else" if open.is_empty() => {
                    let message = format!("`{tag}` belongs to no block");
                    return Err(Unbalanced { line: lines.line + 1, message });
                }
                _ => {}
            }
            let head = open.last().copied().filter(|_| matches!(word, "end" | "else") || open.last() == Some(&number));
            tags.push(Tag { at: lines.source.len(), line: lines.line, text: tag.to_owned(), head });
            match head.filter(|head| kept.contains(head)) {
                Some(head) => {
                    let opening = tags.get(head).map_or("", |tag| &tag.text);
                    lines.tag(tag, &in_place(opening, tag, number));
                }
                None if kept.contains(&number) => lines.tag(tag, &format!("{{{{{TAG} {number}}}}}")),
                None => lines.tag(tag, tag),
            }
            if is_end {
                open.pop();
            }
            at = range.end;
        }
        lines.literal(text.get(at..).unwrap_or_default());
        match open.last().and_then(|tag| tags.get(*tag)) {
            Some(tag) => Err(Unbalanced { line: tag.line + 1, message: format!("`{}` is not closed", tag.text) }),
            None => Ok(Self { source: lines.source, tags }),
        }
    }

    /// The tag around a place in the source.
    pub fn tag_at(&self, offset: usize) -> usize {
        self.tags.partition_point(|tag| tag.at <= offset).saturating_sub(1)
    }

    /// The tag as it is written, with the mark of its line.
    pub fn text(&self, tag: usize) -> String {
        self.mark(tag) + self.tags.get(tag).map_or("", |tag| &tag.text)
    }

    /// The mark of a tag's line.
    pub fn mark(&self, tag: usize) -> String {
        self.tags.get(tag).map_or_else(String::new, |tag| cnflint::input::filled::mark(tag.line))
    }

    /// Whether a tag takes blanks around it away, which belong there as long as it stands.
    pub fn trims(&self, tag: usize) -> bool {
        self.tags.get(tag).is_some_and(|tag| tag.text.starts_with("{{- ") || tag.text.ends_with(" -}}"))
    }

    /// The tag that opens the block of another one.
    pub fn head(&self, tag: usize) -> usize {
        self.tags.get(tag).and_then(|tag| tag.head).unwrap_or(tag)
    }
}

/// What a tag of a kept block becomes: its own text, and dot is not known where the block would set it.
fn in_place(opening: &str, tag: &str, number: usize) -> String {
    let own = format!("{{{{{TAG} {number}}}}}");
    let unknown = format!("{{{{range {ONCE}}}}}");
    let steers_dot = word(opening) != "if";
    match word(tag) {
        "end" if steers_dot => format!("{{{{end}}}}{own}"),
        "else" if steers_dot && inner(tag).contains("with") => format!("{{{{end}}}}{own}{unknown}"),
        "else" if steers_dot => format!("{{{{end}}}}{own}{{{{if true}}}}"),
        "end" | "else" => own,
        _ => {
            let names = inner(tag).split_once(":=").map_or("", |(names, _)| names);
            let names = names.split([',', ' ']).filter(|name| name.starts_with('$'));
            let declared: String = names.map(|name| format!("{{{{{name} := {ABSENT}}}}}")).collect();
            if steers_dot { own + &unknown + &declared } else { own + &declared }
        }
    }
}

/// The first word of an action.
fn word(tag: &str) -> &str {
    let inner = inner(tag);
    inner.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default()
}

fn inner(tag: &str) -> &str {
    let inner = tag.trim_start_matches("{{").trim_end_matches("}}");
    let inner = inner.strip_prefix("- ").unwrap_or(inner);
    inner.strip_suffix(" -").unwrap_or(inner).trim()
}

/// Where each action and comment stands.
fn actions(text: &str) -> Vec<Range<usize>> {
    let mut actions = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("{{")).map(|found| at + found) {
        let Some(length) = text.get(start..).and_then(length) else { break };
        actions.push(start..start + length);
        at = start + length;
    }
    actions
}

/// How long an action is, up to the braces that are not quoted.
fn length(text: &str) -> Option<usize> {
    let begins = text.get(2..)?.trim_start_matches('-').trim_start();
    if begins.starts_with("/*") {
        let end = text.find("*/")?;
        return Some(end + text.get(end..)?.find("}}")? + 2);
    }
    let mut quote = None;
    let mut letters = text.char_indices().skip(2);
    while let Some((at, letter)) = letters.next() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some('"') if letter == '\\' => drop(letters.next()),
            Some(_) => {}
            None if matches!(letter, '"' | '`') => quote = Some(letter),
            None if text.get(at..)?.starts_with("}}") => return Some(at + 2),
            None => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnflint::input::filled::mark;

    fn source(text: &str, kept: &[usize]) -> String {
        Marked::of(text, &kept.iter().copied().collect()).unwrap().source
    }

    #[test]
    fn lines_are_marked_and_tags_stay() {
        let text = "a = {{ .x }}\n{{- if eq .y \"}}\" }}\nb = 1\n{{- end }}\n";
        let wanted =
            format!("{}a = {{{{ .x }}}}\n{{{{- if eq .y \"}}}}\" }}}}\n{}b = 1\n{{{{- end }}}}\n", mark(0), mark(2));
        assert_eq!(source(text, &[]), wanted);
    }

    #[test]
    fn a_kept_block_stays_with_its_branches() {
        let text = "{{- range $k, $v := .x }}1{{ else }}2{{ end }}";
        let wanted = format!(
            "{{{{{TAG} 0}}}}{{{{range {ONCE}}}}}{{{{$k := {ABSENT}}}}}{{{{$v := {ABSENT}}}}}{}1\
             {{{{end}}}}{{{{{TAG} 1}}}}{{{{if true}}}}2{{{{end}}}}{{{{{TAG} 2}}}}",
            mark(0)
        );
        assert_eq!(source(text, &[0]), wanted);
    }

    #[test]
    fn every_block_is_closed_once() {
        assert_eq!(Marked::of("a\n{{ if .x }}\n", &BTreeSet::new()).unwrap_err().line, 2);
        assert_eq!(Marked::of("a\n\n{{ end }}\n", &BTreeSet::new()).unwrap_err().line, 3);
    }
}
