//! Units of systemd and their drop-ins: the server's arguments and its limits.
//!
//! rust-ini reads such files well, but tells no positions.

use super::arguments::{self, Word};
use super::limits::{self, Suffixes};
use super::part::Insertion;
use super::{CarriedFact, CarriedServer, Read, holds, secrets};
use crate::facts::FactId;
use crate::source::Span;
use crate::value::Value;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    let named = path.extension().is_some_and(|extension| extension == "service" || extension == "conf");
    named && holds(bytes, "[Service]") && (holds(bytes, "mysqld") || holds(bytes, "mariadbd"))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let (mut server, mut words) = (CarriedServer { is_fragment: true, ..CarriedServer::default() }, Vec::new());
    let mut insertion = None;
    for (key, at) in assignments(bytes) {
        let value = at.of(bytes);
        let text = String::from_utf8_lossy(value);
        match key {
            b"ExecStart" => {
                words = arguments::split(value, at.start);
                if let Some(first) = words.first_mut() {
                    // `-`, `@` and others before the path say how systemd is to run it.
                    let prefix = first.value.iter().take_while(|byte| b"-@+!:".contains(byte)).count();
                    first.value.drain(..prefix);
                }
                let end = words.last().map(|word| word.span.end);
                insertion = end.map(Insertion::behind);
                server.name = "ExecStart".to_owned();
            }
            b"MemoryMax" | b"MemoryLimit" => {
                let name = String::from_utf8_lossy(key);
                server.facts.retain(|fact| fact.fact != FactId::HostRam && fact.fact != FactId::HostLimited);
                server.facts.extend(limits::memory(&text, Suffixes::Binary, &name, at));
            }
            b"CPUQuota" => server.facts.extend(limits::cpus(&text, "CPUQuota", at)),
            // Soft and hard limit: `16384:32768`.
            b"LimitNOFILE" => {
                if let Some(Ok(files)) = text.split(':').next().map(str::parse::<i128>) {
                    let name = "LimitNOFILE".to_owned();
                    let value = Value::Integer(files);
                    server.facts.push(CarriedFact { fact: FactId::HostOpenFiles, value, name, at });
                }
            }
            _ => {}
        }
    }
    let is_argument = |word: &Word| !word.value.starts_with(b"$");
    words.retain(is_argument);
    let arguments = arguments::of_command(&words, insertion);
    server.parts.extend(arguments.map(|arguments| arguments.part));
    let servers = if server.parts.is_empty() { Vec::new() } else { vec![server] };
    Some(Read { servers, secrets: secrets::of_lines(bytes) })
}

/// Keys of `[Service]` with the places of their values, lines that end in a backslash joined.
fn assignments(bytes: &[u8]) -> Vec<(&[u8], Span)> {
    let mut found = Vec::new();
    let mut in_service = false;
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at;
        loop {
            end += bytes[end..].iter().position(|byte| *byte == b'\n').map_or(bytes.len() - end, |newline| newline + 1);
            let line = bytes[at..end].trim_ascii_end();
            if end >= bytes.len() || !line.ends_with(b"\\") {
                break;
            }
        }
        let line = &bytes[at..end];
        let trimmed = line.trim_ascii();
        if trimmed.starts_with(b"[") {
            in_service = trimmed == b"[Service]";
        } else if in_service
            && !matches!(trimmed.first(), None | Some(b'#' | b';'))
            && let Some(equals) = line.iter().position(|byte| *byte == b'=')
        {
            let value = &line[equals + 1..];
            let blanks = value.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let start = at + equals + 1 + blanks;
            let length = value[blanks..].trim_ascii_end().len();
            found.push((line[..equals].trim_ascii(), Span::new(start as u32, (start + length) as u32)));
        }
        at = end;
    }
    found
}
