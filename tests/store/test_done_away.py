"""Matches that are given up or deleted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardgames.engine.game import Message, Outcome
from cardgames.match import JournalPosition
from cardgames.store import MatchHeld, Store, StoreError, UnknownMatch
from cardgames.store.matches import write_outcome
from cardgames.store.places import Party, TableOptions
from cardgames.store.progress import StoredReview
from cardgames.store.serialization import iso

from .played_matches import go_on, keep, played, take_back
from .repairs import repaired, tamper


def give_up(store: Store, match: int) -> None:
    with store.hold(match) as hold:
        hold.end_early()


def delete(store: Store, match: int) -> None:
    with store.hold(match) as hold:
        hold.delete()


def test_nobody_wins_a_match_that_is_given_up(database: str) -> None:
    with Store.open() as store:
        number, other = keep(store, played(1), 9), keep(store, played(2), 9)
        give_up(store, number)
        match = store.match(number)
        assert match.outcome
        assert (match.outcome.winners, match.outcome.why.key, match.plies) == ((), "given_up", 9)
        assert [one.id for one in store.matches()] == [other, number]
        assert store.count() == (2, 1, 18)
        assert store.last_changed(is_finished=False) == other
        statistics = store.statistics()
        assert (statistics.matches, statistics.unfinished, statistics.players) == (0, 1, ())


def test_nobody_goes_on_with_it_or_gives_it_up_again(database: str) -> None:
    with Store.open() as store:
        number, over = keep(store, played(1), 9), keep(store, played(2))
        give_up(store, number)
        before = store.matches()
        give_up(store, number)
        give_up(store, over)
        assert store.matches() == before
        with store.hold(number) as hold, pytest.raises(StoreError, match="store_match_over"):
            go_on(hold, played(1), 9, 10)


def test_its_record_is_that_of_a_match_that_goes_on(database: str) -> None:
    with Store.open() as store:
        number = keep(store, played(1), 9)
        before = list(store.export(number))
        give_up(store, number)
        assert list(store.export(number)) == before
        assert "outcome" not in before[-1]


def test_a_match_that_is_deleted_is_gone(database: str) -> None:
    with Store.open() as store:
        number = keep(store, played(1, ("Zacharias", "Ben")), 20)
        with store.hold(number) as hold:
            take_back(hold, 10, 1)
        store.note_opened(number)
        store.note_hint(number, 1)
        store.note_substitute(number, 1, "fair")
        delete(store, number)
        assert store.matches() == []
        assert store.count() == (0, 0, 0)
        assert store.last_changed(is_finished=False) is None
        assert (store.names_last_used("durak"), store.rules_last_used("durak")) == (None, None)
        assert store.statistics(imported=True).unfinished == 0
        for ask in (
            store.match,
            store.load,
            store.export,
            store.hold,
            store.undos,
            store.seed,
            store.rematch_chain,
            store.hints,
            store.substitutes,
            lambda match: store.save_review(match, 1, StoredReview("Zacharias", "durak", "win", [], []), []),
        ):
            with pytest.raises(UnknownMatch):
                ask(number)
        assert not store.reviews()
        assert keep(store, played(2)) == number + 1
        with store.database.transaction(write=False) as db:
            for table in ("action", "undo", "undone", "opened", "hint", "substitute", "lock"):
                rows = db.execute(f"SELECT * FROM {table}").fetchall()
                assert not rows or table == "action"
            assert db.execute("SELECT COUNT(*) FROM action WHERE match = ?", (number,)).fetchone() == (0,)
            for table in ("match", "player"):
                assert "Zacharias" not in str(db.execute(f"SELECT * FROM {table}").fetchall())


def test_what_followed_a_deleted_match_stays(home: Path) -> None:
    with Store.open() as store:
        first = keep(store, played(1))
        second = keep(store, played(2), follows=first)
        third = keep(store, played(3), follows=second)
        delete(store, second)
        assert [match.id for match in store.rematch_chain(third)] == [first, third]


def test_a_match_that_is_deleted_while_it_is_played_says_so(database: str) -> None:
    with Store.open() as store:
        number = keep(store, played(1), 9)
        with store.hold(number) as one:
            with store.hold(number, take_over=True) as other:
                other.delete()
            with pytest.raises((MatchHeld, UnknownMatch)):
                one.append(JournalPosition(9), *played(1).steps[9])


@pytest.mark.sqlite
def test_a_repair_neither_brings_it_back_nor_misses_it(home: Path) -> None:
    with Store.open() as store:
        numbers = [keep(store, played(seed), 9 if seed == 3 else None) for seed in range(1, 5)]
        delete(store, numbers[1])
        give_up(store, numbers[2])
    tamper(home, "UPDATE action SET act = 'AS>KS' WHERE match = 4 AND ply = 9")
    assert repaired()[3] == 0
    with Store.open() as store:
        assert sorted(match.id for match in store.matches()) == [1, 3, 4]
        outcome = store.match(numbers[2]).outcome
        assert outcome
        assert outcome.why.key == "given_up"


def test_what_is_old_is_counted_and_then_deleted(database: str) -> None:
    today = [datetime(2026, 3, 1, tzinfo=UTC)]
    with Store.open(now=lambda: today[0]) as store:
        finished = keep(store, played(1))
        header, options = played(2).header._replace(names=None), [TableOptions(rated=nth == 1) for nth in range(3)]
        tables = [store.open_table(header, each) for each in options]
        people = [store.register(name, key=name) for name in ("Cem", "Dee", "Gus")]
        assert people[2]
        store.write_memo("daily 7", {"person": people[2].id})
        assert people[0]
        assert people[1]
        store.join(tables[0], Party(["Cem"], people[0].id)).release()
        rated = tables[1]
        for party in (Party(["Dee"], people[1].id), Party(["Eve"])):
            store.join(rated, party).release()
        with store.database.transaction() as db:
            write_outcome(db, rated, Outcome((0, 0), (1,), Message("fool", {})), iso(today[0]))
        going_on = keep(store, played(2), 5)
        today[0] += timedelta(days=40)
        with store.join(tables[2], Party(["Fay"])):
            assert store.clean_up(50, delete=False) == (0, 0, 0, 0)
            assert store.clean_up(30, delete=False) == store.clean_up(30, delete=True) == (1, 1, 1, 1)
        assert {match.id for match in store.matches()} == {going_on, rated, tables[2]}
        assert finished not in {match.id for match in store.matches()}
        assert store.clean_up(30, delete=True)[:3] == (0, 0, 0)
        assert store.person_with_key("Cem") is None
        assert [store.person_with_key(key) for key in ("Dee", "Gus")] == people[1:]
