//! What can be wrong with an option file before any option name is looked at.

use crate::source::Location;
use std::path::PathBuf;

/// One place where the server does not read what is written, or reads it in a way that few expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// Where it is written.
    pub location: Location,
    /// Whether the server stops reading everything: it does not start.
    pub fatal: bool,
    /// What this server does about it.
    pub effect: Effect,
}

impl Problem {
    /// Whether it only says that a path does not exist on the disk at hand, which need not be the server's.
    pub fn is_only_about_this_disk(&self) -> bool {
        matches!(&self.kind, ProblemKind::IncludeNotFound { cause: None, .. })
    }
}

/// What a server does about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing at all is printed.
    Silent,
    /// A line on standard error, easily missed; reading goes on.
    Warns,
    /// The rest of this included file is not read, with an error on standard error; the including file goes on.
    StopsFile,
    /// "Fatal error in defaults handling": the program does not start.
    StopsServer,
}

/// The kinds of problem. What the servers do was measured on MySQL 5.6.24 and 9.7.4 and on MariaDB 10.5.23, 10.11.19 and
/// 11.8.9; "the old reader" is every MariaDB and MySQL before 8.0.24, "the new reader" MySQL from then on
/// ([`crate::server::Server::dialect`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// An option before the first group header of its file. Every server stops; in an included file only that file is left.
    OptionOutsideGroup,
    /// A group header without `]`. Every server stops; in an included file only that file is left.
    MalformedGroup,
    /// Text behind the `]` of a group header, an option perhaps: every server ignores it without a word.
    TextAfterGroup,
    /// `!include` or `!includedir` without a path. Every server stops; in an included file only that file is left.
    MissingIncludePath {
        /// Whether it is `!includedir`.
        directory: bool,
    },
    /// Anything else behind `!`, such as `!INCLUDE` or `!include=x`: every server ignores the line without a word.
    UnknownDirective,
    /// The file of an `!include` does not exist or cannot be read: the old reader is silent, MySQL from 8.0.27 on says so and
    /// goes on. The directory of an `!includedir`: every server stops.
    IncludeNotFound {
        /// The path as the server takes it.
        path: PathBuf,
        /// Whether it is `!includedir`.
        directory: bool,
        /// What in the way it is written explains it.
        cause: Option<PathCause>,
    },
    /// `!include` of a directory: every server reads nothing and says nothing.
    IncludeIsDirectory {
        /// The path.
        path: PathBuf,
    },
    /// A relative path is taken from the directory in which the program happens to be started, not from the place of the file.
    RelativeInclude {
        /// The path as written.
        path: PathBuf,
    },
    /// A path of 509 bytes or more: every server ignores the file without a word.
    IncludePathTooLong,
    /// A file that includes itself, through others perhaps: every server follows it ten levels deep, so that its options are
    /// repeated, and then warns.
    IncludeLoop {
        /// The file that is entered once more.
        path: PathBuf,
    },
    /// An include at the tenth level: every server warns and skips it.
    IncludeTooDeep,
    /// More files than any set-up has (2,000): cnflint reads no further; a server would.
    TooManyIncludes,
    /// The last line of the file has no newline, and the old reader cuts the last byte off the path of an include there:
    /// `x.cnf` becomes `x.cn`.
    LastByteCut {
        /// The path as written.
        written: PathBuf,
        /// The path as the server takes it.
        read: PathBuf,
    },
    /// Everyone may write the file: every server skips it with a warning and goes on without it.
    FileIgnored {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read: every server skips it; MySQL from 8.0.27 on says so when it was included.
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// A file of an included directory that is not read because its name does not end in `.cnf`, though it looks meant.
    FileNotRead {
        /// The file.
        path: PathBuf,
        /// Whether this server takes everything behind the first dot for the extension (MySQL before 8.0).
        first_dot: bool,
    },
    /// A file of an included directory whose name begins with a dot is read like any other; MySQL before 8.0 reads only `.cnf`.
    HiddenFile {
        /// The file.
        path: PathBuf,
    },
    /// Part of a line longer than the buffer of the old reader: what stands behind byte 4094 is read as a line of its own,
    /// be it the rest of a comment.
    LineTooLong,
    /// The file begins with a byte order mark, which the servers take for an option outside any group: they stop.
    ByteOrderMark {
        /// Whether the file is UTF-16, of which nothing can be read.
        utf16: bool,
    },
    /// A NUL byte: the old reader loses the rest of the line; the new one glues the next line on, and when the line begins
    /// with NUL it loses the rest of the file. Neither says so.
    NulByte,
    /// A `#` begins a comment and takes part of the value with it (`password=ab#cd` is `ab`). Quotes protect it.
    HashCutsValue,
    /// A `#` in front of the `=`: name, `=` and value are cut there.
    HashCutsName,
    /// A quote that is never closed, an apostrophe for instance, hides the `#`: what looks like a comment is part of the value.
    HashInOpenQuote,
    /// A quote at one end of the value only, or different ones: they stay in the value.
    UnbalancedQuotes,
    /// A backslash and a letter became another byte (`\n`, `\t`, `\r`, `\b`, `\s`), as in `C:\temp`.
    EscapeInValue {
        /// Whether the value looks like a path of Windows.
        path: bool,
    },
    /// The last byte of name or value is A0, which servers take for a blank and cut off, though here it ends a UTF-8
    /// character (`à` is C3 A0).
    TrailingByteA0,
}

/// Why an included path may not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCause {
    /// Quotes are part of the path.
    Quoted,
    /// The old reader takes a comment behind the path for a part of it.
    Comment,
    /// A `;` never begins a comment behind a path.
    Semicolon,
    /// `~/` is expanded by `!include` only.
    Tilde,
    /// `*` and `?` are not expanded.
    Wildcard,
    /// Another directive follows in the same line, as when something is added to a file that ends without a newline.
    Directive,
}
