"""``replay``, ``simulate`` and ``rules``."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.completion import FileOrMatch, Place
from cardgames.cli.context import STORE, USAGE, Refused, say, settings, why
from cardgames.cli.localized_click import Whole
from cardgames.cli.matches import Game, Yes, bad_record, record_lines, record_of
from cardgames.cli.play import Players, Seed, need_terminal
from cardgames.engine.game import GAMES

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import Screen
    from cardgames.ui.screens.line_screen import PlainScreen


def replay(
    record: Annotated[str, typer.Argument(metavar="FILE|ID", click_type=FileOrMatch())],
    as_json: Annotated[bool, typer.Option("--json", help="help.ply_json")] = False,
    yes: Yes = False,
) -> None:
    """Step through a record on the table, or print what programs want to know of it."""
    from cardgames.engine.record import RecordError

    try:
        with _lines(record, yes) as lines:
            _print_plies(lines) if as_json else _step_through(lines)
    except OSError as error:
        if error.filename is None:
            raise  # it is the output that cannot be written
        raise Refused(USAGE, "file_unreadable", path=record, why=why(error)) from None
    except RecordError as error:
        sys.stdout.flush()
        raise bad_record(record, error) from None


@contextmanager
def _lines(record: str, yes: bool) -> Iterator[Iterable[bytes]]:
    """The lines of a file, or of the match of that number if there is no such file."""
    if record.isdecimal() and not Path(record).exists():
        yield [line.encode() for line in record_of(int(record), yes)]
    else:
        with Path(record).open("rb") as file:
            yield record_lines(file)


def _print_plies(lines: Iterable[bytes]) -> None:
    from cardgames.engine.record import ply_line, read

    _, game, plies = read(lines)
    for ply in plies:
        print(ply_line(game, ply))


def _step_through(lines: Iterable[bytes]) -> None:
    from cardgames.engine.record import read
    from cardgames.ui.replay import step_through

    header, game, plies = read(lines)
    actions = [ply.action for ply in plies if ply.action is not None]
    need_terminal()
    step_through(game, header, actions, settings())


def simulate(
    *,
    game: str,
    rules: dict[str, Any],
    records: Annotated[Path, typer.Option(metavar="DIR", click_type=Place("dir"))],
    matches: Annotated[int, typer.Option(metavar="N", help="help.matches_number", click_type=Whole(1))] = 1,
    seed: Seed = None,
    players: Players = None,
) -> None:
    """Play many matches between players who choose at random, and write a record of each."""
    from random import Random, SystemRandom

    from cardgames.bots import simulated
    from cardgames.engine.game import game_class
    from cardgames.ui.progress import progress

    kind = game_class(game)
    table = kind(kind.SEATS[0] if players is None else players, kind.RULES.of(rules))
    if seed is None:
        seed = SystemRandom().randrange(1 << 32)
        print(say("seed_is", number=seed), file=sys.stderr)
    played = simulated(table, matches, Random(seed))
    try:
        records.mkdir(parents=True, exist_ok=True)
        with progress(played, matches, say("simulating")) as shown:
            for number, lines in enumerate(shown, 1):
                (records / f"{game}-{number}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Refused(STORE, "file_unwritable", path=str(records), why=why(error, writing=True)) from None


def rules(game: Annotated[str, Game]) -> None:
    """Show the rules of a game, where there is a terminal as a page to scroll in."""
    if game not in GAMES:
        raise Refused(USAGE, "unknown_game", value=game, values=GAMES)
    if sys.stdin.isatty() and sys.stdout.isatty() and not settings().plain:
        from cardgames.ui.messages import Words
        from cardgames.ui.screens.opening import open_screen

        with open_screen(Words(settings().language), settings(), secret=False) as screen:
            show_rules(screen, game)
    else:
        from cardgames.ui.render.drawing import print_page
        from cardgames.ui.screens.charset import glyphs

        print_page(_page(game), glyphs(settings()))


def show_rules(screen: "Screen | PlainScreen", game: str) -> None:
    """Show the rules of a game as a page to scroll in."""
    from cardgames.ui.render.drawing import markdown

    page = _page(game)
    screen.show(lambda width, rows: markdown(page, width), say("menu.page_keys"))


def _page(game: str) -> str:
    from cardgames.texts import rules_page

    return rules_page(settings().language, game)
