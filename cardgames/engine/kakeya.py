"""The rules of Kakeya Trump: clauses K1–K14 of ``texts/en/kakeya.md``.

A player is numbered by their first chair, and changes chairs in a series (K14). Pairs are numbered from 0 in the order
of their lower chairs. The four players of a deal have *places* 0 to 3 in turn order, the lowest chair first: places 0
and 2 are partners, and so are 1 and 3."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, SUIT_SETS, SUITS, Card, CardSet, card_set, cards_in, rank_of, suit_of
from cardgames.engine.common_rules import acting_seat, replace_item, why_not_pack
from cardgames.engine.game import (
    CHANCE,
    Action,
    Chance,
    Game,
    Legality,
    Message,
    Observation,
    Outcome,
    PerSeat,
    PerSide,
    Rules,
    Teller,
    Value,
    parse_chance,
)
from cardgames.engine.hidden import HandGuesser, HiddenPlace
from cardgames.engine.tricks import NO_TRICK, Trick, playable, why_not_play

TRUMP, DEAL, LEAD, PLAY, SEATS, DRAW, OVER = "trump", "deal", "lead", "play", "seats", "draw", "over"
CARD_PHASES = (LEAD, PLAY)
"""The phases in which players hold cards."""

BETWEEN_GAMES = (SEATS, DRAW, OVER)
"""The phases in which no game is in progress: the points include the chips of the last game."""

# Cards and payments

PACK = tuple(range(52))
ALL: CardSet = (1 << 52) - 1
ACES, PICTURES = [card_set([card for card in PACK if rank_of(card) >= lowest]) for lowest in (12, 9)]
"""K1: the aces, and the sixteen pictures, which are aces, kings, queens and jacks."""

CHIPS = 5
"""K2: the number of chips with which each pair starts a game."""

RENSHO = (CARDS["AC"], CARDS["AS"], CARDS["AS"], CARDS["AS"])
"""K5: rensho, the strongest card, by the suit of trumps, 0–3."""

TRUMP_ACE = (CARDS["AS"], CARDS["AH"], CARDS["AD"], CARDS["AC"])
"""K5: the trump ace, by the suit of trumps, 0–3."""

PAYMENTS = {"no_pictures": 4, "four_aces": 4, "rensho_and_ace": 2, "few_pictures": 2, "fewer_pictures": 1}
"""K9: the number of chips that the losers pay, by the ground of the payment."""


def loses(pictures: CardSet, trump: int) -> bool:
    """K9: whether a pair that took these pictures loses the deal and pays.

    *Ruling*, by the local custom: with eight pictures each the pair with rensho loses. The source names no loser."""
    count = pictures.bit_count()
    return count < 8 or (count == 8 and bool(pictures >> RENSHO[trump] & 1))


def payment_ground(pictures: CardSet, trump: int) -> str:
    """K9: the ground of the payment if the losing pair has taken ``pictures``. It is a key of ``PAYMENTS``."""
    two_aces = card_set((RENSHO[trump], TRUMP_ACE[trump]))
    if not pictures:
        return "no_pictures"
    if not ACES & ~pictures:  # none is missing
        return "four_aces"
    if not two_aces & ~pictures:
        return "rensho_and_ace"
    return "few_pictures" if pictures.bit_count() <= 4 else "fewer_pictures"


@lru_cache(4096)
def is_certain(ours: CardSet, theirs: CardSet, trump: int) -> bool:
    """K12: whether every split of the remaining pictures gives the same payment by the same pair.

    ``ours`` and ``theirs`` are the pictures taken by the two pairs, with rensho if it is shown with the claim."""
    if ours.bit_count() < 8 and theirs.bit_count() < 8:  # both pairs can still take nine
        return False
    remaining = PICTURES ^ ours ^ theirs
    aces, others = cards_in(remaining & ACES), cards_in(remaining & ~ACES)
    ace_choices = [(0, 1 << ace) for ace in aces]  # each is taken or not; of the other pictures only the number matters
    first_others = [card_set(others[:number]) for number in range(len(others) + 1)]
    return len({_chips_won(ours | sum(taken), trump) for taken in product(*ace_choices, first_others)}) == 1


def _chips_won(ours: CardSet, trump: int) -> int:
    """K9: the number of chips that a pair with the pictures ``ours`` wins; negative if it pays."""
    if loses(ours, trump):
        return -PAYMENTS[payment_ground(ours, trump)]
    return PAYMENTS[payment_ground(PICTURES ^ ours, trump)]


# Positions

ByPair: TypeAlias = tuple[CardSet, CardSet]
"""A set of cards for the pair at the places 0 and 2 (counted from 0), and one for the pair at 1 and 3."""

DrawRound: TypeAlias = tuple[tuple[int, Card], ...]
"""One round of draws for a tie (K14): pairs of player and card."""


class Settlement(NamedTuple):
    """The result of a deal: the pair that paid, and its payment (K9)."""

    winners: tuple[int, int]
    losers: tuple[int, int]
    pictures: tuple[int, int]
    """The numbers of pictures of winners and losers. Rensho counts if it was shown with a claim."""
    chips: int
    because: Annotated[str, tuple(PAYMENTS)]
    """The ground of the payment, a key of ``PAYMENTS``."""
    claimed: int | None
    """The player whose claim ended the deal (K12); ``None`` for a deal played to the end."""
    shown: Card | None
    """Rensho, if the player showed it with the claim."""


class KakeyaStanding(NamedTuple):
    """All of a match except the cards: chairs, trumps, chips and results.

    ``chairs``, ``trump``, ``chips``, ``deals``, ``games`` and ``draws`` are as in :class:`KakeyaObservation`."""

    chairs: PerSeat[int]
    dealers: int
    """The number of the pair that deals this deal or, between two deals, the next deal."""
    leaders: int
    """The number of the pair that leads first in the deal that ``dealers`` deal."""
    trump: int
    chips: tuple[int, ...]
    deals: tuple[Settlement, ...]
    games: tuple[PerSeat[int], ...]
    draws: tuple[DrawRound, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of partners, who sit opposite each other (K3); lower chair first."""
        return _pairs(self.chairs)

    @property
    def deal_players(self) -> tuple[int, ...]:
        """K3: the four players of the deal, by place. With six players the dealers sit out."""
        if len(self.chairs) == 4:
            return self.chairs
        return tuple([player for chair, player in enumerate(self.chairs) if chair % 3 != self.dealers])  # pair number

    @property
    def chips_by_player(self) -> tuple[int, ...]:
        """K11: the number of chips of each player's pair, player 1 first."""
        pairs = len(self.chairs) // 2
        return tuple([self.chips[self.chairs.index(player) % pairs] for player in range(1, 2 * pairs + 1)])

    @property
    def points(self) -> tuple[int, ...]:
        """K14: the points of each player from finished games, player 1 first."""
        return tuple(map(sum, zip(*self.games, strict=True))) if self.games else (0,) * len(self.chairs)

    @property
    def tied(self) -> tuple[int, ...]:
        """K14: the players who tie for the most points or, after a draw of cards, for the highest card."""
        if self.draws:
            top = max([rank_of(card) for _, card in self.draws[-1]])
            return tuple([player for player, card in self.draws[-1] if rank_of(card) == top])
        points = self.points
        return tuple([player for player, total in enumerate(points, 1) if total == max(points)])


