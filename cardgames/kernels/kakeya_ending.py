"""Kakeya Trump's kernel for the last tricks of a deal: as ``kakeya``, but each sampled deal is solved too.

A solver tries each card and takes it back, so the trick stands here in a form of its own: a stack of positions, one for
each card played, which shares four hands. Without a compiler, and with one that knows no recursion, this is several
times faster than a copy of the state for each card. Two things spare it work: of cards of one suit with nothing between
them that anybody else holds, and that count alike, only the lowest is tried; and what is known of a position at the
start of a trick is kept by a digest of 63 bits.

``worth`` is longer here: behind what the deal is worth to each seat stand the hands, the stack and what is kept.
"""

from cardgames.kernels.compiling import Ints, compiled, highest, lowest, popcount, scrambled
from cardgames.kernels.kakeya import (
    ABOVE,
    ACES,
    BEST,
    COUNT,
    HANDS,
    LAID,
    LED,
    PICTURES,
    PLACE,
    PLAYERS,
    RENSHO,
    SEATS,
    TAKEN,
    TRUMP_ACE,
    WEIGHED,
    WINNER,
    guess,
    payment,
    play,
)
from cardgames.kernels.kakeya import roll_out as play_out

__all__ = ["MOST_CARDS", "WORTHS", "guess", "play", "roll_out", "solve"]

MOST_CARDS = 8
"""The most cards in a hand that the solver accepts."""

MOST = 4
"""The most chips that a deal can pay (K9)."""

HELD = 6
"""The hands, by place; then the stack begins."""
STACK = 10
TURN, LYING, SUIT, TOP, WINS, PILE, EVEN = range(7)
"""Of each position the place to play and the trick: number of cards, suit led, best card, its place, pictures; then
the pictures of places 0 and 2."""
LOW, HIGH, FOUND, FIRST, THEN, DOWN, CARD = range(7, 14)
"""The window, the best chips found, the cards to try first (from the highest if ``DOWN`` is 1) and next, and the
card being tried."""
DIGEST, BOUNDS, LEAST, GREATEST, FRAME = 14, 15, 16, 17, 18
"""At the start of a trick its digest, the known bounds of its chips, and the bounds of the search."""
KEPT = STACK + FRAME * (4 * MOST_CARDS + 1)
SLOTS = 1 << 12
WORTHS = KEPT + 2 * SLOTS


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """The mean of the chips with best play and open hands, and with play by rule.

    Real players neither see all hands nor always follow the rule."""
    chips = 1000 * solve(state, worth)
    play_out(state, rng, worth)
    for seat in range(state[SEATS]):
        worth[seat] //= 2
    for place in range(4):
        worth[state[PLAYERS + place] - 1] += (-chips if place & 1 else chips) // 2


@compiled
def solve(state: Ints, work: Ints) -> int:
    """The chips of places 0 and 2 with best play."""
    rensho = 1 << state[RENSHO]
    above = 26 * (38 - state[RENSHO])
    for place in range(4):
        work[HELD + place] = state[HANDS + place]
    at = STACK
    work[at + TURN], work[at + LYING], work[at + SUIT] = state[PLACE], state[COUNT], state[LED]
    work[at + TOP], work[at + WINS], work[at + PILE] = state[BEST], state[WINNER], state[LAID]
    work[at + EVEN], work[at + LOW], work[at + HIGH] = state[TAKEN], -MOST, MOST
    chips = 0
    entering = 1
    while True:
        if entering:
            done = _open(work, at, rensho, above)
            chips = work[at + FOUND]
        else:
            done = _take(work, at, chips)
            chips = work[at + FOUND]
        if done:
            if at == STACK:
                return int(chips)
            at -= FRAME
            entering = 0
            continue
        at = _try_next(work, at, above)
        entering = 1


@compiled
def _open(work: Ints, at: int, rensho: int, above: int) -> int:
    """Enter a position: find the cards to try; return 1 if its chips are known already."""
    turn = work[at + TURN]
    hand = work[HELD + turn]
    held = work[HELD] | work[HELD + 1] | work[HELD + 2] | work[HELD + 3]
    others = held ^ hand
    if work[at + LYING]:
        may = hand & work[at + SUIT] or hand
        work[at + THEN] = work[at + DOWN] = 0
        if may & may - 1:
            higher = ABOVE[above + work[at + TOP]]
            wins, loses = _distinct(may & higher, others), _distinct(may & ~higher, others)
            if (work[at + WINS] ^ turn) & 1:
                work[at + FIRST], work[at + THEN] = wins, loses
            else:
                work[at + FIRST], work[at + THEN], work[at + DOWN] = loses, wins, 1
        else:
            work[at + FIRST] = may
    else:
        even, left = work[at + EVEN], held & PICTURES
        if left == 0 or hand & hand - 1 == 0:
            work[at + FOUND] = payment(even if _is_won_by_odd(work, turn, above) else even | left, rensho)
            return 1
        _recall(work, at, rensho, even, left)
        least, greatest = work[at + LEAST], work[at + GREATEST]
        if least == greatest or least >= work[at + HIGH] or greatest <= work[at + LOW]:
            work[at + FOUND] = greatest if greatest <= work[at + LOW] else least
            return 1
        least, greatest = max(work[at + LOW], least), min(work[at + HIGH], greatest)
        work[at + LOW] = work[at + LEAST] = least
        work[at + HIGH] = work[at + GREATEST] = greatest
        work[at + FIRST], work[at + THEN], work[at + DOWN] = _distinct(hand, others), 0, 1
    work[at + FOUND] = MOST + 1 if turn & 1 else -MOST - 1
    return 0


