"""A fork server: a process with all imports done, from which guests' processes are forked.

They start at once and share its memory. Unlike the fork server of :mod:`multiprocessing`, which runs a pickled
function beside a further process, each child here leads a session on its own terminal."""

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
"""The most bytes of a message, so that a pipe never mixes those of several processes."""

LARGEST_FREE, SMALLEST_FREE = 1 << 16, 16
"""The sizes in bytes between which free blocks of memory are filled, the larger first."""

PERSONAL = ("CARDGAMES_", "COLORTERM", "LANG", "LC_", "NO_COLOR", "TERM")
"""The prefixes of variables about language, terminal and settings. A guest's process has the guest's own instead of
the owner's."""
KEPT = ("CARDGAMES_HOME", "CARDGAMES_STORE")
"""The owner's variables that it keeps because they locate the store."""

MOST_ENDS, WITHIN = 5, 60.0
"""The most kills of a fork server within so many seconds; after more none is started."""


class Guest(NamedTuple):
    """A guest, as described to their process."""

    number: int
    """The number by which the server knows them."""
    user: str
    """Their SSH user name."""
    key: str | None
    """The fingerprint of their key, if they have proved to own it."""
    ssh_command: str
    """The command by which others come here."""
    environment: dict[str, str]
    """Their environment's language and terminal."""
    memory: int
    """The most bytes of memory for their process."""


Report = Callable[[int, Mapping[str, Any]], None]
"""Called with a guest's number and a report; the last is ``{"left": code}`` with the exit code.

The last may come twice, from the process and from the fork server. ``{"restarted": code}`` is about the fork server:
another has replaced one that exited with this code."""

Run = Callable[[Guest, Callable[..., None]], int]
"""Runs in a guest's process, with a function that reports to the server; returns the exit code."""


class ForkServer:
    """The fork server, as the server uses it. Create it before any thread because it is forked.

    A process between the two waits and starts another fork server if one was killed; the guests stay."""

    def __init__(self, prepare: Callable[[], object], run: Run) -> None:
        """``prepare`` runs once in the fork server, for the imports; ``run`` runs in each guest's process."""
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
        """Call ``report`` with the reports of guests' processes from now on, in the running event loop."""
        asyncio.get_running_loop().add_reader(self._reports, self._read, report)

    def _read(self, report: Report) -> None:
        """Pass on complete reports."""
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
        """Start a guest's process on ``terminal``, a file descriptor that the caller may close afterwards."""
        with suppress(OSError):  # if it has ended, the server closes soon
            socket.send_fds(self._orders, [json.dumps(guest).encode()], [terminal])

    def end(self, number: int) -> None:
        """Kill the process of a guest who is gone."""
        with suppress(OSError):
            self._orders.send(json.dumps(number).encode())

    @property
    def has_ended(self) -> bool:
        """Whether no further fork server will be started; to be checked after ``SIGCHLD``."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def close(self) -> None:
        """Close the channel for orders, then wait until the guests' processes and the fork server have ended."""
        self._orders.close()
        os.close(self._reports)
        os.waitpid(self._pid, 0)


def _keep_forking(forking: "_Forking", prepare: Callable[[], object]) -> int:
    """Run fork servers in processes of their own until the server is gone, or too many were killed."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):  # this process must outlast guests
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
    """The fork server in its own process: it forks guests' processes and reports their ends."""

    def __init__(self, orders: socket.socket, reports: int, run: Run) -> None:
        self._orders = orders
        self._reports = reports
        self._run = run
        self._guests: dict[int, int] = {}
        """The number of each guest, by the id of their process."""

    def serve(self, prepare: Callable[[], object]) -> int:
        """Obey the server's orders until it is gone."""
        prepare()
        gc.collect()
        _fill_free_memory()
        gc.freeze()  # a collection in a child would copy the pages of these objects
        waking, woken = os.pipe()
        for end in (waking, woken):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        watched = select.poll()
        watched.register(self._orders, select.POLLIN)
        watched.register(waking, select.POLLIN)
        watched.register(self._reports, 0)  # an error there means that the server is gone
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
        """Start or kill a guest's process by the next order; a new child closes ``own_files``."""
        message, files, _, _ = socket.recv_fds(self._orders, LONGEST, 1)
        try:
            said = json.loads(message)
        except ValueError:  # an overlong message must not end everybody's process
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
        """Set up the process of a guest and run it; return the exit code."""
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        most = guest.memory + _inherited()
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
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
        """Wait for guests' processes to end, because their terminals hang up with the server; return the exit code."""
        while self._guests:
            pid, _ = os.wait()
            self._guests.pop(pid, None)
        return 0


def _inherited() -> int:
    """The bytes of data that a new process shares with this one, such as compiled code; 0 where that is not told."""
    try:
        with open("/proc/self/statm") as sizes:
            return int(sizes.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


def _fill_free_memory() -> None:
    """Allocate the free memory between used blocks, if the C library is GNU's.

    Otherwise a child would allocate it first, and copy the shared pages by writing there."""
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
