//! Servers that work together: the rules that look at several at once.

use super::{Located, Report, candidate};
use crate::checks::Remedy;
use crate::checks::cluster::{self, Member, Topology};
use crate::finding::Fix;
use crate::rules::RuleSet;

/// Compares the servers at these positions of the report, which were linted as [`compared`](super::Subject::compared), and adds what is
/// found to what was said of each.
pub fn compare(topology: Topology, targets: &[usize], rules: &[RuleSet<'_>], report: &mut Report) {
    let member = |target: &usize| {
        let member = report.targets.get(*target)?.member.clone()?;
        cluster::fits(topology, &member).then_some((*target, member))
    };
    let (targets, members): (Vec<usize>, Vec<Member>) = targets.iter().filter_map(member).unzip();
    let mut hits = Vec::new();
    for rule in rules.iter().flat_map(|set| set.iter()) {
        let Some(compare) = cluster::comparison(rule.id()) else { continue };
        compare(topology, &members, &mut hits);
        for (position, hit) in hits.drain(..) {
            let Some(target) = targets.get(position) else { continue };
            let in_words = |remedy: Remedy| Fix {
                safety: remedy.safety,
                title: remedy.title,
                changes: remedy.changes,
                dynamic: None,
                statements: Vec::new(),
                edits: Vec::new(),
            };
            let finding = candidate::told_by(rule, hit, in_words);
            report.findings.push(Located { target: *target, finding });
        }
    }
    report.findings.sort_by(|left, right| {
        left.target.cmp(&right.target).then_with(|| candidate::order(&left.finding, &right.finding))
    });
}
