"""The rules of Fipsen as played in Prisdorf: clauses F1–F15 of ``texts/en/fipsen.md``, in their order.

``fipsen_bids`` has the bids and their points, ``fipsen_hidden`` samples hidden cards. A call is an action of the
auction: a bid, ``hold`` or ``pass``."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, combinations, islice
from random import Random
from typing import Annotated, Any, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, NAMES, SUITS, Card, CardSet, card_set, cards_in, names, suit_of
from cardgames.engine.common_rules import acting_seat, replace_item, why_not_pack
from cardgames.engine.fipsen_bids import BID_ACTIONS, COURT, EXTRA_SETS, NO_BID, TRICKS, Bid, bid_of, namings, worth
from cardgames.engine.fipsen_hidden import AsideCards, Hands, card_sampler
from cardgames.engine.game import CHANCE, Action, Game, Legality, Message, Observation, Outcome, PerSeat, Rules, Teller
from cardgames.engine.hidden import tell_owner
from cardgames.engine.tricks import NO_TRICK, Trick, playable, why_not_play

DEAL, BID, NAME, SKAT, DISCARD = "deal", "bid", "name", "skat", "discard"
TRUMP, PLAY, STOP, OVER = "trump", "play", "stop", "over"
"""The phases of a deal, named after the question to the acting seat."""

PACK = tuple(sorted(CARDS[name] for name in ("7D", *[rank + suit for suit in "CSH" for rank in "AKQJT987"])))
"""F1: the 25 cards."""

DIAMONDS = SUITS.index("D")
SEVENS, ACES = [card_set([CARDS[rank + suit] for suit in SUITS]) for rank in "7A"]
SEVENS_POINTS = 30

PASS, HOLD, SAY_SEVENS = Action("pass", "pass"), Action("hold", "hold"), Action("sevens", "sevens")
NAME_ACTIONS = tuple(Action("name", f"name {' '.join(words)}", (), words) for words in EXTRA_SETS if 0 < len(words) < 3)
PLAY_HAND, TAKE_SKAT = Action("hand", "hand"), Action("skat", "skat")
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
CARD_ACTIONS = {card: Action("play", NAMES[card], (card,)) for card in PACK}
STOP_HERE, GO_ON = Action("stop", "stop"), Action("continue", "continue")

ANSWERS: dict[str, tuple[Action, ...]] = {
    BID: (PASS, HOLD, *BID_ACTIONS),
    NAME: NAME_ACTIONS,
    SKAT: (PLAY_HAND, TAKE_SKAT),
    TRUMP: TRUMP_ACTIONS,
    PLAY: tuple(CARD_ACTIONS.values()),
    STOP: (STOP_HERE, GO_ON),
}
"""All actions of each phase, legal or not, except discards and ``sevens``."""

ACTIONS = {action.text: action for action in chain(*ANSWERS.values(), [SAY_SEVENS])}


@cache  # there are 53,430 at most
def _discard_action(cards: tuple[Card, ...]) -> Action:
    """The action that discards ``cards``, which are in alphabetical order."""
    return Action("discard", f"discard {names(cards)}", cards)


# Legal actions


@dataclass(slots=True, eq=False, repr=False)
class FipsenLegality(Legality):
    """The facts that decide which actions are legal, all known to the acting seat."""

    phase: str
    hand: CardSet
    bid: Bid
    """The highest bid of the auction; ``NO_BID`` before the first."""
    rival: int
    """The seat that has stood longer than the acting seat (F5) and alone may hold the bid; 0 for none."""
    led: int | None
    """The suit led to the trick, 0–3; ``None`` before the lead."""
    has_begun: bool
    """Whether a card has been played in this deal."""

    def legal(self) -> tuple[Action, ...]:
        match self.phase:
            case "bid":
                # any rival, and any court cards, lead to the same calls, so they share an entry of the cache
                legal = _legal_calls(self.bid, min(self.rival, 1), COURT if self.hand & COURT else 0)
            case "name":
                legal = tuple([action for action in NAME_ACTIONS if not self._why_not_name(action)])
            case "discard":
                by_name = sorted(cards_in(self.hand), key=NAMES.__getitem__)
                count = len(by_name) - TRICKS  # one card for each trick stays
                legal = tuple(map(_discard_action, combinations(by_name, count)))
            case "play":
                legal = tuple([CARD_ACTIONS[card] for card in cards_in(playable(self.hand, self.led))])
            case _:
                legal = ANSWERS.get(self.phase, ())
        return legal if self._why_not_sevens() else (*legal, SAY_SEVENS)

    def plausible(self) -> list[Action]:
        """In play, the cards in hand; for naming, all sets of as many extras as were bid.

        In the auction, kiekers, bids of as many tricks as the highest bid and, after a bid, passing and holding."""
        match self.phase:
            case "play":
                return [CARD_ACTIONS[card] for card in cards_in(self.hand)]
            case "name":
                return [action for action in NAME_ACTIONS if len(action.args) == len(self.bid.extras)]
            case "bid":
                answers = () if self.bid == NO_BID else (PASS, HOLD)
                bids = [action for action, bid in BID_ACTIONS.items() if bid.kieker or bid.tricks == self.bid.tricks]
                return [*answers, *bids]
        return []

    def why_not(self, action: Action) -> Message | None:
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if self.phase == OVER:
            return Message("match_over")
        if action.kind == "deal":
            return Message("not_now")
        if action == SAY_SEVENS:
            return self._why_not_sevens()
        match self.phase:
            case "bid":
                return _why_not_call(action, self.bid, self.rival, self.hand & COURT)
            case "name":
                return self._why_not_name(action)
            case "discard":
                return self._why_not_discard(action)
            case "play" if action.kind == "play":  # F9
                return why_not_play(action.cards[0], self.hand, self.led)
        return None if action in ANSWERS[self.phase] else Message(OTHER_ACTION_REASONS[self.phase])

    def _why_not_name(self, action: Action) -> Message | None:
        """F6: the reason why ``action`` cannot name the extras of the bid, or ``None``.

        Declarer names as many extras as the bid has. With a bid of five tricks, ``durch`` must be among them."""
        count = len(self.bid.extras)
        if action.kind != "name" or len(action.args) != count:
            return Message("name_extras", {"count": count})
        return None if action.args in namings(self.bid) else Message("durch_at_five")

    def _why_not_discard(self, action: Action) -> Message | None:
        """F7, F12: the reason why a discard is not legal, or ``None``. A discard leaves five cards in hand."""
        count = self.hand.bit_count() - TRICKS
        if action.kind == "discard":
            for card in action.cards:
                if not (self.hand >> card) & 1:
                    return Message("not_in_hand", {"card": card})
            if len(action.cards) == count:
                return None
        return Message("discard_count", {"count": count})

    def _why_not_sevens(self) -> Message | None:
        """F13: the reason why ``sevens`` is not legal, or ``None``.

        ``sevens`` is legal with all four sevens and an ace until a card is played. *Ruling*: only on one's own turn."""
        if self.has_begun:
            return Message("sevens_too_late")
        return None if has_sevens(self.hand) else Message("no_sevens_and_ace")


