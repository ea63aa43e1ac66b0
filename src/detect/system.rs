//! The door to a host. Tests put a recorded one in its place.

use std::io;
use std::path::{Path, PathBuf};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind};

/// What the kernel says about the filesystem that holds a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Major and minor number of the device; major 0 means that no single device is behind it.
    pub device: (u32, u32),
    /// Bytes in the filesystem.
    pub total: u64,
    /// Bytes in no file's use.
    pub free: u64,
    /// Of these, the bytes that are not kept for root.
    pub available: u64,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A file, a device, a socket.
    Other,
}

/// What stands at a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// The number of its owner.
    pub uid: u32,
    /// Its permissions.
    pub mode: u32,
}

/// Everything that detection asks a host.
pub trait System {
    /// The text of a small file, if it can be read.
    fn read(&self, path: &Path) -> Option<String>;

    /// The names in a directory, sorted; none when it cannot be read.
    fn list(&self, path: &Path) -> Vec<String>;

    /// Where a path leads once every link is followed.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;

    /// The filesystem that holds a path.
    ///
    /// # Errors
    /// What the kernel says: not found, permission denied.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// What stands at a path.
    ///
    /// # Errors
    /// What the kernel says: not found, permission denied.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The length of a file in bytes.
    fn size(&self, path: &Path) -> Option<u64>;

    /// What a server's binary prints for `--version`; `None` when it is not to be run.
    fn version_of(&self, binary: &Path) -> Option<String>;

    /// Bytes of physical memory, and the file that tells.
    fn physical_memory(&self) -> Option<(u64, String)> {
        let path = "/proc/meminfo";
        let text = self.read(Path::new(path))?;
        let kibibytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix("kB")?;
        Some((kibibytes.trim().parse::<u64>().ok()? * 1024, path.to_owned()))
    }

    /// The number of processors that are switched on, and the file that tells.
    fn processors(&self) -> Option<(u32, String)> {
        let path = "/sys/devices/system/cpu/online";
        let count = super::limits::count_of_list(&self.read(Path::new(path))?)?;
        Some((count, path.to_owned()))
    }
}

/// The host that this process runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisHost;

/// Files of `/proc` and `/sys` are small; a unit file that is larger is none.
const LARGEST_FILE: u64 = 16 << 20;

impl System for ThisHost {
    fn read(&self, path: &Path) -> Option<String> {
        use std::io::Read as _;
        let mut bytes = Vec::new();
        std::fs::File::open(path).ok()?.take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    fn list(&self, path: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(path).into_iter().flatten();
        let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let device = rustix::fs::stat(path)?.st_dev;
        let filesystem = rustix::fs::statvfs(path)?;
        Ok(Stat {
            device: (rustix::fs::major(device), rustix::fs::minor(device)),
            total: filesystem.f_blocks.saturating_mul(filesystem.f_frsize),
            free: filesystem.f_bfree.saturating_mul(filesystem.f_frsize),
            available: filesystem.f_bavail.saturating_mul(filesystem.f_frsize),
        })
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let stat = rustix::fs::stat(path)?;
        let is_directory = rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Directory;
        let kind = if is_directory { EntryKind::Directory } else { EntryKind::Other };
        Ok(Entry { kind, uid: stat.st_uid, mode: stat.st_mode & 0o777 })
    }

    fn size(&self, path: &Path) -> Option<u64> {
        rustix::fs::stat(path).ok()?.st_size.try_into().ok()
    }

    /// Runs only a regular file that nobody but root may change, so that a check never runs what a stranger left there.
    fn version_of(&self, binary: &Path) -> Option<String> {
        let stat = rustix::fs::stat(binary).ok()?;
        let others_may_write = stat.st_mode & 0o022 != 0;
        if stat.st_uid != 0
            || others_may_write
            || rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::RegularFile
        {
            return None;
        }
        let output = std::process::Command::new(binary)
            .args(["--no-defaults", "--version"])
            .env_clear()
            .current_dir("/")
            .stdin(std::process::Stdio::null())
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok().filter(|text| !text.trim().is_empty())
    }

    fn physical_memory(&self) -> Option<(u64, String)> {
        let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let total = sysinfo::System::new_with_specifics(memory).ok()?.total_memory();
        (total > 0).then(|| (total, "physical memory".to_owned()))
    }

    fn processors(&self) -> Option<(u32, String)> {
        let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let count = sysinfo::System::new_with_specifics(cpus).ok()?.cpus().len() as u32;
        (count > 0).then(|| (count, "processors of this host".to_owned()))
    }
}
