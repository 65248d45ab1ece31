"""How often bids and contracts of Fipsen are made, beside what ``strong`` players and hints say."""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import fipsen, player
from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.fipsen_bids import worth
from cardgames.engine.game import Action, AnyGame, new_game

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.001)
REACH = 0.05
"""How far from what was said the bids of a bin may be made, beside the doubt of the measurement."""


APART = 4
"""One in so many choices after an auction is looked at, on average."""
FEWEST = 30
"""The fewest deals from which the trial of contracts fails."""


class Bin(NamedTuple):
    """The deals that were said to be made with about this chance."""

    said: float
    made: float
    deals: int

    @property
    def doubt(self) -> float:
        """The half width of the 95 % interval of ``made``, if what was said is true; half a deal for whole numbers."""
        return 1.96 * sqrt(self.said * (1 - self.said) / self.deals) + 0.5 / self.deals

    def __str__(self) -> str:
        return f"{self.said:.0%} said, {self.made:.1%} ± {self.doubt:.1%} made ({self.deals})"


class Bids(NamedTuple):
    """The figures of the trial."""

    seats: int
    all: Bin
    bins: tuple[Bin, ...]

    def __str__(self) -> str:
        return f"{self.seats} players: {self.all}; by what was said: {'; '.join(map(str, self.bins))}"


class Contracts(NamedTuple):
    """The figures of :func:`contracts`, as declarer and as opponents saw it."""

    seats: int
    declarer: Bin
    opponents: Bin

    def __str__(self) -> str:
        return f"{self.seats} players: declarer {self.declarer}; opponents {self.opponents}"


def trial(seats: int, deals: int, work: int) -> Bids:
    """Play so many deals among ``strong`` players with so much work a choice; fails if a figure is off beyond doubt."""
    told = list(_told(seats, deals, work))
    bins = []
    for low, high in pairwise(BINS):
        here = [one for one in told if low <= one[0] < high]
        if here:
            bins.append(_bin(here))
    found = Bids(seats, _bin(told), tuple(bins))
    assert all(abs(each.made - each.said) <= REACH + each.doubt for each in (found.all, *bins)), str(found)
    return found


def _bin(told: list[tuple[float, bool]]) -> Bin:
    number = len(told)
    return Bin(sum([said for said, _ in told]) / number, sum([made for _, made in told]) / number, number)


def _told(seats: int, deals: int, work: int) -> Iterator[tuple[float, bool]]:
    """For each deal, the chance that declarer saw with the last word of the auction, and whether it came true."""
    game = new_game("fipsen", seats, {"deals": 1})
    for number in range(deals):
        table = [Telling(game, work) for _ in range(seats)]
        rng = Random(number)
        state = game.start()
        while (seat := game.to_act(state)) is not None:
            drawn = game.chance(state)
            action = drawn.sample(rng) if drawn else table[seat - 1](game.observation(state, seat), rng)
            state = game.apply(state, action)
        for telling, points in zip(table, game.scores(state), strict=True):
            if points and telling.chance is not None:
                yield telling.chance, points > 0


def contracts(seats: int, positions: int, work: int, seed: int = 0) -> Contracts:
    """Play so many deals among ``fair`` players, and in each say at one choice after the auction, from its best move,
    how likely the contract is made. Fails if the mean of either side is off beyond doubt."""
    said: dict[bool, list[tuple[float, bool]]] = {True: [], False: []}
    number = seed * 1_000_000
    while sum(map(len, said.values())) < positions or not all(said.values()):
        number += 1
        for declares, chance, made in _said_after_the_auction(seats, work, Random(number)):
            said[declares].append((chance, made))
    found = Contracts(seats, _bin(said[True]), _bin(said[False]))
    judged = [each for each in (found.declarer, found.opponents) if each.deals >= FEWEST]
    assert all(abs(each.made - each.said) <= REACH + each.doubt for each in judged), str(found)
    return found


def _said_after_the_auction(seats: int, work: int, rng: Random) -> Iterator[tuple[bool, float, bool]]:
    """At most one choice of a deal: whether declarer had it, the chance said, and whether the contract was made."""
    game = new_game("fipsen", seats, {"deals": 1})
    table = [player("fair", game) for _ in range(seats)]
    rater = fipsen.FipsenGuesser(game)  # type: ignore[arg-type]
    chance, by, declarer = -1.0, 0, 0
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        drawn = game.chance(state)
        o: Any = None if drawn else game.observation(state, seat)
        if drawn:
            action = drawn.sample(rng)
        elif chance < 0 and o.phase not in ("bid", "stop") and len(o.legal) > 1 and rng.random() * APART < 1:
            best = rater.rate(o, rng, Budget(work, thorough=True))[0]
            action, by, declarer = best.action, seat, o.declarer
            if action.kind != "sevens":
                chance = _chance_said(o, best, seats)
        else:
            action = table[seat - 1](o, rng)
        state = game.apply(state, action)
    if chance >= 0:
        yield by == declarer, chance, game.scores(state)[declarer - 1] > 0


def _chance_said(o: Any, best: Rating, seats: int) -> float:
    """The chance that declarer makes the contract after the best move, as its value has it."""
    if o.phase != "play":
        return fipsen.contract_probability(o, best) or 0.0
    made, lost = worth(o.contract)
    share = 1.0 if o.seat == o.declarer else -1.0 / (seats - 1)
    return (best.value / share - lost) / (made - lost)


class Telling:
    """A ``strong`` player who keeps the chance that it saw when it last made or held a bid."""

    def __init__(self, game: AnyGame, work: int) -> None:
        self._guesser, self._work = fipsen.FipsenGuesser(game), work  # type: ignore[arg-type]
        self.chance: float | None = None

    def __call__(self, o: Any, rng: Random) -> Action:
        """The action that it chooses."""
        if len(o.legal) == 1:
            return o.legal[0]  # type: ignore[no-any-return]
        if o.phase == "bid" and o.legal[-1].kind != "sevens":
            best = self._guesser.rate(o, rng, Budget(self._work))[0]
            if best.action.kind in ("bid", "hold"):
                self.chance = fipsen.contract_probability(o, best)
            return best.action
        return self._guesser.choose(o, rng, Budget(self._work))
