"""The question for a move: the choices in order, their words, and where the pointer starts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgames.engine.cards import Card, rank_of, suit_of
from cardgames.engine.game import Action, Reason
from cardgames.layout.scene import Message


class Pick(NamedTuple):
    """A choice in a question with several ticks."""

    value: Any
    message: Message
    cards: tuple[Card, ...] = ()


class Question(NamedTuple):
    """A question for a move: one legal action, or several ticks that make one."""

    message: Message
    actions: tuple[Action, ...] = ()
    """The actions, in the order in which a player looks for them."""
    picks: tuple[Pick, ...] = ()
    """The picks to tick instead of one action."""
    combine: Callable[[Sequence[Any]], Action | Reason] = lambda values: Reason("nothing_chosen")
    """A function that returns the action made of the ticked values, or the reason why they make none."""
    status: Callable[[Sequence[Any]], Message | None] = lambda values: None
    """A function that describes the ticked values."""
    more: tuple[tuple[Message, "Question"], ...] = ()
    """Further questions with their labels, listed before the actions."""
    said: Mapping[Action, Message] = {}
    """The words for an action here, legal or refused, if its own words are not enough."""
    costly: frozenset[Action] = frozenset()
    """Actions that may lose much and cannot be undone, which need a confirmation."""
    first: "Action | Question | None" = None
    """The action pointed at first: a common one that loses little if chosen by mistake."""

    standing: Action | None = None
    """The action that may be given in advance, for every further question of its kind until the table rests."""
    others: tuple[int, ...] = ()
    """The seats asked the same question next, in order, as long as each answers with ``standing``."""

    @property
    def ticked(self) -> tuple[int, ...]:
        """The indices of the picks ticked at first: those of the first action, if it is made of picks."""
        if not isinstance(self.first, Action):
            return ()
        cards = set(self.first.cards)
        places = tuple([place for place, pick in enumerate(self.picks) if cards.issuperset(pick.cards)])
        return places if self.combine([self.picks[place].value for place in places]) == self.first else ()


def cheapest(actions: Sequence[Action], trump: int | None = None) -> Action | None:
    """The action with the lowest plain card, if any has a card; of equal ranks the last suit."""
    with_cards = [action for action in actions if action.cards]
    return min(
        with_cards,
        key=lambda action: (suit_of(action.cards[0]) == trump, rank_of(action.cards[0]), -action.cards[0]),
        default=None,
    )


def words_by_kind(action: Action) -> Message:
    """The message for an action by its kind, with its first card as argument."""
    return Message("action." + action.kind, {"card": action.cards[0]} if action.cards else {})


def in_hand_order(actions: Iterable[Action], hand: Sequence[Card]) -> tuple[Action, ...]:
    """The actions in the order of their first cards in the hand, then the actions without a card of the hand."""
    place = {card: number for number, card in enumerate(hand)}
    return tuple(
        sorted(actions, key=lambda action: place.get(action.cards[0], len(hand)) if action.cards else len(hand))
    )
