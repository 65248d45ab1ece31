"""A watch on the store: the owner is told once when it goes away, and once when it is back."""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple


class StoreState(NamedTuple):
    """The answer of a store to a check."""

    trouble: str = ""
    """The reason why the store does not answer, as a sentence; empty if it answers."""
    matches: int = 0
    unfinished: int = 0
    actions: int = 0


class StoreWatch:
    """A check of the store at regular intervals, and whenever a guest's process has failed because of it."""

    def __init__(self, check: Callable[[], StoreState], tell: Callable[..., None]) -> None:
        """``check`` opens the store and reads from it; it runs in a thread, because it may have to wait."""
        self._check = check
        self._tell = tell
        self._lock = asyncio.Lock()
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
        """Check the store every ``interval`` seconds, until this task is cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(interval)

    async def note_failure(self, name: str, reason: str) -> None:
        """Tell the owner that the store failed for the guest ``name``, and the ``reason``.

        If the store is away, the owner has been told already."""
        await self.check()
        if not self.state.trouble:
            self._tell("store_failed", name=name, text=reason)
