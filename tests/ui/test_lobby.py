"""The lobby, without a server: what a guest is led to."""

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.cells import cell_len

from cardgames.engine.game import game_class
from cardgames.engine.record import Header
from cardgames.match import JournalPosition, Match
from cardgames.server import guest
from cardgames.simulation.daily import daily_deal
from cardgames.store import Store
from cardgames.store.people import Person
from cardgames.store.places import Party, TableOptions
from cardgames.ui.render.charset import measure_suits
from cardgames.ui.session.daily import create_daily_match, matches_of_deal, play_next_chunk, save_daily_match
from cardgames.ui.session.lobby import Lobby
from cardgames.ui.settings import Settings
from tests.store.played_matches import played

from .terminal import ENTER, ESCAPE, Terminal

PROGRAM = (sys.executable, "-m", "tests.ui.guest_lobby")


def test_guests_play_the_daily_once_and_compare(tmp_path: Path) -> None:
    deal = daily_deal(date(2026, 12, 1))
    with Store.open(tmp_path) as store:
        assert not play_next_chunk(store, deal.day), "nobody has played it"
        save_daily_match(store, create_daily_match(store, deal, "Ben", "en")._replace(result=3.0))
        create_daily_match(store, deal, "Ann", "en")  # somebody else of that name, at this machine
    with Terminal(tmp_path, "--fast", command=[*PROGRAM, "Ann"]) as ann:
        ann.wait_for("Hello!")
        ann.press_until("DEAL OF" + ENTER, "Truc, 2026-12-01", "Today: Ben has played, Ann is playing")
        ann.press_until("PLAY" + ENTER, "o order", "Ann", "it counts; no hints, no undo")
        ann.press_until("q", "Save and leave?")
        ann.press_until("q", "Ben has played, Ann is playing, Ann is playing", "Continue it")
    with Store.open(tmp_path) as store:
        ours = matches_of_deal(store, deal)[-1]
        assert (ours.name, ours.person is None, ours.for_record) == ("Ann", False, True)
        save_daily_match(store, ours._replace(result=-1.0))
        assert play_next_chunk(store, deal.day)
    with Terminal(tmp_path, "--fast", command=[*PROGRAM, "Ann"]) as ann:
        ann.wait_for("Hello!")
        ann.press("DEAL OF" + ENTER)
        assert "Play it" not in ann.wait_for("Today: Ben +3, Ann -1, Ann is playing", "See your result")
        ann.press_until(ENTER, "Your result: -1", "strong: ", "of 5 so far")
        ann.press_until(ENTER, "Ann, 0 choices")
        ann.press_until("q", "Your result: -1")
        ann.press_until("PLAY" + ENTER, "o order", "practice; it does not count")
    with Store.open(tmp_path) as store:
        assert [one.for_record for one in matches_of_deal(store, deal) if one.person] == [True, False]


def test_a_guest_solves_exercises_that_are_nobody_elses(tmp_path: Path) -> None:
    with Terminal(tmp_path, command=[*PROGRAM, "Ann"]) as ann:
        ann.wait_for("Hello!")
        ann.press_until("RULES" + ENTER, "Learn a game")
        ann.press_until("EXERCISES" + ENTER, "Which game?")
        ann.press_until("TRUC" + ENTER, "Which exercises?")
        ann.press("MIXED" + ENTER)
        ann.wait_for("Exercise (", "h answer")
        ann.press_until("h", "the next exercise")
        ann.press_until("\x03", "What would you like to do?")
    with Store.open(tmp_path) as store:
        (name,) = store.memos("exercise ")
        person = store.person_with_key("Ann")
        assert person
        assert name.endswith(f" {person.id}")


def test_after_a_lesson_a_guest_plays_an_easy_computer_at_once(tmp_path: Path) -> None:
    with Terminal(tmp_path, command=[*PROGRAM, "Ann"]) as ann:
        ann.wait_for("Hello!")
        ann.press_until("RATINGS" + ENTER, "easy computer", "1628")
        ann.press_until("q", "What would you like to do?")
        ann.press_until("RULES" + ENTER, "Learn a game")
        ann.press_until("LEARN" + ENTER, "Which game?")
        ann.press_until("TRUC" + ENTER, "o order", "Ann")
    with Store.open(tmp_path) as store:
        assert store.match(1).players == ("person", "easy")
        assert [place.person for place in store.seat_statuses(1)][1] is None


