//! Option files and flags inside other files: found at their own bytes, fixed there, and read again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use cnflint::finding::Safety;
use cnflint::fix::{Wanted, fix};
use cnflint::input::carrier;
use cnflint::lint::{Report, Subject, lint};
use cnflint::rules::built_in;
use cnflint::source::{MemoryFiles, Span};
use proptest::prelude::*;
use serde_yaml_ng::Value as Yaml;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Rules whose findings in the fixtures are listed here; others come and go.
const RULES: &str = "unknown-option,removed-option,buffer-pool-too-large,relaxed-commit-durability";

/// Every finding, by its place.
const FOUND: [&str; 89] = [
    "ansible/loops.yml:4:7 relaxed-commit-durability",
    "ansible/loops.yml:5:7 unknown-option",
    "ansible/loops.yml:7:36 unknown-option",
    "ansible/loops.yml:16:38 relaxed-commit-durability",
    "ansible/loops.yml:18:19 unknown-option",
    "ansible/loops.yml:39:15 unknown-option",
    "ansible/tasks.yml:5:13 unknown-option",
    "ansible/tasks.yml:8:59 relaxed-commit-durability",
    "ansible/tasks.yml:17:11 unknown-option",
    "ansible/tasks.yml:26:7 unknown-option",
    "compose/conf.d/limits.cnf:2:1 unknown-option",
    "compose/dashes.yaml:4:14 unknown-option",
    "compose/dashes.yaml:4:42 unknown-option",
    "compose/dashes.yaml:9:9 unknown-option",
    "compose/dashes.yaml:10:10 unknown-option",
    "compose/flags.yaml:16:11 buffer-pool-too-large",
    "compose/flags.yaml:18:12 unknown-option",
    "compose/flags.yaml:19:12 removed-option",
    "compose/flags.yaml:23:30 relaxed-commit-durability",
    "compose/flags.yaml:23:68 unknown-option",
    "compose/flags.yaml:26:23 relaxed-commit-durability",
    "compose/flags.yaml:26:84 unknown-option",
    "compose/flags.yaml:30:9 relaxed-commit-durability",
    "compose/flags.yaml:32:9 unknown-option",
    "compose/mounted/compose.yaml:17:7 buffer-pool-too-large",
    "compose/mounted/my.cnf:3:1 relaxed-commit-durability",
    "compose/services.yaml:6:55 unknown-option",
    "compose/services.yaml:7:18 buffer-pool-too-large",
    "compose/services.yaml:13:11 unknown-option",
    "compose/services.yaml:18:31 relaxed-commit-durability",
    "compose/services.yaml:18:31 relaxed-commit-durability",
    "compose/services.yaml:18:66 unknown-option",
    "compose/services.yaml:18:66 unknown-option",
    "compose/services.yaml:30:13 unknown-option",
    "compose/services.yaml:30:33 relaxed-commit-durability",
    "compose/services.yaml:34:62 unknown-option",
    "docker/Dockerfile:8:1 relaxed-commit-durability",
    "docker/Dockerfile:12:21 unknown-option",
    "docker/lines.Dockerfile:5:15 unknown-option",
    "docker/lines.Dockerfile:6:15 unknown-option",
    "docker/lines.Dockerfile:8:21 relaxed-commit-durability",
    "helm/flags.yaml:6:44 unknown-option",
    "helm/values.yaml:10:5 buffer-pool-too-large",
    "helm/values.yaml:11:5 unknown-option",
    "kubernetes/chart-template.yaml:16:5 relaxed-commit-durability",
    "kubernetes/chart-template.yaml:18:5 unknown-option",
    "kubernetes/chart-template.yaml:19:5 unknown-option",
    "kubernetes/commands.yaml:14:50 unknown-option",
    "kubernetes/commands.yaml:15:19 relaxed-commit-durability",
    "kubernetes/commands.yaml:20:25 unknown-option",
    "kubernetes/commands.yaml:25:17 unknown-option",
    "kubernetes/moco.yaml:17:3 buffer-pool-too-large",
    "kubernetes/moco.yaml:18:3 unknown-option",
    "kubernetes/operators.yaml:9:7 buffer-pool-too-large",
    "kubernetes/operators.yaml:10:7 unknown-option",
    "kubernetes/operators.yaml:21:5 relaxed-commit-durability",
    "kubernetes/operators.yaml:30:5 removed-option",
    "kubernetes/operators.yaml:38:5 relaxed-commit-durability",
    "kubernetes/operators.yaml:39:5 unknown-option",
    "kubernetes/statefulset.yaml:12:5 buffer-pool-too-large",
    "kubernetes/statefulset.yaml:13:5 relaxed-commit-durability",
    "kubernetes/statefulset.yaml:16:5 unknown-option",
    "kubernetes/statefulset.yaml:30:16 relaxed-commit-durability",
    "kubernetes/statefulset.yaml:30:16 unknown-option",
    "kubernetes/statefulset.yaml:44:17 unknown-option",
    "kubernetes/vitess.yaml:10:13 buffer-pool-too-large",
    "kubernetes/vitess.yaml:11:13 unknown-option",
    "kubernetes/vitess.yaml:12:13 removed-option",
    "pipeline/gitlab-ci.yml:6:20 removed-option",
    "pipeline/gitlab-ci.yml:6:77 unknown-option",
    "pipeline/gitlab-ci.yml:12:21 buffer-pool-too-large",
    "shell/install.sh:18:2 relaxed-commit-durability",
    "shell/install.sh:19:2 unknown-option",
    "shell/install.sh:20:2 unknown-option",
    "shell/install.sh:26:17 buffer-pool-too-large",
    "shell/install.sh:27:7 unknown-option",
    "shell/install.sh:27:23 relaxed-commit-durability",
    "shell/install.sh:30:28 relaxed-commit-durability",
    "shell/install.sh:31:7 unknown-option",
    "shell/lines.sh:8:15 relaxed-commit-durability",
    "shell/lines.sh:12:10 unknown-option",
    "shell/lines.sh:14:19 unknown-option",
    "shell/lines.sh:14:39 unknown-option",
    "shell/lines.sh:16:1 relaxed-commit-durability",
    "systemd/mariadb.service:6:45 buffer-pool-too-large",
    "systemd/mariadb.service:7:7 unknown-option",
    "systemd/mysqld.service.d/override.conf:3:31 unknown-option",
    "template/my.cnf.j2:2:1 unknown-option",
    "template/my.cnf.j2:4:1 relaxed-commit-durability",
];

