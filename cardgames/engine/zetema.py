"""The rules of Zetema: clauses Z1–Z11 of ``texts/en/zetema.md``."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, combinations_with_replacement, islice, product
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card, rank_of, suit_of
from cardgames.engine.common_rules import acting_seat, dealt_hands, replace_item, why_not_pack
from cardgames.engine.game import (
    CHANCE,
    EACH_RANK,
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
)
from cardgames.engine.hidden import shuffled, tell_owner

DEAL, TURN, OVER = "deal", "turn", "over"

Cards: TypeAlias = tuple[Card, ...]
"""Cards in ascending order, equal cards side by side."""

PerRank: TypeAlias = Annotated[tuple[Cards, ...], EACH_RANK]
"""The cards of each rank, in the order of ``RANKS``."""

PACK: Cards = tuple(sorted([*range(52), *range(13)]))
"""Z1: a full pack and a second set of spades, 65 cards."""

RANK_CARDS: tuple[Cards, ...] = tuple(tuple(card for card in PACK if rank_of(card) == rank) for rank in range(13))
"""Z1: the five cards of a rank, by rank."""

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence. The ace is low or high, but not both at once."""

SEQUENCES = {size: [tuple(map(RANKS.index, SEQUENCE[at : at + size])) for at in range(15 - size)] for size in (5, 6)}
"""Z1, Z10: the ranks of each sequence, by the number of cards."""

SEQUENCE_RANKS = {size: {*map(frozenset, rows)} for size, rows in SEQUENCES.items()}
"""The sets of ranks that make a sequence, by the number of cards."""

SEQUENCE_KEY = tuple([4 * SEQUENCE.index(RANKS[rank_of(card)]) + suit_of(card) for card in range(52)])
"""A sort key that puts cards in the order of a sequence, by card."""