OTHER_ACTION_REASONS = {SKAT: "hand_or_skat", TRUMP: "choose_trump", PLAY: "play_a_card", STOP: "stop_or_continue"}
"""F7–F10: by phase, the message key of the reason against all actions outside ``ANSWERS``."""


def _why_not_call(call: Action, bid: Bid, rival: int, court: CardSet) -> Message | None:
    """The reason why ``call`` is not legal after ``bid``, or ``None`` (F3–F5). ``court``: the K, Q and J of the hand.

    ``rival`` is as in :class:`FipsenLegality`. *Ruling*: a seat that has a rival may not hold."""
    if call == PASS:
        return None
    if call == HOLD:
        new_bid = bid
        if bid == NO_BID:
            return Message("nothing_to_hold")
        if rival:
            return Message("only_standing_holds", {"seat": rival})
    elif call in BID_ACTIONS:
        new_bid = bid_of(call)
        if new_bid.strength <= bid.strength:
            return Message("not_stronger", {"bid": bid.text})
    else:
        return Message("bid_or_pass")
    return Message("court_in_hand", {"cards": cards_in(court)}) if new_bid.kieker and court else None


@cache  # up to thirty calls, needed again and again
def _legal_calls(bid: Bid, rival: int, court: CardSet) -> tuple[Action, ...]:
    """The legal calls after ``bid``. Of ``rival`` and ``court`` it matters only whether they are 0."""
    return tuple([call for call in ANSWERS[BID] if not _why_not_call(call, bid, rival, court)])


