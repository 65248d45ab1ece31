"""Ratings follow from rated matches alone."""

from collections.abc import Sequence
from typing import Any

import pytest

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.engine.game import GAMES, OFFERED, Message, Outcome
from cardgames.engine.record import PERSON, Header
from cardgames.match.table_state import SeatStatus
from cardgames.store import GIVEN_UP, Store
from cardgames.store.matches import Facts, seal, summary, write_match, write_outcome
from cardgames.store.places import Party, TableOptions, write_places
from cardgames.store.ratings import (
    FEW_ACTIONS,
    GUEST,
    LEVEL,
    MEAN,
    PROVISIONAL,
    PlayerKey,
    PlayerRating,
    RatingList,
    ratings_after,
)
from cardgames.ui.session.news import table_offer
from cardgames.ui.settings import Settings

from .played_matches import played

LEVELS = {game: {"fair": (1500.0, 60.0), "strong": (1700.0, 60.0)} for game in GAMES}
ANN, BEN, CEM, DEE = ((PERSON, name) for name in ("Ann", "Ben", "Cem", "Dee"))
AT = "2026-03-01T20:00:00.000+00:00"


def over(store: Store, who: Sequence[PlayerKey], winners: tuple[int, ...], game: str = "durak", **how: Any) -> int:
    """Store a finished rated match; return its number.

    ``how`` has other facts, a reason, or the number of ``actions`` of the second seat."""
    seats = len(who)
    levels = tuple([name if kind == LEVEL else PERSON for kind, name in who])
    header = Header(game, seats, {}, 1, tuple([name for _, name in who]), None if {*levels} == {PERSON} else levels)
    why = how.pop("why", Message("fool", {"seat": 1}))
    moves = [(2, "pass")] * how.pop("actions", 1)
    with store.database.transaction() as db:
        match = write_match(db, header, Facts(AT, 1, rated=True)._replace(**how), moves)
        places = [SeatStatus(seat, name, name if kind == GUEST else None) for seat, (kind, name) in enumerate(who, 1)]
        write_places(db, match, places)
        write_outcome(db, match, Outcome((0,) * seats, winners, why), AT)
    return match


def means(store: Store, game: str = "durak") -> dict[str, float]:
    return {rating.name: rating.mean for (kind, _), rating in store.ratings(game, LEVELS).items() if kind != LEVEL}


def test_who_wins_gains_and_it_is_known_how_surely(store: Store) -> None:
    assert means(store) == {}
    for nth in range(1, 4):
        over(store, (ANN, BEN), (1,))
        ratings = store.ratings("durak", LEVELS)
        assert ratings[ANN].mean + ratings[BEN].mean == pytest.approx(2 * MEAN)
        assert (ratings[ANN].matches, ratings[BEN].matches) == (nth, nth)
        assert ratings[ANN].margin < PlayerRating("").margin
    assert ratings[ANN].mean > MEAN + 100
    assert store.ratings("truc", LEVELS).keys() == {(LEVEL, level) for level in LEVELS["truc"]}
    with Store.open() as other:  # who has not read on from match to match comes to the same
        assert other.ratings("durak", LEVELS) == ratings


def test_partners_gain_together_and_one_of_several_loses(store: Store) -> None:
    over(store, (ANN, BEN, CEM, DEE), (1, 3), "kakeya")
    found = means(store, "kakeya")
    assert found["Ann"] == found["Cem"] > MEAN > found["Ben"] == found["Dee"]
    over(store, (ANN, BEN, CEM), (1, 2))
    found = means(store)
    assert found["Ann"] == found["Ben"] > MEAN > found["Cem"]


def test_computers_keep_their_ratings_and_lead_newcomers_to_theirs(store: Store) -> None:
    for level, won in (("strong", (1,)), ("fair", (1,))):
        over(store, ((GUEST, level), (LEVEL, level)), won)
    ratings = store.ratings("durak", LEVELS)
    assert {level: ratings[LEVEL, level][1:3] for level in LEVELS["durak"]} == LEVELS["durak"]
    assert ratings[LEVEL, "fair"].matches == 1
    assert ratings[GUEST, "strong"].mean > ratings[GUEST, "fair"].mean > MEAN


