"""The table as data: who sits there, the things in the middle, one's own hand, and the score sheet."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import RANKS, Card
from cardgames.engine.game import Reason

Message: TypeAlias = Reason
"""A message key with its arguments; the texts say it in a language."""


class MarkCount(NamedTuple):
    """A count towards a goal, drawn as full and empty marks."""

    label: Message
    number: int
    goal: int


class SeatView(NamedTuple):
    """A seat as the table sees it: what is true of a player and what lies before them."""

    seat: int
    cards: int
    """How many cards they hold."""
    marks: tuple[Message | MarkCount, ...] = ()
    """Dealer, attacker, partner, resting, declarer with the tricks they have won …"""
    played: tuple[Card, ...] = ()
    """The cards they have laid to the trick."""
    winning: bool = False
    """Whether what they laid is winning the trick as it lies."""
    score: Message | None = None
    """Their winnings so far, in the game's own coin."""
    chips: int | None = None
    """Chips to be drawn as a pile; negative for a debt."""
    tally: MarkCount | None = None
    """The rounds they have won, of those that they need."""
    shown: tuple[Card, ...] = ()
    """Cards in their hand that everybody has seen."""
    because: Message | None = None
    """Why their card is winning, if it is."""
    resting: bool = False
    """Whether they sit this deal out."""
    target: bool = False
    """Whether the others play against them for now: their line stands out."""
    leads: bool = False
    """Whether they have led to the trick that lies there."""
    aside: Message | None = None
    """A note on them beside the match, which may change at any time: they are away, a computer plays for them."""


class Pairs(NamedTuple):
    """Attack cards with the card that beat each, or ``None``."""

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
    """Its size if the proposal is accepted: another number of chips, or something else."""


class Side(NamedTuple):
    """Players who play together, and what is theirs together."""

    label: Message
    chips: int
    """Chips to be drawn as a pile; negative for a debt."""
    marks: tuple[Message, ...] = ()
    """How many cards they have taken, dealers, resting …"""
    cards: tuple[Card, ...] = ()
    """The cards they have taken that lie open."""
    resting: bool = False
    """Whether they sit this deal out."""


class Sides(NamedTuple):
    """The sides of the table, a line each."""

    sides: tuple[Side, ...]


class Pile(NamedTuple):
    """One of several piles that lie side by side."""

    label: str
    cards: tuple[Card, ...]
    lacking: tuple[Card, ...] = ()
    """The cards that may still come to it."""
    gone: tuple[Card, ...] = ()
    """The cards that will never come to it."""


class Piles(NamedTuple):
    """Piles that show every card in them."""

    piles: tuple[Pile, ...]


class GridRow(NamedTuple):
    """A row of a grid: cards, or nothing where none lies yet."""

    label: Message
    cards: tuple[Card | None, ...]
    end: Message | None = None
    """The text behind the cards."""


class Grid(NamedTuple):
    """Labelled rows of cards under common heads, such as a row a player and a column a trick."""

    heads: tuple[Message, ...]
    rows: tuple[GridRow, ...]
    marked: tuple[Card, ...] = ()
    """The cards that win."""
    led: tuple[Card, ...] = ()
    """The cards that were led."""


class Columns(NamedTuple):
    """A small table of text: a head and rows of messages, cards or numbers."""

    head: tuple[Message | str, ...]
    rows: tuple[tuple["Cell", ...], ...]


Cell: TypeAlias = Message | str | int | tuple[Card, ...] | None


class FinishedTrick(NamedTuple):
    """A finished trick: on the table its cards lie before their players."""

    plays: tuple[tuple[int, Card], ...]
    """Who played which card, from the lead."""
    winner: int
    because: Message
    """Why it was won."""

    @property
    def columns(self) -> Columns:
        """The trick as a small table."""
        rows = [
            (Message("name", {"seat": seat}), (card,), self.because if seat == self.winner else None)
            for seat, card in self.plays
        ]
        return Columns((Message("head.player"), Message("head.card"), ""), tuple(rows))


