"""A game without a layout of its own on the table, from the fields of its observation.

- ``hand`` is one's own hand, and ``counts`` how many cards each seat holds,
- ``trick`` and ``last_trick``, of type ``Trick | None``, lie before their players,
- a ``Card`` or a tuple of cards lies in the middle, in a row: the top of a pile, what is on offer,
- a number stands in the head line, and of a ``PerSeat[int]`` each number beside its player,
- ``dealer`` and ``declarer`` are marks of a player, ``trump`` is a suit from 0 to 3, ``suit`` a letter of ``SHDC``
  (``Annotated[str, tuple(SUITS)]``).

The game's message ``table.FIELD`` says each of them, with its value as ``count`` or ``suit``. Anything else, such as a
``bool`` or a ``CardSet``, is not shown. After events named ``trick_won`` and ``deal_won`` the table rests; the closing
page leaves out ``match_won``. ``action.KIND`` has the first card as ``card``, all as ``cards``, and a suit as ``suit``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from cardgames.engine.cards import IS_CARD, SUITS, Card
from cardgames.engine.game import EACH_SEAT, Action, Event, Observation, Value
from cardgames.engine.tricks import Trick
from cardgames.layout.question import Question, cheapest, in_hand_order
from cardgames.layout.scene import (
    Block,
    Columns,
    FinishedTrick,
    Frame,
    Line,
    Message,
    Row,
    Scene,
    SeatView,
    Sheet,
    by_suit,
)

PAUSES = frozenset({"trick_won", "deal_won"})
ENDS = frozenset({"match_won"})
CARD_ORDERS: Mapping[str, Callable[[Sequence[Card]], tuple[Card, ...]]] = {}
LETTERS = {
    "pass": "p",
    "draw": "k",
    "take": "k",
    **{f"suit {suit}": letter for suit, letter in zip(SUITS, "vwxy", strict=True)},
}

APART = {"seat", "to_act", "hand", "counts", "scores", "legal"}
"""Fields that have a fixed place on the table or are not shown."""
MARKS = {"dealer", "declarer"}
"""Fields that name a seat."""


def scene(observation: Observation) -> Scene:
    """The table with the fields of the observation that this module can show."""
    o: Any = observation
    facts = {field: getattr(o, field) for kind in ("number", "suit") for field in _of_kind(o, kind)}
    shown = {field: getattr(o, field) for field in _of_kind(o, "cards")}
    rows = {
        field: cards if isinstance(cards, tuple) else (cards,) for field, cards in shown.items() if cards is not None
    }
    trump = getattr(o, "trump", None)
    trick: Trick | None = getattr(o, "trick", None) or getattr(o, "last_trick", None)  # until the next card is led
    hand = by_suit(getattr(o, "hand", ()), trump)
    return Scene(
        facts=tuple([_told(field, value) for field, value in facts.items() if value is not None]),
        players=tuple([_player(o, seat, trick) for seat in range(1, len(o.scores) + 1)]),
        middle=tuple([Row(Message("table." + field), cards) for field, cards in rows.items() if cards]),
        hand=hand,
        playable=frozenset([card for action in o.legal for card in action.cards[:1] if card in hand]) or None,
        trump=trump,
        last=trick.cards[-1] if trick else None,
        frame=_frame(o, max(1, len(shown))),
        roles=tuple([(Message("table." + field),) for field in _of_kind(o, "mark")]),
    )


def _frame(o: Any, rows: int) -> Frame:
    """The room for ``rows`` rows of cards, and the marks that cards can have."""
    marks = ("new", *(("leads", "wins", "last") if hasattr(o, "trick") else ()))
    return Frame(
        rows, rows, ("trump", *marks) if hasattr(o, "trump") else marks, score=Message("points", {"points": 100})
    )


def _player(o: Any, seat: int, trick: Trick | None) -> SeatView:
    card = trick.card_of(seat) if trick else None
    marks = [Message("table." + field) for field in _of_kind(o, "mark") if getattr(o, field) == seat]
    marks += [_told(field, getattr(o, field)[seat - 1]) for field in _of_kind(o, "numbers")]
    return SeatView(
        seat,
        o.counts[seat - 1] if hasattr(o, "counts") else 0,
        tuple(marks),
        () if card is None else (card,),
        trick is not None and seat == trick.winner,
        Message("points", {"points": o.scores[seat - 1]}),
        leads=trick is not None and seat == trick.leader,
    )


def _told(field: str, value: int | str) -> Message:
    if field in ("trump", "suit"):
        return Message("table." + field, {"suit": SUITS[value] if isinstance(value, int) else value})
    return Message("table." + field, {"count": value})


def _of_kind(o: Any, kind: str) -> list[str]:
    """The fields of an observation that are shown as this ``kind``."""
    observed: Any = type(o)
    return [field for field, its_kind in _kinds(observed).items() if its_kind == kind]


@cache
def _kinds(observation_class: Any) -> Mapping[str, str]:
    """The way in which each shown field is displayed."""
    hints = get_type_hints(observation_class, include_extras=True)
    found = {field: _kind(field, hint) for field, hint in hints.items() if field not in APART}
    return {field: kind for field, kind in found.items() if kind}


def _kind(field: str, hint: Any) -> str:
    """The way in which a field of this type is shown; empty if it is not."""
    options = [option for option in get_args(hint) if option is not NoneType]
    if NoneType in get_args(hint) and len(options) == 1:
        hint = options[0]
    if field in MARKS:
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
    """The move as a player would say it, with its cards and its suit."""
    args: dict[str, Value] = {"card": action.cards[0], "cards": action.cards} if action.cards else {}
    suits = [str(arg) for arg in action.args if str(arg) in (*SUITS,)]
    return Message("action." + action.kind, args | ({"suit": suits[0]} if suits else {}))


def question(observation: Observation) -> Question:
    """The question for a legal action: cards in the order of the hand, then actions without a card."""
    o: Any = observation
    actions = in_hand_order(o.legal, scene(o).hand)
    first = cheapest(actions, getattr(o, "trump", None))
    return Question(Message("ask." + o.phase, {"seat": o.seat}), actions, first=first)


def sheet(observation: Observation) -> Sheet:
    """The score of each player."""
    rows = [(Message("name", {"seat": seat}), score) for seat, score in enumerate(observation.scores, 1)]
    return Sheet(Columns((Message("head.player"), Message("head.score")), tuple(rows)))


def last(observation: Observation) -> tuple[Block, ...]:
    """The last trick, from its lead; in a game without tricks the cards on the table."""
    trick: Trick | None = getattr(observation, "last_trick", None)
    if trick is None:
        return scene(observation).middle or (Line(Message("table_empty")),)
    return (FinishedTrick(tuple(trick.plays), trick.winner, Message("winning")),)


def cleared(event: Event) -> tuple[Block, ...]:
    """Nothing: a finished trick lies there until the next card is led."""
    return ()
