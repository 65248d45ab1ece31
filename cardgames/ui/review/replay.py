"""Stepping through a record on the table, forwards and backwards."""

from collections.abc import Sequence
from typing import Any

from cardgames.engine.game import CHANCE, Action, AnyGame
from cardgames.engine.record import Header
from cardgames.layout.scene import restore_blocks
from cardgames.match import Step, step
from cardgames.ui.screens.offers import Draw, Pictures
from cardgames.ui.screens.screen import open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView, public_events


def step_through(game: AnyGame, header: Header, actions: Sequence[Action], settings: Settings) -> None:
    """Show the positions of a record with every hand open. Keys step to the next and the previous position."""
    view = GameView(game, header.names or (), settings)
    text = view.words.text
    steps = _steps(game, actions)

    def draw(ply: int) -> Draw:
        title = text("step_title", title=text("title"), number=ply, count=len(steps))
        last = steps[ply - 1] if ply else None
        return _open_picture(view, last.after if last else game.start(), last, title)

    deals = [step.ply for step in steps if game.deal_over(step.after)]
    with open_screen(view.words, settings) as screen:
        screen.step(Pictures(draw, len(steps), deals), text("step_keys"))


def _steps(game: AnyGame, actions: Sequence[Action]) -> list[Step]:
    steps: list[Step] = []
    state = game.start()
    for ply, action in enumerate(actions, 1):
        steps.append(step(game, state, ply, game.actor(state, action) or CHANCE, action))
        state = steps[-1].after
    return steps


def _open_picture(view: GameView, state: Any, last: Step | None, title: str) -> Draw:
    """The picture of ``state`` with every hand open. A trick or bout that the ``last`` step ended is still shown."""
    scene = view.layout.scene(view.game.observation(state, CHANCE))
    if last and (cleared := view.removed_blocks(last)):
        scene = restore_blocks(scene, cleared)
    events = public_events(last.events) if last else ()
    return view.scene_picture(view.with_every_hand(scene, state), events, title)
