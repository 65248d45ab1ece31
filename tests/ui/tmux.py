"""tmux as the judge of what stays on a terminal: in view and in its history."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

POINTER = "»"
PATIENCE = 20.0


def need_tmux() -> None:
    """Fail in CI, and skip elsewhere, where there is no tmux."""
    if shutil.which("tmux") is None:
        if os.environ.get("CI"):
            pytest.fail("tmux is missing: scripts/test installs it where it can")
        pytest.skip("tmux is missing: secrecy is not judged")


class Tmux:
    """A tmux server of its own with one window; a context manager that ends it."""

    def __init__(self, home: Path, columns: int = 80, rows: int = 24) -> None:
        self.home = home
        self._socket = f"cardgames-{uuid.uuid4().hex[:12]}"
        self._size = ("-x", str(columns), "-y", str(rows))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CARDGAMES_HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PS1": "$ ",
        }

    def __enter__(self) -> "Tmux":
        shell = ("env", "-i", *(f"{key}={value}" for key, value in self.environment.items()), "TERM=tmux-256color")
        self._call("-f", "/dev/null", "new-session", "-d", *self._size, *shell, "bash", "--norc", "--noprofile")
        return self

    def __exit__(self, *error: object) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)

    def _call(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments], capture_output=True, text=True, check=True, env={**os.environ}
        )
        return done.stdout

    def start(self, *arguments: str) -> None:
        """Start ``cardgames`` in the window."""
        command = shlex.join([sys.executable, "-m", "cardgames", *arguments])
        self.type(f"clear; {command}; echo left with $?\n")

    def type(self, text: str) -> None:
        """Type text."""
        for part in text.splitlines(keepends=True):
            if line := part.removesuffix("\n"):
                self._call("send-keys", "-l", line)
            if part.endswith("\n"):
                self.press("Enter")

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them."""
        self._call("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def view(self) -> str:
        """What is in view."""
        return self._call("capture-pane", "-p")

    @property
    def everything(self) -> str:
        """What is in view and in the history."""
        return self._call("capture-pane", "-p", "-S", "-")

    def wait(self, ready: Callable[[str], bool], what: str) -> str:
        """Wait until the view is ``ready`` and stays as it is; the view."""
        end = time.monotonic() + PATIENCE
        last = ""
        while time.monotonic() < end:
            view = self.view
            if view == last and ready(view):
                return view
            last = view
            time.sleep(0.03)
        raise AssertionError(f"waited for {what}; in view was\n{last}")

    def wait_for(self, text: str) -> str:
        """Wait until the text is in view."""
        return self.wait(lambda view: text in view, text)

    def answer(self, *keys: str) -> str:
        """Press keys, and wait until another screen asks for something or the program has ended."""
        before = self.view
        self.press(*keys)
        return self.wait(lambda view: view != before and (POINTER in view or "left with" in view), " ".join(keys))

    def pid(self, arguments: str) -> int:
        """The process of ``cardgames`` with these arguments in this home."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = path.read_bytes().replace(b"\0", b" ").decode().strip()
                environment = path.with_name("environ").read_bytes()
            except OSError:
                continue
            if command.endswith(f"-m cardgames {arguments}") and f"CARDGAMES_HOME={self.home}".encode() in environment:
                return int(path.parent.name)
        raise AssertionError(f"no process runs cardgames {arguments}")
