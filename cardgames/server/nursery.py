"""The processes of the guests, forked from one that has everything imported and shares its memory with them.

:mod:`multiprocessing` has a fork server too; but a child of it is a function with arguments to be pickled, and watched
over by a process more. Here a child is a session: it leads one, on a terminal of its own, and is left alone with it.
"""

import asyncio
import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

LONGEST = 4096
"""So many bytes a message has at most: those of a pipe that short come whole."""

LARGEST_HOLE, SMALLEST_HOLE = 1 << 16, 16
"""Holes in memory of so many bytes are filled, and such as differ by so many from each other."""

THEIRS = ("CARDGAMES_", "COLORTERM", "LANG", "LC_", "NO_COLOR", "TERM")
OURS = ("CARDGAMES_HOME", "CARDGAMES_STORE")
"""How the names of variables begin that are about a guest's language and terminal, or about the host's, which are
nothing to them; and those that say where the matches are."""


class Guest(NamedTuple):
    """Somebody who has come in, as their own process is told."""

    number: int
    """By which the server knows them; nobody else does."""
    user: str
    """The name that they gave to SSH."""
    key: str | None
    """The fingerprint of their key, if they have shown that they have one."""
    way: str
    """How others come here: what they type."""
    environment: dict[str, str]
    """Their language and terminal, as the environment has it."""


Report = Callable[[int, Mapping[str, Any]], None]
"""Is told of a guest, by number, what their process says; ``{"left": code}`` is the last of it."""


Live = Callable[[Guest, Callable[..., None]], int]
"""The work of a guest's process on its terminal, given what reports to the server; returns its exit code."""


class Nursery:
    """The process that has everything imported, as the server sees it; made before there are threads."""

    def __init__(self, prepare: Callable[[], object], live: Live) -> None:
        """``prepare`` is called once, to import what all need; ``live`` is what a guest's process does."""
        orders, self._orders = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._reports, reports = os.pipe()
        self._rest = b""
        self._pid = os.fork()
        if not self._pid:
            code = 1
            try:
                self._orders.close()
                os.close(self._reports)
                code = _Inside(orders, reports, live).tend(prepare)
            finally:
                os._exit(code)
        orders.close()
        os.close(reports)
        os.set_blocking(self._reports, False)

    def listen(self, report: Report) -> None:
        """From now on, tell what the guests' processes say, in the event loop that is running."""
        asyncio.get_running_loop().add_reader(self._reports, self._read, report)

    def _read(self, report: Report) -> None:
        try:
            new = os.read(self._reports, 16 * LONGEST)
        except BlockingIOError:
            return
        if not new:
            asyncio.get_running_loop().remove_reader(self._reports)
        *lines, self._rest = (self._rest + new).split(b"\n")
        for line in lines:
            said = json.loads(line)
            report(said.pop("guest"), said)

    def start(self, guest: Guest, terminal: int) -> None:
        """Start the process of a guest on a ``terminal``, a file descriptor, which may be closed here afterwards."""
        socket.send_fds(self._orders, [json.dumps(guest).encode()], [terminal])

    def end(self, number: int) -> None:
        """End the process of a guest who is gone and which did not end by itself."""
        self._orders.send(json.dumps(number).encode())

    def close(self) -> None:
        """Let the process end when the guests' have, and wait for that."""
        self._orders.close()
        os.close(self._reports)
        os.waitpid(self._pid, 0)


class _Inside:
    """The process that has everything imported, as it sees itself: it forks, and buries."""

    def __init__(self, orders: socket.socket, reports: int, live: Live) -> None:
        self._orders = orders
        self._reports = reports
        self._live = live
        self._guests: dict[int, int] = {}
        """By process the number of a guest."""

    def tend(self, prepare: Callable[[], object]) -> int:
        """Do as the server says until it is gone."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the server ends that, and so in good order this
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        prepare()
        gc.collect()
        _fill_holes()
        gc.freeze()  # no child is to look through it, which would make it a copy of its own
        waking, woken = os.pipe()
        for end in (waking, woken):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        watched = select.poll()
        watched.register(self._orders, select.POLLIN)
        watched.register(waking, select.POLLIN)
        watched.register(self._reports, 0)  # an error there says that nobody reads it any more: the server is gone
        while True:
            for file, event in watched.poll():
                if file == waking:
                    with suppress(BlockingIOError):
                        os.read(waking, LONGEST)
                elif file == self._reports and event & (select.POLLERR | select.POLLHUP):
                    return self._leave()
                elif file == self._orders.fileno():
                    self._obey((waking, woken))
            self._bury()

    def _obey(self, mine: tuple[int, ...]) -> None:
        message, files, _, _ = socket.recv_fds(self._orders, LONGEST, 1)
        said = json.loads(message)
        if isinstance(said, int):
            for pid, number in self._guests.items():
                if number == said:
                    os.kill(pid, signal.SIGKILL)
            return
        guest = Guest(*said)
        try:
            pid = os.fork()
        except OSError:  # too many processes, or no memory
            self._say(guest.number, left=os.EX_OSERR)
            pid = -1
        if not pid:
            code = os.EX_SOFTWARE
            try:
                signal.set_wakeup_fd(-1)
                for file in mine:
                    os.close(file)
                self._orders.close()
                code = self._be(guest, files[0])
            finally:
                os._exit(code)
        os.close(files[0])
        if pid > 0:
            self._guests[pid] = guest.number

    def _be(self, guest: Guest, terminal: int) -> int:
        """Be the process of a guest; its exit code."""
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.login_tty(terminal)
        for name in [*os.environ]:
            if name.startswith(THEIRS) and name not in OURS:
                del os.environ[name]
        os.environ.update(guest.environment)
        sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 — as long as this lasts
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        return self._live(guest, lambda **said: self._say(guest.number, **said))

    def _say(self, guest: int, **said: Any) -> None:
        with suppress(OSError):
            os.write(self._reports, json.dumps({"guest": guest, **said}).encode() + b"\n")

    def _bury(self) -> None:
        while self._guests:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if (guest := self._guests.pop(pid, None)) is not None:
                self._say(guest, left=os.waitstatus_to_exitcode(status))

    def _leave(self) -> int:
        """The server is gone, and with it every terminal, which tells the guests' processes to leave."""
        while self._guests:
            pid, _ = os.wait()
            self._guests.pop(pid, None)
        return 0


def _fill_holes() -> None:
    """Take the memory that is free between what is in use, where the C library is GNU's.

    A child would begin with it, and each small thing there makes a copy of a page that all could share.
    """
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_info"):
        return
    library.malloc.argtypes, library.malloc.restype = [ctypes.c_size_t], ctypes.c_size_t
    library.free.argtypes, library.free.restype = [ctypes.c_size_t], None
    above = library.malloc(LARGEST_HOLE)
    library.free(above)
    for size in range(LARGEST_HOLE, 0, -SMALLEST_HOLE):
        while (place := library.malloc(size)) < above:
            pass
        library.free(place)
