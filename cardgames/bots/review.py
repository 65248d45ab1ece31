"""Reviews of matches: the cost of each choice, the course of the match, and what only hindsight knows.

    plies = tuple(record.read(lines)[2])
    judged = [judge(game, choice, share) for choice in choices(game, plies)]

A choice is judged by its seat's observation: ``strong`` rates the legal actions. Any action but the best is compared
with it again on fresh sampled deals, so that nobody is blamed for the luck of the first deals, and many small losses
add up correctly. All work is counted, so that a repeated review gives the same result.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import inf
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from cardgames.bots import module_of, rate, reasons_over
from cardgames.bots.kernel_race import KernelPosition, KernelRace, can_roll_out, roll_out
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.cards import Card
from cardgames.engine.game import CHANCE, Action, AnyGame, Message, Observation, Value, cards_named
from cardgames.engine.record import PERSON, Header, Ply

GRADES = ("inaccuracy", "mistake", "blunder")
LEAST_COSTS = {"win": (0.05, 0.1, 0.2), "points": (0.5, 1.0, 2.0)}
"""The least cost of an error of each grade, by unit: a probability of winning, or points a deal."""

FULLY_JUDGED_CHOICES = 60
"""The most choices that are each judged with the full work of ``strong``. More choices share that total."""
MOST_PAIRS = 240
"""The most sampled deals for comparing an action with the best."""
FEWEST_PAIRS = 40
"""The number of sampled deals after which a comparison ends if the choice costs less than the smallest error."""
DEALS = 6
"""The most deals of a match that are searched for a better line of play."""
REDEALS = 20
"""The number of random deals whose mean is the expected worth of a deal before it is dealt."""
TRIES = 400
"""The most continuations of a deal that are played out with open hands to find a better line of play."""

SeatAction: TypeAlias = tuple[int, Action]
StandIn: TypeAlias = tuple[int, int, str]
"""A change of a seat's player: the seat, the last ply before it, and the level of a stand-in or ``PERSON``."""


class ReviewedChoice(NamedTuple):
    """A choice between several legal actions."""

    ply: int
    by: int
    action: Action
    observation: Observation
    by_stand_in: bool = False
    """Whether a computer stood in for the seat's player."""
    is_superseded: bool = False
    """Whether the seat called again in the same auction. Only its last call is judged."""

    def is_by(self, seats: Collection[int]) -> bool:
        """Whether the choice was made by the player of one of these seats, and not by a stand-in."""
        return self.by in seats and not self.by_stand_in


Task: TypeAlias = tuple[AnyGame, ReviewedChoice, float]
"""The arguments of :func:`judge`: a game, a choice, and the effort, as a share of that of the level ``strong``."""


