"""Fipsen on the table: where the pointer starts, and who is told of four sevens. Seat 1 speaks first."""

import pytest

from cardgames.engine.game import Action, Message
from cardgames.layout import layout_of
from tests.engine.test_fipsen import Table, table
from tests.layout.positions import asked

FIRST_DEAL = ("AS KS JS 9H 8C", "AH KH QH KC 9C", "QS 8S JH TH QC", "7S 8H 7H TC 7C", "TS AC")
"""The first deal of the rules page: four hands and the skat."""


def dealt(hands: tuple[str, ...], *moves: str) -> Table:
    """Four hands and the skat, and some moves."""
    return table(dict(zip((1, 2, 3, 4, "skat"), hands, strict=True))).do(*moves)


def preselected(at: Table) -> str:
    """Where the pointer starts."""
    action = asked(at.game, at.state).preselected
    assert isinstance(action, Action)
    return action.text


def reminded(at: Table) -> list[int]:
    """The seats that are told of their four sevens."""
    middles = {seat: layout_of("fipsen").scene(at.sees(seat)).middle for seat in range(5)}
    told = {seat: [block.key for block in middles[seat] if isinstance(block, Message)] for seat in middles}
    return [seat for seat in told if "holds_sevens" in told[seat]]


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
    assert preselected(dealt(FIRST_DEAL, *filter(None, moves.split("/")))) == start


def test_the_only_diamond_promises_ruten() -> None:
    assert preselected(dealt(("KS JS 9S 9H 7D", *FIRST_DEAL[1:]))) == "bid 3 hand ruten"


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
    bid = ("bid 3", "pass", "pass", "pass", "hand", "trump S")
    assert preselected(dealt(FIRST_DEAL, *bid, *moves.split())) == start


DEALT_SEVENS = ("7C 7S 7H 7D AS", "AC KC QC JC TC", "AH QH JH TH 9H", "8C QS JS TS 8H", "KH 9C")
"""Seat 1 has been dealt four sevens and an ace."""


def test_only_the_holder_learns_of_four_sevens() -> None:
    """Who holds four sevens and an ace is told so on each turn and nobody else is."""
    at = dealt(DEALT_SEVENS)
    for move in ("bid 2", "bid 2 hand", "hold", "pass", "pass", "pass", "name ruten", "skat", "discard 9C KH"):
        assert reminded(at) == [1] * (at.to_act == 1)
        at.do(move)
    assert at.phase == "play"
    assert reminded(at) == [1]
    assert reminded(at.do("AS")) == []
