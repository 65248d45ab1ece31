"""Some turns of Zetema played by rules of thumb, in one function on ints: what a search judges a position by."""

from cardgames.bots.zetema_policy import KING, QUEEN, Style, rows_of
from cardgames.engine.cards import Card
from cardgames.engine.zetema import MARRIAGES, TRICK, State, Zetema
from cardgames.engine.zetema_cards import UNITS, by_rank

CARD_OF = {unit: card for card, unit in enumerate(UNITS)}

ROYAL = tuple([card % 13 in (KING, QUEEN) for card in range(52)])
OTHER = tuple([card + 1 if card % 13 == QUEEN else card - 1 for card in range(52)])
"""For a queen its king, for a king its queen."""


class Position:
    """A position to be played on from, its cards in lists."""

    __slots__ = ("count", "hands", "live", "piles", "points", "size", "spades", "stock", "table", "turn")

    def __init__(self, game: Zetema, state: State, live: int, draws: int) -> None:
        """``live`` are the kings and queens that may still marry; no more than ``draws`` cards will be drawn."""
        seats = game.seats
        self.count = seats
        self.size = 5 if seats == 6 else 6
        self.hands = [list(hand) for hand in game.hands(state)]
        piles = by_rank(state.table)
        self.piles = [len(pile) for pile in piles]
        self.table = [*piles[KING], *piles[QUEEN]]
        self.stock: list[Card] = []
        stock = state.stock
        while stock and len(self.stock) < draws:
            unit, stock = stock
            self.stock.append(CARD_OF[unit])
        self.stock.reverse()
        self.live = live
        self.turn = (state.to_act or 1) - 1
        self.spades = state.deal.spade_marriages
        self.points = [0] * seats

    def play(self, turns: int, style: Style, left: int) -> None:
        """So many turns, as long as anybody has cards; ``left`` is how many cards the whole stock has."""
        hands, stock, count, size = self.hands, self.stock, self.count, self.size
        turn = self.turn
        for _ in range(turns):
            passed = 0
            while not hands[turn]:
                turn = (turn + 1) % count
                passed += 1
                if passed == count:
                    return
            hand = hands[turn]
            self.points[turn] += self._turn(hand, style, left)
            while stock and len(hand) < size:
                hand.append(stock.pop())
                left -= 1
            turn = (turn + 1) % count

    def _turn(self, hand: list[Card], style: Style, left: int) -> int:
        """One turn; what it scores."""
        suits = [0, 0, 0, 0]
        ranks = royals = 0
        for card in hand:
            suits[card // 13] += 1
            ranks |= 1 << card % 13
            if ROYAL[card]:
                royals += 1
        if royals and (married := self._marry(hand, style, left)):
            return married
        size, full = self.size, len(hand) == self.size
        most, union = rows_of(ranks, size)
        scored = 0
        if full:
            flush = size in suits[1:]
            if most == size:
                scored = 50 if flush else 20
            elif flush:
                scored = 30
        extra = 6 - size
        in_row = style.row[min(6, most + extra)]
        of_suit = style.flush
        best, least, seen = -1, 1e9, 0
        piles, live = self.piles, self.live
        for card in hand:
            rank, suit = card % 13, card // 13
            worth = of_suit[suits[suit] + extra] if suit else 0.0
            bit = 1 << rank
            if union & bit and not seen & bit:
                worth += in_row
            seen |= bit
            if live >> card & 1:
                worth += style.royal
            pile = piles[rank]
            if pile == 4:
                worth -= TRICK[rank]
            elif pile == 3:
                worth += style.fear * 0.5 * TRICK[rank]
            if worth < least:
                best, least = card, worth
        hand.remove(best)
        rank = best % 13
        piles[rank] += 1
        if piles[rank] == 5:
            piles[rank] = 0
            self.table = [card for card in self.table if card % 13 != rank]
            return scored + TRICK[rank]
        if ROYAL[best]:
            self.table.append(best)
        return scored

    def _marry(self, hand: list[Card], style: Style, left: int) -> int:
        """Declare marriages if it is time to; what that scores."""
        table = self.table
        pairs: list[tuple[Card, bool, bool]] = []
        mine = [card for card in hand if ROYAL[card]]
        free = list(table)
        for card in list(mine):
            if card % 13 == KING and card in mine and card - 1 in mine:
                mine.remove(card)
                mine.remove(card - 1)
                pairs.append((card, True, True))
        for card in list(mine):
            other = OTHER[card]
            if other in free:
                free.remove(other)
                mine.remove(card)
                holds_king = card % 13 == KING
                pairs.append((card if holds_king else other, holds_king, not holds_king))
        if not pairs:
            return 0
        if left > style.soon and len(pairs) < style.wait:
            waiting = sum([self.live >> card & 1 for card in mine])
            if waiting:
                return 0
        spades = sum([king < 13 for king, _, _ in pairs])
        column = "both" if spades >= 2 else "imperial" if spades and self.spades else "plain"
        self.spades += spades
        number = min(len(pairs), 5 if column == "both" else 4)
        for king, king_in_hand, queen_in_hand in pairs[:number]:
            for card, in_hand in ((king, king_in_hand), (king - 1, queen_in_hand)):
                (hand if in_hand else table).remove(card)
                if not in_hand:
                    self.piles[card % 13] -= 1
            if king >= 13:
                self.live &= ~(3 << king - 1)
        return MARRIAGES[column][number]

    def potential(self, seat: int) -> float:
        """About what the hand of a seat will still score, in points."""
        hand = self.hands[seat]
        suits = [0, 0, 0, 0]
        ranks = royals = 0
        for card in hand:
            suits[card // 13] += 1
            ranks |= 1 << card % 13
            royals += self.live >> card & 1
        extra = 6 - self.size
        most, _ = rows_of(ranks, self.size)
        return FLUSH[min(6, max(suits[1:]) + extra)] + ROW[min(6, most + extra)] + KEPT[min(6, royals)]


FLUSH = (0.0, 0.0, 0.0, 2.0, 7.0, 18.0, 35.0)
ROW = (0.0, 0.0, 0.0, 1.0, 4.0, 10.0, 22.0)
KEPT = (0.0, 4.0, 10.0, 18.0, 28.0, 40.0, 50.0)
"""The points that a hand with so many of a suit, of a row, of kings and queens that may marry is about to score."""
