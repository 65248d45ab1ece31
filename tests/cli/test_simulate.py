"""``simulate``: the same result with any number of processes, after Ctrl-C, and when a folder is continued."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from cardgames.engine.game import GAMES
from cardgames.simulation.plan import RANDOM_UNITS
from cardgames.texts import LANGUAGES
from tests.cli.conftest import Run
from tests.simulation.players import first, playing_by, some
from tests.ui.terminal import Terminal

ROOT = Path(__file__).parents[2]


def told(run: Run, *arguments: str) -> dict[str, Any]:
    """The JSON summary without times."""
    said = run("simulate", *arguments, "--json")
    assert said.code == 0, said.error
    found: dict[str, Any] = json.loads(said.out)
    for summary in (found, found.get("usual", found)):
        summary.pop("time", None)
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("game", GAMES)
def test_the_summary_for_programs(run: Run, game: str) -> None:
    said = run("simulate", game, "--matches", "20", "--seed", "3", "--json")
    found = json.loads(said.out)
    assert (said.code, said.error) == (0, "")
    assert (found["game"], found["seed"], found["wanted"], found["matches"], found["pairs"]) == (game, 3, 20, 20, False)
    assert [line["level"] for line in found["levels"]] == ["random"]
    assert [line["seat"] for line in found["seats"]] == [*range(1, found["players"] + 1)]
    for line in [*found["levels"], *found["seats"]]:
        assert line["matches"] == 20
        assert line["share_won"]["mean"] == line["wins"] / 20
        for mean in ("share_won", "score_a_match", "score_a_deal"):
            assert line[mean]["low"] <= line[mean]["mean"] <= line[mean]["high"]
    assert found["deals"] >= 20
    assert found["actions"] > found["deals"]
    assert found["time"]["actions_a_second"] > 0
    assert found["time"]["seconds_a_move"] == {"random": None}
    assert told(run, game, "--matches", "20", "--seed", "3") == {key: found[key] for key in found if key != "time"}
    assert told(run, game, "--matches", "20", "--seed", "4") != {key: found[key] for key in found if key != "time"}


def test_what_an_option_is_worth(run: Run, tmp_path: Path) -> None:
    arguments = ("durak", "--player", "easy", "--player", "random", "--seed", "3", "--matches", "60")
    kept = ("--turn-over", "any", "--compare", "--records", str(tmp_path / "kept"))
    found = told(run, *arguments, *kept)
    usual, difference = found["usual"], found["difference"]
    alone = {key: found[key] for key in found if key not in ("usual", "difference")}
    assert alone == told(run, *arguments, "--turn-over", "any")
    assert usual == told(run, *arguments, "--seed", "4")
    for group in ("levels", "seats"):
        for ours, theirs, gained in zip(found[group], usual[group], difference[group], strict=True):
            for mean in ("share_won", "score_a_match", "score_a_deal"):
                assert gained[mean]["mean"] == ours[mean]["mean"] - theirs[mean]["mean"]
                half = (ours[mean]["high"] - ours[mean]["low"]) / 2
                other = (theirs[mean]["high"] - theirs[mean]["low"]) / 2
                assert max(half, other) < (gained[mean]["high"] - gained[mean]["low"]) / 2 < half + other
    assert len(files(tmp_path / "kept")) == len(files(tmp_path / "kept" / "usual")) == 60
    assert told(run, *arguments, *kept) == found
    for language, text in (("en", "The difference that --turn-over any makes"), ("ja", "--turn-over anyによる差")):
        assert text in run("--language", language, "simulate", *arguments, *kept).out


def test_the_manual_shows_what_it_comes_to(run: Run) -> None:
    for language, name in zip(LANGUAGES, ("simulation.md", "simulation.ja.md"), strict=True):
        page = (ROOT / ".github" / "docs" / name).read_text(encoding="utf-8")
        command = re.search(r"scripts/play (simulate .* --compare)\n\n", page)
        assert command is not None
        shown = [indent(line, "    ") for line in run("--language", language, *command[1].split()).out.splitlines()]
        difference = "\n".join(shown[-4:])
        assert difference in page


def test_any_number_of_processes_comes_to_the_same(run: Run) -> None:
    arguments = ("durak", "--matches", "700", "--seed", "3")
    found = told(run, *arguments, "--jobs", "1")
    assert found["matches"] == 700
    for jobs in ("2", "3"):
        assert told(run, *arguments, "--jobs", jobs) == found


def test_a_seed_that_was_not_given_is_said(run: Run) -> None:
    said = run("simulate", "durak", "--matches", "3")
    seed = said.error.removeprefix("The seed is ").removesuffix(".\n")
    again = run("simulate", "durak", "--matches", "3", "--seed", seed)
    assert again.out.splitlines()[:-1] == said.out.splitlines()[:-1]
    assert f"seed {seed}" in said.out


def test_records_can_be_gone_on_with(run: Run, tmp_path: Path) -> None:
    game = "durak"
    at_once, by_and_by = tmp_path / "at once", tmp_path / "by and by"
    found = told(run, game, "--matches", "270", "--seed", "3", "--records", str(at_once), "--jobs", "2")
    assert len(files(at_once)) == 270
    assert told(run, game, "--matches", "7", "--seed", "3", "--records", str(by_and_by))["matches"] == 7
    before = {path: path.stat().st_mtime_ns for path in by_and_by.iterdir()}
    assert len(before) == 7
    broken_off = by_and_by / f"{game}-4.jsonl"
    broken_off.write_bytes(broken_off.read_bytes()[:500])
    # The seed is known from the records.
    assert told(run, game, "--matches", "270", "--records", str(by_and_by)) == found
    assert files(by_and_by) == files(at_once)
    assert [path.name for path, at in before.items() if path.stat().st_mtime_ns != at] == [broken_off.name]
    before = {path: path.stat().st_mtime_ns for path in by_and_by.iterdir()}
    assert told(run, game, "--matches", "270", "--records", str(by_and_by)) == found
    assert {path: path.stat().st_mtime_ns for path in by_and_by.iterdir()} == before


def test_what_was_played_is_not_thought_over_again(run: Run, tmp_path: Path) -> None:
    arguments = ("fipsen", "--player", "easy", "--player", "random", "--pairs", "--seed", "3", "--jobs", "1")
    folder = ("--records", str(tmp_path))
    with playing_by(easy=first) as made:
        told(run, *arguments, "--matches", "4", *folder)
        once = len(made)
        found = told(run, *arguments, "--matches", "6", *folder)
        assert len(made) - once < once
        assert found == told(run, *arguments, "--matches", "6")


def test_two_levels_are_told_apart(run: Run) -> None:
    with playing_by(easy=first, fair=some):
        said = run("simulate", "durak", "--player", "easy", "--player", "fair", "--matches", "41", "--pairs", "--seed",
                   "3", "--jobs", "1", "--json")  # fmt: skip
    found = json.loads(said.out)
    assert (found["wanted"], found["matches"]) == (42, 42), "the last pair is played whole"
    easy, fair = found["levels"]
    assert (easy["level"], fair["level"]) == ("easy", "fair")
    assert easy["wins"] + fair["wins"] + found["drawn"] == 42
    assert easy["score_a_match"]["mean"] == -fair["score_a_match"]["mean"]
    assert set(found["time"]["seconds_a_move"]) == {"easy", "fair"}
    assert all(seconds > 0 for seconds in found["time"]["seconds_a_move"].values())


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_tells_what_is_done(home: Path, tmp_path: Path, jobs: str) -> None:
    kept = ("--records", str(tmp_path)) if jobs == "1" else ()
    with busy("--json", "--jobs", jobs, *kept) as (started, terminal):
        for _ in range(3):  # somebody who cannot wait
            os.killpg(started.pid, signal.SIGINT)
            time.sleep(0.05)
        out, _ = started.communicate(timeout=90)
        error = rest(terminal)
        assert started.returncode in (130, -signal.SIGINT), "the last may come when all is told"
        found = json.loads(out)
        assert 0 < found["matches"] < 1_000_000
        assert found["matches"] % RANDOM_UNITS == 0
        assert f"Stopped: {found['matches']} of 1000000 matches were played.".encode() in error
        assert (b"The same command continues from there." in error) == bool(kept)
        assert b"Traceback" not in error
        assert gone(started.pid), "none of its processes is left"


def test_who_ends_it_from_outside_ends_its_processes(home: Path) -> None:
    with busy("--json", "--jobs", "2") as (started, terminal):
        started.terminate()
        out, _ = started.communicate(timeout=90)
        assert started.returncode == 128 + signal.SIGTERM
        assert json.loads(out)["matches"] > 0
        assert b"resource_tracker" not in rest(terminal)
        assert gone(started.pid), "none of its processes is left"


def test_who_is_killed_leaves_no_processes_behind(home: Path) -> None:
    with busy("--jobs", "2") as (started, _):
        started.kill()
        started.wait()
        assert gone(started.pid)


def test_killed_worker_is_reported_and_loses_nothing(home: Path) -> None:
    with busy("--jobs", "2", "--json") as (started, terminal):
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
        workers = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
        assert len(workers) == 2
        os.kill(int(workers[0]), signal.SIGKILL)
        out, _ = started.communicate(timeout=90)
        assert started.returncode == 69
        assert json.loads(out)["matches"] > 0
        assert b"were killed" in rest(terminal)
        assert gone(started.pid)


@contextmanager
def busy(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A simulation without end that has shown some progress, and its terminal."""
    words = "-m cardgames simulate kakeya --seed 3 --matches 1000000"
    command = [sys.executable, *words.split(), *arguments]
    terminal, its_end = os.openpty()
    started = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=its_end,
        cwd=ROOT,
        start_new_session=True,  # Ctrl-C reaches the whole group, as it does at a terminal
    )
    os.close(its_end)
    try:
        shown = b""
        while not re.search(rb"[1-9]\d*/1000000", shown):
            shown += os.read(terminal, 1 << 16)
        yield started, terminal
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        os.close(terminal)


