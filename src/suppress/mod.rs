//! Findings that a comment in the file asks to leave out: `# cnflint: ignore[binlog-off] restored every night`.
//!
//! Behind an option the comment is about its own line; on a line of its own it is about the next line that holds anything, and
//! above the first group of a file it is about the whole file. What the server would do stays as it is: a file that it refuses
//! is refused.

mod baseline;
pub mod configuration;

pub use baseline::{Baseline, BaselineError};

use crate::finding::{Change, Edit, Finding, Fix, Label, Safety, Severity, Side};
use crate::lint::{Located, Report, ServerSource, Target};
use crate::optionfile::{Pragma, PragmaKind};
use crate::rules::{self, RuleSet};
use crate::source::{Location, SourceFile, Sources, Span};
use std::borrow::Cow;

/// The rule about comments that leave nothing out.
pub const UNUSED_IGNORE: &str = "unused-ignore";

/// Takes out and counts what comments ask to leave out, and says which of them leave nothing out. `rules` are all there are.
pub fn suppress(report: &mut Report, rules: &[RuleSet<'_>]) {
    let mut ignores: Vec<Ignore> = Vec::new();
    for pragma in &report.pragmas {
        // A file that several servers read is asked once.
        let is_known = |known: &Ignore| known.pragma.file == pragma.file && known.pragma.span == pragma.span;
        if !ignores.iter().any(is_known) {
            ignores.extend(Ignore::of(pragma, &report.sources));
        }
    }
    let misspelt: Vec<_> = report.pragmas.iter().filter_map(|pragma| misspelt(pragma, report, rules)).collect();
    if ignores.is_empty() && misspelt.is_empty() {
        return;
    }
    let sources = &report.sources;
    let before = report.findings.len();
    report.findings.retain(|located| {
        let at = located.finding.primary.location;
        let line = sources.get(at.file).line_of(at.span.start);
        // Every comment that hides it is in use.
        let hiding = ignores.iter_mut().map(|ignore| ignore.hides(at, line, &located.finding.rule));
        hiding.filter(|hides| *hides).count() == 0
    });
    report.suppressed += u32::try_from(before - report.findings.len()).unwrap_or(u32::MAX);
    let unused: Vec<_> = ignores.iter().flat_map(|ignore| ignore.unused(report, rules)).collect();
    report.findings.extend(unused);
    report.findings.extend(misspelt);
}

/// A comment that was meant to leave something out and is not read so: `ignore [rule]`, `ignore[rule`, `ignroe[rule]`.
fn misspelt(pragma: &Pragma, report: &Report, rules: &[RuleSet<'_>]) -> Option<Located> {
    let PragmaKind::Unknown(text) = &pragma.kind else { return None };
    let word = text.split('[').next().unwrap_or_default();
    if strsim::jaro_winkler(word, "ignore") < 0.9 {
        return None;
    }
    let target = report.targets.iter().position(|target| target.files.contains(&pragma.file))?;
    let fix = Fix {
        safety: Safety::Manual,
        title: "write `# cnflint: ignore[RULE] why`".to_owned(),
        changes: Vec::new(),
        dynamic: None,
        statements: Vec::new(),
        edits: Vec::new(),
    };
    let location = Location { file: pragma.file, span: pragma.span };
    let message = format!("`{word}` does not stand before rules in brackets: the comment leaves nothing out");
    Some(Located { target, finding: finding(location, message, fix, rules) })
}

fn finding(location: Location, message: String, fix: Fix, rules: &[RuleSet<'_>]) -> Finding {
    let why = rules.iter().find_map(|set| set.find(UNUSED_IGNORE)).map_or("", |rule| rule.why());
    Finding {
        rule: Cow::Borrowed(UNUSED_IGNORE),
        severity: Severity::Advice,
        message,
        why: Cow::Owned(why.to_owned()),
        primary: Label { location, text: "leaves nothing out".to_owned() },
        related: Vec::new(),
        evidence: Vec::new(),
        fix: Some(fix),
        option: None,
        value: None,
        side: Side::Both,
    }
}

/// Where some rules are not to speak.
struct Ignore<'a> {
    pragma: &'a Pragma,
    /// `None`: in the whole file.
    line: Option<u32>,
    /// Each rule with its place, and whether it was hidden somewhere.
    rules: Vec<(&'a str, Span, bool)>,
}

impl<'a> Ignore<'a> {
    fn of(pragma: &'a Pragma, sources: &Sources) -> Option<Self> {
        let PragmaKind::Ignore { rules, .. } = &pragma.kind else { return None };
        let rules = rules.iter().map(|(name, span)| (rules::current(name), *span, false)).collect();
        let file = sources.get(pragma.file);
        let own = file.line_of(pragma.span.start);
        let first = pragma.within.map_or(1, |part| file.line_of(part.start));
        let next = || (own + 1..=file.line_count()).find(|line| holds_anything(file, *line));
        let line = match (pragma.trailing, next()) {
            (true, _) => Some(own),
            (false, Some(next)) if is_header(file, next) && !(first..own).any(|line| holds_anything(file, line)) => {
                None
            }
            (false, next) => Some(next.unwrap_or(own)),
        };
        Some(Self { pragma, line, rules })
    }

    fn hides(&mut self, at: Location, line: u32, rule: &str) -> bool {
        let within = self.pragma.within.is_none_or(|part| (part.start..part.end).contains(&at.span.start));
        let here = self.pragma.file == at.file && within && self.line.is_none_or(|own| own == line);
        let mut hides = false;
        for (_, _, used) in self.rules.iter_mut().filter(|(name, ..)| here && *name == rule) {
            (*used, hides) = (true, true);
        }
        hides
    }

    /// A finding for each rule that was not hidden and might have been.
    fn unused(&self, report: &Report, rules: &[RuleSet<'_>]) -> Vec<Located> {
        let reads = |(_, target): &(usize, &Target)| target.files.contains(&self.pragma.file);
        let readers: Vec<_> = report.targets.iter().enumerate().filter(reads).collect();
        let Some((first, _)) = readers.first() else { return Vec::new() };
        // What is not known to be idle stays.
        let may_speak = |rule: &str| {
            readers.iter().any(|(index, target)| {
                let lacks_fact = report.not_evaluated.iter().any(|item| item.target == *index && item.rule == *rule);
                target.fragment || target.server_source == ServerSource::Assumed || lacks_fact
            })
        };
        let idle: Vec<_> = self
            .rules
            .iter()
            .enumerate()
            .filter(|(_, (name, _, used))| !used && (!exists(name, rules) || !may_speak(name)))
            .filter(|(_, (name, ..))| !is_unloaded_site_rule(name, rules))
            .map(|(index, _)| index)
            .collect();
        let said = |index: usize| {
            let (name, span, _) = self.rules[index];
            let location = Location { file: self.pragma.file, span };
            let meant = if exists(name, rules) { None } else { similar(name, rules) };
            let message = match (exists(name, rules), &meant) {
                (true, _) => format!("`{name}` has nothing to say here: the comment leaves nothing out"),
                (false, Some(meant)) => {
                    format!("no rule is called `{name}`, so nothing is left out; did you mean `{meant}`?")
                }
                (false, None) => format!("no rule is called `{name}`, so nothing is left out"),
            };
            let fix = match meant {
                Some(meant) => respelled(Safety::Unsafe, format!("write `{meant}`"), location, meant.to_owned()),
                None if idle.len() == self.rules.len() => {
                    let at =
                        Location { file: self.pragma.file, span: self.whole(report.sources.get(self.pragma.file)) };
                    respelled(Safety::Safe, "remove the comment".to_owned(), at, String::new())
                }
                None => {
                    let at = Location { file: self.pragma.file, span: self.with_comma(index) };
                    respelled(Safety::Safe, format!("remove `{name}`"), at, String::new())
                }
            };
            Located { target: *first, finding: finding(location, message, fix, rules) }
        };
        idle.iter().copied().map(said).collect()
    }

    /// The comment with the blanks before it, and with its line where it has one of its own.
    fn whole(&self, file: &SourceFile) -> Span {
        let line = file.line_span(file.line_of(self.pragma.span.start));
        if !self.pragma.trailing {
            return Span::new(line.start, (line.end + 1).min(file.bytes().len() as u32));
        }
        let before = Span::new(line.start, self.pragma.span.start).of(file.bytes()).trim_ascii_end();
        let before = before.strip_suffix(b"cnflint:").unwrap_or(before);
        let marks = before.iter().rev().take_while(|byte| matches!(byte, b'#' | b' ' | b'\t')).count();
        Span::new(line.start + (before.len() - marks) as u32, self.pragma.line.end)
    }

    /// A name in the list with the comma that goes when it goes.
    fn with_comma(&self, index: usize) -> Span {
        let span = |index: usize| self.rules.get(index).map(|(_, span, _)| *span);
        let own = self.rules[index].1;
        match (span(index + 1), index.checked_sub(1).and_then(span)) {
            (Some(next), _) => Span::new(own.start, next.start),
            (None, Some(last)) => Span::new(last.end, own.end),
            (None, None) => own,
        }
    }
}

fn respelled(safety: Safety, title: String, at: Location, text: String) -> Fix {
    let edits = vec![Edit { at, bytes: text.clone().into_bytes() }];
    Fix { safety, title, changes: vec![Change::Respell { at, text }], dynamic: None, statements: Vec::new(), edits }
}

fn exists(name: &str, rules: &[RuleSet<'_>]) -> bool {
    rules.iter().any(|set| set.find(name).is_some())
}

/// Without `--rules` nobody knows the site's.
fn is_unloaded_site_rule(name: &str, rules: &[RuleSet<'_>]) -> bool {
    name.starts_with("site/") && !rules.iter().any(|set| set.iter().any(|rule| rule.id().starts_with("site/")))
}

fn similar<'r>(written: &str, rules: &[RuleSet<'r>]) -> Option<&'r str> {
    let scored =
        rules.iter().flat_map(|set| set.iter()).map(|rule| (strsim::jaro_winkler(written, rule.id()), rule.id()));
    scored.filter(|(score, _)| *score > 0.9).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, id)| id)
}

/// Whether a line is neither blank nor a comment.
fn holds_anything(file: &SourceFile, line: u32) -> bool {
    let text = file.line_span(line).of(file.bytes()).trim_ascii_start();
    !text.is_empty() && !text.starts_with(b"#") && !text.starts_with(b";")
}

fn is_header(file: &SourceFile, line: u32) -> bool {
    file.line_span(line).of(file.bytes()).trim_ascii_start().starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{self, Subject};
    use crate::rules::built_in;
    use crate::server::ServerSpec;
    use crate::source::MemoryFiles;

    fn looked_at(text: &str, server: Option<&str>) -> Report {
        let subject = Subject {
            roots: vec![("my.cnf".into(), Some(text.as_bytes().to_vec()))],
            server: server.map(|server| (ServerSpec::parse(server).unwrap(), ServerSource::Flag)),
            ..Subject::default()
        };
        let mut report = Report::default();
        lint::lint(&MemoryFiles::default(), subject, &[built_in()], &mut report);
        suppress(&mut report, &[built_in()]);
        report
    }

    /// The rules that still speak, and how many were silenced.
    fn said(text: &str) -> (Vec<String>, u32) {
        let report = looked_at(text, Some("mysql-9.7"));
        (report.findings.iter().map(|located| located.finding.rule.to_string()).collect(), report.suppressed)
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next_or_the_file() {
        let off = "binlog-off".to_owned();
        let unused = UNUSED_IGNORE.to_owned();
        assert_eq!(said("[mysqld]\nskip-log-bin\n"), (vec![off.clone()], 0));
        assert_eq!(said("[mysqld]\nskip-log-bin # cnflint: ignore[binlog-off] a copy\n"), (vec![], 1));
        assert_eq!(said("[mysqld]\n# cnflint: ignore[binlog-off]\n\n; a copy\nskip-log-bin\n"), (vec![], 1));
        assert_eq!(said("# ours\n\n# cnflint: ignore[binlog-off]\n\n[mysqld]\nport = 1\nskip-log-bin\n"), (vec![], 1));
        let elsewhere = "[mysqld]\n# cnflint: ignore[binlog-off]\nport = 1\nskip-log-bin\n";
        assert_eq!(said(elsewhere), (vec![off.clone(), unused.clone()], 0));
        let other = "[mysqld]\nskip-log-bin # cnflint: ignore[doublewrite-off]\n";
        assert_eq!(said(other), (vec![off, unused], 0));
    }

    /// What stays when every comment that leaves nothing out is mended.
    fn mended(text: &str) -> String {
        let report = looked_at(text, Some("mysql-9.7"));
        let fixes = report.findings.iter().filter(|located| located.finding.rule == UNUSED_IGNORE);
        let edits: Vec<_> =
            fixes.filter_map(|located| located.finding.fix.as_ref()).flat_map(|fix| &fix.edits).collect();
        String::from_utf8(crate::edits::apply(text.as_bytes(), &edits)).unwrap()
    }

    #[test]
    fn what_leaves_nothing_out_goes_and_the_rest_stays() {
        assert_eq!(mended("[mysqld]\r\nport = 1\t # cnflint: ignore[binlog-off] x\r\n"), "[mysqld]\r\nport = 1\r\n");
        assert_eq!(mended("[mysqld]\n  ; cnflint: ignore[binlog-off]\nport = 1"), "[mysqld]\nport = 1");
        let several = |list: &str| format!("[mysqld]\nskip-log-bin # cnflint: ignore[{list}] copy\n");
        assert_eq!(mended(&several("binlog-off, doublewrite-off")), several("binlog-off"));
        assert_eq!(mended(&several("doublewrite-off , binlog-off")), several("binlog-off"));
        assert_eq!(mended(&several("binlogs-off")), several("binlog-off"));
        assert_eq!(mended(&several("site/own, binlog-off")), several("site/own, binlog-off"));
    }

    #[test]
    fn what_might_have_spoken_is_left_alone() {
        let idle =
            |text, server| looked_at(text, server).findings.iter().any(|located| located.finding.rule == UNUSED_IGNORE);
        let text = "[mysqld]\nport = 1 # cnflint: ignore[binlog-off]\n";
        assert!(idle(text, Some("mysql-9.7")));
        assert!(!idle(text, None), "of another server it might be said");
        assert!(idle("[mysqld]\nport = 1 # cnflint: ignore[no-such-rule]\n", None), "no server has that rule");
        let lacks_ram = "[mysqld]\ninnodb_buffer_pool_size = 1G # cnflint: ignore[buffer-pool-too-large]\n";
        assert!(!idle(lacks_ram, Some("mysql-9.7")));
    }

    #[test]
    fn a_comment_that_is_not_read_is_found() {
        for comment in ["ignore [binlog-off]", "ignore[binlog-off", "ignroe[binlog-off] x", "ignores binlog-off"] {
            let text = format!("[mysqld]\nskip-log-bin # cnflint: {comment}\n");
            let unused = UNUSED_IGNORE.to_owned();
            assert_eq!(said(&text), (vec!["binlog-off".to_owned(), unused], 0), "{comment}");
        }
    }
}
