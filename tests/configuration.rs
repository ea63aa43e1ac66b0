//! `cnflint.toml`: its schema, its guide, and what it does to a run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use cnflint::facts::{FactId, FactType};
use cnflint::project::{CLUSTER_KEYS, FAIL_ON, KINDS, LEVELS, PATH_KEYS, Project, TOP_KEYS};
use cnflint::rules::built_in;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    serde_json::from_slice(&fs::read(repository().join("docs/cnflint.schema.json")).unwrap()).unwrap()
}

/// The example of the guide.
fn guide() -> String {
    let guide = fs::read_to_string(repository().join("docs/configuration.md")).unwrap();
    guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

fn parsed(text: &str) -> Result<Project, String> {
    let project = Project::parse(Path::new("/repo/cnflint.toml"), "cnflint.toml", text.to_owned());
    project.map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn fits_the_schema(text: &str) -> bool {
    let document: toml::Table = text.parse().unwrap();
    jsonschema::validator_for(&schema()).unwrap().is_valid(&serde_json::to_value(document).unwrap())
}

const GOOD: &[&str] = &[
    "",
    "server = \"8.4\"",
    "server = \"mariadb\"\nupgrade_to = \"mariadb-11.8\"",
    "[facts.host]\nram = \"64G\"\ncpus = 2\n[facts.workload]\nshared = true",
    "[facts.disk]\nfill = 0.75\nfilesystem = \"xfs\"",
    "workload = { load_size = 1000 }\nrole = \"replica\"",
    "[severity]\nbinlog-off = \"off\"",
    "select = \"redo\"\nignore = [\"binlog-off\"]\nfail_on = \"never\"\nmin_severity = \"warning\"",
    "exclude = \"vendor\"\nroot = \"r\"\nbaseline = \"b.json\"\nrules = [\"a\", \"b\"]",
    "[[path]]\nfiles = \"a/*\"\nignore = []",
    "[[path]]\nfiles = [\"a/*\"]\nignore = \"binlog-off\"\nreason = \"why\"\nphase = \"import\"",
    "[[cluster]]\nname = \"a\"\nkind = \"group-replication\"\nfiles = [\"a/**\"]",
];

const BAD: &[&str] = &[
    "serverr = \"mysql-8.4\"",
    "server = \"postgres\"",
    "server = 8.4",
    "min-severity = \"warning\"",
    "min_severity = \"off\"",
    "fail_on = \"off\"",
    "phase = \"imports\"",
    "role = 1",
    "facts = \"a.toml\"",
    "[facts.host]\nrma = \"64G\"",
    "[facts.hots]\nram = \"64G\"",
    "[facts.disk]\nkind = \"sdd\"",
    "[facts.host]\nram = [1]",
    "[workload]\nloadsize = 1",
    "[severity]\nbinlog-off = \"info\"",
    "[severity]\nbinlog-off = 1",
    "severity = \"error\"",
    "ignore = [1]",
    "select = { a = \"b\" }",
    "exclude = [\"../x\"]",
    "exclude = \"\"",
    "rules = 1",
    "path = \"a\"",
    "path = [\"a\"]",
    "[[path]]\nserver = \"mysql-8.4\"",
    "[[path]]\nfiles = \"a\"\nignore = [\"binlog-off\"]",
    "[[path]]\nfiles = \"a\"\nignore = [\"binlog-off\"]\nreason = \" \"",
    "[[path]]\nfiles = \"a\"\nselect = [\"redo\"]",
    "[[cluster]]\nname = \"a\"\nkind = \"galera\"",
    "[[cluster]]\nname = \"a\"\nkind = \"ring\"\nfiles = \"a\"",
    "[[cluster]]\nname = \"a\"\nkind = \"galera\"\nfiles = \"a\"\nsize = 3",
];

#[test]
fn the_schema_and_the_program_agree() {
    for text in GOOD {
        assert!(parsed(text).is_ok(), "{text}: {:?}", parsed(text).err());
        assert!(fits_the_schema(text), "the schema refuses {text}");
    }
    for text in BAD {
        assert!(parsed(text).is_err(), "the program takes {text}");
        assert!(!fits_the_schema(text), "the schema takes {text}");
    }
    assert!(fits_the_schema(&guide()) && parsed(&guide()).is_ok(), "{:?}", parsed(&guide()).err());
}

#[test]
fn every_key_and_every_word_stands_in_the_schema() {
    let schema = schema();
    let keys = |at: &str| schema.pointer(at).unwrap().as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let words = |at: &str| serde_json::from_value::<Vec<String>>(schema.pointer(at).unwrap().clone()).unwrap();
    let set = |list: &[&str]| list.iter().map(|key| (*key).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(keys("/properties"), set(TOP_KEYS));
    assert_eq!(keys("/$defs/path/properties"), set(PATH_KEYS));
    assert_eq!(keys("/$defs/cluster/properties"), set(CLUSTER_KEYS));
    assert_eq!(words("/$defs/cluster/properties/kind/enum"), KINDS);
    assert_eq!(words("/$defs/level/enum"), LEVELS);
    assert_eq!(words("/properties/fail_on/enum"), FAIL_ON);
    let mut facts = BTreeSet::new();
    for subject in keys("/$defs/facts/properties") {
        let at = if subject == "workload" {
            "/$defs/workload".to_owned()
        } else {
            format!("/$defs/facts/properties/{subject}")
        };
        facts.extend(keys(&format!("{at}/properties")).into_iter().map(|key| format!("{subject}.{key}")));
        for id in FactId::ALL.iter().filter(|id| id.name().starts_with(&format!("{subject}."))) {
            let FactType::Word(known) = id.fact_type() else { continue };
            let key = id.name().split('.').next_back().unwrap();
            assert_eq!(words(&format!("{at}/properties/{key}/enum")), known, "{}", id.name());
        }
    }
    assert_eq!(facts, FactId::ALL.iter().map(|id| id.name().to_owned()).collect());
}

#[test]
fn the_guide_shows_every_key_and_only_rules_that_exist() {
    let text = guide();
    let document: toml::Table = text.parse().unwrap();
    let in_list =
        |key: &str| document[key].as_array().unwrap()[0].as_table().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let top: BTreeSet<_> = document.keys().map(String::as_str).collect();
    assert_eq!(top, TOP_KEYS.iter().copied().collect());
    assert!(in_list("path").iter().all(|key| PATH_KEYS.contains(&key.as_str())));
    assert_eq!(in_list("cluster").len(), CLUSTER_KEYS.len());
    let project = parsed(&text).unwrap();
    let errors = project.check_rules(&[built_in()]);
    assert!(errors.is_empty(), "{errors:?}");
    let [cluster] = project.clusters() else { panic!("one cluster") };
    assert!(cluster.holds(Path::new("/repo/shop/db2/my.cnf")) && !cluster.holds(Path::new("/repo/staging/my.cnf")));
}

/// A directory with files, in which the program is run.
struct Shop(tempfile::TempDir);

impl Shop {
    fn with(files: &[(&str, &str)]) -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = shop.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        shop
    }

    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.current_dir(self.0.path()).env("CI", "1").env("LANG", "C.UTF-8").env("COLUMNS", "100");
        command.args(line.split(' ').filter(|word| !word.is_empty())).output().unwrap()
    }

    fn printed(&self, line: &str) -> String {
        String::from_utf8(self.run(line).stdout).unwrap()
    }

    /// The server of one path and from what it is known.
    fn servers(&self, arguments: &[&str]) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.current_dir(self.0.path()).env("CI", "1").args(["--format", "json"]).args(arguments);
        let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        let server = &report["targets"][0]["server"];
        (server["version"].to_string(), server["source"].as_str().unwrap().to_owned())
    }

    /// What is said of a mistake; the exit status must be 2.
    fn mistake(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    }
}

