//! How an edit of a part becomes one of its carrier.

use crate::source::{ByteMap, Span};

/// How the carrier writes the part down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Line by line, each behind the same indentation.
    Lines {
        /// The bytes before each line.
        indentation: Vec<u8>,
        /// Where the first line begins in the carrier.
        start: u32,
        /// Bytes that mean something else there, such as the `$` of a shell.
        refuses: &'static [u8],
    },
    /// As base64, which is written anew as a whole.
    Base64 {
        /// The carrier's bytes.
        whole: Span,
    },
    /// As arguments of a command.
    Arguments(Vec<ArgumentPlace>, Option<Insertion>),
    /// As it is, where a byte of it stands there at all: a template that is filled in.
    Exact,
    /// In texts between quotes, in which a line's end may be written as an escape.
    Escaped {
        /// Whether a newline may stand there as one.
        takes_newlines: bool,
    },
    /// Name by name and value by value, each a scalar of YAML: one of them can become another plain word, and nothing else.
    Words,
    /// In a way that cannot be written back.
    Opaque,
}

/// One argument in part and carrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentPlace {
    /// The line of the part, with its newline.
    pub line: Span,
    /// Name and value in the part.
    pub named: Span,
    /// What the carrier holds of name and value, or of the name alone where the value is the next word.
    pub text: Option<ArgumentText>,
    /// What goes from the carrier when name and value become one word.
    pub next: Option<Span>,
    /// What goes from the carrier when the argument goes; `None` where nothing can go and leave it whole.
    pub removal: Option<Span>,
}

/// What can become another name and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentText {
    /// Name and value as they are, without the leading dashes.
    Behind(Span),
    /// Name and value as they are, behind a dash that makes no option.
    Undashed(Span),
    /// The whole word, which spells them in another way.
    Whole(Span),
}

impl ArgumentText {
    fn become_text(self, text: Vec<u8>) -> Option<Edited> {
        match self {
            Self::Behind(at) => Some((at, text)),
            Self::Undashed(at) => Some((at, [b"--", &*text].concat())),
            // Without its quotes, a comma would end an item of a list.
            Self::Whole(at) => (!text.contains(&b',')).then(|| (at, [b"--", &*text].concat())),
        }
    }
}

/// How one more argument is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Where.
    pub at: u32,
    /// What comes before the option's name.
    pub before: Vec<u8>,
    /// What comes after its value.
    pub after: Vec<u8>,
}

impl Insertion {
    /// Behind the last word of a command.
    pub fn behind(at: u32) -> Self {
        Self { at, before: b" --".to_vec(), after: Vec::new() }
    }
}

/// A file of options that lies in a carrier, or the arguments of its server written as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes as the server gets them.
    pub bytes: Vec<u8>,
    /// Where they lie.
    pub map: ByteMap,
    /// How they are written.
    pub encoding: Encoding,
}

/// New bytes for a range.
pub type Edited = (Span, Vec<u8>);

impl Part {
    /// The part behind the first line of a group that the carrier does not write.
    pub fn in_group(self, group: &str) -> Self {
        let line = format!("[{group}]\n").into_bytes();
        let start = match &self.encoding {
            Encoding::Lines { start, .. } => *start,
            _ => self.map.start(0),
        };
        let mut map = ByteMap::default();
        map.push(line.len() as u32, Span::new(start, start));
        map.append(&self.map, Span::new(0, self.bytes.len() as u32));
        Self { bytes: [line, self.bytes].concat(), map, encoding: self.encoding }
    }

    /// The part of a part: where it lies, and how it is written, in the carrier.
    pub fn within(self, outer: &Self) -> Self {
        let map = self.map.through(&outer.map);
        let encoding = match (self.encoding, &outer.encoding) {
            (
                Encoding::Lines { indentation: inner, start, refuses },
                Encoding::Lines { indentation, start: first, refuses: _ },
            ) => {
                let start = if start == 0 { *first } else { outer.map.end(start) };
                Encoding::Lines { indentation: [&**indentation, &inner].concat(), start, refuses }
            }
            (Encoding::Escaped { .. }, Encoding::Lines { .. }) => Encoding::Escaped { takes_newlines: false },
            _ => Encoding::Opaque,
        };
        Self { bytes: self.bytes, map, encoding }
    }

