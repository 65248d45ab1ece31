"""A hint: the move that the strongest computer would make, how it rates the others, and why, in a few lines."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isinf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.game import Action, AnyGame, Observation, Reason
from cardgames.layout import Message

if TYPE_CHECKING:
    from cardgames.bots.thinking import Rating

SECONDS = 1.0
"""Seconds of thinking for one hint."""
OTHERS = 2
"""How many other moves are rated in words."""
LINES = 5
"""In how many lines at most a hint is said."""


class Hint(NamedTuple):
    """The advice in one position."""

    ratings: tuple["Rating", ...]
    """Of every legal action, the best first."""
    reasons: tuple[Reason, ...]
    unit: str
    """The unit of the ratings: the chance to ``win``, or ``points`` a deal."""


def think(game: AnyGame, observation: Observation) -> Hint:
    """The hint for the seat of this observation, from what it knows and nothing else; takes ``SECONDS``.

    Of moves that cannot be told apart the one that a casual player would make comes first, mostly the cheapest.
    """
    from cardgames.bots import module_of, rate, reasons

    bots = module_of(game)
    best, *others = rate(game, observation, Random(), SECONDS)
    usual = bots.by_rule(observation, Random())
    first = next((rating for rating in others if rating.action == usual and _alike(best, rating, bots.UNIT)), best)
    ratings = (first, *[rating for rating in (best, *others) if rating is not first])
    return Hint(ratings, reasons(game, observation, ratings), bots.UNIT)


def in_messages(
    hint: Hint, name: Callable[[Action], str], text: Callable[..., str], pointed: object = None
) -> list[Message]:
    """The hint in messages: the move, why, what it comes to, and the others.

    ``name`` says a move as a player would, ``text`` any message. Where another move is ``pointed`` at, the last line
    compares it with the best.
    """
    best, *others = hint.ratings
    value = partial(_value, unit=hint.unit, text=text)

    def listed(key: str, ratings: Sequence["Rating"]) -> Message:
        """A line that names these moves, or says that they are all the others, or how many more there are."""
        values = [name(rating.action) for rating in ratings]
        if len(values) > OTHERS + 1:
            every = len(values) == len(others)
            more = text("hint.every") if every else text("hint.more", number=len(values) - OTHERS)
            values = [more] if every else [*values[:OTHERS], more]
        return Message(key, {"values": tuple(values)})

    reasons = [Message("hint." + why.key.removeprefix("hint."), why.args) for why in hint.reasons[:2]]
    figure: list[Message] = []
    if not others:
        reasons = [Message("hint.no_other")]
    elif not isinf(best.error):
        amount = text(f"hint.{hint.unit}", value=value(best))
        figure = [Message("hint.figure", {"value": text("hint.exact", value=amount) if best.exact else amount})]
        reasons = reasons or [Message("hint.comes_out_best")]
    compared: list[Message] = []
    equal = [other for other in others if best.equals(other)]
    tried = [other for other in others if not best.equals(other) and not isinf(other.error)]
    if equal:
        compared.append(listed("hint.equal", equal))
    if alike := [other for other in tried if _alike(best, other, hint.unit)]:
        compared.append(listed("hint.alike", alike))
    elif tried and not equal:
        rated = [text("hint.rated", text=name(other.action), value=value(other)) for other in tried]
        compared.append(Message("hint.others", {"values": tuple(rated[:OTHERS])}))
    for other in others:
        if other.action == pointed:
            compared = [_compared(best, other, hint.unit, name, value)]
    return [Message("hint.only", {"text": name(best.action)}), *reasons, *figure, *compared][:LINES]


def _compared(
    best: "Rating", other: "Rating", unit: str, name: Callable[[Action], str], value: Callable[["Rating"], str]
) -> Message:
    """The best move beside another one: their figures, or that nothing tells them apart."""
    args = {"text": name(other.action)}
    if best.equals(other):
        return Message("hint.compared_equal", args)
    if isinf(other.error):
        return Message("hint.compared_untried", args)
    args["other"] = value(other)
    if _alike(best, other, unit):
        return Message("hint.compared_alike", args)
    return Message("hint.compared", args | {"value": value(best)})


def _alike(best: "Rating", other: "Rating", unit: str) -> bool:
    """Whether nothing lies between two moves that could be told, or no more than there is doubt about them."""
    return not best.beats(other) or _amount(best.value, unit) == _amount(other.value, unit)


def _value(rating: "Rating", unit: str, text: Callable[..., str]) -> str:
    """The worth of a move, and its doubt where there is some to be told."""
    from cardgames.bots.thinking import CERTAINTY

    doubt = CERTAINTY * rating.error
    told = "0" if isinf(doubt) else f"{100 * doubt:.0f}" if unit == "win" else f"{doubt:.2f}"
    value = text(f"hint.value.{unit}", value=_amount(rating.value, unit))
    return text(f"hint.doubt.{unit}", value=value, text=told) if float(told) else value


def _amount(value: float, unit: str) -> str:
    """A percentage, or points with a sign where they are any."""
    if unit == "win":
        return f"{100 * value:.0f}%"
    points = f"{value:+.2f}"
    return points if float(points) else points[1:]