class KakeyaState(NamedTuple):
    """A position of a match. The fields from ``players`` on are about the deal in progress, by place.

    ``trick``, ``pictures`` and ``lacks`` are as in :class:`KakeyaObservation`."""

    phase: str
    standing: KakeyaStanding
    last_trick: Trick | None = None
    """The last finished trick, kept until the next deal."""
    players: tuple[int, ...] = ()
    place: int = 0
    hands: tuple[CardSet, ...] = ()
    trick: Trick = NO_TRICK
    pictures: ByPair = (0, 0)
    lacks: tuple[tuple[int, ...], ...] = ((), (), (), ())

    @property
    def to_act(self) -> int | None:
        """The player who acts, ``CHANCE``, or ``None`` when the match is over."""
        if self.phase in CARD_PHASES:
            return self.players[self.place]
        if self.phase == TRUMP:
            return self.standing.chairs[self.standing.dealers]
        return None if self.phase == OVER else CHANCE

    @property
    def claim_card(self) -> Card | None:
        """K12: rensho, if the acting player holds it and would show it with a claim; else ``None``."""
        rensho = RENSHO[self.standing.trump]
        return rensho if self.hands[self.place] >> rensho & 1 else None

    @property
    def claim_pictures(self) -> ByPair:
        """K12: the pictures that count for each pair if the acting player claims, with rensho if the claim shows it."""
        card = self.claim_card
        return self.pictures if card is None else _with_cards(self.pictures, self.place, 1 << card)


