"""The rules of Fipsen as it is played in Prisdorf: clauses F1–F15 of ``texts/en/fipsen.md``.

A match is a chain of three kinds of states: between two deals, in an auction, and after an auction. The bids, and what
may be said in an auction, stand in ``fipsen_bids``.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, combinations, product
from operator import itemgetter
from random import Random
from typing import NamedTuple, TypeAlias, final

from cardgames.engine.cards import (
    BIT,
    CARDS,
    NAMES,
    RANKS,
    SUIT_SETS,
    SUITS,
    SUITS_IN,
    Card,
    CardSet,
    card_set,
    cards_in,
    names,
    per_set,
    suit_of,
)
from cardgames.engine.fipsen_bids import (
    ABOVE,
    ANSWERS,
    BID_ACTIONS,
    BIDS,
    COURT,
    EXTRA_SETS,
    HOLD,
    KIEKER_RIGHT,
    NONE,
    PASS,
    PLACE,
    SAY_SEVENS,
    TRICKS,
    Bid,
    Said,
    courtless,
    has_sevens,
    namings,
    rights_of,
    stronger,
    worth,
)
from cardgames.engine.game import (
    CHANCE,
    Action,
    Event,
    EventSink,
    Game,
    Observation,
    Outcome,
    Reason,
    Rules,
    Value,
    check_pack,
    make,
)
from cardgames.engine.hand_guesser import HandGuesser, Place
from cardgames.engine.hidden import tell_owner
from cardgames.engine.tricks import Trick, playable, winning

DEAL, BID, NAME, SKAT, DISCARD = "deal", "bid", "name", "skat", "discard"
TRUMP, PLAY, STOP, OVER = "trump", "play", "stop", "over"
"""The phases: what is asked."""

DIAMONDS = SUITS.index("D")
SEVENS_POINTS = 30

PACK = tuple(sorted(CARDS[name] for name in ("7D", *[rank + suit for suit in "CSH" for rank in "AKQJT987"])))
"""F1: the 25 cards."""

PACK_SET = card_set(PACK)
PACK_NAMES = frozenset(NAMES[card] for card in PACK)

NAME_ACTIONS = {
    extras: Action("name", f"name {' '.join(extras)}", (), extras) for extras in EXTRA_SETS if 1 <= len(extras) <= 2
}
PLAY_HAND, TAKE_SKAT = Action("hand", "hand"), Action("skat", "skat")
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
CARD_ACTIONS = tuple(Action("play", name, (card,)) for card, name in enumerate(NAMES))
STOP_HERE, GO_ON = Action("stop", "stop"), Action("continue", "continue")
ACTIONS = {
    action.text: action
    for action in (
        PASS, HOLD, *BID_ACTIONS, *NAME_ACTIONS.values(), PLAY_HAND, TAKE_SKAT, *TRUMP_ACTIONS,
        *[CARD_ACTIONS[card] for card in PACK], STOP_HERE, GO_ON, SAY_SEVENS,
    )
}  # fmt: skip
"""Every action but deals and discards, by its notation."""

CHOICES = {SKAT: (PLAY_HAND, TAKE_SKAT), TRUMP: TRUMP_ACTIONS, STOP: (STOP_HERE, GO_ON)}
"""The answers in the phases that always have the same."""

SEVEN = RANKS.index("7")
"""The lowest rank, with which the eight ranks of a suit begin."""

EIGHT_RANKS = 0xFF
"""The eight bits of a suit, once it has been shifted to the low end of a set."""

PLAYS = PLAY_SPADES, PLAY_HEARTS, PLAY_DIAMONDS, PLAY_CLUBS = tuple(
    [per_set(CARD_ACTIONS[first : first + 8]) for first in range(SEVEN, len(NAMES), 13)]
)
"""To play any cards of each suit, by the set of them, one bit a rank from the seven up."""

BEATERS = tuple(
    tuple(card_set([card for card in PACK if winning((best, card), trump)]) for best in range(len(NAMES)))
    for trump in range(len(SUITS))
)
"""F9: under each suit of trumps, what takes a trick from each card that is winning it."""


@cache
def _discard(cards: tuple[Card, ...]) -> Action:
    """The action that lays away ``cards``, which are in the order of the notation.

    There are 53,430 at most, so all are kept.
    """
    return Action("discard", f"discard {names(cards)}", cards)


# States and their parts.


Hands: TypeAlias = tuple[CardSet, ...]
"""Hands by seat; seat 0 has none."""


class Result(NamedTuple):
    """A line of the score sheet: a deal that counted."""

    seat: int
    """The declarer, or whoever said ``sevens``."""
    bid: Bid | None
    """The contract with the extras in force at the end; ``None`` for ``sevens``."""
    points: int
    """The points that the seat won, negative for a loss."""


class Sheet(NamedTuple):
    """The score sheet, which lasts from deal to deal."""

    history: tuple[Result, ...]
    """The deals that have counted."""
    last_trick: Trick | None
    """The last trick finished before this deal."""
    totals: tuple[int, ...]
    """Each seat's points, which would take the longer to add up the longer the match."""


class Aside(NamedTuple):
    """The cards that were not dealt to anybody, or are no longer played with."""

    skat: CardSet = 0
    """The skat while it lies on the table."""
    unused: CardSet = 0
    """The rest of the pack while it lies there."""
    taken: CardSet = 0
    """The cards that declarer has taken up, wherever they are now."""
    laid: CardSet = 0
    """The cards that declarer has laid away: discards, and with three players the hand of a kieker."""


