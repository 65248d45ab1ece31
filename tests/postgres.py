"""A PostgreSQL server of the tests' own, in a folder that is removed, on a socket and a port that nobody else has."""

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
"""Who owns the server's databases."""
SUPERUSER = "postgres"
PATIENCE = 90.0


def programs() -> Path | None:
    """The folder of the newest server on this machine, as distributions have them."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def need() -> Path:
    """The folder of the server's programs; fail in CI, and skip elsewhere, where there are none."""
    found = programs()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: scripts/test installs it where it can")
        pytest.skip("PostgreSQL is missing: nothing is tried on it")
    return found


class Server:
    """A server that is not started yet; a context manager that starts it, and stops and removes it."""

    def __init__(self, fsync: bool = True) -> None:
        """Without ``fsync`` it is faster, and only a power cut would tell the difference."""
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
        """Start it, and wait until it answers."""
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
        """End it: at once (SIGQUIT), when it has thrown everybody out (SIGINT), or by a kill (SIGKILL)."""
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
        """Not there for a while."""
        self.stop(how)
        try:
            yield
        finally:
            self.start()

    # Its databases

    def url(self, *, user: str = USER, password: str = "", database: str = "cards", schema: str = "") -> str:
        """Where it is: with a ``password`` at its port, else at its socket, where none is asked for."""
        options = f"options=-csearch_path%3D{schema}" if schema else ""
        if password:
            return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}?{options}"
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}&{options}"

    def new_store(self) -> str:
        """Where a store can be that has nothing to do with others."""
        schema = f"store_{next(self._schemas)}"
        self.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {USER}", database="cards")
        return self.url(schema=schema)

    def execute(self, sql: str, database: str = "postgres") -> None:
        """Execute a statement as the one who may do everything."""
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
        """The beginning of a command that runs it as somebody else than root, for whom the server refuses to run."""
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
    """The processes of a server, of which each serves a connection or keeps house."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, check=False)
    return [int(word) for word in found.stdout.split()]


def _unprivileged() -> str:
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    """A port of this machine that nobody listens at, and none of those that the system hands out by itself."""
    while True:
        port = randrange(15_000, 32_000)
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port
