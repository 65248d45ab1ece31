"""Kakeya Trump on the table. Players sit in the order of the present game's chairs, and a pair is a side."""

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
    Frame,
    Line,
    Message,
    Row,
    Scene,
    SeatView,
    Sheet,
    Side,
    Sides,
    Taken,
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
    """The table: players and partners, the trick before its players, each pair's chips and pictures, and the hand."""
    o = observation
    drawn = [_draw(number, drawn) for number, drawn in enumerate(o.draws, 1)]
    return Scene(
        facts=_facts(o),
        players=_players(o),
        middle=(Sides(tuple(_side(o, place) for place in range(len(o.pairs)))), *drawn, *_deal_just_over(o)),
        hand=by_suit(o.hand, o.trump),
        playable=frozenset(action.cards[0] for action in o.legal if action.cards) or None,
        boss=o.rensho,
        legend=Message("rensho", {"card": o.rensho}),
        last=o.trick.cards[-1] if o.trick else None,
        frame=Frame(
            len(o.pairs) + 1,
            len(o.pairs) + 1,
            ("trump", "leads", "wins", "last"),
            DEALT_EACH,
            because=Message("wins.led", {"suit": SUITS[0]}),
        ),
        clause=CLAUSES.get(o.phase, ""),
        trump=o.trump,
        roles=((Message("partner"),), *[(Message("with", {"seat": seat}),) for seat in o.chairs]),
    )


def _in_series(o: KakeyaObservation) -> bool:
    """Whether the match is known to have several games; the first looks like a single game until it ends."""
    return o.game > 1 or o.phase in (SEATS, DRAW)


def _facts(o: KakeyaObservation) -> tuple[Message, ...]:
    return (
        *((Message("game_number", {"number": o.game}),) if _in_series(o) else ()),
        Message("deal_number", {"number": o.deal}),
        Message("trump", {"suit": SUITS[o.trump]}),
    )


def _players(o: KakeyaObservation) -> tuple[SeatView, ...]:
    """The players, each with their card of the present or the last trick."""
    over = o.trick is None
    trick = o.last_trick if over and _last_trick_lies(o) else o.trick
    return tuple(_player(o, seat, trick, over) for seat in sorted(o.chairs))


def _last_trick_lies(o: KakeyaObservation) -> bool:
    """Whether the last trick is still shown: until the next card is led, but not after a claim."""
    return o.phase == PLAY or (o.phase != DEAL and bool(o.deals) and o.deals[-1].claimed is None)


def _player(o: KakeyaObservation, seat: int, trick: Trick | None, over: bool) -> SeatView:
    """A player with the card that they have played to a trick, which may be ``over``."""
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
    """The points of a player: in a series from finished games; at the end of the match all, with the rank."""
    points = o.points[seat - 1]
    if o.ranks:
        return Message("ranked", {"number": o.ranks[seat - 1], "points": points})
    return Message("points", {"points": points}) if _in_series(o) else None


def _partner(o: KakeyaObservation, seat: int) -> Message:
    if seat == o.partner:
        return Message("partner")
    return Message("with", {"seat": o.chairs[o.chairs.index(seat) - len(o.pairs)]})


def _rests(o: KakeyaObservation, pair: tuple[int, ...]) -> bool:
    """Whether a pair sits out the deal that is being played."""
    return o.phase in CARD_PHASES and pair == o.resting


def _side(o: KakeyaObservation, place: int) -> Side:
    pair, pictures = o.pairs[place], o.pictures[place]
    marks = []
    if o.phase == PLAY and not _rests(o, pair):
        marks.append(Message("pictures", {"count": len(pictures)}))
    if pair == o.dealers and (o.phase in (TRUMP, DEAL, LEAD) or _rests(o, pair)):
        marks.append(Message("dealers"))
    if _rests(o, pair):
        marks.append(Message("resting"))
    return Side(Message("pair", {"seats": pair}), o.chips[place], tuple(marks), _by_rank(pictures), _rests(o, pair))


def _by_rank(pictures: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(pictures, key=lambda card: (-rank_of(card), suit_of(card))))


def _deal_just_over(o: KakeyaObservation) -> tuple[Block, ...]:
    """The settlement of the last deal, until the next is dealt, with rensho if a claim showed it.

    At the end of the match the events report the settlement, unless time was called."""
    if o.phase in CARD_PHASES or not o.deals:
        return ()
    last = o.deals[-1]
    shown = (Row(Message("shown", {"seat": last.claimed or 0}), (last.shown,)),) if last.shown is not None else ()
    told = o.phase == OVER and min(o.chips) <= 0
    return shown if told else (Line(_settled(o, len(o.deals))), *shown)


def _settled(o: KakeyaObservation, number: int) -> Message:
    """The settlement of a deal as a sentence (K9)."""
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


