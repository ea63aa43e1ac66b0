//! The option file as a server reads it: physical lines, then groups, options and includes, in the order in which the
//! server sees them. Knows no option names.
//!
//! Nothing is lost: the spans of the lines of a file, joined, give the file back, whatever its bytes are.

mod arguments;
pub mod groups;
mod line;
mod lines;
mod pragma;
mod problem;
mod reader;
mod search;
mod template;
#[cfg(test)]
mod tests;

pub use arguments::arguments;
pub use groups::{
    GroupSet, Unread, any_program_reads, explain_unread, groups_read, implied_servers, instance, only_mysqld_safe_reads,
};
pub use line::{GroupLine, IncludeLine, Line, LineKind, OptionLine};
pub use lines::{PhysicalLine, SplitLines, Text, split_lines};
pub use pragma::{Pragma, PragmaKind};
pub use problem::{Effect, PathCause, Problem, ProblemKind};
pub use reader::read;
pub use search::{default_files, is_option_file};
pub use template::{Branch, has_markup, markup, steered};

/// Hyphens and dashes that word processors and web pages put in the place of `-` and `--`; programs take them for letters.
pub const TYPOGRAPHIC_DASHES: [char; 6] = ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];

use self::template::Markup;
use crate::server::{Dialect, Server};
use crate::source::{FileId, Span};
use std::path::PathBuf;

/// How files are to be read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The server that reads them.
    pub server: Server,
    /// The directory from which relative include paths are taken: the one in which the server would be started.
    pub working_directory: PathBuf,
    /// What `~/` stands for in an `!include`.
    pub home: Option<PathBuf>,
    /// A directory that stands for `/` when an include path is absolute.
    pub include_root: Option<PathBuf>,
}

/// What a server reads from a set of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The server that they were read for.
    pub server: Server,
    /// The files in the order in which they were read; a file that is read twice appears twice.
    pub files: Vec<FileId>,
    /// Every group header, in the order in which the server sees them.
    pub groups: Vec<Group>,
    /// Every option, in the order in which the server sees them, those of included files in their place.
    pub entries: Vec<Entry>,
    /// The parts of templates that come once, often or not at all.
    pub branches: Vec<Branch>,
    /// The groups in which a template may leave lines of which nobody knows how many and what they say, as indices of
    /// [`Document::groups`].
    pub open_groups: Vec<usize>,
    /// What is wrong with the files as such.
    pub problems: Vec<Problem>,
    /// Comments that are meant for cnflint.
    pub pragmas: Vec<Pragma>,
    /// Whether a file has `!include` or `!includedir`.
    pub has_includes: bool,
    /// Whether the server, given these very bytes, stops reading and does not start. True for every fatal problem, and for a
    /// template whose control lines would stop a server, which is no problem.
    pub stops: bool,
    /// Whether something stands there that servers read in different ways: a directive, a NUL byte, a very long line.
    varies: bool,
}

impl Document {
    /// Whether another server would read the same from these files, so that they need not be read again for it. What it
    /// makes of the groups and options is another matter.
    pub fn holds_for(&self, server: Server) -> bool {
        !self.varies || Habits::of(self.server) == Habits::of(server)
    }

    /// Whether a template may set more in these groups than can be seen.
    pub fn is_open(&self, groups: &GroupSet) -> bool {
        let group = |index: &usize| self.groups.get(*index);
        self.open_groups.iter().filter_map(group).any(|group| group.template || groups.contains(&group.name))
    }

    /// A branch and those around it, the innermost first.
    pub fn branches_of(&self, branch: Option<usize>) -> impl Iterator<Item = &Branch> {
        let get = |index: usize| self.branches.get(index);
        std::iter::successors(branch.and_then(get), move |branch| branch.parent.and_then(get))
    }
}

/// A group header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The file.
    pub file: FileId,
    /// `[mysqld]`, with the brackets.
    pub header: Span,
    /// The name as written.
    pub name_span: Span,
    /// The name as the server takes it.
    pub name: Vec<u8>,
    /// Whether the name holds template markup, so that nobody knows it yet.
    pub template: bool,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub file: FileId,
    /// Its group, as an index of [`Document::groups`].
    pub group: usize,
    /// The whole line without its newline.
    pub line: Span,
    /// The name as written.
    pub name_span: Span,
    /// The name as the server takes it.
    pub name: Vec<u8>,
    /// The value as written, with its quotes, without comment and outer blanks; empty and behind the `=` for an empty value.
    pub value_span: Option<Span>,
    /// The value as the server takes it, quotes off and escapes replaced; `None` for a bare option.
    pub value: Option<Vec<u8>>,
    /// Whether a pair of quotes was taken off.
    pub quoted: bool,
    /// Whether name or value holds template markup.
    pub template: bool,
    /// Whether the name does, or the whole line steers a template (`{% if x %}`): then this is no option.
    pub template_name: bool,
    /// The part of a template in which it stands, as an index of [`Document::branches`]; `None` where it surely comes.
    pub branch: Option<usize>,
    /// How deep in includes it stands; 0 in a file that was named.
    pub depth: u8,
    /// Whether the server gets that far. What stands behind a fatal problem is kept all the same, so that a second look, with
    /// the problem mended, finds nothing new.
    pub reached: bool,
}

/// Reads the lines of one file, whatever its bytes are.
pub fn parse(bytes: &[u8], server: Server) -> Vec<Line> {
    let habits = Habits::of(server);
    let mut lines: Vec<_> =
        split_lines(bytes, habits.dialect).map(|physical| line::parse(&physical, habits.path_comments)).collect();
    if let Some(markup) = Markup::read(bytes) {
        markup.mark(&mut lines, bytes);
    }
    lines
}

/// What differs between servers in reading option files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Habits {
    dialect: Dialect,
    /// A comment may follow the path of an include, and a missing newline does no harm there. Measured: 9.7.4. The sources
    /// of 8.0.32 still lack it (<https://github.com/mysql/mysql-server/blob/mysql-8.0.32/mysys/my_default.cc>, `get_argument`).
    path_comments: bool,
    /// Everything behind the first dot of a name is its extension. Measured: 5.6.24 does, 9.7.4 and MariaDB do not; the
    /// sources of 8.0 look for the last dot (<https://github.com/mysql/mysql-server/blob/mysql-8.0.11/mysys/mf_fn_ext.cc>).
    first_dot: bool,
    /// Says so when an included file cannot be read. Measured: 9.7.4; in the sources of 8.0.32, not yet in those of 8.0.24.
    reports_includes: bool,
}

impl Habits {
    fn of(server: Server) -> Self {
        let mysql = server.flavor.is_mysql_family();
        Self {
            dialect: server.dialect(),
            path_comments: mysql && server.at_least(9, 7, 0),
            first_dot: mysql && !server.at_least(8, 0, 0),
            reports_includes: mysql && server.at_least(8, 0, 27),
        }
    }
}
