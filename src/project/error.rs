//! What can be wrong in a `cnflint.toml`, each with its place and, where there is one, what was probably meant.

use super::Placed;
use crate::facts::file::FactsError;
use crate::server::ServerError;
use std::ops::Range;

/// What is wrong, and at which bytes.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// Not TOML.
    #[error("{message}")]
    Syntax {
        /// What the TOML reader says.
        message: String,
        /// Where.
        span: Range<usize>,
    },
    /// There is no such key there.
    #[error("there is no key `{key}` {table}")]
    UnknownKey {
        /// What was written.
        key: String,
        /// Where it stands: `in [[path]]`.
        table: String,
        /// The keys that there are.
        known: &'static [&'static str],
        /// The bytes of the key.
        span: Range<usize>,
    },
    /// A key that has to be there is not.
    #[error("{table} lacks `{key}`{why}")]
    MissingKey {
        /// `[[path]]`.
        table: &'static str,
        /// The key.
        key: &'static str,
        /// Why it is needed.
        why: &'static str,
        /// The bytes of the table.
        span: Range<usize>,
    },
    /// A value of another type.
    #[error("`{key}` takes {wanted}")]
    WrongType {
        /// The key.
        key: String,
        /// What it takes.
        wanted: &'static str,
        /// The bytes of the value.
        span: Range<usize>,
    },
    /// A word that is none of those which may stand there.
    #[error("`{key}` takes one of {}", words.join(", "))]
    NotOneOf {
        /// The key.
        key: String,
        /// What was written.
        written: String,
        /// What may stand there.
        words: &'static [&'static str],
        /// The bytes of the value.
        span: Range<usize>,
    },
    /// A text that names no server.
    #[error("`{key}`: {error}")]
    Server {
        /// The key.
        key: &'static str,
        /// Why not.
        error: ServerError,
        /// The bytes of the value.
        span: Range<usize>,
    },
    /// A pattern of paths that cannot be read.
    #[error("this pattern of paths cannot be read: {message}")]
    Glob {
        /// Why not.
        message: String,
        /// The bytes of the value.
        span: Range<usize>,
    },
    /// A fact that there is not, or a value that does not fit it.
    #[error(transparent)]
    Fact(#[from] FactsError),
    /// A file that is named and cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the disk says.
        error: std::io::Error,
        /// The bytes of the value.
        span: Range<usize>,
    },
    /// No rule has this name.
    #[error("`{name}` is {}", if *.areas { "neither a rule nor an area" } else { "no rule" })]
    UnknownRule {
        /// What was written.
        name: String,
        /// Whether an area may stand there too.
        areas: bool,
        /// What was probably meant.
        similar: Option<String>,
        /// The bytes of the name.
        span: Range<usize>,
    },
}

impl ProjectError {
    pub(super) fn unknown_rule<'a>(name: &Placed<String>, areas: bool, names: impl Iterator<Item = &'a str>) -> Self {
        let similar = similar(&name.value, names).map(str::to_owned);
        Self::UnknownRule { name: name.value.clone(), areas, similar, span: name.span.clone() }
    }

    /// The bytes that it is about.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Syntax { span, .. }
            | Self::UnknownKey { span, .. }
            | Self::MissingKey { span, .. }
            | Self::WrongType { span, .. }
            | Self::NotOneOf { span, .. }
            | Self::Server { span, .. }
            | Self::Glob { span, .. }
            | Self::Unreadable { span, .. }
            | Self::UnknownRule { span, .. } => span.clone(),
            Self::Fact(error) => error.span(),
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        let meant = |name: &str| format!("did you mean `{name}`?");
        match self {
            Self::UnknownKey { key, known, .. } => Some(match similar(key, known.iter().copied()) {
                Some(name) => meant(name),
                None => format!("the keys there are {}", known.join(", ")),
            }),
            Self::NotOneOf { written, words, .. } => similar(written, words.iter().copied()).map(meant),
            Self::UnknownRule { similar: Some(name), .. } => Some(meant(name)),
            Self::UnknownRule { .. } => Some("`cnflint rules` lists them all".to_owned()),
            _ => None,
        }
    }
}

/// The name that was probably meant, if one is close enough. `-` and `_` are the same.
fn similar<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_ascii_lowercase().replace('-', "_");
    let scored = names.map(|name| (strsim::jaro_winkler(&written, &name.replace('-', "_")), name));
    scored.filter(|(score, _)| *score > 0.85).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, name)| name)
}
