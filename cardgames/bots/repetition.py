"""Spaced repetition: when an exercise is tried again, by how it went so far."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeAlias

DAYS = (1, 3, 7, 21)
"""After how many days an exercise comes back that was solved once, twice and so on in a row."""
A_DAY = 10
"""How many exercises come back on one day at most."""

Tries: TypeAlias = Sequence[tuple[str, bool]]
"""The days on which an exercise was tried, as ISO 8601 has them, and whether it was solved then."""


def is_known(tries: Tries) -> bool:
    """Whether it was solved so often in a row that it does not come back."""
    return _row(tries) > len(DAYS)


def is_due(tries: Tries, today: date) -> bool:
    """Whether it is to be tried today: at once for the first time, and on the day after it was not solved."""
    if not tries or is_known(tries):
        return not tries
    wait = DAYS[max(0, _row(tries) - 1)]
    return date.fromisoformat(tries[-1][0]) + timedelta(wait) <= today


def due(tried: Sequence[Tries], today: date) -> list[int]:
    """The places of the exercises to be tried today, with those of today already ``A_DAY`` at most."""
    done = sum([any(day == today.isoformat() for day, _ in tries) for tries in tried])
    return [place for place, tries in enumerate(tried) if is_due(tries, today)][: max(0, A_DAY - done)]


def _row(tries: Tries) -> int:
    """How often it was solved in a row by now."""
    row = 0
    for _, solved in tries:
        row = row + 1 if solved else 0
    return row
