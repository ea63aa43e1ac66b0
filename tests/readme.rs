//! What the README shows is what the program prints.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod shown;

use std::path::Path;
use std::process::Command;

#[test]
fn the_readme_shows_real_runs() {
    assert!(shown::play("README.md") > 0);
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
