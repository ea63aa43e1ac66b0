//! Files of cnflint's own, such as `cnflint.toml`, that are shown because of a mistake: what was copied into them from an option file
//! may be a secret.

use super::secrets::MASK;
use crate::catalog;
use std::ops::Range;

/// The text of a file that is no option file and may still hold what was copied from one, with the values of secrets replaced
/// to the ends of their lines; and the range as it lies then.
pub fn masked_lines(text: &str, range: Range<usize>) -> (String, Range<usize>) {
    let mut masked = String::with_capacity(text.len());
    let (mut start, mut end) = (range.start, range.end);
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        let at = secret_value(content).filter(|at| *at < content.len());
        let hidden = at.map(|at| line_start + at..line_start + content.len());
        let shown = masked.len();
        match &hidden {
            Some(hidden) => {
                masked.push_str(&text[line_start..hidden.start]);
                masked.push_str(MASK);
                masked.push_str(&line[content.len()..]);
                let new_end = shown + (hidden.start - line_start) + MASK.len();
                let moved = |place: usize| match place {
                    place if place <= hidden.start => shown + (place - line_start),
                    place if place <= hidden.end => new_end,
                    place => new_end + (place - hidden.end),
                };
                let inside = line_start..line_start + line.len();
                start = if inside.contains(&range.start) { moved(range.start.min(hidden.start)) } else { start };
                end = if inside.contains(&range.end) || range.end == inside.end { moved(range.end) } else { end };
            }
            None => {
                masked.push_str(line);
                let inside = line_start..line_start + line.len();
                start = if inside.contains(&range.start) { shown + (range.start - line_start) } else { start };
                end = if inside.contains(&range.end) || range.end == inside.end {
                    shown + (range.end - line_start)
                } else {
                    end
                };
            }
        }
        line_start += line.len();
    }
    let at_end = |place: usize, moved: usize| if place >= text.len() { masked.len() } else { moved };
    let end = at_end(range.end, end).min(masked.len());
    let start = at_end(range.start, start).min(end);
    (masked, start..end)
}

/// Where the value of a secret begins in a line such as `password = "x"` or `{ password = "x" }`.
fn secret_value(line: &str) -> Option<usize> {
    line.match_indices('=').find_map(|(at, _)| {
        let before = line[..at].trim_end().trim_end_matches(['"', '\'']);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name = &before[before
            .rfind(|c| !is_name(c))
            .map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8))..];
        let value = at + 1 + (line[at + 1..].len() - line[at + 1..].trim_start().len());
        (!name.is_empty() && catalog::is_secret(name.trim_start_matches('-'))).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_from_an_option_file_is_hidden_where_a_mistake_is_shown() {
        let hidden = |text: &str, meant: &str| {
            let at = text.find(meant).unwrap();
            let (masked, range) = masked_lines(text, at..at + meant.len());
            (masked.clone(), masked[range].to_owned())
        };
        let text = "a = 1\npassword = \"hunter2\"\r\nb = 2\n";
        assert_eq!(hidden(text, "b"), ("a = 1\npassword = ***\r\nb = 2\n".to_owned(), "b".to_owned()));
        assert_eq!(hidden(text, "\"hunter2\"").1, "***");
        assert_eq!(hidden(text, "password").1, "password");
        let inline = "x = { host = 1, \"sst_auth\" = 'u:p' }\n[b]";
        assert_eq!(hidden(inline, "[b]"), ("x = { host = 1, \"sst_auth\" = ***\n[b]".to_owned(), "[b]".to_owned()));
        assert_eq!(hidden("fine = 1", "1").0, "fine = 1");
    }

    proptest::proptest! {
        #[test]
        fn a_hidden_line_keeps_its_range_within_the_text(
            text in "((password|a|é)( ?[=:] ?)?[a\"é\n]{0,4}\r?\n?){0,6}", from in 0usize..60, length in 0usize..60
        ) {
            let (from, to) = (from.min(text.len()), (from + length).min(text.len()));
            if text.is_char_boundary(from) && text.is_char_boundary(to) {
                let (masked, range) = masked_lines(&text, from..to);
                proptest::prop_assert!(masked.get(range.clone()).is_some(), "{text:?} {from}..{to}: {masked:?} {range:?}");
            }
        }
    }
}
