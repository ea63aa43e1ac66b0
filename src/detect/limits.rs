//! Memory, processors and open files: what the machine has, and what containers, units and control groups leave of it.

use super::cgroup::{self, Groups};
use super::{Detection, ServerUnit, System, mounts};
use crate::facts::FactId;
use crate::value::Value;
use std::path::Path;

/// A figure and the file that tells it.
#[derive(Clone, Debug, PartialEq)]
struct Limit<T> {
    value: T,
    source: String,
}

pub(super) fn detect(system: &dyn System, unit: Option<&ServerUnit>, detection: &mut Detection) {
    let mounts = mounts::mounts(system);
    let groups = cgroup::groups(system, unit, &mounts);
    memory(system, unit, &groups, detection);
    processors(system, unit, &groups, detection);
    open_files(system, unit, detection);
    mysqld_safe(system, unit, detection);
    tasks(system, unit, &groups, detection);
    swap(system, detection);
}

fn memory(system: &dyn System, unit: Option<&ServerUnit>, groups: &Groups, detection: &mut Detection) {
    let physical = system.physical_memory();
    let mut limits = Vec::new();
    for level in &groups.unified {
        // Above `high` the kernel throttles and reclaims: a server cannot live there either.
        for file in ["memory.max", "memory.high"] {
            limits.extend(number_in(system, &level.join(file)));
        }
    }
    for level in &groups.memory {
        limits.extend(number_in(system, &level.join("memory.limit_in_bytes")));
    }
    // The ancestors that a container cannot see count here.
    if let Some(level) = groups.memory.first() {
        let path = level.join("memory.stat");
        let text = system.read(&path).unwrap_or_default();
        let value = text.lines().find_map(|line| line.strip_prefix("hierarchical_memory_limit "));
        let value = value.and_then(|value| value.trim().parse().ok());
        limits.extend(value.map(|value| Limit { value, source: path.display().to_string() }));
    }
    for name in ["MemoryMax", "MemoryHigh", "MemoryLimit"] {
        let Some(setting) = unit.and_then(|unit| unit.setting(name)) else { continue };
        let value = unit_memory(&setting.value, physical.as_ref().map(|(bytes, _)| *bytes));
        limits.extend(value.map(|value| Limit { value, source: format!("{} ({name})", setting.file) }));
    }
    let tightest = limits.into_iter().min_by_key(|limit: &Limit<u64>| limit.value);
    let (limited, ram) = match (tightest, physical) {
        // Without a limit, version 1 shows a number far beyond any memory.
        (Some(limit), Some((bytes, _))) if limit.value < bytes => (true, limit),
        (_, Some((value, source))) => (false, Limit { value, source }),
        (Some(limit), None) if limit.value < 1 << 60 => (true, limit),
        (_, None) => {
            return detection.missing(FactId::HostRam, "neither the kernel nor a limit tells the size of memory");
        }
    };
    detection.found(FactId::HostLimited, Value::boolean(limited), ram.source.clone());
    detection.found(FactId::HostRam, Value::Integer(ram.value.into()), ram.source);
}

fn number_in(system: &dyn System, path: &Path) -> Option<Limit<u64>> {
    let value = system.read(path)?.trim().parse().ok()?;
    Some(Limit { value, source: path.display().to_string() })
}

/// `2G`, `60%` of physical memory, `infinity`: systemd.resource-control(5), units of 1024.
fn unit_memory(text: &str, physical: Option<u64>) -> Option<u64> {
    match text.strip_suffix('%') {
        Some(percent) => Some((physical? as f64 * percent.trim().parse::<f64>().ok()? / 100.0) as u64),
        None => match FactId::HostRam.parse(text) {
            Ok(Value::Integer(bytes)) => bytes.try_into().ok(),
            _ => None,
        },
    }
}

