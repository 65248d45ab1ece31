"""One flipped bit in a match's row or in its winners is noticed when the row is read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgames.match import JournalPosition
from cardgames.store import Store, StoreDamaged, StoreError
from cardgames.store.matches import SEALED, check_seals

from .played_matches import go_on, keep, played, take_back, won_by
from .repairs import repair, scribble

NAME = "matches.sqlite"

CHANGES = [
    "match SET seats = 3", "match SET game = 'truc'", "match SET rules = replace(rules, 'true', 'false')",
    "match SET scores = '[1,-1]'", "match SET plies = plies + 1", "match SET finished = NULL",
    "match SET revision = revision + 64", "match SET seal = NULL", "player SET won = 1 - won",
    "player SET seat = seat + 2",
]  # fmt: skip


@pytest.fixture
def won(database: str) -> str:
    """The database of a store with two matches, the first won by seat 2."""
    with Store.open() as store:
        keep(store, won_by(2))
        keep(store, played(1), 5)
    return database


def scribble_over(change: str) -> None:
    """Update match 1 by the SQL ``change`` after the last day with a backup. SQLite notices no damage."""
    for backup in Path(os.environ["CARDGAMES_HOME"]).glob("*.backup-*"):
        backup.rename(backup.with_name("matches.backup-2026-01-01.sqlite"))
    scribble(f"UPDATE {change} WHERE {'id' if change.startswith('match') else 'match'} = 1")


READ: list[Callable[[Store], object]] = [
    Store.matches, Store.statistics, lambda store: store.match(1), lambda store: store.load(1),
    lambda store: store.export(1), lambda store: store.hold(1).read(JournalPosition()),
    lambda store: store.rematch_chain(1),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_a_row_says_is_checked_wherever_it_is_read(won: str, change: str) -> None:
    scribble_over(change)
    for read in READ:
        with Store.open() as store, pytest.raises(StoreError, match="damaged") as caught:
            read(store)
    if won == "postgresql":
        return  # what is to be done about that is not for us to say
    assert isinstance(caught.value, StoreDamaged)
    saved = repair(caught.value)
    assert saved[1:] == (1, 1, 0)
    with Store.open() as store:
        assert store.load(2)[1] == played(1).moves[:5]
        assert store.match(1).outcome == won_by(2).steps[-1].outcome


def test_names_may_be_mended_by_hand(won: str) -> None:
    scribble_over("match SET names = replace(names, 'Ann', 'Anna')")
    with Store.open() as store:
        assert store.match(1).names == ("Anna", "Ben")
        assert store.statistics().matches == 1


def test_who_plays_on_does_not_seal_what_is_damaged(database: str) -> None:
    with Store.open() as store:
        keep(store, played(1), 5)
        with store.hold(1) as hold:
            scribble("UPDATE match SET scores = '[3,4]' WHERE id = 1")
            with pytest.raises(StoreError, match="damaged"):
                go_on(hold, played(1), 5, 6)


def test_whatever_is_written_is_sealed(store: Store) -> None:
    first = keep(store, played(1))
    second = store.create(played(2).header, follows=first, minutes=30)
    with store.hold(second) as hold:
        go_on(hold, played(2), 0, 9)
        take_back(hold, 5, 1)
        go_on(hold, played(2), 5)
    store.import_record(line.encode() for line in played(3).lines)
    store.note_opened(first)
    with store.database.transaction(write=False) as db:
        check_seals(db)
        assert all(isinstance(said, str) for (said,) in db.execute(f"SELECT {SEALED} FROM match"))
