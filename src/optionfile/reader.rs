//! From files to one [`Document`]: groups, options and includes in the order in which the server sees them.

use super::line::{self, GroupLine, IncludeLine, Line, LineKind};
use super::problem::{Effect, PathCause, Problem, ProblemKind};
use super::template::{Branch, Mark, Markup};
use super::{Document, Entry, Group, Habits, Pragma, ReadOptions, lines, pragma};
use crate::source::{FileId, FileKind, Files, Location, SourceFile, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

mod templates;

/// Every server follows includes ten levels deep (measured on all of them).
const DEEPEST: u8 = 10;
/// `FN_REFLEN - 3`: longer paths are ignored by every server.
const LONGEST_PATH: usize = 508;
/// Loops multiply; no set-up has that many files.
const MOST_READS: usize = 2_000;

/// Reads files one after the other, as a server reads `/etc/my.cnf`, `/etc/mysql/my.cnf` and so on, and all that they include.
///
/// Included files are added to `sources`. What a server cannot read becomes a [`Problem`], never an error.
pub fn read(sources: &mut Sources, files: &dyn Files, roots: &[FileId], options: &ReadOptions) -> Document {
    let mut reading = Reading {
        sources,
        files,
        options,
        habits: Habits::of(options.server),
        document: Document {
            server: options.server,
            files: Vec::new(),
            groups: Vec::new(),
            entries: Vec::new(),
            branches: Vec::new(),
            open_groups: Vec::new(),
            problems: Vec::new(),
            pragmas: Vec::new(),
            has_includes: false,
            stops: false,
            varies: false,
        },
        chain: Vec::new(),
        branch: None,
        seen: BTreeSet::new(),
    };
    for root in roots {
        reading.root(*root);
    }
    reading.document
}

struct Reading<'a> {
    sources: &'a mut Sources,
    files: &'a dyn Files,
    options: &'a ReadOptions,
    habits: Habits,
    document: Document,
    /// The files that are being read, outermost first.
    chain: Vec<FileId>,
    /// The part of a template from which the file at hand is included.
    branch: Option<usize>,
    /// The files that were entered once: their problems and comments are known.
    seen: BTreeSet<FileId>,
}

/// How far the reading of one file got.
struct Progress {
    file: FileId,
    group: Option<usize>,
    /// The group before each block of a template.
    before: BTreeMap<usize, Option<usize>>,
    /// Whether the text comes somewhere else, in a group that is not known.
    elsewhere: bool,
    /// Whether the server still reads this file.
    reached: bool,
    /// Whether the file is read for the first time.
    first: bool,
}

