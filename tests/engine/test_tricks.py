"""Following suit, winning a trick, and a trick as people see it."""

from itertools import product

import pytest

from cardgames.engine.cards import CARDS, SUITS, card_set, cards_in, names
from cardgames.engine.tricks import Trick, playable, winning_index


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARDS[name] for name in text.split())


@pytest.mark.parametrize(
    ("hand", "led", "able"),
    [
        ("2H AH 7S AC", "H", "2H AH"),
        ("2H AH 7S AC", "S", "7S"),
        ("2H AH 7S AC", "D", "7S 2H AH AC"),
        ("AC", "C", "AC"),
        ("", "C", ""),
    ],
)
def test_suit_is_followed_if_able(hand: str, led: str, able: str) -> None:
    assert names(cards_in(playable(card_set(cards(hand)), SUITS.index(led)))) == able


@pytest.mark.parametrize(
    ("trick", "trump", "boss", "winner"),
    [
        ("7H", "S", "", "7H"),
        ("7H 9H 8H", "S", "", "9H"),
        ("7H AD KD 2C", "S", "", "7H"),
        ("7H AH 2S AD", "S", "", "2S"),
        ("7H 3S KH 2S", "S", "", "3S"),
        ("2S AH AD AC", "S", "", "2S"),
        ("AS AC KS 2S", "S", "AC", "AC"),
        ("AC AS KS 2S", "S", "AC", "AC"),
        ("2C AC AS 3C", "S", "AC", "AC"),
        ("AC AS 2C KC", "C", "AS", "AS"),
        ("2H AS 3S KH", "H", "AS", "AS"),
    ],
)
def test_who_wins_a_trick(trick: str, trump: str, boss: str, winner: str) -> None:
    laid = cards(trick)
    won = winning_index(laid, SUITS.index(trump), CARDS.get(boss, -1))
    assert names([laid[won]]) == winner


def test_any_two_cards() -> None:
    """The second of two takes the trick if it is the boss, higher in the same suit, or a trump on another suit."""
    for trump, boss in product(range(4), (-1, CARDS["AC"])):
        for first, second in product(range(52), repeat=2):
            if first == second:
                continue
            same = first // 13 == second // 13
            beats = second > first if same else second // 13 == trump
            assert winning_index((first, second), trump, boss) == (second == boss or (beats and first != boss))


def test_a_trick_says_who_played_what_and_which_card_wins() -> None:
    trick = Trick((3, 1), cards("7H AH"), 1)
    assert trick.plays == ((3, CARDS["7H"]), (1, CARDS["AH"]))
    assert [trick.card_of(player) for player in (1, 2, 3)] == [CARDS["AH"], None, CARDS["7H"]]
    assert trick.winning_card == CARDS["AH"]
    assert trick._replace(winner=0).winning_card is None
