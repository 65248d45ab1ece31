"""The player that keeps to the table of the equilibrium: ``strong``, as long as no more points are to be won.

It finds its choice in the table by what its seat knows, plays each action as often as the table says, and rates actions
by what they bring against somebody who plays by the table. The words are those of ``truc_equilibrium_table``.
"""

from collections.abc import Hashable, Sequence
from math import inf
from random import Random
from typing import NamedTuple

from cardgames.bots.thinking import Budget, Rater, Rating
from cardgames.bots.truc_best_response import BestResponse
from cardgames.bots.truc_equilibrium_table import GOAL, Accepted, Laid, StrategyPart, group_of, part_for, paths_of
from cardgames.bots.truc_odds import Strengths, hands, strength_of, ways
from cardgames.bots.truc_standing import TrucStanding
from cardgames.engine.game import Action
from cardgames.engine.truc import (
    ANSWER_DOUBLE,
    ANSWER_EXCHANGE,
    ANSWER_REMAINDER,
    EXCHANGE,
    HAND,
    PLAY,
    TURN,
    TrucObservation,
)

FINER = (0.3, 0.1, 0.01, 0.001)
"""The least likelihood of what is looked at when actions are rated: twice roughly, then finer while there is time."""

DOUBT = 0.003
"""How far the worth of an action, a chance to win the round, may be from that in a true equilibrium."""

SILLY = 0.05
"""An action that costs so much of the chance to win the round is left to nobody's luck."""

STRAYED = 0.01
"""If the hands with which the table would have led the other here weigh less than this, it was not followed: each
counts in how many ways it can be dealt, times how likely the table does with it what was done."""

SLIP = 1e-6
"""How likely it is that somebody does what the table never does: it only counts where nothing else can have been."""


class InformationSet(NamedTuple):
    """A choice of one seat with all that this seat knows."""

    seat: int
    """0 the non-dealer, 1 the dealer."""
    part: StrategyPart
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
    """The seats whose proposals were accepted, in order, up to where the hand decides the round."""
    remainder: bool
    """Whether one was accepted."""

    @property
    def turn(self) -> int:
        """The turn that it is."""
        return len(self.laid) + 1

    def paths(self) -> list[Accepted]:
        """The turns on which the proposals can have been made."""
        group = group_of(self.laid)
        if self.phase != PLAY:
            return list(paths_of(self.proposers, self.turn - 1, group))
        found = list(paths_of(self.proposers, self.turn, group))
        if self.remainder:
            return found
        return [path for path in found if path[-1] == self.turn]  # only a proposal of this turn rules out another

    def shares(self, path: Accepted) -> tuple[float, ...]:
        """How likely each legal action is in the table, in their order."""
        part, laid, held = self.part, self.laid, self.held
        if self.phase == TURN:
            return part.proposes(path, laid, held)
        if self.phase == PLAY:
            return part.plays(path, laid, held)
        accepted = part.acceptance(path, laid, held)
        return accepted, 1 - accepted

    def reach(self, path: Accepted, slip: float = 0.0) -> float:
        """How likely this seat would have come here on a path."""
        hand = tuple(sorted((*self.held, *self.played), reverse=True))
        chance = self.part.reach(self.seat, path, self.laid, hand, slip)
        if chance and self._proposed_now(path):
            chance *= max(self.part.proposes(path[:-1], self.laid, self.held)[-1], slip)
        return chance

    def others(self, path: Accepted) -> dict[Strengths, float]:
        """The hands that the other can hold, and how likely each was dealt, and then played as it was."""
        number, seen = HAND - len(self.shown), tuple(sorted((*self.held, *self.aside, *self.laid)))
        each = zip(hands(number), ways(number, seen), strict=True)
        return {held: often * self._reach_of(held, path) for held, often in each if often}

    def _reach_of(self, held: Strengths, path: Accepted) -> float:
        """How likely the other would have come here with these cards."""
        hand = tuple(sorted((*held, *self.shown), reverse=True))
        chance = self.part.reach(1 - self.seat, path, self.laid, hand, SLIP)
        if self._proposed_now(path):
            return chance * max(self.part.acceptance(path[:-1], self.laid, held), SLIP)
        if self.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
            return chance * max(self.part.proposes(path, self.laid, held)[-1], SLIP)
        return chance

    def _proposed_now(self, path: Accepted) -> bool:
        """Whether it was proposed on this turn, and accepted."""
        return self.phase == PLAY and path[-1:] == (self.turn,)


