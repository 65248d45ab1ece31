"""The layout of Truc."""

from cardgames.engine.game import Action, Event
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import ORDERS, TrucObservation
from cardgames.layout.question import Question, words_by_kind
from cardgames.layout.scene import (
    Block,
    Chips,
    Columns,
    Grid,
    GridRow,
    Line,
    MarkCount,
    Message,
    RequiredSpace,
    Row,
    Scene,
    SeatView,
    Sheet,
    by_suit,
)

PAUSES = frozenset({"trick_won", "trick_spoiled", "took_stake", "nobody_won", "remainder_won", "stock_short"})
ENDS = frozenset({"remainder_won", "round_won", "match_won"})
CARD_ORDERS = dict.fromkeys(("drew", "trick_spoiled"), by_suit)
CLAUSES = {
    "exchange": "T3",
    "answer_exchange": "T3",
    "turn": "T5",
    "play": "T5",
    "answer_double": "T8",
    "answer_remainder": "T9",
    "over": "T11",
}
LETTERS = {
    "exchange": "x",
    "play": "k",
    "agree": "y",
    "accept": "y",
    "refuse": "n",
    "double": "d",
    "remainder": "r",
}

CONSEQUENCES = {
    ("turn", "double"): "propose_double",
    ("turn", "remainder"): "propose_remainder",
    ("answer_exchange", "refuse"): "refuse_exchange",
    ("answer_double", "accept"): "accept_double",
    ("answer_remainder", "accept"): "accept_remainder",
}
"""The labels of actions that name their consequences, by phase and kind of action."""

PHASES_BETWEEN_HANDS = ("deal", "over")
"""The phases between hands, which show the last hand."""

SPACE = RequiredSpace(text=5, boxes=9, marks=("new", "leads", "wins", "last"), cards=3)


words = words_by_kind


def scene(observation: TrucObservation) -> Scene:
    """The table: the stake, the tricks, the chips and rounds of each player, and the viewer's hand."""
    o = observation
    aside = (Row(Message("laid_aside"), o.laid_aside),) if o.laid_aside else ()
    return Scene(
        facts=_facts(o),
        players=tuple(_seat_view(o, seat) for seat in (1, 2)),
        middle=_last_hand(o)
        if o.phase in PHASES_BETWEEN_HANDS
        else (_stake(o), *_tricks(o.tricks, o.credited), *aside),
        hand=o.hand,
        playable=frozenset(action.cards[0] for action in o.legal if action.cards) or None,
        legend=Message("strength." + o.order),
        ranks=ORDERS[o.order],
        last=o.tricks[-1].cards[-1] if o.tricks else None,
        space=SPACE._replace(chips=o.goal),
        clause=CLAUSES.get(o.phase, ""),
        possible_marks=((Message("dealer"),),),
    )


def _facts(o: TrucObservation) -> tuple[Message, ...]:
    goal = Message("goal", {"points": o.goal})
    return (goal,) if o.phase in PHASES_BETWEEN_HANDS else (goal, Message("stock", {"count": o.stock}))


def _seat_view(o: TrucObservation, seat: int) -> SeatView:
    is_dealer = o.dealer == seat and o.phase not in PHASES_BETWEEN_HANDS
    return SeatView(
        seat,
        o.counts[seat - 1],
        (Message("dealer"),) if is_dealer else (),
        chips=_points(o)[seat - 1],
        tally=MarkCount(Message("rounds"), o.rounds[seat - 1], o.rounds_goal),
    )


def _points(o: TrucObservation) -> tuple[int, ...]:
    """The points of each seat in this round, or after a round its final points until the next begins."""
    is_round_over = o.phase in PHASES_BETWEEN_HANDS and o.past_rounds and o.scores == (0, 0)
    return o.past_rounds[-1].points if is_round_over else o.scores


def _stake(o: TrucObservation) -> Block:
    """The stake, now and after a proposal, or a line that says that the hand decides the round."""
    if o.proposer is not None:
        return Chips(Message("stake"), o.stake, o.stake_if_accepted or Message("the_round"))
    if o.remainder:
        return Line(Message("remainder_decides", {"seat": o.remainder}))
    return Chips(Message("stake"), o.stake)


