//! From the arguments to the servers that are looked at: which files belong together, and which stand alone.

use super::overlay::Overlay;
use super::project;
use crate::cli::TargetArguments;
use cnflint::input::{carrier, foreign};
use cnflint::lint::{ServerSource, Subject};
use cnflint::optionfile::is_option_file;
use cnflint::project::{Projects, lexical};
use cnflint::report::human::Mistake;
use cnflint::source::{FileKind, Files};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Directories are not followed deeper: links can lead in circles.
const DEEPEST: usize = 24;
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
    let mut gathering = Gathering { arguments, files, standard_input, place, projects, gathered, own: None, beside };
    gathering.option_files()?;
    gathering.beside_option_files()?;
    Ok(gathering.gathered)
}

fn wrong(message: String) -> Mistake {
    Mistake { message, ..Mistake::default() }
}

/// An option file below a directory. Only the few that include others are kept in memory: there may be ten thousand.
struct Found {
    path: PathBuf,
    is_fragment: bool,
    with_includes: Option<Vec<u8>>,
}

impl Found {
    fn new(path: PathBuf, bytes: Vec<u8>) -> Self {
        Self { is_fragment: is_fragment(&path, &bytes), path, with_includes: has_includes(&bytes).then_some(bytes) }
    }

    fn is_root(&self) -> bool {
        self.with_includes.is_some() || is_root_name(&self.path)
    }
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
                    if !self.is_excluded(&name)? {
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

    /// A file that was named.
    fn named(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Mistake> {
        let shown = path.display();
        if self.carrier(path, bytes)? {
            return Ok(());
        }
        if let Some(owner) = foreign::owner(bytes) {
            self.gathered.left_alone.push(format!("{shown} is a file of {owner}, and not linted"));
        } else if carrier::has_name(path) && !carrier::is_template(path, bytes) {
            self.gathered.left_alone.push(format!("{shown} holds no option file and no server's arguments"));
        } else {
            self.file(path, is_fragment(path, bytes))?;
        }
        Ok(())
    }

    /// The servers of a carrier, unless its project excludes it; whether it is one.
    fn carrier(&mut self, path: &Path, bytes: &[u8]) -> Result<bool, Mistake> {
        let Some(carrier) = carrier::read(path, bytes) else { return Ok(false) };
        if self.is_excluded(path)? {
            return Ok(true);
        }
        let names: Vec<_> = carrier.servers.iter().map(|server| server.name.as_str()).collect();
        self.gathered.taken.push(format!("{}: {} ({})", path.display(), carrier.kind, names.join("; ")));
        for (index, server) in carrier.servers.iter().enumerate() {
            let beside = server.files.iter().map(|name| path.with_file_name("").join(name));
            self.beside.extend(beside.map(|path| absolute(&self.place.working_directory, &path)));
            self.add(vec![(path.to_owned(), None)], server.is_fragment, false)?;
            if let Some(subject) = self.gathered.subjects.last_mut() {
                subject.carried = Some(index);
            }
        }
        Ok(true)
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

    /// Every server and every loose file below a directory.
    fn directory(&mut self, directory: &Path) -> Result<(), Mistake> {
        let mut found = Vec::new();
        self.walk(directory, 0, &mut found)?;
        // What a carrier's server reads is linted with it.
        let mut included = self.beside.clone();
        for file in found.iter().filter(|file| file.with_includes.is_some()) {
            let root = self.root_of(&file.path);
            included.extend(reached(self.files, &file.path, root.as_deref(), self.place));
        }
        let mut roots = BTreeSet::new();
        // A link and its target are one file under two names.
        let mut known = BTreeSet::new();
        // The names that servers look for come first: of two equal files the well-known one is kept.
        let (known_names, others): (Vec<_>, Vec<_>) = found.iter().partition(|file| is_root_name(&file.path));
        for file in known_names.into_iter().chain(others) {
            let new = file.with_includes.as_ref().is_none_or(|bytes| known.insert((file.path.parent(), bytes)));
            if new && file.is_root() && !included.contains(&self.absolute(&file.path)) {
                roots.insert(file.path.as_path());
            }
        }
        for file in &found {
            let alone = !file.is_root() && !included.contains(&self.absolute(&file.path));
            let is_beside = self.beside.contains(&self.absolute(&file.path));
            if !is_beside && (alone || roots.contains(file.path.as_path())) {
                self.file(&file.path, file.is_fragment)?;
            }
        }
        Ok(())
    }

    fn walk(&mut self, directory: &Path, depth: usize, found: &mut Vec<Found>) -> Result<(), Mistake> {
        let mut names = match self.files.list(directory) {
            Ok(names) => names,
            Err(error) => {
                self.gathered.unreadable.push((directory.to_owned(), error));
                return Ok(());
            }
        };
        names.sort();
        for name in names {
            let path = directory.join(&name);
            let hidden = name.as_encoded_bytes().starts_with(b".") && name != ".my.cnf";
            match self.files.kind(&path) {
                Ok(FileKind::Directory) if !hidden && depth < DEEPEST => {
                    self.look(&path)?;
                    let absolute = self.absolute(&path);
                    if !self.projects.of(&path).is_some_and(|project| project.exclude.matches(&absolute)) {
                        self.walk(&path, depth + 1, found)?;
                    }
                }
                Ok(FileKind::File { .. }) if !hidden && is_option_file(&path) && !self.is_excluded(&path)? => {
                    if let Some(bytes) = self.bytes(&path).filter(|bytes| foreign::owner(bytes).is_none()) {
                        found.push(Found::new(path, bytes));
                    }
                }
                Ok(FileKind::File { .. })
                    if !hidden && (carrier::has_name(&path) || carrier::has_template_name(&path)) =>
                {
                    // What cannot be read is not known to be meant.
                    let Ok(bytes) = self.files.read(&path) else { continue };
                    if !self.carrier(&path, &bytes)?
                        && carrier::is_template(&path, &bytes)
                        && !self.is_excluded(&path)?
                    {
                        found.push(Found::new(path, bytes));
                    }
                }
                Err(error) if is_option_file(&path) => self.gathered.unreadable.push((path, error)),
                _ => {}
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use cnflint::source::MemoryFiles;

    fn debian() -> MemoryFiles {
        let mut disk = MemoryFiles::default();
        disk.insert("/etc/mysql/my.cnf", "[client-server]\n!includedir /etc/mysql/conf.d/\n");
        disk.insert("/etc/mysql/mariadb.cnf", "[client-server]\n!includedir /etc/mysql/conf.d/\n");
        disk.insert("/etc/mysql/debian.cnf", "[client]\n");
        disk.insert("/etc/mysql/conf.d/a.cnf", "[mysqld]\n");
        disk.insert("/etc/mysql/conf.d/notes.txt", "");
        disk.insert("/etc/mysql/unread.d/z.cnf", "[mysqld]\n");
        disk
    }

    fn place() -> Place {
        Place {
            working_directory: "/srv".into(),
            home: None,
            default_files: vec!["/etc/my.cnf".into(), "/etc/mysql/my.cnf".into()],
        }
    }

    fn gathered(disk: &dyn Files, arguments: TargetArguments) -> Gathered {
        let mut projects = Projects::upward(Path::new("/srv"));
        gather(&arguments, disk, &mut "[mysqld]\nport=1\n".as_bytes(), &place(), &mut projects).unwrap()
    }

    fn paths(list: &[&str]) -> TargetArguments {
        TargetArguments { paths: list.iter().map(PathBuf::from).collect(), ..TargetArguments::default() }
    }

    /// `roots` with `~` for a fragment and `*` for this host's own files.
    fn shown(gathered: &Gathered) -> Vec<String> {
        let mark = |subject: &Subject| {
            let roots: Vec<_> = subject.roots.iter().map(|(path, _)| path.display().to_string()).collect();
            let own = if subject.own_files { "*" } else { "" };
            format!("{}{own}{}", if subject.fragment { "~" } else { "" }, roots.join("+"))
        };
        gathered.subjects.iter().map(mark).collect()
    }

    #[test]
    fn without_a_path_the_hosts_own_files_are_meant() {
        assert_eq!(shown(&gathered(&debian(), paths(&[]))), ["*/etc/mysql/my.cnf"]);
        let mut both = debian();
        both.insert("/etc/my.cnf", "");
        assert_eq!(shown(&gathered(&both, paths(&[]))), ["*/etc/my.cnf+/etc/mysql/my.cnf"]);
        assert!(gathered(&MemoryFiles::default(), paths(&[])).subjects.is_empty());
    }

    #[test]
    fn a_directory_holds_servers_and_loose_files() {
        let found = gathered(&debian(), paths(&["/etc/mysql"]));
        assert_eq!(shown(&found), ["/etc/mysql/debian.cnf", "*/etc/mysql/my.cnf", "~/etc/mysql/unread.d/z.cnf"]);
    }

    #[test]
    fn a_file_is_a_server_and_a_piece_of_a_conf_d_a_fragment() {
        let found = gathered(&debian(), paths(&["/etc/mysql/my.cnf", "/etc/mysql/conf.d/a.cnf", "/gone.cnf"]));
        assert_eq!(shown(&found), ["*/etc/mysql/my.cnf", "~*/etc/mysql/conf.d/a.cnf"]);
        assert_eq!(found.unreadable[0].0, PathBuf::from("/gone.cnf"));
    }

    #[test]
    fn a_repository_resolves_includes_below_its_root() {
        let mut disk = MemoryFiles::default();
        disk.insert("/srv/repo/etc/my.cnf", "!includedir /etc/conf.d\n");
        disk.insert("/srv/repo/etc/conf.d/a.cnf", "");
        let arguments = TargetArguments { root: Some("repo".into()), ..paths(&["/srv/repo"]) };
        assert_eq!(shown(&gathered(&disk, arguments)), ["/srv/repo/etc/my.cnf"]);
        assert_eq!(shown(&gathered(&disk, paths(&["/srv/repo"]))).len(), 2);
    }

    #[test]
    fn a_candidate_joins_the_installed_files_where_they_include_it() {
        let at = |as_path: &str| TargetArguments { as_path: Some(as_path.into()), ..paths(&["-"]) };
        let found = gathered(&debian(), at("/etc/mysql/conf.d/new.cnf"));
        assert_eq!(shown(&found), ["*/etc/mysql/my.cnf"]);
        assert_eq!(found.candidate.unwrap().0, PathBuf::from("/etc/mysql/conf.d/new.cnf"));
        let unread = gathered(&debian(), at("/etc/mysql/unread.d/new.cnf"));
        assert_eq!(shown(&unread), ["~*/etc/mysql/unread.d/new.cnf"]);
        assert!(unread.notes[0].contains("includes /etc/mysql/unread.d/new.cnf"));
        assert_eq!(unread.subjects[0].host_reads, [PathBuf::from("/etc/mysql/my.cnf")]);
        assert_eq!(shown(&gathered(&debian(), at("/etc/my.cnf"))), ["*/etc/my.cnf+/etc/mysql/my.cnf"]);
        let host = MemoryFiles::default();
        assert_eq!(shown(&gathered(&host, at("/etc/mysql/conf.d/new.cnf"))), ["~*/etc/mysql/conf.d/new.cnf"]);
    }

    #[test]
    fn a_file_that_this_hosts_server_does_not_read_knows_what_it_reads() {
        let mut disk = debian();
        disk.insert("/srv/my.cnf", "[mysqld]\n");
        // What /etc/mysql/my.cnf is a link to on Debian.
        let found = gathered(&disk, paths(&["/srv/my.cnf", "/etc/mysql/mariadb.cnf", "/etc/mysql/conf.d/a.cnf"]));
        let reads: Vec<_> = found.subjects.iter().map(|subject| subject.host_reads.len()).collect();
        assert_eq!(reads, [1, 0, 0]);
    }

    #[test]
    fn standard_input_has_a_name_and_is_read_once() {
        let arguments = TargetArguments { stdin_filename: Some("conf.d/x.cnf".into()), ..paths(&["-"]) };
        let found = gathered(&debian(), arguments);
        assert_eq!(shown(&found), ["~conf.d/x.cnf"]);
        assert!(found.subjects[0].roots[0].1.is_some());
        let twice = TargetArguments { snapshot: vec!["-".into()], ..paths(&["-"]) };
        let error = gather(&twice, &debian(), &mut io::empty(), &place(), &mut Projects::default()).unwrap_err();
        assert_eq!(error.message, "standard input can be read once, and both PATH and --snapshot ask for it");
    }

    #[test]
    fn a_snapshot_alone_is_a_server_and_belongs_to_one() {
        let alone = TargetArguments { snapshot: vec!["-".into()], ..TargetArguments::default() };
        let found = gathered(&debian(), alone);
        assert_eq!(found.subjects.len(), 1);
        assert_eq!(found.subjects[0].snapshots.len(), 1);
        let many = TargetArguments { snapshot: vec!["-".into()], ..paths(&["/etc/mysql"]) };
        assert!(gather(&many, &debian(), &mut io::empty(), &place(), &mut Projects::default()).is_err());
    }
}
