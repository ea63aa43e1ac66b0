//! Where the bytes of a file that lies in another one lie there.

use super::Span;

/// A stretch of the part's bytes and where it lies in the carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    inner: Span,
    /// These very bytes, or what stands for them, such as an escape.
    outer: Span,
    is_exact: bool,
}

/// From the bytes of a part to those of its carrier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteMap(Vec<Piece>);

impl ByteMap {
    /// Adds the place of the next `length` bytes of the part: these very bytes where it is as long, else what stands for them.
    pub fn push(&mut self, length: u32, outer: Span) {
        self.push_piece(length, outer, length == outer.len());
    }

    /// Adds the place of what stands for the next `length` bytes of the part, and may happen to be as long.
    pub fn push_spelled(&mut self, length: u32, outer: Span) {
        self.push_piece(length, outer, false);
    }

    fn push_piece(&mut self, length: u32, outer: Span, is_exact: bool) {
        let start = self.0.last().map_or(0, |piece| piece.inner.end);
        let piece = Piece { inner: Span::new(start, start + length), outer, is_exact };
        match self.0.last_mut() {
            _ if length == 0 => {}
            Some(last) if last.is_exact && piece.is_exact && last.outer.end == outer.start => {
                (last.inner.end, last.outer.end) = (piece.inner.end, outer.end);
            }
            _ => self.0.push(piece),
        }
    }

    /// Adds the places of a stretch of another part's bytes.
    pub fn append(&mut self, other: &Self, stretch: Span) {
        for piece in &other.0 {
            let start = piece.inner.start.max(stretch.start);
            let end = piece.inner.end.min(stretch.end);
            if start >= end {
                continue;
            }
            let outer = if piece.is_exact { other.outer(Span::new(start, end)) } else { piece.outer };
            self.push_piece(end - start, outer, piece.is_exact);
        }
    }

    /// The place in the carrier of bytes that stand there one behind the other, escapes and all; `None` where something else
    /// stands between them.
    pub fn unbroken(&self, span: Span) -> Option<Span> {
        let touched: Vec<_> =
            self.0.iter().filter(|piece| piece.inner.start < span.end && span.start < piece.inner.end).collect();
        let is_whole = |piece: &Piece| {
            piece.is_exact || !piece.outer.is_empty() && span.start <= piece.inner.start && piece.inner.end <= span.end
        };
        let follows = touched.windows(2).all(|pair| pair[0].outer.end == pair[1].outer.start);
        (follows && touched.iter().all(|piece| is_whole(piece)) && !touched.is_empty()).then(|| self.outer(span))
    }

    /// The place in the carrier.
    pub fn outer(&self, span: Span) -> Span {
        let start = self.start(span.start);
        if span.is_empty() { Span::new(start, start) } else { Span::new(start, self.end(span.end).max(start)) }
    }

    /// The same bytes in the carrier; `None` where the carrier spells them another way.
    pub fn exact(&self, span: Span) -> Option<Span> {
        let outer = self.outer(span);
        (outer.len() == span.len() && self.is_exact(span)).then_some(outer)
    }

    /// Whether each byte of the span stands in the carrier as it is, if not all in one piece.
    pub fn is_exact(&self, span: Span) -> bool {
        let touched = |piece: &&Piece| piece.inner.start < span.end && span.start < piece.inner.end;
        self.0.iter().filter(touched).all(|piece| piece.is_exact)
    }

    /// The map of a part that lies in another part, which this map leads out of.
    pub fn through(&self, other: &Self) -> Self {
        let lead = |piece: &Piece| {
            let is_exact = piece.is_exact && other.exact(piece.outer).is_some();
            Piece { inner: piece.inner, outer: other.outer(piece.outer), is_exact }
        };
        Self(self.0.iter().map(lead).collect())
    }

    /// Where the byte lies in the carrier.
    pub fn start(&self, at: u32) -> u32 {
        let index = self.0.partition_point(|piece| piece.inner.start <= at);
        match index.checked_sub(1).and_then(|index| self.0.get(index)) {
            Some(piece) if at >= piece.inner.end => piece.outer.end,
            Some(piece) if piece.is_exact => piece.outer.start + (at - piece.inner.start),
            Some(piece) => piece.outer.start,
            None => self.0.first().map_or(0, |piece| piece.outer.start),
        }
    }

    /// Where the bytes before this one end in the carrier.
    pub fn end(&self, at: u32) -> u32 {
        let index = self.0.partition_point(|piece| piece.inner.start < at);
        match index.checked_sub(1).and_then(|index| self.0.get(index)) {
            Some(piece) if piece.is_exact && at <= piece.inner.end => piece.outer.start + (at - piece.inner.start),
            Some(piece) => piece.outer.end,
            None => self.0.first().map_or(0, |piece| piece.outer.start),
        }
    }
}
