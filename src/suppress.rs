//! Findings that a comment in the file asks to leave out: `# cnflint: ignore[binlog-off] restored every night`.
//!
//! Behind an option the comment is about its own line; on a line of its own it is about the next line that holds anything. What
//! the server would do stays as it is: a file that it refuses is refused.

use crate::lint::Report;
use crate::optionfile::{Pragma, PragmaKind};
use crate::source::{FileId, SourceFile, Sources};

/// Takes out and counts what comments ask to leave out.
pub fn suppress(report: &mut Report) {
    let ignored: Vec<_> = report.pragmas.iter().filter_map(|pragma| ignored(pragma, &report.sources)).collect();
    if ignored.is_empty() {
        return;
    }
    let sources = &report.sources;
    let before = report.findings.len();
    report.findings.retain(|located| {
        let at = located.finding.primary.location;
        let line = sources.get(at.file).line_of(at.span.start);
        !ignored.iter().any(|ignored| ignored.covers(at.file, line, &located.finding.rule))
    });
    report.suppressed += u32::try_from(before - report.findings.len()).unwrap_or(u32::MAX);
}

/// A line on which some rules are not to speak.
struct Ignored<'a> {
    file: FileId,
    line: u32,
    rules: &'a [(String, crate::source::Span)],
}

impl Ignored<'_> {
    fn covers(&self, file: FileId, line: u32, rule: &str) -> bool {
        self.file == file && self.line == line && self.rules.iter().any(|(name, _)| name == rule)
    }
}

fn ignored<'a>(pragma: &'a Pragma, sources: &Sources) -> Option<Ignored<'a>> {
    let PragmaKind::Ignore { rules, .. } = &pragma.kind else { return None };
    let file = sources.get(pragma.file);
    let own = file.line_of(pragma.span.start);
    let line = if pragma.trailing { own } else { next_with_content(file, own)? };
    Some(Ignored { file: pragma.file, line, rules })
}

/// The next line that is neither blank nor a comment.
fn next_with_content(file: &SourceFile, line: u32) -> Option<u32> {
    (line + 1..=file.line_count()).find(|line| {
        let text = file.line_span(*line).of(file.bytes()).trim_ascii_start();
        !text.is_empty() && !text.starts_with(b"#") && !text.starts_with(b";")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{self, ServerSource, Subject};
    use crate::rules::built_in;
    use crate::server::ServerSpec;
    use crate::source::MemoryFiles;

    /// The rules that still speak, and how many were silenced.
    fn said(text: &str) -> (Vec<String>, u32) {
        let subject = Subject {
            roots: vec![("my.cnf".into(), Some(text.as_bytes().to_vec()))],
            server: Some((ServerSpec::parse("mysql-9.7").unwrap(), ServerSource::Flag)),
            ..Subject::default()
        };
        let mut report = Report::default();
        lint::lint(&MemoryFiles::default(), subject, &[built_in()], &mut report);
        suppress(&mut report);
        (report.findings.iter().map(|located| located.finding.rule.to_string()).collect(), report.suppressed)
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next() {
        let off = "binlog-off".to_owned();
        assert_eq!(said("[mysqld]\nskip-log-bin\n"), (vec![off.clone()], 0));
        assert_eq!(said("[mysqld]\nskip-log-bin # cnflint: ignore[binlog-off] a copy\n"), (vec![], 1));
        assert_eq!(
            said("[mysqld]\n# cnflint: ignore[doublewrite-off, binlog-off]\n\n; a copy\nskip-log-bin\n"),
            (vec![], 1)
        );
        assert_eq!(said("[mysqld]\n# cnflint: ignore[binlog-off]\nport = 1\nskip-log-bin\n"), (vec![off.clone()], 0));
        assert_eq!(said("[mysqld]\nskip-log-bin # cnflint: ignore[doublewrite-off]\n"), (vec![off], 0));
    }
}
