"""Observations as JSON, for players in another process or on another machine.

The type hints of an observation's fields decide how each field is written; games add nothing:

    an action          its notation, as in a record
    a ``NamedTuple``   an object with its fields
    any other tuple    a list
    a mapping          an object, its keys sorted
    all else           unchanged: ``int``, ``str``, ``bool``, ``None``

Equal observations give equal bytes, and different observations different ones.
"""

from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias, get_type_hints

from cardgames.engine.game import Action, Observation, game_class

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None


def to_json(observation: Observation) -> dict[str, Json]:
    """Convert an observation to JSON values, by field name."""
    return {field.name: _to_json_value(getattr(observation, field.name)) for field in fields(observation)}


@cache
def observation_class(name: str) -> Any:
    return get_type_hints(game_class(name).observation)["return"]


def _to_json_value(value: Any) -> Json:
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Action):
        return value.text
    if isinstance(value, tuple):
        if names := getattr(value, "_fields", None):
            return {name: _to_json_value(part) for name, part in zip(names, value, strict=True)}
        return [_to_json_value(part) for part in value]
    return {key: _to_json_value(value[key]) for key in sorted(value)}
