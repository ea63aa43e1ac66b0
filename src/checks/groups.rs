//! Options in groups where they do nothing, and groups that nobody reads.

use super::{Hit, Subject, shown};
use crate::catalog::{self, Resolved, clients};
use crate::effective::Assignment;
use crate::finding::{Change, Safety, Severity};
use crate::optionfile::{self, ProblemKind, Unread};
use crate::source::Location;

pub(super) fn wrong_group(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    server_options_of_clients(subject, hits);
    client_options_of_the_server(subject, hits);
}

/// A server option in `[client]` or `[mysqldump]`: the server never sees it, and the client may stop at it.
fn server_options_of_clients(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for entry in subject.document.entries.iter().filter(|entry| !entry.template_name) {
        let Some(group) = subject.document.groups.get(entry.group) else { continue };
        let Ok(group_name) = std::str::from_utf8(&group.name) else { continue };
        if subject.groups.contains(&group.name)
            || clients::known_in_group(group_name, &entry.name, subject.server) != Some(false)
        {
            continue;
        }
        let Resolved::Option { id, prefixes, abbreviated: false } = catalog::resolve(&entry.name, subject.server)
        else {
            continue;
        };
        if prefixes.loose {
            continue;
        }
        let at = Location { file: entry.file, span: entry.name_span };
        let message = format!(
            "`{}` is an option of the server, which does not read `[{group_name}]`; the programs that do refuse it",
            shown(&entry.name)
        );
        let hit = Hit::new(Severity::Warning, at, message).label(format!("stands in [{group_name}]")).option(id.name());
        let header = Location { file: group.file, span: group.header };
        hits.push(hit.also(header, "this group").remedy(Safety::Manual, "move the line to `[mysqld]`", Vec::new()));
    }
}

/// An option in `[client]`, which many programs read: some or all of them do not know it and refuse to run.
pub(super) fn refused_client_option(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut unknown: Vec<(Location, String)> = Vec::new();
    for entry in subject.document.entries.iter().filter(|entry| !entry.template_name && is_plain(&entry.name)) {
        let Some(group) = subject.document.groups.get(entry.group) else { continue };
        if !group.name.eq_ignore_ascii_case(b"client") {
            continue;
        }
        let at = Location { file: entry.file, span: entry.name_span };
        let name = shown(&entry.name);
        match clients::known_in_group("client", &entry.name, subject.server) {
            Some(true) => {
                let refusing = clients::programs_refusing_in_client(&entry.name, subject.server);
                hits.extend(few(&refusing).map(|listed| not_for_all(at, &name, &listed, refusing.len() == 1)));
            }
            // Server options are told by the rule on groups.
            Some(false) if matches!(catalog::resolve(&entry.name, subject.server), Resolved::Unknown { .. }) => {
                unknown.push((at, name));
            }
            _ => {}
        }
    }
    let [(at, name), rest @ ..] = unknown.as_slice() else { return };
    let refusing = clients::programs_refusing_in_client(name.as_bytes(), subject.server);
    let Some(listed) = few(&refusing) else { return };
    let message = format!("no program that reads `[client]` knows `{name}`: {listed} refuse to run");
    let hit = Hit::new(Severity::Warning, *at, message).label("unknown");
    let hit = rest.iter().fold(hit, |hit, (at, _)| hit.also(*at, "unknown too"));
    hits.push(hit.remedy(Safety::Manual, "mend the name, or take the line out", Vec::new()));
}

