//! What carriers hold, judged by those who carry it out: a shell writes the files and splits the words, the real server makes
//! settings of both.
//!
//! The servers lie where `CNFLINT_SERVERS` says; without them such tests say so and pass, unless `CNFLINT_REQUIRE_SERVERS=1`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot ask has failed")]

mod servers;

use cnflint::input::carrier;
use servers::RealServer;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that writes down what it is called with.
const RECORDER: &str = "#!/bin/sh\nprintf '%s\\0' \"$@\" > \"$CALLED_WITH\"\n";

/// Runs a script with recorders in place of the programs that it would start, and gives what the last of them got.
fn called_with(shell: &str, script: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    for name in ["docker", "docker-entrypoint.sh", "mysqld", "mysqladmin", "chmod", "sleep"] {
        let path = directory.path().join(name);
        fs::write(&path, RECORDER).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let record = directory.path().join("record");
    let mut command = Command::new(shell);
    let path = format!("{}:/usr/bin:/bin", directory.path().display());
    command.args(["-c", script]).env_clear().env("PATH", path).env("CALLED_WITH", &record);
    assert!(command.current_dir(directory.path()).status().unwrap().success(), "{script}");
    let bytes = fs::read(record).unwrap();
    bytes
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8(word.to_vec()).unwrap())
        .collect()
}

/// What follows a word.
fn behind(words: Vec<String>, word: &str) -> Vec<String> {
    let at = words.iter().position(|other| other == word).unwrap_or_else(|| panic!("{word} in {words:?}"));
    words[at + 1..].to_vec()
}

/// The table at the end of `--help --verbose`, but for what depends on where the server was asked.
fn table(server: &RealServer, arguments: &[String]) -> BTreeMap<String, String> {
    let directory = tempfile::tempdir().unwrap();
    let arguments: Vec<_> =
        arguments.iter().map(String::as_str).chain(["--help", "--verbose", "--user=root"]).collect();
    let output = server.asked(&arguments).current_dir(directory.path()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, table) = printed
        .rsplit_once("\n--------")
        .unwrap_or_else(|| panic!("{} {arguments:?}: {}", server.name, String::from_utf8_lossy(&output.stderr)));
    let lines = table.lines().skip(1).take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(' '));
    lines.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

/// A carrier of one server, and what that server is started with.
struct Case {
    name: &'static str,
    carrier: String,
    /// The option file that the server finds, beside the carrier under the name `my.cnf` or in it.
    option_file: Option<&'static str>,
    arguments: Vec<String>,
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn indented(text: &str, width: usize) -> String {
    text.lines().map(|line| format!("{:width$}{line}\n", "")).collect()
}

fn cases() -> Vec<Case> {
    let file = "[mysqld]\nmax_connections = 900\nsort_buffer_size = 1M\nwait_timeout = 60\n";
    let script = "set -e\nchmod 644 x\nmysqladmin --port 1 ping\nexec docker-entrypoint.sh mysqld --max-connections=77 \\\n  \
                  --init-connect='SET NAMES utf8mb4' \"--sort-buffer-size=2M\" --wait-timeout 61\n";
    let run = "docker run -d --name db -m 2g -e MYSQL_ROOT_PASSWORD=x -v a:/b \\\n  mysql:8.4 --max-connections=78 \\\n  \
               --init-connect='SET NAMES \"utf8mb4\"' --sort-buffer-size 3M\n";
    let flags = "--max-connections=79 --wait-timeout=62  --sort-buffer-size=4M";
    let split = called_with("bash", &format!("read -r -a words <<< '{flags}'; docker \"${{words[@]}}\""));
    let command = r#"["mysqld", "--max-connections=81", "--init-connect=SET NAMES utf8mb4", "--skip-name-resolve"]"#;
    let list: Vec<String> = serde_json::from_str(command).unwrap();
    vec![
        Case {
            name: "compose.yaml",
            carrier: "services:\n  db:\n    image: mysql:8.4\n    volumes:\n      - ./my.cnf:/etc/mysql/conf.d/my.cnf\n    \
                 entrypoint: [docker-entrypoint.sh, mysqld, --max-connections=70]\n    command:\n      - \
                 '--max-connections=71'\n      - --init-connect=SET NAMES utf8mb4\n      - --wait-timeout=${WAIT:-63}\n"
                .to_owned(),
            option_file: Some(file),
            arguments: words(&[
                "--max-connections=70",
                "--max-connections=71",
                "--init-connect=SET NAMES utf8mb4",
                "--wait-timeout=63",
            ]),
        },
        Case {
            name: "compose.yaml",
            carrier: format!(
                "services:\n  db:\n    image: mysql:8.4\n    volumes:\n      - ./my.cnf:/etc/my.cnf\n    command:\n      - sh\n      \
                 - -c\n      - |\n{}",
                indented(script, 8)
            ),
            option_file: Some(file),
            arguments: behind(called_with("sh", script), "mysqld"),
        },
        Case {
            name: "compose.yaml",
            carrier: format!(
                "services:\n  db:\n    image: bitnami/mysql:8.4\n    environment:\n      - MYSQL_EXTRA_FLAGS={flags}\n"
            ),
            option_file: None,
            arguments: split,
        },
        Case {
            name: "manifest.yaml",
            carrier: format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: conf }}\ndata:\n  my.cnf: |\n{}---\napiVersion: v1\nkind: Pod\n\
                 metadata: {{ name: db }}\nspec:\n  containers:\n    - name: db\n      image: mysql:8.4\n      command: [mysqld, \
                 --max-connections=72]\n      args: [\"--sort-buffer-size=5M\", --skip-name-resolve]\n      volumeMounts: [{{ name: \
                 conf, mountPath: /etc/mysql/conf.d }}]\n  volumes: [{{ name: conf, configMap: {{ name: conf }} }}]\n",
                indented(file, 4)
            ),
            option_file: Some(file),
            arguments: words(&["--max-connections=72", "--sort-buffer-size=5M", "--skip-name-resolve"]),
        },
        Case {
            name: "Dockerfile",
            carrier: format!("FROM mysql:8.4\nCOPY <<EOF /etc/mysql/conf.d/x.cnf\n{file}EOF\nCMD {command}\n"),
            option_file: Some(file),
            arguments: list[1..].to_vec(),
        },
        Case {
            name: "run.sh",
            carrier: format!("#!/bin/bash\nset -e\n{run}"),
            option_file: None,
            arguments: behind(called_with("bash", run), "mysql:8.4"),
        },
        Case {
            name: "mariadb.service",
            carrier: "[Service]\nExecStart=/usr/sbin/mysqld --max-connections=82 \\\n  \"--init-connect=SET NAMES utf8mb4\"\n".to_owned(),
            option_file: None,
            arguments: words(&["--max-connections=82", "--init-connect=SET NAMES utf8mb4"]),
        },
    ]
}

