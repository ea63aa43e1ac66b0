//! Default time zones that stop a start: offsets that do not exist, and names in tables that may be empty.

use super::combinations::Remark;
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::id;
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::{Flavor, Server};

fn written<'a>(effective: &'a Effective<'a>) -> Option<(&'a Assignment<'a>, String)> {
    let line = effective.decided(id::DEFAULT_TIME_ZONE)?;
    if matches!(line.origin, Origin::Snapshot { .. }) {
        return None;
    }
    Some((line, shown(line.value.as_deref()?)))
}

/// A value that no server takes.
fn is_impossible(zone: &str, server: Server) -> bool {
    let no_offset = || offset(zone).is_none_or(|minutes| !may_be_offset(minutes, server));
    is_like_offset(zone) && no_offset() || hours_from_zone(zone).is_some_and(|hours| hours != 0)
}

fn is_like_offset(zone: &str) -> bool {
    zone.bytes().next().is_none_or(|first| b"+-0123456789".contains(&first))
}

/// `GMT+8` and `UTC+8` are names in no table; `GMT+0` and `GMT-0` are.
fn hours_from_zone(zone: &str) -> Option<i32> {
    let (name, rest) = zone.split_at_checked(3)?;
    let is_base = ["gmt", "utc"].iter().any(|base| base.eq_ignore_ascii_case(name));
    if is_base && rest.starts_with(['+', '-']) { rest.parse().ok() } else { None }
}

/// The offset that was meant by `GMT+8`, `8:00`, `+8` or `+0800`.
fn offset_meant(zone: &str, server: Server) -> Option<String> {
    let bare = if hours_from_zone(zone).is_some() { zone.get(3..)? } else { zone };
    let (sign, rest) = if let Some(rest) = bare.strip_prefix('-') { ('-', rest) } else { ('+', bare) };
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let (hours, minutes) = match (rest.split_once(':'), rest.len()) {
        (Some(parts), _) => parts,
        (None, 4) => rest.split_at_checked(2)?,
        (None, _) => (rest, "00"),
    };
    let meant = format!("{sign}{hours:0>2}:{minutes:0>2}");
    offset(&meant).is_some_and(|minutes| may_be_offset(minutes, server)).then_some(meant)
}

/// `+h:mm` or `-hh:mm` in minutes.
fn offset(zone: &str) -> Option<i32> {
    let (sign, rest) = if let Some(rest) = zone.strip_prefix('-') { (-1, rest) } else { (1, zone.strip_prefix('+')?) };
    let (hours, minutes) = rest.split_once(':')?;
    let digits = |text: &str, most: usize| {
        let all_digits = text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
        if all_digits { text.parse::<i32>().ok() } else { None }
    };
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2).filter(|minutes| *minutes < 60)?);
    Some(sign * (hours * 60 + minutes))
}

fn may_be_offset(minutes: i32, server: Server) -> bool {
    // https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-19.html
    let (least, most) = if server.flavor.is_mysql_family() && server.at_least(8, 0, 19) {
        (-(13 * 60 + 59), 14 * 60)
    } else {
        (-(12 * 60 + 59), 13 * 60)
    };
    (least..=most).contains(&minutes)
}

/// What the server says when it starts.
pub(super) fn remarks(effective: &Effective<'_>) -> Option<Remark> {
    let (_, zone) = written(effective)?;
    let remark = || Remark { variable: id::DEFAULT_TIME_ZONE, reaction: Reaction::Refuses };
    is_impossible(&zone, effective.server).then(remark)
}

pub(super) fn impossible_time_zone(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let variable = id::DEFAULT_TIME_ZONE;
    let Some((line, zone)) = written(subject.effective) else { return };
    if !is_impossible(&zone, subject.server) {
        return;
    }
    let title = subject.server.flavor.title();
    let (message, label) = match offset(&zone) {
        Some(_) => (format!("{title} does not go as far as `{zone}` from UTC"), "too far"),
        None => (format!("`{zone}` is neither a name nor an offset such as `+02:00`"), "no offset"),
    };
    let at = line.value_at.map_or(line.name_at, |_| line.whole());
    let hit = Hit::new(Severity::Error, at, format!("{message}: the server refuses to start"));
    let hit = hit.label(label).option(variable.name());
    hits.push(match offset_meant(&zone, subject.server) {
        Some(meant) => hit.set(variable, meant),
        None => {
            let advice = "write SYSTEM, an offset such as `+02:00`, or a name from the time zone tables";
            hit.remedy(Safety::Manual, advice, Vec::new())
        }
    });
}

pub(super) fn time_zone_by_name(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let variable = id::DEFAULT_TIME_ZONE;
    let Some(line) = subject.effective.decided(variable).filter(|line| matches!(line.origin, Origin::Line(_))) else {
        return;
    };
    let Some(zone) = line.value.as_deref().map(shown) else { return };
    // A server that runs has found it in its tables.
    if is_like_offset(&zone)
        || zone.eq_ignore_ascii_case("system")
        || is_impossible(&zone, subject.server)
        || !subject.running.is_empty()
    {
        return;
    }
    let message = format!(
        "`{zone}` is looked up in the time zone tables, which a new data directory has empty: the server does not start on one"
    );
    let mariadb = subject.server.flavor == Flavor::Mariadb;
    let (program, client) = match subject.server.at_least(10, 5, 0) {
        true if mariadb => ("mariadb-tzinfo-to-sql", "mariadb"),
        _ => ("mysql_tzinfo_to_sql", "mysql"),
    };
    let offset = if zone.eq_ignore_ascii_case("utc") {
        "write `+00:00`, which needs no table"
    } else {
        "write the offset, such as `+02:00`, where no summer time matters"
    };
    let advice = format!(
        "{offset}; or start without this line first and fill the tables: `{program} /usr/share/zoneinfo | {client} mysql`"
    );
    let at = line.value_at.map_or(line.name_at, |_| line.whole());
    let hit = Hit::new(Severity::Advice, at, message).label("a name").option(variable.name());
    hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
}
