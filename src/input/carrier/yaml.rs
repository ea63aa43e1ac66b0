//! YAML as a tree in which every scalar knows its bytes.

use super::part::{Encoding, Part};
use super::shell_words::Text;
use crate::source::{ByteMap, Span};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::borrow::Cow;
use std::collections::HashMap;

/// More nodes than this are no configuration; aliases of aliases would reach it fast.
const MOST_NODES: usize = 100_000;
/// Deeper trees are not followed.
const DEEPEST: usize = 64;

/// A value.
#[derive(Clone, Debug)]
pub enum Node {
    /// A text, a number, a word, or nothing.
    Scalar(Scalar),
    /// A list.
    Sequence(Sequence),
    /// Keys and values, in their order.
    Mapping(Vec<(Scalar, Node)>),
}

/// A list.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// What it holds.
    pub items: Vec<Node>,
    /// Whether it is written in brackets.
    pub is_flow: bool,
}

/// A text with its place.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// What it says.
    pub value: String,
    /// The bytes that say it, quotes or the header of a block included.
    pub span: Span,
    /// How it is written.
    pub style: ScalarStyle,
}

impl Node {
    /// How many values it holds, itself among them.
    fn count(&self) -> usize {
        1 + match self {
            Self::Scalar(_) => 0,
            Self::Sequence(sequence) => sequence.items.iter().map(Self::count).sum(),
            Self::Mapping(entries) => entries.iter().map(|(_, node)| 1 + node.count()).sum::<usize>(),
        }
    }

    /// The value of a key, also where `<<` merges it in.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Self::Mapping(entries) = self else { return None };
        let of = |key: &str| entries.iter().find(|(name, _)| name.value == key).map(|(_, node)| node);
        of(key).or_else(|| match of("<<")? {
            Self::Sequence(merged) => merged.items.iter().find_map(|node| node.get(key)),
            merged => merged.get(key),
        })
    }

    /// The value below several keys, one in the other.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The text, if it is one.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The text below several keys.
    pub fn text(&self, path: &[&str]) -> Option<&Scalar> {
        self.at(path)?.scalar()
    }

    /// The keys and values of a mapping; nothing for anything else.
    pub fn entries(&self) -> &[(Scalar, Node)] {
        match self {
            Self::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Every mapping in the tree, outermost first.
    pub fn mappings(&self) -> Vec<&Node> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            match node {
                Self::Scalar(_) => {}
                Self::Sequence(sequence) => open.extend(sequence.items.iter().rev()),
                Self::Mapping(entries) => {
                    found.push(node);
                    open.extend(entries.iter().rev().map(|(_, node)| node));
                }
            }
        }
        found
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct File<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The text that was parsed: as long, with other bytes in place of markup.
    masked: Cow<'a, str>,
    /// What it holds.
    pub documents: Vec<Node>,
}

