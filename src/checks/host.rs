//! Files that are sound, and that the server on this host never opens.

use super::{Hit, Subject};
use crate::finding::{Safety, Severity};
use crate::source::{Location, Span};

pub(super) fn file_not_read(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let (Some(&file), [_, ..]) = (subject.document.files.first(), subject.host_reads) else { return };
    let read: Vec<_> = subject.host_reads.iter().map(|path| format!("`{}`", path.display())).collect();
    let reads = match read.as_slice() {
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
        [] => return,
    };
    let path = subject.sources.get(file).path();
    let message =
        format!("the server on this host does not read `{}`: it reads {reads}, and what they include", path.display());
    // Whoever names the place wants it read there; whoever only asked for this host's facts may not.
    let (severity, advice) = if subject.own_files {
        (Severity::Warning, "put it where one of these files includes it, or add an `!include` line")
    } else {
        (Severity::Advice, "say with --as where the file is going to stand, or leave --detect out")
    };
    let header = subject.document.groups.iter().find(|group| group.file == file).map(|group| group.header);
    let at = Location { file, span: header.unwrap_or(Span::new(0, 0)) };
    hits.push(Hit::new(severity, at, message).label("not read").remedy(Safety::Manual, advice, Vec::new()));
}