/// A copy of the fixtures, so that they can be fixed.
struct Shop(tempfile::TempDir);

impl Shop {
    fn new() -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/carriers");
        for path in files_below(&fixtures) {
            let copy = shop.path().join(path.strip_prefix(&fixtures).unwrap());
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(path, copy).unwrap();
        }
        shop
    }

    fn with(files: &[(&str, &str)]) -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = shop.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        shop
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// What is printed of standard input.
    fn piped(&self, arguments: &str, input: &str) -> String {
        use std::io::Write as _;
        use std::process::Stdio;
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.args(arguments.split(' ')).current_dir(self.path()).env("CI", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// What a run prints, what it tells on standard error, and its status.
    fn run(&self, arguments: &str) -> (String, String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.args(arguments.split(' ')).current_dir(self.path()).env("CI", "1").env("LANG", "C.UTF-8");
        let Output { status, stdout, stderr } = command.output().unwrap();
        (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code().unwrap())
    }

    fn json(&self, arguments: &str) -> serde_json::Value {
        serde_json::from_str(&self.run(&format!("{arguments} --format json")).0).unwrap()
    }

    fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files_below(self.path()).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// What remains of YAML when the texts are left out, and the words of lists with them: flags come and go.
fn shape(text: &str) -> Vec<String> {
    use saphyr_parser::{Event, Parser};
    let (mut shape, mut in_list) = (Vec::new(), Vec::new());
    for step in Parser::new_from_str(text) {
        let (event, _) = step.expect("valid YAML");
        match &event {
            Event::SequenceStart(..) => in_list.push(true),
            Event::MappingStart(..) => in_list.push(false),
            Event::SequenceEnd | Event::MappingEnd => drop(in_list.pop()),
            _ => {}
        }
        match event {
            Event::Scalar(..) if in_list.last() == Some(&true) => {}
            Event::Scalar(_, style, ..) => shape.push(format!("{style:?}")),
            other => shape.push(format!("{other:?}")),
        }
    }
    shape
}

#[test]
fn findings_stand_at_their_own_bytes() {
    let report = Shop::new().json(&format!(". --select {RULES}"));
    let mut found: Vec<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let file = finding["file"].as_str().unwrap().trim_start_matches("./").to_owned();
            (file, finding["line"].as_u64().unwrap(), finding["column"].as_u64().unwrap(), finding["rule"].to_string())
        })
        .collect();
    found.sort();
    let found: Vec<_> = found
        .into_iter()
        .map(|(file, line, column, rule)| format!("{file}:{line}:{column} {}", rule.trim_matches('"')))
        .collect();
    assert_eq!(found, FOUND);
}

