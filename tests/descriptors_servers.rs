//! What `max_connections` and `table_open_cache` become under a limit of open files, asked of real servers that were started
//! under it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod servers;

use cnflint::model::descriptors::{Account, Descriptors};
use servers::RealServer;
use std::path::PathBuf;

/// `max_connections`, `table_open_cache`, `table_open_cache_instances` and the limit.
const CASES: [(i128, i128, i128, u32); 5] =
    [(151, 4000, 8, 1024), (1000, 4000, 8, 1024), (151, 2000, 8, 512), (2000, 1500, 4, 4096), (9000, 200, 1, 1024)];

fn fresh(server: &RealServer) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("cnflint-descriptors-{}-{}", server.name, std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let datadir = directory.join("data");
    server.initialize(&datadir);
    datadir
}

#[test]
fn settings_give_way_as_the_servers_let_them() {
    for server in servers::all() {
        let datadir = fresh(&server);
        for (max_connections, table_open_cache, instances, limit) in CASES {
            let options = [
                format!("--max-connections={max_connections}"),
                format!("--table-open-cache={table_open_cache}"),
                format!("--table-open-cache-instances={instances}"),
            ];
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            let running = server.start_under(limit, &datadir, None, &options).unwrap();
            let shown = |variable: &str| running.query(&format!("SELECT @@{variable}")).trim().parse::<i128>().unwrap();
            let account = if server.name.starts_with("mysql") {
                Account::Mysql
            } else {
                let extra_connections = shown("extra_max_connections");
                Account::Mariadb { extra_connections, instances, groups: shown("thread_pool_size") }
            };
            let asked = Descriptors { max_connections, table_open_cache, open_files_limit: 0, account };
            let told = (asked.max_connections_under(limit.into()), asked.table_open_cache_under(limit.into()));
            let was = (shown("max_connections"), shown("table_open_cache"));
            assert_eq!(told, was, "{}: {options:?} under {limit}", server.name);
        }
        let _ = std::fs::remove_dir_all(datadir.parent().unwrap());
    }
}
