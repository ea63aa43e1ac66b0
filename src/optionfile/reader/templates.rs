//! What templates do to the order of lines: branches that exclude each other, and other templates that they bring in.

use super::{DEEPEST, MOST_READS, Progress, Reading};
use crate::optionfile::template::Branch;
use crate::source::{FileId, FileKind, SourceFile, Span};
use std::collections::BTreeMap;
use std::path::{Component, Path};

impl Reading<'_> {
    /// Goes on in another branch: what a branch says of groups counts for its own text, and behind its block.
    pub(super) fn changes_branch(&mut self, progress: &mut Progress, branch: Option<usize>) {
        let steps = |branch: Option<usize>| -> Vec<Branch> { self.document.branches_of(branch).copied().collect() };
        let (left, entered) = (steps(self.branch), steps(branch));
        for step in &left {
            let is_left = !entered.iter().any(|other| other.block == step.block);
            let before = progress.before.get(&step.block).copied().filter(|_| is_left && step.elsewhere);
            progress.group = before.unwrap_or(progress.group);
        }
        for step in entered.iter().rev() {
            if left.iter().any(|other| other.block == step.block && other.span == step.span) {
                continue;
            }
            progress.group = *progress.before.entry(step.block).or_insert(progress.group);
            if step.elsewhere {
                progress.group = None;
            }
        }
        progress.elsewhere = entered.iter().any(|step| step.elsewhere);
        self.branch = branch;
    }

    /// The template that is called so and lies beside another one, or below; others are not looked for.
    pub(super) fn template_beside(&mut self, file: FileId, name: Span) -> Option<FileId> {
        let source = self.sources.get(file);
        let name = Path::new(std::str::from_utf8(name.of(source.bytes())).ok()?);
        let is_beside = name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let path = source.path().parent()?.join(name);
        let is_room = self.depth() < DEEPEST && self.document.files.len() < MOST_READS;
        if !is_beside || !is_room || !matches!(self.files.kind(&path), Ok(FileKind::File { .. })) {
            return None;
        }
        let found = match self.sources.find(&path) {
            Some(found) => found,
            None => self.sources.add(SourceFile::new(path.clone(), self.files.read(&path).ok()?)),
        };
        (!self.chain.contains(&found)).then_some(found)
    }

    /// Reads a template as if it stood here: it goes on with the group at hand, and leaves its own behind.
    pub(super) fn bring_in(&mut self, progress: &mut Progress, file: FileId) {
        let Progress { group, elsewhere, reached, .. } = *progress;
        let brought = self.text(Progress { file, group, before: BTreeMap::new(), elsewhere, reached, first: false });
        (progress.group, progress.reached) = (brought.group, brought.reached);
    }
}
