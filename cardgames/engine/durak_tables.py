"""Look-ups for Durak: sets of its cards, its actions, and lists of actions for whatever a hand may hold.

A set of cards has one bit a card of the pack, in its order, nine a suit. So what a hand can do is looked up suit by
suit.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, IS_PACK_SET, NAMES, Card, CardSet, PerSet, per_set, rank_of, suit_of
from cardgames.engine.game import Action

PACK: tuple[Card, ...] = tuple(card for card in range(52) if rank_of(card) >= 4)
"""D1: the 36 cards from the six up, ascending."""

PackSet: TypeAlias = Annotated[int, IS_PACK_SET]
"""A set of cards of the pack: bit ``1 << n`` for the card ``PACK[n]``."""

WHOLE_PACK: PackSet = (1 << len(PACK)) - 1

SUIT: PackSet = 0x1FF
"""The nine cards of the first suit; those of each other suit stand nine bits further on."""

LOW: PackSet = 0x1F
"""The five lowest cards of the first suit; to split a suit by them keeps tables small, and so near the processor."""

TWO_SUITS: PackSet = 0x3FFFF
"""The cards of the first two suits."""

BIT: tuple[PackSet, ...] = tuple(1 << PACK.index(card) if card in PACK else 0 for card in range(52))
"""Each card, as a set of one."""

SAME_RANK: tuple[PackSet, ...] = tuple(sum(BIT[rank_of(card) :: 13]) for card in range(52))
"""For each card, the four of its rank."""

SAME_SUIT: tuple[PackSet, ...] = tuple(SUIT << 9 * suit_of(card) for card in range(52))
"""For each card, the nine of its suit."""

Actions: TypeAlias = tuple[Action, ...]

PLAY = {card: Action("play", NAMES[card], (card,)) for card in PACK}
TURN = {card: Action("turn", f"turn {NAMES[card]}", (card,)) for card in PACK}
PASS = Action("pass", "pass")
TAKE = Action("take", "take")

ACTIONS = {action.text: action for action in (PASS, TAKE, *PLAY.values(), *TURN.values())}
"""Every action of a player by its notation, but for those of :data:`BEAT`."""


class _Beats(dict[tuple[Card, Card], Action]):
    """The actions that beat, by the card laid and the card beaten; each of the 1,296 is made when it is first met."""

    def __missing__(self, both: tuple[Card, Card]) -> Action:
        card, beaten = both
        self[both] = action = Action("beat", f"{NAMES[card]}>{NAMES[beaten]}", both)
        return action


BEAT = _Beats()

_CARDS = [per_set(PACK[9 * suit : 9 * suit + 9]) for suit in range(4)]


def cards(found: PackSet) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    spades, hearts, diamonds, clubs = _CARDS
    return spades[found & SUIT] + hearts[found >> 9 & SUIT] + diamonds[found >> 18 & SUIT] + clubs[found >> 27]


def pack_set(several: Iterable[Card]) -> PackSet:
    """The set of these cards, each once."""
    return sum([BIT[card] for card in several])


def as_card_set(found: PackSet) -> CardSet:
    """The same cards with one bit for each of 52: in each suit four come first that are not in the pack."""
    return sum([(found >> 9 * suit & SUIT) << 13 * suit + 4 for suit in range(4)])


def as_pack_set(found: CardSet) -> PackSet:
    """The same cards with one bit for each of the pack."""
    return sum([(found >> 13 * suit + 4 & SUIT) << 9 * suit for suit in range(4)])


SPADES, HEARTS, DIAMONDS, CLUBS = [per_set([PLAY[card] for card in PACK[9 * suit : 9 * suit + 9]]) for suit in range(4)]
"""To play any cards of each suit, by the set of them, shifted to the low end."""


def plays(hand: PackSet) -> Actions:
    """The actions that play any of these cards."""
    low, high = hand & TWO_SUITS, hand >> 18  # ints of one digit each, which take less to split further
    return SPADES[low & SUIT] + HEARTS[low >> 9] + DIAMONDS[high & SUIT] + CLUBS[high >> 9]


PLAYS_OR_PASS = PerSet([*PLAY.values()], (PASS,))
"""For each set of cards, to play any of them, or to pass. Of ranks that lie on the table a hand holds few sets."""

TURNS = PerSet([*TURN.values()])
"""For each set of cards, to turn the attack over with any of them."""


class Bout(NamedTuple):
    """The cards on the table.

    A bout is handed on as a bare tuple of these parts, a :data:`BareBout`, as states are.
    """

    laid: Actions
    """How it was laid, an action a card."""
    table: PackSet
    """All those cards."""
    unbeaten: PackSet
    """The attack cards among them that have not been beaten."""
    ranks: PackSet
    """All cards of their ranks, with which the attacker may go on (D5)."""


BareBout: TypeAlias = tuple[Actions, PackSet, PackSet, PackSet]

NO_BOUT: BareBout = ((), 0, 0, 0)


def lay(bout: BareBout, action: Action) -> BareBout:
    """The bout when the card of an action lies there, too."""
    laid, table, unbeaten, ranks = bout
    card, attack_card = action.cards[0], action.cards[-1]  # the attack card is the one laid, or the one that it beats
    laid += (action,)
    return laid, table + BIT[card], unbeaten ^ BIT[attack_card], ranks | SAME_RANK[card]


def one_more(bout: BareBout, action: Action) -> BareBout:
    """The bout with one more attack card, which is of a rank that lies there already (D5, D11, D12)."""
    laid, table, unbeaten, ranks = bout
    card = BIT[action.cards[0]]
    laid += (action,)
    return laid, table + card, unbeaten + card, ranks


def pairs(actions: Iterable[Action]) -> tuple[tuple[Card, Card | None], ...]:
    """Each attack card of a bout as it was laid, with the card that beat it if one did."""
    laid = list(actions)
    beaten = {action.cards[1]: action.cards[0] for action in laid if action.kind == "beat"}
    return tuple([(action.cards[0], beaten.get(action.cards[0])) for action in laid if action.kind != "beat"])


PerHeld: TypeAlias = tuple[Actions, ...]
"""For each set of certain cards that may be held, the actions with them, looked up by the set's bits."""


