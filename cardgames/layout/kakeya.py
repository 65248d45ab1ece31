"""The layout of Kakeya Trump. A pair is a side."""

from collections.abc import Sequence
from typing import Any

from cardgames.engine.cards import SUITS, Card, rank_of, suit_of
from cardgames.engine.game import Action, Event, Value
from cardgames.engine.kakeya import (
    CARD_PHASES,
    DEAL,
    DRAW,
    LEAD,
    OVER,
    PLAY,
    RENSHO,
    SEATS,
    TRUMP,
    KakeyaObservation,
    Settlement,
)
from cardgames.engine.tricks import Trick
from cardgames.layout.question import Question, cheapest, in_hand_order, words_by_kind
from cardgames.layout.scene import (
    Block,
    Cell,
    Columns,
    Line,
    Message,
    RequiredSpace,
    Row,
    Scene,
    SeatView,
    Sheet,
    Side,
    Sides,
    TakenCards,
    by_suit,
    why_winning,
)

DEALT_EACH = 13
"""K6: the number of cards dealt to each player."""

PAUSES = frozenset({"trick_won", "pictures_won", "claimed", "claimed_with_rensho", "time_called", "seated"})
ENDS = frozenset({"out_of_chips", "time_called"})
CARD_ORDERS = dict.fromkeys(("pictures_won",), by_suit)
CLAUSES = {
    "trump": "K4",
    "deal": "K6",
    "lead": "K7",
    "play": "K8",
    "seats": "K14",
    "draw": "K14",
    "over": "K11",
}
LETTERS = {
    **{f"trump {suit}": letter for suit, letter in zip(SUITS, "vwxy", strict=True)},
    "lead": "v",
    "partner": "x",
    "claim": "z",
}


def scene(observation: KakeyaObservation) -> Scene:
    """The table: the trick before its players, the chips and pictures of each pair, and the viewer's hand."""
    o = observation
    drawn = [_draw_row(number, drawn) for number, drawn in enumerate(o.draws, 1)]
    return Scene(
        facts=_facts(o),
        players=_players(o),
        middle=(Sides(tuple(_side(o, place) for place in range(len(o.pairs)))), *drawn, *_last_settlement(o)),
        hand=by_suit(o.hand, o.trump),
        playable=frozenset(action.cards[0] for action in o.legal if action.cards) or None,
        boss=o.rensho,
        legend=Message("rensho", {"card": o.rensho}),
        last=o.trick.cards[-1] if o.trick else None,
        space=RequiredSpace(
            len(o.pairs) + 1,
            len(o.pairs) + 1,
            ("trump", "leads", "wins", "last"),
            DEALT_EACH,
            because=Message("wins.led", {"suit": SUITS[0]}),
        ),
        clause=CLAUSES.get(o.phase, ""),
        trump=o.trump,
        possible_marks=((Message("partner"),), *[(Message("with", {"seat": seat}),) for seat in o.chairs]),
    )


def _in_series(o: KakeyaObservation) -> bool:
    """Whether the match is known to be a series. The observation does not tell before the first game ends."""
    return o.game > 1 or o.phase in (SEATS, DRAW)


def _facts(o: KakeyaObservation) -> tuple[Message, ...]:
    return (
        *((Message("game_number", {"number": o.game}),) if _in_series(o) else ()),
        Message("deal_number", {"number": o.deal}),
        Message("trump", {"suit": SUITS[o.trump]}),
    )


def _players(o: KakeyaObservation) -> tuple[SeatView, ...]:
    """All players, each with the card played to the present or the last trick."""
    over = o.trick is None
    trick = o.last_trick if over and _shows_last_trick(o) else o.trick
    return tuple(_seat_view(o, seat, trick, over) for seat in sorted(o.chairs))


def _shows_last_trick(o: KakeyaObservation) -> bool:
    """Whether the last trick is shown: until the next card is led, but not after a claim."""
    return o.phase == PLAY or (o.phase != DEAL and bool(o.deals) and o.deals[-1].claimed is None)


def _seat_view(o: KakeyaObservation, seat: int, trick: Trick | None, over: bool) -> SeatView:
    """A player with the card played to ``trick``; ``over``: whether the trick is finished."""
    card = trick.card_of(seat) if trick else None
    wins = trick is not None and seat == trick.winner
    resting = o.phase in CARD_PHASES and seat in o.resting
    return SeatView(
        seat,
        o.counts[seat - 1],
        (Message("resting") if resting else _partner(o, seat),),
        () if card is None else (card,),
        wins,
        _score(o, seat),
        because=why_winning(card, o.trump, over, o.rensho) if card is not None and wins else None,
        resting=resting,
        leads=trick is not None and seat == trick.leader,
    )


