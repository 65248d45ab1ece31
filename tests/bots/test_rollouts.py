"""Roll-outs against the engine: the same choices come to the same end."""

from collections import Counter
from random import Random
from typing import Any

from cardgames.bots.kakeya import by_rule as kakeya_rule
from cardgames.bots.zetema_policy import rows_of
from cardgames.bots.zetema_rollout import Playout
from cardgames.engine.game import CHANCE, AnyGame, new_game
from cardgames.engine.zetema import points_of
from cardgames.engine.zetema_actions import PAIRS_OF, from_hand
from cardgames.kernels import kernel
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import ints

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


def test_a_playout_of_zetema_follows_the_rules() -> None:
    kinds = Counter[str]()
    for seats in (2, 3, 6):
        game = new_game("zetema", seats)
        state: Any = game.start()
        state = game.apply(state, game.chance(state).sample(Random(seats)))  # type: ignore[union-attr]
        first: Any = game.observation(state, 1)
        playout = Playout(first).given(game, state, 65)  # type: ignore[arg-type]
        stock = playout.stock
        while game.to_act(state):
            seat = game.to_act(state)
            assert seat
            o: Any = game.observation(state, seat)
            hand = playout.hands[seat - 1]
            assert Counter(hand) == Counter(o.hand)
            playout.turn, playout.to_draw, playout.stock = seat - 1, o.stock, []
            playout.play(1)
            gone = Counter(o.hand) - Counter(hand)
            gained = playout.scores[seat - 1] - o.scores[seat - 1]
            fits = [
                action for action in o.legal if points_of(o, action) == gained and gone == Counter(_leaving(action))
            ]
            assert fits, (gone, gained, o)
            action = fits[0]
            kinds[action.kind] += 1
            state = game.apply(state, action)
            if game.to_act(state):
                seen: Any = game.observation(state, 1)
                while len(stock) > seen.stock:
                    hand.append(stock.pop())
                same = Playout(seen)
                for name in ("piles", "table", "gone", "left", "of_suit", "spades", "scores"):
                    assert getattr(playout, name) == getattr(same, name), name
    assert kinds["play"] > 50
    assert kinds["marriage"] > 1


def test_the_highest_row_of_zetema_is_one() -> None:
    for size in (5, 6):
        most, ranks, _ = rows_of(sum(1 << rank for rank in range(13 - size, 13)), size)
        assert most == size
        assert ranks.bit_count() == size


def _leaving(action: Any) -> tuple[int, ...]:
    """The cards that an action takes from the hand."""
    return tuple(action.cards) if action.kind != "marriage" else from_hand(PAIRS_OF[action.text])
