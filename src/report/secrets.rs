//! Keeps the values of secret options out of every report.
//!
//! Two nets: the bytes of a secret are never copied from a source, and a text that quotes one has it replaced.

use crate::catalog;
use crate::finding::{Edit, Fix};
use crate::lint::Report;
use crate::source::{FileId, Location, Sources, Span};
use std::borrow::Cow;

/// What stands in place of a secret. Its length says nothing about the secret's.
pub const MASK: &str = "***";

/// Secrets shorter than this are not looked for inside other texts: they would be found by chance.
const SHORTEST_QUOTED: usize = 4;

/// The secrets of one report.
#[derive(Debug)]
pub struct Secrets<'a> {
    locations: Vec<Location>,
    texts: Vec<&'a str>,
    /// The first bytes of each text and its position, in order: ten thousand files have ten thousand passwords.
    beginnings: Vec<(&'a [u8], usize)>,
    sources: &'a Sources,
}

impl<'a> Secrets<'a> {
    /// The secrets of a report.
    pub fn of(report: &'a Report) -> Self {
        let mut locations = report.secrets.clone();
        locations.retain(|location| !location.span.is_empty());
        locations.sort();
        locations.dedup();
        let mut texts: Vec<_> = locations
            .iter()
            .filter_map(|location| std::str::from_utf8(bare(report.sources.text(*location))).ok())
            .filter(|text| text.len() >= SHORTEST_QUOTED)
            .collect();
        // The longest first, so that no secret hides a part of a longer one.
        texts.sort_by_key(|text| (std::cmp::Reverse(text.len()), *text));
        texts.dedup();
        let beginning = |(index, text): (usize, &&'a str)| (&text.as_bytes()[..SHORTEST_QUOTED], index);
        let mut beginnings: Vec<_> = texts.iter().enumerate().map(beginning).collect();
        beginnings.sort();
        let quoted = in_comments(&report.sources, &locations);
        locations.extend(quoted);
        Self { locations: joined(locations), texts, beginnings, sources: &report.sources }
    }

    /// The secret ranges that touch a range of a file, in order.
    pub fn within(&self, file: FileId, span: Span) -> impl Iterator<Item = Span> {
        let first = self.locations.partition_point(|location| location.file < file);
        self.locations[first..]
            .iter()
            .take_while(move |location| location.file == file)
            .map(|location| location.span)
            .filter(move |secret| secret.start < span.end && span.start < secret.end)
    }

    /// The text with every quoted secret replaced.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for secret in self.quoted_in(text.as_bytes()) {
            if let Some(replaced) = replace_tokens(&masked, secret) {
                masked = Cow::Owned(replaced);
            }
        }
        masked
    }

    /// The secrets that stand somewhere in a text, the longest first.
    fn quoted_in(&self, text: &[u8]) -> Vec<&'a str> {
        if self.texts.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (at, window) in text.windows(SHORTEST_QUOTED).enumerate() {
            let first = self.beginnings.partition_point(|(beginning, _)| *beginning < window);
            let alike = self.beginnings[first..].iter().take_while(|(beginning, _)| *beginning == window);
            found.extend(alike.map(|(_, index)| *index).filter(|i| text[at..].starts_with(self.texts[*i].as_bytes())));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|index| self.texts[index]).collect()
    }

    /// The new text of a line with the secrets that stand in that line replaced, however short they are.
    pub fn mask_line<'t>(&self, line: Location, text: &'t str) -> Cow<'t, str> {
        let mut masked = self.mask(text);
        for span in self.within(line.file, line.span) {
            let secret = String::from_utf8_lossy(self.sources.text(Location { file: line.file, span }));
            if let Some(at) = masked.rfind(&*secret) {
                masked = Cow::Owned(format!("{}{MASK}{}", &masked[..at], &masked[at + secret.len()..]));
            }
        }
        masked
    }

    /// The edits of a fix, each cut down to the bytes that differ; none at all when one of them would print a secret.
    pub fn edits(&self, fix: &Fix) -> Vec<Edit> {
        // What takes the place of a whole secret is one: base64 is written anew, with all that it hides.
        let renews = |edit: &Edit| {
            !edit.bytes.is_empty() && self.within(edit.at.file, edit.at.span).any(|secret| secret == edit.at.span)
        };
        if fix.edits.iter().any(renews) {
            return Vec::new();
        }
        let edits: Vec<_> = fix.edits.iter().map(|edit| self.smallest(edit)).collect();
        if edits.iter().any(|edit| self.shows_secret(edit)) { Vec::new() } else { edits }
    }

    fn smallest(&self, edit: &Edit) -> Edit {
        let touches_secret = self.within(edit.at.file, edit.at.span).next().is_some();
        if !touches_secret {
            return edit.clone();
        }
        let old = self.sources.text(edit.at);
        let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let prefix = old.iter().zip(&edit.bytes).take_while(same).count();
        let (old_rest, new_rest) = (&old[prefix..], &edit.bytes[prefix..]);
        let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
        let span = Span::new(edit.at.span.start + prefix as u32, edit.at.span.end - suffix as u32);
        Edit { at: Location { file: edit.at.file, span }, bytes: new_rest[..new_rest.len() - suffix].to_vec() }
    }

    fn shows_secret(&self, edit: &Edit) -> bool {
        let holds = |secret: &[u8]| edit.bytes.windows(secret.len()).any(|window| window == secret);
        let overlapped = self
            .within(edit.at.file, edit.at.span)
            .any(|span| holds(self.sources.text(Location { file: edit.at.file, span })));
        overlapped || !self.quoted_in(&edit.bytes).is_empty()
    }
}

