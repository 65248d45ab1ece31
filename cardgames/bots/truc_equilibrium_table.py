"""The table of an equilibrium of a hand of Truc: what is in it, and the strategies that are read from it.

``scripts/solve_truc.py`` works it out, and ``strong`` plays by it. These words are used wherever it is:

- *seat*: 0 is the non-dealer, who leads, and 1 the dealer; cards are strengths, 0 to 7.
- *turn*: each of the six, 1 to 6, begins with at most one proposal by who plays, and ends with a card.
- *laid*: the cards of a hand in the order in which they were played.
- *path*: the turns whose proposals were accepted, in order.
- *level*: how often the stake was doubled, or ``LEVELS`` where the hand decides the round: after a remainder, or where
  the stake wins the round for either, and it is all one what else is proposed.
- *group*: who has won the first trick: ``a`` is seat 0, ``b`` seat 1, ``t`` nobody (it was spoiled); empty before.
- *node*: the choices of one seat on one turn in one group after one path, with any cards and whatever was laid.
- *shares*: how likely each action of a choice is to be taken; the table counts them in ``STEPS``.
- *reach*: how likely a seat with some hand is to do its part of what has been done.
- *part*: what the table has for some points of both; it has its name from points at which the same can be proposed.

In the equilibrium nobody exchanges cards, as who gladly grants an exchange holds the weaker hand. The table does not
say who proposes with the last card of all, which follows from the rest of it.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias
from zipfile import ZipFile

from cardgames.bots.truc_odds import GAME, OF_STRENGTH, STRONGEST, Strengths, hands, without
from cardgames.engine.truc import TURN, TrucState
from cardgames.kernels import truc as kernel

FILE = "truc_equilibrium.zip"

Accepted: TypeAlias = tuple[int, ...]
Laid: TypeAlias = tuple[int, ...]
Points: TypeAlias = tuple[int, int]
"""The points of the non-dealer and of the dealer."""

GOAL = GAME.rules.points
"""The points that win a round in the match that the table was made for."""
LEVELS = 4
"""The most doublings of a stake from one chip, and the level of a hand that decides the round."""
RANKS = STRONGEST + 1
TURNS = 6
STEPS = 64
"""The number of steps in which the table counts probabilities."""

NO_SEAT, GOES_ON = -1, -2
"""Stand for the winner of a hand that nobody has won, and of one that has not ended."""


class Node(NamedTuple):
    """The choices of one seat on one turn in one group after one path."""

    turn: int
    group: str
    path: Accepted
    kind: Literal["turn", "card", "answer"]
    """The actions: on a ``turn`` to play one of the cards, by place in the hand, or to propose, which comes last; with
    ``card``, where nothing can be proposed, to play one of them; with ``answer`` to accept a proposal, or to refuse it.
    """


def group_of(laid: Laid) -> str:
    """The group of a hand, by the cards ``laid`` in it so far."""
    if len(laid) < 2:
        return ""
    return "a" if laid[0] > laid[1] else "b" if laid[0] < laid[1] else "t"


TRICKS = {"": (), "a": (1, -1), "b": (-1, -1), "t": (0, 0)}
"""By group, the possible results of the first two tricks: 1 if its leader won it, -1 if the opponent did, 0 if it was
spoiled."""


@cache
def actor(turn: int, group: str) -> int:
    """The seat that plays a card on a turn."""
    leader, _ = _after(TRICKS[group][: (turn - 1) // 2])
    return leader if turn % 2 else 1 - leader


@cache
def _after(tricks: tuple[int, ...]) -> tuple[int, int]:
    """The next leader (or ``NO_SEAT``) after these results, given as in ``TRICKS``, and the winner of the hand by cards
    (or ``GOES_ON``, ``NO_SEAT``). Seats are 0 and 1 here."""
    state = kernel.encode(GAME, TrucState(2, phase=TURN, to_act=1))
    for number, end in enumerate(tricks):
        leader, led, answer = state[kernel.TO_ACT], OF_STRENGTH[1][number], OF_STRENGTH[1 - end][number - 1]
        state[kernel.HAND + leader] |= 1 << led
        state[kernel.HAND + 3 - leader] |= 1 << answer
        kernel.play(state, led)
        kernel.play(state, answer)
    if state[kernel.TO_ACT] > 0:
        return int(state[kernel.TO_ACT]) - 1, GOES_ON
    won = [seat for seat in (0, 1) if state[kernel.POINTS + seat + 1]]
    return NO_SEAT, won[0] if won else NO_SEAT


def cards_left(turn: int, plays: bool) -> int:
    """The number of cards held on a turn by the seat that plays, or by its opponent."""
    played = turn - 1
    return 3 - played // 2 - (0 if plays else played % 2)


def winner(laid: Laid) -> int:
    """The seat that has won the hand in which these cards were played, or ``NO_SEAT``, or ``GOES_ON`` (T6, T7)."""
    if len(laid) % 2:
        return GOES_ON
    pairs = zip(laid[::2], laid[1::2], strict=True)
    return _after(tuple([1 if led > answer else -1 if led < answer else 0 for led, answer in pairs]))[1]


@cache
def level_after(level: int, points: int) -> int:
    """The level once a proposal by a player with these points is accepted (T9)."""
    doubles = kernel.proposal(kernel.encode(GAME, TrucState(2, (points, 0), phase=TURN, to_act=1, stake=2**level)))
    return level + 1 if doubles == kernel.DOUBLE else LEVELS


@cache
def hand_index(number: int) -> dict[Strengths, int]:
    """The index in the table of each hand of this many cards."""
    return {hand: index for index, hand in enumerate(hands(number))}


@cache
def laid_index(turn: int, group: str) -> dict[Laid, int]:
    """The index of each possible order of cards laid before a turn, up to the fifth."""
    found: list[Laid] = [()]
    for _ in range(1, turn):
        found = [laid for before in found for card in range(RANKS) if winner(laid := (*before, card)) == GOES_ON]
    return {laid: index for index, laid in enumerate([laid for laid in found if group_of(laid) == group])}


def place_of(laid: Laid) -> int:
    """The index of an order of cards among all possible orders."""
    if len(laid) == TURNS - 1:  # any card can be led to the last trick
        return RANKS * place_of(laid[:-1]) + laid[-1]
    return laid_index(len(laid) + 1, group_of(laid))[laid]


def _orders(turn: int, group: str) -> int:
    """The number of possible orders of cards before a turn."""
    return RANKS * _orders(turn - 1, group) if turn == TURNS else len(laid_index(turn, group))


@cache
def shape(node: Node) -> tuple[int, int, int]:
    """The numbers of a node's actions, of possible orders of cards, and of possible hands."""
    turn = node.turn
    held = cards_left(turn, node.kind != "answer")
    actions = {"turn": held + 1, "card": held, "answer": 2}[node.kind]
    return actions, _orders(turn, node.group), len(hand_index(held))


