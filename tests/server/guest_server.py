"""A server that lets guests in, and guests who come with OpenSSH's own client, each at a terminal of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.processes import descendants
from tests.ui.terminal import PATIENCE, Terminal

ROOT = Path(__file__).parents[2]


def new_key(folder: Path, name: str) -> Path:
    """A new key without a passphrase: the path of its private half."""
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


def named(machine: str) -> list[str]:
    """The beginning of a command that runs it on a machine of that name, if it is to have one."""
    return [] if not machine else ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', machine]


class GuestServer:
    """``cardgames serve`` on a free port; a context manager that ends what it started."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        program: str = "tests.ui.without_guard",
        machine: str = "",
        inside: Sequence[str] = (),
        **environment: str,
    ) -> None:
        """On a ``machine`` it has another name for the one it runs on, which only root can see to.

        ``inside`` begins a command that runs it.
        """
        self.home = home
        self.said = home.parent / f"{home.name}.said"
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [
                    *(named(machine) if machine else ()),
                    *inside,
                    sys.executable,
                    "-m",
                    program,
                    "serve",
                    "--port",
                    "0",
                    *arguments,
                ],
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(home),
                    "CARDGAMES_HOME": str(home),
                    "PYTHONPATH": str(ROOT),
                    "PYTHONWARNINGS": "default::RuntimeWarning,default::ResourceWarning",
                    "LANG": "C.UTF-8",
                    "CARDGAMES_COMPILE": "0",
                    **environment,
                },
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        self.port = int(self.wait_for(r"ssh -p (\d+)")[1])

    def __enter__(self) -> "GuestServer":
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.end()
        assert "Traceback" not in self.text, self.text
        assert "Warning" not in self.text, self.text

    @property
    def text(self) -> str:
        """Everything that it has printed so far."""
        return self.said.read_text(encoding="utf-8")

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until it has said that; fails with what it said if it does not."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < end, f"waited for {pattern}; it said\n{self.text}"
            assert self.process.poll() is None or re.search(pattern, self.text), f"it ended, and said\n{self.text}"
            time.sleep(0.02)
        return found

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Let it end; its exit code."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def ssh(self, *options: str, user: str = "ann", key: Path | None = None) -> list[str]:
        """OpenSSH's client, on its way here with nothing of this machine's own configuration."""
        only = ["-i", str(key), "-o", "IdentitiesOnly=yes"] if key else ["-o", "PubkeyAuthentication=no"]
        known = [
            "-o",
            f"UserKnownHostsFile={self.home.parent / 'known_hosts'}",
            "-o",
            "StrictHostKeyChecking=accept-new",
        ]
        place = ["-p", str(self.port), f"{user}@127.0.0.1"]
        return ["ssh", "-F", "none", *options, *known, "-o", "LogLevel=ERROR", *only, *place]


class Guest(Terminal):
    """Somebody who comes to a server, at a terminal of theirs."""

    def __init__(
        self,
        server: GuestServer,
        user: str = "ann",
        key: Path | None = None,
        *options: str,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        command = server.ssh("-o", "SendEnv=LANG", *options, user=user, key=key)
        super().__init__(server.home, columns=columns, rows=rows, environment=environment, command=command)
        self._server = server

    @property
    def processes(self) -> list[int]:
        """The client, and the server with all that it has started."""
        return [self.child.pid, *descendants(self._server.process.pid)]


def without_terminal(
    server: GuestServer, *words: str, options: tuple[str, ...] = (), key: Path | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """The output and exit code when something else than the table is asked for, without a terminal."""
    return subprocess.run(
        [*server.ssh("-o", "LogLevel=INFO", *options, key=key), *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
