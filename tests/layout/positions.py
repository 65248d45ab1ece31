"""Positions of any game, what a seat sees of them, and how it is asked."""

from typing import TypeVar

from cardgames.engine.game import Action, AnyGame
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from cardgames.layout.scene import Scene

S = TypeVar("S")


def do(game: AnyGame, state: S, *moves: str | Action) -> S:
    """The state after some moves."""
    for move in moves:
        state = game.apply(state, game.parse(move) if isinstance(move, str) else move)
    return state


def seen(game: AnyGame, state: object, seat: int) -> Scene:
    """The table as a seat sees it."""
    return layout_of(game.NAME).scene(game.observation(state, seat))


def asked(game: AnyGame, state: object) -> Question:
    """How whoever is to act is asked."""
    seat = game.to_act(state)
    assert seat
    return layout_of(game.NAME).question(game.observation(state, seat))
