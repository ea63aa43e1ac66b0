//! From the arguments to the servers that are looked at: which files belong together, and which stand alone.

mod below;
#[cfg(test)]
mod tests;

use super::fill::Definitions;
use super::overlay::Overlay;
use super::project;
use crate::cli::TargetArguments;
use cnflint::input::filled::Fill;
use cnflint::lint::{ServerSource, Subject};
use cnflint::optionfile::is_option_file;
use cnflint::project::{Projects, lexical};
use cnflint::report::human::Mistake;
use cnflint::source::{FileKind, Files};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Includes are not followed deeper: the servers stop at ten.
const DEEPEST_INCLUDE: usize = 10;

/// Where cnflint runs.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Where relative paths start.
    pub working_directory: PathBuf,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// Where a server on this host looks for option files, in its order.
    pub default_files: Vec<PathBuf>,
}

/// What was gathered.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The servers, each with its files.
    pub subjects: Vec<Subject>,
    /// The candidate of `--as`: its place and its bytes.
    pub candidate: Option<(PathBuf, Vec<u8>)>,
    /// What could not be read, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
    /// What the user should know about the choice.
    pub notes: Vec<String>,
    /// What each file was taken for.
    pub taken: Vec<String>,
    /// What was named and is left alone, since it holds nothing of a server, and why.
    pub left_alone: Vec<String>,
    /// How many files are excluded by their project.
    pub excluded: usize,
}

/// Finds out what is to be linted.
///
/// # Errors
/// When the arguments contradict each other.
pub fn gather(
    arguments: &TargetArguments,
    files: &dyn Files,
    standard_input: &mut dyn Read,
    place: &Place,
    projects: &mut Projects,
) -> Result<Gathered, Mistake> {
    let dashes = arguments.standard_input();
    if let [first, second, ..] = dashes.as_slice() {
        return Err(wrong(format!("standard input can be read once, and both {first} and {second} ask for it")));
    }
    let (gathered, beside) = (Gathered::default(), BTreeSet::new());
    let fill = Definitions::of(arguments, files)?;
    let mut gathering = Gathering {
        arguments,
        files,
        standard_input,
        place,
        projects,
        gathered,
        own: None,
        beside,
        fill: fill.clone(),
    };
    gathering.option_files()?;
    gathering.beside_option_files()?;
    let mut gathered = gathering.gathered;
    if let Some(fill) = fill {
        gathered.subjects.iter_mut().for_each(|subject| subject.fill = Some(Arc::clone(&fill)));
    }
    Ok(gathered)
}

fn wrong(message: String) -> Mistake {
    Mistake { message, ..Mistake::default() }
}

struct Gathering<'a> {
    arguments: &'a TargetArguments,
    files: &'a dyn Files,
    standard_input: &'a mut dyn Read,
    place: &'a Place,
    projects: &'a mut Projects,
    gathered: Gathered,
    /// What the option files of this host include, once somebody asked.
    own: Option<BTreeSet<PathBuf>>,
    /// The files that carriers mount into their servers, by absolute path.
    beside: BTreeSet<PathBuf>,
    /// What templates are filled in with.
    fill: Option<Arc<dyn Fill>>,
}

