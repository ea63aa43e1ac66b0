//! What a shell, an orchestrator or a unit puts in place of `$NAME`, written as markup that cnflint's option files know.

use crate::source::{ByteMap, Span};

/// The value as markup, where a variable without braces is put in; `None` where there is none.
pub fn unknown(value: &[u8]) -> Option<&'static [u8]> {
    let at = value.iter().position(|byte| *byte == b'$')?;
    let puts_in = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'(');
    value.get(at + 1).is_some_and(puts_in).then(|| markup(value.len()))
}

/// Markup in place of so many bytes, of another length than these: what is as long counts as the same bytes.
pub const fn markup(length: usize) -> &'static [u8] {
    if length == 4 { b"${xx}" } else { b"${x}" }
}

/// A text with the places of its bytes.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// What it says.
    pub bytes: Vec<u8>,
    /// Where that stands.
    pub map: ByteMap,
}

impl Text {
    /// Adds bytes as they stand.
    pub fn copy(&mut self, from: &[u8], at: usize, length: usize) {
        self.replace(from.get(at..at + length).unwrap_or_default(), at, length);
    }

    /// Adds what so many bytes mean.
    pub fn replace(&mut self, new: &[u8], at: usize, length: usize) {
        self.bytes.extend_from_slice(new);
        self.map.push(new.len() as u32, Span::new(at as u32, (at + length) as u32));
    }

    /// Adds another text.
    pub fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.map.append(&other.map, Span::new(0, other.bytes.len() as u32));
    }

    /// The text with `\n` and its like replaced by what they stand for.
    pub fn unescaped(&self) -> Self {
        let mut text = Self::default();
        let mut at = 0;
        while at < self.bytes.len() {
            let (length, new) = escape(&self.bytes[at..]);
            let span = Span::new(at as u32, (at + length) as u32);
            match new {
                Some(new) => {
                    text.bytes.push(new);
                    text.map.push(1, self.map.outer(span));
                }
                None => {
                    text.bytes.extend_from_slice(span.of(&self.bytes));
                    text.map.append(&self.map, span);
                }
            }
            at += length;
        }
        text
    }
}

/// The length of an escape and the byte that it stands for; what is none stands for itself.
fn escape(text: &[u8]) -> (usize, Option<u8>) {
    let [b'\\', letter, digits @ ..] = text else { return (1, None) };
    let byte = match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'\\' | b'"' | b'\'' => *letter,
        b'0'..=b'7' => {
            let octal = text[1..].iter().take(4).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let value = text[1..=octal].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            return (octal + 1, Some(value as u8));
        }
        b'x' => {
            let hex: Vec<_> = digits.iter().take(2).map_while(|byte| char::from(*byte).to_digit(16)).collect();
            let value = hex.iter().fold(0, |value, digit| value * 16 + digit);
            return if hex.is_empty() { (2, None) } else { (hex.len() + 2, Some(value as u8)) };
        }
        _ => return (2, None),
    };
    (2, Some(byte))
}

/// The length of what begins with `$` or a backquote and is replaced by the shell; `None` for a `$` that is one.
pub fn expansion(text: &[u8]) -> Option<usize> {
    match text {
        [b'$', b'(', ..] => Some(bracket_end(text, b'(', b')')),
        [b'$', b'{', ..] => Some(bracket_end(text, b'{', b'}')),
        [b'$', first, ..] if first.is_ascii_alphabetic() || *first == b'_' => {
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            Some(1 + text[1..].iter().take_while(is_name).count())
        }
        [b'$', first, ..] if first.is_ascii_digit() || b"@*#?$!-".contains(first) => Some(2),
        [b'`', rest @ ..] => Some(quote_end(rest, b'`').map_or(text.len(), |end| end + 2)),
        _ => None,
    }
}

/// How many bytes stand before the closing quote, escaped ones passed over.
pub fn quote_end(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length up to the bracket that closes the first one; quoted ones do not count.
fn bracket_end(text: &[u8], open: u8, close: u8) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            // `${x:-it's}` holds no quoted text.
            b'\'' if open == b'(' => {
                at += text[at + 1..].iter().position(|byte| *byte == b'\'').map_or(0, |end| end + 1)
            }
            b'"' => at += quote_end(&text[at + 1..], b'"').map_or(0, |end| end + 1),
            byte if byte == open => depth += 1,
            byte if byte == close && depth <= 1 => return at + 1,
            byte if byte == close => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Text as a shell puts it down, with its places: escapes replaced, and markup for what only the shell knows.
pub fn expanded(text: &[u8], start: u32, bytes: &mut Vec<u8>, map: &mut ByteMap) {
    let mut at = 0;
    let mut plain = 0;
    let mut put = |at: usize, length: usize, new: &[u8], plain: &mut usize| {
        let place = |from: usize, to: usize| Span::new(start + from as u32, start + to as u32);
        bytes.extend_from_slice(&text[*plain..at]);
        map.push((at - *plain) as u32, place(*plain, at));
        bytes.extend_from_slice(new);
        map.push(new.len() as u32, place(at, at + length));
        *plain = at + length;
    };
    while at < text.len() {
        let rest = &text[at..];
        let unknown = |length| (length, markup(length));
        let (length, new): (usize, &[u8]) = match rest {
            [b'\\', escaped @ (b'$' | b'`' | b'\\'), ..] => (2, std::slice::from_ref(escaped)),
            [b'\\', b'\n', ..] => (2, b""),
            [b'$', b'{', ..] => {
                at += rest.iter().position(|byte| *byte == b'}').unwrap_or(1) + 1;
                continue;
            }
            [b'$', b'(', ..] => unknown(closing(rest)),
            [b'$', first, ..] if first.is_ascii_alphanumeric() || *first == b'_' => {
                let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                unknown(1 + rest[1..].iter().take_while(is_name).count())
            }
            [b'`', ..] => unknown(rest[1..].iter().position(|byte| *byte == b'`').map_or(1, |end| end + 2)),
            _ => {
                at += 1;
                continue;
            }
        };
        put(at, length, new, &mut plain);
        at += length;
    }
    put(text.len(), 0, b"", &mut plain);
}

/// The length of `$( … )`, brackets within brackets counted; the line where nobody closes it.
fn closing(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            b'\n' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_shell_puts_in_becomes_markup() {
        let (mut bytes, mut map) = (Vec::new(), ByteMap::default());
        expanded(b"a=$X/b \\$y $(id -u $(x)) `z` ${k}\n", 10, &mut bytes, &mut map);
        assert_eq!(String::from_utf8(bytes.clone()).unwrap(), "a=${x}/b $y ${x} ${x} ${k}\n");
        assert_eq!(map.outer(Span::new(2, 6)), Span::new(12, 14));
        let end = bytes.len() as u32;
        assert_eq!(map.exact(Span::new(end - 5, end)), Some(Span::new(39, 44)));
    }
}
