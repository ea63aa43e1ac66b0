//! A script taken apart as a shell does it: words, operators and redirections, without here-documents and comments.

use super::shell_words::{self, Text};
use crate::source::Span;

/// A piece of a script.
#[derive(Clone, Debug)]
pub enum Token {
    /// A word, quotes and escapes taken off.
    Word(Word),
    /// What ends a command, or a bracket. A newline is a `;`.
    Operator(&'static str),
    /// `> file`, `>> file`, where it is the standard output that goes there.
    Output {
        /// Whether what was there stays.
        appends: bool,
        /// The file.
        file: Word,
    },
}

/// A word.
#[derive(Clone, Debug)]
pub struct Word {
    /// What it says, with markup for what only the shell knows.
    pub text: Text,
    /// How it stands there.
    pub span: Span,
    /// Whether a quote or an escape keeps it from being a keyword.
    pub is_quoted: bool,
}

impl Word {
    /// Whether the word is this one, unquoted.
    pub fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.bytes == word.as_bytes()
    }
}

/// The longest come first.
const OPERATORS: [&str; 9] = [";;", "&&", "||", "|&", ";", "&", "|", "(", ")"];

/// The pieces of a script, as far as it can be read.
pub fn tokens(script: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer { script, at: 0, tokens: Vec::new(), documents: Vec::new() };
    while lexer.at < script.len() && lexer.step().is_some() {}
    lexer.tokens
}

