"""The progress of a person as text: the own error a move, match by match, from the reviews that are kept."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.layout import Message
from cardgames.ui.messages import Words
from cardgames.ui.review.kept_reviews import KeptReview, kept_reviews
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store

MATCHES = 20
"""How many of the last matches of a game the curve has."""
LATELY = 5
"""How many of the last are told in one figure."""
ROWS, COLUMNS = 6, 60


class JudgedMatch(NamedTuple):
    """A match of a person of which the choices were judged."""

    match: int
    choices: int
    error: float
    """The mean cost of a choice, in the unit of the game."""


class GameProgress(NamedTuple):
    """The progress of a person in one game."""

    game: str
    unit: str
    matches: tuple[JudgedMatch, ...]
    """The last that were judged, oldest first, at most ``MATCHES``."""
    judged: int
    """How many were."""

    @property
    def lately(self) -> float:
        """The mean cost of a choice in the last of them."""
        last = self.matches[-LATELY:]
        return sum([one.error * one.choices for one in last]) / sum([one.choices for one in last])


def progress_of(store: "Store", name: str) -> list[GameProgress]:
    """The progress of a person in each game of which a match was judged; raises :class:`StoreError`."""
    found: dict[tuple[str, str], list[JudgedMatch]] = defaultdict(list)
    for (match, _), kept in sorted(kept_reviews(store).items()):
        if kept.name == name and kept.costs:
            found[kept.game, kept.unit].append(_judged(match, kept))
    return [GameProgress(*key, tuple(matches[-MATCHES:]), len(matches)) for key, matches in found.items()]


class ThemeProgress(NamedTuple):
    """The exercises of a theme: how many somebody solved at the first try, of how many that they tried."""

    game: str
    theme: str
    solved: int
    tried: int


def themes_of(store: "Store", name: str) -> list[ThemeProgress]:
    """The exercises that somebody has tried, by theme, their own errors too; raises :class:`StoreError`."""
    if not store.memos("exercise "):
        return []
    from cardgames.ui.review.practice import solved_by_theme

    return [ThemeProgress(*theme, *counts) for theme, counts in sorted(solved_by_theme(store, name).items())]


def _judged(match: int, kept: KeptReview) -> JudgedMatch:
    return JudgedMatch(match, len(kept.costs), sum([cost for _, cost in kept.costs]) / len(kept.costs))


def as_object(found: list[GameProgress]) -> list[dict[str, Any]]:
    """Progress as ``stats --json`` prints it."""
    return [one._asdict() | {"matches": [match._asdict() for match in one.matches]} for one in found]


def lines(found: list[GameProgress], themes: list[ThemeProgress], settings: Settings) -> list[str]:
    """The curve of each game, or where nothing is drawn its figures in words, and the share solved of each theme."""
    told: list[str] = []
    for one in found:
        words = Words(settings.language, one.game)
        errors = [match.error for match in one.matches]
        args = {"title": words.text("title"), "count": len(errors), "number": min(LATELY, len(errors))}
        told.append(words.text("progress.game", **args, value=amount(words, one.unit, one.lately)))
        if settings.plain:
            told.append(words.text("progress.in_words", values=tuple([amount(words, one.unit, it) for it in errors])))
        elif len(errors) > 1:
            told += ["", *_chart(one, words, settings), ""]
    for theme in themes:
        words = Words(settings.language, theme.game)
        key = "theme." + theme.theme
        called = words.text(key) if words.knows(key) else theme.theme  # one of another version
        args = {"title": words.text("title"), "text": called, "value": _bar(theme, settings)}
        told.append(words.text("progress.theme", **args, number=theme.solved, count=theme.tried))
    return told


def _bar(theme: ThemeProgress, settings: Settings) -> str:
    """The share that was solved, drawn unless nothing is."""
    share = theme.solved / theme.tried
    full, empty = ("#", ".") if settings.ascii else ("█", "░")
    drawn = "" if settings.plain else full * round(10 * share) + empty * (10 - round(10 * share)) + " "
    return f"{drawn}{share:.0%}"


def after_match(seat: int, found: GameProgress, words: Words) -> Message:
    """The cost of a move of late, to be told at the end of a match."""
    value, number = amount(words, found.unit, found.lately), min(LATELY, len(found.matches))
    return Message("progress.after", {"seat": seat, "value": value, "number": number})


def _chart(found: GameProgress, words: Words, settings: Settings) -> list[str]:
    from cardgames.ui.review.review_pages import chart

    points = [(place, match.error) for place, match in enumerate(found.matches)]
    mark = "*" if settings.ascii else "●"

    def said(value: float, _: bool) -> str:
        return amount(words, found.unit, value)

    return chart(
        points, "points", COLUMNS, ROWS, mark, said, words.text("progress.last", number=found.matches[-1].match)
    )


def amount(words: Words, unit: str, value: float) -> str:
    """An error a move, which is smaller than what reviews tell of one."""
    number = f"{100 * value:.1f}" if unit == "win" else f"{value:.2f}"
    return words.text("review.amount." + unit, value=number)