def information_set(o: TrucObservation) -> InformationSet | None:
    """The choice of this observation, in the words of the table; ``None`` if it knows no such scores."""
    scores = [points + GOAL - o.goal for points in o.scores]
    if min(scores) < 0:
        return None
    strong = strength_of(o)
    plays = [(seat, strong(card)) for trick in o.tricks for seat, card in trick.plays]
    part = part_for((scores[2 - o.dealer], scores[o.dealer - 1]))
    accepted = [*o.doubled, *([o.remainder] if o.remainder else [])]
    return InformationSet(
        seat=int(o.seat == o.dealer),
        part=part,
        phase=o.phase,
        laid=tuple([card for _, card in plays]),
        held=strong.of(o.hand),
        played=tuple([card for seat, card in plays if seat == o.seat]),
        shown=tuple([card for seat, card in plays if seat != o.seat]),
        aside=strong.of(o.laid_aside),
        proposers=part.counted([int(seat == o.dealer) for seat in accepted]),
        remainder=o.remainder is not None,
    )


class ProposalMemory:
    """The turns of a hand on which proposals were accepted, gathered from this seat's observations."""

    def __init__(self) -> None:
        self._hand: Hashable = None
        self._known: list[tuple[int, int]] = []
        """Turns at which this seat chose, and how many proposals had been accepted before each."""

    def keep(self, o: TrucObservation, here: InformationSet) -> None:
        """Note how many proposals had been accepted at this turn; forget the hand before."""
        hand = (o.rounds, o.scores, o.dealer, o.laid_aside, o.stock, tuple(sorted((*here.held, *here.played))))
        if hand != self._hand or (self._known and self._known[-1][0] > here.turn):
            self._hand, self._known = hand, []
        if here.phase != PLAY:
            self._known.append((here.turn, len(here.proposers)))

    def fits(self, path: Accepted) -> bool:
        """Whether a path agrees with it."""
        return all(sum([accepted < turn for accepted in path]) == number for turn, number in self._known)