TRICK_POINTS = tuple({"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}.get(rank, 5) for rank in RANKS)
"""Z4: the points of a trick, by rank. *Ruling* after Sackson and Parlett: most of the source's table is lost."""

COMBINATION_POINTS = {"sequence": 20, "flush": 30, "flush-sequence": 50}
"""Z5: the points of each combination. *Ruling*: the five-card hands of six players (Z10) score the same."""

ASSEMBLY_POINTS = tuple({"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}.get(rank, 100) for rank in RANKS)
"""Z6: the points of an assembly, by rank. *Ruling* after Sackson and Parlett: most of the source's table is lost."""

MARRIAGE_POINTS = {"plain": (0, 10, 30, 60, 100), "imperial": (0, 20, 40, 70, 110), "both": (0, 0, 50, 80, 120, 150)}
"""Z7: the points of marriages, by column of the source's table and number of pairs declared at once.

*Ruling* after Cassell (1881) and Sackson: most of the source's table is lost."""

QUEEN, KING = RANKS.index("Q"), RANKS.index("K")
ROYAL_CARDS = tuple([{13 * suit + QUEEN, 13 * suit + KING} for suit in range(4)])
"""The queen and the king of a suit, by suit."""


# Actions and their notation

COMBINATIONS = tuple(COMBINATION_POINTS)
"""Z5: the names of the combinations."""

HAND_SIZE = 6
"""Z2: the most cards in a hand, with any number of players."""


class MarriagePair(NamedTuple):
    """A king and a queen of one suit, each from the hand or from its pile (Z7)."""

    text: str
    """The notation: the king first, a card from a pile in brackets."""
    suit: int
    hand: tuple[Card, ...]
    table: tuple[Card, ...]


def _pairs(suit: int) -> tuple[MarriagePair, ...]:
    """The three possible pairs of ``suit``, sorted by the code points of their notations."""
    king, queen = CARDS["K" + SUITS[suit]], CARDS["Q" + SUITS[suit]]
    return (
        MarriagePair(f"({NAMES[king]})+{NAMES[queen]}", suit, (queen,), (king,)),
        MarriagePair(f"{NAMES[king]}+({NAMES[queen]})", suit, (king,), (queen,)),
        MarriagePair(f"{NAMES[king]}+{NAMES[queen]}", suit, (king, queen), ()),
    )


PAIR_BY_TEXT = {pair.text: pair for suit in range(4) for pair in _pairs(suit)}
"""Z7: all possible pairs by notation, in its order."""

PAIR_CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(map(_pairs, range(4)))
)
"""By suit, the sets of pairs that can be declared together: at most one pair, or two of spades.

Z7, *ruling*: the player chooses between a card in the hand and its equal on the table."""


def from_hand(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    return tuple([card for pair in pairs for card in pair.hand])


def from_table(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    return tuple([card for pair in pairs for card in pair.table])


PLAY = tuple(Action("play", f"play {name}", (card,)) for card, name in enumerate(NAMES))
"""Z4: the action that plays a card, by card."""

COMBINE = {kind: [Action(kind, f"{kind} {name}", (card,)) for card, name in enumerate(NAMES)] for kind in COMBINATIONS}
"""Z5: the actions that show a combination, by its name and the card that is then laid."""

ASSEMBLE = tuple(Action("assembly", f"assembly {rank}", (), (rank,)) for rank in RANKS)
"""Z6: the actions that show an assembly, by rank."""


def _marriage_action(pairs: tuple[MarriagePair, ...]) -> Action:
    """The action that declares ``pairs``, which are in the order of the notation."""
    texts = tuple(pair.text for pair in pairs)
    cards = tuple(CARDS[rank + SUITS[pair.suit]] for pair in pairs for rank in "KQ")
    return Action("marriage", "marriage " + " ".join(texts), cards, texts)


MARRY = {
    pairs: _marriage_action(pairs)
    for pairs in (tuple(chain(*choices)) for choices in product(*PAIR_CHOICES))
    if 0 < len(from_hand(pairs)) <= HAND_SIZE
}
"""Z7: all actions that declare marriages, by pairs."""

PAIRS_OF = {action.text: pairs for pairs, action in MARRY.items()}
"""The pairs that an action declares, by the notation of the action."""

ACTIONS = {action.text: action for action in chain(PLAY, *COMBINE.values(), ASSEMBLE, MARRY.values())}


# The rules


@dataclass(frozen=True)
class ZetemaRules(Rules):
    """The options of Zetema."""

    teams: bool = False
    """Seats 1·3 play against 2·4; with six players 1·3·5 against 2·4·6. No effect with two or three players.

    The sides follow the custom of Cassell and others: the source of the rules has none."""
    three_sides: bool = False
    """Six players in teams form three sides: 1·4, 2·5 and 3·6."""

    def check_seats(self, seats: int) -> None:
        """Raise :class:`InvalidRules` if ``three_sides`` is on without ``teams`` or six players."""
        if self.three_sides and seats != 6:
            raise InvalidRules("option_seats", option="three_sides", value=str(seats), seats_allowed=(6,))
        if self.three_sides and not self.teams:
            raise InvalidRules("option_needs", option="three_sides", other_option="teams")


class FinishedTurn(NamedTuple):
    """A finished turn, with the points that it scored."""

    seat: int
    action: Action
    points: int


class ZetemaState(NamedTuple):
    """A position of a match of Zetema. Tuples with an item for each seat begin with seat 1.

    Fields without a comment are as in :class:`ZetemaObservation`."""

    to_act: int | None
    """The seat to act; ``CHANCE`` before a deal, ``None`` when the match is over."""
    hands: tuple[Cards, ...]
    drawn: tuple[Cards, ...]
    """The cards that each seat drew at the end of its last turn."""
    known: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    out: Cards
    stock: tuple[Card, ...]
    """The cards of the stock in the order in which they will be drawn."""
    spade_marriages: int
    scores: tuple[int, ...]
    """The points of each side."""
    dealer: int
    last: FinishedTurn | None


@dataclass(slots=True, eq=False, repr=False)
class ZetemaLegality(Legality):
    """The facts that decide which actions are legal, all known to the acting seat."""

    to_act: int | None
    hand: Cards
    piles: tuple[Cards, ...]
    hand_size: int

    def legal(self) -> tuple[Action, ...]:
        """Z3: the legal actions: plays in the rank order of sequences, then marriages, combinations and assemblies."""
        if not self.to_act:
            return ()
        cards = sorted(set(self.hand), key=SEQUENCE_KEY.__getitem__)
        plays = [PLAY[card] for card in cards]
        combination = self._best_combination()
        combined = [COMBINE[combination][card] for card in cards] if combination else []
        # an assembly has two equal spades
        ranks = {rank_of(card) for card in cards} if len(cards) < len(self.hand) else ()
        assemblies = [ASSEMBLE[rank] for rank in ranks if not self._why_not_assemble(rank)]
        return (*plays, *self._marriages(), *combined, *assemblies)

    def _marriages(self) -> list[Action]:
        """Z7: the legal declarations of marriages, with fewer pairs first."""
        in_reach = {*self.hand, *self.piles[QUEEN], *self.piles[KING]}
        suits = [suit for suit, pair in enumerate(ROYAL_CARDS) if pair <= in_reach and not pair.isdisjoint(self.hand)]
        if not suits:
            return []
        by_suit = [[pairs for pairs in PAIR_CHOICES[suit] if not self.why_not_marry(pairs)] for suit in suits]
        declarable = [tuple(chain(*choices)) for choices in product(*by_suit)]
        return [MARRY[pairs] for pairs in sorted(declarable, key=len) if pairs]

    def plausible(self) -> list[Action]:
        """All combinations, and the assemblies with at least three cards in hand."""
        rank_counts = Counter([rank_of(card) for card in self.hand])
        combined = [actions[self.hand[0]] for actions in COMBINE.values()]  # any card may be laid
        return combined + [ASSEMBLE[rank] for rank in range(13) if rank_counts[rank] >= 3]

    def why_not(self, action: Action) -> Message | None:
        if self.to_act is None:
            return Message("match_over")
        if self.to_act == CHANCE:
            return why_not_pack(action, PACK)
        if action.kind == "deal":
            return Message("not_now")
        if ACTIONS.get(action.text) != action:
            return Message("not_an_action", {"text": action.text})
        if action.kind == "marriage":
            return self.why_not_marry(PAIRS_OF[action.text])
        if action.kind == "assembly":
            return self._why_not_assemble(RANKS.index(str(action.args[0])))
        if action.cards[0] not in self.hand:  # Z4
            return Message("not_in_hand", {"card": action.cards[0]})
        return None if action.kind == "play" else self._why_not_combine(action.kind)

    def _best_combination(self) -> str | None:
        """Z5: the best combination of a full hand, even if the stock is empty (*ruling*), or ``None``."""
        if len(self.hand) < self.hand_size:
            return None
        is_sequence = frozenset([rank_of(card) for card in self.hand]) in SEQUENCE_RANKS[self.hand_size]
        lowest_suit, highest_suit = suit_of(self.hand[0]), suit_of(self.hand[-1])
        if lowest_suit == highest_suit != 0:  # spades, suit 0, make no flush
            return "flush-sequence" if is_sequence else "flush"
        return "sequence" if is_sequence else None

    def _why_not_combine(self, kind: str) -> Message | None:
        """Z5: the reason why the hand cannot be shown as ``kind``, or ``None``. Only its best combination is legal."""
        best = self._best_combination()
        if best == kind:
            return None
        if len(self.hand) < self.hand_size:
            return Message("needs_full_hand", {"count": self.hand_size})
        if best == "flush-sequence":
            return Message("is_flush_sequence")
        if kind == "sequence" or best == "flush":
            return Message("not_consecutive", {"count": self.hand_size})
        if suit_of(self.hand[-1]) == 0:  # spades come first in a hand, so all are spades
            return Message("no_flush_of_spades")
        return Message("not_one_suit", {"count": self.hand_size})

    def _why_not_assemble(self, rank: int) -> Message | None:
        """Z6: the reason why ``rank`` cannot be assembled, or ``None``. The hand needs all five cards of the rank."""
        count = [rank_of(card) for card in self.hand].count(rank)
        return None if count == 5 else Message("assembly_needs_five", {"rank": RANKS[rank], "count": count})

    def why_not_marry(self, pairs: Sequence[MarriagePair]) -> Message | None:
        """Z7: the reason why ``pairs`` cannot be declared, or ``None``. No two pairs can share a card."""
        hand_cards, table_cards = from_hand(pairs), from_table(pairs)
        for card in hand_cards:
            if hand_cards.count(card) > self.hand.count(card):
                return Message("no_second_in_hand" if card in self.hand else "not_in_hand", {"card": card})
        for card in table_cards:
            pile = self.piles[rank_of(card)]
            if table_cards.count(card) > pile.count(card):
                return Message("no_second_on_table" if card in pile else "not_on_table", {"card": card})
        return None


@dataclass(frozen=True, kw_only=True)
class ZetemaObservation(Observation):
    """All that a seat of Zetema knows. Cards are in ascending order, equal cards side by side."""

    hand: Cards
    hand_size: int
    """The number of cards in a full hand (Z2)."""
    drawn: Cards
    """The cards that this seat drew at the end of its last turn."""
    counts: PerSeat[int]
    known: PerSeat[Cards]
    """The cards of each hand that everybody has seen (Z11)."""
    piles: PerRank
    """The cards on the pile of each rank, in the order of ``RANKS``."""
    lacking: PerRank
    """The cards of each rank that are in hands or in the stock."""
    gone: PerRank
    """The cards of each rank that are out of play."""
    out: Cards
    """The cards out of play (Z11)."""
    stock: int
    spade_marriages: int
    """The number of marriages of spades declared in this deal."""
    sides: PerSide[Annotated[tuple[int, ...], 3]]
    side_scores: PerSide[int]
    target: int
    """The number of points that wins the match (Z9)."""
    dealer: int
    last: FinishedTurn | None

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """The sides, which are the same in every deal of the match."""
        return self.sides

    @property
    def forced(self) -> bool:
        """Whether the acting seat has one card left, and no king or queen lies on the table for a marriage."""
        has_last_card = self.phase == TURN and self.counts[(self.to_act or 0) - 1] == 1
        return has_last_card and not self.piles[QUEEN] and not self.piles[KING]

    @property
    def legality(self) -> ZetemaLegality:
        return ZetemaLegality(self.to_act, self.hand, self.piles, self.hand_size)

    def marriage(self, pairs: Sequence[str]) -> Action | Message:
        """The action that declares ``pairs``, in any order, or the reason why it is not legal (Z7)."""
        refusal = self.legality.why_not_marry([PAIR_BY_TEXT[text] for text in pairs])
        return refusal or ACTIONS["marriage " + " ".join(sorted(pairs, key=[*PAIR_BY_TEXT].index))]

    def wins_with(self, points: int) -> bool:
        """Whether ``points`` more would win the match for this seat's side (Z9)."""
        return self.scores[self.seat - 1] + points >= self.target


class Zetema(Game[ZetemaState, ZetemaObservation, ZetemaRules]):
    """Zetema for two, three, four or six. *Ruling*: the same rules hold for two; the source's rule for two is lost."""

    NAME = "zetema"
    SEATS = (2, 3, 4, 6)
    RULES = ZetemaRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, TURN, OVER)

    def __init__(self, seats: int, rules: ZetemaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.hand_size = 5 if seats == 6 else 6  # Z2, Z10
        self.target = 300 if seats < 4 else 200  # Z9

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        if not self.rules.teams or self.seats < 4:
            return super().sides
        number = 3 if self.rules.three_sides else 2
        return tuple([tuple(range(side, self.seats + 1, number)) for side in range(1, number + 1)])

    def start(self) -> ZetemaState:
        return self._before_deal((0,) * len(self.sides), self.dealer, None)

    def _before_deal(self, scores: tuple[int, ...], dealer: int, last: FinishedTurn | None) -> ZetemaState:
        """The state in which ``dealer`` deals next. ``last`` is the last turn of the match so far."""
        none: tuple[Cards, ...] = ((),) * self.seats
        return ZetemaState(CHANCE, none, none, none, ((),) * 13, (), (), 0, scores, dealer, last)

    def legality(self, state: ZetemaState) -> ZetemaLegality:
        hand = state.hands[state.to_act - 1] if state.to_act else ()
        return ZetemaLegality(state.to_act, hand, state.piles, self.hand_size)

    def after(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z3: carry out an action of Z4–Z7, draw up to a full hand, and pass the turn on."""
        after = super().after(state, action, tell)
        if not state.to_act:  # chance has dealt
            return after
        turn = FinishedTurn(state.to_act, action, sum(after.scores) - sum(state.scores))
        return self._end_match(after, turn, tell) if self._is_won(after) else self._end_turn(after, turn, tell)

    def do_deal(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z2, Z3: deal one card at a time. The seat to the dealer's left gets the first card and begins the play."""
        tell("dealt", seat=state.dealer, count=self.hand_size)
        hands = dealt_hands(action.cards, self.seats, state.dealer, self.hand_size)
        stock, to_act = action.cards[self.seats * self.hand_size :], self.next_seat(state.dealer)
        return state._replace(to_act=to_act, hands=tuple([tuple(sorted(hand)) for hand in hands]), stock=stock)

    def do_play(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z4: lay a card on the pile of its rank. The fifth card completes and scores a trick."""
        seat, card = acting_seat(state), action.cards[0]
        rank = rank_of(card)
        tell("played", seat=seat, card=card)
        pile, (hands, known) = _add_cards(state.piles[rank], (card,)), _lay(state, (card,))
        state = state._replace(hands=hands, known=known, piles=replace_item(state.piles, rank, pile))
        if len(pile) < 5:
            return state
        tell("completed_trick", seat=seat, rank=RANKS[rank], points=TRICK_POINTS[rank], card=card, cards=pile)
        state = self._add_points(state, TRICK_POINTS[rank])
        if self._is_won(state):
            return state
        return state._replace(piles=replace_item(state.piles, rank, ()), out=_add_cards(state.out, pile))

    def do_sequence(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z5: show and score the hand, then lay a card of it as in Z4."""
        seat, points = acting_seat(state), COMBINATION_POINTS[action.kind]
        hand = state.hands[seat - 1]
        tell("showed_" + action.kind.replace("-", "_"), seat=seat, cards=hand, points=points)
        state = self._add_points(_add_known(state, hand), points)
        return state if self._is_won(state) else self.do_play(state, action, tell)

    do_flush = do_flush_sequence = do_sequence

    def do_assembly(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z6: show and score the five cards, and put them out of play."""
        rank = RANKS.index(str(action.args[0]))
        five, points = RANK_CARDS[rank], ASSEMBLY_POINTS[rank]
        tell("assembled", seat=acting_seat(state), rank=RANKS[rank], cards=five, points=points)
        state = self._add_points(_add_known(state, five), points)
        if self._is_won(state):
            return state
        hands, known = _lay(state, five)
        return state._replace(hands=hands, known=known, out=_add_cards(state.out, five))

    def do_marriage(self, state: ZetemaState, action: Action, tell: Teller) -> ZetemaState:
        """Z7: show and score pairs, and put their cards out of play."""
        pairs, points = PAIRS_OF[action.text], declared_points(action, state.spade_marriages)
        hand_cards, table_cards = from_hand(pairs), from_table(pairs)
        column = marriage_column(action, state.spade_marriages)
        key = "married" if column == "plain" else f"married_{column}"
        seat, count = acting_seat(state), len(pairs)
        tell(key, seat=seat, cards=action.cards, table_cards=table_cards, count=count, points=points)
        state = self._add_points(_add_known(state, hand_cards), points)
        if self._is_won(state):
            return state
        piles = tuple([_remove_cards(pile, table_cards) for pile in state.piles])
        (hands, known), out = _lay(state, hand_cards), _add_cards(state.out, hand_cards + table_cards)
        spade_marriages = state.spade_marriages + _count_spade_pairs(pairs)
        return state._replace(hands=hands, known=known, piles=piles, out=out, spade_marriages=spade_marriages)

    def _end_turn(self, state: ZetemaState, turn: FinishedTurn, tell: Teller) -> ZetemaState:
        """Z3: draw up to a full hand, as long as the stock lasts. Only the acting seat is told the cards.

        Z8: then ask the next player with cards. Without any, the deal is over: the next seat deals, points are kept."""
        seat, hands, place = turn.seat, state.hands, turn.seat - 1
        drawn = tuple(sorted(state.stock[: self.hand_size - len(hands[place])]))
        if drawn:
            tell_owner(tell, self.seats, seat, "drew", drawn)
            hands = replace_item(hands, place, _add_cards(hands[place], drawn))
        if not hands[place]:
            tell("out_of_cards", seat=seat)
        if not any(hands):
            tell("deal_over", seat=self.next_seat(state.dealer))
            return self._before_deal(state.scores, self.next_seat(state.dealer), turn)
        to_act = self.next_seat(seat)
        while not hands[to_act - 1]:
            to_act = self.next_seat(to_act)
        all_drawn, stock = replace_item(state.drawn, place, drawn), state.stock[len(drawn) :]
        return state._replace(to_act=to_act, hands=hands, drawn=all_drawn, stock=stock, last=turn)

    def _side_of(self, seat: int) -> int:
        return (seat - 1) % len(self.sides)

    def _add_points(self, state: ZetemaState, points: int) -> ZetemaState:
        """Return the state after adding ``points`` to the acting seat's side."""
        side = self._side_of(acting_seat(state))
        return state._replace(scores=replace_item(state.scores, side, state.scores[side] + points))

    def _is_won(self, state: ZetemaState) -> bool:
        """Z9: whether a side has reached the target."""
        return max(state.scores) >= self.target

    def _end_match(self, state: ZetemaState, turn: FinishedTurn, tell: Teller) -> ZetemaState:
        """Z9: end the match. *Ruling*: cards that would still have moved this turn stay where they are."""
        side = self._side_of(turn.seat)
        tell("won", seats=self.sides[side], points=state.scores[side], target=self.target)
        return state._replace(to_act=None, drawn=replace_item(state.drawn, turn.seat - 1, ()), last=turn)

    def observation(self, state: ZetemaState, seat: int) -> ZetemaObservation:
        gone = _group_by_rank(state.out)
        left = [_remove_cards(five, pile + out) for five, pile, out in zip(RANK_CARDS, state.piles, gone, strict=True)]
        return ZetemaObservation(
            **self.common_facts(state, seat),
            phase={None: OVER, CHANCE: DEAL}.get(state.to_act, TURN),
            hand=state.hands[seat - 1] if seat else (),
            hand_size=self.hand_size,
            drawn=state.drawn[seat - 1] if seat else (),
            counts=tuple(map(len, state.hands)),
            known=state.known,
            piles=state.piles,
            lacking=tuple(left),
            gone=gone,
            out=state.out,
            stock=len(state.stock),
            spade_marriages=state.spade_marriages,
            sides=self.sides,
            side_scores=state.scores,
            target=self.target,
            dealer=state.dealer,
            last=state.last,
        )

    def sampler(self, observation: ZetemaObservation) -> Callable[[Random], ZetemaState]:
        """Return a function that samples states, without the opponents' last draws: no rule depends on them."""
        known, drawn = list(observation.known), list[Cards]([()]) * self.seats
        if observation.seat:
            known[observation.seat - 1] = observation.hand
            drawn[observation.seat - 1] = observation.drawn
        unseen = _remove_cards(PACK, chain(*known, *observation.piles, observation.out))
        public = self._before_deal(observation.side_scores, observation.dealer, observation.last)
        public = public._replace(to_act=observation.to_act, drawn=tuple(drawn), known=observation.known)
        spade_marriages = observation.spade_marriages
        missing = [count - len(held) for held, count in zip(known, observation.counts, strict=True)]
        public = public._replace(piles=observation.piles, out=observation.out, spade_marriages=spade_marriages)

        def draw(rng: Random) -> ZetemaState:
            cards = iter(shuffled(unseen, rng))
            hands = [_add_cards(held, islice(cards, count)) for held, count in zip(known, missing, strict=True)]
            return public._replace(hands=tuple(hands), stock=tuple(islice(cards, observation.stock)))

        return draw

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The least is 0. The most is the target plus the points of five marriages declared at once (Z7, Z9)."""
        return 0, self.target + max(MARRIAGE_POINTS["both"])

    def scores(self, state: ZetemaState) -> tuple[int, ...]:
        return tuple([state.scores[self._side_of(seat)] for seat in self.seats_from(1)])

    def outcome(self, state: ZetemaState) -> Outcome | None:
        if state.to_act is not None:
            return None
        assert state.last
        side = self._side_of(state.last.seat)
        winners = self.sides[side]
        why = Message("reached_target", {"seats": winners, "points": state.scores[side], "target": self.target})
        return Outcome(self.scores(state), winners, why)

    def hands(self, state: ZetemaState) -> tuple[Cards, ...]:
        return state.hands

    def next_dealer(self, state: ZetemaState) -> int:
        """*Ruling*: the seat to the left of the last dealer. The source of the rules has no rematch."""
        return self.next_seat(state.dealer)


def _add_cards(cards: Cards, more: Iterable[Card]) -> Cards:
    """Return ``cards`` and ``more`` together, in ascending order."""
    return tuple(sorted((*cards, *more)))


def _group_by_rank(cards: Iterable[Card]) -> tuple[Cards, ...]:
    groups: list[list[Card]] = [[] for _ in RANKS]
    for card in cards:
        groups[rank_of(card)].append(card)
    return tuple(map(tuple, groups))


def _remove_cards(cards: Cards, taken: Iterable[Card]) -> Cards:
    """Return ``cards`` without one copy of each of ``taken``. Cards of ``taken`` that are missing are ignored."""
    kept = list(cards)
    for card in taken:
        if card in kept:
            kept.remove(card)
    return tuple(kept)


def _lay(state: ZetemaState, cards: Sequence[Card]) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """All hands and their known cards after the acting seat lays ``cards``, known ones before their equals (Z11)."""
    place = acting_seat(state) - 1
    hands = replace_item(state.hands, place, _remove_cards(state.hands[place], cards))
    return hands, replace_item(state.known, place, _remove_cards(state.known[place], cards))


def _add_known(state: ZetemaState, cards: Sequence[Card]) -> ZetemaState:
    """Z11: add ``cards`` of the acting seat's hand to the cards in it that everybody has seen.

    *Ruling*: cards that have been shown and taken up again stay known. Two equal spades are both known only if both
    were seen at once: a spade seen twice may be the same card."""
    place = acting_seat(state) - 1
    known = Counter(state.known[place]) | Counter(cards)  # of each card the larger count
    return state._replace(known=replace_item(state.known, place, tuple(sorted(known.elements()))))


def _count_spade_pairs(pairs: Iterable[MarriagePair]) -> int:
    return sum([pair.suit == 0 for pair in pairs])


def marriage_column(action: Action, spade_marriages: int) -> str:
    """Z7: the column of ``MARRIAGE_POINTS`` for a declaration.

    ``spade_marriages`` is the number of marriages of spades declared before it in this deal. *Ruling*: the second
    marriage of spades is the imperial one, whichever player declared the first."""
    count = _count_spade_pairs(PAIRS_OF[action.text])
    if count == 2:
        return "both"  # the plain and the imperial one at once
    return "imperial" if count and spade_marriages else "plain"


def declared_points(action: Action, spade_marriages: int) -> int:
    """Z5–Z7: the points of a declaration after ``spade_marriages`` marriages of spades in this deal."""
    if action.kind == "marriage":
        return MARRIAGE_POINTS[marriage_column(action, spade_marriages)][len(action.args)]
    if action.kind == "assembly":
        return ASSEMBLY_POINTS[RANKS.index(str(action.args[0]))]
    return COMBINATION_POINTS[action.kind]


def points_of(observation: ZetemaObservation, action: Action) -> int:
    """The points that a legal action scores by its declaration and by completing a trick."""
    points = 0 if action.kind == "play" else declared_points(action, observation.spade_marriages)
    if action.kind in ("assembly", "marriage") or observation.wins_with(points):
        return points  # no card is laid
    rank = rank_of(action.cards[0])
    return points + (TRICK_POINTS[rank] if len(observation.piles[rank]) == 4 else 0)


def single_pairs(observation: ZetemaObservation) -> tuple[str, ...]:
    """The pairs that the seat may declare now, each as often as it may. Some exclude each other, sharing a card."""
    most: Counter[str] = Counter()
    for action in observation.legal:
        if action.kind == "marriage":
            most |= Counter(str(text) for text in action.args)  # the most that one action declares
    return tuple(sorted(most.elements(), key=[*PAIR_BY_TEXT].index))


GAME = Zetema
