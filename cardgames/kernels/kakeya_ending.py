"""The kernel of Kakeya Trump for the last tricks of a deal: like ``kakeya``, but each sampled deal is solved too.

The solver tries each card and takes it back. It has a form of its own for the play: four hands, and a stack with a
position for each card played. This is several times faster than a copy of the state for each card. Two things save it
work: of equivalent cards (of one suit, with no card of another player between them, and counting alike) it tries only
the lowest; and it stores the bounds of each position at the start of a trick, with the position itself.

``worth`` is longer than in ``kakeya``: after the worth to each seat it has the hands, the stack and the stored bounds.
"""

from cardgames.kernels import kakeya
from cardgames.kernels.compiling import Ints, compiled, highest, lowest, popcount, scrambled
from cardgames.kernels.kakeya import ABOVE, ACES, PICTURES, SAME_SUIT, WHOLE, costs, guess, payment, play

__all__ = ["MOST_CARDS", "WORTHS", "guess", "play", "roll_out", "solve"]

MOST_CARDS = 8
"""The most cards in a hand that the solver accepts."""

MOST = 4
"""The most chips that a deal can cost (K9)."""

HELD, STACK = 6, 10
"""The start of the hands, by place, and the start of the stack."""
TURN, LYING, SUIT, TAKING, WINS, PILE, EVEN = range(7)
"""The ints of a position: the place to play; the number of cards in the trick, the suit led, the cards that would take
it, the place that is winning it, and its pictures; then the pictures that places 0 and 2 have taken."""
LOW, HIGH, FOUND, FIRST, THEN, DOWN, CARD = range(7, 14)
"""Further ints of a position: the search window, the best chips found, the cards to try first (from the highest if
``DOWN`` is 1) and next, and the card being tried."""
SLOT, LEAST, GREATEST, FLOOR, CEILING, POSITION_SIZE = 14, 15, 16, 17, 18, 19
"""Further ints of a position at the start of a trick: the index at which its bounds are stored, the known bounds of its
chips, and the window with which its search began. ``POSITION_SIZE`` is the number of ints of a position."""
KEPT = STACK + POSITION_SIZE * (4 * MOST_CARDS + 1)
SLOTS = 1 << 12
WORTHS = KEPT + 3 * SLOTS


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """Write each seat's chips into ``worth``, in thousandths: the mean of the results of best play and of play by rule.

    Best play is with open hands. The mean suits real players, who neither see all hands nor always play by rule."""
    chips = 1000 * solve(state, worth)
    kakeya.roll_out(state, rng, worth)
    for seat in range(state[kakeya.SEATS]):
        worth[seat] //= 2
    for place in range(4):
        worth[state[kakeya.PLAYERS + place] - 1] += (-chips if place & 1 else chips) // 2


@compiled
def solve(state: Ints, work: Ints) -> int:
    """The chips that places 0 and 2 win by best open play, negative if they pay. ``work`` has ``WORTHS`` ints."""
    rensho, above = 1 << state[kakeya.RENSHO], 52 * state[kakeya.RENSHO]
    for place in range(4):
        work[HELD + place] = state[kakeya.HANDS + place]
    at = STACK
    work[at + TURN], work[at + LYING], work[at + SUIT] = state[kakeya.PLACE], state[kakeya.COUNT], state[kakeya.LED]
    work[at + TAKING], work[at + WINS], work[at + PILE] = state[kakeya.HIGHER], state[kakeya.WINNER], state[kakeya.LAID]
    work[at + EVEN], work[at + LOW], work[at + HIGH] = state[kakeya.TAKEN], -MOST, MOST
    done = _enter_position(work, at, rensho, above)  # 1 if the chips of the position are known
    while True:
        if not done:
            at = _try_next(work, at, above)
            done = _enter_position(work, at, rensho, above)
        elif at == STACK:
            return int(work[at + FOUND])
        else:
            at -= POSITION_SIZE
            done = _take_back(work, at, work[at + POSITION_SIZE + FOUND])


