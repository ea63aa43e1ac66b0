//! Fixing, suppressions and baselines as a shell sees them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::rules::{Example, built_in};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of option files.
struct Shop(tempfile::TempDir);

impl Shop {
    fn with(files: &[(&str, &[u8])]) -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            fs::create_dir_all(shop.path(name).parent().unwrap()).unwrap();
            fs::write(shop.path(name), bytes).unwrap();
        }
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, b"")
    }

    fn run_with(&self, arguments: &str, input: &[u8]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
        command.args(arguments.split(' ')).current_dir(self.0.path()).env_remove("CI").env("LANG", "C.UTF-8");
        let (stdin, stdout) = (Stdio::piped(), Stdio::piped());
        let mut child = command.stdin(stdin).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        Run { code: status.code().unwrap(), printed: stdout, told: String::from_utf8(stderr).unwrap() }
    }
}

#[derive(Debug)]
struct Run {
    code: i32,
    printed: Vec<u8>,
    told: String,
}

impl Run {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }
}

const MACHINE: &str = "--ram 2G --cpus 2 --disk ssd --load-size 1G";

/// Real files, and whatever `CNFLINT_CORPUS` holds.
fn real_files() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real");
    let mut files = servers::files_below(&fixtures);
    if let Some(corpus) = std::env::var_os("CNFLINT_CORPUS") {
        files.extend(servers::files_below(Path::new(&corpus)));
    }
    files.retain(|path| servers::is_option_file(path));
    assert!(!files.is_empty());
    files
}

/// `patch`, which knows nothing of cnflint, makes of the diff what `--fix` makes.
#[test]
fn a_diff_is_what_fix_does_and_a_second_fix_does_nothing() {
    let has_patch = Command::new("patch").arg("--version").output().is_ok();
    if !has_patch {
        eprintln!("skipped in part: `patch` is not here");
    }
    for file in real_files() {
        let original = fs::read(&file).unwrap();
        let shop = Shop::with(&[("my.cnf", &original), ("patched.cnf", &original)]);
        let line =
            |what: &str| format!("check my.cnf {what} --unsafe-fixes --server mysql-8.4 {MACHINE} --format short");
        let diff = shop.run(&line("--diff").replace(" --format short", ""));
        assert_eq!(shop.bytes("my.cnf"), original, "{}", file.display());
        let fixed = shop.run(&line("--fix"));
        assert!(fixed.code < 2, "{}: {fixed:?}", file.display());
        let after = shop.bytes("my.cnf");
        assert_eq!(diff.printed.is_empty(), after == original, "{}: {diff:?}", file.display());
        if has_patch && after != original && !diff.text().contains("***") {
            shop.run_patch(&diff.printed);
            assert_eq!(shop.bytes("patched.cnf"), after, "{}\n{}", file.display(), diff.text());
        }
        let again = shop.run(&line("--fix"));
        assert_eq!(shop.bytes("my.cnf"), after, "{}", file.display());
        assert_eq!((again.code, again.text()), (fixed.code, fixed.text()), "{}", file.display());
    }
}

impl Shop {
    fn run_patch(&self, diff: &[u8]) {
        let mut command = Command::new("patch");
        command.args(["--binary", "--quiet", "patched.cnf"]).current_dir(self.0.path());
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(diff).unwrap();
        assert!(child.wait().unwrap().success(), "{}", String::from_utf8_lossy(diff));
    }
}

#[test]
fn each_hunk_names_its_rules_and_nothing_changes() {
    let filler = "# what follows is far away\n".repeat(9);
    let file = format!("[mysqld]\nport = 3306\nport = 3306\n{filler}max_connection = 200\n{filler}");
    let shop = Shop::with(&[("my.cnf", file.as_bytes())]);
    let run = shop.run("my.cnf --server mariadb-10.11 --diff --unsafe-fixes");
    let hunks: Vec<_> = run.text().lines().filter(|line| line.starts_with("@@")).map(str::to_owned).collect();
    let [first, second] = hunks.as_slice() else { panic!("{}", run.text()) };
    assert!(first.starts_with("@@ -1,6 +1,5 @@ duplicate-option"), "{first}");
    assert!(second.contains("@@ abbreviated-option"), "{second}");
    assert_eq!(shop.text("my.cnf"), file);
    assert!(run.told.contains("2 fixes in 1 file; nothing was changed"), "{}", run.told);
    let safe = shop.run("my.cnf --server mariadb-10.11 --diff --select syntax --ignore abbreviated-option");
    assert!(!safe.text().contains("abbreviated"), "what is not looked at is not fixed: {}", safe.text());
}

