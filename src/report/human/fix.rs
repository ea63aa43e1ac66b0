//! A fix: the lines that go and come, and the statements for the running server.

use super::look::cut;
use super::{MANY_CHANGES, MARGIN, Page};
use crate::finding::{Change, Fix, Safety, listed};
use crate::lint::Target;
use crate::report::lines::{self, Changed};
use crate::report::summary::at_run_time;
use crate::report::text::{clean, one_line};
use crate::source::FileId;
use std::fmt::Write as _;

impl Page<'_> {
    pub(super) fn fix(&self, fix: &Fix, home: FileId, target: Option<&Target>, out: &mut String) -> std::fmt::Result {
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
        if let Some(now) = at_run_time(fix, target) {
            let colon = if fix.statements.is_empty() { "" } else { ":" };
            self.entry("", &format!("{now}{colon}"), out)?;
        }
        for statement in &fix.statements {
            writeln!(out, "{indent}{}", clean(&self.secrets.mask(statement)))?;
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