class MatchOnRecord(NamedTuple):
    """A recorded match, which can be judged."""

    header: Header
    game: AnyGame
    plies: tuple[Ply, ...]
    """The positions in order; ply 0 is the start."""
    number: int | None = None
    """The number of the match in the store; ``None`` for a record in a file."""
    stand_ins: Sequence[StandIn] = ()
    """The changes between players and stand-ins, in order."""

    @property
    def unit(self) -> str:
        """The unit of values: ``win`` for probabilities of winning, or ``points``."""
        unit: str = module_of(self.game).UNIT
        return unit

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, or all seats if only computers played."""
        seats = range(1, self.game.seats + 1)
        return tuple([seat for seat in seats if seat not in self.header.computers]) or tuple(seats)

    def tasks(self, seat: int | None = None) -> list[Task]:
        """Tasks that judge the choices, or those of one ``seat``. Each choice of a match gets the same effort."""
        found = choices(self.game, self.plies, self.stand_ins)
        share = min(1.0, FULLY_JUDGED_CHOICES / max(1, len(found)))
        return [(self.game, choice, share) for choice in found if seat in (None, choice.by)]


class JudgedChoice(NamedTuple):
    """A choice with its cost, judged by the seat's knowledge."""

    choice: ReviewedChoice
    unit: str
    """The unit of all values, as for :attr:`MatchOnRecord.unit`."""
    ratings: tuple[Rating, ...]
    """The ratings of all legal actions, the best first."""
    loss: float
    """The cost before it is cut at 0: negative if the second look found the played action better. Over many choices
    losses sum to the true loss."""
    low: float
    high: float
    """``low`` and ``high`` are the ends of the 95 % interval of the cost, for the luck of sampled deals alone."""
    exact: bool

    @property
    def cost(self) -> float:
        """The expected loss against the best action; 0 for the best itself."""
        return max(0.0, self.loss)

    @property
    def best(self) -> Rating:
        return self.ratings[0]

    @property
    def grade(self) -> str:
        """The grade of the error; empty if the error is small or uncertain."""
        reached = [name for name, least in zip(GRADES, LEAST_COSTS[self.unit], strict=True) if self.cost >= least]
        return reached[-1] if reached and self.low > 0 else ""

    def is_right(self, action: Action) -> bool:
        """Whether an action is no error. The played action must have no grade; any other must be :func:`as_good`."""
        if action == self.choice.action:
            return not self.grade
        return as_good(self.unit, self.best, _rating_of(self.ratings, action))

    def loss_of(self, action: Action) -> float:
        """The expected loss of an action against the best; for the played action it equals ``cost``."""
        if action == self.choice.action:
            return self.cost
        return self.best.lead(_rating_of(self.ratings, action)).value

    def as_object(self) -> dict[str, Any]:
        """The object that ``review --json`` prints; an unknown end of the cost's interval is ``None``."""
        return {
            "ply": self.choice.ply,
            "by": self.choice.by,
            "act": self.choice.action.text,
            "best": self.best.action.text,
            "cost": round(self.cost, 4),
            "interval": [round(self.low, 4), round(self.high, 4) if self.high < inf else None],
            "unit": self.unit,
            "exact": self.exact,
        }


class Review(NamedTuple):
    """A judged match."""

    match: MatchOnRecord
    seats: tuple[int, ...]
    """The seats that the review is about."""
    judged: tuple[JudgedChoice, ...]
    """The judged choices in order, either of all seats or of ``seats`` only."""

    @property
    def errors(self) -> list[JudgedChoice]:
        """The errors made at ``seats``, the worst first."""
        return errors(self.judged, self.seats)


def choices(game: AnyGame, plies: Sequence[Ply], stand_ins: Sequence[StandIn] = ()) -> list[ReviewedChoice]:
    """The choices in a match at which several actions were legal, in order; ``plies`` begin at ply 0."""
    result: list[ReviewedChoice] = []
    last_calls: dict[int, int] = {}
    """The index in ``result`` of each seat's last call in the auction."""
    for before, ply in pairwise(plies):
        if not ply.by:
            last_calls.clear()  # chance has acted, so a new deal begins
        elif ply.action is not None:
            observation = game.observation(before.state, ply.by)
            if observation.phase == game.AUCTION and ply.by in last_calls:
                result[last_calls[ply.by]] = result[last_calls[ply.by]]._replace(is_superseded=True)
            if len(observation.legal) > 1:
                last_calls[ply.by] = len(result)
                levels = [PERSON, *[level for seat, last, level in stand_ins if seat == ply.by and last < ply.number]]
                is_by_stand_in = levels[-1] != PERSON
                result.append(ReviewedChoice(ply.number, ply.by, ply.action, observation, is_by_stand_in))
    return result


def judge(game: AnyGame, choice: ReviewedChoice, share: float = 1.0) -> JudgedChoice:
    """Judge a choice with this share of the work of ``strong``."""
    unit = module_of(game).UNIT
    ratings = rate(game, choice.observation, Random(f"{choice.ply}/first"), share=share)
    best, played = ratings[0], _rating_of(ratings, choice.action)
    if choice.is_superseded or played.equals(best):
        known = [other for other in ratings[1:] if max(best.error, other.error) < inf]
        leads = [best.lead(other) for other in known]
        high = max([0.0, *[lead.doubt - lead.value for lead in leads]])
        return JudgedChoice(choice, unit, ratings, loss=0.0, low=0.0, high=high, exact=best.exact)
    exact = best.exact and played.exact
    lead = best.lead(played) if exact else _second_look(game, choice, best.action, share)
    loss, doubt, most = lead.value, lead.doubt, 1.0 if unit == "win" else inf
    low, high = max(0.0, loss - doubt), min(max(0.0, loss + doubt), most)
    return JudgedChoice(choice, unit, ratings, loss, low, high, exact)


