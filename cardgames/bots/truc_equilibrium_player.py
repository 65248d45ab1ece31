"""``strong`` at Truc: it plays the table of an equilibrium, in matches that the table covers.

It finds its choice by the seat's knowledge, plays each action as often as the table says, and rates actions by their
worth against a player of the table. The terms are those of ``truc_equilibrium_table``."""

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
"""The least likelihood considered in ratings: twice coarse, then finer while time remains."""

DOUBT = 0.003
"""The possible error of an action's worth, as a probability of winning the round."""

SILLY = 0.05
"""The loss, as a probability of winning the round, above which an action is never chosen."""

STRAYED = 0.01
"""The least total weight of the opponent's hands under the table, below which the opponent has departed from it. A
hand's weight is its number of deals times the likelihood of its actions."""

SLIP = 1e-6
"""The assumed probability of actions that the table never takes, for positions that need them."""


class InformationSet(NamedTuple):
    """A choice of one seat with its knowledge."""

    seat: int
    """0 the non-dealer, 1 the dealer."""
    part: StrategyPart
    """The strategies for both players' points."""
    phase: str
    laid: Laid
    held: Strengths
    played: Strengths
    """The cards played by this seat."""
    shown: Strengths
    """The cards played by the opponent."""
    aside: Strengths
    """The cards that this seat has laid aside in exchanges."""
    proposers: tuple[int, ...]
    """The seats with accepted proposals, in order, until the hand decides the round."""
    remainder: bool
    """Whether a remainder was accepted."""

    @property
    def turn(self) -> int:
        """The present turn."""
        return len(self.laid) + 1

    def paths(self) -> list[Accepted]:
        """The turns on which the proposals may have been made."""
        group = group_of(self.laid)
        if self.phase != PLAY:
            return list(paths_of(self.proposers, self.turn - 1, group))
        found = list(paths_of(self.proposers, self.turn, group))
        if self.remainder:
            return found
        return [path for path in found if path[-1] == self.turn]  # only a proposal of this turn excludes another

    def shares(self, path: Accepted) -> tuple[float, ...]:
        """The probability of each legal action in the table."""
        part, laid, held = self.part, self.laid, self.held
        if self.phase == TURN:
            return part.proposes(path, laid, held)
        if self.phase == PLAY:
            return part.plays(path, laid, held)
        accepted = part.acceptance(path, laid, held)
        return accepted, 1 - accepted

    def reach(self, path: Accepted, slip: float = 0.0) -> float:
        """The probability that this seat's actions lead to this position on a path."""
        hand = tuple(sorted((*self.held, *self.played), reverse=True))
        chance = self.part.reach(self.seat, path, self.laid, hand, slip)
        if chance and self._proposed_now(path):
            chance *= max(self.part.proposes(path[:-1], self.laid, self.held)[-1], slip)
        return chance

    def opponent_hands(self, path: Accepted) -> dict[Strengths, float]:
        """The opponent's possible hands, with the likelihood of their deal and play."""
        number, seen = HAND - len(self.shown), tuple(sorted((*self.held, *self.aside, *self.laid)))
        deals = zip(hands(number), ways(number, seen), strict=True)
        return {hand: count * self._reach_of(hand, path) for hand, count in deals if count}

    def _reach_of(self, held: Strengths, path: Accepted) -> float:
        """The probability that the actions of an opponent with the cards ``held`` lead to this position."""
        hand = tuple(sorted((*held, *self.shown), reverse=True))
        chance = self.part.reach(1 - self.seat, path, self.laid, hand, SLIP)
        if self._proposed_now(path):
            return chance * max(self.part.acceptance(path[:-1], self.laid, held), SLIP)
        if self.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
            return chance * max(self.part.proposes(path, self.laid, held)[-1], SLIP)
        return chance

    def _proposed_now(self, path: Accepted) -> bool:
        """Whether a proposal of this turn was accepted."""
        return self.phase == PLAY and path[-1:] == (self.turn,)


def information_set(o: TrucObservation) -> InformationSet | None:
    """The choice of an observation in the table's terms; ``None`` if the table does not cover the scores."""
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
        proposers=part.until_decisive([int(seat == o.dealer) for seat in accepted]),
        remainder=o.remainder is not None,
    )


