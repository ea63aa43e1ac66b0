//! What the server says at its start, as far as option files decide it.

use super::reaction::{Reaction, reaction_to};
use super::{Subject, names, windows};
use crate::optionfile;

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
        let is_taken = || windows::takes(assignment, subject) || names::plugin_may_take(assignment, subject);
        if assignment.branch.is_some() || is_taken() { Reaction::Silent } else { reaction }
    });
    let remarks = super::remarks(subject.effective).into_iter().map(|remark| remark.reaction);
    // The control lines of a template stop a server, too, but it never sees them.
    let stops = subject.document.stops && judged().any(|problem| problem.fatal);
    let stops = stops || windows::refuses_name_case(subject);
    let stops = if stops { Reaction::Refuses } else { Reaction::Silent };
    problems.chain(assignments).chain(remarks).max().unwrap_or(Reaction::Silent).max(stops)
}
