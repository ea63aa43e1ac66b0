//! `rules/README.md` is followed to the letter: the rule is written where it says, the commands print what it shows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::lint::{self, Report};
use cnflint::rules::{self, SiteRules, StaticCatalog, compile_site};
use linting::Case;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ID: &str = "site/more-connections-than-the-pooler-opens";

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/README.md")).unwrap()
}

/// The only block of that language.
fn block<'t>(text: &'t str, language: &str) -> &'t str {
    let fence = format!("```{language}\n");
    let mut parts = text.split(&fence).skip(1);
    let block = parts.next().unwrap().split("```").next().unwrap();
    assert!(parts.next().is_none(), "one block of {language}");
    block
}

/// The path in backticks that ends so.
fn path<'t>(text: &'t str, end: &str) -> &'t str {
    text.split('`').find(|part| part.starts_with("house/") && part.ends_with(end)).unwrap()
}

/// A directory as somebody has it who did what the page says.
fn followed(readme: &str, rule: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(path(readme, ".toml"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, rule).unwrap();
    std::fs::write(directory.path().join("my.cnf"), block(readme, "ini")).unwrap();
    directory
}

fn run(arguments: &str, directory: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.args(arguments.split(' ')).current_dir(directory).env("LANG", "C.UTF-8").env("COLUMNS", "100");
    command.env_remove("LC_ALL").env_remove("CLICOLOR_FORCE").output().unwrap()
}

#[test]
fn the_commands_print_what_the_page_shows() {
    let readme = readme();
    let directory = followed(&readme, block(&readme, "toml"));
    let calls: Vec<_> = block(&readme, "console").split("$ cnflint ").skip(1).collect();
    assert_eq!(calls.len(), 2);
    for call in calls {
        let (arguments, expected) = call.split_once('\n').unwrap();
        let output = run(arguments, directory.path());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{arguments}");
    }
}

#[test]
fn a_mistake_is_shown_at_its_place() {
    let readme = readme();
    let wrong = block(&readme, "toml").replace("and max_connections > 400", "and max_conections > 400");
    let directory = followed(&readme, &wrong);
    let output = run("my.cnf --server mysql-8.4 --rules house", directory.path());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("{}:3:38", path(&readme, ".toml"))), "{said}");
    assert!(said.contains("did you mean `max_connections`?"), "{said}");
}

#[test]
fn the_examples_of_the_rule_hold() {
    let readme = readme();
    let file = (PathBuf::from(path(&readme, ".toml")), block(&readme, "toml").to_owned());
    let site: SiteRules = compile_site(&[file], rules::built_in(), &StaticCatalog).unwrap();
    let rule = site.rules().iter().next().unwrap();
    assert_eq!(rule.id(), ID);
    for (index, example) in rule.examples().enumerate() {
        let case = Case::of_example(rule, index + 1, &example);
        let mut report = Report::default();
        lint::lint(&case.disk, case.subject(), &[rules::built_in(), site.rules()], &mut report);
        let found = report.findings.iter().filter(|located| located.finding.rule == ID).count();
        assert_eq!(found > 0, example.finds, "{}", case.name);
    }
}
