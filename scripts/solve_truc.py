"""Solve a hand of Truc for its equilibrium, and compute exactly what a best response gains against the table.

    .venv/bin/pip install numpy                               which the program itself does without
    .venv/bin/python scripts/solve_truc.py                    makes the table again, in ten minutes of processor time
    .venv/bin/python scripts/solve_truc.py --judge            only judges the table that exists
    .venv/bin/python scripts/solve_truc.py --points 11 11     only solves a hand at these points, and judges it

The hand is solved by CFR+ (Tammelin 2014), with iterations weighted by their squares. All hands of three strengths are
solved at once, in arrays of (actions, orders of the cards on the table, hands). One part of the table is for the
beginning of a round, and counts points; every other part is for one score, and counts the chance to win the round. A
score without a part of its own is served by the part against which a best response gains least there. The table rounds
probabilities and leaves out rare actions; a best response is computed against these rounded strategies.
"""

import argparse
import json
from collections.abc import Sequence
from itertools import product
from math import comb, prod
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple, TypeAlias
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from cardgames.bots.truc_equilibrium_table import (
    GOAL,
    LEVELS,
    NO_SEAT,
    RANKS,
    STEPS,
    TURNS,
    LaidCards,
    Node,
    Points,
    TurnPath,
    actor,
    cards_left,
    hand_index,
    laid_index,
    level_after,
    nodes,
    shape,
    winner,
)
from cardgames.bots.truc_odds import Strengths
from cardgames.bots.truc_standing import round_probability

TABLE = Path(__file__).parent.parent / "cardgames/bots/truc_equilibrium.zip"

SOLVED = {0: 2, 5: 6, 9: 9, 10: 10, 11: 11}
"""The points for which a part is solved, by the points in its name."""
PARTS = {(non_dealer, dealer): (SOLVED[non_dealer], SOLVED[dealer]) for non_dealer, dealer in product(SOLVED, repeat=2)}
PARTS |= {(4, 0): (4, 1), (0, 4): (1, 4)}
"""The names of the parts, with the points for which they are solved."""
SCORES: list[Points] = [(non_dealer, dealer) for non_dealer, dealer in product(range(GOAL), repeat=2)]
"""The points at which a hand may be played."""
BEGINNING = (0, 0)
"""The part in which chips are counted."""
SWEEPS = 2
"""The number of times that all parts are solved, each with the chances to win a round from the time before."""
FOR_CHIPS_ITERATIONS = 200
ITERATIONS = 75, 150
"""The least and the most iterations of a part that counts chances to win the round."""
CLOSE = 0.0005
"""The gain of a best response, in chances to win the round, at which a solution is good enough."""
SELDOM = 0.005
"""The least probability of an action in the table, that of reaching it included. Rarer ones are left out."""
COARSE = 16
"""The steps of a probability in parts that count chances to win the round; parts for chips have four times as many."""
CHIPS = (1, 2, 4, 8, 12)
"""The worth of a hand in chips, by level of the stake; the last level wins the round."""
SCALE = 20
"""The approximate points in a round, by which the regrets of both kinds of parts have one size."""

Array: TypeAlias = Any
Number = np.float32
HANDS = {number: list(hand_index(number)) for number in range(4)}
ACCEPT, REFUSE = 0, 1


def _ways(hand: Strengths, other: Strengths) -> int:
    """The number of ways to deal two hands."""
    return prod([comb(4, hand.count(card)) * comb(4 - hand.count(card), other.count(card)) for card in range(RANKS)])


DEALT = np.array([[_ways(hand, other) for other in HANDS[3]] for hand in HANDS[3]], float)
DEALT /= DEALT.sum()
"""The chance of each pair of hands, the non-dealer's first."""


