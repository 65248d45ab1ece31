"""The table as data: players, the blocks in the middle, one's own hand, and the score sheet."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import RANKS, SUITS, Card, suit_of
from cardgames.engine.game import Reason

Message: TypeAlias = Reason
"""A message key with its arguments."""


class MarkCount(NamedTuple):
    """A count towards a goal, drawn as full and empty marks."""

    label: Message
    number: int
    goal: int


class SeatView(NamedTuple):
    """A seat on the table: facts about its player, and the cards before them."""

    seat: int
    cards: int
    """The number of cards in the hand."""
    marks: tuple[Message | MarkCount, ...] = ()
    """The roles: dealer, attacker, partner, resting, declarer with the tricks won …"""
    played: tuple[Card, ...] = ()
    """The cards played to the trick."""
    winning: bool = False
    score: Message | None = None
    """The winnings so far, in the game's own unit."""
    chips: int | None = None
    """Chips to be drawn as a pile; negative for a debt."""
    tally: MarkCount | None = None
    """The rounds won, of those needed."""
    shown: tuple[Card, ...] = ()
    """The cards of the hand that everybody has seen."""
    because: Message | None = None
    """The reason why the player's card is winning."""
    resting: bool = False
    """Whether the player takes no part: sits this deal out, or is out of the match."""
    target: bool = False
    """Whether the opponents play against this player now; the line stands out."""
    leads: bool = False
    aside: Message | None = None
    """A note that may change at any time: the player is away, or a computer stands in."""


class Pairs(NamedTuple):
    """Attack cards, each with the card that beat it or ``None``."""

    pairs: tuple[tuple[Card, Card | None], ...]


class Row(NamedTuple):
    """A labelled row of cards, with marks on some: the winner of a trick, a card just laid."""

    label: Message
    cards: tuple[Card, ...]
    marked: tuple[Card, ...] = ()


class Line(NamedTuple):
    """A line of text."""

    message: Message


class Chips(NamedTuple):
    """A labelled pile of chips."""

    label: Message
    number: int
    becomes: int | Message | None = None
    """The size of the pile if the proposal is accepted: a number of chips, or a message."""


class Side(NamedTuple):
    """A side at the table: its players, and the chips, marks and cards that they share."""

    label: Message
    chips: int
    """Chips to be drawn as a pile; negative for a debt."""
    marks: tuple[Message, ...] = ()
    """Marks: number of cards taken, dealers, resting …"""
    cards: tuple[Card, ...] = ()
    """The open cards that the side has taken."""
    resting: bool = False


class Sides(NamedTuple):
    """The sides of the table, a line each."""

    sides: tuple[Side, ...]


class Pile(NamedTuple):
    """One of several piles that lie side by side."""

    label: str
    cards: tuple[Card, ...]
    lacking: tuple[Card, ...] = ()
    """The cards that may still come to the pile."""
    gone: tuple[Card, ...] = ()
    """The cards that cannot come to the pile any more."""


class Piles(NamedTuple):
    """Piles that show every card in them."""

    piles: tuple[Pile, ...]


class GridRow(NamedTuple):
    """A row of a grid: cards, or ``None`` for each card to come."""

    label: Message
    cards: tuple[Card | None, ...]
    end: Message | None = None


class Grid(NamedTuple):
    """Labelled rows of cards under column heads, such as one row per player and one column per trick."""

    heads: tuple[Message, ...]
    rows: tuple[GridRow, ...]
    marked: tuple[Card, ...] = ()
    """The cards that win."""
    led: tuple[Card, ...] = ()
    """The cards that were led."""


class Columns(NamedTuple):
    """A small table: heads, and rows of messages, cards or numbers."""

    head: tuple[Message | str, ...]
    rows: tuple[tuple["Cell", ...], ...]


Cell: TypeAlias = Message | str | int | tuple[Card, ...] | None


class FinishedTrick(NamedTuple):
    """A finished trick, shown as cards before their players."""

    plays: tuple[tuple[int, Card], ...]
    """The seats and their cards, from the lead."""
    winner: int
    because: Message

    @property
    def columns(self) -> Columns:
        """The trick as a small table."""
        rows = [
            (Message("name", {"seat": seat}), (card,), self.because if seat == self.winner else None)
            for seat, card in self.plays
        ]
        return Columns((Message("head.player"), Message("head.card"), ""), tuple(rows))


