"""Computers at the table: matches of one person against them, in a pseudo-terminal with real keys."""

import json
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.store import Store
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.terminal import ENTER, Terminal, play_to_the_end

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
            secrets = secrets_of(line.encode() for line in record(tmp_path))
            assert not cards_on(screen) & set().union(*secrets.hidden[1:]) - secrets.hands[0]

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


def test_unknown_levels_are_played_by_a_stand_in(tmp_path: Path) -> None:
    """Such a level may come from a hand-written record or a later version. Export keeps it."""
    lines = [b'{"record":"cardgames/1","game":"durak","seats":2,"dealer":1,"players":["person","master"]}']
    with Store.open(tmp_path) as store:
        store.import_record(lines)
    with Terminal(tmp_path, "resume", "1", "--fast") as terminal:
        terminal.wait_for("fair computer", "Player 1, beat the attack")
    assert json.loads(record(tmp_path)[0])["players"] == ["person", "master"]


def test_a_rematch_is_dealt_by_the_fool_and_counted(tmp_path: Path) -> None:
    arguments = ("play", "durak", "--pack", "24", "--name", "Ann", "--name", "Ben", "--seed", "3", "--fast")
    with Terminal(tmp_path, *arguments) as terminal:
        play_to_the_end(terminal, seed=1)
        fool = "Ann" if "Ann is the fool" in terminal.text else "Ben"
        assert f"Yes: {fool} deals" in terminal.text
        terminal.press_until(ENTER, "match 2", "when nobody else is looking")
        assert f"{fool} dealt 6 cards" in terminal.text
        sheet = terminal.press_until("s", "In this session 1 match has been finished", "Points won")
        assert [line.split()[-3:] for line in sheet.splitlines() if line.split()[-1:] in (["1"], ["-1"])] == [
            [name, *(("0", "-1") if name == fool else ("1", "1"))] for name in ("Ann", "Ben")
        ]
