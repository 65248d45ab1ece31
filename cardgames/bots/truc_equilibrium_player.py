"""``strong`` at Truc: it plays by the table of an equilibrium, in matches that the table covers.

The table gives the probability of each action by the seat's knowledge, and an action is drawn. Ratings are the worth of
actions against an opponent who plays by the table. ``truc_equilibrium_table`` defines the terms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple, TypeAlias

from cardgames.bots import truc_equilibrium_table as table
from cardgames.bots.thinking import Budget, Lead, Rater, Rating
from cardgames.bots.truc_equilibrium_table import GOES_ON, Cards, StrategyPart, Turns, actor, group_of, paths_of, winner
from cardgames.bots.truc_odds import Strengths, TrucStanding, deal_counts, descending, hands, strength_of, without
from cardgames.engine import truc as rules
from cardgames.engine.game import Action
from cardgames.engine.truc import TrucObservation

LEAST_LIKELIHOODS = (0.3, 0.1, 0.01, 0.001)
"""The values of ``least`` for successive best responses: always the first two, then more while the budget lasts."""

DOUBT = 0.003
"""The least error of an action's worth, as a probability of winning the round."""

BLUNDER = 0.05
"""The loss, as a probability of winning the round, from which an action is a blunder."""

STRAYED_BELOW = 0.01
"""The total weight in :meth:`InformationSet.opponent_hands` below which the opponent has strayed from the table."""

SLIP = 1e-6
"""The probability assumed for an action that the table never takes."""


class InformationSet(NamedTuple):
    """A choice of one seat, with all that the seat knows."""

    seat: int
    part: StrategyPart
    phase: str
    laid: Cards
    held: Strengths
    played: Strengths
    """The cards played by this seat."""
    shown: Strengths
    """The cards played by the opponent."""
    aside: Strengths
    """The cards that this seat has laid aside in exchanges."""
    proposers: tuple[int, ...]
    """The seats whose proposals were accepted, in order, up to the proposal from which the hand decides the round."""
    remainder: bool
    """Whether a remainder was accepted."""

    @property
    def turn(self) -> int:
        """The present turn, 1 to 6."""
        return len(self.laid) + 1

    def paths(self) -> list[Turns]:
        """All paths on which ``proposers`` may have made their accepted proposals."""
        turns = self.turn if self.phase == rules.PLAY else self.turn - 1
        result = list(paths_of(self.proposers, turns, group_of(self.laid)))
        if self.phase != rules.PLAY or self.remainder:
            return result
        return [path for path in result if path[-1] == self.turn]  # only a proposal of this turn excludes another

    def shares(self, path: Turns) -> tuple[float, ...]:
        """The probability of each legal action in the equilibrium, after a path."""
        part, laid, held = self.part, self.laid, self.held
        if self.phase == rules.TURN:
            return part.proposes(path, laid, held)
        if self.phase == rules.PLAY:
            return part.plays(path, laid, held)
        accepted = part.acceptance(path, laid, held)
        return accepted, 1 - accepted

    def reach(self, path: Turns, slip: float = 0.0) -> float:
        """The probability that this seat acts as on ``path``, where each action counts as at least ``slip``."""
        return self.part.reach(self.seat, path, self.laid, descending((*self.held, *self.played)), slip)

    def opponent_hands(self, path: Turns) -> dict[Strengths, float]:
        """The weight of each hand of the opponent: its deals times the probability of acting as on ``path``."""
        number, seen = rules.HAND - len(self.shown), tuple(sorted((*self.held, *self.aside, *self.laid)))
        deals = zip(hands(number), deal_counts(number, seen), strict=True)
        return {hand: count * self._reach_of(hand, path) for hand, count in deals if count}

    def _reach_of(self, held: Strengths, path: Turns) -> float:
        """The probability that an opponent whose remaining cards are ``held`` would have acted as on ``path``."""
        probability = self.part.reach(1 - self.seat, path, self.laid, descending((*held, *self.shown)), SLIP)
        if self.phase in (rules.ANSWER_DOUBLE, rules.ANSWER_REMAINDER):  # the opponent has proposed
            return probability * max(self.part.proposes(path, self.laid, held)[-1], SLIP)
        return probability


