"""A store of many matches: how long its list, its history and leaving that take, and what a repair of it costs.

All times but that of the repair are processor time, which is the same however busy the machine is.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgames.engine.game import GAMES, game_class
from cardgames.simulation import Chunk, Simulation, play_chunk
from cardgames.store import Store, StoreDamaged
from cardgames.store.import_export import Record, parse
from cardgames.store.matches import Facts, write_match, write_outcome
from cardgames.store.serialization import iso
from cardgames.store.sqlite.schema import PAGE
from cardgames.texts import template

from .damage import NAME, _memory
from .kills import SHORT
from .program import CTRL_C, ENTER, Program

REACH = 0.3
"""Seconds that a list, a page and leaving it may take."""
PEOPLE = ("Ann", "Ben", "Cem", "Dee", "Eva", "Flo", "Gil", "Hue", "Ida", "Jon")


class ManyMatches(NamedTuple):
    """The figures of the trial, in seconds."""

    matches: int
    listed: float
    """By ``matches``, with the start of the program."""
    history: float
    """Until the page of the menu is there."""
    left: float
    """From Ctrl-C on that page to the end."""
    repaired: float
    """A repair of the file with one page zero."""
    saved: int

    def __str__(self) -> str:
        return (
            f"{self.matches} matches: listed in {self.listed:.2f} s, their history shown in {self.history:.2f} s and "
            f"left by Ctrl-C in {self.left:.2f} s; {self.saved} of them saved whole from a damaged file in "
            f"{self.repaired:.1f} s"
        )


def trial(number: int) -> ManyMatches:
    """Fill a store with so many matches, and use it; raises ``AssertionError`` beyond the reach."""
    with TemporaryDirectory(dir=_memory()) as name:
        home = Path(name) / "home"
        fill(home, number)
        listed = _listed(home)
        history, left = _history(home)
        repaired, saved = _repaired(home)
    found = ManyMatches(number, listed, history, left, repaired, saved)
    assert max(listed, history, left) <= REACH, str(found)
    assert saved >= number - 5, str(found)
    return found


def fill(home: Path, number: int) -> None:
    """Make a store of so many matches of every game, of which some go on."""
    rng = Random(1)
    now = datetime(2024, 1, 1, tzinfo=UTC)
    with Store.open(home) as store, store.database.transaction() as db:
        for nth, record in enumerate(islice(cycle(_records(rng)), number)):
            at = iso(now + nth * timedelta(minutes=20))
            header = record.header._replace(names=tuple(rng.sample(PEOPLE, record.header.seats)))
            facts = Facts(at)
            over = bool(nth % 50)
            match = write_match(db, header, facts, record.moves[: None if over else 5], record.scores)
            if over and record.outcome:
                write_outcome(db, match, record.outcome, at)


def _records(rng: Random) -> Iterator[Record]:
    """Some matches of every game, with every number of players."""
    for kind in [_five(game, seats, rng.getrandbits(64)) for game in GAMES for seats in game_class(game).SEATS]:
        for text in play_chunk(kind, Chunk(0, 0, 5, recorded=True)).records:
            yield parse(line.encode() for line in text.splitlines())


def _five(game: str, seats: int, seed: int) -> Simulation:
    """Matches between players who choose evenly."""
    rules = game_class(game).RULES.of(SHORT.get(game, {})).values()
    return Simulation(game, seats, rules, ("random",), seed)


def _listed(home: Path) -> float:
    """The seconds that ``matches`` takes, at best of three times."""
    command = [sys.executable, "-m", "cardgames", "matches"]
    env = {**os.environ, "CARDGAMES_HOME": str(home)}
    best = float("inf")
    for _ in range(3):
        before = os.times()
        done = subprocess.run(command, env=env, cwd=Path(__file__).parents[2], capture_output=True, check=True)
        after = os.times()
        assert b"matches --all" in done.stdout
        best = min(best, after.children_user + after.children_system - before.children_user - before.children_system)
    return best


def _history(home: Path) -> tuple[float, float]:
    """The seconds that the page of the menu takes, and leaving it."""
    asked, title = (template("en", "cli", key) for key in ("menu.ask", "menu.history"))
    with Program(home) as program:
        program.wait(lambda: asked in program.view, "the menu")
        program.send(title.upper())
        program.settle(0.2)
        begun = _spent(program)
        program.send(ENTER)
        program.wait(lambda: template("en", "cli", "which_match") in program.view, "the page")
        program.settle(0.05)
        shown = _spent(program)
        program.send(CTRL_C)
        last = shown
        with suppress(OSError):  # until it is gone
            while program.alive:
                last = _spent(program)
                program.read(0.002)
        assert program.ended() == 130
        return shown - begun, last - shown


def _spent(program: Program) -> float:
    """The processor time of a program so far."""
    fields = Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _repaired(home: Path) -> tuple[float, int]:
    """The seconds of a repair when the first page from the middle on that matches are read from is zero, and how many
    matches it saves."""
    whole = (home / NAME).read_bytes()
    for place in range(len(whole) // PAGE // 2 * PAGE, len(whole), PAGE):
        (home / NAME).write_bytes(whole[:place] + bytes(PAGE) + whole[place + PAGE :])
        with suppress(AssertionError):
            return _repair(home)
    raise AssertionError("no damage was found")


def _repair(home: Path) -> tuple[float, int]:
    begun = time.process_time()
    try:
        with Store.open(home) as store:
            for match in store.matches():
                store.load(match.id)
    except StoreDamaged as error:
        begun = time.process_time()
        said = error.repair(lambda done, total: None).args
        return time.process_time() - begun, int(str(said["kept"])) + int(str(said["copied"]))
    raise AssertionError("no damage was found")
