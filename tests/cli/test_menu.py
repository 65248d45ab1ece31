"""The menu and the dialogue before a match, with real keys."""

import json
import re
import signal
import sys
from pathlib import Path

import pytest

from cardgames.cli.app import COMMANDS
from cardgames.engine.game import OFFERED, game_class
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.texts import messages
from tests.ui.terminal import CTRL_C, DOWN, END, ENTER, ESCAPE, Terminal, play_to_the_end

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


@pytest.mark.parametrize(("language", "columns", "rows"), [("en", 80, 24), ("ja", 60, 20)])
def test_it_says_what_there_is(tmp_path: Path, columns: int, rows: int, language: str) -> None:
    texts = messages(language, "common") | messages(language, "cli")
    with Terminal(tmp_path, "--language", language, columns=columns, rows=rows) as terminal:
        screen = terminal.wait_for(texts["menu.ask"])
        assert terminal.pointed.startswith(texts["menu.learn"])
        for entry in ("new", "daily", "learn", "practise", "rules", "settings", "leave"):
            assert texts["menu." + entry] in screen
        for missing in ("join", "resume", "history"):
            assert texts["menu." + missing] not in screen
        for game in OFFERED:
            assert messages(language, game)["title"] in screen.replace("\n   ", " " if language == "en" else "")
        assert screen.splitlines()[-1].strip() == texts["menu.main_keys"]


@pytest.mark.parametrize(("keys", "code"), [("ｑ", 0), (ESCAPE, 0), (END + ENTER, 0), (CTRL_C, 130)])
def test_keys_that_leave_the_menu_end_the_program(tmp_path: Path, keys: str, code: int) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        assert terminal.leave(keys) == code
        assert "Traceback" not in terminal.output


