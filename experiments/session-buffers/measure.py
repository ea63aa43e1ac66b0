#!/usr/bin/env python3
"""Whether a session's buffers are taken whole or as far as a statement needs them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import MIB, Running, Table, chosen, data_directory, is_mysql, mib

SMALL, LARGE = 1, 256
ROWS = {"few": 1000, "many": 200_000}
# Smaller than the larger table, so that it is full before a statement starts and its growth does not count.
POOL = "--innodb-buffer-pool-size=32M"


def cases(name):
    """Buffer, options that set it and its companions to a size, the statement that uses it."""
    if is_mysql(name):
        # The hash is built from the inner table of an outer join.
        join = "SELECT COUNT(*) FROM test.one AS a LEFT JOIN test.{rows} AS b ON a.c = b.c"
        temporary = ["tmp-table-size", "max-heap-table-size", "temptable-max-ram"]
    else:
        # The buffer holds rows of the outer table.
        join = "SELECT STRAIGHT_JOIN COUNT(*) FROM test.{rows} AS a JOIN test.one AS b ON a.c > b.c AND a.n + b.n = -1"
        temporary = ["tmp-table-size", "max-heap-table-size"]
    group = "SELECT COUNT(*) FROM (SELECT c, COUNT(*) AS n FROM test.{rows} GROUP BY c, id LIMIT 100000000) AS x"
    # MariaDB allows all join buffers of a statement together no more than this, 2 MiB by default.
    limited = [] if is_mysql(name) else [
        ("join_buffer_size, join_buffer_space_limit", ["join-buffer-size", "join-buffer-space-limit"], join)
    ]
    return [
        ("sort_buffer_size", ["sort-buffer-size"], "SELECT id FROM test.{rows} ORDER BY c LIMIT 999999999 OFFSET 199999"),
        ("join_buffer_size", ["join-buffer-size"], join),
        *limited,
        ("tmp_table_size", temporary, group),
    ]


def main():
    table = Table("server", "buffer", "size_mib", "rows", "resident_peak_mib", "virtual_peak_mib", "kept_mib")
    for name in chosen(["mysql-9.7", "mariadb-10.11"]):
        with data_directory(name) as directory:
            prepare(name, directory)
            for buffer, options, statement in cases(name):
                for size in [SMALL, LARGE]:
                    for rows in ROWS:
                        taken = measure(name, directory, [f"--{option}={size}M" for option in options], statement, rows)
                        table.add(name, buffer, size, rows, *map(mib, taken))


def prepare(name, directory):
    with Running(name, directory, ["--innodb-flush-log-at-trx-commit=0"]) as server:
        server.query("CREATE DATABASE IF NOT EXISTS test")
        for rows, count in {**ROWS, "one": 1}.items():
            columns = "id INT PRIMARY KEY, n INT, c CHAR(200) CHARACTER SET latin1, KEY (n)"
            server.query(f"CREATE TABLE test.{rows} ({columns}) ENGINE=InnoDB")
            for start in range(0, count, 2000):
                values = ",".join(f"({id}, {id}, RPAD(HEX({id * 7919 % 1000003}), 200, 'x'))" for id in range(start, min(start + 2000, count)))
                server.query(f"INSERT INTO test.{rows} VALUES {values}")
            server.query(f"ANALYZE TABLE test.{rows}")


def measure(name, directory, options, statement, rows):
    """How far resident and virtual size rise while the statement runs, and what stays afterwards."""
    with Running(name, directory, [POOL, "--performance-schema=OFF", *options]) as server:
        server.connect(1)
        session = server.connections[0]
        # Reads the pages into the buffer pool first, so that they are not counted.
        session.query("SELECT COUNT(c) FROM test.many IGNORE INDEX (n)")
        before, virtual = server.settled(), server.peak("VmSize")
        server.forget_peak()
        session.query(statement.format(rows=rows))
        peak = server.peak() - before
        return peak, server.peak("VmPeak") - virtual, server.settled() - before


main()
