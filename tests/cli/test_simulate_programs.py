"""``simulate`` with programs: a failure stops it or counts as a loss, and no process remains."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FIRST = """import json
for line in sys.stdin:
    if "legal" in (message := json.loads(line)):
        print(json.dumps({"action": message["legal"][0]}), flush=True)"""
"""A program that takes the first legal action."""


def command(code: str) -> str:
    return shlex.join([sys.executable, "-uc", f"import sys\n{code}"])


def test_any_number_of_processes_finds_the_same(run: Run, tmp_path: Path) -> None:
    found = []
    for jobs in ("1", "2"):
        records = tmp_path / jobs
        arguments = ("--matches", "4", "--seed", "2", "--pairs", "--records", str(records), "--jobs", jobs, "--json")
        said = run("simulate", "durak", "--program", command(FIRST), "--player", "random", *arguments)
        assert said.code == 0, said.error
        summary = json.loads(said.out)
        summary.pop("time")
        found.append((summary, [path.read_text() for path in sorted(records.iterdir())]))
    assert found[0] == found[1]
    headers = [json.loads(record.splitlines()[0])["players"] for record in found[0][1]]
    assert headers == [["random", "program"], ["program", "random"]] * 2


def test_a_failure_keeps_the_match_and_the_question(run: Run, tmp_path: Path) -> None:
    code = "for line in sys.stdin: print('what?') if 'legal' in line else None"
    said = run("simulate", "durak", "--program", command(code), "--player", "random", "--records", str(tmp_path))
    assert said.code == 69
    assert "gave no valid answer" in said.error
    first, *_, last = (tmp_path / "failed-match-input.jsonl").read_text().splitlines()
    asked = json.loads(last)["observation"]
    assert json.loads(first)["protocol"] == 1
    assert asked["to_act"] == asked["seat"]
    said = run("replay", str(tmp_path / "failed-match.jsonl"), "--json")
    assert said.code == 0, said.error
    assert json.loads(said.out.splitlines()[-1])["legal"] == sorted(asked["legal"])
    told = (tmp_path / "failed-match-input.jsonl").read_bytes()
    again = subprocess.run(shlex.split(command(code)), input=told, capture_output=True)
    assert again.stdout == b"what?\n", "the input reproduces the failure"


def test_a_program_that_cannot_be_started_is_told_of_in_the_players_language(run: Run) -> None:
    said = run("--language", "ja", "simulate", "durak", "--program", "/nowhere/mybot", "--seed", "2")
    assert said.code == 69
    assert "ファイルがありません" in said.error
    assert "No such file" not in said.error


@pytest.mark.parametrize("program", ["/nowhere/mybot", command("sys.stdin.readline()")])
def test_a_failure_that_is_forgiven_is_a_match_lost(run: Run, program: str) -> None:
    arguments = ("--matches", "2", "--seed", "2", "--forgive", "--json")
    said = run("simulate", "durak", "--program", program, "--player", "random", *arguments)
    assert said.code == 0, said.error
    found = json.loads(said.out)
    assert {level["level"]: level["wins"] for level in found["levels"]} == {"random": 2, program: 0}
    assert found["forgiven"] == {program: 2}


ONLY_SEAT_TWO = f"""import json
if json.loads(sys.stdin.readline())["seat"] == 1: sys.exit()
{FIRST}"""


def test_forgiven_matches_are_counted_and_leave_their_record(run: Run, tmp_path: Path) -> None:
    options = ("--player", "random", "--matches", "2", "--seed", "2", "--forgive", "--pairs", "--records")
    said = run("simulate", "durak", "--program", command(ONLY_SEAT_TWO), *options, str(tmp_path))
    assert said.code == 0, said.error
    assert "failed in 1 match, counted as lost" in " ".join(said.out.split())
    ends = [
        ["outcome" in line for line in path.read_text().splitlines()][-1] for path in sorted(tmp_path.glob("*.jsonl"))
    ]
    assert ends == [True, False]
