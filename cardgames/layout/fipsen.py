"""The layout of Fipsen. The pointer starts at what the hand is likely to make, by counting it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import fipsen as rules
from cardgames.engine.cards import CARDS, RANK_SETS, RANKS, SUITS, Card, CardSet, card_set, rank_of, suit_of
from cardgames.engine.fipsen import HOLD, PASS, SAY_SEVENS, SEVENS_POINTS, FipsenObservation
from cardgames.engine.fipsen_bids import EXTRA_SETS, TRICKS, Bid, bid_of, worth
from cardgames.engine.game import Action, Event, Message, Value
from cardgames.engine.tricks import Trick
from cardgames.layout import scene as parts
from cardgames.layout.question import Pick, Question, cheapest, in_hand_order, is_highest_left, taking, words_by_kind
from cardgames.layout.scene import Block, Columns, Row, Scene, SeatView, Sheet, by_suit

PAUSES = frozenset({"trick_won", "made", "failed", "said_sevens", "all_passed"})
ENDS = frozenset({"match_ended"})
HAND_ORDER = "suit"
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

LEAST_FOR_HAND, LEAST_WITH_SKAT = {2: 10, 3: 12, 4: 15, 5: 17}, {2: 6, 3: 8, 4: 12, 5: 15}
"""The least strength of a hand for so many tricks without and with the skat.

They are those with which hints call fewest starts an error (``scripts/trials starts-are-right``)."""

EXTRAS = Message("extras_are", {"suit": "D"})

PHASES_BETWEEN_DEALS = ("deal", "over")
PLAY_PHASES = ("play", "stop")
"""The phases between the first card and the end of the deal."""


def scene(observation: FipsenObservation) -> Scene:
    """The table: the bid and its points, the trick before its players, and the viewer's hand."""
    is_over = bool(observation.tricks and not observation.trick)
    seats, cards = zip(*observation.trick, strict=True) if observation.trick else ((), ())
    trick = observation.tricks[-1] if is_over else Trick(seats, cards, observation.winning or 0)
    return Scene(
        facts=_facts(observation),
        players=tuple(_seat_view(observation, seat) for seat in range(1, len(observation.counts) + 1)),
        middle=_middle(observation),
        hand=by_suit(observation.hand, observation.trump),
        viewer=observation.seat,
        trick=trick,
        because=parts.why_winning(trick, observation.trump, is_over),
        playable=frozenset(action.cards[0] for action in observation.legal if action.kind == "play") or None,
        kind=parts.TableKind(tricks=True, small_hands=True),
        clause=CLAUSES.get(observation.phase, ""),
        trump=observation.trump,
    )


def _facts(observation: FipsenObservation) -> tuple[Message, ...]:
    """The facts in the head line: trumps, the size of the skat, the count of cards laid away, and the deal's number."""
    if observation.phase in PHASES_BETWEEN_DEALS:
        return ()
    facts = [Message("trump", {"suit": SUITS[observation.trump]})] if observation.trump is not None else []
    counts = {"skat": observation.skat, "laid": observation.laid}
    facts += [Message(key, {"count": count}) for key, count in counts.items() if count]
    return (*facts, Message("deal_number", {"number": len(observation.history) + 1, "count": observation.deals}))


def _seat_view(observation: FipsenObservation, seat: int) -> SeatView:
    score = Message("score", {"points": observation.scores[seat - 1]})
    return SeatView(seat, observation.counts[seat - 1], _marks(observation, seat), score=score)


def _marks(observation: FipsenObservation, seat: int) -> tuple[Message | parts.MarkCount, ...]:
    """The roles of a player. During play only declarer has one, with the number of tricks won and needed."""
    if observation.phase in PLAY_PHASES and observation.contract and seat == observation.declarer:
        return (parts.MarkCount(Message("declarer"), observation.won[seat - 1], observation.contract.needed),)
    if observation.phase in (*PHASES_BETWEEN_DEALS, *PLAY_PHASES):
        return ()
    marks = [Message("dealer")] if seat == observation.dealer else []
    if observation.phase == "bid" and (role := _role_in_auction(observation, seat)):
        marks.append(Message(role))
    if seat == observation.declarer:
        marks.append(Message("declarer"))
    elif seat in observation.courtless:
        marks.append(Message("courtless"))
    return tuple(marks)


def _role_in_auction(observation: FipsenObservation, seat: int) -> str:
    """The message key of a player's role in the auction; empty before the first call."""
    if seat == observation.standing:
        return "stands"
    if seat in observation.waiting:
        return "waits"
    if any(by == seat and action.kind == "pass" for by, action in observation.auction):
        return "passed"
    return "challenges" if observation.standing else ""


