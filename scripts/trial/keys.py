"""Random keys into every prompt: no error, exit codes as specified, and always an answer in good time."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .kills import record, scripts
from .program import CTRL_C, DOWN, ENTER, PROMPT, Program, playable, run, seen

PAUSE = 0.03
"""Seconds between two keys."""

SLOW = 30.0
"""Seconds within which it must have ended when it is told to."""

CODES = {0, 2, 130, 131}
"""How it may end: left, nothing to do, Ctrl-C, or Ctrl-\\ between two prompts."""

ONWARD = (ENTER, ENTER, ENTER, DOWN, DOWN + ENTER, " " + ENTER, "\x7f" * 8, "\x7f" * 8 + ENTER, "?", "l", "u")
"""The keys that lead on, pressed as often as all the rest."""

KEYS = (
    ENTER, DOWN, "\x1b", "\x1b[A", " ", " ", "?", "s", "l", "u", "q", "q\r", "n", "0", "1",
    "\x7f", "\t", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1bOP", "\x1b[24~", "\x1b[1;5C", "\x1b[Z",
    "\x1b\r", "\x1ba", "\x1b\x1b", "\x00", "\x01", "\x04", "\x05", "\x0b", "\x0c", "\x0e", "\x10", "\x12", "\x15",
    "\x17", "\x1c", "\x1a", "\x18\x05", "\x1b[200~pass\r\x1b[201~", "\x1b[M !!", "\x1b[<0;5;5M", "\x1b[I",
    "\x1b[12;40R", "7s", "10♠", "T", "KH", "qh", "ｊｃ", "あ", "日本", "é", "e\u0301", "🂡", "\u200d", "𠮷", "12", "-1",
    "x" * 200, "[b]", "\r" * 20, "\x1b[B" * 50, "  \r", "\x1b[", "\x1b]0;x\x07", "\udcff", "\udcc3", "\udce2\udc99",
    "\udced\udca0\udc80",
)  # fmt: skip
"""The other keys; bytes that are no text stand as half pairs."""


class Keys(NamedTuple):
    """The figures of the trial."""

    keys: int
    programs: int
    prompts: int
    ended: Counter[int]
    slowest: float
    seconds: float

    def __str__(self) -> str:
        ends = ", ".join(f"{number} × {code}" for code, number in sorted(self.ended.items()))
        return (
            f"{self.keys} random keys into {self.prompts} prompts of {self.programs} programs: no error, ended with "
            f"{ends}, at the latest {self.slowest:.1f} s after Ctrl-C, every match still whole ({self.seconds:.0f} s)"
        )


def trial(keys: int, burst: int = 40, seed: int = 1) -> Keys:
    """Press so many keys, ``burst`` to a program; raises ``AssertionError``."""
    begun = time.monotonic()
    rng = Random(seed)
    pressed = programs = prompts = 0
    ended: Counter[int] = Counter()
    slowest = 0.0
    while pressed < keys:
        for arguments, ply in _programs(rng, programs):
            where = f"program {programs} of seed {seed}: {arguments}"
            with TemporaryDirectory() as name:
                home = Path(name) / "home"
                given = [word.replace("HOME", name) for word in arguments]
                _prepare(rng, home, Path(name), ply)
                with Program(home, *given, columns=rng.choice((80, 80, 60, 132, 40)), rows=24) as program:
                    took, code = _press(program, [rng.choice(rng.choice((ONWARD, KEYS))) for _ in range(burst)], where)
                slowest = max(slowest, took)
                ended[code] += 1
                prompts += program.raw.count(PROMPT)
                _look_after(home, where)
                errors = [path for path in Path(name).iterdir() if path.name.startswith("cardgames-error")]
                assert not errors, f"{where}: {errors[0].read_text()}"
            pressed += burst
            programs += 1
            break
    return Keys(pressed, programs, prompts, ended, slowest, time.monotonic() - begun)


def _programs(rng: Random, number: int) -> Iterator[tuple[list[str], int | None]]:
    """The commands started, by turns: mostly a match from somewhere on, and whatever else asks."""
    games = playable()
    game = games[number // 2 % len(games)]
    if number % 2 == 0:
        language = rng.choice(("en", "ja"))
        plain = ["--plain"] if rng.random() < 0.25 else []
        yield ["--language", language, *plain, "resume", "1", *(["--fast"] if rng.random() < 0.7 else [])], number
    else:
        yield rng.choice(
            (
                [], [], ["--plain"], ["play", game], ["play", game, "--plain"], ["replay", "HOME/begun.jsonl"],
                ["replay", "1"], ["export", "1"], ["learn", game], ["rules", game],
            )
        ), number  # fmt: skip


def _prepare(rng: Random, home: Path, folder: Path, number: int | None) -> None:
    """A home with a match that stands somewhere."""
    games = playable()
    game = games[(number or 0) // 2 % len(games)]
    script = next(scripts(game, 3 + (number or 0) % 5, 3))
    path = folder / "begun.jsonl"
    lines = script.lines[:-1]
    path.write_text("\n".join(lines[: rng.randrange(2, len(lines))]), encoding="utf-8")
    assert run(home, "import", str(path)).code == 0


def _press(program: Program, keys: list[str], where: str) -> tuple[float, int]:
    """Press keys, stopping and going on where they ask for it, then end it; how long that took, and the exit code."""
    program.wait(lambda: len(program.raw) > 0 or not program.alive, f"{where}: anything")
    end = time.monotonic() + 2
    while program.alive and PROMPT not in program.raw and time.monotonic() < end:
        program.read(0.3)
        if "--plain" in where and program.raw.endswith(b"> "):
            break
    for key in keys:
        if not program.alive:
            break
        if program.stopped:
            program.go_on()
        program.send(key.encode(errors="surrogateescape"))
        end = time.monotonic() + PAUSE
        while (left := end - time.monotonic()) > 0:
            program.read(left)
    begun = time.monotonic()
    while program.alive:
        if program.stopped:
            program.go_on()
        program.send("\x1b[201~" + CTRL_C)
        program.read(0.05)
        while program.alive and program.read(0.02):
            pass
        assert time.monotonic() - begun < SLOW, f"{where}: it does not end; in view is\n{program.view}"
    took = time.monotonic() - begun
    code = program.ended()
    text = seen(bytes(program.raw))
    assert code in CODES, f"{where}: ended with {code} after {keys}\n{program.said}"
    for word in ("Traceback", "The program has a bug", "Error:", "Exception"):
        assert word not in text, f"{where}: {word} after {keys}\n{program.said}"
    assert program.modes_now == program.modes, f"{where}: the terminal's modes after {keys}"
    assert program.raw.count(b"\x1b[?1049h") == program.raw.count(b"\x1b[?1049l"), f"{where}: the alternate screen"
    return took, code


def _look_after(home: Path, where: str) -> None:
    """Every match is there and as it may be."""
    for command in (["matches"], ["stats"], ["replay", "1", "--json", "--yes"]):
        done = run(home, *command)
        assert done.code == 0, f"{where}: {command} ends with {done.code}: {done.err}"
    assert record(home)
