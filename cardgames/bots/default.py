"""Computers for a game that has none of its own: they try each action on sampled deals, played out at random."""

from collections.abc import Mapping
from functools import partial
from random import Random
from statistics import fmean
from typing import Any

from cardgames.bots.monte_carlo import Race
from cardgames.bots.thinking import Budget, Rater, Rating
from cardgames.engine.game import Action, AnyGame, Message, Observation

UNIT = "points"

WORK = {"easy": 8, "fair": 60, "strong": 400}
"""The number of deals played out for a choice, by level."""

THEMES: Mapping[str, tuple[str, ...]] = {}


def by_rule(observation: Observation, rng: Random) -> Action:
    """Choose any legal action, since no rule of thumb fits every game."""
    return rng.choice(observation.legal)


class Sampler(Rater):
    """A player that tries each action on sampled deals, which all seats then play out at random."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def rate(self, observation: Observation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate each action by its mean lead over the opponents at the end of the deal, in points."""
        least, most = self._game.deal_payoff
        usual, guess = by_rule(observation, rng), self._game.sampler(observation)
        race = Race(observation.legal, usual, guess, partial(self._roll_out, observation), doubt=(most - least) / 2)
        return race.run(rng, budget)

    def _roll_out(self, observation: Observation, state: Any, action: Action, rng: Random) -> float:
        """Play an action out; return the points that the seat's side then gains on its opponents in the deal."""
        game, before = self._game, self._game.payoff(state)
        state = game.apply(state, action)
        while not game.deal_over(state):
            chance = game.chance(state)
            state = game.apply(state, chance.sample(rng) if chance else rng.choice(game.legal_actions(state)))
        gained = [after - start for after, start in zip(game.payoff(state), before, strict=True)]
        own_side = next((side for side in observation.deal_sides if observation.seat in side), (observation.seat,))
        by_opponents = [points for seat, points in enumerate(gained, 1) if seat not in own_side]
        return fmean([gained[seat - 1] for seat in own_side]) - (fmean(by_opponents) if by_opponents else 0.0)


def thinker(level: str, game: AnyGame) -> Sampler:
    """Return the player of a level. Levels differ only in ``WORK``, the number of sampled deals."""
    return Sampler(game)


def reasons(observation: Observation, ratings: tuple[Rating, ...]) -> tuple[Message, ...]:
    """Return no reasons, since they would depend on the game."""
    return ()
