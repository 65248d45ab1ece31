"""The process that holds a match, and whether it is still there."""

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
    """Who is playing a match."""

    pid: int
    host: str
    since: datetime
    """Aware."""


def holder(db: Transaction, match: int) -> Holder | None:
    """Who holds a match or sits at it, unless that process is gone or has forgotten to let go of it."""
    row = db.execute("SELECT token, pid, started, host, since FROM hold WHERE match = ?", (match,)).fetchone()
    if row is None:
        return _sitter(db, match)
    token, pid, start, where, since = row
    if not alive(number(pid), text(start), text(where)):
        return None
    if pid == os.getpid() and where == host() and token not in tokens:
        return None
    return Holder(number(pid), text(where), time(since))


def _sitter(db: Transaction, match: int) -> Holder | None:
    """Who has sat longest at a match that is played at several terminals."""
    query = (
        "SELECT pid, started, host, since FROM terminal "
        "WHERE token IN (SELECT terminal FROM place WHERE match = ?) ORDER BY since"
    )
    for pid, start, where, since in db.execute(query, (match,)).fetchall():
        if alive(number(pid), text(start), text(where)):
            return Holder(number(pid), text(where), time(since))
    return None


def started(pid: int) -> str | None:
    """A text that tells process ``pid`` of this machine from any other that ever bears its number.

    ``None`` if there is no such process or it has ended; empty if that cannot be found out.
    """
    if not (PROC / "self" / "stat").exists():
        return _asked(pid)
    try:
        stat = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    state, *rest = stat.rpartition(b")")[2].split()  # the name before it may hold anything
    if state in (b"Z", b"X"):
        return None
    ticks = rest[18].decode()
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        boot = ""
    return f"{boot}/{ticks}"


def _asked(pid: int) -> str | None:
    """The text of :func:`started` where there is no ``/proc``: from ``ps``."""
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
    """Whether the process with that number and that ``started`` runs on the machine ``where``.

    What cannot be known, such as a process on another machine, counts as alive.
    """
    return where != host() or started(pid) in (start, "")
