"""Layouts, which turn the observations of a game into scenes: data that does not depend on a terminal.

A game without a module has the layout ``default``. The parts of a scene are in ``scene``, those of a question in
``question``."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from cardgames.engine.cards import Card
from cardgames.engine.game import Action, Event, Message
from cardgames.layout.question import Question
from cardgames.layout.scene import Block, Scene, Sheet


class Layout(Protocol):
    """The interface of a layout module."""

    PAUSES: frozenset[str]
    """The keys of events that are followed by a pause."""
    ENDS: frozenset[str]
    """The keys of events that repeat the outcome of the match."""
    HAND_ORDER: str
    """The order of hands by default, by ``suit`` or by ``rank``."""
    CARD_ORDERS: Mapping[str, Callable[[Sequence[Card]], tuple[Card, ...]]]
    """By the key of an event, the function that sorts its cards for a message."""
    LETTERS: Mapping[str, str]
    """The letters of choices without a card. A choice is named by the notation or the kind of its action, by the
    message key of its further question, or by the value of its pick. ``standing`` is the key that passes until the end
    of the bout."""

    def scene(self, observation: Any) -> Scene:
        """The table as the seat of the observation sees it."""

    def words(self, action: Action) -> Message:
        """The action in the words of a player."""

    def sheet(self, observation: Any) -> Sheet:
        """The score sheet."""

    def look_back(self, observation: Any) -> tuple[Block, ...]:
        """The last trick, bout or turn, as far as the rules let players see it."""

    def removed_blocks(self, event: Event) -> tuple[Block, ...]:
        """The cards that an event removes from the table, as they lay there."""

    def question(self, observation: Any) -> Question:
        """The question for a move."""


def layout_of(game: str) -> Layout:
    """Import the layout of a game, or ``default`` if the game has none."""
    name = game if find_spec(f"cardgames.layout.{game}") else "default"
    return import_module(f"cardgames.layout.{name}")