impl Gathering<'_> {
    fn option_files(&mut self) -> Result<(), Mistake> {
        if let Some(as_path) = &self.arguments.as_path {
            return self.candidate(as_path);
        }
        if self.arguments.paths.is_empty() {
            if self.arguments.snapshot.is_empty() {
                self.own_files()?;
            }
            return Ok(());
        }
        for path in &self.arguments.paths {
            if path.as_os_str() == "-" {
                let name = self.arguments.stdin_filename.clone().unwrap_or_else(|| "<stdin>".into());
                if let Some(bytes) = self.bytes(path) {
                    let fragment = is_fragment(&name, &bytes);
                    if !self.carrier(&name, &bytes, true)? && !self.is_excluded(&name)? {
                        self.add(vec![(name, Some(bytes))], fragment, false)?;
                    }
                }
                continue;
            }
            match self.files.kind(path) {
                Ok(FileKind::Directory) => self.directory(path)?,
                Ok(FileKind::File { .. }) if self.is_excluded(path)? => {}
                Ok(FileKind::File { .. }) => {
                    if let Some(bytes) = self.bytes(path) {
                        self.named(path, &bytes)?;
                    }
                }
                Err(error) => {
                    self.gathered.unreadable.push((path.clone(), error));
                    if let Some(command) = meant_command(path) {
                        self.gathered.notes.push(format!("did you mean the command `cnflint {command}`?"));
                    }
                }
            }
        }
        Ok(())
    }

    /// A file that was named or found.
    fn file(&mut self, path: &Path, is_fragment: bool) -> Result<(), Mistake> {
        let kind = if is_fragment { "option file, one of several" } else { "option file" };
        self.gathered.taken.push(format!("{}: {kind}", path.display()));
        self.look(path)?;
        let root = self.root_of(path);
        let own = root.is_none() && self.is_own(path);
        self.add(vec![(path.to_owned(), None)], is_fragment, own)?;
        if own || root.is_some() {
            return Ok(());
        }
        let read = existing(self.files, &self.place.default_files);
        // It may be another name of a file that is read, such as what a link leads to.
        let content = |path: &Path| self.files.read(path).ok();
        if !read.is_empty() && !read.iter().any(|other| content(other) == content(path)) {
            self.read_instead(read);
        }
        Ok(())
    }

    /// What the server on this host reads instead of the last subject.
    fn read_instead(&mut self, files: Vec<PathBuf>) {
        if let Some(subject) = self.gathered.subjects.last_mut() {
            subject.host_reads = files;
        }
    }

    /// The files that the server on this host reads.
    fn own_files(&mut self) -> Result<(), Mistake> {
        let roots: Vec<_> = existing(self.files, &self.place.default_files);
        if roots.is_empty() {
            return Ok(());
        }
        self.add(roots.into_iter().map(|path| (path, None)).collect(), false, true)
    }

    /// Whether its project excludes a path.
    fn is_excluded(&mut self, path: &Path) -> Result<bool, Mistake> {
        self.look(path)?;
        let absolute = self.absolute(path);
        let excluded = self.projects.of(path).is_some_and(|project| project.exclude.matches(&absolute));
        self.gathered.excluded += usize::from(excluded);
        Ok(excluded)
    }

    fn look(&mut self, path: &Path) -> Result<(), Mistake> {
        self.projects.look(path, self.files).map(|_| ()).map_err(project::mistake)
    }

    /// Where absolute include paths of a file start.
    fn root_of(&self, path: &Path) -> Option<PathBuf> {
        let of_project = || self.projects.of(path).and_then(|project| project.root.clone());
        self.arguments.root.clone().or_else(of_project)
    }

    /// One file as if it stood at another path, with the installed rest around it.
    fn candidate(&mut self, as_path: &Path) -> Result<(), Mistake> {
        let [path] = self.arguments.paths.as_slice() else {
            return Err(wrong("--as says where one file is going to stand: give exactly one PATH".to_owned()));
        };
        let as_path = self.absolute(as_path);
        let Some(bytes) = self.bytes(path) else { return Ok(()) };
        let fragment = is_fragment(&as_path, &bytes);
        let overlay = Overlay { below: self.files, file: Some((as_path.clone(), bytes)) };
        let roots = existing(&overlay, &self.place.default_files);
        let include_root = self.arguments.root.as_deref();
        let read = roots.iter().any(|root| reached(&overlay, root, include_root, self.place).contains(&as_path));
        self.gathered.candidate = overlay.file;
        if read || roots.contains(&as_path) {
            self.add(roots.into_iter().map(|root| (root, None)).collect(), false, true)?;
        } else {
            let shown = as_path.display();
            self.gathered.notes.push(if roots.is_empty() {
                format!("this host has no option files, so {shown} is linted alone")
            } else {
                format!("no option file of this host includes {shown}, so it is linted alone")
            });
            self.add(vec![(as_path, None)], fragment, true)?;
            self.read_instead(roots);
        }
        Ok(())
    }

    /// Snapshots and persisted variables belong to one server.
    fn beside_option_files(&mut self) -> Result<(), Mistake> {
        let read = |gathering: &mut Self, path: &PathBuf| {
            let name = if path.as_os_str() == "-" { "<stdin>".into() } else { path.clone() };
            gathering.bytes(path).map(|bytes| (name, bytes))
        };
        let snapshots: Vec<_> = self.arguments.snapshot.iter().filter_map(|path| read(self, path)).collect();
        let persisted = self.arguments.persisted.as_ref().and_then(|path| read(self, path));
        if snapshots.is_empty() && persisted.is_none() {
            return Ok(());
        }
        if self.gathered.subjects.is_empty() && self.gathered.unreadable.is_empty() {
            for (path, _) in snapshots.iter().chain(&persisted) {
                self.look(path)?;
            }
            self.add(Vec::new(), false, false)?;
        }
        match self.gathered.subjects.as_mut_slice() {
            [] => Ok(()),
            [subject] => {
                subject.snapshots = snapshots;
                subject.persisted = persisted;
                Ok(())
            }
            several => Err(wrong(format!(
                "--snapshot and --persisted come from one server, and the paths name {}",
                several.len()
            ))),
        }
    }

    fn add(&mut self, roots: Vec<(PathBuf, Option<Vec<u8>>)>, fragment: bool, own_files: bool) -> Result<(), Mistake> {
        for (path, _) in &roots {
            self.look(path)?;
        }
        let of_first = || roots.first().and_then(|(path, _)| self.root_of(path));
        let include_root = if own_files { self.arguments.root.clone() } else { of_first() };
        self.gathered.subjects.push(Subject {
            roots,
            fragment,
            server: self.arguments.server.map(|server| (server, ServerSource::Flag)),
            working_directory: self.place.working_directory.clone(),
            home: self.place.home.clone(),
            include_root,
            own_files,
            ..Subject::default()
        });
        Ok(())
    }

    fn bytes(&mut self, path: &Path) -> Option<Vec<u8>> {
        let read = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            self.standard_input.read_to_end(&mut bytes).map(|_| bytes)
        } else {
            self.files.read(path)
        };
        read.map_err(|error| self.gathered.unreadable.push((path.to_owned(), error))).ok()
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        absolute(&self.place.working_directory, path)
    }

    /// Whether the server on this host reads the file.
    fn is_own(&mut self, path: &Path) -> bool {
        if self.arguments.root.is_some() {
            return false;
        }
        let path = self.absolute(path);
        let (files, place) = (self.files, self.place);
        let all = || place.default_files.iter().flat_map(|root| reached(files, root, None, place)).collect();
        place.default_files.contains(&path) || self.own.get_or_insert_with(all).contains(&path)
    }
}

