"""Guests at tables of two servers that share PostgreSQL or a file of SQLite, while their processes, their lines, the
servers and the database are killed at random moments: they come back, and no action that stood in a journal is lost."""

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgames.engine.record import read
from tests.postgres import Server
from tests.processes import descendants
from tests.server.guest_server import ASK, Guest, GuestServer, new_key
from tests.server.test_tables import open_table, opened
from tests.ui.terminal import DOWN, ENTER, PATIENCE, POINTER

CTRL_U = "\x15"
LONG = 5.0
"""After so many seconds in the lobby it is looked whether the match is over."""
EVERY = 0.25
"""Every so many seconds something is killed, and somebody presses a key."""
REST = 1.0
"""For so many seconds a visitor waits until their program rests: a server that starts takes longer."""
OWN = re.compile(r"(\w) +(?:Go on with|Your turn)")
"""A line of the lobby with a table of one's own, and the letter that chooses it."""
KILLS = {"a guest's process": 12, "a guest's line": 5, "a server": 2, "a server's process for guests": 1}
"""The processes to be killed, and how often each in so many kills."""
AGAIN = "Play again"
REPLACED = "and replaced; all guests stay"


class TablesKilled(NamedTuple):
    """The figures of the trial."""

    kills: Counter[str]
    store: str
    tables: int
    matches: int
    actions: int
    seconds: float

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} of {what}" for what, number in sorted(self.kills.items()))
        return (
            f"{self.kills.total()} kills ({kinds}) at {self.tables} tables of guests at two servers on {self.store}: "
            f"{self.matches} matches, {self.actions} actions, none lost, everybody came back, every journal whole "
            f"({self.seconds:.0f} s)"
        )


class Visitor:
    """Somebody who plays at a table whatever happens, pressing keys at random."""

    def __init__(self, name: str, key: Path, rng: random.Random) -> None:
        self.name = name
        self._key = key
        self._rng = rng
        self._guest: Guest | None = None
        self._next = 0.0
        self.since = time.monotonic()
        """When a question was last in view, or news of what the others do."""
        self._came = self.since

    def come(self, server: GuestServer) -> Guest:
        """Come to a server."""
        self.go()
        self._guest = Guest(server, self.name, self._key)
        self._came = time.monotonic()
        return self._guest

    def go(self) -> None:
        """Let the line drop."""
        if self._guest:
            self._guest.child.kill(signal.SIGKILL)
            self._guest.child.close(force=True)
            self._guest = None

    @property
    def silent(self) -> float:
        """For so many seconds neither has come."""
        return time.monotonic() - self.since

    @property
    def lost(self) -> float:
        """For so many seconds neither has come although nothing has sent them away."""
        return time.monotonic() - max(self.since, self._came)

    @property
    def text(self) -> str:
        """The text on their screen."""
        return self._guest.text if self._guest else ""

    def act(self, servers: Sequence[GuestServer]) -> None:
        """Look at the screen, and do what is to be done there; come back if that is gone."""
        guest = self._guest
        if guest is None or not guest.child.isalive():
            guest = self.come(self._rng.choice(servers))
        guest.settle(REST)
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + EVERY
        text = guest.text
        if ASK in text:
            if own := OWN.search(text):
                guest.press(CTRL_U + own[1])  # a word could come in part, as the list changes, and name another line
        elif POINTER in text or "any key" in text:
            self.since = now
            if POINTER in text and AGAIN not in text:
                guest.press(DOWN * self._rng.randrange(2))
            guest.press(ENTER)
        elif "aiting for" in text:
            self.since = now


