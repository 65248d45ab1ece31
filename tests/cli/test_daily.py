"""``daily``: the deal of the day, up to the line to paste."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Event

import pytest

from cardgames.cli import daily
from cardgames.engine.record import PERSON
from cardgames.match import Match
from cardgames.simulation import Workers
from cardgames.simulation import daily as simulation_daily
from cardgames.simulation.daily import DailyDeal, chunks_in_processes, daily_deal
from cardgames.store import DEAL_OVER, Store
from cardgames.store.progress import StoredReview
from cardgames.ui.render.canvas import plain_text
from cardgames.ui.session.daily import (
    DailyMatch,
    computer_results,
    create_daily_match,
    daily_page,
    matches_of_deal,
    save_computer_results,
)
from cardgames.ui.session.local_session import find_daily_match
from cardgames.ui.settings import Settings
from cardgames.ui.table.match_notes import MatchNotes
from tests.ui.terminal import ENTER, POINTER, Terminal, play_to_the_end

TRUC = date(2026, 12, 1)
DURAK = date(2026, 12, 5)


class Today(date):
    """A class of dates whose ``today`` is a day with a deal of Truc."""

    @classmethod
    def today(cls) -> "Today":
        return cls(TRUC.year, TRUC.month, TRUC.day)


def played(store: Store, deal: DailyDeal, name: str = "Ann") -> DailyMatch:
    """A finished deal of the day in which every player takes the first legal action."""
    found = create_daily_match(store, deal, name, "en")
    with store.hold(found.number) as lock:
        match = Match(deal.header().new_game(), lock, store.chance(found.number))
        found.play_opening(match, MatchNotes(store, found.number, lambda write: write()))
        while not match.game.deal_over(match.state):
            assert match.to_act
            match.act(match.to_act, match.observation(match.to_act).legal[0])
        if not match.outcome:
            lock.end_early(DEAL_OVER)
        return found._replace(result=found.save_result(store, match))


def test_from_a_hand_to_the_line_to_paste(tmp_path: Path) -> None:
    """There are no hints, nor undos; what is over can be played again, for practice."""
    deal = daily_deal(TRUC)
    with Store.open(tmp_path) as store:
        found = create_daily_match(store, deal, "Ann", "ja")
        save_computer_results(store, deal, {"strong": [-5.0, 5.0]})
    with Terminal(tmp_path, "--language", "ja", "--fast", "resume", columns=60, rows=20) as terminal:
        foot = terminal.wait_for(POINTER).splitlines()[-1]
        assert "直前" in foot
        assert not {"ヒント", "待った"} & {*foot.split()}
        terminal.press_until("h", "hは今は使えません")
        play_to_the_end(terminal, seed=1, again="結果を見る")
        terminal.press_until(ENTER, "次は何をしますか", "cardgames 2026-12-01 · トリュック · ")
        assert terminal.leave("q") == 0
    with Store.open(tmp_path, write=False) as store:
        outcome = store.match(found.number).outcome
        assert outcome
        assert outcome.why == DEAL_OVER
        assert store.statistics().matches == 0
        (kept,) = matches_of_deal(store, deal)
        assert (kept.for_record, kept.name) == (True, "Ann")
        assert kept.result is not None


def test_it_counts_once_a_day_under_each_name(home: Path) -> None:
    deal = daily_deal(TRUC)
    with Store.open(home) as store:
        found = [create_daily_match(store, deal, name, "en") for name in ("Ann", "Ann", "Ben")]
        assert [one.for_record for one in found] == [True, False, True]
        assert [find_daily_match(store, one.number) for one in found] == found
        assert find_daily_match(store, 12) is None
        assert store.names_last_used(deal.game) is None, "whom to play with was not chosen by anybody"
        # The first versions noted less; such memos of other days are in nobody's way.
        store.write_memo("daily 9", {"day": DURAK.isoformat(), "version": "0.1.0", "for_record": True})
        assert matches_of_deal(store, deal) == found


def test_choices_before_the_deal_begins_are_not_the_persons(home: Path) -> None:
    deal = daily_deal(DURAK, "0.1.0")
    with Store.open(home) as store:
        found = played(store, deal)
        handed = store.substitutes(found.number)
        assert (store.count()[:2], store.statistics().matches) == ((1, 0), 0), "a deal is no match"
        assert [(change.seat, change.ply, change.level) for change in handed] == [(1, 0, "fair"), (1, 19, PERSON)]
        game, state = store.last_state(found.number)
        assert found.result == game.payoff(state)[0]


def test_the_result_stands_beside_those_of_computers(home: Path) -> None:
    deal = daily_deal(TRUC)
    with Store.open(home) as store:
        found = played(store, deal)
        save_computer_results(store, deal, {"easy": [-1.0] * 5, "strong": [1.0, -2.0, 0.0, 3.0] * 10})
        page = daily_page(store, found, Settings())
        assert page.result == found.result
        assert page.for_record
        opened = create_daily_match(store, deal, "Ben", "en")._replace(result=1.0)
        store.note_opened(opened.number)
        assert not daily_page(store, opened, Settings()).for_record
    judged = StoredReview("Ann", "truc", "win", [(2, 0.0), (3, 0.2), (5, 0.0)], [])
    page = replace(page, result=1.0, review=judged)
    assert page.lines()[1:3] == [
        "easy: mean -1; you beat 100% and equal 0% of 5 so far",
        "strong: mean +0.5; you beat 50% and equal 25% of 40 so far",
    ]
    line = "cardgames 2026-12-01 · Truc · +1 · better than 50 of 100 strong players · ●●●"
    assert page.line_to_paste() == line
    few = replace(page, known=page.known | {"strong": [1.0] * 39})
    assert few.line_to_paste() == "cardgames 2026-12-01 · Truc · +1 · ●●●"
    action = page.match.plies[3].action
    assert action
    wrong = replace(page, review=judged._replace(errors=[(3, "mistake", action.text, 0.2)]))
    assert replace(wrong, settings=Settings(ascii=True)).line_to_paste().endswith(" · *-*")
    assert "3 choices: 1 error; 20% lost in all" in wrong.lines()
    for language, marks in (("en", "●○●"), ("ja", "○●○")):  # white is the good mark in Japan
        small = replace(wrong, settings=Settings(language=language)).page.drawn(60, 12)
        assert any(marks in plain_text(line) for line in small), "the whole line to paste is in view"


def test_results_of_computers_are_kept_up_to_the_first_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes may end out of order: what comes next is played from the place in the list on."""
    monkeypatch.setattr(simulation_daily, "local_workers", busy)
    known: dict[str, list[float]] = {"easy": [1.0] * 200, "fair": [2.0] * 185, "strong": [3.0] * 185}
    with chunks_in_processes(daily_deal(TRUC), known, 1) as coming:
        for place, result in ((0, 4.0), (1, 5.0), (3, 6.0), (4, 7.0)):
            coming[place].set_result([result] * 5)
        coming[5].cancel()
    assert known == {
        "easy": [1.0] * 200,
        "fair": [2.0] * 185 + [5.0] * 5 + [6.0] * 5,
        "strong": [3.0] * 185 + [4.0] * 5,
    }


def test_who_waits_for_computers_does_not_wait_longer_than_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = daily_deal(TRUC)
    with Store.open(home) as store:
        found = played(store, deal)
        monkeypatch.setattr(simulation_daily, "local_workers", busy)
        daily._run_computers(store, found, seconds=0.01)
        assert not any(computer_results(store, deal).values())


@contextmanager
def busy(jobs: int) -> Iterator[Workers]:
    """Workers that never finish, as on a very busy machine."""
    with ThreadPoolExecutor(1) as executor:
        rest = Event()
        executor.submit(rest.wait)
        yield Workers(executor, 1, 1)
        executor.shutdown(wait=False, cancel_futures=True)
        rest.set()
