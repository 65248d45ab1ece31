"""``matches``, ``export``, ``import`` and ``stats``: listing, sending and counting matches."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgames.cli.matches import LIST_LENGTH
from cardgames.cli.records import PROGRESS_LINES
from cardgames.engine.cards import NAMES
from cardgames.engine.game import OFFERED, game_class
from cardgames.engine.record import Header
from cardgames.match import Match
from cardgames.store import Store
from cardgames.store.places import Party
from tests.store.played_matches import go_on, keep, played, played_here
from tests.ui import stills
from tests.ui.secrets import cards_on
from tests.ui.terminal import Terminal

from .conftest import Run

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))
WRITTEN = "AKQJT98765432"


def imported(run: Run, *names: str) -> list[int]:
    """Import golden records, and return the numbers of the matches."""
    found = []
    for name in names:
        said = run("import", str(next(path for path in RECORDS if path.stem == name)))
        assert said.code == 0
        found.append(int("".join(filter(str.isdigit, said.out))))
    return found


def left_open(home: Path) -> dict[int, str]:
    """Import an unfinished match of every game, and return the games by match number."""
    found = {}
    for game in OFFERED:
        lines = next(path for path in RECORDS if path.stem.startswith(game)).read_bytes().splitlines(keepends=True)
        with Store.open(home) as store:
            found[store.import_record(lines[: len(lines) // 2])] = game
    return found


# Matches


def test_matches_are_listed_unfinished_first_and_without_a_card(run: Run, home: Path) -> None:
    over = imported(run, "durak-throw-in", "truc-remainder")
    left = left_open(home)
    said = run("matches")
    rows = said.out.splitlines()[2:]
    assert [int(row.split()[0]) for row in rows] == [*reversed(left), *reversed(over)]
    for row, (number, game) in zip(rows, reversed(left.items()), strict=False):
        with Store.open(home) as store:
            summary = store.match(number)
        assert row.split()[1].casefold().startswith(game[:4])
        assert all(name in row for name in summary.names or ())
        assert f"{summary.changed.astimezone():%Y-%m-%d %H:%M}" in row
        assert f"open, {summary.plies} actions" in row
    assert "won by" in rows[-1]


@pytest.mark.parametrize("arguments", [("matches",), ("stats",), ("stats", "--json"), ("resume", "1"), ("export", "1")])
def test_nothing_shows_a_card_of_an_unfinished_match(run: Run, home: Path, arguments: tuple[str, ...]) -> None:
    left_open(home)
    said = run(*arguments)
    text = said.out + said.error
    assert text
    assert not cards_on(text)
    assert not [word for word in text.split() if len(word) == 2 and word[0] in WRITTEN and word[1] in "SHDC"]


def test_the_last_are_listed_and_all_if_that_is_asked_for(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        for seed in range(LIST_LENGTH + 5):
            played_here(store, (line.encode() for line in played(seed).lines))
        number = keep(store, played(1), 3)
    rows = run("matches").out.splitlines()[2:]
    assert [int(row.split()[0]) for row in rows[:LIST_LENGTH]] == [number, *range(LIST_LENGTH + 5, 6, -1)]
    assert rows[LIST_LENGTH:] == ["", "and 6 more: “cardgames matches --all” lists them all"]
    rows = run("matches", "--all").out.splitlines()[2:]
    assert [int(row.split()[0]) for row in rows] == [number, *range(LIST_LENGTH + 5, 0, -1)]


@pytest.mark.parametrize("command", [("export",), ("replay", "--json")])
def test_early_opened_records_stay_marked(run: Run, home: Path, command: tuple[str, ...]) -> None:
    """That a record was opened while the match went on is said ever after."""
    with Store.open(home) as store:
        keep(store, played(1), 5)
        keep(store, played(2))
    assert run(command[0], "1", *command[1:]).code == 2  # nothing was shown
    assert "opened" not in run("matches").out
    assert run(command[0], "1", *command[1:], "--yes").code == 0
    assert run(command[0], "2", *command[1:]).code == 0
    assert run("matches").out.count("open, 5 actions; its record was opened at action 5") == 1
    with Store.open(home) as store:
        with store.hold(1) as hold:
            go_on(hold, played(1), 5)
        assert store.match(2).opened == ()
    assert "; its record was opened at action 5" in run("matches").out


# Records


@pytest.mark.parametrize("path", RECORDS[::4], ids=lambda path: path.stem)
def test_a_finished_match_is_exported_and_imported_to_the_same_bytes(run: Run, tmp_path: Path, path: Path) -> None:
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    assert run("import", str(path)).code == 0
    assert run("export", "1", str(first)).code == 0
    assert run("import", str(first)).code == 0
    assert run("export", "2", str(again)).code == 0
    assert first.read_bytes() == again.read_bytes()
    assert run("export", "1").out.encode() == first.read_bytes()


def test_a_simulated_match_goes_in_and_comes_out_as_it_is(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "durak", "--seed", "1", "--records", str(tmp_path)).code == 0
    path = tmp_path / "durak-1.jsonl"
    assert run("import", str(path)).code == 0
    header, *lines = path.read_text().splitlines()
    exported, *same = run("export", "1").out.splitlines()
    assert same == lines
    of_a_tournament = json.loads(header)
    assert of_a_tournament.pop("tournament")  # which readers may ignore
    assert json.loads(exported) == of_a_tournament


def long_record(run: Run, folder: Path) -> Path:
    """The path of a record that takes a while to import."""
    options = ("--deals", "150", "--seed", "1", "--records", str(folder))
    assert run("simulate", "fipsen", *options).code == 0
    path = folder / "fipsen-1.jsonl"
    assert path.read_bytes().count(b"\n") > PROGRESS_LINES
    return path


def test_a_long_import_shows_how_far_it_is(run: Run, tmp_path: Path, home: Path) -> None:
    path = long_record(run, tmp_path)
    lines = path.read_bytes().count(b"\n")
    with Terminal(home, "import", str(path)) as terminal:
        assert terminal.ended() == 0
        assert f"{lines}/{lines}" in terminal.output
        assert "\x1b[?25l" not in terminal.output  # a cursor that is hidden stays so if this is killed
    said = run("import", str(path))
    assert (said.code, said.error) == (0, "")


def test_a_long_import_that_is_refused_says_so_last(run: Run, tmp_path: Path, home: Path) -> None:
    path = long_record(run, tmp_path)
    with path.open("a") as file:
        file.write("more\n")
    line = path.read_bytes().count(b"\n")
    with Terminal(home, "import", str(path), columns=200) as terminal:
        assert terminal.ended() == 65
        assert f"line {line}:" in terminal.text.strip().splitlines()[-1]
    assert "won by" not in run("matches").out


# Statistics


def test_records_from_elsewhere_do_not_count_for_people_here(run: Run, home: Path) -> None:
    imported(run, "durak-throw-in")
    assert run("stats").out == ("No finished matches of your own; “cardgames stats --imported” shows 1 from records.\n")
    assert json.loads(run("stats", "--json").out)["imported"] == 1
    with Store.open(home) as store:
        played_here(store, (line.encode() for line in played(1).lines))
    lines = run("stats").out.splitlines()
    assert lines[:2] == [
        "1 finished match, 0 unfinished",
        "1 more is from records; “cardgames stats --imported” counts it",
    ]
    assert run("stats", "--imported").out.startswith("2 finished matches, 0 unfinished\nThe longest")


def test_waiting_lists_the_shared_tables_whose_turn_it_is(home: Path, run: Run) -> None:
    """Everybody is away; the exit code is for scripts."""
    assert run("matches", "--waiting") == (1, "", "")
    with Store.open(home) as store:
        header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
        alone = store.create(header._replace(names=("Ann", "Ben")))
        table = store.open_table(header)
        assert run("matches", "--waiting").code == 1, "a table that is not full waits for somebody else"
        with store.join(table, Party(["Ann"])) as ann, store.join(table, Party(["Ben"])):
            store.commit(table)
            match = Match(header.new_game(), ann, store.chance(table))
            match.settle()
            to_act = ("Ann", "Ben")[(match.to_act or 0) - 1]
    said = run("matches", "--waiting")
    assert said.code == 0
    assert f"{to_act}, it is your turn" in said.out
    assert str(alone) not in said.out.split()
    assert not cards_on(said.out)


def test_a_clean_up_counts_before_it_deletes(home: Path, run: Run) -> None:
    with Store.open(home, now=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as store:
        keep(store, played(1))
    keep_open = left_open(home)
    said = run("matches", "--clean-up", "1")
    assert "1 finished match," in said.out
    assert "--yes" in said.out
    assert "Deleted" in run("matches", "--clean-up", "1", "--yes").out
    with Store.open(home) as store:
        assert {match.id for match in store.matches()} == {*keep_open}


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_record_is_exported_to_standard_output_by_name(run: Run, home: Path, tmp_path: Path, name: str) -> None:
    assert run("import", str(RECORDS[0])).code == 0
    command = [sys.executable, "-m", "cardgames", "export", "1"]
    wanted = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    assert subprocess.run([*command, name], cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout == wanted
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([*command, name], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out"]


SVG_NAME = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> str:
    return "\n".join([element.text or "" for element in ElementTree.fromstring(svg).iter(SVG_NAME + "text")])


@pytest.mark.parametrize("record", [stills.RECORDS / "durak-throw-in.jsonl", stills.RECORDS / "kakeya-rensho.jsonl"])
def test_a_match_is_drawn_as_svg(run: Run, tmp_path: Path, record: Path) -> None:
    """Of a match that is over every hand is shown, of an unfinished one what everybody may see, and nobody is asked."""
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    unfinished = tmp_path / "unfinished.jsonl"
    unfinished.write_text("".join(lines[:10]), encoding="utf-8")
    assert run("import", str(unfinished)).code == run("import", str(record)).code == 0
    secret, secret_at = run("replay", "1", "--svg", "-"), run("replay", "1", "--svg", "-", "--ply", "1")
    shown, shown_at = run("replay", "2", "--svg", "-"), run("replay", "2", "--svg", "-", "--ply", "1")
    assert secret.code == secret_at.code == shown.code == shown_at.code == 0
    assert "@keyframes" in secret.out
    assert "@keyframes" in shown.out
    assert "@keyframes" not in shown_at.out + secret_at.out
    on_record = stills.Match.read(record.stem)
    hand = {NAMES[card] for card in on_record.game.hands(on_record.states[1])[0]}
    assert hand <= cards_on(texts(shown_at.out))
    assert len(cards_on(texts(secret_at.out))) <= 1, "the trump at most"
    assert "opened" not in run("matches").out


def test_an_svg_is_written_as_a_record_is(run: Run, tmp_path: Path) -> None:
    record, path = str(stills.RECORDS / "durak-throw-in.jsonl"), tmp_path / "match.svg"
    assert run("replay", record, "--svg", str(path)).code == 0
    assert path.read_text(encoding="utf-8") == run("replay", record, "--svg", "-").out
    assert "already exists" in run("replay", record, "--svg", str(path)).refused()
