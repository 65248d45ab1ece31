"""Limits to what a guest can use: connections, time, what they type, the size of the window."""

from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of the server, all times in seconds."""

    connections: int = 400
    """How many there are at once."""
    per_address: int = 24
    """How many there are at once from one address, or with IPv6 from one network of 64 bits."""
    new_per_address: float = 2.0
    """How many an address may open each second, in the long run; twenty times as many at once."""
    login: float = 30.0
    """How long the authentication may take, and after it the request for a terminal."""
    offers: int = 12
    """How many keys and names may be offered on one connection."""
    idle: float = 3600.0
    """How long a guest may type nothing."""
    unread: float = 90.0
    """How long a guest's machine may take nothing of what is sent to it."""
    typed: float = 2000.0
    """How many bytes each second reach a guest's process, in the long run; twice as many at once."""
    resize: float = 0.1
    """How long a size of the window lasts at least before the guest's process is told another."""
    leaving: float = 10.0
    """How long a guest's process may take to end, their machine to leave, and all of them when the server closes."""
    memory: int = 512
    """How many MB the process of a guest may take."""
    tries: int = 3
    """How often the code may be typed on one connection."""


USUAL = Limits()

COLUMNS, ROWS = (20, 500), (5, 150)
"""The smallest and the largest number of each that a guest's process is told: each cell takes memory."""


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """The size of a window, within these bounds; 80 by 24 where the guest's machine has given none."""
    return (
        max(COLUMNS[0], min(columns or 80, COLUMNS[1])),
        max(ROWS[0], min(rows or 24, ROWS[1])),
    )


class ConnectionLimiter:
    """Counts connections by address, and refuses those that are too many or come too fast."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._here = Counter[str]()
        self._allowed: dict[str, tuple[float, float]] = {}
        """By address how many new connections it may make, and as of when."""

    def admit(self, address: str) -> bool:
        """Whether one more may come from this address now; if so it is counted until it is released."""
        place, now = _place(address), self._now()
        most = 20 * self._limits.new_per_address
        allowed, then = self._allowed.get(place, (most, now))
        allowed = min(most, allowed + (now - then) * self._limits.new_per_address)
        if len(self._allowed) > 4 * self._limits.connections:  # forget those who have all they may have by now
            since = now - most / self._limits.new_per_address
            self._allowed = {known: found for known, found in self._allowed.items() if found[1] > since}
        self._allowed[place] = max(0.0, allowed - 1), now
        full = self._here.total() >= self._limits.connections or self._here[place] >= self._limits.per_address
        if full or allowed < 1:
            return False
        self._here[place] += 1
        return True

    def release(self, address: str) -> None:
        """Note that one that was admitted is closed."""
        place = _place(address)
        self._here[place] -= 1
        if not self._here[place]:
            del self._here[place]


def _place(address: str) -> str:
    """The part of an address by which it is counted: with IPv6 a network of 64 bits most often is one household's."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else str(found)
