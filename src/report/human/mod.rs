//! The report for a person at a terminal. Only this room knows miette.

mod drawing;
mod fix;
mod look;

pub use drawing::{Mistake, mistake};
pub use look::{Look, wrapped};

use self::drawing::{Shown, handler};
use self::look::{cut, first_sentence};
use super::excerpt::Excerpt;
use super::figures::shown;
use super::secrets::Secrets;
use super::summary::{Counts, facts_line, server_source, upgrade_text, upgrade_verdict, verdict_text, verdicts_text};
use super::text::{clean, counted, one_line};
use super::waiting::not_evaluated_lines;
use crate::finding::{Evidence, Finding, Severity};
use crate::lint::{Located, NotEvaluated, Report, ServerSource, Target, Verdict};
use crate::model::ModelId;
use miette::{GraphicalReportHandler, LabeledSpan};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

/// How much is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Advice in full, and every reason to its end.
    pub verbose: bool,
    /// Findings only: no heading, no footer.
    pub quiet: bool,
}

/// Columns of the words at the left of the heading and under a finding.
const MARGIN: usize = 9;
/// Columns that line numbers and frame take beside a line of source.
const GUTTER: usize = 10;
/// Figures under a finding, unless all are asked for.
const MOST_FIGURES: usize = 12;
/// How the source of an assumed fact begins.
const ASSUMED: &str = "assumed";
/// Columns of the text beside a label.
const WIDEST_LABEL: usize = 60;
/// From here on, the list of changes is shorter than the sentence about them.
const MANY_CHANGES: usize = 3;
/// From here on, what one rule says of one place is folded into one entry.
const MANY_ALIKE: usize = 4;
const NARROWEST: usize = 40;

/// Writes the report.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, look: &Look, shows: Shows, out: &mut dyn io::Write) -> io::Result<()> {
    let mut pages = Pages::new(look, shows, report.targets.len() > 1);
    pages.add(report, out)?;
    pages.finish(out)
}

/// A report that is written server by server, so that of ten thousand files none has to be kept.
pub struct Pages {
    look: Look,
    shows: Shows,
    /// Whether there is more than one server.
    several: bool,
    targets: usize,
    counts: Counts,
    suppressed: u32,
    /// Each rule and what it lacked, once.
    not_evaluated: BTreeSet<NotEvaluated>,
}

impl Pages {
    /// A report on one server or on several.
    pub fn new(look: &Look, shows: Shows, several: bool) -> Self {
        Self {
            look: Look { width: look.width.max(NARROWEST), ..*look },
            shows,
            several,
            targets: 0,
            counts: Counts::default(),
            suppressed: 0,
            not_evaluated: BTreeSet::new(),
        }
    }

    /// Writes what was found about the servers of a report.
    ///
    /// # Errors
    /// What the writer says.
    pub fn add(&mut self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        self.targets += report.targets.len();
        self.counts = self.counts + Counts::of(&report.findings);
        self.suppressed += report.suppressed;
        self.not_evaluated.extend(report.not_evaluated.iter().map(|entry| NotEvaluated { target: 0, ..entry.clone() }));
        let (look, shows) = (self.look, self.shows);
        let page = Page { report, secrets: Secrets::of(report), look, shows, handler: handler(look) };
        let mut text = String::new();
        // Writing to a String cannot fail; miette's only other error is a place outside the text, which Excerpt rules out.
        page.render(self.several, &mut text).map_err(io::Error::other)?;
        out.write_all(text.as_bytes())
    }

    /// Writes the last lines: what was found in all, and what was not evaluated.
    ///
    /// # Errors
    /// What the writer says.
    pub fn finish(self, out: &mut dyn io::Write) -> io::Result<()> {
        if self.shows.quiet || self.targets == 0 {
            return Ok(());
        }
        let mut counts = self.counts.text();
        if self.several {
            counts = format!("{counts} in {}", counted(self.targets, "server", "servers"));
        }
        if self.suppressed > 0 {
            let suppressed = counted(self.suppressed as usize, "finding", "findings");
            counts = format!("{counts}; {suppressed} suppressed");
        }
        writeln!(out, "{}", self.look.bold(&counts))?;
        let lines = not_evaluated_lines(&self.not_evaluated, self.shows.verbose);
        let mut lines = lines.iter().flat_map(|line| wrapped(line, self.look.width));
        lines.try_for_each(|line| writeln!(out, "{line}"))
    }
}

struct Page<'a> {
    report: &'a Report,
    secrets: Secrets<'a>,
    look: Look,
    shows: Shows,
    handler: GraphicalReportHandler,
}

