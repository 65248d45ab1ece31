"""Encodes an observation as a vector of ints of constant length, with a label for each entry.

The type hints of the observation's fields determine the encoding, so a game has nothing to add:

    a number or boolean         one entry; -1 for ``None``
    a word                      one entry for each possible word, 1 for the actual one
    a card                      one entry: 1 for the first card of the pack, 0 for none
    several cards, a card set, cards by rank
                                one entry for each card of the pack: its number of copies
    an action                   two entries: its kind, and the last card that it names
    a ``NamedTuple``            the entries of its parts
    ``PerSeat``, ``PerSide``, a tuple of fixed length
                                the entries of each item
    a tuple of at most n items  its length, then the entries of n items, such as cards whose order matters
    any other tuple             its length, then the entries of its last ``LAST`` items, the latest first

The legal actions are in the mask beside the vector, and the outcome in the rewards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import accumulate, chain
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from cardgames.engine.cards import IS_CARD, IS_CARD_SET, IS_PACK_SET, NAMES, cards_in
from cardgames.engine.game import EACH_RANK, EACH_SEAT, IS_PHASE, Action, AnyGame, Observation
from cardgames.engine.observation_json import observation_class

LAST = 12
"""The most items of a history that a vector has."""

Entries: TypeAlias = dict[int, int]
"""The non-zero entries of a vector, by index. Of thousands of entries, few are not zero."""

Write: TypeAlias = Callable[[Any, int, Entries], None]
"""A function that adds the entries of a value to a vector, starting at an index."""


class FieldPart(NamedTuple):
    """The encoding of the values of one type."""

    labels: tuple[str, ...]
    """The label of each entry, appended to the name of the field."""
    write: Write


class ObservationVector:
    """The encoder of a game's observations."""

    def __init__(self, game: AnyGame) -> None:
        """Raises ``TypeError`` for a field without a fixed length."""
        self._game = game
        self._pack = sorted(set(game.pack))
        self._place = {card: place for place, card in enumerate(self._pack)}
        self._kinds = ("", *sorted({action.kind for action in game.ACTIONS.values()} | set(game.SELECTIONS)))
        kind = observation_class(game.NAME)
        hints = get_type_hints(kind, include_extras=True)
        self._names = [field.name for field in fields(kind) if field.name not in ("legal", "outcome")]
        self._whole = _each(self._names, [self._field(name, hints[name]) for name in self._names])
        self.labels = self._whole.labels
        """The meaning of each entry: ``seat``, ``hand 7C``, ``counts 2``, ``trick[0].by`` …"""

    def __call__(self, observation: Observation) -> Mapping[int, int]:
        """The non-zero entries of an observation's vector, by index in ``labels``."""
        result: Entries = {}
        self._whole.write([getattr(observation, name) for name in self._names], 0, result)
        return result

    def fill(self, array: Any, observation: Observation) -> None:
        """Overwrite a NumPy array with an observation's vector."""
        entries = self(observation)
        array.fill(0)
        array[list(entries)] = list(entries.values())

    def __reduce__(self) -> tuple[type["ObservationVector"], tuple[AnyGame]]:
        """Pickle only the game because the rest follows from it."""
        return ObservationVector, (self._game,)

    def _field(self, name: str, hint: Any) -> FieldPart:
        """The encoding of a field. Raises ``TypeError`` if its values have no fixed length."""
        try:
            return self._part(hint)
        except TypeError as error:
            raise TypeError(
                f"{name}: {error}; declare a Literal of words, Annotated[str, words] or Annotated[tuple[…], most items]"
            ) from None

    def _part(self, hint: Any) -> FieldPart:
        """The encoding of values with this type hint."""
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._marked(*args)
        if hint in (int, bool):
            return FieldPart(("",), _write_number)
        if hint is Action:
            return FieldPart((" kind", " card"), self._write_action)
        if origin is Literal:
            return self._word(args)
        if origin in (Union, UnionType) and len(args) == 2 and NoneType in args:
            return _or_none(self._part(args[args[0] is NoneType]))  # the part that is not None
        if origin is tuple and args[1:] == (...,):
            has_cards = IS_CARD in get_args(args[0])[1:]
            return self._cards() if has_cards else _at_most(LAST, self._part(args[0]), latest_first=True)
        if origin is tuple:
            return _each([str(place) for place in range(1, len(args) + 1)], [self._part(arg) for arg in args])
        if isinstance(hint, type) and issubclass(hint, tuple) and (names := getattr(hint, "_fields", ())):
            hints = get_type_hints(hint, include_extras=True)
            return _each([f".{name}" for name in names], [self._part(hints[name]) for name in names])
        raise TypeError(f"{hint} has no fixed length")

    def _marked(self, hint: Any, mark: object) -> FieldPart:
        """The encoding of values of the type ``Annotated[hint, mark]``."""
        if mark == IS_CARD:
            return FieldPart(("",), lambda card, at, entries: entries.update({at: self._place[card] + 1}))
        if mark == IS_CARD_SET:
            return self._cards(cards_in)
        if mark == IS_PACK_SET:
            return self._cards(cards_in, range(len(self._pack)))
        if mark == EACH_RANK:
            return self._cards(chain.from_iterable)
        if mark == IS_PHASE:
            return self._word(self._game.PHASES)
        if isinstance(mark, tuple):  # the possible words
            return self._word(mark)
        item = get_args(hint)[0]
        if isinstance(mark, int):  # the most items
            return _at_most(mark, self._part(item))
        count = self._game.seats if mark == EACH_SEAT else len(self._game.sides)
        return _each([f" {number}" for number in range(1, count + 1)], [self._part(item)] * count)

    def _cards(self, cards: Callable[[Any], Iterable[int]] = iter, places: Sequence[int] = ()) -> FieldPart:
        """The encoding of values that contain cards. ``cards`` extracts from a value the numbers of its cards.

        ``places``: the place in the pack for each number, if the numbers are not those of the engine."""
        place_of = places or self._place

        def write(value: Any, at: int, entries: Entries) -> None:
            for card in cards(value):
                place = at + place_of[card]
                entries[place] = entries.get(place, 0) + 1

        return FieldPart(tuple([f" {NAMES[card]}" for card in self._pack]), write)

    def _word(self, words: Sequence[str]) -> FieldPart:
        """The encoding of one of these words, or of ``None``."""

        def write(value: Any, at: int, entries: Entries) -> None:
            if value in words:
                entries[at + words.index(value)] = 1

        return FieldPart(tuple([f" is {word}" for word in words]), write)

    def _write_action(self, action: Action, at: int, entries: Entries) -> None:
        """Add the two entries of an action: a number for its kind, and a number for its last card."""
        entries[at] = self._kinds.index(action.kind)
        if action.cards:
            entries[at + 1] = self._place[action.cards[-1]] + 1  # 0 is for no card


