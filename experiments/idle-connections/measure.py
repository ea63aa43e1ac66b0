#!/usr/bin/env python3
"""Resident memory of the server for each connection that idles."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import Running, Table, chosen, data_directory, is_mysql, kib, mib

STEPS = [100, 500, 1000, 2000]
SORT = "SELECT c FROM test.sorted ORDER BY c LIMIT 499, 1"


def variants(name):
    if is_mysql(name):
        return {"defaults": [], "performance_schema=OFF": ["--performance-schema=OFF"]}
    return {
        "defaults": [],
        "performance_schema=ON": ["--performance-schema=ON"],
        "pool-of-threads": ["--thread-handling=pool-of-threads"],
    }


def main():
    table = Table("server", "variant", "state", "connections", "rss_mib", "pss_mib", "kib_per_connection")
    for name in chosen():
        with data_directory(name) as directory:
            with Running(name, directory) as server:
                server.query("CREATE DATABASE IF NOT EXISTS test")
                server.query("CREATE TABLE test.sorted (id INT PRIMARY KEY AUTO_INCREMENT, c CHAR(200)) ENGINE=InnoDB")
                rows = ",".join(f"(SHA2({number}, 256))" for number in range(500))
                server.query(f"INSERT INTO test.sorted (c) VALUES {rows}")
            for variant, options in variants(name).items():
                measure(table, name, variant, directory, options)


def measure(table, name, variant, directory, options):
    with Running(name, directory, ["--max-connections=2100", "--back-log=2000", *options]) as server:
        server.query(SORT)
        empty = server.settled()

        def line(state):
            now, count = server.settled(), len(server.connections)
            each = kib((now - empty) / count) if count else ""
            table.add(name, variant, state, count, mib(now), mib(server.memory("Pss")), each)

        line("started")
        for step in STEPS:
            server.connect(step)
            line("connected")
        for state, sql in [("after SELECT 1", "SELECT 1"), ("after a sort", SORT)]:
            for connection in server.connections:
                connection.query(sql)
            line(state)


main()
