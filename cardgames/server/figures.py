"""The figures of a running server, for the owner's monitor."""

import os
import re
import statistics
import time
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from cardgames import __version__

MAX_ANSWER = 10.0
"""The most seconds from a key to its answer. Later output is news from others, as the key had no answer."""


class Figures:
    """The counts since the server's start, and the latest waiting times of guests."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.logged = Counter[str]()
        """The number of log messages by key, and of failed logins that were not logged, as ``logins_failed``."""
        self._answers = deque[float](maxlen=1000)
        """The seconds from a key to the next output, of the latest keys of all guests."""

    def note_answer(self, seconds: float) -> None:
        """Note the time that a guest waited from a key to the next output."""
        if seconds <= MAX_ANSWER:
            self._answers.append(seconds)

    def summary(self) -> dict[str, Any]:
        """The version, the seconds since the start, the log messages by key, and the waiting times."""
        ordered = sorted(1000 * seconds for seconds in self._answers) or [0.0]
        times = {"median": statistics.median(ordered), "p95": ordered[95 * len(ordered) // 100], "max": ordered[-1]}
        waiting = {"keys": len(self._answers), **{f"{name}_ms": round(ms, 1) for name, ms in times.items()}}
        up = round(time.monotonic() - self._start)
        return {"version": __version__, "seconds": up, "log": dict(self.logged), "waiting": waiting}


def own_memory(processes: Iterable[int]) -> float:
    """The MB of memory of processes. Memory shared with other processes is divided among them (PSS)."""
    total = 0
    for process in processes:
        with suppress(OSError), open(f"/proc/{process}/smaps_rollup") as sizes:
            found = re.search(r"^Pss:\s+(\d+)", sizes.read(), re.MULTILINE)
            total += int(found[1]) if found else 0
    return round(total / 1024, 1)


def memory_figures(guests: Iterable[int]) -> dict[str, float]:
    return {"server_mb": own_memory([os.getpid()]), "guests_mb": own_memory(guests)}