impl Page<'_> {
    fn render(&self, several: bool, out: &mut String) -> std::fmt::Result {
        let mut by_target: Vec<Vec<&Located>> = vec![Vec::new(); self.report.targets.len()];
        for located in &self.report.findings {
            if let Some(findings) = by_target.get_mut(located.target) {
                findings.push(located);
            }
        }
        for (target, findings) in self.report.targets.iter().zip(&by_target) {
            if !self.shows.quiet {
                if several && findings.is_empty() {
                    self.quiet_target(target, out)?;
                } else {
                    self.heading(target, findings, out)?;
                }
            }
            self.findings(findings, out)?;
        }
        Ok(())
    }

    fn files(&self, target: &Target) -> String {
        let first = target.files.first().map(|id| self.report.sources.get(*id).path().to_string_lossy());
        let first = clean(first.as_deref().unwrap_or("no option file"));
        let first = match &target.carried {
            Some(name) => format!("{first} ({})", clean(name)),
            None => first.into_owned(),
        };
        match target.files.len() {
            0 | 1 => first,
            count => format!("{first} and {}", counted(count - 1, "more file", "more files")),
        }
    }

    fn quiet_target(&self, target: &Target, out: &mut String) -> std::fmt::Result {
        let verdict = verdict_text(target.verdict);
        let source = server_source(&target.server_source);
        writeln!(
            out,
            "{}: {verdict} on {} ({source}){}{}",
            self.files(target),
            target.server_title,
            upgrade_text(target),
            upgrade_verdict(target)
        )
    }

    fn heading(&self, target: &Target, findings: &[&Located], out: &mut String) -> std::fmt::Result {
        let facts = facts_line(&target.facts, findings.iter().copied()).unwrap_or_else(|| "none known".to_owned());
        let assumed = target.server_source == ServerSource::Assumed;
        let source = if assumed {
            "assumed, since nothing says which; --server does".into()
        } else {
            server_source(&target.server_source)
        };
        let text = verdicts_text(target);
        let verdict = match target.verdicts.iter().max() {
            Some(Verdict::Refuses) => self.look.severity(Severity::Error, &text),
            Some(Verdict::StartsWithWarnings) => self.look.severity(Severity::Warning, &text),
            Some(Verdict::Starts) | None => text,
        };
        self.entry("server", &format!("{} ({source}){}", target.server_title, upgrade_text(target)), out)?;
        self.entry("files", &self.files(target), out)?;
        self.entry("facts", &facts, out)?;
        let counts = Counts::of(findings.iter().copied()).text();
        self.entry("verdict", &format!("{}{}; {counts}", self.look.bold(&verdict), upgrade_verdict(target)), out)?;
        out.push('\n');
        Ok(())
    }

    /// A word in the margin and a text beside it, wrapped.
    fn entry(&self, word: &str, text: &str, out: &mut String) -> std::fmt::Result {
        let mut word = format!("{word:MARGIN$}");
        for line in wrapped(text, self.look.width - MARGIN) {
            writeln!(out, "{}{line}", self.look.faint(&word))?;
            word = " ".repeat(MARGIN);
        }
        Ok(())
    }

    fn findings(&self, findings: &[&Located], out: &mut String) -> std::fmt::Result {
        let in_full = |located: &&&Located| self.shows.verbose || located.finding.severity > Severity::Advice;
        for located in findings.iter().filter(in_full) {
            self.finding(located, out)?;
        }
        let brief: Vec<&Finding> =
            findings.iter().filter(|located| !in_full(located)).map(|located| &located.finding).collect();
        let alike = |left: &&Finding, right: &&Finding| {
            left.rule == right.rule && left.primary.location == right.primary.location
        };
        for group in brief.chunk_by(alike) {
            if group.len() < MANY_ALIKE {
                group.iter().try_for_each(|finding| self.brief(finding, &finding.message, out))?;
            } else {
                self.folded(group, out)?;
            }
        }
        if !brief.is_empty() {
            out.push('\n');
        }
        Ok(())
    }

    /// What one rule says many times of one place: once what it is about, and a line for each.
    fn folded(&self, group: &[&Finding], out: &mut String) -> std::fmt::Result {
        let Some(first) = group.first() else { return Ok(()) };
        let about = format!("{} findings. {}", group.len(), first_sentence(&first.why));
        self.brief(first, &about, out)?;
        for finding in group {
            let label = &finding.primary.text;
            let text = one_line(&self.secrets.mask(if label.is_empty() { &finding.message } else { label }));
            let mut before = "  - ";
            for line in wrapped(&text, self.look.width - before.len()) {
                writeln!(out, "{before}{line}")?;
                before = "    ";
            }
        }
        Ok(())
    }

    fn brief(&self, finding: &Finding, message: &str, out: &mut String) -> std::fmt::Result {
        let file = self.report.sources.get(finding.primary.location.file);
        let line = file.line_of(finding.primary.location.span.start);
        let head = format!("advice[{}]", finding.rule);
        let message = one_line(&self.secrets.mask(message));
        let head = self.look.severity(Severity::Advice, &head);
        writeln!(out, "{head} {}:{line}: {message}", clean(&file.path().to_string_lossy()))
    }

    fn finding(&self, located: &Located, out: &mut String) -> std::fmt::Result {
        let finding = &located.finding;
        let width = self.look.width - GUTTER;
        let excerpt = Excerpt::of(finding, &self.report.sources, &self.secrets, width);
        let labels = excerpt.marks.iter().map(|mark| {
            let text = (!mark.text.is_empty()).then(|| cut(&mark.text, WIDEST_LABEL).into_owned());
            if mark.primary {
                LabeledSpan::new_primary_with_span(text, mark.range.clone())
            } else {
                LabeledSpan::new_with_span(text, mark.range.clone())
            }
        });
        let message = one_line(&self.secrets.mask(&finding.message));
        let shown = Shown {
            message: format!("{}[{}]: {message}", finding.severity.name(), finding.rule),
            severity: finding.severity,
            help: None,
            labels: labels.collect(),
            source: Some(&excerpt),
        };
        self.handler.render_report(out, &shown)?;
        if excerpt.hidden > 0 {
            self.entry("", &format!("and {}", counted(excerpt.hidden, "more place", "more places")), out)?;
        }
        let why = if self.shows.verbose { &finding.why } else { first_sentence(&finding.why) };
        let why = one_line(why);
        self.entry("  why", &why, out)?;
        self.evidence(&finding.evidence, out)?;
        if let Some(fix) = &finding.fix {
            self.fix(fix, finding.primary.location.file, self.report.targets.get(located.target), out)?;
        }
        out.push('\n');
        Ok(())
    }

    fn evidence(&self, evidence: &[Evidence], out: &mut String) -> std::fmt::Result {
        let all = evidence.len();
        let evidence = if self.shows.verbose { evidence.iter().collect() } else { most_telling(evidence) };
        let names = evidence.iter().map(|figure| figure.name.len()).max().unwrap_or(0);
        let values: Vec<_> = evidence.iter().map(|figure| shown(&figure.value, figure.unit)).collect();
        let widest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0).min(32);
        for (index, (figure, value)) in evidence.iter().zip(&values).enumerate() {
            let word = if index == 0 { "  given" } else { "" };
            let source = clean(&figure.source);
            // Why something was assumed is too long for a column.
            let brief = source.split_once(": ").filter(|(word, _)| *word == ASSUMED && !self.shows.verbose);
            let source = brief.map_or(&*source, |(word, _)| word);
            // A name alone tells a newcomer little of what was computed.
            let model = ModelId::from_name(figure.name).filter(|_| self.shows.verbose);
            let what = model.map_or("", |model| model.description().trim().trim_end_matches('.'));
            let what = if what.is_empty() { String::new() } else { format!(": {what}") };
            let line = format!("{:names$} = {value:widest$}  ({source}{what})", figure.name);
            writeln!(out, "{}{}", self.look.faint(&format!("{word:MARGIN$}")), self.secrets.mask(&line))?;
        }
        match all - evidence.len() {
            0 => Ok(()),
            hidden => {
                let figures = counted(hidden, "more figure", "more figures");
                self.entry("", &format!("and {figures} (--verbose shows all)"), out)
            }
        }
    }
}

