"""Durak for three guests over SSH: hands, an undo that both opponents answer, and a stand-in."""

from contextlib import ExitStack
from pathlib import Path

from cardgames.store import Store
from tests.server.guest_server import Guest, GuestServer, new_key
from tests.server.test_tables import ASK, begin, check_bytes, play_on, sit_down
from tests.ui.terminal import DOWN, ENTER
from tests.ui.test_sitting_together import answer


def test_three_guests_play_and_each_answers_for_themselves(server: GuestServer, tmp_path: Path) -> None:
    ann, ben, cleo = guests = tuple(Guest(server, name, new_key(tmp_path, name)) for name in ("ann", "ben", "cleo"))
    with ExitStack() as stack:
        for guest in guests:
            stack.enter_context(guest)
        ann.wait_for(ASK)
        ann.press("NEW TABLE" + ENTER)
        ann.wait_for("Which game?")
        ann.press("DURAK" + ENTER)
        ann.wait_for("How many of you")
        ann.press("b")
        ann.wait_for("How do you want to play?")
        ann.press(ENTER)
        ann.wait_for("Others join with")
        for guest in (ben, cleo):
            sit_down(guest)
        begin(*guests)
        ann.wait_for("ann, attack")
        for agrees in (True, False):
            ann.press(ENTER)
            ben.wait_for("ben, beat the attack")
            ann.wait_for("waiting for ben")
            ann.press("u")
            for other in (ben, cleo):
                other.wait_for("ann asks to take back")
            answer(ben, "May ann take back", DOWN)
            ann.wait_for("waits for the answer of cleo")
            answer(cleo, "May ann take back", DOWN if agrees else "")
            cleo.wait_for("waiting for ann" if agrees else "waiting for ben")
            ann.wait_for("ann, attack" if agrees else "cleo does not let you take it back")
        assert play_on(server.home, guests, 1, 25) > 20
        check_bytes(server.home, guests)
    with Store.open(server.home, write=False) as store:
        assert store.match(1).names == ("ann", "ben", "cleo")
        assert len(store.undos(1)) == 1
