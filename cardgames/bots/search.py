"""Looking ahead where cards are hidden: information set Monte Carlo tree search over guesses of what is not known.

Each pass guesses a state that fits the observation, walks down the tree by the actions that are legal in it, adds one
node, and plays the rest of the deal by a rule of the game. A node belongs to what the players have done, not to a
state, so that one tree serves all guesses (single-observer ISMCTS, after Cowling, Powley and Whitehouse 2012).
"""

from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any, TypeAlias

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action, AnyGame, Observation

RollOut: TypeAlias = Callable[[Any, Random], Sequence[float]]
"""Plays a state to the end of its deal, or judges it, and returns what that is worth to each seat."""


DOUBT = 0.5
"""How far a single pass may be from the truth, as far as is known before any: chances to win are judged."""


class Node:
    """A position of the search tree, with the tries that went through it."""

    __slots__ = ("children", "offered", "squares", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.offered = 0
        """How often it could have been chosen."""
        self.total = 0.0
        """The sum of what it brought to the seat that chose it."""
        self.squares = 0.0
        self.children: dict[Action, Node] = {}


def search(
    game: AnyGame, observation: Observation, rng: Random, budget: Budget, roll_out: RollOut, exploration: float
) -> tuple[Rating, ...]:
    """The ratings of the legal actions, the best first, after as many passes as ``budget`` allows.

    There are at least as many passes as actions.
    ``exploration`` is the weight of the doubt about a rarely tried action, in the unit of what ``roll_out`` returns.
    """
    draw = game.sampler(observation)
    root = Node()
    passes = 0
    while budget.spend() or passes < len(observation.legal):
        _pass(game, root, draw(rng), rng, roll_out, exploration)
        passes += 1
    return _ratings(root, observation.legal)


def _pass(game: AnyGame, node: Node, state: Any, rng: Random, roll_out: RollOut, exploration: float) -> None:
    """One walk down the tree and back."""
    path: list[tuple[Node, int]] = []
    while not game.deal_over(state):
        legal = game.legal_actions(state)
        seat = game.to_act(state)
        assert seat
        if len(legal) == 1:
            state = game.apply(state, legal[0])
            continue
        children = node.children
        fresh = [action for action in legal if action not in children]
        action = rng.choice(fresh) if fresh else _choose(children, legal, exploration)
        for other in legal:
            if other in children:
                children[other].offered += 1
        if fresh:
            children[action] = Node()
            children[action].offered = 1
        node = children[action]
        path.append((node, seat))
        state = game.apply(state, action)
        if fresh:
            break
    worth = roll_out(state, rng)
    for node, seat in path:
        value = worth[seat - 1]
        node.visits += 1
        node.total += value
        node.squares += value * value


def _choose(children: dict[Action, Node], legal: Sequence[Action], exploration: float) -> Action:
    """The action whose mean and doubt together are highest (UCB1, with how often it was on offer)."""
    best, most = legal[0], -1e9
    for action in legal:
        node = children[action]
        bound = node.total / node.visits + exploration * sqrt(log(node.offered + 1) / node.visits)
        if bound > most:
            best, most = action, bound
    return best


def _ratings(root: Node, legal: Sequence[Action]) -> tuple[Rating, ...]:
    """The most tried first, which is the one to choose; an action that was never tried comes last."""
    found = []
    for action in legal:
        node = root.children.get(action) or Node()
        count = max(node.visits, 1)
        mean = node.total / count
        spread = max(node.squares - count * mean * mean, 0.0) + DOUBT * DOUBT  # as if one more had been seen
        error = sqrt(spread) / count if node.visits else inf
        found.append((node.visits, Rating(action, mean, error)))
    found.sort(key=lambda tried: (-tried[0], -tried[1].value))
    return tuple([rating for _, rating in found])
