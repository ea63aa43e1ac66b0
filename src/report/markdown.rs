//! Markdown for the summary of a build: the verdict on each target, its findings as a table, fixes folded.

use super::places::named;
use super::secrets::Secrets;
use super::summary::{Counts, at_run_time, server_source, upgrade_text, upgrade_verdict, verdicts_text};
use super::text::{counted, one_line};
use super::waiting::not_evaluated_lines;
use crate::finding::Safety;
use crate::lint::{Located, Report, Target};
use std::io;
use std::path::Path;

/// Writes the summary. Paths below the working directory start there.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, working_directory: &Path, out: &mut dyn io::Write) -> io::Result<()> {
    let page = Page { report, secrets: Secrets::of(report), working_directory };
    writeln!(out, "## cnflint: {}", Counts::of(&report.findings).text())?;
    for (index, target) in report.targets.iter().enumerate() {
        let found: Vec<_> = report.findings.iter().filter(|located| located.target == index).collect();
        page.target(target, &found, out)?;
    }
    let mut footer = not_evaluated_lines(&report.not_evaluated, false);
    if report.suppressed > 0 {
        footer.insert(0, format!("{} suppressed", counted(report.suppressed as usize, "finding", "findings")));
    }
    for line in footer {
        writeln!(out, "\n{}", escaped(&line))?;
    }
    Ok(())
}

struct Page<'a> {
    report: &'a Report,
    secrets: Secrets<'a>,
    working_directory: &'a Path,
}

impl Page<'_> {
    fn target(&self, target: &Target, found: &[&Located], out: &mut dyn io::Write) -> io::Result<()> {
        let files = target.files.first();
        let file = files.map(|file| named(self.report, *file, self.working_directory).text()).unwrap_or_default();
        let carried = target.carried.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        let file = format!("{file}{carried}");
        let server = format!(
            "{} ({}){}: {}{}",
            target.server_title,
            server_source(&target.server_source),
            upgrade_text(target),
            verdicts_text(target),
            upgrade_verdict(target),
        );
        writeln!(out, "\n**{}** on {}", escaped(&file), escaped(&server))?;
        if found.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n| severity | place | rule | message |\n|---|---|---|---|")?;
        for located in found {
            let finding = &located.finding;
            writeln!(
                out,
                "| {} | {} | {} | {} |",
                finding.severity.name(),
                escaped(&self.place(located)),
                escaped(&finding.rule),
                escaped(&self.secrets.mask(&finding.message)),
            )?;
        }
        let fixes: Vec<_> = found.iter().filter_map(|located| Some((located, located.finding.fix.as_ref()?))).collect();
        if fixes.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n<details><summary>{}</summary>\n", counted(fixes.len(), "fix", "fixes"))?;
        for (located, fix) in fixes {
            let safety = match fix.safety {
                Safety::Safe => "safe",
                Safety::Unsafe => "unsafe",
                Safety::Manual => "by hand",
            };
            let (place, rule) = (escaped(&self.place(located)), escaped(&located.finding.rule));
            let now = at_run_time(fix, Some(target)).map(|now| format!("; {now}")).unwrap_or_default();
            let title = self.secrets.mask(&fix.title);
            writeln!(out, "- {place} {rule}: {} ({safety}){}", escaped(&title), escaped(&now))?;
            for statement in &fix.statements {
                writeln!(out, "  <br><code>{}</code>", escaped(&self.secrets.mask(statement)))?;
            }
        }
        writeln!(out, "\n</details>")
    }

    fn place(&self, located: &Located) -> String {
        let location = located.finding.primary.location;
        let file = named(self.report, location.file, self.working_directory).text();
        format!("{file}:{}", self.report.sources.get(location.file).line_of(location.span.start))
    }
}

/// The text on one line, with pairs of backticks as code, and nothing else in it that Markdown or HTML would act on.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<_> = text.split('`').collect();
    let mut result = String::with_capacity(text.len());
    for (index, part) in parts.iter().enumerate() {
        let is_code = index % 2 == 1 && index + 1 < parts.len();
        if is_code {
            result.push_str("<code>");
        } else if index % 2 == 1 {
            result.push_str("&#96;");
        }
        for c in part.chars() {
            match c {
                '&' | '<' | '>' | '|' | '*' | '_' | '[' | ']' | '\\' | '~' | '!' | '#' | '@' | '$' => {
                    result.push_str(&format!("&#{};", u32::from(c)));
                }
                c => result.push(c),
            }
        }
        if is_code {
            result.push_str("</code>");
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_leave_its_cell() {
        assert_eq!(escaped("a | b\nc"), "a &#124; b c");
        assert_eq!(escaped("`x_y` is <b>"), "<code>x&#95;y</code> is &#60;b&#62;");
        assert_eq!(escaped("it`s"), "it&#96;s");
    }
}