#[test]
fn a_flag_is_measured_against_its_containers_limit_for_the_server_in_the_image() {
    let compose = "services:\n  db:\n    image: mysql:8.4\n    mem_limit: 4g\n    command:\n      - --innodb-buffer-pool-size=6G\n";
    let shop = Shop::with(&[("compose.yaml", compose)]);
    let report = shop.json("compose.yaml");
    let target = &report["targets"][0];
    assert_eq!(target["carried"], "service db");
    assert_eq!(target["server"]["title"], "MySQL 8.4 (8.4.0 to 8.4.8)");
    assert_eq!(target["server"]["source"], "image mysql:8.4");
    let is_it = |finding: &&serde_json::Value| finding["rule"] == "buffer-pool-too-large";
    let finding = report["findings"].as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!(finding["severity"], "error");
    assert_eq!((&finding["line"], &finding["column"]), (&6.into(), &11.into()));
    assert_eq!(finding["evidence"]["host.ram"]["source"], "compose.yaml:4 (mem_limit)");
    let limit = shop.json("compose.yaml --ram 64G");
    assert!(!limit["findings"].as_array().unwrap().iter().any(|finding| is_it(&finding)), "flags outrank the carrier");
}

#[test]
fn a_container_grants_no_more_open_files_than_its_limit() {
    let compose = "services:\n  db:\n    image: mysql:5.7\n    ulimits:\n      nofile:\n        soft: 1024\n        hard: 4096\n    \
                   command: --open-files-limit=65535\n";
    let script = "docker run --ulimit nofile=1073741816:1073741816 mysql:5.7 --max-connections=200\n";
    let shop = Shop::with(&[("compose.yaml", compose), ("run.sh", script)]);
    let of = |file: &str, rule: &str| {
        let report = shop.json(file);
        let findings = report["findings"].as_array().unwrap();
        findings
            .iter()
            .find(|finding| finding["rule"] == rule)
            .map(|finding| finding["evidence"]["host.open_files"].clone())
    };
    let limit = of("compose.yaml", "open-files-limit-not-granted").unwrap();
    assert_eq!((&limit["value"], &limit["source"]), (&4096.into(), &"compose.yaml:7 (ulimits.nofile)".into()));
    assert!(of("run.sh", "endless-descriptors").is_some());
}

