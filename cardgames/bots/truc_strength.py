"""The cards of Truc as their strengths: suits do not matter."""

from cardgames.bots.truc_odds import STRONGEST, Strengths
from cardgames.engine.cards import Card
from cardgames.engine.truc import TrucObservation
from cardgames.engine.truc_tables import ORDERS, Order


class Strength:
    """How strong cards are under the options of a match, 0 to 7."""

    def __init__(self, order: Order) -> None:
        self._of_card = [STRONGEST + strength for strength in order.strength]

    def __call__(self, card: Card) -> int:
        """The strength of a card."""
        return self._of_card[card]

    def of(self, cards: tuple[Card, ...]) -> Strengths:
        """The strengths of several cards, the strongest first."""
        return tuple(sorted(map(self, cards), reverse=True))


STRENGTH = {name: Strength(order) for name, order in ORDERS.items()}


def strength_of(o: TrucObservation) -> Strength:
    """How strong each card is under the options of the match."""
    return STRENGTH[o.order]
