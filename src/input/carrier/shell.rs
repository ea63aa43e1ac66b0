//! Shell scripts: option files that they write, and servers that they run as containers.

use super::arguments;
use super::limits::{self, Suffixes};
use super::part::Insertion;
use super::printed::Echo;
use super::written;
use super::{CarriedServer, Read, holds, image, script, secrets};
use crate::source::Span;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let named = matches!(extension, Some("sh" | "bash" | "ksh"));
    (named || bytes.starts_with(b"#!"))
        && (script::may_hold(bytes)
            || written::may_hold(bytes)
            || holds(bytes, "docker run")
            || holds(bytes, "podman run"))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let alone = |file: script::WrittenFile| CarriedServer {
        name: file.path,
        parts: vec![file.part],
        is_fragment: true,
        ..CarriedServer::default()
    };
    let first_line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let echo = if holds(first_line, "bash") { Echo::Keeps } else { Echo::Unescapes };
    let line_by_line = written::option_files(bytes, Span::new(0, bytes.len() as u32), echo);
    let files = script::option_files(bytes).into_iter().chain(line_by_line);
    let mut servers: Vec<_> = files.map(alone).collect();
    for runner in ["docker", "podman"] {
        let start = format!("{runner} run ");
        servers.extend(memchr::memmem::find_iter(bytes, &start).filter_map(|at| container(bytes, at + start.len())));
    }
    Some(Read { servers, secrets: secrets::of_lines(bytes) })
}

/// The server that `docker run` starts; what follows it begins at `start`.
fn container(bytes: &[u8], start: usize) -> Option<CarriedServer> {
    let line = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    if bytes[line..start].trim_ascii_start().starts_with(b"#") {
        return None;
    }
    let words = arguments::split(&bytes[start..command_end(bytes, start)], start as u32);
    let text = |index: usize| words.get(index).and_then(|word| std::str::from_utf8(&word.value).ok());
    let (at, spec) = (0..words.len()).find_map(|index| Some((index, image::server(text(index)?)?)))?;
    let mut facts = Vec::new();
    for (index, word) in words[..at].iter().enumerate() {
        let (Some(text_of), span) = (text(index), word.span) else { continue };
        let (name, value) = match text_of.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text_of, text(index + 1)),
        };
        let Some(value) = value else { continue };
        match name {
            "-m" | "--memory" => facts.extend(limits::memory(value, Suffixes::Binary, name, span)),
            "--cpus" => facts.extend(limits::cpus(value, name, span)),
            _ => {}
        }
    }
    let insertion = words.last().map(|last| Insertion::behind(last.span.end));
    let arguments = arguments::of_command(&words[at + 1..], insertion)?;
    let image = text(at)?;
    let mounts = |word: &arguments::Word| memchr::memmem::find(&word.value, b":/etc").is_some();
    let is_fragment = !image::is_plain(image) || words[..at].iter().any(mounts);
    Some(CarriedServer {
        name: format!("docker run {image}"),
        parts: vec![arguments.part],
        facts,
        server: Some((spec, format!("image {image}"))),
        is_fragment,
        ..CarriedServer::default()
    })
}

/// Where a command ends: at a line's end without a backslash before it, or at what begins another command.
fn command_end(bytes: &[u8], start: usize) -> usize {
    let mut quote = None;
    for at in start..bytes.len() {
        match (quote, bytes[at]) {
            (None, b'\n') if bytes[at - 1] != b'\\' => return at,
            (None, b';' | b'|' | b'&' | b'>' | b')' | b'`') => return at,
            (None, open @ (b'\'' | b'"')) => quote = Some(open),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    bytes.len()
}
