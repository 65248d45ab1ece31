"""The journal of a match: what has been done, in order, and what of it was taken back.

It is all that a match is. Several processes may share one, each with a :class:`~cardgames.match.Match` of its own:
what one of them adds, the others read; of two that add at the same place the journal takes the first, and the second
is :class:`Overtaken`, reads on and goes on from there.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Outcome

Move: TypeAlias = tuple[int, str]
"""Who acted, 0 for chance, and the action in its notation."""


class Substitute(NamedTuple):
    """The moment from which another player plays a seat: a computer, or its own player again."""

    seat: int
    ply: int
    """The number of the last action before it."""
    level: str
    """The level of the computer that plays the seat, or ``PERSON`` where its own player has come back."""


class JournalPosition(NamedTuple):
    """How far somebody has read in a journal."""

    ply: int = 0
    """How many actions stood there."""
    undos: int = 0
    """How often something had been taken back, so that other actions may stand there now."""


class Undo(NamedTuple):
    """Actions that were taken back."""

    to_ply: int
    """The last ply that stayed."""
    by: int
    """The seat that took back."""


class News(NamedTuple):
    """The part of a journal that somebody has not read yet."""

    undos: Sequence[Undo]
    """How actions were taken back since, in order."""
    moves: Sequence[Move]
    """The actions that stand after the last ply that had been read and has stayed."""


def unread(after: JournalPosition, undos: Sequence[Undo], moves: Sequence[Move]) -> News:
    """The news of a journal with all these undos and moves, for somebody who has read it up to ``after``."""
    undone = undos[after.undos :]
    stayed = min([after.ply, *[undo.to_ply for undo in undone]])
    return News(undone, moves[stayed:])


class Overtaken(Exception):
    """Somebody else has written to the journal first."""


class Journal(Protocol):
    """Keeps the journal of one match."""

    def read(self, after: JournalPosition) -> News:
        """The news since a position."""

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        """Add an action by seat ``by``, in the notation ``act``; it is safe when this returns.

        ``scores`` are those after it, one number a seat; with an ``outcome`` the match is over. Raises
        :class:`Overtaken` if ``after`` is not where the journal ends.
        """

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Take the actions after ``to_ply`` out of the record, at the wish of seat ``by``.

        ``scores`` are those after ``to_ply``. Raises :class:`Overtaken` if ``after`` is not where the journal ends.
        """


class MemoryJournal:
    """A journal that lasts as long as the process: for lessons, for tests, for matches that nobody keeps."""

    def __init__(self, moves: Iterable[Move] = ()) -> None:
        """``moves`` are those that have been made already."""
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
        """Raise :class:`Overtaken` unless the journal ends there."""
        if after != JournalPosition(len(self.moves), len(self.undos)):
            raise Overtaken
