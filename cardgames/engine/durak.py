"""The rules of Durak for two: clauses D1–D15 of ``texts/en/durak.md``.

:class:`Durak` follows the clauses: attack and defence, throwing in and the end of a bout; then the deal, the end of the
game, turning over. The actions and the look-ups are in ``durak_tables``.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import itemgetter, or_
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, Card, CardSet, rank_of
from cardgames.engine.durak_tables import (
    ACTIONS,
    ATTACKS,
    BEAT,
    BIT,
    LOW,
    NO_BOUT,
    PACK,
    PLAY,
    PLAYS_OR_PASS,
    SAME_RANK,
    SAME_SUIT,
    SUIT,
    TURN,
    TURNS,
    WHOLE_PACK,
    Actions,
    BareBout,
    Bout,
    PackSet,
    answers_to_all,
    as_card_set,
    as_pack_set,
    cards,
    lay,
    one_more,
    pack_set,
    pairs,
    plays,
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
    check_pack,
    make,
)
from cardgames.engine.hidden import shuffled, tell_owner

DEAL, ATTACK, DEFEND, MORE, THROW, OVER = "deal", "attack", "defend", "more", "throw", "over"

HAND = 6
"""D2, D8: how many cards a hand is dealt, and drawn up to."""

STOCK = 24
"""D2: how many cards are left to draw after the deal; in the first bout alone, since somebody draws after it."""

MOST_ATTACKS, MOST_ATTACKS_FIRST = 6, 5
"""D6, and D14 in the first bout: how many attack cards may lie on the table."""

LEFT_AFTER_REFILL = tuple(
    [
        (*[max(0, stock + held - HAND) for held in range(HAND)], *[stock] * (len(PACK) - HAND))
        for stock in range(STOCK + 1)
    ]
)
"""D8: for each number of cards left to draw, and held, how many are left when a hand has drawn up to six."""

GUESSES = 10_000
"""How often hands are guessed until they fit; what D15 leaves possible is one guess in thirty or more."""

Seat: TypeAlias = Any
"""``int | None``, and never ``None`` where it is counted with."""


class Position(NamedTuple):
    """Who holds what when a bout begins (D13)."""

    attacker_hand: PackSet
    defender_hand: PackSet
    attacker: int


class Setting(NamedTuple):
    """The parts of a match that hardly ever change; handed on as a bare tuple, a :data:`BareSetting`, as states are."""

    turn_up: Card
    """The card that made trumps (D2); -1 before the deal."""
    bottom: tuple[PackSet, ...]
    """For each number, so many cards from the bottom of the stock as it was dealt; the turn-up lies lowest."""
    positions: tuple[Position, ...]
    """With D12, how bouts have begun since the stock ran out and cards last left the game (D13)."""


BareSetting: TypeAlias = tuple[Card, tuple[PackSet, ...], tuple[Position, ...]]


class State(NamedTuple):
    """A match of Durak as it stands.

    A state is handed on as a bare tuple of these parts, a :data:`BareState`, to be unpacked whole, by these names, or
    named by ``State._make``: a named tuple after each action would slow play by a quarter.
    """

    legal: Actions
    """The legal actions. They come with the state, as every state is asked for them and then given one of them."""
    to_act: Seat
    phase: str
    attacker_hand: PackSet
    """After the end that of seat 1."""
    defender_hand: PackSet
    bout: BareBout
    """A :class:`Bout`."""
    stock: int
    """How many cards are left to draw, the turn-up included."""
    shown: PackSet
    """Every card that both have seen, laid in an earlier bout or turned up."""
    setting: BareSetting
    """A :class:`Setting`."""


BareState: TypeAlias = tuple[Actions, Seat, str, PackSet, PackSet, BareBout, int, PackSet, BareSetting]


@dataclass(frozen=True)
class DurakRules(Rules):
    """The options of Durak."""

    throw_in: bool = False
    """D11: after ``take`` the attacker may give further cards."""
    turn_over: Literal["opening", "any", "off"] = "off"
    """D12: the defender may answer with a card of the same rank, and the roles swap; ``opening`` is usual."""
    first_bout_five: bool = False
    """D14: at most five attack cards in the first bout. An addition: the source does not have it."""
    lowest_trump_begins: bool = False
    """D15: whoever holds the lowest trump attacks first. An addition, too."""


@dataclass(frozen=True, kw_only=True)
class DurakObservation(Observation):
    """Everything that a seat of Durak knows."""

    hand: tuple[Card, ...]
    counts: tuple[int, int]
    """How many cards each seat holds."""
    known: tuple[tuple[Card, ...], tuple[Card, ...]]
    """The cards in each hand that everybody has seen."""
    attacker: int
    lead: int
    """The seat that laid the first attack card of the bout and so draws first (D8)."""
    bout: Actions
    """How the cards on the table were laid, in order."""
    turn_up: Card | None
    stock: int
    """How many cards are left to draw, the turn-up included."""
    shown: CardSet
    """Every card that both have seen, laid in an earlier bout or turned up."""
    past: tuple[Position, ...]
    """The positions that count for D13; for the players, who know each other's cards by then."""
    most_attacks: int
    """How many attack cards may lie on the table in this bout (D6, D14)."""
    turn_over: Literal["off", "any", "opening"]
    """The option of this name (D12)."""

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attack cards that have not been beaten, as they were laid."""
        return tuple([card for card, beater in pairs(self.bout) if beater is None])

    @property
    def forced(self) -> bool:
        """Whoever attacks with one card plays it; whether a card beats another only its owner knows."""
        return self.phase == ATTACK and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        thought: list[Action] = []
        if self.legal and self.phase == DEFEND:
            unbeaten = sorted(self.unbeaten)
            if self.turn_over != "off":
                thought += [TURN[card] for card in self.hand if rank_of(card) == rank_of(unbeaten[0])]
            thought += [BEAT[card, attack_card] for attack_card in unbeaten for card in self.hand]
        elif self.legal and self.phase in (MORE, THROW):
            thought += [PLAY[card] for card in self.hand]
        legal = {action.text for action in self.legal}
        return tuple([(action, self.refusal(action)) for action in thought if action.text not in legal])

    def refusal(self, action: Action) -> Reason:
        if self.phase == OVER:
            return Reason("match_over")
        if self.phase == DEAL:
            return Reason("deal_first")
        if action.kind == "deal" or self.seat != self.to_act:
            return Reason("not_now")
        if action.cards and action.cards[0] not in self.hand:
            return Reason("not_in_hand", {"card": action.cards[0]})
        return self._refused_defence(action) if self.phase == DEFEND else self._refused_attack(action)

    def _refused_attack(self, action: Action) -> Reason:
        """Why the attacker may not do this (D3, D5, D11)."""
        if action.kind == "pass":
            return Reason("must_attack")
        return Reason("rank_not_on_table", {"card": action.cards[0]}) if action.kind == "play" else Reason("you_attack")

    def _refused_defence(self, action: Action) -> Reason:
        """Why the defender may not do this (D4)."""
        if action.kind == "turn":
            return self._refused_turn_over()
        if action.kind != "beat":
            return Reason("you_defend")
        card, attack_card = action.cards
        if attack_card not in self.unbeaten:
            return Reason("not_to_beat", {"card": attack_card})
        return Reason("does_not_beat", {"card": card, "attack_card": attack_card})

    def _refused_turn_over(self) -> Reason:
        """Why the defender may not turn the attack over, be it with this card or with any (D12)."""
        attack_cards, unbeaten = len(pairs(self.bout)), len(self.unbeaten)
        last = self.bout[-1]
        attacker_cards = self.counts[self.attacker - 1]
        if self.turn_over == "off":
            return Reason("turn_is_off")
        if last.kind == "beat":
            return Reason("turn_after_beat")
        if self.turn_over == "opening" and unbeaten < attack_cards:
            return Reason("turn_only_opening")
        if attack_cards >= self.most_attacks:
            return Reason("enough_attacks", {"count": self.most_attacks})
        if unbeaten >= attacker_cards:
            return Reason("more_than_hand", {"count": attacker_cards})
        return Reason("turn_other_rank", {"card": last.cards[0]})


class Durak(Game[BareState, DurakObservation]):
    """Durak for two."""

    NAME = "durak"
    SEATS = (2,)
    RULES = DurakRules
    PACK = PACK
    ACTIONS = ACTIONS
    SELECTIONS = ("beat",)
    ZERO_SUM = True
    PHASES = (DEAL, ATTACK, DEFEND, MORE, THROW, OVER)

    def __init__(self, seats: int, rules: DurakRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: DurakRules = rules
        self._throws_in, self._turns_over = rules.throw_in, rules.turn_over != "off"
        first = MOST_ATTACKS_FIRST if rules.first_bout_five else MOST_ATTACKS
        self._most_attacks = (*[MOST_ATTACKS] * STOCK, first)  # for each number of cards left to draw
        self._most_cards = tuple([2 * most for most in self._most_attacks])  # when all of them are beaten

    def start(self) -> BareState:
        return ((), CHANCE, DEAL, 0, 0, NO_BOUT, 0, 0, (-1, (), ()))

    # Every action asks for these two, and a method would take twice the time.
    to_act = itemgetter(State._fields.index("to_act"))  # type: ignore[assignment]
    legal_actions = itemgetter(State._fields.index("legal"))  # type: ignore[assignment]

    def apply(self, state: BareState, action: Action, tell: EventSink | None = None) -> BareState:
        """Attack, beat, go on, stop, take or throw in (D3 to D8, D11); the other actions are the methods below.

        An action that does not end the bout returns early; the end of the bout stands last.
        """
        legal, to_act, phase, attacker_hand, defender_hand, bout, stock, shown, setting = state
        # D3, D5: the attacker lays an attack card; the defender's answers to it are looked up (D4).
        if phase == ATTACK or (phase == MORE and action.kind == "play"):
            turn_up, bottom, positions = setting
            attack = ATTACKS[turn_up][action.text]
            card, begun, higher_at, higher_mask, by_higher, trumps_at, by_low_trump, by_high_trump_or_take = attack
            if phase == ATTACK:  # D3: the attacker begins a bout with any card
                if not attacker_hand & card:
                    raise self.illegal(state, action)
                if tell is not None:
                    tell(Event("attacked", {"seat": to_act, "card": action.cards[0]}))
                bout = begun
            else:  # D5: and goes on with a card of a rank that lies there
                laid, table, unbeaten, ranks = bout
                if not attacker_hand & ranks & card:
                    raise self.illegal(state, action)
                if tell is not None:
                    tell(Event("attacked_again", {"seat": to_act, "card": action.cards[0]}))
                laid += (action,)
                bout = (laid, table + card, card, ranks)
            attacker_hand -= card
            higher, trumps = defender_hand >> higher_at & higher_mask, defender_hand >> trumps_at & SUIT
            legal = by_higher[higher] + by_low_trump[trumps & LOW] + by_high_trump_or_take[trumps >> 5]
            if self._turns_over:
                legal = self._turns(attacker_hand, defender_hand, bout, stock) + legal
            return (legal, 3 - to_act, DEFEND, attacker_hand, defender_hand, bout, stock, shown, setting)
        # D4, D5, D11: an action that may end the bout says who attacks in it, whether the defence has held, and whether
        # more cards may be thrown in first.
        match action.kind:
            case "beat" if action in legal:  # D4: the defender beats; D5: when all are beaten, the attacker may go on
                card, attack_card = action.cards
                if tell is not None:
                    tell(Event("beat", {"seat": to_act, "card": card, "attack_card": attack_card}))
                laid, table, unbeaten, ranks = bout
                laid += (action,)
                unbeaten -= BIT[attack_card]
                ranks |= SAME_RANK[card]
                bout = (laid, table + BIT[card], unbeaten, ranks)
                defender_hand -= BIT[card]
                if unbeaten:
                    legal = answers_to_all(unbeaten, Setting._make(setting).turn_up, defender_hand)
                    return (legal, to_act, phase, attacker_hand, defender_hand, bout, stock, shown, setting)
                if attacker_hand and defender_hand and len(laid) < self._most_cards[stock]:
                    legal = PLAYS_OR_PASS[attacker_hand & ranks]
                    return (legal, 3 - to_act, MORE, attacker_hand, defender_hand, bout, stock, shown, setting)
                attacker, held, may_throw = 3 - to_act, True, False
            case "take" if phase == DEFEND:  # D4: or takes; D11: but the attacker may throw more in first
                if tell is not None:
                    tell(Event("takes", {"seat": to_act}))
                attacker, held, may_throw = 3 - to_act, False, self._throws_in
            case "pass" if phase in (MORE, THROW):  # D5: or stops; D11: or stops throwing in
                if tell is not None:
                    tell(Event("passed", {"seat": to_act}))
                attacker, held, may_throw = to_act, phase == MORE, False
            case "play" if action in legal:  # D11: the attacker throws a card in
                if tell is not None:
                    tell(Event("threw_in", {"seat": to_act, "card": action.cards[0]}))
                attacker_hand -= BIT[action.cards[0]]
                bout = one_more(bout, action)
                attacker, held, may_throw = to_act, False, True
            case "turn" if action in legal:
                return self._turn_over(state, action, tell)
            case "deal" if phase == DEAL:
                return self._deal(state, action, tell)
            case _:
                raise self.illegal(state, action)
        laid, table, unbeaten, ranks = bout
        if may_throw and attacker_hand:  # D11: as far as D6 leaves room
            to_beat = unbeaten.bit_count()
            if to_beat < defender_hand.bit_count() and len(laid) + to_beat < self._most_cards[stock]:
                legal = PLAYS_OR_PASS[attacker_hand & ranks]
                return (legal, attacker, THROW, attacker_hand, defender_hand, bout, stock, shown, setting)
        # The bout ends. D7: where the defence has held the cards leave the game and the roles swap, else the defender
        # takes them.
        turn_up, bottom, positions = setting
        if tell is not None:
            _tell_end(tell, "held" if held else "took", 3 - attacker, laid, table)
        if not held:
            defender_hand += table
        # D8: whoever laid the first attack card draws up to six, and after that the other.
        defender_first = held and self._turns_over and _swapped(laid)  # who has laid it attacks next, too
        if defender_first:
            attacker, attacker_hand, defender_hand = 3 - attacker, defender_hand, attacker_hand
        if stock:
            left = LEFT_AFTER_REFILL[stock][attacker_hand.bit_count()]
            if tell is not None:
                _tell_drawn(tell, attacker, bottom[stock] - bottom[left])
            attacker_hand += bottom[stock] - bottom[left]
            stock = left
            if held:  # who takes has six or more
                left = LEFT_AFTER_REFILL[stock][defender_hand.bit_count()]
                if tell is not None:
                    _tell_drawn(tell, 3 - attacker, bottom[stock] - bottom[left])
                defender_hand += bottom[stock] - bottom[left]
                stock = left
        if held and not defender_first:
            attacker, attacker_hand, defender_hand = 3 - attacker, defender_hand, attacker_hand
        legal = plays(attacker_hand)
        shown |= table
        after = (legal, attacker, ATTACK, attacker_hand, defender_hand, NO_BOUT, stock, shown, setting)
        if not stock and (self._turns_over or not (attacker_hand and defender_hand)):
            return self._endgame(after, held, tell)
        return after

    def _deal(self, state: BareState, action: Action, tell: EventSink | None) -> BareState:
        """D2: six each, the dealer's opponent first; card 13 is turned up and goes under the stock."""
        check_pack(action, PACK)
        pack, turn_up = action.cards, action.cards[12]
        hands = {3 - self.dealer: pack_set(pack[0:12:2]), self.dealer: pack_set(pack[1:12:2])}
        attacker = self.first_attacker(hands, turn_up)
        if tell is not None:
            tell(Event("dealt", {"seat": self.dealer, "count": HAND}))
            tell(Event("turned_up", {"card": turn_up}))
            if self.rules.lowest_trump_begins:
                tell(Event("begins", {"seat": attacker}))
        attacker_hand, defender_hand = hands[attacker], hands[3 - attacker]
        setting = (turn_up, _bottom([BIT[card] for card in (*pack[13:], turn_up)]), ())
        legal, shown = plays(attacker_hand), BIT[turn_up]
        return (legal, attacker, ATTACK, attacker_hand, defender_hand, NO_BOUT, STOCK, shown, setting)

    def first_attacker(self, hands: dict[int, PackSet], turn_up: Card) -> int:
        """D3: the dealer's opponent. D15: the dealer, if theirs is the lowest trump in the hands as they were dealt.

        *Ruling*: D15 shows nobody which card that is.
        """
        trumps = (hands[1] | hands[2]) & SAME_SUIT[turn_up]
        lowest = trumps & -trumps
        return self.dealer if self.rules.lowest_trump_begins and lowest & hands[self.dealer] else 3 - self.dealer

    def _endgame(self, state: BareState, held: bool, tell: EventSink | None) -> BareState:
        """D9: once the stock and a hand are empty the game is over. D13: so it is when a position stands a third time.

        *Rulings*: whoever has no cards when the other's refill takes the last of the stock is out and wins (D9); and
        all of D13. Only turning over brings a position back: every other bout takes cards out of play, or out of the
        attacker's hand for good.
        """
        legal, attacker, phase, attacker_hand, defender_hand, bout, stock, shown, setting = state
        turn_up, bottom, positions = setting
        if held:
            positions = ()
        over = not (attacker_hand and defender_hand)
        if not over:
            position = Position(attacker_hand, defender_hand, attacker)
            positions += (position,)
            over = positions.count(position) == 3
        setting = (turn_up, bottom, positions)
        if not over:
            return (legal, attacker, phase, attacker_hand, defender_hand, bout, stock, shown, setting)
        if attacker == 2:
            attacker_hand, defender_hand = defender_hand, attacker_hand
        ended = ((), None, OVER, attacker_hand, defender_hand, NO_BOUT, stock, shown, setting)
        if tell is not None:
            fool = _fool(make(State, ended))
            tell(Event("fool", {"seat": fool}) if fool else Event("nobody_lost"))
        return ended

    def _turn_over(self, state: BareState, action: Action, tell: EventSink | None) -> BareState:
        """D12: the defender lays a card beside the attack as one more to be beaten, and the roles swap at once."""
        legal, to_act, phase, attacker_hand, defender_hand, bout, stock, shown, setting = state
        if tell is not None:
            tell(Event("turned", {"seat": to_act, "card": action.cards[0]}))
        bout = one_more(bout, action)
        attacker_hand, defender_hand = defender_hand - BIT[action.cards[0]], attacker_hand
        legal = self._answers(attacker_hand, defender_hand, bout, stock, Setting._make(setting).turn_up)
        return (legal, 3 - to_act, phase, attacker_hand, defender_hand, bout, stock, shown, setting)

    def _answers(
        self, attacker_hand: PackSet, defender_hand: PackSet, bout: BareBout, stock: int, turn_up: Card
    ) -> Actions:
        """D4, D12: what the defender may do when nothing of this attack is beaten."""
        turns = self._turns(attacker_hand, defender_hand, bout, stock) if self._turns_over else ()
        return turns + answers_to_all(Bout._make(bout).unbeaten, turn_up, defender_hand)

    def _turns(self, attacker_hand: PackSet, defender_hand: PackSet, bout: BareBout, stock: int) -> Actions:
        """D12: the actions that turn the attack over with any card of its rank.

        *Ruling*: only while none of this attack is beaten, and with ``opening`` none of the bout.
        """
        laid, table, unbeaten, ranks = bout
        last = laid[-1]
        same_rank = defender_hand & SAME_RANK[last.cards[0]]
        to_beat = unbeaten.bit_count()
        if (
            not same_rank
            or last.kind == "beat"
            or (self.rules.turn_over == "opening" and unbeaten != table)
            or len(laid) + to_beat >= self._most_cards[stock]
            or to_beat >= attacker_hand.bit_count()
        ):
            return ()
        return TURNS[same_rank]

    def observation(self, state: BareState, seat: int) -> DurakObservation:
        s = make(State, state)
        laid, setting, attacker = Bout._make(s.bout).laid, Setting._make(s.setting), self._attacker(s)
        hands = self._by_seat(s)
        return DurakObservation(
            seat=seat,
            phase=s.phase,
            to_act=s.to_act,
            legal=s.legal if seat == s.to_act else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=cards(hands[seat - 1]) if seat else (),
            counts=(hands[0].bit_count(), hands[1].bit_count()),
            known=(cards(hands[0] & s.shown), cards(hands[1] & s.shown)),
            attacker=attacker,
            lead=3 - attacker if _swapped(laid) else attacker,
            bout=laid,
            turn_up=None if s.phase == DEAL else setting.turn_up,
            stock=s.stock,
            shown=as_card_set(s.shown),
            past=setting.positions if seat else (),
            most_attacks=self._most_attacks[s.stock],
            turn_over=self.rules.turn_over,
        )

    def _attacker(self, s: State) -> int:
        """The seat that attacks; before the deal whoever would without D15, after the end seat 1."""
        if s.phase == DEAL:
            return 3 - self.dealer
        if s.phase == OVER:
            return 1
        attacker: int = 3 - s.to_act if s.phase == DEFEND else s.to_act
        return attacker

    def _by_seat(self, s: State) -> tuple[PackSet, PackSet]:
        """The hands in the order of the seats."""
        return (s.attacker_hand, s.defender_hand) if self._attacker(s) == 1 else (s.defender_hand, s.attacker_hand)

    def sampler(self, observation: DurakObservation) -> Callable[[Random], BareState]:
        """As in the contract. What D15 tells about the hands that were dealt is kept in mind until the first refill."""
        o = observation
        if o.turn_up is None:
            start = self.start()
            return lambda rng: start
        turn_up, other, bout = o.turn_up, 3 - o.seat, NO_BOUT
        for action in o.bout:
            bout = lay(bout, action)
        table = Bout._make(bout).table
        hand, known, shown = pack_set(o.hand), pack_set(o.known[other - 1]), as_pack_set(o.shown)
        unseen = [BIT[card] for card in cards(WHOLE_PACK & ~(hand | table | shown))]
        missing = o.counts[other - 1] - len(o.known[other - 1])
        lowest = [BIT[turn_up]] if o.stock else []
        first_bout = self.rules.lowest_trump_begins and o.stock == STOCK

        def draw(rng: Random) -> BareState:
            for _ in range(GUESSES):
                mixed = shuffled(unseen, rng)
                other_hand = known | sum(mixed[:missing])
                if not first_bout or self._could_begin(o, {o.seat: hand, other: other_hand}):
                    break
            else:
                raise ValueError("no hands fit what is known")
            setting = (turn_up, _bottom(mixed[missing:] + lowest), o.past)
            hands = (hand, other_hand) if o.attacker == o.seat else (other_hand, hand)
            legal = o.legal if o.to_act == o.seat else self._legal(o.phase, *hands, bout, o.stock, turn_up)
            return (legal, o.to_act, o.phase, *hands, bout, o.stock, shown, setting)

        return draw

    def _could_begin(self, o: DurakObservation, hands: dict[int, PackSet]) -> bool:
        """D15: whether these hands, with what has been laid since they were dealt, let that seat begin which did."""
        dealt, attacker = dict(hands), o.lead
        for action in o.bout:
            by = attacker if action.kind == "play" else 3 - attacker
            dealt[by] |= BIT[action.cards[0]]
            if action.kind == "turn":
                attacker = by
        return o.turn_up is not None and self.first_attacker(dealt, o.turn_up) == o.lead

    def _legal(
        self, phase: str, attacker_hand: PackSet, defender_hand: PackSet, bout: BareBout, stock: int, turn_up: Card
    ) -> Actions:
        """The legal actions of a state that no action led to."""
        if phase == DEFEND:
            return self._answers(attacker_hand, defender_hand, bout, stock, turn_up)
        if phase in (MORE, THROW):
            return PLAYS_OR_PASS[attacker_hand & Bout._make(bout).ranks]
        return plays(attacker_hand) if phase == ATTACK else ()

    def key(self, state: BareState) -> Hashable:
        s = make(State, state)
        turn_up, bottom, positions = s.setting
        laid, table, unbeaten, ranks = s.bout
        to_beat = unbeaten.bit_count() if s.phase == THROW else unbeaten  # what is taken is only counted (D6)
        found: tuple[Hashable, ...] = (
            s.to_act, s.phase, s.attacker_hand, s.defender_hand, table, to_beat, SAME_SUIT[turn_up]
        )  # fmt: skip
        if s.stock:
            found += (bottom[: s.stock + 1], self._turns_over and _swapped(laid))
        if self._turns_over:
            found += (s.phase == DEFEND and s.legal[0].kind == "turn", tuple(sorted(positions)))
        return found

    def scores(self, state: BareState) -> tuple[int, int]:
        fool = _fool(make(State, state))
        if not fool:
            return 0, 0
        return (-1, 1) if fool == 1 else (1, -1)

    def outcome(self, state: BareState) -> Outcome | None:
        s = make(State, state)
        if s.phase != OVER:
            return None
        fool = _fool(s)
        if fool:
            return Outcome(self.scores(state), (3 - fool,), Reason("fool", {"seat": fool}))
        return Outcome((0, 0), (), Reason("repetition" if s.attacker_hand else "both_out"))

    def hands(self, state: BareState) -> tuple[tuple[Card, ...], ...]:
        s = make(State, state)
        if s.phase == OVER and s.attacker_hand and s.defender_hand:
            return ((), ())  # only a fool keeps cards after the end, and there is none in a draw
        first, second = self._by_seat(s)
        return (cards(first), cards(second))

    def parse(self, text: str) -> Action:
        card, beats, beaten = text.partition(">")
        if beats and CARDS.get(card) in PLAY and CARDS.get(beaten) in PLAY:
            return BEAT[CARDS[card], CARDS[beaten]]
        return super().parse(text)

    def next_dealer(self, state: BareState) -> int:
        """D9: the fool deals; after a draw the deal passes on. *Ruling*: a match is one game."""
        outcome = self.outcome(state)
        return 3 - outcome.winners[0] if outcome and outcome.winners else self.dealer % 2 + 1


