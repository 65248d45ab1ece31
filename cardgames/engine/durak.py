"""The rules of Durak for two to six: clauses D1–D27 of ``texts/en/durak.md``.

:class:`DurakLegality` decides which actions are legal; :class:`Durak` applies them. Clauses from D16 on are for more
than two players. Docstrings name them beside the two-player clauses that they extend."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations, islice
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
    same_rank_as,
    suit_of,
)
from cardgames.engine.common_rules import acting_seat, dealt_hands, replace_item, why_not_pack
from cardgames.engine.game import (
    CHANCE,
    Action,
    Game,
    InvalidRules,
    Legality,
    Message,
    Observation,
    Outcome,
    PerSeat,
    PerSide,
    Rules,
    Teller,
    Value,
    tell_nobody,
)
from cardgames.engine.hidden import shuffled, tell_owner

DEAL, ATTACK, DEFEND, MORE, THROW, OVER = "deal", "attack", "defend", "more", "throw", "over"

PACKS: Mapping[int, tuple[Card, ...]] = {
    size: tuple([card for card in range(52) if rank_of(card) >= 13 - size // 4]) for size in (24, 36, 52)
}
"""D1, D16: the cards of a pack by its size. Smaller packs leave out the lowest ranks."""

PACK_SEATS = {24: (2, 3), 36: (2, 3, 4, 5, 6), 52: (2, 3, 4, 5, 6)}
"""D16: the possible numbers of players by the size of the pack."""

SIDES_SEATS = (4, 6)
"""D25: the numbers of players that can form two sides."""

HAND_SIZE = 6
"""D2, D8: the number of cards that each hand is dealt, and the number up to which it is refilled."""

MOST_ATTACKS, MOST_ATTACKS_FIRST = 6, 5
"""D6: the most attack cards on the table in a bout; D14: in the first bout."""

SHORT_STOCK = 12
"""The most cards in the stock at the start of a short deal."""

MAX_ATTEMPTS = 100_000
"""The most attempts at sampling hands that fit an observation. With D15 at least one in thirty fits."""

TAKE, PASS = Action("take", "take"), Action("pass", "pass")
PLAY = [Action("play", name, (card,)) for card, name in enumerate(NAMES)]
TURN_OVER = [Action("turn", f"turn {name}", (card,)) for card, name in enumerate(NAMES)]


@cache
def several_actions() -> Mapping[str, Action]:
    """D26: the attacks with several cards of one rank, by their notation."""
    card_lists = [cards for rank in RANK_SETS for number in (2, 3, 4) for cards in combinations(cards_in(rank), number)]
    return {text: Action("several", text, cards) for cards in card_lists if (text := f"play {names(cards)}")}


@cache
def beat(card: Card, attack_card: Card) -> Action:
    """D4: the action that beats ``attack_card`` with ``card``."""
    return Action("beat", f"{NAMES[card]}>{NAMES[attack_card]}", (card, attack_card))


@cache
def beaters(attack_card: Card, trump: int) -> CardSet:
    """D4: the cards that beat ``attack_card``: higher ones of its suit and, unless it is a trump, all trumps."""
    higher = SUIT_SETS[suit_of(attack_card)] & -2 << attack_card  # ``-2 << n`` has all bits above bit n
    return higher if suit_of(attack_card) == trump else higher | SUIT_SETS[trump]


@dataclass(frozen=True)
class DurakRules(Rules):
    """The options of Durak."""

    throw_in: bool = False
    """D11, D20: after ``take`` the attackers may throw in further cards."""
    turn_over: Literal["opening", "any", "off"] = "off"
    """D12, D24: when the defender may turn the attack over. Most players use ``opening``."""
    first_bout_five: bool = False
    """D14: at most five attack cards in the first bout. The source of the rules does not have this option."""
    lowest_trump_begins: bool = False
    """D15: the holder of the lowest trump attacks first. The source of the rules does not have this option."""
    pack: Literal[24, 36, 52] = 36
    """D16: the number of cards in the pack."""
    attackers: Literal["lead", "neighbours", "all"] = "all"
    """D19: the players who may add cards to an attack: the leader, the defender's neighbours or all opponents."""
    sides: bool = False
    """D25: two sides; every second player around the table is a partner."""
    several: bool = False
    """D26: a bout may begin with several cards of one rank."""

    def check_seats(self, seats: int) -> None:
        """D16, D25: raise :class:`InvalidRules` unless the pack and the sides suit the number of players."""
        if seats not in (allowed := PACK_SEATS[self.pack]):
            raise InvalidRules("pack_seats", option="pack", number=self.pack, value=str(seats), seats_allowed=allowed)
        if self.sides and seats not in SIDES_SEATS:
            raise InvalidRules("option_seats", option="sides", value=str(seats), seats_allowed=SIDES_SEATS)


