//! The control groups that hold a process, with every ancestor that is in sight.
//!
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html>, <https://docs.kernel.org/admin-guide/cgroup-v1/memory.html>.

use super::mounts::Mount;
use super::{ServerUnit, System};
use std::path::{Path, PathBuf};

/// The directories of one hierarchy, innermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The unified hierarchy (version 2).
    pub unified: Vec<PathBuf>,
    /// The memory controller of version 1.
    pub memory: Vec<PathBuf>,
    /// The processor controller of version 1.
    pub cpu: Vec<PathBuf>,
    /// The controller of version 1 that pins processes to processors.
    pub cpuset: Vec<PathBuf>,
    /// The controller of version 1 that counts tasks.
    pub pids: Vec<PathBuf>,
}

/// The groups of the server's unit where systemd runs it, else those of this process: in a container they hold the server too.
pub(super) fn groups(system: &dyn System, unit: Option<&ServerUnit>, mounts: &[Mount]) -> Groups {
    let own = system.read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let own_path = |controller: &str| {
        own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let controllers = fields.next()?;
            let path = fields.next()?;
            controllers.split(',').any(|name| name == controller).then_some(path)
        })
    };
    let unit_path = unit.and_then(|unit| unit.control_group.as_deref());
    let levels = |controller: &str| {
        let Some(path) = unit_path.or_else(|| own_path(controller)) else { return Vec::new() };
        let mount = mounts.iter().find(|mount| match controller {
            "" => mount.filesystem == "cgroup2",
            _ => mount.filesystem == "cgroup" && mount.options.split(',').any(|option| option == controller),
        });
        mount.map(|mount| ancestors(mount, path)).unwrap_or_default()
    };
    Groups {
        unified: levels(""),
        memory: levels("memory"),
        cpu: levels("cpu"),
        cpuset: levels("cpuset"),
        pids: levels("pids"),
    }
}

/// The directory of a group and of its ancestors below a mount. A container may see only its own part of the hierarchy mounted.
fn ancestors(mount: &Mount, path: &str) -> Vec<PathBuf> {
    let below = Path::new(path).strip_prefix(&mount.root).unwrap_or(Path::new(""));
    let below = below.strip_prefix("/").unwrap_or(below);
    below.ancestors().map(|level| mount.point.join(level)).collect()
}
