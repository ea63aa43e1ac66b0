//! Settings that no question reveals, only a start: cnflint's verdict is what the real server does with a scratch data directory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::lint::{ServerSource, Subject, Verdict, lint};
use cnflint::rules::built_in;
use cnflint::server::ServerSpec;
use servers::{Disk, RealServer};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What every server is started with. The last but one is the near miss of most others.
const CASES: &[&str] = &[
    "default_storage_engine = MyRocks",
    "default_tmp_storage_engine = Memroy",
    "default_tmp_storage_engine =",
    "default_time_zone = +14:00",
    "default_time_zone = -13:59",
    "default_time_zone = 02:00",
    "innodb_page_size = 12K",
    "default_storage_engine = MyISAM\ninnodb_page_size = 12K",
    "innodb_buffer_pool_size = 5M",
    "character_set_server = utf-8",
    "character_set_server = gb18030",
    "character_set_server = utf8mb4,latin1",
    "character_set_server = nonsense,latin1",
    "character_set_server = nonsense,utf-8",
    "plugin_innodb_buffer_pool_size = 20M",
    "collation_server = utf8mb4_swedisch_ci\ncharacter_set_server = utf8mb4",
    "default_storage_engine = innobase\ndefault_tmp_storage_engine = memory\ndefault_time_zone = +13:00\ninnodb_page_size = 16K\n\
     innodb_buffer_pool_size = 6M\ncollation_server = utf8mb4_swedish_ci\ncharacter_set_server = UTF8MB4",
    "gtid_mode = ON\nenforce_gtid_consistency = OFF",
    "gtid_mode = ON\nenforce_gtid_consistency = ON",
    "log_bin = binlog\nserver_id = 3\nlog_slave_updates = ON\nreplicate_same_server_id = ON",
    "log_bin = binlog\nserver_id = 3\nlog_slave_updates = ON\nreplicate_same_server_id = OFF",
    "default_time_zone = -12:59",
    "secure_file_priv = NULL",
    "skip_networking\nbind_address = 127.0.0.1,127.0.0.2",
    "loose_authentication_policy = *:mysql_native_password,,",
    "loose_authentication_policy = *:caching_sha2_password,,\nloose_admin_ssl_cipher = ECDHE-RSA-AES256-GCM-SHA384:AES128-CCM",
    "loose_admin_ssl_cipher = ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-SHA256",
    "loose_tls_ciphersuites = TLS_AES_128_CCM_8_SHA256",
    "default_time_zone = GMT+8",
    "default_time_zone = UTC-3",
    "innodb_data_file_path = ibdata1:12M:autoextend;ibdata2:12M:autoextend",
    "innodb_data_file_path = ibdata1:12M:AUTOEXTEND",
    "innodb_data_file_path = ibdata1:12MB:autoextend",
    "innodb_data_file_path = ibdata1:autoextend",
    "innodb_data_file_path = ibdata1",
    "innodb_data_file_path = ibdata1:12M:autoextend:max",
    "innodb_data_file_path = ibdata1:12M:autoextend:max:200M",
    "innodb_data_file_path = ibdata1:12M:autoextend:max:200",
    "innodb_data_file_path = ibdata1:12M:autoextend;",
    "loose_innodb = OFF",
    "default_storage_engine = MyISAM\ndefault_tmp_storage_engine = MyISAM\nloose_innodb = OFF",
    "loose_tls_version = TLSv1.1,TLSv1.2",
    "lc_messages = english",
    "lc_time_names = de_DE.UTF-8",
    "lc_messages = nl_NL\nlc_time_names = DE_de",
    "server_id = 2\nreplicate_do_table = orders",
    "server_id = 2\nreplicate_wild_ignore_table = shop",
    "server_id = 2\nreplicate_rewrite_db = shop:copy",
    "server_id = 2\nreplicate_rewrite_db = shop->",
    "server_id = 2\nreplicate_rewrite_db = shop->copy\nreplicate_do_table = shop.orders",
    "ssl_cipher =",
    "ssl_ca = /etc/ssl/certs/ca-certificates.crt",
    "loose_ssl = 1",
    "ssl_cipher = ECDHE-RSA-AES256-GCM-SHA384\nskip_ssl",
];

