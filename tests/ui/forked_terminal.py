"""Starts the program in a terminal quickly: a process that has already imported the program forks it."""

import atexit
import json
import os
import pty
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from select import poll

import pexpect
import ptyprocess

from tests.ui.program_forker import LONGEST, NUMBER

ROOT = Path(__file__).parents[2]


class Forked(ptyprocess.PtyProcess):  # type: ignore[misc]
    """A process in a terminal. It is the child of the forking process, which reports how it has ended."""

    terminated: bool

    def __init__(self, terminal: int, news: int) -> None:
        super().__init__(_number(news), terminal)
        self._news = news

    def isalive(self) -> bool:
        if not self.terminated:
            news = poll()  # select takes no file of a number above 1,023
            news.register(self._news)
            if news.poll(0):
                self.wait()
        return not self.terminated

    def wait(self) -> int | None:
        """Wait for the end; the exit code, if it was not a signal."""
        if not self.terminated:
            self.status = _number(self._news)
            os.close(self._news)
            self.terminated = True
            self.exitstatus = os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else None
            self.signalstatus = os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else None
        found: int | None = self.exitstatus
        return found


def spawn(
    arguments: Sequence[str], environment: Mapping[str, str], size: tuple[int, int], guarded: bool
) -> "pexpect.spawn[str]":
    """Start ``cardgames`` with these arguments in a terminal of so many rows and columns."""
    terminal, follower = pty.openpty()
    news, writing = os.pipe()
    order = json.dumps([[*arguments], dict(environment), os.getcwd(), guarded]).encode()
    assert len(order) < LONGEST
    termios.tcsetwinsize(terminal, size)
    socket.send_fds(_forking(), [order], [follower, writing])
    os.close(follower)
    os.close(writing)
    child: pexpect.spawn[str] = pexpect.spawn(None, encoding="utf-8", use_poll=True)
    child.ptyproc = Forked(terminal, news)
    child.pid, child.child_fd, child.closed, child.terminated = child.ptyproc.pid, terminal, False, False
    return child


def _number(news: int) -> int:
    data = os.read(news, NUMBER.size)
    assert len(data) == NUMBER.size, "the process that waits for the program is gone"
    found: int = NUMBER.unpack(data)[0]
    return found


@cache
def _forking() -> socket.socket:
    """The socket on which processes are ordered; the one at its other end is started once, and ends with this one."""
    orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ui.program_forker", str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    theirs.close()

    def end() -> None:
        orders.close()
        process.wait()

    atexit.register(end)
    return orders
