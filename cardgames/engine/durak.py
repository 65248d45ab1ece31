"""The rules of Durak for two to six: clauses D1–D27 of ``texts/en/durak.md``.

:class:`DurakTurn` has the reasons against illegal actions; :class:`Durak` plays, clause by clause. The clauses from
D16 on are for more than two players, and stand beside those that they extend."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations
from random import Random
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeAlias

from cardgames.engine.cards import (
    CARDS,
    IS_PACK_SET,
    NAMES,
    RANK_SETS,
    SUIT_SETS,
    Card,
    CardSet,
    card_set,
    cards_in,
    names,
    rank_of,
    suit_of,
)
from cardgames.engine.game import (
    CHANCE,
    Action,
    Event,
    EventSink,
    Game,
    InvalidRules,
    Observation,
    Outcome,
    PerSeat,
    PerSide,
    Reason,
    Rules,
    replaced,
    why_not_pack,
)
from cardgames.engine.hidden import shuffled, tell_owner

DEAL, ATTACK, DEFEND, MORE, THROW, OVER = "deal", "attack", "defend", "more", "throw", "over"

PACKS: Mapping[int, tuple[Card, ...]] = {
    size: tuple([card for card in range(52) if rank_of(card) >= 13 - size // 4]) for size in (24, 36, 52)
}
"""D1, D16: the cards of each pack size, the highest ranks of each suit."""

PACK_SEATS = {24: (2, 3), 36: (2, 3, 4, 5, 6), 52: (2, 3, 4, 5, 6)}
"""D16: the numbers of players for each pack."""

SIDES_SEATS = (4, 6)
"""D25: the numbers of players that can form two sides."""

HAND = 6
"""D2, D8: the number of cards in a hand after the deal and after a refill."""

MOST_ATTACKS, MOST_ATTACKS_FIRST = 6, 5
"""D6, and D14 in the first bout: the most attack cards on the table."""

SHORT_STOCK = 12
"""The most cards in the stock at which a short deal begins."""

GUESSES = 100_000
"""The most attempts to sample hands that fit; what D15 allows is one in thirty or more."""

Actions: TypeAlias = tuple[Action, ...]

TAKE, PASS = Action("take", "take"), Action("pass", "pass")
PLAY = [Action("play", name, (card,)) for card, name in enumerate(NAMES)]
TURN_OVER = [Action("turn", f"turn {name}", (card,)) for card, name in enumerate(NAMES)]


SEVERAL = {
    action.text: action
    for rank in RANK_SETS
    for number in (2, 3, 4)
    for cards in combinations(cards_in(rank), number)
    for action in [Action("several", f"play {names(cards)}", cards)]
}
"""D26: the attacks with several cards of one rank, by notation."""


@cache
def beat(card: Card, attack_card: Card) -> Action:
    """D4: the action that beats an attack card with a card."""
    return Action("beat", f"{NAMES[card]}>{NAMES[attack_card]}", (card, attack_card))


@cache
def beaters(attack_card: Card, trump: int) -> CardSet:
    """D4: the cards that beat an attack card: higher ones of its suit, and all trumps unless it is one."""
    higher = SUIT_SETS[suit_of(attack_card)] & -2 << attack_card
    return higher if suit_of(attack_card) == trump else higher | SUIT_SETS[trump]


@dataclass(frozen=True)
class DurakRules(Rules):
    """The options of Durak."""

    throw_in: bool = False
    """D11, D20: after ``take`` the attackers may throw in further cards."""
    turn_over: Literal["opening", "any", "off"] = "off"
    """D12, D24: the defender may turn the attack over with a card of the same rank. ``opening`` is the usual way."""
    first_bout_five: bool = False
    """D14: at most five attack cards in the first bout. An addition: the source does not have it."""
    lowest_trump_begins: bool = False
    """D15: the holder of the lowest trump attacks first. An addition: the source does not have it."""
    pack: Literal[24, 36, 52] = 36
    """D16: the number of cards."""
    attackers: Literal["lead", "neighbours", "all"] = "all"
    """D19: the players who may add cards to an attack."""
    sides: bool = False
    """D25: every second player is a partner."""
    several: bool = False
    """D26: a bout may begin with several cards of one rank."""

    def check_seats(self, seats: int) -> None:
        """D16, D25: the packs and sides allowed for a number of players."""
        if seats not in PACK_SEATS[self.pack]:
            allowed = PACK_SEATS[self.pack]
            raise InvalidRules("pack_seats", option="pack", number=self.pack, value=str(seats), seats_allowed=allowed)
        if self.sides and seats not in SIDES_SEATS:
            raise InvalidRules("option_seats", option="sides", value=str(seats), seats_allowed=SIDES_SEATS)


PackSet: TypeAlias = Annotated[int, IS_PACK_SET]
"""A set of cards of the game's pack: one bit per card, in ascending order."""


