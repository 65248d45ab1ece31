"""Fit the worth of hands at Zetema to deals, and write the numbers of ``cardgames/kernels/zetema_worth.py``.

    .venv/bin/pip install numba                            which the program itself does without
    .venv/bin/python scripts/fit_zetema.py                 48,000 deals and 21,000 matches

The first deals are played by a guess of the worth of a hand, those of each later round by the numbers fitted to the
round before. A hand is worth the points that its owner still scores in the deal, less the mean of the opponents'. The
worth is fitted to hands after a turn, and to hands before a turn less the hands of the opponents. Sometimes a player
makes a random turn, so that the deals also have hands that nobody would keep.

How surely a lead wins is fitted last, to matches played by these numbers: `SPREADS` and `REST` take the values under
which the winners are likeliest.
"""

import argparse
import re
from itertools import chain
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from cardgames.engine.zetema import Zetema, ZetemaRules
from cardgames.kernels import zetema as kernel
from cardgames.kernels import zetema_worth as worth
from cardgames.kernels.chance import below, seeded
from cardgames.kernels.compiling import Ints, array, compiled, copy, ints, popcount

MODULE = Path(__file__).parent.parent / "cardgames/kernels/zetema_worth.py"

DEALS = (4_000, 4_000, 16_000)
"""The number of deals in each round. Only the numbers fitted to the last round are kept."""
TABLES = ((2,), (3, 4, 6))
"""The numbers of seats that share their tables, and the deals that these are fitted to."""
TRIES, WAITS = 50, 250
"""How many of 1,000 turns without points, and of 1,000 marriages, are replaced by a card laid at random."""
ENDLESS = 10**9
"""The target, so that every deal is played to its end."""
TRUST = 500.0
"""The number of hands that a guess counts for. A number for which there are few hands stays near its guess."""

MATCHES = 3_000
"""The matches of each number of seats and sides that tell how surely a lead wins."""
LOOKS = 40
"""Points are noted at one turn in ``LOOKS``."""
RESTS = (10, 20, 30, 40, 50, 60)
FACTORS = tuple([round(0.006 + 0.0005 * step, 4) for step in range(25)])
"""The values tried for the two numbers of a chance to win."""

GUESS = {
    "suit": (0, 0, 100, 300, 800, 2000, 3000), "suit_left": (0,) * 7, "row": (0, 0, 0, 0, 100, 1000, 2000),
    "row_left": (100,), "pairs": (0, 800, 2200, 3700, 6200, 9700), "waiting": (0, 400, 800, 1000, 1100), "both": (200,),
    "spades": (0, 1000, 1000), "fifth": (70,), "last_two": (60,), "fourth": (10,), "open": (-30,), "draw": (200,),
}  # fmt: skip
"""The numbers by which the first deals are played, and towards which the fit is drawn."""

NOTHING = {"suit": 2, "suit_left": 2, "row": 3, "pairs": 1, "waiting": 1, "spades": 1}
"""How many of the first numbers of a field are 0; its later numbers are relative to them."""
FEWER = -200
"""The worth of each card that a hand is short of, without a stock."""

LINE = np.array([*chain(*GUESS.values())], float)
COLUMNS = [(field, place) for field, count in worth.FIELDS.items() for place in range(count)]
BESIDE = 4
"""The number of further features: a constant, the cards of the opponents, the stock, and without a stock the cards of
the hand."""
FEATURES = worth.WIDTH + BESIDE
HEAD = 4
"""The number of entries before the features of a noted hand: table, period, owner, and lead so far."""
MOST_HANDS = 400

Array: TypeAlias = Any


@compiled
def features(state: Ints, seat: int, sign: int, unit: Ints, rows: Ints, at: int) -> None:
    """Add ``sign`` times the features of a hand: for each number its worth if that is 1 and all others are 0."""
    for column in range(worth.WIDTH):
        unit[column] = 1
        rows[at + HEAD + column] += sign * kernel.hand_worth(state, seat, unit, 0)
        unit[column] = 0


@compiled
def begin(state: Ints, seat: int, table: int, stock: int, unit: Ints, rows: Ints, at: int) -> None:
    """Note a hand with the further features. All are multiples by the number of opponents; the fit divides them."""
    seats = state[kernel.SEATS]
    for place in range(at, at + HEAD + FEATURES):
        rows[place] = 0
    rows[at] = table
    rows[at + 1] = worth.line_of(stock, seats) % worth.TABLE // worth.WIDTH
    rows[at + 2] = seat
    rows[at + 3] = lead(state, seat)
    others = mine = 0
    for other in range(1, seats + 1):
        held = popcount(state[kernel.HANDS + other]) + popcount(state[kernel.TWINS + other])
        mine = held if other == seat else mine
        others += 0 if other == seat else held
    features(state, seat, seats - 1, unit, rows, at)
    beside = at + HEAD + worth.WIDTH
    rows[beside] = seats - 1
    rows[beside + 1] = others
    rows[beside + 2] = stock * (seats - 1) // seats
    rows[beside + 3] = 0 if stock else mine * (seats - 1)


