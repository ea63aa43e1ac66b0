//! The blocks of a template: which parts of it come together, and which exclude each other.

use super::tags::{BlockKind, Tag, TagKind};
use crate::source::Span;

/// A part of a template that comes once, often or not at all: what stands between `{% if x %}` and `{% else %}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The text between the tags.
    pub span: Span,
    /// Its block, counted from 0: of the branches of a choice one comes.
    pub block: usize,
    /// Whether one of the branches of its block comes, since the last one is for everything that the others leave.
    pub one_comes: bool,
    /// How many branches its block has.
    pub siblings: usize,
    /// Whether the condition of its block asks which server or which system it is for.
    pub asks_server: bool,
    /// Whether its text comes somewhere else, where something calls it, so that it belongs to no group above it.
    pub elsewhere: bool,
    /// The branch around its block.
    pub parent: Option<usize>,
}

/// What begins and ends a block.
struct Open {
    tag: Span,
    kind: BlockKind,
    branches: Vec<usize>,
    has_last: bool,
    asks_server: bool,
}

/// The branches of every block, outer ones first, and the blocks from the first byte of their tags to the last one.
pub(super) fn read(bytes: &[u8], tags: &[Tag]) -> (Vec<Branch>, Vec<Span>) {
    let mut reading = Reading { bytes, branches: Vec::new(), blocks: Vec::new(), open: Vec::new(), count: 0 };
    for tag in tags {
        match tag.kind {
            TagKind::Opens(kind) => reading.opens(tag.span, kind),
            TagKind::Branches { last } => reading.branches(tag.span, last),
            TagKind::Closes => reading.closes(tag.span),
            TagKind::Output | TagKind::Silent | TagKind::Includes => {}
        }
    }
    let end = Span::new(bytes.len() as u32, bytes.len() as u32);
    while !reading.open.is_empty() {
        reading.closes(end);
    }
    (reading.branches, reading.blocks)
}

struct Reading<'a> {
    bytes: &'a [u8],
    branches: Vec<Branch>,
    blocks: Vec<Span>,
    open: Vec<Open>,
    count: usize,
}

impl Reading<'_> {
    fn opens(&mut self, tag: Span, kind: BlockKind) {
        let mut open = Open { tag, kind, branches: Vec::new(), has_last: false, asks_server: false };
        if kind != BlockKind::Plain {
            open.asks_server = asks_server(tag.of(self.bytes));
            self.branch(&mut open, tag);
            self.count += 1;
        }
        self.open.push(open);
    }

    fn branch(&mut self, open: &mut Open, tag: Span) {
        let around = self.open.iter().rev().filter(|other| other.tag != open.tag);
        let parent = around.filter_map(|other| other.branches.last()).next().copied();
        let block = open.branches.first().map_or(self.count, |first| self.branches[*first].block);
        open.branches.push(self.branches.len());
        self.branches.push(Branch {
            span: Span::new(tag.end, self.bytes.len() as u32),
            block,
            one_comes: false,
            siblings: 0,
            asks_server: false,
            elsewhere: open.kind == BlockKind::Elsewhere,
            parent,
        });
    }

    fn branches(&mut self, tag: Span, last: bool) {
        let Some(mut open) = self.open.pop() else { return };
        if let Some(before) = open.branches.last() {
            self.branches[*before].span.end = tag.start;
            open.asks_server |= asks_server(tag.of(self.bytes));
            open.has_last |= last;
            self.branch(&mut open, tag);
        }
        self.open.push(open);
    }

    fn closes(&mut self, tag: Span) {
        let Some(open) = self.open.pop() else { return };
        if let Some(last) = open.branches.last() {
            self.branches[*last].span.end = tag.start;
        }
        for branch in &open.branches {
            let branch = &mut self.branches[*branch];
            branch.one_comes = open.has_last;
            branch.siblings = open.branches.len();
            branch.asks_server = open.asks_server;
        }
        if open.kind != BlockKind::Plain {
            self.blocks.push(open.tag.to(tag));
        }
    }
}

/// Whether a condition asks for the server's flavor or version, or for the system that decides them.
fn asks_server(condition: &[u8]) -> bool {
    const WORDS: [&str; 18] = [
        "version",
        "flavor",
        "flavour",
        "daemon",
        "vendor",
        "distribution",
        "distro",
        "release",
        "codename",
        "os_family",
        "osfamily",
        "platform",
        "variant",
        "'mariadb'",
        "\"mariadb\"",
        "'mysql'",
        "\"mysql\"",
        "percona",
    ];
    let text = String::from_utf8_lossy(condition).to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}
