"""Whether values of moves hold: within their errors, as matches come out, and with reasons."""

from collections.abc import Iterator
from math import isinf, sqrt
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from cardgames.bots import module_of, player
from cardgames.bots.review import LEAST_COSTS, standing, win_share
from cardgames.bots.thinking import CERTAINTY, Budget, Rating
from cardgames.engine.game import Action, AnyGame, Observation, game_class, new_game
from cardgames.layout import layout_of
from cardgames.ui.table.hint import MOST_DOUBT, Hint, hint_from_ratings

MORE = 4
"""How many times the thinking a second look has."""
HELD = 0.9
"""The least share of values and differences that lie within their doubts at a second look."""
SAID = 0.95
"""The least share of hints with a reason, where a move is clearly worse than the best."""
STARTS = 0.9
"""The least share of moves at the start of the pointer that a hint does not call an error, auctions aside."""
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

    @property
    def doubt(self) -> float:
        """Half the width of the 95 % interval of the share."""
        return CERTAINTY * sqrt(self.held * (self.of - self.held) / self.of**3)

    def __str__(self) -> str:
        return f"{self.held} of {self.of} ({self.held / self.of:.1%} ± {self.doubt:.1%})"


class Errors(NamedTuple):
    """The figures of :func:`errors`."""

    game: str
    positions: int
    values: Share
    """The values of the moves that hints name first."""
    leads: Share
    """The differences between the moves named first and the other moves."""
    best_leads: Share
    """The same, of the best other move alone."""
    shown: Share
    """The differences whose doubt is small enough to be shown."""
    contradictions: int
    """The pairs of hints, from different seeds, in which each other's move is called worse."""

    def __str__(self) -> str:
        held = f"values {self.values}, differences {self.leads}, from the next best {self.best_leads}"
        shown = f"{self.shown.held} of {self.shown.of} differences shown"
        return f"{self.game}, {self.positions} positions: {held}; {shown}; {self.contradictions} contradictions"


def errors(game: str, positions: int, seed: int = 1, times: float = 1.0) -> Errors:
    """Give hints with the work of ``strong``, or so many times that, and again with another seed and with ``MORE``.

    Counts the values and differences of the first hint that lie within its doubt at the last. Fails if too few do, or
    if the first two hints contradict each other."""
    held: tuple[list[bool], ...] = ([], [], [], [])
    contradictions = 0
    seats = game_class(game).SEATS
    for number, (played, _, o) in zip(range(positions), _positions(game, seats, seed), strict=False):
        hints = [
            hint_from_ratings(played, o, _rated(played, o, f"{number}/{name}", times * more))
            for name, more in (("first", 1), ("second", 1), ("more", MORE))
        ]
        (first, *others), later = hints[0].ratings, {rating.action: rating for rating in hints[2].ratings}
        held[0].extend(_holds(first, later[first.action].value) for _ in range(not isinf(first.error)))
        pairs = [(first.lead(other), later[first.action].lead(later[other.action])) for other in others]
        known = [(lead, then) for lead, then in pairs if not isinf(lead.error)]
        within = [abs(then.value - lead.value) <= lead.doubt + 1e-9 for lead, then in known]
        held[1].extend(within)
        held[2].extend(within[:1])
        held[3].extend(lead.doubt <= MOST_DOUBT[hints[0].unit] for lead, _ in pairs)
        contradictions += contradict(*hints[:2])
    values, leads, best_leads, shown = [Share(sum(each), len(each)) for each in held]
    found = Errors(game, positions, values, leads, best_leads, shown, contradictions)
    judged = [share for share in (values, leads, best_leads) if share.of >= FEWEST]
    assert all(share.held / share.of >= HELD for share in judged), str(found)
    assert not contradictions, str(found)
    return found


def contradict(one: Hint, other: Hint) -> bool:
    """Whether each of two hints calls the other's move worse."""
    return other.ratings[0].action in one.against and one.ratings[0].action in other.against


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


class Starts(NamedTuple):
    """The figures of :func:`starts`."""

    game: str
    right: Share
    """The moves at which the pointer starts that a hint does not call an error."""
    calls: Share
    """The same of calls in auctions, which commit a seat: a start there may risk less than the best call."""

    def __str__(self) -> str:
        calls = f"; in auctions {self.calls}" if self.calls.of else ""
        return f"{self.game}: the pointer starts at no error in {self.right}{calls}"


def starts(game: str, positions: int, seed: int = 3) -> Starts:
    """Give hints with the work of ``strong``, and count those that call the move at which the pointer starts an error:
    worse by the least of an inaccuracy. Fails if too many do, beyond doubt."""
    right: dict[bool, list[bool]] = {False: [], True: []}
    for number, (played, _, o) in zip(range(positions), _positions(game, game_class(game).SEATS, seed), strict=False):
        start = _start(played, o)
        if start:
            hint = hint_from_ratings(played, o, _rated(played, o, str(number), 1.0))
            rating = next(rating for rating in hint.ratings if rating.action == start)
            costs = hint.ratings[0].lead(rating).value >= LEAST_COSTS[hint.unit][0]
            right[o.phase == played.AUCTION].append(not (costs and start in hint.against))
    found = Starts(game, *[Share(sum(each), len(each)) for each in right.values()])
    judged = found.right
    assert judged.of < FEWEST or judged.held / judged.of + judged.doubt >= STARTS, str(found)
    return found


def _start(game: AnyGame, observation: Observation) -> Action | None:
    """The move at which the pointer starts, or ``None`` if it starts at a further question."""
    question = layout_of(game.NAME).question(observation)
    if question.preselected is None and not question.further and not question.picks:
        return question.actions[0]
    return question.preselected if isinstance(question.preselected, Action) else None


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
