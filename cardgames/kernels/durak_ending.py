"""Durak's kernel for two players who know both hands, with no stock but perhaps the turn-up: an exact solver.

It plays bouts itself, cards taken back instead of states copied: in plain Python a search on the kernel's states takes
four times as long. ``tests/bots`` compares it with the engine. Attacks are not turned over and begin with one card.

A position is worth 1, 0 or -1 to a player, as in the scores. The solver answers whether the attacker can reach a
``GOAL`` of 1 or 0; the defender can prevent it if they can reach ``1 - GOAL``.

The ints of ``work``: the position to be entered next, with the phase in ``KIND``, the hands of attacker and defender,
``TABLE`` and ``RANKS`` as in the kernel, ``ATTACKS``: how many attack cards there are, ``TO_BEAT``, the card to be
beaten, or while cards are given to a defender who takes their number, and ``LAST``, the turn-up until it is drawn;
``THROWS`` and ``TRUMPED`` for the game; ``POSITIONS``: the number of bouts that may still be begun; and ``DEPTH``: the
number of choices on the way, which are the rows of ``way``. ``found`` has pairs of a digest and the bounds of a
position's worth to the attacker."""

from cardgames.kernels import durak
from cardgames.kernels.compiling import IntRows, Ints, compiled, lowest, popcount, scrambled
from cardgames.kernels.durak import ATTACK, DEFEND, HAND, HIGHER, MORE, THROW, WHOLE

KIND, MINE, THEIRS, TABLE, RANKS, ATTACKS, TO_BEAT, LAST, GOAL, THROWS, TRUMPED, POSITIONS, DEPTH, LENGTH = range(14)

CARD, LEFT, SURE, KEY, WIDTH = 8, 9, 10, 11, 12
"""Beside the position, the ints of each choice on the way: the card being tried, those to try after it, of these the
attacks that nothing beats, and the digest under which its worth is kept. ``LEFT`` is -1 once no card is left: then
the attacker adds none, or the defender takes."""

MOST_ATTACKS = 6
DEEPEST = 600
MOST_IN_BOUT = 30
"""The number of choices on the way that are kept, and that one bout can add."""

UNSOLVED = 2
"""The answer is not known yet."""
UNKNOWN = 2
"""The bounds of a position of which nothing is known, -1 and 1: three times the lower plus the upper, from 0."""


@compiled
def _sure(left: int, theirs: int) -> int:
    """The cards among ``left``, plain ones, that nothing beats: they hold no trumps."""
    found = 0
    while left:
        card = lowest(left)
        left &= left - 1
        if not theirs & HIGHER[card]:
            found |= 1 << card
    return found


