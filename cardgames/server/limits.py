"""Limits for guests: connections, time, typing and window."""

import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import inf
from typing import NamedTuple


class Limits(NamedTuple):
    """The limits of the server; times are in seconds."""

    connections: int = 400
    """Open connections in total."""
    per_address: int = 24
    """Open connections from one IPv4 address, or from one IPv6 network of 64 bits."""
    new_per_address: float = 2.0
    """New connections from one address per second, on average. A burst may be twenty times as many."""
    login: float = 30.0
    """Time for the authentication, and again for the request for a terminal."""
    offers: int = 12
    """Keys and user names that may be offered on one connection."""
    idle: float = 3600.0
    """Time without typing after which a session ends."""
    unread: float = 90.0
    """Time without accepting output after which a guest's machine is disconnected."""
    typed: float = 2000.0
    """Bytes of input per second, on average. A burst may be twice as many."""
    resize: float = 0.1
    """Time from a change of a window's size until the process learns of it. Changes in between are passed over."""
    leaving: float = 10.0
    """Time for a process to end, for a guest's machine to disconnect, and for all sessions when the server stops."""
    memory: int = 512
    """MB of memory for the process of a guest."""
    tries: int = 3
    """Attempts at the code on one connection."""
    wrong_codes: int = 10
    """Wrong codes within ``lockout`` seconds that lock out an address."""
    wrong_in_all: int = 100
    """Wrong codes within ``lockout`` seconds that lock out all addresses."""
    lockout: float = 900.0
    """Time for which a wrong code counts."""
    slowed: float = 0.5
    """Delay of the attempt after an address's first wrong code. Each further wrong code doubles the delay."""
    half_open: float = 2.0
    """Time after which a new connection may replace an unauthenticated one."""
    identities: int = 100
    """New identities from one address in 24 hours."""
    matches: int = 500
    """New tables from one address in 24 hours."""
    store_check: float = 5.0


LIMITS = Limits()

COLUMN_RANGE, ROW_RANGE = (20, 500), (5, 150)
"""The minimum and maximum numbers of columns and of rows in a guest's window. Each cell takes memory."""

MAX_DELAY = 16.0
"""The longest delay of an attempt at the code, in seconds."""


class RecentEvents:
    """A count of the latest events of a kind, such as wrong codes, by the network that they came from."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._events = deque[tuple[float, str]]()
        """The time and network of each event that still counts, the oldest first."""

    def note(self, address: str) -> None:
        """Count an event that comes from this address."""
        self._events.append((self._now(), network_of(address)))

    def count(self, seconds: float, address: str | None = None) -> int:
        """The number of events in the last ``seconds``, from one ``address`` or all. Forget all older ones."""
        while self._events and self._events[0][0] <= self._now() - seconds:
            self._events.popleft()
        network = None if address is None else network_of(address)
        return sum([network in (None, each) for _, each in self._events])


class Queues:
    """The length of each network's queue in seconds, which go by on their own."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._free: dict[str, float] = {}
        """Map each network that has to wait to the time at which its queue is empty."""

    def add(self, address: str, seconds: float, most: float = inf) -> float:
        """Add ``seconds`` to the queue of an address, and return its length, of which no more than ``most`` is kept."""
        network, now = network_of(address), self._now()
        self._free = {known: free for known, free in self._free.items() if free > now}
        length = self._free.get(network, now) - now + seconds
        self._free[network] = now + min(length, most)
        return length


class CodeLimiter:
    """A count of wrong codes, by address and in total, that limits further attempts."""

    def __init__(self, limits: Callable[[], Limits]) -> None:
        """``limits`` returns the present limits."""
        self._limits = limits
        self._wrong = RecentEvents()
        self._queues = Queues()

    def is_locked(self, address: str) -> bool:
        """Whether attempts from this address are refused now."""
        return self._count(address) >= self._limits().wrong_codes or self._count() >= self._limits().wrong_in_all

    def delay(self, address: str) -> float:
        """Queue a new attempt behind earlier ones from this address, and return the seconds until its check."""
        wrong = self._count(address)
        delay = min(MAX_DELAY, self._limits().slowed * 2 ** (wrong - 1)) if wrong else 0.0
        return self._queues.add(address, delay)

    def note_wrong_code(self, address: str) -> bool:
        """Count a wrong code from this address; return whether this code locks out all addresses."""
        self._wrong.note(address)
        return self._count() == self._limits().wrong_in_all

    def _count(self, address: str | None = None) -> int:
        return self._wrong.count(self._limits().lockout, address)


@lru_cache(maxsize=1 << 10)  # each new connection is compared with all others
def network_of(address: str) -> str:
    """The network of an address, for limits: an IPv4 address itself, or the first 64 bits of an IPv6 address."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
