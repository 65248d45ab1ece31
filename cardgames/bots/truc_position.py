"""Where a hand of Truc stands in the table of the equilibrium, by what one seat knows of it."""

from collections import Counter
from collections.abc import Hashable
from math import comb, prod
from typing import NamedTuple

from cardgames.bots.truc_equilibrium import Part, part_at
from cardgames.bots.truc_odds import Strengths, hands
from cardgames.bots.truc_strength import strength_of
from cardgames.bots.truc_table import GOAL, LEVELS, Accepted, Laid, group_of, paths
from cardgames.engine.truc import HAND, TrucObservation
from cardgames.engine.truc_tables import ANSWER_DOUBLE, ANSWER_REMAINDER, PLAY, TURN

SLIP = 1e-6
"""How likely it is that somebody does what the table never does: it only counts where nothing else can have been."""


class Position(NamedTuple):
    """A choice of one seat."""

    seat: int
    """Whose it is: 0 the non-dealer's, 1 the dealer's."""
    part: Part
    """The strategies for the points of both."""
    phase: str
    laid: Laid
    held: Strengths
    played: Strengths
    """The cards that this seat has played."""
    shown: Strengths
    """The cards that the other has played."""
    aside: Strengths
    """The cards that this seat has laid aside in exchanges."""
    proposers: tuple[int, ...]
    """The seats whose proposals were accepted, in order."""

    @property
    def turn(self) -> int:
        """The turn that it is."""
        return len(self.laid) + 1

    def paths(self) -> list[Accepted]:
        """The turns on which the proposals can have been made."""
        group = group_of(self.laid)
        if self.phase != PLAY:
            return list(paths(self.proposers, self.turn - 1, group))
        found = list(paths(self.proposers, self.turn, group))
        if self.part.level(found[0], group) == LEVELS:
            return found
        return [path for path in found if path[-1] == self.turn]  # only a proposal of this turn rules out another

    def shares(self, path: Accepted) -> tuple[float, ...]:
        """How likely each legal action is in the table, in their order."""
        part, laid, held = self.part, self.laid, self.held
        if self.phase == TURN:
            return part.proposes(path, laid, held)
        if self.phase == PLAY:
            return part.plays(path, laid, held)
        accepted = part.accepts(path, laid, held)
        return accepted, 1 - accepted

    def reach(self, path: Accepted, slip: float = 0.0) -> float:
        """How likely this seat would have come here on a path."""
        hand = tuple(sorted((*self.held, *self.played), reverse=True))
        chance = self.part.reach(self.seat, path, self.laid, hand, slip)
        if chance and self._proposed_now(path):
            chance *= max(self.part.proposes(path[:-1], self.laid, self.held)[-1], slip)
        return chance

    def others(self, path: Accepted) -> dict[Strengths, float]:
        """What the other can hold, and how likely each of these hands was dealt, and then played as it was."""
        gone = Counter([*self.held, *self.aside, *self.laid])
        found = {}
        for held, _ in hands(HAND - len(self.shown)):
            ways = prod([comb(4 - gone[card], number) for card, number in Counter(held).items()])
            if ways:
                found[held] = ways * self._reach_of(held, path)
        return found

    def _reach_of(self, held: Strengths, path: Accepted) -> float:
        """How likely the other would have come here with these cards."""
        hand = tuple(sorted((*held, *self.shown), reverse=True))
        chance = self.part.reach(1 - self.seat, path, self.laid, hand, SLIP)
        if self._proposed_now(path):
            return chance * max(self.part.accepts(path[:-1], self.laid, held), SLIP)
        if self.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
            return chance * max(self.part.proposes(path, self.laid, held)[-1], SLIP)
        return chance

    def _proposed_now(self, path: Accepted) -> bool:
        """Whether it was proposed on this turn, and accepted."""
        return self.phase == PLAY and path[-1:] == (self.turn,)


def position(o: TrucObservation) -> Position | None:
    """Where the table has this choice; nowhere if more points are to be won than it knows of."""
    scores = [points + GOAL - o.goal for points in o.scores]
    if min(scores) < 0:
        return None
    strong = strength_of(o)
    plays = [(seat, strong(card)) for trick in o.tricks for seat, card in trick.plays]
    accepted = [*o.doubled, *([o.remainder] if o.remainder else [])]
    return Position(
        int(o.seat == o.dealer),
        part_at((scores[2 - o.dealer], scores[o.dealer - 1])),
        o.phase,
        tuple([card for _, card in plays]),
        strong.of(o.hand),
        tuple([card for seat, card in plays if seat == o.seat]),
        tuple([card for seat, card in plays if seat != o.seat]),
        strong.of(o.laid_aside),
        tuple([int(seat == o.dealer) for seat in accepted]),
    )


class Memory:
    """When the proposals of a hand were made, as far as its choices have told."""

    def __init__(self) -> None:
        self._hand: Hashable = None
        self._known: list[tuple[int, int]] = []
        """So many proposals had been accepted before such a turn."""

    def keep(self, o: TrucObservation, here: Position) -> None:
        """Take notice of an observation."""
        hand = (o.rounds, o.scores, o.dealer, o.laid_aside, o.stock, tuple(sorted((*here.held, *here.played))))
        if hand != self._hand or (self._known and self._known[-1][0] > here.turn):
            self._hand, self._known = hand, []
        if here.phase != PLAY:
            self._known.append((here.turn, len(here.proposers)))

    def fits(self, path: Accepted) -> bool:
        """Whether a path agrees with it."""
        return all(sum([one < turn for one in path]) == number for turn, number in self._known)
