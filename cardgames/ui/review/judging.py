"""The judging of matches on all processors, with a progress bar."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgames.bots import module_of
from cardgames.bots.review import JudgedChoice, ReviewedChoice, choices, errors, judge, share_of_each
from cardgames.engine.game import AnyGame
from cardgames.engine.record import PERSON, Header, Ply, read
from cardgames.match import Substitute
from cardgames.tournament import processors, spread
from cardgames.ui.messages import Words
from cardgames.ui.progress import progress, say_if_compiling
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store


class MatchOnRecord(NamedTuple):
    """A match to be judged."""

    header: Header
    game: AnyGame
    plies: tuple[Ply, ...]
    """The positions, from the start, which is ply 0."""
    number: int | None = None
    """Its number in the store; ``None`` for a record in a file."""
    substitutes: Sequence[Substitute] = ()
    """The changes between players and stand-ins, in order; unknown for a record."""

    @property
    def unit(self) -> str:
        """The unit of values: the chance to ``win``, or ``points``."""
        found: str = module_of(self.game).UNIT
        return found

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people; all seats if computers played alone."""
        seats = range(1, self.game.seats + 1)
        return tuple([seat for seat in seats if seat not in self.header.computers]) or tuple(seats)

    def choices(self) -> list[ReviewedChoice]:
        """The choices of all seats, each with whether a computer stood in."""
        return [choice._replace(by_stand_in=self._is_away(choice)) for choice in choices(self.game, self.plies)]

    def _is_away(self, choice: ReviewedChoice) -> bool:
        """Whether a computer stood in for the seat of a choice."""
        levels = [change.level for change in self.substitutes if change.seat == choice.by and change.ply < choice.ply]
        return levels[-1:] not in ([], [PERSON])


def match_in(store: "Store", number: int) -> MatchOnRecord:
    """A match of the store. Raises :class:`UnknownMatch`, :class:`StoreError`, and :class:`RecordError` for a match by
    older rules."""
    header, game, plies = read([line.encode() for line in store.export(number)])
    return MatchOnRecord(header, game, tuple(plies), number, store.substitutes(number))


class Review(NamedTuple):
    """A judged match."""

    match: MatchOnRecord
    seats: tuple[int, ...]
    """The seats that the review is about."""
    judged: tuple[JudgedChoice, ...]
    """The judged choices in order, of all seats or of those alone."""

    @property
    def errors(self) -> list[JudgedChoice]:
        """The errors of these seats, the worst first."""
        return errors(self.match.game, self.judged, self.seats)


Task: TypeAlias = tuple[AnyGame, ReviewedChoice, float]
"""A choice to be judged, with its share of the work of ``strong``."""


def reviewed(match: MatchOnRecord, seat: int | None, settings: Settings, jobs: int | None = None) -> Review:
    """Judge all choices of a match in up to ``jobs`` processes, for a review of one ``seat``, or of all people.

    Raises :class:`WorkersLost`."""
    with judged(tasks(match), settings, jobs) as every:
        return Review(match, (seat,) if seat else match.people, tuple(every))


def reviewed_for(played: Sequence[tuple[MatchOnRecord, int]], settings: Settings) -> list[Review]:
    """Judge the choices of one person in several matches, each with their seat.

    Raises :class:`WorkersLost`."""
    todo = [[task for task in tasks(match, seat) if task[1].is_by((seat,))] for match, seat in played]
    with judged([*chain.from_iterable(todo)], settings) as every:
        coming = iter(every)
        return [
            Review(match, (seat,), tuple(islice(coming, len(own))))
            for (match, seat), own in zip(played, todo, strict=True)
        ]


def tasks(match: MatchOnRecord, seat: int | None = None) -> list[Task]:
    """The choices of a match, or of one ``seat``, as tasks that share the work equally."""
    every = match.choices()
    share = share_of_each(len(every))
    return [(match.game, choice, share) for choice in every if seat in (None, choice.by)]


def judged(
    todo: Sequence[Task], settings: Settings, jobs: int | None = None
) -> AbstractContextManager[Iterable[JudgedChoice]]:
    """The choices judged in order, by default on all processors, with a progress bar.

    Raises :class:`WorkersLost`."""
    text = Words(settings.language).text
    if todo:
        say_if_compiling(todo[0][0].NAME, text("compiling"))
    return progress(spread(judge, todo, jobs or processors()), len(todo), text("review.working"), settings.plain)