    /// Where the carrier holds the part in a form that nobody reads at a glance, so that nobody sees what it gives away.
    pub fn encoded(&self) -> Option<Span> {
        match self.encoding {
            Encoding::Base64 { whole } => Some(whole),
            _ => None,
        }
    }

    /// The edits of one fix as edits of the carrier; `None` where they cannot be written there and leave it whole.
    pub fn outer_edits(&self, edits: &[Edited]) -> Option<Vec<Edited>> {
        match &self.encoding {
            Encoding::Lines { indentation, start, refuses } => {
                let fits = |(span, text): &Edited| {
                    text.is_empty() || self.map.is_exact(*span) && !text.iter().any(|byte| refuses.contains(byte))
                };
                let lines = |edit| self.in_lines(edit, indentation, *start);
                edits.iter().all(fits).then(|| edits.iter().map(lines).collect())
            }
            Encoding::Base64 { whole } => {
                let mut bytes = self.bytes.clone();
                let mut sorted: Vec<_> = edits.iter().collect();
                sorted.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
                for (span, text) in sorted {
                    bytes.splice(span.start as usize..span.end as usize, text.iter().copied());
                }
                Some(vec![(*whole, data_encoding::BASE64.encode(&bytes).into_bytes())])
            }
            Encoding::Arguments(places, insertion) => {
                let insertion = insertion.as_ref();
                let outer: Option<Vec<_>> =
                    edits.iter().map(|edit| self.in_arguments(edit, places, insertion)).collect();
                outer.map(|edits| edits.concat())
            }
            Encoding::Exact => edits.iter().map(|edit| self.in_place(edit)).collect::<Option<_>>(),
            Encoding::Escaped { takes_newlines } => {
                edits.iter().map(|edit| self.in_quotes(edit, *takes_newlines)).collect()
            }
            Encoding::Words => edits.iter().map(|edit| self.in_words(edit)).collect(),
            Encoding::Opaque => None,
        }
    }

    /// New bytes in the place of the same ones, or behind them.
    fn in_place(&self, (span, text): &Edited) -> Option<Edited> {
        if !span.is_empty() {
            return Some((self.map.exact(*span)?, text.clone()));
        }
        let before = self.map.exact(Span::new(span.start.checked_sub(1)?, span.start))?;
        Some((Span::new(before.end, before.end), text.clone()))
    }

    /// Bytes between quotes that no quote takes for something else, a line's end written as that of the line before.
    fn in_quotes(&self, (span, text): &Edited, takes_newlines: bool) -> Option<Edited> {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:=,@+ \n".contains(byte);
        if !text.iter().all(is_plain) {
            return None;
        }
        let newline = self.bytes[..span.end as usize].iter().rposition(|byte| *byte == b'\n').map(|at| at as u32);
        let written = |at: u32| match self.map.outer(Span::new(at, at + 1)).len() {
            1 if takes_newlines => Some(b"\n".as_slice()),
            2 => Some(b"\\n".as_slice()),
            _ => None,
        };
        let outer = if span.is_empty() {
            let before = self.map.unbroken(Span::new(span.start.checked_sub(1)?, span.start))?;
            Span::new(before.end, before.end)
        } else {
            self.map.unbroken(*span)?
        };
        let mut lines = text.split(|byte| *byte == b'\n');
        let mut new = lines.next().unwrap_or_default().to_vec();
        for line in lines {
            new.extend_from_slice(newline.and_then(written)?);
            new.extend_from_slice(line);
        }
        Some((outer, new))
    }

