"""Lists and statistics of matches, as tables on standard output."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeAlias

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from cardgames.engine.game import Value
from cardgames.engine.player_names import LONGEST_NAME
from cardgames.store import DEAL_OVER, GIVEN_UP, Summary
from cardgames.store.ratings import PlayerRating
from cardgames.store.stats import ComputerLine, PlayerLine, SeatLine, Statistics
from cardgames.ui.messages import Words, short_name
from cardgames.ui.render.canvas import Line
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.pages import drawn_lines
from cardgames.ui.review.figures import bar
from cardgames.ui.review.ratings import rating_text
from cardgames.ui.screens.offers import Page
from cardgames.ui.settings import Settings

Row: TypeAlias = tuple[str | int | Text, ...]
"""The cells of a row in a printed table."""

ONE_LINE_CELLS = 19
"""The most cells that the players of a match may fill in one line. Otherwise each player has a line."""

RIGHT_ALIGNED_COLUMNS = frozenset(
    {"match", "matches", "drawn", "longest", "wins", "losses", "streak", "longest_streak", "rating"}
    | {"won", "match_score", "deal_score", "lost"}
)
"""The keys of the right-aligned columns, which have numbers."""

RESULT_MARKS = {"w": ("mark.good", "#", "green"), "l": ("mark.bad", ".", "red"), "d": ("mark.even", "-", "default")}
"""The message with the mark, the mark in ASCII, and the style for a win, a loss and a draw."""


def statistics_page(title: str, show: Callable[[Console], None], more: Sequence[str] = ()) -> Page:
    """A page with the tables that ``show`` prints on a console, and the lines ``more``."""

    def body(width: int, rows: int) -> list[Line]:
        show(console := _PageConsole(width=width, highlight=False, markup=False))
        return [*console.lines, *(["", *more] if more else [])]

    return Page(title, body=body)


class _PageConsole(Console):
    """A console that keeps what is printed as the lines of a page."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.lines: list[Line] = []

    def print(self, *printed: Any, **options: Any) -> None:
        self.lines += drawn_lines(self, printed[0] if printed else "")


def print_matches(matches: Sequence[Summary], more: int, settings: Settings) -> None:
    """Print a table row for each match, and then that ``more`` matches are not listed."""
    printer = Printer(Words(settings.language), settings)
    rows = []
    for match in matches:
        words = Words(settings.language, match.game, match.names or ())
        names, one_line = players(match, words), words.text("comma").join(players(match, words))
        fits = cell_len(one_line) <= ONE_LINE_CELLS or settings.plain or not printer.console.is_terminal
        cell = one_line if fits else "\n".join(names)
        rows.append((match.id, words.text("title"), cell, when(match.changed), match_status(match, words)))
    printer.table(("match", "game", "players", "when", "standing"), rows)
    if more:
        printer.console.print()
        printer.say("more_matches", count=more)


def players(match: Summary, words: Words) -> list[str]:
    """The players' names in the order of seats, with the levels of computers, and scores unless all are 0."""
    names, levels = [], match.header.computers
    for seat, score in enumerate(match.scores, 1):
        name, level = words.name(seat), "level." + levels.get(seat, "")
        if words.knows(level):  # imported records may name other levels
            name = words.text("named_computer", seat=seat, text=words.text(level))
        names.append(words.text("player_score", name=name, value=score) if any(match.scores) else name)
    return names


def match_lines(matches: Sequence[Summary], language: str) -> list[str]:
    """The lines about matches in a list, with the least important part last, as windows may cut the lines."""
    lines, digits = [], max((len(str(match.id)) for match in matches), default=0)
    for match in matches:
        words = Words(language, match.game, match.names or ())
        args = {"title": words.text("title"), "names": tuple(players(match, words)), "text": match_status(match, words)}
        line = Words(language, "cli").text("history.line", number=match.id, when=when(match.changed), **args)
        lines.append(" " * (digits - len(str(match.id))) + line)
    return lines


def match_status(match: Summary, words: Words) -> str:
    """The progress or outcome of a match, and whether its record was opened before the end."""
    outcome = match.outcome
    if match.holder:  # the process that plays it now
        progress = words.text("standing.held")
    elif outcome is None:
        progress = words.text("standing.open", count=match.plies)
    elif outcome.winners:
        progress = words.text("standing.won", seats=outcome.winners)
    else:
        key = outcome.why.key if outcome.why in (GIVEN_UP, DEAL_OVER) else "drawn"
        progress = words.text("standing." + key)
    return words.text("standing.opened", text=progress, number=match.opened[0]) if match.opened else progress


