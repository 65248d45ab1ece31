"""A fork server: a process that has everything imported, from which those of the guests are forked.

So they start at once and share its memory. The fork server of :mod:`multiprocessing` would run a pickled function in
each child, and a further process to watch them; here a child leads a session on a terminal of its own.
"""

import asyncio
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

LONGEST = 4096
"""The most bytes of a message: a pipe does not mix what several processes write if it is no longer."""

LARGEST_FREE, SMALLEST_FREE = 1 << 16, 16
"""Free blocks of memory from the larger to the smaller of these sizes, in bytes, are filled."""

PERSONAL = ("CARDGAMES_", "COLORTERM", "LANG", "LC_", "NO_COLOR", "TERM")
"""How the names of variables begin that are about somebody's language, terminal and settings: of those a guest's
process has the guest's own, and none of the owner's."""
KEPT = ("CARDGAMES_HOME", "CARDGAMES_STORE")
"""The variables of the owner that it has all the same: they say where the matches are."""

MOST_ENDS, WITHIN = 5, 60.0
"""The times that a fork server may be killed within so many seconds; after that no other is started."""


class Guest(NamedTuple):
    """Somebody who has come in, as their own process is told."""

    number: int
    """By which the server knows them; nobody else does."""
    user: str
    """The name that they gave to SSH."""
    key: str | None
    """The fingerprint of their key, if they have shown that they have one."""
    ssh_command: str
    """The command by which others come here."""
    environment: dict[str, str]
    """Their language and terminal, as the environment has it."""
    memory: int
    """The most bytes of memory for their process."""


Report = Callable[[int, Mapping[str, Any]], None]
"""Is given the number of a guest and what their process reports; ``{"left": code}``, its exit code, comes last.

It may come twice, from the process itself and from the fork server. ``{"restarted": code}`` is about no guest but the
fork server: another has taken the place of one that ended with this code.
"""

Run = Callable[[Guest, Callable[..., None]], int]
"""Runs in a guest's process on its terminal, with a function that reports to the server; returns the exit code."""


class ForkServer:
    """The fork server as the server uses it; to be made before there are threads, as it is a fork itself.

    Between the two is a process that only waits, and starts another fork server when one has been killed. The guests
    stay where they are then.
    """

    def __init__(self, prepare: Callable[[], object], run: Run) -> None:
        """``prepare`` is called once in the fork server, to import what all need; ``run`` in each guest's process."""
        orders, self._orders = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._reports, reports = os.pipe()
        self._rest = b""
        self._pid = os.fork()
        if not self._pid:
            code = 1
            try:
                self._orders.close()
                os.close(self._reports)
                code = _keep_forking(_Forking(orders, reports, run), prepare)
            finally:
                os._exit(code)
        orders.close()
        os.close(reports)
        os.set_blocking(self._reports, False)

    def listen(self, report: Report) -> None:
        """From now on call ``report`` with what the guests' processes report, in the event loop that is running."""
        asyncio.get_running_loop().add_reader(self._reports, self._read, report)

    def _read(self, report: Report) -> None:
        """Hand on the reports that have come, each once it is whole."""
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
        with suppress(OSError):  # where it has ended the server closes at once
            socket.send_fds(self._orders, [json.dumps(guest).encode()], [terminal])

    def end(self, number: int) -> None:
        """Kill the process of a guest who is gone."""
        with suppress(OSError):
            self._orders.send(json.dumps(number).encode())

    @property
    def has_ended(self) -> bool:
        """Whether no fork server is started any more, which is to be asked when ``SIGCHLD`` has come."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def close(self) -> None:
        """Wait until the guests' processes have ended, and the fork server with them."""
        self._orders.close()
        os.close(self._reports)
        os.waitpid(self._pid, 0)


