"""Matches played by the numbers of their choices, for libraries with a fixed, small number of choices.

An action in the game's ``ACTIONS`` is one choice. For any other action, such as ``discard 7C 9H`` or ``JC>TC``, the
cards are chosen one after another, in the order of the notation: one of the 53,130 discards of five cards takes five
choices among 25. A choice that leaves one legal action completes it."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import Action, AnyGame, Event

END = "end"
"""The label of the choice that completes an action without a further card."""


class Selection(NamedTuple):
    """An action under selection: its kind, and its cards chosen so far. Empty before the first choice."""

    kind: str = ""
    cards: tuple[Card, ...] = ()

    def begins(self, action: Action) -> bool:
        """Whether an action can still result from this selection."""
        return not self.kind or (action.kind == self.kind and action.cards[: len(self.cards)] == self.cards)


class ActionNumbers:
    """The choices of a game, numbered from 0 in an order that depends only on the game and its options."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        pack = sorted({NAMES[card] for card in game.pack})
        selected = [f"{kind} {card} …" for kind in game.SELECTIONS for card in pack]
        single = [text for text, action in game.ACTIONS.items() if set(action.cards) <= set(game.pack)]
        self.labels: tuple[str, ...] = (*sorted(single), *selected, *[END] * bool(selected))  # END only with SELECTIONS
        """The label of each choice, by number: an action's notation, or ``discard 7C …`` for one of several cards."""
        self._numbers = {label: number for number, label in enumerate(self.labels)}

    def choices(self, legal: Sequence[Action], selection: Selection) -> Mapping[int, Selection | Action]:
        """Map each number that is legal after ``selection`` to its result. The numbers are in ascending order.

        The result is the only action that is left or, if there are several, ``selection`` with one more card."""
        result: dict[int, list[Action]] = {}
        for action in legal:
            if selection.begins(action):
                result.setdefault(self._number(action, selection), []).append(action)
        longer = len(selection.cards) + 1
        return {
            number: actions[0] if len(actions) == 1 else Selection(actions[0].kind, actions[0].cards[:longer])
            for number, actions in sorted(result.items())
        }

    def _number(self, action: Action, selection: Selection) -> int:
        """The number of the choice that continues a selection towards an action."""
        chosen = len(selection.cards)
        if selection.kind and chosen == len(action.cards):
            return self._numbers[END]
        if not selection.kind and action.text in self._game.ACTIONS:
            return self._numbers[action.text]
        return self._numbers[f"{action.kind} {NAMES[action.cards[chosen]]} …"]


class Episode:
    """A match in progress: its state, and an unfinished selection. A shallow copy is independent."""

    def __init__(self, game: AnyGame, numbers: ActionNumbers) -> None:
        self.game = game
        self.state: Any = game.start()
        self.numbers = numbers
        self._selection = Selection()
        self._choices: Mapping[int, Selection | Action] | None = None

    @property
    def to_act(self) -> int | None:
        """The acting seat, ``CHANCE``, or ``None`` when the match is over."""
        return self.game.to_act(self.state)

    @property
    def choices(self) -> Mapping[int, Selection | Action]:
        """The numbers that the acting seat may choose, each with its result; empty if chance is to act."""
        if self._choices is None:
            self._choices = self.numbers.choices(self.game.legal_actions(self.state), self._selection)
        return self._choices

    def choose(self, number: int) -> tuple[Event, ...]:
        """Make a choice; return the events if it completes an action. Raises ``ValueError`` for an illegal number."""
        if number not in self.choices:
            raise ValueError(f"{number} is not legal here; {sorted(self.choices)} are")
        chosen = self.choices[number]
        if isinstance(chosen, Action):
            return self.apply(chosen)
        self._selection, self._choices = chosen, None
        return ()

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Apply a complete action of a seat or of chance; return its events. Raises ``IllegalAction``."""
        events: list[Event] = []
        self.state = self.game.apply(self.state, action, events.append)
        self._selection, self._choices = Selection(), None
        return tuple(events)

    def deal(self, rng: Random) -> None:
        """Apply random actions of chance until a seat is to act or the match is over."""
        while chance := self.game.chance(self.state):
            self.apply(chance.sample(rng))