@dataclass(frozen=True)
class KakeyaRules(Rules):
    """The options of Kakeya Trump."""

    claims: bool = True
    """K12: whether a deal may be claimed."""
    games: int = 1
    """K14: the number of games in a match."""


# Legal actions

CARD_ACTIONS = tuple(Action("play", name, (card,)) for name, card in CARDS.items())
TRUMP_ACTIONS = tuple(Action("trump", f"trump {suit}", (), (suit,)) for suit in SUITS)
I_LEAD, PARTNER, CLAIM, TIME = (Action(word, word) for word in ("lead", "partner", "claim", "time"))
LEAD_ACTIONS = (I_LEAD, PARTNER)
ACTIONS = {action.text: action for action in (*CARD_ACTIONS, *TRUMP_ACTIONS, *LEAD_ACTIONS, CLAIM, TIME)}


@dataclass(slots=True, eq=False, repr=False)
class KakeyaLegality(Legality):
    """The facts that decide which actions are legal, all known to the acting seat or, for chance, to everybody."""

    phase: str
    deals: int
    """The number of finished deals of this game."""
    drawing: tuple[int, ...]
    """The players who draw seats or, for a tie, cards (K14)."""
    hand: CardSet = 0
    led: int | None = None
    """The suit led to the trick, 0–3; ``None`` before the lead."""
    claims: bool = False
    is_decided: bool = False
    """Whether a claim would be certain: every split of the remaining pictures gives the same payment (K12)."""

    def legal(self) -> tuple[Action, ...]:
        if self.phase == PLAY:
            plays = _plays(playable(self.hand, self.led))
            return plays if self._why_not_claim() else (*plays, CLAIM)
        return {TRUMP: TRUMP_ACTIONS, LEAD: LEAD_ACTIONS}.get(self.phase, ())

    def plausible(self) -> tuple[Action, ...]:
        """In play, the cards in hand and, with the option, a claim. Empty in other phases, where nothing is refused."""
        if self.phase != PLAY:
            return ()
        return (*_plays(self.hand), CLAIM) if self.claims else _plays(self.hand)

    def why_not(self, action: Action) -> Message | None:
        if self.phase == PLAY and action.kind == "play":
            return why_not_play(action.cards[0], self.hand, self.led)  # K8
        if self.phase == OVER:
            return Message("match_over")
        if action.kind == "time":  # K13, *ruling*: only after a finished deal, before the choice of trumps
            return None if self.phase == TRUMP and self.deals else Message("time_between_deals")
        if self.phase == TRUMP:
            return None if action in TRUMP_ACTIONS else Message("choose_trump")
        if self.phase == LEAD:
            return None if action in LEAD_ACTIONS else Message("choose_leader")
        if self.phase == PLAY:
            return self._why_not_claim() if action == CLAIM else Message("not_now")
        return self._why_not_by_chance(action)

    def _why_not_claim(self) -> Message | None:
        """K12: the reason why a claim is not legal, or ``None``. The payment has to be certain."""
        if not self.claims:
            return Message("claims_are_off")
        return None if self.is_decided else Message("claim_undecided")

    def _why_not_by_chance(self, action: Action) -> Message | None:
        """K6, K14: the reason why a deal, a draw of chairs or a draw of cards is not legal, or ``None``."""
        count, kind = len(self.drawing), action.kind
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if self.phase == SEATS:
            if kind != SEATS:
                return Message("seats_first")
            players = sorted(map(int, action.args))
            return None if players == list(range(1, count + 1)) else Message("not_the_seating", {"count": count})
        if kind != DRAW:
            return Message("draw_first")
        if len(set(action.cards)) == len(action.cards) == count:
            return None
        return Message("not_the_draw", {"seats": self.drawing, "count": count})