def _write_number(value: int, at: int, entries: Entries) -> None:
    if value:
        entries[at] = int(value)


def _or_none(part: FieldPart) -> FieldPart:
    """The encoding of an optional value: ``None`` is -1 if the value has a single entry, else 0 in every entry."""
    has_single_entry = len(part.labels) == 1

    def write(value: Any, at: int, entries: Entries) -> None:
        if value is not None:
            part.write(value, at, entries)
        elif has_single_entry:
            entries[at] = -1

    return FieldPart(part.labels, write)


def _each(names: Sequence[str], parts: Sequence[FieldPart]) -> FieldPart:
    """The encoding of a fixed number of values, one for each of ``names`` and ``parts``."""
    writes = [part.write for part in parts]
    starts = list(accumulate([len(part.labels) for part in parts[:-1]], initial=0))

    def write(values: Sequence[Any], at: int, entries: Entries) -> None:
        for write_part, start, value in zip(writes, starts, values, strict=True):
            write_part(value, at + start, entries)

    labels = [name + label for name, part in zip(names, parts, strict=True) for label in part.labels]
    return FieldPart(tuple(labels), write)


def _at_most(most: int, part: FieldPart, latest_first: bool = False) -> FieldPart:
    """The encoding of a varying number of values: their number, then the first ``most`` or the latest, reversed."""
    width = len(part.labels)

    def write(values: Sequence[Any], at: int, entries: Entries) -> None:
        _write_number(len(values), at, entries)
        for place, value in enumerate((values[::-1] if latest_first else values)[:most]):
            part.write(value, at + 1 + place * width, entries)

    labels = [f"[{place}]{label}" for place in range(most) for label in part.labels]
    return FieldPart((" length", *labels), write)
