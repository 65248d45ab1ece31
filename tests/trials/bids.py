"""How often the bids of Fipsen are made that ``strong`` players say they will make."""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import fipsen
from cardgames.bots.thinking import Budget
from cardgames.engine.game import Action, AnyGame, new_game

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.001)
REACH = 0.05
"""How far from what was said the bids of a bin may be made, beside the doubt of the measurement."""


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
