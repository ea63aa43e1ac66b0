//! Addresses that no host has, where a server wants one of its own.
//!
//! Measured by starts of MySQL 5.6.24 and 9.7.4 and MariaDB 10.5.23 and 11.8.9: each of these values is looked up as the name of a host, which
//! fails.

use super::combinations::{Remark, is_on};
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::Server;

/// Why a value is no address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// `192.168.%`, `10.0.0.*`, `10.0.0.0/24`: whom to let in, as accounts and firewalls have it.
    Pattern,
    /// `0.0.0.0:3306`
    Port,
    /// Blanks or semicolons between addresses.
    Separators,
    /// Nothing before, behind or between commas.
    EmptyPart,
    /// Every address, and others besides.
    AllAndOthers,
    /// A figure above 255, or five of them.
    Figures,
}

struct Impossible<'a> {
    option: OptionId,
    line: &'a Assignment<'a>,
    value: &'a str,
    fault: Fault,
}

fn impossible<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Impossible<'a>> {
    let listens = !is_on(effective, id::SKIP_NETWORKING);
    [id::BIND_ADDRESS, id::ADMIN_ADDRESS].into_iter().filter(move |_| listens).filter_map(|option| {
        let line = effective.decided(option).filter(|line| !matches!(line.origin, Origin::Snapshot { .. }))?;
        let value = std::str::from_utf8(line.value.as_deref()?).ok()?.trim();
        let fault = fault_of(value, option, effective.server)?;
        Some(Impossible { option, line, value, fault })
    })
}

/// Since when values may be lists.
pub(super) fn takes_lists(server: Server) -> bool {
    // https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-13.html; MariaDB 10.11.19 takes them, 10.5.23 stops.
    if server.flavor.is_mysql_family() { server.at_least(8, 0, 13) } else { server.at_least(10, 11, 0) }
}

fn fault_of(value: &str, option: OptionId, server: Server) -> Option<Fault> {
    if value.contains([' ', '\t', ';']) {
        return Some(Fault::Separators);
    }
    if option != id::BIND_ADDRESS || !takes_lists(server) {
        // A list is told of elsewhere.
        return if value.contains(',') { None } else { fault_of_one(value, server) };
    }
    let parts: Vec<_> = value.split(',').collect();
    if parts.len() > 1 && parts.contains(&"") {
        return Some(Fault::EmptyPart);
    }
    let is_all = |part: &&str| matches!(*part, "*" | "0.0.0.0") || *part == "::" && server.flavor.is_mysql_family();
    let is_other = |part: &&str| !is_all(part) && part.split('.').count() == 4;
    if parts.iter().any(is_all) && parts.iter().any(is_other) {
        return Some(Fault::AllAndOthers);
    }
    parts.into_iter().find_map(|part| fault_of_one(part, server))
}

fn fault_of_one(value: &str, server: Server) -> Option<Fault> {
    // MySQL 8.0.22 takes the name of a network namespace behind a slash.
    let namespaces = server.flavor.is_mysql_family() && server.at_least(8, 0, 22);
    let (host, behind) = match value.split_once('/') {
        Some((host, behind)) => (host, Some(behind)),
        None => (value, None),
    };
    let is_network = behind.is_some_and(|bits| bits.parse::<u8>().is_ok_and(|bits| bits <= 128) || !namespaces);
    let is_ipv6 = host.matches(':').count() > 1;
    if is_network || host != "*" && host.contains('*') || host.contains('%') && !is_ipv6 {
        return Some(Fault::Pattern);
    }
    let port = host.split_once(':').map(|(_, port)| port).filter(|_| !is_ipv6);
    if port.is_some_and(|port| port.parse::<u16>().is_ok()) {
        return Some(Fault::Port);
    }
    let figures: Vec<_> = host.split('.').collect();
    let all_figures = figures.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let out_of_range =
        figures.len() > 4 || figures.len() == 4 && figures.iter().any(|part| part.parse::<u8>().is_err());
    (all_figures && out_of_range).then_some(Fault::Figures)
}

/// What the server says when it starts.
pub(super) fn remarks<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Remark> + 'a {
    impossible(effective).map(|found| Remark { variable: found.option, reaction: Reaction::Refuses })
}

pub(super) fn impossible_address(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for Impossible { option, line, value, fault } in impossible(subject.effective) {
        let why = match fault {
            Fault::Pattern => "is a pattern for clients, and no address of this host",
            Fault::Port => "has a port behind the address",
            Fault::Separators => "is looked up as one name, blanks and semicolons included",
            Fault::EmptyPart => "has a comma with no address beside it",
            Fault::AllAndOthers => "names every address, and others besides",
            Fault::Figures => "is no IP address",
        };
        let message = format!("`{} = {value}` {why}: the server refuses to start", shown(&line.name));
        let hit = Hit::new(Severity::Error, line.value_at.unwrap_or(line.name_at), message);
        let hit = hit.label("no address").option(option.name());
        let advice = match (fault, list_meant(value, fault, subject.server)) {
            (_, Some(list)) => {
                hits.push(hit.set(option, list));
                continue;
            }
            (Fault::Pattern, None) => {
                "write an address of this host, or `*` for all of them; who may come is for the accounts (`'app'@'10.0.0.%'`) and the firewall"
            }
            (Fault::Port, None) => "write the address alone, and the port on a line of its own: `port = 3306`",
            (Fault::AllAndOthers, None) => "write `*` alone, or leave it out",
            (Fault::Separators, None) => "write one address, or `*` for all of them",
            (Fault::EmptyPart | Fault::Figures, None) => "write an address of this host, or `*` for all of them",
        };
        hits.push(hit.remedy(Safety::Manual, advice, Vec::new()));
    }
}

/// The list with commas alone between its addresses.
fn list_meant(value: &str, fault: Fault, server: Server) -> Option<String> {
    if !takes_lists(server) || !matches!(fault, Fault::Separators | Fault::EmptyPart) {
        return None;
    }
    let parts: Vec<_> = value.split([',', ';', ' ', '\t']).filter(|part| !part.is_empty()).collect();
    let list = parts.join(",");
    (!parts.is_empty() && fault_of(&list, id::BIND_ADDRESS, server).is_none()).then_some(list)
}
