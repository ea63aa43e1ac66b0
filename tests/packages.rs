//! The packages of a release: that all of them name the archives that `action/pack.sh` makes, and that what can be built here
//! installs a program that runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");
const PROGRAM: &str = env!("CARGO_BIN_EXE_cnflint");
const REPOSITORY: &str = "someone/cnflint";

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(HOME).join(path)).unwrap()
}

/// What a command prints, which has to succeed.
fn run(command: &mut Command) -> String {
    let output = command.current_dir(HOME).stdin(std::process::Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Whether a tool is here; says so where it is not.
fn has(tool: &str) -> bool {
    let here = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !here {
        eprintln!("skipped: {tool} is not installed");
    }
    here
}

/// What the workflow builds for a release.
fn targets() -> Vec<String> {
    let workflow = read(".github/workflows/release.yml");
    let targets: Vec<_> = workflow
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("- { target: ")?.split_once(',').map(|(target, _)| target.to_owned())
        })
        .collect();
    assert!(targets.len() >= 5, "{targets:?}");
    targets
}

fn executable_suffix(target: &str) -> &'static str {
    if target.contains("windows") { ".exe" } else { "" }
}

/// The archives of a release, with its checksums, of a made-up program for each target.
fn release(directory: &Path) -> PathBuf {
    let dist = directory.join("dist");
    for target in targets() {
        let program = directory.join(format!("cnflint{}", executable_suffix(&target)));
        std::fs::write(&program, &target).unwrap();
        run(Command::new("action/pack.sh").args([VERSION, &target]).arg(&program).arg(&dist));
    }
    dist
}

#[test]
fn binstall_finds_the_archive_of_every_target_and_the_program_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let dist = release(directory.path());
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let metadata = &manifest["package"]["metadata"]["binstall"];
    assert_eq!(metadata["pkg-fmt"].as_str(), Some("tgz"));
    for target in targets() {
        let fill = |template: &str| {
            let values = [
                ("{ repo }", "https://github.example/someone/cnflint"),
                ("{ name }", "cnflint"),
                ("{ bin }", "cnflint"),
                ("{ version }", VERSION),
                ("{ target }", &target),
                ("{ archive-suffix }", ".tar.gz"),
                ("{ binary-ext }", executable_suffix(&target)),
            ];
            values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
        };
        let url = fill(metadata["pkg-url"].as_str().unwrap());
        let archive = url
            .strip_prefix(&format!("https://github.example/someone/cnflint/releases/download/v{VERSION}/"))
            .unwrap_or_else(|| panic!("{url}"));
        let files = run(Command::new("tar").arg("-tzf").arg(dist.join(archive)));
        let program = fill(metadata["bin-dir"].as_str().unwrap());
        assert!(files.lines().any(|file| file == program), "{archive}: {files}");
        assert!(read("action/run.sh").contains(&target), "the action takes {target}, too");
    }
}

#[test]
fn the_homebrew_formula_holds_the_checksums_of_the_release() {
    let directory = tempfile::tempdir().unwrap();
    let dist = release(directory.path());
    let formula = run(Command::new("packaging/homebrew/fill.sh").args([VERSION, REPOSITORY]).arg(&dist));
    assert!(!formula.contains('@'), "{formula}");
    let quoted = |line: &str, key: &str| Some(line.trim().strip_prefix(key)?.trim_matches(['"', ' ']).to_owned());
    let urls: Vec<_> = formula.lines().filter_map(|line| quoted(line, "url ")).collect();
    let sums: Vec<_> = formula.lines().filter_map(|line| quoted(line, "sha256 ")).collect();
    assert_eq!((urls.len(), sums.len()), (4, 4), "{formula}");
    for (url, sum) in urls.iter().zip(&sums) {
        let (place, archive) = url.rsplit_once('/').unwrap();
        assert_eq!(place, format!("https://github.com/{REPOSITORY}/releases/download/v{VERSION}"));
        let beside = std::fs::read_to_string(dist.join(format!("{archive}.sha256"))).unwrap();
        assert!(beside.starts_with(sum), "{archive}");
    }
    assert!(formula.contains(&format!("version \"{VERSION}\"")));
    let file = directory.path().join("cnflint.rb");
    std::fs::write(&file, formula).unwrap();
    if has("ruby") {
        run(Command::new("ruby").arg("-c").arg(&file));
    }
}

