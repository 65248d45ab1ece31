"""No card of another's hand is ever in view or in the history, judged by tmux; nor after a signal."""

import operator
import os
import random
import signal
import termios
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from cardgames.engine.game import GAMES, game_class
from cardgames.store import Store
from cardgames.texts import template
from cardgames.ui.table.table import HAND_OVER_QUIET
from tests.ui.secrets import ascii_cards_on, cards_on, secrets_of
from tests.ui.terminal import ENTER, Terminal
from tests.ui.tmux import Tmux, need_tmux

TABLES = [(game, game_class(game).SEATS[-1]) for game in GAMES]
ENTER_ALTERNATE, LEAVE_ALTERNATE = "\x1b[?1049h", "\x1b[?1049l"
HAND_OVER = "when nobody else is looking"
STEPS = 11


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    need_tmux()
    with Tmux(tmp_path) as window:
        yield window


@pytest.fixture
def keeping(tmp_path: Path) -> Iterator[Tmux]:
    """A tmux without an alternate screen, which keeps all lines."""
    need_tmux()
    with Tmux(tmp_path, alternate=False) as window:
        yield window


def _record(home: Path) -> list[bytes]:
    """The match as it stands, read while it is played."""
    with Store.open(home, write=False) as store:
        return [f"{line}\n".encode() for line in store.export(1)]


def _check(window: Tmux, home: Path) -> None:
    """View and history show no hidden card but the hand of the one who acts, and that not always."""
    view = window.everything
    secrets = secrets_of(_record(home))
    looking = None if HAND_OVER in view else secrets.to_act
    own = secrets.hands[looking - 1] if looking else set()  # another's card may have a twin here
    told = "\n".join(line for line in view.splitlines() if line.startswith("   · "))
    for seat, hidden in enumerate(secrets.hidden, 1):
        if seat != looking:
            seen = cards_on(view.replace(told, "")) | (cards_on(told) - secrets.before)
            assert not seen & hidden - own, f"cards of seat {seat} are seen by others:\n{view}"


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_hand_is_seen_by_anybody_else(tmux: Tmux, tmp_path: Path, game: str, seats: int) -> None:
    rng = random.Random(seats)
    tmux.start("play", game, "--players", str(seats), "--fast", "--seed", "11")
    tmux.wait_for(HAND_OVER)
    own = 0
    for _ in range(STEPS):
        view = tmux.view
        if "left with" in view or "again?" in view:
            break
        _check(tmux, tmp_path)
        own += HAND_OVER not in view
        if HAND_OVER not in view:
            for _ in range(rng.randrange(3)):
                tmux.press("Down")
            if "Space ticks" in view:
                tmux.press("Space", "Down", "Space", "Down")
            time.sleep(0.15)
            tmux.wait(lambda now: "▶" in now, "the pointer at rest")
        tmux.answer("Enter")
    assert own >= 3, "hardly a hand was looked at"


@pytest.mark.parametrize("way", ["leave", "interrupt", "terminate", "hang up", "stop", "error", "kill"])
def test_nothing_is_left_behind(tmux: Tmux, tmp_path: Path, way: str) -> None:
    arguments = "play durak --players 2 --fast --seed 3"
    tmux.start(*arguments.split())
    tmux.wait_for(HAND_OVER)
    assert cards_on(tmux.answer("Enter")), "the hand is on display"
    code = {"leave": 0, "interrupt": 130, "terminate": 143, "hang up": 129}.get(way)
    if way == "leave":
        tmux.answer("q")
        tmux.answer("q")  # once it might be a queen
        tmux.press("Enter")
    elif way == "interrupt":
        tmux.press("C-c")
    elif way == "stop":
        tmux.press("C-z")
        tmux.wait_for("Stopped")
        assert not cards_on(tmux.everything)
        tmux.type("fg\n")
        view = tmux.wait_for(HAND_OVER)
        assert not cards_on(view) & secrets_of(_record(tmp_path)).hidden[0]
        tmux.press("C-c")
    elif way == "error":
        (tmp_path / "matches.sqlite").rename(tmp_path / "elsewhere.sqlite")
        tmux.press("Enter")
    else:
        number = {"terminate": signal.SIGTERM, "hang up": signal.SIGHUP, "kill": signal.SIGKILL}[way]
        os.kill(tmux.pid(arguments), number)
    if way == "kill":
        tmux.wait_for("left with 137")  # nothing can restore a terminal after this, and `reset` is the user's
        return
    said = {"stop": "is not kept", "error": "left with 73"}
    view = tmux.wait_for(said.get(way, f"is not kept.\nleft with {code}"))
    assert not cards_on(tmux.everything)
    assert view.startswith("before\n")  # and what stood there before is not written over


