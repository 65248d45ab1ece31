"""The time limit of each game of a match."""

from collections.abc import Callable
from time import monotonic


class Clock:
    """A countdown that can be restarted."""

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic) -> None:
        """Start a countdown of ``seconds``. ``now`` returns the time in seconds from any origin."""
        self._seconds = seconds
        self._now = now
        self.restart()

    def restart(self) -> None:
        """Restart the countdown."""
        self._began = self._now()

    @property
    def is_up(self) -> bool:
        """Whether the time has run out."""
        return self._now() - self._began > self._seconds