def information_set(observation: TrucObservation) -> InformationSet | None:
    """The choice of an observation's seat; ``None`` if the equilibrium table does not cover the scores."""
    scores = [table.GOAL - observation.goal + points for points in observation.scores]  # to GOAL, with the same lack
    if min(scores) < 0:
        return None
    strength = strength_of(observation)
    plays = [(seat, strength(card)) for trick in observation.tricks for seat, card in trick.plays]
    part = table.part_for((scores[2 - observation.dealer], scores[observation.dealer - 1]))  # the non-dealer's first
    accepted = [*observation.doubled, *([observation.remainder] if observation.remainder else [])]
    return InformationSet(
        seat=int(observation.seat == observation.dealer),
        part=part,
        phase=observation.phase,
        laid=tuple([card for _, card in plays]),
        held=descending(map(strength, observation.hand)),
        played=tuple([card for seat, card in plays if seat == observation.seat]),
        shown=tuple([card for seat, card in plays if seat != observation.seat]),
        aside=descending(map(strength, observation.laid_aside)),
        proposers=part.until_decisive([int(seat == observation.dealer) for seat in accepted]),
        remainder=observation.remainder is not None,
    )


OpponentHands: TypeAlias = Mapping[Strengths, float]
"""The likelihood of each hand that the opponent may hold."""

SharesByHand: TypeAlias = Callable[[Turns, Cards, Strengths], tuple[float, ...]]
"""A function that gives the probabilities of actions after a path and the cards laid, with a hand."""


