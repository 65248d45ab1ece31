"""Solve a hand of Truc for its equilibrium, and compute exactly what a best response gains against the table.

    .venv/bin/pip install numpy                               which the program itself does without
    .venv/bin/python scripts/solve_truc.py                    makes the table again, in ten minutes of processor time
    .venv/bin/python scripts/solve_truc.py --judge            only judges the table that exists
    .venv/bin/python scripts/solve_truc.py --points 11 11     only solves a hand at these points, and judges it

CFR+ (Tammelin 2014) solves the hand, with iterations weighted by their squares. It solves all hands of three strengths
at once, in arrays of (actions, sequences of laid cards, hands). One part of the table is for the beginning of a round,
and its worths are points; every other part is for one score, and its worths are probabilities of winning the round. For
a score without a part of its own the table names the part against which a best response gains least. The table rounds
probabilities and leaves out rare actions; best responses are computed against these rounded strategies.
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
    MAX_DOUBLINGS,
    NO_SEAT,
    RANKS,
    STEPS,
    TURNS,
    Cards,
    Node,
    Points,
    Turns,
    actor,
    cards_left,
    doublings_after,
    hand_index,
    laid_index,
    nodes,
    shape,
    winner,
)
from cardgames.bots.truc_odds import Strengths, win_probability

TABLE = Path(__file__).parent.parent / "cardgames/bots/truc_equilibrium.zip"

SOLVED = {0: 2, 5: 6, 9: 9, 10: 10, 11: 11}
"""The points of a player for which a part is solved, by that player's points in the part's name."""
PARTS = {(non_dealer, dealer): (SOLVED[non_dealer], SOLVED[dealer]) for non_dealer, dealer in product(SOLVED, repeat=2)}
PARTS |= {(4, 0): (4, 1), (0, 4): (1, 4)}
"""The points of both players for which each part is solved, by the part's name."""
SCORES: list[Points] = [(non_dealer, dealer) for non_dealer, dealer in product(range(GOAL), repeat=2)]
"""The points at which a hand may be played."""
BEGINNING = (0, 0)
"""The name of the part whose worths are points (chips)."""
FILE = "{}-{}"
"""The file name of a part in the table, by the two numbers of its name."""
SWEEPS = 2
"""The number of times that all parts are solved. Each time uses the winning probabilities of the time before."""
FOR_CHIPS_ITERATIONS = 200
ITERATIONS = 75, 150
"""The least and the most iterations for a part whose worths are probabilities of winning the round."""
CLOSE_ENOUGH = 0.0005
"""The gain of a best response at which a solution is good enough, as a probability of winning the round."""
LEAST_SHARE = 0.005
"""The least probability that an action of the table is reached and taken. Rarer actions are left out."""
COARSE = 16
"""The number of steps of a probability in a part for one score. The part for chips has four times as many steps."""
CHIPS = (1, 2, 4, 8, 12)
"""The worth of a hand in chips, by its doublings. A hand with the most doublings wins the round."""
SCALE = 20
"""The approximate points of a round: the factor that gives the regrets of all parts a similar size."""

Array: TypeAlias = Any
Number = np.float32
HANDS = {number: list(hand_index(number)) for number in range(4)}
ACCEPT, REFUSE = 0, 1


def _ways(hand: Strengths, other: Strengths) -> int:
    """The number of ways to deal two hands."""
    return prod([comb(4, hand.count(card)) * comb(4 - hand.count(card), other.count(card)) for card in range(RANKS)])


DEALT = np.array([[_ways(hand, other) for other in HANDS[3]] for hand in HANDS[3]], float)
DEALT /= DEALT.sum()
"""The probability of each pair of hands, the non-dealer's hand first."""


