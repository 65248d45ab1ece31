"""A hand by rank instead of by suit, as it lies and as it is offered, for those who want it so."""

from collections.abc import Sequence
from typing import Any, cast

from cardgames.engine.cards import RANKS, Card
from cardgames.layout import Layout, Question, Scene, layout_of
from cardgames.ui.settings import Settings


def laid_out(game: str, settings: Settings) -> Layout:
    """The layout of a game, with the hand as this player wants it."""
    layout = layout_of(game)
    return layout if settings.sort == "suit" else cast(Layout, _ByRank(layout))


def by_rank(hand: Sequence[Card], ranks: str) -> tuple[Card, ...]:
    """A hand with the first of ``ranks`` first, and within a rank in the order in which it was."""
    return tuple(sorted(hand, key=lambda card: ranks.index(RANKS[card % 13])))


class _ByRank:
    """The layout of a game with the hand by rank."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def scene(self, observation: Any) -> Scene:
        scene = self._layout.scene(observation)
        return scene._replace(hand=by_rank(scene.hand, scene.ranks))

    def question(self, observation: Any) -> Question:
        return _in_order(self._layout.question(observation), self.scene(observation).hand)


def _in_order(question: Question, hand: Sequence[Card]) -> Question:
    """The question with what is done with a card in the order of the hand; everything else stays in its place."""
    place = {card: number for number, card in enumerate(hand)}

    def ordered(items: Sequence[Any]) -> tuple[Any, ...]:
        held = sorted([item for item in items if _card(item) in place], key=lambda item: place[_card(item)])
        following = iter(held)
        return tuple(next(following) if _card(item) in place else item for item in items)

    more = tuple((message, _in_order(further, hand)) for message, further in question.more)
    return question._replace(actions=ordered(question.actions), picks=ordered(question.picks), more=more)


def _card(item: Any) -> Any:
    """The card that an action or a pick begins with, or ``None``."""
    return item.cards[0] if item.cards else None
