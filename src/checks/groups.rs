//! Options in groups where they do nothing, and groups that nobody reads.

use super::{Hit, Remedy, Subject, quoted, shown};
use crate::catalog::{self, Resolved, clients};
use crate::effective::Assignment;
use crate::finding::{Change, Label, Safety, Severity};
use crate::optionfile::{self, ProblemKind, Unread};
use crate::server::{Flavor, Server};
use crate::source::Location;

pub(super) fn wrong_group(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    options_of_clients(subject, hits);
    client_options_of_the_server(subject, hits);
}

/// The group that MariaDB's server and its clients both read.
const SHARED: &str = "client-server";

const CORRECT: &str = "correct the name, or take the line out";

/// Options in `[client]`, `[mysqldump]` and their like that stop programs, or that only the server would know.
fn options_of_clients(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut first_unknown = None;
    for entry in subject.document.entries.iter().filter(|entry| !entry.template_name) {
        if entry.name.is_empty() {
            continue;
        }
        let Some(group) = subject.document.groups.get(entry.group) else { continue };
        let Ok(group_name) = std::str::from_utf8(&group.name) else { continue };
        let read_by_server = subject.groups.contains(&group.name);
        if group.template || read_by_server && !group_name.eq_ignore_ascii_case(SHARED) {
            continue;
        }
        let is_unknown = clients::known_in_group(group_name, &entry.name, subject.server) == Some(false);
        let line = ClientLine { entry, group: group_name, server: subject.server, is_unknown };
        let header = Location { file: group.file, span: group.header };
        if read_by_server {
            hits.extend(line.in_shared_group().map(|hit| hit.also(header, "this group")));
            continue;
        }
        if let Some(hit) = line.of_the_server().or_else(|| line.unknown_to_some()) {
            hits.push(hit.also(header, "this group"));
        } else if let Some(hit) = line.unknown_to_all() {
            // A program stops at the first; a script that holds a piece of an option file would give a hundred.
            match first_unknown {
                Some((group, at)) if group == entry.group => {
                    let known: &mut Hit = &mut hits[at];
                    known.related.push(Label { text: "nor this".to_owned(), ..hit.primary });
                    known.remedy =
                        Some(Remedy { changes: Vec::new(), safety: Safety::Manual, title: CORRECT.to_owned() });
                }
                _ => {
                    first_unknown = Some((entry.group, hits.len()));
                    hits.push(hit.also(header, "this group"));
                }
            }
        }
    }
}

/// A line of a group that client or helper programs read.
#[derive(Clone, Copy)]
struct ClientLine<'a> {
    entry: &'a optionfile::Entry,
    group: &'a str,
    server: Server,
    /// No program that reads the group knows the option.
    is_unknown: bool,
}

