"""Records that were tampered with, through ``replay --json`` and ``import``: refused with a reason, or kept.

Both are called as functions in a process that takes many records: a process each would take a hundred times as long.
"""

import io
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cardgames.engine.player_names import is_allowed_name, look_alike
from cardgames.engine.record import RecordError, read

from .damage import _memory
from .kills import scripts
from .program import _preload, environment, playable

SLOW = 2.0
"""Seconds of a processor that no record may take, each way: those that others take do not count."""

RECORDS = Path(__file__).parents[2] / "tests" / "records"

Lines = list[bytes]


class Mutations(NamedTuple):
    """The figures of the trial."""

    records: int
    refused: int
    slowest: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.records} mutated records through replay --json and import: {self.refused} refused with line and "
            f"reason, the rest read alike by both and exported again, the slowest in {self.slowest * 1000:.0f} ms "
            f"of a processor ({self.seconds:.0f} s)"
        )


def trial(number: int, workers: int = 1, seed: int = 1) -> Mutations:
    """Try so many records; raises ``AssertionError``."""
    begun = time.monotonic()
    _preload()
    bases = _bases()
    told = []
    for worker in range(workers):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            _work(writing, bases, number // workers + (worker < number % workers), f"{seed}/{worker}")
        os.close(writing)
        told.append(reading)
    refused = done = 0
    slowest = 0.0
    wrong = []
    for reading in told:
        with os.fdopen(reading) as lines:
            found = json.loads(lines.read() or '{"wrong": "the worker has gone"}')
        os.wait()
        if "wrong" in found:
            wrong.append(found["wrong"])
        else:
            done += found["done"]
            refused += found["refused"]
            slowest = max(slowest, found["slowest"])
    assert not wrong, "\n".join(wrong)
    return Mutations(done, refused, slowest, time.monotonic() - begun)


def _bases() -> list[Lines]:
    """Records to begin with: the golden ones, and some of every game, whole and broken off."""
    found = [path.read_bytes().splitlines(keepends=True) for path in sorted(RECORDS.glob("*.jsonl"))]
    for game in playable():
        for script, _ in zip(scripts(game, 7, 3), range(2), strict=False):
            lines = [line.encode() + b"\n" for line in script.lines]
            found += [lines[:2], lines[:30], lines[: 2 * len(lines) // 3]]
            if len(lines) < 150:
                found.append(lines)
    return found


def _work(writing: int, bases: Sequence[Lines], number: int, seed: str) -> None:
    """Try records, and tell what came of it; never returns."""
    try:
        try:
            found: dict[str, Any] = _try_many(bases, number, seed)
        except BaseException as error:
            import traceback

            found = {"wrong": f"{error}\n{traceback.format_exc()}"}
        os.write(writing, json.dumps(found).encode())
    finally:
        os._exit(0)


def _try_many(bases: Sequence[Lines], number: int, seed: str) -> dict[str, Any]:
    from cardgames.cli.context import choose_settings

    rng = Random(seed)
    refused = 0
    slowest = 0.0
    with TemporaryDirectory(dir=_memory()) as name:
        path, home = Path(name) / "record.jsonl", Path(name) / "home"
        settled = environment(home, {"CARDGAMES_ASCII": "off"})
        os.environ.clear()
        os.environ.update(settled)
        choose_settings([])
        sys.stdin = open(os.devnull)  # noqa: SIM115 — for as long as this process lasts
        kept = 0
        for nth in range(number):
            data = mutated(rng, bases)
            path.write_bytes(data)
            code, taken, took = _both(path, home, Path(name), kept)
            assert took < SLOW, f"record {nth} of {seed} took {took:.1f} s of a processor: {data[:2000]!r}"
            slowest = max(slowest, took)
            refused += code == 65
            kept += taken
            if kept >= 300:
                shutil.rmtree(home)
                kept = 0
    return {"done": number, "refused": refused, "slowest": slowest}


def _both(path: Path, home: Path, folder: Path, kept: int) -> tuple[int, bool, float]:
    """Replay a record and import it: the exit code, whether it was taken in, and the processor time either took."""
    from cardgames.cli import records
    from cardgames.store import Store

    data = path.read_bytes()
    begun = time.process_time()
    code, said, out = _call(lambda: records.replay(str(path), as_json=True))
    took = time.process_time() - begun
    assert code in (0, 65), f"replay ended with {code} and {said!r}: {data!r}"
    assert (code == 0) == (not said), said
    plies = out.splitlines()
    if not data.strip():
        assert said.strip() == f"{path} is empty. Name another record.", said
    elif code == 65:
        head, _, why = said.partition(": ")
        assert head.startswith(f"{path}, line "), said
        line = int(head.rpartition(" ")[2])
        assert why.endswith("."), said
        assert line >= len(plies) > 0 or not plies, f"{len(plies)} plies were good before line {line}"
        assert 1 <= line <= data.count(b"\n") + 2, said
    begun = time.process_time()
    code_in, said_in, out_in = _call(lambda: records.import_(path))
    took = max(took, time.process_time() - begun)
    if _bad_names(data):  # they can be looked at, and not taken in
        assert code_in == 65, f"import {said_in!r}: {data!r}"
        assert said_in.startswith(f"{path}, line 1: "), said_in
    else:
        assert (code_in, said_in) == (code, said), f"replay {said!r}, import {said_in!r}: {data!r}"
    if code_in:
        assert not out_in
        return code, False, took
    with Store.open(home) as store:
        number = kept + 1
        again = folder / "again.jsonl"
        again.write_bytes(b"".join(line.encode() + b"\n" for line in store.export(number)))
        assert store.match(number).plies == len(plies) - 1
        assert len(store.matches()) == number or number % 50
    assert _call(lambda: records.replay(str(again), as_json=True)) == (0, "", out), f"it came out differently: {data!r}"
    return code, True, took


def _bad_names(data: bytes) -> bool:
    """Whether a record's header is sound but for names that nobody may have at a table of ours."""
    try:
        header, _, _ = read(io.BytesIO(data))
    except RecordError:
        return False
    names = header.names or ()
    alike = any(look_alike(*pair) for pair in combinations(names, 2))
    return alike or not all(is_allowed_name(name) for name in names)


def _call(command: Callable[[], object]) -> tuple[int, str, str]:
    """The exit code of a command, what it said was wrong, and what it printed."""
    from cardgames.cli.context import Refused

    out = io.StringIO()
    with redirect_stdout(out):
        try:
            command()
        except Refused as error:
            return error.code, error.text, out.getvalue()
    return 0, "", out.getvalue()


# What is done to records


def mutated(rng: Random, bases: Sequence[Lines]) -> bytes:
    """A record that was tampered with, mostly once, sometimes more often."""
    lines = list(rng.choice(bases))
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        lines = rng.choice(MUTATIONS)(rng, lines, bases) or [b""]
    return b"".join(lines)


VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 10**30, 1.5, "", "1", "durak", "pass", "x" * 300, "\0", "\ud800", "ノ", [],
    {}, [1], ["a", "b"], [None], {"a": 1}, [[[]]], "deal", "deal AS", "[bold]", "\x1b[2J",
)  # fmt: skip
RAW = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0", b"1.0", b"9" * 5000, b"[" * 20_000, b'{"a":' * 5000, b"'x'",
    b"0x1", b"tru", b'"\\ud800"', b'"\\ud800\\udc00"', b'"\xff"', b'"\\x"', b"/* */1", b"01", b'"a', b"1,",
    b"\xef\xbb\xbf1",
)  # fmt: skip


OTHERS = (
    "pass", "take", "double", "accept", "hold", "bid 5", "bid 2 hand ruten durch", "stop", "claim", "trump S", "time",
    "deal", "sevens", "discard 7C 7C", "marriage KS+QS", "assembly T", "play AS", "seats 1 2 3 4", "KS", "9D>6D", "",
)  # fmt: skip


def _flip(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    data = bytearray(b"".join(lines))
    for _ in range(rng.choice((1, 1, 4))):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data).splitlines(keepends=True)


def _byte(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    data = bytearray(b"".join(lines))
    at = rng.randrange(len(data) + 1)
    piece = rng.choice(
        (b"", b"\n", b"\r", b"\0", b"{", b"}", b'"', b"\\", b",", b" ", b"\xff", b"\xed\xa0\x80", b"7", b"\x85")
    )
    data[at : at + rng.randrange(3)] = piece
    return bytes(data).split(b"\n") if rng.random() < 0.1 else bytes(data).splitlines(keepends=True)


def _cut(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    data = b"".join(lines)
    return data[: rng.randrange(len(data) + 1)].splitlines(keepends=True)


def _drop(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    at = rng.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def _repeat(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    at = rng.randrange(len(lines))
    return lines[:at] + [lines[at]] * rng.choice((2, 3)) + lines[at + 1 :]


def _swap(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines = list(lines)
    lines[one], lines[two] = lines[two], lines[one]
    return lines


def _foreign(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    at = rng.randrange(len(lines))
    piece = rng.choice((rng.choice(rng.choice(bases)), b"\n", b"[]\n", b"null\n", b'"x"\n', b"{}\n", b" \n", b"\r\n"))
    return [*lines[:at], piece, *lines[at + rng.randrange(2) :]]


def _value(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    """Another value for one key, of the header as often as of all others."""
    at = 0 if rng.random() < 0.5 else rng.randrange(len(lines))
    try:
        found = json.loads(lines[at])
        target = found
        if isinstance(found, dict) and rng.random() < 0.3:
            inner = [value for value in found.values() if isinstance(value, dict | list) and value]
            target = rng.choice(inner) if inner else found
        key = rng.choice(list(target) if isinstance(target, dict) else range(len(target)))
        if rng.random() < 0.2 and isinstance(target, dict):
            value = target.pop(key)
            if rng.random() < 0.5:
                target[rng.choice((key + "x", "x", key.upper(), "act", "by", "outcome"))] = value
        elif rng.random() < 0.5:
            target[key] = rng.choice(VALUES)
        else:
            target[key] = "RAW"
        text = json.dumps(found).encode().replace(b'"RAW"', rng.choice(RAW))
    except (ValueError, TypeError, IndexError, AttributeError, RecursionError):
        return lines
    return [*lines[:at], text + b"\n", *lines[at + 1 :]]


def _action(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    """Another action, near the one that stands there."""
    at = rng.randrange(len(lines))
    try:
        found = json.loads(lines[at])
        text = found["act"]
        words = text.split(" ")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return lines
    near = (
        *(text.lower(), text + " ", " " + text, text.replace(" ", "  "), text[1:], text + words[-1], words[0]),
        *(
            " ".join(sorted(words)),
            " ".join(reversed(words)),
            text[::-1],
            text.replace("S", "H"),
            text.replace("T", "10"),
        ),
    )
    found["act"] = rng.choice((*near, *OTHERS))
    if rng.random() < 0.2:
        found["by"] = rng.randrange(-1, 7)
    return [*lines[:at], json.dumps(found).encode() + b"\n", *lines[at + 1 :]]


def _dress(rng: Random, lines: Lines, bases: Sequence[Lines]) -> Lines:
    """The changes that a reader takes without complaint."""
    match rng.randrange(5):
        case 0:
            return [b"\xef\xbb\xbf" + lines[0], *lines[1:]]
        case 1:
            return [line.rstrip(b"\n") + b"\r\n" for line in lines]
        case 2:
            return [*lines[:-1], lines[-1].rstrip(b"\n")]
        case 3:
            return [*lines, b"\n"]
        case _:
            at = rng.randrange(len(lines))
            return [*lines[:at], lines[at].replace(b"}", b',"more":[1]}', 1), *lines[at + 1 :]]


MUTATIONS = (_flip, _byte, _cut, _drop, _repeat, _swap, _foreign, _value, _value, _action, _action, _dress)
