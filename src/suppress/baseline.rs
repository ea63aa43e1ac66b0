//! Findings that are known and put up with for now: counted by file, rule and option, so that lines may move. Nothing else is
//! kept, so a baseline holds no values and no secrets.

use crate::lint::Report;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The number of the layout.
const SCHEMA: u32 = 1;

/// What is counted: the file, with `/` and from the baseline's directory where it is below it; the rule; the option, empty for
/// none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    rule: String,
    option: String,
}

/// Why a text is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not the JSON that [`Baseline::to_json`] writes.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another cnflint.
    #[error("its layout is number {0}, and this cnflint knows number {SCHEMA}")]
    Schema(u32),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layout {
    schema: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    rule: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    option: String,
    count: u32,
}

/// Known findings, and what a run has seen of them.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// Where it stands, as an absolute path.
    directory: PathBuf,
    /// Where the relative paths of a report start.
    working_directory: PathBuf,
    /// `None` where it is about to be written for the first time: then whatever is found is known.
    known: Option<BTreeMap<Key, u32>>,
    seen: BTreeMap<Key, u32>,
    hidden: BTreeMap<Key, u32>,
    files: BTreeSet<String>,
    /// Files and rules of which nobody knows whether they have anything to say, since a fact is missing.
    unknown: BTreeSet<(String, String)>,
}

impl Baseline {
    /// A baseline that is about to be written for the first time. `directory` is where it is going to stand, as an absolute
    /// path; the relative paths of reports start at `working_directory`.
    pub fn first(directory: PathBuf, working_directory: PathBuf) -> Self {
        Self { directory, working_directory, ..Self::default() }
    }

    /// Reads what [`Baseline::to_json`] wrote. The directories are those of [`Baseline::first`].
    ///
    /// # Errors
    /// When the text is no baseline.
    pub fn parse(directory: PathBuf, working_directory: PathBuf, text: &[u8]) -> Result<Self, BaselineError> {
        let layout: Layout = serde_json::from_slice(text)?;
        if layout.schema != SCHEMA {
            return Err(BaselineError::Schema(layout.schema));
        }
        let mut known = BTreeMap::new();
        for Entry { file, rule, option, count } in layout.findings {
            *known.entry(Key { file, rule, option }).or_insert(0) += count;
        }
        Ok(Self { known: Some(known), ..Self::first(directory, working_directory) })
    }

    /// Whether it is about to be written for the first time.
    pub fn is_new(&self) -> bool {
        self.known.is_none()
    }

    /// Counts what a report finds. Where it is not new, to be called before anything but comments has taken findings out.
    pub fn see(&mut self, report: &Report) {
        for target in &report.targets {
            let names: Vec<_> = target.files.iter().map(|file| self.name(report.sources.get(*file).path())).collect();
            self.files.extend(names);
        }
        for missing in &report.not_evaluated {
            let files = report.targets.get(missing.target).map_or(&[][..], |target| &target.files);
            let file = |file| (self.name(report.sources.get(file).path()), missing.rule.to_string());
            self.unknown.extend(files.iter().copied().map(file).collect::<Vec<_>>());
        }
        for located in &report.findings {
            *self.seen.entry(self.key(report, located)).or_default() += 1;
        }
    }

    /// Takes known findings out of a report and counts them as suppressed: of each kind as many as are known.
    pub fn hide(&mut self, report: &mut Report) {
        let findings = std::mem::take(&mut report.findings);
        for located in findings {
            let key = self.key(report, &located);
            let known = self.known.as_ref().map_or(u32::MAX, |known| known.get(&key).copied().unwrap_or(0));
            let hidden = self.hidden.entry(key).or_default();
            if *hidden < known {
                *hidden += 1;
                report.suppressed += 1;
            } else {
                report.findings.push(located);
            }
        }
    }

    /// What is still known after this run: never more than before. Files that were not read, and rules that lack a fact, keep
    /// their counts; files that are gone (`exists`, by absolute path) lose theirs.
    pub fn to_json(&self, exists: impl Fn(&Path) -> bool) -> Result<String, BaselineError> {
        let seen = |key: &Key| self.seen.get(key).copied().unwrap_or(0);
        let kept = |(key, known): (&Key, &u32)| {
            let not_looked_at = !self.files.contains(&key.file) && exists(&self.directory.join(&key.file));
            let unknown = self.unknown.contains(&(key.file.clone(), key.rule.clone()));
            let count = if not_looked_at || unknown { *known } else { seen(key).min(*known) };
            (key.clone(), count)
        };
        let counts: BTreeMap<_, _> = match &self.known {
            Some(known) => known.iter().map(kept).collect(),
            None => self.seen.clone(),
        };
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let findings = counts.map(|(Key { file, rule, option }, count)| Entry { file, rule, option, count }).collect();
        Ok(serde_json::to_string_pretty(&Layout { schema: SCHEMA, findings })? + "\n")
    }

