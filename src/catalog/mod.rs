//! What each server version knows, as packed static tables; nothing is parsed at start-up.

/// Names one option or system variable, the same in every flavor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionId(u16);

/// Stand-in for the generated constants, dropped when the catalog is merged.
#[allow(missing_docs)]
pub mod id {
    use super::OptionId;

    macro_rules! ids {
        ($($name:ident)+) => {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Index { $($name),+ }
            $(pub const $name: OptionId = OptionId(Index::$name as u16);)+
            pub(super) const NAMES: &[&str] = &[$(stringify!($name)),+];
        };
    }

    ids! {
        ARIA_PAGECACHE_BUFFER_SIZE BACK_LOG BINLOG_CACHE_SIZE BINLOG_STMT_CACHE_SIZE EXTRA_MAX_CONNECTIONS
        SERVER_ID
        GROUP_REPLICATION_GROUP_NAME GROUP_REPLICATION_MESSAGE_CACHE_SIZE HOST_CACHE_SIZE
        INNODB_BUFFER_POOL_CHUNK_SIZE INNODB_BUFFER_POOL_INSTANCES INNODB_BUFFER_POOL_SIZE
        INNODB_DEDICATED_SERVER INNODB_DOUBLEWRITE INNODB_FLUSH_LOG_AT_TRX_COMMIT INNODB_FLUSH_METHOD
        INNODB_IO_CAPACITY INNODB_IO_CAPACITY_MAX INNODB_LOG_BUFFER_SIZE INNODB_LOG_FILES_IN_GROUP
        INNODB_LOG_FILE_SIZE INNODB_OPEN_FILES INNODB_PAGE_CLEANERS INNODB_PAGE_SIZE INNODB_PURGE_THREADS
        INNODB_REDO_LOG_CAPACITY INNODB_THREAD_CONCURRENCY INTERNAL_TMP_MEM_STORAGE_ENGINE JOIN_BUFFER_SIZE
        KEY_BUFFER_SIZE LOG_BIN MAX_CONNECTIONS MAX_HEAP_TABLE_SIZE PERFORMANCE_SCHEMA QUERY_CACHE_SIZE
        READ_BUFFER_SIZE READ_RND_BUFFER_SIZE SORT_BUFFER_SIZE SYNC_BINLOG TABLE_DEFINITION_CACHE
        TABLE_OPEN_CACHE TEMPTABLE_MAX_RAM THREAD_CACHE_SIZE THREAD_HANDLING THREAD_POOL_OVERSUBSCRIBE
        THREAD_POOL_SIZE THREAD_STACK TMP_TABLE_SIZE
    }
}

impl OptionId {
    /// The option of that name, in lower case with underscores.
    pub fn from_name(name: &str) -> Option<Self> {
        let at = id::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some(Self(at as u16))
    }
}
