"""Matches of Durak on their way, from stacked decks and in the notation of records."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from cardgames.engine.cards import NAMES
from cardgames.engine.durak import HAND_SIZE, DurakObservation
from cardgames.engine.game import CHANCE, AnyGame, Event, Message, Outcome, new_game
from tests.engine.positions import cards as numbers
from tests.engine.positions import reason


def cards(text: str) -> set[str]:
    return set(text.split())


class Table:
    """A match on its way; without ``dealer`` the last seat deals."""

    def __init__(self, seats: int = 2, dealer: int = 0, **rules: Any) -> None:
        self.seats = seats
        self.game: AnyGame = new_game("durak", seats, rules, dealer or seats)
        self.state: Any = self.game.start()
        self.events: list[Event] = []
        """The events of the last action."""

    def deal(self, pack: Sequence[str]) -> "Table":
        return self.play("deal " + " ".join(pack))

    def play(self, *actions: str) -> "Table":
        for text in actions:
            self.events = []
            self.state = self.game.apply(self.state, self.game.parse(text), self.events.append)
        return self

    @property
    def to_act(self) -> int | None:
        return self.game.to_act(self.state)

    @property
    def legal(self) -> set[str]:
        return {action.text for action in self.game.legal_actions(self.state)}

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def refused(self) -> dict[str, Message]:
        return {action.text: reason for action, reason in self.sees(self.to_act or CHANCE).refused}

    @property
    def key(self) -> object:
        return self.game.key(self.state)

    def hand(self, seat: int) -> set[str]:
        return {NAMES[card] for card in self.game.hands(self.state)[seat - 1]}

    def sees(self, seat: int = CHANCE) -> DurakObservation:
        seen: DurakObservation = self.game.observation(self.state, seat)
        return seen

    def roles(self) -> tuple[int, int]:
        """Who leads, and who defends."""
        return self.sees().attacker, self.sees().defender

    def why_not(self, text: str) -> Message:
        return reason(self.game, self.state, text)

    def told(self, key: str) -> list[Event]:
        return [event for event in self.events if event.key == key]

    def drawers(self) -> list[object]:
        """Who drew after the last action, in order."""
        return [event.args["seat"] for event in self.told("drew")]

    def asked(self, *actions: str) -> list[int | None]:
        """Who is to act after each of these actions."""
        return [self.play(action).to_act for action in actions]


def stacked(*hands: str, stock: str = "", turn_up: str = "6H", seats: int = 0, dealer: int = 0, **rules: Any) -> Table:
    """A match after a deal: the beginnings of the hands, the next cards of the stock, and the card turned up.

    Cards that are not named are dealt as they come, lowest first.
    """
    table = Table(seats or len(hands), dealer, **rules)
    pack = [NAMES[card] for card in table.game.pack]
    named = [hand.split() for hand in (*hands, *[""] * (table.seats - len(hands)))]
    last = [turn_up] * (table.seats * HAND_SIZE < len(pack))
    rest = iter([card for card in pack if card not in {*chain(*named), *stock.split(), *last}])
    full = [[*hand, *[next(rest) for _ in range(HAND_SIZE - len(hand))]] for hand in named]
    order = [full[(table.game.dealer + step) % table.seats] for step in range(table.seats)]
    return table.deal([*chain(*zip(*order, strict=True)), *last, *stock.split(), *rest])


def ending(*hands: str, out: Iterable[int] = (), leader: int = 1, **rules: Any) -> Table:
    """A match near its end: these hands, no stock, this leader. Cards that are not named have left the game."""
    table, seats_out = stacked(seats=len(hands), **rules), tuple(out)
    held = [sum([1 << card for card in numbers(hand)]) for hand in hands]
    shown = sum([1 << card for card in table.game.pack]) & ~sum(held)
    start = table.game._new_bout(leader, seats_out)  # type: ignore[attr-defined]
    table.state = table.state._replace(
        phase="attack", to_act=leader, hands=tuple(held), stock=(), bout=start, shown=shown, first_bout=False,
        out=seats_out,
    )  # fmt: skip
    return table
