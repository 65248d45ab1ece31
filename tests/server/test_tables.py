"""Tables at which guests sit: whole matches over SSH, what each of them receives, and coming back."""

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.server.house import Guest, House, new_key
from tests.ui.terminal import DOWN, ENTER, POINTER

ASK = "What would you like?"


def open_table(guest: Guest, game: str) -> None:
    """Open a table for the smallest number of players, and wait there."""
    guest.wait_for(ASK)
    guest.press("new table" + ENTER)
    guest.wait_for("Which game?")
    guest.press(game + ENTER)
    guest.wait(lambda screen: "How many" in screen or "Start" in screen or "Begin" in screen, "the options")
    guest.press_and_wait(ENTER)
    guest.wait_for("Others come with")


def play_out(*guests: Guest, seed: int = 1, questions: int = 10_000) -> int:
    """Let guests press random keys until the match is over; the number of questions that were answered."""
    rng = random.Random(seed)
    asked = 0
    end = time.monotonic() + 120
    while time.monotonic() < end and asked < questions:
        for guest in guests:
            guest.settle()
            screen = guest.text
            if "Play again?" in screen:
                return asked
            if POINTER in screen:
                asked += 1
                guest.move(DOWN * rng.randrange(3))
                guest.press(ENTER)
                guest.read(0.1)
    raise AssertionError("the match did not end:\n" + "\n".join(guest.text for guest in guests))


def test_two_guests_play_a_whole_match(house: House, tmp_path: Path) -> None:
    ann, ben = Guest(house, "ann", new_key(tmp_path, "a")), Guest(house, "ben", new_key(tmp_path, "b"))
    with ann, ben:
        open_table(ann, "durak")
        print(ann.text)
        ben.wait_for("Sit down: Durak 1")
        print(ben.text)
        ben.press_and_wait(ENTER)
        play_out(ann, ben)
        print(ann.text)
        print(ben.text)
