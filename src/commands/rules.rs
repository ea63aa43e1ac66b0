//! `cnflint rules`: every rule in one table.

use crate::cli::ListFormat;
use serde::Serialize;
use std::io::{self, Write};

/// What is told about a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RulePage {
    /// The id; `site/<id>` for a site's own.
    pub id: String,
    /// `error`, `warning` or `advice`.
    pub severity: &'static str,
    /// The area.
    pub area: String,
    /// The class of fault, in one line.
    pub summary: String,
    /// The servers that it looks at: `mysql >=5.6`, `mariadb >=10.1`.
    pub applies: Vec<String>,
    /// The facts that it needs, by name.
    pub needs: Vec<String>,
    /// `safe`, `unsafe` or `manual`; `None` without a fix.
    pub fix: Option<&'static str>,
    /// The condition as it stands in the rule file, or the check that stands for it.
    pub condition: String,
    /// Mechanism, evidence, what the fix costs.
    pub why: String,
    /// Figures that belong to it, as text ready to print: the table of pool shares.
    pub appendix: String,
    /// Sources.
    pub links: Vec<String>,
    /// What fires and what does not.
    pub examples: Vec<ExamplePage>,
}

/// One example of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExamplePage {
    /// The server.
    pub server: String,
    /// The facts: `load_size 1G`; may be empty.
    pub facts: String,
    /// The option file.
    pub file: String,
    /// What lies beside it.
    pub files: Vec<FilePage>,
    /// Whether the rule fires.
    pub finds: bool,
    /// The file after the fix; empty when there is none.
    pub fixed: String,
}

/// A file that an example has beside its option file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilePage {
    /// The path.
    pub path: String,
    /// The content.
    pub text: String,
}

/// Writes the list.
///
/// # Errors
/// What the writer says.
pub fn write(rules: &[&RulePage], format: ListFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ListFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, rules)?;
            writeln!(out)
        }
        ListFormat::Table => table(rules, out),
    }
}

fn table(rules: &[&RulePage], out: &mut dyn Write) -> io::Result<()> {
    let row = |rule: &&RulePage| {
        [
            rule.id.clone(),
            rule.severity.to_owned(),
            rule.area.clone(),
            rule.fix.unwrap_or("-").to_owned(),
            rule.summary.clone(),
        ]
    };
    let head = ["RULE", "SEVERITY", "AREA", "FIX", "FINDS THAT"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head).chain(rules.iter().map(row)).collect();
    write_columns(&rows, out)
}

/// Writes rows as columns, each as wide as its widest cell, the last one open.
///
/// # Errors
/// What the writer says.
pub fn write_columns<const N: usize>(rows: &[[String; N]], out: &mut dyn Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rule = RulePage {
            id: "redo-log-too-small".to_owned(),
            severity: "warning",
            area: "redo".to_owned(),
            summary: "the redo log is too small".to_owned(),
            fix: Some("unsafe"),
            ..RulePage::default()
        };
        let other = RulePage {
            id: "binlog-off".to_owned(),
            severity: "warning",
            area: "durability".to_owned(),
            summary: "the binary log is off".to_owned(),
            ..RulePage::default()
        };
        let mut out = Vec::new();
        write(&[&rule, &other], ListFormat::Table, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "RULE                SEVERITY  AREA        FIX     FINDS THAT\n\
             redo-log-too-small  warning   redo        unsafe  the redo log is too small\n\
             binlog-off          warning   durability  -       the binary log is off\n"
        );
    }
}