@compiled
def lead(state: Ints, seat: int) -> int:
    """The points of a seat times the number of its opponents, less the opponents' points."""
    total = 0
    for side in range(state[kernel.SIDES]):
        total += state[kernel.SCORES + 1 + side]
    return state[kernel.SCORES + seat] * state[kernel.SEATS] - total  # type: ignore[no-any-return]


@compiled
def play_deal(
    state: Ints, aside: Ints, rng: Ints, order: Ints, out: Ints, numbers: Ints, unit: Ints, rows: Ints, width: int
) -> int:
    """Play a deal to its end; return the number of hands noted."""
    kernel.chance(state, rng, order)
    kernel.lay(state, order)
    seats, noted = state[kernel.SEATS], 0
    while state[kernel.TO_ACT]:
        seat = state[kernel.TO_ACT]
        stock = 65 - state[kernel.DRAWN]
        if seat == 1:
            begin(state, seat, 1, stock, unit, rows, width * noted)
            for other in range(2, seats + 1):
                features(state, other, -1, unit, rows, width * noted)
            noted += 1
        move = kernel.by_worth(state, numbers)
        copy(state, len(state), aside, 0)
        kernel.play(aside, move)
        points = aside[kernel.SCORES + seat] - state[kernel.SCORES + seat]
        if below(rng, 1000) < (WAITS if move >= kernel.MARRY else 0 if points else TRIES):
            kernel.moves(state, out)  # the cards come first
            move = out[below(rng, popcount(state[kernel.HANDS + seat]))]
        copy(state, len(state), aside, 0)
        aside[kernel.DRAWN] = 65  # what the turn leaves, before a card is drawn
        kernel.play(aside, move)
        if aside[kernel.TO_ACT]:
            begin(aside, seat, 0, stock, unit, rows, width * noted)
            noted += 1
        kernel.play(state, move)
    for number in range(noted):
        at = width * number
        rows[at + 3] = lead(state, rows[at + 2]) - rows[at + 3]
    return noted


def fitted_to(numbers: Ints, seats: tuple[int, ...], deals: int, rng: Ints) -> list[list[Array]]:
    """The lines of both tables, fitted to deals that are played by ``numbers``."""
    width = HEAD + FEATURES
    sums = {(table, period): (np.zeros((FEATURES,) * 2), np.zeros(FEATURES)) for table in (0, 1) for period in range(5)}
    rows, unit, aside = ints(width * MOST_HANDS), ints(worth.WIDTH), ints(kernel.SIZE)
    order, out = ints(kernel.MOST_ITEMS), ints(kernel.MOST_MOVES)
    for number in range(deals):
        game = Zetema(seats[number % len(seats)], ZetemaRules())
        state = kernel.new(game)
        state[kernel.TARGET] = ENDLESS
        noted = play_deal(state, aside, rng, order, out, numbers, unit, rows, width)
        hands = np.array(rows[: width * noted], float).reshape(noted, width)
        for key, (products, with_scored) in sums.items():
            of_key = hands[(hands[:, 0] == key[0]) & (hands[:, 1] == key[1])]
            found, scored = of_key[:, HEAD:] / (game.seats - 1), 100 * of_key[:, 3] / (game.seats - 1)
            products += found.T @ found
            with_scored += found.T @ scored
    return [[fitted(*sums[table, period], bool(table), period) for period in range(5)] for table in (0, 1)]


def fitted(products: Array, with_scored: Array, rest: bool, period: int) -> Array:
    """The numbers of one line, fitted or set by hand; zeros if no deal has such a hand."""
    if not products.any():
        return np.zeros(worth.WIDTH, int)
    by_hand = [by_hand_in(period, rest, *column) for column in COLUMNS]
    line = np.array([*[guess if hand is None else hand for guess, hand in zip(LINE, by_hand, strict=True)], *[0] * 4])
    free = np.flatnonzero([*[hand is None for hand in by_hand], *[True] * BESIDE])
    trust = np.diag([*[TRUST] * (len(free) - BESIDE), *[1.0] * BESIDE])
    missed = with_scored - products @ line
    line[free] += np.linalg.solve(products[np.ix_(free, free)] + trust, missed[free])
    return np.rint(line[: worth.WIDTH]).astype(int)


def by_hand_in(period: int, rest: bool, field: str, place: int) -> float | None:
    """A number that is set by hand; ``None`` where it is fitted.

    Without a stock only a complete flush or sequence is worth anything. The number of cards in hands mostly tells who
    will play the last card of all, which is worth much but no merit of the hand. So a card fewer costs only a little.
    """
    if place < NOTHING.get(field, 0):
        return 0
    if period:
        return None
    if field == "draw":
        return FEWER
    if field in ("suit", "row") and rest and place == 6:
        return GUESS[field][6]
    return 0 if field in ("suit", "suit_left", "row", "row_left") else None


