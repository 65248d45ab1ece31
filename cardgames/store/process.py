"""The process that holds a match, and a check whether it still runs."""

import os
from datetime import datetime
from typing import NamedTuple

from cardgames.store.database import Transaction, insert
from cardgames.store.serialization import number, text, time

PROC = "/proc"
"""As text, because each new :class:`Path` interns its names, and Python's table of such names only grows."""

tokens: set[str] = set()
"""The tokens of the locks that this process holds."""


class Holder(NamedTuple):
    """The process that is playing a match."""

    pid: int
    host: str
    since: datetime
    """The time at which the process began to play the match; timezone-aware."""


def holder(db: Transaction, match: int) -> Holder | None:
    """The process that plays a match, at several terminals the earliest that still runs; ``None`` if there is none."""
    columns = "token, pid, started, host, since"
    locks = db.execute(f"SELECT {columns} FROM lock WHERE match = ?", (match,)).fetchall()
    query = f"SELECT {columns} FROM terminal WHERE token IN (SELECT terminal FROM seat WHERE match = ?) ORDER BY since"
    for token, pid, start, machine, since in locks or db.execute(query, (match,)).fetchall():
        # This process may have released the match without being able to delete the row.
        is_released = locks and pid == os.getpid() and machine == machine_name() and token not in tokens
        if not is_released and is_alive(number(pid), text(start), text(machine)):
            return Holder(number(pid), text(machine), time(since))
    return None


def write_own_process(db: Transaction, table: str, since: str, **others: int) -> str:
    """Insert this process into the database table ``lock`` or ``terminal``; return the new token of its row."""
    pid, token = os.getpid(), os.urandom(8).hex()
    started = start_id(pid) or ""
    insert(db, table, token=token, pid=pid, started=started, host=machine_name(), since=since, **others)
    return token


def start_id(pid: int) -> str | None:
    """A text that tells the process ``pid`` from others of its id; ``None`` if it does not run, empty if unknown."""
    if not os.path.exists(f"{PROC}/self/stat"):
        return _start_id_by_library(pid)
    try:
        with open(f"{PROC}/{pid}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return None
    state, *rest = stat.rpartition(b")")[2].split()  # the process's name may hold spaces and brackets
    if state in (b"Z", b"X"):
        return None
    ticks = rest[18].decode()  # the start of the process: field 22 of proc_pid_stat(5)
    try:
        with open(f"{PROC}/sys/kernel/random/boot_id") as file:
            boot = file.read().strip()
    except OSError:
        boot = ""
    return f"{boot}/{ticks}"


def _start_id_by_library(pid: int) -> str | None:
    """The result of :func:`start_id` on systems without ``/proc``."""
    try:
        import psutil

        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else str(process.create_time())
    except ImportError:
        return ""
    except psutil.Error as error:
        return None if isinstance(error, psutil.NoSuchProcess) else ""


def machine_name() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def is_alive(pid: int, start: str, machine: str) -> bool:
    """Whether the process ``pid`` on ``machine`` still runs; ``start`` is the earlier result of :func:`start_id`.

    A process on another machine, or one that cannot be checked, counts as alive."""
    return machine != machine_name() or start_id(pid) in (start, "")
