"""Commands with a store in PostgreSQL: the same output as with a file, and errors of a server."""

from pathlib import Path

import pytest

from cardgames.store import Store
from tests.postgres import Server, free_port
from tests.store.played_matches import keep, played, won_by

from .conftest import Run

RECORD = Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl"


@pytest.fixture(params=["environment", "file"])
def url(request: pytest.FixtureRequest, postgres: Server, run: Run, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a store, set in the environment or in the settings file."""
    found = postgres.new_store()
    if request.param == "environment":
        monkeypatch.setenv("CARDGAMES_STORE", found)
    else:
        assert run("config", "store", found).code == 0
    return found


def test_every_command_that_has_to_do_with_matches(run: Run, url: str, home: Path, tmp_path: Path) -> None:
    assert run("matches")[::2] == (0, "")
    with Store.open(where=url) as store:
        for nth in range(3):
            keep(store, won_by(1, nth))
        keep(store, played(1), 9)
    listed = run("matches")
    assert [line.split()[0] for line in listed.out.splitlines()[2:]] == ["4", "3", "2", "1"]
    assert "Ann" in run("stats").out
    assert run("export", "1").out.splitlines() == list(won_by(1, 0).lines)
    assert run("export", "4").code == 2, "it is not over, and nobody is there to be asked"
    assert run("export", "4", "--yes").out.splitlines() == [*played(1).lines[:10]]
    assert "5" in run("import", str(RECORD)).out
    assert run("export", "5", str(tmp_path / "out.jsonl")).code == 0
    assert run("replay", str(tmp_path / "out.jsonl"), "--json").code == 0
    assert run("export", "6").code == 2
    assert not list(home.glob("matches.*")), "there is no file beside it"
    with Store.open(where=url, write=False) as store:
        assert store.match(4).opened == (9,)


def test_what_is_wrong_is_said_in_a_sentence(run: Run, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSFILE", "/nowhere")
    wrong = {
        f"postgresql://ann:secret@127.0.0.1:{free_port()}/cards": "PostgreSQL server answers at",
        postgres.url(password="secret"): "rejects the password",
        postgres.url(database="secret").replace("secret", "other"): "There is no database",
        "postgresql://ann:secret@127.0.0.1:99999/cards": "is no URL like",
    }
    for url, sentence in wrong.items():
        monkeypatch.setenv("CARDGAMES_STORE", url)
        error = run("matches").refused(73)
        assert sentence in error
        assert "secret" not in error
        assert error.count("\n") == 1


def test_completion_says_nothing_where_no_server_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAMES_STORE", f"postgresql://ann@127.0.0.1:{free_port()}/cards")
    monkeypatch.setenv("_CARDGAMES_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "cardgames export ")
    monkeypatch.setenv("COMP_CWORD", "2")
    said = run()
    assert (said.code, said.out.strip(), said.error) == (0, "", "")
