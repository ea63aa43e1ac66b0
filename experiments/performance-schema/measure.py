#!/usr/bin/env python3
"""What the Performance Schema takes, by its own account and by resident memory."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import Running, Table, chosen, data_directory, mib

# max_connections and table_open_cache; the first is what the server takes by itself.
SIZES = [None, (151, 400), (151, 4000), (1000, 4000), (5000, 4000)]
BUSY = 140


def main():
    table = Table("server", "max_connections", "table_open_cache", "own_account_mib", "rss_off_mib", "rss_on_mib",
                  "rss_difference_mib", "own_account_busy_mib", "rss_difference_busy_mib")
    for name in chosen():
        with data_directory(name) as directory:
            for size in SIZES:
                options = [] if size is None else [f"--max-connections={size[0]}", f"--table-open-cache={size[1]}"]
                off, off_busy, *_ = measure(name, directory, ["--performance-schema=OFF", *options])
                on, on_busy, own, own_busy, taken = measure(name, directory, ["--performance-schema=ON", *options])
                table.add(name, *taken, mib(own), mib(off), mib(on), mib(on - off), mib(own_busy), mib(on_busy - off_busy))


def measure(name, directory, options):
    """Resident memory after the start and with connections that have run a query; the schema's own account of both."""
    with Running(name, directory, options) as server:
        start = server.settled()
        own = account(server)
        server.connect(BUSY)
        for connection in server.connections:
            connection.query("SELECT COUNT(*) FROM mysql.user")
        taken = [server.variable("max_connections"), server.variable("table_open_cache")]
        return start, server.settled(), own, account(server), taken


def account(server):
    if server.variable("performance_schema") == "0":
        return 0
    rows = server.query("SHOW ENGINE PERFORMANCE_SCHEMA STATUS")
    return next(int(value) for _, name, value in rows if name == "performance_schema.memory")


main()
