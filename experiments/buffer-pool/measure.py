#!/usr/bin/env python3
"""What InnoDB takes beside its buffer pool, for several sizes, cold and full of pages."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import MIB, Running, Table, chosen, data_directory, mib

COLD = [16, 128, 512, 2048, 4096]
FULL = [128, 512]
HASTE = ["--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"]


def main():
    table = Table("server", "state", "pool_mib", "pages_total_mib", "pages_used_mib", "reported_mib", "rss_mib",
                  "rss_beside_pages_mib", "factor")
    for name in chosen():
        with data_directory(name) as directory:
            smallest = None
            for size in COLD:
                with Running(name, directory, start(size)) as server:
                    smallest = line(table, name, "cold", size, server, smallest)
            smallest = None
            for size in FULL:
                with Running(name, directory, [*start(size), *HASTE]) as server:
                    fill(server, size)
                    smallest = line(table, name, "full", size, server, smallest)


def start(size):
    return [f"--innodb-buffer-pool-size={size}M"]


def line(table, name, state, size, server, smallest):
    """Prints what a size takes. The factor is against the smallest pool, so that the rest of the server does not count:
    bytes that a byte more of buffer pool takes once all its pages are in use.
    """
    total = int(server.status("Innodb_buffer_pool_pages_total")) * 16384
    used = total - int(server.status("Innodb_buffer_pool_pages_free")) * 16384
    rss = server.settled()
    beside = rss - used
    factor = ""
    if smallest:
        factor = f"{(total + beside - smallest[1]) / ((size - smallest[0]) * MIB):.4f}"
    reported = reported_by_server(server)
    table.add(name, state, size, mib(total), mib(used), mib(reported) if reported else "", mib(rss), mib(beside), factor)
    return smallest or (size, total + beside)


def reported_by_server(server):
    text = server.query("SHOW ENGINE INNODB STATUS")[0][2]
    found = re.search(r"Total (?:large )?memory allocated (\d+)", text)
    return int(found[1]) if found else None


def fill(server, size):
    """Writes and reads more pages than the pool holds, without temporary tables."""
    server.query("CREATE DATABASE IF NOT EXISTS test")
    server.query("DROP TABLE IF EXISTS test.filling, test.seed")
    for name in ["filling", "seed"]:
        server.query(f"CREATE TABLE test.{name} (id INT PRIMARY KEY AUTO_INCREMENT, c VARCHAR(4000)) ENGINE=InnoDB")
    rows = ",".join(["(REPEAT('cnflint ', 450))"] * 2000)
    server.query(f"INSERT INTO test.seed (c) VALUES {rows}")
    written = 0
    while written < size * 1.15 * MIB:
        server.query("INSERT INTO test.filling (c) SELECT c FROM test.seed")
        written += 2000 * 3600
    server.query("SELECT SUM(LENGTH(c)) FROM test.filling")


main()