@compiled
def reaches(work: Ints, way: IntRows, found: Ints) -> int:
    """Whether the attacker reaches the goal: 1, 0, or ``UNSOLVED`` after ``POSITIONS``; another call continues.

    It is unsolved, with positions left, if ``way`` is full."""
    throws, trumps, positions, depth = work[THROWS], work[TRUMPED], work[POSITIONS], work[DEPTH]
    kind, mine, theirs, table, ranks = work[KIND], work[MINE], work[THEIRS], work[TABLE], work[RANKS]
    attacks, to_beat, last, goal = work[ATTACKS], work[TO_BEAT], work[LAST], work[GOAL]
    plain, slots = WHOLE ^ trumps, len(found) // 2 - 1
    while True:  # enter a position
        answer, left, sure, key = -1, 0, 0, 0
        if kind == DEFEND:
            left = theirs & (HIGHER[to_beat] if trumps >> to_beat & 1 else HIGHER[to_beat] | trumps)
        elif kind == THROW:
            if throws and attacks < MOST_ATTACKS and to_beat < popcount(theirs):
                left = mine & ranks
        elif kind == ATTACK or (theirs and attacks < MOST_ATTACKS):
            left = mine if kind == ATTACK else mine & ranks
            if left:
                key = scrambled(mine, theirs)
                key = scrambled(key ^ key >> 29 ^ table, attacks + 8 * (last != 0))
                slot = (key >> 40 & slots) * 2
                bounds = found[slot + 1] if found[slot] == key else UNKNOWN
                if bounds // 3 > goal:
                    answer, key = 1, 0
                elif bounds % 3 <= goal:
                    answer, key = 0, 0
                elif kind == ATTACK:
                    if positions == 0 or depth + MOST_IN_BOUT > len(way):
                        work[KIND], work[MINE], work[THEIRS], work[TABLE], work[RANKS] = kind, mine, theirs, 0, 0
                        work[ATTACKS], work[TO_BEAT], work[LAST], work[GOAL] = 0, 0, last, goal
                        work[POSITIONS], work[DEPTH] = positions, depth
                        return UNSOLVED
                    positions -= 1
                    if not theirs & trumps:
                        sure = _sure(mine & plain, theirs)
        here = way[depth]
        here[KIND], here[RANKS], here[TO_BEAT], here[KEY], here[SURE] = kind, ranks, to_beat, key, sure
        while True:  # try the next card, or go back with the answer
            if answer < 0:
                if left:
                    cards = left & sure or left & plain or left
                    bit = cards & -cards
                    card = popcount(bit - 1)
                    here[CARD], here[LEFT] = bit, left ^ bit
                    table |= bit
                    ranks |= 15 << (card & 60)
                    if kind == DEFEND:  # D4
                        theirs ^= bit
                        kind = MORE
                    else:  # D3, D5, D11
                        mine ^= bit
                        attacks += 1
                        if kind == THROW:
                            to_beat += 1
                        else:
                            kind, to_beat = DEFEND, card
                    depth += 1
                    break
                here[LEFT] = -1
                if kind == ATTACK:
                    answer = 0
                elif kind == DEFEND and throws:
                    kind, to_beat = THROW, 1
                    depth += 1
                    break
                else:  # D7, D8: the bout ends
                    one, two, drawn = mine, theirs, last
                    if drawn and popcount(one) < HAND:
                        one, drawn = one | drawn, 0
                    if kind == MORE and drawn and popcount(two) < HAND:
                        two, drawn = two | drawn, 0
                    if kind == MORE and not drawn and not (one and two):  # D9
                        answer = int(one == 0 and goal <= (two != 0))
                    elif kind != MORE and one == 0:
                        answer = 1
                    else:
                        here[MINE], here[THEIRS], here[TABLE] = mine, theirs, table
                        here[ATTACKS], here[LAST] = attacks, last
                        if kind == MORE:
                            mine, theirs, goal = two, one, 1 - goal
                        else:
                            mine, theirs = one, two | table
                        kind, table, ranks, attacks, to_beat, last = ATTACK, 0, 0, 0, 0, drawn
                        depth += 1
                        break
            if key:
                slot = (key >> 40 & slots) * 2
                bounds = found[slot + 1] if found[slot] == key else UNKNOWN
                found[slot] = key
                found[slot + 1] = 3 * (goal + 1) + bounds % 3 if answer else bounds // 3 * 3 + goal
            if depth == 0:
                work[POSITIONS] = positions
                return answer
            depth -= 1
            here = way[depth]
            kind, ranks, to_beat, key, left = here[KIND], here[RANKS], here[TO_BEAT], here[KEY], here[LEFT]
            if left >= 0:
                bit, sure = here[CARD], here[SURE]
                table ^= bit
                if kind == DEFEND:
                    theirs ^= bit
                else:
                    mine ^= bit
                    attacks -= 1
                if answer == int(kind == DEFEND):
                    answer = -1  # another card may do better
            elif kind != DEFEND or not throws:
                mine, theirs, table = here[MINE], here[THEIRS], here[TABLE]
                attacks, last = here[ATTACKS], here[LAST]
                if kind == MORE:
                    answer, goal = 1 - answer, 1 - goal


def begin(state: Ints, work: Ints, goal: int) -> None:
    """Prepare the question whether the attacker reaches a goal from a state of the kernel; never compiled."""
    phase, unbeaten = state[durak.PHASE], state[durak.UNBEATEN]
    work[KIND], work[GOAL], work[DEPTH] = phase, goal, 0
    work[MINE], work[THEIRS] = state[state[durak.LEADER]], state[state[durak.DEFENDER]]
    work[TABLE], work[RANKS] = state[durak.TABLE], state[durak.RANKS]
    work[ATTACKS] = (popcount(work[TABLE]) + popcount(unbeaten)) // 2
    work[TO_BEAT] = popcount(unbeaten) if phase == THROW else lowest(unbeaten) if phase == DEFEND else 0
    work[LAST] = state[durak.STOCKED]
    work[THROWS], work[TRUMPED] = state[durak.THROW_IN], state[durak.TRUMPS]
