//! What the server says at its start, as far as option files decide it.

use super::Subject;
use crate::catalog::{Entry, Resolved, Warns};
use crate::effective::{Assignment, Origin};
use crate::optionfile;
use crate::server::Server;
use crate::value::Judgement;

/// What a server does about its option files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reaction {
    /// It starts and says nothing.
    Silent,
    /// It starts and warns.
    Warns,
    /// It refuses to start.
    Refuses,
}

/// The strongest reaction to anything that stands in the files.
pub fn reaction(subject: Subject<'_>) -> Reaction {
    let is_judged = |problem: &&optionfile::Problem| subject.paths_known || !problem.is_only_about_this_disk();
    let judged = || subject.document.problems.iter().filter(is_judged);
    let problems = judged().map(|problem| match problem.effect {
        _ if problem.fatal => Reaction::Refuses,
        optionfile::Effect::Silent => Reaction::Silent,
        optionfile::Effect::Warns | optionfile::Effect::StopsFile => Reaction::Warns,
        optionfile::Effect::StopsServer => Reaction::Refuses,
    });
    let assignments = subject.effective.assignments.iter().map(|assignment| {
        let reaction = reaction_to(assignment, subject.server);
        // Whether a template leaves the line in, nobody knows yet.
        let is_taken =
            || super::windows::takes(assignment, subject) || super::names::plugin_may_take(assignment, subject);
        if assignment.branch.is_some() || is_taken() { Reaction::Silent } else { reaction }
    });
    let remarks = super::remarks(subject.effective).into_iter().map(|remark| remark.reaction);
    // The control lines of a template stop a server, too, but it never sees them.
    let stops = subject.document.stops && judged().any(|problem| problem.fatal);
    let stops = stops || super::windows::refuses_name_case(subject);
    let stops = if stops { Reaction::Refuses } else { Reaction::Silent };
    problems.chain(assignments).chain(remarks).max().unwrap_or(Reaction::Silent).max(stops)
}

/// The reaction to one option as it is written.
pub fn reaction_to(assignment: &Assignment<'_>, server: Server) -> Reaction {
    let persisted = assignment.origin == Origin::Persisted;
    match &assignment.resolved {
        _ if matches!(assignment.origin, Origin::Snapshot { .. }) => Reaction::Silent,
        // Unknown persisted variables are only warned about (measured on 9.7.4).
        Resolved::Unknown { prefixes, .. } if prefixes.loose || persisted => Reaction::Warns,
        Resolved::Unknown { .. } | Resolved::Ambiguous(_) => Reaction::Refuses,
        Resolved::Option { abbreviated, .. } => {
            let says = assignment.entry.as_ref().is_some_and(|entry| warns(entry, assignment));
            // MySQL calls a written beginning deprecated (measured on 5.5.62 and 5.6.24), MariaDB only notes it.
            let says = says || *abbreviated && server.flavor.is_mysql_family();
            let to_name = if says { Reaction::Warns } else { Reaction::Silent };
            assignment.reading.as_ref().map_or(to_name, |reading| to_name.max(to_value(reading.judgement)))
        }
    }
}

/// Whether the server says something about the name.
pub(super) fn warns(entry: &Entry, assignment: &Assignment<'_>) -> bool {
    match entry.warns {
        Warns::Never => false,
        Warns::Always => true,
        Warns::WhenChanged => {
            assignment.reading.as_ref().and_then(|reading| reading.value.as_ref()) != entry.effective_default.value()
        }
    }
}

fn to_value(judgement: Judgement) -> Reaction {
    match judgement {
        Judgement::Refused { fatal: true, .. } => Reaction::Refuses,
        Judgement::Refused { fatal: false, .. }
        | Judgement::Adjusted { warns: true, .. }
        | Judgement::DefaultKept { warns: true }
        | Judgement::Misread { warns: true, .. } => Reaction::Warns,
        _ => Reaction::Silent,
    }
}