#[test]
fn flags_outrank_option_files() {
    let shop = Shop::new();
    let (printed, ..) = shop.run("effective compose/mounted/compose.yaml --format json");
    let view: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let settings = view["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["setting"] == "max_connections").unwrap();
    assert_eq!(setting["value"], "100");
    let origins = setting["origins"].to_string();
    assert!(origins.contains("my.cnf") && origins.contains("compose.yaml"), "{origins}");
}

#[test]
fn fixed_carriers_are_whole_and_need_no_second_fix() {
    let shop = Shop::new();
    let before = shop.all();
    shop.run(&format!(". --select {RULES} --fix --unsafe-fixes"));
    let after = shop.all();
    let (left, ..) = shop.run(&format!(". --select {RULES} --diff --unsafe-fixes"));
    assert_eq!(left, "", "a second fix changes nothing");
    let mut changed = 0;
    for (path, old) in &before {
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(&after[path]));
        let name = path.strip_prefix(shop.path()).unwrap().display().to_string();
        changed += usize::from(old != new);
        if name.ends_with(".yaml") && !name.contains("template") {
            // A flag may be added behind the others.
            let (old, new) = (shape(&old), shape(&new));
            let mut rest = new.iter();
            assert!(old.iter().all(|event| rest.any(|other| other == event)), "{name}: {old:?} became {new:?}");
        }
    }
    assert_eq!(changed, 20);
    let dashes = shop.text("compose/dashes.yaml");
    assert!(dashes.contains("command: --innodb-buffer-pool-size=1G --max-connections=500 --sort"), "{dashes}");
    assert!(dashes.contains("- \"--max-connections=500\"\n"), "{dashes}");
    let compose = shop.text("compose/flags.yaml");
    assert!(compose.contains("      - \"--max_connections=500\"\n"), "{compose}");
    assert!(
        compose.contains("      - '--binlog-expire-logs-seconds=604800' # three weeks ago it was 21\n"),
        "{compose}"
    );
    assert!(compose.contains("      - '--innodb-redo-log-capacity=1G'\n  stock:\n"), "{compose}");
    assert!(compose.contains("\"--innodb_flush_log_at_trx_commit=1\", \"--max_connections=20\"]"), "{compose}");
    assert!(compose.contains("mysqld --innodb-flush-log-at-trx-commit=1 --port 3307 --sql-mode=\"\""), "{compose}");
    let manifest = shop.text("kubernetes/statefulset.yaml");
    let encoded = manifest.lines().find_map(|line| line.strip_prefix("  replica.cnf: ")).unwrap();
    let decoded = String::from_utf8(data_encoding::BASE64.decode(encoded.as_bytes()).unwrap()).unwrap();
    assert!(decoded.contains("innodb_flush_log_at_trx_commit = 1\nmax_connections = 10\n# end\n"), "{decoded}");
    let tasks = shop.text("ansible/tasks.yml");
    assert!(tasks.contains("    line: wait_timeout = 60\n"), "{tasks}");
    assert!(tasks.contains("option: innodb_flush_log_at_trx_commit, value: 1 }"), "{tasks}");
    let operators = shop.text("kubernetes/operators.yaml");
    assert!(operators.contains("    innodb_flush_log_at_trx_commit: 1\n    max_connections: \"100\"\n"), "{operators}");
    let script = shop.text("shell/install.sh");
    assert!(script.contains("\tdatadir = $DATADIR\n"), "{script}");
    assert!(script.contains("\tno_such_option = `hostname`\n"), "what the shell fills in stays: {script}");
}

#[test]
fn what_cannot_be_written_back_is_said_in_words() {
    let report = Shop::new().json(&format!("ansible/tasks.yml --select {RULES}"));
    let finding = &report["findings"].as_array().unwrap().iter().find(|finding| finding["line"] == 17).unwrap();
    assert_eq!(finding["fix"]["safety"], "unsafe", "a line of its own can be written anew: {finding}");
    let folded = "kind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n  my.cnf: >\n    [mysqld]\n\n    max_conections = 1\n";
    let report = Shop::with(&[("map.yaml", folded)]).json("map.yaml --select unknown-option");
    let finding = &report["findings"][0];
    assert_eq!((&finding["line"], &finding["fix"]["safety"]), (&6.into(), &"manual".into()));
    assert_eq!(finding["fix"]["edits"].as_array().unwrap().len(), 0);
}

#[test]
fn texts_with_escapes_are_fixed_where_they_say_how_lines_end() {
    let before = "kind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n  my.cnf: \"[mysqld]\\nmax_conections = 1\\ndes-key-file = \\\"a\\\"\\n\"\n";
    let shop = Shop::with(&[
        ("map.yaml", before),
        ("a.sh", "printf '[mysqld]\\nmax_conections=1\\nport=1\\n' > /etc/my.cnf\n"),
    ]);
    shop.run(". --select unknown-option,removed-option --server mysql-8.4 --fix --unsafe-fixes");
    assert_eq!(
        shop.text("map.yaml"),
        before.replace("conections", "connections").replace("des-key-file = \\\"a\\\"\\n", "")
    );
    assert_eq!(shape(&shop.text("map.yaml")), shape(before));
    assert_eq!(shop.text("a.sh"), "printf '[mysqld]\\nmax_connections = 1\\nport=1\\n' > /etc/my.cnf\n");
}

