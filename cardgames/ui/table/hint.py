"""Hints: the move that the strongest computer would make, its ratings of the others, and reasons."""

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
"""Seconds of thinking for a hint."""
OTHERS = 2
"""The number of other moves that are rated in words."""
LINES = 5
"""The most lines of a hint."""


class Hint(NamedTuple):
    """The advice in one position."""

    ratings: tuple["Rating", ...]
    """The ratings of all legal actions, the best first."""
    reasons: tuple[Reason, ...]
    unit: str
    """The unit of the ratings: the chance to ``win``, or ``points`` a deal."""
    against: Mapping[Action, tuple[Reason, ...]] = {}
    """The reasons against each move that is certainly worse: those of the best move that do not hold for it."""


def think(game: AnyGame, observation: Observation) -> Hint:
    """Compute the hint for an observation, which takes ``SECONDS``."""
    from cardgames.bots import rate

    return hint_of(game, observation, rate(game, observation, Random(), SECONDS))


def hint_of(game: AnyGame, observation: Observation, ratings: tuple["Rating", ...]) -> Hint:
    """The hint for an observation with these ratings.

    Of equally good moves the one that a casual player would make comes first, usually the cheapest."""
    from cardgames.bots import module_of, reasons, reasons_over

    bots = module_of(game)
    best, *others = ratings
    usual = bots.by_rule(observation, Random())
    first = next((rating for rating in others if rating.action == usual and _alike(best, rating, bots.UNIT)), best)
    ratings = (first, *[rating for rating in (best, *others) if rating is not first])
    worse = [rating for rating in ratings[1:] if first.beats(rating)]
    against = {rating.action: reasons_over(game, observation, ratings, rating) for rating in worse}
    return Hint(ratings, reasons(game, observation, ratings), bots.UNIT, against)


def in_messages(
    hint: Hint, name: Callable[[Action], str], text: Callable[..., str], pointed: object = None
) -> list[Message]:
    """The messages of a hint: the move, reasons, its value, and the other moves.

    ``name`` describes a move, ``text`` any message. The first lines and the reasons compare the best move with the
    ``pointed`` one."""
    best, *others = hint.ratings
    value = partial(_value, unit=hint.unit, text=text)

    def listed(key: str, ratings: Sequence["Rating"]) -> Message:
        """A line that lists moves: some and the number of further ones, or that it is all the other moves."""
        values = [name(rating.action) for rating in ratings]
        if len(values) > OTHERS + 1:
            every = len(values) == len(others)
            more = text("hint.every") if every else text("hint.more", number=len(values) - OTHERS)
            values = [more] if every else [*values[:OTHERS], more]
        return Message(key, {"values": tuple(values)})

    other = next((each for each in others if each.action == pointed), None)
    first, told = [Message("hint.only", {"text": name(best.action)})], hint.reasons
    if other and (against := hint.against.get(other.action)) is not None:
        first = _rather(best, other, name, partial(_amount, unit=hint.unit))
        told = against or (Reason("hint.played_out"),)
    elif other:
        first.append(_compared(best, other, name, partial(_amount, unit=hint.unit)))
    reasons = [Message("hint." + why.key.removeprefix("hint."), why.args) for why in told[:2]]
    figure: list[Message] = []
    if not others:
        reasons = [Message("hint.no_other")]
    elif not isinf(best.error):
        amount = text(f"hint.{hint.unit}", value=value(best))
        figure = [Message("line", {"text": text("hint.exact", value=amount) if best.exact else amount})]
        reasons = reasons or [Message("hint.comes_out_best")]
    compared: list[Message] = []
    unpointed = [] if other else others
    equal = [each for each in unpointed if best.equals(each)]
    tried = [each for each in unpointed if not best.equals(each) and not isinf(each.error)]
    if equal:
        compared.append(listed("hint.equal", equal))
    if alike := [each for each in tried if _alike(best, each, hint.unit)]:
        compared.append(listed("hint.alike", alike))
    elif tried and not equal:
        rated = [text("hint.rated", text=name(each.action), value=value(each)) for each in tried]
        compared.append(Message("hint.others", {"values": tuple(rated[:OTHERS])}))
    return [*first, *reasons, *figure, *compared][:LINES]


def _rather(
    best: "Rating", other: "Rating", name: Callable[[Action], str], amount: Callable[[float], str]
) -> list[Message]:
    """The best move instead of one that is certainly worse, with the values of both if both were tried."""
    args = {"text": name(best.action), "other": name(other.action)}
    if isinf(other.error):
        untried = Message("hint.compared_untried", {"text": args["other"]})
        return [Message("hint.rather_untried", args), untried]
    return [Message("hint.rather", args | {"value": amount(best.value), "worse": amount(other.value)})]


def _compared(
    best: "Rating", other: "Rating", name: Callable[[Action], str], amount: Callable[[float], str]
) -> Message:
    """A move that is not certainly worse than the best one: as good, about as good, or not tried."""
    args = {"text": name(other.action)}
    if best.equals(other):
        return Message("hint.compared_equal", args)
    if isinf(other.error):
        return Message("hint.compared_untried", args)
    return Message("hint.compared_alike", args | {"value": amount(best.value), "other": amount(other.value)})


def _alike(best: "Rating", other: "Rating", unit: str) -> bool:
    """Whether the difference between two moves is within its uncertainty or too small to show."""
    return not best.beats(other) or _amount(best.value, unit) == _amount(other.value, unit)


def _value(rating: "Rating", unit: str, text: Callable[..., str]) -> str:
    """The value of a move, with its uncertainty if large enough to show."""
    from cardgames.bots.thinking import CERTAINTY

    doubt = CERTAINTY * rating.error
    told = "0" if isinf(doubt) else f"{100 * doubt:.0f}" if unit == "win" else f"{doubt:.2f}"
    value = text(f"hint.value.{unit}", value=_amount(rating.value, unit))
    return text(f"hint.doubt.{unit}", value=value, text=told) if float(told) else value


def _amount(value: float, unit: str) -> str:
    """A percentage, or points with a sign."""
    if unit == "win":
        return f"{100 * value:.0f}%"
    points = f"{value:+.2f}"
    return points if float(points) else points[1:]