class Attack(NamedTuple):
    """An attack card under certain trumps, with what beats it (D4).

    An attack is handed on as a bare tuple of these parts, a :data:`BareAttack`, as states are.
    """

    card: PackSet
    begun: BareBout
    """The bout that begins with it."""
    higher_at: int
    """How far down a hand is shifted to have the higher cards of its suit at the low end."""
    higher_mask: PackSet
    """All of these, at the low end."""
    by_higher: PerHeld
    """For each set of them, to beat the attack card with any."""
    trumps_at: int
    """How far down a hand is shifted to have the trumps at the low end, or nothing where the card is one of them."""
    by_low_trump: PerHeld
    """For each set of the five lowest trumps, to beat the attack card with any."""
    by_high_trump_or_take: PerHeld
    """For each set of the others, to beat the attack card with any, or to take."""


BareAttack: TypeAlias = tuple[PackSet, BareBout, int, PackSet, PerHeld, int, PerHeld, PerHeld]

NO_ATTACK: BareAttack = (0, NO_BOUT, 0, 0, (), 0, (), ())


@cache  # one for all trumps, which a processor keeps at hand
def _higher(card: Card) -> PerHeld:
    """The actions that beat a card with the higher ones of its suit, by those of them that are held."""
    return per_set([BEAT[other, card] for other in PACK if suit_of(other) == suit_of(card) and other > card])


class _Attacks(dict[str, BareAttack]):
    """The attack with each card under one suit of trumps, by the name of the card; made when it is first met."""

    def __init__(self, trump: int) -> None:
        """``trump`` is the suit of trumps, 0-3."""
        super().__init__()
        self._trumps = PACK[9 * trump : 9 * trump + 9]

    def __missing__(self, name: str) -> BareAttack:
        card = CARDS.get(name)
        if card not in PLAY:
            return NO_ATTACK
        by_higher = _higher(card)
        higher_at, higher_mask = PACK.index(card) + 1, len(by_higher) - 1
        is_trump = card in self._trumps
        trumps_at = len(PACK) if is_trump else PACK.index(self._trumps[0])
        by_trumps = [] if is_trump else [BEAT[trump, card] for trump in self._trumps]
        by_low_trump, by_high_trump_or_take = per_set(by_trumps[:5]), per_set(by_trumps[5:], (TAKE,))
        begun = lay(NO_BOUT, PLAY[card])
        attack = BIT[card], begun, higher_at, higher_mask, by_higher, trumps_at, by_low_trump, by_high_trump_or_take
        self[name] = attack
        return attack


_OF_TRUMPS = [_Attacks(trump) for trump in range(4)]

ATTACKS = tuple([_OF_TRUMPS[suit_of(card)] for card in range(52)])
"""For each turn-up, the attacks under its trumps, by the name of the attack card; any other text is ``NO_ATTACK``."""


def answers_to_all(unbeaten: PackSet, turn_up: Card, hand: PackSet) -> Actions:
    """The actions that beat any of several attack cards with a card of the hand, or take (D4)."""
    found: Actions = ()
    for attack_card in cards(unbeaten):
        attack = ATTACKS[turn_up][NAMES[attack_card]]
        card, begun, higher_at, higher_mask, by_higher, trumps_at, by_low_trump, by_high_trump_or_take = attack
        higher, trumps = hand >> higher_at & higher_mask, hand >> trumps_at & SUIT
        found += by_higher[higher] + by_low_trump[trumps & LOW] + by_high_trump_or_take[trumps >> 5][:-1]
    return (*found, TAKE)
