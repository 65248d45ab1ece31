"""The layout of Kakeya Trump, in which a side is called a pair."""

from collections.abc import Sequence
from typing import Any

from cardgames.engine import kakeya as rules
from cardgames.engine.cards import SUITS, Card, card_set, rank_of, suit_of
from cardgames.engine.game import Action, Event, Message, Value
from cardgames.engine.kakeya import KakeyaObservation
from cardgames.engine.tricks import NO_TRICK
from cardgames.layout import scene as parts
from cardgames.layout.question import Question, cheapest, in_hand_order, is_highest_left, taking, words_by_kind
from cardgames.layout.scene import Block, Columns, Row, Scene, SeatView, Sheet, Side, Sides, by_suit

PAUSES = frozenset({"trick_won", "pictures_won", "claimed", "claimed_with_rensho", "time_called", "seated"})
ENDS = frozenset({"out_of_chips", "time_called"})
HAND_ORDER = "suit"
CARD_ORDERS = dict.fromkeys(("pictures_won",), by_suit)
CLAUSES = {"trump": "K4", "deal": "K6", "lead": "K7", "play": "K8", "seats": "K14", "draw": "K14", "over": "K11"}
LETTERS = {
    **{f"trump {suit}": letter for suit, letter in zip(SUITS, "vwxy", strict=True)},
    "lead": "v",
    "partner": "x",
    "claim": "z",
}

words = words_by_kind


def scene(observation: KakeyaObservation) -> Scene:
    """The table: the trick before its players, the chips and pictures of each pair, and the viewer's hand."""
    sides = Sides(tuple([_side(observation, index) for index in range(len(observation.pairs))]))
    is_over = observation.trick is None
    trick = (observation.last_trick if is_over and _shows_last_trick(observation) else observation.trick) or NO_TRICK
    draws = [_draw_row(number, drawn) for number, drawn in enumerate(observation.draws, 1)]
    game = (Message("game_number", {"number": observation.game}),) if _in_series(observation) else ()
    deal = Message("deal_number", {"number": observation.deal})
    trump = Message("trump", {"suit": SUITS[observation.trump]})
    return Scene(
        facts=(*game, deal, trump, Message("rensho", {"card": observation.rensho})),
        players=tuple([_seat_view(observation, seat) for seat in sorted(observation.chairs)]),
        middle=(sides, *draws, *_last_settlement(observation)),
        hand=by_suit(observation.hand, observation.trump),
        viewer=observation.seat,
        counter_clockwise=True,
        trick=trick,
        because=parts.why_winning(trick, observation.trump, is_over, observation.rensho),
        playable=frozenset(action.cards[0] for action in observation.legal if action.cards) or None,
        boss=observation.rensho,
        kind=parts.TableKind(tricks=True),
        clause=CLAUSES.get(observation.phase, ""),
        trump=observation.trump,
    )


def _in_series(observation: KakeyaObservation) -> bool:
    """Whether the match is known to be a series. The observation does not show it before the first game ends."""
    return observation.game > 1 or observation.phase in (rules.SEATS, rules.DRAW)


def _shows_last_trick(observation: KakeyaObservation) -> bool:
    """Whether the last trick may be shown: between two tricks, and after a deal that did not end by a claim."""
    if observation.phase in (rules.PLAY, rules.DEAL) or not observation.deals:
        return observation.phase == rules.PLAY
    return observation.deals[-1].claimed is None


def _seat_view(observation: KakeyaObservation, seat: int) -> SeatView:
    resting = observation.phase in rules.CARD_PHASES and seat in observation.resting
    partner = Message("with", {"seat": _partner_of(observation, seat)})
    partner = Message("partner") if seat == observation.partner else partner
    marks, score = (Message("resting") if resting else partner,), _score(observation, seat)
    return SeatView(seat, observation.counts[seat - 1], marks, score=score, resting=resting)


def _score(observation: KakeyaObservation, seat: int) -> Message | None:
    """A seat's points from finished games, with the rank once the match is over; ``None`` before the first ends."""
    points = observation.points[seat - 1]
    if observation.ranks:
        return Message("ranked", {"number": observation.ranks[seat - 1], "points": points})
    return Message("points", {"points": points}) if _in_series(observation) else None


def _partner_of(observation: KakeyaObservation, seat: int) -> int:
    return observation.chairs[observation.chairs.index(seat) - len(observation.pairs)]


