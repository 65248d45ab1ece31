"""Durak for two: shared/spec/durak.md, clauses D1–D13.

A state is a flat tuple, unpacked at the top of whatever reads it:

    legal     the legal actions: every state is asked for them, and every action is checked against them
    seat      the seat to act; 0 chance, None when the match is over
    open      the attack cards not yet beaten: the defender answers them, or the attacker throws in
    ours      the attacker's hand; that of seat 1 before the deal and after the end
    theirs    the other's hand
    lies      what lies on the table, empty at the start of a bout, else a tuple of its own:

        table     every card of the bout
        ranks     every card of their ranks (D5)
        bout      the actions of the bout, in order, one a card
        taking    whether the defender has said `take`, and the attacker may throw in (D11)

    rest      what only the end of a bout changes, a tuple of its own:

        turn_up   the card that made trumps (D2)
        stock     the cards to be drawn: for each one, next first, the set of it and all after it
        shown     cards that both have seen: laid on a table that has been cleared, or turned up
        past      hands and attacker at each start of a bout since the stock ran out and cards last left the game (D13)

An attack card that has been laid and not answered is in ``open`` alone: it still counts in ``ours``, and not yet in
``lies``. A set of cards has one bit a card of the pack, in its order: nine a suit (0x1FF), twelve a third of the pack
(0xFFF). So what a hand can do is looked up in lists, by a suit or by a third of the pack at a time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter, or_
from random import Random
from typing import Any, Literal, TypeAlias

from cardgames.engine.cards import NAMES, Card, CardSet, card_set, rank_of, suit_of
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

PackSet: TypeAlias = int
"""A set of cards as a state keeps it: bit ``1 << n`` for the card ``PACK[n]``."""

Past: TypeAlias = tuple[tuple[PackSet, PackSet, int], ...]
Rest: TypeAlias = tuple[Card, tuple[PackSet, ...], PackSet, Past]
Bout: TypeAlias = tuple[Action, ...]
Seat: TypeAlias = Any
"""``int | None``, and never ``None`` where it is counted with."""
Lies: TypeAlias = tuple[PackSet, PackSet, Bout, bool]
State: TypeAlias = tuple[tuple[Action, ...], Seat, PackSet, PackSet, PackSet, tuple[()] | Lies, Rest]

DEAL, ATTACK, DEFEND, MORE, THROW, OVER = "deal", "attack", "defend", "more", "throw", "over"
HAND = 6

PACK = tuple(card for card in range(52) if rank_of(card) >= 4)
"""D1: the 36 cards from the six up."""

BIT: tuple[PackSet, ...] = tuple(1 << PACK.index(card) if card in PACK else 0 for card in range(52))
SAME_RANK: tuple[PackSet, ...] = tuple(
    sum(BIT[other] for other in range(52) if rank_of(other) == rank_of(card)) for card in range(52)
)


def _pack_set(cards: Iterable[Card]) -> PackSet:
    """The set of these cards, each once."""
    return sum([BIT[card] for card in cards])


def _cards(found: PackSet) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    return tuple([card for card in PACK if found & BIT[card]])


PLAY = {card: Action("play", NAMES[card], (card,)) for card in PACK}
TURN = {card: Action("turn", f"turn {NAMES[card]}", (card,)) for card in PACK}
BEAT = {(x, y): Action("beat", f"{NAMES[x]}>{NAMES[y]}", (x, y)) for x in PACK for y in PACK}
PASS = Action("pass", "pass")
TAKE = Action("take", "take")
ACTIONS = {action.text: action for action in (PASS, TAKE, *PLAY.values(), *TURN.values(), *BEAT.values())}

NOTHING: Lies = (0, 0, (), False)
"""An empty table."""

Listed: TypeAlias = list[tuple[Action, ...]]
"""The actions for each set of some cards, its bits counted from the first of them."""


def _listed(actions: Sequence[Action], last: tuple[Action, ...] = ()) -> Listed:
    """For each set of the cards that ``actions`` stand for, in order, those actions; then ``last``."""
    found: Listed = [last]
    for action in reversed(actions):
        found = [each for after in found for each in (after, (action, *after))]
    return found


# To play any card of a hand, by thirds of the pack; the last third with or without ``pass`` after it.
PLAYS = [*PLAY.values()]
PLAYS_LOW, PLAYS_MIDDLE, PLAYS_HIGH = _listed(PLAYS[:12]), _listed(PLAYS[12:24]), _listed(PLAYS[24:])
PLAYS_HIGH_OR_PASS = _listed(PLAYS[24:], (PASS,))

# To beat a card with a higher one of its suit, by the cards above it; shared by all trumps, so that they stay at hand.
HIGHER = {
    card: _listed([BEAT[other, card] for other in PACK if suit_of(other) == suit_of(card) and other > card])
    for card in PACK
}

Attack: TypeAlias = tuple[PackSet, int, int, Listed, int, Listed]
_OF_TRUMPS: list[dict[str, Attack]] = [{} for _ in range(4)]
ATTACKS = tuple(_OF_TRUMPS[suit_of(card)] for card in range(52))
"""For each turn-up, and each attack card Y by its name: Y; where in a hand the cards above Y begin, the set of all of
them, and how they beat it; where trumps begin and how they do, or ``take`` (D4). Filled in as they are met."""

BEATEN: dict[str, tuple[PackSet, Lies]] = {
    action.text: (BIT[x], (BIT[x] | BIT[y], SAME_RANK[x] | SAME_RANK[y], (PLAY[y], action), False))
    for (x, y), action in BEAT.items()
}
"""For each ``X>Y``: the card X, and what then lies there of this attack."""


def _attack(turn_up: Card, card: Card) -> Attack:
    """What an attack with ``card`` leads to when ``turn_up`` is turned up."""
    found = ATTACKS[turn_up].get(NAMES[card])
    if not found:
        above = PACK.index(card) + 1
        trumps = [other for other in PACK if suit_of(other) == suit_of(turn_up)]
        beats_or_take = _listed([BEAT[other, card] for other in trumps if other > card or card not in trumps], (TAKE,))
        if card in trumps:
            below = above - PACK.index(trumps[0])
            beats_or_take = [beats_or_take[held >> below] for held in range(1 << len(trumps))]
        higher: Listed = [()] if card in trumps else HIGHER[card]
        found = (BIT[card], above, len(higher) - 1, higher, PACK.index(trumps[0]), beats_or_take)
        ATTACKS[turn_up][NAMES[card]] = found
    return found


@dataclass(frozen=True)
class DurakRules(Rules):
    """The options of Durak."""

    throw_in: bool = False
    """D11: after ``take`` the attacker may give further cards."""
    turn_over: Literal["off", "any", "opening"] = "off"
    """D12: the defender may answer with a card of the same rank, and the roles swap."""


@dataclass(frozen=True, kw_only=True)
class DurakObservation(Observation):
    """What a seat of Durak knows."""

    hand: tuple[Card, ...]
    counts: tuple[int, int]
    """How many cards each seat holds."""
    known: tuple[tuple[Card, ...], tuple[Card, ...]]
    """The cards in each hand that everybody has seen."""
    attacker: int
    lead: int
    """The seat that laid the first attack card of the bout and so draws first (D8)."""
    bout: Bout
    turn_up: Card | None
    stock: int
    """How many cards are left to draw, the turn-up included."""
    shown: CardSet
    past: Past
    """For the players, who know each other's cards as soon as the stock has run out."""


