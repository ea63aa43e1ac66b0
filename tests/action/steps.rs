//! What a runner does with action.yml: reads it, gives the inputs to the steps, and reads their files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// A step of the action: its id, its script, and its environment with the expressions in it.
struct Step {
    id: String,
    run: String,
    env: Vec<(String, String)>,
}

/// What one run of the action left behind.
pub struct Run {
    pub status: Option<i32>,
    /// The log, what scripts said on standard error behind what they printed.
    pub log: String,
    pub outputs: BTreeMap<String, String>,
    pub summary: String,
}

impl Run {
    /// The lines that the runner obeys: those outside of `stop-commands`.
    pub fn commands(&self) -> Vec<&str> {
        let mut stopped = None;
        let mut commands = Vec::new();
        for line in self.log.lines() {
            match &stopped {
                Some(end) if line == end => stopped = None,
                Some(_) => {}
                None => match line.strip_prefix("::stop-commands::") {
                    Some(token) => stopped = Some(format!("::{token}::")),
                    None if line.trim_start().starts_with("::") || line.contains("##[") => commands.push(line),
                    None => {}
                },
            }
        }
        assert_eq!(stopped, None, "commands are heeded again in the end");
        commands
    }

    pub fn output(&self, name: &str) -> &str {
        self.outputs.get(name).map_or("", String::as_str)
    }
}

/// A repository of configurations in a runner's workspace.
pub struct Workspace {
    directory: tempfile::TempDir,
}

impl Workspace {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join("workspace").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { directory }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Every file in the workspace.
    pub fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("workspace")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the action's steps, one after the other until one fails, with `version: source` unless the inputs say otherwise.
    pub fn run(&self, inputs: &[(&str, &str)]) -> Run {
        let (declared, steps) = read_action();
        let mut values = declared;
        values.insert("version".to_owned(), "source".to_owned());
        for (name, value) in inputs {
            assert!(values.insert((*name).to_owned(), (*value).to_owned()).is_some(), "no input is called {name}");
        }
        let mut run = Run { status: None, log: String::new(), outputs: BTreeMap::new(), summary: String::new() };
        let _ = std::fs::remove_dir_all(self.path("temp"));
        std::fs::create_dir(self.path("temp")).unwrap();
        std::fs::write(self.path("summary"), "").unwrap();
        for step in steps {
            std::fs::write(self.path("output"), "").unwrap();
            let given = |expression: &str| {
                let outputs = format!("steps.{}.outputs.", "get");
                match expression {
                    "github.action_repository" => "someone/cnflint".to_owned(),
                    _ => match (expression.strip_prefix("inputs."), expression.strip_prefix(&outputs)) {
                        (Some(input), _) => values[input].clone(),
                        (_, Some(output)) => run.output(output).to_owned(),
                        _ => panic!("{expression}"),
                    },
                }
            };
            let env = step.env.iter().map(|(name, value)| (name, given(inside(value))));
            let mut command = self.as_runner(&step.run);
            command.envs(env);
            let output = command.output().unwrap();
            run.log += &String::from_utf8(output.stdout).unwrap();
            run.log += &String::from_utf8(output.stderr).unwrap();
            run.status = output.status.code();
            for line in std::fs::read_to_string(self.path("output")).unwrap().lines() {
                let (name, value) = line.split_once('=').unwrap();
                run.outputs.insert(name.to_owned(), value.to_owned());
            }
            if run.status != Some(0) {
                assert!(["get", "lint"].contains(&step.id.as_str()));
                break;
            }
        }
        run.summary = std::fs::read_to_string(self.path("summary")).unwrap();
        run
    }

    /// A script with the environment that a runner gives it, and with cargo and curl replaced.
    fn as_runner(&self, script: &str) -> Command {
        let tools = Path::new(HOME).join("tests/action");
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]).env_clear();
        command.env("PATH", format!("{}:{}", tools.display(), std::env::var("PATH").unwrap()));
        command.env("BUILT", env!("CARGO_BIN_EXE_cnflint")).env("RELEASES", self.path("releases"));
        command.envs([("CI", "true"), ("GITHUB_ACTIONS", "true"), ("LANG", "C.UTF-8")]);
        command.envs([("RUNNER_OS", "Linux"), ("RUNNER_ARCH", "X64")]);
        command.envs([("GITHUB_SERVER_URL", "https://github.example"), ("GITHUB_REPOSITORY", "someone/configs")]);
        command.env("GITHUB_ACTION_PATH", HOME).env("GITHUB_WORKSPACE", self.path("workspace"));
        command.env("RUNNER_TEMP", self.path("temp")).env("GITHUB_OUTPUT", self.path("output"));
        command.env("GITHUB_STEP_SUMMARY", self.path("summary")).current_dir(self.path("workspace"));
        command.stdin(std::process::Stdio::null());
        command
    }
}

/// What stands between `${{` and `}}`.
fn inside(value: &str) -> &str {
    value.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")).unwrap_or_else(|| panic!("{value}"))
}

/// The inputs with their defaults, and the steps. Reads only the plain YAML that action.yml is written in.
fn read_action() -> (BTreeMap<String, String>, Vec<Step>) {
    let text = std::fs::read_to_string(Path::new(HOME).join("action.yml")).unwrap();
    let (mut inputs, mut steps) = (BTreeMap::new(), Vec::<Step>::new());
    let (mut section, mut input) = (String::new(), String::new());
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let indent = line.len() - line.trim_start().len();
        let Some((key, value)) = line.trim_start().split_once(':') else { panic!("{line}") };
        let value = value.trim();
        match (section.as_str(), indent) {
            (_, 0) => key.clone_into(&mut section),
            ("inputs", 2) => key.clone_into(&mut input),
            ("inputs", 4) if key == "default" => {
                inputs.insert(input.clone(), value.trim_matches('\'').to_owned());
            }
            ("runs", 4) => steps.push(Step { id: value.to_owned(), run: String::new(), env: Vec::new() }),
            ("runs", 6) if key == "run" => value.clone_into(&mut steps.last_mut().unwrap().run),
            ("runs", 8) => steps.last_mut().unwrap().env.push((key.to_owned(), value.to_owned())),
            _ => {}
        }
    }
    (inputs, steps)
}

/// The inputs that no step is given.
pub fn unused_inputs() -> Vec<String> {
    let (inputs, steps) = read_action();
    let given: Vec<_> = steps.iter().flat_map(|step| &step.env).map(|(_, value)| inside(value)).collect();
    inputs.into_keys().filter(|name| !given.contains(&format!("inputs.{name}").as_str())).collect()
}

/// The scripts of the steps.
pub fn scripts() -> Vec<String> {
    read_action().1.into_iter().map(|step| step.run).collect()
}
