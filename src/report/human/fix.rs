//! A fix: the lines that go and come, and the statements for the running server.

use super::look::cut;
use super::{MANY_CHANGES, MARGIN, Page};
use crate::finding::{Change, Fix, Safety, listed};
use crate::report::lines::{self, Changed};
use crate::report::text::{clean, one_line};
use crate::source::FileId;
use std::fmt::Write as _;

impl Page<'_> {
    pub(super) fn fix(&self, fix: &Fix, home: FileId, out: &mut String) -> std::fmt::Result {
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

#[cfg(test)]
mod tests {
    use super::*;

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
