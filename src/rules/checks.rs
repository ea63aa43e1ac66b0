//! The checks written in Rust: the one list of them, by the file under `src/checks/` that has each.

/// Hands the list to another macro, which makes of it what it needs: names here, a table of functions where these are.
macro_rules! each_check {
    ($make:ident) => {
        $make! {
            syntax: option_outside_group malformed_group malformed_line include_not_found include_loop file_ignored line_too_long byte_order_mark;
            host: file_not_read;
            paths: path_missing_or_unwritable;
            names: unknown_option wrong_flavor_option removed_option not_yet_option ignored_option ambiguous_option abbreviated_option;
            deprecated: deprecated_option;
            values: invalid_value adjusted_value misread_value;
            charset: collation_of_another;
            locales: unknown_locale;
            starts: unknown_storage_engine authentication_plugin_gone impossible_page_size buffer_pool_under_minimum address_list_not_taken null_is_no_directory;
            time_zone: impossible_time_zone time_zone_by_name;
            addresses: impossible_address;
            data_files: impossible_data_files;
            clients: secret_in_file client_looks_elsewhere;
            fixed: init_only_setting;
            tablespaces: tablespace_cannot_grow;
            volatile: files_in_memory;
            instances: shared_datadir_port_socket;
            pools: pools_exceed_memory;
            defaults: changed_default;
            galera: split_brain_allowed blank_between_nodes write_set_cache_shrunk cluster_of_two;
            group: group_name_missing group_port_taken group_too_large;
            duplicates: duplicate_option overridden_by_persisted persisted_entry_skipped;
            pending: pending_at_restart;
            ciphers: cipher_blocked;
            groups: wrong_group unread_group;
            safe_group: mysqld_safe_not_run;
            filters: malformed_filter several_names_in_filter;
            windows: impossible_name_case path_ends_in_dot;
            plugins: plugin_option_without_plugin;
        }
    };
}
pub(crate) use each_check;
