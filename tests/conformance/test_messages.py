"""Everything a game says is a message key, with arguments of the right type, which every language has a message for;
and every message there is, is said somewhere."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import NamedTuple

import pytest

from cardgames.engine.cards import RANKS, SUITS
from cardgames.engine.game import (
    GAMES,
    KINDS,
    Event,
    IllegalAction,
    InvalidAction,
    InvalidRules,
    Message,
    Value,
    game_class,
    new_game,
    options,
)
from cardgames.engine.record import RecordError, read
from cardgames.texts import LANGUAGES, messages, template
from tests.games import expected

from .matches import PRESENT, TABLES, known_actions, match, of, positions, told, values_of
from .test_records import written

OF_OTHERS = re.compile(
    r"event\.undone|reason\.((store|database|seat|join|duplicate)_\w+|match_(unknown|held|held_elsewhere|taken)|"
    r"bad_name|same_names|nothing_chosen)"
)
"""Messages in the shared catalogue that no game says: an undo is the match's, and the reasons are the store's, which
is stricter with names than a reader, a table's with several terminals, or the screen's."""


class Said(NamedTuple):
    """A message as a game says it."""

    key: str
    """Its key in the catalogues: ``event.KEY``, ``reason.KEY``, ``why.KEY``."""
    args: Mapping[str, Value]
    audience: tuple[int, ...] | None
    seats: int


def events(name: str) -> Iterator[Said]:
    """Every event in the matches and at the positions of a game, and the reasons why the matches ended."""
    for setup in of(name):
        game, states, _, actions = match(setup)
        for state, action in zip(states, actions, strict=False):
            for event in told(game, state, action)[1]:
                assert type(event) is Event
                yield Said(f"event.{event.key}", event.args, event.audience, game.seats)
        outcome = game.outcome(states[-1])
        assert outcome
        assert type(outcome.why) is Message
        yield Said(f"why.{outcome.why.key}", outcome.why.args, None, game.seats)
    for here in positions(name):
        for event in told(here.game, here.state, here.action)[1] if here.action else ():
            yield Said(f"event.{event.key}", event.args, event.audience, here.game.seats)


def refusals(name: str) -> Iterator[Said]:
    """Why actions of a game are refused: every one that is known, at every position, and chance's wrong ones."""
    for here in positions(name):
        chance = here.game.chance(here.state)
        wrong = [chance.action(chance.items[:number]) for number in (1, chance.number - 1)] if chance else []
        for action in (*wrong, *known_actions(name)):
            try:
                here.game.apply(here.state, action)
            except IllegalAction as error:
                yield Said(f"reason.{error.reason.key}", error.reason.args, None, here.game.seats)


@cache
def said(name: str) -> tuple[Said, ...]:
    """Every message of a game in the suite's matches, once with each value of its arguments."""
    return tuple({(one.key, str(one.args)): one for one in (*events(name), *refusals(name))}.values())


SPOILT = ("", "{", "[]", '{"by":1,"by":1}', '{"act":"pass"}', '{"by":"1"}', '{"by":0,"act":1}', '{"by":1,"act":"?"}')
"""Lines that no record has."""


def spoilt(lines: list[str]) -> Iterator[list[str]]:
    """Records that are wrong in one way each, made of one that is right."""
    header, *actions, outcome = lines
    yield []
    for line in SPOILT:
        yield [line, *actions]
        yield [header, line, *actions]
    for key in ("record", "game", "rules", "names", "seats", "dealer"):
        yield [re.sub(f'"{key}":("[^"]*"|\\d+|\\{{[^}}]*\\}}|\\[[^]]*\\])', f'"{key}":true', header)]
    yield [header.replace("cardgames/1", "cardgames/2")]
    yield [header, outcome]
    yield [header, *actions]
    yield [header, *actions, outcome, outcome]
    yield [header, *actions, re.sub(r'"scores":\[[^]]*\]', '"scores":[]', outcome)]
    yield [header, *actions, '{"outcome":[]}']
    yield [header, actions[0], actions[0].replace('"by":0', '"by":9')]


