//! What the server says of one option at its start.

use crate::catalog::{Entry, Resolved, Warns};
use crate::effective::{Assignment, Origin};
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
