//! Templates of option files: what is said about them, on which line, and what fixes leave alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use cnflint::finding::{Safety, Severity};
use cnflint::fix::{Fixed, Wanted, fix};
use cnflint::lint::{Report, ServerSource, Subject, lint};
use cnflint::rules::built_in;
use cnflint::server::ServerSpec;
use cnflint::source::MemoryFiles;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn subject(server: &str) -> Subject {
    Subject {
        roots: vec![(PathBuf::from("/my.cnf"), None)],
        server: Some((ServerSpec::parse(server).unwrap(), ServerSource::Flag)),
        working_directory: "/".into(),
        ..Subject::default()
    }
}

fn report(text: &str, server: &str) -> Report {
    let mut disk = MemoryFiles::default();
    disk.insert("/my.cnf", text);
    let mut report = Report::default();
    assert!(lint(&disk, subject(server), &[built_in()], &mut report).is_empty());
    report
}

fn fixed(text: &str, server: &str) -> Fixed {
    let mut disk = MemoryFiles::default();
    disk.insert("/my.cnf", text);
    fix(&disk, &subject(server), &[built_in()], Wanted::all(Safety::Unsafe))
}

/// What is found, with its line, in the order of the lines; what somebody may only like to know is left out.
fn found(text: &str, server: &str) -> Vec<(u32, String)> {
    let report = report(text, server);
    let mut found: Vec<_> = report
        .findings
        .iter()
        .filter(|located| located.finding.severity > Severity::Advice)
        .map(|located| {
            let at = located.finding.primary.location;
            (report.sources.get(at.file).line_of(at.span.start), located.finding.rule.to_string())
        })
        .collect();
    found.sort();
    found
}

fn expected(lines: &[(u32, &str)]) -> Vec<(u32, String)> {
    lines.iter().map(|(line, rule)| (*line, (*rule).to_owned())).collect()
}

#[test]
fn faults_are_found_on_their_lines_and_markup_is_none() {
    let jinja = include_str!("../fixtures/templates/jinja.cnf.j2");
    let wanted = [(10, "unknown-option"), (13, "unknown-option"), (26, "misread-value"), (31, "unknown-option")];
    assert_eq!(found(jinja, "mariadb-10.11.6"), expected(&wanted));
    let ruby = include_str!("../fixtures/templates/ruby.cnf.erb");
    assert_eq!(found(ruby, "mysql-8.4.3"), expected(&[(8, "unknown-option"), (16, "unknown-option")]));
    let go = include_str!("../fixtures/templates/go.cnf.tmpl");
    assert_eq!(found(go, "mysql-8.4.3"), expected(&[(6, "unknown-option"), (14, "unknown-option")]));
    let shell = include_str!("../fixtures/templates/shell.cnf.in");
    assert_eq!(found(shell, "mysql-8.4.3"), expected(&[(9, "unknown-option")]));
    let mustache = include_str!("../fixtures/templates/mustache.cnf.mustache");
    assert_eq!(found(mustache, "mysql-8.4.3"), expected(&[(5, "unknown-option"), (11, "unknown-option")]));
}

#[test]
fn what_one_branch_says_is_not_said_as_certain() {
    let text = "[mysqld]\n{% if big %}\nthread_cache_sise = 16\n{% endif %}\n";
    let report = report(text, "mysql-8.4.3");
    let unknown = report.findings.iter().find(|located| located.finding.rule == "unknown-option").unwrap();
    assert_eq!(unknown.finding.severity, Severity::Warning);
    assert!(unknown.finding.message.ends_with("(where this line is left in)"), "{:?}", unknown.finding);
    // A condition about versions is written for what only some of them know.
    let asks = "[mysqld]\n{% if mysql_version is version('8.0', '<') %}\nquery_cache_size = 0\n{% endif %}\n";
    assert_eq!(found(asks, "mysql-8.4.3"), []);
    let does_not = asks.replace("mysql_version is version('8.0', '<')", "mysql_cached");
    assert_eq!(found(&does_not, "mysql-8.4.3"), expected(&[(3, "removed-option")]));
}

