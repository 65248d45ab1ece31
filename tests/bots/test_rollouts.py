"""Roll-outs against the engine: the same choices come to the same end."""

from collections import Counter
from random import Random
from typing import Any

from cardgames.bots.kakeya import by_rule as kakeya_rule
from cardgames.engine.game import CHANCE, AnyGame, new_game
from cardgames.kernels import kernel
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import ints
from cardgames.kernels.zetema_cards import RANKS, ROWS

from .test_players import positions


def finish(game: AnyGame, state: Any, choose: Any) -> Any:
    """The state once this deal is over."""
    while not game.deal_over(state):
        seat = game.to_act(state)
        assert seat
        assert seat != CHANCE
        state = game.apply(state, choose(game, state, seat))
    return state


def test_a_roll_out_of_kakeya_follows_the_rules() -> None:
    game = new_game("kakeya", 6, {"claims": False})
    fast, compared = kernel("kakeya"), Counter[int]()
    for number, (state, o) in enumerate(positions(game, 11)):
        if o.phase != "play" or number % 5:
            continue
        after = finish(game, state, lambda game, state, seat: kakeya_rule(game.observation(state, seat), Random(1)))
        gained = [later - before for later, before in zip(game.payoff(after), game.payoff(state), strict=True)]
        worth = ints(6)
        fast.roll_out(fast.encode(game, state), seeded(Random(1)), worth)
        assert [int(chips) for chips in worth] == [1000 * chips for chips in gained]
        compared[gained[o.seat - 1]] += 1
    assert len(compared) > 1
    assert compared.total() > 40


def test_the_highest_row_of_zetema_is_one() -> None:
    for size in (5, 6):
        row = int(ROWS[(size - 5 << 13) + sum(1 << rank for rank in range(13 - size, 13))])
        assert row & 7 == size
        assert (row >> 3 & RANKS).bit_count() == size