/// `--fix` ends with what remains, `--diff` with what is there now.
#[test]
fn the_exit_status_is_about_what_remains_or_about_what_is_there() {
    let refused = b"[mysqld]\nmax_conections = 200\n";
    let shop = Shop::with(&[("my.cnf", refused)]);
    assert_eq!(shop.run("my.cnf --server mysql-9.7 --diff --unsafe-fixes").code, 1);
    let safe = shop.run("my.cnf --server mysql-9.7 --fix");
    assert_eq!((safe.code, shop.bytes("my.cnf").as_slice()), (1, &refused[..]), "a guess is not safe");
    assert!(safe.told.contains("1 more with --unsafe-fixes"), "{}", safe.told);
    let fixed = shop.run("my.cnf --server mysql-9.7 --fix --unsafe-fixes");
    assert_eq!((fixed.code, shop.text("my.cnf").as_str()), (0, "[mysqld]\nmax_connections = 200\n"));
    assert!(fixed.told.contains("fixed my.cnf: unknown-option"), "{}", fixed.told);
}

#[test]
fn usage_is_checked_before_anything_is_read() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\n")]);
    for (arguments, told) in [
        ("--fix", "only where they are named"),
        ("my.cnf --unsafe-fixes", "add --fix"),
        ("my.cnf --diff --format json", "--format"),
        ("my.cnf --write-baseline", "--baseline"),
        ("my.cnf --baseline none.json", "--write-baseline writes it"),
    ] {
        let run = shop.run(arguments);
        assert_eq!(run.code, 2, "{arguments}");
        assert!(run.told.contains(told), "{arguments}: {}", run.told);
    }
}

#[test]
fn bytes_that_are_no_text_and_line_ends_stay() {
    let file = b"# caf\xe9\r\n[mysqld]\r\nport=3306\r\nport=3306\r\ndatadir=/d\xe9";
    let shop = Shop::with(&[("my.cnf", file)]);
    shop.run("my.cnf --server mysql-8.4 --fix");
    assert_eq!(shop.bytes("my.cnf"), b"# caf\xe9\r\n[mysqld]\r\nport=3306\r\ndatadir=/d\xe9");
}

#[test]
fn a_new_line_looks_like_its_neighbours() {
    let table = "[mysqld]\ninnodb_buffer_pool_size    = 1G\ninnodb_log_file_size       = 48M\n";
    let shop = Shop::with(&[("my.cnf", table.as_bytes())]);
    shop.run(&format!("my.cnf --server mysql-8.4 --fix --unsafe-fixes {MACHINE}"));
    let equals: Vec<_> = shop.text("my.cnf").lines().skip(1).map(|line| line.find(" = ")).collect();
    assert!(equals.iter().all(|column| *column == Some(26)), "{}", shop.text("my.cnf"));
    assert!(shop.text("my.cnf").contains("innodb_redo_log_capacity"));
}

#[test]
fn what_a_template_steers_is_left_alone() {
    let template = "[mysqld]\n{% if big %}\nport = 3306\n{% else %}\nport = 3307\n{% endif %}\nuser = x\nuser = x\n";
    let shop = Shop::with(&[("my.cnf", template.as_bytes())]);
    shop.run("my.cnf --server mysql-8.4 --fix --unsafe-fixes");
    assert_eq!(shop.text("my.cnf"), template.replacen("user = x\n", "", 1));
}

#[test]
fn standard_input_is_printed_with_its_fixes_and_nothing_is_written() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\nport=1\nport=1\n")]);
    let run = shop.run_with("- --stdin-filename my.cnf --server mysql-8.4 --fix", &shop.bytes("my.cnf"));
    assert_eq!((run.code, run.text().as_str()), (0, "[mysqld]\nport=1\n"));
    assert!(run.told.contains("verdict  starts"), "the report goes to standard error: {}", run.told);
    assert_eq!(shop.text("my.cnf"), "[mysqld]\nport=1\nport=1\n");
    let nothing = shop.run_with("- --server mysql-8.4 --fix --quiet", b"[mysqld]\nport=1\n");
    assert_eq!((nothing.text().as_str(), nothing.told.as_str()), ("[mysqld]\nport=1\n", ""));
}

