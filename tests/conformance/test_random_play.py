"""Matches at random, the quick way: each is the match that the engine plays, whatever the options and seats."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, GAMES, AnyGame
from cardgames.engine.hidden import shuffled
from cardgames.kernels import kernel
from cardgames.random_play import Draw, RandomMatch, Uniform, quick

from .matches import PLAYED, Match, Setup, match, recorded

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


def _by_the_clock(found: Match) -> bool:
    """Whether the table has ended a game because its time was up, as it does in no match at random."""
    return any(action == found.game.clock(state) for state, action in zip(found.states, found.actions, strict=False))


ON_RECORD = [setup for setup in recorded() if quick(setup.new()) and not _by_the_clock(match(setup))]


@pytest.mark.parametrize("setup", ON_RECORD, ids=str)
def test_the_quick_way_comes_to_the_end_that_is_on_record(setup: Setup) -> None:
    """With numbers that choose what was played: it was chosen because chance alone hardly ever brings it about."""
    game, states, by, actions = match(setup)
    decided: list[Sequence[Any]] = []
    numbers: list[float] = []
    for seat, state, action in zip(by, states, actions, strict=False):
        legal = game.legal_actions(state)
        if seat == CHANCE:
            decided.append(action.cards or action.args)
        elif len(legal) > 1:
            numbers.append((legal.index(action) + 0.5) / len(legal))
    play = quick(game)
    assert play is not None
    chance, choices = iter(decided), iter(numbers)
    end = play(game, lambda kind, items, number: next(chance), lambda: next(choices))
    assert end.outcome == game.outcome(states[-1])
    assert end.payoff == game.payoff(states[-1])
    assert end.actions == len(actions)


def test_every_game_has_a_quick_way() -> None:
    assert {setup.name for setup in QUICK} | {name for name in GAMES if kernel(name)} == set(GAMES)
