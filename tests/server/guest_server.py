"""A server, and its guests, who use OpenSSH's own client, each at a terminal of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.processes import descendants
from tests.ui.secrets import cards_on
from tests.ui.terminal import PATIENCE, Terminal

ROOT = Path(__file__).parents[2]
ASK = "What would you like to do?"
"""The question of the lobby."""


def new_key(folder: Path, name: str) -> Path:
    """The path of a new private key without a passphrase."""
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


def named(machine: str) -> list[str]:
    """The beginning of a command that runs on a machine called ``machine``; empty without a name."""
    return [] if not machine else ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', machine]


class GuestServer:
    """``cardgames serve`` on a free port; a context manager that ends the server."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        program: str = "tests.ui.without_guard",
        machine: str = "",
        inside: Sequence[str] = (),
        **environment: str,
    ) -> None:
        """``machine`` replaces this machine's name, which needs root. ``inside`` runs the server's command."""
        self.home = home
        self.said = home.parent / f"{home.name}.said"
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [*named(machine), *inside, sys.executable, "-m", program, "serve", "--port", "0", *arguments],
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
        """The text that the server has printed so far."""
        return self.said.read_text(encoding="utf-8")

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until the server has printed a match of ``pattern``. On a timeout, fail with all that it printed."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < end, f"waited for {pattern}; it said\n{self.text}"
            assert self.process.poll() is None or re.search(pattern, self.text), f"it ended, and said\n{self.text}"
            time.sleep(0.02)
        return found

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the server by the signal ``how``, and return its exit code."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def ssh(self, *options: str, user: str = "ann", key: Path | None = None) -> list[str]:
        """The command of OpenSSH's client for this server, without this machine's own configuration."""
        only = ["-i", str(key), "-o", "IdentitiesOnly=yes"] if key else ["-o", "PubkeyAuthentication=no"]
        known = ["-o", f"UserKnownHostsFile={self.home.parent / 'known_hosts'}"]
        known += ["-o", "StrictHostKeyChecking=accept-new", "-o", "LogLevel=ERROR"]
        return ["ssh", "-F", "none", *options, *known, *only, "-p", str(self.port), f"{user}@127.0.0.1"]


class Guest(Terminal):
    """A guest of a server, at a terminal of their own."""

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
        self.seen: set[str] = set()
        """The cards that have been on the screen at any moment, in notation."""

    def read(self, seconds: float = 0.02) -> bool:
        """Read output, and add to the cards that have been seen. Return whether there was any output."""
        new = super().read(seconds)
        if new:
            self.seen |= cards_on(self.text)
        return new

    @property
    def processes(self) -> list[int]:
        """The ids of the client's process, and of the server and its child processes."""
        return [self.child.pid, *descendants(self._server.process.pid)]


@contextmanager
def visiting(server: GuestServer, *how: Any, **more: Any) -> Iterator[Guest]:
    """A guest, as ``Guest`` has it, who has reached the lobby."""
    guest = Guest(server, *how, **more)
    with guest:
        guest.wait_for(ASK)
        yield guest


def visit(server: GuestServer, *how: Any) -> None:
    """Let a guest come to the lobby and go."""
    with visiting(server, *how):
        pass


def without_terminal(
    server: GuestServer, *words: str, options: tuple[str, ...] = (), key: Path | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """The output and exit code of OpenSSH's client without a terminal, with these ``options``."""
    return subprocess.run(
        [*server.ssh("-o", "LogLevel=INFO", *options, key=key), *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