#[test]
fn included_files_are_fixed_where_the_line_stands_and_a_candidate_alone() {
    let shop = Shop::with(&[("conf.d/a.cnf", b"[mysqld]\nport=1\nport=1\n")]);
    let include = format!("[mysqld]\n!includedir {}\n", shop.path("conf.d").display());
    fs::write(shop.path("my.cnf"), &include).unwrap();
    let run = shop.run("my.cnf --server mysql-8.4 --fix");
    assert_eq!((shop.text("my.cnf"), shop.text("conf.d/a.cnf").as_str()), (include, "[mysqld]\nport=1\n"), "{run:?}");
    fs::write(shop.path("new.cnf"), "[mysqld]\nport=2\nport=2\n").unwrap();
    let place = shop.path("conf.d/b.cnf");
    let run = shop.run(&format!("new.cnf --as {} --server mysql-8.4 --fix", place.display()));
    assert_eq!(shop.text("new.cnf"), "[mysqld]\nport=2\n", "{run:?}");
    assert!(!place.exists());
}

#[test]
fn what_cannot_be_written_is_said_and_counts() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\nport=1\nport=1\n")]);
    fs::hard_link(shop.path("my.cnf"), shop.path("other.name")).unwrap();
    let run = shop.run("my.cnf --server mysql-8.4 --fix");
    assert_eq!(run.code, 4);
    assert!(run.told.contains("cannot write my.cnf") && run.told.contains("hard links"), "{}", run.told);
    assert!(!run.told.contains("fixed my.cnf"), "{}", run.told);
}

#[test]
fn no_secret_stands_in_a_diff_or_a_baseline() {
    let file = b"[client]\n# was: hunter2-old\npassword = hunter2-old\n[mysqld]\nport=1\nport=1\n";
    let shop = Shop::with(&[("my.cnf", file)]);
    let diff = shop.run("my.cnf --server mysql-8.4 --diff").text();
    assert!(diff.contains("password = ***") && !diff.contains("hunter2"), "{diff}");
    shop.run("my.cnf --server mysql-8.4 --baseline known.json --write-baseline");
    assert!(!shop.text("known.json").contains("hunter2"));
    shop.run("my.cnf --server mysql-8.4 --fix");
    assert!(shop.text("my.cnf").contains("# was: hunter2-old\npassword = hunter2-old\n"));
}

#[test]
fn what_a_comment_leaves_out_is_neither_said_nor_fixed() {
    let file = "[mysqld]\nport=1\nport=1 # cnflint: ignore[duplicate-option] generated\n";
    let twice = "[mysqld]\nport=1 # cnflint: ignore[duplicate-option] generated\nport=1\n";
    for text in [file, twice] {
        let shop = Shop::with(&[("my.cnf", text.as_bytes())]);
        let heeded = shop.run("my.cnf --server mysql-8.4");
        let said = heeded.text().contains("duplicate-option: ") || heeded.text().contains("advice[duplicate-option]");
        let run = shop.run("my.cnf --server mysql-8.4 --fix");
        // The comment counts on the line that the finding points at.
        if said {
            assert_eq!(shop.text("my.cnf").matches("port=1").count(), 1, "{run:?}");
        } else {
            assert!(heeded.text().contains("1 finding suppressed"), "{}", heeded.text());
            assert_eq!(shop.text("my.cnf"), text, "{run:?}");
            shop.run("my.cnf --server mysql-8.4 --fix --no-ignores");
            assert_eq!(shop.text("my.cnf").matches("port=1").count(), 1);
        }
    }
}

