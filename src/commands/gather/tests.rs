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