def _draw(number: int, drawn: tuple[tuple[int, Card], ...]) -> Row:
    """The cards drawn in a round for a tie, the highest marked (K14)."""
    players, cards = zip(*drawn, strict=True)
    top = max(map(rank_of, cards))
    marked = tuple(card for card in cards if rank_of(card) == top)
    return Row(Message("draw", {"number": number, "seats": players}), cards, marked)


def words(action: Action) -> Message:
    """An action in a player's words."""
    return Message("action.trump", {"suit": action.args[0]}) if action.kind == "trump" else words_by_kind(action)


def question(observation: KakeyaObservation) -> Question:
    """The question for one action: cards in the order of the hand, then a claim; of trumps the present ones first."""
    o = observation
    if o.phase == TRUMP:
        suits = sorted(o.legal, key=lambda action: action.args[0] != SUITS[o.trump])
        message = Message("ask.trump", {"seat": o.seat, "suit": SUITS[o.trump]})
        return Question(message, tuple(suits), said={action: _new_trump(o, action) for action in suits})
    if o.phase == LEAD:
        args = {"seat": o.partner or 0}
        said = {action: Message("partner_leads", args) for action in o.legal if action.kind == "partner"}
        return Question(Message("ask.lead", {"seat": o.seat, "by": o.partner or 0}), o.legal, said=said)
    actions = in_hand_order(o.legal, by_suit(o.hand, o.trump))
    thought = (*o.legal, *[action for action, _ in o.refused])
    said = {action: Message("play_rensho", {"card": o.rensho}) for action in thought if action.cards == (o.rensho,)}
    if o.claim:
        said |= {action: _claim(o.claim) for action in o.legal if action.kind == "claim"}
    costly = frozenset(action for action in o.legal if action.kind == "claim")
    return Question(_play(o), actions, said=said, costly=costly, first=cheapest(actions, o.trump))


def _new_trump(o: KakeyaObservation, action: Action) -> Message:
    """The choice of a suit of trumps, with the rensho that it makes (K5)."""
    suit = str(action.args[0])
    key = "keep_trump" if suit == SUITS[o.trump] else "change_trump"
    return Message(key, {"suit": suit, "card": RENSHO[SUITS.index(suit)]})


def _play(o: KakeyaObservation) -> Message:
    """The question for a card. It mentions a legal claim, as that choice may be out of view at the list's end."""
    if not o.trick:
        return Message("ask.play_or_claim" if o.claim else "ask.play", {"seat": o.seat})
    led = suit_of(o.trick.cards[0])
    able = any(suit_of(card) == led for card in o.hand)
    key = "ask.follow" if able else "ask.play_any"
    return Message(key + "_or_claim" if o.claim else key, {"seat": o.seat, "suit": SUITS[led]})


def _claim(claim: Settlement) -> Message:
    """The result of a legal claim (K12)."""
    args: dict[str, Value] = {"seats": claim.losers, "chips": claim.chips}
    return Message("claim", args) if claim.shown is None else Message("claim_showing", {**args, "card": claim.shown})


def sheet(observation: KakeyaObservation) -> Sheet:
    """Each player with their present partner, the chips of this game, and in a series the points of all games.

    At the end of the match the players stand in the order of their ranks.
    """
    o = observation
    head = [Message("head.player"), Message("head.partner"), Message("head.chips")]
    if o.ranks:
        head.insert(0, Message("head.rank"))
    if o.games:
        head += [Message("head.points"), *[Message("head.game", {"number": n}) for n in range(1, len(o.games) + 1)]]
    notes = [_settled(o, number) for number in range(1, len(o.deals) + 1)] or [Message("no_deals")]
    for drawn in o.draws:
        notes += [Message("event.drew", {"seat": seat, "card": card}) for seat, card in drawn]
    seats = sorted(range(1, len(o.chairs) + 1), key=lambda seat: o.ranks[seat - 1] if o.ranks else seat)
    return Sheet(Columns(tuple(head), tuple(_standing(o, seat) for seat in seats)), tuple(notes))


def _standing(o: KakeyaObservation, seat: int) -> tuple[Cell, ...]:
    chair = o.chairs.index(seat)
    partner = o.chairs[chair - len(o.pairs)]
    points = (o.points[seat - 1], *[game[seat - 1] for game in o.games]) if o.games else ()
    rank = (o.ranks[seat - 1],) if o.ranks else ()
    chips = o.chips[chair % len(o.pairs)]
    return *rank, Message("name", {"seat": seat}), Message("name", {"seat": partner}), chips, *points


def cleared(event: Event) -> tuple[Block, ...]:
    """The pictures of both pairs, for the event that ends a deal; else empty, as finished tricks stay in view."""
    if event.key not in ("deal_won", "deal_even"):
        return ()
    args: Any = event.args
    pictures = sorted([(args["seats"], args["cards"]), (args["other_seats"], args["other_cards"])])
    sides = [(Message("pair", {"seats": pair}), _by_rank(taken)) for pair, taken in pictures]
    return (Taken(tuple(sides), args["card"]),)


def last(observation: KakeyaObservation) -> tuple[Block, ...]:
    """The last trick, from its lead, and why it was won."""
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
