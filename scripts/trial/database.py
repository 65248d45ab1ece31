"""Matches in PostgreSQL: how many actions a second are written, and what restarts and kills do to them."""

import json
import os
import signal
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from mmap import mmap
from random import Random
from typing import Any, NamedTuple

from cardgames.match import JournalConflict, JournalPosition
from cardgames.store import JoinRefused, Store, StoreBusy
from cardgames.store.matches import check_seals
from cardgames.store.places import Party
from cardgames.store.table_session import TableSession
from tests.postgres import Server
from tests.store.other_processes import beside, child, end
from tests.store.played_matches import Played, played

PLAYERS = ("Ann", "Ben")


class Restarts(NamedTuple):
    """The figures of restarts and kills during play."""

    restarts: int
    kills: int
    matches: int
    actions: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.restarts} restarts of the server and {self.kills} kills of players during {self.matches} matches "
            f"at two terminals each ({self.actions} actions): none confirmed was lost, none is there twice, every "
            f"record as undisturbed ({self.seconds:.0f} s)"
        )


class Appends(NamedTuple):
    """How many actions were written."""

    writers: int
    listeners: int
    a_second: float

    def __str__(self) -> str:
        return f"{self.a_second:.0f} actions a second by {self.writers} writers with {self.listeners} listeners"


def restarts(restarts: int, kills: int, seed: int = 1) -> Restarts:
    """Restart the server so often, and kill as many players, while matches are played one after the other."""
    begun = time.monotonic()
    rng = Random(seed)
    left = ["restart"] * restarts + ["kill"] * kills
    rng.shuffle(left)
    actions = 0
    with Server() as server:
        url = server.new_store()
        for nth in count():
            match = played(seed * 1000 + nth)
            Evening(server, url, match, nth + 1).play(left, rng)
            actions += len(match.steps)
            if not left:
                break
        with Store.open(where=url) as store, store.database.transaction(write=False) as db:
            check_seals(db)
    return Restarts(restarts, kills, nth + 1, actions, time.monotonic() - begun)


class Evening:
    """A match whose two players sit in processes of their own, and what happens to them."""

    def __init__(self, server: Server, url: str, match: Played, number: int) -> None:
        self._server = server
        self._url = url
        self._match = match
        self._number = number
        self._confirmed = mmap(-1, 16)
        """How many actions stood in the journal when each player was told last that theirs was safe."""

    def play(self, left: list[str], rng: Random) -> None:
        """Play it to its end, while what is ``left`` happens to it; raises ``AssertionError``."""
        with Store.open(where=self._url) as store:
            assert store.open_table(self._match.header._replace(names=None)) == self._number
            with store.join(self._number, Party(PLAYERS)) as both:
                first = self._match.steps[0]
                both.append(JournalPosition(), *first)
        players = {seat: child(self._player(seat)) for seat in (1, 2)}
        try:
            while self._plies() < len(self._match.steps):
                time.sleep(rng.random() * 0.5)
                what = left.pop() if left else "nothing"
                for pid, _ in players.values():
                    gone = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                    assert not (gone and gone.si_status), "a player gave up"
                if what == "restart":
                    self._server.stop(rng.choice((signal.SIGKILL, signal.SIGQUIT, signal.SIGINT)))
                    confirmed = self._told()
                    self._server.start()
                    assert self._plies() >= confirmed, "an action was lost that had been confirmed"
                elif what == "kill":
                    seat = rng.choice((1, 2))
                    end(*players.pop(seat), kill=True)
                    confirmed = self._told()  # the other one goes on
                    assert self._plies() >= confirmed, "an action was lost that had been confirmed"
                    players[seat] = child(self._player(seat))
        finally:
            for player in players.values():
                end(*player, kill=True)
        with Store.open(where=self._url, write=False) as store:
            assert tuple(store.export(self._number)) == self._match.lines

    def _told(self) -> int:
        ann, ben = struct.unpack("2q", self._confirmed)
        return max(int(ann), int(ben))

    def _plies(self) -> int:
        with Store.open(where=self._url, write=False) as store:
            return len(store.load(self._number)[1])

    def _player(self, seat: int) -> Callable[[Callable[[object], None]], None]:
        """Somebody who plays what the match has for them, whatever happens to the server."""

        def sit(tell: Callable[[object], None]) -> None:
            while True:
                try:
                    with (
                        Store.open(where=self._url) as store,
                        store.join(self._number, Party([PLAYERS[seat - 1]], take_over=True)) as seated,
                    ):
                        self._go_on(store, seated, seat)
                except JoinRefused:
                    return  # it is over
                except StoreBusy:
                    time.sleep(0.05)
                else:
                    return

        return sit

    def _go_on(self, store: Store, seated: TableSession, seat: int) -> None:
        ply = 0
        while ply < len(self._match.steps):
            ply += len(seated.read(JournalPosition(ply)).moves)
            step = self._match.steps[ply] if ply < len(self._match.steps) else None
            if step and step.by in (0, seat):
                try:
                    seated.append(JournalPosition(ply), *step)
                except JournalConflict:
                    continue
                ply += 1
                struct.pack_into("q", self._confirmed, 8 * (seat - 1), ply)
            elif step:
                until = time.monotonic() + 1
                while not store.has_changed(self._number) and time.monotonic() < until:
                    time.sleep(0.002)


def appends(writers: int, listeners: int, seconds: float) -> Appends:
    """Let writers, each with a match of their own, append as fast as they can while listeners listen; raises
    ``AssertionError`` if an action is missing."""
    with Server() as server, ExitStack() as stack:
        url = server.new_store()
        for _ in range(listeners):
            stack.enter_context(beside(lambda: _listener(url)))
        start = time.time() + 1 + 0.3 * writers
        found = [child(lambda tell: tell(_append(url, start, start + seconds))) for _ in range(writers)]
        written = []
        for pid, told in found:
            written.append(json.loads(told.readline()))
            end(pid, told)
        with Store.open(where=url, write=False) as store:
            kept = [len(store.load(match.id)[1]) for match in store.matches()]
        assert sorted(kept) == sorted(written), "each writer's match is as long as they have written"
    return Appends(writers, listeners, sum(written) / seconds)


def _listener(url: str) -> Any:
    store = Store.open(where=url)
    store.has_changed()
    return store


def _append(url: str, start: float, until: float) -> int:
    """Append to a new match between two moments; how often."""
    with Store.open(where=url) as store, store.hold(store.create(played(1).header)) as hold:
        time.sleep(max(0.0, start - time.time()))
        ply = 0
        while not ply or time.time() < until:  # at least once, if it has taken so long to come here
            hold.append(JournalPosition(ply), 1, "pass", (0, 0))
            ply += 1
    return ply
