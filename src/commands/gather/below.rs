//! What a file is, and which files below a directory belong together.

use super::{Gathering, Mistake, absolute, has_includes, is_fragment, is_root_name, reached};
use cnflint::input::{carrier, foreign};
use cnflint::optionfile::is_option_file;
use cnflint::source::FileKind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Directories are not followed deeper: links can lead in circles.
const DEEPEST: usize = 24;

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

impl Gathering<'_> {
    /// A file that was named.
    pub(super) fn named(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Mistake> {
        let shown = path.display();
        if self.carrier(path, bytes, false)? {
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

    /// The servers of a carrier, unless its project excludes it; whether it is one. Its bytes are kept where they were given and lie
    /// on no disk.
    pub(super) fn carrier(&mut self, path: &Path, bytes: &[u8], is_given: bool) -> Result<bool, Mistake> {
        // What is wrong with a template is told when it is linted.
        let filled = self.fill.as_ref().and_then(|fill| fill.fill_carrier(path, bytes).ok().flatten());
        let read = filled.as_ref().map_or(bytes, |filled| &filled.bytes);
        let Some(carrier) = carrier::read(path, read) else { return Ok(false) };
        if self.is_excluded(path)? {
            return Ok(true);
        }
        let names: Vec<_> = carrier.servers.iter().map(|server| server.name.as_str()).collect();
        self.gathered.taken.push(format!("{}: {} ({})", path.display(), carrier.kind, names.join("; ")));
        for (index, server) in carrier.servers.iter().enumerate() {
            let named = server.files.iter().map(|name| path.with_file_name("").join(name));
            let beside: Vec<_> = named
                .flat_map(|path| carrier::files_at(self.files, &path))
                .filter(|path| self.files.kind(path).is_ok())
                .collect();
            if server.parts.is_empty() && beside.is_empty() {
                continue;
            }
            self.beside.extend(beside.iter().map(|path| absolute(&self.place.working_directory, path)));
            let given = is_given.then(|| bytes.to_vec());
            self.add(vec![(path.to_owned(), given)], server.is_fragment, false)?;
            if let Some(subject) = self.gathered.subjects.last_mut() {
                subject.carried = Some(index);
            }
        }
        Ok(true)
    }

    /// Every server and every loose file below a directory.
    pub(super) fn directory(&mut self, directory: &Path) -> Result<(), Mistake> {
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
                    if !self.carrier(&path, &bytes, false)?
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
}
