"""The menu's list of matches and the page of a match, with real keys."""

import json
import re
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.texts import messages
from tests.cli.test_menu import ASK, choose, choose_page, left_match
from tests.ui.terminal import CTRL_C, DOWN, END, ENTER, ESCAPE, HOME, Terminal

RECORD = Path(__file__).parents[1] / "records" / "truc-three-rounds.jsonl"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a finished match, number 1, and an unfinished match, number 2."""
    with Store.open(tmp_path) as store:
        store.import_record(RECORD.read_bytes().splitlines(keepends=True))
        store.import_record(RECORD.read_bytes().splitlines(keepends=True)[:8])
    return tmp_path


def open_match(terminal: Terminal, number: int, title: str = "Truc") -> str:
    """Open the page of a match in the history."""
    terminal.wait_for(ASK)
    choose(terminal, "History")
    terminal.move(HOME)
    while not terminal.pointed.startswith(f"{number}  "):
        terminal.move(DOWN)
    terminal.press(ENTER)
    return terminal.wait_for(f"{title} · match {number}", "What would you like to do with it?")


def test_a_match_is_seen_with_its_score_and_progress(home: Path) -> None:
    with Store.open(home) as store:
        scores = store.match(1).scores
    with Terminal(home) as terminal:
        terminal.wait_for(ASK)
        screen = choose(terminal, "History")
        assert "   2 matches\n" in screen
        assert re.search(rf"won by \w+ · Emi: {scores[0]}, Ken: {scores[1]}", screen)
        assert "open, 7 actions" in screen
        terminal.move(DOWN)
        screen = terminal.press_until(ENTER, "Truc · match 1", "What would you like to do with it?")
        assert f"Emi: {scores[0]}, Ken: {scores[1]}" in screen
        assert "last played" in screen
        assert "It was imported from a record." in screen
        assert "Continue" not in screen
        assert "Abort it" not in screen
        choose_page(terminal, "Show the scores", "Truc · scores", "Emi", str(scores[0]), "Enter back")
        terminal.press_until(ENTER, "What would you like to do with it?")
        choose_page(terminal, "Replay it", " 0/")
        terminal.press_until("q", "What would you like to do with it?")
        terminal.press_and_wait(ESCAPE)
        choose_page(terminal, "Wins, losses and ratings", "finished match", "Enter back")


def test_it_is_gone_over(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.import_record((RECORD.parent / "zetema-three-players.jsonl").read_bytes().splitlines())
        store.import_record(RECORD.read_bytes().splitlines(keepends=True)[:8])
    with Terminal(tmp_path) as terminal:
        assert "Review" not in open_match(terminal, 2, "Truc")
        terminal.press_and_wait(ESCAPE)
        terminal.press_and_wait(ESCAPE)
        open_match(terminal, 1, "Zetema")
        choose_page(terminal, "Review", "Review · Zetema · match 1", "Ann, 4 choices")
        terminal.press_until("q", "What would you like to do with it?")


@pytest.mark.parametrize("number", [1, 2])
def test_it_is_written_to_a_file(home: Path, number: int) -> None:
    path = home / "evening.jsonl"
    with Terminal(home) as terminal:
        open_match(terminal, number)
        choose(terminal, "Export its record")
        if number == 2:
            terminal.wait_for("its record shows every hand")
            terminal.press_and_wait(DOWN)
            terminal.press(ENTER)
        terminal.wait_for("Write to which file:", f"truc-{number}.jsonl")
        terminal.press_until(str(home / "matches.sqlite") + ENTER, "a file of that name already exists")
        terminal.press_until("\x15" + str(path) + ENTER, f"Match {number} has been written to")
    lines = path.read_text().splitlines()
    assert json.loads(lines[0])["game"] == "truc"
    assert ("outcome" in json.loads(lines[-1])) == (number == 1)


def test_open_hands_need_more_than_one_key(home: Path) -> None:
    with Terminal(home) as terminal:
        open_match(terminal, 2)
        choose(terminal, "Replay it", "its record shows every hand")
        assert terminal.pointed == "No, keep them hidden"
        terminal.press_and_wait(ENTER)
        terminal.wait_for("What would you like to do with it?")
    with Store.open(home) as store:
        assert store.match(2).opened == ()


def test_it_is_given_up(home: Path) -> None:
    with Terminal(home) as terminal:
        open_match(terminal, 2)
        choose(terminal, "Abort it", "Abort match 2?")
        terminal.press_and_wait(ENTER)
        assert "Abort it" in terminal.wait_for("What would you like to do with it?")
        choose(terminal, "Abort it", "Abort match 2?")
        terminal.press_and_wait(DOWN)
        terminal.press_and_wait(ENTER)
        screen = terminal.wait_for("Match 2 has been aborted.", "given up; started")
        assert "Continue" not in screen
        terminal.press_and_wait(ESCAPE)
        terminal.press_and_wait(ESCAPE)
        assert "Continue" not in terminal.wait_for(ASK, "History")


def test_it_is_deleted_by_its_number_alone(home: Path) -> None:
    with Terminal(home) as terminal:
        open_match(terminal, 1)
        choose(terminal, "Delete it", "gone for good", "To delete the match, type its number, 1:")
        for wrong in ("", "2", "11"):
            terminal.press_until(wrong + ENTER, "only 1 deletes it")
            terminal.press("\x15")
        terminal.press_until(ESCAPE, "What would you like to do with it?")
        with Store.open(home) as store:
            assert store.match(1).plies
        choose(terminal, "Delete it", "To delete the match")
        screen = terminal.press_until("1" + ENTER, "Match 1 has been deleted.", "   1 match\n")
        assert "2  " in screen


def test_a_match_of_other_rules_is_said_to_be_one(tmp_path: Path) -> None:
    """As one that another version of the program has played."""
    with Store.open(tmp_path) as store:
        number = store.create(Header("truc", 2, {"jokers": True}, 2, ("Ann", "Ben")))
    with Terminal(tmp_path) as terminal:
        open_match(terminal, number)
        for deed in ("Show the scores", "Replay"):
            choose(terminal, deed)
            if deed == "Replay":
                terminal.wait_for("Go on?")
                terminal.move(DOWN)
                terminal.press(ENTER)
            terminal.wait_for("his game has no option “jokers”", "What would you like to do with it?")


def test_the_last_one_deleted_leaves_the_menu(tmp_path: Path) -> None:
    number = left_match(tmp_path)
    with Terminal(tmp_path) as terminal:
        open_match(terminal, number)
        choose(terminal, "Delete it", "To delete the match")
        assert "History" not in terminal.press_until(f"{number}{ENTER}", ASK, f"Match {number} has been deleted.")


def test_there_are_as_many_as_fit_and_then_older_ones(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for _ in range(30):
            store.create(Header("durak", 2, game_class("durak").RULES().values(), 2, ("Ann", "Ben")))
    with Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "History")
        for place, end in (("1 to 12 of 30", END), ("13 to 24 of 30", END), ("25 to 30 of 30", "")):
            terminal.wait_for(place)
            if end:
                choose(terminal, "Older")
        choose(terminal, "Newer", "13 to 24 of 30", " 10  20", "  9  20")


def test_the_pointer_is_on_a_match_that_nobody_is_playing(tmp_path: Path) -> None:
    numbers = [left_match(tmp_path) for _ in range(3)]
    with Store.open(tmp_path) as store, store.hold(numbers[-1]):
        with Terminal(tmp_path) as terminal:
            terminal.wait_for(ASK)
            screen = choose(terminal, "Continue")
            assert "being played" in screen
            assert terminal.pointed.startswith(f"{numbers[1]}  ")
        with Terminal(tmp_path, "resume") as terminal:
            terminal.wait_for(f"Truc · match {numbers[1]}")
            assert terminal.leave(CTRL_C) == 130


def test_it_fits_the_smallest_window(home: Path) -> None:
    texts = messages("ja", "common") | messages("ja", "cli")
    with Terminal(home, "--language", "ja", columns=60, rows=20) as terminal:
        terminal.wait_for(texts["menu.ask"])
        choose(terminal, texts["menu.history"], texts["history.statistics"])
        terminal.move(HOME)
        terminal.press_and_wait(ENTER)
        screen = terminal.wait_for(texts["history.ask"])
        for deed in ("carry_on", "scores", "replay", "export", "give_up", "delete"):
            assert texts[f"history.do_{deed}"] in screen
