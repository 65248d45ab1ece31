"""The question for an action: its choices in order, their labels, and the choice at which the pointer starts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgames.engine.cards import SUIT_SETS, Card, CardSet, rank_of, suit_of
from cardgames.engine.game import Action, Message, Value
from cardgames.engine.tricks import winning_index


class Pick(NamedTuple):
    """A choice that can be ticked, in a question that is answered with several choices."""

    value: Any
    message: Message
    cards: tuple[Card, ...] = ()


class Question(NamedTuple):
    """A question for one legal action, which is chosen or made of ticked picks."""

    message: Message
    actions: tuple[Action, ...] = ()
    """The actions, in the order in which a player looks for them."""
    picks: tuple[Pick, ...] = ()
    """The picks that make an action; empty in a question for one of ``actions``."""
    combine: Callable[[Sequence[Any]], Action | Message] = lambda values: Message("nothing_chosen")
    """A function that converts the ticked values to an action, or to the reason why they make none."""
    status: Callable[[Sequence[Any]], Message | None] = lambda values: None
    further: tuple[tuple[Message, "Question"], ...] = ()
    """Further questions, listed before the actions: pairs of label and question."""
    labels: Mapping[Action, Message] = {}
    """Labels of legal or refused actions, used instead of the layout's ``words``."""
    costly: frozenset[Action] = frozenset()
    """The actions that need a confirmation: they may lose much and cannot be undone."""
    preselected: "Action | Question | None" = None
    """The choice at which the pointer starts: a common one that loses little if chosen by mistake."""
    unseen: Action | None = None
    """The action that can be chosen without a look at the hand."""
    standing: Action | None = None
    """The action that can be given as a standing order until the next pause."""
    others: tuple[int, ...] = ()
    """The other seats that are asked next, in order, as long as each answers with ``unseen``."""

    @property
    def ticked(self) -> tuple[int, ...]:
        """The indices of the picks that make the preselected action, which are ticked at the start."""
        if not isinstance(self.preselected, Action):
            return ()
        cards = set(self.preselected.cards)
        indices = tuple([index for index, pick in enumerate(self.picks) if cards.issuperset(pick.cards)])
        return indices if self.combine([self.picks[index].value for index in indices]) == self.preselected else ()


def cheapest(actions: Sequence[Action], trump: int | None = None) -> Action | None:
    """The action with the lowest plain card, else with the lowest trump; ``None`` if no action has a card.

    Of equal ranks, the last suit is the lowest."""

    def cost(action: Action) -> tuple[bool, int, int]:
        card = action.cards[0]
        return suit_of(card) == trump, rank_of(card), -card

    return min([action for action in actions if action.cards], key=cost, default=None)


def taking(actions: Sequence[Action], trick: Sequence[Card], trump: int | None, boss: Card = -1) -> list[Action]:
    """The actions whose first card would be the winning card of a trick. For ``boss`` see :func:`winning_index`."""
    suit = -1 if trump is None else trump
    plays = [action for action in actions if action.cards]
    return [play for play in plays if winning_index((*trick, play.cards[0]), suit, boss) == len(trick)]


def is_highest_left(card: Card, unseen: CardSet) -> bool:
    """Whether a card is higher than all ``unseen`` cards of its suit, of which there are some."""
    return 0 < (SUIT_SETS[suit_of(card)] & unseen) < 1 << card


def words_by_kind(action: Action) -> Message:
    """The message ``action.KIND`` for an action, with its first card or else its suit, if it has one, as argument."""
    args: dict[str, Value] = {"card": action.cards[0]} if action.cards else {}
    return Message("action." + action.kind, args or ({"suit": action.args[0]} if action.args else {}))


def in_hand_order(actions: Iterable[Action], hand: Sequence[Card]) -> tuple[Action, ...]:
    """Sort actions by the place of their first card in the hand. Actions without a card of the hand are last."""
    place: dict[tuple[Card, ...], int] = {(card,): number for number, card in enumerate(hand)}
    return tuple(sorted(actions, key=lambda action: place.get(action.cards[:1], len(hand))))
