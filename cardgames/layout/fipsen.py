"""The layout of Fipsen."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine.cards import SUITS, Card, suit_of
from cardgames.engine.fipsen import (
    GO_ON,
    HOLD,
    PASS,
    PLAY_HAND,
    SAY_SEVENS,
    SEVENS_POINTS,
    STOP_HERE,
    TAKE_SKAT,
    TRUMP_ACTIONS,
    FipsenObservation,
)
from cardgames.engine.fipsen_bids import EXTRA_SETS, TRICKS, Bid, bid_of, worth
from cardgames.engine.game import Action, Event, Reason
from cardgames.engine.tricks import Trick
from cardgames.layout.question import Pick, Question, cheapest, in_hand_order, words_by_kind
from cardgames.layout.scene import (
    Block,
    Cell,
    Columns,
    FinishedTrick,
    Line,
    MarkCount,
    Message,
    RequiredSpace,
    Row,
    Scene,
    SeatView,
    Sheet,
    by_suit,
    why_winning,
)

PAUSES = frozenset({"trick_won", "made", "failed", "said_sevens", "all_passed"})
ENDS = frozenset({"match_ended"})
CARD_ORDERS = dict.fromkeys(("took_up", "showed", "discarded"), by_suit)
CLAUSES = {
    "bid": "F5",
    "name": "F6",
    "skat": "F7",
    "discard": "F7",
    "trump": "F8",
    "play": "F9",
    "stop": "F10",
    "over": "F14",
}
EXTRAS_LETTERS = {" ".join(extras): letter for extras, letter in zip(EXTRA_SETS, "nmrjvwxy", strict=True)}
LETTERS = {
    "pass": "p",
    "stop": "p",
    "to_pass": "p",
    "hold": "j",
    "sevens": "z",
    **{f"to_bid {tricks}": letter for tricks, letter in zip(range(2, TRICKS + 1), "vwxy", strict=True)},
    **{
        f"{bid} {extras}".rstrip(): letter
        for bid in ("name", *[f"bid {tricks}" for tricks in range(2, TRICKS + 1)])
        for extras, letter in EXTRAS_LETTERS.items()
    },
    "bid kieker": "k",
    "bid kieker ruten": "i",
    "skat": "k",
    "hand": "m",
    **{f"trump {suit}": letter for suit, letter in zip(SUITS, "vwxy", strict=True)},
    "continue": "x",
    "to_discard": "x",
    "to_lead": "x",
}

FEW_BIDS = 6
"""The most bids in one question. With more bids the number of tricks is asked first."""

EXTRAS = Line(Message("extras_are", {"suit": "D"}))
"""A line that explains the extras."""

PHASES_BETWEEN_DEALS = ("deal", "over")
"""The phases between deals."""
PLAY_PHASES = ("play", "stop")
"""The phases between the first card and the end of the deal."""

SPACE = RequiredSpace(
    text=3,
    boxes=3,
    marks=("trump", "leads", "wins", "last"),
    cards=5,
    score=Message("score", {"points": -99}),
    because=Message("wins.led", {"suit": SUITS[0]}),
)

POSSIBLE_MARKS: tuple[tuple[Message | MarkCount, ...], ...] = (
    *[(Message("dealer"), Message(part)) for part in ("stands", "waits", "passed", "challenges")],
    (MarkCount(Message("declarer"), 0, TRICKS),),
)
"""The combinations of marks that players may have, in the auction and during play."""


def scene(observation: FipsenObservation) -> Scene:
    """The table: the bid and its points, the trick before its players, and the viewer's hand."""
    o = observation
    return Scene(
        facts=_facts(o),
        players=tuple(_seat_view(o, seat) for seat in range(1, len(o.counts) + 1)),
        middle=_middle(o),
        hand=by_suit(o.hand, o.trump),
        playable=frozenset(action.cards[0] for action in o.legal if action.kind == "play") or None,
        last=o.trick[-1][1] if o.trick else None,
        space=SPACE,
        clause=CLAUSES.get(o.phase, ""),
        trump=o.trump,
        possible_marks=POSSIBLE_MARKS,
    )


