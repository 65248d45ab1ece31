"""The layout of the table of an equilibrium of a hand of Truc: which numbers it has, and in which order.

In the equilibrium nobody exchanges cards, as who gladly grants an exchange holds the weaker hand. What is left are six
turns, each with at most one proposal: turn ``t`` plays card ``t`` of the hand. A *path* names the turns whose proposals
were accepted. Cards are strengths, 0 to 7; seat 0 is the non-dealer, who leads. After two turns the hand belongs to one
of three groups: ``a`` and ``b``, in which seat 0 or seat 1 has won the first trick, and ``t``, in which it was spoiled.
The table does not say who proposes with the last card of all, which follows from the rest of it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from cardgames.bots.truc_odds import STRONGEST, Strengths, hands

Accepted: TypeAlias = tuple[int, ...]
Laid: TypeAlias = tuple[int, ...]
"""The cards of a hand in the order in which they were played."""
Points: TypeAlias = tuple[int, int]
"""Those of the non-dealer and of the dealer."""

GOAL = 12
"""The points that win a round in the match that the table was made for."""
LEVELS = 4
"""How often a stake can be doubled from one chip, and the level of a hand that decides the round."""
RANKS = STRONGEST + 1
TURNS = 6
STEPS = 64
"""The table counts chances in so many steps."""

NOBODY, GOES_ON = -1, -2
"""A hand that ended without a winner, and one that has not ended."""


class Node(NamedTuple):
    """The decisions of one seat at one turn after the proposals of a path."""

    turn: int
    group: str
    path: Accepted
    kind: Literal["turn", "card", "answer"]
    """``turn``: to play one of its cards, by place, or to propose, the last action; ``card``: to play one of them;
    ``answer``: to accept a proposal, or to refuse it."""


def group_of(laid: Laid) -> str:
    """The group of a hand of which these cards have been played."""
    if len(laid) < 2:
        return ""
    return "a" if laid[0] > laid[1] else "b" if laid[0] < laid[1] else "t"


@cache
def actor(turn: int, group: str) -> int:
    """The seat that plays a card on a turn: who has won a trick leads the next one, as does who led a spoiled one."""
    if turn < 3:
        return turn - 1
    leader = int(group == "b")
    if turn > 4 and group != "t":  # the second trick goes to the other, or the hand is over
        leader = 1 - leader
    return leader if turn % 2 else 1 - leader


def cards_left(turn: int, plays: bool) -> int:
    """How many cards who plays on a turn holds before it, or else how many the other does."""
    played = turn - 1
    return 3 - played // 2 - (0 if plays else played % 2)


def winner(laid: Laid) -> int:
    """The seat that has won the hand in which these cards were played, or ``NOBODY``, or ``GOES_ON`` (T6, T7)."""
    if len(laid) not in (4, TURNS):
        return GOES_ON
    led, card = laid[-2:]
    group, last = group_of(laid), len(laid) == TURNS
    follower = actor(len(laid), group)
    if group == "t":
        return (NOBODY if last else GOES_ON) if led == card else follower if card > led else 1 - follower
    if last:  # who has won the first trick follows, and need only spoil this one
        return follower if card >= led else 1 - follower
    return GOES_ON if card > led else 1 - follower


def level_after(level: int, points: int) -> int:
    """The level after a proposal by somebody with so many points is accepted (T9)."""
    return level + 1 if 2 * 2**level + points <= GOAL else LEVELS


@cache
def hand_index(number: int) -> dict[Strengths, int]:
    """The number of each hand of so many cards."""
    return {hand: index for index, (hand, _) in enumerate(hands(number))}


@cache
def laid_index(turn: int, group: str) -> dict[Laid, int]:
    """The number of each order of cards that can lie there before a turn of an undecided hand."""
    found: list[Laid] = [()]
    for _ in range(1, turn):
        found = [laid for before in found for card in range(RANKS) if winner(laid := (*before, card)) == GOES_ON]
    return {laid: index for index, laid in enumerate([laid for laid in found if group_of(laid) == group])}


def place_of(laid: Laid) -> int:
    """The number of the order in which these cards lie there."""
    if len(laid) == TURNS - 1:  # any card can be led to the last trick
        return RANKS * place_of(laid[:-1]) + laid[-1]
    return laid_index(len(laid) + 1, group_of(laid))[laid]


def _orders(turn: int, group: str) -> int:
    """How many orders of cards can lie there before a turn."""
    return RANKS * _orders(turn - 1, group) if turn == TURNS else len(laid_index(turn, group))


@cache
def size(node: Node) -> tuple[int, int, int]:
    """How many actions a node has, orders of cards, and hands."""
    turn = node.turn
    held = cards_left(turn, node.kind != "answer")
    actions = {"turn": held + 1, "card": held, "answer": 2}[node.kind]
    return actions, _orders(turn, node.group), len(hand_index(held))


def nodes(points: Points, turn: int = 1, group: str = "", path: Accepted = (), level: int = 0) -> Iterator[Node]:
    """The nodes of a hand in the order of the table."""
    if turn > TURNS:
        return
    held = cards_left(turn, True)
    if level < LEVELS:
        if turn < TURNS:
            yield Node(turn, group, path, "turn")
        yield Node(turn, group, path, "answer")
        raised = level_after(level, points[actor(turn, group)])
        if held > 1:
            yield Node(turn, group, (*path, turn), "card")
        yield from _next(points, turn, group, (*path, turn), raised)
    elif held > 1:
        yield Node(turn, group, path, "card")
    yield from _next(points, turn, group, path, level)


def _next(points: Points, turn: int, group: str, path: Accepted, level: int) -> Iterator[Node]:
    for then in "abt" if turn == 2 else (group,):
        yield from nodes(points, turn + 1, then, path, level)


def paths(proposers: Sequence[int], turns: int, group: str) -> Iterator[Accepted]:
    """The paths on which these seats, in order, can have proposed within so many turns."""
    if not proposers:
        yield ()
        return
    for turn in range(turns, 0, -1):
        if actor(turn, group) == proposers[-1]:
            for path in paths(proposers[:-1], turn - 1, group):
                yield (*path, turn)
