//! The server that a container image holds, by the image's name and tag.

use super::defaults::with_defaults;
use crate::server::{Flavor, SERIES, ServerSpec};

/// The server of an image such as `mysql:8.4`, `docker.io/bitnami/mariadb:10.11.6-debian-12`, `percona/percona-server:8.0`.
///
/// A tag such as `latest` tells the flavor only. `None` for an image that holds another program.
pub fn server(image: &str) -> Option<ServerSpec> {
    let image = &with_defaults(image);
    let image = image.split('@').next().unwrap_or(image);
    let last = image.rsplit('/').next().unwrap_or(image);
    let (name, tag) = last.split_once(':').unwrap_or((last, ""));
    let flavor = match name {
        "mysql" | "mysql-server" | "community-server" | "enterprise-server" => Flavor::Mysql,
        "mariadb" | "mariadb-galera" | "mariadb-server" => Flavor::Mariadb,
        "percona" | "percona-server" | "percona-server-mysql" => Flavor::Percona,
        "percona-xtradb-cluster" => Flavor::Pxc,
        _ => return None,
    };
    let version: String = tag.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let version = version.trim_end_matches('.');
    let newest_of = |major: u16| SERIES.iter().rfind(|series| series.flavor == flavor && series.first.major == major);
    let spec = match version.contains('.') {
        true => ServerSpec::parse(&format!("{}-{version}", flavor.name())).ok(),
        // `mysql:8` is the newest release of that number.
        false => version.parse().ok().and_then(newest_of).map(|series| ServerSpec::Series(*series)),
    };
    Some(spec.unwrap_or(ServerSpec::Flavor(flavor)))
}

/// The server that reads a file, by the names that packages give to their directories and files.
pub fn of_path(path: &str) -> Option<(ServerSpec, String)> {
    let is_any = |names: &[&str]| path.split('/').any(|name| names.contains(&name));
    let flavor = if is_any(&["mariadb.conf.d", "mariadb.cnf", "mariadb-server.cnf"]) {
        Flavor::Mariadb
    } else if is_any(&["mysql.conf.d", "mysql-server.cnf"]) {
        Flavor::Mysql
    } else if is_any(&["percona-xtradb-cluster.conf.d"]) {
        Flavor::Pxc
    } else {
        return None;
    };
    Some((ServerSpec::Flavor(flavor), format!("path {path}")))
}

/// Whether the image is one whose own option files set nothing that a rule asks for: those of the makers, not those of packagers.
pub fn is_plain(image: &str) -> bool {
    let name = image.split([':', '@']).next().unwrap_or(image);
    let name = name.strip_prefix("docker.io/").unwrap_or(name);
    let name = name.strip_prefix("library/").unwrap_or(name);
    matches!(name, "mysql" | "mariadb" | "percona" | "percona/percona-server" | "mysql/mysql-server")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_tell_the_server() {
        let spec = |text| Some(ServerSpec::parse(text).unwrap());
        assert_eq!(server("mysql:8.4"), spec("mysql-8.4"));
        assert_eq!(server("docker.io/bitnami/mariadb:10.11.6-debian-12-r3"), spec("mariadb-10.11.6"));
        assert_eq!(server("percona/percona-xtradb-cluster:8.0.36"), spec("pxc-8.0.36"));
        assert_eq!(server("registry.example:5000/mysql/mysql-server:8.0@sha256:abc"), spec("mysql-8.0"));
        assert_eq!(server("mysql:8"), spec("mysql-8.4"));
        assert_eq!(server("mariadb:latest"), spec("mariadb"));
        assert_eq!(server("mysql:${VERSION:-5.7}"), spec("mysql-5.7"));
        assert_eq!(server("${REGISTRY}/mariadb:${VERSION}"), spec("mariadb"));
        assert_eq!(server("mysql/mysql-router:8.0"), None);
        assert_eq!(of_path("/etc/mysql/mariadb.conf.d/x.cnf").map(|(spec, _)| spec), spec("mariadb"));
        assert_eq!(of_path("/etc/mysql/conf.d/x.cnf"), None);
    }
}