@final
class Between(NamedTuple):
    """The state before a deal, or at the end of the match."""

    to_act: int | None
    legal: tuple[Action, ...]
    """None that could be listed."""
    phase: str
    sheet: Sheet


class Dealt(NamedTuple):
    """The part of a deal that no word of its auction changes."""

    hands: Hands
    rights: tuple[int, ...]
    """By seat, what its hand gives the right to say; see :func:`rights_of`."""
    aside: Aside
    sheet: Sheet


@final
class Bidding(NamedTuple):
    """A state in an auction (F5)."""

    to_act: int
    legal: tuple[Action, ...]
    """The legal actions. What they follow from is at hand when a state is made; to work them out only when they are
    asked for would make random play a tenth slower."""
    said: Said
    waiting: tuple[int, ...]
    """The seats not yet asked, in order."""
    standing: int
    """The seat that has stood longer, 0 while nobody has bid."""
    place: int
    """The place in ``BIDS`` of the bid that stands, or ``NONE``."""
    held: bool
    """Whether it was taken by ``hold``."""
    dealt: Dealt

    @property
    def phase(self) -> str:
        """The one question of an auction."""
        return BID

    @property
    def hands(self) -> Hands:
        """The cards that each seat holds."""
        return self.dealt.hands

    @property
    def sheet(self) -> Sheet:
        """The score sheet."""
        return self.dealt.sheet

    @property
    def rival(self) -> int:
        """The other of the two who bid against each other, 0 while nobody has bid."""
        if self.to_act != self.standing:
            return self.standing
        last_speaker, _ = self.said[-1]
        return last_speaker


class Deal(NamedTuple):
    """The part of a deal that no card played changes: who plays with which cards, and for what."""

    hands: Hands
    """The cards that each seat plays with, played or not."""
    said: Said
    """Every word of the auction."""
    declarer: int
    bid: Bid
    """The bid that stood at the end."""
    held: bool
    """Whether it was taken by ``hold``."""
    contract: Bid
    """The bid that declarer must make, with the extras in force (F6–F8, F10)."""
    aside: Aside
    sheet: Sheet


@final
class Playing(NamedTuple):
    """A state after an auction."""

    to_act: int
    legal: tuple[Action, ...]
    """The legal actions, as in :class:`Bidding`."""
    phase: str
    played: CardSet
    """Every card played in this deal."""
    trick: tuple[Card, ...]
    """The cards of the trick as it lies, from its lead."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this deal."""
    won: int
    """How many of them declarer has won."""
    trump: int
    """The suit of trumps, or ``NONE`` until it is chosen."""
    deal: Deal

    @property
    def hands(self) -> Hands:
        """The cards that each seat still holds."""
        return tuple([hand & ~self.played for hand in self.deal.hands])

    @property
    def sheet(self) -> Sheet:
        """The score sheet."""
        return self.deal.sheet


NOTHING_ASIDE, NO_TRICK = Aside(), Trick((), (), 0)
State: TypeAlias = Between | Bidding | Playing


# What a seat knows.


@dataclass(frozen=True)
class FipsenRules(Rules):
    """The options of Fipsen."""

    deals: int = 12
    """F14: how many deals that count make the match."""


