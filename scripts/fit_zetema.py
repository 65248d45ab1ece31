"""Fit the worth of hands at Zetema to deals, and write the weights into ``cardgames/kernels/zetema_worth.json``.

    .venv/bin/pip install numba                            which the program itself does without
    .venv/bin/python scripts/fit_zetema.py                 48,000 deals and 21,000 matches

The first deals are played by guessed weights, those of each later round by the weights fitted to the round before. The
worth of a hand is the points that its owner still scores in the deal, minus the mean of the opponents' points. It is
fitted to hands after a turn, and to hands before a turn minus the opponents' hands. Sometimes a player makes a random
move, so that the deals also have hands that nobody would keep.

Last, `SPREADS` and `REST`, by which an advantage becomes a probability of winning, are fitted to matches played by
these weights: they get the values under which the winners are likeliest.
"""

import argparse
import json
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

TABLE = Path(__file__).parent.parent / "cardgames/kernels/zetema_worth.json"

DEALS = (4_000, 4_000, 16_000)
"""The number of deals in each round. Only the weights fitted to the last round are kept."""
TABLES = ((2,), (3, 4, 6))
"""The numbers of seats whose games share tables of weights, and are fitted together."""
RANDOM_MOVES, RANDOM_FOR_MARRIAGES = 50, 250
"""The number in 1,000 of moves without points, and of marriages, that are replaced by laying a random card."""
ENDLESS = 10**9
"""A target that no match reaches, so that every deal is played to its end."""
TRUST = 500.0
"""A guess counts as much as this number of hands, so a weight with few hands stays near its guess."""

MATCHES = 3_000
"""The number of matches played for each number of seats and sides."""
LOOK_INTERVAL = 40
"""The points are recorded on one turn in ``LOOK_INTERVAL``, chosen at random."""
RESTS = (10, 20, 30, 40, 50, 60)
FACTORS = tuple([round(0.006 + 0.0005 * step, 4) for step in range(25)])
"""The values tried for `REST` and for `SPREADS`."""

GUESS = {
    "suit": (0, 0, 100, 300, 800, 2000, 3000), "suit_left": (0,) * 7, "row": (0, 0, 0, 0, 100, 1000, 2000),
    "row_left": (100,), "pairs": (0, 800, 2200, 3700, 6200, 9700), "waiting": (0, 400, 800, 1000, 1100), "both": (200,),
    "spades": (0, 1000, 1000), "fifth": (70,), "last_two": (60,), "fourth": (10,), "open": (-30,), "draw": (200,),
}  # fmt: skip
"""The weights by which the first deals are played, and towards which the fit is drawn."""

NOTHING = {"suit": 2, "suit_left": 2, "row": 3, "pairs": 1, "waiting": 1, "spades": 1}
"""The number of weights at the start of a field that are 0. Its later weights are relative to them."""
FEWER = -200
"""The worth of each missing card of a hand, without a stock."""

LINE = np.array([*chain(*GUESS.values())], float)
COLUMNS = [(field, place) for field, count in worth.FIELDS.items() for place in range(count)]
BESIDE = 4
"""The number of further features: a constant, the opponents' cards, the stock, and without a stock the cards of the
hand."""
FEATURES = worth.WIDTH + BESIDE
HEAD = 4
"""The number of ints before the features of a recorded hand: table, period, owner, and the owner's lead so far."""
MOST_HANDS = 400

Array: TypeAlias = Any


@compiled
def add_features(state: Ints, seat: int, sign: int, unit: Ints, rows: Ints, at: int) -> None:
    """Add ``sign`` times a hand's features to the row at ``at``. A feature is the hand's worth by one weight of 1.

    ``unit`` is working memory of zeros."""
    for column in range(worth.WIDTH):
        unit[column] = 1
        rows[at + HEAD + column] += sign * kernel.hand_worth(state, seat, unit, 0)
        unit[column] = 0


@compiled
def begin_row(state: Ints, seat: int, table: int, stock: int, unit: Ints, rows: Ints, at: int) -> None:
    """Write the features of a seat's hand to ``rows``, at ``at``. All are multiplied by the number of opponents.

    The later result is not known yet: the lead so far stands in its place."""
    seats = state[kernel.SEATS]
    for place in range(at, at + HEAD + FEATURES):
        rows[place] = 0
    rows[at] = table
    rows[at + 1] = worth.weights_index(stock, seats) % worth.MOMENT // worth.WIDTH
    rows[at + 2] = seat
    rows[at + 3] = lead(state, seat)
    others = mine = 0
    for other in range(1, seats + 1):
        held = popcount(state[kernel.HANDS + other]) + popcount(state[kernel.TWINS + other])
        mine = held if other == seat else mine
        others += 0 if other == seat else held
    add_features(state, seat, seats - 1, unit, rows, at)
    beside = at + HEAD + worth.WIDTH
    rows[beside] = seats - 1
    rows[beside + 1] = others
    rows[beside + 2] = stock * (seats - 1) // seats
    rows[beside + 3] = 0 if stock else mine * (seats - 1)


