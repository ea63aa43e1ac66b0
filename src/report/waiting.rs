//! The last lines: which rules wait for a fact, with which flag it is given, and what would be answered then.

use super::text::counted;
use crate::lint::{MissingKind, NotEvaluated};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A question that facts answer.
struct Question {
    asks: &'static str,
    /// Each flag that gives one of the facts, with a value as people write it.
    flags: &'static [(&'static str, &'static str)],
}

/// A rule that lacks facts of several questions counts with the first one.
const QUESTIONS: &[Question] = &[
    Question { asks: "which server is it?", flags: &[("--server", "mariadb-10.11")] },
    Question {
        asks: "how long does the drive last?",
        flags: &[
            ("--disk-class", "consumer-tlc"),
            ("--disk-capacity", "1T"),
            ("--disk-endurance", "600T"),
            ("--disk-lifetime", "5y"),
            ("--write-rate", "5M"),
        ],
    },
    Question { asks: "does the largest load fit?", flags: &[("--load-size", "10G"), ("--redo-factor", "1.2")] },
    Question { asks: "how soon do writes stall?", flags: &[("--redo-rate", "5M")] },
    Question { asks: "does it fit the memory?", flags: &[("--ram", "64G"), ("--cpus", "16")] },
    Question { asks: "does the disk run full?", flags: &[("--disk-fill", "60%")] },
    Question { asks: "does it suit the disk?", flags: &[("--disk", "ssd")] },
    Question { asks: "what did the running server count?", flags: &[("--snapshot", "FILE")] },
    Question { asks: "what does the host allow?", flags: &[(FACTS, "host.toml")] },
];

/// What gives a fact that has no flag of its own.
const FACTS: &str = "--facts";
/// Questions in the one line that a report ends with.
const MOST_QUESTIONS: usize = 3;

/// The rules that wait for an answer, and the flags that they lack.
#[derive(Default)]
struct Waiting<'a> {
    rules: BTreeSet<&'a str>,
    flags: BTreeSet<&'a str>,
}

/// What would let more rules be evaluated: in one line, or in a line for each question with the rules that wait. Only what a user can
/// supply counts.
pub fn not_evaluated_lines<'a>(
    not_evaluated: impl IntoIterator<Item = &'a NotEvaluated>,
    in_full: bool,
) -> Vec<String> {
    let mut waiting: BTreeMap<usize, Waiting<'_>> = BTreeMap::new();
    let mut by_template: BTreeSet<&str> = BTreeSet::new();
    for entry in not_evaluated {
        if entry.missing.iter().any(|missing| missing.kind == MissingKind::Template) {
            by_template.insert(&entry.rule);
        } else if !entry.missing.is_empty() && entry.missing.iter().all(|missing| missing.kind == MissingKind::Fact) {
            let flags: BTreeSet<&str> = entry.missing.iter().map(|missing| missing.flag.unwrap_or(FACTS)).collect();
            let is_about = |question: &Question| question.flags.iter().any(|(flag, _)| flags.contains(flag));
            let question = QUESTIONS.iter().position(is_about).unwrap_or(QUESTIONS.len() - 1);
            let of_question = waiting.entry(question).or_default();
            of_question.rules.insert(&entry.rule);
            of_question.flags.extend(flags);
        }
    }
    let mut waiting: Vec<_> = waiting.iter().filter_map(|(at, waiting)| Some((QUESTIONS.get(*at)?, waiting))).collect();
    // A file of facts is more work than a flag.
    let is_file = |question: &Question| question.flags.iter().any(|(flag, _)| *flag == FACTS);
    waiting.sort_by_key(|(question, waiting)| (is_file(question), Reverse(waiting.rules.len())));
    let mut lines = if in_full { each(&waiting) } else { together(&waiting) };
    if !by_template.is_empty() {
        lines.push(format!(
            "{} not evaluated, since a template fills in what is read",
            counted(by_template.len(), "rule was", "rules were")
        ));
    }
    lines
}

