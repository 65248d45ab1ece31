"""What was played, as tables on standard output."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from io import StringIO
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from cardgames.engine.names import LONGEST_NAME
from cardgames.store import Summary
from cardgames.store.stats import Statistics
from cardgames.ui.messages import Words, short_name
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import Draw

SHORT = 19
"""How many cells the players of a match may take before each has a line."""

NUMBERS = frozenset({"match", "matches", "drawn", "longest", "wins", "losses", "streak", "longest_streak"})
"""The columns that stand to the right, under their heads."""

RESULTS = {"w": ("●", "#", "green"), "l": ("○", ".", "red"), "d": ("–", "-", "yellow")}


def history_page(title: str, matches: Sequence[Summary], more: int, found: Statistics, settings: Settings) -> "Draw":
    """A page of both: what was played, with how many more matches there are, and who won what."""
    from cardgames.ui.new_match import headed

    def draw(columns: int, rows: int) -> str:
        console = Console(
            file=StringIO(),
            width=columns - 2,
            force_terminal=True,
            color_system="standard",
            highlight=False,
            markup=False,
        )
        with console.capture() as capture:
            print_matches(matches, more, settings, console)
            if found.matches:
                console.print()
                print_statistics(found, settings, console)
        head = headed(settings, title)(columns, rows).rstrip()
        margin = "" if settings.plain else " "
        return "\n".join([head, *[margin + line for line in capture.get().splitlines()]])

    return draw


def print_matches(matches: Sequence[Summary], more: int, settings: Settings, console: Console | None = None) -> None:
    """A line a match, unfinished first, and how many ``more`` there are; nothing in it comes from a hidden card."""
    console = console or _stdout()
    words = Words(settings.language)
    table = _table(words, "match", "game", "players", "when", "standing")
    for match in matches:
        own = Words(settings.language, match.game, match.names or ())
        table.add_row(
            str(match.id),
            own.text("title"),
            _players(match, own, console, settings),
            when(match.changed),
            _standing(match, own),
        )
    _print(table, console, settings)
    if more:
        console.print()
        console.print(words.text("more_matches", count=more))


def _players(match: Summary, words: Words, console: Console, settings: Settings) -> str:
    """The players in the order of their seats, with their scores as soon as there are any."""
    scores = [f": {score}" if any(match.scores) else "" for score in match.scores]
    players = [words.name(seat) + score for seat, score in enumerate(scores, 1)]
    joined = words.text("comma").join(players)
    in_a_row = cell_len(joined) <= SHORT or settings.plain or not console.is_terminal
    return joined if in_a_row else "\n".join(players)


def _standing(match: Summary, words: Words) -> str:
    """How a match stands, and whether somebody has looked into its record before it was over."""
    standing = _how_far(match, words)
    return words.text("standing.opened", text=standing, number=match.opened[0]) if match.opened else standing


def _how_far(match: Summary, words: Words) -> str:
    if match.holder:
        return words.text("standing.held", number=match.holder.pid)
    if match.outcome is None:
        return words.text("standing.open", count=match.plies)
    if not match.outcome.winners:
        return words.text("standing.drawn")
    return words.text("standing.won", seats=match.outcome.winners)


def print_statistics(found: Statistics, settings: Settings, console: Console | None = None) -> None:
    """Who won what: a table of players, of those who met, and of seats, as far as there is something to tell."""
    words = Words(settings.language)
    console = console or _stdout()
    console.print(words.text("stats.matches", count=found.matches, number=found.unfinished))
    if found.imported:
        console.print(words.text("stats.imported", count=found.imported))
    if found.longest:
        title = Words(settings.language, found.longest.game).text("title")
        console.print(words.text("stats.longest", title=title, number=found.longest.match, count=found.longest.plies))
    games = _table(words, "game", "matches", "drawn", "longest")
    for game in found.games:
        title = Words(settings.language, game.game).text("title")
        games.add_row(title, str(game.matches), str(game.drawn), str(game.longest))
    players = _table(words, "player", "matches", "wins", "share", "streak", "longest_streak", "recent")
    for player in found.players:
        numbers = (player.matches, player.wins)
        share = _bar(player.wins / player.matches, settings)
        players.add_row(
            _name(player.name), *map(str, numbers), share, str(player.streak), str(player.longest_streak),
            _recent(player.recent, words, settings),
        )  # fmt: skip
    opponents = _table(words, "player", "opponent", "matches", "wins", "losses")
    for pair in found.opponents:
        opponents.add_row(_name(pair.name), _name(pair.opponent), *map(str, (pair.matches, pair.wins, pair.losses)))
    seats = _table(words, "game", "seat", "matches", "wins", "share")
    for seat in found.seats:
        title = Words(settings.language, seat.game).text("title")
        place = words.text("stats.seat", number=seat.seat, count=seat.seats)
        seats.add_row(title, place, str(seat.matches), str(seat.wins), _bar(seat.wins / seat.matches, settings))
    for table in (games, players, opponents, seats):
        if table.row_count:
            _print(table, console, settings)
        if table is players and players.row_count and not settings.plain:
            console.print(_legend(words, settings))


def _name(name: str) -> str:
    """A name as people typed it, or as somebody wrote it into a record."""
    return short_name(name, LONGEST_NAME) or "?"


def _bar(share: float, settings: Settings) -> Text:
    if settings.plain:
        return Text(f"{share:.0%}")
    full, empty = ("#", ".") if settings.ascii else ("█", "░")
    cells = round(share * 10)
    return Text(f"{full * cells}{empty * (10 - cells)} {share:4.0%}")


def _recent(results: str, words: Words, settings: Settings) -> Text:
    """A mark a result, or where nothing is drawn a word."""
    if settings.plain:
        return Text(words.text("comma").join(words.text("result." + result) for result in results))
    return Text().join([_mark(result, settings) for result in results])


def _mark(result: str, settings: Settings) -> Text:
    nice, plain, style = RESULTS[result]
    return Text(plain if settings.ascii else nice, style=style)


def _legend(words: Words, settings: Settings) -> Text:
    """What the marks of the results mean."""
    meant = [_mark(one, settings).append(" " + words.text("result." + one), "default") for one in RESULTS]
    return Text("  ").join(meant)


def when(moment: datetime) -> str:
    """A moment as people here read it, or where their calendar does not reach as it was written down."""
    with suppress(OverflowError, OSError, ValueError):
        moment = moment.astimezone()
    return moment.isoformat(" ", "minutes")[:16]


def _table(words: Words, *heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        justify: JustifyMethod = "right" if head in NUMBERS else "left"
        table.add_column(words.text("head." + head), overflow="fold", justify=justify)
    return table


class _Output(Console):
    """Standard output, of which whoever printed on it is told when nobody reads it any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _stdout() -> Console:
    console = _Output(highlight=False, markup=False)  # names are text
    if not console.is_terminal:
        console.width = 1000  # a pipe has no edge to wrap at
    return console


def _print(table: Table, console: Console, settings: Settings) -> None:
    """Print a table; where nothing is drawn a line a row, each number behind its head."""
    console.print()
    if not settings.plain:
        console.print(table)
        return
    heads = [str(column.header) for column in table.columns]
    for cells in zip(*[column.cells for column in table.columns], strict=True):
        said = [f"{head} {cell}" for head, cell in zip(heads, cells, strict=True) if str(cell)]
        console.print(", ".join(said), soft_wrap=True)