/// Where comments hold secrets: settings that were commented out, and what repeats a secret of the same file.
fn in_comments(sources: &Sources, secrets: &[Location]) -> Vec<Location> {
    let mut found = Vec::new();
    for (id, file) in sources.iter() {
        let own = secrets.iter().filter(|location| location.file == id).map(|location| bare(sources.text(*location)));
        let own: Vec<_> = own.filter(|text| text.len() >= SHORTEST_QUOTED).collect();
        for number in 1..=file.line_count() {
            let line = file.line_span(number);
            let bytes = line.of(file.bytes());
            let Some(start) = bytes.iter().position(|byte| matches!(byte, b'#' | b';')) else { continue };
            let at = |from: usize, to: usize| Location {
                file: id,
                span: Span::new(line.start + from as u32, line.start + to as u32),
            };
            let comment = &bytes[start..];
            // A comment behind an option is prose; what begins a line may be an option that was switched off.
            let is_whole_line = bytes[..start].iter().all(u8::is_ascii_whitespace);
            if let Some(value) = std::str::from_utf8(comment).ok().filter(|_| is_whole_line).and_then(commented_out) {
                found.push(at(start + value, bytes.trim_ascii_end().len()));
            }
            for secret in &own {
                let places = comment.windows(secret.len()).enumerate().filter(|(_, window)| window == secret);
                found.extend(places.map(|(place, _)| at(start + place, start + place + secret.len())));
            }
        }
    }
    found
}

/// A value without its quotes: whoever repeats it elsewhere may leave them out.
fn bare(value: &[u8]) -> &[u8] {
    match value {
        [open @ (b'"' | b'\''), inner @ .., close] if open == close => inner,
        _ => value,
    }
}

/// Where the value of a secret begins in a comment such as `# password = x`.
fn commented_out(comment: &str) -> Option<usize> {
    let (before, after) = comment.split_once('=')?;
    let name = before.trim_matches(|c: char| c == '#' || c == ';' || c.is_whitespace());
    let value = comment.len() - after.trim_start().len();
    let is_one_word = !name.is_empty() && !name.contains(char::is_whitespace);
    (is_one_word && value < comment.trim_end().len() && catalog::is_secret(name)).then_some(value)
}

/// The locations in order, with what overlaps joined.
fn joined(mut locations: Vec<Location>) -> Vec<Location> {
    locations.sort();
    let mut joined: Vec<Location> = Vec::new();
    for location in locations {
        match joined.last_mut() {
            Some(last) if last.file == location.file && location.span.start < last.span.end => {
                last.span = last.span.to(location.span);
            }
            _ => joined.push(location),
        }
    }
    joined
}

