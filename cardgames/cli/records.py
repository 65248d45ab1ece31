"""``export``, ``import``, ``replay`` and ``verify``: the commands for records."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from cardgames.cli import context
from cardgames.cli.asking import need_terminal
from cardgames.cli.context import ExitCode, Refused, open_store, say, settings, tell, unreadable, unwritable
from cardgames.cli.localized_click import MAX_DIGITS
from cardgames.cli.parameters import AsJson, File, FileArgument, MatchArgument, RecordArgument, Yes, int_option
from cardgames.engine.record import RecordError, ply_line, read
from cardgames.system import signals_as_exceptions

PROGRESS_LINES = 1000
"""The import of a record with more lines than this shows its progress."""
MAX_LINE = 1 << 20
"""The most bytes that are read as one line, far more than any line of a record has."""


def export(
    match: Annotated[int, MatchArgument], export_file: Annotated[Path | None, FileArgument] = None, yes: Yes = False
) -> None:
    """Write the record of a match to a file or standard output."""
    if export_file is None or _is_standard_output(export_file):
        lines = export_lines(match, yes)
        context.use_utf8_output()
        sys.stdout.writelines(context.safe_json(line) + "\n" for line in lines)
        return
    write_record(match, export_file, yes)
    tell(say("written", path=str(export_file)), sys.stderr)


def import_(import_file: Annotated[Path, FileArgument]) -> None:
    """Import a match from its record."""
    from cardgames.ui.progress import progress_bar

    try:
        with import_file.open("rb") as file, open_store() as store:
            count = 0
            if import_file.is_file():  # a pipe cannot be read twice
                count = sum(1 for _ in record_lines(file))
                file.seek(0)
            lines = record_lines(file)
            bar = progress_bar(lines, count, say("importing")) if count > PROGRESS_LINES else nullcontext(lines)
            with signals_as_exceptions(), bar as source:
                match = store.import_record(source)
    except OSError as error:
        raise unreadable(import_file, error) from None
    except RecordError as error:
        raise bad_record(str(import_file), error) from None
    tell(say("imported", number=match))


def replay(
    record: Annotated[str, RecordArgument],
    as_json: AsJson = False,
    svg: File = None,
    ply: Annotated[int | None, int_option(0, help="help.ply")] = None,
    yes: Yes = False,
) -> None:
    """Show the positions of a record on the table, one at a time, print them as JSON, or draw them as SVG."""
    if svg is not None:
        if as_json:
            raise Refused("svg_or_json")
        _draw(record, svg, ply)
        return
    if ply is not None:
        raise Refused("ply_with_svg")
    with open_record(record, yes) as lines:
        if not as_json:
            step_through(lines)
            return
        _, game, plies = read(lines)
        for each in plies:
            print(ply_line(game, each))


def _draw(record: str, path: Path, ply: int | None) -> None:
    """Write the positions of a record, or the one after ``ply`` actions, as SVG to a new file or to standard output.

    Of an unfinished match it shows what everybody may see, so there is nothing to confirm."""
    from cardgames.ui.review.replay import record_svg

    with open_record(record, public=True) as lines:
        header, game, plies = read(lines)
        positions = [*plies]
    if ply is not None and ply >= len(positions):
        raise Refused("no_such_ply", number=ply, count=len(positions) - 1)
    text = record_svg(game, header, positions, settings(), ply)
    if _is_standard_output(path):
        context.use_utf8_output()
        sys.stdout.write(text)
        return
    _write_file(path, text.splitlines())
    tell(say("written", path=str(path)), sys.stderr)


def step_through(lines: Iterable[bytes]) -> None:
    """Show the positions of a record on the table, one at a time."""
    from cardgames.ui.review import replay

    header, game, plies = read(lines)
    positions = [*plies]  # a damaged record is refused first
    need_terminal()
    replay.step_through(game, header, positions, settings())


def verify(
    record: Annotated[str, RecordArgument],
    hash_shown: Annotated[list[str] | None, typer.Argument(metavar="HASH", show_default=False)] = None,
) -> None:
    """Check the shuffles of a record against the commitment that was shown before its first card."""
    from cardgames.match import commitment, first_deviation, joint_hash, mixed_secret

    hash_given = "".join(hash_shown or ()).casefold()  # the hash is shown in two halves
    if hash_shown and not re.fullmatch("[0-9a-f]{64}", hash_given):
        raise Refused("no_hash", value=" ".join(hash_shown))
    if (match := match_number(record)) is not None:
        with open_store(write=False) as store:
            if store.match(match).outcome is None:
                raise Refused("secret_later", number=match)
    path = record_name(record)
    with open_record(record, yes=True) as lines:
        header, game, plies = read(lines)
        all_plies = tuple(plies)
    if header.secret is None:
        raise Refused("no_secret", code=ExitCode.BAD_RECORD, path=path)
    secret_hash = commitment(header.secret, header)
    contributions = header.contributions
    counts = range(1, len(contributions) + 1)  # a shown hash may bind only the first contributions
    hashes = [secret_hash, *[joint_hash(secret_hash, contributions[:count]) for count in counts]]
    if hash_shown and hash_given not in hashes:
        raise Refused("other_hash", code=ExitCode.FAILED, path=path, text=secret_hash)
    if ply := first_deviation(game, all_plies, mixed_secret(header.secret, contributions)):
        raise Refused("not_drawn", code=ExitCode.FAILED, path=path, line=ply + 1)  # after the header
    for seat, contribution in contributions:
        tell(say("contributed", number=seat, value=contribution))
    tell(say("verified" if hash_shown else "verified_alone", path=path, text=secret_hash))


# Writing records


def export_lines(match: int, yes: bool, public: bool = False) -> list[str]:
    """The lines of a match's record.

    For an unfinished match, the player has to confirm unless ``yes``, and the journal notes that the record was opened;
    neither if the lines are for something ``public``.
    Raises :class:`Refused` without confirmation."""
    with open_store(write=False) as store:
        if store.match(match).outcome or public:
            return list(store.export(match))
    if not yes:
        _ask_to_show()
    with open_store() as store:
        store.note_opened(match)
        return list(store.export(match))


def _ask_to_show() -> None:
    """Ask on standard error whether to show an unfinished match. Raises :class:`Refused` unless the answer is yes."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused("not_over")
    print(say("history.hands_ask"), "(y/N)", end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in say("yes").split():
        raise Refused("not_shown")


def write_record(match: int, path: Path, yes: bool) -> None:
    """Write a match's record to a new file. Confirmation is as in :func:`export_lines`."""
    lines = export_lines(match, yes)
    _write_file(path, lines, private='"outcome"' not in lines[-1])  # an unfinished match has secrets


def _is_standard_output(path: Path) -> bool:
    """Whether a path names standard output: ``-``, ``/dev/stdout`` and their like."""
    try:
        return str(path) == "-" or os.path.samestat(path.stat(), os.fstat(1))
    except OSError:
        return False


def _write_file(path: Path, lines: list[str], private: bool = False) -> None:
    """Write a new file, as a whole or not at all; if ``private``, for its owner alone. Raises :class:`Refused`."""
    is_device = path.exists() and not (path.is_file() or path.is_dir())  # or a pipe: nothing can be lost
    flags = os.O_WRONLY if is_device else os.O_CREAT | os.O_EXCL | os.O_WRONLY
    try:
        descriptor = os.open(path, flags, 0o600 if private else 0o666)
        with ExitStack() as failed:
            if not is_device:
                failed.callback(path.unlink, missing_ok=True)
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
                out.writelines(line + "\n" for line in lines)
                out.flush()
                if not is_device:
                    os.fsync(out.fileno())
            failed.pop_all()
    except FileExistsError:
        raise Refused("file_exists", path=str(path)) from None
    except OSError as error:
        raise unwritable(path, error) from None


# Reading records


@contextmanager
def open_record(record: str | int, yes: bool = False, public: bool = False) -> Iterator[Iterable[bytes]]:
    """A context with the lines of a record: a match by its number, or a file. As a text, a number may name a file.

    ``public``: whether nothing hidden will be shown; then nobody is asked to confirm.
    Raises :class:`Refused` for an unreadable or invalid record, even if the error occurs while the lines are read."""
    number = match_number(record)
    try:
        if number is not None:
            yield [line.encode() for line in export_lines(number, yes, public)]
        else:
            with Path(str(record)).open("rb") as file:
                yield record_lines(file)
    except OSError as error:
        if error.filename is None:
            raise  # an error of the output
        raise unreadable(record, error) from None
    except RecordError as error:
        sys.stdout.flush()
        raise bad_record(record_name(record), error) from None


def match_number(record: str | int) -> int | None:
    """The number of the match that ``record`` names; ``None`` if it names a file."""
    if isinstance(record, int):
        return record
    is_number = record.isdecimal() and len(record) <= MAX_DIGITS and not os.path.exists(record)
    return int(record) if is_number else None


def record_name(record: str | int) -> str:
    """The name of a record in messages: its file or match."""
    number = match_number(record)
    return str(record) if number is None else say("match_called", number=number)


def record_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, overlong ones split into invalid ones. Raises :class:`OSError` with the file's name."""
    try:
        yield from iter(partial(file.readline, MAX_LINE), b"")
    except OSError as error:
        raise OSError(error.errno, error.strerror, file.name) from None


def bad_record(path: str, error: RecordError, key: str = "bad_record") -> Refused:
    """The refusal of an invalid record. Some errors have a message of their own in place of the default ``key``."""
    if key == "bad_record":
        special = {"record_empty": "empty_record", "unknown_option": "newer_record", "record_version": "newer_record"}
        key = special.get(error.reason.key, key)
    why = context.reason_text(error.reason, error.game)
    return Refused(key, code=ExitCode.BAD_RECORD, path=path, line=error.line, why=why)
