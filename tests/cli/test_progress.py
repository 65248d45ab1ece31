"""``stats --player``: a player's mean error a move, from stored reviews alone."""

import json
from pathlib import Path

import pytest

from cardgames.engine.game import Message, Outcome, game_class
from cardgames.engine.record import Header
from cardgames.simulation import workers
from cardgames.store import Store
from cardgames.store.matches import write_outcome
from tests.cli.conftest import Run
from tests.ui.terminal import Terminal, play_to_the_end

RECORD = Path(__file__).parents[1] / "records" / "zetema-three-players.jsonl"


def judged(store: Store, match: int, cost: float, game: str = "truc", unit: str = "win") -> None:
    costs = [[2, cost], [4, 0.0]]
    store.write_memo(f"judged {match} 1", {"name": "Ann", "game": game, "unit": unit, "costs": costs, "errors": []})


def test_a_review_is_kept_and_told_again_without_judging(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(home) as store:
        store.import_record(RECORD.read_bytes().splitlines())
    assert json.loads(run("stats", "--player", "Ann", "--imported", "--json").out)["progress"] == []
    choices = [json.loads(line) for line in run("review", "--json", "--seat", "1").out.splitlines()]
    run("review", "1")
    monkeypatch.setattr(workers, "ProcessPoolExecutor", None)
    (game,) = json.loads(run("stats", "--player", "Ann", "--imported", "--json").out)["progress"]
    error = sum(one["cost"] for one in choices) / len(choices)
    assert (game["game"], game["unit"], game["judged"]) == ("zetema", "win", 1)
    assert game["matches"] == [{"match": 1, "choices": len(choices), "error": pytest.approx(error)}]
    assert "progress" not in json.loads(run("stats", "--imported", "--json").out)


BRAILLE = frozenset(map(chr, range(0x2801, 0x2900)))


def test_the_curve_of_the_last_matches(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        for match in range(1, 31):
            judged(store, match, 0.4 / match)
        judged(store, 31, 1.0, "fipsen", "points")
    said = run("stats", "--player", "Ann").out
    assert "Fipsen, error per move: 0.50 points in the last 1 of 1 reviewed match" in said
    assert "Truc, error per move: 0.7% in the last 5 of 20 reviewed matches" in said
    drawn = [line for line in said.splitlines() if BRAILLE & {*line}]
    assert drawn[0].startswith("1.8% |⠉")
    assert drawn[-1][-1] in BRAILLE
    assert max(map(len, said.splitlines())) <= 80
    assert run("stats", "--player", "Ann", "--ascii").out.isascii()
    spoken = run("stats", "--player", "Ann", "--plain", "--language", "ja").out
    assert "対戦ごと：1.8%、1.7%" in spoken
    assert not BRAILLE & {*spoken}
    assert "Zed" in run("stats", "--player", "Zed").out


def test_the_share_of_exercises_solved_by_theme(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        for number, tries in enumerate(([["2026-12-01", True]], [["2026-12-01", False], ["2026-12-02", True]])):
            value = {"game": "kakeya", "theme": "count", "tries": tries}
            store.write_memo(f"exercise {number} Ann", value)
    told = json.loads(run("stats", "--player", "Ann", "--json").out)["exercises"]
    assert told == [{"game": "kakeya", "theme": "count", "solved": 1, "tried": 2}]
    said = run("stats", "--player", "Ann").out
    assert "Kakeya Trump, count the suit: █████░░░░░ 50% (1 of 2 exercises at the first attempt)" in said
    assert "█" not in run("stats", "--player", "Ann", "--plain").out


def test_the_rating_against_computers_beside_those_of_their_levels(run: Run, home: Path) -> None:
    rules = game_class("truc").RULES().values()
    with Store.open(home) as store:
        for level in ("easy", "strong", "strong"):
            match = store.create(Header("truc", 2, rules, 2, ("Ann", "Ada"), ("person", level)), seed=1)
            with store.database.transaction() as db:
                write_outcome(db, match, Outcome((1, 0), (1,), Message("rounds")), "2026-03-01T20:00:00.000+00:00")
        store.note_hint(match, 1)
    (found,) = json.loads(run("stats", "--player", "Ann", "--json").out)["against_computers"]
    assert (found["game"], found["matches"]) == ("truc", 2), "a match with a hint says little"
    assert found["rating"] > 1628
    assert found["course"][-1] == found["rating"]
    for mark, arguments in (("±", ()), ("+-", ("--ascii",))):
        said = run("stats", "--player", "Ann", *arguments).out
        assert f"Truc, rating against computers: {found['rating']}{mark}{found['margin']} (2 matches)" in said
        assert "the computers: easy 1259, fair 1500, strong 1628" in said
        assert f"{max(found['course'])} |" in said, "the rating's course is drawn"
    assert json.loads(run("stats", "--player", "Ben", "--json").out)["against_computers"] == []


def test_the_rating_against_computers_is_told_after_a_match(tmp_path: Path) -> None:
    options = ("--points", "1", "--rounds", "1", "--name", "Ann", "--computer", "easy", "--fast")
    with Terminal(tmp_path, "play", "truc", *options) as terminal:
        play_to_the_end(terminal, seed=1)
        terminal.wait_for("Truc, rating against computers: 1")


def test_what_is_deleted_is_not_told_any_more(home: Path) -> None:
    with Store.open(home) as store:
        match = store.import_record(RECORD.read_bytes().splitlines())
        judged(store, match, 0.1)
        judged(store, 11, 0.1)
        for name in ("error 1/7", "exercise 1/7 Ann", "daily 1", "board 1"):
            store.write_memo(name, {})
        with store.hold(match) as lock:
            lock.delete()
        assert [*store.memos("")] == ["judged 11 1"]
