"""Matches of Durak at random.

Hands, the table and what may be played are sets of cards, an int with one bit a card (:data:`PackSet`); a single card
is the set of it alone. Legal actions are counted, not listed: they stand in ascending order of card, and after them
`pass` or `take`.
"""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from cardgames.engine.cards import Card, suit_of
from cardgames.engine.durak import HAND, MOST_ATTACKS, MOST_ATTACKS_FIRST, Durak
from cardgames.engine.durak_tables import BIT, PACK, SAME_RANK, SAME_SUIT, WHOLE_PACK, PackSet, pack_set
from cardgames.engine.game import AnyGame, Outcome, Reason
from cardgames.random_play import Draw, RandomMatch, Uniform


class Trumps(NamedTuple):
    """The look-up tables for one suit of trumps."""

    plain: PackSet
    """All other cards."""
    beaters: dict[PackSet, PackSet]
    """D4: for each card, those that beat it."""


def _trumps(suit: int) -> Trumps:
    """For a suit, 0-3, as trumps."""
    trumps = SAME_SUIT[PACK[9 * suit]]
    higher = {card: SAME_SUIT[card] & -2 * BIT[card] for card in PACK}
    beaters = {BIT[card]: higher[card] if BIT[card] & trumps else higher[card] | trumps for card in PACK}
    return Trumps(WHOLE_PACK ^ trumps, beaters)


TRUMPS = [_trumps(suit) for suit in range(4)]
"""For each suit, what it decides as trumps."""

RANK = {BIT[card]: SAME_RANK[card] for card in PACK}
"""D5: for each card, the four of its rank."""


FOOL = {
    1: Outcome((-1, 1), (2,), Reason("fool", {"seat": 1})),
    2: Outcome((1, -1), (1,), Reason("fool", {"seat": 2})),
}
"""D9: the end of the match, by the seat that is the fool."""

BOTH_OUT = Outcome((0, 0), (), Reason("both_out"))
REPETITION = Outcome((0, 0), (), Reason("repetition"))


class Bout(NamedTuple):
    """The hands and the table in the middle of a bout."""

    attacker_hand: PackSet
    defender_hand: PackSet
    table: PackSet
    unbeaten: PackSet
    """The attack cards that have not been beaten."""
    ranks: PackSet
    """D5: all cards of the ranks on the table."""


def knows(game: AnyGame) -> bool:
    """Whether the match is one for two, with 36 cards, laid one by one."""
    assert isinstance(game, Durak)
    return game.seats == 2 and game.rules.pack == 36 and not game.rules.several