class Places:
    """The hands of one size, linked to the hands that are left when a card is played."""

    def __init__(self, number: int) -> None:
        shape, back = (number, len(HANDS[number])), (len(HANDS[number - 1]), RANKS)
        self.card, self.rest, self.legal = np.zeros(shape, int), np.zeros(shape, int), np.zeros(shape, bool)
        """The card, the rest, and whether the card is the first of equal ones, by place in the hand and hand."""
        self.hand, self.place = np.zeros(back, int), np.zeros(back, int)
        """The hand with a card added, and the place of the card in it, by rest and card."""
        for index, hand in enumerate(HANDS[number]):
            for place, card in enumerate(hand):
                self.card[place, index] = card
                self.legal[place, index] = place == hand.index(card)
                self.rest[place, index] = hand_index(number - 1)[hand[:place] + hand[place + 1 :]]
        for (index, rest), card in product(enumerate(HANDS[number - 1]), range(RANKS)):
            hand = tuple(sorted((*rest, card), reverse=True))
            self.hand[index, card], self.place[index, card] = hand_index(number)[hand], hand.index(card)


PLACES = {number: Places(number) for number in (1, 2, 3)}


class Stage:
    """A turn of the hands of one group; the last is part of the one before."""

    def __init__(self, turn: int, group: str, then: "Sequence[Stage]", deals: Array) -> None:
        self.turn, self.group, self.actor, self.then = turn, group, actor(turn, group), then
        self.laid = list(laid_index(turn, group))
        self.held = cards_left(turn, True)
        self.places = PLACES[self.held]
        self.hands, self.other_hands = len(HANDS[self.held]), len(HANDS[cards_left(turn, False)])
        self.dealt = np.array([self._dealt(laid, deals) for laid in self.laid], Number)
        """The chance of the deal, by cards on the table, hand of the actor, and hand of the opponent."""
        if then:
            self._link()
        if turn == TURNS - 1:
            self._end()

    def _dealt(self, laid: LaidCards, deals: Array) -> Array:
        """The chances of the deals that are possible with these cards on the table."""
        wholes = []
        for seat, held in ((self.actor, self.held), (1 - self.actor, cards_left(self.turn, False))):
            played = [card for turn, card in enumerate(laid, 1) if actor(turn, self.group) == seat]
            wholes.append([hand_index(3)[tuple(sorted((*hand, *played), reverse=True))] for hand in HANDS[held]])
        return (deals if self.actor == 0 else deals.T)[np.ix_(*wholes)]

    def _link(self) -> None:
        """Store the hand and order to which each card leads, as places in flat arrays."""
        after = {laid: place for place, laid in enumerate([laid for stage in self.then for laid in stage.laid])}
        here = {laid: place for place, laid in enumerate(self.laid)}
        places = self.places
        child = np.array([[after.get((*laid, card), len(after)) for card in range(RANKS)] for laid in self.laid])
        self.back = np.moveaxis(child[:, places.card], 0, 1) * len(HANDS[self.held - 1]) + places.rest[:, None]
        ends = np.array([[winner((*laid, card)) for card in range(RANKS)] for laid in self.laid])
        self.won_by = np.where(places.legal[:, None], np.moveaxis(ends[:, places.card], 0, 1), -2)
        """The seat that wins as soon as a card is played, by place of the card, cards on the table and hand."""
        self.forth, self.parents = [], []
        for stage in self.then:
            parent = np.array([here[laid[:-1]] for laid in stage.laid])
            card = np.array([laid[-1] for laid in stage.laid])
            start = places.place[:, card].T * len(self.laid) + parent[:, None]
            self.forth.append(start * self.hands + places.hand[:, card].T)
            self.parents.append(parent)

    def _end(self) -> None:
        """Store the chances of the deal by the result of the last card, the follower's. Earlier cards do not matter."""
        laid, downwards = self.laid[0], range(RANKS - 1, -1, -1)  # as hands of one card go
        ends = np.array([[winner((*laid, led, last)) for last in downwards] for led in downwards])
        follower = 1 - self.actor
        self.won, self.spoiled, self.lost = [self.dealt * (ends == end) for end in (follower, NO_SEAT, self.actor)]

    def children(self, reach: Array) -> "list[tuple[Stage, Array, Array]]":
        """The stages after this one, each with the reach of the actor there, and the source of the opponent's reach."""
        flat = reach.reshape(-1)
        return [
            (stage, flat.take(at), parent)
            for stage, at, parent in zip(self.then, self.forth, self.parents, strict=True)
        ]


