#!/usr/bin/env python3
"""How fast a server that was killed works through its redo log, on the machine where this runs."""

import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from servers import GIB, MIB, Running, Table, chosen, data_directory, mib

LOG = 512
ENOUGH = 0.7 * LOG * MIB
ROWS = 200


def options(name):
    # Lets dirty pages lie, so that the log fills and a recovery has all of it to apply.
    log = {
        "mysql-9.7": [f"--innodb-redo-log-capacity={LOG}M"],
        "mysql-5.6": [f"--innodb-log-file-size={LOG // 2}M", "--innodb-log-files-in-group=2"],
    }.get(name, [f"--innodb-log-file-size={LOG}M"])
    return [*log, "--innodb-buffer-pool-size=2G", "--innodb-adaptive-flushing=0", "--innodb-io-capacity=100",
            "--innodb-max-dirty-pages-pct=99", "--innodb-max-dirty-pages-pct-lwm=0", "--innodb-flush-log-at-trx-commit=2",
            "--innodb-flush-neighbors=0"]


def main():
    table = Table("server", "load", "redo_to_apply_mib", "seconds_of_clean_start", "seconds_after_kill", "recovery_seconds",
                  "processor_seconds", "mib_per_second", "seconds_per_gib", "processor_seconds_per_gib")
    for name in chosen():
        for load in [insert, update]:
            with data_directory(name) as directory:
                with Running(name, directory, options(name)):
                    pass
                with Running(name, directory, options(name)) as server:
                    clean, busy = server.seconds_to_start, server.processor_seconds()
                    redo = load(server)
                    server.stop(signal.SIGKILL)
                with Running(name, directory, options(name)) as server:
                    after, busy = server.seconds_to_start, server.processor_seconds() - busy
                    if server.query("SELECT COUNT(*) >= 10000 FROM test.t")[0][0] != "1":
                        raise RuntimeError(f"{name} lost rows")
                took = after - clean
                table.add(name, load.__name__, mib(redo), f"{clean:.2f}", f"{after:.2f}", f"{took:.2f}", f"{busy:.2f}",
                          f"{redo / MIB / took:.0f}", f"{took * GIB / redo:.1f}", f"{busy * GIB / redo:.1f}")


def prepare(server):
    server.query("CREATE DATABASE IF NOT EXISTS test")
    server.query("CREATE TABLE test.t (id INT PRIMARY KEY AUTO_INCREMENT, k INT, c VARCHAR(1000), KEY (k)) ENGINE=InnoDB")
    value = "'" + "cnflint " * 120 + "'"
    return "INSERT INTO test.t (k, c) VALUES " + ",".join(f"({number * 7919 % 10007}, {value})" for number in range(ROWS))


def insert(server):
    """Rows of about 1 KB in the order of the primary key, with one secondary index."""
    statement = prepare(server)
    while True:
        for _ in range(50):
            server.query(statement)
        if (age := checkpoint_age(server)) > ENOUGH:
            return age


def update(server):
    """A short change to rows all over a table of 50 MB: little redo for each of many pages."""
    statement = prepare(server)
    for _ in range(250):
        server.query(statement)
    turn = 0
    while True:
        for start in range(5):
            server.query(f"UPDATE test.t SET k = k + 1 WHERE id % 5 = {start}")
        turn += 1
        if (age := checkpoint_age(server)) > ENOUGH or turn == 30:
            return age


def checkpoint_age(server):
    text = server.query("SHOW ENGINE INNODB STATUS")[0][2]
    written = int(re.search(r"Log sequence number\s+(\d+)", text)[1])
    return written - int(re.search(r"Last checkpoint at\s+(\d+)", text)[1])


main()