/// Replaces `secret` where it stands alone; `None` when it nowhere does. `mysql` is not found in `mysql-8.0`.
fn replace_tokens(text: &str, secret: &str) -> Option<String> {
    let part_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let mut replaced = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices(secret) {
        let end = at + secret.len();
        let joined = |neighbour: Option<char>, own: Option<char>| {
            neighbour.is_some_and(part_of_word) && own.is_some_and(part_of_word)
        };
        let inside_word = joined(text[..at].chars().next_back(), secret.chars().next())
            || joined(ended(text, end), secret.chars().next_back());
        if !inside_word {
            replaced.push_str(&text[copied..at]);
            replaced.push_str(MASK);
            copied = end;
        }
    }
    (copied > 0).then(|| replaced + &text[copied..])
}

/// What follows at `end`, unless it is the full stop of a sentence.
fn ended(text: &str, end: usize) -> Option<char> {
    let mut rest = text[end..].chars();
    match rest.next() {
        Some('.') if rest.next().is_none_or(char::is_whitespace) => None,
        next => next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Safety;
    use crate::source::SourceFile;

    fn report(text: &str, secret: &str) -> (Report, Location) {
        let mut report = Report::default();
        let file = report.sources.add(SourceFile::new("my.cnf", text.as_bytes().to_vec()));
        let start = text.find(secret).unwrap() as u32;
        let location = Location { file, span: Span::new(start, start + secret.len() as u32) };
        report.secrets.push(location);
        (report, location)
    }

    fn fix(edits: Vec<Edit>) -> Fix {
        Fix {
            safety: Safety::Safe,
            title: String::new(),
            changes: Vec::new(),
            dynamic: None,
            statements: Vec::new(),
            edits,
        }
    }

    #[test]
    fn a_quoted_secret_is_replaced_and_words_that_hold_it_are_not() {
        let (report, _) = report("password=mysql\n", "mysql");
        let secrets = Secrets::of(&report);
        assert_eq!(secrets.mask("the value `mysql` on mysql-8.0; mysql."), "the value `***` on mysql-8.0; ***.");
    }

    #[test]
    fn a_quoted_value_is_found_without_its_quotes() {
        let (report, secret) = report("password='hunter2' # hunter2\n", "'hunter2'");
        let spans: Vec<_> = Secrets::of(&report).within(secret.file, Span::new(0, 29)).collect();
        assert_eq!(spans, [Span::new(9, 18), Span::new(21, 28)]);
    }

    #[test]
    fn of_secrets_that_begin_alike_each_is_found() {
        let text = "password=hunt\npassword=hunter2\npassword=hunting\n";
        let (mut report, _) = report(text, "hunt");
        let file = report.secrets[0].file;
        for span in [Span::new(23, 30), Span::new(40, 47)] {
            report.secrets.push(Location { file, span });
        }
        let secrets = Secrets::of(&report);
        assert_eq!(
            secrets.mask("`hunting` and `hunter2` and `hunt`, not hunted"),
            "`***` and `***` and `***`, not hunted"
        );
    }

    #[test]
    fn an_edit_beside_a_secret_keeps_only_what_differs() {
        let (report, secret) = report("pasword=hunter2\n", "hunter2");
        let secrets = Secrets::of(&report);
        let line = Location { file: secret.file, span: Span::new(0, 15) };
        let renamed = fix(vec![Edit { at: line, bytes: b"password=hunter2".to_vec() }]);
        let edits = secrets.edits(&renamed);
        assert_eq!(edits[0].bytes, b"s");
        assert_eq!(edits[0].at.span.len(), 0);
        let moved = fix(vec![Edit { at: line, bytes: b"[client]\npassword = hunter2\n#".to_vec() }]);
        assert!(secrets.edits(&moved).is_empty());
    }

    #[test]
    fn a_short_secret_in_an_edit_of_its_own_line_is_kept_back_too() {
        let (report, secret) = report("pasword=q1\n", "q1");
        let line = Location { file: secret.file, span: Span::new(0, 10) };
        let edits = fix(vec![Edit { at: line, bytes: b"[client]\npassword = q1\n#".to_vec() }]);
        assert!(Secrets::of(&report).edits(&edits).is_empty());
    }
}
