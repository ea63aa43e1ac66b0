//! What cnflint makes of one line: the way from the bytes of a file to the setting, as every run of cnflint goes it.

use std::path::{Path, PathBuf};

use cnflint::catalog::{Entry, OptionId, Resolved};
use cnflint::checks::{Reaction, reaction_to};
use cnflint::effective::Effective;
use cnflint::optionfile::{ReadOptions, groups_read, read};
use cnflint::server::Server;
use cnflint::source::{MemoryFiles, SourceFile, Sources};
use cnflint::value::{self, Judgement, Outcome, Reading, Shape, Value, Written};

/// What cnflint says of one line.
#[derive(Clone, Debug)]
pub struct Expected {
    /// What the server does about it.
    pub reaction: Reaction,
    /// What the catalog says of the option; none where the name means no single one.
    pub entry: Option<Entry>,
    /// What becomes of the value.
    pub reading: Option<Reading>,
    /// What the variable ends up with.
    pub setting: Outcome<Value<'static>>,
    /// The name as it stands there, with underscores.
    pub name: String,
}

impl Expected {
    /// Of a line below `[mysqld]`.
    pub fn of(server: Server, line: &str) -> Self {
        let mut sources = Sources::default();
        let root = sources.add(SourceFile::new(Path::new("my.cnf"), super::asking::text(&[line]).into_bytes()));
        let options = ReadOptions { server, working_directory: PathBuf::new(), home: None, include_root: None };
        let document = read(&mut sources, &MemoryFiles::default(), &[root], &options);
        let effective = Effective::new(&document, &groups_read("mysqld", server), server, &[]);
        let [assignment] = &effective.assignments[..] else { panic!("`{line}` is no single option") };
        let variable = assignment.entry.as_ref().map(|entry| entry.variable);
        let setting = variable
            .and_then(|variable| effective.get(variable))
            .map_or(Outcome::Absent, |setting| setting.value.clone());
        Self {
            reaction: reaction_to(assignment, server),
            entry: assignment.entry.clone(),
            reading: assignment.reading.clone(),
            setting,
            name: String::from_utf8_lossy(&assignment.name).replace('-', "_"),
        }
    }

    /// Whether cnflint has an opinion.
    pub fn is_judged(&self) -> bool {
        self.reading.as_ref().is_none_or(|reading| reading.judgement != Judgement::NotJudged)
    }

    /// The option that the name means.
    pub fn option(&self) -> Option<OptionId> {
        self.entry.as_ref().map(|entry| entry.id)
    }
}

/// The option that a name means on a server, when it means one.
pub fn meaning(name: &str, server: Server) -> Option<OptionId> {
    match cnflint::catalog::resolve(name.as_bytes(), server) {
        Resolved::Option { id, .. } => Some(id),
        _ => None,
    }
}

/// Foretells anew, as if the catalog held another shape.
pub fn reread(expected: &mut Expected, server: Server, value: &[u8], tamper: impl Fn(&mut Shape<'_>)) {
    let entry = expected.entry.as_mut().expect("an option that the catalog holds");
    tamper(&mut entry.shape);
    let reading = value::read(&entry.shape, server, Written { value: Some(value), ..Written::default() });
    expected.reaction = match reading.judgement {
        Judgement::Refused { .. } => Reaction::Refuses,
        Judgement::Adjusted { warns: true, .. } | Judgement::Misread { warns: true, .. } => Reaction::Warns,
        _ => Reaction::Silent,
    };
    expected.setting = reading.value.clone().map_or(Outcome::Unknown, Outcome::Known);
    expected.reading = Some(reading);
}