impl Reading<'_> {
    fn depth(&self) -> u8 {
        self.chain.len() as u8 - 1
    }

    /// Reads a file that was named. A world-writable one is kept, as one that the server does not reach.
    fn root(&mut self, file: FileId) {
        let path = self.sources.get(file).path();
        let ignored = matches!(self.files.kind(path), Ok(FileKind::File { world_writable: true }));
        if ignored {
            let location = Location { file, span: Span::new(0, 0) };
            let kind = ProblemKind::FileIgnored { path: path.to_owned() };
            self.document.problems.push(Problem { kind, location, fatal: false, effect: Effect::Warns });
        }
        let stopped = self.document.stops;
        self.file(file, !stopped && !ignored);
        if ignored {
            self.document.stops = stopped;
        }
    }

    /// Reads one file; `reached` tells whether the server does so too.
    fn file(&mut self, file: FileId, reached: bool) {
        let progress = Progress { file, group: None, before: BTreeMap::new(), elsewhere: false, reached, first: false };
        self.text(progress);
    }

    /// Reads a file line by line, and tells how far it got.
    fn text(&mut self, mut progress: Progress) -> Progress {
        self.document.files.push(progress.file);
        self.chain.push(progress.file);
        progress.first = self.seen.insert(progress.file);
        let around = self.branch;
        for (line, mark) in self.lines(&mut progress) {
            let branch = mark.branch.or(around);
            if branch != self.branch {
                self.changes_branch(&mut progress, branch);
            }
            let brought = mark.includes.and_then(|name| self.template_beside(progress.file, name));
            self.line(&mut progress, line, mark.leaves_open && brought.is_none());
            if let Some(file) = brought {
                self.bring_in(&mut progress, file);
            }
        }
        self.branch = around;
        self.chain.pop();
        progress
    }

    /// The lines of a file, pragmas taken out, a byte order mark passed over.
    fn lines(&mut self, progress: &mut Progress) -> Vec<(Line, Mark)> {
        let file = progress.file;
        let source = self.sources.get(file);
        let (marks, utf16) = match source.bytes() {
            [0xef, 0xbb, 0xbf, ..] => (3, false),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => (2, true),
            _ => (0, false),
        };
        let mut varies = false;
        let mut parsed: Vec<_> = lines::split_lines(source.bytes(), self.habits.dialect)
            .enumerate()
            .map(|(number, mut physical)| {
                if number == 0 && marks > 0 {
                    physical.text.skip(marks);
                }
                let line = line::parse(&physical, self.habits.path_comments);
                varies |=
                    physical.nul.is_some() || physical.span.len() >= lines::LONGEST_EVERYWHERE || is_directive(&line);
                line
            })
            .collect();
        self.document.varies |= varies;
        let template = Markup::read(source.bytes()).map(|markup| {
            let marks = markup.mark(&mut parsed, source.bytes());
            (marks, markup.branches().to_vec())
        });
        if progress.first {
            for line in &parsed {
                self.pragmas(file, line);
            }
        }
        if marks > 0 {
            self.problem(progress, ProblemKind::ByteOrderMark { utf16 }, Span::new(0, marks as u32));
        }
        if utf16 {
            return Vec::new();
        }
        let marks = match template {
            Some((marks, branches)) => self.placed(marks, branches),
            None => vec![Mark::default(); parsed.len()],
        };
        parsed.into_iter().zip(marks).collect()
    }

    /// The marks of a file with its branches among those of the whole document.
    fn placed(&mut self, mut marks: Vec<Mark>, branches: Vec<Branch>) -> Vec<Mark> {
        let first = self.document.branches.len();
        let first_block = self.document.branches.iter().map(|branch| branch.block + 1).max().unwrap_or(0);
        for mark in &mut marks {
            mark.branch = mark.branch.map(|branch| branch + first);
        }
        self.document.branches.extend(branches.into_iter().map(|branch| Branch {
            block: branch.block + first_block,
            parent: branch.parent.map(|parent| parent + first).or(self.branch),
            ..branch
        }));
        marks
    }

    fn pragmas(&mut self, file: FileId, line: &Line) {
        let Some(comment) = line.comment else { return };
        let bytes = comment.of(self.sources.get(file).bytes());
        let trailing = !matches!(line.kind, LineKind::Blank);
        let whole = Span::new(line.span.start, comment.end);
        let found = pragma::parse(bytes, |at| comment.start + at as u32);
        let pragmas =
            found.into_iter().map(|(span, kind)| Pragma { file, span, line: whole, trailing, within: None, kind });
        self.document.pragmas.extend(pragmas);
    }

    fn line(&mut self, progress: &mut Progress, line: Line, leaves_open: bool) {
        for (kind, span) in line.problems {
            let outside = matches!(line.kind, LineKind::Option(_)) && progress.group.is_none();
            let deep = matches!(
                line.kind,
                LineKind::Include(_) | LineKind::MissingPath { .. } | LineKind::UnknownDirective(_)
            ) && self.depth() >= DEEPEST;
            let physical = matches!(kind, ProblemKind::NulByte | ProblemKind::LineTooLong);
            if physical || !(outside || deep) {
                self.problem(progress, kind, span);
            }
        }
        if let (true, Some(group)) = (leaves_open, progress.group) {
            self.document.open_groups.push(group);
        }
        match line.kind {
            LineKind::Blank => {}
            LineKind::Include(_) | LineKind::MissingPath { .. } | LineKind::UnknownDirective(_)
                if self.depth() >= DEEPEST =>
            {
                self.too_deep(progress, line.span);
            }
            LineKind::Include(include) => {
                self.document.has_includes = true;
                if include.directory {
                    self.include_directory(progress, &include)
                } else {
                    self.include(progress, &include)
                }
            }
            LineKind::MissingPath { .. } => self.document.has_includes = true,
            LineKind::UnknownDirective(_) => {}
            LineKind::Group(group) | LineKind::UnclosedGroup(group) => {
                let (file, index) = (progress.file, self.document.groups.len());
                if group.template {
                    self.document.open_groups.push(index);
                }
                let GroupLine { header, name_span, name, template } = group;
                self.document.groups.push(Group { file, header, name_span, name, template });
                progress.group = Some(index);
            }
            LineKind::Option(option) => {
                let Some(group) = progress.group else {
                    if progress.elsewhere {
                        // Whoever calls this text says which group it comes to.
                    } else if option.template_name {
                        self.stop(progress);
                    } else {
                        self.problem(progress, ProblemKind::OptionOutsideGroup, option.line);
                    }
                    return;
                };
                self.document.entries.push(Entry {
                    file: progress.file,
                    group,
                    line: option.line,
                    name_span: option.name_span,
                    name: option.name,
                    value_span: option.value_span,
                    value: option.value,
                    quoted: option.quoted,
                    template: option.template_name || option.template_value,
                    template_name: option.template_name,
                    branch: self.branch,
                    depth: self.depth(),
                    reached: progress.reached,
                });
            }
        }
    }

    /// Keeps a problem and, if the server stops at it, stops.
    fn problem(&mut self, progress: &mut Progress, kind: ProblemKind, span: Span) {
        let effect = self.effect(&kind);
        if effect >= Effect::StopsFile {
            self.stop(progress);
        }
        let location = Location { file: progress.file, span };
        let problem = Problem { kind, location, fatal: effect == Effect::StopsServer, effect };
        if progress.first || !self.document.problems.contains(&problem) {
            self.document.problems.push(problem);
        }
    }

    fn stop(&mut self, progress: &mut Progress) {
        progress.reached = false;
        if self.depth() == 0 {
            self.document.stops = true;
        }
    }

    fn effect(&self, kind: &ProblemKind) -> Effect {
        let reported = if self.habits.reports_includes { Effect::Warns } else { Effect::Silent };
        match kind {
            ProblemKind::OptionOutsideGroup
            | ProblemKind::MalformedGroup
            | ProblemKind::MissingIncludePath { .. }
            | ProblemKind::ByteOrderMark { .. }
            | ProblemKind::IncludeNotFound { directory: true, .. } => {
                if self.depth() == 0 {
                    Effect::StopsServer
                } else {
                    Effect::StopsFile
                }
            }
            ProblemKind::IncludeNotFound { .. } | ProblemKind::Unreadable { .. } => reported,
            ProblemKind::FileIgnored { .. } | ProblemKind::IncludeTooDeep | ProblemKind::IncludeLoop { .. } => {
                Effect::Warns
            }
            _ => Effect::Silent,
        }
    }

    fn too_deep(&mut self, progress: &mut Progress, span: Span) {
        let looping = self.chain.iter().enumerate().any(|(at, file)| self.chain[..at].contains(file));
        if !looping {
            self.problem(progress, ProblemKind::IncludeTooDeep, span);
        }
    }

    fn include(&mut self, progress: &mut Progress, include: &IncludeLine) {
        // Where a template will point, nobody knows yet.
        if include.template {
            return;
        }
        if include.path.len() > LONGEST_PATH {
            return self.problem(progress, ProblemKind::IncludePathTooLong, include.path_span);
        }
        self.note_cut(progress, include);
        let written = to_path(&include.path);
        let expanded = match (written.strip_prefix("~"), &self.options.home) {
            (Ok(rest), Some(home)) if include.path.starts_with(b"~/") => home.join(rest),
            _ => written.clone(),
        };
        if expanded.is_relative() {
            self.problem(progress, ProblemKind::RelativeInclude { path: written.clone() }, include.path_span);
        }
        let path = self.on_disk(&expanded);
        match self.files.kind(&path) {
            Ok(FileKind::Directory) => {
                self.problem(progress, ProblemKind::IncludeIsDirectory { path: written }, include.path_span);
            }
            Ok(FileKind::File { world_writable: true }) => {
                self.problem(progress, ProblemKind::FileIgnored { path }, include.path_span);
            }
            Ok(FileKind::File { .. }) => self.enter(progress, path, include.path_span),
            Err(_) => {
                let cause = path_cause(&include.path, false, self.habits);
                let kind = ProblemKind::IncludeNotFound { path: written, directory: false, cause };
                self.problem(progress, kind, include.path_span);
            }
        }
    }

    fn include_directory(&mut self, progress: &mut Progress, include: &IncludeLine) {
        if include.template {
            // These very bytes stop a server.
            self.stop(progress);
            return;
        }
        self.note_cut(progress, include);
        let written = to_path(&include.path);
        if written.is_relative() {
            self.problem(progress, ProblemKind::RelativeInclude { path: written.clone() }, include.path_span);
        }
        let directory = self.on_disk(&written);
        let Ok(mut names) = self.files.list(&directory) else {
            let cause = path_cause(&include.path, true, self.habits);
            let kind = ProblemKind::IncludeNotFound { path: written, directory: true, cause };
            return self.problem(progress, kind, include.path_span);
        };
        names.sort_by(|one, other| one.as_encoded_bytes().cmp(other.as_encoded_bytes()));
        for name in names {
            let path = directory.join(&name);
            if is_read(&name, self.habits.first_dot) {
                self.directory_file(progress, path, &name, include.path_span);
            } else if looks_meant(&name) && matches!(self.files.kind(&path), Ok(FileKind::File { .. })) {
                let kind = ProblemKind::FileNotRead { path, first_dot: is_read(&name, false) };
                self.problem(progress, kind, include.path_span);
            }
        }
    }

    fn directory_file(&mut self, progress: &mut Progress, path: PathBuf, name: &OsStr, span: Span) {
        match self.files.kind(&path) {
            Ok(FileKind::Directory) => {}
            Ok(FileKind::File { world_writable: true }) => {
                self.problem(progress, ProblemKind::FileIgnored { path }, span)
            }
            Ok(FileKind::File { .. }) => {
                if name.as_encoded_bytes().starts_with(b".") {
                    self.problem(progress, ProblemKind::HiddenFile { path: path.clone() }, span);
                }
                self.enter(progress, path, span);
            }
            Err(_) => self.problem(progress, ProblemKind::Unreadable { path }, span),
        }
    }

    /// Reads an included file; what goes wrong in it does not stop the including one.
    fn enter(&mut self, progress: &mut Progress, path: PathBuf, span: Span) {
        if self.document.files.len() >= MOST_READS {
            if !self.document.problems.iter().any(|problem| problem.kind == ProblemKind::TooManyIncludes) {
                self.problem(progress, ProblemKind::TooManyIncludes, span);
            }
            return;
        }
        let file = match self.sources.find(&path) {
            Some(file) => file,
            None => match self.files.read(&path) {
                Ok(bytes) => self.sources.add(SourceFile::new(path.clone(), bytes)),
                Err(_) => return self.problem(progress, ProblemKind::Unreadable { path }, span),
            },
        };
        if self.chain.contains(&file) {
            self.problem(progress, ProblemKind::IncludeLoop { path }, span);
        }
        self.file(file, progress.reached);
    }

    fn note_cut(&mut self, progress: &mut Progress, include: &IncludeLine) {
        if let Some(uncut) = &include.uncut
            && uncut.strip_suffix(b"/") != Some(&include.path)
        {
            let kind = ProblemKind::LastByteCut { written: to_path(uncut), read: to_path(&include.path) };
            self.problem(progress, kind, include.path_span);
        }
    }

    fn on_disk(&self, path: &Path) -> PathBuf {
        match (&self.options.include_root, path.strip_prefix("/")) {
            (Some(root), Ok(rest)) => root.join(rest),
            _ if path.is_relative() => self.options.working_directory.join(path),
            _ => path.to_owned(),
        }
    }
}

