//! `cnflint rules`: every rule in one table.

use crate::cli::ListFormat;
use cnflint::pages::{FactReaders, RulePage};
use std::collections::BTreeMap;
use std::io::{self, Write};

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
    let readers = FactReaders::ask();
    let row = |rule: &&RulePage| {
        [
            rule.id.clone(),
            rule.severity.to_owned(),
            rule.area.clone(),
            rule.fix.unwrap_or("-").to_owned(),
            format!("{}{}", rule.summary, terms(rule, &readers.of(rule))),
        ]
    };
    let head = ["RULE", "SEVERITY", "AREA", "FIX", "FINDS THAT"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head).chain(rules.iter().map(row)).collect();
    write_columns(&rows, out)?;
    let mut areas: BTreeMap<&str, usize> = BTreeMap::new();
    rules.iter().for_each(|rule| *areas.entry(&rule.area).or_default() += 1);
    let areas: Vec<_> = areas.iter().map(|(area, count)| format!("{area} {count}")).collect();
    let noun = if rules.len() == 1 { "rule" } else { "rules" };
    writeln!(out, "\n{} {noun}: {}", rules.len(), areas.join(", "))
}

/// The servers that a rule is for, where it is not for all, and the facts without which it is not evaluated.
fn terms(rule: &RulePage, facts: &[&str]) -> String {
    const EVERY: &str = "MySQL, MariaDB, Percona Server, Percona XtraDB Cluster";
    const FAMILY: &str = "MySQL, Percona Server, Percona XtraDB Cluster";
    let mut terms = Vec::new();
    let servers = rule.applies.join(", ");
    if !servers.is_empty() && servers != EVERY {
        terms.push(servers.replace(FAMILY, "MySQL and Percona"));
    }
    if !facts.is_empty() {
        terms.push(format!("facts: {}", facts.join(", ")));
    }
    if terms.is_empty() { String::new() } else { format!(" ({})", terms.join("; ")) }
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
            applies: vec!["MariaDB from 10.1".to_owned()],
            needs: vec!["host.ram".to_owned()],
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
             redo-log-too-small  warning   redo        unsafe  the redo log is too small (MariaDB from 10.1; facts: host.ram)\n\
             binlog-off          warning   durability  -       the binary log is off\n\
             \n2 rules: durability 1, redo 1\n"
        );
    }
}
