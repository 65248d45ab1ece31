"""The place of everything on the table: each game's observation as a :class:`Scene`, pure data that knows no terminal.

``layout_of(game)`` is the module of a game, which offers

- ``scene(observation) -> Scene``,
- ``words(action) -> Message``: the move as a player would say it,
- ``sheet(observation) -> Sheet``: the score sheet,
- ``last(observation) -> tuple[Block, ...]``: the last trick, bout or turn, as far as it can still be seen,
- ``cleared(event) -> tuple[Block, ...]``: the cards that the event removes from the table, as they lay there; empty
  where they can still be seen,
- ``question(observation) -> Question``: the question for a move,
- ``PAUSES``: the events after which the table rests for a moment,
- ``ENDS``: the events that repeat the outcome of the match,
- ``CARD_ORDERS``: how the cards of some events are told: suit by suit where their order has no meaning, or in a row,
- ``LETTERS``: the keys of what can be done without naming a card, by the notation of an action, its kind, the key of
  the message of a further question, or the value of a pick; ``p`` is to pass or to stop, ``standing`` to do so for the
  rest of the bout.

A game without a module is laid out by ``default``. The parts of a scene are in ``scene``, those of a question in
``question``.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from cardgames.engine.cards import Card
from cardgames.engine.game import Action, Event
from cardgames.layout.question import Question
from cardgames.layout.scene import Block, Message, Scene, Sheet


class Layout(Protocol):
    """The functions and names that the module of a game offers."""

    PAUSES: frozenset[str]
    ENDS: frozenset[str]
    CARD_ORDERS: Mapping[str, Callable[[Sequence[Card]], tuple[Card, ...]]]
    LETTERS: Mapping[str, str]

    def scene(self, observation: Any) -> Scene: ...
    def words(self, action: Action) -> Message: ...
    def sheet(self, observation: Any) -> Sheet: ...
    def last(self, observation: Any) -> tuple[Block, ...]: ...
    def cleared(self, event: Event) -> tuple[Block, ...]: ...
    def question(self, observation: Any) -> Question: ...


def layout_of(game: str) -> Layout:
    """The module that lays out a game."""
    try:
        found: Any = import_module(f"cardgames.layout.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"cardgames.layout.{game}":
            raise
        found = import_module("cardgames.layout.default")
    return found  # type: ignore[no-any-return]
