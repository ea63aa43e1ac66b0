//! What a shell's `echo` and `printf` print.

use super::shell_lexer::Word;
use super::shell_words::{self, Text};
use crate::source::Span;

/// What `echo` makes of `\n` without being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// A new line, as the `sh` of Debian does.
    Unescapes,
    /// Two characters, as Bash does.
    Keeps,
}

/// What `echo` prints.
pub fn echoed(words: &[Word], echo: Echo) -> Text {
    let (mut unescapes, mut ends_line) = (echo == Echo::Unescapes, true);
    let is_option = |word: &&Word| {
        let option = word.text.bytes.strip_prefix(b"-").unwrap_or_default();
        !option.is_empty() && option.iter().all(|byte| b"neE".contains(byte))
    };
    let options = words.iter().take_while(is_option).count();
    for option in words[..options].iter().flat_map(|word| &word.text.bytes) {
        match option {
            b'n' => ends_line = false,
            b'e' => unescapes = true,
            b'E' => unescapes = false,
            _ => {}
        }
    }
    let mut text = Text::default();
    let words = &words[options..];
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            text.replace(b" ", words[index - 1].span.end as usize, 0);
        }
        text.append(&word.text);
    }
    let mut text = if unescapes { text.unescaped() } else { text };
    if ends_line {
        text.replace(b"\n", words.last().map_or(0, |word| word.span.end as usize), 0);
    }
    text
}

/// What `printf` prints; `None` where a variable takes the result.
pub fn printed(words: &[Word]) -> Option<Text> {
    let words = if words.first()?.is("--") { &words[1..] } else { words };
    let (format, mut arguments) = words.split_first()?;
    if format.text.bytes == b"-v" {
        return None;
    }
    let format = format.text.unescaped();
    let mut text = Text::default();
    loop {
        let mut takes_arguments = false;
        let mut at = 0;
        while at < format.bytes.len() {
            let rest = &format.bytes[at..];
            let length = if rest[0] == b'%' { conversion(rest) } else { 1 };
            let span = Span::new(at as u32, (at + length) as u32);
            at += length;
            match (rest[0], rest.get(length - 1)) {
                (b'%', Some(b'%')) => {
                    let outer = format.map.outer(span);
                    text.replace(b"%", outer.start as usize, outer.len() as usize);
                }
                (b'%', Some(kind)) => {
                    takes_arguments = true;
                    let Some((argument, rest)) = arguments.split_first() else { continue };
                    arguments = rest;
                    match kind {
                        b's' | b'd' | b'i' | b'u' if length == 2 => text.append(&argument.text),
                        b'b' if length == 2 => text.append(&argument.text.unescaped()),
                        _ => {
                            let length = argument.span.len() as usize;
                            text.replace(shell_words::markup(length), argument.span.start as usize, length);
                        }
                    }
                }
                _ => {
                    text.bytes.push(rest[0]);
                    text.map.append(&format.map, span);
                }
            }
        }
        if arguments.is_empty() || !takes_arguments {
            return Some(text);
        }
    }
}

/// The length of `%5.2f` and its like.
fn conversion(text: &[u8]) -> usize {
    let flags = text[1..].iter().take_while(|byte| !byte.is_ascii_alphabetic() && **byte != b'%').count();
    (flags + 2).min(text.len())
}
