"""Fipsen as in Prisdorf: shared/spec/fipsen.md, clauses F1–F15.

A state is a flat tuple, unpacked at the top of whatever reads it:

    legal     the legal actions: every state is asked for them
    turn      the seat to act; 0 chance, None when the match is over
    phase     what is asked, one of the words below
    able      the cards that may be played, a card set; empty unless one is to be played
    hands     by seat, the cards it holds and those it has played; seat 0 has none
    played    every card played in this deal
    trick     the cards of the trick as it lies, from its lead
    trump     the suit of trumps, NONE until it is known
    extras    the extras in force (F6–F8, F10), a set of the bits below
    tricks    the finished tricks of this deal: who led, the cards, who won
    auction   what only the auction changes, a tuple of its own:

    said        every word of it, with its seat
    waiting     the seats not yet asked, in order
    standing    the seat that has stood longer, 0 while nobody has bid; in the end it is declarer
    challenger  the seat that answers what stands, or that may open; 0 after the auction
    bid         the place in BIDS of the bid that stands, NONE before there is one
    held        whether it was taken by ``hold``

    aside     where the cards are that are in no hand, a tuple of card sets:

    skat        the skat while it lies on the table
    unused      what was not dealt, while it lies there
    taken       what declarer has taken up, wherever it is now
    laid        what declarer has laid away: discards, and with three players the hand of a kieker

    sheet     what lasts from deal to deal: the results of those that counted, the last trick finished in any, and
              each seat's total, which would take the longer to add up the longer the match
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import (
    CARDS,
    NAMES,
    RANK_SETS,
    RANKS,
    SUIT_SETS,
    SUITS,
    Card,
    CardSet,
    PerSet,
    card_set,
    cards_in,
    names,
    suit_of,
)
from cardgames.engine.game import (
    CHANCE,
    Action,
    Chance,
    Event,
    EventSink,
    Game,
    IllegalAction,
    InvalidAction,
    Observation,
    Outcome,
    Reason,
    Rules,
    check_pack,
    parse_chance,
)
from cardgames.engine.tricks import playable, winning

DEAL, BID, NAME, SKAT, DISCARD = "deal", "bid", "name", "skat", "discard"
TRUMP, PLAY, STOP, OVER = "trump", "play", "stop", "over"
NONE = -1
TRICKS = 5
"""The tricks of a deal, and the cards of a hand."""


class Bid(NamedTuple):
    """A bid (F3), or the contract that it has become."""

    tricks: int
    extras: tuple[str, ...] = ()
    """Words of ``EXTRAS``, in their order; a bid of five always has ``durch`` among them, a kieker never."""
    kieker: bool = False

    @property
    def text(self) -> str:
        """As it is said: ``3 hand durch``, ``5 hand``, ``kieker ruten``."""
        said = [word for word in self.extras if self.tricks < TRICKS or word != "durch"]
        return " ".join(["kieker" if self.kieker else str(self.tricks), *said])


class Trick(NamedTuple):
    """A finished trick."""

    plays: tuple[tuple[int, Card], ...]
    """Who played which card, from the lead."""
    winner: int


class Result(NamedTuple):
    """A line of the score sheet: a deal that counted."""

    seat: int
    """The declarer, or whoever said ``sevens``."""
    bid: Bid | None
    """The contract with the extras in force at the end; ``None`` for ``sevens``."""
    points: int
    """What the seat won, negative for a loss."""


Said: TypeAlias = tuple[tuple[int, Action], ...]
Hands: TypeAlias = tuple[CardSet, ...]
Finished: TypeAlias = tuple[int, tuple[Card, ...], int]
Auction: TypeAlias = tuple[Said, tuple[int, ...], int, int, int, bool]
Aside: TypeAlias = tuple[CardSet, CardSet, CardSet, CardSet]
Sheet: TypeAlias = tuple[tuple[Result, ...], Finished | None, tuple[int, ...]]
State: TypeAlias = tuple[
    tuple[Action, ...], int | None, str, CardSet, Hands, CardSet, tuple[Card, ...], int, int, tuple[Finished, ...],
    Auction, Aside, Sheet,
]  # fmt: skip

DIAMONDS = SUITS.index("D")
NO_AUCTION: Auction = ((), (), 0, 0, NONE, False)
PACK = tuple(sorted(CARDS[name] for name in ("7D", *[rank + suit for suit in "CSH" for rank in "AKQJT987"])))
"""F1: the 25 cards."""

PACK_SET = card_set(PACK)
PACK_NAMES = frozenset(NAMES[card] for card in PACK)
SEVENS, ACES = RANK_SETS[RANKS.index("7")], RANK_SETS[RANKS.index("A")]
COURT = sum(RANK_SETS[RANKS.index(rank)] for rank in "JQK")
"""The cards that a kieker has none of (F3)."""

SEVENS_POINTS = 30
KIEKER_POINTS = 10

EXTRAS = ("hand", "ruten", "durch")
"""F3: the extras, in their order."""

HAND_BIT, RUTEN_BIT, DURCH_BIT = 1, 2, 4
EXTRA_SETS = tuple(tuple(word for place, word in enumerate(EXTRAS) if bits >> place & 1) for bits in range(8))
"""The extras of each set of bits."""

EXTRA_BITS = {extras: bits for bits, extras in enumerate(EXTRA_SETS)}


def strength(bid: Bid) -> tuple[int, int]:
    """How strong ``bid`` is, to be compared (F4): by tricks, kieker between four and five, then by how many extras."""
    rank = bid.tricks if bid.tricks < TRICKS else TRICKS if bid.kieker else TRICKS + 1
    return rank, len(bid.extras)


def worth(bid: Bid) -> tuple[int, int]:
    """The points that ``bid`` wins when made, and those, negative, that it loses otherwise (F11, F12)."""
    points = (KIEKER_POINTS if bid.kieker else bid.tricks) << len(bid.extras)
    return points, -2 * points


def namings(bid: Bid) -> tuple[tuple[str, ...], ...]:
    """The extras that whoever has taken ``bid`` by ``hold`` can name (F6); a kieker is taken over as it is (F5)."""
    if bid.kieker:
        return (bid.extras,)
    choices = combinations(EXTRAS, len(bid.extras))
    return tuple([extras for extras in choices if bid.tricks < TRICKS or "durch" in extras])


BIDS = tuple(
    sorted(
        [
            *[Bid(tricks, extras) for tricks in range(2, TRICKS) for extras in EXTRA_SETS],
            *[Bid(TRICKS, extras, True) for extras in ((), ("ruten",))],
            *[Bid(TRICKS, extras) for extras in EXTRA_SETS if "durch" in extras],
        ],
        key=strength,
    )
)
"""F3: every bid, from the weakest to the strongest."""


def _bid_action(bid: Bid) -> Action:
    if bid.kieker:
        return Action("kieker", f"bid {bid.text}", (), bid.extras)
    return Action("bid", f"bid {bid.text}", (), (bid.tricks, *bid.text.split()[1:]))


PASS, HOLD, SAY_SEVENS = Action("pass", "pass"), Action("hold", "hold"), Action("sevens", "sevens")
PLAY_HAND, TAKE_SKAT = Action("hand", "hand"), Action("skat", "skat")
STOP_HERE, GO_ON = Action("stop", "stop"), Action("continue", "continue")
BID_ACTIONS = tuple(_bid_action(bid) for bid in BIDS)
NAME_ACTIONS = {
    extras: Action("name", f"name {' '.join(extras)}", (), extras) for extras in EXTRA_SETS if 1 <= len(extras) <= 2
}
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
CARD_ACTIONS = tuple(Action("play", name, (card,)) for card, name in enumerate(NAMES))
ACTIONS = {
    action.text: action
    for action in (
        PASS, HOLD, *BID_ACTIONS, *NAME_ACTIONS.values(), PLAY_HAND, TAKE_SKAT, *TRUMP_ACTIONS,
        *[CARD_ACTIONS[card] for card in PACK], STOP_HERE, GO_ON, SAY_SEVENS,
    )
}  # fmt: skip

CONTRACTS = tuple(tuple(bid._replace(extras=extras) for extras in EXTRA_SETS) for bid in BIDS)
"""What each bid has become with each set of extras in force."""

PLACE = {action.text: place for place, action in enumerate(BID_ACTIONS)}
ABOVE = (*[sum([strength(other) <= strength(bid) for other in BIDS]) for bid in BIDS], 0)
"""For the place in BIDS of the bid that stands, or NONE, the place of the weakest that is stronger."""


def _answers(place: int, longer: bool, kieker: bool) -> tuple[Action, ...]:
    """The words open over the bid at ``place`` to one that has stood ``longer`` or not, with or without kieker (F5)."""
    hold = (HOLD,) if longer and (kieker or not BIDS[place].kieker) else ()
    return (PASS, *hold, *[BID_ACTIONS[i] for i in range(ABOVE[place], len(BIDS)) if kieker or not BIDS[i].kieker])


ANSWERS = tuple(
    tuple(tuple(_answers(place, longer, kieker) for kieker in (False, True)) for longer in (False, True))
    for place in (*range(len(BIDS)), NONE)
)
"""The words open over each bid, or over none; see :func:`_answers`."""

WORDS = {SKAT: (PLAY_HAND, TAKE_SKAT), TRUMP: TRUMP_ACTIONS, STOP: (STOP_HERE, GO_ON)}
"""What may be said in the phases that always have the same answers."""

# Plays are looked up in two parts: so few sets recur all the time.
PLAYS = PerSet(CARD_ACTIONS)
MAJORS, MINORS = SUIT_SETS[0] | SUIT_SETS[1], SUIT_SETS[2] | SUIT_SETS[3]


@cache
def _discard(cards: tuple[Card, ...]) -> Action:
    """To lay away ``cards``, which are in the order of the notation. There are 53,430 at most, so all are kept."""
    return Action("discard", f"discard {names(cards)}", cards)


def stronger(bid: Bid | None) -> tuple[Action, ...]:
    """The bids that exceed ``bid``, or all when nobody has bid yet; kieker is among them, whatever the hand."""
    return BID_ACTIONS[ABOVE[NONE if bid is None else BIDS.index(bid)] :]


def bid_of(action: Action) -> Bid:
    """The bid that ``action``, whose text opens with ``bid``, makes; raises ``KeyError`` for another action."""
    return BIDS[PLACE[action.text]]


@dataclass(frozen=True)
class FipsenRules(Rules):
    """The options of Fipsen."""

    deals: int = 12
    """F14: how many deals that count make the match."""


@dataclass(frozen=True, kw_only=True)
class FipsenObservation(Observation):
    """What a seat of Fipsen knows. What goes by seat stands in the order of the seats, seat 1 first."""

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
    auction: tuple[tuple[int, Action], ...]
    """Every word of the auction with its seat."""
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
    """The seats that have shown, by bidding or holding a kieker, to have been dealt no K, Q or J."""
    declarer: int | None
    contract: Bid | None
    """What declarer must make, with the extras in force; ``None`` until they are named."""
    trump: int | None
    """The suit of trumps, 0–3."""
    skat: int
    """How many cards lie in the skat."""
    unused: int
    """How many cards lie undealt beside it."""
    laid: int
    """How many cards declarer has laid away."""
    own_taken: tuple[Card, ...]
    """What this seat as declarer has taken up."""
    own_laid: tuple[Card, ...]
    """What this seat as declarer has laid away."""
    shown: tuple[Card, ...]
    """The hand shown for a kieker, if this seat is declarer or the left neighbour who saw it (F12)."""
    trick: tuple[tuple[int, Card], ...]
    """The trick as it lies: who played which card, from the lead."""
    tricks: tuple[Trick, ...]
    """The finished tricks of this deal."""
    won: tuple[int, ...]
    """How many of them each seat has won."""
    last_trick: Trick | None
    """The last finished trick, between deals and in the next auction that of the deal before."""
    lacks: tuple[tuple[int, ...], ...]
    """The suits that each seat has shown to lack."""


class Fipsen(Game[State, FipsenObservation]):
    """Fipsen for three or four."""

    NAME = "fipsen"
    SEATS = (3, 4)
    RULES = FipsenRules

    def __init__(self, seats: int, rules: FipsenRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._deals = rules.deals
        self._no_hands: Hands = (0,) * (seats + 1)
        # By dealer: the seats from its left, and where in the pack each seat's cards are.
        self._orders = [tuple((dealer + step) % seats + 1 for step in range(seats)) for dealer in range(seats + 1)]
        self._shares = [_shares(order) for order in self._orders]

    def start(self) -> State:
        return self._between(((), None, (0,) * self.seats))

    def to_act(self, state: State) -> int | None:
        return state[1]

    def chance(self, state: State) -> Chance | None:
        return Chance("deal", PACK, len(PACK)) if state[1] == CHANCE else None

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return state[0]

    def _dealer(self, sheet: Sheet) -> int:
        """F2: the deal moves on after each deal that counts."""
        return (self.dealer - 1 + len(sheet[0])) % self.seats + 1

    def _refusal(self, state: State, action: Action) -> Reason:
        """Why ``action``, which is not legal, is not."""
        _, turn, phase, _, hands, played, trick, _, _, _, auction, _, _ = state
        kind, text, cards, args = action
        if not turn:
            return Reason("match_over" if phase == OVER else "deal_first")
        if kind == "deal":
            return Reason("not_now")
        if kind == "sevens":
            return Reason("sevens_too_late" if phase == STOP or played else "no_sevens_and_ace")
        hand = hands[turn] & ~played
        _, _, standing, _, bid, _ = auction
        if phase == BID:
            if text in PLACE and PLACE[text] < ABOVE[bid]:
                return Reason("not_stronger", {"bid": BIDS[bid].text})
            if kind == "hold" and bid == NONE:
                return Reason("nothing_to_hold")
            if kind == "hold" and turn != standing:
                return Reason("only_standing_holds", {"seat": standing})
            if kind == "hold" or kind == "kieker":
                return Reason("court_in_hand", {"cards": cards_in(hand & COURT)})
            return Reason("bid_or_pass")
        if phase == NAME:
            count = len(BIDS[bid].extras)
            if kind == "name" and len(args) == count:
                return Reason("durch_at_five")
            return Reason("name_extras", {"count": count})
        if phase == SKAT:
            return Reason("hand_or_skat")
        if phase == TRUMP:
            return Reason("choose_trump")
        if phase == STOP:
            return Reason("stop_or_continue")
        if kind == phase:
            for card in cards:
                if not hand >> card & 1:
                    return Reason("not_in_hand", {"card": card})
        if phase == DISCARD:
            return Reason("discard_count", {"count": hand.bit_count() - TRICKS})
        return Reason("must_follow", {"suit": SUITS[suit_of(trick[0])]}) if kind == "play" else Reason("play_a_card")

    def refused(self, state: State) -> tuple[tuple[Action, Reason], ...]:
        legal, turn, phase, able, hands, played, _, _, _, _, auction, _, _ = state
        thought: tuple[Action, ...] = ()
        if turn and phase == PLAY:
            thought = PLAYS[hands[turn] & ~played & ~able]
        elif phase == BID:
            _, _, standing, _, bid, _ = auction
            # Of the bids that are too low, those of as many tricks as the one that stands.
            same = [place for place in range(ABOVE[bid]) if BIDS[place].tricks == BIDS[bid].tricks]
            kiekers = [place for place in range(ABOVE[bid], len(BIDS)) if BIDS[place].kieker]
            thought = (*(HOLD,) * bool(standing), *[BID_ACTIONS[place] for place in (*same, *kiekers)])
        elif phase == NAME:
            count = len(BIDS[auction[4]].extras)
            thought = tuple([action for extras, action in NAME_ACTIONS.items() if len(extras) == count])
        return tuple([(action, self._refusal(state, action)) for action in thought if action not in legal])

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        turn = state[1]
        if not turn:
            return self._deal(state, action, tell)
        if state[2] == BID:
            return self._speak(state, turn, action, tell)
        legal, _, _, able, hands, played, trick, trump, extras, tricks, auction, aside, sheet = state
        kind, _, cards, _ = action
        if kind == "play":
            bit = able & 1 << cards[0]
            if not bit:
                raise IllegalAction(self._refusal(state, action))
            if tell:
                tell(Event("played", {"seat": turn, "card": cards[0]}))
            played |= bit
            trick += cards
            if len(trick) == self.seats:
                return self._end_trick(turn, hands, played, trick, trump, extras, tricks, auction, aside, sheet, tell)
            turn = turn % self.seats + 1
            hand = hands[turn] & ~played
            able = hand & SUIT_SETS[trick[0] // 13]
            if able:
                legal = PLAYS[able]
            else:
                able = hand
                legal = PLAYS[able & MAJORS] + PLAYS[able & MINORS]
            return (legal, turn, PLAY, able, hands, played, trick, trump, extras, tricks, auction, aside, sheet)
        if action not in legal:
            raise IllegalAction(self._refusal(state, action))
        if kind == "sevens":
            return self._say_sevens(turn, sheet, tell)
        if kind == "name":
            return self._name(turn, tuple(action.text.split()[1:]), hands, auction, aside, sheet, tell)
        if kind == "hand":
            if tell:
                tell(Event("chose_hand", {"seat": turn}))
            return self._choose_trump(turn, hands, extras | HAND_BIT, auction, aside, sheet, tell)
        if kind == "skat":
            return self._take_skat(turn, hands, extras, auction, aside, sheet, tell)
        if kind == "discard":
            return self._lay_away(turn, cards, hands, extras, auction, aside, sheet, tell)
        if kind == "trump":
            return self._lead(turn, SUITS.index(str(action.args[0])), hands, extras, auction, aside, sheet, tell)
        if kind == "stop":
            if tell:
                tell(Event("stopped", {"seat": turn}))
            return self._finish(True, extras, tricks, auction, sheet, tell)
        if tell:
            tell(Event("continued", {"seat": turn}))
        return self._ask(PLAY, turn, hands, extras | DURCH_BIT, auction, aside, sheet, trump, played, (), tricks)

    def _ask(
        self, phase: str, turn: int, hands: Hands, extras: int, auction: Auction, aside: Aside, sheet: Sheet,
        trump: int = NONE, played: CardSet = 0, trick: tuple[Card, ...] = (), tricks: tuple[Finished, ...] = (),
    ) -> State:  # fmt: skip
        """The state in which ``turn`` is asked what ``phase`` says, with the legal answers."""
        hand = hands[turn] & ~played
        able = 0
        if phase == PLAY:
            able = playable(hand, trick[0] // 13) if trick else hand
            legal = PLAYS[able & MAJORS] + PLAYS[able & MINORS]
        elif phase == BID:
            legal = ANSWERS[auction[4]][turn == auction[2]][not hand & COURT]
        elif phase == NAME:
            legal = tuple([NAME_ACTIONS[named] for named in namings(BIDS[auction[4]])])
        elif phase == DISCARD:
            by_name = sorted(cards_in(hand), key=NAMES.__getitem__)
            legal = tuple(map(_discard, combinations(by_name, len(by_name) - TRICKS)))
        else:
            legal = WORDS[phase]
        if hand & SEVENS == SEVENS and hand & ACES and not played:
            legal = (*legal, SAY_SEVENS)
        return (legal, turn, phase, able, hands, played, trick, trump, extras, tricks, auction, aside, sheet)

    def _between(self, sheet: Sheet) -> State:
        """The state before a deal, or at the end of the match (F14)."""
        turn, phase = (None, OVER) if len(sheet[0]) == self._deals else (CHANCE, DEAL)
        return ((), turn, phase, 0, self._no_hands, 0, (), NONE, 0, (), NO_AUCTION, (0, 0, 0, 0), sheet)

    def _deal(self, state: State, action: Action, tell: EventSink | None) -> State:
        """F2: three cards to each, two to the skat, two to each; the dealer's left comes first, also in the auction."""
        if state[2] == OVER:
            raise IllegalAction(self._refusal(state, action))
        check_pack(action, PACK)
        _, _, _, _, _, _, _, _, _, _, _, _, sheet = state
        cards = action.cards
        dealer = self._dealer(sheet)
        if tell:
            tell(Event("dealt", {"seat": dealer, "number": len(sheet[0]) + 1, "count": self._deals}))
        order = self._orders[dealer]
        skat = 1 << cards[3 * self.seats] | 1 << cards[3 * self.seats + 1]
        hands = (0, *[1 << cards[v] | 1 << cards[w] | 1 << cards[x] | 1 << cards[y] | 1 << cards[z]
                      for v, w, x, y, z in self._shares[dealer]])  # fmt: skip
        auction = ((), order[1:], 0, order[0], NONE, False)
        return self._ask(BID, order[0], hands, 0, auction, (skat, PACK_SET - skat - sum(hands), 0, 0), sheet)

    def _speak(self, state: State, turn: int, action: Action, tell: EventSink | None) -> State:
        """A word of the auction, and who speaks next (F5)."""
        legal, _, _, _, hands, _, _, _, _, _, (said, waiting, standing, challenger, bid, held), aside, sheet = state
        kind = action.kind
        meets_next = False
        if kind == "pass":
            if turn == standing:
                standing = challenger
            meets_next = True
            if tell:
                tell(Event("passed", {"seat": turn}))
        elif (place := PLACE.get(action.text, NONE)) >= ABOVE[bid] and (kind == "bid" or not hands[turn] & COURT):
            bid, held = place, False
            if not standing:
                standing = turn
                meets_next = True
            if tell:
                tell(Event("bid", {"seat": turn, "bid": BIDS[bid].text}))
        elif action not in legal:
            raise IllegalAction(self._refusal(state, action))
        elif kind == "hold":
            held = True
            if tell:
                tell(Event("held", {"seat": turn, "bid": BIDS[bid].text}))
        else:
            return self._say_sevens(turn, sheet, tell)
        said += ((turn, action),)
        if meets_next:
            if not waiting:
                return self._close(hands, (said, (), standing, 0, bid, held), aside, sheet, tell)
            turn = challenger = waiting[0]
            waiting = waiting[1:]
        else:
            turn = challenger if turn == standing else standing
        hand = hands[turn]
        legal = ANSWERS[bid][turn == standing][not hand & COURT]
        if hand & SEVENS == SEVENS and hand & ACES:
            legal = (*legal, SAY_SEVENS)
        return (legal, turn, BID, 0, hands, 0, (), NONE, 0, (),
                (said, waiting, standing, challenger, bid, held), aside, sheet)  # fmt: skip

    def _close(self, hands: Hands, auction: Auction, aside: Aside, sheet: Sheet, tell: EventSink | None) -> State:
        """The end of the auction (F5): a new deal, a kieker, or a contract whose extras may have to be named (F6)."""
        _, _, declarer, _, place, held = auction
        if not declarer:
            if tell:
                tell(Event("all_passed", {"seat": self._dealer(sheet)}))
            return self._between(sheet)
        bid = BIDS[place]
        if tell:
            tell(Event("won_auction", {"seat": declarer}))
        if bid.kieker:
            return self._take_up(declarer, hands, auction, aside, sheet, tell)
        if not held or not bid.extras:
            return self._choose_hand(declarer, hands, EXTRA_BITS[bid.extras], auction, aside, sheet, tell)
        choices = namings(bid)
        if len(choices) > 1:
            return self._ask(NAME, declarer, hands, 0, auction, aside, sheet)
        return self._name(declarer, choices[0], hands, auction, aside, sheet, tell)

    def _take_up(
        self, declarer: int, hands: Hands, auction: Auction, aside: Aside, sheet: Sheet, tell: EventSink | None
    ) -> State:
        """F12: a kieker is shown to the left; skat and rest are taken up, by three players instead of the hand."""
        skat, unused, _, _ = aside
        shown = hands[declarer]
        taken = skat | unused
        laid = shown if self.seats == 3 else 0
        if tell:
            left = declarer % self.seats + 1
            tell(Event("showed", {"seat": declarer, "to": left, "cards": cards_in(shown)}, (declarer, left)))
            tell(Event("showed_hidden", {"seat": declarer, "to": left}, self._all_but(declarer, left)))
            if laid:
                tell(Event("laid_hand_away", {"seat": declarer}))
            self._tell_taken(declarer, taken, tell)
        hands = _with(hands, declarer, shown ^ laid | taken)
        extras = EXTRA_BITS[BIDS[auction[4]].extras]
        return self._ask(DISCARD, declarer, hands, extras, auction, (0, 0, taken, laid), sheet)

    def _tell_taken(self, declarer: int, taken: CardSet, tell: EventSink) -> None:
        tell(Event("took_up", {"seat": declarer, "cards": cards_in(taken)}, (declarer,)))
        tell(Event("took_up_hidden", {"seat": declarer, "count": taken.bit_count()}, self._all_but(declarer)))

    def _name(
        self, declarer: int, named: tuple[str, ...], hands: Hands, auction: Auction, aside: Aside, sheet: Sheet,
        tell: EventSink | None,
    ) -> State:  # fmt: skip
        """F6: declarer names the extras of a bid that was taken by ``hold``."""
        if tell:
            tell(Event("named", {"seat": declarer, "extras": named}))
        return self._choose_hand(declarer, hands, EXTRA_BITS[named], auction, aside, sheet, tell)

    def _choose_hand(
        self,
        declarer: int,
        hands: Hands,
        extras: int,
        auction: Auction,
        aside: Aside,
        sheet: Sheet,
        tell: EventSink | None,
    ) -> State:
        """F7: hand or skat, unless hand is among the extras."""
        if extras & HAND_BIT:
            return self._choose_trump(declarer, hands, extras, auction, aside, sheet, tell)
        return self._ask(SKAT, declarer, hands, extras, auction, aside, sheet)

    def _take_skat(
        self,
        declarer: int,
        hands: Hands,
        extras: int,
        auction: Auction,
        aside: Aside,
        sheet: Sheet,
        tell: EventSink | None,
    ) -> State:
        """F7: declarer takes the skat unseen by others."""
        skat, unused, _, _ = aside
        if tell:
            self._tell_taken(declarer, skat, tell)
        hands = _with(hands, declarer, hands[declarer] | skat)
        return self._ask(DISCARD, declarer, hands, extras, auction, (0, unused, skat, 0), sheet)

    def _lay_away(
        self, declarer: int, cards: tuple[Card, ...], hands: Hands, extras: int, auction: Auction, aside: Aside,
        sheet: Sheet, tell: EventSink | None,
    ) -> State:  # fmt: skip
        """F7, F12: the discards stay face down and out of play."""
        skat, unused, taken, laid = aside
        if tell:
            tell(Event("discarded", {"seat": declarer, "cards": cards}, (declarer,)))
            tell(Event("discarded_hidden", {"seat": declarer, "count": len(cards)}, self._all_but(declarer)))
        away = card_set(cards)
        hands = _with(hands, declarer, hands[declarer] ^ away)
        return self._choose_trump(declarer, hands, extras, auction, (skat, unused, taken, laid | away), sheet, tell)

    def _choose_trump(
        self,
        declarer: int,
        hands: Hands,
        extras: int,
        auction: Auction,
        aside: Aside,
        sheet: Sheet,
        tell: EventSink | None,
    ) -> State:
        """F8: any suit of trumps; diamonds unasked with ruten."""
        if extras & RUTEN_BIT:
            return self._lead(declarer, DIAMONDS, hands, extras, auction, aside, sheet, tell)
        return self._ask(TRUMP, declarer, hands, extras, auction, aside, sheet)

    def _lead(
        self, declarer: int, trump: int, hands: Hands, extras: int, auction: Auction, aside: Aside, sheet: Sheet,
        tell: EventSink | None,
    ) -> State:  # fmt: skip
        """F8, F9: trumps are known, and diamonds count as ruten; declarer leads."""
        if tell:
            tell(Event("trumps_are", {"seat": declarer, "suit": SUITS[trump]}))
        if trump == DIAMONDS and not extras & RUTEN_BIT:
            extras |= RUTEN_BIT
            if tell:
                tell(Event("ruten_added", {"seat": declarer}))
        return self._ask(PLAY, declarer, hands, extras, auction, aside, sheet, trump)

    def _end_trick(
        self, last: int, hands: Hands, played: CardSet, trick: tuple[Card, ...], trump: int, extras: int,
        tricks: tuple[Finished, ...], auction: Auction, aside: Aside, sheet: Sheet, tell: EventSink | None,
    ) -> State:  # fmt: skip
        """``last`` has completed a trick (F9): the deal goes on with its winner, or stops, or may stop (F10)."""
        seats = self.seats
        place = winning(trick, trump)
        winner = (last + place) % seats + 1
        if tell:
            tell(Event("trick_won", {"seat": winner, "card": trick[place]}))
        tricks += ((last % seats + 1, trick, winner),)
        declarer, bid = auction[2], BIDS[auction[4]]
        won = sum([trick[2] == declarer for trick in tricks])
        lost = len(tricks) - won
        every = bid.kieker or extras & DURCH_BIT
        needed = TRICKS if every else bid.tricks
        if won == needed:
            if every or lost:
                return self._finish(True, extras, tricks, auction, sheet, tell)
            return self._ask(STOP, declarer, hands, extras, auction, aside, sheet, trump, played, (), tricks)
        if lost > TRICKS - needed:
            return self._finish(False, extras, tricks, auction, sheet, tell)
        able = hands[winner] & ~played
        legal = PLAYS[able & MAJORS] + PLAYS[able & MINORS]
        return (legal, winner, PLAY, able, hands, played, (), trump, extras, tricks, auction, aside, sheet)

    def _finish(
        self,
        made: bool,
        extras: int,
        tricks: tuple[Finished, ...],
        auction: Auction,
        sheet: Sheet,
        tell: EventSink | None,
    ) -> State:
        """F11, F12: the contract is made or not, and counts for declarer alone."""
        _, _, declarer, _, place, _ = auction
        bid = CONTRACTS[place][extras]
        points, loss = worth(bid)
        if tell:
            if made:
                tell(Event("made", {"seat": declarer, "bid": bid.text, "points": points}))
            else:
                tell(Event("failed", {"seat": declarer, "bid": bid.text, "points": loss}))
        return self._count(Result(declarer, bid, points if made else loss), tricks[-1], sheet, tell)

    def _say_sevens(self, seat: int, sheet: Sheet, tell: EventSink | None) -> State:
        """F13: four sevens and an ace win at once."""
        if tell:
            tell(Event("said_sevens", {"seat": seat, "points": SEVENS_POINTS}))
        return self._count(Result(seat, None, SEVENS_POINTS), sheet[1], sheet, tell)

    def _count(self, result: Result, last: Finished | None, sheet: Sheet, tell: EventSink | None) -> State:
        """A deal counts (F2), and may have been the last of the match (F14)."""
        state = self._between(((*sheet[0], result), last, _added(sheet[2], result)))
        if tell and (outcome := self.outcome(state)):
            tell(Event("match_ended", {"seats": outcome.winners, "points": max(outcome.scores)}))
        return state

    def _all_but(self, *seats: int) -> tuple[int, ...]:
        """Everybody else, also who only watches."""
        return tuple([seat for seat in range(self.seats + 1) if seat not in seats])

    def _trick(self, trick: Finished) -> Trick:
        """A finished trick as a player sees it."""
        leader, cards, winner = trick
        return Trick(self._plays(leader, cards), winner)

    def _plays(self, leader: int, cards: tuple[Card, ...]) -> tuple[tuple[int, Card], ...]:
        """Who played which card of a trick that ``leader`` led."""
        return tuple([((leader - 1 + place) % self.seats + 1, card) for place, card in enumerate(cards)])

    def observation(self, state: State, seat: int) -> FipsenObservation:
        legal, turn, phase, _, hands, played, trick, trump, extras, raw, auction, aside, sheet = state
        said, waiting, standing, challenger, place, held = auction
        skat, unused, taken, laid = aside
        history, last, _ = sheet
        mine = turn == seat and seat != CHANCE
        tricks = tuple([self._trick(trick) for trick in raw])
        lying = self._plays((turn or 0) - len(trick), trick)
        bid = None if place == NONE else BIDS[place]
        over = phase not in (DEAL, BID, OVER)
        declarer = standing if over else None
        left = standing % self.seats + 1
        sees_kieker = over and bid is not None and bid.kieker and seat in (standing, left)
        holding = [hand & ~played for hand in hands]
        return FipsenObservation(
            seat=seat,
            phase=phase,
            to_act=turn,
            legal=legal if mine else (),
            _refused=self.refused(state) if mine else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            dealer=self._dealer(sheet),
            deals=self._deals,
            history=history,
            hand=cards_in(holding[seat]),
            counts=tuple([hand.bit_count() for hand in holding[1:]]),
            auction=said,
            waiting=waiting,
            standing=standing or None,
            bid=bid,
            bidder=None if bid is None else challenger if phase == BID and turn == standing else standing,
            held=held,
            courtless=_courtless(said),
            declarer=declarer,
            contract=CONTRACTS[place][extras] if over and phase != NAME else None,
            trump=None if trump == NONE else trump,
            skat=skat.bit_count(),
            unused=unused.bit_count(),
            laid=laid.bit_count(),
            own_taken=cards_in(taken) if seat == declarer else (),
            own_laid=cards_in(laid) if seat == declarer else (),
            shown=cards_in((hands[standing] | laid) & ~taken) if sees_kieker else (),
            trick=lying,
            tricks=tricks,
            won=tuple([sum([trick.winner == player for trick in tricks]) for player in range(1, self.seats + 1)]),
            last_trick=tricks[-1] if tricks else self._trick(last) if last else None,
            lacks=_lacks((*[trick.plays for trick in tricks], lying), self.seats),
        )

    def resample(self, observation: FipsenObservation, rng: Random) -> State:
        o = observation
        sheet = (o.history, _finished(o.last_trick) if o.last_trick else None, o.scores)
        if not o.to_act:
            return self._between(sheet)
        hands, aside = self._guess(o, rng)
        tricks = tuple([_finished(trick) for trick in o.tricks])
        trick = _cards(o.trick)
        played = card_set([*[card for _, cards, _ in tricks for card in cards], *trick])
        standing, place = o.standing or 0, NONE if o.bid is None else BIDS.index(o.bid)
        challenger = o.bidder or 0 if o.to_act == standing else o.to_act
        auction = (o.auction, o.waiting, standing, 0 if o.declarer else challenger, place, o.held)
        extras = EXTRA_BITS[o.contract.extras] if o.contract else 0
        trump = NONE if o.trump is None else o.trump
        return self._ask(o.phase, o.to_act, hands, extras, auction, aside, sheet, trump, played, trick, tricks)

    def _guess(self, o: FipsenObservation, rng: Random) -> tuple[Hands, Aside]:
        """Hands, with the cards played from them, and what lies aside: as ``o`` knows them, the rest at random.

        Every card that is not known goes to a slot: a place, and the cards that fit there. Of another declarer's
        cards those dealt may have been shown, or may be known to hold no K, Q or J, and those taken up are free; so
        which slots were taken up is decided first, at random, until the cards fit.
        """
        seats = self.seats
        skat, unused, laid = range(seats + 1, seats + 4)
        took = len(PACK) - TRICKS * seats - o.skat - o.unused if o.declarer else 0
        hidden = o.declarer if took and o.declarer != o.seat else None
        plays = [*[play for trick in o.tricks for play in trick.plays], *o.trick]
        held = [0] * (seats + 4)
        held[o.seat] = card_set(o.hand)
        held[laid] = card_set(o.own_laid)
        for seat, card in plays:
            if seat != hidden:
                held[seat] |= 1 << card
        unknown = list(cards_in(PACK_SET & ~sum(held)))
        rng.shuffle(unknown)

        fits = PACK_SET & ~(card_set(o.shown) if hidden else 0)
        slots = [(skat, fits)] * o.skat + [(unused, fits)] * o.unused
        for seat in range(1, seats + 1):
            if seat not in (o.seat, hidden):
                court = COURT if seat in o.courtless else 0
                slots += [(seat, fits & ~court & ~_suits(o.lacks[seat - 1]))] * o.counts[seat - 1]
        both = _declarers_slots(o, hidden, laid, plays, fits) if hidden else []
        must = [place for place, (_, dealt, _) in enumerate(both) if not dealt]
        may = [place for place, (_, dealt, taken) in enumerate(both) if dealt and taken]
        rng.shuffle(may)
        for chosen in combinations(may, took - len(must) if hidden else 0):
            up = {*must, *chosen}
            tried = slots + [(at, taken if place in up else dealt) for place, (at, dealt, taken) in enumerate(both)]
            found = _fill([cards for _, cards in tried], unknown)
            if found is not None:
                break
        else:
            raise ValueError("no cards fit this observation")
        taken = card_set(o.own_taken)
        for card, slot in found.items():
            held[tried[slot][0]] |= 1 << card
            if slot - len(slots) in up:
                taken |= 1 << card
        return tuple(held[: seats + 1]), (held[skat], held[unused], taken, held[laid])

    def scores(self, state: State) -> tuple[int, ...]:
        return state[12][2]

    def outcome(self, state: State) -> Outcome | None:
        if state[2] != OVER:
            return None
        scores = self.scores(state)
        most = max(scores)
        winners = tuple([seat for seat, points in enumerate(scores, 1) if points == most])
        return Outcome(scores, winners, Reason("deals_played", {"count": self._deals}))

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        _, _, _, _, hands, played, *_ = state
        return tuple([cards_in(hand & ~played) for hand in hands[1:]])

    def parse(self, text: str) -> Action:
        if text.startswith("deal "):
            return parse_chance("deal", text)
        kind, *cards = text.split(" ")
        if kind == "discard" and len(cards) in (2, 5) and PACK_NAMES.issuperset(cards) and cards == sorted(set(cards)):
            return _discard(tuple([CARDS[name] for name in cards]))
        try:
            return ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    def next_dealer(self, state: State) -> int:
        return self.dealer % self.seats + 1