def _score(o: KakeyaObservation, seat: int) -> Message | None:
    """A seat's points: in a series those of finished games; at the end the total with the rank; else ``None``."""
    points = o.points[seat - 1]
    if o.ranks:
        return Message("ranked", {"number": o.ranks[seat - 1], "points": points})
    return Message("points", {"points": points}) if _in_series(o) else None


def _partner(o: KakeyaObservation, seat: int) -> Message:
    if seat == o.partner:
        return Message("partner")
    return Message("with", {"seat": o.chairs[o.chairs.index(seat) - len(o.pairs)]})


def _sits_out(o: KakeyaObservation, pair: tuple[int, ...]) -> bool:
    """Whether a pair sits out the deal in progress."""
    return o.phase in CARD_PHASES and pair == o.resting


def _side(o: KakeyaObservation, place: int) -> Side:
    pair, pictures = o.pairs[place], o.pictures[place]
    marks = []
    if o.phase == PLAY and not _sits_out(o, pair):
        marks.append(Message("pictures", {"count": len(pictures)}))
    if pair == o.dealers and (o.phase in (TRUMP, DEAL, LEAD) or _sits_out(o, pair)):
        marks.append(Message("dealers"))
    if _sits_out(o, pair):
        marks.append(Message("resting"))
    return Side(
        Message("pair", {"seats": pair}), o.chips[place], tuple(marks), _sorted_by_rank(pictures), _sits_out(o, pair)
    )


def _sorted_by_rank(pictures: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(pictures, key=lambda card: (-rank_of(card), suit_of(card))))


def _last_settlement(o: KakeyaObservation) -> tuple[Block, ...]:
    """The settlement of the last deal, until the next deal. If a claim showed rensho, the card is added.

    If the match ended with this deal, events have reported the settlement, and it is left out."""
    if o.phase in CARD_PHASES or not o.deals:
        return ()
    last = o.deals[-1]
    shown = (Row(Message("shown", {"seat": last.claimed or 0}), (last.shown,)),) if last.shown is not None else ()
    is_reported = o.phase == OVER and min(o.chips) <= 0
    return shown if is_reported else (Line(_settlement_message(o, len(o.deals))), *shown)


def _settlement_message(o: KakeyaObservation, number: int) -> Message:
    """The settlement of deal ``number`` of this game as a sentence (K9)."""
    deal = o.deals[number - 1]
    count, others = deal.pictures[1], deal.pictures[0]
    because = "even" if count == others == 8 and deal.because == "fewer_pictures" else deal.because
    args: dict[str, Value] = {
        "number": number,
        "seats": deal.losers,
        "count": count,
        "chips": deal.chips,
        "by": deal.claimed or 0,
    }
    return Message(f"{'claimed' if deal.claimed else 'settled'}.{because}", args)


def _draw_row(number: int, drawn: tuple[tuple[int, Card], ...]) -> Row:
    """The cards of round ``number`` of draws for a tie, with the highest marked (K14)."""
    players, cards = zip(*drawn, strict=True)
    top = max(map(rank_of, cards))
    marked = tuple(card for card in cards if rank_of(card) == top)
    return Row(Message("draw", {"number": number, "seats": players}), cards, marked)


def words(action: Action) -> Message:
    """An action in the words of a player."""
    return Message("action.trump", {"suit": action.args[0]}) if action.kind == "trump" else words_by_kind(action)


def question(observation: KakeyaObservation) -> Question:
    """The question for one action: cards in the order of the hand, then a claim; or suits, present trumps first."""
    o = observation
    if o.phase == TRUMP:
        suits = sorted(o.legal, key=lambda action: action.args[0] != SUITS[o.trump])
        message = Message("ask.trump", {"seat": o.seat, "suit": SUITS[o.trump]})
        return Question(message, tuple(suits), labels={action: _trump_label(o, action) for action in suits})
    if o.phase == LEAD:
        args = {"seat": o.partner or 0}
        labels = {action: Message("partner_leads", args) for action in o.legal if action.kind == "partner"}
        return Question(Message("ask.lead", {"seat": o.seat, "by": o.partner or 0}), o.legal, labels=labels)
    actions = in_hand_order(o.legal, by_suit(o.hand, o.trump))
    shown = (*o.legal, *[action for action, _ in o.refused])
    labels = {action: Message("play_rensho", {"card": o.rensho}) for action in shown if action.cards == (o.rensho,)}
    if o.claim:
        labels |= {action: _claim_label(o.claim) for action in o.legal if action.kind == "claim"}
    costly = frozenset(action for action in o.legal if action.kind == "claim")
    return Question(_card_message(o), actions, labels=labels, costly=costly, first=cheapest(actions, o.trump))


