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

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from cardgames.engine.game import Action, AnyGame, InvalidAction, Observation, game_class

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None


class InvalidObservation(ValueError):
    """JSON that is no observation of the game. The message names the field and the reason."""


def to_json(observation: Observation) -> dict[str, Json]:
    """Convert an observation to JSON values, by field name."""
    return {field.name: _to_json_value(getattr(observation, field.name)) for field in fields(observation)}


def from_json(game: AnyGame, value: object) -> Any:
    """Convert JSON from :func:`to_json` to an observation of ``game``. Raises :class:`InvalidObservation`."""
    kind = observation_class(game.NAME)
    return kind(**_from_json_object(game, value, _hints(kind)))


@cache
def observation_class(name: str) -> Any:
    """The class of observations of the game ``name``."""
    return get_type_hints(game_class(name).observation)["return"]


_hints = cache(get_type_hints)


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


def _from_json_value(game: AnyGame, value: Any, hint: Any) -> Any:
    """Convert JSON to a value with the type ``hint``. Raises :class:`InvalidObservation`."""
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return _first_fitting(game, value, args)
    if kind is Action:
        text = _checked_type(value, str)
        try:
            return game.parse(text)
        except InvalidAction:
            raise InvalidObservation(f"not an action: {text!r:.100}") from None
    if kind is tuple:
        items = _checked_type(value, list)
        is_any_length = args[1:] == (...,)
        hints = args[:1] * len(items) if is_any_length else args
        if len(items) != len(hints):
            raise InvalidObservation(f"not {len(hints)} values: {value!r:.100}")
        return tuple([_from_json_value(game, item, hint) for item, hint in zip(items, hints, strict=True)])
    if kind is Mapping:
        return {key: _from_json_value(game, part, args[1]) for key, part in _checked_type(value, dict).items()}
    if kind is not Literal and issubclass(kind, tuple):  # a named tuple; ``Literal`` is no class
        return kind(**_from_json_object(game, value, _hints(kind)))
    return _checked_type(value, str if kind is Literal else kind)


def _from_json_object(game: AnyGame, value: object, hints: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values of a JSON object, each to the type that ``hints`` has for its name.

    Raises :class:`InvalidObservation`."""
    if not isinstance(value, dict) or set(value) != set(hints):
        raise InvalidObservation(f"not an object with just {', '.join(hints)}: {value!r:.100}")
    values = {}
    for name, hint in hints.items():
        try:
            values[name] = _from_json_value(game, value[name], hint)
        except InvalidObservation as error:
            raise InvalidObservation(f"{name}: {error}") from None
    return values


def _first_fitting(game: AnyGame, value: Any, hints: tuple[Any, ...]) -> Any:
    """Convert JSON to a value with the first of the types ``hints`` that fits. Raises :class:`InvalidObservation`."""
    for hint in hints:
        try:
            return _from_json_value(game, value, hint)
        except InvalidObservation as error:
            last_error = error
    raise last_error


def _checked_type(value: object, kind: type) -> Any:
    """Return ``value`` if its type is exactly ``kind``. Raises :class:`InvalidObservation`."""
    if type(value) is not kind:  # to Python ``true`` is an int
        raise InvalidObservation(f"not of type {kind.__name__}: {value!r:.100}")
    return value
