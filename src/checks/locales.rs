//! Locales that no server has.

use super::combinations::Remark;
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::Server;

struct Unknown<'a> {
    option: OptionId,
    line: &'a Assignment<'a>,
    name: String,
}

/// Every locale of the servers is a language and a country: `en_US`.
fn unknown<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Unknown<'a>> {
    [id::LC_MESSAGES, id::LC_TIME_NAMES].into_iter().filter_map(|option| {
        let line = effective.decided(option).filter(|line| matches!(line.origin, Origin::Line(_)))?;
        let name = shown(line.value.as_deref()?);
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        (!is_number && !is_locale(&name)).then_some(Unknown { option, line, name })
    })
}

fn is_locale(name: &str) -> bool {
    let letters = |text: &str, most: usize| {
        (2..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    name.split_once('_').is_some_and(|(language, country)| letters(language, 3) && letters(country, 2))
}

/// MariaDB 10.5.23 and 11.8.9 and MySQL 5.6.24 stop, MySQL 9.7.4 goes on in English (measured by starts).
fn reaction(server: Server) -> Reaction {
    if server.flavor.is_mysql_family() && server.at_least(8, 0, 0) { Reaction::Warns } else { Reaction::Refuses }
}

/// What the server says when it starts.
pub(super) fn remarks<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Remark> + 'a {
    unknown(effective).map(|found| Remark { variable: found.option, reaction: reaction(effective.server) })
}

pub(super) fn unknown_locale(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for Unknown { option, line, name } in unknown(subject.effective) {
        let (severity, outcome) = match reaction(subject.server) {
            Reaction::Refuses => (Severity::Error, "the server refuses to start"),
            _ => (Severity::Warning, "the server says \"Unknown locale\" and takes en_US"),
        };
        let message = format!("`{name}` is no locale, which is a language and a country such as `en_US`: {outcome}");
        let hit = Hit::new(severity, line.value_at.unwrap_or(line.name_at), message);
        let hit = hit.label("no locale").option(option.name());
        hits.push(match meant(&name) {
            Some(locale) => hit.set(option, locale),
            None => hit.remedy(Safety::Manual, "write a locale such as `en_US`, or leave the line out", Vec::new()),
        });
    }
}

/// `en-US`, `en_US.UTF-8`, or a language of which the servers have one common country.
fn meant(name: &str) -> Option<String> {
    const LANGUAGES: [(&str, &str, &str); 8] = [
        ("english", "en", "en_US"),
        ("french", "fr", "fr_FR"),
        ("german", "de", "de_DE"),
        ("italian", "it", "it_IT"),
        ("japanese", "ja", "ja_JP"),
        ("polish", "pl", "pl_PL"),
        ("russian", "ru", "ru_RU"),
        ("spanish", "es", "es_ES"),
    ];
    let bare = name.split(['.', '@']).next().unwrap_or(name).replace('-', "_");
    if is_locale(&bare) {
        return Some(bare);
    }
    let lower = bare.to_ascii_lowercase();
    LANGUAGES.iter().find(|(word, code, _)| *word == lower || *code == lower).map(|(_, _, locale)| (*locale).to_owned())
}
