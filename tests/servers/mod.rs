//! The real servers that tests ask. `tests/servers/get.sh` lays them out; without them such tests say so and pass, unless
//! `CNFLINT_REQUIRE_SERVERS=1`.

#![allow(dead_code, reason = "each test uses a part of it")]

use cnflint::server::{Server, ServerSpec};
use cnflint::source::{FileKind, Files};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The servers that `get.sh` knows.
pub const NAMES: [&str; 5] = ["mysql-9.7", "mysql-5.6", "mariadb-11.8", "mariadb-10.11", "mariadb-10.5"];

/// A server that lies ready on this machine.
#[derive(Clone, Debug)]
pub struct RealServer {
    /// As in [`NAMES`].
    pub name: &'static str,
    /// Flavor and exact version, as the server tells it.
    pub server: Server,
    /// Where `get.sh` has laid it out.
    pub directory: PathBuf,
}

/// What a server says of an option file.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether it would go on to start.
    pub accepted: bool,
    /// Everything on standard error.
    pub messages: String,
}

/// The server of that name, or nothing, with a line that says so, when it is not laid out.
pub fn server(name: &str) -> Option<RealServer> {
    let name = NAMES.into_iter().find(|known| *known == name).unwrap_or_else(|| panic!("no server is called {name}"));
    let directory = base().join(name);
    let Ok(version) = std::fs::read_to_string(directory.join("VERSION")) else {
        let message = format!("{name} is not laid out; run tests/servers/get.sh");
        assert!(std::env::var_os("CNFLINT_REQUIRE_SERVERS").is_none_or(|value| value != "1"), "{message}");
        eprintln!("skipped: {message}");
        return None;
    };
    let flavor = name.split('-').next().unwrap();
    let Ok(ServerSpec::Exact(server)) = ServerSpec::parse(&format!("{flavor}-{}", version.trim())) else {
        panic!("{name}: VERSION says `{version}`");
    };
    Some(RealServer { name, server, directory })
}

/// Every server that is laid out.
pub fn all() -> Vec<RealServer> {
    NAMES.into_iter().filter_map(server).collect()
}

fn base() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/cnflint/servers");
    std::env::var_os("CNFLINT_SERVERS").map_or_else(home, PathBuf::from)
}

impl RealServer {
    /// Where it is laid out.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A program of the server's package, run by the package's own loader and libraries, with nothing of this environment.
    pub fn program(&self, path: &str) -> Command {
        let libraries = self.directory.join("root/usr/lib/x86_64-linux-gnu");
        let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
        command.arg("--inhibit-cache").arg("--library-path").arg(&libraries).arg(self.directory.join(path));
        command.env_clear().env("HOME", "/nonexistent").stdin(Stdio::null());
        command
    }

    /// The server.
    pub fn mysqld(&self) -> Command {
        self.program(match self.name {
            "mysql-5.6" => "server/bin/mysqld",
            "mysql-9.7" => "root/usr/sbin/mysqld",
            _ => "root/usr/sbin/mariadbd",
        })
    }

    /// `my_print_defaults`, where the package has it.
    pub fn my_print_defaults(&self) -> Option<Command> {
        (self.name != "mysql-5.6").then(|| self.program("root/usr/bin/my_print_defaults"))
    }

    /// The server's verdict on a file, without starting: `--validate-config`, or `--help --verbose` where there is none.
    /// Errors that only a start shows (directories, engines) do not appear.
    pub fn check(&self, file: &Path) -> Verdict {
        let defaults = format!("--defaults-file={}", file.display());
        let mut command = match self.name {
            "mysql-9.7" => self.asked(&[
                &defaults,
                "--validate-config",
                "--log-error-verbosity=2",
                "--secure-file-priv=",
                "--user=root",
            ]),
            _ => self.asked(&[&defaults, "--help", "--verbose", "--user=root"]),
        };
        // Some servers make the logs that they are told to write even now, where they stand.
        let output = command.current_dir(file.parent().unwrap()).output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        // MariaDB disables InnoDB on a bad value and still ends with 0 here; the start fails.
        Verdict { accepted: output.status.success() && !messages.contains("[ERROR]"), messages }
    }

    /// The server with these arguments, and with its own places, which are not those that it was built for.
    pub fn asked(&self, arguments: &[&str]) -> Command {
        let mut command = self.mysqld();
        command.args(arguments);
        let mut place = |option: &str, path: &str| {
            command.arg(format!("--{option}={}", self.directory.join(path).display()));
        };
        match self.name {
            "mysql-9.7" => place("lc-messages-dir", "root/usr/share/mysql"),
            "mysql-5.6" => {
                place("basedir", "server");
                place("lc-messages-dir", "server/share");
                place("datadir", "server/data/mysql");
            }
            _ => place("plugin-dir", "root/usr/lib/mysql/plugin"),
        }
        command
    }