def test_a_small_window_hides_the_hand_and_waits(tmux: Tmux, tmp_path: Path) -> None:
    tmux.start("play", "durak", "--players", "2", "--fast", "--seed", "3")
    tmux.wait_for(HAND_OVER)
    before = tmux.answer("Enter")
    tmux.resize(20, 5)
    small = tmux.wait(lambda view: "60" in view, "a request for a larger window")
    assert not cards_on(small)
    tmux.press("Enter")
    tmux.resize(80, 24)
    assert tmux.wait(lambda view: "▶" in view, "the table again") == before
    assert not cards_on(tmux.everything) - cards_on(before)


# Terminals that ignore the alternate screen


def _handing_over(view: str, prompt: str) -> bool:
    """Whether somebody is called and has not said yet that nobody else is looking; ``prompt`` is that of plain mode."""
    _, called, since = view.rpartition(HAND_OVER)
    return bool(called) and (not prompt or since.count(prompt) == 1)


@pytest.mark.parametrize(("mode", "game"), [("whole", "durak"), ("plain", "kakeya")])
def test_no_hand_stays_without_an_alternate_screen(keeping: Tmux, tmp_path: Path, mode: str, game: str) -> None:
    """During some turns and after leaving, view and history hold no hand but the current player's."""
    prompt = "\n>" if mode == "plain" else ""
    choose = "1\r" if mode == "plain" else "\r"
    looked = 0
    keeping.start("--ascii", f"--{'plain' if prompt else 'fast'}", "play", game, "--seed", "5", *_named(game))
    keeping.wait_for(HAND_OVER)
    for _ in range(8):
        before = keeping.wait(lambda view: bool(view.strip()), "the table")
        handing = _handing_over(before, prompt)
        secrets = secrets_of(_record(tmp_path))
        seen = ascii_cards_on(keeping.everything)
        for seat, hidden in enumerate(secrets.hidden, 1):
            if handing or seat != secrets.to_act:
                assert not seen & hidden, f"cards of seat {seat} stay:\n{keeping.everything}"
        if not handing:
            assert secrets.to_act
            looked += bool(seen & secrets.hands[secrets.to_act - 1])
        keeping.press("Enter" if handing else choose)
        keeping.wait(partial(operator.ne, before), "the next question")
    keeping.press("C-c")
    keeping.wait_for("left with 130")
    assert not ascii_cards_on(keeping.everything)
    assert looked >= 2, "hardly a hand was looked at"


SHRUNK = [[(80, 5)], [(80, 14), (80, 24), (80, 14)], [(20, 24), (80, 10)]]
"""Sizes of a window that is made smaller while a hand is in view."""


@pytest.mark.parametrize("sizes", SHRUNK, ids=str)
def test_shrinking_pushes_no_hand_into_history(keeping: Tmux, tmp_path: Path, sizes: list[tuple[int, int]]) -> None:
    keeping.resize(80, 24)
    keeping.start("--ascii", "--fast", "play", "durak", "--seed", "5", *_named("durak"))
    keeping.wait_for(HAND_OVER)
    keeping.press("Enter")
    own = secrets_of(_record(tmp_path)).hidden[0]
    keeping.wait(lambda view: ascii_cards_on(view) >= own, "the hand")
    for columns, rows in sizes:
        keeping.resize(columns, rows)
        if rows < 20 or columns < 60:
            keeping.wait(lambda view: not ascii_cards_on(view) & own, "a request for a larger window")
            assert not ascii_cards_on(keeping.everything) & own
        else:
            keeping.wait(lambda view: bool(ascii_cards_on(view) & own), "the hand again")
    keeping.press("C-c")
    keeping.wait(lambda view: "$" in view.splitlines()[-1] or "left" in view, "the shell")
    assert not ascii_cards_on(keeping.everything) & own


