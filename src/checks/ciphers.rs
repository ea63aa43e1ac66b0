//! Ciphers that MySQL no longer lets anybody ask for.

use super::combinations::Remark;
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::{OptionId, Resolved, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Change, Safety, Severity};
use crate::value::Effect;

/// What 9.7.4 lets pass of every cipher that OpenSSL 3.0 has for TLS 1.2 (measured by starts that stopped at one name after the
/// other; `--validate-config` says nothing). Names are compared byte for byte, and `HIGH` or `!aNULL` are no names to it.
const FOR_TLS_1_2: &[&str] = &[
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "DHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "DHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES256-CCM",
    "DHE-RSA-AES256-CCM",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "DHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES128-CCM",
    "DHE-RSA-AES128-CCM",
    "AES256-GCM-SHA384",
    "AES256-CCM",
    "AES128-GCM-SHA256",
    "AES128-CCM",
];

/// The same for TLS 1.3.
const FOR_TLS_1_3: &[&str] =
    &["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_CCM_SHA256"];

const OPTIONS: [(OptionId, &[&str]); 4] = [
    (id::SSL_CIPHER, FOR_TLS_1_2),
    (id::ADMIN_SSL_CIPHER, FOR_TLS_1_2),
    (id::TLS_CIPHERSUITES, FOR_TLS_1_3),
    (id::ADMIN_TLS_CIPHERSUITES, FOR_TLS_1_3),
];

/// A line with names that are blocked.
struct Blocked<'a> {
    option: OptionId,
    line: &'a Assignment<'a>,
    names: Vec<&'a str>,
    kept: Vec<&'a str>,
}

fn blocked<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Blocked<'a>> {
    // The releases between 8.0 and 9.7 could not be asked.
    let looks = effective.server.flavor.is_mysql_family() && effective.server.at_least(9, 7, 0);
    OPTIONS.into_iter().filter(move |_| looks).filter_map(|(option, allowed)| {
        let line = effective.decided(option).filter(|line| matches!(line.origin, Origin::Line(_)))?;
        let is_plain = matches!(&line.resolved, Resolved::Option { prefixes, .. } if prefixes.effect == Effect::None);
        let value = std::str::from_utf8(line.value.as_deref()?).ok().filter(|value| is_plain && !value.is_empty())?;
        let (kept, names): (Vec<_>, Vec<_>) = value.split(':').partition(|name| allowed.contains(name));
        (!names.is_empty()).then_some(Blocked { option, line, names, kept })
    })
}

/// What the server says when it starts.
pub(super) fn remarks<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Remark> + 'a {
    blocked(effective).map(|blocked| Remark { variable: blocked.option, reaction: Reaction::Refuses })
}

pub(super) fn cipher_blocked(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for Blocked { option, line, names, kept } in blocked(subject.effective) {
        let [first, rest @ ..] = names.as_slice() else { continue };
        let others = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let message =
            format!("MySQL takes no `{first}`{others} in `{}`: the server refuses to start", shown(&line.name));
        let hit = Hit::new(Severity::Error, line.value_at.unwrap_or(line.name_at), message);
        let hit = hit.label("blocked").option(option.name());
        hits.push(match (line.value_at, kept.is_empty()) {
            (Some(at), false) => {
                let text = kept.join(":");
                hit.remedy(Safety::Unsafe, "take the blocked ones out", vec![Change::Respell { at, text }])
            }
            _ => {
                let remove = vec![Change::Remove { option: shown(&line.name) }];
                hit.remedy(Safety::Unsafe, "remove the line: the server's own list applies", remove)
            }
        });
    }
}
