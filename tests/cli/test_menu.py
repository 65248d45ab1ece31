"""The menu, with real keys, where ``test_dialogues`` cannot: with other processes, old stores and signals."""

import json
import signal
import sys
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.engine.record import Header
from cardgames.store import Store
from tests.ui.terminal import CTRL_C, DOWN, END, ENTER, ESCAPE, HOME, Terminal, play_to_the_end

RECORD = Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl"
ASK = "What would you like to do?"
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"
BETWEEN = """
import time
from cardgames.ui.messages import Words
from cardgames.ui.screens import terminal
from cardgames.ui.screens.screen import open_screen
from cardgames.ui.settings import Settings

with terminal.keep_screen():
    for _ in range(2):
        with open_screen(Words("en"), Settings(), secret=False):
            pass
    print("between two pages", flush=True)
    time.sleep(60)
"""
"""A program that pauses between two pages."""


def choose(terminal: Terminal, text: str, *shown: str) -> str:
    """Choose the line that begins with ``text`` by typing its first letters in capitals, and wait for what it shows."""
    terminal.press(text.upper())
    terminal.wait(lambda screen: terminal.pointed.lower().startswith(text.lower()), text)
    terminal.press_and_wait(ENTER)
    return terminal.wait_for(*shown)


def left_match(home: Path, game: str = "truc", names: tuple[str, ...] = ("Ann", "Ben")) -> int:
    """The number of a new match without actions."""
    kind = game_class(game)
    with Store.open(home) as store:
        return store.create(Header(game, len(names), kind.RULES().values(), len(names), names))


def test_a_match_from_the_menu_to_its_end_and_back(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    with Store.open(tmp_path) as store:
        store.import_record(lines[:-6])
        name = json.loads(lines[0])["names"][0]
        kept = {"name": name, "game": "durak", "unit": "win", "costs": [[2, 0.03], [4, 0.0]], "errors": []}
        store.write_memo("judged 9 1", kept)
    with Terminal(tmp_path, "--fast") as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "Continue")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Durak · match 1")
        play_to_the_end(terminal, seed=4)
        terminal.wait_for(f"{name}, error per move in the last 1 reviewed", "match: 1.5%")
        terminal.press_and_wait(DOWN)
        terminal.press_and_wait(ENTER)
        assert "Continue" not in terminal.wait_for(ASK)
    with Store.open(tmp_path) as store:
        assert store.match(1).outcome is not None


def test_the_time_limit_is_asked_for_where_there_is_one(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "kakeya", "--minutes", "20") as terminal:
        terminal.wait_for("How many of you are playing?")
        terminal.press_and_wait(ENTER)
        for _ in range(4):  # a name, and three computers
            terminal.press_and_wait(ENTER)
        terminal.wait_for("Time limit in minutes (0: none): 20")
        choose(terminal, "Time limit")
        terminal.press_until("0" + ENTER, "Time limit in minutes (0: none): 0")
        choose(terminal, "Time limit")
        terminal.press("30" + ENTER)
        choose(terminal, "Start", "Kakeya Trump · match 1")
        with Store.open(tmp_path) as store:
            assert store.match(1).minutes == 30


def test_nothing_flashes_between_menu_pages(tmp_path: Path) -> None:
    left_match(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        for entry in ("Rules", "Settings", "History"):
            choose(terminal, entry)
            terminal.press_and_wait(ESCAPE)
            terminal.wait_for(ASK)
            assert terminal.pointed.startswith(entry), "the pointer stays where it was"
        assert terminal.leave("q") == 0
        assert (terminal.output.count(ENTERED), terminal.output.count(LEFT)) == (1, 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ending_between_pages_restores_the_terminal(tmp_path: Path, number: int) -> None:
    with Terminal(tmp_path, command=[sys.executable, "-c", BETWEEN]) as terminal:
        terminal.wait_for("between two pages")
        assert (terminal.output.count(ENTERED), terminal.output.count(LEFT)) == (1, 0)
        terminal.child.kill(number)
        assert terminal.ended() == 128 + number
        assert terminal.output.count(LEFT) == 1


def test_an_error_is_told_and_the_menu_stays(tmp_path: Path) -> None:
    number = left_match(tmp_path)
    with Store.open(tmp_path) as store, store.hold(number), Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "Continue")
        terminal.press_and_wait(ENTER)
        terminal.wait_for(ASK, f"Match {number} has been open in another terminal since")


def open_match(terminal: Terminal, number: int) -> str:
    """Open the page of a match in the history."""
    terminal.wait_for(ASK)
    choose(terminal, "History")
    terminal.move(HOME)
    while not terminal.pointed.startswith(f"{number}  "):
        terminal.move(DOWN)
    terminal.press(ENTER)
    return terminal.wait_for(f"Truc · match {number}", "What would you like to do with it?")


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


def test_there_are_as_many_as_fit_and_then_older_ones(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for _ in range(30):
            store.create(Header("durak", 2, game_class("durak").RULES().values(), 2, ("Ann", "Ben")))
    with Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "History")
        for number, older in ((19, "Older matches (18)"), (7, "Older matches (6)"), (1, "")):
            terminal.move(END)
            terminal.wait_for(f" {number:>2}  20", older)
            if older:
                choose(terminal, "Older")
        assert "Older" not in terminal.text


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


def test_every_setting_is_explained_whole(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--language", "ja", environment={"CARDGAMES_WIDTH": ""}) as terminal:
        terminal.wait(lambda screen: "▶" in screen, "the menu")
        terminal.move(END)
        terminal.move("\x1b[A")
        screen = terminal.press_and_wait(ENTER)
        for _ in range(12):
            assert "…" not in screen
            screen = terminal.press_and_wait(DOWN)
        assert "hide_after" in screen
