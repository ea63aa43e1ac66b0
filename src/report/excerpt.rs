//! The lines of source that one finding points at, made fit to print: valid UTF-8, no control characters, secrets
//! masked, long lines clipped around what is pointed at. Places move with the text.

use super::secrets::{MASK, Secrets};
use super::text::clean;
use crate::finding::{Finding, Label};
use crate::source::{FileId, SourceFile, Sources, Span};
use std::ops::Range;

/// More labels than this are counted, not shown.
const MOST_LABELS: usize = 12;
/// Lines between two labels that are shown so that both stand in one piece.
const GAP_LINES: u32 = 2;
/// What is left of a line at least, however narrow the terminal.
const NARROWEST: usize = 20;
/// Stands where a line was cut.
const CUT: &str = "...";

/// Adjacent lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The file as it was named.
    pub path: String,
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The number of lines.
    pub line_count: u32,
    /// Where the block stands in [`Excerpt::text`].
    pub range: Range<usize>,
}

/// One label, moved to the text of the excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where it stands in [`Excerpt::text`]; always within one line.
    pub range: Range<usize>,
    /// The column in the real file, from 1, in code points.
    pub column: u32,
    /// What is there; may be empty.
    pub text: String,
    /// Whether it is the place that the finding is about.
    pub primary: bool,
}

/// What is printed of the sources for one finding. The file of the primary label comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// All lines, each ended by `\n`.
    pub text: String,
    /// The pieces of the text, in order.
    pub blocks: Vec<Block>,
    /// The labels, in the order of the text.
    pub marks: Vec<Mark>,
    /// Labels that were left out.
    pub hidden: usize,
}

/// A label with the line that it stands on.
struct Placed<'a> {
    label: &'a Label,
    line: u32,
    primary: bool,
}

impl Excerpt {
    /// The excerpt for a finding, no line wider than `width` columns.
    pub fn of(finding: &Finding, sources: &Sources, secrets: &Secrets, width: usize) -> Self {
        let home = finding.primary.location.file;
        let all = std::iter::once(&finding.primary).chain(&finding.related);
        let mut placed: Vec<_> = all
            .enumerate()
            .take(MOST_LABELS)
            .map(|(index, label)| {
                let line = sources.get(label.location.file).line_of(label.location.span.start);
                Placed { label, line, primary: index == 0 }
            })
            .collect();
        placed.sort_by_key(|placed| {
            let location = placed.label.location;
            (location.file != home, location.file, location.span, !placed.primary)
        });
        placed.dedup_by(|later, earlier| later.label == earlier.label);
        let mut excerpt = Self { hidden: (1 + finding.related.len()).saturating_sub(MOST_LABELS), ..Self::default() };
        let joins = |left: &Placed, right: &Placed| {
            left.label.location.file == right.label.location.file && right.line - left.line <= GAP_LINES + 1
        };
        for run in placed.chunk_by(joins) {
            excerpt.add_block(run, sources, secrets, width.max(NARROWEST));
        }
        excerpt
    }

    fn add_block(&mut self, run: &[Placed], sources: &Sources, secrets: &Secrets, width: usize) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let id = first.label.location.file;
        let file = sources.get(id);
        let start = self.text.len();
        for line in first.line..=last.line {
            let labels: Vec<_> = run.iter().filter(|placed| placed.line == line).collect();
            self.add_line(file, id, line, &labels, secrets, width);
        }
        self.blocks.push(Block {
            path: clean(&file.path().to_string_lossy()).into_owned(),
            first_line: first.line,
            line_count: last.line - first.line + 1,
            range: start..self.text.len(),
        });
    }

    fn add_line(
        &mut self,
        file: &SourceFile,
        id: FileId,
        line: u32,
        labels: &[&Placed],
        secrets: &Secrets,
        width: usize,
    ) {
        let span = file.line_span(line);
        let shown = ShownLine::of(file.bytes(), span, secrets.within(id, span));
        let ranges: Vec<_> = labels.iter().map(|placed| shown.range(placed.label.location.span)).collect();
        let focus = labels.iter().position(|placed| placed.primary).or((!ranges.is_empty()).then_some(0));
        let kept = clipped(&shown.text, focus.map_or(0..0, |index| ranges[index].clone()), width);
        let start = self.text.len();
        let lead = if kept.start > 0 { CUT } else { "" };
        let tail = if kept.end < shown.text.len() { CUT } else { "" };
        self.text.extend([lead, &shown.text[kept.clone()], tail, "\n"]);
        for (placed, range) in labels.iter().zip(ranges) {
            let moved = |at: usize| start + lead.len() + at.clamp(kept.start, kept.end) - kept.start;
            self.marks.push(Mark {
                range: moved(range.start)..moved(range.end),
                column: file.line_column(placed.label.location.span.start).column,
                text: secrets.mask(&clean(&placed.label.text)).into_owned(),
                primary: placed.primary,
            });
        }
    }
}