@dataclass(frozen=True, kw_only=True)
class KakeyaObservation(Observation):
    """All that a seat of Kakeya Trump knows. A seat number means a player here, not a chair."""

    claims: bool
    claim: Settlement | None
    """The settlement that a claim by this seat would have; ``None`` if a claim is not legal."""
    chairs: tuple[int, ...]
    """The player in each chair, in turn order."""
    pairs: PerSide[tuple[int, int]]
    """The pairs of partners; lower chair first."""
    partner: int | None
    dealers: tuple[int, int]
    """The pair that deals this deal or, between two deals, the next deal."""
    resting: Annotated[tuple[int, ...], 2]
    """The pair that sits the deal out (K3); empty with four players."""
    leaders: tuple[int, int]
    """The pair that leads first in the deal."""
    game: int
    """The number of the game, from 1."""
    deal: int
    """The number of the deal in this game, from 1. Between games, the number of the last deal."""
    trump: int
    rensho: Card
    hand: tuple[Card, ...]
    counts: PerSeat[int]
    trick: Trick | None
    """The unfinished trick on the table, or ``None``."""
    last_trick: Trick | None
    pictures: PerSide[tuple[Card, ...]]
    """The pictures that each pair has taken in this deal."""
    played: CardSet
    """All cards played in this deal."""
    lacks: PerSeat[Annotated[tuple[int, ...], 4]]
    """The suits, 0–3, that each player has shown to lack."""
    chips: PerSide[int]
    points: PerSeat[int]
    """The points of each player from finished games."""
    deals: tuple[Settlement, ...]
    """The settlements of the finished deals of this game, oldest first."""
    games: tuple[tuple[int, ...], ...]
    """The points of each player in each finished game, oldest first."""
    draws: tuple[DrawRound, ...]
    """The rounds of draws for a tie at the end of the match (K14)."""
    ranks: Annotated[tuple[int, ...], 6]
    """The rank of each player at the end, from 1. Equal totals share a rank (K14). Empty during the match."""

    @property
    def forced(self) -> bool:
        """Whether the acting player has one card left, and public information rules out a claim (K12)."""
        if self.phase != PLAY or self.counts[(self.to_act or 0) - 1] > 1:
            return False
        if not self.claims:
            return True
        taken = [card_set(cards) for pair, cards in zip(self.pairs, self.pictures, strict=True) if pair != self.resting]
        may_hold_rensho = not self.played >> self.rensho & 1  # which a claim would show and count
        return not may_hold_rensho and not is_certain(*taken, self.trump)

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """The two pairs that play the deal (K3)."""
        return tuple([pair for pair in self.pairs if pair != self.resting])

    @cached_property
    def standing(self) -> KakeyaStanding:
        """All of the match except the cards, in the form that :class:`KakeyaState` has."""
        dealers, leaders = self.pairs.index(self.dealers), self.pairs.index(self.leaders)
        results = self.chips, self.deals, self.games, self.draws
        return KakeyaStanding(self.chairs, dealers, leaders, self.trump, *results)

    @cached_property
    def legality(self) -> KakeyaLegality:
        drawing = self.chairs if self.phase == SEATS else self.standing.tied
        led = suit_of(self.trick.cards[0]) if self.trick else None
        is_decided = self.claim is not None  # a settlement is given only if a claim is legal
        return KakeyaLegality(self.phase, len(self.deals), drawing, card_set(self.hand), led, self.claims, is_decided)

    def refusal(self, action: Action) -> Message:
        """The reason why ``action`` is not legal; for a claim and the end by time the same for all seats."""
        if self.phase == PLAY and self.seat != self.to_act and action.kind == "play":
            return Message("not_now")
        return self.legality.why_not(action) or Message("not_now")


