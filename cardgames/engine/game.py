"""The contract between a game and everybody who runs, shows, stores or plays it.

A game is an object that knows the seats, the options and the first dealer of a match, and nothing that happens
in it. A match is a chain of states: values, immutable, hashable and compared by content, whose fields only the
game itself reads. Seats count from 1; seat 0 is chance. A whole match, with actions chosen at random:

>>> from random import Random
>>> rng = Random(1)
>>> game = new_game("durak", seats=2, rules={"throw_in": True}, dealer=2)
>>> state = game.start()
>>> while (seat := game.to_act(state)) is not None:
...     chance = game.chance(state)
...     action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
...     state = game.apply(state, action)
>>> sum(game.outcome(state).scores)
0

A seat chooses from its observation, which has no field for the cards that it does not know:

>>> state = game.apply(game.start(), game.chance(game.start()).sample(rng))
>>> observation = game.observation(state, game.to_act(state))
>>> len(observation.hand), observation.legal == game.legal_actions(state)
(6, True)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import import_module
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from cardgames.engine.cards import CARDS, Card, names

if TYPE_CHECKING:
    from random import Random  # whoever has one has imported it

OFFERED = ("durak", "truc", "kakeya", "fipsen", "zetema")
"""The games that have everything: what a menu offers, in its order."""

GAMES = (*OFFERED,)
"""Every game that can be played, by the name of its module."""

Value: TypeAlias = int | str | tuple[int, ...] | tuple[str, ...]
"""An argument of a message; ``KINDS`` says what it stands for."""

Kind: TypeAlias = Literal["seat", "seats", "card", "cards", "suit", "rank", "words"]
"""A suit is a letter of ``SHDC``, a rank one of ``RANKS``; words are those of the game, such as ``3 hand``."""

KINDS: Mapping[str, Kind] = {
    "seat": "seat", "by": "seat", "to": "seat",
    "seats": "seats", "other_seats": "seats",
    "card": "card", "attack_card": "card", "other_card": "card",
    "cards": "cards", "other_cards": "cards", "attack_cards": "cards", "beating_cards": "cards",
    "beaten_cards": "cards", "table_cards": "cards", "trick_cards": "cards",
    "suit": "suit", "rank": "rank",
    "bid": "words", "extras": "words",
}  # fmt: skip
"""The kind of each argument of a message, by its name; any other is a number or a text."""

T = TypeVar("T")

EACH_SEAT, EACH_SIDE, EACH_RANK, IS_PHASE = "each seat", "each side", "each rank", "phase"
"""The marks by which a reader of type hints tells what Python's types do not say. A number as a mark is the most items
that a tuple can have; a tuple of words, those that a string can be."""

PerSeat: TypeAlias = Annotated[tuple[T, ...], EACH_SEAT]
"""An item for each seat, that of seat 1 first."""

PerSide: TypeAlias = Annotated[tuple[T, ...], EACH_SIDE]
"""An item for each of the game's ``sides``, in their order."""

CHANCE = 0


class Action(NamedTuple):
    """Something that a seat, or chance, does. Two actions are the same exactly if their notation is."""

    kind: str
    """A word for it: the message key of its description."""
    text: str
    """Its notation, as it stands in a record."""
    cards: tuple[Card, ...] = ()
    """The cards it names, in the order of the notation."""
    args: tuple[int | str, ...] = ()
    """Anything else that it says: a suit, the number of tricks of a bid, an order of seats."""


class Reason(NamedTuple):
    """Why an action is refused, or why a match ended: a message key and its arguments."""

    key: str
    args: Mapping[str, Value] = {}

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.args.items())))


class Event(NamedTuple):
    """Something that happened and that the table tells to those in its audience, in the past tense."""

    key: str
    args: Mapping[str, Value] = {}
    audience: tuple[int, ...] | None = None
    """The seats that learn of it; ``None``: everybody. A card in ``args`` is shown to all of them."""

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.args.items()), self.audience))


