//! What the founding documents ask for, in a user's words: a file and what is known go in, findings come out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod linting;

use cnflint::edits;
use cnflint::facts::{FactId, FactSource};
use cnflint::finding::{Edit, Finding, Safety, Severity};
use cnflint::lint::{self, MissingKind, Report};
use cnflint::rules::{RuleSet, StaticCatalog, built_in, compile_site};
use cnflint::server::ServerSpec;
use cnflint::value::Value;
use linting::{Case, EXAMPLE_PATH};
use std::path::Path;
use std::process::Command;

const IMPORT: &str = "[mysqld]
innodb_buffer_pool_size = 12G
innodb_log_buffer_size = 128M
max_allowed_packet = 1G
innodb_flush_method = O_DIRECT_NO_FSYNC
disable_log_bin
innodb_flush_log_at_trx_commit = 2
skip_innodb_doublewrite
";

const FALCON: &str = "[mysqld]
key-buffer-size=500M
innodb-buffer-pool-size=500M
innodb-log-file-size25M
innodb-thread-concurrency=8
falcon_min_record_memory=500M
falcon_max_record_memory=500M
falcon_page_cache_size=500M
";

const HOST: [(&str, &str); 3] = [("host.ram", "16G"), ("host.cpus", "4"), ("disk.kind", "ssd")];
const DRIVE: [(&str, &str); 3] = [("disk.capacity", "1.6T"), ("disk.endurance", "12.25P"), ("disk.fill", "75%")];

/// A file on a server, with facts by name.
fn case(file: &str, server: &str, facts: &[(&str, &str)]) -> Case {
    let mut case = Case::of_file(server, file.as_bytes()).on(ServerSpec::parse(server).unwrap());
    for (name, text) in facts {
        linting::fact(&mut case.facts, FactId::from_name(name).unwrap(), text);
    }
    case
}

fn all<'r>(report: &'r Report, rule: &str) -> Vec<&'r Finding> {
    report.findings.iter().map(|located| &located.finding).filter(|finding| finding.rule == rule).collect()
}

/// The only finding of a rule.
fn only<'r>(report: &'r Report, rule: &str) -> &'r Finding {
    let found = all(report, rule);
    assert_eq!(found.len(), 1, "{rule}: {:?}", linting::said(report));
    found[0]
}

fn is_silent(report: &Report, rule: &str) -> bool {
    all(report, rule).is_empty()
}

/// The file after the fix of a finding.
fn fixed(report: &Report, finding: &Finding) -> String {
    let edits: Vec<&Edit> = finding.fix.iter().flat_map(|fix| &fix.edits).collect();
    let (_, file) = report.sources.iter().find(|(_, file)| file.path() == Path::new(EXAMPLE_PATH)).unwrap();
    String::from_utf8(edits::apply(file.bytes(), &edits)).unwrap()
}

const COMPANIONS: [&str; 4] = ["doublewrite-off", "relaxed-commit-durability", "binlog-off", "flush-without-fsync"];

