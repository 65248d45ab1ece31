"""The log of a match, and the order in which its players are shown."""

from collections.abc import Iterator

import pytest

from cardgames.engine.game import CHANCE, OFFERED, Event, Message
from cardgames.layout import layout_of
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView, View
from tests.ui.pictures import painted, plain
from tests.ui.stills import RECORDS, Match

NAMED = [path.stem for path in sorted(RECORDS.glob("*.jsonl"))]


def events(match: Match) -> Iterator[Event]:
    """Everything that is told in a match."""
    told: list[Event] = []
    for state, action in zip(match.states, match.actions, strict=False):
        match.game.apply(state, action, told.append)
    return iter(told)


def test_event_cards_follow_the_layouts_order() -> None:
    jumbled = set()
    for record in NAMED:
        match = Match.read(record)
        view = GameView(match.game, match.header.names or (), Settings())
        orders = layout_of(match.header.game).CARD_ORDERS
        for event in events(match):
            if order := orders.get(event.key):
                (message,) = view.messages([event])
                assert message.args["cards"] == order(event.args["cards"])  # type: ignore[arg-type]
                if message.args != event.args:
                    jumbled.add(match.header.game)
    assert jumbled == {*OFFERED}


def test_one_person_alone_among_computers_is_named_first() -> None:
    match = Match.read("zetema-four-alone")
    names = match.header.names
    assert names == ("Ann", "Ben", "Cleo", "Dora")
    for computers, order in (
        ({}, "Ann Ben Cleo Dora"),
        ({1: "easy", 2: "fair", 4: "strong"}, "Cleo Dora Ann Ben"),
        ({1: "easy", 4: "strong"}, "Ann Ben Cleo Dora"),
        (dict.fromkeys(range(1, 5), "easy"), "Ann Ben Cleo Dora"),
    ):
        view = View(match.played(30), names, Settings(plain=True), computers=computers)
        for seat in (CHANCE, 3):
            picture = view.table_picture(view.match.observation(seat))
            lines = picture.said(False)
            found = [line.split()[0].strip(":") for line in lines if line.strip()]
            assert [name for name in found if name in names] == order.split()


def test_a_level_of_which_only_a_record_knows_is_not_shown() -> None:
    match = Match.read("durak-throw-in")
    pictures = set()
    for computers in ({}, {2: "master"}, {2: "fair"}):
        view = View(match.played(5), match.header.names or (), Settings(plain=True), computers=computers)
        pictures.add(view.table_picture(view.match.observation(CHANCE)).text(80, only_new=False))
    assert len(pictures) == 2


def test_chat_after_the_end_is_seen_beside_the_outcome() -> None:
    match = next(Match.read(record) for record in NAMED if record.startswith("truc"))
    names = match.header.names
    assert names
    view = View(match.played(len(match.actions)), names, Settings())
    before, after = (Message("said", {"by": names[0], "text": text}) for text in ("Well played!", "Good game!"))
    view.add_chat([before])
    picture = view.end_picture(Ending(Message("broken_off")))
    view.add_chat([after])
    for size in ((60, 20), (80, 24), (200, 50)):
        shown = plain(painted(picture, *size))
        assert "aborted" in shown
        assert shown.index("Well played!") < shown.index("Good game!")


def test_chat_after_the_end_is_read_after_the_outcome() -> None:
    match = next(Match.read(record) for record in NAMED if record.startswith("truc"))
    names = match.header.names
    assert names
    view = View(match.played(len(match.actions)), names, Settings(plain=True))
    view.add_chat([Message("said", {"by": names[0], "text": f"before {number}"}) for number in range(3)])
    picture = view.end_picture(Ending(Message("broken_off"), (Message("line", {"text": "the outcome"}),)))
    for number in range(20):
        view.add_chat([Message("said", {"by": names[0], "text": f"after {number}"})])
        said = picture.text(80, only_new=False)
        assert said.index("the outcome") < said.index(f"after {number}")


@pytest.mark.parametrize("width", [60, 80])
def test_a_person_sees_their_clock_while_a_computer_thinks(width: int) -> None:
    match = Match.read("durak-throw-in")
    view = View(match.played(5), match.header.names or (), Settings(), computers={1: "fair"})
    assert view.match.state.to_act == 1
    view.clocks = lambda: {2: "4:21"}
    assert "4:21" in plain(painted(view.table_picture(view.match.observation(CHANCE)), width, 24))
