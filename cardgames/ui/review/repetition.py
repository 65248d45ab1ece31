"""The days on which exercises return: after a number of days that grows with each solution in a row."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeAlias

DAYS = (1, 3, 7, 21)
"""The number of days after which an exercise returns, by the number of solutions in a row, from 1 on."""


DAILY_LIMIT = 10
"""The most exercises that are asked on one day."""


Tries: TypeAlias = Sequence[tuple[str, bool]]
"""The days (ISO 8601) on which an exercise was tried, and whether it was solved."""


def is_known(tries: Tries) -> bool:
    """Whether the last ``len(DAYS) + 1`` tries of an exercise were all solutions, so that it does not return."""
    return _streak(tries) > len(DAYS)


def is_due(tries: Tries, today: date) -> bool:
    """Whether an exercise was never tried, or the wait in ``DAYS`` since its last try is over."""
    if not tries:
        return True
    if is_known(tries):
        return False
    wait = DAYS[max(0, _streak(tries) - 1)]  # after a wrong try as after one solution
    return date.fromisoformat(tries[-1][0]) + timedelta(wait) <= today


def due_indices(tried: Sequence[Tries], today: date) -> list[int]:
    """The indices of the exercises due today: at most ``DAILY_LIMIT``, less the exercises already tried today."""
    tried_today = [tries for tries in tried if today.isoformat() in dict(tries)]
    due = [index for index, tries in enumerate(tried) if is_due(tries, today)]
    return due[: max(0, DAILY_LIMIT - len(tried_today))]


def _streak(tries: Tries) -> int:
    """The number of solutions in a row, counted back from the last try."""
    streak = 0
    for _, solved in tries:
        streak = streak + 1 if solved else 0
    return streak
