//! Differences that are known, and why they stay.

/// A reason why cnflint and a server may differ over one line.
pub struct Explained {
    /// The beginnings of the servers' names; empty for all.
    servers: &'static [&'static str],
    /// The options; empty for all. A name that ends in `*` stands for all that begin so.
    options: &'static [&'static str],
    /// What the difference says; one of these.
    what: &'static [&'static str],
    /// Why it stays.
    pub reason: &'static str,
}

/// Every known reason.
const EXPLAINED: &[Explained] = &[
    Explained {
        servers: &[],
        options: &[
            "back_log",
            "open_files_limit",
            "max_connections",
            "table_open_cache",
            "table_cache",
            "table_open_cache_instances",
            "thread_cache_size",
            "thread_stack",
            "lower_case_table_names",
            "table_definition_cache",
            "host_cache_size",
            "port",
            "max_relay_log_size",
            "innodb_open_files",
            "innodb_buffer_pool_instances",
            "thread_pool_size",
            "extra_max_connections",
        ],
        what: &["became", "warned"],
        reason: "what is written is read as foretold and then adjusted to this machine or to other settings",
    },
    Explained {
        servers: &[],
        options: &["log_bin", "log_error"],
        what: &["became"],
        reason: "`--help --verbose` shows the file's name, where cnflint keeps whether the log is on, or the default in its place",
    },
    Explained {
        servers: &[],
        options: &[
            "binlog_format",
            "log_queries_not_using_indexes",
            "log_slow_admin_statements",
            "log_slow_slave_statements",
            "log_slow_replica_statements",
            "replicate_same_server_id",
            "flashback",
            "sql_mode",
            "log_slave_updates",
            "log_replica_updates",
            "binlog_row_value_options",
            "max_allowed_packet",
            "net_buffer_length",
            "tls_version",
            "max_binlog_cache_size",
            "binlog_cache_size",
            "wsrep_*",
        ],
        what: &["warned"],
        reason: "the warning is about another option that is missing or does not go with it; rules of their own say that",
    },
    Explained {
        servers: &["mariadb-11"],
        options: &["old_mode"],
        what: &["warned"],
        reason: "single modes are deprecated, which the catalog does not record word by word",
    },
    Explained {
        servers: &["mysql-5.6"],
        options: &[
            "innodb_additional_mem_pool_size",
            "innodb_locks_unsafe_for_binlog",
            "innodb_use_sys_malloc",
            "innodb_checksums",
        ],
        what: &["did not warn"],
        reason: "InnoDB warns of it when the server starts, which was seen, and not when it is asked for help",
    },
    Explained {
        servers: &["mariadb-10.5"],
        options: &["innodb_*"],
        what: &["did not warn"],
        reason: "InnoDB warns of it when the server starts, which was seen, and not when it is asked for help",
    },
    Explained {
        servers: &[],
        options: &["ignore_builtin_innodb", "wsrep_causal_reads", "old"],
        what: &["did not warn"],
        reason: "it warns only when the option is on",
    },
    Explained {
        servers: &[],
        options: &[
            "innodb_segment_reserve_factor",
            "innodb_defragment_fill_factor",
            "innodb_max_dirty_pages_pct",
            "innodb_max_dirty_pages_pct_lwm",
        ],
        what: &["became", "warned"],
        reason: "bounds with a fraction are rounded outward in the catalog",
    },
    Explained {
        servers: &["mariadb"],
        options: &["max_session_mem_used"],
        what: &["refused"],
        reason: "the server runs out of the memory that it is allowed before it has read its options",
    },
    Explained {
        servers: &["mariadb-11"],
        options: &["optimizer_*"],
        what: &["became"],
        reason: "a word and a dot before a cost name the engine whose cost it is; the one shown is the default engine's",
    },
    Explained {
        servers: &[],
        options: &[
            "slave_skip_errors",
            "slave_transaction_retry_errors",
            "replica_skip_errors",
            "ignore_db_dirs",
            "ssl_crl",
            "ssl_crlpath",
            "myisam_recover_options",
            "wsrep_data_home_dir",
            "wsrep_start_position",
            "wsrep_node_name",
            "wsrep_provider",
        ],
        what: &["became"],
        reason: "`--help --verbose` shows a text in another form than it was written, or not at all",
    },
    Explained {
        servers: &[],
        options: &[],
        what: &["an empty text gave the default"],
        reason: "an empty name of a file or engine is replaced by the default, which cnflint keeps as the empty text",
    },
    Explained {
        servers: &["mysql-9.7"],
        options: &["enforce_gtid_consistency"],
        what: &["became"],
        reason: "it has a reader of its own, and `--help --verbose` shows the text as it was written",
    },
    Explained {
        servers: &["mysql-5.6"],
        options: &["log_bin"],
        what: &["refused"],
        reason: "it opens the index of the binary log even when only asked for help; its directory does not exist here",
    },
    Explained {
        servers: &["mariadb"],
        options: &["table_cache"],
        what: &["stops"],
        reason: "the old name of `table_open_cache` is not excused by `loose-`",
    },
    Explained {
        servers: &["mysql-9.7"],
        options: &["server_id_bits", "server_id"],
        what: &["refused"],
        reason: "so few bits do not hold the server's id, which is another option",
    },
    Explained {
        servers: &["mariadb-11"],
        options: &["alter_algorithm", "new"],
        what: &["refused", "not refused"],
        reason: "a name that does nothing is still read, and a word that it never had is refused",
    },
    Explained {
        servers: &["mariadb"],
        options: &["log_slow_filter"],
        what: &["became"],
        reason: "an empty set is shown as the set of all words",
    },
    Explained {
        servers: &["mariadb-10"],
        options: &["optimizer_switch"],
        what: &["became"],
        reason: "`--help --verbose` cuts the list of flags short",
    },
    Explained {
        servers: &["mariadb"],
        options: &["skip_bdb"],
        what: &["refused"],
        reason: "beginnings of `skip_x` options are looked for among the names behind `skip-` as well",
    },
    Explained {
        servers: &["mysql-5.6"],
        options: &["thread_stack"],
        what: &["refused"],
        reason: "no thread can be started with such a stack on this machine",
    },
    Explained {
        servers: &["mysql-9.7"],
        options: &["thread_handling"],
        what: &["refused"],
        reason: "the word stands for a plugin that is not there",
    },
    Explained {
        servers: &["mysql-9.7"],
        options: &["ssl_fips_mode"],
        what: &["refused"],
        reason: "the FIPS module of OpenSSL is not installed here",
    },
    Explained {
        servers: &[],
        options: &["log_basename", "slow_query_log_file", "general_log_file", "pid_file"],
        what: &["refused"],
        reason: "an empty name, or one that is only a number, is refused by code of its own",
    },
    Explained {
        servers: &["mariadb"],
        options: &[],
        what: &["autoset- before a name that does nothing"],
        reason: "names that do nothing refuse this prefix; nobody writes it",
    },
    Explained {
        servers: &["mysql-9.7"],
        options: &["ndb*"],
        what: &["stops: false"],
        reason: "a bad value of an engine that is not started only switches the engine off while the configuration is validated",
    },
];

/// Whether anything about an option has a reason of its own to differ.
pub fn is_special(option: &str) -> bool {
    EXPLAINED.iter().any(|known| known.options.iter().any(|name| is_meant(name, option)))
}

fn is_meant(name: &str, option: &str) -> bool {
    name.strip_suffix('*').map_or(name == option, |begin| option.starts_with(begin))
}

/// The reason for a difference.
pub fn explanation(server: &str, option: &str, what: &str) -> Option<&'static str> {
    let fits = |known: &&Explained| {
        (known.servers.is_empty() || known.servers.iter().any(|name| server.starts_with(name)))
            && (known.options.is_empty() || known.options.iter().any(|name| is_meant(name, option)))
            && known.what.iter().any(|begin| what.starts_with(begin))
    };
    EXPLAINED.iter().find(fits).map(|known| known.reason)
}
