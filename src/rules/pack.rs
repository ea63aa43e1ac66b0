//! Compiled rules to one pool of texts and one list of words.
//!
//! Word 0 is the number of rules, then come where each rule begins, then the rules. A rule begins with the fixed words of
//! [`field`]; a text is offset and length in the pool, a list is where it begins in the words (0: there is none) and begins with
//! its length.

use super::applies::Range;
use super::names::CHECKS;
use crate::expr::{Checked, CodeError, NameId, Pool, Template, compile};

/// Where the parts of a rule stand, counted from its first word.
pub(super) mod field {
    pub const ID: usize = 0;
    pub const AREA: usize = 2;
    pub const SUMMARY: usize = 4;
    pub const WHY: usize = 6;
    pub const CONDITION_TEXT: usize = 8;
    pub const MESSAGE_TEXT: usize = 10;
    pub const POINTS_AT: usize = 12;
    pub const CHECK: usize = 14;
    pub const SEVERITY: usize = 16;
    pub const SEVERITIES: usize = 17;
    pub const APPLIES: usize = 18;
    pub const CONDITION: usize = 19;
    pub const SET_ONE_OF: usize = 20;
    pub const AT: usize = 21;
    pub const MESSAGE: usize = 22;
    pub const FIX: usize = 23;
    pub const LINKS: usize = 24;
    pub const NAMES: usize = 25;
    pub const EXAMPLES: usize = 26;
    /// The position of the check in [`CHECKS`](super::super::names::CHECKS), counted from 1; 0: none.
    pub const CHECK_AT: usize = 27;
    pub const SAID_BY: usize = 28;
    pub const COUNT: usize = 30;
}

/// What a planned change does, as a word.
pub(super) mod change {
    pub const SET_SETTING: u32 = 0;
    pub const SET_TARGET: u32 = 1;
    pub const REMOVE: u32 = 2;
    pub const RENAME: u32 = 3;
}

/// The number of words of a packed example, see [`example`].
pub(super) const EXAMPLE_WORDS: usize = 19;

/// A rule that is ready to be packed.
#[derive(Clone, Debug)]
pub struct CompiledRule {
    /// The id, from the file's name.
    pub id: String,
    /// The area, from the directory's name.
    pub area: String,
    /// The class of fault, in one line.
    pub summary: String,
    /// The position in [`SEVERITIES`].
    pub severity: u32,
    /// Other severities under conditions; the first that holds counts.
    pub severities: Vec<SeverityCase>,
    /// The servers it is about.
    pub applies: Vec<Range>,
    /// The condition and its text.
    pub condition: Option<(String, Checked)>,
    /// Settings of which at least one must be set for the condition to hold; empty where that cannot be proved.
    pub set_one_of: Vec<NameId>,
    /// The settings and models whose origins the finding points at.
    pub at: Vec<NameId>,
    /// The message and its text.
    pub message: Option<(String, Template)>,
    /// What to do.
    pub fix: Option<CompiledFix>,
    /// The rule that owns the fix when it fires too.
    pub points_at: Option<String>,
    /// The subject of the check written in Rust.
    pub check: Option<String>,
    /// Who says it, where neither a condition nor a check does.
    pub said_by: Option<String>,
    /// Why it matters.
    pub why: String,
    /// Sources.
    pub links: Vec<String>,
    /// Its examples.
    pub examples: Vec<Example<String>>,
}

/// The severities in the order of their numbers, mildest first.
pub const SEVERITIES: [&str; 3] = ["advice", "warning", "error"];
/// The safeties of a fix in the order of their numbers.
pub const SAFETIES: [&str; 3] = ["safe", "unsafe", "manual"];

/// A severity under a condition.
#[derive(Clone, Debug)]
pub struct SeverityCase {
    /// The position in [`SEVERITIES`].
    pub severity: u32,
    /// The servers on which it counts; empty for all.
    pub applies: Vec<Range>,
    /// The condition under which it counts.
    pub when: Option<Checked>,
}

/// A fix that is ready to be packed.
#[derive(Clone, Debug)]
pub struct CompiledFix {
    /// The position in [`SAFETIES`].
    pub safety: u32,
    /// What it does, in words.
    pub text: Option<Template>,
    /// What it changes.
    pub changes: Vec<CompiledChange>,
}

/// A change that is ready to be packed.
#[derive(Clone, Debug)]
pub enum CompiledChange {
    /// A setting gets a value, or stands bare.
    SetSetting(NameId, Option<Checked>),
    /// Whatever a target means on the server gets a value, or needs none.
    SetTarget(String, Option<Checked>),
    /// All lines of a setting go.
    Remove(NameId),
    /// The line keeps its value under another option's name.
    Rename {
        /// The option as it is written.
        from: String,
        /// The option to write.
        to: String,
    },
}

