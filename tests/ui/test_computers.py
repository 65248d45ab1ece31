"""Computers at the table: matches of one person against them, in a pseudo-terminal with real keys."""

import json
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.store import Store
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.terminal import CTRL_C, ENTER, LEFT, RIGHT, Terminal, play_to_the_end

HAND_OVER = "nobody else is looking"
AGAIN = "Play again?"
SHORT = {"durak": ("--pack", "24"), "truc": ("--points", "3", "--rounds", "1")}
"""Two games with options that make a match short."""


def record(home: Path) -> list[str]:
    """The lines of the match as it stands."""
    with Store.open(home) as store:
        return list(store.export(1))


@pytest.mark.parametrize("game", SHORT)
def test_single_persons_hand_is_always_in_view(tmp_path: Path, game: str) -> None:
    options = [*SHORT[game], "--computer", "easy"]

    def look(screen: str, handed_over: bool) -> None:
        assert HAND_OVER not in screen
        assert "easy computer" in screen
        if "Space ticks" not in screen:
            hidden = secrets_of(line.encode() for line in record(tmp_path)).hidden
            own = secrets_of(line.encode() for line in record(tmp_path)).hands[0]
            assert not cards_on(screen) & set().union(*hidden[1:]) - own - shown

    shown: set[str] = set()
    with Terminal(tmp_path, "--fast", "play", game, "--name", "Ann", "--seed", "4", *options) as terminal:
        assert play_to_the_end(terminal, seed=3, look=look if game == "durak" else lambda screen, handed: None) > 2
        assert HAND_OVER not in terminal.output
    header = json.loads(record(tmp_path)[0])
    seats = game_class(game).SEATS[0]
    assert header["players"] == ["person", *["easy"] * (seats - 1)]
    assert header["names"][0] == "Ann"
    with Store.open(tmp_path) as store:
        found = store.statistics()
        assert [line.name for line in found.players] == ["Ann"]
        assert [(line.level, line.game) for line in found.computers] == [("easy", game)]


def test_computers_play_among_themselves_while_people_watch(tmp_path: Path) -> None:
    players = ("--players", "2", "--computer", "random", "--computer", "easy")
    with Terminal(tmp_path, "--fast", "play", "durak", *players, "--seed", "4") as terminal:
        terminal.wait_for(AGAIN)
        assert "o order" not in terminal.output
    assert json.loads(record(tmp_path)[0])["players"] == ["random", "easy"]


def test_the_keys_at_the_foot_are_alive_while_a_computer_thinks(tmp_path: Path) -> None:
    """The match is left while a computer thinks, and continues at the same point."""
    arguments = ("--pause", "off", "--moment", "natural", "play", "durak", "--name", "Ann", "--computer", "strong")
    with Terminal(tmp_path, *arguments, "--seed", "3", "--dealer", "1") as terminal:
        screen = terminal.wait_for("Ada is thinking")
        assert len(cards_on(screen)) > 6  # the hand, and what was turned up
        terminal.press_until("s", "Cards", "Score", "Enter back")
        terminal.press(ENTER)
        terminal.wait(lambda screen: "Enter back" not in screen, "the table")
        terminal.wait_for("Ann, beat the attack")
        terminal.press_until(ENTER, "is thinking")
    before = record(tmp_path)
    with Terminal(tmp_path, "--pause", "off", "resume", "--no-undo") as terminal:
        terminal.wait_for("o order", "strong computer")
    assert record(tmp_path)[: len(before)] == before


