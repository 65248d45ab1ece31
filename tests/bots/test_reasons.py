"""The reasons said for a move are true, and are said where they should be."""

import re
from collections import Counter
from importlib import import_module
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cardgames.bots
from cardgames.bots import rate, reasons, reasons_over
from cardgames.bots.thinking import Rating
from cardgames.engine.fipsen_bids import worth
from cardgames.engine.game import OFFERED, Message, game_class, new_game
from cardgames.engine.record import read
from cardgames.texts import template
from scripts.trial.reasons import CHECKS, SELDOM, Said, trial

from .test_players import new, positions

RECORDS = Path(__file__).parents[1] / "records"
SOLVED = {"wins", "draws", "loses"}
"""The reasons at Durak that a solver gives."""


@pytest.mark.parametrize("name", OFFERED)
def test_every_sentence_is_true(name: str) -> None:
    assert {*CHECKS[name]} - {*trial(name).checked} <= SELDOM


def test_trumping_a_trick_counts_rensho_among_what_beats_it() -> None:
    """Rensho is no trump, but beats the highest (K5): in this hint two cards beat a trump, not one."""
    _, game, plies = read((RECORDS / "positions" / "kakeya-overtrumps.jsonl").read_bytes().splitlines())
    state = [*plies][-1].state
    o = game.observation(state, game.to_act(state) or 0)
    told = Counter[str]()
    for action in o.legal:
        for why in reasons(game, o, (Rating(action, 0.0, 0.1),)):
            key = why.key.removeprefix("hint.")
            told[key] += 1
            assert CHECKS["kakeya"][key](Said(game, state, o, action, (), why.args)), why
    assert told["overtrumps"]


@pytest.mark.parametrize("name", OFFERED)
def test_no_sentence_is_without_a_check(name: str) -> None:
    """Neither among the reasons that the code gives, nor among the texts that hide the card of an exercise."""
    folder = Path(cardgames.bots.__file__).parent
    code = "".join([path.read_text("utf-8") for path in folder.glob(f"{name}*.py")])
    given = {*re.findall(r'"hint\.(\w+)"', code)} | {*re.findall(r'key = "(\w+)"', code)}
    themes = {key for keys in import_module(f"cardgames.bots.{name}").THEMES.values() for key in keys}
    assert given | themes <= {*CHECKS[name]} | (SOLVED if name == "durak" else set())
    assert all(template("en", name, f"hint.{key}") for key in CHECKS[name])


def test_durak_says_what_is_worked_out() -> None:
    game = new_game("durak", 2)
    for _, observation in positions(game, 7):
        for value, key in ((1.0, "hint.wins"), (0.5, "hint.draws"), (0.0, "hint.loses")):
            first, *_ = reasons(game, observation, (Rating(observation.legal[0], value, 0.0, True),))
            assert first.key == key
        return
    pytest.fail("nobody could choose")


def test_kakeya_says_why_in_95_of_100_hints() -> None:
    """In which the moves differ by more than their doubt."""
    game, said = new_game("kakeya", 4), Counter[bool]()
    for number, (_, o) in enumerate(positions(game, 19, matches=9)):
        if o.phase in ("lead", "play"):
            ratings = rate(game, o, Random(number))
            if ratings[0].better_than_some(ratings[1:]):
                said[bool(reasons(game, o, ratings))] += 1
    assert said.total() > 100
    assert said[True] >= 0.95 * said.total()


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("durak", {"hint.keeps_trumps", "hint.holds_back", "hint.taking_costs"}),
        ("truc", {"hint.keeps"}),
        ("zetema", {"hint.keeps_suit", "hint.keeps_row", "hint.keeps_royals", "hint.no_fourth"}),
    ],
)
def test_keeping_cards_is_no_reason_among_equal_moves(name: str, keys: set[str]) -> None:
    game = new(name, game_class(name).SEATS[0])
    apart, alike = set[str](), set[str]()
    for _, observation in positions(game, 7, matches=1 if name == "zetema" else 25):
        for action in observation.legal:
            others = [other for other in observation.legal if other != action]
            for value, found in ((0.0, apart), (0.9, alike)):
                ratings = (Rating(action, 1.0, 0.1), *[Rating(other, value, 0.1) for other in others])
                found |= {reason.key for reason in reasons(game, observation, ratings)}
    assert keys <= apart
    assert not keys & alike


def test_fipsen_says_how_far_the_likeliest_bid_is_from_paying() -> None:
    game = new_game("fipsen", 3)
    for _, observation in positions(game, 8):
        first, *others = observation.legal
        if observation.phase == "bid":
            doubtful = [Rating(other, -1.0, 0.4) for other in others if other.args == (2,)]
            ratings = [Rating(first, 0.0, 0.0), *doubtful, *[Rating(other, 9.0, inf) for other in others[1:]]]
            pays = Message("hint.bid_costs", {"pays": 67})  # 2 to win, 4 to lose
            assert reasons(game, observation, tuple(ratings)) == (Message("hint.no_bid", {"percent": 50}), pays)
            nearly = (ratings[0], Rating(doubtful[0].action, 0.1, 0.4), *ratings[2:])
            assert reasons(game, observation, nearly) == (pays,)
            assert reasons_over(game, observation, nearly, ratings[2]) == (pays,)
            return
    pytest.fail("nobody could bid")


def test_fipsen_says_what_a_card_changes_where_no_rule_tells() -> None:
    keys = Counter[str]()
    game = new("fipsen", 4)
    for state, observation in positions(game, 7, matches=25):
        o: Any = observation
        if o.phase == "stop":
            stop, go_on = o.legal
            ratings = (Rating(stop, 4.0, 0.0), Rating(go_on, -16.0 * (2 ** len(o.contract.extras)), 0.1))
            (reason,) = reasons(game, o, ratings)
            assert reason.key == "hint.stop"
            assert CHECKS["fipsen"]["stop"](Said(game, state, o, stop, ratings, reason.args))
        elif o.phase == "play":
            won, lost = worth(o.contract)
            first, *others = [action for action in o.legal if action.cards]
            if others:
                own = o.seat == o.declarer
                often, seldom = (won, (won + lost) / 2) if own else (-lost / 3, -(won + lost) / 6)
                rest = [Rating(other, seldom, 0.01) for other in others]
                for reason in reasons(game, o, (Rating(first, often, 0.01), *rest)):
                    keys[reason.key] += 1
                    if reason.key in ("hint.makes", "hint.beats"):
                        assert reason.key == ("hint.makes" if own else "hint.beats")
                        cards = {"card": first.cards[0], "other_card": others[0].cards[0]}
                        assert reason.args == {**cards, "percent": 100, "less": 50}
    assert keys["hint.makes"] > 5
    assert keys["hint.beats"] > 5
