"""The table of an equilibrium of a hand of Truc: its format, and the strategies that are read from it.

``scripts/solve_truc.py`` computes the table, and ``strong`` plays by it. All modules that use it share these terms:

- *seat*: 0 is the non-dealer, who leads, and 1 the dealer; a card is its strength, 0 to 7.
- *turn*: each of the six, 1 to 6, begins with at most one proposal by the seat that plays, and ends with a card.
- *laid*: the cards of a hand in the order in which they were played.
- *path*: the turns whose proposals were accepted, in order.
- *doublings*: the number of times that the stake was doubled; ``MAX_DOUBLINGS`` if the hand decides the round, after a
  remainder or because the stake wins the round for either seat, so that further proposals do not matter.
- *group*: the winner of the first trick: ``a`` is seat 0, ``b`` seat 1, ``t`` nobody (it was spoiled); empty before.
- *node*: the choices of one seat on one turn in one group after one path, with any hand and any laid cards.
- *shares*: the probabilities of the actions of a choice, which the table counts in ``STEPS``.
- *reach*: the probability that a seat with some hand has taken its actions so far.
- *part*: the strategies for some points of both seats. Its name is points at which the same proposals are possible.

In the equilibrium nobody exchanges cards, since a seat that gladly grants an exchange holds the weaker hand. The table
does not contain proposals with the last card of a hand, which follow from the rest of the table.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias
from zipfile import ZipFile

from cardgames.bots.truc_odds import COPIES, GAME, STRONGEST, Strengths, descending, hands, without
from cardgames.engine.truc import hand_winner

FILE = "truc_equilibrium.zip"

Turns: TypeAlias = tuple[int, ...]
Cards: TypeAlias = tuple[int, ...]
Points: TypeAlias = tuple[int, int]
"""The points of the non-dealer and of the dealer."""

GOAL = GAME.rules.points
"""The points that win a round in the matches that the table covers."""
MAX_DOUBLINGS = 4
"""The most doublings of a stake of one chip, and the number counted for a hand that decides the round."""
RANKS = STRONGEST + 1
TURNS = 6
STEPS = 64
"""The number of steps in which the table counts probabilities."""

NO_SEAT, GOES_ON = -1, -2
"""Values in place of the winner of a hand: nobody has won it; it has not ended."""


class Node(NamedTuple):
    """The choices of one seat on one turn in one group after one path (terms of this module's docstring)."""

    turn: int
    group: str
    path: Turns
    kind: Literal["turn", "card", "answer"]
    """The actions. ``turn``: to play one of the cards, in the order of the hand, or last to propose. ``card``: to play
    one of the cards, since nothing can be proposed. ``answer``: to accept a proposal, or to refuse it."""


def group_of(laid: Cards) -> str:
    """The group after the cards ``laid``: a letter for the first trick's winner; empty until two cards are laid."""
    if len(laid) < 2:
        return ""
    return "a" if laid[0] > laid[1] else "b" if laid[0] < laid[1] else "t"


TRICKS = {"": (), "a": (1, -1), "b": (-1, -1), "t": (0, 0)}
"""By group, possible results of the first two tricks: 1 for the leader, -1 for the opponent, 0 if it was spoiled."""


@cache
def actor(turn: int, group: str) -> int:
    """The seat that plays a card on a turn."""
    leader, _ = _after_tricks(TRICKS[group][: (turn - 1) // 2])
    return leader if turn % 2 else 1 - leader


@cache
def _after_tricks(tricks: tuple[int, ...]) -> tuple[int, int]:
    """The seat that leads after these results, and the hand's winner or ``NO_SEAT`` or ``GOES_ON`` (T6, T7)."""
    leader, winners = 0, tuple[int, ...]()
    for result in tricks:
        leader = 1 - leader if result < 0 else leader
        winners += (leader + 1 if result else 0,)  # the engine counts seats from 1
    won = hand_winner(winners)
    return leader, GOES_ON if won is None else won - 1


def cards_left(turn: int, plays: bool) -> int:
    """The number of cards held before ``turn`` by the seat that plays on it, or, unless ``plays``, by its opponent."""
    played = turn - 1
    return 3 - played // 2 - (0 if plays else played % 2)


def winner(laid: Cards) -> int:
    """The winner of the hand in which these cards were laid, or ``NO_SEAT``, or ``GOES_ON`` (T6, T7)."""
    if len(laid) % 2:
        return GOES_ON
    pairs = zip(laid[::2], laid[1::2], strict=True)
    results = [(led > answer) - (led < answer) for led, answer in pairs]
    return _after_tricks(tuple(results))[1]


def doublings_after(doublings: int, points: int) -> int:
    """The number of doublings after a further proposal, by a player with these points, is accepted (T9)."""
    return doublings + 1 if 2 ** (doublings + 1) + points <= GOAL else MAX_DOUBLINGS  # by a remainder


@cache
def hand_index(number: int) -> dict[Strengths, int]:
    """The index of each possible hand of ``number`` cards in the equilibrium table."""
    return {hand: index for index, hand in enumerate(hands(number))}


@cache
def laid_index(turn: int, group: str) -> dict[Cards, int]:
    """The index of each sequence of cards that may have been laid before ``turn`` (1 to 5) in ``group``."""
    result: list[Cards] = [()]
    for _ in range(1, turn):
        longer = [(*laid, card) for laid in result for card in range(RANKS)]
        result = [laid for laid in longer if winner(laid) == GOES_ON]
    in_group = [laid for laid in result if group_of(laid) == group]
    return {laid: index for index, laid in enumerate(in_group)}


def sequence_index(laid: Cards) -> int:
    """The index of ``laid`` among all possible sequences of as many cards in the same group."""
    if len(laid) == TURNS - 1:  # any card can be led to the last trick
        return RANKS * sequence_index(laid[:-1]) + laid[-1]
    return laid_index(len(laid) + 1, group_of(laid))[laid]


def _sequence_count(turn: int, group: str) -> int:
    """The number of sequences of cards that may have been laid before ``turn`` in ``group``."""
    return RANKS * _sequence_count(turn - 1, group) if turn == TURNS else len(laid_index(turn, group))


@cache
def shape(node: Node) -> tuple[int, int, int]:
    """Three counts for a node: its actions, the possible sequences of laid cards, and the possible hands."""
    turn = node.turn
    held = cards_left(turn, node.kind != "answer")  # the opponent of the seat that plays answers
    actions = {"turn": held + 1, "card": held, "answer": 2}[node.kind]
    return actions, _sequence_count(turn, node.group), len(hand_index(held))


def nodes(points: Points) -> list[Node]:
    """The nodes of a hand at these points, in the order of the equilibrium table."""
    return sorted(_nodes(points, 1, "", (), 0), key=lambda node: (node.turn, node.kind, node.group, node.path))


def _nodes(points: Points, turn: int, group: str, path: Turns, doublings: int) -> Iterator[Node]:
    """Yield the nodes from the beginning of ``turn`` on; the proposals of ``path`` have led to ``doublings``."""
    if turn > TURNS:
        return
    hand_size = cards_left(turn, plays=True)
    if doublings < MAX_DOUBLINGS:
        if turn < TURNS:  # proposals with the last card are not stored
            yield Node(turn, group, path, "turn")
        yield Node(turn, group, path, "answer")
        raised = doublings_after(doublings, points[actor(turn, group)])
        if hand_size > 1:
            yield Node(turn, group, (*path, turn), "card")
        yield from _later_nodes(points, turn, group, (*path, turn), raised)
    elif hand_size > 1:
        yield Node(turn, group, path, "card")
    yield from _later_nodes(points, turn, group, path, doublings)


def _later_nodes(points: Points, turn: int, group: str, path: Turns, doublings: int) -> Iterator[Node]:
    """Yield the nodes after ``turn``, in each group to which the next turn may belong."""
    for next_group in "abt" if turn == 2 else (group,):
        yield from _nodes(points, turn + 1, next_group, path, doublings)


def paths_of(proposers: Sequence[int], turns: int, group: str) -> Iterator[Turns]:
    """Yield the paths with proposals by ``proposers``, in this order, that lie within the first ``turns`` turns."""
    if not proposers:
        yield ()
        return
    for turn in range(turns, 0, -1):
        if actor(turn, group) == proposers[-1]:
            for path in paths_of(proposers[:-1], turn - 1, group):
                yield (*path, turn)


class About(NamedTuple):
    """The contents of the table's file ``about.json``."""

    parts: list[list[list[int]]]
    """The name of the part for each pair of points, by the points of the non-dealer and of the dealer."""
    round_probabilities: list[list[float]]
    """The probability that the non-dealer wins the round, by its own points and the dealer's."""


@cache
def about() -> About:
    """Return the contents of ``about.json``, which is read on first use."""
    result = json.loads(_read("about.json"))
    return About(result["parts"], result["round_chances"])


@lru_cache(maxsize=4)  # a part takes a megabyte, and close scores need two or three
def _read(name: str) -> bytes:
    with (files("cardgames.bots") / FILE).open("rb") as file, ZipFile(file) as table:
        return table.read(name)


@lru_cache(maxsize=4)
def _first_indices(name: Points) -> dict[Node, int]:
    """The index of each node's first probability in the part called ``name``.

    A node's probabilities, in numbers of ``STEPS``, are ordered by hand, then sequence of laid cards, then action; the
    last action has no entry."""
    result, at = {}, 0
    for node in nodes(name):
        actions, orders, hands = shape(node)
        result[node] = at
        at += (actions - 1) * orders * hands
    return result


class StrategyPart:
    """The equilibrium strategies of both seats at given points."""

    def __init__(self, points: Points) -> None:
        non_dealer, dealer = about().parts[points[0]][points[1]]
        self._points, self._name, self._steps = points, (non_dealer, dealer), _read(f"{non_dealer}-{dealer}")
        self._first_index = _first_indices(self._name)
        self._round_probabilities = about().round_probabilities
        self._bluff = cache(self._bluff_probability)

    def round_probability(self, seat: int, doublings: int, won_by: int) -> float:
        """The probability that ``seat`` wins the round if ``won_by`` wins a hand after ``doublings`` of the stake."""
        points = list(self._points)
        if won_by != NO_SEAT:
            points[won_by] += GOAL if doublings == MAX_DOUBLINGS else 2**doublings
            if points[won_by] >= GOAL:
                return float(seat == won_by)
        probability = self._round_probabilities[points[1]][points[0]]  # seat 1 is the next non-dealer (T11)
        return probability if seat == 1 else 1 - probability

    def before_deal(self, seat: int) -> float:
        probability = self._round_probabilities[self._points[0]][self._points[1]]
        return probability if seat == 0 else 1 - probability

    def doublings(self, path: Turns, group: str) -> int:
        """The number of doublings of the stake after the accepted proposals of a path."""
        doublings = 0
        for turn in path:
            doublings = doublings_after(doublings, self._name[actor(turn, group)])
        return doublings

    def raised(self, path: Turns, laid: Cards) -> Turns:
        """The path with an accepted proposal on the turn after ``laid``; unchanged if it has ``MAX_DOUBLINGS``."""
        return path if self.doublings(path, group_of(laid)) == MAX_DOUBLINGS else (*path, len(laid) + 1)

    def until_decisive(self, proposers: Sequence[int]) -> tuple[int, ...]:
        """The proposers up to the one whose accepted proposal made the hand decide the round, or else all of them."""
        doublings = 0
        for number, seat in enumerate(proposers):
            if doublings == MAX_DOUBLINGS:
                return tuple(proposers[:number])
            doublings = doublings_after(doublings, self._name[seat])
        return tuple(proposers)

    def proposes(self, path: Turns, laid: Cards, hand: Strengths) -> tuple[float, ...]:
        """The probabilities on the turn after ``laid``: of each card of ``hand``, in order, then of a proposal."""
        turn, group = len(laid) + 1, group_of(laid)
        if self.doublings(path, group) == MAX_DOUBLINGS:
            return (*self.plays(path, laid, hand), 0.0)
        if turn == TURNS:
            sure = winner((*laid, hand[0])) in (NO_SEAT, actor(turn, group))  # it cannot lose the hand
            proposes = 1.0 if sure else self._bluff(path, laid)
            return 1 - proposes, proposes
        return self._shares(Node(turn, group, path, "turn"), laid, hand)

    def plays(self, path: Turns, laid: Cards, hand: Strengths) -> tuple[float, ...]:
        """The probability of playing each card of ``hand``, in order, if nothing can be proposed."""
        if len(hand) == 1:
            return (1.0,)
        return self._shares(Node(len(laid) + 1, group_of(laid), path, "card"), laid, hand)

    def acceptance(self, path: Turns, laid: Cards, hand: Strengths) -> float:
        """The probability of accepting a proposal after the cards ``laid``; 1 if refusing would lose the round."""
        turn, group = len(laid) + 1, group_of(laid)
        if self._points[actor(turn, group)] + 2 ** self.doublings(path, group) >= GOAL:
            return 1.0
        return self._shares(Node(turn, group, path, "answer"), laid, hand)[0]

    def _shares(self, node: Node, laid: Cards, hand: Strengths) -> tuple[float, ...]:
        """The probability of each action of a node; if ``hand`` never reaches the node, taken from a similar hand."""
        actions, orders, _ = shape(node)
        stored = actions - 1  # the last share is the rest
        start = self._first_index[node] + stored * (orders * hand_index(len(hand))[hand] + sequence_index(laid))
        steps = self._steps[start : start + stored]
        return tuple([step / STEPS for step in (*steps, STEPS - sum(steps))])

    def reach(self, seat: int, path: Turns, laid: Cards, hand: Strengths, slip: float = 0.0) -> float:
        """The probability that ``seat``, if dealt ``hand``, takes its own actions among those in ``path`` and ``laid``.

        The probability of each single action counts as at least ``slip``."""
        probability = 1.0
        for turn, card in enumerate((*laid, None), 1):  # on the present turn only a proposal may have been accepted
            before, so_far, proposed = laid[: turn - 1], tuple([at for at in path if at < turn]), turn in path
            acts = actor(turn, group_of(before)) == seat
            if proposed:
                share = self.proposes(so_far, before, hand)[-1] if acts else self.acceptance(so_far, before, hand)
                probability *= max(share, slip)
            if acts and card is not None:
                shares = self.plays((*so_far, turn), before, hand) if proposed else self.proposes(so_far, before, hand)
                probability *= max(shares[hand.index(card)], slip)
                hand = without(hand, card)
            if not probability:
                break
        return probability

    def _bluff_probability(self, path: Turns, laid: Cards) -> float:
        """The probability of proposing with a losing last card at which both answers are equally good."""
        group = group_of(laid)
        seat = actor(TURNS, group)
        own_laid = [card for turn, card in enumerate(laid, 1) if actor(turn, group) == seat]
        weights = {seat: 0.0, NO_SEAT: 0.0, 1 - seat: 0.0}
        for card in range(RANKS):
            # in proportion to the number of deals that give the seat this card
            count = (COPIES - laid.count(card)) / (own_laid.count(card) + 1)
            hand = descending((*own_laid, card))
            weights[winner((*laid, card))] += count * self.reach(seat, path, laid, hand) if count else 0.0
        doublings = self.doublings(path, group)
        raised = doublings_after(doublings, self._name[seat])
        refused = self.round_probability(seat, doublings, seat)
        gained = weights[seat] * (self.round_probability(seat, raised, seat) - refused)
        gained += weights[NO_SEAT] * (self.round_probability(seat, raised, NO_SEAT) - refused)
        risked = weights[1 - seat] * (refused - self.round_probability(seat, raised, 1 - seat))
        return min(max(gained / risked, 0.0), 1.0) if risked else 0.0


part_for = lru_cache(maxsize=4)(StrategyPart)
"""Returns the strategies of the non-dealer and the dealer with these points."""