fn is_directive(line: &Line) -> bool {
    matches!(line.kind, LineKind::Include(_) | LineKind::MissingPath { .. } | LineKind::UnknownDirective(_))
}

/// Whether servers read a file of that name from an included directory.
fn is_read(name: &OsStr, first_dot: bool) -> bool {
    let name = name.as_encoded_bytes();
    let mut bytes = name.iter();
    let dot = if first_dot { bytes.position(|byte| *byte == b'.') } else { bytes.rposition(|byte| *byte == b'.') };
    dot.is_some_and(|dot| &name[dot..] == b".cnf")
}

/// Whether a file that is not read was probably meant to be: another extension, other case, a second dot.
fn looks_meant(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes().to_ascii_lowercase();
    [&b".cnf"[..], b".conf", b".ini"].iter().any(|end| name.ends_with(end))
}

fn path_cause(path: &[u8], directory: bool, habits: Habits) -> Option<PathCause> {
    if path.windows(8).any(|part| part == b"!include") {
        Some(PathCause::Directive)
    } else if path.contains(&b'"') || path.contains(&b'\'') {
        Some(PathCause::Quoted)
    } else if path.contains(&b'#') && !habits.path_comments {
        Some(PathCause::Comment)
    } else if path.contains(&b';') {
        Some(PathCause::Semicolon)
    } else if directory && path.starts_with(b"~") {
        Some(PathCause::Tilde)
    } else {
        path.iter().any(|byte| matches!(byte, b'*' | b'?')).then_some(PathCause::Wildcard)
    }
}

#[cfg(unix)]
fn to_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec()).into()
}

#[cfg(not(unix))]
fn to_path(bytes: &[u8]) -> PathBuf {
    OsString::from(String::from_utf8_lossy(bytes).into_owned()).into()
}