const OFF: &str = "[mysqld]\nskip-log-bin\n";

#[test]
fn the_nearest_file_counts_and_flags_and_comments_outrank_it() {
    let shop = Shop::with(&[
        ("cnflint.toml", "server = \"mariadb-10.11\"\n[facts.host]\nram = \"64G\"\n"),
        ("a/my.cnf", OFF),
        ("b/cnflint.toml", "\nserver = \"mysql-8.4\"\n"),
        ("b/c/my.cnf", OFF),
        ("d/my.cnf", "# cnflint: server=mysql-9.7 ram=8G\n[mysqld]\nskip-log-bin\n"),
    ]);
    let a = shop.printed("a/my.cnf");
    assert!(a.contains("server   MariaDB 10.11") && a.contains("(cnflint.toml:1)"), "{a}");
    assert!(a.contains("RAM 64G (cnflint.toml:3)"), "{a}");
    let b = shop.printed("b");
    assert!(b.contains("server   MySQL 8.4") && b.contains("(b/cnflint.toml:2)") && !b.contains("RAM"), "{b}");
    let d = shop.printed("d/my.cnf");
    assert!(d.contains("server   MySQL 9.7") && d.contains("RAM 8G (comment in the file)"), "{d}");
    let flags = shop.printed("a/my.cnf --server mysql-8.0 --ram 1G");
    assert!(flags.contains("(--server)") && flags.contains("RAM 1G (--ram)"), "{flags}");
    assert!(!shop.printed("a/my.cnf --no-config").contains("cnflint.toml"));
    let named = shop.printed("a/my.cnf --config b/cnflint.toml");
    assert!(named.contains("server   MySQL 8.4"), "{named}");
    let effective = shop.printed("effective b/c/my.cnf");
    assert!(effective.contains("mysql-8.4"), "{effective}");
}

