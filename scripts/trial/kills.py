"""``kill -9`` at a random moment of a scripted match in a pseudo-terminal, resumed until it ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cardgames.engine.game import CHANCE, game_class
from cardgames.store import Store, UnknownMatch
from cardgames.texts import template

from .player import Script
from .program import DOWN, ENTER, Program, playable

LONGEST_LIFE = 0.45
"""Seconds after which a process is killed at the latest; when it is, is up to chance."""

SHORT: dict[str, dict[str, Any]] = {"truc": {"points": 3, "rounds": 1}, "fipsen": {"deals": 2}, "zetema": {}}
"""Options that make the matches of a game short."""


class Kills(NamedTuple):
    """The figures of the trial."""

    kills: int
    matches: int
    actions: int
    unconfirmed: int
    """How many actions were on the disk at a kill though their player had not seen so yet."""
    games: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in {self.matches} matches ({', '.join(self.games)}; {self.actions} actions): every "
            f"record as undisturbed, no confirmed action lost, {self.unconfirmed} kept beyond those "
            f"({self.seconds:.0f} s)"
        )


def trial(kills: int, seed: int = 1, tries: int = 1, tail: int | None = None) -> Kills:
    """Kill so many processes; of ``tries`` matches the shortest is played, or its last ``tail`` actions.

    Raises ``AssertionError``.
    """
    begun = time.monotonic()
    rng = Random(seed)
    done = matches = actions = unconfirmed = 0
    games = playable()
    share = -(-kills // len(games))
    for game in games:
        left = min(share, kills - done)
        for number, script in zip(count(), scripts(game, seed, tries)):
            if not left:
                break
            start = 0 if tail is None else script.last(tail)
            if not number:
                play_undisturbed(script, start)
            killed, kept = play_and_kill(script, left, rng, start)
            left -= killed
            done += killed
            matches += 1
            actions += len(script.actions) - start
            unconfirmed += kept
    return Kills(done, matches, actions, unconfirmed, games, time.monotonic() - begun)


def scripts(game: str, seed: int, tries: int) -> Iterator[Script]:
    """Matches of a game, with every number of players by turns."""
    for number, seats in zip(count(seed * 1000, tries), cycle(game_class(game).SEATS)):
        rules = SHORT.get(game, {})
        yield min(
            (Script(game, seats, number + more, rules) for more in range(tries)), key=lambda script: len(script.actions)
        )


RESUME = ["resume", "1", "--fast"]


@contextmanager
def begun_at(script: Script, start: int) -> Iterator[Path]:
    """A home in which the match stands after ``start`` actions."""
    with TemporaryDirectory() as name:
        home = Path(name) / "home"
        if start:
            with Store.open(home) as store:
                store.import_record(line.encode() for line in script.lines[: start + 1])
        yield home


def play_undisturbed(script: Script, start: int = 0) -> None:
    """Play the match from ``start`` to its end, and compare its record with what it must be."""
    with begun_at(script, start) as home:
        with Program(home, *(RESUME if start else script.arguments), guarded=False) as program:
            sitting = Sitting(program, script, start)
            assert sitting.go_on(None)
        found = record(home)
        differing = [pair for pair in zip(found, script.lines, strict=False) if pair[0] != pair[1]]
        assert found == script.lines, differing[:3]


def kill(program: Program) -> None:
    """``kill -9``."""
    program.kill()
    assert program.ended() == 128 + 9


def play_and_kill(
    script: Script, most: int, rng: Random, start: int = 0, end: Callable[[Program], object] = kill
) -> tuple[int, int]:
    """Play the match, killed at random moments but at ``most`` so often; how often, and what was kept unconfirmed.

    ``end`` is what is done instead of killing.
    """
    killed = kept = 0
    with begun_at(script, start) as home:
        there = start
        made = start > 0
        while True:
            arguments = RESUME if made else script.arguments
            deadline = time.monotonic() + rng.random() * LONGEST_LIFE if killed < most else None
            with Program(home, *arguments, guarded=deadline is not None) as program:
                sitting = Sitting(program, script, there)
                if sitting.go_on(deadline):
                    break
                end(program)
            killed += 1
            lines = record(home)
            made = bool(lines)
            there = sum(line.startswith('{"by"') for line in lines)
            assert lines == script.lines[: len(lines)], f"{script.arguments}: not what was played"
            assert sitting.confirmed <= there <= sitting.at_most, (
                f"{script.arguments}: {there} actions are kept, {sitting.confirmed} were confirmed"
            )
            kept += there - sitting.confirmed
            if len(lines) == len(script.lines):
                break  # killed after the last action
        found = record(home)
        assert found == script.lines, (script.arguments, len(found), len(script.lines), found[-2:], script.lines[-2:])
    return killed, kept


def record(home: Path, match: int = 1) -> list[str]:
    """The record of a match, none if it has not been made."""
    try:
        with Store.open(home, write=False) as store:
            return list(store.export(match))
    except UnknownMatch:
        return []


class Sitting:
    """Somebody who plays the script at a terminal."""

    def __init__(self, program: Program, script: Script, ply: int) -> None:
        self._program = program
        self._script = script
        self._answered = 0
        self.confirmed = ply
        """How many actions were followed by a prompt, and so are said to be safe."""
        self.at_most = self._after_chance(ply)
        """How many actions can be on the disk."""

    def _after_chance(self, ply: int) -> int:
        while self._script.to_act(ply) == CHANCE:
            ply += 1
        return ply

    def _await(self, text: str, deadline: float | None) -> bool:
        """Wait for the next prompt, which has this text."""

        def ready() -> bool:
            return self._program.prompts > self._answered and text in self._program.view

        while self._program.wait(ready, f"a frame after {self._answered} with {text!r}", deadline):
            self._program.settle()
            if ready():
                return True
        return False

    def _press(self, keys: str) -> None:
        self._answered = self._program.prompts
        self._program.send(keys)

    def go_on(self, deadline: float | None) -> bool:
        """Play on; whether the match came to its end before the ``deadline``."""
        script = self._script
        ply = self.at_most
        looking = None
        while (seat := script.to_act(ply)) is not None:
            if seat != looking:
                hand_over = template("en", None, "hand_over").removeprefix("{seat}")
                if not self._await(script.header.names[seat - 1] + hand_over, deadline):  # type: ignore[index]
                    return False
                self.confirmed = ply
                self._press(ENTER)
                looking = seat
            *further, last = script.keys(ply)
            for keys in further:
                if not self._await("▶", deadline):
                    return False
                self.confirmed = ply
                self._press(keys)
            if not self._await("▶", deadline):
                return False
            self.confirmed = ply
            self.at_most = self._after_chance(ply + 1)
            self._press(last)
            if self.at_most > ply + 1:
                looking = None
            ply = self.at_most
        if not self._await(template("en", None, "again"), deadline):
            return False
        self.confirmed = ply
        self._press(DOWN + ENTER)
        assert self._program.ended() == 0
        return True
