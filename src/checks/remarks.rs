//! Remarks behind a value that the server takes for a part of it: there only `#` begins a comment.

use super::{Hit, Subject, shown};
use crate::catalog::{Entry, is_secret};
use crate::effective::{Assignment, Origin};
use crate::finding::{Change, Safety, Severity};
use crate::source::{Location, Span};
use crate::value::{self, Effect, Judgement, Kind, Written};

/// What was meant to be a comment.
pub(super) struct NoComment {
    /// The `;` or `//`.
    mark: Location,
    /// From the mark to the end of the value, as reports show it.
    text: String,
}

impl NoComment {
    /// Finds `;` or `//` with a blank beside it, where what stands before it is a value that the server takes.
    pub(super) fn behind(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry) -> Option<Self> {
        let at = assignment.value_at.filter(|_| matches!(assignment.origin, Origin::Line(_)))?;
        let written = subject.sources.text(at);
        let may_begin = written.contains(&b';') || written.windows(2).any(|pair| pair == b"//");
        if !may_begin || is_secret(entry.id.name()) {
            return None;
        }
        let is_blank = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_whitespace());
        let begins = |position: &usize| {
            let (before, rest) = written.split_at(*position);
            let (parted, length) = (is_blank(before.last()), if rest.starts_with(b"//") { 2 } else { 1 });
            match rest.first() {
                Some(b';') => parted || is_blank(rest.get(length)),
                Some(b'/') => length == 2 && parted && is_blank(rest.get(length)),
                _ => false,
            }
        };
        let position = (1..written.len()).find(begins).filter(|_| !matches!(written[0], b'"' | b'\''))?;
        let (meant, text) = written.split_at(position);
        let meant = Written { effect: Effect::None, loose: false, value: Some(meant.trim_ascii_end()) };
        let reading = value::read(&entry.shape, subject.server, meant);
        if matches!(reading.judgement, Judgement::Refused { .. } | Judgement::DefaultKept { .. }) {
            return None;
        }
        let start = at.span.start + position as u32;
        let mark = Location { span: Span::new(start, start + if text[0] == b'/' { 2 } else { 1 }), ..at };
        Some(Self { mark, text: shown(text) })
    }

    /// Why the value is not the one that was meant.
    pub(super) fn reason(&self) -> String {
        format!("only `#` begins a comment behind a value, and `{}` is a part of it", self.text)
    }

    /// The hit with the mark that makes it a comment.
    pub(super) fn mended(&self, hit: Hit, safety: Safety) -> Hit {
        let change = Change::Respell { at: self.mark, text: "#".to_owned() };
        hit.remedy(safety, "begin the comment with `#`", vec![change])
    }
}

/// A file name takes everything that stands behind the `=`.
pub(super) fn in_path(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry) -> Option<Hit> {
    // MariaDB's own tables tell paths from other texts by nothing but their names.
    let is_path =
        entry.shape.kind == Kind::Path || ["dir", "_file", "socket"].iter().any(|end| entry.id.name().ends_with(end));
    let remark = if is_path { NoComment::behind(subject, assignment, entry)? } else { return None };
    let message = format!("`{}` is not the path that was meant: {}", shown(&assignment.name), remark.reason());
    let hit = Hit::new(Severity::Warning, assignment.value_at?, message).label("all of it").option(entry.id.name());
    Some(remark.mended(hit, Safety::Unsafe))
}
