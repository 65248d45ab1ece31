"""A folder with the records of a tournament, so that it can be continued."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cardgames.tournament.plan import Chunk, Tournament
from cardgames.tournament.playing import Done, file_name, header


class OtherTournament(Exception):
    """A file in the folder, whose path is the argument, is the record of another tournament."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class Folder:
    """The records of a tournament, a file a match: ``GAME-NUMBER.jsonl``, numbered from 1.

    Every method may raise :class:`OSError` with the name of the file."""

    def __init__(self, path: Path, game: str) -> None:
        """Create the folder if needed."""
        with _using(path):
            path.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._game = game

    def seed(self) -> int | None:
        """The seed of the tournament whose first record is in the folder, or ``None``."""
        try:
            found: Any = json.loads((self._read(0) or "").partition("\n")[0])["tournament"]["seed"]
        except (ValueError, KeyError, TypeError):
            return None
        return found if type(found) is int else None

    def with_records(self, tournament: Tournament, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """The chunks, with their records if all are in the folder. Raises :class:`OtherTournament`."""
        game = tournament.new_game()
        for chunk in chunks:
            matches = range(chunk.first, chunk.first + chunk.matches)
            found = [self._record(match, header(tournament, game, match)) for match in matches]
            whole = tuple([record for record in found if record is not None])
            yield chunk._replace(recorded=True, records=whole if len(whole) == chunk.matches else ())

    def _record(self, match: int, header: str) -> str | None:
        """The finished record of a match of this tournament, if the folder has it."""
        path, record = self._file(match), self._read(match)
        if record is None:
            return None
        first, *lines = record.split("\n")
        if not lines:  # writing the file was interrupted
            if header.startswith(first):
                return None
            raise OtherTournament(path)
        if first != header:
            raise OtherTournament(path)
        return record if lines[-1] == "" and lines[-2:-1] and lines[-2].startswith('{"outcome"') else None

    def write(self, done: Done) -> None:
        """Write the records of a played chunk, except those that exist already."""
        for match, record in enumerate(done.records, done.chunk.first):
            if self._read(match) != record:
                path = self._file(match)
                with _using(path):
                    path.write_text(record, encoding="utf-8", newline="\n")

    def _read(self, match: int) -> str | None:
        """The text of a match's file, if it exists."""
        path = self._file(match)
        with _using(path):
            return path.read_bytes().decode(errors="replace") if path.exists() else None

    def _file(self, match: int) -> Path:
        """The path of a match's record."""
        return self._path / file_name(self._game, match)


@contextmanager
def _using(path: Path) -> Iterator[None]:
    """Add the file's name to an error; the error of a full disk has none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
