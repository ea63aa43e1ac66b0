//! Bytes, spans, the line table, and the only door to a disk.

mod map;

pub use map::ByteMap;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The number of bytes covered.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte is covered.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The covered part of `bytes`; what lies outside them is left out.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        let end = (self.end as usize).min(bytes.len());
        bytes.get(self.start as usize..end).unwrap_or_default()
    }
}

/// Names one file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The position in [`Sources`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in a known file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The bytes.
    pub span: Span,
}

/// A file that was read: its path as the user or an include named it, its bytes, and where its lines begin.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: PathBuf,
    bytes: Vec<u8>,
    line_starts: Vec<u32>,
}

/// A place counted as people and editors count: lines and columns from 1, columns in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1; each byte that is not UTF-8 counts as one.
    pub column: u32,
}

impl SourceFile {
    /// Takes the bytes in; anything beyond 4 GiB is cut, since spans are 32 bits wide.
    pub fn new(path: impl Into<PathBuf>, mut bytes: Vec<u8>) -> Self {
        bytes.truncate(u32::MAX as usize - 1);
        let newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Self { path: path.into(), bytes, line_starts }
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole content.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of lines; a file that ends in a newline has an empty last one.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The bytes of a line counted from 1, without its `\n`; the last line for anything beyond.
    pub fn line_span(&self, line: u32) -> Span {
        let index = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let start = self.line_starts[index];
        let end = self.line_starts.get(index + 1).map_or(self.bytes.len() as u32, |next| next - 1);
        Span::new(start, end)
    }

    /// The line, from 1, that holds a byte.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// The line and column of a byte.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_of(offset);
        let start = self.line_span(line).start;
        let before = Span::new(start, offset.max(start)).of(&self.bytes);
        let column =
            before.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum::<usize>();
        LineColumn { line, column: column as u32 + 1 }
    }
}

/// All files of one run, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Every path with the last file that was added under it.
    by_path: BTreeMap<PathBuf, FileId>,
    /// The files that lie in other ones, and where.
    parts: BTreeMap<FileId, (FileId, ByteMap)>,
}

impl Sources {
    /// Keeps a file and names it.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.by_path.insert(file.path.clone(), id);
        self.files.push(file);
        id
    }

    /// Keeps a file that lies in another one, whose path it has; nobody finds it by that path.
    pub fn add_part(&mut self, bytes: Vec<u8>, carrier: FileId, map: ByteMap) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(self.get(carrier).path.clone(), bytes));
        self.parts.insert(id, (carrier, map));
        id
    }

    /// The place as people see it: in the file on the disk.
    pub fn on_disk(&self, location: Location) -> Location {
        match self.parts.get(&location.file) {
            Some((carrier, map)) => Location { file: *carrier, span: map.outer(location.span) },
            None => location,
        }
    }

    /// The file of a path, so that one that is included twice, or by several servers, is read once.
    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The file of that name. Ids come from [`Sources::add`] of the same collection.
    pub fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The bytes at a location.
    pub fn text(&self, location: Location) -> &[u8] {
        location.span.of(self.get(location.file).bytes())
    }

    /// Every file with its name.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }
}

/// A path without `.` and `..`; links stay.
pub fn lexical(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                parts.pop();
            }
            std::path::Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}

/// What a path leads to, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file or anything else that can be read as one.
    File {
        /// A regular file that everyone may write: the servers skip it.
        world_writable: bool,
    },
    /// A directory.
    Directory,
}

/// The only door to a disk: everything that the library reads comes through here.
pub trait Files {
    /// The whole content of a file.
    ///
    /// # Errors
    /// What the disk says.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names in a directory, in no particular order.
    ///
    /// # Errors
    /// What the disk says.
    fn list(&self, path: &Path) -> io::Result<Vec<std::ffi::OsString>>;

    /// What a path leads to.
    ///
    /// # Errors
    /// What the disk says.
    fn kind(&self, path: &Path) -> io::Result<FileKind>;
}

/// A disk that exists in memory only: rule examples, tests, editors and browsers.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// Puts a file; its directories exist from then on.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file != path && file.starts_with(path))
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<std::ffi::OsString>> {
        if !self.is_directory(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let below = self.files.keys().filter_map(|file| file.strip_prefix(path).ok());
        let mut names: Vec<_> = below.filter_map(|rest| rest.iter().next()).map(Into::into).collect();
        names.dedup();
        Ok(names)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        if self.files.contains_key(path) {
            Ok(FileKind::File { world_writable: false })
        } else if self.is_directory(path) {
            Ok(FileKind::Directory)
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_and_stray_bytes() {
        let file = SourceFile::new("x", b"a\n\xc3\xa4\xff=1\n".to_vec());
        assert_eq!(file.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(file.line_column(5), LineColumn { line: 2, column: 3 });
        assert_eq!(file.line_span(2).of(file.bytes()), b"\xc3\xa4\xff=1");
        assert_eq!(file.line_count(), 3);
    }
}