@compiled
def _enter_position(work: Ints, at: int, rensho: int, above: int) -> int:
    """Find the cards to try in the position at the index ``at``. Return 1 if its chips are known without a try, else 0.

    ``rensho`` is the set of that one card; ``above`` is the index at which rensho's entries of ``ABOVE`` start."""
    turn = work[at + TURN]
    hand = work[HELD + turn]
    held = work[HELD] | work[HELD + 1] | work[HELD + 2] | work[HELD + 3]
    others = held ^ hand
    if work[at + LYING]:
        playable = hand & work[at + SUIT] or hand
        work[at + THEN] = work[at + DOWN] = 0
        if playable & playable - 1:  # more than one card
            higher = work[at + TAKING]
            wins, loses = _one_of_each(playable & higher, others), _one_of_each(playable & ~higher, others)
            if (work[at + WINS] ^ turn) & 1:  # an opponent is winning the trick
                work[at + FIRST], work[at + THEN] = wins, loses
            else:
                work[at + FIRST], work[at + THEN], work[at + DOWN] = loses, wins, 1
        else:
            work[at + FIRST] = playable
    else:
        even, left = work[at + EVEN], held & PICTURES
        if left == 0 or (hand & hand - 1) == 0:  # no picture is left, or this is the last trick
            work[at + FOUND] = payment(even if _is_won_by_odd(work, turn, above) else even | left, rensho)
            return 1
        _look_up(work, at, rensho, even, left)
        least, greatest = work[at + LEAST], work[at + GREATEST]
        if least == greatest or least >= work[at + HIGH] or greatest <= work[at + LOW]:
            work[at + FOUND] = greatest if greatest <= work[at + LOW] else least
            return 1
        work[at + LOW] = work[at + FLOOR] = max(work[at + LOW], least)
        work[at + HIGH] = work[at + CEILING] = min(work[at + HIGH], greatest)
        work[at + FIRST], work[at + THEN], work[at + DOWN] = _one_of_each(hand, others), 0, 1
    work[at + FOUND] = MOST + 1 if turn & 1 else -MOST - 1  # worse for the place to play than any result
    return 0


@compiled
def _is_won_by_odd(work: Ints, leader: int, above: int) -> int:
    """K8: 1 if place 1 or 3 wins the last trick, which place ``leader`` leads, else 0.

    ``above`` is the index at which rensho's entries of ``ABOVE`` start."""
    best, winner = lowest(work[HELD + leader]), leader
    for step in range(1, 4):
        place = leader + step & 3
        if work[HELD + place] & ABOVE[above + best]:
            best, winner = lowest(work[HELD + place]), place
    return winner & 1


@compiled
def _try_next(work: Ints, at: int, above: int) -> int:
    """Play the next card to try in the position at the index ``at``. Return the index of the position after the card.

    ``above`` is as in :func:`_enter_position`."""
    turn, count, first = work[at + TURN], work[at + LYING], work[at + FIRST]
    if first:
        card = highest(first) if work[at + DOWN] else lowest(first)
        work[at + FIRST] = first ^ (1 << card)
    else:
        card = lowest(work[at + THEN])
        work[at + THEN] &= work[at + THEN] - 1
    work[at + CARD] = card
    work[HELD + turn] ^= 1 << card
    taking, winner, after = work[at + TAKING], work[at + WINS], at + POSITION_SIZE
    if count == 0 or taking >> card & 1:
        taking, winner = ABOVE[above + card], turn
    pile = work[at + PILE] | ((1 << card) & PICTURES)
    work[after + LOW], work[after + HIGH] = work[at + LOW], work[at + HIGH]
    if count == 3:
        work[after + TURN], work[after + LYING], work[after + PILE] = winner, 0, 0
        work[after + EVEN] = work[at + EVEN] if winner & 1 else work[at + EVEN] | pile
    else:
        work[after + SUIT] = work[at + SUIT] if count else SAME_SUIT[card]
        work[after + TURN], work[after + LYING], work[after + PILE] = turn + 1 & 3, count + 1, pile
        work[after + TAKING], work[after + WINS], work[after + EVEN] = taking, winner, work[at + EVEN]
    return after


