//! The figures that the models are held to.

mod defaults;
mod endurance;
mod import;
mod memory;
mod redo;

use super::{ModelId, Reader, defaults::derived, evaluate};
use crate::catalog::{OptionId, id};
use crate::facts::{FactId, FactSource, Facts};
use crate::server::{Server, ServerSpec};
use crate::value::{Outcome, Value};
use std::borrow::Cow;

const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// Settings as written, and facts; the defaults are those of the servers named in the tests.
struct Fake {
    server: Server,
    written: Vec<(OptionId, Value<'static>)>,
    facts: Facts,
}

fn server(text: &str) -> Server {
    match ServerSpec::parse(text) {
        Ok(ServerSpec::Exact(server)) => server,
        other => panic!("{text}: {other:?}"),
    }
}

fn on(text: &str) -> Fake {
    Fake { server: server(text), written: Vec::new(), facts: Facts::default() }
}

fn word(text: &'static str) -> Value<'static> {
    Value::Word(Cow::Borrowed(text))
}

impl Fake {
    fn with(mut self, option: OptionId, value: impl Into<Given>) -> Self {
        self.written.push((option, value.into().0));
        self
    }

    fn fact(mut self, fact: FactId, value: impl Into<Given>) -> Self {
        self.facts.set(fact, value.into().0, FactSource::Flag("test"));
        self
    }

    fn of(&mut self, model: ModelId) -> Outcome<Value<'static>> {
        evaluate(model, self)
    }

    fn number(&mut self, model: ModelId) -> i128 {
        match self.of(model) {
            Outcome::Known(Value::Integer(number)) => number,
            other => panic!("{}: {other:?}", model.name()),
        }
    }

    fn real(&mut self, model: ModelId) -> f64 {
        match self.of(model) {
            Outcome::Known(Value::Real(number)) => number,
            other => panic!("{}: {other:?}", model.name()),
        }
    }
}

/// A value in a test.
struct Given(Value<'static>);

impl From<i128> for Given {
    fn from(number: i128) -> Self {
        Self(Value::Integer(number))
    }
}

impl From<f64> for Given {
    fn from(number: f64) -> Self {
        Self(Value::Real(number))
    }
}

impl From<&'static str> for Given {
    fn from(text: &'static str) -> Self {
        Self(word(text))
    }
}

impl From<Value<'static>> for Given {
    fn from(value: Value<'static>) -> Self {
        Self(value)
    }
}

impl Reader for Fake {
    fn server(&self) -> Server {
        self.server
    }

    fn setting(&mut self, option: OptionId) -> Outcome<Value<'static>> {
        if let Some((_, value)) = self.written.iter().rev().find(|(written, _)| *written == option) {
            return Outcome::Known(value.clone());
        }
        match default_of(option, self.server) {
            Outcome::Absent => Outcome::Absent,
            default => derived(option, self).unwrap_or(default),
        }
    }

    fn is_set(&mut self, option: OptionId) -> Outcome<bool> {
        Outcome::Known(self.written.iter().any(|(written, _)| *written == option))
    }

    fn fact(&mut self, fact: FactId) -> Outcome<Value<'static>> {
        self.facts.value(fact).map(Clone::clone)
    }
}