fn processors(system: &dyn System, unit: Option<&ServerUnit>, groups: &Groups, detection: &mut Detection) {
    let mut limits = Vec::new();
    limits.extend(system.processors().map(|(count, source)| Limit { value: f64::from(count), source }));
    for level in &groups.unified {
        let path = level.join("cpu.max");
        let text = system.read(&path).unwrap_or_default();
        let mut fields = text.split_whitespace().map(str::parse::<f64>);
        if let (Some(Ok(quota)), Some(Ok(period))) = (fields.next(), fields.next()) {
            limits.push(Limit { value: quota / period, source: path.display().to_string() });
        }
    }
    for level in &groups.cpu {
        let quota = number_in(system, &level.join("cpu.cfs_quota_us"));
        let period = number_in(system, &level.join("cpu.cfs_period_us"));
        if let (Some(quota), Some(period)) = (quota, period) {
            limits.push(Limit { value: quota.value as f64 / period.value as f64, source: quota.source });
        }
    }
    let unified = groups.unified.iter().map(|level| level.join("cpuset.cpus.effective"));
    let files = unified.chain(groups.cpuset.iter().map(|level| level.join("cpuset.effective_cpus")));
    for path in files {
        let count = system.read(&path).and_then(|text| count_of_list(&text));
        limits.extend(count.map(|count| Limit { value: f64::from(count), source: path.display().to_string() }));
    }
    if let Some(setting) = unit.and_then(|unit| unit.setting("CPUQuota")) {
        let percent = setting.value.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
        let source = format!("{} (CPUQuota)", setting.file);
        limits.extend(percent.map(|percent| Limit { value: percent / 100.0, source }));
    }
    if let Some(setting) = unit.and_then(|unit| unit.setting("AllowedCPUs")) {
        let count = count_of_list(&setting.value.split_whitespace().collect::<Vec<_>>().join(","));
        let source = format!("{} (AllowedCPUs)", setting.file);
        limits.extend(count.map(|count| Limit { value: f64::from(count), source }));
    }
    let usable = limits.into_iter().filter(|limit| limit.value.is_finite() && limit.value > 0.0);
    match usable.min_by(|a, b| a.value.total_cmp(&b.value)) {
        Some(Limit { value, source }) if value.fract() == 0.0 => {
            detection.found(FactId::HostCpus, Value::Integer(value as i128), source);
        }
        Some(Limit { value, source }) => detection.found(FactId::HostCpus, Value::Real(value), source),
        None => detection.missing(FactId::HostCpus, "the kernel does not tell the number of processors"),
    }
}

/// The number of processors in a list such as `0-3,8`.
pub(super) fn count_of_list(text: &str) -> Option<u32> {
    let mut count = 0_u32;
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let processors = last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)?;
        count = count.checked_add(processors)?;
    }
    (count > 0).then_some(count)
}

/// A control group counts threads as well as processes; what cannot be read, or says `max`, is no limit.
fn tasks(system: &dyn System, unit: Option<&ServerUnit>, groups: &Groups, detection: &mut Detection) {
    let levels = groups.unified.iter().chain(&groups.pids);
    let mut limits: Vec<_> = levels.filter_map(|level| number_in(system, &level.join("pids.max"))).collect();
    if let Some(setting) = unit.and_then(|unit| unit.setting("TasksMax")) {
        let source = format!("{} (TasksMax)", setting.file);
        limits.extend(setting.value.parse().ok().map(|value| Limit { value, source }));
    }
    match limits.into_iter().min_by_key(|limit: &Limit<u64>| limit.value) {
        Some(limit) => detection.found(FactId::HostMaxTasks, Value::Integer(limit.value.into()), limit.source),
        None => detection.missing(FactId::HostMaxTasks, "neither a unit nor a control group sets a limit"),
    }
}