fn existing(files: &dyn Files, paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|path| matches!(files.kind(path), Ok(FileKind::File { .. }))).cloned().collect()
}

fn absolute(start: &Path, path: &Path) -> PathBuf {
    lexical(&start.join(path))
}

/// The command that a path which does not exist looks like.
fn meant_command(path: &Path) -> Option<&'static str> {
    let written = path.to_str().filter(|text| !text.contains(['/', '.']))?;
    crate::cli::COMMANDS.into_iter().find(|command| strsim::osa_distance(command, written) <= 2)
}

/// A name that servers look for.
fn is_root_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "my.cnf" || name == "my.ini" || name == ".my.cnf")
}

/// Whether the file is a piece of a configuration: it lies in a directory of pieces, and includes nothing itself.
fn is_fragment(path: &Path, bytes: &[u8]) -> bool {
    let directory = path.parent().and_then(Path::file_name);
    let holds_pieces = directory.is_some_and(|name| name.as_encoded_bytes().ends_with(b".d"));
    holds_pieces && !has_includes(bytes)
}

fn has_includes(bytes: &[u8]) -> bool {
    includes(bytes).next().is_some()
}

/// The include lines of a file: whether it is a directory that is included, and the path as written. What a server makes
/// of them is not decided here; this only tells which files belong together.
fn includes(bytes: &[u8]) -> impl Iterator<Item = (bool, PathBuf)> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| {
        let directive = line.trim_ascii().strip_prefix(b"!")?;
        let directory = directive.strip_prefix(b"includedir");
        let rest = directory.or_else(|| directive.strip_prefix(b"include"))?;
        let path = String::from_utf8_lossy(rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"\t"))?).into_owned();
        Some((directory.is_some(), PathBuf::from(path.trim())))
    })
}

/// Every file that a file leads to by its includes, by absolute path.
fn reached(files: &dyn Files, root: &Path, include_root: Option<&Path>, place: &Place) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![(absolute(&place.working_directory, root), 0)];
    while let Some((path, depth)) = open.pop() {
        let Ok(bytes) = files.read(&path) else { continue };
        for (is_directory, written) in includes(&bytes) {
            let written = match (include_root, written.strip_prefix("/")) {
                (Some(root), Ok(below)) => root.join(below),
                _ => written,
            };
            let included = absolute(&place.working_directory, &written);
            let new = if is_directory {
                let names = files.list(&included).unwrap_or_default();
                names.into_iter().map(|name| included.join(name)).filter(|path| is_option_file(path)).collect()
            } else {
                vec![included]
            };
            for path in new {
                if found.insert(path.clone()) && depth < DEEPEST_INCLUDE {
                    open.push((path, depth + 1));
                }
            }
        }
    }
    found
}