def test_what_does_not_count(store: Store) -> None:
    over(store, (ANN, BEN), (), why=GIVEN_UP)
    over(store, (ANN, BEN), (1,), imported=True)
    over(store, (ANN, BEN), (1,), rated=False)
    over(store, (ANN, ANN), (1,))
    over(store, ((LEVEL, "fair"), (LEVEL, "strong")), (1,))
    over(store, (ANN, (LEVEL, "program")), (1,))
    taken_back, looked_into, deleted = (over(store, (ANN, BEN), (1,)) for _ in range(3))
    assert store.ratings("durak", LEVELS)[ANN].matches == 3
    with store.database.transaction() as db:
        db.execute("INSERT INTO undo (match, to_ply, by, at) VALUES (?, 0, 1, ?)", (taken_back, AT))
        db.execute("INSERT INTO opened (match, ply, at) VALUES (?, 1, ?)", (looked_into, AT))
    with store.hold(deleted) as lock:
        lock.delete()
    assert means(store) == {}
    over(store, (ANN, BEN), (1,), why=Message("out_of_time", {"seat": 2}), actions=FEW_ACTIONS)
    assert store.ratings("durak", LEVELS)[ANN].matches == 1


def test_a_newcomer_lost_by_the_clock_is_worth_nothing(store: Store) -> None:
    """After a few actions: identities that lose so could be made at will. Somebody known loses by the clock at once."""
    late = Message("out_of_time", {"seat": 2})
    for number in range(20):
        over(store, ((GUEST, "Ann"), (GUEST, f"Ben {number}")), (1,), why=late, actions=FEW_ACTIONS - 1)
    assert means(store) == {}
    for number in range(40):
        over(store, (CEM, (LEVEL, "fair")), (2 - number % 2,))
    assert not store.ratings("durak", LEVELS)[CEM].provisional
    over(store, (ANN, CEM), (1,), why=late)
    assert means(store)["Ann"] > MEAN


def test_two_who_only_play_each_other_move_little(store: Store) -> None:
    """Their ratings stay below those of computers, while the same wins against known players count in full."""
    for _number in range(40):
        over(store, (ANN, BEN), (1,))
        over(store, (CEM, (LEVEL, "strong")), (1,))
    ratings = store.ratings("durak", LEVELS)
    assert ratings[ANN].provisional
    assert (
        ratings[ANN].certain < ratings[LEVEL, "fair"].certain < ratings[LEVEL, "strong"].certain < ratings[CEM].certain
    )


def test_friends_who_play_in_turn_count_in_full_once_they_are_known(store: Store) -> None:
    for number in range(40):
        for friend in (ANN, BEN, CEM):
            over(store, (friend, (LEVEL, "fair")), (1 + number % 2,))
    expected = dict(store.ratings("durak", LEVELS))
    assert not any(expected[friend].provisional for friend in (ANN, BEN, CEM))
    for number in range(12):
        one, other = ((ANN, BEN), (BEN, CEM), (CEM, ANN))[number % 3]
        over(store, (one, other), (1,))
        ((expected[one],), (expected[other],)) = ratings_after([[expected[one]], [expected[other]]], [True, False])
    assert means(store) == pytest.approx({key[1]: expected[key].mean for key in (ANN, BEN, CEM)})


@pytest.mark.parametrize("identities", [2, 3, 5, 20])
def test_identities_of_one_owner_make_no_rating(store: Store, identities: int) -> None:
    """The first wins whole matches against the others, who also play each other, and gets no first place."""
    owned = [(GUEST, str(number)) for number in range(identities)]
    for number in range(200):
        one, other = owned[number % identities], owned[(number + 1) % identities]
        over(store, (owned[0], owned[1 + number % (identities - 1)]), (1,), actions=FEW_ACTIONS)
        over(store, (one, other), (1 + number % 2,), actions=FEW_ACTIONS)
    ratings = store.ratings("durak", LEVELS)
    assert all(ratings[key].provisional for key in owned)
    assert max([ratings[key].certain for key in owned]) < ratings[LEVEL, "strong"].certain