def has_sevens(hand: CardSet) -> bool:
    """Whether a hand holds all four sevens and an ace (F13)."""
    return hand & SEVENS == SEVENS and hand & ACES != 0


# States and their parts


class Result(NamedTuple):
    """The result of a deal that counted: a line of the score sheet."""

    seat: int
    """The declarer, or the seat that said ``sevens``."""
    bid: Bid | None
    """The contract with its final extras; ``None`` for ``sevens``."""
    points: int
    """The points that the seat won, negative for a loss."""


Calls: TypeAlias = tuple[tuple[int, Action], ...]
"""The calls of an auction in order, each with its seat."""


class Auction(NamedTuple):
    """An auction (F5), finished or not. Fields are as in :class:`FipsenObservation`, ``standing`` with 0 for none."""

    calls: Calls = ()
    waiting: tuple[int, ...] = ()
    standing: int = 0
    bid: Bid = NO_BID
    held: bool = False

    def rival(self, seat: int) -> int:
        """The seat that bids against ``seat``; 0 before the first bid."""
        if seat == self.standing and self.calls:
            last_caller, _ = self.calls[-1]  # the standing seat acts only to answer its rival's bid
            return last_caller
        return self.standing


class FipsenState(NamedTuple):
    """A position of a match of Fipsen.

    ``history``, ``trump``, ``trick`` and ``tricks`` are as in :class:`FipsenObservation`."""

    to_act: int | None
    phase: str
    history: tuple[Result, ...]
    last_trick: Trick | None
    """The last trick of the earlier deals; ``None`` if there is none."""
    hands: Hands
    aside: AsideCards = AsideCards()
    auction: Auction = Auction()
    declarer: int = 0
    contract: Bid = NO_BID
    """The bid that declarer must make, with its extras (F6–F8, F10). Before declarer names extras, the bid held."""
    trump: int | None = None
    trick: Trick = NO_TRICK
    tricks: tuple[Trick, ...] = ()

    @property
    def won(self) -> int:
        """The number of tricks won by declarer."""
        return sum([trick.winner == self.declarer for trick in self.tricks])

    @property
    def dealt_hands(self) -> Hands:
        """The hands as they were dealt, by seat; seat 0 has none."""
        hands = [*self.hands]
        for trick in (*self.tricks, self.trick):
            for seat, card in trick.plays:
                hands[seat] |= 1 << card
        hands[self.declarer] = (hands[self.declarer] | self.aside.laid) & ~self.aside.taken
        return tuple(hands)


# Observations


@dataclass(frozen=True)
class FipsenRules(Rules):
    """The options of Fipsen."""

    deals: int = 12
    """F14: the number of deals that count in a match."""


