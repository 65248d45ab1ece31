"""The progress of people: judged matches and tries at exercises, kept as memos, and the days when exercises return."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from cardgames.store.database import Transaction
from cardgames.store.matches import read_memos, summary, write_memo
from cardgames.store.ratings import LevelRatings, OwnRating, own_rating

MAX_MATCHES = 20
"""The most matches in the progress of a person in a game."""
RECENT_MATCHES = 5
"""The number of latest matches that the recent mean covers."""
DAYS = (1, 3, 7, 21)
"""The number of days after which an exercise returns, by the number of solutions in a row, from 1 on."""
DAILY_LIMIT = 10
"""The most exercises that are asked on one day."""
Tries: TypeAlias = Sequence[tuple[str, bool]]
"""The days (ISO 8601) on which an exercise was tried, and whether it was solved."""


class StoredReview(NamedTuple):
    """The judged choices of one person in a match."""

    name: str
    game: str
    unit: str
    costs: list[tuple[int, float]]
    """The ply and the cost of each choice."""
    errors: list[tuple[int, str, str, float]]
    """The ply, grade, better action and cost of each error, the worst first."""


def stored_reviews(db: Transaction) -> dict[tuple[int, int], StoredReview]:
    """The stored reviews, by match number and seat."""
    memos = [(name.split(), memo) for name, memo in read_memos(db, "judged ").items()]
    return {(int(match), int(seat)): StoredReview(**memo) for (_, match, seat), memo in memos}


class StoredError(NamedTuple):
    """An error of a person in a finished match, which is an exercise for that person."""

    match: int
    ply: int
    player: str
    game: str
    cost: tuple[float, float, float]
    """The cost, and the lower and upper end of its interval."""
    exact: bool
    ratings: list[list[Any]]
    """The ratings of the legal actions, as :mod:`cardgames.bots.exercises` writes them."""

    @property
    def name(self) -> str:
        """The unique name of the exercise."""
        return f"{self.match}/{self.ply}"


def save_review(db: Transaction, match: int, seat: int, review: StoredReview, errors: Sequence[StoredError]) -> None:
    """Store the judged choices at a seat and, once the match is over, its errors. Raises :class:`UnknownMatch`."""
    is_over = summary(db, match).outcome is not None
    write_memo(db, f"judged {match} {seat}", review._asdict())
    for error in errors if is_over else ():
        memo = error._asdict()
        del memo["match"], memo["ply"]
        write_memo(db, f"error {error.name}", memo)


class JudgedMatch(NamedTuple):
    """A judged match of a person."""

    match: int
    choices: int
    error: float
    """The mean cost of a choice, in the unit of the game."""


class GameProgress(NamedTuple):
    """A person's progress in one game."""

    game: str
    unit: str
    matches: tuple[JudgedMatch, ...]
    """The last judged matches, oldest first, at most ``MAX_MATCHES``."""
    judged: int
    """The number of all judged matches."""

    @property
    def recent_mean(self) -> float:
        """The mean cost of a choice in the last ``RECENT_MATCHES`` matches."""
        last = self.matches[-RECENT_MATCHES:]
        return sum([match.error * match.choices for match in last]) / sum([match.choices for match in last])


def game_progress(db: Transaction, name: str) -> list[GameProgress]:
    """The progress of a person in each game with judged matches."""
    by_game: dict[tuple[str, str], list[JudgedMatch]] = defaultdict(list)
    for (match, _), review in sorted(stored_reviews(db).items()):
        if review.name == name and review.costs:
            mean = sum([cost for _, cost in review.costs]) / len(review.costs)
            by_game[review.game, review.unit].append(JudgedMatch(match, len(review.costs), mean))
    return [GameProgress(*key, tuple(matches[-MAX_MATCHES:]), len(matches)) for key, matches in by_game.items()]


class StoredTries(NamedTuple):
    """A person's tries at an exercise."""

    game: str
    theme: str
    tries: Tries


def stored_tries(db: Transaction, player: str) -> dict[str, StoredTries]:
    """The tries of a person, by exercise."""
    memos = [(name.split(" ", 2), memo) for name, memo in read_memos(db, "exercise ").items()]  # names may have blanks
    return {exercise: StoredTries(**memo) for (_, exercise, person), memo in memos if person == player}


def save_try(db: Transaction, player: str, exercise: str, game: str, theme: str, today: date, is_solved: bool) -> None:
    """Store a person's try at the exercise with this name."""
    stored = stored_tries(db, player).get(exercise, StoredTries(game, theme, ()))
    stored = stored._replace(tries=[*stored.tries, (today.isoformat(), is_solved)])
    write_memo(db, f"exercise {exercise} {player}", stored._asdict())


class ThemeProgress(NamedTuple):
    """A person's progress with the exercises of a theme."""

    game: str
    theme: str
    solved: int
    """The number of exercises solved at the first try."""
    tried: int


def theme_progress(db: Transaction, name: str) -> list[ThemeProgress]:
    """A person's progress in each theme. Exercises from their own errors are one theme."""
    first_tries: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for game, theme, ((_, is_solved), *_) in stored_tries(db, name).values():
        first_tries[game, theme].append(is_solved)
    return [ThemeProgress(*theme, sum(solved), len(solved)) for theme, solved in sorted(first_tries.items())]


class Progress(NamedTuple):
    """A person's progress: in games with judged matches, against computers, and with exercises."""

    games: list[GameProgress]
    ratings: list[OwnRating]
    themes: list[ThemeProgress]


def progress(db: Transaction, name: str, games: Iterable[str], levels: LevelRatings) -> Progress:
    """The progress of a person, with the ratings at ``games``."""
    ratings = [rating for game in games if (rating := own_rating(db, game, name, levels))]
    return Progress(game_progress(db, name), ratings, theme_progress(db, name))


# Exercises from own errors, which return after a number of days that grows with each solution in a row


def is_due(tries: Tries, today: date) -> bool:
    """Whether an exercise was never tried, or the wait in ``DAYS`` since its last try is over.

    After more solutions in a row than ``DAYS`` has entries, it does not return."""
    if not tries:
        return True
    streak = len([*takewhile(bool, [solved for _, solved in reversed(tries)])])
    if streak > len(DAYS):
        return False
    wait = DAYS[max(0, streak - 1)]  # after a wrong try as after one solution
    last_day, _ = tries[-1]
    return date.fromisoformat(last_day) + timedelta(wait) <= today


def due_errors(db: Transaction, player: str, today: date, game: str | None = None) -> list[StoredError]:
    """A person's own errors due today, in any game if ``game`` is ``None``.

    In all games together they are at most ``DAILY_LIMIT``, less those tried today. Those of ``game`` come first."""
    stored = stored_tries(db, player)
    memos = [(name.removeprefix("error ").split("/"), memo) for name, memo in read_memos(db, "error ").items()]
    errors = [StoredError(int(match), int(ply), **memo) for (match, ply), memo in memos if memo["player"] == player]
    errors.sort(key=lambda error: (game not in (None, error.game), error.match, error.ply))
    tries = [stored[error.name].tries if error.name in stored else () for error in errors]
    tried_today = [each for each in tries if today.isoformat() in dict(each)]
    due = [error for error, each in zip(errors, tries, strict=True) if is_due(each, today)]
    return [error for error in due[: max(0, DAILY_LIMIT - len(tried_today))] if game in (None, error.game)]
