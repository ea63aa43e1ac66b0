//! The few options whose written value is not the value of their variable.

use crate::catalog::{Entry, id};
use crate::server::Server;
use crate::value::{self, Effect, Judgement, Reading, Value, Written};

/// What a server makes of an option.
pub(super) fn read(entry: &Entry, server: Server, written: Written<'_>) -> Reading {
    if entry.id == id::LOG_BIN { log_bin(written) } else { value::read(&entry.shape, server, written) }
}

/// `log_bin` takes a base name, whatever it is, and the variable is ON; only `skip-` and `disable-` turn it off.
/// `skip-log-bin=0` turns it on (measured on 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.9).
fn log_bin(written: Written<'_>) -> Reading {
    let off = written.effect == Effect::Skip && written.value != Some(b"0");
    Reading { value: Some(Value::boolean(!off)), judgement: Judgement::Accepted }
}