@dataclass(frozen=True, kw_only=True)
class FipsenObservation(Observation):
    """All that a seat of Fipsen knows. Tuples with an item a seat have that of seat 1 first."""

    dealer: int
    """The seat that deals this deal, between deals the next."""
    deals: int
    """How many deals that count make the match."""
    history: tuple[Result, ...]
    """The deals that have counted."""
    hand: tuple[Card, ...]
    """This seat's cards."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    auction: Said
    """Every word of the auction."""
    waiting: tuple[int, ...]
    """The seats that the auction has still to reach, in order; the one that is asked now is not among them."""
    standing: int | None
    """The seat that has stood longer and alone may hold; after the auction, declarer."""
    bid: Bid | None
    """The bid that stands, and at the end stood."""
    bidder: int | None
    """Whose bid that is: of the seat that stands, or of its challenger, who has just said it."""
    held: bool
    """Whether it was taken by ``hold``, so that its extras are open."""
    courtless: tuple[int, ...]
    """The seats that have shown, by bidding or holding a kieker, to have been dealt no K, Q or J (*ruling* on F3)."""
    declarer: int | None
    contract: Bid | None
    """The bid that declarer must make, with the extras in force; ``None`` until they are named."""
    trump: int | None
    """The suit of trumps, 0–3."""
    skat: int
    """How many cards lie in the skat."""
    unused: int
    """How many cards lie undealt beside it."""
    laid: int
    """How many cards declarer has laid away."""
    own_taken: tuple[Card, ...]
    """The cards that this seat as declarer has taken up."""
    own_laid: tuple[Card, ...]
    """The cards that this seat as declarer has laid away."""
    shown: tuple[Card, ...]
    """The hand shown for a kieker, if this seat is declarer or the left neighbour who saw it (F12)."""
    trick: tuple[tuple[int, Card], ...]
    """The trick as it lies: who played which card, from the lead."""
    winning: int | None
    """The seat that wins the trick as it lies."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this deal."""
    won: tuple[int, ...]
    """How many of them each seat has won."""
    last_trick: Trick | None
    """The last finished trick, between deals and in the next auction that of the deal before."""
    lacks: tuple[tuple[int, ...], ...]
    """The suits that each seat has shown to lack."""

    @property
    def forced(self) -> bool:
        """The last card."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The cards that may not be played, or the bids and namings that look close to those that may be said."""
        if not self.legal:
            return ()
        thought: tuple[Action, ...] = ()
        if self.phase == PLAY:
            thought = tuple([CARD_ACTIONS[card] for card in self.hand])
        elif self.phase == BID:
            above = ABOVE[NONE if self.bid is None else BIDS.index(self.bid)]
            # Of the bids that are too low, those of as many tricks as the one that stands.
            same = [place for place in range(above) if self.bid and BIDS[place].tricks == self.bid.tricks]
            kiekers = [place for place in range(above, len(BIDS)) if BIDS[place].kieker]
            thought = (*(HOLD,) * bool(self.standing), *[BID_ACTIONS[place] for place in (*same, *kiekers)])
        elif self.phase == NAME and self.bid:
            count = len(self.bid.extras)
            thought = tuple([action for extras, action in NAME_ACTIONS.items() if len(extras) == count])
        return tuple([(action, self.refusal(action)) for action in thought if action not in self.legal])

    def refusal(self, action: Action) -> Reason:
        if not self.to_act:
            return Reason("match_over" if self.phase == OVER else "deal_first")
        if action.kind == "deal" or self.seat != self.to_act:
            return Reason("not_now")
        if action == SAY_SEVENS:
            begun = bool(self.trick or self.tricks)
            return Reason("sevens_too_late" if begun else "no_sevens_and_ace")
        if self.phase == BID:
            return self._not_to_be_said(action)
        if self.phase == NAME and self.bid:
            count = len(self.bid.extras)
            if action.kind == "name" and len(action.args) == count:
                return Reason("durch_at_five")
            return Reason("name_extras", {"count": count})
        if self.phase == SKAT:
            return Reason("hand_or_skat")
        if self.phase == TRUMP:
            return Reason("choose_trump")
        if self.phase == STOP:
            return Reason("stop_or_continue")
        if action.kind == self.phase:
            for card in action.cards:
                if card not in self.hand:
                    return Reason("not_in_hand", {"card": card})
        if self.phase == DISCARD:
            return Reason("discard_count", {"count": len(self.hand) - TRICKS})
        if action.kind == "play":
            return Reason("must_follow", {"suit": SUITS[suit_of(self.trick[0][1])]})
        return Reason("play_a_card")

    def _not_to_be_said(self, action: Action) -> Reason:
        """Why ``action`` is no word of the auction now."""
        if self.bid and action.text in PLACE and action not in stronger(self.bid):
            return Reason("not_stronger", {"bid": self.bid.text})
        if action == HOLD and self.bid is None:
            return Reason("nothing_to_hold")
        if action == HOLD and self.standing and self.seat != self.standing:
            return Reason("only_standing_holds", {"seat": self.standing})
        if action.kind in ("hold", "kieker"):
            return Reason("court_in_hand", {"cards": tuple([card for card in self.hand if COURT >> card & 1])})
        return Reason("bid_or_pass")

    def gives_up_sevens(self, action: Action) -> bool:
        """Whether ``sevens`` can be said now and no more after ``action``, which is legal (F13)."""
        if SAY_SEVENS not in self.legal:
            return False
        kept = card_set(self.hand) & ~card_set(action.cards)
        return action == PASS or action.kind == "play" or (action.kind == "discard" and not has_sevens(kept))


