"""A person's progress as text: the mean cost of their moves in each judged match, ratings, and solved exercises."""

from collections.abc import Sequence
from functools import partial

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.engine.game import Message
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.store.progress import RECENT_MATCHES, GameProgress, Progress
from cardgames.store.ratings import OwnRating
from cardgames.ui.messages import Words
from cardgames.ui.review.figures import amount, bar, chart
from cardgames.ui.review.ratings import rating_text
from cardgames.ui.settings import Settings

ROWS, COLUMNS = 6, 56
"""The size of a curve."""
HEIGHTS = "▁▂▃▄▅▆▇█"
"""The marks of a curve in one line, by height."""


def own_rating_lines(rating: OwnRating, words: Words, settings: Settings) -> tuple[str, str]:
    """Two lines: a person's rating, and the ratings of the computers' levels for comparison."""
    value = rating_text(rating.rating, rating.margin, settings)
    levels = [
        words.text("progress.level", text=words.text("level." + level), number=round(level_rating))
        for level, (level_rating, _) in LEVEL_RATINGS[rating.game].items()
    ]
    own_line = words.text("progress.strength", title=words.text("title"), value=value, count=rating.matches)
    return own_line, words.text("progress.levels", values=tuple(levels))


def progress_lines(progress: Progress, settings: Settings) -> list[str]:
    """Lines about each game (with a curve, or in plain mode with numbers), each rating, and each theme."""
    texts: list[str] = []
    curve = partial(chart, columns=COLUMNS, rows=ROWS, ascii=settings.ascii)
    for game in progress.games:
        words = Words(settings.language, game.game)
        errors = [match.error for match in game.matches]
        args = {"title": words.text("title"), "count": len(errors), "number": min(RECENT_MATCHES, len(errors))}
        texts.append(words.text("progress.game", **args, value=amount(words, game.unit, game.recent_mean, digits=1)))
        level = partial(amount, words, game.unit, kind="level", digits=1)
        if settings.plain:
            texts.append(words.text("progress.in_words", values=tuple(map(level, errors))))
        elif len(errors) > 1:
            end = words.text("match_called", number=game.matches[-1].match)
            texts += ["", *curve([*enumerate(errors)], (0.0, max(errors)), label=level, end=end), ""]
    for rating in progress.ratings:
        words = Words(settings.language, rating.game)
        own_line, levels_line = own_rating_lines(rating, words, settings)
        texts += [own_line, "  " + levels_line]
        if len(rating.course) > 1 and not settings.plain:
            end = words.text("progress.last", number=len(rating.course))
            bounds = min(rating.course), max(rating.course)
            texts += ["", *curve([*enumerate(rating.course)], bounds, label="{:.0f}".format, end=end), ""]
    for theme in progress.themes:
        words = Words(settings.language, theme.game)
        key = "theme." + theme.theme
        name = words.text(key) if words.knows(key) else theme.theme  # a theme of another version
        args = {"title": words.text("title"), "text": name, "value": bar(theme.solved / theme.tried, settings)}
        texts.append(words.text("progress.theme", **args, number=theme.solved, count=theme.tried))
    return texts


def closing_messages(store: Store, people: Sequence[int], header: Header, settings: Settings) -> list[Message]:
    """Messages after a match about the progress of ``people``, and about the rating of a single one.

    Raises :class:`StoreError`."""
    game, names = header.game, header.names
    if not names:
        return []
    words, messages = Words(settings.language, game, names), list[Message]()
    for seat in people:
        progress = store.progress(names[seat - 1], [game] if len(people) == 1 else [], LEVEL_RATINGS)
        messages += [_recent_message(seat, each, words, settings) for each in progress.games if each.game == game]
        for rating in progress.ratings:
            messages.append(Message("line", {"text": own_rating_lines(rating, words, settings)[0]}))
    return messages


def _recent_message(seat: int, progress: GameProgress, words: Words, settings: Settings) -> Message:
    """The message about the mean cost of a person's moves in recent matches, with a curve if it can be shown."""
    errors = [match.error for match in progress.matches[-RECENT_MATCHES:]]
    value, highest = amount(words, progress.unit, progress.recent_mean, digits=1), max(errors) or 1.0  # all may be 0
    if len(errors) > 1 and not (settings.plain or settings.ascii):
        top = len(HEIGHTS) - 1
        value += " " + "".join([HEIGHTS[round(top * error / highest)] for error in errors])
    return Message("progress.after", {"seat": seat, "value": value, "number": len(errors)})
