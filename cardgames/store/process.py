"""The process that holds a match, and a check whether it still runs."""

import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cardgames.store.database import Transaction
from cardgames.store.serialization import number, text, time

PROC = Path("/proc")

tokens: set[str] = set()
"""The tokens of the matches that this process holds."""


class Holder(NamedTuple):
    """The process that is playing a match."""

    pid: int
    host: str
    since: datetime
    """The time when it began; timezone-aware."""


def holder(db: Transaction, match: int) -> Holder | None:
    """The process that plays a match, unless it is gone or has released the match.

    At several terminals it is the one that has been there longest."""
    columns = "token, pid, started, host, since"
    locks = db.execute(f"SELECT {columns} FROM hold WHERE match = ?", (match,)).fetchall()
    there = f"SELECT {columns} FROM terminal WHERE token IN (SELECT terminal FROM place WHERE match = ?) ORDER BY since"
    for token, pid, start, where, since in locks or db.execute(there, (match,)).fetchall():
        is_released = bool(locks) and pid == os.getpid() and where == host() and token not in tokens
        if not is_released and alive(number(pid), text(start), text(where)):
            return Holder(number(pid), text(where), time(since))
    return None


def started(pid: int) -> str | None:
    """A text that distinguishes process ``pid`` from any other with that number, before or after.

    ``None`` if there is no such process; empty if it cannot be found out."""
    if not (PROC / "self" / "stat").exists():
        return _started_by_ps(pid)
    try:
        stat = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    state, *rest = stat.rpartition(b")")[2].split()  # the process's name may hold spaces and brackets
    if state in (b"Z", b"X"):
        return None
    ticks = rest[18].decode()
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        boot = ""
    return f"{boot}/{ticks}"


def _started_by_ps(pid: int) -> str | None:
    """The text of :func:`started` from ``ps``, for systems without ``/proc``."""
    import subprocess

    try:
        found = subprocess.run(
            ["ps", "-o", "stat=", "-o", "lstart=", "-p", str(pid)],
            capture_output=True,
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
            check=False,
        )
    except OSError:
        return ""
    state, _, start = found.stdout.decode(errors="replace").strip().partition(" ")
    return None if not state or state.startswith("Z") else start.strip()


def host() -> str:
    """The name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def alive(pid: int, start: str, where: str) -> bool:
    """Whether the process that ``start`` describes still runs on the machine ``where``.

    A process on another machine, or one that cannot be checked, counts as alive."""
    return where != host() or started(pid) in (start, "")
