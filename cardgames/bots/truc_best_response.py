"""The best response, in a hand of Truc, to an opponent who plays by the equilibrium's table."""

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TypeAlias

from cardgames.bots.truc_equilibrium_table import GOES_ON, Cards, StrategyPart, Turns, actor, group_of, winner
from cardgames.bots.truc_odds import Strengths, without

OpponentHands: TypeAlias = Mapping[Strengths, float]
"""The likelihood of each hand that the opponent may hold."""


class BestResponse:
    """The probabilities of winning the round by best play against an opponent who plays by the table.

    The methods sum over the opponent's hands (``others``), weighted by likelihood."""

    def __init__(self, part: StrategyPart, seat: int, least: float) -> None:
        """``least``: actions of the opponent with a smaller likelihood are ignored, unless all are so unlikely."""
        self._part = part
        self._seat = seat
        self._least = least
        self.work = 0
        """The number of opponent's hands considered, counting a hand each time that it was considered."""

    def turn(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round at the start of the turn after the cards ``laid``."""
        if actor(len(laid) + 1, group_of(laid)) != self._seat:
            return self._opponent_turn(path, laid, held, others, self._part.proposes)
        best = self.card(path, laid, held, others)
        if self._part.raised(path, laid) == path:  # after MAX_DOUBLINGS
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
        if_refused = refusing * self._after_hand(path, laid, self._seat)
        return if_refused + (self.card(self._part.raised(path, laid), laid, held, accepting) if accepting else 0.0)

    def accept(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after accepting the opponent's proposal."""
        return self._opponent_turn(self._part.raised(path, laid), laid, held, others, self._part.plays)

    def refuse(self, path: Turns, laid: Cards, others: OpponentHands) -> float:
        """The probability of winning the round after refusing the opponent's proposal."""
        return sum(others.values()) * self._after_hand(path, laid, 1 - self._seat)

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
        hands_by_card: dict[int, dict[Strengths, float]] = {}
        proposing_hands: dict[Strengths, float] = {}
        for hand, weight in others.items():
            for card, share in zip_longest(hand, shares(path, laid, hand)):
                if not share:
                    continue
                if card is None:
                    proposing_hands[hand] = weight * share
                else:
                    remaining, hands = without(hand, card), hands_by_card.setdefault(card, {})
                    hands[remaining] = hands.get(remaining, 0.0) + weight * share
        result = covered = 0.0
        proposed, *weights = [sum(hands.values()) for hands in (proposing_hands, *hands_by_card.values())]
        least = min(self._least, max([proposed, *weights]))
        if proposing_hands and proposed >= least:
            answers = self.refuse(path, laid, proposing_hands), self.accept(path, laid, held, proposing_hands)
            result, covered = max(answers), proposed
        for (card, hands), weight in zip(hands_by_card.items(), weights, strict=True):
            if weight >= least:
                result += self._after(path, (*laid, card), held, hands)
                covered += weight
        return result * (proposed + sum(weights)) / covered

    def _after(self, path: Turns, laid: Cards, held: Strengths, others: OpponentHands) -> float:
        """The probability of winning the round after the last card of ``laid`` was played."""
        won_by = winner(laid)
        if won_by == GOES_ON:
            return self.turn(path, laid, held, others)
        return sum(others.values()) * self._after_hand(path, laid, won_by)

    def _after_hand(self, path: Turns, laid: Cards, won_by: int) -> float:
        """The probability of winning the round after ``won_by`` has won the hand."""
        return self._part.round_probability(self._seat, self._part.doublings(path, group_of(laid)), won_by)
