"""Standard streams that are closed, full or slow, and files that fail before their end."""

import errno
import fcntl
import io
import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardgames.store import Store
from tests.store.played_matches import keep, played, played_here

from .conftest import Run

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/records/durak-throw-in.jsonl"
LINES = RECORD.read_bytes().splitlines(keepends=True)

COMMANDS: list[tuple[str, ...]] = [
    ("matches", "--all"), ("import", str(RECORD)), ("--language", "ja", "stats"),
]  # fmt: skip


def shell(home: Path, redirected: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run ``cardgames`` in a shell, with the redirections ``redirected``."""
    command = ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-m", "cardgames", *arguments]
    env = {**os.environ, "CARDGAMES_HOME": str(home)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, timeout=120, check=False)


@pytest.fixture
def filled(home: Path) -> Path:
    """A home with a finished match."""
    with Store.open(home) as store:
        played_here(store, LINES)
    return home


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_output_is_said_to_be(filled: Path, arguments: tuple[str, ...]) -> None:
    before = shell(filled, "", "export", "1").stdout
    done = shell(filled, ">&-", *arguments)
    said = "<stdout>に書き込めません" if "ja" in arguments else "<stdout> cannot be written: it is closed."
    assert done.returncode == 73
    assert said in done.stderr
    with Store.open(filled) as store:  # nothing that was to be printed has got into the file
        assert list(store.export(1)) == before.splitlines()


def test_a_closed_input_or_error_changes_nothing(filled: Path) -> None:
    expected, done = (shell(filled, closed, "matches", "--all") for closed in ("", "<&- 2>&-"))
    assert done.returncode == expected.returncode == 0
    assert done.stdout == expected.stdout


CLOSED = ("<&-", ">&-", "2>&-", "<&- >&- 2>&-")
ASKING = ("", "replay 1")
PRINTING = ("rules durak", "simulate durak --seed 1 --records FOLDER")
WRITING = ("export 1 RECORD",)


@pytest.mark.parametrize("command", [*ASKING, *PRINTING, *WRITING, "nonsense"])
def test_whatever_is_closed_it_ends_as_it_should(filled: Path, command: str) -> None:
    """A command that asks needs both ends, one that prints an output, and one that writes a file neither."""
    found: dict[str, int] = {}
    for closed in CLOSED:
        record, folder = filled / f"{len(found)}.jsonl", filled / f"{len(found)}"
        arguments = [{"RECORD": str(record), "FOLDER": str(folder)}.get(word, word) for word in command.split()]
        found[closed] = shell(filled, closed, *arguments).returncode
    if command in WRITING:
        assert found == dict.fromkeys(CLOSED, 0)
        assert len(list(filled.rglob("*.jsonl"))) == len(CLOSED)
    elif command in PRINTING:
        assert found == {closed: 73 if ">&-" in closed.split() else 0 for closed in CLOSED}
    else:
        assert found == dict.fromkeys(CLOSED, 2)


def test_an_error_that_nobody_hears_is_an_error_all_the_same(filled: Path) -> None:
    assert shell(filled, "2>&-", "export", "99").returncode == 2
    assert shell(filled, "2>&-", "import", "/dev/null").returncode == 65


@pytest.mark.parametrize("arguments", [("matches", "--all"), ("replay", "1", "--json")])
def test_a_reader_who_has_enough_is_no_error(filled: Path, arguments: tuple[str, ...]) -> None:
    with Store.open(filled) as store:
        for seed in range(40):
            store.import_record(line.encode() for line in played(seed).lines)
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "cardgames", *arguments]
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT) as program:
        os.close(writing)
        os.read(reading, 1)
        os.close(reading)
        assert program.stderr
        assert program.stderr.read() == b""
    assert program.returncode == 0


def test_an_output_that_does_not_block_is_written_whole(filled: Path) -> None:
    """As some programs leave a pipe that they share with others."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    expected = shell(filled, "", "replay", "1", "--json").stdout
    assert len(expected) > 2 * 4096
    command = [sys.executable, "-m", "cardgames", "replay", "1", "--json"]
    with subprocess.Popen(command, stdout=writing, cwd=ROOT) as program:
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            assert pipe.read().decode() == expected
    assert program.returncode == 0


# Files


class Failing(io.BytesIO):
    """A file that fails after some lines, as on a bad disk."""

    name = "record.jsonl"

    def __init__(self, lines: list[bytes], good: int) -> None:
        super().__init__(b"".join(lines))
        self.good = good

    def readline(self, size: int | None = -1) -> bytes:
        self.good -= 1
        if self.good < 0:
            raise OSError(errno.EIO, "Input/output error")
        return super().readline(size)


@pytest.mark.parametrize("command", [("import",), ("replay", "--json")])
@pytest.mark.parametrize("good", [0, 7])
def test_a_record_that_cannot_be_read_to_its_end(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], good: int
) -> None:
    opened = Path.open

    def failing(path: Path, *how: Any, **more: Any) -> Any:
        return Failing(LINES, good) if path == RECORD else opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", failing)
    monkeypatch.setattr(Path, "is_file", lambda path: False)  # or it would be counted first
    said = run(command[0], str(RECORD), *command[1:])
    assert said.code == 2
    assert "cannot be read: Input/output error." in said.error
    assert said.error.count("\n") == 1
    with Store.open(home) as store:
        assert store.matches() == []