def _second_look(game: AnyGame, choice: ReviewedChoice, best: Action, share: float) -> Lead:
    """The lead of ``best`` over a choice on fresh sampled deals.

    If the kernel rolls out, it tries both on the same deals; else all are rated again. ``share``: see :func:`judge`."""
    rng, pair = Random(f"{choice.ply}/second"), (best, choice.action)
    if not can_roll_out(game):
        again = rate(game, choice.observation, rng, share=share)
        return _rating_of(again, best).lead(_rating_of(again, choice.action))
    position = KernelPosition.of(game, choice.observation, rng)
    race = KernelRace(pair, best, doubt=1.0, kernel=game.NAME, position=position, worths=game.seats)
    tried = race.candidates()
    for deals in (FEWEST_PAIRS, max(FEWEST_PAIRS, round(share * MOST_PAIRS))):
        race.try_out(tried, deals - tried[0].results.number, rng)
        lead = tried[0].leads[1].mean(race.doubt)
        if lead.value + lead.doubt < LEAST_COSTS[module_of(game).UNIT][0]:
            break  # it is no error of the lowest grade
    return lead


def _rating_of(ratings: Sequence[Rating], action: Action) -> Rating:
    """The rating of an action, which has to be among the ratings."""
    return next(rating for rating in ratings if rating.action == action)


def as_good(unit: str, best: Rating, other: Rating) -> bool:
    """Whether ``other`` is as good as ``best``: not certainly worse, or worse by less than the smallest error."""
    return best.lead(other).value < LEAST_COSTS[unit][0] or not best.beats(other)


def reasons_against(game: AnyGame, judged: JudgedChoice, action: Action) -> list[Message]:
    """The reasons for the best action that do not hold for ``action``; never empty.

    In a reason that would name a card of the best action, the argument is empty text, which hides the card."""
    result = reasons_over(game, judged.choice.observation, judged.ratings, _rating_of(judged.ratings, action))
    secret = {*judged.best.action.cards}
    hidden = [
        why._replace(args={name: _hide(name, value, secret) for name, value in why.args.items()}) for why in result
    ]
    return sorted(hidden, key=lambda why: "" in why.args.values()) or [Message("hint.played_out")]


def _hide(name: str, value: Value, secret: Collection[Card]) -> Value:
    """An argument of a message; empty text if it names a card of ``secret``. A card to beat, which all see, stays."""
    return "" if name != "attack_card" and {*secret} & {*cards_named({name: value})} else value


def errors(judged: Sequence[JudgedChoice], seats: Sequence[int]) -> list[JudgedChoice]:
    """The graded choices of the players of these seats, the most costly first."""
    graded = [decision for decision in judged if decision.choice.is_by(seats) and decision.grade]
    return sorted(graded, key=lambda decision: (-decision.cost, decision.choice.ply))


# The course of a match


class SeatCourse(NamedTuple):
    """The course of a match for one seat, judged by the seat's knowledge at each moment."""

    points: tuple[tuple[int, float], ...]
    """Pairs of a ply and the seat's expected result: a fair share at ply 0, one before each of its choices, the end."""
    own: float
    """The change of the expected result by the seat's own errors; at most 0."""
    others: float
    """The change of the expected result by errors of other players: opponents' usually raise it, partners' lower it."""
    small: float
    """The change of the expected result by choices whose costs are too small or uncertain for a grade."""
    luck: float
    """The change of the expected result by the luck of the cards; 0 on average.

    In games that are won or lost, this is the change that no choice explains. In games with points, it is the gain of
    these cards over random ones, both played by rule."""


