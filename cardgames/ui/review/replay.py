"""Stepping through a record on the table, forwards and backwards."""

from collections.abc import Sequence
from itertools import pairwise

from cardgames.engine.game import CHANCE, AnyGame
from cardgames.engine.record import Header, Ply
from cardgames.layout.scene import restore_blocks
from cardgames.match import Step, step
from cardgames.ui.screens.offers import Draw, Pictures
from cardgames.ui.screens.screen import open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView, public_events


def step_through(game: AnyGame, header: Header, plies: Sequence[Ply], settings: Settings) -> None:
    """Show the positions of a record with every hand open. Keys step to the next and the previous position."""
    view = GameView(game, header.names or (), settings)
    text = view.words.text
    steps: list[Step] = []
    for before, ply in pairwise(plies):
        assert ply.action
        steps.append(step(game, before.state, len(steps) + 1, ply.by or CHANCE, ply.action))

    def draw(ply: int) -> Draw:
        title = text("step_title", title=text("title"), number=ply, count=len(steps))
        last = steps[ply - 1] if ply else None
        state = last.after if last else game.start()
        scene = view.scene(game.observation(state, CHANCE))
        if last and (removed := view.removed_blocks(last)):  # a trick or bout that has just ended stays in view
            scene = restore_blocks(scene, removed)
        events = public_events(last.events) if last else ()
        return view.scene_picture(view.with_every_hand(scene, state), events, title)

    deals = [step.ply for step in steps if game.deal_over(step.after)]
    with open_screen(view.words, settings) as screen:
        screen.step(Pictures(draw, len(steps), deals))
