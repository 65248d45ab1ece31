"""The results of reviews in the store, so that nothing is judged twice."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cardgames.bots.review import JudgedChoice
    from cardgames.store import Store
    from cardgames.ui.review.judging import Review

MOST = 1e9
"""Stands for infinity, which JSON does not have."""


class StoredReview(NamedTuple):
    """The judged choices of one person in a match."""

    name: str
    game: str
    unit: str
    costs: list[tuple[int, float]]
    """The ply and the cost of each choice."""
    errors: list[tuple[int, str, str, float]]
    """The ply, grade, better action and cost of each error, the worst first."""


def save_review(store: "Store", review: "Review") -> None:
    """Store the judged choices of a review's people, and the errors of a finished match as exercises.

    Raises :class:`StoreError`."""
    from cardgames.bots.review import errors, grade_of

    match, names = review.match, review.match.header.names
    for seat in review.seats:
        if match.number is None or names is None or seat in match.header.computers:
            continue
        costs = [(one.choice.ply, round(one.cost, 4)) for one in review.judged if one.choice.is_by((seat,))]
        found = errors(match.game, review.judged, (seat,))
        named = [(one.choice.ply, grade_of(match.game, one), one.best.action.text, round(one.cost, 4)) for one in found]
        kept = StoredReview(names[seat - 1], match.game.NAME, match.unit, costs, named)
        store.write_memo(f"judged {match.number} {seat}", kept._asdict())
        for error in found if store.match(match.number).outcome else ():
            store.write_memo(f"error {match.number}/{error.choice.ply}", _as_exercise(kept, error))


def _as_exercise(kept: StoredReview, error: "JudgedChoice") -> dict[str, Any]:
    """An error as a stored exercise, with the ratings by which further answers are judged."""
    from cardgames.bots.exercises import rating_entry

    ratings = [rating_entry(rating) for rating in error.ratings]
    cost = error.cost, error.low, min(error.high, MOST)
    return {"player": kept.name, "game": kept.game, "ratings": ratings, "cost": cost, "exact": error.exact}


def stored_reviews(store: "Store") -> dict[tuple[int, int], StoredReview]:
    """The stored judged choices, by match and seat. Raises :class:`StoreError`."""
    found: dict[tuple[int, int], StoredReview] = {}
    for name, memo in store.memos("judged ").items():
        _, match, seat = name.split()
        found[int(match), int(seat)] = StoredReview(**memo)
    return found