def test_a_record_for_which_there_is_no_room_leaves_no_file(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("simulate", "fipsen", "--deals", "150", "--seed", "1", "--records", str(tmp_path)).code == 0
    long = tmp_path / "fipsen-1.jsonl"
    assert run("import", str(long)).code == 0
    out = tmp_path / "out.jsonl"
    room = 1 << 15
    assert room < long.stat().st_size

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))  # what SQLite needs to read, and no more

    command = [sys.executable, "-m", "cardgames", "export", "1", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, preexec_fn=little_room, check=False)
    assert done.returncode == 73
    assert f"{out} cannot be written" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_open_record_is_private_to_its_owner(run: Run, filled: Path, tmp_path: Path, umask: int) -> None:
    with Store.open(filled) as store:
        number = keep(store, played(1), 5)
    before = os.umask(umask)
    try:
        assert run("export", str(number), str(tmp_path / "open.jsonl"), "--yes").code == 0
        assert run("export", "1", str(tmp_path / "over.jsonl")).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "open.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "over.jsonl").stat().st_mode) == 0o666 & ~umask


# What comes in and goes out

DANGEROUS = "a\x7f\x9b2J\u202e\u2028b"


def test_nothing_that_a_terminal_obeys_goes_out_in_json(run: Run, home: Path) -> None:
    """In names from before there were rules for them; the JSON says the same."""
    with Store.open(home) as store:
        number = played_here(store, LINES)
        with store.database.transaction() as db:
            db.execute("UPDATE match SET names = ? WHERE id = ?", (json.dumps([DANGEROUS, "Ben"]), number))
            db.execute("UPDATE player SET name = ? WHERE seat = 1", (DANGEROUS,))
    exported, counted = run("export", "1").out, run("stats", "--json").out
    for text in (exported, counted):
        assert text.replace("\n", "").isprintable()
    assert json.loads(exported.splitlines()[0])["names"] == [DANGEROUS, "Ben"]
    assert DANGEROUS in [player["name"] for player in json.loads(counted)["players"]]


def test_a_name_with_marks_without_end_is_listed_at_once(run: Run, home: Path) -> None:
    name = "a" + "\u0301" * 20_000
    with Store.open(home) as store:
        number = played_here(store, LINES)
        with store.database.transaction() as db:
            db.execute("UPDATE match SET names = ? WHERE id = ?", (json.dumps([name, "Ben"]), number))
            db.execute("UPDATE player SET name = ? WHERE seat = 1", (name,))
    for command in ("matches", "stats"):
        said = run(command)
        assert said.code == 0
        assert said.out.count("\u0301") < 200


@pytest.mark.parametrize("length", [100, 900_000])
def test_errors_fit_two_lines(run: Run, tmp_path: Path, length: int) -> None:
    path = tmp_path / "long.jsonl"
    header = json.loads(LINES[0])
    for wrong in ({"names": ["x" * length, "Ben"]}, {"game": "x" * length}, {"rules": {"x" * length: True}}):
        path.write_text(json.dumps({**header, **wrong}) + "\n")
        said = run("import", str(path))
        assert said.code == 65
        assert len(said.error) < 160 + len(str(path)) + 60
    path.write_bytes(LINES[0].strip() + b"\n" + json.dumps({"by": 0, "act": "x" * length}).encode() + b"\n")
    said = run("import", str(path))
    assert said.code == 65
    assert len(said.error) < 160 + len(str(path)) + 60
    said = run("matches", "--" + "x" * length)
    assert said.code == 2
    assert len(said.error) < 220
    said = run("stats", "x" * length)
    assert said.code == 2
    assert len(said.error) < 160


def test_a_terminal_of_unknown_size_shows_everything(home: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "cardgames", "rules", "durak"]
    pages = [
        subprocess.run(command, env=os.environ | size, stdout=subprocess.PIPE, check=True).stdout
        for size in (dict[str, str](), {"COLUMNS": "0", "LINES": "0"})
    ]
    assert pages[0] == pages[1] != b""