def _trump_label(o: KakeyaObservation, action: Action) -> Message:
    """The label of a choice of trumps, which names the rensho of that suit (K5)."""
    suit = str(action.args[0])
    key = "keep_trump" if suit == SUITS[o.trump] else "change_trump"
    return Message(key, {"suit": suit, "card": RENSHO[SUITS.index(suit)]})


def _card_message(o: KakeyaObservation) -> Message:
    """The message that asks for a card. It mentions a legal claim, whose line may be out of view."""
    if not o.trick:
        return Message("ask.play_or_claim" if o.claim else "ask.play", {"seat": o.seat})
    led = suit_of(o.trick.cards[0])
    can_follow = any(suit_of(card) == led for card in o.hand)
    key = "ask.follow" if can_follow else "ask.play_any"
    return Message(key + "_or_claim" if o.claim else key, {"seat": o.seat, "suit": SUITS[led]})


def _claim_label(claim: Settlement) -> Message:
    """The label of a claim, with its settlement (K12)."""
    args: dict[str, Value] = {"seats": claim.losers, "chips": claim.chips}
    return Message("claim", args) if claim.shown is None else Message("claim_showing", {**args, "card": claim.shown})


def sheet(observation: KakeyaObservation) -> Sheet:
    """The score sheet: partner and chips of each player, and in a series the points of all games.

    At the end of the match the players are sorted by rank."""
    o = observation
    head = [Message("head.player"), Message("head.partner"), Message("head.chips")]
    if o.ranks:
        head.insert(0, Message("head.rank"))
    if o.games:
        head += [Message("head.points"), *[Message("head.game", {"number": n}) for n in range(1, len(o.games) + 1)]]
    notes = [_settlement_message(o, number) for number in range(1, len(o.deals) + 1)] or [Message("no_deals")]
    for drawn in o.draws:
        notes += [Message("event.drew", {"seat": seat, "card": card}) for seat, card in drawn]
    seats = sorted(range(1, len(o.chairs) + 1), key=lambda seat: o.ranks[seat - 1] if o.ranks else seat)
    return Sheet(Columns(tuple(head), tuple(_sheet_row(o, seat) for seat in seats)), tuple(notes))


def _sheet_row(o: KakeyaObservation, seat: int) -> tuple[Cell, ...]:
    chair = o.chairs.index(seat)
    partner = o.chairs[chair - len(o.pairs)]
    points = (o.points[seat - 1], *[game[seat - 1] for game in o.games]) if o.games else ()
    rank = (o.ranks[seat - 1],) if o.ranks else ()
    chips = o.chips[chair % len(o.pairs)]
    return *rank, Message("name", {"seat": seat}), Message("name", {"seat": partner}), chips, *points


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The pictures of both pairs if the event ends a deal. Empty for other events, whose tricks stay in view."""
    if event.key not in ("deal_won", "deal_even"):
        return ()
    args: Any = event.args
    pictures = sorted([(args["seats"], args["cards"]), (args["other_seats"], args["other_cards"])])
    sides = [(Message("pair", {"seats": pair}), _sorted_by_rank(taken)) for pair, taken in pictures]
    return (TakenCards(tuple(sides), args["card"]),)


def look_back(observation: KakeyaObservation) -> tuple[Block, ...]:
    """The last trick, from its lead, with the reason why it was won."""
    o = observation
    trick = o.last_trick
    if trick is None or o.phase == DEAL:
        return (Line(Message("no_trick")),)
    rows: list[tuple[Cell, ...]] = []
    for seat, card in trick.plays:
        shown = Message("card_rensho" if card == o.rensho else "card", {"card": card})
        because = why_winning(card, o.trump, True, o.rensho) if seat == trick.winner else None
        rows.append((Message("name", {"seat": seat}), shown, because))
    return (Columns((Message("head.player"), Message("head.card"), ""), tuple(rows)),)