#[test]
fn an_import_left_on_is_told_as_a_whole_and_reverted_at_once() {
    for (server, flush) in
        [("mysql-8.0.28", Severity::Advice), ("mysql-9.7", Severity::Advice), ("mariadb-10.11", Severity::Warning)]
    {
        let report = case(IMPORT, server, &HOST).lint();
        let severity = |rule| only(&report, rule).severity;
        assert_eq!(severity("doublewrite-off"), Severity::Error, "{server}");
        assert_eq!(severity("import-settings-left-on"), Severity::Error, "{server}");
        assert_eq!(severity("relaxed-commit-durability"), Severity::Warning, "{server}");
        assert_eq!(severity("binlog-off"), Severity::Warning, "{server}");
        assert_eq!(severity("flush-without-fsync"), flush, "{server}");
        for rule in COMPANIONS {
            let fix = only(&report, rule).fix.as_ref().unwrap();
            assert!(fix.edits.is_empty() && fix.title.contains("import-settings-left-on"), "{server}: {rule} {fix:?}");
        }
        let silent = ["buffer-pool-too-large", "memory-overcommit"];
        assert!(silent.iter().all(|rule| is_silent(&report, rule)), "{server}: {:?}", linting::said(&report));
        for located in &report.findings {
            let about = located.finding.option.as_deref();
            assert!(!matches!(about, Some("max_allowed_packet" | "innodb_log_buffer_size")), "{server}: {located:?}");
        }

        let reverted = fixed(&report, only(&report, "import-settings-left-on"));
        let again = case(&reverted, server, &HOST).lint();
        assert!(COMPANIONS.iter().all(|rule| is_silent(&again, rule)), "{server}: {reverted}");
        assert!(is_silent(&again, "import-settings-left-on"), "{server}: {reverted}");

        let importing = case(IMPORT, server, &[&HOST[..], &[("workload.phase", "import")]].concat()).lint();
        assert!(COMPANIONS.iter().all(|rule| is_silent(&importing, rule)), "{server}");
        assert!(is_silent(&importing, "import-settings-left-on"), "{server}");
        assert!(importing.findings.iter().all(|located| located.finding.severity < Severity::Error), "{server}");
    }
}

#[test]
fn one_relaxed_setting_keeps_a_fix_of_its_own() {
    let report = case("[mysqld]\nlog_bin\nsync_binlog = 0\n", "mariadb-10.11", &[]).lint();
    assert!(is_silent(&report, "import-settings-left-on"));
    let finding = only(&report, "relaxed-commit-durability");
    assert_eq!(fixed(&report, finding), "[mysqld]\nlog_bin\nsync_binlog = 1\n");
    // MariaDB's own defaults are nobody's doing.
    let report = case("[mysqld]\nlog_bin\n", "mariadb-10.11", &[]).lint();
    assert!(is_silent(&report, "relaxed-commit-durability"));
}

#[test]
fn the_binary_log_is_off_where_the_server_takes_it_to_be_off() {
    let is_off = |line: &str| !is_silent(&case(&format!("[mysqld]\n{line}\n"), "mysql-9.7", &[]).lint(), "binlog-off");
    for line in ["skip_log_bin", "disable_log_bin", "skip-log-bin=1", "log_bin=on\nskip_log_bin"] {
        assert!(is_off(line), "{line}");
    }
    for line in ["disable_log_bin=0", "log_bin=0", "log_bin=OFF", "skip_log_bin\nlog_bin=binlog", "port=3306"] {
        assert!(!is_off(line), "{line}");
    }
}

/// The one rule alone, so that it can be asked often.
fn redo_rule() -> cnflint::rules::SiteRules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/redo/redo-log-smaller-than-load.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    // A site's rules may not take the name of a built-in one, so theirs have a prefix.
    compile_site(&[(path, text)], built_in(), &StaticCatalog).unwrap()
}

fn lint_with(case: &Case, rules: RuleSet<'_>) -> Report {
    let mut report = Report::default();
    let errors = lint::lint(&case.disk, case.subject(), &[rules], &mut report);
    assert!(errors.is_empty(), "{errors:?}");
    report
}

/// Lints with loads of so many MiB; what is found is fixed, and then nothing may be found.
fn ask_for_loads(file: &str, server: &str, loads: impl Iterator<Item = i128>) {
    let site = redo_rule();
    let mut case = case(file, server, &[]);
    for mebibytes in loads {
        let source = FactSource::Flag("--load-size");
        case.facts.set(FactId::WorkloadLoadSize, Value::Integer(mebibytes << 20), source);
        let report = lint_with(&case, site.rules());
        let Some(located) = report.findings.first() else {
            assert!(mebibytes < 8, "{server} {file}: {mebibytes} MiB do not fit into so little redo");
            continue;
        };
        let enough = fixed(&report, &located.finding);
        let large = case.with_file(Path::new(EXAMPLE_PATH), enough.clone().into_bytes());
        let again = lint_with(&large, site.rules());
        assert!(again.findings.is_empty(), "{server}, {mebibytes} MiB: {enough}");
    }
}