    /// The one word that becomes another.
    fn in_words(&self, (span, text): &Edited) -> Option<Edited> {
        // YAML takes these for truth values, and `0640` for a number of its own.
        const TRUTHS: [&[u8]; 8] = [b"on", b"off", b"yes", b"no", b"true", b"false", b"y", b"n"];
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let old = span.of(&self.bytes);
        let prefix = old.iter().zip(text).take_while(same).count();
        let suffix = old[prefix..].iter().rev().zip(text[prefix..].iter().rev()).take_while(same).count();
        let (from, to) = (span.start as usize + prefix, span.end as usize - suffix);
        let start = from - self.bytes[..from].iter().rev().take_while(|byte| is_plain(byte)).count();
        let end = to + self.bytes[to..].iter().take_while(|byte| is_plain(byte)).count();
        let word = [&self.bytes[start..from], &text[prefix..text.len() - suffix], &self.bytes[to..end]].concat();
        let is_truth = TRUTHS.contains(&&*word.to_ascii_lowercase());
        let is_octal = word.len() > 1 && word.starts_with(b"0");
        let fits = word.first().is_some_and(u8::is_ascii_alphanumeric) && word.iter().all(is_plain);
        let whole = Span::new(start as u32, end as u32);
        let at = self.map.exact(whole).filter(|_| fits && !is_truth && !is_octal && start < end)?;
        Some((at, word))
    }

    /// Whole lines move with their indentation; within a line only what comes anew needs one.
    fn in_lines(&self, (span, text): &Edited, indentation: &[u8], start: u32) -> Edited {
        let starts_line = |at: u32| at == 0 || self.bytes.get(at as usize - 1) == Some(&b'\n');
        let whole = starts_line(span.start) && starts_line(span.end) && (text.is_empty() || text.ends_with(b"\n"));
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        if whole {
            let line_start = |at: u32| if at == 0 { start } else { self.map.end(at) };
            let indented = lines.flat_map(|line| {
                let indentation: &[u8] = if line == b"\n" { b"" } else { indentation };
                [indentation, line].concat()
            });
            return (Span::new(line_start(span.start), line_start(span.end)), indented.collect());
        }
        let mut indented = Vec::new();
        for (index, line) in lines.enumerate() {
            if index > 0 {
                indented.extend_from_slice(indentation);
            }
            indented.extend_from_slice(line);
        }
        if text.ends_with(b"\n") {
            indented.extend_from_slice(indentation);
        }
        // A newline that goes takes the next line's indentation along.
        (self.map.outer(*span), indented)
    }

    fn in_arguments(
        &self,
        edit: &Edited,
        places: &[ArgumentPlace],
        insertion: Option<&Insertion>,
    ) -> Option<Vec<Edited>> {
        let (span, text) = edit;
        let is_in_line = !text.contains(&b'\n');
        let text = plain(text)?;
        let place = places.iter().find(|place| place.line.start <= span.start && span.end <= place.line.end);
        match place {
            Some(place) if *span == place.line && text.is_empty() => Some(vec![(place.removal?, Vec::new())]),
            Some(place) if *span == place.named => {
                let word = place.text?.become_text(text)?;
                Some([word].into_iter().chain(place.next.map(|next| (next, Vec::new()))).collect())
            }
            Some(place) if !span.is_empty() && span.end < place.line.end => Some(vec![(self.map.exact(*span)?, text)]),
            // A value where there was none.
            Some(place) if is_in_line && place.named.start < span.start && span.end <= place.named.end => {
                let before = self.map.exact(Span::new(span.start - 1, span.start))?;
                Some(vec![(Span::new(before.end, before.end), text)])
            }
            _ if span.is_empty() && !text.is_empty() => {
                let insertion = insertion?;
                let at = Span::new(insertion.at, insertion.at);
                Some(vec![(at, [&*insertion.before, &*text, &*insertion.after].concat())])
            }
            _ => None,
        }
    }
}

/// One option without blanks and newline, if no shell, list or quote could take a byte of it for something else.
fn plain(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let (name, value) = match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (text[..at].trim_ascii_end(), Some(text[at + 1..].trim_ascii_start())),
        None => (text, None),
    };
    let text = match value {
        Some(value) => [name, b"=", value].concat(),
        None => name.to_vec(),
    };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:=,@%+".contains(byte);
    text.iter().all(is_plain).then_some(text)
}
