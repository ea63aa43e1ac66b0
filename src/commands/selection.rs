//! Which findings count: `--select`, `--ignore`, `--min-severity`, and the same of the project.

use crate::cli::SelectionArguments;
use cnflint::finding::Severity;
use cnflint::lint::Report;
use cnflint::pages::RulePage;
use cnflint::project::{Project, Projects, pattern_matches};
use cnflint::report::human::Mistake;
use cnflint::suppress::configuration::project_of;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What counts in each project, and outside of any.
#[derive(Debug)]
pub struct Selections {
    outside: Selection,
    projects: Vec<(PathBuf, Selection)>,
}

impl Selections {
    /// The choices that the arguments make among the known rules, and where they make none, those of the projects.
    ///
    /// # Errors
    /// When a pattern matches neither a rule nor an area.
    pub fn new(arguments: &SelectionArguments, projects: &Projects, rules: &[RulePage]) -> Result<Self, Mistake> {
        let of = |project: &Project| Ok((project.path.clone(), Selection::new(arguments, Some(project), rules)?));
        Ok(Self {
            outside: Selection::new(arguments, None, rules)?,
            projects: projects.all().iter().map(of).collect::<Result<_, Mistake>>()?,
        })
    }

    /// Leaves only what was chosen.
    pub fn apply(&self, report: &mut Report, projects: &Projects) {
        let of = |report: &Report, target| match project_of(report, target, projects) {
            Some(project) => self.projects.iter().find(|(path, _)| *path == project.path).map(|(_, chosen)| chosen),
            None => None,
        };
        let chosen: Vec<_> =
            (0..report.targets.len()).map(|target| of(report, target).unwrap_or(&self.outside)).collect();
        let chosen = |target: usize| chosen.get(target).copied().unwrap_or(&self.outside);
        report.findings.retain(|located| {
            let selection = chosen(located.target);
            located.finding.severity >= selection.min_severity && !selection.ignored.contains(&*located.finding.rule)
        });
        report.not_evaluated.retain(|entry| !chosen(entry.target).ignored.contains(&*entry.rule));
    }
}

/// The rules that were chosen.
#[derive(Debug)]
struct Selection {
    ignored: BTreeSet<String>,
    min_severity: Severity,
}

impl Selection {
    fn new(arguments: &SelectionArguments, project: Option<&Project>, rules: &[RulePage]) -> Result<Self, Mistake> {
        let of_project = || project.iter().flat_map(|project| &project.select).map(|rule| rule.value.clone()).collect();
        let select = if arguments.select.is_empty() { of_project() } else { arguments.select.clone() };
        let selected = matching(&select, rules)?;
        let ignored = matching(&arguments.ignore, rules)?;
        let left_out = |rule: &&RulePage| {
            ignored.contains(rule.id.as_str()) || !select.is_empty() && !selected.contains(rule.id.as_str())
        };
        let ignored = rules.iter().filter(left_out).map(|rule| rule.id.clone()).collect();
        let min_severity = arguments.min_severity.map(Severity::from);
        let min_severity = min_severity.or(project.and_then(|project| project.min_severity));
        Ok(Self { ignored, min_severity: min_severity.unwrap_or(Severity::Advice) })
    }
}

/// The ids of the rules that any of the patterns matches, by id or by area.
///
/// # Errors
/// When a pattern matches nothing.
pub fn matching<'a>(patterns: &[String], rules: &'a [RulePage]) -> Result<BTreeSet<&'a str>, Mistake> {
    let mut matched = BTreeSet::new();
    for pattern in patterns {
        let is_hit = |rule: &&RulePage| pattern_matches(pattern, &rule.id) || pattern_matches(pattern, &rule.area);
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
        Selection::new(&arguments, None, &rules()).unwrap().ignored.into_iter().collect()
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
        let mistake = Selection::new(&arguments, None, &rules()).unwrap_err();
        assert!(mistake.help.unwrap().contains("`redo-log-oversized`"));
    }
}
