"""Guessing cards evenly."""

from collections import Counter
from random import Random

import pytest

from cardgames.engine.cards import CARDS, SUIT_SETS, card_set
from cardgames.engine.hidden import HandGuesser, HiddenPlace

SPADES, HEARTS, *_ = SUIT_SETS
ANY = (1 << 52) - 1


@pytest.mark.parametrize(
    ("cards", "places"),
    [
        # The spade of the last place can be either; the other goes to the first, with any of three hearts.
        ("AS KS AH KH QH", [(2, ANY), (2, HEARTS), (1, SPADES)]),
        # One of two hearts is in the first place; the three cards left over lie in two others that anything fits.
        ("AS KS AH KH", [(1, HEARTS), (2, ANY), (1, ANY)]),
        # The first place holds two hearts, which leaves two ways, or a heart and a spade, which leaves four.
        ("AS KS AH KH AD", [(2, SPADES | HEARTS), (2, ANY), (1, SPADES)]),
    ],
)
def test_each_of_six_ways_in_which_the_cards_fit_is_equally_likely(cards: str, places: list[tuple[int, int]]) -> None:
    hidden = card_set([CARDS[name] for name in cards.split()])
    guesser = HandGuesser(hidden, [HiddenPlace(count, fits) for count, fits in places])
    rng = Random(2)
    found = Counter(tuple(guesser.draw(rng)) for _ in range(6000))
    assert len(found) == guesser.ways == 6
    assert all(850 < times < 1150 for times in found.values())


def test_cards_that_fit_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="fit"):
        HandGuesser(card_set([CARDS["AS"]]), [HiddenPlace(1, SUIT_SETS[1])])
    with pytest.raises(ValueError, match="fit"):
        HandGuesser(card_set([CARDS["AS"]]), [HiddenPlace(2, SUIT_SETS[0])])