#[test]
fn a_comment_that_leaves_nothing_out_is_found_and_removed() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\nport=1 # cnflint: ignore[binlog-off]\n")]);
    let run = shop.run("my.cnf --server mysql-8.4 --format short");
    assert!(run.text().starts_with("my.cnf:2:26: advice[unused-ignore] `binlog-off` has nothing to say"), "{run:?}");
    assert!(shop.run("my.cnf --server mysql-8.4 --format short --no-ignores").printed.is_empty());
    shop.run("my.cnf --server mysql-8.4 --fix");
    assert_eq!(shop.text("my.cnf"), "[mysqld]\nport=1\n");
}

#[test]
fn a_baseline_hides_what_is_known_and_only_shrinks() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\nskip-log-bin\nno_such = 1\n")]);
    let line = "my.cnf --server mysql-8.4 --format short --baseline known.json";
    let first = shop.run(&format!("{line} --write-baseline"));
    assert_eq!((first.code, first.text().as_str()), (0, ""));
    let written = shop.text("known.json");
    fs::write(shop.path("my.cnf"), "# moved\n\n[mysqld]\nno_such = 1\nskip-log-bin\nother_such = 2\n").unwrap();
    let run = shop.run(&format!("{line} --write-baseline"));
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.text().lines().count(), 1, "{}", run.text());
    assert_eq!(shop.text("known.json"), written, "what is new is not taken in");
    fs::write(shop.path("my.cnf"), "[mysqld]\nskip-log-bin\n").unwrap();
    shop.run(&format!("{line} --select syntax --write-baseline"));
    assert!(shop.text("known.json").contains("binlog-off") && !shop.text("known.json").contains("unknown-option"));
}

#[test]
fn a_new_baseline_holds_what_was_selected() {
    let shop = Shop::with(&[("my.cnf", b"[mysqld]\nskip-log-bin\nno_such = 1\n")]);
    let line = "my.cnf --server mysql-8.4 --format short --baseline known.json";
    shop.run(&format!("{line} --select syntax --write-baseline"));
    assert!(shop.text("known.json").contains("unknown-option") && !shop.text("known.json").contains("binlog-off"));
    let run = shop.run(line);
    assert!(run.text().lines().count() == 1 && run.text().contains("[binlog-off]"), "{}", run.text());
}

/// A server that refuses a file takes it once it is fixed.
#[test]
fn real_servers_take_what_was_refused_once_it_is_fixed() {
    for server in servers::all() {
        let name = server.name;
        let shop = Shop::with(&[("my.cnf", b"[mysqld]\nmax_conections = 200\nsort_buffer_siz = 1M\n")]);
        assert!(!server.check(&shop.path("my.cnf")).accepted, "{name}");
        let run = shop.run(&format!("my.cnf --server {name} --fix --unsafe-fixes"));
        assert_eq!(run.code, 0, "{name}: {run:?}");
        let verdict = server.check(&shop.path("my.cnf"));
        assert!(verdict.accepted, "{name}: {}\n{}", shop.text("my.cnf"), verdict.messages);
    }
}

/// The same for what the rules show in their examples: the server then takes just what cnflint says it takes.
#[test]
fn real_servers_take_the_examples_in_which_no_error_is_left() {
    let examples = || built_in().iter().flat_map(|rule| rule.examples().map(move |example| (rule, example)));
    let written = |example: &Example<&str>| example.files.is_empty() && !example.file.contains("!include");
    let mut refused = 0;
    for server in servers::all() {
        let is_about = |text: &str| text == server.name;
        let own = examples().filter(|(_, example)| written(example) && is_about(example.server));
        for (rule, example) in own.filter(|(_, example)| example.fixed.is_some()) {
            let shop = Shop::with(&[("my.cnf", example.file.as_bytes())]);
            if server.check(&shop.path("my.cnf")).accepted {
                continue;
            }
            refused += 1;
            let run = shop.run(&format!("my.cnf --server {} --fix --unsafe-fixes", server.server));
            let verdict = server.check(&shop.path("my.cnf"));
            let says_no = run.text().contains("refuses to start");
            let file = shop.text("my.cnf");
            let told = || format!("{} on {}: {file}\n{}\n{}", rule.id(), server.name, run.text(), verdict.messages);
            assert_eq!(says_no, !verdict.accepted, "{}", told());
        }
    }
    assert!(refused > 0 || servers::all().is_empty(), "no example is refused");
    println!("{refused} examples were refused before they were fixed");
}
