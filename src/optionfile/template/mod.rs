//! Template markup in a file that something else fills in before a server reads it.

mod blocks;
mod tags;
#[cfg(test)]
mod tests;

pub use blocks::Branch;

use super::line::{Line, LineKind};
use super::problem::ProblemKind;
use crate::source::Span;
use tags::{Tag, TagKind};

/// Whether the bytes hold markup that will be replaced: `{{ x }}`, `{% x %}`, `<%= x %>`, `${x}`, `@X@`.
pub fn has_markup(bytes: &[u8]) -> bool {
    !tags::scan(bytes).is_empty()
}

/// Where the markup itself stands.
pub fn markup(bytes: &[u8]) -> Vec<Span> {
    tags::scan(bytes).iter().map(|tag| tag.span).collect()
}

/// The parts of a template from a line that opens a block (`{% if x %}`) to the one that closes it, both included: what
/// stands there may come once, often or not at all. A block that nobody closes goes to the end. Lines that leave nothing
/// behind are such parts, too.
pub fn steered(bytes: &[u8]) -> Vec<Span> {
    let tags = tags::scan(bytes);
    let (_, blocks) = blocks::read(bytes, &tags);
    let alone = tags.iter().filter(|tag| tag.kind != TagKind::Output || is_alone(bytes, tag.span)).map(|tag| tag.span);
    let mut parts: Vec<_> = blocks.into_iter().chain(alone).map(|span| whole_lines(bytes, span)).collect();
    parts.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
    // What lies in a larger part says nothing new.
    let mut end = 0;
    parts.retain(|part| {
        let is_new = part.end > end;
        end = end.max(part.end);
        is_new
    });
    parts
}

fn whole_lines(bytes: &[u8], span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let start = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let is_ended = end > start && bytes.get(end - 1) == Some(&b'\n');
    let end = match bytes[end..].iter().position(|byte| *byte == b'\n') {
        Some(newline) if !is_ended => end + newline + 1,
        Some(_) => end,
        None => bytes.len(),
    };
    Span::new(start as u32, end as u32)
}

fn is_alone(bytes: &[u8], span: Span) -> bool {
    let line = whole_lines(bytes, span);
    let before = Span::new(line.start, span.start).of(bytes);
    let after = Span::new(span.end, line.end).of(bytes);
    before.trim_ascii().is_empty() && after.trim_ascii().is_empty()
}

/// The markup of one file.
#[derive(Debug)]
pub(super) struct Markup {
    tags: Vec<Tag>,
    branches: Vec<Branch>,
}

/// What markup makes of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// The branch in which it stands, as an index of [`Markup::branches`].
    pub branch: Option<usize>,
    /// Whether lines may come here of which nobody knows how many and what they say.
    pub leaves_open: bool,
    /// Where the name of a template stands that comes here and nothing else: `{% include 'x' %}`.
    pub includes: Option<Span>,
}

