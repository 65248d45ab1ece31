"""Computer players: they choose an action from what their seat knows, and from nothing else.

    choose = player("strong", game, seconds=0.3)
    action = choose(observation, rng)

    ratings = rate(game, observation, rng)            for hints and reviews: what each action is worth, and why
    why = reasons(game, observation, ratings)

Each game has a module of its own in this package, which offers

- ``by_rule(observation, rng) -> Action``: the move of an experienced casual player, found at once by rules of thumb,
- ``thinker(level, game) -> Thinker``: the player of ``easy``, ``fair`` or ``strong``; that of ``strong`` also rates,
- ``WORK``: the work that a level spends on a choice when its time is not limited,
- ``UNIT``: the unit of ratings, ``win`` for the probability of winning the match or ``points`` for points a deal,
- ``reasons(observation, ratings) -> tuple[Message, ...]``: the reasons for the action rated first,
- ``THEMES``: the themes of exercises, each with the keys of the reasons that belong to the theme.

``default`` plays a game that has no such module. Files whose names begin with a game's name belong to its module. The
games share ``thinking`` (budgets and ratings), ``monte_carlo`` (trials on sampled deals) and ``kernel_race`` (the same
on kernels, also with search trees); ``review`` judges whole matches.
"""

import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import inf
from random import Random
from typing import Any, TypeAlias

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import KINDS, Action, AnyGame, Message, Observation, cards_named, game_class, new_game

LEVELS = ("random", "easy", "fair", "strong")
"""The levels of computers, the weakest first."""

Choose: TypeAlias = Callable[[Observation, Random], Action]
"""A function that chooses one of the legal actions of an observation."""

PLIES_TO_LOAD = 70
"""The number of plies that :func:`load_compiled` plays: enough to call all compiled functions, endings included."""

LOG = logging.getLogger(__name__)


class UnknownLevel(ValueError):
    """The name of an unknown level."""


def module_of(game: AnyGame) -> Any:
    """Return the module of this package that plays a game: its own, or ``default``."""
    name = game.NAME if find_spec(f"cardgames.bots.{game.NAME}") else "default"
    return import_module(f"cardgames.bots.{name}")


def player(level: str, game: AnyGame, seconds: float | None = None) -> Choose:
    """Make a computer for one seat of one match, with at most ``seconds`` of processor time a choice.

    Without ``seconds`` the amount of work is limited instead: then equal observations and random numbers lead to equal
    actions on any machine. Below ``strong`` the work is limited in any case. Raises :class:`UnknownLevel`."""
    if level not in LEVELS:
        raise UnknownLevel(level)
    if level == "random":
        return choose_evenly
    module, match = module_of(game), f"{game.NAME}, {game.seats} players"
    thinker = module.thinker(level, game)  # it may remember earlier observations
    work: int | None = module.WORK[level] if level != "strong" or seconds is None else None

    def choose(observation: Observation, rng: Random) -> Action:
        """Choose a legal action: the rule's if the search fails, which is logged without cards."""
        if len(observation.legal) == 1:
            return observation.legal[0]
        thinks = partial(thinker.choose, budget=Budget(work, seconds))
        for name, choose_by in (("thinking", thinks), ("the rule", module.by_rule)):
            try:
                action: Action = choose_by(observation, rng)
                if action not in observation.legal:
                    raise ValueError(action)
            except Exception:
                LOG.exception("%s failed: %s, seat %d, %s", name, match, observation.seat, observation.phase)
            else:
                return action
        return choose_evenly(observation, rng)

    return choose


def rate(
    game: AnyGame, observation: Observation, rng: Random, seconds: float | None = None, share: float | None = None
) -> tuple[Rating, ...]:
    """Rate the legal actions of an observation as level ``strong``, the best first.

    With ``share`` only this share of its work is spent, and not thoroughly."""
    if len(observation.legal) < 2:
        return tuple([Rating(action, 0.0, inf) for action in observation.legal])
    module = module_of(game)
    work = None if seconds is not None else max(1, round((share or 1.0) * module.WORK["strong"]))
    return tuple(module.thinker("strong", game).rate(observation, rng, Budget(work, seconds, thorough=share is None)))


def reasons(game: AnyGame, observation: Observation, ratings: tuple[Rating, ...]) -> tuple[Message, ...]:
    """The reasons for the action rated first, each true in this position; may be empty."""
    return tuple(module_of(game).reasons(observation, ratings))


def reasons_over(
    game: AnyGame, observation: Observation, ratings: tuple[Rating, ...], other: Rating
) -> tuple[Message, ...]:
    """The reasons for the action rated first that do not hold for ``other`` as well; may be empty."""
    best = ratings[0]
    by_key = {why.key: why for why in reasons(game, observation, ratings)}
    shared = {_without_cards(why) for why in reasons(game, observation, (other, best))}
    result = []
    for why in reasons(game, observation, (best, other)):
        if _without_cards(why) in shared:
            continue
        if {*cards_named(why.args)} & ({*other.action.cards} - {*best.action.cards}):
            result.append(why)  # it compares the cards of both actions
        elif why.key in by_key:
            result.append(by_key[why.key])
    return tuple(result)


def _without_cards(why: Message) -> tuple[object, ...]:
    """The key of a reason, followed by sorted pairs: the names and values of all arguments except cards."""
    args = [(name, str(value)) for name, value in why.args.items() if KINDS.get(name) not in ("card", "cards")]
    return why.key, *sorted(args)


def load_compiled(name: str) -> None:
    """Play some plies, so that processes forked later share the compiled code of a game's computers (100 MB)."""
    from cardgames.kernels.compiling import COMPILES

    game, rng = new_game(name, game_class(name).SEATS[0]), Random(name)
    module, state = module_of(game), game.start()
    thinker = module.thinker("strong", game)
    for _ in range(PLIES_TO_LOAD if COMPILES else 0):
        if (seat := game.to_act(state)) is None:
            break
        if chance := game.chance(state):
            state = game.apply(state, chance.sample(rng))
            continue
        observation = game.observation(state, seat)
        if len(observation.legal) > 1:
            thinker.choose(observation, rng, Budget(None, 0.0))  # no time: the least work that runs the code
            thinker.rate(observation, rng, Budget(None, 0.0, thorough=True))
        state = game.apply(state, module.by_rule(observation, rng))


def choose_evenly(observation: Observation, rng: Random) -> Action:
    """Choose one of the legal actions, each with the same probability."""
    return rng.choice(observation.legal)