def shared() -> Iterator[Said]:
    """Why records and games are refused, whatever the game."""
    setup = TABLES[0]
    for lines in spoilt(written(setup, match(setup), tuple("ABCDEF"[: setup.seats]))):
        try:
            for _ in read([line.encode() for line in lines])[2]:
                pass
        except RecordError as error:
            yield Said(f"reason.{error.reason.key}", error.reason.args, None, setup.seats)
    for name in ("no_such_game", *PRESENT):
        every = ["no_such_option", *(dict(of(name)[0].rules) if name in PRESENT else ())]
        wrong: list[dict[str, object]] = [{option: None} for option in every]
        known = options(game_class(name).RULES) if name in PRESENT else ()
        single: list[dict[str, object]] = [{option.name: value} for option in known for value in values_of(option)]
        for rules in ({}, *wrong, *single):
            for seats, dealer in ((2, 0), (4, 5), (0, 1), (2, 1), (6, 1)):
                try:
                    new_game(name, seats, rules, dealer)
                except InvalidRules as error:
                    yield Said(f"reason.{error.reason.key}", error.reason.args, None, 6)
    for name in PRESENT:
        for one in said(name):
            if one.key not in messages(LANGUAGES[0], name):
                yield one
        try:
            of(name)[0].new().parse("?")
        except InvalidAction as invalid:
            yield Said(f"reason.{invalid.reason.key}", invalid.reason.args, None, 6)


def is_card(value: object) -> bool:
    return type(value) is int and 0 <= value < 52


def well_typed(name: str, value: object, seats: int) -> bool:
    """Whether an argument is of the kind that is declared (``KINDS``); any that holds cards or seats is."""
    match KINDS.get(name):
        case "seat":
            return type(value) is int and 0 <= value <= seats
        case "seats":
            return type(value) is tuple and all(type(seat) is int and 1 <= seat <= seats for seat in value)
        case "card":
            return is_card(value)
        case "cards":
            return type(value) is tuple and all(map(is_card, value))
        case "suit":
            return type(value) is str and len(value) == 1 and value in SUITS
        case "rank":
            return type(value) is str and len(value) == 1 and value in RANKS
        case None if name.endswith(("card", "cards", "seat", "seats", "suit", "rank")):
            return False
    if type(value) is tuple:
        return all(type(one) is int for one in value) or all(type(one) is str for one in value)
    return type(value) in (int, str)


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_said_is_well_typed(name: str) -> None:
    for key, args, audience, seats in said(name):
        assert re.fullmatch(r"(event|reason|why)\.[a-z0-9_]+", key)
        for argument, value in args.items():
            assert well_typed(argument, value, seats), f"{key} with {argument}={value!r}"
        if audience is not None:
            assert type(audience) is tuple
            assert audience
            assert len(set(audience)) == len(audience)
            assert set(audience) <= set(range(seats + 1))


def arguments(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESENT)
def test_every_message_exists_and_uses_given_arguments(name: str, language: str) -> None:
    for one in said(name):
        assert arguments(template(language, name, one.key)) <= set(one.args), one.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_every_game_says_has_a_message(language: str) -> None:
    for one in shared():
        assert arguments(template(language, None, one.key)) <= set(one.args), one.key


@pytest.mark.parametrize("name", PRESENT)
def test_every_message_of_a_game_is_said(name: str) -> None:
    there = {key for key in messages(LANGUAGES[0], name) if key.startswith(("event.", "reason.", "why."))}
    seldom = expected(name).seldom
    assert seldom <= there
    unsaid = sorted(there - seldom - {one.key for one in said(name)})
    assert not unsaid, "no position of the suite says these: say them there, or list them as seldom and test each"


def test_every_event_and_reason_that_games_share_is_given() -> None:
    there = {key for key in messages(LANGUAGES[0], "common") if key.startswith(("event.", "reason."))}
    ours = {key for key in there if not OF_OTHERS.fullmatch(key)}
    assert sorted(ours - {one.key for one in shared()}) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_question_and_kind_of_action_has_a_message(name: str, language: str) -> None:
    for here in positions(name):
        if seat := here.game.to_act(here.state):
            seen = here.game.observation(here.state, seat)
            keys = [f"ask.{seen.phase}", *[f"action.{action.kind}" for action in seen.legal]]
            keys += [f"action.{action.kind}" for action, _ in seen.refused]
            for key in keys:
                assert template(language, name, key), here.where