def play(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match: bout after bout, until a hand stays empty (D9) or a position stands for the third time (D13)."""
    assert isinstance(game, Durak)
    rules = game.rules
    throw_in, turn_over, turn_later = rules.throw_in, rules.turn_over != "off", rules.turn_over == "any"
    most_cards = 2 * (MOST_ATTACKS_FIRST if rules.first_bout_five else MOST_ATTACKS)  # D6, D14, all beaten
    pack = draw("deal", PACK, len(PACK))
    attacker, attacker_hand, defender_hand, stock = _dealt(game, pack)
    trumps, rank = TRUMPS[suit_of(stock[0])], RANK
    plain_cards, beaters = trumps
    positions: list[tuple[PackSet, PackSet, int]] = []
    actions = 1
    # The bouts stand in one loop for speed: throwing in alone, as a function, makes matches with it 7 to 9 % slower.
    while attacker_hand and defender_hand:
        # D3: the attacker begins a bout with any card.
        actions += 1
        choices = attacker_hand.bit_count()
        unbeaten = attacker_hand
        if choices > 1:
            n = floor(uniform() * choices)
            while n:  # as in _nth
                unbeaten &= unbeaten - 1
                n -= 1
            unbeaten &= -unbeaten
        attacker_hand ^= unbeaten
        table, ranks = unbeaten, rank[unbeaten]
        swapped = False
        while True:
            # D4: the defender beats the one attack card that is unbeaten, or takes. D12: or turns the attack over.
            actions += 1
            beating = defender_hand & beaters[unbeaten]
            choices = beating.bit_count()
            if (
                turn_over
                and (turning := defender_hand & rank[unbeaten])
                and (turn_later or unbeaten == table)
                and table.bit_count() + 1 < most_cards
                and attacker_hand.bit_count() > 1
            ):
                turns = turning.bit_count()
                n = floor(uniform() * (turns + choices + 1)) - turns
            elif beating:
                n = floor(uniform() * (choices + 1))
            else:
                break
            if n < 0:  # turning over comes first
                card = _nth(turning, turns + n)
                bout = Bout(defender_hand ^ card, attacker_hand, table | card, unbeaten | card, ranks)
                bout, turns, answers = _answered(bout, most_cards, trumps, uniform)
                attacker_hand, defender_hand, table, unbeaten, ranks = bout
                actions += answers
                if turns % 2:
                    attacker, swapped = 3 - attacker, not swapped
                if unbeaten:
                    break
            elif n == choices:
                break
            else:
                card = _nth_beater(beating, n, plain_cards)
                defender_hand ^= card
                table |= card
                ranks |= rank[card]
                unbeaten = 0
            # D7: the defence has held when nothing can follow. D5: otherwise the attacker goes on, or stops.
            if not (attacker_hand and defender_hand) or table.bit_count() == most_cards:
                break
            actions += 1
            more = attacker_hand & ranks
            if not more:
                break
            choices = more.bit_count()
            n = floor(uniform() * (choices + 1))
            if n == choices:
                break
            unbeaten = _nth(more, n)
            attacker_hand ^= unbeaten
            table |= unbeaten
            ranks |= rank[unbeaten]
        if unbeaten:  # D7: the defender takes, D8: and the attacker draws.
            if throw_in:
                to_beat = unbeaten.bit_count()
                room = min(defender_hand.bit_count() - to_beat, (most_cards - table.bit_count() - to_beat) // 2)
                while room > 0 and attacker_hand:
                    actions += 1
                    more = attacker_hand & ranks
                    if not more:
                        break
                    choices = more.bit_count()
                    n = floor(uniform() * (choices + 1))
                    if n == choices:
                        break
                    card = _nth(more, n)
                    attacker_hand ^= card
                    table |= card
                    room -= 1
            defender_hand |= table
            if stock:
                attacker_hand = _refilled(attacker_hand, stock)
        else:  # D7: the cards leave the game, D8: whoever laid the first of them draws first, and the roles swap.
            if stock:
                if swapped:
                    defender_hand = _refilled(defender_hand, stock)
                attacker_hand = _refilled(attacker_hand, stock)
                defender_hand = _refilled(defender_hand, stock)
            attacker, attacker_hand, defender_hand = 3 - attacker, defender_hand, attacker_hand
            positions = []
        most_cards = 2 * MOST_ATTACKS
        if turn_over and not stock:  # D13
            position = (attacker_hand, defender_hand, attacker)
            positions.append(position)
            if positions.count(position) == 3:
                break
    outcome = _outcome(attacker, attacker_hand, defender_hand)
    return RandomMatch(outcome, outcome.scores, deals=1, actions=actions)


def _dealt(game: Durak, pack: Sequence[Card]) -> tuple[int, PackSet, PackSet, list[Card]]:
    """D2, D3: who attacks first, the attacker's hand, the defender's, and the stock, last card first."""
    turn_up = pack[12]
    hands = {3 - game.dealer: pack_set(pack[0:12:2]), game.dealer: pack_set(pack[1:12:2])}
    trumps = (hands[1] | hands[2]) & SAME_SUIT[turn_up]
    dealer_begins = game.rules.lowest_trump_begins and trumps & -trumps & hands[game.dealer]
    attacker = game.dealer if dealer_begins else 3 - game.dealer
    return attacker, hands[attacker], hands[3 - attacker], [turn_up, *pack[:12:-1]]


def _refilled(hand: PackSet, stock: list[Card]) -> PackSet:
    """D8: a hand that has drawn up to six from the stock."""
    while stock and hand.bit_count() < HAND:
        hand |= BIT[stock.pop()]
    return hand


def _nth(cards: PackSet, n: int) -> PackSet:
    """The n-th card of a set, counted from 0."""
    while n:
        cards &= cards - 1
        n -= 1
    return cards & -cards


def _nth_beater(beating: PackSet, n: int, plain_cards: PackSet) -> PackSet:
    """D4: the n-th of the cards that beat an attack card, counted from 0; trumps come last."""
    plain = beating & plain_cards
    choices = plain.bit_count()
    return _nth(plain, n) if n < choices else _nth(beating ^ plain, n - choices)


def _answered(bout: Bout, most_cards: int, trumps: Trumps, uniform: Uniform) -> tuple[Bout, int, int]:
    """D12: a bout that has just been turned over, when all is beaten or the defender takes; how often it was turned
    over until then; and how many actions followed the first time."""
    attacker_hand, defender_hand, table, unbeaten, ranks = bout
    plain_cards, beaters = trumps
    rank = RANK[unbeaten & -unbeaten]
    fresh = True
    turns, answers = 1, 0
    while unbeaten:
        answers += 1
        to_beat = unbeaten.bit_count()
        turning = 0
        if fresh and table.bit_count() + to_beat < most_cards and to_beat < attacker_hand.bit_count():
            turning = defender_hand & rank
        first = choices = turning.bit_count()
        ways, rest = [], unbeaten
        while rest:
            attack_card = rest & -rest
            rest ^= attack_card
            beating = defender_hand & beaters[attack_card]
            ways.append((attack_card, beating))
            choices += beating.bit_count()
        n = floor(uniform() * (choices + 1)) if choices else 0
        if n == choices:
            break
        if n < first:
            card = _nth(turning, n)
            attacker_hand, defender_hand = defender_hand ^ card, attacker_hand
            table |= card
            unbeaten |= card
            turns += 1
            continue
        n -= first
        for attack_card, beating in ways:
            if n < beating.bit_count():
                card = _nth_beater(beating, n, plain_cards)
                unbeaten ^= attack_card
                break
            n -= beating.bit_count()
        defender_hand ^= card
        table |= card
        ranks |= RANK[card]
        fresh = False
    return Bout(attacker_hand, defender_hand, table, unbeaten, ranks), turns, answers


def _outcome(attacker: int, attacker_hand: PackSet, defender_hand: PackSet) -> Outcome:
    """D9, D13: how the match ends with these hands."""
    if attacker_hand and defender_hand:
        return REPETITION
    if not (attacker_hand or defender_hand):
        return BOTH_OUT
    return FOOL[attacker if attacker_hand else 3 - attacker]
