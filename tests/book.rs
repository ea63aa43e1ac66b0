//! The pages under `docs/`, which mdBook makes a site of: what they show is what the program prints, and their links
//! lead somewhere, in the site as in the repository.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Where the site finds what is in the repository and not in the book.
const REPOSITORY: &str = "https://github.com/OWNER/cnflint/blob/main/";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page of the book by its path below `docs/`.
fn pages() -> BTreeMap<PathBuf, String> {
    let docs = root().join("docs");
    let mut pages = BTreeMap::new();
    let mut directories = vec![docs.clone()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).unwrap();
                pages.insert(path.strip_prefix(&docs).unwrap().to_owned(), text);
            }
        }
    }
    pages
}

/// Those that people write.
fn written() -> BTreeMap<PathBuf, String> {
    let is_written = |path: &Path, text: &str| {
        path.components().count() == 1
            && path != Path::new("SUMMARY.md")
            && !text.lines().take(3).any(|line| line.starts_with("Written by `"))
    };
    pages().into_iter().filter(|(path, text)| is_written(path, text)).collect()
}

/// The text outside blocks, without spans of code; and those spans and the lines of blocks.
fn split(page: &str) -> (String, Vec<String>) {
    let (mut prose, mut code) = (String::new(), Vec::new());
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside {
            code.push(line.to_owned());
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let parts: Vec<_> = prose.split('`').collect();
    code.extend(parts.iter().skip(1).step_by(2).map(|span| (*span).to_owned()));
    (parts.iter().step_by(2).copied().collect(), code)
}

/// The name by which mdBook and GitHub know a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let mut inside = false;
    let headings = page.lines().filter(|line| {
        inside ^= line.starts_with("```");
        !inside && line.starts_with('#')
    });
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn pages_show_real_runs() {
    let commands: usize = written().keys().map(|path| shown::play(&format!("docs/{}", path.display()))).sum();
    assert!(commands > 20, "only {commands} commands are shown");
}

#[test]
fn every_command_is_tried_and_has_the_options_that_are_written() {
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    for command in ["check", "effective", "explain", "rules", "facts", "init", "completions", "man"] {
        let output = Command::new(env!("CARGO_BIN_EXE_cnflint")).args([command, "--help"]).output().unwrap();
        known.insert(command, String::from_utf8(output.stdout).unwrap());
    }
    let mut seen = 0;
    for (path, page) in written() {
        for block in ["```sh", "```bash", "```shell"] {
            assert!(
                !page.contains(block),
                "{}: a command stands in a `console` block, where it is tried",
                path.display()
            );
        }
        for code in split(&page).1 {
            let Some((_, call)) = code
                .split_once("cnflint ")
                .filter(|(before, _)| before.is_empty() || before.ends_with([' ', '"']) && !before.contains('#'))
            else {
                continue;
            };
            let mut words = call.split(['|', '>', ';', '&']).next().unwrap().split([' ', '"', '=']);
            let command = words.clone().next().filter(|word| known.contains_key(word)).unwrap_or("check");
            for flag in words.by_ref().filter(|word| word.starts_with("--")) {
                let is_known =
                    known[command].split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == flag);
                assert!(is_known, "{}: `{code}`: {command} has no {flag}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "only {seen} options are written");
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let mut seen = 0;
    for (path, page) in &pages {
        let (prose, _) = split(page);
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|link| !link.is_empty())
        {
            let at = path.display();
            seen += 1;
            if let Some(file) = link.strip_prefix(REPOSITORY) {
                let file = file.split('#').next().unwrap();
                assert!(root().join(file).exists(), "{at}: {link}: there is no {file}");
                continue;
            }
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { beside(path, file) };
            assert!(root().join("docs").join(&target).is_file(), "{at}: {link}: the book has no {}", target.display());
            if !heading.is_empty() {
                let is_there = pages.get(&target).is_some_and(|page| anchors(page).contains(heading));
                assert!(is_there, "{at}: {link}: no such heading");
            }
        }
    }
    assert!(seen > 1000, "only {seen} links were seen");
}

/// The path below `docs/` of what a page links to.
fn beside(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap().to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{}: {link} leads out of the book", page.display()),
            part => path.push(part),
        }
    }
    path
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for path in pages().keys().filter(|path| path.as_os_str() != "SUMMARY.md") {
        let path = path.display();
        assert!(
            summary.contains(&format!("]({path})")),
            "{path} is not in docs/SUMMARY.md: name it in examples/docs/book.rs and run `cargo run --example docs`"
        );
    }
}

/// What the pages hand to others: inputs of the action and names of hooks.
#[test]
fn workflows_use_what_there_is() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let page = fs::read_to_string(root().join("docs/in-ci.md")).unwrap();
    let (mut inputs, mut ids) = (0, 0);
    let mut with: Option<usize> = None;
    for line in page.lines() {
        let indent = line.len() - line.trim_start().len();
        if let Some(id) = line.trim().strip_prefix("- id: ").filter(|id| id.starts_with("cnflint")) {
            let id = id.split_whitespace().next().unwrap();
            assert!(hooks.contains(&format!("- id: {id}\n")), "there is no hook {id}");
            ids += 1;
        }
        if line.trim() == "with:" {
            with = Some(indent + 2);
        } else if with.is_some_and(|depth| indent < depth) {
            with = None;
        } else if with == Some(indent) {
            let input = line.trim().split(':').next().unwrap();
            assert!(action.contains(&format!("\n  {input}:\n")), "the action has no input {input}");
            inputs += 1;
        }
    }
    assert!(inputs > 3 && ids > 0, "{inputs} inputs, {ids} hooks");
}
