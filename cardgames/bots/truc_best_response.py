"""The best response, in a hand of Truc, to an opponent who plays by the equilibrium's table."""

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TypeAlias

from cardgames.bots.truc_equilibrium_table import GOES_ON, LEVELS, Cards, StrategyPart, Turns, actor, group_of, winner
from cardgames.bots.truc_odds import Strengths, without

OpponentHands: TypeAlias = Mapping[Strengths, float]
"""The likelihood of each hand that the opponent may hold."""


class BestResponse:
    """The probabilities of winning the round by best play against an opponent who plays by the table.

    The methods sum over the opponent's hands (``others``), weighted by likelihood."""

    def __init__(self, part: StrategyPart, seat: int, least: float) -> None:
        """``least``: actions of the opponent with a smaller likelihood are ignored, unless all have."""
        self._part = part
        self._seat = seat
        self._least = least
        self.work = 0
        """The number of the opponent's hands that have been considered, each time anew."""

    def turn(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round at the start of the turn after the cards ``laid``."""
        group = group_of(laid)
        if actor(len(laid) + 1, group) != self._seat:
            return self._opponent_turn(path, laid, held, others, self._part.proposes)
        best = self.card(path, laid, held, others)
        if self._part.level(path, group) == LEVELS:
            return best
        return max(best, self.propose(path, laid, held, others))

    def card(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after the best card."""
        return max([self.play(path, laid, held, card, others) for card in dict.fromkeys(held)])

    def play(self, path: Turns, laid: Cards, held: Strengths, card: int, others: OpponentHands) -> float:
        """The probability of winning the round after playing ``card``."""
        return self._after(path, (*laid, card), without(held, card), others)

    def propose(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after a proposal."""
        accepting, refusing = {}, 0.0
        for hand, weight in others.items():
            accepts = self._part.acceptance(path, laid, hand)
            refusing += weight * (1 - accepts)
            if accepts:
                accepting[hand] = weight * accepts
        taken = refusing * self._part.worth(self._seat, self._part.level(path, group_of(laid)), self._seat)
        return taken + (self.card(self._part.raised(path, laid), laid, held, accepting) if accepting else 0.0)

    def accept(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after accepting the opponent's proposal."""
        return self._opponent_turn(self._part.raised(path, laid), laid, held, others, self._part.plays)

    def refuse(self, path: Turns, laid: Cards, others: OpponentHands) -> float:
        """The probability of winning the round after refusing the opponent's proposal."""
        level = self._part.level(path, group_of(laid))
        return sum(others.values()) * self._part.worth(self._seat, level, 1 - self._seat)

    def _opponent_turn(
        self,
        path: Turns,
        laid: Cards,
        held: Strengths,
        others: OpponentHands,
        shares: Callable[[Turns, Cards, Strengths], tuple[float, ...]],
    ) -> float:
        """The probability of winning the round when the opponent acts with the probabilities ``shares``."""
        self.work += len(others)
        playing: dict[int, dict[Strengths, float]] = {}
        proposing: dict[Strengths, float] = {}
        for hand, weight in others.items():
            for card, share in zip_longest(hand, shares(path, laid, hand)):
                if not share:
                    continue
                if card is None:
                    proposing[hand] = weight * share
                else:
                    remaining, hands = without(hand, card), playing.setdefault(card, {})
                    hands[remaining] = hands.get(remaining, 0.0) + weight * share
        result = covered = 0.0
        proposed, *weights = [sum(hands.values()) for hands in (proposing, *playing.values())]
        least = min(self._least, max([proposed, *weights]))
        if proposing and proposed >= least:
            answers = self.refuse(path, laid, proposing), self.accept(path, laid, held, proposing)
            result, covered = max(answers), proposed
        for (card, hands), weight in zip(playing.items(), weights, strict=True):
            if weight >= least:
                result += self._after(path, (*laid, card), held, hands)
                covered += weight
        return result * (proposed + sum(weights)) / covered

    def _after(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after the last card of ``laid`` was played."""
        won_by = winner(laid)
        if won_by == GOES_ON:
            return self.turn(path, laid, held, others)
        return sum(others.values()) * self._part.worth(self._seat, self._part.level(path, group_of(laid)), won_by)
