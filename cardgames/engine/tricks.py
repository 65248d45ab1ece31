"""Following suit, and who wins a trick: what Kakeya Trump and Fipsen share (K8, F9)."""

from collections.abc import Sequence

from cardgames.engine.cards import SUIT_SETS, Card, CardSet


def playable(hand: CardSet, led: int) -> CardSet:
    """What a hand may play to a trick led in the suit ``led``: that suit if able, otherwise any card."""
    return hand & SUIT_SETS[led] or hand


def winning(trick: Sequence[Card], trump: int, boss: Card = -1) -> int:
    """The place in ``trick``, counted from its lead, of the card that wins it as it lies.

    ``boss`` wins whatever trick it is in; else the highest trump; else the highest of the suit led.
    """
    best = trick[0]
    for card in trick[1:]:
        if best == boss:
            break
        suit, best_suit = card // 13, best // 13
        if card == boss or (card > best if suit == best_suit else suit == trump):
            best = card
    return trick.index(best)
