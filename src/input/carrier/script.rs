//! Here-documents: files that a script writes.

use super::option_file::is_option_file;
use super::part::{Encoding, Part};
use super::shell_words;
use crate::source::{ByteMap, Span};

/// A file that a script writes.
pub struct WrittenFile {
    /// Where it is written, as far as the command says so.
    pub path: String,
    /// What is written.
    pub part: Part,
}

/// The option files that a script writes.
pub fn option_files(bytes: &[u8]) -> Vec<WrittenFile> {
    let mut found = Vec::new();
    let mut lines = Lines { bytes, at: 0 };
    while let Some(line) = lines.next() {
        let text = line.of(bytes);
        let Some(opening) = opening(text) else { continue };
        let mut body = Vec::new();
        let closed = loop {
            let Some(line) = lines.next() else { break false };
            let mut text = line.of(bytes);
            if opening.strips_tabs {
                text = &text[text.iter().take_while(|byte| **byte == b'\t').count()..];
            }
            if text.trim_ascii_end() == opening.word {
                break true;
            }
            body.push(line);
        };
        let path = destination(text);
        let whole = body.first().zip(body.last()).map(|(first, last)| first.to(*last).of(bytes)).unwrap_or_default();
        if closed && is_option_file(&String::from_utf8_lossy(whole), &path) {
            found.push(WrittenFile { part: part(&body, &opening, bytes), path });
        }
    }
    found
}

/// Whether a text may hold here-documents.
pub fn may_hold(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"<<").is_some()
}

fn part(body: &[Span], opening: &Opening<'_>, bytes: &[u8]) -> Part {
    let (mut text, mut map) = (Vec::new(), ByteMap::default());
    let mut indentation: &[u8] = b"";
    for (index, line) in body.iter().enumerate() {
        let raw = line.of(bytes);
        let tabs = if opening.strips_tabs { raw.iter().take_while(|byte| **byte == b'\t').count() } else { 0 };
        if index == 0 {
            indentation = &raw[..tabs];
        }
        let start = line.start + tabs as u32;
        if opening.quoted {
            text.extend_from_slice(&raw[tabs..]);
            map.push((raw.len() - tabs) as u32, Span::new(start, line.end));
        } else {
            shell_words::expanded(&raw[tabs..], start, &mut text, &mut map);
        }
    }
    let refuses: &[u8] = if opening.quoted { b"" } else { b"$`\\" };
    let start = body.first().map_or(0, |line| line.start);
    Part { bytes: text, map, encoding: Encoding::Lines { indentation: indentation.to_vec(), start, refuses } }
}

struct Opening<'a> {
    word: &'a [u8],
    quoted: bool,
    strips_tabs: bool,
}

/// `<<EOF`, `<<-'EOF'`; not `<<<` and not in a comment.
fn opening(line: &[u8]) -> Option<Opening<'_>> {
    if line.trim_ascii_start().starts_with(b"#") {
        return None;
    }
    let at = memchr::memmem::find(line, b"<<")?;
    let rest = &line[at + 2..];
    let strips_tabs = rest.starts_with(b"-");
    let rest = rest.strip_prefix(b"-").unwrap_or(rest).trim_ascii_start();
    let quote = rest.first().copied().filter(|byte| matches!(byte, b'\'' | b'"' | b'\\'));
    let rest = if quote.is_some() { &rest[1..] } else { rest };
    let length =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')).count();
    (length > 0).then(|| Opening { word: &rest[..length], quoted: quote.is_some(), strips_tabs })
}

/// The last word that looks like the path of a file on the line that opens the document.
fn destination(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '>' | '<' | '"' | '\'' | ';' | '|' | '&'));
    words.rfind(|word| word.contains(['/', '.']) && *word != "/dev/null").unwrap_or_default().to_owned()
}

struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |newline| newline + 1);
        let line = Span::new(self.at as u32, (self.at + length) as u32);
        self.at += length;
        Some(line)
    }
}