#[test]
fn the_search_ends_at_the_root_of_the_repository() {
    let shop = Shop::with(&[
        ("cnflint.toml", "server = \"mariadb-10.11\"\n"),
        ("repo/.git/HEAD", ""),
        ("repo/conf/my.cnf", OFF),
    ]);
    assert!(!shop.printed("repo/conf/my.cnf").contains("cnflint.toml"));
}

#[test]
fn paths_have_their_own_servers_facts_and_severities() {
    let shop = Shop::with(&[
        (
            "cnflint.toml",
            "server = \"mysql-8.4\"\nfail_on = \"advice\"\n[severity]\nbinlog-off = \"advice\"\n\
             [[path]]\nfiles = \"prod\"\nfacts_file = \"hosts/prod.toml\"\nseverity = { binlog-off = \"error\" }\n\
             [[path]]\nfiles = \"prod/old.cnf\"\nserver = \"mysql-5.7\"\nseverity = { binlog-off = \"off\" }\n",
        ),
        ("hosts/prod.toml", "[host]\nram = \"32G\"\n"),
        ("prod/my.cnf", OFF),
        ("prod/old.cnf", OFF),
        ("test/my.cnf", OFF),
    ]);
    let prod = shop.printed("prod/my.cnf");
    assert!(prod.contains("error[binlog-off]") && prod.contains("RAM 32G (hosts/prod.toml)"), "{prod}");
    let old = shop.printed("prod/old.cnf");
    assert!(old.contains("MySQL 5.7") && old.contains("(cnflint.toml:11)"), "{old}");
    assert!(!old.contains("[binlog-off]") && old.contains("RAM 32G"), "{old}");
    let test = shop.run("test/my.cnf --format short");
    assert_eq!(test.status.code(), Some(1), "fail_on");
    assert!(String::from_utf8(test.stdout).unwrap().contains("advice[binlog-off]"));
    assert_eq!(shop.run("test/my.cnf --fail-on error").status.code(), Some(0));
}

