"""What a running server tells its owner of itself: figures for a monitor, and whether the store answers."""

import asyncio
import re
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

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


class StoreState(NamedTuple):
    """The answer of a store to a check."""

    trouble: str = ""
    """The reason why the store does not answer, as a sentence; empty if it answers."""
    matches: int = 0
    unfinished: int = 0
    actions: int = 0


class StoreWatch:
    """A check of the store at regular intervals, and whenever it has failed for a guest."""

    def __init__(self, check: Callable[[], StoreState], tell: Callable[..., None]) -> None:
        """``check`` opens the store and reads from it; it runs in a thread, because it may have to wait."""
        self._check = check
        self._tell = tell
        self._lock = asyncio.Lock()
        self.failures = asyncio.Queue[tuple[str, str]]()
        """The guests for whom the store has failed, each with the reason, until the next check."""
        self.state = StoreState()
        """The state as last checked."""
        self.seconds = 0.0
        """The duration of the last check."""

    async def check(self) -> None:
        """Check the store, and tell the owner if it has gone or come back since the last check."""
        async with self._lock:
            start = time.monotonic()
            before, self.state = self.state, await asyncio.to_thread(self._check)
            self.seconds = time.monotonic() - start
            if self.state.trouble and not before.trouble:
                self._tell("store_away", text=self.state.trouble)
            elif before.trouble and not self.state.trouble:
                self._tell("store_back")

    async def keep_checking(self, interval: float) -> None:
        """Check the store every ``interval`` seconds, and after each failure, until this task is cancelled.

        The owner is told of failures unless the store is known to be away."""
        failure = None
        while True:
            await self.check()
            if failure and not self.state.trouble:
                self._tell("store_failed", name=failure[0], text=failure[1])
            failure = None
            with suppress(TimeoutError):
                failure = await asyncio.wait_for(self.failures.get(), interval)