def _facts(o: FipsenObservation) -> tuple[Message, ...]:
    if o.phase in PHASES_BETWEEN_DEALS:
        return ()
    facts = [Message("trumps", {"suit": SUITS[o.trump]})] if o.trump is not None else []
    if o.skat:
        facts.append(Message("skat", {"count": o.skat}))
    if o.laid:
        facts.append(Message("laid", {"count": o.laid}))
    return (*facts, Message("deal_number", {"number": len(o.history) + 1, "count": o.deals}))


def _seat_view(o: FipsenObservation, seat: int) -> SeatView:
    # The last trick stays before its players until the next card is led.
    last = o.tricks[-1] if o.tricks and not o.trick else None
    played = tuple(card for player, card in (last.plays if last else o.trick) if player == seat)
    wins = seat == (last.winner if last else o.winning)
    return SeatView(
        seat,
        o.counts[seat - 1],
        _marks(o, seat),
        played,
        wins,
        Message("score", {"points": o.scores[seat - 1]}),
        because=why_winning(played[0], o.trump, over=last is not None) if wins else None,
        leads=bool(played) and seat == (last.plays if last else o.trick)[0][0],
    )


def _marks(o: FipsenObservation, seat: int) -> tuple[Message | MarkCount, ...]:
    """The roles of a player. During play only declarer has one, with the number of tricks won and needed."""
    if o.phase in PLAY_PHASES and o.contract and seat == o.declarer:
        return (MarkCount(Message("declarer"), o.won[seat - 1], o.contract.needed),)
    if o.phase in (*PHASES_BETWEEN_DEALS, *PLAY_PHASES):
        return ()
    marks = [Message("dealer")] if seat == o.dealer else []
    if o.phase == "bid":
        if seat == o.standing:
            marks.append(Message("stands"))
        elif seat in o.waiting:
            marks.append(Message("waits"))
        elif any(by == seat and action.kind == "pass" for by, action in o.auction):
            marks.append(Message("passed"))
        elif o.standing:
            marks.append(Message("challenges"))
    if seat == o.declarer:
        marks.append(Message("declarer"))
    elif seat in o.courtless:
        marks.append(Message("courtless"))
    return tuple(marks)


def _middle(o: FipsenObservation) -> tuple[Block, ...]:
    """The blocks in the middle: the bid or contract with its points, and the cards that the viewer knows."""
    if o.phase in PHASES_BETWEEN_DEALS:
        return ()
    # A player with four sevens and an ace is reminded on each turn (F13).
    reminder = [Line(Message("holds_sevens", {"points": SEVENS_POINTS}))] if SAY_SEVENS in o.legal else []
    if o.phase == "bid":
        if o.bid is None:
            return (*reminder, Line(Message("nothing_stands")), EXTRAS)
        bid = Message("stands_held" if o.held else "stands_bid", {"seat": o.bidder or 0, **_bid_args(o.bid)})
        return (*reminder, Line(bid), EXTRAS)
    if o.contract is None:
        assert o.bid
        args = {"seat": o.declarer or 0, "count": len(o.bid.extras), **_bid_args(o.bid)}
        return (*reminder, Line(Message("to_name", args)), EXTRAS)
    plays = [*reminder, Line(Message("plays", {"seat": o.declarer or 0, **_bid_args(o.contract)}))]
    if o.phase in PLAY_PHASES:
        lost = len(o.tricks) - o.won[(o.declarer or 0) - 1]
        plays.append(Line(Message("rest", {"count": lost, "number": TRICKS + 1 - o.contract.needed})))
    return (*plays, *_known_cards(o))


def _bid_args(bid: Bid) -> dict[str, int | str]:
    """The arguments of a message about a bid, with the points for making it and for failing."""
    won, lost = worth(bid)
    return {"bid": bid.text, "won": won, "lost": -lost}


def _known_cards(o: FipsenObservation) -> tuple[Block, ...]:
    """The cards that the viewer knows besides the hand: own discards, or a hand shown for a kieker."""
    rows = [Row(Message("laid_away"), by_suit(o.own_laid))] if o.own_laid else []
    if o.shown and o.seat != o.declarer:
        rows.append(Row(Message("shown", {"seat": o.declarer or 0}), by_suit(o.shown)))
    return tuple(rows)


