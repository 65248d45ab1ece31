"""A deal of Kakeya Trump played by rules of thumb on ints, and what it pays.

Cards are held one bit each, weakest first, whatever suit is trumps: the three plain suits rank by rank, then trumps.
So the lowest bit of a set is its cheapest card, and the lowest bit of those that beat a card the cheapest way to win.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

from cardgames.engine.cards import Card, rank_of, suit_of

Weighed: TypeAlias = int
"""A set of cards, weakest first."""

ORDER = tuple([(rank, suit) for rank in range(13) for suit in range(3)] + [(rank, 3) for rank in range(13)])
"""Rank and suit of each bit; suit 3 is trumps."""

SUITS: tuple[Weighed, ...] = tuple(
    sum([1 << bit for bit, (_, s) in enumerate(ORDER) if s == suit]) for suit in range(4)
)
PICTURES: Weighed = sum([1 << bit for bit, (rank, _) in enumerate(ORDER) if rank >= 9])
ACES: Weighed = sum([1 << bit for bit, (rank, _) in enumerate(ORDER) if rank == 12])
TRUMPS: Weighed = SUITS[3]
TRUMP_ACE: Weighed = 1 << ORDER.index((12, 3))
SUIT_OF: dict[Weighed, Weighed] = {1 << bit: SUITS[suit] for bit, (_, suit) in enumerate(ORDER)}
PLACES = 4


class Trumps:
    """The cards under one suit of trumps."""

    def __init__(self, trump: int) -> None:
        """``trump`` is the suit of trumps, 0-3; rensho is the ace of spades, or of clubs if spades are trumps (K5)."""
        plain = [suit for suit in range(4) if suit != trump]
        places = {(rank, suit): bit for bit, (rank, suit) in enumerate(ORDER)}
        self._bit = [
            1 << places[rank_of(card), 3 if suit_of(card) == trump else plain.index(suit_of(card))]
            for card in range(52)
        ]
        self._card = {bit: card for card, bit in enumerate(self._bit)}
        self.rensho = self._bit[12 if trump else 51]
        self.beats: dict[Weighed, Weighed] = {}
        """For each card, those that take a trick from it when it is winning (K8)."""
        for bit, (rank, suit) in enumerate(ORDER):
            higher = sum([1 << other for other, (r, s) in enumerate(ORDER) if s == suit and r > rank])
            self.beats[1 << bit] = higher | (0 if suit == 3 else TRUMPS) | self.rensho
        self.beats[self.rensho] = 0

    def weigh(self, cards: Iterable[Card]) -> Weighed:
        """The set of these cards."""
        bits = self._bit
        return sum([bits[card] for card in cards])

    def card(self, one: Weighed) -> Card:
        """The card of a set of one."""
        return self._card[one]

    def paid(self, first: Weighed) -> int:
        """The chips that the pair with these pictures gets from the other, negative if it pays (K9)."""
        count = first.bit_count()
        wins = count > 8 or (count == 8 and not first & self.rensho)
        lost = PICTURES ^ first if wins else first
        few = lost.bit_count()
        if not few or not ACES & ~lost:
            chips = 4
        elif few <= 4 or (lost & self.rensho and lost & TRUMP_ACE):
            chips = 2
        else:
            chips = 1
        return chips if wins else -chips


@cache
def trumps_of(trump: int) -> Trumps:
    """The cards under this suit of trumps, made when it is first met."""
    return Trumps(trump)


def lead(hand: Weighed, out: Weighed, rensho: Weighed) -> Weighed:
    """The card to lead: the highest that is left of a plain suit, else a low one; ``out`` are the cards of others."""
    sure = 0
    for suit in SUITS[:3]:
        mine = hand & suit
        if mine and mine > out & suit and mine & ~rensho:
            sure |= 1 << (mine & ~rensho).bit_length() - 1
    if sure:
        best = sure & PICTURES or sure
        return best & -best
    if hand & rensho and not out & TRUMPS:
        return rensho
    mine = hand & TRUMPS
    if mine > out & TRUMPS and mine.bit_count() >= 3 and out & TRUMPS:
        return 1 << mine.bit_length() - 1
    low = hand & ~PICTURES & ~TRUMPS or hand & ~PICTURES or hand & ~rensho or hand
    return low & -low


def follow(
    hand: Weighed, led: Weighed, best: Weighed, ours: bool, last: bool, laid: Weighed, out: Weighed, trumps: Trumps
) -> Weighed:
    """The card to play to a trick in the suit ``led`` that ``best`` is winning, for this pair or for the other.

    ``last`` says whether nobody plays after it, ``laid`` what lies there, ``out`` the cards that others may hold.
    """
    may = hand & led or hand
    above = trumps.beats[best]
    cheap = may & ~PICTURES
    if ours and (last or not out & above & (led | TRUMPS | trumps.rensho) or best & trumps.rensho):
        dump = may & PICTURES & ~trumps.rensho & ~TRUMPS or may & PICTURES & ~above & ~trumps.rensho
        if dump:
            return 1 << dump.bit_length() - 1 if not may & led else dump & -dump
    elif not ours and (wins := may & above & ~trumps.rensho) and (last or laid & PICTURES or wins & led & ~TRUMPS):
        if last:
            pictures = wins & PICTURES & led & ~TRUMPS
            return pictures & -pictures if pictures else wins & -wins
        plain = wins & led
        if plain and not led & TRUMPS:
            return 1 << plain.bit_length() - 1  # high enough to hold, or not worth trying
        return wins & -wins
    if not ours and hand & trumps.rensho & may and (laid & PICTURES).bit_count() >= 2 and best & ~trumps.rensho:
        return trumps.rensho
    low = cheap & ~TRUMPS or cheap or may & ~trumps.rensho & ~TRUMPS or may & ~trumps.rensho or may
    return low & -low


def play_out(
    hands: Sequence[Weighed], trumps: Trumps, turn: int, trick: Sequence[Weighed], first: Weighed, second: Weighed
) -> int:
    """The chips that places 0 and 2 get from 1 and 3 when everybody plays on by rule.

    ``turn`` is the place to play, ``trick`` what lies there from its lead, ``first`` and ``second`` the pictures that
    each pair has taken.
    """
    hands = list(hands)
    beats = trumps.beats
    held = hands[0] | hands[1] | hands[2] | hands[3]
    count = len(trick)
    laid = led = best = winner = 0
    for step, card in enumerate(trick):
        place = (turn - count + step) % PLACES
        if not step:
            led, best, winner = SUIT_OF[card], card, place
        elif beats[best] & card:
            best, winner = card, place
        laid |= card
    while True:
        hand = hands[turn]
        if not count:
            if not hand:
                return trumps.paid(first)
            card = best = lead(hand, held & ~hand, trumps.rensho)
            led, winner = SUIT_OF[card], turn
        else:
            if hand & hand - 1:
                ours = (winner ^ turn) & 1 == 0
                card = follow(hand, led, best, ours, count == 3, laid, held & ~hand, trumps)
            else:
                card = hand
            if beats[best] & card and (card & led or card & TRUMPS or card == trumps.rensho):
                best, winner = card, turn
        hands[turn] = hand ^ card
        held ^= card
        laid |= card
        count += 1
        if count < PLACES:
            turn = turn + 1 & 3
            continue
        if winner & 1:
            second |= laid & PICTURES
        else:
            first |= laid & PICTURES
        if first.bit_count() + second.bit_count() == 16:
            return trumps.paid(first)
        turn, count, laid = winner, 0, 0