PackSet: TypeAlias = Annotated[int, IS_PACK_SET]
"""A set of cards of the game's pack: one bit per card, in ascending order."""


class BoutStart(NamedTuple):
    """The hands at the start of a bout, clockwise from its leader, to recognize repeated positions (D13, D27).

    With more than two players a hand has only the cards that everybody has seen."""

    attacker_hand: PackSet
    defender_hand: PackSet
    """The hand of the seat after the leader, even if that seat is out."""
    attacker: int
    """The seat that leads the first card of the bout."""
    others: tuple[PackSet, ...] = ()
    """The hands of the remaining seats, clockwise."""


class Bout(NamedTuple):
    """The players of a bout and the cards on the table.

    Fields without a comment are as in :class:`DurakObservation`, which calls the opener ``lead``."""

    opener: int
    leader: int
    """The seat that leads the attack: the opener, or the last seat that turned the attack over (D24)."""
    defender: int
    next_defender: int
    laid: tuple[Action, ...] = ()
    """The actions that laid the cards on the table, in order."""
    by: tuple[int, ...] = ()
    table: CardSet = 0
    unbeaten: CardSet = 0
    """The attack cards on the table that are not beaten."""
    passed: tuple[int, ...] = ()

    def with_action(self, action: Action, seat: int, passed: tuple[int, ...] = ()) -> "Bout":
        """Return the bout after ``seat`` has laid the cards of ``action``. ``passed``: its new field of this name."""
        cards, laid, by = card_set(own_cards(action)), (*self.laid, action), (*self.by, seat)
        unbeaten = self.unbeaten ^ (1 << action.cards[1]) if action.kind == "beat" else self.unbeaten | cards
        seats = self.opener, self.leader, self.defender, self.next_defender
        return Bout(*seats, laid, by, self.table | cards, unbeaten, passed)


class DurakState(NamedTuple):
    """A position of a match of Durak. ``shown``, ``first_bout`` and ``out`` are as in :class:`DurakObservation`."""

    phase: str
    to_act: int | None
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    """The cards of the stock in the order in which they will be drawn; the turn-up is last."""
    bout: Bout
    turn_up: Card
    """The card that made trumps (D2); -1 before the deal."""
    shown: CardSet
    first_bout: bool = False
    out: tuple[int, ...] = ()
    past: tuple[tuple[tuple[CardSet, ...], int], ...] = ()
    """Positions that may recur (D13, D27): the hands and the leader at the start of each bout.

    Positions from before cards last left the game or the stock are dropped."""