class BoutStart(NamedTuple):
    """The hands when a bout begins, clockwise from its leader (D13, D27).

    With more than two players a hand has only the cards that everybody has seen."""

    attacker_hand: PackSet
    defender_hand: PackSet
    """The hand of the player after the leader, even if that player is out."""
    attacker: int
    """The leader's seat."""
    others: tuple[PackSet, ...] = ()
    """The other hands."""


class Bout(NamedTuple):
    """A bout: its roles, and the cards on the table."""

    opener: int
    """The seat that laid the first attack card, and draws first after the bout (D8)."""
    leader: int
    """The seat that leads the attack: the opener, or the last to turn it over (D24)."""
    defender: int
    laid: Actions = ()
    """The actions that laid the cards on the table, in order."""
    by: tuple[int, ...] = ()
    """The seat of each of these actions."""
    table: CardSet = 0
    """All cards on the table."""
    unbeaten: CardSet = 0
    """The attack cards on the table that are not beaten."""
    passed: tuple[int, ...] = ()
    """The seats that have passed since the last card was added, or since the defender took (D19, D20)."""

    def with_action(self, action: Action, seat: int) -> "Bout":
        """The bout after an action that lays cards."""
        laid = card_set(action.cards[:1] if action.kind == "beat" else action.cards)
        unbeaten = self.unbeaten ^ (1 << action.cards[1] if action.kind == "beat" else laid)
        return self._replace(laid=(*self.laid, action), by=(*self.by, seat), table=self.table | laid, unbeaten=unbeaten)


class DurakState(NamedTuple):
    """A position of a match of Durak."""

    phase: str
    to_act: int | None
    hands: tuple[CardSet, ...]
    """The cards of each seat, seat 1 first."""
    stock: tuple[Card, ...]
    """The cards left to draw, the next one first, the turn-up last."""
    bout: Bout
    turn_up: Card
    """The card that made trumps (D2); -1 before the deal."""
    shown: CardSet
    """All cards that everybody has seen: the turn-up, and those laid in earlier bouts."""
    first_bout: bool = False
    """Whether this is the first bout of the match (D14, D15)."""
    out: tuple[int, ...] = ()
    """The seats that are out, in the order in which they went (D23)."""
    past: tuple[tuple[tuple[CardSet, ...], int], ...] = ()
    """The starts of bouts since the stock ran out and cards last left the game (D27)."""


