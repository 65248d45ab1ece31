"""tmux and GNU screen, which show what remains in a terminal's view and history."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Self

import pexpect
import pytest

from tests.processes import descendants, working
from tests.ui.fingers import Fingers
from tests.ui.terminal import PATIENCE, hang_up

POINTER = "▶"
KEYS = {"Enter": "\r", "Down": "\x1b[B", "Space": " ", "C-c": "\x03", "C-z": "\x1a"}
"""The bytes of the keys that tests press by tmux's names."""
SHELL = ("bash", "--norc", "--noprofile")
PROGRAM = "tests.ui.without_guard"
"""The full screen admits all keys: what stays in view does not depend on when they were pressed."""


def need(judge: str) -> None:
    """If the program ``judge`` (``tmux`` or ``screen``) is missing, fail in CI and skip elsewhere."""
    if shutil.which(judge) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{judge} is missing: scripts/test installs it where it can")
        pytest.skip(f"{judge} is missing: secrecy is not judged by it")


class Window(ABC):
    """A terminal window with a shell and a history, as a context manager that closes the window."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._fingers: Fingers | None = None
        """The rhythm of a person at the line screen, which ignores keys that come too early."""
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CARDGAMES_HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PS1": "$ ",
        }

    @abstractmethod
    def __enter__(self) -> Self: ...

    @abstractmethod
    def __exit__(self, *error: object) -> None: ...

    @property
    @abstractmethod
    def view(self) -> str:
        """The lines in view."""

    @property
    @abstractmethod
    def everything(self) -> str:
        """The lines in view and in the history."""

    @property
    @abstractmethod
    def processes(self) -> list[int]:
        """The processes that have to be idle before the view is final."""

    @abstractmethod
    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""

    @abstractmethod
    def send(self, text: str) -> None:
        """Type text at once."""

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


class Tmux(Window):
    """A new tmux server with one window."""

    def __init__(self, home: Path, columns: int = 80, rows: int = 24, alternate: bool = True) -> None:
        """Unless ``alternate`` it has no alternate screen."""
        super().__init__(home)
        self._socket = f"cardgames-{uuid.uuid4().hex[:12]}"
        self._size = ("-x", str(columns), "-y", str(rows))
        self._alternate = alternate

    def __enter__(self) -> Self:
        shell = ("env", "-i", *(f"{key}={value}" for key, value in self.environment.items()), "TERM=tmux-256color")
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


class GnuScreen(Window):
    """A new GNU screen with one window of 80x24. Its copies are bytes, not letters, so cards have to be ASCII."""

    def __init__(self, home: Path, alternate: bool = False) -> None:
        """Unless ``alternate`` it has no alternate screen, as is its default."""
        super().__init__(home)
        self._alternate = alternate
        self._sockets = TemporaryDirectory(prefix="cards-")  # the path of a socket must not be long
        self._copies = 0
        self._attached: pexpect.spawn[bytes] | None = None

    def __enter__(self) -> Self:
        self.environment |= {"SCREENDIR": self._sockets.name, "TERM": "xterm-256color"}
        rc = self.home / "screenrc"
        rc.write_text(f"startup_message off\ndefscrollback 3000\naltscreen {'on' if self._alternate else 'off'}\n")
        self._screen("-U", "-c", str(rc), "-dmS", "table", *SHELL)
        self.wait(lambda view: "$" in view, "a prompt")
        return self

    def __exit__(self, *error: object) -> None:
        self._command("quit")
        if self._attached:
            hang_up(self._attached)
        self._sockets.cleanup()

    def _screen(self, *arguments: str) -> None:
        subprocess.run(["screen", *arguments], env=self.environment, capture_output=True, check=False)

    def _command(self, *words: str) -> None:
        self._screen("-S", "table", "-p", "0", "-X", *words)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window, which is that of the attached terminal."""
        if self._attached is None:
            self._attached = pexpect.spawn("screen", ["-x", "table"], env=self.environment, dimensions=(24, 80))
            self._attached.expect("\\S")
            Thread(target=self._look_in, args=(self._attached,), daemon=True).start()
        self._attached.setwinsize(rows, columns)

    @staticmethod
    def _look_in(attached: "pexpect.spawn[bytes]") -> None:
        """Read the output of the attached terminal, so that GNU screen goes on drawing."""
        with suppress(pexpect.EOF, OSError, ValueError):
            while True:
                attached.read_nonblocking(1 << 16, timeout=None)

    def send(self, text: str) -> None:
        """Type text at once."""
        self._command("stuff", text.replace("\\", "\\\\").replace("^", "\\^").replace("$", "\\$"))

    @property
    def view(self) -> str:
        """The lines in view."""
        return self._copy()

    @property
    def everything(self) -> str:
        """The lines in view and in the history."""
        return self._copy("-h")

    @property
    def processes(self) -> list[int]:
        """The server, whose process id is in the name of its socket, and all its descendants."""
        servers = [int(socket.partition(".")[0]) for socket in os.listdir(self._sockets.name)]
        return [pid for server in servers for pid in descendants(server)]

    def _copy(self, *options: str) -> str:
        """The view as GNU screen writes it into a file, after some time."""
        self._copies += 1
        path = self.home / f"copy-{self._copies}"
        end = time.monotonic() + PATIENCE
        before = b""
        while time.monotonic() < end:
            if not path.exists():
                self._command("hardcopy", *options, str(path))
                time.sleep(0.02)
            elif before and path.read_bytes() == before:
                path.unlink()
                return before.decode("latin-1")
            else:
                before = path.read_bytes()
                time.sleep(0.02)
        raise AssertionError("GNU screen wrote nothing down")
