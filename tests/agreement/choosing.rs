//! Which options of the catalog are asked about, and why not the others.

use cnflint::catalog::{self, Entry, OptionId, State};
use cnflint::server::Server;

/// How an option can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Many in one file.
    Together,
    /// In a file of its own: it decides what the server says about others.
    Alone,
    /// Not at all.
    Never,
}

/// Options that stand apart, each with its reason. A name that ends in `*` stands for all that begin so.
const APART: &[(&[&str], Manner, &str)] = &[
    (
        &[
            "help",
            "version",
            "verbose",
            "print_defaults",
            "no_defaults",
            "initialize",
            "initialize_insecure",
            "bootstrap",
            "validate_config",
            "daemonize",
            "gdb",
            "upgrade",
            "install",
            "remove",
            "standalone",
            "console",
            "exit_info",
            "no_monitor",
        ],
        Manner::Never,
        "asks for another run of the program",
    ),
    (
        &[
            "user",
            "chroot",
            "basedir",
            "datadir",
            "tmpdir",
            "slave_load_tmpdir",
            "replica_load_tmpdir",
            "innodb_tmpdir",
            "plugin_dir",
            "lc_messages_dir",
            "language",
            "character_sets_dir",
            "secure_file_priv",
            "secure_file_path",
        ],
        Manner::Never,
        "names an account or directory that has to exist here",
    ),
    (
        &["plugin_load", "plugin_load_add", "early_plugin_load", "component*", "plugin_maturity"],
        Manner::Never,
        "loads code",
    ),
    (
        &[
            "log_error",
            "log_error_services",
            "log_error_suppression_list",
            "log_warnings",
            "log_error_verbosity",
            "warnings",
            "core_file",
            "log_syslog",
            "quiet",
            "silent_startup",
        ],
        Manner::Alone,
        "decides what the server prints",
    ),
    (
        &[
            "character_set_server",
            "collation_server",
            "character_set_filesystem",
            "lc_messages",
            "lc_time_names",
            "old_mode",
            "old_passwords",
            "innodb",
            "skip_innodb",
            "ignore_builtin_innodb",
        ],
        Manner::Alone,
        "decides how others are read",
    ),
    (
        &[
            "open_files_limit",
            "max_connections",
            "table_open_cache",
            "table_cache",
            "performance_schema",
            "innodb_open_files",
            "table_definition_cache",
            "innodb_read_io_threads",
            "innodb_write_io_threads",
            "extra_max_connections",
            "max_digest_length",
            "thread_cache_size",
            "back_log",
            "host_cache_size",
            "low_priority_updates",
            "thread_pool_size",
            "performance_schema_max_digest_length",
        ],
        Manner::Alone,
        "is adjusted to others, or others to it",
    ),
    (&["keyring_migration_*"], Manner::Never, "starts the migration of a keyring"),
    (&["server_memory"], Manner::Never, "is compared with this machine's memory"),
    (&["debug", "debug_*"], Manner::Never, "exists only in builds for debugging, or steers them"),
];

/// How the option is asked about, and why when it stands apart.
pub fn manner(id: OptionId) -> (Manner, &'static str) {
    let is_meant =
        |name: &&str| name.strip_suffix('*').map_or(*name == id.name(), |begin| id.name().starts_with(begin));
    APART
        .iter()
        .find(|(names, ..)| names.iter().any(&is_meant))
        .map_or((Manner::Together, ""), |(_, manner, why)| (*manner, *why))
}

/// Every option that a file of that server may hold and that is built in.
pub fn options(server: Server) -> Vec<Entry> {
    let entries = OptionId::all().map(|id| catalog::entry(id, server));
    entries
        .filter(|entry| matches!(entry.state, State::Present | State::Ignored) && entry.is_option)
        .filter(|entry| !entry.plugin && !entry.windows_only)
        .filter(|entry| manner(entry.id).0 != Manner::Never)
        .collect()
}

/// The options that are never asked about, and why.
pub fn never_asked() -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    APART.iter().filter(|(_, manner, _)| *manner == Manner::Never).map(|(names, _, why)| (*names, *why))
}
