"""Records on the table: stepped through, forwards and backwards, and as pictures."""

from collections.abc import Sequence
from itertools import pairwise

from cardgames.engine.game import CHANCE, AnyGame
from cardgames.engine.record import Header, Ply
from cardgames.layout.scene import Block, Pairs, Scene, SeatView, restore_blocks
from cardgames.match import Step, public_events, step
from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.svg import svg
from cardgames.ui.render.themes import Medium
from cardgames.ui.screens.offers import Picture
from cardgames.ui.screens.screen import open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView

COLUMNS, ROWS = 80, 24
ACTION_SECONDS, PAUSE_SECONDS, END_SECONDS = 1.2, 2.4, 6
"""How long a moving picture shows an action, the end of a trick or bout, and the end of the match."""


class Positions:
    """The positions of a record, each as a picture of the table."""

    def __init__(
        self, game: AnyGame, header: Header, plies: Sequence[Ply], settings: Settings, *, open_hands: bool = True
    ) -> None:
        """``open_hands``: whether every hand lies open; else the pictures show what spectators may see."""
        self.view = GameView(game, header.names or (), settings)
        self._open_hands = open_hands
        self.steps: list[Step] = []
        for before, ply in pairwise(plies):
            assert ply.action
            self.steps.append(step(game, before.state, len(self.steps) + 1, ply.by or CHANCE, ply.action))

    def draw(self, ply: int) -> Picture:
        view, game = self.view, self.view.game
        text = view.words.text
        title = text("step_title", title=text("title"), number=ply, count=len(self.steps))
        last = self.steps[ply - 1] if ply else None
        state = last.after if last else game.start()
        scene = view.scene(game.observation(state, CHANCE))
        if self._open_hands:
            scene = view.with_every_hand(scene, state)
        if last and (removed := view.removed_blocks(last)):  # a trick or bout that has just ended stays in view
            scene = restore_blocks(self._without_taken(scene, removed), removed)
        events = public_events(last.events) if last else ()
        outcome = game.outcome(state)
        return view.scene_picture(scene, events, title, [view.headline(outcome)] if outcome else ())

    @staticmethod
    def _without_taken(scene: Scene, removed: Sequence[Block]) -> Scene:
        """The scene without the cards of a bout in the open hand of the player who has just taken them."""
        laid = {card for block in removed if isinstance(block, Pairs) for pair in block.pairs for card in pair}

        def change(player: SeatView) -> SeatView:
            kept = tuple([card for card in player.shown if card not in laid])
            return player._replace(shown=kept, cards=player.cards - len(player.shown) + len(kept))

        return scene.with_players(change)

    def seconds(self, ply: int) -> float:
        """How long a moving picture shows the table after ``ply`` actions."""
        if ply == len(self.steps):
            return END_SECONDS
        return PAUSE_SECONDS if ply and self.view.pauses_after(self.steps[ply - 1]) else ACTION_SECONDS


def step_through(game: AnyGame, header: Header, plies: Sequence[Ply], settings: Settings) -> None:
    """Show the positions of a record with every hand open. Keys step to the next and the previous position."""
    positions = Positions(game, header, plies, settings)
    deals = [step.ply for step in positions.steps if game.deal_over(step.after)]
    with open_screen(positions.view.words, settings) as screen:
        screen.step(positions.draw, len(positions.steps), deals)


def record_svg(game: AnyGame, header: Header, plies: Sequence[Ply], settings: Settings, ply: int | None = None) -> str:
    """A record as SVG: the table after ``ply`` actions, or with ``None`` the whole match as a moving picture.

    Every hand lies open once the match is over; before that there is only what everybody may see."""
    medium = Medium("paper" if settings.theme == "paper" else "felt", four_colours=settings.four_colours)
    is_over = game.outcome(plies[-1].state) is not None
    positions = Positions(game, header, plies, settings._replace(ascii=False), open_hands=is_over)

    def canvas(number: int) -> Canvas:
        drawn = Canvas(COLUMNS, ROWS, medium)
        positions.draw(number).on_canvas(drawn, Asked())
        return drawn

    numbers = range(len(plies)) if ply is None else [ply]
    return svg([canvas(number) for number in numbers], [positions.seconds(number) for number in numbers])