@dataclass(slots=True, eq=False, repr=False)
class DurakLegality(Legality):
    """The facts that decide which actions are legal, all known to the acting seat.

    ``most_attacks`` is as in :class:`DurakObservation`; ``turn_over``, ``several`` and ``pack`` are options."""

    phase: str
    hand: CardSet
    trump: int
    bout: Bout
    defender_cards: int
    next_cards: int
    """The number of cards in the hand of the player who would have to beat a turned-over attack (D12, D24)."""
    most_attacks: int
    turn_over: str
    several: bool
    pack: int

    def legal(self) -> tuple[Action, ...]:
        match self.phase:
            case "attack":  # D3: any card begins a bout
                several = [action for action in self._several() if not self._why_not_several(len(action.cards))]
                return (*_plays(self.hand), *several)
            case "defend":
                turn_overs = [action for action in self._turn_overs() if not self._why_not_turn_over(*action.cards)]
                return (*turn_overs, *self._beats(self._beating), TAKE)
            case "more" | "throw":
                return (*_plays(self._addable), PASS)
        return ()

    def plausible(self) -> list[Action]:
        """Turning over with the attack's rank and beats with any card, or any card and attacks with several (D26)."""
        if self.phase == DEFEND:
            return [*self._turn_overs(), *self._beats(lambda attack_card: self.hand)]
        return [*_plays(self.hand), *self._several()]

    def _turn_overs(self) -> list[Action]:
        """D12: turning over with a card of the attack's rank; none without the option."""
        cards = 0 if self.turn_over == "off" else self.hand & same_rank_as(self.bout.unbeaten)
        return [TURN_OVER[card] for card in cards_in(cards)]

    def _beats(self, offered: Callable[[Card], CardSet]) -> list[Action]:
        """D4: beating each attack card with the cards that ``offered`` returns for it, trumps last."""
        beats: list[Action] = []
        for attack_card in cards_in(self.bout.unbeaten):
            cards = offered(attack_card)
            trumps = 0 if suit_of(attack_card) == self.trump else cards & SUIT_SETS[self.trump]
            beats += [beat(card, attack_card) for card in (*cards_in(cards ^ trumps), *cards_in(trumps))]
        return beats

    def _several(self) -> list[Action]:
        """D26: the attacks with several cards of the hand that have one rank; none without the option."""
        if not self.several or self.phase != ATTACK:
            return []
        by_rank = [cards_in(self.hand & same_rank) for same_rank in RANK_SETS]
        sets = [cards for held in by_rank for number in (2, 3, 4) for cards in combinations(held, number)]
        return [several_actions()[f"play {names(cards)}"] for cards in sets]

    @property
    def _addable(self) -> CardSet:
        """D5, D11: the cards of the hand that can be added: their rank is on the table."""
        return self.hand & same_rank_as(self.bout.table)

    def _beating(self, attack_card: Card) -> CardSet:
        """D4: the cards of the hand that beat ``attack_card``."""
        return self.hand & beaters(attack_card, self.trump)

    def why_not(self, action: Action) -> Message | None:
        if self.phase == DEAL:
            return why_not_pack(action, PACKS[self.pack])
        lowest_rank = 13 - self.pack // 4  # the pack has four cards of each rank, down from the ace
        if action.kind != "deal" and any(rank_of(card) < lowest_rank for card in action.cards):
            return Message("not_an_action", {"text": action.text})
        if self.phase == OVER:
            return Message("match_over")
        if action.kind == "deal":
            return Message("not_now")
        for card in own_cards(action):
            if not (self.hand >> card) & 1:
                return Message("not_in_hand", {"card": card})
        is_defence = action.kind in ("take", "turn", "beat")
        if is_defence != (self.phase == DEFEND):
            return Message("you_attack" if is_defence else "you_defend")
        match action.kind:
            case "beat" if not (self.bout.unbeaten >> action.cards[1]) & 1:
                return Message("not_to_beat", {"card": action.cards[1]})
            case "beat" if not (self._beating(action.cards[1]) >> action.cards[0]) & 1:  # D4
                return Message("does_not_beat", {"card": action.cards[0], "attack_card": action.cards[1]})
            case "turn":
                return self._why_not_turn_over(action.cards[0])
            case "pass" if self.phase == ATTACK:
                return Message("must_attack")
            case "play" if self.phase != ATTACK and not (self._addable >> action.cards[0]) & 1:
                return Message("rank_not_on_table", {"card": action.cards[0]})
            case "several":
                return self._why_not_several(len(action.cards))
        return None  # D3: any card begins a bout; D4: the defender may always take

    def _why_not_turn_over(self, card: Card) -> Message | None:
        """D12: the reason why ``card`` cannot turn the attack over, or ``None``.

        *Ruling*: turning over is not legal right after a beat and, with ``opening``, after any beat of the bout."""
        last, table, unbeaten = self.bout.laid[-1], self.bout.table, self.bout.unbeaten
        if self.turn_over == "off":
            return Message("turn_is_off")
        if last.kind == "beat":
            return Message("turn_after_beat")
        if self.turn_over == "opening" and unbeaten != table:
            return Message("turn_only_opening")
        if attack_card_count(self.bout) >= self.most_attacks:
            return Message("enough_attacks", {"count": self.most_attacks})
        if unbeaten.bit_count() >= self.next_cards:
            return Message("more_than_hand", {"count": self.next_cards})
        return None if rank_of(card) == rank_of(last.cards[0]) else Message("turn_other_rank", {"card": last.cards[0]})

    def _why_not_several(self, count: int) -> Message | None:
        """D26: the reason why ``count`` cards cannot be played at once, or ``None``."""
        if not self.several:
            return Message("several_is_off")
        if self.phase != ATTACK:
            return Message("several_begin_only")
        return Message("more_than_hand", {"count": self.defender_cards}) if count > self.defender_cards else None