def course(game: AnyGame, plies: Sequence[Ply], judged: Sequence[JudgedChoice], seat: int) -> SeatCourse:
    """The course of a match for a seat; ``judged`` are the choices of all seats."""
    unit = module_of(game).UNIT
    points = [(0, 1 / len(game.sides) if unit == "win" else 0.0)]  # pairs of a ply and the expected result
    own = others = small = 0.0
    for decision in judged:
        choice = decision.choice
        change = decision.loss * (-1.0 if choice.by == seat else _share_of_loss(choice, seat))
        if choice.by == seat:
            before = 0.0 if unit == "win" else standing(game, _start_of_deal(game, plies, choice.ply).state, seat)
            points.append((choice.ply - 1, before + decision.best.value))
        if not decision.grade:
            small += change
        elif choice.is_by((seat,)):
            own += change
        else:
            others += change
    last = plies[-1]
    outcome = game.outcome(last.state)
    if outcome and unit == "win":
        points.append((last.number, win_share(game, outcome.winners, seat)))
    elif unit == "points" and game.deal_over(last.state):
        points.append((last.number, standing(game, last.state, seat)))
    unexplained = points[-1][1] - points[0][1] - own - others
    if unit == "points":
        small = unexplained - _luck_of_deals(game, plies, seat)  # so that the rest is the luck of the deals
    return SeatCourse(tuple(points), own, others, small, unexplained - small)


def _luck_of_deals(game: AnyGame, plies: Sequence[Ply], seat: int) -> float:
    """The points of a seat with the dealt cards, minus its mean points with random cards, if all play by rule."""
    luck = 0.0
    for before, ply in pairwise(plies):
        chance = game.chance(before.state)
        if chance and chance.kind == "deal" and not game.deal_over(ply.state):
            rng = Random(f"{ply.number}/deal")
            redealt = []
            for _ in range(REDEALS):
                dealt = game.apply(before.state, chance.sample(rng))
                redealt.append(_points_by_rule(game, dealt, seat, rng))
            luck += _points_by_rule(game, ply.state, seat, rng) - fmean(redealt)
    return luck


def _points_by_rule(game: AnyGame, dealt: Any, seat: int, rng: Random) -> float:
    """The points of a seat after the deal in the state ``dealt``, if all play by rule."""
    if can_roll_out(game):
        return roll_out(game, dealt, rng)[seat - 1]
    _, final_state = _play_by_rule(game, dealt, rng)
    return standing(game, final_state, seat)


def win_share(game: AnyGame, winners: Sequence[int], seat: int) -> float:
    """Return 1 for a win, 0 for a loss, and ``1 / seats`` for a draw (no winners)."""
    return 1 / game.seats if not winners else float(seat in winners)


def standing(game: AnyGame, state: Any, seat: int) -> float:
    """The points of a seat so far; in a game that is not zero-sum, minus the mean of its opponents' points."""
    points = game.payoff(state)
    if game.ZERO_SUM:
        return float(points[seat - 1])
    side = next(side for side in game.sides if seat in side)
    return points[seat - 1] - fmean([other for by, other in enumerate(points, 1) if by not in side])


def _share_of_loss(choice: ReviewedChoice, seat: int) -> float:
    """The share of the chooser's loss that ``seat``, another seat, gains; negative for a partner, 0 if it rests."""
    sides = choice.observation.deal_sides
    chooser_side = next((side for side in sides if choice.by in side), ())
    if seat in chooser_side:
        return -1.0
    opponents = [other for side in sides if side != chooser_side for other in side]
    return len(chooser_side) / len(opponents) if seat in opponents else 0.0


# Hindsight


class LineOfPlay(NamedTuple):
    """A line of play by which a seat that saw all hands would have done better."""

    ply: int
    """The ply of the seat's choice at which the line departs from the match."""
    moves: tuple[SeatAction, ...]
    played: tuple[SeatAction, ...]
    """``moves`` of the line and ``played`` of the match: the actions from ``ply`` to the end of the deal."""
    wins: bool
    """Whether the seat wins the match by this line."""
    gain: float
    """The additional points in the deal; 0 if the line changes who wins the match."""


