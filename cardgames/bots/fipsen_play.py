"""Rules of thumb for the tricks of Fipsen, and estimates of hands."""

from collections.abc import Iterable

from cardgames.engine.cards import SUIT_SETS, Card, CardSet, cards_in, rank_of, suit_of

ABOVE: tuple[CardSet, ...] = tuple(SUIT_SETS[card // 13] & ~((2 << card) - 1) for card in range(52))
"""For each card, the higher cards of its suit."""

WORTH = {12: 1.0, 11: 0.85, 10: 0.7, 9: 0.6, 8: 0.5, 7: 0.45, 6: 0.4, 5: 0.35}
"""The estimated tricks of a trump of each rank for declarer."""


def estimate(hand: Iterable[Card], trump: int) -> float:
    """The estimated number of tricks of declarer's hand if the suit ``trump`` is trumps."""
    cards = sorted(hand)
    total = 0.0
    trumps = [card for card in cards if suit_of(card) == trump]
    for card in cards:
        rank = rank_of(card)
        if suit_of(card) == trump:
            total += WORTH[rank] + 0.05 * (len(trumps) - 2)
        elif rank == 12:
            total += 0.7
        elif rank == 11:
            total += 0.45 if card + 1 in cards else 0.25
        elif rank == 10:
            total += 0.1
    return total


def lead(hand: CardSet, others: CardSet, trumps: CardSet, is_declarer: bool) -> Card:
    """The card to lead, as declarer or not; ``others`` are the cards that other players may hold."""
    if is_declarer and (mine := hand & trumps) and others & trumps and mine > others & trumps:
        return mine.bit_length() - 1
    best = -1
    for suit in SUIT_SETS:
        mine = hand & suit & ~trumps
        if mine and mine > others & suit:
            card = mine.bit_length() - 1
            if best < 0 or card % 13 > best % 13:
                best = card
    if best >= 0:
        return best
    low = hand & ~trumps
    if is_declarer or not low:
        if hand & trumps:
            return (hand & trumps).bit_length() - 1
        return max(cards_in(hand), key=lambda card: card % 13)
    return min(cards_in(low), key=lambda card: card % 13)


def follow(hand: CardSet, led: CardSet, best: Card, trumps: CardSet, partner_wins: bool, is_last: bool) -> Card:
    """The card to play to a trick that ``best`` is winning; ``led`` and ``trumps`` have all cards of a suit."""
    playable = hand & led or hand
    if not partner_wins:
        wins = playable & ABOVE[best] or (playable & trumps if not 1 << best & trumps else 0)
        if wins:
            if is_last or wins & trumps:
                return (wins & -wins).bit_length() - 1
            return wins.bit_length() - 1
    low = playable & ~trumps or playable
    return min(cards_in(low), key=lambda card: card % 13)
