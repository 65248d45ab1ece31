"""The deal of the day: the same cards for everybody who plays the same version on the same date.

    deal = daily_deal(date(2026, 12, 1))
    moves, state = opening(deal)
    results = finish_deals(deal, "fair", 0, TIMES)

The games take turns, day by day: the ordinal of the date, modulo the number of games, is the index in ``OFFERED``. The
rest follows from the SHA-256 of ``cardgames VERSION DATE``, the date as ``YYYY-MM-DD``: the first byte modulo the
number of seats, plus 1, is the seat; the next seven, big-endian, are the seed of the cards. The game is played by its
usual rules and the fewest players, the last of whom deals; all other seats are ``strong``. Until the game says that a
short deal begins, ``fair`` plays for all. Computers have a fixed amount of work instead of time, and so play alike on
every machine.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import date
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple, TypeAlias

from cardgames import __version__
from cardgames.bots import player
from cardgames.bots.review import standing
from cardgames.engine.game import CHANCE, OFFERED, Action, game_class
from cardgames.engine.record import PERSON, Header, new_header
from cardgames.simulation.workers import local_workers

OPPONENT, OPENER = "strong", "fair"
COMPARED = ("easy", "fair", "strong")
"""The levels that play the deal in the person's seat, for comparison."""
TIMES = 200
"""The number of times that each level plays the deal."""
CHUNK = 5
"""The number of times in a row that one level plays the deal."""

LOW_PRIORITY = 15
"""The niceness of processes that play in the background."""

ComputerResults: TypeAlias = dict[str, list[float]]
"""By level, the results that computers in the person's seat have reached so far."""


class DailyDeal(NamedTuple):
    """The deal of a day."""

    day: date
    version: str
    game: str
    seat: int
    """The person's seat."""
    seed: int

    def header(self, names: tuple[str, ...] | None = None) -> Header:
        seats = range(1, game_class(self.game).SEATS[0] + 1)
        return new_header(self.game, names, tuple([PERSON if seat == self.seat else OPPONENT for seat in seats]))


def daily_deal(day: date, version: str = __version__) -> DailyDeal:
    """The deal of a day in a version of the program."""
    game = OFFERED[day.toordinal() % len(OFFERED)]
    digest = sha256(f"cardgames {version} {day.isoformat()}".encode()).digest()
    seat = 1 + digest[0] % game_class(game).SEATS[0]
    return DailyDeal(day, version, game, seat, int.from_bytes(digest[1:8], "big"))


@cache
def opening(deal: DailyDeal) -> tuple[Sequence[tuple[int, Action]], Any]:
    """The actions before the person's first possible choice, with their seats, and the state after them."""
    game = deal.header().new_game()
    choose, rng = player(OPENER, game), Random(f"{deal.seed}/opening")
    state, moves = game.start(), list[tuple[int, Action]]()
    while not game.short_deal_begins(state):
        seat = game.to_act(state) or CHANCE  # the match is not over
        if chance := game.chance(state):
            action = chance.sample(Random(f"{deal.seed}/{len(moves)}"))  # as in a match of this seed
        else:
            action = choose(game.observation(state, seat), rng)
        moves.append((seat, action))
        state = game.apply(state, action)
    return moves, state


def finish_deals(deal: DailyDeal, level: str, first: int, count: int = CHUNK) -> list[float]:
    """Play on ``count`` times after the opening, a ``level`` in the person's seat; return its results.

    The numbers from ``first`` on seed the choices. Worker processes play at low priority."""
    if multiprocessing.parent_process() and hasattr(os, "nice"):
        os.nice(max(0, LOW_PRIORITY - os.nice(0)))  # ``os.nice(0)`` returns the present niceness
    game, results = deal.header().new_game(), []
    _, opened = opening(deal)
    for number in range(first, first + count):
        state, rng = opened, Random(f"{deal.seed}/{level}/{number}")
        players = {seat: player(level if seat == deal.seat else OPPONENT, game) for seat in range(1, game.seats + 1)}
        while not game.deal_over(state):
            seat = game.to_act(state)
            assert seat  # all cards are dealt
            state = game.apply(state, players[seat](game.observation(state, seat), rng))
        results.append(standing(game, state, deal.seat))
    return results


def missing_chunks(deal: DailyDeal, known: ComputerResults) -> list[tuple[DailyDeal, str, int]]:
    """The chunks not played yet, as arguments of :func:`finish_deals`: levels in turn, the strongest first."""
    chunks = [(level, first) for first in range(0, TIMES, CHUNK) for level in reversed(COMPARED)]
    return [(deal, level, first) for level, first in chunks if first >= len(known[level])]


@contextmanager
def chunks_in_processes(deal: DailyDeal, known: ComputerResults, jobs: int) -> Iterator[list[Future[list[float]]]]:
    """A context in which processes play the missing chunks, its value a future for each.

    Its end adds to ``known`` the results of each level's finished chunks before the level's first unfinished one."""
    chunks = missing_chunks(deal, known)
    with local_workers(jobs) as workers:
        futures = [workers.start(finish_deals, *chunk) for chunk in chunks]
        try:
            yield futures
        finally:
            for (_, level, first), future in zip(chunks, futures, strict=True):
                is_finished = future.done() and not future.cancelled() and not future.exception()
                if is_finished and first == len(known[level]):
                    known[level] += future.result()