def test_a_history_of_ones_own_is_left_alone(keeping: Tmux) -> None:
    keeping.resize(80, 24)
    keeping.type("clear() { seq 1001 1100; }\n")  # before the program starts
    keeping.start("--ascii", "--fast", "play", "durak", "--seed", "5", *_named("durak"))
    keeping.wait_for(HAND_OVER)
    for columns, rows in ((80, 20), (100, 30)):  # a narrower one would have pushed a hand into it
        keeping.resize(columns, rows)
        keeping.wait_for(HAND_OVER)
    keeping.press("C-c")
    keeping.wait_for("left with 130")
    assert "1001" in keeping.everything


def test_line_keeping_terminals_are_warned_of_first(keeping: Tmux) -> None:
    """Players are warned before the first hand if a smaller window might keep lines."""
    keeping.start("--ascii", "--plain", "play", "durak", "--seed", "5", *_named("durak"))
    view = keeping.wait_for(HAND_OVER)
    assert " ".join(template("en", None, "plain_smaller").split()) in " ".join(view.split())


def _named(game: str) -> list[str]:
    return [word for name in ("Ann", "Ben", "Cleo", "Dora")[: game_class(game).SEATS[0]] for word in ("--name", name)]


def test_terminals_without_clearing_are_warned_of_first(tmp_path: Path) -> None:
    warning = template("en", None, "plain_warning")
    arguments = ("play", "durak", "--players", "2", "--seed", "3")
    with Terminal(tmp_path, *arguments, columns=200, environment={"TERM": "dumb"}) as terminal:
        hand = _with_a_hand_in_view(terminal)
        before, warned, since = terminal.output.partition(warning)
        assert warned
        assert not cards_on(before)
        assert hand <= cards_on(since)
        terminal.press(f"1{ENTER}")
        terminal.wait(lambda view: terminal.output.count(HAND_OVER) == 2, "the next hand-over")
        between = terminal.output.rpartition("> 1")[2].partition("Player 2, it is your turn")[0]
        assert between.count("\n") > 2 * terminal.rows, "nothing of the hand is in view"
        assert "\x1b" not in terminal.output


# Signals


def _name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)


def _with_a_hand_in_view(terminal: Terminal) -> set[str]:
    """Go on to a hand, and return its cards."""
    terminal.wait_for(HAND_OVER)
    time.sleep(HAND_OVER_QUIET + 0.1)
    terminal.press(ENTER)
    return cards_on(terminal.wait(lambda view: len(cards_on(view)) >= 6, "a hand"))


@pytest.mark.parametrize("mode", ["whole", "plain"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGRTMAX], ids=_name)
def test_a_signal_leaves_no_hand_and_the_terminal_as_it_was(tmp_path: Path, number: int, mode: str) -> None:
    options = ["--plain"] if mode == "plain" else []
    with Terminal(tmp_path, *options, "play", "durak", "--players", "2", "--fast", "--seed", "3") as terminal:
        _with_a_hand_in_view(terminal)
        os.kill(terminal.child.pid, number)
        terminal.wait_for("is not kept")
        assert not cards_on(terminal.text)
        assert terminal.output.count(ENTER_ALTERNATE) == terminal.output.count(LEAVE_ALTERNATE) == 1
        local = termios.tcgetattr(terminal.child.child_fd)[3]
        assert local & termios.ICANON
        assert local & termios.ECHO
        assert terminal.ended() == (130 if number == signal.SIGINT else 128 + number)


@pytest.mark.parametrize("mode", ["whole", "plain"])
@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP], ids=_name)
def test_who_comes_back_after_a_stop_meets_a_hand_over(tmux: Tmux, tmp_path: Path, number: int, mode: str) -> None:
    arguments = f"{'--plain ' if mode == 'plain' else ''}play durak --players 2 --fast --seed 3"
    tmux.start(*arguments.split())
    tmux.wait_for(HAND_OVER)
    tmux.press("Enter")
    assert cards_on(tmux.wait_for("attack with any card")), "the hand is on display"
    hidden = secrets_of(_record(tmp_path)).hidden[0]
    os.kill(tmux.pid(arguments), number)
    tmux.wait_for("Stopped")
    if number != signal.SIGSTOP:  # which nothing can catch: then the hand goes as soon as the process goes on
        assert not cards_on(tmux.everything)
    tmux.type("fg\n")
    view = tmux.wait_for(HAND_OVER)
    assert "play" not in view.partition(HAND_OVER)[2]
    assert not cards_on(tmux.everything.partition("Stopped")[2]) & hidden
    tmux.press("Enter")
    assert hidden <= cards_on(tmux.wait_for("attack with any card"))
