//! Character sets and collations that do not go together.

use super::{Hit, Subject, combinations};
use crate::catalog::id;
use crate::finding::{Change, Safety, Severity};

pub(super) fn collation_of_another(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some((set, wanted)) = combinations::collation_of_another(subject.effective) else { return };
    let Some(collation) = subject.effective.decided(id::COLLATION_SERVER) else { return };
    let message = format!(
        "`collation_server` belongs to {wanted}, but the server's character set is {set}: the server refuses to start"
    );
    let hit = Hit::new(Severity::Error, collation.whole(), message).label(format!("a collation of {wanted}"));
    let hit = match subject.effective.winner(id::CHARACTER_SET_SERVER) {
        Some(line) => hit.also(line.whole(), format!("the character set is {set}")),
        None => hit,
    };
    let set_it = Change::Set { option: "character_set_server".to_owned(), value: Some(wanted.clone()) };
    let title = format!("set `character_set_server = {wanted}`");
    hits.push(hit.option(id::COLLATION_SERVER.name()).remedy(Safety::Unsafe, title, vec![set_it]));
}
