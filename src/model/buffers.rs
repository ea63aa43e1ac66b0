//! Buffers that each statement has for itself, as far as files speak of them.

use super::Reader;
use super::read::{is_written, number};
use crate::catalog::{OptionId, id};
use crate::value::{Value, as_written};
use std::borrow::Cow;

const BUFFERS: [OptionId; 4] =
    [id::SORT_BUFFER_SIZE, id::JOIN_BUFFER_SIZE, id::READ_BUFFER_SIZE, id::READ_RND_BUFFER_SIZE];

/// `sort_buffer_size = 16M and join_buffer_size = 8M`.
pub(super) fn listed(reader: &mut dyn Reader) -> Value<'static> {
    let shown: Vec<_> = written(reader)
        .into_iter()
        .filter_map(|(buffer, size)| Some(format!("{buffer} = {}", as_written(u64::try_from(size).ok()?))))
        .collect();
    let text = match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    };
    Value::Word(Cow::Owned(text))
}

pub(super) fn sum(reader: &mut dyn Reader) -> i128 {
    written(reader).into_iter().map(|(_, size)| size).sum()
}

fn written(reader: &mut dyn Reader) -> Vec<(OptionId, i128)> {
    let mut written = Vec::new();
    for buffer in BUFFERS {
        if is_written(reader, buffer) {
            written.extend(number(reader, buffer).known().map(|size| (buffer, size)));
        }
    }
    written
}