/// Of many figures those that tell most, in their order: sums and facts before what stands in the files, and that before defaults.
fn most_telling(evidence: &[Evidence]) -> Vec<&Evidence> {
    let rank = |figure: &Evidence| match &*figure.source {
        source if source.starts_with("default of ") => 2,
        _ if figure.name.contains('.') => 0,
        _ => 1,
    };
    let mut order: Vec<_> = (0..evidence.len()).collect();
    order.sort_by_key(|index| rank(&evidence[*index]));
    order.truncate(MOST_FIGURES);
    order.sort_unstable();
    order.into_iter().map(|index| &evidence[index]).collect()
}
#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn shown(report: &Report, look: Look, shows: Shows) -> String {
        samples::written(|report, out| write(report, &look, shows, out), report)
    }

    #[test]
    fn the_first_screen_says_server_facts_verdict_and_what_to_do() {
        insta::assert_snapshot!(shown(&samples::import_settings(), Look::PLAIN, Shows::default()));
    }

    #[test]
    fn figures_line_up_and_other_files_are_shown() {
        insta::assert_snapshot!(shown(&samples::redo_log(), Look { width: 80, ..Look::PLAIN }, Shows::default()));
    }

    #[test]
    fn ascii_terminals_get_ascii() {
        let report = samples::import_settings();
        let text = shown(&report, Look { unicode: false, ..Look::PLAIN }, Shows { verbose: true, quiet: true });
        assert!(text.is_ascii(), "{text}");
        assert!(text.contains("Without the copy the table"), "verbose shows the whole reason");
        assert!(!text.contains("\u{1b}"));
    }

    #[test]
    fn mistakes_point_into_the_file() {
        let text = mistake(
            &Mistake {
                message: "`rma` is no fact".to_owned(),
                help: Some("did you mean `ram`?".to_owned()),
                place: Some(("facts.toml".to_owned(), "[host]\nrma = \"16G\"\n".to_owned(), 7..10)),
            },
            &Look::PLAIN,
        );
        insta::assert_snapshot!(text);
    }
}