class Machines:
    """The database, and the servers on it, which are started again when they were killed."""

    def __init__(self, stack: ExitStack, folder: Path, database: Server | None) -> None:
        self._stack = stack
        self._folder = folder
        self.database = database
        self.store: Path | str = database.new_store() if database else folder / "home"
        self._made = 0
        self.servers = [self._start(), self._start()]

    def _start(self) -> GuestServer:
        self._made += 1
        home = self._folder / f"server-{self._made}"
        home.mkdir()
        store = {"CARDGAMES_STORE" if self.database else "CARDGAMES_HOME": str(self.store)}
        return self._stack.enter_context(GuestServer(home, **store))

    def kill(self, what: str, visitors: Sequence[Visitor], rng: random.Random) -> bool:
        """Kill something; whether there was such a thing."""
        server = rng.choice(self.servers)
        if what == "the database" and self.database:
            self.database.stop(rng.choice((signal.SIGKILL, signal.SIGQUIT, signal.SIGINT)))
            time.sleep(rng.random())
            self.database.start()
            return True
        if what == "a guest's line":
            rng.choice(visitors).go()
            return True
        if what == "a server":
            server.process.kill()
            server.process.wait(PATIENCE)
            self.servers[self.servers.index(server)] = self._start()
            return True
        assert server.process.poll() is None, f"a server ended by itself ({server.process.returncode}):\n{server.text}"
        _, _, _, forks, *guests = descendants(server.process.pid)  # after the process of the daily deal
        if what == "a server's process for guests":
            self._kill_forks(server, forks)
            return True
        if guests:
            with suppress(ProcessLookupError):
                os.kill(rng.choice(guests), signal.SIGKILL)
        else:  # those whose fork server was killed are nobody's children any more
            for visitor in visitors:
                visitor.go()
        return bool(guests)

    def _kill_forks(self, server: GuestServer, forks: int) -> None:
        """Kill the process from which those of guests are made; the server makes another, or gives up at last."""
        before = server.text.count(REPLACED)
        os.kill(forks, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while server.text.count(REPLACED) == before and server.process.poll() is None:
            assert time.monotonic() < end, server.text
            time.sleep(0.05)
        if server.process.poll() is not None:
            assert server.process.returncode == os.EX_UNAVAILABLE, server.text
            self.servers[self.servers.index(server)] = self._start()


def sit(ann: Visitor, ben: Visitor, machines: Machines) -> None:
    """Let two sit down at a new table, from two servers."""
    open_table(ann.come(machines.servers[0]), "durak")
    guest = ben.come(machines.servers[1])
    line = re.compile(rf"sit down:(.*· {ann.name} ·.*)", re.IGNORECASE)
    found = line.search(guest.wait(lambda screen: line.search(screen) is not None, "the table"))
    assert found
    guest.press(("sit down:" + found[1]).upper() + ENTER)
    guest.wait(lambda screen: ASK not in screen, "that they sit")
    ann.since = ben.since = time.monotonic()


def playing(place: Path | str) -> set[str]:
    """The names of those whose match is not over."""
    with opened(place) as store:
        return {name for match in store.matches() if match.outcome is None for name in match.names or ()}


def journals(place: Path | str) -> list[list[tuple[int, str]]]:
    """The journals of all matches, the first one first."""
    with opened(place) as store:
        return [store.load(match)[1] for match in range(1, len(store.matches()) + 1)]


def trial(kills: int, restarts: int, tables: int = 3, seed: int = 1) -> TablesKilled:
    """Kill so often, and restart the database so often meanwhile, while guests play at so many tables.

    Without restarts the servers share a file of SQLite."""
    begun = time.monotonic()
    rng = random.Random(seed)
    kinds = [kind for kind, number in KILLS.items() for _ in range(number)]
    left = [*[rng.choice(kinds) for _ in range(kills)], *["the database"] * restarts]
    rng.shuffle(left)
    done: Counter[str] = Counter()
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        machines = Machines(stack, folder, stack.enter_context(Server()) if restarts else None)
        pairs = [
            tuple([Visitor(user, new_key(folder, user), rng) for user in (f"ann{number}", f"ben{number}")])
            for number in range(tables)
        ]
        visitors = [visitor for pair in pairs for visitor in pair]
        for visitor in visitors:
            stack.callback(visitor.go)
        for ann, ben in pairs:
            sit(ann, ben, machines)
        kill_at = time.monotonic() + 2
        while left:
            for visitor in visitors:
                visitor.act(machines.servers)
                assert visitor.lost < PATIENCE, f"{visitor.name} has not come back:\n{visitor.text}"
            for ann, ben in pairs:
                if max(ann.silent, ben.silent) > LONG and not {ann.name, ben.name} & playing(machines.store):
                    sit(ann, ben, machines)  # one was not there when another match was asked for
            if time.monotonic() >= kill_at:
                before = journals(machines.store)
                if machines.kill(left[-1], visitors, rng):
                    done[left.pop()] += 1
                for match, (was, now) in enumerate(zip(before, journals(machines.store), strict=False), 1):
                    assert len(now) >= len(was), f"{len(was) - len(now)} actions of match {match} are lost"
                    assert now[: len(was)] == was, f"match {match} tells something else"
                kill_at = time.monotonic() + rng.random() * 2 * EVERY
        ended = time.monotonic()
        while late := [
            visitor for visitor in visitors if visitor.since < ended and visitor.name in playing(machines.store)
        ]:
            assert time.monotonic() < ended + PATIENCE, f"{late[0].name} did not come back:\n{late[0].text}"
            for visitor in visitors:
                visitor.act(machines.servers)
        for visitor in visitors:
            visitor.go()
        actions = 0
        with opened(machines.store) as store:
            found = store.matches()
            for summary in found:
                *_, last = read([line.encode() for line in store.export(summary.id)])[2]
                actions += last.number
    return TablesKilled(
        done, "PostgreSQL" if restarts else "SQLite", tables, len(found), actions, time.monotonic() - begun
    )