class DurakTurn(NamedTuple):
    """The facts about a turn that decide its legal actions, all known to the acting seat."""

    phase: str
    hand: CardSet
    trump: int
    """The suit of trumps, 0–3."""
    bout: Bout
    defender_cards: int
    """The number of cards in the defender's hand."""
    next_cards: int
    """The number of cards of the player who would have to beat a turned-over attack (D12, D24)."""
    most_attacks: int
    """The most attack cards on the table in this bout (D6, D14)."""
    turn_over: str
    """The option of this name (D12)."""
    several: bool
    """The option of this name (D26)."""
    pack: int
    """The number of cards in the game (D16)."""

    def legal(self) -> Actions:
        """The legal actions: those without a reason against them."""
        return tuple([action for action in self.thought_of() if self._why_not_this(action) is None])

    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The illegal actions that a player might think of, each with the reason."""
        reasons = [(action, self._why_not_this(action)) for action in self.thought_of()]
        return tuple([(action, reason) for action, reason in reasons if reason])

    def thought_of(self) -> list[Action]:
        """The actions that the hand and the table suggest, in the order in which a player would look for them."""
        held = cards_in(self.hand)
        if self.phase == ATTACK:
            several = (
                [action for action in SEVERAL.values() if not card_set(action.cards) & ~self.hand]
                if self.several
                else []
            )
            return [PLAY[card] for card in held] + several
        if self.phase in (MORE, THROW):
            return [*[PLAY[card] for card in held], PASS]
        if self.phase != DEFEND:
            return []
        unbeaten, trumps = cards_in(self.bout.unbeaten), SUIT_SETS[self.trump]
        same_rank = () if self.turn_over == "off" else cards_in(self.hand & RANK_SETS[rank_of(unbeaten[0])])
        trumps_last = cards_in(self.hand & ~trumps) + cards_in(self.hand & trumps)
        return [
            *[TURN_OVER[card] for card in same_rank],
            *[
                beat(card, attack_card)
                for attack_card in unbeaten
                for card in (held if suit_of(attack_card) == self.trump else trumps_last)
            ],
            TAKE,
        ]

    def why_not(self, action: Action) -> Reason | None:
        """The reason why an action is not legal, or ``None``."""
        if self.phase == DEAL:
            return why_not_pack(action, PACKS[self.pack])
        if action.kind != "deal" and any(rank_of(card) < 13 - self.pack // 4 for card in action.cards):
            return Reason("not_an_action", {"text": action.text})
        if self.phase == OVER:
            return Reason("match_over")
        if action.kind == "deal":
            return Reason("not_now")
        for card in action.cards[:1] if action.kind == "beat" else action.cards:
            if not self.hand >> card & 1:
                return Reason("not_in_hand", {"card": card})
        if self.phase == DEFEND:
            return self._why_not_this(action) if action.kind in ("take", "turn", "beat") else Reason("you_defend")
        return Reason("you_attack") if action.kind in ("take", "turn", "beat") else self._why_not_this(action)

    def _why_not_this(self, action: Action) -> Reason | None:
        """The reason against an action of a kind that the phase allows, with cards of the hand, or ``None``."""
        match action.kind:
            case "beat":
                return self._why_not_beat(*action.cards)
            case "turn":
                return self._why_not_turn_over(action.cards[0])
            case "pass":
                return Reason("must_attack") if self.phase == ATTACK else None
            case "play":
                return (
                    None if self.phase == ATTACK else self._why_not_add(action.cards[0])
                )  # D3: any card begins a bout
            case "several":
                return self._why_not_several(len(action.cards))
        return None  # D4: the defender may always take

    def _why_not_beat(self, card: Card, attack_card: Card) -> Reason | None:
        """D4: the reason against beating this attack card with this card."""
        if not self.bout.unbeaten >> attack_card & 1:
            return Reason("not_to_beat", {"card": attack_card})
        if not beaters(attack_card, self.trump) >> card & 1:
            return Reason("does_not_beat", {"card": card, "attack_card": attack_card})
        return None

    def _why_not_add(self, card: Card) -> Reason | None:
        """D5, D11: the reason against adding a card. D6 is checked before the question."""
        on_table = RANK_SETS[rank_of(card)] & self.bout.table
        return None if on_table else Reason("rank_not_on_table", {"card": card})

    def _why_not_turn_over(self, card: Card) -> Reason | None:
        """D12: the reason against turning over: the attack is partly beaten (*ruling*), or with ``opening`` the
        bout."""
        last, table, unbeaten = self.bout.laid[-1], self.bout.table, self.bout.unbeaten
        if self.turn_over == "off":
            return Reason("turn_is_off")
        if last.kind == "beat":
            return Reason("turn_after_beat")
        if self.turn_over == "opening" and unbeaten != table:
            return Reason("turn_only_opening")
        if attack_cards(self.bout) >= self.most_attacks:
            return Reason("enough_attacks", {"count": self.most_attacks})
        if unbeaten.bit_count() >= self.next_cards:
            return Reason("more_than_hand", {"count": self.next_cards})
        return None if rank_of(card) == rank_of(last.cards[0]) else Reason("turn_other_rank", {"card": last.cards[0]})

    def _why_not_several(self, count: int) -> Reason | None:
        """D26: the reason against several cards: they only begin a bout, and at most as many as the defender holds."""
        if not self.several:
            return Reason("several_is_off")
        if self.phase != ATTACK:
            return Reason("several_begin_only")
        return Reason("more_than_hand", {"count": self.defender_cards}) if count > self.defender_cards else None


@dataclass(frozen=True, kw_only=True)
class DurakObservation(Observation):
    """All that a seat of Durak knows."""

    hand: tuple[Card, ...]
    counts: PerSeat[int]
    """The number of cards of each seat."""
    known: PerSeat[tuple[Card, ...]]
    """The cards of each hand that everybody has seen."""
    attacker: int
    """The seat that leads the attack (D24)."""
    lead: int
    """The seat that laid the bout's first attack card, and draws first (D8)."""
    bout: Actions
    """The actions that laid the cards on the table, in order."""
    turn_up: Card | None
    stock: int
    """The number of cards in the stock, with the turn-up."""
    shown: CardSet
    """The cards of earlier bouts that everybody has seen, and the turn-up."""
    past: tuple[BoutStart, ...]
    """The positions that count for D13 and D27; empty for spectators."""
    most_attacks: int
    """The most attack cards on the table in this bout (D6, D14)."""
    turn_over: Literal["off", "any", "opening"]
    """The option of this name (D12)."""
    defender: int
    next_defender: int
    """The seat that would have to beat the attack after a turn-over (D24)."""
    by: tuple[int, ...]
    """The seat of each action of ``bout``."""
    passed: Annotated[tuple[int, ...], 6]
    """The seats that have passed since the last card was added, or since the defender took (D19, D20)."""
    may_add: Annotated[tuple[int, ...], 6]
    """The seats that may still add cards to this attack, in the order in which they are asked (D19, D20)."""
    out: Annotated[tuple[int, ...], 6]
    """The seats that are out, in order (D23)."""
    sides: PerSide[Annotated[tuple[int, ...], 3]]
    """The seats that win or lose together (D25)."""
    pack: int
    """The number of cards in the game (D16)."""
    several: bool
    """The option of this name (D26)."""
    first_bout: bool
    """Whether this is the first bout of the match (D14, D15)."""

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attack cards that are not beaten, in order."""
        return tuple([card for card, beater in pairs(self.bout) if beater is None])

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        return self.sides

    @property
    def forced(self) -> bool:
        """True for an attacker's last card. Whether a card can beat another, only its owner knows."""
        return self.phase == ATTACK and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def as_bout(self) -> Bout:
        """The bout in the form of a state."""
        bout = Bout(self.lead, self.attacker, self.defender)
        for action, seat in zip(self.bout, self.by, strict=True):
            bout = bout.with_action(action, seat)
        return bout._replace(passed=self.passed)

    @cached_property
    def turn(self) -> DurakTurn:
        return DurakTurn(
            self.phase,
            card_set(self.hand),
            suit_of(self.turn_up or 0),
            self.as_bout,
            self.counts[self.defender - 1],
            self.counts[self.next_defender - 1],
            self.most_attacks,
            self.turn_over,
            self.several,
            self.pack,
        )

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        return self.turn.refused() if self.legal else ()


