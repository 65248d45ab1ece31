"""Durak for three, each at a terminal of their own: undo, rematch, breaking off, stand-ins and spectators."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardgames.engine.record import Header, read
from cardgames.store import GIVEN_UP, Store
from cardgames.store.places import Party
from tests.ui.terminal import DOWN, ENTER, Terminal
from tests.ui.test_sitting_together import WAITING, answer, check_screens, deal, joined, opened, play_together, talk

NAMES = ("Ann", "Ben", "Cleo")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Terminal, ...]]:
    """Ann, who leads the first bout against Ben, and Cleo, who deals."""
    with ExitStack() as stack:
        ann = stack.enter_context(opened(tmp_path, "durak", "--players", "3", "--pack", "24", "--throw-in"))
        ann.wait_for(WAITING, "Ann is here")
        ben = stack.enter_context(joined(tmp_path, "Ben"))
        ann.wait_for("Ben is here")
        cleo = stack.enter_context(joined(tmp_path, "Cleo"))
        deal(ann, ben, cleo)
        ann.wait_for("Ann, attack")
        yield ann, ben, cleo


def test_an_undo_needs_the_consent_of_each_other_terminal(tmp_path: Path, table: tuple[Terminal, ...]) -> None:
    ann, ben, cleo = table
    for agrees in (True, False):
        ann.press(ENTER)
        ben.wait_for("Ben, beat the attack")
        ann.wait_for("waiting for Ben")
        ann.press_until("u", "is waiting for an answer from Ben, Cleo")
        for other in (ben, cleo):
            other.wait_for("Ann asks to take back")
        answer(ben, "May Ann take back", DOWN)
        ann.wait_for("is waiting for an answer from Cleo")
        ben.wait_for("Ben, beat the attack")
        answer(cleo, "May Ann take back", DOWN if agrees else "")
        if agrees:
            ann.wait_for("Ann, attack")
            for other in (ben, cleo):
                other.wait_for("Ann took back the last choice", "waiting for Ann")
    ann.wait_for("Cleo will not let you take it back", "waiting for Ben")
    ben.wait_for("Ben, beat the attack")
    cleo.wait_for("waiting for Ben")
    with Store.open(tmp_path) as store:
        assert len(store.undos(1)) == 1


def test_a_match_is_broken_off_once_all_agree(tmp_path: Path, table: tuple[Terminal, ...]) -> None:
    ann, ben, cleo = table
    for asks, last, agrees in ((cleo, ben, False), (ben, cleo, True)):  # nobody can ask again at once after a refusal
        asking, answering = ("Cleo", "Ben") if asks is cleo else ("Ben", "Cleo")
        talk(asks)
        asks.press_until("ASK TO ABORT" + ENTER, "Sure?")
        asks.press_until(ENTER, f"is waiting for an answer from Ann, {answering}")
        for other in (ann, last):
            other.wait_for(f"{asking} would like to abort the match")
        answer(ann, "Nobody wins it then", DOWN)
        asks.wait_for(f"is waiting for an answer from {answering}")
        answer(last, "Nobody wins it then", DOWN if agrees else "")
        if not agrees:
            for terminal in table:
                terminal.wait(
                    lambda screen: (
                        ("Ann, attack" in screen or "waiting for Ann" in screen) and "would like" not in screen
                    ),
                    "the table",
                )
    for terminal in table:
        terminal.wait_for("The match has been aborted")
    with Store.open(tmp_path) as store:
        outcome = store.match(1).outcome
    assert outcome
    assert outcome.why == GIVEN_UP


def test_a_computer_stands_in_while_the_others_play(tmp_path: Path, table: tuple[Terminal, ...]) -> None:
    ann, ben, cleo = table
    ben.child.close(force=True)
    for other in (ann, cleo):
        other.wait_for("away")
    with Store.open(tmp_path, lambda: datetime.now(UTC) - timedelta(minutes=10)) as store:
        store.join(1, Party(["Ben"])).release()  # nobody can ask for a computer before minutes have passed
    ann.press_until(ENTER, "waiting for Ben, away since")
    talk(ann)
    ann.press_until("ASK FOR A COMPUTER" + ENTER, "Sure?")
    ann.press(ENTER)
    cleo.wait_for("Ann would like a computer to play for Ben")
    answer(cleo, "would like a computer to play for Ben until they are back", DOWN)
    for other in (ann, cleo):
        other.wait(lambda screen: "fair computer" in screen or "strong computer" in screen, "the stand-in")
    with joined(tmp_path, "Ben") as back:
        back.wait_for("Ben")
        for other in (ann, cleo):
            other.wait(lambda screen: "computer" not in screen and "away" not in screen, "that Ben is back")


def test_three_terminals_play_and_somebody_looks_on(tmp_path: Path, table: tuple[Terminal, ...]) -> None:
    with Terminal(tmp_path, "watch", "--name", "Eve") as eve:
        eve.wait_for("waiting for Ann", "Cleo")
        assert play_together(table, 1, lambda: check_screens(tmp_path, table)) > 10
        eve.read(0.5)
        assert "o order" not in eve.output
    with Store.open(tmp_path) as store:
        outcome = store.match(1).outcome
        _, game, plies = read([(line + "\n").encode() for line in store.export(1)])
        dealer = game.next_dealer(list(plies)[-1].state)
    assert outcome
    ann, ben, cleo = table
    ann.press_until(ENTER, "Waiting for Ben, Cleo")
    ben.wait_for("Ann would like to play again")
    ben.press(ENTER)
    ann.wait_for("Waiting for Cleo")
    cleo.wait_for("Ann would like to play again")
    cleo.press(ENTER)
    deal(*table)
    for terminal in table:
        terminal.wait_for("match 2", "dealt")
    with Store.open(tmp_path) as store:
        header, _ = store.load(2)
        assert isinstance(header, Header)
        assert (header.dealer, header.names) == (dealer, NAMES)
