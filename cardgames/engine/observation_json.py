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
from math import isfinite
from typing import Any, TypeAlias, get_type_hints

from cardgames.engine.game import Action, Observation, game_class

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None


def to_json(observation: Observation) -> dict[str, Json]:
    """Convert an observation to JSON values, by field name."""
    return {field.name: plain(getattr(observation, field.name)) for field in fields(observation)}


@cache
def observation_class(name: str) -> Any:
    return get_type_hints(game_class(name).observation)["return"]


def plain(value: Any) -> Any:
    """The value of a field, or any other named tuple, in JSON's types. A number that is not finite becomes ``None``."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Action):
        return value.text
    if isinstance(value, tuple | list):
        if names := getattr(value, "_fields", None):
            return {name: plain(part) for name, part in zip(names, value, strict=True)}
        return [plain(part) for part in value]
    return {key: plain(value[key]) for key in sorted(value)}