def _side(observation: KakeyaObservation, index: int) -> Side:
    """The pair at ``index`` of the observation's pairs, with its chips, roles and pictures."""
    pair, pictures, phase = observation.pairs[index], observation.pictures[index], observation.phase
    sits_out = phase in rules.CARD_PHASES and pair == observation.resting
    marks = [Message("pictures", {"count": len(pictures)})] if phase == rules.PLAY and not sits_out else []
    if pair == observation.dealers and (phase in (rules.TRUMP, rules.DEAL, rules.LEAD) or sits_out):
        marks.append(Message("dealers"))
    if sits_out:
        marks.append(Message("resting"))
    return Side(Message("pair", {"seats": pair}), observation.chips[index], tuple(marks), _sorted_by_rank(pictures))


def _sorted_by_rank(pictures: Sequence[Card]) -> tuple[Card, ...]:
    """Sort pictures: kings first, and equal ranks by suit."""
    return tuple(sorted(pictures, key=lambda card: (-rank_of(card), suit_of(card))))


def _last_settlement(observation: KakeyaObservation) -> tuple[Block, ...]:
    """The settlement of the last deal, and the rensho if a claim showed it; empty during a deal.

    If that deal ended the match, its settlement is left out, because the events report it."""
    if observation.phase in rules.CARD_PHASES or not observation.deals:
        return ()
    last = observation.deals[-1]
    shown = (Row(Message("shown", {"seat": last.claimed or 0}), (last.shown,)),) if last.shown is not None else ()
    is_reported = observation.phase == rules.OVER and min(observation.chips) <= 0
    return shown if is_reported else (_settlement_message(observation, len(observation.deals)), *shown)


def _settlement_message(observation: KakeyaObservation, number: int) -> Message:
    """The settlement of deal ``number`` of this game, counted from 1, as a sentence (K9)."""
    deal = observation.deals[number - 1]
    winners_count, losers_count = deal.pictures
    because = deal.because
    if because.endswith("pictures"):  # with 8 of 16 each, neither pair has fewer
        because = "even" if winners_count == losers_count == 8 else "pictures"
    args: dict[str, Value] = {"number": number, "seats": deal.losers, "count": losers_count, "chips": deal.chips}
    args["claimed"] = int(bool(deal.claimed))
    return Message(f"settled.{because}", args)


def _draw_row(number: int, drawn: tuple[tuple[int, Card], ...]) -> Row:
    """The cards of a round of draws for a tie, with the highest marked (K14).

    ``number``: the number of the round; ``drawn``: pairs of player and card."""
    players, cards = zip(*drawn, strict=True)
    top = max(map(rank_of, cards))
    marked = tuple(card for card in cards if rank_of(card) == top)
    return Row(Message("draw", {"number": number, "seats": players}), cards, marked)


def question(observation: KakeyaObservation) -> Question:
    """The question for one action: cards in the order of the hand, before a claim, or the present trumps first."""
    if observation.phase == rules.TRUMP:
        suits = sorted(observation.legal, key=lambda action: action.args[0] != SUITS[observation.trump])
        message = Message("ask.trump", {"seat": observation.seat, "suit": SUITS[observation.trump]})
        return Question(message, tuple(suits), labels={action: _trump_label(observation, action) for action in suits})
    if observation.phase == rules.LEAD:
        partner = observation.partner or 0
        ask = Message("ask.lead", {"seat": observation.seat, "by": partner})
        return Question(ask, observation.legal, labels={rules.PARTNER: Message("partner_leads", {"seat": partner})})
    actions = in_hand_order(observation.legal, by_suit(observation.hand, observation.trump))
    shown, rensho = (*observation.legal, *[action for action, _ in observation.refused]), observation.rensho
    labels = {action: Message("play_rensho", {"card": rensho}) for action in shown if action.cards == (rensho,)}
    if claim := observation.claim:  # its label has the settlement (K12)
        args: dict[str, Value] = {"seats": claim.losers, "chips": claim.chips}
        with_card = Message("claim_showing", args | {"card": claim.shown or 0})
        labels[rules.CLAIM] = Message("claim", args) if claim.shown is None else with_card
    ask, preselected = _card_message(observation), _preselected_card(observation, actions)
    costly = frozenset([rules.CLAIM] if claim else ())
    return Question(ask, actions, labels=labels, costly=costly, preselected=preselected)