const MOST: i128 = 64 * 1024;

#[test]
fn the_redo_log_that_is_recommended_suits_every_load() {
    let file = "[mysqld]\ninnodb_log_file_size=4M\n";
    std::thread::scope(|scope| {
        for half in [1..=MOST / 2, MOST / 2 + 1..=MOST] {
            scope.spawn(move || ask_for_loads(file, "mariadb-10.11.19", half));
        }
    });
}

#[test]
fn other_servers_are_asked_in_their_own_options() {
    let files = "[mysqld]\ninnodb_log_file_size=4M\ninnodb_log_files_in_group=3\n";
    let servers = [
        ("mariadb-10.4.34", files),
        ("mysql-8.0.20", files),
        ("mysql-8.0.34", "[mysqld]\ninnodb_redo_log_capacity=8M\n"),
        ("mysql-8.0.34", "[mysqld]\ninnodb_log_file_size=4M\n"),
        ("mysql-8.0.34", "[mysqld]\ninnodb_log_file_size=4M\ninnodb_redo_log_capacity=8M\n"),
        ("mysql-9.7.4", "[mysqld]\ninnodb_redo_log_capacity=8M\n"),
    ];
    for (server, file) in servers {
        // Every load where roundings matter most, then one of each remainder of a file's 3 MiB.
        ask_for_loads(file, server, (1..256).chain((256..=MOST).step_by(37)).chain([MOST]));
    }
}

#[test]
fn a_load_that_does_not_fit_is_told_in_bytes_with_the_size_to_set() {
    let load = [("workload.load_size", "1G")];
    let on = |server, file: &str| {
        let report = case(file, server, &load).lint();
        let finding = only(&report, "redo-log-smaller-than-load");
        assert_eq!(finding.severity, Severity::Warning);
        (finding.message.clone(), fixed(&report, finding), report.clone())
    };
    let (message, file, report) = on("mariadb-10.11", "[mysqld]\ninnodb_log_file_size=512M\n");
    assert!(message.contains("434147697 bytes") && message.contains("1.2 GiB"), "{message}");
    assert_eq!(file, "[mysqld]\ninnodb_log_file_size=1518M\n");
    // It points at the line, and the assumption that it rests on is named.
    let finding = only(&report, "redo-log-smaller-than-load");
    assert_eq!(report.sources.text(finding.primary.location), b"innodb_log_file_size=512M");
    assert!(finding.evidence.iter().any(|item| item.source.starts_with("assumed")));

    let old = "[mysqld]\ninnodb_log_file_size=256M\ninnodb_log_files_in_group=2\n";
    let (_, file, _) = on("mysql-8.0.20", old);
    assert_eq!(file, "[mysqld]\ninnodb_log_file_size=759M\ninnodb_log_files_in_group=2\n");
    let (_, file, _) = on("mysql-8.0.34", old);
    assert!(file.contains("innodb_redo_log_capacity=1461M") && !file.contains("innodb_log_file"), "{file}");
    let (_, file, _) = on("mysql-8.0.34", &format!("{old}innodb_redo_log_capacity=512M\n"));
    assert_eq!(file, "[mysqld]\ninnodb_redo_log_capacity=1461M\n");
    let (_, file, _) = on("mysql-9.7", old);
    assert!(file.contains("innodb_redo_log_capacity=1461M"), "{file}");
    let (_, file, _) = on("mariadb-10.4", old);
    assert_eq!(file, "[mysqld]\ninnodb_log_file_size=759M\ninnodb_log_files_in_group=2\n");
}

