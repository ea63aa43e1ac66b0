//! One line: blank, comment, group header, directive or option, as a server reads it.

use super::lines::{PhysicalLine, Text};
use super::problem::ProblemKind;
use crate::source::Span;

/// A line of an option file. The spans of all lines, joined, give the file back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// All bytes of the line, its newline included.
    pub span: Span,
    /// What it is.
    pub kind: LineKind,
    /// The comment, from its `#` or `;` on, without the newline.
    pub comment: Option<Span>,
    /// What is wrong with it, as far as the line alone tells.
    pub problems: Vec<(ProblemKind, Span)>,
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing, or a comment only.
    Blank,
    /// `[name]`.
    Group(GroupLine),
    /// `[name` without the bracket; the rest of the line is taken for the name.
    UnclosedGroup(GroupLine),
    /// `!include path`, `!includedir path`.
    Include(IncludeLine),
    /// `!include` without a path.
    MissingPath {
        /// Whether it is `!includedir`.
        directory: bool,
        /// The directive.
        span: Span,
    },
    /// Another line that begins with `!`.
    UnknownDirective(Span),
    /// `name`, `name = value`.
    Option(OptionLine),
}

/// A group header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLine {
    /// `[name]`, brackets included.
    pub header: Span,
    /// The name as written.
    pub name_span: Span,
    /// The name as the server takes it: blanks in front stay, blanks behind go.
    pub name: Vec<u8>,
    /// Whether the name holds template markup.
    pub template: bool,
}

/// An include directive with a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludeLine {
    /// Whether it is `!includedir`.
    pub directory: bool,
    /// The directive up to the end of the path.
    pub span: Span,
    /// The path as the server takes it.
    pub path: Vec<u8>,
    /// The path as written, if the reader cuts its last byte for want of a newline.
    pub uncut: Option<Vec<u8>>,
    /// Where the path is written.
    pub path_span: Span,
    /// Whether the path holds template markup.
    pub template: bool,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// The line without its newline.
    pub line: Span,
    /// The name as written.
    pub name_span: Span,
    /// The name as the server takes it.
    pub name: Vec<u8>,
    /// The value as written, with its quotes.
    pub value_span: Option<Span>,
    /// The value as the server takes it.
    pub value: Option<Vec<u8>>,
    /// Whether a pair of quotes was taken off the value.
    pub quoted: bool,
    /// Whether the name holds template markup, or the whole line steers a template.
    pub template_name: bool,
    /// Whether the value holds template markup.
    pub template_value: bool,
}

/// What a server takes for blank: `isspace` of latin1, in which A0 is a no-break space. Measured on every server.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d | 0xa0)
}

fn trim_end(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1)
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().take_while(|byte| is_blank(**byte)).count()
}

fn find(bytes: &[u8], byte: u8, from: usize) -> Option<usize> {
    bytes[from..].iter().position(|other| *other == byte).map(|at| from + at)
}

/// Names of groups are cut at the size of the buffer that holds them.
const LONGEST_GROUP: usize = 4095;

/// Reads one line. `path_comments` tells whether a comment may follow the path of an include (MySQL 9.7).
pub(super) fn parse(physical: &PhysicalLine<'_>, path_comments: bool) -> Line {
    let text = &physical.text;
    let bytes: &[u8] = &text.bytes;
    let mut line = Line { span: physical.span, kind: LineKind::Blank, comment: None, problems: Vec::new() };
    let first = skip_blanks(bytes, 0);
    let content_end = trim_end(bytes);
    if let Some(nul) = physical.nul {
        line.problems.push((ProblemKind::NulByte, Span::new(nul, nul + 1)));
    }
    if first >= content_end {
        return line;
    }
    if physical.tail {
        line.problems.push((ProblemKind::LineTooLong, text.span(first, content_end)));
    }
    match bytes[first] {
        b'#' | b';' => line.comment = Some(text.span(first, content_end)),
        b'[' => group(&mut line, text, first, content_end),
        b'!' => directive(&mut line, text, first, path_comments),
        _ => option(&mut line, text, first),
    }
    line
}

