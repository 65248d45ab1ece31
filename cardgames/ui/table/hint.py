"""Hints: the move that the strongest computer would make, the reasons, and its comparison with other moves."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isinf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.cards import suit_of
from cardgames.engine.game import Action, AnyGame, Message, Observation
from cardgames.layout.question import cheapest

if TYPE_CHECKING:
    from cardgames.bots.thinking import Lead, Rating

SECONDS = 1.0
"""Seconds for which the computer thinks about a hint."""
MOST_DOUBT = {"win": 0.15, "points": 1.5}
"""The greatest doubt with which a figure is shown, by unit: a probability of winning, or points a deal."""
OTHER_MOVES, REASONS, MOST_LINES = 2, 2, 5
"""The most moves that a hint lists beside the best one, the most reasons, and the most lines."""

Text = Callable[..., str]
"""A function that returns the text of a message key and its arguments."""


class Hint(NamedTuple):
    """The advice in one position."""

    ratings: tuple["Rating", ...]
    """The ratings of all legal actions, the best first."""
    reasons: tuple[Message, ...]
    unit: str
    """The unit of the ratings: ``win`` for the probability of winning, or ``points`` for points a deal."""
    against: Mapping[Action, tuple[Message, ...]] = {}
    """Maps each certainly worse move to the reasons for the best move that the worse one lacks."""

    def unsaid_first(self, said: Collection[str]) -> "Hint":
        """The hint with reasons whose keys are in ``said`` after all others."""

        def order(reasons: tuple[Message, ...]) -> tuple[Message, ...]:
            return tuple(sorted(reasons, key=lambda why: why.key in said))

        against = {action: order(reasons) for action, reasons in self.against.items()}
        return self._replace(reasons=order(self.reasons), against=against)


def compute_hint(game: AnyGame, observation: Observation) -> Hint:
    from cardgames.bots import rate

    return hint_from_ratings(game, observation, rate(game, observation, Random(), SECONDS))


def hint_from_ratings(game: AnyGame, observation: Observation, ratings: tuple["Rating", ...]) -> Hint:
    """The hint for an observation from the ``ratings`` of its actions, the best first.

    Of several moves of about equal value, the hint recommends the one that an experienced casual player would choose,
    or else the one with the cheapest card. It also has the reasons against each worse move."""
    from cardgames.bots import module_of, reasons, reasons_over

    bots = module_of(game)
    best = ratings[0]
    alike = [best, *[rating for rating in ratings[1:] if _alike(best, rating, bots.UNIT)]]
    turn_up: int | None = getattr(observation, "turn_up", None)
    trump = getattr(observation, "trump", None) if turn_up is None else suit_of(turn_up)
    natural = bots.by_rule(observation, Random()), cheapest([each.action for each in alike], trump)
    first = next((each for action in natural for each in alike if each.action == action), best)
    ratings = (first, *[rating for rating in ratings if rating is not first])
    worse = [rating for rating in ratings[1:] if not _alike(first, rating, bots.UNIT)]
    against = {rating.action: reasons_over(game, observation, ratings, rating) for rating in worse}
    return Hint(ratings, reasons(game, observation, ratings), bots.UNIT, against)


def hint_lines(hint: Hint, name: Callable[[Action], str], text: Text, pointed: object = None) -> list[Message]:
    """The lines of a hint: the best move, the reasons for the move, its value, and other moves.

    ``name`` returns the text of a move. ``pointed``: the move at the pointer; if it is not the best move, the hint
    compares the best move with this move only."""
    best, *others = hint.ratings
    other = next((each for each in others if each.action == pointed), None)
    lines = [Message("hint.only", {"text": name(best.action)})]
    if other and other.action in hint.against:
        lines = [_worse_move_line(best, other, name, hint.unit, text)]
    elif other:
        lines.append(_close_move_line(best, other, name, hint.unit, text))
    if not others:
        return [*lines, Message("hint.no_other")]
    lines += shown_reasons(hint, pointed) or ([] if isinf(best.error) else [Message("hint.comes_out_best")])
    if value := _value(best, hint.unit, text):
        amount = text(f"hint.{hint.unit}", value=value)
        lines.append(Message("line", {"text": text("hint.exact", value=amount) if best.exact else amount}))
    return [*lines, *([] if other else _lines_about_others(hint, name, text))][:MOST_LINES]


def shown_reasons(hint: Hint, pointed: object = None) -> Sequence[Message]:
    """The reasons that the lines of a hint give, with the pointer at the move ``pointed``."""
    why = hint.reasons
    if isinstance(pointed, Action) and (against := hint.against.get(pointed)) is not None:
        why = against or (Message("hint.played_out"),)  # no single reason
    return why[:REASONS]


def _lines_about_others(hint: Hint, name: Callable[[Action], str], text: Text) -> list[Message]:
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
    worse = [(name(each.action), _lead(best.lead(each), hint.unit, text, -1)) for each in rated_moves[:OTHER_MOVES]]
    rated = [text("hint.rated", text=move, value=value) if value else move for move, value in worse]
    return [Message("hint.others", {"values": tuple(rated)})]


def _worse_move_line(best: "Rating", other: "Rating", name: Callable[[Action], str], unit: str, text: Text) -> Message:
    """A line that prefers the best move to a certainly worse one, with both values and the difference, if shown."""
    args = {"text": name(best.action), "other": name(other.action)}
    if not (lead := _lead(best.lead(other), unit, text)):
        return Message("hint.rather_unsure", args)
    if not (_value(best, unit, text) and _value(other, unit, text)):
        return Message("hint.rather_by", args | {"lead": lead})
    amounts = {"value": _amount(best.value, unit), "worse": _amount(other.value, unit)}
    return Message("hint.rather", args | amounts | {"lead": lead})


def _close_move_line(best: "Rating", other: "Rating", name: Callable[[Action], str], unit: str, text: Text) -> Message:
    """A line that says that a move is equal or about equal to the best move, or that it has no rating."""
    args = {"text": name(other.action)}
    if best.equals(other):
        return Message("hint.compared_equal", args)
    if isinf(best.lead(other).error):
        return Message("hint.compared_untried", args)
    lead = _lead(best.lead(other), unit, text, -1)
    return Message("hint.compared_alike", args | {"value": lead}) if lead else Message("hint.compared_unsure", args)


def _alike(best: "Rating", other: "Rating", unit: str) -> bool:
    """Whether two moves differ by less than the uncertainty of their difference, or by too little to show."""
    return not best.beats(other) or not float(_digits(best.lead(other).value, unit))


def _value(rating: "Rating", unit: str, text: Text) -> str:
    return _with_doubt(text(f"hint.value.{unit}", value=_amount(rating.value, unit)), rating.error, unit, text)


def _lead(lead: "Lead", unit: str, text: Text, sign: int = 0) -> str:
    """The difference between two moves as text, with its doubt; empty if the doubt is too great.

    ``sign``: the factor for a difference with a sign; 0 for one without."""
    value = _digits((sign or 1) * lead.value, unit, "+" if sign else "")
    return _with_doubt(value + "%" * (unit == "win"), lead.error, unit, text)


def _with_doubt(value: str, error: float, unit: str, text: Text) -> str:
    """A value with its doubt, unless that rounds to 0; empty if the doubt is too great."""
    from cardgames.bots.thinking import CERTAINTY

    digits = _digits(CERTAINTY * error, unit)
    shown = text(f"hint.doubt.{unit}", value=value, text=digits) if float(digits) else value
    return shown if CERTAINTY * error <= MOST_DOUBT[unit] else ""


def _digits(value: float, unit: str, sign: str = "") -> str:
    """A number as text: per cent without decimals if the unit is ``win``, else two decimals; ``sign`` as in formats."""
    digits = f"{100 * value:{sign}.0f}" if unit == "win" else f"{value:{sign}.2f}"
    return digits if float(digits) else digits.lstrip("+-")  # 0 has no sign


def _amount(value: float, unit: str) -> str:
    """A value as text: a percentage if the unit is ``win``, else points with a sign."""
    return _digits(value, unit, "" if unit == "win" else "+") + "%" * (unit == "win")
