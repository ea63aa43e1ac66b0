//! The runner: one target in, findings out.

mod branches;
mod bridge;
mod candidate;
mod carried;
mod compare;
mod init_file;
mod merge;
mod neighbours;
mod remedy;
mod run;
mod statements;
mod unsure;
mod upgrade;

pub use crate::target::{Candidates, Choice, ServerSource};
pub use compare::compare;
pub use run::{InputError, Start, lint, start};

use crate::checks::FaultyPath;
use crate::checks::cluster::Member;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::input::filled::Fill;
use crate::optionfile::Pragma;
use crate::server::{Server, ServerSpec};
use crate::source::{FileId, Location, Sources};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// One server to look at: what it reads, and what is known around it before anything is read.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The option files that the server starts from, in the order in which it reads them; with their bytes where they
    /// do not come from the disk (standard input). What they include is read by the runner.
    pub roots: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// The only root is a carrier, such as a manifest, and this is the server in it, counted from 0.
    pub carried: Option<usize>,
    /// What fills the only root in where it is a template.
    pub fill: Option<Arc<dyn Fill>>,
    /// The file is one piece of a larger configuration: nothing is said about settings that it does not hold.
    pub fragment: bool,
    /// The persisted variables (`mysqld-auto.cnf`), their path and bytes.
    pub persisted: Option<(PathBuf, Vec<u8>)>,
    /// What a client printed of the running server, by name and bytes.
    pub snapshots: Vec<(PathBuf, Vec<u8>)>,
    /// The server, where something outside the files says it.
    pub server: Option<(ServerSpec, ServerSource)>,
    /// The server that is to take its place, where something outside the files says it.
    pub upgrade_to: Option<(ServerSpec, ServerSource)>,
    /// The servers that an earlier look at the same files decided on: they count whatever the files say now.
    pub candidates: Option<Candidates>,
    /// What is known about machine and workload, best source first.
    pub facts: Facts,
    /// Where relative includes start.
    pub working_directory: PathBuf,
    /// What `~` stands for in an include.
    pub home: Option<PathBuf>,
    /// Where absolute include paths start: a repository that holds an `etc` of its own.
    pub include_root: Option<PathBuf>,
    /// These are the files that the server on this host reads, or is going to read.
    pub own_files: bool,
    /// The option files that the server on this host reads instead of these; empty where these are among them, and where
    /// nobody has looked.
    pub host_reads: Vec<PathBuf>,
    /// What is wrong with paths in the files, where somebody looked.
    pub faulty_paths: Vec<FaultyPath>,
    /// The server runs on this host, so that a directory which is not here is not there.
    pub own_host: bool,
    /// It is to be compared with others of its cluster.
    pub compared: bool,
}

/// What a run found out: everything that a report shows.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every file that was read, with its bytes.
    pub sources: Sources,
    /// The servers that were looked at.
    pub targets: Vec<Target>,
    /// What was found, target by target, the worst of each first.
    pub findings: Vec<Located>,
    /// The rules that could not be evaluated.
    pub not_evaluated: Vec<NotEvaluated>,
    /// What comments in the files say to cnflint.
    pub pragmas: Vec<Pragma>,
    /// Findings hidden by comments, configuration or a baseline.
    pub suppressed: u32,
    /// Where secrets stand in the sources: passwords, keys. No report shows these bytes.
    pub secrets: Vec<Location>,
}

/// A finding and the server it is about.
#[derive(Clone, Debug)]
pub struct Located {
    /// The position in [`Report::targets`].
    pub target: usize,
    /// What is said.
    pub finding: Finding,
}

/// One server: its files, what is known about it, and whether it would start.
#[derive(Clone, Debug)]
pub struct Target {
    /// The files that it reads, in the order in which they are read.
    pub files: Vec<FileId>,
    /// What the first of them, a carrier of several files or servers, calls this one: `service db`.
    pub carried: Option<String>,
    /// They are one piece of a larger configuration.
    pub fragment: bool,
    /// The releases that were evaluated: one, or the two ends of a series, or one a candidate.
    pub servers: Vec<Server>,
    /// How the server is called in the report's first line: `mysql-8.0 (8.0.11 to 8.0.46)`.
    pub server_title: String,
    /// From what the server is known.
    pub server_source: ServerSource,
    /// How these releases belong together.
    pub choice: Choice,
    /// What is known about machine and workload.
    pub facts: Facts,
    /// Whether it would start; where several servers were evaluated, the mildest answer.
    pub verdict: Verdict,
    /// Whether each of [`Target::servers`] would start.
    pub verdicts: Vec<Verdict>,
    /// The server that is to take its place.
    pub upgrade: Option<Upgrade>,
    /// What other members of its cluster have to know of it, where somebody compares.
    pub member: Option<Member>,
}

/// A server that is to take another's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The release.
    pub server: Server,
    /// From what it is known.
    pub source: ServerSource,
    /// Whether it would start with the files as they are.
    pub verdict: Verdict,
}

/// Whether the server would start with these settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It starts and says nothing.
    Starts,
    /// It starts and warns.
    StartsWithWarnings,
    /// It refuses.
    Refuses,
}

/// A rule whose fact is missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotEvaluated {
    /// The rule.
    pub rule: Cow<'static, str>,
    /// The position in [`Report::targets`].
    pub target: usize,
    /// What is missing.
    pub missing: Vec<Missing>,
}

/// What would be needed to evaluate a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The name: `host.ram`, or the option whose value is a template's.
    pub name: String,
    /// What kind of thing is missing.
    pub kind: MissingKind,
    /// The flag that would give it.
    pub flag: Option<&'static str>,
}

/// What kind of thing is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingKind {
    /// A fact about machine, workload or running server.
    Fact,
    /// A value that a template fills in.
    Template,
    /// Something that the catalog does not record.
    Catalog,
}
