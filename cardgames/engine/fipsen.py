"""The rules of Fipsen as played in Prisdorf: clauses F1–F15 of ``texts/en/fipsen.md``, in their order.

The bids and their worth are in ``fipsen_bids``, the sampling of hidden cards in ``fipsen_hidden``."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from cardgames.engine.cards import (
    BIT,
    CARDS,
    NAMES,
    RANK_SETS,
    RANKS,
    SUIT_SETS,
    SUITS,
    SUITS_IN,
    Card,
    CardSet,
    card_set,
    cards_in,
    names,
    suit_of,
)
from cardgames.engine.fipsen_bids import (
    BID_ACTIONS,
    COURT,
    EXTRA_SETS,
    NO_BID,
    TRICKS,
    Bid,
    bid_of,
    namings,
    strength,
    worth,
)
from cardgames.engine.fipsen_hidden import Aside, Hands, card_sampler
from cardgames.engine.game import (
    CHANCE,
    Action,
    Event,
    EventSink,
    Game,
    Observation,
    Outcome,
    PerSeat,
    Reason,
    Rules,
    Value,
    replaced,
    why_not_pack,
)
from cardgames.engine.hidden import tell_owner
from cardgames.engine.tricks import Trick, winning

DEAL, BID, NAME, SKAT, DISCARD = "deal", "bid", "name", "skat", "discard"
TRUMP, PLAY, STOP, OVER = "trump", "play", "stop", "over"
"""The phases, each named after its question."""

PACK = tuple(sorted(CARDS[name] for name in ("7D", *[rank + suit for suit in "CSH" for rank in "AKQJT987"])))
"""F1: the 25 cards."""

DIAMONDS = SUITS.index("D")
SEVENS, ACES = RANK_SETS[RANKS.index("7")], RANK_SETS[RANKS.index("A")]
SEVENS_POINTS = 30

PASS, HOLD, SAY_SEVENS = Action("pass", "pass"), Action("hold", "hold"), Action("sevens", "sevens")
NAME_ACTIONS = tuple(
    Action("name", f"name {' '.join(extras)}", (), extras) for extras in EXTRA_SETS if 1 <= len(extras) <= 2
)
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
"""The possible answers in each phase, except discards and ``sevens``."""

ACTIONS = {action.text: action for action in (*[each for some in ANSWERS.values() for each in some], SAY_SEVENS)}
"""All actions except deals and discards, by notation."""


@cache  # there are 53,430 at most
def _discard(cards: tuple[Card, ...]) -> Action:
    """The action that discards ``cards``, which are in the order of the notation."""
    return Action("discard", f"discard {names(cards)}", cards)


# Legal words and cards


class FipsenTurn(NamedTuple):
    """The question to the acting seat, with all that decides which answers are legal."""

    phase: str
    hand: CardSet
    bid: Bid
    """The bid that stands; ``NO_BID`` before the first."""
    rival: int
    """In an auction the seat that has stood longer than the acting one, and alone may hold; 0 if there is none."""
    led: int | None
    """The suit led to the trick."""
    begun: bool
    """Whether a card has been played."""

    def legal(self) -> tuple[Action, ...]:
        """The legal answers, in the order in which a player would look for them."""
        if self.phase == BID:
            found = _words(self.bid, min(self.rival, 1), COURT if self.hand & COURT else 0)
        else:
            why_not = self._clause
            found = tuple([answer for answer in self._answers() if not why_not(answer)])
        return found if self._why_no_sevens() else (*found, SAY_SEVENS)

    def _answers(self) -> tuple[Action, ...]:
        """A superset of the legal answers, except ``sevens``."""
        if self.phase == PLAY:
            return tuple([CARD_ACTIONS[card] for card in cards_in(self.hand)])
        if self.phase == DISCARD:
            by_name = sorted(cards_in(self.hand), key=NAMES.__getitem__)
            return tuple(map(_discard, combinations(by_name, len(by_name) - TRICKS)))
        return ANSWERS.get(self.phase, ())

    def why_not(self, action: Action) -> Reason | None:
        """The reason why ``action`` is not legal, or ``None``."""
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if self.phase == OVER:
            return Reason("match_over")
        if action.kind == "deal":
            return Reason("not_now")
        return self._why_no_sevens() if action == SAY_SEVENS else self._clause(action)

    @property
    def _clause(self) -> Callable[[Action], Reason | None]:
        """The function for the reasons of this phase, except those about ``sevens``."""
        match self.phase:
            case "play":
                return self._why_no_card
            case "bid":
                return lambda word: _why_no_word(word, self.bid, self.rival, self.hand & COURT)
            case "name":
                return self._why_no_name
            case "discard":
                return self._why_no_discard
        return lambda answer: None if answer in ANSWERS[self.phase] else Reason(ASKED[self.phase])

    def _why_no_name(self, action: Action) -> Reason | None:
        """F6: the reason against naming these extras.

        They have to be as many as in the bid, with durch among them at five tricks."""
        count = len(self.bid.extras)
        if action.kind != "name" or len(action.args) != count:
            return Reason("name_extras", {"count": count})
        return None if action.args in namings(self.bid) else Reason("durch_at_five")

    def _why_no_discard(self, action: Action) -> Reason | None:
        """F7, F12: the reason against a discard that does not leave five cards in the hand."""
        count = self.hand.bit_count() - TRICKS
        if action.kind == "discard":
            for card in action.cards:
                if not self.hand & BIT[card]:
                    return Reason("not_in_hand", {"card": card})
            if len(action.cards) == count:
                return None
        return Reason("discard_count", {"count": count})

    def _why_no_card(self, action: Action) -> Reason | None:
        """F9: the reason against a card that does not follow suit where the hand could."""
        if action.kind != "play":
            return Reason("play_a_card")
        card, led = action.cards[0], self.led
        if not self.hand & BIT[card]:
            return Reason("not_in_hand", {"card": card})
        if led is None or suit_of(card) == led or not self.hand & SUIT_SETS[led]:
            return None
        return Reason("must_follow", {"suit": SUITS[led]})

    def _why_no_sevens(self) -> Reason | None:
        """F13: the reason against ``sevens``, which takes all four sevens and an ace, before the first card.

        *Ruling*: only on one's own turn."""
        if self.begun:
            return Reason("sevens_too_late")
        return None if has_sevens(self.hand) else Reason("no_sevens_and_ace")


