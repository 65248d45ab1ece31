"""``replay`` steps through a record or writes it as JSON; ``rules`` shows the rules pages."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli.asking import at_terminal, need_terminal, screen, which_game
from cardgames.cli.completion import FileOrMatch
from cardgames.cli.context import USAGE, Refused, say, settings, why
from cardgames.cli.matches import Game, Yes, bad_record, record_lines, record_of

if TYPE_CHECKING:
    from cardgames.ui.screens.opening import AnyScreen


def replay(
    record: Annotated[str, typer.Argument(metavar="FILE|ID", click_type=FileOrMatch())],
    as_json: Annotated[bool, typer.Option("--json", help="help.ply_json")] = False,
    yes: Yes = False,
) -> None:
    """Step through a record on the table, or print what programs want to know of it."""
    with reading(record, yes) as lines:
        _print_plies(lines) if as_json else step_through(lines)


@contextmanager
def reading(record: str, yes: bool) -> Iterator[Iterable[bytes]]:
    """The lines of a file, or of the match of that number if there is no such file; raises :class:`Refused`.

    So it does for whatever does not hold in them, when whoever reads comes to it.
    """
    from cardgames.engine.record import RecordError

    try:
        with _lines(record, yes) as lines:
            yield lines
    except OSError as error:
        if error.filename is None:
            raise  # it is the output that cannot be written
        raise Refused(USAGE, "file_unreadable", path=record, why=why(error)) from None
    except RecordError as error:
        sys.stdout.flush()
        raise bad_record(record, error) from None


@contextmanager
def _lines(record: str, yes: bool) -> Iterator[Iterable[bytes]]:
    """As :func:`reading` has it, with the errors as they come."""
    number = numbered(record)
    if number is not None:
        yield [line.encode() for line in record_of(number, yes)]
    else:
        with Path(record).open("rb") as file:
            yield record_lines(file)


def numbered(record: str) -> int | None:
    """The number of a match, unless there is a file of that name."""
    if not record.isdecimal():
        return None
    try:
        return None if Path(record).exists() else int(record)
    except OSError:
        return None  # too long a name for a file, which whoever opens it is told


def _print_plies(lines: Iterable[bytes]) -> None:
    from cardgames.engine.record import ply_line, read

    _, game, plies = read(lines)
    for ply in plies:
        print(ply_line(game, ply))


def step_through(lines: Iterable[bytes]) -> None:
    """Step through a record on the table."""
    from cardgames.engine.record import read
    from cardgames.ui import replay

    header, game, plies = read(lines)
    actions = [ply.action for ply in plies if ply.action is not None]
    need_terminal()
    replay.step_through(game, header, actions, settings())


def rules(game: Annotated[str | None, Game] = None) -> None:
    """Show the rules of a game, where there is a terminal as a page to scroll in."""
    chosen = which_game(game, "rules")
    if chosen is None:
        return
    if at_terminal() and not settings().plain:
        with screen() as opened:
            show_rules(opened, chosen)
    else:
        from cardgames.ui.render.pages import print_page
        from cardgames.ui.screens.charset import glyphs

        print_page(_page(chosen), glyphs(settings()))


def show_rules(opened: "AnyScreen", game: str) -> None:
    """Show the rules of a game as a page to scroll in."""
    from cardgames.ui.render.pages import markdown

    page = _page(game)
    opened.show(lambda width, rows: markdown(page, width), say("menu.page_keys"))


def _page(game: str) -> str:
    from cardgames.texts import rules_page

    return rules_page(settings().language, game)
