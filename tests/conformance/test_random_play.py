"""Matches at random, the quick way: each is the match that the engine plays, whatever the options and seats."""

from collections.abc import Sequence
from random import Random

import pytest

from cardgames.engine.game import CHANCE, GAMES, AnyGame
from cardgames.engine.hidden import shuffled
from cardgames.random_play import Draw, RandomMatch, Uniform, quick

from .matches import PLAYED, Setup

QUICK = [setup for setup in PLAYED if quick(setup.new())]


def by_engine(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match at random, state by state."""
    state = game.start()
    actions = deals = 0
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            action = chance.action(draw(*chance))
            deals += not chance.is_seating
        else:
            legal = game.legal_actions(state)
            action = legal[int(uniform() * len(legal))] if len(legal) > 1 else legal[0]
        state = game.apply(state, action)
        actions += 1
    outcome = game.outcome(state)
    assert outcome is not None
    return RandomMatch(outcome, game.payoff(state), deals, actions)


@pytest.mark.parametrize("setup", QUICK, ids=str)
def test_the_quick_way_is_the_match_of_the_engine(setup: Setup) -> None:
    game = setup.new()
    play = quick(game)
    assert play is not None
    for seed in range(6):
        asked: list[list[tuple[str, Sequence[int], int]]] = [[], []]
        ends = []
        for way, questions in zip((by_engine, play), asked, strict=True):
            choices, cards = Random(seed), Random(f"cards {seed}")

            def draw(kind: str, items: Sequence[int], number: int) -> Sequence[int]:
                questions.append((kind, tuple(items), number))  # noqa: B023 (called in this turn of the loop)
                return shuffled(items, cards)[:number]  # noqa: B023

            ends.append((way(game, draw, choices.random), choices.random()))
        assert ends[0] == ends[1], seed
        assert asked[0] == asked[1], f"chance was asked something else: {seed}"


def test_every_game_has_a_quick_way() -> None:
    assert {setup.name for setup in QUICK} == set(GAMES)
