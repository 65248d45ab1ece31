"""The statistics of players, games and seats."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardgames.engine.game import Message, Outcome
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.store.matches import Facts, write_match, write_outcome
from cardgames.store.stats import GameLine, LongestMatch, OpponentLine, PlayerLine, SeatLine

from .played_matches import keep, played, won_by


@pytest.fixture
def table(database: str) -> Iterator[Store]:
    """Ann beats Ben three times, loses twice and wins once. Cem wins in Ben's seat. One match is unfinished."""
    clock = datetime(2026, 3, 1, tzinfo=UTC)

    def now() -> datetime:
        nonlocal clock
        clock += timedelta(minutes=1)
        return clock

    with Store.open(now=now) as store:
        for match in (*map(won_by, (1, 1, 1, 2, 2, 1), range(6)), won_by(1, 0, ("Cem", "Ann"))):
            keep(store, match)
        keep(store, played(9), 5)
        yield store


def test_nothing_yet(store: Store) -> None:
    found = store.statistics()
    assert (found.matches, found.unfinished, found.longest) == (0, 0, None)
    assert not any((found.games, found.players, found.opponents, found.seats))


def test_everybody(table: Store) -> None:
    found = table.statistics()
    assert (found.matches, found.unfinished) == (7, 1)
    assert found.players == (
        PlayerLine("Ann", 7, 4, 0, streak=0, longest_streak=3, recent="wwwllwl"),
        PlayerLine("Ben", 6, 2, 0, streak=0, longest_streak=2, recent="lllwwl"),
        PlayerLine("Cem", 1, 1, 0, streak=1, longest_streak=1, recent="w"),
    )
    assert found.opponents == (
        OpponentLine("Ann", "Ben", 6, wins=4, losses=2),
        OpponentLine("Ben", "Ann", 6, wins=2, losses=4),
        OpponentLine("Cem", "Ann", 1, wins=1, losses=0),
        OpponentLine("Ann", "Cem", 1, wins=0, losses=1),
    )
    assert found.seats == (SeatLine("durak", 2, 1, 7, 5, 0), SeatLine("durak", 2, 2, 7, 2, 0))
    finished = [match for match in table.matches() if match.outcome]
    longest = max(match.plies for match in finished)
    first = min(match.id for match in finished if match.plies == longest)
    assert found.longest == LongestMatch(first, "durak", longest)
    assert found.games == (GameLine("durak", 7, 0, longest),)


def test_one_player(table: Store) -> None:
    found = table.statistics(player="Cem")
    assert (found.matches, found.unfinished) == (1, 0)
    assert [line.name for line in found.players] == ["Cem"]
    assert found.opponents == (OpponentLine("Cem", "Ann", 1, wins=1, losses=0),)
    assert found.seats == (SeatLine("durak", 2, 1, 1, 1, 0),)
    ann = table.statistics(player="Ann")
    assert ann.seats == (SeatLine("durak", 2, 1, 6, 4, 0), SeatLine("durak", 2, 2, 1, 0, 0))
    assert ann.unfinished == 1
    assert table.statistics(player="Zoe").matches == 0


def test_one_game(table: Store) -> None:
    assert table.statistics(game="durak") == table.statistics()
    nothing = table.statistics(game="truc")
    assert (nothing.matches, nothing.unfinished, nothing.players) == (0, 0, ())


def write(store: Store, names: tuple[str, ...] | None, winners: tuple[int, ...], game: str = "durak") -> None:
    """Store a finished match without its actions."""
    with store.database.transaction() as db:
        seats, at = len(names) if names else 2, "2026-03-01T20:00:00.000+00:00"
        number = write_match(db, Header(game, seats, {}, 1, names), Facts(at, 1))
        write_outcome(db, number, Outcome((0,) * seats, winners, Message("x", {})), at)


def test_matches_from_records_count_only_if_that_is_asked_for(store: Store) -> None:
    keep(store, won_by(1))
    keep(store, played(9), 5)
    for match in (won_by(1, 1), won_by(2), won_by(1, 0, ("Cem", "Ann"))):
        store.import_record(line.encode() for line in match.lines)
    store.import_record(line.encode() for line in played(9).lines[:9])
    own, every = store.statistics(), store.statistics(imported=True)
    assert (own.matches, own.unfinished, own.imported) == (1, 1, 3)
    assert [(line.name, line.matches, line.wins) for line in own.players] == [("Ann", 1, 1), ("Ben", 1, 0)]
    assert (every.matches, every.unfinished, every.imported) == (4, 2, 0)
    assert [(line.name, line.matches) for line in every.players] == [("Ann", 4), ("Ben", 3), ("Cem", 1)]
    assert store.statistics(player="Cem").imported == 1
    assert store.statistics(game="truc").imported == 0


def test_streaks_follow_the_order_of_play(home: Path) -> None:
    """Runs are counted in the order of play whatever the clock said."""
    years = iter((2026, 2099, 2026, 2025) * 200)
    with Store.open(now=lambda: datetime(next(years), 3, 1, tzinfo=UTC)) as store:
        for seat in (1, 2, 1, 1):
            match = won_by(seat)
            store.import_record(line.encode() for line in match.lines)
        ann = store.statistics(player="Ann", imported=True).players[0]
    assert (ann.recent, ann.streak) == ("wlww", 2)


def test_a_draw_ends_a_streak_and_is_no_loss(store: Store) -> None:
    for winners in ((1,), (1,), (), (1,)):
        write(store, ("Ann", "Ben"), winners)
    ann, ben = store.statistics().players
    assert (ann.wins, ann.drawn, ann.streak, ann.longest_streak, ann.recent) == (3, 1, 1, 2, "wwdw")
    assert (ben.wins, ben.drawn, ben.streak, ben.longest_streak, ben.recent) == (0, 1, 0, 0, "lldl")
    assert store.statistics().games[0].drawn == 1
    assert store.statistics().opponents[0] == OpponentLine("Ann", "Ben", 4, 3, 0)


def test_partners_win_together(store: Store) -> None:
    write(store, ("Ann", "Ben", "Cem", "Dee"), (1, 3))
    write(store, ("Ann", "Ben", "Cem", "Dee"), (2, 4))
    lines = {
        (line.name, line.opponent): (line.matches, line.wins, line.losses) for line in store.statistics().opponents
    }
    assert lines["Ann", "Cem"] == (2, 0, 0)
    assert lines["Ann", "Ben"] == (2, 1, 1)


def test_who_sits_at_two_seats_counts_once(store: Store) -> None:
    write(store, ("Ann", "Ben", "Ann"), (3,))
    found = store.statistics()
    assert [(line.name, line.matches, line.wins) for line in found.players] == [("Ann", 1, 1), ("Ben", 1, 0)]
    assert [(line.name, line.opponent) for line in found.opponents] == [("Ann", "Ben"), ("Ben", "Ann")]


def test_seats_without_names_count_for_games_and_seats(store: Store) -> None:
    write(store, None, (2,), "truc")
    write(store, ("Ann", "Ben"), (2,))
    found = store.statistics()
    assert found.matches == 2
    assert [line.name for line in found.players] == ["Ben", "Ann"]
    assert SeatLine("truc", 2, 2, 1, 1, 0) in found.seats


def test_recent_are_the_last_twenty(store: Store) -> None:
    for nth in range(25):
        write(store, ("Ann", "Ben"), (1 + nth % 2,))
    (ann,) = store.statistics(player="Ann").players
    assert (ann.matches, ann.recent) == (25, "lw" * 10)
