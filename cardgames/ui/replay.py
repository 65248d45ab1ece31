"""Stepping through a record on the table, forwards and backwards."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cardgames.engine.game import CHANCE, Action, AnyGame, Event
from cardgames.engine.record import Header
from cardgames.layout import Block, Layout, Message, Pairs, Scene
from cardgames.ui.hand_order import laid_out
from cardgames.ui.messages import Words
from cardgames.ui.render.card_faces import Faces
from cardgames.ui.render.drawing import Look
from cardgames.ui.render.spoken import painter
from cardgames.ui.screens.question import BACK, Offer
from cardgames.ui.settings import Settings
from cardgames.ui.table import open_screen


def step_through(game: AnyGame, header: Header, actions: Sequence[Action], settings: Settings) -> None:
    """Show a record ply by ply, every hand open, until somebody leaves."""
    words = Words(settings.language, header.game, header.names or (), Faces(settings.ascii, settings.four_colours))
    drawn = painter(words, Look(settings.ascii, settings.colour, settings.plain, settings.sort == "rank"))
    layout = laid_out(game.NAME, settings)
    shots = [Shot(game.start(), (), ())]
    for action in actions:
        events: list[Event] = []
        before = shots[-1].state
        state = game.apply(before, action, events.append)
        over = any(event.key in layout.PAUSES for event in events)
        ended = layout.ended(game.observation(before, CHANCE), action) if over else ()
        shots.append(Shot(state, events, ended))
    place, end = 0, len(shots) - 1
    with open_screen(words, settings) as screen:
        while True:
            shot = shots[place]
            scene = _open(game, layout, shot)
            told = [Message("event." + event.key, event.args) for event in shot.events if event.audience is None]
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
            keys = {"f": 1 if place < end else 0, "b": -1 if place else 0, **BACK}
            answer = screen.choose(draw, words.text("step_ask"), steps, keys, words.text("step_keys"))
            if answer is None:
                return
            place += answer


class Shot(NamedTuple):
    """What there is to see after an action."""

    state: Any
    events: Sequence[Event]
    ended: tuple[Block, ...]
    """The trick or bout that it ended, as it lay there."""


def _open(game: AnyGame, layout: Layout, shot: Shot) -> Scene:
    """The table with every hand open, and with what has just ended still on it."""
    scene = layout.scene(game.observation(shot.state, CHANCE))
    players = [
        player._replace(shown=layout.scene(game.observation(shot.state, player.seat)).hand) for player in scene.players
    ]
    lies = [block for block in scene.middle if not shot.ended or block != Pairs(())]
    return replace(scene, players=tuple(players), middle=(*shot.ended, *lies))
