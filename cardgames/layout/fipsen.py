"""Fipsen on the table."""

from collections.abc import Sequence
from typing import TypeAlias

from cardgames.engine.cards import SUITS, Card, suit_of
from cardgames.engine.fipsen import (
    EXTRAS,
    GO_ON,
    HOLD,
    PLAY_HAND,
    SAY_SEVENS,
    STOP_HERE,
    TAKE_SKAT,
    TRICKS,
    TRUMP_ACTIONS,
    Bid,
    FipsenObservation,
    Result,
    bid_of,
    worth,
)
from cardgames.engine.game import Action, Reason
from cardgames.engine.tricks import winning
from cardgames.layout import (
    Block,
    Cell,
    Columns,
    Frame,
    Line,
    Message,
    Pick,
    Player,
    Question,
    Row,
    Scene,
    Sheet,
    Tally,
    by_suit,
    choose_one,
    from_seat,
)

PAUSES = frozenset({"trick_won", "made", "failed", "said_sevens", "all_passed"})
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

BETWEEN = ("deal", "over")
"""The phases in which no deal is being played."""
PLAYING = ("play", "stop")
"""The phases in which the declarer is out for tricks."""

Plays: TypeAlias = tuple[tuple[int, Card], ...]
"""A trick: who played which card, from the lead."""

FRAME = Frame(text=3, boxes=3, marks=("trump", "wins", "leads"))


def scene(observation: FipsenObservation) -> Scene:
    """The table: the bid that stands or is played and what it brings, the trick before its players, one's own hand."""
    o = observation
    return Scene(
        facts=_facts(o),
        players=tuple(_player(o, seat) for seat in from_seat(o.seat, len(o.counts))),
        middle=_middle(o),
        hand=by_suit(o.hand, o.trump),
        playable=frozenset(action.cards[0] for action in o.legal if action.kind == "play"),
        frame=FRAME,
        trump=o.trump,
    )


def _facts(o: FipsenObservation) -> tuple[Message, ...]:
    if o.phase in BETWEEN:
        return ()
    facts = [Message("trumps", {"suit": SUITS[o.trump]})] if o.trump is not None else []
    if o.skat:
        facts.append(Message("skat", {"count": o.skat}))
    if o.laid:
        facts.append(Message("laid", {"count": o.laid}))
    return (*facts, Message("deal_number", {"number": len(o.history) + 1, "count": o.deals}))


def _player(o: FipsenObservation, seat: int) -> Player:
    trick = _lying(o)
    played = tuple(card for player, card in trick if player == seat)
    wins = bool(trick) and seat == _winner(trick, o.trump)
    return Player(
        seat,
        o.counts[seat - 1],
        _marks(o, seat),
        played,
        wins,
        Message("score", {"points": o.scores[seat - 1]}),
        tally=Tally(Message("declarer"), o.won[seat - 1], _needed(o)) if _is_playing(o, seat) else None,
        because=_because(played[0], o.trump, over=not o.trick) if wins else None,
    )


def _lying(o: FipsenObservation) -> Plays:
    """The trick before its players; the last one is left until the next card is led."""
    return o.trick or (o.tricks[-1].plays if o.tricks else ())


def _winner(trick: Plays, trump: int | None) -> int:
    """Who wins a trick as it lies."""
    assert trump is not None
    return trick[winning([card for _, card in trick], trump)][0]


def _because(card: Card, trump: int | None, over: bool) -> Message:
    """Why the card that wins a trick wins it (F9)."""
    suit = suit_of(card)
    return Message(("won" if over else "wins") + (".trump" if suit == trump else ".led"), {"suit": SUITS[suit]})


def _is_playing(o: FipsenObservation, seat: int) -> bool:
    """Whether a seat is the declarer, and the cards are being played."""
    return seat == o.declarer and o.phase in PLAYING


def _marks(o: FipsenObservation, seat: int) -> tuple[Message, ...]:
    """What a seat is before the play; in it, only the declarer matters."""
    if o.phase in (*BETWEEN, *PLAYING):
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


def _needed(o: FipsenObservation) -> int:
    """How many tricks declarer needs."""
    assert o.contract
    return TRICKS if o.contract.kieker or "durch" in o.contract.extras else o.contract.tricks


