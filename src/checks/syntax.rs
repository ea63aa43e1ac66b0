//! Files, lines and includes that the server does not read, or reads otherwise than they look.

use super::{Hit, Subject, shown};
use crate::catalog::clients;
use crate::edits::newline_of;
use crate::finding::{Change, Safety, Severity};
use crate::optionfile::{self, PathCause, Problem, ProblemKind};
use crate::source::{Location, Span};

/// What the server's own reaction weighs.
fn severity(problem: &Problem) -> Severity {
    match problem.effect {
        optionfile::Effect::StopsServer | optionfile::Effect::StopsFile => Severity::Error,
        optionfile::Effect::Warns => Severity::Warning,
        optionfile::Effect::Silent => Severity::Advice,
    }
}

fn outcome(problem: &Problem) -> &'static str {
    match problem.effect {
        optionfile::Effect::StopsServer => "the server refuses to start",
        optionfile::Effect::StopsFile => "the rest of this included file is not read",
        optionfile::Effect::Warns => "the server warns and goes on",
        optionfile::Effect::Silent => "the server says nothing",
    }
}

fn of_kind<'a>(subject: Subject<'a>, wanted: fn(&ProblemKind) -> bool) -> impl Iterator<Item = &'a Problem> {
    subject.document.problems.iter().filter(move |problem| wanted(&problem.kind))
}

