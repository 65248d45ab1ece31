"""The layout of Durak."""

from typing import Any

from cardgames.engine.cards import SUITS, suit_of
from cardgames.engine.durak import PASS, DurakObservation, attack_pairs
from cardgames.engine.game import Action, Event
from cardgames.layout.question import Question, cheapest, in_hand_order, words_by_kind
from cardgames.layout.scene import Block, Columns, Line, Message, Pairs, RequiredSpace, Scene, SeatView, Sheet, by_suit

PAUSES = frozenset({"held", "took"})
ENDS = frozenset({"fool", "nobody_lost", "side_lost"})
CARD_ORDERS = dict.fromkeys(("drew",), by_suit)
CLAUSES = {"attack": "D3", "defend": "D4", "more": "D5", "throw": "D11", "over": "D9"}
CLAUSES_AMONG_MANY = CLAUSES | {"more": "D19", "throw": "D20", "over": "D23"}
ADDING_PHASES = ("more", "throw")
"""The phases in which the attackers may add cards."""
PHASES_WITHOUT_BOUT = ("deal", "over")
"""The phases without a bout."""
LETTERS = {"pass": "p", "take": "k", "standing": "r", "agreed": "n"}

SPACE = RequiredSpace(text=2, boxes=5, marks=("trump", "new", "last"))


def scene(observation: DurakObservation) -> Scene:
    """The table: the players, the bout, the stock and trumps, and the viewer's hand."""
    o = observation
    trump = None if o.turn_up is None else suit_of(o.turn_up)
    return Scene(
        facts=_trump_and_stock(o),
        players=tuple([_seat_view(o, seat) for seat in range(1, len(o.counts) + 1)]),
        middle=(Pairs(attack_pairs(o.bout)),),
        hand=by_suit(o.hand, trump),
        playable=frozenset(action.cards[0] for action in o.legal if action.cards) if o.legal else None,
        trump=trump,
        last=o.bout[-1].cards[0] if o.bout else None,
        clause=(CLAUSES_AMONG_MANY if _are_many(o) else CLAUSES).get(o.phase, ""),
        space=SPACE,
        possible_marks=_possible_marks(o),
    )


def _are_many(o: DurakObservation) -> bool:
    return len(o.counts) > 2


def _trump_and_stock(o: DurakObservation) -> tuple[Message, ...]:
    if o.turn_up is None:
        return ()
    if o.stock:
        return (Message("trump_card", {"card": o.turn_up}), Message("stock", {"count": o.stock}))
    return (Message("trump", {"suit": SUITS[suit_of(o.turn_up)]}), Message("stock_out"))


def _seat_view(o: DurakObservation, seat: int) -> SeatView:
    is_target = _are_many(o) and seat == o.defender and o.phase not in PHASES_WITHOUT_BOUT
    marks = (*_side(o, seat), *_marks(o, seat))
    return SeatView(seat, o.counts[seat - 1], marks, target=is_target, resting=_are_many(o) and seat in o.out)


def _marks(o: DurakObservation, seat: int) -> tuple[Message, ...]:
    """The role of a player in the bout (D3, D18–D20), or the place of a player who is out (D23)."""
    if _are_many(o) and seat in o.out:
        return (Message("out_place", {"number": o.out.index(seat) + 1}),)
    if o.phase in PHASES_WITHOUT_BOUT:
        is_fool = _are_many(o) and o.outcome and o.outcome.winners and len(o.sides) == len(o.counts)
        return (Message("fool"),) if is_fool else ()
    if seat == o.defender:
        return (Message("takes" if _are_many(o) and o.phase == "throw" else "defends"),)
    if not _are_many(o):
        return (Message("attacks"),)
    passed = (Message("passed"),) if seat in o.passed else ()
    if seat == o.attacker:
        return (Message("leads"), *passed)
    return passed or (Message("may_add"),) * (seat in o.may_add)


def _side(o: DurakObservation, seat: int) -> tuple[Message, ...]:
    """The number of a player's side as a mark (D25); empty without sides."""
    if len(o.sides) == len(o.counts):
        return ()
    return (Message("side", {"number": next(number for number, side in enumerate(o.sides, 1) if seat in side)}),)


def _possible_marks(o: DurakObservation) -> tuple[tuple[Message, ...], ...]:
    """The combinations of marks that players may have."""
    if not _are_many(o):
        return ((Message("attacks"),), (Message("defends"),))
    roles = ("leads", "passed"), ("defends",), ("takes",), ("may_add",), ("fool",)
    named = [tuple(map(Message, role)) for role in roles]
    return tuple([(*_side(o, 1), *role) for role in (*named, (Message("out_place", {"number": len(o.counts)}),))])


def words(action: Action) -> Message:
    """An action in the words of a player."""
    if action.kind == "several":
        return Message("action.several", {"cards": action.cards})
    if action.kind == "beat":
        return Message("action.beat", {"card": action.cards[0], "attack_card": action.cards[1]})
    return words_by_kind(action)


def question(observation: DurakObservation) -> Question:
    """The question for one action: cards in the order of the hand, each with the attack cards in the order laid."""
    o = observation
    place = {card: number for number, (card, _) in enumerate(attack_pairs(o.bout), 1)}
    in_laid_order = sorted(o.legal, key=lambda action: place[action.cards[1]] if action.kind == "beat" else 0)
    turns = [action for action in o.legal if action.kind == "turn" and _are_many(o)]
    return Question(
        Message("ask." + o.phase, {"seat": o.seat}),
        in_hand_order(in_laid_order, scene(o).hand),
        labels={turn: Message("action.turn_to", {"card": turn.cards[0], "to": o.next_defender}) for turn in turns},
        first=_first(o),
        standing=PASS if _are_many(o) and o.phase in ADDING_PHASES else None,  # D19, D20
        others=o.may_add,
    )


def _first(o: DurakObservation) -> Action | None:
    """The action at which the pointer starts: the lowest plain card, or a pass if only trumps could be added."""
    trump = None if o.turn_up is None else suit_of(o.turn_up)
    action = cheapest(o.legal, trump)
    if action and o.phase in ADDING_PHASES and suit_of(action.cards[0]) == trump:
        return next(action for action in o.legal if not action.cards)
    return action


def sheet(observation: DurakObservation) -> Sheet:
    """The score sheet: the number of cards and the score of each player."""
    o = observation
    seats = range(1, len(o.counts) + 1)
    rows = tuple([(Message("name", {"seat": seat}), o.counts[seat - 1], o.scores[seat - 1]) for seat in seats])
    return Sheet(Columns((Message("head.player"), Message("head.cards"), Message("head.score")), rows))


def look_back(observation: DurakObservation) -> tuple[Block, ...]:
    """A line that says why past bouts are not shown (*ruling* on D7)."""
    return (Line(Message("no_bout")),)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The pairs of attack cards and beating cards of a bout that the event ends; empty for other events."""
    if event.key not in PAUSES:
        return ()
    args: Any = event.args
    beaten = dict(zip(args["beaten_cards"], args["beating_cards"], strict=True))
    return (Pairs(tuple([(card, beaten.get(card)) for card in args["attack_cards"]])),)
