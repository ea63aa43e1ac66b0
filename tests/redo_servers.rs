//! The usable part of a redo log, asked of real servers that were started with that redo log.
//!
//! Servers lie under `CNFLINT_SERVERS` (default `~/.cache/cnflint/servers`), each with the scripts `initdb`, `serve` and
//! `mysql`. Without them the tests say so and pass, unless `CNFLINT_REQUIRE_SERVERS=1`.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests fail like tests")]

use cnflint::model::redo::RedoLog;
use cnflint::server::{Server, ServerSpec};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const MIB: i128 = 1 << 20;

fn servers() -> PathBuf {
    let home = std::env::var("HOME").unwrap_or_default();
    std::env::var("CNFLINT_SERVERS").map_or_else(|_| Path::new(&home).join(".cache/cnflint/servers"), PathBuf::from)
}

/// The scripts of one server, when it is at hand.
fn laid_out(name: &str) -> Option<PathBuf> {
    let server = servers().join(name);
    if server.join("serve").exists() {
        return Some(server);
    }
    assert!(
        std::env::var("CNFLINT_REQUIRE_SERVERS").as_deref() != Ok("1"),
        "{name} is required and not in {}",
        servers().display()
    );
    println!("skipped: no {name} in {}", servers().display());
    None
}

/// A server that runs until it is dropped.
struct Running {
    process: Child,
    client: PathBuf,
    data: PathBuf,
}

impl Running {
    fn start(server: &Path, client: &Path, data: &Path, options: &[&str]) -> Self {
        let process = Command::new(server.join("serve"))
            .arg(data)
            .args(options)
            .env("TMPDIR", temporary_of(data))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("serve runs");
        let running = Self { process, client: client.join("mysql"), data: data.to_owned() };
        let patience = Instant::now() + Duration::from_secs(60);
        while running.ask("select 1").is_empty() {
            assert!(Instant::now() < patience, "the server with {options:?} did not start");
            std::thread::sleep(Duration::from_millis(200));
        }
        running
    }

