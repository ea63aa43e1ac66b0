//! Option files beside a compose file that a service finds where its server looks for them.

use super::yaml::Node;

/// A file or a directory, as the compose file calls it, and where the service finds it.
pub struct Mount {
    /// Relative to the compose file.
    pub source: String,
    /// In the container.
    pub target: String,
}

/// The option files of a service, in the order in which a server reads them, and whether these are all that are mounted.
pub fn of_service(service: &Node, document: &Node) -> (Vec<Mount>, bool) {
    let mut mounts = Vec::new();
    let mut all_known = service.get("build").is_none();
    for volume in items(service, "volumes") {
        let Some(mount) = of_volume(volume) else { continue };
        let is_here = mount.source.starts_with('.');
        let is_read = mount.target.starts_with("/etc/") || mount.target.starts_with("/opt/");
        let is_file = mount.source.ends_with(".cnf") && mount.target.ends_with(".cnf");
        let is_directory = mount.target.trim_end_matches('/').ends_with(".d") && !mount.source.ends_with(".cnf");
        let into_etc = mount.target.starts_with("/etc/my") || mount.target == "/etc";
        if is_here && is_read && (is_file || is_directory) {
            mounts.push(mount);
        } else {
            all_known &= !into_etc;
        }
    }
    for config in items(service, "configs") {
        let Some(name) = config.scalar().or_else(|| config.text(&["source"])) else { continue };
        // What has its content in the compose file is a part of it.
        all_known = false;
        let target = config.text(&["target"]).map_or("/etc/my.cnf", |target| target.value.as_str());
        if let Some(source) = document.text(&["configs", &name.value, "file"])
            && target.ends_with(".cnf")
            && source.value.ends_with(".cnf")
        {
            mounts.push(Mount { source: here(&source.value), target: target.to_owned() });
        }
    }
    // The files of a directory come behind the one that includes it.
    let in_directory = |mount: &Mount| mount.target.contains(".d/") || mount.target.ends_with(".d");
    mounts.sort_by(|one, other| {
        (in_directory(one), one.target.as_str()).cmp(&(in_directory(other), other.target.as_str()))
    });
    (mounts, all_known)
}

fn items<'n>(service: &'n Node, key: &str) -> &'n [Node] {
    match service.get(key) {
        Some(Node::Sequence(sequence)) => &sequence.items,
        _ => &[],
    }
}

fn of_volume(volume: &Node) -> Option<Mount> {
    let (source, target) = match volume {
        Node::Scalar(text) => {
            let (source, rest) = text.value.split_once(':')?;
            (source, rest.split(':').next()?.to_owned())
        }
        volume => (volume.text(&["source"])?.value.as_str(), volume.text(&["target"])?.value.clone()),
    };
    Some(Mount { source: here(source), target })
}

/// The directory of the compose file is where it is mostly run.
fn here(source: &str) -> String {
    ["${PWD}/", "$PWD/"]
        .iter()
        .find_map(|here| source.strip_prefix(here))
        .map_or_else(|| source.to_owned(), |rest| format!("./{rest}"))
}
