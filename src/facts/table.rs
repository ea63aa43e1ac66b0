//! Every fact: its name in rules, reports and facts files, its unit, the flag that gives it, and what it says.

use crate::value::Unit;

/// What a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactType {
    /// A number in this unit.
    Number(Unit),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any word: a filesystem, a release.
    AnyWord,
    /// `ON` or `OFF`.
    Boolean,
}

macro_rules! facts {
    ($($(#[doc = $doc:literal])+ $id:ident $name:literal $flag:expr, $type:expr;)+) => {
        /// Names one fact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FactId { $($(#[doc = $doc])+ $id),+ }

        impl FactId {
            /// Every fact, in the order in which reports show them.
            pub const ALL: &'static [FactId] = &[$(FactId::$id),+];
            /// The number of facts.
            pub const COUNT: usize = Self::ALL.len();

            /// The name in rules, reports and facts files: `host.ram`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name),+ }
            }

            /// The flag that gives it, if there is one.
            pub const fn flag(self) -> Option<&'static str> {
                match self { $(Self::$id => $flag),+ }
            }

            /// What it holds.
            pub const fn fact_type(self) -> FactType {
                match self { $(Self::$id => $type),+ }
            }

            /// What it says, in one line.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$id => concat!($($doc),+)),+ }
            }
        }
    };
}

use FactType::{AnyWord, Boolean, Number, Word};

