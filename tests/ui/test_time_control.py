"""Matches by the clock at several terminals: it is seen, and what was settled happens when time is up, once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.engine.record import PERSON, Header
from cardgames.match import Match
from cardgames.match.time_control import TimeControl, TimeUp
from cardgames.store import Store
from cardgames.store.places import Party, TableOptions

from .terminal import ENTER, Terminal

DAY = 86400


def away(home: Path, control: TimeControl, ago: float) -> str:
    """A match whose cards were dealt so many seconds ago, and at which nobody sits; who is not to act."""
    with Store.open(home, lambda: datetime.now(UTC) - timedelta(seconds=ago)) as store:
        header = Header("truc", 2, game_class("truc").RULES().values(), 2, None)
        number = store.open_table(header, TableOptions(control=control))
        with store.join(number, Party(["Ann"])) as ann, store.join(number, Party(["Ben"])) as ben:
            store.commit(number)
            for one in (ann, ben):
                one.contribute()
            match = Match(header.new_game(), ann, store.chance(number))
            match.settle()
            return ("Ben", "Ann")[(match.to_act or 0) - 1]


@pytest.mark.parametrize("time_up", list(TimeUp))
def test_what_was_settled_happens_whoever_comes_when_time_is_up(tmp_path: Path, time_up: TimeUp) -> None:
    other = away(tmp_path, TimeControl(60, 0, 0, time_up), ago=3600)
    late = "Ben" if other == "Ann" else "Ann"
    with Terminal(tmp_path, "join", "1", "--name", other, "--fast") as terminal:
        if time_up is TimeUp.LOST:
            terminal.wait_for(f"{late} ran out of time and loses the match.", "Play again?")
            terminal.press_until(ENTER, f"Waiting for {late}")
            with Terminal(tmp_path, "join", "1", "--name", late, "--fast") as loser:
                loser.wait_for(f"{other} would like to play again")
                loser.press(ENTER)
                for one in (loser, terminal):
                    one.wait_for("match 2", "t talk")
        else:
            terminal.wait_for("o order", "Truc")
            terminal.wait(lambda screen: plies(tmp_path) > 1, "the computer's move")
    with Store.open(tmp_path) as store:
        places = {place.name: place.level for place in store.seat_statuses(1)}
        outcome = store.match(1).outcome
        assert (outcome is not None) == (time_up is TimeUp.LOST)
        seat = 1 if late == "Ann" else 2
        assert places[late] == ("fair" if time_up is TimeUp.TAKES_OVER else None)
        by_computer = [change for change in store.substitutes(1) if change.seat == seat]
        levels = [level for _, _, level in (by_computer[0], by_computer[-1])] if by_computer else []
        expected = {TimeUp.MOVES: ["fair", PERSON], TimeUp.TAKES_OVER: ["fair", "fair"], TimeUp.LOST: []}
        assert levels == expected[time_up], "else a review would blame the person"
        if outcome:
            assert [name for name, seat in (("Ann", 1), ("Ben", 2)) if seat in outcome.winners] == [other]


def plies(home: Path) -> int:
    with Store.open(home) as store:
        return store.match(1).plies


def test_the_time_that_is_left_stands_in_the_picture(tmp_path: Path) -> None:
    other = away(tmp_path, TimeControl(0, 600, 5, TimeUp.LOST), ago=66)
    with Terminal(tmp_path, "join", "1", "--name", other, "--fast") as terminal:
        terminal.wait_for("waiting for Ann", "10:00", "away · 8:")
    with Terminal(tmp_path, "join", "1", "--name", other, "--fast", columns=60, rows=20) as terminal:
        terminal.wait_for("waiting for Ann", "away · 8:")


def test_a_deadline_in_days_outlives_every_process(tmp_path: Path) -> None:
    other = away(tmp_path, TimeControl(2 * DAY, 0, 0, TimeUp.LOST), ago=1.5 * DAY + 120)
    with Terminal(tmp_path, "join", "1", "--name", other, "--fast") as terminal:
        terminal.wait_for("waiting for Ann", "away · 11 h")


def test_whoever_opens_a_table_says_how_long_people_may_take(tmp_path: Path) -> None:
    options = ("--each", "2d", "--time-up", "computer-takes-over")
    with Terminal(tmp_path, "play", "durak", "--open", "--name", "Ann", *options) as ann:
        ann.wait_for("2 days for each move, then a computer takes over")
    with Store.open(tmp_path) as store:
        assert store.time_control(1) == TimeControl(2 * 86400, 0, 0, TimeUp.TAKES_OVER)
