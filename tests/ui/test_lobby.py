"""The lobby, without a server: what a guest is led to."""

import sys
from pathlib import Path

from cardgames.store import Store

from .terminal import ENTER, Terminal

PROGRAM = """
from cardgames.store import Store
from cardgames.ui.session import lesson
from cardgames.ui.session.lobby import Lobby
from cardgames.ui.settings import guest_settings

lesson.learn = lambda game, settings: lesson.Next.PLAY  # the lesson itself is gone through by test_learn
with Store.open() as store:
    Lobby(store, store.register("Ann"), guest_settings(), "ssh here").stay("Hello!")
"""


def test_after_a_lesson_a_guest_plays_an_easy_computer_at_once(tmp_path: Path) -> None:
    with Terminal(tmp_path, command=[sys.executable, "-c", PROGRAM]) as ann:
        ann.wait_for("Hello!")
        ann.press("LEARN" + ENTER)
        ann.wait_for("Which game?")
        ann.press("TRUC" + ENTER)
        ann.wait_for("Your hand", "Ann")
    with Store.open(tmp_path) as store:
        assert store.match(1).players == ("person", "easy")
        assert [place.person for place in store.places(1)][1] is None