    /// What the server answers, a row a line, columns separated by tabs.
    fn ask(&self, query: &str) -> String {
        let socket = self.data.join("s.sock");
        let output = Command::new(&self.client)
            .arg(format!("--socket={}", socket.display()))
            .args(["--user=root", "--batch", "--skip-column-names", "--execute", query])
            .output()
            .expect("the client runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The number in the last column of the answer's last line.
    fn number(&self, query: &str) -> i128 {
        let answer = self.ask(query);
        answer.rsplit(['\t', '\n']).next().and_then(|number| number.parse().ok()).expect(&answer)
    }

    /// The counter of that name in `information_schema.INNODB_METRICS`.
    fn metric(&self, name: &str) -> i128 {
        self.number(&format!("select count from information_schema.innodb_metrics where name = '{name}'"))
    }

    fn version(&self, flavor: &str) -> Server {
        let version = self.ask("select version()");
        match ServerSpec::parse(&format!("{flavor}-{version}")) {
            Ok(ServerSpec::Exact(server)) => server,
            other => panic!("{version}: {other:?}"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}

/// A directory for temporary tables beside the data: a starting MariaDB removes those that it finds, another server's too.
fn temporary_of(data: &Path) -> PathBuf {
    let directory = data.with_extension("tmp");
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}

fn new_data_directory(server: &Path, parent: &Path) -> PathBuf {
    let data = parent.join("data");
    let mut initdb = Command::new(server.join("initdb"));
    let output = initdb.arg(&data).env("TMPDIR", temporary_of(&data)).output().expect("initdb runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    data
}

/// Every MariaDB shows the figure itself, as `Innodb_checkpoint_max_age`.
#[test]
fn mariadb_waits_where_the_model_says() {
    for name in ["mariadb-10.11", "mariadb-11.8", "mariadb-10.5"] {
        let Some(server) = laid_out(name) else { continue };
        let directory = tempfile::tempdir().expect("a directory");
        let data = new_data_directory(&server, directory.path());
        for mib in [96, 512, 1024, 2048, 5] {
            let size = format!("--innodb-log-file-size={mib}M");
            let running = Running::start(&server, &server, &data, &[&size]);
            let log = RedoLog::new(running.version("mariadb"), 1, 16384, 0);
            let shown = running.number("show global status like 'Innodb_checkpoint_max_age'");
            assert_eq!(log.usable(mib * MIB), shown, "{name} with {mib}M");
        }
        // What the inverse recommends for 1.2 GiB of redo is enough on the server, and 1 MiB less is not.
        let wanted = 1024 * MIB * 12 / 10;
        let running = Running::start(&server, &server, &data, &[]);
        let log = RedoLog::new(running.version("mariadb"), 1, 16384, 0);
        drop(running);
        let capacity = log.capacity_for(wanted).expect("a capacity");
        for (bytes, enough) in [(capacity, true), (capacity - MIB, false)] {
            let running = Running::start(&server, &server, &data, &[&format!("--innodb-log-file-size={bytes}")]);
            let shown = running.number("show global status like 'Innodb_checkpoint_max_age'");
            assert_eq!(shown >= wanted, enough, "{name} with {bytes}");
        }
    }
}

/// MySQL 9.7 shows the two figures whose difference the model is: the soft capacity through a flushing limit, which is
/// 15/16 of it, and the margin for threads at work.
#[test]
fn mysql_9_7_keeps_the_margins_of_the_model() {
    let Some(server) = laid_out("mysql-9.7") else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let data = new_data_directory(&server, directory.path());
    for (mib, threads) in [(8, 0), (100, 0), (200, 100), (1024, 0)] {
        let options = [format!("--innodb-redo-log-capacity={mib}M"), format!("--innodb-thread-concurrency={threads}")];
        let running = Running::start(&server, &server, &data, &[&options[0], &options[1]]);
        running.ask("set global innodb_monitor_enable = 'log_%'");
        // The limits are counted when the page cleaner next looks, and the margin when the limits change.
        running
            .ask("create database if not exists t; create table if not exists t.t (a int); insert into t.t values (1)");
        std::thread::sleep(Duration::from_millis(2500));
        let (sync, margin) = (running.metric("log_max_modified_age_sync"), running.metric("log_concurrency_margin"));
        let log = RedoLog::new(running.version("mysql"), 0, 16384, threads);
        // Redo records lie 496 bytes to a block of 512.
        let margin_on_disk = margin / 496 * 512 + margin % 496 + 12;
        let soft = log.usable(mib * MIB) + margin_on_disk;
        let difference = soft * 15 / 16 - sync;
        assert!((0..1024).contains(&(difference + 512)), "{mib}M, {threads} threads: {difference}");
    }
}

/// MySQL 5.6 shows 7/8 of the usable part as a flushing limit. Its layout has no client, so a MariaDB's is used.
#[test]
fn mysql_5_6_flushes_at_seven_eighths_of_the_model() {
    let (Some(server), Some(client)) = (laid_out("mysql-5.6"), laid_out("mariadb-10.11")) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    for (mib, files, threads) in [(48, 2, 0), (64, 3, 50)] {
        let parent = directory.path().join(format!("{mib}"));
        std::fs::create_dir(&parent).expect("a directory");
        let data = new_data_directory(&server, &parent);
        let options = [
            format!("--innodb-log-file-size={mib}M"),
            format!("--innodb-log-files-in-group={files}"),
            format!("--innodb-thread-concurrency={threads}"),
        ];
        let running = Running::start(&server, &client, &data, &[&options[0], &options[1], &options[2]]);
        running.ask("set global innodb_monitor_enable = 'log_%'");
        std::thread::sleep(Duration::from_millis(1500));
        let usable = RedoLog::new(running.version("mysql"), files, 16384, threads).usable(mib * files * MIB);
        assert_eq!(running.metric("log_max_modified_age_async"), usable - usable / 8, "{files} x {mib}M");
    }
}
