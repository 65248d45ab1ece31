"""The judging of matches on all processors, with a progress bar. The store keeps the results."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING

from cardgames.bots.review import JudgedChoice, MatchOnRecord, Review, Task, judge
from cardgames.engine.record import read
from cardgames.simulation.workers import map_parallel, processors
from cardgames.ui.messages import Words
from cardgames.ui.progress import progress_bar, say_if_compiling
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store

INFINITE_COST = 1e9
"""The number stored for infinity, which JSON cannot express."""


def stored_match(store: "Store", number: int) -> MatchOnRecord:
    """The match of this number. Raises :class:`UnknownMatch`, :class:`StoreError`, :class:`RecordError`."""
    header, game, plies = read([line.encode() for line in store.export(number)])
    return MatchOnRecord(header, game, tuple(plies), number, store.substitutes(number))


def review_match(match: MatchOnRecord, seat: int | None, settings: Settings, jobs: int | None = None) -> Review:
    """Judge all choices of a match. The review is about one ``seat`` or, if it is ``None``, about all people.

    ``jobs``: the number of processes, by default one for each processor. Raises :class:`WorkersLost`."""
    with judged_choices(match.tasks(), settings, jobs, match) as judged:
        return Review(match, (seat,) if seat else match.people, tuple(judged))


def review_matches(played: Sequence[tuple[MatchOnRecord, int]], settings: Settings) -> list[Review]:
    """Judge one person's choices in several matches, without those by stand-ins; return a review of each match.

    ``played``: pairs of a match and the person's seat in it. Raises :class:`WorkersLost`."""
    tasks = [[task for task in match.tasks(seat) if task[1].is_by((seat,))] for match, seat in played]
    with judged_choices([*chain.from_iterable(tasks)], settings) as judged:
        remaining = iter(judged)
        return [
            Review(match, (seat,), tuple(islice(remaining, len(tasks_of_match))))
            for (match, seat), tasks_of_match in zip(played, tasks, strict=True)
        ]


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
    from cardgames.store.errors import UnknownMatch
    from cardgames.store.progress import StoredError, StoredReview

    match, names = review.match, review.match.header.names
    for seat in review.seats:
        if match.number is None or names is None or seat in match.header.computers:
            continue
        name, game = names[seat - 1], match.game
        costs = [(judged.choice.ply, round(judged.cost, 4)) for judged in review.judged if judged.choice.is_by((seat,))]
        entries, exercises = [], []
        for error in review._replace(seats=(seat,)).errors:
            ply, cost = error.choice.ply, (error.cost, error.low, min(error.high, INFINITE_COST))
            entries.append((ply, error.grade, error.best.action.text, round(error.cost, 4)))
            ratings = rating_entries(error.ratings)  # they judge answers to the exercise
            exercises.append(StoredError(match.number, ply, name, game.NAME, cost, error.exact, ratings))
        stored = StoredReview(name, game.NAME, match.unit, costs, entries)
        with suppress(UnknownMatch):  # the match has been deleted during the review, which can be read all the same
            store.save_review(match.number, seat, stored, exercises)
