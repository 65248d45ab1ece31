"""The table as data: players, blocks of cards in the middle, the viewer's hand, and the score sheet."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import RANKS, SUITS, Card, suit_of
from cardgames.engine.game import Message
from cardgames.engine.tricks import NO_TRICK, Trick


class MarkCount(NamedTuple):
    """A count towards a goal, drawn as filled and empty marks."""

    label: Message
    number: int
    goal: int


class SeatView(NamedTuple):
    """A seat on the table: its player's cards, score and roles."""

    seat: int
    cards: int
    """The number of cards in the hand."""
    marks: tuple[Message | MarkCount, ...] = ()
    """The player's roles: dealer, attacker, partner, resting, declarer with the tricks won …"""
    score: Message | None = None
    chips: int | None = None
    """The number of chips, drawn as a pile; negative for a debt."""
    tally: MarkCount | None = None
    """The number of rounds that the player has won and needs."""
    shown: tuple[Card, ...] = ()
    """The cards of the hand that everybody has seen."""
    resting: bool = False
    """Whether the player sits this deal out or is out of the match."""
    target: bool = False
    """Whether the opponents attack this player, whose line is then highlighted."""
    aside: Message | None = None
    """A note about the player: away, or played by a stand-in."""


class Pairs(NamedTuple):
    """Attack cards, each with the card that beat it or ``None``."""

    pairs: tuple[tuple[Card, Card | None], ...]


class Stock(NamedTuple):
    """The stock, face down, on the turn-up that makes trumps."""

    number: int
    turn_up: Card


class Row(NamedTuple):
    """A labelled row of cards. Some may be marked, such as the winner of a trick."""

    label: Message
    cards: tuple[Card, ...]
    marked: tuple[Card, ...] = ()


class Chips(NamedTuple):
    """A labelled pile of chips."""

    label: Message
    number: int
    becomes: int | Message | None = None
    """The size of the pile if a proposal is accepted: a number of chips, or a message."""


class Side(NamedTuple):
    """A side at the table: its label and the chips, marks and cards that its players share."""

    label: Message
    chips: int
    """The number of chips, drawn as a pile; negative for a debt."""
    marks: tuple[Message, ...] = ()
    """Facts about the side: the number of cards taken, dealers, resting …"""
    cards: tuple[Card, ...] = ()
    """The cards that the side has taken and that everybody can see."""


class Sides(NamedTuple):
    """The sides of the table, a line each."""

    sides: tuple[Side, ...]


class Pile(NamedTuple):
    """One of several piles that lie side by side."""

    label: str
    cards: tuple[Card, ...]
    lacking: tuple[Card, ...] = ()
    """The missing cards that are in hands or in the stock."""
    gone: tuple[Card, ...] = ()
    """The missing cards that are out of play."""


class Piles(NamedTuple):
    """Piles that show every card in them."""

    piles: tuple[Pile, ...]


class Tricks(NamedTuple):
    """The tricks of a hand, side by side."""

    tricks: tuple[tuple[Message, Trick], ...]
    """Pairs of a trick's label and the trick."""
    won: tuple[Message, ...]
    """The tricks that each seat has won."""


class Columns(NamedTuple):
    """Rows of messages or numbers, in columns with heads."""

    head: tuple[Message | str, ...]
    rows: tuple[tuple["Cell", ...], ...]


Cell: TypeAlias = Message | str | int | None


class FinishedTrick(NamedTuple):
    """A finished trick, with each card beside the name of its player."""

    trick: Trick
    because: Message | None
    """Why the winner won it."""


class TakenCards(NamedTuple):
    """The cards that each side took in a deal."""

    sides: tuple[tuple[Message, tuple[Card, ...]], ...]
    """Pairs of a side's label and its cards."""
    boss: Card
    """The card that beat all others."""


Block: TypeAlias = Pairs | Row | Message | Chips | Sides | Piles | Tricks | FinishedTrick | TakenCards
"""A part of the middle of the table. A message is a line of text."""


