//! The report for a person at a terminal. The only file that knows miette.

use super::excerpt::Excerpt;
use super::figures::shown;
use super::lines::{self, Changed};
use super::secrets::{Secrets, masked_lines};
use super::summary::{
    Counts, facts_line, not_evaluated_lines, server_source, upgrade_text, upgrade_verdict, verdict_text, verdicts_text,
};
use super::text::{clean, counted, one_line};
use crate::finding::{Change, Evidence, Finding, Fix, Safety, Severity, listed};
use crate::lint::{Located, NotEvaluated, Report, ServerSource, Target, Verdict};
use crate::source::FileId;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, SourceCode, SourceSpan, SpanContents};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

/// How the report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours and bold type.
    pub color: bool,
    /// Characters beyond ASCII for frames and marks.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Look {
    /// No colours, and a width that fits everywhere: for files and for tests.
    pub const PLAIN: Self = Self { color: false, unicode: true, width: 100 };

    fn paint(self, style: &str, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn severity(self, severity: Severity, text: &str) -> String {
        let style = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Advice => "36",
        };
        self.paint(style, text)
    }
}

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
        not_evaluated_lines(&self.not_evaluated).iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// What a mistake in the arguments, a facts file or a rule file looks like.
#[derive(Clone, Debug, Default)]
pub struct Mistake {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where: the file's name, its text, and the bytes in it.
    pub place: Option<(String, String, std::ops::Range<usize>)>,
}

/// A mistake of whoever called cnflint, with the place in their file where there is one.
pub fn mistake(mistake: &Mistake, look: &Look) -> String {
    let place = mistake.place.as_ref().map(|(name, text, range)| {
        let (text, range) = masked_lines(text, range.clone());
        (miette::NamedSource::new(name, text), LabeledSpan::new_primary_with_span(None, range))
    });
    let shown = Shown {
        message: mistake.message.clone(),
        severity: Severity::Error,
        help: mistake.help.clone(),
        source: place.as_ref().map(|(source, _)| source as &dyn SourceCode),
        labels: place.iter().map(|(_, label)| label.clone()).collect(),
    };
    let mut text = String::new();
    if handler(*look).render_report(&mut text, &shown).is_err() {
        text = format!("{}\n", mistake.message);
    }
    text
}

fn handler(look: Look) -> GraphicalReportHandler {
    let theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    GraphicalReportHandler::new_themed(theme)
        .with_urls(false)
        .with_width(look.width)
        .with_context_lines(1)
        .with_word_separator(textwrap::WordSeparator::AsciiSpace)
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
        let first = clean(first.as_deref().unwrap_or("no option file")).into_owned();
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
            self.finding(&located.finding, out)?;
        }
        let mut brief = findings.iter().filter(|located| !in_full(located)).peekable();
        let any = brief.peek().is_some();
        for located in brief {
            self.brief(&located.finding, out)?;
        }
        if any {
            out.push('\n');
        }
        Ok(())
    }

    fn brief(&self, finding: &Finding, out: &mut String) -> std::fmt::Result {
        let file = self.report.sources.get(finding.primary.location.file);
        let line = file.line_of(finding.primary.location.span.start);
        let head = format!("advice[{}]", finding.rule);
        let message = one_line(&self.secrets.mask(&finding.message));
        let head = self.look.severity(Severity::Advice, &head);
        writeln!(out, "{head} {}:{line}: {message}", clean(&file.path().to_string_lossy()))
    }

    fn finding(&self, finding: &Finding, out: &mut String) -> std::fmt::Result {
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
            self.fix(fix, finding.primary.location.file, out)?;
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
            let line = format!("{:names$} = {value:widest$}  ({source})", figure.name);
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

    fn fix(&self, fix: &Fix, home: FileId, out: &mut String) -> std::fmt::Result {
        let safety = match fix.safety {
            Safety::Safe => " (keeps the effective meaning)",
            Safety::Unsafe => " (changes behaviour)",
            Safety::Manual => "",
        };
        let changed = lines::changed(fix, &self.report.sources, &self.secrets);
        // What the lines below say better is not said twice.
        let title = if fix.changes.len() >= MANY_CHANGES && !changed.is_empty() && fix.title == listed(&fix.changes) {
            format!("make these {} changes", fix.changes.len())
        } else {
            one_line(&self.secrets.mask(&fix.title))
        };
        self.entry("  fix", &format!("{title}{safety}"), out)?;
        let indent = " ".repeat(MARGIN + 2);
        self.changed(&changed, home, out)?;
        if changed.is_empty() {
            for change in &fix.changes {
                for line in self.change(change).lines() {
                    writeln!(out, "{indent}{}", clean(line))?;
                }
            }
        }
        match fix.dynamic {
            Some(true) => {
                self.entry("", "can be set while the server runs:", out)?;
                for statement in fix.changes.iter().filter_map(set_global) {
                    writeln!(out, "{indent}{}", clean(&self.secrets.mask(&statement)))?;
                }
            }
            Some(false) => self.entry("", "needs a restart", out)?,
            None => {}
        }
        Ok(())
    }

    /// The lines that go and those that come, with the file's name where it is not the finding's own.
    fn changed(&self, changed: &[Changed], home: FileId, out: &mut String) -> std::fmt::Result {
        let indent = " ".repeat(MARGIN);
        let width = self.look.width.saturating_sub(MARGIN + 2);
        let mut file = home;
        for place in changed {
            if place.file != file {
                file = place.file;
                let path = self.report.sources.get(file).path().to_string_lossy();
                writeln!(out, "{indent}in {}:", clean(&path))?;
            }
            for (sign, style, lines) in [("-", "31", &place.old), ("+", "32", &place.new)] {
                for line in lines {
                    writeln!(out, "{indent}{}", self.look.paint(style, &format!("{sign} {}", cut(line, width))))?;
                }
            }
        }
        Ok(())
    }

    fn change(&self, change: &Change) -> String {
        match change {
            Change::Set { option, value: Some(value) } => format!("{option} = {}", self.secrets.mask(value)),
            Change::Set { option, value: None } => option.clone(),
            Change::Remove { option } => format!("remove {option}"),
            Change::Rename { from, to } => format!("write {to} in place of {from}"),
            Change::Respell { at, text } => self.secrets.mask_line(*at, text).trim_end().to_owned(),
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

/// The statement that makes a change in the running server.
fn set_global(change: &Change) -> Option<String> {
    let Change::Set { option, value: Some(value) } = change else { return None };
    let variable = option.replace('-', "_");
    let plain = !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let value = match in_bytes(value) {
        Some(number) => number.to_string(),
        None if plain => value.clone(),
        None => format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''")),
    };
    Some(format!("SET GLOBAL {variable} = {value};"))
}

/// The number that a size such as `512M` stands for: SQL knows no suffixes.
fn in_bytes(value: &str) -> Option<i128> {
    let letter = value.chars().next_back()?.to_ascii_uppercase();
    let bits = 10 * (1 + "KMGTPE".find(letter)?) as u32;
    value[..value.len() - 1].parse::<i128>().ok()?.checked_mul(1 << bits)
}

/// The line, cut where it is too long to be read.
fn cut(line: &str, width: usize) -> Cow<'_, str> {
    match line.char_indices().nth(width) {
        Some(_) => {
            let end = line.char_indices().nth(width.saturating_sub(3)).map_or(line.len(), |(at, _)| at);
            Cow::Owned(format!("{}...", &line[..end]))
        }
        None => Cow::Borrowed(line),
    }
}

/// Up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> &str {
    let begins = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_uppercase() || c == '`');
    let ends = text.match_indices('.').map(|(at, _)| at + 1);
    ends.into_iter()
        .find(|end| text[*end..].starts_with(char::is_whitespace) && begins(&text[*end..]))
        .map_or(text, |end| &text[..end])
}