    /// Makes a fresh data directory, without passwords.
    pub fn initialize(&self, datadir: &Path) {
        let temporary = temporary_of(datadir);
        let output = Command::new(self.directory.join("initdb"))
            .arg(datadir)
            .env("TMPDIR", temporary)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&output.stderr));
    }

    /// Starts the server on an initialized data directory with an option file (or none) and waits until it answers. The
    /// error log when it does not.
    ///
    /// Socket, network and directories are set behind the file's options and so outrank it.
    pub fn start(&self, datadir: &Path, file: Option<&Path>, options: &[&str]) -> Result<Running, String> {
        self.start_by(Command::new(self.directory.join("serve")), datadir, file, options)
    }

    /// The same with so many open files allowed.
    pub fn start_under(
        &self,
        open_files: u32,
        datadir: &Path,
        file: Option<&Path>,
        options: &[&str],
    ) -> Result<Running, String> {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n \"$1\" && shift && exec \"$@\"", "sh"]);
        command.arg(open_files.to_string()).arg(self.directory.join("serve"));
        self.start_by(command, datadir, file, options)
    }

    fn start_by(
        &self,
        mut command: Command,
        datadir: &Path,
        file: Option<&Path>,
        options: &[&str],
    ) -> Result<Running, String> {
        let log_path = datadir.with_extension("log");
        let log = std::fs::File::create(&log_path).unwrap();
        let defaults = file.map_or("--no-defaults".into(), |file| format!("--defaults-file={}", file.display()));
        let child = command
            .arg(datadir)
            .args(options)
            .env("CNF", defaults)
            .env("TMPDIR", temporary_of(datadir))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut running = Running { server: self.clone(), socket: datadir.join("s.sock"), child };
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            if running.child.try_wait().unwrap().is_some() {
                break;
            }
            if running.socket.exists() && running.ask("SELECT 1").is_ok() {
                return Ok(running);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        drop(running);
        Err(String::from_utf8_lossy(&std::fs::read(&log_path).unwrap_or_default()).into_owned())
    }
}

/// A directory for temporary tables beside the data. A starting MariaDB removes those that it finds, another server's too.
fn temporary_of(datadir: &Path) -> PathBuf {
    let directory = datadir.with_extension("tmp");
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// A server that runs until this is dropped.
pub struct Running {
    server: RealServer,
    socket: PathBuf,
    child: Child,
}

impl Running {
    /// What the client prints for a statement, tab-separated without a header line.
    pub fn query(&self, sql: &str) -> String {
        self.ask(sql).unwrap_or_else(|error| panic!("{}: {sql}: {error}", self.server.name))
    }

    /// Runs the client with these arguments in front of the statement, for its other forms of output.
    pub fn client(&self, arguments: &[&str], sql: &str) -> Output {
        // 5.6 comes without a client; one of another package speaks to it as well.
        let server = if self.server.name == "mysql-5.6" { server("mariadb-10.11") } else { Some(self.server.clone()) };
        let server = server.expect("the client of mariadb-10.11");
        let path = if server.name.starts_with("mysql") { "root/usr/bin/mysql" } else { "root/usr/bin/mariadb" };
        let mut command = server.program(path);
        command
            .args(["--no-defaults", "-uroot", "--protocol=socket"])
            .arg(format!("--socket={}", self.socket.display()));
        command.args(arguments).args(["-e", sql]).output().unwrap()
    }

    fn ask(&self, sql: &str) -> Result<String, String> {
        let output = self.client(&["-BN"], sql);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // `serve` became the server by exec, so this is its own process.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The disk of this machine.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let metadata = std::fs::metadata(path)?;
        if metadata.is_dir() {
            return Ok(FileKind::Directory);
        }
        Ok(FileKind::File { world_writable: metadata.is_file() && metadata.permissions().mode() & 0o002 != 0 })
    }
}

/// Writes a file that a server is willing to read, whatever the umask.
pub fn write(path: &Path, bytes: &[u8]) {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).unwrap();
    }
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(bytes).unwrap();
    file.set_permissions(std::fs::Permissions::from_mode(0o644)).unwrap();
}

/// Every file below a directory, sorted.
pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Whether a file's name is one that people give to option files.
pub fn is_option_file(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|end| matches!(end, "cnf" | "ini"))
}
