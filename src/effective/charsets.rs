//! Which character sets and collations a server has.
//!
//! From `information_schema` of MySQL 5.6.24 and 9.7.4 and MariaDB 10.5.23, 10.11.19 and 11.8.9. The lists are those of all of them
//! together, so that a name is called unknown only where no release has it; the exceptions are told beside them. An administrator can add
//! collations in a directory of his own (`character_sets_dir`), which nothing here knows.

use crate::server::Server;

/// Character sets and the collations of each, by what follows its name.
const SINGLE: &[(&str, &str)] = &[
    ("armscii8", "bin general_ci"),
    ("ascii", "bin general_ci"),
    ("big5", "bin chinese_ci"),
    ("cp1250", "bin croatian_ci czech_cs general_ci polish_ci"),
    ("cp1251", "bin bulgarian_ci general_ci general_cs ukrainian_ci"),
    ("cp1256", "bin general_ci"),
    ("cp1257", "bin general_ci lithuanian_ci"),
    ("cp850", "bin general_ci"),
    ("cp852", "bin general_ci"),
    ("cp866", "bin general_ci"),
    ("cp932", "bin japanese_ci"),
    ("dec8", "bin swedish_ci"),
    ("eucjpms", "bin japanese_ci"),
    ("euckr", "bin korean_ci"),
    ("gb18030", "bin chinese_ci unicode_520_ci"),
    ("gb2312", "bin chinese_ci"),
    ("gbk", "bin chinese_ci"),
    ("geostd8", "bin general_ci"),
    ("greek", "bin general_ci"),
    ("hebrew", "bin general_ci"),
    ("hp8", "bin english_ci"),
    ("keybcs2", "bin general_ci"),
    ("koi8r", "bin general_ci"),
    ("koi8u", "bin general_ci"),
    ("latin1", "bin danish_ci general_ci general_cs german1_ci german2_ci spanish_ci swedish_ci"),
    ("latin2", "bin croatian_ci czech_cs general_ci hungarian_ci"),
    ("latin5", "bin turkish_ci"),
    ("latin7", "bin estonian_cs general_ci general_cs"),
    ("macce", "bin general_ci"),
    ("macroman", "bin general_ci"),
    ("sjis", "bin japanese_ci"),
    ("swe7", "bin swedish_ci"),
    ("tis620", "bin thai_ci"),
    ("ujis", "bin japanese_ci"),
];

/// Character sets of Unicode. 5.6.24 takes `utf8mb3` for its `utf8`, and MariaDB 10.5.23 does.
const UNICODE: &[&str] = &["ucs2", "utf16", "utf16le", "utf32", "utf8", "utf8mb3", "utf8mb4"];

/// Collations of Unicode, by what follows the character set's name.
const OF_UNICODE: &str = "bin croatian_ci croatian_mysql561_ci czech_ci danish_ci esperanto_ci estonian_ci general1400_as_ci \
    general_ci general_mysql500_ci german2_ci hungarian_ci icelandic_ci latvian_ci lithuanian_ci myanmar_ci persian_ci polish_ci \
    roman_ci romanian_ci sinhala_ci slovak_ci slovenian_ci spanish2_ci spanish_ci swedish_ci thai_520_w2 tolower_ci turkish_ci \
    unicode_520_ci unicode_ci vietnamese_ci";

/// Whether the server has a character set of this name, in lower case.
pub(super) fn has_set(set: &str, server: Server) -> bool {
    if set == "gb18030" {
        // https://dev.mysql.com/doc/relnotes/mysql/5.7/en/news-5-7-4.html; MariaDB 11.8.9 still does not have it.
        return server.flavor.is_mysql_family() && server.at_least(5, 7, 4);
    }
    // A start takes `filename`, which no list shows, and warns (measured on 5.6.24 and MariaDB).
    set == "binary" || set == "filename" || UNICODE.contains(&set) || SINGLE.iter().any(|(name, _)| *name == set)
}

/// The character set or collation whose name looks most like a misspelt one, if it is a typing error or two away.
pub fn alike(written: &str, is_collation: bool, server: Server) -> Option<String> {
    let written = written.to_ascii_lowercase();
    let sets = UNICODE.iter().chain(SINGLE.iter().map(|(name, _)| name)).filter(|set| has_set(set, server));
    let collations = |set: &&str| {
        let own = SINGLE.iter().find(|(name, _)| name == set).map_or(OF_UNICODE, |(_, own)| own);
        let set = (*set).to_owned();
        own.split_ascii_whitespace().map(move |rest| format!("{set}_{rest}"))
    };
    let distance = |name: String| (strsim::osa_distance(&name, &written), name);
    let nearest = match is_collation {
        true => sets.flat_map(collations).map(distance).min(),
        false => sets.map(|set| distance((*set).to_owned())).min(),
    };
    nearest.filter(|(distance, name)| *distance <= 2 && *distance < name.len() / 3).map(|(_, name)| name)
}

/// Whether the server may have a collation of this name, in lower case.
pub(super) fn may_have_collation(collation: &str, server: Server) -> bool {
    // Without a name the character set's own is taken.
    if ["", "binary", "filename"].contains(&collation) {
        return true;
    }
    let Some((set, rest)) = collation.split_once('_').filter(|(set, _)| has_set(set, server)) else { return false };
    // MariaDB has each of its own collations a second time, without padding: `general_nopad_ci`, `nopad_bin`.
    let rest = rest.replace("nopad_", "");
    let listed = |list: &str| list.split_ascii_whitespace().any(|known| known == rest);
    match SINGLE.iter().find(|(name, _)| *name == set) {
        Some((_, collations)) => listed(collations),
        // Names of languages stand before or behind these numbers, far too many to list.
        None => ["0900_", "uca1400_"].iter().any(|weights| rest.contains(weights)) || listed(OF_UNICODE),
    }
}
