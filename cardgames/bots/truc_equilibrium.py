"""Play by the table of an equilibrium of a hand of Truc, which ``scripts/solve_truc.py`` has worked out.

The table has a part for every two ranges of points, the non-dealer's and the dealer's; :mod:`cardgames.bots.truc_table`
says how a part is laid out.
"""

import json
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple
from zipfile import ZipFile

from cardgames.bots.truc_odds import Strengths
from cardgames.bots.truc_table import (
    GOAL,
    LEVELS,
    NOBODY,
    RANKS,
    STEPS,
    TURNS,
    Accepted,
    Laid,
    Node,
    Points,
    actor,
    group_of,
    hand_index,
    level_after,
    nodes,
    place_of,
    size,
    winner,
)

FILE = "truc_equilibrium.zip"


class About(NamedTuple):
    """What holds for all parts."""

    ranges: tuple[int, ...]
    """The points with which a range begins."""
    round_chances: list[list[float]]
    """The chance of the non-dealer to win the round by its own points and the dealer's."""


@cache
def about() -> About:
    """Read once it is wanted."""
    found = json.loads(_read("about.json"))
    return About(tuple(found["ranges"]), found["round_chances"])


@lru_cache(maxsize=4)
def part_at(points: Points) -> "Part":
    """The strategies of the non-dealer and the dealer with these points."""
    one, two = [max([start for start in about().ranges if start <= own]) for own in points]
    return Part(points, (one, two), _read(f"{one}-{two}"), about().round_chances)


@lru_cache(maxsize=4)  # a part takes a megabyte, and scores of a round that are close need two or three
def _read(name: str) -> bytes:
    with (files("cardgames.bots") / FILE).open("rb") as file, ZipFile(file) as table:
        return table.read(name)


@lru_cache(maxsize=4)
def _starts(points: Points) -> dict[Node, int]:
    """Where each node begins in the part of a range."""
    found, at = {}, 0
    for node in nodes(points):
        actions, laids, hands = size(node)
        found[node] = at
        at += (actions - 1) * laids * hands
    return found


class Part:
    """The strategies of both seats with some points."""

    def __init__(self, points: Points, begin: Points, steps: bytes, round_chances: list[list[float]]) -> None:
        """``begin``: the points with which the part begins that these ``steps`` are."""
        self._points = points
        self._starts = _starts(begin)
        self._steps = steps
        self._round_chances = round_chances
        self._bluffs: dict[tuple[Accepted, Laid], float] = {}

    def worth(self, seat: int, level: int, won_by: int) -> float:
        """The chance of a seat to win the round once a hand has ended at a level of the stake."""
        points = list(self._points)
        if won_by != NOBODY:
            points[won_by] += GOAL if level == LEVELS else 2**level
            if points[won_by] >= GOAL:
                return float(seat == won_by)
        chance = self._round_chances[points[1]][points[0]]  # the deal swaps (T11)
        return chance if seat == 1 else 1 - chance

    def before_deal(self, seat: int) -> float:
        """The chance of a seat to win the round before it sees its cards."""
        chance = self._round_chances[self._points[0]][self._points[1]]
        return chance if seat == 0 else 1 - chance

    def level(self, path: Accepted, group: str) -> int:
        """The level of the stake after the proposals of a path."""
        level = 0
        for turn in path:
            level = level_after(level, self._points[actor(turn, group)])
        return level

    def proposes(self, path: Accepted, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """How likely each card, by place, and last a proposal is on the turn after these cards."""
        turn, group = len(laid) + 1, group_of(laid)
        if self.level(path, group) == LEVELS:
            return (*self.plays(path, laid, hand), 0.0)
        if turn == TURNS:
            sure = winner((*laid, hand[0])) in (NOBODY, actor(turn, group))
            proposes = 1.0 if sure else self.bluffs(path, laid)
            return 1 - proposes, proposes
        return self._chances(Node(turn, group, path, "turn"), laid, hand)

    def plays(self, path: Accepted, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """How likely each card, by place, is where nothing can be proposed."""
        if len(hand) == 1:
            return (1.0,)
        return self._chances(Node(len(laid) + 1, group_of(laid), path, "card"), laid, hand)

    def accepts(self, path: Accepted, laid: Laid, hand: Strengths) -> float:
        """How likely a proposal on the turn after these cards is to be accepted."""
        return self._chances(Node(len(laid) + 1, group_of(laid), path, "answer"), laid, hand)[0]

    def _chances(self, node: Node, laid: Laid, hand: Strengths) -> tuple[float, ...]:
        """How likely each action of a node is to be taken with a hand.

        With a hand that never comes there by this strategy, that of a similar one.
        """
        actions, laids, hands = size(node)
        at = self._starts[node] + place_of(laid) * hands + hand_index(len(hand))[hand]
        steps = [self._steps[at + number * laids * hands] for number in range(actions - 1)]
        return tuple([step / STEPS for step in (*steps, STEPS - sum(steps))])

    def reach(self, seat: int, path: Accepted, laid: Laid, hand: Strengths, slip: float = 0.0) -> float:
        """How likely a seat that was dealt this hand does its part of what has been done on the turns so far.

        Whatever the table never does counts as if it happened by a ``slip`` of this likelihood.
        """
        chance = 1.0
        for turn, card in enumerate(laid, 1):
            before, so_far = laid[: turn - 1], tuple([one for one in path if one < turn])
            proposed = turn in path
            if actor(turn, group_of(before)) != seat:
                chance *= max(self.accepts(so_far, before, hand), slip) if proposed else 1.0
            else:
                place = hand.index(card)
                shares = self.proposes(so_far, before, hand)
                if proposed:
                    chance *= max(shares[-1], slip)
                    shares = self.plays((*so_far, turn), before, hand)
                chance *= max(shares[place], slip)
                hand = hand[:place] + hand[place + 1 :]
            if not chance:
                break
        return chance

    def bluffs(self, path: Accepted, laid: Laid) -> float:
        """How often who cannot win with the last card of all proposes: so often that it is all one to the other.

        Such proposals and those of the hands that win stand in a proportion at which to accept costs no more than to
        refuse; this holds whatever the other had, who has shown all cards.
        """
        found = self._bluffs.get((path, laid))
        if found is None:
            found = self._bluffs[path, laid] = self._worked_out(path, laid)
        return found

    def _worked_out(self, path: Accepted, laid: Laid) -> float:
        group = group_of(laid)
        me = actor(TURNS, group)
        mine = [card for turn, card in enumerate(laid, 1) if actor(turn, group) == me]
        mass = {me: 0.0, NOBODY: 0.0, 1 - me: 0.0}
        for card in range(RANKS):
            ways = (4 - laid.count(card)) / (mine.count(card) + 1)
            hand = tuple(sorted([*mine, card], reverse=True))
            mass[winner((*laid, card))] += ways * self.reach(me, path, laid, hand) if ways else 0.0
        level = self.level(path, group)
        raised = level_after(level, self._points[me])
        taken = self.worth(me, level, me)
        gained = mass[me] * (self.worth(me, raised, me) - taken)
        gained += mass[NOBODY] * (self.worth(me, raised, NOBODY) - taken)
        risked = mass[1 - me] * (taken - self.worth(me, raised, 1 - me))
        return min(max(gained / risked, 0.0), 1.0) if risked else 0.0