impl ClientLine<'_> {
    /// No program that reads the group knows the option, and the server does.
    fn of_the_server(self) -> Option<Hit> {
        let Self { entry, group, server, is_unknown } = self;
        // Most lines are where they belong.
        if !is_unknown {
            return None;
        }
        let Resolved::Option { id, prefixes, abbreviated: false } = catalog::resolve(&entry.name, server) else {
            return None;
        };
        if prefixes.loose {
            return None;
        }
        let programs = self.refusing();
        let then = match (clients::stops_on_unknown(group, server), programs.is_empty()) {
            (true, true) => "the programs that do refuse to start".to_owned(),
            (true, false) => refuse(&programs),
            (false, _) => "the programs that do leave it out".to_owned(),
        };
        let name = shown(&entry.name);
        let message = format!("`{name}` is an option of the server, which does not read `[{group}]`; {then}");
        let hit = self.hit(Severity::Warning, message).option(id.name());
        Some(hit.remedy(Safety::Manual, "move the line to `[mysqld]`", Vec::new()))
    }

    /// The server knows the option, and clients that read the same group stop at it (measured on MariaDB 10.5.23, 10.11.19 and 11.8.9).
    fn in_shared_group(self) -> Option<Hit> {
        let programs = self.refusing();
        let Resolved::Option { id, prefixes, .. } = catalog::resolve(&self.entry.name, self.server) else {
            return None;
        };
        if prefixes.loose || programs.is_empty() {
            return None;
        }
        let name = shown(&self.entry.name);
        let message =
            format!("clients read `[{}]` as the server does: with `{name}` there, {}", self.group, refuse(&programs));
        let hit = self.hit(severity(&programs), message).option(id.name());
        Some(hit.remedy(Safety::Manual, "move the line to `[mariadb]`", Vec::new()))
    }

    /// Neither the programs that read the group nor the server know the option.
    fn unknown_to_all(self) -> Option<Hit> {
        let Self { entry, group, server, is_unknown } = self;
        if entry.template || !is_unknown || !clients::stops_on_unknown(group, server) {
            return None;
        }
        let loose = matches!(
            catalog::resolve(&entry.name, server),
            Resolved::Option { prefixes, .. } | Resolved::Unknown { prefixes, .. } if prefixes.loose
        );
        if loose {
            return None;
        }
        let programs = self.refusing();
        let then = if programs.is_empty() { "they refuse to start".to_owned() } else { refuse(&programs) };
        let name = shown(&entry.name);
        let message = format!("no program that reads `[{group}]` knows {}: {then}", quoted(&entry.name));
        let hit = self.hit(Severity::Warning, message);
        Some(match clients::begun_in_group(group, &entry.name, server) {
            Some(whole) => {
                let text = if name.contains('_') { whole.replace('-', "_") } else { whole.to_owned() };
                let at = Location { file: entry.file, span: entry.name_span };
                hit.remedy(Safety::Unsafe, format!("write `{text}`"), vec![Change::Respell { at, text }])
            }
            None => hit.remedy(Safety::Manual, CORRECT, Vec::new()),
        })
    }

    /// Programs that read `[client]` refuse to start, and others know the option, or may.
    fn unknown_to_some(self) -> Option<Hit> {
        let Self { entry, group, server, .. } = self;
        let programs = self.refusing();
        let first = programs.first()?;
        let name = shown(&entry.name);
        let own = clients::groups_for(&entry.name, server).find(|group| *group != "client");
        if own.is_none() && self.is_unknown {
            return None;
        }
        let what = if entry.value.is_some() { "variable" } else { "option" };
        let message = format!("{} with `{name}` in `[{group}]`: `{first}: unknown {what}`", refuse(&programs));
        let loose = if name.contains('_') { format!("loose_{name}") } else { format!("loose-{name}") };
        let title = match own {
            Some(own) => format!(
                "write `{loose}`, or move the line to `[{own}]` and the group of each other program that is to have it"
            ),
            None => format!("write `{loose}`, or take the line out"),
        };
        let at = Location { file: entry.file, span: entry.name_span };
        Some(self.hit(severity(&programs), message).remedy(
            Safety::Unsafe,
            title,
            vec![Change::Respell { at, text: loose }],
        ))
    }

    /// The programs that find the line in a group of all clients and stop.
    fn refusing(self) -> Vec<&'static str> {
        let all: &[&str] = match self.server.flavor {
            Flavor::Mariadb => &["client", "client-mariadb", SHARED],
            _ => &["client"],
        };
        match all.iter().any(|all| self.group.eq_ignore_ascii_case(all)) {
            true => clients::programs_refusing_in_client(&self.entry.name, self.server),
            false => Vec::new(),
        }
    }

    fn hit(self, severity: Severity, message: String) -> Hit {
        let at = Location { file: self.entry.file, span: self.entry.name_span };
        Hit::new(severity, at, message).label(format!("stands in [{}]", self.group))
    }
}

/// Sessions and backups hang on the ones, and what packages and health checks run; the others are run by hand.
fn severity(programs: &[&str]) -> Severity {
    let daily = |program: &&str| {
        matches!(
            *program,
            "mysql"
                | "mysqldump"
                | "mysqladmin"
                | "mysql_upgrade"
                | "mariadb"
                | "mariadb-dump"
                | "mariadb-admin"
                | "mariadb-upgrade"
        )
    };
    if programs.iter().any(daily) { Severity::Warning } else { Severity::Advice }
}

/// The first programs by name, how many more there are, and what they do.
fn refuse(programs: &[&str]) -> String {
    let named: Vec<_> = programs.iter().take(3).map(|program| format!("`{program}`")).collect();
    match (programs.len().saturating_sub(named.len()), named.split_last()) {
        (0, Some((only, []))) => format!("{only} refuses to start"),
        (0, Some((last, rest))) => format!("{} and {last} refuse to start", rest.join(", ")),
        (1, _) => format!("{} and one more program refuse to start", named.join(", ")),
        (more, _) => format!("{} and {more} more programs refuse to start", named.join(", ")),
    }
}

/// A client's option in `[mysqld]`: the server refuses to start.
fn client_options_of_the_server(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for assignment in &subject.effective.assignments {
        let Some(group) = client_group_of(assignment, subject) else { continue };
        let owner = if group == "client" { "clients".to_owned() } else { format!("the `{group}` program") };
        let message = format!(
            "`{}` is an option of {owner}, not of the server: the server refuses to start",
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
        if is_empty || group.template || is_malformed(group, subject) || read() {
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
