//! The hooks of `.pre-commit-hooks.yaml`, run by the real pre-commit where it is installed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
/// Stands for cnflint's source, which takes minutes to build: pre-commit builds this, and it starts what is built already.
const SOURCE: &str = r#"
fn main() {
    use std::os::unix::process::CommandExt;
    panic!("{}", std::process::Command::new(env!("BUILT")).args(std::env::args_os().skip(1)).exec());
}
"#;

struct Repositories {
    directory: tempfile::TempDir,
}

impl Repositories {
    /// One with the hooks, one that uses `hook`. `None` where pre-commit is missing.
    fn new(hook: &str) -> Option<Self> {
        if !Command::new("pre-commit").arg("--version").output().is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: pre-commit is not installed");
            return None;
        }
        let this = Self { directory: tempfile::tempdir().unwrap() };
        let hooks = std::fs::read_to_string(Path::new(HOME).join(".pre-commit-hooks.yaml")).unwrap();
        this.write("hooks/.pre-commit-hooks.yaml", &hooks);
        this.write("hooks/src/main.rs", SOURCE);
        this.write("hooks/Cargo.toml", "[package]\nname = \"cnflint\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        this.commit("hooks");
        let configuration = format!(
            "repos:\n  - repo: {}\n    rev: v0.1.0\n    hooks:\n      - id: {hook}\n        args: [--server, mariadb-10.11, --ram, 4G]\n",
            this.path("hooks").display()
        );
        this.write("configs/.pre-commit-config.yaml", &configuration);
        this.commit("configs");
        Some(this)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn git(&self, repository: &str, arguments: &[&str]) {
        let who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"];
        let mut command = Command::new("git");
        let output = command.args(who).args(arguments).current_dir(self.path(repository)).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn commit(&self, repository: &str) {
        self.git(repository, &["init", "--quiet"]);
        self.git(repository, &["add", "--all"]);
        self.git(repository, &["commit", "--quiet", "--message", "first"]);
        self.git(repository, &["tag", "v0.1.0"]);
    }

    /// Whether the hook lets a commit with this file pass, and what it prints.
    fn passes(&self, name: &str, text: &str) -> (bool, String) {
        self.write(&format!("configs/{name}"), text);
        self.git("configs", &["add", name]);
        let built = Path::new(env!("CARGO_BIN_EXE_cnflint"));
        let path = format!("{}:{}", built.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("pre-commit");
        command.args(["run", "--color", "never"]).current_dir(self.path("configs")).env("PATH", path);
        command.env("PRE_COMMIT_HOME", self.path("cache")).env("BUILT", built);
        let output = command.output().unwrap();
        self.git("configs", &["rm", "--quiet", "--force", name]);
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn stops_bad_files_only(hook: &str) {
    let Some(repositories) = Repositories::new(hook) else { return };
    let (passed, text) = repositories.passes("db/my.cnf", "[mysqld]\nmax_connections = 200\n");
    assert!(passed && text.contains("Passed"), "{text}");
    let (passed, text) = repositories.passes("db/my.cnf", "[mysqld]\ninnodb_buffer_pol_size = 1G\n");
    assert!(!passed && text.contains("error[unknown-option]") && text.contains("db/my.cnf"), "{text}");
    let (passed, text) = repositories.passes("win/my.ini", "[mysqld]\ninnodb_buffer_pool_size = 100G\n");
    assert!(!passed && text.contains("error[buffer-pool-too-large]") && text.contains("(--ram)"), "{text}");
    let (passed, text) = repositories.passes("notes.txt", "[mysqld]\ninnodb_buffer_pol_size = 1G\n");
    assert!(passed && text.contains("Skipped"), "{text}");
}

#[test]
fn the_hook_that_pre_commit_builds_stops_bad_files_only() {
    stops_bad_files_only("cnflint");
}

#[test]
fn the_hook_that_takes_the_installed_program_stops_bad_files_only() {
    stops_bad_files_only("cnflint-system");
}
