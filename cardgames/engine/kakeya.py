"""The rules of Kakeya Trump: clauses K1–K14 of ``texts/en/kakeya.md``.

Players go by their number, which is their first chair; in a series they change chairs (K14). Pairs are numbered by
their lower chair, from 0. The four who play a deal have *places* 0 to 3 in turn order, the lowest chair first: places
0 and 2 are partners, and so are 1 and 3.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import (
    BIT,
    CARDS,
    NAMES,
    RANK_SETS,
    SUIT_SETS,
    SUITS,
    SUITS_IN,
    Card,
    CardSet,
    PerSet,
    card_set,
    cards_in,
    per_set,
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
    Observation,
    Outcome,
    Reason,
    Rules,
    Value,
    check_pack,
    make,
    parse_chance,
)
from cardgames.engine.hand_guesser import HandGuesser, Place
from cardgames.engine.tricks import Trick, playable, winning

TRUMP, DEAL, LEAD, PLAY, SEATS, DRAW, OVER = "trump", "deal", "lead", "play", "seats", "draw", "over"
DEALT = (LEAD, PLAY)
"""The phases in which players hold cards."""

BETWEEN_GAMES = (SEATS, DRAW, OVER)
"""The phases in which the chips of the last game are counted among the points already."""

# The cards and what they pay.

PACK = tuple(range(52))
ALL: CardSet = (1 << 52) - 1
ACES = RANK_SETS[12]
PICTURES = RANK_SETS[9] | RANK_SETS[10] | RANK_SETS[11] | RANK_SETS[12]
"""K1: the sixteen cards that count."""

CHIPS = 5
"""K2: what each pair starts a game with."""

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
"""The event that tells of such a payment."""


def loses(pictures: CardSet, trump: int) -> bool:
    """K9: whether the pair pays that has taken ``pictures`` of the sixteen.

    *Ruling*: the pair that pays after eight each has lost; the source names nobody, the local custom does.
    """
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
    """K12, *ruling*: whether the same pair pays the same, whoever takes the pictures that are left.

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


# What is said and played.

CARD_ACTIONS = tuple(Action("play", name, (card,)) for card, name in enumerate(NAMES))
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
I_LEAD, PARTNER, CLAIM, TIME = (Action(word, word) for word in ("lead", "partner", "claim", "time"))
LEAD_ACTIONS, CLAIM_TOO = (I_LEAD, PARTNER), (CLAIM,)
ACTIONS = {action.text: action for action in (*CARD_ACTIONS, *TRUMP_ACTIONS, *LEAD_ACTIONS, CLAIM, TIME)}
CHAIRS = ("1", "2", "3", "4", "5", "6")


PLAYS = SPADES, HEARTS, DIAMONDS, CLUBS = tuple(
    [per_set(CARD_ACTIONS[first : first + 13]) for first in (0, 13, 26, 39)]
)
"""To play any cards of each suit, by the set of them, one bit a rank."""

RANKS_IN_SUIT = 0x1FFF
"""The thirteen bits of a suit, once it has been shifted to the low end of a set."""

PICTURE = tuple([BIT[card] & PICTURES for card in PACK])
"""The set of each card if it is a picture, else the empty set."""

SUIT = tuple([suit_of(card) for card in PACK])
"""The suit of each card, looked up in a third of the time that it takes to work out."""


def _strengths(trump: int, led: int) -> tuple[int, ...]:
    """From how many cards of the suit led and of trumps each card takes a trick (K8): the strongest wins it."""
    others = cards_in(SUIT_SETS[led] | SUIT_SETS[trump])
    return tuple([sum([winning((other, card), trump, RENSHO[trump]) for other in others]) for card in PACK])


STRENGTHS = tuple([tuple([_strengths(trump, led) for led in range(4)]) for trump in range(4)])
"""The strength of each card, by the suit of trumps and the suit led."""

CARDS_IN = PerSet(PACK)
"""The cards of what a pair has taken."""


# A state and its parts.

Hands: TypeAlias = tuple[CardSet, ...]
"""Four hands."""

ByPair: TypeAlias = tuple[CardSet, CardSet]
"""A set for places 0 and 2, and one for places 1 and 3."""