class ProposalMemory:
    """The turns of a hand with accepted proposals, collected from this seat's observations."""

    def __init__(self) -> None:
        self._hand: Hashable = None
        self._known: list[tuple[int, int]] = []
        """Turns at which this seat chose, and how many proposals had been accepted before each."""

    def keep(self, o: TrucObservation, here: InformationSet) -> None:
        """Note the number of accepted proposals at this turn; forget the hand before."""
        hand = (o.rounds, o.scores, o.dealer, o.laid_aside, o.stock, tuple(sorted((*here.held, *here.played))))
        if hand != self._hand or (self._known and self._known[-1][0] > here.turn):
            self._hand, self._known = hand, []
        if here.phase != PLAY:
            self._known.append((here.turn, len(here.proposers)))

    def fits(self, path: Accepted) -> bool:
        """Whether a path agrees with the memory."""
        return all(sum([accepted < turn for accepted in path]) == number for turn, number in self._known)


class EquilibriumPlayer:
    """A player of the table's equilibrium. In positions that it never reaches it plays the best response to it."""

    def __init__(self, otherwise: Rater) -> None:
        """``otherwise`` plays matches that the table does not cover."""
        self._otherwise = otherwise
        self._memory = ProposalMemory()

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        here = information_set(observation)
        if here is None:
            return self._otherwise.choose(observation, rng, budget)
        self._memory.keep(observation, here)
        shares = self._shares(here)
        if not any(shares) or self._has_strayed(here):
            shares = self._sensible(here, shares, self._worths(here, budget)[0])
        return rng.choices(observation.legal, shares)[0]

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate as :class:`Rater` does: the most likely action first, or outside of the equilibrium the best one.

        Actions that the equilibrium mixes have equal worth and are rated equal."""
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
            error = max(doubt, abs(worth - rough) / 2) * (match.win_given_round(1.0) - match.win_given_round(0.0))
            rated.append(Rating(action, match.win_given_round(worth), error))
        for place, action in enumerate(o.legal):
            equal = here.held.index(here.held[place]) if action.cards else place
            if equal != place:  # an equally strong card
                rated[place] = rated[equal]._replace(action=action, same_as=o.legal[equal])
        if o.phase in (EXCHANGE, ANSWER_EXCHANGE) and worths[0] == worths[1]:
            rated[0] = rated[0]._replace(error=inf)  # the worth of an exchange depends on hands outside of the table
        return (rated.pop(first), *sorted(rated, key=lambda rating: -rating.value))

    def _shares(self, here: InformationSet) -> list[float]:
        """The probability of each legal action in the equilibrium; zeros in positions that it never reaches."""
        if here.phase in (EXCHANGE, ANSWER_EXCHANGE):
            return [0.0, 1.0]  # play, and refuse
        found: list[float] = []
        for path in self._paths(here):
            reach = here.reach(path)
            shares = [reach * share for share in here.shares(path)]
            found = [sum(pair) for pair in zip(found, shares, strict=True)] if found else shares
        return found

    def _sensible(self, here: InformationSet, shares: list[float], worths: list[float]) -> list[float]:
        """The probabilities without actions much worse than another; if none remains, the best action.

        The table's choices in positions that the equilibrium never reaches are hardly tested and may be bad."""
        if not any(shares):
            return [float(place == worths.index(max(worths))) for place in range(len(worths))]
        if not self._has_strayed(here):
            return shares
        best = max([worth for worth, share in zip(worths, shares, strict=True) if share])
        return [share if worth > best - SILLY else 0.0 for worth, share in zip(worths, shares, strict=True)]

    def _has_strayed(self, here: InformationSet) -> bool:
        """Whether the opponent can hardly have followed the table."""
        return all(sum(here.opponent_hands(path).values()) < STRAYED for path in self._paths(here))

    def _worths(self, here: InformationSet, budget: Budget) -> tuple[list[float], list[float]]:
        """The probability of winning the round with each legal action, and its previous, coarser estimate."""
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
        """The possible paths that agree with the memory."""
        found = here.paths()
        return [path for path in found if self._memory.fits(path)] or found


def _alike(worths: list[float], shares: list[float]) -> list[float]:
    """The worths, averaged over the actions that the equilibrium mixes."""
    alike = sum([worth * share for worth, share in zip(worths, shares, strict=True)]) / sum(shares)
    return [alike if share else worth for worth, share in zip(worths, shares, strict=True)]


def _on_path(here: InformationSet, path: Accepted, response: BestResponse) -> tuple[float, Sequence[float]]:
    """The likelihood of a choice on a path, and the probability of winning the round with each legal action."""
    laid, held = here.laid, here.held
    found = here.opponent_hands(path)
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
