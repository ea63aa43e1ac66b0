//! The GitHub Action: the steps of action.yml, run as a runner would run them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(unix)]

#[path = "action/steps.rs"]
mod steps;

use std::path::Path;
use std::process::Command;
use steps::{HOME, Workspace};

const GOOD: &str = "[mysqld]\nmax_connections = 200\n";
const BAD: &str = "[mysqld]\ninnodb_buffer_pol_size = 1G\n";
const RISKY: &str = "[mysqld]\nlog_bin = binlog\nexpire_logs_days = 7\nsync_binlog = 0\n";
const SERVER: (&str, &str) = ("server", "mariadb-10.11");

#[test]
fn a_good_repository_passes() {
    let run = Workspace::new(&[("db1/my.cnf", GOOD)]).run(&[SERVER]);
    assert_eq!(run.status, Some(0), "{}", run.log);
    assert_eq!(run.commands(), [""; 0]);
    assert_eq!(
        ["findings", "errors", "warnings", "version"].map(|name| run.output(name)),
        ["0", "0", "0", env!("CARGO_PKG_VERSION")]
    );
    assert!(run.summary.contains("Nothing was found."), "{}", run.summary);
}

#[test]
fn a_bad_file_fails_and_is_annotated_counted_and_summed_up() {
    let workspace = Workspace::new(&[("good.cnf", GOOD), ("db/bad.cnf", BAD), ("risky.cnf", RISKY)]);
    let run = workspace.run(&[SERVER]);
    assert_eq!(run.status, Some(1), "{}", run.log);
    let commands = run.commands();
    assert!(
        commands[0].starts_with("::error file=db/bad.cnf,line=2,endLine=2,col=1,endColumn=23,title=unknown-option::")
    );
    assert!(commands.iter().any(|line| line.starts_with("::warning file=risky.cnf,line=4,")), "{commands:#?}");
    assert_eq!(run.output("findings"), commands.len().to_string());
    assert_eq!((run.output("errors"), run.output("warnings")), ("1", "1"));
    assert!(run.summary.contains("1 error, 1 warning, "), "{}", run.summary);
    assert!(run.summary.contains("| error | db/bad.cnf&#58;2 | unknown-option | "), "{}", run.summary);
    assert!(run.summary.contains("error[unknown-option]"), "the whole report is there\n{}", run.summary);
    assert_eq!(workspace.listing(), ["db", "good.cnf", "risky.cnf"], "nothing is left in the workspace");
}

#[test]
fn inputs_become_arguments() {
    let facts = "[host]\nram = \"4G\"\n";
    let big = "[mysqld]\ninnodb_buffer_pool_size = 100G\n";
    let workspace =
        Workspace::new(&[("big.cnf", big), ("host 1.toml", facts), ("other.cnf", BAD), ("risky.cnf", RISKY)]);
    let status = |inputs: &[(&str, &str)]| workspace.run(&[&[SERVER], inputs].concat()).status;
    assert_eq!(status(&[("paths", "big.cnf")]), Some(0), "the runner's memory is not the host's");
    assert_eq!(status(&[("paths", "big.cnf"), ("ram", "4G")]), Some(1));
    assert_eq!(status(&[("paths", "big.cnf"), ("facts", "host 1.toml\n")]), Some(1));
    assert_eq!(status(&[("paths", "big.cnf"), ("ram", "4G"), ("fail-on", "never")]), Some(0));
    assert_eq!(
        status(&[("paths", "big.cnf"), ("ram", "4G"), ("args", "--ignore=buffer-pool-too-large,memory-overcommit")]),
        Some(0)
    );
    assert_eq!(status(&[("paths", "big.cnf\nother.cnf\n")]), Some(1));
    assert_eq!(status(&[("paths", "risky.cnf"), ("fail-on", "warning")]), Some(1));
    let run = workspace.run(&[("paths", "big.cnf"), ("server", "mysql-8.0"), ("upgrade-to", "mysql-8.4")]);
    assert!(run.log.contains("8.4"), "{}", run.log);
    let required = [("paths", "risky.cnf"), ("require", "ram,cpus,disk,server"), ("ram", "4G"), ("cpus", "2")];
    assert_eq!(status(&required), Some(2), "the disk is not known");
    assert_eq!(status(&[&required[..], &[("disk", "ssd")]].concat()), Some(0));
    assert_eq!(steps::unused_inputs(), [""; 0]);
}

