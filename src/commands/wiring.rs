//! Where the commands meet the rooms of the library that know rules, options and this host.

use super::effective::{EffectiveView, OriginView, SettingView};
use super::init::Seen;
use cnflint::catalog;
use cnflint::effective::{Effective, Foreign};
use cnflint::input::persisted::{self, PersistedVariable};
use cnflint::lint::{self, InputError, Report, Start, Subject};
use cnflint::optionfile::{self, ReadOptions, groups_read};
use cnflint::pages::{self, RulePage};
use cnflint::report::human::Mistake;
use cnflint::rules::{RuleFileError, RuleSet, SiteRules, StaticCatalog, built_in, compile_site};
use cnflint::server::{Flavor, Server};
use cnflint::source::{FileId, Files, SourceFile, Sources};
use cnflint::target;
use cnflint::value::{Value, show};
use std::fs;
use std::path::{Path, PathBuf};

/// Every rule: the program's own and the site's.
#[derive(Default)]
pub struct Rules {
    site: SiteRules,
}

impl Rules {
    /// The program's own rules, and those in the site's directories.
    ///
    /// # Errors
    /// A directory that cannot be read, or a mistake in a rule file.
    pub fn load(directories: &[&Path]) -> Result<Self, Mistake> {
        if directories.is_empty() {
            return Ok(Self::default());
        }
        let unreadable = |path: &Path, error: &std::io::Error| Mistake {
            message: format!("cannot read {}: {error}", path.display()),
            ..Mistake::default()
        };
        let mut paths = Vec::new();
        for directory in directories {
            rule_files(directory, &mut paths).map_err(|error| unreadable(directory, &error))?;
        }
        paths.sort();
        paths.dedup();
        let read = |path: PathBuf| match fs::read_to_string(&path) {
            Ok(text) => Ok((path, text)),
            Err(error) => Err(unreadable(&path, &error)),
        };
        let files = paths.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        compile_site(&files, built_in(), &StaticCatalog).map(|site| Self { site }).map_err(|errors| mistake_of(&errors))
    }

    /// The packed rules.
    pub fn sets(&self) -> [RuleSet<'_>; 2] {
        [built_in(), self.site.rules()]
    }

    /// What people are told about each rule.
    pub fn pages(&self) -> Vec<RulePage> {
        self.sets().into_iter().flat_map(RuleSet::iter).map(pages::rule).collect()
    }

    /// Lints one server and adds what it found to the report; what could not be read is returned.
    pub fn lint(&self, files: &dyn Files, subject: Subject, report: &mut Report) -> Vec<InputError> {
        let sets = self.sets();
        lint::lint(files, subject, &sets, report)
    }
}

fn rule_files(directory: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            rule_files(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The first fault with its place, and how many more there are.
fn mistake_of(errors: &[RuleFileError]) -> Mistake {
    let Some(first) = errors.first() else { return Mistake::default() };
    let others: Vec<_> = errors[1..].iter().map(ToString::to_string).collect();
    let message = if others.is_empty() {
        first.message.clone()
    } else {
        format!("{}\nand: {}", first.message, others.join("\nand: "))
    };
    let place = (first.path.display().to_string(), first.text.0.to_string(), first.span.clone());
    Mistake { message, help: first.help.clone(), place: Some(place) }
}

/// The settings that a program would end up with.
///
/// # Errors
/// When a file cannot be read.
pub fn effective(files: &dyn Files, subject: Subject, program: &str) -> Result<EffectiveView, Mistake> {
    let mut sources = Sources::default();
    let mut errors = Vec::new();
    let Start { roots, server: carried } = lint::start(files, &subject, &mut sources, &mut errors);
    if let Some(error) = errors.first() {
        return Err(Mistake { message: error.to_string(), ..Mistake::default() });
    }
    let options = |server| ReadOptions {
        server,
        working_directory: subject.working_directory.clone(),
        home: subject.home.clone(),
        include_root: subject.include_root.clone(),
    };
    let newest = Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) };
    let first_look = optionfile::read(&mut sources, files, &roots, &options(newest));
    let candidates = target::decide(subject.server.or(carried), &first_look);
    // Of several servers the newest: what an upgrade ends up with.
    let server = candidates.servers.last().copied().unwrap_or(newest);
    let document = optionfile::read(&mut sources, files, &roots, &options(server));
    let groups = groups_read(program, server);
    let is_server = ["mysqld", "mariadbd"].contains(&program);
    let settings = if is_server {
        let persisted = persisted(&subject.persisted, server, &mut sources)?;
        let foreign: Vec<_> = persisted.iter().map(|(file, variable)| Foreign::persisted(*file, variable)).collect();
        let effective = Effective::new(&document, &groups, server, &foreign);
        effective.settings().iter().map(|setting| setting_view(setting, &effective, &sources)).collect()
    } else {
        Vec::new()
    };
    Ok(EffectiveView {
        server: server.to_string(),
        program: program.to_owned(),
        arguments: optionfile::arguments(&document, &groups),
        settings,
    })
}

