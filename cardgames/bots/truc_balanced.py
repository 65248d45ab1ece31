"""A player of Truc that keeps to the table of an equilibrium, and rates actions by what they bring against it."""

from collections.abc import Sequence
from math import inf
from random import Random

from cardgames.bots.thinking import Budget, Rater, Rating
from cardgames.bots.truc_hand import Standing
from cardgames.bots.truc_position import SLIP, Memory, Position, position
from cardgames.bots.truc_table import Accepted
from cardgames.bots.truc_worth import Outlook
from cardgames.engine.game import Action
from cardgames.engine.truc import TrucObservation
from cardgames.engine.truc_tables import ANSWER_DOUBLE, ANSWER_EXCHANGE, ANSWER_REMAINDER, EXCHANGE, TURN

FINER = (0.1, 0.01, 0.001)
"""What is less likely is left out when actions are rated: first roughly, then better as long as there is time."""

DOUBT = 0.003
"""How far the worth of an action, a chance to win the round, may be from that in a true equilibrium."""

SILLY = 0.05
"""An action that costs so much of the chance to win the round is left to nobody's luck."""

STRAYED = 0.01
"""If the hands with which the table would have led the other here weigh less than this, it was not followed: each
counts in how many ways it can be dealt, times how likely the table does with it what was done."""


class Balanced:
    """Plays the equilibrium of the table; where that never comes, the action that is worth most against it."""

    def __init__(self, otherwise: Rater) -> None:
        """``otherwise`` plays where more points are to be won than the table knows of."""
        self._otherwise = otherwise
        self._memory = Memory()

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        here = position(observation)
        if here is None:
            return self._otherwise.choose(observation, rng, budget)
        self._memory.keep(observation, here)
        shares = self._shares(here)
        if not any(shares) or self._strayed(here):
            shares = self._sensible(here, shares, self._worths(here, budget))
        return rng.choices(observation.legal, shares)[0]

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`: the likeliest action first, or where the table never comes the one that is worth most.

        Actions that the equilibrium mixes are worth the same in it, and are told so.
        """
        o, here = observation, position(observation)
        if here is None:
            return self._otherwise.rate(o, rng, budget)
        self._memory.keep(o, here)
        worths = self._worths(here, budget)
        shares = self._sensible(here, self._shares(here), worths)
        first = shares.index(max(shares))
        mixed = [worth for worth, share in zip(worths, shares, strict=True) if share]
        alike = sum([worth * share for worth, share in zip(worths, shares, strict=True)]) / sum(shares)
        worths = [alike if share else worth for worth, share in zip(worths, shares, strict=True)]
        doubt = max(DOUBT, (max(mixed) - min(mixed)) / 2)
        match = Standing.of(o)
        error = doubt * (match.of_round(1.0) - match.of_round(0.0))
        rated = [Rating(action, match.of_round(worth), error) for action, worth in zip(o.legal, worths, strict=True)]
        for place, action in enumerate(o.legal):
            equal = here.held.index(here.held[place]) if action.cards else place
            if equal != place:  # as strong a card
                rated[place] = rated[equal]._replace(action=action, same_as=o.legal[equal])
        if o.phase in (EXCHANGE, ANSWER_EXCHANGE) and worths[0] == worths[1]:
            rated[0] = rated[0]._replace(error=inf)  # what an exchange brings lies with the hands that others exchange
        return (rated.pop(first), *sorted(rated, key=lambda rating: -rating.value))

    def _shares(self, here: Position) -> list[float]:
        """How likely each legal action is in the equilibrium; zeros where it does not come there."""
        if here.phase in (EXCHANGE, ANSWER_EXCHANGE):
            return [0.0, 1.0]  # to play, and to refuse
        found: list[float] = []
        for path in self._paths(here):
            reach = here.reach(path)
            shares = [reach * share for share in here.shares(path)]
            found = [sum(pair) for pair in zip(found, shares, strict=True)] if found else shares
        return found

    def _sensible(self, here: Position, shares: list[float], worths: list[float]) -> list[float]:
        """The shares without what is much worse than another action that has one; all to the best if none has.

        What the table does where the other never comes by it has hardly been tried, and may be silly.
        """
        if not any(shares):
            return [float(place == worths.index(max(worths))) for place in range(len(worths))]
        if not self._strayed(here):
            return shares
        best = max([worth for worth, share in zip(worths, shares, strict=True) if share])
        return [share if worth > best - SILLY else 0.0 for worth, share in zip(worths, shares, strict=True)]

    def _strayed(self, here: Position) -> bool:
        """Whether the other can hardly have come here by the table."""
        return all(sum(here.others(path).values()) < STRAYED for path in self._paths(here))

    def _worths(self, here: Position, budget: Budget) -> list[float]:
        """The chance to win the round with each legal action."""
        worths: list[float] = []
        for least in FINER:
            outlook = Outlook(here.part, here.seat, least)
            on_paths = [_on_path(here, path, outlook) for path in self._paths(here)]
            likely = sum([weight for weight, _ in on_paths])
            each = zip(*[[weight * worth for worth in found] for weight, found in on_paths], strict=True)
            worths = [sum(values) / likely for values in each]
            if not budget.spend(outlook.work):
                break
        return worths

    def _paths(self, here: Position) -> list[Accepted]:
        """When the proposals can have been made, as far as is remembered."""
        found = here.paths()
        return [path for path in found if self._memory.fits(path)] or found


def _on_path(here: Position, path: Accepted, outlook: Outlook) -> tuple[float, Sequence[float]]:
    """How likely a choice is on a path, and the chance to win the round with each legal action."""
    laid, held = here.laid, here.held
    found = here.others(path)
    likely = sum(found.values())
    others = {hand: weight / likely for hand, weight in found.items()}
    likely *= here.reach(path, SLIP)
    if here.phase in (EXCHANGE, ANSWER_EXCHANGE):
        kept = outlook.turn(path, laid, held, others)
        return likely, [min(kept, here.part.before_deal(here.seat)), kept]
    if here.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
        return likely, [outlook.accept(path, laid, held, others), outlook.refuse(path, laid, others)]
    by_card = {card: outlook.play(path, laid, held, card, others) for card in dict.fromkeys(held)}
    proposed = [outlook.propose(path, laid, held, others)] if here.phase == TURN else []
    return likely, [*[by_card[card] for card in held], *proposed]
