"""What the tests have to know of each game: the module ``tests/games/NAME.py`` has it as ``GAME``."""

from collections.abc import Mapping
from importlib import import_module
from typing import Literal, NamedTuple, TypeAlias

Moment: TypeAlias = tuple[Literal["turn", "hand_over", "pause"], int]
"""A picture that a ``Camera`` takes, and after how many plies."""


class Record(NamedTuple):
    """A match on record, and the moments of it whose screens are kept; its end as well."""

    name: str
    moments: Mapping[str, Moment]
    """By their names. One is ``mid-game``."""


class Expected(NamedTuple):
    """What is expected of a game. What comes after ``sides`` is asked of those games alone that are offered."""

    clauses: tuple[str, int]
    """The letter of the clauses on the rules page, and how many there are."""
    fields: str
    """The names of the fields of its observation, which programs of others read: only to be added to."""
    seldom: frozenset[str] = frozenset()
    """Messages that the game has a test of its own for, and that the matches of the suite may be without."""
    cards_left: bool = False
    """Whether a match may end with cards in hand (``engine/record.py``, on ``replay --json``)."""
    sides: tuple[tuple[int, tuple[str, ...], tuple[tuple[int, ...], ...]], ...] = ()
    """The sides that players form, by their number and the options with which they do; else everybody is alone."""
    phases: frozenset[str] = frozenset()
    """The phases in which there is a choice."""
    screens: Mapping[str, Record] = {}
    """What is looked at on the screen, by the name under which it is kept; that of the game is one."""


def expected(name: str) -> Expected:
    """What is expected of a game."""
    found: Expected = import_module(f"tests.games.{name}").GAME
    return found
