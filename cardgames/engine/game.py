"""The interface of games, for the code that runs, shows, stores or plays them.

A game has the number of seats, the options and the first dealer of a match, and no state. A match is a chain of
states, which are immutable, hashable and compared by content. Only the game reads the fields of a state. Seats count
from 1; seat 0 is chance. A whole match, with actions chosen at random:

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
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import import_module
from random import Random
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, get_args

from cardgames.engine.cards import CARDS, Card, names

OFFERED = ("durak", "truc", "kakeya", "fipsen", "zetema")
"""The names of the games that menus offer, in the order of the menus."""

GAMES = (*OFFERED,)
"""The names of all games that can be played, which are also the names of their modules."""

Value: TypeAlias = int | str | tuple[int, ...] | tuple[str, ...]
"""An argument of a message. ``KINDS`` has its meaning by name."""

RuleValues: TypeAlias = dict[str, bool | int | str]
"""The options of a game's rules, each with its value."""

Kind: TypeAlias = Literal["seat", "seats", "card", "cards", "suit", "rank", "words"]
"""The kinds of arguments: a suit is one of ``SHDC``, a rank one of ``RANKS``; words are a term of the game."""

KINDS: Mapping[str, Kind] = {
    "seat": "seat", "by": "seat", "to": "seat",
    "seats": "seats", "other_seats": "seats",
    "card": "card", "attack_card": "card", "other_card": "card",
    "cards": "cards", "other_cards": "cards", "attack_cards": "cards", "beating_cards": "cards",
    "beaten_cards": "cards", "table_cards": "cards", "trick_cards": "cards",
    "suit": "suit", "rank": "rank",
    "bid": "words", "extras": "words",
}  # fmt: skip
"""The kinds of the arguments of messages, by name. Other arguments are numbers or texts."""

T = TypeVar("T")

EACH_SEAT, EACH_SIDE, EACH_RANK, IS_PHASE = "each seat", "each side", "each rank", "phase"
"""Metadata for ``Annotated``: a tuple has an item for each seat, side or rank, or a string is a phase. A number is the
maximum length of a tuple. A tuple of strings lists the possible values of a string."""

PerSeat: TypeAlias = Annotated[tuple[T, ...], EACH_SEAT]
"""An item for each seat, seat 1 first."""

PerSide: TypeAlias = Annotated[tuple[T, ...], EACH_SIDE]
"""An item for each of the game's ``sides``, in their order."""

CHANCE = 0


class Action(NamedTuple):
    """An action of a seat or of chance. Two actions are equal exactly if their notations are."""

    kind: str
    """The kind, which selects the message that describes the action."""
    text: str
    """The notation of the action, as in a record."""
    cards: tuple[Card, ...] = ()
    """The cards in the notation, in order."""
    args: tuple[int | str, ...] = ()
    """The other arguments: a suit, the number of tricks of a bid, an order of seats."""


class Message(NamedTuple):
    """A text for people as a message key with arguments: why an action is not legal, how a match ended, a label."""

    key: str
    args: Mapping[str, Value] = {}

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.args.items())))


class Event(NamedTuple):
    """Something that happened: a message key with arguments, and the seats that may be told."""

    key: str
    args: Mapping[str, Value] = {}
    audience: tuple[int, ...] | None = None
    """The seats that may see the event and the cards in ``args``; ``None`` for everybody."""

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
"""A function that receives the events of an action in order, such as the ``append`` of a list."""


class Teller(Protocol):
    """A function that makes an event and passes it to a listener."""

    def __call__(self, key: str, audience: tuple[int, ...] | None = None, /, **args: Value) -> object: ...


def teller(listener: EventSink) -> Teller:
    """Return the :class:`Teller` for a listener."""
    return lambda key, audience=None, /, **args: listener(Event(key, args, audience))


def tell_nobody(key: str, audience: tuple[int, ...] | None = None, /, **args: Value) -> None:
    """Make no event, as nobody listens. Callers may skip costly arguments for this :class:`Teller`."""


class Outcome(NamedTuple):
    """The end of a match."""

    scores: tuple[int, ...]
    """The score of each seat, seat 1 first."""
    winners: tuple[int, ...]
    """The seats that won, ascending; empty in a draw."""
    why: Message