@dataclass(frozen=True, kw_only=True)
class DurakObservation(Observation):
    """All that a seat of Durak knows. ``turn_over``, ``pack`` and ``several`` are options of :class:`DurakRules`."""

    hand: tuple[Card, ...]
    counts: PerSeat[int]
    known: PerSeat[tuple[Card, ...]]
    """The cards in the hand of each seat that everybody has seen."""
    attacker: int
    """The seat that leads the attack (D24)."""
    lead: int
    """The seat that laid the bout's first attack card, and draws first (D8)."""
    bout: tuple[Action, ...]
    """The actions that laid the cards on the table, in order."""
    turn_up: Card | None
    stock: int
    """The number of cards in the stock, including the turn-up."""
    shown: CardSet
    """All cards that everybody has seen: the turn-up and the cards laid in earlier bouts."""
    past: tuple[BoutStart, ...]
    """The positions that may recur (D13, D27), one for each bout; empty for spectators."""
    most_attacks: int
    """The most attack cards on the table in this bout (D6, D14)."""
    turn_over: Literal["off", "any", "opening"]
    defender: int
    next_defender: int
    """The seat that would have to beat the attack after a turn-over (D24)."""
    by: tuple[int, ...]
    """The seat that chose each action of ``bout``."""
    passed: Annotated[tuple[int, ...], 6]
    """The seats that have passed since the last card was added, or since the defender took (D19, D20)."""
    may_add: Annotated[tuple[int, ...], 6]
    """The seats that may still add cards to this attack, in the order in which they are asked (D19, D20)."""
    out: Annotated[tuple[int, ...], 6]
    """The seats that are out, in the order in which they went out (D23)."""
    sides: PerSide[Annotated[tuple[int, ...], 3]]
    pack: int
    several: bool
    first_bout: bool
    """Whether this is the first bout of the match (D14, D15)."""

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attack cards that are not beaten, in the order in which they were laid."""
        return tuple([card for card, beater in attack_pairs(self.bout) if beater is None])

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """The sides of the match (D25), because a match is one deal."""
        return self.sides

    @property
    def forced(self) -> bool:
        """Whether the seat begins a bout with its only card. Whether a defender has a choice, hidden cards decide."""
        return self.phase == ATTACK and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def as_bout(self) -> Bout:
        """The bout in the form that :class:`DurakState` has."""
        bout = Bout(self.lead, self.attacker, self.defender, self.next_defender)
        for action, seat in zip(self.bout, self.by, strict=True):
            bout = bout.with_action(action, seat)
        return bout._replace(passed=self.passed)

    @cached_property
    def legality(self) -> DurakLegality:
        trump = suit_of(self.turn_up or 0)  # before the deal, any suit will do
        defends, next_defends = self.counts[self.defender - 1], self.counts[self.next_defender - 1]
        options = self.most_attacks, self.turn_over, self.several, self.pack
        return DurakLegality(self.phase, card_set(self.hand), trump, self.as_bout, defends, next_defends, *options)


class Durak(Game[DurakState, DurakObservation, DurakRules]):
    """Durak for two to six."""

    NAME = "durak"
    SEATS = (2, 3, 4, 5, 6)
    RULES = DurakRules
    PACK = PACKS[36]
    ACTIONS: ClassVar[Mapping[str, Action]] = {action.text: action for action in (PASS, TAKE, *PLAY, *TURN_OVER)}
    SELECTIONS = ("beat", "several")
    ZERO_SUM = True
    PHASES = (DEAL, ATTACK, DEFEND, MORE, THROW, OVER)

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACKS[self.rules.pack]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """D25: with the option ``sides``, the odd seats and the even seats; else each seat alone."""
        seats = self.seats_from(1)
        return (seats[::2], seats[1::2]) if self.rules.sides else super().sides

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The score of each loser and the score of each winner (D9, D25)."""
        return (-1 if self.rules.sides else 1 - self.seats), 1

    def short_deal_begins(self, state: DurakState) -> bool:
        """Whether a bout begins with at most ``SHORT_STOCK`` cards in the stock: ten minutes are left."""
        return state.phase == ATTACK and not state.bout.laid and len(state.stock) <= SHORT_STOCK

    def start(self) -> DurakState:
        return DurakState(DEAL, CHANCE, (0,) * self.seats, (), self._new_bout(self.next_seat(self.dealer), ()), -1, 0)

    def legality(self, state: DurakState) -> DurakLegality:
        hands, bout, rules = state.hands, state.bout, self.rules
        hand = hands[state.to_act - 1] if state.to_act else 0
        defends, next_defends = hands[bout.defender - 1].bit_count(), hands[bout.next_defender - 1].bit_count()
        options = self._most_attacks(state), rules.turn_over, rules.several, rules.pack
        return DurakLegality(state.phase, hand, suit_of(state.turn_up), bout, defends, next_defends, *options)

    def do_deal(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """D2, D17: deal six cards to each seat, one at a time, turn up the next card and put it under the stock.

        D17, *ruling*: if no card is left, the dealer's last card is shown, makes trumps and stays in the hand."""
        hands = tuple(map(card_set, dealt_hands(action.cards, self.seats, self.dealer, HAND_SIZE)))
        undealt = action.cards[HAND_SIZE * self.seats :]
        turn_up = undealt[0] if undealt else action.cards[-1]
        stock = (*undealt[1:], *undealt[:1])
        leader = self._first_leader(hands, turn_up)
        tell("dealt", seat=self.dealer, count=HAND_SIZE)
        if stock:
            tell("turned_up", card=turn_up)
        else:
            tell("kept", seat=self.dealer, card=turn_up)
        if self.rules.lowest_trump_begins:
            tell("begins", seat=leader)
        past = ((hands, leader),) if self._position_can_recur(stock) else ()
        bout = self._new_bout(leader, ())
        return DurakState(ATTACK, leader, hands, stock, bout, turn_up, 1 << turn_up, first_bout=True, past=past)

    def _first_leader(self, hands: Sequence[CardSet], turn_up: Card) -> int:
        """D18: the seat to the dealer's left or, with D15, the one with the lowest trump, not shown (*ruling*)."""
        trumps = SUIT_SETS[suit_of(turn_up)]
        lowest = [(cards_in(hand & trumps)[0], seat) for seat, hand in enumerate(hands, 1) if hand & trumps]
        return min(lowest)[1] if self.rules.lowest_trump_begins and lowest else self.next_seat(self.dealer)

    @property
    def _step(self) -> int:
        """D25: the distance to the next player of the same side; without sides, to the next player."""
        return 2 if self.rules.sides else 1

    def _next_opponent(self, seat: int, out: Sequence[int]) -> int:
        """D18, D25: the next opponent of ``seat`` clockwise who is not in ``out``; ``seat`` if there is none."""
        return next((other for other in self.seats_from(seat)[1 :: self._step] if other not in out), seat)

    def _new_bout(self, leader: int, out: Sequence[int]) -> Bout:
        """D3, D18: a new bout that ``leader`` leads against the next opponent who is not in ``out``."""
        defender = self._next_opponent(leader, out)
        return Bout(leader, leader, defender, self._next_opponent(defender, out))

    def do_play(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """Attack: begin a bout (D3, D26), or add a card for the defender to beat (D5) or to take (D11)."""
        seat, bout = acting_seat(state), state.bout
        if action.kind == "several":
            tell("attacked_with", seat=seat, cards=action.cards)
        else:
            key = {ATTACK: "attacked", MORE: "attacked_again", THROW: "threw_in"}[state.phase]
            tell(key, seat=seat, card=action.cards[0])
        if state.phase == THROW:
            return self._go_on(state, THROW, bout.with_action(action, seat, bout.passed), tell)
        return self._go_on(state, DEFEND, bout.with_action(action, seat), tell)

    do_several = do_play

    def do_beat(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """D4: beat an attack card. D5: once all are beaten, ask the attackers for more."""
        seat, (card, attack_card) = state.bout.defender, action.cards
        tell("beat", seat=seat, card=card, attack_card=attack_card)
        bout = state.bout.with_action(action, seat)
        return self._go_on(state, DEFEND if bout.unbeaten else MORE, bout, tell)

    def do_turn(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """D12, D24: lay a card beside the attack. The defender becomes leader, and the next opponent defends."""
        seat, defender = state.bout.defender, state.bout.next_defender
        tell("turned", seat=seat, card=action.cards[0])
        next_defender = self._next_opponent(defender, state.out)
        bout = state.bout._replace(leader=seat, defender=defender, next_defender=next_defender)
        return self._go_on(state, DEFEND, bout.with_action(action, seat), tell)

    def do_take(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """D4: give up the defence. D11, D20: let the attackers throw in more cards first."""
        tell("takes", seat=state.bout.defender)
        if self.rules.throw_in:
            return self._go_on(state, THROW, state.bout, tell)
        return self._end_bout(state, THROW, state.hands, state.bout, tell)

    def do_pass(self, state: DurakState, action: Action, tell: Teller) -> DurakState:
        """D5, D11: add no card, and ask the next player."""
        seat, bout = acting_seat(state), state.bout
        tell("passed", seat=seat)
        return self._go_on(state, state.phase, bout._replace(passed=(*bout.passed, seat)), tell)

    def _go_on(self, state: DurakState, phase: str, bout: Bout, tell: Teller) -> DurakState:
        """Remove the laid cards from the acting seat's hand, and ask the next player.

        D7, D19, D20: in the phase ``DEFEND`` that is the defender, else the next player who may add a card. End the
        bout if nobody may, if the table has no room for one more, or the defender no card to beat one more (D6)."""
        place = acting_seat(state) - 1
        hands = replace_item(state.hands, place, state.hands[place] & ~bout.table)
        to_act = bout.defender
        if phase != DEFEND:
            seats = self._seats_that_may_add(hands, bout)
            has_room = attack_card_count(bout) < self._most_attacks(state)
            if not (seats and has_room and bout.unbeaten.bit_count() < hands[bout.defender - 1].bit_count()):
                return self._end_bout(state, phase, hands, bout, tell)
            to_act = seats[0]
        stock, turn_up, shown = state.stock, state.turn_up, state.shown
        return DurakState(phase, to_act, hands, stock, bout, turn_up, shown, state.first_bout, state.out, state.past)

    def _seats_that_may_add(self, hands: Sequence[CardSet], bout: Bout) -> tuple[int, ...]:
        """D19, D20, D25: the opponents of the defender who may still add cards: the leader first, then clockwise.

        Players without cards and players who have passed since the last card was added are left out."""
        seats = self.seats_from(bout.leader)[:: self._step]
        if self.rules.attackers == "lead":
            seats = (bout.leader,)
        elif self.rules.attackers == "neighbours":
            seats = tuple([seat for seat in seats if seat in (bout.leader, bout.next_defender)])
        return tuple([seat for seat in seats if hands[seat - 1] and seat != bout.defender and seat not in bout.passed])

    def _end_bout(self, state: DurakState, phase: str, held: Sequence[CardSet], bout: Bout, tell: Teller) -> DurakState:
        """D7, D8, D21: discard the cards on the table or give them to the defender, refill, and begin the next bout."""
        has_held = phase == MORE  # in phase THROW, the defender takes
        defender, hands, stock, out = bout.defender, list(held), state.stock, state.out
        if tell is not tell_nobody:
            tell("held" if has_held else "took", seat=defender, **_bout_event_args(bout))
        if not has_held:
            hands[defender - 1] |= bout.table
        if stock:
            stock = self._refill(hands, stock, bout, tell)
        if not stock:
            out = self._players_out(hands, out, bout, tell)
        is_decided = not stock and self._is_decided(hands)
        # once the match is decided, perhaps nobody is left to lead
        leader = defender if is_decided else self._next_leader(defender, has_held, out)
        next_bout, shown = self._new_bout(leader, out), state.shown | bout.table
        # a defence that held has taken cards out of play, and a draw out of the stock, so none can recur
        past = () if has_held or stock != state.stock else state.past
        after = DurakState(ATTACK, leader, tuple(hands), stock, next_bout, state.turn_up, shown, False, out, past)
        if is_decided:
            return self._end_match(after, tell)
        if not self._position_can_recur(stock):
            return after
        # D13, D27, *ruling*: a position that occurs for the third time ends the match
        position = (after.hands, leader)
        after = after._replace(past=(*past, position))
        return self._end_match(after, tell) if after.past.count(position) == 3 else after

    def _next_leader(self, defender: int, has_held: bool, out: Sequence[int]) -> int:
        """D21: the next leader: the defender if the defence has held, else the player after the defender.

        If that player is out, the next player clockwise leads or, with sides (D25), the next one of the same side."""
        leader = defender if has_held else self.next_seat(defender)
        while leader in out:
            leader = self.next_seat(leader, self._step)
        return leader

    def _refill_order(self, bout: Bout) -> list[int]:
        """D8, D22: the seats in the order in which they draw: the opener first, then clockwise, the defender last."""
        return sorted(self.seats_from(bout.opener), key=lambda seat: seat == bout.defender and seat != bout.opener)

    def _refill(self, hands: list[CardSet], stock: tuple[Card, ...], bout: Bout, tell: Teller) -> tuple[Card, ...]:
        """D8: let all players draw up to six cards into ``hands``, as long as the stock lasts. Return its rest."""
        for seat in self._refill_order(bout):
            if (count := HAND_SIZE - hands[seat - 1].bit_count()) > 0 and stock:
                drawn, stock = sorted(stock[:count]), stock[count:]
                hands[seat - 1] |= card_set(drawn)
                tell_owner(tell, self.seats, seat, "drew", drawn)
        return stock

    def _players_out(self, hands: Sequence[CardSet], out: tuple[int, ...], bout: Bout, tell: Teller) -> tuple[int, ...]:
        """D23: the players who are out once the stock is empty: ``out`` and, in the order of the refill, the new ones.

        The order is a *ruling*. D9, *ruling*: a player who could not draw, because another player drew the last card
        first, is out too."""
        for seat in self._refill_order(bout):
            if not hands[seat - 1] and seat not in out:
                out += (seat,)
                if self.seats > 2:
                    tell("out", seat=seat, number=len(out))
        return out

    def _is_decided(self, hands: Sequence[CardSet]) -> bool:
        """D9, D23: whether at most one player has cards. D25: whether all players of a side have none."""
        if self.rules.sides:
            return not all(any(hands[seat - 1] for seat in side) for side in self.sides)
        return sum(map(bool, hands)) < 2

    def _position_can_recur(self, stock: tuple[Card, ...]) -> bool:
        """D27: with three or more players, any position. D13: with two, only with turning over and an empty stock.

        Without turning over (D12), each bout of two takes cards out of play, or out of the attacker's hand for good."""
        return self.seats > 2 or (self.rules.turn_over != "off" and not stock)

    def _end_match(self, state: DurakState, tell: Teller) -> DurakState:
        """D9: end the match, and tell who has lost it."""
        no_bout = Bout(1, 1, 2, self._next_opponent(2, state.out))
        over = state._replace(phase=OVER, to_act=None, bout=no_bout)
        losers = self._losers(over)
        if not losers:
            tell("nobody_lost")
        elif self.rules.sides:
            tell("side_lost", seats=losers)
        else:
            tell("fool", seat=losers[0])
        return over

    def _losers(self, state: DurakState) -> tuple[int, ...]:
        """D9, D23, D25: the fool, or the side that still holds cards at the end. Empty in a draw and before the end."""
        if state.phase != OVER or not self._is_decided(state.hands):
            return ()
        return next((side for side in self.sides if any(state.hands[seat - 1] for seat in side)), ())

    def _most_attacks(self, state: DurakState) -> int:
        """D6, D14: the limit on the number of attack cards on the table in this bout."""
        return MOST_ATTACKS_FIRST if self.rules.first_bout_five and state.first_bout else MOST_ATTACKS

    def observation(self, state: DurakState, seat: int) -> DurakObservation:
        bout = state.bout
        return DurakObservation(
            **self.common_facts(state, seat),
            phase=state.phase,
            hand=cards_in(state.hands[seat - 1]) if seat else (),
            counts=tuple([hand.bit_count() for hand in state.hands]),
            known=tuple([cards_in(hand & state.shown) for hand in state.hands]),
            attacker=bout.leader,
            lead=bout.opener,
            bout=bout.laid,
            turn_up=None if state.phase == DEAL else state.turn_up,
            stock=len(state.stock),
            shown=state.shown,
            past=self._seen_positions(state) if seat else (),
            most_attacks=self._most_attacks(state),
            turn_over=self.rules.turn_over,
            defender=bout.defender,
            next_defender=bout.next_defender,
            by=bout.by,
            passed=bout.passed,
            may_add=() if state.phase in (DEAL, OVER) else self._seats_that_may_add(state.hands, bout),
            out=state.out,
            sides=self.sides,
            pack=self.rules.pack,
            several=self.rules.several,
            first_bout=state.first_bout,
        )

    def _seen_positions(self, state: DurakState) -> tuple[BoutStart, ...]:
        """The positions that may recur (D27). With more than two players, unseen cards are left out."""
        seen = -1 if self.seats == 2 else state.shown | state.bout.table  # -1: all cards
        positions = []
        for hands, leader in state.past:
            seen_hands = [hands[seat - 1] & seen for seat in self.seats_from(leader)]
            first, second, *others = [_to_pack_set(self.rules.pack, hand) for hand in seen_hands]
            positions.append(BoutStart(first, second, leader, tuple(others)))
        return tuple(positions)

    def sampler(self, observation: DurakObservation) -> Callable[[Random], DurakState]:
        """Return a function that samples hands and stock. In the first bout, the hands make the opener lead (D15)."""
        if observation.turn_up is None:  # before the deal
            return lambda rng: self.start()
        turn_up, bout, own_hand = observation.turn_up, observation.as_bout, card_set(observation.hand)
        phase, to_act, out = observation.phase, observation.to_act, observation.out
        public = DurakState(phase, to_act, (), (), bout, turn_up, observation.shown, observation.first_bout, out)
        seen = own_hand | bout.table | observation.shown
        unseen = [card for card in self.pack if not seen >> card & 1]
        known = [card_set(cards) for cards in observation.known]
        if observation.seat:
            known[observation.seat - 1] = own_hand
        missing = [count - cards.bit_count() for count, cards in zip(observation.counts, known, strict=True)]
        stock_end = (turn_up,) if observation.stock else ()  # the turn-up is drawn last
        laid = [0] * self.seats  # the cards that each seat has laid in this bout
        for action, seat in zip(bout.laid, bout.by, strict=True):
            laid[seat - 1] |= card_set(own_cards(action))

        def draw(rng: Random) -> DurakState:
            for _ in range(MAX_ATTEMPTS):
                undealt = iter(shuffled(unseen, rng))
                hands = [cards | card_set(islice(undealt, count)) for cards, count in zip(known, missing, strict=True)]
                dealt = [hand | laid_cards for hand, laid_cards in zip(hands, laid, strict=True)]
                if not public.first_bout or self._first_leader(dealt, turn_up) == bout.opener:
                    past = [self._restored_position(earlier, hands, observation) for earlier in observation.past]
                    return public._replace(hands=tuple(hands), stock=(*undealt, *stock_end), past=tuple(past))
            raise ValueError("no hands fit what is known")

        return draw

    def _restored_position(
        self, position: BoutStart, hands: Sequence[CardSet], observation: DurakObservation
    ) -> tuple[tuple[CardSet, ...], int]:
        """D27: add the unseen cards to an earlier ``position``, which lacks them; return its hands and its leader.

        Unseen cards are still in the same hands, so they are taken from ``hands``, the present hands."""
        leader, packed = position.attacker, (position.attacker_hand, position.defender_hand, *position.others)
        sets = [card_set([card for at, card in enumerate(self.pack) if cards >> at & 1]) for cards in packed]
        seen_then = dict(zip(self.seats_from(leader), sets, strict=True))
        unseen = 0 if self.seats == 2 else ~(observation.shown | observation.as_bout.table)  # with two, none is lacking
        return tuple([seen_then[seat] | (hand & unseen) for seat, hand in enumerate(hands, 1)]), leader

    def scores(self, state: DurakState) -> tuple[int, ...]:
        """D9, D25: the fool pays one point to each other player. With sides, losers have -1 and winners have 1."""
        losers, (loss, win) = self._losers(state), self.deal_payoff
        return tuple([loss if seat in losers else win for seat in self.seats_from(1)]) if losers else (0,) * self.seats

    def outcome(self, state: DurakState) -> Outcome | None:
        if state.phase != OVER:
            return None
        losers = self._losers(state)
        winners = tuple([seat for seat in self.seats_from(1) if seat not in losers]) if losers else ()
        out: dict[str, Value] = {"seats": state.out} if self.seats > 2 else {}
        if not self._is_decided(state.hands):
            why = Message("repetition")
        elif not losers:
            why = Message("all_out" if out else "both_out", out)
        elif self.rules.sides:
            why = Message("side_lost", {"seats": losers})
        else:
            why = Message("fool_last" if out else "fool", {"seat": losers[0], **out})
        return Outcome(self.scores(state), winners, why)

    def hands(self, state: DurakState) -> tuple[tuple[Card, ...], ...]:
        """The cards of each seat. After a draw all hands count as empty, even after a draw by repetition (D13)."""
        is_draw = state.phase == OVER and not self._losers(state)
        return tuple([() if is_draw else cards_in(hand) for hand in state.hands])

    def parse(self, text: str) -> Action:
        card, separator, attack_card = text.partition(">")
        if separator and card in CARDS and attack_card in CARDS:
            return beat(CARDS[card], CARDS[attack_card])
        return several_actions().get(text) or super().parse(text)

    def next_dealer(self, state: DurakState) -> int:
        """D9: the fool deals next or, after a draw, the player after the dealer. *Ruling*: a match is one game.

        D25: with sides, the loser with the most cards deals; among equals, the lowest seat deals (*ruling*)."""
        losers = self._losers(state)
        if not losers:
            return self.next_seat(self.dealer)
        return max(losers, key=lambda seat: state.hands[seat - 1].bit_count())


def _plays(cards: CardSet) -> list[Action]:
    return [PLAY[card] for card in cards_in(cards)]


def own_cards(action: Action) -> tuple[Card, ...]:
    """The cards that an action takes from the hand. A beat has the attack card too."""
    return action.cards[:1] if action.kind == "beat" else action.cards


def attack_card_count(bout: Bout) -> int:
    """The number of attack cards on the table, beaten or not. The cards that beat them are not counted."""
    return (bout.table.bit_count() + bout.unbeaten.bit_count()) // 2


def attack_pairs(laid: Sequence[Action]) -> tuple[tuple[Card, Card | None], ...]:
    """Pair each attack card of a bout, in order, with the card that beat it or ``None``."""
    beaten = {action.cards[1]: action.cards[0] for action in laid if action.kind == "beat"}
    return tuple([(card, beaten.get(card)) for action in laid if action.kind != "beat" for card in action.cards])


def _bout_event_args(bout: Bout) -> dict[str, tuple[Card, ...]]:
    """The cards of a bout as arguments of an event. Card n of ``beating_cards`` beat card n of ``beaten_cards``."""
    beaten = [action.cards for action in bout.laid if action.kind == "beat"]
    return {
        "cards": cards_in(bout.table),
        "attack_cards": tuple([card for card, _ in attack_pairs(bout.laid)]),
        "beaten_cards": tuple([attack_card for _, attack_card in beaten]),
        "beating_cards": tuple([card for card, _ in beaten]),
    }


@lru_cache(1 << 12)
def _to_pack_set(pack: int, cards: CardSet) -> PackSet:
    """Convert ``cards`` to a :data:`PackSet` of the pack with ``pack`` cards."""
    return sum([1 << place for place, card in enumerate(PACKS[pack]) if cards >> card & 1])


GAME = Durak
