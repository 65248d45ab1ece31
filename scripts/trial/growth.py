"""A match of 10,000 actions: what one costs at the end, at the table, on the disk and in ``replay --json``.

The costs are processor time, which is the same however busy the machine is; the start and the end of the match are
measured by turns.
"""

import gc
import io
import time
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cardgames.engine.game import CHANCE, Action, Event, Message, Observation
from cardgames.match import Match, PlayerLeft, play, public_events, seeded
from cardgames.store import Store
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View

from .damage import _memory
from .player import Script

REACH = 1.5
"""How many times what an action costs at the start it may cost at the end."""

LONG: dict[str, tuple[int, dict[str, Any]]] = {
    "fipsen": (3, {"deals": 100_000}),
    "kakeya": (4, {"games": 100_000}),
    "truc": (2, {"points": 10**9, "rounds": 1}),
}
"""Options that make a match as long as one likes, and the number of seats."""


class Growth(NamedTuple):
    """The figures of the trial, in milliseconds of processor time an action."""

    game: str
    actions: int
    table: tuple[float, float]
    replay: tuple[float, float]
    resumed: float
    """Seconds until a match of that length stands on the table again."""

    @property
    def ratios(self) -> tuple[float, float]:
        return self.table[1] / self.table[0], self.replay[1] / self.replay[0]

    def __str__(self) -> str:
        table, replay = self.ratios
        return (
            f"{self.game}, {self.actions} actions: at the table with the store {self.table[0]:.2f} ms an action at the "
            f"start, {self.table[1]:.2f} ms at the end (× {table:.2f}); replay --json {self.replay[0]:.3f} and "
            f"{self.replay[1]:.3f} ms (× {replay:.2f}); taken up again in {self.resumed:.1f} s"
        )


def trial(game: str, actions: int, window: int) -> Growth:
    """Compare ``window`` actions at the start of a match with as many after ``actions``; fails beyond the reach."""
    seats, rules = LONG[game]
    script = Script(game, seats, 1, rules, actions + window)
    assert len(script.actions) == actions + window, f"{game}: the match is over after {len(script.actions)} actions"
    costs, resumed = at_the_table(script, actions, window)
    found = Growth(game, actions, costs, in_replay(script, actions, window), resumed)
    assert max(found.ratios) <= REACH, str(found)
    return found


class _People:
    """The people at a table that nobody sees: every picture is drawn, and every answer is that of the script."""

    def __init__(self, view: View, script: Script) -> None:
        self._match = view.match
        self._view = view
        self._script = script
        self.end = view.match.ply
        """After how many actions they leave."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action:
        if self._match.ply >= self.end:
            raise PlayerLeft
        self._view.table_picture(self._match.observation(CHANCE), public_events(events))(80, 24)
        self._view.question_picture(observation, events)(80, 24)
        self._view.question(observation)
        return self._script.actions[self._match.ply]

    def consents(self, seat: int, count: int) -> bool:
        raise AssertionError

    def refused(self, why: Message) -> None:
        raise AssertionError


class _Sitting:
    """A match of the store and the people at it, from some point of the match on."""

    def __init__(self, store: Store, script: Script, ply: int) -> None:
        number = store.import_record([line.encode() for line in script.lines[: ply + 1]])
        begun = time.perf_counter()
        self._match = Match(script.game, store.hold(number), seeded(script.seed))
        self._people = _People(View(self._match, script.header.names or (), Settings()), script)
        self.seconds = time.perf_counter() - begun

    def play(self, number: int) -> float:
        """Play on for so many actions; the processor time of one in milliseconds."""
        start = self._match.ply
        self._people.end += number
        gc.collect()
        begun = time.process_time()
        with suppress(PlayerLeft):
            play(self._match, dict.fromkeys(range(1, self._match.game.seats + 1), self._people))
        return (time.process_time() - begun) * 1000 / (self._match.ply - start)


PARTS = 8
"""In how many parts, by turns, the two ends of the match are played."""


def at_the_table(script: Script, actions: int, window: int) -> tuple[tuple[float, float], float]:
    """The seconds of an action at the start and at the end, and those that taking the match up again took."""
    gc.collect()
    gc.freeze()  # what a long run of tests has left is not looked through before each measurement
    with TemporaryDirectory(dir=_memory()) as name, Store.open(Path(name) / "home") as store:
        sittings = [_Sitting(store, script, ply) for ply in (0, actions)]
        costs: list[list[float]] = [[], []]
        for part in range(PARTS + 1):
            for sitting, found in zip(sittings, costs, strict=True):
                cost = sitting.play(window // (PARTS + 1))
                if part:  # the first only warms things up
                    found.append(cost)
        gc.unfreeze()
        return (median(costs[0]), median(costs[1])), sittings[1].seconds


def in_replay(script: Script, actions: int, window: int) -> tuple[float, float]:
    """The seconds of a line of ``replay --json`` among the first and among the last."""
    from cardgames.cli import records

    times: list[float] = []
    first: list[float] = []
    last: list[float] = []

    class Clock(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("{"):
                times.append(time.process_time())
            return len(text)

    with TemporaryDirectory(dir=_memory()) as name:
        path = Path(name) / "long.jsonl"
        path.write_text("\n".join(script.lines), encoding="utf-8")
        for _ in range(3):
            times.clear()
            with redirect_stdout(Clock()):
                records.replay(str(path), as_json=True)
            assert len(times) == actions + window + 1
            costs = [(after - before) * 1000 for before, after in pairwise(times)]
            first += costs[1 : window + 1]
            last += costs[-window:]
    return median(first), median(last)