#[test]
fn what_is_left_out_is_counted_and_what_leaves_nothing_out_is_found() {
    let toml = "server = \"mysql-8.4\"\n[[path]]\nfiles = \"dev/**\"\nignore = [\"binlog-off\", \"doublewrite-off\"]\n\
                reason = \"throwaway\"\n";
    let shop =
        Shop::with(&[("cnflint.toml", toml), ("dev/my.cnf", OFF), ("dev/other.cnf", "[mysqld]\n"), ("my.cnf", OFF)]);
    let dev = shop.printed("dev");
    assert!(dev.contains("1 finding suppressed") && !dev.contains("[binlog-off]"), "{dev}");
    let unused = "cnflint.toml:4:25: advice[unused-ignore] `doublewrite-off` has nothing to say in dev/**";
    assert!(shop.printed("dev --format short").contains(unused), "{dev}");
    let json: Value = serde_json::from_str(&shop.printed("dev --format json")).unwrap();
    assert_eq!(json["suppressed"], 1);
    assert!(!shop.printed("dev/my.cnf --format short").contains("unused-ignore"), "the other file was not looked at");
    assert!(!shop.printed("my.cnf --format short").contains("unused-ignore"), "no file that it is about was looked at");
    assert!(shop.printed("my.cnf --format short").contains("binlog-off"));
    let all = shop.printed("dev --format short --no-ignores");
    assert!(all.contains("[binlog-off]") && !all.contains("unused-ignore"), "{all}");
    shop.run("dev/my.cnf --fix --unsafe-fixes");
    assert_eq!(fs::read_to_string(shop.0.path().join("dev/my.cnf")).unwrap(), OFF, "what is left out is not fixed");
}

#[test]
fn a_rule_goes_on_by_the_names_that_it_had() {
    let buffer = "[mysqld]\nsort_buffer_size = 64M\n";
    let comment = "[mysqld]\nsort_buffer_size = 64M # cnflint: ignore[sort-buffer-oversized] reports\n";
    let severity = "server = \"mysql-8.4\"\n[severity]\nread-buffer-oversized = \"error\"\n";
    let ignore = "server = \"mysql-8.4\"\nignore = [\"join-buffer-oversized\"]\n";
    let with = |toml: &str, file: &str, arguments: &str| {
        Shop::with(&[("cnflint.toml", toml), ("my.cnf", file)]).printed(&format!("my.cnf --format short {arguments}"))
    };
    assert!(with(severity, buffer, "").contains("error[statement-buffers-oversized]"));
    assert!(with("", buffer, "--select sort-buffer-oversized").contains("[statement-buffers-oversized]"));
    for (toml, file, arguments) in
        [(ignore, buffer, ""), (ignore, comment, ""), ("", buffer, "--ignore sort-buffer-oversized")]
    {
        let printed = with(toml, file, arguments);
        assert!(!printed.contains("[statement-buffers-oversized]"), "{printed}");
    }
    assert!(Shop::with(&[]).printed("explain sort-buffer-oversized").contains("statement-buffers-oversized"));
}

#[test]
fn a_comment_about_a_rule_that_is_switched_off_is_not_idle() {
    let shop = Shop::with(&[
        ("cnflint.toml", "server = \"mysql-8.4\"\n[severity]\nbinlog-off = \"off\"\nunused-ignore = \"error\"\n"),
        ("my.cnf", "[mysqld]\nskip-log-bin # cnflint: ignore[binlog-off] a copy\n"),
        ("other.cnf", "[mysqld]\nskip-log-bin\nport = 1 # cnflint: ignore[doublewrite-off] a copy\n"),
    ]);
    assert_eq!(shop.printed("my.cnf --format short"), "");
    let other = shop.printed("other.cnf --format short");
    assert!(other.lines().count() == 1 && other.contains("error[unused-ignore]"), "{other}");
}

#[test]
fn servers_of_one_cluster_are_compared_and_no_others() {
    let cluster =
        "server = \"mysql-8.4\"\n[[cluster]]\nname = \"shop\"\nkind = \"replication\"\nfiles = \"[ab]/my.cnf\"\n";
    let server = |packet: &str| format!("[mysqld]\nserver_id = 1\nlog_bin = binlog\nmax_allowed_packet = {packet}\n");
    let (one, other) = (server("64M"), server("16M"));
    let files = [("cnflint.toml", cluster), ("a/my.cnf", &*one), ("b/my.cnf", &*other), ("c/my.cnf", &*other)];
    let shop = Shop::with(&files);
    let found = shop.printed(". --format short --select duplicate-server-id,max-allowed-packet-drift");
    let lines: Vec<_> = found.lines().collect();
    assert_eq!(lines.len(), 2, "{found}");
    assert!(lines[0].starts_with("./b/my.cnf:2:1: error[duplicate-server-id]"), "{found}");
    assert!(lines[1].starts_with("./b/my.cnf:4:1: warning[max-allowed-packet-drift]"), "{found}");
    let told = shop.printed(". --select duplicate-server-id");
    assert!(told.contains("./a/my.cnf:2:1"), "the other server's line is shown\n{told}");
    assert!(!shop.printed("b/my.cnf c/my.cnf --format short").contains("duplicate-server-id"), "one of it is alone");
    assert!(!Shop::with(&files[1..]).printed(". --format short").contains("duplicate-server-id"), "nobody says so");
}