    fn key(&self, report: &Report, located: &crate::lint::Located) -> Key {
        let finding = &located.finding;
        Key {
            file: self.name(report.sources.get(finding.primary.location.file).path()),
            rule: finding.rule.to_string(),
            option: finding.option.as_deref().unwrap_or_default().to_owned(),
        }
    }

    /// A file's path from the baseline's directory, the same on every system.
    fn name(&self, path: &Path) -> String {
        let path = self.working_directory.join(path);
        let path = path.strip_prefix(&self.directory).unwrap_or(&path);
        let parts = path.components().filter(|part| !matches!(part, Component::CurDir));
        let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
        let joined = parts.join("/");
        // The root is a part of its own.
        joined.strip_prefix("//").map_or(joined.clone(), |rest| format!("/{rest}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{self, ServerSource, Subject};
    use crate::rules::built_in;
    use crate::server::ServerSpec;
    use crate::source::MemoryFiles;

    fn report(text: &str) -> Report {
        let subject = Subject {
            roots: vec![("my.cnf".into(), Some(text.as_bytes().to_vec()))],
            server: Some((ServerSpec::parse("mysql-9.7").unwrap(), ServerSource::Flag)),
            ..Subject::default()
        };
        let mut report = Report::default();
        lint::lint(&MemoryFiles::default(), subject, &[built_in()], &mut report);
        report
    }

    /// What is left to say, and the baseline after the run.
    fn run(baseline: &str, text: &str) -> (usize, String) {
        let mut baseline = match baseline {
            "" => Baseline::first("/repo".into(), "/repo/conf".into()),
            text => Baseline::parse("/repo".into(), "/repo/conf".into(), text.as_bytes()).unwrap(),
        };
        let mut report = report(text);
        baseline.see(&report);
        baseline.hide(&mut report);
        (report.findings.len(), baseline.to_json(|_| true).unwrap())
    }

    const WORN: &str = "[mysqld]\nskip-log-bin\nno_such = hunter2\nnor_such = 1\n";

    #[test]
    fn what_is_known_is_hidden_wherever_it_stands() {
        let (left, written) = run("", WORN);
        assert_eq!(left, 0);
        assert!(written.contains(r#""file": "conf/my.cnf""#) && !written.contains("hunter2"), "{written}");
        assert_eq!(run(&written, "[mysqld]\n\n# more\nnor_such = 1\nno_such = hunter2\nskip-log-bin\n").0, 0);
        assert_eq!(run(&written, &format!("{WORN}never_such = 1\n")).0, 1);
    }

    #[test]
    fn a_baseline_only_shrinks() {
        let (_, written) = run("", WORN);
        assert_eq!(run(&written, &format!("{WORN}never_such = 1\n")).1, written);
        let (left, shrunk) = run(&written, "[mysqld]\nno_such = 1\n");
        assert_eq!(left, 0);
        assert!(shrunk.len() < written.len());
        assert_eq!(run(&shrunk, WORN).0, 2, "what was mended is new when it comes back");
    }

    #[test]
    fn files_that_were_not_read_keep_their_counts_until_they_are_gone() {
        let (_, written) = run("", WORN);
        let baseline = Baseline::parse("/repo".into(), "/repo/conf".into(), written.as_bytes()).unwrap();
        assert_eq!(baseline.to_json(|path| path == Path::new("/repo/conf/my.cnf")).unwrap(), written);
        assert!(!baseline.to_json(|_| false).unwrap().contains("rule"));
    }

    #[test]
    fn another_layout_is_refused() {
        let parse = |text: &str| Baseline::parse("/".into(), "/".into(), text.as_bytes()).unwrap_err().to_string();
        assert!(parse(r#"{"schema": 2, "findings": []}"#).contains("number 2"));
        assert!(parse(r#"{"schema": 1, "findings": [{"file": "x"}]}"#).contains("rule"));
    }
}
