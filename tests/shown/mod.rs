//! Plays what a page shows: its files are written, its commands run, and what they print is compared with the page.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Set to write what is printed into the page, in place of comparing.
const WRITE: &str = "CNFLINT_WRITE_SHOWN";

/// The page at this path below the repository, played in an empty directory in which the repository's `fixtures` are.
///
/// Returns how many commands it shows.
pub fn play(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).unwrap();
    let stage = tempfile::tempdir().unwrap();
    symlink(root.join("fixtures"), stage.path().join("fixtures")).unwrap();
    let (played, commands) = played(&text, stage.path());
    if std::env::var_os(WRITE).is_some() {
        fs::write(root.join(page), played).unwrap();
    } else {
        let line = text.lines().zip(played.lines()).position(|(shown, printed)| shown != printed);
        let line = line.unwrap_or_else(|| text.lines().count().min(played.lines().count()));
        let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
        let (shown, printed) = (at(&text), at(&played));
        assert!(
            text == played,
            "{page}:{}: shown:   {shown}\nprinted: {printed}\n{WRITE}=1 writes what is printed",
            line + 1
        );
    }
    commands
}

/// The page as it is when its commands print what they print now.
fn played(text: &str, stage: &Path) -> (String, usize) {
    let mut anew = String::new();
    let mut commands = 0;
    let mut status = 0;
    let mut before = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        push(&mut anew, line);
        let Some(language) = line.strip_prefix("```") else {
            before = if line.is_empty() { before } else { line };
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        if language == "console" {
            assert!(
                block.first().is_some_and(|line| line.starts_with("$ ")),
                "{block:?} does not begin with a command"
            );
            for shown in block.iter().filter(|line| line.starts_with("$ ")) {
                push(&mut anew, shown);
                let printed;
                (printed, status) = run(&shown[2..], status, stage);
                printed.lines().for_each(|line| push(&mut anew, line.trim_end()));
                commands += 1;
            }
        } else {
            block.iter().for_each(|line| push(&mut anew, line));
            if let Some(name) = named(before) {
                let path = stage.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, block.join("\n") + "\n").unwrap();
            }
        }
        push(&mut anew, "```");
        before = "";
    }
    (anew, commands)
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The file that a block is, where the line above it ends with its name: "In `conf.d/a.cnf`:".
fn named(before: &str) -> Option<&str> {
    let name = before.strip_suffix("`:")?.rsplit('`').next()?;
    let is_name = !name.contains("..") && !name.starts_with('/') && !name.contains(' ');
    is_name.then_some(name)
}

/// What a command prints and its status; the shell that runs it knows the status of the one before.
fn run(command: &str, before: i32, stage: &Path) -> (String, i32) {
    let command = command.replace("cargo run --locked -- ", "cnflint ");
    let programs = Path::new(env!("CARGO_BIN_EXE_cnflint")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1\n(exit {before})\n{command}")]).current_dir(stage);
    shell.env("PATH", path).env("HOME", stage).env("LANG", "C.UTF-8").env("COLUMNS", "100").env("CI", "true");
    ["LC_ALL", "CLICOLOR_FORCE", "NO_COLOR", "GITHUB_ACTIONS"].iter().for_each(|name| _ = shell.env_remove(name));
    let output = shell.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}
