"""``verify``: the commitment to a match's shuffles is checked against its record."""

import json
from pathlib import Path

import pytest

from cardgames.engine.game import game_class, new_game
from cardgames.engine.record import Header
from cardgames.match import joint_hash
from cardgames.match.chance import new_contribution
from cardgames.store import Store
from cardgames.store.journal import write_contributions
from tests.store.played_matches import keep, played, to_the_end
from tests.ui.terminal import Terminal, play_to_the_end

from .conftest import Run

RECORD = Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl"


def committed_match(home: Path, game: str = "durak", plies: int | None = None, **rules: int) -> tuple[int, str]:
    """Store a match with a commitment, complete or up to ``plies``; return its number and the hash."""
    seats = game_class(game).SEATS[0]
    names = ("Ann", "Ben", "Cleo", "Dora")[:seats]
    with Store.open(home) as store:
        number = store.create(Header(game, seats, {**new_game(game, seats).rules.values(), **rules}, seats, names))
        shown = store.commit(number)
        to_the_end(store, number, plies)
    return number, shown


@pytest.fixture
def record(run: Run, home: Path, tmp_path: Path) -> tuple[Path, str]:
    """The record of a match with a commitment, and the hash that was shown."""
    number, shown = committed_match(home)
    path = tmp_path / "evening.jsonl"
    assert run("export", str(number), str(path)).code == 0
    return path, shown


@pytest.mark.parametrize("game", ["durak", "fipsen"])
def test_what_was_promised_holds(run: Run, home: Path, tmp_path: Path, game: str) -> None:
    number, shown = committed_match(home, game)
    path = tmp_path / "evening.jsonl"
    assert run("export", str(number), str(path)).code == 0
    for place, called in ((str(path), str(path)), (str(number), f"match {number}")):
        for given in (shown, shown.upper()):
            assert run("verify", place, given) == (
                0,
                f"Verified: every shuffle in {called} follows from the secret whose hash was shown.\n",
                "",
            )
        alone = run("verify", place)
        assert alone.code == 0
        assert "The shuffles were fair if this hash was shown before the first card: " + shown in alone.out
    assert "Verified:" in run("verify", str(number), shown[:32], shown[32:]).out, "in halves, as a table shows it"


def test_a_record_is_replayed_and_taken_in_as_any_other(run: Run, home: Path, record: tuple[Path, str]) -> None:
    path, shown = record
    assert run("replay", "--json", str(path)).code == 0
    assert run("import", str(path)).code == 0
    assert run("verify", "2", shown).code == 0


def test_words_of_older_records_are_told_and_checked_by_either_hash(run: Run, home: Path, tmp_path: Path) -> None:
    with Store.open(home) as store:
        number = store.create(Header("truc", 2, new_game("truc", 2).rules.values(), 2, ("Ann", "Ben")))
        added = ((1, new_contribution()), (2, new_contribution()), (2, "lantern"))
        hashes = [shown := store.commit(number), joint_hash(shown, added[:2])]
        with store.database.transaction() as db:
            write_contributions(db, number, added, close=True)
        to_the_end(store, number)
    path = tmp_path / "evening.jsonl"
    assert run("export", str(number), str(path)).code == 0
    for shown in hashes:
        said = run("verify", str(path), shown)
        assert (said.code, said.error) == (0, "")
        assert "Player 2 added to the secret: lantern\n" in said.out
    other = changed(path, 0, contributions=[[1, "0"], [2, "lantern"]])
    assert run("verify", other, hashes[1]).code == 1
    assert run("verify", other, hashes[0]).error.startswith("Not verified: in ")


def changed(path: Path, line: int, **keys: object) -> str:
    """Change values in the record's line number ``line``, from 0, and return the path."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | keys, ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_another_secret_does_not_hold(run: Run, record: tuple[Path, str]) -> None:
    path, shown = record
    place = changed(path, 0, secret="00" * 32)
    said = run("verify", place, shown)
    assert said.code == 1
    assert said.error.startswith(f"Not verified: {place} has another hash: ")
    assert shown not in said.error
    assert run("verify", place).refused(1) == f"Not verified: in {place}, line 2 does not follow from the secret.\n"


@pytest.mark.parametrize("keys", [{"names": ["Ann", "Bob"]}, {"names": ["Ben", "Ann"]}])
def test_the_secret_of_another_match_does_not_hold(run: Run, record: tuple[Path, str], keys: dict[str, object]) -> None:
    path, shown = record
    assert run("verify", changed(path, 0, **keys), shown).code == 1


def test_other_shuffles_do_not_hold(run: Run, home: Path, tmp_path: Path, record: tuple[Path, str]) -> None:
    """A record that keeps all rules, with the header of what was promised, and other cards."""
    path, shown = record
    header = path.read_text().splitlines()[0]
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join([header, *played(2, dealer=2).lines[1:]]) + "\n")
    assert json.loads(header)["rules"] == played(2, dealer=2).header.rules
    assert run("replay", "--json", str(other)).code == 0
    assert run("verify", str(other), shown) == (
        1,
        "",
        f"Not verified: in {other}, line 2 does not follow from the secret.\n",
    )


def test_who_has_an_unfinished_match_is_not_told_its_secret(run: Run, home: Path) -> None:
    number, shown = committed_match(home, plies=5)
    with Store.open(home) as store:
        secret = store.seed(number).to_bytes(32, "big").hex()
    for given in ((), (shown,)):
        said = run("verify", str(number), *given)
        assert said == (2, "", "Match 1 is not over; its secret is revealed when it is.\n")
    for command in (("export", "1", "--yes"), ("matches",), ("replay", "1", "--json", "--yes"), ("stats",)):
        said = run(*command)
        assert secret not in said.out + said.error
    with Store.open(home) as store:
        assert len(store.match(number).opened) == 2, "verify has opened nothing"


def test_a_match_without_commitment_says_so(run: Run, home: Path) -> None:
    with Store.open(home) as store:
        keep(store, played(1))
    said = run("verify", "1")
    assert said.code == 65
    assert said.error.startswith("There is no secret to check in match 1:")


def test_leaving_players_learn_how_to_verify(home: Path, run: Run) -> None:
    number, shown = committed_match(home, "truc", plies=0, points=1, rounds=1)
    with Terminal(home, "--fast", "resume", str(number), rows=40, columns=160) as terminal:
        play_to_the_end(terminal, 1)
        terminal.wait_for("The score sheet (s) shows the", "secret of the shuffles.")
        assert terminal.leave("q") == 0
        to_review, words = (said.partition("”")[0].split() for said in terminal.text.split("“")[1:])
    assert to_review == ["cardgames", "review", "1"]
    assert words == ["cardgames", "verify", "1", shown]
    assert run(*words[1:]).code == 0
