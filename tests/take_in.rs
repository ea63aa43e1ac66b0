//! A server version that the catalog does not have is taken in from the server itself, and the catalog then says of that version what
//! it says today.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests stand outside test functions"
)]
#![allow(dead_code, reason = "the build's own reader of the catalog holds more than is asked here")]

// The build's reader takes these from the root of its crate.
use cnflint::{server, value};

#[path = "../build/catalog/mod.rs"]
mod catalog;
mod servers;
// The tool, without its command line.
#[path = "../examples/take-in/ask.rs"]
mod ask;
#[path = "../examples/take-in/form.rs"]
mod form;
#[path = "../examples/take-in/merge.rs"]
mod merge;
#[path = "../examples/take-in/observation.rs"]
mod observation;

use catalog::{Catalog, Point, State};
use form::Form;
use server::{Flavor, Server, Version};
use std::fs;
use std::path::{Path, PathBuf};
use value::Kind;

/// A copy of the catalog's source.
fn copy(to: &Path) {
    for entry in fs::read_dir("catalog").expect("the catalog").flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
}

fn leave_out(directory: &Path, server: Server) {
    let mut form = Form::read(directory).expect("read");
    merge::leave_out(&mut form, server);
    form.write().expect("written");
}

fn compiled(directory: &Path) -> Catalog {
    catalog::compile(directory).unwrap_or_else(|errors| panic!("{}", errors.join("\n")))
}

#[test]
fn a_version_that_is_left_out_leaves_a_catalog_without_it() {
    let directory = tempfile::tempdir().unwrap();
    copy(directory.path());
    leave_out(directory.path(), Server::new(Flavor::Mariadb, 11, 8, 9));
    let without = compiled(directory.path());
    assert_eq!(without.releases(Flavor::Mariadb).last(), Some(&Version::new(10, 11, 19)));
    assert!(without.lookup("innodb_log_file_write_through").is_none());
    let (_, size) = without.lookup("innodb_log_file_size").unwrap();
    assert_eq!(size.at(Server::new(Flavor::Mariadb, 10, 11, 19)).unwrap().state, State::Present);
    // The rest of each file is as it was: taking out once more changes nothing.
    let text = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let before = text("innodb.options");
    leave_out(directory.path(), Server::new(Flavor::Mariadb, 11, 8, 9));
    assert_eq!(text("innodb.options"), before);
}

#[test]
fn a_version_taken_in_from_its_server_is_known_as_today() {
    let Some(real) = servers::server("mariadb-11.8") else { return };
    let directory = tempfile::tempdir().unwrap();
    copy(directory.path());
    leave_out(directory.path(), real.server);
    let root = real.directory().join("root/usr");
    let share = ["share/mariadb", "share/mysql"].map(|share| root.join(share));
    let share = share.into_iter().find(|share| share.join("charsets").is_dir()).expect("character sets");
    let option = |name: &str, path: PathBuf| format!("--{name}={}", path.display());
    let options = [
        option("plugin-dir", root.join("lib/mysql/plugin")),
        option("character-sets-dir", share.join("charsets")),
        option("lc-messages-dir", share),
    ];
    let asked = ask::Asked::new(&real.directory().join("mysqld"), &options).unwrap();
    assert_eq!(asked.server, real.server);
    let answers = tempfile::tempdir().unwrap();
    let mut form = Form::read(directory.path()).unwrap();
    let observation = asked.everything(&mut form, answers.path()).unwrap();
    let changes = merge::take_in(&mut form, real.server, &observation);
    form.write().unwrap();
    let told = |list: &[String], line: &str| assert!(list.iter().any(|told| told == line), "no `{line}` in {list:#?}");
    told(&changes.appeared, "innodb_log_file_write_through");
    told(&changes.vanished, "innodb_defragment (taken, does nothing)");
    told(&changes.changed, "innodb_snapshot_isolation: default OFF -> ON");

    let (today, taken) = (compiled(Path::new("catalog")), compiled(directory.path()));
    // tests/servers/get.sh fetches no loadable plugins: then only what needs none is compared.
    let has_plugins = root.join("lib/mysql/plugin").is_dir();
    let mut compared = 0;
    let mut differences = Vec::new();
    for option in today.all() {
        let Some(expected) = option.at(real.server) else { continue };
        if !has_plugins && (expected.plugin || expected.plugin_toggle) {
            continue;
        }
        let there = |point: &&Point| matches!(point.state, State::Present | State::Ignored);
        let found = taken.lookup(&option.name).and_then(|(_, known)| known.at(real.server)).filter(there);
        match (Some(expected).filter(there), found) {
            (Some(expected), Some(found)) => {
                compared += 1;
                differences.extend(differing(expected, found).map(|what| format!("{}: {what}", option.name)));
            }
            (None, None) => {}
            (expected, _) => {
                let (had, has) = if expected.is_some() { ("there", "missing") } else { ("not there", "there") };
                differences.push(format!("{}: {had} today, {has} when taken in", option.name));
            }
        }
    }
    for option in taken.all().filter(|option| today.lookup(&option.name).is_none()) {
        differences.push(format!("{}: only when taken in", option.name));
    }
    println!("{}: {compared} options compared, {} differ", real.server, differences.len());
    let surprising: Vec<_> = differences
        .iter()
        .filter(|line| !KNOWN.iter().any(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))))
        .collect();
    assert!(surprising.is_empty(), "{surprising:#?}");
    assert!(compared > 800, "only {compared} compared");
}

