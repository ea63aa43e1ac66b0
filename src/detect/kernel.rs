//! What the kernel sets aside for programs and what it allows them: huge pages, asynchronous I/O.

use super::{Detection, System};
use crate::facts::FactId;
use crate::value::Value;
use std::path::Path;

pub(super) fn detect(system: &dyn System, detection: &mut Detection) {
    huge_pages(system, detection);
    for (fact, path) in [(FactId::HostAioMax, "/proc/sys/fs/aio-max-nr"), (FactId::HostAioUsed, "/proc/sys/fs/aio-nr")]
    {
        match number(system, path) {
            Some(number) => detection.found(fact, Value::Integer(number), path),
            None => detection.missing(fact, format!("{path} cannot be read")),
        }
    }
    io_uring(system, detection);
}

/// The pages of the default size, which servers ask for unless they are told another.
fn huge_pages(system: &dyn System, detection: &mut Detection) {
    let memory = "/proc/meminfo";
    let text = system.read(Path::new(memory)).unwrap_or_default();
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let pages = line("HugePages_Total:").and_then(|number| number.parse::<i128>().ok());
    let size = line("Hugepagesize:").and_then(|size| size.strip_suffix("kB")?.trim().parse::<i128>().ok());
    match pages.zip(size).and_then(|(pages, size)| pages.checked_mul(size)?.checked_mul(1024)) {
        Some(bytes) => detection.found(FactId::HostHugePages, Value::Integer(bytes), memory),
        None => detection.missing(FactId::HostHugePages, format!("{memory} tells no HugePages_Total")),
    }
}

/// <https://docs.kernel.org/admin-guide/sysctl/kernel.html#io-uring-disabled>
fn io_uring(system: &dyn System, detection: &mut Detection) {
    let path = "/proc/sys/kernel/io_uring_disabled";
    match number(system, path) {
        Some(0) => detection.found(FactId::HostIoUring, Value::boolean(true), path),
        Some(2) => detection.found(FactId::HostIoUring, Value::boolean(false), path),
        Some(_) => detection.missing(FactId::HostIoUring, format!("{path} allows it to some users")),
        None => detection.missing(FactId::HostIoUring, format!("{path} cannot be read")),
    }
}

fn number(system: &dyn System, path: &str) -> Option<i128> {
    system.read(Path::new(path))?.trim().parse().ok()
}