@compiled
def _take_back(work: Ints, at: int, chips: int) -> int:
    """Take back the card being tried. Return 1 if no other card needs to be tried, else 0.

    At the start of a trick, a final result is stored. ``chips``: the chips that places 0 and 2 win after that card."""
    turn, trick_size = work[at + TURN], work[at + LYING]
    work[HELD + turn] ^= 1 << work[at + CARD]
    low, high, result = work[at + LOW], work[at + HIGH], work[at + FOUND]
    result = min(result, chips) if turn & 1 else max(result, chips)  # places 1 and 3 want the least for 0 and 2
    work[at + FOUND] = result
    cut = result <= low if turn & 1 else result >= high
    if not cut and (work[at + FIRST] or work[at + THEN]):
        if turn & 1:
            work[at + HIGH] = min(high, result)
        else:
            work[at + LOW] = max(low, result)
        return 0
    if trick_size == 0:
        _store_bounds(work, at, result)
    return 1


@compiled
def _look_up(work: Ints, at: int, rensho: int, even: int, left: int) -> None:
    """Write the index for the bounds of a position, and its known bounds, into the ints of the position.

    The position is at the index ``at`` and starts a trick. The other arguments are those of :func:`_bounds`."""
    first, second, third = stored_position(work, at)
    work[at + SLOT] = slot = KEPT + 3 * (scrambled(scrambled(first, second) ^ third, 0) >> 40 & SLOTS - 1)
    if work[slot] == first and work[slot + 1] & WHOLE == second and work[slot + 2] == third:
        bounds = work[slot + 1] >> 52
        work[at + LEAST], work[at + GREATEST] = (bounds >> 4) - MOST, (bounds & 15) - MOST
    else:
        work[at + LEAST], work[at + GREATEST] = _bounds(rensho, even, left)


@compiled
def _store_bounds(work: Ints, at: int, result: int) -> None:
    """Narrow the bounds of a position at a trick's start by ``result``; store it, the bounds above the cards."""
    least, greatest = work[at + LEAST], work[at + GREATEST]
    # a result inside the window is exact; at its ends, or beyond, it bounds one side only
    if result < work[at + CEILING]:
        greatest = min(greatest, result)
    if result > work[at + FLOOR]:
        least = max(least, result)
    slot = work[at + SLOT]
    work[slot], work[slot + 1], work[slot + 2] = stored_position(work, at)
    work[slot + 1] |= 16 * (least + MOST) + greatest + MOST << 52


@compiled
def stored_position(work: Ints, at: int) -> tuple[int, int, int]:
    """Three ints for the position at the index ``at``, which starts a trick; equal only if the chips are equal.

    A bit for each card tells its place: 0 by the third int, 1 by the first, 2 by the second, 3 by the first two; an ace
    that places 0 and 2 have taken by the first and the third. Above these are the turn and the number of pictures that
    places 0 and 2 have taken. Payment depends on that number and the aces (K9)."""
    even = work[at + EVEN]
    odd_hands, aces = work[HELD + 1] | work[HELD + 3], even & ACES
    first = odd_hands | aces | work[at + TURN] + 4 * popcount(even) << 52
    return first, work[HELD + 2] | work[HELD + 3], work[HELD] | aces


@compiled
def _bounds(rensho: int, even: int, left: int) -> tuple[int, int]:
    """The least and the most chips that the pair of places 0 and 2 can get.

    ``even``: the pictures that this pair has won; ``left``: the pictures in hands; ``rensho``: the set of that card."""
    if popcount(even | left) < 8:  # this pair pays in any case
        low, high = costs(even, even | left, rensho)
        return -high, -low
    if popcount(even) > 8:  # the other pair pays in any case
        return costs(PICTURES ^ even ^ left, PICTURES ^ even, rensho)
    return -MOST, MOST


@compiled
def _one_of_each(cards: int, others: int) -> int:
    """The lowest card of each group of equivalent cards in ``cards``. ``others``: the cards of the other players."""
    result = 0
    while cards:
        low = cards & -cards
        suit = SAME_SUIT[lowest(low)]
        alike = ACES if low & ACES else PICTURES & ~ACES if low & PICTURES else ~PICTURES  # count alike (K9)
        free = ~(others & suit) & -low  # from ``low`` on, all but the cards of the other players
        cards &= ~(free & ~(free + low) & suit & alike)  # only up to the first of these
        result |= low
    return result
