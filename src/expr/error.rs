//! What can be wrong with an expression, with the bytes it is about.

use super::Type;
use std::ops::Range;

/// One fault of an expression or message.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ExprError {
    /// The bytes of the expression's text that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub kind: ExprErrorKind,
    /// What was probably meant, or what to write instead.
    pub help: Option<String>,
}

impl ExprError {
    pub(super) fn new(span: Range<usize>, kind: ExprErrorKind) -> Self {
        Self { span, kind, help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same fault of a text in which the expression begins at `offset`.
    pub(super) fn shifted(self, offset: usize) -> Self {
        Self { span: self.span.start + offset..self.span.end + offset, ..self }
    }

    /// "did you mean …" for the candidate nearest to `word`, if one is near.
    pub(super) fn suggesting<'a>(self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(word, candidates) {
            Some(candidate) => self.with_help(format!("did you mean `{candidate}`?")),
            None => self,
        }
    }
}

/// The candidate that looks most like `word`, if any looks enough like it.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    let scored = candidates.into_iter().map(|name| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}

/// The kinds of fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExprErrorKind {
    /// A character that the language has no use for.
    #[error("`{0}` means nothing here")]
    Character(char),
    /// A quoted word without its closing quote.
    #[error("the quote is not closed")]
    OpenQuote,
    /// Digits that make no number.
    #[error("`{0}` is no number")]
    Number(String),
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What would be right.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// `a < b < c`.
    #[error("comparisons do not chain")]
    Chained,
    /// More parentheses or operators than any rule needs.
    #[error("this expression is too long or nested too deeply")]
    TooDeep,
    /// A name that neither catalog, facts nor models know.
    #[error("unknown name `{0}`")]
    UnknownName(String),
    /// A function that does not exist.
    #[error("unknown function `{0}`")]
    UnknownFunction(String),
    /// A wrong number of arguments.
    #[error("`{function}` takes {takes}")]
    Arguments {
        /// The function.
        function: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// A value of the wrong type.
    #[error("expected {expected}, found {found}")]
    Type {
        /// What would be right.
        expected: &'static str,
        /// What it is.
        found: Type,
    },
    /// A comparison of things that cannot be equal.
    #[error("{left} is never equal to {right}")]
    Incomparable {
        /// The type on the left.
        left: Type,
        /// The type on the right.
        right: Type,
    },
    /// Numbers that count different things.
    #[error("{left} and {right} do not go together")]
    Units {
        /// The type on the left.
        left: Type,
        /// The type on the right.
        right: Type,
    },
    /// `<` between words.
    #[error("{0} has no order; it can only be equal to something or not")]
    NoOrder(Type),
    /// A word that the setting or fact can never hold.
    #[error("`{name}` is never `{word}`")]
    NotAMember {
        /// The name that was compared.
        name: String,
        /// The word it was compared with.
        word: String,
    },
    /// `set(…)` or `exists(…)` of something that is no setting.
    #[error("`{0}` is no setting: only a setting can be written in a file or be missing from a server")]
    NotASetting(String),
    /// A fact that may only excuse, used to accuse.
    #[error("`{0}` may only excuse: it counts when somebody gave it, never by default")]
    OnlyExcuses(String),
    /// A format that does not exist.
    #[error("unknown format `{0}`")]
    UnknownFormat(String),
    /// A format that does not show such a value.
    #[error("the format `{format}` does not show {found}")]
    UnfitFormat {
        /// The format.
        format: &'static str,
        /// The type of the expression.
        found: Type,
    },
    /// `{` without `}` in a message, or the other way round.
    #[error("the brace has no partner")]
    OpenBrace,
}
