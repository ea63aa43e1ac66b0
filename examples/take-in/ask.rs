//! Asks a server binary what it knows, and keeps the answers as files, so that they can be read again elsewhere.

use super::form::Form;
use super::merge::unlisted;
use super::observation::Observation;
use cnflint::server::{Flavor, Server, ServerSpec};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// What the server says about its options, without loadable plugins.
pub const HELP: &str = "help.txt";
/// The same with every loadable plugin.
pub const HELP_WITH_PLUGINS: &str = "help-plugins.txt";
/// MariaDB's `information_schema.SYSTEM_VARIABLES`.
pub const SYSTEM_VARIABLES: &str = "system_variables.tsv";
/// MySQL's `performance_schema.variables_metadata`.
pub const METADATA: &str = "variables_metadata.tsv";
/// MySQL's `performance_schema.global_variables`.
pub const GLOBAL_VARIABLES: &str = "global_variables.tsv";
/// A name and what the server said of it, for names that it lists nowhere.
pub const ASKED: &str = "asked.tsv";

/// A server starts, answers and stops in less.
const PATIENCE: Duration = Duration::from_secs(180);

/// A server program with the options that it needs to run here.
pub struct Asked {
    program: PathBuf,
    arguments: Vec<String>,
    pub server: Server,
    plugins: Vec<String>,
}

impl Asked {
    /// The program and its version.
    pub fn new(program: &Path, arguments: &[String]) -> Result<Self, Box<dyn Error>> {
        let output = Command::new(program).arg("--version").stdin(Stdio::null()).output()?;
        let line = String::from_utf8_lossy(&output.stdout).into_owned();
        // Distributions of MySQL do not all say its name.
        let text = if line.contains("MariaDB") { line.clone() } else { format!("MySQL {line}") };
        let Ok(ServerSpec::Exact(server)) = ServerSpec::parse(&text) else {
            return Err(format!("{}: no version in `{}`", program.display(), line.trim()).into());
        };
        let directory = arguments.iter().find_map(|argument| argument.strip_prefix("--plugin-dir="));
        let mut plugins: Vec<_> = directory
            .and_then(|directory| fs::read_dir(directory).ok())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            // This one waits for a server of its own, and then stops the start.
            .filter(|name| name.ends_with(".so") && !name.starts_with("hashicorp"))
            .collect();
        plugins.sort();
        Ok(Self { program: program.to_owned(), arguments: arguments.to_vec(), server, plugins })
    }

    fn command(&self, defaults: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(defaults).args(&self.arguments).arg("--user=root").stdin(Stdio::null());
        if self.server.flavor == Flavor::Mysql && self.server.at_least(5, 7, 6) {
            command.arg("--secure-file-priv=");
        }
        command
    }

    fn with_plugins(&self, command: &mut Command) {
        if self.server.flavor == Flavor::Mariadb {
            command.arg("--plugin-maturity=unknown");
        }
        command.args(self.plugins.iter().map(|plugin| format!("--plugin-load-add={plugin}")));
    }

    /// Writes every answer but those about single names.
    fn listings(&self, out: &Path) -> Result<(), Box<dyn Error>> {
        for (file, plugins) in [(HELP, false), (HELP_WITH_PLUGINS, true)] {
            let mut command = self.command("--no-defaults");
            command.args(["--help", "--verbose"]);
            if plugins {
                self.with_plugins(&mut command);
            }
            let output = command.output()?;
            let mut answer = output.stdout;
            // Some exclude each other: those that could not be loaded are loaded alone.
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            for plugin in self.plugins.iter().filter(|plugin| said.contains(&format!("load plugins from '{plugin}'"))) {
                let mut command = self.command("--no-defaults");
                command.args(["--help", "--verbose", "--plugin-maturity=unknown"]);
                answer.extend(command.arg(format!("--plugin-load-add={plugin}")).output()?.stdout);
            }
            fs::write(out.join(file), answer)?;
        }
        let directory = tempfile::tempdir()?;
        let data = directory.path().join("data");
        fs::create_dir_all(data.join(if self.server.flavor == Flavor::Mariadb { "mysql" } else { "" }))?;
        let datadir = format!("--datadir={}", data.display());
        let statements = directory.path().join("statements.sql");
        let into = |file: &str| format!("INTO OUTFILE '{}';", directory.path().join(file).display());
        let tables = match self.server.flavor {
            Flavor::Mariadb => vec![("information_schema.SYSTEM_VARIABLES", SYSTEM_VARIABLES)],
            _ if self.server.at_least(9, 0, 0) => {
                vec![
                    ("performance_schema.variables_metadata", METADATA),
                    ("performance_schema.global_variables", GLOBAL_VARIABLES),
                ]
            }
            _ if self.server.at_least(5, 7, 9) => vec![("performance_schema.global_variables", GLOBAL_VARIABLES)],
            // These can not be told to stop by a statement.
            _ => return Ok(()),
        };
        let selects = tables.iter().map(|(table, file)| format!("SELECT * FROM {table} {}\n", into(file)));
        fs::write(&statements, selects.collect::<String>() + "SHUTDOWN;\n")?;
        if self.server.flavor == Flavor::Mysql {
            finish(self.command("--no-defaults").arg("--initialize-insecure").arg(&datadir))?;
        }
        let mut command = self.command("--no-defaults");
        command.arg(datadir).arg(format!("--init-file={}", statements.display())).arg("--skip-networking");
        command.arg(format!("--socket={}", data.join("s").display()));
        command.arg(format!("--pid-file={}", data.join("p").display()));
        if self.server.flavor == Flavor::Mariadb {
            command.arg("--skip-grant-tables");
            self.with_plugins(&mut command);
        }
        let said = finish(&mut command)?;
        for (_, file) in tables {
            let answer = directory.path().join(file);
            if !answer.exists() {
                return Err(format!("the server did not answer:\n{}", String::from_utf8_lossy(&said.stderr)).into());
            }
            fs::copy(answer, out.join(file))?;
        }
        Ok(())
    }