def _middle(o: FipsenObservation) -> tuple[Block, ...]:
    if o.phase in BETWEEN:
        return ()
    if o.phase == "bid":
        return (Line(_what_stands(o)), _extras())
    if o.contract is None:
        assert o.bid
        args = {"seat": o.declarer or 0, "count": len(o.bid.extras), **_stake(o.bid)}
        return (Line(Message("to_name", args)), _extras())
    plays: list[Block] = [Line(Message("plays", {"seat": o.declarer or 0, **_stake(o.contract)}))]
    if o.phase in PLAYING:
        lost = len(o.tricks) - o.won[(o.declarer or 0) - 1]
        plays.append(Line(Message("rest", {"count": lost, "number": TRICKS + 1 - _needed(o)})))
    return (*plays, *_known(o))


def _extras() -> Line:
    """What the extras are, for those who do not know them yet."""
    return Line(Message("extras_are", {"suit": "D"}))


def _stake(bid: Bid) -> dict[str, int | str]:
    """A bid with what it wins and loses, as arguments of a message."""
    won, lost = worth(bid)
    return {"bid": bid.text, "won": won, "lost": -lost}


def _what_stands(o: FipsenObservation) -> Message:
    if o.bid is None:
        return Message("nothing_stands")
    return Message("stands_held" if o.held else "stands_bid", {"seat": o.bidder or 0, **_stake(o.bid)})


def _known(o: FipsenObservation) -> tuple[Block, ...]:
    """What the one who looks knows besides the hand: cards laid away, or those shown for a kieker."""
    rows = [Row(Message("laid_away"), by_suit(o.own_laid))] if o.own_laid else []
    if o.shown and o.seat != o.declarer:
        rows.append(Row(Message("shown", {"seat": o.declarer or 0}), by_suit(o.shown)))
    return tuple(rows)


def words(action: Action) -> Message:
    """The move as a player would say it; of a bid, what it wins and loses."""
    if action.kind in ("bid", "kieker"):
        bid = bid_of(action)
        return Message("action.bid_tricks" if bid.text.isdigit() else "action." + action.kind, _stake(bid))
    if action.kind == "name":
        return Message("action.name", {"extras": tuple(map(str, action.args))})
    if action.kind == "trump":
        return Message("action.trump", {"suit": str(action.args[0])})
    if action.kind == "discard":
        return Message("action.discard", {"cards": action.cards})
    return Message("action." + action.kind, {"card": action.cards[0]} if action.cards else {})


def question(observation: FipsenObservation) -> Question:
    """One of the legal actions, each with what it would win and lose here; or the cards to be laid away, to tick."""
    o = observation
    ask = Message("ask." + o.phase, {"seat": o.seat})
    if o.phase == "discard":
        return _discard(o)
    legal: Sequence[Action] = o.legal
    said: dict[Action, Message] = {}
    if o.phase == "play":
        legal = choose_one(o, by_suit(o.hand, o.trump)).actions
        if o.trick:
            led = suit_of(o.trick[0][1])
            able = any(suit_of(card) == led for card in o.hand)
            ask = Message("ask.play_follow" if able else "ask.play_any", {"seat": o.seat, "suit": SUITS[led]})
    elif o.phase == "bid":
        said = {action: Message("bid_alone", {"bid": bid_of(action).text}) for action, _ in o.refused if action != HOLD}
        if o.bid:
            ask = Message("ask.bid_or_hold" if HOLD in o.legal else "ask.bid_more", {"seat": o.seat})
        if o.bid and HOLD in o.legal:
            said[HOLD] = Message("action.hold_for", _stake(o.bid))
    elif o.contract:
        said = _additions(o.contract)
    return Question(ask, tuple(sorted(legal, key=_place)), said=said)


def _place(action: Action) -> int:
    """To pass or hold comes first, and what few ever can say before what is many."""
    return 0 if action.kind in ("pass", "hold") else 1 if action == SAY_SEVENS else 2


def _additions(contract: Bid) -> dict[Action, Message]:
    """The answers that can make more of a contract, with what it wins and loses after each."""
    ruten = Message("action.trump_ruten", {"suit": "D", **_stake(_with(contract, "ruten"))})
    return {
        PLAY_HAND: Message("action.hand_for", _stake(_with(contract, "hand"))),
        TAKE_SKAT: Message("action.skat_for", _stake(contract)),
        **{
            action: ruten if suit == "D" else Message("action.trump_for", {"suit": suit, **_stake(contract)})
            for suit, action in zip(SUITS, TRUMP_ACTIONS, strict=True)
        },
        STOP_HERE: Message("action.stop_for", _stake(contract)),
        GO_ON: Message("action.continue_for", _stake(_with(contract, "durch"))),
    }