def cards_named(args: Mapping[str, Value]) -> Iterator[Card]:
    """The cards among the arguments of a message."""
    for name, value in args.items():
        if KINDS.get(name) == "card":
            yield value  # type: ignore[misc]
        elif KINDS.get(name) == "cards":
            yield from value  # type: ignore[misc]


EventSink: TypeAlias = Callable[[Event], object]
"""Takes the events of an action as they come, as a list's ``append`` does."""


class Outcome(NamedTuple):
    """How a match ended."""

    scores: tuple[int, ...]
    """The score of each seat, seat 1 first, as the game counts them."""
    winners: tuple[int, ...]
    """The seats that won, ascending; nobody in a draw."""
    why: Reason


class Chance(NamedTuple):
    """A decision of chance: ``number`` of ``items`` in random order, every order equally likely."""

    kind: str
    """The word that opens the action: ``deal``, ``seats``, ``draw``."""
    items: tuple[int, ...]
    number: int

    @property
    def draws_seats(self) -> bool:
        """Whether the items are seats, drawn for a further game of the match, and not cards."""
        return self.kind == "seats"

    def action(self, chosen: Sequence[int]) -> Action:
        """The action that says ``chosen``, the items in their order."""
        if self.draws_seats:
            return Action(self.kind, f"{self.kind} {' '.join(map(str, chosen))}", (), tuple(chosen))
        return Action(self.kind, f"{self.kind} {names(chosen)}", tuple(chosen))

    def sample(self, rng: "Random") -> Action:
        """Let ``rng`` decide."""
        return self.action(rng.sample(self.items, self.number))


class InvalidAction(ValueError):
    """A text that is no action of the game, at any point of any match."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.reason = Reason("not_an_action", {"text": text})


class IllegalAction(ValueError):
    """An action of the game that is not legal in this state; ``reason`` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidRules(ValueError):
    """A game, number of seats, dealer or option that does not exist, or options that do not go together."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Reason(key, args)


class Option(NamedTuple):
    """One option of a game's rules, read off its dataclass."""

    name: str
    default: bool | int | str
    words: tuple[str, ...] | tuple[int, ...]
    """The words or numbers it may be; empty for a boolean and a number without limits: its default tells them apart."""

    def check(self, value: object) -> None:
        """Raise :class:`InvalidRules` unless ``value`` is one this option may have (see ``record``)."""
        if self.words:
            if type(value) is not type(self.default) or value not in self.words:
                words = tuple(map(str, self.words))
                raise InvalidRules("option_word", option=self.name, value=str(value), words=words)
        elif isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise InvalidRules("option_bool", option=self.name, value=str(value))
        elif isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InvalidRules("option_number", option=self.name, value=str(value))


