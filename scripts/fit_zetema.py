"""Fits the worth of hands at Zetema to deals, and writes the numbers of ``cardgames/bots/zetema_worth.py``.

    .venv/bin/pip install numpy                            which the program itself does without
    .venv/bin/python scripts/fit_zetema.py                 takes a while: 48,000 deals and 1,200 matches

The first deals are played by a guess of what a hand is worth, those of each round after it by what was fitted to the
round before. A hand is worth what its owner goes on to score in the deal less what the others do on average: after a
turn, for what the turn leaves in the hand, and before a turn, beside the worth of the hands of the others. Now and then
a player tries another turn, so that deals also tell of hands that nobody would keep.

How surely a lead wins is fitted at the end, to matches that are played by these numbers: of what is tried for `SPREAD`
and `REST`, that is kept which gives those who won the best chances, with 2, 3, 4 and 6 players alike.

What is there is what this makes. It took the place of numbers from a fit that is lost, and is as good as far as could
be told: `fair` by these won 50.0 ± 1.8, 33.0 ± 3.1, 26.8 ± 2.9 and 17.3 ± 2.6 % of matches alone among `fair` by those
(2,000 with two players, 600 with three, four and six; even is 50, 33, 25 and 17 %); `strong` won 45 ± 13 % of 60 with a
third of its thinking, and the chances to win that it goes by foresaw the winners of 600 matches as well (a logarithm of
0.531 each in place of 0.532, ± 0.002).
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from cardgames.bots.zetema_rollout import Playout, Wedding
from cardgames.bots.zetema_worth import PERIODS, Worth
from cardgames.engine.cards import Card
from cardgames.engine.zetema import PACK, TRICK, Zetema, ZetemaRules

MODULE = Path(__file__).parent.parent / "cardgames/bots/zetema_worth.py"

DEALS = (4_000, 4_000, 16_000)
"""The deals of each round; only the numbers of the last stay."""
CHUNK = 200
TABLES = {"": (2,), "_OF_MANY": (3, 4, 6)}
"""By the end of their names, for how many seats tables are: the deals are shared out among these."""
TRIES, WAITS = 0.05, 0.25
"""The chances that a turn without points, and one that marries, gives way to a card laid at random."""
ENDLESS = 10**9
"""The target, so that every deal is played to its end."""
TRUST = 500.0
"""How many hands the guess of a number counts for: so what few hands tell of, as of four marriages, stays near it."""

MATCHES = 300
"""How many matches of each number of seats tell how surely a lead wins."""
LOOKS = 0.1
"""The share of their turns at which the points are looked at."""
SPREADS = tuple([round(0.008 + 0.001 * step, 3) for step in range(13)])
RESTS = (10, 20, 30, 40, 50, 60)
"""The values tried for the two numbers of a chance to win."""

GUESS = Worth(
    suit=(0.0, 0.0, 1.0, 3.0, 8.0, 20.0, 30.0),
    suit_left=(0.0,) * 7,
    row=(0.0, 0.0, 0.0, 0.0, 1.0, 10.0, 20.0),
    row_left=1.0,
    pairs=(0.0, 8.0, 22.0, 37.0, 62.0, 97.0),
    waiting=(0.0, 4.0, 8.0, 10.0, 11.0),
    both=2.0,
    spades=(0.0, 10.0, 10.0),
    fifth=0.7,
    last_two=0.6,
    fourth=0.1,
    open=-0.3,
    draw=2.0,
)
"""The numbers by which the first deals are played, and what is believed of each before deals tell more."""

FULL = 6
"""The place in a row or suit of a hand that is full of it; what a turn leaves never is."""
NOTHING = {"suit": 2, "suit_left": 2, "row": 3, "pairs": 1, "waiting": 1, "spades": 1}
"""So many of the first numbers are 0: the others are counted from there."""

FEWER = -2.0
"""The worth of each card that a hand has less, without a stock."""
OF_TRICKS = ("fifth", "last_two", "fourth", "open")

Array: TypeAlias = Any
Table: TypeAlias = tuple[Worth, ...]
"""The worth of hands, by period."""


class Numbers(NamedTuple):
    """The worth of hands after a turn, and before one."""

    after_laying: Table
    before_turn: Table


STARTING = Numbers(*((GUESS,) * (len(PERIODS) + 1),) * 2)

COLUMNS = [
    (field, place)
    for field, value in GUESS._asdict().items()
    for place in range(len(value) if isinstance(value, tuple) else 1)
]
"""The numbers of a worth in a line: the field and the place in it."""
LINE = [number for value in GUESS for number in (value if isinstance(value, tuple) else (value,))]

BESIDE = 4
"""So many columns more say how the deal stands: that there is one, the cards in the others' hands, the stock, and once
there is none the cards in the hand."""


def made_of(line: Array) -> Worth:
    """The worth whose numbers stand in a line."""
    numbers = iter(line)
    fields: list[Any] = [
        tuple([next(numbers) for _ in value]) if isinstance(value, tuple) else next(numbers)
        for value in GUESS
    ]  # fmt: skip
    return Worth(*fields)


UNIT_VECTORS = np.eye(len(COLUMNS))
UNIT_VECTORS.setflags(write=False)  # or a sum in place would change them
UNITS = made_of(UNIT_VECTORS)
"""Numbers by which a hand is worth the vector of its features: each is multiplied by its number in any other worth."""


class Sums:
    """The sums that least squares asks for."""

    def __init__(self) -> None:
        width = len(COLUMNS) + BESIDE
        self.products, self.with_scored = np.zeros((width, width)), np.zeros(width)

    def add(self, features: Array, scored: Array) -> None:
        """Add some hands."""
        self.products += features.T @ features
        self.with_scored += features.T @ scored

    def plus(self, other: "Sums") -> None:
        """Add those of others."""
        self.products += other.products
        self.with_scored += other.with_scored


class Deal:
    """A deal, and what is learnt of it."""

    def __init__(self, seats: int, numbers: Numbers, rng: Random) -> None:
        self.playout = dealt(seats, rng)
        self.playout.after_laying, self.playout.before_turn = numbers
        self.rng, self.seats = rng, seats
        self.scored = [0.0] * seats
        self.hands: list[tuple[int, int, int, Array, float]] = []
        """For each hand: the table and the period that it is for, its owner, its features, and the lead until then."""

    def play(self) -> None:
        """Play it to the end."""
        hands, seat = self.playout.hands, 0
        while any(hands):
            if hands[seat]:
                if seat == 0:
                    self._keep(1, seat, self._beside_others())
                self._turn(seat)
            seat = (seat + 1) % self.seats

    def _turn(self, seat: int) -> None:
        """A turn."""
        playout = self.playout
        hand = playout.hands[seat]
        points, cards, wedding = playout.choice(hand)
        if self.rng.random() < (WAITS if wedding else 0.0 if points else TRIES):
            points, cards, wedding = self._other(hand)
        playout.take_turn(hand, cards, wedding)
        self.scored[seat] += points
        self._keep(0, seat, playout.worth(hand, UNITS))
        playout.draw_up(hand)

    def _other(self, hand: Sequence[Card]) -> tuple[int, tuple[Card, ...], Wedding | None]:
        """Any card, with the points of its trick."""
        card = self.rng.choice(hand)
        rank = card % 13
        return TRICK[rank] if self.playout.piles[rank] == 4 else 0, (card,), None

    def _beside_others(self) -> Array:
        """The features of the first hand, less those of the others on average."""
        first, *others = [self.playout.worth(hand, UNITS) for hand in self.playout.hands]
        return first - sum(others) / len(others)

    def _keep(self, table: int, seat: int, features: Array) -> None:
        """Keep the features of a hand, and how the deal stands."""
        playout = self.playout
        mine, stock = len(playout.hands[seat]), playout.to_draw
        held = sum(map(len, playout.hands)) - mine
        beside = 1.0, held / (self.seats - 1), stock / self.seats, 0 if stock else mine
        self.hands.append((table, playout.period(), seat, np.append(features, beside), self._lead(seat)))

    def _lead(self, seat: int) -> float:
        """The points of a seat, less those of the others on average."""
        mine = self.scored[seat]
        return mine - (sum(self.scored) - mine) / (self.seats - 1)

    def learnt(self) -> Iterator[tuple[int, int, Array, float]]:
        """For each hand its table, its period, its features, and what its owner won of a lead after it."""
        for table, period, seat, features, before in self.hands:
            yield table, period, features, self._lead(seat) - before


def dealt(seats: int, rng: Random) -> Playout:
    """The beginning of a deal."""
    game = Zetema(seats, ZetemaRules())
    start = game.start()
    state = game.apply(start, game.chance(start).sample(rng))  # type: ignore[union-attr]
    playout = Playout(game.observation(state, 1)).given(game, state, len(PACK))
    playout.target = ENDLESS
    return playout


Chunk: TypeAlias = tuple[str, tuple[int, ...], Numbers]
"""A name that decides its cards, the numbers of seats by turns, and the worth of hands."""


def played(chunk: Chunk) -> list[list[Sums]]:
    """Some deals; the sums by table and period."""
    name, seats, numbers = chunk
    rng = Random(name)
    found: list[list[list[tuple[Array, float]]]] = [[[] for _ in table] for table in numbers]
    for number in range(CHUNK):
        deal = Deal(seats[number % len(seats)], numbers, rng)
        deal.play()
        for table, period, features, scored in deal.learnt():
            found[table][period].append((features, scored))
    return [[summed(hands) for hands in table] for table in found]


def summed(hands: Sequence[tuple[Array, float]]) -> Sums:
    """The sums of some hands."""
    sums = Sums()
    if hands:
        features, scored = zip(*hands, strict=True)
        sums.add(np.array(features), np.array(scored))
    return sums


def fitted(sums: Sums, rest: bool, period: int) -> Worth:
    """The numbers of one period, those set by hand among them."""
    by_hand = [by_hand_in(period, rest, *column) for column in COLUMNS]
    free = [number is None for number in by_hand]
    line = np.array([*LINE, *(0.0,) * BESIDE])
    line[: len(COLUMNS)] = [guess if number is None else number for guess, number in zip(LINE, by_hand, strict=True)]
    at = np.flatnonzero([*free, *(True,) * BESIDE])
    trust = np.diag([*(TRUST,) * (len(at) - BESIDE), *(1.0,) * BESIDE])
    missed = sums.with_scored - sums.products @ line
    line[at] += np.linalg.solve(sums.products[np.ix_(at, at)] + trust, missed[at])
    digits = [2 if field in OF_TRICKS else 1 for field, _ in COLUMNS]
    return made_of([round(number, places) + 0.0 for number, places in zip(line.tolist(), digits, strict=False)])


def by_hand_in(period: int, rest: bool, field: str, place: int) -> float | None:
    """A number that is set by hand, or nothing where it is fitted."""
    if place < NOTHING.get(field, 0):
        return 0.0
    return without_stock(field, place, rest) if period == 0 else None


def without_stock(field: str, place: int, rest: bool) -> float | None:
    """A number that is set by hand, for where no card is to come.

    Only a hand that is full of a suit or row has something of it. How many cards hands have tells mostly who will play
    the last card of all, which is worth much and not of the hand: so a card fewer is held to cost a little.
    """
    if field == "draw":
        return FEWER
    if field in ("suit", "row") and rest and place == FULL:
        return float(getattr(GUESS, field)[FULL])
    return 0.0 if field in ("suit", "suit_left", "row", "row_left") else None


def round_of(numbers: Numbers, seats: tuple[int, ...], name: str, deals: int, jobs: int) -> Numbers:
    """The numbers fitted to deals that are played by these."""
    chunks = [(f"{name} {number}", seats, numbers) for number in range(deals // CHUNK)]
    totals = [[Sums() for _ in table] for table in numbers]
    with Pool(jobs) as pool:
        for found in pool.imap(played, chunks):
            for total, sums in zip(chain(*totals), chain(*found), strict=True):
                total.plus(sums)
    tables = [
        tuple([fitted(sums, rest, period) for period, sums in enumerate(table) if sums.products.any()])
        for rest, table in zip((False, True), totals, strict=True)
    ]
    return Numbers(*tables)


def standings(seats: int, numbers: Numbers, rng: Random) -> tuple[list[list[float]], int]:
    """The points of all with what their hands are worth, at some turns of a match, and who won it."""
    scores, found, first = [0] * seats, [], 0
    while True:
        playout = dealt(seats, rng)
        playout.after_laying, playout.before_turn = numbers
        playout.scores, playout.target, playout.turn = scores, target_of(seats), first
        while any(playout.hands):
            if playout.hands[playout.turn]:
                if rng.random() < LOOKS:
                    found.append([points + playout.potential(seat) for seat, points in enumerate(scores)])
                playout.play(1)
                if max(scores) >= playout.target:
                    return found, scores.index(max(scores))
            playout.turn = (playout.turn + 1) % seats
        first = (first + 1) % seats


def target_of(seats: int) -> int:
    """The points that win (Z9)."""
    game = Zetema(seats, ZetemaRules())
    return game.observation(game.start(), 1).target


def surprise(points: Array, winners: Array, target: int, spread: float, rest: float) -> float:
    """The mean of minus the logarithm of the chance that is given to those who won."""
    odds = points / (spread * target * np.sqrt(np.maximum(0, target - points.max(1)) + rest))[:, None]
    odds -= odds.max(1, keepdims=True)
    return float((np.log(np.exp(odds).sum(1)) - odds[np.arange(len(winners)), winners]).mean())


def chances(tables: Mapping[tuple[int, ...], Numbers], seed: str) -> tuple[float, int]:
    """The ``SPREAD`` and ``REST`` that give those who won their matches the best chances, with any number of seats."""
    known = []
    for seats, numbers in [(seats, numbers) for those, numbers in tables.items() for seats in those]:
        matches = [standings(seats, numbers, Random(f"{seed} {seats} {number}")) for number in range(MATCHES)]
        points = np.array([each for found, _ in matches for each in found])
        winners = np.array([winner for found, winner in matches for _ in found])
        known.append((points, winners, target_of(seats)))
    tried = [(spread, rest) for spread in SPREADS for rest in RESTS]
    return min(tried, key=lambda pair: sum(surprise(*table, *pair) for table in known))


def source(name: str, table: Table) -> str:
    """A table as it stands in the module."""
    lines = [f"{name} = ("]
    for worth in table:
        lines += ["    Worth(", *[f"        {field}={value}," for field, value in worth._asdict().items()], "    ),"]
    return "\n".join([*lines, ")\n"])


def write(name: str, table: Table) -> None:
    """Put a table in the place of the one that there is."""
    text, count = re.subn(rf"^{name} = \(\n.*?^\)\n", source(name, table), MODULE.read_text(), flags=re.M | re.S)
    assert count == 1, name
    MODULE.write_text(text)


def write_number(name: str, number: float) -> None:
    """Put a number in the place of the one that there is."""
    text, count = re.subn(rf"^{name} = .*$", f"{name} = {number}", MODULE.read_text(), flags=re.M)
    assert count == 1, name
    MODULE.write_text(text)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="names the cards (default: 1)")
    parser.add_argument("--deals", nargs="+", type=int, default=DEALS, help=f"those of each round (default: {DEALS})")
    parser.add_argument("--jobs", type=int, default=2, help="processes, which change nothing else (default: 2)")
    options = parser.parse_args()
    begun = perf_counter()
    tables = {}
    for ending, seats in TABLES.items():
        numbers = STARTING
        for number, deals in enumerate(options.deals, 1):
            numbers = round_of(numbers, seats, f"{options.seed} {seats} {number}", deals, options.jobs)
            print(f"{seats} seats, round {number}: {perf_counter() - begun:.0f} s", flush=True)
        write(f"AFTER_LAYING{ending}", numbers.after_laying)
        write(f"BEFORE_TURN{ending}", numbers.before_turn)
        tables[seats] = numbers
    spread, rest = chances(tables, options.seed)
    write_number("SPREAD", spread)
    write_number("REST", rest)


if __name__ == "__main__":
    main()