class Kakeya(Game[KakeyaState, KakeyaObservation, KakeyaRules]):
    """Kakeya Trump for four or six."""

    NAME = "kakeya"
    SEATS = (4, 6)
    RULES = KakeyaRules
    PACK = PACK
    ACTIONS = ACTIONS
    ZERO_SUM = True
    PHASES = ("trump", "deal", "lead", "play", "seats", "draw", "over")  # ``SEATS`` has another meaning here
    HAS_TIME_LIMIT = True

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return _pairs(tuple(range(1, self.seats + 1)))

    # Turns and legal actions

    def time_up(self, state: KakeyaState) -> Action | None:
        """K13: the action that ends the game if time is up; ``None`` if time cannot end the game now."""
        return None if self.legality(state).why_not(TIME) else TIME

    def chance(self, state: KakeyaState) -> Chance | None:
        """K6, *ruling*: a deal of the whole pack. K14: a draw of chairs or, for a tie, of cards from a full pack."""
        if state.phase == SEATS:
            return Chance("seats", tuple(range(1, self.seats + 1)), self.seats)
        if state.phase == DRAW:
            return Chance("draw", PACK, len(state.standing.tied))
        return Chance("deal", PACK, len(PACK)) if state.phase == DEAL else None

    def legality(self, state: KakeyaState) -> KakeyaLegality:
        phase, standing, deals = state.phase, state.standing, len(state.standing.deals)
        if phase != PLAY:
            return KakeyaLegality(phase, deals, standing.chairs if phase == SEATS else standing.tied)
        led = suit_of(state.trick.cards[0]) if state.trick.cards else None
        is_decided = self.rules.claims and is_certain(*state.claim_pictures, standing.trump)
        return KakeyaLegality(phase, deals, (), state.hands[state.place], led, self.rules.claims, is_decided)

    # The clauses

    def start(self) -> KakeyaState:
        return self._start_game(tuple(range(1, self.seats + 1)), ())

    def _start_game(self, chairs: tuple[int, ...], games: tuple[tuple[int, ...], ...]) -> KakeyaState:
        """Start a game after the finished ``games``. K2: each pair has five chips. K4, *ruling*: spades are trumps.

        K7: the pair of chair ``self.dealer`` deals first in every game (K14, *ruling*). That to its right leads."""
        pairs = self.seats // 2
        dealers, leaders = (self.dealer - 1) % pairs, self.dealer % pairs
        return KakeyaState(TRUMP, KakeyaStanding(chairs, dealers, leaders, 0, (CHIPS,) * pairs, (), games))

    def do_trump(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K4: set trumps. *Ruling*: the dealer in the lower chair chooses, though by custom either dealer may."""
        standing, trump = state.standing, TRUMP_ACTIONS.index(action)
        is_kept = trump == standing.trump
        tell("trump_kept" if is_kept else "trump_changed", seat=acting_seat(state), suit=SUITS[trump])
        return state._replace(phase=DEAL, standing=standing._replace(trump=trump))

    def do_deal(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K6: deal thirteen cards to each place, one at a time. K7: ask the leading pair who leads.

        Kirijimai goes to the pair that lost the last deal, with six players to the pair that sat out. *Ruling*: in the
        first deal it goes to the dealers, with six players to no pair."""
        standing = state.standing
        tell("dealt", seats=standing.pairs[standing.dealers], count=13)
        if self.seats == 4 or standing.deals:
            third_pair = 3 - standing.dealers - standing.leaders  # of the pairs 0, 1 and 2
            pair = standing.dealers if self.seats == 4 else third_pair  # the dealers lost the last deal
            tell("last_pile", seats=standing.pairs[pair])
        players = standing.deal_players
        place = players.index(standing.chairs[standing.leaders])
        hands = tuple([card_set(action.cards[place::4]) for place in range(4)])
        return KakeyaState(LEAD, standing, players=players, place=place, hands=hands)

    def do_lead(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K7: let the acting player or the partner lead.

        *Rulings*: the player in the lower chair chooses, though by custom either partner may. Partners say nothing
        else. Nobody can claim before the choice (K12)."""
        seat, partner_place = state.players[state.place], (state.place + 2) % 4
        if action == I_LEAD:
            tell("leads", seat=seat)
            return state._replace(phase=PLAY)
        tell("partner_leads", seat=seat, to=state.players[partner_place])
        return state._replace(phase=PLAY, place=partner_place)

    do_partner = do_lead

    def do_play(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K8: play a card. A player who does not follow suit is known to lack the suit led."""
        place, trump, card = state.place, state.standing.trump, action.cards[0]
        seat = state.players[place]
        tell("played", seat=seat, card=card)
        hands = replace_item(state.hands, place, state.hands[place] ^ (1 << card))
        trick = state.trick.with_card(seat, card, trump, RENSHO[trump])
        lacks, led = state.lacks, suit_of(trick.cards[0])
        if suit_of(card) != led and led not in lacks[place]:
            lacks = replace_item(lacks, place, tuple(sorted((*lacks[place], led))))
        standing, players, pictures = state.standing, state.players, state.pictures
        next_place, last_trick = (place + 1) % 4, state.last_trick
        after = KakeyaState(PLAY, standing, last_trick, players, next_place, hands, trick, pictures, lacks)
        return after if len(trick.cards) < 4 else self._end_trick(after, tell)

    def _end_trick(self, state: KakeyaState, tell: Teller) -> KakeyaState:
        """K8: give the pictures to the winner's pair; the winner leads. K9: settle the deal after 13 tricks."""
        trick = state.trick
        won, winner_place = card_set(trick.cards) & PICTURES, state.players.index(trick.winner)
        key, args = ("pictures_won", {"cards": cards_in(won)}) if won else ("trick_won", {})
        tell(key, seat=trick.winner, seats=trick.players, trick_cards=trick.cards, **args)
        pictures = _with_cards(state.pictures, winner_place, won)
        state = state._replace(place=winner_place, trick=NO_TRICK, last_trick=trick, pictures=pictures)
        return state if any(state.hands) else self._pay(state, _settlement(state, pictures), pictures, tell)

    def _pay(self, state: KakeyaState, settlement: Settlement, pictures: ByPair, tell: Teller) -> KakeyaState:
        """K9: let the losers of the deal pay in full. K11: end the game if they have no chips left.

        K10: the losers deal next (*ruling* by the local custom; the source contradicts itself)."""
        _tell_settlement(state, settlement, pictures, tell)
        standing = state.standing
        winners, losers = standing.pairs.index(settlement.winners), standing.pairs.index(settlement.losers)
        chips = list(standing.chips)
        chips[winners] += settlement.chips
        chips[losers] -= settlement.chips
        standing = standing._replace(chips=tuple(chips), deals=(*standing.deals, settlement))
        if chips[losers] > 0:
            return KakeyaState(TRUMP, standing._replace(dealers=losers, leaders=winners), state.last_trick)
        tell("out_of_chips", seats=settlement.losers)
        return self._end_game(state._replace(standing=standing))

    def _end_game(self, state: KakeyaState) -> KakeyaState:
        """K11: turn chips into points. K14: go on with the next game of a series, or end the match.

        K13, *ruling*: the end of the time limit ends only one game of a series."""
        standing = state.standing
        standing = standing._replace(games=(*standing.games, standing.chips_by_player))
        if len(standing.games) < self.rules.games:
            return KakeyaState(SEATS, standing, state.last_trick)
        return self._end_match(standing, state.last_trick)

    def do_claim(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K12: end the deal at once, and show rensho if the acting player holds it."""
        claimer, shown, pictures = state.players[state.place], state.claim_card, state.claim_pictures
        if shown is None:
            tell("claimed", seat=claimer)
        else:
            tell("claimed_with_rensho", seat=claimer, card=shown)
        return self._pay(state, _settlement(state, pictures, claimer, shown), pictures, tell)

    def do_time(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K13: end the game when time is up. Each pair keeps its chips."""
        tell("time_called")
        return self._end_game(state)

    def do_seats(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K14: start the next game of a series in other chairs."""
        chairs = tuple(map(int, action.args))
        tell("seated", seats=chairs)
        return self._start_game(chairs, state.standing.games)

    def do_draw(self, state: KakeyaState, action: Action, tell: Teller) -> KakeyaState:
        """K14: give a card to each tied player. End the match if one card is the highest, else draw again."""
        standing = state.standing
        drawn = tuple(zip(standing.tied, action.cards, strict=True))
        for player, card in drawn:
            tell("drew", seat=player, card=card)
        return self._end_match(standing._replace(draws=(*standing.draws, drawn)), state.last_trick)

    def _end_match(self, standing: KakeyaStanding, last_trick: Trick | None) -> KakeyaState:
        """End the match. K14: after a series with a tie, draw cards first."""
        is_tie = self.rules.games > 1 and len(standing.tied) > 1
        return KakeyaState(DRAW if is_tie else OVER, standing, last_trick)

    def payoff(self, state: KakeyaState) -> tuple[int, ...]:
        """The chips that each seat has won, minus the chips lost. The chips at the start of a game do not count."""
        games_begun = len(state.standing.games) + (state.phase not in BETWEEN_GAMES)
        return tuple([score - CHIPS * games_begun for score in self.scores(state)])

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """Minus and plus the highest payment, in chips (K9)."""
        return -4, 4

    def scores(self, state: KakeyaState) -> tuple[int, ...]:
        """K14: the points of each player from finished games, plus the chips of the present game."""
        standing = state.standing
        if state.phase in BETWEEN_GAMES:
            return standing.points
        return tuple([points + chips for points, chips in zip(standing.points, standing.chips_by_player, strict=True)])

    def outcome(self, state: KakeyaState) -> Outcome | None:
        """K11, K14: the most points win; in a series a draw of cards decides ties.

        *Rulings*: all players with the most chips win a single game; nobody if time ends it with equal chips (K13)."""
        if state.phase != OVER:
            return None
        standing = state.standing
        points, best = standing.points, standing.tied
        if self.rules.games > 1:
            return Outcome(points, best, Message("won_draw" if standing.draws else "most_points", {"seat": best[0]}))
        if (fewest := min(standing.chips)) <= 0:
            return Outcome(points, best, Message("no_chips", {"seats": standing.pairs[standing.chips.index(fewest)]}))
        if len(best) == self.seats:
            return Outcome(points, (), Message("time_up_even"))
        return Outcome(points, best, Message("time_up"))

    def next_dealer(self, state: KakeyaState) -> int:
        """K10, *ruling*: the first dealer of a rematch is of the pair that lost the last deal."""
        return state.standing.deals[-1].losers[0]

    # Observations and sampling

    def observation(self, state: KakeyaState, seat: int) -> KakeyaObservation:
        standing = state.standing
        chairs, pairs, points = standing.chairs, standing.pairs, standing.points
        hands, facts = self.hands(state), self.common_facts(state, seat)
        under_way = state.phase not in BETWEEN_GAMES
        lacks_by_player = dict(zip(state.players, state.lacks, strict=False))
        pictures_by_player = dict(zip(state.players, state.pictures, strict=False))  # places 0 and 1 have lower chairs
        return KakeyaObservation(
            **facts,
            phase=state.phase,
            claims=self.rules.claims,
            claim=_settlement(state, state.claim_pictures, seat, state.claim_card) if CLAIM in facts["legal"] else None,
            chairs=chairs,
            pairs=pairs,
            partner=chairs[chairs.index(seat) - len(pairs)] if seat else None,  # in the opposite chair
            dealers=pairs[standing.dealers],
            resting=pairs[standing.dealers] if self.seats == 6 else (),
            leaders=pairs[standing.leaders],
            game=len(standing.games) + under_way,
            deal=len(standing.deals) + under_way,
            trump=standing.trump,
            rensho=RENSHO[standing.trump],
            hand=hands[seat - 1] if seat else (),
            counts=tuple(map(len, hands)),
            trick=state.trick if state.trick.cards else None,
            last_trick=state.last_trick,
            pictures=tuple([cards_in(pictures_by_player.get(lower, 0)) for lower, _ in pairs]),
            played=ALL ^ sum(state.hands) if state.players else 0,
            lacks=tuple([lacks_by_player.get(player, ()) for player in self.seats_from(1)]),
            chips=standing.chips,
            points=points,
            deals=standing.deals,
            games=standing.games,
            draws=standing.draws,
            ranks=_ranks(points, facts["outcome"].winners) if facts["outcome"] else (),
        )

    def sampler(self, observation: KakeyaObservation) -> Callable[[Random], KakeyaState]:
        """Return a function that samples the hands of the other players."""
        standing = observation.standing
        public = KakeyaState(observation.phase, standing, observation.last_trick)
        if observation.phase not in CARD_PHASES:
            return lambda rng: public
        players, own_hand = standing.deal_players, card_set(observation.hand)
        place, trick = players.index(observation.to_act or CHANCE), observation.trick or NO_TRICK
        pair_numbers = [standing.chairs.index(player) % len(standing.pairs) for player in players[:2]]  # at places 0, 1
        even, odd = [card_set(observation.pictures[number]) for number in pair_numbers]
        lacks = tuple([observation.lacks[player - 1] for player in players])
        public = public._replace(players=players, place=place, trick=trick, pictures=(even, odd), lacks=lacks)
        unseen = ALL & ~observation.played & ~own_hand
        places = []
        for player, suits in zip(players, lacks, strict=True):
            lacked = sum([SUIT_SETS[suit] for suit in suits])
            fits = own_hand if player == observation.seat else unseen & ~lacked
            places.append(HiddenPlace(observation.counts[player - 1], fits))
        guesser = HandGuesser(own_hand | unseen, places)
        return lambda rng: public._replace(hands=tuple(guesser.draw(rng)))

    def deal_over(self, state: KakeyaState) -> bool:
        """Whether no player holds cards, as during the choice of trumps before a deal (K4)."""
        return state.phase not in CARD_PHASES

    def hands(self, state: KakeyaState) -> tuple[tuple[Card, ...], ...]:
        hand_by_player = dict(zip(state.players, state.hands, strict=True))
        return tuple([cards_in(hand_by_player.get(player, 0)) for player in self.seats_from(1)])

    def parse(self, text: str) -> Action:
        kind, _, arguments = text.partition(" ")
        if kind == DRAW and arguments:
            return parse_chance(text)
        if kind == SEATS:
            players = arguments.split(" ")
            if {*"123456"}.issuperset(players):
                return Action("seats", text, (), tuple([int(player) for player in players]))
        return super().parse(text)


def _pairs(chairs: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The pairs of players who sit opposite each other in ``chairs``."""
    half = len(chairs) // 2
    return tuple(zip(chairs[:half], chairs[half:], strict=True))


@lru_cache(1 << 14)
def _plays(cards: CardSet) -> tuple[Action, ...]:
    return tuple([CARD_ACTIONS[card] for card in cards_in(cards)])


def _with_cards(sets: ByPair, place: int, more: CardSet) -> ByPair:
    """Return ``sets`` with the cards ``more`` added to the set of the pair at ``place``."""
    even, odd = sets
    return (even, odd | more) if place % 2 else (even | more, odd)


def _settlement(state: KakeyaState, pictures: ByPair, by: int | None = None, shown: Card | None = None) -> Settlement:
    """K9: the settlement of a deal in which the pairs take ``pictures``, perhaps after a claim ``by`` a player."""
    players, trump = state.players, state.standing.trump
    sides = [((players[0], players[2]), pictures[0]), ((players[1], players[3]), pictures[1])]
    if loses(PICTURES ^ pictures[1], trump):  # after a claim the pictures left may count for either pair (K12)
        sides.reverse()
    (winners, winner_pictures), (losers, loser_pictures) = sides
    because = payment_ground(loser_pictures, trump)
    counts = winner_pictures.bit_count(), loser_pictures.bit_count()
    return Settlement(winners, losers, counts, PAYMENTS[because], because, by, shown)


def _tell_settlement(state: KakeyaState, settlement: Settlement, pictures: ByPair, tell: Teller) -> None:
    """Pass to ``tell`` the events of a settlement: the winners with the pictures of both pairs, and the payment."""
    even, odd = map(cards_in, pictures)
    winner_cards, loser_cards = (even, odd) if settlement.winners[0] == state.players[0] else (odd, even)
    rensho = RENSHO[state.standing.trump]
    count, others = settlement.pictures
    if count > others:
        args: dict[str, Value] = {"seats": settlement.winners, "count": count, "others": others, "cards": winner_cards}
        args["claimed"] = int(bool(settlement.claimed))
        tell("deal_won", **args, other_seats=settlement.losers, other_cards=loser_cards, card=rensho)
    else:  # eight each: rensho decided
        args = {"seats": settlement.losers, "cards": loser_cards, "card": rensho}
        tell("deal_even", **args, other_seats=settlement.winners, other_cards=winner_cards)
    key = "paid" if settlement.because == "fewer_pictures" else f"paid_{settlement.because}"
    tell(key, seats=settlement.losers, chips=settlement.chips)


def _ranks(points: tuple[int, ...], winners: tuple[int, ...]) -> tuple[int, ...]:
    """K14: each player's rank by points, from 1. Equal points share a rank, but the winner of a draw is first alone."""
    results = [(total, player in winners) for player, total in enumerate(points, 1)]
    return tuple([1 + sum([other > own for other in results]) for own in results])


GAME = Kakeya
