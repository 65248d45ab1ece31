"""Sorting of a hand by suit or by rank, as the player's settings say, in pictures and questions."""

from collections.abc import Sequence
from typing import Any, cast

from cardgames.engine.cards import RANKS, Card
from cardgames.layout import Layout, layout_of
from cardgames.layout.question import Question
from cardgames.layout.scene import Scene
from cardgames.ui.settings import Settings


def layout_for_settings(game: str, settings: Settings) -> Layout:
    """The layout of a game that sorts the hand as the settings say."""
    return cast(Layout, _SortedLayout(layout_of(game), settings.sort == "rank"))


def by_rank(hand: Sequence[Card], ranks: str) -> tuple[Card, ...]:
    """Sort a hand by rank, in the order of ``ranks``. Cards of one rank keep their order."""
    return tuple(sorted(hand, key=lambda card: ranks.index(RANKS[card % 13])))


class _SortedLayout:
    """A layout whose hands are sorted by rank if ``by_rank``. It builds the scene of an observation only once."""

    def __init__(self, layout: Layout, by_rank: bool) -> None:
        self._layout = layout
        self._by_rank = by_rank
        self._cached: tuple[Any, Scene] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def scene(self, observation: Any) -> Scene:
        if self._cached is None or self._cached[0] is not observation:
            scene = self._layout.scene(observation)
            hand = by_rank(scene.hand, scene.ranks) if self._by_rank else scene.hand
            self._cached = observation, scene._replace(hand=hand)
        return self._cached[1]

    def question(self, observation: Any) -> Question:
        question = self._layout.question(observation)
        return _sort_question(question, self.scene(observation).hand) if self._by_rank else question


def _sort_question(question: Question, hand: Sequence[Card]) -> Question:
    """The question with its actions on cards in the order of the hand. All other actions keep their places."""
    places = {(card,): number for number, card in enumerate(hand)}

    def in_hand_order(items: Sequence[Any]) -> tuple[Any, ...]:
        on_cards = [item for item in items if item.cards[:1] in places]
        following = iter(sorted(on_cards, key=lambda item: places[item.cards[:1]]))
        return tuple(next(following) if item.cards[:1] in places else item for item in items)

    more = tuple((message, _sort_question(further, hand)) for message, further in question.more)
    return question._replace(actions=in_hand_order(question.actions), picks=in_hand_order(question.picks), more=more)