/// What cnflint says the server would get, option files and flags in one.
fn effective(directory: &Path, case: &Case, server: &RealServer, more: &[&str]) -> String {
    fs::write(directory.join(case.name), &case.carrier).unwrap();
    fs::write(directory.join("my.cnf"), case.option_file.unwrap_or_default()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.args(["effective", case.name, "--server", &server.server.to_string().to_lowercase().replace(' ', "-")]);
    let output = command.args(more).current_dir(directory).env("CI", "1").stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn servers_make_of_a_carrier_what_cnflint_reads_in_it() {
    for server in servers::all() {
        for case in cases() {
            let directory = tempfile::tempdir().unwrap();
            let read = effective(directory.path(), &case, &server, &["--format", "args"]);
            let read: Vec<_> = ["--no-defaults"].into_iter().chain(read.lines()).map(str::to_owned).collect();
            let defaults = match case.option_file {
                Some(_) => format!("--defaults-file={}", directory.path().join("my.cnf").display()),
                None => "--no-defaults".to_owned(),
            };
            let started: Vec<_> = [defaults].into_iter().chain(case.arguments.iter().cloned()).collect();
            let (started, read) = (table(&server, &started), table(&server, &read));
            assert!(started.len() > 100, "{}: {started:?}", server.name);
            let differ: Vec<_> = started.iter().filter(|(name, value)| read.get(*name) != Some(value)).collect();
            assert!(differ.is_empty(), "{} {}: {differ:?}", server.name, case.name);
            assert_ne!(started["max-connections"], table(&server, &words(&["--no-defaults"]))["max-connections"]);
        }
    }
}

#[test]
fn what_is_persisted_outranks_flags_and_files() {
    let Some(server) = servers::server("mysql-9.7") else { return };
    let directory = tempfile::tempdir().unwrap();
    let case = cases().swap_remove(0);
    let datadir = directory.path().join("data");
    server.initialize(&datadir);
    let persisted = "{\"Version\": 2, \"mysql_dynamic_parse_early_variables\": {\"max_connections\": {\"Value\": \"333\", \"Metadata\": {\"Host\": \
                     \"localhost\", \"User\": \"root\", \"Timestamp\": 1796050920961343}}}}";
    fs::write(datadir.join("mysqld-auto.cnf"), persisted).unwrap();
    fs::write(directory.path().join("mysqld-auto.cnf"), persisted).unwrap();
    let read = effective(directory.path(), &case, &server, &["--persisted", "mysqld-auto.cnf", "--format", "json"]);
    let view: serde_json::Value = serde_json::from_str(&read).unwrap();
    let file = directory.path().join("my.cnf");
    servers::write(&file, case.option_file.unwrap().as_bytes());
    let flags: Vec<_> = case.arguments.iter().map(String::as_str).collect();
    let running = server.start(&datadir, Some(&file), &flags).unwrap();
    for (name, expected) in [("max_connections", "333"), ("wait_timeout", "63"), ("sort_buffer_size", "1M")] {
        let setting = view["settings"].as_array().unwrap().iter().find(|setting| setting["setting"] == name).unwrap();
        let said = setting["value"].as_str().unwrap();
        assert_eq!(said.split(' ').next(), Some(expected), "{name}: {said}");
        let bytes = expected.replace("1M", "1048576");
        assert_eq!(running.query(&format!("SELECT @@GLOBAL.{name}")).trim(), bytes);
    }
}

/// Scripts that write `my.cnf`, each for the shells that read it the same way.
const SCRIPTS: [(&[&str], &str); 14] = [
    (&["bash", "dash"], "cat > my.cnf <<EOF\n[mysqld]\nport = 1\ninit_connect = \"SET x = \\$y \\\\ z\"\nEOF\n"),
    (&["bash", "dash"], "f() {\n\tcat <<-'EOF' > my.cnf\n\t[mysqld]\n\t\tport = $X \\$ `y`\n\n\tEOF\n}\nf\n"),
    (&["bash", "dash"], "cat <<\"E\" | sudo tee my.cnf > /dev/null\n[mysqld]\nport=1 # x\nE\n"),
    (&["bash", "dash"], "cat <<EOF >my.cnf\n[mysqld]\nbind-address = \\\n0.0.0.0\nEOF\n"),
    (
        &["bash", "dash"],
        "echo '[mysqld]' > my.cnf\necho \"port = 1\" >> my.cnf\necho 'a \"b\"'  c >>my.cnf; echo >> my.cnf\n",
    ),
    (
        &["bash", "dash"],
        "{\n  echo '[mysqld]'\n  printf '%s = %s\\n' port 1 user mysql\n  echo 'x' | cat\n} > my.cnf\n",
    ),
    (
        &["bash", "dash"],
        "(echo [mysqld]; echo port=1) | sudo tee my.cnf\nprintf 'a=50%%\\nb=\"\\101\"\\n' | sudo tee -a my.cnf\n",
    ),
    (&["bash"], "echo -e \"[mysqld]\\nport=1\\ttab\\\\\\\\\" > my.cnf\necho -en 'x=1\\n' >> my.cnf\n"),
    (&["bash"], "echo '[mysqld]' > my.cnf; echo 'a\\nb' >> my.cnf\necho $'c=\\'1\\'\\nd=2' >> my.cnf\n"),
    (&["dash"], "echo '[mysqld]\\na=1\\nb=\"x y\"' > my.cnf\n"),
    (&["bash", "dash"], "echo '[mysqld]\na = 1\n' > my.cnf && echo b=2 >> my.cnf || echo c >> other\n"),
    (&["bash", "dash"], "sh -c \"echo '[mysqld]' > my.cnf; echo port=\\\"1\\\" >> my.cnf\"\n"),
    (
        &["bash", "dash"],
        "true > my.cnf # echo x > my.cnf\necho \"[mysqld]\" 2>/dev/null >my.cnf\nx=1 y=2 printf \"port\\n\" >> my.cnf 2>&1\n",
    ),
    (&["bash", "dash"], "printf '%s\\n' '[mysqld]' \"max_connections=100\" 'sql_mode=\"\"' > my.cnf\n"),
];

#[test]
fn shells_write_the_files_that_cnflint_reads() {
    for (shells, script) in SCRIPTS {
        for shell in shells.iter().filter(|shell| Command::new(shell).args(["-c", "true"]).status().is_ok()) {
            let directory = tempfile::tempdir().unwrap();
            let sudo = directory.path().join("sudo");
            fs::write(&sudo, "#!/bin/sh\nexec \"$@\"\n").unwrap();
            fs::set_permissions(&sudo, fs::Permissions::from_mode(0o755)).unwrap();
            let script = format!("#!/usr/bin/env {}\n{script}", if *shell == "dash" { "sh" } else { shell });
            let mut command = Command::new(shell);
            let path = format!("{}:/usr/bin:/bin", directory.path().display());
            command.args(["-c", &script]).current_dir(directory.path()).env("PATH", path).stdout(Stdio::null());
            assert!(command.status().unwrap().success(), "{script}");
            let written = fs::read_to_string(directory.path().join("my.cnf")).unwrap();
            let carrier = carrier::read(Path::new("x.sh"), script.as_bytes()).unwrap_or_else(|| panic!("{script}"));
            let files: Vec<_> = carrier.servers.iter().filter(|server| server.name == "my.cnf").collect();
            assert_eq!(files.len(), 1, "{script}");
            let read = String::from_utf8_lossy(&files[0].parts[0].bytes);
            assert_eq!(read, written, "{shell}: {script}");
        }
    }
}