def _shares(order: tuple[int, ...]) -> list[tuple[int, int, int, int, int]]:
    """F2: for each seat, where in the pack its five cards are when the seats are dealt to in ``order``."""
    after_skat = 3 * len(order) + 2
    shares = []
    for seat in range(1, len(order) + 1):
        three, two = 3 * order.index(seat), after_skat + 2 * order.index(seat)
        shares.append((three, three + 1, three + 2, two, two + 1))
    return shares


def _with(hands: Hands, seat: int, hand: CardSet) -> Hands:
    """The hands with another one at ``seat``."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _courtless(said: Said) -> tuple[int, ...]:
    """The seats that have bid or held a kieker, and so were dealt no K, Q or J (F3, F5)."""
    found = set()
    kieker = False
    for seat, action in said:
        if action.kind == "kieker" or (action.kind == "hold" and kieker):
            found.add(seat)
        if action.text in PLACE:
            kieker = action.kind == "kieker"
    return tuple(sorted(found))


def _lacks(tricks: tuple[tuple[tuple[int, Card], ...], ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The suits that each seat has shown to lack by not following (F9)."""
    found: list[set[int]] = [set() for _ in range(seats)]
    for plays in tricks:
        for seat, card in plays[1:]:
            led = suit_of(plays[0][1])
            if suit_of(card) != led:
                found[seat - 1].add(led)
    return tuple([tuple(sorted(suits)) for suits in found])


