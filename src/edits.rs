//! Changes of settings, turned into byte edits in the file's own style.

use crate::catalog::{self, OptionId, Resolved};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Change, Edit};
use crate::optionfile::{Document, Entry, Group};
use crate::source::{FileId, Location, SourceFile, Sources, Span};
use crate::value::Effect;

/// Where edits are made: the files, and what the server makes of them.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The files' bytes.
    pub sources: &'a Sources,
    /// What stands in them.
    pub document: &'a Document,
    /// What the server makes of it.
    pub effective: &'a Effective<'a>,
}

/// The byte edits that carry out all changes; `None` when one of them cannot be made in these files: the value is persisted,
/// comes from a snapshot, or a template fills it in.
pub fn edits(changes: &[Change], place: Place<'_>) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let replaced = place.replaced(changes);
    for change in changes {
        place.carry_out(change, replaced, &mut edits)?;
    }
    Some(joined(edits))
}

/// New bytes with all edits made. Edits do not overlap; those at one place are made in their order.
pub fn apply(bytes: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut sorted = edits.to_vec();
    sorted.sort_by_key(|edit| edit.at.span);
    let mut result = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in sorted {
        let Span { start, end } = edit.at.span;
        if start >= done {
            result.extend_from_slice(Span::new(done, start).of(bytes));
            result.extend_from_slice(&edit.bytes);
            done = end;
        }
    }
    result.extend_from_slice(Span::new(done, bytes.len() as u32).of(bytes));
    result
}

impl<'a> Place<'a> {
    fn carry_out(self, change: &Change, replaced: Option<&Assignment<'_>>, edits: &mut Vec<Edit>) -> Option<()> {
        match change {
            Change::Set { option, value } => self.set(option, value.as_deref(), replaced, edits),
            Change::Remove { option } => self.remove(option, replaced, edits),
            Change::Rename { from, to } => self.rename(from, to, edits),
            Change::Respell { at, text } => {
                edits.push(Edit { at: *at, bytes: text.clone().into_bytes() });
                Some(())
            }
        }
    }

    /// The line that goes where one new line comes: the new one takes its place.
    fn replaced(self, changes: &[Change]) -> Option<&'a Assignment<'a>> {
        let is_new = |option: &str| self.id_of(option).is_some_and(|id| self.decides(id).is_none());
        let new = changes.iter().filter(|change| matches!(change, Change::Set { option, .. } if is_new(option)));
        if new.count() != 1 {
            return None;
        }
        let removed = changes.iter().find_map(|change| match change {
            Change::Remove { option } => self.set_by(option).next_back(),
            _ => None,
        })?;
        (matches!(removed.origin, Origin::Line(_)) && removed.branch.is_none()).then_some(removed)
    }

    fn decides(self, id: OptionId) -> Option<&'a Assignment<'a>> {
        self.effective.winner(catalog::entry(id, self.effective.server).variable)
    }

    fn set(
        self,
        option: &str,
        value: Option<&str>,
        replaced: Option<&Assignment<'_>>,
        edits: &mut Vec<Edit>,
    ) -> Option<()> {
        let id = self.id_of(option)?;
        let Some(winner) = self.decides(id) else {
            let Some(old) = replaced else { return self.insert(option, value, edits) };
            let style = Style::of_line(self.sources.get(old.file), old).unwrap_or_else(|| self.style(old.file));
            edits.push(Edit { at: old.whole(), bytes: style.line(option, value).into_bytes() });
            return Some(());
        };
        // In a template the line of one branch is not the whole answer.
        if !matches!(winner.origin, Origin::Line(_)) || winner.template || winner.branch.is_some() {
            return None;
        }
        let file = self.sources.get(winner.file);
        let plain = matches!(&winner.resolved, Resolved::Option { prefixes, .. } if prefixes.effect == Effect::None);
        match (winner.value_at, value) {
            (Some(at), Some(value)) if winner.option() == Some(id) && plain => {
                let written = at.span.of(file.bytes());
                edits.push(Edit { at, bytes: in_case_of(value, written).into_bytes() });
            }
            _ => {
                let at = winner.whole();
                let style = Style::of_line(file, winner).unwrap_or_else(|| self.style(winner.file));
                edits.push(Edit { at, bytes: style.line(option, value).into_bytes() });
            }
        }
        Some(())
    }