class Durak(Game[DurakState, DurakObservation]):
    """Durak for two to six."""

    NAME = "durak"
    SEATS = (2, 3, 4, 5, 6)
    RULES = DurakRules
    PACK = PACKS[36]
    ACTIONS: ClassVar[Mapping[str, Action]] = {action.text: action for action in (PASS, TAKE, *PLAY, *TURN_OVER)}
    SELECTIONS = ("beat", "several")
    ZERO_SUM = True
    PHASES = (DEAL, ATTACK, DEFEND, MORE, THROW, OVER)

    def __init__(self, seats: int, rules: DurakRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: DurakRules = rules
        self._after = {
            seat: tuple([(seat + step) % seats + 1 for step in range(seats - 1)]) for seat in range(1, seats + 1)
        }
        """The other seats clockwise from each seat."""

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACKS[self.rules.pack]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """D25: every other player around the table."""
        if not self.rules.sides:
            return super().sides
        return tuple(range(1, self.seats + 1, 2)), tuple(range(2, self.seats + 1, 2))

    @property
    def deal_payoff(self) -> tuple[int, int]:
        return (-1 if self.rules.sides else 1 - self.seats), 1

    def short_deal_begins(self, state: DurakState) -> bool:
        """Whether a bout begins with at most twelve cards in the stock; the rest takes about ten minutes."""
        return state.phase == ATTACK and not state.bout.laid and len(state.stock) <= SHORT_STOCK

    def start(self) -> DurakState:
        leader = self._after[self.dealer][0]
        return DurakState(DEAL, CHANCE, (0,) * self.seats, (), self._new_bout(leader, ()), -1, 0)

    def to_act(self, state: DurakState) -> int | None:
        return state.to_act

    def turn(self, state: DurakState) -> DurakTurn:
        bout = state.bout
        return DurakTurn(
            state.phase,
            state.hands[state.to_act - 1] if state.to_act else 0,
            suit_of(state.turn_up),
            bout,
            state.hands[bout.defender - 1].bit_count(),
            state.hands[self._next_opponent(bout.defender, state.out) - 1].bit_count(),
            self._most_attacks(state),
            self.rules.turn_over,
            self.rules.several,
            self.rules.pack,
        )

    def after(self, state: DurakState, action: Action, tell: EventSink) -> DurakState:
        match action.kind:
            case "deal":
                return self._deal(action, tell)
            case "play" | "several":
                return self._play(state, action, tell)
            case "beat":
                return self._beat(state, action, tell)
            case "take":
                return self._take(state, tell)
            case "pass":
                return self._pass(state, tell)
            case _:
                return self._turn_over(state, action, tell)

    def _deal(self, action: Action, tell: EventSink) -> DurakState:
        """D2, D17: deal six cards each, from the dealer's left; the next card is turned up and lies under the stock.

        D17, *ruling*: if no card is left, the dealer's own last card is shown, makes trumps and stays in that hand."""
        dealt, rest = action.cards[: HAND * self.seats], action.cards[HAND * self.seats :]
        places = [self._after[self.dealer].index(seat) if seat != self.dealer else -1 for seat in self._seats]
        hands = tuple([card_set(dealt[place % self.seats :: self.seats]) for place in places])
        turn_up, stock = (rest[0], (*rest[1:], rest[0])) if rest else (dealt[-1], ())
        leader = self._first_leader(hands, turn_up)
        tell(Event("dealt", {"seat": self.dealer, "count": HAND}))
        tell(Event("turned_up", {"card": turn_up}) if rest else Event("kept", {"seat": self.dealer, "card": turn_up}))
        if self.rules.lowest_trump_begins:
            tell(Event("begins", {"seat": leader}))
        bout, past = self._new_bout(leader, ()), () if rest else ((hands, leader),)
        past = past if self._counts_positions else ()
        return DurakState(ATTACK, leader, hands, stock, bout, turn_up, 1 << turn_up, first_bout=True, past=past)

    def _first_leader(self, hands: Sequence[CardSet], turn_up: Card) -> int:
        """D18: the player on the dealer's left, or with D15 the holder of the lowest trump.

        *Ruling*: D15 shows nobody which card that is."""
        trumps = SUIT_SETS[suit_of(turn_up)]
        lowest = [(cards_in(hand & trumps)[0], seat) for seat, hand in enumerate(hands, 1) if hand & trumps]
        return min(lowest)[1] if self.rules.lowest_trump_begins and lowest else self._after[self.dealer][0]

    @property
    def _seats(self) -> range:
        return range(1, self.seats + 1)

    def _are_opposed(self, seat: int, other: int) -> bool:
        """D25: whether two seats are on different sides; without sides, whether they differ."""
        return (seat - other) % 2 == 1 if self.rules.sides else seat != other

    def _next_opponent(self, seat: int, out: Sequence[int]) -> int:
        """D18: the next player who is not out; D25: and no partner. After the end, any player."""
        for other in self._after[seat]:
            if other not in out and self._are_opposed(seat, other):
                return other
        return seat

    def _new_bout(self, leader: int, out: Sequence[int]) -> Bout:
        """D3, D18: a new bout that a player leads against the next."""
        return Bout(leader, leader, self._next_opponent(leader, out))

    def _play(self, state: DurakState, action: Action, tell: EventSink) -> DurakState:
        """D3, D26: begin a bout; D5: add a card, which the defender has to beat; D11: or add one to those taken."""
        seat, bout = state.to_act or 0, state.bout.with_action(action, state.to_act or 0)
        key = {ATTACK: "attacked", MORE: "attacked_again", THROW: "threw_in"}[state.phase]
        if action.kind == "several":
            tell(Event("attacked_with", {"seat": seat, "cards": action.cards}))
        else:
            tell(Event(key, {"seat": seat, "card": action.cards[0]}))
        hands = replaced(state.hands, seat - 1, state.hands[seat - 1] ^ card_set(action.cards))
        if state.phase == THROW:
            return self._ask_to_add(state._replace(hands=hands, bout=bout), tell)
        return state._replace(phase=DEFEND, to_act=bout.defender, hands=hands, bout=bout._replace(passed=()))

    def _beat(self, state: DurakState, action: Action, tell: EventSink) -> DurakState:
        """D4: beat an attack card; D5: once all are beaten, more may be added."""
        seat, (card, attack_card) = state.bout.defender, action.cards
        tell(Event("beat", {"seat": seat, "card": card, "attack_card": attack_card}))
        hands = replaced(state.hands, seat - 1, state.hands[seat - 1] ^ 1 << card)
        bout = state.bout.with_action(action, seat)
        if bout.unbeaten:
            return state._replace(hands=hands, bout=bout)
        return self._ask_to_add(state._replace(phase=MORE, hands=hands, bout=bout), tell)

    def _take(self, state: DurakState, tell: EventSink) -> DurakState:
        """D4: give up the defence; D11, D20: the attackers may throw in more first."""
        tell(Event("takes", {"seat": state.bout.defender}))
        state = state._replace(phase=THROW)
        return self._ask_to_add(state, tell) if self.rules.throw_in else self._end_bout(state, tell)

    def _pass(self, state: DurakState, tell: EventSink) -> DurakState:
        """D5, D11: add no card."""
        seat = state.to_act or 0
        tell(Event("passed", {"seat": seat}))
        bout = state.bout._replace(passed=(*state.bout.passed, seat))
        return self._ask_to_add(state._replace(bout=bout), tell)

    def _ask_to_add(self, state: DurakState, tell: EventSink) -> DurakState:
        """D7, D19, D20: ask the next player who may add; if there is none, or no room (D6), end the bout."""
        asked = self._may_add(state)
        return state._replace(to_act=asked[0]) if asked and self._has_room(state) else self._end_bout(state, tell)

    def _may_add(self, state: DurakState) -> tuple[int, ...]:
        """D19, D20: the players who may still add cards: the leader first, then clockwise; D25: only the defender's
        opponents.

        Players without cards, or who have passed since the last card was added, are not asked."""
        leader, defender, attackers = state.bout.leader, state.bout.defender, self.rules.attackers
        named: Iterable[int] = (leader, *self._after[leader])
        if attackers != "all":
            neighbour = self._next_opponent(defender, state.out)
            named = [seat for seat in named if seat == leader or (attackers == "neighbours" and seat == neighbour)]
        return tuple(
            [
                seat
                for seat in named
                if self._are_opposed(seat, defender) and state.hands[seat - 1] and seat not in state.bout.passed
            ]
        )

    def _has_room(self, state: DurakState) -> bool:
        """D6: whether there is room for one more attack card, and the defender holds enough cards to beat it."""
        to_beat = state.bout.unbeaten.bit_count()
        held = state.hands[state.bout.defender - 1].bit_count()
        return attack_cards(state.bout) < self._most_attacks(state) and to_beat < held

    def _end_bout(self, state: DurakState, tell: EventSink) -> DurakState:
        """D7, D21: the cards leave the game or are taken; all draw (D8), and the next bout begins (D21)."""
        bout, held = state.bout, state.phase == MORE
        defender = bout.defender
        tell(Event("held" if held else "took", {"seat": defender, **_as_it_lay(bout)}))
        if not held:
            state = state._replace(hands=replaced(state.hands, defender - 1, state.hands[defender - 1] | bout.table))
        state = self._refill(state._replace(shown=state.shown | bout.table, first_bout=False), tell)
        if not state.stock:
            state = self._go_out(state, tell)
            if self._is_decided(state):
                return self._over(state, tell)
        leader = self._next_leader(defender, held, state.out)
        state = state._replace(phase=ATTACK, to_act=leader, bout=self._new_bout(leader, state.out))
        return self._count_position(state, held, tell) if self._counts_positions and not state.stock else state

    def _next_leader(self, defender: int, held: bool, out: Sequence[int]) -> int:
        """D21: the next leader: the defender, or if they took or are out, the next player; D25: the next of that
        side."""
        first = defender if held else self._after[defender][0]
        others = [seat for seat in self._after[first] if not (self.rules.sides and self._are_opposed(seat, first))]
        return next(seat for seat in (first, *others) if seat not in out)

    def _drawers(self, bout: Bout) -> list[int]:
        """D8, D22: the players who draw, in order: the opener first, then clockwise, the defender last."""
        others = [seat for seat in self._after[bout.opener] if seat != bout.defender]
        return [bout.opener, *others] + [bout.defender] * (bout.defender != bout.opener)

    def _refill(self, state: DurakState, tell: EventSink) -> DurakState:
        """D8: all draw up to six cards, as far as the stock goes."""
        hands, stock = list(state.hands), state.stock
        for seat in self._drawers(state.bout) if stock else ():
            count = max(0, HAND - hands[seat - 1].bit_count())
            drawn, stock = tuple(sorted(stock[:count])), stock[count:]
            if drawn:
                hands[seat - 1] |= card_set(drawn)
                counted = Event("drew_hidden", {"seat": seat, "count": len(drawn)})
                tell_owner(tell, self.seats, seat, Event("drew", {"seat": seat, "cards": drawn}), counted)
        return state._replace(hands=tuple(hands), stock=stock)

    def _go_out(self, state: DurakState, tell: EventSink) -> DurakState:
        """D23: a player without cards after the refill is out; several in the order of the refill (*ruling*).

        D9, *ruling*: so is a player without cards when another's refill takes the last of the stock."""
        out = state.out
        for seat in self._drawers(state.bout):
            if not state.hands[seat - 1] and seat not in out:
                out += (seat,)
                if self.seats > 2:
                    tell(Event("out", {"seat": seat, "number": len(out)}))
        return state._replace(out=out)

    def _is_decided(self, state: DurakState) -> bool:
        """D9, D23: whether at most one player has cards. D25: whether all players of a side are out."""
        if self.rules.sides:
            return any(not any(state.hands[seat - 1] for seat in side) for side in self.sides)
        return sum(map(bool, state.hands)) < 2

    @property
    def _counts_positions(self) -> bool:
        """Whether positions can recur: with two players only turning over (D12) makes that possible.

        Every other bout takes cards out of play, or out of the attacker's hand for good."""
        return self.seats > 2 or self.rules.turn_over != "off"

    def _count_position(self, state: DurakState, held: bool, tell: EventSink) -> DurakState:
        """D13, D27 (*ruling*): end the game when a position occurs for the third time with an empty stock."""
        position = (state.hands, state.bout.leader)
        state = state._replace(past=(*(() if held else state.past), position))
        return self._over(state, tell) if state.past.count(position) == 3 else state

    def _over(self, state: DurakState, tell: EventSink) -> DurakState:
        """D9: end the match."""
        past = () if state.phase == MORE else state.past
        over = state._replace(phase=OVER, to_act=None, bout=Bout(1, 1, 2), past=past)
        losers = self._losers(over)
        if self.rules.sides and losers:
            tell(Event("side_lost", {"seats": losers}))
        else:
            tell(Event("fool", {"seat": losers[0]}) if losers else Event("nobody_lost"))
        return over

    def _losers(self, state: DurakState) -> tuple[int, ...]:
        """D9, D23: the fool, who alone holds cards at the end. D25: or the side that does. Empty in a draw."""
        if state.phase != OVER or not self._is_decided(state):
            return ()
        return next((side for side in self.sides if any(state.hands[seat - 1] for seat in side)), ())

    def _turn_over(self, state: DurakState, action: Action, tell: EventSink) -> DurakState:
        """D12, D24: lay a card beside the attack and lead it from there; the next player must beat it."""
        seat, card = state.bout.defender, action.cards[0]
        tell(Event("turned", {"seat": seat, "card": card}))
        defender = self._next_opponent(seat, state.out)
        bout = state.bout.with_action(action, seat)._replace(leader=seat, defender=defender)
        hands = replaced(state.hands, seat - 1, state.hands[seat - 1] ^ 1 << card)
        return state._replace(to_act=defender, hands=hands, bout=bout)

    def _most_attacks(self, state: DurakState) -> int:
        """D6: the most attack cards in this bout; D14: fewer in the first."""
        return MOST_ATTACKS_FIRST if self.rules.first_bout_five and state.first_bout else MOST_ATTACKS

    def observation(self, state: DurakState, seat: int) -> DurakObservation:
        bout = state.bout
        return DurakObservation(
            seat=seat,
            phase=state.phase,
            to_act=state.to_act,
            legal=self.legal_actions(state) if seat and seat == state.to_act else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=cards_in(state.hands[seat - 1]) if seat else (),
            counts=tuple([hand.bit_count() for hand in state.hands]),
            known=tuple([cards_in(hand & state.shown) for hand in state.hands]),
            attacker=bout.leader,
            lead=bout.opener,
            bout=bout.laid,
            turn_up=None if state.phase == DEAL else state.turn_up,
            stock=len(state.stock),
            shown=state.shown,
            past=self._positions_seen(state) if seat else (),
            most_attacks=self._most_attacks(state),
            turn_over=self.rules.turn_over,
            defender=bout.defender,
            next_defender=self._next_opponent(bout.defender, state.out),
            by=bout.by,
            passed=bout.passed,
            may_add=() if state.phase in (DEAL, OVER) else self._may_add(state),
            out=state.out,
            sides=self.sides,
            pack=self.rules.pack,
            several=self.rules.several,
            first_bout=state.first_bout,
        )

    def _positions_seen(self, state: DurakState) -> tuple[BoutStart, ...]:
        """The positions that count for D27, with the cards that the players know; two players know all of each
        other's."""
        seen = -1 if self.seats == 2 else state.shown | state.bout.table
        packed = partial(_packed, self.rules.pack)
        found = []
        for hands, leader in state.past:
            first, second, *others = [hands[seat - 1] & seen for seat in (leader, *self._after[leader])]
            found.append(BoutStart(packed(first), packed(second), leader, tuple([packed(hand) for hand in others])))
        return tuple(found)

    def _unpacked(self, packed: PackSet) -> CardSet:
        """The set of cards in a pack set."""
        return card_set([card for place, card in enumerate(self.pack) if packed >> place & 1])

    def sampler(self, observation: DurakObservation) -> Callable[[Random], DurakState]:
        """A function that samples states. What D15 tells about the dealt hands is used until the first refill."""
        o = observation
        if o.turn_up is None:
            start = self.start()
            return lambda rng: start
        turn_up, bout = o.turn_up, o.as_bout
        own = card_set(o.hand)
        unseen = [card for card in self.pack if not (own | bout.table | o.shown) >> card & 1]
        known = [own if seat == o.seat else card_set(cards) for seat, cards in enumerate(o.known, 1)]
        missing = [count - cards.bit_count() for count, cards in zip(o.counts, known, strict=True)]
        under = (turn_up,) if o.stock else ()

        def draw(rng: Random) -> DurakState:
            for _ in range(GUESSES):
                mixed, hands = shuffled(unseen, rng), []
                for cards, count in zip(known, missing, strict=True):
                    hands.append(cards | card_set(mixed[:count]))
                    mixed = mixed[count:]
                if not o.first_bout or self._could_begin(hands, bout, turn_up):
                    break
            else:
                raise ValueError("no hands fit what is known")
            past = tuple([self._guessed_position(position, hands, o) for position in o.past])
            stock = (*mixed, *under)
            return DurakState(o.phase, o.to_act, tuple(hands), stock, bout, turn_up, o.shown, o.first_bout, o.out, past)

        return draw

    def _could_begin(self, hands: Sequence[CardSet], bout: Bout, turn_up: Card) -> bool:
        """D15: whether with these hands, and the cards laid since, the seat that began would have begun."""
        dealt = list(hands)
        for action, seat in zip(bout.laid, bout.by, strict=True):
            dealt[seat - 1] |= card_set(action.cards[:1] if action.kind == "beat" else action.cards)
        return self._first_leader(dealt, turn_up) == bout.opener

    def _guessed_position(
        self, position: BoutStart, hands: Sequence[CardSet], o: DurakObservation
    ) -> tuple[tuple[CardSet, ...], int]:
        """D27: a counted position, given the present hands: cards not seen since have not moved."""
        leader, packed = position.attacker, (position.attacker_hand, position.defender_hand, *position.others)
        seats = (leader, *self._after[leader])
        then = {seat: self._unpacked(cards) for seat, cards in zip(seats, packed, strict=True)}
        unseen = 0 if self.seats == 2 else ~(o.shown | o.as_bout.table)
        return tuple([then[seat] | (hand & unseen) for seat, hand in enumerate(hands, 1)]), leader

    def key(self, state: DurakState) -> Hashable:
        bout = state.bout
        to_beat = bout.unbeaten.bit_count() if state.phase == THROW else bout.unbeaten  # only their number matters
        found: tuple[Hashable, ...] = (
            state.to_act,
            state.phase,
            state.hands,
            bout.table,
            to_beat,
            suit_of(state.turn_up),
            (bout.leader, bout.defender, frozenset(bout.passed), frozenset(state.out)),
            self._most_attacks(state),
        )
        if state.stock:
            found += (state.stock, bout.opener)
        if self.rules.turn_over != "off" and state.phase == DEFEND:
            found += (bout.laid[-1].kind == "beat",)
        return (*found, tuple(sorted(state.past)))

    def scores(self, state: DurakState) -> tuple[int, ...]:
        """D9, D25: the fool pays a point to each other player; with sides each player of the losing side loses one."""
        losers = self._losers(state)
        if not losers:
            return (0,) * self.seats
        lost = 1 if self.rules.sides else self.seats - 1
        return tuple([-lost if seat in losers else 1 for seat in self._seats])

    def outcome(self, state: DurakState) -> Outcome | None:
        if state.phase != OVER:
            return None
        losers = self._losers(state)
        winners = tuple([seat for seat in self._seats if seat not in losers]) if losers else ()
        return Outcome(self.scores(state), winners, self._why(state, losers))

    def _why(self, state: DurakState, losers: tuple[int, ...]) -> Reason:
        """The reason of the end; with more than two players, with the order in which they went out."""
        if not self._is_decided(state):
            return Reason("repetition")
        if self.rules.sides:
            return Reason("side_lost", {"seats": losers}) if losers else Reason("all_out", {"seats": state.out})
        if self.seats == 2:
            return Reason("fool", {"seat": losers[0]}) if losers else Reason("both_out")
        if losers:
            return Reason("fool_last", {"seat": losers[0], "seats": state.out})
        return Reason("all_out", {"seats": state.out})

    def hands(self, state: DurakState) -> tuple[tuple[Card, ...], ...]:
        if state.phase == OVER and not self._losers(state):
            return ((),) * self.seats  # only a fool keeps cards at the end, and in a draw there is none
        return tuple([cards_in(hand) for hand in state.hands])

    def parse(self, text: str) -> Action:
        card, beats_it, attack_card = text.partition(">")
        if beats_it and card in CARDS and attack_card in CARDS:
            return beat(CARDS[card], CARDS[attack_card])
        return SEVERAL.get(text) or super().parse(text)

    def next_dealer(self, state: DurakState) -> int:
        """D9: the fool deals; D25: of a side, the player left with most cards, then the lowest seat (*ruling*).

        After a draw the deal passes on. *Ruling*: a match is one game.
        """
        losers = self._losers(state)
        if not losers:
            return self._after[self.dealer][0]
        return max(losers, key=lambda seat: state.hands[seat - 1].bit_count())


def attack_cards(bout: Bout) -> int:
    """The number of attack cards on the table: the unbeaten, and half of the others."""
    return (bout.table.bit_count() + bout.unbeaten.bit_count()) // 2


def pairs(laid: Sequence[Action]) -> tuple[tuple[Card, Card | None], ...]:
    """Each attack card of a bout in order, with the card that beat it or ``None``."""
    beaten = {action.cards[1]: action.cards[0] for action in laid if action.kind == "beat"}
    return tuple([(card, beaten.get(card)) for action in laid if action.kind != "beat" for card in action.cards])


def _as_it_lay(bout: Bout) -> dict[str, tuple[Card, ...]]:
    """The cards of a bout as arguments of an event; the n-th of ``beating_cards`` beat the n-th of ``beaten_cards``."""
    beaten = [action.cards for action in bout.laid if action.kind == "beat"]
    return {
        "cards": cards_in(bout.table),
        "attack_cards": tuple([card for card, _ in pairs(bout.laid)]),
        "beaten_cards": tuple([attack_card for _, attack_card in beaten]),
        "beating_cards": tuple([card for card, _ in beaten]),
    }


@lru_cache(1 << 12)
def _packed(pack: int, cards: CardSet) -> PackSet:
    """The pack set of some cards."""
    return sum([1 << place for place, card in enumerate(PACKS[pack]) if cards >> card & 1])


GAME = Durak
