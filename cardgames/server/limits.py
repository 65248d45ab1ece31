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
    wrong_codes: int = 10
    """How many wrong codes an address may type within the seconds of ``lockout``; then it is locked out as long."""
    wrong_in_all: int = 100
    """The same for all addresses together."""
    lockout: float = 900.0
    slowed: float = 0.5
    """How long an address waits after its first wrong code until the next is looked at; twice as long each time."""
    half_open: float = 2.0
    """How long a connection may take to say who it is before another one can have its place."""


USUAL = Limits()

COLUMNS, ROWS = (20, 500), (5, 150)
"""The smallest and the largest number of each that a guest's process is told: each cell takes memory."""


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """The size of a window, within these bounds; 80 by 24 where the guest's machine has given none."""
    return (
        max(COLUMNS[0], min(columns or 80, COLUMNS[1])),
        max(ROWS[0], min(rows or 24, ROWS[1])),
    )


SLOWEST = 16.0
"""The longest delay before a code is checked, in seconds."""


class CodeLimiter:
    """Counts wrong codes by address and in all, so that nobody can guess one."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._wrong: list[tuple[float, str]] = []
        """When a wrong code was typed, and from where, as far back as it counts."""
        self._free: dict[str, float] = {}
        """By address the time at which the last code that was typed there is looked at."""

    def locked(self, address: str) -> bool:
        """Whether no code from this address is looked at now."""
        return self._count(address) >= self._limits.wrong_codes or len(self._wrong) >= self._limits.wrong_in_all

    def delay(self, address: str) -> float:
        """The seconds until a code that has just been typed is looked at: codes of one address wait for each other."""
        place, now, wrong = _place(address), self._now(), self._count(address)
        slowed = min(SLOWEST, self._limits.slowed * 2 ** (wrong - 1)) if wrong else 0.0
        self._free[place] = max(now, self._free.get(place, now)) + slowed
        return self._free[place] - now

    def wrong(self, address: str) -> None:
        """Note a wrong code."""
        self._wrong.append((self._now(), _place(address)))

    def _count(self, address: str) -> int:
        since = self._now() - self._limits.lockout
        self._wrong = [wrong for wrong in self._wrong if wrong[0] > since]
        self._free = {place: free for place, free in self._free.items() if free > since}
        return sum(place == _place(address) for _, place in self._wrong)


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
        if self.full() or self.full(address) or allowed < 1:
            return False
        self._here[place] += 1
        return True

    def full(self, address: str | None = None) -> bool:
        """Whether there are as many connections as there may be, in all or from one address."""
        if address is None:
            return self._here.total() >= self._limits.connections
        return self._here[_place(address)] >= self._limits.per_address

    def release(self, address: str) -> None:
        """Note that one that was admitted is closed."""
        place = _place(address)
        self._here[place] -= 1
        if not self._here[place]:
            del self._here[place]


def same_place(one: str, other: str) -> bool:
    """Whether two addresses are counted as one."""
    return _place(one) == _place(other)


def _place(address: str) -> str:
    """The part of an address by which it is counted: with IPv6 a network of 64 bits most often is one household's."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else str(found)
