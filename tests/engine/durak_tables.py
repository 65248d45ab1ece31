"""Matches of Durak on their way, from stacked decks and in the notation of records."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from cardgames.engine.cards import CARDS, NAMES, card_set
from cardgames.engine.durak import HAND_SIZE
from cardgames.engine.game import Event, new_game
from tests.engine.positions import Position
from tests.engine.positions import cards as numbers


def cards(text: str) -> set[str]:
    return set(text.split())


class Table(Position):
    """A match on its way; without ``dealer`` the last seat deals."""

    def __init__(self, seats: int = 2, dealer: int = 0, **rules: Any) -> None:
        super().__init__(new_game("durak", seats, rules, dealer or seats))
        self.seats = seats

    def deal(self, pack: Sequence[str]) -> "Table":
        return self.do("deal " + " ".join(pack))

    @property
    def choices(self) -> set[str]:
        """What is legal, in no order."""
        return {*self.legal}

    def roles(self) -> tuple[int, int]:
        """Who leads, and who defends."""
        return self.sees().attacker, self.sees().defender

    def told(self, key: str) -> list[Event]:
        return [event for event in self.events if event.key == key]

    def drawers(self) -> list[object]:
        """Who drew after the last action, in order."""
        return [event.args["seat"] for event in self.told("drew")]

    def asked(self, *actions: str) -> list[int | None]:
        """Who is to act after each of these actions."""
        return [self.do(action).to_act for action in actions]


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


def ending(
    *hands: str, stock: str = "", out: Iterable[int] = (), leader: int = 1, turn_up: str = "6H", **rules: Any
) -> Table:
    """A match late in a game: these hands, what is still in the stock, the turn-up last, and who leads the next bout.

    Cards that are not named have left the game.
    """
    turn_up, seats_out = (stock or turn_up).split()[-1], tuple(out)
    table = stacked(seats=len(hands), turn_up=turn_up, **rules)
    held = tuple([card_set(numbers(hand)) for hand in hands])
    hidden = card_set([*chain(*map(numbers, hands)), *numbers(stock)])
    shown = (card_set(table.game.pack) & ~hidden) | 1 << CARDS[turn_up]
    past = ((held, leader),) if table.game._position_can_recur(numbers(stock)) else ()  # type: ignore[attr-defined]
    start = table.game._new_bout(leader, seats_out)  # type: ignore[attr-defined]
    table.state = table.state._replace(
        phase="attack", to_act=leader, hands=held, stock=numbers(stock), bout=start, shown=shown, first_bout=False,
        out=seats_out, past=past,
    )  # fmt: skip
    return table