class EquilibriumPlayer:
    """Plays the equilibrium of the table; where that never comes, the action that is worth most against it."""

    def __init__(self, otherwise: Rater) -> None:
        """``otherwise`` plays where more points are to be won than the table knows of."""
        self._otherwise = otherwise
        self._memory = ProposalMemory()

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        here = information_set(observation)
        if here is None:
            return self._otherwise.choose(observation, rng, budget)
        self._memory.keep(observation, here)
        shares = self._shares(here)
        if not any(shares) or self._strayed(here):
            shares = self._sensible(here, shares, self._worths(here, budget)[0])
        return rng.choices(observation.legal, shares)[0]

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`: the likeliest action first, or where the table never comes the one that is worth most.

        Actions that the equilibrium mixes are worth the same in it, and are told so.
        """
        o, here = observation, information_set(observation)
        if here is None:
            return self._otherwise.rate(o, rng, budget)
        self._memory.keep(o, here)
        worths, rougher = self._worths(here, budget)
        shares = self._sensible(here, self._shares(here), worths)
        first = shares.index(max(shares))
        mixed = [worth for worth, share in zip(worths, shares, strict=True) if share]
        doubt = max(DOUBT, (max(mixed) - min(mixed)) / 2)
        worths, rougher = [_alike(each, shares) for each in (worths, rougher)]
        match = TrucStanding.of(o)
        rated = []
        for action, worth, rough in zip(o.legal, worths, rougher, strict=True):
            error = max(doubt, abs(worth - rough) / 2) * (match.of_round(1.0) - match.of_round(0.0))
            rated.append(Rating(action, match.of_round(worth), error))
        for place, action in enumerate(o.legal):
            equal = here.held.index(here.held[place]) if action.cards else place
            if equal != place:  # as strong a card
                rated[place] = rated[equal]._replace(action=action, same_as=o.legal[equal])
        if o.phase in (EXCHANGE, ANSWER_EXCHANGE) and worths[0] == worths[1]:
            rated[0] = rated[0]._replace(error=inf)  # what an exchange brings lies with the hands that others exchange
        return (rated.pop(first), *sorted(rated, key=lambda rating: -rating.value))

    def _shares(self, here: InformationSet) -> list[float]:
        """How likely each legal action is in the equilibrium; zeros where it does not come there."""
        if here.phase in (EXCHANGE, ANSWER_EXCHANGE):
            return [0.0, 1.0]  # to play, and to refuse
        found: list[float] = []
        for path in self._paths(here):
            reach = here.reach(path)
            shares = [reach * share for share in here.shares(path)]
            found = [sum(pair) for pair in zip(found, shares, strict=True)] if found else shares
        return found

    def _sensible(self, here: InformationSet, shares: list[float], worths: list[float]) -> list[float]:
        """The shares without what is much worse than another action that has one; all to the best if none has.

        What the table does where the other never comes by it has hardly been tried, and may be silly.
        """
        if not any(shares):
            return [float(place == worths.index(max(worths))) for place in range(len(worths))]
        if not self._strayed(here):
            return shares
        best = max([worth for worth, share in zip(worths, shares, strict=True) if share])
        return [share if worth > best - SILLY else 0.0 for worth, share in zip(worths, shares, strict=True)]

    def _strayed(self, here: InformationSet) -> bool:
        """Whether the other can hardly have come here by the table."""
        return all(sum(here.others(path).values()) < STRAYED for path in self._paths(here))

    def _worths(self, here: InformationSet, budget: Budget) -> tuple[list[float], list[float]]:
        """The chance to win the round with each legal action, and what it was when last looked at more roughly."""
        worths: list[float] = []
        rougher: list[float] = []
        for least in FINER:
            rougher = worths
            response = BestResponse(here.part, here.seat, least)
            on_paths = [_on_path(here, path, response) for path in self._paths(here)]
            likely = sum([weight for weight, _ in on_paths])
            each = zip(*[[weight * worth for worth in found] for weight, found in on_paths], strict=True)
            worths = [sum(values) / likely for values in each]
            if not budget.spend(response.work) and rougher:
                break
        return worths, rougher

    def _paths(self, here: InformationSet) -> list[Accepted]:
        """When the proposals can have been made, as far as is remembered."""
        found = here.paths()
        return [path for path in found if self._memory.fits(path)] or found


def _alike(worths: list[float], shares: list[float]) -> list[float]:
    """The worths, with the same for all that the equilibrium mixes."""
    alike = sum([worth * share for worth, share in zip(worths, shares, strict=True)]) / sum(shares)
    return [alike if share else worth for worth, share in zip(worths, shares, strict=True)]


def _on_path(here: InformationSet, path: Accepted, response: BestResponse) -> tuple[float, Sequence[float]]:
    """How likely a choice is on a path, and the chance to win the round with each legal action."""
    laid, held = here.laid, here.held
    found = here.others(path)
    likely = sum(found.values())
    others = {hand: weight / likely for hand, weight in found.items()}
    likely *= here.reach(path, SLIP)
    if here.phase in (EXCHANGE, ANSWER_EXCHANGE):
        kept = response.turn(path, laid, held, others)
        return likely, [min(kept, here.part.before_deal(here.seat)), kept]
    if here.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
        return likely, [response.accept(path, laid, held, others), response.refuse(path, laid, others)]
    by_card = {card: response.play(path, laid, held, card, others) for card in dict.fromkeys(held)}
    proposed = [response.propose(path, laid, held, others)] if here.phase == TURN else []
    return likely, [*[by_card[card] for card in held], *proposed]