@compiled
def lead(state: Ints, seat: int) -> int:
    """The points of a seat times the number of its opponents, minus the opponents' points."""
    total = 0
    for side in range(state[kernel.SIDES]):
        total += state[kernel.SCORES + 1 + side]
    return state[kernel.SCORES + seat] * state[kernel.SEATS] - total  # type: ignore[no-any-return]


@compiled
def play_deal(
    state: Ints, after_move: Ints, rng: Ints, order: Ints, out: Ints, weights: Ints, unit: Ints, rows: Ints, width: int
) -> int:
    """Play a deal to its end by ``weights``, and record hands in ``rows``; return their number.

    A row has ``width`` ints. ``after_move``, ``order``, ``out`` and ``unit`` are working memory."""
    kernel.chance(state, rng, order)
    kernel.apply_chance(state, order)
    seats, count = state[kernel.SEATS], 0
    while state[kernel.TO_ACT]:
        seat = state[kernel.TO_ACT]
        stock = 65 - state[kernel.DRAWN]
        if seat == 1:
            begin_row(state, seat, 1, stock, unit, rows, width * count)
            for other in range(2, seats + 1):
                add_features(state, other, -1, unit, rows, width * count)
            count += 1
        move = kernel.by_worth(state, weights)
        copy(state, len(state), after_move, 0)
        kernel.play(after_move, move)
        points = after_move[kernel.SCORES + seat] - state[kernel.SCORES + seat]
        if below(rng, 1000) < (RANDOM_FOR_MARRIAGES if move >= kernel.MARRY else 0 if points else RANDOM_MOVES):
            kernel.moves(state, out)  # the moves that play a card come first
            move = out[below(rng, popcount(state[kernel.HANDS + seat]))]
        copy(state, len(state), after_move, 0)
        after_move[kernel.DRAWN] = 65  # to see the hand before a card is drawn
        kernel.play(after_move, move)
        if after_move[kernel.TO_ACT]:
            begin_row(after_move, seat, 0, stock, unit, rows, width * count)
            count += 1
        kernel.play(state, move)
    for number in range(count):
        at = width * number
        rows[at + 3] = lead(state, rows[at + 2]) - rows[at + 3]
    return count


def fit_tables(weights: Ints, seats: tuple[int, ...], deals: int, rng: Ints) -> list[list[Array]]:
    """Play deals by ``weights``; return the lines of both tables, fitted to these deals."""
    width = HEAD + FEATURES
    sums = {(table, period): (np.zeros((FEATURES,) * 2), np.zeros(FEATURES)) for table in (0, 1) for period in range(5)}
    rows, unit, after_move = ints(width * MOST_HANDS), ints(worth.WIDTH), ints(kernel.SIZE)
    order, out = ints(kernel.MOST_ITEMS), ints(kernel.MOST_MOVES)
    for number in range(deals):
        game = Zetema(seats[number % len(seats)], ZetemaRules())
        state = kernel.encode(game, game.start())
        state[kernel.TARGET] = ENDLESS
        count = play_deal(state, after_move, rng, order, out, weights, unit, rows, width)
        hands = np.array(rows[: width * count], float).reshape(count, width)
        for key, (products, with_scored) in sums.items():
            of_key = hands[(hands[:, 0] == key[0]) & (hands[:, 1] == key[1])]
            result, scored = of_key[:, HEAD:] / (game.seats - 1), 100 * of_key[:, 3] / (game.seats - 1)
            products += result.T @ result
            with_scored += result.T @ scored
    return [[fit_line(*sums[table, period], bool(table), period) for period in range(5)] for table in (0, 1)]


def fit_line(products: Array, with_scored: Array, before_turn: bool, period: int) -> Array:
    """Return the weights of one line, fitted or set by hand; zeros if no deal has such a hand."""
    if not products.any():
        return np.zeros(worth.WIDTH, int)
    by_hand = [weight_by_hand(period, before_turn, *column) for column in COLUMNS]
    line = np.array(
        [*[guess if each is None else each for guess, each in zip(LINE, by_hand, strict=True)], *[0] * BESIDE]
    )
    free = np.flatnonzero([*[each is None for each in by_hand], *[True] * BESIDE])
    trust = np.diag([*[TRUST] * (len(free) - BESIDE), *[1.0] * BESIDE])
    residual = with_scored - products @ line
    line[free] += np.linalg.solve(products[np.ix_(free, free)] + trust, residual[free])
    return np.rint(line[: worth.WIDTH]).astype(int)


