"""A folder with the records of a tournament, in which it can be gone on with."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cardgames.tournament.plan import Chunk, Tournament
from cardgames.tournament.playing import Done, file_name, headers


class OtherTournament(Exception):
    """A file in the folder is the record of a match of something else: its path."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class Folder:
    """The records of a tournament, a file a match: ``GAME-NUMBER.jsonl``, numbered from 1.

    Every method may raise :class:`OSError`.
    """

    def __init__(self, path: Path, game: str) -> None:
        """Makes the folder if need be."""
        path.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._game = game

    def seed(self) -> int | None:
        """The seed of the tournament whose first record is here; ``None`` if there is none."""
        try:
            with self._file(0).open(encoding="utf-8", errors="replace") as file:
                found: Any = json.loads(file.readline())["tournament"]["seed"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return found if type(found) is int else None

    def with_records(self, tournament: Tournament, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """The chunks, with their records where all of them are here; raises :class:`OtherTournament`."""
        for chunk in chunks:
            found = [self._record(match, first) for match, first in headers(tournament, chunk)]
            whole = tuple([record for record in found if record is not None])
            yield chunk._replace(recorded=True, records=whole if len(whole) == chunk.matches else ())

    def _record(self, match: int, header: str) -> str | None:
        """The finished record of a match of this tournament, if it is here."""
        path = self._file(match)
        try:
            record = path.read_bytes().decode(errors="replace")
        except FileNotFoundError:
            return None
        first, *lines = record.split("\n")
        if not lines:  # it was broken off while it was written
            if header.startswith(first):
                return None
            raise OtherTournament(path)
        if first != header:
            raise OtherTournament(path)
        return record if lines[-1] == "" and lines[-2:-1] and lines[-2].startswith('{"outcome"') else None

    def write(self, done: Done) -> None:
        """Write the records of a chunk that was played, but those that are here already."""
        for match, record in enumerate(done.records, done.chunk.first):
            path = self._file(match)
            if not (path.exists() and path.read_bytes() == record.encode()):
                path.write_text(record, encoding="utf-8", newline="\n")

    def _file(self, match: int) -> Path:
        return self._path / file_name(self._game, match)
