#!/usr/bin/env python3
"""What a server takes from the kernel when it starts, and what it does where the kernel refuses."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from servers import Running, Table, chosen, data_directory, is_mysql, mib

# What the server is told, its options. 67108864 descriptors are enough to see the gigabyte that they cost.
CASES = [
    ("as it is", [], []),
    ("64M open files", ["FILES=67108864UL"], []),
    ("64M open files", ["FILES=67108864UL"], ["--open-files-limit=65535"]),
    ("as it is", [], ["--innodb-read-io-threads=16", "--innodb-write-io-threads=8"]),
    ("no asynchronous requests", ["GRANTED=0"], []),
    ("none after the third call", ["GRANTED=3"], []),
    ("no io_uring", ["RING"], []),
    ("no huge pages", [], ["--large-pages", "--innodb-buffer-pool-size=512M"]),
    ("as it is", [], ["--innodb-log-buffer-size=1024M"]),
]
TELLING = re.compile(r"aio|uring|hugetlb|large_page|conventional memory", re.IGNORECASE)


def library(definitions, place):
    """The code that stands between, built with these definitions."""
    path = os.path.join(place, "-".join(definitions) + ".so")
    flags = ["-D" + definition for definition in definitions]
    subprocess.run(["cc", "-shared", "-fPIC", "-O", "-nostdlib", *flags, "-o", path, HERE / "refuse.c"], check=True)
    return path


def reserved():
    return int(pathlib.Path("/proc/sys/fs/aio-nr").read_text())


def told(messages):
    lines = [re.sub(r"^[-\d:.TZ ]+|\s+", " ", line).strip() for line in messages.splitlines() if TELLING.search(line)]
    return " / ".join(dict.fromkeys(lines))


def start(name, options, preload, table, what):
    with data_directory(name) as directory:
        if preload:
            os.environ["LD_PRELOAD"] = preload
        try:
            server = Running(name, directory, options, patience=60)
        except RuntimeError as error:
            return table.add(name, what, " ".join(options), "no", "", "", told(str(error)))
        finally:
            os.environ.pop("LD_PRELOAD", None)
        with server:
            resident, requests, messages = server.settled(), reserved(), server.messages()
        time.sleep(0.3)
        # What others reserve meanwhile would be counted too: the machine must not start or stop servers.
        table.add(name, what, " ".join(options), "yes", mib(resident), requests - reserved(), told(messages))


def main():
    table = Table("server", "told", "options", "starts", "resident_mib", "requests", "says")
    with tempfile.TemporaryDirectory() as place:
        libraries = {tuple(case[1]): library(case[1], place) for case in CASES if case[1]}
        for name in chosen():
            for what, definitions, options in CASES:
                if definitions != ["RING"] or not is_mysql(name):
                    start(name, options, libraries.get(tuple(definitions)), table, what)


main()