#[test]
fn a_ceiling_that_wears_the_drive_is_told_in_rates_and_years() {
    let written = "[mysqld]\ninnodb_io_capacity_max=20000\n";
    let ssd = [&DRIVE[..], &[("disk.kind", "ssd")]].concat();
    let report = case(written, "mysql-8.0.36", &ssd).lint();
    let finding = only(&report, "io-capacity-wears-ssd");
    for figure in ["737.3 MB/s", "526 pages/s", "19.4 MB/s", "0.1 years if it flushed at that ceiling"] {
        assert!(finding.message.contains(figure), "{figure}: {}", finding.message);
    }
    // Both rules about this option say the same.
    let both = ["io-capacity-wears-ssd", "io-capacity-exceeds-disk"].map(|rule| fixed(&report, only(&report, rule)));
    assert_eq!(both[0], both[1]);
    let again = case(&both[0], "mysql-8.0.36", &ssd).lint();
    assert!(is_silent(&again, "io-capacity-wears-ssd") && is_silent(&again, "io-capacity-exceeds-disk"));

    // The same value as a default is nobody's doing: 20000 is that of 9.7.
    let report = case("[mysqld]\nport=3306\n", "mysql-9.7", &ssd).lint();
    assert!(is_silent(&report, "io-capacity-wears-ssd") && is_silent(&report, "io-capacity-exceeds-disk"));

    let report = case(written, "mysql-8.0.36", &[&DRIVE[..], &[("disk.kind", "hdd")]].concat()).lint();
    assert!(is_silent(&report, "io-capacity-wears-ssd"));
    only(&report, "io-capacity-exceeds-disk");
    assert!(report.not_evaluated.iter().all(|entry| entry.rule != "io-capacity-wears-ssd"), "wear does not apply");

    let report = case(written, "mysql-8.0.36", &[]).lint();
    for rule in ["io-capacity-wears-ssd", "io-capacity-exceeds-disk"] {
        assert!(is_silent(&report, rule));
        let entry = report.not_evaluated.iter().find(|entry| entry.rule == rule).expect(rule);
        assert!(entry.missing.iter().all(|missing| missing.kind == MissingKind::Fact && missing.flag.is_some()));
        assert!(entry.missing.iter().any(|missing| missing.flag == Some("--disk")), "{entry:?}");
    }
}

#[test]
fn the_falcon_file_is_explained_on_every_server() {
    let unknown = |report: &Report| -> Vec<String> {
        let found = all(report, "unknown-option").into_iter();
        found
            .map(|finding| String::from_utf8_lossy(report.sources.text(finding.primary.location)).into_owned())
            .collect()
    };
    let names =
        ["innodb-log-file-size25M", "falcon_min_record_memory", "falcon_max_record_memory", "falcon_page_cache_size"];
    for (server, suggestion) in [
        ("mysql-8.0", "innodb-log-file-size = 25M"),
        ("mysql-9.7", "innodb-redo-log-capacity = 50M"),
        ("mariadb-10.11", "innodb-log-file-size = 25M"),
    ] {
        let report = case(FALCON, server, &[("host.ram", "2G")]).lint();
        assert_eq!(unknown(&report), names, "{server}");
        let file = fixed(&report, all(&report, "unknown-option")[0]);
        assert!(file.lines().any(|line| line == suggestion), "{server}: {file}");
        assert_eq!(only(&report, "key-buffer-oversized").severity, Severity::Advice);
        let ignored = all(&report, "ignored-option");
        assert_eq!(ignored.len(), usize::from(server.starts_with("mariadb")), "{server}");
        assert!(ignored.iter().all(|finding| finding.option.as_deref() == Some("innodb_thread_concurrency")));
    }
}

#[test]
fn a_series_is_both_of_its_ends() {
    let report = case(IMPORT, "mysql-8.0", &HOST).lint();
    // The sync that is left out matters less from 8.0.14 on.
    let finding = only(&report, "flush-without-fsync");
    assert!(finding.message.ends_with("(from 8.0.14 on; warning before)"), "{}", finding.message);
    assert!(!only(&report, "doublewrite-off").message.contains("(from"), "both ends agree");
    let report = case("[mysqld]\nslave_net_timeout=30\n", "mysql-8.0", &[]).lint();
    let finding = only(&report, "deprecated-option");
    assert!(finding.message.contains("since 8.0.26"), "{}", finding.message);
}