/// One example of a rule: its test and its documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Example<T> {
    /// The server, as `--server` takes it.
    pub server: T,
    /// The facts by name, as a facts file writes their values.
    pub facts: Vec<(T, T)>,
    /// The option file.
    pub file: T,
    /// Where it stands, when not at `/etc/my.cnf`, which is what the host's server reads.
    pub path: Option<T>,
    /// What lies beside it, by path.
    pub files: Vec<(T, T)>,
    /// How the server works together with those that the other files configure, one each.
    pub cluster: Option<T>,
    /// The path that its host does not have, when it has all others.
    pub missing: Option<T>,
    /// Whether the rule fires.
    pub finds: bool,
    /// The option file after the fix.
    pub fixed: Option<T>,
    /// The persisted variables (`mysqld-auto.cnf`) beside it.
    pub persisted: Option<T>,
    /// What a client printed of the running server.
    pub snapshot: Option<T>,
}

/// Packs rules in the order given.
///
/// # Errors
/// When texts or code have outgrown their offsets.
pub fn pack(rules: &[CompiledRule]) -> Result<(String, Vec<u32>), CodeError> {
    let mut packer = Packer { pool: Pool::default(), words: vec![0; 1 + rules.len()] };
    packer.words[0] = offset(rules.len())?;
    for (position, rule) in rules.iter().enumerate() {
        packer.words[1 + position] = packer.here()?;
        packer.rule(rule)?;
    }
    Ok((packer.pool.into_text(), packer.words))
}

fn offset(position: usize) -> Result<u32, CodeError> {
    u32::try_from(position).map_err(|_| CodeError::TooLarge)
}

struct Packer {
    pool: Pool,
    words: Vec<u32>,
}

impl Packer {
    fn here(&self) -> Result<u32, CodeError> {
        offset(self.words.len())
    }

    fn rule(&mut self, rule: &CompiledRule) -> Result<(), CodeError> {
        let head = self.words.len();
        self.words.resize(head + field::COUNT, 0);
        let empty = String::new();
        let condition = rule.condition.as_ref();
        for (field, text) in [
            (field::ID, &rule.id),
            (field::AREA, &rule.area),
            (field::SUMMARY, &rule.summary),
            (field::WHY, &rule.why),
            (field::CONDITION_TEXT, condition.map_or(&empty, |(text, _)| text)),
            (field::MESSAGE_TEXT, rule.message.as_ref().map_or(&empty, |(text, _)| text)),
            (field::POINTS_AT, rule.points_at.as_ref().unwrap_or(&empty)),
            (field::CHECK, rule.check.as_ref().unwrap_or(&empty)),
            (field::SAID_BY, rule.said_by.as_ref().unwrap_or(&empty)),
        ] {
            let (offset, length) = self.pool.store(text)?;
            self.words[head + field..head + field + 2].copy_from_slice(&[offset, length]);
        }
        let check = rule.check.as_ref().and_then(|check| CHECKS.iter().position(|known| known == check));
        self.words[head + field::CHECK_AT] = offset(check.map_or(0, |position| position + 1))?;
        self.words[head + field::SEVERITY] = rule.severity;
        self.words[head + field::APPLIES] = self.here()?;
        self.ranges(&rule.applies);
        if !rule.severities.is_empty() {
            self.words[head + field::SEVERITIES] = self.here()?;
            self.severities(&rule.severities)?;
        }
        if let Some((_, condition)) = condition {
            self.words[head + field::CONDITION] = self.here()?;
            self.code(condition)?;
        }
        for (field, names) in
            [(field::SET_ONE_OF, &rule.set_one_of), (field::AT, &rule.at), (field::NAMES, &rule.names())]
        {
            self.words[head + field] = self.here()?;
            self.words.push(names.len() as u32);
            self.words.extend(names.iter().map(|name| name.0));
        }
        if let Some((_, message)) = &rule.message {
            self.words[head + field::MESSAGE] = self.here()?;
            message.compile(&mut self.pool, &mut self.words)?;
        }
        if let Some(fix) = &rule.fix {
            self.words[head + field::FIX] = self.here()?;
            self.fix(fix)?;
        }
        self.words[head + field::LINKS] = self.here()?;
        self.words.push(rule.links.len() as u32);
        for link in &rule.links {
            self.text(link)?;
        }
        self.words[head + field::EXAMPLES] = self.here()?;
        self.examples(&rule.examples)
    }

    fn text(&mut self, text: &str) -> Result<(), CodeError> {
        let (offset, length) = self.pool.store(text)?;
        self.words.extend([offset, length]);
        Ok(())
    }

