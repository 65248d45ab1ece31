"""A match of 10,000 actions: what one costs at the end, at the table, on the disk and in ``replay --json``.

The costs are processor time, which is the same however busy the machine is; the start and the end of the match are
measured by turns.
"""

import gc
import io
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cardgames.engine.game import Outcome
from cardgames.layout import table
from cardgames.store import Store
from cardgames.ui.settings import Settings
from cardgames.ui.table import Table

from .damage import _memory
from .player import Script, ticks

REACH = 1.5
"""How many times what an action costs at the start it may cost at the end."""

LONG: dict[str, tuple[int, dict[str, Any]]] = {
    "fipsen": (3, {"deals": 100_000}),
    "kakeya": (4, {"games": 100_000}),
    "truc": (2, {"points": 10**9, "rounds": 1}),
}
"""Options that make a match as long as one likes, and the number of seats."""


class Growth(NamedTuple):
    """What came of the trial, in milliseconds of processor time an action."""

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


class _Played(Exception):
    """So many actions as were wanted have been played."""


class _Screen:
    """A screen that nobody sees: every picture is drawn, and every answer is that of the script."""

    def __init__(self, script: Script, ply: int) -> None:
        self.script = script
        self.ply = ply
        self.end = ply
        self.stopped: Callable[[], object] = lambda: None

    def forget_typed(self) -> None:
        pass

    def rest(self, draw: Callable[[int, int], str], foot: str, seconds: float) -> None:
        draw(80, 24)

    def choose(self, draw: Callable[[int, int], str], question: str, offers: Sequence[Any], *more: Any) -> Any:
        if self.ply >= self.end:
            raise _Played
        draw(80, 24)
        return True if offers[0].value is True else self.script.actions[self.ply]

    def tick(self, draw: Callable[[int, int], str], *more: Any) -> list[int]:
        if self.ply >= self.end:
            raise _Played
        draw(80, 24)
        state = self.script.states[self.ply]
        observation = self.script.game.observation(state, self.script.to_act(self.ply) or 0)
        places = ticks(table(self.script.game.NAME).question(observation), self.script.actions[self.ply])
        assert places is not None
        return list(places)


class _Sitting:
    """The table, the store and the screen that nobody sees, from some point of the match on."""

    def __init__(self, store: Store, script: Script, ply: int) -> None:
        self._store = store
        self.screen = _Screen(script, ply)
        lines = [line.encode() for line in script.lines[: ply + 1]]
        match = store.import_record(lines)
        begun = time.perf_counter()
        _, moves = store.load(match)
        self._hold = store.hold(match)
        game = script.game
        actions = [game.parse(act) for _, act in moves]
        settings = Settings()
        self._table = Table(self.screen, game, script.header.names or (), actions, self, script.seed, settings, "")  # type: ignore[arg-type]
        self.seconds = time.perf_counter() - begun

    def append(self, ply: int, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None) -> None:
        self._hold.append(ply, by, act, scores, outcome)
        assert act == self.screen.script.actions[ply - 1].text
        self.screen.ply = ply

    def undo(self, to_ply: int, by: int, scores: Sequence[int]) -> None:
        raise AssertionError

    def play(self, number: int) -> float:
        """Play on for so many actions; the processor time of one in milliseconds."""
        start = self.screen.ply
        self.screen.end += number
        gc.collect()
        begun = time.process_time()
        with suppress(_Played):
            self._table.play()
        return (time.process_time() - begun) * 1000 / (self.screen.ply - start)


PARTS = 8
"""In how many parts, by turns, the two ends of the match are played."""


def at_the_table(script: Script, actions: int, window: int) -> tuple[tuple[float, float], float]:
    """What an action costs at the start and at the end, and how long it took to take the match up again."""
    with TemporaryDirectory(dir=_memory()) as name, Store.open(Path(name) / "home") as store:
        sittings = [_Sitting(store, script, ply) for ply in (0, actions)]
        costs: list[list[float]] = [[], []]
        for part in range(PARTS + 1):
            for sitting, found in zip(sittings, costs, strict=True):
                cost = sitting.play(window // (PARTS + 1))
                if part:  # the first only warms things up
                    found.append(cost)
        first, last = (sum(found) / len(found) for found in costs)
        return (first, last), sittings[1].seconds


def in_replay(script: Script, actions: int, window: int) -> tuple[float, float]:
    """What a line of ``replay --json`` costs among the first and among the last."""
    from cardgames.cli import records

    times: list[float] = []

    class Clock(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("{"):
                times.append(time.process_time())
            return len(text)

    best = (float("inf"), float("inf"))
    with TemporaryDirectory(dir=_memory()) as name:
        path = Path(name) / "long.jsonl"
        path.write_text("\n".join(script.lines), encoding="utf-8")
        for _ in range(3):
            times.clear()
            with redirect_stdout(Clock()):
                records.replay(str(path), as_json=True)
            assert len(times) == actions + window + 1
            costs = (times[window + 1] - times[1]), (times[-1] - times[-1 - window])
            best = min(best[0], costs[0] * 1000 / window), min(best[1], costs[1] * 1000 / window)
    return best