ASKED = {SKAT: "hand_or_skat", TRUMP: "choose_trump", STOP: "stop_or_continue"}
"""F7, F8, F10: the reason against all other answers, in phases with fixed ones."""


def _why_no_word(word: Action, bid: Bid, rival: int, court: CardSet) -> Reason | None:
    """The reason against a word in an auction over ``bid`` against a ``rival``, with these K, Q and J (F3–F5).

    *Ruling*: only the seat that has stood longer may hold."""
    if word == PASS:
        return None
    if word == HOLD:
        said = bid
        if bid == NO_BID:
            return Reason("nothing_to_hold")
        if rival:
            return Reason("only_standing_holds", {"seat": rival})
    elif word in BID_ACTIONS:
        said = bid_of(word)
        if strength(said) <= strength(bid):
            return Reason("not_stronger", {"bid": bid.text})
    else:
        return Reason("bid_or_pass")
    return Reason("court_in_hand", {"cards": cards_in(court)}) if said.kieker and court else None


@cache  # up to thirty words, needed again and again
def _words(bid: Bid, rival: int, court: CardSet) -> tuple[Action, ...]:
    """The legal words in an auction; only whether there is a rival and court cards matters."""
    return tuple([word for word in ANSWERS[BID] if not _why_no_word(word, bid, rival, court)])


def has_sevens(hand: CardSet) -> bool:
    """Whether a hand holds all four sevens and an ace (F13)."""
    return hand & SEVENS == SEVENS and hand & ACES != 0


# States and their parts.


class Result(NamedTuple):
    """A line of the score sheet: a deal that counted."""

    seat: int
    """The declarer, or the seat that said ``sevens``."""
    bid: Bid | None
    """The contract with its final extras; ``None`` for ``sevens``."""
    points: int
    """The points that the seat won, negative for a loss."""


class FipsenScores(NamedTuple):
    """The score sheet, which lasts from deal to deal."""

    history: tuple[Result, ...]
    """The deals that have counted."""
    last_trick: Trick | None
    """The last trick finished before this deal."""
    totals: tuple[int, ...]
    """Each seat's points."""


Said: TypeAlias = tuple[tuple[int, Action], ...]
"""The words of an auction, each with its seat."""


