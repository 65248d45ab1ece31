"""Computer players: they choose an action from what their seat knows, and from nothing else.

    choose = player("strong", game, seconds=0.3)
    action = choose(observation, rng)

Each game has a module of its own here, which offers

- ``thinker(level, game) -> Thinker``: how ``easy``, ``fair`` and ``strong`` rate their moves (see :mod:`.thinking`),
- ``by_rule(observation, rng) -> Action``: the move of an experienced casual player, found at once by rules of thumb,
- ``WORK``: how much work each level spends on a choice when its time is not limited,
- ``UNIT``: what ratings count, ``win`` for the chance to win the match or ``points`` a deal.
"""

from importlib import import_module
from random import Random
from typing import Any

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action, AnyGame, Observation

LEVELS = ("random", "easy", "fair", "strong")
"""How well a computer plays, from the weakest on."""


class UnknownLevel(ValueError):
    """A level that there is not."""


class Player:
    """A computer in one seat of one match; it may keep what it has worked out from observations between its moves."""

    def __init__(self, level: str, game: AnyGame, seconds: float | None) -> None:
        """For :func:`player` alone."""
        self._seconds = seconds
        module: Any = None if level == "random" else import_module(f"cardgames.bots.{game.NAME}")
        self._thinker = module and module.thinker(level, game)
        self._work = module.WORK[level] if module else 0

    def __call__(self, observation: Observation, rng: Random) -> Action:
        """One of the legal actions; the only one there is at once."""
        if len(observation.legal) == 1:
            return observation.legal[0]
        if self._thinker is None:
            return choose_evenly(observation, rng)
        return self.rate(observation, rng)[0].action

    def rate(self, observation: Observation, rng: Random) -> tuple[Rating, ...]:
        """How this player rates the legal actions of an observation that has several, the best first."""
        found: tuple[Rating, ...] = self._thinker.rate(observation, rng, Budget(self._work, self._seconds))
        return found


def player(level: str, game: AnyGame, seconds: float | None = None) -> Player:
    """A computer that plays ``game`` at one of the ``LEVELS``, with at most ``seconds`` a move.

    Without ``seconds`` its thinking is counted in work: then the same observation and the same state of the random
    numbers lead to the same action on any machine. Raises :class:`UnknownLevel`.
    """
    if level not in LEVELS:
        raise UnknownLevel(level)
    return Player(level, game, seconds)


def choose_evenly(observation: Observation, rng: Random) -> Action:
    """One of the legal actions, each equally likely."""
    return rng.choice(observation.legal)


def choose_by_trying(game: AnyGame, observation: Observation, rng: Random, tries: int = 240) -> Action:
    """The legal action that goes best for the seat, as far as so many tries tell.

    Each try guesses what the seat does not know and lets everybody choose evenly until the deal is over. Nothing comes
    in but the observation.
    """
    if len(observation.legal) == 1:
        return observation.legal[0]
    each = max(1, tries // len(observation.legal))
    sample = game.sampler(observation)
    worth = [
        sum(_tried(game, sample(rng), action, observation.seat, rng) for _ in range(each))
        for action in observation.legal
    ]
    return observation.legal[worth.index(max(worth))]


def _tried(game: AnyGame, state: Any, action: Action, seat: int, rng: Random) -> float:
    """How far ``seat`` is ahead of the average once this deal is played out."""
    state = game.apply(state, action)
    while not game.deal_over(state):
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    payoff = game.payoff(state)
    return payoff[seat - 1] - sum(payoff) / len(payoff)