impl File<'_> {
    /// The bytes of the text in the file, where they are the text itself: no escape, no line broken.
    pub fn content(&self, scalar: &Scalar) -> Option<Span> {
        let quotes = u32::from(matches!(scalar.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
        let start = scalar.span.start + quotes;
        let span = Span::new(start, start + scalar.value.len() as u32);
        (span.end + quotes <= scalar.span.end && span.of(self.masked.as_bytes()) == scalar.value.as_bytes())
            .then_some(span)
    }

    /// The text with its markup, which the parser did not see.
    pub fn written<'f>(&'f self, scalar: &'f Scalar) -> Cow<'f, str> {
        match self.content(scalar) {
            Some(content) => String::from_utf8_lossy(content.of(self.bytes)),
            None => Cow::Borrowed(&scalar.value),
        }
    }

    /// What stands where the scalar does, without the header of a block: where lines are folded, only blanks differ from the text.
    pub fn body(&self, scalar: &Scalar) -> Option<Span> {
        match scalar.style {
            ScalarStyle::Plain => Some(scalar.span),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                Some(Span::new(self.first_line(scalar)?.max(scalar.span.start), scalar.span.end))
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => self.content(scalar),
        }
    }

    /// The text as a part: line by line for a block, in one piece otherwise. `None` where it holds markup that has no place.
    pub fn part(&self, scalar: &Scalar) -> Option<Part> {
        if let Some(part) = self.block(scalar).or_else(|| self.escaped(scalar)) {
            return Some(part);
        }
        let mut map = ByteMap::default();
        let content = self.content(scalar);
        if content.is_none() && scalar.span.of(self.masked.as_bytes()) != scalar.span.of(self.bytes) {
            return None;
        }
        let length = scalar.value.len() as u32;
        match content {
            Some(content) => map.push(length, content),
            None => map.push_spelled(length, scalar.span),
        }
        let bytes = content.map_or_else(|| scalar.value.clone().into_bytes(), |span| span.of(self.bytes).to_vec());
        Some(Part { bytes, map, encoding: Encoding::Opaque })
    }

    /// A text of one line between double quotes, with escapes.
    fn escaped(&self, scalar: &Scalar) -> Option<Part> {
        if scalar.style != ScalarStyle::DoubleQuoted || self.content(scalar).is_some() {
            return None;
        }
        let inner = Span::new(scalar.span.start + 1, scalar.span.end.checked_sub(1)?);
        // A line that is broken between the quotes is put together again, which no place shows.
        if inner.of(self.bytes).contains(&b'\n') {
            return None;
        }
        let text = |bytes| {
            let mut text = Text::default();
            text.copy(bytes, inner.start as usize, inner.len() as usize);
            text.unescaped()
        };
        if text(self.masked.as_bytes()).bytes != scalar.value.as_bytes() {
            return None;
        }
        let Text { bytes, map } = text(self.bytes);
        Some(Part { bytes, map, encoding: Encoding::Escaped { takes_newlines: false } })
    }

    /// Where the first line of a block begins: behind the line of its header, `|-2 # comment`. The parser's span begins with the
    /// first line that is not blank.
    fn first_line(&self, scalar: &Scalar) -> Option<u32> {
        let bytes = self.masked.as_bytes();
        let header = bytes[..scalar.span.start as usize].trim_ascii_end().len();
        Some((header + bytes[header..].iter().position(|byte| *byte == b'\n')? + 1) as u32)
    }

    /// A literal block, taken apart: the text, its places, and what stands before each line.
    fn block(&self, scalar: &Scalar) -> Option<Part> {
        if scalar.style != ScalarStyle::Literal {
            return None;
        }
        let masked = self.masked.as_bytes();
        let start = self.first_line(scalar)?;
        let mut lines = scalar.value.split_inclusive('\n').peekable();
        let first = scalar.value.lines().find(|line| !line.trim().is_empty())?;
        let mut written = masked.get(start as usize..)?.split(|byte| *byte == b'\n');
        let blanks = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
        let width =
            blanks(written.find(|line| !line.trim_ascii().is_empty())?).checked_sub(blanks(first.as_bytes()))?;
        let (mut text, mut map) = (Vec::new(), ByteMap::default());
        let mut at = start as usize;
        while lines.peek().is_some() {
            let raw = self.bytes.get(at..)?.split_inclusive(|byte| *byte == b'\n').next()?;
            let parsed = &masked[at..at + raw.len()];
            let shift = width.min(blanks(raw));
            let mut inner = &raw[shift..];
            let newlines = parsed.iter().filter(|byte| **byte == b'\n').count();
            if newlines > 1 {
                // Nothing but markup, which stands wherever its writer likes it.
                lines.by_ref().take(newlines).for_each(drop);
            } else {
                let line = lines.next()?;
                let same = parsed[shift..].trim_ascii_end() == line.as_bytes().trim_ascii_end();
                if !same {
                    return None;
                }
                if !line.ends_with('\n') {
                    inner = inner.strip_suffix(b"\n").unwrap_or(inner);
                    inner = inner.strip_suffix(b"\r").unwrap_or(inner);
                }
            }
            text.extend_from_slice(inner);
            map.push(inner.len() as u32, Span::new((at + shift) as u32, (at + shift + inner.len()) as u32));
            at += raw.len();
        }
        let encoding = Encoding::Lines { indentation: vec![b' '; width], start, refuses: b"" };
        Some(Part { bytes: text, map, encoding })
    }
}

/// What stands for a byte of markup while YAML is parsed.
const MASK: u8 = b'_';

/// The documents of a file; `None` where it is no YAML. Markup of templates does not get in the way.
pub fn parse(bytes: &[u8]) -> Option<File<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let masked = masked(text);
    let mut builder = Builder { starts: byte_positions(&masked), ..Builder::default() };
    for event in Parser::new_from_str(&masked) {
        let (event, span) = event.ok()?;
        let span = Span::new(builder.byte(span.start.index()), builder.byte(span.end.index()));
        builder.take(event, span, &masked)?;
    }
    let documents = builder.documents;
    Some(File { bytes, masked, documents })
}

