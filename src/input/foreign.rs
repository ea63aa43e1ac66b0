//! Files that are named as option files are and belong to another program.

/// The program whose file it is: OpenSSL's have `.cnf` names too, and NDB's management server reads a file with groups of its own.
pub fn owner(bytes: &[u8]) -> Option<&'static str> {
    const OPENSSL: [&[u8]; 9] = [
        b"req",
        b"ca",
        b"v3_ca",
        b"v3_req",
        b"CA_default",
        b"alt_names",
        b"req_distinguished_name",
        b"openssl_init",
        b"dn",
    ];
    let mut owner = None;
    if bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"export ")) {
        return Some("a shell");
    }
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some(inside) = line.trim_ascii().strip_prefix(b"[") else { continue };
        let inside = &inside[..inside.iter().position(|byte| *byte == b']').unwrap_or(inside.len())];
        let group = inside.trim_ascii();
        if is_of_servers(group) {
            return None;
        }
        if group.ends_with(b" default") {
            return Some("NDB Cluster");
        }
        if group.len() + 2 <= inside.len() || OPENSSL.contains(&group) {
            owner = Some("OpenSSL");
        }
    }
    owner
}

/// Whether the group is one that MySQL's or MariaDB's programs read. The management server's file has a `[mysqld]` as well, so that
/// one tells nothing before the others are known.
fn is_of_servers(group: &[u8]) -> bool {
    ["mysql", "mariadb", "client", "server", "galera"].iter().any(|name| group.starts_with(name.as_bytes()))
        && !group.ends_with(b" default")
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn files_of_other_programs_are_known() {
        assert_eq!(owner(b"# x\n[ req ]\nprompt = no\n"), Some("OpenSSL"));
        assert_eq!(owner(b"[alt_names]\nDNS.1 = db\n"), Some("OpenSSL"));
        assert_eq!(owner(b"# x\nexport CLUSTER_PORT='3306'\n"), Some("a shell"));
        assert_eq!(owner(b"[ndbd default]\nNoOfReplicas=2\n[mysqld]\n"), Some("NDB Cluster"));
        for text in
            ["[mysqld]\n", "[ mysqld ]\n", "port=1\n", "[mysqdl]\nport=1\n", "[ndbd]\nndb-connectstring=a\n[mysqld]"]
        {
            assert_eq!(owner(text.as_bytes()), None, "{text}");
        }
    }
}
