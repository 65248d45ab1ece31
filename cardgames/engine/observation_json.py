"""Observations as JSON and back, for players in another process or on another machine.

The type hints of an observation's fields decide how each field is written; games add nothing:

    an action          its notation, as in a record
    a ``NamedTuple``   an object with its fields
    any other tuple    a list
    a mapping          an object, its keys sorted
    all else           unchanged: ``int``, ``str``, ``bool``, ``None``

Equal observations give equal bytes, and reading gives an observation equal to the one written. This program only
writes: ``from_json`` is for Python programs that receive observations.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from cardgames.engine.game import Action, AnyGame, InvalidAction, Observation, game_class

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None

Reader: TypeAlias = Callable[[AnyGame, Any], Any]
"""A function that converts JSON to a field's value. Raises :class:`InvalidObservation`."""


class InvalidObservation(ValueError):
    """JSON that is no observation of the game. The message names the field and the reason."""


def to_json(observation: Observation) -> dict[str, Json]:
    """Convert an observation to JSON values, by field name."""
    return {name: _to_json_value(getattr(observation, name)) for name in _field_names(type(observation))}


def from_json(game: AnyGame, value: object) -> Any:
    """Convert JSON from :func:`to_json` to an observation of ``game``. Raises :class:`InvalidObservation`."""
    kind = observation_class(game.NAME)
    return kind(**_field_values(game, value, _readers(kind, _field_names(kind))))


@cache
def observation_class(name: str) -> Any:
    """The class of observations of the game ``name``."""
    return get_type_hints(game_class(name).observation)["return"]


def _field_names(kind: type[Any]) -> tuple[str, ...]:
    """The names of the public fields of a class of observations."""
    return tuple([field.name for field in fields(kind) if not field.name.startswith("_")])


def _to_json_value(value: Any) -> Json:
    """Convert a field's value to JSON."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Action):
        return value.text
    if isinstance(value, tuple):
        if names := getattr(value, "_fields", None):
            return {name: _to_json_value(part) for name, part in zip(names, value, strict=True)}
        return [_to_json_value(part) for part in value]
    return {key: _to_json_value(value[key]) for key in sorted(value)}


@cache
def _readers(kind: Any, names: tuple[str, ...]) -> dict[str, Reader]:
    """Map each field in ``names`` of the class ``kind`` to its reader."""
    hints = get_type_hints(kind)
    return {name: _reader(hints[name]) for name in names}


def _field_values(game: AnyGame, value: object, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """Convert a JSON object to values by field name. Raises :class:`InvalidObservation`."""
    if not isinstance(value, dict) or set(value) != set(readers):
        raise InvalidObservation(f"not an object with just {', '.join(readers)}: {value!r:.100}")
    values = {}
    for name, read in readers.items():
        try:
            values[name] = read(game, value[name])
        except InvalidObservation as error:
            raise InvalidObservation(f"{name}: {error}") from None
    return values


@cache
def _reader(hint: Any) -> Reader:
    """Return the reader of values with the type ``hint``. Raises ``TypeError`` for an unsupported type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Action:
        return _read_action
    if hint in (int, str, bool, NoneType):
        return lambda game, value: _checked_type(value, hint)
    if origin is Literal:
        return lambda game, value: _checked_type(value, str)
    if origin in (Union, UnionType):
        return _union_reader(args)
    if origin is tuple:
        return _sequence_reader(args[0]) if args[1:] == (...,) else _fixed_tuple_reader(args)
    if isinstance(hint, type) and issubclass(hint, tuple) and (names := getattr(hint, "_fields", ())):
        return lambda game, value: hint(**_field_values(game, value, _readers(hint, names)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(args[1])
    raise TypeError(f"an observation cannot hold {hint}")


def _checked_type(value: object, kind: type) -> Any:
    """Return ``value`` if its type is exactly ``kind``. Raises :class:`InvalidObservation`."""
    if type(value) is not kind:  # to Python ``true`` is an int
        raise InvalidObservation(f"not of type {kind.__name__}: {value!r:.100}")
    return value


def _read_action(game: AnyGame, value: object) -> Action:
    """Convert a notation to an action. Raises :class:`InvalidObservation`."""
    try:
        return game.parse(_checked_type(value, str))
    except InvalidAction:
        raise InvalidObservation(f"not an action: {value!r:.100}") from None


def _union_reader(hints: tuple[Any, ...]) -> Reader:
    """Return a reader that tries the types ``hints`` in order."""
    readers = [_reader(hint) for hint in hints]

    def read(game: AnyGame, value: object) -> Any:
        for reader in readers:
            try:
                return reader(game, value)
            except InvalidObservation as error:
                last_error = error
        raise last_error

    return read


def _sequence_reader(hint: Any) -> Reader:
    """Return the reader of a tuple of any length with items of the type ``hint``."""
    reader = _reader(hint)
    return lambda game, value: tuple([reader(game, part) for part in _checked_type(value, list)])


def _fixed_tuple_reader(hints: tuple[Any, ...]) -> Reader:
    """Return the reader of a tuple with one item for each type of ``hints``."""
    readers = [_reader(hint) for hint in hints]

    def read(game: AnyGame, value: object) -> Any:
        parts = _checked_type(value, list)
        if len(parts) != len(readers):
            raise InvalidObservation(f"not {len(readers)} values: {value!r:.100}")
        return tuple([reader(game, part) for reader, part in zip(readers, parts, strict=True)])

    return read


def _mapping_reader(hint: Any) -> Reader:
    """Return the reader of a mapping with values of the type ``hint``."""
    reader = _reader(hint)

    def read(game: AnyGame, value: object) -> Any:
        return {key: reader(game, part) for key, part in _checked_type(value, dict).items()}

    return read
