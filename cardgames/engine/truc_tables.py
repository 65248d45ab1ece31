"""The cards of Truc in their orders, its actions, and what may be done in each phase and with each hand, looked up."""

from typing import TypeAlias

from cardgames.engine.cards import NAMES, Card, CardSet, cards_in
from cardgames.engine.game import Action

Actions: TypeAlias = tuple[Action, ...]

DEAL, EXCHANGE, ANSWER_EXCHANGE, OVER = "deal", "exchange", "answer_exchange", "over"
TURN, PLAY = "turn", "play"
"""A turn on which something may be proposed first, and one on which only a card can be played (T8, T9)."""
ANSWER_DOUBLE, ANSWER_REMAINDER = "answer_double", "answer_remainder"

PACK = tuple(card for card, name in enumerate(NAMES) if name[0] in "789TJQKA")
"""T1: the 32 cards."""

ASK, KEEP = Action("exchange", "exchange"), Action("play", "play")
AGREE, REFUSE = Action("agree", "agree"), Action("refuse", "refuse")
DOUBLE, REMAINDER, ACCEPT = Action("double", "double"), Action("remainder", "remainder"), Action("accept", "accept")
CARD = tuple(Action("card", name, (card,)) for card, name in enumerate(NAMES))

ACTIONS = {
    action.text: action
    for action in (ASK, KEEP, AGREE, REFUSE, DOUBLE, REMAINDER, ACCEPT, *(CARD[card] for card in PACK))
}
"""Every action of a seat by its notation."""

WORDS = {
    EXCHANGE: (ASK, KEEP),
    ANSWER_EXCHANGE: (AGREE, REFUSE),
    ANSWER_DOUBLE: (ACCEPT, REFUSE),
    ANSWER_REMAINDER: (ACCEPT, REFUSE),
}
"""The legal actions in the phases in which no card can be played."""

ANSWERS = {"exchange": ANSWER_EXCHANGE, "double": ANSWER_DOUBLE, "remainder": ANSWER_REMAINDER}
"""The phase in which the other answers each proposal."""

TOLD = {
    (EXCHANGE, "exchange"): "asked_exchange",
    (EXCHANGE, "play"): "kept_cards",
    (ANSWER_EXCHANGE, "agree"): "agreed",
    (ANSWER_EXCHANGE, "refuse"): "refused_exchange",
    (TURN, "remainder"): "proposed_remainder",
    (ANSWER_DOUBLE, "refuse"): "refused_double",
    (ANSWER_REMAINDER, "accept"): "accepted_remainder",
    (ANSWER_REMAINDER, "refuse"): "refused_remainder",
}
"""The event that tells of a word, by phase and kind, but for the words that change the stake."""


OR_DOUBLE, OR_REMAINDER = (DOUBLE,), (REMAINDER,)
"""The action besides the cards on a turn on which something may be proposed."""


class Plays(dict[CardSet, Actions]):
    """The ways to play a card of each hand, made when first asked for; there are no more than 5,488 hands."""

    def __init__(self, order: "Order") -> None:
        super().__init__()
        self._order = order

    def __missing__(self, hand: CardSet) -> Actions:
        found = self[hand] = tuple([CARD[card] for card in self._order.strongest_first(hand)])
        return found


class Order:
    """How strong the cards are, and hence in which order a hand lies (T1, T13)."""

    def __init__(self, ranks: str) -> None:
        """``ranks`` begins with the strongest."""
        self.ranks = ranks
        self.strength = tuple([-ranks.find(name[0]) for name in NAMES])
        """A number for each card of the pack: the higher, the stronger."""
        self.plays = Plays(self)

    def strongest_first(self, cards: CardSet) -> tuple[Card, ...]:
        """The cards as a player holds them; equal ones by suit."""
        return tuple(sorted(cards_in(cards), key=self.strength.__getitem__, reverse=True))


ORDERS = {"seven_eight": Order("78AKQJT9"), "seven_ace": Order("7AKQJT98")}
"""T1, T13: the order for each word of the option ``order``."""
