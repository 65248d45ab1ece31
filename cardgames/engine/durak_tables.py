"""Look-ups for Durak: sets of its cards, its actions, and lists of actions for whatever a hand may hold.

A set of cards has one bit a card of the pack, in its order: nine a suit, twelve a third of the pack. So what a hand can
do is looked up by a suit or by a third of the pack at a time.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card, CardSet, PerSet, per_set, rank_of, suit_of
from cardgames.engine.game import Action

PACK: tuple[Card, ...] = tuple(card for card in range(52) if rank_of(card) >= 4)
"""D1: the 36 cards from the six up, ascending."""

PackSet: TypeAlias = int
"""A set of cards of the pack: bit ``1 << n`` for the card ``PACK[n]``."""

WHOLE_PACK: PackSet = (1 << len(PACK)) - 1

SUIT: PackSet = 0x1FF
"""The nine cards of the first suit; those of each other suit stand nine bits further on."""

THIRD: PackSet = 0xFFF
"""The first twelve cards of the pack."""

BIT: tuple[PackSet, ...] = tuple(1 << PACK.index(card) if card in PACK else 0 for card in range(52))
"""Each card, as a set of one."""

SAME_RANK: tuple[PackSet, ...] = tuple(
    sum(BIT[other] for other in PACK if rank_of(other) == rank_of(card)) for card in range(52)
)
"""For each card, the four of its rank."""

SAME_SUIT: tuple[PackSet, ...] = tuple(SUIT << 9 * suit_of(card) for card in range(52))
"""For each card, the nine of its suit."""

Actions: TypeAlias = tuple[Action, ...]

PLAY = {card: Action("play", NAMES[card], (card,)) for card in PACK}
TURN = {card: Action("turn", f"turn {NAMES[card]}", (card,)) for card in PACK}
BEAT = {(x, y): Action("beat", f"{NAMES[x]}>{NAMES[y]}", (x, y)) for x in PACK for y in PACK}
PASS = Action("pass", "pass")
TAKE = Action("take", "take")

ACTIONS = {action.text: action for action in (PASS, TAKE, *PLAY.values(), *TURN.values(), *BEAT.values())}
"""Every action of a player, by its notation."""

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


# To play any card of a hand, by thirds of the pack; the last third with or without ``pass`` after it.
_PLAYS = [*PLAY.values()]
PLAYS_LOW, PLAYS_MIDDLE, PLAYS_HIGH = PerSet(_PLAYS[:12]), PerSet(_PLAYS[12:24]), PerSet(_PLAYS[24:])
PLAYS_HIGH_OR_PASS = PerSet(_PLAYS[24:], (PASS,))


def plays(hand: PackSet) -> Actions:
    """To play any of these cards."""
    return PLAYS_LOW[hand & THIRD] + PLAYS_MIDDLE[hand >> 12 & THIRD] + PLAYS_HIGH[hand >> 24]


def plays_or_pass(hand: PackSet) -> Actions:
    """To play any of these cards, or to pass."""
    return PLAYS_LOW[hand & THIRD] + PLAYS_MIDDLE[hand >> 12 & THIRD] + PLAYS_HIGH_OR_PASS[hand >> 24]


ONLY_PASS = plays_or_pass(0)

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

_LAID = {
    action.text: (BIT[action.cards[0]], BIT[action.cards[-1]], SAME_RANK[action.cards[0]])
    for action in ACTIONS.values()
    if action.cards
}

FIRST_BEAT: dict[str, tuple[PackSet, BareBout, PackSet]] = {
    action.text: (
        BIT[x],
        ((PLAY[y], action), BIT[x] | BIT[y], 0, SAME_RANK[x] | SAME_RANK[y]),
        SAME_RANK[x] | SAME_RANK[y],
    )
    for (x, y), action in BEAT.items()
}
"""As :func:`lay` for ``X>Y`` when Y lies alone, which is all that most bouts come to."""


def lay(bout: BareBout, action: Action) -> tuple[PackSet, BareBout]:
    """The card that an action lays, and what lies on the table then."""
    laid, table, unbeaten, ranks = bout
    laid += (action,)
    card, attack_card, rank = _LAID[action.text]  # the attack card is the one laid, or the one that it beats
    return card, (laid, table | card, unbeaten ^ attack_card, ranks | rank)


def pairs(actions: Iterable[Action]) -> tuple[tuple[Card, Card | None], ...]:
    """Each attack card of a bout as it was laid, with the card that beat it if one did."""
    laid = list(actions)
    beaten = {action.cards[1]: action.cards[0] for action in laid if action.kind == "beat"}
    return tuple([(action.cards[0], beaten.get(action.cards[0])) for action in laid if action.kind != "beat"])


class Attack(NamedTuple):
    """An attack card under certain trumps, with what beats it; handed on as a bare tuple, as bouts are."""

    card: PackSet
    begun: BareBout
    """The bout that begins with it."""
    above: int
    """How far down a hand is shifted to have the higher cards of its suit at the low end."""
    mask: PackSet
    """All of these, once a hand has been shifted."""
    higher: list[Actions]
    """For each set of them, to beat the attack card with any."""
    trumps: int
    """How far down a hand is shifted to have the trumps at the low end."""
    beats_or_take: list[Actions]
    """For each set of them, to beat the attack card with any, or to take (D4)."""


BareAttack: TypeAlias = tuple[PackSet, BareBout, int, PackSet, list[Actions], int, list[Actions]]

_OF_TRUMPS: list[dict[str, BareAttack]] = [{} for _ in range(4)]

ATTACKS = tuple([_OF_TRUMPS[suit_of(card)] for card in range(52)])
"""For each turn-up, the attacks that have been met under its trumps, by the name of the card; see :func:`attack`."""


def attack(turn_up: Card, card: Card) -> BareAttack:
    """The attack with ``card`` when ``turn_up`` is turned up, made when it is first met."""
    found = ATTACKS[turn_up].get(NAMES[card])
    if not found:
        above = PACK.index(card) + 1
        trumps = [other for other in PACK if suit_of(other) == suit_of(turn_up)]
        first = PACK.index(trumps[0])
        if card in trumps:
            higher: list[Actions] = [()]
            beats = per_set([BEAT[other, card] for other in trumps if other > card], (TAKE,))
            beats_or_take = [beats[held >> above - first] for held in range(SUIT + 1)]
        else:
            higher = per_set([BEAT[other, card] for other in PACK if suit_of(other) == suit_of(card) and other > card])
            beats_or_take = per_set([BEAT[other, card] for other in trumps], (TAKE,))
        bout = ((PLAY[card],), BIT[card], BIT[card], SAME_RANK[card])
        found = (BIT[card], bout, above, len(higher) - 1, higher, first, beats_or_take)
        ATTACKS[turn_up][NAMES[card]] = found
    return found


def answers(hand: PackSet, unbeaten: PackSet, turn_up: Card) -> Actions:
    """To beat any of the attack cards with a card of the hand, or to take (D4)."""
    found: Actions = ()
    for attack_card in cards(unbeaten):
        _card, _begun, above, mask, higher, trumps, beats_or_take = attack(turn_up, attack_card)
        found += higher[hand >> above & mask] + beats_or_take[hand >> trumps & SUIT][:-1]
    return (*found, TAKE)