def nodes(points: Points) -> list[Node]:
    """The nodes of a hand at these points, in the order of the table, similar ones together."""
    return sorted(_nodes(points, 1, "", (), 0), key=lambda node: (node.turn, node.kind, node.group, node.path))


def _nodes(points: Points, turn: int, group: str, path: Accepted, level: int) -> Iterator[Node]:
    """The nodes from a turn on."""
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
    """The nodes from the next turn on."""
    for then in "abt" if turn == 2 else (group,):
        yield from _nodes(points, turn + 1, then, path, level)


def paths_of(proposers: Sequence[int], turns: int, group: str) -> Iterator[Accepted]:
    """The possible paths with proposals by these seats, in order, within ``turns``."""
    if not proposers:
        yield ()
        return
    for turn in range(turns, 0, -1):
        if actor(turn, group) == proposers[-1]:
            for path in paths_of(proposers[:-1], turn - 1, group):
                yield (*path, turn)


class About(NamedTuple):
    """The rest of the table, besides its parts."""

    parts: list[list[list[int]]]
    """The name of the part that serves some points, by those of the non-dealer and of the dealer."""
    round_probabilities: list[list[float]]
    """The chance of the non-dealer to win the round, by its own points and the dealer's."""


@cache
def about() -> About:
    """The table's ``about.json``, read on first use."""
    found = json.loads(_read("about.json"))
    return About(found["parts"], found["round_chances"])


@lru_cache(maxsize=4)
def part_for(points: Points) -> "StrategyPart":
    """The strategies of the non-dealer and the dealer with these points."""
    non_dealer, dealer = about().parts[points[0]][points[1]]
    return StrategyPart(points, (non_dealer, dealer), _read(f"{non_dealer}-{dealer}"), about().round_probabilities)


@lru_cache(maxsize=4)  # a part takes a megabyte, and scores of a round that are close need two or three
def _read(name: str) -> bytes:
    """A file of the table."""
    with (files("cardgames.bots") / FILE).open("rb") as file, ZipFile(file) as table:
        return table.read(name)


@lru_cache(maxsize=4)
def _starts(name: Points) -> dict[Node, int]:
    """The index of each node in the part with this name.

    From that index on there are, for each hand and order of cards, the steps of all actions except the last."""
    found, at = {}, 0
    for node in nodes(name):
        actions, orders, hands = shape(node)
        found[node] = at
        at += (actions - 1) * orders * hands
    return found