def words(action: Action) -> Message:
    """An action in the words of a player; a bid with the points for making it and for failing."""
    if action.kind in ("bid", "kieker"):
        bid = bid_of(action)
        return Message("action.bid_tricks" if bid.text.isdigit() else "action." + action.kind, _bid_args(bid))
    if action.kind == "name":
        return Message("action.name", {"extras": tuple(map(str, action.args))})
    if action.kind == "trump":
        return Message("action.trump", {"suit": str(action.args[0])})
    if action.kind == "discard":
        return Message("action.discard", {"cards": action.cards})
    return words_by_kind(action)


def question(observation: FipsenObservation) -> Question:
    """The question for one action. Bids have their points; discards are ticked.

    An action that gives up four sevens and an ace leads to a further question (F13)."""
    o = observation
    if o.phase == "discard":
        return _sevens_first(o, "to_discard", _discard_question(o))
    if o.phase == "play":
        return _sevens_first(o, "to_lead", _card_question(o))
    if o.phase == "bid":
        return _call_question(o)
    labels = _contract_labels(o.contract) if o.contract else {}
    first = next((action for action in (STOP_HERE, TAKE_SKAT) if action in o.legal), None)
    costly = frozenset({GO_ON} & {*o.legal})
    return Question(
        Message("ask." + o.phase, {"seat": o.seat}), _in_order(o.legal), labels=labels, costly=costly, first=first
    )


def _call_question(o: FipsenObservation) -> Question:
    """The question for a call of the auction."""
    labels = {action: Message("bid_alone", {"bid": bid_of(action).text}) for action, _ in o.refused if action != HOLD}
    if o.bid and HOLD in o.legal:
        labels[HOLD] = Message("action.hold_for", _bid_args(o.bid))
    key = "ask.bid" if o.bid is None else "ask.bid_or_hold" if HOLD in o.legal else "ask.bid_more"
    ask = Message(key, {"seat": o.seat})
    bids = [action for action in o.legal if action.kind in ("bid", "kieker")]
    kiekers = [bid for bid in bids if bid_of(bid).kieker]
    others = [action for action in o.legal if action not in bids]
    costly = frozenset(bid for bid in bids if bid_of(bid).kieker or bid_of(bid).tricks == TRICKS)
    more = []
    if o.gives_up_sevens(PASS):
        confirmation = Question(Message("ask.give_up_sevens", {"seat": o.seat}), (SAY_SEVENS, PASS))
        others.remove(PASS)
        more.append((Message("to_pass"), confirmation))
    if len(bids) > FEW_BIDS:
        for tricks in sorted({bid_of(bid).tricks for bid in bids if bid not in kiekers}):
            same_tricks = tuple(bid for bid in bids if bid not in kiekers and bid_of(bid).tricks == tricks)
            ask_extras = Message("ask.extras", {"seat": o.seat, "count": tricks})
            extras = Question(ask_extras, same_tricks, labels=labels, costly=costly & {*same_tricks})
            more.append((Message("to_bid", {"count": tricks}), extras))
        bids = kiekers
    return Question(
        ask,
        _in_order((*others, *bids)),
        more=tuple(more),
        labels=labels,
        costly=costly,
        first=PASS if PASS in others else None,
    )


def _card_question(o: FipsenObservation) -> Question:
    ask = Message("ask.play", {"seat": o.seat})
    actions = in_hand_order(o.legal, by_suit(o.hand, o.trump))
    if o.trick:
        led = suit_of(o.trick[0][1])
        can_follow = any(suit_of(action.cards[0]) == led for action in actions)
        ask = Message("ask.play_follow" if can_follow else "ask.play_any", {"seat": o.seat, "suit": SUITS[led]})
    cards = tuple([action for action in actions if action != SAY_SEVENS])
    return Question(ask, cards, first=cheapest(cards, o.trump))


