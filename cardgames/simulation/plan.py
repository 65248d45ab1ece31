"""The plan of a simulation: seats, cards and chunks."""

from collections.abc import Iterator
from typing import NamedTuple

from cardgames.engine.game import AnyGame, RuleValues, new_game

RANDOM = "random"
"""The level that chooses uniformly among the legal actions, and needs no observation."""

RANDOM_UNITS = 400
"""The units in a chunk if all players are random. Sending their match takes longer than playing it."""


class Simulation(NamedTuple):
    """A simulation of one game between computers. Its results depend on these fields alone."""

    game: str
    seats: int
    rules: RuleValues
    levels: tuple[str, ...]
    """The levels and programs, at most one per seat. They take the seats in turn, and move by one seat each match."""
    seed: int
    pairs: bool = False
    """Whether the same cards are dealt once for each rotation of the levels, so that luck cancels out."""
    programs: tuple[str, ...] = ()
    """The levels that are commands of programs."""
    forgive: bool = False
    """Whether a failing program loses the match; else the simulation stops."""

    def new_game(self) -> AnyGame:
        """The game that is played. Raises :class:`InvalidRules`."""
        return new_game(self.game, self.seats, self.rules)

    def with_default_rules(self) -> "Simulation":
        """The same simulation under the default rules, with other cards, so that both results are independent.

        With the same cards their difference would be more certain, but by an amount not known beforehand (7 % for
        turning over in Durak, between ``fair`` players)."""
        return self._replace(rules=new_game(self.game, self.seats, {}).rules.values(), seed=self.seed + 1)

    @property
    def rotations(self) -> int:
        """The smallest number of matches after which each level has had each seat equally often."""
        levels = self.levels
        return next(step for step in range(1, len(levels) + 1) if levels == levels[step:] + levels[:step])

    def seating(self, match: int) -> tuple[str, ...]:
        """The level in each seat of a match; matches are numbered from 0."""
        return tuple([self.levels[(seat + match) % len(self.levels)] for seat in range(self.seats)])

    @property
    def can_compare(self) -> bool:
        """Whether wins by level or seat tell anything: there is one level, or sides with different ones."""
        seating = self.seating(0)
        sides = {tuple(sorted([seating[seat - 1] for seat in side])) for side in self.new_game().sides}
        return len(sides) > 1 or len(set(self.levels)) == 1

    @property
    def unit(self) -> int:
        """The number of matches with the same cards, which together are one independent result."""
        return self.rotations if self.pairs else 1

    @property
    def chunk_size(self) -> int:
        """The number of matches in a chunk."""
        return self.unit * (RANDOM_UNITS if set(self.levels) == {RANDOM} else 1)

    def round_up(self, matches: int) -> int:
        """Round a number of matches up to a multiple of :attr:`unit`."""
        return -(-matches // self.unit) * self.unit


class Chunk(NamedTuple):
    """Consecutive matches of a simulation, to be played, or read from their records."""

    number: int
    first: int
    """The number of the chunk's first match, from 0."""
    matches: int
    """The number of matches, which may be smaller in a simulation's last chunk."""
    recorded: bool = False
    records: tuple[str, ...] = ()
    """The records of all matches of the chunk; empty if the matches are still to be played."""


def chunks(simulation: Simulation, matches: int) -> Iterator[Chunk]:
    """Split the first ``matches`` matches of a simulation into chunks; ``matches`` must be a multiple of its unit."""
    size = simulation.chunk_size
    for number, first in enumerate(range(0, matches, size)):
        yield Chunk(number, first, min(size, matches - first))
