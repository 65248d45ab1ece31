"""An exact solver of Durak for two players with open hands, whose stock is empty or only the turn-up.

It plays bouts itself and takes cards back, instead of copying states: in plain Python a search on the kernel's states
takes four times as long. ``tests/bots`` compares it with the engine. Attacks begin with one card and are not turned
over.

A position is worth 1, 0 or -1 to a player, as in the scores. The solver answers whether the attacker can reach a
``GOAL`` of 1 or 0; the defender can prevent that if the defender can reach ``1 - GOAL``.

The ints of ``work``: the position to enter next, with its phase in ``KIND``, the hands of attacker (``MINE``) and
defender, ``TABLE`` and ``RANKS`` as in the kernel, ``ATTACKS``: the number of attack cards, ``TO_BEAT``: the card to
beat or, while cards are thrown in, the number of cards to beat, and ``LAST``: the turn-up until it is drawn; ``THROWS``
and ``TRUMPED`` for the options and trumps; ``POSITIONS``: the number of bouts that may still be begun; ``DEPTH``: the
number of choices on the path, which are the rows of ``path``.

``results`` has two ints for each stored position: :func:`stored_position`, with the bounds of its worth to the attacker
above the cards of the second. So no other position is taken for a stored one."""

from cardgames.kernels import durak
from cardgames.kernels.compiling import IntRows, Ints, compiled, lowest, popcount, scrambled
from cardgames.kernels.durak import ATTACK, DEFEND, HAND, HIGHER, MORE, THROW, WHOLE, surely_wins

KIND, MINE, THEIRS, TABLE, RANKS, ATTACKS, TO_BEAT, LAST, GOAL, THROWS, TRUMPED, POSITIONS, DEPTH, LENGTH = range(14)

CARD, LEFT, SURE, SLOT, WIDTH = 8, 9, 10, 11, 12
"""The further ints of each choice on the path: the card being tried, the cards to try next, the unbeatable attacks
among these, and the place in ``results`` where the worth is stored, or -1. ``LEFT`` is -1 once all cards are tried:
then the attacker adds none, or the defender takes."""

ABOVE = 52
"""The lowest bit above the cards of a set."""

MOST_ATTACKS = 6
MAX_DEPTH, MOST_IN_BOUT = 600, 30
"""The maximum number of choices on the path, and the maximum that one bout can add."""

UNSOLVED = 2
"""The answer of :func:`reaches` while the search is not finished."""
UNKNOWN = 2
"""The code of the bounds -1 and 1 of a worth. The code of other bounds is ``3 * (lower + 1) + upper + 1``."""


@compiled
def _unbeatable(cards: int, defender_hand: int) -> int:
    """The cards of the set ``cards`` that ``defender_hand`` cannot beat. Neither set has trumps."""
    unbeatable = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not defender_hand & HIGHER[card]:
            unbeatable |= 1 << card
    return unbeatable


@compiled
def stored_position(mine: int, theirs: int, table: int, last: int) -> tuple[int, int]:
    """Two ints for a position in which the attacker is to choose; equal for equal positions alone.

    A bit for each card tells its place: the attacker's hand by the first int, the defender's by the second, the table
    by both. Above the cards of the first is 1 until the turn-up ``last`` is drawn."""
    return mine | table | (1 << ABOVE if last else 0), theirs | table


