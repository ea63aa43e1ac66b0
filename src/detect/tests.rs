//! Recorded hosts and what must come out of each, what stays unknown included.

use super::recorded::Recorded;
use super::*;
use crate::facts::file::to_toml;
use proptest::prelude::*;
use std::fmt::Write as _;

fn recorded(name: &str) -> Recorded {
    let path = format!("{}/fixtures/hosts/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    toml::from_str(&std::fs::read_to_string(path).expect("a recorded host")).expect("a recorded host")
}

/// What `cnflint facts --verbose` would say of a host.
fn told(name: &str, redo_dir: &str, binlog_dir: &str) -> String {
    let host = recorded(name);
    let unit = server_unit(&host);
    let path = |directory: &str| Some(PathBuf::from(directory));
    let places = Places { datadir: path("/var/lib/mysql"), redo_dir: path(redo_dir), binlog_dir: path(binlog_dir) };
    let detection = detect(&host, unit.as_ref(), &places);
    let mut text = to_toml(&detection.facts);
    for note in &detection.notes {
        let _ = writeln!(text, "# {}: {}", note.fact.name(), note.reason);
    }
    text
}

const DATA: &str = "/var/lib/mysql";

#[test]
fn every_recorded_host_is_known_as_far_as_it_can_be() {
    let mut all = String::new();
    for (name, redo_dir, binlog_dir) in [
        ("bare-metal-nvme", DATA, DATA),
        ("sata-ssd-lvm", "/redo", DATA),
        ("md-raid-hdd", DATA, DATA),
        ("virtio-vm", DATA, "/binlog"),
        ("aws-ebs", "/redo", DATA),
        ("container-cgroup-v2", DATA, DATA),
        ("cgroup-v1-overlay", DATA, DATA),
        ("zfs", DATA, DATA),
        ("nfs", DATA, DATA),
        ("tmpfs", DATA, DATA),
        ("systemd-limits", DATA, DATA),
        ("btrfs-two-drives", DATA, "/not/there"),
    ] {
        let _ = writeln!(all, "===== {name}\n{}", told(name, redo_dir, binlog_dir));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_unit_tells_how_the_server_is_started() {
    let unit = server_unit(&recorded("systemd-limits")).expect("a unit");
    assert_eq!(unit.name, "mysqld.service");
    assert_eq!(unit.exec_start, ["/usr/sbin/mysqld", "--defaults-file=/etc/mysql/prod.cnf"]);
    assert_eq!(unit.argument("--defaults-file"), Some("/etc/mysql/prod.cnf"));
    assert_eq!(unit.control_group.as_deref(), Some("/db.slice/db-prod.slice/mysqld.service"));
    let memory = unit.setting("MemoryMax").expect("set twice");
    assert_eq!(
        (memory.value.as_str(), memory.file.as_str()),
        ("12G", "/etc/systemd/system/mysqld.service.d/override.conf")
    );
}

#[test]
fn the_installed_server_comes_from_its_package_or_its_binary() {
    let shown = |name: &str| {
        let host = recorded(name);
        installed_server(&host, server_unit(&host).as_ref()).map(|(server, how)| format!("{server}: {how}"))
    };
    let package = "mariadb-10.11.14: package mariadb-server in /var/lib/dpkg/status";
    assert_eq!(shown("bare-metal-nvme").as_deref(), Some(package));
    assert_eq!(shown("systemd-limits").as_deref(), Some("mysql-8.4.6: /usr/sbin/mysqld --version"));
    assert_eq!(shown("zfs"), None);
    let release = os_release(&recorded("bare-metal-nvme")).expect("recorded");
    assert_eq!((release.id.as_str(), release.pretty_name.as_str()), ("debian", "Debian GNU/Linux 12 (bookworm)"));
}

#[test]
fn sysinfo_and_the_kernels_files_agree_about_this_host() {
    struct Plain;
    impl System for Plain {
        fn read(&self, path: &std::path::Path) -> Option<String> {
            ThisHost.read(path)
        }
        fn list(&self, path: &std::path::Path) -> Vec<String> {
            ThisHost.list(path)
        }
        fn resolve(&self, path: &std::path::Path) -> Option<PathBuf> {
            ThisHost.resolve(path)
        }
        fn stat(&self, path: &std::path::Path) -> std::io::Result<Stat> {
            ThisHost.stat(path)
        }
        fn entry(&self, path: &std::path::Path) -> std::io::Result<Entry> {
            ThisHost.entry(path)
        }
        fn size(&self, _: &std::path::Path) -> Option<u64> {
            None
        }
        fn version_of(&self, _: &std::path::Path) -> Option<String> {
            None
        }
    }
    let bytes = |memory: Option<(u64, String)>| memory.map(|(bytes, _)| bytes);
    assert_eq!(bytes(ThisHost.physical_memory()), bytes(Plain.physical_memory()));
    let count = |processors: Option<(u32, String)>| processors.map(|(count, _)| count);
    assert_eq!(count(ThisHost.processors()), count(Plain.processors()));
}

#[test]
fn this_host_can_be_asked() {
    let places = Places { datadir: Some(std::env::temp_dir()), ..Places::default() };
    let detection = detect(&ThisHost, server_unit(&ThisHost).as_ref(), &places);
    assert!(detection.facts.get(FactId::HostRam).is_some());
    assert!(detection.facts.get(FactId::HostCpus).is_some());
    assert!(detection.facts.get(FactId::DiskFilesystem).is_some());
}

proptest! {
    #[test]
    fn no_text_in_any_file_makes_it_panic(
        text in "(\\PC|[0-9]{1,21}|[-:, \\\\=%\n]|max|MemoryMax|\\[Service\\]|ExecStart| - |/){0,12}",
        host in prop::sample::select(vec!["systemd-limits", "cgroup-v1-overlay", "sata-ssd-lvm", "bare-metal-nvme"]),
        which in any::<prop::sample::Index>(),
    ) {
        let mut host = recorded(host);
        let file = host.files.keys().nth(which.index(host.files.len())).expect("a file").clone();
        let whole = host.files.get(&file).cloned().unwrap_or_default();
        for damaged in [text.clone(), format!("{whole}{text}")] {
            host.files.insert(file.clone(), damaged);
            let unit = server_unit(&host);
            let places = Places { datadir: Some(DATA.into()), redo_dir: Some("/redo".into()), binlog_dir: None };
            let detection = detect(&host, unit.as_ref(), &places);
            prop_assert!(crate::facts::file::parse("x", &to_toml(&detection.facts)).is_ok());
            let _ = (installed_server(&host, unit.as_ref()), os_release(&host));
        }
    }
}

#[test]
fn the_unit_tells_whether_mysqld_safe_starts_the_server() {
    for (command, expected) in [
        ("/usr/sbin/mariadbd $MYSQLD_OPTS", Some(false)),
        ("/usr/bin/mysqld_safe --basedir=/usr", Some(true)),
        ("/usr/local/bin/start-database", None),
    ] {
        let mut host = recorded("bare-metal-nvme");
        let unit = PathBuf::from("/usr/lib/systemd/system/mariadb.service");
        host.files.insert(unit, format!("[Service]\nExecStart={command}\n"));
        let detection = detect(&host, server_unit(&host).as_ref(), &Places::default());
        let told = detection.facts.get(FactId::HostMysqldSafe).map(|known| known.value.clone());
        assert_eq!(told, expected.map(Value::boolean), "{command}");
    }
}