/// Which server a subject's files are for, as far as they say.
pub fn seen(files: &dyn Files, subject: &Subject) -> Option<Seen> {
    let (path, _) = subject.roots.first()?;
    let mut sources = Sources::default();
    let mut roots = Vec::new();
    for (path, _) in &subject.roots {
        roots.push(sources.add(SourceFile::new(path, files.read(path).ok()?)));
    }
    let options = ReadOptions {
        server: Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) },
        working_directory: subject.working_directory.clone(),
        home: subject.home.clone(),
        include_root: subject.include_root.clone(),
    };
    let document = optionfile::read(&mut sources, files, &roots, &options);
    Some(Seen { path: path.clone(), server: target::decide(None, &document) })
}

type Persisted = Vec<(FileId, PersistedVariable)>;

/// The persisted variables, where the server has such a thing.
fn persisted(given: &Option<(PathBuf, Vec<u8>)>, server: Server, sources: &mut Sources) -> Result<Persisted, Mistake> {
    let Some((path, bytes)) = given.as_ref().filter(|_| server.reads_persisted_variables()) else {
        return Ok(Vec::new());
    };
    let file = sources.add(SourceFile::new(path, bytes.clone()));
    let read = persisted::parse(&path.to_string_lossy(), bytes)
        .map_err(|error| Mistake { message: error.to_string(), ..Mistake::default() })?;
    Ok(read.variables.into_iter().map(|variable| (file, variable)).collect())
}

fn setting_view(setting: &cnflint::effective::Setting, effective: &Effective<'_>, sources: &Sources) -> SettingView {
    let name = setting.variable.name();
    let holds_one = |text: &[u8]| catalog::secret_within(text).is_some();
    let secret = catalog::is_secret(name)
        || matches!(setting.value.clone().known(), Some(Value::Text(text)) if holds_one(&text));
    let unit = catalog::setting(setting.variable, effective.server).shape.unit;
    let value = setting.value.clone().known().filter(|_| !secret);
    let origin = |index: &usize| {
        let assignment = &effective.assignments[*index];
        let at = sources.on_disk(assignment.name_at);
        let file = sources.get(at.file);
        OriginView {
            file: file.path().display().to_string(),
            line: file.line_of(at.span.start),
            option: String::from_utf8_lossy(&assignment.name).into_owned(),
        }
    };
    SettingView {
        setting: name.to_owned(),
        value: value.map(|value| show(&value, unit).to_string()),
        secret,
        origins: setting.origins.iter().map(origin).collect(),
    }
}

/// Where a server on this host looks for option files.
pub fn default_files(home: Option<&Path>) -> Vec<PathBuf> {
    let server = Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) };
    let mysql_home = std::env::var_os("MYSQL_HOME").map(PathBuf::from);
    optionfile::default_files(server, home, mysql_home.as_deref())
}
