"""People from other machines: each name belongs to one person, recognized by a key or code."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cardgames.engine.game import new_game
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.store.people import Person, new_code
from cardgames.store.places import Party


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open() as opened:
        yield opened


def register(store: Store, name: str, key: str | None = None, code: str | None = None) -> Person:
    """Register a new person, and return the person."""
    person = store.register(name, key, code)
    assert person
    assert person.name == name
    return person


def test_a_key_is_somebody_for_good(store: Store) -> None:
    ben = register(store, "Ben", "SHA256:one")
    assert store.person_with_key("SHA256:one") == ben
    assert store.person_with_key("SHA256:two") is None
    assert store.has_key("Ben")
    assert not store.has_key("Cleo")


def test_a_new_key_that_comes_twice_at_the_same_moment_is_one_person(store: Store) -> None:
    ben = register(store, "Ben", "SHA256:one")
    assert store.register("Benjamin", "SHA256:one") == store.register("Ben", "SHA256:one") == ben
    assert not store.is_taken("Benjamin")


@pytest.mark.parametrize("other", ["Ben", "ben", "BEN", "Веn", "Ｂｅｎ", "Ben\u3164", "Ben\ufe0f"])
def test_nobody_else_gets_a_name_that_could_be_taken_for_it(store: Store, other: str) -> None:
    register(store, "Ben", "SHA256:one")
    assert store.register(other, "SHA256:two") is None
    assert store.register(other, None, new_code()) is None
    assert store.has_key(other)


def test_a_code_is_known_whatever_stands_between_its_letters(store: Store) -> None:
    code = new_code()
    dora = register(store, "Dora", None, code)
    for typed in (code, code.upper(), code.replace("-", " "), f" {code.replace('-', '')} "):
        assert store.person_with_code("dora", typed) == dora
    for typed in ("", code[:-1], new_code()):
        assert store.person_with_code("Dora", typed) is None
    assert store.person_with_code("Somebody", code) is None
    register(store, "Ben", "SHA256:one")
    assert store.person_with_code("Ben", "") is None


def test_codes_are_not_to_be_guessed() -> None:
    codes = {new_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(len(code) == 14 and not set(code) & set("il1o0") for code in codes)


@pytest.mark.sqlite
def test_no_code_stands_in_the_file(home: Path) -> None:
    code = new_code()
    with Store.open() as store:
        register(store, "Dora", None, code)
    written = b"".join(path.read_bytes() for path in home.iterdir() if path.is_file())
    assert b"Dora" in written
    assert code.encode() not in written
    assert code.replace("-", "").encode() not in written


def test_their_matches_are_theirs_alone(store: Store) -> None:
    header = Header("durak", 2, dict(new_game("durak", 2).rules.values()), 2, ("", ""))
    ben, cleo = register(store, "Ben", "SHA256:one"), register(store, "Cleo", "SHA256:two")
    first, second = store.open_table(header), store.open_table(header)
    with store.join(first, Party(("Ben",), ben.id)), store.join(second, Party(("Cleo",), cleo.id)):
        assert [match.id for match in store.matches_of(ben.id, 9)] == [first]
        assert [match.id for match in store.matches_of(cleo.id, 9)] == [second]
        assert store.matches_of("nobody", 9) == []


@pytest.mark.sqlite
def test_people_of_older_stores_keep_names_that_look_alike_now(home: Path) -> None:
    code, other_code = new_code(), new_code()
    with Store.open() as store:
        ali, ilya = register(store, "Ali", None, code), register(store, "Ilya", None, new_code())
    with closing(sqlite3.connect(home / "matches.sqlite", isolation_level=None)) as db:
        salt, hashed = db.execute("SELECT salt, code FROM person WHERE id = ?", (ali.id,)).fetchone()
        db.execute("UPDATE person SET look = lower(name)")
        row = ("all", "All", "all", salt, hashed[::-1], "2026-03-01T20:00:00.000+00:00")
        db.execute("INSERT INTO person (id, name, look, salt, code, created) VALUES (?, ?, ?, ?, ?, ?)", row)
        db.execute("PRAGMA user_version = 14")
    with Store.open() as store:
        assert store.person_with_code("Ali", code) == ali
        assert store.person_with_code("Ali", other_code) is None
        assert store.is_taken("llya")
        assert store.register("AlI") is None
        assert store.register("llya") is None
        assert ilya.name == "Ilya"