@dataclass(frozen=True, init=False, repr=False, eq=False)  # those of each game have them
class Rules:
    """The options of a game; each game has its own dataclass, with a default for every option.

    A field is a ``bool``, an ``int`` of at least 1, or a ``Literal`` of words or numbers. A wrong value raises
    :class:`InvalidRules`.
    """

    def __post_init__(self) -> None:
        for option in options(type(self)):
            option.check(getattr(self, option.name))

    def check_seats(self, seats: int) -> None:
        """Raise :class:`InvalidRules` for an option, its argument ``option``, that does not go with so many players."""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "Rules":
        """The rules with ``values`` and the defaults of the rest; raises :class:`InvalidRules`."""
        known = {option.name for option in options(cls)}
        for name in values:
            if name not in known:
                raise InvalidRules("unknown_option", option=name)
        return cls(**values)

    def values(self) -> dict[str, bool | int | str]:
        """Every option written out, as in a record's header."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def options(rules: Any) -> tuple[Option, ...]:
    """The options of the class ``rules``, in its order."""
    hints: dict[str, Any] = get_type_hints(rules)
    return tuple(
        Option(name, getattr(rules, name), get_args(hint) if get_origin(hint) is Literal else ())
        for name, hint in hints.items()
    )


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)  # those of each game have them
class Observation:
    """All that one seat knows, and no field for what it cannot know. Seat 0 is somebody who only watches.

    Each game adds its own public fields and what the seat remembers. Everything that a seat may ask of its
    position follows from this alone. Observations are compared by content and can be hashed.
    """

    seat: int
    phase: Annotated[str, IS_PHASE]
    """The question to ``to_act``, one of ``PHASES``: its message key, and the key of the place in the rules."""
    to_act: int | None
    legal: tuple[Action, ...]
    """The legal actions if it is this seat's turn, in the order in which a player would look for them."""
    scores: PerSeat[int]
    outcome: Outcome | None

    @property
    def forced(self) -> bool:
        """Whether everybody can see, by what is public alone, that the one action ``to_act`` has is the only one."""
        return False

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """Actions that a player might think of now and may not do, each with its reason; made when first asked for."""
        raise NotImplementedError

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win or lose the deal in progress together, as far as that is settled; none that rests."""
        return tuple([(seat,) for seat in range(1, len(self.scores) + 1)])

    def refusal(self, action: Action) -> Reason:
        """Why ``action``, which is not legal for this seat now, is not: the reason that ``apply`` gives."""
        raise NotImplementedError


S = TypeVar("S")
O = TypeVar("O", bound=Observation)


class Game(ABC, Generic[S, O]):
    """A game with its options, ready to be played by ``seats`` people, ``dealer`` dealing first."""

    NAME: ClassVar[str]
    SEATS: ClassVar[tuple[int, ...]]
    """The numbers of players it can be played by."""
    RULES: ClassVar[type[Rules]]
    PACK: ClassVar[tuple[Card, ...]]
    """The cards that are dealt, ascending, unless an option says otherwise (:attr:`pack`)."""
    ACTIONS: ClassVar[Mapping[str, Action]]
    """The actions of players by their notation, all but those of the kinds in ``SELECTIONS``."""
    SELECTIONS: ClassVar[tuple[str, ...]] = ()
    """The kinds of actions that name several cards in so many combinations that they are made when they are met."""
    PHASES: ClassVar[tuple[str, ...]]
    """The values of an observation's ``phase``."""
    AUCTION: ClassVar[str] = ""
    """The phase in which seats outbid each other, so that the last word of each is all that counts; none in most."""
    ZERO_SUM: ClassVar[bool] = False
    """Whether the payoffs of all seats always add up to 0."""
    HAS_TIME_LIMIT: ClassVar[bool] = False
    """Whether a game of it can be ended by a time limit (:meth:`time_up`)."""

    def __init__(self, seats: int, rules: Rules, dealer: int = 1) -> None:
        """Raises :class:`InvalidRules` for a number of seats, a dealer or options that the game does not have."""
        if type(seats) is not int or seats not in self.SEATS:
            raise InvalidRules("seats", game=self.NAME, value=str(seats), seats_allowed=self.SEATS)
        if type(dealer) is not int or not 1 <= dealer <= seats:
            raise InvalidRules("dealer", value=str(dealer), count=seats)
        rules.check_seats(seats)
        self.seats = seats
        self.rules = rules
        self.dealer = dealer

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards that are dealt under these rules, ascending."""
        return self.PACK

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that belong together from the first deal on; most often each is alone."""
        return tuple([(seat,) for seat in range(1, self.seats + 1)])

    @abstractmethod
    def start(self) -> S:
        """The state before the first deal."""

    @abstractmethod
    def to_act(self, state: S) -> int | None:
        """The seat to act, ``CHANCE``, or ``None`` when the match is over."""

    def chance(self, state: S) -> Chance | None:
        """The decision that chance has to make now: to deal the pack, in most games; ``None`` unless it is to act."""
        return Chance("deal", self.pack, len(self.pack)) if self.to_act(state) == CHANCE else None

    @abstractmethod
    def legal_actions(self, state: S) -> Sequence[Action]:
        """Every action legal for the seat to act, without repeats; empty when chance is to act or the match is over."""

    @abstractmethod
    def apply(self, state: S, action: Action, tell: EventSink | None = None) -> S:
        """The state after ``action``; its events go to ``tell`` as they happen.

        Raises :class:`IllegalAction` for an action that is not legal, chance's included, before any event is told.
        """

    @abstractmethod
    def observation(self, state: S, seat: int) -> O:
        """The observation of ``seat``; for seat 0 whatever is public."""

    @abstractmethod
    def sampler(self, observation: O) -> "Callable[[Random], S]":
        """A function that draws states which fit the observation of a seat: known things as known, the rest at random.

        Whatever does not depend on chance is prepared here, once; each call with a source of random numbers then
        draws one state, every state that fits being equally likely. ``observation(state, o.seat) == o`` for each
        of them. Nothing is inferred from how somebody plays.
        """

    def resample(self, observation: O, rng: "Random") -> S:
        """One state that fits the observation of a seat, as :meth:`sampler` draws them."""
        return self.sampler(observation)(rng)

    def key(self, state: S) -> Hashable:
        """A value that two states share only if the same can happen from both, with the same payoffs to come.

        It leaves out what only tells how the position came about, so that a search meets equal positions as equal.
        """
        return state

    def deal_over(self, state: S) -> bool:
        """Whether no deal is in progress: before the first, between two, and when the match is over."""
        return self.to_act(state) in (CHANCE, None)

    def short_deal_begins(self, state: S) -> bool:
        """Whether a deal that is to be a short one may begin here: in most games as soon as it has been dealt."""
        return not self.deal_over(state)

    def payoff(self, state: S) -> tuple[int, ...]:
        """The points that each seat has won in the whole match so far, on a scale that never starts anew within it.

        Between the ends of two deals it changes by what the deal was worth to each seat, a round or a game
        that it decided included; so it is what a player who thinks ahead to the end of a deal compares.
        """
        return self.scores(state)

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """Bounds of what one deal can add to the payoff of a seat: the least and the most."""
        return -1, 1

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """The score of each seat, seat 1 first, as the game counts them."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the match ended; ``None`` while it goes on."""

    @abstractmethod
    def hands(self, state: S) -> tuple[tuple[Card, ...], ...]:
        """Each seat's cards; empty between deals."""

    def parse(self, text: str) -> Action:
        """The action of this notation, legal or not; raises :class:`InvalidAction`."""
        if text.startswith("deal "):
            return parse_chance("deal", text)
        try:
            return self.ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    @abstractmethod
    def next_dealer(self, state: S) -> int:
        """Who deals first in a rematch after this finished match."""

    def time_up(self, state: S) -> Action | None:
        """The action by which seat 0 ends the game now when its time is up; ``None`` if time cannot end it here."""
        return None

    def actor(self, state: S, action: Action) -> int | None:
        """The seat whose ``action`` it would be in ``state``: the one to act, or 0 where time is up."""
        return CHANCE if action == self.time_up(state) else self.to_act(state)