def _keep_forking(forking: "_Forking", prepare: Callable[[], object]) -> int:
    """Run a fork server in a process of its own until the server is gone, or too many of them have been killed."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):  # they reach this process too, which outlasts guests
        signal.signal(number, signal.SIG_IGN)
    ends = deque[float](maxlen=MOST_ENDS)
    while True:
        pid = os.fork()
        if not pid:
            code = 1
            try:
                code = forking.serve(prepare)
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        ends.append(time.monotonic())
        if not code or (len(ends) == MOST_ENDS and ends[-1] - ends[0] < WITHIN):
            return code
        forking.report(0, restarted=code)


class _Forking:
    """The fork server in its own process: it forks one for each guest, and reports when that has ended."""

    def __init__(self, orders: socket.socket, reports: int, run: Run) -> None:
        self._orders = orders
        self._reports = reports
        self._run = run
        self._guests: dict[int, int] = {}
        """The number of each guest, by the id of their process."""

    def serve(self, prepare: Callable[[], object]) -> int:
        """Do what the server orders until it is gone."""
        prepare()
        gc.collect()
        _fill_free_memory()
        gc.freeze()  # a collection in a child would write to these objects, and so make a copy of their pages
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
                    return self._wait_for_guests()
                elif file == self._orders.fileno():
                    self._obey((waking, woken))
            self._report_ended()

    def _obey(self, own_files: tuple[int, ...]) -> None:
        """Start or kill the process of a guest, as the next order says; a new child closes the ``own_files``."""
        message, files, _, _ = socket.recv_fds(self._orders, LONGEST, 1)
        try:
            said = json.loads(message)
        except ValueError:  # longer than any that is sent: nobody's order may end the processes of all
            for file in files:
                os.close(file)
            return
        if isinstance(said, int):
            for pid, number in self._guests.items():
                if number == said:
                    os.kill(pid, signal.SIGKILL)
            return
        guest = Guest(*said)
        try:
            pid = os.fork()
        except OSError:  # too many processes, or no memory
            self.report(guest.number, left=os.EX_OSERR, why="no_room")
            pid = -1
        if not pid:
            code, why = os.EX_SOFTWARE, "broken"
            try:
                signal.set_wakeup_fd(-1)
                for file in own_files:
                    os.close(file)
                self._orders.close()
                code, why = self._in_child(guest, files[0]), ""
            except MemoryError:
                why = "memory_full"
            finally:
                self.report(guest.number, left=code, why=why)
                os._exit(code)
        os.close(files[0])
        if pid > 0:
            self._guests[pid] = guest.number

    def _in_child(self, guest: Guest, terminal: int) -> int:
        """Set up the process of a guest, and run what it is for; its exit code."""
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_DATA, (guest.memory, guest.memory))
        os.login_tty(terminal)
        for name in [*os.environ]:
            if name.startswith(PERSONAL) and name not in KEPT:
                del os.environ[name]
        os.environ.update(guest.environment)
        sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 — as long as this lasts
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        return self._run(guest, lambda **said: self.report(guest.number, **said))

    def report(self, guest: int, **said: Any) -> None:
        with suppress(OSError):
            os.write(self._reports, json.dumps({"guest": guest, **said}).encode() + b"\n")

    def _report_ended(self) -> None:
        while self._guests:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if (guest := self._guests.pop(pid, None)) is not None:
                self.report(guest, left=os.waitstatus_to_exitcode(status))

    def _wait_for_guests(self) -> int:
        """Wait for their processes, which end by themselves: with the server every terminal has been hung up."""
        while self._guests:
            pid, _ = os.wait()
            self._guests.pop(pid, None)
        return 0


def _fill_free_memory() -> None:
    """Allocate the memory that is free between what is in use, where the C library is GNU's.

    Otherwise a child would allocate it first, and whatever is written there makes a copy of a page that all share.
    """
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_info"):
        return
    library.malloc.argtypes, library.malloc.restype = [ctypes.c_size_t], ctypes.c_size_t
    library.free.argtypes, library.free.restype = [ctypes.c_size_t], None
    above = library.malloc(LARGEST_FREE)
    library.free(above)
    for size in range(LARGEST_FREE, 0, -SMALLEST_FREE):
        while (place := library.malloc(size)) < above:
            pass
        library.free(place)
