"""A fork server: a process with all imports done, from which guests' processes are forked.

Guests' processes start at once and share the fork server's memory. Unlike children of the fork server of
:mod:`multiprocessing`, each leads a session on its own terminal."""

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
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, NoReturn

MAX_MESSAGE = 4096
"""The most bytes of a message: a pipe never mixes messages of this size from several processes."""

MAX_BLOCK, MIN_BLOCK = 1 << 16, 16
"""The largest and the smallest free blocks of memory that :func:`_fill_free_memory` allocates, in bytes."""

GUEST_PREFIXES = ("CARDGAMES_", "COLORTERM", "LANG", "LC_", "NO_COLOR", "TERM")
"""The prefixes of the variables that a guest's process takes from the guest instead of the owner."""
OWNER_VARIABLES = ("CARDGAMES_HOME", "CARDGAMES_STORE")
"""The owner's variables that a guest's process keeps, because they locate the store."""

EXIT_CHECK_MS = 250
"""Milliseconds between checks for killed processes; all others report their ends themselves."""
MAX_FAILURES, FAILURE_SECONDS = 5, 60.0
"""The fork server is not restarted after this number of failures within this number of seconds."""


class Guest(NamedTuple):
    """The data that a guest's process gets about its guest."""

    number: int
    user: str
    key: str | None
    """The fingerprint of the guest's key, if the guest has proved to own it."""
    ssh_command: str
    """The SSH command by which other people reach this server."""
    environment: dict[str, str]
    """The guest's environment variables for language and terminal."""
    memory: int
    """The most bytes of memory for the guest's process."""
    quotas: dict[str, int]
    """The most identities and matches that the guest may make."""


Report = Callable[[int, Mapping[str, Any]], None]
"""A function that takes a guest's number and a report; the last report is ``{"left": code}`` with the exit code.

The last report may come twice, from the process and from the fork server. ``{"restarted": code}``: the fork server was
restarted after it exited with this code."""

Run = Callable[[Guest, Callable[..., None]], int]
"""A function that runs in a guest's process, takes a function to report to the server, and returns the exit code."""


def fork(run: Callable[[], int]) -> int:
    """Run a function in a new process and return the process's id. The exit code is the result, or 1 after an error."""
    if pid := os.fork():
        return pid
    code = 1
    try:
        code = run()
    except SystemExit:
        pass  # by a signal, which a screen handled
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


class ForkServer:
    """The server's access to the fork server. Create it before any thread, because it forks.

    A process between server and fork server does the imports, and restarts the fork server if it fails. Guests'
    processes continue."""

    def __init__(self, prepare: Callable[[], object], run: Run) -> None:
        """``prepare`` does the imports; ``run`` runs in each guest's process."""
        orders, self._orders = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._reports, reports = os.pipe()
        self._rest = b""
        self._pid = fork(partial(self._keep_forking, _ForkingProcess(orders, reports, run), prepare))
        orders.close()
        os.close(reports)

    def _keep_forking(self, forking: "_ForkingProcess", prepare: Callable[[], object]) -> int:
        """Call ``prepare``, run the fork server in a process of its own, and restart it after failures.

        Return its exit code. ``SIGTERM`` ends this process during ``prepare``. After that it must outlast guests."""
        self._orders.close()
        os.close(self._reports)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        prepare()
        gc.collect()
        _fill_free_memory()
        gc.freeze()  # a collection in a child would copy the pages of these objects
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        failures = deque[float](maxlen=MAX_FAILURES)
        while True:
            pid = fork(forking.serve)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            failures.append(time.monotonic())
            if not code or (len(failures) == MAX_FAILURES and failures[-1] - failures[0] < FAILURE_SECONDS):
                return code
            forking.report(0, restarted=code)  # 0: about no guest

    def listen(self, report: Report) -> None:
        """Pass the reports of guests' processes to ``report`` from now on, in the running event loop."""
        asyncio.get_running_loop().add_reader(self._reports, self._read, report)

    def _read(self, report: Report) -> None:
        """Read from the pipe of reports, and pass each complete report to ``report``."""
        data = os.read(self._reports, 16 * MAX_MESSAGE)
        if not data:  # every process with the other end has ended
            asyncio.get_running_loop().remove_reader(self._reports)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            report(message.pop("guest"), message)

    def start(self, guest: Guest, terminal: int) -> None:
        """Start a guest's process on ``terminal``, a file descriptor that the caller may close afterwards."""
        with suppress(OSError):  # if it has ended, the server closes soon
            socket.send_fds(self._orders, [json.dumps(guest).encode()], [terminal])

    def end(self, number: int) -> None:
        """Kill the process of the guest with this number."""
        with suppress(OSError):
            self._orders.send(json.dumps(number).encode())

    @property
    def has_ended(self) -> bool:
        """Whether the fork server has ended for good. Check it after ``SIGCHLD``."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def close(self) -> None:
        """Close the channel for orders, then wait until the guests' processes and the fork server have ended."""
        self._orders.close()
        os.close(self._reports)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGTERM)  # which ends the imports, and nothing later
        os.waitpid(self._pid, 0)


