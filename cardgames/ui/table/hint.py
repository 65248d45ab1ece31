"""Hints: the move that the strongest computer would make, the reasons, and its ratings of the other moves."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isinf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.game import Action, AnyGame, Observation, Reason
from cardgames.layout.scene import Message

if TYPE_CHECKING:
    from cardgames.bots.thinking import Rating

SECONDS = 1.0
"""Seconds for which the computer thinks about a hint."""
OTHER_MOVES = 2
"""The most moves that a hint lists beside the best one."""
MOST_LINES = 5
"""The most lines of a hint."""


class Hint(NamedTuple):
    """The advice in one position."""

    ratings: tuple["Rating", ...]
    """The ratings of all legal actions, the best first."""
    reasons: tuple[Reason, ...]
    """The reasons for the best move."""
    unit: str
    """The unit of the ratings: ``win`` for the probability of winning, or ``points`` for points a deal."""
    against: Mapping[Action, tuple[Reason, ...]] = {}
    """Maps each certainly worse move to the reasons for the best move that the worse one lacks."""


def compute_hint(game: AnyGame, observation: Observation) -> Hint:
    """Compute the hint for an observation in at most ``SECONDS``."""
    from cardgames.bots import rate

    return hint_from_ratings(game, observation, rate(game, observation, Random(), SECONDS))


def hint_from_ratings(game: AnyGame, observation: Observation, ratings: tuple["Rating", ...]) -> Hint:
    """The hint for an observation from the ``ratings`` of its actions, the best first.

    Of several moves of about equal value, the hint recommends the one that an experienced casual player would choose,
    usually the cheapest. It also has the reasons against each worse move."""
    from cardgames.bots import module_of, reasons, reasons_over

    bots = module_of(game)
    best, *others = ratings
    rule_move = bots.by_rule(observation, Random())
    by_rule = next((rating for rating in others if rating.action == rule_move), best)
    first = by_rule if _alike(best, by_rule, bots.UNIT) else best
    ratings = (first, *[rating for rating in (best, *others) if rating is not first])
    worse = [rating for rating in ratings[1:] if not _alike(first, rating, bots.UNIT)]
    against = {rating.action: reasons_over(game, observation, ratings, rating) for rating in worse}
    return Hint(ratings, reasons(game, observation, ratings), bots.UNIT, against)


def hint_lines(
    hint: Hint, name: Callable[[Action], str], text: Callable[..., str], pointed: object = None
) -> list[Message]:
    """The lines of a hint: the best move, the reasons for the move, its value, and other moves.

    ``name`` returns the text of a move, ``text`` the text of a message key. ``pointed``: the move at the pointer; if it
    is not the best move, the hint compares the best move with this move only."""
    best, *others = hint.ratings
    value = partial(_value, unit=hint.unit, text=text)
    other = next((each for each in others if each.action == pointed), None)
    opening = [Message("hint.only", {"text": name(best.action)})]
    why = hint.reasons
    if other and (against := hint.against.get(other.action)) is not None:
        opening = _worse_move_lines(best, other, name, partial(_amount, unit=hint.unit))
        why = against or (Reason("hint.played_out"),)  # no single reason
    elif other:
        opening.append(_close_move_line(best, other, name, value))
    reasons = [Message("hint." + reason.key.removeprefix("hint."), reason.args) for reason in why[:2]]
    value_lines: list[Message] = []
    if not others:
        reasons = [Message("hint.no_other")]
    elif not isinf(best.error):
        amount = text(f"hint.{hint.unit}", value=value(best))
        value_lines = [Message("line", {"text": text("hint.exact", value=amount) if best.exact else amount})]
        reasons = reasons or [Message("hint.comes_out_best")]
    compared = [] if other else _lines_about_others(hint, name, text)
    return [*opening, *reasons, *value_lines, *compared][:MOST_LINES]


def _lines_about_others(hint: Hint, name: Callable[[Action], str], text: Callable[..., str]) -> list[Message]:
    """Lines about the moves equal or about equal to the best move. If there are none, a line about worse moves."""
    best, *others = hint.ratings

    def listed(key: str, ratings: Sequence["Rating"]) -> Message:
        """A line that names several moves.

        Of many moves, it names the first few and counts the rest, or says that all other moves are meant."""
        values = [name(rating.action) for rating in ratings]
        if len(values) > OTHER_MOVES + 1:
            number = len(values) - OTHER_MOVES
            values = [*values[:OTHER_MOVES], text("hint.more", number=number)]
            if len(ratings) == len(others):
                values = [text("hint.every")]
        return Message(key, {"values": tuple(values)})

    equal = [each for each in others if best.equals(each)]
    rated_moves = [each for each in others if not best.equals(each) and not isinf(each.error)]
    alike = [each for each in rated_moves if _alike(best, each, hint.unit)]
    lines = [listed(key, ratings) for key, ratings in (("hint.equal", equal), ("hint.alike", alike)) if ratings]
    if lines or not rated_moves:
        return lines
    value = partial(_value, unit=hint.unit, text=text)
    rated = [text("hint.rated", text=name(each.action), value=value(each)) for each in rated_moves[:OTHER_MOVES]]
    return [Message("hint.others", {"values": tuple(rated)})]


def _worse_move_lines(
    best: "Rating", other: "Rating", name: Callable[[Action], str], amount: Callable[[float], str]
) -> list[Message]:
    """Lines that prefer the best move to a certainly worse one, with both values if the computer rated both."""
    args = {"text": name(best.action), "other": name(other.action)}
    if isinf(other.error):
        untried = Message("hint.compared_untried", {"text": args["other"]})
        return [Message("hint.rather_untried", args), untried]
    return [Message("hint.rather", args | {"value": amount(best.value), "worse": amount(other.value)})]


def _close_move_line(
    best: "Rating", other: "Rating", name: Callable[[Action], str], value: Callable[["Rating"], str]
) -> Message:
    """A line that says that a move is equal or about equal to the best move, or that it has no rating."""
    args = {"text": name(other.action)}
    if best.equals(other):
        return Message("hint.compared_equal", args)
    if isinf(other.error):
        return Message("hint.compared_untried", args)
    return Message("hint.compared_alike", args | {"value": value(best), "other": value(other)})


def _alike(best: "Rating", other: "Rating", unit: str) -> bool:
    """Whether two moves differ by less than the uncertainty of their ratings, or by too little to show."""
    return not best.beats(other) or other.value > best.value or _amount(best.value, unit) == _amount(other.value, unit)


def _value(rating: "Rating", unit: str, text: Callable[..., str]) -> str:
    """The value of a move as text, with the uncertainty of the value if it is known and does not round to 0."""
    from cardgames.bots.thinking import CERTAINTY

    value = text(f"hint.value.{unit}", value=_amount(rating.value, unit))
    uncertainty = CERTAINTY * rating.error
    digits = f"{100 * uncertainty:.0f}" if unit == "win" else f"{uncertainty:.2f}"
    if isinf(uncertainty) or not float(digits):
        return value
    return text(f"hint.doubt.{unit}", value=value, text=digits)


def _amount(value: float, unit: str) -> str:
    """A value as text: a percentage if the unit is ``win``, else points with a sign."""
    if unit == "win":
        return f"{100 * value:.0f}%"
    points = f"{value:+.2f}"
    return points if float(points) else points[1:]  # 0 has no sign