#[test]
fn the_image_holds_the_static_program_of_each_processor() {
    let directory = tempfile::tempdir().unwrap();
    let context = directory.path().join("context");
    let dist = release(directory.path());
    run(Command::new("packaging/docker/layout.sh").arg(VERSION).arg(&dist).arg(&context));
    for (name, target) in [("amd64", "x86_64-unknown-linux-musl"), ("arm64", "aarch64-unknown-linux-musl")] {
        assert_eq!(std::fs::read_to_string(context.join(name).join("cnflint")).unwrap(), target);
    }
}

/// A command that lints a bad file, and what it has to say; the program is called `program`.
fn finds_the_error(program: &Path) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("my.cnf"), "[mysqld]\ninnodb_buffer_pol_size = 1G\n").unwrap();
    let mut command = Command::new(program);
    command.args(["my.cnf", "--server", "mariadb-10.11", "--no-detect", "--format", "short"]);
    let output = command.current_dir(directory.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("my.cnf:2:1: error[unknown-option]"), "{text}");
}

#[test]
fn npm_installs_the_program_of_this_platform() {
    if !has("npm") || !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (dist, packages) = (directory.path().join("dist"), directory.path().join("npm"));
    run(Command::new("action/pack.sh").args([VERSION, "x86_64-unknown-linux-musl", PROGRAM]).arg(&dist));
    run(Command::new("node").args(["packaging/npm/build.mjs", VERSION, REPOSITORY]).arg(&dist).arg(&packages));
    let mut install = Command::new("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--install-links", "--prefix"]);
    install.arg(directory.path().join("app")).env("npm_config_cache", directory.path().join("cache"));
    run(install.arg(packages.join("cnflint-linux-x64")).arg(packages.join("cnflint")));
    let program = directory.path().join("app/node_modules/.bin/cnflint");
    finds_the_error(&program);
    std::fs::remove_dir_all(directory.path().join("app/node_modules/cnflint-linux-x64")).unwrap();
    let output = Command::new(&program).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cnflint-linux-x64 is not installed"));
}

#[test]
fn npm_has_a_package_for_every_target() {
    if !has("node") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (dist, packages) = (release(directory.path()), directory.path().join("npm"));
    run(Command::new("node").args(["packaging/npm/build.mjs", VERSION, REPOSITORY]).arg(&dist).arg(&packages));
    let manifest = std::fs::read_to_string(packages.join("cnflint/package.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let wanted = manifest["optionalDependencies"].as_object().unwrap();
    let mut held: Vec<_> = wanted
        .keys()
        .map(|name| {
            assert_eq!(wanted[name], VERSION);
            let package = packages.join(name);
            let program =
                ["cnflint", "cnflint.exe"].map(|file| package.join(file)).into_iter().find(|file| file.exists());
            std::fs::read_to_string(program.unwrap()).unwrap()
        })
        .collect();
    held.sort();
    let mut expected = targets();
    expected.sort();
    assert_eq!(held, expected);
}

#[test]
fn the_debian_package_holds_program_completions_and_manual() {
    if !has("cargo-deb") || !has("dpkg-deb") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (package, root) = (directory.path().join("cnflint.deb"), directory.path().join("root"));
    let mut build = Command::new("packaging/deb.sh");
    run(build.args(["x86_64-unknown-linux-gnu", PROGRAM, "--fast", "--output"]).arg(&package));
    run(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&root));
    finds_the_error(&root.join("usr/bin/cnflint"));
    run(Command::new("bash").arg("-n").arg(root.join("usr/share/bash-completion/completions/cnflint")));
    for page in ["cnflint", "cnflint-check", "cnflint-explain"] {
        let text = run(Command::new("zcat").arg(root.join(format!("usr/share/man/man1/{page}.1.gz"))));
        assert!(text.contains(&format!(".TH {page} 1")), "{text}");
    }
    for file in ["copyright", "changelog.gz", "README.md", "docs/configuration.md"] {
        assert!(root.join("usr/share/doc/cnflint").join(file).is_file(), "{file}");
    }
    assert!(run(Command::new("dpkg-deb").arg("-f").arg(&package)).contains(&format!("Version: {VERSION}-1\n")));
}

#[test]
fn the_wheel_installs_the_program() {
    if !has("maturin") || !has("python3") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (wheels, environment) = (directory.path().join("wheels"), directory.path().join("environment"));
    run(Command::new("maturin").args(["build", "--profile", "dev", "--offline", "--out"]).arg(&wheels));
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    assert!(wheel.to_str().unwrap().contains(&format!("cnflint-{VERSION}-py3-none-")), "{wheel:?}");
    run(Command::new(environment.join("bin/pip")).args(["install", "--no-index"]).arg(&wheel));
    finds_the_error(&environment.join("bin/cnflint"));
}