facts! {
    /// Memory that the server may use: physical, or the tightest limit of a container, unit or cgroup.
    HostRam "host.ram" Some("--ram"), Number(Unit::Bytes);
    /// Processors that the server may use, quotas counted.
    HostCpus "host.cpus" Some("--cpus"), Number(Unit::Count);
    /// Whether the memory figure is a limit of a container, unit or cgroup.
    HostLimited "host.limited" None, Boolean;
    /// Open files that the server's unit (LimitNOFILE) or container allows.
    HostOpenFiles "host.open_files" None, Number(Unit::Count);
    /// Whether mysqld_safe starts the server; OFF where a systemd unit starts the server program itself.
    HostMysqldSafe "host.mysqld_safe" None, Boolean;
    /// Threads and processes that the server's unit or control group allows (TasksMax).
    HostMaxTasks "host.max_tasks" None, Number(Unit::Count);
    /// Swap space of the machine.
    HostSwap "host.swap" None, Number(Unit::Bytes);
    /// How willingly the kernel swaps instead of dropping file cache (vm.swappiness).
    HostSwappiness "host.swappiness" None, Number(Unit::Count);
    /// Memory that the kernel has reserved as huge pages (HugePages_Total of /proc/meminfo).
    HostHugePages "host.huge_pages" None, Number(Unit::Bytes);
    /// Asynchronous requests that all programs together may reserve with the kernel (fs.aio-max-nr).
    HostAioMax "host.aio_max" None, Number(Unit::Count);
    /// Of these, what the programs that run now have reserved (fs.aio-nr).
    HostAioUsed "host.aio_used" None, Number(Unit::Count);
    /// Whether the kernel lets every program use io_uring; OFF where kernel.io_uring_disabled is 2.
    HostIoUring "host.io_uring" None, Boolean;
    /// Kind of the disk under the data directory.
    DiskKind "disk.kind" Some("--disk"), Word(&["hdd", "ssd", "nvme", "network"]);
    /// Class of the drive, as an explicit assumption about its endurance.
    DiskClass "disk.class" Some("--disk-class"), Word(&["consumer-qlc", "consumer-tlc", "enterprise-read-intensive", "enterprise-mixed-use", "enterprise-write-intensive", "optane"]);
    /// Capacity of the drive.
    DiskCapacity "disk.capacity" Some("--disk-capacity"), Number(Unit::DecimalBytes);
    /// Bytes that the vendor warrants may be written to the drive (TBW).
    DiskEndurance "disk.endurance" Some("--disk-endurance"), Number(Unit::DecimalBytes);
    /// Share of the drive that is in use.
    DiskFill "disk.fill" Some("--disk-fill"), Number(Unit::Share);
    /// Years that the drive is to last.
    DiskLifetime "disk.lifetime" Some("--disk-lifetime"), Number(Unit::Years);
    /// Filesystem of the data directory.
    DiskFilesystem "disk.filesystem" None, AnyWord;
    /// Bytes that a server may still write to the filesystem of the data directory.
    DiskFree "disk.free" None, Number(Unit::Bytes);
    /// Whether that filesystem makes the drive empty its cache at each sync; OFF with `nobarrier`.
    DiskBarriers "disk.barriers" None, Boolean;
    /// Kind of the disk under the redo log.
    RedoDiskKind "redo_disk.kind" None, Word(&["hdd", "ssd", "nvme", "network"]);
    /// Whether the redo log lies on another device than the data.
    RedoDiskSeparate "redo_disk.separate" None, Boolean;
    /// Filesystem of the redo log.
    RedoDiskFilesystem "redo_disk.filesystem" None, AnyWord;
    /// Size of the redo log file that lies there already (ib_logfile0).
    RedoDiskFileSize "redo_disk.file_size" None, Number(Unit::Bytes);
    /// Kind of the disk under the binary log.
    BinlogDiskKind "binlog_disk.kind" None, Word(&["hdd", "ssd", "nvme", "network"]);
    /// Whether the binary log lies on another device than the data.
    BinlogDiskSeparate "binlog_disk.separate" None, Boolean;
    /// Filesystem of the binary log.
    BinlogDiskFilesystem "binlog_disk.filesystem" None, AnyWord;
    /// Bytes of the largest load or transaction.
    WorkloadLoadSize "workload.load_size" Some("--load-size"), Number(Unit::Bytes);
    /// Redo bytes written for each byte loaded.
    WorkloadRedoFactor "workload.redo_factor" Some("--redo-factor"), Number(Unit::Count);
    /// Redo bytes a second at the peak.
    WorkloadRedoRate "workload.redo_rate" Some("--redo-rate"), Number(Unit::BytesPerSecond);
    /// Bytes a second that the server writes to the device, averaged over days.
    WorkloadWriteRate "workload.write_rate" Some("--write-rate"), Number(Unit::BytesPerSecond);
    /// Whether other programs share the machine.
    WorkloadShared "workload.shared" Some("--shared"), Boolean;
    /// What the server is doing: serving, or being filled.
    WorkloadPhase "workload.phase" Some("--phase"), Word(&["production", "import"]);
    /// Part that the server plays in replication.
    WorkloadRole "workload.role" Some("--role"), Word(&["primary", "replica", "standalone"]);
    /// Seconds since the running server started.
    RunningUptime "running.uptime" Some("--snapshot"), Number(Unit::Seconds);
    /// Whether the running server writes its redo log (`Innodb_redo_log_enabled`).
    RunningRedoLogEnabled "running.redo_log_enabled" Some("--snapshot"), Boolean;
    /// Pages flushed from the buffer pool since the running server started.
    RunningPagesWritten "running.pages_written" Some("--snapshot"), Number(Unit::Count);
    /// Bytes written to the redo log since the running server started.
    RunningRedoWritten "running.redo_written" Some("--snapshot"), Number(Unit::Bytes);
    /// The largest checkpoint age that the running server allows.
    RunningCheckpointMaxAge "running.checkpoint_max_age" Some("--snapshot"), Number(Unit::Bytes);
    /// The most connections that were open at once since the running server started.
    RunningMaxUsedConnections "running.max_used_connections" Some("--snapshot"), Number(Unit::Count);
}

impl FactId {
    /// The fact of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// What its number counts; `None` for words and booleans.
    pub const fn unit(self) -> Option<Unit> {
        match self.fact_type() {
            FactType::Number(unit) => Some(unit),
            FactType::Word(_) | FactType::AnyWord | FactType::Boolean => None,
        }
    }
}
