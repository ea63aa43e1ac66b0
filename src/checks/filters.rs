//! Replication filters: one database or table to a line, whatever the value looks like.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::Origin;
use crate::finding::{Safety, Severity};

/// The server takes the whole value for one name. Asked: with `binlog_do_db = shop,crm` 9.7.4, 10.5.23 and 11.8.9 log no change of `shop`, and
/// with `replicate_do_db = shop,crm` 10.11.19 applies none, while with `shop` alone it does. That MariaDB splits the value holds for SET only
/// (<https://mariadb.com/docs/server/ha-and-performance/standard-replication/replication-filters>).
const ONE_NAME: [OptionId; 8] = [
    id::BINLOG_DO_DB,
    id::BINLOG_IGNORE_DB,
    id::REPLICATE_DO_DB,
    id::REPLICATE_IGNORE_DB,
    id::REPLICATE_DO_TABLE,
    id::REPLICATE_IGNORE_TABLE,
    id::REPLICATE_WILD_DO_TABLE,
    id::REPLICATE_WILD_IGNORE_TABLE,
];

pub(super) fn several_names_in_filter(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let is_line = |origin| matches!(origin, Origin::Line(_));
    for line in subject.effective.assignments.iter().filter(|line| is_line(line.origin) && !line.template) {
        let Some(option) = line.option().filter(|option| ONE_NAME.contains(option)) else { continue };
        let Some(value) = line.value.as_deref().filter(|value| value.contains(&b',')) else { continue };
        let name = shown(&line.name);
        let message =
            format!("`{}` is taken for one name, comma included, and no database or table is called so", shown(value));
        let hit = Hit::new(Severity::Error, line.whole(), message).label("one name").option(option.name());
        hits.push(hit.remedy(Safety::Manual, format!("write a line with `{name}` for each name"), Vec::new()));
    }
}
