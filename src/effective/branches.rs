//! What a template's conditions leave of a setting: every line that may be the last one counts.

use super::{Assignment, Setting};
use crate::optionfile::Document;
use crate::value::{Outcome, Value};

/// Works out which values a template may give to each setting.
pub(super) fn decide(document: &Document, assignments: &[Assignment<'_>], settings: &mut [Setting]) {
    for setting in settings {
        let lines: Vec<_> = setting.origins.iter().filter_map(|index| assignments.get(*index)).collect();
        if lines.iter().all(|line| line.branch.is_none()) {
            continue;
        }
        let last = setting.value.clone();
        let mut written = Vec::with_capacity(lines.len());
        for line in &lines {
            let mut path: Vec<_> = document.branches_of(line.branch).copied().map(Step::from).collect();
            path.reverse();
            written.push(Written { path, value: Some(value_of(setting, line, lines.last(), &last)) });
        }
        let possible = possible(&written, 0, vec![None]);
        setting.may_be_unset = possible.contains(&None);
        let agreed = possible.split_first().filter(|(first, rest)| rest.iter().all(|other| other == *first));
        match agreed {
            Some((Some(Outcome::Known(value)), _)) => setting.value = Outcome::Known(value.clone()),
            // One line that surely comes, and whose value is not known.
            Some((Some(_), _)) if possible.len() == 1 && lines.last().is_some_and(|line| line.branch.is_none()) => {}
            _ => {
                setting.is_open = true;
                setting.value = Outcome::Unknown;
            }
        }
    }
}

fn value_of(
    setting: &Setting,
    line: &Assignment<'_>,
    last_line: Option<&&Assignment<'_>>,
    last: &Outcome<Value<'static>>,
) -> Outcome<Value<'static>> {
    if last_line.is_some_and(|last| last.name_at == line.name_at) {
        return last.clone();
    }
    literal(setting, line)
}

/// What one line says.
pub(super) fn literal(setting: &Setting, line: &Assignment<'_>) -> Outcome<Value<'static>> {
    let inverted = line.entry.as_ref().is_some_and(|entry| entry.inverted);
    match line.reading.as_ref().and_then(|reading| reading.value.clone()) {
        Some(Value::Word(word)) if inverted && line.option() != Some(setting.variable) => {
            Outcome::Known(Value::boolean(word == "OFF"))
        }
        Some(value) => Outcome::Known(value),
        None => Outcome::Unknown,
    }
}

/// A branch of a block on the way to a line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    block: usize,
    start: u32,
    one_comes: bool,
    siblings: usize,
}

impl From<crate::optionfile::Branch> for Step {
    fn from(branch: crate::optionfile::Branch) -> Self {
        let crate::optionfile::Branch { block, one_comes, siblings, .. } = branch;
        Self { block, start: branch.span.start, one_comes, siblings }
    }
}

struct Written {
    path: Vec<Step>,
    value: Possible,
}

/// A value that a setting may end up with; `None` for none at all.
type Possible = Option<Outcome<Value<'static>>>;

/// What may come of lines in their order, after what was there before them.
fn possible(lines: &[Written], depth: usize, before: Vec<Possible>) -> Vec<Possible> {
    let mut now = before;
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let Some(step) = first.path.get(depth) else {
            now = vec![first.value.clone()];
            rest = &rest[1..];
            continue;
        };
        let in_block = |line: &Written| line.path.get(depth).is_some_and(|other| other.block == step.block);
        let (mut block, behind) = rest.split_at(rest.iter().take_while(|line| in_block(line)).count());
        let (mut after, mut branches) = (Vec::new(), 0);
        while let Some(branch) = block.first().and_then(|line| line.path.get(depth)) {
            let same = block.iter().take_while(|line| line.path.get(depth) == Some(branch)).count();
            after.extend(possible(&block[..same], depth + 1, now.clone()));
            branches += 1;
            block = &block[same..];
        }
        if !step.one_comes || branches < step.siblings {
            after.extend(now);
        }
        // Each value once: else every block would double them.
        let mut each: Vec<Possible> = Vec::with_capacity(after.len());
        after.into_iter().for_each(|value| {
            if !each.contains(&value) {
                each.push(value)
            }
        });
        now = each;
        rest = behind;
    }
    now
}