/// Whether the setting is known to be 2, by a rule that says so.
fn is_relaxed(body: &str) -> bool {
    let text = format!("[mysqld]\n{}\n", body.replace('|', "\n"));
    says(&text) == Some(true)
}

/// Whether it is said that commits are not durable, and if so, whether as certain.
fn says(text: &str) -> Option<bool> {
    let report = report(text, "mysql-8.4.3");
    let found = report.findings.iter().find(|located| located.finding.rule == "relaxed-commit-durability")?;
    Some(!["(where this line is", "(where `"].iter().any(|words| found.finding.message.contains(words)))
}

#[test]
fn what_a_rule_finds_in_one_branch_is_said_with_its_condition() {
    let two = "innodb_flush_log_at_trx_commit = 2";
    assert_eq!(says(&format!("[mysqld]\n{{% if a %}}\n{two}\n{{% endif %}}\n")), Some(false));
    let other =
        format!("[mysqld]\n{{% if a %}}\n{two}\n{{% else %}}\n{{% endif %}}\ninnodb_flush_log_at_trx_commit = 1\n");
    assert_eq!(says(&other), None);
    assert_eq!(says("[mysqld]\ninnodb_flush_log_at_trx_commit = {{ x }}\n"), None);
}

#[test]
fn a_setting_is_known_where_every_branch_agrees() {
    let two = "innodb_flush_log_at_trx_commit = 2";
    let one = "innodb_flush_log_at_trx_commit = 1";
    assert!(is_relaxed(two));
    assert!(is_relaxed(&format!("{{% if a %}}|{one}|{{% endif %}}|{two}")), "set again afterwards");
    assert!(is_relaxed(&format!("{{% if a %}}|{two}|{{% else %}}|{two}|{{% endif %}}")), "in both branches");
    assert!(is_relaxed(&format!("{two}|{{% if a %}}|{two}|{{% endif %}}")), "before and in it");
    assert!(!is_relaxed(&format!("{{% if a %}}|{two}|{{% endif %}}")), "perhaps");
    assert!(!is_relaxed(&format!("{{% if a %}}|{two}|{{% else %}}|{one}|{{% endif %}}")), "one or the other");
    assert!(!is_relaxed(&format!("{two}|{{% if a %}}|{one}|{{% endif %}}")), "perhaps another");
    assert!(!is_relaxed(&format!("{{% for x in y %}}|{two}|{{% endfor %}}")), "any number of times");
    let nested = format!("{{% if a %}}|{two}|{{% else %}}|{{% if b %}}|{two}|{{% endif %}}|{{% endif %}}");
    assert!(!is_relaxed(&nested), "neither");
}

#[test]
fn lines_of_two_branches_are_no_duplicates() {
    let duplicates = |body: &str| -> Vec<u32> {
        let report = report(&format!("[mysqld]\n{}\n", body.replace('|', "\n")), "mysql-8.4.3");
        let all = report.findings.iter().filter(|located| located.finding.rule == "duplicate-option");
        let line = |at: cnflint::source::Location| report.sources.get(at.file).line_of(at.span.start);
        all.map(|located| line(located.finding.primary.location)).collect()
    };
    assert_eq!(duplicates("port = 1|port = 2"), [2]);
    assert!(duplicates("{% if a %}|port = 1|{% else %}|port = 2|{% endif %}").is_empty());
    assert!(duplicates("port = 1|{% if a %}|port = 2|{% endif %}").is_empty());
    assert!(duplicates("{% if a %}|port = 1|{% endif %}|{% if b %}|port = 2|{% endif %}").is_empty());
    assert_eq!(duplicates("{% if a %}|port = 1|{% endif %}|port = 2"), [3], "never counts");
    assert_eq!(duplicates("{% if a %}|port = 1|port = 2|{% endif %}"), [3]);
}