/// Whether somebody meant an option, and not a line of a script.
fn is_plain(name: &[u8]) -> bool {
    name.len() > 3 && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn not_for_all(at: Location, name: &str, listed: &str, alone: bool) -> Hit {
    let refuse = if alone { "does not know it and refuses" } else { "do not know it and refuse" };
    let message = format!("`[client]` is for every program, and {listed} {refuse} to run: `{name}`");
    let text = format!("loose-{name}");
    let title = format!("write `{text}`: who does not know it goes on with a warning");
    let change = Change::Respell { at, text };
    Hit::new(Severity::Advice, at, message).label("not for all").remedy(Safety::Unsafe, title, vec![change])
}

/// The first programs of a list.
fn few(programs: &[&str]) -> Option<String> {
    let quoted: Vec<_> = programs.iter().take(3).map(|program| format!("`{program}`")).collect();
    match quoted.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        [first @ .., _] if programs.len() > 3 => {
            Some(format!("{} and {} others", first.join(", "), programs.len() - first.len()))
        }
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// A client's option in `[mysqld]`: the server refuses to start.
fn client_options_of_the_server(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in &subject.effective.assignments {
        let Some(group) = client_group_of(assignment, subject) else { continue };
        let message = format!(
            "`{}` is an option of the `{group}` program, not of the server: the server refuses to start",
            shown(&assignment.name)
        );
        let hit = Hit::new(Severity::Error, assignment.name_at, message).label(format!("belongs to [{group}]"));
        hits.push(hit.remedy(Safety::Manual, format!("move the line to `[{group}]`"), Vec::new()));
    }
}

/// Whether the name is a client's, so that nobody calls it unknown.
pub(super) fn is_client_option(assignment: &Assignment<'_>, subject: Subject<'_>) -> bool {
    client_group_of(assignment, subject).is_some()
}

/// The group in which an option that no server ever had would mean something.
fn client_group_of(assignment: &Assignment<'_>, subject: Subject<'_>) -> Option<&'static str> {
    match assignment.resolved {
        Resolved::Unknown { prefixes, elsewhere: None } if !prefixes.loose => {
            clients::groups_for(&assignment.name, subject.server).next()
        }
        _ => None,
    }
}

pub(super) fn unread_group(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (index, group) in subject.document.groups.iter().enumerate() {
        let is_empty = !subject.document.entries.iter().any(|entry| entry.group == index);
        let read =
            || subject.groups.contains(&group.name) || optionfile::any_program_reads(&group.name, subject.server);
        if is_empty || is_malformed(group, subject) || read() {
            continue;
        }
        hits.push(hit(group, optionfile::explain_unread(&group.name, subject.server)));
    }
}

/// Whether the header lacks its `]`, so that nobody takes it for one.
fn is_malformed(group: &optionfile::Group, subject: Subject<'_>) -> bool {
    let malformed = |problem: &optionfile::Problem| {
        problem.kind == ProblemKind::MalformedGroup
            && problem.location.file == group.file
            && problem.location.span.start == group.header.start
    };
    subject.document.problems.iter().any(malformed)
}

fn hit(group: &optionfile::Group, unread: Unread) -> Hit {
    let at = Location { file: group.file, span: group.header };
    let name = shown(&group.name);
    match unread {
        Unread::Misspelt(meant) => {
            let message = format!("no program reads `[{name}]`: its options do nothing, and nothing says so");
            let change = Change::Respell { at, text: format!("[{meant}]") };
            let hit = Hit::new(Severity::Warning, at, message).label("nobody reads it");
            hit.remedy(Safety::Unsafe, format!("write `[{meant}]`"), vec![change])
        }
        Unread::VersionShape(meant) => {
            let message = format!("no program reads `[{name}]`: a server reads only its own series, here `[{meant}]`");
            let hit = Hit::new(Severity::Warning, at, message).label("nobody reads it");
            hit.remedy(Safety::Manual, format!("write `[{meant}]`, or `[mysqld]` for every version"), Vec::new())
        }
        Unread::OtherServer(spec) => {
            let message = format!("`[{name}]` is for {spec}: this server does not read it");
            Hit::new(Severity::Advice, at, message).label("not read by this server")
        }
        Unread::Unknown => {
            let message = format!("no program of the server's package reads `[{name}]`");
            Hit::new(Severity::Advice, at, message).label("nobody reads it")
        }
    }
}