def _sevens_first(o: FipsenObservation, offer: str, further: Question) -> Question:
    """The question ``further``, or one that also offers four sevens and an ace. ``offer``: the key for ``further``."""
    if SAY_SEVENS not in o.legal:
        return further
    args = {"seat": o.seat, "count": len(o.hand) - TRICKS}
    return Question(Message("ask.sevens", args), (SAY_SEVENS,), more=((Message(offer, args), further),))


def _in_order(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Sort actions: pass and hold first, then saying four sevens, then all others in their given order."""
    return tuple(sorted(actions, key=lambda action: 0 if action in (PASS, HOLD) else 1 if action == SAY_SEVENS else 2))


def _contract_labels(contract: Bid) -> dict[Action, Message]:
    """The labels of the actions after the auction, with the points of the contract after each."""
    ruten = Message("action.trump_ruten", {"suit": "D", **_bid_args(contract.with_extra("ruten"))})
    return {
        PLAY_HAND: Message("action.hand_for", _bid_args(contract.with_extra("hand"))),
        TAKE_SKAT: Message("action.skat_for", _bid_args(contract)),
        **{
            action: ruten if suit == "D" else Message("action.trump_for", {"suit": suit, **_bid_args(contract)})
            for suit, action in zip(SUITS, TRUMP_ACTIONS, strict=True)
        },
        STOP_HERE: Message("action.stop_for", _bid_args(contract)),
        GO_ON: Message("action.continue_for", _bid_args(contract.with_extra("durch"))),
    }


def _discard_question(o: FipsenObservation) -> Question:
    count = len(o.hand) - TRICKS
    discards = {frozenset(action.cards): action for action in o.legal if action.kind == "discard"}

    def combine(cards: Sequence[Card]) -> Action | Reason:
        return discards.get(frozenset(cards)) or Reason("discard_count", {"count": count})

    def status(cards: Sequence[Card]) -> Message:
        action = discards.get(frozenset(cards))
        gives_up = action is not None and o.gives_up_sevens(action)
        return Message("ticked_sevens" if gives_up else "ticked", {"number": len(cards), "count": count})

    old = set(o.hand) - set(o.own_taken)
    picks = [Pick(card, Message("taken" if old and card not in old else "own", {"card": card}), (card,))
             for card in by_suit(o.hand)]  # fmt: skip
    ask = Message("ask.discard", {"seat": o.seat, "count": count})
    return Question(ask, picks=tuple(picks), combine=combine, status=status)


def sheet(observation: FipsenObservation) -> Sheet:
    """The score sheet as on paper: running totals in a column for each player, and the points of each deal."""
    o = observation
    seats = range(1, len(o.counts) + 1)
    head = (Message("head.deal"), *[Message("name", {"seat": seat}) for seat in seats])
    totals = [0 for _ in seats]
    rows: list[tuple[Cell, ...]] = []
    for number, result in enumerate(o.history, 1):
        totals[result.seat - 1] += result.points
        columns = [totals[seat - 1] if seat == result.seat else None for seat in seats]
        played = Message("bid_alone", {"bid": result.bid.text}) if result.bid else Message("sheet_sevens")
        rows.append((number, *columns, result.points, played))
    rows.append((Message("total"), *o.scores, None, None))
    notes = (Message("sheet_note"), Message("deals_counted", {"number": len(o.history), "count": o.deals}))
    return Sheet(Columns((*head, Message("head.value"), Message("head.bid")), tuple(rows)), notes)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The last trick of a deal that the event ends. Empty for other events, whose tricks stay in view."""
    if event.key not in ("made", "failed"):
        return ()
    args: Mapping[str, Any] = event.args
    return (_finished_trick(Trick(args["seats"], args["cards"], args["by"]), SUITS.index(args["suit"])),)


def look_back(observation: FipsenObservation) -> tuple[Block, ...]:
    """The last finished trick of this deal."""
    o = observation
    return (_finished_trick(o.tricks[-1], o.trump),) if o.tricks else (Line(Message("no_trick")),)


def _finished_trick(trick: Trick, trump: int | None) -> FinishedTrick:
    """A finished trick, with the reason why it was won."""
    card = trick.cards[trick.players.index(trick.winner)]
    return FinishedTrick(tuple(trick.plays), trick.winner, why_winning(card, trump, over=True))
