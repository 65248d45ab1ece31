"""A match of 10,000 actions: what one costs at the end, at the table, on the disk and in ``replay --json``.

The costs are calls of functions, those of the libraries and of SQLite included, which no busy machine changes."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

from cardgames.engine.game import CHANCE, Action, Event, Observation
from cardgames.match import Match, PlayerLeft, play, seeded
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
    """The figures of the trial, in calls an action."""

    game: str
    actions: int
    table: tuple[float, float]
    replay: tuple[float, float]

    @property
    def ratios(self) -> tuple[float, float]:
        return self.table[1] / self.table[0], self.replay[1] / self.replay[0]

    def __str__(self) -> str:
        table, replay = self.ratios
        return (
            f"{self.game}, {self.actions} actions: at the table with the store {self.table[0]:,.0f} calls an action at "
            f"the start, {self.table[1]:,.0f} at the end (× {table:.2f}); replay --json {self.replay[0]:,.0f} and "
            f"{self.replay[1]:,.0f} (× {replay:.2f})"
        )


class Calls:
    """The number of calls so far."""

    made = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count calls of functions, in Python or C, and turns of generators."""

        def profile(frame: FrameType, event: str, argument: object) -> None:
            self.made += event in ("call", "c_call")

        sys.setprofile(profile)
        try:
            yield
        finally:
            sys.setprofile(None)


def trial(game: str, actions: int, window: int) -> Growth:
    """Compare ``window`` actions at the start of a match with as many after ``actions``; fails beyond the reach."""
    seats, rules = LONG[game]
    script = Script(game, seats, 1, rules, actions + window)
    assert len(script.actions) == actions + window, f"{game}: the match is over after {len(script.actions)} actions"
    found = Growth(game, actions, at_the_table(script, actions, window), in_replay(script, actions, window))
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
        self._view.table_picture(self._match.observation(CHANCE), self._match.since(observation.seat)).said(False)
        self._view.question_picture(observation).said(False)
        self._view.question(observation)
        return self._script.actions[self._match.ply]

    def consents(self, seat: int, count: int) -> bool:
        raise AssertionError


def at_the_table(script: Script, actions: int, window: int) -> tuple[float, float]:
    """The calls of an action at the start and at the end."""
    with TemporaryDirectory(dir=_memory()) as name, Store.open(Path(name) / "home") as store:
        at_start, at_end = [_sitting(store, script, ply, window) for ply in (0, actions)]
        return at_start, at_end


def _sitting(store: Store, script: Script, ply: int, window: int) -> float:
    """Take up a match after so many actions, and play on; the calls of an action."""
    number = store.import_record([line.encode() for line in script.lines[: ply + 1]])
    match, calls = Match(script.game, store.hold(number), seeded(script.seed)), Calls()
    people = _People(View(match, script.header.names or (), Settings()), script)
    people.end += window
    with calls.counted(), suppress(PlayerLeft):
        play(match, dict.fromkeys(range(1, match.game.seats + 1), people))
    return calls.made / (match.ply - ply)


def in_replay(script: Script, actions: int, window: int) -> tuple[float, float]:
    """The calls of a line of ``replay --json`` among the first and among the last."""
    from cardgames.cli import records

    lines: list[int] = []
    calls = Calls()

    class Counter(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("{"):
                lines.append(calls.made)
            return len(text)

    with TemporaryDirectory(dir=_memory()) as name:
        path = Path(name) / "long.jsonl"
        path.write_text("\n".join(script.lines), encoding="utf-8")
        with redirect_stdout(Counter()), calls.counted():
            records.replay(str(path), as_json=True)
    assert len(lines) == actions + window + 1
    costs = [after - before for before, after in pairwise(lines)]
    return fmean(costs[:window]), fmean(costs[-window:])
