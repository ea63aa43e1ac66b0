//! Physical lines: how a server cuts the bytes of an option file. Lossless: the spans joined give the file back.

use crate::server::Dialect;
use crate::source::Span;
use std::borrow::Cow;

/// The buffer of the servers' reader holds 4096 bytes, its `fgets` one or two less
/// (<https://github.com/mysql/mysql-server/blob/mysql-5.6.51/mysys_ssl/my_default.cc>, `search_default_file_with_ext`;
/// measured on 5.6.24, 9.7.4 and MariaDB 10.5, 10.11, 11.8).
const PIECE: usize = 4094;
const CHUNK: usize = 4095;
/// A line that is shorter, its newline counted, comes out whole from every server's reader.
pub(super) const LONGEST_EVERYWHERE: u32 = PIECE as u32;

/// One line as a server takes it from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhysicalLine<'a> {
    /// Every byte that the line takes up, its newline and what the server loses of it included.
    pub span: Span,
    /// What the server sees of it, with the newline.
    pub text: Text<'a>,
    /// Whether this begins in the middle of a line because the reader's buffer was full.
    pub tail: bool,
    /// The first NUL byte in the line: what it costs depends on the dialect.
    pub nul: Option<u32>,
}

/// The bytes of a line that the server sees, and where they stand in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
    start: u32,
    /// (position in the bytes, position in the file) wherever the bytes are not contiguous in the file.
    jumps: Vec<(u32, u32)>,
}

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes: Cow::Borrowed(bytes), start: start as u32, jumps: Vec::new() }
    }

    fn glue(&mut self, bytes: &[u8], start: usize) {
        let here = self.bytes.len() as u32;
        if self.offset(here as usize) != start as u32 {
            self.jumps.push((here, start as u32));
        }
        self.bytes.to_mut().extend_from_slice(bytes);
    }

    /// Passes over the first bytes of the line.
    pub(super) fn skip(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        let start = self.offset(count);
        self.jumps.retain(|(here, _)| *here as usize > count);
        self.jumps.iter_mut().for_each(|(here, _)| *here -= count as u32);
        self.start = start;
        self.bytes = match std::mem::take(&mut self.bytes) {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[count..]),
            Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(count)),
        };
    }

    /// Where a byte stands in the file.
    pub fn offset(&self, at: usize) -> u32 {
        let at = at as u32;
        match self.jumps.iter().rev().find(|(here, _)| *here <= at) {
            Some((here, there)) => there + (at - here),
            None => self.start + at,
        }
    }

    /// The bytes of the file from one position of the text up to another.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let start = self.offset(from);
        let end = if to > from { self.offset(to - 1) + 1 } else { start };
        Span::new(start, end.max(start))
    }
}

/// Cuts a file into the lines that a server of that dialect sees. The spans follow each other without a gap.
pub fn split_lines(bytes: &[u8], dialect: Dialect) -> SplitLines<'_> {
    SplitLines { bytes, dialect, at: 0 }
}

/// The lines of a file; see [`split_lines`].
#[derive(Clone, Debug)]
pub struct SplitLines<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    at: usize,
}

/// What one `fgets` of the server takes: up to a newline, the end of the file or the size of its buffer.
fn chunk(bytes: &[u8], at: usize, size: usize) -> usize {
    let window = &bytes[at..bytes.len().min(at + size)];
    at + window.iter().position(|byte| *byte == b'\n').map_or(window.len(), |newline| newline + 1)
}

fn up_to_nul(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len())]
}

impl<'a> Iterator for SplitLines<'a> {
    type Item = PhysicalLine<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let line = match self.dialect {
            Dialect::Pieces => self.piece(start),
            Dialect::WholeLines => self.whole_line(start),
        };
        self.at = line.span.end as usize;
        Some(line)
    }
}

impl<'a> SplitLines<'a> {
    fn piece(&self, start: usize) -> PhysicalLine<'a> {
        let end = chunk(self.bytes, start, PIECE);
        let seen = up_to_nul(&self.bytes[start..end]);
        PhysicalLine {
            span: Span::new(start as u32, end as u32),
            text: Text::new(seen, start),
            tail: start > 0 && self.bytes[start - 1] != b'\n',
            nul: (seen.len() < end - start).then_some((start + seen.len()) as u32),
        }
    }

    /// The newer reader goes on reading until what it holds ends in a newline: a NUL hides the rest of a chunk, the newline
    /// included, so that the next line is glued on; a chunk that begins with NUL ends the line, or the whole file when
    /// nothing was read yet.
    fn whole_line(&self, start: usize) -> PhysicalLine<'a> {
        let mut end = chunk(self.bytes, start, CHUNK);
        let seen = up_to_nul(&self.bytes[start..end]);
        let mut nul = (seen.len() < end - start).then_some((start + seen.len()) as u32);
        if seen.is_empty() {
            end = self.bytes.len();
        }
        let mut text = Text::new(seen, start);
        while !text.bytes.is_empty() && !text.bytes.ends_with(b"\n") && end < self.bytes.len() {
            let next = chunk(self.bytes, end, CHUNK);
            let seen = up_to_nul(&self.bytes[end..next]);
            if seen.len() < next - end {
                nul = nul.or(Some((end + seen.len()) as u32));
            }
            if !seen.is_empty() {
                text.glue(seen, end);
            }
            end = next;
            if seen.is_empty() {
                break;
            }
        }
        PhysicalLine { span: Span::new(start as u32, end as u32), text, tail: false, nul }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(bytes: &[u8], dialect: Dialect) -> Vec<Vec<u8>> {
        split_lines(bytes, dialect).map(|line| line.text.bytes.into_owned()).collect()
    }

    #[test]
    fn the_old_reader_cuts_after_4094_bytes_and_loses_what_follows_a_nul() {
        let long = [b"a".repeat(4094), b"bc\nd\0e\nf".to_vec()].concat();
        assert_eq!(seen(&long, Dialect::Pieces), [b"a".repeat(4094), b"bc\n".to_vec(), b"d".to_vec(), b"f".to_vec()]);
        let tails: Vec<_> = split_lines(&long, Dialect::Pieces).map(|line| line.tail).collect();
        assert_eq!(tails, [false, true, false, false]);
    }

    #[test]
    fn the_new_reader_glues_the_next_line_after_a_nul_and_stops_at_a_nul_in_front() {
        assert_eq!(seen(b"a\0b\nc\nd\n", Dialect::WholeLines), [b"ac\n".to_vec(), b"d\n".to_vec()]);
        assert_eq!(seen(b"a\n\0b\nc\n", Dialect::WholeLines), [b"a\n".to_vec(), b"".to_vec()]);
        let long = [b"a".repeat(9000), b"\nb".to_vec()].concat();
        assert_eq!(seen(&long, Dialect::WholeLines), [[b"a".repeat(9000), b"\n".to_vec()].concat(), b"b".to_vec()]);
    }

    #[test]
    fn glued_text_knows_where_its_bytes_stand() {
        let line = split_lines(b"a\0b\ncd\n", Dialect::WholeLines).next().unwrap();
        assert_eq!(line.text.span(0, 1), Span::new(0, 1));
        assert_eq!(line.text.span(1, 3), Span::new(4, 6));
    }
}