/// One line as it is printed, with the source offset of each piece.
struct ShownLine {
    text: String,
    /// (offset in the source, offset in the text), rising in both.
    steps: Vec<(u32, usize)>,
}

impl ShownLine {
    fn of(bytes: &[u8], line: Span, secrets: impl Iterator<Item = Span>) -> Self {
        let mut shown = Self { text: String::new(), steps: Vec::new() };
        let mut at = line.start;
        for secret in secrets {
            shown.add(bytes, Span::new(at, secret.start.max(at)));
            shown.steps.push((secret.start.max(at), shown.text.len()));
            shown.text.push_str(MASK);
            at = secret.end.min(line.end).max(at);
        }
        shown.add(bytes, Span::new(at, line.end.max(at)));
        if shown.text.ends_with('\u{fffd}') && bytes.get(line.end.wrapping_sub(1) as usize) == Some(&b'\r') {
            shown.text.truncate(shown.text.len() - '\u{fffd}'.len_utf8());
        }
        shown.steps.push((line.end, shown.text.len()));
        shown
    }

    fn add(&mut self, bytes: &[u8], span: Span) {
        let mut at = span.start;
        for chunk in span.of(bytes).utf8_chunks() {
            for c in chunk.valid().chars() {
                self.steps.push((at, self.text.len()));
                match c {
                    '\t' => self.text.push_str("    "),
                    c if c.is_control() => self.text.push(char::REPLACEMENT_CHARACTER),
                    c => self.text.push_str(&clean(c.encode_utf8(&mut [0; 4]))),
                }
                at += c.len_utf8() as u32;
            }
            for _ in chunk.invalid() {
                self.steps.push((at, self.text.len()));
                self.text.push(char::REPLACEMENT_CHARACTER);
                at += 1;
            }
        }
    }

    /// Where a span of the source stands in the text; what lies beyond the line is cut.
    fn range(&self, span: Span) -> Range<usize> {
        let place = |offset: u32| {
            let index = self.steps.partition_point(|(source, _)| *source < offset);
            self.steps.get(index).map_or(self.text.len(), |(_, text)| (*text).min(self.text.len()))
        };
        let start = match self.steps.binary_search_by_key(&span.start, |(source, _)| *source) {
            Ok(_) => place(span.start),
            // Inside a masked secret or a character: from its beginning.
            Err(index) => self.steps[index.saturating_sub(1)].1.min(self.text.len()),
        };
        start..place(span.end).max(start)
    }
}

