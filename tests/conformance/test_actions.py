"""What is legal can be done, what is not is refused with its reason, and notation is exact."""

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, IllegalAction, InvalidAction, Reason

from .matches import PRESENT, SETUPS, TABLES, Setup, match, plies


@cache
def known_actions(name: str) -> tuple[Action, ...]:
    """Every action of the suite's matches of a game: of all seats, rules and dealers, chance's included, and what
    players thought of and might not do."""
    found: dict[str, Action] = {}
    for setup in SETUPS:
        if setup.name == name:
            game, states, _, actions = match(setup)
            dealt = False
            for action in actions:
                if action.kind != "deal" or not dealt:
                    found.setdefault(action.text, action)
                dealt |= action.kind == "deal"
            for ply in plies(setup):
                for action, _ in game.refused(states[ply]):
                    found.setdefault(action.text, action)
    return tuple(found.values())


@cache
def some_actions(setup: Setup, ply: int) -> tuple[Action, ...]:
    """Actions to be tried at a ply: some of every kind of the game, and more of those known."""
    rng = Random(f"{setup} {ply}")
    everything = known_actions(setup.name)
    kinds: dict[str, list[Action]] = {}
    for action in everything:
        kinds.setdefault(action.kind, []).append(action)
    found = dict.fromkeys(rng.sample(everything, min(40, len(everything))))
    for some in kinds.values():
        found |= dict.fromkeys(rng.sample(some, min(4, len(some))))
    return tuple(found)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_legal_actions_are_listed_once_and_can_be_done(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states:
        legal = game.legal_actions(state)
        assert bool(legal) == (game.to_act(state) not in (CHANCE, None))
        assert len({action.text for action in legal}) == len(legal)
    for ply in plies(setup, each=4):
        for action in game.legal_actions(states[ply]):
            game.apply(states[ply], action)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_notation_is_parsed_to_the_same_action(setup: Setup) -> None:
    game, states, _, actions = match(setup)
    for action in {*actions, *(action for ply in plies(setup) for action in game.legal_actions(states[ply]))}:
        assert game.parse(action.text) == action
        assert action.text.isascii()
        assert action.text.isprintable()
        assert action.text.split(" ") == action.text.split(), "words are separated by one space"
        assert re.findall(r"[2-9TJQKA][SHDC]", action.text) == [NAMES[card] for card in action.cards]


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_any_other_action_is_refused_and_changes_nothing(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for ply in plies(setup):
        state = states[ply]
        chance = game.chance(state)
        listed = {action.text for action in game.legal_actions(state)}
        before = hash(state), repr(state)
        for action in some_actions(setup, ply):
            if action.text in listed or action == game.clock(state) or (chance and action.kind == chance.kind):
                continue
            refuse(setup, state, action)
        assert before == (hash(state), repr(state))


def refuse(setup: Setup, state: object, action: Action) -> Reason:
    """The reason why ``action`` is refused; nothing is told of it."""
    game = match(setup).game
    events: list[Event] = []
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, action, events.append)
    assert events == []
    assert isinstance(refused.value.reason, Reason)
    assert refused.value.reason.key
    return refused.value.reason


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_chance_deals_nothing_but_what_it_has(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for ply in plies(setup):
        chance = game.chance(states[ply])
        if chance:
            sample = chance.sample(Random(ply))
            right = tuple(map(int, sample.args)) or sample.cards
            others = [item for item in range(1, 52) if item not in chance.items]
            wrong = [right[:-1], right[1:], (*right, right[0]), (), (*right[:-1], *others[:1]) if others else ()]
            if right[0] != right[-1]:
                wrong.append((*right[:-1], right[0]))
            for chosen in wrong:
                refuse(setup, states[ply], chance.action(chosen))
            assert game.parse(chance.action(right).text) == chance.action(right)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_is_greyed_is_refused_with_the_same_reason(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for ply in plies(setup, each=4):
        state = states[ply]
        greyed = game.refused(state)
        assert len({action.text for action, _ in greyed}) == len(greyed)
        assert not greyed or game.to_act(state) not in (CHANCE, None)
        legal = {action.text for action in game.legal_actions(state)}
        for action, reason in greyed:
            assert action.text not in legal
            assert game.parse(action.text) == action
            assert refuse(setup, state, action) == reason


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_the_clock_is_chance_and_can_be_done(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for ply in plies(setup, each=4):
        clock = game.clock(states[ply])
        if clock:
            assert game.TIMED
            assert game.actor(states[ply], clock) == CHANCE
            assert game.parse(clock.text) == clock
            game.apply(states[ply], clock)
    for ply in plies(setup):
        for action in game.legal_actions(states[ply]):
            assert game.actor(states[ply], action) == game.to_act(states[ply])


@pytest.mark.parametrize("name", PRESENT)
def test_a_game_has_a_clock_if_it_says_so(name: str) -> None:
    matches = [match(setup) for setup in SETUPS if setup.name == name]
    assert any(game.clock(state) for game, states, _, _ in matches for state in states) == matches[0].game.TIMED


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
    game = next(setup for setup in TABLES if setup.name == name).new()
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
        assert action in legal or action == game.clock(state) or (chance and chance.kind == action.kind)
