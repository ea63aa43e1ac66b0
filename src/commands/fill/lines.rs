//! The text between tags, with the mark of each line before its first letter.

use cnflint::input::filled::mark;

/// A text that grows as a template is read through.
#[derive(Debug, Default)]
pub struct Lines {
    /// What the engine gets.
    pub source: String,
    /// The line at hand, from 0.
    pub line: usize,
    is_marked: bool,
}

impl Lines {
    /// Adds text that stands in the template as it is.
    pub fn literal(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let first = piece.find(|letter: char| !letter.is_whitespace());
            if let Some(first) = first.filter(|_| !self.is_marked) {
                self.source.push_str(&piece[..first]);
                self.source.push_str(&mark(self.line));
                self.source.push_str(&piece[first..]);
                self.is_marked = true;
            } else {
                self.source.push_str(piece);
            }
            if piece.ends_with('\n') {
                self.line += 1;
                self.is_marked = false;
            }
        }
    }

    /// Adds what comes in place of a tag.
    pub fn tag(&mut self, tag: &str, in_place: &str) {
        self.source.push_str(in_place);
        let newlines = tag.matches('\n').count();
        self.line += newlines;
        self.is_marked &= newlines == 0;
    }
}
