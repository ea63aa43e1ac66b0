//! Finds the `cnflint.toml` of each file.

use super::{Project, ProjectError};
use crate::facts::{FactSource, file};
use crate::source::lexical;
use crate::source::{FileKind, Files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name that is looked for.
pub const FILE_NAME: &str = "cnflint.toml";

/// A `cnflint.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProjectFileError {
    /// The disk does not give it out.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The path as reports show it.
        path: String,
        /// What the disk says.
        error: std::io::Error,
    },
    /// It is not UTF-8.
    #[error("{0} is not UTF-8")]
    NotText(String),
    /// Something is wrong in it, or in a file of facts that it names.
    #[error("{} mistakes in {path}", errors.len())]
    Wrong {
        /// The path as reports show it.
        path: String,
        /// The text.
        text: String,
        /// What is wrong, from the top; at least one.
        errors: Vec<ProjectError>,
    },
}

/// Every `cnflint.toml` of a run.
#[derive(Debug, Default)]
pub struct Projects {
    working_directory: PathBuf,
    /// Nothing is looked for: one file was named, or none is wanted.
    is_settled: bool,
    projects: Vec<Project>,
    /// What was found for each directory.
    by_directory: BTreeMap<PathBuf, Option<usize>>,
}

impl Projects {
    /// Projects that are looked for upward from each file.
    pub fn upward(working_directory: &Path) -> Self {
        Self { working_directory: working_directory.to_owned(), ..Self::default() }
    }

    /// No project at all.
    pub fn none(working_directory: &Path) -> Self {
        Self { is_settled: true, ..Self::upward(working_directory) }
    }

    /// One project for every file.
    ///
    /// # Errors
    /// When it cannot be read, or holds a mistake.
    pub fn named(working_directory: &Path, path: &Path, files: &dyn Files) -> Result<Self, ProjectFileError> {
        let mut projects = Self::upward(working_directory);
        let path = lexical(&working_directory.join(path));
        projects.load(&path, files)?;
        projects.is_settled = true;
        Ok(projects)
    }

    /// Looks for the project of a file, unless that is known already.
    ///
    /// # Errors
    /// When it cannot be read, or holds a mistake.
    pub fn look(&mut self, file: &Path, files: &dyn Files) -> Result<Option<&Project>, ProjectFileError> {
        if !self.is_settled {
            let path = self.absolute(file);
            if let Some(directory) = path.parent() {
                self.look_from(directory, files)?;
            }
        }
        Ok(self.of(file))
    }

    fn look_from(&mut self, directory: &Path, files: &dyn Files) -> Result<Option<usize>, ProjectFileError> {
        if let Some(known) = self.by_directory.get(directory) {
            return Ok(*known);
        }
        let path = directory.join(FILE_NAME);
        let found = if matches!(files.kind(&path), Ok(FileKind::File { .. })) {
            Some(self.load(&path, files)?)
        } else {
            let is_repository = files.kind(&directory.join(".git")).is_ok();
            match directory.parent().filter(|_| !is_repository) {
                Some(parent) => self.look_from(parent, files)?,
                None => None,
            }
        };
        self.by_directory.insert(directory.to_owned(), found);
        Ok(found)
    }

    fn load(&mut self, path: &Path, files: &dyn Files) -> Result<usize, ProjectFileError> {
        let shown = path.strip_prefix(&self.working_directory).unwrap_or(path).to_string_lossy().into_owned();
        let bytes = files.read(path).map_err(|error| ProjectFileError::Unreadable { path: shown.clone(), error })?;
        let text = String::from_utf8(bytes).map_err(|_| ProjectFileError::NotText(shown.clone()))?;
        let wrong = |errors| ProjectFileError::Wrong { path: shown.clone(), text: text.clone(), errors };
        let mut project = Project::parse(path, &shown, text.clone()).map_err(wrong)?;
        self.read_facts(&mut project, files)?;
        self.projects.push(project);
        Ok(self.projects.len() - 1)
    }

    /// Adds the facts of the files that a project names.
    fn read_facts(&self, project: &mut Project, files: &dyn Files) -> Result<(), ProjectFileError> {
        let (path, text) = (project.shown.clone(), project.text.clone());
        let scopes = project.paths.iter_mut().map(|entry| &mut entry.scope).chain([&mut project.general]);
        for scope in scopes {
            let Some(named) = &scope.facts_file else { continue };
            let shown = named.value.strip_prefix(&self.working_directory).unwrap_or(&named.value);
            let shown = shown.to_string_lossy().into_owned();
            let bytes = files.read(&named.value).map_err(|error| ProjectFileError::Wrong {
                path: path.clone(),
                text: text.clone(),
                errors: vec![ProjectError::Unreadable { path: shown.clone(), error, span: named.span.clone() }],
            })?;
            let text = String::from_utf8(bytes).map_err(|_| ProjectFileError::NotText(shown.clone()))?;
            let parsed = file::parse(&shown, &text).map_err(|error| ProjectFileError::Wrong {
                path: shown.clone(),
                text: text.clone(),
                errors: vec![error.into()],
            })?;
            // What is written in the project's own file is nearer.
            for (id, known) in parsed.iter() {
                let source = FactSource::Configuration(shown.clone());
                scope.facts.set_if_unknown(id, known.value.clone(), source);
            }
        }
        Ok(())
    }

    /// The project of a file that was looked for.
    pub fn of(&self, file: &Path) -> Option<&Project> {
        if self.is_settled || self.projects.is_empty() {
            return self.projects.first();
        }
        let path = self.absolute(file);
        let known = path.ancestors().skip(1).find_map(|directory| self.by_directory.get(directory))?;
        known.and_then(|index| self.projects.get(index))
    }

    /// Every project that was found.
    pub fn all(&self) -> &[Project] {
        &self.projects
    }

    /// A path from the root, without `.` and `..`; links stay.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        lexical(&self.working_directory.join(path))
    }
}
