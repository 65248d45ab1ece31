"""Duplicate tournaments: the same cards at each table, and no player at two tables."""

from functools import partial

import pytest

from cardgames.engine.game import CHANCE, game_class
from cardgames.engine.record import Header
from cardgames.match import Match
from cardgames.store import DEAL_OVER, JoinRefused, Store
from cardgames.store.duplicates import Duplicate
from cardgames.store.places import Party, find_waiting_table
from cardgames.store.table_session import TableSession

from .repairs import reason

TUESDAY = Duplicate("Tuesday", "kakeya", 4, game_class("kakeya").RULES().values(), 2)
HEADER = Header("kakeya", 4, TUESDAY.rules, 4, ("", "", "Ada", "Bix"), ("person", "person", "easy", "easy"))


def opened(store: Store, header: Header = HEADER, duplicate: Duplicate = TUESDAY) -> int:
    return store.open_table(header, duplicate=duplicate)


def refusal(store: Store, match: int, name: str, person: str | None = None) -> str:
    return reason(lambda: store.join(match, Party([name], person)), JoinRefused).key


def played(store: Store, session: TableSession, place: int) -> list[str]:
    """Play the session's deal, always with the first or the last legal action, and return the shuffles."""
    match = Match(store.match(session.match).header.new_game(), session, store.chance(session.match))
    while not (any(step.by == CHANCE for step in match.steps) and match.game.deal_over(match.state)):
        match.settle()
        assert match.to_act
        match.act(match.to_act, match.observation(match.to_act).legal[place])
    session.end_board(match.game.payoff(match.state))
    return [step.action.text for step in match.steps if not step.by]


def test_each_table_plays_the_same_deals_and_is_scored_by_comparison(store: Store) -> None:
    shuffles, tables = [], []
    for name, place in (("Ann", 0), ("Ben", -1), ("Cleo", 0)):
        match, found = opened(store), []
        tables.append(match)
        for number in (1, 2):
            with store.join(match, Party([name, name + "2"])) as session:
                found += played(store, session, place)
                assert store.match(match).outcome
                assert store.match(match).header.dealer == (4, 1)[number - 1]
                if number == 1:
                    match = session.create_rematch(store.match(match).header)
                    assert session.create_rematch(store.match(match).header) == match
        shuffles.append(found)
    assert shuffles[0] == shuffles[1] == shuffles[2], "nobody's choices change the cards"
    assert len({*shuffles[0]}) == 2
    by_name = {one.names: one for one in store.ranking("Tuesday")}
    ann, ben, cleo = [by_name[(name,)] for name in ("Ann", "Ben", "Cleo")]
    assert ann.results == cleo.results
    for number in (1, 2):
        better = (ann.results[number] > ben.results[number]) + (ann.results[number] == ben.results[number]) / 2
        assert ann.shares[number] == pytest.approx((better + 0.5) / 2)
        assert ben.shares[number] == pytest.approx(1 - better)
    assert ann.share == pytest.approx(sum(ann.shares.values()) / 2)
    assert [ann.table, ben.table, cleo.table] == tables
    assert store.statistics().matches == 0, "a deal is no match"


def test_nobody_who_knows_the_cards_comes_to_another_table(store: Store) -> None:
    first, second = opened(store), opened(store)
    with store.join(first, Party(["Ann"])), store.join(first, Party(["Ben"], "somebody")):
        assert refusal(store, second, "ann") == "duplicate_played"
        assert refusal(store, second, "Ben", "somebody") == "duplicate_played"
        with pytest.raises(JoinRefused):
            store.check_not_played("Tuesday", None, ["Ann"])
        with store.join(second, Party(["Ben"])), store.join(second, Party(["Ada2"])):
            pass  # a Ben of this machine, and the computers' names are nobody's
        assert reason(lambda: store.watch(first), JoinRefused).key == "duplicate_unseen"
    with store.join(first, Party(["Ann"])):
        pass  # who comes back to their own table


def test_a_tournament_of_one_name_has_one_game_and_number_of_deals(store: Store) -> None:
    opened(store)
    for other in (TUESDAY._replace(deals=3), TUESDAY._replace(game="fipsen")):
        assert reason(partial(opened, store, duplicate=other), JoinRefused).key == "duplicate_differs"
    boards = store.boards()
    assert [board.number for board in boards.values()] == [1]
    with store.join(1, Party(["Ann"])):
        assert find_waiting_table(store.tables(), "kakeya", "Eve") is None, "nobody comes to one who did not mean to"
    with store.join(1, Party(["Ann", "Ben"])) as session:
        played(store, session, 0)
    outcome = store.match(1).outcome
    assert outcome
    assert outcome.why == DEAL_OVER
    opened(store, duplicate=TUESDAY._replace(name="Wednesday"))
    assert len({board.duplicate.seed for board in store.boards().values()}) == 2
