//! Tablespaces that cannot grow: writes stop when they are full.

use super::{Hit, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::Assignment;
use crate::finding::{Safety, Severity};

pub(super) fn tablespace_cannot_grow(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for option in [id::INNODB_DATA_FILE_PATH, id::INNODB_TEMP_DATA_FILE_PATH] {
        let Some(line) = subject.effective.decided(option) else { continue };
        let Some(value) = line.value.as_deref() else { continue };
        // `ibdata1:12M;ibdata2:12M:autoextend:max:500M`: the last file grows, if any.
        let text = shown(value).to_lowercase();
        let last = text.rsplit(';').find(|file| !file.trim().is_empty()).unwrap_or_default();
        let mut words = last.split(':').skip(2).map(str::trim);
        let grows = words.any(|word| word == "autoextend");
        let bound = words.find(|word| *word == "max").and_then(|_| words.next());
        match bound {
            // Raw devices have the size that they have.
            _ if last.contains("raw") => {}
            None if grows => {}
            // A bound for temporary tables protects the disk: one statement fails, nothing is lost.
            Some(_) if option == id::INNODB_TEMP_DATA_FILE_PATH => {}
            Some(bound) => hits.push(hit(line, option, format!("may grow to {}", bound.to_uppercase()))),
            None => hits.push(hit(line, option, "never grows".to_owned())),
        }
    }
}

fn hit(line: &Assignment<'_>, option: OptionId, how: String) -> Hit {
    let (what, effect) = match option {
        id::INNODB_DATA_FILE_PATH => {
            ("system tablespace", "when it is full every write that needs it fails with \"The table is full\"")
        }
        _ => ("temporary tablespace", "when it is full queries with large temporary tables fail"),
    };
    let hit = Hit::new(Severity::Warning, line.whole(), format!("the last file of the {what} {how}: {effect}"));
    let advice = "let the last file end in `:autoextend`; leave the sizes of existing files as they are";
    hit.label("the last file").option(option.name()).remedy(Safety::Manual, advice, Vec::new())
}