#[test]
fn what_a_template_may_bring_in_is_not_called_absent() {
    let missing = |text: &str| {
        let report = report(text, "mysql-8.4.3");
        report.not_evaluated.iter().flat_map(|item| item.missing.clone()).any(|missing| {
            missing.kind == cnflint::lint::MissingKind::Template && missing.name == "innodb_flush_log_at_trx_commit"
        })
    };
    assert!(!missing("[mysqld]\nsync_binlog = 0\n"));
    assert!(missing("[mysqld]\nsync_binlog = 0\n{{ more_settings }}\n"));
    assert!(missing("[mysqld]\nsync_binlog = 0\n{% for a in b %}\n{{ a.name }} = {{ a.value }}\n{% endfor %}\n"));
    assert!(missing("[mysqld]\nsync_binlog = 0\n!includedir {{ directory }}\n"));
    assert!(missing("[mysqld]\nsync_binlog = 0\n{% include 'more.cnf' %}\n"));
    assert!(!missing("[mysqld]\nsync_binlog = 0\n# {{ ansible_managed }}\n[client]\n{{ more_settings }}\n"));
}

#[test]
fn fixes_leave_markup_alone() {
    let templates = [
        include_str!("../fixtures/templates/jinja.cnf.j2"),
        include_str!("../fixtures/templates/ruby.cnf.erb"),
        include_str!("../fixtures/templates/go.cnf.tmpl"),
        include_str!("../fixtures/templates/shell.cnf.in"),
        include_str!("../fixtures/templates/mustache.cnf.mustache"),
    ];
    let mut changed = 0;
    for (template, server) in
        templates.iter().flat_map(|text| ["mysql-8.4.3", "mariadb-10.11.6"].map(|server| (text, server)))
    {
        let fixed = fixed(template, server);
        assert!(fixed.stable, "{server}: {template}");
        let Some(new) = fixed.files.values().next() else { continue };
        changed += 1;
        let tags = |bytes: &[u8]| {
            let spans = cnflint::optionfile::markup(bytes);
            spans.iter().map(|span| String::from_utf8(span.of(bytes).to_vec()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(tags(new), tags(template.as_bytes()));
        let steered = |bytes: &[u8]| {
            let spans = cnflint::optionfile::steered(bytes);
            spans.iter().map(|span| String::from_utf8(span.of(bytes).to_vec()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(steered(new), steered(template.as_bytes()));
    }
    assert!(changed >= 5, "{changed}");
}

/// What the program prints with the template and its variables in a directory of their own, and its exit status.
fn cnflint(directory: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let command = Command::new(env!("CARGO_BIN_EXE_cnflint"))
        .args(arguments)
        .args(["--format", "short", "--no-detect", "--min-severity", "warning", "--color", "never"])
        .current_dir(directory)
        .output()
        .unwrap();
    let text = [command.stdout, command.stderr].concat();
    (String::from_utf8(text).unwrap(), command.status.code())
}

fn shop() -> tempfile::TempDir {
    let shop = tempfile::tempdir().unwrap();
    fs::write(shop.path().join("my.cnf.j2"), include_str!("../fixtures/templates/filled.cnf.j2")).unwrap();
    fs::write(shop.path().join("vars.yml"), include_str!("../fixtures/templates/group_vars.yml")).unwrap();
    shop
}

#[test]
fn a_template_that_is_filled_in_is_linted_as_what_it_becomes() {
    let shop = shop();
    let (text, status) = cnflint(shop.path(), &["my.cnf.j2", "--server", "mysql-8.4.3", "--define-file", "vars.yml"]);
    let begins: Vec<_> = text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        begins,
        [
            "my.cnf.j2:9:1: error[unknown-option]",
            "my.cnf.j2:15:1: error[unknown-option]",
            "my.cnf.j2:3:1: warning[relaxed-commit-durability]",
            "my.cnf.j2:16:1: warning[duplicate-option]",
        ],
        "{text}"
    );
    assert_eq!(status, Some(1));
    let one = ["my.cnf.j2", "--server", "mysql-8.4.3", "--define-file", "vars.yml", "--define", "durability=1"];
    assert!(!cnflint(shop.path(), &one).0.contains("relaxed-commit-durability"));
}

#[test]
fn what_a_condition_asks_for_must_be_defined() {
    let shop = shop();
    let arguments = ["my.cnf.j2", "--server", "mysql-8.4.3", "--define", "durability=1"];
    let (text, status) = cnflint(shop.path(), &arguments);
    assert!(text.contains("my.cnf.j2:4: `mysql_version`, `extra` are not defined"), "{text}");
    assert!(text.contains("--define mysql_version=… --define extra=…"), "{text}");
    assert_eq!(status, Some(4));
}

#[test]
fn fixes_of_a_filled_in_template_change_only_what_stands_in_it() {
    let shop = shop();
    let before = include_str!("../fixtures/templates/filled.cnf.j2");
    cnflint(
        shop.path(),
        &["my.cnf.j2", "--server", "mysql-8.4.3", "--define-file", "vars.yml", "--fix", "--unsafe-fixes"],
    );
    let after = fs::read_to_string(shop.path().join("my.cnf.j2")).unwrap();
    let wanted = before.replace("sise", "size").replacen("port = 3306\n", "", 1);
    assert_eq!(after, wanted);
}

#[test]
fn a_template_of_go_is_filled_in_and_what_nobody_knows_stays() {
    let chart = tempfile::tempdir().unwrap();
    let template = include_str!("../fixtures/templates/filled.cnf.tmpl");
    fs::write(chart.path().join("my.cnf.tmpl"), template).unwrap();
    fs::write(chart.path().join("values.yaml"), include_str!("../fixtures/templates/values.yaml")).unwrap();
    let begins = |more: &[&str]| -> Vec<String> {
        let mut arguments = vec!["my.cnf.tmpl", "--server", "mysql-8.4.3", "--define-file", "values.yaml"];
        arguments.extend(more);
        let (text, _) = cnflint(chart.path(), &arguments);
        text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let relaxed = "my.cnf.tmpl:4:1: warning[relaxed-commit-durability]";
    let of_a_loop = "my.cnf.tmpl:11:1: error[unknown-option]";
    let twice = "my.cnf.tmpl:21:1: warning[duplicate-option]";
    assert_eq!(begins(&[]), [of_a_loop, relaxed, "my.cnf.tmpl:19:1: warning[unknown-option]", twice]);
    let surely = "my.cnf.tmpl:19:1: error[unknown-option]";
    assert_eq!(begins(&["--define", "extra=true"]), [of_a_loop, surely, relaxed, twice]);
    let removed = "my.cnf.tmpl:6:1: error[removed-option]";
    let legacy = ["--define", "legacy=true", "--define", "extra=false", "--define", "durability=1"];
    assert_eq!(begins(&legacy), [removed, of_a_loop, twice]);

    let fix = ["my.cnf.tmpl", "--server", "mysql-8.4.3", "--define-file", "values.yaml", "--fix", "--unsafe-fixes"];
    cnflint(chart.path(), &fix);
    let after = fs::read_to_string(chart.path().join("my.cnf.tmpl")).unwrap();
    assert_eq!(after, template.replacen("port = 3306\n", "", 1));
}

#[test]
fn each_branch_goes_on_with_the_group_before_its_block() {
    let fault = |body: &str| found(&body.replace('|', "\n"), "mysql-8.4.3");
    let other_group = "[mysqld]|{% if a %}|[sst]|enabled = 4|{% else %}|thread_cache_sise = 1|{% endif %}|";
    assert_eq!(fault(other_group), expected(&[(6, "unknown-option")]));
    // Behind the block it may be either; the last one is as good as any.
    let behind = "[mysqld]|{% if a %}|[sst]|enabled = 4|{% endif %}|anything = 1|";
    assert_eq!(fault(behind), []);
    let inner = "[mysqld]|{% if a %}|{% if b %}|[sst]|{% else %}|x_1 = 1|{% endif %}|{% else %}|x_2 = 1|{% endif %}|";
    assert_eq!(fault(inner), expected(&[(6, "unknown-option"), (9, "unknown-option")]));
}

#[test]
fn what_is_defined_for_elsewhere_belongs_to_no_group_above_it() {
    let go = "{{ define \"my.cnf\" }}\n[mysqld]\nthread_cache_sise = 1\n{{ end }}\n{{ define \"nslcd.conf\" }}\nuid nslcd\n{{ end }}\n";
    assert_eq!(found(go, "mysql-8.4.3"), expected(&[(3, "unknown-option")]));
    let jinja = "[mysqld]\n{% macro other(x) %}\nworker_processes {{ x }};\n{% endmacro %}\nthread_cache_sise = 1\n";
    assert_eq!(found(jinja, "mysql-8.4.3"), expected(&[(5, "unknown-option")]));
    let own = "{% macro group(name) %}\n[mysqld]\nthread_cache_sise = 1\n{% endmacro %}\n[client]\nport = 1\n";
    assert_eq!(found(own, "mysql-8.4.3"), expected(&[(3, "unknown-option")]));
}

#[test]
fn newlines_behind_blocks_stay_where_ansible_does_not_fill_in() {
    let shop = tempfile::tempdir().unwrap();
    let text = "[mysqld]\nskip-name-resolve\n{%- if slow %}\nslow_query_log_flie = x\n{%- endif %}\n";
    for name in ["my.cnf.tmpl", "my.cnf.j2"] {
        fs::write(shop.path().join(name), text).unwrap();
    }
    let begins = |name: &str| {
        let (text, _) = cnflint(shop.path(), &[name, "--server", "mysql-8.4.3", "--define", "slow=true"]);
        text.lines().map(|line| line.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert!(begins("my.cnf.tmpl")[0].starts_with("my.cnf.tmpl:4:1: error[unknown-option] no version"));
    // Ansible makes one line of both.
    assert!(begins("my.cnf.j2")[0].starts_with("my.cnf.j2:2:1: "), "{:?}", begins("my.cnf.j2"));
}

#[test]
fn a_file_of_definitions_is_linted_as_it_stands() {
    let chart = tempfile::tempdir().unwrap();
    let text = "{{- define \"my.cnf\" -}}\n[mysqld]\nthread_cache_sise = {{ .x }}\n{{- end }}\n";
    fs::write(chart.path().join("_my.tpl"), text).unwrap();
    let (found, _) = cnflint(chart.path(), &["_my.tpl", "--server", "mysql-8.4.3", "--define", "x=1"]);
    assert!(found.starts_with("_my.tpl:3:1: warning[unknown-option]"), "{found}");
}

#[test]
fn a_manifest_of_a_chart_is_filled_in_before_its_option_files_are_looked_for() {
    let chart = tempfile::tempdir().unwrap();
    let text = "{{- if not .Values.existing }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include \"fullname\" . }}\n\
                data:\n  my.cnf: |\n    [mysqld]\n    {{- if .Values.slow }}\n    slow_query_log_flie = 1\n    {{- end }}\n    \
                innodb_flush_log_at_trx_commit = {{ .Values.durability }}\n    {{- range $k, $v := .Values.options }}\n    \
                {{ $k }} = {{ $v }}\n    {{- end }}\n    thread_cache_sise = 8\n{{- end }}\n";
    fs::create_dir(chart.path().join("templates")).unwrap();
    fs::write(chart.path().join("templates/configmap.yaml"), text).unwrap();
    let values = "slow: false\ndurability: 2\nexisting: \"\"\noptions:\n  join_bufer_size: 3M\n";
    fs::write(chart.path().join("values.yaml"), values).unwrap();
    let begins = |more: &[&str]| -> Vec<String> {
        let mut arguments = vec!["templates/configmap.yaml", "--server", "mysql-8.4.3"];
        arguments.extend(more);
        let (text, _) = cnflint(chart.path(), &arguments);
        let line = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ").replace("templates/", "");
        text.lines().map(line).collect()
    };
    let (of_a_loop, always) =
        ("configmap.yaml:14:5: error[unknown-option]", "configmap.yaml:16:5: error[unknown-option]");
    let relaxed = "configmap.yaml:12:5: warning[relaxed-commit-durability]";
    assert_eq!(begins(&["--define-file", "values.yaml"]), [of_a_loop, always, relaxed]);
    let slow = ["--define-file", "values.yaml", "--define", "slow=true", "--fix", "--unsafe-fixes"];
    assert_eq!(begins(&slow)[0], "configmap.yaml:10:5: error[unknown-option]");
    assert_eq!(fs::read_to_string(chart.path().join("templates/configmap.yaml")).unwrap(), text);
    let without = begins(&["--define-file", "values.yaml", "--define", "existing=x"]);
    assert!(without.iter().all(|line| !line.contains('[')), "{without:?}");
    assert_eq!(begins(&[]), [always, "configmap.yaml:10:5: warning[unknown-option]"]);
}

#[test]
fn templates_that_lie_beside_are_read_where_they_come() {
    let files = |more: &[(&str, &str)], text: &str| {
        let mut disk = MemoryFiles::default();
        disk.insert("/my.cnf", text);
        more.iter().for_each(|(path, text)| disk.insert(*path, *text));
        let mut report = Report::default();
        assert!(lint(&disk, subject("mysql-8.4.3"), &[built_in()], &mut report).is_empty());
        let mut found: Vec<_> = report
            .findings
            .iter()
            .filter(|located| located.finding.rule == "unknown-option")
            .map(|located| {
                let at = located.finding.primary.location;
                let source = report.sources.get(at.file);
                format!("{}:{} {:?}", source.path().display(), source.line_of(at.span.start), located.finding.severity)
            })
            .collect();
        found.sort();
        found
    };
    let master = ("/replication.j2", "sync_binlgo = 1\n[client]\n");
    let whole = "[mysqld]\n{% include 'replication.j2' %}\nno_such_option = 1\n[mysqld]\nnone_such = 1\n";
    // Behind it the group is the one that it leaves.
    assert_eq!(files(&[master], whole), ["/my.cnf:5 Error", "/replication.j2:1 Error"]);
    let choice = "[mysqld]\n{% if a -%}\n    {% include \"replication.j2\" %}\n\n{% else -%}\nx_y = 1\n{% endif %}\n";
    assert_eq!(files(&[master], choice), ["/my.cnf:6 Warning", "/replication.j2:1 Warning"]);
    // What is not there, lies elsewhere or brings itself in stays unknown.
    assert_eq!(files(&[], whole), ["/my.cnf:3 Error", "/my.cnf:5 Error"]);
    let elsewhere = [("/etc/replication.j2", master.1)];
    assert_eq!(files(&elsewhere, "[mysqld]\n{% include '../etc/replication.j2' %}\n"), [""; 0]);
    assert_eq!(files(&elsewhere, "[mysqld]\n{% include '/etc/replication.j2' %}\n"), [""; 0]);
    let endless = ("/a.j2", "x_z = 1\n{% include 'a.j2' %}\n{% include 'my.cnf' %}\n");
    assert_eq!(files(&[endless], "[mysqld]\n{% include 'a.j2' %}\n"), ["/a.j2:1 Error"]);
}
