//! What the README shows is what the program prints.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

/// The two ways in which the README calls the program.
const CALLS: [&str; 2] = ["$ cnflint ", "$ cargo run --locked -- "];

/// Every call in a `console` block, with the lines below it.
fn shown(readme: &str) -> Vec<(&str, String)> {
    let mut calls: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match CALLS.iter().find_map(|call| line.strip_prefix(call)) {
                Some(arguments) => calls.push((arguments, String::new())),
                None if line.starts_with("$ ") => panic!("`{line}` is shown and cannot be tried"),
                None => {
                    let (_, output) = calls.last_mut().unwrap_or_else(|| panic!("`{line}` follows no command"));
                    output.push_str(line);
                    output.push('\n');
                }
            }
        }
    }
    calls
}

#[test]
fn the_readme_shows_real_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let calls = shown(&readme);
    assert!(!calls.is_empty());
    let mut anew = readme.clone();
    for (arguments, expected) in calls {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.args(arguments.split(' ')).current_dir(root).env("LANG", "C.UTF-8").env("COLUMNS", "100");
        command.env_remove("LC_ALL").env_remove("CLICOLOR_FORCE");
        let output = command.output().unwrap();
        assert!(output.stderr.is_empty(), "cnflint {arguments}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        let trimmed: String = printed.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        if std::env::var_os("CNFLINT_WRITE_README").is_some() {
            anew = anew.replace(&expected, &trimmed);
        } else {
            assert_eq!(trimmed, expected, "cnflint {arguments}; CNFLINT_WRITE_README=1 writes what is printed");
        }
    }
    if anew != readme {
        std::fs::write(path, anew).unwrap();
    }
}

/// The commands of the first `sh` block, which a newcomer copies: the first lints a file, the second runs the tests.
#[test]
fn the_first_command_lints_a_real_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let block = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let commands: Vec<_> = block.lines().collect();
    let [first, "cargo test --locked"] = commands[..] else { panic!("{commands:?}") };
    let arguments = first.strip_prefix("cargo run --locked -- ").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.args(arguments.split(' ')).args(["--format", "short"]).current_dir(root);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!output.stdout.is_empty(), "it finds something");
}