#[test]
fn a_cnflint_toml_is_heeded_and_another_one_can_be_named() {
    let workspace = Workspace::new(&[
        ("risky.cnf", RISKY),
        ("cnflint.toml", "server = \"mariadb-10.11\"\nfail_on = \"warning\"\n"),
        ("ci/strict.toml", "[severity]\nrelaxed-commit-durability = \"error\"\n"),
    ]);
    assert_eq!(workspace.run(&[]).status, Some(1), "what the file found upward says of fail_on");
    assert_eq!(workspace.run(&[("fail-on", "never")]).status, Some(0), "an input outranks it");
    let named = workspace.run(&[SERVER, ("config", "ci/strict.toml")]);
    assert_eq!((named.status, named.output("errors")), (Some(1), "1"), "{}", named.log);
    assert_eq!(workspace.run(&[SERVER, ("config", "missing.toml")]).status, Some(2));
}

#[test]
fn a_sarif_file_is_written_for_a_later_step() {
    let workspace = Workspace::new(&[("db/bad.cnf", BAD), ("missing/notes.txt", "")]);
    let run = workspace.run(&[SERVER, ("paths", "db"), ("sarif", "out/it is.sarif")]);
    assert_eq!((run.status, run.output("sarif-file")), (Some(1), "out/it is.sarif"), "{}", run.log);
    let text = std::fs::read_to_string(workspace.path("workspace/out/it is.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&text).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len().to_string(), run.output("findings"));
    let place = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((results[0]["ruleId"].as_str(), place["uri"].as_str()), (Some("unknown-option"), Some("db/bad.cnf")));

    assert_eq!(workspace.run(&[SERVER, ("paths", "db")]).output("sarif-file"), "", "none is asked for");
    let nothing = workspace.run(&[SERVER, ("paths", "missing"), ("sarif", "none.sarif")]);
    assert_eq!((nothing.status, nothing.output("sarif-file")), (Some(3), ""), "nothing was linted");
    let run = workspace.run(&[SERVER, ("paths", "db"), ("sarif", "db/bad.cnf/x.sarif")]);
    assert_eq!((run.status, run.output("sarif-file")), (Some(2), ""), "{}", run.log);
    let run = workspace.run(&[SERVER, ("sarif", "x\nfindings=0")]);
    assert_eq!((run.status, run.output("findings")), (Some(2), ""), "{}", run.log);
}

#[test]
fn known_findings_are_left_out() {
    let workspace = Workspace::new(&[("bad.cnf", BAD)]);
    let mut write = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    write.args(["bad.cnf", "--server", "mariadb-10.11", "--baseline", "known.json", "--write-baseline"]);
    write.current_dir(workspace.path("workspace")).output().unwrap();
    let run = workspace.run(&[SERVER, ("paths", "bad.cnf"), ("baseline", "known.json")]);
    assert_eq!((run.status, run.output("findings")), (Some(0), "0"), "{}", run.log);
}

#[test]
fn annotations_can_be_left_out_and_the_log_has_a_form() {
    let workspace = Workspace::new(&[("bad.cnf", BAD)]);
    let run = workspace.run(&[SERVER, ("annotations", "false"), ("format", "short")]);
    assert_eq!((run.status, run.output("errors")), (Some(1), "1"));
    assert_eq!(run.commands(), [""; 0]);
    assert!(run.log.contains("bad.cnf:2:1: error[unknown-option]"), "{}", run.log);
    let run = workspace.run(&[SERVER, ("format", "json")]);
    assert!(run.log.contains("\"schema\": 1"), "{}", run.log);
}

#[test]
fn hostile_names_and_contents_do_no_harm() {
    let name = "a $(touch pwned) \"x\" 'y' `touch pwned` | <img src=x>,::error::.cnf";
    let text = "[mysqld]\n::error::made_up\n##[error]made_up\ninnodb_buffer_pol_size = $(touch pwned)`touch pwned`\n";
    let workspace = Workspace::new(&[(name, text), ("-rf.cnf", BAD), ("good.cnf", GOOD)]);
    let run = workspace.run(&[SERVER, ("paths", &format!("{name}\r\n-rf.cnf\n\n./good.cnf"))]);
    assert_eq!(run.status, Some(1), "{}", run.log);
    let escaped = name.replace(':', "%3A").replace(',', "%2C");
    let commands = run.commands();
    let known = |line: &&str| {
        let named = [format!("file={escaped},"), "file=-rf.cnf,".to_owned()];
        ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start))
            && named.iter().any(|name| line.contains(name))
    };
    assert!(commands.len() >= 3 && commands.iter().all(known), "{commands:#?}");
    let table = run.summary.split("<details>").next().unwrap();
    assert!(!table.contains("<img") && !table.contains("touch pwned) `"), "{table}");
    let mut expected = vec!["-rf.cnf".to_owned(), name.to_owned(), "good.cnf".to_owned()];
    expected.sort();
    assert_eq!(workspace.listing(), expected);

    for input in
        ["server", "ram", "require", "fail-on", "format", "annotations", "version", "args", "baseline", "config"]
    {
        let run = workspace.run(&[(input, "$(touch pwned); touch pwned\n::warning::made_up")]);
        assert_ne!(run.status, Some(0), "{input}");
        assert!(run.commands().iter().all(|line| !line.starts_with("::warning::made_up")), "{input}\n{}", run.log);
        assert_eq!(workspace.listing(), expected, "{input}");
    }
    assert!(steps::scripts().iter().all(|script| !script.contains("${{")), "no input is spliced into a script");
}