@compiled
def reaches(work: Ints, path: IntRows, results: Ints) -> int:
    """Return 1 if the attacker reaches the goal, 0 if not, and ``UNSOLVED`` if the search is not finished.

    The search stops once it has begun ``work[POSITIONS]`` bouts, or earlier if ``path`` is full. A further call
    continues it. It is a recursion written as a loop: ``path`` has the choices that are being tried."""
    throws, trumps, positions, depth = work[THROWS], work[TRUMPED], work[POSITIONS], work[DEPTH]
    kind, mine, theirs, table, ranks = work[KIND], work[MINE], work[THEIRS], work[TABLE], work[RANKS]
    attacks, to_beat, last, goal = work[ATTACKS], work[TO_BEAT], work[LAST], work[GOAL]
    plain, slots = WHOLE ^ trumps, len(results) // 2 - 1
    while True:  # enter a position
        answer, left, sure, slot = -1, 0, 0, -1  # -1: not known yet; not to be stored
        if kind == DEFEND:
            left = theirs & (HIGHER[to_beat] if trumps >> to_beat & 1 else HIGHER[to_beat] | trumps)
        elif kind == THROW:
            if throws and attacks < MOST_ATTACKS and to_beat < popcount(theirs):
                left = mine & ranks
        elif kind == ATTACK or (theirs and attacks < MOST_ATTACKS):  # ``ATTACK`` or ``MORE``
            left = mine if kind == ATTACK else mine & ranks
            if kind == ATTACK and not last and surely_wins(mine, theirs, trumps):
                answer = 1
            elif left:
                first, second = stored_position(mine, theirs, table, last)
                slot = scrambled(first, second)
                slot = (scrambled(slot ^ slot >> 29, 0) >> 40 & slots) * 2
                is_stored = results[slot] == first and results[slot + 1] & WHOLE == second
                bounds = results[slot + 1] >> ABOVE if is_stored else UNKNOWN
                if bounds // 3 > goal:  # the lower bound is at least the goal
                    answer, slot = 1, -1
                elif bounds % 3 <= goal:  # the upper bound is below the goal
                    answer, slot = 0, -1
                elif kind == ATTACK:
                    if positions == 0 or depth + MOST_IN_BOUT > len(path):
                        work[KIND], work[MINE], work[THEIRS], work[TABLE], work[RANKS] = kind, mine, theirs, 0, 0
                        work[ATTACKS], work[TO_BEAT], work[LAST], work[GOAL] = 0, 0, last, goal
                        work[POSITIONS], work[DEPTH] = positions, depth
                        return UNSOLVED
                    positions -= 1
                    if not theirs & trumps:
                        sure = _unbeatable(mine & plain, theirs)
        choice = path[depth]
        choice[KIND], choice[RANKS], choice[TO_BEAT], choice[SLOT], choice[SURE] = kind, ranks, to_beat, slot, sure
        while True:  # try the next card, or go back with the answer
            if answer < 0:
                if left:
                    cards = left & sure or left & plain or left  # unbeatable cards first, trumps last
                    bit = cards & -cards
                    card = popcount(bit - 1)
                    choice[CARD], choice[LEFT] = bit, left ^ bit
                    table |= bit
                    ranks |= 15 << (card & 60)  # all cards of its rank
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
                choice[LEFT] = -1
                if kind == ATTACK:
                    answer = 0
                elif kind == DEFEND and throws:
                    kind, to_beat = THROW, 1
                    depth += 1
                    break
                else:  # D7, D8: the bout ends
                    attacker_hand, defender_hand, turn_up = mine, theirs, last
                    if turn_up and popcount(attacker_hand) < HAND:
                        attacker_hand, turn_up = attacker_hand | turn_up, 0
                    if kind == MORE and turn_up and popcount(defender_hand) < HAND:
                        defender_hand, turn_up = defender_hand | turn_up, 0
                    if kind == MORE and not turn_up and not (attacker_hand and defender_hand):  # D9
                        answer = int(attacker_hand == 0 and goal <= (defender_hand != 0))  # a draw if both are out
                    elif kind != MORE and attacker_hand == 0:
                        answer = 1
                    else:
                        choice[MINE], choice[THEIRS], choice[TABLE] = mine, theirs, table
                        choice[ATTACKS], choice[LAST] = attacks, last
                        if kind == MORE:  # the defender attacks next
                            mine, theirs, goal = defender_hand, attacker_hand, 1 - goal
                        else:
                            mine, theirs = attacker_hand, defender_hand | table
                        kind, table, ranks, attacks, to_beat, last = ATTACK, 0, 0, 0, 0, turn_up
                        depth += 1
                        break
            if slot >= 0:
                first, second = stored_position(mine, theirs, table, last)
                is_stored = results[slot] == first and results[slot + 1] & WHOLE == second
                bounds = results[slot + 1] >> ABOVE if is_stored else UNKNOWN
                # the goal becomes the lower bound, or the upper bound becomes the worth below it
                bounds = (3 * (goal + 1) + bounds % 3) if answer else (bounds // 3 * 3 + goal)
                results[slot], results[slot + 1] = first, second | bounds << ABOVE
            if depth == 0:
                work[POSITIONS] = positions
                return answer
            depth -= 1
            choice = path[depth]
            kind, ranks, to_beat, slot, left = choice[KIND], choice[RANKS], choice[TO_BEAT], choice[SLOT], choice[LEFT]
            if left >= 0:
                bit, sure = choice[CARD], choice[SURE]
                table ^= bit
                if kind == DEFEND:
                    theirs ^= bit
                else:
                    mine ^= bit
                    attacks -= 1
                if answer == int(kind == DEFEND):
                    answer = -1  # another card may do better
            elif kind != DEFEND or not throws:
                mine, theirs, table = choice[MINE], choice[THEIRS], choice[TABLE]
                attacks, last = choice[ATTACKS], choice[LAST]
                if kind == MORE:
                    answer, goal = 1 - answer, 1 - goal


def prepare(state: Ints, work: Ints, goal: int) -> None:
    """Write a state and the attacker's ``goal`` into ``work``, for :func:`reaches`. This function is never compiled."""
    phase, unbeaten = state[durak.PHASE], state[durak.UNBEATEN]
    work[KIND], work[GOAL], work[DEPTH] = phase, goal, 0
    work[MINE], work[THEIRS] = state[state[durak.LEADER]], state[state[durak.DEFENDER]]
    work[TABLE], work[RANKS] = state[durak.TABLE], state[durak.RANKS]
    # the sum counts each attack twice: with its beater, or as unbeaten
    work[ATTACKS] = (popcount(work[TABLE]) + popcount(unbeaten)) // 2
    work[TO_BEAT] = popcount(unbeaten) if phase == THROW else (lowest(unbeaten) if phase == DEFEND else 0)
    work[LAST] = state[durak.STOCKED]  # 0 once it is drawn
    work[THROWS], work[TRUMPED] = state[durak.THROW_IN], state[durak.TRUMPS]