    fn remove(self, option: &str, replaced: Option<&Assignment<'_>>, edits: &mut Vec<Edit>) -> Option<()> {
        for assignment in self.set_by(option) {
            if !matches!(assignment.origin, Origin::Line(_)) {
                return None;
            }
            if replaced.is_none_or(|replaced| replaced.name_at != assignment.name_at) {
                edits.push(Edit { at: self.whole_line(assignment), bytes: Vec::new() });
            }
        }
        Some(())
    }

    /// The lines of an option. A name that this server does not know stands for itself.
    fn set_by<'n>(self, option: &'n str) -> impl DoubleEndedIterator<Item = &'a Assignment<'a>> + use<'a, 'n> {
        let variable = match catalog::resolve(option.as_bytes(), self.effective.server) {
            Resolved::Option { id, .. } => Some(catalog::setting(id, self.effective.server).variable),
            _ => None,
        };
        self.effective.assignments.iter().filter(move |assignment| match &assignment.entry {
            Some(entry) => Some(entry.variable) == variable,
            None => *assignment.name == *option.as_bytes(),
        })
    }

    fn rename(self, from: &str, to: &str, edits: &mut Vec<Edit>) -> Option<()> {
        for assignment in self.effective.assignments.iter().filter(|assignment| *assignment.name == *from.as_bytes()) {
            if !matches!(assignment.origin, Origin::Line(_)) {
                return None;
            }
            let dashes = assignment.name.contains(&b'-');
            let to = if dashes { to.replace('_', "-") } else { to.to_owned() };
            edits.push(Edit { at: assignment.name_at, bytes: to.into_bytes() });
        }
        Some(())
    }

    /// A new line where a person would put it: below the last option of the same family, or else at the end of the server's first group.
    fn insert(self, option: &str, value: Option<&str>, edits: &mut Vec<Edit>) -> Option<()> {
        let plain = option.strip_prefix("loose_").unwrap_or(option);
        let family = plain.split(['_', '-']).next().unwrap_or(plain);
        let lines = || {
            self.effective
                .assignments
                .iter()
                .filter(|line| matches!(line.origin, Origin::Line(_)) && line.branch.is_none())
                .filter(|line| !self.is_shared_with_clients(line))
        };
        let kin = lines().rev().find(|assignment| assignment.name.starts_with(family.as_bytes()));
        let (file, after) = match kin.or_else(|| lines().next_back()) {
            Some(assignment) => (assignment.file, assignment.name_at.span.start),
            None => self.first_group_of_server()?,
        };
        let source = self.sources.get(file);
        let line = source.line_span(source.line_of(after));
        let newline = newline_of(source);
        let style = match kin.and_then(|kin| Style::of_line(source, kin)) {
            Some(style) if style.column > 0 => style,
            _ => self.style(file),
        };
        let text = style.line(option, value);
        // The line span leaves out its own newline; a file may end without one.
        let at_end = line.end as usize == source.bytes().len();
        let (at, bytes) =
            if at_end { (line.end, format!("{newline}{text}")) } else { (line.end + 1, format!("{text}{newline}")) };
        edits.push(Edit { at: Location { file, span: Span::new(at, at) }, bytes: bytes.into_bytes() });
        Some(())
    }

    fn first_group_of_server(self) -> Option<(FileId, u32)> {
        let groups = crate::optionfile::groups_read("mysqld", self.effective.server).with_services();
        let own = |group: &&Group| groups.contains(&group.name) && !is_shared(group);
        let group = self.document.groups.iter().find(own)?;
        Some((group.file, group.header.start))
    }

    fn is_shared_with_clients(self, line: &Assignment<'_>) -> bool {
        let at = |entry: &&Entry| entry.file == line.file && entry.name_span == line.name_at.span;
        let entry = self.document.entries.iter().find(at);
        entry.and_then(|entry| self.document.groups.get(entry.group)).is_some_and(is_shared)
    }

    /// The line of an assignment with its newline.
    fn whole_line(self, assignment: &Assignment<'_>) -> Location {
        let file = self.sources.get(assignment.file);
        let line = file.line_span(file.line_of(assignment.name_at.span.start));
        let end = (line.end + 1).min(file.bytes().len() as u32);
        Location { file: assignment.file, span: Span::new(line.start, end) }
    }

    fn id_of(self, option: &str) -> Option<OptionId> {
        match catalog::resolve(option.as_bytes(), self.effective.server) {
            Resolved::Option { id, .. } => Some(id),
            _ => OptionId::from_name(option),
        }
    }

    /// What most lines of a file look like.
    fn style(self, file: FileId) -> Style {
        let source = self.sources.get(file);
        let in_file = self.document.entries.iter().filter(|entry| entry.file == file);
        let (mut dashes, mut underscores, mut spaced, mut tight) = (0, 0, 0, 0);
        for entry in in_file {
            let name = entry.name_span.of(source.bytes());
            dashes += usize::from(name.contains(&b'-'));
            underscores += usize::from(name.contains(&b'_'));
            if let Some(value) = entry.value_span {
                let between = Span::new(entry.name_span.end, value.start).of(source.bytes());
                if between.contains(&b' ') { spaced += 1 } else { tight += 1 }
            }
        }
        let equals = if spaced > tight { " = ".into() } else { "=".into() };
        Style { dashes: dashes > underscores, equals, column: 0 }
    }
}

