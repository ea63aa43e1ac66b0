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
    let is_line =
        |begin: &[u8]| bytes.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(begin));
    // `%` begins a comment of TeX, whose files have no groups, and a control line of templates, which have.
    if is_line(b"%") && !is_line(b"[") {
        return Some("TeX");
    }
    if is_line(b"openssl_conf") {
        return Some("OpenSSL");
    }
    if is_line(b"admin_variables") || is_line(b"mysql_variables") {
        return Some("ProxySQL");
    }
    // Login paths are scrambled; four bytes that are not used come first.
    if bytes.starts_with(&[0; 4]) {
        return Some("mysql_config_editor");
    }
    let interpreter = bytes.strip_prefix(b"#!").and_then(|rest| rest.split(|byte| *byte == b'\n').next());
    if interpreter.is_some_and(|line| line.ends_with(b"sh")) || exports(bytes) {
        return Some("a shell");
    }
    let (mut has_ndb_node, mut has_server) = (false, false);
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some(inside) = group(line) else { continue };
        let group = inside.trim_ascii();
        if is_of_servers(group) {
            // A cluster's nodes may be told of the servers between them.
            if !has_ndb_node {
                return None;
            }
            has_server = true;
        }
        match group {
            b"maxscale" => return Some("MaxScale"),
            b"server default" => return Some("MHA"),
            _ => {}
        }
        has_ndb_node |= [b"ndbd".as_slice(), b"ndb_mgmd"].contains(&group);
        // No program but the management server has these beside its nodes.
        let is_of_nodes = has_ndb_node && [b"api".as_slice(), b"computer", b"tcp", b"shm"].contains(&group);
        if group.ends_with(b" default") || is_of_nodes {
            return Some("NDB Cluster");
        }
        if group.len() + 2 <= inside.len() || OPENSSL.contains(&group) {
            owner = Some("OpenSSL");
        }
    }
    owner.filter(|_| !has_server)
}

/// Whether a shell's variable is exported before any group of a server: behind one, the line is a mistake in an option file.
fn exports(bytes: &[u8]) -> bool {
    let telling = bytes.split(|byte| *byte == b'\n').find_map(|line| match group(line) {
        Some(group) => is_of_servers(group.trim_ascii()).then_some(false),
        None => line.starts_with(b"export ").then_some(true),
    });
    telling == Some(true)
}

/// What stands between the brackets of a line.
fn group(line: &[u8]) -> Option<&[u8]> {
    let inside = line.trim_ascii().strip_prefix(b"[")?;
    inside.split(|byte| *byte == b']').next()
}

/// Whether the group is one that MySQL's or MariaDB's programs read. The management server's file has a `[mysqld]` as well, so that
/// one tells nothing before the others are known; certificates have a `client_ca` and a `server_cert`.
fn is_of_servers(group: &[u8]) -> bool {
    let is_program = ["mysql", "mariadb", "galera"].iter().any(|name| group.starts_with(name.as_bytes()));
    let is_common = [b"client", b"server"]
        .iter()
        .any(|name| group.strip_prefix(*name).is_some_and(|rest| matches!(rest.first(), None | Some(b'-'))));
    (is_program || is_common) && !group.ends_with(b" default")
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn files_of_other_programs_are_known() {
        assert_eq!(owner(b"# x\n[ req ]\nprompt = no\n"), Some("OpenSSL"));
        assert_eq!(owner(b"[alt_names]\nDNS.1 = db\n"), Some("OpenSSL"));
        assert_eq!(owner(b"[ client_ca]\npolicy = any\n[ req]\nprompt = no\n"), Some("OpenSSL"));
        assert_eq!(owner(b"[ req ]\nprompt = no\n[ server_cert ]\n"), Some("OpenSSL"));
        assert_eq!(owner(b"openssl_conf = default_conf\n[default_conf]\nssl_conf = ssl_sect\n"), Some("OpenSSL"));
        assert_eq!(owner(b"[ndb_mgmd]\nHostName=a\n[ndbd]\nHostName=b\n[mysqld]\n[api]\n"), Some("NDB Cluster"));
        assert_eq!(owner(b"#!/bin/bash\nset -x\n"), Some("a shell"));
        assert_eq!(owner(b"admin_variables=\n{\n}\n"), Some("ProxySQL"));
        assert_eq!(owner(b"[maxscale]\nthreads=auto\n[server1]\ntype=server\n"), Some("MaxScale"));
        assert_eq!(owner(b"[server default]\nuser=root\n[server1]\nhostname=a\n"), Some("MHA"));
        assert_eq!(owner(b"\0\0\0\0\x12\x03[client]\n"), Some("mysql_config_editor"));
        assert_eq!(owner(b"% where files are\nTEXMFMAIN = /usr/share/texmf\n"), Some("TeX"));
        assert_eq!(owner(b"# x\nexport CLUSTER_PORT='3306'\n"), Some("a shell"));
        assert_eq!(owner(b"[ndbd default]\nNoOfReplicas=2\n[mysqld]\n"), Some("NDB Cluster"));
        assert_eq!(owner(b"export A=1\ncat <<EOF\n[mysqld]\nEOF\n"), Some("a shell"));
        for text in [
            "[mysqld]\n",
            "[mysqld]\nport = 3306\nexport TZ=UTC\n",
            "[ mysqld ]\n",
            "% if x:\n[mysqld]\n% endif\n",
            "[client-server]\n",
            "[client_x]\n",
            "port=1\n",
            "[mysqdl]\nport=1\n",
            "[ndbd]\nndb-connectstring=a\n[mysqld]",
        ] {
            assert_eq!(owner(text.as_bytes()), None, "{text}");
        }
    }
}
