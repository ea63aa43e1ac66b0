//! What this host adds to a subject: the installed server, facts, persisted variables.

use super::wiring::default_files;
use cnflint::catalog::{self, OptionId, id};
use cnflint::checks::{Wanted, wanted};
use cnflint::detect::{Detection, Places, ServerUnit, ThisHost, detect, faulty_paths, installed_server, server_unit};
use cnflint::effective::Effective;
use cnflint::lint::{ServerSource, Subject};
use cnflint::optionfile::{self, ReadOptions, groups_read};
use cnflint::server::{Flavor, Server, ServerSpec};
use cnflint::source::{Files, SourceFile, Sources};
use cnflint::value::Value;
use std::path::{Path, PathBuf};

/// Where every packaged server keeps its data unless a file says otherwise.
pub const USUAL_DATADIR: &str = "/var/lib/mysql";
/// The user that every package makes for it.
const USUAL_USER: &str = "mysql";

/// Adds the installed server where nothing else names one, the facts that nothing else gave, and the persisted variables of the
/// data directory.
pub fn look(files: &dyn Files, subject: &mut Subject) {
    let unit = server_unit(&ThisHost);
    if subject.server.is_none() {
        let installed = installed_server(&ThisHost, unit.as_ref());
        subject.server = installed.map(|(spec, how)| (spec, ServerSource::Installed(how)));
    }
    let (places, wanted, user) = named(files, subject);
    // Where no server is installed nobody will use the paths.
    if unit.is_some() || installed_server(&ThisHost, None).is_some() {
        let user = user.or_else(|| unit.as_ref()?.setting("User").map(|setting| setting.value.clone()));
        let user = user.unwrap_or_else(|| USUAL_USER.to_owned());
        subject.faulty_paths = faulty_paths(&ThisHost, unit.as_ref(), &user, wanted);
    }
    if subject.persisted.is_none()
        && let Some(path) = places.datadir.as_ref().map(|datadir| datadir.join("mysqld-auto.cnf"))
        && let Ok(bytes) = files.read(&path)
    {
        subject.persisted = Some((path, bytes));
    }
    subject.facts.fill_from(detect(&ThisHost, unit.as_ref(), &places).facts);
}

/// Where the server on this host looks for option files: what its unit says, or the places that were compiled into it.
pub fn option_files(home: Option<&Path>) -> Vec<PathBuf> {
    started_with(server_unit(&ThisHost).as_ref(), default_files(home), home)
}

/// `--defaults-file` stands for all other files; the one of `--defaults-extra-file` comes before the one in the home directory.
fn started_with(unit: Option<&ServerUnit>, mut files: Vec<PathBuf>, home: Option<&Path>) -> Vec<PathBuf> {
    let argument = |name| unit.and_then(|unit| unit.argument(name)).map(PathBuf::from);
    if let Some(only) = argument("--defaults-file") {
        return vec![only];
    }
    if let Some(extra) = argument("--defaults-extra-file") {
        let in_home = home.map(|home| home.join(".my.cnf"));
        let at = files.iter().position(|file| Some(file) == in_home.as_ref()).unwrap_or(files.len());
        files.insert(at, extra);
    }
    files
}

/// What this host tells about a data directory, and for each fact that it does not tell, why.
pub fn facts(datadir: &Path) -> Detection {
    let unit = server_unit(&ThisHost);
    let places = Places { datadir: Some(datadir.to_owned()), redo_dir: None, binlog_dir: None };
    detect(&ThisHost, unit.as_ref(), &places)
}

/// What the files name: the directories of data, redo log and binary log, every path that the server will use, and its user.
fn named(files: &dyn Files, subject: &Subject) -> (Places, Vec<Wanted>, Option<String>) {
    let server = server_of(subject);
    let options = ReadOptions {
        server,
        working_directory: subject.working_directory.clone(),
        home: subject.home.clone(),
        include_root: subject.include_root.clone(),
    };
    let mut sources = Sources::default();
    let mut roots = Vec::new();
    for (path, bytes) in &subject.roots {
        if let Ok(bytes) = bytes.clone().map_or_else(|| files.read(path), Ok) {
            roots.push(sources.add(SourceFile::new(path, bytes)));
        }
    }
    let document = optionfile::read(&mut sources, files, &roots, &options);
    let program = if server.flavor == Flavor::Mariadb { "mariadbd" } else { "mysqld" };
    let effective = Effective::new(&document, &groups_read(program, server), server, &[]);
    let datadir = path_of(id::DATADIR, &effective).unwrap_or_else(|| PathBuf::from(USUAL_DATADIR));
    let redo_dir = path_of(id::INNODB_LOG_GROUP_HOME_DIR, &effective).map(|path| datadir.join(path));
    let binlog_dir = effective
        .winner(id::LOG_BIN)
        .and_then(|winner| winner.value.as_deref())
        .and_then(|value| Some(datadir.join(std::str::from_utf8(value).ok()?).parent()?.to_owned()));
    let wanted = wanted(&effective, &datadir);
    let user = effective.winner(id::USER).and_then(|winner| winner.value.as_deref());
    let user = user.map(|user| String::from_utf8_lossy(user).into_owned());
    let places = Places {
        redo_dir: Some(redo_dir.unwrap_or_else(|| datadir.clone())),
        binlog_dir: Some(binlog_dir.unwrap_or_else(|| datadir.clone())),
        datadir: Some(datadir),
    };
    (places, wanted, user)
}

fn server_of(subject: &Subject) -> Server {
    match &subject.server {
        Some((ServerSpec::Exact(server), _)) => *server,
        Some((ServerSpec::Series(series), _)) => Server { flavor: series.flavor, version: series.last },
        Some((ServerSpec::Flavor(flavor), _)) => Server { flavor: *flavor, version: catalog::horizon(*flavor) },
        None => Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) },
    }
}

fn path_of(option: OptionId, effective: &Effective<'_>) -> Option<PathBuf> {
    match effective.get(option)?.value.clone().known()? {
        Value::Text(text) => Some(PathBuf::from(String::from_utf8_lossy(&text).into_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_says_which_files_are_read() {
        let home = Path::new("/root");
        let files = |words: &[&str]| {
            let mut unit = ServerUnit::default();
            unit.exec_start.extend(words.iter().map(|word| (*word).to_owned()));
            let usual = vec!["/etc/my.cnf".into(), "/root/.my.cnf".into()];
            let found = started_with(Some(&unit), usual, Some(home));
            found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(files(&["/usr/sbin/mysqld"]), ["/etc/my.cnf", "/root/.my.cnf"]);
        assert_eq!(files(&["/usr/sbin/mysqld", "--defaults-file=/srv/my.cnf"]), ["/srv/my.cnf"]);
        let extra = files(&["/usr/sbin/mysqld", "--defaults-extra-file=/srv/extra.cnf"]);
        assert_eq!(extra, ["/etc/my.cnf", "/srv/extra.cnf", "/root/.my.cnf"]);
    }
}
