"""How somebody is asked at a position of any game."""

from cardgames.engine.game import AnyGame
from cardgames.layout import layout_of
from cardgames.layout.question import Question


def asked(game: AnyGame, state: object) -> Question:
    """How whoever is to act is asked."""
    seat = game.to_act(state)
    assert seat
    return layout_of(game.NAME).question(game.observation(state, seat))