/// The text with each byte of markup replaced, and lines that hold nothing else emptied: blanks would count as indentation, so
/// each byte of them becomes a newline.
fn masked(text: &str) -> Cow<'_, str> {
    if !["{{", "{%", "{#"].iter().any(|open| text.contains(open)) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut is_markup = vec![false; bytes.len()];
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let close = match &text.as_bytes()[open..] {
            [b'{', b'{', ..] => "}}",
            [b'{', b'%', ..] => "%}",
            [b'{', b'#', ..] => "#}",
            _ => {
                at = open + 1;
                continue;
            }
        };
        let Some(end) = text[open..].find(close).map(|found| open + found + 2) else { break };
        is_markup[open..end].fill(true);
        at = end;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start += line.len();
        if !is_markup[range.clone()].contains(&true) {
            continue;
        }
        let mut both = range.clone().map(|at| is_markup[at] || text.as_bytes()[at].is_ascii_whitespace());
        let empty = both.all(|nothing| nothing);
        for at in range.filter(|at| text.as_bytes()[*at] != b'\n') {
            if empty {
                bytes[at] = b'\n';
            } else if is_markup[at] {
                bytes[at] = MASK;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The byte at which each character begins, and the end; empty where every character is one byte.
fn byte_positions(text: &str) -> Vec<u32> {
    if text.is_ascii() {
        return Vec::new();
    }
    text.char_indices().map(|(at, _)| at as u32).chain([text.len() as u32]).collect()
}

enum Open {
    Sequence(Sequence, usize),
    Mapping(Vec<(Scalar, Node)>, Option<Scalar>, usize),
}

#[derive(Default)]
struct Builder {
    starts: Vec<u32>,
    documents: Vec<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
}

impl Builder {
    fn byte(&self, index: usize) -> u32 {
        if self.starts.is_empty() {
            index as u32
        } else {
            self.starts.get(index).or(self.starts.last()).copied().unwrap_or(0)
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span, text: &str) -> Option<()> {
        match event {
            Event::Scalar(value, style, anchor, _) => {
                self.add(Node::Scalar(Scalar { value: value.into_owned(), span, style }), anchor)
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor)?;
                self.nodes += node.count();
                if self.nodes > MOST_NODES {
                    return None;
                }
                self.add(node.clone(), 0)
            }
            Event::SequenceStart(anchor, _) => {
                let is_flow = text.as_bytes().get(span.start as usize) == Some(&b'[');
                self.open.push(Open::Sequence(Sequence { items: Vec::new(), is_flow }, anchor));
                (self.open.len() <= DEEPEST).then_some(())
            }
            Event::MappingStart(anchor, _) => {
                self.open.push(Open::Mapping(Vec::new(), None, anchor));
                (self.open.len() <= DEEPEST).then_some(())
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop()? {
                Open::Sequence(sequence, anchor) => self.add(Node::Sequence(sequence), anchor),
                Open::Mapping(entries, _, anchor) => self.add(Node::Mapping(entries), anchor),
            },
            _ => Some(()),
        }
    }

    fn add(&mut self, node: Node, anchor: usize) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            None => self.documents.push(node),
            Some(Open::Sequence(sequence, _)) => sequence.items.push(node),
            Some(Open::Mapping(entries, key, _)) => match (key.take(), node) {
                (Some(key), node) => entries.push((key, node)),
                (None, Node::Scalar(scalar)) => *key = Some(scalar),
                // A key that is a list or a mapping has no name here.
                (None, _) => {
                    *key = Some(Scalar { value: String::new(), span: Span::default(), style: ScalarStyle::Plain })
                }
            },
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Part {
        let file = parse(text.as_bytes()).unwrap();
        let scalar = file.documents[0].text(&["a", "b"]).unwrap().clone();
        file.part(&scalar).unwrap()
    }

    /// Every line of a part stands in the carrier where the map says.
    fn check(text: &str, expected: &str) {
        let part = part(text);
        assert_eq!(String::from_utf8_lossy(&part.bytes), expected, "{text}");
        let mut start = 0;
        for line in expected.split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len() as u32);
            assert_eq!(part.map.exact(span).map(|outer| outer.of(text.as_bytes())), Some(line.trim_end().as_bytes()));
            start += line.len() as u32;
        }
    }

    #[test]
    fn blocks_are_taken_apart() {
        check("a:\n  b: |\n    [m]\n    x=1\n\n      y=2\n\nc: 1\n", "[m]\nx=1\n\n  y=2\n");
        check("a:\n  b: |1- # why\n\n    [m]\n    x=1\n", "\n [m]\n x=1");
        check("a: {b: '[m]'}\n", "[m]");
        check("a: {b: \"[m]\"}\n", "[m]");
        check("a:\r\n  b: |\r\n    [m]\r\n    x=1\r\n", "[m]\r\nx=1\r\n");
        check("a:\n  b: |\n    | x\n    \u{fc}=\u{fc}", "| x\n\u{fc}=\u{fc}");
    }

    #[test]
    fn markup_stands_where_it_likes() {
        check(
            "a:\n  b: |\n{{- if x }}\n    # f\u{fc}r\n{{- end }}\n    [m]\n    x = {{ y }}\n{{ end }}\n",
            "{{- if x }}\n# f\u{fc}r\n{{- end }}\n[m]\nx = {{ y }}\n",
        );
        check("{{/* a\n b: 1 */}}\na:\n  b: |\n    {% for x in y %}\n    z=1\n", "{% for x in y %}\nz=1\n");
    }

    #[test]
    fn what_is_no_yaml_is_left_alone() {
        assert!(parse(b"a: [1\n").is_none());
        assert!(parse(b"a: \xff\n").is_none());
        let deep = "[".repeat(4000);
        assert!(parse(deep.as_bytes()).is_none());
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]\n";
        assert!(parse(bomb.as_bytes()).is_none());
    }
}