#[test]
fn what_cannot_be_linted_says_so() {
    let workspace = Workspace::new(&[("bad.cnf", BAD), ("notes.txt", "")]);
    let run = workspace.run(&[SERVER, ("paths", "missing.cnf\nbad.cnf")]);
    assert_eq!((run.status, run.output("errors")), (Some(4), "1"), "{}", run.log);
    let last = run.commands().last().copied().unwrap().to_owned();
    assert!(last.starts_with("::error title=cnflint::") && last.contains("missing.cnf"), "{last}");
    assert!(run.summary.contains("missing.cnf"), "{}", run.summary);

    for argument in ["--fix", "--write-baseline", "--detect", "--format=json", "--"] {
        assert_eq!(workspace.run(&[SERVER, ("args", argument)]).status, Some(2), "{argument}");
    }
    assert_eq!(workspace.run(&[("paths", "\n")]).status, Some(2), "not the files of this machine");
    assert_eq!(Workspace::new(&[("notes.txt", "")]).run(&[]).status, Some(3));
}

/// A release of the built program, packed as the release workflow packs it.
fn released(workspace: &Workspace, version: &str) -> std::path::PathBuf {
    let directory = workspace.path("releases").join(format!("v{version}"));
    let mut pack = Command::new(Path::new(HOME).join("action/pack.sh"));
    pack.args([version, "x86_64-unknown-linux-musl", env!("CARGO_BIN_EXE_cnflint")]).arg(&directory);
    assert!(pack.status().unwrap().success());
    directory.join(format!("cnflint-{version}-x86_64-unknown-linux-musl.tar.gz"))
}

#[test]
fn a_release_is_taken_only_with_the_right_checksum() {
    let version = env!("CARGO_PKG_VERSION");
    let workspace = Workspace::new(&[("bad.cnf", BAD)]);
    let archive = released(&workspace, version);
    let beside = archive.with_extension("gz.sha256");
    let checksum = std::fs::read_to_string(&beside).unwrap()[..64].to_owned();
    let run = |inputs: &[(&str, &str)]| workspace.run(&[&[SERVER], inputs].concat());

    let taken = run(&[("version", "")]);
    assert_eq!(
        (taken.status, taken.output("errors"), taken.output("version")),
        (Some(1), "1", version),
        "{}",
        taken.log
    );
    assert_eq!(run(&[("version", version), ("checksum", &checksum.to_uppercase())]).output("errors"), "1");

    let refused = run(&[("version", version), ("checksum", &"0".repeat(64))]);
    assert_eq!((refused.status, refused.output("program")), (Some(2), ""), "{}", refused.log);
    assert!(refused.commands()[0].contains(&checksum), "{}", refused.log);
    std::fs::write(&beside, format!("{}  x\n", "0".repeat(64))).unwrap();
    assert_eq!(run(&[("version", version)]).status, Some(2));
    std::fs::remove_file(&beside).unwrap();
    assert_eq!(run(&[("version", version)]).status, Some(2), "without a checksum nothing is run");
    for other in ["latest", "v0.1.0", "0.1", "9.9.9", "../0.1.0"] {
        assert_eq!(run(&[("version", other)]).status, Some(2), "{other}");
    }
    assert_eq!(run(&[("checksum", &checksum)]).status, Some(2), "what is built has no checksum");
}
