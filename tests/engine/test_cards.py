"""Cards, sets of cards and their notation (record format, Cards)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.cards import (
    CARDS,
    NAMES,
    RANK_SETS,
    RANKS,
    SUIT_SETS,
    SUITS,
    card_set,
    cards_in,
    names,
    rank_of,
    suit_of,
)

card_sets = st.sets(st.integers(0, 51))


def test_every_card_has_its_name_rank_then_suit() -> None:
    assert sorted(NAMES) == sorted(rank + suit for rank, suit in product("AKQJT98765432", "SHDC"))
    assert NAMES[0] == "2S"
    assert NAMES[51] == "AC"
    assert "TC" in CARDS
    assert "10C" not in CARDS
    assert "tc" not in CARDS


@pytest.mark.parametrize("card", range(52))
def test_a_card_is_its_suit_and_rank(card: int) -> None:
    assert CARDS[NAMES[card]] == card
    assert NAMES[card] == RANKS[rank_of(card)] + SUITS[suit_of(card)]
    assert [suit for suit, cards in enumerate(SUIT_SETS) if cards >> card & 1] == [suit_of(card)]
    assert [rank for rank, cards in enumerate(RANK_SETS) if cards >> card & 1] == [rank_of(card)]


def test_ranks_ascend_within_a_suit() -> None:
    assert [NAMES[card][0] for card in cards_in(SUIT_SETS[1])] == list("23456789TJQKA")


@given(card_sets)
def test_a_set_holds_its_cards_ascending(cards: set[int]) -> None:
    assert cards_in(card_set(cards)) == tuple(sorted(cards))
    assert card_set(cards).bit_count() == len(cards)
    assert card_set([*cards, *cards]) == card_set(cards)


def test_names_are_separated_by_one_space() -> None:
    assert names([]) == ""
    assert names([CARDS["TC"]]) == "TC"
    assert names([CARDS["TC"], CARDS["2S"], CARDS["TC"]]) == "TC 2S TC"
