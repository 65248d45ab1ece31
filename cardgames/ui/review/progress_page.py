"""The progress of a person as text: the mean cost of a move, match by match, from stored reviews."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.layout.scene import Message
from cardgames.ui.messages import Words
from cardgames.ui.review.kept_reviews import stored_reviews
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store

MATCHES = 20
"""The most matches in the curve of a game."""
LATELY = 5
"""The number of last matches in the recent mean."""
ROWS, COLUMNS = 6, 56
HEIGHTS = "▁▂▃▄▅▆▇█"
"""The marks of a curve in one line, by height."""


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
    """The last judged matches, oldest first, at most ``MATCHES``."""
    judged: int

    @property
    def lately(self) -> float:
        """The mean cost of a choice in the last matches."""
        last = self.matches[-LATELY:]
        return sum([one.error * one.choices for one in last]) / sum([one.choices for one in last])


def progress_of(store: "Store", name: str) -> list[GameProgress]:
    """The progress of a person in each game with judged matches. Raises :class:`StoreError`."""
    found: dict[tuple[str, str], list[JudgedMatch]] = defaultdict(list)
    for (match, _), kept in sorted(stored_reviews(store).items()):
        if kept.name == name and kept.costs:
            mean = sum([cost for _, cost in kept.costs]) / len(kept.costs)
            found[kept.game, kept.unit].append(JudgedMatch(match, len(kept.costs), mean))
    return [GameProgress(*key, tuple(matches[-MATCHES:]), len(matches)) for key, matches in found.items()]


class OwnRating(NamedTuple):
    """A person's rating in their matches against computers at a game."""

    game: str
    rating: int
    margin: int
    """Half the 95 % interval."""
    matches: int


def own_rating(store: "Store", game: str, name: str) -> OwnRating | None:
    """The rating of a person against computers at a game, if they have played any. Raises :class:`StoreError`."""
    from cardgames.bots.level_ratings import LEVEL_RATINGS

    found = store.rating_against_computers(game, name, LEVEL_RATINGS.get(game, {}))
    return found and OwnRating(game, round(found.mean), round(found.margin), found.matches)


def told_own_rating(found: OwnRating, words: Words, settings: Settings) -> tuple[str, str]:
    """A rating, and those of the computers' levels."""
    from cardgames.bots.level_ratings import LEVEL_RATINGS
    from cardgames.ui.review.ratings import told_rating

    own = told_rating(found.rating, found.margin, settings)
    levels = [
        words.text("progress.level", text=words.text("level." + level), number=round(rating))
        for level, (rating, _) in LEVEL_RATINGS[found.game].items()
    ]
    told = words.text("progress.strength", title=words.text("title"), value=own, count=found.matches)
    return told, words.text("progress.levels", values=tuple(levels))


class ThemeProgress(NamedTuple):
    """The exercises of a theme: how many a person solved at the first try, and how many they tried."""

    game: str
    theme: str
    solved: int
    tried: int


def themes_of(store: "Store", name: str) -> list[ThemeProgress]:
    """The exercises that a person has tried, by theme, with their own errors. Raises :class:`StoreError`."""
    first: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for key, value in store.memos("exercise ").items():
        if key.split(" ", 2)[2] == name and value["tries"]:
            first[value["game"], value["theme"]].append(bool(value["tries"][0][1]))
    return [ThemeProgress(*theme, sum(solved), len(solved)) for theme, solved in sorted(first.items())]


def as_object(found: list[GameProgress]) -> list[dict[str, Any]]:
    """The object that ``stats --json`` prints."""
    return [one._asdict() | {"matches": [match._asdict() for match in one.matches]} for one in found]


def lines(
    found: list[GameProgress], ratings: list[OwnRating], themes: list[ThemeProgress], settings: Settings
) -> list[str]:
    """The curve of each game, or its numbers where nothing is drawn, the ratings against computers, and the share of
    each theme that is solved."""
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
    for found_rating in ratings:
        rating, levels = told_own_rating(found_rating, Words(settings.language, found_rating.game), settings)
        told += [rating, "  " + levels]
    for theme in themes:
        words = Words(settings.language, theme.game)
        key = "theme." + theme.theme
        called = words.text(key) if words.knows(key) else theme.theme  # a theme of another version
        args = {"title": words.text("title"), "text": called, "value": bar(theme.solved / theme.tried, settings)}
        told.append(words.text("progress.theme", **args, number=theme.solved, count=theme.tried))
    return told


def bar(share: float, settings: Settings) -> str:
    """A share as a number, after a bar where things are drawn."""
    full, empty = ("#", ".") if settings.ascii else ("█", "░")
    cells = round(share * 10)
    return f"{share:.0%}" if settings.plain else f"{full * cells}{empty * (10 - cells)} {share:4.0%}"


def after_match(
    store: "Store", people: Sequence[int], game: str, names: Sequence[str], words: Words, settings: Settings
) -> list[Message]:
    """For the end of a match, the recent mean cost of a move of each of the ``people`` here with judged matches of the
    game, and the rating against computers of a person alone here. Raises :class:`StoreError`."""
    told = [
        _lately(seat, one, words, settings)
        for seat in people
        for one in progress_of(store, names[seat - 1])
        if one.game == game
    ]
    if len(people) == 1 and (rating := own_rating(store, game, names[people[0] - 1])):
        told.append(Message("line", {"text": told_own_rating(rating, words, settings)[0]}))
    return told


def _lately(seat: int, found: GameProgress, words: Words, settings: Settings) -> Message:
    """The mean cost of a move in a person's last judged matches, with its curve where things are drawn."""
    errors = [match.error for match in found.matches[-LATELY:]]
    value, most = amount(words, found.unit, found.lately), max(errors) or 1.0
    if len(errors) > 1 and not (settings.plain or settings.ascii):
        value += " " + "".join([HEIGHTS[round((len(HEIGHTS) - 1) * error / most)] for error in errors])
    return Message("progress.after", {"seat": seat, "value": value, "number": len(errors)})


def _chart(found: GameProgress, words: Words, settings: Settings) -> list[str]:
    from cardgames.ui.review.review_pages import chart

    points = [(place, match.error) for place, match in enumerate(found.matches)]
    mark = "*" if settings.ascii else "●"

    def said(value: float, _: bool) -> str:
        return amount(words, found.unit, value)

    return chart(
        points, "points", COLUMNS, ROWS, mark, said, words.text("match_called", number=found.matches[-1].match)
    )


def amount(words: Words, unit: str, value: float) -> str:
    """A mean cost of a move, with more digits than the costs in reviews."""
    number = f"{100 * value:.1f}" if unit == "win" else f"{value:.2f}"
    return words.text("review.amount." + unit, value=number)
