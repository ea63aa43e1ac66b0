//! GitLab's code quality report.
//!
//! Form: <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use super::places::{Fingerprints, named};
use super::secrets::Secrets;
use super::text::one_line;
use crate::finding::Severity;
use crate::lint::Report;
use serde::Serialize;
use std::io;
use std::path::Path;

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Place,
}

#[derive(Serialize)]
struct Place {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// Writes an array of issues and a line break. Paths below the working directory start there.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, working_directory: &Path, out: &mut dyn io::Write) -> io::Result<()> {
    let secrets = Secrets::of(report);
    let mut fingerprints = Fingerprints::default();
    let mut issues = Vec::with_capacity(report.findings.len());
    for located in &report.findings {
        let finding = &located.finding;
        let location = finding.primary.location;
        let path = named(report, location.file, working_directory).text();
        issues.push(Issue {
            description: one_line(&secrets.mask(&finding.message)),
            check_name: &finding.rule,
            fingerprint: fingerprints.of(finding, &path),
            severity: match finding.severity {
                Severity::Error => "critical",
                Severity::Warning => "major",
                Severity::Advice => "minor",
            },
            location: Place {
                path,
                lines: Lines { begin: report.sources.get(location.file).line_of(location.span.start) },
            },
        });
    }
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    writeln!(out)
}
