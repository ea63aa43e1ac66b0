use cnflint::catalog::{OptionId, entry};
use cnflint::server::*;
#[test]
fn dump() {
    for (n, s) in [
        ("mysql-5.6", Server::new(Flavor::Mysql, 5, 6, 24)),
        ("mysql-9.7", Server::new(Flavor::Mysql, 9, 7, 4)),
        ("mariadb-10.5", Server::new(Flavor::Mariadb, 10, 5, 23)),
        ("mariadb-10.11", Server::new(Flavor::Mariadb, 10, 11, 19)),
        ("mariadb-11.8", Server::new(Flavor::Mariadb, 11, 8, 9)),
    ] {
        for id in OptionId::all() {
            let e = entry(id, s);
            if e.is_option && !e.plugin && !e.windows_only {
                let sh = e.shape;
                println!(
                    "{n}\t{}\t{:?}\t{:?}\t{:?}\t{:?}\t{:?}\t{}\t{}\t{}\t{}",
                    id.name(),
                    e.state,
                    sh.kind,
                    sh.argument,
                    sh.min,
                    sh.max,
                    sh.block_size,
                    e.deprecated,
                    e.plugin_toggle,
                    sh.words
                );
            }
        }
    }
}