class Durak(Game[State, DurakObservation]):
    """Durak for two."""

    NAME = "durak"
    SEATS = (2,)
    RULES = DurakRules

    def __new__(cls, seats: int = 2, rules: DurakRules | None = None, dealer: int = 1) -> "Durak":
        """The options have a class of their own."""
        return super().__new__(DurakWithOptions if rules and (rules.throw_in or rules.turn_over != "off") else cls)

    def __init__(self, seats: int, rules: DurakRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: DurakRules = rules
        self._turn_over = rules.turn_over != "off"

    def start(self) -> State:
        return ((), CHANCE, 0, 0, 0, (), (-1, (), 0, ()))

    to_act = itemgetter(1)  # type: ignore[assignment]  # the one lookup that a method would return

    def chance(self, state: State) -> Chance | None:
        return Chance("deal", PACK, len(PACK)) if state[1] == CHANCE else None

    legal_actions = itemgetter(0)  # type: ignore[assignment]

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        legal, seat, open_, ours, theirs, lies, rest = state
        text = action.text
        if open_:  # D4: the defender takes or beats; without options it is one card
            if text == "take":
                if tell is not None:
                    tell(Event("takes", {"seat": seat}))
                return self._took(3 - seat, ours ^ open_, theirs, lies[0] | open_ if lies else open_, rest, tell)
            if action not in legal:
                raise IllegalAction(self._refusal(state, action))
            if tell is not None:
                tell(Event("beat", {"seat": seat, "card": action.cards[0], "attack_card": action.cards[1]}))
            beater, pair = BEATEN[text]
            ours ^= open_
            theirs ^= beater
            if lies:
                table, ranks, bout, _ = lies
                more_table, more_ranks, more, _ = pair
                lies = (table | more_table, ranks | more_ranks, bout + more, False)
            else:
                lies = pair
            if ours and theirs and len(lies[2]) < 2 * HAND:  # D7: else the bout ends by itself
                may = ours & lies[1]
                return (PLAYS_LOW[may & 0xFFF] + PLAYS_MIDDLE[may >> 12 & 0xFFF] + PLAYS_HIGH_OR_PASS[may >> 24],
                        3 - seat, 0, ours, theirs, lies, rest)  # fmt: skip
            return self._held(3 - seat, ours, theirs, lies[0], rest, tell)
        if lies:  # D5: the attacker adds a card of a rank that lies there, or stops
            if action not in legal:
                raise IllegalAction(self._refusal(state, action))
            if text == "pass":
                if tell is not None:
                    tell(Event("passed", {"seat": seat}))
                return self._held(seat, ours, theirs, lies[0], rest, tell)
        try:
            card, above, mask, higher, trumps, beats_or_take = ATTACKS[rest[0]][text]
        except KeyError:
            card = 0
        if not ours & card:  # D3: any card to begin a bout
            return self._no_attack(state, action, tell)
        if tell is not None:
            tell(Event("attacked_again" if lies else "attacked", {"seat": seat, "card": action.cards[0]}))
        return (higher[theirs >> above & mask] + beats_or_take[theirs >> trumps & 0x1FF],
                3 - seat, card, ours, theirs, lies, rest)  # fmt: skip

    def _no_attack(self, state: State, action: Action, tell: EventSink | None) -> State:
        """After an action that is not found among the attacks: it is the deal, or illegal, or one not met before."""
        if state[1] == CHANCE:
            return self._deal(action, tell)
        if action not in state[0]:
            raise IllegalAction(self._refusal(state, action))
        _attack(state[6][0], action.cards[0])
        return self.apply(state, action, tell)

    def _deal(self, action: Action, tell: EventSink | None) -> State:
        """D2: six each, the opponent first; card 13 is turned up and goes under the stock."""
        check_pack(action, PACK)
        pack = action.cards
        turn_up = pack[12]
        if tell is not None:
            tell(Event("dealt", {"seat": self.dealer, "count": HAND}))
            tell(Event("turned_up", {"card": turn_up}))
        ours, theirs = _pack_set(pack[0:12:2]), _pack_set(pack[1:12:2])
        rest = (turn_up, _stock(pack[13:] + pack[12:13]), BIT[turn_up], ())
        return (_plays(ours), 3 - self.dealer, 0, ours, theirs, (), rest)

    def _took(
        self, attacker: int, ours: PackSet, theirs: PackSet, table: PackSet, rest: Rest, tell: EventSink | None
    ) -> State:
        """The end of a bout by ``take`` (D7). Only the attacker can be short of six cards, and draws (D8)."""
        turn_up, stock, shown, past = rest
        if tell is not None:
            tell(Event("took", {"seat": 3 - attacker, "cards": _cards(table)}))
        theirs |= table
        if stock:
            missing = HAND - ours.bit_count()
            if missing > 0:
                left = stock[missing:]
                drawn = stock[0] ^ left[0] if left else stock[0]
                ours |= drawn
                stock = left
                if tell is not None:
                    _tell_drawn(tell, attacker, drawn)
        rest = (turn_up, stock, shown | table, past)
        if not stock and (self._turn_over or not ours):
            return self._endgame(attacker, ours, theirs, rest, tell)
        return (PLAYS_LOW[ours & 0xFFF] + PLAYS_MIDDLE[ours >> 12 & 0xFFF] + PLAYS_HIGH[ours >> 24],
                attacker, 0, ours, theirs, (), rest)  # fmt: skip

    def _held(
        self, attacker: int, ours: PackSet, theirs: PackSet, table: PackSet, rest: Rest, tell: EventSink | None,
        swapped: bool = False,
    ) -> State:  # fmt: skip
        """The end of a bout in which the defence has held (D7), and the refill (D8).

        ``swapped``: the first attack card of the bout was laid by the one who now defends.
        """
        turn_up, stock, shown, _ = rest
        if tell is not None:
            tell(Event("held", {"seat": 3 - attacker, "cards": _cards(table)}))
        if stock:
            if swapped:
                theirs, ours, stock = _refill(theirs, ours, stock, 3 - attacker, tell)
            else:
                ours, theirs, stock = _refill(ours, theirs, stock, attacker, tell)
        rest = (turn_up, stock, shown | table, ())
        if not stock and (self._turn_over or not (ours and theirs)):
            return self._endgame(3 - attacker, theirs, ours, rest, tell)
        return (PLAYS_LOW[theirs & 0xFFF] + PLAYS_MIDDLE[theirs >> 12 & 0xFFF] + PLAYS_HIGH[theirs >> 24],
                3 - attacker, 0, theirs, ours, (), rest)  # fmt: skip

    def _endgame(self, attacker: int, ours: PackSet, theirs: PackSet, rest: Rest, tell: EventSink | None) -> State:
        """Without stock: the game is over when a hand is empty (D9) or a position stands for the third time (D13).

        Only turning over brings a position back; otherwise each bout takes cards from the attacker for good.
        """
        turn_up, stock, shown, past = rest
        if ours and theirs:
            past += ((ours, theirs, attacker),)
            over = past.count(past[-1]) == 3
        else:
            past, over = (), True
        rest = (turn_up, stock, shown, past)
        if not over:
            return (_plays(ours), attacker, 0, ours, theirs, (), rest)
        if attacker == 2:
            ours, theirs = theirs, ours
        if tell is not None:
            fool = _fool(ours, theirs)
            tell(Event("fool", {"seat": fool}) if fool else Event("nobody_lost"))
        return ((), None, 0, ours, theirs, NOTHING, rest)

    def _answers(self, open_: PackSet, ours: PackSet, theirs: PackSet, lies: Lies, rest: Rest) -> tuple[Action, ...]:
        """What the defender may do about what lies there (D4)."""
        found: tuple[Action, ...] = (TAKE,)
        for card in reversed(_cards(open_)):
            _, above, mask, higher, trumps, beats_or_take = _attack(rest[0], card)
            found = higher[theirs >> above & mask] + beats_or_take[theirs >> trumps & 0x1FF][:-1] + found
        return found

    def _no_turn(self, open_: PackSet, ours: PackSet, lies: Lies) -> Reason | None:
        """Why the attack may not be turned over with whatever card of its rank (D12)."""
        return Reason("turn_is_off")

    def _phase(self, state: State) -> str:
        """What is asked."""
        _, seat, open_, _, _, lies, _ = state
        if not seat:
            return OVER if seat is None else DEAL
        if open_:
            return THROW if lies and lies[3] else DEFEND
        return MORE if lies else ATTACK

    def _seen(self, state: State) -> tuple[int, PackSet, PackSet, PackSet, Lies]:
        """Who attacks, the open cards, the attacker's hand, the other's, and what lies there, with a card just laid."""
        _, seat, open_, ours, theirs, lies, _ = state
        if not seat:
            return (1 if seat is None else 3 - self.dealer), open_, ours, theirs, NOTHING
        table, ranks, bout, taking = lies or NOTHING
        laid = open_ & ~table
        for card in _cards(laid):
            ranks |= SAME_RANK[card]
            bout += (PLAY[card],)
        attacker = 3 - seat if open_ and not taking else seat
        return attacker, open_, ours ^ laid, theirs, (table | laid, ranks, bout, taking)

    def _refusal(self, state: State, action: Action) -> Reason:
        """Why ``action``, which is not legal, is not."""
        _, open_, ours, theirs, lies = self._seen(state)
        phase = self._phase(state)
        kind, _, cards, _ = action
        if phase == OVER:
            return Reason("match_over")
        if phase == DEAL or kind == "deal":
            return Reason("deal_first" if phase == DEAL else "not_now")
        if cards and not (theirs if phase == DEFEND else ours) & BIT[cards[0]]:
            return Reason("not_in_hand", {"card": cards[0]})
        if phase == DEFEND:
            if kind == "turn":
                return self._no_turn(open_, ours, lies) or Reason("turn_other_rank", {"card": lies[2][-1].cards[0]})
            if kind != "beat":
                return Reason("you_defend")
            if not open_ & BIT[cards[1]]:
                return Reason("not_to_beat", {"card": cards[1]})
            return Reason("does_not_beat", {"card": cards[0], "attack_card": cards[1]})
        if kind == "pass":
            return Reason("must_attack")
        return Reason("rank_not_on_table", {"card": cards[0]}) if kind == "play" else Reason("you_attack")

    def refused(self, state: State) -> tuple[tuple[Action, Reason], ...]:
        legal = state[0]
        _, open_, ours, theirs, lies = self._seen(state)
        phase = self._phase(state)
        thought: list[Action] = []
        if phase == DEFEND:
            if self._turn_over:
                thought = [TURN[card] for card in _cards(theirs & _turning(lies))]
            thought += [BEAT[x, y] for y in _cards(open_) for x in _cards(theirs)]
        elif phase in (MORE, THROW):
            thought = [PLAY[card] for card in _cards(ours)]
        return tuple([(action, self._refusal(state, action)) for action in thought if action not in legal])

    def observation(self, state: State, seat: int) -> DurakObservation:
        legal, to_act, _, _, _, _, (turn_up, stock, shown, past) = state
        attacker, _, ours, theirs, (_, _, bout, _) = self._seen(state)
        phase = self._phase(state)
        hands = (ours, theirs) if attacker == 1 else (theirs, ours)
        mine = to_act == seat and seat != CHANCE
        return DurakObservation(
            seat=seat,
            phase=phase,
            to_act=to_act,
            legal=legal if mine else (),
            _refused=self.refused(state) if mine else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=_cards(hands[seat - 1]) if seat else (),
            counts=(hands[0].bit_count(), hands[1].bit_count()),
            known=(_cards(hands[0] & shown), _cards(hands[1] & shown)),
            attacker=attacker,
            lead=3 - attacker if _turns(bout) else attacker,
            bout=bout,
            turn_up=None if phase == DEAL else turn_up,
            stock=len(stock),
            shown=card_set(_cards(shown)),
            past=past if seat else (),
        )

    def resample(self, observation: DurakObservation, rng: Random) -> State:
        o = observation
        if o.turn_up is None:
            return self.start()
        table = _pack_set(action.cards[0] for action in o.bout)
        shown = _pack_set(card for card in PACK if o.shown >> card & 1)
        held = _pack_set(o.hand)
        unseen = [card for card in PACK if not (held | table | shown) & BIT[card]]
        rng.shuffle(unseen)
        others = o.known[2 - o.seat]
        missing = o.counts[2 - o.seat] - len(others)
        other = _pack_set((*others, *unseen[:missing]))
        rest = (o.turn_up, _stock((*unseen[missing:], o.turn_up) if o.stock else ()), shown, o.past)
        ours, theirs = (held, other) if o.attacker == o.seat else (other, held)
        if o.phase == OVER:
            return ((), None, 0, ours, theirs, NOTHING, rest)
        if not o.bout:
            return (_plays(ours), o.to_act, 0, ours, theirs, (), rest)
        lies = _lying(o.bout, o.phase == THROW)
        beaten = _pack_set(action.cards[1] for action in o.bout if action.kind == "beat")
        open_ = _pack_set(action.cards[0] for action in o.bout if action.kind != "beat") ^ beaten
        if o.phase != DEFEND:
            return ((*_plays(ours & lies[1]), PASS), o.to_act, open_, ours, theirs, lies, rest)
        legal = self._answers(open_, ours, theirs, lies, rest)
        if o.bout[-1].kind != "play":
            return (legal, o.to_act, open_, ours, theirs, lies, rest)
        before = _lying(o.bout[:-1]) if len(o.bout) > 1 else ()
        return (legal, o.to_act, open_, ours | open_, theirs, before, rest)

    def scores(self, state: State) -> tuple[int, int]:
        fool = _fool(state[3], state[4]) if state[1] is None else 0
        return (0, 0) if not fool else (-1, 1) if fool == 1 else (1, -1)

    def outcome(self, state: State) -> Outcome | None:
        _, seat, _, ours, theirs, _, _ = state
        if seat is not None:
            return None
        fool = _fool(ours, theirs)
        if fool:
            return Outcome(self.scores(state), (3 - fool,), Reason("fool", {"seat": fool}))
        return Outcome((0, 0), (), Reason("repetition" if ours else "both_out"))

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        seat = state[1]
        attacker, _, ours, theirs, _ = self._seen(state)
        if seat is None and ours and theirs:
            return ((), ())  # record.md lets only a fool keep cards at the end, and a draw by repetition has none
        return (_cards(ours), _cards(theirs)) if attacker == 1 else (_cards(theirs), _cards(ours))

    def parse(self, text: str) -> Action:
        if text.startswith("deal "):
            return parse_chance("deal", text)
        try:
            return ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    def next_dealer(self, state: State) -> int:
        outcome = self.outcome(state)
        return 3 - outcome.winners[0] if outcome and outcome.winners else self.dealer % 2 + 1


class DurakWithOptions(Durak):
    """Durak with throw-ins (D11), turn-overs (D12), or both.

    Here several attack cards may lie open. Only one that was laid when nothing else was open is in ``open`` alone.
    """

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        if state[2] or action.text == "pass":
            return self._answer(state, action, tell)
        after = super().apply(state, action, tell)
        if not (self._turn_over and after[2]):
            return after
        _, open_, ours, theirs, lies = self._seen(after)
        return (self._answers(open_, ours, theirs, lies, after[6]), *after[1:])

    def _answer(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Answer open cards, throw in, or pass."""
        legal, seat, _, _, _, _, rest = state
        attacker, open_, ours, theirs, (table, ranks, bout, taking) = self._seen(state)
        if action not in legal:
            raise IllegalAction(self._refusal(state, action))
        kind, _, cards, _ = action
        if cards:
            table |= BIT[cards[0]]
            ranks |= SAME_RANK[cards[0]]
            bout += (ACTIONS[action.text],)
        if kind == "pass":
            if tell is not None:
                tell(Event("passed", {"seat": seat}))
            if taking:
                return self._took(attacker, ours, theirs, table, rest, tell)
            return self._held(attacker, ours, theirs, table, rest, tell, _turns(bout))
        if kind == "beat":
            if tell is not None:
                tell(Event("beat", {"seat": seat, "card": cards[0], "attack_card": cards[1]}))
            open_ ^= BIT[cards[1]]
            theirs ^= BIT[cards[0]]
            lies = (table, ranks, bout, False)
            if open_:
                return (self._answers(open_, ours, theirs, lies, rest), seat, open_, ours, theirs, lies, rest)
            if ours and theirs and len(bout) < 2 * HAND:
                return ((*_plays(ours & ranks), PASS), attacker, 0, ours, theirs, lies, rest)
            return self._held(attacker, ours, theirs, table, rest, tell, _turns(bout))
        if kind == "turn":
            if tell is not None:
                tell(Event("turned", {"seat": seat, "card": cards[0]}))
            open_ |= BIT[cards[0]]
            ours, theirs = theirs ^ BIT[cards[0]], ours
            lies = (table, ranks, bout, False)
            return (self._answers(open_, ours, theirs, lies, rest), attacker, open_, ours, theirs, lies, rest)
        if kind == "take":
            if tell is not None:
                tell(Event("takes", {"seat": seat}))
            if not self.rules.throw_in:
                return self._took(attacker, ours, theirs, table, rest, tell)
        else:
            if tell is not None:
                tell(Event("threw_in", {"seat": seat, "card": cards[0]}))
            open_ |= BIT[cards[0]]
            ours ^= BIT[cards[0]]
        if ours and _attacks_on(table, open_) < HAND and open_.bit_count() < theirs.bit_count():
            return ((*_plays(ours & ranks), PASS), attacker, open_, ours, theirs, (table, ranks, bout, True), rest)
        return self._took(attacker, ours, theirs, table, rest, tell)

    def _answers(self, open_: PackSet, ours: PackSet, theirs: PackSet, lies: Lies, rest: Rest) -> tuple[Action, ...]:
        found = super()._answers(open_, ours, theirs, lies, rest)
        if self._no_turn(open_, ours, lies):
            return found
        return tuple([TURN[card] for card in _cards(theirs & _turning(lies))]) + found

    def _no_turn(self, open_: PackSet, ours: PackSet, lies: Lies) -> Reason | None:
        table, _, bout, _ = lies
        if not self._turn_over:
            return super()._no_turn(open_, ours, lies)
        if bout[-1].kind == "beat":
            return Reason("turn_after_beat")
        if self.rules.turn_over == "opening" and open_ != table:
            return Reason("turn_only_opening")
        if _attacks_on(table, open_) >= HAND:
            return Reason("six_attacks")
        if open_.bit_count() + 1 > ours.bit_count():
            return Reason("more_than_hand", {"count": ours.bit_count()})
        return None


def _stock(cards: tuple[Card, ...]) -> tuple[PackSet, ...]:
    """The stock of these cards, next first, as the state keeps it."""
    return tuple(accumulate([BIT[card] for card in reversed(cards)], or_))[::-1]


def _refill(
    first: PackSet, second: PackSet, stock: tuple[PackSet, ...], seat: int, tell: EventSink | None
) -> tuple[PackSet, PackSet, tuple[PackSet, ...]]:
    """Fill the hand of ``seat`` up to six, then the other's, as far as the stock goes (D8); both and what is left."""
    missing = HAND - first.bit_count()
    if missing > 0:
        left = stock[missing:]
        drawn = stock[0] ^ left[0] if left else stock[0]
        first |= drawn
        stock = left
        if tell is not None:
            _tell_drawn(tell, seat, drawn)
    missing = HAND - second.bit_count()
    if missing > 0 and stock:
        left = stock[missing:]
        drawn = stock[0] ^ left[0] if left else stock[0]
        second |= drawn
        stock = left
        if tell is not None:
            _tell_drawn(tell, 3 - seat, drawn)
    return first, second, stock


def _tell_drawn(tell: EventSink, seat: int, drawn: PackSet) -> None:
    """What ``seat`` has drawn, to itself; how many, to the rest."""
    tell(Event("drew", {"seat": seat, "cards": _cards(drawn)}, (seat,)))
    tell(Event("drew_hidden", {"seat": seat, "count": drawn.bit_count()}, (0, 3 - seat)))


def _lying(bout: Bout, taking: bool = False) -> Lies:
    """What lies there after these actions."""
    table = ranks = 0
    for action in bout:
        table |= BIT[action.cards[0]]
        ranks |= SAME_RANK[action.cards[0]]
    return (table, ranks, bout, taking)


def _turns(bout: Bout) -> bool:
    """Whether the roles have been swapped since the first attack card: every turn-over does (D12)."""
    return sum([action.kind == "turn" for action in bout]) % 2 == 1


def _turning(lies: Lies) -> PackSet:
    """The cards of the rank that attacks now."""
    return SAME_RANK[lies[2][-1].cards[-1]]


def _attacks_on(table: PackSet, open_: PackSet) -> int:
    """How many attack cards lie on the table: every beaten one has its beater beside it."""
    return (table.bit_count() + open_.bit_count()) // 2


def _plays(hand: PackSet) -> tuple[Action, ...]:
    """To play any card of the hand."""
    return PLAYS_LOW[hand & 0xFFF] + PLAYS_MIDDLE[hand >> 12 & 0xFFF] + PLAYS_HIGH[hand >> 24]


def _fool(first: PackSet, second: PackSet) -> int:
    """The seat that alone holds cards at the end; 0 if both do or neither does."""
    return 0 if bool(first) == bool(second) else 1 if first else 2


GAME = Durak
