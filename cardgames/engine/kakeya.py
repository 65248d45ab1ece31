"""Kakeya Trump: shared/spec/kakeya.md, clauses K1–K14.

Players go by their number, which is their first chair; in a series they change chairs (K14). A pair is the place
of its lower chair, 0–2. The four who play a deal have *positions* 0–3 in turn order, the lowest chair first, so that
positions 0 and 2 are one pair, 1 and 3 the other.

A state is a flat tuple, unpacked at the top of whatever reads it:

    legal     the legal actions
    to_act    the player to act, CHANCE, or None
    phase     what is asked, one of the words below
    turn      the position to play
    hand      the hand of that position, a card set; then those of the next, the partner and the one before
    able      the cards that position may play
    led       the suit led, as a card set
    trick     the cards of the trick, from its lead
    winner    the position that wins the trick as it lies
    beaters   the cards that would take the trick from it
    lacks     the suits that a position has shown to lack: bit 4 * position + suit
    taken     the pictures taken by positions 0 and 2, and by 1 and 3
    claim     whoever is in turn and holds one of these cards may claim (K12)
    last      the last trick, in the shape of a Trick
    order     the players of the positions, twice round
    trump     the suit of trumps
    match     what only the end of a deal changes, a Match
"""

from dataclasses import dataclass
from functools import cache
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import (
    CARDS,
    NAMES,
    RANK_SETS,
    SUIT_SETS,
    SUITS,
    Card,
    CardSet,
    PerSet,
    card_set,
    cards_in,
    rank_of,
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
from cardgames.engine.tricks import winning

TRUMP, DEAL, LEAD, PLAY, SEATS, DRAW, OVER = "trump", "deal", "lead", "play", "seats", "draw", "over"
BETWEEN_GAMES = (SEATS, DRAW, OVER)
"""The phases in which the chips of the last game are counted among the points already."""

CHIPS = 5
"""K2: what each pair starts a game with."""

CHAIRS = ("1", "2", "3", "4", "5", "6")
PACK = tuple(range(52))
ALL: CardSet = (1 << 52) - 1
ACES = RANK_SETS[12]
PICTURES = RANK_SETS[9] | RANK_SETS[10] | RANK_SETS[11] | RANK_SETS[12]
"""K1: the sixteen cards that count."""

RENSHO = (CARDS["AC"], CARDS["AS"], CARDS["AS"], CARDS["AS"])
"""K5: the strongest card under each suit of trumps."""

TWO_ACES = tuple(1 << rensho | 1 << 13 * trump + 12 for trump, rensho in enumerate(RENSHO))
"""K9: rensho and the trump ace under each suit of trumps."""

PAYMENTS = {"no_pictures": 4, "four_aces": 4, "rensho_and_ace": 2, "few_pictures": 2, "fewer_pictures": 1}
"""K9: the chips paid, by what the pair that pays has taken."""

PAID = {
    "no_pictures": "paid_no_pictures",
    "four_aces": "paid_four_aces",
    "rensho_and_ace": "paid_rensho_and_ace",
    "few_pictures": "paid_few_pictures",
    "fewer_pictures": "paid",
}
"""What is told of such a payment."""


CARD_ACTIONS = tuple(Action("play", name, (card,)) for card, name in enumerate(NAMES))
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
I_LEAD, PARTNER, CLAIM, TIME = (Action(word, word) for word in ("lead", "partner", "claim", "time"))
LEAD_ACTIONS, CLAIM_TOO = (I_LEAD, PARTNER), (CLAIM,)
ACTIONS = {action.text: action for action in (*CARD_ACTIONS, *TRUMP_ACTIONS, *LEAD_ACTIONS, CLAIM, TIME)}

PLAYS = PerSet(CARD_ACTIONS)  # looked up suit by suit: so few sets recur all the time
SPADES, HEARTS, DIAMONDS, CLUBS = SUIT_SETS
SUIT_SET = tuple(SUIT_SETS[suit_of(card)] for card in PACK)
PICTURE = tuple(1 << card & PICTURES for card in PACK)
"""The set of each card if it is a picture, else the empty set."""

BEATERS = tuple(
    tuple(card_set(card for card in PACK if winning((best, card), trump, RENSHO[trump])) for best in PACK)
    for trump in range(4)
)
"""K8: under each suit of trumps, what takes a trick from each card that is winning it."""


class Trick(NamedTuple):
    """A trick, finished or as it lies."""

    players: tuple[int, ...]
    """Who has played to it, from its lead."""
    cards: tuple[Card, ...]
    winner: int
    """The player who wins it, so far."""


class Settlement(NamedTuple):
    """How a deal was settled (K9)."""

    winners: tuple[int, int]
    losers: tuple[int, int]
    """The pair that paid."""
    pictures: tuple[int, int]
    """How many pictures winners and losers had, rensho shown with a claim included."""
    chips: int
    because: str
    """Why so many: a word of ``PAYMENTS``."""
    claimed: int | None
    """The player whose claim ended the deal (K12)."""
    shown: Card | None
    """Rensho, if that player showed it."""


class Match(NamedTuple):
    """What stands between two deals."""

    chairs: tuple[int, ...]
    """The player in each chair."""
    dealers: int
    """The pair that deals, or dealt the deal being played."""
    leaders: int
    """The pair that leads first in that deal."""
    chips: tuple[int, ...]
    """By pair."""
    deals: tuple[Settlement, ...]
    """The finished deals of this game."""
    games: tuple[tuple[int, ...], ...]
    """The points that each player got in each finished game."""
    draws: tuple[tuple[tuple[int, Card], ...], ...]
    """The cards drawn for a tie (K14), round by round: who drew which."""


Taken: TypeAlias = tuple[CardSet, CardSet]
Last: TypeAlias = tuple[tuple[int, ...], tuple[Card, ...], int] | None
State: TypeAlias = tuple[
    tuple[Action, ...], int | None, str, int, CardSet, CardSet, CardSet, CardSet, CardSet, CardSet, tuple[Card, ...],
    int, CardSet, int, Taken, CardSet, Last, tuple[int, ...], int, Match,
]  # fmt: skip


@dataclass(frozen=True)
class KakeyaRules(Rules):
    """The options of Kakeya Trump."""

    claims: bool = True
    """K12: whether a deal may be claimed."""
    games: int = 1
    """K14: how many games make the match."""


@dataclass(frozen=True, kw_only=True)
class KakeyaObservation(Observation):
    """What a seat of Kakeya Trump knows. Everything is by player, and pairs are in the order of ``pairs``."""

    chairs: tuple[int, ...]
    """The player in each chair, in turn order."""
    pairs: tuple[tuple[int, int], ...]
    """The partners who sit opposite, lower chair first."""
    partner: int | None
    """This seat's partner; ``None`` for somebody who only watches."""
    dealers: tuple[int, int]
    """The pair that deals, or dealt the deal being played."""
    resting: tuple[int, ...]
    """The pair that sits the deal out (K3); nobody with four."""
    leaders: tuple[int, int]
    """The pair that leads first in the deal."""
    game: int
    """The number of the game, from 1."""
    deal: int
    """The number of the deal in this game, from 1; between two games that of the last one played."""
    trump: int
    """The suit of trumps, 0–3."""
    rensho: Card
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    """How many cards each player holds."""
    trick: Trick | None
    """The trick as it lies; ``None`` while no card does."""
    last_trick: Trick | None
    pictures: tuple[tuple[Card, ...], ...]
    """The pictures each pair has taken in this deal."""
    played: CardSet
    """Every card played in this deal."""
    lacks: tuple[tuple[int, ...], ...]
    """The suits that each player has shown to lack."""
    chips: tuple[int, ...]
    """Each pair's chips."""
    points: tuple[int, ...]
    """Each player's points from finished games."""
    deals: tuple[Settlement, ...]
    """How each finished deal of this game was settled, claims included."""
    games: tuple[tuple[int, ...], ...]
    """The points that each player got in each finished game."""
    draws: tuple[tuple[tuple[int, Card], ...], ...]
    """The cards drawn for a tie, round by round: who drew which."""


class Kakeya(Game[State, KakeyaObservation]):
    """Kakeya Trump for four or six."""

    NAME = "kakeya"
    SEATS = (4, 6)
    RULES = KakeyaRules
    TIMED = True

    def __init__(self, seats: int, rules: KakeyaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: KakeyaRules = rules
        self._pairs = seats // 2

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        pairs = self.seats // 2
        return tuple([(seat, seat + pairs) for seat in range(1, pairs + 1)])

    def start(self) -> State:
        return self._new_game(tuple(range(1, self.seats + 1)), ())

    def to_act(self, state: State) -> int | None:
        return state[1]

    def chance(self, state: State) -> Chance | None:
        phase, match = state[2], state[-1]
        if phase == DEAL:
            return Chance("deal", PACK, len(PACK))
        if phase == SEATS:
            return Chance("seats", tuple(range(1, self.seats + 1)), self.seats)
        return Chance("draw", PACK, len(_tied(match))) if phase == DRAW else None

    def clock(self, state: State) -> Action | None:
        """K13: ``time``, where the trump choice of a further deal would come."""
        return TIME if state[2] == TRUMP and state[-1].deals else None

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return state[0]

    def refused(self, state: State) -> tuple[tuple[Action, Reason], ...]:
        legal, _, phase, _, hand, _, _, _, able, *_ = state
        if phase != PLAY:
            return ()
        thought = [CARD_ACTIONS[card] for card in cards_in(hand & ~able)]
        if self.rules.claims and legal[-1] != CLAIM:
            thought.append(CLAIM)
        return tuple([(action, self._refusal(state, action)) for action in thought])

    def _refusal(self, state: State, action: Action) -> Reason:
        """Why ``action``, which is not legal, is not."""
        _, _, phase, _, hand, _, _, _, _, _, trick, *_ = state
        if phase == OVER:
            return Reason("match_over")
        if action.kind == "time":
            return Reason("time_between_deals")
        if phase == DEAL:
            return Reason("deal_first")
        if phase == SEATS:
            return Reason("seats_first")
        if phase == DRAW:
            return Reason("draw_first")
        if phase == TRUMP:
            return Reason("choose_trump")
        if phase == LEAD:
            return Reason("choose_leader")
        if action.kind == "claim":
            return Reason("claim_undecided" if self.rules.claims else "claims_are_off")
        if action.kind != "play":
            return Reason("not_now")
        if not hand >> action.cards[0] & 1:
            return Reason("not_in_hand", {"card": action.cards[0]})
        return Reason("must_follow", {"suit": SUITS[suit_of(trick[0])]})

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        (_, _, _, turn, hand, second, third, fourth, able, led, trick, winner, beaters, lacks, taken, claim,
         last, order, trump, match) = state  # fmt: skip
        kind, _, cards, _ = action
        if kind != "play":
            return self._decide(state, action, tell)
        card = cards[0]
        bit = able & 1 << card
        if not bit:
            raise IllegalAction(self._refusal(state, action))
        if tell:
            tell(Event("played", {"seat": order[turn], "card": card}))
        hand ^= bit
        if trick:
            if bit & beaters:
                winner, beaters = turn, BEATERS[trump][card]
            if not bit & led:
                lacks |= 1 << 4 * turn + trick[0] // 13
            trick += (card,)
            if len(trick) == 4:
                return self._end_trick(
                    turn, hand, second, third, fourth, trick, winner, lacks, taken, claim, order, trump, match, tell
                )
        else:
            trick, led = (card,), SUIT_SET[card]
            winner, beaters = turn, BEATERS[trump][card]
        turn = turn + 1 & 3
        able = second & led
        if able:
            legal = PLAYS[able]
        else:
            able = second
            legal = PLAYS[able & SPADES] + PLAYS[able & HEARTS] + PLAYS[able & DIAMONDS] + PLAYS[able & CLUBS]
        if claim and second & claim:
            legal += CLAIM_TOO
        return (legal, order[turn], PLAY, turn, second, third, fourth, hand, able, led, trick, winner, beaters, lacks,
                taken, claim, last, order, trump, match)  # fmt: skip

    def _end_trick(
        self, turn: int, hand: CardSet, second: CardSet, third: CardSet, fourth: CardSet, trick: tuple[Card, ...],
        winner: int, lacks: int, taken: Taken, claim: CardSet, order: tuple[int, ...], trump: int, match: Match,
        tell: EventSink | None,
    ) -> State:  # fmt: skip
        """K8: the winner's pair takes the pictures of the trick, and the winner leads next."""
        ahead = winner - turn & 3
        if ahead == 1:
            hand, second, third, fourth = second, third, fourth, hand
        elif ahead == 2:
            hand, second, third, fourth = third, fourth, hand, second
        elif ahead == 3:
            hand, second, third, fourth = fourth, hand, second, third
        one, two, three, four = trick
        pictures = PICTURE[one] | PICTURE[two] | PICTURE[three] | PICTURE[four]
        last = order[turn + 1 : turn + 5], trick, order[winner]
        if tell:
            seat = order[winner]
            tell(
                Event("pictures_won", {"seat": seat, "cards": cards_in(pictures)})
                if pictures
                else Event("trick_won", {"seat": seat})
            )
        if pictures:
            even, odd = taken
            taken = (even, odd | pictures) if winner & 1 else (even | pictures, odd)
            claim = self._claim(taken[winner & 1], taken[~winner & 1], hand | third, second | fourth, trump)
        if not hand:
            return self._settle(taken, order, trump, last, match, None, None, tell)
        return _lead(winner, hand, second, third, fourth, lacks, taken, claim, last, order, trump, match)

    def _claim(self, ours: CardSet, theirs: CardSet, our_hands: CardSet, their_hands: CardSet, trump: int) -> CardSet:
        """What one must hold a card of to claim (K12) when the pairs have taken ``ours`` and ``theirs``."""
        if not self.rules.claims or (ours.bit_count() < 7 and theirs.bit_count() < 7):
            return 0
        if decided(ours, theirs, trump):
            return ALL
        rensho = 1 << RENSHO[trump]
        if our_hands & rensho:
            return rensho if decided(ours | rensho, theirs, trump) else 0
        return rensho if their_hands & rensho and decided(ours, theirs | rensho, trump) else 0

    def _decide(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Everything but to play a card."""
        (_, _, phase, turn, hand, second, third, fourth, _, _, _, _, _, _, taken, claim,
         last, order, trump, match) = state  # fmt: skip
        if phase == PLAY and action == CLAIM and hand & claim:
            return self._claimed(turn, hand, taken, order, trump, last, match, tell)
        if phase == LEAD and action in LEAD_ACTIONS:
            seat, partner = order[turn], order[turn + 2]
            if action == PARTNER:
                turn, hand, second, third, fourth = turn + 2, third, fourth, hand, second
            if tell:
                tell(
                    Event("leads", {"seat": seat})
                    if action == I_LEAD
                    else Event("partner_leads", {"seat": seat, "to": partner})
                )
            return _lead(turn, hand, second, third, fourth, 0, (0, 0), 0, None, order, trump, match)
        if phase == TRUMP and action in TRUMP_ACTIONS:
            chosen = TRUMP_ACTIONS.index(action)
            if tell:
                seat, suit = match.chairs[match.dealers], SUITS[chosen]
                tell(Event("trump_kept" if chosen == trump else "trump_changed", {"seat": seat, "suit": suit}))
            return self._between(DEAL, chosen, last, match)
        if action == self.clock(state):
            if tell:
                tell(Event("time_called"))
            return self._end_game(trump, last, match)
        if phase == DEAL and action.kind == DEAL:
            return self._deal(action, trump, match, tell)
        if phase == SEATS and action.kind == SEATS:
            return self._seats(action, match, tell)
        if phase == DRAW and action.kind == DRAW:
            return self._draw(action, trump, last, match, tell)
        raise IllegalAction(self._refusal(state, action))

    def _deal(self, action: Action, trump: int, match: Match, tell: EventSink | None) -> State:
        """K6: one card at a time to the four who play."""
        check_pack(action, PACK)
        order = self._order(match)
        turn = order.index(match.chairs[match.leaders])
        if tell:
            tell(Event("dealt", {"seats": self._pair(match, match.dealers), "count": 13}))
        hand, second, third, fourth = [card_set(action.cards[(turn + ahead) % 4 :: 4]) for ahead in range(4)]
        return _ask_leader(turn, hand, second, third, fourth, order, trump, match)

    def _claimed(
        self, turn: int, hand: CardSet, taken: Taken, order: tuple[int, ...], trump: int, last: Last, match: Match,
        tell: EventSink | None,
    ) -> State:  # fmt: skip
        """K12: rensho in the claimer's hand is shown and counts for the claimer's pair."""
        seat = order[turn]
        rensho = hand & 1 << RENSHO[trump]
        if tell:
            tell(
                Event("claimed_with_rensho", {"seat": seat, "card": RENSHO[trump]})
                if rensho
                else Event("claimed", {"seat": seat})
            )
        even, odd = taken
        taken = (even, odd | rensho) if turn & 1 else (even | rensho, odd)
        return self._settle(taken, order, trump, last, match, seat, RENSHO[trump] if rensho else None, tell)

    def _settle(
        self, taken: Taken, order: tuple[int, ...], trump: int, last: Last, match: Match, claimed: int | None,
        shown: Card | None, tell: EventSink | None,
    ) -> State:  # fmt: skip
        """The end of a deal: the payment (K9), then the next deal (K10) or the end of the game (K11)."""
        lost = 1 if loses(PICTURES ^ taken[0], trump) else 0
        pairs = (order[0], order[2]), (order[1], order[3])
        winners, losers = pairs[1 - lost], pairs[lost]
        won, paid = taken[1 - lost].bit_count(), taken[lost].bit_count()
        because = ground(taken[lost], trump)
        chips = PAYMENTS[because]
        leaders, dealers = match.chairs.index(winners[0]), match.chairs.index(losers[0])
        purses = list(match.chips)
        purses[leaders] += chips
        purses[dealers] -= chips
        broke = purses[dealers] <= 0
        deals = (*match.deals, Settlement(winners, losers, (won, paid), chips, because, claimed, shown))
        if tell:
            tell(
                Event("deal_won", {"seats": winners, "count": won, "others": paid})
                if won > paid
                else Event("deal_even", {"seats": losers, "card": RENSHO[trump]})
            )
            tell(Event(PAID[because], {"seats": losers, "chips": chips}))
            if broke:
                tell(Event("out_of_chips", {"seats": losers}))
        if broke:
            return self._end_game(trump, last, match._replace(chips=tuple(purses), deals=deals))
        match = match._replace(dealers=dealers, leaders=leaders, chips=tuple(purses), deals=deals)
        return self._between(TRUMP, trump, last, match)

    def _end_game(self, trump: int, last: Last, match: Match) -> State:
        """K11, K13: the chips become points; in a series the next game or the draw follows (K14)."""
        match = match._replace(games=(*match.games, self._chips(match)))
        if len(match.games) < self.rules.games:
            return self._between(SEATS, trump, last, match)
        tied = self.rules.games > 1 and len(_tied(match)) > 1
        return self._between(DRAW if tied else OVER, trump, last, match)

    def _seats(self, action: Action, match: Match, tell: EventSink | None) -> State:
        """K14: the next game, in other chairs."""
        chairs = tuple([int(player) for player in action.args])
        if sorted(chairs) != list(range(1, self.seats + 1)):
            raise IllegalAction(Reason("not_the_seating", {"count": self.seats}))
        if tell:
            tell(Event("seated", {"seats": chairs}))
        return self._new_game(chairs, match.games)

    def _draw(self, action: Action, trump: int, last: Last, match: Match, tell: EventSink | None) -> State:
        """K14: those who tie draw a card each; those equal at the top draw again."""
        tied, cards = _tied(match), action.cards
        if len(cards) != len(tied) or len(set(cards)) != len(cards):
            raise IllegalAction(Reason("not_the_draw", {"seats": tied, "count": len(tied)}))
        drawn = tuple(zip(tied, cards, strict=True))
        if tell:
            for player, card in drawn:
                tell(Event("drew", {"seat": player, "card": card}))
        match = match._replace(draws=(*match.draws, drawn))
        return self._between(DRAW if len(_tied(match)) > 1 else OVER, trump, last, match)

    def _new_game(self, chairs: tuple[int, ...], games: tuple[tuple[int, ...], ...]) -> State:
        """The start of a game: five chips, spades, and the pair of the chair ``dealer`` deals (K2, K4, K7)."""
        dealers = (self.dealer - 1) % self._pairs
        leaders = (dealers + 1) % self._pairs
        return self._between(TRUMP, 0, None, Match(chairs, dealers, leaders, (CHIPS,) * self._pairs, (), games, ()))

    def _between(self, phase: str, trump: int, last: Last, match: Match) -> State:
        """A state in which nobody holds a card."""
        to_act = match.chairs[match.dealers] if phase == TRUMP else None if phase == OVER else CHANCE
        return (TRUMP_ACTIONS if phase == TRUMP else (), to_act, phase, 0, 0, 0, 0, 0, 0, 0, (), 0, 0, 0, (0, 0), 0,
                last, (), trump, match)  # fmt: skip

    def _pair(self, match: Match, pair: int) -> tuple[int, int]:
        """The players of a pair, lower chair first."""
        return match.chairs[pair], match.chairs[pair + self._pairs]

    def _order(self, match: Match) -> tuple[int, ...]:
        """K3: the players of the positions, twice round."""
        chairs = match.chairs
        if self.seats == 6:
            chairs = tuple([player for chair, player in enumerate(chairs) if chair % 3 != match.dealers])
        return chairs * 2

    def _chips(self, match: Match) -> tuple[int, ...]:
        """The chips of each player's pair."""
        return tuple([match.chips[match.chairs.index(player) % self._pairs] for player in range(1, self.seats + 1)])

    def observation(self, state: State, seat: int) -> KakeyaObservation:
        (legal, to_act, phase, turn, hand, second, third, fourth, _, _, trick, winner, _, lacks, taken, _,
         last, order, trump, match) = state  # fmt: skip
        mine = to_act == seat and seat != CHANCE
        playing = phase not in BETWEEN_GAMES
        hands = self.hands(state)
        pairs = tuple([self._pair(match, pair) for pair in range(self._pairs)])
        position = {player: place for place, player in enumerate(order[:4])}
        lead = turn - len(trick) & 3
        return KakeyaObservation(
            seat=seat,
            phase=phase,
            to_act=to_act,
            legal=legal if mine else (),
            _refused=self.refused(state) if mine else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            chairs=match.chairs,
            pairs=pairs,
            partner=match.chairs[match.chairs.index(seat) - self._pairs] if seat else None,
            dealers=pairs[match.dealers],
            resting=pairs[match.dealers] if self.seats == 6 else (),
            leaders=pairs[match.leaders],
            game=len(match.games) + playing,
            deal=len(match.deals) + playing,
            trump=trump,
            rensho=RENSHO[trump],
            hand=hands[seat - 1] if seat else (),
            counts=tuple([len(cards) for cards in hands]),
            trick=Trick(order[lead : lead + len(trick)], trick, order[winner]) if trick else None,
            last_trick=Trick(*last) if last else None,
            pictures=tuple([cards_in(taken[position[one] & 1]) if one in position else () for one, _ in pairs]),
            played=ALL & ~(hand | second | third | fourth) if order else 0,
            lacks=tuple([_suits(lacks >> 4 * position.get(player, 4)) for player in range(1, self.seats + 1)]),
            chips=match.chips,
            points=_points(match),
            deals=match.deals,
            games=match.games,
            draws=match.draws,
        )

    def resample(self, observation: KakeyaObservation, rng: Random) -> State:
        o = observation
        match = Match(o.chairs, o.pairs.index(o.dealers), o.pairs.index(o.leaders), o.chips, o.deals, o.games, o.draws)
        if o.to_act is None or o.phase not in (LEAD, PLAY):
            return self._between(o.phase, o.trump, o.last_trick, match)
        order = self._order(match)
        hands = _share(o, order[:4], rng)
        laid = o.trick or Trick((), (), 0)
        for player, card in zip(laid.players, laid.cards, strict=True):
            hands[order.index(player)] |= 1 << card
        turn = order.index(laid.players[0] if o.trick else o.to_act)
        hand, second, third, fourth = hands[turn:] + hands[:turn]
        if o.phase == LEAD:
            return _ask_leader(turn, hand, second, third, fourth, order, o.trump, match)
        even, odd = (card_set(o.pictures[o.chairs.index(player) % self._pairs]) for player in order[:2])
        lacks = sum(1 << 4 * place + suit for place, player in enumerate(order[:4]) for suit in o.lacks[player - 1])
        claim = self._claim(even, odd, hands[0] | hands[2], hands[1] | hands[3], o.trump)
        taken = even, odd
        state = _lead(turn, hand, second, third, fourth, lacks, taken, claim, o.last_trick, order, o.trump, match)
        for card in laid.cards:
            state = self.apply(state, CARD_ACTIONS[card])
        return state

    def scores(self, state: State) -> tuple[int, ...]:
        match = state[-1]
        points = _points(match)
        if state[2] in BETWEEN_GAMES:
            return points
        return tuple([point + chips for point, chips in zip(points, self._chips(match), strict=True)])

    def outcome(self, state: State) -> Outcome | None:
        match = state[-1]
        if state[2] != OVER:
            return None
        points, winners = _points(match), _tied(match)
        if self.rules.games > 1:
            key = "won_draw" if match.draws else "most_points"
            return Outcome(points, winners, Reason(key, {"seat": winners[0]}))
        fewest = min(match.chips)
        if fewest > 0:
            return Outcome(points, winners, Reason("time_up"))
        return Outcome(points, winners, Reason("no_chips", {"seats": self._pair(match, match.chips.index(fewest))}))

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        _, _, _, turn, hand, second, third, fourth, _, _, _, _, _, _, _, _, _, order, _, _ = state
        held = dict(zip(order[turn:], (hand, second, third, fourth), strict=False))
        return tuple([cards_in(held.get(player, 0)) for player in range(1, self.seats + 1)])

    def parse(self, text: str) -> Action:
        kind, _, said = text.partition(" ")
        if kind in (DEAL, DRAW) and said:
            return parse_chance(kind, text)
        if kind == SEATS:
            players = said.split(" ")
            if all(player in CHAIRS for player in players):
                return Action("seats", text, (), tuple([int(player) for player in players]))
        try:
            return ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    def next_dealer(self, state: State) -> int:
        return self.dealer % self.seats + 1


def loses(pictures: CardSet, trump: int) -> bool:
    """K9: whether the pair pays that has taken ``pictures`` of the sixteen."""
    count = pictures.bit_count()
    return count < 8 or (count == 8 and bool(pictures >> RENSHO[trump] & 1))


def ground(pictures: CardSet, trump: int) -> str:
    """K9: why the pair that pays, having taken ``pictures``, pays what it does: a word of ``PAYMENTS``."""
    if not pictures:
        return "no_pictures"
    if pictures & ACES == ACES:
        return "four_aces"
    if pictures & TWO_ACES[trump] == TWO_ACES[trump]:
        return "rensho_and_ace"
    return "few_pictures" if pictures.bit_count() <= 4 else "fewer_pictures"


def decided(ours: CardSet, theirs: CardSet, trump: int) -> bool:
    """K12: whether every split of the pictures not yet taken gives the same payment by the same pair.

    ``ours`` and ``theirs`` are the pictures taken by the two pairs, rensho shown with the claim included.
    """
    return _pays_anyhow(theirs, PICTURES ^ ours, trump) or _pays_anyhow(ours, PICTURES ^ theirs, trump)


def _pays_anyhow(least: CardSet, most: CardSet, trump: int) -> bool:
    """Whether a pair pays, and always the same, whatever it takes from ``least`` to ``most``."""
    if not loses(most, trump):
        return False
    if least == most or least & ACES == ACES:
        return True
    if not least or most & ACES == ACES:
        return False  # nothing and four aces cost 4, and something between them does not
    if least & TWO_ACES[trump] == TWO_ACES[trump] or most.bit_count() <= 4:
        return True
    if most & TWO_ACES[trump] == TWO_ACES[trump]:
        return most.bit_count() == 5  # without one of the two aces they are few
    return least.bit_count() > 4


def _points(match: Match) -> tuple[int, ...]:
    """Each player's points from finished games."""
    return tuple([sum([points[place] for points in match.games]) for place in range(len(match.chairs))])


def _tied(match: Match) -> tuple[int, ...]:
    """Who has most points, or after a draw of cards (K14) who drew the highest rank."""
    if match.draws:
        top = max([rank_of(card) for _, card in match.draws[-1]])
        return tuple([player for player, card in match.draws[-1] if rank_of(card) == top])
    points = _points(match)
    return tuple([player for player, total in enumerate(points, 1) if total == max(points)])


def _suits(bits: int) -> tuple[int, ...]:
    """The suits of the lowest four bits."""
    return tuple([suit for suit in range(4) if bits >> suit & 1])


def _ask_leader(
    turn: int, hand: CardSet, second: CardSet, third: CardSet, fourth: CardSet, order: tuple[int, ...], trump: int,
    match: Match,
) -> State:  # fmt: skip
    """K7: the position ``turn`` says who leads."""
    return (LEAD_ACTIONS, order[turn], LEAD, turn, hand, second, third, fourth, 0, 0, (), 0, 0, 0, (0, 0), 0,
            None, order, trump, match)  # fmt: skip


def _lead(
    turn: int, hand: CardSet, second: CardSet, third: CardSet, fourth: CardSet, lacks: int, taken: Taken,
    claim: CardSet, last: Last, order: tuple[int, ...], trump: int, match: Match,
) -> State:  # fmt: skip
    """The position ``turn`` leads to a trick: any card may be led."""
    legal = PLAYS[hand & SPADES] + PLAYS[hand & HEARTS] + PLAYS[hand & DIAMONDS] + PLAYS[hand & CLUBS]
    if claim and hand & claim:
        legal += CLAIM_TOO
    return (legal, order[turn], PLAY, turn, hand, second, third, fourth, hand, 0, (), 0, 0, lacks,
            taken, claim, last, order, trump, match)  # fmt: skip


def _share(o: KakeyaObservation, players: tuple[int, ...], rng: Random) -> list[CardSet]:
    """The hands of these players: the seat's own, and the others evenly from all that fit what has been shown."""
    hands = [card_set(o.hand) if player == o.seat else 0 for player in players]
    room = tuple([0 if player == o.seat else o.counts[player - 1] for player in players])
    barred = [sum([SUIT_SETS[suit] for suit in o.lacks[player - 1]]) for player in players]
    unseen = cards_in(ALL & ~o.played & ~card_set(o.hand))
    bound = [card for card in unseen if any(left and bar >> card & 1 for left, bar in zip(room, barred, strict=True))]
    free = [card for card in unseen if card not in bound]

    def placed(card: Card, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """Where the card may be, and the room then left in each hand."""
        return [
            (place, (*room[:place], left - 1, *room[place + 1 :]))
            for place, left in enumerate(room)
            if left and not barred[place] >> card & 1
        ]

    @cache
    def ways(place: int, room: tuple[int, ...]) -> int:
        """In how many ways the cards of ``bound`` from ``place`` on, and then ``free``, fill the room."""
        if place == len(bound):
            return factorial(len(free)) // prod([factorial(left) for left in room])
        return sum([ways(place + 1, after) for _, after in placed(bound[place], room)])

    for place, card in enumerate(bound, 1):
        choices = placed(card, room)
        ((taker, room),) = rng.choices(choices, [ways(place, after) for _, after in choices])
        hands[taker] |= 1 << card
    rng.shuffle(free)
    for taker, left in enumerate(room):
        hands[taker] |= card_set(free[:left])
        del free[:left]
    return hands


GAME = Kakeya