/// The part of a line that is kept when it has to fit into `width` columns: around the focus.
fn clipped(text: &str, focus: Range<usize>, width: usize) -> Range<usize> {
    if text.len() <= width || text.chars().count() <= width {
        return 0..text.len();
    }
    let room = width.saturating_sub(2 * CUT.len());
    let characters: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = characters.partition_point(|offset| *offset < focus.start);
    let wanted = text[focus].chars().count().min(room);
    // A little of what stands before; from the line's beginning where the focus is near it.
    let before = if at + wanted <= room { at } else { (room - wanted) / 2 };
    let first = at - before;
    let end = (first + room).min(characters.len());
    let first = end.saturating_sub(room);
    characters[first]..characters.get(end).copied().unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::lint::Report;
    use crate::source::Location;
    use proptest::prelude::*;

    fn finding(labels: &[(FileId, Span, &str)]) -> Finding {
        let mut labels: Vec<_> = labels
            .iter()
            .map(|(file, span, text)| Label {
                location: Location { file: *file, span: *span },
                text: (*text).to_owned(),
            })
            .collect();
        let primary = labels.remove(0);
        Finding {
            rule: "x".into(),
            severity: Severity::Warning,
            message: String::new(),
            why: "".into(),
            primary,
            related: labels,
            evidence: Vec::new(),
            fix: None,
            option: None,
            value: None,
            side: Default::default(),
        }
    }

    fn excerpt(bytes: &[u8], spans: &[Span], secrets: &[Span], width: usize) -> Excerpt {
        let mut report = Report::default();
        let file = report.sources.add(SourceFile::new("my.cnf", bytes.to_vec()));
        report.secrets = secrets.iter().map(|span| Location { file, span: *span }).collect();
        let labels: Vec<_> = spans.iter().map(|span| (file, *span, "")).collect();
        Excerpt::of(&finding(&labels), &report.sources, &Secrets::of(&report), width)
    }

    fn marked(excerpt: &Excerpt) -> Vec<&str> {
        excerpt.marks.iter().map(|mark| &excerpt.text[mark.range.clone()]).collect()
    }

    #[test]
    fn secrets_are_masked_and_labels_still_point_at_their_place() {
        let line = b"[client]\npassword = hunter2 # \xe4 note\n";
        let shown = excerpt(line, &[Span::new(9, 27), Span::new(30, 31)], &[Span::new(20, 27)], 80);
        assert_eq!(shown.text, "password = *** # \u{fffd} note\n");
        assert_eq!(marked(&shown), ["password = ***", "\u{fffd}"]);
        assert_eq!(shown.marks[1].column, 22);
    }

    #[test]
    fn long_lines_are_clipped_around_the_label() {
        let line = format!("sql_mode = {}NO_SUCH_MODE{}", "A,".repeat(200), ",B".repeat(200));
        let shown = excerpt(line.as_bytes(), &[Span::new(411, 423)], &[], 60);
        assert!(shown.text.trim_end().chars().count() <= 60, "{}", shown.text);
        assert_eq!(marked(&shown), ["NO_SUCH_MODE"]);
    }

    #[test]
    fn near_lines_share_a_block_and_carriage_returns_go() {
        let shown = excerpt(
            b"a=1\r\nb=2\r\nc=3\r\n\r\n\r\n\r\n\r\nz=1\r\n",
            &[Span::new(0, 3), Span::new(10, 13), Span::new(23, 26)],
            &[],
            80,
        );
        assert_eq!(shown.text, "a=1\nb=2\nc=3\nz=1\n");
        assert_eq!(
            shown.blocks.iter().map(|block| (block.first_line, block.line_count)).collect::<Vec<_>>(),
            [(1, 3), (8, 1)]
        );
    }

    proptest! {
        #[test]
        fn every_mark_lies_within_one_line(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xff), Just(b'a'), Just(0xc3), Just(0xa4), any::<u8>()], 0..120),
            spans in proptest::collection::vec((0u32..130, 0u32..130), 1..6),
            secrets in proptest::collection::vec((0u32..130, 0u32..20), 0..3),
            width in 0usize..60,
        ) {
            let length = bytes.len() as u32;
            let spans: Vec<_> = spans.into_iter().map(|(a, b)| Span::new(a.min(b).min(length), a.max(b).min(length))).collect();
            let secrets: Vec<_> = secrets.into_iter().map(|(a, n)| Span::new(a.min(length), (a + n).min(length))).collect();
            let shown = excerpt(&bytes, &spans, &secrets, width);
            for mark in &shown.marks {
                prop_assert!(!shown.text[mark.range.clone()].contains('\n'));
                let block = shown.blocks.iter().find(|block| block.range.contains(&mark.range.start));
                prop_assert!(block.is_some_and(|block| mark.range.end < block.range.end));
            }
            for block in &shown.blocks {
                prop_assert_eq!(shown.text[block.range.clone()].matches('\n').count(), block.line_count as usize);
            }
        }
    }
}
