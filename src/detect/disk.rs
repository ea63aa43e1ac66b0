//! The disks under the server's directories: path, mount, block device, through partitions, dm and md to the drives.

use super::mounts::{self, Mount};
use super::{Detection, Places, System};
use crate::facts::FactId;
use crate::value::Value;
use std::path::{Path, PathBuf};

/// A kind of disk, the slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Hdd,
    Network,
    Ssd,
    Nvme,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Hdd => "hdd",
            Self::Network => "network",
            Self::Ssd => "ssd",
            Self::Nvme => "nvme",
        }
    }
}

/// Something found out, with the file that told; or why it cannot be known.
type Known<T> = Result<(T, String), String>;

/// What is known of the disk under one directory.
struct Disk {
    filesystem: Known<String>,
    kind: Known<Kind>,
    capacity: Known<u64>,
    fill: Known<f64>,
    free: Known<u64>,
    barriers: Known<bool>,
    /// The drives as directories of `/sys`; empty when they are not in sight.
    drives: Vec<PathBuf>,
}

impl Disk {
    fn unknown(reason: &str) -> Self {
        let reason = || reason.to_owned();
        Self {
            filesystem: Err(reason()),
            kind: Err(reason()),
            capacity: Err(reason()),
            fill: Err(reason()),
            free: Err(reason()),
            barriers: Err(reason()),
            drives: Vec::new(),
        }
    }
}

pub(super) fn detect(system: &dyn System, places: &Places, detection: &mut Detection) {
    let mounts = mounts::mounts(system);
    let look = |path: &Option<PathBuf>| path.as_deref().map(|path| disk_under(system, &mounts, path));
    let data = look(&places.datadir);
    if let Some(disk) = &data {
        report(detection, FactId::DiskKind, &disk.kind, |kind| Value::Word(kind.word().into()));
        report(detection, FactId::DiskCapacity, &disk.capacity, |bytes| Value::Integer((*bytes).into()));
        report(detection, FactId::DiskFill, &disk.fill, |share| Value::Real(*share));
        report(detection, FactId::DiskFree, &disk.free, |bytes| Value::Integer((*bytes).into()));
        report(detection, FactId::DiskBarriers, &disk.barriers, |on| Value::boolean(*on));
        report(detection, FactId::DiskFilesystem, &disk.filesystem, |name| Value::Word(name.clone().into()));
    }
    let others = [
        (&places.redo_dir, FactId::RedoDiskKind, FactId::RedoDiskSeparate, FactId::RedoDiskFilesystem),
        (&places.binlog_dir, FactId::BinlogDiskKind, FactId::BinlogDiskSeparate, FactId::BinlogDiskFilesystem),
    ];
    for (path, kind, separate, filesystem) in others {
        let Some(disk) = look(path) else { continue };
        report(detection, kind, &disk.kind, |kind| Value::Word(kind.word().into()));
        report(detection, filesystem, &disk.filesystem, |name| Value::Word(name.clone().into()));
        let Some(data) = &data else { continue };
        match (disk.drives.first(), data.drives.is_empty()) {
            (Some(first), false) => {
                let shared = disk.drives.iter().any(|drive| data.drives.contains(drive));
                detection.found(separate, Value::boolean(!shared), shown(first, ""));
            }
            _ if path == &places.datadir => {
                detection.found(separate, Value::boolean(false), "both lie in one directory")
            }
            _ => detection.missing(separate, "the drives under the two directories are not in sight"),
        }
    }
    redo_file(system, places.redo_dir.as_deref(), detection);
}

/// The first of the redo log files, as every server laid them out before MySQL 8.0.30 and MariaDB still does.
fn redo_file(system: &dyn System, directory: Option<&Path>, detection: &mut Detection) {
    let Some(file) = directory.map(|directory| directory.join("ib_logfile0")) else { return };
    match system.size(&file) {
        Some(size) => {
            detection.found(FactId::RedoDiskFileSize, Value::Integer(size.into()), file.display().to_string())
        }
        None => detection.missing(FactId::RedoDiskFileSize, format!("{} is not in sight", file.display())),
    }
}

fn report<T>(detection: &mut Detection, fact: FactId, known: &Known<T>, value: impl Fn(&T) -> Value<'static>) {
    match known {
        Ok((figure, source)) => detection.found(fact, value(figure), source.clone()),
        Err(reason) => detection.missing(fact, reason.clone()),
    }
}

