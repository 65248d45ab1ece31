"""``matches``, ``export``, ``import`` and ``stats``: what the store keeps."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from cardgames.cli.asking import known_game
from cardgames.cli.completion import FileOrFolder, all_matches
from cardgames.cli.context import BAD_RECORD, HELD, STORE, USAGE, Refused, explain, refused, say, settings, tell, why
from cardgames.cli.localized_click import Whole
from cardgames.engine.game import GAMES

if TYPE_CHECKING:
    from cardgames.engine.game import Reason
    from cardgames.store import Store, StoreDamaged

LAST = 20
"""How many matches are listed unless all are asked for."""
LONG = 1000
"""From so many lines on it takes a while to take in a record."""
LONGEST_LINE = 1 << 20
"""No line of a record comes anywhere near so many bytes; what does is not read to its end."""

Match = typer.Argument(metavar="ID", click_type=Whole(1), autocompletion=all_matches)
Game = typer.Argument(metavar="GAME", show_default=False, autocompletion=lambda: GAMES)
Yes = Annotated[bool, typer.Option("--yes")]


@contextmanager
def opened_store(write: bool = True) -> "Iterator[Store]":
    """The store, only to be read unless to ``write``, with what can go wrong in it said in the player's language.

    A damaged one is repaired when whoever used it has left, and with them whatever was on the screen.
    """
    from cardgames.store import JoinRefused, MatchHeld, Store, StoreDamaged, StoreError, UnknownMatch

    try:
        with Store.open(write=write, where=settings().store) as store:
            yield store
    except StoreDamaged as error:
        raise refused(STORE, _repaired(error)) from None
    except StoreError as error:
        raise refused(STORE, error.reason) from None
    except MatchHeld as error:
        raise refused(HELD, _as_seen_here(error.reason)) from None
    except (JoinRefused, UnknownMatch) as error:
        raise refused(USAGE, error.reason) from None


def _repaired(error: "StoreDamaged") -> "Reason":
    """Repair a damaged store; what to say of that."""
    from cardgames.store import StoreError
    from cardgames.ui.progress import progress_of

    try:
        with progress_of(say("repairing")) as progress:
            return error.repair(progress)
    except StoreError as impossible:
        return impossible.reason


def _as_seen_here(reason: "Reason") -> "Reason":
    """Why a match is held, its time as the clock here shows it; a process on another machine may be gone."""
    from datetime import datetime

    from cardgames.engine.game import Reason
    from cardgames.store.process import host
    from cardgames.ui.printed_tables import when

    if "since" not in reason.args:
        return reason
    since = datetime.fromisoformat(str(reason.args["since"]))
    key = reason.key if reason.args["host"] == host() else "match_held_elsewhere"
    return Reason(key, {**reason.args, "since": when(since)})


def matches(every: Annotated[bool, typer.Option("--all", help="help.all_matches")] = False) -> None:
    """List what was played, unfinished first."""
    from cardgames.ui.printed_tables import print_matches

    with opened_store(write=False) as store:
        found = store.matches(None if every else LAST)
        more = sum(store.count()) - len(found)
    if found:
        print_matches(found, more, settings())
    else:
        tell(say("no_matches"))


def export(
    match: Annotated[int, Match],
    export_file: Annotated[
        Path | None, typer.Argument(metavar="FILE", show_default=False, click_type=FileOrFolder("file"))
    ] = None,
    yes: Yes = False,
) -> None:
    """Write the record of a match to a file, or to standard output."""
    if export_file is None:
        lines = record_of(match, yes)
        for_programs()
        sys.stdout.writelines(safe_json(line) + "\n" for line in lines)
        return
    write_record(match, export_file, yes)
    tell(say("exported", number=match, path=str(export_file)), sys.stderr)


def write_record(match: int, path: Path, yes: bool) -> None:
    """Write the record of a match to a file that was not there; asks as :func:`record_of` does."""
    lines = record_of(match, yes)
    try:
        _write_new(path, lines, private='"outcome"' not in lines[-1])
    except FileExistsError:
        raise Refused(USAGE, "file_exists", path=str(path)) from None
    except OSError as error:
        raise Refused(STORE, "file_unwritable", path=str(path), why=why(error, writing=True)) from None


def _write_new(path: Path, lines: list[str], private: bool) -> None:
    """Write a file that was not there, if it is ``private`` for its owner alone; all of it or none.

    Raises :class:`OSError`.
    """
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            out.writelines(line + "\n" for line in lines)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def import_(import_file: Annotated[Path, typer.Argument(metavar="FILE", click_type=FileOrFolder("file"))]) -> None:
    """Store a match from its record."""
    from cardgames.engine.record import RecordError
    from cardgames.ui.progress import progress

    try:
        with import_file.open("rb") as file, opened_store() as store:
            count = _lines_in(file) if import_file.is_file() else 0
            lines = record_lines(file)
            with progress(lines, count, say("importing")) if count > LONG else nullcontext(lines) as taken:
                match = store.import_record(taken)
    except OSError as error:
        raise Refused(USAGE, "file_unreadable", path=str(import_file), why=why(error)) from None
    except RecordError as error:
        raise bad_record(str(import_file), error) from None
    tell(say("imported", number=match))


def record_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file that ought to be a record; one that is far too long comes in pieces, which are none.

    Raises :class:`OSError` with the name of the file.
    """
    while True:
        try:
            line = file.readline(LONGEST_LINE)
        except OSError as error:
            raise OSError(error.errno, error.strerror, file.name) from None
        if not line:
            return
        yield line


def _lines_in(file: BinaryIO) -> int:
    """How many lines a file has, which is then read anew."""
    count = sum(1 for _ in record_lines(file))
    file.seek(0)
    return count


def stats(
    game: Annotated[str | None, Game] = None,
    player: Annotated[str | None, typer.Option(metavar="NAME", show_default=False)] = None,
    imported: Annotated[bool, typer.Option("--imported")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="help.stats_json")] = False,
) -> None:
    """Tell who won what."""
    from dataclasses import asdict

    from cardgames.ui.printed_tables import print_statistics

    if game is not None:
        known_game(game)
    with opened_store(write=False) as store:
        found = store.statistics(game, player, imported)
    if as_json:
        for_programs()
        print(safe_json(json.dumps(asdict(found), ensure_ascii=False)))
    elif found.matches:
        print_statistics(found, settings())
    else:
        tell(say("only_imported", count=found.imported) if found.imported else say("no_statistics"))


def safe_json(text: str) -> str:
    """JSON that says the same, with whatever a terminal might obey, or show in another order, written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def for_programs() -> None:
    """Write UTF-8 from now on, whatever the terminal takes: what comes is not for people."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def record_of(match: int, yes: bool) -> list[str]:
    """The lines of a match's record.

    Asks before the hands of a match that is not over are shown, unless ``yes``, and refuses to without a terminal to
    ask at. That they are shown is written into its journal first.
    """
    with opened_store(write=False) as store:
        if store.match(match).outcome:
            return list(store.export(match))
    if not yes:
        _ask_to_show(match)
    with opened_store() as store:
        store.note_opened(match)
        return list(store.export(match))


def _ask_to_show(match: int) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(USAGE, "not_over", number=match)
    print(say("ask_not_over", number=match), end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in say("yes").split():
        raise Refused(USAGE, "not_shown")


def bad_record(path: str, error: Exception) -> Refused:
    """The error to leave with of a record that is refused."""
    from cardgames.engine.record import RecordError

    assert isinstance(error, RecordError)
    return Refused(BAD_RECORD, "bad_record", path=path, line=error.line, why=explain(error.reason, error.game))
