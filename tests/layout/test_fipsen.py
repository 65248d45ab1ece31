"""Fipsen on the table: where the pointer starts, and who is told of four sevens. Seat 1 speaks first."""

import pytest

from cardgames.engine.cards import names
from cardgames.engine.fipsen import PACK, Fipsen, FipsenRules, FipsenState
from cardgames.engine.game import Action
from cardgames.layout.scene import Line
from tests.engine.positions import cards
from tests.layout.positions import asked, do, seen

FIRST_DEAL = ("AS KS JS 9H 8C", "AH KH QH KC 9C", "QS 8S JH TH QC", "7S 8H 7H TC 7C", "TS AC")
"""The first deal of the rules page: four hands and the skat."""


def deck(*hands_and_skat: str) -> Action:
    """The pack that deals these hands, from seat 1 on, and this skat."""
    *hands, skat = [cards(text) for text in hands_and_skat]
    pack = [card for hand in hands for card in hand[:3]] + [*skat] + [card for hand in hands for card in hand[3:]]
    pack += [card for card in PACK if card not in pack]
    return Action("deal", f"deal {names(pack)}", tuple(pack))


def dealt(hands: tuple[str, ...], *moves: str) -> tuple[Fipsen, FipsenState]:
    game = Fipsen(4, FipsenRules(), dealer=4)
    return game, do(game, game.start(), deck(*hands), *moves)


def is_reminded(game: Fipsen, state: FipsenState, seat: int) -> bool:
    """Whether a seat is told of its four sevens."""
    return any(
        isinstance(block, Line) and block.message.key == "holds_sevens" for block in seen(game, state, seat).middle
    )


@pytest.mark.parametrize(
    ("moves", "start"),
    [
        ("", "bid 2 hand"),  # three spades with ace and king
        ("bid 2", "bid 3 hand"),  # three hearts with ace and king, and a king
        ("bid 2/bid 3", "hold"),  # with the skat
        ("bid 3/pass/pass", "pass"),
        ("bid 2/pass/pass/pass", "hand"),
        ("bid 2/pass/pass/pass/hand", "trump S"),
    ],
)
def test_the_pointer_starts_at_what_the_hand_promises(moves: str, start: str) -> None:
    game, state = dealt(FIRST_DEAL, *filter(None, moves.split("/")))
    assert asked(game, state).preselected == game.parse(start)


def test_the_only_diamond_promises_ruten() -> None:
    game, state = dealt(("KS JS 9S 9H 7D", *FIRST_DEAL[1:]))
    assert asked(game, state).preselected == game.parse("bid 3 hand ruten")


@pytest.mark.parametrize(
    ("moves", "start"),
    [
        ("", "AS"),  # declarer draws trumps
        ("AS", "9C"),  # nothing beats it, so the cheapest
        ("AS 9C 8S 7S 9H", "QH"),  # the cheapest that no card still out beats
        ("AS 9C 8S 7S 9H QH", "TH"),  # another defender is winning
        ("AS 9C 8S 7S 9H QH TH 7H KH JH 8H", "JS"),  # the last player's cheapest trump
    ],
)
def test_the_pointer_starts_at_a_sure_card_or_the_cheapest(moves: str, start: str) -> None:
    game, state = dealt(FIRST_DEAL, "bid 3", "pass", "pass", "pass", "hand", "trump S", *moves.split())
    assert asked(game, state).preselected == game.parse(start)


DEALT_SEVENS = ("7C 7S 7H 7D AS", "AC KC QC JC TC", "AH QH JH TH 9H", "8C QS JS TS 8H", "KH 9C")
"""Seat 1 has been dealt four sevens and an ace."""


def test_only_the_holder_learns_of_four_sevens() -> None:
    """Who holds four sevens and an ace is told so on each turn and nobody else is."""
    game, state = dealt(DEALT_SEVENS)
    for move in ["bid_2", "bid_2_hand", "hold", "pass", "pass", "pass", "name_ruten", "skat", "discard_9C_KH"]:
        for seat in range(5):
            assert is_reminded(game, state, seat) == (seat == game.to_act(state) == 1)
        state = do(game, state, move.replace("_", " "))
    assert game.observation(state, 1).phase == "play"
    assert is_reminded(game, state, 1)
    state = do(game, state, "AS")
    assert not [seat for seat in range(5) if is_reminded(game, state, seat)]