def stages(deals: Array = DEALT) -> Stage:
    """The first turn, which links to all others; ``deals`` has the chance of each pair of hands, like ``DEALT``."""
    thirds = []
    for group in "abt":
        then: list[Stage] = []
        for turn in (5, 4, 3):
            then = [Stage(turn, group, then, deals)]
        thirds += then
    return Stage(1, "", [Stage(2, "", thirds, deals)], deals)


FIRST = stages()


class Ends(NamedTuple):
    """The worth of the ends of a hand to the non-dealer."""

    wins: Sequence[float]
    """The worth of a hand won, by level of the stake."""
    loses: Sequence[float]
    nobody: float

    def to(self, seat: int, level: int, wins: bool) -> float:
        """The worth to a seat if it wins, or else loses."""
        worth = (self.wins if wins == (seat == 0) else self.loses)[level]
        return worth if seat == 0 else -worth

    def spoiled(self, seat: int) -> float:
        """The worth to a seat if nobody wins."""
        return self.nobody if seat == 0 else -self.nobody


FOR_CHIPS = Ends(CHIPS, [-chips for chips in CHIPS], 0.0)


class Decision:
    """The strategy at a node, with the regrets and sums that it is learnt from."""

    def __init__(self, legal: Array, shape: tuple[int, ...]) -> None:
        self.even = (legal / legal.sum(0)).astype(Number)[:, None]
        self.regrets = np.zeros(shape, Number)
        self.total = np.zeros(shape, Number)
        self.current: Array = None
        """The strategy of this iteration, until regrets change."""
        self.fixed: Array = None
        """The strategy that is played once the hand is solved."""

    def average(self) -> Array:
        """The average of all iterations."""
        return _in_proportion(self.total, self.even)


def _in_proportion(values: Array, even: Array) -> Array:
    """Chances in proportion to values; ``even`` ones where all values are 0."""
    total = values.sum(0)
    return np.where(total > 1e-20, values / np.where(total > 1e-20, total, 1), even).astype(Number)


