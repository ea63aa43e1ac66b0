//! Which findings count: `--select`, `--ignore`, `--min-severity`.

use crate::cli::SelectionArguments;
use cnflint::finding::Severity;
use cnflint::lint::Report;
use cnflint::pages::RulePage;
use cnflint::report::human::Mistake;
use std::collections::BTreeSet;

/// The rules that were chosen.
#[derive(Debug)]
pub struct Selection {
    ignored: BTreeSet<String>,
    min_severity: Severity,
}

impl Selection {
    /// The choice that the arguments make among the known rules.
    ///
    /// # Errors
    /// When a pattern matches neither a rule nor an area.
    pub fn new(arguments: &SelectionArguments, rules: &[RulePage]) -> Result<Self, Mistake> {
        let selected = matching(&arguments.select, rules)?;
        let ignored = matching(&arguments.ignore, rules)?;
        let left_out = |rule: &&RulePage| {
            ignored.contains(rule.id.as_str()) || !arguments.select.is_empty() && !selected.contains(rule.id.as_str())
        };
        let ignored = rules.iter().filter(left_out).map(|rule| rule.id.clone()).collect();
        Ok(Self { ignored, min_severity: arguments.min_severity.into() })
    }

    /// Leaves only what was chosen.
    pub fn apply(&self, report: &mut Report) {
        report.findings.retain(|located| {
            located.finding.severity >= self.min_severity && !self.ignored.contains(&*located.finding.rule)
        });
        report.not_evaluated.retain(|entry| !self.ignored.contains(&*entry.rule));
    }
}

/// The ids of the rules that any of the patterns matches, by id or by area.
///
/// # Errors
/// When a pattern matches nothing.
pub fn matching<'a>(patterns: &[String], rules: &'a [RulePage]) -> Result<BTreeSet<&'a str>, Mistake> {
    let mut matched = BTreeSet::new();
    for pattern in patterns {
        let is_hit = |rule: &&RulePage| matches(pattern, &rule.id) || matches(pattern, &rule.area);
        let hits: Vec<_> = rules.iter().filter(is_hit).map(|rule| rule.id.as_str()).collect();
        if hits.is_empty() {
            return Err(Mistake {
                message: format!("`{pattern}` is neither a rule nor an area"),
                help: similar(pattern, rules)
                    .map(|name| format!("did you mean `{name}`? `cnflint rules` lists them all")),
                place: None,
            });
        }
        matched.extend(hits);
    }
    Ok(matched)
}

/// The rule or area that was probably meant.
pub fn similar<'a>(written: &str, rules: &'a [RulePage]) -> Option<&'a str> {
    let names = rules.iter().flat_map(|rule| [rule.id.as_str(), rule.area.as_str()]);
    let scored = names.map(|name| (strsim::jaro_winkler(written, name), name));
    scored.filter(|(score, _)| *score > 0.8).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, name)| name)
}

/// Whether a text matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| matches(tail, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(area: &str, id: &str) -> RulePage {
        RulePage { id: id.to_owned(), area: area.to_owned(), ..RulePage::default() }
    }

    fn rules() -> Vec<RulePage> {
        vec![
            rule("redo", "redo-log-too-small"),
            rule("redo", "redo-log-oversized"),
            rule("memory", "memory-overcommit"),
        ]
    }

    fn left_out(select: &[&str], ignore: &[&str]) -> Vec<String> {
        let owned = |list: &[&str]| list.iter().map(|pattern| (*pattern).to_owned()).collect();
        let arguments = SelectionArguments { select: owned(select), ignore: owned(ignore), ..Default::default() };
        Selection::new(&arguments, &rules()).unwrap().ignored.into_iter().collect()
    }

    #[test]
    fn rules_and_areas_are_chosen() {
        assert!(left_out(&[], &[]).is_empty());
        assert_eq!(left_out(&["redo"], &["*-oversized"]), ["memory-overcommit", "redo-log-oversized"]);
        assert_eq!(left_out(&[], &["redo-*"]), ["redo-log-oversized", "redo-log-too-small"]);
    }

    #[test]
    fn a_misspelt_rule_is_a_mistake() {
        let arguments = SelectionArguments { ignore: vec!["redo-log-oversize".to_owned()], ..Default::default() };
        let mistake = Selection::new(&arguments, &rules()).unwrap_err();
        assert!(mistake.help.unwrap().contains("`redo-log-oversized`"));
    }
}
