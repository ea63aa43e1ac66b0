"""Starts a real server in a temporary directory, talks to it and reads what the kernel says of it.

Every experiment beside this file uses it. Standard library only.
"""

import contextlib
import ctypes
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NAMES = ["mysql-9.7", "mysql-5.6", "mariadb-11.8", "mariadb-10.11", "mariadb-10.5"]
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


def chosen(among=NAMES):
    """The servers named on the command line, or all of these, as far as they are laid out."""
    names = sys.argv[1:] or among
    return [name for name in names if (base() / name / "VERSION").exists()]


def base():
    default = pathlib.Path.home() / ".cache/cnflint/servers"
    return pathlib.Path(os.environ.get("CNFLINT_SERVERS", default))


def version(name):
    return (base() / name / "VERSION").read_text().strip()


def is_mysql(name):
    return name.startswith("mysql")


@contextlib.contextmanager
def data_directory(name):
    """A fresh data directory, gone afterwards."""
    place = tempfile.mkdtemp(prefix="cnflint-")
    try:
        directory = os.path.join(place, "d")
        made = subprocess.run([base() / name / "initdb", directory], cwd=place, env=dict(os.environ, TMPDIR=place),
                              capture_output=True, text=True)
        if made.returncode != 0:
            raise RuntimeError(f"{name}: {made.stderr[-2000:]}")
        yield directory
    finally:
        shutil.rmtree(place, ignore_errors=True)


class Running:
    """A server that has started and answers. Ends with the `with` block."""

    def __init__(self, name, directory, options=(), descriptors=(65536, 65536), patience=240):
        self.name, self.directory, self.connections = name, directory, []
        place = os.path.dirname(directory)
        self.log = os.path.join(place, "log")
        # The tools count what the server itself takes: no binary log unless an experiment asks for one.
        quiet = ["--skip-log-bin"] + (["--secure-file-priv="] if is_mysql(name) else [])
        started = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [base() / name / "serve", directory, *quiet, *options], cwd=place, env=dict(os.environ, TMPDIR=place),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=lambda: limit_descriptors(*descriptors))
        while True:
            try:
                self.control = Connection(self)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() - started > patience:
                    self.process.kill()
                    self.process.wait()
                    raise RuntimeError(f"{name} {options}: {self.messages()[-2000:]}")
                time.sleep(0.02)
        self.seconds_to_start = time.monotonic() - started

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGTERM)

    def stop(self, how):
        for connection in [self.control, *self.connections]:
            connection.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.directory, "s.sock"))

    def messages(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def connect(self, upto):
        """Opens connections until there are so many."""
        while len(self.connections) < upto:
            self.connections.append(Connection(self))

    def query(self, sql):
        return self.control.query(sql)

    def variable(self, name):
        return self.query(f"SELECT @@global.{name}")[0][0]

    def status(self, name):
        rows = self.query(f"SHOW GLOBAL STATUS LIKE '{name}'")
        return rows[0][1] if rows else None

    def memory(self, key="Rss"):
        """Resident memory in bytes, by the kernel."""
        return self._proc("smaps_rollup", key)

    def settled(self, key="Rss"):
        """The same once it has stopped growing."""
        last = self.memory(key)
        for _ in range(20):
            time.sleep(0.25)
            now = self.memory(key)
            if abs(now - last) < 64 * KIB:
                break
            last = now
        return now

    def peak(self, key="VmHWM"):
        """Largest resident (`VmHWM`) or virtual (`VmPeak`) size in bytes."""
        return self._proc("status", key)

    def processor_seconds(self):
        """Processor time that the server has used so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def _proc(self, file, key):
        for line in open(f"/proc/{self.process.pid}/{file}"):
            if line.startswith(key + ":"):
                return int(line.split()[1]) * KIB
        raise KeyError(key)


def limit_descriptors(soft, hard):
    most = most_descriptors()
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, most), min(hard, most)))
    # Without CAP_SYS_RESOURCE, as a service that runs as its own user: else root would lift the hard limit again.
    ctypes.CDLL(None).prctl(24, 24, 0, 0, 0)


def most_descriptors():
    """The limit that this machine allows a process."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


class Connection:
    """One session as root without a password over the socket: handshake, text queries, nothing else."""

    def __init__(self, server):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(600)
        try:
            self.socket.connect(os.path.join(server.directory, "s.sock"))
            self._greet()
        except Exception:
            self.socket.close()
            raise

    def _greet(self):
        greeting = self._read()
        if greeting[0] == 0xFF:
            raise OSError(greeting[3:])
        plugin = greeting.rstrip(b"\0").rsplit(b"\0", 1)[-1]
        flags = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x80000
        self._write(flags.to_bytes(4, "little") + (1 << 24).to_bytes(4, "little") + b"\x21" + bytes(23)
                    + b"root\0\0" + plugin + b"\0", 1)
        while (answer := self._read())[0] != 0:
            if answer[0] == 0xFF:
                raise OSError(answer[3:])
            if answer[0] == 0xFE:
                self._write(b"", self.number + 1)

    def query(self, sql):
        self.send(sql)
        return self.receive()

    def send(self, sql):
        self._write(b"\x03" + sql.encode(), 0)

    def receive(self):
        first = self._read()
        if first[0] == 0xFF:
            raise RuntimeError(first[3:].decode(errors="replace"))
        if first[0] == 0:
            return []
        while self._read()[0] != 0xFE:
            pass
        rows = []
        while not ((packet := self._read())[0] == 0xFE and len(packet) < 9):
            rows.append(row(packet))
        return rows

    def close(self):
        self.socket.close()

    def _take(self, count):
        parts = bytearray()
        while len(parts) < count:
            part = self.socket.recv(count - len(parts))
            if not part:
                raise OSError("the server closed the connection")
            parts += part
        return bytes(parts)

    def _read(self):
        head = self._take(4)
        self.number = head[3]
        return self._take(int.from_bytes(head[:3], "little"))

    def _write(self, payload, number):
        self.socket.sendall(len(payload).to_bytes(3, "little") + bytes([number & 255]) + payload)


def row(packet):
    fields, at = [], 0
    while at < len(packet):
        size, at = packet[at], at + 1
        if size == 0xFB:
            fields.append(None)
            continue
        if size > 0xFB:
            width = {0xFC: 2, 0xFD: 3, 0xFE: 8}[size]
            size, at = int.from_bytes(packet[at:at + width], "little"), at + width
        fields.append(packet[at:at + size].decode(errors="replace"))
        at += size
    return fields


class Table:
    """Prints a table with tabs, line by line as it comes."""

    def __init__(self, *columns):
        print(*columns, sep="\t", flush=True)

    def add(self, *cells):
        print(*cells, sep="\t", flush=True)


def mib(size):
    return f"{size / MIB:.1f}"


def kib(size):
    return f"{size / KIB:.1f}"
