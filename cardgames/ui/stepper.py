"""Stepping through a record on the table, forwards and backwards."""

from collections.abc import Sequence
from typing import Any

from cardgames.engine.game import Action, AnyGame, Event
from cardgames.engine.record import Header
from cardgames.table import Message, table
from cardgames.ui.faces import Faces
from cardgames.ui.linear import painter
from cardgames.ui.paint import Look
from cardgames.ui.play import open_screen
from cardgames.ui.screen import BACK, Offer
from cardgames.ui.settings import Settings
from cardgames.ui.words import Words


def step_through(game: AnyGame, header: Header, actions: Sequence[Action], settings: Settings) -> None:
    """Show a record ply by ply, every hand open, until somebody leaves."""
    words = Words(settings.language, header.game, header.names or (), Faces(settings.ascii, settings.four_colours))
    drawn = painter(words, Look(settings.ascii, settings.colour, settings.plain))
    layout = table(game.NAME)
    plies: list[tuple[Any, list[Event]]] = [(game.start(), [])]
    for action in actions:
        events: list[Event] = []
        plies.append((game.apply(plies[-1][0], action, events.append), events))
    place, end = 0, len(plies) - 1
    with open_screen(words, settings) as screen:
        while True:
            state, events = plies[place]
            scene = layout.scene(game.observation(state, 0))
            hands = enumerate(game.hands(state), 1)
            told = [Message("hand_of", {"seat": seat, "cards": cards}) for seat, cards in hands]
            told += [Message("event." + event.key, event.args) for event in events if event.audience is None]
            title = words.text("step_title", title=words.text("title"), number=place, count=end)

            def draw(width: int, rows: int) -> str:
                return drawn.scene(scene, width, rows, title, told)  # noqa: B023 — drawn before the next step

            steps = [
                Offer(1, words.text("step_forwards"), refused=words.text("step_end") if place == end else None),
                Offer(-1, words.text("step_back"), refused=None if place else words.text("step_start")),
                Offer(-place, words.text("step_first")),
                Offer(end - place, words.text("step_last")),
                Offer(None, words.text("step_leave")),
            ]
            answer = screen.choose(draw, words.text("step_ask"), steps, BACK, words.text("step_keys"))
            if answer is None:
                return
            place += answer