fn disk_under(system: &dyn System, mounts: &[Mount], path: &Path) -> Disk {
    let stat = match system.stat(path) {
        Ok(stat) => stat,
        Err(error) => return Disk::unknown(&format!("{} cannot be looked at: {error}", path.display())),
    };
    let resolved = system.resolve(path).unwrap_or_else(|| path.to_owned());
    let Some(mount) = mounts::mount_of(mounts, &resolved) else {
        return Disk::unknown(&format!("no mount in /proc/self/mountinfo holds {}", path.display()));
    };
    let mut disk = match behind(system, mount, stat.device) {
        Behind::Device(top) => on_device(system, &top),
        Behind::Devices(tops) => {
            let mut drives = Vec::new();
            tops.iter().for_each(|top| collect_drives(system, top, &mut drives, 0));
            let capacity = Err(format!("{} spreads over several devices", mount.filesystem));
            Disk { kind: slowest(system, &drives), drives, ..Disk { capacity, ..Disk::unknown("") } }
        }
        Behind::Network => {
            let source = "/proc/self/mountinfo".to_owned();
            let reason = format!("{} is a network filesystem", mount.filesystem);
            Disk { kind: Ok((Kind::Network, source)), ..Disk::unknown(&reason) }
        }
        Behind::Nothing(reason) => Disk::unknown(&reason),
    };
    disk.filesystem = Ok((mount.filesystem.clone(), "/proc/self/mountinfo".to_owned()));
    // Both names of ext4 and the one of older XFS; whoever sets neither has barriers.
    let barriers = !mount.options.split(',').any(|option| matches!(option, "nobarrier" | "barrier=0"));
    disk.barriers = Ok((barriers, "/proc/self/mountinfo".to_owned()));
    disk.free = match stat.total {
        0 => Err("the filesystem tells no size".to_owned()),
        _ => Ok((stat.available, format!("filesystem of {}", path.display()))),
    };
    disk.fill = match stat.total {
        _ if is_memory(&mount.filesystem) => Err(format!("{} lies in memory", mount.filesystem)),
        0 => Err("the filesystem tells no size".to_owned()),
        total => {
            // Whole percents: the figure moves with every write anyway.
            let used = (total.saturating_sub(stat.free)) as f64 / total as f64;
            Ok(((used * 100.0).round() / 100.0, format!("filesystem of {}", path.display())))
        }
    };
    disk
}

/// What lies behind a mount.
enum Behind {
    Device(PathBuf),
    Devices(Vec<PathBuf>),
    Network,
    Nothing(String),
}

fn is_memory(filesystem: &str) -> bool {
    matches!(filesystem, "tmpfs" | "ramfs")
}

fn behind(system: &dyn System, mount: &Mount, (major, minor): (u32, u32)) -> Behind {
    match mount.filesystem.as_str() {
        "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" | "lustre" | "glusterfs" | "fuse.glusterfs" | "fuse.sshfs"
        | "fuse.ceph-fuse" | "afs" | "beegfs" => return Behind::Network,
        filesystem if is_memory(filesystem) => {
            return Behind::Nothing(format!("{filesystem} lies in memory, on no disk"));
        }
        "overlay" => return Behind::Nothing("overlay hides the disk below its layers".to_owned()),
        "zfs" => return Behind::Nothing("the kernel does not tell the drives of a ZFS pool".to_owned()),
        "9p" | "virtiofs" => {
            return Behind::Nothing(format!("{} shares a directory of the machine's host", mount.filesystem));
        }
        "btrfs" => {
            let devices = btrfs_devices(system, &mount.source);
            if !devices.is_empty() {
                return if devices.len() == 1 { Behind::Device(devices[0].clone()) } else { Behind::Devices(devices) };
            }
        }
        _ => {}
    }
    let link = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
    match system.resolve(&link) {
        Some(device) if major != 0 => Behind::Device(device),
        _ => Behind::Nothing(format!("no block device is known for {} on {}", mount.filesystem, mount.source)),
    }
}