class Taken(NamedTuple):
    """The cards that each of several sides took in a deal: on the table they lie before them."""

    sides: tuple[tuple[Message, tuple[Card, ...]], ...]
    """The label of each side, and its cards."""
    boss: Card
    """The card that beat all others."""

    @property
    def columns(self) -> Columns:
        """The same as a small table, with a word where the boss is, which may be another card when it is looked up."""
        rows = [
            (label, len(cards), Message("taken_rensho", {"cards": cards}) if self.boss in cards else cards)
            for label, cards in self.sides
        ]
        return Columns((Message("head.pair"), "", Message("head.pictures")), tuple(rows))


Block: TypeAlias = Pairs | Row | Line | Chips | Sides | Piles | Grid | Columns | FinishedTrick | Taken


class Frame(NamedTuple):
    """The most that a game needs of a window.

    It is the same for a whole match, whatever lies there, so that everything on the table keeps its place.
    """

    text: int = 2
    """How many rows the middle has where cards are written."""
    boxes: int = 2
    """How many rows the middle has where cards are drawn."""
    marks: tuple[str, ...] = ("new",)
    """The marks that cards can have, to be explained: ``trump``, ``new``, ``leads``, ``wins``, ``last``."""
    cards: int = 0
    """How many cards each is dealt, if nobody ever holds many more: their backs always have room."""
    score: Message | None = None
    """The widest score that there is always room for."""
    chips: int = 0
    """The most chips that a player may have, if players have some."""
    because: Message | None = None
    """The longest reason why a card is winning, if cards lie before their players."""


FRAME = Frame()


class Scene(NamedTuple):
    """The table as one pair of eyes sees it."""

    facts: tuple[Message, ...]
    """Trumps, stock, stake, the number of the deal: the head line."""
    players: tuple[SeatView, ...]
    """Each has a line, in this order: that of the seats whoever looks, from one person alone among computers on."""
    middle: tuple[Block, ...] = ()
    """The things in the middle of the table, the most important first."""
    hand: tuple[Card, ...] = ()
    """The hand of the one who looks, sorted as a player holds it."""
    ranks: str = RANKS[::-1]
    """The ranks from high to low, for those who want their hand by rank."""
    playable: frozenset[Card] | None = None
    """The cards of the hand that can be played now; ``None`` where none is asked for."""
    boss: Card | None = None
    """A card that beats all others and is marked wherever it is seen."""
    legend: Message | None = None
    """The meaning of that mark, or where no card has one, which ranks beat which; it stands beside the facts."""
    trump: int | None = None
    """The suit of trumps, which are marked in the hand."""
    last: Card | None = None
    """The card that was played last, marked where it lies."""
    fresh: frozenset[Card] = frozenset()
    """The cards in the hand that its owner has not seen yet."""
    frame: Frame = FRAME
    roles: tuple[tuple[Message | MarkCount, ...], ...] = ()
    """The marks that players may have in this match: there is always room for them, so that nothing moves when one
    changes."""


class Sheet(NamedTuple):
    """The score sheet."""

    columns: Columns
    notes: tuple[Message | Columns, ...] = ()
    """The notes under it: remarks, and tables of what things are worth."""


def as_it_lay(scene: Scene, cleared: Sequence[Block]) -> Scene:
    """A scene with what was cleared away in the place where nothing lies any more."""
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
    """A player with the card that they laid to a finished trick."""
    wins = player.seat == trick.winner
    return player._replace(
        played=tuple([card for seat, card in trick.plays if seat == player.seat]),
        winning=wins,
        because=trick.because if wins else None,
        leads=player.seat == trick.plays[0][0],
    )


def _with_taken(sides: Sides, taken: Taken) -> Sides:
    """Sides with what they took."""
    cards = dict(taken.sides)
    return Sides(tuple([side._replace(cards=cards.get(side.label, side.cards)) for side in sides.sides]))


def by_suit(cards: Sequence[Card], trump: int | None = None) -> tuple[Card, ...]:
    """A hand as a player holds it: trumps first, then suit by suit, the high cards first."""
    return tuple(sorted(cards, key=lambda card: (card // 13 != trump, card // 13, -card)))
