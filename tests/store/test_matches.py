"""Creating, continuing, undoing, listing, exporting and importing matches."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.record import RecordError, header_line
from cardgames.match import JournalConflict, JournalPosition, Undo
from cardgames.store import Store, StoreError, UnknownMatch
from cardgames.store.matches import Facts, write_match

from .played_matches import go_on, keep, played, take_back, won_by
from .repairs import connection, reason, scribble


def as_bytes(lines: tuple[str, ...] | list[str]) -> list[bytes]:
    return [line.encode() + b"\n" for line in lines]


def test_a_match_in_which_nobody_has_acted_is_forgotten(store: Store) -> None:
    match = played(1)
    unplayed, begun, done = (keep(store, match, plies) for plies in (1, 2, None))
    imported = store.import_record(as_bytes(match.lines[:2]))
    against = match.header._replace(players=("easy",) * match.header.seats)
    computers = store.create(against)
    with store.hold(computers) as lock:
        go_on(lock, match, 0, 3)
        assert not store.forget_unplayed(computers), "somebody holds it"
    daily = keep(store, match, 1)
    store.write_memo(f"daily {daily}", {})
    numbers = (unplayed, begun, done, imported, computers, daily)
    assert [store.forget_unplayed(number) for number in numbers] == [True, False, False, False, True, False]
    assert sorted(summary.id for summary in store.matches()) == [begun, done, imported, daily]


def test_a_summary(home: Path) -> None:
    clock = datetime(2026, 3, 1, 20, 0, tzinfo=timezone(timedelta(hours=9)))
    with Store.open(now=lambda: clock) as store:
        match = played(1)
        first = store.create(match.header)
        clock += timedelta(hours=1)
        with store.hold(first) as hold:
            go_on(hold, match, 0, 5)
            found = store.match(first)
            assert found.holder is not None
            assert found.holder.since == clock
        found = store.match(first)
    assert found.created == datetime(2026, 3, 1, 11, 0, tzinfo=UTC)
    assert found.changed == clock
    assert (found.game, found.seats, found.names, found.dealer) == ("durak", 2, ("Ann", "Ben"), 1)
    assert found.rules == match.header.rules
    assert (found.plies, found.scores, found.outcome, found.holder) == (5, (0, 0), None, None)
    assert (found.follows, found.imported) == (None, False)


def test_unfinished_first_and_the_last_changed_first() -> None:
    clock = datetime(2026, 3, 1, tzinfo=UTC)

    def now() -> datetime:
        nonlocal clock
        clock += timedelta(seconds=1)
        return clock

    with Store.open(now=now) as store:
        assert store.last_changed(is_finished=False) is None
        for seed, plies in ((1, 5), (2, None), (3, 5), (4, None)):
            keep(store, played(seed), plies)
        assert [found.id for found in store.matches()] == [3, 1, 4, 2]
        assert store.last_changed(is_finished=False) == 3
        with store.hold(1) as hold:
            go_on(hold, played(1), 5, 6)
        assert [found.id for found in store.matches()] == [1, 3, 4, 2]
        assert store.last_changed(is_finished=False) == 1


def test_lists_hold_so_many_of_the_first_matches(store: Store) -> None:
    for seed in range(7):
        keep(store, played(seed), 3 if seed % 3 else None)
    every = store.matches()
    assert [found.outcome is None for found in every] == [True] * 4 + [False] * 3
    assert store.count()[:2] == (7, 4)
    assert all(store.matches(size) == every[:size] for size in range(9))


def test_what_is_asked_for_is_read_and_no_more(store: Store) -> None:
    """Damage is told where it is read: a few of ten thousand matches does not take the time of all."""
    for seed in range(3):
        keep(store, played(seed), 3)
    scribble("UPDATE match SET scores = '[1,1]' WHERE id = 1")
    assert [found.id for found in store.matches(2)] == [3, 2]
    with pytest.raises(StoreError, match="damaged"):
        store.matches(3)


def test_a_clock_that_was_wrong_once_does_not_matter_for_ever() -> None:
    """The order is that in which matches were changed, whatever the times say; those are what the clock said."""
    years = iter((2026, 2099, 2026, 2026, 2026, 2026, 1, 9999, 2026, 2026, 2026, 2026))

    def now() -> datetime:
        return datetime(next(years), 3, 1, tzinfo=timezone(timedelta(hours=12)))

    with Store.open(now=now) as store:
        numbers = [store.create(played(1).header) for _ in range(3)]
        assert [found.id for found in store.matches()] == [3, 2, 1]
        with store.hold(1) as hold:
            go_on(hold, played(1), 0, 1)
        assert [found.id for found in store.matches()] == [1, 3, 2]
        assert store.last_changed(is_finished=False) == 1
        assert numbers == [1, 2, 3]
        assert store.match(2).changed.year == 2099


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_any_time_can_be_kept(year: int, hours: int) -> None:
    """Also one that is of another year in UTC, which may be one that there is not."""
    for month, day in ((1, 1), (12, 31)):
        moment = datetime(year, month, day, 12, tzinfo=timezone(timedelta(hours=hours)))
        with Store.open(now=lambda moment=moment: moment) as store:  # type: ignore[misc]
            number = keep(store, played(1), 3)
            assert abs(store.match(number).changed - moment) <= timedelta(hours=14)


def test_what_is_new_to_somebody_who_has_read_so_far(store: Store) -> None:
    match = played(1)
    number = store.create(match.header)
    with store.hold(number) as hold:
        assert hold.read(JournalPosition()) == ([], [])
        go_on(hold, match, 0, 10)
        assert hold.read(JournalPosition()) == ([], match.moves[:10])
        assert hold.read(JournalPosition(7)) == ([], match.moves[7:10])
        assert hold.read(JournalPosition(10)) == ([], [])
        take_back(hold, 6, 2)
        take_back(hold, 4, 1)
        go_on(hold, match, 4, 12)
        assert hold.read(JournalPosition(10)) == ([Undo(6, 2), Undo(4, 1)], match.moves[4:12])
        assert hold.read(JournalPosition(6, 1)) == ([Undo(4, 1)], match.moves[4:12])
        assert hold.read(JournalPosition(5, 2)) == ([], match.moves[5:12])
        assert hold.read(JournalPosition(12, 2)) == ([], [])


def test_opening_an_open_record_is_noted(store: Store) -> None:
    number = keep(store, played(1), 5)
    assert store.match(number).opened == ()
    store.note_opened(number)
    with store.hold(number) as hold:
        go_on(hold, played(1), 5, 8)
        store.note_opened(number)
        go_on(hold, played(1), 8)
    store.note_opened(number)  # it is over, and everybody may see it
    assert store.match(number).opened == (5, 8)
    assert [found.opened for found in store.matches()] == [(5, 8)]
    with pytest.raises(UnknownMatch):
        store.note_opened(number + 1)


def test_hints_are_counted_for_the_whole_match(store: Store) -> None:
    number = keep(store, played(1), 5)
    other = keep(store, played(2))
    assert store.hints(number) == {}
    for seat in (2, 1, 2):
        store.note_hint(number, seat)
    with store.hold(number) as hold:
        take_back(hold, 3, 1)
    store.note_hint(other, 1)
    assert store.hints(number) == {1: 1, 2: 2}
    assert store.hints(other) == {1: 1}
    for ask in (store.hints, lambda match: store.note_hint(match, 1)):
        with pytest.raises(UnknownMatch):
            ask(other + 1)


def test_a_match_says_who_stood_in_and_from_when_on(store: Store) -> None:
    number = keep(store, played(1), 5)
    store.note_substitute(number, 2, "easy")
    store.note_substitute(number, 2, "fair")
    assert store.substitutes(number) == [(2, 5, "fair")]
    for ask in (store.substitutes, lambda match: store.note_substitute(match, 1, "fair")):
        with pytest.raises(UnknownMatch):
            ask(number + 1)


def test_no_list_shows_a_card_of_an_unfinished_match(store: Store) -> None:
    for seed in range(4):
        keep(store, played(seed), 20)
    shown = f"{store.matches()}{store.statistics()}{store.rematch_chain(1)}{store.match(1)}"
    assert not re.search(rf"\b({'|'.join(NAMES)})\b", shown)
    for number in range(1, 5):
        assert str(store.seed(number)) not in shown


def test_an_unknown_match(store: Store) -> None:
    store.create(played(1).header)
    for number in (0, -1, 2, 1 << 63, 1 << 200):
        for ask in (store.load, store.match, store.undos, store.export, store.hold, store.rematch_chain, store.seed):
            assert reason(partial(ask, number), UnknownMatch) == ("match_unknown", {"match": number})
        with pytest.raises(UnknownMatch):
            store.create(played(1).header, follows=number)
    assert len(store.matches()) == 1


@pytest.mark.parametrize("after", [(0, 1), (2, 1), (4, 1), (-1, 1), (3, 0), (3, 2)])
def test_who_has_not_read_to_the_end_writes_nothing(store: Store, after: tuple[int, int]) -> None:
    number = store.create(played(1).header)
    with store.hold(number) as hold:
        go_on(hold, played(1), 0, 5)
        take_back(hold, 3, 1)
        with pytest.raises(JournalConflict):
            hold.append(JournalPosition(*after), 1, "pass", (0, 0))
        with pytest.raises(JournalConflict):
            hold.undo(JournalPosition(*after), 0, 1, (0, 0))
        assert hold.read(JournalPosition()) == ([Undo(3, 1)], played(1).moves[:3])
        go_on(hold, played(1), 3)
    assert tuple(store.export(number)) == played(1).lines


def test_nothing_comes_after_the_end(store: Store) -> None:
    match = played(1)
    number = keep(store, match)
    with store.hold(number) as hold:
        over = ("store_match_over", {"match": number})
        assert reason(lambda: hold.append(JournalPosition(len(match.steps)), 1, "pass", (0, 0))) == over
        assert reason(lambda: take_back(hold, 3, 1)) == over
    assert tuple(store.export(number)) == match.lines


def test_what_is_undone_leaves_the_record_and_stays_in_the_journal() -> None:
    clock = datetime(2026, 3, 1, tzinfo=UTC)
    match = played(1)
    with Store.open(now=lambda: clock) as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            go_on(hold, match, 0, 10)
            take_back(hold, 7, 2)
            assert store.load(number)[1] == match.moves[:7]
            assert store.match(number).plies == 7
            clock += timedelta(hours=1)
            go_on(hold, match, 7, 9)
            take_back(hold, 8, 1, (3, 4))
            assert store.match(number).scores == (3, 4)
            assert store.match(number).changed == clock
        with store.hold(number) as hold:
            go_on(hold, match, 8)
        assert tuple(store.export(number)) == match.lines
        assert store.undos(number) == [
            (7, 2, clock - timedelta(hours=1), tuple(match.moves[7:10])),
            (8, 1, clock, tuple(match.moves[8:9])),
        ]


def test_all_can_be_undone_and_no_more(store: Store) -> None:
    match = played(1)
    number = store.create(match.header)
    assert store.undos(number) == []
    with store.hold(number) as hold:
        go_on(hold, match, 0, 4)
        for ply in (4, 5, -1):
            with pytest.raises(ValueError, match="no action"):
                take_back(hold, ply, 1)
        take_back(hold, 0, 1)
        assert store.load(number)[1] == []
        go_on(hold, match, 0)
    assert tuple(store.export(number)) == match.lines


def test_a_sitting_is_the_matches_that_follow_each_other(store: Store) -> None:
    first = keep(store, won_by(1))
    second = keep(store, won_by(2), follows=first)
    other = keep(store, won_by(1))
    third = keep(store, won_by(1, 1), follows=second)
    assert [found.id for found in store.rematch_chain(third)] == [first, second, third]
    assert [found.id for found in store.rematch_chain(second)] == [first, second]
    assert [found.id for found in store.rematch_chain(other)] == [other]
    assert [found.outcome and found.outcome.winners for found in store.rematch_chain(third)] == [(1,), (2,), (1,)]
    assert [found.follows for found in store.rematch_chain(third)] == [None, first, second]


def test_names_and_rules_last_used(store: Store) -> None:
    assert store.names_last_used("durak") is None
    assert store.rules_last_used("durak") is None
    keep(store, played(1, ("Ann", "Ben")), 1)
    keep(store, played(2, ("Cem", "Dee")), 1)
    keep(store, played(3, None), 1)
    store.import_record(as_bytes(played(4, ("Eva", "Flo")).lines))
    assert store.names_last_used("durak") == ("Cem", "Dee")
    assert store.names_last_used("durak", 2) == ("Cem", "Dee")
    assert store.names_last_used("durak", 3) is None
    assert store.names_last_used("truc") is None
    assert store.rules_last_used("durak") == played(1).header.rules
    assert store.rules_last_used("truc") is None


def test_a_seed_is_kept_and_otherwise_unknown(store: Store) -> None:
    header = played(1).header
    large = 10**100
    assert store.seed(store.create(header, seed=7)) == 7
    assert store.seed(store.create(header, seed=-large)) == -large
    assert store.seed(store.create(header)) != store.seed(store.create(header))


@pytest.mark.parametrize("name", ["", "[bold]", "a'b\"c", "名前", "a\nb", "x" * 10_000, "'; DROP TABLE match; --"])
def test_names_are_text(store: Store, name: str) -> None:
    match = played(1, (name, "Ben"))
    number = keep(store, match)
    assert store.load(number) == (match.header, match.moves)
    assert store.match(number).names == (name, "Ben")
    assert tuple(store.export(number)) == match.lines
    assert store.names_last_used("durak") == (name, "Ben")
    assert store.statistics(player=name).matches == 1


@pytest.mark.parametrize("name", ["\udcff", "\0"])
def test_a_name_of_the_command_line_that_is_no_text(store: Store, name: str) -> None:
    number = store.create(played(1).header._replace(names=(name, "Ben")))
    assert store.match(number).names == ("?", "Ben")
    assert store.statistics(player=name, game=name).matches == 0


@pytest.mark.parametrize("seed", range(2, 4))
def test_a_record_goes_in_and_comes_out_the_same(store: Store, seed: int) -> None:
    match = played(seed, None if seed == 3 else ("Ann", "Бен"))
    number = store.import_record(as_bytes(match.lines))
    assert tuple(store.export(number)) == match.lines
    assert store.load(number) == (match.header, match.moves)
    found = store.match(number)
    assert found.imported
    assert found.outcome == match.steps[-1].outcome
    assert found.plies == len(match.steps)


def test_an_unfinished_record_can_be_gone_on_with(store: Store) -> None:
    match = played(1)
    number = store.import_record(as_bytes(match.lines[:11]))
    assert tuple(store.export(number)) == match.lines[:11]
    assert store.last_changed(is_finished=False) == number
    with store.hold(number) as hold:
        go_on(hold, match, 10)
    assert tuple(store.export(number)) == match.lines


def test_a_record_from_elsewhere_comes_out_in_our_form(store: Store) -> None:
    match = played(2)
    header = (
        b'{"dealer":1,"seats":2,"played":"long ago","game":"durak","record":"cardgames/1","names":["Ann","Ben"]}\r\n'
    )
    number = store.import_record([header, *as_bytes(match.lines[1:])])
    assert tuple(store.export(number)) == match.lines


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (("", "Ben"), "bad_name"), (("a\x1b[2Jb", "Ben"), "bad_name"),
        (("x" * 900_000, "Ben"), "bad_name"), (("Ann", "Ann"), "same_names"),
        (("Zoe\u0308", "Zo\u00eb"), "same_names"),
    ],
)  # fmt: skip
def test_imports_refuse_forbidden_names(store: Store, names: tuple[str, str], key: str) -> None:
    """Names that nobody may have at our table are not taken in."""
    lines = [header_line(played(1).header._replace(names=names)), *played(1).lines[1:]]
    with pytest.raises(RecordError) as caught:
        store.import_record(as_bytes(lines))
    assert (caught.value.line, caught.value.reason.key) == (1, key)
    assert store.matches() == []


def test_a_bad_record_changes_nothing(store: Store) -> None:
    match = played(1)
    keep(store, match)
    lines = as_bytes(match.lines)
    surrogate = header_line(match.header._replace(names=None))[:-1].encode() + b',"names":["\\ud800","Ben"]}\n'
    for bad, line in (
        ([], 1),
        ([b"no record\n"], 1),
        ([*lines[:7], lines[20], *lines[8:]], 8),
        (lines[:-1], len(lines)),
        ([*lines, b"{}\n"], len(lines) + 1),
        ([surrogate, *lines[1:]], 1),
    ):
        with pytest.raises(RecordError) as caught:
            store.import_record(bad)
        assert caught.value.line == line
    assert len(store.matches()) == 1


def test_an_import_that_is_broken_off_changes_nothing(store: Store) -> None:
    def broken_off() -> Iterator[bytes]:
        yield from as_bytes(played(1).lines[:20])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.import_record(broken_off())
    assert store.matches() == []
    assert keep(store, played(1)) == 1


def test_an_exception_in_the_middle_of_a_write_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    number = keep(store, played(1), 5)

    def stop(*_: object) -> None:
        raise SystemExit(143)

    with store.hold(number) as hold:
        with monkeypatch.context() as patch:
            patch.setattr("cardgames.store.journal.dump", stop)
            with pytest.raises(SystemExit):
                go_on(hold, played(1), 5, 6)
        assert store.load(number)[1] == played(1).moves[:5]
        go_on(hold, played(1), 5)
    assert tuple(store.export(number)) == played(1).lines


def test_a_closed_store_says_so(store: Store) -> None:
    hold = store.hold(store.create(played(1).header))
    store.close()
    store.close()
    for change in (store.matches, lambda: go_on(hold, played(1), 0)):
        assert reason(change) == ("store_closed", {"path": store.database.address})
    hold.release()


@pytest.mark.sqlite
def test_an_action_costs_the_same_after_ten_thousand(store: Store) -> None:
    """Counted in steps of SQLite's machine, which are the same everywhere."""
    header = played(1).header
    short = store.create(header)
    with store.database.transaction() as db:
        at = "2026-03-01T20:00:00.000+00:00"
        long = write_match(db, header, Facts(at, 1), [(1, "JC>TC")] * 10_000)
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    costs = []
    for number, ply in ((short, 0), (long, 10_000)):
        with store.hold(number) as hold:
            for more in range(20):
                hold.append(JournalPosition(ply + more), 1, "JC>TC", (0, 0))
            steps = 0
            connection(store).set_progress_handler(count, 1)
            hold.append(JournalPosition(ply + 20), 1, "JC>TC", (0, 0))
            connection(store).set_progress_handler(None, 1)
            costs.append(steps)
    assert costs[1] <= 1.2 * costs[0]
    assert len(store.load(long)[1]) == 10_021
