//! The file named by `init_file`: statements that the server runs at every start. Only what no option can say is looked for.

use crate::source::Span;

/// Finds the statement with which an init file leaves the redo log switched off (MySQL 8.0.21 and later): the last
/// `ALTER INSTANCE DISABLE INNODB REDO_LOG` that no `ENABLE` follows.
///
/// Since 8.0.18 statements may span lines and hold comments, and `delimiter` may change what ends them:
/// <https://dev.mysql.com/doc/refman/8.0/en/server-system-variables.html#sysvar_init_file>. MySQL 9.7.4 ran it spread over lines
/// with comments, inside `/*!80021 … */`, after `delimiter $$`, and as a last statement without a delimiter.
pub fn disables_redo_log(bytes: &[u8]) -> Option<Span> {
    let mut found = None;
    for statement in (Statements { bytes, at: 0, delimiter: b";" }) {
        let is = |words: &[&str]| {
            statement.words.len() == words.len()
                && statement.words.iter().zip(words).all(|(word, wanted)| word.eq_ignore_ascii_case(wanted.as_bytes()))
        };
        if is(&["alter", "instance", "disable", "innodb", "redo_log"]) {
            found = Some(statement.span);
        } else if is(&["alter", "instance", "enable", "innodb", "redo_log"]) {
            found = None;
        }
    }
    found
}

/// A statement: from its first word to its last, and the words outside comments.
struct Statement<'a> {
    span: Span,
    words: Vec<&'a [u8]>,
}

struct Statements<'a> {
    bytes: &'a [u8],
    at: usize,
    delimiter: &'a [u8],
}

/// More words than the statements looked for need not be kept.
const KEPT_WORDS: usize = 6;

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        let mut words = Vec::new();
        let mut span: Option<Span> = None;
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(self.delimiter) {
                self.at += self.delimiter.len();
                if !words.is_empty() {
                    break;
                }
            } else if let Some(length) = blank_or_comment(rest) {
                self.at += length;
            } else {
                let length = token(rest, self.delimiter);
                let word = &rest[..length];
                let at = Span::new(self.at as u32, (self.at + length) as u32);
                self.at += length;
                if words.is_empty() && word.eq_ignore_ascii_case(b"delimiter") {
                    self.set_delimiter();
                    continue;
                }
                span = Some(span.map_or(at, |span| span.to(at)));
                if words.len() < KEPT_WORDS {
                    words.push(word);
                }
            }
        }
        span.map(|span| Statement { span, words })
    }
}

impl Statements<'_> {
    /// Takes the rest of the line as what ends a statement from here on.
    fn set_delimiter(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += end;
        let delimiter = rest[..end].trim_ascii();
        if !delimiter.is_empty() {
            self.delimiter = delimiter;
        }
    }
}

/// The length of the blanks or the comment at the beginning; `/*!80021` and its end are blanks, since what is inside is run.
fn blank_or_comment(rest: &[u8]) -> Option<usize> {
    let line = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    match rest {
        [byte, ..] if byte.is_ascii_whitespace() => Some(1),
        [b'#', ..] => Some(line()),
        [b'-', b'-'] => Some(2),
        [b'-', b'-', byte, ..] if byte.is_ascii_whitespace() => Some(line()),
        [b'/', b'*', b'!', digits @ ..] => Some(3 + digits.iter().take_while(|byte| byte.is_ascii_digit()).count()),
        [b'/', b'*', inside @ ..] => {
            Some(inside.windows(2).position(|end| end == b"*/").map_or(rest.len(), |end| end + 4))
        }
        [b'*', b'/', ..] => Some(2),
        _ => None,
    }
}

/// The length of the word, quoted text or single character at the beginning, which is no blank and no delimiter.
fn token(rest: &[u8], delimiter: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    match rest {
        [quote @ (b'\'' | b'"' | b'`'), text @ ..] => {
            let mut escaped = false;
            let end = text.iter().position(|byte| {
                let ends = byte == quote && !escaped;
                escaped = *byte == b'\\' && !escaped && *quote != b'`';
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        }
        [first, ..] if is_word(first) => {
            let end = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
            // A delimiter of letters may end a word.
            rest[1..end].windows(delimiter.len()).position(|part| part == delimiter).map_or(end, |at| at + 1)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Option<&str> {
        disables_redo_log(text.as_bytes()).map(|span| &text[span.start as usize..span.end as usize])
    }

    #[test]
    fn finds_the_statement_however_it_is_written() {
        let plain = "ALTER INSTANCE DISABLE INNODB REDO_LOG";
        assert_eq!(found(&format!("SET GLOBAL x = 1;\n{plain};\n")), Some(plain));
        assert_eq!(found(plain), Some(plain));
        let spread = "alter /* for the import */ instance\n  disable -- really\n innodb redo_log";
        assert_eq!(found(&format!("# start\n{spread} ;")), Some(spread));
        assert_eq!(found(&format!("/*!80021 {plain} */;")), Some(plain));
        assert_eq!(found(&format!("delimiter $$\n{plain}$$\nselect 1;$$")), Some(plain));
    }

    #[test]
    fn keeps_quiet_where_nothing_is_switched_off() {
        assert_eq!(found("-- ALTER INSTANCE DISABLE INNODB REDO_LOG;\nselect 1;"), None);
        assert_eq!(found("/* ALTER INSTANCE DISABLE INNODB REDO_LOG; */"), None);
        assert_eq!(found("select 'x; ALTER INSTANCE DISABLE INNODB REDO_LOG; ';"), None);
        assert_eq!(found("ALTER INSTANCE DISABLE INNODB REDO_LOG;\nALTER INSTANCE ENABLE INNODB REDO_LOG;"), None);
        assert_eq!(found("ALTER INSTANCE DISABLE INNODB REDO_LOG FOREVER;"), None);
        assert_eq!(found(""), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(text in "(\\PC|['\"`\\\\;#/*!-]|delimiter \\PC{0,3}\n|ALTER INSTANCE DISABLE INNODB REDO_LOG){0,12}", bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = (disables_redo_log(text.as_bytes()), disables_redo_log(&bytes));
        }
    }
}
