//! JUnit's XML, as build servers read it: a suite for each target, a failed case for each error or warning.
//!
//! Advice fails no case: its text stands in the case's output. Form: <https://github.com/testmoapp/junitxml>; no
//! more is written than the schema of Jenkins knows.

use super::places::named;
use super::secrets::Secrets;
use super::summary::verdicts_text;
use crate::finding::Severity;
use crate::lint::{Located, Report, Target};
use std::io;
use std::path::Path;

/// Writes the document. Paths below the working directory start there.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, working_directory: &Path, out: &mut dyn io::Write) -> io::Result<()> {
    let secrets = Secrets::of(report);
    let suites: Vec<Vec<&Located>> = (0..report.targets.len())
        .map(|index| report.findings.iter().filter(|located| located.target == index).collect())
        .collect();
    let cases = suites.iter().map(|found| found.len().max(1)).sum::<usize>();
    let failed = suites.iter().map(|found| failures(found)).sum::<usize>();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="cnflint" tests="{cases}" failures="{failed}" errors="0" time="0">"#)?;
    for (target, found) in report.targets.iter().zip(&suites) {
        let name = suite_name(report, target, working_directory);
        writeln!(
            out,
            r#"  <testsuite name="{}" tests="{}" failures="{}" errors="0" skipped="0" time="0">"#,
            escaped(&name),
            found.len().max(1),
            failures(found),
        )?;
        if found.is_empty() {
            let verdict = escaped(&verdicts_text(target));
            writeln!(out, r#"    <testcase name="{verdict}" classname="{}" time="0"/>"#, escaped(&name))?;
        }
        for located in found {
            write_case(report, located, &secrets, working_directory, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn suite_name(report: &Report, target: &Target, working_directory: &Path) -> String {
    let file = target.files.first().map(|file| named(report, *file, working_directory).text()).unwrap_or_default();
    format!("{file} on {}", target.server_title)
}

fn failures(found: &[&Located]) -> usize {
    found.iter().filter(|located| located.finding.severity > Severity::Advice).count()
}

fn write_case(
    report: &Report,
    located: &Located,
    secrets: &Secrets,
    working_directory: &Path,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let finding = &located.finding;
    let location = finding.primary.location;
    let file = named(report, location.file, working_directory).text();
    let place = report.sources.get(location.file).line_column(location.span.start);
    let message = secrets.mask(&finding.message);
    let (name, rule) = (escaped(&format!("{file}:{}: {}", place.line, finding.rule)), escaped(&finding.rule));
    let mut text =
        format!("{file}:{}:{}: {}[{}] {message}", place.line, place.column, finding.severity.name(), finding.rule);
    if !finding.why.is_empty() {
        text.push_str(&format!("\n{}", finding.why));
    }
    if let Some(fix) = &finding.fix {
        text.push_str(&format!("\nfix: {}", secrets.mask(&fix.title)));
    }
    let (text, message) = (escaped_text(&text), escaped(&message));
    write!(out, r#"    <testcase name="{name}" classname="{rule}" time="0">"#)?;
    match finding.severity {
        Severity::Advice => write!(out, "<system-out>{text}</system-out>")?,
        severity => {
            write!(out, r#"<failure message="{message}" type="{}">{text}</failure>"#, severity.name())?;
        }
    }
    writeln!(out, "</testcase>")
}

/// The text as an attribute's value: line breaks would become spaces.
fn escaped(text: &str) -> String {
    escaped_text(text).replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}

/// The text between tags. What XML 1.0 has no characters for is replaced.
fn escaped_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '\n' | '\t' => result.push(c),
            '\u{fffe}' | '\u{ffff}' => result.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => result.push(char::REPLACEMENT_CHARACTER),
            c => result.push(c),
        }
    }
    result
}
