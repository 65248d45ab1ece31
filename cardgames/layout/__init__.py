"""The place of everything on the table: each game's observation as a :class:`Scene`, pure data that knows no terminal.

``table(game)`` is the module of a game, which offers

- ``scene(observation) -> Scene``,
- ``words(action) -> Message``: the move as a player would say it,
- ``sheet(observation) -> Sheet``: the score sheet,
- ``last(observation) -> tuple[Block, ...]``: the last trick, bout or turn, as far as it can still be seen,
- ``cleared(event) -> tuple[Block, ...]``: what lies on the table no more after the event, as it lay there; empty where
  it can still be seen,
- ``question(observation) -> Question``: how the move is asked for,
- ``PAUSES``: the events after which the table rests for a moment,
- ``ENDS``: the events that say of the end of the match what its outcome says too,
- ``SETS``: the events that tell of cards in whose order there is no meaning: they are told suit by suit,
- ``CLAUSES``: the clause of the rules that matters in each phase.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias

from cardgames.engine.cards import RANKS, Card, rank_of, suit_of
from cardgames.engine.game import Action, Event, Observation, Reason

Message: TypeAlias = Reason
"""A message key with its arguments; the texts say it in a language."""


class Fact(NamedTuple):
    """A small fact in the head line: ``label: value``."""

    message: Message


class Tally(NamedTuple):
    """So many of so many, to be drawn as full and empty marks."""

    label: Message
    number: int
    goal: int


class Player(NamedTuple):
    """A seat as the table sees it: what is true of a player and what lies before them."""

    seat: int
    cards: int
    """How many cards they hold."""
    marks: tuple[Message, ...] = ()
    """Dealer, attacker, declarer, partner, resting …"""
    played: tuple[Card, ...] = ()
    """The cards they have laid to the trick."""
    winning: bool = False
    """Whether what they laid is winning the trick as it lies."""
    score: Message | None = None
    """Their winnings so far, in the game's own coin."""
    chips: int | None = None
    """Chips to be drawn as a pile; negative for a debt."""
    tally: Tally | None = None
    """The rounds or games they have won, of those that they need."""
    shown: tuple[Card, ...] = ()
    """Cards in their hand that everybody has seen."""
    because: Message | None = None
    """Why their card is winning, if it is."""
    resting: bool = False
    """Whether they sit this deal out."""
    leads: bool = False
    """Whether they have led to the trick that lies there."""


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


class Laid(NamedTuple):
    """A finished trick: on the table its cards lie before their players."""

    plays: tuple[tuple[int, Card], ...]
    """Who played which card, from the lead."""
    winner: int
    because: Message
    """Why it was won."""

    @property
    def columns(self) -> Columns:
        """The same as a small table."""
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


Block: TypeAlias = Pairs | Row | Line | Chips | Sides | Piles | Grid | Columns | Laid | Taken


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


FRAME = Frame()


class Scene(NamedTuple):
    """The table as one pair of eyes sees it."""

    facts: tuple[Message, ...]
    """Trumps, stock, stake, the number of the deal: the head line."""
    players: tuple[Player, ...]
    """Each has a line, in this order: that of the seats whoever looks, from one person alone among computers on."""
    middle: tuple[Block, ...] = ()
    """The things in the middle of the table, the most important first."""
    hand: tuple[Card, ...] = ()
    """The hand of the one who looks, sorted as a player holds it."""
    ranks: str = RANKS[::-1]
    """The ranks from high to low, for those who want their hand by rank."""
    playable: frozenset[Card] = frozenset()
    """The cards of the hand that can be played now."""
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
    roles: tuple[tuple[Message, ...], ...] = ()
    """The marks that players may have now: there is always room for them, so that nothing moves when one changes."""


class Sheet(NamedTuple):
    """The score sheet."""

    columns: Columns
    notes: tuple[Message | Columns, ...] = ()
    """The notes under it: remarks, and tables of what things are worth."""


