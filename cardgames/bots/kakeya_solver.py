"""The last tricks of Kakeya Trump with all hands known, solved: what the deal pays when everybody plays their best.

Of cards of one suit with nothing between them that anybody else holds, and that count alike, only the lowest is tried.
"""

from collections.abc import Sequence

from cardgames.bots.kakeya_play import ACES, PICTURES, PLACES, SUIT_OF, TRUMP_ACE, Trumps, Weighed

MOST = 4
"""The most chips that a deal can pay (K9)."""


class Ending:
    """The end of one deal with all hands known; places 0 and 2 play together, and so do 1 and 3."""

    __slots__ = ("_beats", "_hands", "_known", "_trumps")

    def __init__(self, hands: Sequence[Weighed], trumps: Trumps) -> None:
        self._hands = list(hands)
        self._trumps = trumps
        self._beats = trumps.beats
        self._known: dict[tuple[int, ...], tuple[int, int]] = {}

    def worth_after(self, card: Weighed, trick: Sequence[Weighed], first: Weighed) -> int:
        """The chips that places 0 and 2 get once place 0 has played ``card`` to ``trick``, which lies from its lead.

        ``first`` are the pictures that these two have taken.
        """
        hands = self._hands
        laid = [*trick, card]
        best, winner, lying = laid[0], (PLACES + 1 - len(laid)) % PLACES, 0
        for step, other in enumerate(laid):
            lying |= other
            if other & self._beats[best]:
                best, winner = other, (PLACES + 1 - len(laid) + step) % PLACES
        hands[0] ^= card
        if len(laid) == PLACES:
            found = self._lead(winner, first if winner & 1 else first | lying & PICTURES, -MOST, MOST)
        else:
            found = self._follow(1, len(laid), SUIT_OF[laid[0]], best, winner, lying, first, -MOST, MOST)
        hands[0] ^= card
        return found

    def _lead(self, leader: int, first: Weighed, low: int, high: int) -> int:
        """The chips at the start of a trick, or a bound of them where they lie outside ``low`` to ``high``."""
        one, two, three, four = self._hands
        out = one | two | three | four
        left = out & PICTURES
        if not left:
            return self._trumps.paid(first)
        key = (leader, one, two, three, four, first & ACES, first.bit_count())
        least, most = self._known.get(key, (-MOST, MOST))
        if least == -MOST and most == MOST:
            least, most = self._bounds(first, left)
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        hand = self._hands[leader]
        found = self._best(
            self._distinct(hand, hand, out)[::-1], leader, 0, 0, 0, leader, 0, first, max(low, least), min(high, most)
        )
        if found <= low:
            most = min(most, found)
        elif found >= high:
            least = max(least, found)
        else:
            least = most = found
        self._known[key] = least, most
        return found

    def _bounds(self, first: Weighed, left: Weighed) -> tuple[int, int]:
        """The least and the most that places 0 and 2 can get with ``left`` still to be taken."""
        if (first | left).bit_count() < 8:
            low, high = self._payments(first, left)
            return -high, -low
        if first.bit_count() > 8:
            return self._payments(PICTURES ^ first ^ left, left)
        return -MOST, MOST

    def _payments(self, lost: Weighed, left: Weighed) -> tuple[int, int]:
        """The least and the most that a pair pays that has ``lost`` and takes of ``left`` what it may (K9)."""
        both, most = self._trumps.rensho | TRUMP_ACE, lost | left
        if lost & ACES == ACES:
            return MOST, MOST
        low = 2 if lost & both == both or most.bit_count() <= 4 else 1
        if not lost or most & ACES == ACES:
            return low, MOST
        return low, 2 if most & both == both or lost.bit_count() <= 4 else 1

    def _follow(
        self, turn: int, count: int, led: Weighed, best: Weighed, winner: int, lying: Weighed, first: Weighed,
        low: int, high: int,
    ) -> int:  # fmt: skip
        """The chips within a trick of ``count`` cards that ``best`` is winning, where ``turn`` plays next.

        They are bounded as in :meth:`_lead`. The parts of the trick are handed on one by one: in a tuple they would
        take 3 % longer.
        """
        one, two, three, four = self._hands
        hand = self._hands[turn]
        may = hand & led or hand
        if may & may - 1:
            out = one | two | three | four
            above = may & self._beats[best]
            wins, loses = self._distinct(above, hand, out), self._distinct(may & ~above, hand, out)
            tries = loses[::-1] + wins if (winner ^ turn) & 1 == 0 else wins + loses
        else:
            tries = [may]
        return self._best(tries, turn, count, led, best, winner, lying, first, low, high)

    def _best(
        self, tries: Sequence[Weighed], turn: int, count: int, led: Weighed, best: Weighed, winner: int,
        lying: Weighed, first: Weighed, low: int, high: int,
    ) -> int:  # fmt: skip
        """The chips when ``turn`` plays the best of the cards to be tried; all else is as in :meth:`_follow`."""
        hands = self._hands
        hand = hands[turn]
        above = self._beats[best] if count else 0
        ours = turn & 1 == 0
        found = -MOST if ours else MOST
        for card in tries:
            hands[turn] = hand ^ card
            top, who = (card, turn) if not count or card & above else (best, winner)
            if count == PLACES - 1:
                won = first if who & 1 else first | (lying | card) & PICTURES
                value = self._lead(who, won, low, high)
            else:
                suit = led if count else SUIT_OF[card]
                value = self._follow(turn + 1 & 3, count + 1, suit, top, who, lying | card, first, low, high)
            hands[turn] = hand
            if ours:
                if value > found:
                    found = value
                    if found > low:
                        low = found
            elif value < found:
                found = value
                if found < high:
                    high = found
            if low >= high:
                break
        return found

    @staticmethod
    def _distinct(cards: Weighed, hand: Weighed, out: Weighed) -> list[Weighed]:
        """The lowest of those of ``cards`` that are as good as each other."""
        found = []
        others = out & ~hand
        while cards:
            low = cards & -cards
            suit = SUIT_OF[low]
            free = ~(others & suit) & -low
            alike = ACES if low & ACES else PICTURES & ~ACES if low & PICTURES else ~PICTURES
            cards &= ~(free & ~(free + low) & suit & alike)
            found.append(low)
        return found