class Auction(NamedTuple):
    """An auction (F5), finished or not."""

    said: Said = ()
    waiting: tuple[int, ...] = ()
    """The seats not yet asked, in order."""
    standing: int = 0
    """The seat that has stood longer, 0 before the first bid."""
    bid: Bid = NO_BID
    """The bid that stands."""
    held: bool = False
    """Whether it was taken by ``hold``."""

    def rival(self, seat: int) -> int:
        """The other of the two seats that bid against each other, 0 before the first bid."""
        if seat == self.standing and self.said:
            last_speaker, _ = self.said[-1]
            return last_speaker
        return self.standing


NO_TRICK = Trick((), (), 0)


class FipsenState(NamedTuple):
    """A position of a match."""

    to_act: int | None
    phase: str
    sheet: FipsenScores
    hands: Hands
    """The cards of each seat."""
    aside: Aside = Aside()
    auction: Auction = Auction()
    declarer: int = 0
    contract: Bid = NO_BID
    """The bid that declarer must make, with its extras (F6–F8, F10); before they are named, the bid held."""
    trump: int | None = None
    trick: Trick = NO_TRICK
    """The trick on the table."""
    tricks: tuple[Trick, ...] = ()
    """The finished tricks of this deal."""

    @property
    def won(self) -> int:
        """The number of tricks won by declarer."""
        return sum([trick.winner == self.declarer for trick in self.tricks])

    @property
    def dealt(self) -> Hands:
        """The hands as they were dealt."""
        hands = [*self.hands]
        for trick in (*self.tricks, self.trick):
            for seat, card in trick.plays:
                hands[seat] |= BIT[card]
        hands[self.declarer] = (hands[self.declarer] | self.aside.laid) & ~self.aside.taken
        return tuple(hands)


# Observations


@dataclass(frozen=True)
class FipsenRules(Rules):
    """The options of Fipsen."""

    deals: int = 12
    """F14: the number of counting deals in a match."""


@dataclass(frozen=True, kw_only=True)
class FipsenObservation(Observation):
    """All that a seat of Fipsen knows. Tuples with an item a seat begin with seat 1."""

    dealer: int
    """The seat that deals this deal, or between deals the next."""
    deals: int
    """The number of counting deals in a match."""
    history: tuple[Result, ...]
    """The deals that have counted."""
    hand: tuple[Card, ...]
    """This seat's cards."""
    counts: PerSeat[int]
    """The number of cards of each seat."""
    auction: Said
    """All words of the auction."""
    waiting: Annotated[tuple[int, ...], 4]
    """The seats still to be asked in the auction, in order, without the one that is asked now."""
    standing: int | None
    """The seat that has stood longer and alone may hold; after the auction, declarer."""
    bid: Bid | None
    """The bid that stands, or at the end stood."""
    bidder: int | None
    """The seat that made that bid: the one that stands, or its challenger."""
    held: bool
    """Whether it was taken by ``hold``, so that its extras are not named yet."""
    courtless: Annotated[tuple[int, ...], 4]
    """The seats that were dealt no K, Q or J, as shown by bidding or holding a kieker (*ruling* on F3)."""
    declarer: int | None
    contract: Bid | None
    """The bid that declarer must make, with the extras in force; ``None`` until they are named."""
    trump: int | None
    """The suit of trumps, 0–3."""
    skat: int
    """The number of cards in the skat."""
    unused: int
    """The number of undealt cards beside it."""
    laid: int
    """The number of cards that declarer has laid away."""
    own_taken: tuple[Card, ...]
    """The cards that this seat took up as declarer."""
    own_laid: tuple[Card, ...]
    """The cards that this seat laid away as declarer."""
    shown: tuple[Card, ...]
    """The hand shown for a kieker, if this seat is declarer or the left neighbour (F12)."""
    trick: Annotated[tuple[tuple[int, Card], ...], 4]
    """The trick on the table: seats and cards, from the lead."""
    winning: int | None
    """The seat that is winning the trick on the table."""
    tricks: Annotated[tuple[Trick, ...], 5]
    """The finished tricks of this deal."""
    won: PerSeat[int]
    """The number of tricks won by each seat."""
    last_trick: Trick | None
    """The last finished trick; between deals and in the next auction that of the deal before."""
    lacks: PerSeat[Annotated[tuple[int, ...], 4]]
    """The suits that each seat has shown to lack."""

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """Declarer alone against all others, from the end of the auction on."""
        if self.declarer is None:
            return super().deal_sides
        return (self.declarer,), tuple([seat for seat in range(1, len(self.scores) + 1) if seat != self.declarer])

    @property
    def forced(self) -> bool:
        """True for the last card."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def turn(self) -> FipsenTurn:
        rival = 0 if self.seat == self.standing else self.standing or 0
        led = suit_of(self.trick[0][1]) if self.trick else None
        begun = bool(self.trick or self.tricks)
        return FipsenTurn(self.phase, card_set(self.hand), self.bid or NO_BID, rival, led, begun)

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The cards that may not be played, or illegal bids and namings close to legal ones."""
        if not self.legal or self.phase not in (BID, NAME, PLAY):
            return ()
        found = [(answer, self.turn.why_not(answer)) for answer in ANSWERS[self.phase]]
        return tuple([(answer, reason) for answer, reason in found if reason and self._looks_close(answer)])

    def _looks_close(self, action: Action) -> bool:
        """Whether a player might think of ``action``, which is not legal."""
        if self.phase == PLAY:
            return action.cards[0] in self.hand
        if self.phase == NAME:
            return self.bid is not None and len(action.args) == len(self.bid.extras)
        if action == HOLD:
            return self.standing is not None
        bid = bid_of(action)
        return bid.kieker or (self.bid is not None and bid.tricks == self.bid.tricks)

    def gives_up_sevens(self, action: Action) -> bool:
        """Whether ``sevens`` can be said now, but not after the legal ``action`` (F13)."""
        if SAY_SEVENS not in self.legal:
            return False
        kept = card_set(self.hand) & ~card_set(action.cards)
        return action == PASS or action.kind == "play" or (action.kind == "discard" and not has_sevens(kept))