class TableKind(NamedTuple):
    """How a game's table is laid out. It stays the same for a whole match, so that nothing moves on the screen."""

    tricks: bool = False
    """Whether cards lie before their players, on a panel in the middle."""
    small_hands: bool = False
    """Whether hands are so small that a wide panel, with room for lists, fits between them."""
    pairs: int = 0
    """The most attack cards or tricks that lie on the table side by side."""


class Scene(NamedTuple):
    """The table as one seat sees it."""

    facts: tuple[Message, ...]
    """The facts in the head line: trumps, stock, stake, the number of the deal …"""
    players: tuple[SeatView, ...]
    """The players in playing order, from seat 1 or from the only person among computers."""
    middle: tuple[Block, ...] = ()
    """The blocks in the middle of the table, the most important first."""
    hand: tuple[Card, ...] = ()
    viewer: int = 0
    """The seat at the bottom of the table, whose hand it is; 0 for a spectator."""
    counter_clockwise: bool = False
    """Whether the next player sits at the right."""
    stock: Stock | None = None
    trick: Trick = NO_TRICK
    """The trick whose cards lie before their players. A finished one stays until the next card is led."""
    because: Message | None = None
    """Why the winning card of the trick wins."""
    ranks: str = RANKS[::-1]
    """The ranks from high to low, for hands sorted by rank."""
    playable: frozenset[Card] | None = None
    """The cards of the hand that can be played; ``None`` if the viewer is not asked for a card."""
    boss: Card | None = None
    """The card that beats all others, marked wherever it is visible."""
    legend: Message | None = None
    """The order of ranks, shown beside the facts where there is room."""
    trump: int | None = None
    """The suit of trumps, 0–3, whose cards are marked in the hand."""
    clause: str = ""
    """The clause of the rules for the present phase."""
    last: Card | None = None
    """The card that was laid on a pile last, which is then marked."""
    fresh: frozenset[Card] = frozenset()
    """The cards that the viewer has drawn last, marked in the hand."""
    kind: TableKind = TableKind()

    def with_players(self, change: Callable[[SeatView], SeatView]) -> "Scene":
        """The scene with each player changed."""
        return self._replace(players=tuple(map(change, self.players)))


class Sheet(NamedTuple):
    """The score sheet."""

    columns: Columns
    notes: tuple[Message | Columns, ...] = ()
    """The remarks and further columns of points under the sheet."""


def restore_blocks(scene: Scene, removed: Sequence[Block]) -> Scene:
    """Put removed blocks back into a scene, in the places where they lay."""
    middle = [block for block in scene.middle if block != Pairs(())]  # an empty bout, where the removed one lay
    for block in removed:
        if isinstance(block, FinishedTrick):
            scene = scene._replace(trick=block.trick, because=block.because)
        elif isinstance(block, TakenCards):
            middle = [_with_taken(part, block) if isinstance(part, Sides) else part for part in middle]
        else:
            middle.append(block)
    return scene._replace(middle=tuple(middle))


def _with_taken(sides: Sides, taken: TakenCards) -> Sides:
    cards = dict(taken.sides)
    return Sides(tuple([side._replace(cards=cards.get(side.label, side.cards)) for side in sides.sides]))


def by_suit(cards: Sequence[Card], trump: int | None = None) -> tuple[Card, ...]:
    """Sort cards: trumps first, then by suit, high cards first."""
    return tuple(sorted(cards, key=lambda card: (card // 13 != trump, card // 13, -card)))


def finished_trick(trick: Trick, trump: int | None, boss: Card | None = None) -> FinishedTrick:
    """A finished trick with the reason why it was won."""
    return FinishedTrick(trick, why_winning(trick, trump, is_over=True, boss=boss))


def why_winning(trick: Trick, trump: int | None, is_over: bool, boss: Card | None = None) -> Message | None:
    """The reason why the winning card of a trick, if any, wins: it is the boss, a trump, or of the suit led.

    ``is_over``: whether the trick is finished."""
    card = trick.winning_card
    if card is None:
        return None
    why = "rensho" if card == boss else "trump" if suit_of(card) == trump else "led"
    return Message(f"{'won' if is_over else 'wins'}.{why}", {"suit": SUITS[suit_of(card)]})