struct Lexer<'s> {
    script: &'s [u8],
    at: usize,
    tokens: Vec<Token>,
    /// The here-documents whose bodies follow the line: their last lines, and whether tabs go.
    documents: Vec<(Vec<u8>, bool)>,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        self.script.get(self.at..).unwrap_or_default()
    }

    /// One piece; `None` where nobody closes a quote.
    fn step(&mut self) -> Option<()> {
        match self.rest() {
            [b'\n', ..] => {
                self.at += 1;
                self.tokens.push(Token::Operator(";"));
                self.skip_documents();
            }
            [b'\\', b'\n', ..] => self.at += 2,
            [b'\\', b'\r', b'\n', ..] => self.at += 3,
            [blank, ..] if blank.is_ascii_whitespace() => self.at += 1,
            [b'#', ..] => self.at += self.rest().iter().position(|byte| *byte == b'\n').unwrap_or(self.rest().len()),
            [b'&', b'>', ..] => {
                self.at += 1;
                self.redirection(true)?;
            }
            [b'<' | b'>', ..] => self.redirection(true)?,
            rest => {
                if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(operator.as_bytes())) {
                    self.at += operator.len();
                    self.tokens.push(Token::Operator(operator));
                    return Some(());
                }
                let word = self.word()?;
                let is_number = !word.is_quoted && word.text.bytes.iter().all(u8::is_ascii_digit);
                if is_number && matches!(self.rest(), [b'<' | b'>', ..]) {
                    return self.redirection(word.text.bytes == b"1");
                }
                self.tokens.push(Token::Word(word));
            }
        }
        Some(())
    }

    /// What follows `<` or `>`.
    fn redirection(&mut self, is_output: bool) -> Option<()> {
        let (length, appends, is_document) = match self.rest() {
            [b'<', b'<', b'<', ..] => (3, false, false),
            [b'<', b'<', ..] => (2, false, true),
            [b'>', b'>', ..] => (2, true, false),
            [b'>', b'|', ..] => (2, false, false),
            _ => (1, false, false),
        };
        let is_output = is_output && self.rest().starts_with(b">");
        self.at += length;
        // `>&2` and `<(command)` name no file.
        if matches!(self.rest(), [b'&', ..]) {
            self.at += 1;
            return self.word().map(drop);
        }
        let strips_tabs = is_document && self.rest().starts_with(b"-");
        self.at += usize::from(strips_tabs);
        self.at += self.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if matches!(self.rest(), [] | [b'(' | b'\n', ..]) {
            return Some(());
        }
        let file = self.word()?;
        if is_document {
            self.documents.push((file.text.bytes, strips_tabs));
        } else if is_output {
            self.tokens.push(Token::Output { appends, file });
        }
        Some(())
    }

    fn skip_documents(&mut self) {
        for (last, strips_tabs) in std::mem::take(&mut self.documents) {
            while !self.rest().is_empty() {
                let line = self.rest().split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
                let tabs = if strips_tabs { line.iter().take_while(|byte| **byte == b'\t').count() } else { 0 };
                let is_last = line[tabs..].trim_ascii_end() == last;
                self.at += line.len();
                if is_last {
                    break;
                }
            }
        }
    }

    fn word(&mut self) -> Option<Word> {
        let start = self.at;
        let (mut text, mut is_quoted) = (Text::default(), false);
        loop {
            match self.rest() {
                [] => break,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', _, ..] => {
                    is_quoted = true;
                    text.copy(self.script, self.at + 1, 1);
                    self.at += 2;
                }
                [b'\'', ..] => {
                    is_quoted = true;
                    let length = self.rest()[1..].iter().position(|byte| *byte == b'\'')?;
                    text.copy(self.script, self.at + 1, length);
                    self.at += length + 2;
                }
                [b'$', b'\'', rest @ ..] => {
                    is_quoted = true;
                    let length = shell_words::quote_end(rest, b'\'')?;
                    let mut inner = Text::default();
                    inner.copy(self.script, self.at + 2, length);
                    text.append(&inner.unescaped());
                    self.at += length + 3;
                }
                [b'"', ..] => {
                    is_quoted = true;
                    self.at += 1;
                    self.quoted(&mut text)?;
                }
                [b'$' | b'`', ..] => self.expansion(&mut text),
                [byte, ..] if byte.is_ascii_whitespace() || b";&|()<>".contains(byte) => break,
                _ => {
                    text.copy(self.script, self.at, 1);
                    self.at += 1;
                }
            }
        }
        Some(Word { text, span: Span::new(start as u32, self.at as u32), is_quoted })
    }

    /// What stands between double quotes, up to and with the closing one.
    fn quoted(&mut self, text: &mut Text) -> Option<()> {
        loop {
            match self.rest() {
                [] => return None,
                [b'"', ..] => {
                    self.at += 1;
                    return Some(());
                }
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', b'"' | b'$' | b'`' | b'\\', ..] => {
                    text.replace(&self.script[self.at + 1..self.at + 2], self.at, 2);
                    self.at += 2;
                }
                [b'$' | b'`', ..] => self.expansion(text),
                _ => {
                    text.copy(self.script, self.at, 1);
                    self.at += 1;
                }
            }
        }
    }

    fn expansion(&mut self, text: &mut Text) {
        match shell_words::expansion(self.rest()) {
            Some(length) => {
                text.replace(shell_words::markup(length), self.at, length);
                self.at += length;
            }
            None => {
                text.copy(self.script, self.at, 1);
                self.at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(script: &str) -> String {
        let said = |token: &Token| match token {
            Token::Word(word) => format!("[{}]", String::from_utf8_lossy(&word.text.bytes)),
            Token::Operator(operator) => (*operator).to_owned(),
            Token::Output { appends, file } => {
                format!("{}{}", if *appends { ">>" } else { ">" }, String::from_utf8_lossy(&file.text.bytes))
            }
        };
        tokens(script.as_bytes()).iter().map(said).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn scripts_are_taken_apart() {
        assert_eq!(said("a 'b c' \"d \\\"e\\\"\" f\\ g # h\n"), "[a] [b c] [d \"e\"] [f g] ;");
        assert_eq!(said("x=$(a \"$(b)\" ')') $Y ${z:-\"}\"}"), "[x=${x}] [${x}] [${x}]");
        assert_eq!(said("a>b 2>c >>d >&2 &>e && f|g"), "[a] >b >>d >e && [f] | [g]");
        assert_eq!(said("cat <<-'X' > f\n\ta > b\n\tX\nc <<<d"), "[cat] >f ; [c]");
        assert_eq!(said("a $'b\\nc' \\\n d"), "[a] [b\nc] [d]");
        assert_eq!(said("a 'b"), "[a]");
    }
}