    /// Code behind the number of its words.
    fn code(&mut self, code: &Checked) -> Result<(), CodeError> {
        let head = self.words.len();
        self.words.push(0);
        compile(code, &mut self.pool, &mut self.words)?;
        self.words[head] = offset(self.words.len() - head - 1)?;
        Ok(())
    }

    fn ranges(&mut self, ranges: &[Range]) {
        self.words.push(ranges.len() as u32);
        for range in ranges {
            self.words.extend([range.flavors, range.from.packed(), range.before.packed()]);
        }
    }

    /// Each case: severity, where the next case begins, ranges, code (no words: no condition).
    fn severities(&mut self, cases: &[SeverityCase]) -> Result<(), CodeError> {
        self.words.push(cases.len() as u32);
        for case in cases {
            let head = self.words.len();
            self.words.extend([case.severity, 0]);
            self.ranges(&case.applies);
            match &case.when {
                Some(when) => self.code(when)?,
                None => self.words.push(0),
            }
            self.words[head + 1] = self.here()?;
        }
        Ok(())
    }

    /// Safety, where the words are (0: none), number of changes; each change: kind, where the next begins, then its parts.
    fn fix(&mut self, fix: &CompiledFix) -> Result<(), CodeError> {
        let head = self.words.len();
        self.words.extend([fix.safety, 0, fix.changes.len() as u32]);
        for change in &fix.changes {
            let head = self.words.len();
            self.words.extend([0, 0]);
            let value = match change {
                CompiledChange::SetSetting(name, value) => {
                    self.words[head] = change::SET_SETTING;
                    self.words.extend([name.0, 0]);
                    value.as_ref()
                }
                CompiledChange::SetTarget(target, value) => {
                    self.words[head] = change::SET_TARGET;
                    self.text(target)?;
                    value.as_ref()
                }
                CompiledChange::Remove(name) => {
                    self.words[head] = change::REMOVE;
                    self.words.extend([name.0, 0]);
                    None
                }
                CompiledChange::Rename { from, to } => {
                    self.words[head] = change::RENAME;
                    self.text(from)?;
                    self.text(to)?;
                    None
                }
            };
            match value {
                Some(value) => self.code(value)?,
                None => self.words.push(0),
            }
            self.words[head + 1] = self.here()?;
        }
        if let Some(text) = &fix.text {
            self.words[head + 1] = self.here()?;
            text.compile(&mut self.pool, &mut self.words)?;
        }
        Ok(())
    }

    /// Each example: server, file, fixed, persisted, snapshot, path, cluster, missing (texts), finds and which of the last six there are (bits), where
    /// its facts and its other files are. These lists follow the examples.
    fn examples(&mut self, examples: &[Example<String>]) -> Result<(), CodeError> {
        self.words.push(examples.len() as u32);
        let mut heads = Vec::with_capacity(examples.len());
        for example in examples {
            let (path, cluster) = (&example.path, &example.cluster);
            let optional = [&example.fixed, &example.persisted, &example.snapshot, path, cluster, &example.missing];
            self.text(&example.server)?;
            self.text(&example.file)?;
            for text in optional {
                self.text(text.as_deref().unwrap_or_default())?;
            }
            let present =
                optional.iter().enumerate().map(|(at, text)| u32::from(text.is_some()) << (at + 1)).sum::<u32>();
            self.words.push(present | u32::from(example.finds));
            heads.push(self.words.len());
            self.words.extend([0, 0]);
        }
        for (example, head) in examples.iter().zip(heads) {
            for (list, pairs) in [&example.facts, &example.files].into_iter().enumerate() {
                self.words[head + list] = self.here()?;
                self.words.push(pairs.len() as u32);
                for (name, value) in pairs {
                    self.text(name)?;
                    self.text(value)?;
                }
            }
        }
        Ok(())
    }
}

impl CompiledRule {
    /// Every name that condition, severities, message or fix read, in order of appearance.
    pub fn names(&self) -> Vec<NameId> {
        let mut names = Vec::new();
        for name in self.expressions().flat_map(Checked::names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Every expression of the rule.
    pub fn expressions(&self) -> impl Iterator<Item = &Checked> {
        let fix = self.fix.as_ref();
        let values = fix.into_iter().flat_map(|fix| &fix.changes).filter_map(|change| match change {
            CompiledChange::SetSetting(_, value) | CompiledChange::SetTarget(_, value) => value.as_ref(),
            CompiledChange::Remove(_) | CompiledChange::Rename { .. } => None,
        });
        let texts = self.message.iter().map(|(_, message)| message).chain(fix.and_then(|fix| fix.text.as_ref()));
        let condition = self.condition.iter().map(|(_, condition)| condition);
        condition
            .chain(self.severities.iter().filter_map(|case| case.when.as_ref()))
            .chain(texts.flat_map(Template::expressions).map(|(expression, _)| expression))
            .chain(values)
    }
}