class Chance(NamedTuple):
    """A decision of chance: draw ``number`` cards or seats from ``items``. All orders are equally likely."""

    kind: str
    """The first word of the action: ``deal``, ``seats``, ``draw``."""
    items: tuple[int, ...]
    number: int

    @property
    def draws_seats(self) -> bool:
        """Whether the items are seats, drawn for the next game of a match, and not cards."""
        return self.kind == "seats"

    def action(self, chosen: Sequence[int]) -> Action:
        """The action that draws the items ``chosen``, in this order."""
        if self.draws_seats:
            return Action(self.kind, f"{self.kind} {' '.join(map(str, chosen))}", (), tuple(chosen))
        return Action(self.kind, f"{self.kind} {names(chosen)}", tuple(chosen))

    def sample(self, rng: Random) -> Action:
        """Draw an action with ``rng``."""
        return self.action(rng.sample(self.items, self.number))


class InvalidAction(ValueError):
    """A text that is not the notation of any action of the game."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.reason = Message("not_an_action", {"text": text})


class IllegalAction(ValueError):
    """An action that is not legal in the given state, with the ``reason``."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidRules(ValueError):
    """An unknown game or option, or an impossible number of seats, dealer or combination of options."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Message(key, args)


class Option(NamedTuple):
    """An option of a game's rules, derived from its dataclass."""

    name: str
    default: bool | int | str
    words: tuple[str, ...] | tuple[int, ...]
    """The possible words or numbers; empty for booleans and for unlimited numbers."""

    def check(self, value: object) -> None:
        """Raise :class:`InvalidRules` unless ``value`` is possible for this option."""
        if self.words:
            if type(value) is not type(self.default) or value not in self.words:
                words = tuple(map(str, self.words))
                raise InvalidRules("option_word", option=self.name, value=str(value), words=words)
        elif isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise InvalidRules("option_bool", option=self.name, value=str(value))
        elif isinstance(value, bool) or not isinstance(value, int) or value < 1:  # a bool is an int too
            raise InvalidRules("option_number", option=self.name, value=str(value))


@dataclass(frozen=True, init=False, repr=False, eq=False)  # subclasses have these methods
class Rules:
    """The options of a game. Each game has its own dataclass, with defaults.

    A field is a ``bool``, an ``int`` of at least 1, or a ``Literal`` of words or numbers. A wrong value raises
    :class:`InvalidRules`."""

    def __post_init__(self) -> None:
        for option in options(type(self)):
            option.check(getattr(self, option.name))

    def check_seats(self, seats: int) -> None:
        """Raise :class:`InvalidRules`, naming the option, if an option does not suit the number of players."""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "Rules":
        """Create rules with ``values``, and defaults for the other options. Raises :class:`InvalidRules`."""
        known = {option.name for option in options(cls)}
        for name in values:
            if name not in known:
                raise InvalidRules("unknown_option", option=name)
        return cls(**values)

    def values(self) -> RuleValues:
        """All options with their values, as in a record's header."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def options(rules: Any) -> tuple[Option, ...]:
    """The options of the class ``rules``, in the order of its fields."""
    return tuple([Option(field.name, getattr(rules, field.name), get_args(field.type)) for field in fields(rules)])


class Legality(ABC):
    """The facts that decide which actions are legal in a position, for a seat or for chance.

    The acting seat knows all these facts, so a reason against an action reveals nothing to it."""

    __slots__ = ()

    @abstractmethod
    def why_not(self, action: Action) -> Message | None:
        """The reason why ``action``, of a seat or of chance, is not legal, or ``None``."""

    @abstractmethod
    def plausible(self) -> Iterable[Action]:
        """The actions that a player might think of, legal or not. Call it only if a seat is to act."""

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of a seat, in the order in which a player would look for them; empty for chance."""
        return tuple([action for action in self.plausible() if not self.why_not(action)])

    def refused(self) -> tuple[tuple[Action, Message], ...]:
        """Illegal actions that a player might think of, each with the reason."""
        return tuple([(action, reason) for action in self.plausible() if (reason := self.why_not(action))])


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)  # subclasses have these methods
class Observation:
    """All that one seat knows, without any field for hidden cards. Seat 0 is a spectator.

    Each game adds fields for public facts and for the seat's own cards and memory. In all games ``hand`` is the seat's
    own cards, ``counts`` the number of cards in each hand, ``stock`` the number of cards in the stock, and ``dealer``
    the dealer of this deal or, between two deals, of the next. Observations are hashable and compared by content."""

    seat: int
    phase: Annotated[str, IS_PHASE]
    """The question to ``to_act``, one of ``PHASES``, which selects its message and the clause of the rules."""
    to_act: int | None
    legal: tuple[Action, ...]
    """The legal actions if this seat is to act, in the order in which a player would look for them; else empty."""
    scores: PerSeat[int]
    outcome: Outcome | None

    @property
    def forced(self) -> bool:
        """Whether public information alone shows that the acting seat has only one legal action."""
        return False

    @property
    def legality(self) -> Legality:
        """The facts that decide which actions are legal for the acting seat, as far as this seat knows them."""
        raise NotImplementedError

    @cached_property
    def refused(self) -> tuple[tuple[Action, Message], ...]:
        """Illegal actions that this seat might think of, each with the reason. Computed on first use."""
        return self.legality.refused() if self.legal else ()

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        """The sides of this deal, as far as known: the seats that win or lose it together, without resting seats."""
        return tuple([(seat,) for seat in range(1, len(self.scores) + 1)])

    def refusal(self, action: Action) -> Message:
        """The reason why ``action`` is not legal for this seat now, as :meth:`Game.apply` gives it."""
        if self.to_act and self.seat != self.to_act:
            return Message("not_now")
        return self.legality.why_not(action) or Message("not_now")