#[test]
fn a_snapshot_shows_whether_there_is_a_binary_log() {
    let shown = |state: &str| {
        let rows = format!(
            "VARIABLE_NAME\tVARIABLE_VALUE\tVARIABLE_SOURCE\nversion\t8.0.36\tCOMPILED\n\
             log_bin\t{state}\tCOMMAND_LINE\nsync_binlog\t0\tGLOBAL\n"
        );
        let case = Case { snapshot: Some(rows), roots: Vec::new(), ..case("", "mysql-8.0.36", &[]) };
        linting::said(&case.lint()).into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    assert_eq!(shown("OFF"), ["binlog-off"]);
    assert_eq!(shown("ON"), ["relaxed-commit-durability"]);
}

const REDO_OFF: &str = "Variable_name\tValue\nUptime\t100000\nInnodb_redo_log_enabled\tOFF\n";

#[test]
fn a_running_server_without_redo_is_an_error() {
    let file = case("[mysqld]\nport=3306\n", "mysql-8.0.36", &[]);
    let report = Case { snapshot: Some(REDO_OFF.to_owned()), ..file.clone() }.lint();
    let finding = only(&report, "redo-log-disabled");
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.message.contains("kill") && finding.message.contains("innodb_force_recovery = 6"));
    let fix = finding.fix.as_ref().unwrap();
    assert!(fix.safety == Safety::Manual && fix.title.contains("ALTER INSTANCE ENABLE INNODB REDO_LOG"));
    assert_eq!(report.sources.text(finding.primary.location), b"Innodb_redo_log_enabled\tOFF");
    assert!(is_silent(&report, "import-settings-left-on"), "one finding says it all");

    // The counters alone are enough.
    let alone = Case { roots: Vec::new(), snapshot: Some(REDO_OFF.to_owned()), ..file.clone() }.lint();
    assert_eq!(linting::said(&alone).len(), 1, "{:?}", linting::said(&alone));
    only(&alone, "redo-log-disabled");

    let on = REDO_OFF.replace("OFF", "ON");
    let report = Case { snapshot: Some(on), ..file.clone() }.lint();
    assert!(is_silent(&report, "redo-log-disabled"));
    let report = file.lint();
    let entry = report.not_evaluated.iter().find(|entry| entry.rule == "redo-log-disabled").unwrap();
    assert_eq!(entry.missing[0].flag, Some("--snapshot"));
}

#[test]
fn an_init_file_that_disables_redo_is_read_and_its_passwords_are_not_shown() {
    let mut case = case("[mysqld]\ninit_file=/etc/mysql/init.sql\n", "mysql-9.7", &[]);
    let statement = "ALTER INSTANCE DISABLE INNODB REDO_LOG";
    case.disk.insert("/etc/mysql/init.sql", format!("SET PASSWORD = 'opensesame'; {statement};\n"));
    let report = case.lint();
    let finding = only(&report, "redo-log-disabled");
    assert_eq!(report.sources.text(finding.primary.location), statement.as_bytes());
    assert_eq!(report.sources.text(finding.related[0].location), b"init_file=/etc/mysql/init.sql");
    let mut json = Vec::new();
    cnflint::report::json::write(&report, &mut json).unwrap();
    let json = String::from_utf8(json).unwrap();
    assert!(json.contains("redo-log-disabled") && !json.contains("opensesame"));

    case.disk.insert("/etc/mysql/init.sql", format!("{statement};\nALTER INSTANCE ENABLE INNODB REDO_LOG;\n"));
    assert!(is_silent(&case.lint(), "redo-log-disabled"));
}