@dataclass
class BestResponse:
    """The probabilities of winning the round by best play, as sums over the opponent's weighted hands (``others``)."""

    part: StrategyPart
    seat: int
    least: float
    """The likelihood below which opponent's actions are ignored; the likeliest action is always kept."""
    work: int = 0
    """The number of times that a hand of the opponent was considered."""

    def turn(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round at the start of the turn after the cards ``laid``."""
        if actor(len(laid) + 1, group_of(laid)) != self.seat:
            return self._opponent_turn(path, laid, held, others, self.part.proposes)
        best = self.card(path, laid, held, others)
        if self.part.raised(path, laid) == path:  # after MAX_DOUBLINGS
            return best
        return max(best, self.propose(path, laid, held, others))

    def card(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after the best card."""
        return max([self.play(path, laid, held, card, others) for card in dict.fromkeys(held)])

    def play(self, path: Turns, laid: Cards, held: Strengths, card: int, others: OpponentHands) -> float:
        """The probability of winning the round after playing ``card``."""
        return self._after(path, (*laid, card), without(held, card), others)

    def propose(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round if this seat proposes."""
        accepting, refusing = {}, 0.0
        for hand, weight in others.items():
            accepts = self.part.acceptance(path, laid, hand)
            refusing += weight * (1 - accepts)
            if accepts:
                accepting[hand] = weight * accepts
        if_refused = refusing * self._after_hand(path, laid, self.seat)
        return if_refused + (self.card(self.part.raised(path, laid), laid, held, accepting) if accepting else 0.0)

    def accept(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after accepting the opponent's proposal."""
        return self._opponent_turn(self.part.raised(path, laid), laid, held, others, self.part.plays)

    def refuse(self, path: Turns, laid: Cards, others: OpponentHands) -> float:
        """The probability of winning the round after refusing the opponent's proposal."""
        return sum(others.values()) * self._after_hand(path, laid, 1 - self.seat)

    def _opponent_turn(
        self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands, shares: SharesByHand
    ) -> float:
        """The probability of winning the round on a turn of the opponent; ``shares`` gives the actions' probabilities.

        Actions less likely than ``least`` are left out, and the result is scaled up accordingly."""
        self.work += len(others)
        hands_by_card: dict[int, dict[Strengths, float]] = {}
        proposing_hands: dict[Strengths, float] = {}
        for hand, weight in others.items():
            for card, share in zip_longest(hand, shares(path, laid, hand)):
                if not share:
                    continue
                if card is None:  # the last share, beyond the cards, is a proposal's
                    proposing_hands[hand] = weight * share
                else:
                    remaining, hands = without(hand, card), hands_by_card.setdefault(card, {})
                    hands[remaining] = hands.get(remaining, 0.0) + weight * share
        result = covered = 0.0
        proposed, *weights = [sum(hands.values()) for hands in (proposing_hands, *hands_by_card.values())]
        least = min(self.least, max([proposed, *weights]))  # never above the likeliest action
        if proposing_hands and proposed >= least:
            answers = self.refuse(path, laid, proposing_hands), self.accept(path, laid, held, proposing_hands)
            result, covered = max(answers), proposed
        for (card, hands), weight in zip(hands_by_card.items(), weights, strict=True):
            if weight >= least:
                result += self._after(path, (*laid, card), held, hands)
                covered += weight
        return result * (proposed + sum(weights)) / covered

    def _after(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after the cards ``laid``, times the total weight of ``others``."""
        won_by = winner(laid)
        if won_by == GOES_ON:
            return self.turn(path, laid, held, others)
        return sum(others.values()) * self._after_hand(path, laid, won_by)

    def _after_hand(self, path: Turns, laid: Cards, won_by: int) -> float:
        """The probability of winning the round after ``won_by`` has won the hand."""
        return self.part.round_probability(self.seat, self.part.doublings(path, group_of(laid)), won_by)


SAME_HAND = attrgetter("rounds", "scores", "dealer", "laid_aside", "stock")
"""The facts that observations of one hand share, besides the cards of the seat."""


class EquilibriumPlayer:
    """A player of a stored equilibrium. In positions that the equilibrium never reaches, it plays a best response."""

    def __init__(self, fallback: Rater) -> None:
        """``fallback`` plays matches that the equilibrium table does not cover."""
        self._fallback = fallback
        self._hand: Any = None
        self._counts: list[tuple[int, int]] = []
        """Pairs of a turn of this hand on which this seat chose and the number of proposals accepted before."""

    def _remember(self, observation: TrucObservation, choice: InformationSet) -> None:
        """Clear ``_counts`` if a new hand has begun; then add the present turn and the number of accepted proposals."""
        hand = SAME_HAND(observation), sorted((*choice.held, *choice.played))
        if hand != self._hand or (self._counts and self._counts[-1][0] > choice.turn):  # turns only increase in a hand
            self._hand, self._counts = hand, []
        if choice.phase != rules.PLAY:
            self._counts.append((choice.turn, len(choice.proposers)))

    def _paths(self, choice: InformationSet) -> list[Turns]:
        """The possible paths that agree with the remembered numbers of proposals, or all paths if none agrees."""

        def agrees(path: Turns) -> bool:
            return all(sum([at < turn for at in path]) == count for turn, count in self._counts)

        return list(filter(agrees, choice.paths())) or choice.paths()

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """Draw an action by its share in the equilibrium; in positions that it never reaches, play a best response."""
        choice = information_set(observation)
        if choice is None:
            return self._fallback.choose(observation, rng, budget)
        self._remember(observation, choice)
        shares = self._shares(choice)
        if not any(shares) or self._has_strayed(choice):
            shares = self._without_blunders(choice, shares, self._worths(choice, budget)[0])
        return rng.choices(observation.legal, shares)[0]

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the actions, the most probable in the equilibrium first; in positions it never reaches, the best first.

        Actions among which the equilibrium chooses at random are equally good, so they get the same value."""
        choice = information_set(observation)
        if choice is None:
            return self._fallback.rate(observation, rng, budget)
        self._remember(observation, choice)
        worths, coarser = self._worths(choice, budget)
        shares = self._without_blunders(choice, self._shares(choice), worths)
        first = shares.index(max(shares))
        mixed = [worth for worth, share in zip(worths, shares, strict=True) if share]
        doubt = max(DOUBT, (max(mixed) - min(mixed)) / 2)
        worths, coarser = [_equalise(each, shares) for each in (worths, coarser)]
        standing = TrucStanding.of(observation)
        round_value = standing.win_given_round(1.0) - standing.win_given_round(0.0)

        def error(change: float) -> float:
            """The error of a worth that the last refinement has changed by this."""
            return max(doubt, abs(change) / 2) * round_value

        rated, estimates = [], [*zip(observation.legal, worths, coarser, strict=True)]
        for action, worth, coarse in estimates:
            leads = {
                other: Lead((worth - less) * round_value, error(worth - less - coarse + coarse_less))
                for other, less, coarse_less in estimates
            }
            rated.append(Rating(action, standing.win_given_round(worth), error(worth - coarse), leads=leads))
        for place, action in enumerate(observation.legal):
            equal = choice.held.index(choice.held[place]) if action.cards else place
            if equal != place:  # an equally strong card
                rated[place] = rated[equal]._replace(action=action, same_as=observation.legal[equal])
        if observation.phase in (rules.EXCHANGE, rules.ANSWER_EXCHANGE) and worths[0] == worths[1]:
            rated[0] = rated[0]._replace(error=inf, leads={})  # an exchange leads to hands outside of the table
        return (rated.pop(first), *sorted(rated, key=lambda rating: -rating.value))

    def _shares(self, choice: InformationSet) -> list[float]:
        """The weight of each legal action in the equilibrium; only zeros in positions that it never reaches."""
        if choice.phase in (rules.EXCHANGE, rules.ANSWER_EXCHANGE):
            return [0.0, 1.0]  # play, and refuse
        on_paths = [(choice.reach(path), choice.shares(path)) for path in self._paths(choice)]
        weighted = [[reach * share for share in shares] for reach, shares in on_paths]
        return [sum(weights) for weights in zip(*weighted, strict=True)]

    def _without_blunders(self, choice: InformationSet, shares: list[float], worths: list[float]) -> list[float]:
        """The weights of the actions: ``shares``, but 0 for blunders if the opponent has strayed from the equilibrium.

        If all are 0, the best action gets 1. Where the equilibrium never gets, its shares are hardly tested."""
        if not any(shares):
            return [float(place == worths.index(max(worths))) for place in range(len(worths))]
        if not self._has_strayed(choice):
            return shares
        best = max([worth for worth, share in zip(worths, shares, strict=True) if share])
        return [share if worth > best - BLUNDER else 0.0 for worth, share in zip(worths, shares, strict=True)]

    def _has_strayed(self, choice: InformationSet) -> bool:
        """Whether the opponent's actions so far are very unlikely in the equilibrium."""
        return all(sum(choice.opponent_hands(path).values()) < STRAYED_BELOW for path in self._paths(choice))

    def _worths(self, choice: InformationSet, budget: Budget) -> tuple[list[float], list[float]]:
        """Two lists, in the order of legal actions: the probability of winning the round, and a coarser estimate."""
        worths: list[float] = []
        coarser: list[float] = []
        for least in LEAST_LIKELIHOODS:
            coarser = worths
            response = BestResponse(choice.part, choice.seat, least)
            on_paths = [_worths_on_path(choice, path, response) for path in self._paths(choice)]
            likely = sum([weight for weight, _ in on_paths])
            each = zip(*[[weight * worth for worth in result] for weight, result in on_paths], strict=True)
            worths = [sum(values) / likely for values in each]
            if not budget.spend(response.work) and coarser:  # ``coarser`` is empty on the first pass
                break
        return worths, coarser


def _equalise(worths: list[float], shares: list[float]) -> list[float]:
    """Give the same worth to all actions that have a share: the mean of their worths, weighted by ``shares``."""
    mean = sum([worth * share for worth, share in zip(worths, shares, strict=True)]) / sum(shares)
    return [mean if share else worth for worth, share in zip(worths, shares, strict=True)]


def _worths_on_path(choice: InformationSet, path: Turns, response: BestResponse) -> tuple[float, Sequence[float]]:
    """The likelihood of a path, and for each legal action the probability of winning the round on this path."""
    laid, held = choice.laid, choice.held
    weights = choice.opponent_hands(path)
    likelihood = sum(weights.values())
    others = {hand: weight / likelihood for hand, weight in weights.items()}
    likelihood *= choice.reach(path, SLIP)
    if choice.phase in (rules.EXCHANGE, rules.ANSWER_EXCHANGE):
        by_playing = response.turn(path, laid, held, others)  # an exchange counts as a new deal, but not as more
        return likelihood, [min(by_playing, choice.part.before_deal(choice.seat)), by_playing]
    if choice.phase in (rules.ANSWER_DOUBLE, rules.ANSWER_REMAINDER):
        return likelihood, [response.accept(path, laid, held, others), response.refuse(path, laid, others)]
    by_card = {card: response.play(path, laid, held, card, others) for card in dict.fromkeys(held)}
    proposed = [response.propose(path, laid, held, others)] if choice.phase == rules.TURN else []
    return likelihood, [*[by_card[card] for card in held], *proposed]
