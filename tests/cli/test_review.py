"""``review``: its output for people and for programs, and its refusals."""

import json
from itertools import pairwise
from pathlib import Path

from cardgames.store import Store
from tests.cli.conftest import Run

RECORDS = Path(__file__).parents[1] / "records"
SHORT = RECORDS / "zetema-three-players.jsonl"
LONG = RECORDS / "durak-throw-in.jsonl"


def unfinished(tmp_path: Path) -> Path:
    path = tmp_path / "open.jsonl"
    path.write_bytes(b"".join(LONG.read_bytes().splitlines(keepends=True)[:8]))
    return path


def test_a_match_of_the_store_is_gone_over_for_programs(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        store.import_record(LONG.read_bytes().splitlines()[:5])
        store.import_record(SHORT.read_bytes().splitlines())
    said = run("review", "--json")  # the last one that is finished
    assert (said.code, said.error) == (0, "")
    found = [json.loads(line) for line in said.out.splitlines()]
    replayed = [json.loads(line) for line in run("replay", "2", "--json").out.splitlines()]
    with_choice = [
        (after["ply"], after["by"], after["act"], before["legal"])
        for before, after in pairwise(replayed)
        if len(before["legal"]) > 1
    ]
    assert [(one["ply"], one["by"], one["act"]) for one in found] == [one[:3] for one in with_choice]
    for one, (*_, legal) in zip(found, with_choice, strict=True):
        assert list(one) == ["ply", "by", "act", "best", "cost", "interval", "unit", "exact"]
        assert one["best"] in legal
        assert one["unit"] == "win"
        assert one["interval"][0] <= one["cost"] <= one["interval"][1]
    of_one = run("review", "2", "--json", "--seat", "2").out
    assert [json.loads(line) for line in of_one.splitlines()] == [one for one in found if one["by"] == 2]


def test_an_open_match_is_gone_over_only_if_that_is_meant(run: Run, home: Path, tmp_path: Path) -> None:
    path = unfinished(tmp_path)
    with Store.open(home) as store:
        match = store.import_record(path.read_bytes().splitlines())
    found = [json.loads(line) for line in run("review", str(path), "--json", "--yes").out.splitlines()]
    assert [one["ply"] for one in found] == [2, 3, 4, 5, 6, 7]
    assert "its record was opened" not in run("matches").out
    assert len(run("review", str(match), "--json", "--yes").out.splitlines()) == len(found)
    assert "its record was opened at action 7" in run("matches").out


def test_nobody_is_blamed_for_the_computer_that_stood_in(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        match = store.import_record(SHORT.read_bytes().splitlines())
        every = sum(json.loads(line)["by"] == 1 for line in run("review", "--json").out.splitlines())
        away, back = 4, 10
        store.note_substitute(match, 1, "fair")
        with store.database.transaction(match=match) as db:
            db.execute("UPDATE substitute SET ply = ?", (away,))
            db.execute("INSERT INTO substitute VALUES ('person', ?, 1, ?)", (match, back))
    choices = [json.loads(line) for line in run("review", "--json", "--seat", "1").out.splitlines()]
    own = sum(not away < choice["ply"] <= back for choice in choices)
    assert 0 < own < every == len(choices)
    assert f"Ann, {own} choices:" in run("review", "--seat", "1").out
    assert f"Ann: 1 match, {own} choices" in run("review", "--player", "Ann").out


def test_all_matches_of_a_person(run: Run, home: Path) -> None:
    """Judged as each match is by itself, and once; without those not over or in which a computer has the name."""
    fipsen = (RECORDS / "fipsen-three-players.jsonl").read_bytes().splitlines()
    with Store.open(home) as store:
        short = SHORT.read_bytes().splitlines()
        for lines in (fipsen, short, LONG.read_bytes().splitlines()[:8], short):
            store.import_record(lines)
        header = json.loads(fipsen[0]) | {"players": ["strong", "person", "person"]}
        store.import_record([json.dumps(header).encode(), *fipsen[1:]])
    alone = [json.loads(line) for line in run("review", "1", "--seat", "1", "--json").out.splitlines()]
    others = [json.loads(line) for line in run("review", "2", "--seat", "1", "--json").out.splitlines()]
    said = run("review", "--player", "Ann")
    assert (said.code, said.error) == (0, "")
    assert f"Ann: 2 matches, {len(alone) + len(others)} choices" in said.out
    hold = next(one for one in alone if one["act"] == "hold")
    assert f"Fipsen, “the auction”: 1 error, {hold['cost']:.1f} points in all" in said.out
    worst = max(alone, key=lambda one: one["cost"])
    first = said.out.split("\n\n")[1].splitlines()[0]
    assert first.startswith("blunder, ")
    assert f" points: Fipsen · match 1, {worst['ply']}: " in first
    assert "Nobody called “Zed” has finished a match." in run("review", "--player", "Zed").error