#[test]
fn three_quarters_of_a_dedicated_machine_are_silent_from_4_gibibytes_up() {
    for server in ["mysql-8.0.36", "mysql-9.7", "mariadb-10.11"] {
        for gibibytes in [4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512] {
            let ram = format!("{gibibytes}G");
            let file = format!("[mysqld]\ninnodb_buffer_pool_size = {}M\n", gibibytes * 768);
            let report = case(&file, server, &[("host.ram", &ram), ("host.cpus", "4")]).lint();
            if !is_silent(&report, "buffer-pool-rounded-up") {
                // 4.5G in 8 instances become 5G, and that is no longer three quarters.
                assert_eq!((server, gibibytes), ("mysql-8.0.36", 6));
                continue;
            }
            for rule in ["buffer-pool-too-large", "memory-overcommit", "buffer-pool-too-small"] {
                assert!(is_silent(&report, rule), "{server}, {ram}: {rule}");
            }
        }
    }
}

#[test]
fn what_the_memory_rules_recommend_triggers_none_of_them() {
    let rules = ["buffer-pool-too-large", "memory-overcommit", "buffer-pool-too-small", "redo-log-too-small"];
    for server in ["mysql-5.6.24", "mysql-8.0.20", "mysql-8.0.36", "mysql-9.7", "mariadb-10.4", "mariadb-10.11"] {
        for ram in ["700M", "1G", "2G", "4G", "16G", "100G"] {
            for (pool, connections) in [("15G", 151), ("1G", 5000), ("200G", 20000), ("128M", 151), ("10G", 10)] {
                let file = format!("[mysqld]\ninnodb_buffer_pool_size = {pool}\nmax_connections = {connections}\n");
                let facts = [("host.ram", ram), ("host.cpus", "8")];
                let report = case(&file, server, &facts).lint();
                for rule in rules.iter().filter(|rule| !is_silent(&report, rule)) {
                    let finding = only(&report, rule);
                    let better = fixed(&report, finding);
                    if finding.fix.is_none() {
                        // Not even ten connections fit beside the smallest pool and the rest.
                        assert!(*rule == "memory-overcommit" && ram == "700M", "{server}, {ram}, {pool}: {rule}");
                        continue;
                    }
                    if finding.fix.as_ref().is_some_and(|fix| fix.edits.is_empty()) {
                        // It leaves the setting to the rule that owns it, whose turn comes in this loop too.
                        assert!(*rule == "memory-overcommit" && !is_silent(&report, "buffer-pool-too-large"));
                        continue;
                    }
                    let again = case(&better, server, &facts).lint();
                    assert!(is_silent(&again, rule), "{server}, {ram}: {rule} says {better}");
                    // No other rule of them comes up that was silent before.
                    for other in rules.iter().filter(|other| is_silent(&report, other)) {
                        assert!(is_silent(&again, other), "{server}, {ram}: {rule} brings {other}: {better}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_empty_file_on_an_unknown_host_raises_nothing() {
    for server in ["mysql-5.7", "mysql-8.0", "mysql-9.7", "mariadb-10.11", "mariadb-11.8", "percona-8.0"] {
        let report = case("[mysqld]\n", server, &[]).lint();
        assert!(report.findings.is_empty(), "{server}: {:?}", linting::said(&report));
    }
}

/// The program's exit status for a file and some flags.
fn exit(file: &str, flags: &[&str]) -> i32 {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.cnf");
    std::fs::write(&path, file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cnflint"));
    command.arg(&path).args(flags).arg("--no-detect").env_remove("CI");
    command.output().unwrap().status.code().unwrap()
}

#[test]
fn a_gate_sees_it_in_the_exit_status() {
    let host = ["--ram", "16G", "--cpus", "4", "--disk", "ssd"];
    for server in ["mysql-8.0.28", "mysql-9.7", "mariadb-10.11"] {
        let flags = [&["--server", server], &host[..]].concat();
        assert_eq!(exit(IMPORT, &flags), 1, "{server}");
        assert_eq!(exit(IMPORT, &[&flags[..], &["--phase", "import"]].concat()), 0, "{server}");
    }
    let io = "[mysqld]\ninnodb_io_capacity_max=20000\n";
    assert_eq!(exit(io, &["--server", "mysql-8.0.36"]), 0);
    assert_eq!(exit(io, &["--server", "mysql-8.0.36", "--require", "disk"]), 2);
}
