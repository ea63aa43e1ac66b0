//! The arguments that a program gets from its option files.

use super::{Document, GroupSet};

/// What `my_print_defaults` of a server prints for these groups, one argument per element: `--name` or `--name=value`.
///
/// Nothing when the server stops at a fatal problem. MySQL from 5.6.25 on shows `--password=*****` (and only that option so:
/// `--password1` and `--pass` stay in clear text, measured on 9.7.4); MariaDB masks nothing. When 5.6 began:
/// <https://github.com/mysql/mysql-server/pull/12>.
pub fn arguments(document: &Document, groups: &GroupSet) -> Vec<Vec<u8>> {
    if document.stops {
        return Vec::new();
    }
    let masks = document.server.flavor.is_mysql_family() && document.server.at_least(5, 6, 25);
    let wanted: Vec<bool> = document.groups.iter().map(|group| groups.contains(&group.name)).collect();
    let entries = document.entries.iter().filter(|entry| entry.reached && wanted[entry.group]);
    entries
        .map(|entry| {
            let value =
                entry.value.as_deref().map(|value| if masks && entry.name == b"password" { b"*****" } else { value });
            let mut argument = Vec::with_capacity(3 + entry.name.len() + value.map_or(0, <[u8]>::len));
            argument.extend_from_slice(b"--");
            argument.extend_from_slice(&entry.name);
            if let Some(value) = value {
                argument.push(b'=');
                argument.extend_from_slice(value);
            }
            argument
        })
        .collect()
}
