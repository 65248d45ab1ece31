"""The limits of undo: which choices have become final."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import CHANCE, AnyGame, Event, cards_named


class UndoLimits:
    """The last final choice of each seat, which cannot be undone."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._has_equal_cards = len(set(game.PACK)) < len(game.PACK)
        self._seats = range(1, game.seats + 1)
        self._seen: dict[int, set[Card]] = {seat: set() for seat in self._seats}
        """The cards that each seat has seen in this deal."""
        self.last_final_plies = dict.fromkeys(self._seats, 0)
        """The last ply with a final choice of each seat; 0 if there is none."""

    def note(self, ply: int, by: int, before: Any, after: Any, events: Sequence[Event]) -> None:
        """Update the limits and the seen cards after action number ``ply``, by the seat ``by``; see :class:`Step`.

        All choices so far become final if chance acts or a seat sees a card that may be new to that seat. But if all
        such cards are shown to everybody from the hand of ``by``, the choices of ``by`` do not become final."""
        if self._game.deal_over(before):
            for seen in self._seen.values():
                seen.clear()
        hands = self._game.hands(before)
        public = set(_cards(event for event in events if event.audience is None))
        own_shown = public.intersection(hands[by - 1]) if by != CHANCE else set()
        private = {
            seat: set(_cards(event for event in events if seat in (event.audience or ()))) for seat in self._seats
        }
        for seat, (old, new) in enumerate(zip(hands, self._game.hands(after), strict=True), 1):
            private[seat] |= {*(Counter(new) - Counter(old))}  # received
        others = [seat for seat in self._seats if seat != by]
        is_other_card_new = any(  # a card that is not from the acting player's hand
            self._may_be_new(seat, private[seat]) or public - own_shown - self._seen[seat] for seat in self._seats
        )
        if by == CHANCE or is_other_card_new:
            self.last_final_plies = dict.fromkeys(self._seats, ply)
        elif any(self._may_be_new(seat, own_shown) for seat in others):
            self.last_final_plies |= dict.fromkeys(others, ply)
        for seat in self._seats:
            self._seen[seat] |= private[seat] | public

    def rewind(self, ply: int) -> None:
        """Forget the choices after ``ply``, which have been undone. The cards that seats have seen stay seen."""
        self.last_final_plies = {seat: min(last, ply) for seat, last in self.last_final_plies.items()}

    def _may_be_new(self, seat: int, cards: Collection[Card]) -> bool:
        """Whether some of ``cards`` may be new to ``seat``. Any card may be new if the pack has equal cards."""
        return bool(cards) and (self._has_equal_cards or not self._seen[seat].issuperset(cards))


def _cards(events: Iterable[Event]) -> Iterator[Card]:
    """The cards that events show. An event that names a rank counts as showing every card of that rank."""
    for event in events:
        yield from cards_named(event.args)
        if rank := event.args.get("rank"):
            yield from (card for card, name in enumerate(NAMES) if name[0] == rank)