@compiled
def _is_won_by_odd(work: Ints, leader: int, above: int) -> int:
    """K8: whether place 1 or 3 wins the last trick."""
    best, winner = lowest(work[HELD + leader]), leader
    for step in range(1, 4):
        place = leader + step & 3
        if work[HELD + place] & ABOVE[above + best]:
            best, winner = lowest(work[HELD + place]), place
    return winner & 1


@compiled
def _try_next(work: Ints, at: int, above: int) -> int:
    """Play the next card to try; return the index of the new position."""
    turn, count, first = work[at + TURN], work[at + LYING], work[at + FIRST]
    if first:
        card = highest(first) if work[at + DOWN] else lowest(first)
        work[at + FIRST] = first ^ 1 << card
    else:
        card = lowest(work[at + THEN])
        work[at + THEN] &= work[at + THEN] - 1
    work[at + CARD] = card
    work[HELD + turn] ^= 1 << card
    top, winner, after = work[at + TOP], work[at + WINS], at + FRAME
    if count == 0 or ABOVE[above + top] >> card & 1:
        top, winner = card, turn
    pile = work[at + PILE] | 1 << card & PICTURES
    work[after + LOW], work[after + HIGH] = work[at + LOW], work[at + HIGH]
    if count == 3:
        work[after + TURN], work[after + LYING], work[after + PILE] = winner, 0, 0
        work[after + EVEN] = work[at + EVEN] if winner & 1 else work[at + EVEN] | pile
    else:
        work[after + SUIT] = work[at + SUIT] if count else WEIGHED[3 if card >= 39 else card % 3]
        work[after + TURN], work[after + LYING], work[after + PILE] = turn + 1 & 3, count + 1, pile
        work[after + TOP], work[after + WINS], work[after + EVEN] = top, winner, work[at + EVEN]
    return after


@compiled
def _take(work: Ints, at: int, chips: int) -> int:
    """Take back the card being tried, worth these chips; return 1 if no other need be tried."""
    turn, lying = work[at + TURN], work[at + LYING]
    work[HELD + turn] ^= 1 << work[at + CARD]
    low, high, found = work[at + LOW], work[at + HIGH], work[at + FOUND]
    found = min(found, chips) if turn & 1 else max(found, chips)
    work[at + FOUND] = found
    cut = found <= low if turn & 1 else found >= high
    if not cut and (work[at + FIRST] or work[at + THEN]):
        if turn & 1:
            work[at + HIGH] = min(high, found)
        else:
            work[at + LOW] = max(low, found)
        return 0
    if lying == 0:
        _keep(work, at, found)
    return 1


@compiled
def _recall(work: Ints, at: int, rensho: int, even: int, left: int) -> None:
    """Look up the bounds of a position at the start of a trick."""
    digest = work[at + TURN] | popcount(even) << 2 | even & ACES
    for place in range(4):
        digest = scrambled(digest ^ work[HELD + place], digest >> 29)
    work[at + DIGEST] = digest
    slot = KEPT + 2 * ((digest >> 40) % SLOTS)
    bounds = work[slot + 1] if work[slot] == digest else _bounds(rensho, even, left)
    work[at + BOUNDS], work[at + LEAST], work[at + GREATEST] = bounds, (bounds >> 4) - MOST, (bounds & 15) - MOST


@compiled
def _keep(work: Ints, at: int, found: int) -> None:
    """Store the result of a position at the start of a trick."""
    slot = KEPT + 2 * ((work[at + DIGEST] >> 40) % SLOTS)
    least, greatest = (work[at + BOUNDS] >> 4) - MOST, (work[at + BOUNDS] & 15) - MOST
    if found < work[at + GREATEST]:
        greatest = min(greatest, found)
    if found > work[at + LEAST]:
        least = max(least, found)
    work[slot], work[slot + 1] = work[at + DIGEST], _packed(least, greatest)


@compiled
def _packed(least: int, greatest: int) -> int:
    """Two bounds in one int."""
    return least + MOST << 4 | greatest + MOST


@compiled
def _bounds(rensho: int, even: int, left: int) -> int:
    """The least and the most that places 0 and 2 can get with these pictures left."""
    if popcount(even | left) < 8:
        lost, sign = even, -1
    elif popcount(even) > 8:
        lost, sign = PICTURES ^ even ^ left, 1
    else:
        return _packed(-MOST, MOST)
    both, most = rensho | TRUMP_ACE, lost | left
    low = 2 if lost & both == both or popcount(most) <= 4 else 1
    high = 2 if most & both == both or popcount(lost) <= 4 else 1
    if lost & ACES == ACES:
        low = high = MOST
    elif lost == 0 or most & ACES == ACES:
        high = MOST
    return _packed(low, high) if sign > 0 else _packed(-high, -low)


@compiled
def _distinct(cards: int, others: int) -> int:
    """The lowest of each group of equivalent ``cards``; ``others`` are held by the other players."""
    found = 0
    while cards:
        low = cards & -cards
        suit = WEIGHED[3] if low & WEIGHED[3] else WEIGHED[lowest(low) % 3]
        alike = ACES if low & ACES else PICTURES & ~ACES if low & PICTURES else ~PICTURES
        free = ~(others & suit) & -low
        cards &= ~(free & ~(free + low) & suit & alike)
        found |= low
    return found
