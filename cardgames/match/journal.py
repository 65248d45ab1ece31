"""The journal of a match: its actions and its undos, in order.

Several processes may share a journal, each with its own :class:`~cardgames.match.Match`, and read what the others
append. If two processes append at the same position, the second gets :class:`JournalConflict` and has to read first."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Outcome

Move: TypeAlias = tuple[int, str]
"""The acting seat, 0 for chance, and the notation of the action."""

Scores: TypeAlias = Sequence[int]
"""The score of each seat after an action or an undo."""


class Substitute(NamedTuple):
    """A change of a seat's player: a computer stands in, or the seat's own player is back."""

    seat: int
    ply: int
    """The ply of the last action before the change."""
    level: str
    """The level of the computer that stands in; ``PERSON`` if the seat's own player is back."""


class JournalPosition(NamedTuple):
    """A position in a journal."""

    ply: int = 0
    """The number of actions before the position, without undone ones."""
    undos: int = 0


class Undo(NamedTuple):
    """An undo, which removes the last actions of a match."""

    to_ply: int
    """The last ply that remains."""
    by: int
    """The seat that asked for the undo."""


class News(NamedTuple):
    """The unread part of a journal."""

    undos: Sequence[Undo]
    moves: Sequence[Move]
    """The actions that follow the last ply that was already read and is not undone."""


class JournalConflict(Exception):
    """The journal has grown since the caller read it."""


class Journal(Protocol):
    """The interface of a match's journal."""

    def read(self, after: JournalPosition) -> News:
        """The undos and actions after the position ``after``."""

    def append(self, after: JournalPosition, by: int, act: str, scores: Scores, outcome: Outcome | None = None) -> None:
        """Append and store an action of seat ``by`` in the notation ``act``.

        ``scores`` has the score of each seat after the action; ``outcome`` is given if the action ends the match.
        Raises :class:`JournalConflict` unless the journal ends at ``after``."""

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Scores) -> None:
        """Append an undo of all actions after ply ``to_ply``, for which seat ``by`` asked.

        ``scores`` has the score of each seat at that ply. Raises :class:`JournalConflict` unless the journal ends at
        ``after``."""


class MemoryJournal:
    """A journal in memory, for lessons, tests and unsaved matches."""

    def __init__(self, moves: Iterable[Move] = ()) -> None:
        """Begin with the actions ``moves``."""
        self.moves = list(moves)
        self.undos: list[Undo] = []

    def read(self, after: JournalPosition) -> News:
        undos = self.undos[after.undos :]
        return News(undos, self.moves[min([after.ply, *[undo.to_ply for undo in undos]]) :])

    def append(self, after: JournalPosition, by: int, act: str, scores: Scores, outcome: Outcome | None = None) -> None:
        self._check(after)
        self.moves.append((by, act))  # the scores and the outcome follow from the actions

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Scores) -> None:
        self._check(after)
        del self.moves[to_ply:]
        self.undos.append(Undo(to_ply, by))

    def _check(self, after: JournalPosition) -> None:
        """Raise :class:`JournalConflict` unless the journal ends at ``after``."""
        if after != JournalPosition(len(self.moves), len(self.undos)):
            raise JournalConflict