impl Markup {
    /// Reads the markup of a file; `None` where there is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let tags = tags::scan(bytes);
        if tags.is_empty() {
            return None;
        }
        let (branches, _) = blocks::read(bytes, &tags);
        Some(Self { tags, branches })
    }

    /// The branches of every block, outer ones first.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Marks what the markup fills in or steers, and takes back what was said about the markup itself.
    pub fn mark(&self, lines: &mut [Line], bytes: &[u8]) -> Vec<Mark> {
        let continued = self.continued(lines, bytes);
        let marks = lines.iter_mut().zip(&continued).map(|(line, joins)| self.mark_line(line, *joins, bytes));
        marks.collect()
    }

    fn mark_line(&self, line: &mut Line, joins: Joins, bytes: &[u8]) -> Mark {
        let branch = self
            .branches
            .iter()
            .rposition(|branch| branch.span.start <= line.span.start && line.span.start < branch.span.end);
        let mut mark = Mark { branch, ..Mark::default() };
        let tags = self.tags_in(line.span);
        if tags.is_empty() && joins == Joins::default() {
            return mark;
        }
        let before_comment = line.comment.map_or(line.span.end, |comment| comment.start);
        let in_text: &[Tag] = &tags[..tags.partition_point(|tag| tag.span.start < before_comment)];
        if in_text.is_empty() && joins == Joins::default() {
            return mark;
        }
        line.problems.retain(|(kind, _)| matches!(kind, ProblemKind::NulByte | ProblemKind::LineTooLong));
        let literal = has_literal(line.span, tags, bytes);
        // The rest of a value that began on an earlier line.
        let goes_on = joins.to_earlier || tags.first().is_some_and(|tag| self.began_with_text(*tag, line.span, bytes));
        let outputs = || in_text.iter().filter(|tag| matches!(tag.kind, TagKind::Output | TagKind::Includes));
        if !literal && !goes_on {
            let filled_in = outputs().any(|tag| line.span.start <= tag.span.start && !names_origin(tag.span.of(bytes)));
            mark.leaves_open = filled_in;
            if let (Some(tag), 1) = (outputs().next(), outputs().count()) {
                mark.includes = included_name(tag, bytes);
            }
        }
        match &mut line.kind {
            // Deep in a tag that goes over several lines.
            _ if !literal && tags.first().is_some_and(|tag| tag.span.start < line.span.start) => {
                (line.kind, line.comment) = (LineKind::Blank, None);
            }
            LineKind::Option(option) => {
                let name_end = option.name_span.end;
                let in_name = in_text.iter().any(|tag| tag.span.start < name_end);
                option.template_name = in_name || goes_on || !literal;
                option.template_value = joins.to_later || in_text.iter().any(|tag| tag.span.end > name_end);
                mark.leaves_open |=
                    !goes_on && outputs().any(|tag| tag.span.start < name_end && !names_origin(tag.span.of(bytes)));
            }
            LineKind::Group(group) | LineKind::UnclosedGroup(group) if literal && !goes_on => {
                group.template = in_text.iter().any(|tag| tag.span.start < group.header.end);
            }
            LineKind::Include(include) if literal && !goes_on => {
                include.template = true;
                mark.leaves_open = true;
            }
            _ => line.kind = LineKind::Blank,
        }
        mark
    }

    fn tags_in(&self, span: Span) -> &[Tag] {
        let first = self.tags.partition_point(|tag| tag.span.end <= span.start);
        let last = self.tags.partition_point(|tag| tag.span.start < span.end);
        &self.tags[first..last.max(first)]
    }

    /// Whether a tag that comes from an earlier line began there behind text.
    fn began_with_text(&self, tag: Tag, line: Span, bytes: &[u8]) -> bool {
        if tag.span.start >= line.start {
            return false;
        }
        let first = whole_lines(bytes, Span::new(tag.span.start, tag.span.start));
        let before = Span::new(first.start, tag.span.start);
        has_literal(before, self.tags_in(before), bytes)
    }

    /// Which lines are one once the blanks between them are taken away: `{%- … -%}`.
    fn continued(&self, lines: &[Line], bytes: &[u8]) -> Vec<Joins> {
        let mut joins = vec![Joins::default(); lines.len()];
        if !self.tags.iter().any(|tag| tag.trims_before || tag.trims_after) {
            return joins;
        }
        for (index, line) in lines.iter().enumerate() {
            let Some(earlier) = self.content_start(line.span, bytes).and_then(|at| self.joined_to(at, bytes)) else {
                continue;
            };
            joins[index].to_earlier = true;
            let target = lines.partition_point(|line| line.span.end <= earlier);
            if let Some(target) = joins.get_mut(target) {
                target.to_later = true;
            }
        }
        joins
    }

    /// The first byte of a line that leaves something behind.
    fn content_start(&self, line: Span, bytes: &[u8]) -> Option<u32> {
        let mut at = line.start;
        for tag in self.tags_in(line) {
            let before = Span::new(at, tag.span.start.max(at));
            if let Some(blanks) = before.of(bytes).iter().position(|byte| !byte.is_ascii_whitespace()) {
                return Some(at + blanks as u32);
            }
            if tag.kind == TagKind::Output && tag.span.start >= line.start {
                return Some(tag.span.start);
            }
            at = tag.span.end;
        }
        let rest = Span::new(at, line.end.max(at));
        rest.of(bytes).iter().position(|byte| !byte.is_ascii_whitespace()).map(|blanks| at + blanks as u32)
    }

    /// The byte on an earlier line behind which the text at a position comes to stand.
    fn joined_to(&self, at: u32, bytes: &[u8]) -> Option<u32> {
        let mut next = self.tags.partition_point(|tag| tag.span.start < at);
        let mut trimmed = self.tags.get(next).is_some_and(|tag| tag.span.start == at && tag.trims_before);
        let (mut at, mut crossed) = (at, false);
        loop {
            let tag = next.checked_sub(1).map(|index| self.tags[index]);
            let from = tag.map_or(0, |tag| tag.span.end);
            let between = Span::new(from, at.max(from)).of(bytes);
            let blanks = between.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
            let has_newline = between[between.len() - blanks..].contains(&b'\n');
            let reaches_tag = blanks == between.len();
            if has_newline && !trimmed && !(reaches_tag && tag.is_some_and(|tag| tag.trims_after)) {
                return None;
            }
            crossed |= has_newline;
            let before = at - blanks as u32;
            match tag {
                _ if !reaches_tag => return crossed.then_some(before - 1),
                None => return None,
                Some(tag) if tag.kind == TagKind::Output => return crossed.then_some(tag.span.end - 1),
                Some(tag) => {
                    (at, trimmed) = (tag.span.start, tag.trims_before);
                    next -= 1;
                }
            }
        }
    }
}

/// How a line hangs together with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Joins {
    to_earlier: bool,
    to_later: bool,
}

/// Whether anything but blanks stands there outside of tags.
fn has_literal(span: Span, tags: &[Tag], bytes: &[u8]) -> bool {
    let mut at = span.start;
    for tag in tags {
        if tag.span.start > at && !Span::new(at, tag.span.start).of(bytes).trim_ascii().is_empty() {
            return true;
        }
        at = at.max(tag.span.end);
    }
    at < span.end && !Span::new(at, span.end).of(bytes).trim_ascii().is_empty()
}

/// The quoted name behind the word of a tag that includes a template of Jinja's.
fn included_name(tag: &Tag, bytes: &[u8]) -> Option<Span> {
    let text = tag.span.of(bytes);
    if tag.kind != TagKind::Includes || !text.starts_with(b"{%") {
        return None;
    }
    let inner = text[2..].trim_ascii_start();
    let inner = inner.strip_prefix(b"-").unwrap_or(inner).trim_ascii_start().strip_prefix(b"include")?;
    let quoted = inner.trim_ascii_start();
    let mark = quoted.first().filter(|mark| matches!(mark, b'\'' | b'"'))?;
    let length = quoted[1..].iter().position(|byte| byte == mark)?;
    let start = tag.span.start + (text.len() - quoted.len()) as u32 + 1;
    Some(Span::new(start, start + length as u32))
}

/// `{{ ansible_managed }}` and the like leave a comment behind.
fn names_origin(tag: &[u8]) -> bool {
    tag.windows(7).any(|window| window == b"managed") || tag.windows(7).any(|window| window == b"comment")
}
