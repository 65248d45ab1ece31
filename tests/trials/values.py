"""Whether values of moves hold: within their errors, as matches come out, and with reasons."""

from collections.abc import Iterator
from math import isinf, sqrt
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from cardgames.bots import module_of, player
from cardgames.bots.review import standing, win_share
from cardgames.bots.thinking import CERTAINTY, Budget, Rating
from cardgames.engine.game import AnyGame, Observation, game_class, new_game
from cardgames.ui.table.hint import hint_from_ratings

MORE = 4
"""How many times the thinking a second look has."""
HELD = 0.9
"""The least share of values that lie within their errors at a second look."""
SAID = 0.95
"""The least share of hints with a reason, where a move is clearly worse than the best."""
APART = 3
"""One in so many choices of a match is looked at, on average."""
EACH = {"durak": 20, "truc": 60, "kakeya": 10, "fipsen": 8, "zetema": 25}
"""One in so many choices of a match has its value compared with the result, on average."""
BINS = 5
"""The number of parts of equal size in which values are compared with results."""
FEWEST = 30
"""The fewest positions from which a trial fails."""
REACH = 0.05
"""How far from what was said results may be, in units, beside the doubt of the measurement."""


class Share(NamedTuple):
    """The values that lie within the error said of them."""

    held: int
    of: int

    def __str__(self) -> str:
        doubt = CERTAINTY * sqrt(self.held * (self.of - self.held) / self.of**3)
        return f"{self.held} of {self.of} ({self.held / self.of:.1%} ± {doubt:.1%})"


class Errors(NamedTuple):
    """The figures of :func:`errors`."""

    game: str
    positions: int
    best: Share
    all: Share

    def __str__(self) -> str:
        return f"{self.game}, {self.positions} positions: best moves {self.best}, all moves {self.all} within the error"


def errors(game: str, positions: int, seed: int = 1, times: float = 1.0) -> Errors:
    """Rate positions with the work of ``strong``, or so many times that, and again with ``MORE``; count the values
    within the error said at first. Fails if too few are."""
    best: list[bool] = []
    every: list[bool] = []
    seats = game_class(game).SEATS
    for number, (played, _, o) in zip(range(positions), _positions(game, seats, seed), strict=False):
        first, again = [_rated(played, o, f"{number}/{times * more}", times * more) for more in (1, MORE)]
        later = {rating.action: rating.value for rating in again}
        held = [_holds(rating, later[rating.action]) for rating in first if not isinf(rating.error)]
        best += held[:1] if not isinf(first[0].error) else []
        every += held
    found = Errors(game, positions, *[Share(sum(held), len(held)) for held in (best, every)])
    assert min(share.held / share.of for share in (found.best, found.all)) >= HELD, str(found)
    return found


def _holds(rating: Rating, later: float) -> bool:
    return abs(later - rating.value) <= CERTAINTY * rating.error + 1e-9


def _rated(game: AnyGame, o: Observation, seed: str, times: float) -> tuple[Rating, ...]:
    module = module_of(game)
    budget = Budget(round(times * module.WORK["strong"]), thorough=True)
    ratings: tuple[Rating, ...] = module.thinker("strong", game).rate(o, Random(seed), budget)
    return ratings


def _positions(name: str, seats: tuple[int, ...], seed: int) -> Iterator[tuple[AnyGame, Any, Observation]]:
    """Choices in matches between players of ``fair``, each game with all its numbers of seats by turns."""
    rng = Random(seed)
    while True:
        for number in seats:
            yield from _choices(new_game(name, number), "fair", rng, APART * number)


def _choices(game: AnyGame, level: str, rng: Random, apart: int) -> Iterator[tuple[AnyGame, Any, Observation]]:
    """One in ``apart`` choices of a match, at most ten."""
    table = [player(level, game) for _ in range(game.seats)]
    state, left = game.start(), 10
    while left and (seat := game.to_act(state)) is not None:
        drawn = game.chance(state)
        if drawn:
            action = drawn.sample(rng)
        else:
            o = game.observation(state, seat)
            if len(o.legal) > 1 and rng.random() * apart < 1:
                left -= 1
                yield game, state, o
            action = table[seat - 1](o, rng)
        state = game.apply(state, action)


