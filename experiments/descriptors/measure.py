#!/usr/bin/env python3
"""What becomes of max_connections, table_open_cache and open_files_limit under a limit of descriptors."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import Running, Table, chosen, data_directory, is_mysql, most_descriptors

MOST = most_descriptors()
# Soft and hard limit.
LIMITS = [(256, 256), (1024, 1024), (4096, 4096), (MOST, MOST), (256, MOST), (1024, 4096)]
# open_files_limit, max_connections, table_open_cache as configured; None leaves the server's default.
SETTINGS = [
    (None, None, None),
    (None, 900, None),
    (None, 1000, None),
    (None, 100, 4000),
    (None, 2000, 4000),
    (2000, 1000, 1000),
    (10000, 2000, 4000),
]
NAMES = ["open-files-limit", "max-connections", "table-open-cache"]
READ = ["open_files_limit", "max_connections", "table_open_cache"]
CONNECTIONS = 100


def mysql_expects(name, limit, settings):
    """What MySQL makes of its settings. Differences are unsigned: below zero they are huge, and nothing is lowered."""
    files, connections, tables = settings
    connections = connections or 151
    tables = tables or (2000 if name == "mysql-5.6" else 4000)
    wanted = max(10 + connections + 2 * tables, 5 * connections, files or 5000)
    granted = max(wanted, limit[0]) if wanted <= limit[1] else limit[0]
    connections = min(connections, unsigned(granted - 10 - 2 * 400))
    tables = min(tables, max(unsigned(granted - 10 - connections) // 2, 400))
    return [granted, connections, tables]


def mariadb_expects(_, limit, settings):
    """The same for MariaDB. First the instances of the table cache are reduced, then the rest."""
    files, connections, tables = settings
    connections, tables, instances = connections or 151, tables or 2000, 8
    wanted = max(32 + connections + 1 + 2 * tables * instances, 5 * (connections + 1), files or 0)
    granted = wanted if wanted <= limit[1] else limit[0]
    least = min(tables, 200)
    instances = min(instances, max(unsigned(granted - 30 - connections) // 2 // tables, 1))
    connections = max(10, min(connections, unsigned(granted - 30 - 2 * least * instances)))
    tables = min(tables, max(unsigned(granted - 30 - connections) // 2 // instances, least))
    return [granted, connections, tables]


def unsigned(number):
    return number % (1 << 32)


def main():
    table = Table("server", "soft", "hard", "set_open_files_limit", "set_max_connections", "set_table_open_cache", *READ,
                  "as_by_formula", "table_definition_cache", "innodb_open_files", "instances", "open_idle",
                  "open_per_connection")
    for name in chosen():
        with data_directory(name) as directory:
            for settings in SETTINGS:
                for limit in LIMITS:
                    options = [f"--{option}={value}" for option, value in zip(NAMES, settings) if value]
                    expects = mysql_expects if is_mysql(name) else mariadb_expects
                    expected = expects(name, limit, settings)
                    wanted = [value or "default" for value in settings]
                    with Running(name, directory, options, descriptors=limit) as server:
                        table.add(name, *limit, *wanted, *found(server, expected))


def found(server, expected):
    taken = [int(server.variable(name)) for name in READ]
    agrees = "yes" if taken == expected else f"no: {expected}"
    instances = server.query("SHOW GLOBAL VARIABLES LIKE 'table_open_cache_instances'")
    others = [server.variable("table_definition_cache"), server.variable("innodb_open_files")]
    idle = server.descriptors()
    server.connect(min(CONNECTIONS, taken[1] - 1))
    each = (server.descriptors() - idle) / len(server.connections)
    return [*taken, agrees, *others, instances[0][1] if instances else "", idle, f"{each:.2f}"]


if __name__ == "__main__":
    main()
