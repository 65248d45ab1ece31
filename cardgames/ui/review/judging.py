"""The judging of matches on all processors, with a progress bar. The store keeps the results."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgames.bots import module_of
from cardgames.bots.review import JudgedChoice, ReviewedChoice, choices, errors, grade_of, judge, share_of_each
from cardgames.engine.game import AnyGame
from cardgames.engine.record import PERSON, Header, Ply, read
from cardgames.match import Substitute
from cardgames.simulation.workers import map_parallel, processors
from cardgames.ui.messages import Words
from cardgames.ui.progress import progress_bar, say_if_compiling
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store

INFINITE_COST = 1e9
"""The number stored for infinity, which JSON cannot express."""


class MatchOnRecord(NamedTuple):
    """A recorded match, which can be judged."""

    header: Header
    game: AnyGame
    plies: tuple[Ply, ...]
    """The positions in order; ply 0 is the start."""
    number: int | None = None
    """The number of the match in the store; ``None`` for a record in a file."""
    substitutes: Sequence[Substitute] = ()
    """The changes between players and stand-ins, in order; empty for a record in a file."""

    @property
    def unit(self) -> str:
        """The unit of values: ``win`` for probabilities of winning, or ``points``."""
        unit: str = module_of(self.game).UNIT
        return unit

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, or all seats if only computers played."""
        seats = range(1, self.game.seats + 1)
        return tuple([seat for seat in seats if seat not in self.header.computers]) or tuple(seats)

    def choices(self) -> list[ReviewedChoice]:
        """The choices of all seats in order. Choices by stand-ins are marked."""
        found = []
        for choice in choices(self.game, self.plies):
            changes = [each for each in self.substitutes if each.seat == choice.by and each.ply < choice.ply]
            found.append(choice._replace(by_stand_in=bool(changes) and changes[-1].level != PERSON))
        return found


def stored_match(store: "Store", number: int) -> MatchOnRecord:
    """The match of this number. Raises :class:`UnknownMatch`, :class:`StoreError`, :class:`RecordError`."""
    header, game, plies = read([line.encode() for line in store.export(number)])
    return MatchOnRecord(header, game, tuple(plies), number, store.substitutes(number))


class Review(NamedTuple):
    """A judged match."""

    match: MatchOnRecord
    seats: tuple[int, ...]
    """The seats that the review is about."""
    judged: tuple[JudgedChoice, ...]
    """The judged choices in order, either of all seats or of ``seats`` only."""

    @property
    def errors(self) -> list[JudgedChoice]:
        """The errors made at ``seats``, the worst first."""
        return errors(self.match.game, self.judged, self.seats)


Task: TypeAlias = tuple[AnyGame, ReviewedChoice, float]
"""The arguments of :func:`judge`: a game, a choice, and the effort, as a share of that of the level ``strong``."""


def review_match(match: MatchOnRecord, seat: int | None, settings: Settings, jobs: int | None = None) -> Review:
    """Judge all choices of a match. The review is about one ``seat`` or, if it is ``None``, about all people.

    ``jobs``: the number of processes, by default one for each processor. Raises :class:`WorkersLost`."""
    with judged_choices(judging_tasks(match), settings, jobs, match) as judged:
        return Review(match, (seat,) if seat else match.people, tuple(judged))


def review_matches(played: Sequence[tuple[MatchOnRecord, int]], settings: Settings) -> list[Review]:
    """Judge one person's choices in several matches, without those by stand-ins; return a review of each match.

    ``played``: pairs of a match and the person's seat in it. Raises :class:`WorkersLost`."""
    tasks = [[task for task in judging_tasks(match, seat) if task[1].is_by((seat,))] for match, seat in played]
    with judged_choices([*chain.from_iterable(tasks)], settings) as judged:
        remaining = iter(judged)
        return [
            Review(match, (seat,), tuple(islice(remaining, len(tasks_of_match))))
            for (match, seat), tasks_of_match in zip(played, tasks, strict=True)
        ]


def judging_tasks(match: MatchOnRecord, seat: int | None = None) -> list[Task]:
    """Tasks that judge the choices of a match, or of one ``seat``. Each choice of a match gets the same effort."""
    all_choices = match.choices()
    share = share_of_each(len(all_choices))
    return [(match.game, choice, share) for choice in all_choices if seat in (None, choice.by)]


def judged_choices(
    todo: Sequence[Task], settings: Settings, jobs: int | None = None, match: MatchOnRecord | None = None
) -> AbstractContextManager[Iterable[JudgedChoice]]:
    """Judge the tasks ``todo`` in ``jobs`` processes, by default one for each processor, and show a progress bar.

    ``match``: the match of all tasks, if the bar is to name it. The context's value is an iterator over the judged
    choices in order. The iterator may raise :class:`WorkersLost`."""
    words = Words(settings.language, match.game.NAME if match else None)
    title = words.match_title(match.number) if match else ""
    text = words.text("review.working_on", title=title) if match else words.text("review.working")
    if todo:
        say_if_compiling(todo[0][0].NAME, words.text("compiling"))
    return progress_bar(map_parallel(judge, todo, jobs or processors()), len(todo), text, settings.plain)


def save_review(store: "Store", review: Review) -> None:
    """Store the judged choices and, after the match, the errors as exercises. Raises :class:`StoreError`."""
    from cardgames.bots.exercises import rating_entries
    from cardgames.store.progress import StoredReview

    match, names = review.match, review.match.header.names
    for seat in review.seats:
        if match.number is None or names is None or seat in match.header.computers:
            continue
        costs = [(judged.choice.ply, round(judged.cost, 4)) for judged in review.judged if judged.choice.is_by((seat,))]
        own_errors = errors(match.game, review.judged, (seat,))
        entries = [
            (error.choice.ply, grade_of(match.game, error), error.best.action.text, round(error.cost, 4))
            for error in own_errors
        ]
        stored = StoredReview(names[seat - 1], match.game.NAME, match.unit, costs, entries)
        store.write_memo(f"judged {match.number} {seat}", stored._asdict())
        if store.match(match.number).outcome:
            for error in own_errors:  # the ratings judge answers to the exercise
                cost = error.cost, error.low, min(error.high, INFINITE_COST)
                memo = {"player": stored.name, "game": stored.game, "cost": cost, "exact": error.exact}
                ratings = rating_entries(error.ratings)
                store.write_memo(f"error {match.number}/{error.choice.ply}", {**memo, "ratings": ratings})
