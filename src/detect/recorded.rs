//! A host written down in one TOML file: small files by path, links, and what `stat` says of some directories.

use super::{Entry, EntryKind, Stat, System};
use crate::source::lexical;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    #[serde(default)]
    pub files: BTreeMap<PathBuf, String>,
    #[serde(default)]
    pub links: BTreeMap<PathBuf, PathBuf>,
    #[serde(default)]
    pub stat: BTreeMap<PathBuf, RecordedStat>,
    /// What stands at a path: `directory 110:115 750`, with owner, group and permissions.
    #[serde(default)]
    pub entries: BTreeMap<PathBuf, String>,
    /// The length of files whose text is of no interest.
    #[serde(default)]
    pub sizes: BTreeMap<PathBuf, u64>,
    /// What `--version` of a binary prints.
    #[serde(default)]
    pub versions: BTreeMap<PathBuf, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordedStat {
    device: String,
    total: u64,
    free: u64,
}

impl System for Recorded {
    fn read(&self, path: &Path) -> Option<String> {
        self.files.get(&self.follow(path)).cloned()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        let path = self.follow(path);
        let paths = self.files.keys().chain(self.links.keys());
        let names = paths.filter_map(|file| file.strip_prefix(&path).ok()?.iter().next());
        let names: BTreeSet<_> = names.filter_map(|name| name.to_str()).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let path = self.follow(path);
        let mut known = self.files.keys().chain(self.links.keys()).chain(self.stat.keys());
        known.any(|file| file.starts_with(&path)).then_some(path)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let stat = self.stat.get(&self.follow(path)).ok_or(io::ErrorKind::NotFound)?;
        let (major, minor) = stat.device.split_once(':').expect("device = \"major:minor\"");
        let number = |text: &str| text.parse().expect("a device number");
        Ok(Stat { device: (number(major), number(minor)), total: stat.total, free: stat.free, available: stat.free })
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let text = self.entries.get(&self.follow(path)).ok_or(io::ErrorKind::NotFound)?;
        let fields: Vec<_> = text.split([' ', ':']).collect();
        let [kind, uid, _, mode] = fields[..] else { panic!("kind, owner:group, mode: {text}") };
        let kind = if kind == "directory" { EntryKind::Directory } else { EntryKind::Other };
        let mode = u32::from_str_radix(mode, 8).expect("permissions in octal");
        Ok(Entry { kind, uid: uid.parse().expect("the number of a user"), mode })
    }

    fn size(&self, path: &Path) -> Option<u64> {
        self.sizes.get(&self.follow(path)).copied()
    }

    fn version_of(&self, binary: &Path) -> Option<String> {
        self.versions.get(binary).cloned()
    }
}

impl Recorded {
    /// Follows links from the left, relative ones included.
    fn follow(&self, path: &Path) -> PathBuf {
        let mut path = path.to_owned();
        for _ in 0..40 {
            let link = path.ancestors().filter_map(|part| Some((part, self.links.get(part)?))).last();
            let Some((part, target)) = link else { return path };
            let rest = path.strip_prefix(part).expect("an ancestor").to_owned();
            path = lexical(&part.parent().unwrap_or(part).join(target).join(rest));
        }
        path
    }
}