def _preselected_card(observation: KakeyaObservation, actions: Sequence[Action]) -> Action | None:
    """The action at which the pointer starts: a card sure to take the trick from the opponents, or else the cheapest.

    Pictures are kept but for a trick of the partner; trumps and rensho too, unless the last player takes pictures."""
    trick, trump = observation.trick or NO_TRICK, observation.trump
    plays = [action for action in actions if action.cards and action.cards != (observation.rensho,)]
    pictures = [play for play in plays if rules.PICTURES >> play.cards[0] & 1]
    takers, is_last = taking(plays, trick.cards, trump, observation.rensho), len(trick.cards) == 3
    if not (is_last and rules.PICTURES & card_set(trick.cards)):
        takers = [each for each in takers if suit_of(each.cards[0]) != trump]
    if not is_last:
        unseen = card_set(rules.PACK) & ~(observation.played | card_set(observation.hand))
        takers = [each for each in takers if is_highest_left(each.cards[0], unseen)]
    if trick.winner and trick.winner == observation.partner:
        takers = [play for play in pictures if is_last and play not in takers]
    kept = [play for play in plays if play not in pictures]
    return cheapest(takers, trump) or cheapest(kept, trump) or cheapest(actions, trump)


def _trump_label(observation: KakeyaObservation, action: Action) -> Message:
    suit = str(action.args[0])
    key = "keep_trump" if suit == SUITS[observation.trump] else "change_trump"
    return Message(key, {"suit": suit, "card": rules.RENSHO[SUITS.index(suit)]})  # K5


def _card_message(observation: KakeyaObservation) -> Message:
    """The message that asks for a card."""
    if not observation.trick:
        return Message("ask.play", {"seat": observation.seat})
    led = suit_of(observation.trick.cards[0])
    can_follow = any(suit_of(card) == led for card in observation.hand)
    return Message("ask.play_follow" if can_follow else "ask.play_any", {"seat": observation.seat, "suit": SUITS[led]})


def sheet(observation: KakeyaObservation) -> Sheet:
    """The score sheet: partner and chips of each player, and in a series the points of all games.

    At the end of the match the players are sorted by rank."""
    head = [Message("head.rank")] if observation.ranks else []
    head += [Message("head.player"), Message("head.partner"), Message("head.chips")]
    head += [Message("head.points")] if observation.games else []
    head += [Message("head.game", {"number": number}) for number, _ in enumerate(observation.games, 1)]
    notes = [_settlement_message(observation, number) for number, _ in enumerate(observation.deals, 1)]
    notes = notes or [Message("no_deals")]
    for drawn in observation.draws:
        notes += [Message("event.drew", {"seat": seat, "card": card}) for seat, card in drawn]
    ranks = observation.ranks or (0,) * len(observation.chairs)
    seats = sorted(observation.chairs, key=lambda seat: (ranks[seat - 1], seat))
    return Sheet(Columns(tuple(head), tuple([_sheet_row(observation, seat) for seat in seats])), tuple(notes))


def _sheet_row(observation: KakeyaObservation, seat: int) -> tuple[parts.Cell, ...]:
    names = [Message("name", {"seat": named}) for named in (seat, _partner_of(observation, seat))]
    chips = observation.chips[observation.chairs.index(seat) % len(observation.pairs)]
    ranks = (observation.ranks[seat - 1],) if observation.ranks else ()
    points = [observation.points, *observation.games] if observation.games else []
    return (*ranks, *names, chips, *[each[seat - 1] for each in points])


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The pictures of both pairs if the event ends a deal. Empty for other events, whose tricks stay in view."""
    if event.key not in ("deal_won", "deal_even"):
        return ()
    args: Any = event.args
    pictures = sorted([(args["seats"], args["cards"]), (args["other_seats"], args["other_cards"])])
    sides = [(Message("pair", {"seats": pair}), _sorted_by_rank(taken)) for pair, taken in pictures]
    return (parts.TakenCards(tuple(sides), args["card"]),)


def look_back(observation: KakeyaObservation) -> tuple[Block, ...]:
    trick = observation.last_trick
    if trick is None or observation.phase == rules.DEAL:
        return (Message("no_trick"),)
    return (parts.finished_trick(trick, observation.trump, observation.rensho),)