@dataclass(frozen=True, kw_only=True)
class FipsenObservation(Observation):
    """All that a seat of Fipsen knows. Tuples with an item for each seat begin with seat 1."""

    dealer: int
    deals: int
    history: tuple[Result, ...]
    """The deals that have counted, oldest first."""
    hand: tuple[Card, ...]
    counts: PerSeat[int]
    auction: Calls
    waiting: Annotated[tuple[int, ...], 4]
    """The seats that have not been asked in the auction, in order, without the acting seat."""
    standing: int | None
    """The seat that has stood longest and alone may hold (F5); after the auction, declarer."""
    bid: Bid | None
    """The highest bid of the auction; ``None`` before the first."""
    bidder: int | None
    """The seat that made or held the highest bid."""
    held: bool
    """Whether the highest bid was last taken by ``hold``; declarer then names its extras."""
    courtless: Annotated[tuple[int, ...], 4]
    """The seats that have shown, by bidding or holding a kieker, that they were dealt no K, Q or J (*ruling* on F3)."""
    declarer: int | None
    contract: Bid | None
    """The bid that declarer must make, with its extras; ``None`` until declarer has named them."""
    trump: int | None
    skat: int
    """The number of cards in the skat."""
    unused: int
    """The number of undealt cards on the table."""
    laid: int
    """The number of cards that declarer has laid away."""
    own_taken: tuple[Card, ...]
    """The cards that this seat took up as declarer."""
    own_laid: tuple[Card, ...]
    """The cards that this seat laid away as declarer."""
    shown: tuple[Card, ...]
    """The hand shown for a kieker, if this seat is declarer or the left neighbour (F12)."""
    trick: Annotated[tuple[tuple[int, Card], ...], 4]
    """The unfinished trick on the table: pairs of seat and card, from the lead."""
    winning: int | None
    """The seat that is winning the trick on the table."""
    tricks: Annotated[tuple[Trick, ...], 5]
    """The finished tricks of this deal."""
    won: PerSeat[int]
    """The number of tricks won by each seat."""
    last_trick: Trick | None
    """The last finished trick, of this deal or an earlier one; ``None`` if there is none."""
    lacks: PerSeat[Annotated[tuple[int, ...], 4]]
    """The suits that each seat has shown to lack."""

    @property
    def plays(self) -> list[tuple[int, Card]]:
        """The cards played in this deal, in order, as pairs of seat and card."""
        return [*[play for trick in self.tricks for play in trick.plays], *self.trick]

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """Declarer alone against all other seats, once the auction is over."""
        if self.declarer is None:
            return super().deal_sides
        return (self.declarer,), tuple([seat for seat in range(1, len(self.scores) + 1) if seat != self.declarer])

    @property
    def forced(self) -> bool:
        """Whether the acting seat has only its last card to play."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def legality(self) -> FipsenLegality:
        rival = self.standing if self.standing and self.standing != self.seat else 0
        led = suit_of(self.trick[0][1]) if self.trick else None
        has_begun = bool(self.trick or self.tricks)
        return FipsenLegality(self.phase, card_set(self.hand), self.bid or NO_BID, rival, led, has_begun)

    def gives_up_sevens(self, action: Action) -> bool:
        """Whether ``sevens`` is legal now but not after the legal ``action`` (F13).

        Once a seat has passed, cards are played before its next turn."""
        if SAY_SEVENS not in self.legal:
            return False
        kept = card_set(self.hand) & ~card_set(action.cards)
        return action == PASS or action.kind == "play" or (action.kind == "discard" and not has_sevens(kept))


def courtless(calls: Calls) -> tuple[int, ...]:
    """The seats that have bid or held a kieker, and so shown (*ruling*) that they got no K, Q or J (F3, F5)."""
    seats = set()
    bid_is_kieker = False  # of the bid so far, which ``hold`` takes over
    for seat, action in calls:
        if action in BID_ACTIONS:
            bid_is_kieker = bid_of(action).kieker
        if bid_is_kieker and action != PASS:
            seats.add(seat)
    return tuple(sorted(seats))


def _shown_lacks(tricks: tuple[Trick, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The suits, 0–3, that each seat has shown to lack by not following suit, seat 1 first (F9)."""
    lacks: list[set[int]] = [set() for _ in range(seats)]
    for trick in tricks:
        for seat, card in trick.plays:
            if suit_of(card) != suit_of(trick.cards[0]):
                lacks[seat - 1].add(suit_of(trick.cards[0]))
    return tuple([tuple(sorted(suits)) for suits in lacks])


# The game