/// The compiled defaults of MySQL 5.6 and later and MariaDB 10.4 and later.
fn default_of(option: OptionId, server: Server) -> Outcome<Value<'static>> {
    let mysql = server.flavor.is_mysql_family();
    let since = |major, minor, patch| server.at_least(major, minor, patch);
    let number = |number: i128| Outcome::Known(Value::Integer(number));
    let only = |exists: bool, value| if exists { value } else { Outcome::Absent };
    match option {
        id::INNODB_BUFFER_POOL_SIZE => number(128 * MIB),
        id::INNODB_BUFFER_POOL_CHUNK_SIZE if mysql => only(since(5, 7, 5), number(128 * MIB)),
        id::INNODB_BUFFER_POOL_CHUNK_SIZE => number(if since(10, 8, 0) { 0 } else { 128 * MIB }),
        id::INNODB_BUFFER_POOL_INSTANCES => only(mysql || !since(10, 6, 0), number(0)),
        id::INNODB_LOG_BUFFER_SIZE if mysql && since(8, 4, 0) => number(64 * MIB),
        id::INNODB_LOG_BUFFER_SIZE => number(16 * MIB),
        id::INNODB_LOG_FILE_SIZE if mysql => only(!since(9, 7, 0), number(48 * MIB)),
        id::INNODB_LOG_FILE_SIZE => number(if since(10, 5, 0) { 96 * MIB } else { 48 * MIB }),
        id::INNODB_LOG_FILES_IN_GROUP if mysql => only(!since(9, 7, 0), number(2)),
        id::INNODB_LOG_FILES_IN_GROUP => only(!since(10, 6, 0), number(if since(10, 5, 0) { 1 } else { 2 })),
        id::INNODB_REDO_LOG_CAPACITY => only(mysql && since(8, 0, 30), number(100 * MIB)),
        id::INNODB_PAGE_SIZE => number(16384),
        id::INNODB_THREAD_CONCURRENCY => only(mysql || !since(10, 6, 0), number(0)),
        id::INNODB_DEDICATED_SERVER => only(mysql && since(8, 0, 3), Outcome::Known(word("OFF"))),
        id::INNODB_DOUBLEWRITE => Outcome::Known(word("ON")),
        id::INNODB_FLUSH_METHOD => Outcome::Known(word("fsync")),
        id::INNODB_FLUSH_LOG_AT_TRX_COMMIT => number(1),
        id::INNODB_IO_CAPACITY => number(if mysql && since(8, 4, 0) { 10_000 } else { 200 }),
        id::INNODB_IO_CAPACITY_MAX => number(u32::MAX.into()),
        id::INNODB_OPEN_FILES | id::HOST_CACHE_SIZE | id::BACK_LOG | id::THREAD_CACHE_SIZE => number(0),
        id::INNODB_PAGE_CLEANERS => only(mysql && since(5, 7, 4) || !mysql && !since(10, 6, 0), number(4)),
        id::INNODB_PURGE_THREADS => number(4),
        id::LOG_BIN if mysql && since(8, 0, 0) => Outcome::Known(Value::Text(Cow::Borrowed(b"binlog"))),
        id::LOG_BIN => Outcome::Known(Value::None),
        id::SYNC_BINLOG => number(i128::from(mysql && since(5, 7, 7))),
        id::MAX_CONNECTIONS => number(151),
        id::EXTRA_MAX_CONNECTIONS => only(!mysql, number(1)),
        id::TABLE_OPEN_CACHE => number(if mysql && since(8, 0, 0) { 4000 } else { 2000 }),
        id::TABLE_DEFINITION_CACHE => number(400),
        id::KEY_BUFFER_SIZE => number(if mysql { 8 * MIB } else { 128 * MIB }),
        id::ARIA_PAGECACHE_BUFFER_SIZE => only(!mysql, number(128 * MIB)),
        id::QUERY_CACHE_SIZE => only(!mysql || !since(8, 0, 0), number(MIB)),
        id::PERFORMANCE_SCHEMA => Outcome::Known(Value::boolean(mysql)),
        id::SORT_BUFFER_SIZE => number(if mysql { 256 << 10 } else { 2 * MIB }),
        id::JOIN_BUFFER_SIZE | id::READ_RND_BUFFER_SIZE => number(256 << 10),
        id::READ_BUFFER_SIZE => number(128 << 10),
        id::BINLOG_CACHE_SIZE => number(32 << 10),
        id::TMP_TABLE_SIZE | id::MAX_HEAP_TABLE_SIZE => number(16 * MIB),
        id::INTERNAL_TMP_MEM_STORAGE_ENGINE => only(mysql && since(8, 0, 2), Outcome::Known(word("TempTable"))),
        id::TEMPTABLE_MAX_RAM => only(mysql && since(8, 0, 2), number(GIB)),
        id::THREAD_STACK => number(if mysql { MIB } else { 299_008 }),
        id::THREAD_HANDLING => Outcome::Known(word("one-thread-per-connection")),
        id::THREAD_POOL_SIZE => only(!mysql, number(8)),
        id::THREAD_POOL_OVERSUBSCRIBE => only(!mysql, number(3)),
        _ => Outcome::Absent,
    }
}
