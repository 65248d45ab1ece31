"""Players that choose an action from what their seat knows, and from nothing else."""

from collections.abc import Iterator
from random import Random
from typing import Any

from cardgames.engine.game import CHANCE, Action, AnyGame, Observation
from cardgames.engine.record import Header, action_line, header_line, outcome_line


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


def simulated(game: AnyGame, matches: int, rng: Random) -> Iterator[list[str]]:
    """The records of so many matches between players who choose evenly, each as its lines with their ends."""
    header = Header(game.NAME, game.seats, game.rules.values(), game.dealer, None)
    for _ in range(matches):
        yield [line + "\n" for line in (header_line(header), *_match(game, rng))]


def _match(game: AnyGame, rng: Random) -> Iterator[str]:
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        action = chance.sample(rng) if chance else choose_evenly(game.observation(state, seat), rng)
        state = game.apply(state, action)
        yield action_line(CHANCE if chance else seat, action)
    outcome = game.outcome(state)
    assert outcome is not None
    yield outcome_line(outcome)
