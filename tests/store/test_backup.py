"""The manual's recipe for backup during a match, and for restoring into another place."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.postgres import USER, Server, need

from .played_matches import go_on, keep, played


@pytest.mark.sqlite
def test_copy_made_during_play_goes_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / "old") as store:
        keep(store, played(1))
        match = keep(store, played(2), 3)
        with store.hold(match) as hold:
            go_on(hold, played(2), 3, 5)
            (tmp_path / "new").mkdir(0o700)
            with closing(sqlite3.connect(tmp_path / "old" / "matches.sqlite")) as db:
                db.execute("VACUUM INTO ?", (str(tmp_path / "new" / "matches.sqlite"),))
        kept = tuple(store.export(match))
    with Store.open(tmp_path / "new") as store:
        assert tuple(store.export(1)) == played(1).lines
        assert tuple(store.export(match)) == kept
        with store.hold(match) as hold:
            go_on(hold, played(2), 5)
        assert tuple(store.export(match)) == played(2).lines


@pytest.mark.sqlite
def test_a_dump_of_the_database_goes_on_in_another(tmp_path: Path, postgres: Server) -> None:
    dump = tmp_path / "cards.dump"
    for name in ("old", "new"):
        postgres.execute(f"CREATE DATABASE {name} OWNER {USER}")
    old, new = postgres.url(database="old"), postgres.url(database="new")
    with Store.open(where=old) as store:
        keep(store, played(1))
        match = keep(store, played(2), 3)
    subprocess.run([need() / "pg_dump", "--format=custom", f"--file={dump}", old], check=True)
    subprocess.run([need() / "pg_restore", f"--dbname={new}", dump], check=True)
    with Store.open(where=new) as store:
        assert tuple(store.export(1)) == played(1).lines
        with store.hold(match) as hold:
            go_on(hold, played(2), 3)
        assert tuple(store.export(match)) == played(2).lines