/// `5 rules wait for facts, such as --ram 64G --cpus 16 (does it fit the memory?) and --load-size 10G (does the largest load fit?)`.
fn together(waiting: &[(&Question, &Waiting<'_>)]) -> Vec<String> {
    let rules: BTreeSet<_> = waiting.iter().flat_map(|(_, waiting)| &waiting.rules).collect();
    if rules.is_empty() {
        return Vec::new();
    }
    let shown: Vec<_> = waiting
        .iter()
        .take(MOST_QUESTIONS)
        .map(|(question, waiting)| format!("{} ({})", flags(question, waiting), question.asks))
        .collect();
    let such_as = if waiting.len() > MOST_QUESTIONS { ", such as" } else { ":" };
    let rules = counted(rules.len(), "more rule waits", "more rules wait");
    vec![format!("{rules} for facts{such_as} {}", listed(&shown))]
}

fn each(waiting: &[(&Question, &Waiting<'_>)]) -> Vec<String> {
    let line = |(question, waiting): &(&Question, &Waiting<'_>)| {
        let rules: Vec<_> = waiting.rules.iter().copied().collect();
        let waits = if rules.len() == 1 { "waits" } else { "wait" };
        format!("{} {waits} for {} ({})", rules.join(", "), flags(question, waiting), question.asks)
    };
    waiting.iter().map(line).collect()
}

/// The flags of a question that are missing, as somebody would type them.
fn flags(question: &Question, waiting: &Waiting<'_>) -> String {
    let missing = question.flags.iter().filter(|(flag, _)| waiting.flags.contains(flag));
    missing.map(|(flag, value)| format!("{flag} {value}")).collect::<Vec<_>>().join(" ")
}

fn listed(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Missing;

    fn missing(rule: &'static str, target: usize, flags: &[(&'static str, MissingKind)]) -> NotEvaluated {
        let missing = flags
            .iter()
            .map(|(flag, kind)| Missing { name: (*flag).to_owned(), kind: *kind, flag: Some(flag) })
            .collect();
        NotEvaluated { rule: rule.into(), target, missing }
    }

    #[test]
    fn each_rule_counts_once_and_says_what_it_would_answer() {
        use MissingKind::{Catalog, Fact, Template};
        let entries = [
            missing("a", 0, &[("--ram", Fact)]),
            missing("a", 1, &[("--ram", Fact)]),
            missing("b", 0, &[("--ram", Fact), ("--cpus", Fact)]),
            missing("c", 0, &[("--disk-capacity", Fact), ("--disk-class", Fact), ("--ram", Fact)]),
            missing("d", 0, &[("--ram", Fact), ("x", Catalog)]),
            missing("e", 0, &[("y", Template)]),
        ];
        let template = "1 rule was not evaluated, since a template fills in what is read";
        assert_eq!(
            not_evaluated_lines(&entries, false),
            [
                "3 more rules wait for facts: --ram 64G --cpus 16 (does it fit the memory?) and \
                 --disk-class consumer-tlc --disk-capacity 1T (how long does the drive last?)",
                template,
            ]
        );
        assert_eq!(
            not_evaluated_lines(&entries, true),
            [
                "a, b wait for --ram 64G --cpus 16 (does it fit the memory?)",
                "c waits for --disk-class consumer-tlc --disk-capacity 1T (how long does the drive last?)",
                template,
            ]
        );
    }

    #[test]
    fn every_flag_of_a_fact_belongs_to_a_question() {
        let known: BTreeSet<_> = QUESTIONS.iter().flat_map(|question| question.flags).map(|(flag, _)| *flag).collect();
        for fact in crate::facts::FactId::ALL {
            let only_excuses = ["--shared", "--phase", "--role"];
            let flag = fact.flag().unwrap_or(FACTS);
            assert!(known.contains(flag) || only_excuses.contains(&flag), "{flag}");
        }
    }
}
