//! Shell scripts: option files that they write, and servers that they run as containers.

use super::arguments::{self, Word};
use super::environment;
use super::limits::{self, Suffixes};
use super::part::Insertion;
use super::printed::Echo;
use super::written;
use super::{CarriedServer, Read, holds, image, script, secrets};
use crate::source::Span;
use std::path::Path;

/// What runs a container.
pub const RUNS: [&str; 3] = ["docker run ", "podman run ", "nerdctl run "];

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let named = matches!(extension, Some("sh" | "bash" | "ksh"));
    (named || bytes.starts_with(b"#!"))
        && (script::may_hold(bytes)
            || written::may_hold(bytes)
            || holds(bytes, STARTS)
            || RUNS.iter().any(|run| holds(bytes, run)))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let alone = |file: script::WrittenFile| CarriedServer {
        server: image::of_path(&file.path),
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
    servers.extend(containers(bytes));
    servers.extend(memchr::memmem::find_iter(bytes, STARTS).filter_map(|at| started(bytes, at)));
    Some(Read { servers, secrets: secrets::of_lines(bytes) })
}

/// What a script becomes in the end. A server that it starts before, to prepare things, is another matter.
const STARTS: &str = "exec ";

/// The server that a script becomes; the command begins at `start`.
fn started(bytes: &[u8], start: usize) -> Option<CarriedServer> {
    const BEFORE: [&[u8]; 8] = [b"&&", b"||", b";", b"{", b"then", b"else", b"do", b"!"];
    let line = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let before = bytes[line..start].trim_ascii();
    if !before.is_empty() && !BEFORE.iter().any(|word| before.ends_with(word)) {
        return None;
    }
    let from = start + STARTS.len();
    let words = arguments::split(&bytes[from..command_end(bytes, from)], from as u32);
    let name = words.iter().take(3).find(|word| arguments::is_server(word))?;
    let name = format!("exec {}", String::from_utf8_lossy(&name.value));
    let insertion = words.last().map(|last| Insertion::behind(last.span.end));
    let arguments = arguments::of_command(&words, insertion)?;
    Some(CarriedServer { name, parts: vec![arguments.part], is_fragment: true, ..CarriedServer::default() })
}

/// The servers that a script runs as containers.
pub fn containers(script: &[u8]) -> Vec<CarriedServer> {
    let mut servers = Vec::new();
    for start in RUNS {
        servers.extend(memchr::memmem::find_iter(script, start).filter_map(|at| container(script, at + start.len())));
    }
    servers
}

/// The server that `docker run` starts; what follows it begins at `start`.
fn container(bytes: &[u8], start: usize) -> Option<CarriedServer> {
    let line = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    if bytes[line..start].trim_ascii_start().starts_with(b"#") {
        return None;
    }
    let words = arguments::split(&bytes[start..command_end(bytes, start)], start as u32);
    let text = |index: usize| words.get(index).and_then(|word| std::str::from_utf8(&word.value).ok());
    let at = image_at(&words)?;
    let spec = image::server(text(at)?)?;
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
            "--ulimit" => {
                facts.extend(value.strip_prefix("nofile=").and_then(|files| limits::open_files(files, name, span)));
            }
            _ => {}
        }
    }
    let mut flags = words[at + 1..].to_vec();
    let insertion = flags.last().map(|last| Insertion::behind(last.span.end));
    flags.extend(words[..at].iter().flat_map(|word| environment::flags_of_word(word, bytes)));
    let arguments = arguments::of_command(&flags, insertion)?;
    let image = text(at)?;
    let mounts = |word: &Word| memchr::memmem::find(&word.value, b":/etc").is_some();
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

/// Where the image stands among the words behind `docker run`: it is the first that is neither an option nor the value of one.
fn image_at(words: &[Word]) -> Option<usize> {
    const WITHOUT_VALUE: [&[u8]; 10] = [
        b"--detach",
        b"--init",
        b"--interactive",
        b"--no-healthcheck",
        b"--oom-kill-disable",
        b"--privileged",
        b"--publish-all",
        b"--read-only",
        b"--rm",
        b"--tty",
    ];
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let value = word.value.as_slice();
        let Some(letters) = value.strip_prefix(b"-") else { return Some(at) };
        let is_long = letters.starts_with(b"-");
        let has_none =
            WITHOUT_VALUE.contains(&value) || !is_long && letters.iter().all(|letter| b"ditPq".contains(letter));
        let has_own = value.contains(&b'=') || !is_long && letters.len() > 1;
        at += if has_none || has_own { 1 } else { 2 };
    }
    None
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
