//! Text from option files made fit to print.

use std::borrow::Cow;

/// The text with every control character replaced: an option file must not steer the reader's terminal.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unfit) {
        Cow::Owned(text.chars().map(|c| if is_unfit(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The text on one line: line breaks and runs of white space become one space.
pub fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    clean(&words.join(" ")).into_owned()
}

/// Control characters, and those that reorder what stands around them.
fn is_unfit(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `1 warning`, `2 warnings`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_cannot_be_steered() {
        assert_eq!(clean("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(clean("x\u{202e}y"), "x\u{fffd}y");
        assert_eq!(one_line("a\n  b\tc"), "a b c");
        assert!(matches!(clean("größer"), Cow::Borrowed(_)));
    }
}