def test_the_seat_makes_no_difference(store: Store) -> None:
    """The match makes one player known, which counts from the next match on."""
    found = []
    for pair, winner in (((ANN, BEN), 1), ((BEN, ANN), 2)):
        ratings = RatingList("durak", LEVELS)
        ratings._ratings[ANN] = PlayerRating("Ann", deviation=PROVISIONAL + 0.1)
        ratings._against[BEN, False] = 9
        match = over(store, pair, (winner,))
        with store.database.transaction(write=False) as db:
            ratings._rate_match(db, summary(db, match))
        found.append((ratings._ratings[ANN], ratings._ratings[BEN]))
    assert found[0] == found[1]
    assert not found[0][0].provisional


def test_ratings_are_listed_by_what_is_certain(store: Store) -> None:
    over(store, (ANN, BEN), (1,))
    assert store.ratings("truc", {}) == {}
    lines = [rating for _, rating in store.rating_list(["durak"], LEVEL_RATINGS)]
    certain = [line.certain for line in lines]
    assert certain == sorted(certain, reverse=True)
    assert {line.name: line.provisional for line in lines} == {
        **dict.fromkeys(("easy", "fair", "strong"), False),
        **dict.fromkeys(("Ann", "Ben"), True),
    }
    ann = next(line for line in lines if line.name == "Ann")
    assert ann.mean > MEAN
    assert lines.index(ann) == 3, "after all computers"


@pytest.mark.parametrize("winner", [1, 2])
def test_stand_ins_can_only_lower_a_rating(store: Store, winner: int) -> None:
    """PlayerKey had a computer play can lose by it and not gain."""
    match = over(store, (ANN, BEN), (winner,))
    with store.database.transaction() as db:
        db.execute("UPDATE match SET finished = NULL WHERE id = ?", (match,))
        seal(db, match)
        db.execute("INSERT INTO substitute (level, match, seat, ply) VALUES ('fair', ?, 1, 0)", (match,))
        write_outcome(db, match, Outcome((0, 0), (winner,), Message("fool", {})), AT)
    found = means(store)
    assert found.get("Ann", MEAN) < MEAN if winner == 2 else "Ann" not in found
    assert found["Ben"] != MEAN


def test_a_rated_table_stays_rated_in_a_rematch(store: Store) -> None:
    match = store.open_table(played(1).header._replace(names=None), TableOptions(rated=True))
    assert store.match(match).rated
    with store.join(match, Party(["Ann"])), store.join(match, Party(["Ben"])) as ben:
        again = ben.create_rematch(store.match(match).header)
    assert store.match(again).rated
    assert not store.match(store.open_table(played(1).header)).rated


@pytest.mark.parametrize(
    ("language", "at_rated", "elsewhere"),
    [
        ("en", "Durak, rated 2 · Ann 1", "Durak 3 · Ann [rated tables: "),
        ("ja", "ドゥラーク・レーティング戦 2（Ann 1", "ドゥラーク 3（Ann［レーティング戦"),
    ],
)
def test_a_rating_beside_a_name_says_what_it_is_of(store: Store, language: str, at_rated: str, elsewhere: str) -> None:
    """A person has another rating too, against computers."""
    over(store, (ANN, BEN), (1,))
    for is_rated, expected in ((True, at_rated), (False, elsewhere)):
        match = store.open_table(played(1).header._replace(names=None), TableOptions(rated=is_rated))
        with store.join(match, Party(["Ann"])):
            (table,) = [table for table in store.tables() if table.match.id == match]
            assert expected in table_offer(store, table, Settings(language=language), None)


def test_levels_have_ratings_in_every_game() -> None:
    assert [*LEVEL_RATINGS] == [*OFFERED]
    for levels in LEVEL_RATINGS.values():
        assert levels["easy"] < levels["fair"] < levels["strong"]
        assert levels["fair"][0] == MEAN


def test_two_hundred_points_win_three_of_four() -> None:
    """The model finds again the difference from which results were made."""
    one, other = PlayerRating("Ann", 1600, 20), PlayerRating("Ben", 1400, 20)
    ((won,), (lost,)) = ratings_after([[one], [other]], [True, False])
    ((beaten,), (better,)) = ratings_after([[one], [other]], [False, True])
    assert (won.mean - 1600) * 3 == pytest.approx(1600 - beaten.mean, rel=0.1)
    assert better.mean - 1400 == pytest.approx(1600 - beaten.mean)
    assert 1400 - lost.mean == pytest.approx(won.mean - 1600)