class Solver:
    """A solver of a hand at one score."""

    def __init__(self, points: Points, ends: Ends, first: Stage = FIRST) -> None:
        self.points, self.ends, self.first = points, ends, first
        self.decisions: dict[Node, Decision] = {}
        self.iteration = 0
        self.seat = 0
        """The seat for which values are computed."""
        self.does = "learn"
        """``learn``, ``follow`` the fixed strategies, or ``respond`` to the opponent's as well as possible."""
        self.reached: dict[Node, Array] = {}
        """The probability that each hand's own actions lead to a node, after strategies were followed."""
        self.bluffs: dict[Node, Array] = {}
        """The frequency of a bluff by the loser with the last card, by cards laid, after strategies were followed."""

    def solve(self, iterations: int) -> None:
        """Learn for some more iterations."""
        self.does = "learn"
        for _ in range(iterations):
            self.iteration += 1
            for self.seat in (0, 1):
                self.value()

    def fix(self) -> None:
        """Fix the strategies at the averages learnt so far."""
        for decision in self.decisions.values():
            decision.fixed = decision.average()

    def value(self) -> float:
        """The worth of the deal to a seat."""
        return float(self.by_hand().sum())

    def by_hand(self) -> Array:
        """The worth of each hand to a seat, times the chance of the hand."""
        everything = np.ones((1, len(HANDS[3])), Number)
        return self._turn(self.first, 0, everything, everything, ())

    def judge(self) -> tuple[float, float, float]:
        """The worth of the fixed strategies to the non-dealer, and the gain of a best response in either seat."""
        self.does, self.seat = "follow", 0
        even = self.value()
        self.does = "respond"
        first = self.value()
        self.seat = 1
        return even, first - even, self.value() + even

    def _decision(self, node: Node, legal: Array, orders: int) -> tuple[Decision, Array]:
        """A node with its present strategy."""
        decision = self.decisions.get(node)
        if decision is None:
            decision = self.decisions[node] = Decision(legal, (len(legal), orders, legal.shape[1]))
        if self.does != "learn":
            return decision, decision.fixed
        if decision.current is None:
            decision.current = _in_proportion(decision.regrets, decision.even)
        return decision, decision.current

    def _worth(self, node: Node, worths: Array, reach: Array) -> Array:
        """The worth of a choice to each hand, from the ``worths`` of its actions; when learning, update the regrets."""
        decision = self.decisions[node]
        if self.does == "respond":
            return np.where(decision.even > 0, worths, Number(-1e9)).max(0)
        shares = decision.current if self.does == "learn" else decision.fixed
        worth = (worths * shares).sum(0)
        if self.does == "follow":
            self.reached[node] = reach
            return worth
        decision.regrets += (worths - worth) * (decision.even > 0)
        np.maximum(decision.regrets, 0, out=decision.regrets)
        decision.total += Number(self.iteration**2 / 1e4) * reach * shares
        decision.current = None
        return worth

    def _turn(self, stage: Stage, level: int, acting: Array, other: Array, path: TurnPath) -> Array:
        """The values at the beginning of a turn, by cards on the table and hand.

        ``acting`` and ``other`` are the probabilities that either seat's own actions lead there.
        """
        if level == LEVELS:
            return self._card(stage, level, acting, other, path)
        node = Node(stage.turn, stage.group, path, "turn")
        answer = node._replace(kind="answer")
        held = stage.held
        legal = np.concatenate([stage.places.legal, np.ones((1, stage.hands), bool)])
        _, shares = self._decision(node, legal, len(stage.laid))
        _, answers = self._decision(answer, np.ones((2, stage.other_hands), bool), len(stage.laid))
        proposing = acting * shares[held]
        raised, accepted = level_after(level, self.points[stage.actor]), (*path, stage.turn)
        taken = self.ends.to(stage.actor, level, True)
        goes_on = self._card(stage, raised, proposing, other * answers[ACCEPT], accepted)
        plays = self._play(stage, level, acting * shares[:held], other, path)
        if self.seat == stage.actor:
            refused = taken * np.einsum("pmn,pn->pm", stage.dealt, other * answers[REFUSE])
            return self._worth(node, np.concatenate([plays, (refused + goes_on)[None]]), acting)
        refused = -taken * np.einsum("pmn,pm->pn", stage.dealt, proposing)
        return plays + self._worth(answer, np.stack([goes_on, refused]), other)

    def _card(self, stage: Stage, level: int, acting: Array, other: Array, path: TurnPath) -> Array:
        """The values of a turn on which a card has to be played."""
        if stage.held == 1:
            worth = self._play(stage, level, acting[None], other, path)
            return worth[0] if self.seat == stage.actor else worth
        node = Node(stage.turn, stage.group, path, "card")
        _, shares = self._decision(node, stage.places.legal, len(stage.laid))
        worth = self._play(stage, level, acting * shares, other, path)
        return self._worth(node, worth, acting) if self.seat == stage.actor else worth

    def _play(self, stage: Stage, level: int, cards: Array, other: Array, path: TurnPath) -> Array:
        """The value of each card to its player, or of the turn to the opponent; ``cards`` are reaches by place."""
        mine = self.seat == stage.actor
        if not stage.then:
            worth = self._last(stage, level, cards[0], other, path)
            return worth[None] if mine else worth
        found = []
        for then, reach, parent in stage.children(cards):
            pair = (reach, other[parent]) if then.actor == stage.actor else (other[parent], reach)
            found.append(self._turn(then, level, *pair, path))
        taken, lost = self.ends.to(self.seat, level, True), self.ends.to(self.seat, level, False)
        pays = np.where(stage.won_by == self.seat, Number(taken), Number(lost) * (stage.won_by == 1 - self.seat))
        if mine:
            nothing = np.zeros((1, found[0].shape[1]), Number)
            worth = np.concatenate([*found, nothing]).reshape(-1).take(stage.back) * stage.places.legal[:, None]
            return worth + pays * np.einsum("pmn,pn->pm", stage.dealt, other)
        worth = np.einsum("pmn,pm->pn", stage.dealt, (cards * pays).sum(0))
        for values, parent in zip(found, stage.parents, strict=True):
            np.add.at(worth, parent, values)
        return worth

    def _last(self, stage: Stage, level: int, leading: Array, following: Array, path: TurnPath) -> Array:
        """The values of the last turn, in which the follower knows how the hand ends.

        A follower who does not lose proposes. One who loses bluffs just often enough that the leader is indifferent
        between the answers; the table does not store these bluffs. While learning they are learnt.
        """
        ends, follower = self.ends, 1 - stage.actor
        taken, lost, nobody = ends.to(follower, level, True), ends.to(follower, level, False), ends.spoiled(follower)
        won_by, lost_by, spoiled_by = [
            np.einsum("pcy,py->pc", part, following) for part in (stage.won, stage.lost, stage.spoiled)
        ]
        if level == LEVELS:
            if self.seat == follower:
                pays = stage.won * Number(taken) + stage.lost * Number(lost) + stage.spoiled * Number(nobody)
                return np.einsum("pcy,pc->py", pays, leading)
            return -(won_by * Number(taken) + lost_by * Number(lost) + spoiled_by * Number(nobody))
        raised = level_after(level, self.points[follower])
        more, worse = ends.to(follower, raised, True), ends.to(follower, raised, False)
        orders, legal = len(stage.laid), np.ones((2, 1), bool)
        bluff, answer = Node(TURNS, stage.group, path, "turn"), Node(TURNS, stage.group, path, "answer")
        _, answers = self._decision(answer, legal, orders * RANKS)
        accepts, refuses = [_wide(part) for part in answers]
        if self.does == "learn":
            bluffs = _wide(self._decision(bluff, legal, orders * RANKS)[1][1])
        else:
            gained = won_by * (more - taken) + spoiled_by * (nobody - taken)
            bluffs = np.clip(gained / np.maximum(lost_by * (taken - worse), 1e-30), 0, 1).astype(Number)
            if self.does == "follow":
                self.bluffs[bluff] = _flat(bluffs)[:, 0]
        if self.seat == follower:
            proposed = refuses * Number(taken) + accepts * Number(worse)
            losing = np.maximum(proposed, lost) if self.does == "respond" else bluffs * proposed + (1 - bluffs) * lost
            if self.does == "learn":
                self._worth(bluff, np.stack([_flat(Number(lost) * leading), _flat(proposed * leading)]), _flat(lost_by))
            winning = refuses * Number(taken) + accepts * Number(more)
            worth = np.einsum("pcy,pc->py", stage.won, leading * winning)
            worth += np.einsum("pcy,pc->py", stage.lost, leading * losing)
            spoiling = refuses * Number(taken) + accepts * Number(nobody)
            return worth + np.einsum("pcy,pc->py", stage.spoiled, leading * spoiling)
        refused = -Number(taken) * (won_by + spoiled_by + bluffs * lost_by)
        accepted = -(Number(more) * won_by + Number(nobody) * spoiled_by + Number(worse) * bluffs * lost_by)
        worth = self._worth(answer, np.stack([_flat(accepted), _flat(refused)]), _flat(leading))
        return _wide(worth) - Number(lost) * (1 - bluffs) * lost_by


