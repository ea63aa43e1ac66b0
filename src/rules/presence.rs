//! What can be proved of a condition: which options exist where it holds, and which settings must be set for it to hold.

use crate::expr::{Checked, NameId, Node, Operator};
use std::ops::Range;

/// Options that exist wherever the condition comes out as `outcome`.
pub(super) fn guarded(condition: &Checked, outcome: bool) -> Vec<NameId> {
    match &condition.node {
        Node::Exists(name) if outcome => vec![*name],
        Node::Not(inner) => guarded(inner, !outcome),
        // True `and` and false `or` decide both sides; the others decide at least one, nobody knows which.
        Node::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
            let (mut left, right) = (guarded(left, outcome), guarded(right, outcome));
            if (*operator == Operator::And) == outcome {
                left.extend(right);
            } else {
                left.retain(|name| right.contains(name));
            }
            left
        }
        _ => Vec::new(),
    }
}

/// Calls a function for every name that is read or asked to be set where no `exists(…)` stands guard.
pub(super) fn unguarded(part: &Checked, guards: &[NameId], found: &mut dyn FnMut(NameId, &Range<usize>)) {
    match &part.node {
        Node::Load(name) | Node::IsSet(name) if !guards.contains(name) => found(*name, &part.span),
        // An option that is not there makes this false, no more.
        Node::Surely(_) => {}
        Node::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
            let needed = *operator == Operator::And;
            let with = |other: &Checked| [guards, &guarded(other, needed)].concat();
            unguarded(left, &with(right), found);
            unguarded(right, &with(left), found);
        }
        node => {
            for child in node.children() {
                unguarded(child, guards, found);
            }
        }
    }
}

/// Settings of which at least one must be set for the condition to hold; `None` where that cannot be proved.
pub(super) fn set_one_of(condition: &Checked) -> Option<Vec<NameId>> {
    match &condition.node {
        Node::IsSet(name) => Some(vec![*name]),
        Node::Surely(inner) => set_one_of(inner),
        Node::Binary(Operator::And, left, right) => match (set_one_of(left), set_one_of(right)) {
            (Some(left), Some(right)) => Some(if right.len() < left.len() { right } else { left }),
            (left, right) => left.or(right),
        },
        Node::Binary(Operator::Or, left, right) => {
            let (mut left, right) = (set_one_of(left)?, set_one_of(right)?);
            for name in right {
                if !left.contains(&name) {
                    left.push(name);
                }
            }
            Some(left)
        }
        _ => None,
    }
}