#[test]
fn excluded_files_are_not_linted_even_when_they_are_named() {
    let shop = Shop::with(&[
        ("cnflint.toml", "exclude = [\"vendor\", \"*.bak.cnf\"]\nignore = [\"durability\"]\n"),
        ("vendor/my.cnf", "[mysqld]\nno_such = 1\n"),
        ("a.bak.cnf", "[mysqld]\nno_such = 1\n"),
        ("my.cnf", OFF),
    ]);
    let all = shop.printed(". --format short --server mysql-8.4");
    assert!(!all.contains("no_such") && !all.contains("[binlog-off]"), "{all}");
    let named = shop.run("vendor/my.cnf a.bak.cnf");
    assert_eq!((named.status.code(), named.stdout.len()), (Some(0), 0), "{named:?}");
    assert!(shop.printed("vendor/my.cnf --no-config --format short").contains("no_such"));
}

#[test]
fn root_rules_and_baseline_are_found_beside_it() {
    let rule = "summary = \"the port is not ours\"\nseverity = \"warning\"\napplies = { mysql = \">=5.6\" }\nwhen = \"port != 3307\"\n\
                at = \"port\"\nmessage = \"port {port}\"\nwhy = \"\"\"We use another port. Firewalls let nothing else through.\"\"\"\n\
                [[example]]\nserver = \"mysql-8.4\"\nfile = \"[mysqld]\\nport = 1\\n\"\nfinds = true\n\
                [[example]]\nserver = \"mysql-8.4\"\nfile = \"[mysqld]\\nport = 3307\\n\"\nfinds = false\n";
    let toml =
        "server = \"mysql-8.4\"\nroot = \"rootfs\"\nrules = \"own\"\nbaseline = \"known.json\"\nselect = \"site/*\"\n";
    let shop = Shop::with(&[
        ("conf/cnflint.toml", toml),
        ("conf/own/network/other-port.toml", rule),
        ("conf/rootfs/etc/my.cnf", "!includedir /etc/conf.d\n"),
        ("conf/rootfs/etc/conf.d/a.cnf", "[mysqld]\nport = 1\n"),
    ]);
    let told = shop.mistake("conf");
    assert!(told.contains("known.json") && told.contains("--write-baseline"), "{told}");
    let first = shop.run("conf --write-baseline --format short");
    assert_eq!(String::from_utf8(first.stdout).unwrap(), "");
    let known = fs::read_to_string(shop.0.path().join("conf/known.json")).unwrap();
    assert!(known.contains("\"rootfs/etc/conf.d/a.cnf\"") && known.contains("site/other-port"), "{known}");
    assert!(shop.printed("conf").contains("suppressed"));
}

#[test]
fn mistakes_are_shown_where_they_stand_with_what_was_meant() {
    for (toml, place, said) in [
        ("serverr = \"mysql-8.4\"\n", "cnflint.toml:1:1", "did you mean `server`?"),
        ("\nmin-severity = \"error\"\n", "cnflint.toml:2:1", "did you mean `min_severity`?"),
        ("ignore = [\"redo\", \"binlog-of\"]\n", "cnflint.toml:1:19", "did you mean `binlog-off`?"),
        ("[severity]\nredo = \"error\"\n", "cnflint.toml:2:1", "is no rule"),
        ("[severity]\nbinlog-off = \"warn\"\n", "cnflint.toml:2:14", "did you mean `warning`?"),
        ("server = \"mysql-9.8.7.6x\"\nport\n", "cnflint.toml:2", "expected"),
        ("server = \"mysql-12.9\"\n", "cnflint.toml:1:10", "12.9"),
        ("exclude = [\"a\", \"{a\"]\n", "cnflint.toml:1:17", "pattern"),
        ("facts = { host = { rma = \"1G\" } }\n", "cnflint.toml:1:20", "did you mean `host.ram`?"),
        ("facts_file = \"gone.toml\"\n", "cnflint.toml:1:14", "cannot read gone.toml"),
        ("[[path]]\nfiles = \"a\"\nignore = \"binlog-off\"\n", "cnflint.toml:3:10", "lacks `reason`"),
        ("[[cluster]]\nname = \"a\"\nkinds = \"galera\"\nfiles = \"a\"\n", "cnflint.toml:1:1", "lacks `kind`"),
    ] {
        let shop = Shop::with(&[("cnflint.toml", toml), ("my.cnf", OFF)]);
        let told = shop.mistake("my.cnf");
        assert!(told.contains(place) && told.contains(said), "{toml}: {told}");
    }
    let shop = Shop::with(&[
        ("facts.toml", "[host]\nrma = 1\n"),
        ("cnflint.toml", "facts_file = \"facts.toml\"\n"),
        ("my.cnf", OFF),
    ]);
    assert!(shop.mistake("my.cnf").contains("facts.toml:2:1"));
    assert!(shop.mistake("my.cnf --config gone.toml").contains("cannot read gone.toml"));
}

