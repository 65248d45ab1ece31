"""The program with its matches in PostgreSQL: a server that goes away and comes back, tables, commands."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.texts import template
from tests.postgres import Server

from .secrets import cards_on
from .terminal import ENTER, HOME, POINTER, TRUC, Terminal, acts
from .test_busy_store import joined
from .test_lobby import PROGRAM as GUEST
from .test_sitting_together import WAITING, play_together


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server to be stopped and started."""
    with Server() as started:
        yield started


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for the settings."""
    return tmp_path


def opened(home: Path, url: str) -> Terminal:
    """The terminal of Ann, who opens a table."""
    arguments = ("play", "truc", "--points", "1", "--rounds", "1", "--name", "Ann", "--open", "--fast")
    return Terminal(home, *arguments, environment={"CARDGAMES_STORE": url})


def seated(home: Path, url: str) -> Terminal:
    """The terminal of Ben, who sits down at it."""
    return Terminal(home, "join", "--name", "Ben", "--fast", environment={"CARDGAMES_STORE": url})


def begin(*terminals: Terminal) -> None:
    """Wait until everybody sees their first hand."""
    for terminal in terminals:
        terminal.wait_for("dealt 3 cards")


def test_the_move_is_kept_as_soon_as_the_server_is_back(own: Server, home: Path) -> None:
    url = own.new_store()
    with Terminal(home, *TRUC, environment={"CARDGAMES_STORE": url}) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.move(HOME)
        with own.away(signal.SIGKILL):
            screen = terminal.press_until(ENTER, "Try again?")
            assert "postgresql://cards@/cards" in joined(screen)
            assert not cards_on(screen)
        terminal.press_until(ENTER, "Ben, it is your turn")
        assert acts(url=url) == ["exchange"]
        with own.away():
            pass
        terminal.press_and_wait(ENTER)
        terminal.move(HOME)
        terminal.press_and_wait(ENTER)  # nobody notices that it was away
        assert len(acts(url=url)) == 2
    assert not list(home.glob("matches.*")), "there is no file beside it"


def test_a_server_that_is_away_at_the_start_is_said(own: Server, home: Path) -> None:
    url = own.new_store()
    with own.away(), Terminal(home, *TRUC, environment={"CARDGAMES_STORE": url}) as terminal:
        assert terminal.ended() == 73
        assert "NoPostgreSQLserveranswersatpostgresql://cards@/cards" in joined(terminal.text)


def test_a_guest_stays_in_the_lobby_while_the_server_is_away(own: Server, home: Path) -> None:
    """Guests are told that the server is away, and without a key press that it is back."""
    ask, trouble = template("en", "lobby", "menu.ask"), template("en", "lobby", "store_trouble")[:30]
    command, environment = [*GUEST, "ann"], {"CARDGAMES_STORE": own.new_store()}
    with Terminal(home, command=command, environment=environment) as ann:
        ann.wait_for(ask, "Hello!")
        with own.away():
            ann.wait_for(ask, "Hello!", trouble)
            ann.press(template("en", "lobby", "history").upper() + ENTER)
            ann.wait(lambda screen: "Hello!" not in screen and trouble in screen, "what comes of that")
        ann.wait(lambda screen: ask in screen and trouble not in screen, "that it is back")


def test_two_terminals_play_over_it(postgres: Server, home: Path) -> None:
    """The server notifies each terminal of the other's move long before the next poll."""
    url = postgres.new_store()
    with opened(home, url) as ann:
        ann.wait_for(WAITING, "Ann is here", "join 1")
        with seated(home, url) as ben:
            begin(ann, ben)
            assert play_together([ann, ben], 1) > 5
            with Store.open(where=url) as store:
                assert store.match(1).outcome


def test_two_terminals_play_on_when_the_server_is_back(own: Server, home: Path) -> None:
    """A waiting player is told that the server is away and that it is back, without a key press."""
    away = template("en", None, "waiting_store")[:40]
    url = own.new_store()
    with opened(home, url) as ann:
        ann.wait_for(WAITING, "Ann is here", "join 1")
        with seated(home, url) as ben:
            begin(ann, ben)
            for _ in range(2):
                with own.away(signal.SIGKILL):
                    (waits,) = [terminal for terminal in (ann, ben) if POINTER not in terminal.text]
                    waits.wait_for(away)
                waits.wait(lambda screen: away not in screen and "waiting for" in screen, "that it is back")
                for terminal in (ann, ben):
                    terminal.settle()
            assert play_together([ann, ben], 2) > 5
    with Store.open(where=url) as store:
        assert store.match(1).outcome
        list(store.export(1))
