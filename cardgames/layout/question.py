"""How a seat is asked for its move: the moves in their order, the words for them, and where the pointer starts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgames.engine.cards import Card, rank_of, suit_of
from cardgames.engine.game import Action, Observation, Reason
from cardgames.layout.scene import Message


class Pick(NamedTuple):
    """One thing that can be ticked in a question of several."""

    value: Any
    message: Message
    cards: tuple[Card, ...] = ()


class Question(NamedTuple):
    """How a move is asked for: one of the legal actions, or several things ticked that make one together."""

    message: Message
    actions: tuple[Action, ...] = ()
    """To choose one of, in the order in which a player looks for them."""
    picks: tuple[Pick, ...] = ()
    """To tick several of, instead."""
    combine: Callable[[Sequence[Any]], Action | Reason] = lambda values: Reason("nothing_chosen")
    """Makes the action of the ticked values, or says why they make none."""
    status: Callable[[Sequence[Any]], Message | None] = lambda values: None
    """Says something of the ticked values while they are being chosen."""
    more: tuple[tuple[Message, "Question"], ...] = ()
    """Offers that lead to another question, from which one can come back; they stand before the actions."""
    said: Mapping[Action, Message] = {}
    """The words for an action here, legal or refused, where the words for it alone would be too little."""
    costly: frozenset[Action] = frozenset()
    """Actions that may lose much and cannot be undone: they have to be confirmed."""
    first: "Action | Question | None" = None
    """Where the pointer starts: the ordinary move by which least is lost if it is made by mistake."""

    standing: Action | None = None
    """An action that may also be given in advance, for every further question of its kind until the table rests."""
    others: tuple[int, ...] = ()
    """The further seats that will be asked the same as long as all answer with ``standing``."""

    @property
    def ticked(self) -> tuple[int, ...]:
        """The places of the picks that are ticked at first: of those that make the first action, if they do."""
        if not isinstance(self.first, Action):
            return ()
        cards = set(self.first.cards)
        places = tuple([place for place, pick in enumerate(self.picks) if cards.issuperset(pick.cards)])
        return places if self.combine([self.picks[place].value for place in places]) == self.first else ()


def cheapest(actions: Sequence[Action], trump: int | None = None) -> Action | None:
    """The action with the lowest card that is no trump, if one has a card; the last suit where ranks are alike."""
    with_cards = [action for action in actions if action.cards]
    return min(
        with_cards,
        key=lambda action: (suit_of(action.cards[0]) == trump, rank_of(action.cards[0]), -action.cards[0]),
        default=None,
    )


def choose_one(observation: Observation, hand: Sequence[Card]) -> Question:
    """The question for one of the legal actions: cards in the order of the hand, then whatever names no card."""
    place = {card: number for number, card in enumerate(hand)}
    actions = sorted(observation.legal, key=lambda action: place[action.cards[0]] if action.cards else len(hand))
    return Question(Message("ask." + observation.phase, {"seat": observation.seat}), tuple(actions))
