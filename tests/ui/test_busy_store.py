"""Another program that writes into the store is waited for: the table asks to try again, and nothing is lost."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cardgames.engine.game import Message
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.session.local_session import store_error_text
from cardgames.ui.settings import Settings, guest_settings

from .secrets import cards_on
from .terminal import DOWN, ENTER, HOME, TRUC, Terminal, acts


@contextmanager
def writer(home: Path) -> Iterator[None]:
    """Another program in the middle of writing."""
    with closing(sqlite3.connect(home / "matches.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield


def joined(screen: str) -> str:
    """The text on a screen as one line, as a long path breaks its lines anywhere."""
    return "".join(screen.split())


def test_the_move_is_kept_as_soon_as_the_other_is_done(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TRUC) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.move(HOME)
        with writer(tmp_path):
            screen = terminal.press_until(ENTER, "Try again?")
            assert "matches.sqlite" in joined(screen)
            assert not cards_on(screen)
        assert acts(tmp_path) == []
        terminal.press_until(ENTER, "Ben, it is your turn")
        assert acts(tmp_path) == ["exchange"]


def test_who_does_not_want_to_wait_leaves_with_what_was_kept(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TRUC) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        with writer(tmp_path):
            terminal.press_until(ENTER, "Try again?")
            terminal.press_and_wait(DOWN)
            assert terminal.leave(ENTER) == 73
            assert "Anotherprogramiswritingto" in joined(terminal.text)
    assert acts(tmp_path) == []


def test_guests_are_not_told_where_the_store_is() -> None:
    reason = Message("database_away", {"path": "postgresql://cards@db.example/cards"})
    assert "db.example" in store_error_text(Words("en"), Settings(), reason)
    for language in LANGUAGES:
        assert "db.example" not in store_error_text(Words(language), guest_settings(), reason)