class HandLinks:
    """The hands of ``number`` cards, linked to the hands that remain after a card is played."""

    def __init__(self, number: int) -> None:
        shape, back = (number, len(HANDS[number])), (len(HANDS[number - 1]), RANKS)
        self.card, self.rest, self.legal = np.zeros(shape, int), np.zeros(shape, int), np.zeros(shape, bool)
        """The card, the hand that remains without it, and whether it is the first of equal cards, by place and hand."""
        self.hand, self.place = np.zeros(back, int), np.zeros(back, int)
        """The hand with a card added, and the place of the card in it, by the hand without the card and the card."""
        for index, hand in enumerate(HANDS[number]):
            for place, card in enumerate(hand):
                self.card[place, index] = card
                self.legal[place, index] = place == hand.index(card)
                self.rest[place, index] = hand_index(number - 1)[hand[:place] + hand[place + 1 :]]
        for (index, rest), card in product(enumerate(HANDS[number - 1]), range(RANKS)):
            hand = tuple(sorted((*rest, card), reverse=True))
            self.hand[index, card], self.place[index, card] = hand_index(number)[hand], hand.index(card)


HAND_LINKS = {number: HandLinks(number) for number in (1, 2, 3)}


class Stage:
    """A turn of the hands of one group. The fifth turn includes the last one."""

    def __init__(self, turn: int, group: str, next_stages: "Sequence[Stage]", deals: Array) -> None:
        self.turn, self.group, self.actor, self.next_stages = turn, group, actor(turn, group), next_stages
        self.laid = list(laid_index(turn, group))
        self.held = cards_left(turn, True)
        self.places = HAND_LINKS[self.held]
        self.hands, self.other_hands = len(HANDS[self.held]), len(HANDS[cards_left(turn, False)])
        self.dealt = np.array([self._dealt(laid, deals) for laid in self.laid], Number)
        """The probability of the deal, by laid cards, hand of the actor, and hand of the opponent."""
        if next_stages:
            self._link()
        if turn == TURNS - 1:
            self._end()

    def _dealt(self, laid: Cards, deals: Array) -> Array:
        """The probabilities of the deals that are possible after these laid cards, by actor's and opponent's hand."""
        dealt_hands = []
        for seat, held in ((self.actor, self.held), (1 - self.actor, cards_left(self.turn, False))):
            played = [card for turn, card in enumerate(laid, 1) if actor(turn, self.group) == seat]
            dealt_hands.append([hand_index(3)[tuple(sorted((*hand, *played), reverse=True))] for hand in HANDS[held]])
        return (deals if self.actor == 0 else deals.T)[np.ix_(*dealt_hands)]

    def _link(self) -> None:
        """Store the hand and the sequence of laid cards to which each card leads, as indices of flat arrays."""
        after = {laid: place for place, laid in enumerate([laid for stage in self.next_stages for laid in stage.laid])}
        here = {laid: place for place, laid in enumerate(self.laid)}
        places = self.places
        child = np.array([[after.get((*laid, card), len(after)) for card in range(RANKS)] for laid in self.laid])
        self.back = np.moveaxis(child[:, places.card], 0, 1) * len(HANDS[self.held - 1]) + places.rest[:, None]
        ends = np.array([[winner((*laid, card)) for card in range(RANKS)] for laid in self.laid])
        self.won_by = np.where(places.legal[:, None], np.moveaxis(ends[:, places.card], 0, 1), -2)
        """The seat that wins the hand by playing a card, by place of the card, laid cards and hand."""
        self.forward, self.parents = [], []
        for stage in self.next_stages:
            parent = np.array([here[laid[:-1]] for laid in stage.laid])
            card = np.array([laid[-1] for laid in stage.laid])
            start = places.place[:, card].T * len(self.laid) + parent[:, None]
            self.forward.append(start * self.hands + places.hand[:, card].T)
            self.parents.append(parent)

    def _end(self) -> None:
        """Store the probabilities of the deal by the result of the hand for the follower, who plays the last card."""
        laid, downwards = self.laid[0], range(RANKS - 1, -1, -1)  # as hands of one card go
        ends = np.array([[winner((*laid, led, last)) for last in downwards] for led in downwards])
        follower = 1 - self.actor
        self.won, self.spoiled, self.lost = [self.dealt * (ends == end) for end in (follower, NO_SEAT, self.actor)]

    def children(self, reach: Array) -> "list[tuple[Stage, Array, Array]]":
        """Each next stage, the actor's ``reach`` in it, and for its sequences of cards the index of the one before."""
        flat = reach.reshape(-1)
        return [
            (stage, flat.take(at), parent)
            for stage, at, parent in zip(self.next_stages, self.forward, self.parents, strict=True)
        ]