def rest(terminal: int) -> bytes:
    """The unread output of a terminal whose other end is closed."""
    found = b""
    with suppress(OSError):
        while more := os.read(terminal, 1 << 16):
            found += more
    return found


def gone(group: int) -> bool:
    """Whether the processes of a group have ended, or end within a while."""
    for _ in range(900):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_how_far_it_is_is_shown_on_a_terminal(home: Path) -> None:
    with Terminal(home, "simulate", "durak", "--matches", "400", "--seed", "3") as terminal:
        assert terminal.ended() == 0
        assert "400/400" in terminal.output
        assert "/s" in terminal.output
        assert "\x1b[?25l" not in terminal.output


def test_a_folder_of_another_simulation_is_left_alone(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    arguments = ("simulate", "durak", "--records", str(folder), "--matches", "3")
    run(*arguments, "--seed", "1")
    before = files(folder)
    for other in (("--seed", "2"), ("--pairs",), ("--throw-in",)):
        assert "durak-1.jsonl is not a record of this simulation" in run(*arguments, *other).refused(65)
    assert files(folder) == before


def test_a_record_that_was_changed_is_refused(run: Run, tmp_path: Path) -> None:
    arguments = ("simulate", "durak", "--records", str(tmp_path), "--matches", "3")
    run(*arguments, "--seed", "1")
    path = tmp_path / "durak-2.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], lines[4], *lines[5:]]))
    error = run(*arguments).refused(65)
    assert f"{path}, line 6: " in error
    assert "Delete the file, and its match will be played again." in error


def test_without_its_library_a_cluster_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    error = run("simulate", "durak", "--seed", "1", "--cluster", "tcp://127.0.0.1:9").refused()
    command = f"{sys.executable} -m pip install distributed"
    assert error == f"--cluster needs the library “distributed”: {command}\n"