AnyGame: TypeAlias = Game[Any, Any]


def game_class(name: str) -> type[AnyGame]:
    """The class of a game, imported when first asked for; raises :class:`InvalidRules` for an unknown name."""
    if name not in GAMES:
        raise InvalidRules("unknown_game", value=name, games=GAMES)
    found: type[AnyGame] = import_module(f"cardgames.engine.{name}").GAME
    return found


def new_game(name: str, seats: int, rules: Mapping[str, object] = {}, dealer: int = 1) -> AnyGame:
    """A game to be played; raises :class:`InvalidRules` with the reason if it cannot be."""
    kind = game_class(name)
    return kind(seats, kind.RULES.of(rules), dealer)


def parse_chance(kind: str, text: str) -> Action:
    """The action of chance written ``kind CARD CARD …``; raises :class:`InvalidAction`."""
    words = text.split(" ")
    try:
        cards = tuple(CARDS[word] for word in words[1:])
    except KeyError:
        raise InvalidAction(text) from None
    if words[0] != kind:
        raise InvalidAction(text)
    return Action(kind, text, cards)


def check_pack(action: Action, pack: Sequence[Card]) -> None:
    """Raise :class:`IllegalAction` unless ``action`` deals exactly the cards of ``pack``, which is sorted."""
    if action.kind != "deal":
        raise IllegalAction(Reason("deal_first"))
    if sorted(action.cards) != list(pack):
        raise IllegalAction(Reason("not_the_pack", {"count": len(pack)}))
