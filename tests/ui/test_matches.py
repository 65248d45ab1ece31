"""Matches of every game in a pseudo-terminal, played by random keys: nobody sees a card that they cannot know."""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.engine import record
from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, Event, cards_named
from cardgames.store import Store
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from tests.ui.secrets import cards_on
from tests.ui.stills import Camera, Match, Seen, text_of
from tests.ui.terminal import DOWN, ENTER, Terminal, play_to_the_end

PEOPLE = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Finn")


class Played(NamedTuple):
    """A match, and the number of screens after which it is left, unless it is over before."""

    game: str
    seats: int
    language: str
    columns: int
    rows: int
    options: tuple[str, ...] = ()
    screens: int = 40
    shown: tuple[str, ...] = ()
    """What is in view all the time."""

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}-{self.language}-{self.columns}x{self.rows}"


TO_THE_END = 1000
MATCHES = [
    Played("durak", 3, "ja", 60, 20, ("--pack", "24", "--throw-in", "--several"), TO_THE_END),
    Played("durak", 6, "en", 120, 40, ("--sides", "--turn-over", "any")),
    Played("truc", 2, "en", 80, 24, ("--points", "3", "--rounds", "1"), TO_THE_END),
    Played("truc", 2, "ja", 60, 20),
    Played("kakeya", 4, "ja", 80, 24),
    Played("kakeya", 6, "en", 80, 24, shown=("Ann and Dora ●", "Ben and Eve ●", "Cleo and Finn ●")),
    Played("fipsen", 3, "ja", 60, 20),
    Played("fipsen", 4, "en", 80, 24),
    Played("zetema", 2, "en", 80, 24),
    Played("zetema", 6, "ja", 60, 20),
]


def known(home: Path) -> tuple[int, set[str], set[str], set[str]]:
    """The current player of match 1, with their hand, the cards they were told of, and those that all were told of.

    What all were told in the deal before is among them: it may still be in view."""
    with Store.open(home, write=False) as store:
        _, game, plies = record.read(f"{line}\n".encode() for line in store.export(1))
        every = list(plies)
    state = every[-1].state
    seat = game.to_act(state)
    assert seat
    told, public, earlier = set[str](), set[str](), set[str]()
    for before, ply in pairwise(every):
        assert ply.action
        events: list[Event] = []
        game.apply(before.state, ply.action, events.append)
        if ply.by == CHANCE:
            told, public, earlier = set(), set(), public
        for event in events:
            if event.audience is None or seat in event.audience:
                told |= {NAMES[card] for card in cards_named(event.args)}
            if event.audience is None:
                public |= {NAMES[card] for card in cards_named(event.args)}
    hand = {NAMES[card] for card in game.hands(state)[seat - 1]}
    return seat, hand, told | earlier, public | earlier


@pytest.mark.parametrize("played", MATCHES, ids=str)
def test_everybody_sees_their_hand_and_nothing_hidden(tmp_path: Path, played: Played) -> None:
    """Each screen that waits for a key is compared with the journal."""
    text = Words(played.language, played.game).text
    names = [word for name in PEOPLE[: played.seats] for word in ("--name", name)]
    command = ("play", played.game, *names, "--seed", "3", "--fast", "--no-forced", *played.options)
    looked = handed = 0

    def look(screen: str, handed_over: bool) -> None:
        nonlocal looked, handed
        seat, hand, told, public = known(tmp_path)
        if handed_over:
            assert PEOPLE[seat - 1] in screen
            assert cards_on(screen) <= public, screen
        else:
            assert hand <= cards_on(screen) <= hand | told, screen
        lines = screen.splitlines()
        assert all(text in screen for text in played.shown), screen
        assert len(lines) == played.rows, screen
        assert lines[-1].lstrip().startswith(("?", "Esc")), screen
        looked, handed = looked + (not handed_over), handed + handed_over
        if looked + handed == played.screens:
            raise Seen

    with Terminal(
        tmp_path, "--language", played.language, *command, columns=played.columns, rows=played.rows
    ) as terminal:
        try:
            play_to_the_end(terminal, played.seats, text("show_hand"), text("tick"), text("again"), look)
        except Seen:
            assert played.screens < TO_THE_END
        else:
            terminal.press_and_wait(DOWN)
            assert terminal.leave(ENTER) == 0
            with Store.open(tmp_path) as store:
                assert store.match(1).outcome
    assert looked > 10
    assert handed > 5


def test_a_series_goes_on_with_partners_drawn_anew() -> None:
    found = Match.read("kakeya-series")
    drawn = next(ply for ply, action in enumerate(found.actions) if action.kind == "seats" and ply > 0)
    view = text_of(Camera(found, Settings(), 80, 24).turn(drawn + 1))
    assert found.header.names
    chairs = [found.header.names[int(seat) - 1] for seat in found.actions[drawn].args]
    assert "game 2   deal 1" in view
    for player, partner in zip(chairs[:2], chairs[2:], strict=True):
        assert f"{player} and {partner}" in view or f"{partner} and {player}" in view
        assert f"with {partner}" in view
    assert "in turn order: " + ", ".join(chairs) in " ".join(view.replace("·", "").split())