/// MariaDB's clients stop at an option of the server there.
fn is_shared(group: &Group) -> bool {
    group.name.eq_ignore_ascii_case(b"client-server")
}

/// How a file writes an option.
struct Style {
    dashes: bool,
    equals: String,
    /// Where the `=` stands in a table of settings, counted from the name; 0 where there is no table.
    column: usize,
}

impl Style {
    /// The style of one line that has a value.
    fn of_line(file: &SourceFile, assignment: &Assignment<'_>) -> Option<Self> {
        let value = assignment.value_at?;
        let between = Span::new(assignment.name_at.span.end, value.span.start).of(file.bytes());
        let equals = String::from_utf8(between.to_vec()).ok().filter(|text| text.trim() == "=")?;
        let before = equals.find('=')?;
        // Tabs put it wherever the editor likes.
        let column =
            if before > 1 && !equals.contains('\t') { assignment.name_at.span.len() as usize + before } else { 0 };
        Some(Self { dashes: assignment.name.contains(&b'-'), equals, column })
    }

    fn line(&self, option: &str, value: Option<&str>) -> String {
        let name = if self.dashes { option.replace('_', "-") } else { option.to_owned() };
        match value {
            Some(value) if self.column > 0 => {
                // The blanks that stood before the `=` of another name.
                let width = self.column - 1;
                format!("{name:width$} {}{value}", self.equals.trim_start())
            }
            Some(value) => format!("{name}{}{value}", self.equals),
            None => name,
        }
    }
}

/// The value with its suffix in the case that the line had.
fn in_case_of(value: &str, written: &[u8]) -> String {
    let is_size =
        |text: &[u8]| text.last().is_some_and(u8::is_ascii_alphabetic) && text.first().is_some_and(u8::is_ascii_digit);
    let lower = written.last().is_some_and(u8::is_ascii_lowercase);
    if lower && is_size(written) && is_size(value.as_bytes()) { value.to_ascii_lowercase() } else { value.to_owned() }
}

/// How the lines of a file end.
pub(crate) fn newline_of(file: &SourceFile) -> &'static str {
    let first = file.line_span(1).of(file.bytes());
    if first.ends_with(b"\r") { "\r\n" } else { "\n" }
}

/// Edits in order, those that say the same once.
fn joined(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| edit.at);
    edits.dedup();
    edits
}