    /// Asks everything, also about the names of the catalog that no listing has.
    pub fn everything(&self, form: &mut Form, out: &Path) -> Result<Observation, Box<dyn Error>> {
        self.listings(out)?;
        let listed = Observation::read(out, self.server.flavor)?;
        self.names(&unlisted(form, self.server, &listed), out)?;
        Ok(Observation::read(out, self.server.flavor)?)
    }

    /// Asks about names that no listing has, and writes what the server said of each.
    fn names(&self, names: &[String], out: &Path) -> Result<(), Box<dyn Error>> {
        let directory = tempfile::tempdir()?;
        let mut answers = Vec::new();
        self.ask(names, &directory.path().join("asked.cnf"), &mut answers)?;
        answers.sort();
        let lines: String = answers.iter().map(|(name, said)| format!("{name}\t{said}\n")).collect();
        Ok(fs::write(out.join(ASKED), lines)?)
    }

    /// Asks about all names at once. A value that is refused ends the run: then again without that name, or half by half.
    fn ask(&self, names: &[String], file: &Path, answers: &mut Vec<(String, String)>) -> Result<(), Box<dyn Error>> {
        let lines: String = names.iter().map(|name| format!("loose_{name}=1\n")).collect();
        fs::write(file, format!("[mysqld]\n{lines}"))?;
        let mut command = self.command(&format!("--defaults-file={}", file.display()));
        if self.server.flavor == Flavor::Mysql && self.server.at_least(8, 0, 16) {
            command.args(["--validate-config", "--log-error-verbosity=2"]);
        } else {
            command.args(["--help", "--verbose"]);
            self.with_plugins(&mut command);
        }
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let about = |name: &String| said.lines().filter(|line| names_option(line, name)).collect::<Vec<_>>().join(" ");
        // MariaDB tells of all unknown names before it gives up.
        let told_all = self.server.flavor == Flavor::Mariadb && said.contains("unknown variable 'loose_");
        if output.status.success() || told_all || names.len() < 2 {
            answers.extend(names.iter().map(|name| (name.clone(), about(name))));
            return Ok(());
        }
        let is_error = |line: &&str| line.contains("[ERROR]") && !line.contains("unknown");
        let errors: Vec<_> = said.lines().filter(is_error).collect();
        match names.iter().position(|name| errors.iter().any(|line| names_option(line, name))) {
            Some(at) => {
                answers.push((names[at].clone(), about(&names[at])));
                self.ask(&[&names[..at], &names[at + 1..]].concat(), file, answers)
            }
            None => {
                let (left, right) = names.split_at(names.len() / 2);
                self.ask(left, file, answers)?;
                self.ask(right, file, answers)
            }
        }
    }
}

/// Whether a message is about that option, however it spells it.
fn names_option(line: &str, name: &str) -> bool {
    let plain = line.replace('-', "_").to_ascii_lowercase();
    plain.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).any(|word| {
        let word = word.trim_matches('_').trim_matches('.');
        let word = word.strip_prefix("loose_").unwrap_or(word);
        // A point may end a sentence without a blank behind it.
        word == name || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Lets a program run to its end, or ends it when it takes too long.
fn finish(command: &mut Command) -> Result<Output, Box<dyn Error>> {
    let log = tempfile::NamedTempFile::new()?;
    let mut child = command.stdout(Stdio::null()).stderr(log.reopen()?).spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Output { status, stdout: Vec::new(), stderr: fs::read(log.path())? });
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err("the server does not come to an end".into());
        }
        thread::sleep(Duration::from_millis(50));
    }
}
