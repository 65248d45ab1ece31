"""A PostgreSQL server for tests, with a temporary folder, and with a socket and port of its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from random import SystemRandom
from tempfile import mkdtemp
from typing import Self

import pytest

randrange = SystemRandom().randrange
USER = "cards"
"""The user who owns the server's databases."""
SUPERUSER = "postgres"
PATIENCE = 90.0


def programs() -> Path | None:
    """The folder with the programs of the newest server that a distribution has installed here."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def need() -> Path:
    """The folder of the server's programs. If there is none, fail in CI and skip elsewhere."""
    found = programs()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: scripts/test installs it where it can")
        pytest.skip("PostgreSQL is missing: nothing is tried on it")
    return found


class Server:
    """A PostgreSQL server, as a context manager that starts it, and stops and removes it at the end."""

    def __init__(self, fsync: bool = True) -> None:
        """``fsync``: whether writes survive a power cut, which makes the server slower."""
        self._programs = need()
        self._fsync = fsync
        self.folder = Path(mkdtemp(prefix="pg-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = count(1)

    def __enter__(self) -> Self:
        try:
            self._be_somebody(self.folder)
            self._run(
                "initdb", "--pgdata", str(self._data), "--auth", "scram-sha-256", "--auth-local", "trust",
                "--username", SUPERUSER, "--encoding", "UTF8", "--locale", "C", "--no-sync",
            )  # fmt: skip
            self.start()
            self.execute(f"CREATE ROLE {USER} LOGIN PASSWORD 'kept secret'")
            self.execute(f"CREATE DATABASE cards OWNER {USER}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    # Being there

    def start(self, *options: str) -> None:
        """Start the server, and wait until it answers."""
        command = [
            str(self._programs / "postgres"), "-D", str(self._data), "-p", str(self.port), "-k", str(self.folder),
            "-c", "listen_addresses=127.0.0.1", "-c", f"fsync={'on' if self._fsync else 'off'}",
            "-c", "shared_buffers=16MB", "-c", "max_connections=50", *options,
        ]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._as_somebody(), *command], stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + PATIENCE
        ready = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGQUIT) -> None:
        """Stop the server: at once (SIGQUIT), after it has closed all connections (SIGINT), or by a kill (SIGKILL)."""
        process, self._process = self._process, None
        if process is not None:
            others = _children(process.pid)
            process.send_signal(how)
            for other in others if how == signal.SIGKILL else ():
                with suppress(ProcessLookupError):
                    os.kill(other, how)
            process.wait(PATIENCE)
            while any(Path(f"/proc/{other}").exists() for other in others):
                time.sleep(0.001)

    @contextmanager
    def away(self, how: int = signal.SIGQUIT) -> Iterator[None]:
        """A context in which the server is stopped."""
        self.stop(how)
        try:
            yield
        finally:
            self.start()

    # Its databases

    def url(self, *, user: str = USER, password: str = "", database: str = "cards", schema: str = "") -> str:
        """The URL of the server: at its port if there is a ``password``, else at its socket, which needs none."""
        options = f"options=-csearch_path%3D{schema}" if schema else ""
        if password:
            return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}?{options}"
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}&{options}"

    def new_store(self) -> str:
        """The URL of a place for a new, separate store."""
        schema = f"store_{next(self._schemas)}"
        self.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {USER}", database="cards")
        return self.url(schema=schema)

    def execute(self, sql: str, database: str = "postgres") -> None:
        """Execute a statement as the superuser."""
        import psycopg

        with psycopg.connect(self.url(user=SUPERUSER, database=database), autocommit=True) as db:
            db.execute(sql.encode())

    # Who runs it

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._as_somebody(), str(self._programs / program), *arguments], capture_output=True, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")

    def _as_somebody(self) -> list[str]:
        """The beginning of a command that runs it as another user if this one is root, which the server refuses."""
        if os.geteuid():
            return []
        somebody = pwd.getpwnam(_unprivileged())
        return [
            "setpriv",
            "--pdeathsig=QUIT",
            f"--reuid={somebody.pw_uid}",
            f"--regid={somebody.pw_gid}",
            "--clear-groups",
        ]

    def _be_somebody(self, path: Path) -> None:
        if not os.geteuid():
            somebody = pwd.getpwnam(_unprivileged())
            os.chown(path, somebody.pw_uid, somebody.pw_gid)


def _children(pid: int) -> list[int]:
    """The child processes of a server, which serve connections or do maintenance."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, check=False)
    return [int(word) for word in found.stdout.split()]


def _unprivileged() -> str:
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    """An unused port outside the range of ports that the system assigns by itself."""
    while True:
        port = randrange(15_000, 32_000)
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port