class StrategyPart:
    """The strategies of both seats with some points."""

    def __init__(self, points: Points, name: Points, steps: bytes, round_probabilities: list[list[float]]) -> None:
        """``steps``: the part called ``name``, as stored in the table."""
        self._points = points
        self._name = name
        self._starts = _starts(name)
        self._steps = steps
        self._round_probabilities = round_probabilities
        self._bluffs: dict[tuple[Accepted, Laid], float] = {}

    def worth(self, seat: int, level: int, won_by: int) -> float:
        """The probability that a seat wins the round after a hand that ended at this level."""
        points = list(self._points)
        if won_by != NO_SEAT:
            points[won_by] += GOAL if level == LEVELS else 2**level
            if points[won_by] >= GOAL:
                return float(seat == won_by)
        chance = self._round_probabilities[points[1]][points[0]]  # the deal swaps (T11)
        return chance if seat == 1 else 1 - chance

    def before_deal(self, seat: int) -> float:
        """The chance of a seat to win the round before it sees its cards."""
        chance = self._round_probabilities[self._points[0]][self._points[1]]
        return chance if seat == 0 else 1 - chance

    def level(self, path: Accepted, group: str) -> int:
        """The level of the stake after the proposals of a path."""
        level = 0
        for turn in path:
            level = level_after(level, self._name[actor(turn, group)])
        return level

    def raised(self, path: Accepted, laid: Laid) -> Accepted:
        """The path with an accepted proposal on the turn after the cards ``laid``; unchanged at the highest level."""
        return path if self.level(path, group_of(laid)) == LEVELS else (*path, len(laid) + 1)

    def until_decisive(self, proposers: Sequence[int]) -> tuple[int, ...]:
        """The seats with accepted proposals, in order, up to the one after which the hand decides the round."""
        level = 0
        for number, seat in enumerate(proposers):
            if level == LEVELS:
                return tuple(proposers[:number])
            level = level_after(level, self._name[seat])
        return tuple(proposers)

    def proposes(self, path: Accepted, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """The probability of each card of ``hand``, in order, and last of a proposal, on the turn after ``laid``."""
        turn, group = len(laid) + 1, group_of(laid)
        if self.level(path, group) == LEVELS:
            return (*self.plays(path, laid, hand), 0.0)
        if turn == TURNS:
            sure = winner((*laid, hand[0])) in (NO_SEAT, actor(turn, group))
            proposes = 1.0 if sure else self._bluff(path, laid)
            return 1 - proposes, proposes
        return self._shares(Node(turn, group, path, "turn"), laid, hand)

    def plays(self, path: Accepted, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """The probability of each card of ``hand``, in order, where nothing can be proposed."""
        if len(hand) == 1:
            return (1.0,)
        return self._shares(Node(len(laid) + 1, group_of(laid), path, "card"), laid, hand)

    def acceptance(self, path: Accepted, laid: Laid, hand: Strengths) -> float:
        """The probability of accepting a proposal after the cards ``laid``; 1 where refusing would lose the round."""
        turn, group = len(laid) + 1, group_of(laid)
        if self._points[actor(turn, group)] + 2 ** self.level(path, group) >= GOAL:
            return 1.0
        return self._shares(Node(turn, group, path, "answer"), laid, hand)[0]

    def _shares(self, node: Node, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """The probability of each action of a node with a hand, or a similar one if this never reaches the node."""
        actions, orders, _ = shape(node)
        given = actions - 1
        at = self._starts[node] + given * (orders * hand_index(len(hand))[hand] + place_of(laid))
        steps = self._steps[at : at + given]
        return tuple([step / STEPS for step in (*steps, STEPS - sum(steps))])

    def reach(self, seat: int, path: Accepted, laid: Laid, hand: Strengths, slip: float = 0.0) -> float:
        """The probability that a seat with this hand takes its actions up to the cards ``laid``.

        Actions that the table never takes count with the probability ``slip``."""
        chance = 1.0
        for turn, card in enumerate(laid, 1):
            before, so_far = laid[: turn - 1], tuple([accepted for accepted in path if accepted < turn])
            proposed = turn in path
            if actor(turn, group_of(before)) != seat:
                chance *= max(self.acceptance(so_far, before, hand), slip) if proposed else 1.0
            else:
                shares = self.proposes(so_far, before, hand)
                if proposed:
                    chance *= max(shares[-1], slip)
                    shares = self.plays((*so_far, turn), before, hand)
                chance *= max(shares[hand.index(card)], slip)
                hand = without(hand, card)
            if not chance:
                break
        return chance

    def _bluff(self, path: Accepted, laid: Laid) -> float:
        """The probability of a proposal with a losing last card that makes accepting and refusing equal for the
        opponent.

        Bluffs and honest proposals are in a fixed proportion, because all the opponent's cards are shown."""
        found = self._bluffs.get((path, laid))
        if found is None:
            found = self._bluffs[path, laid] = self._compute_bluff(path, laid)
        return found

    def _compute_bluff(self, path: Accepted, laid: Laid) -> float:
        """Compute :meth:`_bluff`, which is cached."""
        group = group_of(laid)
        me = actor(TURNS, group)
        mine = [card for turn, card in enumerate(laid, 1) if actor(turn, group) == me]
        mass = {me: 0.0, NO_SEAT: 0.0, 1 - me: 0.0}
        for card in range(RANKS):
            ways = (4 - laid.count(card)) / (mine.count(card) + 1)
            hand = tuple(sorted([*mine, card], reverse=True))
            mass[winner((*laid, card))] += ways * self.reach(me, path, laid, hand) if ways else 0.0
        level = self.level(path, group)
        raised = level_after(level, self._name[me])
        taken = self.worth(me, level, me)
        gained = mass[me] * (self.worth(me, raised, me) - taken)
        gained += mass[NO_SEAT] * (self.worth(me, raised, NO_SEAT) - taken)
        risked = mass[1 - me] * (taken - self.worth(me, raised, 1 - me))
        return min(max(gained / risked, 0.0), 1.0) if risked else 0.0
