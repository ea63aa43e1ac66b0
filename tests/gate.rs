//! cnflint as a gate before a deploy, in plain shell: `tests/gate/deploy.sh`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SERVER: [&str; 2] = ["--server", "mariadb-10.11"];

struct Gate {
    directory: tempfile::TempDir,
}

impl Gate {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn candidate(&self, text: &str) -> PathBuf {
        let path = self.path("candidate.cnf");
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The installed file, with what stands in it before the deploy.
    fn place(&self) -> PathBuf {
        let path = self.path("installed.cnf");
        std::fs::write(&path, "[mysqld]\nport = 3306\n").unwrap();
        path
    }

    /// The status of a deploy that nobody watches, on a build machine, and whether the file was put in its place.
    fn deploy(&self, text: &str, options: &[&str]) -> (Option<i32>, bool) {
        let place = self.place();
        let mut command = Command::new(deploy());
        command.arg(self.candidate(text)).arg(&place).args(options);
        let output = unwatched(&mut command);
        assert!(output.status.success() || !output.stderr.is_empty(), "a refusal says something");
        (output.status.code(), std::fs::read_to_string(place).unwrap() == text)
    }
}

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate/deploy.sh")
}

fn unwatched(command: &mut Command) -> Output {
    command.env("CNFLINT", env!("CARGO_BIN_EXE_cnflint")).env("CI", "true").stdin(std::process::Stdio::null());
    command.output().unwrap()
}

#[test]
fn a_bad_file_is_held_back_and_a_good_one_is_not() {
    let gate = Gate::new();
    assert_eq!(gate.deploy("[mysqld]\ninnodb_buffer_pol_size = 1G\n", &SERVER), (Some(1), false));
    assert_eq!(gate.deploy("[mysqld]\nmax_connections = 200\n", &SERVER), (Some(0), true));
}

#[test]
fn what_is_asked_for_has_to_be_known() {
    let gate = Gate::new();
    let good = "[mysqld]\nmax_connections = 200\n";
    let require = ["--server", "mariadb-10.11", "--require", "ram,disk"];
    assert_eq!(gate.deploy(good, &require), (Some(2), false));
    let given = [&require[..], &["--ram", "16G", "--disk", "ssd"]].concat();
    assert_eq!(gate.deploy(good, &given), (Some(0), true));
}

#[test]
fn a_warning_holds_back_when_the_gate_says_so() {
    let gate = Gate::new();
    let risky = "[mysqld]\nlog_bin = binlog\nsync_binlog = 0\n";
    assert_eq!(gate.deploy(risky, &SERVER), (Some(0), true));
    let strict = ["--server", "mariadb-10.11", "--fail-on", "warning"];
    assert_eq!(gate.deploy(risky, &strict), (Some(1), false));
}

/// Runs the deploy on this host, but with an `/etc` of its own: in a mount namespace. `None` where the kernel allows none.
fn with_own_etc(etc: &Path, candidate: &Path, place: &str, options: &[&str]) -> Option<Output> {
    let allowed = Command::new("unshare").args(["-rm", "true"]).output().is_ok_and(|output| output.status.success());
    if !allowed {
        eprintln!("skipped: no mount namespace can be had here, so /etc/mysql cannot be made up");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", r#"mount --bind "$1" /etc && shift && exec "$@""#, "sh"]).arg(etc);
    command.arg(deploy()).arg(candidate).arg(place).args(options);
    Some(unwatched(&mut command))
}

#[test]
fn a_candidate_is_judged_by_the_memory_of_the_host_that_it_is_for() {
    let gate = Gate::new();
    let etc = gate.path("etc");
    std::fs::create_dir_all(etc.join("mysql/conf.d")).unwrap();
    std::fs::create_dir_all(etc.join("mysql/unread.d")).unwrap();
    std::fs::write(etc.join("mysql/my.cnf"), "[mysqld]\nport = 3306\n!includedir /etc/mysql/conf.d/\n").unwrap();
    let huge = gate.candidate("[mysqld]\ninnodb_buffer_pool_size = 64T\n");
    let run = |place, options: &[&str]| {
        let output = with_own_etc(&etc, &huge, place, &[&SERVER[..], options].concat())?;
        Some((output.status.code(), String::from_utf8(output.stdout).unwrap()))
    };
    let Some((status, report)) = run("/etc/mysql/conf.d/x.cnf", &["--detect"]) else { return };
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("error[buffer-pool-too-large]"), "{report}");
    assert!(report.contains("/etc/mysql/my.cnf and 1 more file"), "the candidate stands among the others\n{report}");
    assert!(!report.contains("file-not-read"), "{report}");
    assert!(!etc.join("mysql/conf.d/x.cnf").exists());

    let (status, report) = run("/etc/mysql/conf.d/x.cnf", &["--no-detect"]).unwrap();
    assert_eq!(status, Some(0), "without the host's memory nothing is known\n{report}");
    assert!(report.contains("--ram"), "{report}");

    let (status, report) = run("/etc/mysql/unread.d/x.cnf", &["--detect", "--fail-on", "warning"]).unwrap();
    assert_eq!(status, Some(1), "{report}");
    assert!(report.contains("warning[file-not-read]") && report.contains("`/etc/mysql/my.cnf`"), "{report}");
}
