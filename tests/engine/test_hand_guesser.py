"""Guessing cards evenly."""

from collections import Counter
from random import Random

import pytest

from cardgames.engine.cards import CARDS, SUIT_SETS, card_set
from cardgames.engine.hidden import HandGuesser, HiddenPlace


def test_every_way_in_which_the_cards_fit_is_equally_likely() -> None:
    """Two spades and two hearts in two hands of two, of which the first has shown to lack hearts but for one place."""
    cards = [CARDS[name] for name in ("AS", "KS", "AH", "KH", "QH")]
    guesser = HandGuesser(
        card_set(cards), [HiddenPlace(2, card_set(cards)), HiddenPlace(2, SUIT_SETS[1]), HiddenPlace(1, SUIT_SETS[0])]
    )
    rng = Random(2)
    found = Counter(tuple(guesser.draw(rng)) for _ in range(6000))
    # The spade of the last place can be either, the other goes to the first with any of three hearts.
    assert len(found) == guesser.ways == 6
    assert all(850 < times < 1150 for times in found.values())


def test_places_that_fit_alike_share_what_is_left_over_evenly() -> None:
    """One of two hearts is in the first place; the three cards left over lie in two others that anything fits."""
    cards = [CARDS[name] for name in ("AS", "KS", "AH", "KH")]
    places = [HiddenPlace(1, SUIT_SETS[1]), HiddenPlace(2, card_set(cards)), HiddenPlace(1, card_set(cards))]
    guesser = HandGuesser(card_set(cards), places)
    assert guesser.ways == 2 * 3
    rng = Random(3)
    found = Counter(tuple(guesser.draw(rng)) for _ in range(6000))
    assert len(found) == 6
    assert all(850 < times < 1150 for times in found.values())


def test_each_split_is_as_likely_as_there_are_ways_in_it() -> None:
    """The first place holds two hearts, which leaves two ways, or a heart and a spade, which leaves four."""
    cards = [CARDS[name] for name in ("AS", "KS", "AH", "KH", "AD")]
    spades, hearts = SUIT_SETS[0], SUIT_SETS[1]
    guesser = HandGuesser(
        card_set(cards), [HiddenPlace(2, spades | hearts), HiddenPlace(2, card_set(cards)), HiddenPlace(1, spades)]
    )
    rng = Random(4)
    found = Counter(tuple(guesser.draw(rng)) for _ in range(6000))
    assert len(found) == guesser.ways == 6
    assert all(850 < times < 1150 for times in found.values())


def test_cards_that_fit_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="fit"):
        HandGuesser(card_set([CARDS["AS"]]), [HiddenPlace(1, SUIT_SETS[1])])
    with pytest.raises(ValueError, match="fit"):
        HandGuesser(card_set([CARDS["AS"]]), [HiddenPlace(2, SUIT_SETS[0])])