/// All devices of a btrfs filesystem; the mount names only one of them.
fn btrfs_devices(system: &dyn System, source: &str) -> Vec<PathBuf> {
    let source = system.resolve(Path::new(source)).unwrap_or_else(|| source.into());
    let Some(name) = source.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let pools = Path::new("/sys/fs/btrfs");
    let members = system.list(pools).into_iter().map(|pool| system.list(&pools.join(pool).join("devices")));
    let members = members.into_iter().find(|members| members.iter().any(|member| member == name));
    let members = members.unwrap_or_else(|| vec![name.to_owned()]);
    let class = Path::new("/sys/class/block");
    members.into_iter().filter_map(|member| system.resolve(&class.join(member))).collect()
}

fn on_device(system: &dyn System, top: &Path) -> Disk {
    let mut drives = Vec::new();
    collect_drives(system, top, &mut drives, 0);
    // Endurance is a drive's; of an array only the whole can be used.
    let sized = if let [drive] = drives.as_slice() { drive } else { top };
    let file = sized.join("size");
    let sectors = system.read(&file).and_then(|text| text.trim().parse::<u64>().ok());
    // `size` counts sectors of 512 bytes whatever the drive's own are.
    let capacity = sectors.and_then(|sectors| sectors.checked_mul(512)).map(|bytes| (bytes, shown(sized, "size")));
    let capacity = capacity.ok_or_else(|| format!("{} cannot be read", shown(sized, "size")));
    Disk { kind: slowest(system, &drives), capacity, drives, ..Disk::unknown("") }
}

/// Follows partitions to their disk and dm, md and bcache to what they are built on.
fn collect_drives(system: &dyn System, device: &Path, drives: &mut Vec<PathBuf>, depth: u32) {
    let is_partition = system.read(&device.join("partition")).is_some();
    let disk = device.parent().filter(|_| is_partition).unwrap_or(device);
    let slaves = disk.join("slaves");
    // Nobody stacks sixteen layers; a loop in a damaged tree must end.
    let below: Vec<_> = if depth < 16 { system.list(&slaves) } else { Vec::new() };
    for name in &below {
        if let Some(slave) = system.resolve(&slaves.join(name)) {
            collect_drives(system, &slave, drives, depth + 1);
        }
    }
    if below.is_empty() && drives.iter().all(|drive| drive != disk) {
        drives.push(disk.to_owned());
    }
}

/// The slowest of several drives; unknown when any is.
fn slowest(system: &dyn System, drives: &[PathBuf]) -> Known<Kind> {
    let kinds: Result<Vec<_>, String> = drives.iter().map(|drive| kind_of(system, drive)).collect();
    let slowest = kinds?.into_iter().min_by_key(|(kind, _)| *kind);
    slowest.ok_or_else(|| "no drive is in sight".to_owned())
}

/// Models of volumes that a cloud attaches over its network, and of drives in the machine, by the beginning of their name.
///
/// Amazon: <https://docs.aws.amazon.com/ebs/latest/userguide/nvme-ebs-volumes.html>;
/// Google: <https://cloud.google.com/compute/docs/disks/disk-symlinks>;
/// Azure: <https://learn.microsoft.com/azure/virtual-machines/nvme-overview>.
const CLOUD_MODELS: &[(&str, Kind)] = &[
    ("Amazon Elastic Block Store", Kind::Network),
    ("Amazon EC2 NVMe Instance Storage", Kind::Nvme),
    ("PersistentDisk", Kind::Network),
    ("EphemeralDisk", Kind::Ssd),
    ("nvme_card-pd", Kind::Network),
    ("nvme_card", Kind::Nvme),
    ("MSFT NVMe Accelerator", Kind::Network),
    ("Microsoft NVMe Direct Disk", Kind::Nvme),
];

/// Words in the vendor or model of a disk that a hypervisor or a RAID controller invents.
const INVENTED: &[&str] =
    &["QEMU", "VMware", "VBOX", "Msft", "Virtual", "PERC", "MegaRAID", "LOGICAL VOLUME", "ServeRAID", "Smart Adapter"];