def courtless(said: Said) -> tuple[int, ...]:
    """The seats that have bid or held a kieker, and so were dealt no K, Q or J (F3, F5).

    *Ruling*: this is public."""
    found = set()
    kieker = False
    for seat, action in said:
        if action in BID_ACTIONS:
            kieker = bid_of(action).kieker
        if kieker and action != PASS:
            found.add(seat)
    return tuple(sorted(found))


def _lacks(tricks: tuple[Trick, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The suits that each seat has shown to lack by not following (F9)."""
    found = [0] * (seats + 1)
    for trick in tricks:
        for seat, card in trick.plays:
            if suit_of(card) != suit_of(trick.cards[0]):
                found[seat] |= 1 << suit_of(trick.cards[0])
    return tuple([SUITS_IN[suits] for suits in found[1:]])


# The game


class Fipsen(Game[FipsenState, FipsenObservation]):
    """Fipsen for three or four (F15)."""

    NAME = "fipsen"
    SEATS = (3, 4)
    RULES = FipsenRules
    PACK = PACK
    ACTIONS = ACTIONS
    SELECTIONS = ("discard",)
    PHASES = (DEAL, BID, NAME, SKAT, DISCARD, TRUMP, PLAY, STOP, OVER)
    AUCTION = "bid"

    def __init__(self, seats: int, rules: FipsenRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._deals = rules.deals

    def start(self) -> FipsenState:
        return self._between(FipsenScores((), None, (0,) * self.seats))

    def to_act(self, state: FipsenState) -> int | None:
        return state.to_act

    def turn(self, state: FipsenState) -> FipsenTurn:
        seat, auction, cards = state.to_act or CHANCE, state.auction, state.trick.cards
        rival = 0 if seat == auction.standing else auction.standing
        led = suit_of(cards[0]) if cards else None
        return FipsenTurn(state.phase, state.hands[seat], auction.bid, rival, led, bool(cards or state.tricks))

    def after(self, state: FipsenState, action: Action, tell: EventSink) -> FipsenState:
        match action.kind:
            case "deal":
                return self._deal(state, action.cards, tell)
            case "pass":
                return self._pass(state, tell)
            case "bid" | "kieker":
                return self._bid(state, action, tell)
            case "hold":
                return self._hold(state, tell)
            case "name":
                return self._name(state, tuple(map(str, action.args)), tell)
            case "hand":
                return self._play_hand(state, tell)
            case "skat":
                return self._take_skat(state, tell)
            case "discard":
                return self._lay_away(state, action.cards, tell)
            case "trump":
                return self._choose_trumps(state, SUITS.index(str(action.args[0])), tell)
            case "play":
                return self._play(state, action.cards[0], tell)
            case "stop":
                return self._stop(state, tell)
            case "continue":
                return self._go_on(state, tell)
            case _:  # "sevens"
                return self._say_sevens(state, tell)

    def _left_of(self, seat: int, steps: int = 1) -> int:
        """The seat ``steps`` to the left."""
        return (seat - 1 + steps) % self.seats + 1

    def _between(self, sheet: FipsenScores) -> FipsenState:
        """The state before the next deal, or at the end of the match.

        *Ruling* on F14: it ends after a number of counting deals; the source names no end."""
        no_hands = (0,) * (self.seats + 1)
        over = len(sheet.history) == self._deals
        return FipsenState(None, OVER, sheet, no_hands) if over else FipsenState(CHANCE, DEAL, sheet, no_hands)

    def _dealer(self, sheet: FipsenScores) -> int:
        """F2: the deal moves on after each deal that counts."""
        return self._left_of(self.dealer, len(sheet.history))

    def _deal(self, state: FipsenState, cards: tuple[Card, ...], tell: EventSink) -> FipsenState:
        """F2: deal three cards to each, two to the skat, two to each. The dealer's left comes first, also in the
        auction."""
        sheet, seats = state.sheet, self.seats
        dealer = self._dealer(sheet)
        tell(Event("dealt", {"seat": dealer, "number": len(sheet.history) + 1, "count": self._deals}))
        threes, skat, rest = cards[: 3 * seats], cards[3 * seats : 3 * seats + 2], cards[3 * seats + 2 :]
        twos, unused = rest[: 2 * seats], rest[2 * seats :]
        order = [self._left_of(dealer, step + 1) for step in range(seats)]
        hands = [0] * (seats + 1)
        for place, seat in enumerate(order):
            hands[seat] = card_set(threes[3 * place : 3 * place + 3] + twos[2 * place : 2 * place + 2])
        aside = Aside(skat=card_set(skat), unused=card_set(unused))
        return self._ask_next(FipsenState(None, BID, sheet, tuple(hands), aside, Auction(waiting=tuple(order))), tell)

    def _ask_next(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F5: ask the next seat that has not spoken; after the last the auction is over, and perhaps the deal.

        *Ruling*: a seat that can only pass is asked all the same, so that its silence tells nothing."""
        auction = state.auction
        if auction.waiting:
            first, *others = auction.waiting
            return state._replace(to_act=first, auction=auction._replace(waiting=tuple(others)))
        if auction.standing:
            return self._close(state, tell)
        tell(Event("all_passed", {"seat": self._dealer(state.sheet)}))
        return self._between(state.sheet)

    def _pass(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F5: the seat that passes is out, and its rival stands."""
        seat, auction = state.to_act or CHANCE, state.auction
        tell(Event("passed", {"seat": seat}))
        auction = auction._replace(said=(*auction.said, (seat, PASS)), standing=auction.rival(seat))
        return self._ask_next(state._replace(auction=auction), tell)

    def _bid(self, state: FipsenState, action: Action, tell: EventSink) -> FipsenState:
        """F5: the first bid is put to the next seat that has not spoken; a stronger bid is put to the rival."""
        seat, auction = state.to_act or CHANCE, state.auction
        bid, rival = bid_of(action), auction.rival(seat)
        tell(Event("bid", {"seat": seat, "bid": bid.text}))
        auction = auction._replace(
            said=(*auction.said, (seat, action)), standing=auction.standing or seat, bid=bid, held=False
        )
        state = state._replace(to_act=rival, auction=auction)
        return state if rival else self._ask_next(state, tell)

    def _hold(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F5: the seat that has stood longer takes the bid over; the challenger has to bid more."""
        seat, auction = state.to_act or CHANCE, state.auction
        tell(Event("held", {"seat": seat, "bid": auction.bid.text}))
        auction = auction._replace(said=(*auction.said, (seat, HOLD)), held=True)
        return state._replace(to_act=state.auction.rival(seat), auction=auction)

    def _close(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F5, F6: declarer may have to name the extras of a bid taken by ``hold``.

        *Ruling* on F6: a single possible naming is not asked for."""
        declarer, bid = state.auction.standing, state.auction.bid
        state = state._replace(to_act=declarer, declarer=declarer, contract=bid)
        tell(Event("won_auction", {"seat": declarer}))
        if bid.kieker:
            return self._take_up(state, tell)
        if state.auction.held and bid.extras:
            if len(namings(bid)) > 1:
                return state._replace(phase=NAME)
            return self._name(state, bid.extras, tell)
        return self._prepare(state, tell)

    def _name(self, state: FipsenState, extras: tuple[str, ...], tell: EventSink) -> FipsenState:
        """F6: declarer names the extras of a bid that was taken by ``hold``."""
        tell(Event("named", {"seat": state.declarer, "extras": extras}))
        return self._prepare(state._replace(contract=state.contract._replace(extras=extras)), tell)

    def _prepare(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F7: ask for hand or skat, unless hand is among the extras. F8: then for trumps, which with ruten are
        diamonds."""
        extras = state.contract.extras
        if "hand" not in extras and not state.aside.taken:
            return state._replace(phase=SKAT)
        if "ruten" not in extras:
            return state._replace(phase=TRUMP)
        return self._choose_trumps(state, DIAMONDS, tell)

    def _play_hand(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F7: declarer leaves the skat, which adds hand."""
        tell(Event("chose_hand", {"seat": state.declarer}))
        return self._prepare(state._replace(contract=state.contract.adding("hand")), tell)

    def _take_skat(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F7: declarer takes the skat, unseen by the defenders."""
        return self._take(state, state.aside.skat, state.aside._replace(skat=0), tell)

    def _take(self, state: FipsenState, taken: CardSet, aside: Aside, tell: EventSink) -> FipsenState:
        """F7, F12: declarer takes up cards, unseen by the defenders, and has to lay away as many."""
        declarer = state.declarer
        shown = Event("took_up", {"seat": declarer, "cards": cards_in(taken)})
        counted = Event("took_up_hidden", {"seat": declarer, "count": taken.bit_count()})
        tell_owner(tell, self.seats, declarer, shown, counted)
        hands = replaced(state.hands, declarer, state.hands[declarer] | taken)
        return state._replace(phase=DISCARD, hands=hands, aside=aside._replace(taken=taken))

    def _lay_away(self, state: FipsenState, cards: tuple[Card, ...], tell: EventSink) -> FipsenState:
        """F7, F12: lay cards away, face down and out of play."""
        declarer, aside, away = state.declarer, state.aside, card_set(cards)
        shown = Event("discarded", {"seat": declarer, "cards": cards})
        counted = Event("discarded_hidden", {"seat": declarer, "count": len(cards)})
        tell_owner(tell, self.seats, declarer, shown, counted)
        hands = replaced(state.hands, declarer, state.hands[declarer] & ~away)
        return self._prepare(state._replace(hands=hands, aside=aside._replace(laid=aside.laid | away)), tell)

    def _choose_trumps(self, state: FipsenState, trump: int, tell: EventSink) -> FipsenState:
        """F8: make trumps; diamonds add ruten (*ruling*: also to a kieker). F9: declarer leads."""
        contract = state.contract
        tell(Event("trumps_are", {"seat": state.declarer, "suit": SUITS[trump]}))
        if trump == DIAMONDS and "ruten" not in contract.extras:
            contract = contract.adding("ruten")
            tell(Event("ruten_added", {"seat": state.declarer}))
        return state._replace(phase=PLAY, contract=contract, trump=trump)

    def _play(self, state: FipsenState, card: Card, tell: EventSink) -> FipsenState:
        """F9: play a card. The highest trump wins the trick, else the highest card of the suit led; its winner
        leads."""
        seat = state.to_act or CHANCE
        tell(Event("played", {"seat": seat, "card": card}))
        hands = replaced(state.hands, seat, state.hands[seat] & ~BIT[card])
        trick = _joined(state.trick, seat, card, state.trump)
        if len(trick.cards) < self.seats:
            return state._replace(to_act=self._left_of(seat), hands=hands, trick=trick)
        tell(Event("trick_won", {"seat": trick.winner, **_as_it_lay(trick, state.trump)}))
        tricks = (*state.tricks, trick)
        return self._look_at_tricks(
            state._replace(to_act=trick.winner, hands=hands, trick=NO_TRICK, tricks=tricks), tell
        )

    def _look_at_tricks(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F10: once the bid is reached or out of reach, the deal ends, or declarer may end it.

        *Rulings*: it ends as soon as the bid is out of reach; a declarer who has lost a trick before reaching it is
        not asked whether to go on."""
        won, needed = state.won, state.contract.needed
        lost = len(state.tricks) - won
        if won == needed:
            may_go_on = not lost and won < TRICKS
            return state._replace(phase=STOP) if may_go_on else self._finish(state, True, tell)
        return self._finish(state, False, tell) if lost > TRICKS - needed else state

    def _stop(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F10: declarer has reached the bid and stops."""
        tell(Event("stopped", {"seat": state.declarer}))
        return self._finish(state, True, tell)

    def _go_on(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F10: declarer goes on for all five tricks, which puts durch in force, and leads."""
        tell(Event("continued", {"seat": state.declarer}))
        return state._replace(phase=PLAY, contract=state.contract.adding("durch"))

    def _finish(self, state: FipsenState, made: bool, tell: EventSink) -> FipsenState:
        """F11, F12: score the contract, for declarer alone."""
        declarer, contract, last = state.declarer, state.contract, state.tricks[-1]
        won, lost = worth(contract)
        points = won if made else lost
        result: dict[str, Value] = {"seat": declarer, "bid": contract.text, "points": points, "by": last.winner}
        tell(Event("made" if made else "failed", result | _as_it_lay(last, state.trump)))
        return self._count(state.sheet, Result(declarer, contract, points), last, tell)

    def _take_up(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F12: show a kieker to the left; declarer takes up skat and rest, with three players instead of the hand.

        *Ruling*: the hand is shown to the left neighbour alone."""
        declarer, hand = state.declarer, state.hands[state.declarer]
        left = self._left_of(declarer)
        others = tuple([seat for seat in range(self.seats + 1) if seat not in (declarer, left)])
        tell(Event("showed", {"seat": declarer, "to": left, "cards": cards_in(hand)}, (declarer, left)))
        tell(Event("showed_hidden", {"seat": declarer, "to": left}, others))
        taken, laid = state.aside.skat | state.aside.unused, 0
        if self.seats == 3:
            tell(Event("laid_hand_away", {"seat": declarer}))
            state, laid = state._replace(hands=replaced(state.hands, declarer, 0)), hand
        return self._take(state, taken, Aside(laid=laid), tell)

    def _say_sevens(self, state: FipsenState, tell: EventSink) -> FipsenState:
        """F13: four sevens and an ace win at once."""
        seat = state.to_act or CHANCE
        tell(Event("said_sevens", {"seat": seat, "points": SEVENS_POINTS}))
        return self._count(state.sheet, Result(seat, None, SEVENS_POINTS), state.sheet.last_trick, tell)

    def _count(self, sheet: FipsenScores, result: Result, last: Trick | None, tell: EventSink) -> FipsenState:
        """Count a deal (F2; *ruling*: also one ended by sevens), perhaps the last of the match (F14)."""
        totals = [*sheet.totals]
        totals[result.seat - 1] += result.points
        state = self._between(FipsenScores((*sheet.history, result), last, tuple(totals)))
        if outcome := self.outcome(state):
            tell(Event("match_ended", {"seats": outcome.winners, "points": max(outcome.scores)}))
        return state

    def outcome(self, state: FipsenState) -> Outcome | None:
        """F14: the highest total wins, and equal totals win together (*ruling*: the source names no winner)."""
        if state.phase != OVER:
            return None
        scores = state.sheet.totals
        winners = tuple([seat for seat, points in enumerate(scores, 1) if points == max(scores)])
        return Outcome(scores, winners, Reason("deals_played", {"count": self._deals}))

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The worth of five tricks with all extras, lost or made (F11)."""
        return -80, 40

    def scores(self, state: FipsenState) -> tuple[int, ...]:
        return state.sheet.totals

    def next_dealer(self, state: FipsenState) -> int:
        """F14: the deal moves on from the last one."""
        return self._dealer(state.sheet)

    def hands(self, state: FipsenState) -> tuple[tuple[Card, ...], ...]:
        return tuple([cards_in(hand) for hand in state.hands[1:]])

    def observation(self, state: FipsenState, seat: int) -> FipsenObservation:
        to_act, sheet, auction, aside, trick = state.to_act, state.sheet, state.auction, state.aside, state.trick
        declarer = state.declarer
        bidder = declarer or auction.rival(to_act or CHANCE)
        winners = [trick.winner for trick in state.tricks]
        sees_shown = auction.bid.kieker and seat in (declarer, self._left_of(declarer))  # F12
        return FipsenObservation(
            seat=seat,
            phase=state.phase,
            to_act=to_act,
            legal=self.legal_actions(state) if to_act == seat != CHANCE else (),
            scores=sheet.totals,
            outcome=self.outcome(state),
            dealer=self._dealer(sheet),
            deals=self._deals,
            history=sheet.history,
            hand=cards_in(state.hands[seat]),
            counts=tuple([hand.bit_count() for hand in state.hands[1:]]),
            auction=auction.said,
            waiting=auction.waiting,
            standing=auction.standing or None,
            bid=None if auction.bid == NO_BID else auction.bid,
            bidder=bidder or None,
            held=auction.held,
            courtless=courtless(auction.said),
            declarer=declarer or None,
            contract=state.contract if declarer and state.phase != NAME else None,
            trump=state.trump,
            skat=aside.skat.bit_count(),
            unused=aside.unused.bit_count(),
            laid=aside.laid.bit_count(),
            own_taken=cards_in(aside.taken) if seat == declarer else (),
            own_laid=cards_in(aside.laid) if seat == declarer else (),
            shown=cards_in(state.dealt[declarer]) if declarer and sees_shown else (),
            trick=trick.plays,
            winning=trick.winner or None,
            tricks=state.tricks,
            won=tuple([winners.count(player) for player in range(1, self.seats + 1)]),
            last_trick=state.tricks[-1] if state.tricks else sheet.last_trick,
            lacks=_lacks((*state.tricks, trick), self.seats),
        )

    def sampler(self, observation: FipsenObservation) -> Callable[[Random], FipsenState]:
        o = observation
        sheet = FipsenScores(o.history, o.last_trick, o.scores)
        if not o.to_act:
            between = self._between(sheet)
            return lambda rng: between
        draw_cards = card_sampler(o, card_set(PACK))
        auction = Auction(o.auction, o.waiting, o.standing or 0, o.bid or NO_BID, o.held)
        contract = o.contract or (auction.bid if o.declarer else NO_BID)
        players, cards = zip(*o.trick, strict=True) if o.trick else ((), ())
        trick = Trick(players, cards, o.winning or 0)

        def draw(rng: Random) -> FipsenState:
            hands, aside = draw_cards(rng)
            return FipsenState(
                o.to_act, o.phase, sheet, hands, aside, auction, o.declarer or 0, contract, o.trump, trick, o.tricks
            )

        return draw

    def key(self, state: FipsenState) -> Hashable:
        to_act, sheet, auction = state.to_act, (len(state.sheet.history), state.sheet.totals), state.auction
        if state.phase == BID:
            words = auction.waiting, auction.standing, auction.rival(to_act or CHANCE), auction.bid, auction.held
            return to_act, words, state.hands, state.aside.skat, sheet
        skat = state.aside.skat if state.phase in (NAME, SKAT) else 0  # later nobody can take it
        tricks = state.trick, state.won, len(state.tricks)
        return to_act, state.phase, state.hands, skat, tricks, state.declarer, state.contract, state.trump, sheet

    def parse(self, text: str) -> Action:
        kind, *cards = text.split(" ")
        known = {NAMES[card] for card in PACK}
        if kind == "discard" and len(cards) in (2, 5) and known.issuperset(cards) and cards == sorted(set(cards)):
            return _discard(tuple([CARDS[name] for name in cards]))
        return super().parse(text)


def _joined(trick: Trick, seat: int, card: Card, trump: int | None) -> Trick:
    """The trick with one more card and the resulting winner (F9)."""
    assert trump is not None
    players, cards = (*trick.players, seat), (*trick.cards, card)
    return Trick(players, cards, players[winning(cards, trump)])


def _as_it_lay(trick: Trick, trump: int | None) -> dict[str, Value]:
    """A finished trick as arguments of an event: winning card, seats and cards, trumps."""
    best = trick.cards[trick.players.index(trick.winner)]
    return {"card": best, "seats": trick.players, "cards": trick.cards, "suit": SUITS[trump or 0]}


GAME = Fipsen