fn swap(system: &dyn System, detection: &mut Detection) {
    let memory = "/proc/meminfo";
    let text = system.read(Path::new(memory)).unwrap_or_default();
    let kibibytes = text.lines().find_map(|line| line.strip_prefix("SwapTotal:")?.trim().strip_suffix("kB"));
    match kibibytes.and_then(|number| number.trim().parse::<i128>().ok()) {
        Some(kibibytes) => detection.found(FactId::HostSwap, Value::Integer(kibibytes * 1024), memory),
        None => detection.missing(FactId::HostSwap, format!("{memory} tells no SwapTotal")),
    }
    let path = Path::new("/proc/sys/vm/swappiness");
    match number_in(system, path) {
        Some(limit) => detection.found(FactId::HostSwappiness, Value::Integer(limit.value.into()), limit.source),
        None => detection.missing(FactId::HostSwappiness, format!("{} cannot be read", path.display())),
    }
}

/// The hard limit counts: a server raises its own soft limit up to it (`my_set_max_open_files` in the sources of both servers).
fn open_files(system: &dyn System, unit: Option<&ServerUnit>, detection: &mut Detection) {
    let Some(unit) = unit else {
        return match first_process(system) {
            Some(limit) => detection.found(FactId::HostOpenFiles, Value::Integer(limit.value.into()), limit.source),
            None => detection.missing(FactId::HostOpenFiles, "no systemd unit starts a server here"),
        };
    };
    let Some(setting) = unit.setting("LimitNOFILE") else {
        return detection.missing(FactId::HostOpenFiles, format!("{} sets no LimitNOFILE", unit.name));
    };
    if unit.setting("User").is_none_or(|user| ["root", "0"].contains(&user.value.as_str())) {
        let reason = format!("{} starts the server as root, which may lift any limit", unit.name);
        return detection.missing(FactId::HostOpenFiles, reason);
    }
    let hard = setting.value.rsplit(':').next().unwrap_or_default();
    let kernel = Path::new("/proc/sys/fs/nr_open");
    let limit = match hard {
        "infinity" => number_in(system, kernel).map(|limit| limit.value),
        number => number.parse().ok(),
    };
    match limit {
        Some(limit) => {
            detection.found(
                FactId::HostOpenFiles,
                Value::Integer(limit.into()),
                format!("{} (LimitNOFILE)", setting.file),
            );
        }
        None => detection
            .missing(FactId::HostOpenFiles, format!("LimitNOFILE={} in {} is no number", setting.value, setting.file)),
    }
}

/// In a container the server itself is the first process, with the limits that the runtime gave it.
fn first_process(system: &dyn System) -> Option<Limit<u64>> {
    if started_by_script(system.read(Path::new(FIRST_PROCESS))?.trim()) != Some(false) {
        return None;
    }
    let path = "/proc/1/limits";
    let text = system.read(Path::new(path))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let hard = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(Limit { value: hard, source: path.to_owned() })
}

/// The name of the first process: in a container that of the server, once its entry point has started it.
const FIRST_PROCESS: &str = "/proc/1/comm";

/// Whether `mysqld_safe` starts the server, told by the name of the program; a wrapper of another name tells nothing.
fn mysqld_safe(system: &dyn System, unit: Option<&ServerUnit>, detection: &mut Detection) {
    let program = unit.and_then(|unit| {
        let path = Path::new(unit.exec_start.first()?);
        Some((path.file_name()?.to_str()?, &unit.setting("ExecStart")?.file))
    });
    let Some((program, file)) = program else {
        let first = system.read(Path::new(FIRST_PROCESS)).unwrap_or_default();
        return match started_by_script(first.trim()) {
            Some(by_script) => detection.found(FactId::HostMysqldSafe, Value::boolean(by_script), FIRST_PROCESS),
            None => detection.missing(FactId::HostMysqldSafe, "no systemd unit starts a server here"),
        };
    };
    match started_by_script(program) {
        Some(by_script) => {
            detection.found(FactId::HostMysqldSafe, Value::boolean(by_script), format!("{file} (ExecStart)"));
        }
        None => {
            detection.missing(FactId::HostMysqldSafe, format!("{file} starts `{program}`, which may start anything"))
        }
    }
}

fn started_by_script(program: &str) -> Option<bool> {
    match program {
        "mysqld" | "mariadbd" | "mysqld-debug" => Some(false),
        "mysqld_safe" | "mariadbd-safe" => Some(true),
        _ => None,
    }
}
