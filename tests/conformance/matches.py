"""Matches for the conformance suite: every game there is, with its seats, options and dealers, played by chance; and
those on record, which were chosen because rare things happen in them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

from cardgames.engine.cards import NAMES, SUITS
from cardgames.engine.game import (
    CHANCE,
    GAMES,
    Action,
    AnyGame,
    Event,
    InvalidAction,
    InvalidRules,
    Observation,
    Option,
    game_class,
    new_game,
    options,
)
from cardgames.engine.record import read

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))

PLIES = 50_000
"""No match is as long as this: the longest that random players have been seen to play are a tenth of it."""

SEARCHED = 4_000
"""So many plies of further matches a game are searched for situations that are rare."""

RuleSet: TypeAlias = tuple[tuple[str, bool | int | str], ...]
"""Every option with its value."""


class Setup(NamedTuple):
    """A match to be played, or one on record."""

    name: str
    seats: int
    rules: RuleSet
    dealer: int
    record: str = ""
    """The name of its file without the ending; empty for one to be played."""

    def new(self) -> AnyGame:
        return new_game(self.name, self.seats, dict(self.rules), self.dealer)

    def __str__(self) -> str:
        rules = [f"{key}={value}" for key, value in self.rules]
        return self.record or "-".join([self.name, str(self.seats), *rules, f"d{self.dealer}"])


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


def values_of(option: Option) -> tuple[bool | int | str, ...]:
    """The values that an option is tried with: all, or two small numbers, so that matches are short."""
    if option.words:
        return option.words
    return (False, True) if isinstance(option.default, bool) else (1, 2)


class Rules(NamedTuple):
    """Options with which so many can play."""

    seats: int
    rules: RuleSet


def _possible(name: str) -> Iterator[Rules]:
    """Every number of seats with every set of rules that goes with it."""
    kind = game_class(name)
    every = options(kind.RULES)
    for seats, values in product(kind.SEATS, product(*map(values_of, every))):
        rules = tuple(zip([option.name for option in every], values, strict=True))
        with suppress(InvalidRules):
            kind.RULES.of(dict(rules)).check_seats(seats)
            yield Rules(seats, rules)


def _pairs(seats: int, rules: RuleSet) -> set[RuleSet]:
    """Every two values of a set of rules, the number of seats among them."""
    return set(combinations((("seats", seats), *rules), 2))


@cache
def rule_sets(name: str) -> tuple[Rules, ...]:
    """The defaults with every number of seats, and as few more as it takes for any two values to meet that may: of two
    options, or of an option and the number of seats."""
    kind = game_class(name)
    sets = [Rules(seats, tuple(kind.RULES().values().items())) for seats in kind.SEATS]
    pairs = {found: _pairs(*found) for found in _possible(name)}
    wanted = set().union(*pairs.values()) - set().union(*[_pairs(*found) for found in sets])
    while wanted:
        best = max(pairs, key=lambda found: len(wanted & pairs[found]))
        wanted -= pairs[best]
        sets.append(best)
    return tuple(sets)


def setups(name: str) -> Iterator[Setup]:
    """Every set of rules with its number of seats, and every number of seats with every first dealer."""
    for seats in game_class(name).SEATS:
        sets = [found.rules for found in rule_sets(name) if found.seats == seats]
        for number in range(max(len(sets), seats)):
            yield Setup(name, seats, sets[number % len(sets)], number % seats + 1)


def recorded() -> Iterator[Setup]:
    """The matches on record of the games that are there."""
    for path in RECORDS:
        if path.stem.partition("-")[0] in PRESENT:
            header = read(path.read_bytes().splitlines())[0]
            yield Setup(header.game, header.seats, tuple(header.rules.items()), header.dealer, path.stem)


PLAYED = [setup for name in PRESENT for setup in setups(name)]
SETUPS = [*PLAYED, *recorded()]

TABLES = [
    next(setup for setup in PLAYED if setup.name == name and setup.seats == seats)
    for name in PRESENT
    for seats in game_class(name).SEATS
]
"""One match a game and number of seats, for what is alike under all rules."""


@cache
def of(name: str) -> list[Setup]:
    """The matches of a game."""
    return [setup for setup in SETUPS if setup.name == name]


def choose(game: AnyGame, state: Any, rng: Random, by_kind: bool) -> Action:
    """An action that is legal now; ``by_kind`` evenly among the kinds, so that rare ones are met."""
    clock = game.time_up(state)
    if clock and rng.random() < 0.05:
        return clock
    chance = game.chance(state)
    if chance:
        return chance.sample(rng)
    legal = game.legal_actions(state)
    if by_kind:
        kind = rng.choice(sorted({action.kind for action in legal}))
        legal = tuple(action for action in legal if action.kind == kind)
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
    """The match that the suite looks at; about half of those to be played are played by kind."""
    if not setup.record:
        return play(setup.new(), crc32(str(setup).encode()))
    path = next(path for path in RECORDS if path.stem == setup.record)
    _, game, plies = read(path.read_bytes().splitlines())
    start, *others = plies
    by = tuple([ply.by for ply in others if ply.by is not None])
    actions = tuple([ply.action for ply in others if ply.action is not None])
    return Match(game, (start.state, *[ply.state for ply in others]), by, actions)


class Position(NamedTuple):
    """A ply of a match that is looked at closely."""

    game: AnyGame
    state: Any
    action: Action | None
    """The action that follows in the match; ``None`` at its end."""
    where: str
    """The match and the ply, for whoever reads why a test failed."""


def _situations(found: Match) -> Iterator[set[object]]:
    """For each ply of a match what is particular about it: rules and seats with the phase, and, with each kind of
    action since the cards were dealt, the phase, the kind of action that comes now, and the phase after that."""
    game, states, _, actions = found
    phases = [game.observation(state, CHANCE).phase for state in states]
    before = {""}
    for ply, phase in enumerate(phases):
        now = (phase, actions[ply].kind, phases[ply + 1]) if ply < len(actions) else (phase,)
        yield {(game.seats, game.rules, phase), *[(kind, *now) for kind in before]}
        if ply < len(actions):
            before = {"", actions[ply].kind} if actions[ply].kind == "deal" else before | {actions[ply].kind}


def _searched(name: str) -> Iterator[tuple[str, Match]]:
    """The matches of a game, and further ones, played by kind, that are searched for what is rare."""
    for setup in of(name):
        yield str(setup), match(setup)
    played = [setup for setup in of(name) if not setup.record]
    searched = seed = 0
    while searched < SEARCHED:
        setup, seed = played[seed % len(played)], seed + 1
        found = play(setup.new(), 2 * seed + 1)
        searched += len(found.states)
        yield f"{setup} seed {2 * seed + 1}", found


@cache
def positions(name: str) -> tuple[Position, ...]:
    """Few plies of many matches of a game, in which every situation of all of them is met: a card played after a
    kieker was taken over by hold, say, as well as the first card of a match."""
    situations: list[set[object]] = []
    places: list[Position] = []
    for where, found in _searched(name):
        situations += _situations(found)
        for ply, (state, action) in enumerate(zip(found.states, (*found.actions, None), strict=True)):
            places.append(Position(found.game, state, action, f"{where} ply {ply}"))
    often = Counter(situation for some in situations for situation in some)
    by_situation: dict[object, list[int]] = {}
    for place, some in enumerate(situations):
        for situation in some:
            by_situation.setdefault(situation, []).append(place)
    met: set[object] = set()
    chosen = []
    for situation in sorted(often, key=lambda situation: (often[situation], str(situation))):
        if situation not in met:
            place = max(by_situation[situation], key=lambda place: len(situations[place] - met))
            met |= situations[place]
            chosen.append(place)
    return tuple([places[place] for place in sorted(chosen)])


@cache
def known_actions(name: str) -> tuple[Action, ...]:
    """Actions of a game: those of the suite's matches, a deal and a draw among them, what may be chosen or was thought
    of and refused at the positions, and all these in other suits."""
    found: dict[str, Action] = {}
    for setup in of(name):
        actions = match(setup).actions
        found |= {action.text: action for action in actions if action.kind != "deal"}
    for here in positions(name):
        if seat := here.game.to_act(here.state):
            seen = here.game.observation(here.state, seat)
            found |= {action.text: action for action in seen.legal}
            found |= {action.text: action for action, _ in seen.refused}
    game = match(of(name)[0]).game
    deal = " ".join(["deal", *[NAMES[card] for card in game.pack]])
    for text in list(found):
        for turn in range(1, len(SUITS)):
            with suppress(InvalidAction):
                other = game.parse(text.translate(str.maketrans(SUITS, SUITS[turn:] + SUITS[:turn])))
                found.setdefault(other.text, other)
    return (game.parse(deal), *found.values())


class Guess(NamedTuple):
    """The observation of a seat at a position, and another state that looks the same to it."""

    here: Position
    seat: int
    known: Observation
    other: Any


@cache
def guesses(name: str) -> tuple[Guess, ...]:
    """For the positions of a game and every seat, the match as it may be as far as that seat knows."""
    rng = Random(name)
    found = []
    for here in positions(name):
        for seat in range(1, here.game.seats + 1):
            known = here.game.observation(here.state, seat)
            found += [Guess(here, seat, known, here.game.resample(known, rng)) for _ in range(2)]
    return tuple(found)


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
