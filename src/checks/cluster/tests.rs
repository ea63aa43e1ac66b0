use super::agreement::members_differ;
use super::fitting::members_do_not_fit;
use super::*;
use crate::optionfile::{self, ReadOptions, groups_read};
use crate::source::{MemoryFiles, SourceFile, Sources, Span};

fn compared(check: Comparison, topology: Topology, server: Server, files: &[&str]) -> Vec<(usize, Severity, String)> {
    let program = if server.flavor == Flavor::Mariadb { "mariadbd" } else { "mysqld" };
    let mut sources = Sources::default();
    let member = |(index, text): (usize, &&str)| {
        let name = format!("db{index}.cnf");
        let file = sources.add(SourceFile::new(&name, text.as_bytes().to_vec()));
        let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
        let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[file], &options);
        let effective = Effective::new(&document, &groups_read(program, server), server, &[]);
        Member::new(name, Location { file, span: Span::new(0, 0) }, &effective, &Facts::default(), false)
    };
    let members: Vec<_> = files.iter().enumerate().map(member).collect();
    let mut hits = Vec::new();
    check(topology, &members, &mut hits);
    hits.into_iter().map(|(position, hit)| (position, hit.severity, hit.message)).collect()
}

fn mysql() -> Server {
    Server { flavor: Flavor::Mysql, version: crate::server::Version::new(8, 0, 36) }
}

fn mariadb() -> Server {
    Server { flavor: Flavor::Mariadb, version: crate::server::Version::new(10, 11, 19) }
}

#[test]
fn servers_without_an_id_share_the_default() {
    let found = compared(
        duplicate_server_id,
        Topology::Replication,
        mysql(),
        &["[mysqld]\nserver_id = 2\n", "[mysqld]\nport = 3306\n", "[mysqld]\nport = 3307\n"],
    );
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1), (2, Severity::Error));
    assert!(found[0].2.starts_with("server_id is 1 here and on db1.cnf"), "{}", found[0].2);
}

#[test]
fn nodes_of_galera_may_share_an_id() {
    let files = ["[mysqld]\nserver_id = 2\n", "[mysqld]\nserver_id = 2\n"];
    assert_eq!(compared(duplicate_server_id, Topology::Galera, mariadb(), &files), []);
}

#[test]
fn the_one_that_differs_from_most_is_named() {
    let found = compared(
        members_differ,
        Topology::Replication,
        mariadb(),
        &[
            "[mysqld]\nlower_case_table_names = 1\n",
            "[mysqld]\nlower_case_table_names = 0\n",
            "[mysqld]\nlower_case_table_names = 0\n",
        ],
    );
    assert_eq!(
        found.iter().map(|(position, severity, _)| (*position, *severity)).collect::<Vec<_>>(),
        [(0, Severity::Error)]
    );
}

#[test]
fn defaults_and_spellings_do_not_differ() {
    let found = compared(
        members_differ,
        Topology::Replication,
        mariadb(),
        &[
            "[mysqld]\ncharacter_set_server = utf8\nsql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'\n",
            "[mysqld]\ncharacter_set_server = utf8mb3\nsql_mode = 'NO_ENGINE_SUBSTITUTION,STRICT_TRANS_TABLES'\n",
        ],
    );
    assert_eq!(found, []);
}

#[test]
fn nodes_have_names_addresses_and_one_list() {
    let found = compared(
        members_do_not_fit,
        Topology::Galera,
        mariadb(),
        &[
            "[mysqld]\nwsrep_node_name = a\nwsrep_node_address = 10.0.0.1\nwsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2\n",
            "[mysqld]\nwsrep_node_name = a\nwsrep_node_address = 10.0.0.2\nwsrep_cluster_address = gcomm://10.0.0.2,10.0.0.1\n",
            "[mysqld]\nwsrep_node_name = c\nwsrep_node_address = 10.0.0.3\nwsrep_cluster_address = gcomm://10.0.0.3\n",
        ],
    );
    let short: Vec<_> = found.iter().map(|(position, severity, _)| (*position, *severity)).collect();
    assert_eq!(short, [(1, Severity::Error), (2, Severity::Warning)]);
}

#[test]
fn a_member_of_a_group_is_known_to_all_others() {
    let member = |own: &str, seeds: &str| {
        format!("[mysqld]\ngroup_replication_local_address = {own}\ngroup_replication_group_seeds = {seeds}\n")
    };
    let files = [member("a:33061", "a:33061,b:33061"), member("b:33061", "b:33061")];
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let found = compared(members_do_not_fit, Topology::GroupReplication, mysql(), &files);
    assert_eq!(found.iter().map(|(position, ..)| *position).collect::<Vec<_>>(), [0]);
    assert!(found[0].2.contains("not among the seeds of db1.cnf"), "{}", found[0].2);
}

#[test]
fn two_writers_need_two_offsets() {
    let writer = |offset: u8| format!("[mysqld]\nauto_increment_increment = 2\nauto_increment_offset = {offset}\n");
    let (one, two) = (writer(1), writer(2));
    let check = |files: &[&str]| compared(members_do_not_fit, Topology::Replication, mariadb(), files).len();
    assert_eq!(check(&[&one, &two]), 0);
    assert_eq!(check(&[&one, &one]), 1);
}

#[test]
fn the_smaller_packet_is_named() {
    let files = ["[mysqld]\nmax_allowed_packet = 256M\n", "[mysqld]\nport = 3306\n"];
    let found = compared(max_allowed_packet_drift, Topology::Replication, mariadb(), &files);
    assert_eq!(found.iter().map(|(position, ..)| *position).collect::<Vec<_>>(), [1]);
    assert!(found[0].2.contains("16M here and 256M on db0.cnf"), "{}", found[0].2);
}
