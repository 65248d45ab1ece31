"""The journal of a match: its actions in order, and its undos.

The journal is all there is of a match. Several processes may share one, each with its own
:class:`~cardgames.match.Match`, and read what the others append. If two append at the same position, the second
raises :class:`Overtaken`, reads on and continues from there."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Outcome

Move: TypeAlias = tuple[int, str]
"""The acting seat, 0 for chance, and its action in notation."""


class Substitute(NamedTuple):
    """A change of the player of a seat, to a computer or back."""

    seat: int
    ply: int
    """The number of the last action before it."""
    level: str
    """The level of the computer that stands in, or ``PERSON`` when the seat's own player is back."""


class JournalPosition(NamedTuple):
    """A position in a journal, up to which it has been read."""

    ply: int = 0
    """The number of actions before it."""
    undos: int = 0
    """The number of undos before it, which tells apart positions after the same number of actions."""


class Undo(NamedTuple):
    """An undo."""

    to_ply: int
    """The last remaining ply."""
    by: int
    """The seat that asked for it."""


class News(NamedTuple):
    """The unread part of a journal."""

    undos: Sequence[Undo]
    """The undos, in order."""
    moves: Sequence[Move]
    """The actions after the last ply that was read and remains."""


def unread(after: JournalPosition, undos: Sequence[Undo], moves: Sequence[Move]) -> News:
    """The news of a journal with all these undos and moves since the position ``after``."""
    undone = undos[after.undos :]
    stayed = min([after.ply, *[undo.to_ply for undo in undone]])
    return News(undone, moves[stayed:])


class Overtaken(Exception):
    """Somebody else has written to the journal first."""


class Journal(Protocol):
    """The journal of one match."""

    def read(self, after: JournalPosition) -> News:
        """The news since a position."""

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        """Append an action of seat ``by`` in the notation ``act``; it is stored when this returns.

        ``scores`` are those after it, one per seat; an ``outcome`` ends the match. Raises :class:`Overtaken` if the
        journal does not end at ``after``."""

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Remove the actions after ``to_ply`` from the record, for seat ``by``.

        ``scores`` are those after ``to_ply``. Raises :class:`Overtaken` if the journal does not end at ``after``."""


class MemoryJournal:
    """A journal in memory, for lessons, tests and unsaved matches."""

    def __init__(self, moves: Iterable[Move] = ()) -> None:
        """``moves`` are the actions so far."""
        self.moves = list(moves)
        self.undos: list[Undo] = []

    def read(self, after: JournalPosition) -> News:
        """See :class:`Journal`."""
        return unread(after, self.undos, self.moves)

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        """See :class:`Journal`."""
        self._check(after)
        self.moves.append((by, act))

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """See :class:`Journal`."""
        self._check(after)
        del self.moves[to_ply:]
        self.undos.append(Undo(to_ply, by))

    def _check(self, after: JournalPosition) -> None:
        """Raise :class:`Overtaken` unless the journal ends at ``after``."""
        if after != JournalPosition(len(self.moves), len(self.undos)):
            raise Overtaken
