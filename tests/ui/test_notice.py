"""Notice of one's turn: one bell a turn and the title of the window, which shows no card and is put back."""

from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.ui.screens.terminal import BELL, RESTORE_TITLE, SAVE_TITLE, Notice
from cardgames.ui.settings import Settings

from .terminal import ENTER, HOME, Terminal
from .test_sitting_together import Guest

TITLE = "● Durak: your turn"


@pytest.mark.parametrize(
    ("notice", "bells", "titles"), [("off", 0, 0), ("bell", 1, 0), ("title", 0, 1), ("both", 1, 1)]
)
def test_a_notice_is_what_is_wanted(notice: str, bells: int, titles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    written: list[str] = []
    given = Notice(Settings(notice=notice), written.append)
    given.give("mine")
    assert "".join(written).count(BELL) == bells
    assert "".join(written).count("\x1b]2;mine\x1b\\") == "".join(written).count(SAVE_TITLE) == titles
    given.withdraw()
    given.withdraw()
    assert "".join(written).count(RESTORE_TITLE) == titles


def test_a_terminal_without_titles_only_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    written: list[str] = []
    given = Notice(Settings(), written.append)
    given.give("mine")
    given.withdraw()
    assert "".join(written) == BELL


@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_each_turn_that_comes_from_elsewhere_rings_once(tmp_path: Path, plain: tuple[str, ...]) -> None:
    with (
        Store.open(tmp_path) as store,
        Terminal(tmp_path, "play", "durak", "--name", "Ann", "--open", "--fast", *plain) as ann,
    ):
        ann.wait_for("Ann is here")
        ben = Guest(store, "Ben")
        ben.wait(lambda: (ben.match.to_act or 0) > 0, "the deal", ann)
        for turn in range(1, 3):
            while ben.match.to_act == ben.seat:
                ben.act()
            ann.wait(lambda screen: ann.screen.title == TITLE, "the title")
            assert ann.output.count(BELL) == turn
            ann.read(0.3)
            ann.press("1\r" if plain else HOME + ENTER)
            ben.wait(lambda: ben.match.to_act != 3 - ben.seat, "the answer", ann)
            ann.wait(lambda screen: ann.screen.title == "", "the title of before")
        assert ann.output.count(SAVE_TITLE) == ann.output.count(RESTORE_TITLE) == 2
