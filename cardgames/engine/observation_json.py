"""An observation as JSON and back, for players who are no Python objects here: another process, another machine.

The type hints of an observation's fields say how it is read, so a game has nothing to add:

    an action          its notation, as in a record
    a ``NamedTuple``   an object with its fields
    any other tuple    a list
    a mapping          an object, its keys sorted
    all else           as it is: ``int``, ``str``, ``bool``, ``None``

Equal observations are written alike, to the byte; what is read equals what was written. The program itself reads none
back: ``from_json`` is for whoever is at the other end and plays by ``cardgames.bots``, or by Python of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from cardgames.engine.game import Action, AnyGame, InvalidAction, Observation, game_class

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None

Reader: TypeAlias = Callable[[AnyGame, Any], Any]
"""A function that makes a field's value from JSON. Raises :class:`InvalidObservation`."""


class InvalidObservation(ValueError):
    """JSON that is no observation of the game; the message has the place and the reason."""


def to_json(observation: Observation) -> dict[str, Json]:
    """The observation as JSON values."""
    return {name: _written(getattr(observation, name)) for name in _names(type(observation))}


def from_json(game: AnyGame, value: object) -> Any:
    """The observation of ``game`` that :func:`to_json` wrote. Raises :class:`InvalidObservation`."""
    kind = observation_class(game.NAME)
    return kind(**_parts(game, value, _readers(kind, _names(kind))))


@cache
def observation_class(name: str) -> Any:
    """The class of a game's observations."""
    return get_type_hints(game_class(name).observation)["return"]


def _names(kind: type[Any]) -> tuple[str, ...]:
    """The public fields of a class of observations."""
    return tuple([field.name for field in fields(kind) if not field.name.startswith("_")])


def _written(value: Any) -> Json:
    """A field's value as JSON."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Action):
        return value.text
    if isinstance(value, tuple):
        if names := getattr(value, "_fields", None):
            return {name: _written(part) for name, part in zip(names, value, strict=True)}
        return [_written(part) for part in value]
    return {key: _written(value[key]) for key in sorted(value)}


@cache
def _readers(kind: Any, names: tuple[str, ...]) -> dict[str, Reader]:
    """The reader of each of these fields."""
    hints = get_type_hints(kind)
    return {name: _reader(hints[name]) for name in names}


def _parts(game: AnyGame, value: object, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The values of an object's fields."""
    if not isinstance(value, dict) or set(value) != set(readers):
        raise InvalidObservation(f"not an object with just {', '.join(readers)}: {value!r:.100}")
    found = {}
    for name, read in readers.items():
        try:
            found[name] = read(game, value[name])
        except InvalidObservation as error:
            raise InvalidObservation(f"{name}: {error}") from None
    return found


@cache
def _reader(hint: Any) -> Reader:
    """The reader of values with the type ``hint``. Raises ``TypeError`` for an unsupported type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Action:
        return _read_action
    if hint in (int, str, bool, NoneType):
        return lambda game, value: _typed(value, hint)
    if origin is Literal:
        return lambda game, value: _typed(value, str)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple:
        return _sequence(args[0]) if args[1:] == (...,) else _fixed(args)
    if isinstance(hint, type) and issubclass(hint, tuple) and (names := getattr(hint, "_fields", ())):
        return lambda game, value: hint(**_parts(game, value, _readers(hint, names)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(args[1])
    raise TypeError(f"an observation cannot hold {hint}")


def _typed(value: object, kind: type) -> Any:
    """A value of exactly this type. Raises :class:`InvalidObservation`."""
    if type(value) is not kind:  # to Python ``true`` is an int
        raise InvalidObservation(f"not of type {kind.__name__}: {value!r:.100}")
    return value


def _read_action(game: AnyGame, value: object) -> Action:
    """The action with this notation. Raises :class:`InvalidObservation`."""
    try:
        return game.parse(_typed(value, str))
    except InvalidAction:
        raise InvalidObservation(f"not an action: {value!r:.100}") from None


def _union(hints: tuple[Any, ...]) -> Reader:
    """The reader of the first type that fits."""
    readers = [_reader(hint) for hint in hints]

    def read(game: AnyGame, value: object) -> Any:
        for reader in readers:
            try:
                return reader(game, value)
            except InvalidObservation as error:
                last = error
        raise last

    return read


def _sequence(hint: Any) -> Reader:
    """The reader of a tuple of any length with items of one type."""
    reader = _reader(hint)
    return lambda game, value: tuple([reader(game, part) for part in _typed(value, list)])


def _fixed(hints: tuple[Any, ...]) -> Reader:
    """The reader of a tuple with a type for each place."""
    readers = [_reader(hint) for hint in hints]

    def read(game: AnyGame, value: object) -> Any:
        parts = _typed(value, list)
        if len(parts) != len(readers):
            raise InvalidObservation(f"not {len(readers)} values: {value!r:.100}")
        return tuple([reader(game, part) for reader, part in zip(readers, parts, strict=True)])

    return read


def _mapping(hint: Any) -> Reader:
    """The reader of an object with values of one type."""
    reader = _reader(hint)

    def read(game: AnyGame, value: object) -> Any:
        return {key: reader(game, part) for key, part in _typed(value, dict).items()}

    return read