def _middle(observation: FipsenObservation) -> tuple[Block, ...]:
    """The blocks in the middle: the bid or contract with its points, and the cards that the viewer knows."""
    if observation.phase in PHASES_BETWEEN_DEALS:
        return ()
    # A player with four sevens and an ace is reminded on each turn (F13).
    reminder = [Message("holds_sevens", {"points": SEVENS_POINTS})] if SAY_SEVENS in observation.legal else []
    bid, contract, declarer = observation.bid, observation.contract, observation.declarer or 0
    if contract is None:
        key, args = "nothing_stands", _bid_args(bid) if bid else {}
        if observation.phase != "bid":
            assert bid
            key, args = "to_name", {"seat": declarer, "count": len(bid.extras), **args}
        elif bid:
            key, args = "stands_held" if observation.held else "stands_bid", {"seat": observation.bidder or 0, **args}
        return (*reminder, Message(key, args), EXTRAS)
    blocks: list[Block] = [*reminder, Message("plays", {"seat": declarer, **_bid_args(contract)})]
    if observation.phase in PLAY_PHASES:
        lost = len(observation.tricks) - observation.won[declarer - 1]  # ``number`` of them defeat the contract
        blocks.append(Message("rest", {"count": lost, "number": TRICKS + 1 - contract.needed}))
    if observation.own_laid:
        blocks.append(Row(Message("laid_away"), by_suit(observation.own_laid)))
    if observation.shown and observation.seat != observation.declarer:  # for a kieker
        blocks.append(Row(Message("shown", {"seat": declarer}), by_suit(observation.shown)))
    return tuple(blocks)


def _bid_args(bid: Bid) -> dict[str, int | str]:
    """The arguments of a message about a bid, with the points for making it and for failing."""
    won, lost = worth(bid)
    return {"bid": bid.text, "won": won, "lost": -lost}


def words(action: Action) -> Message:
    if action.kind in ("bid", "kieker"):
        bid = bid_of(action)
        return Message("action.bid_tricks" if bid.text.isdigit() else "action." + action.kind, _bid_args(bid))
    if action.kind == "name":
        return Message("action.name", {"extras": tuple(map(str, action.args))})
    return Message("action.discard", {"cards": action.cards}) if action.kind == "discard" else words_by_kind(action)


def question(observation: FipsenObservation) -> Question:
    """The question for one action. A choice that gives up four sevens and an ace leads to a further one (F13)."""
    if observation.phase == "discard":
        return _sevens_first(observation, "to_discard", _discard_question(observation))
    if observation.phase == "play":
        return _sevens_first(observation, "to_lead", _card_question(observation))
    if observation.phase == "bid":
        return _call_question(observation)
    ask, actions = Message("ask." + observation.phase, {"seat": observation.seat}), _passes_first(observation.legal)
    labels = _contract_labels(observation.contract) if observation.contract else {}
    costly = frozenset({rules.GO_ON} & {*observation.legal})
    return Question(ask, actions, labels=labels, costly=costly, preselected=_contract_start(observation))


def _call_question(observation: FipsenObservation) -> Question:
    refused = [action for action, _ in observation.refused if action != HOLD]
    labels = {action: Message("bid_alone", {"bid": bid_of(action).text}) for action in refused}
    key = "ask.bid_more" if observation.bid else "ask.bid"
    if observation.bid and HOLD in observation.legal:
        key, labels[HOLD] = "ask.bid_or_hold", Message("action.hold_for", _bid_args(observation.bid))
    bids = [action for action in observation.legal if action.kind in ("bid", "kieker")]
    kiekers = [bid for bid in bids if bid_of(bid).kieker]
    others = [action for action in observation.legal if action not in bids]
    costly = frozenset([bid for bid in bids if bid_of(bid).kieker or bid_of(bid).tricks == TRICKS])
    further_questions = []
    if observation.gives_up_sevens(PASS):
        confirmation = Question(Message("ask.give_up_sevens", {"seat": observation.seat}), (SAY_SEVENS, PASS))
        others.remove(PASS)
        further_questions.append((Message("to_pass"), confirmation))
    if len(bids) > FEW_BIDS:
        plain = [bid for bid in bids if bid not in kiekers]
        for tricks in sorted({bid_of(bid).tricks for bid in plain}):
            alike = tuple([bid for bid in plain if bid_of(bid).tricks == tricks])
            ask = Message("ask.extras", {"seat": observation.seat, "count": tricks})
            extras = Question(ask, alike, labels=labels, costly=costly & {*alike})
            further_questions.append((Message("to_bid", {"count": tricks}), extras))
        bids = kiekers  # the others are in the further questions
    ask, calls = Message(key, {"seat": observation.seat}), _passes_first((*others, *bids))
    further = tuple(further_questions)
    return Question(ask, calls, further=further, labels=labels, costly=costly, preselected=_call_start(observation))