Drawn: TypeAlias = tuple[tuple[int, Card], ...]
"""Who drew which card for a tie (K14)."""


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
    """The parts of a match that no card changes: who sits where, the trumps, and the results so far."""

    chairs: tuple[int, ...]
    """The player in each chair."""
    dealers: int
    """The pair that deals, or dealt the deal being played."""
    leaders: int
    """The pair that leads first in that deal."""
    trump: int
    """The suit of trumps, 0–3."""
    chips: tuple[int, ...]
    """By pair."""
    deals: tuple[Settlement, ...]
    """The finished deals of this game."""
    games: tuple[tuple[int, ...], ...]
    """The points that each player got in each finished game."""
    draws: tuple[Drawn, ...]
    """The cards drawn for a tie, round by round."""
    last_trick: Trick | None = None
    """The last trick of a finished deal, which is seen until the next is dealt."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The partners who sit opposite (K3), lower chair first."""
        return _pairs(self.chairs)

    @property
    def playing(self) -> tuple[int, ...]:
        """The players of the four places, twice round: with six the dealers sit out (K3)."""
        if len(self.chairs) == 4:
            return self.chairs * 2
        return tuple([player for chair, player in enumerate(self.chairs) if chair % 3 != self.dealers]) * 2

    @property
    def each_chips(self) -> tuple[int, ...]:
        """The chips of each player's pair (K11)."""
        return tuple([self.chips[pair] for pair in _pair_of_each(self.chairs)])

    @property
    def points(self) -> tuple[int, ...]:
        """Each player's points from finished games (K14)."""
        return tuple(map(sum, zip(*self.games, strict=True))) if self.games else (0,) * len(self.chairs)