def stages(deals: Array = DEALT) -> Stage:
    """The first turn, which links to all others. ``deals`` has the probability of each pair of hands, as ``DEALT``."""
    thirds = []
    for group in "abt":
        next_stages: list[Stage] = []
        for turn in (5, 4, 3):
            next_stages = [Stage(turn, group, next_stages, deals)]
        thirds += next_stages
    return Stage(1, "", [Stage(2, "", thirds, deals)], deals)


FIRST = stages()


class Ends(NamedTuple):
    """The worth to the non-dealer of each end of a hand."""

    wins: Sequence[float]
    """The worth of winning the hand, by its doublings."""
    loses: Sequence[float]
    """The worth of losing the hand, by its doublings."""
    nobody: float
    """The worth if nobody wins the hand."""

    def win(self, seat: int, doublings: int) -> float:
        """The worth to a seat of winning the hand after these doublings."""
        return self.wins[doublings] if seat == 0 else -self.loses[doublings]

    def loss(self, seat: int, doublings: int) -> float:
        """The worth to a seat of losing the hand after these doublings."""
        return self.loses[doublings] if seat == 0 else -self.wins[doublings]

    def spoiled(self, seat: int) -> float:
        """The worth to a seat if nobody wins the hand."""
        return self.nobody if seat == 0 else -self.nobody


FOR_CHIPS = Ends(CHIPS, [-chips for chips in CHIPS], 0.0)


class Decision:
    """The strategy at a node, with the regrets and sums from which it is learnt."""

    def __init__(self, legal: Array, shape: tuple[int, ...]) -> None:
        self.even = (legal / legal.sum(0)).astype(Number)[:, None]
        self.regrets = np.zeros(shape, Number)
        self.total = np.zeros(shape, Number)
        self.current: Array = None
        """The strategy of this iteration; ``None`` after the regrets have changed."""
        self.fixed: Array = None
        """The strategy that is played once the hand is solved."""

    def average(self) -> Array:
        """The average strategy of all iterations."""
        return _in_proportion(self.total, self.even)


