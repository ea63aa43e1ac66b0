#!/usr/bin/env python3
"""Resident memory of an open table: the first instance with its definition, and each further instance."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import Running, Table, chosen, data_directory, kib, mib

TABLES = 1000
SESSIONS = 4
SHAPES = {
    "4 columns, 1 index": "id INT PRIMARY KEY, a INT, b VARCHAR(50), c DATETIME, KEY (a)",
    "30 columns, 4 indexes": "id INT PRIMARY KEY, "
    + ", ".join(f"n{number} INT" for number in range(14)) + ", "
    + ", ".join(f"s{number} VARCHAR(50)" for number in range(15))
    + ", KEY (n1), KEY (n2, n3), KEY (s1), KEY (s2, n1)",
}
FAST = ["--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"]
CACHES = ["--table-open-cache=6000", "--table-definition-cache=4000", "--table-open-cache-instances=1",
          "--performance-schema=OFF", "--max-connections=50", "--innodb-stats-auto-recalc=0",
          # Else the last run's pages come in while the first session opens its tables.
          "--innodb-buffer-pool-load-at-startup=0"]


def main():
    table = Table("server", "shape", "open_tables", "open_definitions", "descriptors", "rss_mib", "pool_pages_mib",
                  "kib_per_table", "kib_per_further_instance")
    for name in chosen():
        for shape, columns in SHAPES.items():
            with data_directory(name) as directory:
                with Running(name, directory, FAST) as server:
                    server.query("CREATE DATABASE IF NOT EXISTS test")
                    for number in range(TABLES):
                        server.query(f"CREATE TABLE test.t{number} ({columns}) ENGINE=InnoDB")
                measure(table, name, shape, directory)


def measure(table, name, shape, directory):
    """Opens every table once in each session; what the buffer pool reads meanwhile does not count."""
    with Running(name, directory, [*FAST, *CACHES]) as server:
        server.connect(SESSIONS)
        for session in server.connections:
            session.query("SELECT COUNT(*) FROM mysql.user")
        names = ", ".join(f"test.t{number} READ" for number in range(TABLES))
        first = before = None
        for session in [None, *server.connections]:
            if session:
                session.query(f"LOCK TABLES {names}")
            pages = int(server.status("Innodb_buffer_pool_pages_data")) * 16384
            rss = server.settled()
            now = rss - pages
            opened = "" if before is None or first is not None else kib((now - before) / TABLES)
            further = "" if first is None else kib((now - before) / TABLES)
            first = before if before is not None else None
            table.add(name, shape, server.status("Open_tables"), server.status("Open_table_definitions"),
                      server.descriptors(), mib(rss), mib(pages), opened, further)
            before = now


main()
