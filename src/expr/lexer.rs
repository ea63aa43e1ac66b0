//! Text to tokens.

use super::error::{ExprError, ExprErrorKind};
use crate::value::Unit;
use std::ops::Range;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'s> {
    /// `128`, `8G`.
    Integer(i128, Unit),
    /// `1.2`, `75%`.
    Real(f64, Unit),
    /// `'import'`, without its quotes.
    Quoted(&'s str),
    /// A name, a bare word, a function, or a word of the language.
    Identifier(&'s str),
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// How an error message calls it.
    pub(super) fn shown(&self, text: &str, span: &Range<usize>) -> String {
        match self {
            Self::End => "the end".to_owned(),
            _ => format!("`{}`", text.get(span.clone()).unwrap_or_default()),
        }
    }
}

/// Longer symbols first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 15] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ","];

/// What people write by habit, and what the language says instead.
const HABITS: [(&str, &str); 8] = [
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("=", "write `==` to compare"),
    ("!", "write `not`"),
    ("\"", "quote words with single quotes"),
    ("`", "names and words stand bare"),
    ("@", "name a setting without `@@`"),
    ("%", "a percentage stands right behind its number: `75%`"),
];

/// Reads the next token at or after byte `at`; gives it with its bytes.
pub(super) fn next(text: &str, at: usize) -> Result<(Token<'_>, Range<usize>), ExprError> {
    let rest = text.get(at..).unwrap_or_default();
    let trimmed = rest.trim_start();
    let start = at + rest.len() - trimmed.len();
    let Some(first) = trimmed.chars().next() else { return Ok((Token::End, text.len()..text.len())) };
    if first.is_ascii_digit() {
        return number(trimmed, start);
    }
    if is_word(first) {
        let length = identifier_length(trimmed);
        return Ok((Token::Identifier(&trimmed[..length]), start..start + length));
    }
    if first == '\'' {
        let inside = &trimmed[1..];
        return match inside.find('\'') {
            Some(length) => Ok((Token::Quoted(&inside[..length]), start..start + length + 2)),
            None => Err(ExprError::new(start..text.len(), ExprErrorKind::OpenQuote)),
        };
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| trimmed.starts_with(symbol)) {
        return Ok((Token::Symbol(symbol), start..start + symbol.len()));
    }
    let error = ExprError::new(start..start + first.len_utf8(), ExprErrorKind::Character(first));
    Err(match HABITS.iter().find(|(habit, _)| trimmed.starts_with(habit)) {
        Some((_, help)) => error.with_help(*help),
        None => error,
    })
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The length of a name; a dot belongs to it when a name goes on behind it.
fn identifier_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        length += text[length..].find(|c| !is_word(c)).unwrap_or(text.len() - length);
        match text[length..].strip_prefix('.') {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => length += 1,
            _ => return length,
        }
    }
}

fn number(text: &str, start: usize) -> Result<(Token<'_>, Range<usize>), ExprError> {
    let digits = |from: usize| text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| from + at);
    let whole_end = digits(0);
    let has_fraction =
        text[whole_end..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let number_end = if has_fraction { digits(whole_end + 1) } else { whole_end };
    let suffix_end =
        text[number_end..].find(|c: char| !is_word(c) && c != '%').map_or(text.len(), |at| number_end + at);
    let fault = || {
        let error = ExprError::new(start..start + suffix_end, ExprErrorKind::Number(text[..suffix_end].to_owned()));
        error.with_help("a number may end in K, M, G, T, P or E (powers of 1024) or in %")
    };
    let span = start..start + suffix_end;
    let scale = match &text[number_end..suffix_end] {
        "" => None,
        "%" => {
            let percent: f64 = text[..number_end].parse().map_err(|_| fault())?;
            return Ok((Token::Real(percent / 100.0, Unit::Share), span));
        }
        suffix => Some(
            1i128 << (10 * (1 + ["K", "M", "G", "T", "P", "E"].iter().position(|s| *s == suffix).ok_or_else(fault)?)),
        ),
    };
    let unit = if scale.is_some() { Unit::Bytes } else { Unit::Count };
    let scale = scale.unwrap_or(1);
    if has_fraction {
        let real = text[..number_end].parse::<f64>().map_err(|_| fault())? * scale as f64;
        // 1.5G is a whole number of bytes.
        let token = match real {
            whole if unit == Unit::Bytes && whole.fract() == 0.0 && whole < 1e30 => Token::Integer(whole as i128, unit),
            real => Token::Real(real, unit),
        };
        return Ok((token, span));
    }
    let integer =
        text[..number_end].parse::<i128>().ok().and_then(|number| number.checked_mul(scale)).ok_or_else(fault)?;
    Ok((Token::Integer(integer, unit), span))
}