def test_a_guest_goes_over_their_own_choices_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        match = store.open_table(played(2).header._replace(names=None))
        person = store.register("Ann", key="Ann")
        assert person
        with store.join(match, Party(["Ann"], person.id)) as ours, store.join(match, Party(["Ben"])) as theirs:
            for ply, step in enumerate(played(2).steps):
                (theirs if step.by == 2 else ours).append(JournalPosition(ply), *step)
    with Terminal(tmp_path, command=[*PROGRAM, "Ann", "review"]) as ann_at:
        shown = ann_at.wait_for("Ann, 38 choices", "Pick an error")
        assert "Ben" not in shown
        ann_at.press_until("q", "back")
    with Store.open(tmp_path) as store:
        assert [*store.memos("judged ")] == ["judged 1 1"]


def test_keys_typed_before_the_table_is_in_view_play_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        person = store.register("Ann", key="Ann")
        assert person
        header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
        table = store.open_table(header)
        with store.join(table, Party(["Ann"], person.id)) as ann, store.join(table, Party(["Ben"])):
            store.commit(table)
            match = Match(header.new_game(), ann, store.chance(table))
            match.settle()
        assert match.to_act == 1
        with Terminal(tmp_path, command=[*PROGRAM, "Ann", "guarded"], guarded=True) as terminal:
            terminal.wait_for("Your turn: Durak")
            terminal.child.send("a" + ENTER)
            terminal.wait_for("o order", "Ann, attack")
            terminal.settle()
            assert store.match(table).plies == match.ply


def test_a_full_table_can_be_watched_unless_it_is_private(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
        for options in (TableOptions(), TableOptions(private=True)):
            table = store.open_table(header, options)
            for name in ("Ben", "Cleo"):
                store.join(table, Party([name]))
        with Terminal(tmp_path, command=[*PROGRAM, "Ann"]) as ann:
            assert "Durak 2" not in ann.wait_for("Watch: Durak 1 · Ben, Cleo")
            ann.press_until("WATCH" + ENTER, "waiting for the cards")


def test_deserted_tables_are_below_and_push_nothing_out_of_view(tmp_path: Path) -> None:
    """The list says since when nobody is there, and who is away. Empty tables that have not begun go away."""
    hours = [2]
    with Store.open(tmp_path, lambda: datetime.now(UTC) - timedelta(hours=hours[0])) as store:
        header = Header("truc", 3, game_class("truc").RULES().values(), 3, None)
        for number in range(12):
            store.join(store.open_table(header), Party([f"Eve {number}"])).release()
        hours[0] = 0
        live = store.open_table(header)
        with (
            store.join(live, Party(["Ben"])),
            store.join(live, Party(["Cleo"])),
            Terminal(tmp_path, "--fast", rows=20, columns=60, command=[*PROGRAM, "Ann"]) as ann,
        ):
            screen = ann.wait_for("All tables (13)", "Play now", "Settings", "Leave")
            assert "Truc 13" not in screen
            screen = ann.press_until("ALL" + ENTER, "Which table?", "Sit down: Truc 13", "nobody there since")
            assert screen.index("Truc 13") < screen.index("nobody there since")
            ann.press_until(ESCAPE, "All tables (13)")
            assert store.close_empty_tables(180) == 0
            assert store.close_empty_tables(60) == 12
            ann.wait(lambda screen: "All tables" not in screen and "Truc 13" in screen, "that the tables are gone")


def test_suits_are_as_wide_as_the_guest_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest, "_fit_window", Mock(side_effect=EOFError))  # the guest leaves at once
    try:
        measure_suits(Settings(width=2))  # the owner's
        guest.run("", Mock(), Mock())
        assert cell_len("♠") == 1
        with Store.open(tmp_path) as store:
            Lobby(store, Person("1", "Ann"), Settings(), "")._keep_setting("width", 2)
        assert cell_len("♠") == 2
    finally:
        measure_suits(Settings())


def test_a_match_deleted_meanwhile_leads_back_to_the_lobby(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        ann = store.register("Ann", "Ann")
        assert ann
        number = store.import_record([line.encode() for line in played(3).lines])
        with store.database.transaction() as db:
            db.execute("INSERT INTO seat (match, seat, name, person) VALUES (?, 1, 'Ann', ?)", (number, ann.id))
        with Terminal(tmp_path, command=[*PROGRAM, "Ann"]) as terminal:
            terminal.wait_for("Hello!")
            terminal.press_until("MY MATCHES" + ENTER, "Which match")
            with store.hold(number) as lock:
                lock.delete()
            terminal.press_until(ENTER, f"Match {number} is no longer there.", "What would you like to do?")