/// How the lines of the problem's file end.
fn newline(subject: Subject<'_>, problem: &Problem) -> &'static str {
    newline_of(subject.sources.get(problem.location.file))
}

fn text_of(subject: Subject<'_>, problem: &Problem) -> String {
    shown(subject.sources.text(problem.location))
}

pub(super) fn option_outside_group(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut seen = Vec::new();
    for problem in of_kind(subject, |kind| *kind == ProblemKind::OptionOutsideGroup) {
        // The first one stops the server, and one header above it mends the rest.
        if seen.contains(&problem.location.file) {
            continue;
        }
        seen.push(problem.location.file);
        let message = format!("an option stands before the first [group] of its file: {}", outcome(problem));
        let before =
            Location { span: Span::new(problem.location.span.start, problem.location.span.start), ..problem.location };
        let change = Change::Respell { at: before, text: format!("[mysqld]{}", newline(subject, problem)) };
        let hit = Hit::new(severity(problem), problem.location, message).label("belongs to no group");
        hits.push(hit.remedy(Safety::Unsafe, "put `[mysqld]` above it", vec![change]));
    }
}

pub(super) fn malformed_group(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for problem in of_kind(subject, |kind| matches!(kind, ProblemKind::MalformedGroup | ProblemKind::TextAfterGroup)) {
        let text = text_of(subject, problem);
        let hit = if problem.kind == ProblemKind::MalformedGroup {
            let message = format!("the group header lacks its `]`: {}", outcome(problem));
            let hit = Hit::new(severity(problem), problem.location, message).label("no `]`");
            let header = text.trim_end();
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@');
            if header.strip_prefix('[').is_some_and(|name| !name.is_empty() && name.chars().all(is_name)) {
                let change = Change::Respell { at: problem.location, text: format!("{header}]") };
                hit.remedy(Safety::Unsafe, "close the bracket", vec![change])
            } else {
                hit.remedy(Safety::Manual, "close the bracket behind the name", Vec::new())
            }
        } else {
            let message = "the server ignores what follows the `]` of a group header, without a word".to_owned();
            let hit = Hit::new(Severity::Warning, problem.location, message).label("not read");
            hit.remedy(Safety::Manual, "put the option on a line of its own", Vec::new())
        };
        hits.push(hit);
    }
}

pub(super) fn malformed_line(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    odd_characters(subject, hits);
    nameless_lines(subject, hits);
    for problem in &subject.document.problems {
        let (severity, message, label, advice) = match &problem.kind {
            ProblemKind::MissingIncludePath { directory } => {
                let word = if *directory { "!includedir" } else { "!include" };
                (severity(problem), format!("`{word}` has no path: {}", outcome(problem)), "no path", "add the path or remove the line")
            }
            ProblemKind::UnknownDirective => (
                Severity::Warning,
                "only `!include PATH` and `!includedir PATH`, in lower case and with a blank, mean anything behind `!`: the line is ignored".to_owned(),
                "ignored",
                "write `!include PATH` or `!includedir PATH`",
            ),
            ProblemKind::NulByte => (
                Severity::Warning,
                "a NUL byte: the server loses text behind it, without a word".to_owned(),
                "NUL byte",
                "remove the byte",
            ),
            ProblemKind::HashCutsValue => (
                Severity::Warning,
                "`#` begins a comment wherever it stands: the value ends before it".to_owned(),
                "the rest is a comment",
                "put the value in quotes",
            ),
            ProblemKind::HashCutsName => (
                Severity::Warning,
                "`#` begins a comment: the `=` and the value behind it are cut off".to_owned(),
                "the rest is a comment",
                "remove the `#`",
            ),
            ProblemKind::HashInOpenQuote => (
                Severity::Warning,
                "a quote that is never closed keeps the comment: it is part of the value".to_owned(),
                "part of the value",
                "put the value in quotes, or the comment on its own line",
            ),
            // The quote that keeps a comment is reported already.
            ProblemKind::UnbalancedQuotes if keeps_comment(subject, problem) => continue,
            ProblemKind::UnbalancedQuotes => (
                Severity::Warning,
                "the quote has no partner at the other end of the value and stays part of it".to_owned(),
                "quotes kept",
                "close the quote or remove it",
            ),
            ProblemKind::EscapeInValue { path: true } => (
                Severity::Warning,
                "a backslash and a letter became another character in this path".to_owned(),
                "escape",
                "write `/` or `\\\\`",
            ),
            ProblemKind::TrailingByteA0 => (
                Severity::Warning,
                "the server takes the last byte (A0) for a blank and cuts the last character in half".to_owned(),
                "loses its last byte",
                "put the value in quotes",
            ),
            _ => continue,
        };
        hits.push(Hit::new(severity, problem.location, message).label(label).remedy(
            Safety::Manual,
            advice,
            Vec::new(),
        ));
    }
}

/// Lines that begin with `=`: a server without abbreviations takes it for an unknown name, the others for the beginning of every name
/// (measured on 5.6.24, 9.7.4, MariaDB 10.5.23 and 11.8.9: none of them starts).
fn nameless_lines(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for entry in subject.document.entries.iter().filter(|entry| entry.name.is_empty() && !entry.template) {
        let Some(group) = subject.document.groups.get(entry.group) else { continue };
        let name = String::from_utf8_lossy(&group.name);
        let (severity, outcome) = if subject.groups.contains(&group.name) {
            (Severity::Error, "the server refuses to start")
        } else if clients::stops_on_unknown(&name, subject.server) {
            (Severity::Warning, "the programs that read this group refuse to start")
        } else {
            (Severity::Advice, "it does nothing")
        };
        let at = Location {
            file: entry.file,
            span: entry.value_span.map_or(entry.name_span, |value| entry.name_span.to(value)),
        };
        let message = format!("the line begins with `=`, where the name of an option belongs: {outcome}");
        let hit = Hit::new(severity, at, message).label("no name");
        hits.push(match entry.value.as_deref().filter(|value| !value.is_empty()) {
            Some(value) => {
                let text = shown(value);
                let title = format!("write `{text}`");
                hit.remedy(Safety::Unsafe, title, vec![Change::Respell { at, text }])
            }
            None => hit.remedy(Safety::Manual, "take the line out", Vec::new()),
        });
    }
}

/// Characters that word processors and web pages put in place of blanks and quotes.
fn odd_characters(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for entry in subject.document.entries.iter().filter(|entry| !entry.template) {
        let before = Location { file: entry.file, span: Span::new(entry.line.start, entry.name_span.start) };
        // The servers take the byte for a blank, whose name it has in Latin-1 (measured on 5.6.24, 9.7.4, MariaDB 10.11.19).
        if subject.sources.text(before).contains(&0xA0) {
            let message = "no-break spaces (A0) stand before the option: the server takes them for blanks, editors may not show them".to_owned();
            let hit = Hit::new(Severity::Advice, before, message).label("no blanks");
            let change = Change::Respell { at: before, text: String::new() };
            hits.push(hit.remedy(Safety::Safe, "begin the line without these blanks", vec![change]));
        }
        let Some(value) = entry.value.as_deref().and_then(|value| std::str::from_utf8(value).ok()) else { continue };
        let at = Location { file: entry.file, span: entry.value_span.unwrap_or(entry.name_span) };
        if value.starts_with(TYPOGRAPHIC) || value.ends_with(TYPOGRAPHIC) {
            let message = "typographic quotes are no quotes to the server: they are part of the value".to_owned();
            let hit = Hit::new(Severity::Warning, at, message).label("part of the value");
            hits.push(hit.remedy(Safety::Manual, "write straight quotes, or none", Vec::new()));
        }
    }
}

const TYPOGRAPHIC: [char; 9] = ['“', '”', '„', '‟', '«', '»', '‘', '’', '‚'];

fn keeps_comment(subject: Subject<'_>, problem: &Problem) -> bool {
    let at = problem.location;
    let line = subject.sources.get(at.file).line_of(at.span.start);
    of_kind(subject, |kind| *kind == ProblemKind::HashInOpenQuote).any(|other| {
        let there = other.location;
        there.file == at.file && subject.sources.get(there.file).line_of(there.span.start) == line
    })
}

pub(super) fn include_not_found(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    includes_elsewhere(subject, hits);
    for problem in &subject.document.problems {
        if !subject.paths_known && problem.is_only_about_this_disk() {
            continue;
        }
        let hit = match &problem.kind {
            ProblemKind::IncludeNotFound { path, directory, cause } => {
                let what = if *directory { "directory" } else { "file" };
                let message = format!("the included {what} `{}` does not exist: {}", path.display(), outcome(problem));
                let severity = severity(problem).max(Severity::Warning);
                let hit = Hit::new(severity, problem.location, message).label("not found");
                let advice = match cause {
                    None => "create it, or mend the path",
                    Some(PathCause::Quoted) => "remove the quotes: they are part of the path",
                    Some(PathCause::Comment) => "put the comment on its own line: it is part of the path",
                    Some(PathCause::Semicolon) => "remove the `;` and what follows: they are part of the path",
                    Some(PathCause::Tilde) => "write the directory out: `!includedir` does not expand `~`",
                    Some(PathCause::Directive) => {
                        "begin a new line before the second `!include`: it is part of the path"
                    }
                    Some(PathCause::Wildcard) => "use `!includedir`: the server does not expand `*`",
                };
                hit.remedy(Safety::Manual, advice, Vec::new())
            }
            ProblemKind::IncludeIsDirectory { path } => {
                let message =
                    format!("`{}` is a directory: nothing is read, and the server says nothing", path.display());
                let hit = Hit::new(Severity::Warning, problem.location, message).label("nothing is read");
                hit.remedy(Safety::Manual, "use `!includedir`", Vec::new())
            }
            ProblemKind::LastByteCut { written, read } => {
                let message = format!(
                    "without a newline at its end the server reads `{}` instead of `{}`",
                    read.display(),
                    written.display()
                );
                let end = Location {
                    span: Span::new(problem.location.span.end, problem.location.span.end),
                    ..problem.location
                };
                let change = Change::Respell { at: end, text: newline(subject, problem).to_owned() };
                let hit = Hit::new(Severity::Warning, problem.location, message).label("loses its last byte");
                hit.remedy(Safety::Unsafe, "end the file with a newline", vec![change])
            }
            ProblemKind::RelativeInclude { path } => {
                let message = format!(
                    "`{}` is taken from the directory in which the server happens to be started",
                    path.display()
                );
                let hit = Hit::new(Severity::Advice, problem.location, message).label("relative path");
                hit.remedy(Safety::Manual, "write the whole path", Vec::new())
            }
            ProblemKind::IncludePathTooLong => {
                let message = "the path is longer than 508 bytes: the server ignores it without a word".to_owned();
                Hit::new(Severity::Warning, problem.location, message).label("too long")
            }
            _ => continue,
        };
        hits.push(hit);
    }
}

/// Away from the server's host nobody knows what its includes hold: one finding for all of them.
fn includes_elsewhere(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let mut missing =
        subject.document.problems.iter().filter(|problem| !subject.paths_known && problem.is_only_about_this_disk());
    let Some(first) = missing.next() else { return };
    let message = "the included path does not exist on this machine: what it holds was not looked at".to_owned();
    let hit = Hit::new(Severity::Advice, first.location, message).label("not found here");
    let hit = missing.fold(hit, |hit, problem| hit.also(problem.location, "nor this"));
    let advice = "lint on the server's host, or say with --root which directory stands for its `/`";
    hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
}

pub(super) fn include_loop(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for problem in &subject.document.problems {
        let message = match &problem.kind {
            ProblemKind::IncludeLoop { path } => {
                format!(
                    "`{}` includes itself: the server reads it over and over, ten levels deep, and warns",
                    path.display()
                )
            }
            ProblemKind::IncludeTooDeep => {
                "includes go ten levels deep and no deeper: the server warns and skips this one".to_owned()
            }
            ProblemKind::TooManyIncludes => {
                "more than ten thousand files are included: what follows was not looked at".to_owned()
            }
            _ => continue,
        };
        let hit = Hit::new(Severity::Warning, problem.location, message).label("include");
        hits.push(hit.remedy(Safety::Manual, "break the circle", Vec::new()));
    }
}

pub(super) fn file_ignored(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for problem in &subject.document.problems {
        let (message, advice) = match &problem.kind {
            ProblemKind::FileIgnored { path } => (
                format!(
                    "everyone may write `{0}`, so the server skips it with a warning and starts without it",
                    path.display()
                ),
                format!("chmod o-w {}", path.display()),
            ),
            ProblemKind::Unreadable { path } => (
                format!("`{}` cannot be read and is skipped", path.display()),
                "let the user that runs the server read it".to_owned(),
            ),
            ProblemKind::FileNotRead { path, first_dot } => (
                if *first_dot {
                    format!(
                        "`{}` is not read: this server takes everything behind the first dot for the extension",
                        path.display()
                    )
                } else {
                    format!("`{}` is not read: only names that end in `.cnf` are", path.display())
                },
                "rename it".to_owned(),
            ),
            _ => continue,
        };
        let severity =
            if matches!(problem.kind, ProblemKind::FileNotRead { .. }) { Severity::Advice } else { Severity::Warning };
        hits.push(Hit::new(severity, problem.location, message).label("not read").remedy(
            Safety::Manual,
            advice,
            Vec::new(),
        ));
    }
}

pub(super) fn line_too_long(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for problem in of_kind(subject, |kind| *kind == ProblemKind::LineTooLong) {
        let long = "the line is longer than 4094 bytes: the server reads its rest as a line of its own";
        let hit = if super::names::rest_stops(problem.location, subject) {
            let message = format!("{long}, finds no option in it and refuses to start");
            Hit::new(Severity::Error, problem.location, message)
        } else {
            let message = format!("{long}, comments included");
            Hit::new(severity(problem).max(Severity::Warning), problem.location, message)
        };
        let hit = hit.label("read as a new line");
        hits.push(hit.remedy(Safety::Manual, "shorten the line", Vec::new()));
    }
}

pub(super) fn byte_order_mark(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for problem in &subject.document.problems {
        let ProblemKind::ByteOrderMark { utf16 } = problem.kind else { continue };
        let what = if utf16 { "the file is UTF-16" } else { "the file begins with a byte order mark" };
        let message = format!("{what}, which the server takes for an option outside any group: {}", outcome(problem));
        let hit = Hit::new(severity(problem), problem.location, message).label("byte order mark");
        hits.push(if utf16 {
            hit.remedy(Safety::Manual, "save the file as UTF-8 without a byte order mark", Vec::new())
        } else {
            let change = Change::Respell { at: problem.location, text: String::new() };
            hit.remedy(Safety::Unsafe, "remove the byte order mark", vec![change])
        });
    }
}