/// The text in lines of at most `width` columns, broken between words; no line for no text.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut columns = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if columns + 1 + length <= width => {
                line.push(' ');
                line.push_str(word);
                columns += 1 + length;
            }
            _ => {
                lines.push(word.to_owned());
                columns = length;
            }
        }
    }
    lines
}

/// What miette draws.
struct Shown<'a> {
    message: String,
    severity: Severity,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    source: Option<&'a dyn SourceCode>,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Advice => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

impl SourceCode for Excerpt {
    /// miette asks with context lines for what to draw, and without for the line and column to name.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        _context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let index = self.blocks.partition_point(|block| block.range.end <= start);
        let block = self.blocks.get(index).filter(|block| end <= block.range.end).ok_or(MietteError::OutOfBounds)?;
        let lines_before = || self.text[block.range.start..start].matches('\n').count();
        let named = (context_lines_before == 0).then(|| {
            let mark = self.marks.iter().find(|mark| mark.range == (start..end));
            (lines_before(), mark.map_or(1, |mark| mark.column))
        });
        let (line, column) = named.map_or((0, 0), |(line, column)| (line, column as usize - 1));
        Ok(Box::new(BlockContents {
            data: &self.text.as_bytes()[block.range.clone()],
            span: SourceSpan::new(block.range.start.into(), block.range.len()),
            name: &block.path,
            line: block.first_line as usize - 1 + line,
            column,
            line_count: block.line_count as usize,
        }))
    }
}

struct BlockContents<'a> {
    data: &'a [u8],
    span: SourceSpan,
    name: &'a str,
    line: usize,
    column: usize,
    line_count: usize,
}

impl<'a> SpanContents<'a> for BlockContents<'a> {
    fn data(&self) -> &'a [u8] {
        self.data
    }

    fn span(&self) -> &SourceSpan {
        &self.span
    }

    fn name(&self) -> Option<&str> {
        Some(self.name)
    }

    fn line(&self) -> usize {
        self.line
    }

    fn column(&self) -> usize {
        self.column
    }

    fn line_count(&self) -> usize {
        self.line_count
    }
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

    #[test]
    fn statements_for_the_running_server_are_sql() {
        let set = |option: &str, value: &str| {
            set_global(&Change::Set { option: option.to_owned(), value: Some(value.to_owned()) }).unwrap()
        };
        assert_eq!(set("innodb-buffer-pool-size", "512M"), "SET GLOBAL innodb_buffer_pool_size = 536870912;");
        assert_eq!(set("innodb_flush_method", "O_DIRECT"), "SET GLOBAL innodb_flush_method = O_DIRECT;");
        assert_eq!(set("init_connect", "SET NAMES 'x'"), "SET GLOBAL init_connect = 'SET NAMES ''x''';");
    }
}