def _cards(plays: tuple[tuple[int, Card], ...]) -> tuple[Card, ...]:
    """The cards of a trick."""
    return tuple([card for _, card in plays])


def _added(totals: tuple[int, ...], result: Result) -> tuple[int, ...]:
    """The totals with one more result."""
    return tuple([total + result.points * (seat == result.seat) for seat, total in enumerate(totals, 1)])


def _finished(trick: Trick) -> Finished:
    """A finished trick as the state keeps it."""
    return trick.plays[0][0], _cards(trick.plays), trick.winner


def _suits(suits: tuple[int, ...]) -> CardSet:
    """Every card of some suits."""
    return sum([SUIT_SETS[suit] for suit in suits])


def _declarers_slots(
    o: FipsenObservation, declarer: int, laid: int, plays: list[tuple[int, Card]], fits: CardSet
) -> list[tuple[int, CardSet, CardSet]]:
    """For each card of a declarer who is not watching: its place, what it may be if dealt, and if taken up.

    Cards known to have been dealt are not in ``fits``. With three players a kieker lays the whole hand dealt away.
    """
    dealt = card_set(o.shown) or (PACK_SET & ~COURT if declarer in o.courtless else PACK_SET)
    replaced = o.contract is not None and o.contract.kieker and len(o.counts) == 3
    hand = [PACK_SET & ~_suits(o.lacks[declarer - 1])] * o.counts[declarer - 1]
    hand += [1 << card for seat, card in plays if seat == declarer]
    slots = [(declarer, 0 if replaced else cards & dealt, cards & fits) for cards in hand]
    return slots + [(laid, dealt, fits)] * o.laid


def _fill(slots: list[CardSet], cards: list[Card]) -> dict[Card, int] | None:
    """A slot for each of as many ``cards``, in which it fits; ``None`` if there is no such way (augmenting paths)."""
    free = list(cards)
    slot_of: dict[Card, int] = {}

    def settle(slot: int, tried: set[Card]) -> bool:
        for card in free:
            if slots[slot] >> card & 1:
                free.remove(card)
                slot_of[card] = slot
                return True
        for card in cards:
            if slots[slot] >> card & 1 and card not in tried:
                tried.add(card)
                if settle(slot_of[card], tried):
                    slot_of[card] = slot
                    return True
        return False

    # The slots with the least choice choose first: the fewer have to move again, the more even the chances.
    order = sorted(range(len(slots)), key=lambda slot: slots[slot].bit_count())
    return slot_of if all(settle(slot, set()) for slot in order) else None


GAME = Fipsen
