"""A hint: the move that the strongest computer would make, how it rates the others, and why, in a few lines."""

from collections.abc import Callable
from math import isinf, sqrt
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
CERTAINTY = 1.96
"""So many standard errors away nothing else is expected, in 95 of 100 cases."""


class Hint(NamedTuple):
    """The advice in one position."""

    ratings: tuple["Rating", ...]
    """Of every legal action, the best first."""
    reasons: tuple[Reason, ...]
    unit: str
    """The unit of the ratings: the chance to ``win``, or ``points`` a deal."""


def think(game: AnyGame, observation: Observation) -> Hint:
    """The hint for the seat of this observation, from what it knows and nothing else; takes ``SECONDS``."""
    from cardgames.bots import module_of, rate, reasons

    ratings = rate(game, observation, Random(), SECONDS)
    return Hint(ratings, reasons(game, observation, ratings), module_of(game).UNIT)


def said(hint: Hint, name: Callable[[Action], str], text: Callable[..., str]) -> list[Message]:
    """The hint in messages, what matters most first; ``name`` says a move as a player would, ``text`` any message."""
    best, *others = hint.ratings
    why = [Message("hint." + why.key.removeprefix("hint."), why.args) for why in hint.reasons[:2]]
    if isinf(best.error) or not others:
        return [Message("hint.only", {"text": name(best.action)}), *why]
    amount = text(f"hint.{hint.unit}", value=_value(best, hint.unit))
    lines = [Message("hint.best", {"text": name(best.action), "value": amount}), *why]
    if alike := [other for other in others if _alike(best, other, hint.unit)]:
        key = "hint.equal" if best.exact and all(other.exact for other in alike) else "hint.alike"
        return [*lines, Message(key, {"values": tuple(name(other.action) for other in alike[: OTHERS + 1])})]
    rated = [text("hint.rated", text=name(other.action), value=_value(other, hint.unit)) for other in others]
    return [*lines, Message("hint.others", {"values": tuple(rated[:OTHERS])})]


def _alike(best: "Rating", other: "Rating", unit: str) -> bool:
    """Whether nothing lies between two moves that could be told, or no more than there is doubt about them."""
    doubt = CERTAINTY * sqrt(best.error**2 + other.error**2)
    return best.value - other.value <= doubt or _amount(best.value, unit) == _amount(other.value, unit)


def _value(rating: "Rating", unit: str) -> str:
    """The worth of a move, and its doubt where there is some to be told."""
    value, doubt = _amount(rating.value, unit), CERTAINTY * rating.error
    told = f"{100 * doubt:.0f}" if unit == "win" else f"{doubt:.2f}"
    return f"{value} ±{told}" if float(told) else value


def _amount(value: float, unit: str) -> str:
    """A percentage, or points with a sign."""
    return f"{100 * value:.0f}%" if unit == "win" else f"{value:+.2f}"