def _bottom(stock: Sequence[PackSet]) -> tuple[PackSet, ...]:
    """The stock, next card first, as the state keeps it."""
    return tuple(accumulate(reversed(stock), or_, initial=0))


def _tell_drawn(tell: EventSink, seat: int, drawn: PackSet) -> None:
    """Tell what a seat has drawn, if anything: itself the cards, the other how many."""
    if drawn:
        found = cards(drawn)
        shown = Event("drew", {"seat": seat, "cards": found})
        tell_owner(tell, 2, seat, shown, Event("drew_hidden", {"seat": seat, "count": len(found)}))


def _tell_end(tell: EventSink, key: str, defender: int, laid: Actions, table: PackSet) -> None:
    """Tell how a bout has ended and what lay there, as it was laid: the second of ``beating_cards`` beat the second of
    ``beaten_cards``."""
    beats = [action.cards for action in laid if action.kind == "beat"]
    tell(
        Event(
            key,
            {
                "seat": defender,
                "cards": cards(table),
                "attack_cards": tuple([action.cards[0] for action in laid if action.kind != "beat"]),
                "beaten_cards": tuple([attack_card for _, attack_card in beats]),
                "beating_cards": tuple([card for card, _ in beats]),
            },
        )
    )


def _swapped(laid: Actions) -> bool:
    """Whether the roles have changed since the first attack card, as they do whenever the attack is turned over."""
    swapped = False
    for action in laid:
        if action.kind == "turn":
            swapped = not swapped
    return swapped


def _fool(s: State) -> int:
    """The seat that alone holds cards after the end; 0 before that, and if both do or neither."""
    if s.phase != OVER or bool(s.attacker_hand) == bool(s.defender_hand):
        return 0
    return 1 if s.attacker_hand else 2


GAME = Durak