def _wide(values: Array) -> Array:
    """Reorder values by the card led as values by hand: hands begin with the strongest card, cards led do not."""
    return values.reshape(-1, RANKS)[:, ::-1]


def _flat(values: Array) -> Array:
    """Reorder values by hand as values by the card led: the inverse of :func:`_wide`."""
    return values[:, ::-1].reshape(-1, 1)


# The table


def rounded(solver: Solver, steps: int) -> tuple[dict[Node, Array], dict[Node, Array]]:
    """The solution rounded to ``steps`` steps, and the probability that each hand's own actions lead to each node.

    It is made turn by turn, as an action that is left out on one turn changes what is reached on later ones.
    """
    solver.fix()
    solver.does = "follow"
    found: dict[Node, Array] = {}
    for turn, kinds in product(range(1, TURNS + 1), (("turn", "answer"), ("card",))):
        solver.reached = {}
        for solver.seat in (0, 1):
            solver.by_hand()
        for node, decision in solver.decisions.items():
            if node.turn == turn and node.kind in kinds and node in solver.reached:
                found[node] = _in_steps(decision.fixed, solver.reached[node], steps)
                decision.fixed = (found[node] / STEPS).astype(Number)
    return found, solver.reached


def _in_steps(shares: Array, reach: Array, steps: int) -> Array:
    """Shares rounded to ``steps`` steps, in units of ``STEPS``, without rare actions."""
    kept = np.where((shares * reach < SELDOM) & (shares < shares.max(0)), 0, shares.astype(float))
    kept /= kept.sum(0)
    found = np.round(kept * steps).astype(int)
    likeliest = kept.argmax(0)[None]
    left = steps - found.sum(0)[None]
    np.put_along_axis(found, likeliest, np.take_along_axis(found, likeliest, 0) + left, 0)
    return found * (STEPS // steps)


def packed(points: Points, found: dict[Node, Array], reached: dict[Node, Array]) -> bytes:
    """A part in the table's format. A hand that never reaches a node repeats the hand before it, to compress well."""
    parts = []
    for node in nodes(points):
        steps = found[node][:-1]
        reach = np.broadcast_to(reached[node] > 0, steps.shape[1:]).reshape(-1)
        like = np.maximum.accumulate(np.where(reach, np.arange(len(reach)), 0))
        filled = steps.reshape(len(steps), -1)[:, like].reshape(steps.shape)
        parts.append(filled.transpose(2, 1, 0).astype(np.uint8).tobytes())
    return b"".join(parts)


def unpacked(points: Points, name: Points, packed: bytes, ends: Ends) -> Solver:
    """A solver of a hand at some points, with the strategies of the part of this name."""
    solver = Solver(name, ends)
    at = 0
    for node in nodes(name):
        actions, orders, number = shape(node)
        steps = np.frombuffer(packed, np.uint8, (actions - 1) * orders * number, at).astype(int)
        at += len(steps)
        steps = steps.reshape(number, orders, actions - 1).transpose(2, 1, 0)
        legal = np.ones((actions, number), bool)
        if node.kind != "answer":
            places = PLACES[cards_left(node.turn, True)].legal
            legal[: len(places)] = places
        decision = solver.decisions[node] = Decision(legal, (actions, orders, number))
        decision.fixed = (np.concatenate([steps, STEPS - steps.sum(0)[None]]) / STEPS).astype(Number)
        if node.kind == "answer" and refusing_loses(points, name, node):
            decision.fixed[ACCEPT], decision.fixed[REFUSE] = 1, 0
    return solver


def refusing_loses(points: Points, name: Points, node: Node) -> bool:
    """Whether a refusal at a node loses the round."""
    level = 0
    for turn in node.path:
        level = level_after(level, name[actor(turn, node.group)])
    return bool(points[actor(node.turn, node.group)] + 2**level >= GOAL)


def serves(name: Points, points: Points) -> bool:
    """Whether a part covers all proposals that are possible at some points."""
    return _raises(name, False) in (_raises(points, False), _raises(points, True))


def _raises(points: Points, all_one: bool) -> dict[int, list[int]]:
    """The levels after a proposal of either seat, by the level before it.

    With ``all_one`` a stake that wins the round for either seat counts as a remainder.
    """
    found: dict[int, list[int]] = {}
    levels = [0]
    for level in levels:
        if level < LEVELS and level not in found:
            after = [level_after(level, own) for own in points]
            found[level] = [LEVELS if all_one and min(points) + 2**raised >= GOAL else raised for raised in after]
            levels += found[level]
    return found


class Table(NamedTuple):
    """All parts, the part that serves each score, and the non-dealer's chances to win the round."""

    parts: dict[Points, bytes]
    serving: dict[Points, Points]
    chances: Array

    def hand(self, points: Points, ends: Ends) -> Solver:
        """A solver of a hand with the strategies of the table."""
        name = self.serving[points]
        return unpacked(points, name, self.parts[name], ends)

    def write(self, path: Path) -> None:
        """Write the file."""
        with ZipFile(path, "w") as file:
            serving = [[self.serving[non_dealer, dealer] for dealer in range(GOAL)] for non_dealer in range(GOAL)]
            about = json.dumps({"parts": serving, "round_chances": self.chances.round(5).tolist()})
            named = {_file_of(name): packed for name, packed in self.parts.items()}
            for name, data in {"about.json": about.encode(), **named}.items():
                info = ZipInfo(name)  # of a fixed date: the same table makes the same file
                info.compress_type = ZIP_LZMA
                file.writestr(info, data)


def _points(numbers: Sequence[int]) -> Points:
    """Two numbers as points."""
    non_dealer, dealer = numbers
    return non_dealer, dealer


def _file_of(name: Points) -> str:
    """The name of the file with the part of this name."""
    non_dealer, dealer = name
    return f"{non_dealer}-{dealer}"


def read(path: Path) -> Table:
    """The table in a file."""
    with ZipFile(path) as file:
        about = json.loads(file.read("about.json"))
        serving = {points: _points(about["parts"][points[0]][points[1]]) for points in SCORES}
        parts = {name: file.read(_file_of(name)) for name in PARTS}
    return Table(parts, serving, np.array(about["round_chances"]))


def best_serving(parts: dict[Points, bytes], chances: Array) -> dict[Points, Points]:
    """The part against which a best response gains least in a hand at each score."""
    found = {}
    for points in SCORES:
        gains = {}
        for name in parts:
            if serves(name, points):
                _, first, second = unpacked(points, name, parts[name], for_round(points, chances)).judge()
                gains[name] = first + second
        found[points] = min(gains, key=gains.__getitem__)
    return found


# The chances to win a round


def for_round(points: Points, chances: Array, dealing: Array | None = None) -> Ends:
    """The ends of a hand at some points as chances of the non-dealer to win the round; the dealer changes then (T11).

    ``chances`` are a non-dealer's; ``dealing`` are a dealer's, by its own and the opponent's points, and default to
    the complement.
    """
    non_dealer, dealer = points

    def chance(own: int, others: int, decides: bool) -> float:
        """The chance of the non-dealer with these points after the hand, if that does not decide the round."""
        if decides or max(own, others) >= GOAL:
            return float(own > non_dealer)  # the scorer has won
        return float(1 - chances[others, own] if dealing is None else dealing[own, others])

    levels = range(LEVELS + 1)
    wins = [chance(non_dealer + 2**level, dealer, level == LEVELS) for level in levels]
    loses = [chance(non_dealer, dealer + 2**level, level == LEVELS) for level in levels]
    return Ends(wins, loses, chance(non_dealer, dealer, False))


def scaled(ends: Ends) -> Ends:
    """The ends in chances, scaled to about the size of points."""
    wins, loses, nobody = [SCALE * (np.array(worth) - 0.5) for worth in ends]
    return Ends(list(wins), list(loses), float(nobody))


class Judged(NamedTuple):
    """The results of the table over a round."""

    chances: Array
    """The non-dealer's chances to win the round, by its own and the dealer's points, if both play by the table."""
    best: float
    """The chance of a best response before the first hand, the mean of both seats."""
    gains: Array
    """The gain of a best response in a hand at each score, the mean of both seats."""


def judged(table: Table) -> Judged:
    """Judge a table, from the end of the round backwards. Scores that differ in the dealer depend on each other."""
    chances, first, second = [np.full((GOAL, GOAL), 0.5) for _ in range(3)]
    gains = np.zeros((GOAL, GOAL))
    for more in range(GOAL - 1, -1, -1):
        for less in range(more, -1, -1):
            solvers = {points: table.hand(points, FOR_CHIPS) for points in [(more, less), (less, more)]}
            for _ in range(2):
                for points, solver in solvers.items():
                    solver.ends, solver.does, solver.seat = for_round(points, chances), "follow", 0
                    chances[points] = solver.value()
                for points, solver in solvers.items():
                    solver.does = "respond"
                    solver.ends, solver.seat = for_round(points, chances, second), 0
                    first[points] = solver.value()
                    # And as the dealer, who is the next non-dealer, while the opponent keeps to the table.
                    solver.ends, solver.seat = for_round(points, first), 1
                    second[points[::-1]] = 1 + solver.value()
            for points, solver in solvers.items():
                solver.ends = for_round(points, chances)
                _, by_first, by_second = solver.judge()
                gains[points] = (by_first + by_second) / 2
    return Judged(chances, float(first[0, 0] + second[0, 0]) / 2, gains)


def solved(points: Points, ends: Ends) -> Solver:
    """Solve a hand at some points: for chips with all iterations, else until it is close enough."""
    solver = Solver(points, ends)
    if ends is FOR_CHIPS:
        solver.solve(FOR_CHIPS_ITERATIONS)
        return solver
    solver.solve(ITERATIONS[0])
    while solver.iteration < ITERATIONS[1] and gain(solver) > CLOSE:
        solver.solve(25)
    return solver


def gain(solver: Solver) -> float:
    """The chance to win the round that a best response gains, the mean of both seats."""
    solver.fix()
    _, first, second = solver.judge()
    return (first + second) / 2 / SCALE


def make() -> Table:
    """Solve all parts; return the table."""
    beginning = packed(BEGINNING, *rounded(solved(BEGINNING, FOR_CHIPS), STEPS))
    chances = np.array([[round_probability(own, others, GOAL) for others in range(GOAL)] for own in range(GOAL)])
    for _ in range(SWEEPS):
        parts = {BEGINNING: beginning}
        for name, points in PARTS.items():
            if name != BEGINNING:
                solver = solved(points, scaled(for_round(points, chances)))
                parts[name] = packed(name, *rounded(solver, COARSE))
                print(f"{name}: {len(parts[name]):,} bytes, {process_time():.0f} s", flush=True)
        table = Table(parts, best_serving(parts, chances), chances)
        chances = judged(table).chances
    return table._replace(chances=chances)


def show(table: Table) -> None:
    """Print the gains of a best response."""
    even, first, second = table.hand(BEGINNING, FOR_CHIPS).judge()
    print(f"a hand for chips brings the non-dealer {even:+.4f} points; a best response gains {first:.4f} as non-dealer")
    print(f"    and {second:.4f} as dealer: {(first + second) / 2:.4f} points a hand")
    found = judged(table)
    print(f"a round: a best response wins {found.best:.2%}; a hand gains it, by the points of both, in percent")
    for gains in found.gains:
        print("   ", *[f"{100 * gain:4.1f}" for gain in gains])


def main() -> None:
    """Make or judge the table, or solve one hand, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", action="store_true", help="only judge the existing table")
    parser.add_argument("--points", nargs=2, type=int, metavar="N", help="only solve the hand at these points")
    options = parser.parse_args()
    if options.points:
        points = _points(options.points)
        solver = solved(points, scaled(for_round(points, read(TABLE).chances)))
        gained = gain(solver)
        print(f"{solver.iteration} iterations, {process_time():.1f} s: a best response gains {gained:.3%} of a round")
        return
    if not options.judge:
        make().write(TABLE)
    show(read(TABLE))


if __name__ == "__main__":
    main()