def open_line(game: AnyGame, plies: Sequence[Ply], ply: int, seat: int) -> LineOfPlay | None:
    """The best line of play found for ``seat``, if it saw all hands, from its choice at this ply to the deal's end.

    The other seats act as in the match until ``seat`` first acts differently, then by rule from their own cards.
    ``None`` if no better line was found, or the deal never ended."""
    last = _end_of_deal(game, plies, ply)
    if last is None:
        return None
    rng = Random(f"{ply}/open")
    state, end = plies[ply - 1].state, last.state  # before the choice, and after the deal
    played = [(acted.by or CHANCE, acted.action) for acted in plies[ply : last.number + 1] if acted.action is not None]
    best, worth = played, _worth(game, end, seat)  # the result, and then the points
    moves: list[SeatAction] = []
    tries_left = TRIES
    while len(moves) < len(best):
        by, next_action = best[len(moves)]
        legal = game.legal_actions(state)
        others = [action for action in legal if action != next_action] if by == seat and tries_left > 0 else []
        tries_left -= len(legal) if others else 0
        for action in others:
            tail, reached = _play_by_rule(game, game.apply(state, action), rng)
            if (result := _worth(game, reached, seat)) > worth:
                best, worth = [*moves, (seat, action), *tail], result
        moves.append(best[len(moves)])
        state = game.apply(state, moves[-1][1])
    match_worth = _worth(game, end, seat)
    if worth == match_worth:
        return None
    departure = next(place for place, (done, better) in enumerate(zip(played, best, strict=False)) if done != better)
    gain = worth[1] - match_worth[1] if worth[0] == match_worth[0] else 0.0
    return LineOfPlay(ply + departure, tuple(best[departure:]), tuple(played[departure:]), worth[0] > 0, gain)


def _worth(game: AnyGame, state: Any, seat: int) -> tuple[float, float]:
    """The worth of the end of a deal to a seat: its result of the match, -1 to 1, and its advantage in points.

    The advantage is 0 in a finished match of a game whose unit is ``win``; otherwise the result is 0."""
    outcome = game.outcome(state)
    if outcome and module_of(game).UNIT == "win":
        return 2 * win_share(game, outcome.winners, seat) - 1, 0.0
    return 0.0, standing(game, state, seat)


def _play_by_rule(game: AnyGame, state: Any, rng: Random) -> tuple[list[SeatAction], Any]:
    """Play to the end of the deal by rule; return the actions with their seats, and the final state."""
    rule = module_of(game).by_rule
    moves: list[SeatAction] = []
    while not game.deal_over(state):
        seat = game.to_act(state)
        if chance := game.chance(state):
            action = chance.sample(rng)
        else:
            observation = game.observation(state, seat or 0)
            action = observation.legal[0] if len(observation.legal) == 1 else rule(observation, rng)
        moves.append((seat or 0, action))
        state = game.apply(state, action)
    return moves, state


def _start_of_deal(game: AnyGame, plies: Sequence[Ply], ply: int) -> Ply:
    """The last ply before the deal in which ply number ``ply`` was made."""
    return next((before for before in reversed(plies[:ply]) if game.deal_over(before.state)), plies[0])


def _end_of_deal(game: AnyGame, plies: Sequence[Ply], ply: int) -> Ply | None:
    """The last ply of the deal in which ply number ``ply`` was made; ``None`` if the deal has not ended."""
    return next((later for later in plies[ply:] if game.deal_over(later.state)), None)


def missed_lines(game: AnyGame, plies: Sequence[Ply], seat: int) -> list[LineOfPlay]:
    """Better lines for a seat that saw all hands, in its ``DEALS`` worst deals: winning ones first, then by gain."""
    deals: list[tuple[tuple[float, float], int]] = []
    searched_to = 0
    for choice in choices(game, plies):
        if choice.by != seat or choice.ply <= searched_to:
            continue
        if (end := _end_of_deal(game, plies, choice.ply)) is None:
            break
        searched_to = end.number
        won, points = _worth(game, end.state, seat)
        _, before = _worth(game, _start_of_deal(game, plies, choice.ply).state, seat)
        deals.append(((won, points - before), choice.ply))
    lines = [open_line(game, plies, ply, seat) for _, ply in sorted(deals)[:DEALS]]
    return sorted([line for line in lines if line], key=lambda line: (-line.wins, -line.gain))