class Fipsen(Game[State, FipsenObservation]):
    """Fipsen for three or four."""

    NAME = "fipsen"
    SEATS = (3, 4)
    RULES = FipsenRules
    PACK = PACK
    ACTIONS = ACTIONS

    def __init__(self, seats: int, rules: FipsenRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._deals = rules.deals
        self._no_hands: Hands = (0,) * (seats + 1)
        # By seat, the seats in turn from it on.
        self._from = [tuple([(seat - 1 + step) % seats + 1 for step in range(seats)]) for seat in range(seats + 1)]

    def start(self) -> State:
        return self._between(Sheet((), None, (0,) * self.seats))

    # Every action asks for these two, and a method would take twice the time; all states begin with them.
    to_act = itemgetter(Playing._fields.index("to_act"))  # type: ignore[assignment]
    legal_actions = itemgetter(Playing._fields.index("legal"))  # type: ignore[assignment]

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        """A word of the auction (F5), a deal (F2), a card (F9), or a word of declarer (F6–F8, F10, F12, F13)."""
        if type(state) is Bidding:
            return self._speak(state, action, tell)
        if type(state) is Between:
            return self._deal(state, action, tell)
        # F9 stands here, since most of what happens is a card.
        to_act, legal, phase, played, trick, tricks, won, trump, deal = state
        if action not in legal:
            raise self.illegal(state, action)
        cards = action.cards
        if phase != PLAY or not cards:
            return self._decide(state, action, tell)
        if tell:
            tell(Event("played", {"seat": to_act, "card": cards[0]}))
        played |= BIT[cards[0]]
        trick += cards
        to_act = to_act % self.seats + 1
        if len(trick) == self.seats:  # the trick is won, and its winner leads to the next
            players = self._from[to_act]
            to_act = players[_winning(trick, trump)]
            last = make(Trick, (players, trick, to_act))
            if tell:
                tell(Event("trick_won", {"seat": to_act, **_as_it_lay(last, trump)}))
            tricks, trick, won = (*tricks, last), (), won + (to_act == deal.declarer)
            needed = deal.contract.needed
            if won == needed or len(tricks) - won > TRICKS - needed:
                return self._decided(played, tricks, won, trump, deal, tell)
            legal = _plays(deal.hands[to_act] & ~played)
        else:
            hand = deal.hands[to_act] & ~played
            led = trick[0] // 13
            follow = hand >> 13 * led + SEVEN & EIGHT_RANKS
            legal = PLAYS[led][follow] if follow else _plays(hand)
        return make(Playing, (to_act, legal, PLAY, played, trick, tricks, won, trump, deal))

    def _between(self, sheet: Sheet) -> State:
        """The state before the next deal, or at the end of the match.

        *Ruling* on F14: it ends after a number of deals that count; the source names no end.
        """
        over = len(sheet.history) == self._deals
        return make(Between, (None, (), OVER, sheet) if over else (CHANCE, (), DEAL, sheet))

    def _dealer(self, sheet: Sheet) -> int:
        """F2: the deal moves on after each deal that counts."""
        return (self.dealer - 1 + len(sheet.history)) % self.seats + 1

    def _deal(self, state: Between, action: Action, tell: EventSink | None) -> State:
        """F2: three cards to each, two to the skat, two to each; the dealer's left comes first, also in the auction."""
        if state.phase == OVER:
            raise self.illegal(state, action)
        check_pack(action, PACK)
        dealer = self._dealer(state.sheet)
        if tell:
            number = len(state.sheet.history) + 1
            tell(Event("dealt", {"seat": dealer, "number": number, "count": self._deals}))
        seats, cards = self.seats, action.cards
        threes, skat, rest = cards[: 3 * seats], cards[3 * seats : 3 * seats + 2], cards[3 * seats + 2 :]
        twos, unused = rest[: 2 * seats], rest[2 * seats :]
        order = self._from[dealer % seats + 1]
        hands = [0] * (seats + 1)
        for place, seat in enumerate(order):
            hands[seat] = card_set(threes[3 * place : 3 * place + 3] + twos[2 * place : 2 * place + 2])
        rights = tuple([rights_of(hand) for hand in hands])
        return Bidding(
            to_act=order[0],
            legal=ANSWERS[rights[order[0]]][NONE][False],
            said=(),
            waiting=order[1:],
            standing=0,
            place=NONE,
            held=False,
            dealt=Dealt(tuple(hands), rights, Aside(skat=card_set(skat), unused=card_set(unused)), state.sheet),
        )

    def _speak(self, state: Bidding, action: Action, tell: EventSink | None) -> State:
        """A word of the auction, and who speaks next (F5).

        *Ruling*: who can only pass is asked all the same, so that nobody learns anything from the silence.
        """
        to_act, legal, said, waiting, standing, place, held, dealt = state
        kind, rights = action.kind, dealt.rights
        rival = state.rival
        if kind == "pass":
            standing, rival = rival, 0
            if tell:
                tell(Event("passed", {"seat": to_act}))
        # A bid is found legal by its place, which is faster than to look for it among up to thirty.
        elif (higher := PLACE.get(action.text, NONE)) >= ABOVE[place] and (
            kind == "bid" or rights[to_act] & KIEKER_RIGHT
        ):
            place, held = higher, False
            standing = standing or to_act
            if tell:
                tell(Event("bid", {"seat": to_act, "bid": BIDS[place].text}))
        elif action not in legal:
            raise self.illegal(state, action)
        elif kind == "hold":
            held = True
            if tell:
                tell(Event("held", {"seat": to_act, "bid": BIDS[place].text}))
        else:
            return self._say_sevens(to_act, dealt.sheet, tell)
        said += ((to_act, action),)
        if rival:
            to_act = rival
        elif waiting:
            to_act = waiting[0]
            waiting = waiting[1:]
        elif standing:
            return self._close(said, standing, BIDS[place], held, dealt, tell)
        else:
            return self._redeal(dealt.sheet, tell)
        legal = ANSWERS[rights[to_act]][place][to_act == standing]
        return make(Bidding, (to_act, legal, said, waiting, standing, place, held, dealt))

    def _redeal(self, sheet: Sheet, tell: EventSink | None) -> State:
        """F5: all have passed; the same dealer deals again, and the deal does not count."""
        if tell:
            tell(Event("all_passed", {"seat": self._dealer(sheet)}))
        return self._between(sheet)

    def _close(self, said: Said, declarer: int, bid: Bid, held: bool, dealt: Dealt, tell: EventSink | None) -> State:
        """F5, F6: the auction is over; declarer may have to name the extras of a bid taken by ``hold``.

        *Ruling* on F6: where only one naming is possible nobody is asked.
        """
        deal = make(Deal, (dealt.hands, said, declarer, bid, held, bid, dealt.aside, dealt.sheet))
        if tell:
            tell(Event("won_auction", {"seat": declarer}))
        if bid.kieker:
            return self._take_up(deal, tell)
        if held and bid.extras:
            if len(namings(bid)) > 1:
                return _ask(NAME, deal)
            if tell:
                tell(Event("named", {"seat": declarer, "extras": bid.extras}))
        return self._prepare(deal, tell)

    def _prepare(self, deal: Deal, tell: EventSink | None) -> State:
        """F7: hand or skat, unless hand is among the extras. F8: any suit of trumps, or diamonds unasked with ruten."""
        extras = deal.contract.extras
        if "hand" not in extras and not deal.aside.taken:
            return _ask(SKAT, deal)
        if "ruten" not in extras:
            return _ask(TRUMP, deal)
        return self._lead(deal, DIAMONDS, tell)

    def _lead(self, deal: Deal, trump: int, tell: EventSink | None) -> State:
        """F8, F9: trumps are known, and diamonds add ruten (*ruling*: to a kieker, too); declarer leads."""
        if tell:
            tell(Event("trumps_are", {"seat": deal.declarer, "suit": SUITS[trump]}))
        if trump == DIAMONDS and "ruten" not in deal.contract.extras:
            deal = deal._replace(contract=deal.contract.adding("ruten"))
            if tell:
                tell(Event("ruten_added", {"seat": deal.declarer}))
        return _ask(PLAY, deal, trump)

    def _decide(self, state: Playing, action: Action, tell: EventSink | None) -> State:
        """A word of declarer, or cards that declarer lays away; each is a method below."""
        deal = state.deal
        match action.kind:
            case "sevens":
                return self._say_sevens(deal.declarer, deal.sheet, tell)
            case "name":
                return self._name(deal, tuple(map(str, action.args)), tell)
            case "hand":
                return self._play_hand(deal, tell)
            case "skat":
                return self._take_skat(deal, tell)
            case "discard":
                return self._lay_away(deal, action.cards, tell)
            case "trump":
                return self._lead(deal, SUITS.index(str(action.args[0])), tell)
            case "stop":
                return self._stop(state, tell)
            case _:  # "continue": the action is legal, and no other is left
                return self._go_on(state, tell)

    def _name(self, deal: Deal, extras: tuple[str, ...], tell: EventSink | None) -> State:
        """F6: declarer names the extras of a bid that was taken by ``hold``."""
        if tell:
            tell(Event("named", {"seat": deal.declarer, "extras": extras}))
        return self._prepare(deal._replace(contract=deal.bid._replace(extras=extras)), tell)

    def _play_hand(self, deal: Deal, tell: EventSink | None) -> State:
        """F7: declarer leaves the skat where it lies, which adds hand."""
        if tell:
            tell(Event("chose_hand", {"seat": deal.declarer}))
        return self._prepare(deal._replace(contract=deal.contract.adding("hand")), tell)

    def _take_skat(self, deal: Deal, tell: EventSink | None) -> State:
        """F7: declarer takes the skat unseen by others."""
        skat = deal.aside.skat
        if tell:
            self._tell_taken(deal.declarer, skat, tell)
        hands = _with(deal.hands, deal.declarer, deal.hands[deal.declarer] | skat)
        return _ask(DISCARD, deal._replace(hands=hands, aside=deal.aside._replace(skat=0, taken=skat)))

    def _take_up(self, deal: Deal, tell: EventSink | None) -> State:
        """F12: a kieker is shown to the left; skat and rest are taken up, by three players instead of the hand."""
        declarer, aside = deal.declarer, deal.aside
        dealt = deal.hands[declarer]
        taken = aside.skat | aside.unused
        laid = dealt if self.seats == 3 else 0
        if tell:
            self._tell_shown(declarer, dealt, tell)
            if laid:
                tell(Event("laid_hand_away", {"seat": declarer}))
            self._tell_taken(declarer, taken, tell)
        hands = _with(deal.hands, declarer, dealt & ~laid | taken)
        return _ask(DISCARD, deal._replace(hands=hands, aside=Aside(taken=taken, laid=laid)))

    def _tell_shown(self, declarer: int, hand: CardSet, tell: EventSink) -> None:
        """*Ruling* on F12: the hand of a kieker is shown to the left neighbour alone."""
        left = declarer % self.seats + 1
        others = tuple([seat for seat in range(self.seats + 1) if seat not in (declarer, left)])
        tell(Event("showed", {"seat": declarer, "to": left, "cards": cards_in(hand)}, (declarer, left)))
        tell(Event("showed_hidden", {"seat": declarer, "to": left}, others))

    def _tell_taken(self, declarer: int, taken: CardSet, tell: EventSink) -> None:
        """F7, F12: nobody else sees what declarer takes up."""
        shown = Event("took_up", {"seat": declarer, "cards": cards_in(taken)})
        counted = Event("took_up_hidden", {"seat": declarer, "count": taken.bit_count()})
        tell_owner(tell, self.seats, declarer, shown, counted)

    def _lay_away(self, deal: Deal, cards: tuple[Card, ...], tell: EventSink | None) -> State:
        """F7, F12: the discards stay face down and out of play."""
        declarer, aside, away = deal.declarer, deal.aside, card_set(cards)
        if tell:
            shown = Event("discarded", {"seat": declarer, "cards": cards})
            counted = Event("discarded_hidden", {"seat": declarer, "count": len(cards)})
            tell_owner(tell, self.seats, declarer, shown, counted)
        hands = _with(deal.hands, declarer, deal.hands[declarer] & ~away)
        return self._prepare(deal._replace(hands=hands, aside=aside._replace(laid=aside.laid | away)), tell)

    def _decided(
        self, played: CardSet, tricks: tuple[Trick, ...], won: int, trump: int, deal: Deal, tell: EventSink | None
    ) -> State:
        """F10: the bid is reached or cannot be any more: the deal ends, or declarer may end it.

        *Rulings*: it ends as soon as the bid cannot be reached; a declarer who has lost a trick before reaching it is
        not asked whether to go on.
        """
        made = won == deal.contract.needed
        if made and won == len(tricks) < TRICKS:
            return make(Playing, (deal.declarer, CHOICES[STOP], STOP, played, (), tricks, won, trump, deal))
        return self._finish(deal, trump, tricks[-1], made, tell)

    def _stop(self, state: Playing, tell: EventSink | None) -> State:
        """F10: declarer, who has reached the bid, leaves it there."""
        if tell:
            tell(Event("stopped", {"seat": state.to_act}))
        return self._finish(state.deal, state.trump, state.tricks[-1], True, tell)

    def _go_on(self, state: Playing, tell: EventSink | None) -> State:
        """F10: declarer goes on for all five tricks, which puts durch in force, and leads."""
        deal = state.deal
        if tell:
            tell(Event("continued", {"seat": deal.declarer}))
        contract = deal.contract.adding("durch")
        return state._replace(
            phase=PLAY, legal=_plays(state.hands[deal.declarer]), deal=deal._replace(contract=contract)
        )

    def _finish(self, deal: Deal, trump: int, last: Trick, made: bool, tell: EventSink | None) -> State:
        """F11, F12: the contract is made or not, and counts for declarer alone; ``last`` is the trick that decided."""
        contract = deal.contract
        won, lost = worth(contract)
        points = won if made else lost
        if tell:
            result: dict[str, Value] = {"seat": deal.declarer, "bid": contract.text, "points": points}
            tell(Event("made" if made else "failed", {**result, "by": last.winner, **_as_it_lay(last, trump)}))
        return self._count(make(Result, (deal.declarer, contract, points)), last, deal.sheet, tell)

    def _say_sevens(self, seat: int, sheet: Sheet, tell: EventSink | None) -> State:
        """F13: four sevens and an ace win at once."""
        if tell:
            tell(Event("said_sevens", {"seat": seat, "points": SEVENS_POINTS}))
        return self._count(Result(seat, None, SEVENS_POINTS), sheet.last_trick, sheet, tell)

    def _count(self, result: Result, last: Trick | None, sheet: Sheet, tell: EventSink | None) -> State:
        """A deal counts (F2; *ruling*: one ended by sevens as well), and may have been the last of the match (F14)."""
        totals = [*sheet.totals]
        totals[result.seat - 1] += result.points
        state = self._between(make(Sheet, ((*sheet.history, result), last, tuple(totals))))
        if tell and (outcome := self.outcome(state)):
            tell(Event("match_ended", {"seats": outcome.winners, "points": max(outcome.scores)}))
        return state

    def observation(self, state: State, seat: int) -> FipsenObservation:
        to_act, sheet = state.to_act, state.sheet
        hands, aside, trump = self._no_hands, NOTHING_ASIDE, NONE
        said: Said = ()
        waiting: tuple[int, ...] = ()
        standing = bidder = declarer = 0
        bid: Bid | None = None
        contract: Bid | None = None
        held = False
        tricks: tuple[Trick, ...] = ()
        trick, shown = NO_TRICK, 0
        if isinstance(state, Bidding):
            hands, aside = state.hands, state.dealt.aside
            said, waiting, held = state.said, state.waiting, state.held
            standing, bidder = state.standing, state.rival
            bid = None if state.place == NONE else BIDS[state.place]
        elif isinstance(state, Playing):
            deal = state.deal
            said, bid, held, contract, aside = deal.said, deal.bid, deal.held, deal.contract, deal.aside
            standing = bidder = declarer = deal.declarer
            hands, tricks, trump = state.hands, state.tricks, state.trump
            trick, shown = self._lying(state), self._shown_to(seat, deal)
        winners = [trick.winner for trick in tricks]
        return FipsenObservation(
            seat=seat,
            phase=state.phase,
            to_act=to_act,
            legal=state.legal if to_act == seat != CHANCE else (),
            scores=sheet.totals,
            outcome=self.outcome(state),
            dealer=self._dealer(sheet),
            deals=self._deals,
            history=sheet.history,
            hand=cards_in(hands[seat]),
            counts=tuple([hand.bit_count() for hand in hands[1:]]),
            auction=said,
            waiting=waiting,
            standing=standing or None,
            bid=bid,
            bidder=bidder or None,
            held=held,
            courtless=courtless(said) if bid and bid.tricks == TRICKS else (),  # a kieker stands between four and five
            declarer=declarer or None,
            contract=None if state.phase == NAME else contract,
            trump=None if trump == NONE else trump,
            skat=aside.skat.bit_count(),
            unused=aside.unused.bit_count(),
            laid=aside.laid.bit_count(),
            own_taken=cards_in(aside.taken) if seat == declarer else (),
            own_laid=cards_in(aside.laid) if seat == declarer else (),
            shown=cards_in(shown),
            trick=trick.plays if trick.cards else (),
            winning=trick.winner or None,
            tricks=tricks,
            won=tuple([winners.count(player) for player in range(1, self.seats + 1)]),
            last_trick=tricks[-1] if tricks else sheet.last_trick,
            lacks=_lacks((*tricks, trick), self.seats) if tricks or trick.cards else ((),) * self.seats,
        )

    def _lying(self, state: Playing) -> Trick:
        """The trick as it lies."""
        cards = state.trick
        if not cards:
            return NO_TRICK
        players = self._from[(state.to_act - 1 - len(cards)) % self.seats + 1][: len(cards)]
        return Trick(players, cards, players[_winning(cards, state.trump)])

    def _shown_to(self, seat: int, deal: Deal) -> CardSet:
        """F12: the hand of a kieker, if ``seat`` is declarer or the left neighbour."""
        if not deal.bid.kieker or seat not in (deal.declarer, deal.declarer % self.seats + 1):
            return 0
        return (deal.hands[deal.declarer] | deal.aside.laid) & ~deal.aside.taken

    def sampler(self, observation: FipsenObservation) -> Callable[[Random], State]:
        o = observation
        sheet = Sheet(o.history, o.last_trick, o.scores)
        to_act, bid = o.to_act, o.bid
        if not to_act:
            between = self._between(sheet)
            return lambda rng: between
        draw_cards = _card_sampler(o)
        if o.phase == BID:
            place, standing = NONE if bid is None else BIDS.index(bid), o.standing or 0

            def draw_bidding(rng: Random) -> State:
                hands, aside = draw_cards(rng)
                rights = tuple([rights_of(hand) for hand in hands])
                legal = ANSWERS[rights[to_act]][place][to_act == standing]
                dealt = Dealt(hands, rights, aside, sheet)
                return Bidding(to_act, legal, o.auction, o.waiting, standing, place, o.held, dealt)

            return draw_bidding
        assert bid
        assert o.declarer
        declarer, won, trump = o.declarer, o.won[o.declarer - 1], NONE if o.trump is None else o.trump
        trick, played = _cards(o.trick), card_set(_cards(_plays_of(o)))

        def draw_playing(rng: Random) -> State:
            hands, aside = draw_cards(rng)
            hand = hands[to_act] & ~played
            legal = o.legal or (_plays(playable(hand, suit_of(trick[0]))) if trick else choices(o.phase, hand, bid))
            deal = Deal(hands, o.auction, declarer, bid, o.held, o.contract or bid, aside, sheet)
            return Playing(to_act, legal, o.phase, played, trick, o.tricks, won, trump, deal)

        return draw_playing

    def key(self, state: State) -> Hashable:
        to_act, sheet = state.to_act, (len(state.sheet.history), state.sheet.totals)
        if isinstance(state, Between):
            return to_act, sheet
        if isinstance(state, Bidding):
            words = state.waiting, state.standing, state.rival, state.place, state.held
            return to_act, words, state.hands, state.dealt.aside.skat, sheet
        deal = state.deal
        skat = deal.aside.skat if state.phase in (NAME, SKAT) else 0  # later nobody can take it
        tricks = state.trick, state.won, len(state.tricks)
        return to_act, state.phase, state.hands, skat, tricks, deal.declarer, deal.contract, state.trump, sheet

    def scores(self, state: State) -> tuple[int, ...]:
        return state.sheet.totals

    def outcome(self, state: State) -> Outcome | None:
        """F14: the highest total wins, and equal totals win together (*ruling*: the source names no winner)."""
        if state.phase != OVER:
            return None
        scores = state.sheet.totals
        most = max(scores)
        winners = tuple([seat for seat, points in enumerate(scores, 1) if points == most])
        return Outcome(scores, winners, Reason("deals_played", {"count": self._deals}))

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        if isinstance(state, Between):
            return ((),) * self.seats
        return tuple([cards_in(hand) for hand in state.hands[1:]])

    def parse(self, text: str) -> Action:
        kind, *cards = text.split(" ")
        if kind == "discard" and len(cards) in (2, 5) and PACK_NAMES.issuperset(cards) and cards == sorted(set(cards)):
            return _discard(tuple([CARDS[name] for name in cards]))
        return super().parse(text)

    def next_dealer(self, state: State) -> int:
        """F14: the deal goes on from the last one that was dealt."""
        return self._dealer(state.sheet)


def _plays(cards: CardSet) -> tuple[Action, ...]:
    """The actions that play each of these cards, ascending."""
    return (
        PLAY_SPADES[cards >> SEVEN & EIGHT_RANKS]
        + PLAY_HEARTS[cards >> 13 + SEVEN & EIGHT_RANKS]
        + PLAY_DIAMONDS[cards >> 26 + SEVEN & EIGHT_RANKS]
        + PLAY_CLUBS[cards >> 39 + SEVEN]
    )


def _ask(phase: str, deal: Deal, trump: int = NONE) -> Playing:
    """The state in which, before the first card, ``phase`` is asked of declarer."""
    legal = choices(phase, deal.hands[deal.declarer], deal.bid)
    return make(Playing, (deal.declarer, legal, phase, 0, (), (), 0, trump, deal))


def choices(phase: str, hand: CardSet, bid: Bid) -> tuple[Action, ...]:
    """The legal answers to ``phase`` of one who holds ``hand``, but for following to a trick.

    *Ruling* on F13: four sevens and an ace are said on one's own turn only.
    """
    legal: tuple[Action, ...]
    if phase == PLAY:
        legal = _plays(hand)
    elif phase == NAME:
        legal = tuple([NAME_ACTIONS[extras] for extras in namings(bid)])
    elif phase == DISCARD:
        by_name = sorted(cards_in(hand), key=NAMES.__getitem__)
        legal = tuple(map(_discard, combinations(by_name, len(by_name) - TRICKS)))
    else:
        legal = CHOICES[phase]
    return (*legal, SAY_SEVENS) if has_sevens(hand) else legal


def _winning(cards: tuple[Card, ...], trump: int) -> int:
    """The place in a trick, counted from its lead, of the card that wins it as it lies (F9)."""
    beaters = BEATERS[trump]
    best = cards[0]
    for card in cards:
        if beaters[best] >> card & 1:
            best = card
    return cards.index(best)


def _as_it_lay(trick: Trick, trump: int) -> dict[str, Value]:
    """The arguments of an event that show a finished trick: the card that won it, who played which card, and trumps."""
    best = trick.cards[trick.players.index(trick.winner)]
    return {"card": best, "seats": trick.players, "cards": trick.cards, "suit": SUITS[trump]}


def _with(hands: Hands, seat: int, hand: CardSet) -> Hands:
    """The hands with another one at ``seat``."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _lacks(tricks: tuple[Trick, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The suits that each seat has shown to lack by not following (F9)."""
    found = [0] * (seats + 1)
    for players, cards, _ in tricks:
        led = suit_of(cards[0]) if cards else 0
        for seat, card in zip(players, cards, strict=True):
            if suit_of(card) != led:
                found[seat] |= 1 << led
    return tuple([SUITS_IN[suits] for suits in found[1:]])


def _cards(plays: Iterable[tuple[int, Card]]) -> tuple[Card, ...]:
    """The cards that were played."""
    return tuple([card for _, card in plays])


def _plays_of(o: FipsenObservation) -> list[tuple[int, Card]]:
    """Every card played in this deal, and by whom."""
    return [*[play for trick in o.tricks for play in trick.plays], *o.trick]


def _card_sampler(o: FipsenObservation) -> Callable[[Random], tuple[Hands, Aside]]:
    """A function that draws hands, with the cards played from them, and what lies aside: evenly, as far as ``o`` knows.

    A declarer who is not watching has cards that were dealt, which may have been shown or be known to hold no K, Q or
    J, and cards that were taken up. Each way in which these can be shared among those played, held and laid away has
    a guesser of its own, and is as likely as there are ways in which the cards fit it.
    """
    seats = len(o.counts)
    skat, unused, taken, laid = range(seats + 1, seats + 5)  # where else than in hands cards belong
    took = len(PACK) - TRICKS * seats - o.skat - o.unused if o.declarer else 0
    hidden = o.declarer if took and o.declarer != o.seat else None
    others = [seat for seat in range(1, seats + 1) if seat not in (o.seat, hidden)]

    known = [0] * (seats + 5)
    known[o.seat], known[taken], known[laid] = card_set(o.hand), card_set(o.own_taken), card_set(o.own_laid)
    for seat, card in _plays_of(o):
        if seat != hidden:
            known[seat] |= BIT[card]
    unknown = PACK_SET & ~sum(known[: seats + 1]) & ~known[laid]
    unseen = unknown & ~card_set(_cards(_plays_of(o)))
    shown = card_set(o.shown) if hidden else 0
    free = unseen & ~shown

    # Where the cards of each place belong.
    spots: list[tuple[int, ...]] = [(skat,), (unused,), *[(seat,) for seat in others]]
    places = [Place(o.skat, free), Place(o.unused, free)]
    for seat in others:
        court = COURT if seat in o.courtless else 0
        places.append(Place(o.counts[seat - 1], free & ~court & _fits(o, seat)))
    divisions: Iterable[list[Place]] = [[]]
    if hidden:
        spots += [(hidden,), (hidden, taken), (hidden,), (hidden, taken), (laid,), (laid, taken)]
        divisions = _divisions(o, hidden, took, unseen, shown)
    guessers = []
    for division in divisions:
        with suppress(ValueError):  # no cards fit this one
            guessers.append(HandGuesser(unknown, [*places, *division]))
    weights = list(accumulate([guesser.ways for guesser in guessers]))

    def draw(rng: Random) -> tuple[Hands, Aside]:
        guesser = guessers[0] if len(guessers) == 1 else rng.choices(guessers, cum_weights=weights)[0]
        found = known.copy()
        for spot, cards in zip(spots, guesser.draw(rng), strict=True):
            for where in spot:
                found[where] |= cards
        return tuple(found[: seats + 1]), Aside(*found[seats + 1 :])

    return draw


def _divisions(
    o: FipsenObservation, declarer: int, took: int, unseen: CardSet, shown: CardSet
) -> Iterator[list[Place]]:
    """Every way to share the cards taken up among those that declarer has played, holds and has laid away.

    The places are, for each of these three, the cards that were dealt and those that were taken up. With three players
    a kieker lays the whole hand dealt away (F12).
    """
    replaced = o.contract is not None and o.contract.kieker and len(o.counts) == 3
    dealt = shown or (PACK_SET & ~COURT if declarer in o.courtless else PACK_SET)
    played = card_set(_cards([play for play in _plays_of(o) if play[0] == declarer]))
    held = unseen & _fits(o, declarer)
    rooms = (played.bit_count(), o.counts[declarer - 1], o.laid)
    for taken in product(*[range(room + 1) for room in rooms]):
        if sum(taken) == took:
            yield [
                Place(rooms[0] - taken[0], 0 if replaced else played & dealt),
                Place(taken[0], played & ~shown),
                Place(rooms[1] - taken[1], 0 if replaced else held & dealt),
                Place(taken[1], held & ~shown),
                Place(rooms[2] - taken[2], unseen & dealt),
                Place(taken[2], unseen & ~shown),
            ]


def _fits(o: FipsenObservation, seat: int) -> CardSet:
    """The cards that a seat may hold, which has shown to lack some suits (F9)."""
    return PACK_SET & ~sum([SUIT_SETS[suit] for suit in o.lacks[seat - 1]])


GAME = Fipsen