/// What a person corrected in the catalog, or what the server shows only in other circumstances.
const KNOWN: [&str; 6] = [
    // Listed like any other option, or taken without a word: that they do nothing was found by trying.
    "alter_algorithm",
    "skip_new",
    // Shown as `./#rocksdb`, which the catalog has as none.
    "rocksdb_datadir",
    // Spider does not start without the server's system tables, and nothing but the help tells of options that are new in it.
    "spider_ignore_comments",
    "spider_suppress_comment_ignored_warning",
    "handlersocket",
];

/// In what two records of a present option differ, beyond what no listing tells.
fn differing<'a>(today: &'a Point, taken: &'a Point) -> impl Iterator<Item = String> + use<'a> {
    let family = |kind| match kind {
        Kind::Boolean | Kind::PluginBoolean => Kind::Boolean,
        Kind::Text | Kind::Path => Kind::Text,
        kind => kind,
    };
    let shown = |what: &str, differs: bool, today: &dyn std::fmt::Debug, taken: &dyn std::fmt::Debug| {
        differs.then(|| format!("{what} {today:?} today, {taken:?} when taken in"))
    };
    let learned = |today: bool, taken: bool| !today && taken;
    let present = today.state == State::Present;
    [
        shown("state", today.state != taken.state, &today.state, &taken.state),
        shown("type", present && family(today.kind) != family(taken.kind), &today.kind, &taken.kind),
        shown("words", today.words != taken.words, &today.words, &taken.words),
        shown("min", today.min != taken.min && today.min.is_some(), &today.min, &taken.min),
        shown("max", today.max != taken.max && today.max.is_some(), &today.max, &taken.max),
        shown("block", today.block != taken.block, &today.block, &taken.block),
        shown(
            "default",
            today.default != taken.default && today.default != catalog::Default::NotRecorded,
            &today.default,
            &taken.default,
        ),
        shown(
            "scope",
            today.scope != taken.scope && !learned(today.scope.is_some(), taken.scope.is_some()),
            &today.scope,
            &taken.scope,
        ),
        shown(
            "dynamic",
            today.dynamic != taken.dynamic && !learned(today.dynamic.is_some(), taken.dynamic.is_some()),
            &today.dynamic,
            &taken.dynamic,
        ),
        shown("plugin", today.plugin != taken.plugin, &today.plugin, &taken.plugin),
    ]
    .into_iter()
    .flatten()
}