def _in_proportion(values: Array, even: Array) -> Array:
    """Probabilities in proportion to ``values``; those of ``even`` where all values are 0."""
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
        self.mode = "learn"
        """The mode: ``learn``, ``follow`` the fixed strategies, or ``respond`` to the opponent's in the best way."""
        self.reached: dict[Node, Array] = {}
        """The probability that each hand's own actions lead to a node; set in the mode ``follow``."""
        self.bluffs: dict[Node, Array] = {}
        """The probability of a bluff with a losing last card, by laid cards; set in the mode ``follow``."""

    def solve(self, iterations: int) -> None:
        """Learn for ``iterations`` more iterations."""
        self.mode = "learn"
        for _ in range(iterations):
            self.iteration += 1
            for self.seat in (0, 1):
                self.value()

    def fix(self) -> None:
        """Fix the strategies at the averages learnt so far."""
        for decision in self.decisions.values():
            decision.fixed = decision.average()

    def value(self) -> float:
        """Go through the hand in the present mode; return its worth to ``self.seat`` before the deal."""
        return float(self.by_hand().sum())

    def by_hand(self) -> Array:
        """Go through the hand in the present mode; return its worth to ``self.seat`` by dealt hand.

        Each worth is multiplied by the probability of the dealt hand."""
        everything = np.ones((1, len(HANDS[3])), Number)
        return self._turn_values(self.first, 0, everything, everything, ())

    def judge(self) -> tuple[float, float, float]:
        """The worth of the fixed strategies to the non-dealer, and a best response's gains as non-dealer and dealer."""
        self.mode, self.seat = "follow", 0
        worth = self.value()
        self.mode = "respond"
        best_as_non_dealer = self.value()
        self.seat = 1
        return worth, best_as_non_dealer - worth, self.value() + worth

    def _decision(self, node: Node, legal: Array, orders: int) -> tuple[Decision, Array]:
        """The decision at a node, made if it is new, and its strategy in the present mode.

        ``legal`` has the legal actions by hand; ``orders`` is the number of sequences of laid cards."""
        decision = self.decisions.get(node)
        if decision is None:
            decision = self.decisions[node] = Decision(legal, (len(legal), orders, legal.shape[1]))
        if self.mode != "learn":
            return decision, decision.fixed
        if decision.current is None:
            decision.current = _in_proportion(decision.regrets, decision.even)
        return decision, decision.current

    def _worth(self, node: Node, worths: Array, reach: Array) -> Array:
        """The worth of a choice to each hand, from the ``worths`` of its actions; when learning, update the regrets."""
        decision = self.decisions[node]
        if self.mode == "respond":
            return np.where(decision.even > 0, worths, Number(-1e9)).max(0)
        shares = decision.current if self.mode == "learn" else decision.fixed
        worth = (worths * shares).sum(0)
        if self.mode == "follow":
            self.reached[node] = reach
            return worth
        decision.regrets += (worths - worth) * (decision.even > 0)
        np.maximum(decision.regrets, 0, out=decision.regrets)
        decision.total += Number(self.iteration**2 / 1e4) * reach * shares
        decision.current = None
        return worth

    def _turn_values(self, stage: Stage, doublings: int, acting: Array, other: Array, path: Turns) -> Array:
        """The values at the beginning of a turn, by laid cards and hand.

        ``acting`` and ``other`` are the probabilities that the actor's and the opponent's own actions lead to it."""
        if doublings == MAX_DOUBLINGS:
            return self._card_values(stage, doublings, acting, other, path)
        node = Node(stage.turn, stage.group, path, "turn")
        answer = node._replace(kind="answer")
        held = stage.held
        legal = np.concatenate([stage.places.legal, np.ones((1, stage.hands), bool)])
        _, shares = self._decision(node, legal, len(stage.laid))
        _, answers = self._decision(answer, np.ones((2, stage.other_hands), bool), len(stage.laid))
        proposing = acting * shares[held]
        raised, accepted = doublings_after(doublings, self.points[stage.actor]), (*path, stage.turn)
        win = self.ends.win(stage.actor, doublings)
        goes_on = self._card_values(stage, raised, proposing, other * answers[ACCEPT], accepted)
        plays = self._play_values(stage, doublings, acting * shares[:held], other, path)
        if self.seat == stage.actor:
            refused = win * np.einsum("pmn,pn->pm", stage.dealt, other * answers[REFUSE])
            return self._worth(node, np.concatenate([plays, (refused + goes_on)[None]]), acting)
        refused = -win * np.einsum("pmn,pm->pn", stage.dealt, proposing)
        return plays + self._worth(answer, np.stack([goes_on, refused]), other)

    def _card_values(self, stage: Stage, doublings: int, acting: Array, other: Array, path: Turns) -> Array:
        """The values of a turn after its proposal, when a card has to be played, by laid cards and hand."""
        if stage.held == 1:
            worth = self._play_values(stage, doublings, acting[None], other, path)
            return worth[0] if self.seat == stage.actor else worth
        node = Node(stage.turn, stage.group, path, "card")
        _, shares = self._decision(node, stage.places.legal, len(stage.laid))
        worth = self._play_values(stage, doublings, acting * shares, other, path)
        return self._worth(node, worth, acting) if self.seat == stage.actor else worth

    def _play_values(self, stage: Stage, doublings: int, cards: Array, other: Array, path: Turns) -> Array:
        """The values of the cards to their player, or of the turn to the opponent; ``cards`` has each card's reach."""
        mine = self.seat == stage.actor
        if not stage.next_stages:
            worth = self._last_values(stage, doublings, cards[0], other, path)
            return worth[None] if mine else worth
        result = []
        for next_stage, reach, parent in stage.children(cards):
            pair = (reach, other[parent]) if next_stage.actor == stage.actor else (other[parent], reach)
            result.append(self._turn_values(next_stage, doublings, *pair, path))
        win, loss = self.ends.win(self.seat, doublings), self.ends.loss(self.seat, doublings)
        pays = np.where(stage.won_by == self.seat, Number(win), Number(loss) * (stage.won_by == 1 - self.seat))
        if mine:
            nothing = np.zeros((1, result[0].shape[1]), Number)
            worth = np.concatenate([*result, nothing]).reshape(-1).take(stage.back) * stage.places.legal[:, None]
            return worth + pays * np.einsum("pmn,pn->pm", stage.dealt, other)
        worth = np.einsum("pmn,pm->pn", stage.dealt, (cards * pays).sum(0))
        for values, parent in zip(result, stage.parents, strict=True):
            np.add.at(worth, parent, values)
        return worth

    def _last_values(self, stage: Stage, doublings: int, leading: Array, following: Array, path: Turns) -> Array:
        """The values of the last turn, in which the follower knows how the hand ends.

        A follower who does not lose proposes. A losing follower bluffs just often enough to make both answers equal for
        the leader. The table does not store these bluffs; the solver learns them like other actions."""
        ends, follower = self.ends, 1 - stage.actor
        reaches = [np.einsum("pcy,py->pc", part, following) for part in (stage.won, stage.lost, stage.spoiled)]
        if doublings == MAX_DOUBLINGS:
            return self._last_card_values(stage, leading, reaches)
        won_by, lost_by, spoiled_by = reaches
        raised = doublings_after(doublings, self.points[follower])
        win, loss, nobody = ends.win(follower, doublings), ends.loss(follower, doublings), ends.spoiled(follower)
        raised_win, raised_loss = ends.win(follower, raised), ends.loss(follower, raised)
        orders, legal = len(stage.laid) * RANKS, np.ones((2, 1), bool)
        bluff, answer = Node(TURNS, stage.group, path, "turn"), Node(TURNS, stage.group, path, "answer")
        _, answers = self._decision(answer, legal, orders)
        accepts, refuses = [_wide(part) for part in answers]
        if self.mode == "learn":
            bluffs = _wide(self._decision(bluff, legal, orders)[1][1])
        else:
            gained = won_by * (raised_win - win) + spoiled_by * (nobody - win)
            bluffs = np.clip(gained / np.maximum(lost_by * (win - raised_loss), 1e-30), 0, 1).astype(Number)
            if self.mode == "follow":
                self.bluffs[bluff] = _flat(bluffs)[:, 0]
        if self.seat == follower:
            proposed = refuses * Number(win) + accepts * Number(raised_loss)
            losing = np.maximum(proposed, loss) if self.mode == "respond" else bluffs * proposed + (1 - bluffs) * loss
            if self.mode == "learn":
                self._worth(bluff, np.stack([_flat(Number(loss) * leading), _flat(proposed * leading)]), _flat(lost_by))
            winning = refuses * Number(win) + accepts * Number(raised_win)
            worth = np.einsum("pcy,pc->py", stage.won, leading * winning)
            worth += np.einsum("pcy,pc->py", stage.lost, leading * losing)
            spoiling = refuses * Number(win) + accepts * Number(nobody)
            return worth + np.einsum("pcy,pc->py", stage.spoiled, leading * spoiling)
        refused = -Number(win) * (won_by + spoiled_by + bluffs * lost_by)
        accepted = -(Number(raised_win) * won_by + Number(nobody) * spoiled_by + Number(raised_loss) * bluffs * lost_by)
        worth = self._worth(answer, np.stack([_flat(accepted), _flat(refused)]), _flat(leading))
        return _wide(worth) - Number(loss) * (1 - bluffs) * lost_by

    def _last_card_values(self, stage: Stage, leading: Array, reaches: Sequence[Array]) -> Array:
        """The values of the last turn after the most doublings, when nobody can propose.

        ``reaches`` are the follower's reach with hands that win, lose and spoil, by laid cards and card led."""
        follower = 1 - stage.actor
        ends = (
            self.ends.win(follower, MAX_DOUBLINGS),
            self.ends.loss(follower, MAX_DOUBLINGS),
            self.ends.spoiled(follower),
        )
        win, loss, nobody = map(Number, ends)
        if self.seat == follower:
            return np.einsum("pcy,pc->py", stage.won * win + stage.lost * loss + stage.spoiled * nobody, leading)
        won_by, lost_by, spoiled_by = reaches
        return -(won_by * win + lost_by * loss + spoiled_by * nobody)