def test_the_table_that_was_left_lies_beside_the_menu_without_any_hand(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.import_record(RECORD.read_bytes().splitlines(keepends=True)[:4])  # dealt, 6♠ led and beaten
    with Terminal(tmp_path) as terminal:
        screen = terminal.wait_for(ASK)
        assert terminal.pointed.startswith("Continue a match")
        assert "Durak match 1" in screen
        assert set(re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", screen)) == {"6♠", "7♠"}


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


def somebody(terminal: Terminal, number: int) -> None:
    """Choose a person for the seat ``number`` unless it is the first seat."""
    if number > 1:
        terminal.wait_for(f"Who plays as player {number}?", "somebody here")
        choose(terminal, "somebody here")


def test_a_computer_takes_a_seat(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--fast", "play", "truc") as terminal:
        terminal.wait_for("Name of player 1:")
        terminal.press_until("Ada" + ENTER, "Who plays as player 2?")
        choose(terminal, "strong computer", "Players: Ada, Blaise")
        choose(terminal, "Start", "strong computer", "Ada")
        assert (terminal.output.count(ENTERED), terminal.output.count(LEFT)) == (1, 0), "it flashed up"
        with Store.open(tmp_path) as store:
            assert store.match(1).players == ("person", "strong")
        assert terminal.leave(CTRL_C) == 130
        assert "Nothing was played" in terminal.output
    with Store.open(tmp_path) as store:
        assert store.matches() == []


def test_somebody_at_another_terminal_takes_a_seat(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "fipsen") as terminal:
        terminal.wait_for("How many")
        terminal.press_and_wait(ENTER)
        terminal.press("Ann")
        terminal.press_and_wait(ENTER)
        choose(terminal, "somebody at another", "Players: Ann, somebody at another terminal", "Who plays as player 3?")
        terminal.press_and_wait(ENTER)
        terminal.press("Cleo")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Players: Ann, somebody at another terminal, Cleo")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Ann is here", "Player 2: nobody yet", "Cleo is here", "cardgames join 1")
        with Store.open(tmp_path) as store:
            assert [place.name for place in store.seat_statuses(1)] == ["Ann", None, "Cleo"]


def test_names_and_options_are_offered_again(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--fast") as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "New match")
        choose(terminal, "Durak")
        choose(terminal, "2 players", "Name of player 1: Player 1")
        terminal.press("Ann" + ENTER)
        somebody(terminal, 2)
        terminal.wait_for("Players: Ann", "Name of player 2: Player 2")
        terminal.press_until("Ann" + ENTER, "somebody already has that name")
        terminal.press_until("\x7f\x7f\x7fBen" + ENTER, "Players: Ann, Ben", "throwing in: off", "turning over: never")
        choose(terminal, "throwing in", "throwing in: on")
        choose(terminal, "turning over")
        choose(terminal, "only on the opening attack", "turning over: only on the opening attack")
        choose(terminal, "Start", "Durak · match 1", "Ann", "Ben", "is your turn")
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait(ENTER)  # a match without an action would be forgotten
        terminal.press_and_wait("q")
        terminal.press_and_wait(ENTER)
        terminal.wait_for(ASK)
        choose(terminal, "New match")
        choose(terminal, "Durak")
        choose(terminal, "2 players", "Name of player 1: Ann")
        terminal.press_and_wait(ENTER)
        somebody(terminal, 2)
        terminal.wait_for("Name of player 2: Ben")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Players: Ann, Ben", "throwing in: on", "turning over: only on the opening attack")
    with Store.open(tmp_path) as store:
        (match,) = store.matches()
        assert match.names == ("Ann", "Ben")
        assert match.rules == {**game_class("durak").RULES().values(), "throw_in": True, "turn_over": "opening"}


def test_escape_leads_from_question_to_question(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "New match")
        choose(terminal, "Zetema", "How many of you are playing?", "2 players", "6 players")
        choose(terminal, "3 players")
        for number in (1, 2, 3):
            somebody(terminal, number)
            terminal.wait_for(f"Name of player {number}:")
            terminal.press_and_wait(ENTER)
        terminal.wait_for("Players: Player 1, Player 2, Player 3")
        terminal.press_and_wait(ESCAPE)
        for number in (3, 2):
            terminal.wait_for(f"Who plays as player {number}?")
            terminal.press_and_wait(ENTER)
            terminal.wait_for(f"Name of player {number}: Player {number}")
            terminal.press_and_wait(ESCAPE)
            terminal.wait_for(f"Who plays as player {number}?")
            terminal.press_and_wait(ESCAPE)
        terminal.wait_for("Name of player 1: Player 1")
        terminal.press_and_wait(ESCAPE)
        terminal.wait_for("How many of you are playing?")
        terminal.press_and_wait(ESCAPE)
        terminal.wait_for("Which game?")
        terminal.press_and_wait(ESCAPE)
        terminal.wait_for(ASK)
        assert terminal.leave(ESCAPE) == 0
    with Store.open(tmp_path) as store:
        assert store.matches() == []


def test_who_plays_with_whom_is_said_as_the_names_are_given(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "kakeya") as terminal:
        terminal.wait_for("How many of you are playing?")
        choose(terminal, "4 players")
        for name, asked in (
            ("Ann", "Name of player 1, on Player 3's side:"),
            ("Ben", "Name of player 2, on Player 4's side:"),
            ("Cleo", "Name of player 3, on Ann's side:"),
            ("Dora", "Name of player 4, on Ben's side:"),
        ):
            somebody(terminal, int(asked[15]))
            terminal.wait_for(asked)
            terminal.press(name + ENTER)
        terminal.wait_for("Players: Ann and Cleo against Ben and Dora")


def test_an_option_may_change_who_plays_with_whom(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "zetema", columns=120) as terminal:
        terminal.wait_for("How many of you are playing?")
        choose(terminal, "6 players")
        for number in range(1, 7):
            somebody(terminal, number)
            terminal.wait_for(f"Name of player {number}:")
            terminal.press_and_wait(ENTER)
        terminal.wait_for("Players: Player 1, Player 2, Player 3, Player 4, Player 5, Player 6")
        choose(terminal, "teams", "Player 1 and Player 3 and Player 5 against Player 2 and Player 4 and Player 6")
        choose(terminal, "three sides")
        terminal.wait_for("Player 1 and Player 4 against Player 2 and Player 5 against Player 3 and Player 6")
        choose(terminal, "teams", "Start (the option three sides needs teams)")


def test_options_of_the_last_match_are_off_again_if_others_cannot_play_them(tmp_path: Path) -> None:
    """But those that the command names are kept, and grey the numbers of players that cannot play them."""
    rules = game_class("zetema").RULES.of({"teams": True, "three_sides": True}).values()
    with Store.open(tmp_path) as store:
        store.create(Header("zetema", 6, rules, 6, None))
    with Terminal(tmp_path, "play", "zetema") as terminal:
        terminal.wait_for("How many of you are playing?")
        choose(terminal, "2 players")
        for number in (1, 2):
            somebody(terminal, number)
            terminal.wait_for(f"Name of player {number}:")
            terminal.press_and_wait(ENTER)
        terminal.wait_for("teams: on", "three sides: off")
    with Terminal(tmp_path, "play", "zetema", "--teams", "--three-sides") as terminal:
        asked = terminal.wait_for("How many of you are playing?")
        assert [f"- {seats} players (the option three sides is for" in asked for seats in (2, 3, 4, 6)] == [
            True
        ] * 3 + [False]


def test_a_number_is_asked_for_and_checked(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "truc") as terminal:
        terminal.wait_for("Name of player 1:")
        for _ in range(2):
            terminal.press_and_wait(ENTER)
        terminal.wait_for("points for a round: 12")
        choose(terminal, "points")
        for wrong in ("0", "many", "1.5"):
            terminal.press_until(wrong + ENTER, "must be a whole number of at least 1")
            terminal.press("\x15")
        terminal.press_until("7" + ENTER, "points for a round: 7")


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


def choose_page(terminal: Terminal, text: str, *shown: str) -> None:
    """Choose a line that opens another page, and wait for what that shows."""
    terminal.press(text.upper())
    terminal.wait(lambda screen: terminal.pointed.startswith(text), text)
    terminal.press_until(ENTER, *shown)


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


def test_settings_hold_at_once(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--fast", environment={"CARDGAMES_SORT": "rank"}) as terminal:
        terminal.wait_for(ASK)
        screen = choose(terminal, "Settings")
        assert str(tmp_path / "config.toml") in screen.replace("\n   ", "")
        assert "- fast         on" in screen
        assert "(from an option)" in screen
        assert "(from the environment)" in screen
        assert "Sure? Enter again: Line by line" in choose(terminal, "plain")
        terminal.press_and_wait(ESCAPE)
        choose(terminal, "four_colours")
        terminal.wait(lambda screen: terminal.pointed.startswith("four_colours on"), "it to be on")
        choose(terminal, "language", "What should “language” be?")
        choose(terminal, "ja", "どの設定を変えますか")
        assert terminal.pointed.startswith("language     ja")
        terminal.press_and_wait(ESCAPE)
        terminal.wait_for("何をしますか")
    assert (tmp_path / "config.toml").read_text() == 'four_colours = true\nlanguage = "ja"\n'


def test_an_error_is_told_and_the_menu_stays(tmp_path: Path) -> None:
    number = left_match(tmp_path)
    with Store.open(tmp_path) as store, store.hold(number), Terminal(tmp_path) as terminal:
        terminal.wait_for(ASK)
        choose(terminal, "Continue")
        terminal.press_and_wait(ENTER)
        terminal.wait_for(ASK, f"Match {number} has been open in another terminal since")


@pytest.mark.parametrize("command", ["play", "rules"])
def test_alone_it_asks_which_game(tmp_path: Path, command: str) -> None:
    with Terminal(tmp_path, command) as terminal:
        terminal.wait_for("Which game?", "Get rid of your cards")
        assert terminal.leave(ESCAPE) == 0


def test_a_game_with_options_is_played(tmp_path: Path) -> None:
    with Terminal(tmp_path, "truc", "--players", "2") as terminal:
        terminal.wait_for("Truc · match 1", "is your turn")
        assert terminal.leave(CTRL_C) == 130


def test_no_word_of_a_message_is_broken(tmp_path: Path) -> None:
    with Terminal(tmp_path, "xyz", columns=40) as terminal:
        assert terminal.ended() == 2
        said = "There is no command “xyz”. The commands are: "
        assert re.sub(r"\s+", " ", terminal.text).startswith(said)
        assert set(re.findall(r"\w+", terminal.text)) == {*re.findall(r"\w+", said), *COMMANDS} - {"cardgames"}


def test_flags_are_offered_first(tmp_path: Path) -> None:
    left_match(tmp_path, "durak", ("Eve", "Finn"))
    with Terminal(tmp_path, "play", "durak", "--throw-in", "--seed", "5") as terminal:
        terminal.wait_for("How many")
        choose(terminal, "2 players", "Name of player 1: Eve")
        for _ in range(2):  # and a computer
            terminal.press_and_wait(ENTER)
        terminal.wait_for("throwing in: on")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Durak · match 2")
        with Store.open(tmp_path) as store:
            assert store.seed(2) == 5
            assert json.loads(next(iter(store.export(2))))["rules"]["throw_in"] is True
        assert terminal.leave(CTRL_C) == 130
        assert "Nothing was played" in terminal.text


def test_the_menu_works_line_by_line(tmp_path: Path) -> None:
    """By numbers, without a single escape sequence before the cards come."""
    with Terminal(tmp_path, "--plain", "--fast", environment={"TERM": "dumb"}) as terminal:
        terminal.wait_for(ASK, "2. New match", "\n>")
        assert "Continue" not in terminal.text
        for answer in ("2", "1", "-", "0", "0"):
            terminal.press(answer + ENTER)
            terminal.settle()
        terminal.wait(lambda screen: terminal.output.count(ASK) == 2, "the menu again")
        for answer in ("2", "durak", "2 players", "Ann", "somebody here", "", "2"):
            terminal.press(answer + ENTER)
            terminal.settle()
        terminal.wait_for("Players: Ann, Player 2", "2. throwing in: on")
        assert "\x1b" not in terminal.output
        terminal.press_until("1" + ENTER, "Ann, it is your turn")
        assert terminal.leave(CTRL_C) == 130
        assert "Nothing was played" in terminal.output