@cache
def _pairs(chairs: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The pairs of players in these chairs."""
    half = len(chairs) // 2
    return tuple(zip(chairs[:half], chairs[half:], strict=True))


@cache
def _pair_of_each(chairs: tuple[int, ...]) -> tuple[int, ...]:
    """The pair that each player belongs to, player 1 first."""
    return tuple([chairs.index(player) % (len(chairs) // 2) for player in range(1, len(chairs) + 1)])


class State(NamedTuple):
    """A position of a match. Only while a deal is played does anybody hold a place and cards."""

    legal: tuple[Action, ...]
    """The legal actions: every position is asked for them, and here they cost least."""
    to_act: int | None
    phase: str
    """The question, one of the words above."""
    match: Match
    place: int = 0
    """The place of the player to act."""
    players: tuple[int, ...] = ()
    """The players of the four places, twice round."""
    hands: Hands = (0, 0, 0, 0)
    """The hand of the player to act, then those of the next, the partner and the one before."""
    trick: tuple[Card, ...] = ()
    """The cards of the trick as it lies, from its lead."""
    lacks: int = 0
    """The suits that players have shown to lack: bit ``4 * place + suit`` for each."""
    pictures: ByPair = (0, 0)
    """The pictures that each pair has taken."""
    claims: ByPair | None = None
    """K12: with which cards in hand the players of each pair may claim; ``None`` while nobody can."""
    last: tuple[Card, ...] = ()
    """The cards of the trick before this one, from its lead; nothing before the second."""


@dataclass(frozen=True)
class KakeyaRules(Rules):
    """The options of Kakeya Trump."""

    claims: bool = True
    """K12: whether a deal may be claimed."""
    games: int = 1
    """K14: how many games make the match."""


@dataclass(frozen=True, kw_only=True)
class KakeyaObservation(Observation):
    """Everything that a seat of Kakeya Trump knows. It all is by player, and pairs are in the order of ``pairs``."""

    claims: bool
    """Whether deals may be claimed (K12)."""
    claim: Settlement | None
    """The settlement that a claim by this seat would bring now; ``None`` where it may not claim."""
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
    draws: tuple[Drawn, ...]
    """The cards drawn for a tie, round by round: who drew which."""
    ranks: tuple[int, ...]
    """Each player's rank at the end of the match, which those with equal totals share (K14); nothing before."""

    @property
    def forced(self) -> bool:
        """The last card, if nobody can claim whatever it is (K12)."""
        if self.phase != PLAY or self.counts[(self.to_act or 0) - 1] > 1:
            return False
        even, odd = [
            sum(1 << card for card in taken)
            for pair, taken in zip(self.pairs, self.pictures, strict=True)
            if pair != self.resting
        ]
        return not self.claims or (self.played >> self.rensho & 1 == 1 and not decided(even, odd, self.trump))

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The cards that cannot be played to this trick, and a claim that does not hold yet."""
        if self.phase != PLAY or self.seat != self.to_act:
            return ()
        thought = [*[CARD_ACTIONS[card] for card in self.hand], *([CLAIM] if self.claims else [])]
        return tuple([(action, self.refusal(action)) for action in thought if action not in self.legal])

    def refusal(self, action: Action) -> Reason:
        """Why ``action``, which is not legal for this seat now, is not: the reason that ``apply`` gives."""
        if self.phase == OVER:
            return Reason("match_over")
        if action.kind == "time":
            return Reason("time_between_deals")
        if self.phase == DEAL:
            return Reason("not_the_pack", {"count": len(PACK)}) if action.kind == "deal" else Reason("deal_first")
        if self.phase == SEATS:
            count = len(self.chairs)
            return Reason("not_the_seating", {"count": count}) if action.kind == "seats" else Reason("seats_first")
        if self.phase == DRAW:
            tied = _best(self.points, self.draws)
            args: dict[str, Value] = {"seats": tied, "count": len(tied)}
            return Reason("not_the_draw", args) if action.kind == "draw" else Reason("draw_first")
        if self.phase == TRUMP:
            return Reason("choose_trump")
        if self.phase == LEAD:
            return Reason("choose_leader")
        if action.kind == "claim":
            return Reason("claim_undecided" if self.claims else "claims_are_off")
        if action.kind != "play" or self.seat != self.to_act:
            return Reason("not_now")
        if not self.trick or action.cards[0] not in self.hand:
            return Reason("not_in_hand", {"card": action.cards[0]})
        return Reason("must_follow", {"suit": SUITS[suit_of(self.trick.cards[0])]})


class Kakeya(Game[State, KakeyaObservation]):
    """Kakeya Trump for four or six."""

    NAME = "kakeya"
    SEATS = (4, 6)
    RULES = KakeyaRules
    PACK = PACK
    ACTIONS = ACTIONS
    TIMED = True

    def __init__(self, seats: int, rules: KakeyaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: KakeyaRules = rules

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return _pairs(tuple(range(1, self.seats + 1)))

    def start(self) -> State:
        return self._start_game(tuple(range(1, self.seats + 1)), ())

    # Every action asks for these two, and a method would take twice the time.
    to_act = itemgetter(State._fields.index("to_act"))  # type: ignore[assignment]
    legal_actions = itemgetter(State._fields.index("legal"))  # type: ignore[assignment]

    def chance(self, state: State) -> Chance | None:
        """K6, *ruling*: the pack is shuffled whole. K14: chairs are drawn, and for a tie cards, from a full pack."""
        if state.phase == SEATS:
            return Chance("seats", tuple(range(1, self.seats + 1)), self.seats)
        if state.phase == DRAW:
            return Chance("draw", PACK, len(_best(state.match.points, state.match.draws)))
        return super().chance(state)

    def clock(self, state: State) -> Action | None:
        """K13: ``time``, *ruling*: where the trump choice of a further deal of the game would come."""
        return TIME if state.phase == TRUMP and state.match.deals else None

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        """K8 stands here, since most actions play a card: follow suit if able, otherwise any card.

        The pair of whoever wins a trick takes its pictures, and the winner leads to the next.
        """
        if action.kind != "play":
            return self._decide(state, action, tell)
        legal, to_act, phase, match, place, players, hands, trick, lacks, pictures, claims, last = state
        hand, second, third, fourth = hands
        card = action.cards[0]
        bit = BIT[card]
        trick += action.cards
        led = SUIT[trick[0]]
        if not hand & bit or phase != PLAY:
            raise self.illegal(state, action)
        if SUIT[card] != led:
            if hand & SUIT_SETS[led]:
                raise self.illegal(state, action)
            lacks |= 1 << 4 * place + led
        if tell:
            tell(Event("played", {"seat": players[place], "card": card}))
        place = place + 1 & 3
        hands = second, third, fourth, hand ^ bit
        if len(trick) == 4:
            ahead = _taker(trick, STRENGTHS[match.trump][led])  # of whoever led, counted along the table
            place, hands = place + ahead & 3, hands[ahead:] + hands[:ahead]
            one, two, three, four = trick
            won = PICTURE[one] | PICTURE[two] | PICTURE[three] | PICTURE[four]
            if tell:
                _tell_trick(_trick(trick, place - ahead, players, match.trump), won, tell)
            if won:
                pictures = _with(pictures, place, won)
                claims = self.claims_with(pictures, match.trump)
            if not second:
                deal = _settlement(players, pictures, match.trump)
                return self._pay(state, deal, pictures, _trick(trick, place - ahead, players, match.trump), tell)
            last, trick, legal = trick, (), _plays(hands[0])
        else:
            follow = second >> 13 * led & RANKS_IN_SUIT
            legal = PLAYS[led][follow] if follow else _plays(second)
        if claims and hands[0] & claims[place & 1]:
            legal += CLAIM_TOO
        return make(
            State, (legal, players[place], PLAY, match, place, players, hands, trick, lacks, pictures, claims, last)
        )

    def _decide(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Every action but to play a card; each is a method below."""
        kind = action.kind
        by_chance = state.to_act == CHANCE and kind == state.phase
        if not (by_chance or action in state.legal or action == self.clock(state)):
            raise self.illegal(state, action)
        if kind == "trump":
            return self._choose_trump(state, action, tell)
        if kind == "deal":
            return self._deal(state, action, tell)
        if kind == "claim":
            return self._claim(state, tell)
        if kind == "time":
            return self._call_time(state, tell)
        if kind == "seats":
            return self._change_chairs(state, action, tell)
        if kind == "draw":
            return self._draw(state, action, tell)
        return self._choose_leader(state, action, tell)

    def _start_game(self, chairs: tuple[int, ...], games: tuple[tuple[int, ...], ...]) -> State:
        """K2: five chips a pair. K4, *ruling*: spades are trumps, whatever the last game ended with.

        K7: the pair of chair ``dealer`` deals, and the one to its right leads. K14, *ruling*: so it is in every game.
        """
        pairs = self.seats // 2
        dealers = (self.dealer - 1) % pairs
        match = Match(
            chairs=chairs,
            dealers=dealers,
            leaders=(dealers + 1) % pairs,
            trump=0,
            chips=(CHIPS,) * pairs,
            deals=(),
            games=games,
            draws=(),
        )
        return State(TRUMP_ACTIONS, chairs[dealers], TRUMP, match)

    def _choose_trump(self, state: State, action: Action, tell: EventSink | None) -> State:
        """K4: the dealing pair names trumps. *Ruling*: its player in the lower chair, though either may by custom."""
        match, chosen = state.match, TRUMP_ACTIONS.index(action)
        if tell:
            args: dict[str, Value] = {"seat": match.chairs[match.dealers], "suit": SUITS[chosen]}
            tell(Event("trump_kept" if chosen == match.trump else "trump_changed", args))
        return State((), CHANCE, DEAL, match._replace(trump=chosen))

    def _deal(self, state: State, action: Action, tell: EventSink | None) -> State:
        """K6: thirteen cards to each, one at a time. K7: then the pair that leads is asked who does."""
        check_pack(action, PACK)
        match = state.match._replace(last_trick=None)
        if tell:
            tell(Event("dealt", {"seats": match.pairs[match.dealers], "count": 13}))
        players, asked = match.playing, match.chairs[match.leaders]
        place = players.index(asked)
        first, second, third, fourth = [card_set(action.cards[(place + ahead) % 4 :: 4]) for ahead in range(4)]
        return State(LEAD_ACTIONS, asked, LEAD, match, place, players, (first, second, third, fourth))

    def _choose_leader(self, state: State, action: Action, tell: EventSink | None) -> State:
        """K7: who leads.

        *Rulings*: the player in the pair's lower chair says it, though either may by custom; it is all that partners
        say, and nothing can be claimed before (K12).
        """
        place, players, hands = state.place, state.players, state.hands
        if action == PARTNER:
            if tell:
                tell(Event("partner_leads", {"seat": players[place], "to": players[place + 2]}))
            place, hands = place + 2 & 3, hands[2:] + hands[:2]
        elif tell:
            tell(Event("leads", {"seat": players[place]}))
        return State(_plays(hands[0]), players[place], PLAY, state.match, place, players, hands)

    def claims_with(self, pictures: ByPair, trump: int) -> ByPair | None:
        """K12: with which cards in hand a player of each pair may claim: with any, with rensho alone, or with none."""
        even, odd = pictures
        if (even.bit_count() < 8 and odd.bit_count() < 8) or not self.rules.claims:
            return None
        if decided(even, odd, trump):
            return ALL, ALL
        rensho = BIT[RENSHO[trump]]
        if (even | odd) & rensho:
            return None  # nobody has it to show
        return rensho * decided(even | rensho, odd, trump), rensho * decided(even, odd | rensho, trump)

    def _claim(self, state: State, tell: EventSink | None) -> State:
        """K12: the deal ends at once, with rensho shown if it is in the claimer's hand."""
        claim, pictures = _claimed(state)
        if tell:
            claimer: dict[str, Value] = {"seat": state.players[state.place]}
            if claim.shown is None:
                tell(Event("claimed", claimer))
            else:
                tell(Event("claimed_with_rensho", {**claimer, "card": claim.shown}))
        return self._pay(state, claim, pictures, _last_trick(state), tell)

    def _pay(
        self, state: State, deal: Settlement, pictures: ByPair, last: Trick | None, tell: EventSink | None
    ) -> State:
        """K9: payment is in full. K11: without chips the game is over.

        K10: the pair that lost deals next. *Ruling*, with the local custom, where the source contradicts itself.
        """
        match, winners, losers = state.match, deal.winners, deal.losers
        if tell:
            _tell_settlement(state, deal, pictures, tell)
        leaders, dealers = match.chairs.index(winners[0]), match.chairs.index(losers[0])
        chips = list(match.chips)
        chips[leaders] += deal.chips
        chips[dealers] -= deal.chips
        deals = (*match.deals, deal)
        if chips[dealers] > 0:
            chairs, trump, games, draws = match.chairs, match.trump, match.games, match.draws
            after = Match(chairs, dealers, leaders, trump, tuple(chips), deals, games, draws, last)
            return State(TRUMP_ACTIONS, losers[0], TRUMP, after)
        if tell:
            tell(Event("out_of_chips", {"seats": losers}))
        return self.end_game(match._replace(chips=tuple(chips), deals=deals, last_trick=last))

    def _call_time(self, state: State, tell: EventSink | None) -> State:
        """K13: the game ends with the chips as they are."""
        if tell:
            tell(Event("time_called"))
        return self.end_game(state.match)

    def end_game(self, match: Match) -> State:
        """K11, K13: the chips become points. K14: in a series another game or a draw may follow.

        K13, *ruling*: time ends the present game of a series only.
        """
        match = match._replace(games=(*match.games, match.each_chips))
        if len(match.games) < self.rules.games:
            return State((), CHANCE, SEATS, match)
        return self._end_match(match)

    def _change_chairs(self, state: State, action: Action, tell: EventSink | None) -> State:
        """K14: a further game, in other chairs."""
        chairs = tuple([int(player) for player in action.args])
        if sorted(chairs) != list(range(1, self.seats + 1)):
            raise self.illegal(state, action)
        if tell:
            tell(Event("seated", {"seats": chairs}))
        return self._start_game(chairs, state.match.games)

    def _draw(self, state: State, action: Action, tell: EventSink | None) -> State:
        """K14: those who tie for the most points draw a card each."""
        match, cards = state.match, action.cards
        tied = _best(match.points, match.draws)
        if len(cards) != len(tied) or len(set(cards)) != len(cards):
            raise self.illegal(state, action)
        drawn = tuple(zip(tied, cards, strict=True))
        if tell:
            for player, card in drawn:
                tell(Event("drew", {"seat": player, "card": card}))
        return self._end_match(match._replace(draws=(*match.draws, drawn)))

    def _end_match(self, match: Match) -> State:
        """K14: in a series there is a draw, and another, until one is ahead of all."""
        if self.rules.games > 1 and len(_best(match.points, match.draws)) > 1:
            return State((), CHANCE, DRAW, match)
        return State((), None, OVER, match)

    def observation(self, state: State, seat: int) -> KakeyaObservation:
        match, players, hands = state.match, state.players, state.hands
        pairs, points = match.pairs, match.points
        mine = seat == state.to_act and seat != CHANCE
        under_way = state.phase not in BETWEEN_GAMES
        held = [0] * (self.seats + 1)
        lacks: list[tuple[int, ...]] = [()] * (self.seats + 1)
        taken: list[tuple[Card, ...]] = [()] * (self.seats + 1)
        for ahead in range(4) if players else ():
            place = state.place + ahead & 3
            player = players[place]
            held[player] = hands[ahead]
            lacks[player] = SUITS_IN[state.lacks >> 4 * place & 15]
            taken[player] = CARDS_IN[state.pictures[place & 1]]
        outcome = self.outcome(state)
        return KakeyaObservation(
            seat=seat,
            phase=state.phase,
            to_act=state.to_act,
            legal=state.legal if mine else (),
            scores=self.scores(state),
            outcome=outcome,
            claims=self.rules.claims,
            claim=_claimed(state)[0] if mine and state.legal[-1:] == CLAIM_TOO else None,
            chairs=match.chairs,
            pairs=pairs,
            partner=match.chairs[match.chairs.index(seat) - len(pairs)] if seat else None,
            dealers=pairs[match.dealers],
            resting=pairs[match.dealers] if self.seats == 6 else (),
            leaders=pairs[match.leaders],
            game=len(match.games) + under_way,
            deal=len(match.deals) + under_way,
            trump=match.trump,
            rensho=RENSHO[match.trump],
            hand=cards_in(held[seat]),
            counts=tuple([hand.bit_count() for hand in held[1:]]),
            trick=_lying(state),
            last_trick=_last_trick(state),
            pictures=tuple([taken[one] for one, _ in pairs]),
            played=ALL & ~(hands[0] | hands[1] | hands[2] | hands[3]) if players else 0,
            lacks=tuple(lacks[1:]),
            chips=match.chips,
            points=points,
            deals=match.deals,
            games=match.games,
            draws=match.draws,
            ranks=_ranks(points, outcome.winners) if outcome else (),
        )

    def sampler(self, observation: KakeyaObservation) -> Callable[[Random], State]:
        o = observation
        match = Match(
            chairs=o.chairs,
            dealers=o.pairs.index(o.dealers),
            leaders=o.pairs.index(o.leaders),
            trump=o.trump,
            chips=o.chips,
            deals=o.deals,
            games=o.games,
            draws=o.draws,
            last_trick=None if o.phase in DEALT else o.last_trick,
        )
        if o.to_act is None or o.phase not in DEALT:
            known = State(TRUMP_ACTIONS if o.phase == TRUMP else (), o.to_act, o.phase, match)
            return lambda rng: known
        players = match.playing
        place = players.index(o.to_act)
        even, odd = [card_set(o.pictures[o.chairs.index(player) % len(o.pairs)]) for player in players[:2]]
        seen = State(
            LEAD_ACTIONS,
            o.to_act,
            o.phase,
            match,
            place,
            players,
            trick=o.trick.cards if o.trick else (),
            lacks=sum([1 << 4 * at + suit for at, player in enumerate(players[:4]) for suit in o.lacks[player - 1]]),
            pictures=(even, odd),
            claims=self.claims_with((even, odd), o.trump),
            last=o.last_trick.cards if o.last_trick else (),
        )
        own = card_set(o.hand)
        others = ALL & ~o.played & ~own
        guesser = HandGuesser(
            own | others,
            [
                Place(o.counts[player - 1], own if player == o.seat else others & ~_suits(o.lacks[player - 1]))
                for player in players[place : place + 4]
            ],
        )

        def draw(rng: Random) -> State:
            hand, second, third, fourth = guesser.draw(rng)
            state = seen._replace(hands=(hand, second, third, fourth))
            return state if o.phase == LEAD else state._replace(legal=_legal(state))

        return draw

    def key(self, state: State) -> Hashable:
        """Of pictures it holds only what they pay (K9), and of a trick only what has to be followed and beaten."""
        match = state.match
        if state.phase in BETWEEN_GAMES:
            return state.phase, len(match.games), match.points, _best(match.points, match.draws)
        table = state.phase, len(match.games), match.points, match.chairs, match.chips, match.dealers
        if state.phase == TRUMP:
            return *table, match.leaders, bool(match.deals)
        if state.phase == DEAL:
            return *table, match.leaders, match.trump
        lying = _lying(state)
        trick = lying and (suit_of(lying.cards[0]), lying.winner, lying.winning_card, _worth(card_set(lying.cards)))
        even, odd = state.pictures
        return *table, match.trump, state.place, state.hands, trick, _worth(even), _worth(odd)

    def deal_over(self, state: State) -> bool:
        return state.phase not in DEALT

    def payoff(self, state: State) -> tuple[int, ...]:
        """Chips won and lost: those with which each game begins are left out."""
        begun = len(state.match.games) + (state.phase not in BETWEEN_GAMES)
        return tuple([score - CHIPS * begun for score in self.scores(state)])

    def scores(self, state: State) -> tuple[int, ...]:
        match = state.match
        if state.phase in BETWEEN_GAMES:
            return match.points
        if not match.games:
            return match.each_chips
        return tuple([points + chips for points, chips in zip(match.points, match.each_chips, strict=True)])

    def outcome(self, state: State) -> Outcome | None:
        """K11, K14: most points win, in a series after the draw.

        *Rulings*: a single game has no draw, so that all with most chips win; and when time ends it at equal chips for
        all nobody has (K13).
        """
        match = state.match
        if state.phase != OVER:
            return None
        points, best = match.points, _best(match.points, match.draws)
        if self.rules.games > 1:
            return Outcome(points, best, Reason("won_draw" if match.draws else "most_points", {"seat": best[0]}))
        fewest = min(match.chips)
        if fewest <= 0:
            return Outcome(points, best, Reason("no_chips", {"seats": match.pairs[match.chips.index(fewest)]}))
        if len(best) == self.seats:
            return Outcome(points, (), Reason("time_up_even"))
        return Outcome(points, best, Reason("time_up"))

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        held = dict(zip(state.players[state.place :], state.hands, strict=False))
        return tuple([cards_in(held.get(player, 0)) for player in range(1, self.seats + 1)])

    def parse(self, text: str) -> Action:
        kind, _, said = text.partition(" ")
        if kind == DRAW and said:
            return parse_chance(DRAW, text)
        if kind == SEATS:
            players = said.split(" ")
            if all(player in CHAIRS for player in players):
                return Action("seats", text, (), tuple([int(player) for player in players]))
        return super().parse(text)

    def next_dealer(self, state: State) -> int:
        """*Ruling*: for a rematch the deal passes to the next pair."""
        return self.dealer % self.seats + 1


def _plays(cards: CardSet) -> tuple[Action, ...]:
    """The actions that play each of these cards, ascending."""
    return (
        SPADES[cards & RANKS_IN_SUIT]
        + HEARTS[cards >> 13 & RANKS_IN_SUIT]
        + DIAMONDS[cards >> 26 & RANKS_IN_SUIT]
        + CLUBS[cards >> 39]
    )


def _legal(state: State) -> tuple[Action, ...]:
    """The cards that may be played (K8), and a claim where it holds (K12)."""
    hand, trick, claims = state.hands[0], state.trick, state.claims
    plays = _plays(playable(hand, suit_of(trick[0])) if trick else hand)
    return plays + CLAIM_TOO if claims and hand & claims[state.place & 1] else plays


def _taker(trick: tuple[Card, ...], strength: tuple[int, ...]) -> int:
    """The place of the card that wins four: what ``winning`` says, in a third of the time."""
    one, two, three, four = trick
    best, place = strength[one], 0
    if strength[two] > best:
        best, place = strength[two], 1
    if strength[three] > best:
        best, place = strength[three], 2
    return 3 if strength[four] > best else place


def _trick(cards: tuple[Card, ...], leader: int, players: tuple[int, ...], trump: int) -> Trick:
    """A trick led from the place ``leader``, with who wins it so far."""
    laid = players[leader & 3 :][: len(cards)]
    return Trick(laid, cards, laid[winning(cards, trump, RENSHO[trump])])


def _lying(state: State) -> Trick | None:
    """The trick as it lies; ``None`` while no card does."""
    if not state.trick:
        return None
    return _trick(state.trick, state.place - len(state.trick), state.players, state.match.trump)


def _last_trick(state: State) -> Trick | None:
    """The trick before, whose winner led to this one; between two deals the last of the deal before."""
    if not state.last:
        return state.match.last_trick
    trump = state.match.trump
    winner = state.place - len(state.trick)
    return _trick(state.last, winner - winning(state.last, trump, RENSHO[trump]), state.players, trump)


def _with(sets: ByPair, place: int, more: CardSet) -> ByPair:
    """The sets of both pairs, with more for the pair that sits at ``place``."""
    even, odd = sets
    return (even, odd | more) if place & 1 else (even | more, odd)


def _tell_trick(trick: Trick, pictures: CardSet, tell: EventSink) -> None:
    """Tell who won a trick, with the cards that lay there."""
    lay: dict[str, Value] = {"seat": trick.winner, "seats": trick.players, "trick_cards": trick.cards}
    if pictures:
        tell(Event("pictures_won", {**lay, "cards": cards_in(pictures)}))
    else:
        tell(Event("trick_won", lay))


def _settlement(
    players: tuple[int, ...], pictures: ByPair, trump: int, claimed: int | None = None, shown: Card | None = None
) -> Settlement:
    """K9: who pays how much when the pairs have taken these pictures."""
    sides = [((players[0], players[2]), pictures[0]), ((players[1], players[3]), pictures[1])]
    if loses(PICTURES ^ pictures[1], trump):
        sides.reverse()
    (winners, won), (losers, paid) = sides
    because = ground(paid, trump)
    counts = won.bit_count(), paid.bit_count()
    return Settlement(winners, losers, counts, PAYMENTS[because], because, claimed, shown)


def _claimed(state: State) -> tuple[Settlement, ByPair]:
    """K12: what a claim settles, and the pictures then: rensho in the claimer's hand counts for the claimer's pair."""
    trump, place = state.match.trump, state.place
    pictures, shown = state.pictures, None
    if state.hands[0] >> RENSHO[trump] & 1:
        shown = RENSHO[trump]
        pictures = _with(pictures, place, BIT[shown])
    return _settlement(state.players, pictures, trump, state.players[place], shown), pictures


def _tell_settlement(state: State, deal: Settlement, pictures: ByPair, tell: EventSink) -> None:
    """Tell who won a deal, with the pictures that both pairs have, and what was paid."""
    even, odd = map(cards_in, pictures)
    won, paid = (even, odd) if deal.winners[0] == state.players[0] else (odd, even)
    rensho = RENSHO[state.match.trump]
    count, others = deal.pictures
    if count > others:
        args: dict[str, Value] = {"seats": deal.winners, "count": count, "others": others, "cards": won}
        tell(Event("deal_won", {**args, "other_seats": deal.losers, "other_cards": paid, "card": rensho}))
    else:
        args = {"seats": deal.losers, "cards": paid, "card": rensho}
        tell(Event("deal_even", {**args, "other_seats": deal.winners, "other_cards": won}))
    tell(Event(PAID[deal.because], {"seats": deal.losers, "chips": deal.chips}))


def _worth(cards: CardSet) -> tuple[int, CardSet]:
    """The part of cards that counts in a payment (K9): how many are pictures, and the aces."""
    return (cards & PICTURES).bit_count(), cards & ACES


def _best(points: tuple[int, ...], draws: tuple[Drawn, ...]) -> tuple[int, ...]:
    """Who has most points, or after a draw of cards (K14) who drew the highest rank."""
    if draws:
        top = max([rank_of(card) for _, card in draws[-1]])
        return tuple([player for player, card in draws[-1] if rank_of(card) == top])
    return tuple([player for player, total in enumerate(points, 1) if total == max(points)])


def _ranks(points: tuple[int, ...], winners: tuple[int, ...]) -> tuple[int, ...]:
    """K14: each player's rank by points, which equals share; who won a draw stands before those who lost it."""
    order = [(total, player in winners) for player, total in enumerate(points, 1)]
    return tuple([1 + sum([other > own for other in order]) for own in order])


def _suits(suits: tuple[int, ...]) -> CardSet:
    """Every card of some suits."""
    return sum([SUIT_SETS[suit] for suit in suits])


GAME = Kakeya