def _with(contract: Bid, extra: str) -> Bid:
    """The contract with one more extra in force."""
    return contract._replace(extras=tuple(word for word in EXTRAS if word in contract.extras or word == extra))


def _discard(o: FipsenObservation) -> Question:
    """To tick the cards to be laid away; where four sevens and an ace can be said, that is offered before it."""
    count = len(o.hand) - TRICKS
    ways = {frozenset(action.cards): action for action in o.legal if action.kind == "discard"}

    def combine(cards: Sequence[Card]) -> Action | Reason:
        return ways.get(frozenset(cards)) or Reason("discard_count", {"count": count})

    def status(cards: Sequence[Card]) -> Message:
        return Message("ticked", {"number": len(cards), "count": count})

    old = set(o.hand) - set(o.own_taken)
    picks = [Pick(card, Message("taken" if old and card not in old else "own", {"card": card}), (card,))
             for card in by_suit(o.hand)]  # fmt: skip
    ask = Message("ask.discard", {"seat": o.seat, "count": count})
    discard = Question(ask, picks=tuple(picks), combine=combine, status=status)
    if SAY_SEVENS not in o.legal:
        return discard
    offer = (Message("to_discard", {"count": count}), discard)
    return Question(Message("ask.discard_or_sevens", {"seat": o.seat}), (SAY_SEVENS,), more=(offer,))


def sheet(observation: FipsenObservation) -> Sheet:
    """The sheet as it is kept on paper: a column a player, with the running total, and one for the value of a deal."""
    o = observation
    seats = range(1, len(o.counts) + 1)
    head = (Message("head.deal"), *[Message("name", {"seat": seat}) for seat in seats])
    totals = [0 for _ in seats]
    rows: list[tuple[Cell, ...]] = []
    for number, result in enumerate(o.history, 1):
        totals[result.seat - 1] += result.points
        columns = [totals[seat - 1] if seat == result.seat else None for seat in seats]
        rows.append((number, *columns, result.points, _played(result)))
    rows.append((Message("total"), *o.scores, None, None))
    notes = (Message("sheet_note"), Message("deals_counted", {"number": len(o.history), "count": o.deals}))
    return Sheet(Columns((*head, Message("head.value"), Message("head.bid")), tuple(rows)), notes)


def _played(result: Result) -> Message:
    return Message("sheet_bid", {"bid": result.bid.text}) if result.bid else Message("sheet_sevens")


def ended(observation: FipsenObservation, action: Action) -> tuple[Block, ...]:
    """The last trick, where it ends the deal; any other is still to be seen."""
    o = observation
    if action == STOP_HERE:
        return last(o)
    if o.phase != "play" or not o.to_act or len(o.trick) + 1 < len(o.counts):
        return ()
    trick = (*o.trick, (o.to_act, action.cards[0]))
    return (_who_played(trick, o.trump),) if _ends(o, trick) else ()


def _ends(o: FipsenObservation, trick: Plays) -> bool:
    """Whether a deal ends with this trick (F10)."""
    won = o.won[(o.declarer or 0) - 1] + (_winner(trick, o.trump) == o.declarer)
    lost = len(o.tricks) + 1 - won
    return lost > TRICKS - _needed(o) or (won == _needed(o) and (lost > 0 or won == TRICKS))


def last(observation: FipsenObservation) -> tuple[Block, ...]:
    """The last finished trick of this deal, in the order in which it was played."""
    o = observation
    return (_who_played(o.tricks[-1].plays, o.trump),) if o.tricks else (Line(Message("no_trick")),)


def _who_played(trick: Plays, trump: int | None) -> Columns:
    """A finished trick, and why it was won."""
    winner = _winner(trick, trump)
    rows = [
        (Message("name", {"seat": seat}), (card,), _because(card, trump, over=True) if seat == winner else None)
        for seat, card in trick
    ]
    return Columns((Message("head.player"), Message("head.card"), ""), tuple(rows))
