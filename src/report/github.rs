//! Annotations for GitHub Actions.
//!
//! Form and escapes: <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions> and
//! `escapeData`, `escapeProperty` in <https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts>.

use super::secrets::Secrets;
use super::summary::{facts_line, server_source, upgrade_text, upgrade_verdict, verdict_text};
use super::text::one_line;
use crate::finding::Severity;
use crate::lint::Report;
use std::io;

/// Writes a line for the log on each target, and a workflow command for each finding.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let secrets = Secrets::of(report);
    for (index, target) in report.targets.iter().enumerate() {
        let findings = report.findings.iter().filter(|located| located.target == index);
        let name = target.files.first().map(|id| report.sources.get(*id).path().to_string_lossy()).unwrap_or_default();
        let facts = facts_line(&target.facts, findings).map(|facts| format!(", {facts}")).unwrap_or_default();
        let line = format!(
            "cnflint: {name}: {} on {} ({}){}{}{facts}",
            verdict_text(target.verdict),
            target.server_title,
            server_source(&target.server_source),
            upgrade_text(target),
            upgrade_verdict(target),
        );
        writeln!(out, "{}", one_line(&line))?;
    }
    for located in &report.findings {
        let finding = &located.finding;
        let span = finding.primary.location.span;
        let file = report.sources.get(finding.primary.location.file);
        let (start, end) = (file.line_column(span.start), file.line_column(span.end));
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Advice => "notice",
        };
        let fix = finding.fix.as_ref().map(|fix| format!("\n{}", fix.title)).unwrap_or_default();
        let message = format!("{}{fix}", finding.message);
        write!(out, "::{command} file={},line={}", property(&file.path().to_string_lossy()), start.line)?;
        write!(out, ",endLine={}", end.line)?;
        // GitHub takes columns only where the place is on one line.
        if start.line == end.line {
            write!(out, ",col={},endColumn={}", start.column, end.column)?;
        }
        writeln!(out, ",title={}::{}", property(&finding.rule), data(&secrets.mask(&message)))?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_workflow_command_for_each_finding() {
        insta::assert_snapshot!(samples::written(write, &samples::import_settings()));
    }

    #[test]
    fn a_text_cannot_end_the_command() {
        assert_eq!(data("50%\n::error::x"), "50%25%0A::error::x");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
