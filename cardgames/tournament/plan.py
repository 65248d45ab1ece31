"""Who sits where in each match of a tournament, on which cards, and into which chunks it is cut."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cardgames.engine.game import AnyGame, new_game

EVENLY = "random"
"""The level that chooses evenly among the legal actions, and so needs nothing but these."""

MANY = 400
"""The units of a chunk where nobody thinks: then a match takes less time than to send it somewhere."""


class Tournament(NamedTuple):
    """Matches of one game between computers, which follow from this alone, whoever plays them and wherever."""

    game: str
    seats: int
    rules: dict[str, Any]
    levels: tuple[str, ...]
    """The levels and programs, at most one a seat. They take the seats in turn, and move on by one each match."""
    seed: int
    pairs: bool = False
    """Whether the same cards are dealt once for each rotation of the levels, so that luck of the cards cancels out."""
    programs: tuple[str, ...] = ()
    """Those of the levels that are the command of a program."""
    forgive: bool = False
    """Whether a program that fails has lost the match; else the tournament stops."""

    def new_game(self) -> AnyGame:
        """The game that is played; raises :class:`InvalidRules`."""
        return new_game(self.game, self.seats, self.rules)

    def by_usual_rules(self) -> "Tournament":
        """As many matches by the rules without options.

        They are dealt other cards, so that a difference between the two has the doubts of both. The same cards would
        make it a little surer (by 7 % for turning over in Durak, between ``fair``), by an amount unknown without them.
        """
        return self._replace(rules=new_game(self.game, self.seats, {}).rules.values(), seed=self.seed + 1)

    @property
    def rotations(self) -> int:
        """After how many matches everybody sits again where they sat; each level has then had every seat as often."""
        levels = self.levels
        return next(step for step in range(1, len(levels) + 1) if levels == levels[step:] + levels[:step])

    def seating(self, match: int) -> tuple[str, ...]:
        """The level in each seat of a match; matches count from 0."""
        return tuple([self.levels[(seat + match) % len(self.levels)] for seat in range(self.seats)])

    @property
    def tells_apart(self) -> bool:
        """Whether one side has other levels than another, so that who wins says something about them."""
        seating = self.seating(0)
        sides = {tuple(sorted([seating[seat - 1] for seat in side])) for side in self.new_game().sides}
        return len(sides) > 1 or len(set(self.levels)) == 1

    @property
    def unit(self) -> int:
        """How many matches are dealt the same cards: only together are they one independent result."""
        return self.rotations if self.pairs else 1

    @property
    def chunk(self) -> int:
        """How many matches are a chunk, which is played by one process in one go."""
        return self.unit * (MANY if set(self.levels) == {EVENLY} else 1)

    def whole(self, matches: int) -> int:
        """So many matches, and those lacking to the last rotation of a deal."""
        return -(-matches // self.unit) * self.unit


class Chunk(NamedTuple):
    """Some consecutive matches of a tournament, to be played, or to be read where their records are there."""

    number: int
    first: int
    """The number of its first match, from 0."""
    matches: int
    """How many it has: the last chunk of a tournament may be cut short."""
    recorded: bool = False
    """Whether the records of the matches are wanted."""
    records: tuple[str, ...] = ()
    """The records of all its matches, if they have been played already."""


def chunks(tournament: Tournament, matches: int) -> Iterator[Chunk]:
    """The chunks of the first ``matches`` matches, which are whole units."""
    size = tournament.chunk
    for number, first in enumerate(range(0, matches, size)):
        yield Chunk(number, first, min(size, matches - first))
