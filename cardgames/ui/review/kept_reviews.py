"""The results of reviews in the store, so that no match is judged twice."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.ui.review.judging import Review

INFINITE_COST = 1e9
"""The number stored for infinity, which JSON cannot express."""


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
    """Store the judged choices and, after the match, the errors as exercises. Raises :class:`StoreError`."""
    from cardgames.bots.exercises import rating_entries
    from cardgames.bots.review import errors, grade_of

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


def stored_reviews(store: "Store") -> dict[tuple[int, int], StoredReview]:
    """The stored reviews, by match number and seat. Raises :class:`StoreError`."""
    reviews: dict[tuple[int, int], StoredReview] = {}
    for name, memo in store.memos("judged ").items():
        _, match, seat = name.split()
        reviews[int(match), int(seat)] = StoredReview(**memo)
    return reviews
