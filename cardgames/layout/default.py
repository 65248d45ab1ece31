"""The layout of games that have none of their own, made from the fields of their observations.

- ``hand`` is the viewer's hand, and ``counts`` the number of cards in the hand of each seat,
- ``trick`` and ``last_trick``, of type ``Trick | None``, lie before their players,
- a ``Card`` or a tuple of cards lies in the middle, in a row, such as the top card of a pile,
- a number is shown in the head line, and each number of a ``PerSeat[int]`` beside its player,
- ``dealer`` and ``declarer`` are marks of a player, ``trump`` is a suit from 0 to 3, ``suit`` a letter of ``SHDC``
  (``Annotated[str, tuple(SUITS)]``).

The game's message ``table.FIELD`` shows a field, with its value as ``count`` or ``suit``. Other fields, such as a
``bool`` or a ``CardSet``, are not shown. A pause follows events named ``trick_won`` and ``deal_won``; ``match_won``
repeats the outcome. ``action.KIND`` has the first card as ``card``, all cards as ``cards``, and a suit as ``suit``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from cardgames.engine.cards import IS_CARD, SUITS, Card
from cardgames.engine.game import EACH_SEAT, Action, Event, Message, Observation, Value
from cardgames.engine.tricks import NO_TRICK, Trick
from cardgames.layout import scene as parts
from cardgames.layout.question import Question, cheapest, in_hand_order
from cardgames.layout.scene import Block, Columns, Row, Scene, SeatView, Sheet, by_suit

PAUSES = frozenset({"trick_won", "deal_won"})
ENDS = frozenset({"match_won"})
HAND_ORDER = "suit"
CARD_ORDERS: Mapping[str, Callable[[Sequence[Card]], tuple[Card, ...]]] = {}
LETTERS = {
    "pass": "p",
    "draw": "k",
    "take": "k",
    **{f"suit {suit}": letter for suit, letter in zip(SUITS, "vwxy", strict=True)},
}

SPECIAL_FIELDS = {"seat", "to_act", "hand", "counts", "scores", "legal"}
"""The fields that have a fixed place on the table or are not shown."""
SEAT_FIELDS = {"dealer", "declarer"}
"""The fields that name a seat. Each is shown as a mark beside that seat's player."""


def scene(observation: Any) -> Scene:
    """The table with all fields of the observation that this layout can show."""
    facts = {**_of_kind(observation, "number"), **_of_kind(observation, "suit")}
    shown = _of_kind(observation, "cards")
    laid = {field: (cards,) if isinstance(cards, int) else cards or () for field, cards in shown.items()}
    trump = getattr(observation, "trump", None)
    # The last trick stays in view until the next card is led.
    trick: Trick = getattr(observation, "trick", None) or getattr(observation, "last_trick", None) or NO_TRICK
    hand = by_suit(getattr(observation, "hand", ()), trump)
    playable = frozenset([card for action in observation.legal for card in action.cards[:1]])
    return Scene(
        facts=tuple([_field_message(field, value) for field, value in facts.items() if value is not None]),
        players=tuple([_seat_view(observation, seat) for seat in range(1, len(observation.scores) + 1)]),
        middle=tuple([Row(Message("table." + field), cards) for field, cards in laid.items() if cards]),
        hand=hand,
        viewer=observation.seat,
        playable=playable & {*hand} or None,
        trick=trick,
        trump=trump,
        kind=parts.TableKind(tricks=hasattr(observation, "trick")),
    )


def _seat_view(observation: Any, seat: int) -> SeatView:
    """A player with the score. The fields about the player are shown as marks."""
    marks = [Message("table." + field) for field, by in _of_kind(observation, "mark").items() if by == seat]
    marks += [_field_message(field, each[seat - 1]) for field, each in _of_kind(observation, "numbers").items()]
    cards = observation.counts[seat - 1] if hasattr(observation, "counts") else 0
    return SeatView(seat, cards, tuple(marks), score=Message("points", {"points": observation.scores[seat - 1]}))


def _field_message(field: str, value: int | str) -> Message:
    if field in ("trump", "suit"):
        return Message("table." + field, {"suit": SUITS[value] if isinstance(value, int) else value})
    return Message("table." + field, {"count": value})


def _of_kind(observation: Any, kind: str) -> dict[str, Any]:
    """The values of the observation's fields whose kind is ``kind`` (see :func:`_kind`), by field."""
    kinds = _kinds(observation.__class__)
    return {field: getattr(observation, field) for field, field_kind in kinds.items() if field_kind == kind}


@cache
def _kinds(observation_class: Any) -> Mapping[str, str]:
    """The kind (see :func:`_kind`) of each field without a place of its own, by the name of the field."""
    hints = get_type_hints(observation_class, include_extras=True)
    return {field: _kind(field, hint) for field, hint in hints.items() if field not in SPECIAL_FIELDS}


def _kind(field: str, hint: Any) -> str:
    """The way to show a field, by its name and type hint; empty if the field is not shown.

    One of ``mark``, ``suit``, ``number``, ``numbers`` (one for each seat) and ``cards`` (one card or several)."""
    options = [option for option in get_args(hint) if option is not NoneType]
    if NoneType in get_args(hint) and len(options) == 1:
        hint = options[0]
    if field in SEAT_FIELDS:
        return "mark"
    if field in ("trump", "suit"):
        return "suit"
    if get_origin(hint) is Annotated and EACH_SEAT in get_args(hint):
        return "numbers" if get_args(get_args(hint)[0])[0] is int else ""
    if get_origin(hint) is Annotated and isinstance(get_args(hint)[1], int):
        hint = get_args(hint)[0]
    item = get_args(hint)[0] if get_origin(hint) is tuple else hint
    if IS_CARD in get_args(item)[1:]:
        return "cards"
    return "number" if hint is int else ""


def words(action: Action) -> Message:
    args: dict[str, Value] = {"card": action.cards[0], "cards": action.cards} if action.cards else {}
    suits = [str(arg) for arg in action.args if str(arg) in (*SUITS,)]
    return Message("action." + action.kind, args | ({"suit": suits[0]} if suits else {}))


def question(observation: Any) -> Question:
    """The question for an action: cards in the order of the hand, then actions without a card."""
    trump = getattr(observation, "trump", None)
    actions = in_hand_order(observation.legal, by_suit(getattr(observation, "hand", ()), trump))
    preselected = cheapest(actions, trump)
    return Question(Message("ask." + observation.phase, {"seat": observation.seat}), actions, preselected=preselected)


def sheet(observation: Observation) -> Sheet:
    rows = [(Message("name", {"seat": seat}), score) for seat, score in enumerate(observation.scores, 1)]
    return Sheet(Columns((Message("head.player"), Message("head.score")), tuple(rows)))


def look_back(observation: Observation) -> tuple[Block, ...]:
    trick: Trick | None = getattr(observation, "last_trick", None)
    if trick is None:
        return scene(observation).middle or (Message("table_empty"),)
    return (parts.FinishedTrick(trick, Message("winning")),)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """No blocks: a finished trick stays on the table until the next card is led."""
    return ()
