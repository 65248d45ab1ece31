"""The facts about each game that the tests of all games check: ``GAME`` in the module ``tests/games/NAME.py``."""

from collections.abc import Mapping
from importlib import import_module
from typing import Literal, NamedTuple, TypeAlias

Moment: TypeAlias = tuple[Literal["turn", "hand_over", "pause"], int]
"""The kind of a picture that a ``Camera`` takes, and the number of plies before it."""


class Record(NamedTuple):
    """A match on record, and the moments whose screens are kept. The screen of its end is kept too."""

    name: str
    moments: Mapping[str, Moment]
    """The moments by name. One is ``mid-game``."""


class Expected(NamedTuple):
    """The facts about a game. Fields after ``sides`` matter only for offered games."""

    clauses: tuple[str, int]
    """The letter of the clauses on the rules page, and their number."""
    fields: str
    """The names of the observation's fields. Programs read them, so none may be removed."""
    seldom: frozenset[str] = frozenset()
    """The keys of messages too rare for the matches of the suite. The game's own tests see them said."""
    cards_left: bool = False
    """Whether a match may end with cards in hand (``engine/record.py``, on ``replay --json``)."""
    sides: tuple[tuple[int, tuple[str, ...], tuple[tuple[int, ...], ...]], ...] = ()
    """Number of seats, options and sides, for each set-up in which players form sides."""
    phases: frozenset[str] = frozenset()
    """The phases in which there is a choice."""
    screens: Mapping[str, Record] = {}
    """Matches on record by the name under which their screens are kept. One name is that of the game."""


def expected(name: str) -> Expected:
    """The facts about a game."""
    found: Expected = import_module(f"tests.games.{name}").GAME
    return found