@compiled
def look_at_matches(start: Ints, state: Ints, rng: Ints, order: Ints, numbers: Ints, rows: Ints, matches: int) -> int:
    """Play matches; at some turns note each side's points with the worth of its hands, and later the winner."""
    sides, noted = start[kernel.SIDES], 0
    width = sides + 1
    for _ in range(matches):
        copy(start, len(start), state, 0)
        first = noted
        while state[kernel.TO_ACT] >= 0:
            if state[kernel.TO_ACT] == 0:
                kernel.chance(state, rng, order)
                kernel.lay(state, order)
            if below(rng, LOOKS) == 0 and width * (noted + 1) < len(rows):
                kernel.standings(state, numbers, rows, width * noted)
                noted += 1
            kernel.play(state, kernel.by_worth(state, numbers))
        for side in range(sides):
            if state[kernel.SCORES + 1 + side] >= state[kernel.TARGET]:
                for number in range(first, noted):
                    rows[width * number + sides] = side
    return noted


def chances(numbers: Ints, rng: Ints) -> tuple[dict[tuple[int, int], float], int]:
    """The ``SPREADS`` and the ``REST`` under which the winners of matches are likeliest."""
    known = {}
    for seats, sides in worth.SPREADS:
        game = Zetema(seats, ZetemaRules(teams=sides < seats, three_sides=seats == 6 and sides == 3))
        rows, start = ints(MATCHES * 40 * (sides + 1)), kernel.new(game)
        noted = look_at_matches(start, ints(kernel.SIZE), rng, ints(65), numbers, rows, MATCHES)
        table = np.array(rows[: noted * (sides + 1)], float).reshape(noted, sides + 1)
        known[seats, sides] = table[:, :-1] / 100, table[:, -1].astype(int), game.target
    tried = []
    for rest in RESTS:
        best = {
            key: min((surprise(*table, factor, rest), factor) for factor in FACTORS) for key, table in known.items()
        }
        tried.append((sum(each for each, _ in best.values()), rest, {key: factor for key, (_, factor) in best.items()}))
    _, rest, spreads = min(tried, key=lambda found: found[0])
    return spreads, rest


def surprise(points: Array, winners: Array, target: int, spread: float, rest: float) -> float:
    """The mean negative log-likelihood of the winners."""
    odds = points / (spread * target * np.sqrt(np.maximum(0, target - points.max(1)) + rest))[:, None]
    odds -= odds.max(1, keepdims=True)
    return float((np.log(np.exp(odds).sum(1)) - odds[np.arange(len(winners)), winners]).mean())


def write(lines: list[Array], spreads: dict[tuple[int, int], float], rest: int) -> None:
    """Replace the numbers in the module."""
    half = worth.WIDTH // 2 + 1
    found = ["LINES = ("]
    for number, line in enumerate(lines):
        if number % 5 == 0:
            moment, many = ("before a turn" if number // 5 % 2 else "after laying"), number >= 10
            found.append(f"    # {moment}, where {'more' if many else 'two'} play, by period")
        numbers = [*map(str, line)]
        found += [f"    ({', '.join(numbers[:half])},", f"     {', '.join(numbers[half:])}),"]
    text = re.sub(r"^LINES = \(\n.*?^\)$", "\n".join([*found, ")"]), MODULE.read_text(), flags=re.M | re.S)
    text = re.sub(r"^SPREADS = .*$", f"SPREADS = {spreads}", text, flags=re.M)
    MODULE.write_text(re.sub(r"^REST = .*$", f"REST = {rest}", text, flags=re.M))


def main() -> None:
    """Fit as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="decides the cards (default: 1)")
    parser.add_argument("--deals", nargs="*", type=int, default=DEALS, help="of each round; none keeps the numbers")
    options = parser.parse_args()
    begun, rng = perf_counter(), seeded(Random(options.seed))
    lines = [*np.array(worth.LINES).tolist()]
    for half, seats in enumerate(TABLES):
        for number, deals in enumerate(options.deals):
            of_half = lines[10 * half : 10 * half + 10] if number else [LINE.astype(int).tolist()] * 10
            numbers = array(map(int, chain(*(of_half * 2))))
            lines[10 * half : 10 * half + 10] = [
                line.tolist() for line in chain(*fitted_to(numbers, seats, deals, rng))
            ]
            print(f"{seats} seats, round {number + 1}: {perf_counter() - begun:.0f} s", flush=True)
    spreads, rest = chances(array(map(int, chain(*lines))), rng)
    print(f"matches: {perf_counter() - begun:.0f} s")
    write(lines, spreads, rest)


if __name__ == "__main__":
    main()