class _ForkingProcess:
    """The fork server in its own process: it forks guests' processes and reports their ends."""

    def __init__(self, orders: socket.socket, reports: int, run: Run) -> None:
        self._orders = orders
        self._reports = reports
        self._run = run
        self._guests: dict[int, int] = {}
        """Map the id of each guest's process to the guest's number."""

    def serve(self) -> int:
        """Obey the server's orders until the server is gone; return the exit code."""
        poller = select.poll()
        poller.register(self._orders, select.POLLIN)
        poller.register(self._reports, 0)  # only for an error, which means that the server is gone
        while True:
            for file, _ in poller.poll(EXIT_CHECK_MS):
                if file == self._reports:
                    self._report_exits(0)  # they notice the loss of their terminals
                    return 0
                self._obey()
            self._report_exits()

    def _obey(self) -> None:
        """Start or kill a guest's process, as the next order asks."""
        message, files, _, _ = socket.recv_fds(self._orders, MAX_MESSAGE, 1)
        try:
            order = json.loads(message)
        except ValueError:  # an overlong order must not end everybody's process
            for file in files:
                os.close(file)
            return
        if isinstance(order, int):  # the number of the guest whose process is to be killed
            for pid, number in self._guests.items():
                if number == order:
                    os.kill(pid, signal.SIGKILL)
            return
        guest, (terminal,) = Guest(*order), files
        try:
            if pid := os.fork():
                self._guests[pid] = guest.number
            else:
                self._run_child(guest, terminal)
        except OSError:  # too many processes, or no memory
            self.report(guest.number, left=os.EX_OSERR, why="no_room")
        os.close(terminal)

    def _run_child(self, guest: Guest, terminal: int) -> NoReturn:
        """Run a guest in this new process, report the exit code, and exit."""
        code, why = os.EX_SOFTWARE, "broken"
        try:
            self._orders.close()
            code, why = self._run_guest(guest, terminal), ""
        except MemoryError:
            why = "memory_full"
        finally:
            self.report(guest.number, left=code, why=why)
            os._exit(code)

    def _run_guest(self, guest: Guest, terminal: int) -> int:
        """Set up this process's signals, memory, terminal and variables for a guest; return ``run``'s exit code."""
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        limit = guest.memory + memory_of(os.getpid(), DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        try:
            os.login_tty(terminal)
        except OSError:  # the guest's line has dropped meanwhile
            return 128 + signal.SIGHUP
        for name in [*os.environ]:
            if name.startswith(GUEST_PREFIXES) and name not in OWNER_VARIABLES:
                del os.environ[name]
        os.environ.update(guest.environment)
        sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 — as long as this lasts
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        return self._run(guest, lambda **facts: self.report(guest.number, **facts))

    def report(self, guest: int, **facts: Any) -> None:
        """Send the server a report about the guest with this number. Do nothing if the server is gone."""
        with suppress(OSError):
            os.write(self._reports, json.dumps({"guest": guest, **facts}).encode() + b"\n")

    def _report_exits(self, options: int = os.WNOHANG) -> None:
        """Report the exit codes of the guests' processes that have ended or, with ``options`` 0, wait for all."""
        while self._guests:
            pid, status = os.waitpid(-1, options)
            if not pid:
                return
            if (guest := self._guests.pop(pid, None)) is not None:
                self.report(guest, left=os.waitstatus_to_exitcode(status))


RESIDENT, DATA = 1, 5
"""Indices of fields in ``/proc/PID/statm``, in pages: the resident memory; the data, shared with the parent or not."""


def memory_of(process: int, field: int) -> int:
    """The bytes of a process's memory in a ``field`` of ``/proc/PID/statm``; 0 if unknown."""
    with suppress(OSError), open(f"/proc/{process}/statm") as sizes:
        return int(sizes.read().split()[field]) * resource.getpagesize()
    return 0


def _fill_free_memory() -> None:
    """Allocate the free memory between used blocks, if the C library is GNU's.

    Otherwise each guest's process would use this memory first, and every write to a shared page would copy the page."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_info"):
        return
    library.malloc.argtypes, library.malloc.restype = [ctypes.c_size_t], ctypes.c_size_t
    library.free.argtypes, library.free.restype = [ctypes.c_size_t], None
    top_block = library.malloc(MAX_BLOCK)  # as a rule at an address above the used blocks
    library.free(top_block)
    for size in range(MAX_BLOCK, 0, -MIN_BLOCK):
        while (block := library.malloc(size)) < top_block:
            pass
        library.free(block)