class Pick(NamedTuple):
    """One thing that can be ticked in a question of several."""

    value: Any
    message: Message
    cards: tuple[Card, ...] = ()


class Question(NamedTuple):
    """How a move is asked for: one of the legal actions, or several things ticked that make one together."""

    message: Message
    actions: tuple[Action, ...] = ()
    """To choose one of, in the order in which a player looks for them."""
    picks: tuple[Pick, ...] = ()
    """To tick several of, instead."""
    combine: Callable[[Sequence[Any]], Action | Reason] = lambda values: Reason("nothing_chosen")
    """Makes the action of the ticked values, or says why they make none."""
    status: Callable[[Sequence[Any]], Message | None] = lambda values: None
    """Says something of the ticked values while they are being chosen."""
    more: tuple[tuple[Message, "Question"], ...] = ()
    """Offers that lead to another question, from which one can come back; they stand before the actions."""
    said: Mapping[Action, Message] = {}
    """The words for an action here, legal or refused, where the words for it alone would be too little."""
    costly: frozenset[Action] = frozenset()
    """Actions that may lose much and cannot be undone: they have to be confirmed."""
    first: "Action | Question | None" = None
    """Where the pointer starts: the ordinary move by which least is lost if it is made by mistake."""

    @property
    def ticked(self) -> tuple[int, ...]:
        """The places of the picks that are ticked at first: of those that make the first action, if they do."""
        if not isinstance(self.first, Action):
            return ()
        cards = set(self.first.cards)
        places = tuple([place for place, pick in enumerate(self.picks) if cards.issuperset(pick.cards)])
        return places if self.combine([self.picks[place].value for place in places]) == self.first else ()


class Layout(Protocol):
    """The functions and names that the module of a game offers."""

    PAUSES: frozenset[str]
    ENDS: frozenset[str]
    SETS: frozenset[str]
    CLAUSES: Mapping[str, str]

    def scene(self, observation: Any) -> Scene: ...
    def words(self, action: Action) -> Message: ...
    def sheet(self, observation: Any) -> Sheet: ...
    def last(self, observation: Any) -> tuple[Block, ...]: ...
    def cleared(self, event: Event) -> tuple[Block, ...]: ...
    def question(self, observation: Any) -> Question: ...


def table(game: str) -> Layout:
    """The module that lays out a game."""
    found: Any = import_module(f"cardgames.layout.{game}")
    return found  # type: ignore[no-any-return]


def as_it_lay(scene: Scene, cleared: Sequence[Block]) -> Scene:
    """A scene with what was cleared away in the place where nothing lies any more."""
    middle = [block for block in scene.middle if block != Pairs(())]
    players = scene.players
    for block in cleared:
        if isinstance(block, Laid):
            players = tuple([_with_laid(player, block) for player in players])
        elif isinstance(block, Taken):
            middle = [_with_taken(other, block) if isinstance(other, Sides) else other for other in middle]
        else:
            middle.append(block)
    return scene._replace(players=players, middle=tuple(middle))


def _with_laid(player: Player, trick: Laid) -> Player:
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


def cheapest(actions: Sequence[Action], trump: int | None = None) -> Action | None:
    """The action with the lowest card that is no trump, if one has a card; the last suit where ranks are alike."""
    with_cards = [action for action in actions if action.cards]
    return min(
        with_cards,
        key=lambda action: (suit_of(action.cards[0]) == trump, rank_of(action.cards[0]), -action.cards[0]),
        default=None,
    )


def choose_one(observation: Observation, hand: Sequence[Card]) -> Question:
    """The question for one of the legal actions: cards in the order of the hand, then whatever names no card."""
    place = {card: number for number, card in enumerate(hand)}
    actions = sorted(observation.legal, key=lambda action: place[action.cards[0]] if action.cards else len(hand))
    return Question(Message("ask." + observation.phase, {"seat": observation.seat}), tuple(actions))
