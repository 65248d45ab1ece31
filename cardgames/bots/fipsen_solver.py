"""The tricks of Fipsen with all hands known, solved: whether declarer can win so many, whatever the others do.

Cards are held one bit each, eight a suit, with a bit between suits that no card has: it ends every run of neighbours.
Of cards with nothing between them that anybody holds only the lowest is tried.
"""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from cardgames.engine.cards import Card, CardSet

Packed: TypeAlias = int
"""A set of cards, eight bits a suit and one between."""

SUITS: tuple[Packed, ...] = (0xFF, 0xFF << 9, 1 << 18, 0xFF << 20)
GUARDS: Packed = 1 << 8 | 1 << 17 | 1 << 19
FIRST = (0, 9, 18, 20)
"""Where each suit begins; its sevens are the first bits."""

SEVEN = 5
SUIT_OF: dict[Packed, Packed] = {1 << bit: suit for suit in SUITS for bit in range(28) if suit >> bit & 1}


def packed(cards: CardSet) -> Packed:
    """These cards in eight bits a suit."""
    return cards >> 5 & 0xFF | (cards >> 18 & 0xFF) << 9 | (cards >> 31 & 1) << 18 | (cards >> 44 & 0xFF) << 20


def packed_card(card: Card) -> Packed:
    """The set of this card."""
    return 1 << FIRST[card // 13] + card % 13 - SEVEN


def _one_a_run(cards: Packed, free: Packed) -> list[Packed]:
    """The lowest card of each run of neighbours among ``cards``; all of a run is ``free``: nobody else holds it."""
    found = []
    while cards:
        low = cards & -cards
        run = free & -low
        cards &= ~(run & ~(run + low))
        found.append(low)
    return found


@cache
def _beaters(trump: int) -> dict[Packed, Packed]:
    """For each card, those that take a trick from it when it is winning (F9)."""
    trumps = SUITS[trump]
    return {
        card: suit & ~(2 * card - 1) | (0 if card & trumps else trumps)
        for card, suit in SUIT_OF.items()
    }  # fmt: skip


class Deal:
    """One deal with all hands known, solved for one suit of trumps; what was found is kept."""

    __slots__ = ("_beaters", "_hands", "_known", "_last", "_number", "_trumps")

    def __init__(self, hands: Sequence[Packed], trump: int) -> None:
        """Declarer's hand comes first, then those of the others in turn."""
        self._hands = list(hands)
        self._number = len(hands)
        self._last = self._number - 1
        self._trumps = SUITS[trump]
        self._beaters = _beaters(trump)
        self._known: dict[tuple[int, ...], bool] = {}

    def wins(self, need: int) -> bool:
        """Whether declarer, who leads, wins so many tricks."""
        return self._lead(0, need, self._hands[0].bit_count())

    def wins_after(self, card: Packed, place: int, trick: Sequence[Packed], need: int) -> bool:
        """Whether declarer wins so many of the tricks to come once ``place`` has played ``card`` to ``trick``.

        The trick lies in order from its lead, and is one of those to come.
        """
        hands = self._hands
        left = hands[place].bit_count()
        laid = [*trick, card]
        best, winner = card, place
        for step, other in enumerate(laid):
            if not step or other & self._beaters[best]:
                best, winner = other, (place + 1 - len(laid) + step) % self._number
        hands[place] ^= card
        if len(laid) == self._number:
            found = self._lead(winner, need - (not winner), left - 1)
        else:
            turn = (place + 1) % self._number
            found = self._follow(turn, len(laid), SUIT_OF[laid[0]], best, winner, need, left)
        hands[place] ^= card
        return found

    def _lead(self, leader: int, need: int, left: int) -> bool:
        """Whether declarer wins ``need`` of the ``left`` tricks to come when ``leader`` leads the next."""
        if need <= 0:
            return True
        if need > left:
            return False
        hands = self._hands
        key = (leader, need, *hands)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._solve(leader, need, left)
        return known

    def _solve(self, leader: int, need: int, left: int) -> bool:
        """The answer of :meth:`_lead`, worked out: sure trumps first, then a card of each run of neighbours."""
        hands, trumps = self._hands, self._trumps
        hand = hands[leader]
        rest = 0
        for place in hands:
            rest |= place
        rest ^= hand
        mine, theirs = hands[0] & trumps, (rest | hand) & trumps & ~hands[0]
        sure = (mine >> theirs.bit_length()).bit_count()
        if leader:
            # A trump that no other beats wins a trick whenever it is played.
            if sure >= need:
                return True
        elif sure >= need or (not theirs and sure + self._free(hand & ~trumps, rest) >= need):
            return True
        for place in range(1, self._number):
            held = hands[place] & trumps
            if held and left - (held >> ((mine | theirs) & ~held).bit_length()).bit_count() < need:
                return False
        mover = not leader
        tries = _one_a_run(hand, ~(rest | GUARDS))
        if mover:
            tries.reverse()
            tries.sort(key=lambda card: 0 if card & trumps else 1)
        for card in tries:
            hands[leader] = hand ^ card
            turn = leader + 1 if leader < self._last else 0
            found = self._follow(turn, 1, SUIT_OF[card], card, leader, need, left)
            hands[leader] = hand
            if found == mover:
                return mover
        return not mover

    @staticmethod
    def _free(hand: Packed, rest: Packed) -> int:
        """How many plain cards on lead win when nobody else has trumps, suit by suit from the top."""
        count = 0
        for suit in SUITS:
            mine = hand & suit
            if mine:
                top = mine >> (rest & suit).bit_length()
                count += top.bit_count()
        return count

    def _follow(self, turn: int, count: int, led: Packed, best: Packed, winner: int, need: int, left: int) -> bool:
        """Whether declarer still wins ``need`` tricks when ``turn`` plays to a trick of ``count`` cards that ``best``
        of ``winner`` is winning."""
        hands = self._hands
        hand = hands[turn]
        mover = not turn
        may = hand & led or hand
        if may & may - 1:
            rest = GUARDS
            for place in hands:
                rest |= place
            free = ~(rest ^ hand)
            above = may & self._beaters[best]
            tries = _one_a_run(above, free) + _one_a_run(may ^ above, free)
            if winner and turn and above:  # a mate wins: rather leave it to him
                tries.reverse()
        else:
            tries = [may]
        beaters = self._beaters[best]
        for card in tries:
            hands[turn] = hand ^ card
            if card & beaters:
                top, who = card, turn
            else:
                top, who = best, winner
            if count == self._last:
                found = self._lead(who, need - (not who), left - 1)
            else:
                found = self._follow(turn + 1 if turn < self._last else 0, count + 1, led, top, who, need, left)
            hands[turn] = hand
            if found == mover:
                return mover
        return not mover