def _tricks(tricks: tuple[Trick, ...], won: tuple[int, int]) -> tuple[Block, ...]:
    """A grid of tricks: a row for each player with the number of tricks won, and winning cards marked."""
    if not tricks:
        return ()
    heads = []
    for number, trick in enumerate(tricks, 1):
        is_spoiled = len(trick.cards) == 2 and not trick.winner
        heads.append(Message("spoiled") if is_spoiled else Message("trick_number", {"number": number}))
    rows = []
    for seat in (1, 2):
        cards = tuple([trick.card_of(seat) for trick in tricks])
        rows.append(GridRow(Message("name", {"seat": seat}), cards, Message("tricks_won", {"count": won[seat - 1]})))
    winning = tuple([trick.winning_card for trick in tricks if trick.winning_card is not None])
    return (Grid(tuple(heads), tuple(rows), winning, tuple([trick.cards[0] for trick in tricks if trick.cards])),)


def _last_hand(o: TrucObservation) -> tuple[Block, ...]:
    return (Line(Message("last_hand")), *_tricks(o.last_hand, o.last_credited)) if o.last_hand else ()


def question(observation: TrucObservation) -> Question:
    """The question for one action: cards in the order of the hand, then a proposal."""
    o = observation
    args = {"seat": o.seat, "by": 3 - o.seat, "stake": o.stake, "doubled": 2 * o.stake}
    key = "ask." + o.phase
    if o.phase in ("turn", "play") and o.tricks and len(o.tricks[-1].cards) == 1:
        args["card"] = o.tricks[-1].cards[0]
        key += "_follow"
    labels = {action: Message(CONSEQUENCES[o.phase, action.kind], args)
            for action in o.legal if (o.phase, action.kind) in CONSEQUENCES}  # fmt: skip
    if o.proposer is not None:
        labels |= {action: _refusal_label(o) for action in o.legal if action.kind == "refuse"}
    return Question(Message(key, args), o.legal, labels=labels, first=_first(o))


def _refusal_label(o: TrucObservation) -> Message:
    args = {"seat": o.proposer or 0, "stake": o.stake, "points": o.points_if_refused, "goal": o.goal}
    keys = {"nothing": "refuse_proposal", "round": "refuse_round", "match": "refuse_match"}
    return Message(keys[o.won_if_refused], args)


def _first(o: TrucObservation) -> Action | None:
    """The action at which the pointer starts: the weakest card, an exchange, or a refusal unless it loses the round."""
    answer = "refuse" if o.won_if_refused == "nothing" else "accept"
    kinds = {"exchange": "exchange", "answer_exchange": "refuse", "answer_double": answer, "answer_remainder": answer}
    kind = kinds.get(o.phase, "card")
    return next((action for action in reversed(o.legal) if action.kind == kind), None)


def sheet(observation: TrucObservation) -> Sheet:
    """The score sheet: the points of this round, the rounds won, the goals, and the past rounds."""
    o = observation
    head = (Message("head.player"), Message("head.points"), Message("head.rounds"))
    rows = tuple((Message("name", {"seat": seat}), _points(o)[seat - 1], o.rounds[seat - 1]) for seat in (1, 2))
    needed = Message("needed", {"points": o.goal, "rounds": o.rounds_goal})
    stake = () if o.phase in PHASES_BETWEEN_HANDS else (Message("at_stake", {"stake": o.stake}),)
    return Sheet(Columns(head, rows), (needed, *stake, *_past_rounds(o)))


def _past_rounds(o: TrucObservation) -> tuple[Columns, ...]:
    if not o.past_rounds:
        return ()
    names = tuple(Message("name", {"seat": seat}) for seat in (1, 2))
    rows = []
    for number, past in enumerate(o.past_rounds, 1):
        is_won_on_points = past.points[past.winner - 1] >= o.goal
        winner = Message("name" if is_won_on_points else "by_remainder", {"seat": past.winner})
        rows.append((number, *past.points, winner))
    return (Columns((Message("head.round"), *names, Message("head.won_by")), tuple(rows)),)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """No blocks: the tricks of a hand stay on the table until the next deal."""
    return ()


def look_back(observation: TrucObservation) -> tuple[Block, ...]:
    """The tricks of the last hand, or a line that says why there are none."""
    o = observation
    if o.last_hand:
        return _last_hand(o)
    is_first = o.scores == o.rounds == (0, 0)
    return (Line(Message("first_hand" if is_first else "last_unplayed")),)
