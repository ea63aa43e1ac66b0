//! What fixes change, as a unified diff in which each hunk names the rules it comes from.
//!
//! Lines are given byte for byte, so that `patch` takes them; where a secret stands in one, a mask stands in its place, and
//! `patch` refuses that hunk.

use super::secrets::{MASK, Secrets};
use super::text::clean;
use crate::fix::{Fixed, Made};
use crate::lint::Report;
use crate::source::{FileId, SourceFile, Span};
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Unchanged lines around each change, as `diff -u` shows them.
const CONTEXT: usize = 3;

/// Writes the differences of every file that changed. What goes to a terminal must not steer it.
///
/// # Errors
/// What the writer says.
pub fn write(fixed: &Fixed, to_terminal: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let (before, after) = (Side::new(&fixed.before), Side::new(&fixed.report));
    for path in fixed.files.keys() {
        let (Some(old), Some(new)) = (before.file(path), after.file(path)) else { continue };
        let (old_lines, new_lines) = (lines(old.1), lines(new.1));
        let ops = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
        let name = path.to_string_lossy();
        writeln!(out, "--- {}\n+++ {}", clean(&name), clean(&name))?;
        for hunk in group_diff_ops(ops, CONTEXT) {
            let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
            let old_range = first.old_range().start..last.old_range().end;
            let new_range = first.new_range().start..last.new_range().end;
            let rules = rules(&fixed.made, path, old.1, &old_range);
            writeln!(out, "@@ -{} +{} @@ {}", numbers(&old_range), numbers(&new_range), rules.join(", "))?;
            for op in &hunk {
                let same = matches!(op, DiffOp::Equal { .. });
                for index in op.old_range() {
                    write_line(if same { b' ' } else { b'-' }, &before.shown(old, index), to_terminal, out)?;
                }
                for index in op.new_range().filter(|_| !same) {
                    write_line(b'+', &after.shown(new, index), to_terminal, out)?;
                }
            }
        }
    }
    Ok(())
}

/// The rules whose fixes change something among these lines of the file as it was, each once.
fn rules<'m>(made: &'m [Made], path: &Path, old: &SourceFile, range: &Range<usize>) -> Vec<&'m str> {
    let mut rules = Vec::new();
    let index = |at: u32| old.line_of(at) as usize - 1;
    for made in made {
        let is_here = made.places.iter().any(|(place, span)| {
            // What is inserted behind the last line of a hunk belongs to it.
            place == path && index(span.start) <= range.end && range.start <= index(span.end)
        });
        if is_here && !rules.contains(&&*made.finding.rule) {
            rules.push(&*made.finding.rule);
        }
    }
    rules
}

/// `5,7`; `5` for one line; `4,0` for none behind the fourth.
fn numbers(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write_line(sign: u8, line: &[u8], to_terminal: bool, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(&[sign])?;
    let (text, newline) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
    if to_terminal {
        let text = String::from_utf8_lossy(text.strip_suffix(b"\r").unwrap_or(text)).replace('\t', "    ");
        out.write_all(clean(&text).as_bytes())?;
    } else {
        out.write_all(text)?;
    }
    out.write_all(if newline { b"\n" } else { b"\n\\ No newline at end of file\n" })
}

fn lines(file: &SourceFile) -> Vec<&[u8]> {
    file.bytes().split_inclusive(|byte| *byte == b'\n').collect()
}

/// The files as one look found them.
struct Side<'r> {
    report: &'r Report,
    secrets: Secrets<'r>,
}

impl<'r> Side<'r> {
    fn new(report: &'r Report) -> Self {
        Self { report, secrets: Secrets::of(report) }
    }

    fn file(&self, path: &Path) -> Option<(FileId, &'r SourceFile)> {
        let id = self.report.sources.find(path)?;
        Some((id, self.report.sources.get(id)))
    }

    /// A line, counted from 0, with its newline and without its secrets.
    fn shown(&self, (id, file): (FileId, &SourceFile), index: usize) -> Vec<u8> {
        let line = file.line_span(index as u32 + 1);
        let line = Span::new(line.start, (line.end + 1).min(file.bytes().len() as u32));
        let mut text = Vec::new();
        let mut done = line.start;
        for secret in self.secrets.within(id, line) {
            text.extend_from_slice(Span::new(done, secret.start.max(done)).of(file.bytes()));
            text.extend_from_slice(MASK.as_bytes());
            done = secret.end.clamp(done, line.end);
        }
        text.extend_from_slice(Span::new(done, line.end).of(file.bytes()));
        // A comment may repeat what the line below it says.
        let is_comment = matches!(text.trim_ascii_start().first(), Some(b'#' | b';'));
        match std::str::from_utf8(&text) {
            Ok(words) if is_comment => self.secrets.mask(words).into_owned().into_bytes(),
            _ => text,
        }
    }
}
