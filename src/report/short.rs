//! One line a finding, as compilers print them: `my.cnf:3:1: warning[rule] message`.

use super::secrets::Secrets;
use super::text::{clean, one_line};
use crate::lint::Report;
use std::io;

/// Writes the findings, and nothing when there are none.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let secrets = Secrets::of(report);
    for located in &report.findings {
        let finding = &located.finding;
        let file = report.sources.get(finding.primary.location.file);
        let place = file.line_column(finding.primary.location.span.start);
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            clean(&file.path().to_string_lossy()),
            place.line,
            place.column,
            finding.severity.name(),
            finding.rule,
            one_line(&secrets.mask(&finding.message)),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::samples;

    #[test]
    fn a_line_for_each_finding() {
        insta::assert_snapshot!(samples::written(super::write, &samples::import_settings()));
    }
}
