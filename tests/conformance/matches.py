"""Matches for the conformance suite: every game there is, with its seats, options and dealers, played by chance."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from cardgames.engine.game import (
    CHANCE,
    GAMES,
    Action,
    AnyGame,
    Event,
    Observation,
    Option,
    game_class,
    new_game,
    options,
)

PLIES = 50_000
"""No match is as long as this: the longest that random players have been seen to play are a tenth of it."""


class Setup(NamedTuple):
    """A match to be played."""

    name: str
    seats: int
    rules: tuple[tuple[str, bool | int | str], ...]
    dealer: int

    def new(self) -> AnyGame:
        return new_game(self.name, self.seats, dict(self.rules), self.dealer)

    def __str__(self) -> str:
        rules = [f"{key}={value}" for key, value in self.rules]
        return "-".join([self.name, str(self.seats), *rules, f"d{self.dealer}"])


class Match(NamedTuple):
    """A match that has been played: in ``states[i]`` ``by[i]`` does ``actions[i]``; one state more is the end."""

    game: AnyGame
    states: tuple[Any, ...]
    by: tuple[int, ...]
    actions: tuple[Action, ...]


def _present() -> tuple[str, ...]:
    """The games that can be imported; that all can is a test of its own (test_games.py)."""
    found = []
    for name in GAMES:
        try:
            game_class(name)
        except Exception:  # one broken game shall not hide what is wrong with the others
            continue
        found.append(name)
    return tuple(found)


PRESENT = _present()


def _values(option: Option, small: int) -> tuple[bool | int | str, ...]:
    if option.words:
        return option.words
    return (False, True) if isinstance(option.default, bool) else (small,)


@cache
def rule_sets(name: str) -> tuple[tuple[tuple[str, bool | int | str], ...], ...]:
    """The defaults, and every boolean both ways with every word; numbers are 1, 2 or 3, so that matches are short."""
    found = game_class(name).RULES
    every = options(found)
    sets = [tuple(found().values().items())]
    for small in (1, 2, 3):
        choices = [_values(option, (small + place) % 3 + 1) for place, option in enumerate(every)]
        for values in product(*choices):
            rules = tuple(zip([option.name for option in every], values, strict=True))
            if rules not in sets:
                sets.append(rules)
    return tuple(sets)


def setups(name: str) -> Iterator[Setup]:
    """Every number of seats with every set of rules and every first dealer."""
    for seats in game_class(name).SEATS:
        for rules in rule_sets(name):
            for dealer in range(1, seats + 1):
                yield Setup(name, seats, rules, dealer)


SETUPS = [setup for name in PRESENT for setup in setups(name)]

TABLES = [
    next(setup for setup in SETUPS if setup.name == name and setup.seats == seats)
    for name in PRESENT
    for seats in game_class(name).SEATS
]
"""One match a game and number of seats, for what is alike under all rules."""


def choose(game: AnyGame, state: Any, rng: Random, by_kind: bool) -> Action:
    """An action that is legal now; ``by_kind`` evenly among the kinds, so that rare ones are met."""
    clock = game.clock(state)
    if clock and rng.random() < 0.05:
        return clock
    chance = game.chance(state)
    if chance:
        return chance.sample(rng)
    legal = game.legal_actions(state)
    if by_kind:
        kind = rng.choice(sorted({action.kind for action in legal}))
        legal = [action for action in legal if action.kind == kind]
    return rng.choice(legal)


def play(game: AnyGame, seed: int) -> Match:
    """The match of a seed: an odd one plays by kind."""
    rng = Random(seed)
    state = game.start()
    states: list[Any] = [state]
    by: list[int] = []
    actions: list[Action] = []
    while game.to_act(state) is not None:
        assert len(actions) < PLIES, "the match does not end"
        action = choose(game, state, rng, by_kind=seed % 2 == 1)
        actor = game.actor(state, action)
        assert actor is not None
        state = game.apply(state, action)
        states.append(state)
        by.append(actor)
        actions.append(action)
    return Match(game, tuple(states), tuple(by), tuple(actions))


@cache
def match(setup: Setup) -> Match:
    """The match that the suite looks at; about half of them are played by kind."""
    return play(setup.new(), crc32(str(setup).encode()))


@cache
def plies(setup: Setup, each: int = 2) -> tuple[int, ...]:
    """Some plies of :func:`match`: ``each`` of every phase, the start and the end among them."""
    game, states, _, _ = match(setup)
    found: dict[str, list[int]] = {}
    for ply, state in enumerate(states):
        found.setdefault(game.observation(state, CHANCE).phase, []).append(ply)
    rng = Random(str(setup))
    chosen = {0, len(states) - 1}
    for some in found.values():
        chosen.update(rng.sample(some, min(each, len(some))))
    return tuple(sorted(chosen))


class Guess(NamedTuple):
    """A state, a seat, what it knows, and another state that looks the same to it."""

    state: Any
    seat: int
    known: Observation
    other: Any


@cache
def guesses(setup: Setup) -> tuple[Guess, ...]:
    """For some plies and every seat, the match as it may be as far as that seat knows."""
    game, states, _, _ = match(setup)
    rng = Random(str(setup))
    found = []
    for ply in plies(setup):
        for seat in range(1, setup.seats + 1):
            known = game.observation(states[ply], seat)
            found += [Guess(states[ply], seat, known, game.resample(known, rng)) for _ in range(2)]
    return tuple(found)


@cache
def pack(name: str) -> Counter[int]:
    """The cards of a game: those that its first deal deals."""
    actions = match(next(setup for setup in SETUPS if setup.name == name)).actions
    return Counter(next(action.cards for action in actions if action.kind == "deal"))


def in_hands(game: AnyGame, state: Any) -> Counter[int]:
    """How often each card is in somebody's hand."""
    return Counter(card for hand in game.hands(state) for card in hand)


def told(game: AnyGame, state: Any, action: Action) -> tuple[Any, list[Event]]:
    """The state after ``action`` and what was told meanwhile."""
    events: list[Event] = []
    return game.apply(state, action, events.append), events


def heard(events: list[Event], seat: int) -> list[Event]:
    """Those of ``events`` that ``seat`` learns of."""
    return [event for event in events if event.audience is None or seat in event.audience]
