//! Commands in YAML, as a list of words or in one text.

use super::arguments::{self, Word};
use super::part::Insertion;
use super::yaml::{File, Node, Scalar};
use crate::source::Span;
use saphyr_parser::ScalarStyle;

/// The words of a command, and how one more is written. Where a shell gets a script, they are those of the server in it.
pub fn words(command: &Node, file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    let (words, insertion) = as_written(command, file);
    let [shell, option, script, ..] = words.as_slice() else { return (words, insertion) };
    let name = shell.value.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_shell =
        matches!(name, b"sh" | b"bash" | b"ash") && option.value.starts_with(b"-") && option.value.ends_with(b"c");
    if !is_shell {
        return (words, insertion);
    }
    let (scalar, body) = match command {
        Node::Sequence(sequence) => {
            let scalar = sequence.items.get(2).and_then(Node::scalar);
            (scalar, scalar.and_then(|scalar| file.body(scalar)))
        }
        command => (command.scalar(), script.content),
    };
    let is_folded = scalar.is_some_and(|scalar| scalar.style != ScalarStyle::Literal);
    let of_script = |body: Span| arguments::of_script(body.of(file.bytes), body.start, is_folded);
    let inner = body.map(of_script).unwrap_or_default();
    let insertion = inner.last().map(|last| Insertion::behind(last.span.end));
    (inner, insertion)
}

fn as_written(command: &Node, file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    match command {
        Node::Scalar(scalar) => of_text(scalar, file),
        Node::Sequence(sequence) => {
            let items: Vec<_> = sequence.items.iter().filter_map(Node::scalar).collect();
            if sequence.is_flow { of_brackets(&items, file) } else { of_lines(&items, file) }
        }
        Node::Mapping(_) => (Vec::new(), None),
    }
}

fn of_text(scalar: &Scalar, file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    let said = arguments::split(scalar.value.as_bytes(), 0);
    let written = file.body(scalar).map(|body| arguments::split(body.of(file.bytes), body.start)).unwrap_or_default();
    // Markup is no part of what the parser saw.
    let same = |(said, written): (&Word, &Word)| said.value.len() == written.value.len();
    if said.len() == written.len() && said.iter().zip(&written).all(same) {
        let end = written.last().map(|word| word.span.end);
        return (written, end.map(Insertion::behind));
    }
    let unplaced = |word: &Word| Word { span: scalar.span, content: None, removal: None, ..word.clone() };
    (said.iter().map(unplaced).collect(), None)
}

/// One item a line.
fn of_lines(items: &[&Scalar], file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    let line = |scalar: &Scalar| {
        let line = line_around(file.bytes, scalar.span);
        let before = Span::new(line.start, scalar.span.start).of(file.bytes).trim_ascii();
        let after = Span::new(scalar.span.end, line.end).of(file.bytes).trim_ascii();
        (before == b"-" && (after.is_empty() || after.starts_with(b"#"))).then_some(line)
    };
    let commented = |scalar: &&Scalar| {
        let mut word = word(scalar, file, line(scalar).filter(|_| items.len() > 1));
        if let Some(line) = line(scalar) {
            word.behind = comment(Span::new(scalar.span.end, line.end), file);
            let before = &file.bytes[..(line.start as usize).saturating_sub(1)];
            let above = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            word.above = comment(Span::new(above as u32, before.len() as u32), file);
        }
        word
    };
    let words = items.iter().map(commented).collect();
    let insertion = items.last().and_then(|last| {
        let line = line(last).filter(|line| line.of(file.bytes).ends_with(b"\n"))?;
        let quote = quote_of(last);
        let before = [Span::new(line.start, last.span.start).of(file.bytes), quote, b"--"].concat();
        Some(Insertion { at: line.end, before, after: [quote, b"\n"].concat() })
    });
    (words, insertion)
}

/// Items in brackets.
fn of_brackets(items: &[&Scalar], file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    let removal = |index: usize| match (index.checked_sub(1).and_then(|before| items.get(before)), items.get(index + 1))
    {
        (Some(before), _) => Some(Span::new(before.span.end, items[index].span.end)),
        (None, Some(after)) => Some(Span::new(items[index].span.start, after.span.start)),
        (None, None) => None,
    };
    let words = items.iter().enumerate().map(|(index, scalar)| word(scalar, file, removal(index))).collect();
    let insertion = items.last().map(|last| Insertion {
        at: last.span.end,
        before: [b", ", quote_of(last), b"--"].concat(),
        after: quote_of(last).to_vec(),
    });
    (words, insertion)
}

fn word(scalar: &Scalar, file: &File<'_>, removal: Option<Span>) -> Word {
    let content = file.content(scalar);
    let value = content.map_or_else(|| scalar.value.clone().into_bytes(), |span| span.of(file.bytes).to_vec());
    Word { value, span: scalar.span, content, removal, ..Word::default() }
}

/// A comment that is meant for cnflint, where nothing else stands in the span.
fn comment(at: Span, file: &File<'_>) -> Option<(Span, Vec<u8>)> {
    let text = at.of(file.bytes);
    let blanks = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let comment = text[blanks..].trim_ascii_end();
    let start = at.start + blanks as u32;
    let is_meant = comment.starts_with(b"#") && memchr::memmem::find(comment, b"cnflint:").is_some();
    is_meant.then(|| (Span::new(start, start + comment.len() as u32), comment.to_vec()))
}

const fn quote_of(scalar: &Scalar) -> &'static [u8] {
    match scalar.style {
        ScalarStyle::SingleQuoted => b"'",
        ScalarStyle::DoubleQuoted => b"\"",
        _ => b"",
    }
}

/// The lines that a span touches, with the last newline.
fn line_around(bytes: &[u8], span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let from = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let to = bytes[end..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| end + at + 1);
    Span::new(from as u32, to as u32)
}