def test_a_hint_stands_under_the_table_and_is_counted(tmp_path: Path) -> None:
    arguments = ("--fast", "play", "durak", "--name", "Ann", "--computer", "easy", "--seed", "3", "--dealer", "2")
    with Terminal(tmp_path, *arguments) as terminal:
        terminal.wait_for("Ann, attack")
        hinted = terminal.press_until("h", "Hint: play ", "Ann, attack")
        assert "o order" in hinted
        terminal.press("h")  # is told the same, and has had no more
        assert terminal.wait_for("Hint: play ", "Ann, attack") == hinted
        terminal.press_until("s", "Ann: 1 hint", "Enter back")
        terminal.press_until(ENTER, "Ann, attack")
        terminal.press(ENTER)  # a match without an action is forgotten
        terminal.wait_for("Ann attacked with", "Ann, attack again or stop")
        terminal.press(CTRL_C)
        terminal.ended()
    with Terminal(tmp_path, "resume") as terminal:
        terminal.wait_for("Ann, ", "match 1", "o order")
        terminal.press_until("s", "Ann: 1 hint", "Enter back")


def test_computers_agree_to_an_undo_unless_they_are_strict(tmp_path: Path) -> None:
    arguments = ("--pause", "off", "--moment", "natural", "play", "durak", "--name", "Ann", "--computer", "easy")
    for strict, said in ((), "Ann took back"), (("--no-undo",), "never agree to an undo"):
        home = tmp_path / str(len(strict))
        with Terminal(home, *arguments, "--seed", "3", "--dealer", "2", *strict) as terminal:
            terminal.wait_for("Ann, attack")
            terminal.press_until(ENTER, "is thinking")
            terminal.press_until("u", said)


def test_a_seat_is_handed_to_a_computer_and_back(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "durak", "--name", "Ann", "--name", "Ben", "--fast") as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_until("q", "Save and leave?")
        terminal.press_until("LET A COMPUTER PLAY FOR ANN" + ENTER, "fair computer", "Ben, it is your turn")
        with Store.open(tmp_path) as store:
            assert [by for by, _ in store.load(1)[1]] == [0, 1]
            assert store.match(1).players is None
        terminal.press_until("q", "Save and leave?")
        terminal.press("LET ANN PLAY AGAIN" + ENTER)
        terminal.wait(lambda screen: "computer" not in screen and "Ben, it is your turn" in screen, "Ann at the table")


def test_unknown_levels_are_played_by_a_stand_in(tmp_path: Path) -> None:
    """Such a level may come from a hand-written record or a later version. Export keeps it."""
    lines = [b'{"record":"cardgames/1","game":"durak","seats":2,"dealer":1,"players":["person","master"]}']
    with Store.open(tmp_path) as store:
        store.import_record(lines)
    with Terminal(tmp_path, "resume", "1", "--fast") as terminal:
        terminal.wait_for("fair computer", "Player 1, beat the attack")
    assert json.loads(record(tmp_path)[0])["players"] == ["person", "master"]


def test_what_computers_did_between_two_turns_is_stepped_through(tmp_path: Path) -> None:
    """They share the rows of the log, and are shown as the single person at the terminal saw them."""
    players = ("--players", "6", "--name", "Ann", "--computer", "random")
    with Terminal(tmp_path, "--fast", "play", "zetema", *players, "--seed", "5", "--dealer", "6") as terminal:
        terminal.wait_for("Ann, play a card")
        terminal.press_until(ENTER, "Ann, declare, or play a card", " · Konrad ", "Hedy played")
        page = terminal.press_until("l", "what just happened", "← action by action")
        names = ("Ann", "Ada", "Blaise", "Grace", "Konrad", "Hedy")
        assert all(f"· {name} " in page for name in names)
        assert "·\n" not in page  # an event without a word has no line
        seen = terminal.press_until(LEFT, "3/7 · Zetema", "   Ada ")
        assert "   Blaise played" not in seen
        for place, name in enumerate(names[2:], 4):
            terminal.press_until(RIGHT, f"{place}/7 · Zetema", f"   {name} ")
        before = terminal.press_until(LEFT * 5, "2/7 · Zetema", "Ann drew")
        assert "   Ada played" not in before
        terminal.press_until("q", "Ann, declare, or play a card", "Hedy played")
