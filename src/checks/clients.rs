//! What the client programs' groups say: secrets that stand there, and places where no server listens.

use super::{Hit, Subject, quoted};
use crate::catalog::{OptionId, id, is_secret};
use crate::effective::Origin;
use crate::finding::{Safety, Severity};
use crate::optionfile::{Entry, any_program_reads};
use crate::source::Location;

/// A password in clear text, by its name and place alone. One finding for each file, on the first.
pub(super) fn secret_in_file(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut secrets: Vec<&Entry> =
        subject.document.entries.iter().filter(|entry| is_literal_secret(entry, subject)).collect();
    // A file that is read twice has its secrets once.
    secrets.sort_by_key(|entry| (entry.file, entry.name_span.start));
    secrets.dedup_by_key(|entry| (entry.file, entry.name_span.start));
    for of_file in secrets.chunk_by(|a, b| a.file == b.file) {
        let [first, others @ ..] = of_file else { continue };
        let name = quoted(&first.name);
        let message = match others.len() {
            0 => format!("{name} stands here in clear text: whoever can read this file, a copy or its history has it"),
            more => format!(
                "{name} and {more} more {} here in clear text: whoever can read this file, a copy or its history has them",
                if more == 1 { "secret stands" } else { "secrets stand" }
            ),
        };
        // On its own host the file may be closed to others; elsewhere it has been copied already.
        let severity = if subject.own_files { Severity::Advice } else { Severity::Warning };
        let hit = Hit::new(severity, at_name(first), message).label("in clear text");
        let hit = others.iter().fold(hit, |hit, entry| hit.also(at_name(entry), "in clear text"));
        let advice = "let the deployment fill it in, and keep the file closed to others (mode 0600)";
        hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
    }
}

/// Whether the value itself is the secret: not empty, not filled in by a template, not the place of a file.
fn is_literal_secret(entry: &Entry, subject: Subject<'_>) -> bool {
    let Ok(name) = std::str::from_utf8(&entry.name) else { return false };
    let value = entry.value.as_deref().unwrap_or_default();
    let refers = value.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"file:")) || value.starts_with(b"$");
    // `root:` is an account without a password.
    let is_bare_account = (name.ends_with("sst_auth") || name.ends_with("sst-auth")) && value.ends_with(b":");
    let group = subject.document.groups.get(entry.group);
    entry.reached
        && !entry.template
        && !value.is_empty()
        && !refers
        && !is_bare_account
        && is_secret(name)
        && group.is_some_and(|group| any_program_reads(&group.name, subject.server))
}

/// Clients on this host that look for the server where it is not.
pub(super) fn client_looks_elsewhere(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let last = |names: &[&[u8]]| {
        let mut clients = subject.document.entries.iter().filter(|entry| is_of_clients(entry, subject));
        clients.rfind(|entry| names.contains(&&*entry.name))
    };
    // Then the file speaks of a server on another host.
    if last(&[b"host", b"protocol"]).is_some() {
        return;
    }
    for (variable, name, message) in [
        (
            id::SOCKET,
            b"socket".as_slice(),
            "clients on this host look for another socket than the one that the server makes",
        ),
        (id::PORT, b"port", "clients are sent to another port than the one on which the server listens"),
    ] {
        let Some((server, value)) = written(subject, variable) else { continue };
        let Some(client) = last(&[name]).filter(|client| !client.template) else { continue };
        if client.value.as_deref() == Some(value) || client.value.is_none() {
            continue;
        }
        let hit = Hit::new(Severity::Warning, Location { file: client.file, span: client.line }, message.to_owned());
        let hit = hit.label("clients go here").also(server, "the server is here").option(variable.name());
        hits.push(hit.remedy(Safety::Manual, "write the same in both places", Vec::new()));
    }
}

/// What the server's files say, and where.
fn written(subject: Subject<'_>, variable: OptionId) -> Option<(Location, &[u8])> {
    let line = subject.effective.winner(variable)?;
    let is_line = !line.template && matches!(line.origin, Origin::Line(_));
    line.value.as_deref().filter(|_| is_line).map(|value| (line.whole(), value))
}

fn is_of_clients(entry: &Entry, subject: Subject<'_>) -> bool {
    let group = subject.document.groups.get(entry.group);
    entry.reached && group.is_some_and(|group| matches!(&*group.name, b"client" | b"client-mariadb"))
}

fn at_name(entry: &Entry) -> Location {
    Location { file: entry.file, span: entry.name_span }
}
