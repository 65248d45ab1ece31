"""Limits for guests: connections, time, typing and window."""

from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network
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


def clamp_size(columns: int, rows: int) -> tuple[int, int]:
    """Limit a window's size to ``COLUMN_RANGE`` and ``ROW_RANGE``; an unknown size (0) becomes 80 by 24."""
    return (
        max(COLUMN_RANGE[0], min(columns or 80, COLUMN_RANGE[1])),
        max(ROW_RANGE[0], min(rows or 24, ROW_RANGE[1])),
    )


MAX_DELAY = 16.0
"""The longest delay of an attempt at the code, in seconds."""
BURST_SECONDS = 20
"""The seconds for which an address can save up new connections; it may then open them all at once."""


class CodeLimiter:
    """A count of wrong codes, by address and in total, that limits further attempts."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self._now = now
        self._wrong: list[tuple[float, str]] = []
        """The time and network of each wrong code that still counts."""
        self._free: dict[str, float] = {}
        """Map each network to the time at which its last code is checked."""

    def is_locked(self, address: str) -> bool:
        """Whether attempts from this address are refused now."""
        return self._count(address) >= self.limits.wrong_codes or len(self._wrong) >= self.limits.wrong_in_all

    def delay(self, address: str) -> float:
        """Queue a new attempt behind earlier ones from this address, and return the seconds until its check."""
        network, now, wrong = network_of(address), self._now(), self._count(address)
        delay = min(MAX_DELAY, self.limits.slowed * 2 ** (wrong - 1)) if wrong else 0.0
        self._free[network] = max(now, self._free.get(network, now)) + delay
        return self._free[network] - now

    def note_wrong_code(self, address: str) -> bool:
        """Count a wrong code from this address; return whether this code locks out all addresses."""
        self._wrong.append((self._now(), network_of(address)))
        return len(self._wrong) == self.limits.wrong_in_all

    def _count(self, address: str) -> int:
        """Forget wrong codes that are too old to count; return the number of remaining ones from this address."""
        oldest = self._now() - self.limits.lockout
        self._wrong = [wrong for wrong in self._wrong if wrong[0] > oldest]
        self._free = {network: free for network, free in self._free.items() if free > oldest}
        return sum(network == network_of(address) for _, network in self._wrong)


class ConnectionLimiter:
    """A count of connections by address, to refuse too many open connections and too many new ones per second."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self._now = now
        self._here = Counter[str]()
        self._allowed: dict[str, tuple[float, float]] = {}
        """Map each network to the number of connections that it may open at once, and the time of this count."""

    def admit(self, address: str) -> bool:
        """Whether this address may connect now. If so, count the connection until its :meth:`release`."""
        network, now = network_of(address), self._now()
        burst = BURST_SECONDS * self.limits.new_per_address
        allowed, last = self._allowed.get(network, (burst, now))
        allowed = min(burst, allowed + (now - last) * self.limits.new_per_address)
        if len(self._allowed) > 4 * self.limits.connections:  # forget addresses with all allowances unused
            oldest = now - burst / self.limits.new_per_address
            self._allowed = {known: entry for known, entry in self._allowed.items() if entry[1] > oldest}
        self._allowed[network] = max(0.0, allowed - 1), now  # a refused connection counts too
        if self.is_full() or self.is_full(address) or allowed < 1:
            return False
        self._here[network] += 1
        return True

    def is_full(self, address: str | None = None) -> bool:
        """Whether the number of connections, in total or from one ``address``, is at its limit."""
        if address is None:
            return self._here.total() >= self.limits.connections
        return self._here[network_of(address)] >= self.limits.per_address

    def release(self, address: str) -> None:
        """Remove a closed connection from the count."""
        network = network_of(address)
        self._here[network] -= 1
        if not self._here[network]:
            del self._here[network]


class Quotas:
    """A count of the identities and matches that each address has made in the last 24 hours."""

    KINDS = ("identities", "matches")
    SECONDS = 24 * 3600.0

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self._now = now
        self._used: list[tuple[float, str, str]] = []
        """The time, kind and network of each one that still counts."""

    def left(self, address: str) -> dict[str, int]:
        """The number of each kind that may still be made from this address. Forget what is too old to count."""
        oldest = self._now() - self.SECONDS
        self._used = [use for use in self._used if use[0] > oldest]
        used = Counter([kind for _, kind, network in self._used if network == network_of(address)])
        return {kind: max(0, getattr(self.limits, kind) - used[kind]) for kind in self.KINDS}

    def use(self, kind: str, address: str) -> bool:
        """Count one of this kind from this address; return whether it was within the quota."""
        is_within = self.left(address)[kind] > 0
        self._used.append((self._now(), kind, network_of(address)))
        return is_within


class LogLimiter:
    """A limit of log lines about failed connections: one per network and ``MAX_LINES`` in all in ``LOG_SECONDS``."""

    LOG_SECONDS, MAX_LINES = 600.0, 60

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._logged: dict[str, float] = {}
        """Map each network to the time of its last line, the oldest first."""
        self.left_out = 0
        """The number of lines refused since the last admitted one."""

    def admit(self, address: str) -> bool:
        """Whether a line about this address may be logged now. If not, count it as left out."""
        network, now = network_of(address), self._now()
        self._logged = {known: at for known, at in self._logged.items() if at > now - self.LOG_SECONDS}
        if network in self._logged or len(self._logged) >= self.MAX_LINES:
            self.left_out += 1
            return False
        self._logged[network] = now
        return True


def network_of(address: str) -> str:
    """The network of an address, for limits: an IPv4 address itself, or the first 64 bits of an IPv6 address."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
