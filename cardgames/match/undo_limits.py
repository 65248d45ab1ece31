"""The choices that can still be undone."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import CHANCE, AnyGame, Event, cards_named


class UndoLimits:
    """The last final choice of each seat.

    A choice becomes final when anybody sees a card that was hidden from them before. A player may undo a choice that
    showed their own cards, but opponents who have seen those cards may not undo theirs. Chance's actions are never
    undone."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._has_twins = len(set(game.PACK)) < len(game.PACK)
        self._seats = range(1, game.seats + 1)
        self._seen: dict[int, set[Card]] = {seat: set() for seat in self._seats}
        """The cards that each seat has seen since they were dealt."""
        self._up_to = dict.fromkeys(self._seats, 0)

    def up_to(self, seat: int) -> int:
        """The last ply with a final choice of ``seat``; 0 if there is none."""
        return self._up_to[seat]

    def note(self, ply: int, by: int, before: Any, after: Any, events: Sequence[Event]) -> None:
        """Note an action, with the states before and after it and its events."""
        if self._game.deal_over(before):
            for seen in self._seen.values():
                seen.clear()
        held, holds = self._game.hands(before), self._game.hands(after)
        public = set(_cards(event for event in events if event.audience is None))
        laid_open = public.intersection(held[by - 1]) if by != CHANCE else set()
        private = {
            seat: {
                *_cards(event for event in events if event.audience and seat in event.audience),
                *(Counter(holds[seat - 1]) - Counter(held[seat - 1])),
            }
            for seat in self._seats
        }
        others = [seat for seat in self._seats if seat != by]
        if (
            by == CHANCE
            or any(self._may_be_new(seat, private[seat]) for seat in self._seats)
            or any(public - laid_open - self._seen[seat] for seat in self._seats)
        ):
            self._up_to = dict.fromkeys(self._seats, ply)
        elif any(self._may_be_new(seat, laid_open) for seat in others):
            self._up_to |= dict.fromkeys(others, ply)
        for seat in self._seats:
            self._seen[seat] |= private[seat] | public

    def rewind(self, ply: int) -> None:
        """Forget the choices after ``ply``, which were undone. Cards seen since remain seen."""
        self._up_to = {seat: min(up_to, ply) for seat, up_to in self._up_to.items()}

    def _may_be_new(self, seat: int, cards: Collection[Card]) -> bool:
        """Whether some of the cards may be new to ``seat``; of equal cards it may have seen either."""
        return bool(cards) and (self._has_twins or not self._seen[seat].issuperset(cards))


def _cards(events: Iterable[Event]) -> Iterator[Card]:
    """The cards that events show; an event with a rank may show any card of it."""
    for event in events:
        yield from cards_named(event.args)
        if rank := event.args.get("rank"):
            yield from (card for card, written in enumerate(NAMES) if written[0] == rank)