fn kind_of(system: &dyn System, drive: &Path) -> Known<Kind> {
    let text = |file: &str| system.read(&drive.join(file)).map(|text| text.trim().to_owned()).unwrap_or_default();
    let name = drive.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let place = drive.to_string_lossy();
    let (model, vendor) = (text("device/model"), text("device/vendor"));
    let source = |file: &str| shown(drive, file);
    if let Some((_, kind)) = CLOUD_MODELS.iter().find(|(start, _)| model.starts_with(start)) {
        return Ok((*kind, format!("{} ({model})", source("device/model"))));
    }
    if ["nbd", "rbd"].iter().any(|driver| name.starts_with(driver))
        || place.contains("/rport-")
        || place.contains("/session")
    {
        return Ok((Kind::Network, source("")));
    }
    if ["loop", "zram", "ram", "drbd"].iter().any(|driver| name.starts_with(driver)) {
        return Err(format!("{name} tells nothing of the disk behind it"));
    }
    let invented = INVENTED.iter().find(|word| model.contains(*word) || vendor.contains(*word));
    if name.starts_with("nvme") {
        return match (invented, nvme_transport(system, drive)) {
            (Some(_), _) => Err(format!("{name} is the virtual disk `{model}`; what it lies on is not known")),
            (None, Some((transport, file))) if transport != "pcie" => Ok((Kind::Network, file)),
            (None, Some((_, file))) => Ok((Kind::Nvme, file)),
            (None, None) => Ok((Kind::Nvme, source(""))),
        };
    }
    // The driver of Xen's virtual disks always says 0 (blk_queue_flag_set in drivers/block/xen-blkfront.c).
    if name.starts_with("xvd") || vendor == "Msft" {
        return Err(format!("{name} is a virtual disk; what it lies on is not known"));
    }
    match text("queue/rotational").as_str() {
        "0" => Ok((Kind::Ssd, source("queue/rotational"))),
        "1" => {
            let is_real_bus = ["/ata", "/host"].iter().any(|bus| place.contains(bus)) && !place.contains("/usb");
            if !is_real_bus || place.contains("/virtio") {
                Err(format!("{name} says that it rotates, but its driver says so of every disk"))
            } else if let Some(word) = invented {
                Err(format!(
                    "{name} says that it rotates, but it is made up by a hypervisor or a RAID controller ({word})"
                ))
            } else if let Some(hypervisor) = hypervisor(system) {
                Err(format!("{name} says that it rotates, but this is a virtual machine ({hypervisor})"))
            } else {
                Ok((Kind::Hdd, source("queue/rotational")))
            }
        }
        _ => Err(format!("{} cannot be read", source("queue/rotational"))),
    }
}

/// A file of a block device under the short name that people know: `/sys/block/sda/queue/rotational`.
fn shown(device: &Path, file: &str) -> String {
    let name = device.file_name().unwrap_or_default();
    Path::new("/sys/block").join(name).join(file).display().to_string().trim_end_matches('/').to_owned()
}

/// How an NVMe drive is attached; with several paths to one drive its subsystem holds the controllers.
fn nvme_transport(system: &dyn System, drive: &Path) -> Option<(String, String)> {
    let device = drive.join("device");
    let direct = device.join("transport");
    let controllers = system.list(&device).into_iter().filter(|name| name.starts_with("nvme"));
    let paths = controllers.map(|name| device.join(name).join("transport"));
    std::iter::once(direct).chain(paths).find_map(|path| {
        let transport = system.read(&path)?.trim().to_owned();
        let file = path.strip_prefix(drive).unwrap_or(&path).to_string_lossy().into_owned();
        Some((transport, shown(drive, &file)))
    })
}

/// The hypervisor that this machine runs on, if one shows.
fn hypervisor(system: &dyn System) -> Option<String> {
    const VENDORS: &[&str] = &[
        "QEMU",
        "VMware",
        "innotek",
        "Xen",
        "Amazon EC2",
        "Google",
        "DigitalOcean",
        "OpenStack",
        "Parallels",
        "Bochs",
        "KVM",
        "Nutanix",
        "Alibaba",
        "Virtual Machine",
        "VirtualBox",
    ];
    let shown = ["/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name", "/sys/hypervisor/type"];
    let shown = shown.iter().filter_map(|path| system.read(Path::new(path))).map(|text| text.trim().to_owned());
    let vendor = shown
        .into_iter()
        .find(|text| !text.is_empty() && VENDORS.iter().any(|vendor| text.contains(vendor)) || text == "xen");
    vendor.or_else(|| {
        // On x86 the processor itself says that a hypervisor is there.
        let processors = system.read(Path::new("/proc/cpuinfo"))?;
        let flags = processors.lines().find(|line| line.starts_with("flags"))?;
        flags.split_whitespace().any(|flag| flag == "hypervisor").then(|| "processor flag hypervisor".to_owned())
    })
}