#[test]
fn what_init_writes_is_taken_and_nothing_is_written_over() {
    let shop = Shop::with(&[
        ("a/my.cnf", "[mysqld]\nskip-log-bin\n[mariadb-10.11]\nport = 1\n"),
        ("b [1]/my.cnf", "[mysqld-8.4]\nskip-log-bin\n"),
        ("c/my.cnf", "# cnflint: server=mysql-9.7\n[mysqld]\n"),
        ("d/my.cnf", "[mysqld]\nport = 1\n"),
    ]);
    let before = ["a", "b [1]", "c", "d"].map(|directory| shop.servers(&["--no-config", directory]));
    assert_eq!(shop.run("init").status.code(), Some(0));
    let written = fs::read_to_string(shop.0.path().join("cnflint.toml")).unwrap();
    assert!(written.contains("#   c/my.cnf: MySQL 9.7") && written.contains("d/my.cnf: nothing says"), "{written}");
    assert!(parsed(&written).is_ok() && fits_the_schema(&written), "{written}");
    let after = ["a", "b [1]", "c", "d"].map(|directory| shop.servers(&[directory]));
    assert_eq!(before.map(|(server, _)| server), after.clone().map(|(server, _)| server));
    assert_eq!(after[0].1, format!("cnflint.toml:{}", line_of(&written, "server = \"mariadb-10.11\"")));
    assert_eq!(after[1].1, format!("cnflint.toml:{}", line_of(&written, "server = \"mysql-8.4\"\n\n")));
    // What it offers in comments is taken too.
    let is_offered = |line: &&str| line.contains(" = ") || line.starts_with('[');
    let offered = written.lines().map(|line| line.strip_prefix("# ").filter(|line| is_offered(line)).unwrap_or(line));
    let all: String = offered.map(|line| format!("{line}\n")).collect();
    assert!(all.matches("[[path]]").count() == 3 && parsed(&all).is_ok(), "{:?}\n{all}", parsed(&all).err());
    assert!(fits_the_schema(&all));
    let told = shop.mistake("init");
    assert!(told.contains("is there already") && told.contains("--force"), "{told}");
    assert_eq!(shop.run("init --force").status.code(), Some(0));
    assert_eq!(fs::read_to_string(shop.0.path().join("cnflint.toml")).unwrap(), written);
}

#[test]
fn one_server_for_all_files_stands_at_the_top() {
    let shop = Shop::with(&[("a.cnf", "[mariadb-10.11]\nport = 1\n"), ("b/my.cnf", "[mariadb-10.11]\nport = 2\n")]);
    shop.run("init");
    let written = fs::read_to_string(shop.0.path().join("cnflint.toml")).unwrap();
    assert!(written.contains("\nserver = \"mariadb-10.11\"\n") && !written.contains("\n[[path]]"), "{written}");
    assert!(!written.contains("\n[facts"), "another host's files say nothing about this one");
}

fn line_of(text: &str, what: &str) -> usize {
    text[..text.find(&format!("\n{what}")).unwrap() + 1].lines().count() + 1
}
