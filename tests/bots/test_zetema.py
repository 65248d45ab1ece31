"""Zetema's computers: what the kernel guesses, judges and lays."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cardgames.bots import player
from cardgames.engine.cards import CARDS, RANKS
from cardgames.engine.game import Chance, new_game
from cardgames.engine.zetema import PACK, Zetema, ZetemaObservation, ZetemaRules
from cardgames.kernels import zetema as kernel
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import ints

from .test_players import positions

TABLES: tuple[tuple[int, dict[str, bool]], ...] = (
    (2, {}), (3, {}), (4, {}), (4, {"teams": True}), (6, {"teams": True}), (6, {"teams": True, "three_sides": True}),
)  # fmt: skip


def cards(state: Any, place: int, twins: int) -> Counter[int]:
    """The cards that two ints of a kernel's state hold."""
    return Counter(card for ints_ in (state[place], state[twins]) for card in range(52) if int(ints_) >> card & 1)


@pytest.mark.parametrize(("seats", "rules"), TABLES)
def test_a_guess_keeps_what_the_seat_knows(seats: int, rules: dict[str, bool]) -> None:
    game = new_game("zetema", seats, rules)
    for state, seen in [*positions(game, 3)][::9]:
        o: Any = seen
        here, rng = kernel.encode(game, state), seeded(Random(1))  # type: ignore[arg-type]
        known = kernel.known(game, o)  # type: ignore[arg-type]
        for _ in range(3):
            kernel.guess(here, known, rng)
            held = [cards(here, kernel.HANDS + seat, kernel.TWINS + seat) for seat in range(1, seats + 1)]
            assert held[o.seat - 1] == Counter(o.hand)
            assert all(Counter(shown) <= hand for shown, hand in zip(o.known, held, strict=True))
            assert [hand.total() for hand in held] == list(o.counts)
            stock = Counter(map(int, here[kernel.PACK + int(here[kernel.DRAWN]) : kernel.SIZE]))
            lying, out = Counter(card for pile in o.piles for card in pile), Counter(o.out)
            assert sum(held, stock) + lying + out == Counter(PACK)


def test_twins_are_guessed_as_two_cards() -> None:
    """Of three unseen cards Ben holds one and two are the stock: a spade, which is there twice, in two of three."""
    game = Zetema(2, ZetemaRules())
    start = game.start()
    seen = game.observation(game.apply(start, game.chance(start).sample(Random(1))), 1)  # type: ignore[union-attr]
    hand, unseen = (CARDS["TH"], CARDS["JH"]), [CARDS["2S"], CARDS["2S"], CARDS["3H"]]
    out = Counter(PACK) - Counter([*hand, *unseen])
    o: ZetemaObservation = replace(seen, hand=hand, counts=(2, 1), stock=2, out=tuple(sorted(out.elements())))
    state, known, rng = kernel.encode(game, game.resample(o, Random(1))), kernel.known(game, o), seeded(Random(2))
    found = Counter[int]()
    for _ in range(3000):
        kernel.guess(state, known, rng)
        found[int(state[kernel.HANDS + 2])] += 1
    assert abs(found[1 << CARDS["2S"]] - 2000) < 150
    assert found.total() == found[1 << CARDS["2S"]] + found[1 << CARDS["3H"]]


@pytest.mark.parametrize(("seats", "rules"), TABLES)
def test_the_chances_of_all_sides_add_up(seats: int, rules: dict[str, bool]) -> None:
    game = new_game("zetema", seats, rules)
    for state, _ in [*positions(game, 4)][::17]:
        here, worth = kernel.encode(game, state), ints(seats)  # type: ignore[arg-type]
        kernel.roll_out(here, seeded(Random(1)), worth)
        by_side = [[int(worth[seat - 1]) for seat in side] for side in game.sides]
        assert all(len(set(of_side)) == 1 for of_side in by_side)
        assert 1000 - len(by_side) <= sum(of_side[0] for of_side in by_side) <= 1000


@pytest.mark.parametrize(("theirs", "lays_it"), [(0, True), (295, False)])
def test_fourths_are_withheld_near_the_target(theirs: int, lays_it: bool) -> None:
    """Five hearts may become a flush, and the four of spades is in their way; but three fours lie there."""
    game = new_game("zetema", 2, {}, 2)
    hand, others, pile = ("4S", "7H", "9H", "TH", "JH", "AH"), ("2C", "3D", "5S", "6C", "8D", "TC"), ("4H", "4D", "4C")
    first = [CARDS[name] for pair in zip(hand, others, strict=True) for name in pair]
    rest = Counter(PACK) - Counter(first) - Counter([CARDS[name] for name in pile])
    pack = (*first, *rest.elements(), *[CARDS[name] for name in pile])
    state = game.apply(game.start()._replace(scores=(0, theirs)), Chance("deal", PACK, 65).action(pack))
    lying = tuple(tuple([CARDS[name] for name in pile if name[0] == rank]) for rank in RANKS)
    state = state._replace(piles=lying, stock=state.stock[:-3])
    action = player("fair", game)(game.observation(state, 1), Random(1))
    assert (action.text == "play 4S") == lays_it
