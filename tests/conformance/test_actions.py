"""Legal actions can be done, others are refused with a reason, and notation is exact."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, IllegalAction, InvalidAction, Message

from .matches import PRESENT, SETUPS, TABLES, Position, Setup, known_actions, match, of, positions


def some_actions(here: Position) -> Iterator[Action]:
    """Actions that are not legal at a position: some of every kind of the game, and more of those known."""
    rng = Random(here.where)
    name = here.game.NAME
    found = set(rng.sample(known_actions(name), min(40, len(known_actions(name)))))
    for some in by_kind(name).values():
        found.update(rng.sample(some, min(4, len(some))))
    chance = here.game.chance(here.state)
    listed = {*here.game.legal_actions(here.state), here.game.time_up(here.state)}
    for action in sorted(found - listed):
        if not (chance and action.kind == chance.kind):
            yield action


@cache
def by_kind(name: str) -> dict[str, list[Action]]:
    """The known actions of a game by their kind."""
    kinds: dict[str, list[Action]] = {}
    for action in known_actions(name):
        kinds.setdefault(action.kind, []).append(action)
    return kinds


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_legal_actions_are_listed_once(setup: Setup) -> None:
    game, states, by, actions = match(setup)
    for state in states:
        legal = game.legal_actions(state)
        assert bool(legal) == (game.to_act(state) not in (CHANCE, None))
        assert len({action.text for action in legal}) == len(legal)
    for state, seat, action in zip(states, by, actions, strict=False):
        assert seat == game.actor(state, action)
        assert seat == CHANCE or action in game.legal_actions(state)


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_legal_can_be_done(name: str) -> None:
    for here in positions(name):
        for action in here.game.legal_actions(here.state):
            assert here.game.actor(here.state, action) == here.game.to_act(here.state)
            here.game.apply(here.state, action)


@pytest.mark.parametrize("name", PRESENT)
def test_notation_is_parsed_to_the_same_action(name: str) -> None:
    actions = {action for setup in of(name) for action in match(setup).actions}
    for here in positions(name):
        actions.update(here.game.legal_actions(here.state))
    game = of(name)[0].new()
    for action in actions:
        assert game.parse(action.text) == action
        assert action.text.isascii()
        assert action.text.isprintable()
        assert action.text.split(" ") == action.text.split(), "words are separated by one space"
        assert re.findall(r"[2-9TJQKA][SHDC]", action.text) == [NAMES[card] for card in action.cards]


def refuse(here: Position, action: Action) -> Message:
    """The reason why ``action`` is refused; nothing is told of it."""
    events: list[Event] = []
    with pytest.raises(IllegalAction) as refused:
        here.game.apply(here.state, action, events.append)
    assert events == []
    assert isinstance(refused.value.reason, Message)
    assert refused.value.reason.key
    return refused.value.reason


@pytest.mark.parametrize("name", PRESENT)
def test_any_other_action_is_refused_and_changes_nothing(name: str) -> None:
    for here in positions(name):
        before = hash(here.state), repr(here.state)
        for action in some_actions(here):
            refuse(here, action)
        assert before == (hash(here.state), repr(here.state))


@pytest.mark.parametrize("name", PRESENT)
def test_the_reason_of_a_refusal_follows_from_what_the_seat_knows(name: str) -> None:
    for here in positions(name):
        if seat := here.game.to_act(here.state):
            seen = here.game.observation(here.state, seat)
            for action in some_actions(here):
                assert seen.refusal(action) == refuse(here, action), f"{action.text} at {here.where}"


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_greyed_is_refused_with_the_same_reason(name: str) -> None:
    for here in positions(name):
        if seat := here.game.to_act(here.state):
            seen = here.game.observation(here.state, seat)
            assert len({action.text for action, _ in seen.refused}) == len(seen.refused)
            for action, reason in seen.refused:
                assert action not in seen.legal
                assert here.game.parse(action.text) == action
                assert refuse(here, action) == reason


@pytest.mark.parametrize("name", PRESENT)
def test_chance_deals_nothing_but_what_it_has(name: str) -> None:
    for here in positions(name):
        chance = here.game.chance(here.state)
        if chance:
            sample = chance.sample(Random(here.where))
            right = tuple(map(int, sample.args)) or sample.cards
            others = [item for item in range(1, 52) if item not in chance.items]
            wrong = [right[:-1], right[1:], (*right, right[0]), (), (*right[:-1], *others[:1]) if others else ()]
            if right[0] != right[-1]:
                wrong.append((*right[:-1], right[0]))
            for chosen in wrong:
                refuse(here, chance.action(chosen))
            assert here.game.parse(chance.action(right).text) == chance.action(right)
            here.game.apply(here.state, chance.action(right))


@pytest.mark.parametrize("name", PRESENT)
def test_the_clock_is_chance_and_can_be_done(name: str) -> None:
    met = False
    for here in positions(name):
        clock = here.game.time_up(here.state)
        if clock:
            met = True
            assert here.game.actor(here.state, clock) == CHANCE
            assert here.game.parse(clock.text) == clock
            here.game.apply(here.state, clock)
    assert met == of(name)[0].new().HAS_TIME_LIMIT, "a game has a clock if it says so"


SPELLINGS = (
    str.lower,
    str.upper,
    lambda text: text + " ",
    lambda text: " " + text,
    lambda text: text + "\n",
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace(" ", "\t"),
    lambda text: text.replace(" ", ""),
    lambda text: " ".join(reversed(text.split(" "))),
    lambda text: text[:-1],
    lambda text: text * 2,
    lambda text: text.replace("T", "10"),
    lambda text: text.replace("2", "２").replace("3", "３"),
    lambda text: text.replace("S", "♠"),
)


@pytest.mark.parametrize("name", PRESENT)
def test_another_spelling_is_another_action_or_none(name: str) -> None:
    game = of(name)[0].new()
    for action in known_actions(name):
        for spell in SPELLINGS:
            check_spelling(game, spell(action.text))


def check_spelling(game: AnyGame, text: str) -> None:
    """``text`` is no action, or one that is written exactly so."""
    reason = None
    try:
        action = game.parse(text)
    except InvalidAction as error:
        reason = error.reason
    if reason:
        assert reason == ("not_an_action", {"text": text})
    else:
        assert action.text == text
        assert text.split(" ") == text.split()


@cache
def known_words(name: str) -> list[str]:
    return sorted({word for action in known_actions(name) for word in action.text.split(" ")})


@pytest.mark.parametrize("name", PRESENT)
@given(data=st.data())
def test_whatever_is_typed_is_an_action_or_refused(name: str, data: st.DataObject) -> None:
    """Words put together by chance: parsing raises nothing but InvalidAction, applying nothing but IllegalAction."""
    setup = data.draw(st.sampled_from([setup for setup in TABLES if setup.name == name]))
    game, states, _, _ = match(setup)
    text = data.draw(
        st.one_of(
            st.lists(st.sampled_from(known_words(name)), min_size=1, max_size=8).map(" ".join),
            st.text("AKQJT98765432SHDC +>()dealbidmrg", max_size=12),
            st.text(max_size=8),
        )
    )
    check_spelling(game, text)
    state = states[data.draw(st.integers(0, len(states) - 1))]
    try:
        action = game.parse(text)
        game.apply(state, action)
    except InvalidAction:
        return
    except IllegalAction:
        assert action.text not in {legal.text for legal in game.legal_actions(state)}
    else:
        chance = game.chance(state)
        legal = game.legal_actions(state)
        assert action in legal or action == game.time_up(state) or (chance and chance.kind == action.kind)