def print_statistics(
    statistics: Statistics,
    ratings: Sequence[tuple[str, PlayerRating]],
    settings: Settings,
    console: Console | None = None,
) -> None:
    """Print tables of games, players, levels, opponents, seats and ratings. Empty tables are left out."""
    printer = Printer(words := Words(settings.language), settings, console)
    printer.say("stats.matches", count=statistics.matches, number=statistics.unfinished)
    if statistics.imported:
        printer.say("stats.imported", count=statistics.imported)
    if longest := statistics.longest:
        printer.say("stats.longest", title=_title(longest.game, words), number=longest.match, count=longest.plies)
    games = [(_title(line.game, words), line.matches, line.drawn, line.longest) for line in statistics.games]
    printer.table(("game", "matches", "drawn", "longest"), games)
    _print_players(printer, statistics.players)
    levels: list[Row] = []
    for computer in statistics.computers:
        key = "level." + computer.level
        level = words.text(key) if words.knows(key) else _name(computer.level)  # imported
        levels.append((level, _title(computer.game, words), *_counts(computer, settings)))
    printer.table(("level", "game", "matches", "wins", "share"), levels)
    opponents = [
        (_name(pair.name), _name(pair.opponent), pair.matches, pair.wins, pair.losses) for pair in statistics.opponents
    ]
    printer.table(("player", "opponent", "matches", "wins", "losses"), opponents)
    seats: list[Row] = []
    for seat in statistics.seats:
        seat_text = words.text("stats.seat", number=seat.seat, count=seat.seats)
        seats.append((_title(seat.game, words), seat_text, *_counts(seat, settings)))
    printer.table(("game", "seat", "matches", "wins", "share"), seats)
    if not all(rating.is_computer for _, rating in ratings):
        print_ratings(ratings, settings, printer.console)


def _counts(line: PlayerLine | ComputerLine | SeatLine, settings: Settings) -> tuple[int, int, str]:
    """The cells of matches, wins and the share of wins."""
    return line.matches, line.wins, bar(line.wins / line.matches, settings)


def _print_players(printer: "Printer", players: Sequence[PlayerLine]) -> None:
    """Print the table of players, unless it is empty, and a legend of its marks."""
    words, settings = printer.words, printer.settings
    rows: list[Row] = []
    for player in players:
        recent = _recent(player.recent, words, settings)
        rows.append((_name(player.name), *_counts(player, settings), player.streak, player.longest_streak, recent))
    printer.table(("player", "matches", "wins", "share", "streak", "longest_streak", "recent"), rows)
    if rows and not settings.plain:
        names = {result: words.text("result." + result) for result in RESULT_MARKS}
        legend = [_mark(result, words, settings).append(" " + name, "default") for result, name in names.items()]
        printer.console.print(Text("  ").join(legend))


def print_ratings(ratings: Sequence[tuple[str, PlayerRating]], settings: Settings, console: Console) -> None:
    printer = Printer(words := Words(settings.language), settings, console)
    rows = []
    for game, rating in ratings:
        name = words.text("computer." + rating.name) if rating.is_computer else _name(rating.name)
        value = rating_text(rating.mean, rating.margin, settings, rating.provisional)
        rows.append((_title(game, words), name, value, rating.matches))
    if rows:
        console.print()
        printer.say("stats.ratings")
        printer.table(("game", "player", "rating", "matches"), rows)


def _title(game: str, words: Words) -> str:
    return Words(words.language, game).text("title")


def _name(name: str) -> str:
    """A name without characters that a terminal would interpret."""
    return short_name(name, LONGEST_NAME) or "?"


def _recent(results: str, words: Words, settings: Settings) -> Text:
    """Marks for ``results``, a string of keys of ``RESULT_MARKS``; in plain mode words instead of marks."""
    if settings.plain:
        return Text(words.text("comma").join(words.text("result." + result) for result in results))
    return Text().join([_mark(result, words, settings) for result in results])


def _mark(result: str, words: Words, settings: Settings) -> Text:
    """The coloured mark for ``result``, which is a key of ``RESULT_MARKS``."""
    mark, ascii_mark, style = RESULT_MARKS[result]
    return Text(ascii_mark if settings.ascii else words.text(mark), style=style)


def when(moment: datetime) -> str:
    """A moment as date and time in the local time zone, or in its own if ``datetime`` cannot convert it."""
    with suppress(OverflowError, OSError, ValueError):
        moment = moment.astimezone()
    return moment.isoformat(" ", "minutes")[:16]


class _Output(Console):
    """Standard output whose methods raise ``BrokenPipeError`` for a closed pipe."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Printer:
    """A printer of messages and tables on a console, by default on standard output."""

    def __init__(self, words: Words, settings: Settings, console: Console | None = None) -> None:
        self.words = words
        self.settings = settings
        self.console = console or _Output(highlight=False, markup=False)  # names are text
        if console is None and not self.console.is_terminal:
            self.console.width = 1000  # a pipe has no edge to wrap at

    def say(self, key: str, **args: Value) -> None:
        self.console.print(self.words.text(key, **args))

    def table(self, heads: Sequence[str], rows: Sequence[Row]) -> None:
        """Print a table unless it is empty, in plain mode as sentences. ``heads``: keys without ``head.``."""
        if not rows:
            return
        self.console.print()
        names = [self.words.text("head." + head) for head in heads]
        if self.settings.plain:
            for row in rows:
                texts = [f"{name} {cell}" for name, cell in zip(names, row, strict=True) if str(cell)]
                for line in wrap_text(", ".join(texts), self.console.width):
                    self.console.print(line, soft_wrap=True)
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for head, name in zip(heads, names, strict=True):
            justify: JustifyMethod = "right" if head in RIGHT_ALIGNED_COLUMNS else "left"
            table.add_column(name, overflow="fold", justify=justify)
        for row in rows:
            table.add_row(*[str(cell) if isinstance(cell, int) else cell for cell in row])
        self.console.print(table)