class Reasons(NamedTuple):
    """The figures of :func:`hints`."""

    game: str
    best: Share
    """The hints with a reason for the best move."""
    over: Share
    """The moves clearly worse than the best with a reason that does not hold for them."""

    def __str__(self) -> str:
        return f"{self.game}: {self.best} hints with a reason, {self.over} worse moves with a reason against them"


def hints(game: str, count: int, seed: int = 5) -> Reasons:
    """Give hints, with half of the work of ``strong``, until so many have a move that is clearly worse, and count the
    reasons. Fails if too few hints have one."""
    best: list[bool] = []
    over: list[bool] = []
    for number, (played, _, o) in enumerate(_positions(game, game_class(game).SEATS, seed)):
        hint = hint_from_ratings(played, o, _rated(played, o, str(number), 0.5))
        if hint.against:
            best.append(bool(hint.reasons))
            over += map(bool, hint.against.values())
        if len(best) == count:
            break
    found = Reasons(game, *[Share(sum(said), len(said)) for said in (best, over)])
    assert found.best.of < FEWEST or found.best.held >= SAID * found.best.of, str(found)
    return found


class Bin(NamedTuple):
    """The positions whose best moves were said to be worth about this much."""

    said: float
    came: float
    doubt: float
    """The half width of the 95 % interval of ``came``, with each match's positions as one sample."""
    positions: int

    def __str__(self) -> str:
        return f"{self.said:+.3f} said, {self.came:+.3f} ± {self.doubt:.3f} came ({self.positions})"


class Outcomes(NamedTuple):
    """The figures of :func:`outcomes`."""

    game: str
    seats: int
    all: Bin
    bins: tuple[Bin, ...]

    def __str__(self) -> str:
        return f"{self.game}, {self.seats} players: {self.all}; by what was said: {'; '.join(map(str, self.bins))}"


class Told(NamedTuple):
    """A value told in a match, and the result."""

    match: int
    said: float
    came: float


def outcomes(game: str, seats: int, positions: int, seed: int = 1, part: float = 0.25) -> Outcomes:
    """Compare the values of best moves in matches of ``strong`` computers, which play with ``part`` of their work,
    with the results. Fails if the mean or that of a bin is off beyond doubt."""
    told: list[Told] = []
    match = 0
    while len(told) < positions:
        told += _told(new_game(game, seats), match, Random(f"{seed}/{match}"), part)
        match += 1
    told.sort(key=lambda one: one.said)
    size = len(told) / BINS
    bins = [_bin(told[round(place * size) : round((place + 1) * size)]) for place in range(BINS)]
    found = Outcomes(game, seats, _bin(told), tuple(bins))
    judged = [each for each in (found.all, *bins) if each.positions >= FEWEST]
    assert all(abs(each.came - each.said) <= REACH + each.doubt for each in judged), str(found)
    return found


def _bin(told: list[Told]) -> Bin:
    said, came = fmean([one.said for one in told]), fmean([one.came for one in told])
    off = dict.fromkeys([one.match for one in told], 0.0)
    for one in told:
        off[one.match] += one.came - one.said - (came - said)
    return Bin(said, came, CERTAINTY * sqrt(sum([each * each for each in off.values()])) / len(told), len(told))


def _told(game: AnyGame, match: int, rng: Random, part: float) -> list[Told]:
    """The values told at some choices of a match, or of the first deal where points count, with the result."""
    module = module_of(game)
    by_deals = module.UNIT == "points"
    table = [module.thinker("strong", game) for _ in range(game.seats)]
    budget = max(1, round(part * module.WORK["strong"]))
    said: list[tuple[int, float]] = []
    state = game.start()
    while (seat := game.to_act(state)) is not None and not (by_deals and said and game.deal_over(state)):
        drawn = game.chance(state)
        if drawn:
            action = drawn.sample(rng)
        else:
            o = game.observation(state, seat)
            if len(o.legal) == 1:
                action = o.legal[0]
            elif rng.random() * EACH[game.NAME] < 1:
                best = _rated(game, o, f"{match}/{len(said)}", 1.0)[0]
                action = best.action
                if not isinf(best.error):
                    said.append((seat, best.value))
            else:
                action = table[seat - 1].choose(o, rng, Budget(budget))
        state = game.apply(state, action)
    end = game.outcome(state)
    return [
        Told(
            match, value, standing(game, state, seat) if by_deals else win_share(game, end.winners if end else (), seat)
        )
        for seat, value in said
    ]