def weight_by_hand(period: int, before_turn: bool, field: str, place: int) -> float | None:
    """A weight that is set by hand; ``None`` if it is fitted.

    Without a stock only a complete flush or sequence has worth. The number of cards in a hand mostly decides who plays
    the last card of all, which is worth much but is no merit of the hand, so a missing card costs only a little."""
    if place < NOTHING.get(field, 0):
        return 0
    if period:
        return None
    if field == "draw":
        return FEWER
    if field in ("suit", "row") and before_turn and place == 6:
        return GUESS[field][6]
    return 0 if field in ("suit", "suit_left", "row", "row_left") else None


@compiled
def record_matches(start: Ints, state: Ints, rng: Ints, order: Ints, weights: Ints, rows: Ints, matches: int) -> int:
    """Play matches; on some turns record each side's points plus the worth of its hands, and later the winner.

    Return the number of rows."""
    sides, count = start[kernel.SIDES], 0
    width = sides + 1
    for _ in range(matches):
        copy(start, len(start), state, 0)
        first = count
        while state[kernel.TO_ACT] >= 0:
            if state[kernel.TO_ACT] == 0:
                kernel.chance(state, rng, order)
                kernel.apply_chance(state, order)
            if below(rng, LOOK_INTERVAL) == 0 and width * (count + 1) < len(rows):
                kernel.standings(state, weights, rows, width * count)
                count += 1
            kernel.play(state, kernel.by_worth(state, weights))
        for side in range(sides):
            if state[kernel.SCORES + 1 + side] >= state[kernel.TARGET]:
                for number in range(first, count):
                    rows[width * number + sides] = side
    return count


def fit_odds(weights: Ints, rng: Ints) -> tuple[dict[tuple[int, int], float], int]:
    """Play matches; return the ``SPREADS`` and the ``REST`` under which their winners are likeliest."""
    known = {}
    for seats, sides in worth.SPREADS:
        game = Zetema(seats, ZetemaRules(teams=sides < seats, three_sides=seats == 6 and sides == 3))
        rows, start = ints(MATCHES * 40 * (sides + 1)), kernel.encode(game, game.start())
        count = record_matches(start, ints(kernel.SIZE), rng, ints(65), weights, rows, MATCHES)
        table = np.array(rows[: count * (sides + 1)], float).reshape(count, sides + 1)
        known[seats, sides] = table[:, :-1] / 100, table[:, -1].astype(int), game.target
    tried = []
    for rest in RESTS:
        total, spreads = 0.0, {}
        for key, table in known.items():
            least, spreads[key] = min((surprise(*table, factor, rest), factor) for factor in FACTORS)
            total += least
        tried.append((total, rest, spreads))
    _, rest, spreads = min(tried, key=lambda result: result[0])
    return spreads, rest


def surprise(points: Array, winners: Array, target: int, spread: float, rest: float) -> float:
    """The mean negative log-likelihood of the winners if the odds follow from ``spread`` and ``rest``."""
    odds = points / (spread * target * np.sqrt(np.maximum(0, target - points.max(1)) + rest))[:, None]
    odds -= odds.max(1, keepdims=True)
    return float((np.log(np.exp(odds).sum(1)) - odds[np.arange(len(winners)), winners]).mean())


def write(lines: list[Array], spreads: dict[tuple[int, int], float], rest: int) -> None:
    """Write ``SPREADS`` and ``REST``, and the weights, a set a line."""
    odds, rows = json.dumps([[*key, spread] for key, spread in spreads.items()]), ",\n".join(map(str, lines))
    TABLE.write_text(f'{{"spreads": {odds}, "rest": {rest}, "weights": [\n{rows}\n]}}\n')


def main() -> None:
    """Fit with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="decides the cards (default: 1)")
    parser.add_argument("--deals", nargs="*", type=int, default=DEALS, help="of each round; none keeps the numbers")
    options = parser.parse_args()
    start, rng = perf_counter(), seeded(Random(options.seed))
    lines = np.array(worth.WEIGHTS).reshape(-1, worth.WIDTH).tolist()
    for half, seats in enumerate(TABLES):
        places = slice(10 * half, 10 * half + 10)
        for number, deals in enumerate(options.deals):
            lines_of_half = lines[places] if number else [LINE.astype(int).tolist()] * 10
            weights = array(map(int, chain(*lines_of_half, *lines_of_half)))
            lines[places] = [line.tolist() for line in chain(*fit_tables(weights, seats, deals, rng))]
            print(f"{seats} seats, round {number + 1}: {perf_counter() - start:.0f} s", flush=True)
    spreads, rest = fit_odds(array(map(int, chain(*lines))), rng)
    print(f"matches: {perf_counter() - start:.0f} s")
    write(lines, spreads, rest)


if __name__ == "__main__":
    main()
