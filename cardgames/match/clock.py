"""The time limit of each game of a match that has one."""

from collections.abc import Callable
from time import monotonic


class Clock:
    """Runs for so many seconds from when it is made, and again from each restart."""

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic) -> None:
        """``now`` gives the time in seconds from any moment on."""
        self._seconds = seconds
        self._now = now
        self.restart()

    def restart(self) -> None:
        """Begin anew."""
        self._began = self._now()

    @property
    def is_up(self) -> bool:
        """Whether the time has run out."""
        return self._now() - self._began > self._seconds
