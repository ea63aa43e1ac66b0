//! `cnflint.toml` of a run: finds it, hands what it says to the servers, and shows its mistakes.

use crate::cli::TargetArguments;
use cnflint::lint::{ServerSource, Subject};
use cnflint::project::{Cluster, FailsOn, Project, ProjectError, ProjectFileError, Projects};
use cnflint::report::human::Mistake;
use cnflint::rules::RuleSet;
use cnflint::source::Files;
use std::path::{Path, PathBuf};

/// Where projects are looked for.
///
/// # Errors
/// A file that was named and cannot be used.
pub fn projects(arguments: &TargetArguments, start: &Path, files: &dyn Files) -> Result<Projects, Mistake> {
    match &arguments.config {
        _ if arguments.no_config => Ok(Projects::none(start)),
        Some(path) => Projects::named(start, path, files).map_err(mistake),
        None => Ok(Projects::upward(start)),
    }
}

/// The path by which a server's project is known.
pub fn path_of(subject: &Subject, projects: &Projects) -> Option<PathBuf> {
    let roots = subject.roots.iter().map(|(path, _)| path);
    let others = subject.snapshots.iter().chain(&subject.persisted).map(|(path, _)| path);
    let mut paths = roots.chain(others).filter(|path| projects.of(path).is_some());
    paths.next().map(|path| projects.absolute(path))
}

/// Hands a server what its project says, where no flag says otherwise.
pub fn configure(subject: &mut Subject, projects: &Projects) {
    let Some(path) = path_of(subject, projects) else { return };
    let Some(project) = projects.of(&path) else { return };
    let source = |span| ServerSource::Configuration(project.place(span));
    let server = project.server_of(&path).map(|server| (server.value, source(&server.span)));
    subject.server = subject.server.take().or(server);
    let upgrade = project.upgrade_of(&path).map(|server| (server.value, source(&server.span)));
    subject.upgrade_to = subject.upgrade_to.take().or(upgrade);
    subject.facts.fill_from(project.facts_of(&path));
}

/// The clusters that a server belongs to.
pub fn clusters_of<'p>(subject: &Subject, projects: &'p Projects) -> Vec<&'p Cluster> {
    let roots: Vec<_> = subject.roots.iter().map(|(path, _)| projects.absolute(path)).collect();
    let project = path_of(subject, projects).and_then(|path| projects.of(&path));
    let clusters = project.map_or(&[][..], Project::clusters);
    clusters.iter().filter(|cluster| roots.iter().any(|path| cluster.holds(path))).collect()
}

/// The servers in the order in which they are looked at: those of one cluster together, where its first one stands.
pub fn batches(subjects: Vec<Subject>, projects: &Projects) -> Vec<Vec<Subject>> {
    let mut batches: Vec<(Option<&Cluster>, Vec<Subject>)> = Vec::new();
    for subject in subjects {
        let cluster = clusters_of(&subject, projects).first().copied();
        let same =
            |known: &Option<&Cluster>| known.is_some_and(|known| cluster.is_some_and(|new| std::ptr::eq(known, new)));
        match batches.iter_mut().find(|(known, _)| same(known)) {
            Some((_, batch)) => batch.push(subject),
            None => batches.push((cluster, vec![subject])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

/// Whether every rule that the projects name exists.
///
/// # Errors
/// When one does not.
pub fn check_rules(projects: &Projects, rules: &[RuleSet<'_>]) -> Result<(), Mistake> {
    for project in projects.all() {
        let errors = project.check_rules(rules);
        if !errors.is_empty() {
            return Err(wrong(&project.shown, &project.text, &errors));
        }
    }
    Ok(())
}

/// The one baseline that the projects name.
///
/// # Errors
/// When they name several.
pub fn baseline(projects: &Projects) -> Result<Option<PathBuf>, Mistake> {
    let mut named: Vec<_> = projects.all().iter().filter_map(|project| project.baseline.as_ref()).collect();
    named.sort();
    named.dedup();
    match named.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one).clone())),
        several => Err(Mistake {
            message: format!("these files belong to {} projects, each with a baseline of its own", several.len()),
            help: Some("lint one project at a time, or name one file with --baseline".to_owned()),
            place: None,
        }),
    }
}

/// From which severity on a run fails, as the command line says it.
pub fn fail_on(project: Option<&Project>) -> Option<crate::cli::FailOn> {
    use crate::cli::FailOn;
    use cnflint::finding::Severity;
    Some(match project?.fail_on? {
        FailsOn::From(Severity::Error) => FailOn::Error,
        FailsOn::From(Severity::Warning) => FailOn::Warning,
        FailsOn::From(Severity::Advice) => FailOn::Advice,
        FailsOn::Never => FailOn::Never,
    })
}

/// What the user is told of a file that cannot be used.
pub fn mistake(error: ProjectFileError) -> Mistake {
    match error {
        ProjectFileError::Wrong { path, text, errors } => wrong(&path, &text, &errors),
        error => Mistake { message: error.to_string(), ..Mistake::default() },
    }
}

/// The first mistake with its place, and the others with their lines.
fn wrong(path: &str, text: &str, errors: &[ProjectError]) -> Mistake {
    let Some(first) = errors.first() else { return Mistake::default() };
    let line = |at: usize| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
    let mut message = first.to_string();
    for other in &errors[1..] {
        let help = other.help().map(|help| format!("; {help}")).unwrap_or_default();
        message.push_str(&format!("\nand in line {}: {other}{help}", line(other.span().start)));
    }
    Mistake { message, help: first.help(), place: Some((path.to_owned(), text.to_owned(), first.span())) }
}