fn group(line: &mut Line, text: &Text<'_>, first: usize, content_end: usize) {
    let bytes: &[u8] = &text.bytes;
    let name_at = first + 1;
    let close = find(bytes, b']', name_at);
    let end = name_at + trim_end(&bytes[name_at..close.unwrap_or(bytes.len())]);
    let name = bytes[name_at..end.min(name_at + LONGEST_GROUP)].to_vec();
    let header_end = close.map_or(content_end, |close| close + 1);
    let group =
        GroupLine { header: text.span(first, header_end), name_span: text.span(name_at, end), name, template: false };
    let Some(close) = close else {
        line.problems.push((ProblemKind::MalformedGroup, group.header));
        line.kind = LineKind::UnclosedGroup(group);
        return;
    };
    let rest = skip_blanks(bytes, close + 1);
    match bytes.get(rest) {
        Some(b'#' | b';') => line.comment = Some(text.span(rest, content_end)),
        Some(_) => line.problems.push((ProblemKind::TextAfterGroup, text.span(rest, content_end))),
        None => {}
    }
    line.kind = LineKind::Group(group);
}

fn directive(line: &mut Line, text: &Text<'_>, first: usize, path_comments: bool) {
    let mut bytes: &[u8] = &text.bytes;
    let whole = text.span(first, trim_end(bytes));
    if path_comments && let Some(hash) = comment_start(bytes, first).hash {
        line.comment = Some(text.span(hash, trim_end(bytes)));
        bytes = &bytes[..hash];
    }
    let word = skip_blanks(bytes, first + 1);
    let directory = bytes[word..].starts_with(b"includedir");
    let after = word + if directory { "includedir".len() } else { "include".len() };
    let known = directory || bytes[word..].starts_with(b"include");
    if !known || !bytes.get(after).is_some_and(|byte| is_blank(*byte)) {
        line.problems.push((ProblemKind::UnknownDirective, whole));
        line.kind = LineKind::UnknownDirective(whole);
        return;
    }
    let path_at = skip_blanks(bytes, after);
    let end = path_at + trim_end(&bytes[path_at..]);
    // The old reader always cuts one byte, which it takes for the newline, and then the blanks before it.
    let cut = !path_comments && end == bytes.len();
    let seen_end = if cut { path_at + trim_end(&bytes[path_at..end.saturating_sub(1).max(path_at)]) } else { end };
    if seen_end <= path_at {
        line.problems.push((ProblemKind::MissingIncludePath { directory }, whole));
        line.kind = LineKind::MissingPath { directory, span: whole };
        return;
    }
    line.kind = LineKind::Include(IncludeLine {
        directory,
        span: text.span(first, end),
        path: bytes[path_at..seen_end].to_vec(),
        uncut: cut.then(|| bytes[path_at..end].to_vec()),
        path_span: text.span(path_at, end),
        template: false,
    });
}

fn option(line: &mut Line, text: &Text<'_>, first: usize) {
    let bytes: &[u8] = &text.bytes;
    let scan = comment_start(bytes, first);
    let end = scan.hash.unwrap_or(bytes.len());
    let content = &bytes[..end];
    let equals = find(content, b'=', first);
    let name_limit = equals.unwrap_or(end);
    let name_end = first + trim_end(&content[first..name_limit]);
    note_trailing_a0(line, text, first, name_end, name_limit);
    let mut parsed = OptionLine {
        line: Span::new(line.span.start, line.span.start + line_length(text, line.span)),
        name_span: text.span(first, name_end),
        name: content[first..name_end].to_vec(),
        value_span: None,
        value: None,
        quoted: false,
        template_name: false,
        template_value: false,
    };
    if let Some(equals) = equals {
        if name_end == first && first > 0 {
            // Every server copies with a negative length here, that is up to the end of the line: `  =5` is `--=5<newline>=5`.
            parsed.name = content[first..].to_vec();
        }
        value(line, &mut parsed, text, content, equals + 1);
    }
    if let Some(hash) = scan.hash {
        line.comment = Some(text.span(hash, trim_end(bytes).max(hash + 1)));
        note_hash(line, &parsed, text, bytes, hash);
    } else if let Some(hash) = scan.hidden {
        line.problems.push((ProblemKind::HashInOpenQuote, text.span(hash, trim_end(bytes))));
    }
    line.kind = LineKind::Option(parsed);
}

