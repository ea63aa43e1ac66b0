//! What a shell, an orchestrator or a unit puts in place of `$NAME`, written as markup that cnflint's option files know.

use crate::source::{ByteMap, Span};

/// The value as markup, where a variable without braces is put in; `None` where there is none.
pub fn unknown(value: &[u8]) -> Option<Vec<u8>> {
    let at = value.iter().position(|byte| *byte == b'$')?;
    let puts_in = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'(');
    value.get(at + 1).is_some_and(puts_in).then(|| b"${x}".to_vec())
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
        let (length, new): (usize, &[u8]) = match rest {
            [b'\\', escaped @ (b'$' | b'`' | b'\\'), ..] => (2, std::slice::from_ref(escaped)),
            [b'\\', b'\n', ..] => (2, b""),
            [b'$', b'{', ..] => {
                at += rest.iter().position(|byte| *byte == b'}').unwrap_or(1) + 1;
                continue;
            }
            [b'$', b'(', ..] => (closing(rest), b"${x}"),
            [b'$', first, ..] if first.is_ascii_alphanumeric() || *first == b'_' => (
                1 + rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count(),
                b"${x}",
            ),
            [b'`', ..] => (rest[1..].iter().position(|byte| *byte == b'`').map_or(1, |end| end + 2), b"${x}"),
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
