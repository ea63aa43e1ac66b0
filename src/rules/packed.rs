//! Rules as they lie in the packed tables.

use super::applies::Range;
use super::pack::{EXAMPLE_WORDS, Example, field};
use crate::expr::NameId;
use crate::finding::{Safety, Severity};
use crate::server::{Server, Version};

/// Packed rules: the program's own or a site's.
#[derive(Clone, Copy, Debug)]
pub struct RuleSet<'a> {
    pub(super) pool: &'a str,
    pub(super) words: &'a [u32],
}

impl<'a> RuleSet<'a> {
    /// The number of rules.
    pub fn len(self) -> usize {
        self.words.first().map_or(0, |count| *count as usize)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Every rule, by area and id.
    pub fn iter(self) -> impl Iterator<Item = Rule<'a>> {
        let heads = self.words.get(1..1 + self.len()).unwrap_or_default();
        heads.iter().map(move |head| Rule { set: self, head: *head as usize })
    }

    /// The rule of that id.
    pub fn find(self, id: &str) -> Option<Rule<'a>> {
        self.iter().find(|rule| rule.id() == id)
    }
}

/// One packed rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    set: RuleSet<'a>,
    head: usize,
}

impl<'a> Rule<'a> {
    /// The id; `site/<id>` for a site's own.
    pub fn id(self) -> &'a str {
        self.text(self.head + field::ID)
    }

    /// The area, which is the directory of its file.
    pub fn area(self) -> &'a str {
        self.text(self.head + field::AREA)
    }

    /// The class of fault, in one line.
    pub fn summary(self) -> &'a str {
        self.text(self.head + field::SUMMARY)
    }

    /// The severity where no case of [`Rule::severities`] holds.
    pub fn severity(self) -> Severity {
        severity(self.word(self.head + field::SEVERITY))
    }

    /// The other severities that it can have.
    pub fn severities(self) -> impl Iterator<Item = Severity> {
        self.severity_cases().map(|case| case.severity)
    }

    /// Whether it is about this server.
    pub fn applies(self, server: Server) -> bool {
        self.applies_to().any(|range| range.contains(server))
    }

    /// The servers it is about.
    pub fn applies_to(self) -> impl Iterator<Item = Range> {
        self.ranges(self.word(self.head + field::APPLIES) as usize).0
    }

    /// Whether the file itself says when it holds.
    pub fn has_condition(self) -> bool {
        !self.condition().is_empty()
    }

    /// The condition as it is written; empty where Rust decides.
    pub fn condition(self) -> &'a str {
        self.text(self.head + field::CONDITION_TEXT)
    }

    /// The message as it is written, with its expressions; empty where Rust writes it.
    pub fn message(self) -> &'a str {
        self.text(self.head + field::MESSAGE_TEXT)
    }

    /// The settings and models whose origins the finding points at.
    pub fn at(self) -> impl Iterator<Item = NameId> {
        self.names_of(field::AT)
    }

    /// Settings of which at least one must be set for the condition to hold; none where that cannot be proved.
    pub fn set_one_of(self) -> impl Iterator<Item = NameId> {
        self.names_of(field::SET_ONE_OF)
    }

    /// Every setting, fact and model that condition, message or fix read.
    pub fn names(self) -> impl Iterator<Item = NameId> {
        self.names_of(field::NAMES)
    }

    /// How safe its fix is; `None` without one.
    pub fn fix_safety(self) -> Option<Safety> {
        let head = Some(self.field(field::FIX)).filter(|head| *head != 0)?;
        Some(safety(self.word(head)))
    }

    /// The rule that owns the fix when it fires too.
    pub fn points_at(self) -> Option<&'a str> {
        Some(self.text(self.head + field::POINTS_AT)).filter(|rule| !rule.is_empty())
    }

    /// The subject of the check written in Rust, for a rule without a condition.
    pub fn check(self) -> Option<&'a str> {
        Some(self.text(self.head + field::CHECK)).filter(|check| !check.is_empty())
    }

    /// Who says it, where neither a condition nor a check does: another part of the program, which finds it by its id.
    pub fn said_by(self) -> Option<&'a str> {
        Some(self.text(self.head + field::SAID_BY)).filter(|who| !who.is_empty())
    }

    /// The position of [`Rule::check`] among all checks.
    pub fn check_position(self) -> Option<usize> {
        self.field(field::CHECK_AT).checked_sub(1)
    }

    /// Why it matters.
    pub fn why(self) -> &'a str {
        self.text(self.head + field::WHY)
    }

    /// Its sources.
    pub fn links(self) -> impl Iterator<Item = &'a str> {
        let list = self.word(self.head + field::LINKS) as usize;
        (0..self.word(list) as usize).map(move |position| self.text(list + 1 + 2 * position))
    }

    /// Its examples.
    pub fn examples(self) -> impl Iterator<Item = Example<&'a str>> {
        let list = self.word(self.head + field::EXAMPLES) as usize;
        (0..self.word(list) as usize).map(move |position| {
            let at = list + 1 + EXAMPLE_WORDS * position;
            let bits = self.word(at + 16);
            let optional = |which: usize| (bits >> (which + 1) & 1 == 1).then(|| self.text(at + 4 + 2 * which));
            let pairs = |list: usize| {
                let list = self.word(at + list) as usize;
                let pair = |position: usize| {
                    let at = list + 1 + 4 * position;
                    (self.text(at), self.text(at + 2))
                };
                (0..self.word(list) as usize).map(pair).collect()
            };
            Example {
                server: self.text(at),
                file: self.text(at + 2),
                files: pairs(18),
                fixed: optional(0),
                persisted: optional(1),
                snapshot: optional(2),
                path: optional(3),
                cluster: optional(4),
                missing: optional(5),
                finds: bits & 1 == 1,
                facts: pairs(17),
            }
        })
    }

    pub(super) fn word(self, at: usize) -> u32 {
        self.set.words.get(at).copied().unwrap_or_default()
    }

    pub(super) fn text(self, at: usize) -> &'a str {
        let offset = self.word(at) as usize;
        self.set.pool.get(offset..offset + self.word(at + 1) as usize).unwrap_or_default()
    }

    pub(super) fn pool(self) -> &'a str {
        self.set.pool
    }

    pub(super) fn words_from(self, at: usize) -> &'a [u32] {
        self.set.words.get(at..).unwrap_or_default()
    }

    /// Code behind the number of its words; `None` where there is no code.
    pub(super) fn code(self, at: usize) -> Option<&'a [u32]> {
        let length = self.word(at) as usize;
        self.set.words.get(at + 1..at + 1 + length).filter(|code| !code.is_empty())
    }

    pub(super) fn field(self, field: usize) -> usize {
        self.word(self.head + field) as usize
    }

    fn names_of(self, field: usize) -> impl Iterator<Item = NameId> {
        let list = self.field(field);
        let names = self.set.words.get(list + 1..list + 1 + self.word(list) as usize).unwrap_or_default();
        names.iter().copied().map(NameId)
    }

    /// The ranges of a list, and where the list ends.
    fn ranges(self, list: usize) -> (impl Iterator<Item = Range> + use<'a>, usize) {
        let count = self.word(list) as usize;
        let ranges = (0..count).map(move |position| {
            let at = list + 1 + 3 * position;
            let version = |at| Version::unpacked(self.word(at));
            Range { flavors: self.word(at), from: version(at + 1), before: version(at + 2) }
        });
        (ranges, list + 1 + 3 * count)
    }

    pub(super) fn severity_cases(self) -> impl Iterator<Item = PackedCase<'a>> {
        let list = self.field(field::SEVERITIES);
        let count = if list == 0 { 0 } else { self.word(list) };
        let mut at = list + 1;
        (0..count).map(move |_| {
            let head = at;
            at = self.word(head + 1) as usize;
            let (_, code) = self.ranges(head + 2);
            PackedCase { rule: self, severity: severity(self.word(head)), ranges: head + 2, when: self.code(code) }
        })
    }
}

/// A severity under a condition.
pub(super) struct PackedCase<'a> {
    rule: Rule<'a>,
    pub(super) severity: Severity,
    ranges: usize,
    pub(super) when: Option<&'a [u32]>,
}

impl PackedCase<'_> {
    pub(super) fn applies(&self, server: Server) -> bool {
        let (mut ranges, end) = self.rule.ranges(self.ranges);
        end == self.ranges + 1 || ranges.any(|range| range.contains(server))
    }
}

pub(super) const fn safety(number: u32) -> Safety {
    match number {
        0 => Safety::Safe,
        1 => Safety::Unsafe,
        _ => Safety::Manual,
    }
}

const fn severity(number: u32) -> Severity {
    match number {
        0 => Severity::Advice,
        1 => Severity::Warning,
        _ => Severity::Error,
    }
}
