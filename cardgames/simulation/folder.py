"""A folder with the records of a simulation, from which the simulation can be continued."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgames.simulation.plan import Chunk, Simulation
from cardgames.simulation.playing import ChunkResult, file_name, record_header


@dataclass(eq=False)
class OtherSimulation(Exception):
    """The file at ``path`` is a record of another simulation."""

    path: Path


class RecordFolder:
    """The folder of a simulation's records, one file per match: ``GAME-NUMBER.jsonl``, numbered from 1.

    Every method may raise :class:`OSError` with the name of the file."""

    def __init__(self, path: Path, game: str) -> None:
        with _name_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._game = game

    def seed(self) -> int | None:
        """The seed of the simulation, from its first record; ``None`` if the folder has no readable first record."""
        try:
            seed: Any = json.loads((self._read(0) or "").partition("\n")[0])["tournament"]["seed"]
        except (ValueError, KeyError, TypeError):
            return None
        return seed if type(seed) is int else None

    def with_records(self, simulation: Simulation, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Yield each chunk, with its records if all are in the folder. Raises :class:`OtherSimulation`."""
        game = simulation.new_game()
        for chunk in chunks:
            matches = range(chunk.first, chunk.first + chunk.matches)
            records = [self._record(match, record_header(simulation, game, match)) for match in matches]
            finished = tuple([record for record in records if record is not None])
            yield chunk._replace(recorded=True, records=finished if len(finished) == chunk.matches else ())

    def _record(self, match: int, header: str) -> str | None:
        """The record of a match, or ``None``. Raises :class:`OtherSimulation` if it does not begin with ``header``."""
        path, record = self._file(match), self._read(match)
        if record is None:
            return None
        first_line, *lines = record.split("\n")
        was_interrupted = not lines and header.startswith(first_line)  # while the file was written
        if first_line != header and not was_interrupted:
            raise OtherSimulation(path)
        # A finished record ends with the line of the outcome, and that with its line end.
        return record if lines[-1:] == [""] and "".join(lines[-2:-1]).startswith('{"outcome"') else None

    def write(self, result: ChunkResult) -> None:
        """Write the records of a finished chunk. A file that already has the same record is not touched."""
        for match, record in enumerate(result.records, result.chunk.first):
            if self._read(match) != record:
                path = self._file(match)
                with _name_errors(path):
                    path.write_text(record, encoding="utf-8", newline="\n")

    def _read(self, match: int) -> str | None:
        """The text of a match's file; ``None`` if there is no file."""
        path = self._file(match)
        with _name_errors(path):
            return path.read_bytes().decode(errors="replace") if path.exists() else None

    def _file(self, match: int) -> Path:
        return self._path / file_name(self._game, match)


@contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    """A context that adds ``path`` to every :class:`OSError`, since the error of a full disk names no file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
