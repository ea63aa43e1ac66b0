//! Whether a text is an option file: other programs' files have groups too.

/// Groups of which one tells an option file; what may follow is a number or a version.
const TELLING: [&str; 12] = [
    "mysqld",
    "mariadb",
    "mariadbd",
    "galera",
    "mysqld_safe",
    "mariadbd-safe",
    "mysqldump",
    "mysql",
    "mysqlhotcopy",
    "client-server",
    "client-mariadb",
    "mysqld_multi",
];
/// Groups that others have as well.
const COMMON: [&str; 8] = ["client", "server", "embedded", "sst", "xtrabackup", "mariabackup", "isamchk", "myisamchk"];
/// Lines of package repositories, whose groups are named after what they hold.
const REPOSITORY: [&str; 4] = ["baseurl", "mirrorlist", "gpgkey", "metalink"];

/// Whether the text is one; a name such as `my.cnf` is believed where the groups alone do not tell.
pub fn is_option_file(text: &str, name: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| says_something(line)).peekable();
    let named = name.ends_with(".cnf") || name.ends_with("my.ini");
    if lines.peek().is_none_or(|first| !(first.starts_with('[') || first.starts_with("!include"))) {
        return false;
    }
    let mut telling = named;
    for line in lines {
        let Some(group) = line.strip_prefix('[').and_then(|line| line.split(']').next()) else {
            if REPOSITORY.iter().any(|word| line.starts_with(word)) {
                return false;
            }
            continue;
        };
        if is_of_cluster(group) {
            return false;
        }
        let group = group.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let group = group.strip_suffix('-').unwrap_or(group);
        telling |= TELLING.contains(&group);
        if !TELLING.contains(&group) && !COMMON.contains(&group) && !telling {
            return false;
        }
    }
    telling
}

/// Whether the group is one of the configuration of a whole NDB cluster, which a management server reads.
pub fn is_of_cluster(group: &str) -> bool {
    let group = group.trim().to_ascii_lowercase();
    group.ends_with(" default") || matches!(group.as_str(), "ndbd" | "ndb_mgmd" | "mgm" | "tcp" | "db" | "computer")
}

/// Neither blank nor a comment nor a template's control line.
fn says_something(line: &str) -> bool {
    !(line.is_empty() || ["#", ";", "{{", "{%", "<%"].iter().any(|start| line.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::is_option_file;

    #[test]
    fn groups_tell_option_files() {
        for text in ["# x\n[mysqld]\na=1", "{% if x %}\n[mariadb-10.11]\n", "[client]\nport=1\n[mysqld]", "[mysqld1]"] {
            assert!(is_option_file(text, ""), "{text}");
        }
        for text in [
            "cat <<EOF\n[client]\nEOF",
            "[server]\nhttp_port = 3000\n",
            "[mariadb]\nname = MariaDB\nbaseurl = https://x",
            "[ndbd default]\nNoOfReplicas=2\n[mysqld]\n",
            "[ req ]\ndefault_bits = 2048",
            "",
        ] {
            assert!(!is_option_file(text, ""), "{text}");
        }
        assert!(is_option_file("[client]\nport=1", "my.cnf"));
        assert!(is_option_file("[server]\nport=1", "/etc/my.cnf.d/server.cnf"));
    }
}