def _wide(values: Array) -> Array:
    """Reorder values by card led as values by hand. Hands begin with the strongest card, cards led with the weakest."""
    return values.reshape(-1, RANKS)[:, ::-1]


def _flat(values: Array) -> Array:
    """Reorder values by hand as values by the card led: the inverse of :func:`_wide`."""
    return values[:, ::-1].reshape(-1, 1)


# The table


def round_to_steps(solver: Solver, steps: int) -> tuple[dict[Node, Array], dict[Node, Array]]:
    """The solution rounded to ``steps`` steps, and the probability that each hand's own actions lead to each node.

    Rounding goes turn by turn, since an action that is left out on one turn changes the reach of later turns."""
    solver.fix()
    solver.mode = "follow"
    result: dict[Node, Array] = {}
    for turn, kinds in product(range(1, TURNS + 1), (("turn", "answer"), ("card",))):
        solver.reached = {}
        for solver.seat in (0, 1):
            solver.by_hand()
        for node, decision in solver.decisions.items():
            if node.turn == turn and node.kind in kinds and node in solver.reached:
                result[node] = _in_steps(decision.fixed, solver.reached[node], steps)
                decision.fixed = (result[node] / STEPS).astype(Number)
    return result, solver.reached


def _in_steps(shares: Array, reach: Array, steps: int) -> Array:
    """Return shares without rare actions, rounded to ``steps`` steps, in units of ``1 / STEPS``."""
    kept = np.where((shares * reach < LEAST_SHARE) & (shares < shares.max(0)), 0, shares.astype(float))
    kept /= kept.sum(0)
    result = np.round(kept * steps).astype(int)
    likeliest = kept.argmax(0)[None]
    remainder = steps - result.sum(0)[None]
    np.put_along_axis(result, likeliest, np.take_along_axis(result, likeliest, 0) + remainder, 0)
    return result * (STEPS // steps)


def pack_part(points: Points, strategies: dict[Node, Array], reached: dict[Node, Array]) -> bytes:
    """Return a part in the table's format. For compression, hands that never reach a node repeat the hand before."""
    parts = []
    for node in nodes(points):
        steps = strategies[node][:-1]
        reach = np.broadcast_to(reached[node] > 0, steps.shape[1:]).reshape(-1)
        like = np.maximum.accumulate(np.where(reach, np.arange(len(reach)), 0))
        filled = steps.reshape(len(steps), -1)[:, like].reshape(steps.shape)
        parts.append(filled.transpose(2, 1, 0).astype(np.uint8).tobytes())
    return b"".join(parts)


def unpack_part(points: Points, name: Points, data: bytes, ends: Ends) -> Solver:
    """Return a solver of a hand at ``points`` with the fixed strategies of part ``name``, packed in ``data``."""
    solver = Solver(name, ends)
    at = 0
    for node in nodes(name):
        actions, orders, number = shape(node)
        steps = np.frombuffer(data, np.uint8, (actions - 1) * orders * number, at).astype(int)
        at += len(steps)
        steps = steps.reshape(number, orders, actions - 1).transpose(2, 1, 0)
        legal = np.ones((actions, number), bool)
        if node.kind != "answer":
            places = HAND_LINKS[cards_left(node.turn, True)].legal
            legal[: len(places)] = places
        decision = solver.decisions[node] = Decision(legal, (actions, orders, number))
        decision.fixed = (np.concatenate([steps, STEPS - steps.sum(0)[None]]) / STEPS).astype(Number)
        if node.kind == "answer" and refusing_loses(points, name, node):
            decision.fixed[ACCEPT], decision.fixed[REFUSE] = 1, 0
    return solver


def refusing_loses(points: Points, name: Points, node: Node) -> bool:
    """Whether a refusal at a node of the part ``name`` loses the round if the hand is played at ``points``."""
    doublings = 0
    for turn in node.path:
        doublings = doublings_after(doublings, name[actor(turn, node.group)])
    return bool(points[actor(node.turn, node.group)] + 2**doublings >= GOAL)


def covers(name: Points, points: Points) -> bool:
    """Whether the part ``name`` has the same possible proposals as a hand at ``points``."""
    return _raises(name) in (_raises(points), _raises(points, merged=True))


def _raises(points: Points, merged: bool = False) -> dict[int, list[int]]:
    """The doublings after a proposal of each seat, by the doublings before it.

    If ``merged``, a stake that wins the round for either seat counts as the most doublings."""
    result: dict[int, list[int]] = {}
    counts = [0]
    for doublings in counts:  # grows in the loop
        if doublings < MAX_DOUBLINGS and doublings not in result:
            after = [doublings_after(doublings, own) for own in points]
            if merged:
                after = [MAX_DOUBLINGS if min(points) + 2**raised >= GOAL else raised for raised in after]
            result[doublings] = after
            counts += after
    return result


class Table(NamedTuple):
    """All parts, the name of the part for each score, and the non-dealer's probabilities of winning the round."""

    parts: dict[Points, bytes]
    serving: dict[Points, Points]
    probabilities: Array

    def hand(self, points: Points, ends: Ends) -> Solver:
        """Return a solver of a hand with the fixed strategies of the table."""
        name = self.serving[points]
        return unpack_part(points, name, self.parts[name], ends)

    def write(self, path: Path) -> None:
        """Write the table to a file."""
        with ZipFile(path, "w") as file:
            serving = [[self.serving[non_dealer, dealer] for dealer in range(GOAL)] for non_dealer in range(GOAL)]
            about = json.dumps({"parts": serving, "round_chances": self.probabilities.round(5).tolist()})
            named = {FILE.format(*name): part for name, part in self.parts.items()}
            for name, data in {"about.json": about.encode(), **named}.items():
                info = ZipInfo(name)  # with a fixed date: the same table makes the same file
                info.compress_type = ZIP_LZMA
                file.writestr(info, data)


def read(path: Path) -> Table:
    """Read the table from a file."""
    with ZipFile(path) as file:
        about = json.loads(file.read("about.json"))
        parts = {name: file.read(FILE.format(*name)) for name in PARTS}
    serving: dict[Points, Points] = {}
    for non_dealer, dealer in SCORES:
        first, second = about["parts"][non_dealer][dealer]
        serving[non_dealer, dealer] = first, second
    return Table(parts, serving, np.array(about["round_chances"]))


def best_parts(parts: dict[Points, bytes], probabilities: Array) -> dict[Points, Points]:
    """For each score, the name of the part against which a best response gains least."""
    result = {}
    for points in SCORES:
        gains = {}
        for name in parts:
            if covers(name, points):
                _, first, second = unpack_part(points, name, parts[name], for_round(points, probabilities)).judge()
                gains[name] = first + second
        result[points] = min(gains, key=gains.__getitem__)
    return result


# The probabilities of winning a round


def for_round(points: Points, by_score: Array, dealing: Array | None = None) -> Ends:
    """The ends of a hand at ``points``, as probabilities that the non-dealer, who deals next (T11), wins the round.

    ``by_score`` has the probabilities of a non-dealer, ``dealing`` those of a dealer (by default the complement), each
    by this player's and the opponent's points."""
    non_dealer, dealer = points

    def probability(own: int, others: int, decides: bool) -> float:
        """The non-dealer's probability with these points after the hand. ``decides``: the hand decides the round."""
        if decides or max(own, others) >= GOAL:
            return float(own > non_dealer)  # the scorer has won
        return float(1 - by_score[others, own] if dealing is None else dealing[own, others])

    counts = range(MAX_DOUBLINGS + 1)
    wins = [probability(non_dealer + 2**doublings, dealer, doublings == MAX_DOUBLINGS) for doublings in counts]
    loses = [probability(non_dealer, dealer + 2**doublings, doublings == MAX_DOUBLINGS) for doublings in counts]
    return Ends(wins, loses, probability(non_dealer, dealer, False))


def scale_ends(ends: Ends) -> Ends:
    """Return ends in probabilities, scaled to about the size of points."""
    wins, loses, nobody = [SCALE * (np.array(worth) - 0.5) for worth in ends]
    return Ends(list(wins), list(loses), float(nobody))


class RoundResults(NamedTuple):
    """The results of the table in a round."""

    probabilities: Array
    """The probability that the non-dealer wins the round by the table, by its own and the dealer's points."""
    best: float
    """The probability that a best response wins a round, the mean of both seats."""
    gains: Array
    """The gain of a best response in a hand, by score, the mean of both seats."""


def round_results(table: Table) -> RoundResults:
    """Judge a table, score by score from the end of the round, the two scores that differ in the dealer together."""
    probabilities, first, second = [np.full((GOAL, GOAL), 0.5) for _ in range(3)]
    gains = np.zeros((GOAL, GOAL))
    for more in range(GOAL - 1, -1, -1):
        for less in range(more, -1, -1):
            solvers = {points: table.hand(points, FOR_CHIPS) for points in [(more, less), (less, more)]}
            for _ in range(2):
                for points, solver in solvers.items():
                    solver.ends, solver.mode, solver.seat = for_round(points, probabilities), "follow", 0
                    probabilities[points] = solver.value()
                for points, solver in solvers.items():
                    solver.mode = "respond"
                    solver.ends, solver.seat = for_round(points, probabilities, second), 0
                    first[points] = solver.value()
                    # The same as dealer, who is the next non-dealer, while the opponent plays by the table.
                    solver.ends, solver.seat = for_round(points, first), 1
                    second[points[::-1]] = 1 + solver.value()
            for points, solver in solvers.items():
                solver.ends = for_round(points, probabilities)
                _, by_first, by_second = solver.judge()
                gains[points] = (by_first + by_second) / 2
    return RoundResults(probabilities, float(first[0, 0] + second[0, 0]) / 2, gains)


def solve_hand(points: Points, ends: Ends) -> Solver:
    """Solve a hand at some points: for chips with all iterations, else until its solution is good enough."""
    solver = Solver(points, ends)
    if ends is FOR_CHIPS:
        solver.solve(FOR_CHIPS_ITERATIONS)
        return solver
    solver.solve(ITERATIONS[0])
    while solver.iteration < ITERATIONS[1] and gain(solver) > CLOSE_ENOUGH:
        solver.solve(25)
    return solver


def gain(solver: Solver) -> float:
    """The gain of a best response as a probability of winning the round, the mean of both seats."""
    solver.fix()
    _, first, second = solver.judge()
    return (first + second) / 2 / SCALE


def make() -> Table:
    """Solve all parts; return the table."""
    beginning = pack_part(BEGINNING, *round_to_steps(solve_hand(BEGINNING, FOR_CHIPS), STEPS))
    probabilities = np.array([[win_probability(own, others, GOAL) for others in range(GOAL)] for own in range(GOAL)])
    for _ in range(SWEEPS):
        parts = {BEGINNING: beginning}
        for name, points in PARTS.items():
            if name != BEGINNING:
                solver = solve_hand(points, scale_ends(for_round(points, probabilities)))
                parts[name] = pack_part(name, *round_to_steps(solver, COARSE))
                print(f"{name}: {len(parts[name]):,} bytes, {process_time():.0f} s", flush=True)
        table = Table(parts, best_parts(parts, probabilities), probabilities)
        probabilities = round_results(table).probabilities
    return table._replace(probabilities=probabilities)


def show(table: Table) -> None:
    """Print the gains of a best response against a table."""
    even, first, second = table.hand(BEGINNING, FOR_CHIPS).judge()
    print(f"a hand for chips brings the non-dealer {even:+.4f} points; a best response gains {first:.4f} as non-dealer")
    print(f"    and {second:.4f} as dealer: {(first + second) / 2:.4f} points a hand")
    result = round_results(table)
    print(f"a round: a best response wins {result.best:.2%}; a hand gains it, by the points of both, in percent")
    for gains in result.gains:
        print("   ", *[f"{100 * gain:4.1f}" for gain in gains])


def main() -> None:
    """Make or judge the table, or solve one hand, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", action="store_true", help="only judge the existing table")
    parser.add_argument("--points", nargs=2, type=int, metavar="N", help="only solve the hand at these points")
    options = parser.parse_args()
    if options.points:
        points = options.points[0], options.points[1]
        solver = solve_hand(points, scale_ends(for_round(points, read(TABLE).probabilities)))
        gained = gain(solver)
        print(f"{solver.iteration} iterations, {process_time():.1f} s: a best response gains {gained:.3%} of a round")
        return
    if not options.judge:
        make().write(TABLE)
    show(read(TABLE))


if __name__ == "__main__":
    main()