/// MariaDB 10 takes a cipher for the wish to have TLS, and wants a certificate then.
const CIPHERS: &[&str] =
    &["ssl_cipher = AES256-SHA", "ssl_cipher = ECDHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384"];

/// Whether cnflint says that the server refuses.
fn says_refuses(server: &RealServer, file: &Path) -> bool {
    let mut report = cnflint::lint::Report::default();
    let subject = Subject {
        roots: vec![(file.to_owned(), None)],
        server: Some((ServerSpec::Exact(server.server), ServerSource::Flag)),
        ..Subject::default()
    };
    lint(&Disk, subject, &[built_in()], &mut report);
    report.targets[0].verdict == Verdict::Refuses
}

/// Whether the server ends before it is ready. It is killed once it is.
fn refuses(server: &RealServer, data: &Path, file: &Path) -> bool {
    let log_path = data.with_extension("log");
    let log = std::fs::File::create(&log_path).unwrap();
    let mut child: Child = Command::new(server.directory().join("serve"))
        .arg(data)
        .env("CNF", format!("--defaults-file={}", file.display()))
        .env("TMPDIR", data.with_extension("tmp"))
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let ended = loop {
        if child.try_wait().unwrap().is_some() {
            break true;
        }
        let said = std::fs::read(&log_path).unwrap();
        if String::from_utf8_lossy(&said).contains("ready for connections") {
            break false;
        }
        assert!(Instant::now() < deadline, "{}: neither ready nor ended", server.name);
        std::thread::sleep(Duration::from_millis(20));
    };
    let _ = child.kill();
    let _ = child.wait();
    ended
}

fn differences(server: &RealServer) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let (data, file) = (directory.path().join("data"), directory.path().join("my.cnf"));
    server.initialize(&data);
    let mut found = refused_names(server, &data, &file);
    let ciphers = if server.server.flavor.is_mysql_family() { CIPHERS } else { &[] };
    // MySQL takes the directory that `serve` gives, behind the file's.
    let is_overridden = |case: &str| case.starts_with("secure_file_priv") && server.server.flavor.is_mysql_family();
    for case in CASES.iter().chain(ciphers).filter(|case| !is_overridden(case)) {
        servers::write(&file, format!("[mysqld]\n{case}\n").as_bytes());
        let (says, does) = (says_refuses(server, &file), refuses(server, &data, &file));
        if says != does {
            found.push(format!("{}: `{case}`: cnflint says refuses: {says}, the server: {does}", server.name));
        }
    }
    found
}

/// Character sets and collations that the server lists and cnflint refuses.
fn refused_names(server: &RealServer, data: &Path, file: &Path) -> Vec<String> {
    let running = server.start(data, None, &[]).unwrap_or_else(|log| panic!("{}: {log}", server.name));
    let sql = "SELECT character_set_name, collation_name FROM information_schema.collations \
               WHERE character_set_name IS NOT NULL AND collation_name NOT LIKE 'uca1400%'";
    let listed = running.query(sql);
    assert!(listed.lines().count() > 200, "{}: {listed}", server.name);
    let mut found = Vec::new();
    for line in listed.lines() {
        let (set, collation) = line.split_once('\t').unwrap();
        let text = format!("[mysqld]\ncharacter_set_server = {set}\ncollation_server = {collation}\n");
        servers::write(file, text.as_bytes());
        if says_refuses(server, file) {
            found.push(format!("{}: {collation} of {set} is listed, and cnflint refuses it", server.name));
        }
    }
    found
}

#[test]
fn what_only_a_start_reveals_is_known() {
    let servers = servers::all();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(server) = servers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found.lock().unwrap().extend(differences(server));
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