class Fipsen(Game[FipsenState, FipsenObservation, FipsenRules]):
    """Fipsen for three or four (F15)."""

    NAME = "fipsen"
    SEATS = (3, 4)
    RULES = FipsenRules
    PACK = PACK
    ACTIONS = ACTIONS
    SELECTIONS = ("discard",)
    PHASES = (DEAL, BID, "name", SKAT, DISCARD, TRUMP, PLAY, STOP, OVER)  # ``NAME`` has another meaning here
    AUCTION = "bid"

    def start(self) -> FipsenState:
        return self._before_deal((), None)

    def legality(self, state: FipsenState) -> FipsenLegality:
        seat, auction, cards = state.to_act or CHANCE, state.auction, state.trick.cards
        rival = 0 if seat == auction.standing else auction.standing
        led = suit_of(cards[0]) if cards else None
        return FipsenLegality(state.phase, state.hands[seat], auction.bid, rival, led, bool(cards or state.tricks))

    def _before_deal(self, history: tuple[Result, ...], last_trick: Trick | None) -> FipsenState:
        """The state before the next deal, or at the end of the match.

        *Ruling* on F14: a match ends after ``deals`` deals that count; the source of the rules names no end."""
        to_act, phase = (None, OVER) if len(history) == self.rules.deals else (CHANCE, DEAL)
        return FipsenState(to_act, phase, history, last_trick, (0,) * (self.seats + 1))

    def do_deal(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F2: deal three cards to each seat, two to the skat and two more to each seat, from the dealer's left."""
        dealer, cards = self.next_dealer(state), iter(action.cards)
        tell("dealt", seat=dealer, number=len(state.history) + 1, count=self.rules.deals)
        order = self.seats_from(self.next_seat(dealer))
        hands = [0] * (self.seats + 1)  # seat 0 has none
        for seat in order:
            hands[seat] |= card_set(islice(cards, 3))
        skat = card_set(islice(cards, 2))
        for seat in order:
            hands[seat] |= card_set(islice(cards, 2))
        aside = AsideCards(skat=skat, unused=card_set(cards))  # the cards that are left
        state = state._replace(phase=BID, hands=tuple(hands), aside=aside)
        return self._ask_next(state, Auction(waiting=tuple(order)), tell)

    def _ask_next(self, state: FipsenState, auction: Auction, tell: Teller) -> FipsenState:
        """F5: ask the next seat that has not called. After the last seat, end the auction, or the deal if all passed.

        *Ruling*: a seat that can only pass is asked too, which keeps its hand secret."""
        if auction.waiting:
            first, *others = auction.waiting
            return state._replace(to_act=first, auction=auction._replace(waiting=tuple(others)))
        if auction.standing:
            return self._end_auction(state._replace(auction=auction), tell)
        tell("all_passed", seat=self.next_dealer(state))
        return self._before_deal(state.history, state.last_trick)

    def do_pass(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F5: take the acting seat out of the auction. The rival, if any, is the standing seat from now on."""
        seat, auction = acting_seat(state), state.auction
        tell("passed", seat=seat)
        auction = auction._replace(calls=(*auction.calls, (seat, action)), standing=auction.rival(seat))
        return self._ask_next(state, auction, tell)

    def do_bid(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F5: make a bid. The rival answers it or, if there is no rival yet, the next seat that has not called."""
        seat, auction = acting_seat(state), state.auction
        bid, rival = bid_of(action), auction.rival(seat)
        tell("bid", seat=seat, bid=action.text.removeprefix("bid "))
        standing = auction.standing or seat  # the first bidder, until it passes; a later one is its rival
        auction = auction._replace(calls=(*auction.calls, (seat, action)), standing=standing, bid=bid, held=False)
        return state._replace(to_act=rival, auction=auction) if rival else self._ask_next(state, auction, tell)

    do_kieker = do_bid

    def do_hold(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F5: take over the rival's bid. The rival has to bid more or pass."""
        seat, auction = acting_seat(state), state.auction
        tell("held", seat=seat, bid=auction.bid.text)
        auction = auction._replace(calls=(*auction.calls, (seat, action)), held=True)
        return state._replace(to_act=state.auction.rival(seat), auction=auction)

    def _end_auction(self, state: FipsenState, tell: Teller) -> FipsenState:
        """F5, F6: end the auction. Declarer names the extras of a bid that was taken over with ``hold``.

        *Ruling* on F6: declarer is not asked if only one naming is possible."""
        declarer, bid = state.auction.standing, state.auction.bid
        state = state._replace(to_act=declarer, declarer=declarer, contract=bid)
        tell("won_auction", seat=declarer)
        if bid.kieker:
            return self._take_up_for_kieker(state, tell)
        if state.auction.held and bid.extras:
            if len(namings(bid)) > 1:
                return state._replace(phase=NAME)
            tell("named", seat=declarer, extras=bid.extras)
        return self._ask_for_skat_or_trumps(state, tell)

    def do_name(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F6: set the extras of a bid that declarer has taken over with ``hold``."""
        extras = tuple(map(str, action.args))
        tell("named", seat=state.declarer, extras=extras)
        return self._ask_for_skat_or_trumps(state._replace(contract=state.contract._replace(extras=extras)), tell)

    def _ask_for_skat_or_trumps(self, state: FipsenState, tell: Teller) -> FipsenState:
        """F7, F8: ask declarer about the skat or, if that is settled, for trumps, unless ``ruten`` sets them."""
        extras = state.contract.extras
        if "hand" not in extras and not state.aside.taken:
            return state._replace(phase=SKAT)
        if "ruten" not in extras:
            return state._replace(phase=TRUMP)
        return self.do_trump(state, TRUMP_ACTIONS[DIAMONDS], tell)

    def do_hand(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F7: leave the skat on the table, which adds the extra ``hand``."""
        tell("chose_hand", seat=state.declarer)
        return self._ask_for_skat_or_trumps(state._replace(contract=state.contract.with_extra("hand")), tell)

    def do_skat(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F7: give the skat to declarer, unseen by the defenders."""
        return self._take_up(state, state.aside.skat, state.aside._replace(skat=0), tell)

    def _take_up(self, state: FipsenState, taken: CardSet, aside: AsideCards, tell: Teller) -> FipsenState:
        """F7, F12: give ``taken`` to declarer, unseen by the defenders, and ask for a discard."""
        declarer = state.declarer
        tell_owner(tell, self.seats, declarer, "took_up", cards_in(taken))
        hands = replace_item(state.hands, declarer, state.hands[declarer] | taken)
        return state._replace(phase=DISCARD, hands=hands, aside=aside._replace(taken=taken))

    def do_discard(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F7, F12: lay declarer's cards away, face down and out of play."""
        declarer, discarded = state.declarer, card_set(action.cards)
        tell_owner(tell, self.seats, declarer, "discarded", action.cards)
        hands = replace_item(state.hands, declarer, state.hands[declarer] & ~discarded)
        aside = state.aside._replace(laid=state.aside.laid | discarded)
        return self._ask_for_skat_or_trumps(state._replace(hands=hands, aside=aside), tell)

    def do_trump(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F8: set trumps; diamonds add the extra ``ruten`` (*ruling*: to a kieker too). F9: declarer leads."""
        trump, contract = TRUMP_ACTIONS.index(action), state.contract
        tell("trumps_are", seat=state.declarer, suit=SUITS[trump])
        if trump == DIAMONDS and "ruten" not in contract.extras:
            contract = contract.with_extra("ruten")
            tell("ruten_added", seat=state.declarer)
        return state._replace(phase=PLAY, contract=contract, trump=trump)

    def do_play(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F9: play a card. The winner of a finished trick leads to the next."""
        seat, card = acting_seat(state), action.cards[0]
        tell("played", seat=seat, card=card)
        hands = replace_item(state.hands, seat, state.hands[seat] ^ (1 << card))
        trick = state.trick.with_card(seat, card, state.trump or 0)  # trumps are always set by now
        if len(trick.cards) < self.seats:
            return state._replace(to_act=self.next_seat(seat), hands=hands, trick=trick)
        tell("trick_won", seat=trick.winner, **_trick_event_args(trick, state.trump))
        state = state._replace(to_act=trick.winner, hands=hands, trick=NO_TRICK, tricks=(*state.tricks, trick))
        return self._end_if_decided(state, tell)

    def _end_if_decided(self, state: FipsenState, tell: Teller) -> FipsenState:
        """F10: end the deal if the bid is made or can no longer be made.

        A declarer who makes the bid before the last trick and has lost no trick (*ruling*) is asked whether to stop."""
        won, needed = state.won, state.contract.needed
        lost = len(state.tricks) - won
        if won == needed:
            may_go_on = not lost and won < TRICKS
            return state._replace(phase=STOP) if may_go_on else self._score_contract(state, tell, made=True)
        return self._score_contract(state, tell, made=False) if lost > TRICKS - needed else state

    def do_stop(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F10: end the deal, because declarer stops after making the bid."""
        tell("stopped", seat=state.declarer)
        return self._score_contract(state, tell, made=True)

    def do_continue(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F10: let declarer go on for all five tricks, which adds the extra ``durch``."""
        tell("continued", seat=state.declarer)
        return state._replace(phase=PLAY, contract=state.contract.with_extra("durch"))

    def _score_contract(self, state: FipsenState, tell: Teller, made: bool) -> FipsenState:
        """F11, F12: score the contract, which only declarer wins or loses, and end the deal."""
        declarer, contract, last = state.declarer, state.contract, state.tricks[-1]
        won, lost = worth(contract)
        points, args = won if made else lost, _trick_event_args(last, state.trump)
        tell("made" if made else "failed", seat=declarer, bid=contract.text, points=points, by=last.winner, **args)
        return self._add_result(state, Result(declarer, contract, points), last, tell)

    def _take_up_for_kieker(self, state: FipsenState, tell: Teller) -> FipsenState:
        """F12: show declarer's hand to the left neighbour alone (*ruling*), then give declarer skat and undealt cards.

        With three players declarer lays the shown hand away before getting these cards."""
        declarer, hand, left = state.declarer, state.hands[state.declarer], self.next_seat(state.declarer)
        others = tuple([seat for seat in range(self.seats + 1) if seat not in (declarer, left)])
        tell("showed", (declarer, left), seat=declarer, to=left, cards=cards_in(hand))
        tell("showed_hidden", others, seat=declarer, to=left)
        taken, laid = state.aside.skat | state.aside.unused, 0
        if self.seats == 3:
            tell("laid_hand_away", seat=declarer)
            laid = hand
            state = state._replace(hands=replace_item(state.hands, declarer, 0))
        return self._take_up(state, taken, AsideCards(laid=laid), tell)

    def do_sevens(self, state: FipsenState, action: Action, tell: Teller) -> FipsenState:
        """F13: end the deal before its first trick. The acting seat wins it with four sevens and an ace."""
        seat = acting_seat(state)
        tell("said_sevens", seat=seat, points=SEVENS_POINTS)
        return self._add_result(state, Result(seat, None, SEVENS_POINTS), state.last_trick, tell)

    def _add_result(self, state: FipsenState, result: Result, last: Trick | None, tell: Teller) -> FipsenState:
        """F2, F14: add a deal to the score sheet (*ruling*: with ``sevens`` too). The last deal ends the match."""
        after = self._before_deal((*state.history, result), last)
        if outcome := self.outcome(after):
            tell("match_ended", seats=outcome.winners, points=max(outcome.scores))
        return after

    def outcome(self, state: FipsenState) -> Outcome | None:
        """F14: the highest total wins, and equal totals win together (*ruling*: the source names no winner)."""
        if state.phase != OVER:
            return None
        scores = self.scores(state)
        winners = tuple([seat for seat, points in enumerate(scores, 1) if points == max(scores)])
        return Outcome(scores, winners, Message("deals_played", {"count": self.rules.deals}))

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """Declarer's points for a contract of five tricks with all extras: if it fails, and if it is made (F11)."""
        return -80, 40

    def scores(self, state: FipsenState) -> tuple[int, ...]:
        totals = [0] * self.seats
        for result in state.history:
            totals[result.seat - 1] += result.points
        return tuple(totals)

    def next_dealer(self, state: FipsenState) -> int:
        """F2, F14: the dealer of this deal or, after a deal that counts, the seat to the left of its dealer."""
        return self.next_seat(self.dealer, len(state.history))

    def hands(self, state: FipsenState) -> tuple[tuple[Card, ...], ...]:
        return tuple([cards_in(hand) for hand in state.hands[1:]])

    def observation(self, state: FipsenState, seat: int) -> FipsenObservation:
        auction, aside, trick, declarer = state.auction, state.aside, state.trick, state.declarer
        bidder = declarer or auction.rival(state.to_act or CHANCE)  # the acting seat answers the highest bid
        winners = [trick.winner for trick in state.tricks]
        is_shown = declarer and state.contract.kieker and seat in (declarer, self.next_seat(declarer))  # F12
        return FipsenObservation(
            **self.common_facts(state, seat),
            phase=state.phase,
            dealer=self.next_dealer(state),
            deals=self.rules.deals,
            history=state.history,
            hand=cards_in(state.hands[seat]),
            counts=tuple([hand.bit_count() for hand in state.hands[1:]]),
            auction=auction.calls,
            waiting=auction.waiting,
            standing=auction.standing or None,
            bid=None if auction.bid == NO_BID else auction.bid,
            bidder=bidder or None,
            held=auction.held,
            courtless=courtless(auction.calls),
            declarer=declarer or None,
            contract=state.contract if declarer and state.phase != NAME else None,
            trump=state.trump,
            skat=aside.skat.bit_count(),
            unused=aside.unused.bit_count(),
            laid=aside.laid.bit_count(),
            own_taken=cards_in(aside.taken) if seat == declarer else (),
            own_laid=cards_in(aside.laid) if seat == declarer else (),
            shown=cards_in(state.dealt_hands[declarer]) if is_shown else (),
            trick=trick.plays,
            winning=trick.winner or None,
            tricks=state.tricks,
            won=tuple([winners.count(player) for player in self.seats_from(1)]),
            last_trick=state.tricks[-1] if state.tricks else state.last_trick,
            lacks=_shown_lacks((*state.tricks, trick), self.seats),
        )

    def sampler(self, observation: FipsenObservation) -> Callable[[Random], FipsenState]:
        """Return a function that samples the hands, the skat, the undealt cards and the discards."""
        public = self._before_deal(observation.history, observation.last_trick)
        if not observation.to_act:  # before a deal, or after the match
            return lambda rng: public
        standing, bid = observation.standing or 0, observation.bid or NO_BID
        players, cards = zip(*observation.trick, strict=True) if observation.trick else ((), ())
        auction = Auction(observation.auction, observation.waiting, standing, bid, observation.held)
        declarer = observation.declarer or 0
        contract = observation.contract or (bid if declarer else NO_BID)
        trick = Trick(players, cards, observation.winning or 0)
        public = public._replace(to_act=observation.to_act, phase=observation.phase, auction=auction, declarer=declarer)
        public = public._replace(contract=contract, trump=observation.trump, trick=trick, tricks=observation.tricks)
        draw_cards = card_sampler(observation, card_set(PACK))

        def draw(rng: Random) -> FipsenState:
            hands, aside = draw_cards(rng)
            return public._replace(hands=hands, aside=aside)

        return draw

    def parse(self, text: str) -> Action:
        kind, *cards = text.split(" ")
        is_in_pack = {NAMES[card] for card in PACK}.issuperset(cards)
        has_count = len(cards) in (2, 5)  # F7: for the skat; F12: with a kieker
        if kind == "discard" and has_count and is_in_pack and cards == sorted(set(cards)):  # in order, none twice
            return _discard_action(tuple([CARDS[name] for name in cards]))
        return super().parse(text)


def _trick_event_args(trick: Trick, trump: int | None) -> dict[str, Any]:
    """A finished trick as arguments of an event: the winning card, the seats, the cards and the trump suit."""
    return {"card": trick.winning_card or 0, "seats": trick.players, "cards": trick.cards, "suit": SUITS[trump or 0]}


GAME = Fipsen
