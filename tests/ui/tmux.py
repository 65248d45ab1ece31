"""tmux, which shows what remains in a terminal's view and history."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from tests.processes import descendants, working
from tests.ui.fingers import Fingers
from tests.ui.terminal import PATIENCE, POINTER, environment_in

KEYS = {"Enter": "\r", "Down": "\x1b[B", "Space": " ", "C-c": "\x03", "C-z": "\x1a"}
"""The bytes of the keys that tests press by tmux's names."""
SHELL = ("bash", "--norc", "--noprofile")
PROGRAM = "tests.ui.without_guard"
"""The full screen admits all keys: what stays in view does not depend on when they were pressed."""


def need_tmux() -> None:
    """If tmux is missing, fail in CI and skip elsewhere."""
    if shutil.which("tmux") is None:
        if os.environ.get("CI"):
            pytest.fail("tmux is missing: scripts/test installs it where it can")
        pytest.skip("tmux is missing: secrecy is not judged by it")


class Tmux:
    """A new tmux server with a shell in one window that keeps a history, as a context manager that ends the server."""

    def __init__(self, home: Path, columns: int = 80, rows: int = 24, alternate: bool = True) -> None:
        """Unless ``alternate`` it has no alternate screen."""
        self.home = home
        self._fingers: Fingers | None = None
        """The rhythm of a person at the line screen, which ignores keys that come too early."""
        self.environment = environment_in(home, TERM="tmux-256color", PS1="$ ")
        self._socket = f"cardgames-{uuid.uuid4().hex[:12]}"
        self._size = ("-x", str(columns), "-y", str(rows))
        self._alternate = alternate

    def __enter__(self) -> Self:
        shell = ("env", "-i", *(f"{key}={value}" for key, value in self.environment.items()))
        self._call("-f", "/dev/null", "new-session", "-d", *self._size, *shell, *SHELL)
        if not self._alternate:
            self._call("set-option", "-g", "alternate-screen", "off")
        self._server = int(self._call("display-message", "-p", "#{pid}"))
        return self

    def __exit__(self, *error: object) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)

    def _call(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments], capture_output=True, text=True, check=True, env={**os.environ}
        )
        return done.stdout

    def send(self, text: str) -> None:
        """Type text at once."""
        self._call("send-keys", "-l", text)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def view(self) -> str:
        """The lines in view."""
        return self._call("capture-pane", "-p")

    @property
    def everything(self) -> str:
        """The lines in view and in the history."""
        return self._call("capture-pane", "-p", "-S", "-")

    @property
    def processes(self) -> list[int]:
        """The server and all its descendants."""
        return descendants(self._server)

    def start(self, *arguments: str) -> None:
        """Start ``cardgames`` in the shell, below earlier output."""
        command = shlex.join([sys.executable, "-m", PROGRAM, *arguments])
        self._fingers = Fingers() if "--plain" in arguments else None
        self.type(f"clear; echo before; {command}; echo left with $?\n")

    def type(self, text: str) -> None:
        """Type text."""
        for part in text.splitlines(keepends=True):
            if line := part.removesuffix("\n"):
                self.send(line)
            if part.endswith("\n"):
                self.press("Enter")

    def press(self, *keys: str) -> None:
        """Press keys, given by tmux's names."""
        if self._fingers:
            self._fingers.wait(self.view)
        self.send("".join(KEYS.get(key, key) for key in keys))

    def wait(self, ready: Callable[[str], bool], what: str) -> str:
        """Wait until ``ready`` is true of the view and the view no longer changes; return the view."""
        end = time.monotonic() + PATIENCE
        last = ""
        while time.monotonic() < end:
            rests = not working(*self.processes)
            view = self.view
            if view == last and rests and ready(view):
                return view
            last = view
            time.sleep(0.03)
        raise AssertionError(f"waited for {what}; in view was\n{last}")

    def wait_for(self, text: str) -> str:
        """Wait until the text is in view, and return the view."""
        return self.wait(lambda view: text in view, text)

    def answer(self, *keys: str) -> str:
        """Press keys, and wait until a different screen has a question, or the program has ended."""
        before = self.view
        self.press(*keys)
        return self.wait(lambda view: view != before and (POINTER in view or "left with" in view), " ".join(keys))

    def pid(self, arguments: str) -> int:
        """The process id of ``cardgames`` with these arguments in this home."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = path.read_bytes().replace(b"\0", b" ").decode().strip()
                environment = path.with_name("environ").read_bytes()
            except OSError:
                continue
            if command.endswith(f"-m {PROGRAM} {arguments}") and f"CARDGAMES_HOME={self.home}".encode() in environment:
                return int(path.parent.name)
        raise AssertionError(f"no process runs cardgames {arguments}")
