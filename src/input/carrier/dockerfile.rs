//! Dockerfiles: the image that is built on, the option files that they write, and the server's arguments.

use super::arguments::{self, Word};
use super::part::Insertion;
use super::printed::Echo;
use super::written;
use super::{CarriedServer, Read, image, script, secrets};
use crate::source::Span;
use std::path::Path;

pub fn may_be(path: &Path, _: &[u8]) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
        let lower = name.to_ascii_lowercase();
        ["dockerfile", "containerfile"]
            .iter()
            .any(|word| lower.starts_with(word) || lower.ends_with(&format!(".{word}")))
    })
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let mut server = CarriedServer { is_fragment: true, ..CarriedServer::default() };
    let (mut words, mut insertion) = (Vec::new(), None);
    let mut files = Vec::new();
    for (keyword, at) in instructions(bytes) {
        let text = at.of(bytes);
        match keyword.to_ascii_uppercase().as_slice() {
            // The last stage is the image.
            b"FROM" => {
                (words, insertion) = (Vec::new(), None);
                files.clear();
                let text = String::from_utf8_lossy(text);
                let image = text.split_whitespace().find(|word| !word.starts_with("--")).unwrap_or_default().to_owned();
                server.server = image::server(&image).map(|spec| (spec, format!("image {image}")));
                server.name = format!("image {image}");
            }
            b"ENTRYPOINT" | b"CMD" => {
                let (new, end) = if text.starts_with(b"[") {
                    bracketed(text, at.start)
                } else {
                    (arguments::split(text, at.start), Some(Insertion::behind(at.end)))
                };
                if keyword.eq_ignore_ascii_case(b"ENTRYPOINT") {
                    words.clear();
                }
                words.extend(new);
                insertion = end;
            }
            b"RUN" => files.extend(written::option_files(bytes, at, Echo::Unescapes)),
            _ => {}
        }
    }
    server.parts.extend(files.into_iter().map(|file| file.part));
    server.parts.extend(script::option_files(bytes).into_iter().map(|document| document.part));
    let starts_here = server.server.is_some() || !words.is_empty();
    let arguments = if starts_here { arguments::of_command(&words, insertion) } else { None };
    let known = server.server.is_some() || !words.first().is_none_or(|word| word.value.starts_with(b"-"));
    server.parts.extend(arguments.filter(|_| known).map(|arguments| arguments.part));
    let servers = if server.parts.is_empty() { Vec::new() } else { vec![server] };
    Some(Read { servers, secrets: secrets::of_lines(bytes) })
}

/// The words of `["mysqld", "--port=3307"]`; none where a text holds an escape.
fn bracketed(text: &[u8], start: u32) -> (Vec<Word>, Option<Insertion>) {
    let mut words: Vec<Word> = Vec::new();
    let mut at = 1;
    while let Some(open) = text[at..].iter().position(|byte| *byte == b'"').map(|open| at + open) {
        let Some(length) = text[open + 1..].iter().position(|byte| *byte == b'"') else { break };
        let value = text[open + 1..open + 1 + length].to_vec();
        if value.contains(&b'\\') {
            return (Vec::new(), None);
        }
        at = open + length + 2;
        let span = Span::new(start + open as u32, start + at as u32);
        let content = Span::new(span.start + 1, span.end - 1);
        let removal = words.last().map(|before| Span::new(before.span.end, span.end));
        words.push(Word { value, span, content: Some(content), removal, ..Word::default() });
    }
    let insertion =
        words.last().map(|last| Insertion { at: last.span.end, before: b", \"--".to_vec(), after: b"\"".to_vec() });
    (words, insertion)
}

/// Each keyword with the place of what follows it; lines that end in a backslash joined.
fn instructions(bytes: &[u8]) -> Vec<(&[u8], Span)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at;
        loop {
            let start = end;
            end += bytes[end..].iter().position(|byte| *byte == b'\n').map_or(bytes.len() - end, |newline| newline + 1);
            let line = bytes[start..end].trim_ascii();
            // Comments between the lines of an instruction do not end it.
            let is_comment = start > at && line.starts_with(b"#");
            if end >= bytes.len() || !(line.ends_with(b"\\") || is_comment) {
                break;
            }
        }
        let line = &bytes[at..end];
        let blanks = line.len() - line.trim_ascii_start().len();
        let keyword = &line[blanks..];
        let keyword = &keyword[..keyword.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
        let rest = &line[blanks + keyword.len()..];
        let gap = rest.len() - rest.trim_ascii_start().len();
        let start = at + blanks + keyword.len() + gap;
        let length = rest.trim_ascii().len();
        found.push((keyword, Span::new(start as u32, (start + length) as u32)));
        at = end;
    }
    found
}
