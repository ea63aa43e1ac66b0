//! The lines that a fix takes out and puts in, as a person compares them.

use super::secrets::Secrets;
use super::text::clean;
use crate::edits;
use crate::finding::{Edit, Fix};
use crate::source::{FileId, Location, Sources, Span};

/// What happens to the lines of one place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The file.
    pub file: FileId,
    /// The lines that go.
    pub old: Vec<String>,
    /// The lines that come.
    pub new: Vec<String>,
}

/// Every place that a fix changes, in the order of the files; nothing when it has no edits or one of them would show a secret.
pub fn changed(fix: &Fix, sources: &Sources, secrets: &Secrets) -> Vec<Changed> {
    let mut edits = secrets.edits(fix);
    edits.sort_by_key(|edit| edit.at);
    let mut places: Vec<(Location, Vec<&Edit>)> = Vec::new();
    for edit in &edits {
        let lines = whole_lines(edit.at, sources);
        match places.last_mut() {
            Some((known, here)) if known.file == lines.file && lines.span.start < known.span.end => {
                known.span.end = known.span.end.max(lines.span.end);
                here.push(edit);
            }
            _ => places.push((lines, vec![edit])),
        }
    }
    places.into_iter().map(|(lines, here)| compared(lines, &here, sources, secrets)).collect()
}

/// The lines that a range touches, their ends included; to insert at a line's beginning touches that line.
fn whole_lines(at: Location, sources: &Sources) -> Location {
    let bytes = sources.get(at.file).bytes();
    let Span { start, end } = at.span;
    let before = &bytes[..start as usize];
    let from = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    // An edit that ends with a line's end does not touch the next line.
    let ends = end > start && bytes.get(end as usize - 1) == Some(&b'\n');
    let rest = bytes[end as usize..].iter().position(|byte| *byte == b'\n');
    let to = if ends { end as usize } else { rest.map_or(bytes.len(), |newline| end as usize + newline + 1) };
    Location { span: Span::new(from as u32, to as u32), ..at }
}

fn compared(lines: Location, here: &[&Edit], sources: &Sources, secrets: &Secrets) -> Changed {
    let moved: Vec<Edit> = here
        .iter()
        .map(|edit| {
            let Span { start, end } = edit.at.span;
            let span = Span::new(start - lines.span.start, end - lines.span.start);
            Edit { at: Location { span, ..edit.at }, bytes: edit.bytes.clone() }
        })
        .collect();
    let old = sources.text(lines);
    let new = edits::apply(old, &moved.iter().collect::<Vec<_>>());
    let shown = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        let masked = secrets.mask_line(lines, &text).into_owned();
        masked.lines().map(|line| clean(&line.replace('\t', "    ")).trim_end().to_owned()).collect()
    };
    let (old, new) = (shown(old), shown(&new));
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let first = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    Changed { file: lines.file, old: old[..old.len() - last].to_vec(), new: new[..new.len() - last].to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Safety;
    use crate::lint::Report;
    use crate::source::SourceFile;

    fn shown(text: &str, edits: &[(u32, u32, &str)], secret: Option<Span>) -> Vec<(Vec<String>, Vec<String>)> {
        let mut report = Report::default();
        let file = report.sources.add(SourceFile::new("my.cnf", text.as_bytes().to_vec()));
        report.secrets.extend(secret.map(|span| Location { file, span }));
        let edit = |(start, end, bytes): &(u32, u32, &str)| Edit {
            at: Location { file, span: Span::new(*start, *end) },
            bytes: bytes.as_bytes().to_vec(),
        };
        let edits = edits.iter().map(edit).collect();
        let fix = Fix {
            safety: Safety::Unsafe,
            title: String::new(),
            changes: Vec::new(),
            dynamic: None,
            statements: Vec::new(),
            edits,
        };
        let secrets = Secrets::of(&report);
        changed(&fix, &report.sources, &secrets).into_iter().map(|place| (place.old, place.new)).collect()
    }

    fn lines(old: &[&str], new: &[&str]) -> (Vec<String>, Vec<String>) {
        let owned = |list: &[&str]| list.iter().map(|line| (*line).to_owned()).collect();
        (owned(old), owned(new))
    }

    #[test]
    fn lines_are_replaced_added_and_taken_out() {
        let text = "[mysqld]\na = 1\nb = 2\nc = 3\n";
        assert_eq!(shown(text, &[(13, 14, "7")], None), [lines(&["a = 1"], &["a = 7"])]);
        assert_eq!(shown(text, &[(15, 21, "")], None), [lines(&["b = 2"], &[])]);
        assert_eq!(shown(text, &[(9, 9, "x = 0\n")], None), [lines(&[], &["x = 0"])]);
        assert_eq!(shown(text, &[(27, 27, "x = 0\n")], None), [lines(&[], &["x = 0"])]);
        let both = [lines(&["a = 1"], &[]), lines(&["c = 3"], &["c = 4"])];
        assert_eq!(shown(text, &[(9, 15, ""), (25, 26, "4")], None), both);
    }

    #[test]
    fn secrets_stay_hidden_in_lines_that_change() {
        let text = "[client]\npasswrd = hunter2\n";
        let masked = lines(&["passwrd = ***"], &["password = ***"]);
        assert_eq!(shown(text, &[(9, 16, "password")], Some(Span::new(19, 26))), [masked]);
    }
}
