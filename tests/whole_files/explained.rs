//! Differences that are known, and why they stay.

use super::Difference;

/// A reason why cnflint and a server may differ.
pub struct Explained {
    /// The beginning of the servers' names.
    pub servers: &'static str,
    /// Which differences.
    pub is: fn(&Difference) -> bool,
    /// Why they stay.
    pub reason: &'static str,
}

/// Every known reason.
pub const EXPLAINED: &[Explained] = &[
    Explained {
        servers: "",
        is: |difference| difference.of_template,
        reason: "a template fills in the value; the server was asked with the bare placeholder",
    },
    Explained {
        servers: "",
        is: |difference| difference.of_plugin && difference.what.contains("unknown"),
        reason: "the option belongs to a plugin that is not built in; the server that was asked has no table of installed plugins",
    },
    Explained {
        servers: "",
        is: |difference| difference.what.contains("open shared library"),
        reason: "a plugin's library is not installed here; a server logs that and starts without the plugin",
    },
    Explained {
        servers: "mariadb",
        is: |difference| {
            difference.option.starts_with("hashicorp_key_management_") && difference.what.contains("unknown")
        },
        reason: "the plugin is packed apart from the server, and no server was seen with it",
    },
    Explained {
        servers: "mysql-9.7",
        is: |difference| difference.what.contains("Unknown locale"),
        reason: "the server calls it an error and starts in English (measured by starts)",
    },
    Explained {
        servers: "mariadb",
        is: |difference| difference.what.contains("WSREP:"),
        reason: "even when only asked for help, MariaDB begins to look for the cluster: names of hosts, the node's own address",
    },
    Explained {
        servers: "",
        is: |difference| difference.what.contains("lower_case_table_names was set to 2"),
        reason: "depends on the file system under the data directory",
    },
    Explained {
        servers: "",
        is: |difference| {
            difference.option == "lower_case_table_names" && difference.what.contains("only cnflint refuses")
        },
        reason: "the file is for a server on Windows; the one that was asked runs on Linux, where names may differ by case",
    },
    Explained {
        servers: "",
        is: |difference| {
            ["mysql-5.6", "mariadb-10.5"].contains(&difference.server)
                && difference.what.contains("only cnflint expects")
                && difference.option.trim_start_matches("skip_").starts_with("innodb")
        },
        reason: "InnoDB says so when it starts, not when the server is asked for help (measured by starts)",
    },
    Explained {
        servers: "",
        is: |difference| {
            let at_start = [
                "default_storage_engine",
                "default_tmp_storage_engine",
                "default_time_zone",
                "innodb",
                "innodb_page_size",
                "innodb_buffer_pool_size",
                "gtid_mode",
                "enforce_gtid_consistency",
                "replicate_same_server_id",
                "wsrep_provider",
                "authentication_policy",
                "ssl_cipher",
                "bind_address",
                "innodb_data_file_path",
                "innodb_temp_data_file_path",
                "ssl",
            ];
            let option = difference.option.trim_start_matches("loose_").trim_start_matches("skip_");
            at_start.contains(&option) && difference.what.contains("only cnflint")
        },
        reason: "the server looks at it only when it starts; tests/starts.rs starts it",
    },
    Explained {
        servers: "mysql-9.7",
        is: |difference| {
            difference.what.contains("make --log-replica-updates work")
                || difference.option == "log_replica_updates" && difference.what.contains("only cnflint expects")
        },
        reason: "the server's message names both options, and either may be taken for the one that it is about",
    },
    Explained {
        servers: "mysql-5.6",
        is: |difference| difference.what.contains("pre-4.1 password hash"),
        reason: "5.6 calls the old hash deprecated, not the option; the rule passwords-with-old-hash says so",
    },
    Explained {
        servers: "",
        is: |difference| difference.option == "chroot" && difference.what.contains("No such file"),
        reason: "the directory of `chroot` does not exist here",
    },
    Explained {
        servers: "mysql-5.6",
        is: |difference| difference.option == "default_authentication_plugin",
        reason: "the value is a text to cnflint; 5.6 knows two plugins by name, and later servers load others",
    },
    Explained {
        servers: "mysql-5.6",
        is: |difference| difference.what.contains(".index' not found"),
        reason: "opens the index of the binary log even when only asked for help; its directory does not exist here",
    },
    Explained {
        servers: "mariadb-10.5",
        is: |difference| {
            difference.option.starts_with("innodb")
                && difference.what.contains("another fault: ")
                && difference.what.contains("unknown variable")
        },
        reason: "once InnoDB has refused one of its options, the first of the others is unknown; cnflint names the one refused",
    },
];

/// The reason for a difference.
pub fn explanation(difference: &Difference) -> Option<&'static Explained> {
    EXPLAINED.iter().find(|known| difference.server.starts_with(known.servers) && (known.is)(difference))
}
