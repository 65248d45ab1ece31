"""Plays of Kakeya Trump that a partner would shake the head at."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgames.bots import kakeya, player
from cardgames.bots.thinking import Budget
from cardgames.engine.cards import CARDS, names
from cardgames.engine.game import AnyGame, new_game
from cardgames.engine.tricks import Trick
from cardgames.kernels import kernel

from .test_players import positions

ROOT = Path(__file__).parents[2]


def table(hand: str, *played: str) -> tuple[AnyGame, Any]:
    """A match in which seat 2 leads the first of these cards, seats 3 and 4 follow, and seat 1 with this hand is last.

    Spades are trumps, so that AC is rensho. The rest of each suit that is led lies where it fits.
    """
    game = new_game("kakeya", 4)
    hands = [[CARDS[name] for name in hand.split()], *[[CARDS[name]] for name in played]]
    rest = [card for card in range(52) if not any(card in held for held in hands)]
    Random(3).shuffle(rest)
    led = CARDS[played[0]] // 13
    for place in range(4):
        off_suit = place and hands[place][0] // 13 != led
        fits = [card for card in rest if not place or not off_suit or card // 13 != led]
        hands[place] += fits[: 13 - len(hands[place])]
        rest = [card for card in rest if card not in hands[place]]
    state = game.apply(game.start(), game.parse("trump S"))
    deal = names([hands[place][turn] for turn in range(13) for place in range(4)])
    state = game.apply(state, game.parse(f"deal {deal}"))
    for word in ("lead" if game.to_act(state) == 2 else "partner", *played):
        state = game.apply(state, game.parse(word))
    return game, state


THIRTEEN = {
    "no ♥": "2S KS 3S 2D KD 4D 3C 4C AC 5D 6D 7D 8D",
    "♥": "2H 9H 2S 3S KS QD 2D AC 3C 4C 5C 6D 7D",
    "♥ with pictures": "2H KH 2S 3S 4S QD 2D 8C 3C 4C 5C 6D 7D",
    "rensho alone of ♣": "AC 2S 3S 4S KS QD 2D 3D 4D 5D 6D 7D 8D",
}


@pytest.mark.parametrize(
    ("hand", "played", "senseless"),
    [
        # The partner's ace wins: no trump goes to waste on it, nor rensho.
        ("no ♥", ("5H", "AH", "6H"), {"2S", "3S", "KS", "AC", "2D", "4D", "3C", "4C", "5D", "6D", "7D", "8D"}),
        # The partner's eight wins: nine would take the lead for nothing.
        ("♥", ("5H", "8H", "6H"), {"9H"}),
        # The partner's ten wins: the king is as safe on it as the partner's trick.
        ("♥ with pictures", ("5H", "TH", "6H"), set()),
        # The others' ace wins: no picture is given to it.
        ("♥ with pictures", ("5H", "8H", "AH"), {"KH"}),
        # Nothing lies there that rensho is worth spending on, and a picture would be lost.
        ("no ♥", ("5H", "4H", "6H"), {"AC", "KD"}),
        # What must be played is no fault.
        ("rensho alone of ♣", ("5C", "KC", "6C"), set()),
    ],
)
def test_strong_plays_nothing_senseless(hand: str, played: tuple[str, ...], senseless: set[str]) -> None:
    game, state = table(THIRTEEN[hand], *played)
    o: Any = game.observation(state, 1)
    assert {action.text for action in kakeya.dominated_actions(o)} == senseless
    if len(o.legal) > 1:
        assert kakeya.KakeyaGuesser(game, 5).choose(o, Random(0), Budget(60)).text not in senseless  # type: ignore[arg-type]


def test_easy_mistakes_are_avoided() -> None:
    """Neither is rensho led early nor a picture given to others who may yet lose it."""
    game, state = table(THIRTEEN["no ♥"], "5H", "4H", "6H")
    o: Any = game.observation(state, 1)
    assert [action.text for action in kakeya.dominated_actions(replace(o, trick=None))] == ["AC"]
    game, state = table(THIRTEEN["♥ with pictures"], "AH", "8H", "6H")
    o = game.observation(state, 1)
    assert o.trick
    led = Trick((4,), o.trick.cards[:1], 4)  # the partner, last, may have rensho
    assert [action.text for action in kakeya.dominated_actions(replace(o, trick=led))] == ["KH"]


def test_nobody_shakes_the_head_in_whole_deals() -> None:
    """Where strong plays what looks senseless, that is solved or clearly better on the same guesses."""
    game = new_game("kakeya", 4)
    strong = kakeya.KakeyaGuesser(game, 3)  # type: ignore[arg-type]
    looked = odd = 0
    for _, observation in positions(game, 32):
        o: Any = observation
        bad = kakeya.dominated_actions(o)
        if bad and len(bad) < len(o.legal) and looked < 30:
            looked += 1
            first, *rest = strong.rate(o, Random(looked), Budget(40))
            if first.action in bad:
                odd += 1
                assert first.exact or first.value > max(r.value for r in rest if r.action not in bad)
    assert looked == 30
    assert odd <= 1


def test_last_cards_of_exhausted_suits_are_known() -> None:
    game = new_game("kakeya", 4, {"claims": False})
    exact = Counter[bool]()
    for _, observation in positions(game, 33, matches=2):
        o: Any = observation
        if o.phase != "play" or len(o.hand) > 3:
            continue
        fast = kernel("kakeya")
        numbers = fast.known(game, o)
        known = numbers[fast.WAYS + numbers[fast.ROOMS]] == 1
        hands = {game.hands(game.resample(o, Random(number))) for number in range(12)}
        if known:
            assert len(hands) == 1
            assert all(r.exact for r in kakeya.KakeyaGuesser(game, 3).rate(o, Random(1), Budget(10)))  # type: ignore[arg-type]
        exact[known] += 1
    assert min(exact.values()) > 1


def test_no_computer_throws_a_picture_away_as_the_last_to_play() -> None:
    """To a trick that the other pair has won, where there is another card."""
    game = new_game("kakeya", 4)
    looked = 0
    for number, (state, observation) in enumerate(positions(game, 35, matches=6)):
        o: Any = observation
        if o.phase != "play" or not o.trick or len(o.trick.cards) < 3 or o.trick.winner == o.partner:
            continue
        after = {action: game.observation(game.apply(state, action), o.seat) for action in o.legal}
        lost = [
            action
            for action, seen in after.items()
            if action.cards and action.cards[0] % 13 >= 9 and seen.last_trick.winner != o.seat
        ]
        if lost and len(lost) < len(o.legal):
            looked += 1
            for level in ("easy", "fair"):
                assert player(level, game)(o, Random(number)) not in lost
    assert looked > 30