class Taken(NamedTuple):
    """The cards that each side took in a deal, shown before them."""

    sides: tuple[tuple[Message, tuple[Card, ...]], ...]
    """The label of each side, and its cards."""
    boss: Card
    """The card that beat all others."""

    @property
    def columns(self) -> Columns:
        """The cards as a small table, with the boss named."""
        rows = [
            (label, len(cards), Message("taken_rensho", {"cards": cards}) if self.boss in cards else cards)
            for label, cards in self.sides
        ]
        return Columns((Message("head.pair"), "", Message("head.pictures")), tuple(rows))


Block: TypeAlias = Pairs | Row | Line | Chips | Sides | Piles | Grid | Columns | FinishedTrick | Taken


class Frame(NamedTuple):
    """The most room that a game needs.

    It is the same for a whole match, so that everything keeps its place."""

    text: int = 2
    """The number of rows of the middle if cards are drawn as text."""
    boxes: int = 2
    """The number of rows of the middle if cards are drawn as boxes."""
    marks: tuple[str, ...] = ("new",)
    """The marks that cards can have, to be explained: ``trump``, ``new``, ``leads``, ``wins``, ``last``."""
    cards: int = 0
    """The number of cards dealt to each player, if hands hardly grow; their backs always have room."""
    score: Message | None = None
    """The widest score that always has room."""
    chips: int = 0
    """The most chips of a player, if players have chips."""
    because: Message | None = None
    """The longest reason why a card is winning, if cards lie before their players."""


FRAME = Frame()


class Scene(NamedTuple):
    """The table as one player sees it."""

    facts: tuple[Message, ...]
    """The head line: trumps, stock, stake, the number of the deal."""
    players: tuple[SeatView, ...]
    """The players in the order of their lines, from seat 1 or, among computers, from the only person."""
    middle: tuple[Block, ...] = ()
    """The things in the middle of the table, the most important first."""
    hand: tuple[Card, ...] = ()
    """The viewing player's hand, sorted."""
    ranks: str = RANKS[::-1]
    """The ranks from high to low, for hands sorted by rank."""
    playable: frozenset[Card] | None = None
    """The cards of the hand that can be played; ``None`` where no card is asked for."""
    boss: Card | None = None
    """The card that beats all others, marked wherever it is visible."""
    legend: Message | None = None
    """The legend of the boss's mark, or the order of ranks if no card is marked; it stands beside the facts."""
    trump: int | None = None
    """The suit of trumps, which are marked in the hand."""
    clause: str = ""
    """The clause of the rules that matters now."""
    last: Card | None = None
    """The card that was played last, marked where it lies."""
    fresh: frozenset[Card] = frozenset()
    """The cards of the hand that its owner has not seen yet."""
    frame: Frame = FRAME
    roles: tuple[tuple[Message | MarkCount, ...], ...] = ()
    """The marks that players may have in this match, which always have room, so that nothing moves."""


class Sheet(NamedTuple):
    """The score sheet."""

    columns: Columns
    notes: tuple[Message | Columns, ...] = ()
    """The notes under the sheet: remarks, and tables of values."""


def restore_cleared(scene: Scene, cleared: Sequence[Block]) -> Scene:
    """Put the cleared cards back into a scene, in each place where no card has been laid since."""
    middle = [block for block in scene.middle if block != Pairs(())]
    players = scene.players
    for block in cleared:
        if isinstance(block, FinishedTrick):
            players = tuple([_with_laid(player, block) for player in players])
        elif isinstance(block, Taken):
            middle = [_with_taken(other, block) if isinstance(other, Sides) else other for other in middle]
        else:
            middle.append(block)
    return scene._replace(players=players, middle=tuple(middle))


def _with_laid(player: SeatView, trick: FinishedTrick) -> SeatView:
    wins = player.seat == trick.winner
    return player._replace(
        played=tuple([card for seat, card in trick.plays if seat == player.seat]),
        winning=wins,
        because=trick.because if wins else None,
        leads=player.seat == trick.plays[0][0],
    )


def _with_taken(sides: Sides, taken: Taken) -> Sides:
    cards = dict(taken.sides)
    return Sides(tuple([side._replace(cards=cards.get(side.label, side.cards)) for side in sides.sides]))


def by_suit(cards: Sequence[Card], trump: int | None = None) -> tuple[Card, ...]:
    """A sorted hand: trumps first, then by suit, high cards first."""
    return tuple(sorted(cards, key=lambda card: (card // 13 != trump, card // 13, -card)))


def why_winning(card: Card, trump: int | None, over: bool, boss: Card | None = None) -> Message:
    """The reason why a card wins its trick, or has won it if ``over``: boss, trump, or highest of the suit led."""
    why = "rensho" if card == boss else "trump" if suit_of(card) == trump else "led"
    return Message(f"{'won' if over else 'wins'}.{why}", {"suit": SUITS[suit_of(card)]})