fn value(line: &mut Line, parsed: &mut OptionLine, text: &Text<'_>, content: &[u8], from: usize) {
    let start = skip_blanks(content, from).min(content.len());
    let end = start + trim_end(&content[start..]);
    note_trailing_a0(line, text, start, end, content.len());
    parsed.value_span = Some(if start == end { text.span(from, from) } else { text.span(start, end) });
    let raw = &content[start..end];
    let quote = |byte: Option<&u8>| byte.copied().filter(|byte| matches!(byte, b'"' | b'\''));
    parsed.quoted = raw.len() >= 2 && quote(raw.first()).is_some() && raw.first() == raw.last();
    if !parsed.quoted && (quote(raw.first()).is_some() || (quote(raw.last()).is_some() && opens_nowhere(raw))) {
        line.problems.push((ProblemKind::UnbalancedQuotes, text.span(start, end)));
    }
    let (inner, inner_at) = if parsed.quoted { (&raw[1..raw.len() - 1], start + 1) } else { (raw, start) };
    let (decoded, changed) = unescape(inner);
    if let Some(at) = changed {
        let path = inner.len() > 2 && inner[0].is_ascii_alphabetic() && inner[1..].starts_with(b":\\");
        line.problems.push((ProblemKind::EscapeInValue { path }, text.span(inner_at + at, inner_at + at + 2)));
    }
    parsed.value = Some(decoded);
}

/// Whether the quote that ends a value is the only one in it and no apostrophe inside a word.
fn opens_nowhere(raw: &[u8]) -> bool {
    let last = raw[raw.len() - 1];
    last == b'"' && raw.iter().filter(|byte| **byte == last).count() == 1
}

/// Replaces escapes; also the place of the first one that became another kind of byte.
fn unescape(raw: &[u8]) -> (Vec<u8>, Option<usize>) {
    if !raw.contains(&b'\\') {
        return (raw.to_vec(), None);
    }
    let mut decoded = Vec::with_capacity(raw.len());
    let mut changed = None;
    let mut at = 0;
    while at < raw.len() {
        let byte = raw[at];
        let Some(next) = raw.get(at + 1).copied().filter(|_| byte == b'\\') else {
            decoded.push(byte);
            at += 1;
            continue;
        };
        match next {
            b'\\' | b'"' | b'\'' => decoded.push(next),
            b'n' | b't' | b'r' | b'b' | b's' => {
                changed = changed.or(Some(at));
                decoded.push(match next {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'b' => 8,
                    _ => b' ',
                });
            }
            _ => decoded.extend_from_slice(&[byte, next]),
        }
        at += 2;
    }
    (decoded, changed)
}

/// Where the comment of an option line begins.
struct CommentStart {
    /// The `#` that begins it.
    hash: Option<usize>,
    /// A `#` behind a blank that a quote which is never closed hides.
    hidden: Option<usize>,
}

/// The servers' `remove_end_comment`: quotes count anywhere in the line, a backslash protects inside quotes only.
fn comment_start(bytes: &[u8], from: usize) -> CommentStart {
    let mut found = CommentStart { hash: None, hidden: None };
    if !bytes[from..].contains(&b'#') {
        return found;
    }
    let mut quote = None;
    let mut escaped = false;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        if matches!(byte, b'"' | b'\'') && !escaped {
            if quote.is_none() {
                quote = Some(byte);
            } else if quote == Some(byte) {
                quote = None;
                found.hidden = None;
            }
        }
        if byte == b'#' {
            if quote.is_none() {
                found.hash = Some(at);
                return found;
            }
            if is_blank(bytes[at.saturating_sub(1)]) {
                found.hidden = found.hidden.or(Some(at));
            }
        }
        escaped = quote.is_some() && byte == b'\\' && !escaped;
    }
    found
}

fn note_hash(line: &mut Line, parsed: &OptionLine, text: &Text<'_>, bytes: &[u8], hash: usize) {
    let glued = !is_blank(bytes[hash - 1]);
    let span = text.span(hash, trim_end(bytes).max(hash + 1));
    if let Some(value) = &parsed.value {
        if glued || (value.is_empty() && !parsed.quoted) {
            line.problems.push((ProblemKind::HashCutsValue, span));
        }
    } else if glued && bytes[hash..].contains(&b'=') {
        line.problems.push((ProblemKind::HashCutsName, span));
    }
}

/// Notes a final A0 that was cut off although it ends a UTF-8 character.
fn note_trailing_a0(line: &mut Line, text: &Text<'_>, start: usize, end: usize, limit: usize) {
    if end > start && end < limit && text.bytes[end] == 0xa0 && matches!(text.bytes[end - 1], 0x80..=0xf4) {
        line.problems.push((ProblemKind::TrailingByteA0, text.span(end, end + 1)));
    }
}

/// The length of a line without its newline.
fn line_length(text: &Text<'_>, span: Span) -> u32 {
    let newline = if text.bytes.ends_with(b"\r\n") { 2 } else { u32::from(text.bytes.ends_with(b"\n")) };
    span.len() - newline.min(span.len())
}