def _card_question(observation: FipsenObservation) -> Question:
    plays = [action for action in observation.legal if action != SAY_SEVENS]
    actions = in_hand_order(plays, by_suit(observation.hand, observation.trump))
    key, args = "ask.play", dict[str, Value](seat=observation.seat)
    if observation.trick:
        led = suit_of(observation.trick[0][1])
        key += "_follow" if suit_of(actions[0].cards[0]) == led else "_any"
        args |= {"suit": SUITS[led]}
    return Question(Message(key, args), actions, preselected=_card_start(observation, actions))


def _sevens_first(observation: FipsenObservation, further_key: str, further: Question) -> Question:
    """Return ``further``; if four sevens can be announced, first ask that, with ``further`` as the other choice."""
    if SAY_SEVENS not in observation.legal:
        return further
    args = {"seat": observation.seat, "count": len(observation.hand) - TRICKS}  # the number to lay away
    return Question(Message("ask.sevens", args), (SAY_SEVENS,), further=((Message(further_key, args), further),))


def _passes_first(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Sort actions: pass and hold first, then saying four sevens, then all others in their given order."""
    return tuple(sorted(actions, key=lambda action: 0 if action in (PASS, HOLD) else 1 if action == SAY_SEVENS else 2))


def _contract_labels(contract: Bid) -> dict[Action, Message]:
    labels = {
        rules.PLAY_HAND: Message("action.hand_for", _bid_args(contract.with_extra("hand"))),
        rules.TAKE_SKAT: Message("action.skat_for", _bid_args(contract)),
        rules.STOP_HERE: Message("action.stop_for", _bid_args(contract)),
        rules.GO_ON: Message("action.continue_for", _bid_args(contract.with_extra("durch"))),
    }
    for suit, action in zip(SUITS, rules.TRUMP_ACTIONS, strict=True):
        key, bid = ("trump_ruten", contract.with_extra("ruten")) if suit == "D" else ("trump_for", contract)
        labels[action] = Message("action." + key, {"suit": suit, **_bid_args(bid)})
    return labels


def _discard_question(observation: FipsenObservation) -> Question:
    count = len(observation.hand) - TRICKS
    discards = {frozenset(action.cards): action for action in observation.legal if action.kind == "discard"}

    def combine(cards: Sequence[Card]) -> Action | Message:
        return discards.get(frozenset(cards)) or Message("discard_count", {"count": count})

    def status(cards: Sequence[Card]) -> Message:
        action = discards.get(frozenset(cards))
        gives_up = action is not None and observation.gives_up_sevens(action)
        return Message("ticked_sevens" if gives_up else "ticked", {"number": len(cards), "count": count})

    taken, picks = {*observation.own_taken}, []
    are_all_taken = taken.issuperset(observation.hand)
    for card in by_suit(observation.hand):
        key = "taken" if card in taken and not are_all_taken else "own"  # a mark on every card would tell nothing
        picks.append(Pick(card, Message(key, {"card": card}), (card,)))
    ask = Message("ask.discard", {"seat": observation.seat, "count": count})
    return Question(ask, picks=tuple(picks), combine=combine, status=status)


def _call_start(observation: FipsenObservation) -> Action | None:
    """The call of the auction: hold or bid what the hand promises, or else pass.

    Bids without the skat come first, for most tricks, then bids with it, for fewest."""
    legal = {action.text: action for action in observation.legal}
    bids = [_with_ruten(observation, Bid(tricks)) for tricks in range(2, TRICKS + 1)]
    alone, held = [bid.with_extra("hand") for bid in reversed(bids)], observation.bid
    calls = [*[(f"bid {bid.text}", bid) for bid in alone], *([(HOLD.text, held)] if held else ())]
    calls += [(f"bid {bid.text}", bid) for bid in bids]
    promised = [legal[call] for call, bid in calls if call in legal and _promises(observation, bid)]
    return promised[0] if promised else legal.get(PASS.text)


def _contract_start(observation: FipsenObservation) -> Action | None:
    """The action for hand or skat, for trumps, and for stopping, which a deal that is won does."""
    contract = observation.contract
    if observation.phase == "trump" and contract:
        suits = [suit_of(card) for card in observation.hand]
        ranks = [sum(rank_of(card) for card in observation.hand if suit_of(card) == suit) for suit in range(len(SUITS))]
        best = max(range(len(SUITS)), key=lambda suit: (suits.count(suit), ranks[suit]))
        return rules.TRUMP_ACTIONS[rules.DIAMONDS if "ruten" in _with_ruten(observation, contract).extras else best]
    if rules.PLAY_HAND in observation.legal and contract:
        return rules.PLAY_HAND if _promises(observation, contract.with_extra("hand")) else rules.TAKE_SKAT
    return rules.STOP_HERE if rules.STOP_HERE in observation.legal else None


def _with_ruten(observation: FipsenObservation, bid: Bid) -> Bid:
    """The bid with diamonds as trumps, which double it, for a hand with their seven, or two tricks with two aces.

    Nobody has another diamond, so those aces take their tricks as if there were no trumps."""
    hand = observation.hand
    is_better = CARDS["7D"] in hand or (bid.needed == 2 and _count(hand, rules.ACES) > 1)
    return bid.with_extra("ruten") if is_better else bid


def _promises(observation: FipsenObservation, bid: Bid) -> bool:
    """Whether the longest suit, the aces, the seven of diamonds and the kings are likely to make a bid."""
    hand, more_players = observation.hand, len(observation.counts) - 3
    longest = max(Counter(map(suit_of, hand)).values())
    aces, kings = _count(hand, rules.ACES), _count(hand, RANK_SETS[RANKS.index("K")])
    strength = 3 * longest + 2 * aces + 3 * (CARDS["7D"] in hand) + kings
    if "hand" in bid.extras:
        return strength - more_players >= LEAST_FOR_HAND[bid.needed]
    return strength - 2 * more_players >= LEAST_WITH_SKAT[bid.needed]


def _count(hand: Sequence[Card], cards: CardSet) -> int:
    """The number of those cards in a hand."""
    return (card_set(hand) & cards).bit_count()


def _card_start(observation: FipsenObservation, actions: Sequence[Action]) -> Action | None:
    """The action at which the pointer starts: the cheapest card sure to take the trick, or else the cheapest of all.

    A trick that another defender is winning is left to them, and trumps are not led by a defender. Declarer leads the
    highest of two trumps or more."""
    trick, trump, seat = [card for _, card in observation.trick], observation.trump, observation.seat
    takers = taking(actions, trick, trump)
    trumps = [each for each in actions if suit_of(each.cards[0]) == trump]
    if not trick and seat == observation.declarer and len(trumps) > 1:
        return max(trumps, key=lambda each: rank_of(each.cards[0]))
    if trick and observation.declarer not in (seat, observation.winning):
        takers = []
    elif len(trick) < len(observation.counts) - 1:
        played = [card for each in observation.tricks for card in each.cards]
        unseen = card_set(rules.PACK) & ~card_set([*played, *trick, *observation.hand, *observation.own_laid])
        takers = [each for each in takers if is_highest_left(each.cards[0], unseen)]
        if not trick and seat != observation.declarer:
            takers = [each for each in takers if suit_of(each.cards[0]) != trump]
    return cheapest(takers, trump) or cheapest(actions, trump)


def sheet(observation: FipsenObservation) -> Sheet:
    """The score sheet as on paper: running totals in a column for each player, and the points of each deal."""
    seats = range(1, len(observation.counts) + 1)
    names, totals = [Message("name", {"seat": seat}) for seat in seats], [0 for _ in seats]
    rows: list[tuple[parts.Cell, ...]] = []
    for number, result in enumerate(observation.history, 1):
        totals[result.seat - 1] += result.points
        columns = [totals[seat - 1] if seat == result.seat else None for seat in seats]
        played = Message("bid_alone", {"bid": result.bid.text}) if result.bid else Message("sheet_sevens")
        rows.append((number, *columns, result.points, played))
    rows.append((Message("total"), *observation.scores, None, None))
    counted = Message("deals_counted", {"number": len(observation.history), "count": observation.deals})
    heads = (Message("head.deal"), *names, Message("head.value"), Message("head.bid"))
    return Sheet(Columns(heads, tuple(rows)), (Message("sheet_note"), counted))


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The last trick of the deal if the event ends a deal. The tricks of other events stay in view."""
    if event.key not in ("made", "failed"):
        return ()
    args: Mapping[str, Any] = event.args
    return (parts.finished_trick(Trick(args["seats"], args["cards"], args["by"]), SUITS.index(args["suit"])),)


def look_back(observation: FipsenObservation) -> tuple[Block, ...]:
    if not observation.tricks:
        return (Message("no_trick"),)
    return (parts.finished_trick(observation.tricks[-1], observation.trump),)