/// A flag whose value is the next word, one without a value, one spelled with an escape, and a quote that is left open.
#[test]
fn words_of_a_command_are_fixed_whole() {
    let compose = |command: &str| {
        let before = format!("services:\n  db:\n    image: mariadb:10.11\n    command: {command}\n");
        let shop = Shop::with(&[("compose.yaml", &before)]);
        shop.run("compose.yaml --select unknown-option,relaxed-commit-durability --fix --unsafe-fixes");
        shop.text("compose.yaml").split("command: ").nth(1).unwrap().trim_end().to_owned()
    };
    for (before, after) in [
        (r#"["--max_conections", '20', "--port=1"]"#, r#"["--max_connections=20", "--port=1"]"#),
        (r#"["--max_conections", "20", --port, "1"]"#, r#"["--max_connections=20", --port, "1"]"#),
        ("[mysqld, --max_conections, \"20\"]", "[mysqld, --max_connections=20]"),
        ("\n      - '--max_conections'\n      - 20", "\n      - '--max_connections=20'"),
        ("mysqld --max_conections \"20\" --port 1", "mysqld --max_connections=20 --port 1"),
        ("mysqld --max_\"conections\"=20", "mysqld --max_connections=20"),
        (r#"[mysqld, "--max_c\x6fnections=20"]"#, r#"[mysqld, --max_connections=20]"#),
        ("[--innodb_flush_log_at_trx_commit=, --port=1]", "[--innodb_flush_log_at_trx_commit=1, --port=1]"),
        ("mysqld --innodb_flush_log_at_trx_commit=", "mysqld --innodb_flush_log_at_trx_commit=1"),
        ("mysqld '--max_conections=20", "mysqld '--max_conections=20"),
    ] {
        let fixed = compose(before);
        assert!(serde_yaml_ng::from_str::<Yaml>(&format!("a: {fixed}")).is_ok(), "{fixed}");
        assert_eq!(fixed, after);
    }
}

#[test]
fn standard_input_may_be_a_carrier_of_several_servers() {
    let shop = Shop::new();
    let text = shop.text("compose/flags.yaml");
    let fixed = shop.piped(&format!("- --stdin-filename compose.yaml --select {RULES} --fix --unsafe-fixes"), &text);
    shop.run(&format!("compose/flags.yaml --select {RULES} --fix --unsafe-fixes"));
    assert_eq!(fixed, shop.text("compose/flags.yaml"));
    assert_ne!(fixed, text);
}

/// `patch` knows nothing of cnflint.
#[test]
fn the_diffs_of_several_servers_follow_one_another() {
    let (shop, fixed) = (Shop::new(), Shop::new());
    let (diff, ..) = shop.run(&format!("compose/flags.yaml compose/mounted --select {RULES} --diff --unsafe-fixes"));
    fs::write(shop.path().join("all.diff"), diff).unwrap();
    let mut patch = Command::new("patch");
    patch.args(["-p0", "--fuzz=0", "-s", "-i", "all.diff"]).current_dir(shop.path());
    assert!(patch.status().unwrap().success());
    fixed.run(&format!("compose/flags.yaml compose/mounted --select {RULES} --fix --unsafe-fixes"));
    assert_eq!(shop.text("compose/flags.yaml"), fixed.text("compose/flags.yaml"));
    assert_eq!(shop.text("compose/mounted/my.cnf"), fixed.text("compose/mounted/my.cnf"));
}

#[test]
fn option_files_of_other_names_are_found_by_their_groups() {
    let wrong = "[mysqld]\nmax_conections = 1\n";
    let shop = Shop::with(&[
        ("a/my1.ini", wrong),
        ("a/my.cnf.example", wrong),
        ("a/php.ini", "[PHP]\nx = 1\n[mysqld]\ny = 1\n"),
        ("a/odbc.ini", "[mysql]\nDriver = x\n"),
    ]);
    let (printed, ..) = shop.run("a --select unknown-option --format short");
    let found: Vec<_> = printed.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(found[..2], ["a/my.cnf.example", "a/my1.ini"], "{printed}");
    assert!(!printed.contains("php.ini") && !printed.contains("odbc.ini"), "{printed}");
}

#[test]
fn comments_for_cnflint_are_heeded_in_carriers() {
    let compose = "services:\n  db:\n    image: mysql:8.4\n    command:\n      - --port=3307\n      # cnflint: ignore[unknown-option] ours\n      \
                   - --no-such-flag\n      - --other-flag # cnflint: ignore[unknown-option, no-such-rule] ours\n      - --third-flag\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  a.cnf: |\n    # cnflint: ignore[unknown-option] all of them\n    \
               [mysqld]\n    no_such = 1\n    other = 1\n  b.cnf: |\n    # cnflint: server=mariadb-10.11\n    [mysqld]\n    third = 1\n";
    let shop = Shop::with(&[("compose.yaml", compose), ("map.yaml", map)]);
    let (printed, ..) = shop.run(". --select unknown-option,unused-ignore --format short");
    let found: Vec<_> = printed.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(found, ["./compose.yaml:9:11", "./map.yaml:13:5", "./compose.yaml:8:56"], "{printed}");
    assert!(printed.contains("no version of MariaDB knows `third`"), "{printed}");
    shop.run(". --select unused-ignore --fix");
    assert!(shop.text("compose.yaml").contains("- --other-flag # cnflint: ignore[unknown-option] ours\n"));
}

/// In plain text and in base64, wherever in three bytes it begins.
#[test]
fn no_output_shows_a_secret() {
    let shop = Shop::new();
    let mut needles = vec!["s3cr3t".to_owned()];
    for before in ["", "x", "xx"] {
        let encoded = data_encoding::BASE64.encode(format!("{before}s3cr3t").as_bytes());
        needles.push(encoded[(before.len() * 4).div_ceil(3)..encoded.len() - 4].to_owned());
    }
    let mut outputs = Vec::new();
    for format in ["human", "short", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
        outputs.push(shop.run(&format!(". --format {format} --min-severity advice --ram 1G")));
    }
    outputs.push(shop.run(". --verbose"));
    outputs.push(shop.run(". --diff --unsafe-fixes"));
    for (printed, told, _) in outputs {
        for needle in &needles {
            let line = printed.lines().chain(told.lines()).find(|line| line.contains(needle));
            assert_eq!(line, None, "{needle}");
        }
    }
}

#[test]
fn a_directory_is_searched_by_name_and_content() {
    let shop = Shop::with(&[
        ("certs/openssl.cnf", "[ req ]\nprompt = no\n[ dn ]\nCN = db\n"),
        ("ndb/cluster.cnf", "[ndbd default]\nNoOfReplicas = 2\n[mysqld]\nHostName = a\n"),
        ("chart/values.yaml", "replicas: 3\nname: mysqld\n"),
        ("broken.yaml", "services: [\n  image: mysql\n"),
        ("grafana.yaml", "kind: ConfigMap\napiVersion: v1\ndata:\n  grafana.ini: |\n    [server]\n    http_port = 1\n"),
        ("deploy.sh", "#!/bin/sh\ncat <<EOF\n[section]\nEOF\n"),
        ("Dockerfile", "FROM mysql:8.4\nCMD [\"mysqld\"]\n"),
        ("nginx.service", "[Service]\nExecStart=/usr/sbin/nginx --no-such-flag\n"),
    ]);
    let (printed, told, code) = shop.run(". --format short");
    assert_eq!((printed.as_str(), code), ("", 3), "{told}");
    let (_, told, code) = shop.run("certs/openssl.cnf chart/values.yaml");
    assert_eq!(code, 0, "what was named and is no option file is left alone: {told}");
    assert!(told.contains("certs/openssl.cnf is a file of OpenSSL, and not linted"), "{told}");
    assert!(told.contains("chart/values.yaml holds no option file and no server's arguments"), "{told}");

    let (_, told, _) = Shop::new().run(". --verbose --format short");
    for line in [
        "./compose/mounted/compose.yaml: compose file (service db)",
        "./kubernetes/statefulset.yaml: Kubernetes manifest (StatefulSet orders, container mysql; Secret orders-secret, \
         client.cnf; Secret orders-secret, replica.cnf)",
        "./helm/values.yaml: YAML file (primary.configuration; /root/.my.cnf)",
        "./systemd/mariadb.service: systemd unit (ExecStart)",
        "./docker/Dockerfile: Dockerfile (image mariadb:11.4)",
        "./shell/install.sh: shell script (/etc/my.cnf; docker run mysql:8.0; exec mysqld)",
        "./shell/lines.sh: shell script ($conf; /etc/mysql/conf.d/one.cnf; /etc/my.cnf)",
        "./ansible/tasks.yml: Ansible tasks (/etc/my.cnf; /etc/mysql/conf.d/x.cnf; /etc/mysql/conf.d/whole.cnf; /root/.my.cnf)",
        "./template/my.cnf.j2: option file",
    ] {
        assert!(told.contains(&format!("cnflint: {line}\n")), "{line}\n{told}");
    }
    assert!(!told.contains("mounted/my.cnf"), "what a service mounts is linted with it: {told}");
}

fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/carriers"));
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// The documents of a file as a parser reads them that knows nothing of cnflint's; `None` where it takes the file for no YAML.
fn by_another_parser(bytes: &[u8]) -> Option<Vec<Yaml>> {
    use serde::Deserialize as _;
    serde_yaml_ng::Deserializer::from_slice(bytes).map(|document| Yaml::deserialize(document).ok()).collect()
}

/// Where the fixed YAML says something else in a place that holds no option.
fn changed_elsewhere(before: &Yaml, after: &Yaml, is_option: &dyn Fn(&str) -> bool) -> Option<String> {
    let text = |node: &Yaml| match node {
        Yaml::String(text) => Some(text.clone()),
        Yaml::Number(number) => Some(number.to_string()),
        Yaml::Bool(truth) => Some(truth.to_string()),
        _ => None,
    };
    match (before, after) {
        _ if before == after => None,
        (Yaml::Mapping(before), Yaml::Mapping(after)) if before.len() == after.len() => {
            before.iter().zip(after).find_map(|((old_key, old), (key, new))| {
                changed_elsewhere(old_key, key, is_option).or_else(|| changed_elsewhere(old, new, is_option))
            })
        }
        (Yaml::Sequence(before), Yaml::Sequence(after)) => {
            let others = |items: &[Yaml]| {
                let is_flag =
                    |item: &&Yaml| text(item).is_some_and(|text| ["--", "–"].iter().any(|dash| text.starts_with(dash)));
                items.iter().filter(|item| !is_flag(item)).cloned().collect::<Vec<_>>()
            };
            let (before, after) = (others(before), others(after));
            if before.len() != after.len() {
                return Some(format!("{before:?} {after:?}"));
            }
            before.iter().zip(&after).find_map(|(old, new)| changed_elsewhere(old, new, is_option))
        }
        _ => (!text(before).is_some_and(|text| is_option(&text))).then(|| format!("{before:?} {after:?}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever the bytes are, what is said points into the file, and what is fixed stays fixed.
    #[test]
    fn damaged_carriers_do_no_harm(
        which in any::<prop::sample::Index>(),
        places in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"\n\t -:|>'\"[]{}#$\\=_\xff{%"[..])), 0..6),
        goes in any::<bool>(),
    ) {
        let all = fixtures();
        let (path, mut bytes) = which.get(&all).clone();
        let is_damaged = !places.is_empty();
        for (place, byte) in places {
            let at = place.index(bytes.len());
            if goes { bytes.splice(at..at + 1, []); } else { bytes.splice(at..at, [byte]); }
        }
        let servers = carrier::read(&path, &bytes).map_or(0, |carrier| carrier.servers.len());
        let mut disk = MemoryFiles::default();
        disk.insert(&path, bytes.clone());
        for index in 0..servers {
            let subject = Subject { roots: vec![(path.clone(), None)], carried: Some(index), ..Subject::default() };
            let mut report = Report::default();
            lint(&disk, subject.clone(), &[built_in()], &mut report);
            for located in &report.findings {
                let finding = &located.finding;
                for label in finding.related.iter().chain([&finding.primary]) {
                    let span = label.location.span;
                    prop_assert_eq!(report.sources.get(label.location.file).bytes(), &*bytes);
                    prop_assert!(span.start <= span.end && span.end as usize <= bytes.len(), "{:?}", finding);
                }
                for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
                    let span = edit.at.span;
                    prop_assert!(span.start <= span.end && span.end as usize <= bytes.len(), "{:?}", finding);
                }
            }
            let fixed = fix(&disk, &subject, &[built_in()], Wanted::all(Safety::Unsafe));
            prop_assert!(fixed.stable, "{} {}", path.display(), String::from_utf8_lossy(&bytes));
            for (path, new) in &fixed.files {
                // What a damaged word behind a removed one means is another question.
                let read = carrier::read(path, new).map_or(0, |read| read.servers.len());
                prop_assert!(read == servers || is_damaged, "{}", String::from_utf8_lossy(new));
                let is_yaml = path.extension().is_some_and(|end| end == "yaml" || end == "yml");
                let Some(old) = by_another_parser(&bytes).filter(|_| is_yaml) else { continue };
                let new = by_another_parser(new);
                prop_assert!(new.is_some(), "{}", String::from_utf8_lossy(&bytes));
                let parts: Vec<_> = carrier::read(path, &bytes).into_iter().flat_map(|read| read.servers).flat_map(|server| server.parts).collect();
                let options = parts.iter().map(|part| String::from_utf8_lossy(&part.bytes)).collect::<String>();
                let names = options.lines().filter_map(|line| line.split('=').next()).map(str::trim);
                let names: Vec<_> = names.filter(|name| !name.is_empty() && !name.starts_with('[')).collect();
                let is_option = |text: &str| {
                    let encoded = || parts.iter().any(|part| matches!(part.encoding, carrier::Encoding::Base64 { .. }));
                    names.iter().any(|name| text.contains(name)) || options.contains(text.trim()) || encoded()
                };
                for (old, new) in old.iter().zip(new.iter().flatten()) {
                    prop_assert_eq!(changed_elsewhere(old, new, &is_option), None);
                }
            }
        }
    }
}

/// What scripts and YAML are made of.
const PIECES: [&str; 48] = [
    "services:\n",
    "  db:\n",
    "    image: mysql:8.4\n",
    "    command: ",
    "- ",
    "  ",
    "\n",
    "|\n",
    ">\n",
    "sh -c ",
    "echo ",
    "printf ",
    "'[mysqld]' ",
    "\"[mysqld]\\n",
    "a=1\\n",
    "%s ",
    "%",
    "'",
    "\"",
    "$(",
    "${x",
    "}",
    "`",
    "\\",
    "\\\n",
    "> f.cnf ",
    ">> f.cnf ",
    "| tee f.cnf",
    "<<EOF\n",
    "EOF\n",
    "[mysqld]\n",
    "docker run ",
    "mysql:8 ",
    "--port=1 ",
    "-e MYSQL_EXTRA_FLAGS='--a=1' ",
    "if x; then ",
    "fi\n",
    "case x in ",
    ") ",
    ";; ",
    "esac\n",
    "{ ",
    "; } ",
    "( ",
    "crudini --set f.cnf mysqld a 1\n",
    "RUN ",
    "\u{fc}",
    "{{ x }}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever the pieces come to, reading ends, and what is read lies in the file.
    #[test]
    fn pieces_of_carriers_are_read_where_they_stand(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        let text = pieces.concat();
        for name in ["a.yaml", "a.sh", "Dockerfile", "a.service"] {
            let read = carrier::read(Path::new(name), text.as_bytes());
            for part in read.into_iter().flat_map(|read| read.servers).flat_map(|server| server.parts) {
                let whole = part.map.outer(Span::new(0, part.bytes.len() as u32));
                prop_assert!(whole.start <= whole.end && whole.end as usize <= text.len(), "{}: {}", name, text);
                for at in 0..part.bytes.len() as u32 {
                    let byte = Span::new(at, at + 1);
                    if let Some(outer) = part.map.exact(byte) {
                        prop_assert_eq!(outer.of(text.as_bytes()), byte.of(&part.bytes), "{}: {}", name, text);
                    }
                }
            }
        }
    }
}

#[test]
fn many_files_take_seconds() {
    let shop = Shop::with(&[]);
    let yaml = "a:\n  b: [1, 2]\n".repeat(200);
    for number in 0..2000 {
        fs::write(shop.path().join(format!("{number}.yaml")), &yaml).unwrap();
    }
    let started = std::time::Instant::now();
    shop.run(".");
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}
