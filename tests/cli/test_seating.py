"""Seating: people by name, and computers in the remaining seats."""

import logging
from pathlib import Path

import pytest

from cardgames.cli.seat_assignment import seat_at_terminal
from cardgames.engine.game import game_class
from cardgames.store import Store
from tests.store.played_matches import keep, played
from tests.ui.terminal import Terminal

from .conftest import Run

ZETEMA = game_class("zetema")


@pytest.mark.parametrize(
    ("seats", "names", "levels", "players"),
    [
        (None, ("Ann",), ("strong",), ("person", "strong")),
        (4, ("Ann", "Ben"), ("fair",), ("person", "person", "fair", "fair")),
        (3, (), ("easy", "strong", "fair"), ("easy", "strong", "fair")),
        (None, ("Ann", "Ben"), ("easy", "fair"), ("person", "person", "easy", "fair")),
        (None, ("Ann", "Ben", "Cem", "Dee"), ("easy",), ("person",) * 4 + ("easy",) * 2),
        (6, (), ("easy",), ("easy",) * 6),
    ],
)
def test_computers_take_the_seats_left_and_have_names_of_their_own(
    seats: int | None, names: tuple[str, ...], levels: tuple[str, ...], players: tuple[str, ...]
) -> None:
    found = seat_at_terminal(ZETEMA, seats, names, levels)
    assert found.players == players
    assert found.seats == len(players)
    assert found.names is not None
    assert found.names[: len(names)] == names
    assert len(set(found.names)) == len(players)


def test_no_computer_is_called_like_somebody_at_the_table() -> None:
    first = seat_at_terminal(ZETEMA, 2, ("Ann",), ("easy",)).names
    assert first
    other = seat_at_terminal(ZETEMA, 2, (first[1],), ("easy",)).names
    assert other
    assert other[1] != first[1]


def test_what_fails_at_the_table_is_told_in_the_log_file(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgames.cli.play.need_terminal", lambda: None)
    monkeypatch.setattr(
        "cardgames.ui.session.local_session.play_session",
        lambda *table: logging.getLogger("cardgames.bots").error("told"),
    )
    assert run("play", "durak", "--name", "Ann", "--computer", "easy").code == 0
    assert (home / "matches.log").read_text(encoding="utf-8").endswith("cardgames.bots: told\n")


def test_the_name_last_used_is_suggested_whatever_the_number_of_players(home: Path) -> None:
    with Store.open(home) as store:
        keep(store, played(1, ("Ann", "Ben")), 1)
    for players in "ab":  # two, three
        with Terminal(home, "play", "durak") as terminal:
            terminal.press_until("", "How many")
            terminal.press_until(players, "Name of player 1: Ann")