class State(Hashable, Protocol):
    """A position of a match; an immutable value."""

    @property
    def to_act(self) -> int | None:
        """The acting seat, ``CHANCE``, or ``None`` when the match is over."""


S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Observation)
R = TypeVar("R", bound=Rules)


class Game(ABC, Generic[S, O, R]):
    """A game with its number of seats, options and first dealer. It defines the states, the observations and the rules.

    The method ``do_KIND(state, action, tell)`` carries out an action of the kind ``KIND``."""

    NAME: ClassVar[str]
    SEATS: ClassVar[tuple[int, ...]]
    """The possible numbers of players."""
    RULES: ClassVar[type[Rules]]
    PACK: ClassVar[tuple[Card, ...]]
    """The cards that are dealt, ascending. An option may change them (:attr:`pack`)."""
    ACTIONS: ClassVar[Mapping[str, Action]]
    """All actions of players, by notation, except the kinds in ``SELECTIONS``."""
    SELECTIONS: ClassVar[tuple[str, ...]] = ()
    """The kinds of actions that have too many combinations of cards to be listed in ``ACTIONS``."""
    PHASES: ClassVar[tuple[str, ...]]
    """The values of an observation's ``phase``."""
    AUCTION: ClassVar[str] = ""
    """The phase of an auction, in which only the last action of each seat counts; empty without an auction."""
    ZERO_SUM: ClassVar[bool] = False
    """Whether the payoffs of all seats always sum to 0."""
    HAS_TIME_LIMIT: ClassVar[bool] = False
    """Whether a time limit can end the game (:meth:`time_up`)."""

    def __init__(self, seats: int, rules: R, dealer: int = 1) -> None:
        """Raise :class:`InvalidRules` for an impossible number of seats, dealer or combination of options."""
        if type(seats) is not int or seats not in self.SEATS:
            raise InvalidRules("seats", game=self.NAME, value=str(seats), seats_allowed=self.SEATS)
        if type(dealer) is not int or not 1 <= dealer <= seats:
            raise InvalidRules("dealer", value=str(dealer), count=seats)
        rules.check_seats(seats)
        self.seats, self.rules, self.dealer = seats, rules, dealer
        self._orders = [(*range(seat, seats + 1), *range(1, seat)) for seat in range(1, seats + 1)]
        """The seats in turn order, by the first seat."""
        self._listed: tuple[S | None, tuple[Action, ...]] = None, ()
        """The state whose legal actions were listed last, and the actions. :meth:`apply` does not judge them again."""

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards that are dealt under these rules, ascending."""
        return self.PACK

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side for the whole match; in most games each seat is alone."""
        return tuple([(seat,) for seat in range(1, self.seats + 1)])

    def next_seat(self, seat: int, steps: int = 1) -> int:
        """The seat that is ``steps`` places after ``seat`` in turn order."""
        return (seat - 1 + steps) % self.seats + 1

    def seats_from(self, seat: int) -> tuple[int, ...]:
        """All seats in turn order, from ``seat`` on."""
        return self._orders[seat - 1]

    @abstractmethod
    def start(self) -> S:
        """The state before the first deal."""

    def to_act(self, state: S) -> int | None:
        """The acting seat, ``CHANCE``, or ``None`` when the match is over."""
        return state.to_act

    def chance(self, state: S) -> Chance | None:
        """The present decision of chance, in most games the deal of the pack; ``None`` unless chance is to act."""
        return Chance("deal", self.pack, len(self.pack)) if self.to_act(state) == CHANCE else None

    @abstractmethod
    def legality(self, state: S) -> Legality:
        """The facts that decide which actions are legal for the acting seat, or for chance."""

    def legal_actions(self, state: S) -> tuple[Action, ...]:
        """The legal actions of the acting seat, without duplicates; empty for chance and after the end."""
        legal = self.legality(state).legal()
        self._listed = state, legal
        return legal

    def apply(self, state: S, action: Action, tell: EventSink | None = None) -> S:
        """Return the state after ``action``, and pass its events to ``tell``.

        Raises :class:`IllegalAction` for an illegal action of a seat or of chance, before any event is passed."""
        listed_state, listed = self._listed
        is_listed = state is listed_state and action in listed
        if not is_listed and (reason := self.legality(state).why_not(action)):
            raise IllegalAction(reason)
        return self.after(state, action, teller(tell) if tell else tell_nobody)

    def after(self, state: S, action: Action, tell: Teller) -> S:
        """Return the state after a legal ``action``, and tell its events. Calls ``do_KIND``."""
        method: Callable[[S, Action, Teller], S] = getattr(self, f"do_{action.kind.replace('-', '_')}")
        return method(state, action, tell)

    @abstractmethod
    def observation(self, state: S, seat: int) -> O:
        """The observation of ``seat``. Seat 0 is a spectator."""

    def common_facts(self, state: S, seat: int) -> dict[str, Any]:
        """The fields that the observations of all games have, except ``phase``."""
        to_act, scores, outcome = self.to_act(state), self.scores(state), self.outcome(state)
        legal = self.legal_actions(state) if seat == to_act != CHANCE else ()
        return {"seat": seat, "to_act": to_act, "legal": legal, "scores": scores, "outcome": outcome}

    @abstractmethod
    def sampler(self, observation: O) -> Callable[[Random], S]:
        """Return a function that samples states which fit the observation of a seat.

        All states that fit are equally likely: nothing is inferred from the choices of opponents. The function is fast:
        this method prepares all parts that are not random."""

    def resample(self, observation: O, rng: Random) -> S:
        """Sample one state that fits the observation of a seat; see :meth:`sampler`."""
        return self.sampler(observation)(rng)

    def deal_over(self, state: S) -> bool:
        """Whether no deal is in progress: before the first deal, between two deals, or after the last."""
        return self.to_act(state) in (CHANCE, None)

    def short_deal_begins(self, state: S) -> bool:
        """Whether ``state`` can start a short deal of the day. In most games every state of a deal can."""
        return not self.deal_over(state)

    def payoff(self, state: S) -> tuple[int, ...]:
        """The points that each seat has won so far in the match. A new round or game does not reset them.

        For each seat a deal is worth the payoff after it minus the payoff before it, including a round or game that the
        deal decided. Searches to the end of a deal compare payoffs."""
        return self.scores(state)

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The least and the most that one deal can add to the payoff of a seat."""
        return -1, 1

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """The score of each seat, seat 1 first."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The outcome, or ``None`` while the match goes on."""

    @abstractmethod
    def hands(self, state: S) -> tuple[tuple[Card, ...], ...]:
        """The cards of each seat; empty between deals."""

    def parse(self, text: str) -> Action:
        """The action with this notation, legal or not. Raises :class:`InvalidAction`."""
        if text.startswith("deal "):
            return parse_chance(text)
        try:
            return self.ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    @abstractmethod
    def next_dealer(self, state: S) -> int:
        """The first dealer of a rematch after the finished match."""

    def time_up(self, state: S) -> Action | None:
        """The action by which chance ends the game when time is up; ``None`` if time cannot end it now."""
        return None

    def actor(self, state: S, action: Action) -> int | None:
        """The seat that can take ``action``: ``CHANCE`` for the action of :meth:`time_up`, else the acting seat."""
        return CHANCE if action == self.time_up(state) else self.to_act(state)


AnyGame: TypeAlias = Game[Any, Any, Any]


def game_class(name: str) -> type[AnyGame]:
    """Import and return the class of a game. Raises :class:`InvalidRules` for an unknown name."""
    if name not in GAMES:
        raise InvalidRules("unknown_game", value=name, games=GAMES)
    found: type[AnyGame] = import_module(f"cardgames.engine.{name}").GAME
    return found


def new_game(name: str, seats: int, rules: Mapping[str, object] = {}, dealer: int = 1) -> AnyGame:
    """Create a game. Raises :class:`InvalidRules` for an unknown name or impossible arguments."""
    kind = game_class(name)
    return kind(seats, kind.RULES.of(rules), dealer)


def parse_chance(text: str) -> Action:
    """Parse an action of chance with the notation ``KIND CARD CARD …``. Raises :class:`InvalidAction`."""
    kind, *cards = text.split(" ")
    try:
        return Action(kind, text, tuple(CARDS[card] for card in cards))
    except KeyError:
        raise InvalidAction(text) from None
